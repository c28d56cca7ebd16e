/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <pthread.h>

#include "igt.h"
#include "igt_nv3_late.h"
#include "igt_nv3_pm.h"

IGT_TEST_DESCRIPTION("Address spaces: mappings, their limits, buffers that move, and isolation.");

#define PAGE		IGT_NV3_PAGE
#define BOTH		(DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM)
#define VM_SIZE		(1ull << 32)
#define VMS_MAX		16
#define MAPPINGS_MAX	16384

/*
 * The address at which tests map buffers, and the addresses at which the buffers of two clients
 * start
 */
#define AT		0x00400000u
#define CLIENT		0x00010000u
#define CLIENT_2	0x00020000u

static uint32_t word(uint32_t buffer, uint32_t page)
{
	return (buffer + 1) * 0x9e3779b9 ^ (page + 1) * 0x85ebca6b;
}

/* Creates buffer number @n, and fills each of its pages with a different word. */
static struct igt_nv3_bo make_bo(int fd, uint32_t n, uint32_t pages, uint32_t domains)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, pages * PAGE, domains);
	uint32_t *words = bo.map, i;

	for (i = 0; i < pages * PAGE / 4; i++)
		words[i] = word(n, i * 4 / PAGE);
	return bo;
}

static void assert_peek(struct igt_nv3_pm *pm, uint32_t address, uint32_t value)
{
	const uint32_t got = igt_nv3_pm_peek(pm, address);

	igt_assert_f(got == value, "address 0x%08x: 0x%08x, not 0x%08x\n", address, got, value);
}

/*
 * Asserts that an access to @address causes a page fault. The fault stops the channel, so the
 * function creates a channel for this access.
 */
static void assert_unmapped(int fd, uint32_t vm, uint32_t address)
{
	struct igt_nv3_pm pm;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT_2, 0);
	igt_nv3_pm_push_peeks(&pm, &address, 1);
	igt_nv3_pm_run_page_fault(&pm);
	igt_nv3_pm_fini(&pm);
}

/* ---- arguments ---- */

static void test_create(int fd)
{
	struct drm_nv3_vm_create req = { .flags = 1 };
	struct drm_nv3_vm_destroy end = { .pad = 1 };
	uint32_t vms[VMS_MAX], i, j;

	do_ioctl_err(fd, DRM_IOCTL_NV3_VM_CREATE, &req, EINVAL);
	req.flags = 0;
	for (i = 0; i < VMS_MAX; i++) {
		req.vm = 0;
		do_ioctl(fd, DRM_IOCTL_NV3_VM_CREATE, &req);
		igt_assert_eq_u64(req.size, VM_SIZE);
		vms[i] = req.vm;
		igt_assert_neq_u32(vms[i], 0);
		for (j = 0; j < i; j++)
			igt_assert_neq_u32(vms[i], vms[j]);
	}
	do_ioctl_err(fd, DRM_IOCTL_NV3_VM_CREATE, &req, ENOSPC);
	end.vm = vms[0];
	do_ioctl_err(fd, DRM_IOCTL_NV3_VM_DESTROY, &end, EINVAL);
	for (i = 0; i < VMS_MAX; i++)
		igt_nv3_vm_destroy(fd, vms[i]);
	igt_assert_eq(__igt_nv3_vm_destroy(fd, vms[0]), -ENOENT);
	igt_assert_eq(__igt_nv3_vm_destroy(fd, 0), -ENOENT);
	igt_nv3_vm_destroy(fd, igt_nv3_vm_create(fd));
}

static void test_bind_bad(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4 * PAGE, BOTH);
	const struct drm_nv3_vm_bind good = {
		.vm = vm, .op = DRM_NV3_VM_MAP, .handle = bo.handle, .address = AT,
		.offset = PAGE, .size = 2 * PAGE,
	};
	const struct drm_nv3_vm_bind unmap = {
		.vm = vm, .op = DRM_NV3_VM_UNMAP, .address = AT, .size = 2 * PAGE,
	};
	struct drm_nv3_vm_bind req;

