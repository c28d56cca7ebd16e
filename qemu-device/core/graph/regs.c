/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of PGRAPH and PDMA. A table lists, for each register, its address, its
 * existing bits, its member of NV3Pgraph, and the functions for accesses with side
 * effects. Sources: envytools, hwtest/pgraph_state.cc and pgraph_scan.cc (bits, side
 * effects) and docs/hw/graph/nv1/pgraph.rst (INTR, INVALID).
 */
#include "bus/bus.h"
#include "chip/pfifo_queue.h"
#include "display/display.h"
#include "graph/pgraph.h"
#include "graph/vertex.h"

typedef struct NV3PgraphReg {
    uint32_t addr;
    uint32_t count;         /* number of registers, 4 bytes apart */
    size_t field;           /* offset in NV3Pgraph of the first register's value */
    uint32_t mask;          /* bits that exist */
    uint32_t mask_c;        /* additional bits of revision C */
    uint32_t (*read)(NV3State *s, uint32_t addr);
    void (*write)(NV3State *s, uint32_t addr, uint32_t val);
} NV3PgraphReg;

#define DEBUG_1_IMAGE_STOP  0x00000010
#define CANVAS_MASK_C   0x40000000      /* y has 15 bits */
#define OFFSET_MASK_C   0x00400000

static void debug_0_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.debug[0] = val & NV3_PGRAPH_DEBUG_0_MASK;
    if (val & NV3_PGRAPH_DEBUG_0_RESET) {
        nv3_pgraph_soft_reset(s);
    }
}

/*
 * Writes DEBUG_1. Setting the bit UNK4 (rnndb) ends an image in progress (hwtest,
 * DebugBRegister).
 */
static void debug_1_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.debug[1] = val & NV3_PGRAPH_DEBUG_1_MASK;
    if (val & DEBUG_1_IMAGE_STOP) {
        s->pgraph.xy_misc[1] &= ~NV3_XY1_STARTED;
    }
}

static uint32_t intr_read(NV3State *s, uint32_t addr)
{
    nv3_display_sync(s);
    return s->pgraph.intr;
}

static void intr_write(NV3State *s, uint32_t addr, uint32_t val)
{
    nv3_display_sync(s);
    s->pgraph.intr &= ~val;
    if (val & NV3_PGRAPH_INTR_INVALID) {
        s->pgraph.invalid = 0;
    }
    nv3_update_irq(s);
}

static void invalid_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.invalid &= ~val;
    if (!s->pgraph.invalid) {
        s->pgraph.intr &= ~NV3_PGRAPH_INTR_INVALID;
    }
    nv3_update_irq(s);
}

static void intr_en_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.intr_en = val & NV3_PGRAPH_INTR_ALL;
    nv3_display_intr_en(s);
    nv3_update_irq(s);
}

static void invalid_en_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.invalid_en = val & NV3_PGRAPH_INVALID_ALL;
    nv3_update_irq(s);
}

/*
 * Bit 31 of the written value is not stored, but triggers a volatile reset if DEBUG_2
 * enables this reset.
 */
static void ctx_switch_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Pgraph *g = &s->pgraph;
    bool reset = val >> 31 && (g->debug[2] & NV3_PGRAPH_DEBUG_2_VOLATILE_EN);

    g->ctx_switch = val & NV3_PGRAPH_CTX_SWITCH_MASK;
    g->debug[1] &= ~NV3_PGRAPH_DEBUG_1_VOLATILE_RESET;
    if (reset) {
        nv3_pgraph_volatile_reset(s);
        g->debug[1] |= NV3_PGRAPH_DEBUG_1_VOLATILE_RESET;
    }
}

/*
 * The timeslice lasts for one period of PTIMER's bit 14 + 3 * MIN_TIME. This period
 * ranges from 33 us (MIN_TIME 0) to 17 ms (MIN_TIME 3). The NV1 documents give these
 * times in the names of MIN_TIME's values.
 */
static void ctx_control_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Pgraph *g = &s->pgraph;

    g->ctx_control = val & (NV3_PGRAPH_CTX_CONTROL_MIN_TIME |
                            NV3_PGRAPH_CTX_CONTROL_EXPIRED |
                            NV3_PGRAPH_CTX_CONTROL_CHID_VALID |
                            NV3_PGRAPH_CTX_CONTROL_SWITCHING |
                            NV3_PGRAPH_CTX_CONTROL_DEVICE);
    if (val & NV3_PGRAPH_CTX_CONTROL_EXPIRED) {
        unsigned bit = 14 + 3 * (val & NV3_PGRAPH_CTX_CONTROL_MIN_TIME);

        g->ctx_timer_end = nv3_clock(s) + (2ull << bit);
    }
    nv3_kick(s);
}

