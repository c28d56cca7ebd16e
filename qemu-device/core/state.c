/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves a chip to an image, and loads a chip from an image (nv3_state.h). This file
 * checks an image against the tables of all blocks, and copies values between image and
 * chip.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"
#include "bus/bus.h"
#include "chip/state_table.h"
#include "display/display.h"
#include "fifo/pfifo.h"
#include "graph/pgraph.h"
#include "programs/class.h"

/*
 * The configuration is first. Each other block follows the blocks on which it depends.
 * PMC is last, because its loaded() function sets the level of the interrupt line.
 */
const NV3StateBlock *const nv3_state_blocks[] = {
    &nv3_chip_state,
    &nv3_pbus_state,
    &nv3_pfb_state,
    &nv3_pme_state,
    &nv3_prm_state,
    &nv3_pextdev_state,
    &nv3_pvirt_state,
    &nv3_pfifo_state,
    &nv3_prefetch_state,
    &nv3_pgraph_state,
    &nv3_job_state,
    &nv3_programs_state,
    &nv3_pvideo_state,
    &nv3_display_state,
    &nv3_ptimer_state,
    &nv3_pmc_state,
};

const unsigned nv3_state_block_count =
    sizeof(nv3_state_blocks) / sizeof(nv3_state_blocks[0]);

/* ---- values -------------------------------------------------------------- */

/* Returns a pointer to the value at byte @at of a member. */
static void *member(NV3State *s, const NV3StateField *f, uint32_t at)
{
    return (char *)s + f->offset + at;
}

static uint64_t member_get(NV3State *s, const NV3StateField *f, uint32_t at)
{
    const void *p = member(s, f, at);

    switch (f->unit) {
    case 1:
        return f->kind == NV3_STATE_BOOL ? *(const bool *)p :
               *(const uint8_t *)p;
    case 4:
        return *(const uint32_t *)p;
    default:
        return *(const uint64_t *)p;
    }
}

/*
 * Adds @ns to all times of @s, to convert absolute times to relative times or vice versa.
 */
static void add_to_times(NV3State *s, uint64_t ns)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        for (unsigned j = 0; j < b->fields; j++) {
            if (b->field[j].kind == NV3_STATE_TIME) {
                *(uint64_t *)member(s, &b->field[j], 0) += ns;
            }
        }
    }
}

/* Copies all saved values except the configuration. */
static void copy(NV3State *to, NV3State *from)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        for (unsigned j = 0; j < b->fields; j++) {
            const NV3StateField *f = &b->field[j];

            if (f->kind != NV3_STATE_NOT_SAVED && !f->config) {
                memcpy(member(to, f, 0), member(from, f, 0), f->size);
            }
        }
    }
}

/* ---- images -------------------------------------------------------------- */

NV3Image *nv3_image_new(NV3State *s)
{
    NV3Image *image = calloc(1, sizeof(*image));
    NV3State *chip;

    if (!image) {
        return NULL;
    }
    chip = &image->chip;
    nv3_wire(chip);
    chip->config = s->config;
    chip->config.raster_threads = 0;
    chip->ops.clock_ns = s->ops.clock_ns;
    chip->opaque = s->opaque;
    chip->vram = s->vram;
    chip->vram_size = s->vram_size;
    chip->vram_reach = s->vram_reach;
    nv3_reset(chip);
    add_to_times(chip, -nv3_clock(s));
    return image;
}

void nv3_image_free(NV3Image *image)
{
    if (image) {
        nv3_pgraph_free(&image->chip);
        free(image);
    }
}

void nv3_image_save(NV3Image *image, NV3State *s)
{
    nv3_display_crc_finish(s);
    nv3_pgraph_save(s);
    copy(&image->chip, s);
    add_to_times(&image->chip, -nv3_clock(s));
}

/* ---- loading ------------------------------------------------------------- */

__attribute__((format(printf, 2, 3)))
static bool fail(NV3LoadError *error, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(error->text, sizeof(error->text), fmt, args);
    va_end(args);
    return false;
}

static bool field_ok(NV3State *image, NV3State *s, const NV3StateField *f,
                     NV3LoadError *error)
{
    for (uint32_t at = 0; at < f->size; at += f->unit) {
        uint64_t val = member_get(image, f, at);

        if (f->config && val != member_get(s, f, at)) {
            return fail(error, "%s is 0x%" PRIx64 " in the stream, "
                        "0x%" PRIx64 " here", f->name, val,
                        member_get(s, f, at));
        }
        if ((val & ~f->bits) || val > f->max) {
            return fail(error, "%s[%u]: 0x%" PRIx64 " is not possible",
                        f->name, at / f->unit, val);
        }
    }
    return true;
}

/*
 * Checks all values. The first block is the configuration, so checks of later blocks
 * can rely on it. Returns false and sets @error if a value is not valid.
 */
static bool values_ok(NV3State *image, NV3State *s, NV3LoadError *error)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        for (unsigned j = 0; j < b->fields; j++) {
            if (b->field[j].kind != NV3_STATE_NOT_SAVED &&
                !field_ok(image, s, &b->field[j], error)) {
                return false;
            }
        }
    }
    return true;
}

static bool blocks_ok(NV3State *image, NV3LoadError *error)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];
        const char *wrong = b->check ? b->check(image) : NULL;

        if (wrong) {
            return fail(error, "%s: %s", b->name, wrong);
        }
    }
    return true;
}

bool nv3_image_load(NV3State *s, NV3Image *image, NV3LoadError *error)
{
    if (!values_ok(&image->chip, s, error) ||
        !blocks_ok(&image->chip, error)) {
        return false;
    }
    copy(s, &image->chip);
    add_to_times(s, nv3_clock(s));
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        if (nv3_state_blocks[i]->loaded) {
            nv3_state_blocks[i]->loaded(s);
        }
    }
    /* The loaded state may contain work for nv3_run(). */
    nv3_kick(s);
    return true;
}
