/* SPDX-License-Identifier: MIT */
#include "lockstep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nv3_names.h"
#include "watch.h"

#define LINE_SIZE	64
#define EQUAL		0
#define DIFFERENT	1
#define FAILED		2

/* ---- processes ---- */

struct process {
	pid_t pid;
	FILE *output;
};

/* Starts a replay in a process that writes to a pipe. Returns false after a message. */
static bool start(struct process *process, const struct lockstep_side *side, const char *capture,
		  const char *option, const char *value)
{
	int ends[2];

	fflush(stdout);
	/* Use O_CLOEXEC, so that the process of the other replay does not keep the pipe open. */
	if (pipe2(ends, O_CLOEXEC))
		goto failed;
	process->pid = fork();
	if (!process->pid) {
		dup2(ends[1], STDOUT_FILENO);
		execlp(side->program, side->program, "--simd", side->simd, option, value, capture,
		       NULL);
		fprintf(stderr, "nv3-replay: %s: %s\n", side->program, strerror(errno));
		_exit(127);
	}
	close(ends[1]);
	process->output = process->pid > 0 ? fdopen(ends[0], "r") : NULL;
	if (process->output)
		return true;
	close(ends[0]);
failed:
	perror("nv3-replay: lockstep");
	return false;
}

/* Waits for a replay whose output is no longer needed. Returns its exit status. */
static int stop(struct process *process)
{
	int status = 0;

	fclose(process->output);
	waitpid(process->pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static bool start_both(struct process both[2], const char *capture,
		       const struct lockstep_side sides[2], const char *option, const char *value)
{
	if (!start(&both[0], &sides[0], capture, option, value))
		return false;
	if (start(&both[1], &sides[1], capture, option, value))
		return true;
	stop(&both[0]);
	return false;
}

/*
 * Reads the lines "KIND NUMBER CHECKSUM" of both replays, until a line differs. In this case, sets
 * @number to the NUMBER of the line and returns DIFFERENT. Returns EQUAL if no line differs, or
 * FAILED after a message.
 */
static int compare(struct process both[2], const char *kind, uint32_t *number)
{
	char lines[2][LINE_SIZE], format[LINE_SIZE];
	int i, status, result = EQUAL;
	bool more[2];

	snprintf(format, sizeof(format), "%s %%u", kind);
	while (result == EQUAL) {
		for (i = 0; i < 2; i++)
			more[i] = fgets(lines[i], LINE_SIZE, both[i].output);
		if (!more[0] && !more[1])
			break;
		if (more[0] && more[1] && strcmp(lines[0], lines[1])) {
			result = DIFFERENT;
			if (sscanf(lines[0], format, number) != 1)
				result = EQUAL;	/* a line of another kind ends the batch */
		} else if (more[0] != more[1]) {
			result = FAILED;
		}
	}
	for (i = 0; i < 2; i++) {
		status = stop(&both[i]);
		/*
		 * After a difference, ignore the exit status, because SIGPIPE may have ended a
		 * replay that was still writing.
		 */
		if (result == EQUAL && status)
			result = FAILED;
	}
	if (result == FAILED)
		fprintf(stderr, "nv3-replay: lockstep: a replay has failed\n");
	return result;
}

/* ---- the pixel ---- */

/* Reads a dump. Returns the buffers in one block of memory, or NULL after a message. */
static uint8_t *read_dump(const char *name, struct dump_head *head, size_t *size)
{
	FILE *file = fopen(name, "rb");
	uint8_t *data = NULL;
	long end;

	if (file && fread(head, sizeof(*head), 1, file) == 1 && !fseek(file, 0, SEEK_END)) {
		end = ftell(file);
		*size = end - sizeof(*head);
		data = malloc(*size + 1);
		if (data && (fseek(file, sizeof(*head), SEEK_SET) ||
			     fread(data, 1, *size, file) != *size)) {
			free(data);
			data = NULL;
		}
	}
	if (!data)
		fprintf(stderr, "nv3-replay: %s: the buffers can't be read\n", name);
	if (file)
		fclose(file);
	return data;
}

/* Prints which pixel of the target contains byte @at of a buffer. */
static void print_place(const struct dump_head *head, const struct dump_buffer *buffer,
			uint32_t at)
{
	const struct target *t = &head->target;
	uint32_t offset = at - t->offset;

	if (buffer->number == t->buffer && at >= t->offset && t->pitch &&
	    offset / t->pitch < t->height && offset % t->pitch < t->width * target_bytes(t))
		printf("  pixel %u,%u of buffer %u (%ux%u %s): ",
		       offset % t->pitch / target_bytes(t), offset / t->pitch, buffer->number,
		       t->width, t->height, target_format_name(t->format));
	else
		printf("  byte 0x%x of buffer %u: ", at, buffer->number);
}

static uint32_t word_of(const uint8_t *bytes, uint32_t size)
{
	uint32_t value = 0, i;

	for (i = 0; i < size; i++)
		value |= (uint32_t)bytes[i] << 8 * i;
	return value;
}

/* Prints the first difference, and the number of pixels or words that differ. */
static void compare_buffer(const struct dump_head *head, const struct dump_buffer *buffer,
			   const uint8_t *a, const uint8_t *b, const struct lockstep_side sides[2])
{
	const bool target = buffer->number == head->target.buffer;
	const uint32_t unit = target ? target_bytes(&head->target) : 4;
	uint32_t at, different = 0;

	for (at = 0; at + unit <= buffer->size; at += unit) {
		if (!memcmp(a + at, b + at, unit))
			continue;
		if (!different++) {
			print_place(head, buffer, at);
			printf("%0*x by %s, %0*x by %s\n", unit * 2, word_of(a + at, unit),
			       sides[0].simd, unit * 2, word_of(b + at, unit), sides[1].simd);
		}
	}
	if (different > 1)
		printf("  %u %s of buffer %u differ\n", different, target ? "pixels" : "words",
		       buffer->number);
}

static bool compare_dumps(const char *const names[2], const struct lockstep_side sides[2])
{
	struct dump_head heads[2];
	struct dump_buffer buffer;
	uint8_t *data[2];
	size_t sizes[2], at = 0;
	uint32_t i;

	data[0] = read_dump(names[0], &heads[0], &sizes[0]);
	data[1] = data[0] ? read_dump(names[1], &heads[1], &sizes[1]) : NULL;
	if (!data[1] || sizes[0] != sizes[1]) {
		free(data[0]);
		free(data[1]);
		return false;
	}
	for (i = 0; i < heads[0].buffers && at + sizeof(buffer) <= sizes[0]; i++) {
		memcpy(&buffer, data[0] + at, sizeof(buffer));
		at += sizeof(buffer);
		if (buffer.size > sizes[0] - at)
			break;
		compare_buffer(&heads[0], &buffer, data[0] + at, data[1] + at, sides);
		at += buffer.size;
	}
	free(data[0]);
	free(data[1]);
	return true;
}

/* Makes both replays dump their buffers after a method, and compares the dumps. */
static bool find_pixel(const char *capture, const struct lockstep_side sides[2], uint32_t batch,
		       uint32_t method)
{
	char directory[] = "/tmp/nv3-replay-XXXXXX";
	char names[2][sizeof(directory) + 4], value[2][sizeof(names[0]) + 32];
	struct process process;
	bool ok;
	int i;

	ok = mkdtemp(directory);
	for (i = 0; i < 2 && ok; i++) {
		snprintf(names[i], sizeof(names[i]), "%s/%d", directory, i);
		snprintf(value[i], sizeof(value[i]), "%u:%u:%s", batch, method, names[i]);
		ok = start(&process, &sides[i], capture, "--dump", value[i]) && !stop(&process);
	}
	if (ok)
		ok = compare_dumps((const char *const[]){ names[0], names[1] }, sides);
	for (i = 0; i < 2; i++)
		unlink(names[i]);
	rmdir(directory);
	return ok;
}

/* ---- the method ---- */

/* Prints the method @number of a batch. */
static bool print_method(const char *capture, uint32_t batch, uint32_t number)
{
	struct capture_reader reader;
	struct stream_model model = { 0 };
	struct capture_record record;
	struct stream_batch split = { 0 };
	char text[3 * NV3_NAMES_TEXT];
	bool ok = capture_open(&reader, capture);

	while (ok && reader.batches < batch && capture_next(&reader, &record) > 0) {
		stream_record(&model, &record);
		if (record.type != CAPTURE_BATCH)
			continue;
		free(split.methods);
		ok = stream_split(stream_find_channel(&model, record.words[0], record.words[1]),
				  record.words + 4 + record.words[2] * 2, record.words[3], &split);
	}
	ok = ok && reader.batches == batch && number < split.count;
	if (ok) {
		stream_print(&split.methods[number], text, sizeof(text));
		printf("batch %u, word %u, draw %u: %s\n", batch, split.methods[number].word,
		       split.methods[number].draw, text);
	}
	free(split.methods);
	stream_free(&model);
	capture_close(&reader);
	return ok;
}

static int find_method(const char *capture, const struct lockstep_side sides[2], uint32_t batch)
{
	struct process both[2];
	uint32_t method = UINT32_MAX;
	char value[16];
	int result;

	snprintf(value, sizeof(value), "%u", batch);
	if (!start_both(both, capture, sides, "--checksums-of-methods", value))
		return FAILED;
	result = compare(both, "method", &method);
	if (result == FAILED)
		return FAILED;
	printf("the replays differ: %s", result == DIFFERENT ? "" : "method by method they agree, ");
	if (result != DIFFERENT || !print_method(capture, batch, method))
		printf("batch %u\n", batch);
	return find_pixel(capture, sides, batch, method) ? DIFFERENT : FAILED;
}

int lockstep_run(const char *capture, const struct lockstep_side sides[2])
{
	struct process both[2];
	uint32_t batch = 0;
	int result;

	if (!start_both(both, capture, sides, "--checksums-of-batches", "0"))
		return FAILED;
	result = compare(both, "batch", &batch);
	return result == DIFFERENT ? find_method(capture, sides, batch) : result;
}
