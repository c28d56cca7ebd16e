/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the lines and the CRC of the displayed picture: pixel formats, palette, cursor,
 * and pictures that extend beyond the end of VRAM.
 */
#include "host.h"
#include "core.h"
#include "mode.h"
#include "saved.h"

#define WIDTH           64
#define HEIGHT          40
#define FRAME_NS        17000000    /* longer than a frame of mode_small */

/* A small mode, so that a test can check all pixels. */
static const Mode mode_small = {
    .width = WIDTH, .htotal = 800, .height = HEIGHT, .vtotal = 525,
    .format = MODE_32, .pitch = WIDTH * 4, .vpll = MODE_VPLL_25_2,
};

static uint32_t picture[HEIGHT][WIDTH];

static void draw(Host *h)
{
    NV3Scanout out;
    unsigned y;

    nv3_scanout(h->chip, &out);
    assert_int_equal(out.width, WIDTH);
    assert_int_equal(out.height, HEIGHT);
    for (y = 0; y < HEIGHT; y++) {
        nv3_scanout_line(h->chip, &out, y, picture[y]);
    }
}

static void set_format(Host *h, unsigned format, unsigned bytes)
{
    Mode mode = mode_small;

    mode.format = format;
    mode.pitch = WIDTH * bytes;
    mode_set(h, &mode);
}

static void put_16(Host *h, uint32_t offset, uint16_t val)
{
    h->vram[offset] = val;
    h->vram[offset + 1] = val >> 8;
}

static void put_32(Host *h, uint32_t offset, uint32_t val)
{
    put_16(h, offset, val);
    put_16(h, offset + 2, val >> 16);
}

static void test_x8r8g8b8(void **state)
{
    Host *h = *state;

    set_format(h, MODE_32, 4);
    put_32(h, 0, 0xff123456);
    put_32(h, WIDTH * 4 * 3 + 63 * 4, 0x00abcdef);
    draw(h);
    assert_int_equal(picture[0][0], 0x123456);
    assert_int_equal(picture[3][63], 0xabcdef);
    assert_int_equal(picture[0][1], 0);
}

static void test_x1r5g5b5(void **state)
{
    Host *h = *state;

    set_format(h, MODE_16, 2);
    put_16(h, 0, 0x7fff);
    put_16(h, 2, 0x8000 | 1 << 10 | 16 << 5 | 31);
    draw(h);
    assert_int_equal(picture[0][0], 0xffffff);
    assert_int_equal(picture[0][1], 0x0884ff);
}

static void test_r5g6b5(void **state)
{
    Host *h = *state;

    set_format(h, MODE_16, 2);
    host_wr32(h, NV3_PRAMDAC_GENERAL, NV3_GENERAL_ALT_MODE);
    put_16(h, 0, 0xffff);
    put_16(h, 2, 1 << 11 | 33 << 5 | 16);
    draw(h);
    assert_int_equal(picture[0][0], 0xffffff);
    assert_int_equal(picture[0][1], 0x088684);
}

static void test_palette(void **state)
{
    Host *h = *state;

    set_format(h, MODE_8, 1);
    mode_palette(h, 0x12, 0x12, 0x34, 0x3f);
    mode_palette(h, 0x92, 0xff, 0x80, 0x01);
    h->vram[0] = 0x12;
    h->vram[1] = 0x92;
    draw(h);
    assert_int_equal(picture[0][0], 0x12343f);
    assert_int_equal(picture[0][1], 0xff8001);
    /*
     * With VGA_STATE set, the DAC has six bits per component, and ignores the upper two
     * bits of the palette's components.
     */
    host_wr32(h, NV3_PRAMDAC_GENERAL, NV3_GENERAL_VGA_STATE);
    draw(h);
    assert_int_equal(picture[0][0], 0x49d3ff);
    assert_int_equal(picture[0][1], 0xff0004);
    /* The DAC applies the pixel mask before it reads the palette. */
    host_wr8(h, NV3_USER_DAC_PIXEL_MASK, 0x7f);
    draw(h);
    assert_int_equal(picture[0][1], 0x49d3ff);
}

