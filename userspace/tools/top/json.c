/* SPDX-License-Identifier: MIT */
/* Prints a report as one line with a JSON object. docs/howto/tracing.md describes the object. */
#include <inttypes.h>

#include "top.h"

static void print_string(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(out, "\\u%04x", *text);
		else
			putc(*text, out);
	}
	putc('"', out);
}

/* Prints a count, and the count per second. */
static void print_count(FILE *out, const char *name, uint64_t count, double seconds)
{
	fprintf(out, ", \"%s\": %" PRIu64 ", \"%s_per_s\": %.1f", name, count, name,
		seconds > 0 ? count / seconds : 0);
}

static void print_work(FILE *out, const struct top_work *work)
{
	fprintf(out, ", \"engine_percent\": %.2f",
		work->seconds > 0 ? work->engine_ns / work->seconds / 1e7 : 0);
	print_count(out, "batches", work->batches, work->seconds);
	print_count(out, "switches", work->switches, work->seconds);
	print_count(out, "runouts", work->runouts, work->seconds);
}

static void print_channel(FILE *out, const struct top_sample *before,
			  const struct top_channel *channel, double seconds)
{
	fprintf(out, "{\"channel\": %u, \"type\": \"%s\", \"state\": \"%s\", \"pfifo\": %s, "
		"\"pgraph\": %s, \"queued\": %" PRIu64, channel->chid,
		channel->pio ? "PIO" : "DMA", top_channel_state(channel),
		channel->owns_pfifo ? "true" : "false", channel->owns_pgraph ? "true" : "false",
		channel->submitted - channel->retired);
	print_count(out, "batches", top_channel_work(before, channel), seconds);
	fprintf(out, ", \"process\": ");
	print_string(out, channel->name);
	fprintf(out, ", \"pid\": %d, \"classes\": [", (int)channel->pid);
	top_print_classes(out, channel, ", ", "\"");
	fprintf(out, "]}");
}

static void print_channels(FILE *out, const struct top_sample *before,
			   const struct top_sample *now)
{
	unsigned int i;

	fprintf(out, ", \"channels\": [");
	for (i = 0; i < now->channel_count; i++) {
		fprintf(out, "%s", i ? ", " : "");
		print_channel(out, before, &now->channels[i], now->time - before->time);
	}
	fprintf(out, "]");
}

static void print_clients(FILE *out, const struct top_sample *before, const struct top_sample *now)
{
	unsigned int i;

	fprintf(out, ", \"clients\": [");
	for (i = 0; i < now->client_count; i++) {
		const struct top_client *client = &now->clients[i];
		struct top_work work = top_client_work(before, now, client);

		fprintf(out, "%s{\"process\": ", i ? ", " : "");
		print_string(out, client->name);
		fprintf(out, ", \"pid\": %d, \"id\": %" PRIu64 ", \"vram\": %" PRIu64
			", \"system\": %" PRIu64, (int)client->pid, client->id, client->vram,
			client->system);
		print_work(out, &work);
		fprintf(out, "}");
	}
	fprintf(out, "]");
}

static void print_device(FILE *out, const struct top_sample *before, const struct top_sample *now)
{
	struct top_work work = top_total_work(before, now);

	print_work(out, &work);
	if (before->has_counters && now->has_counters) {
		print_count(out, "methods", top_counter_work(before, now, TOP_METHODS), work.seconds);
		print_count(out, "triangles", top_counter_work(before, now, TOP_TRIANGLES),
			    work.seconds);
		print_count(out, "pixels", top_counter_work(before, now, TOP_PIXELS), work.seconds);
	}
	if (now->has_vram)
		fprintf(out, ", \"vram_size\": %" PRIu64 ", \"vram_used\": %" PRIu64,
			now->vram_size, now->vram_used);
}

void top_print_json(FILE *out, const struct top_device *dev, const struct top_sample *before,
		    const struct top_sample *now)
{
	unsigned int i;

	fprintf(out, "{\"card\": ");
	print_string(out, dev->card);
	fprintf(out, ", \"time\": %.6f, \"seconds\": %.6f", now->time, now->time - before->time);
	print_device(out, before, now);
	print_clients(out, before, now);
	if (now->has_channels)
		print_channels(out, before, now);
	fprintf(out, ", \"missing\": [");
	for (i = 0; i < now->note_count; i++) {
		fprintf(out, "%s", i ? ", " : "");
		print_string(out, now->notes[i]);
	}
	fprintf(out, "]}\n");
	fflush(out);
}
