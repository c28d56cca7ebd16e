/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Faults: the channel stops and reports the reason, and other channels go on.");

#define OBJECT	0x1000
#define DMA_IN	0x2000
#define DMA_OUT	0x2001
#define SUB	IGT_NV3_SUB_FREE

/* A client that faults, and a client of another file, which the fault must not affect */
struct pair {
	struct igt_nv3_client bad, good;
};

static void pair_init(struct pair *p, int fd)
{
	igt_nv3_client_init(&p->bad, fd);
	igt_nv3_client_init(&p->good, drm_reopen_driver(fd));
	igt_nv3_assert_draws(&p->good, 0);
}

static void pair_fini(struct pair *p)
{
	igt_nv3_client_fini(&p->bad);
	igt_nv3_client_fini(&p->good);
	close(p->good.fd);
}

/*
 * Runs the batch of @p->bad, which must end with the fault @fault. Asserts that the fault affects
 * no other channel.
 */
static void expect_fault(struct pair *p, uint32_t fault,
			 struct drm_nv3_channel_query *query)
{
	struct drm_nv3_channel_query first, later;
	struct igt_nv3_client again;
	uint32_t sync;
	int ret;

	igt_nv3_run(&p->bad.batch);
	igt_nv3_fault(p->bad.fd, p->bad.channel, &first);
	igt_assert_f(first.fault == fault,
		     "fault %u, not %u: subchannel %u, method 0x%04x, data 0x%08x, class 0x%02x\n",
		     first.fault, fault, first.subch, first.method, first.data,
		     first.class_id);
	igt_nv3_assert_draws(&p->good, 1);

	/* SUBMIT refuses later batches of the channel, so they draw nothing. */
	igt_assert_eq(drmSyncobjCreate(p->bad.fd, 0, &sync), 0);
	memset(p->bad.color.map, 0, p->bad.color.size);
	igt_nv3_fill(&p->bad, 0, 0, 64, 64, 0x7fff);
	ret = __igt_nv3_submit(&p->bad.batch, sync);
	igt_assert_f(ret == -EIO, "%d\n", ret);
	igt_nv3_bo_wait(&p->bad.color);
	igt_nv3_assert_rect(&p->bad, 0, 0, 0, 0, 0, 0);
	drmSyncobjDestroy(p->bad.fd, sync);

	/* CHANNEL_QUERY still reports the first fault. */
	igt_nv3_fault(p->bad.fd, p->bad.channel, &later);
	igt_assert(!memcmp(&first, &later, sizeof(first)));

	/* The client can create a new channel in the same file. */
	igt_nv3_client_init(&again, p->bad.fd);
	igt_nv3_assert_draws(&again, 2);
	igt_nv3_client_fini(&again);
	igt_nv3_assert_draws(&p->good, 3);
	if (query)
		*query = first;
}

static void test_name(int fd)
{
	struct drm_nv3_channel_query query;
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_select(&p.bad.batch, 5, 0xbad);
	expect_fault(&p, DRM_NV3_FAULT_NAME, &query);
	igt_assert_eq_u32(query.subch, 5);
	igt_assert_eq_u32(query.method, NV3_MTHD_OBJECT);
	igt_assert_eq_u32(query.data, 0xbad);
	pair_fini(&p);
}

/* A channel can't use the handles of another channel, even in the same file. */
static void test_name_of_other(int fd)
{
	struct pair p;
	struct igt_nv3_client other;

	pair_init(&p, fd);
	igt_nv3_client_init(&other, fd);
	igt_nv3_graph(fd, other.channel, OBJECT, NV3_CLASS_RECT, 1);
	igt_nv3_select(&p.bad.batch, SUB, OBJECT);
	expect_fault(&p, DRM_NV3_FAULT_NAME, NULL);
	igt_nv3_client_fini(&other);
	pair_fini(&p);
}

static void test_name_destroyed(int fd)
{
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_graph(fd, p.bad.channel, OBJECT, NV3_CLASS_RECT, 1);
	igt_nv3_select(&p.bad.batch, SUB, OBJECT);
	igt_nv3_run_ok(&p.bad.batch);
	igt_assert_eq(__igt_nv3_object_destroy(fd, p.bad.channel, OBJECT), 0);
	igt_nv3_select(&p.bad.batch, SUB, OBJECT);
	expect_fault(&p, DRM_NV3_FAULT_NAME, NULL);
	pair_fini(&p);
}

/* The batch invokes a method on a subchannel to which no object is bound. */
static void test_unbound(int fd)
{
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_method(&p.bad.batch, 6, NV3_RECT_COLOR, 0);
	expect_fault(&p, DRM_NV3_FAULT_NAME, NULL);
	pair_fini(&p);
}

static void test_method(int fd)
{
	struct drm_nv3_channel_query query;
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_method(&p.bad.batch, IGT_NV3_SUB_RECT, 0x1f00, 0x1234);
	expect_fault(&p, DRM_NV3_FAULT_METHOD, &query);
	igt_assert_eq_u32(query.subch, IGT_NV3_SUB_RECT);
	igt_assert_eq_u32(query.method, 0x1f00);
	igt_assert_eq_u32(query.data, 0x1234);
	igt_assert_eq_u32(query.class_id, NV3_CLASS_RECT);
	pair_fini(&p);
}

