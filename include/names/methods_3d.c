/* SPDX-License-Identifier: MIT */
/* Methods of classes 0x17 and 0x18. nv3_class.h documents these methods. */
#include "tables.h"

#define VERTICES	128
#define VERTEX_SIZE	0x20

static const struct nv3_value_name texture_formats[] = {
	{ "A1R5G5B5", 0 }, { "X1R5G5B5", 1 }, { "A4R4G4B4", 2 }, { "R5G6B5", 3 }, { NULL, 0 }
};

static const struct nv3_field format_texture[] = {
	NV3_F("key", 15, 0, HEX),
	NV3_F_FLAG("key_enable", 16),
	NV3_F_ENUM("format", 23, 20, texture_formats),
	NV3_F("size_min", 27, 24, UNSIGNED),
	NV3_F("size_max", 31, 28, UNSIGNED),
	NV3_F_END
};

/*
 * Names: envytools, rnndb/graph/nv3_3d.xml. Field size_adjust is in sixteenths of a mip level.
 */
static const struct nv3_field format_filter[] = {
	NV3_F("spread_x", 4, 0, UNSIGNED),
	NV3_F("spread_y", 12, 8, UNSIGNED),
	NV3_F("size_adjust", 23, 16, SIGNED),
	NV3_F_END
};

const struct nv3_word nv3_methods_d3d[] = {
	NV3_W_SOFTWARE("SET_DMA_TEXTURE", 0x184),
	NV3_W_SOFTWARE("SET_CLIP", 0x188),
	NV3_W_SOFTWARE("SET_COLOR", 0x18c),
	NV3_W_SOFTWARE("SET_ZETA", 0x190),
	NV3_W("TEX_OFFSET", 0x304, NULL),
	NV3_W("TEX_FORMAT", 0x308, format_texture),
	NV3_W("TEX_FILTER", 0x30c, format_filter),
	NV3_W("FOG_COLOR", 0x310, NULL),
	NV3_W("CONFIG", 0x314, nv3_format_d3d_config),
	NV3_W("ALPHA", 0x318, nv3_format_d3d_alpha),
	NV3_W_ARRAY("FOG_TRI", 0x1000, VERTICES, VERTEX_SIZE, nv3_format_d3d_fog_tri),
	NV3_W_ARRAY("COLOR", 0x1004, VERTICES, VERTEX_SIZE, NULL),
	NV3_W_ARRAY("X", 0x1008, VERTICES, VERTEX_SIZE, nv3_format_float),
	NV3_W_ARRAY("Y", 0x100c, VERTICES, VERTEX_SIZE, nv3_format_float),
	NV3_W_ARRAY("Z", 0x1010, VERTICES, VERTEX_SIZE, nv3_format_float),
	NV3_W_ARRAY("RHW", 0x1014, VERTICES, VERTEX_SIZE, nv3_format_float),
	NV3_W_ARRAY("U", 0x1018, VERTICES, VERTEX_SIZE, nv3_format_float),
	NV3_W_ARRAY("V", 0x101c, VERTICES, VERTEX_SIZE, nv3_format_float),
	NV3_W_END
};

static const struct nv3_field format_zeta[] = {
	NV3_F("depth", 31, 16, UNSIGNED), NV3_F_END
};

const struct nv3_word nv3_methods_zpoint[] = {
	NV3_W("CONFIG", 0x304, nv3_format_zpoint_config),
	NV3_W("ALPHA", 0x308, nv3_format_d3d_alpha),
	NV3_W("POINT", 0x7fc, nv3_format_xy),
	NV3_W_ARRAY("COLOR", 0x800, 256, 8, NULL),
	NV3_W_ARRAY("ZETA", 0x804, 256, 8, format_zeta),
	NV3_W_END
};