static void test_gamma(void **state)
{
    Host *h = *state;

    set_format(h, MODE_32, 4);
    mode_palette(h, 0x10, 1, 2, 3);
    mode_palette(h, 0x20, 4, 5, 6);
    mode_palette(h, 0x30, 7, 8, 9);
    put_32(h, 0, 0x102030);
    draw(h);
    assert_int_equal(picture[0][0], 0x102030);
    host_wr32(h, NV3_PRAMDAC_GENERAL,
              NV3_GENERAL_PIXMIX_ON | NV3_GENERAL_BPC_8);
    draw(h);
    assert_int_equal(picture[0][0], 0x010509);
}

static void test_blank_is_black(void **state)
{
    Host *h = *state;

    set_format(h, MODE_32, 4);
    memset(h->vram, 0xff, WIDTH * 4 * HEIGHT);
    draw(h);
    assert_int_equal(picture[5][5], 0xffffff);
    mode_seq(h, 0x01, 0x21);
    draw(h);
    assert_int_equal(picture[5][5], 0);
}

/* A line that extends beyond the end of VRAM must continue at the start of VRAM. */
static void test_wraps(void **state)
{
    Host *h = *state;
    Mode mode = mode_small;

    mode.start = h->config.vram_size - 32;
    mode_set(h, &mode);
    host_advance(h, FRAME_NS);
    put_32(h, h->config.vram_size - 4, 0x111111);
    put_32(h, 0, 0x222222);
    put_32(h, (WIDTH - 9) * 4, 0x333333);
    put_32(h, (WIDTH - 8) * 4, 0x444444);
    draw(h);
    assert_int_equal(picture[0][7], 0x111111);
    assert_int_equal(picture[0][8], 0x222222);
    assert_int_equal(picture[0][63], 0x333333);
    assert_int_equal(picture[1][0], 0x444444);
}

/* ---- cursor ---------------------------------------------------------------- */

#define CURSOR_AT 0xb800

static void cursor_on(Host *h, unsigned bits)
{
    mode_crtc(h, NV3_CRTC_CURSOR_0, CURSOR_AT >> 16);
    mode_crtc(h, NV3_CRTC_CURSOR_1, (CURSOR_AT >> 11 & 31) << 3 | bits);
}

static void cursor_pixel(Host *h, unsigned x, unsigned y, uint16_t val)
{
    nv3_ramin_write(h->chip, CURSOR_AT + (y * 32 + x) * 2, val, 2);
}

static void cursor_move(Host *h, int x, int y)
{
    host_wr32(h, NV3_PRAMDAC_CURSOR_POS, (x & 0xffff) | (uint32_t)y << 16);
}

static void setup_cursor(Host *h)
{
    unsigned i;

    set_format(h, MODE_32, 4);
    for (i = 0; i < WIDTH * HEIGHT; i++) {
        put_32(h, i * 4, 0x0000ff);
    }
    for (i = 0; i < 1024; i++) {
        cursor_pixel(h, i % 32, i / 32, 0);
    }
    cursor_pixel(h, 0, 0, 0xfc00);      /* red */
    cursor_pixel(h, 31, 0, 0x7fff);     /* inverts */
    cursor_pixel(h, 0, 31, 0x8000);     /* black */
    cursor_on(h, NV3_CURSOR_1_ENABLE);
}

static void test_cursor(void **state)
{
    Host *h = *state;

    setup_cursor(h);
    cursor_move(h, 10, 5);
    draw(h);
    assert_int_equal(picture[5][10], 0xff0000);
    assert_int_equal(picture[5][11], 0x0000ff);
    assert_int_equal(picture[5][41], 0xffff00);
    assert_int_equal(picture[5][42], 0x0000ff);
    assert_int_equal(picture[36][10], 0x000000);
    assert_int_equal(picture[4][10], 0x0000ff);
    cursor_on(h, 0);
    draw(h);
    assert_int_equal(picture[5][10], 0x0000ff);
}

