/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes class 0x1F by drawing as a driver does. The input selects states, vertex and
 * fragment programs, textures, arrays and primitives. Most of the selected values are
 * valid, so that draws pass the checks of the class and reach the pixel loops. Random
 * methods seldom reach these loops. Between methods, and even while the chip is drawing,
 * the fuzzer migrates the chip and changes page tables, context images, contexts and
 * objects.
 */
#include "fuzz_host.h"
#include "fp/fp_program.h"
#include "geometry/geom.h"
#include "nv3_programs.h"
#include "vp/vp_program.h"

#define COUNT(array)    (sizeof(array) / sizeof((array)[0]))

#define RAMRO           0x8000
#define RAMFC           0xa000
#define GROBJ(i)        (0xb000 + (i) * 16)
#define DMAOBJ(i)       (0x30000 + (i) * 0x100)
#define NAME(i)         (0x2000u + (i))
#define OBJECTS         2           /* in subchannels 0 and 1, each with a DMA object */

/* Bus addresses in PAGES_BASE. */
#define DIRECTORY       PAGES_BASE
#define TABLE(i)        (PAGES_BASE + 0x1000u + (i) * 0x1000u)
#define DATA_PAGE(i)    (PAGES_BASE + 0x3000u + (i) * 0x1000u)
#define DATA_PAGES      29u
#define IMAGE(i)        (PAGES_BASE + 0x20000u + (i) * 0x8000u)
#define IMAGES          4u

/*
 * Addresses in the address space of the objects: VRAM, followed by pages of system
 * memory.
 */
#define SYSTEM          0x00400000u
#define PROGRAM         (SYSTEM + 0x1000u)
#define ARRAYS          (SYSTEM + 0x6000u)
#define TEXTURES        (SYSTEM + 0xe000u)
#define COLOR           0x00000000u
#define ZETA            0x00080000u
#define VRAM_TEXTURES   0x00100000u

#define SIDE_MAX        96          /* pixels per side of most targets */

/* ---- memory ------------------------------------------------------------------ */

static void put_word(uint32_t bus_address, uint32_t word)
{
    uint8_t *to = fuzz.pages + (bus_address - PAGES_BASE);

    for (unsigned i = 0; i < 4; i++) {
        to[i] = word >> 8 * i;
    }
}

/* Writes a word of system memory at an address in the address space of the objects. */
static void put_data(uint32_t address, uint32_t word)
{
    uint32_t at = (address - SYSTEM) % (DATA_PAGES * 0x1000);

    put_word(DATA_PAGE(0) + at, word);
}

static void page_tables(void)
{
    const uint32_t rw = NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE;

    for (uint32_t i = 0; i < 2; i++) {
        put_word(DIRECTORY + i * 4, TABLE(i) | NV3_DMAOBJ_DIR_PRESENT);
    }
    for (uint32_t i = 0; i < 1024; i++) {
        put_word(TABLE(0) + i * 4, i * 4096 % fuzz.vram_size | rw | NV3_DMAOBJ_PTE_VRAM);
    }
    for (uint32_t i = 0; i < DATA_PAGES; i++) {
        put_word(TABLE(1) + i * 4, DATA_PAGE(i) | rw);
    }
}

static void object(uint32_t i)
{
    const uint32_t class = NV3_CLASS_PROGRAMS;
    const uint32_t entry = NV3_RAMHT_HASH(NAME(i), 0) * 16 * NV3_RAMHT_ENTRY_SIZE;

    nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_FLAGS, NV3_DMAOBJ_DIRECTORY, 4);
    nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_LIMIT,
                    i ? ARRAYS + 0x3fff : UINT32_MAX, 4);
    nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_DIR, DIRECTORY, 4);
    nv3_ramin_write(fuzz.s, GROBJ(i), 0, 4);
    nv3_ramin_write(fuzz.s, GROBJ(i) + NV3_GROBJ_DMA, DMAOBJ(i) >> 4, 4);
    nv3_ramin_write(fuzz.s, entry, NAME(i), 4);
    nv3_ramin_write(fuzz.s, entry + 4, NV3_CTX_VALID | NV3_CTX_CLASS_GRAPH |
                    NV3_CTX_HARDWARE | class << NV3_CTX_CLASS_SHIFT | GROBJ(i) >> 4, 4);
    fuzz_method(i, NV3_MTHD_OBJECT, NAME(i));
}

