/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts a machine with an nv3 device but without a guest, and accesses the device
 * (nv3-test-card.h).
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "libqtest.h"
#include "libqos/pci-pc.h"
#include "hw/pci/pci_regs.h"
#include "qobject/qdict.h"

#include "nv3-test-card.h"

#define CARD_SLOT       4
#define WAIT_US         20000000

Card *card_machine(const char *args, const char *props)
{
    Card *card = g_new0(Card, 1);

    card->devfn = QPCI_DEVFN(CARD_SLOT, 0);
    card->qts = qtest_initf("-M pc -m 16 -nodefaults -vga none %s "
                            "-device nv3,id=nv3,addr=%02x.0%s", args,
                            CARD_SLOT, props);
    card->bus = qpci_new_pc(card->qts, NULL);
    return card;
}

void card_find(Card *card)
{
    g_free(card->dev);
    card->dev = qpci_device_find(card->bus, card->devfn);
    g_assert_nonnull(card->dev);
}

void card_map(Card *card)
{
    card_find(card);
    qpci_device_enable(card->dev);
    card->regs = qpci_iomap(card->dev, 0, NULL);
    card->mem = qpci_iomap(card->dev, 1, NULL);
}

Card *card_start(const char *props)
{
    Card *card = card_machine("", props);

    card_map(card);
    return card;
}

void card_stop(Card *card)
{
    g_free(card->dev);
    qpci_free_pc(card->bus);
    qtest_quit(card->qts);
    g_free(card);
}

bool card_irq(Card *card)
{
    return qpci_config_readw(card->dev, PCI_STATUS) & PCI_STATUS_INTERRUPT;
}

void card_wait(Card *card, uint32_t addr, uint32_t mask, uint32_t want)
{
    gint64 end = g_get_monotonic_time() + WAIT_US;
    uint32_t val;

    while (((val = card_rd(card, addr)) & mask) != want) {
        if (g_get_monotonic_time() > end) {
            g_error("0x%06x stays 0x%08x, not 0x%08x under 0x%08x", addr, val,
                    want, mask);
        }
        g_usleep(100);
    }
}

void card_wait_irq(Card *card, bool level)
{
    gint64 end = g_get_monotonic_time() + WAIT_US;

    while (card_irq(card) != level) {
        g_assert_cmpint(g_get_monotonic_time(), <, end);
        g_usleep(100);
    }
}

void card_assert_quiet(Card *card)
{
    if (card_rd(card, NV3_PMC_INTR)) {
        g_error("PMC_INTR 0x%08x PFIFO 0x%08x PGRAPH 0x%08x INVALID 0x%08x "
                "PDMA 0x%08x, trapped 0x%08x at 0x%08x",
                card_rd(card, NV3_PMC_INTR), card_rd(card, NV3_PFIFO_INTR),
                card_rd(card, NV3_PGRAPH_INTR), card_rd(card, NV3_PGRAPH_INVALID),
                card_rd(card, NV3_PDMA_INTR),
                card_rd(card, NV3_PGRAPH_TRAPPED_DATA),
                card_rd(card, NV3_PGRAPH_TRAPPED_ADDR));
    }
}

/* ---- display ------------------------------------------------------------- */

uint8_t card_crtc_rd(Card *card, uint8_t index)
{
    card_wr8(card, NV3_PRMCIO + 0x3d4, index);
    return card_rd8(card, NV3_PRMCIO + 0x3d5);
}

void card_crtc_wr(Card *card, uint8_t index, uint8_t val)
{
    card_wr8(card, NV3_PRMCIO + 0x3d4, index);
    card_wr8(card, NV3_PRMCIO + 0x3d5, val);
}

static void seq_wr(Card *card, uint8_t index, uint8_t val)
{
    card_wr8(card, NV3_PRMVIO + 0x3c4, index);
    card_wr8(card, NV3_PRMVIO + 0x3c5, val);
}

void card_unlock(Card *card)
{
    card_wr8(card, NV3_PRMVIO + 0x3c2, 0x0d);
    seq_wr(card, NV3_SEQ_LOCK, NV3_CRTC_UNLOCK_VALUE);
    card_crtc_wr(card, 0x11, 0);
}