static void test_cursor_at_edges(void **state)
{
    Host *h = *state;

    setup_cursor(h);
    cursor_move(h, -31, -31);
    cursor_pixel(h, 31, 31, 0x83e0);
    draw(h);
    assert_int_equal(picture[0][0], 0x00ff00);
    assert_int_equal(picture[0][1], 0x0000ff);
    assert_int_equal(picture[1][0], 0x0000ff);
    cursor_move(h, WIDTH - 1, HEIGHT - 1);
    draw(h);
    assert_int_equal(picture[HEIGHT - 1][WIDTH - 1], 0xff0000);
    cursor_move(h, -2048, -2048);
    draw(h);
    cursor_move(h, 2047, 2047);
    draw(h);
    assert_int_equal(picture[0][0], 0x0000ff);
}

static void test_cursor_over_palette(void **state)
{
    Host *h = *state;

    setup_cursor(h);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, MODE_8);
    mode_palette(h, 0xff, 0x11, 0x22, 0x33);
    memset(h->vram, 0xff, WIDTH * HEIGHT * 4);
    setup_cursor(h);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, MODE_8);
    memset(h->vram, 0xff, WIDTH * HEIGHT * 4);
    cursor_move(h, 0, 0);
    draw(h);
    assert_int_equal(picture[0][0], 0xff0000);
    assert_int_equal(picture[0][1], 0x112233);
    assert_int_equal(picture[0][31], 0xeeddcc);
}

static void test_cursor_doubled(void **state)
{
    Host *h = *state;

    setup_cursor(h);
    cursor_on(h, NV3_CURSOR_1_ENABLE | NV3_CURSOR_1_SCAN_DOUBLE);
    cursor_move(h, 0, 0);
    draw(h);
    assert_int_equal(picture[0][0], 0xff0000);
    assert_int_equal(picture[1][0], 0xff0000);
    assert_int_equal(picture[2][0], 0x0000ff);
}

/*
 * The cursor's image can be anywhere in VRAM, even outside RAMIN.
 */
static void test_cursor_beyond_ramin(void **state)
{
    Host *h = *state;
    uint32_t addr = 0x3ff800;

    setup_cursor(h);
    put_16(h, addr ^ (h->config.vram_size - 16), 0x83e0);
    mode_crtc(h, NV3_CRTC_CURSOR_0, addr >> 16);
    mode_crtc(h, NV3_CRTC_CURSOR_1, (addr >> 11 & 31) << 3 | 1);
    cursor_move(h, 0, 0);
    draw(h);
    assert_int_equal(picture[0][0], 0x00ff00);
}

/* ---- CRC -------------------------------------------------------------------- */

/* Computes the CRC-32 one bit at a time, by the definition of CRC-32. */
static uint32_t crc_slow(const uint8_t *p, size_t len)
{
    uint32_t crc = 0xffffffff;
    unsigned i;

    while (len--) {
        crc ^= *p++;
        for (i = 0; i < 8; i++) {
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        }
    }
    return ~crc;
}

/* Returns the CRC of the frame that ends at the next vertical blank. */
static uint32_t next_crc(Host *h)
{
    uint32_t frame;

    host_rd32(h, NV3_PVIRT_CRC);
    host_advance(h, h->timer[NV3_TIMER_VBLANK] - h->now);
    frame = host_rd32(h, NV3_PVIRT_FRAME);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC_FRAME), frame);
    return host_rd32(h, NV3_PVIRT_CRC);
}

static uint32_t picture_crc(Host *h)
{
    draw(h);
    return crc_slow((const uint8_t *)picture, sizeof(picture));
}

static void test_crc(void **state)
{
    Host *h = *state;
    uint32_t crc, i;

    assert_int_equal(crc_slow((const uint8_t *)"123456789", 9), 0xcbf43926);
    set_format(h, MODE_32, 4);
    for (i = 0; i < WIDTH * HEIGHT; i++) {
        put_32(h, i * 4, i * 2654435761u);
    }
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC_FRAME), 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC), 0);
    crc = next_crc(h);
    assert_int_equal(crc, picture_crc(h));
    /*
     * The register contains the CRC of the last complete frame, so new pixels affect only
     * the CRC of the next frame.
     */
    put_32(h, 0, 0x123456);
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC), crc);
    assert_int_not_equal(next_crc(h), crc);
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC), picture_crc(h));
}

