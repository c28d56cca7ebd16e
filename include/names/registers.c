/* SPDX-License-Identifier: MIT */
/*
 * Registers of PMC, PFIFO, PTIMER, PVIRT, PGRAPH and PDMA, in the order of nv3_regs.h.
 * Fields that nv3_regs.h lacks are from envytools (rnndb/graph/nv3_pgraph.xml).
 */
#include "tables.h"

/* ---- PMC ---- */

static const struct nv3_field pmc_intr[] = {
	NV3_F_FLAG("PAUDIO", 0), NV3_F_FLAG("PMEDIA", 4), NV3_F_FLAG("PFIFO", 8),
	NV3_F_FLAG("PGRAPH", 12), NV3_F_FLAG("PDMA", 13), NV3_F_FLAG("PVIDEO", 16),
	NV3_F_FLAG("PTIMER", 20), NV3_F_FLAG("PFB", 24), NV3_F_FLAG("PBUS", 28),
	NV3_F_FLAG("PVIRT", 30), NV3_F_FLAG("SOFTWARE", 31), NV3_F_END
};
static const struct nv3_field pmc_intr_en[] = {
	NV3_F_FLAG("HARDWARE", 0), NV3_F_FLAG("SOFTWARE", 1), NV3_F_END
};
static const struct nv3_field pmc_enable[] = {
	NV3_F_FLAG("PAUDIO", 0), NV3_F_FLAG("PMEDIA", 4), NV3_F_FLAG("PFIFO", 8),
	NV3_F_FLAG("PGRAPH", 12), NV3_F_FLAG("PTIMER", 16), NV3_F_FLAG("PFB", 20),
	NV3_F_FLAG("PCRTC", 24), NV3_F_FLAG("PVIDEO", 28), NV3_F_END
};

/* ---- PFIFO ---- */

