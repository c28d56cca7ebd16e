/* SPDX-License-Identifier: MIT */
/* Tests the assembler of nv3-demo: encodings, and the line numbers of errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assemble.h"

#define MAX	64

typedef int (*assembler)(const char *text, uint32_t *words, uint32_t max);

static void check(assembler assemble, const char *text, const uint32_t *want, uint32_t count)
{
	uint32_t words[MAX] = { 0 };

	assert_int_equal(assemble(text, words, MAX), count);
	assert_memory_equal(words, want, count * sizeof(*want));
}

#define CHECK(assemble, text, ...) do { \
	const uint32_t want[] = { __VA_ARGS__ }; \
	check(assemble, text, want, sizeof(want) / sizeof(want[0])); \
} while (0)

/* Compares the assembled words with the words of programs that are known to draw correctly. */
static void test_vertex(void **state)
{
	CHECK(assemble_vertex,
	      "# copies two attributes\n"
	      "MOV o0, v0\n"
	      "\n"
	      "  MOV o3, v3\t# the colour\n",
	      0x00000000, 0x0020001b, 0x0836086c, 0x1000f800,
	      0x00000000, 0x0020061b, 0x0836086c, 0x1000f819);
	/*
	 * Tests masks, swizzles, negation and a constant. ADD encodes its second source in the
	 * field of the third source.
	 */
	CHECK(assemble_vertex, "ADD r4.xy, c5, -v2.wzyx",
	      0x00000000, 0x0060a41b, 0x0c360f90, 0x2c400001);
	/* A scalar operation uses the field of the third source, and has its own write mask. */
	CHECK(assemble_vertex, "RSQ r2.w, r1.x",
	      0x00000000, 0x0800001b, 0x04360800, 0x50210001);
}

static void test_fragment(void **state)
{
	CHECK(assemble_fragment, "MOV r0, f1\n",
	      0x01003e01, 0x1c9dc801, 0x0001c801, 0x0001c801);
	CHECK(assemble_fragment, "TEX_BX2 r1.xyz, f4, t3\nMOV_SAT r0, r1.x\n",
	      0x17268e02, 0x1c9dc801, 0x0001c801, 0x0001c801,
	      0x81001e01, 0x1c9c0004, 0x0001c801, 0x0001c801);
	CHECK(assemble_fragment, "MUL r2.xz, -r5, {1, 2, -0.5, 0}",
	      0x02000a05, 0x1c9fc814, 0x0001c802, 0x0001c801,
	      0x3f800000, 0x40000000, 0xbf000000, 0x00000000);
}

/* For an error, the assembler returns the negated line number. */
static void test_errors(void **state)
{
	static const struct {
		assembler assemble;
		const char *text;
		int line;
	} bad[] = {
		{ assemble_vertex, "", 1 },
		{ assemble_vertex, "# nothing\n", 2 },
		{ assemble_vertex, "MOV o0, v0\nNAN o0, v0\n", 2 },
		{ assemble_vertex, "MOV o0\n", 1 },
		{ assemble_vertex, "MOV o0, v0, v0\n", 1 },
		{ assemble_vertex, "MOV o0, v0 v1\n", 1 },
		{ assemble_vertex, "MOV o19, v0\n", 1 },
		{ assemble_vertex, "MOV r12, v0\n", 1 },
		{ assemble_vertex, "MOV o0, v16\n", 1 },
		{ assemble_vertex, "MOV o0, c192\n", 1 },
		{ assemble_vertex, "MOV o0, f0\n", 1 },
		{ assemble_vertex, "MOV o0.q, v0\n", 1 },
		{ assemble_vertex, "MOV_SAT o0, v0\n", 1 },
		{ assemble_vertex, "MUL o0, v0, v1\n", 1 },	/* two attributes */
		{ assemble_vertex, "MUL o0, c0, c1\n", 1 },
		{ assemble_fragment, "MUL r0, f1, f4\n", 1 },
		{ assemble_fragment, "MUL r0, {1, 0, 0, 0}, {0, 1, 0, 0}\n", 1 },
		{ assemble_fragment, "MOV r0, {1, 0, 0}\n", 1 },
		{ assemble_fragment, "MOV r48, f1\n", 1 },
		{ assemble_fragment, "MOV o0, f1\n", 1 },
		{ assemble_fragment, "MOV_BX2 r0, f1\n", 1 },
		{ assemble_fragment, "TEX r0, f4\n", 1 },
		{ assemble_fragment, "TEX r0, f4, t16\n", 1 },
		{ assemble_fragment, "TEX r0, f4, r1\n", 1 },
		{ assemble_fragment, "DP9999999 r0, f4\n", 1 },
	};
	uint32_t words[MAX], i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(bad[i].assemble(bad[i].text, words, MAX), -bad[i].line);
	/* The array has no room for the second instruction. */
	assert_int_equal(assemble_fragment("MOV r0, f1\nMOV r0, f1\n", words, 7), -2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vertex),
		cmocka_unit_test(test_fragment),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
