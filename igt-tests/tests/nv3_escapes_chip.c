/* SPDX-License-Identifier: MIT */
/* Escapes (nv3_escapes.h) that the chip and the resource manager must stop. */
#include "igt.h"
#include "nv3_escapes.h"

/* ---- DMA objects, with each class that uses DMA objects ---- */

typedef void (*transfer)(struct attacker *a, const uint32_t *arg);

/*
 * @arg: offsets of source and destination, pitches of source and destination, bytes per line, lines
 */
static void transfer_m2mf(struct attacker *a, const uint32_t *arg)
{
	uint32_t i;

	igt_nv3_begin(&a->batch, SUB, NV3_M2MF_OFFSET_IN, 8);
	for (i = 0; i < 6; i++)
		igt_nv3_word(&a->batch, arg[i]);
	igt_nv3_word(&a->batch, 1 << 8 | 1);
	igt_nv3_word(&a->batch, 0);
}

/* @arg: offset, pitch, width, height */
static void transfer_sifm(struct attacker *a, const uint32_t *arg)
{
	igt_nv3_begin(&a->batch, SUB, NV3_SIFM_CLIP_POINT, 6);
	igt_nv3_word(&a->batch, 0);
	igt_nv3_word(&a->batch, 64 << 16 | 64);
	igt_nv3_word(&a->batch, 0);
	igt_nv3_word(&a->batch, 64 << 16 | 64);
	igt_nv3_word(&a->batch, 1 << 20);
	igt_nv3_word(&a->batch, arg[3] > 64 ? arg[3] << 14 : 1 << 20);
	igt_nv3_begin(&a->batch, SUB, NV3_SIFM_SIZE_IN, 4);
	igt_nv3_word(&a->batch, arg[3] << 16 | arg[2]);
	igt_nv3_word(&a->batch, arg[1]);
	igt_nv3_word(&a->batch, arg[0]);
	igt_nv3_word(&a->batch, 0);
}

/* @arg: offset, pitch, width, height */
static void transfer_itm(struct attacker *a, const uint32_t *arg)
{
	igt_nv3_begin(&a->batch, SUB, NV3_ITM_POINT, 4);
	igt_nv3_word(&a->batch, 0);
	igt_nv3_word(&a->batch, arg[3] << 16 | arg[2]);
	igt_nv3_word(&a->batch, arg[1]);
	igt_nv3_word(&a->batch, arg[0]);
}

/*
 * Sets the state of class 0x17, with a texture whose width and height are 1 << @size.
 */
static void set_texture(struct attacker *a, uint32_t offset, uint32_t size,
			uint32_t wrap)
{
	igt_nv3_begin(&a->batch, SUB, NV3_D3D_TEX_OFFSET, 6);
	igt_nv3_word(&a->batch, offset);
	igt_nv3_word(&a->batch, NV3_D3D_TEX_X1R5G5B5 << NV3_D3D_TEX_FORMAT_SHIFT |
		     size << NV3_D3D_TEX_SIZE_MIN_SHIFT |
		     size << NV3_D3D_TEX_SIZE_MAX_SHIFT);
	igt_nv3_word(&a->batch, 0);
	igt_nv3_word(&a->batch, 0);
	igt_nv3_word(&a->batch, wrap << NV3_D3D_CONFIG_WRAP_U_SHIFT |
		     wrap << NV3_D3D_CONFIG_WRAP_V_SHIFT |
		     NV3_D3D_SOURCE_ALPHA_ONE << NV3_D3D_CONFIG_SOURCE_SHIFT |
		     NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
		     NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
		     NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT);
	igt_nv3_word(&a->batch, NV3_D3D_CMP_ALWAYS << 8);
}

/* Adds vertex @i of a triangle. The words of vertex 2 also make the chip draw the triangle. */
static void vertex(struct attacker *a, uint32_t i, float x, float y, float u,
		   float v)
{
	igt_nv3_begin(&a->batch, SUB, NV3_D3D_FOG_TRI(0), 8);
	igt_nv3_word(&a->batch, i < 2 ? i * 0x111111 : 0x222012);
	igt_nv3_word(&a->batch, 0xffffffff);
	igt_nv3_float(&a->batch, x);
	igt_nv3_float(&a->batch, y);
	igt_nv3_float(&a->batch, 0.5f);
	igt_nv3_float(&a->batch, 1.0f);
	igt_nv3_float(&a->batch, u);
	igt_nv3_float(&a->batch, v);
}

