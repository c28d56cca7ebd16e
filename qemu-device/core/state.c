/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chip as a stream of bytes and back (state.h). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "state.h"

#define MAGIC           0x5333564e      /* "NV3S" */
#define FORMAT          1
#define HEADER_SIZE     28
#define BLOCK_SIZE      (NV3_STATE_NAME_MAX + 8)

/* In the order of dependence: the interrupt line is PMC's, so it is last. */
const NV3StateBlock *const nv3_state_blocks[] = {
    &nv3_chip_state,
    &nv3_pbus_state,
    &nv3_pfb_state,
    &nv3_pme_state,
    &nv3_prm_state,
    &nv3_pextdev_state,
    &nv3_pvirt_state,
    &nv3_pfifo_state,
    &nv3_pgraph_state,
    &nv3_pvideo_state,
    &nv3_display_state,
    &nv3_ptimer_state,
    &nv3_pmc_state,
};

const unsigned nv3_state_block_count =
    sizeof(nv3_state_blocks) / sizeof(nv3_state_blocks[0]);

/* ---- values -------------------------------------------------------------- */

static uint64_t get_le(const uint8_t *p, unsigned bytes)
{
    uint64_t val = 0;

    for (unsigned i = 0; i < bytes; i++) {
        val |= (uint64_t)p[i] << i * 8;
    }
    return val;
}

static void put_le(uint8_t *p, uint64_t val, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        p[i] = val >> i * 8;
    }
}

static uint64_t member_get(const void *p, const NV3StateField *f)
{
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

static void member_set(void *p, const NV3StateField *f, uint64_t val)
{
    switch (f->unit) {
    case 1:
        if (f->kind == NV3_STATE_BOOL) {
            *(bool *)p = val;
        } else {
            *(uint8_t *)p = val;
        }
        break;
    case 4:
        *(uint32_t *)p = val;
        break;
    default:
        *(uint64_t *)p = val;
        break;
    }
}

static bool saved(const NV3StateField *f, uint32_t version)
{
    return f->kind != NV3_STATE_NOT_SAVED && f->since <= version;
}

static size_t values_size(const NV3StateBlock *b, uint32_t version)
{
    size_t size = 0;

    for (unsigned i = 0; i < b->fields; i++) {
        size += saved(&b->field[i], version) ? b->field[i].size : 0;
    }
    return size;
}

/* ---- saving -------------------------------------------------------------- */

size_t nv3_state_block_size(const NV3StateBlock *b)
{
    return BLOCK_SIZE + values_size(b, b->version);
}

size_t nv3_state_size(void)
{
    size_t size = HEADER_SIZE;

    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        size += nv3_state_block_size(nv3_state_blocks[i]);
    }
    return size;
}

static uint32_t config_flags(const NV3State *s)
{
    return s->config.virt | s->config.acpi << 1;
}

static void save_header(const NV3State *s, uint8_t *p)
{
    put_le(p, MAGIC, 4);
    put_le(p + 4, FORMAT, 4);
    put_le(p + 8, s->config.revision, 4);
    put_le(p + 12, s->config.vram_size, 4);
    put_le(p + 16, config_flags(s), 4);
    put_le(p + 20, s->config.without_classes, 4);
    put_le(p + 24, nv3_state_block_count, 4);
}

static uint8_t *save_field(const NV3State *s, const NV3StateField *f,
                           uint64_t now, uint8_t *p)
{
    const char *member = (const char *)s + f->offset;

    for (uint32_t i = 0; i < f->size; i += f->unit, p += f->unit) {
        uint64_t val = member_get(member + i, f);

        put_le(p, f->kind == NV3_STATE_TIME ? val - now : val, f->unit);
    }
    return p;
}

uint8_t *nv3_state_save_block(NV3State *s, const NV3StateBlock *b, uint8_t *p)
{
    uint64_t now = nv3_clock(s);

    memcpy(p, b->name, NV3_STATE_NAME_MAX);
    p += NV3_STATE_NAME_MAX;
    put_le(p, b->version, 4);
    put_le(p + 4, values_size(b, b->version), 4);
    p += 8;
    for (unsigned i = 0; i < b->fields; i++) {
        if (saved(&b->field[i], b->version)) {
            p = save_field(s, &b->field[i], now, p);
        }
    }
    return p;
}

void nv3_state_save(NV3State *s, uint8_t *buf)
{
    save_header(s, buf);
    buf += HEADER_SIZE;
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        buf = nv3_state_save_block(s, nv3_state_blocks[i], buf);
    }
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

/* The next @len bytes; null at the end of the stream. */
static const uint8_t *take(NV3StateReader *r, size_t len)
{
    const uint8_t *p = r->in;

    if (len > r->left) {
        fail(r->error, "the stream is too short");
        return NULL;
    }
    r->in += len;
    r->left -= len;
    return p;
}

