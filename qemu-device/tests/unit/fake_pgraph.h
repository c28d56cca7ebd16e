/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PGRAPH that only writes down what it is given, for tests of what feeds it.
 */
#ifndef NV3_TEST_FAKE_PGRAPH_H
#define NV3_TEST_FAKE_PGRAPH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FakeMethod {
    uint32_t chid, subch, mthd, data, ctx;
} FakeMethod;

#define FAKE_PGRAPH_CLASSES     0x000100a4u     /* those it says it has */
#define FAKE_PGRAPH_METHODS 65536

typedef struct FakePgraph {
    bool busy;              /* refuses methods */
    bool working;           /* is not idle */
    unsigned accept;        /* methods until it turns busy */
    bool irq, pdma_irq;
    unsigned resets;
    unsigned count;
    FakeMethod method[FAKE_PGRAPH_METHODS];     /* the first so many */
} FakePgraph;

extern FakePgraph fake_pgraph;

/* As new. */
void fake_pgraph_init(void);

#endif
