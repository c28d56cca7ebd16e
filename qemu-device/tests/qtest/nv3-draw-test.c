/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QTest testcase for the nv3 device (NVIDIA RIVA 128): objects, methods by PIO and by
 * DMA, notifiers, interrupts, and invalid streams. The chip draws in a separate thread,
 * so the tests wait until it is idle.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "libqtest.h"

#include "nv3-test-card.h"

#define CHID            3

enum { SUBCH_RECT, SUBCH_M2MF, SUBCH_D3D };

#define NAME_RECT       0xbeef0001
#define NAME_M2MF       0xbeef0002
#define NAME_D3D        0xbeef0003

#define INST_RECT       (CARD_INST + 0x0000)
#define INST_M2MF       (CARD_INST + 0x0010)
#define INST_D3D        (CARD_INST + 0x0020)
#define INST_NOTIFY     (CARD_INST + 0x1000)    /* DMA objects */
#define INST_SOURCE     (CARD_INST + 0x2000)
#define INST_VRAM       (CARD_INST + 0x4000)

/* Address in guest memory. */
#define NOTIFIER        (CARD_GUEST)
#define SOURCE          (CARD_GUEST + 0x10000)
#define SOURCE_SIZE     0x10000

#define XY(x, y)        ((y) << 16 | (x))

/* Creates an object of each class that the tests use. */
static void set_up(Card *card)
{
    uint32_t notify, source, vram;

    card_setup(card, CHID);
    notify = card_dma_object(card, INST_NOTIFY, NV3_DMAOBJ_TARGET_PCI,
                             NOTIFIER, 4096);
    source = card_dma_object(card, INST_SOURCE, NV3_DMAOBJ_TARGET_PCI, SOURCE,
                             SOURCE_SIZE);
    vram = card_dma_object(card, INST_VRAM, NV3_DMAOBJ_TARGET_VRAM, 0, 4 * MiB);
    card_object(card, CHID, NAME_RECT, NV3_CLASS_RECT, INST_RECT, CARD_COPY,
                notify << NV3_GROBJ_NOTIFY_SHIFT, 0);
    card_object(card, CHID, NAME_M2MF, NV3_CLASS_M2MF, INST_M2MF, 0,
                notify << NV3_GROBJ_NOTIFY_SHIFT | source, vram);
    card_object(card, CHID, NAME_D3D, NV3_CLASS_D3D, INST_D3D,
                CARD_COPY | NV3_GROBJ_ZETA,
                notify << NV3_GROBJ_NOTIFY_SHIFT | source, 0);
}

static Card *start_with(const char *props)
{
    Card *card = card_start(props);

    set_up(card);
    return card;
}

static Card *start(void)
{
    return start_with("");
}

static void check_rect(Card *card, unsigned x, unsigned y, unsigned w,
                       unsigned h, uint16_t colour)
{
    g_assert_cmphex(card_pixel(card, x, y), ==, colour);
    g_assert_cmphex(card_pixel(card, x + w - 1, y + h - 1), ==, colour);
    g_assert_cmphex(card_pixel(card, x + w, y), ==, 0);
    g_assert_cmphex(card_pixel(card, x, y + h), ==, 0);
    g_assert_cmphex(card_pixel(card, x - 1, y), ==, 0);
}

/* ---- PIO ----------------------------------------------------------------- */

static void test_pio_rect(void)
{
    Card *card = start();

    g_assert_cmpuint(card_rd(card, NV3_USER_ADDR(CHID, 0, NV3_USER_FREE)) &
                     0xffff, >, 0);
    card_method(card, CHID, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_COLOR, 0x7c1f);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_POINT(0), XY(10, 20));
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_SIZE(0), XY(30, 40));
    card_wait_idle(card);
    card_assert_quiet(card);
    check_rect(card, 10, 20, 30, 40, 0x7c1f);
    g_assert_false(card_irq(card));
    card_stop(card);
}

/*
 * Drivers expect that a method takes less time than a register read. The test therefore
 * polls STATUS without delays, and limits the number of reads that it takes to execute
 * four methods.
 */
