/* SPDX-License-Identifier: MIT */
/*
 * Tests device core dumps of faults, their decoder in nv3-info, and the event after a reset of the
 * chip. Only root may read the dumps.
 */
#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_pio.h"
#include "nv3_dump.h"
#include "nv3_regs.h"

IGT_TEST_DESCRIPTION("Device core dumps of faults, their decoder, and the event of a reset.");

#define CLASS_DIR	"/sys/class/devcoredump"
#define DUMP_MAX	(64 << 10)
#define COPY		"/tmp/nv3-dump"
#define TEXT_MAX	(256 << 10)
/* The driver creates at most one dump per second. */
#define INTERVAL_US	1200000

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000) + ts.tv_nsec / 1000000;
}

/* ---- the dump ---- */

/*
 * Stores the path of a dump's data file in @path. Returns false if there is no dump, or if the
 * kernel has created only the directory of the dump so far.
 */
static bool find_dump(char *path, size_t size)
{
	DIR *dir = opendir(CLASS_DIR);
	struct dirent *entry;
	bool found = false;

	igt_require_f(dir, "no " CLASS_DIR "\n");
	while (!found && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "devcd", 5))
			continue;
		snprintf(path, size, CLASS_DIR "/%.32s/data", entry->d_name);
		found = !access(path, F_OK);
	}
	closedir(dir);
	return found;
}

/*
 * Deletes the dumps that other tests have left, and waits until the driver may create a new dump.
 */
static void clear_dumps(void)
{
	char path[128];
	int fd;

	while (find_dump(path, sizeof(path))) {
		fd = open(path, O_WRONLY);
		if (fd >= 0) {
			igt_assert_eq(write(fd, "0", 1), 1);
			close(fd);
		}
		usleep(1000);
	}
	usleep(INTERVAL_US);
}

static size_t read_all(const char *path, char *data, size_t size)
{
	size_t length = 0;
	ssize_t n;
	int fd = open(path, O_RDONLY);

	igt_assert(fd >= 0);
	while ((n = read(fd, data + length, size - length)) > 0)
		length += n;
	igt_assert_eq(n, 0);
	close(fd);
	return length;
}

static void write_all(const char *path, const char *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	igt_assert(fd >= 0);
	igt_assert_eq(write(fd, data, size), size);
	close(fd);
}

/* Waits for a dump, stores it in @data, and returns its size. */
static size_t await_dump(char *data)
{
	uint64_t end = now_ms() + 10000;
	char path[128];

	while (!find_dump(path, sizeof(path))) {
		igt_assert_f(now_ms() < end, "no dump\n");
		usleep(1000);
	}
	return read_all(path, data, DUMP_MAX);
}

/*
 * Runs nv3-info on a file. Stores the decoder's output and error messages in @text, and returns its
 * exit status.
 */
static int decode(const char *path, char *text)
{
	char command[128];
	size_t length;
	FILE *out;
	int status;

	snprintf(command, sizeof(command), "nv3-info --decode %s 2>&1", path);
	out = popen(command, "r");
	igt_assert(out);
	length = fread(text, 1, TEXT_MAX - 1, out);
	text[length] = '\0';
	status = pclose(out);
	igt_assert(WIFEXITED(status));
	igt_debug("%s", text);
	return WEXITSTATUS(status);
}

static void require_decoder(void)
{
	igt_require_f(!system("nv3-info --help >/dev/null 2>&1"),
		      "no nv3-info\n");
}

static void assert_says(const char *text, const char *what)
{
	igt_assert_f(strstr(text, what), "no \"%s\" in:\n%s", what, text);
}

/*
 * Runs the client's batch, which must end with the fault @fault. Stores the dump of this fault in
 * @data and returns the size of the dump.
 */
static size_t dump_of_fault(struct igt_nv3_client *client, uint32_t fault,
			    char *data)
{
	clear_dumps();
	igt_nv3_run(&client->batch);
	igt_assert_eq(igt_nv3_fault(client->fd, client->channel, NULL), fault);
	return await_dump(data);
}

static char *dump_buffer(void)
{
	char *data = malloc(DUMP_MAX);

	igt_assert(data);
	return data;
}

static char *text_buffer(void)
{
	char *text = malloc(TEXT_MAX);

	igt_assert(text);
	return text;
}

