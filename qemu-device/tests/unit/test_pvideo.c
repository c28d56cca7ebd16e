/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests registers, buffers and pixels of the video overlay. The reference for pixels
 * consists of a colour conversion and a scaler in floating point. It shares no code with
 * the core.
 */
#include "host.h"

#include <math.h>

#include "mode.h"

#define WIDTH       160
#define HEIGHT      120
#define PITCH       512
#define IMAGE(i)    (0x100000u + (i) * 0x40000u)
#define KEY         0x00123456u

static uint32_t picture[HEIGHT][WIDTH];

static const Mode mode_test = {
    .width = WIDTH, .htotal = 800, .height = HEIGHT, .vtotal = 525,
    .format = MODE_32, .pitch = WIDTH * 4, .vpll = MODE_VPLL_25_2,
};

/* Sets up the overlay as vidix and nouveau do. @win: x, y, width, height. */
static void program(Host *h, const unsigned win[4], unsigned src_w,
                    unsigned src_h, uint32_t overlay)
{
    uint32_t step_x = win[2] > 1 ? ((src_w - 1) << 11) / (win[2] - 1) : 0;
    uint32_t step_y = win[3] > 1 ? ((src_h - 1) << 11) / (win[3] - 1) : 0;

    host_wr32(h, NV3_PVIDEO_OE_STATE, 0);
    host_wr32(h, NV3_PVIDEO_SU_STATE, 0);
    host_wr32(h, NV3_PVIDEO_RM_STATE, 0);
    for (unsigned i = 0; i < 2; i++) {
        host_wr32(h, NV3_PVIDEO_START(i), IMAGE(0));
        host_wr32(h, NV3_PVIDEO_PITCH(i), PITCH);
        host_wr32(h, NV3_PVIDEO_OFFSET(i), 0);
    }
    host_wr32(h, NV3_PVIDEO_WINDOW_START, win[1] << 16 | win[0]);
    host_wr32(h, NV3_PVIDEO_WINDOW_SIZE, win[3] << 16 | win[2]);
    host_wr32(h, NV3_PVIDEO_STEP_SIZE, step_y << 16 | step_x);
    host_wr32(h, NV3_PVIDEO_CONTROL_Y, 0x001);
    host_wr32(h, NV3_PVIDEO_CONTROL_X, 0x111);
    host_wr32(h, NV3_PVIDEO_KEY, KEY);
    host_wr32(h, NV3_PVIDEO_OVERLAY, overlay | NV3_PVIDEO_OVERLAY_ON);
    host_wr32(h, NV3_PVIDEO_SU_STATE, 1 << 16);
}

static void next_frame(Host *h)
{
    host_advance(h, 16700000);
}

/* Returns the CRC of the frame that ends at the next vertical blank. */
static uint32_t next_crc(Host *h)
{
    host_rd32(h, NV3_PVIRT_CRC);
    next_frame(h);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PVIRT_CRC_FRAME), host_rd32(h, NV3_PVIRT_FRAME));
    return host_rd32(h, NV3_PVIRT_CRC);
}

static void draw(Host *h)
{
    NV3Scanout out;

    nv3_scanout(h->chip, &out);
    assert_int_equal(out.width, WIDTH);
    assert_int_equal(out.height, HEIGHT);
    for (unsigned y = 0; y < HEIGHT; y++) {
        nv3_scanout_line(h->chip, &out, y, picture[y]);
    }
}

static int setup(void **state)
{
    Host *h;

    host_setup(state);
    h = *state;
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    mode_set(h, &mode_test);
    next_frame(h);
    return 0;
}

/* ---- the reference ------------------------------------------------------- */

static uint8_t image_byte(Host *h, unsigned buffer, unsigned line,
                          unsigned byte)
{
    return h->vram[IMAGE(buffer) + line * PITCH + byte];
}

