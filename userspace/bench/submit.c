/* SPDX-License-Identifier: MIT */
/*
 * submit.latency: time from the SUBMIT ioctl of a one-method batch until the batch's fence wakes
 * the program. The reference is the time of an ioctl that does no work (GETPARAM).
 *
 * submit.rate: number of one-method batches that a program submits per second without waiting. The
 * reference is the rate of a program that waits for each batch.
 */
#include "bench.h"

#define ROUNDS	2000

static double ioctl_time(struct client *c)
{
	double start = bench_now();
	uint64_t value;
	int i;

	for (i = 0; i < ROUNDS; i++)
		bench_check(nv3_device_param(c->dev, DRM_NV3_PARAM_CHIP_ID,
					     &value), "parameter");
	return (bench_now() - start) / ROUNDS;
}

static double batches(struct client *c, int wait)
{
	double start = bench_now();
	int i;

	for (i = 0; i < ROUNDS; i++) {
		client_method(c, CLIENT_RECT, NV3_RECT_COLOR, i);
		client_flush(c);
		if (wait)
			client_wait(c);
	}
	client_wait(c);
	return (bench_now() - start) / ROUNDS;
}

void bench_submit(void)
{
	double nothing, one, many;
	struct client c;

	client_init(&c, DRM_NV3_CHANNEL_DMA);
	nothing = ioctl_time(&c);
	one = batches(&c, 1);
	many = batches(&c, 0);
	bench_print("submit.latency", one * 1e6, "us", "ioctl", nothing * 1e6);
	bench_print("submit.rate", 1 / many, "batches/s", "waited-for",
		    1 / one);
	client_fini(&c);
}
