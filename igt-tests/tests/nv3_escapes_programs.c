/* SPDX-License-Identifier: MIT */
/* Escapes (nv3_escapes.h) with methods of class PROGRAMS. */
#include "igt.h"
#include "igt_nv3_pm.h"
#include "nv3_escapes.h"

#define PAGE		IGT_NV3_PAGE
#define SECRET_WORD	(SECRET << 16 | SECRET)

/*
 * Addresses in the attacker's address space. Two pages in the middle of the attacker's buffer are
 * mapped at OWN. A page at GONE was mapped, read by the chip, and unmapped again. VICTIM is mapped
 * only in the victim's address space.
 */
#define CLIENT		0x00010000u
#define OWN		0x00400000u
#define OWN_SIZE	(2 * PAGE)
#define OWN_END		(OWN + OWN_SIZE)
#define READ_ONLY	0x00500000u
#define GONE		0x00600000u
#define VICTIM		VICTIM_ADDRESS

#define TRIANGLES	5
#define GL_ALWAYS	0x207
#define FORMAT_NONE	0x100		/* target format with neither colours nor depths */
#define FORMAT_COLOR	0x108		/* A8R8G8B8 */
#define FORMAT_Z16	0x110
#define FORMAT_Z24	0x120

struct pm_attacker {
	struct igt_nv3_pm pm;
	struct igt_nv3_bo own;
};

static void fill(const struct igt_nv3_bo *bo, uint32_t offset, uint32_t size, uint32_t word)
{
	uint32_t *words = (uint32_t *)((uint8_t *)bo->map + offset), i;

	for (i = 0; i < size / 4; i++)
		words[i] = word;
}

/*
 * Maps, reads and unmaps a page, so that the attacker's address space has a page table for GONE in
 * which no entry is present.
 */
static void use_gone(struct pm_attacker *a)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(a->pm.fd, PAGE, DRM_NV3_GEM_SYSTEM);

	igt_nv3_vm_map(a->pm.fd, a->pm.vm, &bo, GONE);
	igt_nv3_pm_peek(&a->pm, GONE);
	igt_nv3_vm_unmap(a->pm.fd, a->pm.vm, GONE, PAGE);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_pm_state(&a->pm);
}

static void attacker_init(struct pm_attacker *a, int fd, uint32_t domain)
{
	const uint32_t vm = igt_nv3_vm_create(fd);

	igt_nv3_pm_init(&a->pm, fd, vm, CLIENT, 0);
	use_gone(a);
	a->own = igt_nv3_bo_create(fd, 2 * OWN_SIZE, domain);
	fill(&a->own, 0, 2 * OWN_SIZE, SECRET_WORD);
	fill(&a->own, PAGE, OWN_SIZE, 0);
	igt_assert_eq(__igt_nv3_vm_map(fd, vm, a->own.handle, PAGE, OWN, OWN_SIZE, 0), 0);
	igt_assert_eq(__igt_nv3_vm_map(fd, vm, a->own.handle, PAGE, READ_ONLY, PAGE,
				       DRM_NV3_VM_READ_ONLY), 0);
	igt_nv3_use(&a->pm.batch, &a->own, NV3_READ | NV3_WRITE);
	igt_nv3_pm_use_target(&a->pm);
}

static void attacker_fini(struct pm_attacker *a)
{
	igt_nv3_pm_fini(&a->pm);
	igt_nv3_vm_destroy(a->pm.fd, a->pm.vm);
	igt_nv3_bo_destroy(&a->own);
}

/*
 * Asserts that all words in a range of @bo are secrets, or if @secret is false, that none of them
 * is.
 */
static void assert_secret(const struct igt_nv3_bo *bo, uint32_t offset, uint32_t size, bool secret,
			  const char *what)
{
	const uint32_t *words = (uint32_t *)((uint8_t *)bo->map + offset);
	uint32_t i;

	for (i = 0; i < size / 4; i++)
		igt_assert_f((words[i] == SECRET_WORD) == secret,
			     "%s: word %u at offset 0x%x of a buffer is %08x\n", what, i, offset,
			     words[i]);
}

