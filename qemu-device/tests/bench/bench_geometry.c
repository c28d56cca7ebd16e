/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the speed of class 0x1F with that of llvmpipe, each on one thread. Also
 * compares two SIMD levels of the class, and one thread with two threads.
 *
 * core.vertex: A vertex program of 20 instructions computes three lights. All triangles
 *   are culled.
 * core.tri25.programs: Draws textured Gouraud triangles of 25 pixels with depth, as
 *   core.tri25 does.
 * core.tri25.programs.LEVEL: Compares a SIMD level of the host with the level below.
 * core.threads2.programs: Draws the triangles of core.tri25.programs with two threads,
 *   and compares the times with those of one thread. The result is the ratio of
 *   wall-clock times or the ratio of the busier thread's CPU times, whichever is smaller,
 *   as for core.threads2.
 *
 * Draws of the class and of llvmpipe alternate. The result is the ratio of their shortest
 * CPU times. In core.tri25.programs, the class and llvmpipe must draw similar pictures.
 *
 * NV3_SIMD=scalar, avx2, avx512 or avx512vbmi2 selects the SIMD level.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/programs_flat.h"
#include "bench.h"
#include "bench_scene.h"

#define ROUNDS          9
#define MEMORY          (96u << 20)
#define COLOR           0x000000
#define ZETA            0x100000
#define TEXTURE         0x200000
#define FRAGMENT        0x300000
#define ARRAYS          0x400000
#define PITCH           (SCENE_WIDTH * 2)

static FlatMemory ram = { .size = MEMORY };
static NV3Programs *programs;

static NV3Programs *programs_at(const NV3ProgramsMemory *accessors, unsigned threads,
                                NV3Simd level)
{
    NV3Programs *p = nv3_programs_new(accessors, threads);

    if (!p) {
        abort();
    }
    nv3_programs_set_simd(p, level);
    return p;
}

static void m(uint32_t method, uint32_t data)
{
    flat_method(programs, method, data);
}

