/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): the functions that the chip core requires from a host (NV3Ops).
 *
 * Locking. The core calls these functions with the device's lock held, except during
 * reads of NV3_READ_LOCKLESS registers. During these reads, the vCPU holds only the BQL,
 * and the engine may be running. In this case, the core calls only clock_ns(), log(),
 * ddc_get() and vga_read().
 *
 * vCPUs and the main loop also hold the BQL, but the engine's thread does not. In the
 * engine's thread, the core calls only clock_ns(), work_ns(), timer_set(), dma_read(),
 * dma_write(), irq_set(), log(), event() and vram_dirty(). The core calls all other
 * functions only during register accesses.
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "exec/memory.h"
#include "hw/pci/pci.h"

#include "nv3_glue.h"
#include "trace.h"

/* ---- clock and timers ---------------------------------------------------- */

static uint64_t nv3_host_clock_ns(void *opaque)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

/*
 * Returns the CPU time of the calling thread. If the host has no clock for CPU time,
 * returns the wall-clock time.
 */
static uint64_t nv3_host_work_ns(void *opaque)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    struct timespec ts;

    if (!clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts)) {
        return ts.tv_sec * NANOSECONDS_PER_SECOND + ts.tv_nsec;
    }
#endif
    return get_clock();
}

static void nv3_host_timer_set(void *opaque, NV3Timer timer, uint64_t ns)
{
    NV3DeviceState *s = opaque;

    trace_nv3_timer(timer, ns);
    if (ns > INT64_MAX) {
        timer_del(&s->timers[timer]);
    } else {
        timer_mod(&s->timers[timer], ns);
    }
}

static void nv3_timer_alarm(void *opaque)
{
    NV3DeviceState *s = opaque;

    nv3_lock(s);
    nv3_timer_expired(s->core, NV3_TIMER_ALARM);
    nv3_unlock(s);
}

static void nv3_timer_vblank(void *opaque)
{
    NV3DeviceState *s = opaque;

    nv3_lock(s);
    nv3_timer_expired(s->core, NV3_TIMER_VBLANK);
    nv3_unlock(s);
}

/* ---- DMA ----------------------------------------------------------------- */

/*
 * DMA can access only memory. An access to a register of another device would run that
 * device's code in the engine's thread, which does not hold the BQL. The engine's thread
 * must not wait for the BQL, because the vCPU that holds the BQL may be waiting for the
 * device's lock.
 *
 * address_space_cache_init() translates an address without an access. It sets the cache's
 * pointer only if the address is in memory. Behind an IOMMU, DMA is refused, because the
 * translation would also run another device's code.
 */
static bool nv3_host_dma(NV3DeviceState *s, uint32_t addr, void *buf,
                         size_t len, bool write)
{
    AddressSpace *as = pci_get_address_space(&s->pci);
    hwaddr at = addr;
    bool ok = len <= (UINT64_C(1) << 32) - addr;

    while (ok && len) {
        MemoryRegionCache cache;
        int64_t part = address_space_cache_init(&cache, as, at, len, write);

        ok = cache.ptr && part > 0;
        if (ok && write) {
            memcpy(cache.ptr, buf, part);
            address_space_cache_invalidate(&cache, 0, part);
        } else if (ok) {
            memcpy(buf, cache.ptr, part);
        }
        address_space_cache_destroy(&cache);
        at += part;
        buf += part;
        len -= part;
    }
    if (!ok) {
        trace_nv3_dma_refused(at, len, write);
    }
    return ok;
}

static bool nv3_host_dma_read(void *opaque, uint32_t addr, void *buf,
                              size_t len)
{
    return nv3_host_dma(opaque, addr, buf, len, false);
}

static bool nv3_host_dma_write(void *opaque, uint32_t addr, const void *buf,
                               size_t len)
{
    return nv3_host_dma(opaque, addr, (void *)buf, len, true);
}

static void nv3_host_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    NV3DeviceState *s = opaque;

    memory_region_set_dirty(&s->vga.vram, offset, len);
}

/* ---- interrupt ----------------------------------------------------------- */

static void nv3_irq_bh(void *opaque)
{
    NV3DeviceState *s = opaque;
    bool level;

    nv3_lock(s);
    level = s->irq_level;
    nv3_unlock(s);
    pci_set_irq(&s->pci, level);
}

static void nv3_host_irq_set(void *opaque, bool level)
{
    NV3DeviceState *s = opaque;

    trace_nv3_irq(level);
    s->irq_level = level;
    if (bql_locked()) {
        pci_set_irq(&s->pci, level);
    } else {
        qemu_bh_schedule(s->irq_bh);
    }
}

/* ---- engine, VGA, DDC, PCI configuration and ROM ------------------------- */

static void nv3_host_kick(void *opaque)
{
    nv3_engine_kick(opaque);
}

static uint8_t nv3_host_vga_read(void *opaque, uint16_t port)
{
    NV3DeviceState *s = opaque;

    return vga_ioport_read(&s->vga, port);
}