/* ---- methods ------------------------------------------------------------------ */

static uint32_t subch;

static void method(uint32_t mthd, uint32_t data)
{
    fuzz_method(subch, mthd, data);
}

static uint32_t as_float(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/* In 31 of 32 cases, returns a float from -2 to 2, otherwise fuzz_value(). */
static uint32_t any_float(void)
{
    uint32_t b = fuzz_take(1);

    return b >= 0xf8 ? fuzz_value() : as_float(((int)b - 124) / 62.0f);
}

typedef enum Kind {
    ANY,
    BOOL,
    FUNC,                   /* OpenGL's comparisons */
    FACTOR,                 /* two blend factors of 16 bits */
    EQUATION,
    STENCIL_OP,
    LOGIC,
    FACE,
    WINDING,
    POLYGON,
    SHADE,
    EIGHTHS,                /* widths in eighths of a pixel */
    FLOAT,
    RECT,                   /* first coordinate and size */
    BYTE,
    MASK,                   /* one bit per byte */
    FORMAT,                 /* of targets */
    SAMPLES,                /* control of multisampling */
    SMALL,                  /* 0 to 3 */
} Kind;

/*
 * Methods that set state. From @mthd on, @count successive methods have arguments of
 * @kind.
 */
static const struct {
    uint16_t mthd;
    uint8_t count, kind;
} states[] = {
    { NV3_PM_FOG_ENABLE, 1, BOOL }, { NV3_PM_FOG_COLOR, 1, ANY },
    { NV3_PM_ALPHA_TEST_ENABLE, 1, BOOL }, { NV3_PM_BLEND_ENABLE, 1, BOOL },
    { NV3_PM_CULL_FACE_ENABLE, 1, BOOL }, { NV3_PM_DEPTH_TEST_ENABLE, 1, BOOL },
    { NV3_PM_DITHER_ENABLE, 1, BOOL }, { NV3_PM_POINT_PARAMS_ENABLE, 1, BOOL },
    { NV3_PM_STENCIL_TEST_ENABLE, 1, BOOL }, { NV3_PM_POLY_OFFSET_POINT_ENABLE, 3, BOOL },
    { NV3_PM_ALPHA_FUNC, 1, FUNC }, { NV3_PM_ALPHA_REF, 1, BYTE },
    { NV3_PM_BLEND_FUNC_SFACTOR, 2, FACTOR }, { NV3_PM_BLEND_COLOR, 1, ANY },
    { NV3_PM_BLEND_EQUATION, 1, EQUATION }, { NV3_PM_DEPTH_FUNC, 1, FUNC },
    { NV3_PM_COLOR_MASK, 1, MASK }, { NV3_PM_DEPTH_MASK, 1, BOOL },
    { NV3_PM_STENCIL_MASK, 1, BYTE }, { NV3_PM_STENCIL_FUNC, 1, FUNC },
    { NV3_PM_STENCIL_FUNC_REF, 2, BYTE }, { NV3_PM_STENCIL_OP_FAIL, 3, STENCIL_OP },
    { NV3_PM_SHADE_MODE, 1, SHADE }, { NV3_PM_LINE_WIDTH, 1, EIGHTHS },
    { NV3_PM_POLYGON_OFFSET_SCALE, 2, FLOAT }, { NV3_PM_FRONT_POLYGON_MODE, 2, POLYGON },
    { NV3_PM_CULL_FACE, 1, FACE }, { NV3_PM_FRONT_FACE, 1, WINDING },
    { NV3_PM_POINT_SIZE, 1, EIGHTHS }, { NV3_PM_SCISSOR_HORIZ, 2, RECT },
    { NV3_PM_VIEWPORT_HORIZ, 2, RECT }, { NV3_PM_FLATSHADE_FIRST, 1, BOOL },
    { NV3_PM_CLIP_PLANES_ENABLE, 1, ANY }, { NV3_PM_LOGIC_OP_ENABLE, 1, BOOL },
    { NV3_PM_LOGIC_OP, 1, LOGIC }, { NV3_PM_TWO_SIDE_LIGHT_ENABLE, 1, BOOL },
    { NV3_PM_ZMIN_MAX_CONTROL, 1, ANY }, { NV3_PM_RESTART_ENABLE, 1, BOOL },
    { NV3_PM_RESTART_INDEX, 1, SMALL }, { NV3_PM_POINT_SPRITE, 1, ANY },
    { NV3_PM_STENCIL_TWO_SIDE_ENABLE, 1, BOOL }, { NV3_PM_BACK_STENCIL_MASK, 1, BYTE },
    { NV3_PM_BACK_STENCIL_MASK + 4, 1, FUNC }, { NV3_PM_BACK_STENCIL_MASK + 8, 2, BYTE },
    { NV3_PM_BACK_STENCIL_MASK + 16, 3, STENCIL_OP }, { NV3_PM_INSTANCE, 1, SMALL },
    { NV3_PM_ELEMENT_BASE, 1, SMALL }, { NV3_PM_BLEND_SEPARATE_ALPHA, 1, BOOL },
    { NV3_PM_DITHER_MODE, 1, BOOL }, { NV3_PM_DEPTH_CLIP_MODE, 1, BOOL },
    { NV3_PM_ARRAY_DIVISOR, 4, SMALL }, { NV3_PM_SURFACE_FORMAT, 1, FORMAT },
    { NV3_PM_SURFACE_CLIP_HORIZONTAL, 2, RECT }, { NV3_PM_FP_CONTROL, 1, ANY },
    { NV3_PM_MULTISAMPLE_CONTROL, 1, SAMPLES },
    { NV3_PM_CLEAR_RECT_HORIZONTAL, 2, RECT }, { NV3_PM_ZSTENCIL_CLEAR_VALUE, 2, ANY },
};

static uint32_t make(Kind kind)
{
    static const uint16_t factors[] = {
        0, 1, 0x300, 0x301, 0x302, 0x303, 0x304, 0x305, 0x306, 0x307, 0x308,
        0x8001, 0x8002, 0x8003, 0x8004,
    };
    static const uint16_t equations[] = { 0x8006, 0x8007, 0x8008, 0x800a, 0x800b };
    static const uint16_t stencil_ops[] = {
        0, 0x1e00, 0x1e01, 0x1e02, 0x1e03, 0x150a, 0x8507, 0x8508,
    };
    static const uint8_t formats[][2] = {
        { 1, 1 }, { 3, 1 }, { 5, 2 }, { 8, 2 }, { 8, 0 }, { 0, 2 }, { 0, 1 }, { 3, 0 },
    };
    /* Two entries select one sample per pixel, and two select four. */
    static const uint32_t samples[] = {
        NV3_PM_FORMAT_CENTER_1, NV3_PM_FORMAT_CENTER_1, NV3_PM_FORMAT_SQUARE_OFFSET_4,
        NV3_PM_FORMAT_SQUARE_ROTATED_4,
    };
    uint32_t b = fuzz_take(1);

    if (b >= 0xf8) {
        return fuzz_value();
    }
    switch (kind) {
    case BOOL:
        return b & 1;
    case FUNC:
        return 0x200 + (b & 7);
    case FACTOR:
        return factors[b % COUNT(factors)] |
               (uint32_t)factors[fuzz_take(1) % COUNT(factors)] << 16;
    case EQUATION:
        return equations[b % COUNT(equations)] |
               (uint32_t)equations[fuzz_take(1) % COUNT(equations)] << 16;
    case STENCIL_OP:
        return stencil_ops[b % COUNT(stencil_ops)];
    case LOGIC:
        return 0x1500 + (b & 15);
    case FACE:
        return b & 1 ? 0x404 : b & 2 ? 0x405 : 0x408;
    case WINDING:
        return 0x900 + (b & 1);
    case POLYGON:
        return 0x1b00 + b % 3;
    case SHADE:
        return 0x1d00 + (b & 1);
    case EIGHTHS:
        return b;
    case FLOAT:
        return any_float();
    case RECT:
        return (b % SIDE_MAX + 1) << 16 | fuzz_take(1) % 16;
    case BYTE:
        return b;
    case MASK:
        return (b & 1) | (b & 2) << 7 | (b & 4) << 14 | (b & 8) << 21;
    case FORMAT:
        return formats[b & 7][0] | formats[b & 7][1] << NV3_PM_FORMAT_ZETA_SHIFT |
               NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT |
               samples[b >> 3 & 3] << NV3_PM_FORMAT_SAMPLES_SHIFT;
    case SAMPLES:
        return (b & 15) << NV3_PM_SAMPLE_MASK_SHIFT |
               (b & 16 ? NV3_PM_ALPHA_TO_COVERAGE : 0) |
               (b & 32 ? NV3_PM_ALPHA_TO_ONE : 0) |
               (b & 0xc0 ? NV3_PM_MULTISAMPLE_ENABLE : 0);
    case SMALL:
        return b & 3;
    default:
        return b * 0x01010101u ^ fuzz_take(4);
    }
}

static void state(void)
{
    const unsigned n = fuzz_take(1) % COUNT(states);

    for (unsigned i = 0; i < states[n].count; i++) {
        method(states[n].mthd + 4 * i, make(states[n].kind));
    }
}

static void targets(void)
{
    uint32_t b = fuzz_take(1);

    method(NV3_PM_SURFACE_FORMAT, make(FORMAT));
    method(NV3_PM_SURFACE_CLIP_HORIZONTAL, SIDE_MAX << 16);
    method(NV3_PM_SURFACE_CLIP_VERTICAL, SIDE_MAX << 16);
    method(NV3_PM_SURFACE_PITCH, b == 0xff ? fuzz_value() : 0x03000300);
    method(NV3_PM_SURFACE_COLOR_OFFSET, b < 16 ? fuzz_take(3) << 2 : COLOR);
    method(NV3_PM_SURFACE_ZETA_OFFSET, b % 16 == 1 ? fuzz_take(3) << 2 : ZETA);
    for (unsigned i = 0; i < 2; i++) {
        method(NV3_PM_VIEWPORT_SCALE + 4 * i, b % 16 == 2 ? fuzz_value() : as_float(48));
        method(NV3_PM_VIEWPORT_OFFSET + 4 * i, b % 16 == 3 ? fuzz_value() : as_float(48));
    }
}

/* ---- programs ------------------------------------------------------------------- */

/*
 * Stores @value in bits @first to @first + @count - 1 of an instruction, whose bits 31:0
 * are in the last word.
 */
static void put_bits(uint32_t *words, unsigned first, unsigned count, uint32_t value)
{
    for (unsigned bit = 0; bit < count; bit++) {
        uint32_t *word = &words[NV3_VP_INSN_WORDS - 1 - (first + bit) / 32];
        const uint32_t one = 1u << (first + bit) % 32;

        *word = value >> bit & 1 ? *word | one : *word & ~one;
    }
}

/*
 * Creates a random instruction of a vertex program. Most instructions are valid. See
 * vp/vp_program.h for the encoding.
 */
static void vertex_insn(uint32_t *words, bool last)
{
    static const uint8_t outputs[] = { 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18 };
    const uint32_t how = fuzz_take(1);

    words[0] = how & 1 ? NV3_VP_EXT | (fuzz_take(2) & NV3_VP_EXT_ALL) : 0;
    for (unsigned i = 1; i < NV3_VP_INSN_WORDS; i++) {
        words[i] = fuzz_take(4);
    }
    if (how >= 0xfc) {
        return;
    }
    if (how < 0xf0) {
        words[0] &= ~(NV3_VP_EXT_VECTOR_OP | 3u << NV3_VP_EXT_SCALAR_SHIFT);
    }
    /* any vector operation except ARL, which has no result */
    put_bits(words, 85, 4, fuzz_take(1) % 13);
    if (how >= 0xe0 && how < 0xf0) {
        words[0] |= NV3_VP_EXT | NV3_VP_EXT_VECTOR_OP;
        put_bits(words, 85, 4, NV3_VP_TXL & 15);
    }
    put_bits(words, 89, 3, fuzz_take(1) & 7);
    put_bits(words, 58, 2, 1 + fuzz_take(1) % 3);
    put_bits(words, 43, 2, 1 + fuzz_take(1) % 3);
    put_bits(words, 28, 2, 1 + fuzz_take(1) % 3);
    put_bits(words, 60, 4, how >> 1 & 7);
    put_bits(words, 45, 4, how >> 2 & 3);
    put_bits(words, 30, 4, how >> 3 & 7);
    put_bits(words, 11, 1, 1);
    put_bits(words, 3, 8, outputs[fuzz_take(1) % COUNT(outputs)]);
    put_bits(words, 20, 4, fuzz_take(1) % 12);
    words[3] = (words[3] & ~1u) | last;
}

static void vertex_program(void)
{
    /* Copies attribute 0 to the position: MOV o0, v0. */
    static const uint32_t move[4] = { 0, 0x0020001b, 0x0836106c, 0x2070f800 };
    uint32_t b = fuzz_take(1), count = (b & 15) + 1;

    method(NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
    for (unsigned i = 0; i < 4; i++) {
        method(NV3_PM_TRANSFORM_PROGRAM + 4 * i, move[i]);
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t words[4];

        vertex_insn(words, n == count - 1);
        for (unsigned i = 0; i < 4; i++) {
            method(NV3_PM_TRANSFORM_PROGRAM + 4 * i, words[i]);
        }
    }
    method(NV3_PM_TRANSFORM_PROGRAM_START, b >= 0xf8 ? fuzz_value() : b >> 6 & 1);
}

static void constants(void)
{
    uint32_t first = fuzz_take(1);

    method(NV3_PM_TRANSFORM_CONSTANT_LOAD, first == 0xff ? fuzz_value() : first);
    for (unsigned i = 0; i < 16; i++) {
        method(NV3_PM_TRANSFORM_CONSTANT + 4 * i, any_float());
    }
}

/*
 * Creates a random instruction of a fragment program. Most instructions are valid. See
 * fp/fp_program.h for the encoding.
 */
static unsigned fragment_insn(uint32_t *words, bool last)
{
    static const uint8_t opcodes[] = {
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c,
        0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b,
        0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x26, 0x2e, 0x2f, 0x31, 0x38,
        0x39, 0x3a, 0x3b, 0x17, 0x17, 0x18, 0x31, 0x2f,
    };
    const uint32_t how = fuzz_take(1);
    bool constant = false;

    for (unsigned i = 0; i < NV3_FP_INSN_WORDS; i++) {
        words[i] = fuzz_take(4);
    }
    if (how < 0xfe) {
        words[0] &= 0x8021df8fu & ~(how & 1 ? 1u << 7 : 0);
        words[0] |= (uint32_t)opcodes[fuzz_take(1) % COUNT(opcodes)] << 24 |
                    (how & 7) << 1 | (how >> 3 & 3) << 17;
        words[1] &= 0x3ffffe1fu;
        words[1] |= how & 0x20 ? 7u << 18 : 0;
        words[2] &= 0x2007fe1fu;
        words[3] &= 0x0007fe1fu;
        for (unsigned i = 1; i < NV3_FP_INSN_WORDS; i++) {
            words[i] &= (words[i] & 3) == 3 ? ~2u : ~0u;
        }
    }
    words[0] = (words[0] & ~1u) | last;
    for (unsigned i = 1; i < NV3_FP_INSN_WORDS; i++) {
        constant |= (words[i] & 3) == NV3_FP_BANK_CONSTANT;
    }
    if (!constant) {
        return NV3_FP_INSN_WORDS;
    }
    for (unsigned i = 0; i < 4; i++) {
        words[4 + i] = any_float();
    }
    return 2 * NV3_FP_INSN_WORDS;
}

static void fragment_program(void)
{
    uint32_t b = fuzz_take(1), count = (b & 15) + 1, at = PROGRAM + (b >> 4 & 3) * 0x400;
    uint32_t start = at;

    for (uint32_t n = 0; n < count; n++) {
        uint32_t words[2 * NV3_FP_INSN_WORDS];
        unsigned length = fragment_insn(words, n == count - 1);

        for (unsigned i = 0; i < length; i++, at += 4) {
            put_data(at, words[i]);
        }
    }
    method(NV3_PM_FP_CONTROL, b & 0x40 ? NV3_FP_CONTROL_DEPTH : 0);
    method(NV3_PM_FP_ACTIVE_PROGRAM, b >= 0xf8 ? fuzz_value() : start);
}

/* ---- textures ------------------------------------------------------------------- */

static uint32_t texture_size(void)
{
    static const uint16_t sizes[] = { 1, 2, 3, 4, 5, 8, 16, 17, 31, 32, 64, 100, 256 };
    uint32_t b = fuzz_take(1);

    return b >= 0xfc ? fuzz_take(2) : sizes[b % COUNT(sizes)];
}

static void texture(void)
{
    static const uint8_t types[] = {
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0b, 0x10, 0x12, 0x1d, 0x1e,
        0x1f,
    };
    const uint32_t how = fuzz_take(1), b = fuzz_take(2), w = texture_size();
    const uint32_t h = how & 8 ? w : texture_size();
    const uint32_t dims = how & 0x10 ? 3 : 2, unit = how & 3;
    const uint32_t at = how & 4 ? NV3_PM_VTXTEX + unit * 32 : NV3_PM_TEX + unit * 32;
    uint32_t format = (uint32_t)types[b % COUNT(types)] << 8 | 1u << 13 | dims << 4 |
                      (b >> 8 & 7) << 16 | (how & 0x20 && dims == 2 ? 1u << 2 : 0);

    method(at + 4 * NV3_PM_TEX_OFFSET,
           how & 0x40 ? TEXTURES + (b & 7) * 64 : VRAM_TEXTURES + (b & 0xff) * 64);
    method(at + 4 * NV3_PM_TEX_FORMAT, how == 0xff ? fuzz_take(4) : format);
    method(at + 4 * NV3_PM_TEX_WRAP, fuzz_take(4) % 8 + 1 + (b & 0x0700) + 0x100 +
           (b << 5 & 0x070000) + 0x10000 + (b << 16 & 0x70000000));
    method(at + 4 * NV3_PM_TEX_FILTER, (b % 6 + 1) << 16 | (b % 2 + 1) << 24 |
           (fuzz_take(2) & 0x1fff));
    method(at + 4 * NV3_PM_TEX_NPOT_SIZE, w << 16 | h);
    method(at + 4 * NV3_PM_TEX_BORDER_COLOR, fuzz_take(4));
    method(how & 4 ? NV3_PM_VTXTEX_SIZE1 + unit * 4 : NV3_PM_TEX_SIZE1 + unit * 4,
           (b % 9 + 1) << 20 | (how & 0x80 ? fuzz_take(2) : 0));
    method(at + 4 * NV3_PM_TEX_ENABLE,
           1u << 31 | (fuzz_take(2) & 0xfff) << 7 | (b & 0x300) << 19);
}

static void caches(void)
{
    uint32_t b = fuzz_take(1);

    if (b & 1) {
        method(NV3_PM_TEX_CACHE_CTL, 0);
    } else {
        method(NV3_PM_TEX_CACHE_OFFSET, b & 2 ? fuzz_value() : TEXTURES);
        method(NV3_PM_TEX_CACHE_SIZE, fuzz_value());
    }
}

/* ---- vertices ------------------------------------------------------------------- */

static void arrays(void)
{
    const uint32_t b = fuzz_take(1), used = fuzz_take(2);

    for (uint32_t i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        const uint32_t stride = b == 0xff ? fuzz_take(2) : 32;
        const uint32_t type = i && b & 0x40 ? fuzz_take(1) % NV3_GEOM_TYPES :
                              NV3_GEOM_FLOAT;
        const uint32_t size = type == NV3_GEOM_UBYTE_BGRA ? 4 : (b >> 3 & 3) + 1;

        method(NV3_PM_ARRAY_OFFSET + 4 * i,
                   b >= 0xf0 ? fuzz_take(3) : ARRAYS + i % 4 * 16);
        method(NV3_PM_ARRAY_FORMAT + 4 * i,
               type | (!i || used >> i & 1 ? size : 0) <<
               NV3_PM_ARRAY_SIZE_SHIFT | stride << NV3_PM_ARRAY_STRIDE_SHIFT);
    }
}

static void array_data(void)
{
    uint32_t at = ARRAYS + fuzz_take(1) * 64;

    for (unsigned i = 0; i < 24; i++) {
        put_data(at + 4 * i, any_float());
    }
}

static void attribute(void)
{
    uint32_t i = fuzz_take(1);

    for (unsigned c = 0; c < 4; c++) {
        method(NV3_PM_VERTEX_DATA4F + (i & 15) * 16 + 4 * c, any_float());
    }
}

static void vertices(void)
{
    static const struct {
        uint16_t mthd, count;
    } inlined[] = {
        { NV3_PM_VERTEX4F, 4 }, { NV3_PM_VERTEX_DATA2F, 2 }, { NV3_PM_VERTEX_DATA2S, 1 },
        { NV3_PM_VERTEX_DATA4UB, 1 }, { NV3_PM_VERTEX_DATA4S, 2 },
        { NV3_PM_VERTEX_DATA4F, 4 }, { NV3_PM_INLINE_ARRAY, 1 },
    };
    const uint32_t how = fuzz_take(1), count = (fuzz_take(1) & 31) + 1, n = how >> 4;

    switch (how & 3) {
    case 0:
        method(NV3_PM_DRAW_ARRAYS, (count - 1) << NV3_PM_DRAW_COUNT_SHIFT | n);
        break;
    case 1:
        method(NV3_PM_IDXBUF_OFFSET, ARRAYS + n * 7);
        method(NV3_PM_IDXBUF_FORMAT, (how >> 2 & 3) << 4);
        method(NV3_PM_INDEX_BATCH, (count - 1) << NV3_PM_DRAW_COUNT_SHIFT | n);
        break;
    case 2:
        for (uint32_t i = 0; i < count; i++) {
            method(how & 4 ? NV3_PM_ARRAY_ELEMENT16 : NV3_PM_ARRAY_ELEMENT32,
                   how & 8 ? fuzz_value() : i << 16 | (i + 1));
        }
        break;
    default:
        for (uint32_t i = 0; i < count * inlined[n % COUNT(inlined)].count; i++) {
            const unsigned words = inlined[n % COUNT(inlined)].count;

            method(inlined[n % COUNT(inlined)].mthd +
                   (words > 1 ? i % words * 4 : 0), any_float());
        }
    }
}

static void draw(void)
{
    uint32_t b = fuzz_take(1);

    method(NV3_PM_BEGIN_END, b & 0x80 ? fuzz_value() : b % (NV3_GEOM_PRIMITIVES - 1) + 1);
    for (uint32_t i = 0; i <= (b >> 5 & 3); i++) {
        vertices();
    }
    if (b & 0x10) {
        return;
    }
    method(NV3_PM_BEGIN_END, 0);
    if (b & 0x40) {
        method(NV3_PM_WAIT_FOR_IDLE, 0);
    }
}

/* Sets all state that a channel needs before it can draw. */
static void scene(void)
{
    targets();
    vertex_program();
    fragment_program();
    texture();
    texture();
    arrays();
}

/* ---- contexts and memory that change ----------------------------------------------- */

/*
 * Sends a method, but runs at most one slice, so that the method may still be in progress
 * during the fuzzer's next action.
 */
static void partly(void)
{
    uint32_t b = fuzz_take(1);

    fuzz_wr32(NV3_USER_ADDR(0, subch, b & 1 ? NV3_PM_WAIT_FOR_IDLE :
                            NV3_PM_CLEAR_SURFACE), 0xf3);
    if (b & 2) {
        nv3_run(fuzz.s, 1);
    }
}

static void context(void)
{
    uint32_t b = fuzz_take(1);

    if (b & 0x80) {
        /*
         * Changes a word of a context image. The write of PVIRT_GRCTX below may load this
         * image.
         */
        put_word(IMAGE(b & 3) + (fuzz_take(2) % 6540) * 4, fuzz_value());
    }
    fuzz_wr32(NV3_PVIRT_GRCTX, b == 0x7f ? fuzz_take(4) :
              IMAGE(b & 3) | (b & 4 ? NV3_PVIRT_GRCTX_NO_STORE : 0));
    if (b & 8) {
        scene();
    }
}

static void memory(void)
{
    uint32_t how = fuzz_take(1), at = fuzz_take(2) & ~3u;

    switch (how & 3) {
    case 0:
        put_word(DIRECTORY + at % 0x3000, fuzz_value());
        break;
    case 1:
        put_word(TABLE(how >> 2 & 1) + at % 0x1000, (fuzz_value() & ~0xfffu) | 7);
        break;
    case 2:
        page_tables();
        break;
    default:
        put_data(SYSTEM + at, fuzz_value());
        return;
    }
    fuzz_wr32(NV3_PVIRT_VM_INVALIDATE, 0);
}

static void spoil(void)
{
    uint32_t how = fuzz_take(1);

    switch (how & 3) {
    case 0:
        fuzz_wr32(0x400000 + (fuzz_take(2) & 0x1ffc), fuzz_value());
        fuzz_acknowledge();
        break;
    case 1:
        nv3_ramin_write(fuzz.s, DMAOBJ(how >> 2 & 1) + (fuzz_take(1) & 0x1c),
                        fuzz_value(), 4);
        break;
    case 2:
        fuzz_wr32(NV3_PGRAPH_DEBUG_0, NV3_PGRAPH_DEBUG_0_RESET);
        fuzz_acknowledge();
        break;
    default:
        for (uint32_t i = 0; i < OBJECTS; i++) {
            object(i);
        }
    }
}

static void set_up(void)
{
    fuzz_wr32(NV3_PMC_ENABLE, 0xffffffff);
    fuzz_wr32(NV3_PFIFO_RAMHT, 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    fuzz_wr32(NV3_PFIFO_RAMRO, RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
    fuzz_wr32(NV3_PFIFO_RAMFC, RAMFC);
    fuzz_wr32(NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    fuzz_wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    fuzz_wr32(NV3_PGRAPH_DEBUG_1,
              NV3_PGRAPH_DEBUG_1_CTX_SWITCH | NV3_PGRAPH_DEBUG_1_DMA_LOAD);
    fuzz_wr32(NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_CHECK);
    fuzz_wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    fuzz_wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
    page_tables();
    for (uint32_t i = 0; i < 0x8000; i += 4) {
        put_data(ARRAYS + i, as_float((int)(i * 37 % 251) / 125.0f - 1));
    }
    fuzz_wr32(NV3_PVIRT_GRCTX, IMAGE(0));
    for (uint32_t i = 0; i < OBJECTS; i++) {
        object(i);
    }
    subch = 0;
    scene();
}

static void step(void)
{
    uint32_t mthd;

    switch (fuzz_take(1) & 31) {
    case 0:
        mthd = fuzz_take(2) & 0x1ffc;
        return method(mthd, fuzz_value());
    case 1:
        return targets();
    case 2:
    case 3:
        return vertex_program();
    case 4:
        return constants();
    case 5:
    case 6:
    case 7:
        return fragment_program();
    case 8:
    case 9:
    case 10:
        return texture();
    case 11:
        return caches();
    case 12:
        return arrays();
    case 13:
        return array_data();
    case 14:
        return attribute();
    case 15:
        return vertices();
    case 16:
        return partly();
    case 17:
        return context();
    case 18:
        return memory();
    case 19:
        return spoil();
    case 20:
        fuzz_migrate();
        return fuzz_answer();
    case 21:
        subch = fuzz_take(1) % OBJECTS;
        return;
    case 22:
        return method(NV3_PM_CLEAR_SURFACE, fuzz_take(1));
    case 23:
        method(NV3_PM_CLEAR_REPORT_VALUE, 0);
        return method(NV3_PM_GET_REPORT, SYSTEM);
    case 24:
    case 25:
    case 26:
    case 27:
        return state();
    default:
        return draw();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_start_programs(data, size);
    set_up();
    while (fuzz.left) {
        step();
    }
    fuzz_answer();
    fuzz_end();
    return 0;
}
