/* SPDX-License-Identifier: MIT */
/*
 * Nonsense as pushbuffers for some seconds, from two processes, while a third
 * draws and checks every pixel; then the kernel log must have no warning.
 * NV3_SEED=N in the environment repeats a run.
 */
#include <fcntl.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Random pushbuffers: no warning, and everyone else draws on.");

#define SECONDS		6
#define ATTACKERS	2

static uint64_t random_state;

/* xorshift64*, from Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled". */
static uint32_t random_word(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

static uint32_t random_below(uint32_t n)
{
	return random_word() % n;
}

/* Values at which something often goes wrong. */
static uint32_t random_value(void)
{
	static const uint32_t values[] = {
		0, 1, 2, 0xf, 0x10, 0xff, 0xffff, 0x10000, 0x7fff8000,
		0x7fffffff, 0x80000000, 0x80008000, 0xffff0000, 0xffffffff,
		0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x45000000,
		0x00400040, 0x07ff07ff, 0xfffffffc, 0x00600000, 0x00700000,
		0x007ffff0, 0x00800000,
	};

	if (random_below(3))
		return values[random_below(ARRAY_SIZE(values))];
	return random_word() >> random_below(32);
}

/* ---- what an attacker has ---- */

/* Names 1 to OBJECTS; surfaces are 1 to 4, DMA objects 5 to 8. */
#define OBJECTS		40

struct attacker {
	int fd;
	struct igt_nv3_bo bos[3];
	struct igt_nv3_client client;	/* until its channel has a fault */
	uint32_t classes[OBJECTS + 1];	/* by name */
};

typedef void (*push_func)(struct attacker *a);

static const uint32_t classes[] = {
	NV3_CLASS_BETA, NV3_CLASS_ROP, NV3_CLASS_CHROMA, NV3_CLASS_PLANE,
	NV3_CLASS_CLIP, NV3_CLASS_PATTERN, NV3_CLASS_RECT, NV3_CLASS_M2MF,
	NV3_CLASS_BLIT, NV3_CLASS_IFC, NV3_CLASS_D3D,
};

static void make_surface(struct attacker *a, uint32_t name)
{
	struct drm_nv3_surface_args args = {
		.handle = a->bos[random_below(2)].handle,
		.slot = name - 1,
		.format = random_below(5),
		.offset = random_below(8) * 256,
		.pitch = 16 * (1 + random_below(64)),
		.width = 1 + random_below(256),
		.height = 1 + random_below(128),
	};

	__igt_nv3_object(a->client.fd, a->client.channel, name,
			 NV3_CLASS_SURFACE, &args, sizeof(args));
}

static void make_dma(struct attacker *a, uint32_t name)
{
	struct drm_nv3_dma_args args = {
		.handle = a->bos[random_below(3)].handle,
		.flags = random_below(2),
		.offset = random_below(8192),
		.size = 1 + random_below(60000),
	};

	__igt_nv3_object(a->client.fd, a->client.channel, name,
			 DRM_NV3_CLASS_DMA, &args, sizeof(args));
}

static void make_graph(struct attacker *a, uint32_t name)
{
	struct drm_nv3_graph_args args = {
		.color_format = random_below(5),
		.operation = random_below(4) ? NV3_OP_COPY : random_below(0x20),
		.dst_slots = random_below(16),
		.src_slot = random_below(4),
		.flags = random_below(32),
		.dma = { random_below(2) * (5 + random_below(4)),
			 random_below(2) * (5 + random_below(4)) },
		.dma_notify = random_below(2) * (5 + random_below(4)),
	};

	a->classes[name] = classes[random_below(ARRAY_SIZE(classes))];
	__igt_nv3_object(a->client.fd, a->client.channel, name,
			 a->classes[name], &args, sizeof(args));
}

static void make_objects(struct attacker *a)
{
	uint32_t name;

	for (name = 1; name <= OBJECTS; name++) {
		if (name <= 4)
			make_surface(a, name);
		else if (name <= 8)
			make_dma(a, name);
		else
			make_graph(a, name);
	}
}

/* ---- what it does ---- */

static void push_words(struct attacker *a)
{
	uint32_t n = 1 + random_below(200);

	while (n--)
		igt_nv3_word(&a->client.batch, random_value());
}

/* Runs whose headers are right and everything else is not. */
static void push_methods(struct attacker *a)
{
	struct igt_nv3_batch *batch = &a->client.batch;
	uint32_t n = 1 + random_below(60);

	while (n--) {
		uint32_t subch = random_below(8), count = 1 + random_below(40);
		uint32_t mthd = random_below(2) ?
				0x100 + 4 * random_below(0xc0) :
				4 * random_below(0x800);

		if (mthd + 4 * count > 0x2000)
			count = (0x2000 - mthd) / 4;
		igt_nv3_begin(batch, subch, mthd, count);
		while (count--)
			igt_nv3_word(batch, random_value());
	}
}

/* Methods that take almost anything, so that drawing really begins. */
static const struct run {
	uint32_t class_id, mthd, most;
} runs[] = {
	{ NV3_CLASS_BETA, 0x300, 1 },
	{ NV3_CLASS_ROP, NV3_ROP_ROP, 1 },
	{ NV3_CLASS_CHROMA, 0x304, 1 },
	{ NV3_CLASS_CLIP, NV3_CLIP_POINT, 2 },
	{ NV3_CLASS_PATTERN, NV3_PATTERN_COLOR(0), 4 },
	{ NV3_CLASS_RECT, NV3_RECT_COLOR, 1 },
	{ NV3_CLASS_RECT, NV3_RECT_POINT(0), 32 },
	{ NV3_CLASS_M2MF, NV3_M2MF_OFFSET_IN, 8 },
	{ NV3_CLASS_BLIT, NV3_BLIT_POINT_IN, 3 },
	{ NV3_CLASS_IFC, NV3_IFC_POINT, 3 },
	{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 32 },
	{ NV3_CLASS_D3D, NV3_D3D_TEX_OFFSET, 6 },
	{ NV3_CLASS_D3D, NV3_D3D_FOG_TRI(0), 256 },
};

/* What class 0x17 checks is right here; all that it does not is random. */
static uint32_t argument(uint32_t class_id, uint32_t mthd)
{
	uint32_t word = random_word();

	if (class_id != NV3_CLASS_D3D)
		return random_value();
	switch (mthd) {
	case NV3_D3D_TEX_FORMAT:
		return (word & 0x0031ffff) | random_below(12) << 24 |
		       random_below(12) << 28;
	case NV3_D3D_CONFIG:
		return (word & 0xf0008df0) | random_below(3) |
		       (1 + random_below(3)) << 12 |
		       (1 + random_below(8)) << 16 | random_below(5) << 20 |
		       random_below(5) << 24;
	case NV3_D3D_ALPHA:
		return (word & 0xff) | (1 + random_below(8)) << 8;
	default:
		return random_value();
	}
}

static const struct run *run_of(uint32_t class_id)
{
	uint32_t start = random_below(ARRAY_SIZE(runs)), i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		const struct run *run = &runs[(start + i) % ARRAY_SIZE(runs)];

		if (run->class_id == class_id)
			return run;
	}
	return NULL;
}