/* @arg: offset of the texture, log2 of its width and height */
static void transfer_texture(struct attacker *a, const uint32_t *arg)
{
	static const float corners[3][2] = { { 0, 0 }, { 63, 0 }, { 0, 63 } };
	uint32_t i;

	set_texture(a, arg[0], arg[1], NV3_D3D_WRAP_WRAP);
	for (i = 0; i < 3; i++)
		vertex(a, i, corners[i][0], corners[i][1], corners[i][0] / 63,
		       corners[i][1] / 63);
}

/* @arg: slot of the notification */
static void transfer_notify(struct attacker *a, const uint32_t *arg)
{
	igt_nv3_method(&a->batch, SUB, NV3_MTHD_NOTIFY, arg[0]);
	igt_nv3_method(&a->batch, SUB, NV3_RECT_COLOR, 1);
}

static const struct dma_case {
	const char *what;
	transfer run;
	uint32_t class_id, in, out, notify;
	uint32_t arg[6];
	uint32_t fault;		/* expected fault, or 0 for DRM_NV3_FAULT_PAGE */
} dma_cases[] = {
#define M2MF(text, ...) { "m2mf " text, transfer_m2mf, NV3_CLASS_M2MF, \
			  DMA_IN, DMA_OUT, 0, { __VA_ARGS__ } }
	M2MF("offset in at the end", 2048, 0, 16, 16, 16, 1),
	M2MF("offset in across the end", 2040, 0, 16, 16, 16, 1),
	M2MF("offset in before the start", 0xfffffff0, 0, 16, 16, 16, 1),
	M2MF("offset in before the start, across", 0xfffffff8, 0, 16, 16, 16, 1),
	M2MF("offset in, a page further", 4096, 0, 16, 16, 16, 1),
	M2MF("line in", 0, 0, 16, 16, 2049, 1),
	M2MF("lines in", 0, 0, 128, 1, 128, 17),
	M2MF("pitch in", 0, 0, 2040, 16, 16, 2),
	M2MF("offset out at the end", 0, 2048, 16, 16, 16, 1),
	M2MF("offset out across the end", 0, 2040, 16, 16, 16, 1),
	M2MF("offset out before the start", 0, 0xfffffff0, 16, 16, 16, 1),
	M2MF("offset out before the start, across", 0, 0xfffffff8, 16, 16, 16, 1),
	M2MF("offset out, a page further", 0, 4096, 16, 16, 16, 1),
	M2MF("lines out", 0, 0, 1, 128, 128, 17),
	M2MF("pitch out", 0, 0, 16, 2040, 16, 2),
#undef M2MF
	{ "m2mf negative pitch in", transfer_m2mf, NV3_CLASS_M2MF, DMA_IN,
	  DMA_OUT, 0, { 0, 0, 0xffff8000, 16, 16, 2 }, DRM_NV3_FAULT_DATA },
	{ "m2mf negative pitch out", transfer_m2mf, NV3_CLASS_M2MF, DMA_IN,
	  DMA_OUT, 0, { 0, 0, 16, 0xffff8000, 16, 2 }, DRM_NV3_FAULT_DATA },
	{ "m2mf, out read-only", transfer_m2mf, NV3_CLASS_M2MF, DMA_IN,
	  DMA_READ_ONLY, 0, { 0, 0, 16, 16, 16, 1 } },
	{ "m2mf, in not in the batch", transfer_m2mf, NV3_CLASS_M2MF, DMA_UNLISTED,
	  DMA_OUT, 0, { 0, 0, 16, 16, 16, 1 } },
	{ "m2mf, out not in the batch", transfer_m2mf, NV3_CLASS_M2MF, DMA_IN,
	  DMA_UNLISTED, 0, { 0, 0, 16, 16, 16, 1 } },
#define SIFM(text, dma, ...) { "sifm " text, transfer_sifm, NV3_CLASS_SIFM, \
			       dma, 0, 0, { __VA_ARGS__ } }
	SIFM("offset at the end", DMA_IN, 2048, 32, 16, 16),
	SIFM("offset across the end", DMA_IN, 2040, 32, 16, 1),
	SIFM("offset before the start", DMA_IN, 0xfffffff0, 32, 16, 16),
	SIFM("lines", DMA_IN, 0, 32, 16, 200),
	SIFM("pitch", DMA_IN, 0, 4096, 16, 64),
	SIFM("width", DMA_IN, 1024, 32, 1024, 4),
	SIFM("buffer not in the batch", DMA_UNLISTED, 0, 32, 16, 16),
