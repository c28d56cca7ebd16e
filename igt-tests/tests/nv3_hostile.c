/* SPDX-License-Identifier: MIT */
/*
 * Two processes submit random pushbuffers, while a third process draws and checks each pixel. The
 * kernel must log no warning.
 *
 * Each run prints its seed. With NV3_SEED=N, the processes submit the same pushbuffers as in the
 * run that printed the seed N. NV3_SECONDS=N sets the duration of each subtest (default: 6).
 */
#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_chaos.h"
#include "igt_nv3_pm.h"

IGT_TEST_DESCRIPTION("Random pushbuffers: no warning, and other clients draw correctly.");

#define SECONDS		6
#define ATTACKERS	2

/* ---- resources of an attacker ---- */

/*
 * The handles are 1 to OBJECTS. Handles 1 to 4 belong to surfaces, and handles 5 to 8 to DMA
 * objects.
 */
#define OBJECTS		40

struct attacker {
	int fd;
	struct igt_nv3_bo bos[3];
	struct igt_nv3_client client;	/* created anew after a fault */
	uint32_t classes[OBJECTS + 1];	/* by handle */
};

typedef void (*push_func)(struct attacker *a);

static const uint32_t classes[] = {
	NV3_CLASS_BETA, NV3_CLASS_ROP, NV3_CLASS_CHROMA, NV3_CLASS_PLANE,
	NV3_CLASS_CLIP, NV3_CLASS_PATTERN, NV3_CLASS_RECT, NV3_CLASS_M2MF,
	NV3_CLASS_BLIT, NV3_CLASS_IFC, NV3_CLASS_D3D, NV3_CLASS_POINT,
	NV3_CLASS_LINE, NV3_CLASS_LIN, NV3_CLASS_TRI, NV3_CLASS_GDI,
	NV3_CLASS_SIFM, NV3_CLASS_BITMAP, NV3_CLASS_ITM, NV3_CLASS_SIFC,
	NV3_CLASS_ZPOINT,
};

static void make_surface(struct attacker *a, uint32_t name)
{
	struct drm_nv3_surface_args args = {
		.handle = a->bos[igt_nv3_random_below(2)].handle,
		.slot = name - 1,
		.format = igt_nv3_random_below(5),
		.offset = igt_nv3_random_below(8) * 256,
		.pitch = 16 * (1 + igt_nv3_random_below(64)),
		.width = 1 + igt_nv3_random_below(256),
		.height = 1 + igt_nv3_random_below(128),
	};

	__igt_nv3_object(a->client.fd, a->client.channel, name,
			 NV3_CLASS_SURFACE, &args, sizeof(args));
}

static void make_dma(struct attacker *a, uint32_t name)
{
	struct drm_nv3_dma_args args = {
		.handle = a->bos[igt_nv3_random_below(3)].handle,
		.flags = igt_nv3_random_below(2),
		.offset = igt_nv3_random_below(8192),
		.size = 1 + igt_nv3_random_below(60000),
	};

	__igt_nv3_object(a->client.fd, a->client.channel, name,
			 DRM_NV3_CLASS_DMA, &args, sizeof(args));
}

