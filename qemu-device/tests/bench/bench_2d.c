/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares 2D classes with plain C loops or library functions on the same memory. The
 * benchmark submits methods to PGRAPH as the puller does.
 *
 * core.rect: Class RECT fills 640 x 480 pixels of 16 bits. Reference: memset.
 * core.xor: Class RECT fills the same pixels with the raster operation "destination XOR
 *   source". Reference: memset.
 * core.blit: Class BLIT copies 640 x 480 pixels of 16 bits. Reference: memmove.
 * core.window: Class SIFM copies pixels of 16 bits to pixels of 32 bits. Reference: a
 *   loop. The rate counts bytes of the source.
 *
 * The surface is 1,024 pixels wide. Rounds of the class and of the reference alternate,
 * so that other load on the host affects both. The result is the median of the rounds.
 * The fastest round is unsuitable: even if memmove is compared with itself, the ratio of
 * the fastest rounds varies from 0.85 to 1.2.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "../unit/core.h"

#define VRAM_SIZE   (8 << 20)
#define WIDTH       640
#define HEIGHT      480
#define PITCH       2048
#define LINE        (WIDTH * 2)
#define BYTES       (LINE * HEIGHT)
#define SOURCE      (2 << 20)
#define TARGET      (4 << 20)
#define WINDOW      (5 << 20)
#define OBJECT      0xb000
#define DMA_OBJECT  0xb100
#define ROUNDS      2000
/*
 * The operation of the object, which applies the raster operation in register ROP to
 * destination, source and pattern. ROP_XOR is the raster operation "destination XOR
 * source".
 */
#define OP_ROP_DSP  0x10
#define ROP_XOR     0x66

static NV3State *chip;
static uint8_t *vram;
static uint32_t ctx;

static void wr32(uint32_t addr, uint32_t val)
{
    nv3_mmio_write(chip, addr, val, 4);
}

static void mthd(uint32_t method, uint32_t data)
{
    if (!nv3_pgraph_submit(chip, 0, 0, method, data, ctx)) {
        fprintf(stderr, "bench_2d: method 0x%x was not taken\n", method);
        exit(1);
    }
    while (nv3_pgraph_step(chip)) {
        continue;
    }
}

static void bind(unsigned class, uint32_t op)
{
    nv3_ramin_write(chip, OBJECT, op << NV3_GROBJ_OP_SHIFT |
                    1 << NV3_GROBJ_DST_SHIFT | 1 << NV3_GROBJ_SURFACE_SHIFT, 4);
    ctx = OBJECT >> 4 | class << NV3_CTX_CLASS_SHIFT;
    mthd(NV3_MTHD_OBJECT, 0);
}

static void set_up(void)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = VRAM_SIZE,
        .simd = bench_isa(),
    };
    const uint32_t surf = NV3_SURF_X1R5G5B5 | NV3_PGRAPH_SURF_VALID(0);

    vram = aligned_alloc(4096, VRAM_SIZE);
    memset(vram, 0, VRAM_SIZE);
    chip = nv3_new(&config, &(NV3Ops) { 0 }, NULL, vram, NULL);
    wr32(NV3_PMC_ENABLE, 0xffffffff);
    wr32(NV3_PGRAPH_DEBUG_1, NV3_PGRAPH_DEBUG_1_CTX_SWITCH);
    wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    wr32(NV3_PGRAPH_SURF_CONFIG, surf | surf << 4);
    wr32(NV3_PGRAPH_SURF_OFFSET(0), TARGET);
    wr32(NV3_PGRAPH_SURF_OFFSET(1), SOURCE);
    wr32(NV3_PGRAPH_SURF_PITCH(0), PITCH);
    wr32(NV3_PGRAPH_SURF_PITCH(1), PITCH);
    wr32(NV3_PGRAPH_SRC_CANVAS_MAX, HEIGHT << 16 | WIDTH);
    wr32(NV3_PGRAPH_DST_CANVAS_MAX, HEIGHT << 16 | WIDTH);
    wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
}

static void rect(void)
{
    mthd(NV3_RECT_POINT(0), 0);
    mthd(NV3_RECT_SIZE(0), HEIGHT << 16 | WIDTH);
}

static void blit(void)
{
    mthd(NV3_BLIT_POINT_IN, 0);
    mthd(NV3_BLIT_POINT_OUT, 0);
    mthd(NV3_BLIT_SIZE, HEIGHT << 16 | WIDTH);
}

