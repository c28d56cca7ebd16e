/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texture cache of class 0x17. The cache contains levels of textures, in the decoded
 * format that the rasterizer reads.
 *
 * Coherence. The cache compares a level with memory at its first use after a write to
 * TEX_OFFSET or TEX_FORMAT, and at its first use in a new epoch (see NV3Pgraph.epoch). If
 * the memory has changed, the cache decodes the level again. If the CPU or the chip
 * changes a texture, the change therefore takes effect at the next write to TEX_OFFSET or
 * TEX_FORMAT at the latest, and sooner if a new epoch starts.
 */
#ifndef NV3_3D_TEXTURE_H
#define NV3_3D_TEXTURE_H

#include "graph/dmaobj.h"
#include "raster/raster.h"

#define NV3_TEXTURE_ENTRIES     64
#define NV3_TEXTURE_LEVELS      12
/* Maximum size of the cache in bytes. A level of 2048 x 2048 texels takes 24 MiB. */
#define NV3_TEXTURE_BYTES       (64u << 20)

typedef struct NV3TextureEntry {
    uint32_t inst;          /* DMA object */
    uint32_t offset;        /* offset of the level within the object */
    uint8_t log2;
    uint16_t *raw;          /* null if the entry is free */
    uint32_t *pairs;
    uint64_t used;          /* value of NV3TextureCache.clock at the last use */
    bool stale;             /* @pairs must be decoded from @raw */
} NV3TextureEntry;

typedef struct NV3TextureCache {
    NV3TextureEntry entry[NV3_TEXTURE_ENTRIES];
    size_t bytes;
    uint64_t clock;
    uint16_t *scratch;      /* copy of texels that are not contiguous in VRAM */

    /*
     * The current texture. @level holds pointers to those of its levels that have been
     * checked.
     */
    uint32_t inst, offset, format;
    uint64_t epoch;
    const uint32_t *level[NV3_TEXTURE_LEVELS];

    /* Progress of the check of a level that is too large for one slice. */
    struct {
        NV3TextureEntry *entry;     /* null if no check is in progress */
        size_t compared;            /* number of compared bytes */
        uint32_t lines;             /* number of decoded lines */
    } work;
} NV3TextureCache;

void nv3_texture_free(NV3TextureCache *c);

/*
 * Drops the pointers to the levels of the current texture, so that the next use of a
 * level checks it again. Must be called after a write to TEX_OFFSET or TEX_FORMAT.
 */
void nv3_texture_forget(NV3TextureCache *c);

/* Selects the texture for nv3_texture_level(). */
void nv3_texture_bind(NV3TextureCache *c, uint32_t inst, uint32_t offset,
                      uint32_t format, uint64_t epoch);

/*
 * Returns the decoded level with a width and height of 2^@log2 texels. Returns null in
 * two cases. If nv3_texture_pending() is true, the slice is over, and the next slice must
 * call this function again. Otherwise the level cannot be read, and @fault contains the
 * reason: 0 if the host's memory is exhausted.
 */
const uint32_t *nv3_texture_level(NV3State *s, NV3TextureCache *c,
                                  unsigned log2, NV3Fault *fault);

static inline bool nv3_texture_pending(const NV3TextureCache *c)
{
    return c->work.entry;
}

/*
 * Returns the decoded level, like nv3_texture_level(). Returns null if the level has not
 * been checked yet.
 */
static inline const uint32_t *nv3_texture_ready(const NV3TextureCache *c, unsigned log2)
{
    return c->level[log2];
}

#endif
