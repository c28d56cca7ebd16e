/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the registers of PVIDEO, and the use of its two buffers.
 *
 * A buffer has a bit in SU_STATE and a bit in OE_STATE. While both bits are equal, the
 * engine owns the buffer. Otherwise software owns the buffer. Software inverts the bit in
 * SU_STATE to hand the buffer to the engine. The engine inverts the bit in OE_STATE after
 * it has shown the buffer. The drivers conform to these rules. Haiku (accelerants/nvidia
 * nv_bes.c) sets OE_STATE to 0, clears bit 16 of SU_STATE to show buffer 0, and sets the
 * bit to show buffer 1. vidix and nouveau invert bit 16 of SU_STATE after each change of
 * other registers.
 *
 * Fields: see include/nv3_regs.h. No documentation states when changes of the registers
 * take effect. docs/reference/chip/display.md describes the model's choice.
 */
#include "bus/bus.h"
#include "chip/state_table.h"
#include "display/display.h"
#include "display/pvideo.h"

#define CONTROL_Y_MASK \
    (NV3_PVIDEO_CONTROL_Y_BLUR | NV3_PVIDEO_CONTROL_Y_LINE_FULL)
#define CONTROL_X_MASK \
    (NV3_PVIDEO_CONTROL_X_HEAVY | NV3_PVIDEO_CONTROL_X_SHARPEN | \
     NV3_PVIDEO_CONTROL_X_SMOOTH)
#define STEP_SIZE_MASK      (NV3_PVIDEO_STEP_SIZE_X | NV3_PVIDEO_STEP_SIZE_Y)
#define OFFSET_MASK         (NV3_PVIDEO_OFFSET_X | NV3_PVIDEO_OFFSET_Y)
#define OE_STATE_MASK       0x01111111
#define SU_STATE_MASK       0x00110000
#define RM_STATE_MASK       0x00000011
#define FIFO_THRES_MASK     0x00000078
#define FIFO_BURST_MASK     0x00000003
#define OVERLAY_MASK \
    (NV3_PVIDEO_OVERLAY_ON | NV3_PVIDEO_OVERLAY_KEY_ON | \
     NV3_PVIDEO_OVERLAY_YUY2)
#define CSC_MASK            0x000000ff
#define CSC_ADJUST_MASK     0x00011111

bool nv3_pvideo_irq(NV3State *s)
{
    return s->pvideo.intr & s->pvideo.intr_en;
}

/* ---- the buffers --------------------------------------------------------- */

static unsigned current_buffer(const NV3Pvideo *p)
{
    return p->oe_state & NV3_PVIDEO_OE_CURRENT ? 1 : 0;
}

static bool in_use(const NV3Pvideo *p, unsigned i)
{
    return !((p->su_state ^ p->oe_state) & NV3_PVIDEO_IN_USE(i));
}

/*
 * Returns true if the next frame will show the other buffer and release the current one.
 */
static bool releases(const NV3Pvideo *p)
{
    unsigned current = current_buffer(p);

    return p->shown.on && (p->overlay & NV3_PVIDEO_OVERLAY_ON) &&
           in_use(p, current) && in_use(p, !current);
}

bool nv3_pvideo_waits(const NV3State *s)
{
    const NV3Pvideo *p = &s->pvideo;

    return (p->intr_en & ~p->intr & NV3_PVIDEO_INTR_NOTIFY) && releases(p);
}

/*
 * Selects the buffer for the next frame. If the engine owns the other buffer, switches to
 * that buffer. If the engine also owns the current buffer, releases it to software. In
 * the first frame of an enabled overlay, keeps the current buffer if the engine owns it.
 */
static void next_buffer(NV3Pvideo *p)
{
    unsigned current = current_buffer(p);

    if (!in_use(p, !current) || (!p->shown.on && in_use(p, current))) {
        return;
    }
    if (releases(p)) {
        p->oe_state ^= NV3_PVIDEO_IN_USE(current) |
                       NV3_PVIDEO_OE_NOTIFY(current);
        p->intr |= NV3_PVIDEO_INTR_NOTIFY;
    }
    p->oe_state ^= NV3_PVIDEO_OE_CURRENT;
}

