/* SPDX-License-Identifier: MIT */
/* Tries all escapes (nv3_escapes.h), and also invalid ioctls, which the kernel must reject. */
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_pio.h"
#include "nv3_escapes.h"

/* Number of escapes tried so far, and number of escapes with an unexpected result */
static uint32_t escapes, surprises;

static void fill_words(const struct igt_nv3_bo *bo, uint16_t value)
{
	uint32_t i;

	for (i = 0; i < bo->size / 2; i++)
		((uint16_t *)bo->map)[i] = value;
}

static void assert_words(const struct igt_nv3_bo *bo, const char *what)
{
	uint32_t i;

	for (i = 0; i < bo->size / 2; i++)
		igt_assert_f(((uint16_t *)bo->map)[i] == SECRET,
			     "%s: word %u of the victim's memory is %04x\n", what, i,
			     ((uint16_t *)bo->map)[i]);
}

static void victim_init(struct victim *v, int fd)
{
	v->fd = drm_reopen_driver(fd);
	v->before = igt_nv3_bo_create(v->fd, 65536, DRM_NV3_GEM_VRAM);
	igt_nv3_client_init(&v->client, v->fd);
	v->after = igt_nv3_bo_create(v->fd, 65536, DRM_NV3_GEM_VRAM);
	v->system = igt_nv3_bo_create(v->fd, 65536, DRM_NV3_GEM_SYSTEM);
	fill_words(&v->before, SECRET);
	fill_words(&v->after, SECRET);
	fill_words(&v->system, SECRET);
	igt_nv3_dma(v->fd, v->client.channel, VICTIM_DMA, &v->system,
		    DRM_NV3_DMA_WRITE);
}

static void victim_check(struct victim *v, const char *what)
{
	assert_words(&v->before, what);
	assert_words(&v->after, what);
	assert_words(&v->system, what);
}

static void victim_fini(struct victim *v)
{
	igt_nv3_bo_destroy(&v->before);
	igt_nv3_bo_destroy(&v->after);
	igt_nv3_bo_destroy(&v->system);
	igt_nv3_client_fini(&v->client);
	close(v->fd);
}

/*
 * Creates a buffer, and a DMA object for RANGE_SIZE bytes in the middle of the buffer. All words
 * outside this range are secrets.
 */
static struct igt_nv3_bo range(struct attacker *a, uint32_t name,
				uint32_t domain, uint32_t flags)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(a->fd, BUFFER_SIZE, domain);
	struct drm_nv3_dma_args args = {
		.handle = bo.handle, .flags = flags, .offset = RANGE_OFFSET,
		.size = RANGE_SIZE,
	};

	fill_words(&bo, SECRET);
	memset((uint8_t *)bo.map + RANGE_OFFSET, 0, RANGE_SIZE);
	igt_assert_eq(__igt_nv3_object(a->fd, a->channel, name,
				       DRM_NV3_CLASS_DMA, &args, sizeof(args)),
		      0);
	return bo;
}

void nv3_attacker_init(struct attacker *a, int fd, uint32_t domain)
{
	struct drm_nv3_surface_args args = {
		.format = DRM_NV3_FORMAT_X1R5G5B5, .offset = FIELD_OFFSET,
		.pitch = FIELD_PITCH, .width = SIDE, .height = SIDE,
	};
	struct drm_nv3_dma_args locked = { .size = RANGE_SIZE };
	uint32_t y;

	a->fd = fd;
	a->channel = igt_nv3_channel_create(fd);
	igt_nv3_batch_init(&a->batch, fd, a->channel);
	a->field = igt_nv3_bo_create(fd, FIELD_SIZE, DRM_NV3_GEM_VRAM);
	fill_words(&a->field, SECRET);
	for (y = 0; y < SIDE; y++)
		memset((uint8_t *)a->field.map + FIELD_OFFSET + y * FIELD_PITCH,
		       0, SIDE * 2);
	args.handle = a->field.handle;
	igt_assert_eq(__igt_nv3_object(fd, a->channel, SURFACE,
				       NV3_CLASS_SURFACE, &args, sizeof(args)),
		      0);
	a->in = range(a, DMA_IN, domain, 0);
	a->out = range(a, DMA_OUT, domain, DRM_NV3_DMA_WRITE);
	a->unlisted = range(a, DMA_UNLISTED, domain, DRM_NV3_DMA_WRITE);
	locked.handle = a->out.handle;
	locked.offset = RANGE_OFFSET;
	igt_assert_eq(__igt_nv3_object(fd, a->channel, DMA_READ_ONLY,
				       DRM_NV3_CLASS_DMA, &locked,
				       sizeof(locked)), 0);
	igt_nv3_use(&a->batch, &a->field, NV3_READ | NV3_WRITE);
	igt_nv3_use(&a->batch, &a->in, NV3_READ);
	igt_nv3_use(&a->batch, &a->out, NV3_READ | NV3_WRITE);
	igt_nv3_select(&a->batch, 0, SURFACE);
}

