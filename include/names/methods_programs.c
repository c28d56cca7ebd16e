/* SPDX-License-Identifier: MIT */
/*
 * Methods of class 0x1f, vertex and fragment programs. nv3_programs.h and
 * docs/reference/chip/programs.md document the methods. The values of OpenGL's constants are from
 * the OpenGL registry.
 */
#include "tables.h"

/* ---- numbers of OpenGL and of the NV2A ---- */

static const struct nv3_value_name comparisons[] = {
	{ "NEVER", 0x200 }, { "LESS", 0x201 }, { "EQUAL", 0x202 }, { "LEQUAL", 0x203 },
	{ "GREATER", 0x204 }, { "NOTEQUAL", 0x205 }, { "GEQUAL", 0x206 }, { "ALWAYS", 0x207 },
	{ "NEVER_NV2A", 0 }, { "LESS_NV2A", 1 }, { "EQUAL_NV2A", 2 }, { "LEQUAL_NV2A", 3 },
	{ "GREATER_NV2A", 4 }, { "NOTEQUAL_NV2A", 5 }, { "GEQUAL_NV2A", 6 },
	{ "ALWAYS_NV2A", 7 }, { NULL, 0 }
};

static const struct nv3_value_name stencil_ops[] = {
	{ "ZERO", 0 }, { "KEEP", 0x1e00 }, { "REPLACE", 0x1e01 }, { "INCR", 0x1e02 },
	{ "DECR", 0x1e03 }, { "INVERT", 0x150a }, { "INCR_WRAP", 0x8507 },
	{ "DECR_WRAP", 0x8508 }, { NULL, 0 }
};

static const struct nv3_value_name factors[] = {
	{ "ZERO", 0 }, { "ONE", 1 }, { "SRC_COLOR", 0x300 }, { "ONE_MINUS_SRC_COLOR", 0x301 },
	{ "SRC_ALPHA", 0x302 }, { "ONE_MINUS_SRC_ALPHA", 0x303 }, { "DST_ALPHA", 0x304 },
	{ "ONE_MINUS_DST_ALPHA", 0x305 }, { "DST_COLOR", 0x306 },
	{ "ONE_MINUS_DST_COLOR", 0x307 }, { "SRC_ALPHA_SATURATE", 0x308 },
	{ "CONSTANT_COLOR", 0x8001 }, { "ONE_MINUS_CONSTANT_COLOR", 0x8002 },
	{ "CONSTANT_ALPHA", 0x8003 }, { "ONE_MINUS_CONSTANT_ALPHA", 0x8004 }, { NULL, 0 }
};

static const struct nv3_value_name equations[] = {
	{ "ADD", 0x8006 }, { "MIN", 0x8007 }, { "MAX", 0x8008 }, { "SUBTRACT", 0x800a },
	{ "REVERSE_SUBTRACT", 0x800b }, { NULL, 0 }
};

static const struct nv3_value_name logic_ops[] = {
	{ "CLEAR", 0x1500 }, { "AND", 0x1501 }, { "AND_REVERSE", 0x1502 }, { "COPY", 0x1503 },
	{ "AND_INVERTED", 0x1504 }, { "NOOP", 0x1505 }, { "XOR", 0x1506 }, { "OR", 0x1507 },
	{ "NOR", 0x1508 }, { "EQUIV", 0x1509 }, { "INVERT", 0x150a }, { "OR_REVERSE", 0x150b },
	{ "COPY_INVERTED", 0x150c }, { "OR_INVERTED", 0x150d }, { "NAND", 0x150e },
	{ "SET", 0x150f }, { NULL, 0 }
};

static const struct nv3_value_name shade_modes[] = {
	{ "FLAT", 0x1d00 }, { "SMOOTH", 0x1d01 }, { NULL, 0 }
};

static const struct nv3_value_name polygon_modes[] = {
	{ "POINT", 0x1b00 }, { "LINE", 0x1b01 }, { "FILL", 0x1b02 }, { NULL, 0 }
};

