/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QTest testcase for the nv3 device (NVIDIA RIVA 128): migration and snapshots in the
 * middle of a batch. After the same sequence of steps, a migrated machine must have the
 * same contents of VRAM and registers as a machine that has not been migrated.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "libqtest.h"
#include "hw/pci/pci_regs.h"
#include "qobject/qdict.h"

#include "nv3-test-card.h"

#define CHID            3
#define SUBCH           0
#define NAME_RECT       0xbeef0001
#define NAME_MISSING    0xbeef0002      /* entered into RAMHT later */
#define INST_RECT       (CARD_INST + 0x0000)
#define INST_NOTIFY     (CARD_INST + 0x1000)
#define NOTIFIER        CARD_GUEST
#define WAIT_US         60000000

#define XY(x, y)        ((y) << 16 | (x))

/*
 * An object with the operation OP_ROP_DSP applies the raster operation in register ROP to
 * destination, source and pattern. ROP_XOR ignores the pattern.
 */
#define OP_ROP_DSP      0x10
#define ROP_XOR         0x66
#define OPTIONS_XOR \
    (OP_ROP_DSP << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT)

/* ---- migrating a machine -------------------------------------------------- */

static char *new_file(void)
{
    char *path = NULL;
    int fd = g_file_open_tmp("nv3-test-XXXXXX", &path, NULL);

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    return path;
}

/*
 * Waits until the migration has ended. Returns true if it has completed, and false if it
 * has failed.
 */
static bool wait_migration(QTestState *qts)
{
    gint64 end = g_get_monotonic_time() + WAIT_US;

    for (;;) {
        QDict *reply = qtest_qmp(qts, "{ 'execute': 'query-migrate' }");
        const char *status =
            qdict_get_try_str(qdict_get_qdict(reply, "return"), "status");
        bool completed = !g_strcmp0(status, "completed");
        bool failed = !g_strcmp0(status, "failed");

        qobject_unref(reply);
        if (completed || failed) {
            return completed;
        }
        g_assert_cmpint(g_get_monotonic_time(), <, end);
        g_usleep(1000);
    }
}

static void save_to(Card *card, const char *path)
{
    g_autofree char *uri = g_strconcat("file:", path, NULL);

    qtest_qmp_assert_success(card->qts, "{ 'execute': 'migrate',"
                             " 'arguments': { 'uri': %s } }", uri);
    g_assert_true(wait_migration(card->qts));
}

static bool load_from(Card *card, const char *path)
{
    g_autofree char *uri = g_strconcat("file:", path, NULL);

    qtest_qmp_assert_success(card->qts, "{ 'execute': 'migrate-incoming',"
                             " 'arguments': { 'uri': %s,"
                             " 'exit-on-error': false } }", uri);
    return wait_migration(card->qts);
}

/*
 * Starts a machine that waits for a migration stream. The qtest clock of the machine
 * starts at @clock.
 */
static Card *new_target(int64_t clock)
{
    Card *card = card_machine("-incoming defer", "");

    qtest_clock_set(card->qts, clock);
    return card;
}

/*
 * Migrates the machine of @from to another process, and ends @from. Returns the card in
 * the new process. Its BARs have the same addresses.
 */
static Card *moved(Card *from)
{
    g_autofree char *path = new_file();
    int64_t clock = qtest_clock_step(from->qts, 1000000);
    Card *to = new_target(clock);

    save_to(from, path);
    g_assert_true(load_from(to, path));
    unlink(path);
    qtest_qmp_eventwait(to->qts, "RESUME");
    card_find(to);
    to->regs = from->regs;
    to->mem = from->mem;
    card_stop(from);
    return to;
}

/* ---- streams --------------------------------------------------------------- */

typedef struct Stream {
    char *data;
    gsize len;
} Stream;

/* Saves the state of @card's machine to a stream, and ends this machine. */
static Stream stream_of(Card *card)
{
    g_autofree char *path = new_file();
    Stream stream;

    save_to(card, path);
    card_stop(card);
    g_assert_true(g_file_get_contents(path, &stream.data, &stream.len, NULL));
    unlink(path);
    return stream;
}

static Stream stream_copy(const Stream *s)
{
    return (Stream) { g_memdup2(s->data, s->len), s->len };
}

