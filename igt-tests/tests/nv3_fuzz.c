/* SPDX-License-Identifier: MIT */
/*
 * Several processes make random calls concurrently: mostly valid uAPI calls in random order, ioctls
 * with random numbers and structures, and random stores to USER apertures. Meanwhile a client draws
 * and checks each pixel. The kernel must log no warning.
 *
 * Each run prints its seed. With NV3_SEED=N, each process makes the same calls as in the run that
 * printed the seed N. NV3_SECONDS=N sets the duration of each subtest (default: 4).
 */
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_chaos.h"
#include "igt_nv3_pio.h"
#include "igt_nv3_pm.h"

IGT_TEST_DESCRIPTION("Random ioctls and random stores to USER apertures: no warning, no hang, and no effect on others.");

#define SECONDS		4
#define FUZZERS		3
#define MANY		12	/* number of buffers of a fuzzer, which has MANY / 2 channels */
#define NAMES		24

/*
 * Handles and ids of the resources that a fuzzer has created. Some of these resources may have been
 * destroyed.
 */
struct fuzzer {
	int fd;
	uint32_t bos[MANY];
	uint64_t sizes[MANY];
	uint32_t channels[MANY / 2];
	uint32_t vms[4];
	volatile uint32_t *aperture[MANY / 2];
	uint32_t syncobjs[4];
	uint32_t calls, good;
};

static uint32_t any(const uint32_t *of, uint32_t count)
{
	/* In one of 16 cases, return a random number, which is probably invalid. */
	if (!igt_nv3_random_below(16))
		return igt_nv3_random_value();
	return of[igt_nv3_random_below(count)];
}

static uint32_t any_bo(const struct fuzzer *f)
{
	return any(f->bos, MANY);
}

static uint32_t any_channel(const struct fuzzer *f)
{
	return any(f->channels, MANY / 2);
}

static uint32_t any_vm(const struct fuzzer *f)
{
	return any(f->vms, ARRAY_SIZE(f->vms));
}

static uint32_t any_name(void)
{
	return igt_nv3_random_below(32) ? 1 + igt_nv3_random_below(NAMES) :
					  igt_nv3_random_value();
}

/* Returns @right in most calls, and otherwise a random number. */
static uint32_t mostly(uint32_t right)
{
	return igt_nv3_random_below(24) ? right : igt_nv3_random_value();
}

/*
 * Counts a call by its result. Fails if the error is neither documented in the uAPI header nor an
 * error of the kernel's generic checks.
 */
static void count_call(struct fuzzer *f, int ret)
{
	switch (ret) {
	case 0:
		f->good++;
		break;
	case -EINVAL:
	case -ENOENT:
	case -EEXIST:
	case -ENOSPC:
	case -ENOMEM:
	case -E2BIG:
	case -EFAULT:
	case -EIO:
	case -ETIME:
	case -EACCES:
	case -ENOTTY:
	case -EBUSY:
	case -EOPNOTSUPP:
		break;
	default:
		igt_assert_f(false, "an ioctl returned %d\n", ret);
	}
	f->calls++;
}

/* ---- one call of each kind, mostly with valid arguments ---- */

static void call_getparam(struct fuzzer *f)
{
	struct drm_nv3_getparam req = {
		.param = igt_nv3_random_below(20), .pad = mostly(0),
	};

	count_call(f, igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_GETPARAM, &req));
}

static void call_enumerate(struct fuzzer *f)
{
	uint32_t classes[64];
	struct drm_nv3_class_enumerate req = {
		.classes = igt_nv3_random_below(8) ? (uintptr_t)classes :
						     igt_nv3_random_value(),
		.count = igt_nv3_random_below(64), .pad = mostly(0),
	};

	count_call(f, igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_CLASS_ENUMERATE,
				    &req));
}