/*
 * The CRC of a frame must use the start address that the chip latched at the vertical
 * blank before this frame.
 */
static void test_crc_of_flip(void **state)
{
    Host *h = *state;
    uint32_t black, white;

    set_format(h, MODE_32, 4);
    memset(h->vram, 0, 0x10000);
    memset(h->vram + 0x10000, 0xff, 0x10000);
    black = next_crc(h);
    assert_int_equal(next_crc(h), black);
    mode_start(h, 0x10000);
    /* The frame that ends at the next vertical blank still uses the old start address. */
    assert_int_equal(next_crc(h), black);
    white = next_crc(h);
    assert_int_not_equal(white, black);
    assert_int_equal(white, picture_crc(h));
}

static void test_crc_stops(void **state)
{
    Host *h = *state;

    set_format(h, MODE_32, 4);
    host_rd32(h, NV3_PVIRT_CRC);
    assert_true(h->timer[NV3_TIMER_VBLANK] != UINT64_MAX);
    host_advance(h, UINT64_C(3000000000));
    assert_true(h->timer[NV3_TIMER_VBLANK] == UINT64_MAX);
}

/*
 * A read of the CRC must not compute lines of the picture. After the read, nv3_run() must
 * compute the CRCs of the next two frames in slices, and further CRCs only after another
 * read. The chip must raise the interrupt of the vertical blank when the CRC is
 * available. Until then, the registers must contain the CRC and the number of the
 * previous frame. When the first CRC is available, the test reads no CRC for five frames.
 */
static void test_crc_work(void **state)
{
    Host *h = *state;
    const uint64_t *lines = &nv3_steps[NV3_STEP_PICTURE_LINE];
    uint32_t number = 0xffffffff, crc = 0;
    unsigned slices;

    mode_set(h, &mode_1600x1200);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    host_wr32(h, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_VBLANK);
    memset(nv3_steps, 0, sizeof(nv3_steps));
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC), crc);
    nv3_run(h->chip, 1);
    assert_int_equal(*lines, 0);

    for (unsigned frame = 0; frame < 6; frame++) {
        *(uint64_t *)lines = 0;
        put_32(h, 0, frame);
        host_advance(h, h->timer[NV3_TIMER_VBLANK] - h->now);
        /* The timer itself draws nothing. */
        assert_int_equal(*lines, 0);
        if (frame > 2) {
            assert_true(h->irq);
            nv3_run(h->chip, 1);
            assert_int_equal(*lines, 0);
        } else {
            assert_false(h->irq);
            for (slices = 0; !h->irq; slices++) {
                uint64_t before = *lines;

                assert_int_equal(host_rd32(h, NV3_PVIRT_CRC_FRAME), number);
                if (!frame) {
                    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC), crc);
                }
                assert_int_equal(*lines, before);
                assert_true(nv3_run(h->chip, 1));
                assert_in_range((*lines - before) * 1600, 1600,
                                NV3_SLICE_COST);
            }
            assert_int_equal(*lines, 1200);
            assert_in_range(slices, 10, 100);
            number = host_rd32(h, NV3_PVIRT_FRAME);
            if (!frame) {
                assert_int_not_equal(host_rd32(h, NV3_PVIRT_CRC), crc);
                crc = host_rd32(h, NV3_PVIRT_CRC);
            }
        }
        assert_int_equal(host_rd32(h, NV3_PVIRT_CRC_FRAME), number);
        host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
        assert_false(h->irq);
    }
    /*
     * If the computation of a CRC takes longer than a frame, the chip must compute no CRC
     * of the next frame.
     */
    assert_int_not_equal(host_rd32(h, NV3_PVIRT_CRC), crc);
    host_advance(h, h->timer[NV3_TIMER_VBLANK] - h->now);
    number = host_rd32(h, NV3_PVIRT_FRAME);
    nv3_run(h->chip, 1);
    host_advance(h, h->timer[NV3_TIMER_VBLANK] - h->now);
    assert_false(h->irq);
    *(uint64_t *)lines = 0;
    host_run(h);
    assert_in_range(*lines, 1, 1199);
    assert_true(h->irq);
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC_FRAME), number);
    assert_int_equal(host_rd32(h, NV3_PVIRT_FRAME), number + 1);
}

