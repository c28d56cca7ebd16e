/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends methods of three channels in random order, so that PGRAPH often switches
 * channels. Like a driver, the test switches channels by saving and loading the registers
 * that docs/reference/chip/pgraph.md lists as a context. Each channel must draw the same
 * pixels as without interruptions by other channels.
 */
#include "graph.h"

#define CHANNELS    3
#define METHODS     4000
#define SUBCHANNELS 8

/*
 * Registers of a context, in the order of docs/reference/chip/pgraph.md, "A context".
 */
static const struct {
    uint32_t first;
    unsigned count;
    unsigned stride;
} context[] = {
    { NV3_PGRAPH_VTX_X(0), 32, 4 },
    { NV3_PGRAPH_VTX_Y(0), 32, 4 },
    { NV3_PGRAPH_VTX_Z(0), 16, 4 },
    { NV3_PGRAPH_ICLIP_XMAX, 2, 4 },
    { NV3_PGRAPH_UCLIP_XMIN, 4, 4 },
    { NV3_PGRAPH_OCLIP_XMIN, 4, 4 },
    { NV3_PGRAPH_PATTERN_RGB(0), 4, 4 },
    { NV3_PGRAPH_PATTERN_MONO(0), 2, 4 },
    { NV3_PGRAPH_PATTERN_SHAPE, 1, 4 },
    { NV3_PGRAPH_BITMAP_COLOR_0, 1, 4 },
    { NV3_PGRAPH_ROP, 1, 4 },
    { NV3_PGRAPH_CHROMA, 1, 4 },
    { NV3_PGRAPH_BETA, 1, 4 },
    { NV3_PGRAPH_D3D_XY, 6, 4 },
    { NV3_PGRAPH_D3D_CONFIG, 1, 4 },
    { NV3_PGRAPH_D3D_ALPHA, 1, 4 },
    { NV3_PGRAPH_X_MISC, 2, 4 },
    { NV3_PGRAPH_XY_MISC_0, 4, 4 },
    { NV3_PGRAPH_X_CLIP_STATUS(0), 2, 4 },
    { NV3_PGRAPH_Y_CLIP_STATUS(0), 2, 4 },
    { NV3_PGRAPH_MISC32_0, 1, 4 },
    { NV3_PGRAPH_MISC32_1, 1, 4 },
    { NV3_PGRAPH_MISC24_0, 1, 4 },
    { NV3_PGRAPH_MISC24_1, 1, 4 },
    { NV3_PDMA_LINES, 1, 4 },
    { NV3_PDMA_OFFSET(0), 3, 16 },
    { NV3_PDMA_PITCH, 1, 4 },
    { NV3_PDMA_FORMAT, 1, 4 },
    { NV3_PGRAPH_SURF_OFFSET(0), 4, 4 },
    { NV3_PGRAPH_SURF_PITCH(0), 4, 4 },
    { NV3_PGRAPH_SURF_CONFIG, 1, 4 },
    { NV3_PGRAPH_SRC_CANVAS_MIN, 4, 4 },
    { NV3_PGRAPH_CLIPRECT_MIN(0), 4, 4 },
    { NV3_PGRAPH_CLIPRECT_CTRL, 1, 4 },
    { NV3_PGRAPH_DMA_INST, 4, 4 },
    { NV3_PGRAPH_CTX_SWITCH, 1, 4 },
    { NV3_PGRAPH_CTX_CACHE(0), 8, 4 },
    { NV3_PGRAPH_CTX_USER, 1, 4 },
    { NV3_PGRAPH_VALID, 1, 4 },
};

#define CONTEXT_WORDS   256

typedef struct Step {
    uint32_t subch;
    uint32_t mthd;
    uint32_t data;
} Step;

typedef struct Channel {
    Step step[METHODS];
    uint32_t saved[CONTEXT_WORDS];
    uint32_t ctx[SUBCHANNELS];
} Channel;

typedef struct Switch {
    Graph *g;
    Channel channel[CHANNELS];
    unsigned owner;
    unsigned switches;
} Switch;

static const unsigned classes[SUBCHANNELS] = {
    NV3_CLASS_RECT, NV3_CLASS_IFC, NV3_CLASS_LINE, NV3_CLASS_TRI,
    NV3_CLASS_GDI, NV3_CLASS_SIFC, NV3_CLASS_BITMAP, NV3_CLASS_BLIT,
};

