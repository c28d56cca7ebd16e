/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saving and loading the chip, for its host.
 *
 * The core defines which values make up the state of a chip, and the host defines the
 * format of a stream. They exchange an image, which has the values of one chip. Each
 * block has a table with the name, the offset in the image and the width of every
 * value. The host writes and reads the values by these tables (QEMU's glue creates a
 * VMStateDescription from each). It may omit any block but the first. The values of an
 * omitted block are those after a reset.
 *
 * Images are not trusted. nv3_image_load() checks the whole image before it changes the
 * chip.
 */
#ifndef NV3_STATE_API_H
#define NV3_STATE_API_H

#include <stddef.h>

#include "nv3.h"

typedef struct NV3Image NV3Image;

/*
 * Creates an image for a chip of @s's configuration, with the values after a reset. @s
 * is the chip that the image will be saved from or loaded into. Returns NULL if memory
 * is exhausted.
 */
NV3Image *nv3_image_new(NV3State *s);
void nv3_image_free(NV3Image *image);

/* Fills @image with the state of @s, except VRAM. A method may be in progress. */
void nv3_image_save(NV3Image *image, NV3State *s);

typedef struct NV3LoadError {
    char text[128];         /* a sentence without a full stop */
} NV3LoadError;

/*
 * Loads @image into @s, whose VRAM has been restored before. Times continue from the
 * host's present clock. Returns false, sets @error and does not change @s if
 * the image has another configuration or a state that no chip can have.
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
    uint32_t unit;          /* bytes of one value: 1, 4 or 8 */
    uint32_t since;         /* the first version of the block that has it */
    uint64_t bits;          /* bits that may be set in a value */
    uint64_t max;           /* the largest value */
    bool config;            /* must equal the configuration of the loading chip */
} NV3StateField;

typedef struct NV3StateBlock {
    const char *name;       /* a name of up to 32 letters */
    uint32_t version;       /* the saved version; older ones can be loaded */
    const NV3StateField *field;
    unsigned fields;
    /*
     * Returns true if the block is to be saved. A block with a null function is
     * always saved. VMState's callbacks have this type.
     */
    bool (*needed)(void *image);
    /*
     * Checks conditions that the ranges of single values cannot express. Returns an
     * error message or null. @s has the values of all blocks, with relative times. It
     * is not a complete chip: the clock is its only callback.
     */
    const char *(*check)(NV3State *s);
    /*
     * Called after all blocks have been loaded. Computes the state that is not saved,
     * and calls the host.
     */
    void (*loaded)(NV3State *s);
} NV3StateBlock;

/*
 * In the order in which loaded() is called. The first block has the configuration, and
 * is in every image and stream.
 */
extern const NV3StateBlock *const nv3_state_blocks[];
extern const unsigned nv3_state_block_count;

#endif