/*
 * Limits a step to 1:1, because the scaler cannot shrink an image (source: the drivers of
 * vidix and Haiku).
 */
static uint32_t step(uint32_t field)
{
    return field < NV3_PVIDEO_STEP_SIZE_ONE ? field : NV3_PVIDEO_STEP_SIZE_ONE;
}

static NV3Overlay to_show(const NV3Pvideo *p)
{
    unsigned i = current_buffer(p);

    if (!(p->overlay & NV3_PVIDEO_OVERLAY_ON)) {
        return (NV3Overlay) { .on = false };
    }
    return (NV3Overlay) {
        .on = true,
        .keyed = p->overlay & NV3_PVIDEO_OVERLAY_KEY_ON,
        .yuy2 = p->overlay & NV3_PVIDEO_OVERLAY_YUY2,
        .smooth = p->control_x & NV3_PVIDEO_CONTROL_X_SMOOTH,
        .blur = p->control_y & NV3_PVIDEO_CONTROL_Y_BLUR,
        .start = p->start[i],
        .pitch = p->pitch[i],
        .skip = p->offset[i] & NV3_PVIDEO_OFFSET_X,
        .phase = nv3_bits(p->offset[i], NV3_PVIDEO_OFFSET_Y_SHIFT, 2) *
                 (NV3_PVIDEO_STEP_SIZE_ONE / 4),
        .step_x = step(nv3_bits(p->step_size, 0, 12)),
        .step_y = step(nv3_bits(p->step_size, 16, 12)),
        .x = nv3_bits(p->window_start, 0, 11),
        .y = nv3_bits(p->window_start, 16, 11),
        .width = nv3_bits(p->window_size, 0, 11),
        .height = nv3_bits(p->window_size, 16, 11),
        .key = p->key,
        .csc = { p->csc[0], p->csc[1], p->csc[2] },
    };
}

static bool same(const NV3Overlay *a, const NV3Overlay *b)
{
    if (!a->on || !b->on) {
        return a->on == b->on;
    }
    return a->keyed == b->keyed && a->yuy2 == b->yuy2 &&
           a->smooth == b->smooth && a->blur == b->blur &&
           a->start == b->start && a->pitch == b->pitch &&
           a->skip == b->skip && a->phase == b->phase &&
           a->step_x == b->step_x && a->step_y == b->step_y &&
           a->x == b->x && a->y == b->y &&
           a->width == b->width && a->height == b->height &&
           a->key == b->key && !memcmp(a->csc, b->csc, sizeof(a->csc));
}

void nv3_pvideo_latch(NV3State *s, uint64_t frames)
{
    NV3Pvideo *p = &s->pvideo;
    uint32_t intr = p->intr;
    NV3Overlay now;

    /*
     * PVIDEO has two buffers, so two iterations suffice for any larger number of frames.
     */
    for (unsigned i = 0; i < (frames > 1 ? 2 : 1); i++) {
        if (p->overlay & NV3_PVIDEO_OVERLAY_ON) {
            next_buffer(p);
        }
        now = to_show(p);
        if (!same(&now, &p->shown)) {
            p->shown = now;
            s->display.changed = true;
        }
    }
    if (p->intr != intr) {
        nv3_update_irq(s);
    }
}

/* ---- registers ----------------------------------------------------------- */

/*
 * Returns a pointer to a register whose accesses have no side effect, and sets *@mask to
 * the bits that exist in this register. Returns null for other registers.
 */