#undef SIFM
#define ITM(text, dma, ...) { "itm " text, transfer_itm, NV3_CLASS_ITM, \
			      dma, 0, 0, { __VA_ARGS__ } }
	ITM("offset at the end", DMA_OUT, 2048, 128, 16, 16),
	ITM("offset across the end", DMA_OUT, 2040, 128, 16, 1),
	ITM("offset before the start", DMA_OUT, 0xfffffff0, 128, 16, 16),
	ITM("lines", DMA_OUT, 0, 128, 16, 64),
	ITM("pitch", DMA_OUT, 0, 8176, 16, 2),
	ITM("width", DMA_OUT, 0, 8176, 2000, 1),
	ITM("can't be written", DMA_READ_ONLY, 0, 128, 16, 16),
	ITM("buffer not in the batch", DMA_UNLISTED, 0, 128, 16, 16),
#undef ITM
#define TEX(text, dma, ...) { "texture " text, transfer_texture, NV3_CLASS_D3D, \
			      dma, 0, 0, { __VA_ARGS__ } }
	TEX("offset at the end", DMA_IN, 2048, 4),
	TEX("offset across the end", DMA_IN, 2000, 4),
	TEX("offset before the start", DMA_IN, 0xfffffe00, 4),
	TEX("size", DMA_IN, 0, 6),
	TEX("largest", DMA_IN, 0, 11),
	TEX("buffer not in the batch", DMA_UNLISTED, 0, 4),
#undef TEX
	{ "notifier beyond the end", transfer_notify, NV3_CLASS_RECT, 0, 0,
	  OTHER_OBJECT, { 2 } },
	{ "notifier of the last slot", transfer_notify, NV3_CLASS_RECT, 0, 0,
	  OTHER_OBJECT, { 15 } },
	{ "notifier read-only", transfer_notify, NV3_CLASS_RECT, 0, 0,
	  DMA_READ_ONLY, { 0 } },
	{ "notifier not in the batch", transfer_notify, NV3_CLASS_RECT, 0, 0,
	  DMA_UNLISTED, { 0 } },
};

void nv3_escape_dma(struct victim *v, int fd)
{
	static const uint32_t domains[] = {
		DRM_NV3_GEM_SYSTEM, DRM_NV3_GEM_VRAM,
	};
	uint32_t d, i;

	for (d = 0; d < ARRAY_SIZE(domains); d++) {
		for (i = 0; i < ARRAY_SIZE(dma_cases); i++) {
			const struct dma_case *c = &dma_cases[i];
			struct drm_nv3_dma_args small = {
				.offset = RANGE_OFFSET, .size = 32,
				.flags = DRM_NV3_DMA_WRITE,
			};
			struct attacker a;

			nv3_attacker_init(&a, fd, domains[d]);
			small.handle = a.out.handle;
			igt_assert_eq(__igt_nv3_object(fd, a.channel,
						       OTHER_OBJECT,
						       DRM_NV3_CLASS_DMA,
						       &small, sizeof(small)),
				      0);
			nv3_attacker_object(&a, c->class_id, c->in, c->out,
					    c->notify);
			c->run(&a, c->arg);
			nv3_attack(v, &a, c->fault ?: DRM_NV3_FAULT_PAGE, c->what);
			nv3_attacker_fini(&a);
		}
	}
}

/* ---- drawing across each edge of the surface, and far outside the surface ---- */

#define SIZE	12	/* size of each drawing in pixels */

static void method(struct attacker *a, uint32_t mthd, uint32_t arg)
{
	igt_nv3_method(&a->batch, SUB, mthd, arg);
}

static uint32_t yx(int y, int x)
{
	return (uint32_t)y << 16 | (x & 0xffff);
}

static void draw_rect(struct attacker *a, int x, int y)
{
	method(a, NV3_RECT_COLOR, INK);
	method(a, NV3_RECT_POINT(0), yx(y, x));
	method(a, NV3_RECT_SIZE(0), yx(SIZE, SIZE));
}

static void draw_point(struct attacker *a, int x, int y)
{
	int i;

	method(a, NV3_POINT_COLOR, INK);
	for (i = 0; i < SIZE; i++)
		method(a, NV3_POINT_POINT(i), yx(y + i, x + i));
}

