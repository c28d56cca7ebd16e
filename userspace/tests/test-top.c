/* SPDX-License-Identifier: MIT */
/* Tests nv3-top with generated directories instead of /proc, sysfs and debugfs */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "top.h"

#define BUSY_NS	"5000000"

static char root[64];
static struct top_sample before, now;
static struct top_device device;

static void make(const char *path, const char *text)
{
	char full[256], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void make_link(const char *target, const char *path)
{
	char full[256], to[256];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	snprintf(to, sizeof(to), "%s/%s", root, target);
	assert_int_equal(symlink(to, full), 0);
}

static void make_fdinfo(int pid, int fd, int id, const char *pdev, unsigned int batches,
			uint64_t engine_ns)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "proc/%d/fdinfo/%d", pid, fd);
	snprintf(text, sizeof(text),
		 "pos:\t0\ndrm-driver:\tnv3\ndrm-client-id:\t%d\ndrm-pdev:\t%s\n"
		 "drm-engine-graph:\t%llu ns\nnv3-batches:\t%u\nnv3-switches:\t7\n"
		 "drm-total-vram:\t9 MiB\ndrm-resident-vram:\t3 KiB\ndrm-resident-system:\t2 MiB\n",
		 id, pdev, (unsigned long long)engine_ns, batches);
	make(path, text);
}

static int set_up(void **state)
{
	strcpy(root, "/tmp/test-top-XXXXXX");
	assert_non_null(mkdtemp(root));
	memset(&before, 0, sizeof(before));
	memset(&now, 0, sizeof(now));
	strcpy(device.card, "card0");
	strcpy(device.pdev, "0000:00:02.0");
	snprintf(device.debugfs, sizeof(device.debugfs), "%.40s/debugfs", root);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static const char *proc(void)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/proc", root);
	return path;
}

static void make_debugfs(unsigned int triangles)
{
	char text[128];

	make("debugfs/channels",
	     "switches 30, batches 40, preempted 0, resets 0, RAMHT entries 1 misses 2 evictions 3\n"
	     "runouts 0, busy for " BUSY_NS " ns\n"
	     "PFIFO switched 1 times, 2 ns each\n"
	     "channel 1, DMA: batches submitted 2 retired 2 completed 2\n"
	     "  waited for at most 0 timeslices, priority 0\n"
	     "channel 5, PIO: batches submitted 9 retired 7 completed 7, in PFIFO, in PGRAPH\n"
	     "  opened by a, process b, process 42, user 0\n"
	     "  object 00000101: class 07 rect, hardware, instance 0123\n"
	     "  object 00000102: class 1c surface, software\n");
	snprintf(text, sizeof(text), "methods 100\npixels 2000\ntriangles %u\nswitches 1\n",
		 triangles);
	make("debugfs/counters", text);
	make("debugfs/vram", "  use_type: 1\n  use_tt: 0\n  size: 0\n  usage: 1024\n");
	make("debugfs/chip", "id          0x00030100\nvram        8 KiB, 4 KiB for buffers\n");
}

/* ---- clients ---- */

static void test_clients(void **state)
{
	make_fdinfo(42, 3, 8, device.pdev, 10, 123);
	make_fdinfo(42, 4, 8, device.pdev, 10, 123);	/* a duplicate of 3 */
	make_fdinfo(43, 3, 9, "0000:00:03.0", 10, 123);	/* another device */
	make("proc/43/fdinfo/5", "pos:\t0\n");
	make("proc/42/comm", "a name\n");
	make("proc/self-not/fdinfo/3", "drm-driver:\tnv3\n");
	top_read_clients(&now, &device, proc());
	assert_int_equal(now.client_count, 1);
	assert_int_equal(now.clients[0].pid, 42);
	assert_int_equal(now.clients[0].id, 8);
	assert_string_equal(now.clients[0].name, "a name");
	assert_int_equal(now.clients[0].engine_ns, 123);
	assert_int_equal(now.clients[0].batches, 10);
	assert_int_equal(now.clients[0].switches, 7);
	assert_int_equal(now.clients[0].vram, 3072);
	assert_int_equal(now.clients[0].system, 2 << 20);
	assert_int_equal(now.note_count, 0);
}

/*
 * nv3-top must replace control characters in the name of a process, because any process can choose
 * its own name.
 */
