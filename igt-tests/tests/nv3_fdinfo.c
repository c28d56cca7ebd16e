/* SPDX-License-Identifier: MIT */
/*
 * Checks /proc/PID/fdinfo/FD (Documentation/gpu/drm-usage-stats.rst): the times and sizes of a file
 * reflect the activity of this file, and do not depend on other files.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_freeze.h"

IGT_TEST_DESCRIPTION("fdinfo: engine time and memory of each client.");

#define MIB		(1 << 20)
/* Width and height of a rectangle, and number of rectangles in a batch */
#define SIDE		1024
#define RECTS		40

/*
 * Copies the value of @key in the fdinfo of @fd to @value. Returns false if fdinfo lacks the key.
 */
static bool fdinfo_string(int fd, const char *key, char *value, size_t size)
{
	char path[64], line[256];
	size_t length = strlen(key);
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	igt_assert(file);
	while (!found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, length) || line[length] != ':')
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(value, size, "%s",
			 line + length + 1 + strspn(line + length + 1, " \t"));
		found = true;
	}
	fclose(file);
	return found;
}

/*
 * Returns the value of @key in fdinfo as a number. Times are in nanoseconds, and sizes are
 * converted to bytes.
 */
static uint64_t fdinfo_value(int fd, const char *key)
{
	char value[64], unit[8] = "";
	uint64_t n;

	igt_assert_f(fdinfo_string(fd, key, value, sizeof(value)),
		     "no %s\n", key);
	igt_assert(sscanf(value, "%" SCNu64 " %7s", &n, unit) >= 1);
	if (strcmp(unit, "KiB") == 0)
		return n << 10;
	if (strcmp(unit, "MiB") == 0)
		return n << 20;
	igt_assert(!unit[0] || strcmp(unit, "ns") == 0);
	return n;
}

