/* SPDX-License-Identifier: MIT */
/*
 * Tests the commands "methods" and "step" of the debugfs file `freeze`. With these commands, the
 * chip executes methods one by one.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_freeze.h"

#define STEPS_MAX	1000
#define COLOR		0x1234

/* Does one step. Returns 0 or a negative errno. */
static int step(int freeze)
{
	return write(freeze, "step", 4) == 4 ? 0 : -errno;
}

/*
 * Returns the number that follows @name in a debugfs file, or -1 if the file does not contain
 * @name.
 */
static long long number(int fd, const char *file, const char *name)
{
	char text[8192];
	int f = igt_nv3_debugfs(fd, file, O_RDONLY);
	ssize_t size = 0, got;
	const char *at;

	while ((got = read(f, text + size, sizeof(text) - 1 - size)) > 0)
		size += got;
	igt_assert(!got);
	close(f);
	text[size] = 0;
	at = strstr(text, name);
	return at ? strtoll(at + strlen(name), NULL, 10) : -1;
}

/* Returns the number of methods that PGRAPH has executed. */
static long long methods(int fd)
{
	long long count = number(fd, "counters", "methods ");

	igt_assert_lte(0, count);
	return count;
}

/*
 * Waits until the GPU scheduler has started the batch and CACHE1 contains the batch's first
 * methods.
 */
static void wait_for_methods(int fd)
{
	int tries;

	for (tries = 0; number(fd, "channels", "methods in CACHE1 ") < 1; tries++) {
		igt_assert_lt(tries, 1000);
		usleep(5000);
	}
}

static bool is_busy(const struct igt_nv3_client *client)
{
	return __igt_nv3_gem_wait(client->fd, client->color.handle, 0, 0) == -ETIME;
}

/* Executes single steps until the batch has completed. Returns the number of steps. */
static int step_to_end(struct igt_nv3_client *client, int freeze)
{
	long long before = methods(client->fd), now;
	int steps = 0, drawn = -1;

	while (is_busy(client)) {
		igt_assert_lt(steps, STEPS_MAX);
		igt_assert_eq(step(freeze), 0);
		steps++;
		now = methods(client->fd);
		igt_assert_f(now - before <= 1, "%lld methods in step %d\n", now - before, steps);
		before = now;
		if (drawn < 0 && igt_nv3_pixel(client, 0, 0) == COLOR)
			drawn = steps;
	}
	/*
	 * The chip draws the rectangle when it executes the rectangle's last method, so the picture
	 * changes before the last step.
	 */
	igt_assert_lt(0, drawn);
	igt_assert_lt(drawn, steps);
	return steps;
}

/* No step executes more than one method, and the batch has the same result as without steps. */
static void test_methods(int fd)
{
	struct igt_nv3_client client;
	int freeze = igt_nv3_freeze_open(fd);
	long long before, executed;
	int steps;

	igt_nv3_client_init(&client, fd);
	igt_assert_eq(write(freeze, "methods", 7), 7);
	before = methods(fd);
	igt_nv3_fill(&client, 0, 0, 8, 8, COLOR);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	wait_for_methods(fd);
	igt_assert_eq(methods(fd), before);
	steps = step_to_end(&client, freeze);
	executed = methods(fd) - before;
	/* The chip has executed COLOR, POINT and SIZE, and the methods that the driver appends. */
	igt_assert_lt(3, executed);
	igt_assert_lte(executed, steps);
	igt_assert_eq(step(freeze), -ENODATA);
	close(freeze);
	igt_nv3_assert_rect(&client, 0, 0, 8, 8, COLOR, 0);
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
}

/*
 * In the first step, the puller does not find the handle in RAMHT. In the second step, the driver
 * enters the handle into RAMHT.
 */
