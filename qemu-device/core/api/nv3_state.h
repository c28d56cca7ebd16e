/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the functions with which the host saves and loads a chip's state.
 *
 * The core defines which values are the state of a chip, and the host defines the format
 * of a stream. The core and the host exchange an image, which contains the values of one
 * chip. For each block of the chip, a table lists the name, the offset in the image and
 * the width of every value. The host uses these tables to convert an image to a stream
 * and back. (QEMU's glue creates a VMStateDescription from each table.) A stream may omit
 * any block except for the first. The members of an omitted block are loaded with their
 * values after a reset.
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
 * Creates an image with the values that @s has after a reset. @s: the chip that will be
 * saved to this image or loaded from it. Returns NULL if memory is exhausted.
 */
NV3Image *nv3_image_new(NV3State *s);
void nv3_image_free(NV3Image *image);

/*
 * Copies the state of @s, except VRAM, to @image. This is possible even while the current
 * method is only partly executed.
 */
void nv3_image_save(NV3Image *image, NV3State *s);

typedef struct NV3LoadError {
    char text[128];         /* without a full stop */
} NV3LoadError;

/*
 * Loads @image into @s. The host must already have restored VRAM. Times in the image are
 * relative to the time of saving, so the function adds the host's current time. If the
 * configuration in the image differs from that of @s, or if no chip can have the state in
 * the image, the function returns false, sets @error and does not change @s.
 */
bool nv3_image_load(NV3State *s, NV3Image *image, NV3LoadError *error);

typedef enum NV3StateKind {
    NV3_STATE_VALUE,
    NV3_STATE_BOOL,         /* a C bool: the host must store 0 or 1 */
    NV3_STATE_TIME,         /* nanoseconds; in an image, relative to the time of saving */
    NV3_STATE_NOT_SAVED,
} NV3StateKind;

typedef struct NV3StateField {
    const char *name;
    NV3StateKind kind;
    uint32_t offset;        /* in the image */
    uint32_t size;          /* total size of the field's values in bytes */
    uint32_t unit;          /* size of one value: 1, 4 or 8 bytes */
    uint32_t since;         /* first version of the block with this field */
    uint64_t bits;          /* bits that may be set in a value */
    uint64_t max;           /* largest valid value */
    /* the chip that is loaded must already have the same value */
    bool config;
} NV3StateField;

typedef struct NV3StateBlock {
    const char *name;       /* at most 32 letters */
    uint32_t version;       /* the saved version; older versions can be loaded */
    const NV3StateField *field;
    unsigned fields;
    /*
     * Returns true if the block must be saved. If this function is null, the block is
     * always saved. The signature matches VMState's callbacks.
     */
    bool (*needed)(void *image);
    /*
     * Checks conditions that involve several values. Returns null if the conditions are
     * met, else an error message. @s is a temporary chip with the values of all blocks.
     * Its times are relative to the time of saving, and its only host function is the
     * clock.
     */
    const char *(*check)(NV3State *s);
    /*
     * Called after all blocks have been loaded. Computes the members that are not saved,
     * and calls host functions such as timer_set().
     */
    void (*loaded)(NV3State *s);
} NV3StateBlock;

/*
 * All blocks, in the order in which loaded() is called. Every image and stream contains
 * the first block, the configuration.
 */
extern const NV3StateBlock *const nv3_state_blocks[];
extern const unsigned nv3_state_block_count;

#endif
