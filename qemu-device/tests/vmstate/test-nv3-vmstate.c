/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the VMStateDescriptions that hw/display/nv3/nv3_vmstate.c creates for state
 * tables. Values of all kinds must be the same after a save and a load.
 * core/chip/state_table.h specifies which streams of older and newer tables can be
 * loaded.
 */

#include "qemu/osdep.h"
#include "io/channel-buffer.h"
#include "migration/vmstate.h"
#include "../migration/qemu-file.h"
#include "qemu/module.h"

#include "../hw/display/nv3/nv3_vmstate.h"

typedef struct Chip {
    uint32_t id;
    bool flag;
    uint8_t byte;
    uint8_t bytes[5];
    uint32_t words[3];
    uint64_t time;
    bool flags[2];
    uint32_t later;
    uint32_t extra;
} Chip;

#define FIELD(member, bytes, as, first) \
    { .name = #member, .kind = (as), .offset = offsetof(Chip, member), \
      .size = sizeof(((Chip *)NULL)->member), .unit = (bytes), \
      .since = (first), .bits = UINT64_MAX, .max = UINT64_MAX }
#define BLOCK(label, of_version, table, ...) \
    { .name = (label), .version = (of_version), .field = (table), \
      .fields = ARRAY_SIZE(table), __VA_ARGS__ }

static const NV3StateField id_fields[] = {
    FIELD(id, 4, NV3_STATE_VALUE, 1),
};

static const NV3StateField old_fields[] = {
    FIELD(flag, 1, NV3_STATE_BOOL, 1),
    FIELD(byte, 1, NV3_STATE_VALUE, 1),
    FIELD(bytes, 1, NV3_STATE_VALUE, 1),
    FIELD(extra, 4, NV3_STATE_NOT_SAVED, 1),
    FIELD(words, 4, NV3_STATE_VALUE, 1),
    FIELD(time, 8, NV3_STATE_TIME, 1),
    FIELD(flags, 1, NV3_STATE_BOOL, 1),
};

/* A newer version of the table, with an additional field in the middle. */
static const NV3StateField new_fields[] = {
    FIELD(flag, 1, NV3_STATE_BOOL, 1),
    FIELD(byte, 1, NV3_STATE_VALUE, 1),
    FIELD(later, 4, NV3_STATE_VALUE, 2),
    FIELD(bytes, 1, NV3_STATE_VALUE, 1),
    FIELD(words, 4, NV3_STATE_VALUE, 1),
    FIELD(time, 8, NV3_STATE_TIME, 1),
    FIELD(flags, 1, NV3_STATE_BOOL, 1),
};

static const NV3StateField extra_fields[] = {
    FIELD(extra, 4, NV3_STATE_VALUE, 1),
};

static bool extra_needed(void *opaque)
{
    return ((Chip *)opaque)->extra != 0;
}

static const NV3StateBlock id_block = BLOCK("id", 1, id_fields);
static const NV3StateBlock old_block = BLOCK("regs", 1, old_fields);
static const NV3StateBlock new_block = BLOCK("regs", 2, new_fields);
static const NV3StateBlock extra_block =
    BLOCK("extra", 1, extra_fields, .needed = extra_needed);

static const NV3StateBlock *const first_blocks[] = { &id_block, &old_block };
static const NV3StateBlock *const newer_blocks[] = { &id_block, &new_block };
static const NV3StateBlock *const extra_blocks[] = {
    &id_block, &old_block, &extra_block,
};
static const NV3StateBlock *const no_blocks[] = { &id_block };

static VMStateDescription first, newer, with_extra, bare;

static const Chip saved = {
    .id = 0x12345678, .flag = true, .byte = 0x9a, .bytes = { 1, 2, 3, 4, 5 },
    .words = { 0xdeadbeef, 0, 0x80000001 }, .time = 0xfedcba9876543210,
    .flags = { false, true }, .later = 0x11111111, .extra = 0x22222222,
};

/* The state after a reset. */
static const Chip fresh = {
    .bytes = { 9, 9, 9, 9, 9 }, .later = 7, .extra = 8,
};

static GByteArray *stream_of(const VMStateDescription *vmsd, const Chip *from)
{
    QIOChannelBuffer *buffer = qio_channel_buffer_new(256);
    QEMUFile *f = qemu_file_new_output(QIO_CHANNEL(buffer));
    GByteArray *stream = g_byte_array_new();
    Chip chip = *from;

    g_assert_cmpint(vmstate_save_state(f, vmsd, &chip, NULL), ==, 0);
    g_assert_cmpint(qemu_fflush(f), ==, 0);
    g_byte_array_append(stream, buffer->data, buffer->usage);
    qemu_fclose(f);
    object_unref(OBJECT(buffer));
    return stream;
}

static bool load(const VMStateDescription *vmsd, const GByteArray *stream,
                 Chip *chip)
{
    QIOChannelBuffer *buffer = qio_channel_buffer_new(stream->len + 1);
    QEMUFile *f;
    bool ok;

    memcpy(buffer->data, stream->data, stream->len);
    /*
     * Append a byte that stands for the start of the next section. It is not the start of
     * a subsection.
     */
    buffer->data[stream->len] = 0;
    buffer->usage = stream->len + 1;
    f = qemu_file_new_input(QIO_CHANNEL(buffer));
    *chip = fresh;
    ok = !vmstate_load_state(f, vmsd, chip, vmsd->version_id) &&
         !qemu_file_get_error(f);
    qemu_fclose(f);
    object_unref(OBJECT(buffer));
    return ok;
}

