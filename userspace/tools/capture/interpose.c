/* SPDX-License-Identifier: MIT */
/*
 * The capture library, which nv3-capture preloads into a program. The library replaces the
 * functions of libc through which a program uses the device. Each replacement calls the original
 * function and records its effect. Another preloaded library, such as Mesa's drm-shim, may contain
 * the original function.
 *
 * The parameters are environment variables: NV3_CAPTURE is the prefix of file names, and
 * NV3_CAPTURE_BATCHES is the number of batches after which recording ends. Each process creates its
 * own capture file when it first uses the device.
 *
 * If a process creates a channel that can't be recorded, its capture is incomplete. Unless
 * NV3_CAPTURE_PARTIAL is set, the file of an incomplete capture gets the suffix ".incomplete"
 * instead of its final name. nv3-capture removes such files.
 */
#define _GNU_SOURCE
/*
 * This file defines both variants of functions such as mmap() and mmap64(), so no macro may replace
 * one variant with the other.
 */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm.h>
#include <drm_mode.h>

#include "tracker.h"

#define EXPORT		__attribute__((visibility("default")))
#define DESCRIPTORS	4096
#define FILES_MAX	10000
#define NAME_SIZE	4096

static struct {
	pthread_mutex_t lock;
	struct tracker tracker;
	struct tracked_file *files[DESCRIPTORS];	/* by descriptor */
	bool foreign[DESCRIPTORS];			/* not a file of nv3 */
	bool ended;
	pid_t pid;
	uint32_t batches_max;
	char part[NAME_SIZE], name[NAME_SIZE], incomplete[NAME_SIZE];