static void stream_free(Stream *s)
{
    g_free(s->data);
}

/*
 * Returns the chip's subsection @name in the stream, or NULL if it is missing. A
 * subsection consists of a byte of value 5, a byte with the length of its name, the name,
 * a version of four bytes, and the values. The description at the end of the stream also
 * contains the names of subsections, but without the byte of value 5.
 */
static char *subsection(const Stream *s, const char *name)
{
    g_autofree char *full = g_strconcat("..nv3/chip/", name, NULL);
    size_t len = strlen(full);

    full[0] = 5;
    full[1] = len - 2;
    return memmem(s->data, s->len, full, len);
}

static char *subsection_version(const Stream *s, const char *name)
{
    char *start = subsection(s, name);

    g_assert_nonnull(start);
    return start + 2 + start[1];
}

/*
 * Returns the end of subsection @name, where the next subsection or the section's footer
 * starts.
 */
static char *subsection_end(const Stream *s, const char *name)
{
    char *values = subsection_version(s, name) + 4;
    char *at;

    for (at = values; at < s->data + s->len - 32; at++) {
        if (at[0] == 5 && !strncmp(at + 2, "nv3/chip/", 9)) {
            return at;
        }
    }
    /*
     * No other subsection follows, so this is the last subsection of the chip, "pmc". It
     * contains three registers.
     */
    g_assert_cmpstr(name, ==, "pmc");
    g_assert_cmphex(values[12], ==, 0x7e);
    return values + 12;
}

static void stream_remove(Stream *s, const char *name)
{
    char *start = subsection(s, name);
    char *end = subsection_end(s, name);

    memmove(start, end, s->data + s->len - end);
    s->len -= end - start;
}

/*
 * Loads @s in a new machine, whose device has the properties @props. If QEMU refuses the
 * stream, sets @message to QEMU's error message and returns NULL.
 */
static Card *stream_load(const Stream *s, const char *props, char **message)
{
    g_autofree char *path = new_file();
    g_autofree char *err = new_file();
    g_autofree char *args = g_strdup_printf("-incoming defer 2>%s", err);
    Card *card = card_machine(args, props);
    bool ok;

    g_assert_true(g_file_set_contents(path, s->data, s->len, NULL));
    ok = load_from(card, path);
    if (ok) {
        qtest_qmp_eventwait(card->qts, "RESUME");
        card_find(card);
    } else {
        card_stop(card);
    }
    g_assert_true(g_file_get_contents(err, message, NULL, NULL));
    unlink(path);
    unlink(err);
    return ok ? card : NULL;
}

/* ---- the state of a machine ---------------------------------------------- */

static char *checksum(Card *card, QPCIBar bar, uint32_t offset, size_t size)
{
    g_autofree uint8_t *data = g_malloc(size);

    qtest_bufread(card->qts, bar.addr + offset, data, size);
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, size);
}

static void assert_same_vram(Card *a, Card *b)
{
    uint32_t i;

    for (i = 0; i < 8 * MiB; i += MiB) {
        g_autofree char *sum_a = checksum(a, a->mem, i, MiB);
        g_autofree char *sum_b = checksum(b, b->mem, i, MiB);

        g_assert_cmpstr(sum_a, ==, sum_b);
    }
}

static void assert_same(Card *a, Card *b)
{
    static const struct {
        uint32_t start, size;
    } registers[] = {
        { 0x000000, 0x0300 }, { 0x001000, 0x0200 }, { 0x002000, 0x1800 },
        { 0x009000, 0x0500 }, { 0x100000, 0x0300 }, { 0x101000, 0x0100 },
        { 0x400000, 0x2000 }, { 0x680000, 0x0600 },
    };
    unsigned i;
    uint32_t addr;

    for (i = 0; i < G_N_ELEMENTS(registers); i++) {
        g_autofree char *sum_a = checksum(a, a->regs, registers[i].start,
                                          registers[i].size);
        g_autofree char *sum_b = checksum(b, b->regs, registers[i].start,
                                          registers[i].size);

        if (!g_strcmp0(sum_a, sum_b)) {
            continue;
        }
        for (addr = registers[i].start;
             addr < registers[i].start + registers[i].size; addr += 4) {
            if (card_rd(a, addr) != card_rd(b, addr)) {
                g_error("0x%06x: 0x%08x, moved 0x%08x", addr, card_rd(a, addr),
                        card_rd(b, addr));
            }
        }
    }
    assert_same_vram(a, b);
    for (i = 0; i < NV3_CRTC_EXT_LAST; i++) {
        g_assert_cmphex(card_crtc_rd(a, i), ==, card_crtc_rd(b, i));
    }
}