static uint32_t *plain_register(NV3Pvideo *p, uint32_t addr, uint32_t *mask)
{
    switch (addr) {
    case NV3_PVIDEO_INTR_EN:
        *mask = NV3_PVIDEO_INTR_NOTIFY;
        return &p->intr_en;
    case NV3_PVIDEO_STEP_SIZE:
        *mask = STEP_SIZE_MASK;
        return &p->step_size;
    case NV3_PVIDEO_CONTROL_Y:
        *mask = CONTROL_Y_MASK;
        return &p->control_y;
    case NV3_PVIDEO_CONTROL_X:
        *mask = CONTROL_X_MASK;
        return &p->control_x;
    case NV3_PVIDEO_START(0):
    case NV3_PVIDEO_START(1):
        *mask = NV3_PVIDEO_START_MASK;
        return &p->start[(addr - NV3_PVIDEO_START(0)) / 4];
    case NV3_PVIDEO_PITCH(0):
    case NV3_PVIDEO_PITCH(1):
        *mask = NV3_PVIDEO_PITCH_MASK;
        return &p->pitch[(addr - NV3_PVIDEO_PITCH(0)) / 4];
    case NV3_PVIDEO_OFFSET(0):
    case NV3_PVIDEO_OFFSET(1):
        *mask = OFFSET_MASK;
        return &p->offset[(addr - NV3_PVIDEO_OFFSET(0)) / 4];
    case NV3_PVIDEO_OE_STATE:
        *mask = OE_STATE_MASK;
        return &p->oe_state;
    case NV3_PVIDEO_SU_STATE:
        *mask = SU_STATE_MASK;
        return &p->su_state;
    case NV3_PVIDEO_RM_STATE:
        *mask = RM_STATE_MASK;
        return &p->rm_state;
    case NV3_PVIDEO_WINDOW_START:
        *mask = NV3_PVIDEO_WINDOW_MASK;
        return &p->window_start;
    case NV3_PVIDEO_WINDOW_SIZE:
        *mask = NV3_PVIDEO_WINDOW_MASK;
        return &p->window_size;
    case NV3_PVIDEO_FIFO_THRES:
        *mask = FIFO_THRES_MASK;
        return &p->fifo_thres;
    case NV3_PVIDEO_FIFO_BURST:
        *mask = FIFO_BURST_MASK;
        return &p->fifo_burst;
    case NV3_PVIDEO_KEY:
        *mask = UINT32_MAX;
        return &p->key;
    case NV3_PVIDEO_OVERLAY:
        *mask = OVERLAY_MASK;
        return &p->overlay;
    case NV3_PVIDEO_RED_CSC:
    case NV3_PVIDEO_GREEN_CSC:
    case NV3_PVIDEO_BLUE_CSC:
        *mask = CSC_MASK;
        return &p->csc[(addr - NV3_PVIDEO_RED_CSC) / 4];
    case NV3_PVIDEO_CSC_ADJUST:
        *mask = CSC_ADJUST_MASK;
        return &p->csc_adjust;
    default:
        return NULL;
    }
}

uint32_t nv3_pvideo_read(NV3State *s, uint32_t addr)
{
    uint32_t mask;
    uint32_t *reg;

    /*
     * The timer for the vertical blank may not be running. If a frame has begun since the
     * last access, latch the registers now.
     */
    nv3_display_latch(s);
    if (addr == NV3_PVIDEO_INTR) {
        return s->pvideo.intr;
    }
    reg = plain_register(&s->pvideo, addr, &mask);
    return reg ? *reg : nv3_unimp_read(s, "PVIDEO", addr);
}

void nv3_pvideo_write(NV3State *s, uint32_t addr, uint32_t val)
{
    uint32_t mask;
    uint32_t *reg;

    nv3_display_latch(s);
    if (addr == NV3_PVIDEO_INTR) {
        s->pvideo.intr &= ~val;
    } else {
        reg = plain_register(&s->pvideo, addr, &mask);
        if (!reg) {
            nv3_unimp_write(s, "PVIDEO", addr, val);
            return;
        }
        *reg = val & mask;
    }
    nv3_display_wake(s);
    nv3_update_irq(s);
}

