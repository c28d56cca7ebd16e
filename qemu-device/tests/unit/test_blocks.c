/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests small blocks of BAR0: mediaport, real-mode access, ROM, power-saving bits of PFB,
 * and the banked VGA aperture.
 */
#include "host.h"
#include "mode.h"

static uint8_t port_read(Host *h, uint16_t port)
{
    uint8_t val = 0xff;

    nv3_vga_port_read(h->chip, port, &val);
    return val;
}

typedef struct Reg {
    uint32_t addr, mask;
} Reg;

static void check_masks(Host *h, const Reg *regs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        host_wr32(h, regs[i].addr, 0xffffffff);
        assert_int_equal(host_rd32(h, regs[i].addr), regs[i].mask);
        host_wr32(h, regs[i].addr, 0);
        assert_int_equal(host_rd32(h, regs[i].addr), 0);
    }
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 0);
}

/* ---- mediaport ----------------------------------------------------------- */

static void test_pme(void **state)
{
    static const Reg regs[] = {
        { 0x200140, 0x00011111 }, { 0x200200, 0x00011313 },
        { 0x200300, 0xfffffff0 }, { 0x200314, 0xfffff000 },
        { 0x200318, 0x01111111 }, { 0x20031c, 0x00110000 },
        { 0x200354, 0xfffffc00 }, { 0x2003a4, 0x001f001f },
        { 0x200418, 0x01111111 }, { 0x200428, 0x0fff0fff },
        { 0x200480, 0xfffffff0 },
    };
    Host *h = *state;

    /* After a reset, PMC_ENABLE disables the mediaport. */
    host_wr32(h, 0x200140, 0xffffffff);
    assert_int_equal(host_rd32(h, 0x200140), 0);
    assert_int_equal(h->logs[NV3_LOG_GUEST_ERROR], 2);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    check_masks(h, regs, sizeof(regs) / sizeof(regs[0]));
    /*
     * No device is attached to the mediaport, so no buffer is consumed, and reads return
     * all ones.
     */
    host_wr32(h, 0x200200, 0x00011313);
    host_wr32(h, 0x20041c, 0x00010000);
    host_advance(h, 1000000000);
    assert_int_equal(host_rd32(h, NV3_PME_INTR), 0);
    assert_int_equal(host_rd32(h, 0x200418), 0);
    assert_int_equal(host_rd32(h, 0x200600), 0xffffffff);
    assert_int_equal(host_rd32(h, 0x200488), 0);
    host_wr32(h, NV3_PMC_ENABLE, 0);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    assert_int_equal(host_rd32(h, 0x200200), 0);
}

/* ---- real mode ----------------------------------------------------------- */

static void test_prm(void **state)
{
    static const Reg regs[] = {
        { NV3_PRM_INTR_EN, 0x00111000 }, { NV3_PRM_CONFIG, 0x11 },
        { NV3_PRAM_SIZE, 3 },
    };
    Host *h = *state;

    check_masks(h, regs, sizeof(regs) / sizeof(regs[0]));
    host_wr32(h, NV3_PRM_INTR, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PRM_INTR), 0);
}

/* PRMA maps the registers of the real-mode port into BAR0. */
static void test_prma(void **state)
{
    Host *h = *state;

    assert_int_equal(host_rd32(h, 0x7100), 0x2b16d065);
    host_wr32(h, 0x7104, NV3_PMC_BOOT_0);
    assert_int_equal(host_rd32(h, 0x710c), 0x00030120);
    host_wr32(h, 0x7104, 0x01000000 + 0x2000);
    host_wr32(h, 0x7114, 0x11223344);
    host_wr32(h, 0x7114, 0x55667788);
    assert_int_equal(host_rd32(h, 0x7104), 0x01002008);
    assert_int_equal(h->vram[0x2000], 0x44);
    assert_int_equal(h->vram[0x2004], 0x88);
    host_wr32(h, 0x7104, 0x01002000);
    assert_int_equal(host_rd32(h, 0x7114), 0x11223344);
    assert_int_equal(host_rd32(h, 0x7114), 0x55667788);
    /*
     * A write of a part of the data register first reads the whole word. This read
     * advances the address, but the write still goes to the original address.
     */
    host_wr32(h, 0x7104, 0x01002000);
    host_wr8(h, 0x7114, 0x99);
    assert_int_equal(host_rd32(h, 0x7104), 0x01002004);
    assert_int_equal(h->vram[0x2000], 0x99);
    assert_int_equal(h->vram[0x2004], 0x88);
    host_wr8(h, 0x7104, 8);
    assert_int_equal(host_rd32(h, 0x7104), 0x01002008);
    /* The real-mode port in I/O space and PRMA share one address register. */
    mode_unlock(h);
    mode_crtc(h, NV3_CRTC_RMA, 1 << 1 | 1);
    assert_int_equal(port_read(h, 0x3d1), 0x20);
    /*
     * If the address register contains the address of the data register, an access must
     * not recurse.
     */
    host_forget(h);
    host_wr32(h, 0x7104, 0x710c);
    host_wr32(h, 0x710c, 1);
    assert_int_equal(host_rd32(h, 0x710c), 0);
    assert_int_equal(h->logs[NV3_LOG_GUEST_ERROR], 2);
}

