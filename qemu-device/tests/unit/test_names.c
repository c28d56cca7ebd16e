/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the tables of include/names. The tables must name exactly the methods that
 * classes of the core accept, and exactly the registers of the core's blocks.
 * nv3_names_parse_value() must convert each printed text back to its value.
 */
#include <stdio.h>

#include "blocks.h"
#include "graph.h"
#include "nv3_names.h"
#include "nv3_programs.h"

#define IMAGE       (HOST_MEM_BASE + 0x40000u)
#define MTHD_END    0x2000u

/* ---- methods, compared with the core ---- */

/*
 * Creates a chip that has every class. PGRAPH's current object has the class @id and the
 * source format @format.
 */
static Graph *new_graph(uint32_t id, uint32_t format)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true, .programs = true,
    };
    Graph *g = graph_new_config(&config);

    host_wr32(g->host, NV3_PVIRT_GRCTX, IMAGE);
    g->s->pgraph.ctx_user = GRAPH_CHID << 24 | id << 16;
    g->s->pgraph.ctx_switch = format;
    g->s->pgraph.before.options = format;
    return g;
}

static void find_accepted(bool *accepted, uint32_t id, uint32_t format)
{
    Graph *g = new_graph(id, format);
    const NV3Class *class = nv3_pgraph_find_class(g->s, id);

    for (uint32_t mthd = 4; class && mthd < MTHD_END; mthd += 4) {
        if (mthd == NV3_MTHD_NOTIFY ||
            class->method(g->s, mthd, 0) != NV3_MTHD_BAD_METHOD) {
            accepted[mthd / 4] = true;
        }
        while (nv3_pgraph_step(g->s)) {
            continue;
        }
    }
    accepted[NV3_MTHD_OBJECT] = class;
    nv3_pgraph_flush(g->s);
    graph_free(g);
}

static void check_class(uint32_t id, const char *name, const bool *accepted)
{
    const struct nv3_class_names *class = nv3_names_class(id);
    char text[NV3_NAMES_TEXT];
    uint32_t offset;

    if (!class) {
        fail_msg("class 0x%02x, %s, has no names", id, name);
        return;
    }
    assert_string_equal(class->name, name);
    assert_ptr_equal(nv3_names_find_class(name), class);
    for (uint32_t mthd = 0; mthd < MTHD_END; mthd += 4) {
        const struct nv3_word *word = nv3_names_method(class, mthd);

        nv3_names_print_method(class, mthd, text, sizeof(text));
        if (!word && accepted[mthd / 4]) {
            fail_msg("%s: method 0x%04x has no name", name, mthd);
        }
        if (word && word->software == accepted[mthd / 4]) {
            fail_msg("%s: the core %s %s", name,
                     word->software ? "accepts" : "refuses", text);
        }
        if (word) {
            assert_true(nv3_names_find_method(class, text, &offset));
            assert_int_equal(offset, mthd);
        }
    }
}

/*
 * A source format with three planes, for which class SIFM has two additional methods.
 */
#define FORMAT_PLANES   7

static void test_methods(void **state)
{
    for (uint32_t id = 0; id < NV3_CLASS_MAX; id++) {
        bool accepted[MTHD_END / 4] = { false };
        const NV3Class *class = nv3_class_table[id];

        if (!class) {
            assert_null(nv3_names_class(id));
            continue;
        }
        find_accepted(accepted, id, 0);
        find_accepted(accepted, id, FORMAT_PLANES);
        check_class(id, class->name, accepted);
    }
}

/* ---- named values, compared with the core ---- */

/*
 * Sets @value to the lowest value without a name in @field. Returns false if all values
 * have names.
 */
static bool find_nameless(const struct nv3_field *field, uint32_t *value)
{
    const uint64_t end = UINT64_C(1) << field->bits;
    uint64_t i = 0;

    while (i < end && nv3_names_value(field, i)) {
        i++;
    }
    *value = i;
    return i < end;
}

/*
 * Returns an argument in which every enumeration has a named value. Other fields are 0.
 */
static uint32_t valid_argument(const struct nv3_field *fields)
{
    uint32_t value = 0;

    for (; fields->bits; fields++) {
        if (fields->kind == NV3_FIELD_ENUM) {
            value |= fields->values->value << fields->shift;
        }
    }
    return value;
}

/*
 * Returns true if class @id does not check the argument of @word when it executes this
 * method. Class PROGRAMS checks all state when a primitive begins.
 */
static bool is_deferred(uint32_t id, const struct nv3_word *word)
{
    return id == NV3_CLASS_PROGRAMS && word->offset != NV3_PM_BEGIN_END;
}

