/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fake PGRAPH that records methods instead of executing them, for tests of PFIFO. */
#ifndef NV3_TEST_FAKE_PGRAPH_H
#define NV3_TEST_FAKE_PGRAPH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FakeMethod {
    uint32_t chid, subch, mthd, data, ctx;
} FakeMethod;

#define FAKE_PGRAPH_CLASSES     0x000100a4u     /* the mask that nv3_classes() returns */
#define FAKE_PGRAPH_METHODS 65536

typedef struct FakePgraph {
    bool busy;              /* refuses methods */
    bool working;           /* is not idle */
    unsigned accept;        /* number of methods to accept before @busy becomes true */
    bool irq, pdma_irq;
    unsigned resets;
    unsigned count;
    FakeMethod method[FAKE_PGRAPH_METHODS];     /* the first methods */
} FakePgraph;

extern FakePgraph fake_pgraph;

/* Resets the fake PGRAPH. */
void fake_pgraph_init(void);

#endif