static void draw_line(struct attacker *a, int x, int y)
{
	method(a, NV3_LINE_COLOR, INK);
	method(a, NV3_LINE_POINT(0, 0), yx(y, x));
	method(a, NV3_LINE_POINT(0, 1), yx(y + SIZE, x + SIZE - 1));
}

static void draw_tri(struct attacker *a, int x, int y)
{
	method(a, NV3_TRI_COLOR, INK);
	method(a, NV3_TRI_POINT(0), yx(y, x));
	method(a, NV3_TRI_POINT(1), yx(y, x + SIZE));
	method(a, NV3_TRI_POINT(2), yx(y + SIZE, x + SIZE / 2));
}

static void draw_gdi_a(struct attacker *a, int x, int y)
{
	method(a, NV3_GDI_A_COLOR, INK);
	method(a, NV3_GDI_A_POINT(0), yx(x, y));
	method(a, NV3_GDI_A_SIZE(0), yx(SIZE, SIZE));
}

/* Sets the clip of interface B to the maximum size, so that only the surface limits the drawing. */
static void draw_gdi_b(struct attacker *a, int x, int y)
{
	method(a, NV3_GDI_B_CLIP_0, yx(-32768, -32768));
	method(a, NV3_GDI_B_CLIP_1, yx(32767, 32767));
	method(a, NV3_GDI_B_COLOR, INK);
	method(a, NV3_GDI_B_POINT_0(0), yx(y, x));
	method(a, NV3_GDI_B_POINT_1(0), yx(y + SIZE, x + SIZE));
}

static void draw_gdi_c(struct attacker *a, int x, int y)
{
	int i;

	method(a, NV3_GDI_C_CLIP_0, yx(-32768, -32768));
	method(a, NV3_GDI_C_CLIP_1, yx(32767, 32767));
	method(a, NV3_GDI_C_COLOR, INK);
	method(a, NV3_GDI_C_SIZE, yx(SIZE, 32));
	method(a, NV3_GDI_C_POINT, yx(y, x));
	for (i = 0; i < SIZE; i++)
		method(a, NV3_GDI_C_DATA(i), 0xffffffff);
}

static void draw_bitmap(struct attacker *a, int x, int y)
{
	int i;

	method(a, NV3_BITMAP_COLOR_0, INK);
	method(a, NV3_BITMAP_COLOR_1, INK);
	method(a, NV3_BITMAP_POINT, yx(y, x));
	method(a, NV3_BITMAP_SIZE_OUT, yx(SIZE, 32));
	method(a, NV3_BITMAP_SIZE_IN, yx(SIZE, 32));
	for (i = 0; i < SIZE; i++)
		method(a, NV3_BITMAP_DATA(i), 0x5a5a5a5a);
}

static void draw_ifc(struct attacker *a, int x, int y)
{
	int i;

	method(a, NV3_IFC_POINT, yx(y, x));
	method(a, NV3_IFC_SIZE_OUT, yx(SIZE, SIZE));
	method(a, NV3_IFC_SIZE_IN, yx(SIZE, SIZE));
	for (i = 0; i < SIZE * SIZE / 2; i++)
		method(a, NV3_IFC_DATA(i % 32), INK << 16 | INK);
}

static void draw_sifc(struct attacker *a, int x, int y)
{
	int i;

	method(a, NV3_SIFC_SIZE_IN, yx(2, 2));
	method(a, NV3_SIFC_DX_DU, SIZE / 2 << 20);
	method(a, NV3_SIFC_DY_DV, SIZE / 2 << 20);
	method(a, NV3_SIFC_CLIP_POINT, yx(-2000, -2000));
	method(a, NV3_SIFC_CLIP_SIZE, yx(4000, 4000));
	method(a, NV3_SIFC_POINT, yx(y * 16, x * 16));
	for (i = 0; i < 2; i++)
		method(a, NV3_SIFC_DATA(i), INK << 16 | INK);
}

