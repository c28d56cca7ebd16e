/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vertex fetch: array elements of all types to registers of the vertex program.
 *
 * Normalised signed numbers are divided by the largest positive one, and the lowest two
 * are both -1. NV2A's and NV30's rule is not known; this is Direct3D 10's and OpenGL
 * 4.2's.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/geom_int.h"

#define ONE         0x3f800000u
#define ELEMENT_MAX 16              /* bytes of the largest element */
/* Larger parts of an array are read element by element. */
#define MAP_MAX     (16u << 20)
/* Arrays at most this many bytes apart are copied together. */
#define COPY_GAP    64
/* Reading one element takes at least as long as copying so many bytes (gl.tri25). */
#define COPY_PER_ELEMENT 512

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

/* IEEE 754 binary16, as a float's bits. */
static uint32_t half(uint32_t x)
{
    uint32_t sign = (x & 0x8000) << 16, exponent = x >> 10 & 31, fraction = x & 0x3ff;

    if (exponent == 31) {
        return sign | 0x7f800000 | fraction << 13;
    }
    if (exponent) {
        return sign | (exponent + 112) << 23 | fraction << 13;
    }
    /* 2^-24 is the step of denormals. */
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

/* The signed number of @count bits at bit @first of @word. */
static int32_t signed_field(uint32_t word, unsigned first, unsigned count)
{
    return (int32_t)(word << (32 - first - count)) >> (32 - count);
}

/* @type and @components are constant where this is inlined. */
static inline __attribute__((always_inline))
void convert(uint32_t value[4], unsigned type, unsigned components, const uint8_t *from)
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

/* A range of memory with parts of several arrays, such as interleaved arrays. */
typedef struct Range {
    uint64_t start, end;
    unsigned arrays;
    uint16_t mask;
} Range;

/* The part of the array with elements @first to @last; false without a use for it. */
static bool array_range(Range *r, const NV3GeomArray *a, uint32_t first, uint32_t last)
{
    r->start = a->offset + (uint64_t)first * a->stride;
    r->end = a->offset + (uint64_t)last * a->stride +
             nv3_geom_element_bytes(a->type, a->components);
    return !a->divisor && r->end - r->start <= MAP_MAX;
}

/* Adds a range to the sorted ones, joined with those that are near. Returns how many. */
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

/* Copies the ranges for which that is cheaper than element by element. */
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

        /* Without some of its bytes, elements are still read one by one. */
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
        a->base = st->memory->map(st->memory->opaque, r.start, r.end - r.start);
        if (a->base) {
            a->size = r.end - r.start;
        } else {
            count = add_range(range, count, &r);
        }
    }
    stage_ranges(staging, st, range, count, vertices);
}

static inline void put(NV3VpFile *file, unsigned attribute, unsigned lane,
                       const uint32_t value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        NV3VpSlot *to = &file->slot[NV3_VP_SLOT_ATTRIBUTES + 4 * attribute + c];

        memcpy(&to->lane[lane], &value[c], sizeof(value[c]));
    }
}

/* Where the elements of a group's vertices are. */
typedef struct Elements {
    const uint8_t *from[NV3_VP_LANES];
    uint8_t copy[NV3_VP_LANES][ELEMENT_MAX];    /* of those that have no pointer */
} Elements;

/* The array's bytes at offset @at; null if they are out of reach. */
static inline const uint8_t *array_bytes(const NV3GeomState *st, const NV3GeomArray *a,
                                         uint64_t at, uint64_t bytes, uint8_t *copy)
{
    /* No sum overflows: nv3_geom_set_state() has checked the offset. */
    if (at >= a->start && at + bytes <= a->start + a->size) {
        return a->base + (at - a->start);
    }
    if (st->memory && st->memory->read(st->memory->opaque, at, copy, bytes)) {
        return copy;
    }
    return NULL;
}