/*
 * Despite its name, EXPIRED is 1 until the timeslice ends, and 0 afterwards. PFIFO
 * evaluates AVAILABLE (NV1 documents).
 */
static uint32_t ctx_control_read(NV3State *s, uint32_t addr)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t val = g->ctx_control;

    if (val & NV3_PGRAPH_CTX_CONTROL_EXPIRED &&
        nv3_clock(s) >= g->ctx_timer_end) {
        g->ctx_control &= ~NV3_PGRAPH_CTX_CONTROL_EXPIRED;
        val = g->ctx_control;
    }
    if (val & NV3_PGRAPH_CTX_CONTROL_DEVICE &&
        (!(val & NV3_PGRAPH_CTX_CONTROL_CHID_VALID) ||
         !(val & (NV3_PGRAPH_CTX_CONTROL_SWITCHING |
                  NV3_PGRAPH_CTX_CONTROL_EXPIRED)))) {
        val |= NV3_PGRAPH_CTX_CONTROL_AVAILABLE;
    }
    return val;
}

/* CTX_CACHE is read-only while FIFO_ENABLE allows PFIFO to send methods. */
static void ctx_cache_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Pgraph *g = &s->pgraph;

    if (!g->fifo_enable) {
        g->ctx_cache[(addr - NV3_PGRAPH_CTX_CACHE(0)) / 4] =
            val & NV3_PGRAPH_CTX_SWITCH_MASK;
    }
}

static void misc32_0_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.misc32[0] = val;
    s->pgraph.valid |= NV3_VALID_COLOR;
}

static void d3d_config_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.d3d_config = val & 0xf77fbdf3;
    s->pgraph.valid |= NV3_VALID_D3D_CONFIG;
}

/*
 * When software writes a coordinate register, PGRAPH also sets clip flags, as it does
 * when a method sets a coordinate.
 */
static void vtx_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Axis axis = addr < NV3_PGRAPH_VTX_Y(0) ? NV3_X : NV3_Y;
    uint32_t first = axis == NV3_X ? NV3_PGRAPH_VTX_X(0) : NV3_PGRAPH_VTX_Y(0);

    nv3_vtx_write(s, axis, (addr - first) / 4, val);
}

static void iclip_write(NV3State *s, uint32_t addr, uint32_t val)
{
    nv3_iclip_write(s, addr == NV3_PGRAPH_ICLIP_XMAX ? NV3_X : NV3_Y, val);
}

static void uclip_write(NV3State *s, uint32_t addr, uint32_t val)
{
    unsigned i = (addr - NV3_PGRAPH_UCLIP_XMIN) / 4;

    nv3_clip_write(s, 0, i & 1 ? NV3_Y : NV3_X, i >> 1, val);
}

static void oclip_write(NV3State *s, uint32_t addr, uint32_t val)
{
    unsigned i = (addr - NV3_PGRAPH_OCLIP_XMIN) / 4;

    nv3_clip_write(s, 1, i & 1 ? NV3_Y : NV3_X, i >> 1, val);
}

/* Negative beta factors become 0. */
static void beta_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.beta = val >> 31 ? 0 : val & 0x7f800000;
}

static void fifo_enable_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Pgraph *g = &s->pgraph;

    g->fifo_enable = val & 1;
    if (g->fifo_enable) {
        g->epoch++;
        nv3_kick(s);
    }
}

/*
 * Returns BUSY during a job and while drawing is deferred. Also returns BUSY while PFIFO
 * has methods that PGRAPH could accept. Silicon would execute them at once, so drivers
 * check only this register before they access the frame buffer (xf86-video-nv riva_hw.c,
 * nv3Busy()).
 */
static uint32_t status_read(NV3State *s, uint32_t addr)
{
    s->pgraph.epoch++;
    switch (s->pgraph.job.kind) {
    case NV3_JOB_NONE:
        return s->pgraph.deferred ||
               (nv3_pgraph_ready(s) && nv3_pfifo_has_methods(s)) ?
               NV3_PGRAPH_STATUS_BUSY : 0;
    case NV3_JOB_ITM:
        return NV3_PGRAPH_STATUS_BUSY | NV3_STATUS_DMA;
    case NV3_JOB_M2MF:
        return NV3_PGRAPH_STATUS_BUSY | NV3_STATUS_M2MF | NV3_STATUS_DMA;
    default:
        return NV3_PGRAPH_STATUS_BUSY;
    }
}