static void push_bad_method(struct igt_nv3_client *client)
{
	igt_nv3_fill(client, 1, 2, 3, 4, 0x0abc);
	igt_nv3_method(&client->batch, IGT_NV3_SUB_RECT, 0x1f00, 0x1234);
	igt_nv3_fill(client, 5, 6, 7, 8, 0x0def);
}

static void test_method(int fd)
{
	char *data = dump_buffer(), *text = text_buffer();
	struct drm_nv3_channel_query query;
	struct igt_nv3_client client;
	char line[128];
	size_t size;

	require_decoder();
	igt_nv3_client_init(&client, fd);
	push_bad_method(&client);
	size = dump_of_fault(&client, DRM_NV3_FAULT_METHOD, data);
	write_all(COPY, data, size);
	igt_assert_eq(decode(COPY, text), 0);
	igt_nv3_fault(fd, client.channel, &query);
	igt_assert_eq_u32(query.method, 0x1f00);

	assert_says(text, "fault:      no such method (2)");
	snprintf(line, sizeof(line), "class:      0x%02x RECT", NV3_CLASS_RECT);
	assert_says(text, line);
	snprintf(line, sizeof(line), "method:     0x1f00 on subchannel %u",
		 IGT_NV3_SUB_RECT);
	assert_says(text, line);
	assert_says(text, "data:       0x00001234");
	assert_says(text, "DMA, batch 2, on the chip");
	snprintf(line, sizeof(line), ", process %d, user 0", getpid());
	assert_says(text, line);
	assert_says(text, "nv3_coredump");
	/*
	 * PGRAPH has stopped at the faulting method, and the dump contains the words of the batch.
	 */
	assert_says(text, "PGRAPH_TRAPPED_DATA");
	assert_says(text, "00001234");
	assert_says(text, "PGRAPH_VTX_X(0)");
	assert_says(text, "subchannel 1, 1 from 0x1f00");
	assert_says(text, "00000abc");
	assert_says(text, "00000def");
	assert_says(text, "RAMRO: 0 methods");
	igt_nv3_client_fini(&client);
	clear_dumps();
	free(data);
	free(text);
}

/*
 * A fault that a method of a software class causes is dumped as well. In this test, the method
 * ACQUIRE of a semaphore times out.
 */
