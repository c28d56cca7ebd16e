/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models the timing of the CRTC: the geometry of the picture, the number of vertical
 * blanks, and the CRC of a frame.
 *
 * frame_now() computes the number of vertical blanks from the clock. A timer runs only
 * while an interrupt or a CRC is due at the next vertical blank.
 *
 * Sources for the CRTC registers and their extension bits: xf86-video-nv's riva_dac.c and
 * riva_hw.c; rnndb display/nv_vga.xml; rivatv's notes on the RIVA 128 ("Extra CRTC
 * registers", "RAMDAC").
 */
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/state_table.h"
#include "display/display.h"
#include "display/pvideo.h"

#define NS_PER_S 1000000000ull

/* The minimum length of a frame in ns, which limits the host's CPU time for frames. */
#define FRAME_NS_MIN 1000000ull

/* The maximum frequency of VPLL (riva_hw.c, MaxVClockFreqKHz). */
#define PIXEL_CLOCK_MAX 256000000ull

/*
 * After a read of the CRC, the chip computes a CRC at the end of each of the next
 * CRC_FRAMES frames. Software that reads the CRC of every frame may therefore read each
 * CRC up to one frame late.
 */
#define CRC_FRAMES 2
/*
 * CRCs are computed only for pictures with at most this number of pixels. The largest
 * mode, 1600 x 1200, has fewer pixels.
 */
#define CRC_PIXELS (2u << 20)
/* Cost of converting a pixel and computing the CRC of its four bytes. */
#define CRC_COST_PIXEL 2

/* VGA registers with their usual names. */
enum {
    CR_HTOTAL = 0x00,
    CR_HDISPLAY = 0x01,
    CR_VTOTAL = 0x06,
    CR_OVERFLOW = 0x07,
    CR_MAX_SCAN = 0x09,
    CR_START_HIGH = 0x0c,
    CR_START_LOW = 0x0d,
    CR_VDISPLAY = 0x12,
    CR_OFFSET = 0x13,
    CR_MODE = 0x17,
};

#define MAX_SCAN_ROWS       0x1f
#define MAX_SCAN_DOUBLE     0x80
#define MODE_RUN            0x80
#define MISC_CLOCK_SHIFT    2
#define SEQ1_8_DOTS         0x01
#define SEQ1_CLOCK_HALF     0x08
#define SEQ1_SCREEN_OFF     0x20
#define REPAINT_1_NO_SYNC   0xc0    /* neither horizontal nor vertical sync */

typedef struct Timing {
    uint32_t htotal, hdisplay;      /* characters */
    uint32_t vtotal, vdisplay;      /* lines */
} Timing;

static uint32_t bit_to(uint8_t reg, unsigned from, unsigned to)
{
    return (uint32_t)(reg >> from & 1) << to;
}

static bool is_vga(const NV3State *s)
{
    return !(s->display.crtc[NV3_CRTC_PIXEL_FORMAT] & 3);
}

bool nv3_display_owns_vga_mem(const NV3State *s)
{
    return !is_vga(s);
}

void nv3_display_own_vga_mem(NV3State *s)
{
    if (s->ops.vga_mem_own) {
        s->ops.vga_mem_own(s->opaque, nv3_display_owns_vga_mem(s));
    }
}

static void get_timing(const NV3State *s, Timing *t)
{
    const uint8_t *cr = s->display.crtc;
    uint8_t over = cr[CR_OVERFLOW];
    uint8_t horz = cr[NV3_CRTC_EXT_HORZ];
    uint8_t vert = cr[NV3_CRTC_EXT_VERT];

    t->htotal = (cr[CR_HTOTAL] | bit_to(horz, 0, 8)) + 5;
    t->hdisplay = (cr[CR_HDISPLAY] | bit_to(horz, 1, 8)) + 1;
    t->vtotal = (cr[CR_VTOTAL] | bit_to(over, 0, 8) | bit_to(over, 5, 9) |
                 bit_to(vert, 0, 10)) + 2;
    t->vdisplay = (cr[CR_VDISPLAY] | bit_to(over, 1, 8) | bit_to(over, 6, 9) |
                   bit_to(vert, 1, 10)) + 1;
}