/* The common case, in which all elements are in the part that is mapped. */
static bool locate_all(Elements *e, const NV3GeomArray *a, uint64_t bytes,
                       const uint32_t *element, unsigned count)
{
    uint32_t first = element[0], last = element[0];
    uint64_t from, to;

    for (unsigned lane = 1; lane < count; lane++) {
        first = element[lane] < first ? element[lane] : first;
        last = element[lane] > last ? element[lane] : last;
    }
    from = a->offset + (uint64_t)first * a->stride;
    to = a->offset + (uint64_t)last * a->stride + bytes;
    if (from < a->start || to > a->start + a->size) {
        return false;
    }
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        uint32_t number = element[lane < count ? lane : count - 1];

        e->from[lane] = a->base + (from - a->start) +
                        (uint64_t)(number - first) * a->stride;
    }
    return true;
}

/*
 * Locates the elements of a group's vertices. Lanes without a vertex get the element of
 * the last vertex. Returns false if an element is not completely within the array's
 * memory.
 */
static bool locate(Elements *e, const NV3GeomState *st, const NV3GeomArray *a,
                   const uint32_t *element, unsigned count)
{
    const uint64_t bytes = nv3_geom_element_bytes(a->type, a->components);

    if (!a->divisor && locate_all(e, a, bytes, element, count)) {
        return true;
    }
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        uint32_t number;

        /* An array with a divisor has one element for all. */
        if (lane >= (a->divisor ? 1 : count)) {
            e->from[lane] = e->from[lane - 1];
            continue;
        }
        number = a->divisor ? st->instance / a->divisor : element[lane];
        e->from[lane] = array_bytes(st, a, a->offset + (uint64_t)number * a->stride,
                                    bytes, e->copy[lane]);
        if (!e->from[lane]) {
            return false;
        }
    }
    return true;
}

/* A loop of its own for each combination that is common. */
static inline __attribute__((always_inline))
void fetch_lanes(NV3VpFile *file, unsigned attribute, const Elements *e, unsigned type,
                 unsigned components)
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        uint32_t value[4];

        convert(value, type, components, e->from[lane]);
        put(file, attribute, lane, value);
    }
}

static void fetch_array(NV3VpFile *file, unsigned attribute, const NV3GeomArray *a,
                        const Elements *e)
{
    switch (a->type * 8u + a->components) {
    case NV3_GEOM_FLOAT * 8 + 2:
        fetch_lanes(file, attribute, e, NV3_GEOM_FLOAT, 2);
        break;
    case NV3_GEOM_FLOAT * 8 + 3:
        fetch_lanes(file, attribute, e, NV3_GEOM_FLOAT, 3);
        break;
    case NV3_GEOM_FLOAT * 8 + 4:
        fetch_lanes(file, attribute, e, NV3_GEOM_FLOAT, 4);
        break;
    case NV3_GEOM_UBYTE_NORM * 8 + 4:
        fetch_lanes(file, attribute, e, NV3_GEOM_UBYTE_NORM, 4);
        break;
    case NV3_GEOM_UBYTE_BGRA * 8 + 4:
        fetch_lanes(file, attribute, e, NV3_GEOM_UBYTE_BGRA, 4);
        break;
    default:
        fetch_lanes(file, attribute, e, a->type, a->components);
        break;
    }
}

static void fetch_constant(NV3VpFile *file, unsigned attribute, const uint32_t value[4])
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        put(file, attribute, lane, value);
    }
}

bool nv3_geom_fetch(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                    const uint32_t *element, unsigned count)
{
    for (; attributes; attributes &= attributes - 1) {
        unsigned i = __builtin_ctz(attributes);
        const NV3GeomArray *a = &st->array[i];
        Elements e;

        if (!a->components) {
            fetch_constant(file, i, st->attribute[i]);
        } else if (locate(&e, st, a, element, count)) {
            fetch_array(file, i, a, &e);
        } else {
            return false;
        }
    }
    return true;
}

void nv3_geom_fetch_inline(NV3VpFile *file, uint32_t attributes,
                           uint32_t (*const *vertex)[NV3_VP_ATTRIBUTES][4],
                           unsigned count)
{
    for (; attributes; attributes &= attributes - 1) {
        unsigned i = __builtin_ctz(attributes);

        for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
            put(file, i, lane, (*vertex[lane < count ? lane : count - 1])[i]);
        }
    }
}