static void push_run(struct igt_nv3_batch *batch, uint32_t subch,
		     const struct run *run)
{
	uint32_t i, count = run->most;

	if (!random_below(3))
		count = 1 + random_below(count);
	igt_nv3_begin(batch, subch, run->mthd, count);
	for (i = 0; i < count; i++)
		igt_nv3_word(batch, argument(run->class_id,
					     run->mthd + 4 * i));
}

static void push_drawing(struct attacker *a)
{
	struct igt_nv3_batch *batch = &a->client.batch;
	uint32_t n = 1 + random_below(40), name, subch, times;

	for (subch = 0; subch < 4; subch++)
		igt_nv3_select(batch, subch, subch + 1);
	while (n--) {
		const struct run *run;

		name = 9 + random_below(OBJECTS - 8);
		subch = 4 + random_below(4);
		igt_nv3_select(batch, subch, name);
		for (times = 1 + random_below(4); times; times--) {
			run = run_of(a->classes[name]);
			if (run)
				push_run(batch, subch, run);
		}
	}
}

static void attacker_init(struct attacker *a, int fd)
{
	uint32_t i;

	a->fd = drm_reopen_driver(fd);
	for (i = 0; i < ARRAY_SIZE(a->bos); i++)
		a->bos[i] = igt_nv3_bo_create(a->fd, 1 << 18,
					      i < 2 ? DRM_NV3_GEM_VRAM :
						      DRM_NV3_GEM_SYSTEM);
}