static void read_only(NV3State *s, uint32_t addr, uint32_t val)
{
    nv3_log(s, GUEST_ERROR, "pgraph: write of 0x%08x to read-only 0x%06x", val,
            addr);
}

static void pdma_intr_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.dma.intr &= ~val;
    nv3_update_irq(s);
}

static void pdma_intr_en_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.dma.intr_en = val & NV3_PDMA_INTR_ALL;
    nv3_update_irq(s);
}

/*
 * The effect of a write to CONTINUE is unknown. The model does not resume the faulted
 * transfer.
 */
static void pdma_continue_write(NV3State *s, uint32_t addr, uint32_t val)
{
    nv3_log(s, TRACE, "pdma: CONTINUE 0x%08x", val);
}

static uint32_t zero_read(NV3State *s, uint32_t addr)
{
    return 0;
}

#define REGS(a, n, f, m) \
    { .addr = (a), .count = (n), .field = offsetof(NV3Pgraph, f), .mask = (m) }
#define REG(a, f, m) REGS(a, 1, f, m)
#define REGS_C(a, n, f, m, c) \
    { .addr = (a), .count = (n), .field = offsetof(NV3Pgraph, f), .mask = (m), \
      .mask_c = (c) }
#define CANVAS(a, f) REGS_C(a, 1, f, NV3_PGRAPH_CANVAS_MASK, CANVAS_MASK_C)
/* Registers with a function for writes. Reads return the stored value. */
#define HOOKS(a, n, f, w) \
    { .addr = (a), .count = (n), .field = offsetof(NV3Pgraph, f), \
      .mask = 0xffffffff, .write = (w) }
#define HOOK(a, f, w) HOOKS(a, 1, f, w)
#define CODE(a, r, w) { .addr = (a), .count = 1, .read = (r), .write = (w) }

