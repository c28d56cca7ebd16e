/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the timing of modes, the vertical blank, VGA ports, the register lock, palette
 * ports, DDC, and real-mode access.
 */
#include "host.h"
#include "mode.h"

#define MS(n)           ((n) * UINT64_C(1000000))
#define FRAME_60HZ_NS   16666666

/*
 * Maximum width of a picture: the CRTC's horizontal counter has 9 bits and counts
 * characters of 8 pixels.
 */
#define LINE_MAX_PIXELS 4096

static NV3Scanout scanout(Host *h)
{
    NV3Scanout out;

    nv3_scanout(h->chip, &out);
    return out;
}

/* ---- timing -------------------------------------------------------------- */

static void test_no_picture_after_reset(void **state)
{
    Host *h = *state;
    NV3Scanout out = scanout(h);

    assert_int_equal(out.format, NV3_SCANOUT_VGA);
    assert_int_equal(out.width, 0);
    assert_int_equal(out.height, 0);
    assert_int_equal(out.refresh_mhz, 0);
    assert_true(out.blank);
}

static void test_mode_640x480(void **state)
{
    Host *h = *state;
    NV3Scanout out;

    mode_set(h, &mode_640x480);
    out = scanout(h);
    assert_int_equal(out.format, NV3_SCANOUT_X8R8G8B8);
    assert_int_equal(out.width, 640);
    assert_int_equal(out.height, 480);
    assert_int_equal(out.pitch, 2560);
    assert_int_equal(out.offset, 0);
    assert_in_range(out.refresh_mhz, 59999, 60001);
    assert_false(out.blank);
    assert_true(out.direct);
    assert_true(out.dac_8bit);
}

/* None of this mode's sizes fits into the standard VGA registers. */
static void test_mode_largest(void **state)
{
    Host *h = *state;
    const Mode mode = {
        .width = 2080, .htotal = 2600, .height = 1200, .vtotal = 1250,
        .format = MODE_32, .pitch = 16640, .start = 0x7ffff8,
        .vpll = 120 << NV3_PLL_N_SHIFT | 8,
    };
    NV3Scanout out;

    mode_set(h, &mode);
    host_advance(h, FRAME_60HZ_NS);
    out = scanout(h);
    assert_int_equal(out.width, 2080);
    assert_int_equal(out.height, 1200);
    assert_int_equal(out.pitch, 16640);
    assert_int_equal(out.offset, 0x7ffff8);
    /* 202.5 MHz / (2600 * 1250) */
    assert_in_range(out.refresh_mhz, 62300, 62310);
}

static void test_formats(void **state)
{
    Host *h = *state;

    mode_set(h, &mode_640x480);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, MODE_8);
    assert_int_equal(scanout(h).format, NV3_SCANOUT_C8);
    assert_false(scanout(h).direct);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, MODE_16);
    assert_int_equal(scanout(h).format, NV3_SCANOUT_X1R5G5B5);
    assert_true(scanout(h).direct);
    host_wr32(h, NV3_PRAMDAC_GENERAL, NV3_GENERAL_ALT_MODE);
    assert_int_equal(scanout(h).format, NV3_SCANOUT_R5G6B5);
    host_wr32(h, NV3_PRAMDAC_GENERAL, NV3_GENERAL_PIXMIX_ON);
    assert_false(scanout(h).direct);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, MODE_VGA);
    assert_int_equal(scanout(h).format, NV3_SCANOUT_VGA);
}

static void test_blank(void **state)
{
    Host *h = *state;

    mode_set(h, &mode_640x480);
    mode_seq(h, 0x01, 0x21);
    assert_true(scanout(h).blank);
    assert_false(scanout(h).direct);
    mode_seq(h, 0x01, 0x01);
    assert_false(scanout(h).blank);
    mode_crtc(h, NV3_CRTC_REPAINT_1, 0x40);
    assert_true(scanout(h).blank);
    mode_crtc(h, NV3_CRTC_REPAINT_1, 0x80);
    assert_true(scanout(h).blank);
    mode_crtc(h, NV3_CRTC_REPAINT_1, 0x00);
    assert_false(scanout(h).blank);
    host_wr32(h, NV3_PRAMDAC_GENERAL, NV3_GENERAL_DAC_SLEEP);
    assert_true(scanout(h).blank);
    host_wr32(h, NV3_PRAMDAC_GENERAL, 0);
    mode_crtc(h, 0x17, 0x63);
    assert_true(scanout(h).blank);
    assert_int_equal(scanout(h).width, 0);
}