static uint32_t chid(unsigned channel)
{
    return 10 + channel;
}

/* Returns an argument that contains a small x and a small y coordinate. */
static uint32_t small_xy(uint32_t *seed)
{
    return graph_xy(graph_rand(seed) % 100, graph_rand(seed) % 60);
}

/*
 * Returns a random method for subchannel @subch. Most methods are in the order that the
 * object's class requires for drawing, so that the test draws pixels.
 */
static Step random_step(unsigned subch, unsigned next, uint32_t *seed)
{
    static const uint16_t rect[] = { 0x304, 0x400, 0x404 };
    static const uint16_t ifc[] = { 0x304, 0x308, 0x30c, 0x400, 0x400, 0x400 };
    static const uint16_t line[] = { 0x304, 0x400, 0x404, 0x500, 0x500 };
    static const uint16_t tri[] = { 0x304, 0x310, 0x314, 0x318, 0x400 };
    static const uint16_t gdi[] = {
        0x3fc, 0x7f4, 0x7f8, 0x800, 0x804, 0xbf4, 0xbf8, 0xbfc, 0xc00, 0xc00,
    };
    static const uint16_t sifc[] = {
        0x304, 0x308, 0x30c, 0x310, 0x314, 0x318, 0x400, 0x400,
    };
    static const uint16_t bitmap[] = {
        0x308, 0x30c, 0x310, 0x314, 0x318, 0x400, 0x400,
    };
    static const uint16_t blit[] = { 0x300, 0x304, 0x308 };
    static const struct {
        const uint16_t *mthd;
        size_t count;
    } of[SUBCHANNELS] = {
        { rect, 3 }, { ifc, 6 }, { line, 5 }, { tri, 5 }, { gdi, 10 },
        { sifc, 8 }, { bitmap, 7 }, { blit, 3 },
    };
    Step s = { .subch = subch, .data = small_xy(seed) };

    if (graph_rand(seed) % 8 == 0) {
        next = graph_rand(seed);
    }
    s.mthd = of[subch].mthd[next % of[subch].count];
    if (s.mthd == 0x318 && classes[subch] == NV3_CLASS_SIFC) {
        s.data <<= 4;
    } else if (classes[subch] == NV3_CLASS_SIFC && s.mthd <= 0x30c &&
               s.mthd >= 0x308) {
        s.data = graph_rand(seed) % (5 << 20);
    } else if (s.mthd == 0x304 || s.mthd == 0x3fc || s.mthd == 0xbf4) {
        s.data = graph_rand(seed) & 0x7fff;
    }
    return s;
}

static void make_program(Channel *c, uint32_t seed)
{
    unsigned subch = 0;

    for (unsigned i = 0; i < METHODS; i++) {
        /*
         * Seldom change the subchannel, so that each object receives all methods that it
         * needs for drawing.
         */
        if (graph_rand(&seed) % 60 == 0) {
            subch = graph_rand(&seed) % SUBCHANNELS;
        }
        if (i < SUBCHANNELS) {
            c->step[i] = (Step) { .subch = i };
        } else {
            c->step[i] = random_step(subch, i, &seed);
        }
    }
}

static void make_objects(Graph *g, Channel *c, unsigned channel)
{
    for (unsigned i = 0; i < SUBCHANNELS; i++) {
        uint32_t inst = 0x10000 + channel * 0x1000 + i * 16;
        /* Let half of the objects draw pixels whose top bit is set. */
        uint32_t bypass = (channel + i) & 1 ? 0x200 : 0;

        host_ramin_wr32(g->host, inst, GRAPH_COPY | bypass);
        c->ctx[i] = inst >> 4 | classes[i] << NV3_CTX_CLASS_SHIFT;
    }
}

/*
 * Sets the initial state of a channel, which has its own surface, canvas and channel
 * number.
 */
static void first_state(Graph *g, unsigned channel)
{
    host_wr32(g->host, NV3_PGRAPH_FIFO_ENABLE, 0);
    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), GRAPH_SURF(channel));
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX,
              graph_xy(90 + channel, 50 + channel));
    host_wr32(g->host, NV3_PGRAPH_CTX_USER, chid(channel) << 24);
}