/* Like nv3_attack(), for class PROGRAMS. */
static void attack(struct victim *v, struct pm_attacker *a, uint32_t fault, const char *what)
{
	struct drm_nv3_channel_query query;

	/* This access leaves the victim's state and page table entries in the chip's caches. */
	igt_assert_eq_u32(igt_nv3_pm_peek(&v->pm, VICTIM), SECRET_WORD);
	igt_nv3_run(&a->pm.batch);
	igt_nv3_fault(a->pm.fd, a->pm.channel, &query);
	if (query.fault != fault) {
		igt_info("%s: fault %u, not %u: method 0x%04x, data 0x%08x\n", what, query.fault,
			 fault, query.method, query.data);
		nv3_surprise(what, "another fault");
	}
	assert_secret(&a->own, 0, PAGE, true, what);
	assert_secret(&a->own, PAGE, OWN_SIZE, false, what);
	assert_secret(&a->own, PAGE + OWN_SIZE, PAGE, true, what);
	assert_secret(&a->pm.target, 0, PAGE, false, what);
	nv3_escape_done(v, what);
}

/* ---- each kind of access, at each kind of invalid address ---- */

static void method(struct pm_attacker *a, uint32_t mthd, uint32_t data)
{
	igt_nv3_pm_method(&a->pm, mthd, data);
}

static void set_array(struct pm_attacker *a, uint32_t i, uint32_t address, uint32_t format)
{
	method(a, NV3_PM_ARRAY_OFFSET + 4 * i, address);
	method(a, NV3_PM_ARRAY_FORMAT + 4 * i, format);
}

#define ARRAY(type, components, stride) \
	((type) | (components) << NV3_PM_ARRAY_SIZE_SHIFT | (stride) << NV3_PM_ARRAY_STRIDE_SHIFT)
#define ARRAY_POSITIONS	ARRAY(2, 4, 16)
#define ARRAY_COLORS	ARRAY(0, 4, 4)

static void read_positions(struct pm_attacker *a, uint32_t address)
{
	set_array(a, 0, address, ARRAY_POSITIONS);
	igt_nv3_pm_triangle(&a->pm);
}

static void read_colors(struct pm_attacker *a, uint32_t address)
{
	set_array(a, 3, address, ARRAY_COLORS);
	igt_nv3_pm_triangle(&a->pm);
}

/*
 * Makes the chip read an array whose index advances once per instance instead of once per vertex.
 */
static void read_instances(struct pm_attacker *a, uint32_t address)
{
	uint32_t i;

	set_array(a, 3, address, ARRAY_COLORS);
	method(a, NV3_PM_ARRAY_DIVISOR + 12, 1);
	for (i = 0; i < 3; i++) {
		method(a, NV3_PM_INSTANCE, i);
		igt_nv3_pm_triangle(&a->pm);
	}
}

static void draw_indices(struct pm_attacker *a, uint32_t address, uint32_t format)
{
	method(a, NV3_PM_IDXBUF_OFFSET, address);
	method(a, NV3_PM_IDXBUF_FORMAT, format);
	method(a, NV3_PM_BEGIN_END, TRIANGLES);
	method(a, NV3_PM_INDEX_BATCH, 2u << NV3_PM_DRAW_COUNT_SHIFT);
	method(a, NV3_PM_BEGIN_END, 0);
}

static void read_indices(struct pm_attacker *a, uint32_t address)
{
	draw_indices(a, address, 0);
}

static void read_program(struct pm_attacker *a, uint32_t address)
{
	method(a, NV3_PM_FP_ACTIVE_PROGRAM, address);
	igt_nv3_pm_triangle(&a->pm);
}

/* Fields of the methods of a texture unit (NV3_PM_TEX) */
#define TEX_2D		(2 << 4)
#define TEX_3D		(3 << 4)
#define TEX_CUBE	(TEX_2D | 1 << 2)
#define TEX_A8R8G8B8	(0x05 << 8)
#define TEX_DXT1	(0x06 << 8)
#define TEX_LINEAR	(1 << 13)
#define TEX_LEVELS(n)	((n) << 16)
#define TEX_ON		(1u << 31)
#define TEX_CLAMP	0x00030303
#define TEX_NEAREST	0x01012000

/*
 * This program moves a texel to R0. The vertex program does not write the texture coordinate, so
 * the coordinate is 0.
 */
