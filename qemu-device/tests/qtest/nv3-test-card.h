/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An nv3 in a machine without a guest, for its qtests: registers, a mode, the
 * picture, PFIFO with objects and a pushbuffer.
 */
#ifndef NV3_TEST_CARD_H
#define NV3_TEST_CARD_H

#include "libqos/pci.h"

#include "../../hw/display/nv3/include/nv3_class.h"
#include "../../hw/display/nv3/include/nv3_regs.h"

typedef struct Card {
    QTestState *qts;
    QPCIBus *bus;
    QPCIDevice *dev;
    int devfn;
    QPCIBar regs;
    QPCIBar mem;
    uint32_t push_words;
} Card;

/* @props: more of -device's, each with a comma before it. */
Card *card_start(const char *props);
/*
 * In steps: a machine with more arguments, the card found on its bus, its BARs
 * mapped (for the first time, or anew after a reset).
 */
Card *card_machine(const char *args, const char *props);
void card_find(Card *card);
void card_map(Card *card);
void card_stop(Card *card);

static inline uint32_t card_rd(Card *card, uint32_t addr)
{
    return qpci_io_readl(card->dev, card->regs, addr);
}

static inline void card_wr(Card *card, uint32_t addr, uint32_t val)
{
    qpci_io_writel(card->dev, card->regs, addr, val);
}

static inline uint8_t card_rd8(Card *card, uint32_t addr)
{
    return qpci_io_readb(card->dev, card->regs, addr);
}

static inline void card_wr8(Card *card, uint32_t addr, uint8_t val)
{
    qpci_io_writeb(card->dev, card->regs, addr, val);
}

static inline uint32_t card_vram_rd(Card *card, uint32_t addr)
{
    return qpci_io_readl(card->dev, card->mem, addr);
}

static inline void card_vram_wr(Card *card, uint32_t addr, uint32_t val)
{
    qpci_io_writel(card->dev, card->mem, addr, val);
}

static inline uint32_t card_ramin_rd(Card *card, uint32_t addr)
{
    return qpci_io_readl(card->dev, card->mem, NV3_BAR1_RAMIN + addr);
}

static inline void card_ramin_wr(Card *card, uint32_t addr, uint32_t val)
{
    qpci_io_writel(card->dev, card->mem, NV3_BAR1_RAMIN + addr, val);
}

/* Whether the card pulls its interrupt line. */
bool card_irq(Card *card);
/* Waits, for real seconds, until (register & @mask) is @want. */
void card_wait(Card *card, uint32_t addr, uint32_t mask, uint32_t want);
void card_wait_irq(Card *card, bool level);
/* Fails, and says why the card would interrupt, unless it would not. */
void card_assert_quiet(Card *card);

/* ---- display ---- */

typedef enum NV3TestFormat {
    NV3_TEST_C8,
    NV3_TEST_X1R5G5B5,
    NV3_TEST_R5G6B5,
    NV3_TEST_X8R8G8B8,
} NV3TestFormat;

uint8_t card_crtc_rd(Card *card, uint8_t index);
void card_crtc_wr(Card *card, uint8_t index, uint8_t val);
void card_unlock(Card *card);
/* 640x480 at 60 Hz from byte @start of VRAM; returns the bytes of a pixel. */
unsigned card_mode(Card *card, NV3TestFormat format, uint32_t start);
void card_palette(Card *card, uint8_t index, uint8_t r, uint8_t g, uint8_t b);

typedef struct Picture {
    unsigned width, height;
    uint8_t *rgb;
} Picture;

/* What the console shows. */
Picture *picture_take(Card *card);
uint32_t picture_pixel(const Picture *picture, unsigned x, unsigned y);
void picture_free(Picture *picture);

/* ---- drawing ---- */

/* RAMIN, laid out as the project's driver does. */
#define CARD_RAMHT          0x00000
#define CARD_RAMRO          0x08000
#define CARD_RAMFC          0x0a000
#define CARD_INST           0x10000     /* where tests put their objects */
#define CARD_PUSH_PT        0x0f000     /* the pushbuffer's page table */

/* Guest memory. */
#define CARD_PUSH           0x00200000
#define CARD_PUSH_SIZE      0x00010000
#define CARD_GUEST          0x00300000

/* Surface 0, where tests draw: X1R5G5B5. */
#define CARD_SURFACE        0x00100000
#define CARD_SURFACE_WIDTH  256
#define CARD_SURFACE_HEIGHT 128
#define CARD_SURFACE_PITCH  512
#define CARD_ZETA           0x00180000

#define CARD_COPY \
    (NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT)

/* PFIFO and PGRAPH ready to take methods of channel @chid. */
void card_setup(Card *card, unsigned chid);
/* Puts a name into RAMHT; @ctx without channel and valid bits. */
void card_hash(Card *card, unsigned chid, uint32_t name, uint32_t ctx);
/* An object of a graphics class at RAMIN byte @inst, and in RAMHT. */
void card_object(Card *card, unsigned chid, uint32_t name, unsigned class_id,
                 uint32_t inst, uint32_t options, uint32_t dma, uint32_t dma_2);
/* A DMA object with a page table; returns its instance number. */
uint32_t card_dma_object(Card *card, uint32_t inst, uint32_t target,
                         uint32_t base, uint32_t len);

static inline void card_method(Card *card, unsigned chid, unsigned subch,
                               uint32_t mthd, uint32_t data)
{
    card_wr(card, NV3_USER_ADDR(chid, subch, mthd), data);
}

void card_push(Card *card, uint32_t word);
void card_push_method(Card *card, unsigned subch, uint32_t mthd, uint32_t data);
/* Sets the DMA pusher off on what was pushed, for channel @chid. */
void card_push_start(Card *card, unsigned chid);
/* Until PFIFO and PGRAPH have nothing to do. */
void card_wait_idle(Card *card);

uint16_t card_pixel(Card *card, unsigned x, unsigned y);

#endif