void nv3_pvideo_reset(NV3State *s)
{
    s->pvideo = (NV3Pvideo) {
        .csc = {
            NV3_PVIDEO_RED_CSC_NEUTRAL,
            NV3_PVIDEO_GREEN_CSC_NEUTRAL,
            NV3_PVIDEO_BLUE_CSC_NEUTRAL,
        },
    };
    s->display.changed = true;
}

/* ---- saved state --------------------------------------------------------- */

static const NV3StateField pvideo_fields[] = {
    NV3_SAVE_BITS(pvideo.intr, NV3_PVIDEO_INTR_NOTIFY),
    NV3_SAVE_BITS(pvideo.intr_en, NV3_PVIDEO_INTR_NOTIFY),
    NV3_SAVE_BITS(pvideo.step_size, STEP_SIZE_MASK),
    NV3_SAVE_BITS(pvideo.control_y, CONTROL_Y_MASK),
    NV3_SAVE_BITS(pvideo.control_x, CONTROL_X_MASK),
    NV3_SAVE_BITS(pvideo.start, NV3_PVIDEO_START_MASK),
    NV3_SAVE_BITS(pvideo.pitch, NV3_PVIDEO_PITCH_MASK),
    NV3_SAVE_BITS(pvideo.offset, OFFSET_MASK),
    NV3_SAVE_BITS(pvideo.oe_state, OE_STATE_MASK),
    NV3_SAVE_BITS(pvideo.su_state, SU_STATE_MASK),
    NV3_SAVE_BITS(pvideo.rm_state, RM_STATE_MASK),
    NV3_SAVE_BITS(pvideo.window_start, NV3_PVIDEO_WINDOW_MASK),
    NV3_SAVE_BITS(pvideo.window_size, NV3_PVIDEO_WINDOW_MASK),
    NV3_SAVE_BITS(pvideo.fifo_thres, FIFO_THRES_MASK),
    NV3_SAVE_BITS(pvideo.fifo_burst, FIFO_BURST_MASK),
    NV3_SAVE(pvideo.key),
    NV3_SAVE_BITS(pvideo.overlay, OVERLAY_MASK),
    NV3_SAVE_BITS(pvideo.csc, CSC_MASK),
    NV3_SAVE_BITS(pvideo.csc_adjust, CSC_ADJUST_MASK),

    NV3_SAVE(pvideo.shown.on),
    NV3_SAVE(pvideo.shown.keyed),
    NV3_SAVE(pvideo.shown.yuy2),
    NV3_SAVE(pvideo.shown.smooth),
    NV3_SAVE(pvideo.shown.blur),
    NV3_SAVE_BITS(pvideo.shown.start, NV3_PVIDEO_START_MASK),
    NV3_SAVE_BITS(pvideo.shown.pitch, NV3_PVIDEO_PITCH_MASK),
    NV3_SAVE_MAX(pvideo.shown.skip, 1),
    NV3_SAVE_MAX(pvideo.shown.phase, NV3_PVIDEO_STEP_SIZE_ONE),
    NV3_SAVE_MAX(pvideo.shown.step_x, NV3_PVIDEO_STEP_SIZE_ONE),
    NV3_SAVE_MAX(pvideo.shown.step_y, NV3_PVIDEO_STEP_SIZE_ONE),
    NV3_SAVE_BITS(pvideo.shown.x, 0x7ff),
    NV3_SAVE_BITS(pvideo.shown.y, 0x7ff),
    NV3_SAVE_BITS(pvideo.shown.width, 0x7ff),
    NV3_SAVE_BITS(pvideo.shown.height, 0x7ff),
    NV3_SAVE(pvideo.shown.key),
    NV3_SAVE(pvideo.shown.csc),
};

const NV3StateBlock nv3_pvideo_state = NV3_STATE_BLOCK("pvideo", pvideo_fields);
