/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saving and loading the chip, for its host.
 *
 * The core knows which values make up the state of a chip; the host knows what a
 * stream looks like. Between them is an image: the values of one chip at rest, with
 * a table for each block that names every value, its place in the image and its
 * width. The host writes and reads values by these tables (QEMU's glue makes
 * a VMStateDescription of each) and may leave out any block but the first: its values
 * are then those of a chip after reset.
 *
 * An image is not trusted. nv3_image_load() checks all of it before it changes
 * the chip.
 */
#ifndef NV3_STATE_API_H
#define NV3_STATE_API_H

#include <stddef.h>

#include "nv3.h"

typedef struct NV3Image NV3Image;

/*
 * Makes an image for a chip of @s's configuration, with the values after a reset.
 * Returns NULL if there is no memory. @s is the chip that it will be filled from or
 * loaded into.
 */
NV3Image *nv3_image_new(NV3State *s);
void nv3_image_free(NV3Image *image);

/* Fills @image with the state of @s, except VRAM. A method may be in progress. */
void nv3_image_save(NV3Image *image, NV3State *s);

typedef struct NV3LoadError {
    char text[128];         /* a sentence without a full stop */
} NV3LoadError;

/*
 * Makes @s what @image says, once VRAM is what it was. Times go on from the host's
 * clock now. Returns false, with @error filled in and @s as it was, when the image
 * is of a chip of another configuration or has a state that no chip can be in.
 */
bool nv3_image_load(NV3State *s, NV3Image *image, NV3LoadError *error);

typedef enum NV3StateKind {
    NV3_STATE_VALUE,
    NV3_STATE_BOOL,         /* a C bool: the host stores nothing but 0 and 1 */
    NV3_STATE_TIME,         /* nanoseconds, relative to when it was saved */
    NV3_STATE_NOT_SAVED,
} NV3StateKind;

typedef struct NV3StateField {
    const char *name;
    NV3StateKind kind;
    uint32_t offset;        /* in the image */
    uint32_t size;          /* bytes of all its values */
    uint32_t unit;          /* bytes of one: 1, 4 or 8 */
    uint32_t since;         /* the block's version that has it first */
    uint64_t bits;          /* that a value may have set */
    uint64_t max;           /* the largest value */
    bool config;            /* must be what the loading chip was made with */
} NV3StateField;

typedef struct NV3StateBlock {
    const char *name;       /* of up to 32 letters */
    uint32_t version;       /* what is saved; all up to it can be loaded */
    const NV3StateField *field;
    unsigned fields;
    /*
     * True if the block is to be saved. Null: always. VMState's callbacks have this type.
     */
    bool (*needed)(void *image);
    /*
     * Checks what the range of a single value can't express. Returns an error as text, or
     * null. @s has the values of all blocks, with relative times. It is no whole chip:
     * the clock is its only callback.
     */
    const char *(*check)(NV3State *s);
    /*
     * After all blocks have been loaded: derives the state that is not saved, tells the
     * host.
     */
    void (*loaded)(NV3State *s);
} NV3StateBlock;

/*
 * In the order in which loaded() is called. The first has the configuration, and
 * every image and stream has it.
 */
extern const NV3StateBlock *const nv3_state_blocks[];
extern const unsigned nv3_state_block_count;

#endif