static void set_target(void)
{
    m(NV3_PM_SURFACE_CLIP_HORIZONTAL, SCENE_WIDTH << 16);
    m(NV3_PM_SURFACE_CLIP_VERTICAL, SCENE_HEIGHT << 16);
    m(NV3_PM_SURFACE_FORMAT,
      3 | 1 << NV3_PM_FORMAT_ZETA_SHIFT | 1 << NV3_PM_FORMAT_TYPE_SHIFT);
    m(NV3_PM_SURFACE_PITCH, PITCH | PITCH << 16);
    m(NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    m(NV3_PM_SURFACE_ZETA_OFFSET, ZETA);
    m(NV3_PM_ZSTENCIL_CLEAR_VALUE, 0xffff);
    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    m(NV3_PM_VIEWPORT_SCALE, flat_bits(SCENE_WIDTH / 2));
    m(NV3_PM_VIEWPORT_SCALE + 4, flat_bits(-(SCENE_HEIGHT / 2)));
    m(NV3_PM_VIEWPORT_OFFSET, flat_bits(SCENE_WIDTH / 2));
    m(NV3_PM_VIEWPORT_OFFSET + 4, flat_bits(SCENE_HEIGHT / 2));
}

static void set_array(unsigned attribute, unsigned type, unsigned size, unsigned offset,
                      unsigned stride)
{
    m(NV3_PM_ARRAY_OFFSET + 4 * attribute, ARRAYS + offset);
    m(NV3_PM_ARRAY_FORMAT + 4 * attribute, type | size << NV3_PM_ARRAY_SIZE_SHIFT |
      stride << NV3_PM_ARRAY_STRIDE_SHIFT);
}

static void draw_triangles(unsigned vertices)
{
    m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    for (unsigned first = 0; first < vertices; first += 256) {
        unsigned count = vertices - first < 256 ? vertices - first : 256;

        m(NV3_PM_DRAW_ARRAYS, first | (count - 1) << NV3_PM_DRAW_COUNT_SHIFT);
    }
    m(NV3_PM_BEGIN_END, 0);
    m(NV3_PM_WAIT_FOR_IDLE, 0);
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

/* ---- core.vertex --------------------------------------------------------- */

#define CULLED      100000          /* triangles */

typedef struct LitVertex {
    float position[4];
    float normal[3];
} LitVertex;

static LitVertex *lit_vertices(void)
{
    LitVertex *v = calloc(3 * CULLED, sizeof(*v));
    uint32_t seed = 1;

    for (unsigned i = 0; i < 3 * CULLED; i++) {
        float corner[2] = { i % 3 == 1 ? 0.05f : 0, i % 3 == 2 ? 0.05f : 0 };

        if (i % 3 == 0) {
            seed = seed * 1664525 + 1013904223;
        }
        v[i] = (LitVertex) {
            { (seed >> 22) / 600.0f - 0.9f + corner[1],
              (seed >> 12 & 1023) / 600.0f - 0.9f + corner[0], 0.5f, 1 },
            { corner[0] * 10, corner[1] * 10, 1 },
        };
    }
    return v;
}

/* The matrices are identities. Each light shines along one axis. */
static void lit_program(VpAsm *a)
{
    static const char *const component[4] = { "x", "y", "z", "w" };
    const VpSrc normal = VP_R(0, "xyz");

    for (unsigned i = 0; i < 4; i++) {
        vp_vector(a, NV3_VP_DP4, NV3_GEOM_O_POSITION, 0, component[i], VP_V(0, "xyzw"),
                  VP_C(i, "xyzw"), VP_NONE);
        flat_set_constant(programs, i, i == 0, i == 1, i == 2, i == 3);
    }
    for (unsigned i = 0; i < 3; i++) {
        vp_vector(a, NV3_VP_DP3, -1, 0, component[i], VP_V(2, "xyz"), VP_C(i, "xyz"),
                  VP_NONE);
    }
    vp_vector(a, NV3_VP_DP3, -1, 2, "x", normal, normal, VP_NONE);
    vp_scalar(a, NV3_VP_RSQ, -1, 2, "x", VP_R(2, "x"));
    vp_vector(a, NV3_VP_MUL, -1, 0, "xyz", normal, VP_R(2, "x"), VP_NONE);
    for (unsigned i = 0; i < 3; i++) {
        vp_vector(a, NV3_VP_DP3, -1, 2, "x", normal, VP_C(4 + i, "xyz"), VP_NONE);
        vp_vector(a, NV3_VP_MAX, -1, 2, "x", VP_R(2, "x"), VP_C(10, "x"), VP_NONE);
        vp_vector(a, NV3_VP_MAD, -1, 3, "xyzw", VP_R(2, "x"), VP_C(7 + i, "xyzw"),
                  VP_R(3, "xyzw"));
        flat_set_constant(programs, 4 + i, i == 0, i == 1, i == 2, 0);
        flat_set_constant(programs, 7 + i, 0.3f, 0.2f * i, 0.5f, 1);
    }
    flat_set_constant(programs, 10, 0, 0, 0, 0);
    vp_vector(a, NV3_VP_VMOV, NV3_GEOM_O_COLOR0, 0, "xyzw", VP_R(3, "xyzw"), VP_NONE,
              VP_NONE);
}

static double core_vertex(void)
{
    double start = scene_clock();

    draw_triangles(3 * CULLED);
    return scene_clock() - start;
}

static void set_up_vertex(const LitVertex *v)
{
    VpAsm vp = { 0 };
    FpAsm fp = { 0 };

    memcpy(ram.bytes + ARRAYS, v, 3 * CULLED * sizeof(*v));
    set_target();
    lit_program(&vp);
    if (vp.count != 20) {
        abort();
    }
    flat_set_vertex_program(programs, &vp);
    fp_op1(&fp, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    flat_put_fragment_program(&ram, FRAGMENT, &fp);
    m(NV3_PM_FP_ACTIVE_PROGRAM, FRAGMENT);
    set_array(0, NV3_GEOM_FLOAT, 4, offsetof(LitVertex, position), sizeof(*v));
    set_array(2, NV3_GEOM_FLOAT, 3, offsetof(LitVertex, normal), sizeof(*v));
    m(NV3_PM_CULL_FACE_ENABLE, 1);
}

static void measure_vertex(bool llvmpipe)
{
    LitVertex *v = lit_vertices();
    double core = INFINITY, other = INFINITY;

    set_up_vertex(v);
    if (llvmpipe && !llvmpipe_open_lit((const float *)v, 3 * CULLED)) {
        fprintf(stderr, "bench_geometry: llvmpipe does not take the lit program\n");
        exit(1);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        core = min(core, core_vertex());
        if (llvmpipe) {
            other = min(other, llvmpipe_draw_lit());
        }
    }
    bench_print("core.vertex", CULLED / 1e6 / core, "Mtri/s", "llvmpipe",
                CULLED / 1e6 / other);
    free(v);
}

/* ---- core.tri25.programs --------------------------------------------------- */

/*
 * Converts vertices from pixels, depth and 1 / w to clip space, like the vertex shader in
 * bench_llvmpipe.c.
 */
static void scene_program(VpAsm *a)
{
    /* Copy c1 to a register, because an instruction can read only one constant. */
    vp_vector(a, NV3_VP_VMOV, -1, 1, "xyz", VP_C(1, "xyz"), VP_NONE, VP_NONE);
    vp_vector(a, NV3_VP_MAD, -1, 0, "xyz", VP_V(0, "xyz"), VP_C(0, "xyz"),
              VP_R(1, "xyz"));
    vp_scalar(a, NV3_VP_RCP, -1, 2, "x", VP_V(0, "w"));
    vp_vector(a, NV3_VP_MUL, NV3_GEOM_O_POSITION, 0, "xyz", VP_R(0, "xyz"), VP_R(2, "x"),
              VP_NONE);
    vp_vector(a, NV3_VP_VMOV, NV3_GEOM_O_POSITION, 0, "w", VP_R(2, "x"), VP_NONE,
              VP_NONE);
    vp_copy(a, NV3_GEOM_O_COLOR0, 3);
    vp_copy(a, NV3_GEOM_O_TEXCOORD0, 9);
}

static void set_texture(void)
{
    static uint16_t linear[1 << (2 * SCENE_TEX_LOG2)];
    const unsigned side = 1 << SCENE_TEX_LOG2;

    scene_texture(linear);
    memcpy(ram.bytes + TEXTURE, linear, sizeof(linear));
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_OFFSET, TEXTURE);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_FORMAT, 1 << 13 | 4 << 8 | 2 << 4 | 1 << 16);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_WRAP, 0x00010101);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_ENABLE, 0x80000000u | 0xfff << 7);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_FILTER, 2 << 16 | 2 << 24);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_NPOT_SIZE, side << 16 | side);
    m(NV3_PM_TEX_SIZE1, 1u << 20 | side * 2);
    m(NV3_PM_TEX_CACHE_CTL, 1);
}