static void test_row_repeat(void **state)
{
    Host *h = *state;

    mode_set(h, &mode_640x480);
    mode_crtc(h, 0x09, 0xc0);
    assert_int_equal(scanout(h).height, 240);
    mode_crtc(h, 0x09, 0x43);
    assert_int_equal(scanout(h).height, 120);
}

static void test_pll_of_nothing(void **state)
{
    Host *h = *state;

    /*
     * M = 0 must not cause a division by zero. With M = 0, the clock is 0, and there is
     * no picture.
     */
    mode_set(h, &mode_640x480);
    host_wr32(h, NV3_PRAMDAC_VPLL, 0x0000ff00);
    assert_int_equal(scanout(h).refresh_mhz, 0);
    assert_int_equal(scanout(h).width, 0);
    assert_true(scanout(h).blank);
}

static void test_clock_sources(void **state)
{
    Host *h = *state;
    uint32_t vpll;

    mode_set(h, &mode_640x480);
    vpll = scanout(h).refresh_mhz;
    /* P = 1 divides the pixel clock by 2. */
    host_wr32(h, NV3_PRAMDAC_VPLL, MODE_VPLL_25_2 | 1 << NV3_PLL_P_SHIFT);
    assert_in_range(scanout(h).refresh_mhz, vpll / 2 - 1, vpll / 2 + 1);
    /*
     * If the crystal supplies the pixel clock, the refresh rate is
     * 13.5 MHz / (800 * 525).
     */
    host_wr32(h, NV3_PRAMDAC_PLL_CONTROL, NV3_PLL_CONTROL_VPLL_BYPASS);
    assert_in_range(scanout(h).refresh_mhz, 32142, 32143);
    host_wr32(h, NV3_PRAMDAC_PLL_CONTROL, NV3_PLL_CONTROL_PCLK_XTAL);
    assert_in_range(scanout(h).refresh_mhz, 32142, 32143);
    /* Test the two pixel clocks of VGA, 25.175 MHz and 28.322 MHz. */
    host_wr32(h, NV3_PRAMDAC_PLL_CONTROL, 0);
    host_wr8(h, NV3_PRMVIO + 0x3c2, 0x01);
    assert_in_range(scanout(h).refresh_mhz, 59940, 59941);
    host_wr8(h, NV3_PRMVIO + 0x3c2, 0x05);
    assert_in_range(scanout(h).refresh_mhz, 67433, 67434);
}

/* ---- vertical blank ------------------------------------------------------ */

static void enable_vblank(Host *h)
{
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    host_wr32(h, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_VBLANK);
}

static void test_vblank_interrupt(void **state)
{
    Host *h = *state;
    unsigned i;

    mode_set(h, &mode_640x480);
    enable_vblank(h);
    assert_false(h->irq);
    for (i = 0; i < 60; i++) {
        host_advance(h, FRAME_60HZ_NS - 10);
        assert_false(h->irq);
        host_advance(h, 10);
        assert_true(h->irq);
        assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR), NV3_PGRAPH_INTR_VBLANK);
        assert_true(host_rd32(h, NV3_PMC_INTR) & NV3_PMC_INTR_PGRAPH);
        host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
        assert_false(h->irq);
        assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR), 0);
    }
}

/*
 * If the host's timer is late, the acknowledgement of one vertical blank must not clear
 * the status of the next vertical blank.
 */
static void test_late_acknowledge(void **state)
{
    Host *h = *state;

    mode_set(h, &mode_640x480);
    enable_vblank(h);
    host_advance(h, FRAME_60HZ_NS + 10);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR), NV3_PGRAPH_INTR_VBLANK);
    h->now += FRAME_60HZ_NS;
    host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
    assert_false(h->irq);
    host_advance(h, 0);
    assert_true(h->irq);
}