static void test_pio_status(void)
{
    Card *card = start();
    unsigned reads = 0;

    for (int i = 0; i < 10; i++) {
        card_method(card, CHID, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
        card_method(card, CHID, SUBCH_RECT, NV3_RECT_COLOR, 0x1234 + i);
        card_method(card, CHID, SUBCH_RECT, NV3_RECT_POINT(0), XY(10, 20 + i));
        card_method(card, CHID, SUBCH_RECT, NV3_RECT_SIZE(0), XY(30, 1));
        for (reads = 0; reads < 5; reads++) {
            if (!card_rd(card, NV3_PGRAPH_STATUS)) {
                break;
            }
        }
        g_assert_cmpuint(reads, <, 5);
        g_assert_cmphex(card_pixel(card, 39, 20 + i), ==, 0x1234 + i);
    }
    card_stop(card);
}

/* Sends many more methods than CACHE1 holds, without checking the free count. */
static void test_pio_runout(void)
{
    Card *card = start();

    card_wr(card, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
    for (int i = 0; i < 100; i++) {
        card_method(card, CHID, SUBCH_RECT, NV3_RECT_COLOR, i);
    }
    g_assert_true(card_rd(card, NV3_PFIFO_INTR) & NV3_PFIFO_INTR_RUNOUT);
    g_assert_true(card_irq(card));
    /*
     * The first entry of RAMRO contains the number and the subchannel of the first
     * overflowing method.
     */
    g_assert_cmphex(card_ramin_rd(card, CARD_RAMRO) & 0xffff, ==,
                    SUBCH_RECT << NV3_FIFO_ADDR_SUBCH_SHIFT | NV3_RECT_COLOR);
    g_assert_cmpuint(card_ramin_rd(card, CARD_RAMRO + 4), <, 100);
    card_stop(card);
}

/* ---- DMA ----------------------------------------------------------------- */

static uint16_t notifier_status(Card *card, unsigned slot)
{
    return qtest_readw(card->qts, NOTIFIER + slot * NV3_NOTIFICATION_SIZE +
                       NV3_NOTIFICATION_STATUS);
}

static void arm_notifier(Card *card, unsigned slot)
{
    qtest_memset(card->qts, NOTIFIER + slot * NV3_NOTIFICATION_SIZE, 0xff,
                 NV3_NOTIFICATION_SIZE);
}

static void test_dma_rect_notify(void)
{
    Card *card = start();

    arm_notifier(card, 0);
    arm_notifier(card, 2);
    card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0x03e0);
    card_push_method(card, SUBCH_RECT, NV3_MTHD_NOTIFY, 0);
    card_push(card, NV3_PUSH_HDR(SUBCH_RECT, NV3_RECT_POINT(0), 2));
    card_push(card, XY(1, 1));
    card_push(card, XY(100, 100));
    card_push_start(card, CHID);
    card_wait_idle(card);
    check_rect(card, 1, 1, 100, 100, 0x03e0);
    g_assert_cmphex(notifier_status(card, 0), ==, NV3_NOTIFICATION_DONE);
    g_assert_cmphex(notifier_status(card, 2), ==, 0xffff);
    g_assert_false(card_irq(card));

    /* The chip writes a notification before it raises the notification's interrupt. */
    card_push_method(card, SUBCH_RECT, NV3_MTHD_NOTIFY, 2);
    card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0x7fff);
    card_push_start(card, CHID);
    card_wait_irq(card, true);
    g_assert_cmphex(notifier_status(card, 2), ==, NV3_NOTIFICATION_DONE);
    g_assert_cmphex(card_rd(card, NV3_PMC_INTR), ==, NV3_PMC_INTR_PGRAPH);
    g_assert_cmphex(card_rd(card, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK,
                    ==, NV3_PGRAPH_INTR_NOTIFY);
    card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_NOTIFY);
    g_assert_false(card_irq(card));
    card_stop(card);
}