/* ---- a batch ------------------------------------------------------------- */

static void set_up(Card *card)
{
    uint32_t notify;

    card_map(card);
    card_setup(card, CHID);
    /*
     * A canvas of 1024 x 1000 pixels allows large rectangles, in which an error affects
     * many pixels.
     */
    card_wr(card, NV3_PGRAPH_DST_CANVAS_MAX, XY(1024, 1000));
    card_wr(card, NV3_PGRAPH_SURF_PITCH(0), 2048);
    card_wr(card, NV3_PGRAPH_PATTERN_A(0), 0xff);
    card_wr(card, NV3_PGRAPH_PATTERN_A(1), 0xff);
    card_wr(card, NV3_PGRAPH_ROP, ROP_XOR);
    notify = card_dma_object(card, INST_NOTIFY, NV3_DMAOBJ_TARGET_PCI,
                             NOTIFIER, 4096);
    card_object(card, CHID, NAME_RECT, NV3_CLASS_RECT, INST_RECT, OPTIONS_XOR,
                notify << NV3_GROBJ_NOTIFY_SHIFT, 0);
}

static Card *start_with(const char *props)
{
    Card *card = card_machine("", props);

    set_up(card);
    return card;
}

static Card *start(void)
{
    return start_with("");
}

static void push_rects(Card *card, unsigned count, unsigned size)
{
    unsigned i;

    for (i = 0; i < count; i++) {
        card_push_method(card, SUBCH, NV3_RECT_COLOR, i * 0x1357 + 1);
        card_push(card, NV3_PUSH_HDR(SUBCH, NV3_RECT_POINT(0), 2));
        card_push(card, XY(i * 7 % 200, i * 11 % 200));
        card_push(card, XY(size, size));
    }
}

/*
 * Starts a batch in which the puller stops at a method that binds an unknown handle. The
 * methods after it remain in CACHE1 and in memory.
 */
static void start_batch(Card *card)
{
    card_push_method(card, SUBCH, NV3_MTHD_OBJECT, NAME_RECT);
    push_rects(card, 5, 300);
    card_push_method(card, SUBCH, NV3_MTHD_OBJECT, NAME_MISSING);
    push_rects(card, 50, 300);
    card_push_method(card, SUBCH, NV3_MTHD_NOTIFY, 2);
    card_push_method(card, SUBCH, NV3_RECT_COLOR, 0);
    card_push_start(card, CHID);
    card_wait_irq(card, true);
    g_assert_cmphex(card_rd(card, NV3_PFIFO_INTR), ==,
                    NV3_PFIFO_INTR_CACHE_ERROR);
    card_wait(card, NV3_PFIFO_CACHE1_STATUS, NV3_PFIFO_CACHE_FULL,
              NV3_PFIFO_CACHE_FULL);
    g_assert_cmpuint(card_rd(card, NV3_PFIFO_CACHE1_DMA_COUNT), >, 400);
}

