/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the tables of methods in docs/reference/chip/programs.md. The argument of the
 * program is the path of this document. The tables must list exactly the methods that
 * class 0x1F executes. The heading above a table names the chip from which the table's
 * methods come.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "programs_flat.h"

#define METHODS      (NV3_PROGRAMS_METHODS / 4)
/*
 * All methods from this offset on exist only in this class and not on NVIDIA's chips,
 * except TEX_CACHE_CTL.
 */
#define FIRST_CHOSEN 0x1f00u

typedef enum Source {
    NOWHERE, NV2A, GEFORCE_6, CHOSEN,
} Source;

static const char *path;
static uint8_t listed[METHODS];

/* Records that a table of @source lists the methods @first to @last. */
static void list(unsigned long first, unsigned long last, Source source)
{
    assert_true(first % 4 == 0 && last % 4 == 0 && first <= last &&
                last < NV3_PROGRAMS_METHODS);
    for (unsigned long at = first; at <= last; at += 4) {
        if (listed[at / 4]) {
            fail_msg("method 0x%04lx is listed twice", at);
        }
        listed[at / 4] = source;
    }
}

/*
 * Reads the first column of a row, such as "0x0100", "0x0200, 0x0204" or "0x0330 to
 * 0x0338".
 */
static void read_row(char *cell, Source source)
{
    char *at = cell;

    while (*at && *at != '|') {
        unsigned long first = strtoul(at, &at, 16), last = first;

        if (!strncmp(at, " to ", 4)) {
            last = strtoul(at + 4, &at, 16);
        }
        list(first, last, source);
        at += strspn(at, ", ");
    }
}

static Source read_heading(const char *line)
{
    return !strcmp(line, "### From the NV2A\n") ? NV2A :
           !strcmp(line, "### From the GeForce 6\n") ? GEFORCE_6 :
           !strcmp(line, "### Chosen\n") ? CHOSEN : NOWHERE;
}

static void read_page(void)
{
    FILE *file = fopen(path, "r");
    Source source = NOWHERE;
    unsigned headings = 0;
    char line[512];

    assert_non_null(file);
    memset(listed, 0, sizeof(listed));
    while (fgets(line, sizeof(line), file)) {
        if (!strncmp(line, "#", 1)) {
            source = read_heading(line);
            headings += source != NOWHERE;
        } else if (source && !strncmp(line, "| 0x", 4)) {
            read_row(line + 2, source);
        }
    }
    fclose(file);
    if (headings != 3) {
        fail_msg("%s has %u of the 3 headings that read_heading() knows", path, headings);
    }
}

static void test_methods(void **state)
{
    FlatMemory none = { 0 };
    const NV3ProgramsMemory accessors = { FLAT_ACCESSORS(&none) };
    NV3Programs *p = nv3_programs_new(&accessors, 1);
    unsigned differences = 0;

    read_page();
    for (uint32_t at = 0; at < NV3_PROGRAMS_METHODS; at += 4) {
        const bool exists = nv3_programs_method(p, at, 0) != NV3_PROGRAMS_BAD_METHOD;

        if (exists != !!listed[at / 4]) {
            print_message("# method 0x%04x %s\n", at, exists ? "is not listed" :
                          "is listed, but does not exist");
            differences++;
        }
    }
    assert_int_equal(differences, 0);
    nv3_programs_free(p);
}

static void test_sources(void **state)
{
    read_page();
    for (uint32_t at = 0; at < NV3_PROGRAMS_METHODS; at += 4) {
        if (listed[at / 4]) {
            assert_int_equal(listed[at / 4] == CHOSEN,
                             at >= FIRST_CHOSEN && at != NV3_PM_TEX_CACHE_CTL);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_sources),
    };

    if (argc != 2) {
        fprintf(stderr, "usage: %s PAGE\n", argv[0]);
        return 2;
    }
    path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
