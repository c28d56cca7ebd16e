/* SPDX-License-Identifier: MIT */
/*
 * Finds the surface that a method draws to, using the methods that precede it. Most classes draw to
 * the surface in a slot that the object selects. Class PROGRAMS draws to the buffer that is mapped
 * at the address of its target. This file also writes the pixels of a target to a PNG file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <nv3_programs.h>

#include "../png_file.h"
#include "replay.h"

struct target_channel {
	struct stream_object *slots[DRM_NV3_SURFACE_SLOTS];
	/* Methods of class PROGRAMS */
	uint32_t clip_x, clip_y, format, pitch, color, zeta;
};

/* Mappings in address spaces, the newest first. Buffer 0 marks an unmapped range. */
struct bind {
	struct bind *next;
	uint32_t file, vm, buffer;
	uint64_t address, offset, size;
};

static struct bind *binds;

void target_free(void *channel)
{
	free(channel);
}

bool target_bind(const uint32_t *words)
{
	struct bind *bind = calloc(1, sizeof(*bind));

	if (!bind)
		return false;
	bind->file = words[0];
	bind->vm = words[1];
	bind->buffer = words[3];
	bind->address = capture_u64(words + 5);
	bind->offset = capture_u64(words + 7);
	bind->size = capture_u64(words + 9);
	bind->next = binds;
	binds = bind;
	return true;
}

void target_free_binds(void)
{
	while (binds) {
		struct bind *next = binds->next;

		free(binds);
		binds = next;
	}
}

static const struct bind *find_bind(uint32_t file, uint32_t vm, uint64_t address)
{
	const struct bind *bind;

	for (bind = binds; bind; bind = bind->next) {
		if (bind->file == file && bind->vm == vm && address >= bind->address &&
		    address - bind->address < bind->size)
			return bind->buffer ? bind : NULL;
	}
	return NULL;
}

/* ---- classes ---- */

static void programs_state(struct target_channel *t, const struct stream_method *m)
{
	switch (m->mthd) {
	case NV3_PM_SURFACE_CLIP_HORIZONTAL:
		t->clip_x = m->data;
		break;
	case NV3_PM_SURFACE_CLIP_VERTICAL:
		t->clip_y = m->data;
		break;
	case NV3_PM_SURFACE_FORMAT:
		t->format = m->data;
		break;
	case NV3_PM_SURFACE_PITCH:
		t->pitch = m->data;
		break;
	case NV3_PM_SURFACE_COLOR_OFFSET:
		t->color = m->data;
		break;
	case NV3_PM_SURFACE_ZETA_OFFSET:
		t->zeta = m->data;
		break;
	}
}

/* Sets @target to the colour buffer, or to the depth buffer if there is no colour buffer. */
static void programs_target(const struct stream_channel *channel, const struct target_channel *t,
			    const struct stream_object *object, struct target *target)
{
	static const uint8_t colors[16] = {
		[1] = TARGET_X1R5G5B5, [3] = TARGET_R5G6B5, [5] = TARGET_X8R8G8B8,
		[8] = TARGET_A8R8G8B8,
	};
	const bool color = t->format & 0xf;
	const uint32_t address = color ? t->color : t->zeta;
	const struct bind *bind = find_bind(channel->file, object->args[0], address);

	target->buffer = 0;
	if (!bind || (color && !colors[t->format & 0xf]))
		return;
	target->file = channel->file;
	target->buffer = bind->buffer;
	target->offset = bind->offset + (address - bind->address);
	target->pitch = color ? t->pitch & 0xffff : t->pitch >> 16;
	target->width = (t->clip_x & 0xffff) + (t->clip_x >> 16);
	target->height = (t->clip_y & 0xffff) + (t->clip_y >> 16);
	target->format = color ? colors[t->format & 0xf] :
			 (t->format >> 4 & 0xf) == 1 ? TARGET_Y16 : TARGET_Z24S8;
}

/* Sets @target to the surface in the lowest slot that the object draws to. */
static void slot_target(const struct stream_channel *channel, const struct target_channel *t,
			const struct stream_object *object, struct target *target)
{
	const struct drm_nv3_graph_args *args = (const void *)object->args;
	const struct drm_nv3_surface_args *surface;
	unsigned int i;

	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
		if (!(args->dst_slots & 1u << i) || !t->slots[i])
			continue;
		surface = (const void *)t->slots[i]->args;
		target->file = channel->file;
		target->buffer = surface->handle;
		target->offset = surface->offset;
		target->pitch = surface->pitch;
		target->width = surface->width;
		target->height = surface->height;
		target->format = surface->format;
		return;
	}
}

static bool draws_to_slots(uint32_t class_id)
{
	return class_id >= NV3_CLASS_RECT && class_id != NV3_CLASS_M2MF &&
	       class_id != NV3_CLASS_ITM && class_id <= NV3_CLASS_ZPOINT;
}