void nv3_attacker_fini(struct attacker *a)
{
	igt_nv3_batch_fini(&a->batch);
	igt_nv3_channel_destroy(a->fd, a->channel);
	igt_nv3_bo_destroy(&a->field);
	igt_nv3_bo_destroy(&a->in);
	igt_nv3_bo_destroy(&a->out);
	igt_nv3_bo_destroy(&a->unlisted);
}

/*
 * Asserts that the secrets around the range of the DMA object are unchanged, and that the range
 * contains no secret.
 */
static void range_check(const struct igt_nv3_bo *bo, const char *what)
{
	const uint16_t *words = bo->map;
	uint32_t i;

	for (i = 0; i < bo->size / 2; i++) {
		bool in = i >= RANGE_OFFSET / 2 &&
			  i < (RANGE_OFFSET + RANGE_SIZE) / 2;

		igt_assert_f((words[i] == SECRET) == !in,
			     "%s: word %u of a DMA object's buffer is %04x\n",
			     what, i, words[i]);
	}
}

/*
 * Asserts that the secrets around the surface are unchanged, and that the surface contains no
 * secret. Returns true if at least one pixel of the surface is not 0.
 */
static bool field_check(const struct igt_nv3_bo *bo, const char *what)
{
	const uint16_t *words = bo->map;
	bool drawn = false;
	uint32_t i;

	for (i = 0; i < bo->size / 2; i++) {
		uint32_t at = i * 2 - FIELD_OFFSET;
		bool in = at < SIDE * FIELD_PITCH && at % FIELD_PITCH < SIDE * 2;

		igt_assert_f((words[i] == SECRET) == !in,
			     "%s: word %u of the surface's buffer is %04x\n",
			     what, i, words[i]);
		drawn |= in && words[i];
	}
	return drawn;
}

void nv3_escape_done(struct victim *v, const char *what)
{
	victim_check(v, what);
	escapes++;
}

bool nv3_attack(struct victim *v, struct attacker *a, uint32_t fault,
		   const char *what)
{
	struct drm_nv3_channel_query query;

	igt_nv3_run(&a->batch);
	igt_nv3_fault(a->fd, a->channel, &query);
	if (query.fault != fault) {
		igt_info("%s: fault %u, not %u: method 0x%04x, data 0x%08x, class 0x%02x\n",
			 what, query.fault, fault, query.method, query.data,
			 query.class_id);
		surprises++;
	}
	range_check(&a->in, what);
	range_check(&a->out, what);
	range_check(&a->unlisted, what);
	nv3_escape_done(v, what);
	return field_check(&a->field, what);
}

void nv3_surprise(const char *what, const char *why)
{
	igt_info("%s: %s\n", what, why);
	surprises++;
}

void nv3_refused(struct victim *v, int ret, int error, const char *what)
{
	if (ret != -error) {
		igt_info("%s: %d, not %d\n", what, ret, -error);
		surprises++;
	}
	nv3_escape_done(v, what);
}

/* ---- invalid arguments of surfaces, DMA objects and other classes ---- */

