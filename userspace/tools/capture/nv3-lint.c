/* SPDX-License-Identifier: MIT */
/*
 * nv3-lint: explains what is wrong or wasteful in the methods of a capture. docs/howto/capturing.md
 * describes it.
 */
#include <getopt.h>
#include <stdio.h>

#include "lint.h"

static const char usage[] =
	"usage: nv3-lint [OPTION...] CAPTURE...\n"
	"Explains what is wrong or wasteful in the methods of captures (nv3-capture).\n"
	"\n"
	"  -e, --errors  prints errors only\n"
	"  -h, --help    prints this\n"
	"\n"
	"The exit status is 0, 1 if there is an error in the methods, or 2 if a capture\n"
	"can't be read.\n";

/* Returns 0, or 2 after a message. */
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

static int check(const char *name, bool errors_only)
{
	struct capture_reader reader;
	struct lint l;
	int status = 2;

	lint_init(&l, name);
	l.no_waste = errors_only;
	if (capture_open(&reader, name))
		status = run(&reader, &l);
	else
		fprintf(stderr, "nv3-lint: %s\n", reader.error);
	if (!status) {
		printf("%s: %u batches, %llu methods: %u errors, %u remarks on waste\n", name,
		       l.batch, (unsigned long long)l.methods, l.errors, l.waste);
		status = l.errors ? 1 : 0;
	}
	lint_fini(&l);
	capture_close(&reader);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "errors", no_argument, NULL, 'e' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	bool errors_only = false;
	int option, status, worst = 0;

	while ((option = getopt_long(argc, argv, "eh", longs, NULL)) >= 0) {
		switch (option) {
		case 'e':
			errors_only = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (optind == argc) {
		fputs(usage, stderr);
		return 2;
	}
	for (; optind < argc; optind++) {
		status = check(argv[optind], errors_only);
		worst = status > worst ? status : worst;
	}
	return worst;
}
