/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the chip by drawing as a driver does. The input first selects surfaces, clips,
 * patterns, operations and objects, and then primitives of every class. Each primitive is
 * complete, and most primitives overlap the surfaces, so that the fuzzer reaches the
 * pixel loops. Random methods seldom reach these loops. Between primitives, the fuzzer
 * also sends arbitrary methods and writes arbitrary values to registers and RAMIN.
 */
#include "fuzz_host.h"

#define RAMRO           0x8000
#define RAMFC           0xa000
#define GROBJ(i)        (0xb000 + (i) * 16)
#define DMAOBJ(i)       (0x30000 + (i) * 0x100)
#define NAME(class)     (0x2000u + (class))

#define COUNT(array)    (sizeof(array) / sizeof((array)[0]))

/* Kinds of method data. */
typedef enum Kind {
    ANY,                    /* four bytes of input */
    COLOR,                  /* like ANY, but often black, white or translucent */
    POINT,                  /* y << 16 | x, in or near the surfaces */
    POINT_X,                /* x << 16 | y */
    SIZE,                   /* h << 16 | w, small */
    SIZE_X,                 /* w << 16 | h */
    COORD,                  /* 32 bits, in or near the surfaces */
    FIXED,                  /* fixed point with 20 fraction bits, about 1/8 to 8 */
    POINT_12_4,
    OFFSET,                 /* into a DMA object */
    PITCH,
    SMALL,                  /* a byte */
    DATA,                   /* data words of this and the following methods */
    TEX_FORMAT,
    D3D_CONFIG,
    FORMAT,                 /* M2MF's FORMAT */
} Kind;

typedef struct Step {
    uint16_t mthd;
    uint8_t kind;
} Step;

typedef struct Script {
    uint8_t class;
    uint8_t count;
    Step step[12];
} Script;

#define S(class, ...) \
    { (class), COUNT(((Step[]) { __VA_ARGS__ })), { __VA_ARGS__ } }

/*
 * Scripts of methods. A script either draws a primitive of its class, or sets state that
 * primitives of other classes use.
 */
