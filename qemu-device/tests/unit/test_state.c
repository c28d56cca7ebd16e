/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests saving and loading. All members of the state must be saved and restored, except
 * those that the state tables exclude. A chip that has been migrated between any two
 * slices must continue like a chip that has not been migrated. The load of a corrupted
 * state must fail, or result in a state that the core can run.
 */
#include "graph.h"
#include "saved.h"
#include "chip/state_table.h"

#include <stdio.h>

static const NV3Config configs[] = {
    { .revision = NV3_REVISION_A, .vram_size = 2 << 20 },
    { .revision = NV3_REVISION_B, .vram_size = 4 << 20, .virt = true },
    { .revision = NV3_REVISION_C, .vram_size = 8 << 20, .acpi = true,
      .save_prefetch = true },
};

/* ---- completeness ------------------------------------------------------ */

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define CLEAR_PADDING(p) __builtin_clear_padding(p)
#endif
#endif

/*
 * Returns the name of the last member of NV3State that is in a state table and begins at
 * or before @offset.
 */
static const char *member_before(size_t offset)
{
    const char *name = "the start";
    size_t nearest = 0;

    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        for (unsigned j = 0; j < b->fields; j++) {
            if (b->field[j].offset <= offset &&
                b->field[j].offset >= nearest) {
                nearest = b->field[j].offset;
                name = b->field[j].name;
            }
        }
    }
    return name;
}

/*
 * Each byte of NV3State, except padding, must belong to exactly one field of one state
 * table.
 */
static void test_every_member(void **state)
{
#ifdef CLEAR_PADDING
    uint8_t *named = test_calloc(1, sizeof(NV3State));
    NV3State *s = test_malloc(sizeof(*s));
    const uint8_t *used = (const uint8_t *)s;

    memset(s, 0xff, sizeof(*s));
    CLEAR_PADDING(s);
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        for (unsigned j = 0; j < b->fields; j++) {
            for (uint32_t k = 0; k < b->field[j].size; k++) {
                named[b->field[j].offset + k]++;
            }
        }
    }
    for (size_t i = 0; i < sizeof(*s); i++) {
        if (used[i] && !named[i]) {
            fail_msg("NV3State: the member after %s is in no table of state",
                     member_before(i));
        }
        if (named[i] > 1) {
            fail_msg("%s: there are two of it", member_before(i));
        }
    }
    test_free(named);
    test_free(s);
#else
    skip();
#endif
}

static void test_tables(void **state)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        assert_in_range(strlen(b->name), 1, 32);
        for (unsigned j = 0; j < b->fields; j++) {
            const NV3StateField *f = &b->field[j];

            assert_in_range(f->since, 1, b->version);
            if (f->unit != 1 && f->unit != 4 && f->unit != 8) {
                fail_msg("%s is of a type that is not saved", f->name);
            }
            assert_int_equal(f->size % f->unit, 0);
        }
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(b->name, nv3_state_blocks[j]->name);
        }
    }
}

/* ---- values -------------------------------------------------------------- */

static uint64_t member_get(NV3State *s, const NV3StateField *f, uint32_t i)
{
    const void *p = (char *)s + f->offset + i;
    uint8_t byte;
    uint32_t word;
    uint64_t val;

    switch (f->unit) {
    case sizeof(byte):
        memcpy(&byte, p, sizeof(byte));
        return byte;
    case sizeof(word):
        memcpy(&word, p, sizeof(word));
        return word;
    default:
        memcpy(&val, p, sizeof(val));
        return val;
    }
}

static void member_set(NV3State *s, const NV3StateField *f, uint32_t i,
                       uint64_t val)
{
    void *p = (char *)s + f->offset + i;
    const uint8_t byte = val;
    const uint32_t word = val;

    switch (f->unit) {
    case sizeof(byte):
        memcpy(p, &byte, sizeof(byte));
        break;
    case sizeof(word):
        memcpy(p, &word, sizeof(word));
        break;
    default:
        memcpy(p, &val, sizeof(val));
        break;
    }
}

