/* SPDX-License-Identifier: MIT */
/* Checks that the chip can draw all triangles that nv3-demo sends. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "scene.h"

#define SUBCH	3

static const uint32_t state_words[D3D_STATE] = { 11, 12, 13, 14, 15, 16 };

struct sent {
	uint32_t vertices, triangles;
};

static float as_float(uint32_t word)
{
	float f;

	memcpy(&f, &word, sizeof(f));
	return f;
}

static void check_triangle(uint32_t indices, uint32_t placed,
			   struct sent *sent)
{
	uint32_t a = indices & 0xf, b = indices >> 4 & 0xf;
	uint32_t c = indices >> 8 & 0xf;

	if (a == b || b == c || a == c)
		return;
	assert_true(placed >> a & placed >> b & placed >> c & 1);
	sent->triangles++;
}

static void check_vertex(const uint32_t *words, uint32_t *placed,
			 struct sent *sent)
{
	/*
	 * Positions fit into 12.4 bits. Depths are from 0 to 1, apart from a small rounding error.
	 */
	assert_true(fabsf(as_float(words[2])) < 2047);
	assert_true(fabsf(as_float(words[3])) < 2047);
	assert_true(as_float(words[4]) > -0.001f);
	assert_true(as_float(words[4]) < 1.001f);
	assert_true(as_float(words[5]) > 0);
	/* The chip limits texture coordinates, which are in repetitions of the texture. */
	assert_true(fabsf(as_float(words[6])) < 2048 >> TEXTURE_LOG2);
	assert_true(fabsf(as_float(words[7])) < 2048 >> TEXTURE_LOG2);
	*placed |= 1u << (words[0] & 0xf);
	check_triangle(words[0], *placed, sent);
	check_triangle(words[0] >> 12, *placed, sent);
	sent->vertices++;
}

static void check_batch(const struct fake_batch *batch, struct sent *sent)
{
	uint32_t placed = 0, i = 0, n;
	bool has_state = false;

	while (i < batch->count) {
		uint32_t header = batch->words[i++], count = header >> 18;

		assert_int_equal(header >> 13 & 7, SUBCH);
		assert_true(count <= batch->count - i);
		if ((header & 0x1ffc) == NV3_D3D_TEX_OFFSET) {
			assert_int_equal(count, D3D_STATE);
			assert_memory_equal(&batch->words[i], state_words,
					    sizeof(state_words));
			has_state = true;
		} else {
			assert_int_equal(header & 0x1ffc, NV3_D3D_FOG_TRI(0));
			assert_int_equal(count % 8, 0);
			assert_true(has_state);
			for (n = 0; n < count; n += 8)
				check_vertex(&batch->words[i + n], &placed,
					     sent);
		}
		i += count;
	}
}

static struct sent draw(const struct scene *scene, struct view *view,
			float time)
{
	struct mesh *mesh = scene->make_mesh(1);
	struct geometry *geo = geometry_new(mesh->vertex_count);
	uint32_t first = 0, rows = mesh->rows, i;
	struct sent sent = { 0 };
	int drawn;

	if (scene->rows)
		scene->rows(time, &first, &rows);
	fake.batch_count = 0;
	drawn = geometry_draw(geo, push, SUBCH, state_words, view, mesh, first,
			      rows);
	assert_true(drawn >= 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_in_range(fake.batch_count, 0, 4);
	for (i = 0; i < fake.batch_count; i++)
		check_batch(&fake.batches[i], &sent);
	assert_int_equal(sent.triangles, drawn);
	geometry_free(geo);
	mesh_free(mesh);
	return sent;
}

static void view_of(const struct scene *scene, struct view *view)
{
	memset(view, 0, sizeof(*view));
	view->width = scene->width;
	view->height = scene->height;
	view->center_x = (scene->width - 1) / 2.0f;
	view->center_y = (scene->height - 1) / 2.0f;
}

/* The demo draws at least 2,000 triangles per picture at any time. */
static void test_scenes(void **state)
{
	struct view view;
	uint32_t i, step;

	for (i = 0; i < SCENES; i++) {
		for (step = 0; step < 40; step++) {
			float time = step * 1.7f;
			struct sent sent;

			view_of(&scenes[i], &view);
			scenes[i].set_view(&view, time);
			sent = draw(&scenes[i], &view, time);
			assert_true(sent.triangles >= 2000);
			/* Each vertex adds two triangles, except at the borders of bands. */
			assert_true(sent.vertices < sent.triangles);
		}
	}
}

static float random_unit(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) / 16777216.0f;
}

/*
 * Draws from random viewpoints near, inside and behind the mesh, to test clipping at the near
 * plane and the guard band.
 */
static void test_any_view(void **state)
{
	uint32_t i, n, seed = 5, clipped = 0;
	struct view view;

	for (i = 0; i < SCENES; i++) {
		for (n = 0; n < 60; n++) {
			const float at[3] = {
				4 * random_unit(&seed) - 2,
				4 * random_unit(&seed) - 2,
				4 * random_unit(&seed) - 1,
			};

			view_of(&scenes[i], &view);
			scenes[i].set_view(&view, 0);
			view.near_w = 0.05f;
			view_set(&view, 300, 6.28f * random_unit(&seed),
				  6.28f * random_unit(&seed), at);
			clipped += draw(&scenes[i], &view, 0).vertices;
		}
	}
	assert_true(clipped > 0);
}

static void test_refuses(void **state)
{
	struct mesh *mesh = mesh_new(4, 4);
	struct geometry *geo = geometry_new(24);
	struct view view;

	view_of(&scenes[0], &view);
	scenes[0].set_view(&view, 0);
	assert_int_equal(geometry_draw(geo, push, SUBCH, state_words, &view,
				       mesh, 0, 4), -EINVAL);
	assert_int_equal(geometry_draw(geo, push, SUBCH, state_words, &view,
				       mesh, 2, 3), -EINVAL);
	assert_int_equal(geometry_draw(geo, push, SUBCH, state_words, &view,
				       mesh, 5, 0), -EINVAL);
	assert_int_equal(geometry_draw(geo, push, SUBCH, state_words, &view,
				       mesh, UINT32_MAX, 1), -EINVAL);
	geometry_free(geo);
	mesh_free(mesh);
}

static uint32_t corner(uint32_t x, uint32_t y, uint32_t size)
{
	return x == size - 1 && y == 0 ? 0xffffffff : 0xff000000;
}

/* Mipmap levels are consecutive in memory and swizzled. */
static void test_texture(void **state)
{
	uint16_t texels[64 + 16 + 4];
	uint32_t i;

	assert_int_equal(texture_bytes(3, 1), sizeof(texels));
	assert_int_equal(texture_paint(texels, NV3_D3D_TEX_R5G6B5, 3, 1,
				       corner), 0);
	/* The texel at x = 7, y = 0 has the index 0x15: bits 0, 2 and 4 are set. */
	for (i = 0; i < 64; i++)
		assert_int_equal(texels[i], i == 0x15 ? 0xffff : 0);
	/*
	 * In the 4x4 level, the texel at x = 3, y = 0 is the mean of a white and 3 black texels. In
	 * the 2x2 level, the texel at x = 1, y = 0 is the mean of a white and 15 black texels.
	 */
	for (i = 0; i < 16; i++)
		assert_int_equal(texels[64 + i], i == 5 ? 0x4208 : 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(texels[80 + i], i == 1 ? 0x1082 : 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_scenes),
		TEST(test_any_view),
		TEST(test_refuses),
		TEST(test_texture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