static const struct nv3_field cache_error[] = {
	NV3_F_FLAG("CACHE0", 0), NV3_F_FLAG("CACHE1", 4), NV3_F_END
};
static const struct nv3_field pfifo_intr[] = {
	NV3_F_FLAG("CACHE_ERROR", 0), NV3_F_FLAG("RUNOUT", 4), NV3_F_FLAG("RUNOUT_OVERFLOW", 8),
	NV3_F_FLAG("DMA_PUSHER", 12), NV3_F_FLAG("DMA_PTE", 16), NV3_F_END
};
/* The registers of RAMHT, RAMFC and RAMRO contain byte addresses in RAMIN, without a shift. */
static const struct nv3_field ramht[] = {
	NV3_F("address", 15, 0, HEX), NV3_F("log2_size_4k", 17, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field ramro[] = {
	NV3_F("address", 15, 0, HEX), NV3_F_FLAG("SIZE_8K", 16), NV3_F_END
};
static const struct nv3_field cache_status[] = {
	NV3_F_FLAG("RANOUT", 0), NV3_F_FLAG("EMPTY", 4), NV3_F_FLAG("FULL", 8), NV3_F_END
};
static const struct nv3_field caches[] = { NV3_F_FLAG("REASSIGN", 0), NV3_F_END };
static const struct nv3_field device[] = {
	NV3_F("chid", 6, 0, UNSIGNED), NV3_F_FLAG("SWITCH", 24), NV3_F_END
};
static const struct nv3_field access[] = { NV3_F_FLAG("ACCESS", 0), NV3_F_END };
static const struct nv3_field push_chid[] = {
	NV3_F("chid", 6, 0, UNSIGNED), NV3_F_FLAG("DMA", 8), NV3_F_END
};
static const struct nv3_field pull_ctrl[] = {
	NV3_F_FLAG("ACCESS", 0), NV3_F_FLAG("HASH_FAILED", 4), NV3_F_FLAG("SOFTWARE", 8),
	NV3_F_END
};
static const struct nv3_field pull_state[] = { NV3_F_FLAG("DIRTY", 4), NV3_F_END };
static const struct nv3_field dma_state[] = {
	NV3_F("method", 12, 0, HEX), NV3_F("subch", 15, 13, UNSIGNED),
	NV3_F("count", 28, 18, UNSIGNED), NV3_F_FLAG("ERROR", 30), NV3_F_END
};
static const struct nv3_field dma_ctrl[] = {
	NV3_F_FLAG("ACCESS", 0), NV3_F_FLAG("BUSY", 4), NV3_F_END
};
static const struct nv3_value_name targets[] = {
	{ "VRAM", 0 }, { "CART", 1 }, { "PCI", 2 }, { "AGP", 3 }, { NULL, 0 }
};
static const struct nv3_field dma_target[] = { NV3_F_ENUM(NULL, 31, 0, targets), NV3_F_END };
static const struct nv3_field fifo_addr[] = {
	NV3_F("method", 12, 0, HEX), NV3_F("subch", 15, 13, UNSIGNED), NV3_F_END
};
/* The fields of a context word. Bit 22 is set if PGRAPH executes the class. */
static const struct nv3_field ctx[] = {
	NV3_F("instance", 15, 0, HEX), NV3_F("class", 21, 16, HEX), NV3_F_FLAG("GRAPH", 22),
	NV3_F_FLAG("HARDWARE", 23), NV3_F_END
};

/* ---- PTIMER and PVIRT ---- */

static const struct nv3_field ptimer_intr[] = { NV3_F_FLAG("ALARM", 0), NV3_F_END };
static const struct nv3_field pvirt_features[] = {
	NV3_F_FLAG("CRC", 0), NV3_F_FLAG("COUNTERS", 1), NV3_F_FLAG("CLASSES", 2),
	NV3_F_FLAG("MONITOR", 3), NV3_F_FLAG("PROGRAMS", 4),
	NV3_F_FLAG("MULTISAMPLE", 5), NV3_F_END
};
static const struct nv3_field pvirt_intr[] = {
	NV3_F_FLAG("MONITOR", 0), NV3_F_FLAG("GRCTX", 1), NV3_F_END
};

/* ---- PGRAPH ---- */

static const struct nv3_field debug_1[] = {
	NV3_F_FLAG("VOLATILE_RESET", 0), NV3_F_FLAG("DMA_LOAD", 16),
	NV3_F_FLAG("CTX_SWITCH", 20), NV3_F_END
};
static const struct nv3_field debug_2[] = { NV3_F_FLAG("VOLATILE_EN", 28), NV3_F_END };
static const struct nv3_field debug_3[] = {
	NV3_F_FLAG("DITHER_3D", 15), NV3_F_FLAG("DATA_CHECK", 20), NV3_F_FLAG("DATA_FAIL", 21),
	NV3_F_FLAG("FORMAT_CHECK", 22), NV3_F_END
};
static const struct nv3_field pgraph_intr[] = {
	NV3_F_FLAG("INVALID", 0), NV3_F_FLAG("CTX_SWITCH", 4), NV3_F_FLAG("VBLANK", 8),
	NV3_F_FLAG("RANGE", 12), NV3_F_FLAG("MISSING_METHOD", 16),
	NV3_F_FLAG("MISSING_FORMAT", 20), NV3_F_FLAG("CLIP_SOFTWARE", 24),
	NV3_F_FLAG("NOTIFY", 28), NV3_F_END
};
static const struct nv3_field invalid[] = {
	NV3_F_FLAG("METHOD", 0), NV3_F_FLAG("DATA", 4), NV3_F_FLAG("NOTIFY", 8),
	NV3_F_FLAG("DOUBLE_NOTIFY", 12), NV3_F_FLAG("CTXSW_NOTIFY", 16), NV3_F_END
};
static const struct nv3_field ctx_control[] = {
	NV3_F("min_time", 1, 0, UNSIGNED), NV3_F_FLAG("EXPIRED", 8), NV3_F_FLAG("CHID_VALID", 16),
	NV3_F_FLAG("AVAILABLE", 20), NV3_F_FLAG("SWITCHING", 24), NV3_F_FLAG("DEVICE", 28),
	NV3_F_END
};
static const struct nv3_field ctx_user[] = {
	NV3_F("subch", 15, 13, UNSIGNED), NV3_F("class", 20, 16, HEX),
	NV3_F("chid", 30, 24, UNSIGNED), NV3_F_END
};
/*
 * Each bit is 1 if the vertex coordinate, the clip coordinate or the colour that belongs to the bit
 * has been set. The bits are from envytools (hwtest).
 */
static const struct nv3_field valid[] = {
	NV3_F("x", 7, 0, HEX), NV3_F("y", 15, 8, HEX), NV3_F_FLAG("color", 16),
	NV3_F("other", 31, 17, HEX), NV3_F_END
};
static const struct nv3_field xy_misc_0[] = {
	NV3_F_FLAG("image_zero", 20), NV3_F("vertex", 31, 28, UNSIGNED), NV3_F_END
};
static const struct nv3_field canvas[] = {
	NV3_F("x", 15, 0, UNSIGNED), NV3_F("y", 31, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field bound[] = { NV3_F(NULL, 17, 0, SIGNED), NV3_F_END };
static const struct nv3_field vtx_z[] = {
	NV3_F("z", 15, 0, HEX), NV3_F("fog", 23, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field d3d_xy[] = {
	NV3_F_FIXED("x", 15, 0, 4, FIXED), NV3_F_FIXED("y", 31, 16, 4, FIXED), NV3_F_END
};
static const struct nv3_field d3d_uv[] = {
	NV3_F_FIXED("u", 15, 0, 4, FIXED), NV3_F_FIXED("v", 31, 16, 4, FIXED), NV3_F_END
};
static const struct nv3_field rgb_10[] = {
	NV3_F("b", 9, 0, UNSIGNED), NV3_F("g", 19, 10, UNSIGNED), NV3_F("r", 29, 20, UNSIGNED),
	NV3_F_END
};
static const struct nv3_field beta[] = { NV3_F("factor", 30, 23, UNSIGNED), NV3_F_END };
static const struct nv3_field notify[] = {
	NV3_F("instance", 15, 0, HEX), NV3_F_FLAG("ARMED", 16), NV3_F("slot", 23, 20, UNSIGNED),
	NV3_F_END
};
static const struct nv3_value_name surface_formats[] = {
	{ "Y16", 0 }, { "Y8", 1 }, { "X1R5G5B5", 2 }, { "X8R8G8B8", 3 }, { NULL, 0 }
};
static const struct nv3_field surf_config[] = {
	NV3_F_ENUM("format_0", 1, 0, surface_formats), NV3_F_FLAG("valid_0", 2),
	NV3_F_ENUM("format_1", 5, 4, surface_formats), NV3_F_FLAG("valid_1", 6),
	NV3_F_ENUM("format_2", 9, 8, surface_formats), NV3_F_FLAG("valid_2", 10),
	NV3_F_ENUM("format_3", 13, 12, surface_formats), NV3_F_FLAG("valid_3", 14),
	NV3_F_END
};
static const struct nv3_field status[] = { NV3_F_FLAG("BUSY", 0), NV3_F_END };
static const struct nv3_field trapped_addr[] = {
	NV3_F("method", 12, 0, HEX), NV3_F("subch", 15, 13, UNSIGNED),
	NV3_F("class", 20, 16, HEX), NV3_F("chid", 30, 24, UNSIGNED), NV3_F_END
};

/* ---- PDMA ---- */

static const struct nv3_field pdma_intr[] = {
	NV3_F_FLAG("INST_NULL", 0), NV3_F_FLAG("PRESENT", 4), NV3_F_FLAG("PROTECTION", 8),
	NV3_F_FLAG("LIMIT", 12), NV3_F_FLAG("NOTIFY", 16), NV3_F_END
};
static const struct nv3_field pdma_flags[] = {
	NV3_F("adjust", 11, 0, HEX), NV3_F_FLAG("PAGED", 16),
	NV3_F_ENUM("target", 25, 24, targets), NV3_F_END
};
static const struct nv3_field pdma_pitch[] = {
	NV3_F("in", 15, 0, UNSIGNED), NV3_F("out", 31, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field pdma_format[] = {
	NV3_F("in", 2, 0, UNSIGNED), NV3_F("out", 10, 8, UNSIGNED), NV3_F_END
};

/* ---- all ---- */

const struct nv3_word nv3_names_registers[] = {
	NV3_W("PMC_BOOT_0", 0x000000, NULL),
	NV3_W("PMC_INTR", 0x000100, pmc_intr),
	NV3_W("PMC_INTR_EN", 0x000140, pmc_intr_en),
	NV3_W("PMC_ENABLE", 0x000200, pmc_enable),

	NV3_W("PFIFO_WAIT_RETRY", 0x002040, NULL),
	NV3_W("PFIFO_CACHE_ERROR", 0x002080, cache_error),
	NV3_W("PFIFO_INTR", 0x002100, pfifo_intr),
	NV3_W("PFIFO_INTR_EN", 0x002140, pfifo_intr),
	NV3_W("PFIFO_CONFIG", 0x002200, NULL),
	NV3_W("PFIFO_RAMHT", 0x002210, ramht),
	NV3_W("PFIFO_RAMFC", 0x002214, NULL),
	NV3_W("PFIFO_RAMRO", 0x002218, ramro),
	NV3_W("PFIFO_RUNOUT_STATUS", 0x002400, cache_status),
	NV3_W("PFIFO_RUNOUT_PUT", 0x002410, NULL),
	NV3_W("PFIFO_RUNOUT_GET", 0x002420, NULL),
	NV3_W("PFIFO_CACHES", 0x002500, caches),
	NV3_W("PFIFO_DEVICE", 0x002800, device),
	NV3_W("PFIFO_CACHE0_PUSH_ACCESS", 0x003000, access),
	NV3_W("PFIFO_CACHE0_PUSH_CHID", 0x003004, push_chid),
	NV3_W("PFIFO_CACHE0_PUT", 0x003010, NULL),
	NV3_W("PFIFO_CACHE0_STATUS", 0x003014, cache_status),
	NV3_W("PFIFO_CACHE0_PULL_CTRL", 0x003040, pull_ctrl),
	NV3_W("PFIFO_CACHE0_GET", 0x003070, NULL),
	NV3_W("PFIFO_CACHE0_CTX", 0x003080, ctx),
	NV3_W("PFIFO_CACHE0_ADDR", 0x003100, fifo_addr),
	NV3_W("PFIFO_CACHE0_DATA", 0x003104, NULL),
	NV3_W("PFIFO_CACHE1_PUSH_ACCESS", 0x003200, access),
	NV3_W("PFIFO_CACHE1_PUSH_CHID", 0x003204, push_chid),
	NV3_W("PFIFO_CACHE1_PUT", 0x003210, NULL),
	NV3_W("PFIFO_CACHE1_STATUS", 0x003214, cache_status),
	NV3_W("PFIFO_CACHE1_DMA_STATE", 0x003218, dma_state),
	NV3_W("PFIFO_CACHE1_DMA_CTRL", 0x003220, dma_ctrl),
	NV3_W("PFIFO_CACHE1_DMA_COUNT", 0x003224, nv3_format_unsigned),
	NV3_W("PFIFO_CACHE1_DMA_GET", 0x003228, NULL),
	NV3_W("PFIFO_CACHE1_DMA_TARGET", 0x00322c, dma_target),
	NV3_W("PFIFO_CACHE1_DMA_TLB_TAG", 0x003230, NULL),
	NV3_W("PFIFO_CACHE1_DMA_TLB_PTE", 0x003234, NULL),
	NV3_W("PFIFO_CACHE1_DMA_PT_INST", 0x003238, NULL),
	NV3_W("PFIFO_CACHE1_PULL_CTRL", 0x003240, pull_ctrl),
	NV3_W("PFIFO_CACHE1_PULL_STATE", 0x003250, pull_state),
	NV3_W("PFIFO_CACHE1_GET", 0x003270, NULL),
	NV3_W_ARRAY("PFIFO_CACHE1_CTX", 0x003280, 8, 16, ctx),
	/*
	 * Revisions A and B have the first two of these four arrays, and revision C has the last
	 * two.
	 */
	NV3_W_ARRAY("PFIFO_CACHE1_ADDR_AB", 0x003300, 32, 8, fifo_addr),
	NV3_W_ARRAY("PFIFO_CACHE1_DATA_AB", 0x003304, 32, 8, NULL),
	NV3_W_ARRAY("PFIFO_CACHE1_ADDR", 0x003400, 64, 8, fifo_addr),
	NV3_W_ARRAY("PFIFO_CACHE1_DATA", 0x003404, 64, 8, NULL),

	NV3_W("PTIMER_INTR", 0x009100, ptimer_intr),
	NV3_W("PTIMER_INTR_EN", 0x009140, ptimer_intr),
	NV3_W("PTIMER_NUMERATOR", 0x009200, nv3_format_unsigned),
	NV3_W("PTIMER_DENOMINATOR", 0x009210, nv3_format_unsigned),
	NV3_W("PTIMER_TIME_0", 0x009400, NULL),
	NV3_W("PTIMER_TIME_1", 0x009410, NULL),
	NV3_W("PTIMER_ALARM_0", 0x009420, NULL),

	NV3_W("PVIRT_MAGIC", 0x00e000, NULL),
	NV3_W("PVIRT_VERSION", 0x00e004, nv3_format_unsigned),
	NV3_W("PVIRT_FEATURES", 0x00e008, pvirt_features),
	NV3_W("PVIRT_FRAME", 0x00e010, nv3_format_unsigned),
	NV3_W("PVIRT_CRC", 0x00e014, NULL),
	NV3_W("PVIRT_CLASSES", 0x00e018, NULL),
	NV3_W("PVIRT_CRC_FRAME", 0x00e01c, nv3_format_unsigned),
	NV3_W("PVIRT_INTR", 0x00e020, pvirt_intr),
	NV3_W("PVIRT_INTR_EN", 0x00e024, pvirt_intr),
	NV3_W("PVIRT_VM_INVALIDATE", 0x00e030, NULL),
	NV3_W("PVIRT_GRCTX", 0x00e034, NULL),
	NV3_W("PVIRT_GRCTX_SIZE", 0x00e038, nv3_format_unsigned),
	NV3_W("PVIRT_VRAM_SIZE", 0x00e03c, nv3_format_unsigned),
	NV3_W_ARRAY("PVIRT_COUNTER_LOW", 0x00e100, 6, 8, nv3_format_unsigned),
	NV3_W_ARRAY("PVIRT_COUNTER_HIGH", 0x00e104, 6, 8, nv3_format_unsigned),

	NV3_W("PGRAPH_DEBUG_0", 0x400080, NULL),
	NV3_W("PGRAPH_DEBUG_1", 0x400084, debug_1),
	NV3_W("PGRAPH_DEBUG_2", 0x400088, debug_2),
	NV3_W("PGRAPH_DEBUG_3", 0x40008c, debug_3),
	NV3_W("PGRAPH_INTR", 0x400100, pgraph_intr),
	NV3_W("PGRAPH_INVALID", 0x400104, invalid),
	NV3_W("PGRAPH_INTR_EN", 0x400140, pgraph_intr),
	NV3_W("PGRAPH_INVALID_EN", 0x400144, invalid),
	NV3_W("PGRAPH_CTX_SWITCH", 0x400180, nv3_format_options),
	NV3_W("PGRAPH_CTX_CONTROL", 0x400190, ctx_control),
	NV3_W("PGRAPH_CTX_USER", 0x400194, ctx_user),
	NV3_W_ARRAY("PGRAPH_CTX_CACHE", 0x4001a0, 8, 4, nv3_format_options),
	NV3_W_ARRAY("PGRAPH_VTX_X", 0x400400, 32, 4, NULL),
	NV3_W_ARRAY("PGRAPH_VTX_Y", 0x400480, 32, 4, NULL),
	NV3_W("PGRAPH_X_MISC", 0x400500, NULL),
	NV3_W("PGRAPH_Y_MISC", 0x400504, NULL),
	NV3_W("PGRAPH_VALID", 0x400508, valid),
	NV3_W("PGRAPH_MISC32_0", 0x40050c, NULL),
	NV3_W("PGRAPH_MISC24_0", 0x400510, NULL),
	NV3_W("PGRAPH_XY_MISC_0", 0x400514, xy_misc_0),
	NV3_W("PGRAPH_XY_MISC_1", 0x400518, NULL),
	NV3_W("PGRAPH_XY_MISC_2", 0x40051c, NULL),
	NV3_W("PGRAPH_XY_MISC_3", 0x400520, NULL),
	NV3_W_ARRAY("PGRAPH_X_CLIP_STATUS", 0x400524, 2, 4, NULL),
	NV3_W_ARRAY("PGRAPH_Y_CLIP_STATUS", 0x40052c, 2, 4, NULL),
	NV3_W("PGRAPH_ICLIP_XMAX", 0x400534, bound),
	NV3_W("PGRAPH_ICLIP_YMAX", 0x400538, bound),
	NV3_W("PGRAPH_UCLIP_XMIN", 0x40053c, bound),
	NV3_W("PGRAPH_UCLIP_YMIN", 0x400540, bound),
	NV3_W("PGRAPH_UCLIP_XMAX", 0x400544, bound),
	NV3_W("PGRAPH_UCLIP_YMAX", 0x400548, bound),
	NV3_W("PGRAPH_MISC32_1", 0x40054c, NULL),
	NV3_W("PGRAPH_SRC_CANVAS_MIN", 0x400550, canvas),
	NV3_W("PGRAPH_SRC_CANVAS_MAX", 0x400554, canvas),
	NV3_W("PGRAPH_DST_CANVAS_MIN", 0x400558, canvas),
	NV3_W("PGRAPH_DST_CANVAS_MAX", 0x40055c, canvas),
	NV3_W("PGRAPH_OCLIP_XMIN", 0x400560, bound),
	NV3_W("PGRAPH_OCLIP_YMIN", 0x400564, bound),
	NV3_W("PGRAPH_OCLIP_XMAX", 0x400568, bound),
	NV3_W("PGRAPH_OCLIP_YMAX", 0x40056c, bound),
	NV3_W("PGRAPH_MISC24_1", 0x400570, NULL),
	NV3_W_ARRAY("PGRAPH_VTX_Z", 0x400580, 16, 4, vtx_z),
	NV3_W("PGRAPH_D3D_XY", 0x4005c0, d3d_xy),
	NV3_W("PGRAPH_D3D_UV", 0x4005c4, d3d_uv),
	NV3_W("PGRAPH_D3D_Z", 0x4005c8, NULL),
	NV3_W("PGRAPH_D3D_RGB", 0x4005cc, NULL),
	NV3_W("PGRAPH_D3D_FOG_TRI", 0x4005d0, nv3_format_d3d_fog_tri),
	NV3_W("PGRAPH_D3D_RHW", 0x4005d4, NULL),
	NV3_W_ARRAY("PGRAPH_PATTERN_RGB", 0x400600, 2, 8, rgb_10),
	NV3_W_ARRAY("PGRAPH_PATTERN_A", 0x400604, 2, 8, nv3_format_unsigned),
	NV3_W_ARRAY("PGRAPH_PATTERN_MONO", 0x400610, 2, 4, NULL),
	NV3_W("PGRAPH_PATTERN_SHAPE", 0x400618, nv3_format_unsigned),
	NV3_W("PGRAPH_BITMAP_COLOR_0", 0x40061c, NULL),
	NV3_W("PGRAPH_ROP", 0x400624, NULL),
	NV3_W("PGRAPH_CHROMA", 0x40062c, rgb_10),
	NV3_W_ARRAY("PGRAPH_SURF_OFFSET", 0x400630, 4, 4, NULL),
	NV3_W("PGRAPH_BETA", 0x400640, beta),
	NV3_W("PGRAPH_D3D_CONFIG", 0x400644, nv3_format_d3d_config),
	NV3_W_ARRAY("PGRAPH_SURF_PITCH", 0x400650, 4, 4, nv3_format_unsigned),
	NV3_W("PGRAPH_DMA_INST", 0x400680, NULL),
	NV3_W("PGRAPH_NOTIFY", 0x400684, notify),
	NV3_W("PGRAPH_GROBJ_INST", 0x400688, NULL),
	NV3_W("PGRAPH_M2MF_INST", 0x40068c, NULL),
	NV3_W_ARRAY("PGRAPH_CLIPRECT_MIN", 0x400690, 2, 8, canvas),
	NV3_W_ARRAY("PGRAPH_CLIPRECT_MAX", 0x400694, 2, 8, canvas),
	NV3_W("PGRAPH_CLIPRECT_CTRL", 0x4006a0, NULL),
	NV3_W("PGRAPH_FIFO_ENABLE", 0x4006a4, access),
	NV3_W("PGRAPH_SURF_CONFIG", 0x4006a8, surf_config),
	NV3_W("PGRAPH_STATUS", 0x4006b0, status),
	NV3_W("PGRAPH_TRAPPED_ADDR", 0x4006b4, trapped_addr),
	NV3_W("PGRAPH_TRAPPED_DATA", 0x4006b8, NULL),
	NV3_W("PGRAPH_TRAPPED_INST", 0x4006bc, NULL),
	NV3_W("PGRAPH_D3D_ALPHA", 0x4006c8, nv3_format_d3d_alpha),

	NV3_W("PDMA_INTR", 0x401100, pdma_intr),
	NV3_W("PDMA_INTR_EN", 0x401140, pdma_intr),
	NV3_W("PDMA_CONTINUE", 0x401200, NULL),
	NV3_W("PDMA_FLAGS", 0x401210, pdma_flags),
	NV3_W("PDMA_LIMIT", 0x401220, NULL),
	NV3_W("PDMA_TLB_PTE", 0x401230, NULL),
	NV3_W("PDMA_TLB_TAG", 0x401240, NULL),
	NV3_W("PDMA_ADDR", 0x401250, NULL),
	NV3_W("PDMA_UNK260", 0x401260, NULL),
	NV3_W("PDMA_BYTES", 0x401270, nv3_format_unsigned),
	NV3_W("PDMA_INST", 0x401280, NULL),
	NV3_W("PDMA_LINES", 0x401290, nv3_format_unsigned),
	NV3_W("PDMA_UNK400", 0x401400, NULL),
	NV3_W_ARRAY("PDMA_OFFSET", 0x401800, 3, 16, NULL),
	NV3_W("PDMA_PITCH", 0x401830, pdma_pitch),
	NV3_W("PDMA_FORMAT", 0x401840, pdma_format),
	NV3_W_END
};
