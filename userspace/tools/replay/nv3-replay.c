/* SPDX-License-Identifier: MIT */
/*
 * nv3-replay: executes a capture on the chip model. The program contains the chip core and is
 * therefore GPL-2.0-or-later. docs/howto/capturing.md describes it.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep.h"
#include "watch.h"

static const char usage[] =
	"usage: nv3-replay [OPTION...] CAPTURE\n"
	"Executes a capture of nv3-capture on the chip model, and compares each buffer\n"
	"that the chip writes with the program's own.\n"
	"\n"
	"  -l, --list             prints the methods\n"
	"  -p, --pictures DIR     writes a picture after each drawing\n"
	"  -e, --each draw|batch  after what --pictures writes a picture (default: draw)\n"
	"  -x, --pixel X,Y        prints which methods have changed a pixel of the last target\n"
	"  -b, --batches N[-M]    only batches N to M: of lists, pictures and the pixel's\n"
	"                         history. Batches before N are executed, too.\n"
	"  -s, --simd LEVEL       draws with scalar, neon, avx2, avx512 or avx512vbmi2\n"
	"  -L, --lockstep A,B     compares the SIMD levels A and B, batch by batch\n"
	"  -a, --against PROGRAM  --lockstep: B is that of another nv3-replay\n"
	"  -q, --quiet            prints errors only\n"
	"  -h, --help             prints this\n"
	"\n"
	"The exit status is 0, 1 if something differs, or 2 after an error.\n";

/* Options that only lockstep.c uses */
enum { OPTION_BATCH_SUMS = 256, OPTION_METHOD_SUMS, OPTION_DUMP };

struct options {
	const char *pictures, *simd, *against;
	char *levels[2];
	uint32_t first, last, x, y;
	bool list, pixel, each_batch, quiet;
	const struct replay_watcher *internal;
};

static bool parse_number(const char *text, uint32_t min, char **end, uint32_t *value)
{
	unsigned long number = strtoul(text, end, 10);

	*value = number;
	return *end != text && *text != '-' && number >= min && number < UINT32_MAX;
}

static bool parse_batches(struct options *o, const char *text)
{
	char *end;

	if (!parse_number(text, 1, &end, &o->first))
		return false;
	o->last = o->first;
	return !*end || (*end == '-' && parse_number(end + 1, o->first, &end, &o->last) && !*end);
}

static bool parse_pixel(struct options *o, const char *text)
{
	char *end;

	o->pixel = parse_number(text, 0, &end, &o->x) && *end == ',' &&
		   parse_number(end + 1, 0, &end, &o->y) && !*end;
	return o->pixel;
}

/* Returns true if this host supports the SIMD level @name. Prints a message otherwise. */
static bool check_level(const char *name)
{
	NV3Simd simd;

	if (nv3_simd_by_name(name, &simd)) {
		if (nv3_simd_available(simd))
			return true;
		fprintf(stderr, "nv3-replay: this host lacks '%s'\n", name);
		return false;
	}
	fprintf(stderr, "nv3-replay: there is no SIMD level '%s'\n", name);
	return false;
}

static bool parse_levels(struct options *o, char *text)
{
	o->levels[0] = strsep(&text, ",");
	o->levels[1] = text;
	return text && check_level(o->levels[0]) && check_level(o->levels[1]);
}

/* Parses the argument BATCH:METHOD:FILE of --dump. */
static bool parse_dump(struct options *o, const char *text)
{
	uint32_t method;
	char *end;

	if (!parse_number(text, 1, &end, &o->first) || *end != ':')
		return false;
	method = strtoul(end + 1, &end, 10);
	if (*end != ':')
		return false;
	watch_dump_init(method, end + 1);
	o->internal = &watch_dump;
	o->last = o->first;
	return true;
}

static bool parse_option(struct options *o, int option)
{
	switch (option) {
	case 'l':
		o->list = true;
		return true;
	case 'p':
		o->pictures = optarg;
		return true;
	case 'e':
		o->each_batch = !strcmp(optarg, "batch");
		return o->each_batch || !strcmp(optarg, "draw");
	case 'x':
		return parse_pixel(o, optarg);
	case 'b':
		return parse_batches(o, optarg);
	case 's':
		o->simd = optarg;
		return check_level(optarg);
	case 'L':
		return parse_levels(o, optarg);
	case 'a':
		o->against = optarg;
		return true;
	case 'q':
		o->quiet = true;
		return true;
	case OPTION_BATCH_SUMS:
		o->internal = &watch_checksums_of_batches;
		return true;
	case OPTION_METHOD_SUMS:
		o->internal = &watch_checksums_of_methods;
		return parse_batches(o, optarg);
	case OPTION_DUMP:
		return parse_dump(o, optarg);
	default:
		return false;
	}
}

