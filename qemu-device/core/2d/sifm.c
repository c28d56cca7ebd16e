/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x0e, SIFM: scales an image from memory. The image is RGB, packed YUV, or YUV in
 * three planes. Methods and registers: envytools hwtest/pgraph_class_sifm.cc.
 *
 * No documentation states which pixels silicon draws. In this model, output pixel n of a
 * line shows the source pixel in column u + n * du/dx, clamped to the source's width. u
 * is from method SOURCE, and du/dx is the value of DU_DX. The same rule applies to lines,
 * with v and DV_DY. There is no filter. On NV4, bits of PITCH select a filter, but on NV3
 * these bits are invalid data (hwtest, MthdSifmPitch). YUV is ITU-R BT.601 with luma 16
 * to 235.
 */
#include "2d/classes.h"
#include "2d/target.h"
#include "2d/vector.h"
#include "chip/cost.h"
#include "graph/dmaobj.h"
#include "graph/pgraph.h"
#include "graph/surface.h"
#include "graph/vertex.h"
#include "chip/le.h"

#define FORMAT_YUYV     5
#define FORMAT_UYVY     6
#define FORMAT_PLANES   7

#define SIZE_MAX_PIXELS 0x400
#define WIDTH_MASK      0x7ff       /* mask of the width in MISC24_1 */
#define FRACTION        20
#define COST_DIRECT     2               /* cost of a pixel in draw_direct() */

/*
 * Bits of VALID for the methods that describe the source. Drawing also requires the bits
 * for the methods that describe the output.
 */
#define VALID_POS       (1u << 8)
#define VALID_SIZE      (1u << 9)
#define VALID_PITCH     (1u << 10)
#define VALID_OFFSET    (1u << 11)
#define VALID_YUV_POS   (1u << 12)
#define VALID_YUV_SIZE  (1u << 13)
#define VALID_YUV_PITCH (1u << 14)
#define VALID_YUV_OFFSET(i) (1u << (15 + (i)))

typedef struct Sifm {
    unsigned format;
    uint32_t inst;
    uint32_t width, height;     /* size of the source */
    int32_t x, y;               /* position of the output */
    uint32_t u, v;              /* source position of the first output pixel, 12.20 */
    int32_t du, dv;
    NV3Target target;
    /*
     * True if an R5G5B5 image is drawn to an X8R8G8B8 surface without scaling. In this
     * case a drawn pixel is the result of nv3_vector_widened() for the source pixel, with
     * the bits of @base set.
     */
    bool direct;
    uint32_t base;
    NV3Simd simd;
    int32_t row;                /* source row that @line contains, or -1 for none */
    uint8_t line[3][(WIDTH_MASK + 1) * 4];
} Sifm;

static unsigned source_format(const NV3Pgraph *g)
{
    return g->ctx_switch & NV3_GROBJ_COLOR_FORMAT;
}

/*
 * Returns true if PGRAPH interprets the current method as a method for an image with
 * three planes. If the method switches objects, PGRAPH uses the options of the previous
 * object (NV3Pgraph.before; hwtest, MthdTest::adjust_orig()).
 */
static bool accepts_planes(const NV3Pgraph *g)
{
    return (g->before.options & NV3_GROBJ_COLOR_FORMAT) == FORMAT_PLANES;
}

static bool is_yuv(unsigned format)
{
    return format >= FORMAT_YUYV;
}

static uint32_t clamp_to(int64_t fixed, uint32_t count)
{
    int64_t val = fixed >> FRACTION;

    return val < 0 ? 0 : val >= count ? count - 1 : val;
}

static bool read_row(NV3State *s, const Sifm *m, unsigned plane, uint64_t row,
                     uint32_t pitch, uint32_t bytes, uint8_t *buf,
                     NV3Fault *fault)
{
    uint64_t at = s->pgraph.dma.offset[plane] + row * pitch;

    if (at > UINT32_MAX) {
        *fault = (NV3Fault) {
            .reason = NV3_PDMA_INTR_LIMIT, .inst = m->inst, .offset = ~0u,
        };
        return false;
    }
    return nv3_dmaobj_read(s, m->inst, at, buf, bytes, fault);
}