/*
 * Returns the pixel clock in Hz. The name of VCLK_DB2 suggests that this bit halves the
 * clock. However, drivers set the bit in every mode and program VPLL to the undivided
 * pixel clock (riva_hw.c, CalcStateExt()), so the model ignores it.
 */
static uint64_t pixel_clock_hz(const NV3State *s)
{
    const NV3Display *d = &s->display;
    uint32_t control = d->pll_control;

    if ((control & NV3_PLL_CONTROL_VPLL_BYPASS) ||
        (control & NV3_PLL_CONTROL_PCLK_SOURCE) == NV3_PLL_CONTROL_PCLK_XTAL) {
        return nv3_crystal_hz(s);
    }
    /*
     * The clock comes from the video port. No device is attached to the port, so the
     * clock is stopped.
     */
    if ((control & NV3_PLL_CONTROL_PCLK_SOURCE) == NV3_PLL_CONTROL_PCLK_VIP) {
        return 0;
    }
    if (control & NV3_PLL_CONTROL_VPLL_PROG) {
        return nv3_pll_hz(s, d->vpll);
    }
    return (d->misc >> MISC_CLOCK_SHIFT & 3) == 1 ? 28322000 : 25175000;
}

static uint64_t frame_period(const NV3State *s)
{
    const NV3Display *d = &s->display;
    uint64_t hz = pixel_clock_hz(s);
    unsigned dots = 8;
    uint64_t ns;
    Timing t;

    if (!hz || !(d->crtc[CR_MODE] & MODE_RUN) ||
        s->pfb.green_0 >= NV3_PFB_GREEN_TIMING_OFF) {
        return 0;
    }
    hz = hz < PIXEL_CLOCK_MAX ? hz : PIXEL_CLOCK_MAX;
    get_timing(s, &t);
    if (is_vga(s)) {
        dots = d->seq_clock & SEQ1_8_DOTS ? 8 : 9;
        if (d->seq_clock & SEQ1_CLOCK_HALF) {
            hz /= 2;
        }
    }
    ns = (uint64_t)t.htotal * dots * t.vtotal * NS_PER_S / hz;
    return ns < FRAME_NS_MIN ? FRAME_NS_MIN : ns;
}

/* Returns the number of vertical blanks that have begun since power-on. */
static uint64_t frame_now(NV3State *s)
{
    const NV3Display *d = &s->display;

    if (!d->frame_ns) {
        return d->base_frame;
    }
    return d->base_frame + (nv3_clock(s) - d->base_ns) / d->frame_ns;
}

static void set_timer(NV3State *s)
{
    NV3Display *d = &s->display;
    uint64_t frame = frame_now(s);
    uint64_t due = UINT64_MAX;

    if (d->frame_ns && ((s->pgraph.intr_en & NV3_PGRAPH_INTR_VBLANK) ||
                        frame < d->crc_until || nv3_pvideo_waits(s))) {
        due = d->base_ns + (frame - d->base_frame + 1) * d->frame_ns;
    }
    if (s->ops.timer_set) {
        s->ops.timer_set(s->opaque, NV3_TIMER_VBLANK, due);
    }
}

void nv3_display_wake(NV3State *s)
{
    set_timer(s);
}

void nv3_display_retime(NV3State *s)
{
    NV3Display *d = &s->display;
    uint64_t ns = frame_period(s);

    d->changed = true;
    if (ns != d->frame_ns) {
        d->base_frame = frame_now(s);
        d->base_ns = nv3_clock(s);
        d->frame_ns = ns;
        set_timer(s);
    }
}

uint32_t nv3_display_line(NV3State *s)
{
    const NV3Display *d = &s->display;
    uint64_t since_blank;
    Timing t;

    get_timing(s, &t);
    if (!d->frame_ns) {
        return 0;
    }
    since_blank = (nv3_clock(s) - d->base_ns) % d->frame_ns;
    return (t.vdisplay + since_blank * t.vtotal / d->frame_ns) % t.vtotal;
}

