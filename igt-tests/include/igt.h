/* SPDX-License-Identifier: MIT */
/*
 * Declares the part of libigt's interface that the nv3 tests use. Debian's igt-gpu-tools package
 * has no headers, so builds against an installed libigt need this file. The declarations follow
 * libigt's documentation. With the meson option igt_source, the tests are built with IGT's own
 * igt.h instead.
 */
#ifndef IGT_H
#define IGT_H

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <xf86drm.h>

#ifndef IGT_LOG_DOMAIN
#define IGT_LOG_DOMAIN	((const char *)0)
#endif

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#endif

#define IGT_NORETURN	__attribute__((noreturn))
#define IGT_PRINTF(text, args) \
	__attribute__((__format__(__printf__, text, args)))

/* ---- igt_core ---- */

enum igt_log_level {
	IGT_LOG_DEBUG,
	IGT_LOG_INFO,
	IGT_LOG_WARN,
	IGT_LOG_CRITICAL,
	IGT_LOG_NONE,
};

struct option;
typedef int (*igt_opt_handler_t)(int opt, int index, void *data);

extern jmp_buf igt_subtest_jmpbuf;
extern jmp_buf igt_dynamic_jmpbuf;

int igt_subtest_init_parse_opts(int *argc, char **argv,
				const char *short_opts,
				const struct option *long_opts,
				const char *help, igt_opt_handler_t handler,
				void *data);
bool __igt_fixture(void);
void __igt_fixture_complete(void);
bool __igt_run_subtest(const char *name, const char *file, const int line);
void __igt_subtest_group_save(int *save, int *desc);
void __igt_subtest_group_restore(int save, int desc);
void igt_success(void);
IGT_NORETURN void igt_exit(void);
IGT_NORETURN IGT_PRINTF(5, 6)
void __igt_skip_check(const char *file, const int line, const char *func,
		      const char *check, const char *format, ...);
IGT_NORETURN IGT_PRINTF(6, 7)
void __igt_fail_assert(const char *domain, const char *file, const int line,
		       const char *func, const char *assertion,
		       const char *format, ...);
IGT_PRINTF(1, 2)
void igt_describe_f(const char *format, ...);
IGT_PRINTF(3, 4)
void igt_log(const char *domain, enum igt_log_level level, const char *format,
	     ...);
bool __igt_fork(void);
void igt_waitchildren(void);
void igt_kill_children(int signal);

#define __IGT_JOIN2(a, b)	a##b
#define __IGT_JOIN(a, b)	__IGT_JOIN2(a, b)
#define __IGT_LOCAL(name)	__IGT_JOIN(__igt_##name##_, __LINE__)

extern const char *__igt_test_description __attribute__((weak));

#define IGT_TEST_DESCRIPTION(text) \
	const char *__igt_test_description = (text)

enum {
	IGT_OPT_HANDLER_SUCCESS = 0,
	IGT_OPT_HANDLER_ERROR = -2,
};

/*
 * For a test with command line options of its own: int igt_main_args(...) { fixtures and subtests }
 */
#define igt_main_args(short_opts, long_opts, help, handler, data) \
	main(int argc, char **argv) \
	{ \
		igt_subtest_init_parse_opts(&argc, argv, (short_opts), \
					    (long_opts), (help), (handler), \
					    (data)); \
		__igt_real_main(); \
		igt_exit(); \
	} \
	void __igt_real_main(void)

/* For all other tests: int igt_main() { fixtures and subtests } */
void __igt_real_main(void);

#define igt_main() \
	main(int argc, char **argv) \
	{ \
		igt_subtest_init_parse_opts(&argc, argv, NULL, NULL, NULL, \
					    NULL, NULL); \
		__igt_real_main(); \
		igt_exit(); \
	} \
	void __igt_real_main(void)

/* When a fixture or subtest ends, libigt jumps back to this sigsetjmp() with the value 1. */
#define __IGT_CATCH()	(sigsetjmp(igt_subtest_jmpbuf, 1) == 0)