static void set_up_scene(const Scene *s)
{
    VpAsm vp = { 0 };
    FpAsm fp = { 0 };

    memcpy(ram.bytes + ARRAYS, s->vertex, s->count * sizeof(SceneVertex));
    set_target();
    m(NV3_PM_CULL_FACE_ENABLE, 0);
    scene_program(&vp);
    flat_set_vertex_program(programs, &vp);
    flat_set_constant(programs, 0, 2.0f / SCENE_WIDTH, -2.0f / SCENE_HEIGHT, 2, 0);
    flat_set_constant(programs, 1, -1, 1, -1, 0);
    fp_tex(&fp, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
    fp_op2(&fp, NV3_FP_MUL, fp_d(0, "xyzw"), fp_r(0, "xyzw"),
           fp_in(NV3_FP_COLOR0, "xyzw"));
    flat_put_fragment_program(&ram, FRAGMENT, &fp);
    m(NV3_PM_FP_ACTIVE_PROGRAM, FRAGMENT);
    set_texture();
    for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        m(NV3_PM_ARRAY_FORMAT + 4 * i, 0);
    }
    set_array(0, NV3_GEOM_FLOAT, 4, offsetof(SceneVertex, x), sizeof(SceneVertex));
    set_array(3, NV3_GEOM_UBYTE_NORM, 4, offsetof(SceneVertex, rgba),
              sizeof(SceneVertex));
    set_array(9, NV3_GEOM_FLOAT, 2, offsetof(SceneVertex, u), sizeof(SceneVertex));
}

static double core_scene(const Scene *s)
{
    double start;

    m(NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS | NV3_PM_CLEAR_Z);
    start = scene_clock();
    draw_triangles(s->count);
    return scene_clock() - start;
}

/* Fails unless the class and llvmpipe have drawn similar pictures. */
static void compare(void)
{
    static uint16_t other[SCENE_WIDTH * SCENE_HEIGHT];
    const uint16_t *core = (const uint16_t *)(ram.bytes + COLOR);
    uint64_t difference = 0;

    llvmpipe_read(other);
    for (unsigned i = 0; i < SCENE_WIDTH * SCENE_HEIGHT; i++) {
        difference += abs((core[i] >> 11) - (other[i] >> 11)) +
                      abs((core[i] >> 6 & 31) - (other[i] >> 6 & 31)) +
                      abs((core[i] & 31) - (other[i] & 31));
    }
    if (difference > SCENE_WIDTH * SCENE_HEIGHT) {
        fprintf(stderr, "bench_geometry: not llvmpipe's picture (off by %.2f of 31)\n",
                difference / (SCENE_WIDTH * SCENE_HEIGHT * 3.0));
        exit(1);
    }
}

