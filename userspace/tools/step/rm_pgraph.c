/* SPDX-License-Identifier: MIT */
/*
 * The context of a channel in PGRAPH: its registers, and the order in which they are loaded
 * (docs/reference/chip/pgraph.md, "A context"; kernel/hw/nv3_pgraph.c).
 */
#include "rm.h"

#include <assert.h>
#include <string.h>

#include "nv3_regs.h"

/*
 * Registers in the order of loading. A clip's lower bound precedes its upper bound, and VALID is
 * last.
 */
static const struct {
	uint32_t reg;
	unsigned int count, stride;
} context[] = {
	{ NV3_PGRAPH_GROBJ_INST, 1, 4 },
	{ NV3_PGRAPH_DMA_INST, 1, 4 },
	{ NV3_PGRAPH_M2MF_INST, 1, 4 },
	{ NV3_PGRAPH_NOTIFY, 1, 4 },
	{ NV3_PGRAPH_ICLIP_XMAX, 2, 4 },
	{ NV3_PGRAPH_UCLIP_XMIN, 4, 4 },
	{ NV3_PGRAPH_OCLIP_XMIN, 4, 4 },
	{ NV3_PGRAPH_VTX_X(0), 32, 4 },
	{ NV3_PGRAPH_VTX_Y(0), 32, 4 },
	{ NV3_PGRAPH_VTX_Z(0), 16, 4 },
	{ NV3_PGRAPH_PATTERN_RGB(0), 2, 8 },
	{ NV3_PGRAPH_PATTERN_A(0), 2, 8 },
	{ NV3_PGRAPH_PATTERN_MONO(0), 2, 4 },
	{ NV3_PGRAPH_PATTERN_SHAPE, 1, 4 },
	{ NV3_PGRAPH_BITMAP_COLOR_0, 1, 4 },
	{ NV3_PGRAPH_ROP, 1, 4 },
	{ NV3_PGRAPH_CHROMA, 1, 4 },
	{ NV3_PGRAPH_BETA, 1, 4 },
	{ NV3_PGRAPH_D3D_XY, 6, 4 },
	{ NV3_PGRAPH_D3D_CONFIG, 1, 4 },
	{ NV3_PGRAPH_D3D_ALPHA, 1, 4 },
	{ NV3_PGRAPH_X_MISC, 2, 4 },
	{ NV3_PGRAPH_XY_MISC_0, 4, 4 },
	{ NV3_PGRAPH_X_CLIP_STATUS(0), 2, 4 },
	{ NV3_PGRAPH_Y_CLIP_STATUS(0), 2, 4 },
	{ NV3_PGRAPH_MISC32_0, 1, 4 },
	{ NV3_PGRAPH_MISC32_1, 1, 4 },
	{ NV3_PGRAPH_MISC24_0, 1, 4 },
	{ NV3_PGRAPH_MISC24_1, 1, 4 },
	{ NV3_PDMA_LINES, 1, 4 },
	{ NV3_PDMA_OFFSET(0), 3, 16 },
	{ NV3_PDMA_PITCH, 1, 4 },
	{ NV3_PDMA_FORMAT, 1, 4 },
	{ NV3_PGRAPH_CTX_SWITCH, 1, 4 },
	{ NV3_PGRAPH_CTX_CACHE(0), 8, 4 },
	{ NV3_PGRAPH_CTX_USER, 1, 4 },
	{ NV3_PGRAPH_VALID, 1, 4 },
};

#define ROWS	(sizeof(context) / sizeof(context[0]))

/* These values enable the checks of arguments and formats, as in kernel/hw/nv3_pgraph.c. */
#define DEBUG_0	0x1230001f
#define DEBUG_1	0x10113000
#define DEBUG_2	(0x1131f101 & ~NV3_PGRAPH_DEBUG_2_VOLATILE_EN)
#define DEBUG_3	(0x0100f531 | NV3_PGRAPH_DEBUG_3_DATA_CHECK | NV3_PGRAPH_DEBUG_3_FORMAT_CHECK)

static void save(struct rm *rm, uint32_t words[RM_PGRAPH_WORDS])
{
	unsigned int i, j, n = 0;

	for (i = 0; i < ROWS; i++) {
		assert(n + context[i].count <= RM_PGRAPH_WORDS);
		for (j = 0; j < context[i].count; j++)
			words[n++] = machine_rd32(rm->machine,
						  context[i].reg + j * context[i].stride);
	}
}

static void load(struct rm *rm, const uint32_t *words)
{
	unsigned int i, j;

	for (i = 0; i < ROWS; i++) {
		for (j = 0; j < context[i].count; j++)
			machine_wr32(rm->machine, context[i].reg + j * context[i].stride, *words++);
	}
}

