/* SPDX-License-Identifier: MIT */
/*
 * Reads the driver's files in debugfs (kernel/debug): channels with their objects, counters of the
 * virtual chip, and the use of VRAM. Only root may read these files.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "top.h"

static FILE *open_file(struct top_sample *sample, const struct top_device *dev, const char *name,
		       const char *what)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dev->debugfs, name);
	file = fopen(path, "re");
	if (!file)
		top_note(sample, "no %s: %s: %s", what, path, strerror(errno));
	return file;
}

static void parse_channel(struct top_sample *sample, const char *line)
{
	struct top_channel *channel;
	char type[8];
	uint32_t chid;

	if (sample->channel_count == TOP_CHANNELS ||
	    sscanf(line, "channel %" SCNu32 ", %7[A-Z]:", &chid, type) != 2)
		return;
	channel = &sample->channels[sample->channel_count++];
	channel->chid = chid;
	channel->pio = !strcmp(type, "PIO");
	strcpy(channel->name, "kernel");
	sscanf(strchr(line, ':'), ": batches submitted %" SCNu64 " retired %" SCNu64,
	       &channel->submitted, &channel->retired);
	channel->owns_pfifo = strstr(line, ", in PFIFO");
	channel->owns_pgraph = strstr(line, ", in PGRAPH");
	channel->ready = strstr(line, ", ready");
	channel->blocked = strstr(line, ", blocked");
}

/* Parses "  opened by NAME, process PID, user UID". NAME may contain commas. */
static void parse_opener(struct top_channel *channel, const char *line)
{
	static const char first[] = "  opened by ", second[] = ", process ";
	const char *name = line + strlen(first), *next, *last = NULL;

	if (strncmp(line, first, strlen(first)))
		return;
	for (next = name; (next = strstr(next, second)); next++)
		last = next;
	if (!last)
		return;
	snprintf(channel->name, sizeof(channel->name), "%.*s", (int)(last - name), name);
	top_replace_controls(channel->name);
	sscanf(last + strlen(second), "%d", &channel->pid);
}

static void parse_object(struct top_channel *channel, const char *line)
{
	unsigned int class_id;

	if (sscanf(line, "  object %*x: class %x", &class_id) == 1 && class_id < TOP_CLASSES)
		channel->classes |= UINT64_C(1) << class_id;
}

static void parse_totals(struct top_sample *sample, const char *line)
{
	uint64_t switches, batches, ns;

	if (sscanf(line, "switches %" SCNu64 ", batches %" SCNu64, &switches, &batches) == 2) {
		sample->switches = switches;
		sample->batches = batches;
		sample->totals_time = top_time();
		sample->has_channels = true;
	}
	if (sscanf(line, "runouts %*u, busy for %" SCNu64, &ns) == 1)
		sample->engine_ns = ns;
}

static void read_channels(struct top_sample *sample, const struct top_device *dev)
{
	FILE *file = open_file(sample, dev, "channels", "channels and classes");
	struct top_channel *channel;
	char line[512];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (line[0] != ' ') {
			parse_totals(sample, line);
			parse_channel(sample, line);
		} else if (sample->channel_count) {
			channel = &sample->channels[sample->channel_count - 1];
			parse_opener(channel, line);
			parse_object(channel, line);
		}
	}
	fclose(file);
	if (!sample->has_channels)
		top_note(sample, "no channels: %s/channels has an unknown format", dev->debugfs);
}

static void read_counters(struct top_sample *sample, const struct top_device *dev)
{
	static const char *const names[TOP_COUNTERS] = {
		[TOP_METHODS] = "methods", [TOP_PIXELS] = "pixels", [TOP_TRIANGLES] = "triangles",
	};
	FILE *file = open_file(sample, dev, "counters", "methods, triangles and pixels");
	unsigned int i, found = 0;
	char name[32];
	uint64_t value;

	if (!file)
		return;
	while (fscanf(file, "%31s %" SCNu64, name, &value) == 2) {
		for (i = 0; i < TOP_COUNTERS; i++) {
			if (!strcmp(name, names[i])) {
				sample->counters[i] = value;
				found++;
			}
		}
	}
	fclose(file);
	sample->has_counters = found == TOP_COUNTERS;
	if (!sample->has_counters)
		top_note(sample, "no methods, triangles and pixels: the chip has no counters");
}

/*
 * Sets @value to the number in the first line that matches the scanf() format @format. Returns
 * false if no line of the file matches.
 */
static bool find_number(struct top_sample *sample, const struct top_device *dev, const char *name,
			const char *format, uint64_t *value)
{
	FILE *file = open_file(sample, dev, name, "use of VRAM");
	bool found = false;
	char line[256];

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, format, value) == 1;
	fclose(file);
	return found;
}

/*
 * Reads the size of VRAM and the number of used bytes. The driver prints the size, without RAMIN,
 * in KiB. TTM prints the number of used bytes.
 */
static void read_vram(struct top_sample *sample, const struct top_device *dev)
{
	uint64_t kib = 0;

	sample->has_vram = find_number(sample, dev, "vram", " usage: %" SCNu64,
				       &sample->vram_used) &&
			   find_number(sample, dev, "chip", "vram %*u KiB, %" SCNu64, &kib);
	sample->vram_size = kib << 10;
}

void top_read_debugfs(struct top_sample *sample, const struct top_device *dev)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/channels", dev->debugfs);
	file = fopen(path, "re");
	if (!file) {
		top_note(sample, "no channels, classes, methods, triangles, pixels and use of VRAM: %s: %s%s",
			 path, strerror(errno), errno == EACCES ? " (run as root)" : "");
		return;
	}
	fclose(file);
	read_channels(sample, dev);
	read_counters(sample, dev);
	read_vram(sample, dev);
}