static void test_names(void **state)
{
	make_fdinfo(42, 3, 8, device.pdev, 10, 123);
	make("proc/42/comm", "\033[2Ja\x7f\tb\xc2\x9b\xc3\xa9\n");
	top_read_clients(&now, &device, proc());
	assert_string_equal(now.clients[0].name, "?[2Ja??b??\xc3\xa9");
	make("debugfs/channels", "channel 5, PIO: batches submitted 9 retired 7 completed 7\n"
	     "  opened by a\033c\rb, process 42, user 0\n");
	top_read_debugfs(&now, &device);
	assert_string_equal(now.channels[0].name, "a?c?b");
}

static void test_many_clients(void **state)
{
	int i;

	for (i = 0; i < TOP_CLIENTS + 2; i++)
		make_fdinfo(42, i, i + 1, device.pdev, 10, 123);
	top_read_clients(&now, &device, proc());
	assert_int_equal(now.client_count, TOP_CLIENTS);
	assert_int_equal(now.note_count, 1);
	assert_string_equal(now.notes[0], "only the first 256 clients are shown");
}

static void test_no_proc(void **state)
{
	top_read_clients(&now, &device, proc());
	assert_int_equal(now.note_count, 1);
	assert_non_null(strstr(now.notes[0], "no clients"));
}

/* ---- debugfs ---- */

static void test_debugfs(void **state)
{
	make_debugfs(50);
	top_read_debugfs(&now, &device);
	assert_int_equal(now.note_count, 0);
	assert_true(now.has_channels && now.has_counters && now.has_vram);
	assert_int_equal(now.switches, 30);
	assert_int_equal(now.batches, 40);
	assert_int_equal(now.engine_ns, 5000000);
	assert_int_equal(now.vram_size, 4096);
	assert_int_equal(now.vram_used, 1024);
	assert_int_equal(now.counters[TOP_METHODS], 100);
	assert_int_equal(now.counters[TOP_PIXELS], 2000);
	assert_int_equal(now.counters[TOP_TRIANGLES], 50);
	assert_int_equal(now.channel_count, 2);
	assert_string_equal(now.channels[0].name, "kernel");
	assert_string_equal(top_channel_state(&now.channels[0]), "idle");
	assert_int_equal(now.channels[1].chid, 5);
	assert_true(now.channels[1].pio && now.channels[1].owns_pgraph);
	assert_string_equal(now.channels[1].name, "a, process b");
	assert_int_equal(now.channels[1].pid, 42);
	assert_true(now.channels[1].classes == (1 << 7 | 1 << 0x1c));
	assert_string_equal(top_channel_state(&now.channels[1]), "running");
}

static void test_no_debugfs(void **state)
{
	top_read_debugfs(&now, &device);
	assert_false(now.has_channels || now.has_counters || now.has_vram);
	assert_int_equal(now.note_count, 1);
	assert_non_null(strstr(now.notes[0], "/debugfs/channels: No such file"));
}

static void test_no_counters(void **state)
{
	make_debugfs(50);
	make("debugfs/counters", "");
	top_read_debugfs(&now, &device);
	assert_true(now.has_channels && !now.has_counters);
	assert_non_null(strstr(now.notes[0], "the chip has no counters"));
}

/* ---- sysfs ---- */

static void test_device(void **state)
{
	struct top_device found;
	char sysfs[128];

	snprintf(sysfs, sizeof(sysfs), "%s/drm", root);
	assert_int_equal(top_device_find(&found, sysfs, NULL), -ENOENT);
	make("drm/card0/dev", "");
	make("drm/card0-VGA-1/dev", "");
	make("drm/card1/dev", "");
	make("pci/0000:00:02.0/id", "");
	make("pci/0000:00:05.0/id", "");
	make("drivers/bochs/id", "");
	make("drivers/nv3/id", "");
	make_link("pci/0000:00:02.0", "drm/card0/device");
	make_link("pci/0000:00:05.0", "drm/card1/device");
	make_link("drivers/bochs", "pci/0000:00:02.0/driver");
	assert_int_equal(top_device_find(&found, sysfs, NULL), -ENODEV);
	make_link("drivers/nv3", "pci/0000:00:05.0/driver");
	assert_int_equal(top_device_find(&found, sysfs, NULL), 0);
	assert_string_equal(found.card, "card1");
	assert_string_equal(found.pdev, "0000:00:05.0");
	assert_string_equal(found.debugfs, "/sys/kernel/debug/dri/1");
	assert_int_equal(top_device_find(&found, sysfs, "card0"), -ENODEV);
}

