/* SPDX-License-Identifier: MIT */
/*
 * Causes each kind of fault on each type of channel on which the fault can occur, and checks the
 * fault's reason. Meanwhile a second client draws 60 frames per second. Each test prints the time
 * until the fault, and the longest frame time of the second client. The test fails if one of these
 * times exceeds a limit, which is long enough for a busy host.
 */
#include <sys/mman.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_chaos.h"
#include "igt_nv3_freeze.h"
#include "igt_nv3_painter.h"
#include "igt_nv3_pm.h"

IGT_TEST_DESCRIPTION("Each fault is reported with its reason, and other clients go on drawing.");

#define OBJECT		0x1000
#define MEMORY		0x2000
#define SEM		0x3000
#define FLIP		0x4000
#define SUB		IGT_NV3_SUB_FREE
#define SIDE		1024
#define BUDGET_MS	60
#define WAIT_MS		50

#define FRAME_NS	INT64_C(16666667)
#define NS		INT64_C(1000000000)
/* Time limit for a fault or a frame, long enough for a host with a hundred other busy processes. */
#define PATIENCE_NS	(20 * NS)

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS + ts.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	struct timespec ts = { .tv_sec = ns / NS, .tv_nsec = ns % NS };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* ---- the faulting client ---- */

struct faulting {
	uint32_t type;		/* DRM_NV3_CHANNEL_* */
	struct igt_nv3_pio pio;	/* With a DMA channel, only pio.client is used. */
	struct igt_nv3_bo memory;
};

static void method(struct faulting *c, uint32_t subch, uint32_t mthd,
		   uint32_t arg)
{
	if (c->type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_store(&c->pio, subch, mthd, arg);
	else
		igt_nv3_method(&c->pio.client.batch, subch, mthd, arg);
}

static void object(struct faulting *c, uint32_t name, uint32_t class_id,
		   const void *args, uint32_t size)
{
	const struct igt_nv3_client *client = &c->pio.client;

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, name,
				       class_id, args, size), 0);
}

static void select_object(struct faulting *c, uint32_t name)
{
	method(c, SUB, NV3_MTHD_OBJECT, name);
}

/*
 * Creates a client with a channel of type @type. If @waits is true, the channel is a long-running
 * channel. @budget_ms is the budget of a DMA channel, or 0 for the default budget.
 */
