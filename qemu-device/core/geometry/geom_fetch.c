/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches vertices: converts array elements of all types to registers of the vertex
 * program.
 *
 * Normalised signed numbers are divided by the largest positive number, so that the
 * lowest two numbers both become -1. Direct3D 10 and OpenGL 4.2 define this rule. The
 * rule of NV2A and NV30 is not known.
 */
#include <stdlib.h>
#include <string.h>

#define FETCH_WIDTH     4
#define FETCH_TARGET
#define FETCH_FUNCTION  nv3_geom_fetch_floats_generic

#include "geometry/geom_fetch_loops.h"

#define ONE         0x3f800000u
#define ELEMENT_MAX 16              /* bytes of the largest element */
/*
 * If the used part of an array has more bytes than this, its elements are read one by
 * one.
 */
#define MAP_MAX     (16u << 20)
/*
 * Two parts of arrays are copied as one range if the gap between them has at most this
 * many bytes.
 */
#define COPY_GAP    64
/* Reading one element takes at least as long as mapping this many bytes: a page. */
#define MAP_PER_ELEMENT 4096
/* Reading one element takes about as long as copying this many bytes (gl.tri25). */
#define COPY_PER_ELEMENT 512
#define HOST_IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

static const uint8_t component_bytes[NV3_GEOM_TYPES] = {
    [NV3_GEOM_UBYTE_BGRA] = 1,
    [NV3_GEOM_SHORT_NORM] = 2,
    [NV3_GEOM_FLOAT] = 4,
    [NV3_GEOM_HALF] = 2,
    [NV3_GEOM_UBYTE_NORM] = 1,
    [NV3_GEOM_SHORT] = 2,
    [NV3_GEOM_UBYTE] = 1,
    [NV3_GEOM_USHORT_NORM] = 2,
    [NV3_GEOM_USHORT] = 2,
    [NV3_GEOM_BYTE_NORM] = 1,
    [NV3_GEOM_BYTE] = 1,
};

unsigned nv3_geom_element_bytes(unsigned type, unsigned components)
{
    return type == NV3_GEOM_PACKED_NORM ? 4 : component_bytes[type] * components;
}

static inline uint32_t bits(float x)
{
    uint32_t pattern;

    memcpy(&pattern, &x, sizeof(pattern));
    return pattern;
}

static inline uint32_t read16(const uint8_t *from)
{
    return from[0] | from[1] << 8;
}

static inline uint32_t read32(const uint8_t *from)
{
    return read16(from) | read16(from + 2) << 16;
}

static inline uint32_t signed_norm(int32_t x, int32_t largest)
{
    return bits(x < -largest ? -1.0f : x / (float)largest);
}

/* Converts IEEE 754 binary16 to the bits of a float. */
static uint32_t half(uint32_t x)
{
    uint32_t sign = (x & 0x8000) << 16, exponent = x >> 10 & 31, fraction = x & 0x3ff;

    if (exponent == 31) {
        return sign | 0x7f800000 | fraction << 13;
    }
    if (exponent) {
        return sign | (exponent + 112) << 23 | fraction << 13;
    }
    /* A denormal is a multiple of 2^-24. */
    return sign | bits(fraction * 0x1p-24f);
}

static inline uint32_t component(unsigned type, const uint8_t *from)
{
    switch (type) {
    case NV3_GEOM_SHORT_NORM:
        return signed_norm((int16_t)read16(from), INT16_MAX);
    case NV3_GEOM_FLOAT:
        return read32(from);
    case NV3_GEOM_HALF:
        return half(read16(from));
    case NV3_GEOM_SHORT:
        return bits((int16_t)read16(from));
    case NV3_GEOM_UBYTE:
        return bits(*from);
    case NV3_GEOM_USHORT_NORM:
        return bits(read16(from) / 65535.0f);
    case NV3_GEOM_USHORT:
        return bits(read16(from));
    case NV3_GEOM_BYTE_NORM:
        return signed_norm((int8_t)*from, INT8_MAX);
    case NV3_GEOM_BYTE:
        return bits((int8_t)*from);
    default:
        return bits(*from / 255.0f);
    }
}

/* Returns the signed field of @word that begins at bit @first and has @count bits. */
static int32_t signed_field(uint32_t word, unsigned first, unsigned count)
{
    return (int32_t)(word << (32 - first - count)) >> (32 - count);
}

