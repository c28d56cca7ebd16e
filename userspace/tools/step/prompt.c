/* SPDX-License-Identifier: MIT */
#include "prompt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nv3_names.h"

#define ARGUMENTS_MAX	3
#define COUNT_MAX	1000000

/* A command and its arguments. Missing arguments are null. */
struct command {
	const char *word[ARGUMENTS_MAX];
};

static bool complain(const char *what, const char *word)
{
	fprintf(stderr, "nv3-step: %s '%s': try help\n", what, word);
	return false;
}

/* Reads a number from 0 to @max. */
static bool read_number(const char *text, unsigned int max, unsigned int *number)
{
	unsigned long long n;
	char *end;

	n = strtoull(text, &end, 0);
	if (end == text || *end || *text == '-' || n > max)
		return complain("not a number:", text);
	*number = n;
	return true;
}

/* Reads an optional number. Its default is @missing. */
static bool read_count(const char *text, unsigned int missing, unsigned int *count)
{
	*count = missing;
	return !text || read_number(text, COUNT_MAX, count);
}

/* ---- movement ---- */

static void print_place(struct session *session)
{
	const struct script *script = session->script;

	if (session->next < script->count)
		printf("next %u: %s\n", script->statements[session->next].line,
		       script->statements[session->next].text);
	else
		printf("next: the end of %s\n", script->path);
}

static bool forward(struct session *session)
{
	if (session->next < session->script->count)
		return session_forward(session);
	fprintf(stderr, "nv3-step: this is the end of the script\n");
	return false;
}

static bool do_next(struct session *session, const struct command *c)
{
	unsigned int count;
	bool ok;

	for (ok = read_count(c->word[1], 1, &count); ok && count; count--)
		ok = forward(session);
	print_place(session);
	return ok;
}

static bool do_back(struct session *session, const struct command *c)
{
	unsigned int count;
	bool ok;

	for (ok = read_count(c->word[1], 1, &count); ok && count; count--)
		ok = session_back(session);
	print_place(session);
	return ok;
}

/*
 * Runs forwards or backwards until the next statement is the first statement at or after the given
 * line.
 */
static bool do_goto(struct session *session, const struct command *c)
{
	const struct script *script = session->script;
	unsigned int line, target;
	bool ok = true;

	if (!c->word[1])
		return complain("goto needs a line:", "goto");
	if (!read_count(c->word[1], 0, &line))
		return false;
	for (target = 0; target < script->count && script->statements[target].line < line;)
		target++;
	while (ok && session->next < target)
		ok = session_forward(session);
	while (ok && session->next > target)
		ok = session_back(session);
	print_place(session);
	return ok;
}

static bool do_end(struct session *session, const struct command *c)
{
	bool ok = true;

	while (ok && session->next < session->script->count)
		ok = session_forward(session);
	print_place(session);
	return ok;
}

static bool do_list(struct session *session, const struct command *c)
{
	const struct script *script = session->script;
	unsigned int i;

	for (i = 0; i < script->count; i++)
		printf("%s %4u  %s\n", i == session->next ? "->" : "  ",
		       script->statements[i].line, script->statements[i].text);
	return true;
}

/* ---- state ---- */

static bool do_registers(struct session *session, const struct command *c)
{
	observe_print_registers(&session->now, c->word[1], stdout);
	return true;
}

static bool do_cache1(struct session *session, const struct command *c)
{
	observe_print_cache1(&session->world, &session->now, stdout);
	return true;
}

static bool do_ramht(struct session *session, const struct command *c)
{
	observe_print_ramht(&session->now, stdout);
	return true;
}

static bool do_ramfc(struct session *session, const struct command *c)
{
	observe_print_ramfc(&session->now, stdout);
	return true;
}

static bool do_ramro(struct session *session, const struct command *c)
{
	observe_print_ramro(&session->world, &session->now, stdout);
	return true;
}