static void test_blocked(int fd)
{
	struct drm_nv3_semaphore_args args = { .timeout_ms = 50 };
	char *data = dump_buffer(), *text = text_buffer();
	struct igt_nv3_client client, other;
	size_t size;

	require_decoder();
	igt_nv3_client_init_lr(&client, fd);
	igt_nv3_client_init_lr(&other, fd);
	args.handle = client.color.handle;
	/*
	 * @other could release the semaphore, so the driver does not regard the wait as a deadlock.
	 */
	igt_assert_eq(__igt_nv3_object(fd, client.channel, 0x1000,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_assert_eq(__igt_nv3_object(fd, other.channel, 0x1000,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_FREE, 0x1000);
	igt_nv3_method(&client.batch, IGT_NV3_SUB_FREE, NV3_SEMAPHORE_ACQUIRE,
		       77);
	size = dump_of_fault(&client, DRM_NV3_FAULT_TIMEOUT, data);
	write_all(COPY, data, size);
	igt_assert_eq(decode(COPY, text), 0);
	assert_says(text, "fault:      endless work (6)");
	assert_says(text, "0x40 SEMAPHORE");
	assert_says(text, "data:       0x0000004d");
	assert_says(text, "preempted");
	igt_nv3_client_fini(&client);
	igt_nv3_client_fini(&other);
	clear_dumps();
	free(data);
	free(text);
}

static void test_pio(int fd)
{
	char *data = dump_buffer(), *text = text_buffer();
	struct igt_nv3_pio pio;
	size_t size;

	require_decoder();
	igt_nv3_pio_init(&pio, fd);
	clear_dumps();
	igt_nv3_store(&pio, IGT_NV3_SUB_RECT, 0x1f00, 0x5678);
	size = await_dump(data);
	write_all(COPY, data, size);
	igt_assert_eq(decode(COPY, text), 0);
	assert_says(text, "fault:      no such method (2)");
	assert_says(text, "data:       0x00005678");
	assert_says(text, "PIO, batch");
	igt_assert(!strstr(text, "ring:"));
	igt_nv3_pio_fini(&pio);
	clear_dumps();
	free(data);
	free(text);
}

/* The first dump stays until it is deleted, and later faults don't replace it. */
static void test_first(int fd)
{
	char *data = dump_buffer(), *later = dump_buffer();
	struct igt_nv3_client client;
	size_t size;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	push_bad_method(&client);
	size = dump_of_fault(&client, DRM_NV3_FAULT_METHOD, data);
	igt_nv3_client_fini(&client);
	for (i = 0; i < 5; i++) {
		igt_nv3_client_init(&client, fd);
		igt_nv3_select(&client.batch, 5, 0xbad);
		igt_nv3_run(&client.batch);
		igt_nv3_client_fini(&client);
		usleep(INTERVAL_US / 4);
	}
	igt_assert_eq(await_dump(later), size);
	igt_assert(!memcmp(data, later, size));
	clear_dumps();
	free(data);
	free(later);
}

/* Only root may read a dump, because the dumped registers may contain data of other clients. */
static void test_root_only(int fd)
{
	char *data = dump_buffer(), path[128];
	struct igt_nv3_client client;

	igt_require_f(geteuid() == 0, "needs root, to drop its privileges\n");
	igt_nv3_client_init(&client, fd);
	push_bad_method(&client);
	dump_of_fault(&client, DRM_NV3_FAULT_METHOD, data);
	igt_assert(find_dump(path, sizeof(path)));
	igt_fork(child, 1) {
		igt_assert_eq(setuid(12001), 0);
		igt_assert_eq(open(path, O_RDONLY), -1);
		igt_assert_eq(errno, EACCES);
	}
	igt_waitchildren();
	igt_nv3_client_fini(&client);
	clear_dumps();
	free(data);
}

/* ---- errors of the decoder ---- */

static void expect_error(const char *data, size_t size, const char *message)
{
	char *text = text_buffer();

	write_all(COPY, data, size);
	igt_assert_eq(decode(COPY, text), 1);
	assert_says(text, message);
	free(text);
}

static void test_damaged(int fd)
{
	char *data = dump_buffer(), *text = text_buffer();
	struct igt_nv3_client client;
	size_t size, cut;
	uint32_t i;

	require_decoder();
	igt_nv3_client_init(&client, fd);
	push_bad_method(&client);
	size = dump_of_fault(&client, DRM_NV3_FAULT_METHOD, data);
	igt_assert(size > 1024);
	igt_nv3_client_fini(&client);

	expect_error(data, 0, "not a device core dump of nv3");
	expect_error(data, 7, "not a device core dump of nv3");
	expect_error(data, 8, "truncated");
	for (cut = 16; cut < size; cut += 509)
		expect_error(data, cut, "truncated");
	expect_error(data, size - 1, "truncated");
	data[size] = 0;
	expect_error(data, size + 1, "damaged");
	data[8] ^= 2;
	expect_error(data, size, "version 3");
	data[8] ^= 2;
	/* This byte belongs to the size of the first section. */
	data[20 + 2] ^= 0x7f;
	expect_error(data, size, "damaged");
	data[20 + 2] ^= 0x7f;
	data[0] ^= 1;
	expect_error(data, size, "not a device core dump of nv3");
	data[0] ^= 1;

	igt_assert_eq(decode("/proc/cpuinfo", text), 1);
	assert_says(text, "not a device core dump of nv3");
	igt_assert_eq(decode("/nonexistent", text), 1);
	assert_says(text, "No such file");
	/*
	 * With a byte of the dump changed, the decoder may print the dump or report an error, but
	 * must not crash.
	 */
	for (i = 0; i < 64; i++) {
		size_t at = 16 + (i * 7919u) % (size - 16);

		data[at] ^= 0xff;
		write_all(COPY, data, size);
		igt_assert_lte(decode(COPY, text), 1);
		data[at] ^= 0xff;
	}
	write_all(COPY, data, size);
	igt_assert_eq(decode(COPY, text), 0);
	unlink(COPY);
	clear_dumps();
	free(data);
	free(text);
}

/* ---- resets ---- */

static int open_uevents(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC,
			NETLINK_KOBJECT_UEVENT);

	igt_assert(fd >= 0);
	igt_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)),
		      0);
	return fd;
}

