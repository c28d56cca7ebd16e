/* SPDX-License-Identifier: MIT */
/*
 * switch.pgraph: additional time of a batch after a batch of another channel, so that PFIFO and
 * PGRAPH have to be switched, compared with the time of the same batch on a single channel. The
 * batch has one method and those of the driver. The program waits for each batch, so none overlap.
 */
#include "bench.h"

#define ROUNDS	200
#define TRIES	15

static double alternate(struct client *a, struct client *b)
{
	double start = bench_now();
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct client *c = i % 2 ? a : b;

		client_method(c, CLIENT_RECT, NV3_RECT_COLOR, i);
		client_flush(c);
		client_wait(c);
	}
	return (bench_now() - start) / ROUNDS;
}

void bench_switch(void)
{
	double one = 1e9, two = 1e9, t;
	struct client a, b;
	int i;

	client_init(&a, DRM_NV3_CHANNEL_DMA);
	client_init(&b, DRM_NV3_CHANNEL_DMA);
	/*
	 * Measure alternately and use the minimum of each, because the host may run other programs.
	 */
	for (i = 0; i < TRIES; i++) {
		t = alternate(&a, &a);
		one = t < one ? t : one;
		t = alternate(&a, &b);
		two = t < two ? t : two;
	}
	bench_print("switch.pgraph", (two - one) * 1e6, "us", "empty-batch",
		    one * 1e6);
	client_fini(&a);
	client_fini(&b);
}