static void nv3_host_vga_write(void *opaque, uint16_t port, uint8_t val)
{
    NV3DeviceState *s = opaque;

    vga_ioport_write(&s->vga, port, val);
}

static uint8_t nv3_host_vga_mem_read(void *opaque, uint32_t offset)
{
    NV3DeviceState *s = opaque;

    return vga_mem_readb(&s->vga, offset);
}

static void nv3_host_vga_mem_write(void *opaque, uint32_t offset, uint8_t val)
{
    NV3DeviceState *s = opaque;

    vga_mem_writeb(&s->vga, offset, val);
}

static void nv3_host_vga_mem_own(void *opaque, bool own)
{
    nv3_vga_own_window(opaque, own);
}

static void nv3_host_ddc_set(void *opaque, bool scl, bool sda)
{
    nv3_ddc_set(opaque, scl, sda);
}

static uint8_t nv3_host_ddc_get(void *opaque)
{
    return nv3_ddc_get(opaque);
}

static uint8_t nv3_host_config_read(void *opaque, uint8_t offset)
{
    NV3DeviceState *s = opaque;

    return pci_default_read_config(&s->pci, offset, 1);
}

static void nv3_host_config_write(void *opaque, uint8_t offset, uint8_t val)
{
    NV3DeviceState *s = opaque;

    s->pci.config_write(&s->pci, offset, val, 1);
}

static uint8_t nv3_host_rom_read(void *opaque, uint32_t offset)
{
    NV3DeviceState *s = opaque;
    PCIDevice *pci = &s->pci;

    if (!pci->has_rom || offset >= memory_region_size(&pci->rom)) {
        return 0xff;
    }
    return ((uint8_t *)memory_region_get_ram_ptr(&pci->rom))[offset];
}

/* ---- log ----------------------------------------------------------------- */

static bool nv3_log_wanted(NV3LogLevel level)
{
    switch (level) {
    case NV3_LOG_GUEST_ERROR:
        return qemu_loglevel_mask(LOG_GUEST_ERROR) ||
               trace_event_get_state_backends(TRACE_NV3_GUEST_ERROR);
    case NV3_LOG_UNIMP:
        return qemu_loglevel_mask(LOG_UNIMP) ||
               trace_event_get_state_backends(TRACE_NV3_UNIMP);
    default:
        return trace_event_get_state_backends(TRACE_NV3_CORE);
    }
}

static void G_GNUC_PRINTF(3, 4)
nv3_host_log(void *opaque, NV3LogLevel level, const char *fmt, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    if (!nv3_log_wanted(level)) {
        return;
    }
    va_start(args, fmt);
    text = g_strdup_vprintf(fmt, args);
    va_end(args);

    switch (level) {
    case NV3_LOG_GUEST_ERROR:
        qemu_log_mask(LOG_GUEST_ERROR, "nv3: %s\n", text);
        trace_nv3_guest_error(text);
        break;
    case NV3_LOG_UNIMP:
        qemu_log_mask(LOG_UNIMP, "nv3: %s\n", text);
        trace_nv3_unimp(text);
        break;
    default:
        trace_nv3_core(text);
        break;
    }
}

/* -------------------------------------------------------------------------- */

const NV3Ops nv3_host_ops = {
    .clock_ns = nv3_host_clock_ns,
    .work_ns = nv3_host_work_ns,
    .timer_set = nv3_host_timer_set,
    .dma_read = nv3_host_dma_read,
    .dma_write = nv3_host_dma_write,
    .irq_set = nv3_host_irq_set,
    .kick = nv3_host_kick,
    .vram_dirty = nv3_host_vram_dirty,
    .vga_read = nv3_host_vga_read,
    .vga_write = nv3_host_vga_write,
    .vga_mem_own = nv3_host_vga_mem_own,
    .vga_mem_read = nv3_host_vga_mem_read,
    .vga_mem_write = nv3_host_vga_mem_write,
    .ddc_set = nv3_host_ddc_set,
    .ddc_get = nv3_host_ddc_get,
    .pci_config_read = nv3_host_config_read,
    .pci_config_write = nv3_host_config_write,
    .rom_read = nv3_host_rom_read,
    .event = nv3_host_event,
    .log = nv3_host_log,
};

/* Must be called before nv3_new(), because nv3_new() sets timers. */
void nv3_host_init(NV3DeviceState *s)
{
    qemu_mutex_init(&s->lock);
    s->irq_bh = qemu_bh_new_guarded(nv3_irq_bh, s,
                                    &DEVICE(s)->mem_reentrancy_guard);
    timer_init_ns(&s->timers[NV3_TIMER_ALARM], QEMU_CLOCK_VIRTUAL,
                  nv3_timer_alarm, s);
    timer_init_ns(&s->timers[NV3_TIMER_VBLANK], QEMU_CLOCK_VIRTUAL,
                  nv3_timer_vblank, s);
}

void nv3_host_exit(NV3DeviceState *s)
{
    int i;

    for (i = 0; i < NV3_TIMER_COUNT; i++) {
        timer_del(&s->timers[i]);
    }
    qemu_bh_delete(s->irq_bh);
    qemu_mutex_destroy(&s->lock);
}
