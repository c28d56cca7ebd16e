/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between PGRAPH's common code and its classes. Each class is a constant
 * NV3Class, and classes.c has the table of all classes.
 */
#ifndef NV3_GRAPH_CLASS_H
#define NV3_GRAPH_CLASS_H

#include "chip/chip.h"

/*
 * The result of a method.
 *
 * BAD_DATA: the data is invalid. The class has nevertheless executed the method, with the
 * same effect as on silicon. If DEBUG_3.DATA_CHECK is set, PGRAPH reports the error and
 * stops. Otherwise, PGRAPH ignores the error. A method whose call of
 * nv3_pgraph_prep_draw() fails returns OK, because that function has already raised the
 * interrupt.
 */
typedef enum NV3MthdResult {
    NV3_MTHD_OK,
    NV3_MTHD_BAD_METHOD,
    NV3_MTHD_BAD_DATA,
} NV3MthdResult;

/*
 * A class. The thread that runs nv3_run() calls all hooks. Hooks other than
 * @method may be null.
 */
struct NV3Class {
    uint8_t id;
    bool uses_dma;          /* methods access memory through DMA objects */
    const char *name;
    /*
     * Executes method @mthd, a multiple of 4 below 0x2000. Not called for methods 0x000
     * and 0x104, which the common code of PGRAPH executes.
     */
    NV3MthdResult (*method)(NV3State *s, uint32_t mthd, uint32_t data);

    /*
     * Executes the class's deferred drawing, or creates a job that executes it. Called
     * only if pgraph.deferred points to this class.
     */
    void (*flush)(NV3State *s);
    /* Drops the class's job and its deferred drawing. */
    void (*drop)(NV3State *s);
    /* Completes the class's job and its deferred drawing, without a limit on the cost. */
    void (*finish)(NV3State *s);
    /*
     * Ends a stream (a sequence of methods whose effects on PGRAPH's registers are
     * deferred) and updates the registers. Called if pgraph.stream points to this class,
     * before any other use of the registers.
     */
    void (*end_stream)(NV3State *s);
    /*
     * Called at the end of nv3_run(). Reports to the host which pixels this call of
     * nv3_run() has drawn. If @more is true, PFIFO has more methods, nv3_run() will be
     * called again, and drawing may remain deferred.
     */
    void (*end_run)(NV3State *s, bool more);
    /*
     * Access the class's registers in PVIRT. Return false if the class has no register
     * at @addr.
     */
    bool (*pvirt_read)(NV3State *s, uint32_t addr, uint32_t *val);
    bool (*pvirt_write)(NV3State *s, uint32_t addr, uint32_t val);
    /*
     * Copies the state from the class's private structures to saved members of NV3State.
     */
    void (*save)(NV3State *s);
    /* Frees the class's caches, without changing the state of the chip. */
    void (*free)(NV3State *s);
};

/* Number of entries of NV3State.classes, the table of classes. */
#define NV3_CLASS_MAX   32

/* Returns the class with number @id, or null if this chip has no such class. */
const NV3Class *nv3_pgraph_find_class(const NV3State *s, uint32_t id);

/* Ends a stream of methods, if any, so that the registers are up to date. */
static inline void nv3_pgraph_end_stream(NV3State *s)
{
    if (s->pgraph.stream) {
        s->pgraph.stream->end_stream(s);
    }
}

/*
 * Executes deferred drawing, or creates a job that executes it. Must be called before an
 * access to memory that the deferred drawing may read or write, and before the chip
 * reports to software that methods have completed.
 */
static inline void nv3_pgraph_flush(NV3State *s)
{
    if (s->pgraph.deferred) {
        s->pgraph.deferred->flush(s);
    }
}

#endif