static const struct nv3_value_name faces[] = {
	{ "FRONT", 0x404 }, { "BACK", 0x405 }, { "FRONT_AND_BACK", 0x408 }, { NULL, 0 }
};

static const struct nv3_value_name windings[] = {
	{ "CW", 0x900 }, { "CCW", 0x901 }, { NULL, 0 }
};

static const struct nv3_value_name primitives[] = {
	{ "END", 0 }, { "POINTS", 1 }, { "LINES", 2 }, { "LINE_LOOP", 3 }, { "LINE_STRIP", 4 },
	{ "TRIANGLES", 5 }, { "TRIANGLE_STRIP", 6 }, { "TRIANGLE_FAN", 7 }, { "QUADS", 8 },
	{ "QUAD_STRIP", 9 }, { "POLYGON", 10 }, { NULL, 0 }
};

static const struct nv3_field format_comparison[] = {
	NV3_F_ENUM(NULL, 31, 0, comparisons), NV3_F_END
};
static const struct nv3_field format_stencil_op[] = {
	NV3_F_ENUM(NULL, 31, 0, stencil_ops), NV3_F_END
};
static const struct nv3_field format_logic_op[] = {
	NV3_F_ENUM(NULL, 31, 0, logic_ops), NV3_F_END
};
static const struct nv3_field format_shade_mode[] = {
	NV3_F_ENUM(NULL, 31, 0, shade_modes), NV3_F_END
};
static const struct nv3_field format_polygon_mode[] = {
	NV3_F_ENUM(NULL, 31, 0, polygon_modes), NV3_F_END
};
static const struct nv3_field format_face[] = { NV3_F_ENUM(NULL, 31, 0, faces), NV3_F_END };
static const struct nv3_field format_winding[] = {
	NV3_F_ENUM(NULL, 31, 0, windings), NV3_F_END
};
static const struct nv3_field format_primitive[] = {
	NV3_F_ENUM(NULL, 31, 0, primitives), NV3_F_END
};

/* If BLEND_SEPARATE_ALPHA is 1, bits 31:16 of factors and equations apply to alpha. */
static const struct nv3_field format_factor[] = {
	NV3_F_ENUM("color", 15, 0, factors), NV3_F_ENUM("alpha", 31, 16, factors), NV3_F_END
};
static const struct nv3_field format_equation[] = {
	NV3_F_ENUM("color", 15, 0, equations), NV3_F_ENUM("alpha", 31, 16, equations), NV3_F_END
};

/* ---- targets and rectangles ---- */

