/* SPDX-License-Identifier: MIT */
/*
 * Replaces the C library's header in a WebAssembly module, which has only one thread.
 * pthread_create() fails, so the chip core draws on its caller's thread. No function in this header
 * waits, because no other thread could end the wait.
 */
#ifndef NV3_WASI_PTHREAD_H
#define NV3_WASI_PTHREAD_H

#include <errno.h>
#include <stdlib.h>

typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;

static inline int pthread_create(pthread_t *thread, const void *attributes,
				 void *(*start)(void *), void *argument)
{
	return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result)
{
	return ESRCH;
}

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
{
	return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	return 0;
}

static inline int pthread_cond_init(pthread_cond_t *cond, const void *attributes)
{
	return 0;
}

/* Aborts, because a wait would never end. */
static inline int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	abort();
}

static inline int pthread_cond_signal(pthread_cond_t *cond)
{
	return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *cond)
{
	return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *cond)
{
	return 0;
}

#endif