static bool saved(const NV3StateBlock *b, NV3State *s)
{
    return !b->needed || b->needed(s);
}

static bool possible(NV3State *s)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        if (b->check && b->check(s)) {
            return false;
        }
    }
    return true;
}

/* Fills a member with random bits, if the chip accepts random values of this member. */
static void fill_value(NV3State *s, const NV3StateField *f, uint32_t at,
                       uint32_t *seed)
{
    uint64_t old = member_get(s, f, at);
    uint64_t bits = f->kind == NV3_STATE_BOOL ? 1 : f->bits;
    uint64_t val = 0;

    for (unsigned bit = 0; bit < f->unit * 8; bit++) {
        if (!(bits >> bit & 1) || (1ull << bit) > f->max) {
            continue;
        }
        member_set(s, f, at, 1ull << bit);
        if (possible(s) && graph_rand(seed) & 1) {
            val |= 1ull << bit;
        }
    }
    val = val > f->max ? f->max : val;
    member_set(s, f, at, val);
    if (!possible(s)) {
        member_set(s, f, at, old);
    }
}

static void fill(NV3State *s, uint32_t *seed)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        for (unsigned j = 0; j < b->fields; j++) {
            const NV3StateField *f = &b->field[j];

            if (f->config) {
                continue;
            }
            if (f->kind == NV3_STATE_VALUE || f->kind == NV3_STATE_BOOL) {
                for (uint32_t at = 0; at < f->size; at += f->unit) {
                    fill_value(s, f, at, seed);
                }
            } else if (f->kind == NV3_STATE_TIME) {
                member_set(s, f, 0, graph_rand(seed));
            }
        }
    }
}

static uint8_t *save(Host *h)
{
    uint8_t *buf = test_malloc(saved_size());

    saved_take(h->chip, buf);
    return buf;
}

static void load(Host *h, const uint8_t *buf)
{
    NV3LoadError error;

    if (!saved_put(h->chip, buf, &error)) {
        fail_msg("nv3_image_load: %s", error.text);
    }
}

/*
 * Compares the members of both chips in the order of the state tables. Fails with the
 * name of the first member that differs.
 */
static void assert_members_equal(Host *a, Host *b)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *blk = nv3_state_blocks[i];

        for (unsigned j = 0; saved(blk, a->chip) && j < blk->fields; j++) {
            const NV3StateField *f = &blk->field[j];
            bool time = f->kind == NV3_STATE_TIME;

            for (uint32_t k = 0; f->kind != NV3_STATE_NOT_SAVED &&
                 !f->config && k < f->size; k += f->unit) {
                uint64_t va = member_get(a->chip, f, k) - (time ? a->now : 0);
                uint64_t vb = member_get(b->chip, f, k) - (time ? b->now : 0);

                if (va != vb) {
                    fail_msg("%s (%u): 0x%llx, 0x%llx", f->name, k / f->unit,
                             (unsigned long long)va, (unsigned long long)vb);
                }
            }
        }
    }
}

static void round_trip(const NV3Config *config, uint32_t seed)
{
    Host *a = host_new_config(config), *b = host_new_config(config);
    uint8_t *first, *second;

    a->now = 8000000000;
    b->now = 9000000000;
    fill(a->chip, &seed);
    /*
     * Deliver alarms that are already due before the save, so that the load does not
     * deliver them.
     */
    nv3_ptimer_rearm(a->chip);
    first = save(a);
    load(b, first);
    assert_members_equal(a, b);
    second = save(b);
    assert_memory_equal(first, second, saved_size());
    test_free(first);
    test_free(second);
    host_free(a);
    host_free(b);
}

static void test_round_trip(void **state)
{
    for (uint32_t seed = 1; seed <= 3; seed++) {
        for (unsigned i = 0; i < 3; i++) {
            round_trip(&configs[i], seed);
        }
    }
}

