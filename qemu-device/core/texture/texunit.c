/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates texture units, checks images and samplers, and decodes the levels of images. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "texture/texdecode.h"
#include "texture/texunit_int.h"

/*
 * Cost of sampling a texture for a block of 8 x 8 pixels, in nanoseconds. The actual time
 * depends on memory accesses. If neighbouring pixels sample neighbouring texels, the time
 * is slightly shorter (make bench, core.fp.taps9). If the texels are far apart in memory,
 * the time is several times the cost.
 */
#define COST_PLAIN  112     /* all pixels sample the same level of a 2D image */
#define COST_LOD    128     /* additional cost if pixels may sample different levels */
#define COST_DIM    128     /* additional cost of a cube or 3D image */

static bool sampler_is_valid(const NV3TexSampler *s)
{
    return s->wrap[0] < NV3_TEX_WRAPS && s->wrap[1] < NV3_TEX_WRAPS &&
           s->wrap[2] < NV3_TEX_WRAPS && s->mip <= NV3_TEX_MIP_LINEAR &&
           s->compare_func < 8;
}

static bool is_depth(unsigned format)
{
    return format == NV3_TEX_Z16 || format == NV3_TEX_Z24S8;
}

static bool image_is_valid(const NV3TexImage *i)
{
    unsigned size = i->width;

    if (i->format >= NV3_TEX_FORMATS || i->dim > NV3_TEX_3D || !i->width ||
        !i->height || !i->depth || i->width > NV3_TEX_SIZE_MAX ||
        i->height > NV3_TEX_SIZE_MAX || i->depth > NV3_TEX_DEPTH_MAX ||
        !i->levels || i->levels > NV3_TEX_LEVELS ||
        (i->dim != NV3_TEX_3D && i->depth != 1) ||
        (i->dim == NV3_TEX_3D && is_depth(i->format)) ||
        (i->dim == NV3_TEX_CUBE && i->width != i->height)) {
        return false;
    }
    size = i->height > size ? i->height : size;
    size = i->depth > size ? i->depth : size;
    return size >> (i->levels - 1) != 0;
}