static const uint32_t sampling_program[] = {
	0x17009e01, 0x1c9dc801, 0x0001c801, 0x0001c801,
};

#define SAMPLING	(CLIENT + IGT_NV3_PM_DATA + IGT_NV3_PM_FREE)

static void set_texture(struct pm_attacker *a, uint32_t address, uint32_t format, uint32_t size,
			uint32_t size1)
{
	const uint32_t unit = NV3_PM_TEX;

	memcpy((uint8_t *)a->pm.data.map + IGT_NV3_PM_FREE, sampling_program,
	       sizeof(sampling_program));
	method(a, NV3_PM_FP_ACTIVE_PROGRAM, SAMPLING);
	method(a, unit + 4 * NV3_PM_TEX_OFFSET, address);
	method(a, unit + 4 * NV3_PM_TEX_FORMAT, format | TEX_LINEAR);
	method(a, unit + 4 * NV3_PM_TEX_WRAP, TEX_CLAMP);
	method(a, unit + 4 * NV3_PM_TEX_FILTER, TEX_NEAREST);
	method(a, unit + 4 * NV3_PM_TEX_NPOT_SIZE, size);
	method(a, NV3_PM_TEX_SIZE1, size1);
	method(a, unit + 4 * NV3_PM_TEX_ENABLE, TEX_ON);
	igt_nv3_pm_triangle(&a->pm);
}

static void read_texture(struct pm_attacker *a, uint32_t address)
{
	set_texture(a, address, TEX_2D | TEX_A8R8G8B8, 4 << 16 | 4, 1 << 20 | 16);
}

static void read_blocks(struct pm_attacker *a, uint32_t address)
{
	set_texture(a, address, TEX_2D | TEX_DXT1, 4 << 16 | 8, 1 << 20 | 8);
}

static void read_cube(struct pm_attacker *a, uint32_t address)
{
	set_texture(a, address, TEX_CUBE | TEX_A8R8G8B8, 1 << 16 | 1, 1 << 20 | 4);
}

static void draw_colors(struct pm_attacker *a, uint32_t address)
{
	method(a, NV3_PM_SURFACE_COLOR_OFFSET, address);
	igt_nv3_pm_triangle(&a->pm);
}

static void set_zeta(struct pm_attacker *a, uint32_t address, uint32_t format)
{
	method(a, NV3_PM_SURFACE_FORMAT, format);
	method(a, NV3_PM_SURFACE_PITCH, IGT_NV3_PM_SIDE * 4 << 16);
	method(a, NV3_PM_SURFACE_ZETA_OFFSET, address);
}

static void draw_depths(struct pm_attacker *a, uint32_t address)
{
	set_zeta(a, address, FORMAT_Z16);
	method(a, NV3_PM_DEPTH_TEST_ENABLE, 1);
	method(a, NV3_PM_DEPTH_FUNC, GL_ALWAYS);
	method(a, NV3_PM_DEPTH_MASK, 1);
	igt_nv3_pm_triangle(&a->pm);
}

static void clear_colors(struct pm_attacker *a, uint32_t address)
{
	method(a, NV3_PM_SURFACE_COLOR_OFFSET, address);
	igt_nv3_pm_clear(&a->pm, INK);
}

static void clear_depths(struct pm_attacker *a, uint32_t address)
{
	set_zeta(a, address, FORMAT_Z24);
	method(a, NV3_PM_ZSTENCIL_CLEAR_VALUE, INK);
	method(a, NV3_PM_CLEAR_RECT_HORIZONTAL, (IGT_NV3_PM_SIDE - 1) << 16);
	method(a, NV3_PM_CLEAR_RECT_VERTICAL, (IGT_NV3_PM_SIDE - 1) << 16);
	method(a, NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_Z | NV3_PM_CLEAR_STENCIL);
}

static void report(struct pm_attacker *a, uint32_t address)
{
	igt_nv3_pm_push_report(&a->pm, address);
}

static const struct access {
	const char *what;
	void (*run)(struct pm_attacker *a, uint32_t address);
	bool writes;
	/* the required alignment of the address */
	uint32_t align;
	/* true if the method's argument has only 24 bits for the address */
	bool near;
} accesses[] = {
	{ "positions", read_positions },
	{ "colours", read_colors },
	{ "instances", read_instances },
	{ "indices", read_indices },
	{ "fragment program", read_program },
	{ "texture", read_texture },
	{ "compressed texture", read_blocks },
	{ "cube", read_cube },
	{ "colour target", draw_colors, true },
	{ "depth target", draw_depths, true },
	{ "clear of colours", clear_colors, true },
	{ "clear of depth and stencil", clear_depths, true },
	{ "report", report, true, .near = true },
};

