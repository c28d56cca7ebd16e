// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Testing the switch of PGRAPH
 *
 * The test loads drawing states into the registers of PGRAPH and reads the registers back. The
 * values that it reads must equal the loaded values, even if nv3_pgraph_load() has skipped
 * registers that already had the right value. IGT's nv3_switch reads the result from debugfs.
 */

#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "nv3_debug.h"
#include "rm/nv3_switch.h"
#include "rm/nv3_job.h"

/* Drawing states of PGRAPH. */
struct nv3_switch_test {
	struct nv3_graph_state a, b, back;
	/** @mixed: the state that was loaded last */
	struct nv3_graph_state mixed;
	/** @wrong: the bits that differed from @mixed when the registers were read back */
	struct nv3_graph_state wrong;
};

/* Sets a different value for each register. If @flip is ~0, inverts these values. */
static void nv3_switch_test_pattern(struct nv3_graph_state *state, u32 flip)
{
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_WORDS; i++)
		state->word[i] = hash_32(i + 1, 32) ^ flip;
	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		state->fetched[i] = hash_32(~i, 32) ^ flip;
}

/*
 * Sets @state to a mixture of @a and @b. If @flip is 0, a word comes from @a if bit @bit of its
 * index is set, else from @b. If @flip is 1, @a and @b have exchanged roles. The fetched words
 * always come from @a.
 */
static void nv3_switch_test_mix(struct nv3_graph_state *state, const struct nv3_graph_state *a,
				const struct nv3_graph_state *b, unsigned int bit,
				unsigned int flip)
{
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_WORDS; i++)
		state->word[i] = (i >> bit & 1) != flip ? a->word[i] : b->word[i];
	memcpy(state->fetched, a->fetched, sizeof(state->fetched));
}

static void nv3_switch_test_compare(struct nv3_switch_test *test)
{
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_WORDS; i++)
		test->wrong.word[i] |= test->back.word[i] ^ test->mixed.word[i];
	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		test->wrong.fetched[i] |= test->back.fetched[i] ^ test->mixed.fetched[i];
}

/*
 * Switches between states in which half of the words are equal. For any two registers, at least one
 * of these switches keeps the value of the first register and changes the value of the second.
 */
static void nv3_switch_test_mixed(struct nv3_rm *rm, struct nv3_switch_test *test)
{
	unsigned int bit, flip;

	for (bit = 0; bit < order_base_2(NV3_GRAPH_WORDS); bit++) {
		for (flip = 0; flip < 2; flip++) {
			nv3_switch_test_mix(&test->mixed, &test->a, &test->b, bit, flip);
			nv3_pgraph_load(rm->nv3, &test->a, NULL);
			nv3_pgraph_load(rm->nv3, &test->mixed, &test->a);
			nv3_pgraph_save(rm->nv3, &test->back);
			nv3_switch_test_compare(test);
		}
	}
}

/*
 * Loads a pattern, its inverse, mixed states, and the pattern again, in the same way as a switch of
 * PGRAPH loads a state. No channel owns PGRAPH.
 */
static void nv3_switch_test_states(struct nv3_rm *rm, struct nv3_switch_test *test)
{
	struct nv3_graph_state *tmp = &test->back;

	nv3_switch_test_pattern(tmp, 0);
	nv3_pgraph_load(rm->nv3, tmp, NULL);
	nv3_pgraph_save(rm->nv3, &test->a);
	nv3_switch_test_pattern(tmp, ~0);
	nv3_pgraph_load(rm->nv3, tmp, &test->a);
	nv3_pgraph_save(rm->nv3, &test->b);
	nv3_switch_test_mixed(rm, test);
	nv3_pgraph_load(rm->nv3, &test->b, NULL);
	nv3_pgraph_load(rm->nv3, &test->a, &test->b);
	nv3_pgraph_save(rm->nv3, &test->back);
	nv3_pgraph_load(rm->nv3, &rm->graph_reset, NULL);
	nv3_pgraph_drop_object(rm->nv3);
}

static int nv3_switch_test_run(struct nv3_rm *rm, struct nv3_switch_test *test)
{
	lockdep_assert_held(&rm->lock);

	if (rm->dead)
		return -ENODEV;
	if (rm->running || nv3_rd32(rm->nv3, NV3_PGRAPH_STATUS))
		return -EBUSY;

	nv3_wr32(rm->nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	nv3_switch_save_idle_pgraph(rm);
	nv3_wr32(rm->nv3, NV3_PGRAPH_CTX_CONTROL, NV3_RM_CTX_CONTROL);
	nv3_switch_test_states(rm, test);
	nv3_wr32(rm->nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
	return 0;
}

/**
 * nv3_switch_test_show() - print the debugfs file `switch`
 * @rm: the resource manager
 * @m: the debugfs file
 *
 * The function loads a pattern, its inverse, and the pattern again into all registers of
 * nv3_pgraph_regs, and prints the three values that it reads from each register. The test passes if
 * the third value of each register is equal to the first. The test is conclusive only for registers
 * whose second value differs from the first. The last column shows the bits that were wrong after
 * switches between partly equal states, and must be 0.
 *
 * Context: process context; takes nv3_rm.lock.
 * Return: 0, -EBUSY if a batch runs, -ENODEV or -ENOMEM.
 */
int nv3_switch_test_show(struct nv3_rm *rm, struct seq_file *m)
{
	struct nv3_switch_test *test;
	unsigned long flags;
	unsigned int i;
	int ret;

	test = kzalloc(sizeof(*test), GFP_KERNEL);
	if (!test)
		return -ENOMEM;

	flags = nv3_rm_lock(rm);
	ret = nv3_switch_test_run(rm, test);
	nv3_rm_unlock(rm, flags);

	for (i = 0; i < NV3_GRAPH_WORDS && !ret; i++)
		seq_printf(m, "%06x %08x %08x %08x %08x\n", nv3_pgraph_reg(i), test->a.word[i],
			   test->b.word[i], test->back.word[i], test->wrong.word[i]);
	for (i = 0; i < NV3_GRAPH_FETCHED && !ret; i++)
		seq_printf(m, "%06x %08x %08x %08x %08x\n", nv3_pgraph_fetched_reg(i),
			   test->a.fetched[i], test->b.fetched[i], test->back.fetched[i],
			   test->wrong.fetched[i]);

	kfree(test);
	return ret;
}
