/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("More buffers than VRAM and RAMIN hold, used at random, with exact contents.");

/*
 * Each page of a buffer has a seed, which determines the contents of the page. In a step, the CPU
 * writes or checks pages through a mapping, the chip copies a run of pages from one buffer to
 * another, or the test replaces a buffer. The test ends with a check of all pages.
 */

#define PAGE		4096u
#define PAGE_WORDS	(PAGE / 8)
#define KIB		1024u
#define MIB		(1024u * KIB)

#define BUFFER_MIN	(64u * KIB)
#define BUFFER_MAX	(4u * MIB)
#define BUFFER_VRAM	MIB

/*
 * Maximum number of pages that a step writes, checks or copies. The chip copies each page as a
 * line.
 */
#define RUN_MAX		16u
#define SUB		6

#define NAME_M2MF	0x2000
#define NAME_IN		0x2001
#define NAME_OUT	0x2002

/*
 * Environment variable with the duration of test_soak() in seconds. test_soak() needs a guest with
 * 4 GiB of memory.
 */
#define SOAK_ENV	"NV3_SOAK_SECONDS"
#define SOAK_BUFFERS	2000

/* Period of the watcher thread */
#define WATCH_NS	5000000

enum kind {
	STEP_WRITE,
	STEP_CHECK,
	STEP_COPY,
	STEP_REPLACE,
	STEP_COUNT
};

static const char *const kinds[] = { "write", "check", "copy", "replace" };

/* Duration of a step, in seconds */
struct took {
	enum kind kind;
	double wall;
	/* CPU time of the thread in seconds, including kernel time */
	double cpu;
	/* Time in seconds for which the host did not run the guest */
	double stood;
};

/*
 * Measures the time for which a busy host does not run the guest's CPU. A thread of higher priority
 * on the same CPU sleeps for short periods, and sums the delays with which it wakes up.
 */
struct watcher {
	pthread_t thread;
	atomic_bool stop;
	atomic_llong stood_ns;
};

struct buffer {
	struct igt_nv3_bo bo;
	uint32_t pages;
	uint32_t *seeds;
};

struct memory {
	int fd;
	struct igt_nv3_client client;
	struct buffer *buffers;
	uint32_t count;
	uint64_t bytes;
	uint64_t random;
	uint64_t steps[STEP_COUNT];
	struct took slowest;
	struct watcher watcher;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static double cpu_time(void)
{
	struct rusage use;

