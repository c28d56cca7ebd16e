/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "igt.h"
#include "igt_nv3_late.h"

#define SEM		0x3000
#define LATE_MS		10000

void igt_nv3_late_init(struct igt_nv3_late *late, int fd)
{
	struct drm_nv3_semaphore_args args = { .timeout_ms = LATE_MS };
	struct igt_nv3_batch *batch = &late->client.batch;

	igt_nv3_client_init(&late->client, fd);
	late->bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	args.handle = late->bo.handle;
	igt_assert_eq(__igt_nv3_object(fd, late->client.channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &late->syncobj), 0);
	igt_nv3_select(batch, IGT_NV3_SUB_FREE, SEM);
	igt_nv3_method(batch, IGT_NV3_SUB_FREE, NV3_SEMAPHORE_ACQUIRE, 1);
	igt_assert_eq(__igt_nv3_submit(batch, late->syncobj), 0);
}

void igt_nv3_late_end(struct igt_nv3_late *late)
{
	int fd = late->client.fd;

	/* A channel that is closed doesn't wait. */
	igt_nv3_client_fini(&late->client);
	igt_nv3_bo_destroy(&late->bo);
	drmSyncobjDestroy(fd, late->syncobj);
}

void igt_nv3_late_submit(struct igt_nv3_late *late, struct igt_nv3_batch *batch)
{
	uint32_t in;
	int file;

	igt_assert_eq(drmSyncobjExportSyncFile(late->client.fd, late->syncobj,
					       &file), 0);
	igt_assert_eq(drmSyncobjCreate(batch->fd, 0, &in), 0);
	igt_assert_eq(drmSyncobjImportSyncFile(batch->fd, in, file), 0);
	close(file);
	igt_assert_eq(__igt_nv3_submit_after(batch, in), 0);
	drmSyncobjDestroy(batch->fd, in);
}

void igt_nv3_late_kill(struct igt_nv3_client *client)
{
	pid_t child = fork();

	igt_assert_lte(0, child);
	if (!child) {
		for (;;)
			pause();
	}
	munmap(client->color.map, client->color.size);
	munmap(client->batch.bo.map, client->batch.bo.size);
	close(client->fd);
	igt_assert_eq(kill(child, SIGKILL), 0);
	igt_assert_eq(waitpid(child, NULL, 0), child);
}
