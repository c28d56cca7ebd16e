/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_late.h"

IGT_TEST_DESCRIPTION("Buffers: create, map, wait, share, and evict.");

#define BOTH	(DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM)

static void expect_create(int fd, uint64_t size, uint32_t domains,
			  uint32_t flags, int expected)
{
	uint32_t handle = 0;
	int ret;

	ret = __igt_nv3_gem_create(fd, &size, domains, flags, &handle);
	igt_assert_f(ret == expected,
		     "size %#llx, domains %#x, flags %#x: %d, not %d\n",
		     (unsigned long long)size, domains, flags, ret, expected);
	igt_assert_eq(handle, 0);
}

static void test_create_bad(int fd)
{
	struct drm_nv3_gem_create req = {
		.size = 4096, .domains = BOTH, .vm = 1,
	};

	expect_create(fd, 0, BOTH, 0, -EINVAL);
	expect_create(fd, UINT64_MAX, BOTH, 0, -EINVAL);
	expect_create(fd, UINT64_MAX - 4095, BOTH, 0, -EINVAL);
	expect_create(fd, 1ull << 32, BOTH, 0, -EINVAL);
	expect_create(fd, 4096, 0, 0, -EINVAL);
	expect_create(fd, 4096, BOTH << 1, 0, -EINVAL);
	expect_create(fd, 4096, BOTH | 1u << 31, 0, -EINVAL);
	expect_create(fd, 4096, BOTH, 1, -EINVAL);
	/* No such address space. */
	do_ioctl_err(fd, DRM_IOCTL_NV3_GEM_CREATE, &req, ENOENT);
}

static void test_create_too_big(int fd)
{
	uint64_t vram = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_SIZE);
	uint64_t size = 2 * vram;
	uint32_t handle = 0;
	int ret;

	/* The buffer would be larger than VRAM, but VRAM is its only domain. */
	ret = __igt_nv3_gem_create(fd, &size, DRM_NV3_GEM_VRAM, 0, &handle);
	igt_assert(ret == -ENOMEM || ret == -ENOSPC || ret == -EINVAL ||
		   ret == -E2BIG);
}

static void test_create_rounds(int fd)
{
	static const uint32_t sizes[] = { 1, 4095, 4096, 4097, 65535 };
	uint32_t i, handle;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t size = sizes[i];

		igt_assert_eq(__igt_nv3_gem_create(fd, &size, BOTH, 0,
						   &handle), 0);
		igt_assert_eq_u64(size, (sizes[i] + 4095) & ~4095u);
		drmCloseBufferHandle(fd, handle);
	}
}

static void test_mmap(int fd, uint32_t domains)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 65536, domains);
	uint32_t *words = bo.map;
	void *again;
	uint32_t i;

	for (i = 0; i < bo.size / 4; i++)
		words[i] = i * 0x9e3779b9;

	/* A second mapping of the buffer has the same contents. */
	{
		struct drm_nv3_gem_mmap req = { .handle = bo.handle };

		do_ioctl(fd, DRM_IOCTL_NV3_GEM_MMAP, &req);
		again = mmap(NULL, bo.size, PROT_READ, MAP_SHARED, fd,
			     req.offset);
		igt_assert(again != MAP_FAILED);
	}
	for (i = 0; i < bo.size / 4; i++)
		igt_assert_eq_u32(((uint32_t *)again)[i], i * 0x9e3779b9);
	munmap(again, bo.size);
	igt_nv3_bo_destroy(&bo);
}

static void test_mmap_bad(int fd)
{
	struct drm_nv3_gem_mmap req = { .handle = 0xdead };
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, BOTH);
	int other = drm_reopen_driver(fd);

	do_ioctl_err(fd, DRM_IOCTL_NV3_GEM_MMAP, &req, ENOENT);
	req.handle = 0;
	do_ioctl_err(fd, DRM_IOCTL_NV3_GEM_MMAP, &req, ENOENT);
	req.handle = bo.handle;
	req.pad = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_GEM_MMAP, &req, EINVAL);

	/* Only a file that has a handle of the buffer can map the buffer. */
	req.pad = 0;
	do_ioctl(fd, DRM_IOCTL_NV3_GEM_MMAP, &req);
	igt_assert(mmap(NULL, bo.size, PROT_READ, MAP_SHARED, other,
			req.offset) == MAP_FAILED);
	igt_assert_eq(errno, EACCES);
	/* A mapping can't be larger than the buffer. */
	igt_assert(mmap(NULL, bo.size + 4096, PROT_READ, MAP_SHARED, fd,
			req.offset) == MAP_FAILED);
	close(other);
	igt_nv3_bo_destroy(&bo);
}