#define BAD(from, member, value, error) \
	do { \
		req = (from); \
		req.member = (value); \
		igt_assert_eq(igt_nv3_ioctl(fd, DRM_IOCTL_NV3_VM_BIND, &req), -(error)); \
	} while (0)

	BAD(good, vm, 0, ENOENT);
	BAD(good, vm, vm + 1, ENOENT);
	BAD(good, op, 2, EINVAL);
	BAD(good, handle, 0, ENOENT);
	BAD(good, handle, 0xdead, ENOENT);
	BAD(good, flags, 2, EINVAL);
	BAD(good, flags, 1u << 31, EINVAL);
	BAD(good, address, AT + 1, EINVAL);
	BAD(good, address, VM_SIZE - PAGE, EINVAL);
	BAD(good, address, VM_SIZE, EINVAL);
	BAD(good, address, -2ull * PAGE, EINVAL);
	BAD(good, offset, 1, EINVAL);
	BAD(good, offset, 3 * PAGE, EINVAL);
	BAD(good, offset, -1ull * PAGE, EINVAL);
	BAD(good, size, 0, EINVAL);
	BAD(good, size, 1, EINVAL);
	BAD(good, size, 4 * PAGE, EINVAL);
	BAD(good, size, -1ull * PAGE, EINVAL);
	BAD(good, size, VM_SIZE + PAGE, EINVAL);
	BAD(unmap, handle, bo.handle, EINVAL);
	BAD(unmap, offset, PAGE, EINVAL);
	BAD(unmap, flags, DRM_NV3_VM_READ_ONLY, EINVAL);
	BAD(unmap, size, 0, EINVAL);
	BAD(unmap, size, VM_SIZE, EINVAL);
#undef BAD
	req = good;
	do_ioctl(fd, DRM_IOCTL_NV3_VM_BIND, &req);
	req = unmap;
	do_ioctl(fd, DRM_IOCTL_NV3_VM_BIND, &req);
	/* Unmapping a range without mappings is no error. */
	do_ioctl(fd, DRM_IOCTL_NV3_VM_BIND, &req);
	igt_nv3_vm_unmap(fd, vm, 0, VM_SIZE);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, vm);
}

static void test_object_bad(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd), other = igt_nv3_vm_create(fd);
	struct drm_nv3_programs_args args;
	struct igt_nv3_pm pm;

#define BAD(member, value, error) \
	do { \
		args = (struct drm_nv3_programs_args) { .vm = vm }; \
		args.member = (value); \
		igt_assert_eq(__igt_nv3_object(fd, pm.channel, 9, DRM_NV3_CLASS_PROGRAMS, \
					       &args, sizeof(args)), -(error)); \
	} while (0)

	igt_nv3_pm_init_bare(&pm, fd, vm, CLIENT, 0);
	BAD(vm, 0, ENOENT);
	BAD(vm, 99, ENOENT);
	BAD(flags, 1, EINVAL);
	BAD(pad, 1, EINVAL);
	BAD(dma_notify, 77, ENOENT);
	/* The failed calls must not have bound the channel to an address space. */
	igt_assert_eq(__igt_nv3_pm_object(&pm, 1, other), 0);
	igt_assert_eq(__igt_nv3_pm_object(&pm, 2, other), 0);
	BAD(vm, vm, EINVAL);
	/* The channel stays bound after its objects are destroyed. */
	igt_assert_eq(__igt_nv3_object_destroy(fd, pm.channel, 1), 0);
	igt_assert_eq(__igt_nv3_object_destroy(fd, pm.channel, 2), 0);
	BAD(vm, vm, EINVAL);
	igt_assert_eq(__igt_nv3_pm_object(&pm, 1, other), 0);
#undef BAD
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
	igt_nv3_vm_destroy(fd, other);
}

/* ---- mappings ---- */

static void test_map(int fd)
{
	static const uint64_t places[] = {
		0, AT, AT - PAGE, 0x7ffff000, VM_SIZE - 2 * PAGE,
	};
	static const uint32_t domains[] = {
		DRM_NV3_GEM_SYSTEM, DRM_NV3_GEM_VRAM, BOTH,
	};
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pm;
	uint32_t i, n;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		for (n = 0; n < ARRAY_SIZE(domains); n++) {
			struct igt_nv3_bo bo = make_bo(fd, n, 4, domains[n]);

			igt_assert_eq(__igt_nv3_vm_map(fd, vm, bo.handle, PAGE, places[i],
						       2 * PAGE, 0), 0);
			assert_peek(&pm, places[i], word(n, 1));
			assert_peek(&pm, places[i] + 2 * PAGE - 4, word(n, 2));
			igt_nv3_bo_destroy(&bo);
		}
	}
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
}

