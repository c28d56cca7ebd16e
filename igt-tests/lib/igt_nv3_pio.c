/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_pio.h"

/*
 * Time limit for a flush. The kernel needs much less time to complete a flush, or to stop the
 * channel with a fault.
 */
#define RUN_TIMEOUT_NS	INT64_C(60000000000)

int __igt_nv3_pio_create(int fd, uint32_t *channel, uint64_t *offset)
{
	struct drm_nv3_channel_create req = { .type = DRM_NV3_CHANNEL_PIO };
	int ret;

	ret = igt_nv3_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req);
	if (!ret) {
		*channel = req.channel;
		*offset = req.mmap_offset;
	}
	return ret;
}

bool igt_nv3_has_pio(int fd)
{
	uint64_t offset;
	uint32_t channel;
	int ret = __igt_nv3_pio_create(fd, &channel, &offset);

	if (!ret)
		igt_nv3_channel_destroy(fd, channel);
	return ret != -EOPNOTSUPP;
}

void igt_nv3_require_pio(int fd)
{
	igt_require_f(igt_nv3_has_pio(fd), "no CONFIG_DRM_NV3_PIO\n");
}

void *__igt_nv3_aperture(int fd, uint64_t offset)
{
	return mmap(NULL, IGT_NV3_APERTURE, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, offset);
}

int __igt_nv3_flush(int fd, uint32_t channel, uint32_t syncobj, uint64_t point)
{
	struct drm_nv3_channel_flush req = {
		.channel = channel, .syncobj = syncobj, .point = point,
	};

	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_FLUSH, &req);
}

static void pio_init(struct igt_nv3_pio *pio, int fd, uint32_t flags)
{
	struct drm_nv3_channel_create req = {
		.type = DRM_NV3_CHANNEL_PIO, .flags = flags,
	};
	struct igt_nv3_client *client = &pio->client;

	memset(pio, 0, sizeof(*pio));
	client->fd = fd;
	igt_nv3_require_pio(fd);
	do_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req);
	client->channel = req.channel;
	pio->offset = req.mmap_offset;
	igt_assert_eq(drmSyncobjCreate(fd, 0, &pio->timeline), 0);
	pio->aperture = __igt_nv3_aperture(fd, pio->offset);
	igt_assert(pio->aperture != MAP_FAILED);
	client->color = igt_nv3_bo_create(fd, 2 * IGT_NV3_CANVAS *
					  IGT_NV3_CANVAS, DRM_NV3_GEM_VRAM);
	igt_nv3_surface(fd, client->channel, IGT_NV3_COLOR, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &client->color,
			2 * IGT_NV3_CANVAS, IGT_NV3_CANVAS, IGT_NV3_CANVAS);
	igt_nv3_graph(fd, client->channel, IGT_NV3_RECT, NV3_CLASS_RECT, 1);

	igt_nv3_store(pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, IGT_NV3_COLOR);
	igt_nv3_store(pio, IGT_NV3_SUB_RECT, NV3_MTHD_OBJECT, IGT_NV3_RECT);
	igt_nv3_pio_fill(pio, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, 0);
	igt_nv3_pio_run_ok(pio);
}

void igt_nv3_pio_init(struct igt_nv3_pio *pio, int fd)
{
	pio_init(pio, fd, 0);
}

void igt_nv3_pio_init_lr(struct igt_nv3_pio *pio, int fd)
{
	pio_init(pio, fd, DRM_NV3_CHANNEL_LONG_RUNNING);
}

void igt_nv3_pio_fini(struct igt_nv3_pio *pio)
{
	drmSyncobjDestroy(pio->client.fd, pio->timeline);
	igt_nv3_channel_destroy(pio->client.fd, pio->client.channel);
	munmap((void *)pio->aperture, IGT_NV3_APERTURE);
	igt_nv3_bo_destroy(&pio->client.color);
}

void igt_nv3_pio_fill(struct igt_nv3_pio *pio, uint32_t x, uint32_t y,
		      uint32_t w, uint32_t h, uint32_t color)
{
	igt_nv3_store(pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, color);
	igt_nv3_store(pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0),
		      y << 16 | (x & 0xffff));
	igt_nv3_store(pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0) + 4,
		      h << 16 | (w & 0xffff));
}

int igt_nv3_pio_flush(struct igt_nv3_pio *pio)
{
	int ret = __igt_nv3_flush(pio->client.fd, pio->client.channel,
				  pio->timeline, pio->point + 1);

	if (!ret)
		pio->point++;
	return ret;
}

void igt_nv3_pio_wait(const struct igt_nv3_pio *pio)
{
	int ret;

	if (!pio->point)
		return;
	ret = igt_nv3_timeline_wait(pio->client.fd, pio->timeline, pio->point,
				    RUN_TIMEOUT_NS);
	igt_assert_f(ret == 0, "the flush's fence did not signal: %d\n", ret);
}

void igt_nv3_pio_assert_busy(const struct igt_nv3_pio *pio)
{
	igt_assert_eq(igt_nv3_timeline_wait(pio->client.fd, pio->timeline,
					    pio->point, 0), -ETIME);
}

void igt_nv3_pio_run(struct igt_nv3_pio *pio)
{
	int ret = igt_nv3_pio_flush(pio);

	igt_assert(!ret || ret == -EIO);
	igt_nv3_pio_wait(pio);
}

void igt_nv3_pio_run_ok(struct igt_nv3_pio *pio)
{
	struct drm_nv3_channel_query query;

	igt_nv3_pio_run(pio);
	igt_assert_f(!igt_nv3_fault(pio->client.fd, pio->client.channel,
				    &query),
		     "fault %u: subchannel %u, method 0x%04x, data 0x%08x, class 0x%02x\n",
		     query.fault, query.subch, query.method, query.data,
		     query.class_id);
}

void igt_nv3_pio_assert_draws(struct igt_nv3_pio *pio, uint32_t seed)
{
	uint32_t x = seed * 7 % 30, y = seed * 13 % 30;
	uint16_t outside = seed * 0x1235 & 0x7fff;
	uint16_t inside = ~outside & 0x7fff;

	igt_nv3_pio_fill(pio, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, outside);
	igt_nv3_pio_fill(pio, x, y, 20, 30, inside);
	igt_nv3_pio_run_ok(pio);
	igt_nv3_assert_rect(&pio->client, x, y, 20, 30, inside, outside);
}