static void call_gem_create(struct fuzzer *f)
{
	uint32_t i = igt_nv3_random_below(MANY);
	struct drm_nv3_gem_create req = {
		.size = igt_nv3_random_below(8) ?
			1 + igt_nv3_random_below(1 << 18) :
			(uint64_t)igt_nv3_random_value() << igt_nv3_random_below(33),
		.domains = mostly(1 + igt_nv3_random_below(3)),
		.flags = mostly(0),
		.vm = igt_nv3_random_below(4) ? 0 : any_vm(f),
	};
	int ret;

	/* Leave memory for other tests. */
	if (req.size > 1 << 20 && req.size < 1 << 30)
		req.size = 1 << 20;
	ret = igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_GEM_CREATE, &req);
	count_call(f, ret);
	if (ret)
		return;
	if (f->bos[i])
		drmCloseBufferHandle(f->fd, f->bos[i]);
	f->bos[i] = req.handle;
	f->sizes[i] = req.size;
}

/* Closes a handle while objects and batches may still use its buffer. */
static void call_gem_close(struct fuzzer *f)
{
	drmCloseBufferHandle(f->fd, any_bo(f));
}

static void call_gem_map(struct fuzzer *f)
{
	uint32_t i = igt_nv3_random_below(MANY);
	struct drm_nv3_gem_mmap req = { .handle = f->bos[i], .pad = mostly(0) };
	volatile uint32_t *at;
	int ret;

	ret = igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_GEM_MMAP, &req);
	count_call(f, ret);
	if (ret || !f->sizes[i])
		return;
	at = mmap(NULL, f->sizes[i], PROT_READ | PROT_WRITE, MAP_SHARED, f->fd,
		  req.offset);
	if (at == MAP_FAILED)
		return;
	at[igt_nv3_random_below(f->sizes[i] / 4)] = igt_nv3_random_value();
	munmap((void *)at, f->sizes[i]);
}

static void call_gem_wait(struct fuzzer *f)
{
	struct drm_nv3_gem_wait req = {
		.handle = any_bo(f), .flags = mostly(igt_nv3_random_below(2)),
	};

	count_call(f, igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_GEM_WAIT, &req));
}

static void drop_aperture(struct fuzzer *f, uint32_t i)
{
	if (f->aperture[i])
		munmap((void *)f->aperture[i], IGT_NV3_APERTURE);
	f->aperture[i] = NULL;
}

static void call_channel_create(struct fuzzer *f)
{
	uint32_t i = igt_nv3_random_below(MANY / 2);
	struct drm_nv3_channel_create req = {
		.type = mostly(igt_nv3_random_below(2)), .flags = mostly(igt_nv3_random_below(2)),
	};
	void *aperture;
	int ret;

	if (f->channels[i]) {
		struct drm_nv3_channel_destroy old = {
			.channel = f->channels[i],
		};

		igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_CHANNEL_DESTROY, &old);
		/*
		 * In half of the cases, keep the mapping of the destroyed channel's USER aperture.
		 */
		if (igt_nv3_random_below(2))
			drop_aperture(f, i);
	}
	ret = igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req);
	count_call(f, ret);
	if (ret)
		return;
	f->channels[i] = req.channel;
	if (req.type != DRM_NV3_CHANNEL_PIO)
		return;
	aperture = __igt_nv3_aperture(f->fd, req.mmap_offset);
	drop_aperture(f, i);
	if (aperture != MAP_FAILED)
		f->aperture[i] = aperture;
}

static void call_channel_query(struct fuzzer *f)
{
	struct drm_nv3_channel_query req = { .channel = any_channel(f) };

	count_call(f, igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_CHANNEL_QUERY, &req));
}

static void call_flush(struct fuzzer *f)
{
	count_call(f, __igt_nv3_flush(f->fd, any_channel(f),
				      igt_nv3_random_below(2) ?
				      any(f->syncobjs, 4) : 0,
				      igt_nv3_random_below(3)));
}

static const uint32_t classes[] = {
	NV3_CLASS_BETA, NV3_CLASS_ROP, NV3_CLASS_CHROMA, NV3_CLASS_PLANE,
	NV3_CLASS_CLIP, NV3_CLASS_PATTERN, NV3_CLASS_RECT, NV3_CLASS_POINT,
	NV3_CLASS_LINE, NV3_CLASS_LIN, NV3_CLASS_TRI, NV3_CLASS_GDI,
	NV3_CLASS_M2MF, NV3_CLASS_SIFM, NV3_CLASS_BLIT, NV3_CLASS_IFC,
	NV3_CLASS_BITMAP, NV3_CLASS_ITM, NV3_CLASS_SIFC, NV3_CLASS_D3D,
	NV3_CLASS_ZPOINT,
};