static const Script scripts[] = {
    S(NV3_CLASS_BETA, { NV3_BETA_BETA, ANY }),
    S(NV3_CLASS_ROP, { NV3_ROP_ROP, SMALL }),
    S(NV3_CLASS_CHROMA, { NV3_CHROMA_COLOR, COLOR }),
    S(NV3_CLASS_PLANE, { NV3_PLANE_MASK, ANY }),
    S(NV3_CLASS_CLIP, { NV3_CLIP_POINT, POINT }, { NV3_CLIP_SIZE, SIZE }),
    S(NV3_CLASS_PATTERN, { NV3_PATTERN_SHAPE, SMALL },
      { NV3_PATTERN_COLOR(0), COLOR }, { NV3_PATTERN_COLOR(1), COLOR },
      { NV3_PATTERN_BITMAP(0), ANY }, { NV3_PATTERN_BITMAP(1), ANY }),
    S(NV3_CLASS_RECT, { NV3_RECT_COLOR, COLOR }, { NV3_RECT_POINT(0), POINT },
      { NV3_RECT_SIZE(0), SIZE }),
    S(NV3_CLASS_POINT, { NV3_POINT_COLOR, COLOR },
      { NV3_POINT_POINT(0), POINT }, { NV3_POINT_POINT32_X(1), COORD },
      { NV3_POINT_POINT32_Y(1), COORD }, { NV3_POINT_CPOINT_COLOR(0), COLOR },
      { NV3_POINT_CPOINT(0), POINT }),
    S(NV3_CLASS_LINE, { NV3_LINE_COLOR, COLOR },
      { NV3_LINE_POINT(0, 0), POINT }, { NV3_LINE_POINT(0, 1), POINT },
      { NV3_LINE_POLY(1), POINT }, { NV3_LINE_CPOLY_COLOR(1), COLOR },
      { NV3_LINE_CPOLY(1), POINT }),
    S(NV3_CLASS_LIN, { NV3_LINE_COLOR, COLOR },
      { NV3_LINE_POINT32_X(0, 0), COORD }, { NV3_LINE_POINT32_Y(0, 0), COORD },
      { NV3_LINE_POINT32_X(0, 1), COORD }, { NV3_LINE_POINT32_Y(0, 1), COORD },
      { NV3_LINE_POLY32_X(1), COORD }, { NV3_LINE_POLY32_Y(1), COORD }),
    S(NV3_CLASS_TRI, { NV3_TRI_COLOR, COLOR }, { NV3_TRI_POINT(0), POINT },
      { NV3_TRI_POINT(1), POINT }, { NV3_TRI_POINT(2), POINT },
      { NV3_TRI_STRIP(3), POINT }, { NV3_TRI_CTRI_COLOR(0), COLOR },
      { NV3_TRI_CTRI_POINT(0, 0), POINT }, { NV3_TRI_CTRI_POINT(0, 1), POINT },
      { NV3_TRI_CTRI_POINT(0, 2), POINT }),
    S(NV3_CLASS_GDI, { NV3_GDI_A_COLOR, COLOR }, { NV3_GDI_A_POINT(0), POINT_X },
      { NV3_GDI_A_SIZE(0), SIZE_X }),
    S(NV3_CLASS_GDI, { NV3_GDI_B_CLIP_0, POINT }, { NV3_GDI_B_CLIP_1, POINT },
      { NV3_GDI_B_COLOR, COLOR }, { NV3_GDI_B_POINT_0(0), POINT },
      { NV3_GDI_B_POINT_1(0), POINT }),
    S(NV3_CLASS_GDI, { NV3_GDI_C_CLIP_0, POINT }, { NV3_GDI_C_CLIP_1, POINT },
      { NV3_GDI_C_COLOR, COLOR }, { NV3_GDI_C_SIZE, SIZE },
      { NV3_GDI_C_POINT, POINT }, { NV3_GDI_C_DATA(0), DATA }),
    S(NV3_CLASS_GDI, { NV3_GDI_D_CLIP_0, POINT }, { NV3_GDI_D_CLIP_1, POINT },
      { NV3_GDI_D_COLOR, COLOR }, { NV3_GDI_D_SIZE_IN, SIZE },
      { NV3_GDI_D_SIZE_OUT, SIZE }, { NV3_GDI_D_POINT, POINT },
      { NV3_GDI_D_DATA(0), DATA }),
    S(NV3_CLASS_GDI, { NV3_GDI_E_CLIP_0, POINT }, { NV3_GDI_E_CLIP_1, POINT },
      { NV3_GDI_E_COLOR_0, COLOR }, { NV3_GDI_E_COLOR_1, COLOR },
      { NV3_GDI_E_SIZE_IN, SIZE }, { NV3_GDI_E_SIZE_OUT, SIZE },
      { NV3_GDI_E_POINT, POINT }, { NV3_GDI_E_DATA(0), DATA }),
    S(NV3_CLASS_M2MF, { NV3_M2MF_OFFSET_IN, OFFSET },
      { NV3_M2MF_OFFSET_OUT, OFFSET }, { NV3_M2MF_PITCH_IN, PITCH },
      { NV3_M2MF_PITCH_OUT, PITCH }, { NV3_M2MF_LINE_LENGTH, SMALL },
      { NV3_M2MF_LINE_COUNT, SMALL }, { NV3_M2MF_FORMAT, FORMAT },
      { NV3_M2MF_BUF_NOTIFY, SMALL }),
    S(NV3_CLASS_SIFM, { NV3_SIFM_CLIP_POINT, POINT },
      { NV3_SIFM_CLIP_SIZE, SIZE }, { NV3_SIFM_POINT, POINT },
      { NV3_SIFM_SIZE_OUT, SIZE }, { NV3_SIFM_DU_DX, FIXED },
      { NV3_SIFM_DV_DY, FIXED }, { NV3_SIFM_SIZE_IN, SIZE },
      { NV3_SIFM_PITCH, PITCH }, { NV3_SIFM_OFFSET(0), OFFSET },
      { NV3_SIFM_SOURCE, POINT_12_4 }),
    S(NV3_CLASS_SIFM, { NV3_SIFM_CLIP_POINT, POINT },
      { NV3_SIFM_CLIP_SIZE, SIZE }, { NV3_SIFM_POINT, POINT },
      { NV3_SIFM_SIZE_OUT, SIZE }, { NV3_SIFM_DU_DX, FIXED },
      { NV3_SIFM_DV_DY, FIXED }, { NV3_SIFM_SIZE_IN, SIZE },
      { NV3_SIFM_PITCH, PITCH }, { NV3_SIFM_OFFSET(0), OFFSET },
      { NV3_SIFM_OFFSET(1), OFFSET }, { NV3_SIFM_OFFSET(2), OFFSET },
      { NV3_SIFM_SOURCE_PLANES, POINT_12_4 }),
    S(NV3_CLASS_BLIT, { NV3_BLIT_POINT_IN, POINT },
      { NV3_BLIT_POINT_OUT, POINT }, { NV3_BLIT_SIZE, SIZE }),
    S(NV3_CLASS_IFC, { NV3_IFC_POINT, POINT }, { NV3_IFC_SIZE_OUT, SIZE },
      { NV3_IFC_SIZE_IN, SIZE }, { NV3_IFC_DATA(0), DATA }),
    S(NV3_CLASS_BITMAP, { NV3_BITMAP_COLOR_0, COLOR },
      { NV3_BITMAP_COLOR_1, COLOR }, { NV3_BITMAP_POINT, POINT },
      { NV3_BITMAP_SIZE_OUT, SIZE }, { NV3_BITMAP_SIZE_IN, SIZE },
      { NV3_BITMAP_DATA(0), DATA }),
    S(NV3_CLASS_ITM, { NV3_ITM_POINT, POINT }, { NV3_ITM_SIZE, SIZE },
      { NV3_ITM_PITCH, PITCH }, { NV3_ITM_OFFSET, OFFSET }),
    S(NV3_CLASS_SIFC, { NV3_SIFC_SIZE_IN, SIZE }, { NV3_SIFC_DX_DU, FIXED },
      { NV3_SIFC_DY_DV, FIXED }, { NV3_SIFC_CLIP_POINT, POINT },
      { NV3_SIFC_CLIP_SIZE, SIZE }, { NV3_SIFC_POINT, POINT_12_4 },
      { NV3_SIFC_DATA(0), DATA }),
    S(NV3_CLASS_D3D, { NV3_D3D_TEX_OFFSET, OFFSET },
      { NV3_D3D_TEX_FORMAT, TEX_FORMAT }, { NV3_D3D_TEX_FILTER, ANY },
      { NV3_D3D_FOG_COLOR, COLOR }, { NV3_D3D_CONFIG, D3D_CONFIG },
      { NV3_D3D_ALPHA, ANY }),
    S(NV3_CLASS_ZPOINT, { NV3_ZPOINT_CONFIG, D3D_CONFIG },
      { NV3_ZPOINT_ALPHA, ANY }, { NV3_ZPOINT_POINT, POINT },
      { NV3_ZPOINT_COLOR(0), COLOR }, { NV3_ZPOINT_ZETA(0), ANY },
      { NV3_ZPOINT_COLOR(1), COLOR }, { NV3_ZPOINT_ZETA(1), ANY }),
    S(NV3_CLASS_SURFACE, { NV3_SURFACE_FORMAT, ANY },
      { NV3_SURFACE_PITCH, PITCH }, { NV3_SURFACE_OFFSET, OFFSET }),
};