/*
 * Fetches line @row of the source, unless @line already contains this row. Returns
 * false and sets @fault if an access fails.
 */
static bool fetch(NV3State *s, Sifm *m, int32_t row, NV3Fault *fault)
{
    uint32_t pitch = s->pgraph.dma.pitch & 0xffff;
    uint32_t bytes = m->width * nv3_color_bytes(&s->pgraph);
    uint32_t half = (m->width + 1) / 2;

    if (row == m->row) {
        return true;
    }
    if (m->format != FORMAT_PLANES) {
        /* Packed YUV has four bytes per pair of pixels. */
        if (is_yuv(m->format)) {
            bytes = half * 4;
        }
        if (!read_row(s, m, 0, row, pitch, bytes, m->line[0], fault)) {
            return false;
        }
    } else if (!read_row(s, m, 0, row, pitch, m->width, m->line[0], fault) ||
               !read_row(s, m, 1, row / 2, s->pgraph.dma.pitch >> 16, half,
                         m->line[1], fault) ||
               !read_row(s, m, 2, row / 2, s->pgraph.dma.pitch >> 16, half,
                         m->line[2], fault)) {
        return false;
    }
    m->row = row;
    return true;
}

static uint16_t component(int val)
{
    val >>= 8;
    return (val < 0 ? 0 : val > 255 ? 255 : val) << 2;
}

static NV3Color from_yuv(int y, int u, int v)
{
    int c = 298 * (y - 16) + 128;

    u -= 128;
    v -= 128;
    return (NV3Color) {
        .r = component(c + 409 * v),
        .g = component(c - 100 * u - 208 * v),
        .b = component(c + 516 * u),
        .a = 0xff, .y8 = y, .y16 = y << 8, .mode = NV3_MODE_RGB8,
    };
}

static NV3Color source_pixel(const NV3Pgraph *g, const Sifm *m, uint32_t u)
{
    const uint8_t *pair = &m->line[0][u / 2 * 4];
    unsigned bytes = nv3_color_bytes(g);

    switch (m->format) {
    case FORMAT_YUYV:
        return from_yuv(pair[u & 1 ? 2 : 0], pair[1], pair[3]);
    case FORMAT_UYVY:
        return from_yuv(pair[u & 1 ? 3 : 1], pair[0], pair[2]);
    case FORMAT_PLANES:
        return from_yuv(m->line[0][u], m->line[1][u / 2], m->line[2][u / 2]);
    default:
        return nv3_color_expand(g, nv3_pixel_load(&m->line[0][u * bytes],
                                                  bytes));
    }
}

static uint32_t direct_pixel(const NV3Pgraph *g, const NV3Rop *rop, uint32_t color)
{
    return nv3_rop_pixel(rop, 0, 0, 0, nv3_color_expand(g, color));
}

static void direct_init(const NV3Pgraph *g, Sifm *m, NV3Simd simd)
{
    const NV3Rop *rop = &m->target.rop;

    m->direct = m->format == NV3_GROBJ_FORMAT_R5G5B5 &&
                !(g->ctx_switch & NV3_GROBJ_ALPHA) && nv3_rop_is_copy(rop) &&
                !rop->needs_pattern_a && m->target.surf[0].cpp == 4 &&
                m->du == 1 << FRACTION;
    if (m->direct) {
        m->simd = nv3_simd_select(simd);
        m->base = direct_pixel(g, rop, 0);
        /*
         * A copy processes each bit independently of all other bits, so it suffices to
         * test each bit alone.
         */
        for (uint32_t bit = 1; bit < 0x8000; bit <<= 1) {
            m->direct &= direct_pixel(g, rop, bit) == (m->base | nv3_vector_widened(bit));
        }
    }
}