/* A new buffer must not contain the data of a freed buffer. */
static void test_zeroed(int fd, uint32_t domains)
{
	uint32_t round, i, n;

	for (round = 0; round < 2; round++) {
		struct igt_nv3_bo bos[4];

		for (n = 0; n < ARRAY_SIZE(bos); n++) {
			bos[n] = igt_nv3_bo_create(fd, 256 << 10, domains);
			for (i = 0; i < bos[n].size / 4; i++)
				igt_assert_eq_u32(((uint32_t *)bos[n].map)[i],
						  0);
		}
		for (n = 0; n < ARRAY_SIZE(bos); n++) {
			memset(bos[n].map, 0xa5, bos[n].size);
			igt_nv3_bo_destroy(&bos[n]);
		}
	}
}

static void test_wait(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, BOTH);

	igt_assert_eq(__igt_nv3_gem_wait(fd, bo.handle, 0, 0), 0);
	igt_assert_eq(__igt_nv3_gem_wait(fd, bo.handle, DRM_NV3_GEM_WAIT_WRITE,
					 0), 0);
	igt_assert_eq(__igt_nv3_gem_wait(fd, bo.handle, 2, 0), -EINVAL);
	igt_assert_eq(__igt_nv3_gem_wait(fd, 0xdead, 0, 0), -ENOENT);
	igt_nv3_bo_destroy(&bo);
	igt_assert_eq(__igt_nv3_gem_wait(fd, 0, 0, 0), -ENOENT);
}

/* GEM_WAIT also waits for a batch that has not begun because it waits for a fence. */
static void test_wait_busy(int fd)
{
	struct igt_nv3_client client;
	struct igt_nv3_late late;

	igt_nv3_client_init(&client, fd);
	igt_nv3_late_init(&late);
	igt_nv3_fill(&client, 0, 0, 64, 64, 0x1234);
	igt_nv3_late_submit(&late, &client.batch);
	igt_assert_eq(__igt_nv3_gem_wait(fd, client.color.handle, 0, 0),
		      -ETIME);
	igt_assert_eq(__igt_nv3_gem_wait(fd, client.color.handle,
					 DRM_NV3_GEM_WAIT_WRITE, 5000000),
		      -ETIME);
	igt_nv3_late_end(&late);
	igt_nv3_bo_wait(&client.color);
	igt_nv3_assert_rect(&client, 0, 0, 64, 64, 0x1234, 0);
	igt_nv3_client_fini(&client);
}

static void test_prime(int fd)
{
	struct igt_nv3_client a, b;
	int dmabuf, other = drm_reopen_driver(fd);
	struct drm_nv3_gem_mmap req = { 0 };
	uint16_t *map;

	igt_nv3_client_init(&a, fd);
	igt_nv3_client_init(&b, other);
	igt_assert_eq(drmPrimeHandleToFD(fd, a.color.handle,
					 DRM_CLOEXEC | DRM_RDWR, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &req.handle), 0);
	close(dmabuf);
	igt_nv3_assert_draws(&a, 3);

	do_ioctl(other, DRM_IOCTL_NV3_GEM_MMAP, &req);
	map = mmap(NULL, a.color.size, PROT_READ, MAP_SHARED, other,
		   req.offset);
	igt_assert(map != MAP_FAILED);
	igt_assert(!memcmp(map, a.color.map, a.color.size));

	/* An imported buffer still exists after the exporting file has closed its handle. */
	igt_nv3_client_fini(&a);
	igt_assert_neq(map[0], map[20 * IGT_NV3_CANVAS + 30]);
	munmap(map, 2 * IGT_NV3_CANVAS * IGT_NV3_CANVAS);
	drmCloseBufferHandle(other, req.handle);
	igt_nv3_client_fini(&b);
	close(other);
}