/*
 * Consumes one or three bytes. In 15 of 16 cases, returns a number from -8 to 119,
 * otherwise any 16-bit number.
 */
static uint32_t coord(void)
{
    uint32_t b = fuzz_take(1);

    return b < 0xf0 ? (b & 0x7f) - 8 : fuzz_take(2);
}

static uint32_t as_float(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static uint32_t color(void)
{
    static const uint32_t some[] = { 0, 0xffffffff, 0xff000000, 0x80808080,
                                     0x7fff7fff, 0x12345678 };
    uint32_t b = fuzz_take(1);

    return b < COUNT(some) ? some[b] : b << 24 | fuzz_take(3);
}

static uint32_t make(Kind kind)
{
    uint32_t a, b;

    switch (kind) {
    case COLOR:
        return color();
    case POINT:
    case POINT_X:
        a = coord();
        return coord() << 16 | (a & 0xffff);
    case SIZE:
    case SIZE_X:
        a = fuzz_take(1) & 0x7f;
        b = fuzz_take(1);
        return b == 0xff ? fuzz_take(4) : (b & 0x3f) << 16 | a;
    case COORD:
        a = coord();
        return a & 0x8000 ? a | 0xffff0000 : a;
    case FIXED:
        a = fuzz_take(2);
        return a & 0x8000 ? fuzz_take(4) : (a & 0x7fff) << 8;
    case POINT_12_4:
        a = fuzz_take(2) & 0x7ff;
        return (fuzz_take(2) & 0x7ff) << 16 | a;
    case OFFSET:
        a = fuzz_take(2);
        return (a & 0x8000 ? a << 8 : a) & ~15u;
    case PITCH:
        a = fuzz_take(1);
        b = a & 0x0f ? (a & 0x1f) << 4 : fuzz_take(4);
        return b;
    case SMALL:
        return fuzz_take(1);
    case TEX_FORMAT:
        a = fuzz_take(1);
        return a == 0xff ? fuzz_take(4) :
               (a & 3) << NV3_D3D_TEX_FORMAT_SHIFT |
               (a >> 2 & 7) << NV3_D3D_TEX_SIZE_MAX_SHIFT |
               (a & 0x20 ? NV3_D3D_TEX_KEY_ENABLE : 0) | fuzz_take(2);
    case D3D_CONFIG:
        a = fuzz_take(4);
        return a & 0x80 ? a : (a & 0xf774dff3) | 1 << 12;
    case FORMAT:
        a = fuzz_take(1);
        return a == 0xff ? fuzz_take(4) : 1u << (a & 1) | 0x100u << (a >> 1 & 1);
    default:
        return fuzz_take(4);
    }
}

/* ---- state --------------------------------------------------------------- */

static void dma_object(uint32_t i, uint32_t target, uint32_t base)
{
    nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_FLAGS,
                    NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT, 4);
    nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_LIMIT, MEM_SIZE - 1, 4);
    for (uint32_t page = 0; page < MEM_SIZE / 4096; page++) {
        nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_PTE(page),
                        (base + page * 4096) | NV3_DMAOBJ_PTE_PRESENT |
                        NV3_DMAOBJ_PTE_WRITE, 4);
    }
}