/*
 * If a register store starts a small batch, the thread that executes the store also
 * executes the batch and raises its interrupt, without waking the engine's thread. On a
 * busy host, the engine's thread may still be running at the time of the store. In this
 * case, the batch completes later.
 */
static void test_dma_small_batch(void)
{
    unsigned at_once = 0;
    Card *card = start();

    for (unsigned i = 0; i < 200; i++) {
        const uint16_t colour = 0x421 + i;

        arm_notifier(card, 2);
        card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
        card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, colour);
        card_push(card, NV3_PUSH_HDR(SUBCH_RECT, NV3_RECT_POINT(0), 2));
        card_push(card, XY(1, 1));
        card_push(card, XY(4, 4));
        card_push_method(card, SUBCH_RECT, NV3_MTHD_NOTIFY, 2);
        card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0);
        card_push_start(card, CHID);
        at_once += card_irq(card);
        card_wait_irq(card, true);
        g_assert_cmphex(notifier_status(card, 2), ==, NV3_NOTIFICATION_DONE);
        check_rect(card, 1, 1, 4, 4, colour);
        card_wait_idle(card);
        card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_NOTIFY);
        g_assert_false(card_irq(card));
    }
    g_assert_cmpuint(at_once, >, 100);
    card_stop(card);
}

static void test_dma_m2mf(void)
{
    Card *card = start();
    uint8_t lines[4][64], got[64];
    unsigned i;

    for (i = 0; i < sizeof(lines); i++) {
        ((uint8_t *)lines)[i] = i * 7 + 1;
    }
    qtest_memwrite(card->qts, SOURCE + 0x800, lines, sizeof(lines));
    card_push_method(card, SUBCH_M2MF, NV3_MTHD_OBJECT, NAME_M2MF);
    card_push(card, NV3_PUSH_HDR(SUBCH_M2MF, NV3_M2MF_OFFSET_IN, 8));
    card_push(card, 0x800);
    card_push(card, 0x200000);
    card_push(card, 64);
    card_push(card, 1024);
    card_push(card, 64);
    card_push(card, 4);
    card_push(card, 0x101);
    card_push(card, 0);
    card_push_start(card, CHID);
    card_wait_idle(card);
    card_assert_quiet(card);
    for (i = 0; i < 4; i++) {
        qpci_memread(card->dev, card->mem, 0x200000 + i * 1024, got, 64);
        g_assert_cmpmem(got, 64, lines[i], 64);
    }
    g_assert_cmphex(card_vram_rd(card, 0x200000 + 64), ==, 0);
    card_stop(card);
}

static uint32_t float_bits(float value)
{
    union {
        float f;
        uint32_t u;
    } both = { .f = value };

    return both.u;
}

/*
 * Sends a vertex. @fog_tri: argument of FOG_TRI, which contains the fog factor, and the
 * indices of the three vertices of the triangle that this vertex completes.
 */
static void push_vertex(Card *card, unsigned i, uint32_t fog_tri, float x,
                        float y, float u, float v)
{
    card_push(card, NV3_PUSH_HDR(SUBCH_D3D, NV3_D3D_FOG_TRI(i), 8));
    card_push(card, fog_tri);
    card_push(card, 0xffffffff);
    card_push(card, float_bits(x));
    card_push(card, float_bits(y));
    card_push(card, float_bits(0.5));
    card_push(card, float_bits(1.0));
    card_push(card, float_bits(u));
    card_push(card, float_bits(v));
}

/*
 * Draws a triangle with a depth buffer in VRAM and a texture in guest memory. @data:
 * properties of the device.
 */