/*
 * During a load, the chip must repeat its requests to the host, which set timers and the
 * level of the interrupt line.
 */
static void test_host(void **state)
{
    Host *a = host_new(), *b = host_new();
    uint8_t *buf;

    a->now = b->now = 1000000;
    host_wr32(a, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE |
              NV3_PMC_INTR_EN_SOFTWARE);
    host_wr32(a, NV3_PMC_INTR, NV3_PMC_INTR_SOFTWARE);
    host_wr32(a, NV3_PTIMER_ALARM_0, 0x20000000);
    host_wr32(a, NV3_PTIMER_INTR_EN, NV3_PTIMER_INTR_ALARM);
    assert_true(a->irq);
    assert_true(a->timer[NV3_TIMER_ALARM] < UINT64_MAX);
    b->now = a->now += 12345;
    buf = save(a);
    load(b, buf);
    assert_true(b->irq);
    assert_int_equal(b->timer[NV3_TIMER_ALARM], a->timer[NV3_TIMER_ALARM]);
    assert_int_equal(b->timer[NV3_TIMER_VBLANK], a->timer[NV3_TIMER_VBLANK]);
    assert_true(nv3_scanout_changed(b->chip));
    assert_int_equal(host_rd32(b, NV3_PTIMER_TIME_0),
                     host_rd32(a, NV3_PTIMER_TIME_0));
    /*
     * Loading the state of an idle chip must lower the interrupt line and cancel the
     * alarm.
     */
    test_free(buf);
    nv3_reset(a->chip);
    buf = save(a);
    load(b, buf);
    assert_false(b->irq);
    assert_int_equal(b->timer[NV3_TIMER_ALARM], UINT64_MAX);
    test_free(buf);
    host_free(a);
    host_free(b);
}

/*
 * The chip's time must continue from the saved time, even if the clock of the new host
 * has just started.
 */
static void test_young_clock(void **state)
{
    Host *a = host_new(), *b = host_new();
    uint32_t before, after;
    uint8_t *buf;

    a->now = 3600 * 1000000000ull;
    host_wr32(a, NV3_PTIMER_ALARM_0, 0);
    host_wr32(a, NV3_PTIMER_INTR_EN, NV3_PTIMER_INTR_ALARM);
    host_wr32(a, NV3_PMC_ENABLE, 0xffffffff);
    host_wr32(a, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_EXPIRED);
    a->now += 3600 * 1000000000ull;
    b->now = 1000;
    host_wr32(a, NV3_PTIMER_INTR, NV3_PTIMER_INTR_ALARM);
    buf = save(a);
    load(b, buf);
    before = host_rd32(a, NV3_PTIMER_TIME_0);
    after = host_rd32(b, NV3_PTIMER_TIME_0);
    assert_in_range(after - before, 0, 32);
    assert_true(b->timer[NV3_TIMER_ALARM] < UINT64_MAX);
    assert_int_equal(host_rd32(b, NV3_PGRAPH_CTX_CONTROL) &
                     NV3_PGRAPH_CTX_CONTROL_EXPIRED, 0);
    test_free(buf);
    host_free(a);
    host_free(b);
}

/* ---- migration in the middle of a batch ---------------------------------- */

#define CHID        GRAPH_CHID
#define INST(i)     (HOST_INST + (i) * 16)
#define DMA_VRAM    0x20000
#define DMA_MEM     0x24000
#define PUSH_PT     0x28000
#define MEM_SHARE   (HOST_MEM_BASE + 0x200000)  /* memory of DMA_MEM */
#define WIDTH       1024
#define HEIGHT      1000
#define PITCH       2048
#define NAME(i)     (0x5000u + (i))

/*
 * The raster operation of the rectangles. It makes the core read, change and write each
 * pixel separately.
 */
#define OP_ROP_DSP  0x10
#define ROP_XOR     0x66
#define OPTIONS_XOR (OP_ROP_DSP << NV3_GROBJ_OP_SHIFT | \
                     1u << NV3_GROBJ_DST_SHIFT)