uint32_t nv3_display_line_repeat(const NV3State *s)
{
    uint8_t scan = s->display.crtc[CR_MAX_SCAN];

    return ((scan & MAX_SCAN_ROWS) + 1) * (scan & MAX_SCAN_DOUBLE ? 2 : 1);
}

/* ---- start address ------------------------------------------------------- */

/*
 * Returns the start address in bytes. The registers contain the start address in units of
 * four bytes (riva_hw.c, SetStartAddress()).
 */
static uint32_t start_registers(const NV3State *s)
{
    const uint8_t *cr = s->display.crtc;

    return (cr[CR_START_LOW] | cr[CR_START_HIGH] << 8 |
            (cr[NV3_CRTC_REPAINT_0] & 0x1f) << 16 |
            (cr[NV3_CRTC_EXT_HORZ] >> 5 & 3) << 21) * 4;
}

void nv3_display_latch(NV3State *s)
{
    NV3Display *d = &s->display;
    uint64_t frame = frame_now(s);
    uint64_t frames = frame - d->start_frame;
    uint32_t start;

    /*
     * A stopped CRTC does not scan out a frame, so it latches the start address
     * immediately.
     */
    if (!frames && d->frame_ns) {
        return;
    }
    d->start_frame = frame;
    start = start_registers(s);
    if (start != d->start) {
        d->start = start;
        d->changed = true;
    }
    nv3_pvideo_latch(s, frames);
}

/* ---- scanout geometry ---------------------------------------------------- */

static NV3ScanoutFormat scanout_format(const NV3State *s)
{
    switch (s->display.crtc[NV3_CRTC_PIXEL_FORMAT] & 3) {
    case 1:
        return NV3_SCANOUT_C8;
    case 2:
        return s->display.general & NV3_GENERAL_ALT_MODE ?
               NV3_SCANOUT_R5G6B5 : NV3_SCANOUT_X1R5G5B5;
    case 3:
        return NV3_SCANOUT_X8R8G8B8;
    default:
        return NV3_SCANOUT_VGA;
    }
}

static uint32_t pitch_bytes(const NV3State *s)
{
    const uint8_t *cr = s->display.crtc;

    return (cr[CR_OFFSET] | (cr[NV3_CRTC_REPAINT_0] & 0xe0) << 3 |
            bit_to(cr[NV3_CRTC_EXT_VERT], 5, 11)) * 8;
}

/*
 * Returns true if the CRTC blanks the screen. The function ignores the bit for the
 * palette address source in the attribute controller, because the Linux driver rivafb
 * leaves this bit clear but nevertheless shows a picture.
 */
static bool is_blank(const NV3State *s)
{
    const NV3Display *d = &s->display;

    return !d->frame_ns || s->pfb.green_0 ||
           (d->seq_clock & SEQ1_SCREEN_OFF) ||
           (d->crtc[NV3_CRTC_REPAINT_1] & REPAINT_1_NO_SYNC) ||
           (d->general & NV3_GENERAL_DAC_SLEEP);
}

void nv3_scanout(NV3State *s, NV3Scanout *out)
{
    const NV3Display *d = &s->display;
    Timing t;

    nv3_display_latch(s);
    get_timing(s, &t);
    *out = (NV3Scanout) {
        .format = scanout_format(s),
        .offset = d->start & (s->vram_reach - 1),
        .pitch = pitch_bytes(s),
        .refresh_mhz = d->frame_ns ? NS_PER_S * 1000 / d->frame_ns : 0,
        .blank = is_blank(s),
        .dac_8bit = d->general & NV3_GENERAL_BPC_8,
    };
    /*
     * The CRTC generates a picture only if the total numbers of characters and lines
     * exceed the displayed numbers.
     */
    if (d->frame_ns && t.hdisplay < t.htotal && t.vdisplay < t.vtotal) {
        out->width = t.hdisplay * 8;
        out->height = t.vdisplay / nv3_display_line_repeat(s);
    }
    if (out->format != NV3_SCANOUT_VGA && !out->blank) {
        nv3_overlay_extent(s, out);
        nv3_cursor_extent(s, out);
    }
    out->direct = out->format != NV3_SCANOUT_VGA &&
                  out->format != NV3_SCANOUT_C8 && !out->blank &&
                  !out->overlay.lines &&
                  (d->general & NV3_GENERAL_PIXMIX_ON) != NV3_GENERAL_PIXMIX_ON;
}