static void test_dma_triangle(const void *data)
{
    Card *card = start_with(data);
    unsigned i;

    /*
     * All 16x16 texels are equal, because the test only checks that the chip reads the
     * texture.
     */
    for (i = 0; i < 16 * 16; i++) {
        qtest_writew(card->qts, SOURCE + 0x4000 + i * 2, 0xfc00);
    }
    for (i = 0; i < CARD_SURFACE_HEIGHT * CARD_SURFACE_PITCH; i += 4) {
        card_vram_wr(card, CARD_ZETA + i, 0xffffffff);
    }
    card_push_method(card, SUBCH_D3D, NV3_MTHD_OBJECT, NAME_D3D);
    card_push(card, NV3_PUSH_HDR(SUBCH_D3D, NV3_D3D_TEX_OFFSET, 6));
    card_push(card, 0x4000);
    card_push(card, NV3_D3D_TEX_A1R5G5B5 << NV3_D3D_TEX_FORMAT_SHIFT |
              4 << NV3_D3D_TEX_SIZE_MIN_SHIFT | 4u << NV3_D3D_TEX_SIZE_MAX_SHIFT);
    card_push(card, 0);
    card_push(card, 0);
    card_push(card, NV3_D3D_INTERP_ZOH_CENTER |
              NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT |
              NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT |
              NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
              NV3_D3D_CMP_LESS << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
              NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
              NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT |
              NV3_D3D_CONFIG_DST_ZERO);
    card_push(card, NV3_D3D_CMP_ALWAYS << 8);
    push_vertex(card, 0, 0x00000000, 10, 10, 0, 0);
    push_vertex(card, 1, 0x00000001, 110, 10, 1, 0);
    push_vertex(card, 2, 0x00000012, 10, 110, 0, 1);
    card_push_start(card, CHID);
    card_wait_idle(card);
    card_assert_quiet(card);
    g_assert_cmphex(card_pixel(card, 20, 20) & 0x7fff, ==, 0x7c00);
    g_assert_cmphex(card_pixel(card, 11, 90) & 0x7fff, ==, 0x7c00);
    g_assert_cmphex(card_pixel(card, 90, 90), ==, 0);
    g_assert_cmphex(card_pixel(card, 9, 20), ==, 0);
    /* Depths have been written inside the triangle, but not outside. */
    g_assert_cmphex(card_vram_rd(card, CARD_ZETA + 20 * CARD_SURFACE_PITCH +
                                 20 * 2) & 0xffff, <, 0xffff);
    g_assert_cmphex(card_vram_rd(card, CARD_ZETA + 90 * CARD_SURFACE_PITCH +
                                 90 * 2) & 0xffff, ==, 0xffff);
    card_stop(card);
}

/* ---- interrupts ---------------------------------------------------------- */

/*
 * The puller stops at a handle that is not in RAMHT, and continues after the driver has
 * entered the handle.
 */
static void test_hash_miss(void)
{
    Card *card = start();

    card_method(card, CHID, SUBCH_RECT, NV3_MTHD_OBJECT, 0x0badbeef);
    card_wait_irq(card, true);
    g_assert_cmphex(card_rd(card, NV3_PMC_INTR), ==, NV3_PMC_INTR_PFIFO);
    g_assert_cmphex(card_rd(card, NV3_PFIFO_INTR), ==,
                    NV3_PFIFO_INTR_CACHE_ERROR);
    g_assert_true(card_rd(card, NV3_PFIFO_CACHE1_PULL_CTRL) &
                  NV3_PFIFO_PULL_CTRL_HASH_FAILED);
    /* Act as the driver: enter the handle into RAMHT, and restart the puller. */
    card_hash(card, CHID, 0x0badbeef, NV3_CTX_HARDWARE | NV3_CTX_CLASS_GRAPH |
              NV3_CLASS_RECT << NV3_CTX_CLASS_SHIFT | INST_RECT >> 4);
    card_wr(card, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
    g_assert_false(card_irq(card));
    card_wr(card, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_COLOR, 0x1234);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_POINT(0), XY(5, 5));
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_SIZE(0), XY(6, 7));
    card_wait_idle(card);
    check_rect(card, 5, 5, 6, 7, 0x1234);
    card_stop(card);
}

