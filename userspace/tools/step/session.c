/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nv3_regs.h"
#include "picture.h"

/* Time by which each statement advances the clock, in ns */
#define STATEMENT_NS	1000
/* Maximum number of interrupts that "answer always" handles after one statement */
#define ANSWERS_MAX	10000
#define SESSION_TEXT	512

bool session_init(struct session *session, const struct script *script, NV3Simd simd)
{
	memset(session, 0, sizeof(*session));
	session->script = script;
	session->scale = 1;
	session->world.engine = true;
	session->world.answer = ANSWER_NEVER;
	if (!machine_init(&session->world.machine, simd))
		return false;
	rm_init(&session->world.rm, &session->world.machine);
	observe(&session->world, &session->now);
	return true;
}

void session_fini(struct session *session)
{
	while (session->saved_count)
		saved_free(session->saved[--session->saved_count]);
	machine_fini(&session->world.machine);
}

/* ---- statements ---- */

static void write_words(struct machine *m, const struct statement *s)
{
	uint32_t offset = s->words.offset, i;
	unsigned int n;

	for (n = 0; n < s->words.count; n++) {
		for (i = 0; i < s->words.words[n].count; i++, offset += 4) {
			if (s->words.vram)
				machine_vram_wr32(m, offset, s->words.words[n].value);
			else
				machine_memory_wr32(m, offset, s->words.words[n].value);
		}
	}
}

static const char *store_methods(struct rm *rm, const struct statement *s)
{
	const char *error = NULL;
	uint32_t i;

	for (i = 0; i < s->method.times && !error; i++)
		error = rm_method(rm, s->method.subch, s->method.mthd, s->method.data);
	return error;
}

static void answer(struct session *session, unsigned int times)
{
	char text[SESSION_TEXT];

	while (times-- && rm_answer(&session->world.rm, text, sizeof(text))) {
		if (!session->quiet)
			printf("  %-10s%s\n", "answer", text);
		if (session->world.engine)
			machine_run(&session->world.machine, 0);
	}
}

static void set_answer(struct session *session, enum answer_mode mode)
{
	if (mode != ANSWER_ONCE)
		session->world.answer = mode;
	else if (session->world.machine.irq)
		answer(session, 1);
	else if (!session->quiet)
		printf("  %-10s%s\n", "answer", "no interrupt is pending");
}

/* Executes a statement. Returns null, or a message if the statement fails. */
static const char *execute(struct session *session, const struct statement *s)
{
	struct machine *m = &session->world.machine;
	struct rm *rm = &session->world.rm;

	switch (s->kind) {
	case STATEMENT_CHANNEL:
		return rm_channel(rm, s->channel.chid, s->channel.dma);
	case STATEMENT_SURFACE:
		rm_set_surface(rm, s->surface.slot, &s->surface.info);
		return NULL;
	case STATEMENT_DMA:
		return rm_add_dma(rm, &s->dma);
	case STATEMENT_OBJECT:
		return rm_add_object(rm, &s->object);
	case STATEMENT_METHOD:
		return store_methods(rm, s);
	case STATEMENT_SUBMIT:
		return rm_submit(rm);
	case STATEMENT_REGISTER:
		machine_wr32(m, s->reg.offset, s->reg.value);
		return NULL;
	case STATEMENT_WORDS:
		write_words(m, s);
		return NULL;
	case STATEMENT_ANSWER:
		set_answer(session, s->answer);
		return NULL;
	case STATEMENT_ENGINE:
		session->world.engine = s->engine;
		return NULL;
	case STATEMENT_RUN:
		machine_run(m, s->run);
		return NULL;
	case STATEMENT_PICTURE:
		return session_picture(session, s->picture.file, s->picture.slot) ? NULL :
		       "the picture can't be written";
	}
	return NULL;
}

bool session_picture(struct session *session, const char *file, unsigned int slot)
{
	const struct rm_surface *surface = &rm_current(&session->world.rm)->surface[slot];
	uint32_t crc;

	if (!surface->exists) {
		fprintf(stderr, "nv3-step: the channel has no surface in slot %u: create it by 'surface %u FORMAT WIDTHxHEIGHT'\n",
			slot, slot);
		return false;
	}
	if (!picture_write(&session->world.machine, surface, file, session->scale, &crc))
		return false;
	if (!session->quiet)
		printf("  %-10s%s: %ux%u, CRC-32 %08x\n", "picture", file, surface->width,
		       surface->height, crc);
	return true;
}