static bool sifm_init(NV3State *s, Sifm *m)
{
    NV3Pgraph *g = &s->pgraph;

    m->format = source_format(g);
    m->inst = g->dma_inst;
    m->width = nv3_bits(g->misc24[1], 0, 11);
    m->height = nv3_bits(g->misc24[1], 11, 11);
    m->x = nv3_lo16(g->vtx_x[0]);
    m->y = nv3_lo16(g->vtx_y[0]);
    /* The register contains the position in 12.4 format. */
    m->u = g->misc32[1] << 16;
    m->v = g->misc32[1] & 0xffff0000;
    m->du = g->misc32[0];
    m->dv = g->vtx_y[3];
    m->row = -1;
    if (!m->width || !m->height ||
        !nv3_target_init(s, &m->target, is_yuv(m->format) ? NV3_MODE_RGB8 :
                         nv3_color_expand(g, 0).mode)) {
        return false;
    }
    direct_init(g, m, s->config.simd);
    return true;
}

/* Returns the source column for column @x of the output. */
static int64_t source_column(const Sifm *m, int32_t x)
{
    return ((int32_t)m->u + (int64_t)m->du * (x - m->x)) >> FRACTION;
}

static bool is_direct(const Sifm *m, const NV3Rect *r)
{
    int64_t u = source_column(m, r->x0);

    return m->direct && u >= 0 && u + (r->x1 - r->x0) <= m->width;
}

/*
 * Draws the fetched line with SIMD. Returns false if the line must be drawn pixel by
 * pixel.
 */
static bool draw_direct(NV3State *s, Sifm *m, const NV3Rect *r, int32_t y)
{
    int64_t u = source_column(m, r->x0);
    int32_t count = r->x1 - r->x0;
    uint8_t *p;

    if (!is_direct(m, r)) {
        return false;
    }
    p = nv3_target_line(s, &m->target, r->x0, r->x1, y);
    if (!p) {
        return false;
    }
    nv3_vector_widen(m->simd, p, &m->line[0][u * 2], count, m->base);
    return true;
}

static bool draw_line(NV3State *s, Sifm *m, const NV3Rect *r, int32_t y,
                      NV3Fault *fault)
{
    int64_t v = (int32_t)m->v + (int64_t)m->dv * (y - m->y);

    if (!fetch(s, m, clamp_to(v, m->height), fault)) {
        return false;
    }
    if (draw_direct(s, m, r, y)) {
        return true;
    }
    for (int32_t x = r->x0; x < r->x1; x++) {
        int64_t u = (int32_t)m->u + (int64_t)m->du * (x - m->x);

        nv3_target_put(s, &m->target, x, y,
                       source_pixel(&s->pgraph, m, clamp_to(u, m->width)));
    }
    return true;
}

/* Returns the cost of an output line, including the fetch of a source line. */
static uint64_t line_cost(const NV3State *s, const Sifm *m, const NV3Rect *r)
{
    uint32_t width = r->x1 - r->x0;
    unsigned planes = m->format == FORMAT_PLANES ? 3 : 1;
    uint64_t cost = planes * NV3_COST_DMA +
                    nv3_cost_bytes((uint64_t)m->width * nv3_color_bytes(&s->pgraph));

    if (is_direct(m, r) && m->target.surfaces == 1 && !m->target.clip.count) {
        return cost + NV3_COST_LINE + width * COST_DIRECT;
    }
    return cost + (uint64_t)width * NV3_COST_PIXEL * (m->target.surfaces + 1);
}

NV3JobResult nv3_sifm_run(NV3State *s, NV3Job *job)
{
    NV3JobResult result = NV3_JOB_DONE;
    NV3Rect r = job->rect;
    NV3Fault fault;
    Sifm m;

    if (!sifm_init(s, &m)) {
        return NV3_JOB_DONE;
    }
    r.y0 += job->line;
    r.y1 = r.y0 + nv3_job_lines(s, job, line_cost(s, &m, &r));
    for (int32_t y = r.y0; y < r.y1; y++) {
        if (!draw_line(s, &m, &r, y, &fault)) {
            nv3_pdma_fault(s, &fault, false);
            result = NV3_JOB_FAILED;
            break;
        }
        job->line++;
    }
    nv3_target_done(s, &m.target);
    if (result == NV3_JOB_DONE &&
        job->line < (uint32_t)(job->rect.y1 - job->rect.y0)) {
        result = NV3_JOB_MORE;
    }
    return result;
}