static void check_values(uint32_t id, const struct nv3_word *word)
{
    const struct nv3_field *field;

    for (field = word->fields; field && field->bits; field++) {
        uint32_t mask = field->bits == 32 ? UINT32_MAX : (1u << field->bits) - 1;
        uint32_t nameless, argument;
        Graph *g;

        if (field->kind != NV3_FIELD_ENUM || !find_nameless(field, &nameless)) {
            continue;
        }
        argument = valid_argument(word->fields) & ~(mask << field->shift);
        argument |= nameless << field->shift;
        g = new_graph(id, 0);
        if (nv3_pgraph_find_class(g->s, id)->method(g->s, word->offset, argument) !=
            NV3_MTHD_BAD_DATA) {
            fail_msg("class 0x%02x: %s accepts 0x%x, which has no name", id, word->name,
                     argument);
        }
        graph_free(g);
    }
}

static void test_named_values(void **state)
{
    for (uint32_t id = 0; id < NV3_CLASS_MAX; id++) {
        const struct nv3_class_names *class = nv3_names_class(id);
        const struct nv3_word *word;

        for (word = class ? class->methods : NULL; word && word->name; word++) {
            if (!word->software && !is_deferred(id, word)) {
                check_values(id, word);
            }
        }
    }
}

/* ---- registers, compared with the core ---- */

/*
 * Address ranges of PMC, PFIFO, PTIMER, PGRAPH and PDMA. The names of PVIRT's registers
 * cannot be checked, because PVIRT reports a write to an unknown register as a write to a
 * read-only register.
 */
static const struct {
    uint32_t start, end;
} blocks[] = {
    { 0x000000, 0x001000 }, { 0x002000, 0x004000 }, { 0x009000, 0x00a000 },
    { 0x400000, 0x402000 },
};

static Host *new_host(NV3Revision revision)
{
    const NV3Config config = {
        .revision = revision, .vram_size = 4 << 20, .virt = true, .programs = true,
    };
    Host *h = host_new_config(&config);

    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    return h;
}

static bool has_register(Host *h, uint32_t addr)
{
    host_forget(h);
    host_rd32(h, addr);
    if (h->logs[NV3_LOG_UNIMP] == 0) {
        return true;
    }
    host_forget(h);
    host_wr32(h, addr, 0);
    return h->logs[NV3_LOG_UNIMP] == 0;
}

static void check_register(uint32_t addr, bool exists)
{
    const struct nv3_word *word = nv3_names_register(addr);
    char text[NV3_NAMES_TEXT];
    uint32_t found;

    nv3_names_print_register(addr, text, sizeof(text));
    if (exists != (word != NULL)) {
        fail_msg("register 0x%06x, %s: the core %s it", addr, text,
                 exists ? "has" : "lacks");
    }
    if (word) {
        assert_true(nv3_names_find_register(text, &found));
        assert_int_equal(found, addr);
    }
}

static void test_registers(void **state)
{
    Host *a = new_host(NV3_REVISION_A), *c = new_host(NV3_REVISION_C);

    for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        for (uint32_t at = blocks[i].start; at < blocks[i].end; at += 4) {
            bool in_a = has_register(a, at);

            check_register(at, has_register(c, at) || in_a);
        }
    }
    host_free(a);
    host_free(c);
}

/* ---- values ---- */

static void check_round_trip(const struct nv3_word *word, uint32_t value)
{
    char text[NV3_NAMES_TEXT], error[NV3_NAMES_TEXT] = "";
    uint32_t back = ~value;

    nv3_names_print_value(word->fields, value, text, sizeof(text));
    if (strlen(text) == sizeof(text) - 1) {
        fail_msg("%s: 0x%08x is too long: %s", word->name, value, text);
    }
    if (!nv3_names_parse_value(word->fields, text, &back, error, sizeof(error)) ||
        back != value) {
        fail_msg("%s: 0x%08x is printed as '%s' and read as 0x%08x (%s)", word->name,
                 value, text, back, error);
    }
}

static void check_words(const struct nv3_word *word)
{
    uint32_t seed = 0x12345;

    for (; word->name; word++) {
        check_round_trip(word, 0);
        check_round_trip(word, UINT32_MAX);
        for (unsigned bit = 0; bit < 32; bit++) {
            check_round_trip(word, 1u << bit);
        }
        for (unsigned i = 0; i < 1000; i++) {
            check_round_trip(word, graph_rand(&seed));
        }
    }
}

static void test_round_trip(void **state)
{
    for (const struct nv3_class_names *class = nv3_names_classes; class->name; class++) {
        check_words(class->methods);
    }
    check_words(nv3_names_registers);
}