/*
 * Draws to surfaces whose total size is twice the size of the VRAM that surfaces may use. The
 * buffers that the driver evicts must keep their contents.
 */
static void test_evict(int fd)
{
	const uint32_t pitch = 1024, lines = 512;
	uint64_t vram = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_LOW);
	uint32_t n, count = 2 * vram / (pitch * lines), round;
	struct igt_nv3_bo *bos = calloc(count, sizeof(*bos));
	struct igt_nv3_client client;

	igt_assert(bos && count >= 2);
	igt_nv3_client_init(&client, fd);
	for (n = 0; n < count; n++) {
		bos[n] = igt_nv3_bo_create(fd, pitch * lines, BOTH);
		igt_nv3_surface(fd, client.channel, 0x1000 + n, 0,
				DRM_NV3_FORMAT_X1R5G5B5, &bos[n], pitch,
				pitch / 2, lines);
	}
	for (round = 0; round < 2; round++) {
		for (n = 0; n < count; n++) {
			struct igt_nv3_batch *batch = &client.batch;

			igt_nv3_use(batch, &bos[n], NV3_READ | NV3_WRITE);
			igt_nv3_select(batch, IGT_NV3_SUB_COLOR, 0x1000 + n);
			igt_nv3_method(batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR,
				       n + 1);
			igt_nv3_begin(batch, IGT_NV3_SUB_RECT,
				      NV3_RECT_POINT(0), 2);
			igt_nv3_word(batch, round * 256);
			igt_nv3_word(batch, lines << 16 | 256);
			igt_nv3_run_ok(batch);
		}
	}
	for (n = 0; n < count; n++) {
		uint16_t *pixels = bos[n].map;
		uint32_t i;

		for (i = 0; i < pitch * lines / 2; i += 31)
			igt_assert_eq(pixels[i] & 0x7fff, n + 1);
		igt_nv3_bo_destroy(&bos[n]);
	}
	free(bos);
	igt_nv3_client_fini(&client);
}

/* ---- several clients whose buffers don't fit into low VRAM together ---- */

#define CONTENDERS	3
#define CONTENDED	80	/* number of batches of each client */
#define SURFACES	4
/*
 * Each surface occupies a fifth of low VRAM. Each batch draws to two of the client's surfaces.
 * Before each batch, the client creates another buffer of this size.
 */
#define SHARE		5
#define CONTENDED_PITCH	1024

struct contender {
	struct igt_nv3_client client;
	struct igt_nv3_bo bos[SURFACES];
	uint32_t lines, creates_failed, submits_failed;
};

static void contender_init(struct contender *c, int fd)
{
	uint64_t vram;
	uint32_t n;

	memset(c, 0, sizeof(*c));
	igt_nv3_client_init(&c->client, drm_reopen_driver(fd));
	vram = igt_nv3_param(c->client.fd, DRM_NV3_PARAM_VRAM_LOW);
	c->lines = vram / SHARE / CONTENDED_PITCH;
	for (n = 0; n < SURFACES; n++) {
		c->bos[n] = igt_nv3_bo_create(c->client.fd,
					      c->lines * CONTENDED_PITCH, BOTH);
		igt_nv3_surface(c->client.fd, c->client.channel, 0x1000 + n, 0,
				DRM_NV3_FORMAT_X1R5G5B5, &c->bos[n],
				CONTENDED_PITCH, CONTENDED_PITCH / 2, c->lines);
	}
}

static void contender_fill(struct contender *c, uint32_t n, uint32_t color)
{
	struct igt_nv3_batch *batch = &c->client.batch;

	igt_nv3_use(batch, &c->bos[n], NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_COLOR, 0x1000 + n);
	igt_nv3_method(batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, color);
	igt_nv3_begin(batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, c->lines << 16 | CONTENDED_PITCH / 2);
}

/*
 * Creates a buffer, draws to two surfaces, and counts failed ioctls. contender_check() assumes that
 * every batch runs, so this function repeats SUBMIT until it succeeds.
 */
