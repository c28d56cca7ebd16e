/* SPDX-License-Identifier: MIT */
/* nv3-top: shows the work of the clients of an nv3 device, like top(1) for processes. */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "top.h"

#define SYSFS	"/sys/class/drm"

struct options {
	bool json;
	unsigned long count;	/* 0: until interrupted */
	double delay;		/* seconds */
	const char *card;
};

static volatile sig_atomic_t stop;
static struct termios saved;

static void on_signal(int number)
{
	stop = 1;
}

static void usage(FILE *out)
{
	fputs("usage: nv3-top [OPTION...]\n"
	      "Shows the clients of an nv3: engine time, batches, switches, memory, and with root's\n"
	      "permissions channels, classes, methods, triangles and pixels.\n"
	      "  -J, --json          print one JSON object for each interval\n"
	      "  -n, --count N       end after N intervals\n"
	      "  -d, --delay S       seconds between reports (1)\n"
	      "  -D, --device CARD   such as card1, instead of the first nv3\n"
	      "  -h, --help          this\n"
	      "q ends it.\n", out);
}

static bool number(const char *text, double min, double max, double *value)
{
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	return end != text && !*end && !errno && *value >= min && *value <= max;
}

/* Parses the options. Returns 0 to run, 1 to exit with success, 2 to exit with an error. */
static int parse(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "json", no_argument, NULL, 'J' },
		{ "count", required_argument, NULL, 'n' },
		{ "delay", required_argument, NULL, 'd' },
		{ "device", required_argument, NULL, 'D' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	double value;
	int c;

	while ((c = getopt_long(argc, argv, "Jn:d:D:h", known, NULL)) != -1) {
		switch (c) {
		case 'J':
			options->json = true;
			break;
		case 'n':
			if (!number(optarg, 1, 1e9, &value) || value != (unsigned long)value) {
				fprintf(stderr, "nv3-top: --count: '%s' is not a number from 1\n",
					optarg);
				return 2;
			}
			options->count = value;
			break;
		case 'd':
			if (!number(optarg, 0.05, 1e6, &options->delay)) {
				fprintf(stderr, "nv3-top: --delay: '%s' is not a number of seconds from 0.05\n",
					optarg);
				return 2;
			}
			break;
		case 'D':
			options->card = optarg;
			break;
		case 'h':
			usage(stdout);
			return 1;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind == argc)
		return 0;
	usage(stderr);
	return 2;
}

static void take(struct top_sample *sample, const struct top_device *dev)
{
	memset(sample, 0, sizeof(*sample));
	sample->time = top_time();
	top_read_clients(sample, dev, "/proc");
	top_read_debugfs(sample, dev);
}

/* ---- terminal ---- */

static unsigned int width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

static bool is_terminal(const struct options *options)
{
	return !options->json && isatty(STDOUT_FILENO);
}

/* Switches to the terminal's alternate screen, and to input without line buffering. */
static void open_terminal(void)
{
	struct termios raw;

	printf("\033[?1049h\033[?25l");
	if (!tcgetattr(STDIN_FILENO, &saved)) {
		raw = saved;
		raw.c_lflag &= ~(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
}

static void close_terminal(void)
{
	printf("\033[?25h\033[?1049l");
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
}

/* Waits until @end. Returns false if the user has pressed q, or after a signal. */
static bool wait_until(double end, bool terminal)
{
	struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };
	double left;
	char key;

	while (!stop && (left = end - top_time()) > 0) {
		if (poll(&keys, terminal ? 1 : 0, left * 1000 + 1) <= 0 || !terminal)
			continue;
		if (read(STDIN_FILENO, &key, 1) != 1 || key == 'q')
			return false;
	}
	return !stop;
}

static void report(const struct options *options, const struct top_device *dev,
		   const struct top_sample *before, const struct top_sample *sample, bool terminal)
{
	if (options->json) {
		top_print_json(stdout, dev, before, sample);
		return;
	}
	if (terminal)
		printf("\033[H\033[J");
	top_print_screen(stdout, dev, before, sample, width(), terminal);
	if (!terminal)
		putchar('\n');
}

static int run(const struct options *options, const struct top_device *dev)
{
	static struct top_sample samples[2];
	bool terminal = is_terminal(options);
	unsigned long done;

	take(&samples[0], dev);
	if (terminal)
		open_terminal();
	for (done = 0; !options->count || done < options->count; done++) {
		bool go_on = wait_until(samples[done % 2].time + options->delay, terminal);

		/* Report an interrupted interval as well, so that no work is missing. */
		take(&samples[(done + 1) % 2], dev);
		report(options, dev, &samples[done % 2], &samples[(done + 1) % 2], terminal);
		if (!go_on || ferror(stdout))
			break;
	}
	if (terminal)
		close_terminal();
	return ferror(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct options options = { .delay = 1 };
	struct top_device dev;
	int ret;

	switch (parse(argc, argv, &options)) {
	case 0:
		break;
	case 1:
		return 0;
	default:
		return 2;
	}
	ret = top_device_find(&dev, SYSFS, options.card);
	if (ret) {
		fprintf(stderr, "nv3-top: %s: %s\n", options.card ? options.card : "no nv3 found",
			strerror(-ret));
		return 1;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return run(&options, &dev);
}