static const struct place {
	const char *what;
	uint32_t address;
} places[] = {
	{ "0", 0 },
	{ "the page before a mapping", OWN - PAGE },
	{ "across the start of a mapping", OWN - 8 },
	{ "the end of a mapping", OWN_END },
	{ "across the end of a mapping", OWN_END - 8 },
	{ "a mapping that was removed", GONE },
	{ "the victim's address", VICTIM },
	{ "no page table", 0x00c00000 },
	{ "the middle", 0x80000000 },
	{ "the last page", 0xfffff000 },
	{ "across the last address", 0xfffffff8 },
};

static void escape_address(struct victim *v, int fd, uint32_t domain, const struct access *access,
			   uint32_t address, const char *where)
{
	struct pm_attacker a;
	char what[96];

	snprintf(what, sizeof(what), "%s, %s", access->what, where);
	attacker_init(&a, fd, domain);
	access->run(&a, address);
	attack(v, &a, DRM_NV3_FAULT_PAGE, what);
	attacker_fini(&a);
}

/*
 * The attacker unmaps most pages of a buffer and closes the buffer's handle. After the victim has
 * allocated memory, the attacker accesses an unmapped page.
 */
static void escape_reuse(struct victim *v, int fd, uint32_t domain)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 16 * PAGE, domain), theirs;
	struct pm_attacker a;

	attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
	igt_nv3_vm_map(fd, a.pm.vm, &bo, GONE);
	igt_nv3_pm_peek(&a.pm, GONE);
	igt_nv3_vm_unmap(fd, a.pm.vm, GONE, 15 * PAGE);
	igt_nv3_bo_destroy(&bo);
	theirs = igt_nv3_bo_create(v->fd, 16 * PAGE, domain);
	fill(&theirs, 0, 16 * PAGE, SECRET_WORD);
	/* One page of the buffer is still mapped, so the kernel has not freed the buffer. */
	igt_assert_eq_u32(igt_nv3_pm_peek(&a.pm, GONE + 15 * PAGE), 0);
	igt_nv3_pm_use_target(&a.pm);
	read_colors(&a, GONE);
	attack(v, &a, DRM_NV3_FAULT_PAGE, "memory that was unmapped");
	assert_secret(&theirs, 0, 16 * PAGE, true, "memory that was unmapped");
	igt_nv3_bo_destroy(&theirs);
	attacker_fini(&a);
}

/* Asserts that @access causes no fault if it accesses the attacker's own memory. */
static void try_access(int fd, const struct access *access)
{
	struct pm_attacker a;

	attacker_init(&a, fd, DRM_NV3_GEM_VRAM);
	if (access->run == read_program)
		memcpy((uint8_t *)a.own.map + PAGE, sampling_program,
		       sizeof(sampling_program));
	access->run(&a, OWN);
	igt_nv3_run(&a.pm.batch);
	igt_assert_f(igt_nv3_fault(fd, a.pm.channel, NULL) == DRM_NV3_FAULT_NONE,
		     "%s: faults\n", access->what);
	attacker_fini(&a);
}

void nv3_escape_addresses(struct victim *v, int fd)
{
	static const uint32_t domains[] = { DRM_NV3_GEM_SYSTEM, DRM_NV3_GEM_VRAM };
	uint32_t d, i, j;

	for (i = 0; i < ARRAY_SIZE(accesses); i++)
		try_access(fd, &accesses[i]);
	for (d = 0; d < ARRAY_SIZE(domains); d++) {
		for (i = 0; i < ARRAY_SIZE(accesses); i++) {
			const struct access *access = &accesses[i];

			for (j = 0; j < ARRAY_SIZE(places); j++)
				if (!access->near || !(places[j].address >> 24))
					escape_address(v, fd, domains[d], access,
						       places[j].address, places[j].what);
			if (access->writes)
				escape_address(v, fd, domains[d], access, READ_ONLY, "read-only");
		}
		escape_reuse(v, fd, domains[d]);
	}
}