static void escape_surfaces(struct victim *v, int fd)
{
	/*
	 * The values to add to the arguments of a surface that fits exactly into its buffer. Each
	 * entry makes one argument invalid.
	 */
	static const struct {
		const char *what;
		uint32_t slot, format, offset, pitch, width, height;
	} more[] = {
		{ "slot", 4, 0, 0, 0, 0, 0 },
		{ "slot, all bits", ~0u, 0, 0, 0, 0, 0 },
		{ "format", 0, 4, 0, 0, 0, 0 },
		{ "unaligned offset", 0, 0, 8, 0, 0, 0 },
		{ "offset", 0, 0, 16, 0, 0, 0 },
		{ "offset at the end", 0, 0, 65536, 0, 0, 0 },
		{ "offset that wraps", 0, 0, 0xfffffff0, 0, 0, 0 },
		{ "offset to RAMIN", 0, 0, 0x700000, 0, 0, 0 },
		{ "pitch", 0, 0, 0, 16, 0, 0 },
		{ "pitch beyond the register", 0, 0, 0, 8192, 0, 0 },
		{ "pitch that wraps", 0, 0, 0, 0xfffff000, 0, 0 },
		{ "unaligned pitch", 0, 0, 0, 8, 0, 0 },
		{ "width", 0, 0, 0, 0, 1, 0 },
		{ "width beyond the canvas", 0, 0, 0, 0, 0xffff, 0 },
		{ "width that wraps", 0, 0, 0, 0, 0x40000000, 0 },
		{ "height", 0, 0, 0, 0, 0, 1 },
		{ "height beyond the canvas", 0, 0, 0, 0, 0, 2048 },
		{ "height that wraps", 0, 0, 0, 0, 0, 0x00400000 },
	};
	static const uint32_t cpp[] = { 1, 2, 2, 4 };
	uint32_t channel = igt_nv3_channel_create(fd), format, i;
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 65536, DRM_NV3_GEM_VRAM);
	struct igt_nv3_bo system = igt_nv3_bo_create(fd, 65536,
						     DRM_NV3_GEM_SYSTEM);

	for (format = 0; format < ARRAY_SIZE(cpp); format++) {
		struct drm_nv3_surface_args good = {
			.handle = bo.handle, .format = format, .pitch = 1024,
			.width = 1024 / cpp[format], .height = 64,
		}, args;

		for (i = 0; i < ARRAY_SIZE(more); i++) {
			args = good;
			args.slot += more[i].slot;
			args.format += more[i].format;
			args.offset += more[i].offset;
			args.pitch += more[i].pitch;
			args.width += more[i].width;
			args.height += more[i].height;
			nv3_refused(v, __igt_nv3_object(fd, channel, 1,
						    NV3_CLASS_SURFACE, &args,
						    sizeof(args)),
				EINVAL, more[i].what);
		}
		args = good;
		args.handle = system.handle;
		nv3_refused(v, __igt_nv3_object(fd, channel, 1, NV3_CLASS_SURFACE,
					    &args, sizeof(args)),
			EINVAL, "surface in system memory");
		args.handle = v->before.handle + 100;
		nv3_refused(v, __igt_nv3_object(fd, channel, 1, NV3_CLASS_SURFACE,
					    &args, sizeof(args)),
			ENOENT, "surface with an invalid handle");
	}
	igt_nv3_channel_destroy(fd, channel);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_bo_destroy(&system);
}