static void contender_round(struct contender *c, uint32_t round)
{
	uint64_t size = c->lines * CONTENDED_PITCH;
	struct igt_nv3_batch saved;
	uint32_t handle = 0;
	int ret;

	ret = __igt_nv3_gem_create(c->client.fd, &size, DRM_NV3_GEM_VRAM, 0,
				   &handle);
	igt_assert(!ret || ret == -ENOMEM);
	c->creates_failed += !!ret;
	contender_fill(c, round % SURFACES, round);
	contender_fill(c, (round + 1) % SURFACES, round);
	saved = c->client.batch;
	while ((ret = __igt_nv3_submit(&c->client.batch, 0))) {
		igt_assert_eq(ret, -ENOMEM);
		c->submits_failed++;
		c->client.batch = saved;
		usleep(1000);
	}
	if (handle)
		drmCloseBufferHandle(c->client.fd, handle);
}

static void contender_check(struct contender *c)
{
	uint32_t n, i, round;

	igt_nv3_batch_wait(&c->client.batch);
	for (n = 0; n < SURFACES; n++) {
		const uint16_t *pixels = c->bos[n].map;

		/*
		 * Find the last round that drew to surface @n, as the first or the second surface
		 * of its batch.
		 */
		for (round = CONTENDED - 1;
		     round % SURFACES != n && (round + 1) % SURFACES != n;
		     round--)
			;
		for (i = 0; i < c->lines * CONTENDED_PITCH / 2; i += 31)
			igt_assert_eq(pixels[i] & 0x7fff, round);
	}
	igt_assert_f(!c->creates_failed && !c->submits_failed,
		     "-ENOMEM: %u of %u GEM_CREATE, %u SUBMIT\n",
		     c->creates_failed, CONTENDED, c->submits_failed);
}

/*
 * Together, the surfaces of each client need more than half of low VRAM. No ioctl may fail because
 * VRAM is full.
 */
static void test_contended(int fd)
{
	igt_fork(child, CONTENDERS) {
		struct contender c;
		uint32_t round;

		contender_init(&c, fd);
		for (round = 0; round < CONTENDED; round++)
			contender_round(&c, round);
		contender_check(&c);
	}
	igt_waitchildren();
}

int igt_main()
{
	static const struct {
		const char *name;
		uint32_t domains;
	} domains[] = {
		{ "vram", DRM_NV3_GEM_VRAM },
		{ "system", DRM_NV3_GEM_SYSTEM },
	};
	int fd, i;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Invalid sizes, domains, flags and padding are refused.");
	igt_subtest("create-bad")
		test_create_bad(fd);

	igt_describe("A buffer that must be in VRAM and does not fit is refused.");
	igt_subtest("create-too-big")
		test_create_too_big(fd);

	igt_describe("Sizes are rounded up to pages.");
	igt_subtest("create-rounds")
		test_create_rounds(fd);

	for (i = 0; i < ARRAY_SIZE(domains); i++) {
		igt_describe("Two mappings of a buffer have the same contents.");
		igt_subtest_f("mmap-%s", domains[i].name)
			test_mmap(fd, domains[i].domains);

		igt_describe("New buffers are zero, also in reused memory.");
		igt_subtest_f("zeroed-%s", domains[i].name)
			test_zeroed(fd, domains[i].domains);
	}

	igt_describe("Mapping is refused without a handle, by another file, and past the end.");
	igt_subtest("mmap-bad")
		test_mmap_bad(fd);

	igt_describe("Waiting for an idle buffer returns at once. Bad arguments are refused.");
	igt_subtest("wait")
		test_wait(fd);

	igt_describe("Waiting for a busy buffer times out, and later succeeds.");
	igt_subtest("wait-busy")
		test_wait_busy(fd);

	igt_describe("A buffer is the same on both sides of a dma-buf, and outlives its creator.");
	igt_subtest("prime")
		test_prime(fd);

	igt_describe("Surfaces of twice VRAM's size are drawn correctly.");
	igt_subtest("evict")
		test_evict(fd);

	igt_describe("Clients that don't fit into VRAM together see no error for that.");
	igt_subtest("contended")
		test_contended(fd);

	igt_fixture()
		drm_close_driver(fd);
}
