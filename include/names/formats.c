/* SPDX-License-Identifier: MIT */
/* Formats of values that several methods and registers share. */
#include "tables.h"

const struct nv3_field nv3_format_unsigned[] = { NV3_F(NULL, 31, 0, UNSIGNED), NV3_F_END };
const struct nv3_field nv3_format_signed[] = { NV3_F(NULL, 31, 0, SIGNED), NV3_F_END };
const struct nv3_field nv3_format_float[] = { NV3_F(NULL, 31, 0, FLOAT), NV3_F_END };
const struct nv3_field nv3_format_fixed_20[] = {
	NV3_F_FIXED(NULL, 31, 0, 20, FIXED), NV3_F_END
};
const struct nv3_field nv3_format_xy[] = {
	NV3_F("x", 15, 0, SIGNED), NV3_F("y", 31, 16, SIGNED), NV3_F_END
};
const struct nv3_field nv3_format_yx[] = {
	NV3_F("x", 31, 16, SIGNED), NV3_F("y", 15, 0, SIGNED), NV3_F_END
};
const struct nv3_field nv3_format_size[] = {
	NV3_F("width", 15, 0, UNSIGNED), NV3_F("height", 31, 16, UNSIGNED), NV3_F_END
};
const struct nv3_field nv3_format_size_wh[] = {
	NV3_F("width", 31, 16, UNSIGNED), NV3_F("height", 15, 0, UNSIGNED), NV3_F_END
};

/* ---- the options of a graphics object ---- */

static const struct nv3_value_name color_formats[] = {
	{ "R5G5B5", 0 }, { "R8G8B8", 1 }, { "R10G10B10", 2 }, { "Y8", 3 }, { "Y16", 4 },
	{ "YUYV", 5 }, { "UYVY", 6 }, { "YUV_PLANES", 7 }, { NULL, 0 }
};

/*
 * Source: envytools, nvhw/pgraph.c, nv03_pgraph_rop(). The three letters of a name ROP_... are the
 * operands (D destination, S source, P pattern) that supply bits 0, 1 and 2 of the index into the
 * raster operation's truth table.
 */
static const struct nv3_value_name operations[] = {
	{ "RPOP_DS", 0x00 }, { "ROP_SDD", 0x01 }, { "ROP_DSD", 0x02 }, { "ROP_SSD", 0x03 },
	{ "ROP_DDS", 0x04 }, { "ROP_SDS", 0x05 }, { "ROP_DSS", 0x06 }, { "ROP_SSS", 0x07 },
	{ "ROP_SSS_ALT", 0x08 }, { "ROP_PSS", 0x09 }, { "ROP_SPS", 0x0a }, { "ROP_PPS", 0x0b },
	{ "ROP_SSP", 0x0c }, { "ROP_PSP", 0x0d }, { "ROP_SPP", 0x0e }, { "RPOP_SP", 0x0f },
	{ "ROP_DSP", 0x10 }, { "ROP_SDP", 0x11 }, { "ROP_DPS", 0x12 }, { "ROP_PDS", 0x13 },
	{ "ROP_SPD", 0x14 }, { "ROP_PSD", 0x15 }, { "SRCCOPY", 0x17 }, { "BLEND_DS", 0x19 },
	{ "BLEND_SD", 0x1a }, { "BLEND_S", 0x1d }, { NULL, 0 }
};

const struct nv3_field nv3_format_options[] = {
	NV3_F_ENUM("color_format", 2, 0, color_formats),
	NV3_F_FLAG("alpha", 3),
	NV3_F_FLAG("mono_cga6", 8),
	NV3_F_FLAG("zeta", 12),
	NV3_F_FLAG("chroma", 13),
	NV3_F_FLAG("plane", 14),
	NV3_F_FLAG("clip", 15),
	NV3_F("src_slot", 17, 16, UNSIGNED),
	NV3_F("dst_slots", 23, 20, HEX),
	NV3_F_ENUM("operation", 28, 24, operations),
	NV3_F_END
};

/* ---- classes 0x17 and 0x18, and their registers ---- */

static const struct nv3_value_name interpolations[] = {
	{ "ZOH_CORNER", 0 }, { "ZOH_CENTER", 1 }, { "FOH_CENTER", 2 }, { NULL, 0 }
};

static const struct nv3_value_name wraps[] = {
	{ "CYLINDRICAL", 0 }, { "WRAP", 1 }, { "MIRROR", 2 }, { "CLAMP", 3 }, { NULL, 0 }
};

static const struct nv3_value_name sources[] = {
	{ "NORMAL", 0 }, { "COLOR_INVERSE", 1 }, { "ALPHA_INVERSE", 2 }, { "ALPHA_ONE", 3 },
	{ NULL, 0 }
};

static const struct nv3_value_name culls[] = {
	{ "NONE", 1 }, { "CCW", 2 }, { "CW", 3 }, { NULL, 0 }
};

static const struct nv3_value_name comparisons[] = {
	{ "NEVER", 1 }, { "LESS", 2 }, { "EQUAL", 3 }, { "LEQUAL", 4 }, { "GREATER", 5 },
	{ "NOTEQUAL", 6 }, { "GEQUAL", 7 }, { "ALWAYS", 8 }, { NULL, 0 }
};

static const struct nv3_value_name writes[] = {
	{ "NEVER", 0 }, { "ALPHA", 1 }, { "ALPHA_Z", 2 }, { "Z", 3 }, { "ALWAYS", 4 }, { NULL, 0 }
};

#define D3D_CONFIG_OF_PIXELS \
	NV3_F_ENUM("z_func", 19, 16, comparisons), \
	NV3_F_ENUM("z_write", 22, 20, writes), \
	NV3_F_ENUM("color_write", 26, 24, writes), \
	NV3_F_FLAG("rop_add", 28), \
	NV3_F_FLAG("beta_dst_color", 29), \
	NV3_F_FLAG("dst_zero", 30), \
	NV3_F_FLAG("src_zero", 31)

const struct nv3_field nv3_format_d3d_config[] = {
	NV3_F_ENUM("interp", 1, 0, interpolations),
	NV3_F_ENUM("wrap_u", 5, 4, wraps),
	NV3_F_ENUM("wrap_v", 7, 6, wraps),
	NV3_F_FLAG("alpha", 8),
	NV3_F_ENUM("source", 11, 10, sources),
	NV3_F_ENUM("cull", 13, 12, culls),
	NV3_F_FLAG("z_perspective", 15),
	D3D_CONFIG_OF_PIXELS,
	NV3_F_END
};

/* Method CONFIG of class ZPOINT lacks the texture and culling fields of class D3D. */
const struct nv3_field nv3_format_zpoint_config[] = {
	D3D_CONFIG_OF_PIXELS,
	NV3_F_END
};

const struct nv3_field nv3_format_d3d_alpha[] = {
	NV3_F("reference", 7, 0, UNSIGNED),
	NV3_F_ENUM("func", 11, 8, comparisons),
	NV3_F_END
};

const struct nv3_field nv3_format_d3d_fog_tri[] = {
	NV3_F("i0", 3, 0, UNSIGNED),
	NV3_F("i1", 7, 4, UNSIGNED),
	NV3_F("i2", 11, 8, UNSIGNED),
	NV3_F("i3", 15, 12, UNSIGNED),
	NV3_F("i4", 19, 16, UNSIGNED),
	NV3_F("i5", 23, 20, UNSIGNED),
	NV3_F("fog", 31, 24, UNSIGNED),
	NV3_F_END
};
