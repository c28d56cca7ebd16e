/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): creates the VMStateDescription of the chip's saved state.
 *
 * The chip describes its state in tables that do not depend on QEMU (api/nv3_state.h).
 * This file converts each table to a VMStateDescription. Each block except the first
 * becomes a subsection, so that a stream without this block, from an older version, can
 * be loaded. The stream has QEMU's usual format, so that -dump-vmstate and
 * scripts/vmstate-static-checker.py support it.
 */

#include "qemu/osdep.h"

#include "nv3_vmstate.h"

static const VMStateInfo *nv3_vmstate_info(const NV3StateField *f)
{
    switch (f->unit) {
    case 1:
        return f->kind == NV3_STATE_BOOL ? &vmstate_info_bool :
               &vmstate_info_uint8;
    case 4:
        return &vmstate_info_uint32;
    case 8:
        return &vmstate_info_uint64;
    default:
        g_assert_not_reached();
    }
}

static VMStateField nv3_vmstate_field(const NV3StateField *f)
{
    VMStateField field = {
        .name = f->name,
        .offset = f->offset,
        .size = f->unit,
        .info = nv3_vmstate_info(f),
        .flags = VMS_SINGLE,
        .version_id = f->since,
    };

    if (f->size > f->unit && field.info == &vmstate_info_uint8) {
        field.size = f->size;
        field.info = &vmstate_info_buffer;
        field.flags = VMS_BUFFER;
    } else if (f->size > f->unit) {
        field.num = f->size / f->unit;
        field.flags = VMS_ARRAY;
    }
    return field;
}

static const VMStateField *nv3_vmstate_fields(const NV3StateBlock *b)
{
    VMStateField *fields = g_new0(VMStateField, b->fields + 1);
    unsigned i, n = 0;

    for (i = 0; i < b->fields; i++) {
        if (b->field[i].kind != NV3_STATE_NOT_SAVED) {
            fields[n++] = nv3_vmstate_field(&b->field[i]);
        }
    }
    fields[n] = (VMStateField) VMSTATE_END_OF_LIST();
    return fields;
}

static void nv3_vmstate_describe_block(VMStateDescription *vmsd,
                                       const char *name,
                                       const NV3StateBlock *b)
{
    vmsd->name = name;
    vmsd->version_id = b->version;
    vmsd->minimum_version_id = 1;
    vmsd->needed = b->needed;
    vmsd->fields = nv3_vmstate_fields(b);
}

void nv3_vmstate_describe(VMStateDescription *vmsd, const char *name,
                          const NV3StateBlock *const *blocks, unsigned count)
{
    VMStateDescription *subs;
    const VMStateDescription **list;
    unsigned i;

    subs = g_new0(VMStateDescription, count - 1);
    list = g_new0(const VMStateDescription *, count);
    for (i = 0; i < count - 1; i++) {
        const NV3StateBlock *b = blocks[i + 1];

        nv3_vmstate_describe_block(&subs[i],
                                   g_strdup_printf("%s/%s", name, b->name), b);
        list[i] = &subs[i];
    }
    nv3_vmstate_describe_block(vmsd, name, blocks[0]);
    vmsd->subsections = list;
}
