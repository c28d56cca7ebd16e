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
	struct igt_nv3_client client;
	struct igt_nv3_bo bos[3];
};

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

	__igt_nv3_object(a->client.fd, a->client.channel, name,
			 classes[random_below(ARRAY_SIZE(classes))], &args,
			 sizeof(args));
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

static void push_words(struct igt_nv3_batch *batch)
{
	uint32_t n = 1 + random_below(200);

	while (n--)
		igt_nv3_word(batch, random_value());
}

/* Runs whose headers are right and everything else is not. */
static void push_methods(struct igt_nv3_batch *batch)
{
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

/* Objects that there are, and mostly methods that they have. */
static void push_drawing(struct igt_nv3_batch *batch)
{
	static const struct {
		uint32_t mthd, most;
	} runs[] = {
		{ 0x104, 1 }, { 0x2fc, 4 }, { 0x300, 8 }, { 0x304, 7 },
		{ 0x30c, 8 }, { 0x310, 4 }, { 0x400, 40 }, { 0x1000, 64 },
		{ 0x1000, 8 },
	};
	uint32_t n = 1 + random_below(80), subch;

	for (subch = 0; subch < 8; subch++)
		igt_nv3_select(batch, subch, 1 + random_below(OBJECTS));
	while (n--) {
		uint32_t i = random_below(ARRAY_SIZE(runs));
		uint32_t count = 1 + random_below(runs[i].most);

		igt_nv3_begin(batch, random_below(8), runs[i].mthd, count);
		while (count--)
			igt_nv3_word(batch, random_value());
	}
}

static void attacker_init(struct attacker *a, int fd)
{
	uint32_t i;

	igt_nv3_client_init(&a->client, drm_reopen_driver(fd));
	for (i = 0; i < ARRAY_SIZE(a->bos); i++)
		a->bos[i] = igt_nv3_bo_create(a->client.fd, 1 << 18,
					      i < 2 ? DRM_NV3_GEM_VRAM :
						      DRM_NV3_GEM_SYSTEM);
	make_objects(a);
}

static void attacker_fini(struct attacker *a)
{
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(a->bos); i++)
		igt_nv3_bo_destroy(&a->bos[i]);
	igt_nv3_client_fini(&a->client);
	close(a->client.fd);
}

/* One batch; whether the channel can take another. */
static bool attack(struct attacker *a,
		   void (*push)(struct igt_nv3_batch *batch))
{
	struct igt_nv3_batch *batch = &a->client.batch;
	uint32_t i;

	push(batch);
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

static void attack_for(int fd, time_t end,
		       void (*push)(struct igt_nv3_batch *batch))
{
	struct attacker a;
	uint32_t channels = 0, batches = 0;

	while (now() < end) {
		attacker_init(&a, fd);
		do
			batches++;
		while (now() < end && attack(&a, push));
		attacker_fini(&a);
		channels++;
	}
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

static void test_hostile(int fd, uint64_t seed,
			 void (*push)(struct igt_nv3_batch *batch))
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
