/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the rasterizer of class 0x17 with llvmpipe, which draws the same scenes in
 * the same run.
 *
 * core.fill, core.blend and core.tri25 compare one thread of the rasterizer with one
 * thread of llvmpipe. Benchmark core.tri25.class draws the scene of core.tri25 with
 * methods of class 0x17, 24 for each triangle. The benchmark submits these methods to
 * PGRAPH as the puller does, so the result does not include the cost of PFIFO, which
 * bench_methods measures.
 *
 * core.threads2 compares two threads with one thread on the scene of core.fill, by
 * wall-clock time and by CPU time. On a busy host two threads get more CPU time than one
 * thread, which increases the ratio of the wall-clock times. The result is therefore the
 * smaller of the two ratios. Benchmark llvmpipe.threads2 measures the speedup of llvmpipe
 * with a second thread. A second thread adds little speed if both threads share a CPU
 * core (hyperthreading), so compare core.threads2 only with llvmpipe.threads2 on the same
 * host.
 *
 * Draws of the rasterizer and of llvmpipe alternate. The result is the ratio of their
 * shortest CPU times. The rasterizer and llvmpipe must draw similar pictures. The
 * pictures are not equal, because the rasterizer dithers and llvmpipe rounds, and because
 * their texel centres differ.
 *
 * core.tri25.LEVEL and core.tri25.class.LEVEL compare each SIMD level of the host with
 * the level below. Their draws alternate, too.
 *
 * NV3_SIMD=scalar, neon, avx2, avx512 or avx512vbmi2 selects the SIMD level of the
 * rasterizer. Higher levels are not compared.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_class17.h"
#include "bench_scene.h"
#include "../unit/core.h"
#include "raster/threads.h"

#define ROUNDS      21
#define THREADS_ROUNDS  40
#define LEVEL_ROUNDS    15
#define OBJECT      0xb000u
#define TEX_DMA     0xc000u

#define CONFIG      (CLASS17_CONFIG | NV3_D3D_CONFIG_ALPHA | \
                     NV3_D3D_CMP_LESS << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)

static Class17 raster;
static NV3State *chip;

static double core_draw(Scene *s)
{
    class17_clear(&raster);
    return class17_draw(&raster, s);
}

static double process_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* Draws the scene with the threads of @pool, or on this thread if @pool is NULL. */
static SceneTimes threads_draw(Scene *s, NV3RasterPool *pool)
{
    const NV3Rect all = { 0, 0, SCENE_WIDTH, SCENE_HEIGHT };
    NV3RasterState st = class17_state(&raster);
    NV3RasterVertex *v = class17_vertices(s);
    double wall, own, process;

    class17_clear(&raster);
    wall = bench_now();
    own = scene_clock();
    process = process_clock();
    s->pixels = 0;
    for (unsigned i = 0; i < s->count; i += 3) {
        NV3RasterTri tri;

        if (!nv3_raster_setup(&st, &v[i], &v[i + 1], &v[i + 2], &tri)) {
            continue;
        }
        if (pool) {
            nv3_raster_pool_push(pool, &st, &tri, &all);
        } else {
            s->pixels += nv3_raster_draw(&st, &tri, &all);
        }
    }
    if (pool) {
        s->pixels = nv3_raster_pool_join(pool);
    }
    wall = bench_now() - wall;
    own = scene_clock() - own;
    process = process_clock() - process;
    free(v);
    return (SceneTimes) { wall, own > process - own ? own : process - own };
}

/* ---- drawing by methods ------------------------------------------------ */

#define CTX         (OBJECT >> 4 | NV3_CLASS_D3D << NV3_CTX_CLASS_SHIFT | \
                     NV3_CTX_CLASS_GRAPH | NV3_CTX_HARDWARE | NV3_CTX_VALID)

static void method(uint32_t mthd, uint32_t data)
{
    if (!nv3_pgraph_submit(chip, 0, 0, mthd, data, CTX)) {
        fprintf(stderr, "bench_raster: PGRAPH does not take 0x%04x\n", mthd);
        exit(1);
    }
}

