/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "igt_nv3_painter.h"

#define SIDE	IGT_NV3_CANVAS
#define BLIT	0x200

/* xorshift64*, from Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled". */
static uint32_t random_below(struct igt_nv3_painter *p, uint32_t n)
{
	p->random ^= p->random >> 12;
	p->random ^= p->random << 25;
	p->random ^= p->random >> 27;
	return (uint32_t)(p->random * UINT64_C(0x2545f4914f6cdd1d) >> 32) % n;
}

static void method(struct igt_nv3_painter *p, uint32_t subch, uint32_t mthd,
		   uint32_t arg)
{
	if (p->type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_store(&p->pio, subch, mthd, arg);
	else
		igt_nv3_method(&p->pio.client.batch, subch, mthd, arg);
}

void igt_nv3_painter_init(struct igt_nv3_painter *p, int fd, uint32_t type,
			  uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	p->type = type;
	p->random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
	if (type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_pio_init(&p->pio, fd);
	else
		igt_nv3_client_init(&p->pio.client, fd);
	igt_nv3_graph(fd, p->pio.client.channel, BLIT, NV3_CLASS_BLIT, 1);
	method(p, IGT_NV3_SUB_FREE, NV3_MTHD_OBJECT, BLIT);
}

void igt_nv3_painter_fini(struct igt_nv3_painter *p)
{
	if (p->type == DRM_NV3_CHANNEL_PIO)
		igt_nv3_pio_fini(&p->pio);
	else
		igt_nv3_client_fini(&p->pio.client);
}

static void rect(struct igt_nv3_painter *p)
{
	uint32_t x = random_below(p, SIDE), y = random_below(p, SIDE);
	uint32_t w = 1 + random_below(p, SIDE - x);
	uint32_t h = 1 + random_below(p, SIDE - y);
	uint32_t color = random_below(p, 0x8000), i, j;

	method(p, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, color);
	method(p, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), y << 16 | x);
	method(p, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0) + 4, h << 16 | w);
	for (j = y; j < y + h; j++) {
		for (i = x; i < x + w; i++)
			p->want[j * SIDE + i] = color;
	}
}

/* Scrolls the picture down by one line of pixels. The first line stays unchanged. */
static void scroll(struct igt_nv3_painter *p)
{
	method(p, IGT_NV3_SUB_FREE, NV3_BLIT_POINT_IN, 0);
	method(p, IGT_NV3_SUB_FREE, NV3_BLIT_POINT_OUT, 1 << 16);
	method(p, IGT_NV3_SUB_FREE, NV3_BLIT_SIZE, (SIDE - 1) << 16 | SIDE);
	memmove(p->want + SIDE, p->want, (SIDE - 1) * SIDE * sizeof(*p->want));
}

void igt_nv3_painter_start(struct igt_nv3_painter *p, uint32_t strokes)
{
	struct igt_nv3_client *client = &p->pio.client;

	while (strokes--) {
		if (random_below(p, 3))
			rect(p);
		else
			scroll(p);
	}
	if (p->type == DRM_NV3_CHANNEL_PIO)
		return;
	igt_nv3_use(&client->batch, &client->color, NV3_READ | NV3_WRITE);
	igt_assert_eq(__igt_nv3_submit(&client->batch, 0), 0);
}

void igt_nv3_painter_check(struct igt_nv3_painter *p)
{
	const struct igt_nv3_client *client = &p->pio.client;
	uint32_t x, y;

	if (p->type == DRM_NV3_CHANNEL_PIO)
		igt_assert_eq(__igt_nv3_flush(client->fd, client->channel, 0,
					      0), 0);
	igt_nv3_bo_wait(&client->color);
	igt_assert_eq_u32(igt_nv3_fault(client->fd, client->channel, NULL),
			  DRM_NV3_FAULT_NONE);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++)
			igt_assert_f(igt_nv3_pixel(client, x, y) ==
				     p->want[y * SIDE + x],
				     "%s: pixel %u,%u is %04x, not %04x\n",
				     p->type == DRM_NV3_CHANNEL_PIO ? "PIO" :
								      "DMA",
				     x, y, igt_nv3_pixel(client, x, y),
				     p->want[y * SIDE + x]);
	}
}

void igt_nv3_painter_paint(struct igt_nv3_painter *p, uint32_t strokes)
{
	igt_nv3_painter_start(p, strokes);
	igt_nv3_painter_check(p);
}
