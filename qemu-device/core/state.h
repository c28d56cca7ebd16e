/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saving and loading the chip. Every block has a table, beside its code, that names
 * each member of its state once: what is saved and which values it may have,
 * or that it is not saved. A member that no table names fails test_state.
 *
 * To add a register: one line in its block's table. Once streams of the version
 * before exist that must still load, the line is NV3_SAVE_SINCE() and the block's
 * version goes up by one; without it in the stream the member has its reset value.
 *
 * The stream is little endian and knows no structure's layout: a header with the
 * configuration, then by block a name, a version, a length and the values. What is
 * loaded is checked before anything changes, as the stream may be hostile.
 */
#ifndef NV3_STATE_H
#define NV3_STATE_H

#include <stddef.h>

#include "nv3_int.h"

typedef enum NV3StateKind {
    NV3_STATE_VALUE,
    NV3_STATE_BOOL,
    NV3_STATE_TIME,         /* a clock_ns(): kept relative to now */
    NV3_STATE_NOT_SAVED,
} NV3StateKind;

typedef struct NV3StateField {
    const char *name;
    NV3StateKind kind;
    uint32_t offset;        /* in NV3State */
    uint32_t size;          /* bytes of all its values */
    uint32_t unit;          /* bytes of one */
    uint32_t since;         /* the block's version that has it first */
    uint64_t bits;          /* that a value may have set */
    uint64_t most;          /* the largest value */
} NV3StateField;

#define NV3_STATE_NAME_MAX  8

typedef struct NV3StateBlock {
    char name[NV3_STATE_NAME_MAX];
    uint32_t version;       /* what is saved; all up to it can be loaded */
    const NV3StateField *field;
    unsigned fields;
    /*
     * What is wrong, or null: for what one value's range can't tell. @s has all
     * values of all blocks but is not a chip: no callback but the clock.
     */
    const char *(*check)(NV3State *s);
    /* All is loaded: makes what is not saved, tells the host. */
    void (*loaded)(NV3State *s);
} NV3StateBlock;

#define NV3_STATE_MEMBER(path)  (((NV3State *)NULL)->path)

/* A value of this type, or an array of them? */
#define NV3_STATE_IS(path, type) \
    (__builtin_types_compatible_p(__typeof__(NV3_STATE_MEMBER(path)), type) || \
     __builtin_types_compatible_p(__typeof__(NV3_STATE_MEMBER(path)), type[]))
/* Bytes of one; an enumeration has 4. Of other types 0, which the test finds. */
#define NV3_STATE_UNIT(path) \
    (NV3_STATE_IS(path, bool) || NV3_STATE_IS(path, uint8_t) ? 1 : \
     NV3_STATE_IS(path, uint32_t) || NV3_STATE_IS(path, int32_t) || \
     sizeof(NV3_STATE_MEMBER(path)) == 4 ? 4 : \
     NV3_STATE_IS(path, uint64_t) ? 8 : 0)
#define NV3_STATE_KIND(path) \
    (NV3_STATE_IS(path, bool) ? NV3_STATE_BOOL : NV3_STATE_VALUE)

#define NV3_STATE_FIELD(path, as, bytes, first, mask, max) \
    { .name = #path, .kind = (as), .offset = offsetof(NV3State, path), \
      .size = sizeof(NV3_STATE_MEMBER(path)), .unit = (bytes), \
      .since = (first), .bits = (mask), .most = (max) }
#define NV3_STATE_SAVED(path, first, mask, max) \
    NV3_STATE_FIELD(path, NV3_STATE_KIND(path), NV3_STATE_UNIT(path), first, \
                    mask, max)
#define NV3_STATE_ANY(path, as, bytes) \
    NV3_STATE_FIELD(path, as, bytes, 1, UINT64_MAX, UINT64_MAX)

/* A value, or an array; whatever its type can hold. */
#define NV3_SAVE(path)  NV3_STATE_SAVED(path, 1, UINT64_MAX, UINT64_MAX)
/* Only with these bits set; only up to @max. */
#define NV3_SAVE_BITS(path, mask)   NV3_STATE_SAVED(path, 1, mask, UINT64_MAX)
#define NV3_SAVE_MAX(path, max)     NV3_STATE_SAVED(path, 1, UINT64_MAX, max)
#define NV3_SAVE_SINCE(version, path) \
    NV3_STATE_SAVED(path, version, UINT64_MAX, UINT64_MAX)
#define NV3_SAVE_TIME(path)         NV3_STATE_ANY(path, NV3_STATE_TIME, 8)
/* A structure, or an array of them, that has nothing but 32-bit words in it. */
#define NV3_SAVE_WORDS(path)        NV3_STATE_ANY(path, NV3_STATE_VALUE, 4)
/* The host's, or made anew from the rest: say which in a comment. */
#define NV3_NOT_SAVED(path)         NV3_STATE_ANY(path, NV3_STATE_NOT_SAVED, 1)

#define NV3_STATE_BLOCK(label, table, ...) \
    { .name = (label), .version = 1, .field = (table), \
      .fields = sizeof(table) / sizeof((table)[0]), __VA_ARGS__ }

/* In the order in which they are saved, and in which loaded() is called. */
extern const NV3StateBlock *const nv3_state_blocks[];
extern const unsigned nv3_state_block_count;

extern const NV3StateBlock nv3_chip_state;      /* nv3.c */
extern const NV3StateBlock nv3_pbus_state;
extern const NV3StateBlock nv3_pfb_state;
extern const NV3StateBlock nv3_pme_state;
extern const NV3StateBlock nv3_prm_state;
extern const NV3StateBlock nv3_pextdev_state;
extern const NV3StateBlock nv3_pvirt_state;
extern const NV3StateBlock nv3_pfifo_state;
extern const NV3StateBlock nv3_pgraph_state;    /* pgraph_state.c */
extern const NV3StateBlock nv3_pvideo_state;
extern const NV3StateBlock nv3_display_state;
extern const NV3StateBlock nv3_ptimer_state;
extern const NV3StateBlock nv3_pmc_state;

/* One block: its bytes with name, version and length; the next after them. */
size_t nv3_state_block_size(const NV3StateBlock *b);
uint8_t *nv3_state_save_block(NV3State *s, const NV3StateBlock *b,
                              uint8_t *p);

typedef struct NV3StateReader {
    NV3State *s;            /* where values go */
    const uint8_t *in;
    size_t left;
    uint64_t now;           /* the clock of the chip that is loaded */
    NV3LoadError *error;
} NV3StateReader;

bool nv3_state_load_block(NV3StateReader *r, const NV3StateBlock *b);

/* pgraph_regs.c: a register with a bit set that it has not, or null. */
const char *nv3_pgraph_check_regs(NV3State *s);
/* pgraph_job.c: a job that its class would not have made. */
const char *nv3_job_check(NV3State *s);

#endif