static void ref_pixel(Host *h, bool yuy2, unsigned x, unsigned y,
                      double yuv[3])
{
    unsigned pair = x / 2 * 4, odd = x % 2 * 2;

    yuv[0] = image_byte(h, 0, y, pair + odd + (yuy2 ? 0 : 1));
    yuv[1] = image_byte(h, 0, y, pair + (yuy2 ? 1 : 0));
    yuv[2] = image_byte(h, 0, y, pair + 2 + (yuy2 ? 1 : 0));
}

static void ref_sample(Host *h, bool yuy2, double x, double y, double yuv[3])
{
    unsigned x0 = floor(x), y0 = floor(y);
    double fx = x - x0, fy = y - y0, p[4][3];

    for (unsigned i = 0; i < 4; i++) {
        ref_pixel(h, yuy2, x0 + i % 2, y0 + i / 2, p[i]);
    }
    for (unsigned c = 0; c < 3; c++) {
        yuv[c] = (p[0][c] * (1 - fx) + p[1][c] * fx) * (1 - fy) +
                 (p[2][c] * (1 - fx) + p[3][c] * fx) * fy;
    }
}

/* ITU-R BT.601: Kr 0.299, Kb 0.114, luma 16 to 235, chroma 16 to 240. */
static void ref_rgb(const double yuv[3], double rgb[3])
{
    const double kr = 0.299, kb = 0.114, kg = 1 - kr - kb;
    double y = (yuv[0] - 16) / 219;
    double pb = (yuv[1] - 128) / 224, pr = (yuv[2] - 128) / 224;

    rgb[0] = y + 2 * (1 - kr) * pr;
    rgb[2] = y + 2 * (1 - kb) * pb;
    rgb[1] = (y - kr * rgb[0] - kb * rgb[2]) / kg;
    for (unsigned c = 0; c < 3; c++) {
        rgb[c] = fmin(fmax(rgb[c] * 255, 0), 255);
    }
}

static void assert_rgb(uint32_t got, const double want[3], double tolerance)
{
    for (unsigned c = 0; c < 3; c++) {
        double diff = (double)(got >> (16 - c * 8) & 0xff) - want[c];

        if (fabs(diff) > tolerance) {
            fail_msg("%06x, not %.1f %.1f %.1f", got, want[0], want[1],
                     want[2]);
        }
    }
}

static void fill_random(Host *h, unsigned buffer)
{
    uint32_t seed = 0x12345 + buffer;

    for (unsigned i = 0; i < PITCH * 128; i++) {
        seed = seed * 1664525 + 1013904223;
        h->vram[IMAGE(buffer) + i] = seed >> 24;
    }
}

static void fill(Host *h, unsigned buffer, uint32_t yuyv)
{
    for (unsigned i = 0; i < PITCH * 128; i++) {
        h->vram[IMAGE(buffer) + i] = yuyv >> i % 4 * 8;
    }
}

static void fill_screen(Host *h, uint32_t val)
{
    for (unsigned i = 0; i < WIDTH * HEIGHT * 4; i++) {
        h->vram[i] = val >> i % 4 * 8;
    }
}

/* ---- pixels -------------------------------------------------------------- */

/* Tests colour bars of 75 % and 100 %, with values from the tables of BT.601. */
static void test_colours(void **state)
{
    static const struct {
        uint8_t y, u, v;
        uint32_t rgb;
    } bars[] = {
        { 235, 128, 128, 0xffffff }, { 16, 128, 128, 0x000000 },
        { 81, 90, 240, 0xff0000 },   { 145, 54, 34, 0x00ff00 },
        { 41, 240, 110, 0x0000ff },  { 210, 16, 146, 0xffff00 },
        { 170, 166, 16, 0x00ffff },  { 106, 202, 222, 0xff00ff },
        { 180, 128, 128, 0xbfbfbf }, { 65, 100, 212, 0xbf0000 },
        { 112, 72, 58, 0x00bf00 },   { 35, 212, 114, 0x0000bf },
    };
    static const unsigned win[4] = { 0, 0, 8, 8 };
    Host *h = *state;

    for (size_t i = 0; i < sizeof(bars) / sizeof(bars[0]); i++) {
        double rgb[3];

        fill(h, 0, bars[i].y | bars[i].u << 8 | bars[i].y << 16 |
             (uint32_t)bars[i].v << 24);
        program(h, win, 8, 8, NV3_PVIDEO_OVERLAY_YUY2);
        next_frame(h);
        draw(h);
        for (unsigned c = 0; c < 3; c++) {
            rgb[c] = bars[i].rgb >> (16 - 8 * c) & 0xff;
        }
        assert_rgb(picture[3][3], rgb, 2);
    }
}

