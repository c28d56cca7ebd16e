/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x14, ITM: copies a rectangle of a surface to the object's DMA object, line by
 * line. Source pixels are read as in class BLIT (docs/reference/chip/pgraph.md).
 * Methods: envytools hwtest/pgraph_class_ifm.cc (Itm).
 */
#include "2d/classes.h"
#include "chip/cost.h"
#include "graph/dmaobj.h"
#include "graph/pgraph.h"
#include "graph/surface.h"
#include "graph/vertex.h"

#define CHUNK           1024        /* pixels */

/*
 * A copy does not start if nv3_pgraph_prep_draw() raises one of these interrupts. The
 * error RANGE does not prevent the start (hwtest).
 */
#define STARTS_NOT      (NV3_PGRAPH_INTR_MISSING_METHOD | \
                         NV3_PGRAPH_INTR_MISSING_FORMAT | \
                         NV3_PGRAPH_INTR_CLIP_SOFTWARE)

typedef struct Itm {
    NV3Surface source;
    NV3Rect canvas;
    uint32_t inst;
    uint32_t width, height;
    int32_t x, y;
    uint32_t pitch;
} Itm;

static Itm itm_get(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    Itm m = {
        .canvas = nv3_clip_source(s),
        .inst = g->dma_inst,
        .width = g->vtx_x[3] & 0xffff,
        .height = g->vtx_y[3] & 0xffff,
        .x = nv3_lo16(g->vtx_x[0]),
        .y = nv3_lo16(g->vtx_y[0]),
        .pitch = g->dma.pitch & 0xffff,
    };

    nv3_surface_get(s, g->ctx_switch >> NV3_GROBJ_SURFACE_SHIFT & 3, &m.source);
    return m;
}

/* Reads @count pixels from column @col of line @line. Pixels outside the canvas are 0. */
static void read_pixels(NV3State *s, const Itm *m, uint32_t line, uint32_t col,
                        uint32_t count, uint8_t *buf)
{
    unsigned cpp = m->source.cpp;
    NV3Rect want = {
        m->x + (int32_t)col, m->y + (int32_t)line,
        m->x + (int32_t)(col + count), m->y + (int32_t)line + 1,
    };
    NV3Rect have = nv3_rect_intersect(want, m->canvas);
    const uint8_t *p = NULL;

    memset(buf, 0, count * cpp);
    if (!nv3_rect_empty(&have)) {
        p = nv3_surface_line(s, &m->source, have.x0, have.y0,
                             have.x1 - have.x0);
    }
    if (p) {
        memcpy(buf + (have.x0 - want.x0) * cpp, p, (have.x1 - have.x0) * cpp);
    }
}

/*
 * Checks that all bytes of a line can be written, and writes the line. Returns false and
 * sets @fault if the check or an access fails.
 */
static bool write_line(NV3State *s, const Itm *m, NV3Job *job, NV3Fault *fault)
{
    uint64_t start = s->pgraph.dma.offset[0] + (uint64_t)job->line * m->pitch;
    unsigned cpp = m->source.cpp;
    uint8_t buf[CHUNK * 4];

    if (start > UINT32_MAX) {
        *fault = (NV3Fault) {
            .reason = NV3_PDMA_INTR_LIMIT, .inst = m->inst, .offset = ~0u,
        };
        return false;
    }
    if (!nv3_dmaobj_check(s, m->inst, start, m->width * cpp, true, fault)) {
        return false;
    }
    for (uint32_t col = 0; col < m->width; col += CHUNK) {
        uint32_t left = m->width - col;
        uint32_t count = left < CHUNK ? left : CHUNK;

        read_pixels(s, m, job->line, col, count, buf);
        if (!nv3_dmaobj_write(s, m->inst, start + col * cpp, buf, count * cpp,
                              fault)) {
            return false;
        }
    }
    job->line++;
    return true;
}

NV3JobResult nv3_itm_run(NV3State *s, NV3Job *job)
{
    Itm m = itm_get(s);
    const uint64_t cost = 2 * NV3_COST_DMA + m.width / CHUNK * NV3_COST_DMA +
                          nv3_cost_bytes(2ull * m.width * m.source.cpp);
    NV3Fault fault;

    do {
        if (job->line >= m.height) {
            break;
        }
        nv3_account(s, cost);
        if (!write_line(s, &m, job, &fault)) {
            nv3_pdma_fault(s, &fault, false);
            return NV3_JOB_FAILED;
        }
    } while (!nv3_slice_over(s));
    return job->line < m.height ? NV3_JOB_MORE : NV3_JOB_DONE;
}

static void itm_size(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    nv3_vtx_bump_index(g);
    g->vtx_x[3] = data & 0xffff;
    g->vtx_y[3] = data >> 16;
    g->misc24[0] = data & 0xffff;
    g->valid |= NV3_VALID_X(2) | NV3_VALID_Y(2);
    for (NV3Axis axis = NV3_X; axis <= NV3_Y; axis++) {
        nv3_vtx_compare(s, axis, 3, false);
        nv3_vtx_add(s, axis, 2, (NV3VtxSum) {
            .a = *nv3_vtx(g, axis, 0), .b = *nv3_vtx(g, axis, 3),
        });
    }
    nv3_image_set_zero(g, !(data & 0xffff) || !(data >> 16));
}

static NV3MthdResult itm_pitch(NV3Pgraph *g, uint32_t data)
{
    g->dma.pitch = (g->dma.pitch & 0xffff0000) | (data & 0xffff);
    g->valid |= 1u << 10;
    g->valid &= ~(1u << 14);
    return data & ~0x1fffu ? NV3_MTHD_BAD_DATA : NV3_MTHD_OK;
}

static void itm_start(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    bool ready;

    g->vtx_x[5] = 0;
    g->dma.offset[0] = data;
    g->valid |= 1u << 5 | 1u << 11 | 1u << 13;
    g->valid &= ~(1u << 15 | 1u << 16 | 1u << 17);
    nv3_vtx_clear_index(g);
    nv3_vtx_compare(s, NV3_Y, 2, false);
    ready = nv3_pgraph_prep_draw(s, false, false);
    if (g->intr & STARTS_NOT || g->xy_misc[0] & NV3_XY0_IMAGE_ZERO) {
        return;
    }
    nv3_vtx_add(s, NV3_X, 1, (NV3VtxSum) { 0 });
    nv3_vtx_add(s, NV3_Y, 1, (NV3VtxSum) { 0 });
    if (!ready) {
        return;
    }
    nv3_job_start(s, &(NV3Job) { .kind = NV3_JOB_ITM });
}

static NV3MthdResult itm_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_ITM_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true });
        return NV3_MTHD_OK;
    case NV3_ITM_SIZE:
        itm_size(s, data);
        return NV3_MTHD_OK;
    case NV3_ITM_PITCH:
        return itm_pitch(&s->pgraph, data);
    case NV3_ITM_OFFSET:
        itm_start(s, data);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_itm = {
    .id = NV3_CLASS_ITM, .name = "ITM", .uses_dma = true,
    .method = itm_method,
};