/* ---- vertical blank ------------------------------------------------------ */

static void tell_pgraph(NV3State *s)
{
    NV3Display *d = &s->display;
    uint64_t frame = frame_now(s);

    if (frame != d->told_frame) {
        d->told_frame = frame;
        s->pgraph.intr |= NV3_PGRAPH_INTR_VBLANK;
        nv3_update_irq(s);
    }
}

/*
 * If the interrupt is enabled, only the timer sets INTR's bit for a vertical blank, even
 * if the host runs the timer late. Before a write clears the bit, graph/regs.c calls this
 * function. If the function set the bit for a newer blank, the write would clear this
 * bit, too, and software would lose the newer interrupt.
 */
void nv3_display_sync(NV3State *s)
{
    if (!(s->pgraph.intr_en & NV3_PGRAPH_INTR_VBLANK)) {
        tell_pgraph(s);
    }
}

void nv3_display_intr_en(NV3State *s)
{
    tell_pgraph(s);
    set_timer(s);
}

/* ---- frame count and CRC ------------------------------------------------- */

/* Starts to compute the CRC of the frame that ended with vertical blank @frame. */
static void crc_start(NV3State *s, uint64_t frame)
{
    NV3Display *d = &s->display;

    d->crc_work.on = true;
    d->crc_work.frame = frame;
    d->crc_work.line = 0;
    d->crc_work.crc = 0;
    nv3_scanout(s, &d->crc_work.out);
    d->crc_work.overlay = s->pvideo.shown;
    if (d->crc_work.out.format == NV3_SCANOUT_VGA ||
        d->crc_work.out.width * d->crc_work.out.height > CRC_PIXELS) {
        d->crc_work.out.height = 0;
    }
}

/* Adds up to @lines more lines of the frame to the CRC. */
static void crc_lines(NV3State *s, uint32_t lines)
{
    NV3Display *d = &s->display;
    const NV3Scanout *out = &d->crc_work.out;
    const NV3Overlay shown = s->pvideo.shown;
    uint32_t line[NV3_SCANOUT_WIDTH_MAX];

    /*
     * Use this frame's overlay. Since the end of this frame, a register access may have
     * latched the overlay of the next frame.
     */
    s->pvideo.shown = d->crc_work.overlay;
    for (; lines && d->crc_work.line < out->height; lines--, d->crc_work.line++) {
        nv3_scanout_line(s, out, d->crc_work.line, line);
        d->crc_work.crc = nv3_crc32(d->crc_work.crc, line,
                                    out->width * sizeof(line[0]));
    }
    s->pvideo.shown = shown;
    if (d->crc_work.line >= out->height) {
        d->crc_work.on = false;
        d->crc_frame = d->crc_work.frame;
        d->crc = d->crc_work.crc;
        nv3_display_latch(s);
        tell_pgraph(s);
    }
}

void nv3_display_crc_finish(NV3State *s)
{
    if (s->display.crc_work.on) {
        crc_lines(s, UINT32_MAX);
    }
}

bool nv3_display_crc_run(NV3State *s)
{
    NV3Display *d = &s->display;
    uint32_t width = d->crc_work.out.width;

    if (!d->crc_work.on) {
        return false;
    }
    crc_lines(s, NV3_SLICE_COST / ((width + 1) * CRC_COST_PIXEL) + 1);
    return true;
}

uint32_t nv3_display_frame(NV3State *s)
{
    return frame_now(s);
}

/*
 * Returns the last complete CRC, and requests the CRCs of the next frames. A register
 * access must be short, so the function does not compute a CRC itself.
 */