static void test_write(int fd)
{
	static const uint32_t domains[] = {
		DRM_NV3_GEM_SYSTEM, DRM_NV3_GEM_VRAM, BOTH,
	};
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pm;
	uint32_t n;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (n = 0; n < ARRAY_SIZE(domains); n++) {
		struct igt_nv3_bo bo = make_bo(fd, n, 2, domains[n]);
		const uint32_t *words = bo.map;

		igt_nv3_vm_map(fd, vm, &bo, AT);
		igt_nv3_pm_method(&pm, NV3_PM_CLEAR_REPORT_VALUE, 1);
		igt_nv3_pm_scissor(&pm, 0, 0, n + 1, 1);
		igt_nv3_pm_triangle(&pm);
		/* The 16 bytes of the report cross a page boundary. */
		igt_nv3_pm_push_report(&pm, AT + PAGE - 8);
		igt_nv3_run_ok(&pm.batch);
		igt_assert_eq_u32(words[PAGE / 4 - 3], word(n, 0));
		igt_assert(words[PAGE / 4 - 2] || words[PAGE / 4 - 1]);
		igt_assert_eq_u32(words[PAGE / 4], n + 1);
		igt_assert_eq_u32(words[PAGE / 4 + 1], 0);
		igt_assert_eq_u32(words[PAGE / 4 + 2], word(n, 1));
		igt_nv3_bo_destroy(&bo);
	}
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
}

static void test_read_only(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_bo bo = make_bo(fd, 0, 3, DRM_NV3_GEM_SYSTEM);
	const uint32_t *words = bo.map;
	struct igt_nv3_pm pm, other;
	uint32_t i;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	igt_nv3_pm_init(&other, fd, vm, CLIENT_2, 0);
	igt_assert_eq(__igt_nv3_vm_map(fd, vm, bo.handle, 0, AT, 3 * PAGE,
				       DRM_NV3_VM_READ_ONLY), 0);
	/*
	 * The remaining parts of the mapping stay read-only when the driver rewrites their page
	 * table entries.
	 */
	igt_nv3_vm_unmap(fd, vm, AT + PAGE, PAGE);
	assert_peek(&pm, AT, word(0, 0));
	igt_assert_eq(__igt_nv3_vm_map(fd, vm, bo.handle, PAGE, AT + PAGE, PAGE, 0), 0);
	igt_nv3_pm_push_report(&pm, AT + 2 * PAGE);
	igt_nv3_pm_run_page_fault(&pm);
	for (i = 0; i < 3 * PAGE / 4; i++)
		igt_assert_eq_u32(words[i], word(0, i * 4 / PAGE));
	igt_nv3_pm_push_report(&other, AT + PAGE);
	igt_nv3_run_ok(&other.batch);
	igt_assert_neq_u32(words[PAGE / 4], word(0, 1));
	igt_nv3_pm_push_report(&other, AT);
	igt_nv3_pm_run_page_fault(&other);
	for (i = 0; i < PAGE / 4; i++)
		igt_assert_eq_u32(words[i], word(0, 0));
	igt_nv3_pm_fini(&pm);
	igt_nv3_pm_fini(&other);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, vm);
}

/*
 * @model contains the expected word of each of the 16 pages that start at AT, or 0 if the page is
 * not mapped.
 */
#define MODEL_PAGES	16

static void check_model(int fd, struct igt_nv3_pm *pm, const uint32_t *model)
{
	uint32_t addresses[MODEL_PAGES], values[MODEL_PAGES], i, count = 0;

	for (i = 0; i < MODEL_PAGES; i++) {
		if (!model[i]) {
			assert_unmapped(fd, pm->vm, AT + i * PAGE + 64);
			continue;
		}
		addresses[count] = AT + i * PAGE + 64;
		values[count++] = model[i];
	}
	igt_nv3_pm_push_peeks(pm, addresses, count);
	igt_nv3_run_ok(&pm->batch);
	igt_nv3_pm_assert_peeks(pm, values, count);
}

