/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

#include <inttypes.h>
#include <stdio.h>

#include "chip/le.h"

static uint64_t host_clock_ns(void *opaque)
{
    return ((Host *)opaque)->now;
}

static void host_timer_set(void *opaque, NV3Timer timer, uint64_t ns)
{
    Host *h = opaque;

    assert_in_range(timer, 0, NV3_TIMER_COUNT - 1);
    h->timer[timer] = ns;
}

/*
 * Returns a pointer to the @len bytes at bus address @addr. Returns NULL unless the whole
 * range is in system memory and below @h->dma_limit.
 */
static uint8_t *host_bus(Host *h, uint32_t addr, size_t len)
{
    uint64_t offset = (uint64_t)addr - HOST_MEM_BASE;

    if (addr < HOST_MEM_BASE || offset + len > HOST_MEM_SIZE ||
        (uint64_t)addr + len > h->dma_limit) {
        return NULL;
    }
    return h->mem + offset;
}

static bool host_dma_read(void *opaque, uint32_t addr, void *buf, size_t len)
{
    Host *h = opaque;
    const uint8_t *src = host_bus(h, addr, len);

    h->dma_reads++;
    if (!src) {
        return false;
    }
    h->dma_bytes += len;
    memcpy(buf, src, len);
    return true;
}

static bool host_dma_write(void *opaque, uint32_t addr, const void *buf,
                           size_t len)
{
    Host *h = opaque;
    uint8_t *dst = host_bus(h, addr, len);

    h->dma_writes++;
    if (!dst) {
        return false;
    }
    h->dma_bytes += len;
    memcpy(dst, buf, len);
    return true;
}

static void host_irq_set(void *opaque, bool level)
{
    Host *h = opaque;

    /* According to nv3.h, the core must call this function only if the level changes. */
    assert_int_not_equal(h->irq, level);
    h->irq = level;
    h->irq_changes++;
}

static void host_kick(void *opaque)
{
    ((Host *)opaque)->kicks++;
}

static void host_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    Host *h = opaque;

    assert_true((uint64_t)offset + len <= h->config.vram_size);
    h->dirty_calls++;
    if (offset < h->dirty_start) {
        h->dirty_start = offset;
    }
    if (offset + len > h->dirty_end) {
        h->dirty_end = offset + len;
    }
}

static uint8_t host_vga_read(void *opaque, uint16_t port)
{
    assert_in_range(port, 0x3b0, 0x3df);
    return ((Host *)opaque)->vga_port[port - 0x3b0];
}

static void host_vga_write(void *opaque, uint16_t port, uint8_t val)
{
    Host *h = opaque;

    assert_in_range(port, 0x3b0, 0x3df);
    h->vga_port[port - 0x3b0] = val;
    h->vga_writes++;
}

static uint8_t host_vga_mem_read(void *opaque, uint32_t offset)
{
    assert_true(offset < sizeof(((Host *)opaque)->vga_mem));
    return ((Host *)opaque)->vga_mem[offset];
}

static void host_vga_mem_write(void *opaque, uint32_t offset, uint8_t val)
{
    assert_true(offset < sizeof(((Host *)opaque)->vga_mem));
    ((Host *)opaque)->vga_mem[offset] = val;
}

static void host_vga_mem_own(void *opaque, bool own)
{
    ((Host *)opaque)->chip_window = own;
}

static void host_ddc_set(void *opaque, bool scl, bool sda)
{
    Host *h = opaque;

    h->scl = scl;
    h->sda = sda;
}

static uint8_t host_ddc_get(void *opaque)
{
    Host *h = opaque;

    return (h->scl && !h->ddc_pull_scl) | (h->sda && !h->ddc_pull_sda) << 1;
}

static uint8_t host_pci_config_read(void *opaque, uint8_t offset)
{
    return ((Host *)opaque)->pci_config[offset];
}

static void host_pci_config_write(void *opaque, uint8_t offset, uint8_t val)
{
    ((Host *)opaque)->pci_config[offset] = val;
}

static uint8_t host_rom_read(void *opaque, uint32_t offset)
{
    assert_true(offset < 0x10000);
    return ((Host *)opaque)->rom[offset];
}

__attribute__((format(printf, 3, 4)))
static void host_log(void *opaque, NV3LogLevel level, const char *fmt, ...)
{
    Host *h = opaque;
    va_list args;

    assert_in_range(level, 0, HOST_LOG_LEVELS - 1);
    h->logs[level]++;
    va_start(args, fmt);
    vsnprintf(h->log[level], HOST_LOG_LINE, fmt, args);
    va_end(args);
}