#define OPTIONS_3D  (GRAPH_COPY | NV3_GROBJ_ZETA)

static const struct {
    unsigned class;
    uint32_t options;
} objects[8] = {
    { NV3_CLASS_RECT, OPTIONS_XOR | NV3_GROBJ_FORMAT_R8G8B8 },
    { NV3_CLASS_TRI, OPTIONS_XOR | NV3_GROBJ_FORMAT_R8G8B8 },
    { NV3_CLASS_BLIT, OPTIONS_XOR },
    { NV3_CLASS_M2MF, 0 },
    { NV3_CLASS_ITM, 0 },
    { NV3_CLASS_SIFC, OPTIONS_XOR },
    { NV3_CLASS_D3D, OPTIONS_3D },
    { NV3_CLASS_ROP, 0 },
};

static void put_objects(Host *h)
{
    for (unsigned i = 0; i < 8; i++) {
        bool m2mf = objects[i].class == NV3_CLASS_M2MF;
        bool itm = objects[i].class == NV3_CLASS_ITM;

        host_grobj(h, CHID, NAME(i), objects[i].class, INST(i),
                   objects[i].options, (itm ? DMA_MEM : DMA_VRAM) >> 4 |
                   (m2mf ? DMA_MEM >> 4 << 16 : 0));
        host_ramin_wr32(h, INST(i) + NV3_GROBJ_M2MF, DMA_MEM >> 4);
    }
    host_dmaobj(h, DMA_VRAM, NV3_DMAOBJ_TARGET_VRAM, 0, 0x400000, true);
    host_dmaobj(h, DMA_MEM, NV3_DMAOBJ_TARGET_PCI, MEM_SHARE, 0x200000, true);
}

static void put_surfaces(Host *h)
{
    uint32_t max = graph_xy(WIDTH, HEIGHT);

    host_wr32(h, NV3_PGRAPH_FIFO_ENABLE, 0);
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        host_wr32(h, NV3_PGRAPH_SURF_OFFSET(i), i * 0x200000 % 0x600000);
        host_wr32(h, NV3_PGRAPH_SURF_PITCH(i), PITCH);
    }
    host_wr32(h, NV3_PGRAPH_SURF_CONFIG, 0x6666);
    host_wr32(h, NV3_PGRAPH_SRC_CANVAS_MAX, max);
    host_wr32(h, NV3_PGRAPH_DST_CANVAS_MAX, max);
    host_wr32(h, NV3_PGRAPH_DEBUG_2, 0);
    host_wr32(h, NV3_PGRAPH_PATTERN_A(0), 0xff);
    host_wr32(h, NV3_PGRAPH_PATTERN_A(1), 0xff);
    host_wr32(h, NV3_PGRAPH_FIFO_ENABLE, 1);
}

static uint32_t as_word(float f)
{
    uint32_t val;

    memcpy(&val, &f, sizeof(val));
    return val;
}

/* Pushes the vertex of slot @slot. @tri: slots of the triangle's other two vertices. */
static void push_vertex(HostPush *p, unsigned slot, uint32_t tri, float x,
                        float y, uint32_t color)
{
    const uint32_t word[] = {
        slot | tri << 4, color, as_word(x), as_word(y), as_word(0.25f),
        as_word(1.0f), as_word(x / 100), as_word(y / 100),
    };

    host_push(p, 6, NV3_D3D_FOG_TRI(slot), 8, word);
}

