/* SPDX-License-Identifier: MIT */
/*
 * nv3-bench: benchmarks of the path from a program to the chip. Each benchmark is a function that
 * this header declares, with an entry in the table of nv3-bench.c.
 */
#ifndef NV3_BENCH_H
#define NV3_BENCH_H

#include "nv3.h"
#include "nv3_programs.h"

/* Returns the time of CLOCK_MONOTONIC in seconds. */
double bench_now(void);
/* Ends the program if @ret is a negative errno, with a message that contains @what. */
void bench_check(int ret, const char *what);
/*
 * Prints a result: its name, value and unit, the name and value of the reference, and the ratio of
 * the two values. Both values must be measured in the same run.
 */
void bench_print(const char *name, double value, const char *unit,
		 const char *against, double against_value);

/* client.c: a client that draws on a DMA or a PIO channel */

#define CLIENT_SIDE	64	/* pixels */
enum { CLIENT_SURFACE, CLIENT_RECT, CLIENT_PROGRAMS };	/* subchannels */

struct client {
	struct nv3_device *dev;
	struct nv3_channel *chan;
	struct nv3_bo *bo;
	struct nv3_object *surface, *rect;
	struct nv3_object *programs;	/* or null */
	uint32_t vm;			/* address space of @programs */
	struct nv3_pushbuf *push;
	struct nv3_pio pio;		/* USER aperture of a PIO channel */
};

void client_init(struct client *c, uint32_t type);
/*
 * Creates an object of class PROGRAMS for a client with a DMA channel. Returns 0, or a negative
 * errno if the chip lacks the class.
 */
int client_add_programs(struct client *c);
void client_fini(struct client *c);
/* Invokes one method: stores the method to the USER aperture, or pushes it to the pushbuffer. */
void client_method(struct client *c, uint32_t subch, uint32_t mthd,
		   uint32_t arg);
void client_fill(struct client *c, uint32_t color);
/* Submits the pushed methods, or ends the PIO timeslice. */
void client_flush(struct client *c);
/* Waits until the chip has executed all flushed methods. */
void client_wait(struct client *c);

/* the benchmarks */
void bench_submit(void);
void bench_switch(void);
void bench_pio_methods(void);
void bench_pio_latency(void);
void bench_pio_work(void);

#endif