static void window_begin(void)
{
    nv3_ramin_write(chip, DMA_OBJECT + NV3_DMAOBJ_FLAGS,
                    NV3_DMAOBJ_TARGET_VRAM << NV3_DMAOBJ_TARGET_SHIFT, 4);
    nv3_ramin_write(chip, DMA_OBJECT + NV3_DMAOBJ_LIMIT, VRAM_SIZE - 1, 4);
    nv3_ramin_write(chip, DMA_OBJECT + NV3_DMAOBJ_PTE(0),
                    NV3_DMAOBJ_PTE_PRESENT, 4);
    wr32(NV3_PGRAPH_SURF_CONFIG, NV3_SURF_X8R8G8B8 | NV3_PGRAPH_SURF_VALID(0));
    wr32(NV3_PGRAPH_SURF_OFFSET(0), WINDOW);
    wr32(NV3_PGRAPH_SURF_PITCH(0), WIDTH * 4);
    bind(NV3_CLASS_SIFM, NV3_GROBJ_OP_SRCCOPY);
    wr32(NV3_PGRAPH_DMA_INST, DMA_OBJECT >> 4);
    mthd(NV3_SIFM_CLIP_POINT, 0);
    mthd(NV3_SIFM_CLIP_SIZE, HEIGHT << 16 | WIDTH);
}

static void window(void)
{
    mthd(NV3_SIFM_POINT, 0);
    mthd(NV3_SIFM_SIZE_OUT, HEIGHT << 16 | WIDTH);
    mthd(NV3_SIFM_DU_DX, 1 << 20);
    mthd(NV3_SIFM_DV_DY, 1 << 20);
    mthd(NV3_SIFM_SIZE_IN, HEIGHT << 16 | WIDTH);
    mthd(NV3_SIFM_PITCH, PITCH);
    mthd(NV3_SIFM_OFFSET(0), SOURCE);
    mthd(NV3_SIFM_SOURCE, 0);
}

static uint32_t wider(uint16_t c)
{
    return (c & 0x7c00) << 9 | (c & 0x3e0) << 6 | (c & 0x1f) << 3;
}

static void plain_window(void)
{
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t pixel = wider(nv3_lduw(vram + SOURCE + y * PITCH + x * 2));

            nv3_stl(vram + WINDOW + (y * WIDTH + x) * 4, pixel);
        }
    }
}

static bool window_is_right(void)
{
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *p = vram + SOURCE + i / WIDTH * PITCH + i % WIDTH * 2;

        if (nv3_ldl(vram + WINDOW + i * 4) != wider(nv3_lduw(p))) {
            fprintf(stderr, "bench_2d: pixel %u of the window differs\n", i);
            return false;
        }
    }
    return true;
}

static void plain_set(void)
{
    for (unsigned y = 0; y < HEIGHT; y++) {
        memset(vram + TARGET + y * PITCH, 0x12, LINE);
    }
}

static void plain_move(void)
{
    for (unsigned y = 0; y < HEIGHT; y++) {
        memmove(vram + TARGET + y * PITCH, vram + SOURCE + y * PITCH, LINE);
    }
}

static double time_one(void (*run)(void))
{
    double start = bench_now();

    run();
    /* Prevents the compiler from removing stores that no code reads. */
    __asm__ volatile("" : : "r"(vram) : "memory");
    return bench_now() - start;
}

static int longer(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double seconds[ROUNDS])
{
    qsort(seconds, ROUNDS, sizeof(seconds[0]), longer);
    return seconds[ROUNDS / 2];
}

static void compare(const char *name, void (*ours)(void), void (*theirs)(void),
                    const char *against)
{
    static double a[ROUNDS], b[ROUNDS];

    for (unsigned i = 0; i < ROUNDS; i++) {
        a[i] = time_one(ours);
        b[i] = time_one(theirs);
    }
    bench_print(name, BYTES / median(a) / 1e6, "MB/s", against,
                BYTES / median(b) / 1e6);
}

int main(void)
{
    set_up();
    wr32(NV3_PGRAPH_ROP, ROP_XOR);
    /*
     * Set the alpha of the pattern's colour, because an operation draws nothing if this
     * alpha is 0.
     */
    wr32(NV3_PGRAPH_PATTERN_A(0), 0xff);
    wr32(NV3_PGRAPH_PATTERN_A(1), 0xff);
    bind(NV3_CLASS_RECT, NV3_GROBJ_OP_SRCCOPY);
    mthd(NV3_RECT_COLOR, 0x1234);
    compare("core.rect", rect, plain_set, "memset");
    bind(NV3_CLASS_RECT, OP_ROP_DSP);
    mthd(NV3_RECT_COLOR, 0x1234);
    compare("core.xor", rect, plain_set, "memset");
    for (unsigned i = 0; i < PITCH * HEIGHT; i++) {
        vram[SOURCE + i] = i & 1 ? i >> 8 & 0x7f : i;
    }
    bind(NV3_CLASS_BLIT, NV3_GROBJ_OP_SRCCOPY);
    compare("core.blit", blit, plain_move, "memmove");
    memset(vram + TARGET, 0, PITCH * HEIGHT);
    blit();
    for (unsigned y = 0; y < HEIGHT; y++) {
        if (memcmp(vram + TARGET + y * PITCH, vram + SOURCE + y * PITCH, LINE)) {
            fprintf(stderr, "bench_2d: line %u differs\n", y);
            return 1;
        }
    }
    window_begin();
    compare("core.window", window, plain_window, "a loop");
    memset(vram + WINDOW, 0, WIDTH * HEIGHT * 4);
    window();
    if (!window_is_right()) {
        return 1;
    }
    nv3_free(chip);
    free(vram);
    return 0;
}