static void test_trap(int fd)
{
	struct igt_nv3_client client;
	int freeze = igt_nv3_freeze_open(fd);
	long long misses;
	int i;

	igt_nv3_client_init(&client, fd);
	igt_nv3_graph(fd, client.channel, 0x999, NV3_CLASS_RECT, 1);
	igt_assert_eq(write(freeze, "methods", 7), 7);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_FREE, 0x999);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	wait_for_methods(fd);
	misses = number(fd, "channels", "misses ");
	for (i = 0; i < STEPS_MAX && number(fd, "channels", "misses ") == misses; i++) {
		igt_assert_eq(step(freeze), 0);
	}
	igt_assert_eq(i, 2);
	igt_assert_eq(number(fd, "channels", "misses "), misses + 1);
	/* Without the freeze, the batch completes. */
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	igt_nv3_batch_wait(&client.batch);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL), DRM_NV3_FAULT_NONE);
	igt_nv3_assert_draws(&client, 2);
	igt_nv3_client_fini(&client);
	close(freeze);
}

/* Executes 0 to 23 steps and then ends the freeze. No method may be lost or executed twice. */
static void test_continue(int fd)
{
	struct igt_nv3_client client;
	int freeze = igt_nv3_freeze_open(fd);
	int steps, i;

	igt_nv3_client_init(&client, fd);
	for (steps = 0; steps < 24; steps++) {
		igt_assert_eq(write(freeze, "methods", 7), 7);
		igt_nv3_fill(&client, 0, 0, 64, 64, steps);
		igt_nv3_fill(&client, 8, 8, 8, 8, COLOR);
		igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
		wait_for_methods(fd);
		for (i = 0; i < steps && is_busy(&client); i++)
			igt_assert_eq(step(freeze), 0);
		igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
		igt_nv3_batch_wait(&client.batch);
		igt_nv3_assert_rect(&client, 8, 8, 8, 8, COLOR, steps);
	}
	igt_nv3_client_fini(&client);
	close(freeze);
}

/* Executes the methods of a PIO channel in single steps. */
static void test_pio(int fd)
{
	struct igt_nv3_pio pio;
	int freeze, steps = 0;

	igt_nv3_require_pio(fd);
	freeze = igt_nv3_freeze_open(fd);
	igt_nv3_pio_init(&pio, fd);
	igt_nv3_pio_assert_draws(&pio, 1);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_TIMESLICES);
	igt_nv3_pio_fill(&pio, 0, 0, 8, 8, 2);
	igt_assert_eq(write(freeze, "methods", 7), 7);
	igt_nv3_pio_fill(&pio, 0, 0, 8, 8, COLOR);
	while (!step(freeze))
		igt_assert_lt(steps++, STEPS_MAX);
	igt_assert_eq(errno, ENODATA);
	/* A rectangle consists of the methods COLOR, POINT and SIZE. */
	igt_assert_lte(3, steps);
	close(freeze);
	igt_nv3_pio_run_ok(&pio);
	igt_nv3_pio_assert_draws(&pio, 3);
	igt_nv3_pio_fini(&pio);
}

/* A channel that is destroyed between two steps does not stop other clients. */
static void test_kill(int fd)
{
	struct igt_nv3_client client, other;
	int freeze = igt_nv3_freeze_open(fd), own;

	own = igt_nv3_open();
	igt_nv3_client_init(&client, own);
	igt_nv3_client_init(&other, fd);
	igt_assert_eq(write(freeze, "methods", 7), 7);
	igt_nv3_fill(&client, 0, 0, 8, 8, COLOR);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	wait_for_methods(fd);
	igt_assert_eq(step(freeze), 0);
	igt_fork(child, 1) {
		usleep(100000);
		igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	}
	igt_nv3_channel_destroy(own, client.channel);
	igt_waitchildren();
	igt_nv3_assert_draws(&other, 4);
	igt_nv3_batch_fini(&client.batch);
	igt_nv3_bo_destroy(&client.color);
	close(own);
	igt_nv3_client_fini(&other);
	close(freeze);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Each step executes at most one method.");
	igt_subtest("methods")
		test_methods(fd);

	igt_describe("A trap is pending after one step and answered by the next.");
	igt_subtest("trap")
		test_trap(fd);

	igt_describe("The freeze can end after any number of steps.");
	igt_subtest("continue")
		test_continue(fd);

	igt_describe("Methods that a client stores are executed in single steps.");
	igt_subtest("pio")
		test_pio(fd);

	igt_describe("A channel is destroyed between two steps.");
	igt_subtest("kill")
		test_kill(fd);

	igt_fixture()
		drm_close_driver(fd);
}