/* Enters the missing handle into RAMHT, and runs the batch to its end. */
static void finish_batch(Card *card)
{
    g_assert_true(card_irq(card));
    g_assert_true(card_rd(card, NV3_PFIFO_CACHE1_PULL_CTRL) &
                  NV3_PFIFO_PULL_CTRL_HASH_FAILED);
    card_hash(card, CHID, NAME_MISSING, NV3_CTX_HARDWARE | NV3_CTX_CLASS_GRAPH |
              NV3_CLASS_RECT << NV3_CTX_CLASS_SHIFT | INST_RECT >> 4);
    card_wr(card, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
    g_assert_false(card_irq(card));
    qtest_memset(card->qts, NOTIFIER, 0xff, 4096);
    card_wr(card, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
    card_wait_irq(card, true);
    card_wait_idle(card);
    g_assert_cmphex(card_rd(card, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK,
                    ==, NV3_PGRAPH_INTR_NOTIFY);
    g_assert_cmphex(qtest_readw(card->qts, NOTIFIER +
                                2 * NV3_NOTIFICATION_SIZE +
                                NV3_NOTIFICATION_STATUS), ==,
                    NV3_NOTIFICATION_DONE);
}

/* ---- tests --------------------------------------------------------------- */

static void test_batch(void)
{
    Card *alone = start(), *other = start();

    start_batch(alone);
    qtest_clock_step(alone->qts, 1000000);
    finish_batch(alone);
    start_batch(other);
    other = moved(other);
    finish_batch(other);
    /*
     * Migrate again while the notification's interrupt is pending and INTA is asserted.
     */
    qtest_clock_step(alone->qts, 1000000);
    other = moved(other);
    g_assert_true(card_irq(other));
    assert_same(alone, other);
    card_wr(other, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_NOTIFY);
    g_assert_false(card_irq(other));
    card_stop(alone);
    card_stop(other);
}

/*
 * Migrates a machine twice at arbitrary points of a batch, mostly in the middle of a
 * rectangle.
 */
static void test_at_work(void)
{
    Card *alone = start(), *other = start();
    Card *both[] = { alone, other };
    unsigned i;

    for (i = 0; i < 2; i++) {
        card_push_method(both[i], SUBCH, NV3_MTHD_OBJECT, NAME_RECT);
        push_rects(both[i], 1500, 790);
        card_push_start(both[i], CHID);
    }
    for (i = 0; i < 2; i++) {
        qtest_clock_step(alone->qts, 1000000);
        g_test_message("moved with 0x%x bytes to go, STATUS 0x%x",
                       card_rd(other, NV3_PFIFO_CACHE1_DMA_COUNT),
                       card_rd(other, NV3_PGRAPH_STATUS));
        other = moved(other);
    }
    card_wait_idle(alone);
    card_wait_idle(other);
    card_assert_quiet(other);
    assert_same(alone, other);
    card_stop(alone);
    card_stop(other);
}

static uint8_t ddc_read(Card *card)
{
    return card_crtc_rd(card, NV3_CRTC_DDC_READ);
}

static void ddc_write(Card *card, bool scl, bool sda)
{
    card_crtc_wr(card, NV3_CRTC_DDC_WRITE, (scl ? NV3_DDC_WRITE_SCL : 0) |
                 (sda ? NV3_DDC_WRITE_SDA : 0));
}

/* Raises and lowers SCL. Returns the level that SDA had while SCL was high. */
static bool ddc_clock(Card *card, bool sda)
{
    bool bit;

    ddc_write(card, false, sda);
    ddc_write(card, true, sda);
    bit = ddc_read(card) & NV3_DDC_READ_SDA;
    ddc_write(card, false, sda);
    return bit;
}

/* Returns true if the monitor acknowledges the byte. */
static bool ddc_send(Card *card, uint8_t byte)
{
    int i;

    for (i = 7; i >= 0; i--) {
        ddc_clock(card, byte >> i & 1);
    }
    return !ddc_clock(card, true);
}

static void ddc_start(Card *card)
{
    ddc_write(card, true, true);
    ddc_write(card, true, false);
    ddc_write(card, false, false);
}

static uint8_t ddc_bits(Card *card, unsigned count)
{
    uint8_t val = 0;

    while (count--) {
        val = val << 1 | ddc_clock(card, true);
    }
    return val;
}

/*
 * Migrates a displayed picture with a partly written palette entry, while the monitor is
 * sending a byte.
 */
static void test_display(void)
{
    Card *card = card_start("");
    Picture *before, *after;
    uint8_t byte;
    unsigned i;

    card_mode(card, NV3_TEST_C8, 0x40000);
    for (i = 0; i < 256; i++) {
        card_palette(card, i, i, 255 - i, i ^ 0x55);
    }
    for (i = 0; i < 640 * 480; i += 4) {
        card_vram_wr(card, 0x40000 + i, i * 0x01030507);
    }
    card_wr8(card, NV3_USER_DAC_WRITE_ADDR, 7);
    card_wr8(card, NV3_USER_DAC_DATA, 0x11);
    card_wr8(card, NV3_USER_DAC_DATA, 0x22);
    ddc_start(card);
    g_assert_true(ddc_send(card, 0xa0));
    g_assert_true(ddc_send(card, 1));
    ddc_start(card);
    g_assert_true(ddc_send(card, 0xa1));
    byte = ddc_bits(card, 3);

    card = moved(card);
    byte = byte << 5 | ddc_bits(card, 5);
    g_assert_cmphex(byte, ==, 0xff);    /* EDID: 00 ff ff ff ff ff ff 00 */
    for (i = 2; i < 8; i++) {
        ddc_clock(card, false);         /* acknowledge */
        if (i == 4) {
            card = moved(card);
        }
        g_assert_cmphex(ddc_bits(card, 8), ==, i == 7 ? 0x00 : 0xff);
    }
    before = picture_take(card);
    g_assert_cmpuint(before->width, ==, 640);
    card = moved(card);
    after = picture_take(card);
    g_assert_cmpmem(before->rgb, 640 * 480 * 3, after->rgb, 640 * 480 * 3);
    card_wr8(card, NV3_USER_DAC_DATA, 0x33);
    card_wr8(card, NV3_USER_DAC_READ_ADDR, 7);
    g_assert_cmphex(card_rd8(card, NV3_USER_DAC_DATA), ==, 0x11);
    g_assert_cmphex(card_rd8(card, NV3_USER_DAC_DATA), ==, 0x22);
    g_assert_cmphex(card_rd8(card, NV3_USER_DAC_DATA), ==, 0x33);
    picture_free(before);
    picture_free(after);
    card_stop(card);
}

/*
 * After a migration, an alarm and a vertical blank occur at the same time as without the
 * migration.
 */
static void test_timers(void)
{
    Card *card = card_start("");

    card_mode(card, NV3_TEST_X8R8G8B8, 0);
    card_wr(card, NV3_PMC_ENABLE, 0xffffffff);
    card_wr(card, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    card_wr(card, NV3_PTIMER_TIME_0, 0);
    card_wr(card, NV3_PTIMER_ALARM_0, 5000000);
    card_wr(card, NV3_PTIMER_INTR, NV3_PTIMER_INTR_ALARM);
    card_wr(card, NV3_PTIMER_INTR_EN, NV3_PTIMER_INTR_ALARM);
    card = moved(card);                 /* 1 ms goes by */
    qtest_clock_step(card->qts, 3900000);
    g_assert_false(card_irq(card));
    qtest_clock_step(card->qts, 200000);
    g_assert_true(card_irq(card));
    card_wr(card, NV3_PTIMER_INTR_EN, 0);
    g_assert_false(card_irq(card));
    card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
    card_wr(card, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_VBLANK);
    card = moved(card);
    qtest_clock_step(card->qts, 17000000);
    g_assert_true(card_irq(card));
    card_stop(card);
}

static char *hmp(Card *card, const char *command)
{
    char *text = qtest_hmp(card->qts, "%s", command);

    g_test_message("(qemu) %s: %s", command, text);
    return text;
}

static void hmp_silent(Card *card, const char *command)
{
    g_autofree char *text = hmp(card, command);

    g_assert_cmpstr(text, ==, "");
}

/*
 * Loads valid and invalid values of the registers and the index registers of VGA's
 * graphics controller and sequencer, which QEMU's VGA code implements.
 */
static void test_vga_registers(void)
{
    static const uint8_t gr[] = { 0x0a, 0x05, 0x0c, 0x13, 0x02, 0x41, 0x0d, 0x07,
                                  0xe9 };
    static const struct {
        int at;
        uint8_t flip;
        bool good;
    } cases[] = {
        { 0, 0x01, true }, { 0, 0x10, false }, { 1, 0x80, false },
        { 2, 0x20, false }, { 9, 0x01, false },     /* graphics controller */
        { -1, 0x01, true }, { -1, 0x10, false },    /* its index */
        { -9, 0x01, true }, { -9, 0x04, false },    /* the sequencer */
        { -10, 0x08, false },
    };
    g_autofree char *path = new_file();
    g_autofree char *data = NULL;
    Card *card = start();
    unsigned i;
    char *at;
    gsize len;

    for (i = 0; i < G_N_ELEMENTS(gr); i++) {
        card_wr8(card, NV3_PRMVIO + 0x3ce, i);
        card_wr8(card, NV3_PRMVIO + 0x3cf, gr[i]);
    }
    save_to(card, path);
    card_stop(card);
    g_assert_true(g_file_get_contents(path, &data, &len, NULL));
    at = memmem(data, len, gr, sizeof(gr));
    g_assert_nonnull(at);

    for (i = 0; i < G_N_ELEMENTS(cases); i++) {
        at[cases[i].at] ^= cases[i].flip;
        g_assert_true(g_file_set_contents(path, data, len, NULL));
        at[cases[i].at] ^= cases[i].flip;
        card = new_target(0);
        g_assert_cmpint(load_from(card, path), ==, cases[i].good);
        card_stop(card);
    }
    unlink(path);
}

/*
 * The target's properties would set another preferred mode. After the migration, the
 * preferred mode is that of the source, so no interrupt reports a change of the monitor.
 */
static void test_monitor_moved(void)
{
    Card *card = card_machine("", ",xres=800,yres=600");

    set_up(card);
    g_assert_cmphex(card_rd(card, NV3_PVIRT_INTR), ==, 0);
    card = moved(card);
    g_assert_cmphex(card_rd(card, NV3_PVIRT_INTR), ==, 0);
    card_stop(card);
}

/*
 * Loads the same snapshot twice, and after each load finishes the batch that was running
 * when the snapshot was saved.
 */
static void test_snapshot(void)
{
    g_autofree char *dir = g_dir_make_tmp("nv3-test-XXXXXX", NULL);
    g_autofree char *disk = g_build_filename(dir, "disk", NULL);
    g_autofree char *args = NULL;
    g_autofree char *first = NULL;
    g_autofree char *again = NULL;
    Card *card;

    g_assert_true(g_file_set_contents(disk, "", 0, NULL));
    g_assert_cmpint(truncate(disk, 1 * MiB), ==, 0);
    /* QEMU stores the snapshot in a temporary file in TMPDIR. */
    g_setenv("TMPDIR", dir, true);
    args = g_strdup_printf("-drive if=none,id=d,format=raw,file=%s,snapshot=on",
                           disk);
    card = card_machine(args, "");
    set_up(card);
    start_batch(card);
    hmp_silent(card, "savevm half");
    finish_batch(card);
    first = checksum(card, card->mem, 0, 8 * MiB);
    card_wr(card, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
    hmp_silent(card, "loadvm half");
    finish_batch(card);
    again = checksum(card, card->mem, 0, 8 * MiB);
    g_assert_cmpstr(first, ==, again);
    card_stop(card);
    g_unsetenv("TMPDIR");
    unlink(disk);
    rmdir(dir);
}

/*
 * Loads corrupted streams. Whether QEMU accepts a stream or refuses it, the machine must
 * still respond.
 */
static void test_hostile(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    g_autofree char *path = new_file();
    g_autofree char *data = NULL;
    Card *card = start();
    const char *chip;
    unsigned i, refused = 0;
    gsize len;

    start_batch(card);
    save_to(card, path);
    card_stop(card);
    g_assert_true(g_file_get_contents(path, &data, &len, NULL));
    chip = memmem(data, len, "\5\15nv3/chip/pbus", 15);
    g_assert_nonnull(chip);

    for (i = 0; i < 16; i++) {
        g_autofree char *bad = g_memdup2(data, len);
        char *at = bad + (chip - data);
        /* VGA, DDC and the configuration precede the first block in the stream. */
        int n = i < 4 ? -4 : i < 8 ? -g_rand_int_range(rand, 0, 900) :
                g_rand_int_range(rand, 0, 3500);

        at[n] ^= i < 4 ? 0x80 >> i : g_rand_int_range(rand, 1, 256);
        g_assert_true(g_file_set_contents(path, bad, len, NULL));
        card = new_target(0);
        if (load_from(card, path)) {
            qtest_qmp_eventwait(card->qts, "RESUME");
        } else {
            refused++;
        }
        /* Neither the main loop nor the engine's thread may hang. */
        card_find(card);
        qtest_clock_step(card->qts, 20000000);
        g_free(hmp(card, "info nv3"));
        card_stop(card);
    }
    g_assert_cmpuint(refused, >=, 4);
    unlink(path);
}

/*
 * Loads streams that lack one block of the chip. After the load, the missing block must
 * be in its reset state, and the other blocks must have their saved values.
 */
static void test_missing_block(void)
{
    static const struct {
        const char *block;
        uint32_t addr, val;
    } cases[] = {
        { "pfb", NV3_PFB_DELAY_1, 1 },
        { "ptimer", NV3_PTIMER_ALARM_0, 0x12345660 },
        { "display", NV3_PRAMDAC_VPLL, 0x00021e05 },
        { "pgraph", NV3_PGRAPH_PATTERN_A(0), 0x5a },
        { "pmc", NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE },
    };
    uint32_t after_reset[G_N_ELEMENTS(cases)];
    Card *card = card_start("");
    QPCIBar regs;
    Stream whole;
    unsigned i, j;

    for (i = 0; i < G_N_ELEMENTS(cases); i++) {
        after_reset[i] = card_rd(card, cases[i].addr);
        g_assert_cmphex(after_reset[i], !=, cases[i].val);
    }
    set_up(card);
    for (i = 0; i < G_N_ELEMENTS(cases); i++) {
        card_wr(card, cases[i].addr, cases[i].val);
        g_assert_cmphex(card_rd(card, cases[i].addr), ==, cases[i].val);
    }
    regs = card->regs;
    whole = stream_of(card);
    for (i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *message = NULL;
        Stream less = stream_copy(&whole);

        stream_remove(&less, cases[i].block);
        card = stream_load(&less, "", &message);
        if (!card) {
            g_error("without %s: %s", cases[i].block, message);
        }
        card->regs = regs;
        /*
         * In its reset state, PMC disables the other blocks, and the registers of a
         * disabled block cannot be read. Therefore, enable all blocks.
         */
        card_wr(card, NV3_PMC_ENABLE, 0xffffffff);
        for (j = 0; j < G_N_ELEMENTS(cases); j++) {
            uint32_t want = cases[j].val;

            if (i == j) {
                want = after_reset[j];
            }
            g_assert_cmphex(card_rd(card, cases[j].addr), ==, want);
        }
        card_stop(card);
        stream_free(&less);
    }
    stream_free(&whole);
}

static void assert_refused(const Stream *s, const char *props, const char *why)
{
    g_autofree char *message = NULL;

    g_assert_null(stream_load(s, props, &message));
    g_test_message("%s", message);
    if (!strstr(message, why)) {
        g_error("refused, but not because '%s': %s", why, message);
    }
}

/* Set the size of VRAM explicitly, because its default depends on other properties. */
#define SMALL   ",vram-size=8M"

/* QEMU must refuse each invalid stream and print the reason. */
static void test_refused(void)
{
    Stream whole = stream_of(start_with(SMALL));
    Stream bad = stream_copy(&whole);
    char *at;

    /* a subsection of a newer version of QEMU */
    at = subsection(&bad, "pme");
    at[2 + strlen("nv3/chip/pm")] = 'x';
    assert_refused(&bad, SMALL, "nv3/chip: there is no subsection 'nv3/chip/pmx'");
    at[2 + strlen("nv3/chip/pm")] = 'e';

    at = subsection_version(&bad, "pme");
    at[3]++;
    assert_refused(&bad, SMALL, "nv3/chip/pme: incoming version_id 2 is too new");
    at[3] -= 2;
    assert_refused(&bad, SMALL, "nv3/chip/pme: incoming version_id 0 is too old");
    at[3]++;

    /*
     * Load a subsection that lacks four bytes, and streams that end within a subsection
     * or before it.
     */
    at = subsection_version(&bad, "pgraph");
    memmove(at + 100, at + 104, bad.data + bad.len - (at + 104));
    bad.len -= 4;
    assert_refused(&bad, SMALL, "nv3");
    stream_free(&bad);
    bad = stream_copy(&whole);
    bad.len = subsection_version(&bad, "pgraph") - bad.data + 100;
    assert_refused(&bad, SMALL, "Failed to load nv3/chip/pgraph:");
    bad.len = subsection(&bad, "pgraph") - bad.data;
    assert_refused(&bad, SMALL, "/nv3");
    stream_free(&bad);

    /* QEMU does not support version 1 of the section. */
    bad = stream_copy(&whole);
    at = memmem(bad.data, bad.len, "\0200000:00:04.0/nv3\0\0\0\0\0\0\0\2", 25);
    g_assert_nonnull(at);
    at[24] = 1;
    assert_refused(&bad, SMALL, "nv3: incoming version_id 1 is too old");

    assert_refused(&whole, SMALL ",virt=off", "config.virt is 0x1 in the stream");
    assert_refused(&whole, SMALL ",without-class=0x17", "config.without_classes");
    stream_free(&bad);
    stream_free(&whole);
}

/*
 * QEMU saves the words that the DMA pusher has already fetched, because software may have
 * changed the memory since then. With an older machine type, or with
 * x-migrate-prefetch=off, QEMU does not save these words. In this case, the pusher
 * fetches them again.
 */
static void test_prefetch(void)
{
    static const struct {
        const char *machine, *props;
        bool saved;
    } cases[] = {
        { "", SMALL, true },
        { "", SMALL ",x-migrate-prefetch=off", false },
        { "-M pc-i440fx-9.2", "", false },
        { "-M pc-i440fx-9.2", ",x-migrate-prefetch=on", true },
    };
    Card *alone = start_with(SMALL), *other;
    unsigned i;

    start_batch(alone);
    finish_batch(alone);
    for (i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *args = NULL;
        g_autofree char *path = new_file();
        g_autofree char *data = NULL;
        QPCIBar regs, mem;
        Stream s;

        other = card_machine(cases[i].machine, cases[i].props);
        set_up(other);
        start_batch(other);
        if (cases[i].saved) {
            qtest_memset(other->qts, CARD_PUSH, 0xff, 4096);
        }
        regs = other->regs;
        mem = other->mem;
        s = stream_of(other);
        g_assert_cmpint(!!subsection(&s, "prefetch"), ==, cases[i].saved);
        g_assert_true(g_file_set_contents(path, s.data, s.len, NULL));
        stream_free(&s);
        args = g_strconcat("-incoming defer ", cases[i].machine, NULL);
        other = card_machine(args, cases[i].props);
        g_assert_true(load_from(other, path));
        unlink(path);
        qtest_qmp_eventwait(other->qts, "RESUME");
        card_find(other);
        other->regs = regs;
        other->mem = mem;
        finish_batch(other);
        g_assert_cmphex(card_rd(other, NV3_PFIFO_CACHE1_DMA_COUNT), ==, 0);
        assert_same_vram(alone, other);
        card_stop(other);
    }
    card_stop(alone);
}

static void test_monitor(void)
{
    g_autofree char *text = NULL;
    g_autofree char *state = NULL;
    Card *card = start();
    QDict *reply;

    start_batch(card);
    text = hmp(card, "info nv3");
    g_assert_nonnull(strstr(text, "/machine/peripheral/nv3"));
    g_assert_nonnull(strstr(text, "CACHE1 channel 3"));
    g_assert_nonnull(strstr(text, "0xbeef0001"));
    reply = qtest_qmp(card->qts, "{ 'execute': 'qom-get', 'arguments': {"
                      " 'path': 'nv3', 'property': 'state' } }");
    g_assert_nonnull(strstr(qdict_get_str(reply, "return"),
                            "CACHE1 channel 3"));
    qobject_unref(reply);
    card_stop(card);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("nv3/migration/batch", test_batch);
    qtest_add_func("nv3/migration/at-work", test_at_work);
    qtest_add_func("nv3/migration/display", test_display);
    qtest_add_func("nv3/migration/timers", test_timers);
    qtest_add_func("nv3/migration/hostile", test_hostile);
    qtest_add_func("nv3/migration/missing-block", test_missing_block);
    qtest_add_func("nv3/migration/refused", test_refused);
    qtest_add_func("nv3/migration/prefetch", test_prefetch);
    qtest_add_func("nv3/migration/vga-registers", test_vga_registers);
    qtest_add_func("nv3/migration/monitor", test_monitor_moved);
    qtest_add_func("nv3/snapshot", test_snapshot);
    qtest_add_func("nv3/monitor", test_monitor);
    return g_test_run();
}
