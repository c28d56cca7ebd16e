/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QTest testcase for the nv3 device (NVIDIA RIVA 128): apertures and console surfaces
 * whose address or size changes. Tests the ROM's BAR and shadow, and the VGA aperture in
 * the chip's own modes. Also tests the console's surface when the mode changes to or from
 * a VGA mode, and checks that a changed video overlay is redrawn.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "libqtest.h"
#include "hw/pci/pci_regs.h"

#include "nv3-test-card.h"

/* An address that no other device of the machine uses. */
#define ROM_AT          0xf0000000u
#define VGA_WINDOW      0xa0000
#define BANK            (32 * KiB)

#define FRAME_NS        (20 * 1000 * 1000)

/* ---- the ROM --------------------------------------------------------------- */

static void test_rom_shadow(void)
{
    Card *card = card_start("");

    card_ramin_wr(card, 0, 0x12345678);
    qpci_config_writel(card->dev, PCI_ROM_ADDRESS, ROM_AT | PCI_ROM_ADDRESS_ENABLE);
    g_assert_cmphex(qtest_readw(card->qts, ROM_AT), ==, 0xaa55);
    g_assert_cmphex(card_rd(card, NV3_PROM) & 0xffff, ==, 0xaa55);

    qpci_config_writeb(card->dev, NV3_PCI_ROM_SHADOW, NV3_PCI_ROM_SHADOW_ON);
    g_assert_cmphex(qtest_readl(card->qts, ROM_AT), ==, 0x12345678);
    card_ramin_wr(card, 4, 0x9abcdef0);
    g_assert_cmphex(qtest_readl(card->qts, ROM_AT + 4), ==, 0x9abcdef0);
    g_assert_cmphex(card_rd(card, NV3_PROM), ==, 0xffffffff);

    qpci_config_writeb(card->dev, NV3_PCI_ROM_SHADOW, 0);
    g_assert_cmphex(qtest_readw(card->qts, ROM_AT), ==, 0xaa55);
    g_assert_cmphex(card_rd(card, NV3_PROM) & 0xffff, ==, 0xaa55);
    card_stop(card);
}

/* ---- VGA's aperture -------------------------------------------------------- */

static void check_shown(Card *card, unsigned x, unsigned y, uint32_t want)
{
    Picture *picture = picture_take(card);

    g_assert_cmphex(picture_pixel(picture, x, y), ==, want);
    picture_free(picture);
}

static void test_banked_window(void)
{
    Card *card = card_start("");
    QTestState *qts = card->qts;

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    check_shown(card, 5, 0, 0);
    card_crtc_wr(card, NV3_CRTC_WRITE_BANK, 70);
    card_crtc_wr(card, NV3_CRTC_READ_BANK, 71);
    card_vram_wr(card, 71 * BANK + 8, 0xcafe1234);
    qtest_writeb(qts, VGA_WINDOW + 8, 0x5a);
    qtest_writew(qts, VGA_WINDOW + 0xfffe, 0xbeef);
    g_assert_cmphex(card_vram_rd(card, 70 * BANK + 8), ==, 0x5a);
    g_assert_cmphex(card_vram_rd(card, 70 * BANK + 0xfffc), ==, 0xbeef0000);
    g_assert_cmphex(qtest_readl(qts, VGA_WINDOW + 8), ==, 0xcafe1234);
    /* The second half of the aperture contains the next bank of VRAM. */
    g_assert_cmphex(qtest_readl(qts, VGA_WINDOW + 0x8000), ==,
                    card_vram_rd(card, 72 * BANK));

    /*
     * A write through the aperture changes the picture if VRAM at this address is
     * displayed.
     */
    card_crtc_wr(card, NV3_CRTC_WRITE_BANK, 0);
    qtest_writel(qts, VGA_WINDOW + 5 * 4, 0x00abcdef);
    check_shown(card, 5, 0, 0xabcdef);
    card_stop(card);
}

/* ---- the console's surface ------------------------------------------------- */

#define TINY            8

/* Sets a VGA text mode of 80 by 30 characters. If @on is false, the screen is blank. */
static void vga_mode(Card *card, bool on)
{
    card_rd8(card, NV3_PRMCIO + 0x3da);
    card_wr8(card, NV3_PRMCIO + 0x3c0, on ? 0x20 : 0);
    card_crtc_wr(card, 0x09, 0x4f);
    card_crtc_wr(card, NV3_CRTC_PIXEL_FORMAT, 0);
}

/* Sets the smallest mode of the chip, with a white picture. */
static void tiny_mode(Card *card)
{
    card_mode(card, NV3_TEST_C8, 0);
    card_crtc_wr(card, 0x01, TINY / 8 - 1);
    card_crtc_wr(card, 0x07, 0x20);
    card_crtc_wr(card, 0x12, TINY - 1);
}

