/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A graphics class: what PGRAPH's common part needs of one. Each class is a constant of
 * its own file; classes.c has the table of them.
 */
#ifndef NV3_GRAPH_CLASS_H
#define NV3_GRAPH_CLASS_H

#include "chip/chip.h"

/*
 * What became of a method. BAD_DATA: the method was carried out as silicon
 * does with such a value; PGRAPH stops only when DEBUG_3.DATA_CHECK says so.
 * A method whose drawing was refused (nv3_pgraph_prep_draw()) is OK: prep_draw
 * has raised the interrupt already.
 */
typedef enum NV3MthdResult {
    NV3_MTHD_OK,
    NV3_MTHD_BAD_METHOD,
    NV3_MTHD_BAD_DATA,
} NV3MthdResult;

/*
 * A class. Every hook is called on the thread that is in nv3_run() and may be null,
 * @method excepted.
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

    /* Draws what the class has deferred. Called while pgraph.deferred is this class. */
    void (*flush)(NV3State *s);
    /*
     * Writes to registers what a stream of methods has left. Called while pgraph.stream
     * is this class, before anything else uses the registers.
     */
    void (*end_stream)(NV3State *s);
    /* At the end of nv3_run(): reports to the host what has been drawn. */
    void (*end_run)(NV3State *s);
    /* Frees what the class keeps from draw to draw; the state of the chip stays. */
    void (*free)(NV3State *s);
};

/* Classes that a table can have (NV3State.classes). */
#define NV3_CLASS_MAX   32

/* The class of number @id, or null if this chip has no such class. */
const NV3Class *nv3_pgraph_find_class(const NV3State *s, uint32_t id);

/* The registers are up to date after it. */
static inline void nv3_pgraph_end_stream(NV3State *s)
{
    if (s->pgraph.stream) {
        s->pgraph.stream->end_stream(s);
    }
}

/*
 * Draws what a class has deferred: to be called before anything reads or writes the
 * memory that it may draw to or from, or reports methods as completed.
 */
static inline void nv3_pgraph_flush(NV3State *s)
{
    if (s->pgraph.deferred) {
        s->pgraph.deferred->flush(s);
    }
}

#endif
