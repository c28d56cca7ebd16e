/* SPDX-License-Identifier: MIT */
/*
 * Checks methods that set state. All state of class PROGRAMS persists in its context image. The
 * state of other objects, such as the clip rectangle, persists as well. The state of a primitive,
 * such as the colour of a rectangle, persists only until the chip executes a method of another
 * object, or until the end of the batch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nv3_class.h>
#include <nv3_drm.h>
#include <nv3_names.h>
#include <nv3_programs.h>

#include "lint.h"

#define METHODS		(0x2000 / 4)
#define REPEATED_MAX	64u

/* The most recent argument of a method */
struct value {
	uint32_t value;
	uint32_t draws;		/* number of drawings before the method */
	uint32_t epoch;		/* lint_state.epoch, or 1 for persistent state */
};

/* A method that sets a value unnecessarily, and the number of such methods in the batch */
struct repeated {
	const struct stream_object *object;
	const struct nv3_word *method;	/* or array of methods */
	uint32_t mthd, word, count;
	/* true: the value was overwritten before use; false: the method set the same value again */
	bool overwritten;
};

struct lint_state {
	struct lint_programs *values;	/* lint_programs.c */
	struct value programs[METHODS];
	struct value objects[NV3_CLASS_RECT][METHODS];	/* for classes that only hold state */
	struct value primitive[METHODS];
	const struct stream_object *last; /* object whose primitive has the values in @primitive */
	uint32_t epoch;			/* incremented when @primitive becomes invalid */
	uint32_t draws;
	/* index of the BEGIN_END of an open primitive, plus 1; 0: none */
	uint32_t begin;
	uint32_t begin_methods;		/* methods since @begin */
	bool idle;			/* methods after the last WAIT_FOR_IDLE only set state */

	struct stream_object *slots[DRM_NV3_SURFACE_SLOTS];
	uint32_t slot_word[DRM_NV3_SURFACE_SLOTS];	/* index of the bind's word in this batch,
							 * plus 1 */
	const struct stream_object *checked; /* the last object whose buffers were checked */

	bool textures_known;		/* @texture_changes and @texture_targets are valid */
	uint64_t texture_changes;	/* lint.changes at the last TEX_CACHE_CTL */
	uint32_t texture_targets;	/* value of @targets at the last TEX_CACHE_CTL */
	uint32_t targets;

	struct repeated repeated[REPEATED_MAX];
	uint32_t repeated_count;
};

struct lint_state *lint_state_new(void)
{
	struct lint_state *state = calloc(1, sizeof(*state));

	if (!state)
		return NULL;
	state->epoch = 1;
	state->values = lint_programs_new();
	if (state->values)
		return state;
	free(state);
	return NULL;
}

void lint_state_free(void *data)
{
	struct lint_state *state = data;

	if (state)
		free(state->values);
	free(state);
}

void lint_state_begin(struct lint_state *state)
{
	state->epoch++;
	state->last = NULL;
	state->checked = NULL;
	state->repeated_count = 0;
	memset(state->slot_word, 0, sizeof(state->slot_word));
}

/* ---- methods that set state ---- */

struct range {
	uint32_t class_id, first, last;
};

