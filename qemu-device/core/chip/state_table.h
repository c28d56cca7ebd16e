/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros for the tables of saved state (api/nv3_state.h). Every block has a table next to
 * its code. The table names each member of the block's state once. It either specifies
 * the permitted values or marks the member as not saved. The unit test test_state fails
 * if a member is in no table.
 *
 * Never change existing lines of a table, so that old migration streams still load. Add
 * new state in one of two ways:
 *
 * - To add a member to a block, add a line with NV3_SAVE_SINCE() and increment the
 *   block's version. Older devices reject the block's new version, so migration to them
 *   fails.
 * - For state that does not always exist, or that older machine types lack, add a
 *   separate block with needed(). A flag in NV3Config disables this block for older
 *   machine types. For example, the state of a new class is a separate block.
 *
 * The first block is the configuration. A stream does not contain this block's version,
 * so the block's table must never change. If new state adds a configuration parameter,
 * the new block saves the parameter with NV3_SAVE_CONFIG().
 *
 * If a stream lacks a member, the load sets the member to its reset value.
 * qemu-device/tests/vmstate contains streams of all formats that must load.
 */
#ifndef NV3_CHIP_STATE_TABLE_H
#define NV3_CHIP_STATE_TABLE_H

#include "chip/chip.h"
#include "api/nv3_state.h"

/* A copy of a chip's state, without host functions and threads. The copy never runs. */
struct NV3Image {
    NV3State chip;
};

#define NV3_STATE_MEMBER(path)  (((NV3State *)NULL)->path)

/* True if the member has the type @type, or is an array of values of @type. */
#define NV3_STATE_IS(path, type) \
    (__builtin_types_compatible_p(__typeof__(NV3_STATE_MEMBER(path)), type) || \
     __builtin_types_compatible_p(__typeof__(NV3_STATE_MEMBER(path)), type[]))
/*
 * Size in bytes of one value of a member. The size of an enumeration is 4. The size of a
 * member of an unsupported type is 0, so that test_state fails.
 */
#define NV3_STATE_UNIT(path) \
    (NV3_STATE_IS(path, bool) || NV3_STATE_IS(path, uint8_t) ? 1 : \
     NV3_STATE_IS(path, uint32_t) || NV3_STATE_IS(path, int32_t) || \
     sizeof(NV3_STATE_MEMBER(path)) == 4 ? 4 : \
     NV3_STATE_IS(path, uint64_t) ? 8 : 0)
#define NV3_STATE_KIND(path) \
    (NV3_STATE_IS(path, bool) ? NV3_STATE_BOOL : NV3_STATE_VALUE)

#define NV3_STATE_FIELD(path, as, bytes, first, mask, largest, ...) \
    { .name = #path, .kind = (as), .offset = offsetof(NV3State, path), \
      .size = sizeof(NV3_STATE_MEMBER(path)), .unit = (bytes), \
      .since = (first), .bits = (mask), .max = (largest), __VA_ARGS__ }
#define NV3_STATE_SAVED(path, first, mask, max) \
    NV3_STATE_FIELD(path, NV3_STATE_KIND(path), NV3_STATE_UNIT(path), first, \
                    mask, max)
#define NV3_STATE_ANY(path, as, bytes) \
    NV3_STATE_FIELD(path, as, bytes, 1, UINT64_MAX, UINT64_MAX)

/* Saves a value or an array. Every value of the member's type is valid. */
#define NV3_SAVE(path)  NV3_STATE_SAVED(path, 1, UINT64_MAX, UINT64_MAX)
/*
 * Save a value or an array. A load fails if a value has bits outside @mask or exceeds
 * @max.
 */
#define NV3_SAVE_BITS(path, mask)   NV3_STATE_SAVED(path, 1, mask, UINT64_MAX)
#define NV3_SAVE_MAX(path, max)     NV3_STATE_SAVED(path, 1, UINT64_MAX, max)
#define NV3_SAVE_SINCE(version, path) \
    NV3_STATE_SAVED(path, version, UINT64_MAX, UINT64_MAX)
/* Saves a member of NV3Config. A load fails if the chip has a different value. */
#define NV3_SAVE_CONFIG(path) \
    NV3_STATE_FIELD(path, NV3_STATE_KIND(path), NV3_STATE_UNIT(path), 1, \
                    UINT64_MAX, UINT64_MAX, .config = true)
#define NV3_SAVE_TIME(path)         NV3_STATE_ANY(path, NV3_STATE_TIME, 8)
/* Saves a structure, or an array of structures, that contains only 32-bit words. */
#define NV3_SAVE_WORDS(path)        NV3_STATE_ANY(path, NV3_STATE_VALUE, 4)
/* Saves an array whose words are already in the guest's byte order. */
#define NV3_SAVE_BYTES(path)        NV3_STATE_ANY(path, NV3_STATE_VALUE, 1)
/*
 * Marks a member as not saved. A comment at the use of the macro must state the reason.
 */
#define NV3_NOT_SAVED(path)         NV3_STATE_ANY(path, NV3_STATE_NOT_SAVED, 1)

#define NV3_STATE_BLOCK(label, table, ...) \
    { .name = (label), .version = 1, .field = (table), \
      .fields = sizeof(table) / sizeof((table)[0]), __VA_ARGS__ }

#endif