static void escape_dma_objects(struct victim *v, int fd)
{
	static const struct {
		const char *what;
		uint64_t offset, size;
		int error;
	} cases[] = {
		{ "size", 0, 8193, EINVAL },
		{ "no size", 0, 0, EINVAL },
		{ "offset and size", 4096, 4097, EINVAL },
		{ "offset at the end", 8192, 1, EINVAL },
		{ "offset beyond", 1ull << 40, 1, EINVAL },
		{ "size of 32 bits", 0, 0xffffffff, EINVAL },
		{ "size of 33 bits", 0, 1ull << 32, EINVAL },
		{ "size that wraps", 16, UINT64_MAX - 15, EINVAL },
		{ "all there is", 0, UINT64_MAX, EINVAL },
		{ "offset that wraps", UINT64_MAX - 4095, 8192, EINVAL },
	};
	static const uint32_t domains[] = {
		DRM_NV3_GEM_VRAM, DRM_NV3_GEM_SYSTEM,
	};
	uint32_t channel = igt_nv3_channel_create(fd), d, i;

	for (d = 0; d < ARRAY_SIZE(domains); d++) {
		struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 8192, domains[d]);

		for (i = 0; i < ARRAY_SIZE(cases); i++) {
			struct drm_nv3_dma_args args = {
				.handle = bo.handle, .size = cases[i].size,
				.offset = cases[i].offset,
				.flags = DRM_NV3_DMA_WRITE,
			};

			nv3_refused(v, __igt_nv3_object(fd, channel, 1,
						    DRM_NV3_CLASS_DMA, &args,
						    sizeof(args)),
				cases[i].error, cases[i].what);
		}
		igt_nv3_bo_destroy(&bo);
	}
	igt_nv3_channel_destroy(fd, channel);
}

/*
 * The hardware classes. An object of class @id uses @dmas DMA objects in addition to the DMA object
 * for notifications.
 */
static const struct {
	uint32_t id, dmas;
	/*
	 * Offset of the first method for image data or vertices, or 0 if the class has no such
	 * methods. The class has a method at each offset from this one upwards.
	 */
	uint32_t data;
} hardware[] = {
	{ NV3_CLASS_BETA, 0, 0 }, { NV3_CLASS_ROP, 0, 0 },
	{ NV3_CLASS_CHROMA, 0, 0 }, { NV3_CLASS_PLANE, 0, 0 },
	{ NV3_CLASS_CLIP, 0, 0 }, { NV3_CLASS_PATTERN, 0, 0 },
	{ NV3_CLASS_RECT, 0, 0 }, { NV3_CLASS_POINT, 0, 0 },
	{ NV3_CLASS_LINE, 0, 0 }, { NV3_CLASS_LIN, 0, 0 },
	{ NV3_CLASS_TRI, 0, 0 }, { NV3_CLASS_GDI, 0, 0 },
	{ NV3_CLASS_M2MF, 2, 0 }, { NV3_CLASS_SIFM, 1, 0 },
	{ NV3_CLASS_BLIT, 0, 0 }, { NV3_CLASS_IFC, 0, 0x400 },
	{ NV3_CLASS_BITMAP, 0, 0 }, { NV3_CLASS_ITM, 1, 0 },
	{ NV3_CLASS_SIFC, 0, 0x400 }, { NV3_CLASS_D3D, 1, 0x1000 },
	{ NV3_CLASS_ZPOINT, 0, 0 },
};

/*
 * Tries to create objects with options that do not fit into the fields of instance memory. Also
 * tries a DMA object's handle from another channel, and the handle of an object that is not a DMA
 * object.
 */
static void escape_options(struct victim *v, int fd)
{
	uint32_t channel = igt_nv3_channel_create(fd), i;

	igt_nv3_graph(fd, channel, OTHER_OBJECT, NV3_CLASS_CLIP, 1);
	for (i = 0; i < ARRAY_SIZE(hardware); i++) {
		struct drm_nv3_graph_args bad[] = {
			{ .operation = NV3_OP_COPY, .color_format = 8 },
			{ .operation = 0x18 },
			{ .operation = NV3_OP_COPY | 1u << 8 },
			{ .operation = NV3_OP_COPY, .dst_slots = 0x10 },
			{ .operation = NV3_OP_COPY, .src_slot = 4 },
			{ .operation = NV3_OP_COPY, .flags = 1u << 5 },
			{ .operation = NV3_OP_COPY, .dma_notify = VICTIM_DMA },
			{ .operation = NV3_OP_COPY, .dma_notify = OTHER_OBJECT },
			{ .operation = NV3_OP_COPY, .dma = { VICTIM_DMA } },
		};
		uint32_t j;

		for (j = 0; j < ARRAY_SIZE(bad); j++) {
			bool name = bad[j].dma_notify ||
				    (bad[j].dma[0] && hardware[i].dmas);

			nv3_refused(v, __igt_nv3_object(fd, channel, 1,
						    hardware[i].id, &bad[j],
						    sizeof(bad[j])),
				name ? ENOENT : EINVAL, "options");
		}
	}
	igt_nv3_channel_destroy(fd, channel);
}

