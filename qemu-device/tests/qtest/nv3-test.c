/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QTest testcase for the nv3 device (NVIDIA RIVA 128): the card's registers, memory,
 * VGA, EDID and picture, without a driver. nv3-draw-test.c tests drawing.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "libqtest.h"
#include "hw/pci/pci_regs.h"
#include "qobject/qdict.h"

#include "nv3-test-card.h"

/* ---- identity ------------------------------------------------------------ */

typedef struct Model {
    const char *name;
    const char *props;
    uint16_t device;
    uint8_t revision;
    uint32_t boot_0;
    uint32_t vram;
    uint32_t bar1;
} Model;

static const Model models[] = {
    { "default", "", 0x0018, 0x20, 0x00030120, 64 * MiB, 128 * MiB },
    { "real", ",virt=off", 0x0018, 0x20, 0x00030120, 8 * MiB, 16 * MiB },
    { "a", ",revision=a", 0x0018, 0x00, 0x00030100, 4 * MiB, 16 * MiB },
    { "b", ",revision=b,vram-size=2M", 0x0018, 0x10, 0x00030110, 2 * MiB, 16 * MiB },
    { "c", ",revision=c,vram-size=4M", 0x0018, 0x20, 0x00030120, 4 * MiB, 16 * MiB },
    { "acpi", ",acpi=on,vram-size=8M", 0x0019, 0x20, 0x00030120, 8 * MiB, 16 * MiB },
};

static uint32_t bar_size(Card *card, uint8_t reg)
{
    uint32_t old = qpci_config_readl(card->dev, reg);
    uint32_t size;

    qpci_config_writel(card->dev, reg, 0xffffffff);
    size = ~(qpci_config_readl(card->dev, reg) & ~0xfu) + 1;
    qpci_config_writel(card->dev, reg, old);
    return size;
}

static void test_identity(const void *data)
{
    const Model *model = data;
    Card *card = card_start(model->props);
    QPCIDevice *dev = card->dev;
    /* In a BAR1 of more than 16 MiB, the upper half contains all of VRAM. */
    const uint32_t end = model->vram > 8 * MiB ? model->bar1 / 2 + model->vram :
                                                 model->vram;

    g_assert_cmphex(qpci_config_readw(dev, PCI_VENDOR_ID), ==, 0x12d2);
    g_assert_cmphex(qpci_config_readw(dev, PCI_DEVICE_ID), ==, model->device);
    g_assert_cmphex(qpci_config_readb(dev, PCI_REVISION_ID), ==,
                    model->revision);
    g_assert_cmphex(qpci_config_readw(dev, PCI_CLASS_DEVICE), ==, 0x0300);
    g_assert_cmphex(qpci_config_readb(dev, PCI_INTERRUPT_PIN), ==, 1);
    g_assert_cmphex(bar_size(card, PCI_BASE_ADDRESS_0), ==, 16 * MiB);
    g_assert_cmphex(bar_size(card, PCI_BASE_ADDRESS_1), ==, model->bar1);
    g_assert_cmphex(card_rd(card, NV3_PMC_BOOT_0), ==, model->boot_0);
    /* PBUS has a mirror of the PCI configuration space. */
    g_assert_cmphex(card_rd(card, NV3_PBUS_PCI), ==,
                    model->device << 16 | 0x12d2);

    /* The first 16 bytes of RAMIN are the last 16 bytes of VRAM. */
    card_ramin_wr(card, 4, 0x12345678);
    g_assert_cmphex(card_vram_rd(card, end - 12), ==, 0x12345678);
    card_stop(card);
}