/* Submits all words of vertex @w in one call, as the puller does. */
static void vertex(unsigned w, const uint32_t words[NV3_D3D_VERTEX_WORDS])
{
    if (!nv3_d3d_submit_vertex(chip, 0, 0, NV3_D3D_FOG_TRI(w), words, CTX)) {
        fprintf(stderr, "bench_raster: PGRAPH does not take a vertex\n");
        exit(1);
    }
}

/* Creates @chip, a model that draws with the SIMD level @raster.simd. */
static void set_up_chip(void)
{
    static const NV3Ops ops = { 0 };
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = CLASS17_VRAM_SIZE,
        .simd = raster.simd,
    };

    chip = nv3_new(&config, &ops, NULL, raster.vram, NULL);
    nv3_mmio_write(chip, NV3_PMC_ENABLE, 0xffffffff, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_DEBUG_1, NV3_PGRAPH_DEBUG_1_CTX_SWITCH |
                   NV3_PGRAPH_DEBUG_1_DMA_LOAD, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_CHECK |
                   NV3_PGRAPH_DEBUG_3_FORMAT_CHECK |
                   NV3_PGRAPH_DEBUG_3_DITHER_3D, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_CTX_CONTROL,
                   NV3_PGRAPH_CTX_CONTROL_DEVICE |
                   NV3_PGRAPH_CTX_CONTROL_CHID_VALID, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_SURF_OFFSET(2), CLASS17_COLOR, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_SURF_OFFSET(3), CLASS17_ZETA, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_SURF_PITCH(2), CLASS17_PITCH, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_SURF_PITCH(3), CLASS17_PITCH, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_SURF_CONFIG,
                   NV3_PGRAPH_SURF_FORMAT(2, NV3_SURF_X1R5G5B5) |
                   NV3_PGRAPH_SURF_VALID(2) | NV3_PGRAPH_SURF_VALID(3), 4);
    nv3_mmio_write(chip, NV3_PGRAPH_DST_CANVAS_MAX,
                   SCENE_HEIGHT << 16 | SCENE_WIDTH, 4);
    nv3_mmio_write(chip, NV3_PGRAPH_FIFO_ENABLE, 1, 4);
    nv3_ramin_write(chip, OBJECT, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT |
                    4u << NV3_GROBJ_DST_SHIFT | NV3_GROBJ_ZETA, 4);
    nv3_ramin_write(chip, OBJECT + NV3_GROBJ_DMA, TEX_DMA >> 4, 4);
    nv3_ramin_write(chip, TEX_DMA + NV3_DMAOBJ_LIMIT, CLASS17_VRAM_SIZE - 1, 4);
    nv3_ramin_write(chip, TEX_DMA + NV3_DMAOBJ_PTE(0),
                    NV3_DMAOBJ_PTE_PRESENT, 4);
}

static uint32_t bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

/* The words of a vertex, as a driver writes them to a pushbuffer. */
typedef uint32_t VertexWords[NV3_D3D_VERTEX_WORDS];

static VertexWords *class_words(const Scene *s)
{
    const float half_texel = 0.5f / (1 << SCENE_TEX_LOG2);
    VertexWords *words = malloc(s->count * sizeof(*words));

    for (unsigned i = 0; i < s->count; i++) {
        const SceneVertex *v = &s->vertex[i];
        const unsigned slot = i % 3;
        const VertexWords w = {
            slot == 2 ? 0x102 : slot,
            (uint32_t)v->rgba[3] << 24 |
                v->rgba[0] << 16 | v->rgba[1] << 8 | v->rgba[2],
            bits(v->x - 0.5f), bits(v->y - 0.5f), bits(v->z), bits(v->rhw),
            bits(v->u - half_texel), bits(v->v - half_texel),
        };

        memcpy(words[i], w, sizeof(w));
    }
    return words;
}

