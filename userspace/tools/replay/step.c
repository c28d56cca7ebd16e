/* SPDX-License-Identifier: MIT */
/*
 * Runs a batch method by method. The chip reports the methods that PGRAPH executes, but not those
 * of software objects, such as surfaces. This file therefore searches the batch for the next method
 * that equals the reported method.
 */
#include <nv3_class.h>

#include "replay.h"

#define NOTHING	UINT32_MAX

static struct {
	struct replay *replay;
	uint32_t next;		/* where the search for the next reported method starts */
	uint32_t current;	/* index of the method in execution, or NOTHING */
} step;

static bool is_software(const struct stream_method *m)
{
	return !m->object || m->object->class_id == NV3_CLASS_SURFACE;
}

static void note_method(struct nv3_shim_channel *chan, const NV3Event *event)
{
	struct replay *r = step.replay;
	uint32_t i;

	for (i = step.next; i < r->split.count; i++) {
		const struct stream_method *m = &r->split.methods[i];

		/*
		 * Do not compare the argument of a bind, because the chip reports the object's
		 * context instead.
		 */
		if (!is_software(m) && m->subch == event->subch && m->mthd == event->mthd &&
		    (m->mthd == NV3_MTHD_OBJECT || m->data == event->data))
			break;
	}
	if (i == r->split.count)
		return;
	for (; step.next <= i; step.next++)
		target_method(r->channel, &r->split.methods[step.next], &r->target);
	step.current = i;
}

static void note_write(struct nv3_shim_channel *chan, bool vram, uint32_t addr, size_t len)
{
	step.replay->written = true;
}

/* If a method is in execution, marks it as complete and reports it to the watcher. */
static void complete(struct replay *r)
{
	if (step.current == NOTHING)
		return;
	r->watcher->method(r, step.current);
	r->written = false;
	step.current = NOTHING;
}

static bool run_method(struct nv3_shim_channel *chan)
{
	bool more = nv3_run(chan->chip, 1);

	nv3_finish_drawing(chan->chip);
	if (!(nv3_shim_rd32(chan, NV3_PGRAPH_STATUS) & NV3_PGRAPH_STATUS_BUSY))
		complete(step.replay);
	return more;
}

static void batch_ended(struct nv3_shim_channel *chan)
{
	complete(step.replay);
}

static const struct nv3_shim_observer observer = {
	.run = run_method,
	.event = note_method,
	.written = note_write,
	.ended = batch_ended,
};

static void set_events(const struct replay *r, uint32_t kinds)
{
	list_for_each_entry(struct nv3_shim_channel, chan, &nv3_shim.channels, link) {
		if (chan->id == r->channel->id &&
		    chan->file == drm_shim_fd_lookup(r->channel->file))
			nv3_set_events(chan->chip, kinds);
	}
}

void step_begin(struct replay *r)
{
	step.replay = r;
	step.next = 0;
	step.current = NOTHING;
	r->written = false;
	nv3_shim.observer = &observer;
	set_events(r, 1u << NV3_EVENT_METHOD);
}

void step_end(struct replay *r)
{
	nv3_shim.observer = NULL;
	set_events(r, 0);
	for (; step.next < r->split.count; step.next++)
		target_method(r->channel, &r->split.methods[step.next], &r->target);
}