static void convert(uint32_t value[4], unsigned type, unsigned components,
                    const uint8_t *from)
{
    value[0] = value[1] = value[2] = 0;
    value[3] = ONE;
    if (type == NV3_GEOM_PACKED_NORM) {
        uint32_t word = read32(from);

        value[0] = signed_norm(signed_field(word, 0, 11), 1023);
        value[1] = signed_norm(signed_field(word, 11, 11), 1023);
        value[2] = signed_norm(signed_field(word, 22, 10), 511);
        return;
    }
    for (unsigned c = 0; c < components; c++) {
        value[c] = component(type, from + c * component_bytes[type]);
    }
    if (type == NV3_GEOM_UBYTE_BGRA) {
        uint32_t blue = value[0];

        value[0] = value[2];
        value[2] = blue;
    }
}

void nv3_geom_convert(uint32_t value[4], unsigned type, unsigned components,
                      const uint8_t *from)
{
    convert(value, type, components, from);
}

/* ---- where elements are ------------------------------------------------------ */

/*
 * A range of memory with parts of one or more arrays, for example interleaved arrays.
 */
typedef struct Range {
    uint64_t start, end;
    unsigned arrays;
    uint16_t mask;
} Range;

/*
 * Computes the range of elements @first to @last of the array. Returns false if the
 * range exceeds MAP_MAX or the array has a divisor.
 */
static bool array_range(Range *r, const NV3GeomArray *a, uint32_t first, uint32_t last)
{
    r->start = a->offset + (uint64_t)first * a->stride;
    r->end = a->offset + (uint64_t)last * a->stride +
             nv3_geom_element_bytes(a->type, a->components);
    return !a->divisor && r->end - r->start <= MAP_MAX;
}

/*
 * Adds a range to the sorted ranges, and joins it with ranges that are at most COPY_GAP
 * bytes away. Returns the number of ranges.
 */
static unsigned add_range(Range *range, unsigned count, const Range *new)
{
    Range joined = *new;
    unsigned kept = 0, place = 0;

    for (unsigned i = 0; i < count; i++) {
        const Range r = range[i];

        if (r.end + COPY_GAP < joined.start || joined.end + COPY_GAP < r.start) {
            place += r.start < joined.start;
            range[kept++] = r;
            continue;
        }
        joined.start = r.start < joined.start ? r.start : joined.start;
        joined.end = r.end > joined.end ? r.end : joined.end;
        joined.arrays += r.arrays;
        joined.mask |= r.mask;
    }
    memmove(range + place + 1, range + place, (kept - place) * sizeof(*range));
    range[place] = joined;
    return kept + 1;
}

static bool make_room(GeomStaging *staging, size_t size)
{
    uint8_t *bytes;

    if (size > staging->size) {
        bytes = realloc(staging->bytes, size);
        if (!bytes) {
            return false;
        }
        staging->bytes = bytes;
        staging->size = size;
    }
    return true;
}

/* Copies a range if this costs less than reading the range's elements one by one. */
static void stage_ranges(GeomStaging *staging, NV3GeomState *st, const Range *range,
                         unsigned count, unsigned vertices)
{
    size_t size = 0, at = 0;
    bool copied[NV3_VP_ATTRIBUTES];

    for (unsigned i = 0; i < count; i++) {
        const uint64_t bytes = range[i].end - range[i].start;

        copied[i] = bytes <= MAP_MAX &&
                    bytes <= (uint64_t)range[i].arrays * vertices * COPY_PER_ELEMENT;
        size += copied[i] ? bytes : 0;
    }
    if (!make_room(staging, size)) {
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        const Range *r = &range[i];

        /* If the copy fails, elements are read one by one. */
        if (!copied[i] || !st->memory->read(st->memory->opaque, r->start,
                                            staging->bytes + at, r->end - r->start)) {
            continue;
        }
        for (unsigned mask = r->mask; mask; mask &= mask - 1) {
            NV3GeomArray *a = &st->array[__builtin_ctz(mask)];

            a->base = staging->bytes + at;
            a->start = r->start;
            a->size = r->end - r->start;
        }
        at += r->end - r->start;
    }
}