unsigned card_mode(Card *card, NV3TestFormat format, uint32_t start)
{
    static const unsigned bytes_of[] = { 1, 2, 2, 4 };
    static const uint8_t format_of[] = { 1, 2, 2, 3 };
    unsigned bytes = bytes_of[format];
    unsigned offset = 640 * bytes / 8;
    const struct {
        uint8_t index, val;
    } crtc[] = {
        { 0x00, 800 / 8 - 5 }, { 0x01, 640 / 8 - 1 }, { 0x06, 523 & 0xff },
        /* bit 9 of the vertical total, and bit 8 of the number of displayed lines */
        { 0x07, 0x22 }, { 0x09, 0x40 }, { 0x12, 479 & 0xff },
        { 0x13, offset & 0xff }, { 0x17, 0xe3 },
        { 0x0d, start / 4 & 0xff }, { 0x0c, start / 4 >> 8 & 0xff },
        { NV3_CRTC_REPAINT_0, offset >> 8 << 5 | (start / 4 >> 16 & 0x1f) },
        { NV3_CRTC_REPAINT_1, 0x06 }, { NV3_CRTC_EXT_VERT, 0 },
        { NV3_CRTC_EXT_HORZ, 0 }, { NV3_CRTC_INTERLACE, 0xff },
        { NV3_CRTC_PIXEL_FORMAT, format_of[format] },
    };
    unsigned i;

    card_unlock(card);
    seq_wr(card, 0x01, 0x01);
    for (i = 0; i < G_N_ELEMENTS(crtc); i++) {
        card_crtc_wr(card, crtc[i].index, crtc[i].val);
    }
    /* 13.5 MHz * 56 / 30 = 25.2 MHz */
    card_wr(card, NV3_PRAMDAC_VPLL, 56 << NV3_PLL_N_SHIFT | 30);
    card_wr(card, NV3_PRAMDAC_PLL_CONTROL,
            NV3_PLL_CONTROL_VPLL_PROG | NV3_PLL_CONTROL_VCLK_DB2);
    card_wr(card, NV3_PRAMDAC_GENERAL, NV3_GENERAL_BPC_8 |
            (format == NV3_TEST_R5G6B5 ? NV3_GENERAL_ALT_MODE : 0));
    return bytes;
}

void card_palette(Card *card, uint8_t index, uint8_t r, uint8_t g, uint8_t b)
{
    card_wr8(card, NV3_USER_DAC_WRITE_ADDR, index);
    card_wr8(card, NV3_USER_DAC_DATA, r);
    card_wr8(card, NV3_USER_DAC_DATA, g);
    card_wr8(card, NV3_USER_DAC_DATA, b);
}

Picture *picture_take(Card *card)
{
    Picture *picture = g_new0(Picture, 1);
    g_autofree char *path = NULL;
    g_autofree char *data = NULL;
    int fd = g_file_open_tmp("nv3-test-XXXXXX", &path, NULL);
    int used = 0;
    gsize len;

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    qtest_qmp_assert_success(card->qts, "{ 'execute': 'screendump',"
                             " 'arguments': { 'filename': %s } }", path);
    g_assert_true(g_file_get_contents(path, &data, &len, NULL));
    unlink(path);
    g_assert_cmpint(sscanf(data, "P6 %u %u 255%n", &picture->width,
                           &picture->height, &used), ==, 2);
    used++;
    g_assert_cmpuint(len, ==, used + picture->width * picture->height * 3);
    picture->rgb = g_memdup2(data + used, len - used);
    return picture;
}

uint32_t picture_pixel(const Picture *picture, unsigned x, unsigned y)
{
    const uint8_t *p = picture->rgb + (y * picture->width + x) * 3;

    return p[0] << 16 | p[1] << 8 | p[2];
}

void picture_free(Picture *picture)
{
    g_free(picture->rgb);
    g_free(picture);
}

/* ---- drawing ------------------------------------------------------------- */