static void draw_sifm(struct attacker *a, int x, int y)
{
	uint16_t *words = (uint16_t *)a->in.map + RANGE_OFFSET / 2;
	int i;

	for (i = 0; i < RANGE_SIZE / 2; i++)
		words[i] = INK;
	method(a, NV3_SIFM_CLIP_POINT, yx(-2000, -2000));
	method(a, NV3_SIFM_CLIP_SIZE, yx(4000, 4000));
	method(a, NV3_SIFM_POINT, yx(y, x));
	method(a, NV3_SIFM_SIZE_OUT, yx(SIZE, SIZE));
	method(a, NV3_SIFM_DU_DX, 1 << 20);
	method(a, NV3_SIFM_DV_DY, 1 << 20);
	method(a, NV3_SIFM_SIZE_IN, yx(SIZE, SIZE));
	method(a, NV3_SIFM_PITCH, SIZE * 2);
	method(a, NV3_SIFM_OFFSET(0), 0);
	method(a, NV3_SIFM_SOURCE, 0);
}

/* Uses the CPU to fill the source of a blit with INK. */
static void paint_middle(struct attacker *a)
{
	uint16_t *words = (uint16_t *)a->field.map + FIELD_OFFSET / 2;
	int i, j;

	for (j = 0; j < SIZE; j++) {
		for (i = 0; i < SIZE; i++)
			words[(20 + j) * FIELD_PITCH / 2 + 20 + i] = INK;
	}
}

static void draw_blit_to(struct attacker *a, int x, int y)
{
	paint_middle(a);
	method(a, NV3_BLIT_POINT_IN, yx(20, 20));
	method(a, NV3_BLIT_POINT_OUT, yx(y, x));
	method(a, NV3_BLIT_SIZE, yx(SIZE, SIZE));
}

/* The source is partly or fully outside the surface. The chip must not copy secrets. */
static void draw_blit_from(struct attacker *a, int x, int y)
{
	paint_middle(a);
	method(a, NV3_BLIT_POINT_IN, yx(y, x));
	method(a, NV3_BLIT_POINT_OUT, yx(40, 40));
	method(a, NV3_BLIT_SIZE, yx(SIZE, SIZE));
}

static void draw_itm_from(struct attacker *a, int x, int y)
{
	paint_middle(a);
	method(a, NV3_ITM_POINT, yx(y, x));
	method(a, NV3_ITM_SIZE, yx(SIZE, SIZE));
	method(a, NV3_ITM_PITCH, 128);
	method(a, NV3_ITM_OFFSET, 0);
}

static void draw_zpoint(struct attacker *a, int x, int y)
{
	int i;

	method(a, NV3_ZPOINT_CONFIG,
	       NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
	       NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT);
	method(a, NV3_ZPOINT_ALPHA, NV3_D3D_CMP_ALWAYS << 8);
	for (i = 0; i < SIZE; i++) {
		method(a, NV3_ZPOINT_POINT, yx(y + i, x + i));
		method(a, NV3_ZPOINT_COLOR(0), INK);
		method(a, NV3_ZPOINT_ZETA(0), 0);
	}
}

static void draw_d3d(struct attacker *a, int x, int y)
{
	static const int corners[3][2] = {
		{ 0, 0 }, { SIZE, 0 }, { SIZE / 2, SIZE },
	};
	uint32_t i;

	memset((uint8_t *)a->in.map + RANGE_OFFSET, 0x55, RANGE_SIZE);
	set_texture(a, 0, 0, NV3_D3D_WRAP_CLAMP);
	for (i = 0; i < 3; i++)
		vertex(a, i, x + corners[i][0], y + corners[i][1], 0, 0);
}

static const struct drawing {
	const char *what;
	uint32_t class_id;
	void (*draw)(struct attacker *a, int x, int y);
	uint32_t dma;
} drawings[] = {
	{ "rect", NV3_CLASS_RECT, draw_rect, 0 },
	{ "point", NV3_CLASS_POINT, draw_point, 0 },
	{ "line", NV3_CLASS_LINE, draw_line, 0 },
	{ "lin", NV3_CLASS_LIN, draw_line, 0 },
	{ "tri", NV3_CLASS_TRI, draw_tri, 0 },
	{ "gdi rectangle", NV3_CLASS_GDI, draw_gdi_a, 0 },
	{ "gdi clipped rectangle", NV3_CLASS_GDI, draw_gdi_b, 0 },
	{ "gdi text", NV3_CLASS_GDI, draw_gdi_c, 0 },
	{ "bitmap", NV3_CLASS_BITMAP, draw_bitmap, 0 },
	{ "ifc", NV3_CLASS_IFC, draw_ifc, 0 },
	{ "sifc", NV3_CLASS_SIFC, draw_sifc, 0 },
	{ "sifm", NV3_CLASS_SIFM, draw_sifm, DMA_IN },
	{ "blit to", NV3_CLASS_BLIT, draw_blit_to, 0 },
	{ "blit from", NV3_CLASS_BLIT, draw_blit_from, 0 },
	{ "itm from", NV3_CLASS_ITM, draw_itm_from, DMA_OUT },
	{ "zpoint", NV3_CLASS_ZPOINT, draw_zpoint, 0 },
	{ "d3d", NV3_CLASS_D3D, draw_d3d, DMA_IN },
};

