/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts the registers of a texture unit to an image and a sampler. The registers are
 * those of a GeForce 6. Caches decoded textures. As on real chips, changes of texture
 * memory take effect after a write to TEX_CACHE_CTL or TEX_CACHE_SIZE. A decoded texture
 * belongs to the context that has decoded it.
 *
 * Texels are stored line by line (LINEAR must be set). TEX_SIZE1 holds the pitch of level
 * 0. The lines of smaller levels are padded to a multiple of LINE_ALIGN bytes. If the
 * pitch is 0, the lines of level 0 are padded, too. There are no gaps between levels, or
 * between the slices of a 3D level. Each face of a cube map contains all levels of the
 * face, and is padded to a multiple of FACE_ALIGN bytes.
 *
 * The fields are documented in envytools, rnndb/graph/nv30-40_3d.xml. The fixed-point
 * formats of levels of detail are from Mesa,
 * src/gallium/drivers/nouveau/nv30/nv40_texture.c.
 */
#include <stdlib.h>
#include <string.h>

#include "programs/programs_int.h"

/*
 * Images whose memory is not contiguous are copied in pieces of COPY_PIECE bytes. The
 * cost of copying a piece is COPY_COST.
 */
#define COPY_PIECE      0x4000u
#define COPY_COST       8192
/* Cost of decoding a texel. */
#define TEXEL_COST      2

/*
 * Maximum size of an image in bytes: twice the size of NV3_TEX_TEXELS_MAX texels, because
 * the pitch may exceed the width.
 */
#define IMAGE_MAX       (2ull * NV3_TEX_TEXELS_MAX * 4)
#define LINE_ALIGN      64u
#define FACE_ALIGN      128u

#define FORMAT_CUBIC    (1u << 2)
#define FORMAT_DIMS(w)  ((w) >> 4 & 15)
#define FORMAT_TYPE(w)  ((w) >> 8 & 31)
#define FORMAT_LINEAR   (1u << 13)
#define FORMAT_LEVELS(w) ((w) >> 16 & 15)
#define FORMAT_CUBE_BASE(w) ((w) >> 20 & 15)
#define ENABLE_ON       (1u << 31)

typedef struct Format {
    bool exists;
    uint8_t format;         /* NV3TexFormat */
    uint8_t bytes;          /* size of a texel or a compressed block */
    bool blocks, depth;
} Format;

/* Formats 0x1d to 0x1f exist only in this class, not on real chips. */
static const Format formats[32] = {
    [0x01] = { .exists = true, .format = NV3_TEX_L8, .bytes = 1 },
    [0x02] = { .exists = true, .format = NV3_TEX_A1R5G5B5, .bytes = 2 },
    [0x03] = { .exists = true, .format = NV3_TEX_A4R4G4B4, .bytes = 2 },
    [0x04] = { .exists = true, .format = NV3_TEX_R5G6B5, .bytes = 2 },
    [0x05] = { .exists = true, .format = NV3_TEX_A8R8G8B8, .bytes = 4 },
    [0x06] = { .exists = true, .format = NV3_TEX_DXT1, .bytes = 8, .blocks = true },
    [0x07] = { .exists = true, .format = NV3_TEX_DXT3, .bytes = 16, .blocks = true },
    [0x08] = { .exists = true, .format = NV3_TEX_DXT5, .bytes = 16, .blocks = true },
    [0x0b] = { .exists = true, .format = NV3_TEX_A8L8, .bytes = 2 },
    [0x10] = { .exists = true, .format = NV3_TEX_Z24S8, .bytes = 4, .depth = true },
    [0x12] = { .exists = true, .format = NV3_TEX_Z16, .bytes = 2, .depth = true },
    [0x1d] = { .exists = true, .format = NV3_TEX_A8, .bytes = 1 },
    [0x1e] = { .exists = true, .format = NV3_TEX_I8, .bytes = 1 },
    [0x1f] = { .exists = true, .format = NV3_TEX_X8R8G8B8, .bytes = 4 },
};