/* Pushes triangles that use the drawn rectangles as their texture. */
static void push_3d(HostPush *p)
{
    const uint32_t state[] = {
        0x3000,
        6u << NV3_D3D_TEX_SIZE_MAX_SHIFT | 5 << NV3_D3D_TEX_SIZE_MIN_SHIFT |
        NV3_D3D_TEX_R5G6B5 << NV3_D3D_TEX_FORMAT_SHIFT,
        0, 0x112233,
        NV3_D3D_INTERP_FOH_CENTER |
        NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT |
        NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT |
        NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
        NV3_D3D_CMP_GREATER << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
        NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
        NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT,
        NV3_D3D_CMP_ALWAYS << 8,
    };

    host_push(p, 6, NV3_D3D_TEX_OFFSET, 6, state);
    push_vertex(p, 1, 0, 10, 10, 0xffff8040);
    push_vertex(p, 2, 0, 900, 40, 0xff40ff80);
    push_vertex(p, 0, 0x21, 300, 700, 0xff8040ff);
}

static void push_2d(HostPush *p)
{
    const uint32_t rect[] = { 0x5a5a, 0x22226666 };
    const uint32_t points[] = {
        graph_xy(3, 5), graph_xy(1000, 900), graph_xy(500, 20),
        graph_xy(200, 700), graph_xy(20, 300), graph_xy(900, 600),
    };
    const uint32_t tri[] = {
        graph_xy(5, 5), graph_xy(900, 100), graph_xy(400, 990),
    };
    const uint32_t blit[] = {
        graph_xy(10, 20), graph_xy(100, 60), graph_xy(800, 900),
    };

    host_push1(p, 7, NV3_ROP_ROP, ROP_XOR);
    host_push1(p, 0, NV3_RECT_COLOR, rect[0]);
    host_push(p, 0, NV3_RECT_POINT(0), 6, points);
    host_push1(p, 1, NV3_TRI_COLOR, rect[1]);
    host_push(p, 1, NV3_TRI_POINT(0), 3, tri);
    host_push(p, 2, NV3_BLIT_POINT_IN, 3, blit);
}

static void push_dma(HostPush *p)
{
    const uint32_t m2mf[] = { 0x1000, 0x2000, 700, 800, 600, 300, 0x0102, 0 };
    const uint32_t sifc[] = {
        graph_xy(4, 2), 900 << 20, 900 << 20, 0, graph_xy(WIDTH, HEIGHT),
        graph_xy(40 << 4, 30 << 4),
    };
    const uint32_t pixels[] = { 0x12347654, 0x00ff7f01, 0x33335555, 0x1111 };

    host_push1(p, 3, NV3_MTHD_NOTIFY, 0);
    host_push(p, 3, NV3_M2MF_OFFSET_IN, 8, m2mf);
    host_push1(p, 4, NV3_ITM_POINT, graph_xy(3, 3));
    host_push1(p, 4, NV3_ITM_SIZE, graph_xy(900, 700));
    host_push1(p, 4, NV3_ITM_PITCH, 2000);
    host_push1(p, 4, NV3_ITM_OFFSET, 0x40000);
    host_push(p, 5, NV3_SIFC_SIZE_IN, 6, sifc);
    host_push(p, 5, NV3_SIFC_DATA(0), 4, pixels);
}

static Host *batch_new(void)
{
    Graph *g = graph_new_config(NULL);
    Host *h = g->host;
    HostPush push;

    host_fifo_setup(h);
    put_objects(h);
    put_surfaces(h);
    for (uint32_t i = 0; i < 0x600000; i += 4) {
        nv3_stl(h->vram + i, i * 2654435761u);
    }
    host_push_init(h, &push, PUSH_PT);
    for (unsigned i = 0; i < 8; i++) {
        host_push1(&push, i, NV3_MTHD_OBJECT, NAME(i));
    }
    for (unsigned i = 0; i < 2; i++) {
        push_2d(&push);
        push_3d(&push);
        push_dma(&push);
    }
    host_push_start(&push, CHID);
    test_free(g);
    return h;
}

/* Migrates the machine: copies VRAM and system memory, and saves and loads the chip. */
static Host *moved(Host *from)
{
    Host *to = host_new_config(&from->config);
    uint8_t *buf = save(from);

    memcpy(to->vram, from->vram, from->config.vram_size);
    memcpy(to->mem, from->mem, HOST_MEM_SIZE);
    to->now = from->now;
    load(to, buf);
    assert_int_equal(to->irq, from->irq);
    for (unsigned i = 0; i < NV3_TIMER_COUNT; i++) {
        assert_int_equal(to->timer[i], from->timer[i]);
    }
    test_free(buf);
    host_free(from);
    return to;
}