/*
 * Writes an object of @class to RAMIN, and enters its handle into RAMHT. The object has
 * one to four destination surfaces, and usually a valid operation.
 */
static void object(uint32_t class)
{
    static const uint8_t operations[] = { 0x17, 0x17, 0x19, 0x1a, 0x1d };
    uint32_t entry = NV3_RAMHT_HASH(NAME(class), 0) * 16 *
                     NV3_RAMHT_ENTRY_SIZE;
    uint32_t b = fuzz_take(4), op = b >> 24;
    uint32_t options = (b & 0xffff) % 5 | (b & 0xfff8) | (b & 0x30000) |
                       1u << (NV3_GROBJ_DST_SHIFT + (b >> 18 & 3));

    if (b & 0x00800000) {
        options |= (b >> 20 & 7) << NV3_GROBJ_DST_SHIFT;
    }
    /* Class D3D requires a zeta surface and 16-bit colours. */
    if (class == NV3_CLASS_D3D && op & 1) {
        options = (options & 0x00f0c000) | NV3_GROBJ_ZETA;
        op = 0;
    }
    options |= (op & 0x80 ? op & 0x1f
                          : op & 0x40 ? op % 0x16
                                      : operations[op % COUNT(operations)])
               << NV3_GROBJ_OP_SHIFT;
    nv3_ramin_write(fuzz.s, GROBJ(class), options, 4);
    nv3_ramin_write(fuzz.s, GROBJ(class) + 4,
                    DMAOBJ(b >> 3 & 1) >> 4 | DMAOBJ(2) >> 4 << 16, 4);
    nv3_ramin_write(fuzz.s, GROBJ(class) + 8, DMAOBJ(b >> 4 & 1) >> 4, 4);
    nv3_ramin_write(fuzz.s, entry, NAME(class), 4);
    nv3_ramin_write(fuzz.s, entry + 4, NV3_CTX_VALID | NV3_CTX_CLASS_GRAPH |
                    NV3_CTX_HARDWARE | class << NV3_CTX_CLASS_SHIFT |
                    GROBJ(class) >> 4, 4);
}