static void test_no_timer_without_need(void **state)
{
    Host *h = *state;

    mode_set(h, &mode_640x480);
    assert_true(h->timer[NV3_TIMER_VBLANK] == UINT64_MAX);
    enable_vblank(h);
    assert_true(h->timer[NV3_TIMER_VBLANK] != UINT64_MAX);
    host_wr32(h, NV3_PGRAPH_INTR_EN, 0);
    assert_true(h->timer[NV3_TIMER_VBLANK] == UINT64_MAX);
    /*
     * While the interrupt is disabled, the status and the frame counter must still be
     * correct.
     */
    host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    host_advance(h, FRAME_60HZ_NS);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR), NV3_PGRAPH_INTR_VBLANK);
    host_wr32(h, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR), 0);
}

static void test_frame_count(void **state)
{
    Host *h = *state;
    uint32_t start;

    mode_set(h, &mode_640x480);
    start = host_rd32(h, NV3_PVIRT_FRAME);
    host_advance(h, MS(1000) + 100);
    assert_int_equal(host_rd32(h, NV3_PVIRT_FRAME), start + 60);
    /* Neither a mode change nor a reset may decrease the frame counter. */
    mode_crtc(h, 0x06, 0);
    assert_int_equal(host_rd32(h, NV3_PVIRT_FRAME), start + 60);
    nv3_reset(h->chip);
    assert_int_equal(host_rd32(h, NV3_PVIRT_FRAME), start + 60);
    host_advance(h, MS(1000));
    assert_int_equal(host_rd32(h, NV3_PVIRT_FRAME), start + 60);
}

/*
 * A tiny mode with the fastest clock must not raise vertical blank interrupts at an
 * excessive rate.
 */
static void test_vblank_no_storm(void **state)
{
    Host *h = *state;
    const Mode mode = {
        .width = 8, .htotal = 40, .height = 1, .vtotal = 2,
        .format = MODE_8, .pitch = 8, .vpll = 255 << NV3_PLL_N_SHIFT | 1,
    };
    uint32_t start;

    mode_set(h, &mode);
    enable_vblank(h);
    start = host_rd32(h, NV3_PVIRT_FRAME);
    host_advance(h, MS(100));
    assert_in_range(host_rd32(h, NV3_PVIRT_FRAME) - start, 1, 101);
}

static void test_start_is_latched(void **state)
{
    Host *h = *state;

    mode_set(h, &mode_640x480);
    host_advance(h, FRAME_60HZ_NS * 2);
    mode_start(h, 0x123450);
    assert_int_equal(scanout(h).offset, 0);
    host_advance(h, FRAME_60HZ_NS);
    assert_int_equal(scanout(h).offset, 0x123450);
    /*
     * If software sets two start addresses within a frame, the second one must take
     * effect.
     */
    mode_start(h, 0x1000);
    mode_start(h, 0x2000);
    assert_int_equal(scanout(h).offset, 0x123450);
    host_advance(h, FRAME_60HZ_NS);
    assert_int_equal(scanout(h).offset, 0x2000);
}

static void test_line(void **state)
{
    Host *h = *state;
    unsigned line;

    mode_set(h, &mode_640x480);
    enable_vblank(h);
    host_advance(h, h->timer[NV3_TIMER_VBLANK] - h->now);
    line = mode_crtc_read(h, NV3_CRTC_LINE_LOW) |
           mode_crtc_read(h, NV3_CRTC_LINE_HIGH) << 8;
    assert_int_equal(line, 480);
    /* The next frame starts after 45 blank lines. */
    host_advance(h, FRAME_60HZ_NS * UINT64_C(46) / 525);
    line = mode_crtc_read(h, NV3_CRTC_LINE_LOW) |
           mode_crtc_read(h, NV3_CRTC_LINE_HIGH) << 8;
    assert_in_range(line, 0, 2);
}