static void test_context_switch(void)
{
    Card *card = start();

    card_hash(card, CHID + 1, NAME_RECT, NV3_CTX_HARDWARE |
              NV3_CTX_CLASS_GRAPH | NV3_CLASS_RECT << NV3_CTX_CLASS_SHIFT |
              INST_RECT >> 4);
    card_method(card, CHID + 1, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_wait_irq(card, true);
    g_assert_true(card_rd(card, NV3_PGRAPH_INTR) &
                  NV3_PGRAPH_INTR_CTX_SWITCH);
    card_stop(card);
}

static void test_bad_method(void)
{
    Card *card = start();

    card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_push_method(card, SUBCH_RECT, 0x1abc, 1);
    card_push_start(card, CHID);
    card_wait_irq(card, true);
    g_assert_true(card_rd(card, NV3_PGRAPH_INTR) &
                  (NV3_PGRAPH_INTR_INVALID | NV3_PGRAPH_INTR_MISSING_METHOD));
    card_stop(card);
}

/* ---- invalid streams ------------------------------------------------------- */

/*
 * Tests DMA to addresses without writable memory: the registers of the card itself, the
 * boot ROM, and unused addresses. A write to such an address must have no effect, a
 * pushbuffer at this address must cause an interrupt, and QEMU must continue to run.
 */
static void test_dma_to_no_memory(void)
{
    const uint32_t targets[] = { 0, 0xfffc0000, 0xfffff000, 0x80000000 };
    unsigned i;

    for (i = 0; i < G_N_ELEMENTS(targets); i++) {
        Card *card = start();
        uint32_t target = targets[i] ?: card->regs.addr;
        uint32_t before;

        card_dma_object(card, INST_NOTIFY, NV3_DMAOBJ_TARGET_PCI, target, 4096);
        before = qtest_readl(card->qts, 0xfffffff0);
        card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
        card_push_method(card, SUBCH_RECT, NV3_MTHD_NOTIFY, 0);
        card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0);
        card_push_start(card, CHID);
        card_wait_idle(card);
        g_assert_cmphex(qtest_readl(card->qts, 0xfffffff0), ==, before);
        g_assert_cmphex(card_rd(card, NV3_PMC_BOOT_0), ==,
                        NV3_PMC_BOOT_0_REV_C);

        /* Map the pushbuffer to the same address. */
        card_ramin_wr(card, CARD_PUSH_PT, target | NV3_DMAOBJ_PTE_PRESENT);
        card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0);
        card_wr(card, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
        card_push_start(card, CHID);
        card_wait_irq(card, true);
        card_stop(card);
    }
}

