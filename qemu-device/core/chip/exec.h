/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for machine code that the core generates. */
#ifndef NV3_CHIP_EXEC_H
#define NV3_CHIP_EXEC_H

#include <stddef.h>

/*
 * Copies @size bytes of machine code to new executable memory, which is not writable. The
 * address is aligned to a page. Returns null if the host has no memory or does not
 * permit such memory.
 */
void *nv3_exec_new(const void *code, size_t size);
/* Frees memory of nv3_exec_new(). @size: as in nv3_exec_new(). @code may be null. */
void nv3_exec_free(void *code, size_t size);

#endif
