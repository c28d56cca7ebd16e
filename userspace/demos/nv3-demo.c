/* SPDX-License-Identifier: MIT */
/*
 * nv3-demo: three client processes draw triangles, each on its own channel, and a compositor shows
 * their pictures on the screen.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xf86drm.h>

#include "client.h"
#include "compositor.h"

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = 1;
}

static void usage(FILE *out)
{
	fputs("usage: nv3-demo [OPTION...]\n"
	      "Three processes draw a mesh each on the nv3; a fourth composes them.\n"
	      "Without --frames and --seconds it runs until it is interrupted.\n"
	      "  -n, --frames N     stop after N frames, of 1/30 s of motion each\n"
	      "  -s, --seconds S    stop after S seconds\n"
	      "  -p, --png FILE     write the last frame to FILE\n"
	      "  -c, --crc          print each frame's number and CRC-32\n"
	      "  -P, --programs     draw with vertex and fragment programs (class 0x1f)\n"
	      "  -D, --detail N     multiply the meshes' rows and columns by N, 1 to 4\n"
	      "  -N, --no-vsync     compose frames without waiting for vertical blanks\n"
	      "  -d, --device NODE  a primary DRM node, instead of the first nv3\n"
	      "  -h, --help         this\n", out);
}

static bool number(const char *text, double max, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && *value > 0 && *value <= max;
}

/* Parses the options. Returns 0 to run, 1 to exit with success, 2 to exit with an error. */
static int parse(int argc, char **argv, struct compositor_options *options,
		 struct client_options *client)
{
	static const struct option known[] = {
		{ "frames", required_argument, NULL, 'n' },
		{ "seconds", required_argument, NULL, 's' },
		{ "png", required_argument, NULL, 'p' },
		{ "crc", no_argument, NULL, 'c' },
		{ "programs", no_argument, NULL, 'P' },
		{ "detail", required_argument, NULL, 'D' },
		{ "no-vsync", no_argument, NULL, 'N' },
		{ "device", required_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	double value;
	int c;

	while ((c = getopt_long(argc, argv, "n:s:p:cPD:Nd:h", known, NULL)) != -1) {
		switch (c) {
		case 'n':
			if (!number(optarg, 1e9, &value) ||
			    value != (uint32_t)value)
				goto wrong;
			options->frames = value;
			break;
		case 's':
			if (!number(optarg, 1e9, &value))
				goto wrong;
			options->seconds = value;
			break;
		case 'p':
			options->png = optarg;
			break;
		case 'c':
			options->crc = true;
			break;
		case 'P':
			client->programs = true;
			break;
		case 'D':
			if (!number(optarg, DETAIL_MAX, &value) || value != (uint32_t)value)
				goto wrong;
			client->detail = value;
			break;
		case 'N':
			options->no_vsync = true;
			break;
		case 'd':
			options->node = optarg;
			break;
		case 'h':
			usage(stdout);
			return 1;
		default:
			goto wrong;
		}
	}
	if (optind == argc)
		return 0;
wrong:
	usage(stderr);
	return 2;
}

/*
 * Returns the path of the render node that belongs to the primary node @primary. The caller must
 * free the path.
 */
static char *render_node(const char *primary)
{
	struct nv3_device *dev;
	char *node;

	if (nv3_device_open(primary, DRM_NODE_PRIMARY, &dev))
		return NULL;
	node = drmGetRenderDeviceNameFromFd(nv3_device_fd(dev));
	nv3_device_unref(dev);
	return node;
}

/*
 * Starts a client's process. @others: the compositor's sockets for earlier clients. The child
 * closes them.
 */
static pid_t start_client(const struct scene *scene, const char *node,
			  const struct client_options *options, const int *others,
			  int other_count, int *sock)
{
	int pair[2], i, status;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -1;
	pid = fork();
	if (!pid) {
		/*
		 * Close inherited sockets. A client ends when the other end of its socket closes,
		 * so only the compositor may hold that end.
		 */
		for (i = 0; i < other_count; i++)
			close(others[i]);
		close(pair[0]);
		signal(SIGINT, SIG_IGN);
		status = client_run(scene, node, options, pair[1]);
		exit(status);
	}
	close(pair[1]);
	if (pid < 0)
		close(pair[0]);
	else
		*sock = pair[0];
	return pid;
}

static int reap(const pid_t *pids, int count)
{
	int i, status, failed = 0;

	for (i = 0; i < count; i++) {
		if (waitpid(pids[i], &status, 0) != pids[i])
			continue;
		if (WIFSIGNALED(status))
			fprintf(stderr, "nv3-demo: %s: %s\n", scenes[i].name,
				strsignal(WTERMSIG(status)));
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			failed = 1;
	}
	return failed;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct compositor_options options = { 0 };
	struct client_options client = { .detail = 1 };
	int socks[SCENES], started, i, failed = 0;
	pid_t pids[SCENES];
	char *node;

	switch (parse(argc, argv, &options, &client)) {
	case 0:
		break;
	case 1:
		return 0;
	default:
		return 2;
	}
	node = render_node(options.node);
	for (started = 0; started < SCENES; started++) {
		pids[started] = start_client(&scenes[started],
					     node ? node : options.node,
					     &client, socks, started,
					     &socks[started]);
		if (pids[started] < 0) {
			perror("nv3-demo: starting a client");
			failed = 1;
			break;
		}
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (!failed)
		failed = compositor_run(&options, socks, &stop) != 0;
	for (i = 0; i < started; i++)
		close(socks[i]);
	if (reap(pids, started))
		failed = 1;
	free(node);
	return failed;
}