/* ---- address spaces ---- */

static void call_vm_create(struct fuzzer *f)
{
	struct drm_nv3_vm_create req = { .flags = mostly(0) };
	int ret = igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_VM_CREATE, &req);

	count_call(f, ret);
	if (!ret)
		f->vms[igt_nv3_random_below(ARRAY_SIZE(f->vms))] = req.vm;
}

/* Destroys an address space, even if objects and batches still use it. */
static void call_vm_destroy(struct fuzzer *f)
{
	count_call(f, __igt_nv3_vm_destroy(f->fd, any_vm(f)));
}

/* Maps and unmaps overlapping ranges, even of buffers that are in use. */
static void call_vm_bind(struct fuzzer *f)
{
	uint64_t pages = 1 + igt_nv3_random_below(16);
	struct drm_nv3_vm_bind req = {
		.vm = any_vm(f),
		.op = mostly(igt_nv3_random_below(3) ? DRM_NV3_VM_MAP : DRM_NV3_VM_UNMAP),
		.address = mostly(IGT_NV3_PAGE * igt_nv3_random_below(64)),
		.size = mostly(IGT_NV3_PAGE * pages),
	};

	if (req.op == DRM_NV3_VM_MAP) {
		req.handle = any_bo(f);
		req.flags = mostly(igt_nv3_random_below(2));
		req.offset = mostly(IGT_NV3_PAGE * igt_nv3_random_below(4));
	}
	count_call(f, igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_VM_BIND, &req));
}

/* ---- objects and batches ---- */

static void call_instantiate(struct fuzzer *f)
{
	union {
		struct drm_nv3_dma_args dma;
		struct drm_nv3_surface_args surface;
		struct drm_nv3_graph_args graph;
		struct drm_nv3_programs_args programs;
		uint32_t words[64];
	} args = { .words = { 0 } };
	struct drm_nv3_object_instantiate req = {
		.channel = any_channel(f),
		.name = any_name(),
		.args = igt_nv3_random_below(64) ? (uintptr_t)&args :
						   igt_nv3_random_value(),
		.pad = mostly(0),
	};

	switch (igt_nv3_random_below(5)) {
	case 4:
		req.class_id = DRM_NV3_CLASS_PROGRAMS;
		req.args_size = sizeof(args.programs);
		args.programs.vm = any_vm(f);
		args.programs.flags = mostly(0);
		args.programs.dma_notify = igt_nv3_random_below(3) ? 0 : any_name();
		args.programs.pad = mostly(0);
		break;
	case 0:
		req.class_id = DRM_NV3_CLASS_DMA;
		req.args_size = sizeof(args.dma);
		args.dma.handle = any_bo(f);
		args.dma.flags = mostly(igt_nv3_random_below(2));
		args.dma.offset = mostly(igt_nv3_random_below(8192));
		args.dma.size = mostly(1 + igt_nv3_random_below(1 << 17));
		break;
	case 1:
		req.class_id = NV3_CLASS_SURFACE;
		req.args_size = sizeof(args.surface);
		args.surface.handle = any_bo(f);
		args.surface.slot = mostly(igt_nv3_random_below(4));
		args.surface.format = mostly(igt_nv3_random_below(4));
		args.surface.offset = mostly(16 * igt_nv3_random_below(512));
		args.surface.pitch = mostly(16 + 16 * igt_nv3_random_below(64));
		args.surface.width = mostly(1 + igt_nv3_random_below(256));
		args.surface.height = mostly(1 + igt_nv3_random_below(128));
		args.surface.pad = mostly(0);
		break;
	default:
		req.class_id = mostly(classes[igt_nv3_random_below(
					      ARRAY_SIZE(classes))]);
		req.args_size = sizeof(args.graph);
		args.graph.color_format = mostly(igt_nv3_random_below(5));
		args.graph.operation = mostly(NV3_OP_COPY);
		args.graph.dst_slots = mostly(igt_nv3_random_below(16));
		args.graph.src_slot = mostly(igt_nv3_random_below(4));
		args.graph.flags = mostly(igt_nv3_random_below(32));
		args.graph.dma[0] = igt_nv3_random_below(3) ? 0 : any_name();
		args.graph.dma[1] = igt_nv3_random_below(6) ? 0 : any_name();
		args.graph.dma_notify = igt_nv3_random_below(3) ? 0 : any_name();
		break;
	}
	req.args_size = mostly(req.args_size);
	count_call(f, igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_OBJECT_INSTANTIATE,
				    &req));
}

