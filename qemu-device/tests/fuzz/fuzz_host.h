/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the core's host (NV3Ops) for fuzzers, and declares functions that consume
 * the fuzzer's input. The host aborts if the core violates a rule of the interface in
 * api/nv3.h.
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

/* Bus address of the system memory. */
#define MEM_BASE        0x10000000u
#define MEM_SIZE        0x10000u
/* Bus address of the memory for page tables and context images of class 0x1F. */
#define PAGES_BASE      0x20000000u
#define PAGES_SIZE      0x40000u

typedef struct Fuzz {
    NV3State *s;
    NV3Config config;
    const uint8_t *in;
    size_t left;
    uint64_t now;
    uint64_t timer[NV3_TIMER_COUNT];
    bool irq;
    uint8_t mem[MEM_SIZE];
    uint8_t *pages;             /* PAGES_SIZE bytes, or NULL */
    uint8_t pci_config[256];
    uint32_t vram_size;
} Fuzz;

extern Fuzz fuzz;

/* Aborts if @ok is false. */
void fuzz_require(bool ok, const char *what);

/*
 * Consumes and returns the next @bytes bytes (at most 4) of the input. Bytes after the
 * end of the input are 0.
 */
uint32_t fuzz_take(unsigned bytes);
/*
 * Consumes one to five bytes of the input. Returns mostly boundary values and small
 * numbers.
 */
uint32_t fuzz_value(void);

/*
 * fuzz_start() creates a chip whose configuration is selected by the first byte of the
 * input. The chip has class 0x1F if bit 3 of this byte is set, and draws with two threads
 * if bit 4 is set. fuzz_start_programs() always creates a chip with class 0x1F.
 * fuzz_end() runs the chip until it is idle, checks it and frees it.
 */
void fuzz_start(const uint8_t *data, size_t size);
void fuzz_start_programs(const uint8_t *data, size_t size);
void fuzz_end(void);
/*
 * Returns a CRC of the contents that VRAM and system memory have after the last input.
 * @crc is the CRC of preceding data, as for nv3_crc32().
 */
uint32_t fuzz_memory_crc(uint32_t crc);

void fuzz_wr32(uint32_t addr, uint32_t val);
/* Calls nv3_run() until it returns false, but at most @calls times. */
void fuzz_run(unsigned calls);
void fuzz_run_to_rest(void);
/*
 * Sends a method by PIO, runs the engine until it is idle or has stopped, and calls
 * fuzz_answer().
 */
void fuzz_method(uint32_t subch, uint32_t mthd, uint32_t data);
/* Calls fuzz_acknowledge() if the puller or PGRAPH has stopped. */
void fuzz_answer(void);
/*
 * Acknowledges all interrupts, drops all pending methods, and restarts PFIFO and PGRAPH.
 */
void fuzz_acknowledge(void);
/* Advances the clock. */
void fuzz_advance(void);
/* Scans out two lines of the picture. */
void fuzz_scanout(void);
/*
 * Saves the state of the chip, and replaces the chip with a new chip that loads this
 * state. Aborts if the new chip refuses the state, or if the new chip saves a different
 * state.
 */
void fuzz_migrate(void);

#endif