const NV3Ops host_ops = {
    .clock_ns = host_clock_ns,
    .timer_set = host_timer_set,
    .dma_read = host_dma_read,
    .dma_write = host_dma_write,
    .irq_set = host_irq_set,
    .kick = host_kick,
    .vram_dirty = host_vram_dirty,
    .vga_read = host_vga_read,
    .vga_write = host_vga_write,
    .vga_mem_own = host_vga_mem_own,
    .vga_mem_read = host_vga_mem_read,
    .vga_mem_write = host_vga_mem_write,
    .ddc_set = host_ddc_set,
    .ddc_get = host_ddc_get,
    .pci_config_read = host_pci_config_read,
    .pci_config_write = host_pci_config_write,
    .rom_read = host_rom_read,
    .log = host_log,
};

Host *host_new_config(const NV3Config *config)
{
    Host *h = test_calloc(1, sizeof(*h));
    const char *error = NULL;

    h->config = *config;
    h->vram = test_calloc(1, config->vram_size);
    h->mem = test_calloc(1, HOST_MEM_SIZE);
    h->dma_limit = UINT32_MAX;
    for (unsigned i = 0; i < NV3_TIMER_COUNT; i++) {
        h->timer[i] = UINT64_MAX;
    }
    host_forget(h);
    h->chip = nv3_new(config, &host_ops, h, h->vram, &error);
    if (!h->chip) {
        fail_msg("nv3_new: %s", error ? error : "no reason given");
    }
    return h;
}

Host *host_new(void)
{
    static const NV3Config config = {
        .revision = NV3_REVISION_C,
        .vram_size = 8 << 20,
        .virt = true,
        .save_prefetch = true,
    };

    return host_new_config(&config);
}

void host_free(Host *h)
{
    nv3_free(h->chip);
    test_free(h->mem);
    test_free(h->vram);
    test_free(h);
}

int host_setup(void **state)
{
    *state = host_new();
    return 0;
}

int host_teardown(void **state)
{
    host_free(*state);
    return 0;
}

uint8_t *host_mem_ptr(Host *h, uint32_t addr, size_t len)
{
    if (addr < HOST_MEM_BASE || addr - HOST_MEM_BASE + len > HOST_MEM_SIZE) {
        fail_msg("no memory at 0x%08" PRIx32, addr);
    }
    return h->mem + (addr - HOST_MEM_BASE);
}

uint32_t host_mem_rd32(Host *h, uint32_t addr)
{
    return nv3_ldl(host_mem_ptr(h, addr, 4));
}

void host_mem_wr32(Host *h, uint32_t addr, uint32_t val)
{
    nv3_stl(host_mem_ptr(h, addr, 4), val);
}

unsigned host_run_max(Host *h, unsigned max)
{
    unsigned calls = 1;

    while (nv3_run(h->chip, 64)) {
        if (++calls > max) {
            fail_msg("nv3_run() still has work after %u calls", max);
        }
    }
    return calls;
}

unsigned host_run(Host *h)
{
    return host_run_max(h, 1000000);
}

void host_advance(Host *h, uint64_t ns)
{
    uint64_t end = h->now + ns;

    for (;;) {
        unsigned first = 0;

        for (unsigned i = 1; i < NV3_TIMER_COUNT; i++) {
            if (h->timer[i] < h->timer[first]) {
                first = i;
            }
        }
        if (h->timer[first] > end) {
            break;
        }
        if (h->timer[first] > h->now) {
            h->now = h->timer[first];
        }
        h->timer[first] = UINT64_MAX;
        nv3_timer_expired(h->chip, first);
    }
    h->now = end;
}

void host_forget(Host *h)
{
    h->irq_changes = 0;
    h->kicks = 0;
    h->dma_reads = 0;
    h->dma_writes = 0;
    h->dma_bytes = 0;
    h->dirty_calls = 0;
    h->dirty_start = UINT32_MAX;
    h->dirty_end = 0;
    h->vga_writes = 0;
    memset(h->logs, 0, sizeof(h->logs));
    memset(h->log, 0, sizeof(h->log));
}