static void test_bad_properties(void)
{
    static const struct {
        const char *props, *message;
    } bad[] = {
        { "revision=d", "no revision 'd'" },
        { "vram-size=3M", "vram-size=3145728" },
        { "vram-size=128M", "vram-size=134217728" },
        { "vram-size=48M", "vram-size=50331648" },
        { "vram-size=16M,programs=off", "up to 64 MiB with the class of programs" },
        { "vram-size=16M,virt=off", "up to 64 MiB with the class of programs" },
        { "revision=b,vram-size=64M", "only revision C takes 8 MiB" },
        { "virt=off,programs=on", "the class of programs needs PVIRT" },
        { "programs=maybe", "does not accept value 'maybe'" },
        { "revision=a,vram-size=8M", "only revision C takes 8 MiB" },
        { "revision=b,acpi=on", "only revision C has ACPI" },
        { "without-class=0x13", "the chip has no class '0x13'" },
        { "without-class=0x0e:32", "the chip has no class '32'" },
        { "without-class=rect", "the chip has no class 'rect'" },
        { "raster-threads=17", "raster-threads=17 are too many" },
        { "simd=mmx", "no SIMD level 'mmx'" },
        { "simd=", "no SIMD level ''" },
#if defined(__x86_64__)
        { "simd=neon", "this host has no simd=neon" },
#else
        { "simd=avx2", "this host has no simd=avx2" },
#endif
    };
    unsigned i;

    for (i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *device = g_strdup_printf("nv3,%s", bad[i].props);
        const char *argv[] = {
            g_getenv("QTEST_QEMU_BINARY"), "-M", "pc", "-nodefaults",
            "-display", "none", "-S", "-device", device, NULL
        };
        g_autofree char *output = NULL;
        int status;

        g_assert_true(g_spawn_sync(NULL, (char **)argv, NULL,
                                   G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                                   &output, &status, NULL));
        g_assert_true(WIFEXITED(status));
        g_assert_cmpint(WEXITSTATUS(status), ==, 1);
        if (!strstr(output, bad[i].message)) {
            g_error("%s: '%s' is not in: %s", device, bad[i].message, output);
        }
    }
}

static void test_virt(void)
{
    Card *card = card_start("");

    g_assert_cmphex(card_rd(card, NV3_PVIRT_MAGIC), ==, NV3_PVIRT_MAGIC_VALUE);
    card_stop(card);
    card = card_start(",virt=off");
    g_assert_cmphex(card_rd(card, NV3_PVIRT_MAGIC), ==, 0);
    g_assert_cmphex(card_rd(card, NV3_PVIRT_FEATURES), ==, 0);
    card_stop(card);
}

static void test_without_class(void)
{
    Card *card = card_start("");

    g_assert_true(card_rd(card, NV3_PVIRT_FEATURES) &
                  NV3_PVIRT_FEATURE_CLASSES);
    g_assert_cmphex(card_rd(card, NV3_PVIRT_CLASSES), ==, 0x91b77ffe);
    card_stop(card);
    card = card_start(",without-class=0x0e:23:0x1f");
    g_assert_cmphex(card_rd(card, NV3_PVIRT_CLASSES), ==,
                    0x11b77ffe & ~(1 << 0x0e | 1 << 0x17));
    card_stop(card);
}

/*
 * A chip with PVIRT must have class 0x1F, unless a property or an older machine type
 * removes the class.
 */
static void test_programs(void)
{
    static const struct {
        const char *machine, *props;
        bool programs;
    } cases[] = {
        { "", "", true },
        { "", ",programs=auto", true },
        { "", ",programs=on", true },
        { "", ",programs=off", false },
        { "", ",virt=off", false },
        { "", ",without-class=0x1f", false },
        { "", ",without-class=0x1f,programs=on", false },
        { "-M pc-i440fx-9.2", "", false },
        { "-M pc-i440fx-9.2", ",programs=on", true },
        { "-M pc-i440fx-9.2", ",programs=auto,virt=off", false },
    };
    unsigned i;

    for (i = 0; i < G_N_ELEMENTS(cases); i++) {
        const bool want = cases[i].programs;
        Card *card = card_machine(cases[i].machine, cases[i].props);

        card_map(card);
        g_assert_cmphex(card_rd(card, NV3_PVIRT_FEATURES) &
                        NV3_PVIRT_FEATURE_PROGRAMS, ==,
                        want ? NV3_PVIRT_FEATURE_PROGRAMS : 0);
        g_assert_cmphex(card_rd(card, NV3_PVIRT_CLASSES) >> NV3_CLASS_PROGRAMS,
                        ==, want);
        g_assert_cmphex(card_rd(card, NV3_PVIRT_VRAM_SIZE), ==,
                        want ? 64 * MiB : 0);
        card_stop(card);
    }
}

/* ---- memory -------------------------------------------------------------- */