/* Runs a pushbuffer of random words, and acknowledges all errors. */
static void test_hostile_stream(void)
{
    Card *card = start();
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    int round, i;

    for (round = 0; round < 40; round++) {
        g_autofree uint32_t *words = g_new(uint32_t, CARD_PUSH_SIZE / 4);

        for (i = 0; i < CARD_PUSH_SIZE / 4; i++) {
            uint32_t word = g_rand_int(rand);

            /*
             * Make half of the words valid headers, so that some methods reach PGRAPH.
             */
            words[i] = word & 1 ? word :
                       NV3_PUSH_HDR(word >> 4 & 7, word >> 8 & 0x1ffc,
                                    word >> 24 & 15);
            if ((word & 0xff00) == 0x4200) {
                words[i] = NAME_RECT + (word >> 28 & 3);
            }
        }
        qtest_memwrite(card->qts, CARD_PUSH, words, CARD_PUSH_SIZE);
        card->push_words = CARD_PUSH_SIZE / 4;
        card_push_start(card, CHID);
        for (i = 0; i < 20; i++) {
            g_usleep(200);
            card_wr(card, NV3_PFIFO_INTR, 0xffffffff);
            card_wr(card, NV3_PGRAPH_INTR, 0xffffffff);
            card_wr(card, NV3_PDMA_INTR, 0xffffffff);
            card_wr(card, NV3_PGRAPH_CTX_USER, CHID << 24);
            card_wr(card, NV3_PGRAPH_FIFO_ENABLE, 1);
            card_wr(card, NV3_PFIFO_CACHE1_PULL_CTRL,
                    NV3_PFIFO_PULL_CTRL_ACCESS);
            card_wr(card, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
        }
    }
    /* The card must still respond. */
    g_assert_cmphex(card_rd(card, NV3_PMC_BOOT_0), ==, NV3_PMC_BOOT_0_REV_C);
    card_stop(card);
}

/* Accesses random registers while the card draws. */
static void test_hostile_registers(void)
{
    Card *card = start();
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    int i;

    for (i = 0; i < 20000; i++) {
        static const uint32_t blocks[] = {
            0x002000, 0x003000, 0x400000, 0x401000, 0x680000, 0x601000,
            0x001000, 0x009000, 0x100000, 0x0c0000, 0x800000, 0x830000,
        };
        uint32_t addr = blocks[g_rand_int_range(rand, 0, G_N_ELEMENTS(blocks))];
        /*
         * Do not write to the configuration space, because this could change the
         * addresses of the BARs.
         */
        bool pci = (addr & ~0xfff) == 0x001000;

        addr += g_rand_int_range(rand, 0, pci ? 0x800 : 0x1000) & ~3;
        if (g_rand_boolean(rand)) {
            card_wr(card, addr, g_rand_int(rand));
        } else {
            card_rd(card, addr);
        }
        if (i % 1000 == 0) {
            qtest_clock_step(card->qts, 1000000);
        }
    }
    g_assert_cmphex(card_rd(card, NV3_PMC_BOOT_0), ==, NV3_PMC_BOOT_0_REV_C);
    card_stop(card);
}

/*
 * Resets the card during a long batch. After the reset, the card must work like a new
 * card.
 */
static void test_reset_at_work(void)
{
    /*
     * Use a small BAR1, because libqos has no addresses left to map a large BAR1 a second
     * time.
     */
    Card *card = start_with(",vram-size=8M");
    int i;

    card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    for (i = 0; i < 1000; i++) {
        card_push(card, NV3_PUSH_HDR(SUBCH_RECT, NV3_RECT_POINT(0), 2));
        card_push(card, XY(0, 0));
        card_push(card, XY(CARD_SURFACE_WIDTH, CARD_SURFACE_HEIGHT));
    }
    card_push_start(card, CHID);
    qtest_system_reset(card->qts);
    /* The reset has cleared the BARs. */
    card_map(card);
    g_assert_cmphex(card_rd(card, NV3_PFIFO_CACHE1_DMA_CTRL), ==, 0);
    g_assert_false(card_irq(card));

    for (i = 0; i < CARD_SURFACE_PITCH * CARD_SURFACE_HEIGHT; i += 4) {
        card_vram_wr(card, CARD_SURFACE + i, 0);
    }
    card_setup(card, CHID);
    card_method(card, CHID, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_COLOR, 0x1111);
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_POINT(0), XY(10, 20));
    card_method(card, CHID, SUBCH_RECT, NV3_RECT_SIZE(0), XY(30, 40));
    card_wait_idle(card);
    check_rect(card, 10, 20, 30, 40, 0x1111);
    card_stop(card);
}

/*
 * While the VM is stopped, the card must not draw. When the VM continues, the card must
 * draw the rest of the batch.
 */
static void test_pause(void)
{
    Card *card = start();

    card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0x2222);
    card_push(card, NV3_PUSH_HDR(SUBCH_RECT, NV3_RECT_POINT(0), 2));
    card_push(card, XY(10, 20));
    card_push(card, XY(30, 40));
    qtest_qmp_assert_success(card->qts, "{ 'execute': 'stop' }");
    card_push_start(card, CHID);
    g_usleep(50000);
    g_assert_cmphex(card_pixel(card, 10, 20), ==, 0);
    g_assert_true(card_rd(card, NV3_PFIFO_CACHE1_DMA_CTRL) &
                  NV3_PFIFO_DMA_CTRL_BUSY);
    qtest_qmp_assert_success(card->qts, "{ 'execute': 'cont' }");
    card_wait_idle(card);
    check_rect(card, 10, 20, 30, 40, 0x2222);
    card_stop(card);
}

/* ---- trace events -------------------------------------------------------- */

