/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texture cache of class 0x17 (d3d_texture.h).
 */
#include <stdlib.h>

#include "nv3_int.h"
#include "d3d_texture.h"

/* Bytes of textures that a slice may look at, and make ready. */
#define SLICE_COMPARE   (1u << 20)
#define SLICE_DECODE    (256u << 10)

static size_t raw_size(unsigned log2)
{
    return sizeof(uint16_t) << (2 * log2);
}

static size_t entry_size(unsigned log2)
{
    return raw_size(log2) + nv3_texture_pairs_size(log2);
}

static void entry_free(NV3TextureCache *c, NV3TextureEntry *e)
{
    if (e->raw) {
        c->bytes -= entry_size(e->log2);
    }
    free(e->raw);
    free(e->pairs);
    *e = (NV3TextureEntry) { 0 };
}

void nv3_texture_free(NV3TextureCache *c)
{
    for (unsigned i = 0; i < NV3_TEXTURE_ENTRIES; i++) {
        entry_free(c, &c->entry[i]);
    }
    free(c->scratch);
    *c = (NV3TextureCache) { 0 };
}

void nv3_texture_forget(NV3TextureCache *c)
{
    memset(c->level, 0, sizeof(c->level));
}

void nv3_texture_bind(NV3TextureCache *c, uint32_t inst, uint32_t offset,
                      uint32_t format, uint64_t epoch)
{
    /* Of the format, only the sizes decide where a level is. */
    format >>= 24;
    if (c->inst != inst || c->offset != offset || c->format != format ||
        c->epoch != epoch) {
        c->inst = inst;
        c->offset = offset;
        c->format = format;
        c->epoch = epoch;
        nv3_texture_forget(c);
    }
}

/* Null when there is no such entry; *@oldest is then one to replace. */
static NV3TextureEntry *entry_find(NV3TextureCache *c, uint32_t offset,
                                   unsigned log2, NV3TextureEntry **oldest)
{
    *oldest = &c->entry[0];
    for (unsigned i = 0; i < NV3_TEXTURE_ENTRIES; i++) {
        NV3TextureEntry *e = &c->entry[i];

        if (e->raw && e->inst == c->inst && e->offset == offset &&
            e->log2 == log2) {
            return e;
        }
        if (e->used < (*oldest)->used) {
            *oldest = e;
        }
    }
    return NULL;
}

/* Makes room for another level by dropping those not used for longest. */
static void make_room(NV3TextureCache *c, size_t size)
{
    while (c->bytes && c->bytes + size > NV3_TEXTURE_BYTES) {
        NV3TextureEntry *oldest = NULL;

        for (unsigned i = 0; i < NV3_TEXTURE_ENTRIES; i++) {
            NV3TextureEntry *e = &c->entry[i];

            if (e->raw && (!oldest || e->used < oldest->used)) {
                oldest = e;
            }
        }
        entry_free(c, oldest);
    }
}

/* Levels in use for this draw must stay, so what they point to is forgotten. */
static bool entry_make(NV3TextureCache *c, NV3TextureEntry *e,
                       uint32_t offset, unsigned log2)
{
    nv3_texture_forget(c);
    make_room(c, entry_size(log2));
    entry_free(c, e);
    e->raw = malloc(raw_size(log2));
    e->pairs = malloc(nv3_texture_pairs_size(log2));
    if (!e->raw || !e->pairs) {
        free(e->raw);
        free(e->pairs);
        *e = (NV3TextureEntry) { 0 };
        return false;
    }
    e->inst = c->inst;
    e->offset = offset;
    e->log2 = log2;
    c->bytes += entry_size(log2);
    return true;
}

static uint16_t *scratch(NV3TextureCache *c, size_t size)
{
    if (c->scratch_size < size) {
        free(c->scratch);
        c->scratch = malloc(size);
        c->scratch_size = c->scratch ? size : 0;
    }
    return c->scratch;
}

/*
 * The bytes of a level, in place or copied. In place they are VRAM, which the CPU
 * may write at any time: whoever compares and copies them must not care.
 */
static const void *fetch(NV3State *s, NV3TextureCache *c, uint32_t offset,
                         size_t size, NV3Fault *fault)
{
    const void *data = nv3_dmaobj_map(s, c->inst, offset, size);
    uint16_t *buf;

    if (data) {
        return data;
    }
    buf = scratch(c, size);
    if (!buf || !nv3_dmaobj_read(s, c->inst, offset, buf, size, fault)) {
        return NULL;
    }
    return buf;
}

/* Levels follow one another from the largest down, without gaps. */
static uint32_t level_offset(const NV3TextureCache *c, unsigned log2)
{
    uint32_t offset = c->offset;

    for (unsigned i = c->format >> 4; i > log2; i--) {
        offset += raw_size(i);
    }
    return offset;
}

const uint32_t *nv3_texture_level(NV3State *s, NV3TextureCache *c,
                                  unsigned log2, NV3Fault *fault)
{
    uint32_t offset;
    NV3TextureEntry *e, *oldest;
    const void *data;
    bool fresh = false;

    if (c->level[log2]) {
        return c->level[log2];
    }
    *fault = (NV3Fault) { 0 };
    offset = level_offset(c, log2);
    data = fetch(s, c, offset, raw_size(log2), fault);
    if (!data) {
        return NULL;
    }
    e = entry_find(c, offset, log2, &oldest);
    if (!e) {
        e = oldest;
        fresh = true;
        if (!entry_make(c, e, offset, log2)) {
            return NULL;
        }
    }
    nv3_charge(s, raw_size(log2), SLICE_COMPARE);
    if (fresh || memcmp(e->raw, data, raw_size(log2))) {
        nv3_charge(s, raw_size(log2), SLICE_DECODE);
        memcpy(e->raw, data, raw_size(log2));
        nv3_texture_pairs(e->pairs, e->raw, log2);
    }
    e->used = ++c->clock;
    c->level[log2] = e->pairs;
    return e->pairs;
}