static uint32_t align(uint32_t x, uint32_t to)
{
    return (x + to - 1) & ~(to - 1);
}

/*
 * Computes the location of each level in memory. Returns the size of the image in bytes,
 * or 0 if it exceeds the maximum.
 */
static uint64_t lay_out(NV3TexImage *image, const Format *f, uint32_t pitch)
{
    const unsigned side = f->blocks ? 4 : 1;
    uint64_t at = 0, faces = image->dim == NV3_TEX_CUBE ? 6 : 1;

    for (unsigned i = 0; i < image->levels; i++) {
        uint32_t w = image->width >> i ? image->width >> i : 1;
        uint32_t h = image->height >> i ? image->height >> i : 1;
        uint32_t d = image->depth >> i ? image->depth >> i : 1;
        uint32_t line = (w + side - 1) / side * f->bytes;
        NV3TexLevel *level = &image->level[i];

        level->offset = at;
        level->pitch = i || !pitch ? align(line, LINE_ALIGN) : pitch;
        level->slice = level->pitch * ((h + side - 1) / side);
        if (level->pitch < line) {
            return 0;
        }
        at += (uint64_t)level->slice * d;
        if (at >> 31) {
            return 0;
        }
    }
    if (faces > 1) {
        at = align(at, FACE_ALIGN);
        for (unsigned i = 0; i < image->levels; i++) {
            image->level[i].slice = at;
        }
    }
    return at * faces >> 31 ? 0 : at * faces;
}

/*
 * Removes the levels of a cube map that precede level FORMAT_CUBE_BASE(@format). Returns
 * false if this level does not exist. Drivers cannot skip levels of a cube map with a
 * larger TEX_OFFSET, because the levels of each face are contiguous in memory.
 */
static bool skip_levels(NV3TexImage *image, uint32_t format)
{
    const unsigned first = FORMAT_CUBE_BASE(format);

    if (image->dim != NV3_TEX_CUBE || !first) {
        return true;
    }
    if (first >= image->levels || !(image->width >> first) || !(image->height >> first)) {
        return false;
    }
    image->levels -= first;
    image->width >>= first;
    image->height >>= first;
    memmove(image->level, image->level + first, image->levels * sizeof(image->level[0]));
    return true;
}

static bool get_image(const uint32_t *word, NV3TexImage *image)
{
    const uint32_t format = word[NV3_PM_TEX_FORMAT], size1 = word[NV3_PM_TEX_WORDS];
    const Format *f = &formats[FORMAT_TYPE(format)];
    unsigned dims = FORMAT_DIMS(format);

    if (!f->exists || !(format & FORMAT_LINEAR) || dims < 1 || dims > 3) {
        return false;
    }
    memset(image, 0, sizeof(*image));
    image->format = f->format;
    image->dim = format & FORMAT_CUBIC ? NV3_TEX_CUBE :
                 dims == 3 ? NV3_TEX_3D : NV3_TEX_2D;
    image->levels = FORMAT_LEVELS(format) ? FORMAT_LEVELS(format) : 1;
    image->width = word[NV3_PM_TEX_NPOT_SIZE] >> 16;
    image->height = dims == 1 ? 1 : word[NV3_PM_TEX_NPOT_SIZE] & 0xffff;
    image->depth = dims == 3 ? size1 >> 20 : 1;
    if (!image->width || !image->height || !image->depth ||
        image->width > NV3_TEX_SIZE_MAX || image->height > NV3_TEX_SIZE_MAX ||
        image->depth > NV3_TEX_DEPTH_MAX || image->levels > NV3_TEX_LEVELS) {
        return false;
    }
    image->size = lay_out(image, f, size1 & 0xffff);
    return image->size != 0 && image->size <= IMAGE_MAX && skip_levels(image, format);
}