static void check_scaled(Host *h, const unsigned win[4], unsigned src_w,
                         unsigned src_h, bool yuy2)
{
    uint32_t step_x = ((src_w - 1) << 11) / (win[2] - 1);
    uint32_t step_y = ((src_h - 1) << 11) / (win[3] - 1);

    program(h, win, src_w, src_h, yuy2 ? NV3_PVIDEO_OVERLAY_YUY2 : 0);
    next_frame(h);
    draw(h);
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            double yuv[3], rgb[3];

            if (x < win[0] || x >= win[0] + win[2] || y < win[1] ||
                y >= win[1] + win[3]) {
                assert_int_equal(picture[y][x], 0xabcdef);
                continue;
            }
            ref_sample(h, yuy2, (x - win[0]) * (step_x / 2048.0),
                       (y - win[1]) * (step_y / 2048.0), yuv);
            ref_rgb(yuv, rgb);
            assert_rgb(picture[y][x], rgb, 1.5);
        }
    }
}

static void test_scaling(void **state)
{
    static const unsigned win[][4] = {
        { 0, 0, 64, 48 }, { 10, 7, 100, 80 }, { 33, 40, 127, 80 },
        { 1, 1, 65, 49 }, { 150, 110, 512, 384 },
    };
    Host *h = *state;

    fill_random(h, 0);
    fill_screen(h, 0xabcdef);
    for (size_t i = 0; i < sizeof(win) / sizeof(win[0]); i++) {
        check_scaled(h, win[i], 64, 48, true);
        check_scaled(h, win[i], 64, 48, false);
    }
}

/* If the image is not scaled, the enabled filters must not change the source pixels. */
static void test_one_to_one(void **state)
{
    static const unsigned win[4] = { 16, 8, 96, 64 };
    Host *h = *state;

    fill_random(h, 0);
    program(h, win, 96, 64, NV3_PVIDEO_OVERLAY_YUY2);
    assert_int_equal(host_rd32(h, NV3_PVIDEO_STEP_SIZE), 0x08000800);
    next_frame(h);
    draw(h);
    for (unsigned y = 0; y < 64; y++) {
        for (unsigned x = 0; x < 96; x++) {
            double yuv[3], rgb[3];

            ref_pixel(h, true, x, y, yuv);
            ref_rgb(yuv, rgb);
            assert_rgb(picture[y + 8][x + 16], rgb, 1.5);
        }
    }
    /*
     * The scaler cannot shrink images, so a step of more than one source pixel must have
     * the effect of a step of one.
     */
    host_wr32(h, NV3_PVIDEO_STEP_SIZE, 0x0fff0fff);
    next_frame(h);
    draw(h);
    {
        double yuv[3], rgb[3];

        ref_pixel(h, true, 50, 50, yuv);
        ref_rgb(yuv, rgb);
        assert_rgb(picture[58][66], rgb, 1.5);
    }
}