void nv3_geom_map_arrays(GeomStaging *staging, NV3GeomState *st, uint32_t attributes,
                         uint32_t first, uint32_t last, unsigned vertices)
{
    Range range[NV3_VP_ATTRIBUTES];
    unsigned count = 0;

    for (; attributes; attributes &= attributes - 1) {
        const unsigned i = __builtin_ctz(attributes);
        NV3GeomArray *a = &st->array[i];
        Range r = { .arrays = 1, .mask = 1u << i };

        a->size = 0;
        if (!a->components || !array_range(&r, a, first, last)) {
            continue;
        }
        a->start = r.start;
        a->base = r.end - r.start <= (uint64_t)vertices * MAP_PER_ELEMENT ?
                  st->memory->map(st->memory->opaque, r.start, r.end - r.start) : NULL;
        if (a->base) {
            a->size = r.end - r.start;
        } else {
            count = add_range(range, count, &r);
        }
    }
    stage_ranges(staging, st, range, count, vertices);
}

/* ---- element by element -------------------------------------------------------- */

static inline void put(NV3VpFile *file, unsigned attribute, unsigned lane,
                       const uint32_t value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        NV3VpSlot *to = &file->slot[NV3_VP_SLOT_ATTRIBUTES + 4 * attribute + c];

        memcpy(&to->lane[lane], &value[c], sizeof(value[c]));
    }
}

/*
 * Returns a pointer to the array's bytes at offset @at, in mapped memory or in @copy.
 * Returns null if the bytes are out of range.
 */
static inline const uint8_t *array_bytes(const NV3GeomState *st, const NV3GeomArray *a,
                                         uint64_t at, uint64_t bytes, uint8_t *copy)
{
    /* No sum overflows, because nv3_geom_set_state() has checked the offset. */
    if (at >= a->start && at + bytes <= a->start + a->size) {
        return a->base + (at - a->start);
    }
    if (st->memory && st->memory->read(st->memory->opaque, at, copy, bytes)) {
        return copy;
    }
    return NULL;
}

/*
 * Fetches elements of any type. Returns false if an element is not completely within
 * the array's memory.
 */
static bool fetch_elements(NV3VpFile *file, const NV3GeomState *st, unsigned attribute,
                           const GeomElements *e, unsigned lanes)
{
    const NV3GeomArray *a = &st->array[attribute];
    const uint64_t bytes = nv3_geom_element_bytes(a->type, a->components);
    const uint8_t *from = NULL;
    uint8_t copy[ELEMENT_MAX];
    uint32_t value[4], before = 0;

    for (unsigned lane = 0; lane < lanes; lane++) {
        const uint32_t number = a->divisor ? st->instance / a->divisor :
                                               nv3_geom_element(e, lane);

        if (lane == 0 || number != before) {
            before = number;
            from = array_bytes(st, a, a->offset + (uint64_t)number * a->stride, bytes,
                               copy);
            if (!from) {
                return false;
            }
            convert(value, a->type, a->components, from);
        }
        put(file, attribute, lane, value);
    }
    return true;
}

/* ---- four elements at a time ----------------------------------------------------- */

typedef float Four __attribute__((vector_size(16)));
typedef uint32_t FourWords __attribute__((vector_size(16)));

static inline const uint8_t *element_at(const GeomFetch *f, uint32_t number)
{
    return f->base + (uint64_t)(number - f->first) * f->stride;
}

static inline Four *lanes_of(NV3VpFile *file, unsigned attribute, unsigned c,
                             unsigned lane)
{
    NV3VpSlot *slot = &file->slot[NV3_VP_SLOT_ATTRIBUTES + 4 * attribute + c];

    return (Four *)&slot->lane[lane];
}

static bool contains(const GeomElements *e, unsigned lanes, uint32_t number)
{
    uint32_t found = 0;

    if (!e->number) {
        return number - e->first < lanes;
    }
    for (unsigned lane = 0; lane < lanes; lane++) {
        found |= e->number[lane] == number;
    }
    return found;
}

static void fetch_floats(NV3VpFile *file, unsigned attribute, const GeomFetch *f,
                         const GeomElements *e, unsigned lanes, NV3VpLevel level)
{
    NV3VpSlot *slot = &file->slot[NV3_VP_SLOT_ATTRIBUTES + 4 * attribute];
    /*
     * With a large enough stride, a read of 16 bytes can exceed the memory only at the
     * last element.
     */
    const bool wide = f->components == 4 ||
                      (f->stride >= 16u - 4u * f->components &&
                       !contains(e, lanes, f->last));

    switch (level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        nv3_geom_fetch_floats_avx512(slot, f, e, lanes, wide);
        break;
    case NV3_VP_AVX2:
        nv3_geom_fetch_floats_avx2(slot, f, e, lanes, wide);
        break;
#endif
    default:
        nv3_geom_fetch_floats_generic(slot, f, e, lanes, wide);
        break;
    }
}