static void setup_pgraph(Card *card, unsigned chid)
{
    uint32_t size = CARD_SURFACE_HEIGHT << 16 | CARD_SURFACE_WIDTH;
    unsigned i;

    card_wr(card, NV3_PGRAPH_FIFO_ENABLE, 0);
    card_wr(card, NV3_PGRAPH_DEBUG_1, NV3_PGRAPH_DEBUG_1_CTX_SWITCH |
            NV3_PGRAPH_DEBUG_1_DMA_LOAD);
    card_wr(card, NV3_PGRAPH_DEBUG_2, NV3_PGRAPH_DEBUG_2_VOLATILE_EN);
    card_wr(card, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_CHECK);
    card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    card_wr(card, NV3_PGRAPH_INTR_EN,
            NV3_PGRAPH_INTR_ALL & ~NV3_PGRAPH_INTR_VBLANK);
    card_wr(card, NV3_PDMA_INTR_EN, NV3_PDMA_INTR_ALL);
    card_wr(card, NV3_PGRAPH_CTX_USER, chid << 24);
    card_wr(card, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_DEVICE |
            NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    for (i = 0; i < 4; i++) {
        card_wr(card, NV3_PGRAPH_SURF_OFFSET(i),
                i == 3 ? CARD_ZETA : CARD_SURFACE);
        card_wr(card, NV3_PGRAPH_SURF_PITCH(i), CARD_SURFACE_PITCH);
    }
    card_wr(card, NV3_PGRAPH_SURF_CONFIG,
            NV3_PGRAPH_SURF_FORMAT(0, NV3_SURF_X1R5G5B5) |
            NV3_PGRAPH_SURF_VALID(0) |
            NV3_PGRAPH_SURF_FORMAT(3, NV3_SURF_Y16) | NV3_PGRAPH_SURF_VALID(3));
    card_wr(card, NV3_PGRAPH_SRC_CANVAS_MIN, 0);
    card_wr(card, NV3_PGRAPH_SRC_CANVAS_MAX, size);
    card_wr(card, NV3_PGRAPH_DST_CANVAS_MIN, 0);
    card_wr(card, NV3_PGRAPH_DST_CANVAS_MAX, size);
    card_wr(card, NV3_PGRAPH_FIFO_ENABLE, 1);
}

static void setup_pfifo(Card *card, unsigned chid)
{
    uint32_t page;

    for (page = 0; page < CARD_PUSH_SIZE / 4096; page++) {
        card_ramin_wr(card, CARD_PUSH_PT + page * 4, (CARD_PUSH + page * 4096) |
                      NV3_DMAOBJ_PTE_PRESENT);
    }
    card_wr(card, NV3_PFIFO_RAMHT,
            CARD_RAMHT | 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    card_wr(card, NV3_PFIFO_RAMRO, CARD_RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
    card_wr(card, NV3_PFIFO_RAMFC, CARD_RAMFC);
    card_wr(card, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    card_wr(card, NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);
    card_wr(card, NV3_PFIFO_CACHE1_DMA_PT_INST, CARD_PUSH_PT);
    card_wr(card, NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
    card_wr(card, NV3_PFIFO_CACHE1_PUSH_CHID, chid);
    card_wr(card, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    card_wr(card, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
    card_wr(card, NV3_PFIFO_CACHES, NV3_PFIFO_CACHES_REASSIGN);
}

void card_setup(Card *card, unsigned chid)
{
    card_wr(card, NV3_PMC_ENABLE, 0xffffffff);
    card_wr(card, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    setup_pgraph(card, chid);
    setup_pfifo(card, chid);
}

void card_hash(Card *card, unsigned chid, uint32_t name, uint32_t ctx)
{
    uint32_t entry = CARD_RAMHT + NV3_RAMHT_HASH(name, chid) * 0x80;

    while (card_ramin_rd(card, entry + 4)) {
        entry += NV3_RAMHT_ENTRY_SIZE;
    }
    card_ramin_wr(card, entry, name);
    card_ramin_wr(card, entry + 4,
                  ctx | chid << NV3_CTX_CHID_SHIFT | NV3_CTX_VALID);
}

void card_object(Card *card, unsigned chid, uint32_t name, unsigned class_id,
                 uint32_t inst, uint32_t options, uint32_t dma, uint32_t dma_2)
{
    card_ramin_wr(card, inst + NV3_GROBJ_OPTIONS, options);
    card_ramin_wr(card, inst + NV3_GROBJ_DMA, dma);
    card_ramin_wr(card, inst + NV3_GROBJ_M2MF, dma_2);
    card_hash(card, chid, name, NV3_CTX_HARDWARE | NV3_CTX_CLASS_GRAPH |
              class_id << NV3_CTX_CLASS_SHIFT | inst >> 4);
}

uint32_t card_dma_object(Card *card, uint32_t inst, uint32_t target,
                         uint32_t base, uint32_t len)
{
    uint32_t page;

    card_ramin_wr(card, inst + NV3_DMAOBJ_FLAGS,
                  NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT);
    card_ramin_wr(card, inst + NV3_DMAOBJ_LIMIT, len - 1);
    for (page = 0; page < DIV_ROUND_UP(len, 4096); page++) {
        card_ramin_wr(card, inst + NV3_DMAOBJ_PTE(page), (base + page * 4096) |
                      NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
    }
    return inst >> 4;
}

void card_push(Card *card, uint32_t word)
{
    g_assert_cmpuint(card->push_words, <, CARD_PUSH_SIZE / 4);
    qtest_writel(card->qts, CARD_PUSH + card->push_words++ * 4, word);
}

void card_push_method(Card *card, unsigned subch, uint32_t mthd, uint32_t data)
{
    card_push(card, NV3_PUSH_HDR(subch, mthd, 1));
    card_push(card, data);
}

void card_push_start(Card *card, unsigned chid)
{
    card_wr(card, NV3_PFIFO_CACHES, 0);
    card_wr(card, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
    card_wr(card, NV3_PFIFO_CACHE1_PUSH_CHID, chid | NV3_PFIFO_CACHE1_CHID_DMA);
    card_wr(card, NV3_PFIFO_CACHE1_DMA_STATE, 0);
    card_wr(card, NV3_PFIFO_CACHE1_DMA_GET, 0);
    card_wr(card, NV3_PFIFO_CACHE1_DMA_COUNT, card->push_words * 4);
    card_wr(card, NV3_PFIFO_CACHE1_DMA_TLB_TAG, 0xffffffff);
    card_wr(card, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    card_wr(card, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
    card->push_words = 0;
}

void card_wait_idle(Card *card)
{
    card_wait(card, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_BUSY, 0);
    card_wait(card, NV3_PFIFO_CACHE1_STATUS, NV3_PFIFO_CACHE_EMPTY,
              NV3_PFIFO_CACHE_EMPTY);
    card_wait(card, NV3_PGRAPH_STATUS, NV3_PGRAPH_STATUS_BUSY, 0);
}

uint16_t card_pixel(Card *card, unsigned x, unsigned y)
{
    return qpci_io_readw(card->dev, card->mem,
                         CARD_SURFACE + y * CARD_SURFACE_PITCH + x * 2);
}