static void test_changed(void **state)
{
    Host *h = *state;

    mode_set(h, &mode_640x480);
    assert_true(nv3_scanout_changed(h->chip));
    assert_false(nv3_scanout_changed(h->chip));
    /*
     * nv3_scanout_changed() does not report that the cursor has moved, because the host
     * compares the cursor's positions itself.
     */
    host_wr32(h, NV3_PRAMDAC_CURSOR_POS, 0);
    assert_false(nv3_scanout_changed(h->chip));
    mode_palette(h, 1, 2, 3, 4);
    assert_true(nv3_scanout_changed(h->chip));
    /*
     * A new start address changes the picture only when the chip latches it, at the end
     * of the frame.
     */
    mode_start(h, 0x8000);
    nv3_scanout_changed(h->chip);
    assert_false(nv3_scanout_changed(h->chip));
    host_advance(h, FRAME_60HZ_NS + 1);
    assert_true(nv3_scanout_changed(h->chip));
    assert_false(nv3_scanout_changed(h->chip));
}

/*
 * If software changes the cursor's image in RAMIN, the CRC of the cursor must change.
 */
static void test_changed_cursor_image(void **state)
{
    Host *h = *state;
    uint32_t crc;

    mode_set(h, &mode_640x480);
    mode_crtc(h, NV3_CRTC_CURSOR_0, 0);
    assert_false(scanout(h).cursor.on);
    mode_crtc(h, NV3_CRTC_CURSOR_1, (0xb000 >> 11) << 3 | NV3_CURSOR_1_ENABLE);
    assert_true(scanout(h).cursor.on);
    crc = scanout(h).cursor.crc;
    host_ramin_wr32(h, 0xb7fc, 0x80000000);
    assert_int_not_equal(scanout(h).cursor.crc, crc);
    crc = scanout(h).cursor.crc;
    host_ramin_wr32(h, 0xb800, 0x80000000);
    assert_int_equal(scanout(h).cursor.crc, crc);
}

/* ---- VGA ports ----------------------------------------------------------- */

static void port_write(Host *h, uint16_t port, uint8_t val)
{
    nv3_vga_port_write(h->chip, port, val);
}

static uint8_t port_read(Host *h, uint16_t port)
{
    uint8_t val;

    assert_true(nv3_vga_port_read(h->chip, port, &val));
    return val;
}

static void test_lock(void **state)
{
    Host *h = *state;

    host_wr8(h, NV3_PRMVIO + 0x3c2, 0x01);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, 3);
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_PIXEL_FORMAT), 0);
    assert_int_equal(h->logs[NV3_LOG_GUEST_ERROR], 1);
    mode_seq(h, NV3_SEQ_LOCK, NV3_CRTC_UNLOCK_VALUE);
    assert_int_equal(host_rd8(h, NV3_PRMVIO + 0x3c5), 3);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, 3);
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_PIXEL_FORMAT), 3);
    /*
     * Only two values of the lock register have an effect. The value 0x12 keeps the
     * registers unlocked.
     */
    mode_seq(h, NV3_SEQ_LOCK, 0x12);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, 2);
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_PIXEL_FORMAT), 2);
    mode_seq(h, NV3_SEQ_LOCK, NV3_CRTC_LOCK_VALUE);
    assert_int_equal(host_rd8(h, NV3_PRMVIO + 0x3c5), 0);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, 1);
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_PIXEL_FORMAT), 2);
    /* The lock does not affect the standard VGA registers. */
    mode_crtc(h, 0x0c, 0x5a);
    assert_int_equal(mode_crtc_read(h, 0x0c), 0x5a);
}

static void test_vga_write_protect(void **state)
{
    Host *h = *state;

    host_wr8(h, NV3_PRMVIO + 0x3c2, 0x01);
    mode_crtc(h, 0x00, 0x5f);
    mode_crtc(h, 0x11, 0x80);
    mode_crtc(h, 0x00, 0x11);
    assert_int_equal(mode_crtc_read(h, 0x00), 0x5f);
    mode_crtc(h, 0x07, 0xff);
    assert_int_equal(mode_crtc_read(h, 0x07), 0x10);
    mode_crtc(h, 0x11, 0x00);
    mode_crtc(h, 0x00, 0x11);
    assert_int_equal(mode_crtc_read(h, 0x00), 0x11);
}

