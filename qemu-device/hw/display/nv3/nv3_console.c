/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): the graphics console.
 *
 * In VGA modes, QEMU's VGA draws the picture. In the chip's own modes, the console's
 * surface is VRAM itself if the pixels need no conversion. With a cursor, an overlay or a
 * palette, the surface is separate memory, to which the core draws the lines whose VRAM
 * has changed. When the cursor moves, the core redraws only the lines at the cursor's old
 * and new positions.
 *
 * With host-cursor=on, QEMU's display (for example GTK or VNC) draws the cursor. This is
 * not the default, because screenshots (screendump) and VNC clients without support for
 * cursors would not show the cursor. A device cannot determine whether a display supports
 * cursors.
 *
 * While a driver sets a mode, the registers temporarily contain intermediate sizes, and
 * the screen is blank. Therefore, the surface keeps its size while the screen is blank.
 */

#include "qemu/osdep.h"
#include "exec/memory.h"
#include "ui/console.h"

#include "include/nv3_regs.h"
#include "nv3_glue.h"
#include "trace.h"

/* Maximum number of lines that are drawn without releasing the lock. */
#define LINES_A_TIME 32

static bool nv3_same_picture(const NV3Scanout *a, const NV3Scanout *b)
{
    return a->format == b->format && a->width == b->width &&
           a->height == b->height && a->offset == b->offset &&
           a->pitch == b->pitch && a->blank == b->blank &&
           (a->direct && !a->cursor.on) == (b->direct && !b->cursor.on);
}

static uint64_t nv3_picture_bytes(const NV3Scanout *out)
{
    return (uint64_t)out->pitch * out->height;
}

/* Returns the size of the VRAM that the CRTC can show. */
static uint32_t nv3_shown_vram(NV3DeviceState *s)
{
    return MIN(s->vga.vram_size, NV3_BAR1_VRAM_MAX);
}

static bool nv3_fits_vram(NV3DeviceState *s, const NV3Scanout *out)
{
    return out->pitch &&
           out->offset + nv3_picture_bytes(out) <= nv3_shown_vram(s);
}

/* Returns the format of the surface if VRAM itself can be the surface, else 0. */
static pixman_format_code_t nv3_direct_format(NV3DeviceState *s,
                                              const NV3Scanout *out)
{
    if (HOST_BIG_ENDIAN || !out->direct || out->cursor.on ||
        out->pitch % sizeof(uint32_t) || out->offset % sizeof(uint32_t) ||
        !nv3_fits_vram(s, out)) {
        return 0;
    }
    switch (out->format) {
    case NV3_SCANOUT_X8R8G8B8:
        return out->pitch / 4 >= out->width ? PIXMAN_x8r8g8b8 : 0;
    case NV3_SCANOUT_R5G6B5:
        return out->pitch / 2 >= out->width ? PIXMAN_r5g6b5 : 0;
    case NV3_SCANOUT_X1R5G5B5:
        return out->pitch / 2 >= out->width ? PIXMAN_x1r5g5b5 : 0;
    default:
        return 0;
    }
}

static void nv3_make_surface(NV3DeviceState *s, const NV3Scanout *out)
{
    NV3Console *c = &s->console;
    pixman_format_code_t format = nv3_direct_format(s, out);
    DisplaySurface *surface = NULL;

    trace_nv3_console_mode(out->format, out->width, out->height, out->offset,
                           out->pitch, format != 0);
    c->direct = format != 0;
    if (!out->width || !out->height) {
        /* no surface: the console shows a message */
    } else if (c->direct) {
        surface = qemu_create_displaysurface_from(out->width, out->height,
                                                  format, out->pitch,
                                                  s->vga.vram_ptr +
                                                  out->offset);
    } else {
        surface = qemu_create_displaysurface(out->width, out->height);
    }
    dpy_gfx_replace_surface(s->vga.con, surface);
}

