/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x0d, M2MF: copies lines from one DMA object to another. Methods, their checks
 * and registers: envytools hwtest/pgraph_class_m2mf.cc. docs/reference/chip/pgraph.md
 * lists the model's choices for undocumented behaviour: the role of each object, the
 * order of copies, faults, and the value of BUF_NOTIFY.
 */
#include "2d/classes.h"
#include "chip/cost.h"
#include "graph/dmaobj.h"
#include "graph/pgraph.h"

#define VALID_TRIGGER   0x80

#define CHUNK           4096
#define PAGE            4096
#define COST_GATHER     4               /* cost of reading a byte with a stride */

typedef struct M2mf {
    uint32_t in_inst, out_inst;
    uint32_t length;        /* bytes per line */
    uint32_t lines;
    uint32_t in_pitch, out_pitch;
    unsigned in_inc, out_inc;
} M2mf;

/*
 * Increments other than 1, 2 and 4 are invalid. If DEBUG_3.DATA_CHECK is clear, an
 * invalid increment counts as 1.
 */
static unsigned increment(uint32_t val)
{
    return val == 2 || val == 4 ? val : 1;
}

static M2mf m2mf_get(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;

    return (M2mf) {
        .in_inst = g->dma_inst,
        .out_inst = g->m2mf_inst & 0xffff,
        .length = g->misc24[0],
        .lines = g->dma.lines,
        .in_pitch = g->dma.pitch & 0xffff,
        .out_pitch = g->dma.pitch >> 16,
        .in_inc = increment(g->dma.format & 7),
        .out_inc = increment(g->dma.format >> 8 & 7),
    };
}

static bool line_start(uint32_t base, uint32_t line, uint32_t pitch,
                       uint32_t inst, uint32_t *start, NV3Fault *fault)
{
    uint64_t at = base + (uint64_t)line * pitch;

    *start = at;
    *fault = (NV3Fault) {
        .reason = NV3_PDMA_INTR_LIMIT, .inst = inst, .offset = ~0u,
    };
    return at <= 0xffffffff;
}

/* Returns the size of a range that contains @count bytes with a stride of @inc bytes. */
static uint32_t extent(uint32_t count, unsigned inc)
{
    return (count - 1) * inc + 1;
}

/*
 * Copies @count bytes (at most CHUNK) with the strides m->in_inc and m->out_inc. Returns
 * false and sets @fault if an access fails.
 */
static bool copy_chunk(NV3State *s, const M2mf *m, uint32_t in, uint32_t out,
                       uint32_t count, NV3Fault *fault)
{
    uint8_t buf[CHUNK * 4];

    if (!nv3_dmaobj_read(s, m->in_inst, in, buf, extent(count, m->in_inc),
                         fault)) {
        return false;
    }
    for (uint32_t i = 1; i < count && m->in_inc > 1; i++) {
        buf[i] = buf[i * m->in_inc];
    }
    return m->out_inc == 1 ?
           nv3_dmaobj_write(s, m->out_inst, out, buf, count, fault) :
           nv3_dmaobj_scatter(s, m->out_inst, out, buf, count, m->out_inc,
                              fault);
}

/*
 * Checks the source and destination ranges of a line. Called before the first byte of the
 * line is copied. Returns false and sets @fault if a range is not accessible.
 */
static bool check_line(NV3State *s, const M2mf *m, uint32_t in, uint32_t out,
                       NV3Fault *fault)
{
    return nv3_dmaobj_check(s, m->in_inst, in, extent(m->length, m->in_inc),
                            false, fault) &&
           nv3_dmaobj_check(s, m->out_inst, out, extent(m->length, m->out_inc),
                            true, fault);
}

/* Copies up to @budget bytes of the job's current line. Returns false on a fault. */
static bool copy_line(NV3State *s, const M2mf *m, NV3Job *job, uint32_t budget,
                      NV3Fault *fault)
{
    NV3Pdma *dma = &s->pgraph.dma;
    uint32_t in, out, end = m->length;

    if (!line_start(dma->offset[0], job->line, m->in_pitch, m->in_inst, &in,
                    fault) ||
        !line_start(dma->offset[1], job->line, m->out_pitch, m->out_inst, &out,
                    fault) ||
        (!job->byte && !check_line(s, m, in, out, fault))) {
        return false;
    }
    if (job->byte < end && end - job->byte > budget) {
        end = job->byte + budget;
    }
    while (job->byte < end) {
        uint32_t count = end - job->byte < CHUNK ? end - job->byte : CHUNK;

        if (!copy_chunk(s, m, in + job->byte * m->in_inc,
                        out + job->byte * m->out_inc, count, fault)) {
            return false;
        }
        job->byte += count;
    }
    /*
     * job->byte can exceed the length of a line if software has reduced the length during
     * the job.
     */
    if (job->byte >= m->length) {
        job->byte = 0;
        job->line++;
    }
    return true;
}

