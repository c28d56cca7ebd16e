/* SPDX-License-Identifier: MIT */
/*
 * nv3-top: shows the work of the clients of an nv3 device. A sample holds counts since the driver
 * was loaded. A report shows the differences between two samples.
 */
#ifndef NV3_TOP_H
#define NV3_TOP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define TOP_CLIENTS	256
#define TOP_CHANNELS	128
#define TOP_CLASSES	64
#define TOP_NAME	64
#define TOP_NOTES	4

/* Counters of the virtual chip, in the order of the file `counters` in debugfs */
enum top_counter {
	TOP_METHODS,
	TOP_PIXELS,
	TOP_TRIANGLES,
	TOP_COUNTERS
};

/* The device whose clients are shown */
struct top_device {
	char card[TOP_NAME];	/* card0, for example */
	char pdev[TOP_NAME];	/* the device's bus address in the format of fdinfo */
	char debugfs[TOP_NAME];	/* the directory of the device's files in debugfs */
};

/* An open DRM file of the device, read from the fdinfo of a process */
struct top_client {
	pid_t pid;
	uint64_t id;		/* drm-client-id */
	char name[TOP_NAME];	/* of the process */
	double time;		/* time at which the client was read, see top_time() */
	uint64_t engine_ns, batches, switches, runouts;
	uint64_t vram, system;	/* resident bytes of its buffers */
};

/* A channel, from debugfs */
struct top_channel {
	uint32_t chid;
	bool pio, owns_pfifo, owns_pgraph, ready, blocked;
	/* process that has opened the channel's DRM file, or 0 for the kernel */
	pid_t pid;
	char name[TOP_NAME];	/* of that process */
	uint64_t submitted, retired;
	uint64_t classes;	/* bit n: the channel has an object of class n */
};

struct top_sample {
	double time;		/* time at which the reading began, see top_time() */
	struct top_client clients[TOP_CLIENTS];
	unsigned int client_count;
	bool more_clients;	/* there are more than TOP_CLIENTS */
	struct top_channel channels[TOP_CHANNELS];
	unsigned int channel_count;

	bool has_channels;	/* totals_time to engine_ns are valid */
	double totals_time;	/* time at which the totals were read, see top_time() */
	uint64_t switches, batches, engine_ns;
	bool has_counters;
	uint64_t counters[TOP_COUNTERS];
	bool has_vram;
	uint64_t vram_size, vram_used;	/* bytes */

	/* Messages about missing values, with the reasons */
	char notes[TOP_NOTES][160];
	unsigned int note_count;
};

/* Differences between two samples, for one client or for all clients */
struct top_work {
	double seconds;
	uint64_t engine_ns, batches, switches, runouts;
};

/* ---- device.c, fdinfo.c, debugfs.c ---- */

/* Finds the device of @card, or the first nv3 if @card is NULL. Returns 0 or a negative errno. */
int top_device_find(struct top_device *dev, const char *sysfs, const char *card);

/*
 * Adds to the sample all clients that the caller may see. @proc is /proc, or another directory in
 * tests.
 */
void top_read_clients(struct top_sample *sample, const struct top_device *dev, const char *proc);

/* Adds to the sample the values of debugfs, or a note with the reason for missing values. */
void top_read_debugfs(struct top_sample *sample, const struct top_device *dev);

__attribute__((format(printf, 2, 3)))
void top_note(struct top_sample *sample, const char *format, ...);

/* ---- report.c ---- */

/*
 * Replaces control characters in the name of a process with '?'. Any process can choose its own
 * name, so such characters could change the state of the terminal.
 */
void top_replace_controls(char *name);

/* CLOCK_MONOTONIC, in seconds */
double top_time(void);

/* Returns the work of @client from sample @before to sample @now. A new client is only in @now. */
struct top_work top_client_work(const struct top_sample *before, const struct top_sample *now,
				const struct top_client *client);
/*
 * Returns the work of all clients between the samples. With debugfs, the work of ended clients is
 * included.
 */
struct top_work top_total_work(const struct top_sample *before, const struct top_sample *now);
uint64_t top_counter_work(const struct top_sample *before, const struct top_sample *now,
			  enum top_counter counter);
/* Returns the number of batches that channel @now has retired since sample @before. */
uint64_t top_channel_work(const struct top_sample *before, const struct top_channel *now);
/*
 * Returns true if @client is the first client of the process that has opened the channel. Reports
 * show the channel only with this client.
 */
bool top_channel_is_of(const struct top_sample *sample, const struct top_channel *channel,
		       const struct top_client *client);
const char *top_channel_state(const struct top_channel *channel);
/*
 * Writes the names of the channel's classes, each enclosed by @quote, with @separator between them.
 */
void top_print_classes(FILE *out, const struct top_channel *channel, const char *separator,
		       const char *quote);

/* ---- json.c, screen.c ---- */

void top_print_json(FILE *out, const struct top_device *dev, const struct top_sample *before,
		    const struct top_sample *now);
/* @columns: the width of the terminal. @color: whether to use ANSI attributes. */
void top_print_screen(FILE *out, const struct top_device *dev, const struct top_sample *before,
		      const struct top_sample *now, unsigned int columns, bool color);

#endif