static void call_destroy(struct fuzzer *f)
{
	count_call(f, __igt_nv3_object_destroy(f->fd, any_channel(f),
					       any_name()));
}

/* Fills a pushbuffer with random methods and with bindings of objects that may exist. */
static void write_batch(struct fuzzer *f, uint32_t handle, uint32_t words)
{
	struct drm_nv3_gem_mmap req = { .handle = handle };
	uint32_t *at, i;

	if (igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_GEM_MMAP, &req))
		return;
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd,
		  req.offset);
	if (at == MAP_FAILED)
		return;
	for (i = 0; i + 1 < words; i += 2) {
		uint32_t subch = igt_nv3_random_below(8);

		if (igt_nv3_random_below(3)) {
			at[i] = 1 << 18 | subch << 13;
			at[i + 1] = any_name();
		} else {
			at[i] = 1 << 18 | subch << 13 |
				4 * (igt_nv3_random_below(4) ?
				     0xc0 + igt_nv3_random_below(0x50) :
				     igt_nv3_random_below(0x800));
			at[i + 1] = igt_nv3_random_value();
		}
	}
	munmap(at, 4096);
}

static void call_submit(struct fuzzer *f)
{
	uint32_t words = 2 * (1 + igt_nv3_random_below(40)), i;
	struct drm_nv3_segment segments[3];
	struct drm_nv3_buffer buffers[MANY];
	struct drm_nv3_sync in[2], out[2];
	struct drm_nv3_submit req = {
		.channel = any_channel(f),
		.flags = mostly(0),
		.segment_count = mostly(1 + igt_nv3_random_below(3)),
		.buffer_count = mostly(igt_nv3_random_below(MANY + 1)),
		.in_sync_count = mostly(igt_nv3_random_below(2)),
		.out_sync_count = mostly(igt_nv3_random_below(3)),
		.segments = (uintptr_t)segments,
		.buffers = (uintptr_t)buffers,
		.in_syncs = (uintptr_t)in,
		.out_syncs = (uintptr_t)out,
		.segment_size = mostly(sizeof(segments[0])),
		.buffer_size = mostly(sizeof(buffers[0])),
		.sync_size = mostly(sizeof(in[0])),
	};

	for (i = 0; i < 3; i++) {
		segments[i].handle = any_bo(f);
		segments[i].pad = mostly(0);
		segments[i].offset = mostly(0);
		segments[i].length = mostly(words * 4);
		write_batch(f, segments[i].handle, words);
	}
	for (i = 0; i < MANY; i++) {
		buffers[i].handle = any_bo(f);
		buffers[i].flags = mostly(1 + igt_nv3_random_below(3));
	}
	for (i = 0; i < 2; i++) {
		in[i].handle = any(f->syncobjs, 4);
		in[i].flags = mostly(0);
		in[i].point = igt_nv3_random_below(3);
		out[i].handle = any(f->syncobjs, 4);
		out[i].flags = mostly(0);
		out[i].point = igt_nv3_random_below(3);
	}
	/*
	 * If a count exceeds the size of its array, the kernel also reads memory after the array,
	 * on this process's stack.
	 */
	count_call(f, igt_nv3_ioctl(f->fd, DRM_IOCTL_NV3_SUBMIT, &req));
}

/* Stores methods, bindings and random words to a USER aperture. */
static void call_store(struct fuzzer *f)
{
	uint32_t i = igt_nv3_random_below(MANY / 2);
	uint32_t n = igt_nv3_random_below(40);

	while (f->aperture[i] && n--) {
		uint32_t subch = igt_nv3_random_below(8);
		uint32_t at = igt_nv3_random_below(4) ? subch * 0x2000 / 4 :
				igt_nv3_random_below(IGT_NV3_APERTURE / 4);

		f->aperture[i][at] = igt_nv3_random_below(4) ? any_name() :
							     igt_nv3_random_value();
	}
}

