/* SPDX-License-Identifier: MIT */
/*
 * A hundred processes draw and check pictures. A third of the processes use PIO channels, a third
 * use DMA channels, and a third use vertex and fragment programs. The test takes a few seconds, or
 * the number of minutes that --minutes sets.
 */
#include <getopt.h>
#include <sys/mman.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_painter.h"
#include "igt_nv3_pm.h"

IGT_TEST_DESCRIPTION("A hundred processes draw, and every picture is exact.");

static uint32_t processes = 100;
static double minutes;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* The kinds of clients: DMA channel, PIO channel, and DMA channel with class PROGRAMS */
enum kind { DMA, PIO, PROGRAMS, KINDS };

/*
 * Returns the kind of child process @child. The kinds alternate. If the chip lacks class PROGRAMS,
 * only the kinds DMA and PIO are used.
 */
static enum kind kind_of(int fd, uint32_t child)
{
	return igt_nv3_has_class(fd, DRM_NV3_CLASS_PROGRAMS) ? child % KINDS : child % PROGRAMS;
}

/*
 * Returns the colour of pixel (x, y) of picture @n. Pixels outside the scissor rectangle have the
 * clear colour.
 */
static uint32_t want(uint32_t n, uint32_t x, uint32_t y)
{
	const bool inside = x >= n % 7 && x < n % 7 + 9 && y >= n % 11 && y < n % 11 + 5;

	return 0xff000000 | ((inside ? n * 0x9e3779b9 : n * 0x85ebca6b) & 0xffffff);
}

/*
 * Clears the picture, and draws a triangle of one colour in a scissor rectangle, with one method
 * per vertex.
 */
static void paint_programs(struct igt_nv3_pm *pm, uint32_t n)
{
	uint32_t *colors = (uint32_t *)((char *)pm->data.map + IGT_NV3_PM_COLORS), i, x, y;

	for (i = 0; i < 3; i++)
		colors[i] = want(n, n % 7, n % 11);
	igt_nv3_pm_clear(pm, want(n, 31, 31));
	igt_nv3_pm_scissor(pm, n % 7, n % 11, 9, 5);
	igt_nv3_pm_method(pm, NV3_PM_BEGIN_END, 5);
	for (i = 0; i < 3; i++)
		igt_nv3_pm_method(pm, NV3_PM_DRAW_ARRAYS, i);
	igt_nv3_pm_method(pm, NV3_PM_BEGIN_END, 0);
	igt_nv3_pm_method(pm, NV3_PM_WAIT_FOR_IDLE, 0);
	igt_nv3_pm_scissor(pm, 0, 0, IGT_NV3_PM_SIDE, IGT_NV3_PM_SIDE);
	igt_nv3_run_ok(&pm->batch);
	for (y = 0; y < IGT_NV3_PM_SIDE; y++) {
		for (x = 0; x < IGT_NV3_PM_SIDE; x++)
			igt_assert_eq_u32(igt_nv3_pm_pixel(pm, x, y), want(n, x, y));
	}
}

/* Draws at least one picture, and further pictures until the time @end. */
static void soak_programs(int fd, uint32_t child, double end, uint64_t *pictures)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pm;
	uint32_t n = child;

	igt_nv3_pm_init(&pm, fd, vm, 0x10000, 0);
	do {
		paint_programs(&pm, n += 100);
		(*pictures)++;
	} while (now() < end);
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
}

static void soak_painter(int fd, uint32_t type, uint32_t child, double end, uint64_t *pictures)
{
	struct igt_nv3_painter p;
	uint32_t i = child;

	igt_nv3_painter_init(&p, fd, type, child);
	do {
		igt_nv3_painter_paint(&p, 1 + i++ * 7 % 200);
		(*pictures)++;
	} while (now() < end);
	igt_nv3_painter_fini(&p);
}

static void paint(int fd, uint32_t child, double end, uint64_t *pictures)
{
	switch (kind_of(fd, child)) {
	case DMA:
		soak_painter(fd, DRM_NV3_CHANNEL_DMA, child, end, pictures);
		break;
	case PIO:
		soak_painter(fd, DRM_NV3_CHANNEL_PIO, child, end, pictures);
		break;
	default:
		soak_programs(fd, child, end, pictures);
		break;
	}
}

static void test_soak(int fd)
{
	size_t size = processes * sizeof(uint64_t);
	uint64_t *pictures = mmap(NULL, size, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double end = now() + minutes * 60;
	uint64_t sum[KINDS] = { 0 }, min = UINT64_MAX, max = 0;
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
		sum[kind_of(fd, i)] += pictures[i];
		min = pictures[i] < min ? pictures[i] : min;
		max = pictures[i] > max ? pictures[i] : max;
	}
	igt_info("%u processes: %llu pictures by DMA, %llu by PIO, %llu by programs, each %llu to %llu, each exact\n",
		 processes, (unsigned long long)sum[DMA], (unsigned long long)sum[PIO],
		 (unsigned long long)sum[PROGRAMS], (unsigned long long)min,
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

	igt_describe("Thirds of the processes use PIO channels, DMA channels, and programs.");
	igt_subtest("soak")
		test_soak(fd);

	igt_fixture()
		drm_close_driver(fd);
}