/* Without interpolation, the coordinates of the source pixel are rounded down. */
static void test_unfiltered(void **state)
{
    static const unsigned win[4] = { 0, 0, 120, 100 };
    Host *h = *state;

    fill_random(h, 0);
    program(h, win, 40, 30, 0);
    host_wr32(h, NV3_PVIDEO_CONTROL_X, 0x011);
    host_wr32(h, NV3_PVIDEO_CONTROL_Y, 0);
    next_frame(h);
    draw(h);
    for (unsigned y = 0; y < 100; y++) {
        for (unsigned x = 0; x < 120; x++) {
            double yuv[3], rgb[3];

            ref_pixel(h, false, x * ((39 << 11) / 119) / 2048,
                      y * ((29 << 11) / 99) / 2048, yuv);
            ref_rgb(yuv, rgb);
            assert_rgb(picture[y][x], rgb, 1.5);
        }
    }
}

/*
 * The image starts at the second pixel of a YUV pair, and half a line below the first
 * line.
 */
static void test_offset(void **state)
{
    static const unsigned win[4] = { 0, 0, 50, 40 };
    Host *h = *state;
    double yuv[3], rgb[3];

    fill_random(h, 0);
    program(h, win, 50, 40, NV3_PVIDEO_OVERLAY_YUY2);
    host_wr32(h, NV3_PVIDEO_OFFSET(1), 0x21);
    next_frame(h);
    draw(h);
    ref_sample(h, true, 21, 10.5, yuv);
    ref_rgb(yuv, rgb);
    assert_rgb(picture[10][20], rgb, 1.5);
}

static void test_brightness(void **state)
{
    static const unsigned win[4] = { 0, 0, 8, 8 };
    Host *h = *state;

    fill(h, 0, 0x80808080);
    program(h, win, 8, 8, NV3_PVIDEO_OVERLAY_YUY2);
    next_frame(h);
    draw(h);
    assert_int_equal(picture[0][0], 0x828282);
    /*
     * Increase the brightness like vidix: subtract less from red and blue, and add more
     * to green.
     */
    host_wr32(h, NV3_PVIDEO_RED_CSC, 0x69 - 8);
    host_wr32(h, NV3_PVIDEO_GREEN_CSC, 0x3e + 8);
    host_wr32(h, NV3_PVIDEO_BLUE_CSC, 0x89 - 8);
    next_frame(h);
    draw(h);
    assert_int_equal(picture[0][0], 0x929292);
}

/* ---- the key ------------------------------------------------------------- */

static void put_pixel(Host *h, unsigned bytes, unsigned x, unsigned y,
                      uint32_t val)
{
    for (unsigned i = 0; i < bytes; i++) {
        h->vram[(y * WIDTH + x) * bytes + i] = val >> i * 8;
    }
}

static void check_key(Host *h, unsigned format, uint32_t key, uint32_t other,
                      uint32_t unused)
{
    static const unsigned win[4] = { 4, 4, 64, 64 };
    unsigned bytes = format == MODE_32 ? 4 : format;
    Mode mode = mode_test;

    mode.format = format;
    mode.pitch = WIDTH * bytes;
    mode_set(h, &mode);
    fill(h, 0, 0x80eb80eb);
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            put_pixel(h, bytes, x, y, (x + y) % 3 ? other : key);
        }
    }
    put_pixel(h, bytes, 10, 10, key | unused);
    program(h, win, 64, 64, NV3_PVIDEO_OVERLAY_YUY2 |
            NV3_PVIDEO_OVERLAY_KEY_ON);
    host_wr32(h, NV3_PVIDEO_KEY, key);
    next_frame(h);
    draw(h);
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            bool inside = x >= 4 && x < 68 && y >= 4 && y < 68;
            bool keyed = (x + y) % 3 == 0 || (x == 10 && y == 10);

            if (inside && keyed) {
                assert_int_equal(picture[y][x], 0xffffff);
            } else {
                assert_int_not_equal(picture[y][x], 0xffffff);
            }
        }
    }
}

static void test_key(void **state)
{
    Host *h = *state;

    check_key(h, MODE_32, 0x123456, 0x123457, 0xff000000);
    check_key(h, MODE_16, 0x1234, 0x1235, 0x8000);
    check_key(h, MODE_8, 0x12, 0x13, 0);
}