void rm_pgraph_init(struct rm *rm)
{
	struct machine *m = rm->machine;

	machine_wr32(m, NV3_PGRAPH_FIFO_ENABLE, 0);
	machine_wr32(m, NV3_PGRAPH_DEBUG_0, DEBUG_0);
	machine_wr32(m, NV3_PGRAPH_DEBUG_1, DEBUG_1);
	machine_wr32(m, NV3_PGRAPH_DEBUG_2, DEBUG_2);
	machine_wr32(m, NV3_PGRAPH_DEBUG_3, DEBUG_3);
	machine_wr32(m, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_ALL & ~NV3_PGRAPH_INTR_VBLANK);
	machine_wr32(m, NV3_PDMA_INTR_EN, NV3_PDMA_INTR_ALL);
	machine_wr32(m, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_DEVICE);
	assert(machine_rd32(m, NV3_PVIRT_GRCTX_SIZE) <= RM_IMAGE_MAX);
	save(rm, rm->state.initial);
	machine_wr32(m, NV3_PGRAPH_FIFO_ENABLE, 1);
}

/*
 * Some classes do not check whether a slot has a surface. A slot without a surface therefore gets
 * the offset, pitch and format of the surface with the most bytes per pixel.
 */
void rm_apply_surfaces(struct rm *rm, const struct rm_channel *chan)
{
	static const uint8_t bytes[] = {
		[NV3_SURF_Y16] = 2, [NV3_SURF_Y8] = 1, [NV3_SURF_X1R5G5B5] = 2,
		[NV3_SURF_X8R8G8B8] = 4,
	};
	uint32_t width = UINT32_MAX, height = UINT32_MAX, config = 0, max = 0;
	const struct rm_surface *widest = NULL;
	struct machine *m = rm->machine;
	unsigned int i;

	for (i = 0; i < RM_SURFACES; i++) {
		const struct rm_surface *s = &chan->surface[i];

		if (!s->exists)
			continue;
		width = s->width < width ? s->width : width;
		height = s->height < height ? s->height : height;
		if (!widest || bytes[s->format] > bytes[widest->format])
			widest = s;
		config |= NV3_PGRAPH_SURF_VALID(i);
	}
	for (i = 0; i < RM_SURFACES; i++) {
		const struct rm_surface *s = chan->surface[i].exists ? &chan->surface[i] : widest;

		machine_wr32(m, NV3_PGRAPH_SURF_OFFSET(i), s ? s->offset : 0);
		machine_wr32(m, NV3_PGRAPH_SURF_PITCH(i), s ? s->pitch : 0);
		config |= s ? NV3_PGRAPH_SURF_FORMAT(i, s->format) : 0;
	}
	if (widest)
		max = height << 16 | width;
	machine_wr32(m, NV3_PGRAPH_SURF_CONFIG, config);
	machine_wr32(m, NV3_PGRAPH_SRC_CANVAS_MIN, 0);
	machine_wr32(m, NV3_PGRAPH_SRC_CANVAS_MAX, max);
	machine_wr32(m, NV3_PGRAPH_DST_CANVAS_MIN, 0);
	machine_wr32(m, NV3_PGRAPH_DST_CANVAS_MAX, max);
}

/*
 * Switches the state of class PROGRAMS. The chip stores the state to the context image of the
 * previous channel, and loads the image of @chan.
 */
static void switch_image(struct rm *rm, const struct rm_channel *chan)
{
	machine_wr32(rm->machine, NV3_PVIRT_GRCTX, MACHINE_MEMORY_BASE + RM_IMAGES +
		     (uint32_t)(chan - rm->state.channel) * RM_IMAGE_MAX);
}

/*
 * Makes a channel the owner of PGRAPH. PGRAPH's registers must already contain the channel's
 * context.
 */
void rm_pgraph_own(struct rm *rm, struct rm_channel *chan)
{
	struct machine *m = rm->machine;
	uint32_t user = machine_rd32(m, NV3_PGRAPH_CTX_USER) & ~NV3_PGRAPH_CTX_USER_CHID;

	machine_wr32(m, NV3_PGRAPH_CTX_USER, user | chan->chid << 24);
	machine_wr32(m, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_DEVICE |
		     NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
	switch_image(rm, chan);
	rm_apply_surfaces(rm, chan);
}

/*
 * Saves PGRAPH's registers to the context of @from, unless @from is null, and loads the context of
 * @to. The caller must have set FIFO_ENABLE to 0, because CTX_CACHE can be written only in this
 * state.
 */
void rm_pgraph_switch(struct rm *rm, struct rm_channel *from, struct rm_channel *to)
{
	if (from)
		save(rm, from->pgraph);
	load(rm, to->pgraph);
	rm_pgraph_own(rm, to);
}