static void test_split(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_bo a = make_bo(fd, 0, MODEL_PAGES, DRM_NV3_GEM_SYSTEM);
	struct igt_nv3_bo b = make_bo(fd, 1, MODEL_PAGES, DRM_NV3_GEM_VRAM);
	uint32_t model[MODEL_PAGES], i;
	struct igt_nv3_pm pm;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	igt_nv3_vm_map(fd, vm, &a, AT);
	for (i = 0; i < MODEL_PAGES; i++)
		model[i] = word(0, i);
	check_model(fd, &pm, model);

	/* Unmap pages in the middle, then at both ends. */
	igt_nv3_vm_unmap(fd, vm, AT + 5 * PAGE, 2 * PAGE);
	model[5] = model[6] = 0;
	check_model(fd, &pm, model);
	igt_nv3_vm_unmap(fd, vm, AT - PAGE, 2 * PAGE);
	igt_nv3_vm_unmap(fd, vm, AT + (MODEL_PAGES - 1) * PAGE, 4 * PAGE);
	model[0] = model[MODEL_PAGES - 1] = 0;
	check_model(fd, &pm, model);

	/*
	 * Map pages over the end of one mapping, the hole after it, and the beginning of the next
	 * mapping.
	 */
	igt_assert_eq(__igt_nv3_vm_map(fd, vm, b.handle, 3 * PAGE, AT + 4 * PAGE, 4 * PAGE, 0), 0);
	for (i = 4; i < 8; i++)
		model[i] = word(1, i - 1);
	check_model(fd, &pm, model);
	/* Replace the middle of a mapping with another part of the same buffer. */
	igt_assert_eq(__igt_nv3_vm_map(fd, vm, a.handle, 0, AT + 10 * PAGE, 2 * PAGE, 0), 0);
	model[10] = word(0, 0);
	model[11] = word(0, 1);
	check_model(fd, &pm, model);
	/* Replace all mappings, and the holes between them. */
	igt_nv3_vm_map(fd, vm, &b, AT);
	for (i = 0; i < MODEL_PAGES; i++)
		model[i] = word(1, i);
	check_model(fd, &pm, model);
	igt_nv3_vm_unmap(fd, vm, AT, MODEL_PAGES * PAGE);
	assert_unmapped(fd, vm, AT);
	assert_unmapped(fd, vm, AT + (MODEL_PAGES - 1) * PAGE);

	igt_nv3_pm_fini(&pm);
	igt_nv3_bo_destroy(&a);
	igt_nv3_bo_destroy(&b);
	igt_nv3_vm_destroy(fd, vm);
}

static void test_closed(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pm;
	uint32_t i;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (i = 0; i < 8; i++) {
		struct igt_nv3_bo bo = make_bo(fd, i, 1, i & 1 ? DRM_NV3_GEM_VRAM : BOTH);

		igt_nv3_vm_map(fd, vm, &bo, AT + i * PAGE);
		igt_nv3_bo_destroy(&bo);
	}
	for (i = 0; i < 8; i++)
		assert_peek(&pm, AT + i * PAGE, word(i, 0));
	/*
	 * The channel has a reference to the address space, so the address space continues to
	 * exist.
	 */
	igt_nv3_vm_destroy(fd, vm);
	igt_assert_eq(__igt_nv3_vm_unmap(fd, vm, AT, PAGE), -ENOENT);
	for (i = 0; i < 8; i++)
		assert_peek(&pm, AT + i * PAGE, word(i, 0));
	igt_nv3_pm_fini(&pm);
}

static void test_mappings_max(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_bo bo = make_bo(fd, 0, 1, DRM_NV3_GEM_SYSTEM);
	uint32_t i;
	int ret = 0;

	for (i = 0; i <= MAPPINGS_MAX && !ret; i++)
		ret = __igt_nv3_vm_map(fd, vm, bo.handle, 0, AT + (uint64_t)i * PAGE, PAGE, 0);
	igt_assert_eq(ret, -ENOSPC);
	igt_assert_lte(MAPPINGS_MAX - 4, i);
	/* Destroying the address space frees all mappings. */
	igt_nv3_vm_destroy(fd, vm);
	igt_nv3_bo_destroy(&bo);
}

/* ---- batches ---- */

struct unmapper {
	int fd, ret;
	uint32_t vm;
	bool done;
};

static void *unmap_thread(void *data)
{
	struct unmapper *u = data;

	u->ret = __igt_nv3_vm_unmap(u->fd, u->vm, AT, PAGE);
	__atomic_store_n(&u->done, true, __ATOMIC_SEQ_CST);
	return NULL;
}

