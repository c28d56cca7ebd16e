/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QTest testcase for the nv3 device (NVIDIA RIVA 128): resets while the card draws, and
 * DMA objects whose memory disappears.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "libqtest.h"
#include "hw/pci/pci_regs.h"

#include "nv3-test-card.h"

#define CHID            3
#define SUBCH_RECT      0
#define SUBCH_M2MF      1
#define NAME_RECT       0xbeef0001
#define NAME_M2MF       0xbeef0002
#define INST_RECT       (CARD_INST + 0x0000)
#define INST_M2MF       (CARD_INST + 0x0010)
#define INST_SHARE      (CARD_INST + 0x1000)
#define INST_VRAM       (CARD_INST + 0x4000)
#define IN_VRAM         0x200000

#define BRIDGE_SLOT     3
#define SHARE_SLOT      5
#define SHARE_SIZE      0x100000
#define LINE            0x4000

#define XY(x, y)        ((y) << 16 | (x))

/* ---- a card that draws --------------------------------------------------- */

static void check_draws(Card *card, uint16_t colour)
{
    card_setup(card, CHID);
    card_ramin_wr(card, CARD_RAMHT +
                  NV3_RAMHT_HASH(NAME_RECT, CHID) * 0x80 + 4, 0);
    card_object(card, CHID, NAME_RECT, NV3_CLASS_RECT, INST_RECT, CARD_COPY, 0,
                0);
    card_method(card, CHID, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_COLOR, colour);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_POINT(0), XY(10, 20));
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_SIZE(0), XY(30, 40));
    card_wait_idle(card);
    card_assert_quiet(card);
    g_assert_cmphex(card_pixel(card, 10, 20), ==, colour);
    g_assert_cmphex(card_pixel(card, 39, 59), ==, colour);
}

/*
 * Sets an alarm, and starts a batch of rectangles that the card is still drawing when the
 * test resets the card.
 */
static void draw_on(Card *card)
{
    unsigned i;

    card_setup(card, CHID);
    card_wr(card, NV3_PTIMER_ALARM_0, 1000000);
    card_wr(card, NV3_PTIMER_INTR_EN, NV3_PTIMER_INTR_ALARM);
    card_wr(card, NV3_PGRAPH_DST_CANVAS_MAX, XY(1024, 1000));
    card_wr(card, NV3_PGRAPH_SURF_PITCH(0), 2048);
    card_object(card, CHID, NAME_RECT, NV3_CLASS_RECT, INST_RECT, CARD_COPY, 0,
                0);
    card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    for (i = 0; i < 3000; i++) {
        card_push(card, NV3_PUSH_HDR(SUBCH_RECT, NV3_RECT_POINT(0), 2));
        card_push(card, XY(0, 0));
        card_push(card, XY(1024, 1000));
    }
    card_push_start(card, CHID);
}

static void check_at_rest(Card *card)
{
    g_assert_cmphex(card_rd(card, NV3_PFIFO_CACHE1_DMA_CTRL), ==, 0);
    g_assert_cmphex(card_rd(card, NV3_PFIFO_CACHE1_STATUS), ==,
                    NV3_PFIFO_CACHE_EMPTY);
    g_assert_cmphex(card_rd(card, NV3_PMC_INTR), ==, 0);
    g_assert_false(card_irq(card));
}

/* ---- reset --------------------------------------------------------------- */

/*
 * The tests use 8 MiB of VRAM, because libqos has no addresses left to map a large BAR1
 * a second time.
 */

static void test_system_reset(void)
{
    Card *card = card_start(",vram-size=8M");
    unsigned i;

    for (i = 0; i < 3; i++) {
        draw_on(card);
        qtest_clock_step(card->qts, 2000000);
        card_wait_irq(card, true);
        qtest_system_reset(card->qts);
        card_map(card);
        check_at_rest(card);
        /* The reset has cancelled the alarm. */
        qtest_clock_step(card->qts, 1000000000);
        g_assert_false(card_irq(card));
        check_draws(card, 0x1111 * (i + 1));
    }
    card_stop(card);
}

/*
 * Starts a machine with the card behind a bridge. The bridge forwards all PCI memory
 * that libqos assigns.
 */
