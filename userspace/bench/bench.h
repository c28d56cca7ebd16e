/* SPDX-License-Identifier: MIT */
/*
 * nv3-bench: figures of the whole way from a program to the chip. A benchmark is
 * a function here and a line in nv3-bench.c.
 */
#ifndef NV3_BENCH_H
#define NV3_BENCH_H

#include "nv3.h"

/* Seconds, of CLOCK_MONOTONIC. */
double bench_now(void);
/* Ends the program with a message if @ret is a negative errno. */
void bench_check(int ret, const char *what);
/*
 * Name, value, unit, what it is measured against with its value, ratio. Both
 * were measured in this run.
 */
void bench_print(const char *name, double value, const char *unit,
		 const char *against, double against_value);

/* client.c: something that draws, by either kind of channel */

#define CLIENT_SIDE	64	/* pixels */
enum { CLIENT_SURFACE, CLIENT_RECT };	/* subchannels */

struct client {
	struct nv3_device *dev;
	struct nv3_channel *chan;
	struct nv3_bo *bo;
	struct nv3_object *surface, *rect;
	struct nv3_pushbuf *push;
	struct nv3_pio pio;		/* of a PIO channel */
};

void client_init(struct client *c, uint32_t type);
void client_fini(struct client *c);
/* One method, stored to the window or pushed. */
void client_method(struct client *c, uint32_t subch, uint32_t mthd,
		   uint32_t arg);
void client_fill(struct client *c, uint32_t color);
/* Hands over what was pushed; a window has it already, and its turn ends. */
void client_flush(struct client *c);
/* Until the chip is done with all that was flushed. */
void client_wait(struct client *c);

/* the benchmarks */
void bench_submit(void);
void bench_switch(void);
void bench_pio_methods(void);
void bench_pio_latency(void);
void bench_pio_work(void);

#endif
