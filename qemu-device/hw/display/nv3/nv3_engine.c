/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): the engine's thread, and the lock.
 *
 * The engine's thread calls nv3_run() with the lock held, one slice of work at a time. A
 * vCPU that reads a register during a slice waits for the end of the slice. To limit this
 * waiting time, the maximum number of methods per slice depends on the duration of the
 * previous slice. A QemuMutex is not fair. The engine therefore waits after each slice
 * until every thread that was already waiting for the lock has held it once.
 */

#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/rcu.h"
#include "qemu/timer.h"

#include "nv3_glue.h"
#include "trace.h"

#define NV3_SLICE_NS        100000
#define NV3_BUDGET_START    64
#define NV3_BUDGET_MAX      4096
/*
 * A vCPU whose store starts work executes this work itself, up to these limits: the
 * maximum number of methods per slice, and the time in nanoseconds after which the vCPU
 * starts no other slice. After a store to a USER aperture, the vCPU executes a single
 * slice. Without this direct execution, three threads would have to wake up one after
 * another: the engine's thread, the main loop for the interrupt, and the vCPU's thread.
 * Tuned with submit.latency and pio.work of `make bench`.
 */
#define NV3_BUDGET_DIRECT   4
#define NV3_DIRECT_NS       50000

void nv3_lock(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    qatomic_inc(&e->next_ticket);
    qemu_mutex_lock(&s->lock);
    e->served++;
    if (e->yielding && e->served == e->target) {
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
 * Most stores start little work. If the engine's thread executed this work, waking it and
 * waiting for the lock at the next access would take much longer than the work. If the
 * engine is idle, the vCPU's thread therefore executes the work that its store starts,
 * within the limits above. The vCPU holds the BQL, so it can also raise the interrupt
 * immediately. Returns true if the engine is idle.
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

    nv3_trace_update(s);
    while (e->work) {
        /*
         * Clear e->work before the slice, because nv3_engine_kick() may set it during the
         * slice.
         */
        e->work = false;
        if (nv3_run_untimed(s->core, NV3_BUDGET_DIRECT)) {
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
 * Waits until the threads that are already waiting for the lock have held it. Does not
 * wait for threads that arrive later: otherwise, a vCPU that polls a register for the
 * engine's progress would keep the engine from running.
 */
static void nv3_engine_yield_to_waiters(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;

    e->target = qatomic_read(&e->next_ticket);
    e->yielding = true;
    while ((int)(e->target - e->served) > 0) {
        qemu_cond_wait(&e->wake, &s->lock);
    }
    e->yielding = false;
}

static void nv3_engine_slice(NV3DeviceState *s)
{
    NV3Engine *e = &s->engine;
    int64_t start = get_clock();
    int64_t took;

    /*
     * Clear e->work before the slice, because nv3_engine_kick() may set it during the
     * slice.
     */
    e->work = false;
    nv3_trace_update(s);
    if (nv3_run(s->core, e->budget)) {
        e->work = true;
    }
    took = get_clock() - start;
    trace_nv3_engine_slice(e->budget, took, e->work);

    if (took > NV3_SLICE_NS && e->budget > 1) {
        e->budget /= 2;
    } else if (e->work && took < NV3_SLICE_NS / 4 &&
               e->budget < NV3_BUDGET_MAX) {
        e->budget *= 2;
    }
}

/*
 * Executes one slice of work before a vCPU reads a register that shows the engine's
 * progress, because the engine's thread may not have woken up yet. Real drivers and
 * hwtest expect that a method takes less time than a read of a register. A driver that
 * polls a register also continues sooner, because the work does not wait until the host
 * schedules the engine's thread.
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
            nv3_engine_yield_to_waiters(s);
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
    if (!running) {
        /* Complete deferred drawing, because VRAM may be saved next. */
        nv3_finish_drawing(s->core);
    }
    qemu_cond_signal(&s->engine.wake);
    nv3_unlock(s);
    /*
     * The PCI state, which may be saved next, includes the level of the interrupt line.
     * Update the line now, because the bottom half may run too late.
     */
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
    nv3_trace_update(s);
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
