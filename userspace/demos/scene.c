/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "scene.h"

#define CONFIG(source, cull, write) \
	(NV3_D3D_INTERP_FOH_CENTER | \
	 NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
	 NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
	 (source) << NV3_D3D_CONFIG_SOURCE_SHIFT | \
	 NV3_D3D_CULL_##cull << NV3_D3D_CONFIG_CULL_SHIFT | \
	 NV3_D3D_CMP_LESS << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
	 (write) << NV3_D3D_CONFIG_Z_WRITE_SHIFT | \
	 (uint32_t)(write) << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)

/* Configuration for opaque triangles whose counter-clockwise sides are never visible */
#define OPAQUE	CONFIG(NV3_D3D_SOURCE_ALPHA_ONE, CCW, NV3_D3D_WRITE_Z)
/*
 * Configuration for triangles whose texture has holes: the alpha test. Both sides are visible
 * through the holes.
 */
#define CUT_OUT	CONFIG(NV3_D3D_SOURCE_NORMAL, NONE, NV3_D3D_WRITE_ALPHA_Z)

#define ALPHA(func, reference)	((func) << 8 | (reference))

/* ---- terrain, with a moving camera ---- */

#define TERRAIN_AHEAD	44
#define TERRAIN_SPEED	3.0f

static struct mesh *terrain_mesh(uint32_t detail)
{
	return mesh_terrain(TERRAIN_PERIOD + TERRAIN_AHEAD, 44, detail);
}

/*
 * Returns the camera's z. The camera flies along the rows, and jumps back after TERRAIN_PERIOD
 * rows.
 */
static float terrain_z(float time)
{
	return 2.0f + fmodf(time * TERRAIN_SPEED, TERRAIN_PERIOD);
}

static void terrain_rows(float time, uint32_t *first, uint32_t *count)
{
	*first = (uint32_t)terrain_z(time) - 2;
	*count = TERRAIN_AHEAD;
}

static void terrain_set_view(struct view *view, float time)
{
	static const float light[3] = { 0.48f, 0.6f, 0.64f };
	float yaw = 0.22f * sinf(time * 0.5f), pitch = -0.16f;
	float x = 3.0f * sinf(time * 2 * 3.14159265f * TERRAIN_SPEED /
			      TERRAIN_PERIOD);
	float z = terrain_z(time);
	const float eye[3] = {
		x, 2.6f + 0.35f * mesh_terrain_height(x, z + 2.0f), z
	};
	float at[3];
	int i;

	view->near_w = 0.5f;
	view->far_w = 50.0f;
	view->fog_start = 9.0f;
	view->fog_end = 36.0f;
	view_shades(view, 0xff303a50, 0xfffffaf0, false);

	view_set(view, 330.0f, yaw, pitch, (const float[3]){ 0, 0, 0 });
	for (i = 0; i < 3; i++)
		at[i] = -(view->matrix[i][0] * eye[0] +
			  view->matrix[i][1] * eye[1] +
			  view->matrix[i][2] * eye[2]);
	for (i = 0; i < 3; i++)
		view->matrix[i][3] = at[i];
	for (i = 0; i < 3; i++)
		view->light[i] = light[i];
}

/* ---- a rotating knot that comes near ---- */

static struct mesh *knot_mesh(uint32_t detail)
{
	return mesh_torus_knot(110 * detail, 10 * detail, 2, 3);
}

static void knot_set_view(struct view *view, float time)
{
	static const float light[3] = { -0.5f, 0.6f, -0.6245f };
	float yaw = time * 0.7f, pitch = time * 0.43f;
	const float at[3] = {
		0.25f * sinf(time * 0.9f), 0, 3.6f + 0.6f * sinf(time * 0.6f)
	};

	view->near_w = 0.5f;
	view->far_w = 8.0f;
	view->fog_start = 2.4f;
	view->fog_end = 5.2f;
	view_shades(view, 0xff34344c, 0xffffffff, false);
	view_set(view, 240.0f, yaw, pitch, at);
	view_light(view, yaw, pitch, light);
}

/* ---- a vase of bricks with windows ---- */

static struct mesh *vase_mesh(uint32_t detail)
{
	return mesh_vase(36 * detail, 32 * detail);
}

static void vase_set_view(struct view *view, float time)
{
	static const float light[3] = { 0.6f, 0.5f, -0.6245f };
	float yaw = -time * 0.8f, pitch = -0.45f + 0.3f * sinf(time * 0.7f);
	const float at[3] = { 0, 0, 3.0f + 0.5f * sinf(time * 0.5f + 1.0f) };

	view->near_w = 0.5f;
	view->far_w = 8.0f;
	view->fog_start = 2.0f;
	view->fog_end = 4.6f;
	view_shades(view, 0xff2c2c40, 0xffffffff, true);
	view_set(view, 260.0f, yaw, pitch, at);
	view_light(view, yaw, pitch, light);
}

const struct scene scenes[SCENES] = {
	{
		.name = "terrain",
		.x = 8, .y = 8, .width = 624, .height = 216,
		.make_mesh = terrain_mesh,
		.painter = texture_ground,
		.texture_format = NV3_D3D_TEX_R5G6B5,
		.config = OPAQUE,
		.alpha = ALPHA(NV3_D3D_CMP_ALWAYS, 0),
		.fog_color = 0xa4c0e0,
		.set_view = terrain_set_view,
		.rows = terrain_rows,
	},
	{
		.name = "knot",
		.x = 8, .y = 240, .width = 304, .height = 232,
		.make_mesh = knot_mesh,
		.painter = texture_bands,
		.texture_format = NV3_D3D_TEX_X1R5G5B5,
		.config = OPAQUE,
		.alpha = ALPHA(NV3_D3D_CMP_ALWAYS, 0),
		.fog_color = 0x281c40,
		.set_view = knot_set_view,
	},
	{
		.name = "vase",
		.x = 328, .y = 240, .width = 304, .height = 232,
		.make_mesh = vase_mesh,
		.painter = texture_bricks,
		.texture_format = NV3_D3D_TEX_A1R5G5B5,
		.config = CUT_OUT,
		.alpha = ALPHA(NV3_D3D_CMP_GREATER, 63),
		.fog_color = 0x18382c,
		.set_view = vase_set_view,
	},
};