/*
 * In the 16-bit mode R5G6B5, the chip must also compare the top bit with the colour key.
 */
static void test_key_565(void **state)
{
    static const unsigned win[4] = { 0, 0, 8, 8 };
    Host *h = *state;
    Mode mode = mode_test;

    mode.format = MODE_16;
    mode.pitch = WIDTH * 2;
    mode_set(h, &mode);
    host_wr32(h, NV3_PRAMDAC_GENERAL, NV3_GENERAL_VGA_STATE |
              NV3_GENERAL_BPC_8 | NV3_GENERAL_ALT_MODE);
    fill(h, 0, 0x80eb80eb);
    put_pixel(h, 2, 0, 0, 0x1234);
    put_pixel(h, 2, 1, 0, 0x9234);
    program(h, win, 8, 8, NV3_PVIDEO_OVERLAY_YUY2 | NV3_PVIDEO_OVERLAY_KEY_ON);
    host_wr32(h, NV3_PVIDEO_KEY, 0x9234);
    next_frame(h);
    draw(h);
    assert_int_not_equal(picture[0][0], 0xffffff);
    assert_int_equal(picture[0][1], 0xffffff);
}

/* ---- place --------------------------------------------------------------- */

static void test_edges(void **state)
{
    static const unsigned win[][4] = {
        { 156, 116, 64, 64 }, { 159, 119, 2047, 2047 }, { 160, 0, 8, 8 },
        { 0, 120, 8, 8 }, { 2047, 2047, 2047, 2047 }, { 5, 5, 0, 9 },
        { 5, 5, 9, 0 },
    };
    Host *h = *state;

    fill(h, 0, 0x80eb80eb);
    for (size_t i = 0; i < sizeof(win) / sizeof(win[0]); i++) {
        program(h, win[i], 64, 64, NV3_PVIDEO_OVERLAY_YUY2);
        host_wr32(h, NV3_PVIDEO_STEP_SIZE, 0x08000800);
        next_frame(h);
        draw(h);
        for (unsigned y = 0; y < HEIGHT; y++) {
            for (unsigned x = 0; x < WIDTH; x++) {
                bool inside = x >= win[i][0] && x < win[i][0] + win[i][2] &&
                              y >= win[i][1] && y < win[i][1] + win[i][3];

                assert_int_equal(picture[y][x], inside ? 0xffffff : 0);
            }
        }
    }
}

/*
 * An overlay image that extends beyond the end of VRAM must continue at the start of
 * VRAM, like the screen.
 */
static void test_wraps(void **state)
{
    static const unsigned win[4] = { 0, 0, 64, 64 };
    Host *h = *state;
    NV3Scanout out;

    memset(h->vram + h->config.vram_size - 32 * PITCH, 0xeb, 32 * PITCH);
    memset(h->vram, 0x10, 64 * PITCH);
    program(h, win, 64, 64, NV3_PVIDEO_OVERLAY_YUY2);
    host_wr32(h, NV3_PVIDEO_START(1), h->config.vram_size - 32 * PITCH);
    next_frame(h);
    draw(h);
    assert_int_not_equal(picture[31][0], picture[32][0]);
    assert_int_equal(picture[33][0], picture[32][0]);
    nv3_scanout(h->chip, &out);
    assert_int_equal(out.overlay.offset, 0);
    assert_int_equal(out.overlay.bytes, h->config.vram_size);
}

/*
 * The unit of the overlay's vertical coordinates is a line of the CRTC. With double scan,
 * the CRTC shows each line of the picture twice.
 */