/* Parses the options. Returns -1 to continue, or the exit status of the program. */
static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "list", no_argument, NULL, 'l' },
		{ "pictures", required_argument, NULL, 'p' },
		{ "each", required_argument, NULL, 'e' },
		{ "pixel", required_argument, NULL, 'x' },
		{ "batches", required_argument, NULL, 'b' },
		{ "simd", required_argument, NULL, 's' },
		{ "lockstep", required_argument, NULL, 'L' },
		{ "against", required_argument, NULL, 'a' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ "checksums-of-batches", required_argument, NULL, OPTION_BATCH_SUMS },
		{ "checksums-of-methods", required_argument, NULL, OPTION_METHOD_SUMS },
		{ "dump", required_argument, NULL, OPTION_DUMP },
		{ NULL, 0, NULL, 0 }
	};
	int option;

	while ((option = getopt_long(argc, argv, "lp:e:x:b:s:L:a:qh", longs, NULL)) >= 0) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (!parse_option(o, option)) {
			if (option != '?' && option != 's' && option != 'L')
				fprintf(stderr, "nv3-replay: invalid argument '%s'\n", optarg);
			fputs(usage, stderr);
			return 2;
		}
	}
	if (optind == argc - 1 && !(o->against && !o->levels[0]) &&
	    !!o->pictures + o->pixel + o->list + !!o->levels[0] <= 1)
		return -1;
	fputs(usage, stderr);
	return 2;
}

/*
 * Reads the whole capture before the replay, so that the program does not execute or write anything
 * if the capture is damaged.
 */
static bool check_file(struct capture_reader *reader, const char *name)
{
	struct capture_record record;
	int ret = -1;

	if (capture_open(reader, name)) {
		while ((ret = capture_next(reader, &record)) > 0)
			continue;
		capture_rewind(reader);
	}
	if (ret < 0)
		fprintf(stderr, "nv3-replay: %s\n", reader->error);
	return !ret;
}

static const struct replay_watcher *choose_watcher(const struct options *o)
{
	if (o->internal)
		return o->internal;
	if (o->list)
		return &watch_list;
	if (o->pixel)
		return &watch_pixel;
	if (o->pictures)
		return o->each_batch ? &watch_pictures_of_batches : &watch_pictures_of_draws;
	return NULL;
}

static void print_summary(const struct replay *r)
{
	printf("%s: %u batches, %llu methods", r->reader->name, r->batch,
	       (unsigned long long)r->methods);
	if (r->different || r->faults)
		printf(": %u of %u buffers differ from the program's own\n", r->different,
		       r->checks);
	else if (r->checks)
		printf(": all %u buffers are the program's own, bit for bit\n", r->checks);
	else
		printf(": the capture has no buffer to compare\n");
}

static bool prepare_pixel(struct capture_reader *reader, const struct options *o)
{
	struct target target;

	return replay_find_target(reader, o->last, &target) &&
	       watch_pixel_init(&target, o->x, o->y);
}

static int execute(struct capture_reader *reader, const struct options *o)
{
	struct replay r = {
		.reader = reader,
		.watcher = choose_watcher(o),
		.first = o->first,
		.last = o->last,
		.ignore_checks = o->internal,
	};
	bool ok;

	if (o->pictures && !watch_pictures_init(o->pictures))
		return 2;
	if (o->pixel && !prepare_pixel(reader, o))
		return 2;
	ok = replay_run(&r);
	if (!ok)
		fprintf(stderr, "nv3-replay: %s\n", r.error);
	else if (r.batch < o->first)
		fprintf(stderr, "nv3-replay: %s has only %u batches\n", reader->name, r.batch);
	else if (o->pixel)
		watch_pixel_report();
	if (ok && !o->quiet && !o->internal)
		print_summary(&r);
	ok = ok && (r.batch >= o->first);
	replay_free(&r);
	return !ok ? 2 : r.different || r.faults ? 1 : 0;
}

static int run_lockstep(const char *capture, const struct options *o)
{
	const struct lockstep_side sides[2] = {
		{ .program = "/proc/self/exe", .simd = o->levels[0] },
		{ .program = o->against ? o->against : "/proc/self/exe", .simd = o->levels[1] },
	};
	int result = lockstep_run(capture, sides);

	if (!result && !o->quiet)
		printf("%s: %s and %s draw the same\n", capture, sides[0].simd, sides[1].simd);
	return result;
}

int main(int argc, char **argv)
{
	struct options options = { .first = 0, .last = UINT32_MAX };
	struct capture_reader reader;
	int status;

	status = parse_options(argc, argv, &options);
	if (status >= 0)
		return status;
	status = 2;
	if (check_file(&reader, argv[optind])) {
		if (options.simd)
			setenv("NV3_SHIM_SIMD", options.simd, 1);
		if (options.levels[0])
			status = run_lockstep(argv[optind], &options);
		else
			status = execute(&reader, &options);
	}
	capture_close(&reader);
	return status;
}