/*
 * Bits of TEX_WRAP that enable the conversion from sRGB for red, green and blue (Mesa,
 * src/gallium/drivers/nouveau/nv30/nv30_format.c). The model supports only equal values
 * of these bits.
 */
#define WRAP_SRGB       (7u << 20)

/* Converts a wrap mode. @value: number of the mode on NV30, where numbers start at 1. */
static bool get_wrap(uint8_t *wrap, uint32_t value)
{
    *wrap = value - 1;
    return value >= 1 && value <= NV3_TEX_WRAPS;
}

static bool get_sampler(const uint32_t *word, NV3TexSampler *s)
{
    static const uint8_t compare[8] = {
        NV3_PIXOPS_NEVER, NV3_PIXOPS_GREATER, NV3_PIXOPS_EQUAL, NV3_PIXOPS_GEQUAL,
        NV3_PIXOPS_LESS, NV3_PIXOPS_NOTEQUAL, NV3_PIXOPS_LEQUAL, NV3_PIXOPS_ALWAYS,
    };
    const uint32_t wrap = word[NV3_PM_TEX_WRAP], filter = word[NV3_PM_TEX_FILTER];
    const uint32_t enable = word[NV3_PM_TEX_ENABLE];
    const uint32_t border = word[NV3_PM_TEX_BORDER_COLOR];
    const unsigned min = filter >> 16 & 15, mag = filter >> 24 & 15;
    const int bias = (int32_t)(filter << 19) >> 19;

    memset(s, 0, sizeof(*s));
    if (!get_wrap(&s->wrap[0], wrap & 15) || !get_wrap(&s->wrap[1], wrap >> 8 & 15) ||
        !get_wrap(&s->wrap[2], wrap >> 16 & 15) || min < 1 || min > 6 || mag < 1 ||
        mag > 2 || ((wrap & WRAP_SRGB) && (wrap & WRAP_SRGB) != WRAP_SRGB)) {
        return false;
    }
    s->srgb = wrap & WRAP_SRGB;
    s->min_linear = !(min & 1);
    s->mag_linear = mag == 2;
    s->mip = min <= 2 ? NV3_TEX_MIP_NONE :
             min <= 4 ? NV3_TEX_MIP_NEAREST : NV3_TEX_MIP_LINEAR;
    s->lod_bias = bias / 256.0f;
    s->lod_max = (enable >> 7 & 0xfff) / 256.0f;
    s->lod_min = (enable >> 19 & 0xfff) / 256.0f;
    s->border[0] = (border >> 16 & 255) / 255.0f;
    s->border[1] = (border >> 8 & 255) / 255.0f;
    s->border[2] = (border & 255) / 255.0f;
    s->border[3] = (border >> 24) / 255.0f;
    s->compare_func = compare[wrap >> 28 & 7];
    s->compare = formats[FORMAT_TYPE(word[NV3_PM_TEX_FORMAT])].depth && (wrap >> 28 & 7);
    return true;
}

static void drop(ProgramsTexture *t)
{
    nv3_texunit_free(t->unit);
    free(t->copy);
    memset(t, 0, sizeof(*t));
}

void nv3_programs_drop_textures(NV3Programs *p)
{
    for (unsigned i = 0; i < PROGRAMS_TEXTURES; i++) {
        drop(&p->texture[i]);
    }
}

void nv3_programs_drop_owned(NV3Programs *p)
{
    for (unsigned i = 0; i < PROGRAMS_TEXTURES; i++) {
        if (p->texture[i].owner == p->owner) {
            drop(&p->texture[i]);
        }
    }
}

/* Frees the copy of the image's memory. */
static void free_copy(ProgramsTexture *t)
{
    if (t->copy) {
        free(t->copy);
        t->copy = NULL;
        t->bytes -= t->size;
    }
}

/*
 * Marks a texture as stale. Keeps t->unit allocated, because a texture that is also a
 * render target is usually decoded again soon.
 */