static void test_double_scan(void **state)
{
    static const unsigned win[4] = { 0, 20, 8, 20 };
    Host *h = *state;
    NV3Scanout out;

    mode_crtc(h, 0x09, 0xc0);
    fill(h, 0, 0x80eb80eb);
    program(h, win, 8, 20, NV3_PVIDEO_OVERLAY_YUY2);
    next_frame(h);
    nv3_scanout(h->chip, &out);
    assert_int_equal(out.height, HEIGHT / 2);
    assert_int_equal(out.overlay.top, 10);
    assert_int_equal(out.overlay.lines, 10);
    for (unsigned y = 0; y < out.height; y++) {
        nv3_scanout_line(h->chip, &out, y, picture[0]);
        assert_int_equal(picture[0][0], y >= 10 && y < 20 ? 0xffffff : 0);
    }
}

/* The cursor must be drawn over the overlay. */
static void test_cursor(void **state)
{
    static const unsigned win[4] = { 0, 0, 64, 64 };
    Host *h = *state;

    fill(h, 0, 0x80eb80eb);
    program(h, win, 64, 64, NV3_PVIDEO_OVERLAY_YUY2);
    for (unsigned i = 0; i < 32 * 32 * 2; i += 4) {
        host_ramin_wr32(h, 0x8000 + i, 0xfc00fc00);
    }
    mode_crtc(h, NV3_CRTC_CURSOR_0, 0);
    mode_crtc(h, NV3_CRTC_CURSOR_1, 0x8000 >> 8 | NV3_CURSOR_1_ENABLE);
    next_frame(h);
    draw(h);
    assert_int_equal(picture[0][0], 0xff0000);
    assert_int_equal(picture[0][32], 0xffffff);
}

/*
 * With an overlay, nv3_scanout() must return the extent of the overlay's memory, and must
 * report that the screen can't be shown directly from VRAM.
 */
static void test_extent(void **state)
{
    static const unsigned win[4] = { 8, 10, 96, 60 };
    Host *h = *state;
    NV3Scanout out;

    nv3_scanout(h->chip, &out);
    assert_int_equal(out.overlay.lines, 0);
    assert_true(out.direct);
    program(h, win, 48, 30, NV3_PVIDEO_OVERLAY_YUY2);
    next_frame(h);
    assert_true(nv3_scanout_changed(h->chip));
    assert_false(nv3_scanout_changed(h->chip));
    nv3_scanout(h->chip, &out);
    assert_false(out.direct);
    assert_int_equal(out.overlay.top, 10);
    assert_int_equal(out.overlay.lines, 60);
    assert_int_equal(out.overlay.offset, IMAGE(0));
    assert_true(out.overlay.bytes >= 29 * PITCH + 96);
    host_wr32(h, NV3_PVIDEO_OVERLAY, 0);
    next_frame(h);
    assert_true(nv3_scanout_changed(h->chip));
    nv3_scanout(h->chip, &out);
    assert_true(out.direct);
}

/* ---- registers ----------------------------------------------------------- */

static void test_registers(void **state)
{
    static const struct {
        uint32_t addr, mask;
    } regs[] = {
        { NV3_PVIDEO_INTR_EN, 1 }, { NV3_PVIDEO_STEP_SIZE, 0x0fff0fff },
        { NV3_PVIDEO_CONTROL_Y, 0x11 }, { NV3_PVIDEO_CONTROL_X, 0x111 },
        { NV3_PVIDEO_START(0), 0x7ffffc }, { NV3_PVIDEO_START(1), 0x7ffffc },
        { NV3_PVIDEO_PITCH(0), 0x1ff0 }, { NV3_PVIDEO_PITCH(1), 0x1ff0 },
        { NV3_PVIDEO_OFFSET(0), 0x31 }, { NV3_PVIDEO_OFFSET(1), 0x31 },
        { NV3_PVIDEO_OE_STATE, 0x1111111 }, { NV3_PVIDEO_SU_STATE, 0x110000 },
        { NV3_PVIDEO_RM_STATE, 0x11 }, { NV3_PVIDEO_WINDOW_START, 0x7ff07ff },
        { NV3_PVIDEO_WINDOW_SIZE, 0x7ff07ff }, { NV3_PVIDEO_FIFO_THRES, 0x78 },
        { NV3_PVIDEO_FIFO_BURST, 3 }, { NV3_PVIDEO_KEY, 0xffffffff },
        { NV3_PVIDEO_OVERLAY, 0x111 }, { NV3_PVIDEO_RED_CSC, 0xff },
        { NV3_PVIDEO_GREEN_CSC, 0xff }, { NV3_PVIDEO_BLUE_CSC, 0xff },
        { NV3_PVIDEO_CSC_ADJUST, 0x11111 },
    };
    Host *h = *state;

    for (size_t i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
        host_wr32(h, regs[i].addr, 0xffffffff);
        assert_int_equal(host_rd32(h, regs[i].addr), regs[i].mask);
        host_wr32(h, regs[i].addr, 0);
        assert_int_equal(host_rd32(h, regs[i].addr), 0);
    }
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 0);
    host_rd32(h, NV3_PVIDEO_CSC_ADJUST + 4);
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 1);
}