static void assert_at_rest(Host *h)
{
    assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_NOTIFY,
                     0);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_INVALID), 0);
    assert_int_equal(host_rd32(h, NV3_PDMA_INTR), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_COUNT), 0);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), 0);
}

static void test_mid_batch(void **state)
{
    Host *alone = batch_new(), *many = batch_new();
    unsigned slices = 0, jobs = 0, seen = 0;

    host_run(alone);
    assert_at_rest(alone);
    while (nv3_run(many->chip, 1)) {
        NV3JobKind kind = many->chip->pgraph.job.kind;

        slices++;
        /*
         * Migrate after each slice of a job, and after one in eight of the other slices.
         */
        if (kind != NV3_JOB_NONE || slices % 8 == 0) {
            jobs += kind != NV3_JOB_NONE;
            seen |= 1u << kind;
            many = moved(many);
        }
    }
    assert_at_rest(many);
    assert_in_range(jobs, 20, slices);
    /* test_programs_slices.c migrates jobs of class PROGRAMS. */
    for (unsigned kind = NV3_JOB_FILL; kind < NV3_JOB_PROGRAMS; kind++) {
        if (kind != NV3_JOB_SIFM && kind != NV3_JOB_LINE && !(seen & 1u << kind)) {
            fail_msg("not moved in the middle of a job of kind %u", kind);
        }
    }
    assert_memory_equal(many->vram, alone->vram, many->config.vram_size);
    assert_memory_equal(many->mem, alone->mem, HOST_MEM_SIZE);
    assert_members_equal(alone, many);
    print_message("# %u slices, moved in %u jobs\n", slices, jobs);
    host_free(alone);
    host_free(many);
}

/* ---- missing blocks ------------------------------------------------------ */

/*
 * Software may change the ring after the pusher has fetched words, so the fetched words
 * are part of the state. If the chip's configuration excludes these words from the state
 * (save_prefetch), the chip fetches them again after the load.
 */
static void test_prefetch(void **state)
{
    for (unsigned save = 0; save < 2; save++) {
        Host *h = host_new(), *to;
        HostPush push;

        h->chip->config.save_prefetch = h->config.save_prefetch = save;
        host_fifo_setup(h);
        host_push_init(h, &push, PUSH_PT);
        for (uint32_t i = 0; i < 100; i++) {
            host_push1(&push, 0, NV3_RECT_COLOR, i);
        }
        host_push_start(&push, CHID);
        nv3_run(h->chip, 1);
        assert_in_range(h->chip->pfifo.dma.used, 1, 10);
        assert_int_equal(h->chip->pfifo.dma.fetched, 200);
        memset(h->mem, 0xff, 4096);
        to = moved(h);
        nv3_run(to->chip, 20);
        /* A word in which all bits are set is not a valid header. */
        assert_int_equal(!(to->chip->pfifo.dma.state &
                           NV3_PFIFO_DMA_STATE_ERROR), save);
        host_free(to);
    }
}

static void assert_block_equal(const uint8_t *a, const uint8_t *b, unsigned i)
{
    size_t start = saved_block(i) + 1, end = saved_block(i + 1);

    for (size_t at = start; at < end; at++) {
        if (a[at] != b[at]) {
            fail_msg("%s: byte %zu of its values", nv3_state_blocks[i]->name,
                     at - start);
        }
    }
}

/*
 * Loads a state without block @missing. After the load, this block must be in its reset
 * state, and the other blocks must have their saved values.
 */
