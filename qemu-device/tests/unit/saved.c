/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

static size_t block_size(const NV3StateBlock *b)
{
    size_t size = 1;

    for (unsigned i = 0; i < b->fields; i++) {
        if (b->field[i].kind != NV3_STATE_NOT_SAVED) {
            size += b->field[i].size;
        }
    }
    return size;
}

size_t saved_block(unsigned index)
{
    size_t size = 0;

    for (unsigned i = 0; i < index; i++) {
        size += block_size(nv3_state_blocks[i]);
    }
    return size;
}

size_t saved_size(void)
{
    return saved_block(nv3_state_block_count);
}

static NV3Image *new_image(NV3State *s)
{
    NV3Image *image = nv3_image_new(s);

    if (!image) {
        abort();
    }
    return image;
}

static void take_block(const NV3Image *image, const NV3StateBlock *b,
                       uint8_t *p)
{
    for (unsigned i = 0; i < b->fields; i++) {
        const NV3StateField *f = &b->field[i];

        if (f->kind != NV3_STATE_NOT_SAVED) {
            memcpy(p, (const char *)image + f->offset, f->size);
            p += f->size;
        }
    }
}

void saved_take(NV3State *s, uint8_t *buf)
{
    NV3Image *image = new_image(s);

    nv3_image_save(image, s);
    memset(buf, 0, saved_size());
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];
        uint8_t *p = buf + saved_block(i);

        if (!b->needed || b->needed(image)) {
            *p = 1;
            take_block(image, b, p + 1);
        }
    }
    nv3_image_free(image);
}

/* Every byte other than 0 represents true, as in QEMU's VMState. */
static void put_bools(void *to, const uint8_t *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ((bool *)to)[i] = p[i];
    }
}

static void put_block(NV3Image *image, const NV3StateBlock *b,
                      const uint8_t *p)
{
    for (unsigned i = 0; i < b->fields; i++) {
        const NV3StateField *f = &b->field[i];
        void *to = (char *)image + f->offset;

        if (f->kind == NV3_STATE_NOT_SAVED) {
            continue;
        }
        if (f->kind == NV3_STATE_BOOL) {
            put_bools(to, p, f->size);
        } else {
            memcpy(to, p, f->size);
        }
        p += f->size;
    }
}

bool saved_put(NV3State *s, const uint8_t *buf, NV3LoadError *error)
{
    NV3Image *image = new_image(s);
    bool ok;

    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const uint8_t *p = buf + saved_block(i);

        if (*p) {
            put_block(image, nv3_state_blocks[i], p + 1);
        }
    }
    ok = nv3_image_load(s, image, error);
    nv3_image_free(image);
    return ok;
}