void host_fifo_setup(Host *h)
{
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    host_wr32(h, NV3_PFIFO_RAMHT,
              HOST_RAMHT | 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    host_wr32(h, NV3_PFIFO_RAMRO, HOST_RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
    host_wr32(h, NV3_PFIFO_RAMFC, HOST_RAMFC);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    host_wr32(h, NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_CHID, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
    host_wr32(h, NV3_PFIFO_CACHES, NV3_PFIFO_CACHES_REASSIGN);
}

void host_object(Host *h, unsigned chid, uint32_t name, uint32_t ctx)
{
    uint32_t ramht = host_rd32(h, NV3_PFIFO_RAMHT);
    uint32_t size = 0x1000 << (ramht >> NV3_PFIFO_RAMHT_SIZE_SHIFT & 3);
    uint32_t depth = size / NV3_RAMHT_BUCKETS / NV3_RAMHT_ENTRY_SIZE;
    uint32_t bucket = (ramht & NV3_PFIFO_RAMHT_ADDRESS) +
                      NV3_RAMHT_HASH(name, chid) * (size / NV3_RAMHT_BUCKETS);

    for (uint32_t i = 0; i < depth; i++) {
        uint32_t entry = bucket + i * NV3_RAMHT_ENTRY_SIZE;

        if (host_ramin_rd32(h, entry + 4) == 0) {
            host_ramin_wr32(h, entry, name);
            host_ramin_wr32(h, entry + 4, ctx | NV3_CTX_VALID |
                            (uint32_t)chid << NV3_CTX_CHID_SHIFT);
            return;
        }
    }
    fail_msg("RAMHT: no room for object 0x%08" PRIx32, name);
}

void host_grobj(Host *h, unsigned chid, uint32_t name, unsigned class_id,
                uint32_t inst, uint32_t options, uint32_t dma)
{
    host_ramin_wr32(h, inst + NV3_GROBJ_OPTIONS, options);
    host_ramin_wr32(h, inst + NV3_GROBJ_DMA, dma);
    host_ramin_wr32(h, inst + 8, 0);
    host_ramin_wr32(h, inst + 12, 0);
    host_object(h, chid, name, NV3_CTX_HARDWARE | NV3_CTX_CLASS_GRAPH |
                class_id << NV3_CTX_CLASS_SHIFT | inst >> 4);
}

void host_dmaobj(Host *h, uint32_t inst, uint32_t target, uint32_t base,
                 uint32_t len, bool writable)
{
    host_ramin_wr32(h, inst + NV3_DMAOBJ_FLAGS,
                    NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT);
    host_ramin_wr32(h, inst + NV3_DMAOBJ_LIMIT, len - 1);
    for (uint32_t page = 0; page < (len + 4095) / 4096; page++) {
        host_ramin_wr32(h, inst + NV3_DMAOBJ_PTE(page),
                        ((base + page * 4096) & NV3_DMAOBJ_PTE_FRAME) |
                        NV3_DMAOBJ_PTE_PRESENT |
                        (writable ? NV3_DMAOBJ_PTE_WRITE : 0));
    }
}

void host_method(Host *h, unsigned chid, unsigned subch, uint32_t mthd,
                 uint32_t data)
{
    host_wr32(h, NV3_USER_ADDR(chid, subch, mthd), data);
}

void host_push_init(Host *h, HostPush *push, uint32_t pt_inst)
{
    push->host = h;
    push->words = 0;
    for (uint32_t page = 0; page < HOST_MEM_SIZE / 4096; page++) {
        host_ramin_wr32(h, pt_inst + page * 4, (HOST_MEM_BASE + page * 4096) |
                        NV3_DMAOBJ_PTE_PRESENT);
    }
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_PT_INST, pt_inst);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
}

void host_push_word(HostPush *push, uint32_t word)
{
    host_mem_wr32(push->host, HOST_MEM_BASE + push->words++ * 4, word);
}

void host_push(HostPush *push, unsigned subch, uint32_t mthd, unsigned count,
               const uint32_t *data)
{
    host_push_word(push, NV3_PUSH_HDR(subch, mthd, count));
    for (unsigned i = 0; i < count; i++) {
        host_push_word(push, data[i]);
    }
}

void host_push1(HostPush *push, unsigned subch, uint32_t mthd, uint32_t data)
{
    host_push(push, subch, mthd, 1, &data);
}

void host_push_start(HostPush *push, unsigned chid)
{
    Host *h = push->host;

    host_wr32(h, NV3_PFIFO_CACHES, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_CHID, chid | NV3_PFIFO_CACHE1_CHID_DMA);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_STATE, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_GET, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, push->words * 4);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_TLB_TAG, 0xffffffff);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
}
