/* SPDX-License-Identifier: MIT */
/* The common start of tests: a channel of a fake kernel, and a pushbuffer */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "fake-kernel.h"

extern struct nv3_device *dev;
extern struct nv3_channel *chan;
extern struct nv3_pushbuf *push;

/* cmocka calls these. */
int setup(void **state);
int teardown(void **state);

#endif
