/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements exec.h. */
#include "chip/exec.h"

#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>

/* Some systems define only MAP_ANON. */
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

void *nv3_exec_new(const void *code, size_t size)
{
    void *to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0);

    if (to == MAP_FAILED) {
        return NULL;
    }
    memcpy(to, code, size);
    if (mprotect(to, size, PROT_READ | PROT_EXEC)) {
        munmap(to, size);
        return NULL;
    }
    return to;
}

void nv3_exec_free(void *code, size_t size)
{
    if (code) {
        munmap(code, size);
    }
}
#else
void *nv3_exec_new(const void *code, size_t size)
{
    return NULL;
}

void nv3_exec_free(void *code, size_t size)
{
}
#endif