void target_method(struct stream_channel *channel, const struct stream_method *m,
		   struct target *target)
{
	struct target_channel *t = channel->data;
	const struct stream_object *object = m->object;
	uint32_t slot;

	if (!t)
		t = channel->data = calloc(1, sizeof(*t));
	if (!t || !object)
		return;
	if (object->class_id == NV3_CLASS_SURFACE) {
		slot = ((const struct drm_nv3_surface_args *)object->args)->slot;
		if (m->mthd == NV3_MTHD_OBJECT)
			t->slots[slot % DRM_NV3_SURFACE_SLOTS] = m->object;
	} else if (object->class_id == NV3_CLASS_PROGRAMS) {
		programs_state(t, m);
		if (m->mthd == NV3_PM_BEGIN_END || m->mthd == NV3_PM_CLEAR_SURFACE)
			programs_target(channel, t, object, target);
	} else if (draws_to_slots(object->class_id) && m->mthd >= 0x300) {
		slot_target(channel, t, object, target);
	}
}

/* ---- pixels ---- */

static const struct {
	const char *name;
	uint8_t bytes;
} formats[TARGET_FORMATS] = {
	[TARGET_Y8] = { "Y8", 1 },
	[TARGET_Y16] = { "Y16", 2 },
	[TARGET_X1R5G5B5] = { "X1R5G5B5", 2 },
	[TARGET_X8R8G8B8] = { "X8R8G8B8", 4 },
	[TARGET_R5G6B5] = { "R5G6B5", 2 },
	[TARGET_A8R8G8B8] = { "A8R8G8B8", 4 },
	[TARGET_Z24S8] = { "Z24S8", 4 },
};

uint32_t target_bytes(const struct target *target)
{
	return formats[target->format].bytes;
}

const char *target_format_name(uint32_t format)
{
	return formats[format].name;
}

const uint8_t *target_pixels(const struct target *target)
{
	const struct nv3_shim_bo *bo;
	uint64_t size;

	if (!target->buffer || !target->width || !target->height)
		return NULL;
	bo = device_buffer(target->file, target->buffer);
	size = (uint64_t)(target->height - 1) * target->pitch +
	       (uint64_t)target->width * target_bytes(target);
	if (!bo || target->offset > bo->base.size || size > bo->base.size - target->offset)
		return NULL;
	return device_contents(bo) + target->offset;
}

uint32_t target_value(const struct target *target, const uint8_t *pixels, uint32_t x, uint32_t y)
{
	const uint8_t *from = pixels + (size_t)y * target->pitch + x * target_bytes(target);
	uint32_t value = 0, i;

	for (i = 0; i < target_bytes(target); i++)
		value |= (uint32_t)from[i] << 8 * i;
	return value;
}

/* Expands a component of @bits bits at bit @shift to eight bits. The maximum value becomes 255. */
static uint8_t widen(uint32_t value, unsigned int shift, unsigned int bits)
{
	uint32_t c = value >> shift & ((1u << bits) - 1);

	return c << (8 - bits) | c >> (2 * bits - 8);
}

static void to_rgb(uint32_t format, uint32_t value, uint8_t rgb[3])
{
	switch (format) {
	case TARGET_Y8:
		rgb[0] = rgb[1] = rgb[2] = value;
		break;
	case TARGET_Y16:
		rgb[0] = rgb[1] = rgb[2] = value >> 8;
		break;
	case TARGET_X1R5G5B5:
		rgb[0] = widen(value, 10, 5);
		rgb[1] = widen(value, 5, 5);
		rgb[2] = widen(value, 0, 5);
		break;
	case TARGET_R5G6B5:
		rgb[0] = widen(value, 11, 5);
		rgb[1] = widen(value, 5, 6);
		rgb[2] = widen(value, 0, 5);
		break;
	case TARGET_Z24S8:
		rgb[0] = rgb[1] = rgb[2] = value >> 24;
		break;
	default:
		rgb[0] = value >> 16;
		rgb[1] = value >> 8;
		rgb[2] = value;
		break;
	}
}

const char *target_write_png(const struct target *target, const char *file)
{
	const uint8_t *pixels = target_pixels(target);
	uint8_t *rgb = malloc((size_t)target->width * target->height * 3), *to = rgb;
	const char *message;
	uint32_t x, y;

	for (y = 0; rgb && pixels && y < target->height; y++) {
		for (x = 0; x < target->width; x++, to += 3)
			to_rgb(target->format, target_value(target, pixels, x, y), to);
	}
	message = !pixels ? "there is no target" : !rgb ? strerror(ENOMEM) :
		  png_file_write(file, rgb, target->width, target->height);
	free(rgb);
	return message;
}