/*
 * The colour bit of the miscellaneous output register selects the addresses of the CRTC's
 * I/O ports.
 */
static void test_colour_ports(void **state)
{
    Host *h = *state;
    uint8_t val;

    port_write(h, 0x3c2, 0x00);
    port_write(h, 0x3b4, 0x0c);
    port_write(h, 0x3b5, 0x42);
    assert_int_equal(port_read(h, 0x3b5), 0x42);
    assert_false(nv3_vga_port_read(h->chip, 0x3d5, &val));
    port_write(h, 0x3d4, 0x0d);
    assert_int_equal(port_read(h, 0x3b4), 0x0c);
    port_write(h, 0x3c2, 0x01);
    assert_int_equal(port_read(h, 0x3d5), 0x42);
    assert_false(nv3_vga_port_read(h->chip, 0x3b5, &val));
}

/* The core forwards accesses to standard VGA registers to the host. */
static void test_vga_forwarding(void **state)
{
    Host *h = *state;
    NV3State *s = h->chip;

    port_write(h, 0x3c2, 0x01);
    assert_false(nv3_vga_port_write(s, 0x3c0, 0x20));
    assert_false(nv3_vga_port_write(s, 0x3d4, 0x0c));
    assert_false(nv3_vga_port_write(s, 0x3d5, 0x01));
    assert_false(nv3_vga_port_write(s, 0x3d4, NV3_CRTC_PIXEL_FORMAT));
    assert_true(nv3_vga_port_write(s, 0x3d5, 0x01));
    assert_false(nv3_vga_port_write(s, 0x3d4, 0x80));
    assert_true(nv3_vga_port_write(s, 0x3d5, 0x01));
    assert_false(nv3_vga_port_write(s, 0x3c4, NV3_SEQ_LOCK));
    assert_true(nv3_vga_port_write(s, 0x3c5, NV3_CRTC_UNLOCK_VALUE));
    assert_false(nv3_vga_port_write(s, 0x3c9, 1));
    /* Access the same ports through BAR0. */
    host_wr8(h, NV3_PRMCIO + 0x3d4, 0x0e);
    host_wr8(h, NV3_PRMCIO + 0x3d5, 0x99);
    assert_int_equal(h->vga_port[0x25], 0x99);
    host_wr8(h, NV3_PRMCIO + 0x3d4, NV3_CRTC_REPAINT_1);
    host_wr8(h, NV3_PRMCIO + 0x3d5, 0x11);
    assert_int_equal(h->vga_port[0x25], 0x99);
    h->vga_port[0x1f] = 0x77;
    assert_int_equal(host_rd8(h, NV3_PRMVIO + 0x3cf), 0x77);
}

/* ---- palette ------------------------------------------------------------- */

static void test_palette_ports(void **state)
{
    Host *h = *state;
    unsigned i;

    port_write(h, 0x3c8, 254);
    assert_int_equal(port_read(h, 0x3c7), 0);
    for (i = 0; i < 9; i++) {
        port_write(h, 0x3c9, 10 + i);
    }
    /* The index wraps from 255 to 0. */
    assert_int_equal(port_read(h, 0x3c8), 1);
    port_write(h, 0x3c7, 255);
    assert_int_equal(port_read(h, 0x3c7), 3);
    for (i = 3; i < 9; i++) {
        assert_int_equal(port_read(h, 0x3c9), 10 + i);
    }
    /* A write of the index discards the components of an incomplete colour. */
    port_write(h, 0x3c8, 0);
    port_write(h, 0x3c9, 99);
    port_write(h, 0x3c8, 0);
    port_write(h, 0x3c7, 0);
    assert_int_equal(port_read(h, 0x3c9), 16);
    /* BAR0 gives access to the same palette and index. */
    mode_palette(h, 7, 1, 2, 3);
    port_write(h, 0x3c7, 7);
    assert_int_equal(port_read(h, 0x3c9), 1);
    assert_int_equal(host_rd8(h, NV3_USER_DAC_DATA), 2);
    assert_int_equal(port_read(h, 0x3c9), 3);
    assert_int_equal(port_read(h, 0x3c6), 0xff);
}

