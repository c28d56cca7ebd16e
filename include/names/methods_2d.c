/* SPDX-License-Identifier: MIT */
/* Methods of the 2D classes. nv3_class.h documents these methods. */
#include "tables.h"

/* Source coordinates are unsigned 12.4 fixed point. */
static const struct nv3_field format_uv[] = {
	NV3_F_FIXED("u", 15, 0, 4, UFIXED), NV3_F_FIXED("v", 31, 16, 4, UFIXED), NV3_F_END
};

static const struct nv3_field format_xy_4[] = {
	NV3_F_FIXED("x", 15, 0, 4, FIXED), NV3_F_FIXED("y", 31, 16, 4, FIXED), NV3_F_END
};

/* ---- classes that set drawing parameters ---- */

static const struct nv3_field format_beta[] = {
	NV3_F("factor", 30, 23, UNSIGNED), NV3_F_FLAG("negative", 31), NV3_F_END
};

const struct nv3_word nv3_methods_beta[] = {
	NV3_W("BETA", 0x300, format_beta), NV3_W_END
};

const struct nv3_word nv3_methods_rop[] = {
	NV3_W("ROP", 0x300, NULL), NV3_W_END
};

const struct nv3_word nv3_methods_chroma[] = {
	NV3_W("COLOR", 0x304, NULL), NV3_W_END
};

const struct nv3_word nv3_methods_plane[] = {
	NV3_W("MASK", 0x304, NULL), NV3_W_END
};

const struct nv3_word nv3_methods_clip[] = {
	NV3_W("POINT", 0x300, nv3_format_xy),
	NV3_W("SIZE", 0x304, nv3_format_size),
	NV3_W_END
};

static const struct nv3_value_name pattern_shapes[] = {
	{ "8X8", 0 }, { "64X1", 1 }, { "1X64", 2 }, { NULL, 0 }
};

static const struct nv3_field format_pattern_shape[] = {
	NV3_F_ENUM(NULL, 31, 0, pattern_shapes), NV3_F_END
};

const struct nv3_word nv3_methods_pattern[] = {
	NV3_W_SOFTWARE("COLOR_FORMAT", 0x300),
	NV3_W_SOFTWARE("MONO_FORMAT", 0x304),
	NV3_W("SHAPE", 0x308, format_pattern_shape),
	NV3_W_ARRAY("COLOR", 0x310, 2, 4, NULL),
	NV3_W_ARRAY("BITMAP", 0x318, 2, 4, NULL),
	NV3_W_END
};

static const struct nv3_value_name surface_formats[] = {
	{ "Y8", 0x01010000 }, { "Y16", 0x01010001 }, { "X1R5G5B5", 0x01000000 },
	{ "X8R8G8B8", 0x00000001 }, { NULL, 0 }
};

static const struct nv3_field format_surface[] = {
	NV3_F_ENUM(NULL, 31, 0, surface_formats), NV3_F_END
};

const struct nv3_word nv3_methods_surface[] = {
	NV3_W("FORMAT", 0x300, format_surface),
	NV3_W("PITCH", 0x308, nv3_format_unsigned),
	NV3_W("OFFSET", 0x30c, NULL),
	NV3_W_END
};

/* ---- shapes in one colour ---- */

const struct nv3_word nv3_methods_rect[] = {
	NV3_W_SOFTWARE("OPERATION", 0x2fc),
	NV3_W("COLOR", 0x304, NULL),
	NV3_W_ARRAY("POINT", 0x400, 16, 8, nv3_format_xy),
	NV3_W_ARRAY("SIZE", 0x404, 16, 8, nv3_format_size),
	NV3_W_END
};

const struct nv3_word nv3_methods_point[] = {
	NV3_W("COLOR", 0x304, NULL),
	NV3_W_ARRAY("POINT", 0x400, 32, 4, nv3_format_xy),
	NV3_W_ARRAY("POINT32_X", 0x480, 16, 8, nv3_format_signed),
	NV3_W_ARRAY("POINT32_Y", 0x484, 16, 8, nv3_format_signed),
	NV3_W_ARRAY("CPOINT_COLOR", 0x500, 16, 8, NULL),
	NV3_W_ARRAY("CPOINT", 0x504, 16, 8, nv3_format_xy),
	NV3_W_END
};