/* ---- sizes, counts and indices that lead to unmapped addresses ---- */

static void draw_target(struct pm_attacker *a, uint32_t horizontal, uint32_t vertical,
			uint32_t pitch)
{
	method(a, NV3_PM_SURFACE_COLOR_OFFSET, OWN);
	method(a, NV3_PM_SURFACE_CLIP_HORIZONTAL, horizontal);
	method(a, NV3_PM_SURFACE_CLIP_VERTICAL, vertical);
	method(a, NV3_PM_SURFACE_PITCH, pitch);
	igt_nv3_pm_scissor(&a->pm, 0, 0, 0xffff, 0xffff);
	igt_nv3_pm_triangle(&a->pm);
}

static void clear_target(struct pm_attacker *a, uint32_t horizontal, uint32_t vertical,
			 uint32_t pitch)
{
	method(a, NV3_PM_SURFACE_CLIP_HORIZONTAL, horizontal);
	method(a, NV3_PM_SURFACE_CLIP_VERTICAL, vertical);
	method(a, NV3_PM_SURFACE_PITCH, pitch);
	igt_nv3_pm_scissor(&a->pm, 0, 0, 0xffff, 0xffff);
	method(a, NV3_PM_SURFACE_COLOR_OFFSET, OWN);
	method(a, NV3_PM_COLOR_CLEAR_VALUE, INK);
	method(a, NV3_PM_CLEAR_RECT_HORIZONTAL, 0xffffu << 16);
	method(a, NV3_PM_CLEAR_RECT_VERTICAL, 0xffffu << 16);
	method(a, NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS);
}

/* Selects an array of colours with the stride @stride, and a single position for all vertices. */
static void set_stride(struct pm_attacker *a, uint32_t stride)
{
	set_array(a, 0, CLIENT + IGT_NV3_PM_DATA + IGT_NV3_PM_POSITIONS, ARRAY(2, 4, 0));
	set_array(a, 3, OWN, ARRAY(0, 4, stride));
}

static void draw_vertex(struct pm_attacker *a, uint32_t first, uint32_t base, uint32_t stride)
{
	set_stride(a, stride);
	method(a, NV3_PM_ELEMENT_BASE, base);
	method(a, NV3_PM_BEGIN_END, TRIANGLES);
	method(a, NV3_PM_ARRAY_ELEMENT32, first);
	method(a, NV3_PM_ARRAY_ELEMENT32, first);
	method(a, NV3_PM_ARRAY_ELEMENT32, first);
	method(a, NV3_PM_BEGIN_END, 0);
}

/* Draws a triangle whose indices the chip reads from a buffer. */
static void draw_index(struct pm_attacker *a, uint32_t index, uint32_t format, uint32_t stride)
{
	fill(&a->own, PAGE, 16, index);
	set_stride(a, stride);
	draw_indices(a, OWN, format);
}

static void draw_many(struct pm_attacker *a, uint32_t data, uint32_t mthd, uint32_t stride)
{
	set_stride(a, stride);
	method(a, NV3_PM_IDXBUF_OFFSET, OWN);
	method(a, NV3_PM_IDXBUF_FORMAT, 0);
	method(a, NV3_PM_BEGIN_END, TRIANGLES);
	method(a, mthd, data);
	method(a, NV3_PM_BEGIN_END, 0);
}

static void draw_instance(struct pm_attacker *a, uint32_t instance, uint32_t divisor,
			  uint32_t stride)
{
	set_array(a, 3, OWN, ARRAY(0, 4, stride));
	method(a, NV3_PM_ARRAY_DIVISOR + 12, divisor);
	method(a, NV3_PM_INSTANCE, instance);
	igt_nv3_pm_triangle(&a->pm);
}

/*
 * Makes the chip read an array element of @size bytes. Only the last of these bytes is after the
 * end of the mapping.
 */
static void draw_type(struct pm_attacker *a, uint32_t type, uint32_t components, uint32_t size)
{
	set_array(a, 3, OWN_END - size + 1, ARRAY(type, components, 0));
	igt_nv3_pm_triangle(&a->pm);
}