/*
 * Saving and loading the chip during the computation must not change the CRC or the
 * interrupt.
 */
static void test_crc_saved(void **state)
{
    Host *h = *state;
    uint8_t *buf = test_malloc(saved_size());
    NV3LoadError error;
    Host *to = host_new();
    uint32_t crc, frame;

    mode_set(h, &mode_1600x1200);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    host_wr32(h, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_VBLANK);
    crc = next_crc(h);
    host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
    put_32(h, 0x1000, 0x123456);
    host_advance(h, h->timer[NV3_TIMER_VBLANK] - h->now);
    frame = host_rd32(h, NV3_PVIRT_FRAME);
    nv3_run(h->chip, 1);
    assert_false(h->irq);
    saved_take(h->chip, buf);
    memcpy(to->vram, h->vram, h->config.vram_size);
    to->now = h->now;
    assert_true(saved_put(to->chip, buf, &error));
    memset(nv3_steps, 0, sizeof(nv3_steps));
    assert_int_equal(host_rd32(to, NV3_PGRAPH_INTR), NV3_PGRAPH_INTR_VBLANK);
    assert_int_not_equal(host_rd32(to, NV3_PVIRT_CRC), crc);
    assert_int_equal(host_rd32(to, NV3_PVIRT_CRC_FRAME), frame);
    assert_int_equal(nv3_steps[NV3_STEP_PICTURE_LINE], 0);
    host_free(to);
    test_free(buf);
}

/*
 * Tests all lengths up to 600 bytes, because nv3_crc32() has different loops for
 * different lengths.
 */
static void test_crc_lengths(void **state)
{
    uint8_t data[600];
    uint32_t seed = 7;

    for (unsigned i = 0; i < sizeof(data); i++) {
        seed = seed * 1664525 + 1013904223;
        data[i] = seed >> 24;
    }
    for (unsigned from = 0; from < 3; from++) {
        for (unsigned len = 0; len + from <= sizeof(data); len++) {
            const uint32_t first = nv3_crc32(0, data, from);

            assert_int_equal(nv3_crc32(first, data + from, len),
                             crc_slow(data, from + len));
        }
    }
}

/*
 * The chip computes no CRC of a picture with more than 2 Mi pixels, because the
 * computation would take too long.
 */
static void test_crc_too_large(void **state)
{
    const Mode mode = {
        .width = 2040, .htotal = 2048, .height = 1029, .vtotal = 1040,
        .format = MODE_8, .pitch = 2040, .vpll = 255 << NV3_PLL_N_SHIFT | 1,
    };
    Mode less = mode;
    NV3Scanout out;
    Host *h = *state;

    mode_set(h, &mode);
    nv3_scanout(h->chip, &out);
    assert_int_equal(out.refresh_mhz, 256000000000 / (2048 * 1040));
    assert_int_equal(next_crc(h), 0);
    less.height = 1028;
    mode_set(h, &less);
    assert_int_not_equal(next_crc(h), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, host_setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_x8r8g8b8),
        T(test_x1r5g5b5),
        T(test_r5g6b5),
        T(test_palette),
        T(test_gamma),
        T(test_blank_is_black),
        T(test_wraps),
        T(test_cursor),
        T(test_cursor_at_edges),
        T(test_cursor_over_palette),
        T(test_cursor_doubled),
        T(test_cursor_beyond_ramin),
        T(test_crc),
        T(test_crc_of_flip),
        T(test_crc_stops),
        T(test_crc_too_large),
        T(test_crc_work),
        T(test_crc_saved),
        T(test_crc_lengths),
    };

    return cmocka_run_group_tests_name("scanout", tests, NULL, NULL);
}
