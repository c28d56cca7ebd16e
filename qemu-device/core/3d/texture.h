/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache of the textures that class 0x17 has read, decoded for the rasterizer.
 *
 * Coherence. A level is checked against memory, word for word, the first time that it is
 * used after a write to TEX_OFFSET or TEX_FORMAT or in a new epoch (see NV3Pgraph.epoch).
 * Only changed lines are decoded again. Therefore a write to a texture by the CPU or
 * the chip takes effect at the next TEX_OFFSET at the latest. It takes effect earlier
 * if software has observed the completion of earlier methods.
 */
#ifndef NV3_3D_TEXTURE_H
#define NV3_3D_TEXTURE_H

#include "graph/dmaobj.h"
#include "raster/raster.h"

#define NV3_TEXTURE_ENTRIES     64
#define NV3_TEXTURE_LEVELS      12
/* The limit of the cache, in bytes. One level of 2048 x 2048 takes 24 MiB. */
#define NV3_TEXTURE_BYTES       (64u << 20)

typedef struct NV3TextureEntry {
    uint32_t inst;          /* DMA object */
    uint32_t offset;        /* offset of the level within the object */
    uint8_t log2;
    uint16_t *raw;          /* null if the entry is free */
    uint32_t *pairs;
    uint64_t used;          /* time of the last use */
    bool stale;             /* @pairs are older than @raw */
} NV3TextureEntry;

typedef struct NV3TextureCache {
    NV3TextureEntry entry[NV3_TEXTURE_ENTRIES];
    size_t bytes;
    uint64_t clock;
    uint16_t *scratch;      /* copy of texture parts that can't be read in place */

    /* The current texture, and its levels that have been checked. */
    uint32_t inst, offset, format;
    uint64_t epoch;
    const uint32_t *level[NV3_TEXTURE_LEVELS];

    /* Progress of a large level that takes more than a slice. */
    struct {
        NV3TextureEntry *entry;     /* null if there is none */
        size_t compared;            /* bytes */
        uint32_t lines;             /* decoded */
    } work;
} NV3TextureCache;

void nv3_texture_free(NV3TextureCache *c);

/*
 * Must be called after a write to TEX_OFFSET or TEX_FORMAT. The levels are checked
 * again.
 */
void nv3_texture_forget(NV3TextureCache *c);

/* Selects the texture for nv3_texture_level(). */
void nv3_texture_bind(NV3TextureCache *c, uint32_t inst, uint32_t offset,
                      uint32_t format, uint64_t epoch);

/*
 * Returns the level of 2^@log2 texels squared. Returns null, with @fault set, if it
 * cannot be read (the reason is zero if the host's memory is exhausted). Returns null,
 * and nv3_texture_pending() is true, if the slice ends before the level is ready. The
 * next slice must call it again.
 */
const uint32_t *nv3_texture_level(NV3State *s, NV3TextureCache *c,
                                  unsigned log2, NV3Fault *fault);

static inline bool nv3_texture_pending(const NV3TextureCache *c)
{
    return c->work.entry;
}

/*
 * Returns the same if this requires no access to memory and no change of the cache,
 * otherwise null.
 */
static inline const uint32_t *nv3_texture_ready(const NV3TextureCache *c, unsigned log2)
{
    return c->level[log2];
}

#endif
