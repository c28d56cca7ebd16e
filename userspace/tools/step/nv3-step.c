/* SPDX-License-Identifier: MIT */
/*
 * nv3-step: runs a script of methods on the chip model and shows the changes that each method
 * makes. The program contains the chip core and is therefore GPL-2.0-or-later.
 * docs/howto/stepping.md describes it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "picture.h"
#include "prompt.h"
#include "script.h"
#include "session.h"

static const char usage[] =
	"usage: nv3-step [OPTION...] SCRIPT\n"
	"Runs a script of methods on the chip model and shows what each changes.\n"
	"\n"
	"  -i, --interactive    reads commands: next, back, registers ... (try help)\n"
	"  -q, --quiet          prints errors only\n"
	"  -c, --check          only checks the script\n"
	"  -p, --pictures DIR   writes a picture of surface 0 after each change\n"
	"  -x, --scale N        makes pictures N times as wide and high, N from 1 to 16\n"
	"  -s, --simd LEVEL     draws with scalar, neon, avx2, avx512 or avx512vbmi2\n"
	"  -h, --help           prints this\n";

struct options {
	bool interactive, quiet, check;
	const char *pictures;
	unsigned int scale;
	NV3Simd simd;
};

/* Parses the options. Returns -1 to continue, or the exit status of the program. */
static int parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		{ "interactive", no_argument, NULL, 'i' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "check", no_argument, NULL, 'c' },
		{ "pictures", required_argument, NULL, 'p' },
		{ "scale", required_argument, NULL, 'x' },
		{ "simd", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	char *end;
	int option;

	while ((option = getopt_long(argc, argv, "iqcp:x:s:h", longs, NULL)) >= 0) {
		switch (option) {
		case 'i':
			options->interactive = true;
			break;
		case 'q':
			options->quiet = true;
			break;
		case 'c':
			options->check = true;
			break;
		case 'p':
			options->pictures = optarg;
			break;
		case 'x':
			options->scale = strtoul(optarg, &end, 10);
			if (*end || !options->scale || options->scale > PICTURE_SCALE_MAX) {
				fprintf(stderr, "nv3-step: '%s' is no scale from 1 to %d\n",
					optarg, PICTURE_SCALE_MAX);
				return 2;
			}
			break;
		case 's':
			if (!nv3_simd_by_name(optarg, &options->simd)) {
				fprintf(stderr, "nv3-step: there is no SIMD level '%s'\n", optarg);
				return 2;
			}
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (optind == argc - 1)
		return -1;
	fputs(usage, stderr);
	return 2;
}

static bool run(struct session *session, bool interactive)
{
	if (interactive)
		return prompt_run(session, stdin);
	while (session->next < session->script->count) {
		if (!session_forward(session))
			return false;
	}
	return true;
}

static int run_script(const struct script *script, const struct options *options)
{
	struct session *session = malloc(sizeof(*session));
	bool ok;

	if (!session || !session_init(session, script, options->simd)) {
		free(session);
		return 1;
	}
	session->quiet = options->quiet;
	session->keep = options->interactive;
	session->pictures = options->pictures;
	session->scale = options->scale;
	ok = run(session, options->interactive);
	session_fini(session);
	free(session);
	return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct options options = { .scale = 1, .simd = NV3_SIMD_AUTO };
	struct script script;
	int status = parse_options(argc, argv, &options);

	if (status >= 0)
		return status;
	if (options.pictures && mkdir(options.pictures, 0777) && errno != EEXIST) {
		fprintf(stderr, "nv3-step: %s: %s\n", options.pictures, strerror(errno));
		return 1;
	}
	if (!script_read_file(&script, argv[optind]))
		return 1;
	status = options.check ? 0 : run_script(&script, &options);
	script_free(&script);
	return status;
}
