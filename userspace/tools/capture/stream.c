/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nv3_class.h>
#include <nv3_names.h>
#include <nv3_programs.h>
#include <nv3_regs.h>

/* ---- channels and objects ---- */

struct stream_channel *stream_find_channel(struct stream_model *model, uint32_t file, uint32_t id)
{
	struct stream_channel *channel;

	for (channel = model->channels; channel; channel = channel->next) {
		if (channel->file == file && channel->id == id)
			return channel;
	}
	return NULL;
}

struct stream_object *stream_find_object(struct stream_channel *channel, uint32_t handle)
{
	struct stream_object *object;

	for (object = channel->objects; object; object = object->next) {
		if (object->handle == handle && !object->destroyed)
			return object;
	}
	return NULL;
}

static void free_channel(struct stream_model *model, struct stream_channel *channel)
{
	while (channel->objects) {
		struct stream_object *next = channel->objects->next;

		free(channel->objects);
		channel->objects = next;
	}
	if (model->free_data)
		model->free_data(channel->data);
	free(channel);
}

/* Removes the channel @id of the file, or all channels of the file if @id is 0. */
static void remove_channels(struct stream_model *model, uint32_t file, uint32_t id)
{
	struct stream_channel **link = &model->channels;

	while (*link) {
		struct stream_channel *channel = *link;

		if (channel->file != file || (id && channel->id != id)) {
			link = &channel->next;
			continue;
		}
		*link = channel->next;
		free_channel(model, channel);
	}
}

void stream_free(struct stream_model *model)
{
	while (model->channels) {
		struct stream_channel *next = model->channels->next;

		free_channel(model, model->channels);
		model->channels = next;
	}
}

static const char *add_channel(struct stream_model *model, const uint32_t *words)
{
	struct stream_channel *channel;

	if (!words[1] || stream_find_channel(model, words[0], words[1]))
		return "the channel exists already";
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return "out of memory";
	channel->file = words[0];
	channel->id = words[1];
	channel->next = model->channels;
	model->channels = channel;
	return NULL;
}

static const char *add_object(struct stream_channel *channel, const struct capture_record *record)
{
	const uint32_t *words = record->words;
	struct stream_object *object;

	if (!words[3] || stream_find_object(channel, words[3]))
		return "the channel has an object of this handle already";
	object = calloc(1, sizeof(*object));
	if (!object)
		return "out of memory";
	object->class_id = words[2];
	object->handle = words[3];
	object->arg_count = record->count - 4;
	memcpy(object->args, words + 4, object->arg_count * 4);
	object->next = channel->objects;
	channel->objects = object;
	return NULL;
}

static const char *remove_object(struct stream_channel *channel, uint32_t handle)
{
	struct stream_object *object = stream_find_object(channel, handle);

	if (!object)
		return "the channel has no object of this handle";
	object->destroyed = true;
	return NULL;
}

const char *stream_record(struct stream_model *model, const struct capture_record *record)
{
	const uint32_t *words = record->words;
	struct stream_channel *channel;

	switch (record->type) {
	case CAPTURE_CHANNEL:
		return add_channel(model, words);
	case CAPTURE_FILE_CLOSE:
		remove_channels(model, words[0], 0);
		return NULL;
	case CAPTURE_CHANNEL_DESTROY:
	case CAPTURE_OBJECT:
	case CAPTURE_OBJECT_DESTROY:
	case CAPTURE_BATCH:
	case CAPTURE_RESULT:
		channel = stream_find_channel(model, words[0], words[1]);
		if (!channel)
			return "there is no such channel";
		if (record->type == CAPTURE_CHANNEL_DESTROY)
			remove_channels(model, words[0], words[1]);
		else if (record->type == CAPTURE_OBJECT)
			return add_object(channel, record);
		else if (record->type == CAPTURE_OBJECT_DESTROY)
			return remove_object(channel, words[2]);
		return NULL;
	default:
		return NULL;
	}
}

/* ---- methods ---- */

/* Returns true if this method ends a drawing of class PROGRAMS. */
static bool ends_drawing(const struct stream_method *m)
{
	return m->object && m->object->class_id == NV3_CLASS_PROGRAMS &&
	       ((m->mthd == NV3_PM_BEGIN_END && !m->data) || m->mthd == NV3_PM_CLEAR_SURFACE);
}

static bool same_drawing(const struct stream_method *before, const struct stream_method *m)
{
	return before->object == m->object && !ends_drawing(before);
}

static void add_method(struct stream_channel *channel, struct stream_batch *batch, uint32_t header,
		       uint32_t word, uint32_t address, uint32_t data)
{
	struct stream_method *m = &batch->methods[batch->count];

	m->word = word;
	m->header = header;
	m->subch = (address & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT;
	m->mthd = address & NV3_FIFO_ADDR_MTHD;
	m->data = data;
	if (m->mthd == NV3_MTHD_OBJECT) {
		m->before = channel->bound[m->subch];
		channel->bound[m->subch] = stream_find_object(channel, data);
	}
	m->object = channel->bound[m->subch];
	m->draw = batch->count ? m[-1].draw + !same_drawing(m - 1, m) : 0;
	batch->count++;
}

bool stream_split(struct stream_channel *channel, const uint32_t *words, uint32_t count,
		  struct stream_batch *batch)
{
	uint32_t at = 0, i, header, arguments;

	memset(batch, 0, sizeof(*batch));
	batch->bad_word = UINT32_MAX;
	batch->methods = calloc(count ? count : 1, sizeof(*batch->methods));
	if (!batch->methods)
		return false;
	while (at < count) {
		header = words[at];
		if (header & NV3_PUSH_HDR_RESERVED) {
			batch->bad_word = at;
			break;
		}
		batch->headers++;
		arguments = header >> NV3_PUSH_COUNT_SHIFT & NV3_PUSH_COUNT_MAX;
		for (i = 0; i < arguments && at + 1 + i < count; i++) {
			uint32_t mthd = (header + i * 4) & NV3_FIFO_ADDR_MTHD;

			add_method(channel, batch, at, at + 1 + i,
				   (header & NV3_FIFO_ADDR_SUBCH) | mthd, words[at + 1 + i]);
		}
		if (i < arguments) {
			batch->bad_word = at;
			batch->missing = arguments - i;
			break;
		}
		at += 1 + arguments;
	}
	return true;
}

void stream_print(const struct stream_method *m, char *text, size_t size)
{
	const struct nv3_class_names *class =
		m->object ? nv3_names_class(m->object->class_id) : NULL;
	const struct nv3_word *word = nv3_names_method(class, m->mthd);
	char name[NV3_NAMES_TEXT], value[NV3_NAMES_TEXT];

	nv3_names_print_method(class, m->mthd, name, sizeof(name));
	nv3_names_print_value(word ? word->fields : NULL, m->data, value, sizeof(value));
	snprintf(text, size, "%s %s %s", class ? class->name : "(no object)", name, value);
}