/* Returns true if VRAM of line @y was dirty when @snap was taken. */
static bool nv3_line_dirty(NV3DeviceState *s, const NV3Scanout *out,
                           DirtyBitmapSnapshot *snap, uint32_t y)
{
    hwaddr line = out->offset + (hwaddr)out->pitch * y;

    return memory_region_snapshot_get_dirty(&s->vga.vram, snap, line,
                                            MIN(out->pitch,
                                                nv3_shown_vram(s) - line));
}

static void nv3_draw_lines(NV3DeviceState *s, const NV3Scanout *out,
                           uint32_t start, uint32_t end)
{
    DisplaySurface *surface = qemu_console_surface(s->vga.con);
    uint8_t *data = surface_data(surface);
    uint32_t y;

    s->console.drawn_lines += end - start;
    for (y = start; y < end; y++) {
        if ((y - start) % LINES_A_TIME == 0) {
            nv3_lock(s);
        }
        nv3_scanout_line(s->core, out, y,
                         (uint32_t *)(data + y * surface_stride(surface)));
        if ((y - start) % LINES_A_TIME == LINES_A_TIME - 1 || y == end - 1) {
            nv3_unlock(s);
        }
    }
}

static void nv3_show_lines(NV3DeviceState *s, const NV3Scanout *out,
                           uint32_t start, uint32_t end)
{
    if (!s->console.direct) {
        nv3_draw_lines(s, out, start, end);
    }
    dpy_gfx_update(s->vga.con, 0, start, out->width, end - start);
}

/* Draws the lines of the picture that were dirty when @snap was taken. */
static void nv3_show_dirty_lines(NV3DeviceState *s, const NV3Scanout *out,
                                 DirtyBitmapSnapshot *snap)
{
    uint32_t start = 0, y;
    bool dirty, run = false;

    for (y = 0; y < out->height; y++) {
        dirty = nv3_line_dirty(s, out, snap, y);
        if (dirty && !run) {
            start = y;
        } else if (!dirty && run) {
            nv3_show_lines(s, out, start, y);
        }
        run = dirty;
    }
    if (run) {
        nv3_show_lines(s, out, start, y);
    }
}

/*
 * Draws all lines of the overlay if its source image in VRAM was dirty when
 * @snap was taken.
 */
static void nv3_show_dirty_overlay(NV3DeviceState *s, const NV3Scanout *out,
                                   DirtyBitmapSnapshot *snap)
{
    if (out->overlay.lines &&
        memory_region_snapshot_get_dirty(&s->vga.vram, snap,
                                         out->overlay.offset,
                                         out->overlay.bytes)) {
        nv3_show_lines(s, out, out->overlay.top,
                       out->overlay.top + out->overlay.lines);
    }
}

/*
 * Draws what has changed since the last call. A snapshot clears the dirty bits of
 * whole words of the bitmap, which cover 256 KiB. The picture and the overlay
 * therefore share a snapshot of all VRAM.
 */
static void nv3_show_dirty(NV3DeviceState *s, const NV3Scanout *out)
{
    DirtyBitmapSnapshot *snap;

    snap = memory_region_snapshot_and_clear_dirty(&s->vga.vram, 0,
                                                  nv3_shown_vram(s),
                                                  DIRTY_MEMORY_VGA);
    nv3_show_dirty_lines(s, out, snap);
    nv3_show_dirty_overlay(s, out, snap);
    g_free(snap);
}

/*
 * Draws those lines of @out that the cursor covers at its position in @at, and updates
 * the covered rectangle of the display.
 */
static void nv3_show_cursor_at(NV3DeviceState *s, const NV3Scanout *out,
                               const NV3Scanout *at)
{
    int x0 = MAX(at->cursor.x, 0), y0 = MAX(at->cursor.y, 0);
    int x1 = MIN(at->cursor.x + NV3_CURSOR_SIZE, (int)out->width);
    int y1 = MIN(at->cursor.y + (int)at->cursor.lines, (int)out->height);

    if (at->cursor.on && x0 < x1 && y0 < y1) {
        nv3_draw_lines(s, out, y0, y1);
        dpy_gfx_update(s->vga.con, x0, y0, x1 - x0, y1 - y0);
    }
}