/* Sorted by address for a binary search. */
static const NV3PgraphReg pgraph_regs[] = {
    HOOK(NV3_PGRAPH_DEBUG_0, debug[0], debug_0_write),
    HOOK(NV3_PGRAPH_DEBUG_1, debug[1], debug_1_write),
    REG(NV3_PGRAPH_DEBUG_2, debug[2], NV3_PGRAPH_DEBUG_2_MASK),
    REG(NV3_PGRAPH_DEBUG_3, debug[3], NV3_PGRAPH_DEBUG_3_MASK),
    CODE(NV3_PGRAPH_INTR, intr_read, intr_write),
    HOOK(NV3_PGRAPH_INVALID, invalid, invalid_write),
    HOOK(NV3_PGRAPH_INTR_EN, intr_en, intr_en_write),
    HOOK(NV3_PGRAPH_INVALID_EN, invalid_en, invalid_en_write),
    HOOK(NV3_PGRAPH_CTX_SWITCH, ctx_switch, ctx_switch_write),
    CODE(NV3_PGRAPH_CTX_CONTROL, ctx_control_read, ctx_control_write),
    REG(NV3_PGRAPH_CTX_USER, ctx_user,
        NV3_PGRAPH_CTX_USER_SUBCH | NV3_PGRAPH_CTX_USER_CLASS |
        NV3_PGRAPH_CTX_USER_CHID),
    HOOKS(NV3_PGRAPH_CTX_CACHE(0), NV3_PGRAPH_SUBCHANNELS, ctx_cache,
          ctx_cache_write),
    HOOKS(NV3_PGRAPH_VTX_X(0), NV3_PGRAPH_VTX_COUNT, vtx_x, vtx_write),
    HOOKS(NV3_PGRAPH_VTX_Y(0), NV3_PGRAPH_VTX_COUNT, vtx_y, vtx_write),
    REG(NV3_PGRAPH_X_MISC, x_misc, 0x300000ff),
    REG(NV3_PGRAPH_Y_MISC, y_misc, 0x300000ff),
    REG(NV3_PGRAPH_VALID, valid, 0xffffffff),
    HOOK(NV3_PGRAPH_MISC32_0, misc32[0], misc32_0_write),
    REG(NV3_PGRAPH_MISC24_0, misc24[0], 0x00ffffff),
    REG(NV3_PGRAPH_XY_MISC_0, xy_misc[0], 0xf013ffff),
    REG(NV3_PGRAPH_XY_MISC_1, xy_misc[1], 0x0f177331),
    REG(NV3_PGRAPH_XY_MISC_2, xy_misc[2], 0x0f177331),
    REG(NV3_PGRAPH_XY_MISC_3, xy_misc[3], 0x7f7f1111),
    REGS(NV3_PGRAPH_X_CLIP_STATUS(0), 2, x_clip_status, 0xffffffff),
    REGS(NV3_PGRAPH_Y_CLIP_STATUS(0), 2, y_clip_status, 0xffffffff),
    HOOKS(NV3_PGRAPH_ICLIP_XMAX, 2, iclip, iclip_write),
    HOOKS(NV3_PGRAPH_UCLIP_XMIN, 2, uclip_min, uclip_write),
    HOOKS(NV3_PGRAPH_UCLIP_XMAX, 2, uclip_max, uclip_write),
    REG(NV3_PGRAPH_MISC32_1, misc32[1], 0xffffffff),
    CANVAS(NV3_PGRAPH_SRC_CANVAS_MIN, src_canvas_min),
    CANVAS(NV3_PGRAPH_SRC_CANVAS_MAX, src_canvas_max),
    CANVAS(NV3_PGRAPH_DST_CANVAS_MIN, dst_canvas_min),
    CANVAS(NV3_PGRAPH_DST_CANVAS_MAX, dst_canvas_max),
    HOOKS(NV3_PGRAPH_OCLIP_XMIN, 2, oclip_min, oclip_write),
    HOOKS(NV3_PGRAPH_OCLIP_XMAX, 2, oclip_max, oclip_write),
    REG(NV3_PGRAPH_MISC24_1, misc24[1], 0x00ffffff),
    REGS(NV3_PGRAPH_VTX_Z(0), 16, vtx_z, 0x00ffffff),
    REG(NV3_PGRAPH_D3D_XY, d3d_xy, 0xffffffff),
    REG(NV3_PGRAPH_D3D_UV, d3d_uv, 0xffffffff),
    REG(NV3_PGRAPH_D3D_Z, d3d_z, 0x0000ffff),
    REG(NV3_PGRAPH_D3D_RGB, d3d_rgb, 0xffffffff),
    REG(NV3_PGRAPH_D3D_FOG_TRI, d3d_fog_tri, 0xffffffff),
    REG(NV3_PGRAPH_D3D_RHW, d3d_rhw, 0xffffffff),
    REG(NV3_PGRAPH_PATTERN_RGB(0), pattern_rgb[0], 0x3fffffff),
    REG(NV3_PGRAPH_PATTERN_A(0), pattern_a[0], 0x000000ff),
    REG(NV3_PGRAPH_PATTERN_RGB(1), pattern_rgb[1], 0x3fffffff),
    REG(NV3_PGRAPH_PATTERN_A(1), pattern_a[1], 0x000000ff),
    REGS(NV3_PGRAPH_PATTERN_MONO(0), 2, pattern_mono, 0xffffffff),
    REG(NV3_PGRAPH_PATTERN_SHAPE, pattern_shape, 3),
    REG(NV3_PGRAPH_BITMAP_COLOR_0, bitmap_color_0, 0x7fffffff),
    REG(NV3_PGRAPH_ROP, rop, 0xff),
    REG(NV3_PGRAPH_CHROMA, chroma, 0x7fffffff),
    REGS_C(NV3_PGRAPH_SURF_OFFSET(0), NV3_PGRAPH_SURFACES, surf_offset,
           NV3_PGRAPH_SURF_OFFSET_MASK_4M, OFFSET_MASK_C),
    HOOK(NV3_PGRAPH_BETA, beta, beta_write),
    HOOK(NV3_PGRAPH_D3D_CONFIG, d3d_config, d3d_config_write),
    REGS(NV3_PGRAPH_SURF_PITCH(0), NV3_PGRAPH_SURFACES, surf_pitch,
         NV3_PGRAPH_SURF_PITCH_MASK),
    REG(NV3_PGRAPH_DMA_INST, dma_inst, 0xffff),
    REG(NV3_PGRAPH_NOTIFY, notify, 0x00f1ffff),
    REG(NV3_PGRAPH_GROBJ_INST, grobj_inst, 0xffff),
    REG(NV3_PGRAPH_M2MF_INST, m2mf_inst, 0x1ffff),
    CANVAS(NV3_PGRAPH_CLIPRECT_MIN(0), cliprect_min[0]),
    CANVAS(NV3_PGRAPH_CLIPRECT_MAX(0), cliprect_max[0]),
    CANVAS(NV3_PGRAPH_CLIPRECT_MIN(1), cliprect_min[1]),
    CANVAS(NV3_PGRAPH_CLIPRECT_MAX(1), cliprect_max[1]),
    REG(NV3_PGRAPH_CLIPRECT_CTRL, cliprect_ctrl, 0x113),
    HOOK(NV3_PGRAPH_FIFO_ENABLE, fifo_enable, fifo_enable_write),
    REG(NV3_PGRAPH_SURF_CONFIG, surf_config, 0x7777),
    CODE(NV3_PGRAPH_STATUS, status_read, read_only),
    HOOK(NV3_PGRAPH_TRAPPED_ADDR, trapped_addr, read_only),
    HOOK(NV3_PGRAPH_TRAPPED_DATA, trapped_data, read_only),
    HOOK(NV3_PGRAPH_TRAPPED_INST, trapped_inst, read_only),
    REG(NV3_PGRAPH_D3D_ALPHA, d3d_alpha, 0xfff),
    HOOK(NV3_PDMA_INTR, dma.intr, pdma_intr_write),
    HOOK(NV3_PDMA_INTR_EN, dma.intr_en, pdma_intr_en_write),
    CODE(NV3_PDMA_CONTINUE, zero_read, pdma_continue_write),
    REG(NV3_PDMA_FLAGS, dma.flags, 0x03010fff),
    REG(NV3_PDMA_LIMIT, dma.limit, 0xffffffff),
    REG(NV3_PDMA_TLB_PTE, dma.pte, 0xfffff003),
    REG(NV3_PDMA_TLB_TAG, dma.tag, 0xfffff000),
    REG(NV3_PDMA_ADDR, dma.addr_virt, 0xffffffff),
    REG(NV3_PDMA_UNK260, dma.addr_phys, 0xffffffff),
    REGS_C(NV3_PDMA_BYTES, 1, dma.bytes, 0x003fffff, OFFSET_MASK_C),
    REG(NV3_PDMA_INST, dma.inst, 0xffff),
    REG(NV3_PDMA_LINES, dma.lines, 0x7ff),
    REGS_C(NV3_PDMA_UNK400, 1, dma.lin_limit, 0x003fffff, OFFSET_MASK_C),
    REG(NV3_PDMA_OFFSET(0), dma.offset[0], 0xffffffff),
    REG(NV3_PDMA_OFFSET(1), dma.offset[1], 0xffffffff),
    REG(NV3_PDMA_OFFSET(2), dma.offset[2], 0xffffffff),
    REG(NV3_PDMA_PITCH, dma.pitch, 0xffffffff),
    REG(NV3_PDMA_FORMAT, dma.format, 0x707),
};