static uint32_t chunk_cost(const M2mf *m)
{
    if (m->out_inc > 1) {
        return CHUNK * NV3_COST_DMA_BYTE;
    }
    return 2 * NV3_COST_DMA +
           (m->in_inc > 1 ? CHUNK * COST_GATHER : nv3_cost_bytes(2 * CHUNK));
}

/*
 * Returns the fixed cost of a line: lookups of both DMA objects and of all pages of the
 * line.
 */
static uint32_t line_cost(const M2mf *m)
{
    return 2 * NV3_COST_DMA +
           NV3_COST_PAGE * (m->length / PAGE * (m->in_inc + m->out_inc));
}

NV3JobResult nv3_m2mf_run(NV3State *s, NV3Job *job)
{
    M2mf m = m2mf_get(s);
    const uint32_t chunk = chunk_cost(&m), line = line_cost(&m);
    NV3Fault fault;

    if (!m.length) {
        return NV3_JOB_DONE;
    }
    /*
     * @count includes 64 extra bytes, so that the job makes progress even if the slice
     * has almost reached its cost limit.
     */
    do {
        uint32_t left = job->byte < m.length ? m.length - job->byte : 0;
        uint32_t count = nv3_slice_left(s) * CHUNK / chunk + 64;

        if (job->line >= m.lines) {
            break;
        }
        if (!job->byte) {
            nv3_account(s, line);
        }
        count = left < count ? left : count;
        nv3_account(s, 2 * NV3_COST_DMA + (uint64_t)count * chunk / CHUNK);
        if (!copy_line(s, &m, job, count, &fault)) {
            nv3_pdma_fault(s, &fault, false);
            return NV3_JOB_FAILED;
        }
    } while (!nv3_slice_over(s));
    return job->line < m.lines ? NV3_JOB_MORE : NV3_JOB_DONE;
}

static NV3MthdResult m2mf_pitch(NV3Pgraph *g, unsigned which, uint32_t data)
{
    unsigned shift = which * 16;

    g->dma.pitch &= ~(0xffffu << shift);
    g->dma.pitch |= (data & 0xffff) << shift;
    g->valid |= 4u << which;
    return data & ~0x7fffu ? NV3_MTHD_BAD_DATA : NV3_MTHD_OK;
}

static NV3MthdResult m2mf_format(NV3Pgraph *g, uint32_t data)
{
    unsigned in = data & 7, out = data >> 8 & 7;

    g->dma.format = data & 0x707;
    g->valid |= 0x40;
    return increment(in) == in && increment(out) == out && !(data & 0xf8) ?
           NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
}

static void m2mf_start(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->dma.offset[2] = data;
    g->valid |= VALID_TRIGGER;
    if (nv3_pgraph_prep_draw(s, false, false)) {
        g->valid &= ~VALID_TRIGGER;
        nv3_job_start(s, &(NV3Job) { .kind = NV3_JOB_M2MF });
    }
}

static NV3MthdResult m2mf_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    switch (mthd) {
    case NV3_M2MF_OFFSET_IN:
        g->dma.offset[0] = data;
        g->valid |= 0x01;
        return NV3_MTHD_OK;
    case NV3_M2MF_OFFSET_OUT:
        g->dma.offset[1] = data;
        g->valid |= 0x02;
        return NV3_MTHD_OK;
    case NV3_M2MF_PITCH_IN:
        return m2mf_pitch(g, 0, data);
    case NV3_M2MF_PITCH_OUT:
        return m2mf_pitch(g, 1, data);
    case NV3_M2MF_LINE_LENGTH:
        g->misc24[0] = data & 0xffffff;
        g->valid |= 0x10;
        return data < 0x400000 ? NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
    case NV3_M2MF_LINE_COUNT:
        g->dma.lines = data & 0x7ff;
        g->valid |= 0x20;
        return data < 0x800 ? NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
    case NV3_M2MF_FORMAT:
        return m2mf_format(g, data);
    case NV3_M2MF_BUF_NOTIFY:
        m2mf_start(s, data);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_m2mf = {
    .id = NV3_CLASS_M2MF, .name = "M2MF", .uses_dma = true,
    .method = m2mf_method,
};