static const struct nv3_field format_horizontal[] = {
	NV3_F("x", 15, 0, UNSIGNED), NV3_F("width", 31, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field format_vertical[] = {
	NV3_F("y", 15, 0, UNSIGNED), NV3_F("height", 31, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field format_first_last[] = {
	NV3_F("first", 15, 0, UNSIGNED), NV3_F("last", 31, 16, UNSIGNED), NV3_F_END
};

static const struct nv3_value_name color_formats[] = {
	{ "NONE", 0 }, { "X1R5G5B5", 1 }, { "X1R5G5B5_O1R5G5B5", 2 }, { "R5G6B5", 3 },
	{ "X8R8G8B8_Z8R8G8B8", 4 }, { "X8R8G8B8", 5 }, { "A8R8G8B8", 8 }, { NULL, 0 }
};
static const struct nv3_value_name zeta_formats[] = {
	{ "NONE", 0 }, { "Z16", 1 }, { "Z24S8", 2 }, { NULL, 0 }
};
static const struct nv3_value_name surface_types[] = { { "PITCH", 1 }, { NULL, 0 } };

static const struct nv3_value_name surface_samples[] = {
	{ "CENTER_1", 0 }, { "SQUARE_OFFSET_4", 2 }, { "SQUARE_ROTATED_4", 5 }, { NULL, 0 }
};
static const struct nv3_field format_surface[] = {
	NV3_F_ENUM("color", 3, 0, color_formats),
	NV3_F_ENUM("zeta", 7, 4, zeta_formats),
	NV3_F_ENUM("type", 11, 8, surface_types),
	NV3_F_ENUM("samples", 15, 12, surface_samples),
	NV3_F_END
};
static const struct nv3_field format_surface_pitch[] = {
	NV3_F("color", 15, 0, UNSIGNED), NV3_F("zeta", 31, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field format_color_mask[] = {
	NV3_F_FLAG("blue", 0), NV3_F_FLAG("green", 8), NV3_F_FLAG("red", 16),
	NV3_F_FLAG("alpha", 24), NV3_F_END
};
static const struct nv3_field format_clear[] = {
	NV3_F_FLAG("depth", 0), NV3_F_FLAG("stencil", 1), NV3_F_FLAG("red", 4),
	NV3_F_FLAG("green", 5), NV3_F_FLAG("blue", 6), NV3_F_FLAG("alpha", 7), NV3_F_END
};
static const struct nv3_field format_zmin_max[] = { NV3_F_FLAG("clamp", 4), NV3_F_END };
static const struct nv3_field format_multisample[] = {
	NV3_F_FLAG("enable", 0), NV3_F_FLAG("alpha_to_coverage", 4),
	NV3_F_FLAG("alpha_to_one", 8), NV3_F("mask", 31, 16, HEX), NV3_F_END
};

/* ---- vertices ---- */

static const struct nv3_value_name array_types[] = {
	{ "UBYTE_BGRA", 0 }, { "SHORT_NORM", 1 }, { "FLOAT", 2 }, { "HALF", 3 },
	{ "UBYTE_NORM", 4 }, { "SHORT", 5 }, { "PACKED_NORM", 6 }, { "UBYTE", 7 },
	{ "USHORT_NORM", 8 }, { "USHORT", 9 }, { "BYTE_NORM", 10 }, { "BYTE", 11 }, { NULL, 0 }
};
static const struct nv3_field format_array[] = {
	NV3_F_ENUM("type", 3, 0, array_types),
	NV3_F("components", 7, 4, UNSIGNED),
	NV3_F("stride", 23, 8, UNSIGNED),
	NV3_F_END
};
static const struct nv3_field format_draw[] = {
	NV3_F("first", 23, 0, UNSIGNED), NV3_F("count_minus_1", 31, 24, UNSIGNED), NV3_F_END
};
static const struct nv3_field format_two_elements[] = {
	NV3_F("first", 15, 0, UNSIGNED), NV3_F("second", 31, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_value_name index_types[] = {
	{ "U32", 0 }, { "U16", 1 }, { "U8", 2 }, { NULL, 0 }
};
static const struct nv3_field format_index[] = {
	NV3_F_ENUM("type", 7, 4, index_types), NV3_F_END
};
static const struct nv3_field format_clip_planes[] = {
	NV3_F_FLAG("plane_0", 1), NV3_F_FLAG("plane_1", 5), NV3_F_FLAG("plane_2", 9),
	NV3_F_FLAG("plane_3", 13), NV3_F_FLAG("plane_4", 17), NV3_F_FLAG("plane_5", 21),
	NV3_F_END
};
static const struct nv3_field format_point_sprite[] = {
	NV3_F_FLAG("enable", 0), NV3_F("coordinates", 17, 8, HEX), NV3_F_FLAG("lower_left", 31),
	NV3_F_END
};

/* ---- texture units ---- */

static const struct nv3_value_name texture_formats[] = {
	{ "L8", 0x01 }, { "A1R5G5B5", 0x02 }, { "A4R4G4B4", 0x03 }, { "R5G6B5", 0x04 },
	{ "A8R8G8B8", 0x05 }, { "DXT1", 0x06 }, { "DXT3", 0x07 }, { "DXT5", 0x08 },
	{ "A8L8", 0x0b }, { "Z24S8", 0x10 }, { "Z16", 0x12 }, { "A8", 0x1d }, { "I8", 0x1e },
	{ "X8R8G8B8", 0x1f }, { NULL, 0 }
};
static const struct nv3_field format_texture[] = {
	NV3_F_FLAG("cubic", 2),
	NV3_F("dimensions", 7, 4, UNSIGNED),
	NV3_F_ENUM("format", 12, 8, texture_formats),
	NV3_F_FLAG("linear", 13),
	NV3_F("levels", 19, 16, UNSIGNED),
	NV3_F_END
};
static const struct nv3_value_name wraps[] = {
	{ "REPEAT", 1 }, { "MIRRORED_REPEAT", 2 }, { "CLAMP_TO_EDGE", 3 },
	{ "CLAMP_TO_BORDER", 4 }, { "CLAMP", 5 }, { "MIRROR_CLAMP_TO_EDGE", 6 },
	{ "MIRROR_CLAMP_TO_BORDER", 7 }, { "MIRROR_CLAMP", 8 }, { NULL, 0 }
};
static const struct nv3_field format_wrap[] = {
	NV3_F_ENUM("s", 3, 0, wraps), NV3_F_ENUM("t", 11, 8, wraps),
	NV3_F_ENUM("r", 19, 16, wraps), NV3_F("compare", 30, 28, UNSIGNED), NV3_F_END
};
static const struct nv3_field format_texture_enable[] = {
	NV3_F_FIXED("max_lod", 18, 7, 8, UFIXED), NV3_F_FIXED("min_lod", 30, 19, 8, UFIXED),
	NV3_F_FLAG("enable", 31), NV3_F_END
};
static const struct nv3_value_name min_filters[] = {
	{ "NEAREST", 1 }, { "LINEAR", 2 }, { "NEAREST_MIPMAP_NEAREST", 3 },
	{ "LINEAR_MIPMAP_NEAREST", 4 }, { "NEAREST_MIPMAP_LINEAR", 5 },
	{ "LINEAR_MIPMAP_LINEAR", 6 }, { NULL, 0 }
};
static const struct nv3_value_name mag_filters[] = {
	{ "NEAREST", 1 }, { "LINEAR", 2 }, { NULL, 0 }
};
static const struct nv3_field format_filter[] = {
	NV3_F_FIXED("lod_bias", 12, 0, 8, FIXED), NV3_F_ENUM("min", 19, 16, min_filters),
	NV3_F_ENUM("mag", 27, 24, mag_filters), NV3_F_END
};
static const struct nv3_field format_npot_size[] = {
	NV3_F("height", 15, 0, UNSIGNED), NV3_F("width", 31, 16, UNSIGNED), NV3_F_END
};
static const struct nv3_field format_size1[] = {
	NV3_F("pitch", 15, 0, UNSIGNED), NV3_F("depth", 31, 20, UNSIGNED), NV3_F_END
};

/* ---- methods ---- */

#define UNIT_SIZE	0x20	/* size of a texture unit in bytes */

const struct nv3_word nv3_methods_programs[] = {
	/* The NV2A's */
	NV3_W("NO_OPERATION", 0x0100, NULL),
	NV3_W("WAIT_FOR_IDLE", 0x0110, NULL),
	NV3_W("SURFACE_CLIP_HORIZONTAL", 0x0200, format_horizontal),
	NV3_W("SURFACE_CLIP_VERTICAL", 0x0204, format_vertical),
	NV3_W("SURFACE_FORMAT", 0x0208, format_surface),
	NV3_W("SURFACE_PITCH", 0x020c, format_surface_pitch),
	NV3_W("SURFACE_COLOR_OFFSET", 0x0210, NULL),
	NV3_W("SURFACE_ZETA_OFFSET", 0x0214, NULL),
	NV3_W("FOG_ENABLE", 0x02a4, nv3_format_unsigned),
	NV3_W("FOG_COLOR", 0x02a8, NULL),
	NV3_W("ALPHA_TEST_ENABLE", 0x0300, nv3_format_unsigned),
	NV3_W("BLEND_ENABLE", 0x0304, nv3_format_unsigned),
	NV3_W("CULL_FACE_ENABLE", 0x0308, nv3_format_unsigned),
	NV3_W("DEPTH_TEST_ENABLE", 0x030c, nv3_format_unsigned),
	NV3_W("DITHER_ENABLE", 0x0310, nv3_format_unsigned),
	NV3_W("POINT_PARAMS_ENABLE", 0x0318, nv3_format_unsigned),
	NV3_W("STENCIL_TEST_ENABLE", 0x032c, nv3_format_unsigned),
	NV3_W("POLY_OFFSET_POINT_ENABLE", 0x0330, nv3_format_unsigned),
	NV3_W("POLY_OFFSET_LINE_ENABLE", 0x0334, nv3_format_unsigned),
	NV3_W("POLY_OFFSET_FILL_ENABLE", 0x0338, nv3_format_unsigned),
	NV3_W("ALPHA_FUNC", 0x033c, format_comparison),
	NV3_W("ALPHA_REF", 0x0340, nv3_format_unsigned),
	NV3_W("BLEND_FUNC_SFACTOR", 0x0344, format_factor),
	NV3_W("BLEND_FUNC_DFACTOR", 0x0348, format_factor),
	NV3_W("BLEND_COLOR", 0x034c, NULL),
	NV3_W("BLEND_EQUATION", 0x0350, format_equation),
	NV3_W("DEPTH_FUNC", 0x0354, format_comparison),
	NV3_W("COLOR_MASK", 0x0358, format_color_mask),
	NV3_W("DEPTH_MASK", 0x035c, nv3_format_unsigned),
	NV3_W("STENCIL_MASK", 0x0360, NULL),
	NV3_W("STENCIL_FUNC", 0x0364, format_comparison),
	NV3_W("STENCIL_FUNC_REF", 0x0368, nv3_format_unsigned),
	NV3_W("STENCIL_FUNC_MASK", 0x036c, NULL),
	NV3_W("STENCIL_OP_FAIL", 0x0370, format_stencil_op),
	NV3_W("STENCIL_OP_ZFAIL", 0x0374, format_stencil_op),
	NV3_W("STENCIL_OP_ZPASS", 0x0378, format_stencil_op),
	NV3_W("SHADE_MODE", 0x037c, format_shade_mode),
	NV3_W("LINE_WIDTH", 0x0380, nv3_format_unsigned),
	NV3_W("POLYGON_OFFSET_SCALE", 0x0384, nv3_format_float),
	NV3_W("POLYGON_OFFSET_BIAS", 0x0388, nv3_format_float),
	NV3_W("FRONT_POLYGON_MODE", 0x038c, format_polygon_mode),
	NV3_W("BACK_POLYGON_MODE", 0x0390, format_polygon_mode),
	NV3_W("CULL_FACE", 0x039c, format_face),
	NV3_W("FRONT_FACE", 0x03a0, format_winding),
	NV3_W("POINT_SIZE", 0x043c, nv3_format_unsigned),
	NV3_W_ARRAY("VIEWPORT_OFFSET", 0x0a20, 4, 4, nv3_format_float),
	NV3_W_ARRAY("VIEWPORT_SCALE", 0x0af0, 4, 4, nv3_format_float),
	NV3_W_ARRAY("TRANSFORM_PROGRAM", 0x0b00, 32, 4, NULL),
	NV3_W_ARRAY("TRANSFORM_CONSTANT", 0x0b80, 32, 4, nv3_format_float),
	NV3_W_ARRAY("VERTEX4F", 0x1518, 4, 4, nv3_format_float),
	NV3_W_ARRAY("ARRAY_OFFSET", 0x1720, 16, 4, NULL),
	NV3_W_ARRAY("ARRAY_FORMAT", 0x1760, 16, 4, format_array),
	NV3_W("LOGIC_OP_ENABLE", 0x17bc, nv3_format_unsigned),
	NV3_W("LOGIC_OP", 0x17c0, format_logic_op),
	NV3_W("TWO_SIDE_LIGHT_ENABLE", 0x17c4, nv3_format_unsigned),
	NV3_W("CLEAR_REPORT_VALUE", 0x17c8, NULL),
	NV3_W("GET_REPORT", 0x17d0, NULL),
	NV3_W("BEGIN_END", 0x17fc, format_primitive),
	NV3_W("ARRAY_ELEMENT16", 0x1800, format_two_elements),
	NV3_W("ARRAY_ELEMENT32", 0x1808, nv3_format_unsigned),
	NV3_W("DRAW_ARRAYS", 0x1810, format_draw),
	NV3_W("INLINE_ARRAY", 0x1818, NULL),
	NV3_W_ARRAY2("VERTEX_DATA2F", 0x1880, 16, 8, 2, 4, nv3_format_float),
	NV3_W_ARRAY("VERTEX_DATA2S", 0x1900, 16, 4, nv3_format_xy),
	NV3_W_ARRAY("VERTEX_DATA4UB", 0x1940, 16, 4, NULL),
	NV3_W_ARRAY2("VERTEX_DATA4S", 0x1980, 16, 8, 2, 4, nv3_format_xy),
	NV3_W("ZMIN_MAX_CONTROL", 0x1d78, format_zmin_max),
	NV3_W("MULTISAMPLE_CONTROL", 0x1d7c, format_multisample),
	NV3_W("ZSTENCIL_CLEAR_VALUE", 0x1d8c, NULL),
	NV3_W("COLOR_CLEAR_VALUE", 0x1d90, NULL),
	NV3_W("CLEAR_SURFACE", 0x1d94, format_clear),
	NV3_W("CLEAR_RECT_HORIZONTAL", 0x1d98, format_first_last),
	NV3_W("CLEAR_RECT_VERTICAL", 0x1d9c, format_first_last),
	NV3_W("TRANSFORM_PROGRAM_LOAD", 0x1e9c, nv3_format_unsigned),
	NV3_W("TRANSFORM_PROGRAM_START", 0x1ea0, nv3_format_unsigned),
	NV3_W("TRANSFORM_CONSTANT_LOAD", 0x1ea4, nv3_format_unsigned),

	/* The GeForce 6's */
	NV3_W("SCISSOR_HORIZ", 0x08c0, format_horizontal),
	NV3_W("SCISSOR_VERT", 0x08c4, format_vertical),
	NV3_W("FP_ACTIVE_PROGRAM", 0x08e4, NULL),
	NV3_W_ARRAY("VTXTEX_OFFSET", 0x0900, 4, UNIT_SIZE, NULL),
	NV3_W_ARRAY("VTXTEX_FORMAT", 0x0904, 4, UNIT_SIZE, format_texture),
	NV3_W_ARRAY("VTXTEX_WRAP", 0x0908, 4, UNIT_SIZE, format_wrap),
	NV3_W_ARRAY("VTXTEX_ENABLE", 0x090c, 4, UNIT_SIZE, format_texture_enable),
	NV3_W_ARRAY("VTXTEX_SWIZZLE", 0x0910, 4, UNIT_SIZE, NULL),
	NV3_W_ARRAY("VTXTEX_FILTER", 0x0914, 4, UNIT_SIZE, format_filter),
	NV3_W_ARRAY("VTXTEX_NPOT_SIZE", 0x0918, 4, UNIT_SIZE, format_npot_size),
	NV3_W_ARRAY("VTXTEX_BORDER_COLOR", 0x091c, 4, UNIT_SIZE, NULL),
	NV3_W("VIEWPORT_HORIZ", 0x0a00, format_horizontal),
	NV3_W("VIEWPORT_VERT", 0x0a04, format_vertical),
	NV3_W("FLATSHADE_FIRST", 0x1454, nv3_format_unsigned),
	NV3_W("CLIP_PLANES_ENABLE", 0x1478, format_clip_planes),
	NV3_W("IDXBUF_OFFSET", 0x181c, NULL),
	NV3_W("IDXBUF_FORMAT", 0x1820, format_index),
	NV3_W("INDEX_BATCH", 0x1824, format_draw),
	NV3_W_ARRAY("TEX_SIZE1", 0x1840, 16, 4, format_size1),
	NV3_W_ARRAY("TEX_OFFSET", 0x1a00, 16, UNIT_SIZE, NULL),
	NV3_W_ARRAY("TEX_FORMAT", 0x1a04, 16, UNIT_SIZE, format_texture),
	NV3_W_ARRAY("TEX_WRAP", 0x1a08, 16, UNIT_SIZE, format_wrap),
	NV3_W_ARRAY("TEX_ENABLE", 0x1a0c, 16, UNIT_SIZE, format_texture_enable),
	NV3_W_ARRAY("TEX_SWIZZLE", 0x1a10, 16, UNIT_SIZE, NULL),
	NV3_W_ARRAY("TEX_FILTER", 0x1a14, 16, UNIT_SIZE, format_filter),
	NV3_W_ARRAY("TEX_NPOT_SIZE", 0x1a18, 16, UNIT_SIZE, format_npot_size),
	NV3_W_ARRAY("TEX_BORDER_COLOR", 0x1a1c, 16, UNIT_SIZE, NULL),
	NV3_W_ARRAY2("VERTEX_DATA4F", 0x1c00, 16, 16, 4, 4, nv3_format_float),
	NV3_W("FP_CONTROL", 0x1d60, NULL),
	NV3_W("RESTART_ENABLE", 0x1dac, nv3_format_unsigned),
	NV3_W("RESTART_INDEX", 0x1db0, NULL),
	NV3_W("POINT_SPRITE", 0x1ee8, format_point_sprite),
	NV3_W("TEX_CACHE_CTL", 0x1fd8, NULL),

	/* Methods that no chip has */
	NV3_W("STENCIL_TWO_SIDE_ENABLE", 0x1f00, nv3_format_unsigned),
	NV3_W("BACK_STENCIL_MASK", 0x1f04, NULL),
	NV3_W("BACK_STENCIL_FUNC", 0x1f08, format_comparison),
	NV3_W("BACK_STENCIL_FUNC_REF", 0x1f0c, nv3_format_unsigned),
	NV3_W("BACK_STENCIL_FUNC_MASK", 0x1f10, NULL),
	NV3_W("BACK_STENCIL_OP_FAIL", 0x1f14, format_stencil_op),
	NV3_W("BACK_STENCIL_OP_ZFAIL", 0x1f18, format_stencil_op),
	NV3_W("BACK_STENCIL_OP_ZPASS", 0x1f1c, format_stencil_op),
	NV3_W("INSTANCE", 0x1f20, nv3_format_unsigned),
	NV3_W("ELEMENT_BASE", 0x1f24, nv3_format_unsigned),
	NV3_W("BLEND_SEPARATE_ALPHA", 0x1f28, nv3_format_unsigned),
	NV3_W("DITHER_MODE", 0x1f2c, nv3_format_unsigned),
	NV3_W("DEPTH_CLIP_MODE", 0x1f30, nv3_format_unsigned),
	NV3_W("TEX_CACHE_OFFSET", 0x1f34, NULL),
	NV3_W("TEX_CACHE_SIZE", 0x1f38, nv3_format_unsigned),
	NV3_W_ARRAY("ARRAY_DIVISOR", 0x1f40, 16, 4, nv3_format_unsigned),
	NV3_W_ARRAY("VTXTEX_SIZE1", 0x1f80, 4, 4, format_size1),
	NV3_W_END
};