/* Methods that set state, as listed in docs/reference/chip/programs.md and pgraph.md */
static const struct range ranges[] = {
	{ NV3_CLASS_PROGRAMS, NV3_PM_SURFACE_CLIP_HORIZONTAL, NV3_PM_SURFACE_ZETA_OFFSET },
	{ NV3_CLASS_PROGRAMS, NV3_PM_FOG_ENABLE, NV3_PM_FOG_COLOR },
	{ NV3_CLASS_PROGRAMS, NV3_PM_ALPHA_TEST_ENABLE, NV3_PM_POINT_SIZE },
	{ NV3_CLASS_PROGRAMS, NV3_PM_SCISSOR_HORIZ, NV3_PM_SCISSOR_VERT },
	{ NV3_CLASS_PROGRAMS, NV3_PM_VTXTEX, NV3_PM_VTXTEX + 0x7c },
	{ NV3_CLASS_PROGRAMS, NV3_PM_VIEWPORT_HORIZ, NV3_PM_VIEWPORT_VERT },
	{ NV3_CLASS_PROGRAMS, NV3_PM_VIEWPORT_OFFSET, NV3_PM_VIEWPORT_OFFSET + 0xc },
	{ NV3_CLASS_PROGRAMS, NV3_PM_VIEWPORT_SCALE, NV3_PM_VIEWPORT_SCALE + 0xc },
	{ NV3_CLASS_PROGRAMS, NV3_PM_FLATSHADE_FIRST, NV3_PM_CLIP_PLANES_ENABLE },
	{ NV3_CLASS_PROGRAMS, NV3_PM_ARRAY_OFFSET, NV3_PM_ARRAY_FORMAT + 0x3c },
	{ NV3_CLASS_PROGRAMS, NV3_PM_LOGIC_OP_ENABLE, NV3_PM_TWO_SIDE_LIGHT_ENABLE },
	{ NV3_CLASS_PROGRAMS, NV3_PM_IDXBUF_OFFSET, NV3_PM_IDXBUF_FORMAT },
	{ NV3_CLASS_PROGRAMS, NV3_PM_TEX_SIZE1, NV3_PM_TEX_SIZE1 + 0x3c },
	{ NV3_CLASS_PROGRAMS, NV3_PM_TEX, NV3_PM_TEX + 0x1fc },
	{ NV3_CLASS_PROGRAMS, NV3_PM_FP_CONTROL, NV3_PM_ZMIN_MAX_CONTROL },
	{ NV3_CLASS_PROGRAMS, NV3_PM_ZSTENCIL_CLEAR_VALUE, NV3_PM_COLOR_CLEAR_VALUE },
	{ NV3_CLASS_PROGRAMS, NV3_PM_CLEAR_RECT_HORIZONTAL, NV3_PM_CLEAR_RECT_VERTICAL },
	{ NV3_CLASS_PROGRAMS, NV3_PM_RESTART_ENABLE, NV3_PM_RESTART_INDEX },
	{ NV3_CLASS_PROGRAMS, NV3_PM_POINT_SPRITE, NV3_PM_POINT_SPRITE },
	{ NV3_CLASS_PROGRAMS, NV3_PM_STENCIL_TWO_SIDE_ENABLE, NV3_PM_VTXTEX_SIZE1 + 0xc },
	{ NV3_CLASS_BETA, NV3_BETA_BETA, NV3_BETA_BETA },
	{ NV3_CLASS_ROP, NV3_ROP_ROP, NV3_ROP_ROP },
	{ NV3_CLASS_CHROMA, NV3_CHROMA_COLOR, NV3_CHROMA_COLOR },
	{ NV3_CLASS_PLANE, NV3_PLANE_MASK, NV3_PLANE_MASK },
	{ NV3_CLASS_CLIP, NV3_CLIP_POINT, NV3_CLIP_SIZE },
	{ NV3_CLASS_PATTERN, NV3_PATTERN_SHAPE, NV3_PATTERN_BITMAP(1) },
	{ NV3_CLASS_RECT, NV3_RECT_COLOR, NV3_RECT_COLOR },
	{ NV3_CLASS_POINT, NV3_POINT_COLOR, NV3_POINT_COLOR },
	{ NV3_CLASS_LINE, NV3_LINE_COLOR, NV3_LINE_COLOR },
	{ NV3_CLASS_LIN, NV3_LINE_COLOR, NV3_LINE_COLOR },
	{ NV3_CLASS_TRI, NV3_TRI_COLOR, NV3_TRI_COLOR },
	{ NV3_CLASS_GDI, NV3_GDI_A_COLOR, NV3_GDI_A_COLOR },
	{ NV3_CLASS_D3D, NV3_D3D_TEX_OFFSET, NV3_D3D_ALPHA },
};

static bool is_state(uint32_t class_id, uint32_t mthd)
{
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (ranges[i].class_id == class_id && mthd >= ranges[i].first &&
		    mthd <= ranges[i].last)
			return true;
	}
	return false;
}

static bool is_persistent(uint32_t class_id)
{
	return class_id < NV3_CLASS_RECT || class_id == NV3_CLASS_PROGRAMS;
}

/* ---- values ---- */

static void note_repeated(struct lint_state *state, const struct stream_method *m,
			  bool overwritten)
{
	const struct nv3_word *method =
		nv3_names_method(nv3_names_class(m->object->class_id), m->mthd);
	struct repeated *r = state->repeated;
	uint32_t i;

	for (i = 0; i < state->repeated_count; i++, r++) {
		if (r->object == m->object && r->method == method &&
		    r->overwritten == overwritten) {
			r->count++;
			return;
		}
	}
	if (i == REPEATED_MAX)
		return;
	*r = (struct repeated){
		.object = m->object, .method = method, .mthd = m->mthd, .word = m->word, .count = 1,
		.overwritten = overwritten,
	};
	state->repeated_count++;
}