/* Returns true if one of the event's zero-terminated strings is @what. */
static bool event_says(const char *event, ssize_t size, const char *what)
{
	const char *at = event;

	for (; at < event + size; at += strlen(at) + 1)
		if (strcmp(at, what) == 0)
			return true;
	return false;
}

static bool await_wedged(int events, int timeout_ms)
{
	struct pollfd pollfd = { .fd = events, .events = POLLIN };
	uint64_t end = now_ms() + timeout_ms;
	char event[4096 + 1];
	ssize_t size;

	while (now_ms() < end) {
		if (poll(&pollfd, 1, end - now_ms()) <= 0)
			return false;
		size = recv(events, event, sizeof(event) - 1, 0);
		igt_assert(size >= 0);
		event[size] = '\0';
		if (event_says(event, size, "WEDGED=none") &&
		    event_says(event, size, "SUBSYSTEM=drm") &&
		    event_says(event, size, "ACTION=change"))
			return true;
	}
	return false;
}

#define SIDE	1024
#define SUB_M2MF	(IGT_NV3_SUB_COPY - 1)
/* The last of the eight methods of a copy. This method starts the copy. */
#define M2MF_LAST	(NV3_M2MF_OFFSET_IN + 7 * 4)

struct endless {
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
};

/*
 * Creates a client whose batch copies a gigabyte, one byte at a time, with a single method. To stop
 * such a copy, the driver has to reset the chip.
 */
static void endless_init(struct endless *e, int fd)
{
	struct drm_nv3_graph_args args = {
		.operation = 0x17, .dma = { 0x2000, 0x2000 },
	};
	struct igt_nv3_batch *batch = &e->client.batch;

	igt_nv3_client_init(&e->client, fd);
	e->bo = igt_nv3_bo_create(fd, 2 * SIDE * SIDE, DRM_NV3_GEM_VRAM);
	igt_nv3_dma(fd, e->client.channel, 0x2000, &e->bo, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, e->client.channel, 0x1000,
				       NV3_CLASS_M2MF, &args, sizeof(args)), 0);
	igt_nv3_use(batch, &e->bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, SUB_M2MF, 0x1000);
	igt_nv3_begin(batch, SUB_M2MF, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, 1);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, SIDE * SIDE / 2);
	igt_nv3_word(batch, 2047);
	igt_nv3_word(batch, 2 << 8 | 2);
	igt_nv3_word(batch, 0);
}

static void endless_fini(struct endless *e)
{
	igt_nv3_client_fini(&e->client);
	igt_nv3_bo_destroy(&e->bo);
}

static void test_wedged(int fd)
{
	struct igt_nv3_client other;
	int events = open_uevents();
	struct endless e;

	igt_nv3_client_init(&other, fd);
	/* A fault without a reset causes no event. */
	igt_nv3_select(&other.batch, 5, 0xbad);
	igt_nv3_run(&other.batch);
	igt_assert(!await_wedged(events, 500));

	endless_init(&e, fd);
	igt_nv3_run(&e.client.batch);
	igt_assert_eq(igt_nv3_fault(fd, e.client.channel, NULL),
		      DRM_NV3_FAULT_TIMEOUT);
	igt_assert(await_wedged(events, 5000));
	close(events);
	igt_nv3_client_fini(&other);
	endless_fini(&e);
}

/*
 * Returns the contents of the dump's only section of type @type, and sets @size to the size of
 * these contents.
 */
static const void *dump_section(const char *dump, uint32_t type, uint32_t *size)
{
	const struct nv3_dump_header *h = (const void *)dump;
	const struct nv3_dump_section *s;
	size_t at;

	for (at = sizeof(*h); at < le32toh(h->size); at += sizeof(*s) + *size) {
		s = (const void *)(dump + at);
		*size = le32toh(s->size);
		if (le32toh(s->type) == type)
			return s + 1;
	}
	igt_assert_f(false, "the dump has no section %u\n", type);
	return NULL;
}