/* The real-mode port in I/O space accepts accesses of 8 or 32 bits. */
static void test_rma_partial(void **state)
{
    Host *h = *state;
    uint32_t val;

    mode_unlock(h);
    assert_false(nv3_rma_read_32(h->chip, &val));
    assert_false(nv3_rma_write_32(h->chip, 0));
    mode_crtc(h, NV3_CRTC_RMA, 1 << 1 | 1);
    assert_true(nv3_rma_write_32(h->chip, 0x01000000 + 0x300));
    mode_crtc(h, NV3_CRTC_RMA, 3 << 1 | 1);
    memset(h->vram + 0x300, 0xee, 8);
    nv3_vga_port_write(h->chip, 0x3d1, 0x12);
    assert_int_equal(h->vram[0x300], 0xee);
    assert_int_equal(h->vram[0x301], 0x12);
    assert_int_equal(port_read(h, 0x3d1), 0x12);
    assert_true(nv3_rma_read_32(h->chip, &val));
    assert_int_equal(val, 0xeeee12ee);
    mode_crtc(h, NV3_CRTC_RMA, 5 << 1 | 1);
    assert_true(nv3_rma_write_32(h->chip, 0x01020304));
    for (unsigned i = 0; i < 4; i++) {
        nv3_vga_port_write(h->chip, 0x3d0 + i, 0x50 + i);
    }
    assert_int_equal(h->vram[0x300], 4);
    assert_int_equal(h->vram[0x304], 0x50);
    assert_int_equal(h->vram[0x307], 0x53);
    mode_crtc(h, NV3_CRTC_RMA, 1 << 1 | 1);
    assert_true(nv3_rma_read_32(h->chip, &val));
    assert_int_equal(val, 0x01000308);
}

/* In the chip's own modes, the VGA aperture contains two banks of VRAM of 32 KiB each. */
static void test_banks(void **state)
{
    Host *h = *state;

    mode_unlock(h);
    assert_false(h->chip_window);
    host_wr8(h, NV3_PRMFB + 0x1ffff, 0x33);
    assert_int_equal(h->vga_mem[0x1ffff], 0x33);
    mode_set(h, &mode_640x480);
    assert_true(h->chip_window);
    mode_crtc(h, NV3_CRTC_WRITE_BANK, 3);
    mode_crtc(h, NV3_CRTC_READ_BANK, 4);
    host_forget(h);
    host_wr8(h, NV3_PRMFB + 0x8010, 0x77);
    assert_int_equal(h->vram[4 * 0x8000 + 0x10], 0x77);
    assert_int_equal(h->dirty_start, 4 * 0x8000 + 0x10);
    assert_int_equal(host_rd8(h, NV3_PRMFB + 0x10), 0x77);
    assert_int_equal(host_rd8(h, NV3_PRMFB + 0x8010), 0);
    /*
     * The last bank ends at the end of VRAM. If the aperture's first half contains the
     * last bank, its second half contains the first bank.
     */
    mode_crtc(h, NV3_CRTC_WRITE_BANK, 0xff);
    host_wr8(h, NV3_PRMFB + 0x7fff, 0x12);
    host_wr8(h, NV3_PRMFB + 0x8000, 0x34);
    assert_int_equal(h->vram[h->config.vram_size - 1], 0x12);
    assert_int_equal(h->vram[0], 0x34);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, MODE_VGA);
    assert_false(h->chip_window);
    host_wr8(h, NV3_PRMFB, 0x56);
    assert_int_equal(h->vga_mem[0], 0x56);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, MODE_16);
    nv3_reset(h->chip);
    assert_false(h->chip_window);
}

/* ---- ROM ----------------------------------------------------------------- */