/*
 * Sets the formats, addresses and pitches of the surfaces, the canvases and the clip
 * rectangles.
 */
static void surfaces(void)
{
    uint32_t config = 0, bits = fuzz_take(2);

    if (bits & 0x4000) {
        bits = (bits & 0xff00) | 0xaa;      /* all are X1R5G5B5 */
    }
    for (unsigned i = 0; i < 4; i++) {
        uint32_t b = fuzz_take(2);

        config |= NV3_PGRAPH_SURF_FORMAT(i, bits >> i * 2 & 3) |
                  NV3_PGRAPH_SURF_VALID(i);
        fuzz_wr32(NV3_PGRAPH_SURF_OFFSET(i), b & 0x8000 ? b << 8 : i * 0x20000);
        fuzz_wr32(NV3_PGRAPH_SURF_PITCH(i), (b & 0x7f) ? 0x200 : b);
    }
    fuzz_wr32(NV3_PGRAPH_SURF_CONFIG, config);
    fuzz_wr32(NV3_PGRAPH_SRC_CANVAS_MIN, bits & 0x100 ? fuzz_take(4) : 0);
    fuzz_wr32(NV3_PGRAPH_SRC_CANVAS_MAX,
              bits & 0x200 ? fuzz_take(4) : 96 << 16 | 112);
    fuzz_wr32(NV3_PGRAPH_DST_CANVAS_MIN,
              bits & 0x400 ? make(POINT) : 2 << 16 | 3);
    fuzz_wr32(NV3_PGRAPH_DST_CANVAS_MAX,
              bits & 0x800 ? fuzz_take(4) : 100 << 16 | 110);
    fuzz_wr32(NV3_PGRAPH_CLIPRECT_CTRL, bits >> 12 & 3);
    for (unsigned i = 0; i < 2; i++) {
        fuzz_wr32(NV3_PGRAPH_CLIPRECT_MIN(i), make(POINT));
        fuzz_wr32(NV3_PGRAPH_CLIPRECT_MAX(i), make(POINT));
    }
}

