/* SPDX-License-Identifier: MIT */
/*
 * Escapes (nv3_escapes.h) that read state of class PROGRAMS that another channel has left in the
 * chip.
 */
#include "igt.h"
#include "nv3_escapes.h"

#define CLIENT		0x00010000u
#define ARRAY_COLORS	(4 << NV3_PM_ARRAY_SIZE_SHIFT | 4 << NV3_PM_ARRAY_STRIDE_SHIFT)
/* Address of a client's fragment program, relative to igt_nv3_pm::base */
#define PROGRAM		(IGT_NV3_PM_DATA + IGT_NV3_PM_FREE)

#define WHITE		0xffffffff
#define ONE		0x3f800000

/*
 * Words of the instruction MOV of vertex programs, with a constant, a register or an attribute as
 * source
 */
#define VP_CONSTANT	0x0c36086c
#define VP_REGISTER	0x0436086c
#define VP_INPUT	0x0836086c
#define VP_TO_OUTPUT(i)	(0x1000f800 | (i) << 3)
#define VP_TO_REGISTER(i) (0x1f000000 | (i) << 20)
#define VP_END		1u

static void push_vp(struct igt_nv3_pm *pm, uint32_t source, uint32_t from, uint32_t to)
{
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM, source == VP_CONSTANT ?
			  1u << 31 | from >> 8 : 0);
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM + 4, 0x0020001b |
			  (source == VP_CONSTANT ? (from & 255) << 13 :
			   source == VP_INPUT ? from << 9 : 0));
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM + 8, source |
			  (source == VP_REGISTER ? from << 28 : 0));
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM + 12, to);
}

#define FP_END		1u
#define FP_REGISTER	0x1c9dc800
#define FP_INPUT	0x1c9dc801

/*
 * Writes instruction @n of the fragment program: a MOV from an input or a register to register @to.
 */
static void put_fp(struct igt_nv3_pm *pm, uint32_t n, uint32_t to, uint32_t source, uint32_t from,
		   uint32_t end)
{
	uint32_t *words = (uint32_t *)((uint8_t *)pm->data.map + IGT_NV3_PM_FREE) + 4 * n;

	words[0] = 0x01001e00 | to << 1 | end | (source == FP_INPUT ? from << 13 : 0);
	words[1] = source | (source == FP_REGISTER ? from << 2 : 0);
	words[2] = 0x0001c801;
	words[3] = 0x0001c801;
}

#define VP_REGISTERS	12
#define FP_REGISTERS	48
#define CONSTANTS	512
#define ATTRIBUTES	16
#define OUTPUTS		19

/* Makes the victim set all state that a program can read to 1.0. */
static void victim_draws(struct victim *v)
{
	struct igt_nv3_pm *pm = &v->pm;
	uint32_t *colors = (uint32_t *)((uint8_t *)pm->data.map + IGT_NV3_PM_COLORS), i;

	colors[0] = colors[1] = colors[2] = WHITE;
	for (i = 0; i < CONSTANTS * 4; i++) {
		if (i % 4 == 0)
			igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_CONSTANT_LOAD, i / 4);
		igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_CONSTANT + i % 4 * 4, ONE);
	}
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
	for (i = 0; i < VP_REGISTERS; i++)
		push_vp(pm, VP_INPUT, 3, VP_TO_REGISTER(i));
	for (i = 3; i < OUTPUTS; i++)
		push_vp(pm, VP_INPUT, 3, VP_TO_OUTPUT(i));
	push_vp(pm, VP_INPUT, 0, VP_TO_OUTPUT(0) | VP_END);
	for (i = 0; i < FP_REGISTERS; i++)
		put_fp(pm, i, i, FP_INPUT, 1, i == FP_REGISTERS - 1);
	igt_nv3_pm_method(pm, NV3_PM_FP_ACTIVE_PROGRAM, pm->base + PROGRAM);
	igt_nv3_pm_scissor(pm, 0, 0, IGT_NV3_PM_SIDE, IGT_NV3_PM_SIDE);
	igt_nv3_pm_method(pm, NV3_PM_ARRAY_OFFSET + 12, pm->base + IGT_NV3_PM_DATA +
			  IGT_NV3_PM_COLORS);
	igt_nv3_pm_method(pm, NV3_PM_ARRAY_FORMAT + 12, ARRAY_COLORS);
	igt_nv3_pm_triangle(pm);
	/* Attribute 0 is the position. */
	for (i = 4; i < ATTRIBUTES * 4; i++)
		igt_nv3_pm_method(pm, NV3_PM_VERTEX_DATA4F + 4 * i, ONE);
	igt_nv3_run_ok(&pm->batch);
	igt_assert_eq_u32(igt_nv3_pm_pixel(pm, 5, 5), WHITE);
}

