/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The graph of a fragment program's values. The operands of a value have lower numbers
 * than the value, so values can be computed in the order of their numbers.
 */
#ifndef NV3_FP_GRAPH_H
#define NV3_FP_GRAPH_H

#include "fp/fp_code.h"

/* Maximum number of values. With this limit, slot numbers fit in 16 bits. */
#define NODE_MAX        30000
#define HASH_SIZE       4096
#define NODE_NONE       0xffff
#define NODE_SOURCES    10          /* maximum; only texture operations have 10 */

/*
 * Kinds of nodes that are not operations of the executor. Their numbers follow the
 * numbers of operations.
 */
enum {
    LEAF_CONSTANT = NV3_FP_OP_KINDS,
    LEAF_LITERAL,
    LEAF_INPUT,
    LEAF_TEXEL,         /* result component of the texture operation in source 0 */
};

typedef struct FpNode {
    uint8_t kind;
    uint8_t n;          /* DOT: number of products; KIL: number of operands */
    uint8_t unit, lod;  /* TEX: unit and level of detail; KIL: @lod is the test */
    bool uniform;       /* the same for all pixels */
    bool live;
    /*
     * @third: mask of the texture units for which the value is the third coordinate;
     * @used: the value is also used in other ways
     */
    uint16_t third;
    bool used;
    uint32_t word;      /* leaf: literal, index of constant, input or component */
    uint16_t src[NODE_SOURCES];
    uint16_t next;      /* next value with the same hash */
    uint16_t slot;
    unsigned last_use;  /* index of the last operation that reads the value */
    unsigned op;        /* TEX: number of the operation */
} FpNode;

typedef struct FpBuilder {
    FpNode *node;
    unsigned count;
    bool overflow;
    uint16_t hash[HASH_SIZE];
    uint16_t reg[NV3_FP_REGISTERS][4];
    uint16_t condition[4];
} FpBuilder;

/* Returns the number of sources of a value (fp_translate.c). */
unsigned nv3_fp_source_count(const FpNode *n);
/*
 * fp_emit.c: drops unused values, orders the remaining values, combines values of the
 * same kind into one operation, and assigns slots. @result: numbers of the values that
 * are the program's results. Returns false if memory is exhausted.
 */
bool nv3_fp_emit(FpBuilder *b, NV3FpCode *code, const uint16_t result[5]);

#endif