static void test_ramin(void)
{
    Card *card = card_start(",vram-size=8M");
    const uint64_t ramin = NV3_BAR1_RAMIN;
    uint64_t addr;

    for (addr = 0; addr < 64; addr += 4) {
        card_ramin_wr(card, addr, 0x11110000 + addr);
    }
    for (addr = 0; addr < 64; addr += 4) {
        g_assert_cmphex(card_vram_rd(card, addr ^ (8 * MiB - 16)), ==,
                        0x11110000 + addr);
    }
    /*
     * Accesses of all sizes preserve the order of bytes within a 16-byte block of RAMIN.
     */
    qpci_io_writeq(card->dev, card->mem, ramin + 0x100, 0x0807060504030201);
    g_assert_cmphex(card_ramin_rd(card, 0x104), ==, 0x08070605);
    g_assert_cmphex(qpci_io_readw(card->dev, card->mem, ramin + 0x106), ==,
                    0x0807);
    g_assert_cmphex(qpci_io_readb(card->dev, card->mem, ramin + 0x103), ==, 4);
    qpci_io_writeb(card->dev, card->mem, ramin + 0x101, 0xaa);
    qpci_io_writew(card->dev, card->mem, ramin + 0x102, 0xccbb);
    g_assert_cmphex(qpci_io_readq(card->dev, card->mem, ramin + 0x100), ==,
                    0x08070605ccbbaa01);
    /*
     * The last word of the aperture belongs to RAMIN. Accesses between the end of VRAM
     * and the start of RAMIN have no effect.
     */
    card_ramin_wr(card, 0xffffc, 0x600df00d);
    g_assert_cmphex(card_vram_rd(card, 7 * MiB + 12), ==, 0x600df00d);
    qpci_io_writel(card->dev, card->mem, 8 * MiB, 1);
    qpci_io_readl(card->dev, card->mem, 8 * MiB);
    qpci_io_writel(card->dev, card->mem, 16 * MiB - 4, 1);
    qpci_io_readl(card->dev, card->mem, 16 * MiB - 4);
    g_assert_cmphex(card_vram_rd(card, 0), ==, 0);
    card_stop(card);
}

/*
 * Tests devices with more VRAM than real cards have. The first 16 MiB of BAR1 have the
 * layout of real chips. The upper half of BAR1 starts with all of VRAM.
 */
static void test_large_vram(void)
{
    static const struct {
        const char *props;
        uint32_t vram, bar1;
    } chips[] = {
        { ",vram-size=16M", 16 * MiB, 32 * MiB },
        { ",vram-size=32M", 32 * MiB, 64 * MiB },
        { ",vram-size=64M", 64 * MiB, 128 * MiB },
    };
    unsigned i;

    for (i = 0; i < G_N_ELEMENTS(chips); i++) {
        Card *card = card_start(chips[i].props);
        const uint32_t vram = chips[i].vram, all = chips[i].bar1 / 2;

        g_assert_cmphex(bar_size(card, PCI_BASE_ADDRESS_1), ==, chips[i].bar1);
        g_assert_cmphex(card_rd(card, NV3_PVIRT_VRAM_SIZE), ==, vram);
        /* PFB_BOOT_0 reports 8 MiB, for drivers that do not support larger sizes. */
        g_assert_cmphex(card_rd(card, NV3_PFB_BOOT_0), ==, 0x2c);

        card_vram_wr(card, 8 * MiB - 4, 0x11111111);
        card_vram_wr(card, all + 8 * MiB, 0x22222222);
        card_vram_wr(card, 8 * MiB, 0x33333333);
        g_assert_cmphex(card_vram_rd(card, all + 8 * MiB - 4), ==, 0x11111111);
        g_assert_cmphex(card_vram_rd(card, all + 8 * MiB), ==, 0x22222222);
        /* RAMIN is in the last megabyte of VRAM. */
        card_ramin_wr(card, 4, 0x44444444);
        card_ramin_wr(card, MiB - 4, 0x55555555);
        g_assert_cmphex(card_vram_rd(card, all + vram - 12), ==, 0x44444444);
        g_assert_cmphex(card_vram_rd(card, all + vram - MiB + 12), ==, 0x55555555);
        card_stop(card);
    }
}

/* ---- time ---------------------------------------------------------------- */