static void test_unmap_waits(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd), address = AT, value = word(0, 0);
	struct unmapper u = { .fd = fd, .vm = vm };
	struct igt_nv3_bo bo = make_bo(fd, 0, 1, DRM_NV3_GEM_SYSTEM), other;
	struct igt_nv3_late late;
	struct igt_nv3_pm pm;
	pthread_t thread;

	igt_nv3_late_init(&late);
	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	igt_nv3_vm_map(fd, vm, &bo, AT);
	igt_nv3_pm_push_peeks(&pm, &address, 1);
	igt_nv3_late_submit(&late, &pm.batch);

	/* VM_BIND does not wait if it maps an unused range or unmaps a range without mappings. */
	other = make_bo(fd, 1, 1, DRM_NV3_GEM_SYSTEM);
	igt_nv3_vm_map(fd, vm, &other, AT + PAGE);
	igt_nv3_vm_unmap(fd, vm, AT + 2 * PAGE, PAGE);
	igt_nv3_batch_assert_busy(&pm.batch);

	igt_assert_eq(pthread_create(&thread, NULL, unmap_thread, &u), 0);
	usleep(100000);
	igt_assert(!__atomic_load_n(&u.done, __ATOMIC_SEQ_CST));
	igt_nv3_batch_assert_busy(&pm.batch);
	igt_nv3_late_end(&late);
	igt_assert_eq(pthread_join(thread, NULL), 0);
	igt_assert_eq(u.ret, 0);
	igt_nv3_batch_wait(&pm.batch);
	igt_assert_eq(igt_nv3_fault(fd, pm.channel, NULL), DRM_NV3_FAULT_NONE);
	igt_nv3_pm_assert_peeks(&pm, &value, 1);
	assert_peek(&pm, AT + PAGE, word(1, 0));
	assert_unmapped(fd, vm, AT);
	igt_nv3_pm_fini(&pm);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_bo_destroy(&other);
	igt_nv3_vm_destroy(fd, vm);
}

/*
 * Returns the total size, in KiB, of the file's buffers that are in system memory and have
 * unsignalled fences.
 */
static unsigned int active_kib(int fd)
{
	char path[64], line[128];
	unsigned int kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "r");
	igt_assert(f);
	while (fgets(line, sizeof(line), f))
		sscanf(line, "drm-active-system: %u KiB", &kib);
	fclose(f);
	return kib;
}

#define LATE_PAGES	64

/*
 * A batch can use a mapping that is created after the batch was submitted. The fence of the batch
 * prevents the eviction of the mapped buffer.
 */
static void test_map_late(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd), address = AT, value = word(0, 0);
	struct igt_nv3_bo bo = make_bo(fd, 0, LATE_PAGES, DRM_NV3_GEM_SYSTEM);
	unsigned int active;
	struct igt_nv3_pm pm, other;
	struct igt_nv3_late late;

	igt_nv3_late_init(&late);
	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	igt_nv3_pm_init(&other, fd, vm, CLIENT_2, 0);
	igt_nv3_pm_push_peeks(&pm, &address, 1);
	igt_nv3_late_submit(&late, &pm.batch);
	active = active_kib(fd);
	igt_nv3_vm_map(fd, vm, &bo, AT);
	igt_assert_eq(active_kib(fd), active + LATE_PAGES * PAGE / 1024);
	/* The driver writes the page table before the batch of another channel starts. */
	assert_peek(&other, AT, word(0, 0));
	igt_nv3_late_end(&late);
	igt_nv3_batch_wait(&pm.batch);
	igt_assert_eq(igt_nv3_fault(fd, pm.channel, NULL), DRM_NV3_FAULT_NONE);
	igt_nv3_pm_assert_peeks(&pm, &value, 1);
	igt_nv3_pm_fini(&pm);
	igt_nv3_pm_fini(&other);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, vm);
}