static Card *start_behind_bridge(QPCIDevice **bridge)
{
    Card *card = card_machine("-device pci-bridge,id=br,chassis_nr=1,shpc=off,"
                              "addr=" stringify(BRIDGE_SLOT) ".0",
                              ",bus=br,vram-size=8M");

    *bridge = qpci_device_find(card->bus, QPCI_DEVFN(BRIDGE_SLOT, 0));
    g_assert_nonnull(*bridge);
    qpci_config_writeb(*bridge, PCI_PRIMARY_BUS, 0);
    qpci_config_writeb(*bridge, PCI_SECONDARY_BUS, 1);
    qpci_config_writeb(*bridge, PCI_SUBORDINATE_BUS, 1);
    qpci_config_writew(*bridge, PCI_MEMORY_BASE, 0xe000);
    qpci_config_writew(*bridge, PCI_MEMORY_LIMIT, 0xefff);
    qpci_config_writew(*bridge, PCI_COMMAND,
                       PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
    card->devfn |= 1 << 8;
    card_map(card);
    return card;
}

/* Resets only the bus of the card. */
static void test_bus_reset(void)
{
    QPCIDevice *bridge;
    Card *card = start_behind_bridge(&bridge);

    draw_on(card);
    qtest_clock_step(card->qts, 2000000);
    card_wait_irq(card, true);
    qpci_config_writew(bridge, PCI_BRIDGE_CONTROL, PCI_BRIDGE_CTL_BUS_RESET);
    qpci_config_writew(bridge, PCI_BRIDGE_CONTROL, 0);
    g_assert_cmphex(qpci_config_readw(card->dev, PCI_COMMAND) &
                    PCI_COMMAND_MEMORY, ==, 0);
    g_assert_false(card_irq(card));
    card_map(card);
    check_at_rest(card);
    check_draws(card, 0x2345);
    g_free(bridge);
    card_stop(card);
}

/* ---- memory that disappears ---------------------------------------------- */

/*
 * Starts a machine with a card and with an ivshmem device, whose BAR 2 is memory for DMA
 * objects.
 */
static Card *start_with_share(QPCIDevice **share, QPCIBar *bar)
{
    Card *card;

    card = card_machine("-object memory-backend-ram,id=m,size=1M,share=on"
                        " -device ivshmem-plain,memdev=m,id=iv,"
                        "addr=" stringify(SHARE_SLOT) ".0", "");
    card_map(card);
    *share = qpci_device_find(card->bus, QPCI_DEVFN(SHARE_SLOT, 0));
    g_assert_nonnull(*share);
    *bar = qpci_iomap(*share, 2, NULL);
    qpci_device_enable(*share);
    return card;
}

static void setup_copies(Card *card, const QPCIBar *bar)
{
    uint32_t source, vram;

    card_setup(card, CHID);
    source = card_dma_object(card, INST_SHARE, NV3_DMAOBJ_TARGET_PCI, bar->addr,
                             SHARE_SIZE);
    vram = card_dma_object(card, INST_VRAM, NV3_DMAOBJ_TARGET_VRAM, IN_VRAM,
                           2 * MiB);
    card_object(card, CHID, NAME_M2MF, NV3_CLASS_M2MF, INST_M2MF, 0, source,
                vram);
}

/*
 * Starts a batch that copies the whole memory of the ivshmem device to VRAM @count times.
 */
static void start_copies(Card *card, unsigned count)
{
    unsigned i;

    card_push_method(card, SUBCH_M2MF, NV3_MTHD_OBJECT, NAME_M2MF);
    for (i = 0; i < count; i++) {
        card_push(card, NV3_PUSH_HDR(SUBCH_M2MF, NV3_M2MF_OFFSET_IN, 8));
        card_push(card, 0);
        card_push(card, 0);
        card_push(card, LINE);
        card_push(card, LINE);
        card_push(card, LINE);
        card_push(card, SHARE_SIZE / LINE);
        card_push(card, 0x101);
        card_push(card, 0);
    }
    card_push_start(card, CHID);
}

static bool copying(Card *card)
{
    return (card_rd(card, NV3_PFIFO_CACHE1_DMA_CTRL) &
            NV3_PFIFO_DMA_CTRL_BUSY) ||
           !(card_rd(card, NV3_PFIFO_CACHE1_STATUS) & NV3_PFIFO_CACHE_EMPTY) ||
           (card_rd(card, NV3_PGRAPH_STATUS) & NV3_PGRAPH_STATUS_BUSY);
}

/* Acknowledges all interrupts. After a fault, the card continues with the next copy. */
static void acknowledge(Card *card)
{
    card_wr(card, NV3_PFIFO_INTR, 0xffffffff);
    card_wr(card, NV3_PGRAPH_INTR, 0xffffffff);
    card_wr(card, NV3_PDMA_INTR, 0xffffffff);
    card_wr(card, NV3_PGRAPH_FIFO_ENABLE, 1);
}

static void test_copies(void)
{
    Card *card;
    QPCIDevice *share;
    QPCIBar bar;
    unsigned i;

    card = start_with_share(&share, &bar);
    setup_copies(card, &bar);
    qpci_io_writel(share, bar, 0x1234, 0xfeedf00d);
    start_copies(card, 1);
    card_wait_idle(card);
    card_assert_quiet(card);
    g_assert_cmphex(card_vram_rd(card, IN_VRAM + 0x1234), ==, 0xfeedf00d);

    /*
     * Repeatedly disable and enable the decoding of ivshmem's BAR while the card copies
     * from this BAR.
     */
    start_copies(card, 600);
    for (i = 0; i < 400 && copying(card); i++) {
        qpci_config_writew(share, PCI_COMMAND, i & 1 ? PCI_COMMAND_MEMORY : 0);
        acknowledge(card);
    }
    qpci_config_writew(share, PCI_COMMAND, 0);
    while (copying(card)) {
        acknowledge(card);
    }
    acknowledge(card);
    g_assert_cmphex(card_vram_rd(card, IN_VRAM + 0x1234), ==, 0xfeedf00d);

    /*
     * A copy from the disabled BAR causes a fault, and PDMA reports the DMA object of
     * this copy.
     */
    start_copies(card, 1);
    card_wait_irq(card, true);
    g_assert_true(card_rd(card, NV3_PDMA_INTR) & NV3_PDMA_INTR_PRESENT);
    g_assert_cmphex(card_rd(card, NV3_PDMA_INST), ==, INST_SHARE >> 4);
    acknowledge(card);
    qpci_config_writew(share, PCI_COMMAND, PCI_COMMAND_MEMORY);
    start_copies(card, 1);
    card_wait_idle(card);
    card_assert_quiet(card);
    check_draws(card, 0x3333);
    g_free(share);
    card_stop(card);
}

static void test_unplug(void)
{
    Card *card;
    QPCIDevice *share;
    QPCIBar bar;

    card = start_with_share(&share, &bar);
    setup_copies(card, &bar);
    start_copies(card, 1500);
    qpci_unplug_acpi_device_test(card->qts, "iv", SHARE_SLOT);
    qtest_qmp_assert_success(card->qts, "{ 'execute': 'object-del',"
                             " 'arguments': { 'id': 'm' } }");
    while (copying(card)) {
        acknowledge(card);
    }
    acknowledge(card);
    start_copies(card, 1);
    card_wait_irq(card, true);
    g_assert_true(card_rd(card, NV3_PDMA_INTR) & NV3_PDMA_INTR_PRESENT);
    acknowledge(card);
    check_draws(card, 0x4444);
    g_free(share);
    card_stop(card);
}

/*
 * If the memory of a pushbuffer's page has disappeared, the pusher must stop at this
 * page.
 */
static void test_pushbuffer(void)
{
    Card *card;
    QPCIDevice *share;
    QPCIBar bar;
    uint32_t i;

    card = start_with_share(&share, &bar);
    setup_copies(card, &bar);
    for (i = 0; i < 16; i++) {
        card_ramin_wr(card, CARD_PUSH_PT + i * 4, (bar.addr + i * 4096) |
                      NV3_DMAOBJ_PTE_PRESENT);
    }
    qtest_memset(card->qts, bar.addr, 0, SHARE_SIZE);
    card->push_words = CARD_PUSH_SIZE / 4;
    card_push_start(card, CHID);
    qpci_config_writew(share, PCI_COMMAND, 0);
    card_wait(card, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_BUSY, 0);
    /*
     * The pusher has either stopped at the page without memory, or had already finished
     * before the memory disappeared.
     */
    acknowledge(card);
    card->push_words = CARD_PUSH_SIZE / 4;
    card_push_start(card, CHID);
    card_wait_irq(card, true);
    g_assert_true(card_rd(card, NV3_PFIFO_INTR) & NV3_PFIFO_INTR_DMA_PTE);
    card_wait(card, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_BUSY, 0);
    acknowledge(card);
    check_draws(card, 0x5555);
    g_free(share);
    card_stop(card);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("nv3/reset/system", test_system_reset);
    qtest_add_func("nv3/reset/bus", test_bus_reset);
    if (qtest_has_device("ivshmem-plain")) {
        qtest_add_func("nv3/unmap/copies", test_copies);
        qtest_add_func("nv3/unmap/pushbuffer", test_pushbuffer);
        qtest_add_func("nv3/unplug", test_unplug);
    }
    return g_test_run();
}