static void set_up(void)
{
    uint32_t bits = fuzz_take(1);

    fuzz_wr32(NV3_PMC_ENABLE, 0xffffffff);
    fuzz_wr32(NV3_PFIFO_RAMHT, 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    fuzz_wr32(NV3_PFIFO_RAMRO, RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
    fuzz_wr32(NV3_PFIFO_RAMFC, RAMFC);
    fuzz_wr32(NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    fuzz_wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    fuzz_wr32(NV3_PGRAPH_DEBUG_1,
              NV3_PGRAPH_DEBUG_1_CTX_SWITCH | NV3_PGRAPH_DEBUG_1_DMA_LOAD);
    fuzz_wr32(NV3_PGRAPH_DEBUG_2,
              bits & 1 ? NV3_PGRAPH_DEBUG_2_VOLATILE_EN : 0);
    fuzz_wr32(NV3_PGRAPH_DEBUG_3,
              (bits & 2 ? NV3_PGRAPH_DEBUG_3_DITHER_3D : 0) |
              (bits & 4 ? NV3_PGRAPH_DEBUG_3_FORMAT_CHECK : 0));
    fuzz_wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    fuzz_wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
    dma_object(0, NV3_DMAOBJ_TARGET_VRAM, 0x80000);
    dma_object(1, NV3_DMAOBJ_TARGET_PCI, MEM_BASE);
    dma_object(2, NV3_DMAOBJ_TARGET_PCI, MEM_BASE);
    for (uint32_t i = 0; i < MEM_SIZE; i++) {
        fuzz.mem[i] = i * 37;
    }
    surfaces();
}

/* ---- drawing ------------------------------------------------------------- */

static void data_words(uint32_t subch, uint32_t mthd)
{
    uint32_t count = (fuzz_take(1) & 31) + 1;

    for (uint32_t i = 0; i < count; i++) {
        fuzz_method(subch, mthd + i * 4, fuzz_take(1) * 0x01010101u ^ i);
    }
}

/* Usually returns a float from @base - @range to @base + @range, otherwise any float. */
static uint32_t near_float(float base, float range)
{
    uint32_t b = fuzz_take(1);

    return b == 0xff ? fuzz_take(4)
                     : as_float(base + range * ((int)b - 128) / 128);
}

/*
 * Sends vertex @i of a triangle strip. If @odd is true, the input selects the triangle's
 * vertices.
 */
static void vertex(uint32_t subch, uint32_t i, bool odd)
{
    uint32_t slot = i & 15, last = (i - 1) & 15, before = (i - 2) & 15;
    uint32_t tri = i < 2 ? slot : slot | last << 4 | before << 8;
    uint32_t fog = fuzz_take(1) << 24;

    fuzz_method(subch, NV3_D3D_FOG_TRI(slot), odd ? fuzz_take(4) : fog | tri);
    fuzz_method(subch, NV3_D3D_COLOR(slot), color());
    fuzz_method(subch, NV3_D3D_X(slot), near_float(i * 37 % 96, 20));
    fuzz_method(subch, NV3_D3D_Y(slot), near_float(i * 29 % 80, 20));
    fuzz_method(subch, NV3_D3D_Z(slot), near_float(0.5, 0.6));
    fuzz_method(subch, NV3_D3D_RHW(slot), near_float(1, 1));
    fuzz_method(subch, NV3_D3D_U(slot), near_float(i & 1, 2));
    fuzz_method(subch, NV3_D3D_V(slot), near_float(i >> 1 & 1, 2));
}

static void strip(uint32_t subch)
{
    uint32_t how = fuzz_take(1);

    for (uint32_t i = 0; i < (how & 15) + 3; i++) {
        vertex(subch, i, how >= 0xf0);
    }
}

static void draw(void)
{
    const Script *script = &scripts[fuzz_take(1) % COUNT(scripts)];
    uint32_t how = fuzz_take(1), subch = how & 7;

    object(script->class);
    fuzz_method(subch, NV3_MTHD_OBJECT, NAME(script->class));
    if (how & 0x80) {
        fuzz_method(subch, NV3_MTHD_NOTIFY, how >> 4 & 3);
    }
    for (uint32_t i = 0; i < script->count; i++) {
        const Step *step = &script->step[i];

        if (step->kind == DATA) {
            data_words(subch, step->mthd);
        } else {
            fuzz_method(subch, step->mthd, make(step->kind));
        }
    }
    if (script->class == NV3_CLASS_D3D) {
        strip(subch);
    }
}

static void spoil(void)
{
    uint32_t how = fuzz_take(1), addr;

    switch (how & 3) {
    case 0:
        addr = fuzz_take(2);
        fuzz_method(how >> 2 & 7, addr, fuzz_value());
        break;
    case 1:
        addr = 0x400000 + (fuzz_take(2) & 0x1ffc);
        fuzz_wr32(addr, fuzz_value());
        fuzz_acknowledge();
        break;
    case 2:
        addr = (fuzz_take(2) << 2) & (NV3_RAMIN_SIZE - 4);
        nv3_ramin_write(fuzz.s, addr, fuzz_value(), 4);
        break;
    default:
        fuzz_wr32(NV3_PMC_ENABLE, 0xffffffff);
        fuzz_wr32(NV3_PGRAPH_DEBUG_0, NV3_PGRAPH_DEBUG_0_RESET);
        fuzz_acknowledge();
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_start(data, size);
    set_up();
    while (fuzz.left) {
        uint32_t what = fuzz_take(1);

        if (what < 0x10) {
            surfaces();
        } else if (what < 0x20) {
            spoil();
        } else {
            draw();
        }
    }
    fuzz_end();
    return 0;
}
