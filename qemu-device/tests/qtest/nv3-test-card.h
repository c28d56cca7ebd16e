/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares functions for qtests that start a machine with an nv3 device but without a
 * guest. Other functions access the device's registers, set a mode, take screenshots,
 * create objects, and send methods by PIO or in a pushbuffer.
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

/*
 * Starts a machine with the card. @props: properties of the device, each preceded by a
 * comma.
 */
Card *card_start(const char *props);
/*
 * The three steps of card_start(): start a machine with additional arguments, find the
 * card on the PCI bus, and map the card's BARs. After a reset, the test must call
 * card_map() again.
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

/* Returns true if the card asserts its interrupt line. */
bool card_irq(Card *card);
/*
 * Waits, in real time, until the bits @mask of the register at @addr equal @want. Fails
 * after a timeout.
 */
void card_wait(Card *card, uint32_t addr, uint32_t mask, uint32_t want);
void card_wait_irq(Card *card, bool level);
/* If the card asserts its interrupt line, prints the pending interrupts and fails. */
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
/*
 * Sets the mode 640x480 at 60 Hz, with the picture at byte @start of VRAM. Returns the
 * number of bytes per pixel.
 */
unsigned card_mode(Card *card, NV3TestFormat format, uint32_t start);
void card_palette(Card *card, uint8_t index, uint8_t r, uint8_t g, uint8_t b);

typedef struct Picture {
    unsigned width, height;
    uint8_t *rgb;
} Picture;

/* Takes a screenshot of the console. */
Picture *picture_take(Card *card);
uint32_t picture_pixel(const Picture *picture, unsigned x, unsigned y);
void picture_free(Picture *picture);

/* ---- drawing ---- */

/* RAMIN, with the layout that the kernel driver uses. */
#define CARD_RAMHT          0x00000
#define CARD_RAMRO          0x08000
#define CARD_RAMFC          0x0a000
#define CARD_INST           0x10000     /* objects of the tests */
#define CARD_PUSH_PT        0x0f000     /* page table of the pushbuffer */

/* Address in guest memory. */
#define CARD_PUSH           0x00200000
#define CARD_PUSH_SIZE      0x00010000
#define CARD_GUEST          0x00300000

/* Surface 0 is the render target of the tests, with the format X1R5G5B5. */
#define CARD_SURFACE        0x00100000
#define CARD_SURFACE_WIDTH  256
#define CARD_SURFACE_HEIGHT 128
#define CARD_SURFACE_PITCH  512
#define CARD_ZETA           0x00180000

#define CARD_COPY \
    (NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT)

/* Prepares PFIFO and PGRAPH for methods of channel @chid. */
void card_setup(Card *card, unsigned chid);
/*
 * Enters the handle @name of channel @chid into RAMHT. @ctx is the entry's context word,
 * without the channel's number and the valid bit.
 */
void card_hash(Card *card, unsigned chid, uint32_t name, uint32_t ctx);
/*
 * Creates an object of a graphics class at offset @inst of RAMIN, and enters its handle
 * @name into RAMHT.
 */
void card_object(Card *card, unsigned chid, uint32_t name, unsigned class_id,
                 uint32_t inst, uint32_t options, uint32_t dma, uint32_t dma_2);
/*
 * Creates a DMA object with a page table at offset @inst of RAMIN. Returns the object's
 * instance number.
 */
uint32_t card_dma_object(Card *card, uint32_t inst, uint32_t target,
                         uint32_t base, uint32_t len);

static inline void card_method(Card *card, unsigned chid, unsigned subch,
                               uint32_t mthd, uint32_t data)
{
    card_wr(card, NV3_USER_ADDR(chid, subch, mthd), data);
}

void card_push(Card *card, uint32_t word);
void card_push_method(Card *card, unsigned subch, uint32_t mthd, uint32_t data);
/*
 * Starts the DMA pusher, which fetches the words that card_push() has stored, and sends
 * their methods to channel @chid.
 */
void card_push_start(Card *card, unsigned chid);
/* Waits until PFIFO and PGRAPH are idle. */
void card_wait_idle(Card *card);

uint16_t card_pixel(Card *card, unsigned x, unsigned y);

#endif
