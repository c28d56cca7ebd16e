/* SPDX-License-Identifier: MIT */
/*
 * Computes the differences between samples. If a count has decreased since the first sample, it
 * belongs to a new client or channel.
 */
#include <nv3.h>
#include <stdarg.h>
#include <time.h>

#include "top.h"

double top_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

void top_note(struct top_sample *sample, const char *format, ...)
{
	va_list args;

	if (sample->note_count == TOP_NOTES)
		return;
	va_start(args, format);
	vsnprintf(sample->notes[sample->note_count++], sizeof(sample->notes[0]), format, args);
	va_end(args);
}

void top_replace_controls(char *name)
{
	unsigned char *c;

	for (c = (unsigned char *)name; *c; c++) {
		/* U+0080 to U+009F are control characters, too. In UTF-8 they have two bytes. */
		bool c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;

		if (c1)
			c[0] = c[1] = '?';
		else if (*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now >= before ? now - before : now;
}

static const struct top_client *find_client(const struct top_sample *sample, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < sample->client_count; i++)
		if (sample->clients[i].id == id)
			return &sample->clients[i];
	return NULL;
}

struct top_work top_client_work(const struct top_sample *before, const struct top_sample *now,
				const struct top_client *client)
{
	const struct top_client none = { .time = before->time };
	const struct top_client *old = find_client(before, client->id);

	if (!old)
		old = &none;
	return (struct top_work) {
		.seconds = client->time - old->time,
		.engine_ns = since(client->engine_ns, old->engine_ns),
		.batches = since(client->batches, old->batches),
		.switches = since(client->switches, old->switches),
		.runouts = since(client->runouts, old->runouts),
	};
}

struct top_work top_total_work(const struct top_sample *before, const struct top_sample *now)
{
	struct top_work total = { .seconds = now->time - before->time };
	unsigned int i;

	for (i = 0; i < now->client_count; i++) {
		struct top_work work = top_client_work(before, now, &now->clients[i]);

		total.engine_ns += work.engine_ns;
		total.batches += work.batches;
		total.switches += work.switches;
		total.runouts += work.runouts;
	}
	if (before->has_channels && now->has_channels) {
		total.seconds = now->totals_time - before->totals_time;
		total.engine_ns = since(now->engine_ns, before->engine_ns);
		total.batches = since(now->batches, before->batches);
		total.switches = since(now->switches, before->switches);
	}
	return total;
}

uint64_t top_counter_work(const struct top_sample *before, const struct top_sample *now,
			  enum top_counter counter)
{
	return since(now->counters[counter], before->counters[counter]);
}

uint64_t top_channel_work(const struct top_sample *before, const struct top_channel *now)
{
	unsigned int i;

	for (i = 0; i < before->channel_count; i++)
		if (before->channels[i].chid == now->chid && before->channels[i].pid == now->pid)
			return since(now->retired, before->channels[i].retired);
	return now->retired;
}

bool top_channel_is_of(const struct top_sample *sample, const struct top_channel *channel,
		       const struct top_client *client)
{
	unsigned int i;

	for (i = 0; i < sample->client_count; i++)
		if (sample->clients[i].pid == channel->pid)
			return &sample->clients[i] == client;
	return false;
}

const char *top_channel_state(const struct top_channel *channel)
{
	if (channel->blocked)
		return "blocked";
	if (channel->owns_pfifo && channel->submitted > channel->retired)
		return "running";
	if (channel->ready)
		return "ready";
	return channel->submitted > channel->retired ? "waiting" : "idle";
}

void top_print_classes(FILE *out, const struct top_channel *channel, const char *separator,
		       const char *quote)
{
	const char *between = "", *name;
	unsigned int i;

	for (i = 0; i < TOP_CLASSES; i++) {
		if (!(channel->classes >> i & 1))
			continue;
		name = nv3_class_name(i);
		if (name)
			fprintf(out, "%s%s%s%s", between, quote, name, quote);
		else
			fprintf(out, "%s%s0x%02x%s", between, quote, i, quote);
		between = separator;
	}
}
