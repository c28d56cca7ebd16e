/* SPDX-License-Identifier: MIT */
/*
 * Reads the clients of a device from /proc/PID/fdinfo. Documentation/gpu/drm-usage-stats.rst in the
 * kernel describes the format. The driver adds keys that begin with "nv3-". A user sees the files
 * of their own processes, and root sees the files of all processes.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

/* One file of fdinfo */
struct entry {
	bool is_nv3, is_device;
	struct top_client client;
};

/* Converts a size to bytes. The unit is KiB or MiB. A size without a unit is in bytes. */
static uint64_t scaled(const char *value)
{
	char unit[8] = "";
	uint64_t number = 0;

	sscanf(value, "%" SCNu64 " %7s", &number, unit);
	if (!strcmp(unit, "KiB"))
		return number << 10;
	return strcmp(unit, "MiB") ? number : number << 20;
}

static void parse_line(struct entry *entry, const struct top_device *dev, const char *key,
		       const char *value)
{
	const struct {
		const char *key;
		uint64_t *value;
	} numbers[] = {
		{ "drm-client-id", &entry->client.id },
		{ "drm-engine-graph", &entry->client.engine_ns },
		{ "drm-resident-vram", &entry->client.vram },
		{ "drm-resident-system", &entry->client.system },
		{ "nv3-batches", &entry->client.batches },
		{ "nv3-switches", &entry->client.switches },
		{ "nv3-runouts", &entry->client.runouts },
	};
	unsigned int i;

	if (!strcmp(key, "drm-driver"))
		entry->is_nv3 = !strcmp(value, "nv3");
	if (!strcmp(key, "drm-pdev"))
		entry->is_device = !strcmp(value, dev->pdev);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(key, numbers[i].key))
			*numbers[i].value = scaled(value);
}

static bool read_entry(struct entry *entry, const struct top_device *dev, const char *path)
{
	char line[256], *value;
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	memset(entry, 0, sizeof(*entry));
	entry->client.time = top_time();
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		value = strchr(line, ':');
		if (!value)
			continue;
		*value++ = 0;
		parse_line(entry, dev, line, value + strspn(value, " \t"));
	}
	fclose(file);
	return entry->is_nv3 && entry->is_device;
}

static void read_name(const char *proc, pid_t pid, char name[TOP_NAME])
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d/comm", proc, (int)pid);
	strcpy(name, "?");
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, TOP_NAME, file))
		name[strcspn(name, "\n")] = 0;
	top_replace_controls(name);
	fclose(file);
}

/*
 * Returns true if the sample already has the DRM file with this client id. Duplicated and inherited
 * descriptors refer to the same file.
 */
static bool is_known(const struct top_sample *sample, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < sample->client_count; i++)
		if (sample->clients[i].id == id)
			return true;
	return false;
}

static void add_client(struct top_sample *sample, struct top_client *client, const char *proc,
		       pid_t pid)
{
	if (is_known(sample, client->id))
		return;
	if (sample->client_count == TOP_CLIENTS) {
		sample->more_clients = true;
		return;
	}
	client->pid = pid;
	read_name(proc, pid, client->name);
	sample->clients[sample->client_count++] = *client;
}

/* Reads the files of a process. Returns false if the caller may not see these files. */
static bool read_process(struct top_sample *sample, const struct top_device *dev,
			 const char *proc, pid_t pid)
{
	char path[PATH_MAX];
	struct dirent *file;
	struct entry entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%d/fdinfo", proc, (int)pid);
	dir = opendir(path);
	if (!dir)
		return errno != EACCES && errno != EPERM;
	while ((file = readdir(dir))) {
		if (!isdigit((unsigned char)file->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "%s/%d/fdinfo/%.20s", proc, (int)pid, file->d_name);
		if (read_entry(&entry, dev, path))
			add_client(sample, &entry.client, proc, pid);
	}
	closedir(dir);
	return true;
}

void top_read_clients(struct top_sample *sample, const struct top_device *dev, const char *proc)
{
	unsigned int hidden = 0;
	struct dirent *entry;
	DIR *dir;

	dir = opendir(proc);
	if (!dir) {
		top_note(sample, "no clients: %s: %s", proc, strerror(errno));
		return;
	}
	while ((entry = readdir(dir))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0 && !read_process(sample, dev, proc, pid))
			hidden++;
	}
	closedir(dir);
	if (sample->more_clients)
		top_note(sample, "only the first %u clients are shown", TOP_CLIENTS);
	if (hidden)
		top_note(sample, "%u processes of other users are not shown (run as root)", hidden);
}
