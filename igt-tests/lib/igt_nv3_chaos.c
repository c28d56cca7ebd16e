/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "igt.h"
#include "igt_nv3_chaos.h"

static uint64_t random_state = 1;

void igt_nv3_random_seed(uint64_t seed)
{
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* xorshift64*, from Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled". */
uint32_t igt_nv3_random_word(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

uint32_t igt_nv3_random_below(uint32_t n)
{
	return igt_nv3_random_word() % n;
}

uint32_t igt_nv3_random_value(void)
{
	static const uint32_t values[] = {
		0, 1, 2, 0xf, 0x10, 0xff, 0xffff, 0x10000, 0x7fff8000,
		0x7fffffff, 0x80000000, 0x80008000, 0xffff0000, 0xffffffff,
		0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x45000000,
		0x00400040, 0x07ff07ff, 0xfffffffc, 0x00600000, 0x00700000,
		0x007ffff0, 0x00800000,
	};

	if (igt_nv3_random_below(3))
		return values[igt_nv3_random_below(ARRAY_SIZE(values))];
	return igt_nv3_random_word() >> igt_nv3_random_below(32);
}

time_t igt_nv3_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

int igt_nv3_log_open(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	igt_require_f(log >= 0, "no /dev/kmsg\n");
	lseek(log, 0, SEEK_END);
	return log;
}

/*
 * A record of /dev/kmsg has the form "priority,...;text". Priorities 0 to 4 are those of errors and
 * warnings. A busy host can interrupt a virtual CPU for so long that the guest's kernel warns once
 * about its timer interrupts, so that warning does not count.
 */
static bool is_warning(const char *record)
{
	return (strtoul(record, NULL, 10) & 7) <= 4 && !strstr(record, "hrtimer: interrupt took");
}

void igt_nv3_log_assert_clean(int log)
{
	char record[2048];
	ssize_t length;

	while ((length = read(log, record, sizeof(record) - 1)) > 0 ||
	       (length < 0 && errno == EPIPE)) {
		if (length < 0)
			continue;
		record[length] = 0;
		igt_assert_f(!is_warning(record), "kernel message: %s\n", record);
	}
	close(log);
}

uint64_t igt_nv3_number(const char *name, uint64_t otherwise)
{
	const char *given = getenv(name);

	return given ? strtoull(given, NULL, 0) : otherwise;
}

void igt_nv3_chaos(int fd, const struct igt_nv3_chaos *chaos)
{
	time_t end = igt_nv3_now() + chaos->seconds;
	struct igt_nv3_client client;
	int log = igt_nv3_log_open();
	uint32_t pictures = 0;

	igt_info("NV3_SEED=%llu\n", (unsigned long long)chaos->seed);
	igt_nv3_client_init(&client, fd);
	igt_fork(child, chaos->processes) {
		igt_nv3_random_seed(chaos->seed + child);
		chaos->run(fd, end, chaos->data);
	}
	do
		igt_nv3_assert_draws(&client, pictures++);
	while (igt_nv3_now() < end);
	igt_waitchildren();
	igt_nv3_assert_draws(&client, pictures);
	igt_info("%u pictures, each exact\n", pictures);
	igt_nv3_client_fini(&client);
	igt_nv3_log_assert_clean(log);
}