static void draw_texture(struct pm_attacker *a, uint32_t format, uint32_t size, uint32_t size1)
{
	set_texture(a, OWN, format, size, size1);
}

static const struct size_case {
	const char *what;
	void (*run)(struct pm_attacker *a, uint32_t x, uint32_t y, uint32_t z);
	uint32_t arg[3];
	uint32_t fault;
} size_cases[] = {
#define TARGET(text, ...) { "drawn " text, draw_target, { __VA_ARGS__ }, \
			    DRM_NV3_FAULT_PAGE }, \
			  { "cleared " text, clear_target, { __VA_ARGS__ }, \
			    DRM_NV3_FAULT_PAGE }
	TARGET("height", 32 << 16, 65 << 16, 128),
	TARGET("height, by much", 32 << 16, 2048 << 16, 128),
	TARGET("height, all bits", 32 << 16, 0xffffu << 16, 128),
	TARGET("y", 32 << 16, 32 << 16 | 64, 128),
	TARGET("width", 1025 << 16, 2 << 16, 4100),
	TARGET("width, all bits", 0xffffu << 16, 1 << 16, 0xfffc),
	TARGET("x", 32 << 16 | 2040, 1 << 16, 0xfffc),
	TARGET("pitch", 32 << 16, 3 << 16, 4096),
	TARGET("largest pitch", 32 << 16, 2 << 16, 0xfffc),
#undef TARGET
#define DATA(text, ...) { "drawn " text, draw_target, { __VA_ARGS__ }, \
			  DRM_NV3_FAULT_DATA }, \
			{ "cleared " text, clear_target, { __VA_ARGS__ }, \
			  DRM_NV3_FAULT_DATA }
	DATA("pitch below the width", 32 << 16, 32 << 16, 124),
	DATA("pitch of 0", 32 << 16, 32 << 16, 0),
	DATA("unaligned pitch", 32 << 16, 32 << 16, 130),
#undef DATA
	{ "drawn outside of any target", draw_target, { 32 << 16, 0xffffffff, 128 },
	  DRM_NV3_FAULT_NONE },
	{ "cleared outside of any target", clear_target, { 32 << 16, 0xffffffff, 128 },
	  DRM_NV3_FAULT_NONE },
#define CASE(text, function, ...) { text, function, { __VA_ARGS__ }, DRM_NV3_FAULT_PAGE }
	CASE("first vertex", draw_vertex, OWN_SIZE / 4, 0, 4),
	CASE("first vertex, by much", draw_vertex, 0x00ffffff, 0, 256),
	CASE("first vertex, all bits", draw_vertex, 0xffffffff, 0, 4),
	CASE("first vertex that wraps", draw_vertex, 0x40000000 - 2, 0, 4),
	CASE("first vertex before the array", draw_vertex, 0xfffffffe, 0, 4),
	CASE("base", draw_vertex, 0, OWN_SIZE / 4, 4),
	CASE("base, all bits", draw_vertex, 0, 0xffffffff, 4),
	CASE("base and vertex", draw_vertex, OWN_SIZE / 8, OWN_SIZE / 8, 4),
	CASE("stride", draw_vertex, 1, 0, OWN_SIZE),
	CASE("largest stride", draw_vertex, 1, 0, 0xffff),
	CASE("index", draw_index, OWN_SIZE / 4, 0, 4),
	CASE("index, all bits", draw_index, 0xffffffff, 0, 4),
	CASE("index that wraps", draw_index, 0x3ffffffe, 0, 4),
	CASE("index before the array", draw_index, 0xfffffff8, 0, 16),
	CASE("16-bit index", draw_index, 0xffffffff, 0x10, 64),
	CASE("8-bit index", draw_index, 0xffffffff, 0x20, 64),
	CASE("vertices", draw_many, 255u << 24, NV3_PM_DRAW_ARRAYS, 64),
	CASE("vertices from the last one", draw_many, 255u << 24 | 0xffffff,
	     NV3_PM_DRAW_ARRAYS, 4),
	CASE("indices from the last one", draw_many, 255u << 24 | 0xffffff,
	     NV3_PM_INDEX_BATCH, 4),
	CASE("indices across the end", draw_many, 255u << 24 | (OWN_SIZE / 4 - 8),
	     NV3_PM_INDEX_BATCH, 4),
	CASE("instance", draw_instance, OWN_SIZE / 4, 1, 4),
	CASE("instance, all bits", draw_instance, 0xffffffff, 1, 4),
	CASE("instance by a divisor", draw_instance, OWN_SIZE, 2, 4),
	CASE("largest instance and stride", draw_instance, 0xffffffff, 1, 0xffff),
	CASE("4 bytes", draw_type, 4, 4, 4),
	CASE("4 shorts", draw_type, 1, 4, 8),
	CASE("3 shorts", draw_type, 5, 3, 6),
	CASE("4 halves", draw_type, 3, 4, 8),
	CASE("1 float", draw_type, 2, 1, 4),
	CASE("2 floats", draw_type, 2, 2, 8),
	CASE("3 floats", draw_type, 2, 3, 12),
	CASE("4 floats", draw_type, 2, 4, 16),
	CASE("11, 11 and 10 bits", draw_type, 6, 1, 4),