static void forget(ProgramsTexture *t)
{
    free_copy(t);
    t->decoded = false;
    t->stale = true;
}

void nv3_programs_forget_texture_range(NV3Programs *p, uint64_t offset, uint64_t size)
{
    for (unsigned i = 0; i < PROGRAMS_TEXTURES; i++) {
        ProgramsTexture *t = &p->texture[i];
        const uint64_t first = t->word[NV3_PM_TEX_OFFSET];

        if (t->unit && t->owner == p->owner && first < offset + size &&
            offset < first + t->size) {
            forget(t);
        }
    }
}

void nv3_programs_forget_undecoded(NV3Programs *p)
{
    for (unsigned i = 0; i < PROGRAMS_TEXTURES; i++) {
        ProgramsTexture *t = &p->texture[i];

        if (t->unit && t->owner == p->owner && !t->decoded) {
            forget(t);
        }
    }
}

/*
 * Returns the least recently used texture that the current draw does not use, or null if
 * there is none.
 */
static ProgramsTexture *oldest_texture(NV3Programs *p)
{
    ProgramsTexture *oldest = NULL;

    for (unsigned i = 0; i < PROGRAMS_TEXTURES; i++) {
        ProgramsTexture *t = &p->texture[i];

        if (t->unit && t->used <= p->use_before && (!oldest || t->used < oldest->used)) {
            oldest = t;
        }
    }
    return oldest;
}

static ProgramsTexture *free_texture(NV3Programs *p)
{
    for (unsigned i = 0; i < PROGRAMS_TEXTURES; i++) {
        if (!p->texture[i].unit) {
            return &p->texture[i];
        }
    }
    return NULL;
}

uint64_t nv3_programs_texture_bytes(const NV3Programs *p)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < PROGRAMS_TEXTURES; i++) {
        total += p->texture[i].bytes;
    }
    return total;
}

/*
 * Drops least recently used textures until a texture of @bytes bytes fits into the cache.
 * Sets *@entry to a free cache entry.
 */
static NV3ProgramsResult make_room(NV3Programs *p, uint64_t bytes,
                                   ProgramsTexture **entry)
{
    uint64_t total = nv3_programs_texture_bytes(p) + bytes;

    while (*entry = free_texture(p), !*entry || total > p->limits.cached) {
        ProgramsTexture *oldest = oldest_texture(p);
        NV3ProgramsResult result;

        if (!oldest) {
            break;
        }
        /* Deferred draws may use the texture. */
        result = nv3_programs_draw(p, true);
        if (result) {
            return result;
        }
        total -= oldest->bytes;
        drop(oldest);
    }
    return *entry && total <= p->limits.draw ? NV3_PROGRAMS_OK : NV3_PROGRAMS_BAD_DATA;
}

/*
 * If the memory of the image is contiguous, sets image->base to this memory, otherwise to
 * a new buffer for a copy. Returns false if host memory is exhausted.
 */
static bool get_memory(NV3Programs *p, ProgramsTexture *t, NV3TexImage *image,
                       uint32_t offset)
{
    t->size = image->size;
    image->base = nv3_programs_map(p, offset, image->size, false);
    if (image->base) {
        t->copied = t->size;
        return true;
    }
    t->copy = malloc(image->size);
    t->bytes += image->size;
    image->base = t->copy;
    return t->copy;
}

/*
 * Copies the texture's image from guest memory to t->copy, until the copy is complete or
 * the slice is over.
 */
