/* SPDX-License-Identifier: MIT */
/* Reads scripts line by line (script.h). The functions of parse.h parse each statement. */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static const struct {
	const char *word;
	enum statement_kind kind;
	void (*parse)(struct parser *p, struct statement *s);
} kinds[] = {
	{ "channel", STATEMENT_CHANNEL, parse_channel },
	{ "surface", STATEMENT_SURFACE, parse_surface },
	{ "dma", STATEMENT_DMA, parse_dma },
	{ "object", STATEMENT_OBJECT, parse_object },
	{ "submit", STATEMENT_SUBMIT, parse_submit },
	{ "vram", STATEMENT_WORDS, parse_words },
	{ "memory", STATEMENT_WORDS, parse_words },
	{ "answer", STATEMENT_ANSWER, parse_answer },
	{ "engine", STATEMENT_ENGINE, parse_engine },
	{ "run", STATEMENT_RUN, parse_run },
	{ "picture", STATEMENT_PICTURE, parse_picture },
};

static void unknown_statement(struct parser *p)
{
	struct nv3_names_hint hint;
	uint32_t offset;
	unsigned int i;

	if (nv3_names_find_register(p->word[0], &offset)) {
		parse_error(p, "there is no statement '%.40s': a register is written by '%.40s = VALUE'",
			    p->word[0], p->word[0]);
		return;
	}
	nv3_names_hint_begin(&hint, p->word[0]);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		nv3_names_hint_add(&hint, kinds[i].word);
	nv3_names_hint_add(&hint, "SUBCHANNEL METHOD VALUE");
	nv3_names_hint_add(&hint, "REGISTER = VALUE");
	parse_error(p, "there is no statement '%.40s'%s", p->word[0], nv3_names_hint_text(&hint));
}

static void parse_statement(struct parser *p, struct statement *s)
{
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(p->word[0], kinds[i].word)) {
			s->kind = kinds[i].kind;
			kinds[i].parse(p, s);
			return;
		}
	}
	if (p->words > 1 && !strcmp(p->word[1], "=")) {
		s->kind = STATEMENT_REGISTER;
		parse_register(p, s);
	} else if (p->word[0][0] >= '0' && p->word[0][0] <= '9') {
		s->kind = STATEMENT_METHOD;
		parse_method(p, s);
	} else {
		unknown_statement(p);
	}
}

/* Removes a comment and white space at both ends. */
static char *trim(char *line)
{
	char *end;

	line[strcspn(line, "#\n")] = '\0';
	line += strspn(line, " \t\r");
	end = line + strlen(line);
	while (end > line && strchr(" \t\r", end[-1]))
		*--end = '\0';
	return line;
}

static bool add_statement(struct script *script, struct parser *p, const char *text)
{
	struct statement *all = realloc(script->statements,
					(script->count + 1) * sizeof(*all));
	struct statement *s;
	char *copy = strdup(text);

	if (all)
		script->statements = all;
	if (!all || !copy) {
		free(copy);
		parse_error(p, "out of memory");
		return false;
	}
	s = &all[script->count++];
	memset(s, 0, sizeof(*s));
	s->text = copy;
	s->line = p->line;
	if (parse_split(p, text))
		parse_statement(p, s);
	return true;
}

static bool read_lines(struct script *script, struct parser *p, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	bool ok = true;

	while (ok && p->errors < PARSE_ERRORS_MAX && getline(&line, &size, file) >= 0) {
		char *text = trim(line);

		p->line++;
		if (*text)
			ok = add_statement(script, p, text);
	}
	free(line);
	if (ferror(file))
		parse_error(p, "%s", strerror(errno));
	if (!p->errors && !script->count)
		parse_error(p, "the script has no statement: begin with 'channel 1'");
	return !p->errors;
}

bool script_read(struct script *script, const char *path, FILE *file)
{
	struct parser parser = { .path = path };
	bool ok;

	memset(script, 0, sizeof(*script));
	script->path = strdup(path);
	ok = script->path && read_lines(script, &parser, file);
	parse_finish(&parser);
	if (!ok)
		script_free(script);
	return ok;
}

bool script_read_file(struct script *script, const char *path)
{
	FILE *file = fopen(path, "re");
	bool ok;

	if (!file) {
		fprintf(stderr, "nv3-step: %s: %s\n", path, strerror(errno));
		return false;
	}
	ok = script_read(script, path, file);
	fclose(file);
	return ok;
}

void script_free(struct script *script)
{
	unsigned int i;

	for (i = 0; i < script->count; i++) {
		struct statement *s = &script->statements[i];

		free(s->text);
		if (s->kind == STATEMENT_WORDS)
			free(s->words.words);
		if (s->kind == STATEMENT_PICTURE)
			free(s->picture.file);
	}
	free(script->statements);
	free(script->path);
	memset(script, 0, sizeof(*script));
}
