// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The registers of PGRAPH
 *
 * The methods of a channel set registers in PGRAPH, for example vertices, clips, colours and the
 * raster operation. The values of these registers are the drawing state of the channel, and the
 * table nv3_pgraph_regs lists the registers. nv3_surface.c computes the registers of the surfaces
 * and of the canvas from the bound surfaces, so the table does not contain them. A channel may lose
 * PGRAPH between two methods of a batch, so the driver also saves the words that PGRAPH has fetched
 * from objects in RAMIN.
 *
 * The registers, the side effects of writes, and the order of the writes are from envytools,
 * hwtest/pgraph_state.cc.
 */

#include "nv3_pgraph.h"

/*
 * The registers are written in the order of this table, and the order matters. The lower bound of a
 * clip precedes the upper bound, because a write to either bound copies the previous upper bound to
 * the lower bound. Vertices follow clips, because a write to a clip register also changes vertex
 * 13. VALID and the coordinate flags follow all registers whose writes set bits in VALID or in
 * these flags.
 *
 * Most registers in the table hold coordinates of vertices, and most of these registers already
 * have the right value. nv3_pgraph_load() skips such vertex registers. This is safe, because writes
 * to other registers of the table change no vertex except vertex 13. All registers that depend on
 * vertices are written later. All other registers must be written: the lower bound of a clip
 * changes when the upper bound is written, and flags change when vertices are written.
 */
static const struct {
	u32 reg;
	u8 count;
	u8 stride;
	/* nv3_pgraph_load() skips registers of this row that already hold the right value. */
	bool skippable;
} nv3_pgraph_regs[] = {
	{ NV3_PGRAPH_ICLIP_XMAX, 2, 4 },
	{ NV3_PGRAPH_UCLIP_XMIN, 4, 4 },
	{ NV3_PGRAPH_OCLIP_XMIN, 4, 4 },
	{ NV3_PGRAPH_VTX_X(0), 13, 4, true },
	{ NV3_PGRAPH_VTX_X(13), 1 },
	{ NV3_PGRAPH_VTX_X(14), 18, 4, true },
	{ NV3_PGRAPH_VTX_Y(0), 13, 4, true },
	{ NV3_PGRAPH_VTX_Y(13), 1 },
	{ NV3_PGRAPH_VTX_Y(14), 18, 4, true },
	{ NV3_PGRAPH_VTX_Z(0), 16, 4, true },
	{ NV3_PGRAPH_PATTERN_RGB(0), 4, 4 },
	{ NV3_PGRAPH_PATTERN_MONO(0), 2, 4 },
	{ NV3_PGRAPH_PATTERN_SHAPE, 1 },
	{ NV3_PGRAPH_BITMAP_COLOR_0, 1 },
	{ NV3_PGRAPH_ROP, 1 },
	{ NV3_PGRAPH_CHROMA, 1 },
	{ NV3_PGRAPH_BETA, 1 },
	{ NV3_PGRAPH_D3D_XY, 6, 4 },
	{ NV3_PGRAPH_D3D_CONFIG, 1 },
	{ NV3_PGRAPH_D3D_ALPHA, 1 },
	{ NV3_PGRAPH_X_MISC, 2, 4 },
	{ NV3_PGRAPH_XY_MISC_0, 4, 4 },
	{ NV3_PGRAPH_X_CLIP_STATUS(0), 2, 4 },
	{ NV3_PGRAPH_Y_CLIP_STATUS(0), 2, 4 },
	{ NV3_PGRAPH_MISC32_0, 1 },
	{ NV3_PGRAPH_MISC32_1, 1 },
	{ NV3_PGRAPH_MISC24_0, 1 },
	{ NV3_PGRAPH_MISC24_1, 1 },
	{ NV3_PDMA_LINES, 1 },
	{ NV3_PDMA_OFFSET(0), 3, 16 },
	{ NV3_PDMA_PITCH, 1 },
	{ NV3_PDMA_FORMAT, 1 },
	{ NV3_PGRAPH_CTX_SWITCH, 1 },
	{ NV3_PGRAPH_CTX_CACHE(0), 8, 4 },
	{ NV3_PGRAPH_CTX_USER, 1 },
	{ NV3_PGRAPH_VALID, 1 },
};

/*
 * The values of the debug registers in NVIDIA's driver (riva_tbl.h of xf86-video-nv), with two
 * differences. First, this driver enables the checks of method arguments and object formats.
 * Second, PGRAPH keeps the vertices of an incomplete primitive at an object switch
 * (DEBUG_2.VOLATILE_EN is clear). The switch to the fence object after each batch therefore does
 * not change the client's state.
 */
#define NV3_RM_DEBUG_0		0x1230001f
#define NV3_RM_DEBUG_1		0x10113000
#define NV3_RM_DEBUG_2		(0x1131f101 & ~NV3_PGRAPH_DEBUG_2_VOLATILE_EN)
#define NV3_RM_DEBUG_3		(0x0100f531 | NV3_PGRAPH_DEBUG_3_DATA_CHECK | \
				 NV3_PGRAPH_DEBUG_3_FORMAT_CHECK)

/*
 * The registers that hold the state of the notifier and the words that PGRAPH has fetched from the
 * current object. A channel may lose PGRAPH between two methods of one drawing operation, so the
 * driver saves these registers.
 */
static const u32 nv3_pgraph_fetched[NV3_GRAPH_FETCHED] = {
	NV3_PGRAPH_GROBJ_INST,
	NV3_PGRAPH_DMA_INST,
	NV3_PGRAPH_M2MF_INST,
	NV3_PGRAPH_NOTIFY,
};