typedef void (*call_func)(struct fuzzer *f);

static const call_func calls[] = {
	call_getparam, call_enumerate, call_gem_create, call_gem_create,
	call_gem_close, call_gem_map, call_gem_wait, call_channel_create,
	call_channel_query, call_flush, call_instantiate, call_instantiate,
	call_instantiate, call_instantiate, call_destroy, call_submit,
	call_submit, call_submit, call_vm_create, call_vm_destroy,
	call_vm_bind, call_vm_bind, call_vm_bind,
};

static void fuzz_calls(struct fuzzer *f)
{
	calls[igt_nv3_random_below(ARRAY_SIZE(calls))](f);
}

static void fuzz_apertures(struct fuzzer *f)
{
	if (igt_nv3_random_below(2))
		call_store(f);
	else
		fuzz_calls(f);
}

/* Calls an ioctl with a random number, size and content, often with valid pointers. */
static void fuzz_raw(struct fuzzer *f)
{
	uint32_t nr = DRM_COMMAND_BASE + igt_nv3_random_below(0x20);
	uint32_t size = igt_nv3_random_below(4) ? 8 * igt_nv3_random_below(10) :
						  igt_nv3_random_below(256);
	uint64_t bytes[64];
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(bytes); i++) {
		bytes[i] = igt_nv3_random_value();
		if (!igt_nv3_random_below(3))
			bytes[i] |= (uint64_t)igt_nv3_random_value() << 32;
		else if (!igt_nv3_random_below(6))
			bytes[i] = (uintptr_t)bytes;
	}
	/* A random timeout of GEM_WAIT could be very long, so use 0. */
	if (nr == DRM_COMMAND_BASE + DRM_NV3_GEM_WAIT)
		bytes[1] = 0;
	count_call(f, igt_nv3_ioctl(f->fd, _IOC(igt_nv3_random_below(4), 'd',
						nr, size), bytes));
}

/* ---- several processes ---- */

static void fuzzer_init(struct fuzzer *f, int fd)
{
	uint32_t i;

	memset(f, 0, sizeof(*f));
	f->fd = drm_reopen_driver(fd);
	for (i = 0; i < ARRAY_SIZE(f->syncobjs); i++)
		igt_assert_eq(drmSyncobjCreate(f->fd, 1, &f->syncobjs[i]), 0);
}

static void fuzz_until(int fd, time_t end, const void *data)
{
	const call_func *fuzz = data;
	uint32_t calls = 0, good = 0, i, n;
	struct fuzzer f;

	while (igt_nv3_now() < end) {
		fuzzer_init(&f, fd);
		for (n = 0; n < 3000 && igt_nv3_now() < end; n++)
			(*fuzz)(&f);
		/* Closing the file frees its resources, even while channels are busy. */
		for (i = 0; i < MANY / 2; i++)
			drop_aperture(&f, i);
		close(f.fd);
		calls += f.calls;
		good += f.good;
	}
	igt_info("%u calls, %u of them successful\n", calls, good);
}

static void test_fuzz(int fd, uint64_t seed, time_t seconds, call_func fuzz)
{
	igt_nv3_chaos(fd, &(struct igt_nv3_chaos) {
		.seed = seed, .processes = FUZZERS, .seconds = seconds,
		.run = fuzz_until, .data = &fuzz,
	});
}

int igt_main()
{
	uint64_t seed, seconds;
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		seed = igt_nv3_number("NV3_SEED", time(NULL));
		seconds = igt_nv3_number("NV3_SECONDS", SECONDS);
	}

	igt_describe("Random calls with few errors, in any order.");
	igt_subtest("calls")
		test_fuzz(fd, seed, seconds, fuzz_calls);

	igt_describe("Random calls, and stores to USER apertures of PIO channels.");
	igt_subtest("aperture")
		test_fuzz(fd, seed, seconds, fuzz_apertures);

	igt_describe("Ioctls with random numbers, sizes and contents.");
	igt_subtest("raw")
		test_fuzz(fd, seed, seconds, fuzz_raw);

	igt_fixture()
		drm_close_driver(fd);
}