#undef CASE
#define TEX(text, ...) { "texture's " text, draw_texture, { __VA_ARGS__ }, \
		    DRM_NV3_FAULT_PAGE }
	TEX("height", TEX_2D | TEX_A8R8G8B8, 16 << 16 | 129, 1 << 20 | 64),
	TEX("width", TEX_2D | TEX_A8R8G8B8, 2049 << 16 | 1, 1 << 20 | 8196),
	TEX("pitch", TEX_2D | TEX_A8R8G8B8, 1 << 16 | 2, 1 << 20 | 0xffff),
	TEX("largest size", TEX_2D | TEX_A8R8G8B8, 4096 << 16 | 4096, 1 << 20 | 16384),
	TEX("levels", TEX_2D | TEX_A8R8G8B8 | TEX_LEVELS(7), 64 << 16 | 32, 1 << 20 | 256),
	TEX("depth", TEX_3D | TEX_A8R8G8B8, 16 << 16 | 16, 9 << 20 | 64),
	TEX("largest depth", TEX_3D | TEX_A8R8G8B8, 16 << 16 | 16, 512 << 20 | 64),
	TEX("faces", TEX_CUBE | TEX_A8R8G8B8, 32 << 16 | 32, 1 << 20 | 128),
	TEX("compressed size", TEX_2D | TEX_DXT1, 256 << 16 | 256, 1 << 20),
	TEX("compressed pitch", TEX_2D | TEX_DXT1, 4 << 16 | 8, 1 << 20 | 0xffff),
#undef TEX
#define DATA(text, ...) { "texture's " text, draw_texture, { __VA_ARGS__ }, \
			  DRM_NV3_FAULT_DATA }
	DATA("width of 0", TEX_2D | TEX_A8R8G8B8, 16, 1 << 20 | 64),
	DATA("height of 0", TEX_2D | TEX_A8R8G8B8, 16 << 16, 1 << 20 | 64),
	DATA("depth of 0", TEX_3D | TEX_A8R8G8B8, 16 << 16 | 16, 64),
	DATA("width beyond the largest", TEX_2D | TEX_A8R8G8B8, 4097 << 16 | 1, 1 << 20 | 0xffff),
	DATA("height beyond the largest", TEX_2D | TEX_A8R8G8B8, 1 << 16 | 0xffff, 1 << 20 | 64),
	DATA("depth beyond the largest", TEX_3D | TEX_A8R8G8B8, 1 << 16 | 1, 0xfff << 20 | 64),
	DATA("levels beyond the largest", TEX_2D | TEX_A8R8G8B8 | TEX_LEVELS(15), 16 << 16 | 16,
	     1 << 20 | 64),
	DATA("pitch below the width", TEX_2D | TEX_A8R8G8B8, 16 << 16 | 16, 1 << 20 | 60),
	DATA("size of 32 bits", TEX_3D | TEX_A8R8G8B8, 4096 << 16 | 4096, 512 << 20 | 16384),
	DATA("unknown format", TEX_2D | 0x1c << 8, 16 << 16 | 16, 1 << 20 | 64),
	DATA("swizzled layout", 0, 16 << 16 | 16, 1 << 20 | 64),
#undef DATA
};

