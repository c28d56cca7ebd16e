/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_freeze.h"
#include "igt_nv3_pio.h"

IGT_TEST_DESCRIPTION("A long page fault on a PIO channel's USER aperture.");

#define OBJECT		0x1000

/* More than half of VRAM */
#define LARGE		(5u << 20)
#define PATIENCE_MS	20000

struct mapper {
	struct igt_nv3_pio pio;
	/* Shared between two processes */
	volatile uint32_t *stores, *mapped, *over;
};

static void *store_thread(void *data)
{
	struct mapper *m = data;

	*m->stores = 1;
	igt_nv3_poke(&m->pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT,
		     IGT_NV3_COLOR);
	return NULL;
}

static bool comes(volatile uint32_t *flag)
{
	uint32_t ms;

	for (ms = 0; !*flag && ms < PATIENCE_MS; ms++)
		usleep(1000);
	return *flag;
}

/*
 * While another thread waits in a page fault, this thread changes the memory mappings of the
 * process.
 */
static void map_while_storing(struct mapper *m, int fd)
{
	struct igt_nv3_bo large = igt_nv3_bo_create(fd, LARGE, DRM_NV3_GEM_VRAM);
	pthread_t thread;
	uint32_t i;

	igt_nv3_pio_init(&m->pio, fd);
	igt_nv3_surface(fd, m->pio.client.channel, OBJECT, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &large, 2048, 1024, 1024);
	*m->mapped = 1;
	igt_assert(comes(m->over));
	*m->over = 0;

	igt_assert_eq(pthread_create(&thread, NULL, store_thread, m), 0);
	igt_assert(comes(m->stores));
	/* Wait until the store has caused the page fault. */
	usleep(200000);
	for (i = 0; i < 10; i++) {
		void *map = mmap(NULL, 4096, PROT_READ,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		igt_assert(map != MAP_FAILED);
		munmap(map, 4096);
	}
	*m->mapped = 2;
	igt_assert_eq(pthread_join(thread, NULL), 0);
	igt_nv3_pio_assert_draws(&m->pio, 1);
	igt_nv3_pio_fini(&m->pio);
	igt_nv3_bo_destroy(&large);
}

/*
 * A store blocks until its timeslice begins. The timeslice needs VRAM that a batch of another
 * client uses. The batch stays in flight while the resource manager is frozen.
 */
static void test_mmap(int fd)
{
	struct igt_nv3_client other;
	struct igt_nv3_bo large;
	volatile uint32_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct mapper m = {
		.stores = &shared[0], .mapped = &shared[1], .over = &shared[2],
	};
	bool mapped;
	int freeze;

	igt_assert(shared != MAP_FAILED);
	igt_fork(child, 1) {
		int own = drm_reopen_driver(fd);

		map_while_storing(&m, own);
		close(own);
	}
	igt_assert(comes(m.mapped));
	*m.mapped = 0;
	igt_nv3_client_init(&other, fd);
	large = igt_nv3_bo_create(fd, LARGE, DRM_NV3_GEM_VRAM);
	freeze = igt_nv3_freeze_open(fd);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	igt_nv3_use(&other.batch, &large, NV3_READ | NV3_WRITE);
	igt_nv3_fill(&other, 0, 0, 8, 8, 1);
	igt_assert_eq(__igt_nv3_submit(&other.batch, 0), 0);
	*m.over = 1;
	mapped = comes(m.mapped);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	igt_waitchildren();
	igt_assert_f(mapped, "the address space was locked\n");
	close(freeze);
	igt_nv3_bo_wait(&other.color);
	igt_nv3_bo_destroy(&large);
	igt_nv3_client_fini(&other);
	munmap((void *)shared, 4096);
}

int igt_main()
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_pio(fd);
	}

	igt_describe("A store that waits for VRAM does not block mmap() in other threads.");
	igt_subtest("mmap")
		test_mmap(fd);

	igt_fixture()
		drm_close_driver(fd);
}