static bool print_memory(const uint8_t *memory, uint32_t size, const struct command *c)
{
	unsigned int offset, count, i;

	if (!c->word[1])
		return complain("an offset is missing:", c->word[0]);
	if (!read_number(c->word[1], UINT32_MAX, &offset) || !read_count(c->word[2], 4, &count))
		return false;
	if (offset % 4 || offset >= size || count > (size - offset) / 4)
		return complain("not a range of whole words:", c->word[1]);
	for (i = 0; i < count; i++, offset += 4)
		printf("%s%08x", i % 8 ? " " : i ? "\n  " : "  ",
		       memory[offset] | memory[offset + 1] << 8 | memory[offset + 2] << 16 |
		       (unsigned int)memory[offset + 3] << 24);
	printf("\n");
	return true;
}

static bool do_vram(struct session *session, const struct command *c)
{
	return print_memory(session->world.machine.vram, MACHINE_VRAM_SIZE, c);
}

static bool do_memory(struct session *session, const struct command *c)
{
	return print_memory(session->world.machine.memory, MACHINE_MEMORY_SIZE, c);
}

static bool do_picture(struct session *session, const struct command *c)
{
	unsigned int slot;

	if (!c->word[1])
		return complain("a file name is missing:", "picture");
	if (!read_count(c->word[2], 0, &slot))
		return false;
	if (slot >= RM_SURFACES)
		return complain("not a slot:", c->word[2]);
	return session_picture(session, c->word[1], slot);
}

/* ---- all ---- */

static bool do_help(struct session *session, const struct command *c);

static const struct {
	const char *name, *arguments, *does;
	bool (*run)(struct session *session, const struct command *c);
} commands[] = {
	{ "next", "[N]", "executes the next N statements (1); an empty line does, too", do_next },
	{ "back", "[N]", "returns to the state N statements (1) before", do_back },
	{ "goto", "LINE", "goes forwards or backwards to a line of the script", do_goto },
	{ "end", "", "executes all other statements", do_end },
	{ "list", "", "prints the script", do_list },
	{ "registers", "[NAME]", "registers with NAME in their name, or that are not 0",
	  do_registers },
	{ "cache1", "", "methods that wait in CACHE1", do_cache1 },
	{ "ramht", "", "handles in RAMHT", do_ramht },
	{ "ramfc", "", "contexts in RAMFC", do_ramfc },
	{ "ramro", "", "methods that have overflowed to RAMRO", do_ramro },
	{ "vram", "OFFSET [N]", "N words (4) of VRAM", do_vram },
	{ "memory", "OFFSET [N]", "N words (4) of system memory", do_memory },
	{ "picture", "FILE [SLOT]", "writes a surface as PNG", do_picture },
	{ "help", "", "prints this", do_help },
	{ "quit", "", "ends", NULL },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static bool do_help(struct session *session, const struct command *c)
{
	unsigned int i;

	for (i = 0; i < COMMANDS; i++)
		printf("  %-10s%-12s%s\n", commands[i].name, commands[i].arguments,
		       commands[i].does);
	printf("A command may be abbreviated.\n");
	return true;
}

/* Executes the command in a line. Sets @quit if the command is "quit". */
static bool run_line(struct session *session, char *line, bool *quit)
{
	struct command c = { .word = { "next" } };
	unsigned int i;
	char *rest = line, *word;

	for (i = 0; (word = strtok_r(rest, " \t\n", &rest)); i++) {
		if (i == ARGUMENTS_MAX)
			return complain("too many arguments:", c.word[0]);
		c.word[i] = word;
	}
	for (i = 0; i < COMMANDS; i++) {
		if (strncmp(commands[i].name, c.word[0], strlen(c.word[0])))
			continue;
		*quit = !commands[i].run;
		return *quit || commands[i].run(session, &c);
	}
	return complain("there is no command", c.word[0]);
}

bool prompt_run(struct session *session, FILE *in)
{
	bool terminal = isatty(fileno(in)), ok = true, quit = false;
	char *line = NULL;
	size_t size = 0;

	print_place(session);
	while (!quit) {
		if (terminal)
			printf("> ");
		fflush(stdout);
		if (getline(&line, &size, in) < 0)
			break;
		ok = run_line(session, line, &quit);
	}
	free(line);
	return ok;
}
