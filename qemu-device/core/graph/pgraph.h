/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH, the graphics engine: what it does for the rest of the chip, and what its common
 * part does for the classes. Facts are in docs/reference/chip/pgraph.md.
 */
#ifndef NV3_GRAPH_PGRAPH_H
#define NV3_GRAPH_PGRAPH_H

#include "chip/chip.h"
#include "api/nv3_state.h"
#include "graph/class.h"

/* ---- for the rest of the chip ---------------------------------------------- */

NV3_BLOCK(pgraph);      /* 0x400000-0x401fff, PDMA included */

/*
 * Takes one method and executes it. False when PGRAPH can't take it now (FIFO access off,
 * a trap, a context switch pending): the puller keeps it and tries again when
 * nv3_pgraph_ready() turns true. @ctx is the puller's context word for @subch; @mthd 0
 * binds it.
 */
bool nv3_pgraph_submit(NV3State *s, uint32_t chid, uint32_t subch,
                       uint32_t mthd, uint32_t data, uint32_t ctx);
bool nv3_pgraph_ready(NV3State *s);
/*
 * Goes on with a method that takes long (submit() has returned true for it, and ready()
 * and idle() stay false until it is done). nv3_run() calls it before and after
 * nv3_pfifo_run(); false when there is nothing to go on with.
 */
bool nv3_pgraph_step(NV3State *s);
bool nv3_pgraph_idle(NV3State *s);
/* At the end of nv3_run(): deferred work is done and reported. */
void nv3_pgraph_end_run(NV3State *s);
/* Frees what the classes keep from draw to draw. */
void nv3_pgraph_free(NV3State *s);

/* Interrupts: of PGRAPH, of the vertical blank that is a bit of PGRAPH's, of PDMA. */
bool nv3_pgraph_irq(NV3State *s);
bool nv3_vblank_irq(NV3State *s);
bool nv3_pdma_irq(NV3State *s);

/* ---- for classes ----------------------------------------------------------- */

/* object.c: TRAPPED_* show this method. */
void nv3_pgraph_latch(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                      uint32_t data, uint32_t ctx);
/*
 * object.c: would methods of an object of @class do no more than the class's method()?
 * True when the object is selected and loaded, and nothing traps or waits for a
 * notification.
 */
bool nv3_pgraph_is_plain(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx,
                         uint32_t class);

/* Raises bits of INTR; an error among them stops PGRAPH. */
void nv3_pgraph_raise(NV3State *s, uint32_t intr);
/* Raises INTR.INVALID for NV3_PGRAPH_INVALID_* bits. */
void nv3_pgraph_raise_invalid(NV3State *s, uint32_t invalid);
/* DEBUG_0.RESET; what an object that is switched in resets (DEBUG_2). */
void nv3_pgraph_soft_reset(NV3State *s);
void nv3_pgraph_volatile_reset(NV3State *s);

/*
 * notify.c: method 0x104, for which @invalid has been raised so far, arms the notifier.
 * When the next method has completed, nv3_pgraph_notify_complete() writes the
 * notification.
 */
NV3MthdResult nv3_pgraph_notify_arm(NV3State *s, uint32_t data,
                                    uint32_t invalid);
void nv3_pgraph_notify_complete(NV3State *s);

/*
 * prep.c: to be called before drawing, with the vertices in place.
 * False, with the interrupts raised, when the state does not allow it.
 * @poly: the vertices are of the second, connected, kind; @noclip: a GDI
 * rectangle without clip.
 */
bool nv3_pgraph_prep_draw(NV3State *s, bool poly, bool noclip);

/*
 * The same for a word of an image, that VALID has @need for: drawn little by
 * little, so nothing is used up.
 */
bool nv3_pgraph_prep_image(NV3State *s, uint32_t need);

/* regs.c: what is wrong with the registers (a bit set that does not exist), or null. */
const char *nv3_pgraph_check_regs(NV3State *s);

/* What of them is saved. */
extern const NV3StateBlock nv3_pgraph_state;
extern const NV3StateBlock nv3_job_state;

#endif