/* ---- invalid handles in methods, and methods that the class lacks ---- */

void nv3_attacker_object(struct attacker *a, uint32_t class_id, uint32_t in,
			 uint32_t out, uint32_t notify)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY, .dst_slots = 1, .dma = { in, out },
		.dma_notify = notify,
	};

	igt_assert_eq(__igt_nv3_object(a->fd, a->channel, OBJECT, class_id,
				       &args, sizeof(args)), 0);
	igt_nv3_select(&a->batch, SUB, OBJECT);
}

static void escape_method(struct victim *v, int fd, uint32_t class_id,
			  uint32_t mthd, uint32_t data, uint32_t fault)
{
	struct attacker a;
	char what[64];

	snprintf(what, sizeof(what), "class %02x, method %04x", class_id, mthd);
	nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
	nv3_attacker_object(&a, class_id, 0, 0, 0);
	igt_nv3_method(&a.batch, SUB, mthd, data);
	nv3_attack(v, &a, fault, what);
	nv3_attacker_fini(&a);
}

static void escape_methods(struct victim *v, int fd)
{
	static const uint32_t lacking[] = { 0x100, 0x18c, 0x190, 0x1fc, 0x2fc };
	uint32_t i, j;

	for (i = 0; i < ARRAY_SIZE(hardware); i++) {
		uint32_t id = hardware[i].id;

		escape_method(v, fd, id, 0x180, VICTIM_DMA,
			      DRM_NV3_FAULT_NAME);
		escape_method(v, fd, id, 0x180, SURFACE, DRM_NV3_FAULT_DATA);
		escape_method(v, fd, id, 0x184, VICTIM_DMA,
			      hardware[i].dmas > 0 ? DRM_NV3_FAULT_NAME :
						     DRM_NV3_FAULT_METHOD);
		escape_method(v, fd, id, 0x188, VICTIM_DMA,
			      hardware[i].dmas > 1 ? DRM_NV3_FAULT_NAME :
						     DRM_NV3_FAULT_METHOD);
		for (j = 0; j < ARRAY_SIZE(lacking); j++)
			escape_method(v, fd, id, lacking[j], DMA_IN,
				      DRM_NV3_FAULT_METHOD);
		if (!hardware[i].data)
			escape_method(v, fd, id, 0x1ffc, 1,
				      DRM_NV3_FAULT_METHOD);
	}
}

/* ---- invalid handles, batches and mappings ---- */

static void escape_names(struct victim *v, int fd)
{
	static const uint32_t names[] = {
		IGT_NV3_COLOR, IGT_NV3_RECT, VICTIM_DMA, 0, ~0u, OBJECT + 1,
	};
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct attacker a;

		nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
		igt_nv3_select(&a.batch, SUB, names[i]);
		nv3_attack(v, &a, DRM_NV3_FAULT_NAME, "the victim's name");
		nv3_attacker_fini(&a);
	}
	for (i = 0; i < 8; i++) {
		struct attacker a;

		/* DMA objects have no methods, so they can't be bound. */
		nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
		igt_nv3_select(&a.batch, i, DMA_IN);
		nv3_attack(v, &a, DRM_NV3_FAULT_DATA, "a DMA object bound");
		nv3_attacker_fini(&a);
		/* The subchannel has no object. */
		if (!i)
			continue;
		nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
		igt_nv3_method(&a.batch, i, NV3_RECT_COLOR, 0);
		nv3_attack(v, &a, DRM_NV3_FAULT_NAME, "an empty subchannel");
		nv3_attacker_fini(&a);
	}
}