static void faulting_init(struct faulting *c, int fd, uint32_t type,
			 uint32_t budget_ms, bool waits)
{
	struct igt_nv3_client *client = &c->pio.client;

	memset(c, 0, sizeof(*c));
	c->type = type;
	if (type == DRM_NV3_CHANNEL_PIO && waits)
		igt_nv3_pio_init_lr(&c->pio, fd);
	else if (type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_pio_init(&c->pio, fd);
	else if (waits)
		igt_nv3_client_init_lr(client, fd);
	else
		igt_nv3_client_init_budget(client, fd, budget_ms);
	c->memory = igt_nv3_bo_create(fd, 2 * SIDE * SIDE,
				      DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM);
	igt_nv3_dma(fd, client->channel, MEMORY, &c->memory, DRM_NV3_DMA_WRITE);
	if (type == DRM_NV3_CHANNEL_DMA) {
		igt_nv3_use(&client->batch, &client->color,
			    NV3_READ | NV3_WRITE);
		igt_nv3_use(&client->batch, &c->memory, NV3_READ | NV3_WRITE);
	}
}

static void faulting_fini(struct faulting *c)
{
	if (c->type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_pio_fini(&c->pio);
	else
		igt_nv3_client_fini(&c->pio.client);
	igt_nv3_bo_destroy(&c->memory);
}

/* Submits or flushes the methods of the test case, and waits until the channel has faulted. */
static void faulting_run(struct faulting *c)
{
	if (c->type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_pio_run(&c->pio);
	else
		igt_nv3_run(&c->pio.client.batch);
}

static uint32_t faulting_fault(struct faulting *c)
{
	return igt_nv3_fault(c->pio.client.fd, c->pio.client.channel, NULL);
}

/* ---- the faults ---- */

static void do_name(struct faulting *c)
{
	select_object(c, 0xbad);
}

static void do_unbound(struct faulting *c)
{
	method(c, 6, NV3_RECT_COLOR, 0);
}

/* A DMA object has no methods, so it can't be bound. */
static void do_class(struct faulting *c)
{
	select_object(c, MEMORY);
}

static void do_method(struct faulting *c)
{
	method(c, IGT_NV3_SUB_RECT, 0x1f00, 0x1234);
}

/* 0 is neither a valid depth function nor a valid culling mode. */
static void do_value(struct faulting *c)
{
	igt_nv3_graph(c->pio.client.fd, c->pio.client.channel, OBJECT,
		      NV3_CLASS_D3D, 1);
	select_object(c, OBJECT);
	method(c, SUB, NV3_D3D_CONFIG, 0);
}

/* Starts a blit with SIZE, but omits POINT_IN and POINT_OUT, which must precede SIZE. */
static void do_state(struct faulting *c)
{
	igt_nv3_graph(c->pio.client.fd, c->pio.client.channel, OBJECT,
		      NV3_CLASS_BLIT, 1);
	select_object(c, OBJECT);
	method(c, SUB, NV3_BLIT_SIZE, 8 << 16 | 8);
}

static void do_no_header(struct faulting *c)
{
	igt_nv3_word(&c->pio.client.batch, 0xffffffff);
	igt_nv3_word(&c->pio.client.batch, 0);
}

/* Ends the batch with a header for two methods, followed by a single argument. */
static void do_short_run(struct faulting *c)
{
	igt_nv3_begin(&c->pio.client.batch, IGT_NV3_SUB_RECT,
		      NV3_RECT_POINT(0), 2);
	igt_nv3_word(&c->pio.client.batch, 0);
}

/* Stores 16 bits to the USER aperture, which accepts only stores of 32 bits. */
static void do_access(struct faulting *c)
{
	*(volatile uint16_t *)(c->pio.aperture + NV3_RECT_COLOR / 4) = 1;
}

/* While the resource manager is frozen, stores more methods than CACHE1 and RAMRO hold. */
static void do_runout(struct faulting *c)
{
	int freeze = igt_nv3_freeze_open(c->pio.client.fd);
	uint32_t count = igt_nv3_freeze_puller(freeze, &c->pio) + IGT_NV3_RAMRO + 1;

	while (count--)
		igt_nv3_poke(&c->pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, count);
	close(freeze);
}

struct copy {
	uint32_t in, length, lines;
	/* pitch of the destination in bytes (the pitch of the source is 0) */
	uint32_t out_pitch;
	/* distance in bytes between copied bytes, in the source and in the destination */
	uint32_t step;
};

static void do_copy(struct faulting *c, const struct copy *copy)
{
	const struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dma = { MEMORY, MEMORY },
	};

	object(c, OBJECT, NV3_CLASS_M2MF, &args, sizeof(args));
	select_object(c, OBJECT);
	method(c, SUB, NV3_M2MF_OFFSET_IN, copy->in);
	method(c, SUB, NV3_M2MF_OFFSET_OUT, 0);
	method(c, SUB, NV3_M2MF_PITCH_IN, 0);
	method(c, SUB, NV3_M2MF_PITCH_OUT, copy->out_pitch);
	method(c, SUB, NV3_M2MF_LINE_LENGTH, copy->length);
	method(c, SUB, NV3_M2MF_LINE_COUNT, copy->lines);
	method(c, SUB, NV3_M2MF_FORMAT, copy->step << 8 | copy->step);
	method(c, SUB, NV3_M2MF_BUF_NOTIFY, 0);
}

static void do_page(struct faulting *c)
{
	do_copy(c, &(struct copy) {
		.in = 2 * SIDE * SIDE - 64, .length = 128, .lines = 1,
		.step = 1,
	});
}

/* After about a megabyte, the copy reaches an address outside the DMA object. */
static void do_late_page(struct faulting *c)
{
	do_copy(c, &(struct copy) {
		.length = 16384, .lines = 2047, .out_pitch = 0x7800,
		.step = 2,
	});
}

/* A single method copies four gigabytes. */
static void do_endless(struct faulting *c)
{
	do_copy(c, &(struct copy) {
		.length = 2 * SIDE * SIDE, .lines = 2047, .step = 1,
	});
}

/* A single method copies two gigabytes, with a gap after each byte. */
static void do_endless_bytes(struct faulting *c)
{
	do_copy(c, &(struct copy) {
		.length = SIDE * SIDE, .lines = 2047, .step = 2,
	});
}

/* Draws for longer than the small budget of the channel allows. */
static void do_long(struct faulting *c)
{
	igt_nv3_push_long(&c->pio.client, &c->memory);
}

/* Waits for a semaphore value that no client releases. */
static void do_wait(struct faulting *c)
{
	const struct drm_nv3_semaphore_args args = {
		.handle = c->memory.handle, .timeout_ms = WAIT_MS,
	};

	object(c, SEM, DRM_NV3_CLASS_SEMAPHORE, &args, sizeof(args));
	select_object(c, SEM);
	method(c, SUB, NV3_SEMAPHORE_ACQUIRE, 1);
}

/* Flips without being the DRM master. */
static void do_flip(struct faulting *c)
{
	const struct drm_nv3_flip_args args = { 0 };

	object(c, FLIP, DRM_NV3_CLASS_FLIP, &args, sizeof(args));
	select_object(c, FLIP);
	method(c, SUB, NV3_FLIP_FLIP, 1);
}

/* ---- the faults of class PROGRAMS ---- */

#define ADDRESS		0x00010000u	/* address of the client's memory */
#define QUADS		8

/*
 * Creates and binds an object of class PROGRAMS. The client's memory contains the fragment program,
 * followed by the colour target.
 */
static void select_programs(struct faulting *c, const uint32_t *program, uint32_t count)
{
	const int fd = c->pio.client.fd;
	const struct drm_nv3_programs_args args = { .vm = igt_nv3_vm_create(fd) };

	memcpy(c->memory.map, program, count * sizeof(*program));
	igt_nv3_vm_map(fd, args.vm, &c->memory, ADDRESS);
	object(c, OBJECT, DRM_NV3_CLASS_PROGRAMS, &args, sizeof(args));
	select_object(c, OBJECT);
	method(c, SUB, NV3_PM_FP_ACTIVE_PROGRAM, ADDRESS);
	method(c, SUB, NV3_PM_SURFACE_CLIP_HORIZONTAL, 512 << 16);
	method(c, SUB, NV3_PM_SURFACE_CLIP_VERTICAL, 512 << 16);
	method(c, SUB, NV3_PM_SURFACE_FORMAT, 0x103);	/* R5G6B5 */
	method(c, SUB, NV3_PM_SURFACE_PITCH, 2 * SIDE);
	method(c, SUB, NV3_PM_SURFACE_COLOR_OFFSET, ADDRESS + 2 * SIDE * 16);
}

/* Moves the colour to R0. */
static const uint32_t copying[] = { 0x01003e01, 0x1c9dc801, 0x0001c801, 0x0001c801 };

/*
 * The client loads no vertex program. All instructions are therefore 0, and no instruction has the
 * bit that marks the last one.
 */
static void do_no_vertex_program(struct faulting *c)
{
	select_programs(c, copying, ARRAY_SIZE(copying));
	method(c, SUB, NV3_PM_BEGIN_END, 5);
}

/* Loads a vertex program that copies attribute 0 to the position. */
static void load_vertex_program(struct faulting *c)
{
	static const uint32_t words[] = { 0x00000000, 0x0020001b, 0x0836086c, 0x1000f801 };
	uint32_t i;

	method(c, SUB, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		method(c, SUB, NV3_PM_TRANSFORM_PROGRAM + 4 * i, words[i]);
	method(c, SUB, NV3_PM_TRANSFORM_PROGRAM_START, 0);
}

/* Operation 0x3f does not exist. */
static void do_fragment_program(struct faulting *c)
{
	static const uint32_t unknown[] = { 0x3f003e01, 0x1c9dc801, 0x0001c801, 0x0001c801 };

	select_programs(c, unknown, ARRAY_SIZE(unknown));
	load_vertex_program(c);
	method(c, SUB, NV3_PM_BEGIN_END, 5);
}

static void do_programs_method(struct faulting *c)
{
	select_programs(c, copying, ARRAY_SIZE(copying));
	method(c, SUB, 0x1ffc, 0);
}

/* Draws with an array of positions at an unmapped address. */
static void do_programs_page(struct faulting *c)
{
	select_programs(c, copying, ARRAY_SIZE(copying));
	load_vertex_program(c);
	method(c, SUB, NV3_PM_ARRAY_OFFSET, ADDRESS + 2 * SIDE * SIDE);
	method(c, SUB, NV3_PM_ARRAY_FORMAT, 0x1042);
	method(c, SUB, NV3_PM_BEGIN_END, 5);
	method(c, SUB, NV3_PM_DRAW_ARRAYS, 2u << NV3_PM_DRAW_COUNT_SHIFT);
	method(c, SUB, NV3_PM_BEGIN_END, 0);
	method(c, SUB, NV3_PM_WAIT_FOR_IDLE, 0);
}

/*
 * Draws 16 large squares with a fragment program of 900 instructions, so the batch exceeds its
 * budget.
 */
static void do_programs_long(struct faulting *c)
{
	static uint32_t words[4 * 900];
	static const float corners[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
	uint32_t i, n;

	/* Adds the colour to R0. */
	for (i = 0; i < 900; i++) {
		words[4 * i] = 0x03003e00 | (i == 899);
		words[4 * i + 1] = 0x1c9dc800;
		words[4 * i + 2] = words[4 * i + 3] = 0x0001c801;
	}
	select_programs(c, words, ARRAY_SIZE(words));
	load_vertex_program(c);
	for (i = 0; i < 2; i++) {
		method(c, SUB, NV3_PM_VIEWPORT_SCALE + 4 * i, 0x43800000);	/* 256 */
		method(c, SUB, NV3_PM_VIEWPORT_OFFSET + 4 * i, 0x43800000);
	}
	method(c, SUB, NV3_PM_BEGIN_END, QUADS);
	for (n = 0; n < 4 * 16; n++) {
		for (i = 0; i < 4; i++) {
			float value = i < 2 ? corners[n % 4][i] : i == 3;
			uint32_t word;

			memcpy(&word, &value, sizeof(word));
			method(c, SUB, NV3_PM_VERTEX4F + 4 * i, word);
		}
	}
	method(c, SUB, NV3_PM_BEGIN_END, 0);
	method(c, SUB, NV3_PM_WAIT_FOR_IDLE, 0);
}

#define DMA	(1u << DRM_NV3_CHANNEL_DMA)
#define PIO	(1u << DRM_NV3_CHANNEL_PIO)

static const struct kind {
	const char *name, *describe;
	void (*act)(struct faulting *c);
	uint32_t reason;	/* DRM_NV3_FAULT_* */
	uint32_t types;		/* mask of the channel types on which the fault can occur */
	uint32_t budget_ms;
	bool waits;		/* true if the fault needs a long-running channel */
	bool programs;		/* true if the fault needs class PROGRAMS */
} kinds[] = {
	{ "name", "Bind a handle that does not exist.", do_name,
	  DRM_NV3_FAULT_NAME, DMA | PIO },
	{ "unbound", "Call a method on a subchannel without an object.", do_unbound,
	  DRM_NV3_FAULT_NAME, DMA | PIO },
	{ "class", "Bind an object that has no methods.", do_class,
	  DRM_NV3_FAULT_DATA, DMA | PIO },
	{ "method", "Call a method that the class does not have.", do_method,
	  DRM_NV3_FAULT_METHOD, DMA | PIO },
	{ "value", "Pass an invalid argument to a method.", do_value,
	  DRM_NV3_FAULT_DATA, DMA | PIO },
	{ "state", "Draw before all required state is set.", do_state,
	  DRM_NV3_FAULT_STATE, DMA | PIO },
	{ "page", "Copy from an address outside the DMA object.", do_page,
	  DRM_NV3_FAULT_PAGE, DMA | PIO },
	{ "late-page", "Copy across the end of the DMA object.",
	  do_late_page, DRM_NV3_FAULT_PAGE, DMA | PIO },
	{ "no-header", "Submit a batch with an argument in place of a header.",
	  do_no_header, DRM_NV3_FAULT_STREAM, DMA },
	{ "short-run", "Submit a batch that ends within a run.",
	  do_short_run, DRM_NV3_FAULT_STREAM, DMA },
	{ "access", "Store half a word.", do_access,
	  DRM_NV3_FAULT_ACCESS, PIO },
	{ "runout", "Store more methods than CACHE1 and RAMRO hold.", do_runout,
	  DRM_NV3_FAULT_RUNOUT, PIO },
	{ "endless", "Call a method that takes a minute, with the default limits.",
	  do_endless, DRM_NV3_FAULT_TIMEOUT, DMA | PIO },
	{ "endless-bytes", "Call a method that takes a minute and copies single bytes.", do_endless_bytes,
	  DRM_NV3_FAULT_TIMEOUT, DMA | PIO },
	{ "long", "Submit a batch that exceeds its channel's budget.",
	  do_long, DRM_NV3_FAULT_TIMEOUT, DMA, BUDGET_MS },
	{ "vertex-program", "Draw with a vertex program without an end.", do_no_vertex_program,
	  DRM_NV3_FAULT_DATA, DMA | PIO, .programs = true },
	{ "fragment-program", "Draw with an unknown operation in a fragment program.",
	  do_fragment_program, DRM_NV3_FAULT_DATA, DMA | PIO, .programs = true },
	{ "programs-method", "Call a method that class PROGRAMS does not have.",
	  do_programs_method, DRM_NV3_FAULT_METHOD, DMA | PIO, .programs = true },
	{ "programs-page", "Draw with an array at an address that is not mapped.",
	  do_programs_page, DRM_NV3_FAULT_PAGE, DMA | PIO, .programs = true },
	{ "programs-long", "Draw with programs for longer than the channel's budget.",
	  do_programs_long, DRM_NV3_FAULT_TIMEOUT, DMA, BUDGET_MS, .programs = true },
	{ "wait", "Wait for a semaphore that nobody releases.", do_wait,
	  DRM_NV3_FAULT_TIMEOUT, DMA | PIO, .waits = true },
	{ "flip", "Flip without being DRM master.", do_flip,
	  DRM_NV3_FAULT_DENIED, DMA | PIO, .waits = true },
};

/* ---- the other client ---- */

#define FRAMES	4096

/* Memory shared with the child that draws */
struct film {
	uint32_t frames;	/* frames drawn */
	uint32_t stop;
	int64_t took[FRAMES];	/* ns from the due time of each frame to its end */
};

static uint32_t load(uint32_t *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

/*
 * Draws 60 frames per second. If a frame ends after the due time of the next frame, the next frame
 * begins immediately.
 */
static void film_draw(struct film *film, int fd)
{
	struct igt_nv3_client client;
	int64_t due = now_ns();
	uint32_t n = 0;

	igt_nv3_client_init(&client, fd);
	while (!load(&film->stop) && n < FRAMES) {
		sleep_until(due);
		igt_nv3_assert_draws(&client, n);
		film->took[n] = now_ns() - due;
		__atomic_store_n(&film->frames, ++n, __ATOMIC_RELEASE);
		due = due + FRAME_NS > now_ns() ? due + FRAME_NS : now_ns();
	}
	igt_nv3_client_fini(&client);
}

static void film_wait(struct film *film, uint32_t frames)
{
	int64_t end = now_ns() + PATIENCE_NS;

	while (load(&film->frames) < frames) {
		igt_assert(now_ns() < end);
		usleep(1000);
	}
}

/* Returns the longest time in @film->took, ignoring frames before @first. */
static int64_t film_worst(struct film *film, uint32_t first)
{
	int64_t worst = 0;
	uint32_t i;

	for (i = first; i < load(&film->frames); i++)
		worst = film->took[i] > worst ? film->took[i] : worst;
	return worst;
}

/* ---- both clients ---- */

static void test_kind(int fd, const struct kind *kind, uint32_t type)
{
	struct film *film = mmap(NULL, sizeof(*film), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int log = igt_nv3_log_open();
	int64_t start, before, worst;
	struct faulting faulting;
	uint32_t first, fault;

	igt_assert(film != MAP_FAILED);
	if (type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_require_pio(fd);
	if (kind->waits)
		igt_nv3_require_sw(fd);
	if (kind->programs)
		igt_nv3_require_programs(fd);
	igt_fork(child, 1)
		film_draw(film, drm_reopen_driver(fd));
	faulting_init(&faulting, drm_reopen_driver(fd), type, kind->budget_ms,
		     kind->waits);
	film_wait(film, 30);
	before = film_worst(film, 10);

	first = load(&film->frames);
	start = now_ns();
	kind->act(&faulting);
	faulting_run(&faulting);
	fault = faulting_fault(&faulting);
	start = now_ns() - start;
	film_wait(film, load(&film->frames) + 10);
	worst = film_worst(film, first);
	__atomic_store_n(&film->stop, 1, __ATOMIC_RELEASE);
	igt_waitchildren();

	igt_info("fault after %.1f ms; slowest frame of the other client %.1f ms, before the fault %.1f ms; %lld missed\n",
		 start / 1e6, worst / 1e6, before / 1e6,
		 (long long)(worst / FRAME_NS));
	igt_assert_eq_u32(fault, kind->reason);
	igt_assert(start < PATIENCE_NS && worst < PATIENCE_NS);
	faulting_fini(&faulting);
	close(faulting.pio.client.fd);
	munmap(film, sizeof(*film));
	igt_nv3_log_assert_clean(log);
}

/* ---- many clients ---- */

#define FAULTING	6
#define FAULTS		12
#define PAINTERS	4

/*
 * Runs a copy that faults after a random number of bytes, often while the channel is being
 * preempted.
 */
static void cause_fault(int fd, uint32_t type)
{
	struct faulting c;

	faulting_init(&c, fd, type, 0, false);
	do_copy(&c, &(struct copy) {
		.length = 512 << igt_nv3_random_below(7), .lines = 2047,
		.out_pitch = 0x7800, .step = 2,
	});
	faulting_run(&c);
	igt_assert_eq_u32(faulting_fault(&c), DRM_NV3_FAULT_PAGE);
	faulting_fini(&c);
}

static void paint(int fd, uint32_t type, uint32_t seed, uint32_t *stop)
{
	struct igt_nv3_painter p;

	igt_nv3_painter_init(&p, fd, type, seed);
	while (!load(stop))
		igt_nv3_painter_paint(&p, 40);
	igt_nv3_painter_fini(&p);
}

/*
 * The painters keep the chip busy, so a channel often faults while the driver preempts it.
 */
static void test_storm(int fd, uint32_t type)
{
	uint32_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t *left = &shared[0], *stop = &shared[1];
	int log = igt_nv3_log_open();

	igt_nv3_require_pio(fd);
	igt_assert(shared != MAP_FAILED);
	*left = FAULTING;
	igt_fork(child, FAULTING + PAINTERS) {
		int own = drm_reopen_driver(fd);
		uint32_t i;

		igt_nv3_random_seed(child);
		if (child >= FAULTING)
			paint(own, child % 2 ? DRM_NV3_CHANNEL_PIO :
					       DRM_NV3_CHANNEL_DMA,
			      child, stop);
		for (i = 0; i < FAULTS && child < FAULTING; i++)
			cause_fault(own, type);
		if (child < FAULTING &&
		    !__atomic_sub_fetch(left, 1, __ATOMIC_ACQ_REL))
			__atomic_store_n(stop, 1, __ATOMIC_RELEASE);
		close(own);
	}
	igt_waitchildren();
	munmap(shared, 4096);
	igt_nv3_log_assert_clean(log);
}

int igt_main()
{
	static const struct {
		const char *name;
		uint32_t type;
	} types[] = {
		{ "dma", DRM_NV3_CHANNEL_DMA },
		{ "pio", DRM_NV3_CHANNEL_PIO },
	};
	uint32_t i, j;
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (j = 0; j < ARRAY_SIZE(types); j++) {
			if (!(kinds[i].types & 1 << types[j].type))
				continue;
			igt_describe(kinds[i].describe);
			igt_subtest_f("%s-%s", types[j].name, kinds[i].name)
				test_kind(fd, &kinds[i], types[j].type);
		}
	}

	for (j = 0; j < ARRAY_SIZE(types); j++) {
		igt_describe("Six channels fault again and again while others draw.");
		igt_subtest_f("%s-storm", types[j].name)
			test_storm(fd, types[j].type);
	}

	igt_fixture()
		drm_close_driver(fd);
}