static void attacker_fini(struct attacker *a)
{
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(a->bos); i++)
		igt_nv3_bo_destroy(&a->bos[i]);
	close(a->fd);
}

/* One batch; whether the channel can take another. */
static bool attack(struct attacker *a, push_func push)
{
	struct igt_nv3_batch *batch = &a->client.batch;
	uint32_t i;

	push(a);
	igt_nv3_use(batch, &a->client.color, NV3_READ | NV3_WRITE);
	for (i = 0; i < ARRAY_SIZE(a->bos); i++) {
		if (random_below(8))
			igt_nv3_use(batch, &a->bos[i],
				    1 + random_below(3));
	}
	if (__igt_nv3_submit(batch, 0))
		return false;
	if (random_below(4))
		igt_nv3_bo_wait(&a->client.color);
	return !igt_nv3_fault(a->client.fd, a->client.channel, NULL);
}

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static void attack_for(int fd, time_t end, push_func push)
{
	struct attacker a;
	uint32_t channels = 0, batches = 0;

	attacker_init(&a, fd);
	while (now() < end) {
		igt_nv3_client_init(&a.client, a.fd);
		make_objects(&a);
		do
			batches++;
		while (now() < end && attack(&a, push));
		igt_nv3_client_fini(&a.client);
		channels++;
	}
	attacker_fini(&a);
	igt_info("%u batches on %u channels\n", batches, channels);
}

/* ---- the kernel log ---- */

static int log_open(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	igt_require_f(log >= 0, "no /dev/kmsg\n");
	lseek(log, 0, SEEK_END);
	return log;
}

/* A record is "priority,...;text"; levels 0 to 4 are warnings and worse. */
static void log_assert_clean(int log)
{
	char record[2048];
	ssize_t length;

	while ((length = read(log, record, sizeof(record) - 1)) > 0 ||
	       (length < 0 && errno == EPIPE)) {
		if (length < 0)
			continue;
		record[length] = 0;
		igt_assert_f((strtoul(record, NULL, 10) & 7) > 4,
			     "the kernel said: %s\n", record);
	}
	close(log);
}

static void test_hostile(int fd, uint64_t seed, push_func push)
{
	struct igt_nv3_client client;
	time_t end = now() + SECONDS;
	uint32_t i = 0;
	int log = log_open();

	igt_info("NV3_SEED=%llu\n", (unsigned long long)seed);
	igt_nv3_client_init(&client, fd);
	igt_fork(child, ATTACKERS) {
		random_state = (seed + child) * UINT64_C(0x9e3779b97f4a7c15) |
			       1;
		attack_for(fd, end, push);
	}
	while (now() < end)
		igt_nv3_assert_draws(&client, i++);
	igt_waitchildren();
	igt_nv3_assert_draws(&client, i);
	igt_info("%u pictures, each exact\n", i);
	igt_nv3_client_fini(&client);
	log_assert_clean(log);
}

int igt_main()
{
	uint64_t seed;
	int fd;

	igt_fixture() {
		const char *given = getenv("NV3_SEED");

		fd = igt_nv3_open();
		seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
	}

	igt_describe("Random words.");
	igt_subtest("words")
		test_hostile(fd, seed, push_words);

	igt_describe("Random methods with random arguments.");
	igt_subtest("methods")
		test_hostile(fd, seed, push_methods);

	igt_describe("Random objects, drawing with arguments past every end.");
	igt_subtest("drawing")
		test_hostile(fd, seed, push_drawing);

	igt_fixture()
		drm_close_driver(fd);
}