/* ---- steps ---- */

static void print_log(struct session *session)
{
	const struct machine *m = &session->world.machine;
	unsigned int i = 0;

	if (m->logged > MACHINE_LOG_LINES) {
		i = m->logged - MACHINE_LOG_LINES;
		printf("  %-10s%u earlier messages\n", "chip", i);
	}
	for (; i < m->logged; i++)
		printf("  %-10s%s\n", "chip", m->log[i % MACHINE_LOG_LINES]);
}

/*
 * Writes a picture of surface 0 if the last statement has changed this surface. The function
 * compares pixels, because the chip does not count the pixels that class PROGRAMS draws.
 */
static bool picture_of_step(struct session *session)
{
	char file[SESSION_TEXT];

	if (!session->pictures ||
	    !observe_surface_changed(&session->world, session->saved[session->saved_count - 1], 0))
		return true;
	snprintf(file, sizeof(file), "%s/%04u.png", session->pictures,
		 session->script->statements[session->next].line);
	return session_picture(session, file, 0);
}

/*
 * Saves the present state. If session->keep is false, drops the previously saved state, because
 * only the last saved state is needed to find changed pixels. If session->keep is true, drops the
 * oldest saved state if there are already SESSION_STATES_MAX states.
 */
static bool save(struct session *session)
{
	struct saved *last = session->saved_count ? session->saved[session->saved_count - 1] : NULL;
	struct saved *saved = saved_new(&session->world, last);
	unsigned int drop = session->keep ? session->saved_count == SESSION_STATES_MAX :
					    session->saved_count;

	if (!saved) {
		fprintf(stderr, "nv3-step: no memory for another state\n");
		return false;
	}
	if (drop) {
		saved_free(session->saved[0]);
		memmove(session->saved, session->saved + 1,
			--session->saved_count * sizeof(session->saved[0]));
	}
	session->saved[session->saved_count++] = saved;
	return true;
}

static void print_step(struct session *session, const struct observation *before)
{
	if (session->quiet)
		return;
	observe_print_changes(&session->world, before, &session->now, stdout);
	observe_print_memory(&session->world, session->saved[session->saved_count - 1], stdout);
	print_log(session);
}

bool session_forward(struct session *session)
{
	const struct statement *s = &session->script->statements[session->next];
	struct observation before = session->now;
	const char *error;

	if (!save(session))
		return false;
	if (!session->quiet)
		printf("%u: %s\n", s->line, s->text);
	machine_forget_log(&session->world.machine);
	machine_pass(&session->world.machine, STATEMENT_NS);
	error = execute(session, s);
	if (session->world.engine)
		machine_run(&session->world.machine, 0);
	if (session->world.answer == ANSWER_ALWAYS)
		answer(session, ANSWERS_MAX);
	observe(&session->world, &session->now);
	print_step(session, &before);
	fflush(stdout);
	if (error) {
		fprintf(stderr, "%s:%u: %s\n", session->script->path, s->line, error);
		return false;
	}
	if (!picture_of_step(session))
		return false;
	session->next++;
	return true;
}

bool session_back(struct session *session)
{
	struct observation before = session->now;
	const struct statement *s;
	struct saved *after, *saved;

	if (!session->saved_count || !session->next) {
		fprintf(stderr, "nv3-step: there is no earlier state\n");
		return false;
	}
	after = saved_new(&session->world, session->saved[session->saved_count - 1]);
	saved = session->saved[--session->saved_count];
	if (!after || !saved_load(saved, &session->world)) {
		saved_free(after);
		saved_free(saved);
		return false;
	}
	s = &session->script->statements[--session->next];
	printf("before %u: %s\n", s->line, s->text);
	observe(&session->world, &session->now);
	if (!session->quiet) {
		observe_print_changes(&session->world, &before, &session->now, stdout);
		observe_print_memory(&session->world, after, stdout);
	}
	saved_free(after);
	saved_free(saved);
	return true;
}
