/* SPDX-License-Identifier: MIT */
/*
 * nv3-capture: runs a program with the capture library preloaded. docs/howto/capturing.md
 * describes it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY		"libnv3_capture.so"

static const char usage[] =
	"usage: nv3-capture [OPTION...] PROGRAM [ARGUMENT...]\n"
	"Records how a program uses the nv3: a file PREFIX.1.nv3cap for its first\n"
	"process that opens the device, PREFIX.2.nv3cap for the second, and so on.\n"
	"\n"
	"  -o, --output PREFIX  begins the names of the files (default: the program's name)\n"
	"  -b, --batches N      stops recording after N batches of each process\n"
	"  -p, --partial        omits PIO channels and long-running channels, which can't be\n"
	"                       recorded, instead of failing\n"
	"  -l, --library FILE   preloads this library instead of libnv3_capture.so\n"
	"  -h, --help           prints this\n";

#define KILLED \
	"a process was killed while it recorded: %s is removed (--batches ends a capture earlier)"
#define INCOMPLETE \
	"%s is removed, because it lacks channels: let the program use DMA channels that are not long-running, or use --partial to omit them"

struct options {
	const char *output, *batches, *library;
	int partial;
};

/* Parses the options. Returns -1 to continue, or the exit status of the program. */
static int parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "batches", required_argument, NULL, 'b' },
		{ "partial", no_argument, NULL, 'p' },
		{ "library", required_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	char *end;
	int option;

	/* With "+", getopt_long() leaves the options after PROGRAM to that program. */
	while ((option = getopt_long(argc, argv, "+o:b:pl:h", longs, NULL)) >= 0) {
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case 'b':
			errno = 0;
			if (strtoul(optarg, &end, 10) - 1 >= UINT32_MAX || *end || errno) {
				fprintf(stderr, "nv3-capture: '%s' is no number of batches\n",
					optarg);
				return 2;
			}
			options->batches = optarg;
			break;
		case 'p':
			options->partial = 1;
			break;
		case 'l':
			options->library = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (optind < argc)
		return -1;
	fputs(usage, stderr);
	return 2;
}

/*
 * Searches for the capture library in directories relative to this program. If no such directory
 * contains the library, the dynamic linker searches for it.
 */
static char *find_library(const struct options *options)
{
	static const char *const places[] = { "../lib/" LIBRARY, "../capture/" LIBRARY, LIBRARY };
	char self[4096], *path = NULL;
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (options->library)
		return strdup(options->library);
	if (length < 0)
		return strdup(LIBRARY);
	self[length] = 0;
	*strrchr(self, '/') = 0;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (asprintf(&path, "%s/%s", self, places[i]) < 0)
			return NULL;
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return strdup(LIBRARY);
}

/*
 * Sets the environment variables for the capture library. In LD_PRELOAD, the capture library
 * precedes libraries that are already preloaded.
 */
static int prepare(const struct options *options)
{
	const char *others = getenv("LD_PRELOAD");
	char *library = find_library(options), *preload = NULL;

	if (!library || (strchr(library, '/') && access(library, R_OK))) {
		fprintf(stderr, "nv3-capture: %s: %s\n", library ? library : LIBRARY,
			strerror(errno));
		return 1;
	}
	if (asprintf(&preload, "%s%s%s", library, others ? ":" : "", others ? others : "") < 0)
		return 1;
	setenv("LD_PRELOAD", preload, 1);
	setenv("NV3_CAPTURE", options->output, 1);
	if (options->batches)
		setenv("NV3_CAPTURE_BATCHES", options->batches, 1);
	else
		unsetenv("NV3_CAPTURE_BATCHES");
	if (options->partial)
		setenv("NV3_CAPTURE_PARTIAL", "1", 1);
	else
		unsetenv("NV3_CAPTURE_PARTIAL");
	free(preload);
	free(library);
	return 0;
}

/*
 * Counts the files that match PREFIX.*SUFFIX. If @reason is not null, removes each file and prints
 * a message. @reason is the printf() format of the message, with "%s" for the name of the file.
 */
static size_t find_files(const char *prefix, const char *suffix, const char *reason)
{
	char *pattern = NULL;
	glob_t found = { 0 };
	size_t i, count = 0;

	if (asprintf(&pattern, "%s.*%s", prefix, suffix) >= 0 && !glob(pattern, 0, NULL, &found)) {
		count = found.gl_pathc;
		for (i = 0; i < count && reason; i++) {
			fputs("nv3-capture: ", stderr);
			fprintf(stderr, reason, found.gl_pathv[i]);
			fputc('\n', stderr);
			unlink(found.gl_pathv[i]);
		}
	}
	globfree(&found);
	free(pattern);
	return count;
}

static pid_t child;

static void forward(int signal)
{
	kill(child, signal);
}

/*
 * Ignores SIGINT and SIGQUIT, because a terminal sends these signals to the program as well.
 * Forwards SIGTERM to the program, so that the program ends and completes its capture.
 */
static void handle_signals(void)
{
	const struct sigaction action = { .sa_handler = forward, .sa_flags = SA_RESTART };

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	sigaction(SIGTERM, &action, NULL);
}

/* Runs the program. Sets *@incomplete to the number of captures that lack channels. */
static int run(const struct options *options, char **program, size_t *incomplete)
{
	int status;
	pid_t pid;

	pid = fork();
	if (pid > 0) {
		child = pid;
		handle_signals();
	}
	if (!pid) {
		if (!prepare(options))
			execvp(program[0], program);
		fprintf(stderr, "nv3-capture: %s: %s\n", program[0], strerror(errno));
		exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("nv3-capture");
		return 1;
	}
	find_files(options->output, ".nv3cap.part", KILLED);
	*incomplete = find_files(options->output, ".nv3cap.incomplete", INCOMPLETE);
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "nv3-capture: %s: %s\n", program[0], strsignal(WTERMSIG(status)));
		return 128 + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	size_t before, incomplete = 0;
	int status;

	status = parse_options(argc, argv, &options);
	if (status >= 0)
		return status;
	if (!options.output) {
		const char *slash = strrchr(argv[optind], '/');

		options.output = slash ? slash + 1 : argv[optind];
	}
	before = find_files(options.output, ".nv3cap", NULL);
	status = run(&options, argv + optind, &incomplete);
	if (incomplete)
		return status ? status : 1;
	if (find_files(options.output, ".nv3cap", NULL) == before && status != 127) {
		fprintf(stderr, "nv3-capture: nothing was recorded: '%s' has not used an nv3\n",
			argv[optind]);
		return status ? status : 1;
	}
	return status;
}
