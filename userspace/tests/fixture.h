/* SPDX-License-Identifier: MIT */
/* What each test starts with: a channel of a fake kernel, and a pushbuf. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "fake-kernel.h"

extern struct nv3_device *dev;
extern struct nv3_channel *chan;
extern struct nv3_pushbuf *push;

/* For cmocka. */
int setup(void **state);
int teardown(void **state);

#endif
