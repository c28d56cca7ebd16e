/* SPDX-License-Identifier: MIT */
/*
 * A hundred processes, half of them with PIO and half with DMA channels, draw and check pictures.
 * Takes a few seconds, or --minutes.
 */
#include <getopt.h>
#include <sys/mman.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_painter.h"

IGT_TEST_DESCRIPTION("A hundred processes draw, and every picture is exact.");

static uint32_t processes = 100;
static double minutes;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Draw at min one picture. */
static void paint(int fd, uint32_t child, double end, uint64_t *pictures)
{
	uint32_t type = child & 1 ? DRM_NV3_CHANNEL_PIO : DRM_NV3_CHANNEL_DMA;
	struct igt_nv3_painter p;
	uint32_t i = child;

	igt_nv3_painter_init(&p, fd, type, child);
	do {
		igt_nv3_painter_paint(&p, 1 + i++ * 7 % 200);
		(*pictures)++;
	} while (now() < end);
	igt_nv3_painter_fini(&p);
}

static void test_soak(int fd)
{
	size_t size = processes * sizeof(uint64_t);
	uint64_t *pictures = mmap(NULL, size, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double end = now() + minutes * 60;
	uint64_t sum[2] = { 0 }, min = UINT64_MAX, max = 0;
	uint32_t i;

	igt_assert(pictures != MAP_FAILED);
	igt_fork(child, processes) {
		int own = drm_reopen_driver(fd);

		paint(own, child, end, &pictures[child]);
		close(own);
	}
	igt_waitchildren();
	for (i = 0; i < processes; i++) {
		igt_assert(pictures[i] > 0);
		sum[i & 1] += pictures[i];
		min = pictures[i] < min ? pictures[i] : min;
		max = pictures[i] > max ? pictures[i] : max;
	}
	igt_info("%u processes: %llu pictures by DMA, %llu by PIO, each %llu to %llu, each exact\n",
		 processes, (unsigned long long)sum[0],
		 (unsigned long long)sum[1], (unsigned long long)min,
		 (unsigned long long)max);
	munmap(pictures, size);
}

static int option(int opt, int index, void *data)
{
	switch (opt) {
	case 'm':
		minutes = atof(optarg);
		return IGT_OPT_HANDLER_SUCCESS;
	case 'p':
		processes = atoi(optarg);
		return processes ? IGT_OPT_HANDLER_SUCCESS :
				   IGT_OPT_HANDLER_ERROR;
	default:
		return IGT_OPT_HANDLER_ERROR;
	}
}

static const struct option options[] = {
	{ "minutes", required_argument, NULL, 'm' },
	{ "processes", required_argument, NULL, 'p' },
	{ }
};

static const char help[] =
	"  --minutes N\tduration (default: one picture per process)\n"
	"  --processes N\tnumber of processes (default 100, at max 126)\n";

int igt_main_args("", options, help, option, NULL)
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_pio(fd);
	}

	igt_describe("Half of the processes use PIO channels, half DMA channels.");
	igt_subtest("soak")
		test_soak(fd);

	igt_fixture()
		drm_close_driver(fd);
}
