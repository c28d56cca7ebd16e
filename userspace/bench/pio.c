/* SPDX-License-Identifier: MIT */
/*
 * pio.methods: number of methods that a program stores to a USER aperture per second. The time
 * includes the reads of the free count. The reference is the rate of methods in batches of 1,000
 * methods.
 *
 * pio.latency: time from the first store of a PIO timeslice until the fence of the flush wakes the
 * program. The reference is submit.latency.
 *
 * pio.workN: number of pictures per second that N processes with PIO channels draw. A picture has
 * 32 rectangles. The reference is the rate of N processes with DMA channels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define METHODS		200000
#define BATCH		1000
#define TURNS		1000
#define RECTS		32
#define WORK_SECONDS	3.0

static double methods_rate(uint32_t type)
{
	struct client c;
	double start;
	int i;

	client_init(&c, type);
	start = bench_now();
	for (i = 0; i < METHODS; i++) {
		client_method(&c, CLIENT_RECT, NV3_RECT_COLOR, i);
		if (c.push && i % BATCH == BATCH - 1)
			client_flush(&c);
	}
	client_flush(&c);
	client_wait(&c);
	start = bench_now() - start;
	client_fini(&c);
	return METHODS / start;
}

void bench_pio_methods(void)
{
	double dma = methods_rate(DRM_NV3_CHANNEL_DMA);
	double pio = methods_rate(DRM_NV3_CHANNEL_PIO);

	bench_print("pio.methods", pio / 1e3, "kmethods/s", "DMA", dma / 1e3);
}

static double latency(uint32_t type)
{
	struct client c;
	double start;
	int i;

	client_init(&c, type);
	start = bench_now();
	for (i = 0; i < TURNS; i++) {
		client_method(&c, CLIENT_RECT, NV3_RECT_COLOR, i);
		client_flush(&c);
		client_wait(&c);
	}
	start = bench_now() - start;
	client_fini(&c);
	return start / TURNS;
}

void bench_pio_latency(void)
{
	double dma = latency(DRM_NV3_CHANNEL_DMA);
	double pio = latency(DRM_NV3_CHANNEL_PIO);

	bench_print("pio.latency", pio * 1e6, "us", "DMA", dma * 1e6);
}

/* ---- many clients ---- */

struct shared {
	uint32_t ready;		/* number of clients that are ready */
	uint32_t state;		/* 0: wait, 1: work, 2: stop */
	uint32_t pictures;
};

static uint32_t load(uint32_t *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void work(uint32_t type, struct shared *shared)
{
	struct client c;
	int i;

	client_init(&c, type);
	__atomic_add_fetch(&shared->ready, 1, __ATOMIC_ACQ_REL);
	while (!load(&shared->state))
		usleep(1000);
	while (load(&shared->state) == 1) {
		for (i = 0; i < RECTS; i++)
			client_fill(&c, i);
		client_flush(&c);
		client_wait(&c);
		__atomic_add_fetch(&shared->pictures, 1, __ATOMIC_ACQ_REL);
	}
	client_fini(&c);
}

/* Waits until @clients clients are ready. Returns 0 if a client has failed, otherwise 1. */
static int wait_for_clients(struct shared *shared, uint32_t clients)
{
	while (load(&shared->ready) < clients) {
		if (waitpid(-1, NULL, WNOHANG) > 0)
			return 0;
		usleep(1000);
	}
	return 1;
}

static double work_rate(uint32_t type, uint32_t clients)
{
	struct shared *shared = mmap(NULL, sizeof(*shared),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double start, seconds;
	uint32_t i, pictures;
	int ready;

	if (shared == MAP_FAILED) {
		perror("nv3-bench: mmap");
		exit(1);
	}
	fflush(stdout);
	for (i = 0; i < clients; i++) {
		if (!fork()) {
			work(type, shared);
			_exit(0);
		}
	}
	ready = wait_for_clients(shared, clients);
	start = bench_now();
	__atomic_store_n(&shared->state, 1, __ATOMIC_RELEASE);
	usleep(WORK_SECONDS * 1e6);
	pictures = load(&shared->pictures);
	seconds = bench_now() - start;
	__atomic_store_n(&shared->state, 2, __ATOMIC_RELEASE);
	while (wait(NULL) > 0)
		;
	munmap(shared, sizeof(*shared));
	bench_check(ready ? 0 : -1, "a client");
	return pictures / seconds;
}

void bench_pio_work(void)
{
	static const uint32_t counts[] = { 1, 8, 100 };
	char name[32];
	uint32_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		double dma = work_rate(DRM_NV3_CHANNEL_DMA, counts[i]);
		double pio = work_rate(DRM_NV3_CHANNEL_PIO, counts[i]);

		snprintf(name, sizeof(name), "pio.work%u", counts[i]);
		bench_print(name, pio, "pictures/s", "DMA", dma);
	}
}