static void load_without(Host *from, unsigned missing, uint32_t seed)
{
    Host *to = host_new_config(&from->config);
    Host *reset = host_new_config(&from->config);
    uint8_t *all = save(from), *fresh, *loaded;

    to->now = reset->now = from->now;
    nv3_reset(reset->chip);
    fresh = save(reset);
    fill(to->chip, &seed);
    assert_true(all[saved_block(missing)]);
    all[saved_block(missing)] = 0;
    load(to, all);
    /*
     * Compare only the values of blocks and not their presence, because a block with a
     * needed() function may be missing from a newly saved state.
     */
    loaded = save(to);
    for (unsigned i = 1; i < nv3_state_block_count; i++) {
        assert_block_equal(loaded, i == missing ? fresh : all, i);
    }
    test_free(loaded);
    test_free(fresh);
    test_free(all);
    host_free(reset);
    host_free(to);
}

static void test_block_missing(void **state)
{
    NV3Config config = configs[2];
    uint32_t seed = 5;
    Host *from;

    config.virt = config.programs = true;
    from = host_new_config(&config);
    from->now = 5000000000;
    fill(from->chip, &seed);
    from->chip->pgraph.job = (NV3Job) {
        .kind = NV3_JOB_FILL, .rect = { 1, 1, 9, 9 }, .line = 3,
    };
    from->chip->pfifo.dma.fetched = 9;
    from->chip->pfifo.dma.used = 3;
    /* Stop PTIMER, because its rate depends on a PLL in another block. */
    from->chip->ptimer.numerator = 0;
    nv3_ptimer_rearm(from->chip);
    for (unsigned i = 1; i < nv3_state_block_count; i++) {
        load_without(from, i, seed + i);
    }
    host_free(from);
}

/* ---- corrupted streams --------------------------------------------------- */

/*
 * Fails unless the load of @buf fails for the reason @why, and the chip keeps its state.
 */
static void assert_refused(Host *h, const uint8_t *buf, const char *why)
{
    uint8_t *before = save(h), *after;
    NV3LoadError error = { "" };

    assert_false(saved_put(h->chip, buf, &error));
    assert_non_null(memchr(error.text, 0, sizeof(error.text)));
    if (!error.text[0] || !strstr(error.text, why)) {
        fail_msg("refused with '%s', not because of %s", error.text, why);
    }
    after = save(h);
    assert_memory_equal(before, after, saved_size());
    test_free(before);
    test_free(after);
}

/* A load into a chip with another configuration must fail and report the difference. */
static void test_other_config(void **state)
{
    static const struct {
        NV3Config config;
        const char *why;
    } others[] = {
        { { .revision = NV3_REVISION_B, .vram_size = 4 << 20, .virt = true },
          "config.revision" },
        { { .revision = NV3_REVISION_C, .vram_size = 4 << 20, .virt = true },
          "config.vram_size" },
        { { .revision = NV3_REVISION_C, .vram_size = 8 << 20 },
          "config.virt" },
        { { .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true,
            .acpi = true },
          "config.acpi" },
        { { .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true,
            .without_classes = 1u << NV3_CLASS_D3D },
          "config.without_classes" },
    };
    const NV3Config with_programs = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true, .programs = true,
    };
    Host *h = host_new(), *programs;
    uint8_t *buf = save(h);

    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        Host *other = host_new_config(&others[i].config);

        assert_refused(other, buf, others[i].why);
        host_free(other);
    }
    load(h, buf);
    test_free(buf);

    programs = host_new_config(&with_programs);
    buf = save(programs);
    assert_refused(h, buf, "config.programs");
    load(programs, buf);
    test_free(buf);
    host_free(programs);
    host_free(h);
}