static const struct place {
	const char *what;
	int x, y;
	bool seen;	/* true if a part of the drawing is inside the surface */
} places[] = {
	{ "left", -6, 30, true }, { "right", 58, 30, true },
	{ "above", 30, -6, true }, { "below", 30, 58, true },
	{ "a line apart", 64 + 64, 30, false },
	{ "beyond the buffer", 30, 250, false },
	{ "before the buffer", 30, -64 - 250, false },
	{ "far right", 2000, 10, false }, { "far below", 10, 2000, false },
	{ "far left", -2040, 10, false }, { "far above", 10, -2040, false },
};

void nv3_escape_drawing(struct victim *v, int fd)
{
	uint32_t i, j;

	for (i = 0; i < ARRAY_SIZE(drawings); i++) {
		for (j = 0; j < ARRAY_SIZE(places); j++) {
			const struct drawing *d = &drawings[i];
			char what[64];
			struct attacker a;
			bool drawn;

			snprintf(what, sizeof(what), "%s, %s", d->what,
				 places[j].what);
			nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
			nv3_attacker_object(&a, d->class_id, d->dma, 0, 0);
			d->draw(&a, places[j].x, places[j].y);
			drawn = nv3_attack(v, &a, DRM_NV3_FAULT_NONE, what);
			if (!drawn && places[j].seen)
				nv3_surprise(what, "nothing was drawn");
			nv3_attacker_fini(&a);
		}
	}
}

/* ---- drawing without a surface, without the surface's buffer, and to a destroyed surface ---- */

void nv3_escape_stale(struct victim *v, int fd)
{
	uint32_t i;

	/* First, attackers draw without a surface. */
	for (i = 0; i < ARRAY_SIZE(drawings); i++) {
		const struct drawing *d = &drawings[i];
		struct attacker a;

		nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
		a.batch.count = 0;
		nv3_attacker_object(&a, d->class_id, d->dma, 0, 0);
		d->draw(&a, 10, 10);
		nv3_attack(v, &a, DRM_NV3_FAULT_STATE, d->what);
		nv3_attacker_fini(&a);
	}
	/* Then attackers draw with batches that do not list the surface's buffer. */
	for (i = 0; i < 2; i++) {
		struct attacker a;

		nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
		if (i)
			igt_nv3_run_ok(&a.batch);
		a.batch.buffer_count = 0;
		if (i) {
			/*
			 * An earlier batch has put the surface into slot 0. This batch does not
			 * list the surface's buffer, so the driver makes the slot invalid.
			 */
			nv3_attacker_object(&a, NV3_CLASS_RECT, 0, 0, 0);
			draw_rect(&a, 10, 10);
		}
		igt_assert(!nv3_attack(v, &a, i ? DRM_NV3_FAULT_STATE :
				   DRM_NV3_FAULT_PAGE, "buffer not named"));
		nv3_attacker_fini(&a);
	}
	/* Finally, attackers draw to a surface that they have destroyed. */
	for (i = 0; i < 2; i++) {
		struct attacker a;

		nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
		igt_nv3_run_ok(&a.batch);
		igt_assert_eq(__igt_nv3_object_destroy(fd, a.channel, SURFACE),
			      0);
		igt_nv3_use(&a.batch, &a.field, NV3_READ | NV3_WRITE);
		if (i)
			igt_nv3_select(&a.batch, 0, SURFACE);
		nv3_attacker_object(&a, NV3_CLASS_RECT, 0, 0, 0);
		draw_rect(&a, 10, 10);
		igt_assert(!nv3_attack(v, &a, i ? DRM_NV3_FAULT_NAME :
				   DRM_NV3_FAULT_STATE, "destroyed surface"));
		nv3_attacker_fini(&a);
	}
}
