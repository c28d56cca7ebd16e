/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for KUnit tests that use a resource manager without a chip. */
#ifndef NV3_KUNIT_H
#define NV3_KUNIT_H

#include <linux/types.h>

struct kunit;
struct nv3_rm;

void __iomem *nv3_test_bar(struct kunit *test, size_t size);
struct nv3_rm *nv3_test_rm(struct kunit *test);

#endif