uint32_t nv3_display_crc(NV3State *s)
{
    NV3Display *d = &s->display;
    uint64_t frame = frame_now(s);
    bool armed = frame < d->crc_until;

    d->crc_until = frame + CRC_FRAMES + 1;
    if (!armed) {
        set_timer(s);
    }
    return d->crc;
}

uint32_t nv3_display_crc_frame(NV3State *s)
{
    return s->display.crc_frame;
}

/*
 * Handles the start of a vertical blank. The CRC of a large picture takes milliseconds,
 * so the engine computes a due CRC in slices. Until the CRC is complete, the chip delays
 * the interrupt of this blank, and does not latch the next start address. Software that
 * waits for the interrupt can therefore read the CRC before it draws or flips again.
 */
void nv3_display_expired(NV3State *s)
{
    NV3Display *d = &s->display;
    uint64_t frame = frame_now(s);

    /*
     * Set start_frame temporarily, so that crc_start() does not latch the next start
     * address. The frame that has ended used the previous start address.
     */
    if (frame < d->crc_until && d->crc_frame != frame && !d->crc_work.on) {
        d->start_frame = frame;
        crc_start(s, frame);
        d->start_frame = frame - 1;
    }
    if (d->crc_work.on) {
        nv3_kick(s);
    } else {
        nv3_display_latch(s);
        tell_pgraph(s);
    }
    set_timer(s);
}

/* ---- reset --------------------------------------------------------------- */

void nv3_display_reset(NV3State *s)
{
    NV3Display *d = &s->display;
    uint64_t frame = frame_now(s);

    /* A reset keeps the number of vertical blanks since power-on. */
    *d = (NV3Display) {
        .base_frame = frame,
        .base_ns = nv3_clock(s),
        .told_frame = frame,
        .start_frame = frame,
        .crc_frame = UINT64_MAX,
        .dac.pixel_mask = 0xff,
        .changed = true,
    };
    nv3_display_own_vga_mem(s);
    set_timer(s);
}

/* ---- saved state --------------------------------------------------------- */

static const NV3StateField display_fields[] = {
    NV3_SAVE(display.cursor_pos),
    NV3_SAVE(display.dll),
    NV3_SAVE(display.mpll),
    NV3_SAVE(display.vpll),
    NV3_SAVE(display.pll_control),
    NV3_SAVE(display.general),
    NV3_SAVE(display.tv),

    NV3_SAVE(display.crtc),
    NV3_SAVE(display.crtc_index),
    NV3_SAVE(display.seq_index),
    NV3_SAVE(display.seq_clock),
    NV3_SAVE(display.misc),
    NV3_SAVE(display.unlocked),

    NV3_SAVE(display.dac.palette),
    NV3_SAVE(display.dac.pixel_mask),
    NV3_SAVE(display.dac.write_index),
    NV3_SAVE(display.dac.read_index),
    NV3_SAVE_MAX(display.dac.component, 2),
    NV3_SAVE(display.dac.reading),
    NV3_SAVE(display.dac.latch),

    NV3_SAVE(display.rma.address),
    NV3_SAVE(display.rma.data),
    NV3_NOT_SAVED(display.rma.busy),        /* set only during an access */

    NV3_SAVE_TIME(display.base_ns),
    NV3_SAVE(display.base_frame),
    NV3_NOT_SAVED(display.frame_ns),        /* computed from registers */
    NV3_SAVE(display.told_frame),

    NV3_SAVE(display.start),
    NV3_SAVE(display.start_frame),

    NV3_SAVE(display.crc),
    NV3_SAVE(display.crc_frame),
    NV3_SAVE(display.crc_until),

    /* After a load, the host's console redraws the whole picture. */
    NV3_NOT_SAVED(display.changed),

    NV3_NOT_SAVED(display.crc_work),        /* nv3_image_save() completes it */
};

static void display_loaded(NV3State *s)
{
    NV3Display *d = &s->display;

    d->frame_ns = frame_period(s);
    d->changed = true;
    d->crc_work.on = false;
    nv3_display_own_vga_mem(s);
    nv3_display_wake(s);
}

const NV3StateBlock nv3_display_state =
    NV3_STATE_BLOCK("display", display_fields, .loaded = display_loaded);
