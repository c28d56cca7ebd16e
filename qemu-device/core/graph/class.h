/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A graphics class, as PGRAPH's common part sees it. Each class is a constant in its
 * own file, and classes.c has the table of them.
 */
#ifndef NV3_GRAPH_CLASS_H
#define NV3_GRAPH_CLASS_H

#include "chip/chip.h"

/*
 * The result of a method.
 *
 * BAD_DATA: the method was executed as silicon does with such a value. PGRAPH stops
 * only if DEBUG_3.DATA_CHECK is set. A method whose drawing was refused
 * (nv3_pgraph_prep_draw()) returns OK, because prep_draw has already raised the
 * interrupt.
 */
typedef enum NV3MthdResult {
    NV3_MTHD_OK,
    NV3_MTHD_BAD_METHOD,
    NV3_MTHD_BAD_DATA,
} NV3MthdResult;

/*
 * A class. All hooks are called on the thread that runs nv3_run(). All but @method may
 * be null.
 */
struct NV3Class {
    uint8_t id;
    bool uses_dma;          /* methods access the DMA objects that the object names */
    const char *name;
    /*
     * Executes method @mthd, a multiple of 4 below 0x2000. Never called for methods 0x000
     * and 0x104, which are PGRAPH's own.
     */
    NV3MthdResult (*method)(NV3State *s, uint32_t mthd, uint32_t data);

    /*
     * Draws the class's deferred work, or creates a job that draws it. Called while
     * pgraph.deferred is this class.
     */
    void (*flush)(NV3State *s);
    /* Drops the class's job and its deferred work. */
    void (*drop)(NV3State *s);
    /* Completes the class's job and its deferred work, without a limit. */
    void (*finish)(NV3State *s);
    /*
     * Writes the registers that a stream of methods has not updated. Called while
     * pgraph.stream is this class, before anything else uses the registers.
     */
    void (*end_stream)(NV3State *s);
    /* Called at the end of nv3_run(). Reports drawn pixels to the host. */
    void (*end_run)(NV3State *s);
    /* Access registers of the class in PVIRT. Return false if @addr is none of them. */
    bool (*pvirt_read)(NV3State *s, uint32_t addr, uint32_t *val);
    bool (*pvirt_write)(NV3State *s, uint32_t addr, uint32_t val);
    /* Updates the saved state, if the class has state in other places. */
    void (*save)(NV3State *s);
    /* Frees the class's caches. The state of the chip does not change. */
    void (*free)(NV3State *s);
};

/* Size of the tables of classes (NV3State.classes). */
#define NV3_CLASS_MAX   32

/* Returns the class of number @id, or null if this chip has no such class. */
const NV3Class *nv3_pgraph_find_class(const NV3State *s, uint32_t id);

/* Updates the registers. */
static inline void nv3_pgraph_end_stream(NV3State *s)
{
    if (s->pgraph.stream) {
        s->pgraph.stream->end_stream(s);
    }
}

/*
 * Executes the deferred drawing of a class, or creates a job that does. Must be called
 * before the memory that it may use is read or written, and before methods are reported
 * as completed.
 */
static inline void nv3_pgraph_flush(NV3State *s)
{
    if (s->pgraph.deferred) {
        s->pgraph.deferred->flush(s);
    }
}

#endif