static void test_rom_shadow(void **state)
{
    Host *h = *state;

    h->rom[0] = 0x55;
    assert_int_equal(host_rd8(h, NV3_PROM), 0x55);
    nv3_mmio_write(h->chip, NV3_PBUS_PCI + NV3_PCI_ROM_SHADOW, 1, 1);
    assert_int_equal(host_rd8(h, NV3_PROM), 0xff);
    nv3_mmio_write(h->chip, NV3_PBUS_PCI + NV3_PCI_ROM_SHADOW, 0, 1);
    assert_int_equal(host_rd8(h, NV3_PROM), 0x55);
}

static void test_palt(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PALT, 0);
    assert_int_equal(host_rd32(h, NV3_PALT), 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PALT + 0xfffc), 0xffffffff);
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 0);
}

/* ---- PFB, PBUS ------------------------------------------------------------ */

static void test_pfb(void **state)
{
    static const Reg regs[] = {
        { NV3_PFB_DELAY_1, 0x00333333 }, { NV3_PFB_DEBUG_0, 0x70103f11 },
        { NV3_PFB_GREEN_0, 3 }, { NV3_PFB_RTL, 0x11333333 },
        { NV3_PFB_CONFIG_0, 0x00fff33f }, { NV3_PFB_CONFIG_1, 0xffffffff },
    };
    Host *h = *state;

    assert_int_equal(host_rd32(h, NV3_PFB_RTL), 0x00111222);
    assert_int_equal(host_rd32(h, NV3_PFB_CONFIG_0), 0x1114);
    check_masks(h, regs, sizeof(regs) / sizeof(regs[0]));
}

/*
 * With VIDEO_OFF, the screen is blank, but frames are still counted. With TIMING_OFF,
 * nv3_scanout() returns an empty picture.
 */
static void test_green(void **state)
{
    Host *h = *state;
    NV3Scanout out;
    uint32_t frame;

    mode_set(h, &mode_640x480);
    nv3_scanout(h->chip, &out);
    assert_false(out.blank);
    host_wr32(h, NV3_PFB_GREEN_0, NV3_PFB_GREEN_VIDEO_OFF);
    assert_true(nv3_scanout_changed(h->chip));
    nv3_scanout(h->chip, &out);
    assert_true(out.blank);
    assert_int_equal(out.width, 640);
    frame = host_rd32(h, NV3_PVIRT_FRAME);
    host_advance(h, 100000000);
    assert_int_equal(host_rd32(h, NV3_PVIRT_FRAME) - frame, 6);
    host_wr32(h, NV3_PFB_GREEN_0, NV3_PFB_GREEN_TIMING_OFF);
    nv3_scanout(h->chip, &out);
    assert_int_equal(out.width, 0);
    frame = host_rd32(h, NV3_PVIRT_FRAME);
    host_advance(h, 100000000);
    assert_int_equal(host_rd32(h, NV3_PVIRT_FRAME), frame);
    host_wr32(h, NV3_PFB_GREEN_0, 0);
    nv3_scanout(h->chip, &out);
    assert_int_equal(out.width, 640);
    assert_false(out.blank);
}

/*
 * If software selects the video port as the source of the pixel clock, there is no
 * picture, because no device supplies this clock.
 */
static void test_clock_of_video_port(void **state)
{
    Host *h = *state;
    NV3Scanout out;

    mode_set(h, &mode_640x480);
    host_wr32(h, NV3_PRAMDAC_PLL_CONTROL,
              NV3_PLL_CONTROL_VPLL_PROG | NV3_PLL_CONTROL_PCLK_VIP);
    nv3_scanout(h->chip, &out);
    assert_int_equal(out.width, 0);
    assert_true(out.blank);
}

/*
 * A refused bus access sets PBUS_INTR. The interrupt line remains high until software
 * acknowledges this interrupt.
 */
static void test_bus_error(void **state)
{
    Host *h = *state;
    HostPush push;

    host_fifo_setup(h);
    host_wr32(h, NV3_PBUS_INTR_EN, 1);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    host_push_init(h, &push, HOST_INST);
    host_push1(&push, 0, 0x100, 0);
    h->dma_limit = 0;
    host_push_start(&push, 0);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PBUS_INTR), 1);
    assert_true(host_rd32(h, NV3_PMC_INTR) & NV3_PMC_INTR_PBUS);
    assert_true(h->irq);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    host_wr32(h, NV3_PBUS_INTR, 1);
    assert_int_equal(host_rd32(h, NV3_PBUS_INTR), 0);
    assert_false(h->irq);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, host_setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_pme),
        T(test_prm),
        T(test_prma),
        T(test_rma_partial),
        T(test_banks),
        T(test_rom_shadow),
        T(test_palt),
        T(test_pfb),
        T(test_green),
        T(test_clock_of_video_port),
        T(test_bus_error),
    };

    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