static int32_t level_size(unsigned size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

/* Returns true if a wrap mode uses the border colour for texels outside the image. */
static bool has_border(unsigned wrap)
{
    return wrap == NV3_TEX_CLAMP_TO_BORDER || wrap == NV3_TEX_CLAMP ||
           wrap == NV3_TEX_MIRROR_CLAMP_TO_BORDER || wrap == NV3_TEX_MIRROR_CLAMP;
}

/*
 * Returns the index of the texel that a wrap mode selects before the first texel, or
 * after the last texel if @after is true.
 */
static int32_t neighbour(unsigned wrap, int32_t size, bool after)
{
    return (wrap == NV3_TEX_REPEAT) != after ? size - 1 : 0;
}

static uint32_t border_texel(const NV3TexUnit *unit)
{
    const float *c = unit->sampler.border;
    const unsigned shift[4] = { 16, 8, 0, 24 };
    uint32_t texel = 0;

    if (unit->depth) {
        memcpy(&texel, &c[0], sizeof(texel));
        return texel;
    }
    for (unsigned i = 0; i < 4; i++) {
        float v = c[i] > 0 ? c[i] < 1 ? c[i] : 1 : 0;

        texel |= (uint32_t)(v * 255 + 0.5f) << shift[i];
    }
    return texel ^ NV3_TEX_BIAS;
}

static void fill(uint32_t *to, uint32_t texel, size_t count)
{
    while (count--) {
        *to++ = texel;
    }
}

static void pad_slice(const NV3TexUnit *unit, const NV3TexDecoded *level, uint32_t *texel)
{
    const bool cube = unit->image.dim == NV3_TEX_CUBE;
    const unsigned wrap_s = cube ? NV3_TEX_CLAMP_TO_EDGE : unit->sampler.wrap[0];
    const unsigned wrap_t = cube ? NV3_TEX_CLAMP_TO_EDGE : unit->sampler.wrap[1];
    const int32_t w = level->size[0], h = level->size[1];
    const uint32_t border = border_texel(unit);
    const size_t line_bytes = level->pitch * sizeof(*texel);

    for (int32_t y = 0; y < h; y++) {
        uint32_t *line = texel + (size_t)y * level->pitch;

        line[-1] = has_border(wrap_s) ? border : line[neighbour(wrap_s, w, false)];
        line[w] = has_border(wrap_s) ? border : line[neighbour(wrap_s, w, true)];
    }
    for (int after = 0; after < 2; after++) {
        uint32_t *line = texel + (ptrdiff_t)(after ? h : -1) * level->pitch - 1;

        if (has_border(wrap_t)) {
            fill(line, border, level->pitch);
        } else {
            memcpy(line, texel + (ptrdiff_t)neighbour(wrap_t, h, after) * level->pitch -
                   1, line_bytes);
        }
    }
}

/*
 * slices_before() returns the number of border slices before a level's first slice.
 * slices() returns the number of slices or faces of a level in memory.
 */
static unsigned slices_before(const NV3TexImage *image)
{
    return image->dim == NV3_TEX_3D ? 1 : 0;
}

static unsigned slices(const NV3TexImage *image, unsigned level)
{
    return image->dim == NV3_TEX_3D ? level_size(image->depth, level) :
           image->dim == NV3_TEX_CUBE ? 6 : 1;
}

/*
 * Stores lines @first to @end - 1 of a slice as pairs. A pair consists of a texel and the
 * texel below it. Line 0 is the border above the first line of texels. No filter reads
 * below the last line, so the pairs of this line contain the same texel twice.
 */
static void pair_lines(const NV3TexDecoded *level, NV3TexPair *to, const uint32_t *from,
                       int32_t first, int32_t end)
{
    const ptrdiff_t start = (ptrdiff_t)(first - 1) * level->pitch - 1;
    const bool last = end == level->size[1] + 2;
    const size_t count = (size_t)(end - first) * level->pitch;
    const size_t pairs = last ? count - level->pitch : count;

    to += start;
    from += start;
    for (size_t i = 0; i < pairs; i++) {
        to[i] = (NV3TexPair) { from[i], from[i + level->pitch] };
    }
    for (size_t i = pairs; i < count; i++) {
        to[i] = (NV3TexPair) { from[i], from[i] };
    }
}

static int32_t min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/*
 * Fills the next lines (about @texels texels) of a border slice of a 3D level: the slice
 * before the first slice, or the slice after the last slice if @after is true. Returns
 * true if all lines of the border slice have been filled.
 */
static bool pad_some(NV3TexUnit *unit, const NV3TexDecoded *level, bool after,
                     uint32_t texels)
{
    NV3TexProgress *at = &unit->progress;
    const unsigned wrap = unit->sampler.wrap[2];
    const int32_t depth = level->size[2], lines = level->size[1] + 2;
    const int32_t count = min(texels / level->pitch + 1, lines - at->line);
    const size_t size = (size_t)count * level->pitch;
    NV3TexPair *first = level->texel - level->pitch - 1 +
                        (ptrdiff_t)at->line * level->pitch;
    NV3TexPair *to = first + (ptrdiff_t)(after ? depth : -1) * level->slice;

    if (has_border(wrap)) {
        const uint32_t border = border_texel(unit);

        for (size_t i = 0; i < size; i++) {
            to[i] = (NV3TexPair) { border, border };
        }
    } else {
        memcpy(to, first + (ptrdiff_t)neighbour(wrap, depth, after) * level->slice,
               size * sizeof(*to));
    }
    at->line += count;
    return at->line == lines;
}

/*
 * Decodes the next lines (about @texels texels) of the level's current slice. DXT blocks
 * have four lines, so the number of decoded lines is a multiple of four, except at the
 * end of the slice.
 */
static void decode_lines(NV3TexUnit *unit, const NV3TexDecoded *level, uint32_t *texel,
                         uint32_t texels)
{
    NV3TexProgress *at = &unit->progress;
    int32_t count = (texels / level->pitch + 4) & ~3u;

    count = min(count, level->size[1] - at->line);
    nv3_tex_decode(texel, level->pitch, &unit->image, at->level, at->slice, at->line,
                   count);
    at->line += count;
    if (at->line == level->size[1]) {
        pad_slice(unit, level, texel);
        at->pairing = true;
        at->line = 0;
    }
}

/*
 * Stores the pairs of the next lines (about @texels texels) of the current slice. Returns
 * true if all lines of the slice have been stored.
 */
static bool pair_some(NV3TexUnit *unit, const NV3TexDecoded *level, const uint32_t *texel,
                      uint32_t texels)
{
    NV3TexProgress *at = &unit->progress;
    const int32_t lines = level->size[1] + 2;
    int32_t count = min(texels / level->pitch + 1, lines - at->line);

    pair_lines(level, level->texel + (size_t)at->slice * level->slice, texel, at->line,
               at->line + count);
    at->line += count;
    return at->line == lines;
}

/*
 * Proceeds to the next slice. The two border slices of a 3D level are filled after its
 * last slice.
 */
static void next_slice(NV3TexUnit *unit)
{
    NV3TexProgress *at = &unit->progress;

    at->pairing = false;
    at->line = 0;
    if (++at->slice ==
        slices(&unit->image, at->level) + 2 * slices_before(&unit->image)) {
        at->slice = 0;
        at->level++;
    }
}

bool nv3_texunit_decode(NV3TexUnit *unit, uint32_t *texels)
{
    NV3TexProgress *at = &unit->progress;
    uint32_t done = 0;

    while (at->level < unit->image.levels && done < *texels) {
        const NV3TexDecoded *level = &unit->level[at->level];
        uint32_t *texel = unit->decoded + level->pitch + 1;
        const unsigned count = slices(&unit->image, at->level);
        const int32_t before = at->line;

        if (at->slice >= count) {
            const bool ends = pad_some(unit, level, at->slice > count, *texels - done);

            done += (at->line - before) * level->pitch;
            if (ends) {
                next_slice(unit);
            }
        } else if (!at->pairing) {
            decode_lines(unit, level, texel, *texels - done);
            done += ((at->pairing ? level->size[1] : at->line) - before) * level->pitch;
        } else if (pair_some(unit, level, texel, *texels - done)) {
            next_slice(unit);
        } else {
            done += (at->line - before) * level->pitch;
        }
    }
    *texels = done;
    return at->level == unit->image.levels;
}

void nv3_texunit_restart(NV3TexUnit *unit, const uint8_t *base)
{
    unit->image.base = base;
    unit->progress = (NV3TexProgress) { 0 };
}

void nv3_texunit_invalidate(NV3TexUnit *unit)
{
    uint32_t texels;

    nv3_texunit_restart(unit, unit->image.base);
    do {
        texels = UINT32_MAX;
    } while (!nv3_texunit_decode(unit, &texels));
}

/* Returns the fifth root of @a by Newton's method. @a must be between 0 and 1. */
static double fifth_root(double a)
{
    double x = 1;

    for (unsigned i = 0; i < 60; i++) {
        x = (4 * x + a / (x * x * x * x)) / 5;
    }
    return x;
}

/*
 * Fills the table that converts sRGB components (IEC 61966-2-1) to linear values. The
 * results of pow() may differ between hosts, so the function computes x^2.4 as x^2 times
 * the fifth root of x^2, by operations whose results IEEE 754 defines exactly.
 */
static void fill_linear(uint32_t linear[256])
{
    for (unsigned i = 0; i < 256; i++) {
        const double c = i / 255.0, x = (c + 0.055) / 1.055;
        const float value = c <= 0.04045 ? c / 12.92 : x * x * fifth_root(x * x);

        memcpy(&linear[i], &value, sizeof(value));
    }
}

bool nv3_texunit_set_sampler(NV3TexUnit *unit, const NV3TexSampler *sampler)
{
    const NV3TexSampler *old = &unit->sampler;
    bool decode;

    if (!sampler_is_valid(sampler)) {
        return false;
    }
    decode = memcmp(old->wrap, sampler->wrap, sizeof(old->wrap)) ||
             memcmp(old->border, sampler->border, sizeof(old->border));
    unit->sampler = *sampler;
    unit->srgb = sampler->srgb && !unit->depth;
    if (unit->srgb) {
        fill_linear(unit->linear);
    }
    unit->needs_lod = sampler->min_linear != sampler->mag_linear ||
                      (unit->image.levels > 1 && sampler->mip != NV3_TEX_MIP_NONE);
    if (decode) {
        nv3_texunit_invalidate(unit);
    }
    return true;
}

/* Returns the number of texels in all levels, including borders. */
static uint64_t all_texels(const NV3TexImage *image)
{
    uint64_t total = 0;

    for (unsigned l = 0; l < image->levels && l < NV3_TEX_LEVELS; l++) {
        total += (uint64_t)(level_size(image->width, l) + 2) *
                 (level_size(image->height, l) + 2) *
                 (slices(image, l) + 2 * slices_before(image));
    }
    return total;
}

uint64_t nv3_texunit_bytes(const NV3TexImage *image)
{
    const uint64_t slice = (uint64_t)(image->width + 2) * (image->height + 2);

    return (all_texels(image) + 1) * sizeof(NV3TexPair) + slice * sizeof(uint32_t);
}

static bool allocate_levels(NV3TexUnit *unit)
{
    const NV3TexImage *image = &unit->image;
    /*
     * image->levels is at most NV3_TEX_LEVELS, but compilers that analyse only this
     * function emit a warning without this check.
     */
    const unsigned levels = image->levels < NV3_TEX_LEVELS ? image->levels :
                                                             NV3_TEX_LEVELS;
    size_t place[NV3_TEX_LEVELS], total = 0;

    for (unsigned l = 0; l < levels; l++) {
        NV3TexDecoded *level = &unit->level[l];

        level->size[0] = level_size(image->width, l);
        level->size[1] = level_size(image->height, l);
        level->size[2] = level_size(image->depth, l);
        level->pitch = level->size[0] + 2;
        level->slice = level->pitch * (level->size[1] + 2);
        place[l] = total + (size_t)slices_before(image) * level->slice + level->pitch + 1;
        total += (size_t)(slices(image, l) + 2 * slices_before(image)) * level->slice;
    }
    if (total > NV3_TEX_TEXELS_MAX) {
        return false;
    }
    /*
     * One additional pair is allocated, because a bilinear fetch of the last texel also
     * reads the next pair.
     */
    unit->memory = calloc(total + 1, sizeof(*unit->memory));
    unit->decoded = malloc((size_t)unit->level[0].slice * sizeof(*unit->decoded));
    for (unsigned l = 0; unit->memory && l < levels; l++) {
        unit->level[l].texel = unit->memory + place[l];
    }
    return unit->memory && unit->decoded;
}

NV3TexUnit *nv3_texunit_begin(const NV3TexImage *image, const NV3TexSampler *sampler)
{
    NV3TexUnit *unit;

    if (!image_is_valid(image) || !sampler_is_valid(sampler)) {
        return NULL;
    }
    unit = calloc(1, sizeof(*unit));
    if (!unit) {
        return NULL;
    }
    unit->image = *image;
    unit->depth = is_depth(image->format);
    if (!allocate_levels(unit)) {
        nv3_texunit_free(unit);
        return NULL;
    }
    unit->sampler = *sampler;
    nv3_texunit_set_sampler(unit, sampler);
    return unit;
}

NV3TexUnit *nv3_texunit_new(const NV3TexImage *image, const NV3TexSampler *sampler)
{
    NV3TexUnit *unit = nv3_texunit_begin(image, sampler);

    if (unit) {
        nv3_texunit_invalidate(unit);
    }
    return unit;
}

unsigned nv3_texunit_cost(const NV3TexUnit *unit)
{
    return COST_PLAIN + (unit->needs_lod ? COST_LOD : 0) +
           (unit->image.dim != NV3_TEX_2D ? COST_DIM : 0);
}

void nv3_texunit_free(NV3TexUnit *unit)
{
    if (unit) {
        free(unit->memory);
        free(unit->decoded);
        free(unit);
    }
}