/* Submits batches that together need all of VRAM, so that the driver evicts other buffers. */
static void fill_vram(int fd, struct igt_nv3_client *client)
{
	const uint64_t available = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE);
	uint64_t size = available / 8 & ~(uint64_t)(PAGE - 1);
	struct igt_nv3_bo bos[8];
	uint32_t i;

	/*
	 * If the console's frame buffer is pinned, the buffers do not fit into VRAM together, so
	 * each buffer has its own batch.
	 */
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		bos[i] = igt_nv3_bo_create(fd, size, DRM_NV3_GEM_VRAM);
		igt_nv3_use(&client->batch, &bos[i], NV3_WRITE);
		igt_nv3_select(&client->batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
		igt_nv3_run_ok(&client->batch);
	}
	for (i = 0; i < ARRAY_SIZE(bos); i++)
		igt_nv3_bo_destroy(&bos[i]);
}

static void test_moved(int fd, bool private)
{
	static const uint32_t domains[] = { DRM_NV3_GEM_VRAM, BOTH, DRM_NV3_GEM_SYSTEM };
	const uint32_t vm = igt_nv3_vm_create(fd), size = 256 * 1024;
	uint32_t addresses[8], values[8], round, i;
	struct igt_nv3_bo bos[8];
	struct igt_nv3_client client;
	struct igt_nv3_pm pm;

	igt_nv3_client_init(&client, fd);
	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		bos[i] = private ? igt_nv3_bo_create_private(fd, size, domains[i % 3], vm) :
				   igt_nv3_bo_create(fd, size, domains[i % 3]);
		addresses[i] = AT + i * 2 * size + size - 4;
		igt_nv3_vm_map(fd, vm, &bos[i], AT + i * 2 * size);
	}
	for (round = 0; round < 4; round++) {
		for (i = 0; i < ARRAY_SIZE(bos); i++) {
			values[i] = word(i, round);
			((uint32_t *)bos[i].map)[size / 4 - 1] = values[i];
			/*
			 * In odd rounds, the batch lists two thirds of the buffers. The driver must
			 * place these buffers in VRAM if their domains permit it.
			 */
			if (round & 1 && i % 3 != 2)
				igt_nv3_use(&pm.batch, &bos[i], NV3_READ);
		}
		igt_nv3_pm_push_peeks(&pm, addresses, ARRAY_SIZE(bos));
		igt_nv3_run_ok(&pm.batch);
		igt_nv3_pm_assert_peeks(&pm, values, ARRAY_SIZE(bos));
		fill_vram(fd, &client);
	}
	igt_nv3_pm_fini(&pm);
	igt_nv3_client_fini(&client);
	for (i = 0; i < ARRAY_SIZE(bos); i++)
		igt_nv3_bo_destroy(&bos[i]);
	igt_nv3_vm_destroy(fd, vm);
}

/*
 * To make room for the buffers that a batch lists, the driver evicts mapped buffers that may also
 * be in system memory.
 */
static void test_room(int fd, bool private)
{
	const uint64_t available = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE);
	const uint32_t size = available / 8 & ~(PAGE - 1);
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_bo bos[8], needed[4];
	uint32_t addresses[8], values[8], i, round;
	struct igt_nv3_pm pm;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		bos[i] = private ? igt_nv3_bo_create_private(fd, size, BOTH, vm) :
				   igt_nv3_bo_create(fd, size, BOTH);
		values[i] = word(i, 0);
		((uint32_t *)bos[i].map)[0] = values[i];
		addresses[i] = AT + i * size;
		igt_nv3_vm_map(fd, vm, &bos[i], addresses[i]);
	}
	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		needed[i] = private ?
			    igt_nv3_bo_create_private(fd, size, DRM_NV3_GEM_VRAM, vm) :
			    igt_nv3_bo_create(fd, size, DRM_NV3_GEM_VRAM);
		igt_nv3_vm_map(fd, vm, &needed[i], AT + (ARRAY_SIZE(bos) + i) * size);
	}
	for (round = 0; round < 3; round++) {
		for (i = 0; i < ARRAY_SIZE(needed); i++)
			igt_nv3_use(&pm.batch, &needed[i], NV3_WRITE);
		igt_nv3_pm_push_peeks(&pm, addresses, ARRAY_SIZE(bos));
		igt_nv3_run_ok(&pm.batch);
		igt_nv3_pm_assert_peeks(&pm, values, ARRAY_SIZE(bos));
	}
	igt_nv3_pm_fini(&pm);
	for (i = 0; i < ARRAY_SIZE(bos); i++)
		igt_nv3_bo_destroy(&bos[i]);
	for (i = 0; i < ARRAY_SIZE(needed); i++)
		igt_nv3_bo_destroy(&needed[i]);
	igt_nv3_vm_destroy(fd, vm);
}