/*
 * Fails unless @text contains all strings of @lines in this order. @lines ends with a
 * null pointer.
 */
static void check_lines(const char *text, const char *const *lines)
{
    for (; *lines; lines++) {
        const char *found = strstr(text, *lines);

        if (!found) {
            g_error("no \"%s\" in:\n%s", *lines, text);
        }
        text = found + strlen(*lines);
    }
}

static void set_trace(Card *card, bool on)
{
    qtest_qmp_assert_success(card->qts, "{ 'execute': 'trace-event-set-state', "
                             "'arguments': { 'name': 'nv3_core_method', 'enable': %i } }",
                             on);
}

/*
 * While trace events are enabled, QEMU logs methods and interrupts with their names.
 */
static void test_trace(void)
{
    static const char *const lines[] = {
        "channel 3: the pusher begins at 0x000000, ",
        "channel 3 subchannel 0: RECT.OBJECT ",
        "channel 3 subchannel 0: RECT.COLOR 0x00001111",
        "channel 3 subchannel 0: RECT.COLOR 0x00003333",
        "channel 3 subchannel 0: RECT.NOTIFY 1",
        "channel 3 subchannel 0: RECT.POINT(0) x=10 y=20",
        "channel 3: notification in slot 1, interrupt 1",
        "channel 3 subchannel 0: RECT.0x1f00 0x00000000",
        "PGRAPH: INVALID",
        NULL,
    };
    g_autofree char *path = NULL, *args = NULL, *text = NULL;
    int fd = g_file_open_tmp("nv3-trace-XXXXXX", &path, NULL);
    Card *card;

    args = g_strdup_printf("-trace 'nv3_core*' -D %s", path);
    card = card_machine(args, "");
    card_map(card);
    set_up(card);
    card_push_method(card, SUBCH_RECT, NV3_MTHD_OBJECT, NAME_RECT);
    card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0x1111);
    card_push_start(card, CHID);
    card_wait_idle(card);
    set_trace(card, false);
    card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0x2222);
    card_push_start(card, CHID);
    card_wait_idle(card);
    set_trace(card, true);
    card_push_method(card, SUBCH_RECT, NV3_RECT_COLOR, 0x3333);
    card_push_method(card, SUBCH_RECT, NV3_MTHD_NOTIFY, 1);
    card_push_method(card, SUBCH_RECT, NV3_RECT_POINT(0), XY(10, 20));
    card_push_method(card, SUBCH_RECT, 0x1f00, 0);
    card_push_start(card, CHID);
    card_wait(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_INVALID, NV3_PGRAPH_INTR_INVALID);
    card_stop(card);

    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    check_lines(text, lines);
    g_assert_null(strstr(text, "RECT.COLOR 0x00002222"));
    unlink(path);
    close(fd);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("nv3/pio/rect", test_pio_rect);
    qtest_add_func("nv3/pio/status", test_pio_status);
    qtest_add_func("nv3/pio/runout", test_pio_runout);
    qtest_add_func("nv3/dma/rect-notify", test_dma_rect_notify);
    qtest_add_func("nv3/dma/small-batch", test_dma_small_batch);
    qtest_add_func("nv3/dma/m2mf", test_dma_m2mf);
    qtest_add_data_func("nv3/dma/triangle", "", test_dma_triangle);
    qtest_add_data_func("nv3/dma/triangle-scalar", ",simd=scalar",
                        test_dma_triangle);
    qtest_add_func("nv3/intr/hash-miss", test_hash_miss);
    qtest_add_func("nv3/intr/context-switch", test_context_switch);
    qtest_add_func("nv3/intr/bad-method", test_bad_method);
    qtest_add_func("nv3/hostile/no-memory", test_dma_to_no_memory);
    qtest_add_func("nv3/hostile/stream", test_hostile_stream);
    qtest_add_func("nv3/hostile/registers", test_hostile_registers);
    qtest_add_func("nv3/reset", test_reset_at_work);
    qtest_add_func("nv3/pause", test_pause);
    qtest_add_func("nv3/trace", test_trace);
    return g_test_run();
}