	int (*close)(int fd);
	int (*dup)(int fd);
	int (*dup2)(int fd, int to);
	int (*dup3)(int fd, int to, int flags);
	int (*fcntl)(int fd, int cmd, ...);
	void (*exit_now)(int status);
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

void capture_say(const char *format, ...)
{
	va_list args;

	fputs("nv3-capture: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static void find_functions(void)
{
	struct tracker_calls *calls = &state.tracker.calls;

	if (calls->ioctl)
		return;
	/* Use mmap64(), because its offsets have 64 bits on every host. */
	calls->mmap = (typeof(calls->mmap))dlsym(RTLD_NEXT, "mmap64");
	calls->munmap = (typeof(calls->munmap))dlsym(RTLD_NEXT, "munmap");
	state.close = (typeof(state.close))dlsym(RTLD_NEXT, "close");
	state.dup = (typeof(state.dup))dlsym(RTLD_NEXT, "dup");
	state.dup2 = (typeof(state.dup2))dlsym(RTLD_NEXT, "dup2");
	state.dup3 = (typeof(state.dup3))dlsym(RTLD_NEXT, "dup3");
	state.fcntl = (typeof(state.fcntl))dlsym(RTLD_NEXT, "fcntl");
	state.exit_now = (typeof(state.exit_now))dlsym(RTLD_NEXT, "_exit");
	calls->ioctl = (typeof(calls->ioctl))dlsym(RTLD_NEXT, "ioctl");
}

static void lock(void)
{
	find_functions();
	pthread_mutex_lock(&state.lock);
}

static void unlock(void)
{
	pthread_mutex_unlock(&state.lock);
}

/* ---- the file ---- */

/* Creates PREFIX.N.nv3cap.part with the first free N. */
static FILE *create_part(const char *prefix)
{
	int n, fd;

	for (n = 1; n < FILES_MAX; n++) {
		snprintf(state.name, sizeof(state.name), "%s.%d.nv3cap", prefix, n);
		snprintf(state.part, sizeof(state.part), "%s.%d.nv3cap.part", prefix, n);
		snprintf(state.incomplete, sizeof(state.incomplete), "%s.%d.nv3cap.incomplete",
			 prefix, n);
		if (!access(state.name, F_OK))
			continue;
		fd = open(state.part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fdopen(fd, "wb");
		if (errno != EEXIST)
			break;
	}
	capture_say("%s: %s: nothing is recorded", state.part, strerror(errno));
	return NULL;
}

static void write_program(int fd)
{
	struct drm_nv3_getparam param = { .param = DRM_NV3_PARAM_VRAM_SIZE };
	const char *name = program_invocation_short_name;
	uint32_t vram;

	state.tracker.calls.ioctl(fd, DRM_IOCTL_NV3_GETPARAM, &param);
	vram = param.value;
	capture_write(&state.tracker.writer, CAPTURE_PROGRAM, &vram, 1, name, strlen(name));
}

static void begin(int fd)
{
	const char *prefix = getenv("NV3_CAPTURE"), *max = getenv("NV3_CAPTURE_BATCHES");
	FILE *file = prefix ? create_part(prefix) : NULL;

	state.pid = getpid();
	if (!file) {
		state.ended = true;
		return;
	}
	state.batches_max = max ? strtoul(max, NULL, 10) : 0;
	/*
	 * Disable buffering, because a child process would inherit buffered bytes and write them
	 * again.
	 */
	setvbuf(file, NULL, _IONBF, 0);
	capture_begin(&state.tracker.writer, file);
	state.tracker.recording = true;
	write_program(fd);
}

/* Ends the capture. Later calls are not recorded. */
static void finish(void)
{
	struct capture_writer *w = &state.tracker.writer;
	uint32_t batches = w->batches;
	int error;

	if (!state.tracker.recording)
		return;
	state.tracker.recording = false;
	state.ended = true;
	error = capture_finish(w);
	if (fclose(w->file) && !error)
		error = -errno;
	if (!error && state.tracker.incomplete && !getenv("NV3_CAPTURE_PARTIAL") &&
	    !rename(state.part, state.incomplete))
		return;
	if (!error && !rename(state.part, state.name)) {
		capture_say("%s: %u batches", state.name, batches);
		return;
	}
	capture_say("%s: %s: the capture is lost", state.name,
		    strerror(error ? -error : errno));
	unlink(state.part);
}

/* In a child process of fork(), stops recording, because the capture belongs to the parent. */
static void forget_parent(void)
{
	if (!state.pid || state.pid == getpid())
		return;
	if (state.tracker.recording)
		state.close(fileno(state.tracker.writer.file));
	memset(state.files, 0, sizeof(state.files));
	memset(state.foreign, 0, sizeof(state.foreign));
	state.tracker.recording = false;
	state.tracker.files = 0;
	state.tracker.buffers = 0;
	state.tracker.full = false;
	state.tracker.incomplete = false;
	state.ended = false;
	state.pid = getpid();
}

/* ---- descriptors ---- */

static bool is_nv3(int fd)
{
	char name[8] = "";
	struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };

	return !state.tracker.calls.ioctl(fd, DRM_IOCTL_VERSION, &version) &&
	       !strcmp(name, "nv3");
}

/*
 * Returns the tracked file of a descriptor. Returns NULL if the descriptor does not refer to an nv3
 * device, or if recording has ended.
 */
static struct tracked_file *find_file(int fd)
{
	forget_parent();
	if (fd < 0 || fd >= DESCRIPTORS || state.ended || state.foreign[fd])
		return NULL;
	if (!state.files[fd]) {
		if (!is_nv3(fd)) {
			state.foreign[fd] = true;
			return NULL;
		}
		if (!state.tracker.recording)
			begin(fd);
		if (state.ended)
			return NULL;
		state.files[fd] = tracker_file_new(&state.tracker);
	}
	return state.files[fd];
}

/* Stops tracking a descriptor that the caller has closed or is about to close. */
static void forget(int fd)
{
	struct tracked_file *file;

	forget_parent();
	if (fd < 0 || fd >= DESCRIPTORS)
		return;
	file = state.files[fd];
	state.files[fd] = NULL;
	state.foreign[fd] = false;
	if (file && !--file->refs && state.tracker.recording)
		tracker_file_free(&state.tracker, file);
}

static void duplicated(int from, int to)
{
	if (from < 0 || from >= DESCRIPTORS || to < 0 || to >= DESCRIPTORS || from == to)
		return;
	forget(to);
	state.files[to] = state.files[from];
	if (state.files[to])
		state.files[to]->refs++;
}

/* ---- ioctls ---- */

static int submit(struct tracked_file *file, int fd, unsigned long request, void *arg)
{
	struct tracker *t = &state.tracker;
	struct tracked_submit batch;
	int ret, error;

	tracker_submit_begin(t, file, fd, arg, &batch);
	ret = t->calls.ioctl(fd, request, arg);
	error = errno;
	tracker_submit_end(t, file, fd, arg, &batch, !ret);
	if (t->writer.error || (state.batches_max && t->writer.batches >= state.batches_max))
		finish();
	errno = error;
	return ret;
}

/* Records that an ioctl of the DRM core has created or opened a buffer, or has closed a handle. */
static void record_core(struct tracked_file *file, int fd, unsigned long request, void *arg)
{
	struct tracker *t = &state.tracker;
	const uint32_t both = DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM;

	switch (request) {
	case DRM_IOCTL_GEM_CLOSE:
		tracker_buffer_close(t, file, ((struct drm_gem_close *)arg)->handle);
		break;
	case DRM_IOCTL_GEM_OPEN: {
		struct drm_gem_open *args = arg;

		tracker_buffer(t, file, args->handle, args->size, both);
		break;
	}
	case DRM_IOCTL_MODE_CREATE_DUMB: {
		struct drm_mode_create_dumb *args = arg;

		tracker_buffer(t, file, args->handle, args->size, DRM_NV3_GEM_VRAM);
		break;
	}
	case DRM_IOCTL_MODE_DESTROY_DUMB:
		tracker_buffer_close(t, file, ((struct drm_mode_destroy_dumb *)arg)->handle);
		break;
	case DRM_IOCTL_PRIME_FD_TO_HANDLE: {
		struct drm_prime_handle *args = arg;
		off64_t size = lseek64(args->fd, 0, SEEK_END);

		lseek64(args->fd, 0, SEEK_SET);
		if (size > 0)
			tracker_buffer(t, file, args->handle, size, both);
		break;
	}
	}
}

static void record(struct tracked_file *file, int fd, unsigned long request, void *arg)
{
	struct tracker *t = &state.tracker;

	switch (request) {
	case DRM_IOCTL_NV3_CHANNEL_CREATE:
		tracker_channel(t, file, arg);
		break;
	case DRM_IOCTL_NV3_CHANNEL_DESTROY:
		tracker_channel_destroy(t, file, ((struct drm_nv3_channel_destroy *)arg)->channel);
		break;
	case DRM_IOCTL_NV3_OBJECT_INSTANTIATE:
		tracker_object(t, file, arg);
		break;
	case DRM_IOCTL_NV3_OBJECT_DESTROY:
		tracker_object_destroy(t, file, arg);
		break;
	case DRM_IOCTL_NV3_GEM_CREATE: {
		struct drm_nv3_gem_create *args = arg;

		tracker_buffer(t, file, args->handle, args->size, args->domains);
		break;
	}
	case DRM_IOCTL_NV3_VM_CREATE:
		tracker_vm(t, file, ((struct drm_nv3_vm_create *)arg)->vm);
		break;
	case DRM_IOCTL_NV3_VM_DESTROY:
		tracker_vm_destroy(t, file, ((struct drm_nv3_vm_destroy *)arg)->vm);
		break;
	case DRM_IOCTL_NV3_VM_BIND:
		tracker_vm_bind(t, file, arg);
		break;
	default:
		record_core(file, fd, request, arg);
		break;
	}
}

static int drm_ioctl(int fd, unsigned long request, void *arg)
{
	struct tracked_file *file;
	int ret, error;

	lock();
	file = find_file(fd);
	if (file && request == DRM_IOCTL_NV3_SUBMIT) {
		ret = submit(file, fd, request, arg);
		unlock();
		return ret;
	}
	if (!file || request == DRM_IOCTL_NV3_GEM_WAIT) {
		/* Call ioctl() without the lock, because the call may wait. */
		unlock();
		return state.tracker.calls.ioctl(fd, request, arg);
	}
	ret = state.tracker.calls.ioctl(fd, request, arg);
	error = errno;
	if (!ret && !state.tracker.full)
		record(file, fd, request, arg);
	if (state.tracker.full)
		finish();
	unlock();
	errno = error;
	return ret;
}

/*
 * Returns true for ioctls that may affect a capture. Other ioctls are called without the lock,
 * because they may wait.
 */
static bool is_interesting(unsigned long request)
{
	const unsigned int nr = _IOC_NR(request);

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
		return false;
	return (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END) ||
	       request == DRM_IOCTL_GEM_CLOSE || request == DRM_IOCTL_GEM_OPEN ||
	       request == DRM_IOCTL_MODE_CREATE_DUMB || request == DRM_IOCTL_MODE_DESTROY_DUMB ||
	       request == DRM_IOCTL_PRIME_FD_TO_HANDLE;
}

/* ---- functions of libc ---- */

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (is_interesting(request))
		return drm_ioctl(fd, request, arg);
	find_functions();
	return state.tracker.calls.ioctl(fd, request, arg);
}

EXPORT int close(int fd)
{
	lock();
	forget(fd);
	unlock();
	return state.close(fd);
}

EXPORT int dup(int fd)
{
	int to;

	lock();
	to = state.dup(fd);
	duplicated(fd, to);
	unlock();
	return to;
}

EXPORT int dup2(int fd, int to)
{
	int ret;

	lock();
	ret = state.dup2(fd, to);
	duplicated(fd, ret);
	unlock();
	return ret;
}

EXPORT int dup3(int fd, int to, int flags)
{
	int ret;

	lock();
	ret = state.dup3(fd, to, flags);
	duplicated(fd, ret);
	unlock();
	return ret;
}

EXPORT int fcntl(int fd, int cmd, ...)
{
	va_list args;
	void *arg;
	int ret;

	va_start(args, cmd);
	arg = va_arg(args, void *);
	va_end(args);
	find_functions();
	/*
	 * Call other commands without the lock, because they may wait, for example for a file lock.
	 */
	if (cmd != F_DUPFD && cmd != F_DUPFD_CLOEXEC)
		return state.fcntl(fd, cmd, arg);
	lock();
	ret = state.fcntl(fd, cmd, arg);
	duplicated(fd, ret);
	unlock();
	return ret;
}

EXPORT int fcntl64(int fd, int cmd, ...) __attribute__((alias("fcntl")));

EXPORT void _exit(int status)
{
	lock();
	forget_parent();
	finish();
	unlock();
	state.exit_now(status);
	__builtin_unreachable();
}

EXPORT void _Exit(int status) __attribute__((alias("_exit"), noreturn));

/*
 * Makes fork() hold the lock, so that the child does not inherit a lock that another thread holds.
 */
static void __attribute__((constructor)) at_start(void)
{
	pthread_atfork(lock, unlock, unlock);
}

static void __attribute__((destructor)) at_exit(void)
{
	lock();
	forget_parent();
	finish();
	unlock();
}