static int submit_segment(int fd, uint32_t channel, uint32_t handle,
			  uint32_t offset, uint32_t length, uint32_t buffer)
{
	struct drm_nv3_segment segment = {
		.handle = handle, .offset = offset, .length = length,
	};
	struct drm_nv3_buffer named = {
		.handle = buffer, .flags = NV3_READ | NV3_WRITE,
	};
	struct drm_nv3_submit req = {
		.channel = channel,
		.segment_count = 1, .segments = (uintptr_t)&segment,
		.buffer_count = 1, .buffers = (uintptr_t)&named,
		.segment_size = sizeof(segment), .buffer_size = sizeof(named),
	};

	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_SUBMIT, &req);
}

static void escape_submit(struct victim *v, int fd)
{
	struct attacker a;
	struct drm_nv3_channel_query query = { 0 };
	struct drm_nv3_channel_destroy destroy = { 0 };
	uint32_t own, none = v->after.handle + 100, foreign;

	nv3_attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
	own = a.in.handle;
	/*
	 * @foreign is the id of a channel in the attacker's file. The victim's file has no channel
	 * with this id.
	 */
	foreign = igt_nv3_channel_create(fd);
	foreign = igt_nv3_channel_create(fd);

	nv3_refused(v, submit_segment(fd, a.channel, own, BUFFER_SIZE, 4, own),
		EINVAL, "segment at the end");
	nv3_refused(v, submit_segment(fd, a.channel, own, BUFFER_SIZE - 4, 8, own),
		EINVAL, "segment across the end");
	nv3_refused(v, submit_segment(fd, a.channel, own, 0xfffffffc, 8, own),
		EINVAL, "segment that wraps");
	nv3_refused(v, submit_segment(fd, a.channel, own, 2, 4, own), EINVAL,
		"unaligned segment");
	nv3_refused(v, submit_segment(fd, a.channel, own, 0, 6, own), EINVAL,
		"odd segment");
	nv3_refused(v, submit_segment(fd, a.channel, own, 0, 0, own), EINVAL,
		"empty segment");
	nv3_refused(v, submit_segment(fd, a.channel, none, 0, 4, own), ENOENT,
		"segment with an invalid handle");
	nv3_refused(v, submit_segment(fd, a.channel, own, 0, 4, none), ENOENT,
		"buffer of no handle");
	nv3_refused(v, submit_segment(v->fd, foreign, v->before.handle, 0, 4,
				  v->before.handle), ENOENT,
		"channel of another file");
	query.channel = foreign;
	nv3_refused(v, igt_nv3_ioctl(v->fd, DRM_IOCTL_NV3_CHANNEL_QUERY, &query),
		ENOENT, "query of another file's channel");
	destroy.channel = foreign;
	nv3_refused(v, igt_nv3_ioctl(v->fd, DRM_IOCTL_NV3_CHANNEL_DESTROY,
				 &destroy), ENOENT,
		"destruction of another file's channel");
	nv3_refused(v, __igt_nv3_object_destroy(v->fd, foreign, SURFACE), ENOENT,
		"destruction of another file's object");
	nv3_refused(v, __igt_nv3_object_destroy(fd, a.channel, VICTIM_DMA), ENOENT,
		"destruction of another channel's object");
	nv3_attacker_fini(&a);
}

static uint64_t map_offset(int fd, uint32_t handle)
{
	struct drm_nv3_gem_mmap req = { .handle = handle };

	do_ioctl(fd, DRM_IOCTL_NV3_GEM_MMAP, &req);
	return req.offset;
}

static int map(int fd, uint64_t offset, size_t size, int prot)
{
	void *at = mmap(NULL, size, prot, MAP_SHARED, fd, offset);

	if (at == MAP_FAILED)
		return -errno;
	munmap(at, size);
	return 0;
}

