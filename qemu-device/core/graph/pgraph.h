/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH, the graphics engine: its interface for other blocks of the chip, and its common
 * functions for classes. docs/reference/chip/pgraph.md describes the hardware.
 */
#ifndef NV3_GRAPH_PGRAPH_H
#define NV3_GRAPH_PGRAPH_H

#include "chip/chip.h"
#include "api/nv3_state.h"
#include "graph/class.h"

/* ---- functions for other blocks of the chip ------------------------------ */

NV3_BLOCK(pgraph);      /* 0x400000-0x401fff, PDMA included */

/*
 * Executes one method. @ctx is the context word of the object that is bound to @subch in
 * PFIFO. Returns false if PGRAPH cannot accept the method, because FIFO access is
 * disabled, a job is in progress, or a trap or context switch is pending. In this case,
 * the puller keeps the method, and tries again when nv3_pgraph_ready() returns true.
 */
bool nv3_pgraph_submit(NV3State *s, uint32_t chid, uint32_t subch,
                       uint32_t mthd, uint32_t data, uint32_t ctx);
/*
 * Like nv3_pgraph_submit(), but also reports those of the events OBJECT, METHOD and
 * CONTEXT that are enabled. @chid, @subch and @mthd must be in their ranges.
 */
bool nv3_pgraph_report_and_submit(NV3State *s, uint32_t chid, uint32_t subch,
                                  uint32_t mthd, uint32_t data, uint32_t ctx);
bool nv3_pgraph_ready(NV3State *s);
/*
 * Executes a slice of the current job. Until the job completes, nv3_pgraph_ready() and
 * nv3_pgraph_idle() return false. nv3_run() calls this function before and after
 * nv3_pfifo_run(). Returns false if no job exists.
 */
bool nv3_pgraph_step(NV3State *s);
bool nv3_pgraph_idle(NV3State *s);
/* Completes the jobs and deferred drawing of all classes, without a limit on the cost. */
void nv3_pgraph_finish(NV3State *s);
/* Calls the end_run() hooks of all classes at the end of nv3_run(). */
void nv3_pgraph_end_run(NV3State *s, bool more);
/* Calls the save() hooks of all classes before the state is saved. */
void nv3_pgraph_save(NV3State *s);
/* Frees the classes' caches. */
void nv3_pgraph_free(NV3State *s);

/*
 * Return true if an enabled interrupt is pending. nv3_pgraph_irq() checks all interrupts
 * of PGRAPH, including the vertical blank. nv3_vblank_irq() checks only the vertical
 * blank.
 */
bool nv3_pgraph_irq(NV3State *s);
bool nv3_vblank_irq(NV3State *s);
bool nv3_pdma_irq(NV3State *s);

/* ---- functions for classes ----------------------------------------------- */

/* object.c: stores the given method in TRAPPED_*. */
void nv3_pgraph_latch(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                      uint32_t data, uint32_t ctx);
/*
 * object.c: returns true if a call of the class's method() is sufficient to execute a
 * method of object @ctx, whose class is @class. This requires that the object is selected
 * and loaded, that the notifier is not armed, and that DEBUG_3 does not make all methods
 * fail.
 */
bool nv3_pgraph_is_plain(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx,
                         uint32_t class);

/*
 * Raises the interrupt for @result, an error that the class detected after the method had
 * returned.
 */
void nv3_pgraph_fail(NV3State *s, NV3MthdResult result);
/* Raises bits of INTR. Error bits stop PGRAPH. */
void nv3_pgraph_raise(NV3State *s, uint32_t intr);
/* Raises INTR.INVALID for NV3_PGRAPH_INVALID_* bits. */
void nv3_pgraph_raise_invalid(NV3State *s, uint32_t invalid);
/*
 * DEBUG_0.RESET triggers the soft reset. If DEBUG_2 enables the volatile reset, a switch
 * of objects triggers it.
 */
void nv3_pgraph_soft_reset(NV3State *s);
void nv3_pgraph_volatile_reset(NV3State *s);

/*
 * notify.c: executes method 0x104, which arms the notifier. @invalid: errors that this
 * method has already raised. When the next method has completed,
 * nv3_pgraph_notify_complete() writes the notification.
 */
NV3MthdResult nv3_pgraph_notify_arm(NV3State *s, uint32_t data,
                                    uint32_t invalid);
void nv3_pgraph_notify_complete(NV3State *s);

/*
 * prep.c: checks, after the vertices of a primitive have been set, whether the state
 * allows drawing. If not, raises the interrupts and returns false. @poly: the vertices
 * belong to a polyline or polytriangle. @noclip: a GDI rectangle without clip.
 */
bool nv3_pgraph_prep_draw(NV3State *s, bool poly, bool noclip);

/*
 * Does the same as nv3_pgraph_prep_draw() for a word of an image. @need: the required
 * bits of VALID, which stay set for the next words of the image.
 */
bool nv3_pgraph_prep_image(NV3State *s, uint32_t need);

/*
 * regs.c: checks the loaded registers. Returns an error message if a bit that does not
 * exist is set, else null.
 */
const char *nv3_pgraph_check_regs(NV3State *s);

/* Tables of the saved state. */
extern const NV3StateBlock nv3_pgraph_state;
extern const NV3StateBlock nv3_job_state;

#endif