/*
 * If the cursor has changed, draws the lines that the cursor covers at its old position
 * and at its new position.
 */
static void nv3_show_cursor(NV3DeviceState *s, const NV3Scanout *old,
                            const NV3Scanout *out)
{
    if (old->cursor.on == out->cursor.on &&
        (!out->cursor.on ||
         (old->cursor.x == out->cursor.x && old->cursor.y == out->cursor.y &&
          old->cursor.lines == out->cursor.lines &&
          old->cursor.crc == out->cursor.crc))) {
        return;
    }
    nv3_show_cursor_at(s, out, old);
    nv3_show_cursor_at(s, out, out);
}

/*
 * Reads the cursor's image from the chip if host-cursor=on and the image has changed.
 * Called with the lock held.
 */
static void nv3_fetch_cursor(NV3DeviceState *s, const NV3Scanout *out)
{
    NV3Console *c = &s->console;

    if (!s->host_cursor || !out->cursor.on ||
        (c->image_known && c->image_crc == out->cursor.crc)) {
        return;
    }
    c->image_ok = nv3_cursor_image(s->core, c->image);
    c->image_crc = out->cursor.crc;
    c->image_known = true;
    c->defined_lines = 0;
}

static void nv3_define_cursor(NV3DeviceState *s, uint32_t lines)
{
    NV3Console *c = &s->console;
    QEMUCursor *cursor = cursor_alloc(NV3_CURSOR_SIZE, lines);
    uint32_t y;

    for (y = 0; y < lines; y++) {
        memcpy(cursor->data + y * NV3_CURSOR_SIZE,
               c->image + y * NV3_CURSOR_SIZE / lines * NV3_CURSOR_SIZE,
               NV3_CURSOR_SIZE * sizeof(c->image[0]));
    }
    dpy_cursor_define(s->vga.con, cursor);
    cursor_unref(cursor);
    c->defined_lines = lines;
}

/*
 * With host-cursor=on, passes the cursor to QEMU's display if the cursor's image is exact
 * (NV3Console). In this case, also clears out->cursor.on, so that the core does not draw
 * the cursor.
 */
static void nv3_host_cursor(NV3DeviceState *s, NV3Scanout *out)
{
    NV3Console *c = &s->console;
    bool on = s->host_cursor && out->cursor.on && c->image_ok;

    if (on && c->defined_lines != out->cursor.lines) {
        nv3_define_cursor(s, out->cursor.lines);
    }
    if (on != c->mouse_on || (on && (out->cursor.x != c->mouse_x ||
                                     out->cursor.y != c->mouse_y))) {
        c->mouse_on = on;
        c->mouse_x = out->cursor.x;
        c->mouse_y = out->cursor.y;
        dpy_mouse_set(s->vga.con, c->mouse_x, c->mouse_y, on);
    }
    if (on) {
        out->cursor.on = false;
    }
}

static void nv3_show_vga(NV3DeviceState *s, const NV3Scanout *out)
{
    NV3Console *c = &s->console;
    VGACommonState *vga = &s->vga;
    DisplaySurface *now = qemu_console_surface(vga->con);

    if (!c->valid || c->shown.format != NV3_SCANOUT_VGA ||
        c->shown.dac_8bit != out->dac_8bit) {
        vga->dac_8bit = out->dac_8bit;
        vga->hw_ops->invalidate(vga);
        /*
         * If graphic_mode is negative and the screen is blank, QEMU's VGA clears the
         * surface once. It takes the size of the surface from last_scr_width and
         * last_scr_height.
         */
        vga->last_scr_width = surface_width(now);
        vga->last_scr_height = surface_height(now);
        vga->graphic_mode = -1;
    }
    c->shown = *out;
    c->valid = true;
    vga->hw_ops->gfx_update(vga);
}