static uint64_t engine_ns(int fd)
{
	return fdinfo_value(fd, "drm-engine-graph");
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

static void test_keys(int fd)
{
	int other = drm_reopen_driver(fd);
	char value[64], id[64];

	igt_assert(fdinfo_string(fd, "drm-driver", value, sizeof(value)));
	igt_assert(strcmp(value, "nv3") == 0);
	igt_assert(fdinfo_string(fd, "drm-pdev", value, sizeof(value)));
	igt_assert(strchr(value, ':') && strchr(value, '.'));
	igt_assert(fdinfo_string(fd, "drm-client-id", id, sizeof(id)));
	igt_assert(fdinfo_string(other, "drm-client-id", value, sizeof(value)));
	igt_assert(strcmp(value, id));
	igt_assert_eq_u64(engine_ns(other), 0);
	igt_assert_eq_u64(fdinfo_value(other, "drm-total-vram"), 0);
	igt_assert_eq_u64(fdinfo_value(other, "drm-total-system"), 0);
	/* The device has no cycle counter, so fdinfo must not report cycles. */
	igt_assert(!fdinfo_string(fd, "drm-cycles-graph", value, sizeof(value)));
	igt_assert(!fdinfo_string(fd, "drm-maxfreq-graph", value, sizeof(value)));
	close(other);
}

/* ---- engine time ---- */

struct worker {
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
};

static void worker_init(struct worker *w, int fd)
{
	igt_nv3_client_init(&w->client, drm_reopen_driver(fd));
	w->bo = igt_nv3_bo_create(w->client.fd, 2 * SIDE * SIDE,
				  DRM_NV3_GEM_VRAM);
	igt_nv3_surface(w->client.fd, w->client.channel, 0x1000, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &w->bo, 2 * SIDE, SIDE, SIDE);
}

static void worker_fini(struct worker *w)
{
	int fd = w->client.fd;

	igt_nv3_bo_destroy(&w->bo);
	igt_nv3_client_fini(&w->client);
	close(fd);
}

static void worker_submit(struct worker *w, uint32_t rects)
{
	struct igt_nv3_batch *batch = &w->client.batch;
	uint32_t i;

	igt_nv3_use(batch, &w->bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_COLOR, 0x1000);
	igt_nv3_method(batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, 0x1234);
	for (i = 0; i < rects; i++) {
		igt_nv3_begin(batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2);
		igt_nv3_word(batch, 0);
		igt_nv3_word(batch, SIDE << 16 | SIDE);
	}
	igt_assert_eq(__igt_nv3_submit(batch, 0), 0);
}

/*
 * The driver charges engine time only to the client that draws, and never charges more than the
 * elapsed time.
 */
static void test_engine(int fd)
{
	uint64_t start, elapsed, busy, idle, before, during;
	struct worker a, b;
	uint32_t i;

	worker_init(&a, fd);
	worker_init(&b, fd);
	idle = engine_ns(b.client.fd);
	before = engine_ns(a.client.fd);
	start = now_ns();
	for (i = 0; i < 4; i++)
		worker_submit(&a, RECTS);
	during = engine_ns(a.client.fd);
	igt_nv3_bo_wait(&a.bo);
	elapsed = now_ns() - start;
	busy = engine_ns(a.client.fd) - before;
	igt_info("%llu us of %llu us\n", (unsigned long long)busy / 1000,
		 (unsigned long long)elapsed / 1000);
	igt_assert(during >= before && during <= before + busy);
	igt_assert(busy <= elapsed);
	/*
	 * The client submits without pauses, so it must have used the chip for at least a quarter
	 * of the elapsed time.
	 */
	igt_assert(busy >= elapsed / 4);
	igt_assert_eq_u64(engine_ns(b.client.fd), idle);
	/* The chip's idle time is not charged to any client. */
	usleep(20000);
	igt_assert_eq_u64(engine_ns(a.client.fd), before + busy);
	igt_assert_eq_u64(igt_nv3_param(a.client.fd, DRM_NV3_PARAM_ENGINE_NS),
			  before + busy);
	worker_fini(&a);
	worker_fini(&b);
}

/* Duration of a freeze, and time limit for the start of a batch */
#define FREEZE_US		100000
#define BEGIN_MS	10000

/*
 * Keeps a batch of the client @runs on the chip, while a batch of the client @waits is queued. A
 * frozen resource manager does not notice that a batch has ended, so the charged time does not
 * depend on the speed of the chip.
 */
static void freeze_chip(int freeze, struct worker *runs, struct worker *waits)
{
	uint64_t idle = engine_ns(waits->client.fd), before = engine_ns(runs->client.fd);
	uint64_t start, frozen, end;
	unsigned int ms;

	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	worker_submit(runs, 1);
	for (ms = 0; engine_ns(runs->client.fd) == before; ms++) {
		igt_assert_lt(ms, BEGIN_MS);
		usleep(1000);
	}
	worker_submit(waits, 1);

	start = engine_ns(runs->client.fd);
	frozen = now_ns();
	usleep(FREEZE_US);
	frozen = now_ns() - frozen;
	igt_assert(engine_ns(runs->client.fd) - start >= frozen);
	igt_assert_eq_u64(engine_ns(waits->client.fd), idle);

	end = now_ns();
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	igt_nv3_bo_wait(&runs->bo);
	igt_nv3_bo_wait(&waits->bo);
	end = now_ns() - end;
	/*
	 * The time until the end of the freeze is charged to @runs, although the batch of @runs may
	 * have ended earlier.
	 */
	igt_assert(engine_ns(runs->client.fd) - before >= frozen);
	igt_assert(engine_ns(waits->client.fd) > idle);
	igt_assert(engine_ns(waits->client.fd) - idle <= end);
}

/*
 * The driver charges the chip's time to the client whose batch is on the chip, and not to a client
 * that waits. It never charges the same interval to both clients.
 */
static void test_engine_shares(int fd)
{
	int freeze = igt_nv3_freeze_open(fd);
	uint64_t a_ns, b_ns, start, elapsed;
	struct worker a, b;

	worker_init(&a, fd);
	worker_init(&b, fd);
	/* Place the buffers now, because a frozen resource manager can't move buffers. */
	worker_submit(&a, 1);
	worker_submit(&b, 1);
	igt_nv3_bo_wait(&a.bo);
	igt_nv3_bo_wait(&b.bo);

	a_ns = engine_ns(a.client.fd);
	b_ns = engine_ns(b.client.fd);
	start = now_ns();
	freeze_chip(freeze, &a, &b);
	freeze_chip(freeze, &b, &a);
	a_ns = engine_ns(a.client.fd) - a_ns;
	b_ns = engine_ns(b.client.fd) - b_ns;
	elapsed = now_ns() - start;
	igt_info("%llu us and %llu us of %llu us\n",
		 (unsigned long long)a_ns / 1000,
		 (unsigned long long)b_ns / 1000,
		 (unsigned long long)elapsed / 1000);
	igt_assert(a_ns + b_ns <= elapsed);
	worker_fini(&a);
	worker_fini(&b);
	close(freeze);
}

/* ---- memory ---- */

static void test_memory(int fd)
{
	int file = drm_reopen_driver(fd), other = drm_reopen_driver(fd);
	struct igt_nv3_bo vram, system;
	uint32_t handle;
	int dmabuf;

	vram = igt_nv3_bo_create(file, MIB, DRM_NV3_GEM_VRAM);
	memset(vram.map, 1, vram.size);
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-vram"), MIB);
	igt_assert_eq_u64(fdinfo_value(file, "drm-resident-vram"), MIB);
	igt_assert_eq_u64(fdinfo_value(file, "drm-shared-vram"), 0);
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-system"), 0);

	system = igt_nv3_bo_create(file, 3 * MIB, DRM_NV3_GEM_SYSTEM);
	memset(system.map, 1, system.size);
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-vram"), MIB);
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-system"), 3 * MIB);
	igt_assert_eq_u64(fdinfo_value(file, "drm-resident-system"), 3 * MIB);
	igt_assert_eq_u64(fdinfo_value(other, "drm-total-system"), 0);

	/* The fdinfo of both files includes the size of a shared buffer. */
	igt_assert_eq(drmPrimeHandleToFD(file, system.handle, O_CLOEXEC,
					 &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &handle), 0);
	igt_assert_eq_u64(fdinfo_value(file, "drm-shared-system"), 3 * MIB);
	igt_assert_eq_u64(fdinfo_value(other, "drm-shared-system"), 3 * MIB);
	close(dmabuf);
	drmCloseBufferHandle(other, handle);

	igt_nv3_bo_destroy(&system);
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-system"), 0);
	igt_nv3_bo_destroy(&vram);
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-vram"), 0);
	close(file);
	close(other);
}

/* After an eviction, fdinfo counts the buffer as system memory instead of VRAM. */
#define FILLERS	128

static void test_memory_moves(int fd)
{
	int file = drm_reopen_driver(fd), other = drm_reopen_driver(fd);
	uint32_t filler[FILLERS], count = 0;
	struct igt_nv3_bo bo;
	uint64_t size;

	bo = igt_nv3_bo_create(file, MIB, DRM_NV3_GEM_VRAM |
			       DRM_NV3_GEM_SYSTEM);
	memset(bo.map, 1, bo.size);
	igt_assert_eq_u64(fdinfo_value(file, "drm-resident-vram"), MIB);
	do {
		size = 128 << 10;
		igt_assert_lt(count, FILLERS);
		igt_assert_eq(__igt_nv3_gem_create(other, &size,
						   DRM_NV3_GEM_VRAM, 0,
						   &filler[count]), 0);
		count++;
	} while (fdinfo_value(file, "drm-resident-vram"));
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-vram"), 0);
	igt_assert_eq_u64(fdinfo_value(file, "drm-total-system"), MIB);
	igt_assert_eq_u64(fdinfo_value(other, "drm-total-vram"),
			  count * size);
	igt_assert_eq_u64(fdinfo_value(other, "drm-total-system"), 0);
	while (count)
		drmCloseBufferHandle(other, filler[--count]);
	igt_nv3_bo_destroy(&bo);
	close(file);
	close(other);
}

/* ---- a standard tool ---- */

/*
 * Parses a line of gputop: "PID MEM RSS | PERCENT% BAR | NAME". Returns the percentage of engine
 * time, or -1 if the line is about another process or reports no memory.
 */
static double parse_gputop(const char *line)
{
	char memory[16], resident[16];
	double percent;
	int pid;

	if (sscanf(line, "%d %15s %15s | %lf%%", &pid, memory, resident, &percent) != 4 ||
	    pid != getpid() || !strstr(line, "nv3_fdinfo"))
		return -1;
	return atoi(memory) > 0 && atoi(resident) > 0 ? percent : -1;
}

/*
 * Runs IGT's gputop in another process. gputop must list this client with engine time and memory.
 */
static void test_gputop(int fd)
{
	struct worker w;
	char line[512];
	atomic_bool *done;
	double busy = -1;
	FILE *out;

	igt_require_f(!system("gputop --help >/dev/null 2>&1"), "no gputop\n");
	done = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(done != MAP_FAILED);
	worker_init(&w, fd);
	out = popen("gputop -n 2 -d 1 2>&1", "r");
	igt_assert(out);
	/* The child keeps the chip busy until gputop has ended. */
	igt_fork(child, 1) {
		while (!*done) {
			worker_submit(&w, RECTS);
			igt_nv3_bo_wait(&w.bo);
		}
	}
	while (fgets(line, sizeof(line), out)) {
		igt_debug("%s", line);
		busy = fmax(busy, parse_gputop(line));
	}
	*done = true;
	igt_assert_eq(pclose(out), 0);
	igt_waitchildren();
	munmap(done, sizeof(*done));
	igt_info("gputop: %.1f %% of the engine's time\n", busy);
	igt_assert(busy > 0);
	igt_nv3_bo_wait(&w.bo);
	worker_fini(&w);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("The standard keys, and those of the engine.");
	igt_subtest("keys")
		test_keys(fd);

	igt_describe("Engine time grows with the client's own work.");
	igt_subtest("engine")
		test_engine(fd);

	igt_describe("Engine time is charged to the client whose batch is on the chip.");
	igt_subtest("engine-shares")
		test_engine_shares(fd);

	igt_describe("Memory sizes follow allocations.");
	igt_subtest("memory")
		test_memory(fd);

	igt_describe("Memory sizes follow evictions.");
	igt_subtest("memory-moves")
		test_memory_moves(fd);

	igt_describe("gputop lists the client.");
	igt_subtest("gputop")
		test_gputop(fd);

	igt_fixture()
		drm_close_driver(fd);
}