static void check_all(Card *card, unsigned width, unsigned height, uint32_t want)
{
    Picture *picture = picture_take(card);

    g_assert_cmpuint(picture->width, ==, width);
    g_assert_cmpuint(picture->height, ==, height);
    for (unsigned i = 0; i < width * height; i++) {
        g_assert_cmphex(picture_pixel(picture, i % width, i / width), ==, want);
    }
    picture_free(picture);
}

/*
 * In VGA modes too, the console keeps the size of the previous picture while the screen
 * is blank.
 */
static void test_blank_vga(void)
{
    Card *card = card_start("");

    card_mode(card, NV3_TEST_C8, 0);
    card_palette(card, 0, 0xff, 0xff, 0xff);
    vga_mode(card, true);
    picture_free(picture_take(card));
    for (unsigned i = 0; i < 3; i++) {
        tiny_mode(card);
        check_all(card, TINY, TINY, 0xffffff);
        vga_mode(card, false);
        check_all(card, TINY, TINY, 0);
    }
    card_stop(card);
}

/* ---- the overlay ----------------------------------------------------------- */

#define IMAGE           0x200000
#define IMAGE_PITCH     64
#define WIDTH           32
#define HEIGHT          16
#define X               100
#define Y               50

static void fill_image(Card *card, unsigned first, unsigned lines, uint32_t yuyv)
{
    for (unsigned i = 0; i < lines * IMAGE_PITCH; i += 4) {
        card_vram_wr(card, IMAGE + first * IMAGE_PITCH + i, yuyv);
    }
}

static void show_overlay(Card *card)
{
    card_wr(card, NV3_PMC_ENABLE,
            card_rd(card, NV3_PMC_ENABLE) | NV3_PMC_ENABLE_PVIDEO);
    for (unsigned i = 0; i < 2; i++) {
        card_wr(card, NV3_PVIDEO_START(i), IMAGE);
        card_wr(card, NV3_PVIDEO_PITCH(i), IMAGE_PITCH);
        card_wr(card, NV3_PVIDEO_OFFSET(i), 0);
    }
    card_wr(card, NV3_PVIDEO_WINDOW_START, Y << 16 | X);
    card_wr(card, NV3_PVIDEO_WINDOW_SIZE, HEIGHT << 16 | WIDTH);
    card_wr(card, NV3_PVIDEO_STEP_SIZE, NV3_PVIDEO_STEP_SIZE_ONE << 16 |
            NV3_PVIDEO_STEP_SIZE_ONE);
    card_wr(card, NV3_PVIDEO_OVERLAY,
            NV3_PVIDEO_OVERLAY_YUY2 | NV3_PVIDEO_OVERLAY_ON);
    card_wr(card, NV3_PVIDEO_SU_STATE, NV3_PVIDEO_IN_USE(0));
    qtest_clock_step(card->qts, FRAME_NS);
}

static void test_overlay_redraw(void)
{
    const uint32_t white = 0x80eb80eb, black = 0x80108010;
    Card *card = card_start("");

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    fill_image(card, 0, HEIGHT + 1, white);
    show_overlay(card);
    check_shown(card, X, Y, 0xffffff);
    check_shown(card, X + WIDTH - 1, Y + HEIGHT - 1, 0xffffff);
    check_shown(card, X - 1, Y, 0);
    check_shown(card, X, Y + HEIGHT, 0);

    /* When the overlay's image changes, the device redraws the overlay. */
    fill_image(card, 10, 1, black);
    check_shown(card, X + 3, Y + 10, 0);
    check_shown(card, X + 3, Y + 8, 0xffffff);

    /*
     * After the overlay has moved, the picture at its old position must be visible.
     */
    card_wr(card, NV3_PVIDEO_WINDOW_START, (Y + 200) << 16 | X);
    qtest_clock_step(card->qts, FRAME_NS);
    check_shown(card, X, Y, 0);
    check_shown(card, X, Y + 200, 0xffffff);

    card_wr(card, NV3_PVIDEO_OVERLAY, 0);
    qtest_clock_step(card->qts, FRAME_NS);
    check_shown(card, X, Y + 200, 0);
    card_stop(card);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("nv3/window/rom-shadow", test_rom_shadow);
    qtest_add_func("nv3/window/banked", test_banked_window);
    qtest_add_func("nv3/window/blank-vga", test_blank_vga);
    qtest_add_func("nv3/window/overlay-redraw", test_overlay_redraw);
    return g_test_run();
}