static void nv3_show_dark(NV3DeviceState *s, const NV3Scanout *out)
{
    NV3Console *c = &s->console;
    DisplaySurface *now = qemu_console_surface(s->vga.con);

    if (!c->valid || !c->shown.blank || c->shown.format == NV3_SCANOUT_VGA) {
        c->direct = false;
        dpy_gfx_replace_surface(s->vga.con,
                                qemu_create_displaysurface(surface_width(now),
                                                           surface_height(now)));
        dpy_gfx_update_full(s->vga.con);
    }
    c->shown = *out;
    c->valid = true;
}

static void nv3_gfx_update(void *opaque)
{
    NV3DeviceState *s = opaque;
    NV3Console *c = &s->console;
    NV3Scanout out, old;
    bool changed;

    nv3_lock(s);
    changed = nv3_scanout_changed(s->core);
    nv3_scanout(s->core, &out);
    nv3_fetch_cursor(s, &out);
    nv3_unlock(s);

    nv3_host_cursor(s, &out);
    if (out.format == NV3_SCANOUT_VGA) {
        nv3_show_vga(s, &out);
        return;
    }
    if (out.blank) {
        nv3_show_dark(s, &out);
        return;
    }
    if (!c->valid || !nv3_same_picture(&c->shown, &out)) {
        nv3_make_surface(s, &out);
        changed = true;
    }
    old = c->shown;
    c->shown = out;
    c->valid = true;
    if (!out.width || !out.height) {
        return;
    }
    /* If the picture wraps around at the end of VRAM, which is rare, draw all lines. */
    if (!nv3_fits_vram(s, &out)) {
        nv3_show_lines(s, &out, 0, out.height);
    } else if (changed) {
        memory_region_reset_dirty(&s->vga.vram, out.offset,
                                  nv3_picture_bytes(&out), DIRTY_MEMORY_VGA);
        nv3_show_lines(s, &out, 0, out.height);
    } else {
        nv3_show_dirty(s, &out);
        if (!c->direct) {
            nv3_show_cursor(s, &old, &out);
        }
    }
}

static void nv3_invalidate(void *opaque)
{
    NV3DeviceState *s = opaque;

    s->console.valid = false;
}

/* Updates the console's text. Only VGA modes have text. */
static void nv3_text_update(void *opaque, console_ch_t *text)
{
    NV3DeviceState *s = opaque;
    NV3Scanout out;

    nv3_lock(s);
    nv3_scanout(s->core, &out);
    nv3_unlock(s);
    if (out.format != NV3_SCANOUT_VGA) {
        return;
    }
    if (s->console.shown.format != NV3_SCANOUT_VGA) {
        s->console.valid = false;
    }
    s->vga.hw_ops->text_update(&s->vga, text);
}

static void nv3_ui_info(void *opaque, uint32_t head, QemuUIInfo *info)
{
    NV3DeviceState *s = opaque;

    if (nv3_ddc_prefer(s, info->width, info->height)) {
        nv3_lock(s);
        nv3_monitor_changed(s->core);
        nv3_unlock(s);
    }
}

static const GraphicHwOps nv3_console_ops = {
    .invalidate = nv3_invalidate,
    .gfx_update = nv3_gfx_update,
    .text_update = nv3_text_update,
    .ui_info = nv3_ui_info,
};

void nv3_console_init(NV3DeviceState *s)
{
    s->vga.con = graphic_console_init(DEVICE(s), 0, &nv3_console_ops, s);
}

void nv3_console_reset(NV3DeviceState *s)
{
    s->console.valid = false;
}

void nv3_console_exit(NV3DeviceState *s)
{
    graphic_console_close(s->vga.con);
}