void nv3_escape_sizes(struct victim *v, int fd)
{
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(size_cases); i++) {
		const struct size_case *c = &size_cases[i];
		struct pm_attacker a;

		attacker_init(&a, fd, DRM_NV3_GEM_VRAM);
		c->run(&a, c->arg[0], c->arg[1], c->arg[2]);
		attack(v, &a, c->fault, c->what);
		attacker_fini(&a);
	}
}

/* ---- methods that the class lacks, and objects of other clients ---- */

static void refused_method(struct victim *v, int fd, uint32_t mthd, uint32_t data, uint32_t fault)
{
	struct pm_attacker a;
	char what[64];

	snprintf(what, sizeof(what), "programs, method %04x", mthd);
	attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
	method(&a, mthd, data);
	attack(v, &a, fault, what);
	attacker_fini(&a);
}

/* Tries to upload an instruction or a constant to the invalid index @place. */
static void refused_upload(struct victim *v, int fd, uint32_t load, uint32_t first, uint32_t place)
{
	struct pm_attacker a;
	uint32_t i;

	attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
	method(&a, load, place);
	for (i = 0; i < 4; i++)
		method(&a, first + 4 * i, SECRET_WORD);
	attack(v, &a, DRM_NV3_FAULT_DATA, "upload beyond the end");
	attacker_fini(&a);
}

static void notify(struct victim *v, int fd, uint32_t name, uint32_t slot, uint32_t flags)
{
	struct drm_nv3_dma_args dma = { .size = 32, .offset = PAGE, .flags = flags };
	struct drm_nv3_programs_args args = { .dma_notify = name };
	struct pm_attacker a;

	attacker_init(&a, fd, DRM_NV3_GEM_SYSTEM);
	dma.handle = a.own.handle;
	igt_assert_eq(__igt_nv3_object(fd, a.pm.channel, name, DRM_NV3_CLASS_DMA, &dma,
				       sizeof(dma)), 0);
	args.vm = a.pm.vm;
	igt_assert_eq(__igt_nv3_object(fd, a.pm.channel, OBJECT, DRM_NV3_CLASS_PROGRAMS, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&a.pm.batch, IGT_NV3_PM_SUB, OBJECT);
	method(&a, NV3_MTHD_NOTIFY, slot);
	method(&a, NV3_PM_NO_OPERATION, 0);
	attack(v, &a, DRM_NV3_FAULT_PAGE, "notification of a program's object");
	attacker_fini(&a);
}

void nv3_escape_program_methods(struct victim *v, int fd)
{
	static const uint32_t lacking[] = {
		0x0108, 0x010c, 0x0114, 0x01fc, 0x0300 - 4, 0x1ffc,
	};
	/* The chip has memory for 512 instructions and 512 constants. */
	static const uint32_t beyond[] = { 512, 1024, 0x10000, 1u << 31, ~0u };
	uint32_t mthd, i;

	for (mthd = 0x184; mthd <= 0x1a8; mthd += 4)
		refused_method(v, fd, mthd, VICTIM_DMA, DRM_NV3_FAULT_METHOD);
	refused_method(v, fd, 0x180, VICTIM_DMA, DRM_NV3_FAULT_NAME);
	refused_method(v, fd, 0x180, IGT_NV3_PM, DRM_NV3_FAULT_DATA);
	for (i = 0; i < ARRAY_SIZE(lacking); i++)
		refused_method(v, fd, lacking[i], SECRET_WORD, DRM_NV3_FAULT_METHOD);
	/* The upper eight bits of the argument are not part of the address. */
	refused_method(v, fd, NV3_PM_GET_REPORT, VICTIM | 1u << 31, DRM_NV3_FAULT_PAGE);
	for (i = 0; i < ARRAY_SIZE(beyond); i++) {
		refused_upload(v, fd, NV3_PM_TRANSFORM_PROGRAM_LOAD, NV3_PM_TRANSFORM_PROGRAM,
			       beyond[i]);
		refused_upload(v, fd, NV3_PM_TRANSFORM_CONSTANT_LOAD, NV3_PM_TRANSFORM_CONSTANT,
			       beyond[i]);
	}
	notify(v, fd, OTHER_OBJECT, 2, DRM_NV3_DMA_WRITE);
	notify(v, fd, OTHER_OBJECT, 15, DRM_NV3_DMA_WRITE);
	notify(v, fd, OTHER_OBJECT, 0, 0);
}
