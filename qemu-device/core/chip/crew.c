/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements crews (crew.h).
 *
 * Waking a sleeping thread takes about as long as drawing a short batch. A thread that
 * waits for another thread therefore polls an atomic variable for a short time before it
 * sleeps.
 */
#include "chip/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/*
 * The time for which a thread polls a variable before it sleeps, in nanoseconds. Tuned
 * with core.threads2 and core.threads2.programs of `make bench`.
 */
#define SPIN_NS         50000
/* Number of polls between two reads of the clock. */
#define SPIN_CHECKS     16

typedef struct Worker {
    pthread_t thread;
    NV3Crew *crew;
    unsigned number;
} Worker;

struct NV3Crew {
    NV3CrewFn *fn;
    void *opaque;
    pthread_mutex_t lock;
    /* A thread must hold @lock to change the variables from @round to @quit. */
    atomic_uint round;      /* number of calls of nv3_crew_start() */
    atomic_uint inside;     /* number of workers that are executing @fn */
    bool open;              /* workers may start to execute @fn */
    bool quit;              /* workers must end */
    pthread_cond_t opened;  /* signalled when @round changes or @quit is set */
    pthread_cond_t left;    /* signalled when @inside becomes 0 */
    unsigned workers;
    Worker worker[];
};

/* Tells the CPU that the thread is polling. */
static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* Waits until @value differs from @from, but not longer than SPIN_NS. */
static void spin(atomic_uint *value, unsigned from)
{
    const uint64_t start = now_ns();

    do {
        for (unsigned i = 0; i < SPIN_CHECKS; i++) {
            if (atomic_load_explicit(value, memory_order_relaxed) != from) {
                return;
            }
            relax();
        }
    } while (now_ns() - start < SPIN_NS);
}

/*
 * Waits for a round other than @round in which workers may execute c->fn, or for c->quit.
 * Returns the number of the current round, with the lock held.
 */
static unsigned await_round(NV3Crew *c, unsigned round)
{
    spin(&c->round, round);
    pthread_mutex_lock(&c->lock);
    while (!c->quit && (!c->open || c->round == round)) {
        pthread_cond_wait(&c->opened, &c->lock);
    }
    return c->round;
}

static void *work(void *opaque)
{
    const Worker *worker = opaque;
    NV3Crew *c = worker->crew;
    unsigned round = await_round(c, 0);

    while (!c->quit) {
        c->inside++;
        pthread_mutex_unlock(&c->lock);
        c->fn(c->opaque, worker->number);
        pthread_mutex_lock(&c->lock);
        if (!--c->inside) {
            pthread_cond_signal(&c->left);
        }
        pthread_mutex_unlock(&c->lock);
        round = await_round(c, round);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/*
 * Starts the workers with all signals blocked, so that other threads of the process
 * handle signals.
 */
static void start_workers(NV3Crew *c, unsigned count)
{
    sigset_t all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (c->workers < count) {
        Worker *worker = &c->worker[c->workers];

        *worker = (Worker) { .crew = c, .number = c->workers + 1 };
        if (pthread_create(&worker->thread, NULL, work, worker)) {
            break;
        }
        c->workers++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

NV3Crew *nv3_crew_new(unsigned threads, NV3CrewFn *fn, void *opaque)
{
    const unsigned workers = threads ? threads - 1 : 0;
    NV3Crew *c = calloc(1, sizeof(*c) + workers * sizeof(c->worker[0]));

    if (!c) {
        return NULL;
    }
    c->fn = fn;
    c->opaque = opaque;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->opened, NULL);
    pthread_cond_init(&c->left, NULL);
    start_workers(c, workers);
    return c;
}

void nv3_crew_free(NV3Crew *c)
{
    if (!c) {
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->quit = true;
    pthread_cond_broadcast(&c->opened);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->workers; i++) {
        pthread_join(c->worker[i].thread, NULL);
    }
    pthread_cond_destroy(&c->left);
    pthread_cond_destroy(&c->opened);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

unsigned nv3_crew_threads(const NV3Crew *c)
{
    return c->workers + 1;
}

void nv3_crew_start(NV3Crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->open = true;
    c->round++;
    pthread_cond_broadcast(&c->opened);
    pthread_mutex_unlock(&c->lock);
}

void nv3_crew_finish(NV3Crew *c)
{
    unsigned inside;

    c->fn(c->opaque, 0);
    pthread_mutex_lock(&c->lock);
    c->open = false;
    inside = c->inside;
    pthread_mutex_unlock(&c->lock);
    while (inside) {
        spin(&c->inside, inside);
        pthread_mutex_lock(&c->lock);
        inside = c->inside;
        if (inside) {
            pthread_cond_wait(&c->left, &c->lock);
            inside = c->inside;
        }
        pthread_mutex_unlock(&c->lock);
    }
}

void nv3_crew_run(NV3Crew *c)
{
    nv3_crew_start(c);
    nv3_crew_finish(c);
}
