/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nv3_regs.h"

/* Maximum number of methods that one call of nv3_run() executes */
#define BUDGET	256

/* ---- callbacks of the chip ---- */

static uint64_t clock_ns(void *opaque)
{
	struct machine *m = opaque;

	return m->clock.now;
}

static void timer_set(void *opaque, NV3Timer timer, uint64_t ns)
{
	struct machine *m = opaque;

	m->clock.timer[timer] = ns;
}

static uint8_t *find_memory(struct machine *m, uint32_t addr, size_t len)
{
	uint64_t offset = (uint64_t)addr - MACHINE_MEMORY_BASE;

	return addr >= MACHINE_MEMORY_BASE && offset + len <= MACHINE_MEMORY_SIZE ?
	       m->memory + offset : NULL;
}

static bool dma_read(void *opaque, uint32_t addr, void *buf, size_t len)
{
	const uint8_t *from = find_memory(opaque, addr, len);

	if (from)
		memcpy(buf, from, len);
	return from;
}

static bool dma_write(void *opaque, uint32_t addr, const void *buf, size_t len)
{
	uint8_t *to = find_memory(opaque, addr, len);

	if (to)
		memcpy(to, buf, len);
	return to;
}

static void irq_set(void *opaque, bool level)
{
	struct machine *m = opaque;

	m->irq = level;
}

static void __attribute__((format(printf, 3, 4)))
log_line(void *opaque, NV3LogLevel level, const char *format, ...)
{
	struct machine *m = opaque;
	va_list args;

	if (level == NV3_LOG_TRACE)
		return;
	va_start(args, format);
	vsnprintf(m->log[m->logged++ % MACHINE_LOG_LINES], MACHINE_LOG_SIZE, format, args);
	va_end(args);
}

static const NV3Ops ops = {
	.clock_ns = clock_ns,
	.timer_set = timer_set,
	.dma_read = dma_read,
	.dma_write = dma_write,
	.irq_set = irq_set,
	.log = log_line,
};

/* ---- functions of machine.h ---- */

bool machine_init(struct machine *m, NV3Simd simd)
{
	const NV3Config config = {
		.revision = NV3_REVISION_C,
		.vram_size = MACHINE_VRAM_SIZE,
		.virt = true,
		.programs = true,
		.save_prefetch = true,
		.simd = simd,
	};
	const char *error = "out of memory";
	unsigned int i;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < NV3_TIMER_COUNT; i++)
		m->clock.timer[i] = UINT64_MAX;
	m->vram = calloc(1, MACHINE_VRAM_SIZE);
	m->memory = calloc(1, MACHINE_MEMORY_SIZE);
	if (m->vram && m->memory)
		m->chip = nv3_new(&config, &ops, m, m->vram, &error);
	if (m->chip)
		return true;
	fprintf(stderr, "nv3-step: %s\n", error);
	machine_fini(m);
	return false;
}

void machine_fini(struct machine *m)
{
	nv3_free(m->chip);
	free(m->vram);
	free(m->memory);
}

uint32_t machine_rd32(struct machine *m, uint32_t reg)
{
	return nv3_mmio_read(m->chip, reg, 4);
}

void machine_wr32(struct machine *m, uint32_t reg, uint32_t value)
{
	nv3_mmio_write(m->chip, reg, value, 4);
}

uint32_t machine_ramin_rd32(struct machine *m, uint32_t addr)
{
	return nv3_ramin_read(m->chip, addr, 4);
}

void machine_ramin_wr32(struct machine *m, uint32_t addr, uint32_t value)
{
	nv3_ramin_write(m->chip, addr, value, 4);
}

void machine_vram_wr32(struct machine *m, uint32_t offset, uint32_t value)
{
	value = htole32(value);
	memcpy(m->vram + offset, &value, sizeof(value));
}

void machine_memory_wr32(struct machine *m, uint32_t offset, uint32_t value)
{
	value = htole32(value);
	memcpy(m->memory + offset, &value, sizeof(value));
}

static uint32_t count_methods(struct machine *m)
{
	return machine_rd32(m, NV3_PVIRT_COUNTER(NV3_PVIRT_COUNTER_METHODS));
}

/*
 * Runs the engine until it has begun another method. A method that draws many pixels may need
 * several calls of nv3_run() before the chip begins the next method.
 */
static bool run_method(struct machine *m)
{
	uint32_t before = count_methods(m);
	bool more;

	do
		more = nv3_run(m->chip, 1);
	while (more && count_methods(m) == before);
	return more;
}

void machine_run(struct machine *m, unsigned int methods)
{
	if (!methods) {
		while (nv3_run(m->chip, BUDGET))
			continue;
		return;
	}
	while (methods-- && run_method(m))
		continue;
}

void machine_pass(struct machine *m, uint64_t ns)
{
	uint64_t end = m->clock.now + ns;
	unsigned int i, first;

	for (;;) {
		for (i = 1, first = 0; i < NV3_TIMER_COUNT; i++) {
			if (m->clock.timer[i] < m->clock.timer[first])
				first = i;
		}
		if (m->clock.timer[first] > end)
			break;
		if (m->clock.timer[first] > m->clock.now)
			m->clock.now = m->clock.timer[first];
		m->clock.timer[first] = UINT64_MAX;
		nv3_timer_expired(m->chip, first);
	}
	m->clock.now = end;
}

void machine_forget_log(struct machine *m)
{
	m->logged = 0;
}