static void test_timer_alarm(void)
{
    Card *card = card_start("");
    uint32_t start;

    card_wr(card, NV3_PMC_ENABLE, 0xffffffff);
    card_wr(card, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    start = card_rd(card, NV3_PTIMER_TIME_0);
    qtest_clock_step(card->qts, 10 * 1000 * 1000);
    g_assert_cmpuint(card_rd(card, NV3_PTIMER_TIME_0) - start, >=, 9900000);
    g_assert_cmpuint(card_rd(card, NV3_PTIMER_TIME_0) - start, <=, 10100000);

    card_wr(card, NV3_PTIMER_INTR, NV3_PTIMER_INTR_ALARM);
    card_wr(card, NV3_PTIMER_ALARM_0,
            card_rd(card, NV3_PTIMER_TIME_0) + 5 * 1000 * 1000);
    card_wr(card, NV3_PTIMER_INTR_EN, NV3_PTIMER_INTR_ALARM);
    qtest_clock_step(card->qts, 4 * 1000 * 1000);
    g_assert_false(card_irq(card));
    qtest_clock_step(card->qts, 2 * 1000 * 1000);
    g_assert_true(card_irq(card));
    g_assert_cmphex(card_rd(card, NV3_PMC_INTR), ==, NV3_PMC_INTR_PTIMER);
    card_wr(card, NV3_PTIMER_INTR, NV3_PTIMER_INTR_ALARM);
    g_assert_false(card_irq(card));
    card_stop(card);
}

static void test_vblank(void)
{
    Card *card = card_start("");
    uint32_t frame;
    int i;

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    card_wr(card, NV3_PMC_ENABLE, 0xffffffff);
    card_wr(card, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    card_wr(card, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_VBLANK);
    frame = card_rd(card, NV3_PVIRT_FRAME);
    for (i = 0; i < 5; i++) {
        g_assert_false(card_irq(card));
        qtest_clock_step(card->qts, 16666700);
        g_assert_true(card_irq(card));
        card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
    }
    g_assert_cmpuint(card_rd(card, NV3_PVIRT_FRAME) - frame, ==, 5);
    card_wr(card, NV3_PGRAPH_INTR_EN, 0);
    qtest_clock_step(card->qts, 50 * 1000 * 1000);
    g_assert_false(card_irq(card));
    card_stop(card);
}

/* ---- VGA ----------------------------------------------------------------- */

/* I/O ports and BAR0 access the same VGA registers. The lock applies to both. */
static void test_vga_ports(void)
{
    Card *card = card_start("");
    QTestState *qts = card->qts;

    qtest_outb(qts, 0x3c2, 0x01);
    card_crtc_wr(card, 0x0c, 0x5a);
    qtest_outb(qts, 0x3d4, 0x0c);
    g_assert_cmphex(qtest_inb(qts, 0x3d5), ==, 0x5a);
    qtest_outw(qts, 0x3d4, 0xa50c);
    g_assert_cmphex(card_crtc_rd(card, 0x0c), ==, 0xa5);

    qtest_outw(qts, 0x3d4, 0x0100 | NV3_CRTC_PIXEL_FORMAT);
    g_assert_cmphex(card_crtc_rd(card, NV3_CRTC_PIXEL_FORMAT), ==, 0);
    qtest_outw(qts, 0x3c4, NV3_CRTC_UNLOCK_VALUE << 8 | NV3_SEQ_LOCK);
    qtest_outw(qts, 0x3d4, 0x0100 | NV3_CRTC_PIXEL_FORMAT);
    g_assert_cmphex(card_crtc_rd(card, NV3_CRTC_PIXEL_FORMAT), ==, 1);

    /* I/O ports and BAR0 access the same palette. */
    card_wr8(card, NV3_USER_DAC_WRITE_ADDR, 5);
    card_wr8(card, NV3_USER_DAC_DATA, 0x11);
    qtest_outb(qts, 0x3c9, 0x22);
    qtest_outb(qts, 0x3c9, 0x33);
    qtest_outb(qts, 0x3c7, 5);
    g_assert_cmphex(qtest_inb(qts, 0x3c9), ==, 0x11);
    g_assert_cmphex(card_rd8(card, NV3_USER_DAC_DATA), ==, 0x22);
    g_assert_cmphex(qtest_inb(qts, 0x3c9), ==, 0x33);

    /* QEMU implements the graphics controller. */
    card_wr8(card, NV3_PRMVIO + 0x3ce, 8);
    card_wr8(card, NV3_PRMVIO + 0x3cf, 0xff);
    qtest_outb(qts, 0x3ce, 8);
    g_assert_cmphex(qtest_inb(qts, 0x3cf), ==, 0xff);
    card_stop(card);
}

/*
 * With real-mode access (RMA), 32-bit accesses to an I/O port reach the registers of
 * BAR0.
 */
static void test_rma(void)
{
    Card *card = card_start("");
    QTestState *qts = card->qts;

    card_unlock(card);
    qtest_outw(qts, 0x3d4, 0x0100 | NV3_CRTC_RMA);
    g_assert_cmphex(qtest_inl(qts, 0x3d0), ==, 0x2b16d065);
    qtest_outw(qts, 0x3d4, 0x0300 | NV3_CRTC_RMA);
    qtest_outl(qts, 0x3d0, NV3_PRAMDAC_VPLL);
    qtest_outw(qts, 0x3d4, 0x0700 | NV3_CRTC_RMA);
    qtest_outl(qts, 0x3d0, 0x00012345);
    g_assert_cmphex(card_rd(card, NV3_PRAMDAC_VPLL), ==, 0x00012345);
    qtest_outw(qts, 0x3d4, 0x0500 | NV3_CRTC_RMA);
    g_assert_cmphex(qtest_inl(qts, 0x3d0), ==, 0x00012345);
    card_stop(card);
}

/* ---- EDID ---------------------------------------------------------------- */

static void ddc_lines(Card *card, bool scl, bool sda)
{
    card_crtc_wr(card, NV3_CRTC_DDC_WRITE,
                 (scl ? NV3_DDC_WRITE_SCL : 0) |
                 (sda ? NV3_DDC_WRITE_SDA : 0) | 1);
}

static bool ddc_sda(Card *card)
{
    return card_crtc_rd(card, NV3_CRTC_DDC_READ) & NV3_DDC_READ_SDA;
}

static void ddc_start(Card *card)
{
    ddc_lines(card, true, true);
    ddc_lines(card, true, false);
    ddc_lines(card, false, false);
}

static void ddc_stop(Card *card)
{
    ddc_lines(card, false, false);
    ddc_lines(card, true, false);
    ddc_lines(card, true, true);
}

static bool ddc_bit(Card *card, bool out)
{
    bool in;

    ddc_lines(card, false, out);
    ddc_lines(card, true, out);
    in = ddc_sda(card);
    ddc_lines(card, false, out);
    return in;
}

/* Returns true if the monitor acknowledges the byte. */
static bool ddc_send(Card *card, uint8_t byte)
{
    int i;

    for (i = 7; i >= 0; i--) {
        ddc_bit(card, byte >> i & 1);
    }
    return !ddc_bit(card, true);
}

static uint8_t ddc_receive(Card *card, bool ack)
{
    uint8_t byte = 0;
    int i;

    for (i = 0; i < 8; i++) {
        byte = byte << 1 | ddc_bit(card, true);
    }
    ddc_bit(card, !ack);
    return byte;
}

static bool read_edid(Card *card, uint8_t *edid)
{
    int i;

    card_unlock(card);
    ddc_start(card);
    if (!ddc_send(card, 0xa0) || !ddc_send(card, 0)) {
        ddc_stop(card);
        return false;
    }
    ddc_start(card);
    g_assert_true(ddc_send(card, 0xa1));
    for (i = 0; i < 128; i++) {
        edid[i] = ddc_receive(card, i < 127);
    }
    ddc_stop(card);
    return true;
}

static void check_edid(const char *props, unsigned width, unsigned height)
{
    static const uint8_t header[8] = { 0, 255, 255, 255, 255, 255, 255, 0 };
    Card *card = card_start(props);
    uint8_t edid[128], sum = 0;
    int i;

    g_assert_true(read_edid(card, edid));
    g_assert_cmpmem(edid, 8, header, 8);
    for (i = 0; i < 128; i++) {
        sum += edid[i];
    }
    g_assert_cmpuint(sum, ==, 0);
    /* The first detailed timing is the preferred mode. */
    g_assert_cmpuint(edid[54 + 2] | (edid[54 + 4] & 0xf0) << 4, ==, width);
    g_assert_cmpuint(edid[54 + 5] | (edid[54 + 7] & 0xf0) << 4, ==, height);
    card_stop(card);
}

static void test_edid(void)
{
    uint8_t edid[128];
    Card *card;

    check_edid("", 1024, 768);
    check_edid(",vram-size=2M", 800, 600);
    check_edid(",xres=1152,yres=864", 1152, 864);
    card = card_start(",edid=off");
    g_assert_false(read_edid(card, edid));
    card_stop(card);
}

/* ---- picture ------------------------------------------------------------- */

static void check_pixel(Picture *picture, unsigned x, unsigned y, uint32_t want)
{
    g_assert_cmphex(picture_pixel(picture, x, y), ==, want);
}

static void test_scanout_formats(void)
{
    static const struct {
        NV3TestFormat format;
        uint32_t left, right;       /* values of two pixels in the mode's format */
        uint32_t left_rgb, right_rgb;
    } formats[] = {
        { NV3_TEST_C8, 0x01, 0x02, 0x102030, 0xff00ff },
        { NV3_TEST_X1R5G5B5, 0x7c00, 0x03ff, 0xff0000, 0x00ffff },
        { NV3_TEST_R5G6B5, 0xf800, 0x07ff, 0xff0000, 0x00ffff },
        { NV3_TEST_X8R8G8B8, 0x123456, 0xffabcdef, 0x123456, 0xabcdef },
    };
    Card *card = card_start("");
    unsigned i;

    card_palette(card, 1, 0x10, 0x20, 0x30);
    card_palette(card, 2, 0xff, 0x00, 0xff);
    for (i = 0; i < G_N_ELEMENTS(formats); i++) {
        unsigned bytes = card_mode(card, formats[i].format, 0x1000);
        Picture *picture;

        qtest_clock_step(card->qts, 20 * 1000 * 1000);
        qpci_memwrite(card->dev, card->mem, 0x1000, &formats[i].left, bytes);
        qpci_memwrite(card->dev, card->mem, 0x1000 + 479 * 640 * bytes +
                      639 * bytes, &formats[i].right, bytes);
        picture = picture_take(card);
        g_assert_cmpuint(picture->width, ==, 640);
        g_assert_cmpuint(picture->height, ==, 480);
        check_pixel(picture, 0, 0, formats[i].left_rgb);
        check_pixel(picture, 639, 479, formats[i].right_rgb);
        picture_free(picture);
        /* Writes to a displayed pixel. */
        qpci_memwrite(card->dev, card->mem, 0x1000, &formats[i].right, bytes);
        picture = picture_take(card);
        check_pixel(picture, 0, 0, formats[i].right_rgb);
        picture_free(picture);
    }
    card_stop(card);
}

static void test_scanout_cursor(void)
{
    Card *card = card_start("");
    Picture *picture;
    unsigned i;

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    for (i = 0; i < 32 * 32 * 2; i += 4) {
        card_ramin_wr(card, 0xb000 + i, i < 64 ? 0xfc00fc00 : 0);
    }
    card_crtc_wr(card, NV3_CRTC_CURSOR_0, 0);
    card_crtc_wr(card, NV3_CRTC_CURSOR_1, (0xb000 >> 11) << 3 | 1);
    card_wr(card, NV3_PRAMDAC_CURSOR_POS, 50 << 16 | 100);
    picture = picture_take(card);
    check_pixel(picture, 100, 50, 0xff0000);
    check_pixel(picture, 131, 50, 0xff0000);
    check_pixel(picture, 132, 50, 0);
    check_pixel(picture, 100, 51, 0);
    picture_free(picture);
    card_wr(card, NV3_PRAMDAC_CURSOR_POS, 60 << 16 | 100);
    picture = picture_take(card);
    check_pixel(picture, 100, 50, 0);
    check_pixel(picture, 100, 60, 0xff0000);
    picture_free(picture);
    card_crtc_wr(card, NV3_CRTC_CURSOR_1, (0xb000 >> 11) << 3);
    picture = picture_take(card);
    check_pixel(picture, 100, 60, 0);
    picture_free(picture);
    card_stop(card);
}

static uint64_t drawn_lines(Card *card)
{
    QDict *reply = qtest_qmp(card->qts, "{ 'execute': 'qom-get', 'arguments': {"
                             " 'path': 'nv3', 'property': 'drawn-lines' } }");
    uint64_t lines = qdict_get_int(reply, "return");

    qobject_unref(reply);
    return lines;
}

/*
 * Moves the cursor. Updates the console, and returns the number of lines that the device
 * draws for this update.
 */
static uint64_t lines_after_move(Card *card, int x, int y)
{
    uint64_t before = drawn_lines(card);

    card_wr(card, NV3_PRAMDAC_CURSOR_POS, (y & 0xfff) << 16 | (x & 0xfff));
    picture_free(picture_take(card));
    return drawn_lines(card) - before;
}

static void set_cursor(Card *card, uint32_t first_line)
{
    unsigned i;

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    for (i = 0; i < 32 * 32 * 2; i += 4) {
        card_ramin_wr(card, 0xb000 + i, i < 64 ? first_line : 0);
    }
    card_crtc_wr(card, NV3_CRTC_CURSOR_0, 0);
    card_crtc_wr(card, NV3_CRTC_CURSOR_1, (0xb000 >> 11) << 3 | 1);
}

/*
 * When the cursor moves, the device redraws only the lines that it covers at its old and
 * new positions.
 */
static void test_scanout_cursor_moves(void)
{
    static const int places[][2] = {
        { 100, 60 }, { 0, 0 }, { -20, -20 }, { 630, 470 }, { -40, -40 }, { 5, 200 },
    };
    Card *card = card_start("");
    Picture *picture;
    unsigned i;

    set_cursor(card, 0xfc00fc00);
    card_wr(card, NV3_PRAMDAC_CURSOR_POS, 50 << 16 | 100);
    picture_free(picture_take(card));
    for (i = 0; i < G_N_ELEMENTS(places); i++) {
        g_assert_cmpuint(lines_after_move(card, places[i][0], places[i][1]), <=, 64);
    }
    picture = picture_take(card);
    check_pixel(picture, 100, 50, 0);
    check_pixel(picture, 100, 60, 0);
    check_pixel(picture, 0, 0, 0);
    check_pixel(picture, 639, 470, 0);
    check_pixel(picture, 5, 200, 0xff0000);
    check_pixel(picture, 36, 200, 0xff0000);
    check_pixel(picture, 37, 200, 0);
    picture_free(picture);
    /* Store another cursor image at the same address. */
    card_ramin_wr(card, 0xb000, 0x83e083e0);
    g_assert_cmpuint(lines_after_move(card, 5, 200), <=, 64);
    /*
     * Where the cursor is transparent, a change to the pixel below it becomes visible.
     */
    card_vram_wr(card, (201 * 640 + 5) * 4, 0x123456);
    picture = picture_take(card);
    check_pixel(picture, 5, 200, 0x00ff00);
    check_pixel(picture, 7, 200, 0xff0000);
    check_pixel(picture, 5, 201, 0x123456);
    picture_free(picture);
    card_stop(card);
}

/*
 * Waits until the engine's thread has computed the CRC of the current frame, and returns
 * the CRC. The chip computes CRCs only after a read of the CRC register.
 */
static uint32_t next_crc(Card *card)
{
    uint32_t frame = card_rd(card, NV3_PVIRT_FRAME) + 1;

    card_rd(card, NV3_PVIRT_CRC);
    qtest_clock_step(card->qts, 17000000);
    card_wait(card, NV3_PVIRT_CRC_FRAME, 0xffffffff, frame);
    return card_rd(card, NV3_PVIRT_CRC);
}

/*
 * With host-cursor=on, VRAM itself is the console's surface. The device draws lines only
 * for a cursor that inverts pixels. The CRC includes the cursor in any case.
 */
static void test_scanout_host_cursor(void)
{
    Card *with = card_start(",host-cursor=on");
    Card *without = card_start("");
    Picture *picture;

    set_cursor(with, 0xfc00fc00);
    set_cursor(without, 0xfc00fc00);
    card_wr(with, NV3_PRAMDAC_CURSOR_POS, 50 << 16 | 100);
    picture_free(picture_take(with));
    g_assert_cmpuint(lines_after_move(with, 7, 9), ==, 0);
    picture = picture_take(with);
    check_pixel(picture, 7, 9, 0);
    picture_free(picture);
    card_wr(without, NV3_PRAMDAC_CURSOR_POS, 9 << 16 | 7);
    g_assert_cmphex(next_crc(with), ==, next_crc(without));
    card_ramin_wr(with, 0xb000, 0x7fff7fff);
    picture = picture_take(with);
    check_pixel(picture, 7, 9, 0xffffff);
    check_pixel(picture, 9, 9, 0xff0000);
    picture_free(picture);
    card_stop(with);
    card_stop(without);
}

/*
 * Although the engine's thread computes the CRC of a frame, the CRC is available as soon
 * as the interrupt of the vertical blank is raised.
 */
static void test_scanout_crc_at_blank(void)
{
    Card *card = card_start("");
    uint32_t frame, crc;
    unsigned i;

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    card_wr(card, NV3_PMC_ENABLE, 0xffffffff);
    card_wr(card, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    card_wr(card, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_VBLANK);
    crc = card_rd(card, NV3_PVIRT_CRC);
    for (i = 0; i < 10; i++) {
        card_vram_wr(card, 0, i + 1);
        frame = card_rd(card, NV3_PVIRT_FRAME);
        qtest_clock_step(card->qts, 17000000);
        card_wait_irq(card, true);
        g_assert_cmphex(card_rd(card, NV3_PVIRT_CRC), !=, crc);
        crc = card_rd(card, NV3_PVIRT_CRC);
        g_assert_cmpuint(card_rd(card, NV3_PVIRT_CRC_FRAME), >, frame);
        card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
        card_wait_irq(card, false);
    }
    card_stop(card);
}

/* The CRC register contains the CRC of the picture that a screenshot shows. */
static void test_scanout_crc(void)
{
    Card *card = card_start("");
    uint32_t black, other;

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    g_assert_cmphex(card_rd(card, NV3_PVIRT_CRC_FRAME), ==, 0xffffffff);
    black = next_crc(card);
    g_assert_cmphex(next_crc(card), ==, black);
    qpci_io_writel(card->dev, card->mem, 640 * 4 * 100, 0x010203);
    other = next_crc(card);
    g_assert_cmphex(other, !=, black);
    qpci_io_writel(card->dev, card->mem, 640 * 4 * 100, 0);
    g_assert_cmphex(next_crc(card), ==, black);
    card_stop(card);
}

/*
 * While the screen is blank, the console must keep its size, even if the registers
 * change.
 */
static void test_scanout_dark(void)
{
    Card *card = card_start("");
    Picture *picture;

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    card_vram_wr(card, 0, 0x123456);
    picture = picture_take(card);
    g_assert_cmpuint(picture->height, ==, 480);
    g_assert_cmphex(picture_pixel(picture, 0, 0), ==, 0x123456);
    picture_free(picture);

    card_crtc_wr(card, NV3_CRTC_REPAINT_1, 0xc6);
    card_crtc_wr(card, 0x09, 0x4f);
    picture = picture_take(card);
    g_assert_cmpuint(picture->width, ==, 640);
    g_assert_cmpuint(picture->height, ==, 480);
    g_assert_cmphex(picture_pixel(picture, 0, 0), ==, 0);
    picture_free(picture);

    /*
     * Enable the screen again. The CRTC now shows each line 16 times, so the picture has
     * 480 / 16 lines.
     */
    card_crtc_wr(card, NV3_CRTC_REPAINT_1, 0x06);
    picture = picture_take(card);
    g_assert_cmpuint(picture->height, ==, 480 / 16);
    g_assert_cmphex(picture_pixel(picture, 0, 0), ==, 0x123456);
    picture_free(picture);
    card_stop(card);
}

int main(int argc, char **argv)
{
    unsigned i;

    g_test_init(&argc, &argv, NULL);
    for (i = 0; i < G_N_ELEMENTS(models); i++) {
        g_autofree char *path = g_strdup_printf("nv3/identity/%s",
                                                models[i].name);

        qtest_add_data_func(path, &models[i], test_identity);
    }
    qtest_add_func("nv3/properties/bad", test_bad_properties);
    qtest_add_func("nv3/properties/virt", test_virt);
    qtest_add_func("nv3/properties/without-class", test_without_class);
    qtest_add_func("nv3/properties/programs", test_programs);
    qtest_add_func("nv3/ramin", test_ramin);
    qtest_add_func("nv3/large-vram", test_large_vram);
    qtest_add_func("nv3/timer/alarm", test_timer_alarm);
    qtest_add_func("nv3/timer/vblank", test_vblank);
    qtest_add_func("nv3/vga/ports", test_vga_ports);
    qtest_add_func("nv3/vga/rma", test_rma);
    qtest_add_func("nv3/edid", test_edid);
    qtest_add_func("nv3/scanout/formats", test_scanout_formats);
    qtest_add_func("nv3/scanout/cursor", test_scanout_cursor);
    qtest_add_func("nv3/scanout/cursor-moves", test_scanout_cursor_moves);
    qtest_add_func("nv3/scanout/host-cursor", test_scanout_host_cursor);
    qtest_add_func("nv3/scanout/crc-at-blank", test_scanout_crc_at_blank);
    qtest_add_func("nv3/scanout/crc", test_scanout_crc);
    qtest_add_func("nv3/scanout/dark", test_scanout_dark);
    return g_test_run();
}