	getrusage(RUSAGE_THREAD, &use);
	return use.ru_utime.tv_sec + use.ru_stime.tv_sec +
	       (use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

static void *watch(void *arg)
{
	const struct timespec nap = { .tv_nsec = WATCH_NS };
	const struct sched_param first = { .sched_priority = 50 };
	struct watcher *watcher = arg;

	pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
	while (!watcher->stop) {
		double start = now(), late;

		clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
		late = now() - start - WATCH_NS * 1e-9;
		watcher->stood_ns += (long long)(late * 1e9);
	}
	return NULL;
}

static void watcher_init(struct watcher *watcher)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(0, &here);
	igt_assert_eq(sched_setaffinity(0, sizeof(here), &here), 0);
	igt_assert_eq(pthread_create(&watcher->thread, NULL, watch, watcher), 0);
}

static void watcher_fini(struct watcher *watcher)
{
	watcher->stop = true;
	pthread_join(watcher->thread, NULL);
}

/* Returns a pseudo-random number (xorshift64*). The sequence is the same in each run. */
static uint32_t rnd(struct memory *m)
{
	m->random ^= m->random >> 12;
	m->random ^= m->random << 25;
	m->random ^= m->random >> 27;
	return m->random * 0x2545f4914f6cdd1dull >> 32;
}

static uint32_t below(struct memory *m, uint32_t limit)
{
	return (uint64_t)rnd(m) * limit >> 32;
}

/*
 * Returns a random size from 64 KiB to 4 MiB. Each of the six ranges between consecutive powers of
 * two is equally probable.
 */
static uint64_t random_size(struct memory *m)
{
	uint64_t base = (uint64_t)BUFFER_MIN << below(m, 6);
	uint64_t size = base + below(m, base);

	return size > BUFFER_MAX ? BUFFER_MAX : size & ~(uint64_t)(PAGE - 1);
}

static uint64_t *page_of(struct buffer *b, uint32_t page)
{
	return (uint64_t *)((char *)b->bo.map + (uint64_t)page * PAGE);
}

/*
 * Returns word @word of a page with the seed @seed. Seed 0 denotes a page of zeroes, as in a new
 * buffer.
 */
static uint64_t pattern(uint32_t seed, uint32_t word)
{
	return seed ? (seed * 0x9e3779b97f4a7c15ull) ^ (word * 0x100000001ull) : 0;
}

static void write_page(struct buffer *b, uint32_t page, uint32_t seed)
{
	uint64_t *words = page_of(b, page);
	uint32_t i;

	b->seeds[page] = seed;
	for (i = 0; i < PAGE_WORDS; i++)
		words[i] = pattern(seed, i);
}

static void check_page(struct memory *m, uint32_t n, uint32_t page)
{
	struct buffer *b = &m->buffers[n];
	const uint64_t *words = page_of(b, page);
	uint32_t i;

	for (i = 0; i < PAGE_WORDS; i++)
		igt_assert_f(words[i] == pattern(b->seeds[page], i),
			     "buffer %u of %u pages, page %u, word %u: %#llx, not %#llx\n",
			     n, b->pages, page, i, (unsigned long long)words[i],
			     (unsigned long long)pattern(b->seeds[page], i));
}

static void make(struct memory *m, uint32_t n)
{
	static const uint32_t domains[] = {
		DRM_NV3_GEM_SYSTEM,
		DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM,
		DRM_NV3_GEM_VRAM,
	};
	struct buffer *b = &m->buffers[n];
	uint64_t size = random_size(m);
	/*
	 * The two buffers of a copy must fit into VRAM together, so a large buffer must not require
	 * VRAM.
	 */
	uint32_t kinds = size > BUFFER_VRAM ? 2 : 3;

	b->bo = igt_nv3_bo_create(m->fd, size, domains[below(m, kinds)]);
	b->pages = b->bo.size / PAGE;
	b->seeds = calloc(b->pages, sizeof(*b->seeds));
	igt_assert(b->seeds);
	m->bytes += b->bo.size;
}

static void unmake(struct memory *m, uint32_t n)
{
	struct buffer *b = &m->buffers[n];

	m->bytes -= b->bo.size;
	igt_nv3_bo_destroy(&b->bo);
	free(b->seeds);
}

/* Returns the first page of a random run of @count pages in buffer @n. */
static uint32_t random_run(struct memory *m, uint32_t n, uint32_t count)
{
	return below(m, m->buffers[n].pages - count + 1);
}

static void step_write(struct memory *m)
{
	uint32_t n = below(m, m->count), count = 1 + below(m, RUN_MAX);
	uint32_t page = random_run(m, n, count), i;

	for (i = 0; i < count; i++)
		write_page(&m->buffers[n], page + i, rnd(m) | 1);
}

static void step_check(struct memory *m)
{
	uint32_t n = below(m, m->count), count = 1 + below(m, RUN_MAX);
	uint32_t page = random_run(m, n, count), i;

	for (i = 0; i < count; i++)
		check_page(m, n, page + i);
}

static void step_replace(struct memory *m)
{
	uint32_t n = below(m, m->count);

	unmake(m, n);
	make(m, n);
}

static void copy_batch(struct memory *m, struct buffer *from, uint32_t in,
		       struct buffer *to, uint32_t out, uint32_t count)
{
	struct igt_nv3_batch *batch = &m->client.batch;

	igt_nv3_use(batch, &from->bo, NV3_READ);
	igt_nv3_use(batch, &to->bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, SUB, NAME_M2MF);
	igt_nv3_begin(batch, SUB, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(batch, in * PAGE);
	igt_nv3_word(batch, out * PAGE);
	igt_nv3_word(batch, PAGE);
	igt_nv3_word(batch, PAGE);
	igt_nv3_word(batch, PAGE);
	igt_nv3_word(batch, count);
	igt_nv3_word(batch, 1 << 8 | 1);
	igt_nv3_word(batch, 0);
	igt_nv3_run_ok(batch);
}

/*
 * RAMIN is too small for the page tables of all buffers, so the step destroys its DMA objects after
 * the copy.
 */
static void step_copy(struct memory *m)
{
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dma = { NAME_IN, NAME_OUT },
	};
	uint32_t a = below(m, m->count), b = below(m, m->count), i;
	uint32_t count = 1 + below(m, RUN_MAX), in, out;
	uint32_t channel = m->client.channel;

	if (a == b)
		return;
	in = random_run(m, a, count);
	out = random_run(m, b, count);
	igt_nv3_dma(m->fd, channel, NAME_IN, &m->buffers[a].bo, 0);
	igt_nv3_dma(m->fd, channel, NAME_OUT, &m->buffers[b].bo,
		    DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(m->fd, channel, NAME_M2MF,
				       NV3_CLASS_M2MF, &args, sizeof(args)), 0);
	copy_batch(m, &m->buffers[a], in, &m->buffers[b], out, count);
	igt_assert_eq(__igt_nv3_object_destroy(m->fd, channel, NAME_M2MF), 0);
	igt_assert_eq(__igt_nv3_object_destroy(m->fd, channel, NAME_OUT), 0);
	igt_assert_eq(__igt_nv3_object_destroy(m->fd, channel, NAME_IN), 0);

