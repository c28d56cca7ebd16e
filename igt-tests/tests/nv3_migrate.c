/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Migration of buffers between VRAM and system memory, by the chip and by the CPU.");

#define KIB	1024u
#define MIB	(1024u * KIB)
#define PARAM	"/sys/module/nv3/parameters/chip_migrate_kib"

/* Counters from debugfs */
struct migrations {
	uint64_t chip, chip_pages, chip_ns;
	uint64_t fallbacks;
	uint64_t cpu, cpu_pages, cpu_ns;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static struct migrations read_migrations(int fd)
{
	FILE *f = fdopen(igt_nv3_debugfs(fd, "migrations", O_RDONLY), "r");
	struct migrations m;

	igt_assert(f);
	igt_assert_eq(fscanf(f, "chip %" SCNu64 " migrations, %" SCNu64 " pages, %" SCNu64 " ns\n",
			     &m.chip, &m.chip_pages, &m.chip_ns), 3);
	igt_assert_eq(fscanf(f, "fallbacks %" SCNu64 " migrations\n", &m.fallbacks), 1);
	igt_assert_eq(fscanf(f, "processor %" SCNu64 " migrations, %" SCNu64 " pages, %" SCNu64 " ns\n",
			     &m.cpu, &m.cpu_pages, &m.cpu_ns), 3);
	fclose(f);
	return m;
}

static FILE *open_param(const char *mode)
{
	FILE *f = fopen(PARAM, mode);

	igt_require_f(f, "no " PARAM "\n");
	return f;
}

/*
 * Returns the minimum size, in KiB, of the buffers that the chip migrates, or 0 if it migrates no
 * buffers.
 */
static unsigned int get_chip_migrate_kib(void)
{
	FILE *f = open_param("r");
	unsigned int kib;

	igt_assert_eq(fscanf(f, "%u", &kib), 1);
	fclose(f);
	return kib;
}

static void set_chip_migrate_kib(unsigned int kib)
{
	FILE *f = open_param("w");

	fprintf(f, "%u\n", kib);
	igt_assert_eq(fclose(f), 0);
}

static uint32_t word(uint32_t buffer, uint32_t i)
{
	return (buffer + 1) * 0x9e3779b9 ^ i * 0x85ebca6b;
}

static void fill(struct igt_nv3_bo *bo, uint32_t n)
{
	uint32_t *words = bo->map, i;

	for (i = 0; i < bo->size / 4; i++)
		words[i] = word(n, i);
}

static void check(const struct igt_nv3_bo *bo, uint32_t n)
{
	const uint32_t *words = bo->map;
	uint32_t i;

	for (i = 0; i < bo->size / 4; i++)
		igt_assert_f(words[i] == word(n, i),
			     "buffer %u, word %u: %#x, not %#x\n", n, i,
			     words[i], word(n, i));
}

/* Submits a batch that lists the buffer, so that the driver moves the buffer to VRAM. */
static void use(struct igt_nv3_client *client, const struct igt_nv3_bo *bo)
{
	struct igt_nv3_batch *batch = &client->batch;

	igt_nv3_use(batch, bo, NV3_READ);
	igt_nv3_select(batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
	igt_assert_eq(__igt_nv3_submit(batch, 0), 0);
}

/*
 * Uses the buffers one by one, @rounds times. Each use makes the driver move the buffer to VRAM and
 * evict another buffer.
 */
static void walk(int fd, struct igt_nv3_client *client, struct igt_nv3_bo *bos,
		 uint32_t count, uint32_t rounds)
{
	uint32_t round, n;

	for (round = 0; round < rounds; round++)
		for (n = 0; n < count; n++)
			use(client, &bos[n]);
	for (n = 0; n < count; n++)
		igt_nv3_bo_wait(&bos[n]);
}

/* Uses buffers that must be in VRAM. Their total size is twice the size of VRAM. */
static void test_migrate(int fd, bool by_chip, uint32_t size)
{
	uint64_t vram = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE);
	uint32_t count = 2 * vram / size, n;
	uint32_t rounds = size < 256 * KIB ? 2 : 3;
	struct igt_nv3_bo *bos = calloc(count, sizeof(*bos));
	struct migrations before, after;
	struct igt_nv3_client client;
	uint64_t migrated, others;
	double start, took;

	igt_assert(bos);
	set_chip_migrate_kib(by_chip ? 1 : 0);
	igt_nv3_client_init(&client, fd);
	for (n = 0; n < count; n++) {
		bos[n] = igt_nv3_bo_create(fd, size, DRM_NV3_GEM_VRAM);
		fill(&bos[n], n);
	}

	before = read_migrations(fd);
	start = now();
	walk(fd, &client, bos, count, rounds);
	took = now() - start;
	after = read_migrations(fd);

	for (n = 0; n < count; n++) {
		check(&bos[n], n);
		igt_nv3_bo_destroy(&bos[n]);
	}
	free(bos);
	igt_nv3_client_fini(&client);

	migrated = by_chip ? after.chip - before.chip : after.cpu - before.cpu;
	others = by_chip ? after.cpu - before.cpu : after.chip - before.chip;
	igt_info("%u KiB: %" PRIu64 " migrations in %.0f ms, %.0f us each, %.0f MiB/s, latency %.0f us\n",
		 size / KIB, migrated, took * 1e3, took * 1e6 / migrated,
		 migrated * size / took / MIB,
		 (by_chip ? after.chip_ns - before.chip_ns :
			    after.cpu_ns - before.cpu_ns) / 1e3 / migrated);
	/*
	 * Each use migrates a buffer into VRAM and another buffer out of VRAM, except for buffers
	 * that were in VRAM from the beginning.
	 */
	igt_assert_lte(rounds * count, migrated);
	igt_assert_eq(others, 0);
	igt_assert_eq(after.fallbacks, before.fallbacks);
}

int igt_main()
{
	static const uint32_t sizes[] = { 64 * KIB, 256 * KIB, MIB };
	unsigned int kib;
	int fd, i;

	igt_fixture() {
		fd = igt_nv3_open();
		kib = get_chip_migrate_kib();
	}

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		igt_describe("The chip migrates all buffers, and contents stay.");
		igt_subtest_f("chip-%uk", sizes[i] / KIB) {
			igt_require(igt_nv3_has_class(fd, NV3_CLASS_M2MF));
			test_migrate(fd, true, sizes[i]);
		}

		igt_describe("The CPU migrates all buffers, and contents stay.");
		igt_subtest_f("processor-%uk", sizes[i] / KIB)
			test_migrate(fd, false, sizes[i]);
	}

	igt_fixture() {
		set_chip_migrate_kib(kib);
		drm_close_driver(fd);
	}
}