/**
 * nv3_pgraph_save() - read the drawing state from the registers
 * @nv3: the device
 * @state: the state
 *
 * Context: nv3_rm.lock is held; PGRAPH is idle.
 * Return: the number of registers that were read.
 */
unsigned int nv3_pgraph_save(struct nv3_device *nv3, struct nv3_graph_state *state)
{
	u32 *word = state->word;
	unsigned int i, j;

	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		state->fetched[i] = nv3_rd32(nv3, nv3_pgraph_fetched[i]);
	for (i = 0; i < ARRAY_SIZE(nv3_pgraph_regs); i++)
		for (j = 0; j < nv3_pgraph_regs[i].count; j++)
			*word++ = nv3_rd32(nv3,
					   nv3_pgraph_regs[i].reg + j * nv3_pgraph_regs[i].stride);
	return NV3_GRAPH_FETCHED + NV3_GRAPH_WORDS;
}

/**
 * nv3_pgraph_load() - write the drawing state to the registers
 * @nv3: the device
 * @state: the state
 * @old: the current contents of the registers, or NULL if they are not known
 *
 * Context: nv3_rm.lock is held; PGRAPH_FIFO_ENABLE is 0, because CTX_CACHE is otherwise read-only.
 * Return: the number of registers that were written.
 */
unsigned int nv3_pgraph_load(struct nv3_device *nv3, const struct nv3_graph_state *state,
			     const struct nv3_graph_state *old)
{
	unsigned int i, j, n = 0, skipped = 0;

	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		nv3_wr32(nv3, nv3_pgraph_fetched[i], state->fetched[i]);
	for (i = 0; i < ARRAY_SIZE(nv3_pgraph_regs); i++) {
		for (j = 0; j < nv3_pgraph_regs[i].count; j++, n++) {
			if (old && nv3_pgraph_regs[i].skippable && old->word[n] == state->word[n]) {
				skipped++;
				continue;
			}
			nv3_wr32(nv3, nv3_pgraph_regs[i].reg + j * nv3_pgraph_regs[i].stride,
				 state->word[n]);
		}
	}
	return NV3_GRAPH_FETCHED + NV3_GRAPH_WORDS - skipped;
}

/**
 * nv3_pgraph_reg() - return the address of a register of the drawing state
 * @i: the index of the register, 0 to NV3_GRAPH_WORDS - 1
 *
 * Return: the address of nv3_graph_state.word[@i].
 */
u32 nv3_pgraph_reg(unsigned int i)
{
	unsigned int row = 0;

	while (i >= nv3_pgraph_regs[row].count)
		i -= nv3_pgraph_regs[row++].count;
	return nv3_pgraph_regs[row].reg + i * nv3_pgraph_regs[row].stride;
}

/**
 * nv3_pgraph_fetched_reg() - return the address of a register that holds a fetched word
 * @i: the index of the register, 0 to NV3_GRAPH_FETCHED - 1
 *
 * Return: the address of nv3_graph_state.fetched[@i].
 */
u32 nv3_pgraph_fetched_reg(unsigned int i)
{
	return nv3_pgraph_fetched[i];
}

/**
 * nv3_pgraph_table_is_complete() - check that the table has NV3_GRAPH_WORDS registers
 *
 * Return: true if the table has this number of registers.
 */
bool nv3_pgraph_table_is_complete(void)
{
	unsigned int i, words = 0;

	for (i = 0; i < ARRAY_SIZE(nv3_pgraph_regs); i++)
		words += nv3_pgraph_regs[i].count;

	return words == NV3_GRAPH_WORDS;
}

/**
 * nv3_pgraph_drop_object() - make PGRAPH fetch objects from RAMIN again
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held; PGRAPH is idle.
 */
void nv3_pgraph_drop_object(struct nv3_device *nv3)
{
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		nv3_wr32(nv3, nv3_pgraph_fetched[i], 0);
}

/**
 * nv3_pgraph_flush_pdma() - drop the page table entry that PDMA has cached
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_pgraph_flush_pdma(struct nv3_device *nv3)
{
	nv3_wr32(nv3, NV3_PDMA_INST, 0);
	nv3_wr32(nv3, NV3_PDMA_TLB_PTE, 0);
}

/**
 * nv3_pgraph_init() - reset PGRAPH and PDMA, and configure them
 * @nv3: the device
 *
 * Afterwards no channel owns PGRAPH, and the caller must write the surface registers and
 * PGRAPH_INTR_EN, and enable PGRAPH (PGRAPH_FIFO_ENABLE).
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_pgraph_init(struct nv3_device *nv3)
{
	nv3_mask32(nv3, NV3_PMC_ENABLE, NV3_PMC_ENABLE_PGRAPH, 0);
	nv3_mask32(nv3, NV3_PMC_ENABLE, 0, NV3_PMC_ENABLE_PGRAPH);

	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_0, NV3_RM_DEBUG_0);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_1, NV3_RM_DEBUG_1);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_2, NV3_RM_DEBUG_2);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_3, NV3_RM_DEBUG_3);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_CONTROL, NV3_RM_CTX_CONTROL);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_USER, 0);
	nv3_wr32(nv3, NV3_PGRAPH_CLIPRECT_CTRL, 0);
	nv3_pgraph_drop_object(nv3);

	nv3_wr32(nv3, NV3_PGRAPH_INTR, NV3_RM_PGRAPH_INTR);
	nv3_wr32(nv3, NV3_PDMA_INTR, NV3_PDMA_INTR_ALL);
	nv3_wr32(nv3, NV3_PDMA_INTR_EN, NV3_PDMA_INTR_ALL);
}