static void sifm_point(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->valid |= NV3_VALID_X(0) | VALID_YUV_POS;
    g->valid &= ~NV3_VALID_NOCLIP;
    g->vtx_x[0] = nv3_lo16(data);
    g->vtx_y[4] = nv3_hi16(data);
    nv3_vtx_clear_index(g);
    nv3_vtx_bump_index(g);
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] |= NV3_XY1_STARTED;
    g->xy_misc[3] &= ~0x100;
    nv3_vtx_note(s, NV3_X, 0, (NV3VtxFlags) { 0 },
                 nv3_clip_status(s, g->vtx_x[0], NV3_X, false));
    nv3_vtx_note(s, NV3_Y, 0, (NV3VtxFlags) { 0 },
                 nv3_clip_status(s, g->vtx_y[4], NV3_Y, false));
}

static void sifm_out_size(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->valid |= NV3_VALID_X(1) | VALID_SIZE;
    nv3_vtx_add(s, NV3_X, 1, (NV3VtxSum) {
        .a = g->vtx_x[0], .b = data & 0xffff,
    });
    nv3_vtx_add(s, NV3_Y, 1, (NV3VtxSum) { .b = data >> 16 });
    nv3_vtx_bump_index(g);
    nv3_vtx_compare(s, NV3_X, 8, true);
    nv3_vtx_compare(s, NV3_Y, 8, true);
}

/*
 * Stores the step @data in 4 bits of @reg (XY_MISC_1 or XY_MISC_2), in units of 1/8 and
 * with saturation.
 */
static void note_step(uint32_t *reg, uint32_t data)
{
    uint32_t whole = data >> 17;

    if (whole >= 0x7ff8) {
        whole &= 0xf;
    } else if (whole >= 0x4000) {
        whole = 9;
    } else if (whole > 7) {
        whole = 7;
    }
    *reg = (*reg & ~0x0f000000u) | whole << 24;
}

static NV3MthdResult sifm_in_size(NV3Pgraph *g, uint32_t data)
{
    uint32_t width = data & 0xffff, height = data >> 16;

    g->misc24[0] = width;
    g->misc24[1] = (g->misc24[1] & ~0x3fffffu) | (width & WIDTH_MASK) |
                   (height & WIDTH_MASK) << 11;
    if (accepts_planes(g)) {
        g->valid |= VALID_YUV_SIZE;
        g->valid &= ~VALID_SIZE;
    } else {
        g->valid |= VALID_SIZE;
        g->valid &= ~VALID_YUV_SIZE;
    }
    return width <= SIZE_MAX_PIXELS && height <= SIZE_MAX_PIXELS ?
           NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
}

static NV3MthdResult sifm_pitch(NV3Pgraph *g, uint32_t data)
{
    if (accepts_planes(g)) {
        g->dma.pitch = data;
        g->valid |= VALID_YUV_PITCH;
        g->valid &= ~VALID_PITCH;
        return NV3_MTHD_OK;
    }
    g->dma.pitch = (g->dma.pitch & 0xffff0000) | (data & 0xffff);
    g->valid |= VALID_PITCH;
    g->valid &= ~VALID_YUV_PITCH;
    return data & ~0x1fffu ? NV3_MTHD_BAD_DATA : NV3_MTHD_OK;
}

static void sifm_offset(NV3Pgraph *g, unsigned plane, uint32_t data)
{
    g->dma.offset[plane] = data;
    if (accepts_planes(g)) {
        g->valid |= VALID_YUV_OFFSET(plane);
        g->valid &= ~VALID_OFFSET;
    } else {
        g->valid |= VALID_OFFSET;
        g->valid &= ~(VALID_YUV_OFFSET(0) | VALID_YUV_OFFSET(1) |
                      VALID_YUV_OFFSET(2));
    }
}