static uint32_t dump_register(const char *dump, uint32_t offset)
{
	uint32_t size, i;
	const struct nv3_dump_register *r =
		dump_section(dump, NV3_DUMP_REGISTERS, &size);

	for (i = 0; i < size / sizeof(*r); i++)
		if (le32toh(r[i].offset) == offset)
			return le32toh(r[i].value);
	igt_assert_f(false, "the dump lacks register %06x\n", offset);
	return 0;
}

/* The driver records the dump of a hang before it resets the chip. */
static void test_hang(int fd)
{
	char *data = dump_buffer(), *text = text_buffer();
	const struct nv3_dump_fault *fault;
	const struct nv3_dump_ring *ring;
	uint32_t size, ctx, chid, get, method;
	struct endless e;

	require_decoder();
	endless_init(&e, fd);
	write_all(COPY, data, dump_of_fault(&e.client, DRM_NV3_FAULT_TIMEOUT, data));
	fault = dump_section(data, NV3_DUMP_FAULT, &size);
	igt_assert_eq_u32(le32toh(fault->reason), DRM_NV3_FAULT_TIMEOUT);
	igt_assert_eq_u32(le32toh(fault->flags), NV3_DUMP_ON_CHIP);

	/*
	 * When the driver recorded the dump, PGRAPH was executing the copy, and the channel owned
	 * PFIFO.
	 */
	igt_assert(dump_register(data, NV3_PGRAPH_STATUS) & NV3_PGRAPH_STATUS_BUSY);
	method = dump_register(data, NV3_PGRAPH_TRAPPED_ADDR);
	igt_assert_eq_u32(method & NV3_FIFO_ADDR_MTHD, M2MF_LAST);
	igt_assert_eq_u32((method & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT, SUB_M2MF);
	igt_assert_eq_u32(dump_register(data, NV3_PDMA_LIMIT), e.bo.size - 1);
	chid = dump_register(data, NV3_PFIFO_CACHE1_PUSH_CHID);
	igt_assert_eq_u32(chid & NV3_PFIFO_CACHE1_CHID, le32toh(fault->channel));
	igt_assert(chid & NV3_PFIFO_CACHE1_CHID_DMA);
	ctx = dump_register(data, NV3_PFIFO_CACHE1_CTX(SUB_M2MF));
	igt_assert_eq_u32(ctx & NV3_CTX_CLASS, NV3_CTX_CLASS_GRAPH |
			  NV3_CLASS_M2MF << NV3_CTX_CLASS_SHIFT);

	/*
	 * The pusher has read the batch. 00080000 below is an argument in the batch, SIDE * SIDE /
	 * 2.
	 */
	ring = dump_section(data, NV3_DUMP_RING, &size);
	get = dump_register(data, NV3_PFIFO_CACHE1_DMA_GET);
	igt_assert_eq_u32(le32toh(ring->get), get);
	igt_assert_lt(le32toh(ring->batch), get);
	igt_assert_lte(get, le32toh(ring->batch) + le32toh(ring->batch_size));

	igt_assert_eq(decode(COPY, text), 0);
	assert_says(text, "fault:      endless work (6)");
	assert_says(text, "on the chip");
	assert_says(text, "PGRAPH_STATUS");
	assert_says(text, "00080000");
	endless_fini(&e);
	clear_dumps();
	unlink(COPY);
	free(data);
	free(text);
}

int igt_main()
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_debug(fd);
	}

	igt_describe("A dump contains class, method and data of a fault, and the batch's words.");
	igt_subtest("method")
		test_method(fd);

	igt_describe("A dump of a batch whose semaphore wait timed out.");
	igt_subtest("blocked")
		test_blocked(fd);

	igt_describe("A dump of a PIO channel, which has no batch.");
	igt_subtest("pio")
		test_pio(fd);

	igt_describe("A dump of a method that PGRAPH executes endlessly.");
	igt_subtest("hang")
		test_hang(fd);

	igt_describe("Later faults don't replace a dump.");
	igt_subtest("first")
		test_first(fd);

	igt_describe("Only root may read a dump.");
	igt_subtest("root-only")
		test_root_only(fd);

	igt_describe("The decoder reports truncated, damaged and foreign files.");
	igt_subtest("damaged")
		test_damaged(fd);

	igt_describe("A reset of the chip sends an event.");
	igt_subtest("wedged")
		test_wedged(fd);

	igt_fixture()
		drm_close_driver(fd);
}