/* Methods of classes LINE and LIN */
const struct nv3_word nv3_methods_line[] = {
	NV3_W("COLOR", 0x304, NULL),
	NV3_W_ARRAY2("POINT", 0x400, 16, 8, 2, 4, nv3_format_xy),
	NV3_W_ARRAY2("POINT32_X", 0x480, 8, 16, 2, 8, nv3_format_signed),
	NV3_W_ARRAY2("POINT32_Y", 0x484, 8, 16, 2, 8, nv3_format_signed),
	NV3_W_ARRAY("POLY", 0x500, 32, 4, nv3_format_xy),
	NV3_W_ARRAY("POLY32_X", 0x580, 16, 8, nv3_format_signed),
	NV3_W_ARRAY("POLY32_Y", 0x584, 16, 8, nv3_format_signed),
	NV3_W_ARRAY("CPOLY_COLOR", 0x600, 16, 8, NULL),
	NV3_W_ARRAY("CPOLY", 0x604, 16, 8, nv3_format_xy),
	NV3_W_END
};

const struct nv3_word nv3_methods_tri[] = {
	NV3_W("COLOR", 0x304, NULL),
	NV3_W_ARRAY("POINT", 0x310, 3, 4, nv3_format_xy),
	NV3_W_ARRAY("POINT32_X", 0x320, 3, 8, nv3_format_signed),
	NV3_W_ARRAY("POINT32_Y", 0x324, 3, 8, nv3_format_signed),
	NV3_W_ARRAY("STRIP", 0x400, 32, 4, nv3_format_xy),
	NV3_W_ARRAY("STRIP32_X", 0x480, 16, 8, nv3_format_signed),
	NV3_W_ARRAY("STRIP32_Y", 0x484, 16, 8, nv3_format_signed),
	NV3_W_ARRAY("CTRI_COLOR", 0x500, 8, 16, NULL),
	NV3_W_ARRAY2("CTRI_POINT", 0x504, 8, 16, 3, 4, nv3_format_xy),
	NV3_W_ARRAY("CSTRIP_COLOR", 0x580, 16, 8, NULL),
	NV3_W_ARRAY("CSTRIP", 0x584, 16, 8, nv3_format_xy),
	NV3_W_END
};

const struct nv3_word nv3_methods_gdi[] = {
	NV3_W("A_COLOR", 0x3fc, NULL),
	NV3_W_ARRAY("A_POINT", 0x400, 64, 8, nv3_format_yx),
	NV3_W_ARRAY("A_SIZE", 0x404, 64, 8, nv3_format_size_wh),
	NV3_W("B_CLIP_0", 0x7f4, nv3_format_xy),
	NV3_W("B_CLIP_1", 0x7f8, nv3_format_xy),
	NV3_W("B_COLOR", 0x7fc, NULL),
	NV3_W_ARRAY("B_POINT_0", 0x800, 64, 8, nv3_format_xy),
	NV3_W_ARRAY("B_POINT_1", 0x804, 64, 8, nv3_format_xy),
	NV3_W("C_CLIP_0", 0xbec, nv3_format_xy),
	NV3_W("C_CLIP_1", 0xbf0, nv3_format_xy),
	NV3_W("C_COLOR", 0xbf4, NULL),
	NV3_W("C_SIZE", 0xbf8, nv3_format_size),
	NV3_W("C_POINT", 0xbfc, nv3_format_xy),
	NV3_W_ARRAY("C_DATA", 0xc00, 128, 4, NULL),
	NV3_W("D_CLIP_0", 0xfe8, nv3_format_xy),
	NV3_W("D_CLIP_1", 0xfec, nv3_format_xy),
	NV3_W("D_COLOR", 0xff0, NULL),
	NV3_W("D_SIZE_IN", 0xff4, nv3_format_size),
	NV3_W("D_SIZE_OUT", 0xff8, nv3_format_size),
	NV3_W("D_POINT", 0xffc, nv3_format_xy),
	NV3_W_ARRAY("D_DATA", 0x1000, 128, 4, NULL),
	NV3_W("E_CLIP_0", 0x13e4, nv3_format_xy),
	NV3_W("E_CLIP_1", 0x13e8, nv3_format_xy),
	NV3_W("E_COLOR_0", 0x13ec, NULL),
	NV3_W("E_COLOR_1", 0x13f0, NULL),
	NV3_W("E_SIZE_IN", 0x13f4, nv3_format_size),
	NV3_W("E_SIZE_OUT", 0x13f8, nv3_format_size),
	NV3_W("E_POINT", 0x13fc, nv3_format_xy),
	NV3_W_ARRAY("E_DATA", 0x1400, 128, 4, NULL),
	NV3_W_END
};

/* ---- copies and images ---- */

static const struct nv3_field format_m2mf[] = {
	NV3_F("in", 2, 0, UNSIGNED), NV3_F("out", 10, 8, UNSIGNED), NV3_F_END
};