/*
 * Saves @what with description @from, and loads the stream with description @to into
 * @chip. Returns false if the load fails.
 */
static bool move(const VMStateDescription *from, const VMStateDescription *to,
                 const Chip *what, Chip *chip)
{
    g_autoptr(GByteArray) stream = stream_of(from, what);

    return load(to, stream, chip);
}

static void assert_old_fields(const Chip *chip)
{
    g_assert_cmphex(chip->id, ==, saved.id);
    g_assert_cmpint(chip->flag, ==, saved.flag);
    g_assert_cmphex(chip->byte, ==, saved.byte);
    g_assert_cmpmem(chip->bytes, 5, saved.bytes, 5);
    g_assert_cmpmem(chip->words, sizeof(chip->words), saved.words,
                    sizeof(saved.words));
    g_assert_cmphex(chip->time, ==, saved.time);
    g_assert_cmpint(chip->flags[0], ==, saved.flags[0]);
    g_assert_cmpint(chip->flags[1], ==, saved.flags[1]);
}

static void test_round_trip(void)
{
    Chip chip;

    g_assert_true(move(&first, &first, &saved, &chip));
    assert_old_fields(&chip);
    g_assert_cmphex(chip.later, ==, fresh.later);
    g_assert_cmphex(chip.extra, ==, fresh.extra);
    g_assert_true(move(&newer, &newer, &saved, &chip));
    assert_old_fields(&chip);
    g_assert_cmphex(chip.later, ==, saved.later);
}

/* The stream must be the same on every host, so compare it with constant bytes. */
static void test_wire(void)
{
    static const uint8_t wire[] = {
        0x12, 0x34, 0x56, 0x78, 5, 9, 'c', 'h', 'i', 'p', '/', 'r', 'e', 'g',
        's', 0, 0, 0, 1, 1, 0x9a, 1, 2, 3, 4, 5, 0xde, 0xad, 0xbe, 0xef,
        0, 0, 0, 0, 0x80, 0, 0, 1, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32,
        0x10, 0, 1,
    };
    g_autoptr(GByteArray) stream = stream_of(&first, &saved);

    g_assert_cmpmem(stream->data, stream->len, wire, sizeof(wire));
}

static void test_older(void)
{
    Chip chip;

    g_assert_true(move(&first, &newer, &saved, &chip));
    assert_old_fields(&chip);
    g_assert_cmphex(chip.later, ==, fresh.later);
}

static void test_newer(void)
{
    Chip chip;

    g_assert_false(move(&newer, &first, &saved, &chip));
}

static void test_missing(void)
{
    Chip chip;

    g_assert_true(move(&bare, &with_extra, &saved, &chip));
    g_assert_cmphex(chip.id, ==, saved.id);
    g_assert_cmpmem(chip.bytes, 5, fresh.bytes, 5);
    g_assert_cmphex(chip.extra, ==, fresh.extra);
    g_assert_true(move(&first, &with_extra, &saved, &chip));
    assert_old_fields(&chip);
    g_assert_cmphex(chip.extra, ==, fresh.extra);
}

static void test_needed(void)
{
    Chip without = saved, chip;

    g_assert_true(move(&with_extra, &with_extra, &saved, &chip));
    g_assert_cmphex(chip.extra, ==, saved.extra);
    g_assert_false(move(&with_extra, &first, &saved, &chip));
    without.extra = 0;
    g_assert_true(move(&with_extra, &first, &without, &chip));
    assert_old_fields(&chip);
}

/*
 * QEMU must refuse a truncated stream that ends within the values of a subsection. load()
 * appends one byte of the next section to the stream.
 */
static void test_cut_short(void)
{
    g_autoptr(GByteArray) stream = stream_of(&with_extra, &saved);
    const guint extra = 20, header = 16;
    guint regs = stream->len - extra;
    Chip chip;
    guint len;

    for (len = 0; len <= stream->len; len++) {
        g_autoptr(GByteArray) part = g_byte_array_new();

        g_byte_array_append(part, stream->data, len);
        if (len == 4 || len == regs || len == stream->len) {
            /* The stream ends at the end of a subsection. */
            g_assert_true(load(&with_extra, part, &chip));
        } else if (len < 3 || (len >= 4 + header && len < regs - 1) ||
                   (len >= regs + header && len < stream->len - 1)) {
            g_assert_false(load(&with_extra, part, &chip));
        }
    }
}

int main(int argc, char **argv)
{
    module_call_init(MODULE_INIT_QOM);
    nv3_vmstate_describe(&first, "chip", first_blocks, 2);
    nv3_vmstate_describe(&newer, "chip", newer_blocks, 2);
    nv3_vmstate_describe(&with_extra, "chip", extra_blocks, 3);
    nv3_vmstate_describe(&bare, "chip", no_blocks, 1);
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/nv3/vmstate/round-trip", test_round_trip);
    g_test_add_func("/nv3/vmstate/wire", test_wire);
    g_test_add_func("/nv3/vmstate/older", test_older);
    g_test_add_func("/nv3/vmstate/newer", test_newer);
    g_test_add_func("/nv3/vmstate/missing", test_missing);
    g_test_add_func("/nv3/vmstate/needed", test_needed);
    g_test_add_func("/nv3/vmstate/cut-short", test_cut_short);
    return g_test_run();
}