static double class_draw(const Scene *s)
{
    VertexWords *words = class_words(s);
    double start, end;

    class17_clear(&raster);
    start = scene_clock();
    method(NV3_MTHD_OBJECT, 1);
    method(NV3_D3D_TEX_OFFSET, CLASS17_TEXTURE);
    method(NV3_D3D_TEX_FORMAT, CLASS17_TEX_FORMAT);
    method(NV3_D3D_TEX_FILTER, 0);
    method(NV3_D3D_FOG_COLOR, 0);
    method(NV3_D3D_CONFIG, CONFIG);
    for (unsigned i = 0; i < s->count; i++) {
        vertex(i % NV3_D3D_VERTEX_COUNT, words[i]);
    }
    end = scene_clock();
    free(words);
    return end - start;
}

/* ---- comparing --------------------------------------------------------- */

/* Fails unless the picture in VRAM is similar to the picture of llvmpipe. */
static void compare(const char *name)
{
    static uint16_t other[SCENE_WIDTH * SCENE_HEIGHT];
    const uint16_t *core = (const uint16_t *)(raster.vram + CLASS17_COLOR);
    uint64_t difference = 0;

    llvmpipe_read(other);
    for (unsigned i = 0; i < SCENE_WIDTH * SCENE_HEIGHT; i++) {
        difference += abs((core[i] >> 10 & 31) - (other[i] >> 11)) +
                      abs((core[i] >> 5 & 31) - (other[i] >> 6 & 31)) +
                      abs((core[i] & 31) - (other[i] & 31));
    }
    /* On average, a component must differ from llvmpipe's by at most one step. */
    if (difference > SCENE_WIDTH * SCENE_HEIGHT * 3) {
        fprintf(stderr, "bench_raster: %s: not llvmpipe's picture (off by "
                "%.2f of 31)\n", name,
                difference / (SCENE_WIDTH * SCENE_HEIGHT * 3.0));
        exit(1);
    }
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

static void measure(const char *name, Scene *s, bool pixels, bool llvmpipe)
{
    double core = INFINITY, class = INFINITY, other = INFINITY, work;
    char class_name[64];

    for (unsigned i = 0; i < ROUNDS; i++) {
        core = min(core, core_draw(s));
        if (llvmpipe) {
            other = min(other, llvmpipe_draw(s));
            compare(name);
        }
        if (!pixels) {
            class = min(class, class_draw(s));
        }
    }
    work = (pixels ? s->pixels : s->count / 3) / 1e6;
    bench_print(name, work / core, pixels ? "Mpixel/s" : "Mtri/s", "llvmpipe",
                work / other);
    if (!pixels) {
        snprintf(class_name, sizeof(class_name), "%s.class", name);
        bench_print(class_name, work / class, "Mtri/s", "llvmpipe",
                    work / other);
    }
    scene_free(s);
}

/* Compares SIMD level @level with the level below. */
static void measure_level(Scene *s, NV3Simd level)
{
    const NV3Simd used = raster.simd, levels[2] = { bench_level_below(level), level };
    NV3State *used_chip = chip, *chips[2];
    double core[2] = { INFINITY, INFINITY }, class[2] = { INFINITY, INFINITY };
    const double work = s->count / 3e6;

    for (unsigned i = 0; i < 2; i++) {
        raster.simd = levels[i];
        set_up_chip();
        chips[i] = chip;
    }
    for (unsigned i = 0; i < 2 * LEVEL_ROUNDS; i++) {
        raster.simd = levels[i % 2];
        chip = chips[i % 2];
        core[i % 2] = min(core[i % 2], core_draw(s));
        class[i % 2] = min(class[i % 2], class_draw(s));
    }
    nv3_free(chips[0]);
    nv3_free(chips[1]);
    raster.simd = used;
    chip = used_chip;
    bench_print_level("core.tri25", level, work / core[1], "Mtri/s", work / core[0]);
    bench_print_level("core.tri25.class", level, work / class[1], "Mtri/s",
                      work / class[0]);
}

static void measure_levels(Scene *s)
{
    for (NV3Simd level = raster.simd; bench_level_below(level) != NV3_SIMD_AUTO;
         level = bench_level_below(level)) {
        measure_level(s, level);
    }
}

static void best_of(SceneTimes *best, SceneTimes t)
{
    best->wall = min(best->wall, t.wall);
    best->cpu = min(best->cpu, t.cpu);
}

/*
 * Prints the rate of two threads: the rate of one thread, multiplied by the ratio of the
 * wall-clock times or the ratio of the CPU times, whichever is smaller.
 */
static void print_gain(const char *name, const Scene *s, SceneTimes one, SceneTimes two)
{
    double ratio = min(one.wall / two.wall, one.cpu / two.cpu);
    double work = s->pixels / 1e6 / one.cpu;

    bench_print(name, work * ratio, "Mpixel/s", "one thread", work);
}

static void measure_threads(Scene *s)
{
    static uint8_t alone[CLASS17_PITCH * SCENE_HEIGHT];
    NV3RasterPool *pool = nv3_raster_pool_new(2);
    SceneTimes one = { INFINITY, INFINITY }, two = one;

    for (unsigned i = 0; i < THREADS_ROUNDS; i++) {
        best_of(&one, threads_draw(s, NULL));
        memcpy(alone, raster.vram + CLASS17_COLOR, sizeof(alone));
        best_of(&two, threads_draw(s, pool));
        if (memcmp(alone, raster.vram + CLASS17_COLOR, sizeof(alone))) {
            fprintf(stderr, "bench_raster: two threads draw another picture\n");
            exit(1);
        }
    }
    nv3_raster_pool_free(pool);
    print_gain("core.threads2", s, one, two);
}

/* Measures llvmpipe with one thread and with two threads, in separate processes. */
static void measure_llvmpipe_threads(const Scene *s, LlvmpipeServer *const server[2])
{
    SceneTimes one = { INFINITY, INFINITY }, two = one;

    for (unsigned i = 0; i < ROUNDS; i++) {
        SceneTimes a, b;

        if (!llvmpipe_server_draw(server[0], &a) ||
            !llvmpipe_server_draw(server[1], &b)) {
            fprintf(stderr, "bench_raster: no llvmpipe with two threads\n");
            return;
        }
        best_of(&one, a);
        best_of(&two, b);
    }
    print_gain("llvmpipe.threads2", s, one, two);
}

int main(void)
{
    static uint16_t texture[1 << (2 * SCENE_TEX_LOG2)];
    LlvmpipeServer *server[2];
    bool llvmpipe;
    Scene s, screen;

    bench_print_host();
    fflush(stdout);
    scene_fill(&screen, 60, false);
    /* The servers must be forked before this process starts threads. */
    server[0] = llvmpipe_server_start(&screen, 1);
    server[1] = llvmpipe_server_start(&screen, 2);
    llvmpipe = llvmpipe_open();
    if (!llvmpipe) {
        fprintf(stderr, "bench_raster: no llvmpipe here to compare with\n");
    }
    scene_texture(texture);
    class17_open(&raster, CONFIG, bench_isa(), texture);
    set_up_chip();
    scene_fill(&s, 60, false);
    measure("core.fill", &s, true, llvmpipe);
    scene_fill(&s, 60, true);
    measure("core.blend", &s, true, llvmpipe);
    scene_small(&s, 40);
    measure("core.tri25", &s, false, llvmpipe);
    scene_small(&s, 40);
    measure_levels(&s);
    scene_free(&s);
    measure_threads(&screen);
    if (llvmpipe) {
        measure_llvmpipe_threads(&screen, server);
    }
    llvmpipe_server_stop(server[0]);
    llvmpipe_server_stop(server[1]);
    scene_free(&screen);
    nv3_free(chip);
    class17_close(&raster);
    return 0;
}
