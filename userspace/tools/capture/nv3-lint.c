/* SPDX-License-Identifier: MIT */
/*
 * nv3-lint: reports invalid and redundant methods of a capture or of a pushbuffer.
 * docs/howto/capturing.md describes it.
 */
#include <getopt.h>
#include <stdio.h>

#include "lint_raw.h"

static const char usage[] =
	"usage: nv3-lint [OPTION...] CAPTURE...\n"
	"       nv3-lint --raw [OPTION...] PUSHBUFFER...\n"
	"Reports invalid and redundant methods of captures (nv3-capture), or\n"
	"of pushbuffers, which are files of 32-bit words, least significant byte first.\n"
	"\n"
	"  -e, --errors               prints errors only\n"
	"  -r, --raw                  the files are pushbuffers\n"
	"  -o, --object HANDLE=CLASS  the class of an object that a pushbuffer binds\n"
	"  -b, --bind SUBCH=CLASS     the class that is bound before a pushbuffer begins\n"
	"  -h, --help                 prints this\n"
	"\n"
	"The exit status is 0, 1 if there is an error in the methods, or 2 if a file\n"
	"can't be read.\n";

/* Checks all records of a capture. Returns 0, or 2 after a message. */
static int run(struct capture_reader *reader, struct lint *l)
{
	struct capture_record record;
	const char *message;
	int ret;

	while ((ret = capture_next(reader, &record)) > 0) {
		message = lint_record(l, &record);
		if (message) {
			fprintf(stderr, "nv3-lint: %s: offset %llu: %s: %s\n", reader->name,
				(unsigned long long)record.offset,
				capture_type_name(record.type), message);
			return 2;
		}
	}
	if (ret < 0)
		fprintf(stderr, "nv3-lint: %s\n", reader->error);
	return ret ? 2 : 0;
}

static int check_capture(struct lint *l, const char *name)
{
	struct capture_reader reader;
	int status = 2;

	if (capture_open(&reader, name))
		status = run(&reader, l);
	else
		fprintf(stderr, "nv3-lint: %s\n", reader.error);
	capture_close(&reader);
	return status;
}

/* @raw: the objects of a pushbuffer, or NULL for a capture */
static int check(const char *name, bool errors_only, const struct lint_raw *raw)
{
	struct lint l;
	int status;

	lint_init(&l, name);
	l.no_waste = errors_only;
	status = raw ? lint_raw(&l, raw, name) : check_capture(&l, name);
	if (!status) {
		printf("%s: %u batches, %llu methods: %u errors, %u remarks on waste\n", name,
		       l.batch, (unsigned long long)l.methods, l.errors, l.waste);
		status = l.errors ? 1 : 0;
	}
	lint_fini(&l);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "errors", no_argument, NULL, 'e' },
		{ "raw", no_argument, NULL, 'r' },
		{ "object", required_argument, NULL, 'o' },
		{ "bind", required_argument, NULL, 'b' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	static struct lint_raw raw;
	bool errors_only = false, is_raw = false;
	int option, status, worst = 0;

	while ((option = getopt_long(argc, argv, "ero:b:h", longs, NULL)) >= 0) {
		switch (option) {
		case 'e':
			errors_only = true;
			break;
		case 'r':
			is_raw = true;
			break;
		case 'o':
		case 'b':
			if (!lint_raw_argument(&raw, optarg, option == 'b'))
				return 2;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (raw.count && !is_raw) {
		fputs("nv3-lint: a capture has its own objects: --object and --bind need --raw\n",
		      stderr);
		return 2;
	}
	if (optind == argc) {
		fputs(usage, stderr);
		return 2;
	}
	for (; optind < argc; optind++) {
		status = check(argv[optind], errors_only, is_raw ? &raw : NULL);
		worst = status > worst ? status : worst;
	}
	return worst;
}