static struct value *value_of(struct lint_state *state, const struct stream_method *m)
{
	const uint32_t class_id = m->object->class_id, i = m->mthd / 4;

	return class_id == NV3_CLASS_PROGRAMS ? &state->programs[i] :
	       class_id < NV3_CLASS_RECT      ? &state->objects[class_id][i] :
						&state->primitive[i];
}

static void set_value(struct lint_state *state, const struct stream_method *m)
{
	const bool persistent = is_persistent(m->object->class_id);
	const uint32_t epoch = persistent ? 1 : state->epoch;
	struct value *v = value_of(state, m);

	if (v->epoch == epoch && v->value == m->data)
		note_repeated(state, m, false);
	else if (v->epoch == epoch && v->draws == state->draws &&
		 m->object->class_id == NV3_CLASS_PROGRAMS)
		note_repeated(state, m, true);
	v->value = m->data;
	v->draws = state->draws;
	v->epoch = epoch;
}

void lint_state_end(struct lint *l, struct lint_state *state)
{
	char name[NV3_NAMES_TEXT];
	uint32_t i;

	for (i = 0; i < state->repeated_count; i++) {
		const struct repeated *r = &state->repeated[i];
		const struct nv3_class_names *class = nv3_names_class(r->object->class_id);

		nv3_names_print_method(class, r->mthd, name, sizeof(name));
		if (r->overwritten)
			lint_say_class(l, LINT_WASTE, r->word, class->id,
				       "%s %s replaces a value that nothing was drawn with (%u times in the batch): state takes effect at the next BEGIN_END",
				       class->name, name, r->count);
		else
			lint_say_class(l, LINT_WASTE, r->word, class->id,
				       "%s %s sets the value that it has already (%u times in the batch): %s",
				       class->name, name, r->count,
				       is_persistent(class->id) ?
				       "this state persists across objects and batches" :
				       "this state persists until a method of another object");
	}
}

/* ---- surfaces ---- */

static void bind_surface(struct lint *l, struct lint_state *state, const struct stream_method *m)
{
	const struct drm_nv3_surface_args *args = (const void *)m->object->args;
	const uint32_t slot = args->slot % DRM_NV3_SURFACE_SLOTS;

	lint_use_buffer(l, m->word, args->handle, "the surface");
	if (state->slot_word[slot])
		lint_say(l, LINT_WASTE, state->slot_word[slot] - 1,
			 "the surface in slot %u is replaced at word %u before anything was drawn to it",
			 slot, m->word);
	state->slots[slot] = m->object;
	state->slot_word[slot] = m->word + 1;
	state->checked = NULL;
}

static void use_slot(struct lint *l, struct lint_state *state, uint32_t word, uint32_t slot)
{
	const struct stream_object *surface = state->slots[slot];
	const struct drm_nv3_surface_args *args = surface ? (const void *)surface->args : NULL;

	state->slot_word[slot] = 0;
	if (args)
		lint_use_buffer(l, word, args->handle, "the surface");
}

static void use_dma(struct lint *l, uint32_t word, uint32_t handle)
{
	const struct stream_object *dma = handle ? stream_find_object(l->channel, handle) : NULL;

	if (dma)
		lint_use_buffer(l, word, dma->args[0], "the DMA object");
}

/*
 * Checks that the batch lists the buffers of the surfaces and DMA objects that a drawing method
 * accesses.
 */
static void use_graph(struct lint *l, struct lint_state *state, const struct stream_method *m)
{
	const struct drm_nv3_graph_args *args = (const void *)m->object->args;
	unsigned int i;

	if (state->checked == m->object)
		return;
	state->checked = m->object;
	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
		if (args->dst_slots & 1u << i)
			use_slot(l, state, m->word, i);
	}
	if (m->object->class_id == NV3_CLASS_BLIT || m->object->class_id == NV3_CLASS_ITM)
		use_slot(l, state, m->word, args->src_slot % DRM_NV3_SURFACE_SLOTS);
	if (args->flags & DRM_NV3_GRAPH_ZETA)
		use_slot(l, state, m->word, DRM_NV3_SURFACE_ZETA);
	use_dma(l, m->word, args->dma[0]);
	use_dma(l, m->word, args->dma[1]);
}