/*
 * While PVIDEO's bit in PMC_ENABLE is 0, PVIDEO must be in its reset state, and its
 * registers must not be accessible.
 */
static void test_enable(void **state)
{
    static const unsigned win[4] = { 0, 0, 8, 8 };
    Host *h = *state;

    fill(h, 0, 0x80eb80eb);
    program(h, win, 8, 8, NV3_PVIDEO_OVERLAY_YUY2);
    next_frame(h);
    draw(h);
    assert_int_equal(picture[0][0], 0xffffff);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff & ~NV3_PMC_ENABLE_PVIDEO);
    draw(h);
    assert_int_equal(picture[0][0], 0);
    host_wr32(h, NV3_PVIDEO_OVERLAY, 1);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PVIDEO_OVERLAY), 0);
    assert_int_equal(host_rd32(h, NV3_PVIDEO_RED_CSC), 0x69);
}

/* ---- two buffers --------------------------------------------------------- */

#define WHITE   0x80eb80ebu
#define BLACK   0x80108010u

/*
 * Sets up the overlay like a driver that alternates between two buffers. Buffer 0 is
 * white. Buffer 1 is black, and the overlay displays it first.
 */
static void set_up_flips(Host *h)
{
    static const unsigned win[4] = { 0, 0, 8, 8 };

    fill(h, 0, WHITE);
    fill(h, 1, BLACK);
    fill_screen(h, 0x808080);
    program(h, win, 8, 8, NV3_PVIDEO_OVERLAY_YUY2);
    host_wr32(h, NV3_PVIDEO_START(1), IMAGE(1));
    host_wr32(h, NV3_PVIDEO_INTR_EN, NV3_PVIDEO_INTR_NOTIFY);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    next_frame(h);
    draw(h);
    assert_int_equal(picture[0][0], 0);
    assert_false(h->irq);
}

static void hand_over(Host *h, unsigned i)
{
    host_wr32(h, NV3_PVIDEO_SU_STATE,
              host_rd32(h, NV3_PVIDEO_SU_STATE) ^ 0x10000 << i * 4);
}

static uint32_t is_free(Host *h, unsigned i)
{
    return (host_rd32(h, NV3_PVIDEO_SU_STATE) ^
            host_rd32(h, NV3_PVIDEO_OE_STATE)) >> (16 + i * 4) & 1;
}

