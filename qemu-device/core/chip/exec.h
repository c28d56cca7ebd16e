/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for machine code that the core generates. */
#ifndef NV3_CHIP_EXEC_H
#define NV3_CHIP_EXEC_H

#include <stddef.h>

/*
 * Copies @size bytes of machine code to new memory, which is executable and not
 * writable. @size must not be 0. Returns the address, which is aligned to a page, or null
 * if memory is exhausted or if the host does not permit executable memory. The caller
 * must free the memory with nv3_exec_free().
 */
void *nv3_exec_new(const void *code, size_t size);
/* Frees memory of nv3_exec_new(). @size must be the same. @code may be null. */
void nv3_exec_free(void *code, size_t size);

#endif