/* ---- reports ---- */

static void set_time(struct top_sample *sample, double time)
{
	unsigned int i;

	sample->time = sample->totals_time = time;
	for (i = 0; i < sample->client_count; i++)
		sample->clients[i].time = time;
}

/*
 * Takes samples @before and @now, which are 2 s apart. Between the samples, one client completes 10
 * batches, and another client is created.
 */
static void take_samples(void)
{
	make_fdinfo(42, 3, 8, device.pdev, 10, 1000000000);
	make("proc/42/comm", "a \"quoted\" name\n");
	make_debugfs(50);
	top_read_clients(&before, &device, proc());
	top_read_debugfs(&before, &device);
	make_fdinfo(42, 3, 8, device.pdev, 20, 1500000000);
	make_fdinfo(43, 3, 9, device.pdev, 4, 100000000);
	make_debugfs(250);
	top_read_clients(&now, &device, proc());
	top_read_debugfs(&now, &device);
	set_time(&before, 100);
	set_time(&now, 102);
}

static char *text_of(void (*print)(FILE *out))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	print(out);
	fclose(out);
	return text;
}

static void json(FILE *out)
{
	top_print_json(out, &device, &before, &now);
}

static void screen(FILE *out)
{
	top_print_screen(out, &device, &before, &now, 80, false);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in %s", part, text);
}

static void test_json(void **state)
{
	char *text;

	take_samples();
	text = text_of(json);
	assert_has(text, "\"seconds\": 2.000000");
	assert_has(text, "\"triangles\": 200, \"triangles_per_s\": 100.0");
	assert_has(text, "\"process\": \"a \\\"quoted\\\" name\", \"pid\": 42, \"id\": 8");
	assert_has(text, "\"engine_percent\": 25.00, \"batches\": 10, \"batches_per_s\": 5.0");
	assert_has(text, "\"id\": 9, \"vram\": 3072");
	assert_has(text, "\"engine_percent\": 5.00, \"batches\": 4");
	assert_has(text, "\"channel\": 5, \"type\": \"PIO\", \"state\": \"running\"");
	assert_has(text, "\"queued\": 2");
	assert_has(text, "\"missing\": []}\n");
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	free(text);
}

static void test_screen(void **state)
{
	char *text;
	char *first, *second;

	take_samples();
	text = text_of(screen);
	first = strstr(text, "     42  a \"quoted\" name");
	second = strstr(text, "     43  ");
	/*
	 * The client with the most engine time is in the first row, and the client's channel is in
	 * the next row.
	 */
	assert_true(first && second && first < second);
	assert_has(first, "channel   5 PIO running");
	assert_has(text, "triangles    100  /s");
	assert_null(strchr(text, '\033'));
	free(text);
}

/* The interval of a client ends when nv3-top reads the client, not when the sample begins. */
static void test_share(void **state)
{
	struct top_client *client = now.clients;
	struct top_work work;

	take_samples();
	while (client->id != 8)
		client++;
	client->time = 102.5;
	work = top_client_work(&before, &now, client);
	assert_true(work.seconds == 2.5);
	assert_int_equal(work.engine_ns, 500000000);
}

/* Without debugfs, the totals include only clients that the user may see. */
static void test_user(void **state)
{
	char *text;

	take_samples();
	before.has_channels = now.has_channels = false;
	before.has_counters = now.has_counters = false;
	now.has_vram = false;
	top_note(&now, "no %s", "permission");
	text = text_of(json);
	assert_has(text, "\"engine_percent\": 30.00, \"batches\": 14");
	assert_null(strstr(text, "triangles"));
	assert_null(strstr(text, "\"channels\""));
	assert_has(text, "\"missing\": [\"no permission\"]");
	free(text);
	text = text_of(screen);
	assert_has(text, "\nno permission\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_clients, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_clients, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_proc, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_debugfs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_debugfs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_counters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_device, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_json, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_screen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_share, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_user, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