/* Checks that the fields of a word do not overlap, and that their names differ. */
static void check_fields(const struct nv3_word *word)
{
    uint32_t used = 0;

    for (const struct nv3_field *f = word->fields; f && f->bits; f++) {
        uint32_t mask = (f->bits == 32 ? UINT32_MAX : (1u << f->bits) - 1) << f->shift;

        assert_true(f->shift + f->bits <= 32);
        assert_int_equal(used & mask, 0);
        used |= mask;
        assert_int_equal(f->kind == NV3_FIELD_ENUM, f->values != NULL);
        for (const struct nv3_field *g = word->fields; f->name && g != f; g++) {
            assert_string_not_equal(f->name, g->name);
        }
    }
}

static void test_fields(void **state)
{
    for (const struct nv3_class_names *class = nv3_names_classes; class->name; class++) {
        for (const struct nv3_word *word = class->methods; word->name; word++) {
            check_fields(word);
        }
    }
    for (const struct nv3_word *word = nv3_names_registers; word->name; word++) {
        check_fields(word);
    }
}

static const struct nv3_field *fields_of(const char *class_name, const char *method)
{
    const struct nv3_class_names *class = nv3_names_find_class(class_name);
    uint32_t offset;

    assert_true(nv3_names_find_method(class, method, &offset));
    return nv3_names_method(class, offset)->fields;
}

static void assert_prints(const char *class, const char *method, uint32_t value,
                          const char *expected)
{
    char text[NV3_NAMES_TEXT];

    nv3_names_print_value(fields_of(class, method), value, text, sizeof(text));
    assert_string_equal(text, expected);
}

static void assert_reads(const char *class, const char *method, const char *text,
                         uint32_t expected)
{
    char error[NV3_NAMES_ERROR] = "";
    uint32_t value = 0;

    if (!nv3_names_parse_value(fields_of(class, method), text, &value, error,
                               sizeof(error))) {
        fail_msg("%s: %s", text, error);
    }
    assert_int_equal(value, expected);
}

static void test_values(void **state)
{
    assert_prints("RECT", "POINT(3)", 0xfffd000a, "x=10 y=-3");
    assert_prints("RECT", "COLOR", 0x7fff, "0x00007fff");
    assert_prints("D3D", "X(127)", 0x3fc00000, "1.5");
    assert_prints("D3D", "X(0)", 0x7fc00000, "0x7fc00000");
    assert_prints("D3D", "TEX_FORMAT", 0x43310000,
                  "key=0x0 key_enable format=R5G6B5 size_min=3 size_max=4");
    assert_prints("SIFM", "DU_DX", 0xfff80000, "-0.5");
    assert_prints("PATTERN", "SHAPE", 2, "1X64");
    assert_prints("PATTERN", "SHAPE", 3, "0x3");
    assert_prints("PROGRAMS", "CLEAR_SURFACE", 0, "0");
    assert_prints("PROGRAMS", "CLEAR_SURFACE", 0x103, "depth stencil rest=0x100");

    assert_reads("RECT", "point(3)", "y=-3 X=10", 0xfffd000a);
    assert_reads("RECT", "POINT(3)", "0xfffd000a", 0xfffd000a);
    assert_reads("D3D", "X(0)", "1.5", 0x3fc00000);
    assert_reads("D3D", "X(0)", "2", 0x40000000);
    assert_reads("D3D", "X(0)", "0x2", 2);
    assert_reads("D3D", "TEX_FORMAT", "format=r5g6b5 key_enable", 0x00310000);
    assert_reads("SIFM", "DU_DX", "-0.5", 0xfff80000);
    assert_reads("SURFACE", "FORMAT", "X1R5G5B5", 0x01000000);
}

static void test_invalid_values(void **state)
{
    static const struct {
        const char *class, *method, *text, *error;
    } cases[] = {
        { "RECT", "POINT(0)", "", "a value is expected" },
        { "RECT", "POINT(0)", "z=1", "there is no field 'z': choose from x, y" },
        { "RECT", "POINT(0)", "x=1x", "x: '1x' is not a value" },
        { "RECT", "POINT(0)", "x=65536", "x: '65536' does not fit into 16 bits" },
        { "RECT", "POINT(0)", "x=-32769", "x: '-32769' does not fit into 16 bits" },
        { "RECT", "SIZE(0)", "width=-1", "width: '-1' does not fit into 16 bits" },
        { "RECT", "POINT(0)", "x", "field x has no value: write x=..." },
        { "RECT", "COLOR", "1 2", "one value is expected, not '2' as well" },
        { "RECT", "COLOR", "0x123456789",
          "the value: '0x123456789' is not a value" },
        { "D3D", "X(0)", "one", "the value: 'one' is not a value" },
        { "PATTERN", "SHAPE", "2X2",
          "the value: '2X2' is not a value: choose from 8X8, 64X1, 1X64" },
        { "SURFACE", "FORMAT", "X8R8G8",
          "the value: 'X8R8G8' is not a value: did you mean X8R8G8B8?" },
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char error[NV3_NAMES_ERROR] = "";
        uint32_t value = 0x55;

        assert_false(nv3_names_parse_value(fields_of(cases[i].class, cases[i].method),
                                           cases[i].text, &value, error, sizeof(error)));
        assert_string_equal(error, cases[i].error);
        assert_int_equal(value, 0x55);
    }
}

