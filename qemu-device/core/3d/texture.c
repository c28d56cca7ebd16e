/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements the texture cache of class 0x17 (texture.h). */
#include <stdlib.h>

#include "3d/texture.h"
#include "raster/tables.h"
#include "chip/cost.h"

/*
 * Number of bytes that are compared, or texels that are decoded, between two checks for
 * the end of the slice.
 */
#define CHUNK_BYTES     (16u << 10)
#define CHUNK_TEXELS    (4u << 10)
/* The cost of decoding a texel. */
#define COST_TEXEL      2
/* Levels of at most 64 x 64 texels are completed in one slice. */
#define LOG2_AT_ONCE    6

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
    c->work.entry = NULL;
}

void nv3_texture_bind(NV3TextureCache *c, uint32_t inst, uint32_t offset,
                      uint32_t format, uint64_t epoch)
{
    /* Only the sizes in TEX_FORMAT (bits 24 to 31) affect the offset of a level. */
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

/*
 * Returns the cache entry of a level. If the level is not cached, returns null and sets
 * *@oldest to the entry to replace.
 */
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

/* Frees least recently used levels until @size more bytes fit in the cache. */
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

/*
 * Initializes entry @e for a level. make_room() may free entries of the current texture,
 * so the function drops the pointers to that texture's levels. Returns false if memory is
 * exhausted.
 */
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

/*
 * Returns a pointer to @len bytes of a level, in VRAM or in a copy in c->scratch. Returns
 * null and sets @fault if an access fails. The guest may write to VRAM at any time, so
 * callers must tolerate changes while they compare or copy.
 */
static const void *fetch(NV3State *s, NV3TextureCache *c, uint32_t offset,
                         size_t len, NV3Fault *fault)
{
    const void *data = nv3_dmaobj_map(s, c->inst, offset, len, false);

    if (data) {
        return data;
    }
    if (!c->scratch) {
        c->scratch = malloc(CHUNK_BYTES);
    }
    if (!c->scratch ||
        !nv3_dmaobj_read(s, c->inst, offset, c->scratch, len, fault)) {
        return NULL;
    }
    return c->scratch;
}

/* Returns the offset of a level. Levels are contiguous, starting with the largest. */
static uint32_t level_offset(const NV3TextureCache *c, unsigned log2)
{
    uint32_t offset = c->offset;

    for (unsigned i = c->format >> 4; i > log2; i--) {
        offset += raw_size(i);
    }
    return offset;
}

/*
 * Finds or creates the entry of a level, and begins to compare the level with memory.
 * Returns false if memory is exhausted.
 */
static bool work_start(NV3TextureCache *c, unsigned log2)
{
    uint32_t offset = level_offset(c, log2);
    NV3TextureEntry *oldest, *e = entry_find(c, offset, log2, &oldest);

    if (!e) {
        e = oldest;
        if (!entry_make(c, e, offset, log2)) {
            return false;
        }
        e->stale = true;
    }
    c->work.entry = e;
    c->work.compared = 0;
    c->work.lines = 0;
    return true;
}

static bool may_stop(const NV3State *s, const NV3TextureEntry *e)
{
    return e->log2 > LOG2_AT_ONCE && nv3_slice_over(s);
}

/*
 * Compares the level in memory with the copy in the cache, and updates changed chunks of
 * the copy. Stops at the end of the level or of the slice. Returns false and sets @fault
 * if an access fails.
 */
static bool work_compare(NV3State *s, NV3TextureCache *c, NV3Fault *fault)
{
    NV3TextureEntry *e = c->work.entry;
    const size_t size = raw_size(e->log2);

    while (c->work.compared < size) {
        const size_t at = c->work.compared;
        const size_t len = size - at < CHUNK_BYTES ? size - at : CHUNK_BYTES;
        uint8_t *raw = (uint8_t *)e->raw + at;
        const void *data = fetch(s, c, e->offset + at, len, fault);

        if (!data) {
            return false;
        }
        nv3_step(BYTE, len);
        nv3_account(s, NV3_COST_DMA + nv3_cost_bytes(len));
        if (e->stale || memcmp(raw, data, len)) {
            e->stale = true;
            nv3_account(s, nv3_cost_bytes(len));
            memcpy(raw, data, len);
        }
        c->work.compared += len;
        if (may_stop(s, e)) {
            break;
        }
    }
    return true;
}

/*
 * Decodes the level if it has changed. Returns true if the level is complete, and false
 * if the slice is over.
 */
static bool work_decode(NV3State *s, NV3TextureCache *c)
{
    NV3TextureEntry *e = c->work.entry;
    const uint32_t lines = 1u << e->log2;
    const uint32_t chunk = CHUNK_TEXELS >> e->log2 ? CHUNK_TEXELS >> e->log2 : 1;

    while (e->stale && c->work.lines < lines) {
        const uint32_t from = c->work.lines;
        const uint32_t to = lines - from < chunk ? lines : from + chunk;

        if (may_stop(s, e)) {
            return false;
        }
        nv3_step(TEXEL, (to - from) << e->log2);
        nv3_account(s, ((to - from) << e->log2) * COST_TEXEL);
        nv3_texture_pairs_lines(e->pairs, e->raw, e->log2, from, to);
        c->work.lines = to;
    }
    e->stale = false;
    return true;
}

const uint32_t *nv3_texture_level(NV3State *s, NV3TextureCache *c,
                                  unsigned log2, NV3Fault *fault)
{
    NV3TextureEntry *e;

    if (c->level[log2]) {
        return c->level[log2];
    }
    *fault = (NV3Fault) { 0 };
    e = c->work.entry;
    if (!e || e->log2 != log2) {
        c->work.entry = NULL;
        if (!work_start(c, log2)) {
            return NULL;
        }
        e = c->work.entry;
    }
    if (!work_compare(s, c, fault)) {
        c->work.entry = NULL;
        return NULL;
    }
    if (c->work.compared < raw_size(log2) || !work_decode(s, c)) {
        return NULL;
    }
    c->work.entry = NULL;
    e->used = ++c->clock;
    c->level[log2] = e->pairs;
    return e->pairs;
}