static void escape_maps(struct victim *v, int fd)
{
	uint64_t before = map_offset(v->fd, v->before.handle);
	uint64_t system = map_offset(v->fd, v->system.handle);
	struct igt_nv3_bo own = igt_nv3_bo_create(fd, 65536, DRM_NV3_GEM_VRAM);
	uint64_t offset = map_offset(fd, own.handle), aperture;
	uint32_t channel;

	nv3_refused(v, map(fd, before, 65536, PROT_READ), EACCES,
		"the victim's VRAM, to read");
	nv3_refused(v, map(fd, before, 65536, PROT_READ | PROT_WRITE), EACCES,
		"the victim's VRAM, to write");
	nv3_refused(v, map(fd, before + 4096, 4096, PROT_READ), EINVAL,
		"a page of the victim's VRAM");
	nv3_refused(v, map(fd, system, 65536, PROT_READ | PROT_WRITE), EACCES,
		"the victim's system memory");
	nv3_refused(v, map(fd, offset, 65536 + 4096, PROT_READ), EINVAL,
		"more than the buffer");
	nv3_refused(v, map(fd, offset + 4096, 65536, PROT_READ), EINVAL,
		"beyond the buffer");
	nv3_refused(v, map(fd, 0, 4096, PROT_READ), EINVAL, "offset 0");
	nv3_refused(v, map(fd, 1ull << 40, 4096, PROT_READ), EINVAL,
		"an unused offset");
	if (!igt_nv3_has_pio(v->fd)) {
		igt_nv3_bo_destroy(&own);
		return;
	}
	igt_assert_eq(__igt_nv3_pio_create(v->fd, &channel, &aperture), 0);
	nv3_refused(v, map(fd, aperture, 65536, PROT_READ | PROT_WRITE), EACCES,
		"the victim's USER aperture");
	nv3_refused(v, map(fd, aperture + 8192, 8192, PROT_WRITE), EINVAL,
		"a subchannel of the victim's USER aperture");
	nv3_refused(v, map(v->fd, aperture, 2 * 65536, PROT_READ | PROT_WRITE),
		EINVAL, "the next USER aperture");
	nv3_refused(v, map(v->fd, aperture + 65536, 65536, PROT_READ | PROT_WRITE),
		EINVAL, "only that");
	nv3_refused(v, map(v->fd, aperture, 65536, PROT_READ | PROT_EXEC), EINVAL,
		"an aperture to execute");
	igt_nv3_channel_destroy(v->fd, channel);
	igt_nv3_bo_destroy(&own);
}

struct kind {
	const char *what;
	void (*run)(struct victim *v, int fd);
};

static void run_kinds(struct victim *v, int fd, const struct kind *kinds, uint32_t count)
{
	int own = drm_reopen_driver(fd);
	uint32_t i;

	escapes = 0;
	surprises = 0;
	for (i = 0; i < count; i++) {
		uint32_t before = escapes;

		kinds[i].run(v, own);
		igt_nv3_assert_draws(&v->client, i);
		igt_info("%s: %u escapes\n", kinds[i].what, escapes - before);
	}
	igt_info("%u different escapes, all stopped\n", escapes);
	igt_assert_lte(200, (int)escapes);
	igt_assert_eq_u32(surprises, 0);
	close(own);
}

void nv3_escapes(int fd)
{
	static const struct kind kinds[] = {
		{ "surfaces", escape_surfaces },
		{ "DMA objects", escape_dma_objects },
		{ "options", escape_options },
		{ "submissions", escape_submit },
		{ "mappings", escape_maps },
		{ "names", escape_names },
		{ "methods", escape_methods },
		{ "DMA", nv3_escape_dma },
		{ "drawing", nv3_escape_drawing },
		{ "stale surfaces", nv3_escape_stale },
	};
	struct victim v;

	victim_init(&v, fd);
	run_kinds(&v, fd, kinds, ARRAY_SIZE(kinds));
	victim_fini(&v);
}

void nv3_escapes_programs(int fd)
{
	static const struct kind kinds[] = {
		{ "address spaces", nv3_escape_address_spaces },
		{ "addresses", nv3_escape_addresses },
		{ "sizes and numbers", nv3_escape_sizes },
		{ "methods", nv3_escape_program_methods },
		{ "state of other channels", nv3_escape_program_state },
	};
	struct victim v;

	victim_init(&v, fd);
	nv3_victim_add_programs(&v);
	run_kinds(&v, fd, kinds, ARRAY_SIZE(kinds));
	nv3_victim_remove_programs(&v);
	victim_fini(&v);
}