#define igt_fixture() \
	for (volatile int __IGT_LOCAL(done) = 0; \
	     !__IGT_LOCAL(done) && __igt_fixture() && __IGT_CATCH(); \
	     __IGT_LOCAL(done)++, __igt_fixture_complete())

#define igt_subtest(name) \
	for (; __igt_run_subtest((name), __FILE__, __LINE__) && \
	       __IGT_CATCH(); igt_success())

#define igt_subtest_f(...) \
	for (char __IGT_LOCAL(name)[256]; \
	     snprintf(__IGT_LOCAL(name), 256, __VA_ARGS__), \
	     __igt_run_subtest(__IGT_LOCAL(name), __FILE__, __LINE__) && \
	     __IGT_CATCH(); igt_success())

#define igt_describe(text)	igt_describe_f("%s", (text))

#define igt_assert(expr) \
	do { \
		if (!(expr)) \
			__igt_fail_assert(IGT_LOG_DOMAIN, __FILE__, __LINE__, \
					  __func__, #expr, NULL); \
	} while (0)

#define igt_assert_f(expr, ...) \
	do { \
		if (!(expr)) \
			__igt_fail_assert(IGT_LOG_DOMAIN, __FILE__, __LINE__, \
					  __func__, #expr, __VA_ARGS__); \
	} while (0)

#define __IGT_COMPARE(type, format, a, op, b) \
	do { \
		type __a = (a), __b = (b); \
		igt_assert_f(__a op __b, "%s: " format " and " format "\n", \
			     #a " " #op " " #b, __a, __b); \
	} while (0)

#define igt_assert_eq(a, b)	__IGT_COMPARE(int, "%d", a, ==, b)
#define igt_assert_neq(a, b)	__IGT_COMPARE(int, "%d", a, !=, b)
#define igt_assert_lt(a, b)	__IGT_COMPARE(int, "%d", a, <, b)
#define igt_assert_lte(a, b)	__IGT_COMPARE(int, "%d", a, <=, b)
#define igt_assert_eq_u32(a, b)	__IGT_COMPARE(uint32_t, "%#x", a, ==, b)
#define igt_assert_neq_u32(a, b) __IGT_COMPARE(uint32_t, "%#x", a, !=, b)
#define igt_assert_eq_u64(a, b) \
	__IGT_COMPARE(unsigned long long, "%#llx", a, ==, b)

#define igt_require(expr) \
	do { \
		if (!(expr)) \
			__igt_skip_check(__FILE__, __LINE__, __func__, #expr, \
					 NULL); \
	} while (0)

#define igt_require_f(expr, ...) \
	do { \
		if (!(expr)) \
			__igt_skip_check(__FILE__, __LINE__, __func__, #expr, \
					 __VA_ARGS__); \
	} while (0)

#define igt_debug(...)	igt_log(IGT_LOG_DOMAIN, IGT_LOG_DEBUG, __VA_ARGS__)
#define igt_info(...)	igt_log(IGT_LOG_DOMAIN, IGT_LOG_INFO, __VA_ARGS__)

/* Runs the block after the macro in @count child processes. igt_waitchildren() waits for them. */
#define igt_fork(child, count) \
	for (int child = 0; child < (count); child++) \
		for (; __igt_fork(); exit(0))

/* ---- drmtest, ioctl_wrappers ---- */

/* Mask of all drivers, except those that a test must request explicitly. */
#define DRIVER_ANY	~((1 << 2) | (1 << 9) | (1 << 10))

int drm_open_driver(int chipset);
int drm_reopen_driver(int fd);
int drm_close_driver(int fd);

#define do_ioctl(fd, request, arg) \
	do { \
		igt_assert_eq(drmIoctl((fd), (request), (arg)), 0); \
		errno = 0; \
	} while (0)

#define do_ioctl_err(fd, request, arg, error) \
	do { \
		igt_assert_eq(drmIoctl((fd), (request), (arg)), -1); \
		igt_assert_eq(errno, (error)); \
		errno = 0; \
	} while (0)

#endif
