/* SPDX-License-Identifier: MIT */
/* Replaces the C library's header in a WebAssembly module, which receives no signals. */
#ifndef NV3_WASI_SIGNAL_H
#define NV3_WASI_SIGNAL_H

#define SIG_SETMASK	2

typedef int sigset_t;

static inline int sigfillset(sigset_t *set)
{
	return 0;
}

static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	return 0;
}

#endif