/* ---- registers ------------------------------------------------------------ */

static void test_pramdac_masks(void **state)
{
    static const struct {
        uint32_t addr, mask;
    } regs[] = {
        { NV3_PRAMDAC_CURSOR_POS, 0x0fff0fff },
        { NV3_PRAMDAC_DLL, 0x0007ffff },
        { NV3_PRAMDAC_MPLL, 0x0007ffff },
        { NV3_PRAMDAC_VPLL, 0x0007ffff },
        { NV3_PRAMDAC_PLL_CONTROL, 0x13111111 },
        { NV3_PRAMDAC_GENERAL, 0x111f1133 },
        { NV3_PRAMDAC_TV(0), 0x7ff },
        { NV3_PRAMDAC_TV(15), 0x7ff },
    };
    Host *h = *state;
    unsigned i;

    for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
        host_wr32(h, regs[i].addr, 0xffffffff);
        assert_int_equal(host_rd32(h, regs[i].addr), regs[i].mask);
        host_wr32(h, regs[i].addr, 0);
        assert_int_equal(host_rd32(h, regs[i].addr), 0);
    }
    host_forget(h);
    host_wr32(h, 0x680740, 1);
    assert_int_equal(host_rd32(h, 0x680740), 0);
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 2);
}

/* ---- DDC ------------------------------------------------------------------ */

static void test_ddc(void **state)
{
    Host *h = *state;

    mode_unlock(h);
    mode_crtc(h, NV3_CRTC_DDC_WRITE, NV3_DDC_WRITE_SCL | NV3_DDC_WRITE_SDA | 1);
    assert_true(h->scl);
    assert_true(h->sda);
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_DDC_READ),
                     NV3_DDC_READ_SCL | NV3_DDC_READ_SDA);
    mode_crtc(h, NV3_CRTC_DDC_WRITE, NV3_DDC_WRITE_SCL | 1);
    assert_true(h->scl);
    assert_false(h->sda);
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_DDC_READ), NV3_DDC_READ_SCL);
    mode_crtc(h, NV3_CRTC_DDC_WRITE, NV3_DDC_WRITE_SDA | 1);
    h->ddc_pull_sda = true;
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_DDC_READ), 0);
    h->ddc_pull_sda = false;
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_DDC_READ), NV3_DDC_READ_SDA);
    assert_int_equal(mode_crtc_read(h, NV3_CRTC_DDC_WRITE),
                     NV3_DDC_WRITE_SDA | 1);
}

/* ---- real-mode access ------------------------------------------------------ */

static void rma_select(Host *h, unsigned reg)
{
    mode_crtc(h, NV3_CRTC_RMA, reg << 1 | 1);
}

static uint32_t rma_read(Host *h)
{
    uint32_t val = 0;
    unsigned i;

    for (i = 0; i < 4; i++) {
        val |= (uint32_t)port_read(h, 0x3d0 + i) << i * 8;
    }
    return val;
}

static void rma_write(Host *h, uint32_t val)
{
    unsigned i;

    for (i = 0; i < 4; i++) {
        port_write(h, 0x3d0 + i, val >> i * 8);
    }
}