/*
 * The arguments of OBJECT_INSTANTIATE describe a surface completely, so class SURFACE has no
 * methods.
 */
static void test_surface_method(int fd, uint32_t mthd, uint32_t data)
{
	struct drm_nv3_channel_query query;
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_use(&p.bad.batch, &p.bad.color, NV3_READ | NV3_WRITE);
	igt_nv3_method(&p.bad.batch, IGT_NV3_SUB_COLOR, mthd, data);
	expect_fault(&p, DRM_NV3_FAULT_METHOD, &query);
	igt_assert_eq_u32(query.method, mthd);
	igt_assert_eq_u32(query.class_id, NV3_CLASS_SURFACE);
	pair_fini(&p);
}

static void test_data(int fd)
{
	struct drm_nv3_channel_query query;
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_graph(fd, p.bad.channel, OBJECT, NV3_CLASS_D3D, 1);
	igt_nv3_select(&p.bad.batch, SUB, OBJECT);
	/* 0 is neither a valid depth function nor a valid culling mode. */
	igt_nv3_method(&p.bad.batch, SUB, NV3_D3D_CONFIG, 0);
	expect_fault(&p, DRM_NV3_FAULT_DATA, &query);
	igt_assert_eq_u32(query.method, NV3_D3D_CONFIG);
	igt_assert_eq_u32(query.class_id, NV3_CLASS_D3D);
	pair_fini(&p);
}

static void test_state(int fd)
{
	struct pair p;
	uint32_t i;

	pair_init(&p, fd);
	igt_nv3_graph(fd, p.bad.channel, OBJECT, NV3_CLASS_D3D, 1);
	igt_nv3_use(&p.bad.batch, &p.bad.color, NV3_READ | NV3_WRITE);
	igt_nv3_select(&p.bad.batch, SUB, OBJECT);
	/* The batch draws triangles, but does not set the texture and NV3_D3D_CONFIG. */
	for (i = 0; i < 3; i++) {
		igt_nv3_begin(&p.bad.batch, SUB, NV3_D3D_FOG_TRI(i), 8);
		igt_nv3_word(&p.bad.batch, i | 0 << 4 | 1 << 8);
		igt_nv3_word(&p.bad.batch, 0xffffffff);
		igt_nv3_float(&p.bad.batch, i * 20);
		igt_nv3_float(&p.bad.batch, i * i * 10);
		igt_nv3_float(&p.bad.batch, 0.5f);
		igt_nv3_float(&p.bad.batch, 1.0f);
		igt_nv3_float(&p.bad.batch, 0);
		igt_nv3_float(&p.bad.batch, 0);
	}
	expect_fault(&p, DRM_NV3_FAULT_STATE, NULL);
	pair_fini(&p);
}

/* ---- DMA objects ---- */

struct copy {
	uint32_t in, out;	/* offsets of the first byte */
	uint32_t length;
	uint32_t out_flags;
	/* true if the batch does not list the source buffer */
	bool forget;
};

static void test_page(int fd, const struct copy *copy)
{
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dma = { DMA_IN, DMA_OUT },
	};
	struct igt_nv3_bo in, out;
	struct pair p;
	uint32_t i;

	pair_init(&p, fd);
	in = igt_nv3_bo_create(fd, 8192, DRM_NV3_GEM_SYSTEM);
	out = igt_nv3_bo_create(fd, 8192, DRM_NV3_GEM_SYSTEM);
	memset(in.map, 0x11, in.size);
	memset(out.map, 0x22, out.size);
	igt_nv3_dma(fd, p.bad.channel, DMA_IN, &in, 0);
	igt_nv3_dma(fd, p.bad.channel, DMA_OUT, &out, copy->out_flags);
	igt_assert_eq(__igt_nv3_object(fd, p.bad.channel, OBJECT,
				       NV3_CLASS_M2MF, &args, sizeof(args)), 0);
	if (!copy->forget)
		igt_nv3_use(&p.bad.batch, &in, NV3_READ);
	igt_nv3_use(&p.bad.batch, &out, NV3_READ | NV3_WRITE);
	igt_nv3_select(&p.bad.batch, SUB, OBJECT);
	igt_nv3_begin(&p.bad.batch, SUB, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(&p.bad.batch, copy->in);
	igt_nv3_word(&p.bad.batch, copy->out);
	igt_nv3_word(&p.bad.batch, copy->length);
	igt_nv3_word(&p.bad.batch, copy->length);
	igt_nv3_word(&p.bad.batch, copy->length);
	igt_nv3_word(&p.bad.batch, 1);
	igt_nv3_word(&p.bad.batch, 1 << 8 | 1);
	igt_nv3_word(&p.bad.batch, 0);
	expect_fault(&p, DRM_NV3_FAULT_PAGE, NULL);
	/* The destination is unchanged if it is read-only or the batch does not list the source. */
	if (!(copy->out_flags & DRM_NV3_DMA_WRITE) || copy->forget) {
		for (i = 0; i < out.size; i++)
			igt_assert_eq(((uint8_t *)out.map)[i], 0x22);
	}
	igt_nv3_bo_destroy(&in);
	igt_nv3_bo_destroy(&out);
	pair_fini(&p);
}

