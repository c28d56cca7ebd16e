/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads fragment programs from memory, and caches their translations. */
#include <stdlib.h>
#include <string.h>

#include "native/native.h"
#include "programs/programs_int.h"

#define PIECE_WORDS     64
/* Cost of translating and compiling a word of a program, see nv3_programs_set_slice(). */
#define WORD_COST       272

static void drop(ProgramsCode *c)
{
    nv3_fp_code_free(c->code);
    free(c->words);
    memset(c, 0, sizeof(*c));
}

void nv3_programs_drop_code(NV3Programs *p)
{
    for (unsigned i = 0; i < PROGRAMS_CODES; i++) {
        drop(&p->fragment[i]);
    }
    for (unsigned i = 0; i < PROGRAMS_DRAWS; i++) {
        free(p->words[i]);
        p->words[i] = NULL;
    }
}

/*
 * Returns true if a source operand of the instruction is a constant. In this case the
 * constant's words follow the instruction.
 */
static bool has_constant(const uint32_t *words)
{
    bool found = false;

    for (unsigned s = 1; s < NV3_FP_INSN_WORDS; s++) {
        found |= (words[s] & 3) == NV3_FP_BANK_CONSTANT;
    }
    return found;
}

/*
 * Returns the length of the program in words, or 0 if its last instruction is not within
 * @count words.
 */
static unsigned program_words(const uint32_t *words, unsigned count)
{
    for (unsigned at = 0; at + NV3_FP_INSN_WORDS <= count;) {
        bool last = words[at] & 1;

        at += NV3_FP_INSN_WORDS * (has_constant(words + at) ? 2 : 1);
        if (last) {
            return at <= count ? at : 0;
        }
    }
    return 0;
}

static bool read_words(NV3Programs *p, uint32_t offset, uint32_t *words, unsigned count)
{
    uint8_t bytes[4 * PIECE_WORDS];

    /* A program does not continue at address 0. */
    if (4 * count > (1ull << 32) - offset ||
        !p->memory.read(p->memory.opaque, offset, bytes, 4 * count)) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *b = bytes + 4 * i;

        words[i] = b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
    }
    return true;
}

/*
 * Reads a program in pieces of PIECE_WORDS, up to the piece with the program's last
 * instruction. Returns the length of the program in words, or 0 if the last instruction
 * is not readable.
 */
static unsigned read_program(NV3Programs *p, uint32_t offset, uint32_t *words)
{
    unsigned count = 0, end = 0;

    while (!end && count + PIECE_WORDS <= NV3_FP_WORDS && offset + 4 * count >= offset) {
        unsigned piece = PIECE_WORDS;

        /*
         * A piece may extend beyond the end of the accessible memory, so try shorter
         * pieces.
         */
        while (piece && !read_words(p, offset + 4 * count, words + count, piece)) {
            piece -= NV3_FP_INSN_WORDS;
        }
        count += piece;
        end = program_words(words, count);
        if (piece < PIECE_WORDS) {
            break;
        }
    }
    return end;
}

/*
 * Returns a copy of a program in which all constants are 0. Returns null if memory is
 * exhausted.
 */
static uint32_t *without_constants(const uint32_t *words, unsigned count)
{
    uint32_t *copy = calloc(count, sizeof(*copy));
    unsigned at = 0;

    while (copy && at < count) {
        memcpy(copy + at, words + at, NV3_FP_INSN_WORDS * sizeof(*copy));
        at += NV3_FP_INSN_WORDS * (has_constant(words + at) ? 2 : 1);
    }
    return copy;
}

/* Returns the cache entry of a program, or null. All constants in @words must be 0. */
static ProgramsCode *find(NV3Programs *p, const uint32_t *words, unsigned count,
                          uint32_t control)
{
    for (unsigned i = 0; i < PROGRAMS_CODES; i++) {
        ProgramsCode *c = &p->fragment[i];

        if (c->code && c->count == count && c->control == control &&
            !memcmp(c->words, words, 4 * count)) {
            return c;
        }
    }
    return NULL;
}

/*
 * Sets *@entry to the least recently used entry of the cache, and empties this entry.
 * First executes the deferred draws, which may use the entry.
 */
static NV3ProgramsResult make_room(NV3Programs *p, ProgramsCode **entry)
{
    ProgramsCode *oldest = &p->fragment[0];
    NV3ProgramsResult result;

    for (unsigned i = 1; i < PROGRAMS_CODES; i++) {
        if (p->fragment[i].used < oldest->used) {
            oldest = &p->fragment[i];
        }
    }
    if (oldest->code) {
        result = nv3_programs_draw(p, true);
        if (result) {
            return result;
        }
        drop(oldest);
    }
    *entry = oldest;
    return NV3_PROGRAMS_OK;
}

/*
 * Translates a program and adds the translation to the cache. @key: a copy of the program
 * in which all constants are 0. On success, the entry owns @key.
 */
static NV3ProgramsResult add(NV3Programs *p, const uint32_t *words, uint32_t *key,
                             unsigned count, uint32_t control, ProgramsCode **entry)
{
    NV3ProgramsResult result = make_room(p, entry);
    ProgramsCode *c = *entry;
    unsigned position;
    NV3FpError error;

    if (result) {
        return result;
    }
    /*
     * Translate the program even if the cost exceeds the rest of the slice: a very long
     * program may cost more than a whole slice.
     */
    p->left -= (int64_t)count * WORD_COST;
    c->code = nv3_fp_code_new(words, count, control, &error, &position);
    if (!c->code) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    nv3_native_compile_fp(c->code, p->level);
    p->translated++;
    c->words = key;
    c->count = count;
    c->control = control;
    return NV3_PROGRAMS_OK;
}

/*
 * Reads the program at FP_ACTIVE_PROGRAM into @words. Sets *@entry to its cache entry,
 * which is created if necessary.
 */
static NV3ProgramsResult get_code(NV3Programs *p, const NV3FpDraw *draw, uint32_t *words,
                                  ProgramsCode **entry)
{
    const uint32_t offset = programs_word(p, NV3_PM_FP_ACTIVE_PROGRAM) & ~3u;
    const uint32_t control =
        (programs_word(p, NV3_PM_FP_CONTROL) & NV3_FP_CONTROL_DEPTH) |
        (nv3_pixops_uses_alpha(&draw->pixops) ? 0 : NV3_FP_CONTROL_NO_ALPHA);
    unsigned count = read_program(p, offset, words);
    NV3ProgramsResult result = NV3_PROGRAMS_OK;
    uint32_t *key;

    if (!count) {
        return programs_fault(p, offset);
    }
    key = without_constants(words, count);
    if (!key) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    *entry = find(p, key, count, control);
    if (*entry) {
        free(key);
        return NV3_PROGRAMS_OK;
    }
    result = add(p, words, key, count, control, entry);
    if (result) {
        free(key);
    }
    return result;
}

NV3ProgramsResult nv3_programs_code(NV3Programs *p, unsigned draw)
{
    NV3ProgramsResult result;
    ProgramsCode *c;

    if (!p->words[draw]) {
        p->words[draw] = malloc(NV3_FP_WORDS * sizeof(uint32_t));
    }
    if (!p->words[draw]) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    result = get_code(p, &p->draw[draw], p->words[draw], &c);
    if (!result) {
        c->used = ++p->use;
        p->draw[draw].code = c->code;
        p->draw[draw].words = p->words[draw];
    }
    return result;
}