static void sifm_start(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    NV3Job job = { .kind = NV3_JOB_SIFM };
    NV3Clip clip;

    nv3_clip_get(s, &clip);
    job.rect = nv3_rect_intersect((NV3Rect) {
        nv3_lo16(g->vtx_x[0]), nv3_lo16(g->vtx_y[0]),
        nv3_sext(g->vtx_x[1], 18),
        nv3_lo16(g->vtx_y[0]) + nv3_sext(g->vtx_y[1], 18),
    }, clip.bounds);
    if (!nv3_rect_empty(&job.rect)) {
        nv3_job_start(s, &job);
    }
}

static void sifm_position(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    NV3VtxFlags flags = { 0 };
    uint32_t status;
    bool ready;

    g->misc32[1] = data;
    g->vtx_y[2] = data & 0xffff0000;
    if (accepts_planes(g)) {
        g->valid |= VALID_YUV_POS;
        g->valid &= ~VALID_POS;
    } else {
        g->valid |= VALID_POS;
    }
    g->vtx_y[0] = g->vtx_y[4];
    status = nv3_clip_status(s, g->vtx_y[0], NV3_Y, false);
    nv3_vtx_note(s, NV3_Y, 1, flags, status);
    ready = nv3_pgraph_prep_draw(s, false, false);
    g->xy_misc[3] &= ~1u;
    g->xy_misc[0] = (g->xy_misc[0] & ~NV3_COORD_MASK) |
                    (g->vtx_y[1] & NV3_COORD_MASK);
    flags.oob = (uint32_t)nv3_lo16(g->vtx_y[0]) != g->vtx_y[0];
    nv3_vtx_note(s, NV3_Y, 1, flags, status);
    if (ready) {
        sifm_start(s);
    }
}

static NV3MthdResult sifm_source(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    bool planes = accepts_planes(g);

    switch (mthd) {
    case NV3_SIFM_SIZE_IN:
        return sifm_in_size(g, data);
    case NV3_SIFM_PITCH:
        return sifm_pitch(g, data);
    case NV3_SIFM_OFFSET(0):
        sifm_offset(g, 0, data);
        return NV3_MTHD_OK;
    case NV3_SIFM_OFFSET(1):    /* also NV3_SIFM_SOURCE */
        if (planes) {
            sifm_offset(g, 1, data);
        } else {
            sifm_position(s, data);
        }
        return NV3_MTHD_OK;
    case NV3_SIFM_OFFSET(2):
        if (!planes) {
            return NV3_MTHD_BAD_METHOD;
        }
        sifm_offset(g, 2, data);
        return NV3_MTHD_OK;
    case NV3_SIFM_SOURCE_PLANES:
        if (!planes) {
            return NV3_MTHD_BAD_METHOD;
        }
        sifm_position(s, data);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

static NV3MthdResult sifm_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    switch (mthd) {
    case NV3_SIFM_CLIP_POINT:
        nv3_clip_method(s, 1, NV3_CORNER_MIN, data);
        return NV3_MTHD_OK;
    case NV3_SIFM_CLIP_SIZE:
        nv3_clip_method(s, 1, NV3_CORNER_SIZE, data);
        return NV3_MTHD_OK;
    case NV3_SIFM_POINT:
        sifm_point(s, data);
        return NV3_MTHD_OK;
    case NV3_SIFM_SIZE_OUT:
        sifm_out_size(s, data);
        return NV3_MTHD_OK;
    case NV3_SIFM_DU_DX:
        note_step(&g->xy_misc[1], data);
        g->valid |= 1u << 4;
        g->misc32[0] = data;
        return NV3_MTHD_OK;
    case NV3_SIFM_DV_DY:
        note_step(&g->xy_misc[2], data);
        g->valid |= 1u << 5;
        g->vtx_y[3] = data;
        return NV3_MTHD_OK;
    default:
        return sifm_source(s, mthd, data);
    }
}

const NV3Class nv3_class_sifm = {
    .id = NV3_CLASS_SIFM, .name = "SIFM", .uses_dma = true,
    .method = sifm_method,
};