static const NV3PgraphReg *find_reg(uint32_t addr)
{
    size_t lo = 0, hi = sizeof(pgraph_regs) / sizeof(pgraph_regs[0]);

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        const NV3PgraphReg *r = &pgraph_regs[mid];

        if (addr < r->addr) {
            hi = mid;
        } else if (addr >= r->addr + r->count * 4) {
            lo = mid + 1;
        } else {
            return r;
        }
    }
    return NULL;
}

static uint32_t *reg_field(NV3State *s, const NV3PgraphReg *r, uint32_t addr)
{
    return (uint32_t *)((char *)&s->pgraph + r->field + (addr - r->addr));
}

static uint32_t reg_mask(const NV3State *s, const NV3PgraphReg *r)
{
    return s->config.revision == NV3_REVISION_C ? r->mask | r->mask_c : r->mask;
}

uint32_t nv3_pgraph_read(NV3State *s, uint32_t addr)
{
    const NV3PgraphReg *r = find_reg(addr);

    nv3_pgraph_end_stream(s);
    if (!r) {
        nv3_log(s, UNIMP, "pgraph: read of unknown 0x%06x", addr);
        return 0;
    }
    return r->read ? r->read(s, addr) : *reg_field(s, r, addr);
}

void nv3_pgraph_write(NV3State *s, uint32_t addr, uint32_t val)
{
    const NV3PgraphReg *r = find_reg(addr);

    nv3_pgraph_end_stream(s);
    if (!r) {
        nv3_log(s, UNIMP, "pgraph: write of 0x%08x to unknown 0x%06x", val, addr);
    } else if (r->write) {
        r->write(s, addr, val);
    } else {
        *reg_field(s, r, addr) = val & reg_mask(s, r);
    }
}

const char *nv3_pgraph_check_regs(NV3State *s)
{
    for (size_t i = 0; i < sizeof(pgraph_regs) / sizeof(pgraph_regs[0]); i++) {
        const NV3PgraphReg *r = &pgraph_regs[i];
        uint32_t mask = reg_mask(s, r);

        for (uint32_t n = 0; r->mask && n < r->count; n++) {
            if (*reg_field(s, r, r->addr + n * 4) & ~mask) {
                return "a register has a bit that it can't have";
            }
        }
    }
    return NULL;
}