static void test_flip(void **state)
{
    Host *h = *state;

    set_up_flips(h);
    assert_int_equal(is_free(h, 0), 1);
    assert_int_equal(is_free(h, 1), 0);
    for (unsigned i = 0; i < 6; i++) {
        unsigned next = i % 2;
        uint32_t notify = host_rd32(h, NV3_PVIDEO_OE_STATE);

        hand_over(h, next);
        /* The flip takes place at the start of the next frame, when a timer expires. */
        draw(h);
        assert_int_equal(picture[0][0], next ? 0xffffff : 0);
        assert_false(h->irq);
        next_frame(h);
        assert_true(h->irq);
        draw(h);
        assert_int_equal(picture[0][0], next ? 0 : 0xffffff);
        assert_int_equal(host_rd32(h, NV3_PMC_INTR) & NV3_PMC_INTR_PVIDEO,
                         NV3_PMC_INTR_PVIDEO);
        assert_int_equal(host_rd32(h, NV3_PVIDEO_INTR), 1);
        assert_int_equal(is_free(h, !next), 1);
        assert_int_equal(is_free(h, next), 0);
        notify ^= host_rd32(h, NV3_PVIDEO_OE_STATE);
        assert_int_equal(notify & 0x11, 1 << !next * 4);
        assert_int_equal(host_rd32(h, NV3_PVIDEO_OE_STATE) >> 24, next);
        host_wr32(h, NV3_PVIDEO_INTR, 1);
        assert_int_equal(host_rd32(h, NV3_PVIDEO_INTR), 0);
        assert_false(h->irq);
        /* Without a new flip, the overlay must continue to display the same buffer. */
        next_frame(h);
        assert_false(h->irq);
        draw(h);
        assert_int_equal(picture[0][0], next ? 0 : 0xffffff);
    }
}

/*
 * While the interrupt is disabled, the chip must not set a timer, but its registers must
 * show the flip.
 */
static void test_flip_quiet(void **state)
{
    Host *h = *state;

    set_up_flips(h);
    host_wr32(h, NV3_PVIDEO_INTR_EN, 0);
    hand_over(h, 0);
    assert_true(h->timer[NV3_TIMER_VBLANK] == UINT64_MAX);
    h->now += 16700000;
    assert_int_equal(host_rd32(h, NV3_PVIDEO_INTR), 1);
    assert_int_equal(is_free(h, 1), 1);
    draw(h);
    assert_int_equal(picture[0][0], 0xffffff);
    assert_false(h->irq);
    /*
     * If the driver enables the interrupt after a flip, the chip must raise the interrupt
     * for this flip.
     */
    host_wr32(h, NV3_PVIDEO_INTR_EN, 1);
    assert_true(h->irq);
}

/*
 * Writes to the registers of the displayed buffer must take effect at the start of the
 * next frame.
 */
static void test_latched(void **state)
{
    Host *h = *state;

    set_up_flips(h);
    host_wr32(h, NV3_PVIDEO_START(1), IMAGE(0));
    host_wr32(h, NV3_PVIDEO_WINDOW_START, 4);
    draw(h);
    assert_int_equal(picture[0][0], 0);
    next_frame(h);
    draw(h);
    assert_int_equal(picture[0][0], 0x808080);
    assert_int_equal(picture[0][4], 0xffffff);
    assert_int_equal(host_rd32(h, NV3_PVIDEO_INTR), 0);
}

/* The CRC must be that of the displayed frame, including its overlay. */
static void test_crc(void **state)
{
    Host *h = *state;
    uint32_t black, white;

    set_up_flips(h);
    black = next_crc(h);
    hand_over(h, 0);
    assert_int_equal(next_crc(h), black);
    white = next_crc(h);
    assert_int_not_equal(white, black);
    hand_over(h, 1);
    assert_int_equal(next_crc(h), white);
    assert_int_equal(next_crc(h), black);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_colours),
        T(test_scaling),
        T(test_one_to_one),
        T(test_unfiltered),
        T(test_offset),
        T(test_brightness),
        T(test_key),
        T(test_key_565),
        T(test_edges),
        T(test_wraps),
        T(test_double_scan),
        T(test_cursor),
        T(test_extent),
        T(test_registers),
        T(test_enable),
        T(test_flip),
        T(test_flip_quiet),
        T(test_latched),
        T(test_crc),
    };

    return cmocka_run_group_tests_name("pvideo", tests, NULL, NULL);
}
