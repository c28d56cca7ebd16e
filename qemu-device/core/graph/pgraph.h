/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH, the graphics engine: its interface for the rest of the chip, and the common
 * functions for classes. Facts are in docs/reference/chip/pgraph.md.
 */
#ifndef NV3_GRAPH_PGRAPH_H
#define NV3_GRAPH_PGRAPH_H

#include "chip/chip.h"
#include "api/nv3_state.h"
#include "graph/class.h"

/* ---- for the rest of the chip ---------------------------------------------- */

NV3_BLOCK(pgraph);      /* 0x400000-0x401fff, PDMA included */

/*
 * Executes one method. Returns false if PGRAPH cannot accept it now (FIFO access
 * disabled, a trap, a pending context switch). The puller then keeps it and tries again
 * when nv3_pgraph_ready() is true. @ctx is the puller's context word for @subch. Method
 * 0 binds it.
 */
bool nv3_pgraph_submit(NV3State *s, uint32_t chid, uint32_t subch,
                       uint32_t mthd, uint32_t data, uint32_t ctx);
bool nv3_pgraph_ready(NV3State *s);
/*
 * Continues a method that takes long (submit() has returned true for it, and ready()
 * and idle() are false until it is done). nv3_run() calls this before and after
 * nv3_pfifo_run(). Returns false if there is no such method.
 */
bool nv3_pgraph_step(NV3State *s);
bool nv3_pgraph_idle(NV3State *s);
/* Completes the jobs and the deferred drawing of all classes, without a limit. */
void nv3_pgraph_finish(NV3State *s);
/* Called at the end of nv3_run(). Reports deferred work, and draws it or leaves a job. */
void nv3_pgraph_end_run(NV3State *s);
/* Updates the members that the tables of saved state name. */
void nv3_pgraph_save(NV3State *s);
/* Frees the classes' caches. */
void nv3_pgraph_free(NV3State *s);

/*
 * Enabled interrupts that are pending: PGRAPH's, the vertical blank, which is a bit of
 * PGRAPH's, and PDMA's.
 */
bool nv3_pgraph_irq(NV3State *s);
bool nv3_vblank_irq(NV3State *s);
bool nv3_pdma_irq(NV3State *s);

/* ---- for classes ----------------------------------------------------------- */

/* object.c: stores this method in TRAPPED_*. */
void nv3_pgraph_latch(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                      uint32_t data, uint32_t ctx);
/*
 * object.c: returns true if methods of an object of @class would only call the class's
 * method(). In this case the object is selected and loaded, and no trap and no
 * notifier is pending.
 */
bool nv3_pgraph_is_plain(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx,
                         uint32_t class);

/* Raises the interrupt of a method that a job has completed with @result. */
void nv3_pgraph_fail(NV3State *s, NV3MthdResult result);
/* Raises bits of INTR. An error among them stops PGRAPH. */
void nv3_pgraph_raise(NV3State *s, uint32_t intr);
/* Raises INTR.INVALID for NV3_PGRAPH_INVALID_* bits. */
void nv3_pgraph_raise_invalid(NV3State *s, uint32_t invalid);
/* DEBUG_0.RESET, and the resets that a switch of objects causes (DEBUG_2). */
void nv3_pgraph_soft_reset(NV3State *s);
void nv3_pgraph_volatile_reset(NV3State *s);

/*
 * notify.c: method 0x104 arms the notifier. @invalid: errors that it has raised. When
 * the next method has completed, nv3_pgraph_notify_complete() writes the notification.
 */
NV3MthdResult nv3_pgraph_notify_arm(NV3State *s, uint32_t data,
                                    uint32_t invalid);
void nv3_pgraph_notify_complete(NV3State *s);

/*
 * prep.c: must be called before drawing, with the vertices set. If the state does not
 * allow drawing, raises the interrupts and returns false. @poly: the vertices are of
 * the second, connected, kind. @noclip: a GDI rectangle without clip.
 */
bool nv3_pgraph_prep_draw(NV3State *s, bool poly, bool noclip);

/*
 * Like nv3_pgraph_prep_draw(), but for a word of an image, which requires the bits @need
 * of VALID. An image is drawn in many words, so no bits are consumed.
 */
bool nv3_pgraph_prep_image(NV3State *s, uint32_t need);

/* regs.c: checks the registers for bits that do not exist. Returns an error or null. */
const char *nv3_pgraph_check_regs(NV3State *s);

/* Tables of the saved state. */
extern const NV3StateBlock nv3_pgraph_state;
extern const NV3StateBlock nv3_job_state;

#endif
