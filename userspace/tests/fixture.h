/* SPDX-License-Identifier: MIT */
/* The objects that tests share: a device and a channel of the fake kernel, and a pushbuffer */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "fake-kernel.h"

extern struct nv3_device *dev;
extern struct nv3_channel *chan;
extern struct nv3_pushbuf *push;

/* cmocka's set-up and tear-down functions. */
int setup(void **state);
int teardown(void **state);

#endif