static void test_invalid_names(void **state)
{
    static const char *const names[] = {
        "", "POIN", "POINT", "POINT()", "POINT(16)", "POINT(-1)", "POINT(1", "POINT(1))",
        "POINT(1,0)", "COLOR(0)", "POINT(18446744073709551616)",
    };
    const struct nv3_class_names *rect = nv3_names_find_class("rect");
    char text[NV3_NAMES_TEXT];
    uint32_t offset;

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_false(nv3_names_find_method(rect, names[i], &offset));
    }
    assert_true(nv3_names_find_method(nv3_names_find_class("LIN"), "POINT(15,1)",
                                      &offset));
    assert_int_equal(offset, NV3_LINE_POINT(15, 1));
    assert_null(nv3_names_find_class("RECTANGLE"));
    assert_null(nv3_names_class(0x16));
    assert_null(nv3_names_method(rect, 0x1234));
    nv3_names_print_method(rect, 0x1234, text, sizeof(text));
    assert_string_equal(text, "0x1234");
    /* If the buffer is too small, the text must be truncated. */
    nv3_names_print_method(rect, NV3_RECT_POINT(3), text, 5);
    assert_string_equal(text, "POIN");
}

static void assert_method_hint(const char *class, const char *unknown,
                               const char *expected)
{
    struct nv3_names_hint hint;
    const struct nv3_class_names *names = nv3_names_find_class(class);

    assert_string_equal(nv3_names_hint_method(&hint, names, unknown), expected);
}

/* The hint for an unknown name must suggest a similar name, or list valid names. */
static void test_hints(void **state)
{
    struct nv3_names_hint hint;
    const char *text;
    char longest[200];

    assert_method_hint("RECT", "colour", ": did you mean COLOR?");
    assert_method_hint("RECT", "POINT(16)", ": choose from POINT(0) to POINT(15)");
    assert_method_hint("RECT", "", ": choose from OPERATION, COLOR, "
                       "POINT(0) to POINT(15), SIZE(0) to SIZE(15), NOTIFY, "
                       "SET_NOTIFY_DMA, OBJECT");
    assert_method_hint("LIN", "POINTS", ": did you mean POINT(0,0) to POINT(15,1)?");
    assert_method_hint("FLIP", "PLAY", ": choose from WAIT, FLIP, OBJECT");
    assert_method_hint("PROGRAMS", "BLEND_ENBLE", ": did you mean BLEND_ENABLE?");
    text = nv3_names_hint_register(&hint, "pgraph_betta");
    assert_string_equal(text, ": did you mean PGRAPH_BETA?");
    /* Names that have only a prefix such as PTIMER_ in common are not similar. */
    text = nv3_names_hint_register(&hint, "PTIMER_WEEKDAY");
    assert_ptr_equal(strstr(text, ": choose from PTIMER_"), text);
    assert_null(strstr(text, "PGRAPH"));
    assert_string_equal(nv3_names_hint_class(&hint, "PROGRAM", true),
                        ": did you mean PROGRAMS?");
    assert_null(strstr(nv3_names_hint_class(&hint, "", true), "SEMAPHORE"));
    assert_non_null(strstr(nv3_names_hint_class(&hint, "", false), "SEMAPHORE"));
    /* A hint can be requested for a name of any length. */
    memset(longest, 'P', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    text = nv3_names_hint_register(&hint, longest);
    assert_ptr_equal(strstr(text, ": choose from PMC_BOOT_0, "), text);
    assert_string_equal(text + strlen(text) - 5, ", ...");
}

/* If not all names fit into the buffer, the list must end with "...". */
static void test_lists(void **state)
{
    char list[64];

    for (size_t size = 8; size < sizeof(list); size++) {
        memset(list, 1, sizeof(list));
        nv3_names_list_methods(nv3_names_find_class("RECT"), list, size);
        assert_true(strlen(list) < size);
        assert_int_equal(list[size], 1);
        if (size >= 55) {
            assert_string_equal(list, "COLOR, POINT(0) to POINT(15), "
                                "SIZE(0) to SIZE(15)");
        } else {
            assert_string_equal(list + strlen(list) - 3, "...");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_named_values),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_invalid_values),
        cmocka_unit_test(test_invalid_names),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
