/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzzers of the chip share: a host whose bytes come from the input, and
 * which aborts when the chip does what it may never do.
 */
#ifndef NV3_FUZZ_HOST_H
#define NV3_FUZZ_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "api/nv3.h"
#include "nv3_class.h"
#include "nv3_regs.h"

/* System memory, on the bus. */
#define MEM_BASE        0x10000000u
#define MEM_SIZE        0x10000u

typedef struct Fuzz {
    NV3State *s;
    NV3Config config;
    const uint8_t *in;
    size_t left;
    uint64_t now;
    uint64_t timer[NV3_TIMER_COUNT];
    bool irq;
    uint8_t mem[MEM_SIZE];
    uint8_t pci_config[256];
    uint32_t vram_size;
} Fuzz;

extern Fuzz fuzz;

/* Aborts unless @ok. */
void fuzz_require(bool ok, const char *what);

/* The next @bytes (up to 4) of the input; zeroes after its end. */
uint32_t fuzz_take(unsigned bytes);
/* One to five of them: values that matter come more often than others. */
uint32_t fuzz_value(void);

/* Makes the chip that the input's first byte names, or ends it, with checks. */
void fuzz_start(const uint8_t *data, size_t size);
void fuzz_end(void);
/* Of VRAM and system memory as the last input has left them; @crc as nv3_crc32()'s. */
uint32_t fuzz_memory_crc(uint32_t crc);

void fuzz_wr32(uint32_t addr, uint32_t val);
/* Runs the engine, at most @calls times or until it waits for the guest. */
void fuzz_run(unsigned calls);
void fuzz_run_to_rest(void);
/* Time goes by. */
void fuzz_advance(void);
/* Looks at the picture. */
void fuzz_look(void);
/*
 * Goes on in another chip. Whatever a guest has made of this one can be saved and
 * loaded, and is then the same.
 */
void fuzz_move(void);

#endif