static NV3ProgramsResult copy(NV3Programs *p, ProgramsTexture *t)
{
    const uint32_t offset = t->word[NV3_PM_TEX_OFFSET];

    if (t->copied < t->size && t->size > (1ull << 32) - offset) {
        drop(t);
        return programs_fault(p, offset);
    }
    while (t->copied < t->size) {
        uint32_t len = t->size - t->copied;

        len = len < COPY_PIECE ? len : COPY_PIECE;
        if (p->left <= 0) {
            return NV3_PROGRAMS_AGAIN;
        }
        if (!p->memory.read(p->memory.opaque, offset + t->copied, t->copy + t->copied,
                            len)) {
            drop(t);
            return programs_fault(p, offset);
        }
        t->copied += len;
        p->texels += len / 4;
        p->left -= COPY_COST;
    }
    return NV3_PROGRAMS_OK;
}

/* Copies and decodes the texture. Returns NV3_PROGRAMS_AGAIN when the slice is over. */
static NV3ProgramsResult fetch(NV3Programs *p, ProgramsTexture *t)
{
    NV3ProgramsResult result = copy(p, t);

    if (result) {
        return result;
    }
    while (!t->decoded) {
        uint32_t texels;

        if (p->left <= 0) {
            return NV3_PROGRAMS_AGAIN;
        }
        texels = p->left / TEXEL_COST + 1 < UINT32_MAX ? p->left / TEXEL_COST + 1 :
                                                         UINT32_MAX;
        t->decoded = nv3_texunit_decode(t->unit, &texels);
        p->texels += texels;
        p->left -= (int64_t)texels * TEXEL_COST;
    }
    free_copy(t);
    return NV3_PROGRAMS_OK;
}

/*
 * Returns the cached texture with the key @word, or null if there is none. Prepares a
 * stale texture for decoding. If the memory of a stale texture is not contiguous, drops
 * the texture and returns null.
 */
static ProgramsTexture *find(NV3Programs *p, const uint32_t *word)
{
    const uint32_t offset = word[NV3_PM_TEX_OFFSET];
    ProgramsTexture *t = NULL;
    const uint8_t *base;

    for (unsigned i = 0; i < PROGRAMS_TEXTURES && !t; i++) {
        ProgramsTexture *found = &p->texture[i];

        if (found->unit && found->owner == p->owner &&
            !memcmp(found->word, word, sizeof(found->word))) {
            t = found;
        }
    }
    if (!t || !t->stale) {
        return t;
    }
    base = nv3_programs_map(p, offset, t->size, false);
    if (!base) {
        drop(t);
        return NULL;
    }
    nv3_texunit_restart(t->unit, base);
    t->copied = t->size;
    t->stale = false;
    return t;
}

NV3ProgramsResult nv3_programs_texture(NV3Programs *p, unsigned words, unsigned size1,
                                       const NV3TexUnit **unit)
{
    uint32_t word[NV3_PM_TEX_WORDS + 1];
    NV3ProgramsResult result;
    NV3TexSampler sampler;
    ProgramsTexture *t;
    NV3TexImage image;

    *unit = NULL;
    memcpy(word, &p->context.method[words / 4], NV3_PM_TEX_WORDS * 4);
    word[NV3_PM_TEX_WORDS] = programs_word(p, size1);
    if (!(word[NV3_PM_TEX_ENABLE] & ENABLE_ON)) {
        return NV3_PROGRAMS_OK;
    }
    t = find(p, word);
    if (!t) {
        if (!get_image(word, &image) || !get_sampler(word, &sampler)) {
            return NV3_PROGRAMS_BAD_DATA;
        }
        result = make_room(p, nv3_texunit_bytes(&image) + image.size, &t);
        if (result) {
            return result;
        }
        t->bytes = nv3_texunit_bytes(&image);
        if (get_memory(p, t, &image, word[NV3_PM_TEX_OFFSET])) {
            t->unit = nv3_texunit_begin(&image, &sampler);
        }
        if (!t->unit) {
            drop(t);
            return NV3_PROGRAMS_BAD_DATA;
        }
        memcpy(t->word, word, sizeof(word));
        t->owner = p->owner;
    }
    t->used = ++p->use;
    *unit = t->unit;
    return t->decoded ? NV3_PROGRAMS_OK : fetch(p, t);
}