static void measure_tri25(bool llvmpipe)
{
    double core = INFINITY, other = INFINITY;
    Scene s;

    scene_small(&s, 20);
    set_up_scene(&s);
    for (unsigned i = 0; i < ROUNDS; i++) {
        core = min(core, core_scene(&s));
        if (llvmpipe) {
            other = min(other, llvmpipe_draw(&s));
            compare();
        }
    }
    bench_print("core.tri25.programs", s.count / 3e6 / core, "Mtri/s", "llvmpipe",
                s.count / 3e6 / other);
    scene_free(&s);
}

/* Compares SIMD level @level with the level below. */
static void measure_level(const NV3ProgramsMemory *accessors, const Scene *s,
                          NV3Simd level)
{
    const NV3Simd levels[2] = { bench_level_below(level), level };
    NV3Programs *used = programs, *by[2];
    double best[2] = { INFINITY, INFINITY };
    const double work = s->count / 3e6;

    for (unsigned i = 0; i < 2; i++) {
        by[i] = programs_at(accessors, 1, levels[i]);
        programs = by[i];
        set_up_scene(s);
    }
    for (unsigned i = 0; i < 2 * ROUNDS; i++) {
        programs = by[i % 2];
        best[i % 2] = min(best[i % 2], core_scene(s));
    }
    programs = used;
    nv3_programs_free(by[0]);
    nv3_programs_free(by[1]);
    bench_print_level("core.tri25.programs", level, work / best[1], "Mtri/s",
                      work / best[0]);
}

static void measure_levels(const NV3ProgramsMemory *accessors)
{
    Scene s;

    scene_small(&s, 20);
    for (NV3Simd level = bench_isa(); bench_level_below(level) != NV3_SIMD_AUTO;
         level = bench_level_below(level)) {
        /* Class 0x1F has no loops for VBMI2. */
        if (level != NV3_SIMD_AVX512_VBMI2) {
            measure_level(accessors, &s, level);
        }
    }
    scene_free(&s);
}

/* ---- core.threads2.programs ------------------------------------------------ */

static double process_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/*
 * Draws the scene with @by. Replaces each time in @best with the time of this draw if the
 * latter is shorter.
 */
static void threads_draw(SceneTimes *best, NV3Programs *by, const Scene *s)
{
    double wall, process, own;

    programs = by;
    wall = bench_now();
    process = process_clock();
    own = core_scene(s);
    process = process_clock() - process;
    best->wall = min(best->wall, bench_now() - wall);
    best->cpu = min(best->cpu, fmax(own, process - own));
}

static void measure_threads(const NV3ProgramsMemory *accessors)
{
    static uint8_t alone[PITCH * SCENE_HEIGHT];
    NV3Programs *one = programs, *two = programs_at(accessors, 2, bench_isa());
    SceneTimes best[2] = { { INFINITY, INFINITY }, { INFINITY, INFINITY } };
    double work, ratio;
    Scene s;

    scene_small(&s, 20);
    for (unsigned i = 0; i < 2; i++) {
        programs = i ? two : one;
        set_up_scene(&s);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        threads_draw(&best[0], one, &s);
        memcpy(alone, ram.bytes + COLOR, sizeof(alone));
        threads_draw(&best[1], two, &s);
        if (memcmp(alone, ram.bytes + COLOR, sizeof(alone))) {
            fprintf(stderr, "bench_geometry: two threads draw another picture\n");
            exit(1);
        }
    }
    programs = one;
    nv3_programs_free(two);
    work = s.count / 3e6 / best[0].cpu;
    ratio = min(best[0].wall / best[1].wall, best[0].cpu / best[1].cpu);
    bench_print("core.threads2.programs", work * ratio, "Mtri/s", "one thread", work);
    scene_free(&s);
}

int main(void)
{
    const NV3ProgramsMemory accessors = { FLAT_ACCESSORS(&ram) };
    bool llvmpipe;

    bench_print_host();
    fflush(stdout);
    ram.bytes = calloc(1, MEMORY);
    if (!ram.bytes) {
        abort();
    }
    programs = programs_at(&accessors, 1, bench_isa());
    llvmpipe = llvmpipe_open();
    if (!llvmpipe) {
        fprintf(stderr, "bench_geometry: no llvmpipe here to compare with\n");
    }
    measure_tri25(llvmpipe);
    measure_levels(&accessors);
    measure_vertex(llvmpipe);
    measure_threads(&accessors);
    nv3_programs_free(programs);
    free(ram.bytes);
    return 0;
}