/* Tests states with inconsistent values. */
static void test_impossible(void **state)
{
    Host *h = host_new(), *a = host_new_config(&configs[0]);
    NV3Pgraph *g = &h->chip->pgraph;
    static const NV3Rect rects[] = {
        { 0 }, { 5, 5, 5, 9 }, { -1, 0, 4, 4 }, { 0, 0, 2048, 1 },
        { 0, 0, 1, 0x8000 }, { 9, 0, 2, 2 },
    };
    uint8_t *buf;

    for (NV3JobKind kind = NV3_JOB_FILL; kind < NV3_JOB_COUNT; kind++) {
        if (kind == NV3_JOB_M2MF || kind == NV3_JOB_ITM || kind == NV3_JOB_LINE ||
            kind == NV3_JOB_PROGRAMS) {
            continue;
        }
        for (unsigned i = kind == NV3_JOB_SIFC ? 2 : 0; i < 5; i++) {
            g->job = (NV3Job) { .kind = kind, .rect = rects[i] };
            buf = save(h);
            g->job.kind = NV3_JOB_NONE;
            assert_refused(h, buf, "job: ");
            test_free(buf);
        }
        g->job = (NV3Job) { .kind = kind, .rect = { 1, 1, 9, 9 }, .line = 8 };
        buf = save(h);
        g->job.kind = NV3_JOB_NONE;
        assert_refused(h, buf, "job: ");
        test_free(buf);
    }
    /* The method number is not a multiple of 4. */
    g->job = (NV3Job) { .kind = NV3_JOB_PROGRAMS, .line = 0x102 };
    buf = save(h);
    g->job.kind = NV3_JOB_NONE;
    assert_refused(h, buf, "job: ");
    test_free(buf);
    /* A coordinate of the line does not fit into 16 bits. */
    g->job = (NV3Job) { .kind = NV3_JOB_LINE, .y = { 0, 0x8000 } };
    buf = save(h);
    g->job.kind = NV3_JOB_NONE;
    assert_refused(h, buf, "job: ");
    test_free(buf);
    /* CACHE1 has 32 entries on revision A and 64 on revision C. */
    a->chip->pfifo.cache1.get = 32;
    buf = save(a);
    a->chip->pfifo.cache1.get = 31;
    assert_refused(a, buf, "pfifo: ");
    test_free(buf);
    host_free(a);
    host_free(h);
}

/*
 * Runs the chip, draws a line of its picture, and saves the chip. These operations must
 * work after any load that succeeds.
 */
static void use(Host *h)
{
    uint32_t line[NV3_SCANOUT_WIDTH_MAX];
    NV3Scanout out;

    for (unsigned i = 0; i < 2 && nv3_run(h->chip, 64); i++) {
        continue;
    }
    host_advance(h, 1000);
    nv3_scanout(h->chip, &out);
    if (out.height && out.format != NV3_SCANOUT_VGA) {
        nv3_scanout_line(h->chip, &out, out.height - 1, line);
    }
    test_free(save(h));
}

static void test_hostile(void **state)
{
    Host *h = batch_new();
    size_t size = saved_size();
    uint32_t seed = 99;
    unsigned taken = 0, refused = 0;
    uint8_t *good, *bad = test_malloc(size);
    NV3LoadError error;

    for (unsigned i = 0; i < 40; i++) {
        nv3_run(h->chip, 1);
    }
    good = save(h);
    for (size_t i = 0; i < size; i += 2) {
        memcpy(bad, good, size);
        for (unsigned n = graph_rand(&seed) % 4; n; n--) {
            bad[graph_rand(&seed) % size] = graph_rand(&seed);
        }
        bad[i] = graph_rand(&seed);
        if (saved_put(h->chip, bad, &error)) {
            taken++;
            use(h);
        } else {
            refused++;
        }
    }
    /*
     * The chip accepts many of the states, because most bytes of a state are programs and
     * contexts, whose words may have any value.
     */
    assert_in_range(taken, size / 20, size);
    assert_in_range(refused, size / 100, size);
    nv3_reset(h->chip);
    load(h, good);
    test_free(good);
    test_free(bad);
    host_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_member),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_young_clock),
        cmocka_unit_test(test_mid_batch),
        cmocka_unit_test(test_prefetch),
        cmocka_unit_test(test_block_missing),
        cmocka_unit_test(test_other_config),
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