#define MANY	500

static void test_many(int fd, bool private)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_bo *bos = calloc(MANY, sizeof(*bos));
	uint32_t addresses[MANY], values[MANY], i;
	struct igt_nv3_pm pm;

	igt_assert(bos);
	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (i = 0; i < MANY; i++) {
		bos[i] = private ? igt_nv3_bo_create_private(fd, PAGE, DRM_NV3_GEM_SYSTEM, vm) :
				   igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
		values[i] = word(i, 0);
		((uint32_t *)bos[i].map)[0] = values[i];
		addresses[i] = AT + i * PAGE;
		igt_nv3_vm_map(fd, vm, &bos[i], addresses[i]);
	}
	igt_nv3_pm_push_peeks(&pm, addresses, MANY);
	igt_nv3_run_ok(&pm.batch);
	igt_nv3_pm_assert_peeks(&pm, values, MANY);
	for (i = 0; i < MANY; i++)
		igt_nv3_bo_destroy(&bos[i]);
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
	free(bos);
}

/* ---- isolation ---- */

static void test_isolation(int fd)
{
	const int fds[] = { fd, drm_reopen_driver(fd) };
	struct igt_nv3_bo bos[2];
	struct igt_nv3_pm pms[2];
	uint32_t vms[2], i, round;

	for (i = 0; i < 2; i++) {
		vms[i] = igt_nv3_vm_create(fds[i]);
		bos[i] = make_bo(fds[i], i, 1, DRM_NV3_GEM_SYSTEM);
		igt_nv3_pm_init(&pms[i], fds[i], vms[i], CLIENT, 0);
		igt_nv3_vm_map(fds[i], vms[i], &bos[i], AT);
		/* The other address space has no mapping at this address. */
		igt_nv3_vm_map(fds[i], vms[i], &bos[i], AT + (i + 1) * PAGE);
	}
	for (round = 0; round < 3; round++)
		for (i = 0; i < 2; i++)
			assert_peek(&pms[i], AT, word(i, 0));
	for (i = 0; i < 2; i++) {
		assert_peek(&pms[i], AT + (i + 1) * PAGE, word(i, 0));
		assert_unmapped(fds[i], vms[i], AT + (2 - i) * PAGE);
		assert_peek(&pms[!i], AT + (2 - i) * PAGE, word(!i, 0));
	}
	for (i = 0; i < 2; i++) {
		igt_nv3_pm_fini(&pms[i]);
		igt_nv3_bo_destroy(&bos[i]);
	}
	/* A file cannot use the address spaces and buffer handles of another file. */
	igt_nv3_vm_create(fds[0]);
	igt_assert_eq(__igt_nv3_vm_unmap(fds[1], 99, AT, PAGE), -ENOENT);
	close(fds[1]);
	igt_nv3_vm_destroy(fd, vms[0]);
}

/*
 * A new address space may reuse the memory of a destroyed address space, but must contain none of
 * the old mappings.
 */
static void test_reused(int fd)
{
	struct igt_nv3_bo bo = make_bo(fd, 0, 1, DRM_NV3_GEM_SYSTEM);
	uint32_t i;

	for (i = 0; i < 20; i++) {
		const uint32_t vm = igt_nv3_vm_create(fd);
		struct igt_nv3_pm pm;

		igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
		if (i % 2) {
			const uint32_t address = AT;

			igt_nv3_pm_push_peeks(&pm, &address, 1);
			igt_nv3_pm_run_page_fault(&pm);
		} else {
			igt_nv3_vm_map(fd, vm, &bo, AT);
			assert_peek(&pm, AT, word(0, 0));
		}
		igt_nv3_pm_fini(&pm);
		igt_nv3_vm_destroy(fd, vm);
	}
	igt_nv3_bo_destroy(&bo);
}

