/* SPDX-License-Identifier: MIT */
/*
 * switch.pgraph: additional time of a batch if the previous batch was on another channel, so that
 * PFIFO and PGRAPH must switch. The reference is the time of the same batch if all batches are on
 * one channel. The batch consists of one method and the methods that the driver appends. The
 * program waits for each batch, so batches do not overlap.
 *
 * switch.programs: as switch.pgraph, but with a method of class PROGRAMS on both channels. The
 * reference is switch.pgraph. Each switch also makes the chip store one context image of this class
 * and load another one.
 */
#include "bench.h"

/* Take many short measurements, so that other programs on the host disturb only some of them. */
#define ROUNDS	20
#define TRIES	150

struct method {
	uint32_t subch, mthd;
};

/*
 * Seconds per batch if all batches are on one channel, and additional seconds per batch if two
 * channels alternate
 */
struct cost {
	double batch, change;
};

static double alternate(struct client *a, struct client *b,
			const struct method *method)
{
	double start = bench_now();
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct client *c = i % 2 ? a : b;

		nv3_pushbuf_use(c->push, c->bo, DRM_NV3_BUFFER_WRITE);
		client_method(c, method->subch, method->mthd, i);
		client_flush(c);
		client_wait(c);
	}
	return (bench_now() - start) / ROUNDS;
}

/*
 * Alternately measures batches on one channel and batches on two channels, TRIES times each.
 * Computes the costs from the minimum times.
 */
static struct cost measure(struct client *a, struct client *b,
			   const struct method *method)
{
	double one = 1e9, two = 1e9, t;
	int i;

	for (i = 0; i < TRIES; i++) {
		t = alternate(a, a, method);
		one = t < one ? t : one;
		t = alternate(a, b, method);
		two = t < two ? t : two;
	}
	return (struct cost) { .batch = one, .change = two - one };
}

void bench_switch(void)
{
	static const struct method rect = { CLIENT_RECT, NV3_RECT_COLOR };
	static const struct method programs = {
		CLIENT_PROGRAMS, NV3_PM_BLEND_COLOR,
	};
	struct cost registers, image;
	struct client a, b;

	client_init(&a, DRM_NV3_CHANNEL_DMA);
	client_init(&b, DRM_NV3_CHANNEL_DMA);
	registers = measure(&a, &b, &rect);
	bench_print("switch.pgraph", registers.change * 1e6, "us", "empty-batch",
		    registers.batch * 1e6);
	if (!client_add_programs(&a) && !client_add_programs(&b)) {
		image = measure(&a, &b, &programs);
		bench_print("switch.programs", image.change * 1e6, "us",
			    "switch.pgraph", registers.change * 1e6);
	}
	client_fini(&a);
	client_fini(&b);
}