static void fetch_bytes(NV3VpFile *file, unsigned attribute, const GeomFetch *f,
                        const GeomElements *e, unsigned lanes)
{
    for (unsigned lane = 0; lane < lanes; lane += 4) {
        FourWords words;

        for (unsigned i = 0; i < 4; i++) {
            words[i] = read32(element_at(f, nv3_geom_element(e, lane + i)));
        }
        for (unsigned c = 0; c < 4; c++) {
            const unsigned byte = f->bgra && c < 3 ? 2 - c : c;

            *lanes_of(file, attribute, c, lane) =
                __builtin_convertvector(words >> (8 * byte) & 255, Four) / 255.0f;
        }
    }
}

/* ---- all attributes -------------------------------------------------------------- */

static bool is_within(const NV3GeomArray *a, uint32_t first, uint32_t last)
{
    const uint64_t from = a->offset + (uint64_t)first * a->stride;
    const uint64_t to = a->offset + (uint64_t)last * a->stride +
                        nv3_geom_element_bytes(a->type, a->components);

    return from >= a->start && to <= a->start + a->size;
}

/* Selects how elements @first to @last of the array are fetched. */
static void prepare_array(GeomFetch *f, const NV3GeomArray *a, uint32_t first,
                          uint32_t last)
{
    const bool floats = a->type == NV3_GEOM_FLOAT && HOST_IS_LITTLE_ENDIAN;
    const bool bgra = a->type == NV3_GEOM_UBYTE_BGRA;
    const bool bytes = (a->type == NV3_GEOM_UBYTE_NORM || bgra) && a->components == 4;

    *f = (GeomFetch) { .kind = GEOM_FETCH_ELEMENTS };
    if (a->divisor || !is_within(a, first, last)) {
        return;
    }
    f->safe = true;
    if (floats || bytes) {
        f->kind = floats ? GEOM_FETCH_FLOATS : GEOM_FETCH_BYTES;
        f->bgra = bgra;
        f->components = a->components;
        f->base = a->base + (a->offset + (uint64_t)first * a->stride - a->start);
        f->stride = a->stride;
        f->first = first;
        f->last = last;
    }
}

bool nv3_geom_prepare_fetch(GeomFetch fetch[NV3_VP_ATTRIBUTES], const NV3GeomState *st,
                            uint32_t attributes, uint32_t first, uint32_t last)
{
    bool safe = true;

    for (; attributes; attributes &= attributes - 1) {
        const unsigned i = __builtin_ctz(attributes);

        if (!st->array[i].components) {
            fetch[i] = (GeomFetch) { .kind = GEOM_FETCH_NOTHING };
            continue;
        }
        prepare_array(&fetch[i], &st->array[i], first, last);
        safe &= fetch[i].safe;
    }
    return safe;
}

void nv3_geom_prepare_inline(GeomFetch fetch[NV3_VP_ATTRIBUTES],
                             uint32_t (*vertex)[NV3_VP_ATTRIBUTES][4])
{
    for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        fetch[i] = (GeomFetch) {
            .kind = GEOM_FETCH_FLOATS, .components = 4,
            .base = (const uint8_t *)vertex[0][i], .stride = sizeof(vertex[0]),
        };
    }
}

void nv3_geom_fetch_numbers(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                            const GeomFetch fetch[NV3_VP_ATTRIBUTES])
{
    for (; attributes; attributes &= attributes - 1) {
        const unsigned i = __builtin_ctz(attributes);

        if (fetch[i].kind != GEOM_FETCH_NOTHING) {
            continue;
        }
        for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
            put(file, i, lane, st->attribute[i]);
        }
    }
}

bool nv3_geom_fetch(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                    const GeomFetch fetch[NV3_VP_ATTRIBUTES], const GeomElements *e,
                    unsigned lanes, NV3VpLevel level)
{
    for (; attributes; attributes &= attributes - 1) {
        const unsigned i = __builtin_ctz(attributes);

        switch (fetch[i].kind) {
        case GEOM_FETCH_NOTHING:
            break;
        case GEOM_FETCH_FLOATS:
            fetch_floats(file, i, &fetch[i], e, lanes, level);
            break;
        case GEOM_FETCH_BYTES:
            fetch_bytes(file, i, &fetch[i], e, lanes);
            break;
        default:
            if (!fetch_elements(file, st, i, e, lanes)) {
                return false;
            }
            break;
        }
    }
    return true;
}