static void test_private(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd), other = igt_nv3_vm_create(fd);
	struct igt_nv3_bo bo = igt_nv3_bo_create_private(fd, PAGE, BOTH, vm);
	struct igt_nv3_pm pm;
	int file;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	*(uint32_t *)bo.map = word(0, 0);
	igt_assert_eq(__igt_nv3_vm_map(fd, other, bo.handle, 0, AT, PAGE, 0), -EINVAL);
	igt_assert(drmPrimeHandleToFD(fd, bo.handle, DRM_CLOEXEC, &file));
	igt_assert_eq(errno, EPERM);
	igt_nv3_vm_map(fd, vm, &bo, AT);
	/* The batch may also list the mapped buffer. */
	igt_nv3_use(&pm.batch, &bo, NV3_READ | NV3_WRITE);
	assert_peek(&pm, AT, word(0, 0));
	igt_nv3_pm_push_report(&pm, AT);
	igt_nv3_use(&pm.batch, &bo, NV3_READ | NV3_WRITE);
	igt_nv3_run_ok(&pm.batch);
	igt_nv3_bo_wait(&bo);
	igt_nv3_pm_fini(&pm);
	/* The buffer outlives its address space, and cannot be mapped in another address space. */
	igt_nv3_vm_destroy(fd, vm);
	igt_assert_eq(__igt_nv3_vm_map(fd, other, bo.handle, 0, AT, PAGE, 0), -EINVAL);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, other);
}

/* A file is closed while a batch uses the file's channel, address space and buffers. */
static void test_close(int fd)
{
	uint32_t i;

	for (i = 0; i < 10; i++) {
		const int file = drm_reopen_driver(fd);
		const uint32_t vm = igt_nv3_vm_create(file), address = AT;
		struct igt_nv3_bo bo = make_bo(file, 0, 4, BOTH);
		struct igt_nv3_pm pm;

		igt_nv3_pm_init(&pm, file, vm, CLIENT, 0);
		igt_nv3_vm_map(file, vm, &bo, AT);
		igt_nv3_pm_push_peeks(&pm, &address, 1);
		igt_assert_eq(__igt_nv3_submit(&pm.batch, 0), 0);
		if (i % 2)
			igt_nv3_vm_destroy(file, vm);
		close(file);
	}
}

int igt_main()
{
	static const char *const kinds[] = { "shared", "private" };
	uint32_t i;
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_programs(fd);
	}

	igt_describe("Bad arguments, and the number of address spaces of a file.");
	igt_subtest("create")
		test_create(fd);

	igt_describe("Bad arguments of VM_BIND.");
	igt_subtest("bind-bad")
		test_bind_bad(fd);

	igt_describe("Bad arguments of class PROGRAMS, and one address space in each channel.");
	igt_subtest("object-bad")
		test_object_bad(fd);

	igt_describe("The chip reads mapped buffers at the ends of the address space and of tables.");
	igt_subtest("map")
		test_map(fd);

	igt_describe("The chip writes to mapped buffers.");
	igt_subtest("write")
		test_write(fd);

	igt_describe("The chip does not write to mappings that are read-only.");
	igt_subtest("read-only")
		test_read_only(fd);

	igt_describe("Mappings are replaced and removed in part.");
	igt_subtest("split")
		test_split(fd);

	igt_describe("Mapped buffers without a handle, and an address space without an id.");
	igt_subtest("closed")
		test_closed(fd);

	igt_describe("The maximum number of mappings.");
	igt_subtest("mappings-max")
		test_mappings_max(fd);

	igt_describe("Unmapping waits for batches, and mapping does not.");
	igt_subtest("unmap-waits")
		test_unmap_waits(fd);

	igt_describe("A batch that was submitted before a mapping may use it.");
	igt_subtest("map-late")
		test_map_late(fd);

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		igt_describe("Buffers are found after they have moved.");
		igt_subtest_f("moved-%s", kinds[i])
			test_moved(fd, i);

		igt_describe("Buffers leave VRAM for others of the same batch.");
		igt_subtest_f("room-%s", kinds[i])
			test_room(fd, i);

		igt_describe("Hundreds of buffers are mapped.");
		igt_subtest_f("many-%s", kinds[i])
			test_many(fd, i);
	}

	igt_describe("Two files with different buffers at the same address.");
	igt_subtest("isolation")
		test_isolation(fd);

	igt_describe("Address spaces that follow each other.");
	igt_subtest("reused")
		test_reused(fd);

	igt_describe("A buffer that only one address space may map.");
	igt_subtest("private")
		test_private(fd);

	igt_describe("The file is closed while batches are in flight.");
	igt_subtest("close")
		test_close(fd);

	igt_fixture()
		drm_close_driver(fd);
}