/*
 * State that a vertex program or a fragment program can read, and instructions that copy this state
 * to the colour
 */
struct left {
	const char *what;
	uint32_t vp, fp, count, first, step;
	/* true if later draws of the same channel can read the value */
	bool stays;
};

/*
 * Draws a triangle whose colour is element @i of the state @left, and returns the colour of a
 * pixel.
 */
static uint32_t find_left(struct igt_nv3_pm *pm, const struct left *left, uint32_t i)
{
	/*
	 * Array format 0 disables the array of attribute 3, so the attribute has the constant value
	 * that the channel has set.
	 */
	igt_nv3_pm_method(pm, NV3_PM_ARRAY_FORMAT + 12, 0);
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
	if (left->vp)
		push_vp(pm, left->vp, i, VP_TO_OUTPUT(3));
	push_vp(pm, VP_INPUT, 0, VP_TO_OUTPUT(0) | VP_END);
	put_fp(pm, 0, 0, left->fp ?: FP_INPUT, left->fp ? i : 1, FP_END);
	igt_nv3_pm_method(pm, NV3_PM_FP_ACTIVE_PROGRAM, pm->base + PROGRAM);
	igt_nv3_pm_clear(pm, 0x12345678);
	igt_nv3_pm_triangle(pm);
	igt_nv3_run_ok(&pm->batch);
	return igt_nv3_pm_pixel(pm, 5, 5);
}

static uint32_t find_left_in_new_channel(int fd, const struct left *left, uint32_t i)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pm;
	uint32_t pixel;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	pixel = find_left(&pm, left, i);
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
	return pixel;
}

/* Asserts that a new channel reads the same values before and after the victim has drawn. */
static void escape_left(struct victim *v, int fd, const struct left *left, uint32_t i)
{
	const uint32_t before = find_left_in_new_channel(fd, left, i);
	uint32_t after;
	char what[64];

	snprintf(what, sizeof(what), "%s %u", left->what, i);
	victim_draws(v);
	after = find_left_in_new_channel(fd, left, i);
	/* No initial value is white. */
	igt_assert_f(before != WHITE && after == before, "%s: %08x was %08x\n", what, after,
		     before);
	if (left->stays)
		igt_assert_f(find_left(&v->pm, left, i) == WHITE,
			     "%s: the victim's own is %08x\n", what,
			     igt_nv3_pm_pixel(&v->pm, 5, 5));
	nv3_escape_done(v, what);
}

void nv3_escape_program_state(struct victim *v, int fd)
{
	static const struct left lefts[] = {
		{ "constant", .vp = VP_CONSTANT, .count = CONSTANTS, .step = 31, .stays = true },
		{ "attribute", .vp = VP_INPUT, .count = ATTRIBUTES, .first = 1, .step = 1,
		  .stays = true },
		{ "vertex register", .vp = VP_REGISTER, .count = VP_REGISTERS, .step = 1 },
		{ "fragment register", .fp = FP_REGISTER, .count = FP_REGISTERS, .step = 1 },
		{ "output that is not written", .fp = FP_INPUT, .count = 14, .first = 1,
		  .step = 1 },
	};
	uint32_t i, n;

	for (i = 0; i < ARRAY_SIZE(lefts); i++)
		for (n = lefts[i].first; n < lefts[i].count; n += lefts[i].step)
			escape_left(v, fd, &lefts[i], n);
}