static void save(Switch *w, uint32_t *word)
{
    for (size_t i = 0; i < sizeof(context) / sizeof(context[0]); i++) {
        for (unsigned j = 0; j < context[i].count; j++) {
            *word++ = host_rd32(w->g->host,
                                context[i].first + j * context[i].stride);
        }
    }
}

static void load(Switch *w, const uint32_t *word)
{
    for (size_t i = 0; i < sizeof(context) / sizeof(context[0]); i++) {
        for (unsigned j = 0; j < context[i].count; j++) {
            host_wr32(w->g->host, context[i].first + j * context[i].stride,
                      *word++);
        }
    }
}

/*
 * Acts as the driver: switches PGRAPH to the channel of the method that has caused the
 * interrupt.
 */
static void serve(Switch *w)
{
    Host *h = w->g->host;
    unsigned next = (host_rd32(h, NV3_PGRAPH_TRAPPED_ADDR) >> 24) - chid(0);

    assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR), NV3_PGRAPH_INTR_CTX_SWITCH);
    assert_in_range(next, 0, CHANNELS - 1);
    save(w, w->channel[w->owner].saved);
    load(w, w->channel[next].saved);
    w->owner = next;
    w->switches++;
    host_wr32(h, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_DEVICE |
              NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    graph_resume(w->g);
}

/*
 * Submits a method. If PGRAPH has the state of another channel, first switches PGRAPH to
 * @channel, like a driver.
 */
static void submit(Switch *w, unsigned channel, const Step *s)
{
    Graph *g = w->g;

    while (!nv3_pgraph_submit(g->s, chid(channel), s->subch, s->mthd, s->data,
                              w->channel[channel].ctx[s->subch])) {
        serve(w);
    }
    while (nv3_pgraph_step(g->s)) {
        continue;
    }
    /*
     * Acknowledge errors such as missing methods. run_alone() and run_mixed() cause the
     * same errors.
     */
    graph_resume(g);
}

static void set_up(Switch *w)
{
    w->g = graph_new_config(NULL);
    w->switches = 0;
    for (unsigned c = 0; c < CHANNELS; c++) {
        make_objects(w->g, &w->channel[c], c);
        make_program(&w->channel[c], 1000 + c);
        first_state(w->g, c);
        save(w, w->channel[c].saved);
    }
    w->owner = CHANNELS - 1;
    host_wr32(w->g->host, NV3_PGRAPH_FIFO_ENABLE, 1);
}

/*
 * Runs all methods of one channel before those of the next, so that PGRAPH switches only
 * once per channel.
 */
static void run_alone(Switch *w)
{
    for (unsigned c = 0; c < CHANNELS; c++) {
        for (unsigned i = 0; i < METHODS; i++) {
            submit(w, c, &w->channel[c].step[i]);
        }
    }
}

/* Interleaves the methods of all channels at random. */
static void run_mixed(Switch *w)
{
    unsigned at[CHANNELS] = { 0 };
    uint32_t seed = 5;

    for (unsigned left = CHANNELS * METHODS; left; left--) {
        unsigned c = graph_rand(&seed) % CHANNELS;

        while (at[c] == METHODS) {
            c = (c + 1) % CHANNELS;
        }
        submit(w, c, &w->channel[c].step[at[c]++]);
    }
}

static void test_switches(void **state)
{
    static Switch alone, mixed;
    unsigned drawn = 0;

    set_up(&alone);
    run_alone(&alone);
    assert_int_equal(alone.switches, CHANNELS);
    set_up(&mixed);
    run_mixed(&mixed);
    assert_in_range(mixed.switches, METHODS, CHANNELS * METHODS);
    assert_int_equal(mixed.g->s->counters[NV3_PVIRT_COUNTER_SWITCHES],
                     mixed.switches);
    assert_memory_equal(mixed.g->host->vram, alone.g->host->vram, 0x700000);
    for (unsigned c = 0; c < CHANNELS; c++) {
        for (unsigned x = 0; x < 90; x++) {
            drawn += graph_pixel(mixed.g, c, x, x / 2, 2) != 0;
        }
    }
    /* The methods have drawn pixels. */
    assert_in_range(drawn, 100, CHANNELS * 90);
    graph_free(alone.g);
    graph_free(mixed.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switches),
    };

    return cmocka_run_group_tests_name("pgraph_switch", tests, NULL, NULL);
}
