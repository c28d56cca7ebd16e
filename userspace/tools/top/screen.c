/* SPDX-License-Identifier: MIT */
/*
 * Prints a report as text for a terminal: the device, and a row for each client with its channels
 * below.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

#define BAR	20

struct screen {
	FILE *out;
	const struct top_sample *before, *now;
	unsigned int columns;
	bool color;
};

/* A client and its work, for sorting */
struct row {
	const struct top_client *client;
	struct top_work work;
};

static void attribute(const struct screen *s, const char *code)
{
	if (s->color)
		fprintf(s->out, "\033[%sm", code);
}

static void print_bar(const struct screen *s, double part)
{
	unsigned int i, full = part <= 0 ? 0 : part >= 1 ? BAR : (unsigned int)(part * BAR + 0.5);

	putc('[', s->out);
	attribute(s, "32");
	for (i = 0; i < BAR; i++)
		putc(i < full ? '|' : ' ', s->out);
	attribute(s, "0");
	putc(']', s->out);
}

static double rate(uint64_t count, double seconds)
{
	return seconds > 0 ? count / seconds : 0;
}

/*
 * Returns the engine time in percent, at most 100. Without this limit, the result could slightly
 * exceed 100 %, because the clocks are not read at exactly the same time.
 */
static double percent(const struct top_work *work)
{
	double value = rate(work->engine_ns, work->seconds) / 1e7;

	return value > 100 ? 100 : value;
}

/* Writes a number with a unit in 8 columns, such as "12.3 M". */
static void print_scaled(const struct screen *s, double value)
{
	static const char units[] = " kMG";
	unsigned int unit = 0;

	while (value >= 10000 && unit < 3) {
		value /= 1000;
		unit++;
	}
	fprintf(s->out, "%6.*f %c", value < 100 && unit ? 1 : 0, value, units[unit]);
}

static void print_memory(const struct screen *s, uint64_t bytes)
{
	fprintf(s->out, "%8.2fM", bytes / 1048576.0);
}

static void print_count(const struct screen *s, const char *name, enum top_counter counter)
{
	fprintf(s->out, "   %s ", name);
	if (s->before->has_counters && s->now->has_counters)
		print_scaled(s, rate(top_counter_work(s->before, s->now, counter),
				     s->now->time - s->before->time));
	else
		fprintf(s->out, "       ?");
	fprintf(s->out, "/s");
}

static void print_device(const struct screen *s, const struct top_device *dev)
{
	struct top_work work = top_total_work(s->before, s->now);
	const struct top_sample *now = s->now;

	attribute(s, "1");
	fprintf(s->out, "nv3-top: %s (%s), %.2f s, %u clients", dev->card, dev->pdev,
		now->time - s->before->time, now->client_count);
	attribute(s, "0");
	fprintf(s->out, "\n\n  engine ");
	print_bar(s, percent(&work) / 100);
	fprintf(s->out, " %5.1f %%             ", percent(&work));
	print_count(s, "methods  ", TOP_METHODS);
	fprintf(s->out, "   batches  ");
	print_scaled(s, rate(work.batches, work.seconds));
	fprintf(s->out, "/s\n  VRAM   ");
	if (now->has_vram) {
		print_bar(s, now->vram_size ? (double)now->vram_used / now->vram_size : 0);
		fprintf(s->out, " %5.1f of %.1f MiB   ", now->vram_used / 1048576.0,
			now->vram_size / 1048576.0);
	} else {
		fprintf(s->out, "%*s", -(BAR + 2 + 21), "?");
	}
	print_count(s, "triangles", TOP_TRIANGLES);
	fprintf(s->out, "   switches ");
	print_scaled(s, rate(work.switches, work.seconds));
	fprintf(s->out, "/s\n%52s", "");
	print_count(s, "pixels   ", TOP_PIXELS);
	fprintf(s->out, "\n\n");
}

static void print_channel(const struct screen *s, const struct top_channel *channel)
{
	fprintf(s->out, "          channel %3u %s %-8s", channel->chid, channel->pio ? "PIO" : "DMA",
		top_channel_state(channel));
	fprintf(s->out, "%31.1f  %-13s ",
		rate(top_channel_work(s->before, channel), s->now->time - s->before->time),
		channel->owns_pfifo && channel->owns_pgraph ? "PFIFO, PGRAPH" :
		channel->owns_pfifo ? "PFIFO" : channel->owns_pgraph ? "PGRAPH" : "");
	attribute(s, "36");
	top_print_classes(s->out, channel, " ", "");
	attribute(s, "0");
	putc('\n', s->out);
}

static void print_row(const struct screen *s, const struct row *row)
{
	const struct top_client *client = row->client;
	unsigned int i;

	fprintf(s->out, "%7d  %-16.16s ", (int)client->pid, client->name);
	print_bar(s, percent(&row->work) / 100);
	fprintf(s->out, " %6.1f", percent(&row->work));
	fprintf(s->out, "%10.1f%11.1f", rate(row->work.batches, row->work.seconds),
		rate(row->work.switches, row->work.seconds));
	print_memory(s, client->vram);
	print_memory(s, client->system);
	putc('\n', s->out);
	for (i = 0; i < s->now->channel_count; i++)
		if (top_channel_is_of(s->now, &s->now->channels[i], client))
			print_channel(s, &s->now->channels[i]);
}

static int compare(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->work.engine_ns != b->work.engine_ns)
		return a->work.engine_ns < b->work.engine_ns ? 1 : -1;
	return a->client->pid < b->client->pid ? -1 : a->client->pid > b->client->pid;
}

static void print_rows(const struct screen *s)
{
	struct row rows[TOP_CLIENTS];
	unsigned int i;

	for (i = 0; i < s->now->client_count; i++) {
		rows[i].client = &s->now->clients[i];
		rows[i].work = top_client_work(s->before, s->now, rows[i].client);
	}
	qsort(rows, s->now->client_count, sizeof(rows[0]), compare);
	for (i = 0; i < s->now->client_count; i++)
		print_row(s, &rows[i]);
}

/*
 * Prints channels of the kernel, of clients that have ended, and of clients that the caller may not
 * see.
 */
static void print_other_channels(const struct screen *s)
{
	const struct top_sample *now = s->now;
	unsigned int i, j;

	for (i = 0; i < now->channel_count; i++) {
		const struct top_channel *channel = &now->channels[i];
		bool shown = false;

		for (j = 0; j < now->client_count; j++)
			shown |= top_channel_is_of(now, channel, &now->clients[j]);
		if (shown)
			continue;
		fprintf(s->out, "%7d  %s\n", (int)channel->pid, channel->name);
		print_channel(s, channel);
	}
}

void top_print_screen(FILE *out, const struct top_device *dev, const struct top_sample *before,
		      const struct top_sample *now, unsigned int columns, bool color)
{
	const struct screen s = { out, before, now, columns, color };
	unsigned int i;
	int pad;

	print_device(&s, dev);
	attribute(&s, "7");
	pad = fprintf(out, "%7s  %-16s %-*s %6s%10s%11s%9s%9s", "PID", "CLIENT", BAR + 2,
		      "ENGINE TIME", "%", "batches/s", "switches/s", "VRAM", "SYSTEM");
	fprintf(out, "%*s", color && (int)columns > pad ? (int)columns - pad : 0, "");
	attribute(&s, "0");
	putc('\n', out);
	print_rows(&s);
	print_other_channels(&s);
	for (i = 0; i < now->note_count; i++) {
		attribute(&s, "33");
		fprintf(out, "%s%s\n", i ? "" : "\n", now->notes[i]);
		attribute(&s, "0");
	}
	fflush(out);
}