static void test_rma(void **state)
{
    Host *h = *state;
    uint8_t val;

    mode_unlock(h);
    assert_false(nv3_vga_port_read(h->chip, 0x3d0, &val));
    rma_select(h, 0);
    assert_int_equal(rma_read(h), 0x2b16d065);
    rma_select(h, 1);
    rma_write(h, NV3_PMC_BOOT_0);
    assert_int_equal(rma_read(h), NV3_PMC_BOOT_0);
    rma_select(h, 2);
    assert_int_equal(rma_read(h), NV3_PMC_BOOT_0_REV_C);
    rma_select(h, 1);
    rma_write(h, NV3_PRAMDAC_VPLL);
    rma_select(h, 3);
    rma_write(h, 0x00012345);
    assert_int_equal(host_rd32(h, NV3_PRAMDAC_VPLL), 0x12345);
    /*
     * In the address space of the real-mode port, VRAM follows the registers. RAMIN has
     * the same offset relative to VRAM as in BAR1.
     */
    rma_select(h, 1);
    rma_write(h, 0x01000000 + 0x1000);
    rma_select(h, 4);
    rma_write(h, 0xdeadbeef);
    rma_write(h, 0x01020304);
    assert_int_equal(h->vram[0x1000], 0xef);
    assert_int_equal(h->vram[0x1004], 0x04);
    assert_int_equal(h->dirty_start, 0x1000);
    assert_int_equal(h->dirty_end, 0x1008);
    rma_select(h, 1);
    rma_write(h, 0x01c00000 + 0x40);
    rma_select(h, 2);
    rma_write(h, 0x600df00d);
    assert_int_equal(host_ramin_rd32(h, 0x40), 0x600df00d);
    assert_int_equal(rma_read(h), 0x600df00d);
    /* Beyond all memory. */
    rma_select(h, 1);
    rma_write(h, 0xfffffffc);
    rma_select(h, 2);
    rma_write(h, 1);
    assert_int_equal(rma_read(h), 0);
}

/*
 * A guest may set the address of real-mode access to that of the real-mode port in BAR0.
 * An access to this address must not recurse.
 */
static void test_rma_at_itself(void **state)
{
    Host *h = *state;

    mode_unlock(h);
    rma_select(h, 1);
    rma_write(h, NV3_PRMCIO + 0x3d0);
    rma_select(h, 4);
    rma_write(h, 0x12345678);
    rma_read(h);
    rma_select(h, 2);
    rma_write(h, 0x12345678);
    rma_read(h);
    assert_true(h->logs[NV3_LOG_GUEST_ERROR] > 0);
}

/* ---- hostile -------------------------------------------------------------- */

/*
 * For any register values, the width and the offset of the picture must be valid, and the
 * timer of the vertical blank must not hang.
 */
static void test_random_registers(void **state)
{
    static uint32_t line[LINE_MAX_PIXELS];
    Host *h = *state;
    uint32_t seed = 1;
    unsigned i;

    mode_unlock(h);
    enable_vblank(h);
    for (i = 0; i < 20000; i++) {
        NV3Scanout out;

        seed = seed * 1664525 + 1013904223;
        switch (seed >> 28) {
        case 0:
            host_wr32(h, 0x680300 + (seed >> 8 & 0x7fc), seed * 7);
            break;
        case 1:
            host_wr8(h, NV3_PRMVIO + 0x3c2, seed >> 12 | 1);
            break;
        case 2:
            host_advance(h, seed >> 8);
            break;
        default:
            mode_crtc(h, seed >> 8 & 0x3f, seed >> 16);
            break;
        }
        if (i % 16 == 0) {
            nv3_scanout(h->chip, &out);
            assert_true(out.width <= LINE_MAX_PIXELS);
            assert_true(out.offset < h->config.vram_size);
            if (out.height) {
                nv3_scanout_line(h->chip, &out, out.height - 1, line);
            }
        }
    }
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, host_setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_no_picture_after_reset),
        T(test_mode_640x480),
        T(test_mode_largest),
        T(test_formats),
        T(test_blank),
        T(test_row_repeat),
        T(test_pll_of_nothing),
        T(test_clock_sources),
        T(test_vblank_interrupt),
        T(test_late_acknowledge),
        T(test_no_timer_without_need),
        T(test_frame_count),
        T(test_vblank_no_storm),
        T(test_start_is_latched),
        T(test_line),
        T(test_changed),
        T(test_changed_cursor_image),
        T(test_lock),
        T(test_vga_write_protect),
        T(test_colour_ports),
        T(test_vga_forwarding),
        T(test_palette_ports),
        T(test_pramdac_masks),
        T(test_ddc),
        T(test_rma),
        T(test_rma_at_itself),
        T(test_random_registers),
    };

    return cmocka_run_group_tests_name("display", tests, NULL, NULL);
}