/* ---- the stream ---- */

static void test_stream_header(int fd, uint32_t header)
{
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_word(&p.bad.batch, header);
	igt_nv3_word(&p.bad.batch, 0);
	expect_fault(&p, DRM_NV3_FAULT_STREAM, NULL);
	pair_fini(&p);
}

/*
 * The last header announces a method, but the batch contains no argument for it. The first word
 * that the driver appends becomes the argument of POINT, which accepts any word and draws nothing.
 * The second word becomes a header.
 */
static void test_stream_short(int fd)
{
	struct pair p;

	pair_init(&p, fd);
	igt_nv3_begin(&p.bad.batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 1);
	expect_fault(&p, DRM_NV3_FAULT_STREAM, NULL);
	pair_fini(&p);
}

/*
 * The last header announces more arguments than the batch contains, so the words that the driver
 * appends to the batch become arguments. The other client must still draw correctly. The fault's
 * reason depends on the method, so the test does not check the reason.
 */
static void test_stream_swallow(int fd)
{
	struct pair p;
	uint32_t i;

	pair_init(&p, fd);
	for (i = 0; i < 10; i++) {
		struct igt_nv3_client bad;

		igt_nv3_client_init(&bad, fd);
		igt_nv3_begin(&bad.batch, IGT_NV3_SUB_RECT, 0x104 + 0x40 * i,
			      1900);
		igt_nv3_word(&bad.batch, 0);
		igt_nv3_run(&bad.batch);
		igt_assert_neq(igt_nv3_fault(fd, bad.channel, NULL),
			       DRM_NV3_FAULT_NONE);
		igt_nv3_client_fini(&bad);
		igt_nv3_assert_draws(&p.good, i);
	}
	pair_fini(&p);
}

int igt_main()
{
	static const struct {
		const char *name, *text;
		struct copy copy;
	} pages[] = {
		{ "page-source", "Read past the end of a DMA object.",
		  { 4096, 0, 8192, DRM_NV3_DMA_WRITE } },
		{ "page-target", "Write past the end of a DMA object.",
		  { 0, 8000, 4096, DRM_NV3_DMA_WRITE } },
		{ "page-far", "Read gigabytes past the end of a DMA object.",
		  { 0xfffff000, 0, 4096, DRM_NV3_DMA_WRITE } },
		{ "page-read-only", "Write to a read-only DMA object.",
		  { 0, 0, 4096, 0 } },
		{ "page-unnamed", "Read a buffer that is not in the batch.",
		  { 0, 0, 4096, DRM_NV3_DMA_WRITE, true } },
	};
	int fd, i;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Bind a handle that no object has.");
	igt_subtest("name")
		test_name(fd);

	igt_describe("Bind a handle of another channel.");
	igt_subtest("name-of-other")
		test_name_of_other(fd);

	igt_describe("Bind the handle of a destroyed object.");
	igt_subtest("name-destroyed")
		test_name_destroyed(fd);

	igt_describe("Call a method on a subchannel without an object.");
	igt_subtest("unbound")
		test_unbound(fd);

	igt_describe("Call a method that the class does not have.");
	igt_subtest("method")
		test_method(fd);

	igt_describe("Move a surface by its hardware method.");
	igt_subtest("surface-offset")
		test_surface_method(fd, NV3_SURFACE_OFFSET, 0);

	igt_describe("Change a surface's pitch by its hardware method.");
	igt_subtest("surface-pitch")
		test_surface_method(fd, NV3_SURFACE_PITCH, 0x1000);

	igt_describe("Change a surface's format by its hardware method.");
	igt_subtest("surface-format")
		test_surface_method(fd, NV3_SURFACE_FORMAT,
				    NV3_SURFACE_FORMAT_Y8);

	igt_describe("Call a method with an invalid argument.");
	igt_subtest("data")
		test_data(fd);

	igt_describe("Draw triangles without any state.");
	igt_subtest("state")
		test_state(fd);

	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		igt_describe(pages[i].text);
		igt_subtest(pages[i].name)
			test_page(fd, &pages[i].copy);
	}

	igt_describe("A header with reserved bits set.");
	igt_subtest("stream-header")
		test_stream_header(fd, 0xffffffff);

	igt_describe("A header in the form of a jump, which NV3 does not have.");
	igt_subtest("stream-jump")
		test_stream_header(fd, 0x20000000);

	igt_describe("A header that announces more arguments than the batch contains.");
	igt_subtest("stream-short")
		test_stream_short(fd);

	igt_describe("A run whose length includes the driver's own words.");
	igt_subtest("stream-swallow")
		test_stream_swallow(fd);

	igt_fixture()
		drm_close_driver(fd);
}