	for (i = 0; i < count; i++) {
		m->buffers[b].seeds[out + i] = m->buffers[a].seeds[in + i];
		check_page(m, b, out + i);
	}
}

static void step(struct memory *m)
{
	static void (*const steps[])(struct memory *m) = {
		step_write, step_check, step_copy, step_replace,
	};
	/*
	 * Executes a random step. On average, five of sixteen steps write pages, five check pages,
	 * five copy pages, and one replaces a buffer.
	 */
	enum kind kind = below(m, 16) / 5;
	long long stood = m->watcher.stood_ns;
	double start = now(), cpu = cpu_time();
	struct took took = { .kind = kind };

	steps[kind](m);
	m->steps[kind]++;
	took.wall = now() - start;
	took.cpu = cpu_time() - cpu;
	took.stood = (m->watcher.stood_ns - stood) * 1e-9;
	if (took.wall > m->slowest.wall)
		m->slowest = took;
}

static void memory_init(struct memory *m, int fd, uint32_t count)
{
	uint32_t n, page;

	memset(m, 0, sizeof(*m));
	m->fd = fd;
	m->count = count;
	m->random = 0x6e7633;
	m->buffers = calloc(count, sizeof(*m->buffers));
	igt_assert(m->buffers);
	igt_nv3_client_init(&m->client, fd);
	watcher_init(&m->watcher);
	for (n = 0; n < count; n++) {
		make(m, n);
		/*
		 * Write every eighth page. The other pages must stay zero until a step writes to
		 * them.
		 */
		for (page = n % 8; page < m->buffers[n].pages; page += 8)
			write_page(&m->buffers[n], page, rnd(m) | 1);
	}
}

static void memory_fini(struct memory *m)
{
	uint64_t bytes = m->bytes;
	uint32_t n, page;

	for (n = 0; n < m->count; n++) {
		for (page = 0; page < m->buffers[n].pages; page++)
			check_page(m, n, page);
		unmake(m, n);
	}
	free(m->buffers);
	watcher_fini(&m->watcher);
	igt_nv3_client_fini(&m->client);
	igt_info("%u buffers, %llu MiB; %llu writes, %llu checks, %llu copies, %llu replaced\n",
		 m->count, (unsigned long long)(bytes / MIB),
		 (unsigned long long)m->steps[STEP_WRITE],
		 (unsigned long long)m->steps[STEP_CHECK],
		 (unsigned long long)m->steps[STEP_COPY],
		 (unsigned long long)m->steps[STEP_REPLACE]);
	igt_info("slowest step: a %s, %.0f ms, of which %.0f on the CPU; the host did not run the guest for %.0f\n",
		 kinds[m->slowest.kind], m->slowest.wall * 1e3,
		 m->slowest.cpu * 1e3, m->slowest.stood * 1e3);
}

static void test_random(int fd)
{
	struct memory m;
	uint32_t i;

	memory_init(&m, fd, 100);
	igt_assert(m.bytes > 2 * igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_SIZE));
	for (i = 0; i < 400; i++)
		step(&m);
	memory_fini(&m);
}

static void test_soak(int fd)
{
	const char *seconds = getenv(SOAK_ENV);
	struct memory m;
	double end;

	igt_require_f(seconds && atoi(seconds) > 0,
		      SOAK_ENV " says for how long; needs 4 GiB of memory\n");
	memory_init(&m, fd, SOAK_BUFFERS);
	end = now() + atoi(seconds);
	while (now() < end)
		step(&m);
	memory_fini(&m);
	/* Wrong contents are a more important result than a slow step, so check the time last. */
	igt_assert_f(m.slowest.wall - m.slowest.stood < 1.0,
		     "a step took %.0f ms\n", m.slowest.wall * 1e3);
}

int igt_main()
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_require(igt_nv3_has_class(fd, NV3_CLASS_M2MF));
	}

	igt_describe("A hundred buffers: writes, copies by the chip, replacements.");
	igt_subtest("random")
		test_random(fd);

	igt_describe("Two thousand buffers for " SOAK_ENV " seconds, each step in less than a second.");
	igt_subtest("soak")
		test_soak(fd);

	igt_fixture()
		drm_close_driver(fd);
}