const struct nv3_word nv3_methods_m2mf[] = {
	NV3_W_SOFTWARE("SET_DMA_IN", 0x184),
	NV3_W_SOFTWARE("SET_DMA_OUT", 0x188),
	NV3_W("OFFSET_IN", 0x30c, NULL),
	NV3_W("OFFSET_OUT", 0x310, NULL),
	NV3_W("PITCH_IN", 0x314, nv3_format_unsigned),
	NV3_W("PITCH_OUT", 0x318, nv3_format_unsigned),
	NV3_W("LINE_LENGTH", 0x31c, nv3_format_unsigned),
	NV3_W("LINE_COUNT", 0x320, nv3_format_unsigned),
	NV3_W("FORMAT", 0x324, format_m2mf),
	NV3_W("BUF_NOTIFY", 0x328, nv3_format_unsigned),
	NV3_W_END
};

static const struct nv3_field format_sifm_pitch[] = {
	NV3_F("pitch", 15, 0, UNSIGNED), NV3_F("pitch_uv", 31, 16, UNSIGNED), NV3_F_END
};

/*
 * Method 0x40c is SOURCE, or OFFSET(1) if the object's source format has three planes. If two rows
 * have the same offset, the first row provides the name of the method.
 */
const struct nv3_word nv3_methods_sifm[] = {
	NV3_W_SOFTWARE("SET_DMA_IN", 0x184),
	NV3_W("CLIP_POINT", 0x308, nv3_format_xy),
	NV3_W("CLIP_SIZE", 0x30c, nv3_format_size),
	NV3_W("POINT", 0x310, nv3_format_xy),
	NV3_W("SIZE_OUT", 0x314, nv3_format_size),
	NV3_W("DU_DX", 0x318, nv3_format_fixed_20),
	NV3_W("DV_DY", 0x31c, nv3_format_fixed_20),
	NV3_W("SIZE_IN", 0x400, nv3_format_size),
	NV3_W("PITCH", 0x404, format_sifm_pitch),
	NV3_W("SOURCE", 0x40c, format_uv),
	NV3_W_ARRAY("OFFSET", 0x408, 3, 4, NULL),
	NV3_W("SOURCE_PLANES", 0x414, format_uv),
	NV3_W_END
};

const struct nv3_word nv3_methods_blit[] = {
	NV3_W_SOFTWARE("OPERATION", 0x2fc),
	NV3_W("POINT_IN", 0x300, nv3_format_xy),
	NV3_W("POINT_OUT", 0x304, nv3_format_xy),
	NV3_W("SIZE", 0x308, nv3_format_size),
	NV3_W_END
};

const struct nv3_word nv3_methods_ifc[] = {
	NV3_W_SOFTWARE("OPERATION", 0x2fc),
	NV3_W("POINT", 0x304, nv3_format_xy),
	NV3_W("SIZE_OUT", 0x308, nv3_format_size),
	NV3_W("SIZE_IN", 0x30c, nv3_format_size),
	NV3_W_ARRAY("DATA", 0x400, 1792, 4, NULL),
	NV3_W_END
};

const struct nv3_word nv3_methods_bitmap[] = {
	NV3_W("COLOR_0", 0x308, NULL),
	NV3_W("COLOR_1", 0x30c, NULL),
	NV3_W("POINT", 0x310, nv3_format_xy),
	NV3_W("SIZE_OUT", 0x314, nv3_format_size),
	NV3_W("SIZE_IN", 0x318, nv3_format_size),
	NV3_W_ARRAY("DATA", 0x400, 32, 4, NULL),
	NV3_W_END
};

const struct nv3_word nv3_methods_itm[] = {
	NV3_W_SOFTWARE("SET_DMA_OUT", 0x184),
	NV3_W("POINT", 0x308, nv3_format_xy),
	NV3_W("SIZE", 0x30c, nv3_format_size),
	NV3_W("PITCH", 0x310, nv3_format_unsigned),
	NV3_W("OFFSET", 0x314, NULL),
	NV3_W_END
};

const struct nv3_word nv3_methods_sifc[] = {
	NV3_W("SIZE_IN", 0x304, nv3_format_size),
	NV3_W("DX_DU", 0x308, nv3_format_fixed_20),
	NV3_W("DY_DV", 0x30c, nv3_format_fixed_20),
	NV3_W("CLIP_POINT", 0x310, nv3_format_xy),
	NV3_W("CLIP_SIZE", 0x314, nv3_format_size),
	NV3_W("POINT", 0x318, format_xy_4),
	NV3_W_ARRAY("DATA", 0x400, 1792, 4, NULL),
	NV3_W_END
};