static bool load_header(NV3StateReader *r)
{
    const NV3Config *config = &r->s->config;
    const uint8_t *p = take(r, HEADER_SIZE);

    if (!p) {
        return false;
    }
    if (get_le(p, 4) != MAGIC || get_le(p + 4, 4) != FORMAT) {
        return fail(r->error, "this is no chip, or of a format not known here");
    }
    if (get_le(p + 8, 4) != config->revision ||
        get_le(p + 12, 4) != config->vram_size ||
        get_le(p + 16, 4) != config_flags(r->s) ||
        get_le(p + 20, 4) != config->without_classes) {
        return fail(r->error, "revision, vram-size, virt, acpi or "
                    "without-class differ");
    }
    if (get_le(p + 24, 4) != nv3_state_block_count) {
        return fail(r->error, "%" PRIu64 " blocks, not %u", get_le(p + 24, 4),
                    nv3_state_block_count);
    }
    return true;
}

static bool load_field(NV3StateReader *r, const NV3StateField *f, const uint8_t *p)
{
    char *member = (char *)r->s + f->offset;

    for (uint32_t i = 0; i < f->size; i += f->unit) {
        uint64_t val = get_le(p + i, f->unit);

        if ((val & ~f->bits) || val > f->most ||
            (f->kind == NV3_STATE_BOOL && val > 1)) {
            return fail(r->error, "%s (%u): 0x%" PRIx64 " is not possible",
                        f->name, i / f->unit, val);
        }
        if (f->kind == NV3_STATE_TIME) {
            val += r->now;
        }
        member_set(member + i, f, val);
    }
    return true;
}

bool nv3_state_load_block(NV3StateReader *r, const NV3StateBlock *b)
{
    const uint8_t *p = take(r, BLOCK_SIZE);
    uint32_t version, size;

    if (!p) {
        return false;
    }
    if (memcmp(p, b->name, NV3_STATE_NAME_MAX)) {
        return fail(r->error, "there should be %.*s", NV3_STATE_NAME_MAX,
                    b->name);
    }
    version = get_le(p + NV3_STATE_NAME_MAX, 4);
    size = get_le(p + NV3_STATE_NAME_MAX + 4, 4);
    if (!version || version > b->version) {
        return fail(r->error, "%.*s is of version %u, up to %u are known",
                    NV3_STATE_NAME_MAX, b->name, version, b->version);
    }
    if (size != values_size(b, version)) {
        return fail(r->error, "%.*s has %u bytes", NV3_STATE_NAME_MAX, b->name,
                    size);
    }
    p = take(r, size);
    if (!p) {
        return false;
    }
    for (unsigned i = 0; i < b->fields; i++) {
        if (saved(&b->field[i], version)) {
            if (!load_field(r, &b->field[i], p)) {
                return false;
            }
            p += b->field[i].size;
        }
    }
    return true;
}

static bool check(NV3StateReader *r)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];
        const char *wrong = b->check ? b->check(r->s) : NULL;

        if (wrong) {
            return fail(r->error, "%.*s: %s", NV3_STATE_NAME_MAX, b->name,
                        wrong);
        }
    }
    return true;
}

static bool load_all(NV3StateReader *r)
{
    if (!load_header(r)) {
        return false;
    }
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        if (!nv3_state_load_block(r, nv3_state_blocks[i])) {
            return false;
        }
    }
    if (r->left) {
        return fail(r->error, "%zu bytes follow the last block", r->left);
    }
    return check(r);
}

/*
 * A chip of the same kind just after a reset, for values that a stream has not. It
 * has no host, so what happens to it is not told to anybody.
 */
static NV3State *scratch_new(const NV3State *s)
{
    const NV3Ops ops = { .clock_ns = s->ops.clock_ns };
    NV3Config config = s->config;

    config.raster_threads = 0;
    config.raster_isa = 0;
    return nv3_new(&config, &ops, s->opaque, s->vram, NULL);
}

static void take_over(NV3State *s, const NV3State *from)
{
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        const NV3StateBlock *b = nv3_state_blocks[i];

        for (unsigned j = 0; j < b->fields; j++) {
            const NV3StateField *f = &b->field[j];

            if (f->kind != NV3_STATE_NOT_SAVED) {
                memcpy((char *)s + f->offset, (const char *)from + f->offset,
                       f->size);
            }
        }
    }
    for (unsigned i = 0; i < nv3_state_block_count; i++) {
        if (nv3_state_blocks[i]->loaded) {
            nv3_state_blocks[i]->loaded(s);
        }
    }
}

bool nv3_state_load(NV3State *s, const uint8_t *buf, size_t len,
                    NV3LoadError *error)
{
    NV3StateReader r = {
        .s = scratch_new(s), .in = buf, .left = len, .now = nv3_clock(s),
        .error = error,
    };
    bool ok;

    if (!r.s) {
        return fail(error, "out of memory");
    }
    ok = load_all(&r);
    if (ok) {
        take_over(s, r.s);
        /* The engine looks for itself whether there is work. */
        nv3_kick(s);
    }
    nv3_free(r.s);
    return ok;
}
