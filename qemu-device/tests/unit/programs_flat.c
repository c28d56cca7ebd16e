/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/le.h"
#include "programs_flat.h"

uint8_t *flat_map(void *opaque, uint32_t offset, uint32_t len, bool write)
{
    const FlatMemory *flat = opaque;

    if (offset > flat->size || len > flat->size - offset ||
        (!write && flat->in_pieces)) {
        return NULL;
    }
    return flat->bytes + offset;
}

bool flat_read(void *opaque, uint32_t offset, void *to, uint32_t len)
{
    const FlatMemory *flat = opaque;

    if (offset > flat->size || len > flat->size - offset) {
        return false;
    }
    memcpy(to, flat->bytes + offset, len);
    return true;
}

bool flat_write(void *opaque, uint32_t offset, const void *from, uint32_t len)
{
    uint8_t *to = flat_map(opaque, offset, len, true);

    if (to) {
        memcpy(to, from, len);
    }
    return to;
}

uint32_t flat_bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof(word));
    return word;
}

void flat_method(NV3Programs *p, uint32_t method, uint32_t data)
{
    const NV3ProgramsResult result = nv3_programs_method(p, method, data);

    if (result) {
        fprintf(stderr, "method 0x%04x, data 0x%08x: result %u\n", method, data, result);
        exit(1);
    }
}

void flat_set_constant(NV3Programs *p, unsigned number, float x, float y, float z,
                       float w)
{
    const float value[4] = { x, y, z, w };

    flat_method(p, NV3_PM_TRANSFORM_CONSTANT_LOAD, number);
    for (unsigned i = 0; i < 4; i++) {
        flat_method(p, NV3_PM_TRANSFORM_CONSTANT + 4 * i, flat_bits(value[i]));
    }
}

void flat_set_vertex_program(NV3Programs *p, VpAsm *a)
{
    vp_end(a);
    flat_method(p, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
    for (unsigned i = 0; i < a->count * 4; i++) {
        flat_method(p, NV3_PM_TRANSFORM_PROGRAM + i % 32 * 4, a->words[i / 4][i % 4]);
    }
    flat_method(p, NV3_PM_TRANSFORM_PROGRAM_START, 0);
}

void flat_put_fragment_program(FlatMemory *flat, uint32_t offset, FpAsm *a)
{
    fp_end(a);
    for (unsigned i = 0; i < a->count; i++) {
        nv3_stl(flat->bytes + offset + 4 * i, a->words[i]);
    }
}