static void make_graph(struct attacker *a, uint32_t name)
{
	struct drm_nv3_graph_args args = {
		.color_format = igt_nv3_random_below(8),
		.operation = igt_nv3_random_below(4) ? NV3_OP_COPY : igt_nv3_random_below(0x20),
		.dst_slots = igt_nv3_random_below(16),
		.src_slot = igt_nv3_random_below(4),
		.flags = igt_nv3_random_below(32),
		.dma = { igt_nv3_random_below(2) * (5 + igt_nv3_random_below(4)),
			 igt_nv3_random_below(2) * (5 + igt_nv3_random_below(4)) },
		.dma_notify = igt_nv3_random_below(2) * (5 + igt_nv3_random_below(4)),
	};

	a->classes[name] = classes[igt_nv3_random_below(ARRAY_SIZE(classes))];
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

/* ---- attacks ---- */

static void push_words(struct attacker *a)
{
	uint32_t n = 1 + igt_nv3_random_below(200);

	while (n--)
		igt_nv3_word(&a->client.batch, igt_nv3_random_value());
}

/* Adds valid headers with random methods and random arguments. */
static void push_methods(struct attacker *a)
{
	struct igt_nv3_batch *batch = &a->client.batch;
	uint32_t n = 1 + igt_nv3_random_below(60);

	while (n--) {
		uint32_t subch = igt_nv3_random_below(8), count = 1 + igt_nv3_random_below(40);
		uint32_t mthd = igt_nv3_random_below(2) ?
				0x100 + 4 * igt_nv3_random_below(0xc0) :
				4 * igt_nv3_random_below(0x800);

		if (mthd + 4 * count > 0x2000)
			count = (0x2000 - mthd) / 4;
		igt_nv3_begin(batch, subch, mthd, count);
		while (count--)
			igt_nv3_word(batch, igt_nv3_random_value());
	}
}

/*
 * Methods that accept nearly all arguments. Attackers often submit these methods, because methods
 * with random offsets would rarely draw.
 */
static const struct run {
	uint32_t class_id, mthd, max;
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
	{ NV3_CLASS_POINT, NV3_POINT_POINT(0), 32 },
	{ NV3_CLASS_POINT, NV3_POINT_CPOINT_COLOR(0), 32 },
	{ NV3_CLASS_LINE, NV3_LINE_COLOR, 1 },
	{ NV3_CLASS_LINE, NV3_LINE_POINT(0, 0), 32 },
	{ NV3_CLASS_LIN, NV3_LINE_POINT32_X(0, 0), 32 },
	{ NV3_CLASS_TRI, NV3_TRI_POINT(0), 3 },
	{ NV3_CLASS_TRI, NV3_TRI_CTRI_COLOR(0), 32 },
	{ NV3_CLASS_GDI, NV3_GDI_A_COLOR, 33 },
	{ NV3_CLASS_GDI, NV3_GDI_B_CLIP_0, 35 },
	{ NV3_CLASS_GDI, NV3_GDI_C_CLIP_0, 37 },
	{ NV3_CLASS_GDI, NV3_GDI_E_CLIP_0, 39 },
	{ NV3_CLASS_SIFM, NV3_SIFM_CLIP_POINT, 6 },
	{ NV3_CLASS_SIFM, NV3_SIFM_SIZE_IN, 6 },
	{ NV3_CLASS_BITMAP, NV3_BITMAP_COLOR_0, 5 },
	{ NV3_CLASS_BITMAP, NV3_BITMAP_DATA(0), 32 },
	{ NV3_CLASS_ITM, NV3_ITM_POINT, 4 },
	{ NV3_CLASS_SIFC, NV3_SIFC_SIZE_IN, 6 },
	{ NV3_CLASS_SIFC, NV3_SIFC_DATA(0), 40 },
	{ NV3_CLASS_ZPOINT, NV3_ZPOINT_CONFIG, 2 },
	{ NV3_CLASS_ZPOINT, NV3_ZPOINT_POINT, 33 },
	{ NV3_CLASS_D3D, NV3_D3D_TEX_OFFSET, 6 },
	{ NV3_CLASS_D3D, NV3_D3D_FOG_TRI(0), 256 },
};

/*
 * Returns a random argument. For class 0x17, returns only values that pass the checks of the class.
 */
static uint32_t argument(uint32_t class_id, uint32_t mthd)
{
	uint32_t word = igt_nv3_random_word();

	if (class_id != NV3_CLASS_D3D)
		return igt_nv3_random_value();
	switch (mthd) {
	case NV3_D3D_TEX_FORMAT:
		return (word & 0x0031ffff) | igt_nv3_random_below(12) << 24 |
		       igt_nv3_random_below(12) << 28;
	case NV3_D3D_CONFIG:
		return (word & 0xf0008df0) | igt_nv3_random_below(3) |
		       (1 + igt_nv3_random_below(3)) << 12 |
		       (1 + igt_nv3_random_below(8)) << 16 | igt_nv3_random_below(5) << 20 |
		       igt_nv3_random_below(5) << 24;
	case NV3_D3D_ALPHA:
		return (word & 0xff) | (1 + igt_nv3_random_below(8)) << 8;
	default:
		return igt_nv3_random_value();
	}
}

static const struct run *run_of(uint32_t class_id)
{
	uint32_t start = igt_nv3_random_below(ARRAY_SIZE(runs)), i;

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
	uint32_t i, count = run->max;

	if (!igt_nv3_random_below(3))
		count = 1 + igt_nv3_random_below(count);
	igt_nv3_begin(batch, subch, run->mthd, count);
	for (i = 0; i < count; i++)
		igt_nv3_word(batch, argument(run->class_id,
					     run->mthd + 4 * i));
}

static void push_drawing(struct attacker *a)
{
	struct igt_nv3_batch *batch = &a->client.batch;
	uint32_t n = 1 + igt_nv3_random_below(40), name, subch, times;

	for (subch = 0; subch < 4; subch++)
		igt_nv3_select(batch, subch, subch + 1);
	while (n--) {
		const struct run *run;

		name = 9 + igt_nv3_random_below(OBJECTS - 8);
		subch = 4 + igt_nv3_random_below(4);
		igt_nv3_select(batch, subch, name);
		for (times = 1 + igt_nv3_random_below(4); times; times--) {
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

/* Submits a batch. Returns false if the channel has faulted. */
static bool attack(struct attacker *a, push_func push)
{
	struct igt_nv3_batch *batch = &a->client.batch;
	uint32_t i;

	push(a);
	igt_nv3_use(batch, &a->client.color, NV3_READ | NV3_WRITE);
	for (i = 0; i < ARRAY_SIZE(a->bos); i++) {
		if (igt_nv3_random_below(8))
			igt_nv3_use(batch, &a->bos[i],
				    1 + igt_nv3_random_below(3));
	}
	if (__igt_nv3_submit(batch, 0))
		return false;
	if (igt_nv3_random_below(4))
		igt_nv3_bo_wait(&a->client.color);
	return !igt_nv3_fault(a->client.fd, a->client.channel, NULL);
}

static void attack_for(int fd, time_t end, const void *data)
{
	const push_func *push = data;
	struct attacker a;
	uint32_t channels = 0, batches = 0;

	attacker_init(&a, fd);
	while (igt_nv3_now() < end) {
		igt_nv3_client_init(&a.client, a.fd);
		make_objects(&a);
		do
			batches++;
		while (igt_nv3_now() < end && attack(&a, *push));
		igt_nv3_client_fini(&a.client);
		channels++;
	}
	attacker_fini(&a);
	igt_info("%u batches on %u channels\n", batches, channels);
}

/* ---- class PROGRAMS ---- */

#define BASE	0x00010000u

/*
 * An argument is @base plus @scale times a random number below @range. If @range is 0, the argument
 * is any random number.
 */
static const struct programs_method {
	uint32_t mthd, count, base, range, scale;
} programs_methods[] = {
	{ NV3_PM_SURFACE_CLIP_HORIZONTAL, 2, 0, 33, 0x10000 },
	{ NV3_PM_SURFACE_FORMAT, 1, 0x100, 64, 1 },
	{ NV3_PM_SURFACE_PITCH, 1, 0, 512, 0x00010001 },
	{ NV3_PM_SURFACE_COLOR_OFFSET, 2, BASE, 32, 256 },
	{ NV3_PM_ALPHA_TEST_ENABLE, 5, 0, 2, 1 }, { NV3_PM_STENCIL_TEST_ENABLE, 4, 0, 2, 1 },
	{ NV3_PM_ALPHA_FUNC, 1, 0x200, 8, 1 }, { NV3_PM_BLEND_FUNC_SFACTOR, 2, 0x300, 9, 0x10001 },
	{ NV3_PM_DEPTH_FUNC, 1, 0x200, 8, 1 }, { NV3_PM_STENCIL_FUNC, 1, 0x200, 8, 1 },
	{ NV3_PM_STENCIL_OP_FAIL, 3, 0x1e00, 4, 1 }, { NV3_PM_SHADE_MODE, 1, 0x1d00, 2, 1 },
	{ NV3_PM_LINE_WIDTH, 1, 0, 2048, 1 }, { NV3_PM_FRONT_POLYGON_MODE, 2, 0x1b00, 3, 1 },
	{ NV3_PM_SCISSOR_HORIZ, 2, 0, 33, 0x10000 },
	{ NV3_PM_FP_ACTIVE_PROGRAM, 1, BASE, 0x2100, 1 },
	{ NV3_PM_VIEWPORT_OFFSET, 4, 0, 0, 0 }, { NV3_PM_VIEWPORT_SCALE, 4, 0, 0, 0 },
	{ NV3_PM_TRANSFORM_PROGRAM, 32, 0, 0, 0 }, { NV3_PM_TRANSFORM_CONSTANT, 32, 0, 0, 0 },
	{ NV3_PM_TRANSFORM_PROGRAM_LOAD, 3, 0, 600, 1 },
	{ NV3_PM_ARRAY_OFFSET, 16, BASE, 0x2100, 1 }, { NV3_PM_ARRAY_FORMAT, 16, 0x1042, 8, 16 },
	{ NV3_PM_TEX, 1, BASE, 0x2100, 1 }, { NV3_PM_TEX + 4, 1, 0x12020, 32, 0x100 },
	{ NV3_PM_TEX + 8, 1, 0x10101, 8, 0x10101 }, { NV3_PM_TEX + 12, 1, 0x80000000, 4096, 128 },
	{ NV3_PM_TEX + 20, 1, 0x01010000, 6, 0x10000 },
	{ NV3_PM_TEX + 24, 1, 0x10001, 70, 0x10001 },
	{ NV3_PM_TEX_SIZE1, 1, 1 << 20, 256, 1 }, { NV3_PM_TEX_CACHE_CTL, 1, 0, 0, 0 },
	{ NV3_PM_BEGIN_END, 1, 0, 11, 1 }, { NV3_PM_BEGIN_END, 1, 0, 1, 1 },
	{ NV3_PM_DRAW_ARRAYS, 1, 0, 256, 0x01000000 },
	{ NV3_PM_INDEX_BATCH, 1, 0, 256, 0x01000000 },
	{ NV3_PM_IDXBUF_OFFSET, 2, BASE, 0x2100, 1 }, { NV3_PM_IDXBUF_FORMAT, 1, 0, 3, 16 },
	{ NV3_PM_ARRAY_ELEMENT32, 1, 0, 0, 0 }, { NV3_PM_INLINE_ARRAY, 1, 0, 0, 0 },
	{ NV3_PM_VERTEX_DATA4F, 64, 0, 0, 0 }, { NV3_PM_CLEAR_SURFACE, 1, 0, 256, 1 },
	{ NV3_PM_GET_REPORT, 1, BASE, 0x2100, 1 }, { NV3_PM_WAIT_FOR_IDLE, 1, 0, 1, 1 },
};

static void push_programs_method(struct igt_nv3_pm *pm)
{
	const struct programs_method *m =
		&programs_methods[igt_nv3_random_below(ARRAY_SIZE(programs_methods))];
	const bool any = !m->range || !igt_nv3_random_below(64);
	uint32_t i;

	for (i = 0; i < m->count; i++)
		igt_nv3_pm_method(pm, m->mthd + 4 * i, any ? igt_nv3_random_value() :
				  m->base + igt_nv3_random_below(m->range) * m->scale);
}

/*
 * Changes words of the attacker's fragment program, arrays or texels while the chip may be reading
 * them.
 */
static void change_data(struct igt_nv3_pm *pm)
{
	uint32_t n = igt_nv3_random_below(20), *words = pm->data.map;

	while (n--)
		words[igt_nv3_random_below(IGT_NV3_PAGE / 4)] = igt_nv3_random_value();
}

/*
 * Unmaps the target or the buffer @data and, in most cases, maps it again. Batches may be running.
 */
static void change_mappings(struct igt_nv3_pm *pm)
{
	const bool target = igt_nv3_random_below(2);

	__igt_nv3_vm_unmap(pm->fd, pm->vm,
			   pm->base + (target ? IGT_NV3_PM_TARGET : IGT_NV3_PM_DATA), IGT_NV3_PAGE);
	if (igt_nv3_random_below(8))
		__igt_nv3_vm_map(pm->fd, pm->vm, (target ? &pm->target : &pm->data)->handle, 0,
				 pm->base + (target ? IGT_NV3_PM_TARGET : IGT_NV3_PM_DATA),
				 IGT_NV3_PAGE, 0);
}

/* Submits a batch. Returns false if the channel has faulted. */
static bool attack_programs(struct igt_nv3_pm *pm)
{
	uint32_t n = 1 + igt_nv3_random_below(60);

	while (n--)
		push_programs_method(pm);
	change_data(pm);
	igt_nv3_pm_use_target(pm);
	if (__igt_nv3_submit(&pm->batch, 0))
		return false;
	if (!igt_nv3_random_below(16))
		change_mappings(pm);
	if (igt_nv3_random_below(4))
		igt_nv3_bo_wait(&pm->target);
	return !igt_nv3_fault(pm->fd, pm->channel, NULL);
}

static void attack_programs_for(int fd, time_t end, const void *data)
{
	const int own = drm_reopen_driver(fd);
	const uint32_t vm = igt_nv3_vm_create(own);
	uint32_t channels = 0, batches = 0;

	while (igt_nv3_now() < end) {
		struct igt_nv3_pm pm;

		igt_nv3_pm_init(&pm, own, vm, BASE, 0);
		do
			batches++;
		while (igt_nv3_now() < end && attack_programs(&pm));
		igt_nv3_pm_fini(&pm);
		channels++;
	}
	igt_nv3_vm_destroy(own, vm);
	close(own);
	igt_info("%u batches on %u channels\n", batches, channels);
}

static void test_hostile(int fd, uint64_t seed, uint64_t seconds, push_func push)
{
	igt_nv3_chaos(fd, &(struct igt_nv3_chaos) {
		.seed = seed, .processes = ATTACKERS, .seconds = seconds,
		.run = attack_for, .data = &push,
	});
}

int igt_main()
{
	uint64_t seed, seconds;
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		seed = igt_nv3_number("NV3_SEED", time(NULL));
		seconds = igt_nv3_number("NV3_SECONDS", SECONDS);
	}

	igt_describe("Random words.");
	igt_subtest("words")
		test_hostile(fd, seed, seconds, push_words);

	igt_describe("Random methods with random arguments.");
	igt_subtest("methods")
		test_hostile(fd, seed, seconds, push_methods);

	igt_describe("Random objects that draw across all limits.");
	igt_subtest("drawing")
		test_hostile(fd, seed, seconds, push_drawing);

	igt_describe("Random programs, states and draws of class PROGRAMS.");
	igt_subtest("programs") {
		igt_nv3_require_programs(fd);
		igt_nv3_chaos(fd, &(struct igt_nv3_chaos) {
			.seed = seed, .processes = ATTACKERS, .seconds = seconds,
			.run = attack_programs_for,
		});
	}

	igt_fixture()
		drm_close_driver(fd);
}