/* ---- class PROGRAMS ---- */

static void begin_end(struct lint *l, struct lint_state *state, const struct stream_method *m)
{
	if (m->data && state->begin)
		lint_say_class(l, LINT_ERROR, m->word, NV3_CLASS_PROGRAMS,
			       "BEGIN_END begins a primitive, but the one of word %u has not ended: this is DRM_NV3_FAULT_DATA. End it with 0",
			       state->begin - 1);
	if (!m->data && state->begin && !state->begin_methods)
		lint_say_class(l, LINT_WASTE, m->word, NV3_CLASS_PROGRAMS,
			       "the primitive has no vertices");
	if (!m->data && !state->begin)
		lint_say_class(l, LINT_WASTE, m->word, NV3_CLASS_PROGRAMS,
			       "BEGIN_END 0 ends no primitive");
	state->begin = m->data ? m->word + 1 : 0;
	state->begin_methods = 0;
	state->draws++;
}

static void invalidate_textures(struct lint *l, struct lint_state *state,
				const struct stream_method *m)
{
	if (state->textures_known && state->texture_changes == l->changes &&
	    state->texture_targets == state->targets)
		lint_say_class(l, LINT_WASTE, m->word, NV3_CLASS_PROGRAMS,
			       "TEX_CACHE_CTL forgets decoded textures, but no buffer and no target has changed since the last one");
	state->textures_known = true;
	state->texture_changes = l->changes;
	state->texture_targets = state->targets;
}

static void programs_method(struct lint *l, struct lint_state *state,
			    const struct stream_method *m)
{
	lint_programs_method(l, state->values, m);
	if (state->begin && m->mthd != NV3_PM_BEGIN_END)
		state->begin_methods++;
	switch (m->mthd) {
	case NV3_PM_BEGIN_END:
		begin_end(l, state, m);
		break;
	case NV3_PM_CLEAR_SURFACE:
		if (state->begin)
			lint_say_class(l, LINT_ERROR, m->word, NV3_CLASS_PROGRAMS,
				       "CLEAR_SURFACE is in the primitive of word %u: this is DRM_NV3_FAULT_DATA. End the primitive with BEGIN_END 0",
				       state->begin - 1);
		state->draws++;
		break;
	case NV3_PM_SURFACE_COLOR_OFFSET:
		if (value_of(state, m)->value != m->data)
			state->targets++;
		break;
	case NV3_PM_TEX_CACHE_CTL:
		invalidate_textures(l, state, m);
		break;
	case NV3_PM_WAIT_FOR_IDLE:
		if (state->idle)
			lint_say_class(l, LINT_WASTE, m->word, NV3_CLASS_PROGRAMS,
				       "WAIT_FOR_IDLE follows another one, and nothing was drawn between them");
		break;
	}
	if (m->mthd == NV3_PM_WAIT_FOR_IDLE)
		state->idle = true;
	else if (!is_state(NV3_CLASS_PROGRAMS, m->mthd))
		state->idle = false;
}

/* ---- methods ---- */

/* Reports a method that binds an object that is already bound to the subchannel. */
static void check_rebind(struct lint *l, struct lint_state *state, const struct stream_method *m,
			 const struct stream_object *before)
{
	if (before == m->object && m->object->class_id != NV3_CLASS_SURFACE)
		lint_say(l, LINT_WASTE, m->word,
			 "object 0x%x is bound to subchannel %u already: bindings persist, also across batches",
			 m->object->handle, m->subch);
}

void lint_state_method(struct lint *l, struct lint_state *state, const struct stream_method *m)
{
	const uint32_t class_id = m->object ? m->object->class_id : 0;

	if (m->mthd == NV3_MTHD_OBJECT) {
		if (m->object && class_id == NV3_CLASS_SURFACE && !l->raw)
			bind_surface(l, state, m);
		if (m->object)
			check_rebind(l, state, m, m->before);
		return;
	}
	if (!m->object || class_id == NV3_CLASS_SURFACE)
		return;
	if (state->last != m->object) {
		state->last = m->object;
		state->epoch++;
	}
	if (class_id == NV3_CLASS_PROGRAMS)
		programs_method(l, state, m);
	else if (class_id >= NV3_CLASS_RECT && class_id < DRM_NV3_CLASS_DMA && m->mthd >= 0x300)
		use_graph(l, state, m);
	if (is_state(class_id, m->mthd))
		set_value(state, m);
}
