/* SPDX-License-Identifier: MIT */
/*
 * Counts the pictures that competing clients draw. Apart from a long time limit, the assertions do
 * not depend on the speed of the host.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_painter.h"

IGT_TEST_DESCRIPTION("The chip is shared fairly, also with a client that floods it.");

#define CLIENTS		4
/* The test ends when the slowest client has drawn this number of pictures. */
#define PICTURES	20
#define PATIENCE	90	/* in seconds */
/*
 * A channel may wait for at most this number of timeslices of other channels. The other CLIENTS - 1
 * clients and the migration engine take one timeslice each. The flooding client may take two
 * timeslices, because its previous channel may not have ended yet.
 */
#define MAX_WAIT		(CLIENTS - 1 + 2 + 1)

/* Memory shared with the children */
struct score {
	uint32_t pictures[CLIENTS];
	uint32_t floods;
	uint32_t stop;
};

static struct score *score_new(void)
{
	struct score *score = mmap(NULL, sizeof(*score), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	igt_assert(score != MAP_FAILED);
	return score;
}

static uint32_t load(uint32_t *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void add(uint32_t *value)
{
	__atomic_add_fetch(value, 1, __ATOMIC_ACQ_REL);
}

static uint32_t min_pictures(struct score *score)
{
	uint32_t i, n = UINT32_MAX;

	for (i = 0; i < CLIENTS; i++) {
		uint32_t pictures = load(&score->pictures[i]);

		n = pictures < n ? pictures : n;
	}
	return n;
}

static uint32_t max_pictures(struct score *score)
{
	uint32_t i, n = 0;

	for (i = 0; i < CLIENTS; i++) {
		uint32_t pictures = load(&score->pictures[i]);

		n = pictures > n ? pictures : n;
	}
	return n;
}

/* ---- clients that flood the chip ---- */

typedef void (*flood_func)(int fd, struct score *score);

static void flood_none(int fd, struct score *score)
{
}

/* Stores the methods of large fills as fast as the free count allows. */
static void flood_pio(int fd, struct score *score)
{
	struct igt_nv3_pio pio;
	struct igt_nv3_bo bo;

	igt_nv3_pio_init(&pio, fd);
	bo = igt_nv3_bo_create(fd, 1024 * 512 * 2, DRM_NV3_GEM_VRAM);
	igt_nv3_surface(fd, pio.client.channel, 0x1000, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &bo, 2048, 1024, 512);
	igt_nv3_store(&pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, 0x1000);
	while (!load(&score->stop)) {
		igt_nv3_pio_fill(&pio, 0, 0, 1024, 512, 0);
		add(&score->floods);
	}
	igt_nv3_pio_fini(&pio);
	igt_nv3_bo_destroy(&bo);
}

/*
 * Stores methods as fast as possible without reading the free count. If the channel faults,
 * continues with a new channel.
 */
static void flood_pokes(int fd, struct score *score)
{
	struct igt_nv3_pio pio;
	uint32_t i;

	while (!load(&score->stop)) {
		igt_nv3_pio_init(&pio, fd);
		do {
			for (i = 0; i < 1000; i++)
				igt_nv3_poke(&pio, IGT_NV3_SUB_RECT,
					     NV3_RECT_COLOR, i);
			add(&score->floods);
		} while (!load(&score->stop) &&
			 !igt_nv3_fault(fd, pio.client.channel, NULL));
		igt_nv3_pio_fini(&pio);
	}
}

/* Keeps the ring of a DMA channel full of long batches. */
static void flood_dma(int fd, struct score *score)
{
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	while (!load(&score->stop)) {
		for (i = 0; i < 1500; i++)
			igt_nv3_fill(&client, 0, 0, 64, 64, i);
		igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
		add(&score->floods);
	}
	igt_nv3_client_fini(&client);
}

/* ---- clients that draw ---- */

static void work(int fd, uint32_t type, struct score *score, uint32_t me)
{
	struct igt_nv3_painter p;

	igt_nv3_painter_init(&p, fd, type, me);
	while (!load(&score->stop)) {
		igt_nv3_painter_paint(&p, 40);
		add(&score->pictures[me]);
	}
	igt_nv3_painter_fini(&p);
}

static void wait_for_scores(struct score *score)
{
	struct timespec ts;
	time_t end;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	end = ts.tv_sec + PATIENCE;
	while (min_pictures(score) < PICTURES && ts.tv_sec < end) {
		usleep(10000);
		clock_gettime(CLOCK_MONOTONIC, &ts);
	}
}

/*
 * Reads from debugfs, for each channel, the number of timeslices of other channels for which it has
 * waited. Returns the maximum of these numbers.
 */
static uint32_t max_wait(FILE *channels)
{
	uint32_t timeslices, n = 0;
	char line[256];
	bool any = false;

	while (fgets(line, sizeof(line), channels)) {
		if (sscanf(line, " waited for at most %u timeslices", &timeslices) != 1)
			continue;
		any = true;
		n = timeslices > n ? timeslices : n;
	}
	igt_assert(any);
	return n;
}

/*
 * Asserts that no channel waits for more than MAX_WAIT timeslices while a client floods the chip.
 * No client may draw more than ten times as many pictures as another client. The first @pio clients
 * have PIO channels.
 */
static void test_fair(int fd, uint32_t pio, flood_func flood)
{
	FILE *channels = fdopen(igt_nv3_debugfs(fd, "channels", O_RDONLY), "r");
	struct score *score = score_new();
	uint32_t low, high, timeslices;

	igt_assert(channels);
	if (pio || flood == flood_pio || flood == flood_pokes)
		igt_nv3_require_pio(fd);

	igt_fork(child, CLIENTS + 1) {
		int own = drm_reopen_driver(fd);

		if (child == CLIENTS)
			flood(own, score);
		else
			work(own, child < pio ? DRM_NV3_CHANNEL_PIO :
						DRM_NV3_CHANNEL_DMA,
			     score, child);
		close(own);
	}
	wait_for_scores(score);
	low = min_pictures(score);
	high = max_pictures(score);
	timeslices = max_wait(channels);
	__atomic_store_n(&score->stop, 1, __ATOMIC_RELEASE);
	igt_waitchildren();

	fclose(channels);

	igt_info("pictures: %u to %u; %u floods; longest wait: %u timeslices\n",
		 low, high, score->floods, timeslices);
	igt_assert_lte(timeslices, MAX_WAIT);
	igt_assert_f(low >= PICTURES, "a client has %u pictures after %u s\n", low,
		     PATIENCE);
	igt_assert_f(high <= 10 * low, "one client has %u pictures, another %u\n",
		     high, low);
	munmap(score, sizeof(*score));
}

int igt_main()
{
	static const struct {
		const char *name, *describe;
		flood_func flood;
	} floods[] = {
		{ "alone", "Nobody floods.", flood_none },
		{ "pio-flood", "A client stores large fills.", flood_pio },
		{ "poke-flood", "A client stores without reading the free count.", flood_pokes },
		{ "dma-flood", "A client keeps its queue full of long batches.",
		  flood_dma },
	};
	uint32_t i;
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	for (i = 0; i < ARRAY_SIZE(floods); i++) {
		igt_describe(floods[i].describe);
		igt_subtest_f("dma-%s", floods[i].name)
			test_fair(fd, 0, floods[i].flood);
		igt_describe(floods[i].describe);
		igt_subtest_f("pio-%s", floods[i].name)
			test_fair(fd, CLIENTS, floods[i].flood);
		igt_describe(floods[i].describe);
		igt_subtest_f("mixed-%s", floods[i].name)
			test_fair(fd, CLIENTS / 2, floods[i].flood);
	}

	igt_fixture()
		drm_close_driver(fd);
}
