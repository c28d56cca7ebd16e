/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): the engine's thread, and the lock.
 *
 * The chip draws in nv3_run(), which is called here, in slices, with the lock
 * held. A vCPU that reads a register waits for the end of a slice, so the size
 * of a slice follows the time that the last one took; and as a QemuMutex is not
 * fair, the engine stays away from the lock until all who wait have had it once.
 */

#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/rcu.h"
#include "qemu/timer.h"

#include "nv3_glue.h"
#include "trace.h"

#define NV3_SLICE_NS        100000
#define NV3_BUDGET_START    64
#define NV3_BUDGET_MOST     4096
/*
 * A store may carry out what it starts by itself: methods at a time, and, of a store that
 * is not to a channel's USER aperture, how long. The three threads that otherwise have to
 * wake up one after the other (the engine's, the main loop for the interrupt and the
 * vCPU's) take longer on most hosts.
 */
#define NV3_BUDGET_DIRECT   4
#define NV3_DIRECT_NS       50000

void nv3_lock(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    qatomic_inc(&e->asked);
    qemu_mutex_lock(&s->lock);
    e->had++;
    if (e->polite && e->had == e->until) {
        qemu_cond_signal(&e->wake);
    }
}

void nv3_unlock(NV3DeviceState *s)
{
    qemu_mutex_unlock(&s->lock);
}

void nv3_engine_kick(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    if (!e->work) {
        e->work = true;
        if (!e->direct) {
            qemu_cond_signal(&e->wake);
        }
    }
}

/*
 * Each method that a client stores to its USER aperture is usually little work, and
 * so are most batches that the DMA pusher is started for. Waking the engine for it, and
 * finding the lock taken at the next access, takes many times as long. So while the
 * engine is idle, the vCPU's own thread carries out what it has started, within the
 * bounds above. As it holds the BQL, it also raises the interrupt at once.
 */
bool nv3_engine_claim(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    e->direct = !e->work && !e->paused;
    return e->direct;
}

void nv3_engine_direct(NV3DeviceState *s, bool user)
{
    NV3Engine *e = &s->engine;
    int64_t start = e->work && !user ? get_clock() : 0;

    while (e->work) {
        /* A kick while it runs is not lost. */
        e->work = false;
        if (nv3_run_few(s->core, NV3_BUDGET_DIRECT)) {
            e->work = true;
        }
        if (user || get_clock() - start >= NV3_DIRECT_NS) {
            break;
        }
    }
    e->direct = false;
    if (e->work) {
        qemu_cond_signal(&e->wake);
    }
}

/*
 * For as many as are waiting now. Not for those who come meanwhile: there would be
 * no end of it while a vCPU polls a register until the engine has done something.
 */
static void nv3_engine_let_others(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    e->until = qatomic_read(&e->asked);
    e->polite = true;
    while ((int)(e->until - e->had) > 0) {
        qemu_cond_wait(&e->wake, &s->lock);
    }
    e->polite = false;
}

static void nv3_engine_slice(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;
    int64_t start = get_clock();
    int64_t took;

    /* A kick while it runs is not lost. */
    e->work = false;
    if (nv3_run(s->core, e->budget)) {
        e->work = true;
    }
    took = get_clock() - start;
    trace_nv3_engine_slice(e->budget, took, e->work);

    if (took > NV3_SLICE_NS && e->budget > 1) {
        e->budget /= 2;
    } else if (e->work && took < NV3_SLICE_NS / 4 &&
               e->budget < NV3_BUDGET_MOST) {
        e->budget *= 2;
    }
}

/*
 * A vCPU is about to read whether some work is done. That may have just been written
 * and the thread not woken up yet, so what fits a slice is done here: real drivers
 * (and hwtest) count on a method taking less than a read does, and one who polls
 * gets there without waiting for the host's scheduler.
 */
void nv3_engine_catch_up(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    if (e->work && !e->paused) {
        nv3_engine_slice(s);
    }
}

static void *nv3_engine_thread(void *opaque)
{
    NV3DeviceState *s = opaque;
    NV3Engine *e = &s->engine;

    rcu_register_thread();
    qemu_mutex_lock(&s->lock);
    while (!e->quit) {
        if (e->work && !e->paused) {
            nv3_engine_slice(s);
            nv3_engine_let_others(s);
        } else {
            qemu_cond_wait(&e->wake, &s->lock);
        }
    }
    qemu_mutex_unlock(&s->lock);
    rcu_unregister_thread();
    return NULL;
}

static void nv3_engine_vm_state(void *opaque, bool running, RunState state)
{
    NV3DeviceState *s = opaque;

    trace_nv3_engine_pause(!running);
    nv3_lock(s);
    s->engine.paused = !running;
    qemu_cond_signal(&s->engine.wake);
    nv3_unlock(s);
    /* Not by the bottom half: what is saved next has the line as it is. */
    pci_set_irq(&s->pci, s->irq_level);
}

void nv3_engine_init(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    e->budget = NV3_BUDGET_START;
    e->paused = !runstate_is_running();
    e->vm_state = qdev_add_vm_change_state_handler(DEVICE(s),
                                                   nv3_engine_vm_state, s);
    qemu_cond_init(&e->wake);
    qemu_thread_create(&e->thread, "nv3", nv3_engine_thread, s,
                       QEMU_THREAD_JOINABLE);
}

void nv3_engine_exit(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    qemu_del_vm_change_state_handler(e->vm_state);
    nv3_lock(s);
    e->quit = true;
    qemu_cond_signal(&e->wake);
    nv3_unlock(s);
    qemu_thread_join(&e->thread);
    qemu_cond_destroy(&e->wake);
}
