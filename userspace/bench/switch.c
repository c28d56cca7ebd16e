/* SPDX-License-Identifier: MIT */
/*
 * switch.pgraph: what a batch takes longer when PFIFO and PGRAPH have another
 * channel than the one before, against the same batch, of one method and the
 * driver's own, on one channel. Each is waited for, so that nothing overlaps.
 */
#include "bench.h"

#define ROUNDS	2000

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
	uint64_t before, after;
	struct client a, b;
	double one, two;

	client_init(&a, DRM_NV3_CHANNEL_DMA);
	client_init(&b, DRM_NV3_CHANNEL_DMA);
	one = alternate(&a, &a);
	bench_check(nv3_device_param(a.dev, DRM_NV3_PARAM_SWITCHES, &before),
		    "parameter");
	two = alternate(&a, &b);
	bench_check(nv3_device_param(a.dev, DRM_NV3_PARAM_SWITCHES, &after),
		    "parameter");
	bench_print("switch.pgraph", (two - one) * ROUNDS / (after - before) *
		    1e6, "us", "empty-batch", one * 1e6);
	client_fini(&a);
	client_fini(&b);
}
