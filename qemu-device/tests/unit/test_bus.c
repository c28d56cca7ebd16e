/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests PMC, PBUS, RAMIN, PVIRT and the creation of the chip. */
#include "host.h"

#include <stdio.h>

#include "fake_pgraph.h"
#include "core.h"

static int setup(void **state)
{
    fake_pgraph_init();
    return host_setup(state);
}

static Host *host_of(NV3Revision revision, uint32_t vram_size)
{
    const NV3Config config = { .revision = revision, .vram_size = vram_size };

    return host_new_config(&config);
}

static void test_config_refused(void **state)
{
    static const NV3Config bad[] = {
        { .revision = NV3_REVISION_C, .vram_size = 0 },
        { .revision = NV3_REVISION_C, .vram_size = 1 << 20 },
        { .revision = NV3_REVISION_C, .vram_size = 3 << 20 },
        { .revision = NV3_REVISION_C, .vram_size = 16 << 20 },
        { .revision = NV3_REVISION_C, .vram_size = 16 << 20, .virt = true },
        { .revision = NV3_REVISION_C, .vram_size = 128 << 20, .virt = true,
          .programs = true },
        { .revision = NV3_REVISION_C, .vram_size = (64 << 20) + 1, .virt = true,
          .programs = true },
        { .revision = NV3_REVISION_B, .vram_size = 64 << 20, .virt = true,
          .programs = true },
        { .revision = NV3_REVISION_C, .vram_size = 0x80000000u },
        { .revision = NV3_REVISION_A, .vram_size = 8 << 20 },
        { .revision = NV3_REVISION_B, .vram_size = 8 << 20 },
        { .revision = NV3_REVISION_B, .vram_size = 4 << 20, .acpi = true },
        { .revision = (NV3Revision)3, .vram_size = 4 << 20 },
        { .revision = NV3_REVISION_C, .vram_size = 8 << 20,
          .without_classes = FAKE_PGRAPH_CLASSES << 1 },
    };
    uint8_t vram;

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *error = NULL;

        assert_null(nv3_new(&bad[i], &host_ops, NULL, &vram, &error));
        assert_non_null(error);
        /* The error message is optional. */
        assert_null(nv3_new(&bad[i], &host_ops, NULL, &vram, NULL));
    }
    nv3_free(NULL);
}

/* Tests a chip whose host implements no operations. */
static void test_no_callbacks(void **state)
{
    const NV3Config config = { .revision = NV3_REVISION_A,
                               .vram_size = 2 << 20, .virt = true };
    const NV3Ops none = { 0 };
    uint8_t *vram = test_calloc(1, config.vram_size);
    NV3State *s = nv3_new(&config, &none, NULL, vram, NULL);
    uint32_t word;

    assert_non_null(s);
    for (uint32_t addr = 0; addr < NV3_BAR0_SIZE; addr += 0x404) {
        nv3_mmio_write(s, addr, 0xffffffff, 4);
        nv3_mmio_read(s, addr, 4);
    }
    assert_int_equal(nv3_mmio_read(s, NV3_PBUS_PCI, 4), 0xffffffff);
    assert_int_equal(nv3_mmio_read(s, NV3_PROM, 1), 0xff);
    assert_false(nv3_dma_read(s, 0, &word, 4));
    assert_false(nv3_dma_write(s, 0, &word, 4));
    nv3_run(s, 1000);
    nv3_free(s);
    test_free(vram);
}

static void test_boot_0(void **state)
{
    static const struct {
        NV3Revision revision;
        uint32_t vram_size, boot_0, pfb;
    } chips[] = {
        { NV3_REVISION_A, 2 << 20, 0x00030100, 0x01 },
        { NV3_REVISION_B, 4 << 20, 0x00030110, 0x06 },
        { NV3_REVISION_C, 4 << 20, 0x00030120, 0x06 },
        { NV3_REVISION_C, 8 << 20, 0x00030120, 0x2c },
        { NV3_REVISION_C, 64 << 20, 0x00030120, 0x2c },
    };

    for (unsigned i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
        const bool large = chips[i].vram_size > 8 << 20;
        const NV3Config config = {
            .revision = chips[i].revision, .vram_size = chips[i].vram_size,
            .virt = large, .programs = large,
        };
        Host *h = host_new_config(&config);

        assert_int_equal(host_rd32(h, NV3_PMC_BOOT_0), chips[i].boot_0);
        assert_int_equal(host_rd32(h, NV3_PFB_BOOT_0), chips[i].pfb);
        if (large) {
            assert_int_equal(host_rd32(h, NV3_PVIRT_VRAM_SIZE), chips[i].vram_size);
        }
        host_wr32(h, NV3_PMC_BOOT_0, 0);
        host_wr32(h, NV3_PFB_BOOT_0, 0xffffffff);
        assert_int_equal(h->logs[NV3_LOG_GUEST_ERROR], 2);
        assert_int_equal(host_rd32(h, NV3_PMC_BOOT_0), chips[i].boot_0);
        assert_int_equal(host_rd32(h, NV3_PFB_BOOT_0), chips[i].pfb);
        host_free(h);
    }
}

static void test_software_interrupt(void **state)
{
    Host *h = *state;

    /* A write of PMC_INTR can change only bit 31. */
    host_wr32(h, NV3_PMC_INTR, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), 0x80000000);
    assert_false(h->irq);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    assert_false(h->irq);
    host_wr32(h, NV3_PMC_INTR_EN, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR_EN), 3);
    assert_true(h->irq);
    host_wr32(h, NV3_PMC_INTR, 0x7fffffff);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), 0);
    assert_false(h->irq);
}

static void test_interrupt_lines(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    fake_pgraph.irq = true;
    nv3_update_irq(h->chip);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), NV3_PMC_INTR_PGRAPH);
    assert_true(h->irq);
    fake_pgraph.pdma_irq = true;
    assert_int_equal(host_rd32(h, NV3_PMC_INTR),
                     NV3_PMC_INTR_PGRAPH | NV3_PMC_INTR_PDMA);
    fake_pgraph.irq = false;
    nv3_update_irq(h->chip);
    assert_true(h->irq);
    /* Masking the interrupt in PMC lowers the line, but the interrupt remains pending. */
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_SOFTWARE);
    assert_false(h->irq);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    assert_true(h->irq);
    fake_pgraph.pdma_irq = false;
    nv3_update_irq(h->chip);
    assert_false(h->irq);
    assert_int_equal(h->irq_changes, 4);

    h->chip->pgraph.intr = h->chip->pgraph.intr_en = NV3_PGRAPH_INTR_VBLANK;
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), NV3_PMC_INTR_PFB);
}

static void test_reset_drops_irq(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_SOFTWARE);
    host_wr32(h, NV3_PMC_INTR, NV3_PMC_INTR_SOFTWARE);
    assert_true(h->irq);
    nv3_reset(h->chip);
    assert_false(h->irq);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR_EN), 0);
}

static void test_reset_keeps_vram(void **state)
{
    Host *h = *state;

    h->vram[0x1234] = 0x56;
    nv3_reset(h->chip);
    assert_int_equal(h->vram[0x1234], 0x56);
}

static void test_enable(void **state)
{
    Host *h = *state;
    unsigned resets = fake_pgraph.resets;

    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PMC_ENABLE), 0x11111111);
    host_wr32(h, 0x400080, 0x12345678);
    assert_int_equal(host_rd32(h, 0x400080), 0x12345678);
    assert_int_equal(fake_pgraph.resets, resets);

    /*
     * Disabling an engine resets it. The engine's registers are not accessible until the
     * engine is enabled again.
     */
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff & ~NV3_PMC_ENABLE_PGRAPH);
    assert_int_equal(fake_pgraph.resets, resets + 1);
    host_forget(h);
    host_wr32(h, 0x400080, 0x12345678);
    assert_int_equal(host_rd32(h, 0x400080), 0);
    assert_int_equal(h->logs[NV3_LOG_GUEST_ERROR], 2);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    assert_int_equal(host_rd32(h, 0x400080), 0);

    host_wr32(h, NV3_PTIMER_ALARM_0, 0xffffffff);
    host_wr32(h, NV3_PMC_ENABLE, 0);
    assert_int_equal(host_rd32(h, NV3_PTIMER_ALARM_0), 0);
    host_wr32(h, NV3_PMC_ENABLE, NV3_PMC_ENABLE_PTIMER);
    assert_int_equal(host_rd32(h, NV3_PTIMER_ALARM_0), 0);
}

static void test_parts_of_words(void **state)
{
    Host *h = *state;

    assert_int_equal(nv3_mmio_read(h->chip, 1, 1), 0x01);
    assert_int_equal(nv3_mmio_read(h->chip, 2, 1), 0x03);
    assert_int_equal(nv3_mmio_read(h->chip, 2, 2), 0x0003);
    assert_int_equal(nv3_mmio_read(h->chip, 0, 2), 0x0120);

    host_wr32(h, NV3_PFB_CONFIG_1, 0x11223344);
    nv3_mmio_write(h->chip, NV3_PFB_CONFIG_1 + 1, 0xabcdefaa, 1);
    assert_int_equal(host_rd32(h, NV3_PFB_CONFIG_1), 0x1122aa44);
    nv3_mmio_write(h->chip, NV3_PFB_CONFIG_1 + 2, 0xffff9988, 2);
    assert_int_equal(host_rd32(h, NV3_PFB_CONFIG_1), 0x9988aa44);
}

/*
 * A write to some bytes of PFIFO_INTR acknowledges only the interrupts whose bits are in
 * these bytes.
 */
static void test_part_of_intr(void **state)
{
    Host *h = *state;

    host_fifo_setup(h);
    nv3_pfifo_raise(h->chip, NV3_PFIFO_INTR_ALL);
    host_wr8(h, NV3_PFIFO_INTR + 1, 0xff);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0x00010011);
    nv3_mmio_write(h->chip, NV3_PFIFO_INTR + 2, 0x0001, 2);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0x00000011);
}

/*
 * Tests partial writes of a register of CACHE0, and of interrupt registers of PVIRT and
 * PMC.
 */
static void test_part_of_others(void **state)
{
    Host *h = *state;

    host_fifo_setup(h);
    host_wr32(h, NV3_PFIFO_CACHE0_ADDR, 0x1234);
    host_wr8(h, NV3_PFIFO_CACHE0_ADDR, 0x58);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE0_ADDR), 0x1258);
    h->chip->pvirt.intr = 1;
    host_wr8(h, NV3_PVIRT_INTR + 1, 0xff);
    assert_int_equal(host_rd32(h, NV3_PVIRT_INTR), 1);
    host_wr8(h, NV3_PVIRT_INTR, 1);
    assert_int_equal(host_rd32(h, NV3_PVIRT_INTR), 0);
    host_wr32(h, NV3_PMC_INTR, NV3_PMC_INTR_SOFTWARE);
    host_wr8(h, NV3_PMC_INTR, 0xff);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), NV3_PMC_INTR_SOFTWARE);
}

static void test_unknown_is_logged(void **state)
{
    static const uint32_t unknown[] = {
        0x000004, 0x000ffc, 0x001000, 0x002004, 0x003ffc, 0x004000, 0x005000,
        0x006204, 0x007000, 0x008000, 0x009000, 0x00f000, 0x100048, 0x101004,
        0x130000, 0x201000, 0x402000, 0x410000, 0x7ffffc,
    };
    Host *h = *state;

    for (unsigned i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        char addr[16];

        host_forget(h);
        assert_int_equal(host_rd32(h, unknown[i]), 0);
        assert_int_equal(h->logs[NV3_LOG_UNIMP], 1);
        host_wr32(h, unknown[i], 0xcafe1234);
        assert_int_equal(h->logs[NV3_LOG_UNIMP], 2);
        snprintf(addr, sizeof(addr), "0x%06x", unknown[i]);
        assert_non_null(strstr(h->log[NV3_LOG_UNIMP], addr));
        assert_non_null(strstr(h->log[NV3_LOG_UNIMP], "0xcafe1234"));
        assert_int_equal(host_rd32(h, unknown[i]), 0);
    }
}

static void test_pci_mirror(void **state)
{
    Host *h = *state;

    for (unsigned i = 0; i < 256; i++) {
        h->pci_config[i] = i ^ 0xa5;
    }
    assert_int_equal(host_rd32(h, NV3_PBUS_PCI), 0xa6a7a4a5);
    assert_int_equal(nv3_mmio_read(h->chip, NV3_PBUS_PCI + 0xff, 1),
                     0xff ^ 0xa5);
    assert_int_equal(nv3_mmio_read(h->chip, NV3_PBUS_PCI + 2, 2), 0xa6a7);
    host_wr32(h, NV3_PBUS_PCI + 0x3c, 0x11223344);
    assert_int_equal(h->pci_config[0x3c], 0x44);
    assert_int_equal(h->pci_config[0x3f], 0x11);
    assert_int_equal(h->pci_config[0x40], 0x40 ^ 0xa5);
    /* The mirror of the PCI configuration space has 256 bytes. */
    host_forget(h);
    host_rd32(h, NV3_PBUS_PCI + 0x100);
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 1);
}

static void test_pbus_registers(void **state)
{
    Host *h = *state;

    assert_int_equal(host_rd32(h, NV3_PBUS_DEBUG_0), 0x3000);
    assert_int_equal(host_rd32(h, NV3_PBUS_DEBUG_1), 0x1ce9);
    for (unsigned i = 0; i < 4; i++) {
        host_wr32(h, NV3_PBUS_DEBUG_0 + i * 4, 0xffffffff);
    }
    assert_int_equal(host_rd32(h, NV3_PBUS_DEBUG_0), 0xff11);
    assert_int_equal(host_rd32(h, NV3_PBUS_DEBUG_1), 0x1ffff);
    assert_int_equal(host_rd32(h, NV3_PBUS_DEBUG_3), 0xffffffff);
    host_wr32(h, NV3_PBUS_INTR_EN, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PBUS_INTR_EN), 1);
    assert_int_equal(host_rd32(h, NV3_PBUS_INTR), 0);
}

static void test_straps(void **state)
{
    const NV3Config acpi = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .acpi = true,
    };
    Host *h = *state;
    Host *b = host_of(NV3_REVISION_B, 2 << 20);
    Host *with_acpi = host_new_config(&acpi);
    uint32_t straps = host_rd32(h, NV3_PEXTDEV_BOOT_0);

    assert_int_equal(straps & NV3_STRAPS_OVERRIDE, 0);
    assert_int_equal(straps & NV3_STRAPS_PM_CAP, 0);
    assert_true(straps & NV3_STRAPS_RAM_WIDTH_128);
    host_wr32(h, NV3_PEXTDEV_BOOT_0, 0x7fffffff);
    assert_int_equal(host_rd32(h, NV3_PEXTDEV_BOOT_0), straps);
    host_wr32(h, NV3_PEXTDEV_BOOT_0, 0x80000041);
    assert_int_equal(host_rd32(h, NV3_PEXTDEV_BOOT_0), 0x80000041);
    host_wr32(h, NV3_PEXTDEV_BOOT_0, 0);
    assert_int_equal(host_rd32(h, NV3_PEXTDEV_BOOT_0), straps);

    straps = host_rd32(b, NV3_PEXTDEV_BOOT_0);
    assert_false(straps & NV3_STRAPS_RAM_WIDTH_128);
    host_wr32(b, NV3_PEXTDEV_BOOT_0, 0x80000041);
    assert_int_equal(host_rd32(b, NV3_PEXTDEV_BOOT_0), straps);
    assert_int_equal(b->logs[NV3_LOG_GUEST_ERROR], 1);
    host_free(b);

    straps = host_rd32(with_acpi, NV3_PEXTDEV_BOOT_0);
    assert_true(straps & NV3_STRAPS_PM_CAP);
    host_free(with_acpi);
}

static void test_ramin(void **state)
{
    static const uint32_t sizes[] = { 2 << 20, 4 << 20, 8 << 20 };

    for (unsigned i = 0; i < 3; i++) {
        Host *h = host_of(NV3_REVISION_C, sizes[i]);
        uint32_t end = sizes[i];

        /* The first 16 bytes of RAMIN are the last 16 bytes of VRAM. */
        host_ramin_wr32(h, 0, 0x04030201);
        host_ramin_wr32(h, 12, 0x14131211);
        assert_int_equal(h->vram[end - 16], 0x01);
        assert_int_equal(h->vram[end - 13], 0x04);
        assert_int_equal(h->vram[end - 1], 0x14);
        assert_int_equal(h->dirty_end, end);
        assert_int_equal(h->dirty_start, end - 16);
        /* The last 16 bytes of RAMIN start 1 MiB below the end of VRAM. */
        nv3_ramin_write(h->chip, 0xfffff, 0xab, 1);
        assert_int_equal(h->vram[end - 0x100000 + 15], 0xab);
        assert_int_equal(nv3_ramin_read(h->chip, 0xffffe, 2), 0xab00);
        assert_int_equal(nv3_ramin_read(h->chip, 0xfffff, 1), 0xab);
        /* Addresses wrap around. */
        assert_int_equal(nv3_ramin_rd32(h->chip, 0x100000), 0x04030201);
        assert_int_equal(nv3_ramin_rd32(h->chip, 0xfffffff0), 0);
        nv3_ramin_wr32(h->chip, 0xfff00003, 0x55);
        assert_int_equal(host_ramin_rd32(h, 0), 0x55);
        host_free(h);
    }
}

static void test_prom(void **state)
{
    Host *h = *state;

    h->rom[0] = 0x55;
    h->rom[1] = 0xaa;
    h->rom[0xffff] = 0x77;
    assert_int_equal(nv3_mmio_read(h->chip, NV3_PROM, 2), 0xaa55);
    assert_int_equal(host_rd8(h, NV3_PROM + 0xffff), 0x77);
    host_forget(h);
    host_wr32(h, NV3_PROM, 0);
    assert_int_equal(h->logs[NV3_LOG_GUEST_ERROR], 4);
    assert_int_equal(host_rd8(h, NV3_PROM), 0x55);
}

static void test_prmfb(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PRMFB + 0xfffc, 0x44332211);
    assert_int_equal(h->vga_mem[0xfffc], 0x11);
    assert_int_equal(h->vga_mem[0xffff], 0x44);
    assert_int_equal(nv3_mmio_read(h->chip, NV3_PRMFB + 0xfffe, 2), 0x4433);
}

static void test_pvirt(void **state)
{
    Host *h = *state;

    assert_int_equal(host_rd32(h, NV3_PVIRT_MAGIC), 0x5633564e);
    assert_int_equal(host_rd32(h, NV3_PVIRT_VERSION), 1);
    assert_int_equal(host_rd32(h, NV3_PVIRT_FEATURES), 0xf);
    h->chip->counters[NV3_PVIRT_COUNTER_PIXELS] = 0x1ffffffffu;
    assert_int_equal(host_rd32(h, NV3_PVIRT_COUNTER(1)), 0xffffffff);
    /* A read of the low word latches the high word. */
    h->chip->counters[NV3_PVIRT_COUNTER_PIXELS]++;
    assert_int_equal(host_rd32(h, NV3_PVIRT_COUNTER(1) + 4), 1);
    assert_int_equal(host_rd32(h, NV3_PVIRT_COUNTER(1)), 0);
    assert_int_equal(host_rd32(h, NV3_PVIRT_COUNTER(1) + 4), 2);
    host_forget(h);
    host_rd32(h, NV3_PVIRT_COUNTER(NV3_PVIRT_COUNTER_COUNT));
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 1);
    for (uint32_t addr = NV3_PVIRT; addr < NV3_PVIRT_END; addr += 4) {
        host_wr32(h, addr, 0xffffffff);
    }
    assert_int_equal(host_rd32(h, NV3_PVIRT_MAGIC), 0x5633564e);
}

static void test_pvirt_monitor(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    nv3_monitor_changed(h->chip);
    /* The interrupt is not enabled. */
    assert_false(h->irq);
    assert_int_equal(host_rd32(h, NV3_PVIRT_INTR), NV3_PVIRT_INTR_MONITOR);

    host_wr32(h, NV3_PVIRT_INTR_EN, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PVIRT_INTR_EN), NV3_PVIRT_INTR_MONITOR);
    assert_true(h->irq);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), NV3_PMC_INTR_PVIRT);

    host_wr32(h, NV3_PVIRT_INTR, 0);
    assert_true(h->irq);
    host_wr32(h, NV3_PVIRT_INTR, NV3_PVIRT_INTR_MONITOR);
    assert_false(h->irq);
    assert_int_equal(host_rd32(h, NV3_PVIRT_INTR), 0);

    nv3_monitor_changed(h->chip);
    nv3_reset(h->chip);
    assert_false(h->irq);
    assert_int_equal(host_rd32(h, NV3_PVIRT_INTR_EN), 0);
}

static void test_pvirt_off(void **state)
{
    Host *h = host_of(NV3_REVISION_C, 8 << 20);

    for (uint32_t addr = NV3_PVIRT; addr < NV3_PVIRT_END; addr += 4) {
        host_forget(h);
        assert_int_equal(host_rd32(h, addr), 0);
        assert_int_equal(h->logs[NV3_LOG_UNIMP], 1);
    }
    host_free(h);
}

/* PVIRT's mask of classes must not contain the classes that the configuration removes. */
static void test_pvirt_classes(void **state)
{
    const uint32_t without = FAKE_PGRAPH_CLASSES & -FAKE_PGRAPH_CLASSES;
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true,
        .without_classes = without,
    };
    Host *some = host_new_config(&config);
    Host *all = host_new();

    assert_true(host_rd32(all, NV3_PVIRT_FEATURES) &
                NV3_PVIRT_FEATURE_CLASSES);
    assert_int_equal(host_rd32(all, NV3_PVIRT_CLASSES), FAKE_PGRAPH_CLASSES);
    assert_int_equal(host_rd32(some, NV3_PVIRT_CLASSES),
                     FAKE_PGRAPH_CLASSES & ~without);
    host_free(all);
    host_free(some);
}

static void hostile_access(Host *h, uint32_t addr, uint32_t val)
{
    host_wr32(h, addr, val);
    host_rd32(h, addr);
    nv3_mmio_write(h->chip, addr + 1, val, 1);
    nv3_mmio_write(h->chip, addr + 2, val, 2);
    nv3_mmio_read(h->chip, addr + 2, 2);
}

/*
 * Writes extreme values to registers and reads registers, with accesses of 1, 2 and 4
 * bytes. Covers all addresses of the listed blocks, and a sample of the other addresses.
 */
static void test_hostile_sweep(void **state)
{
    static const uint32_t values[] = { 0, 0xffffffff, 0x80000000, 0x7fffffff,
                                       0x55555555, 0x00010001 };
    static const uint32_t blocks[][2] = {
        { 0x000000, 0x010000 }, { 0x0c0000, 0x0c1000 }, { 0x100000, 0x102000 },
        { 0x400000, 0x402000 }, { 0x601000, 0x602000 }, { 0x680000, 0x682000 },
    };
    Host *h = *state;

    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        for (unsigned j = 0; j < sizeof(blocks) / sizeof(blocks[0]); j++) {
            for (uint32_t addr = blocks[j][0]; addr < blocks[j][1]; addr += 4) {
                hostile_access(h, addr, values[i]);
            }
        }
        for (uint32_t addr = 0; addr < NV3_BAR0_SIZE; addr += 0x1ff4) {
            hostile_access(h, addr, values[i]);
        }
        host_run(h);
    }
}

static void dump_count(void *ctx, const char *text)
{
    assert_true(strlen(text) > 0 && strlen(text) < 160);
    assert_null(strchr(text, '\n'));
    ++*(unsigned *)ctx;
}

static void test_dump(void **state)
{
    Host *h = *state;
    unsigned empty = 0, filled = 0;

    nv3_dump(h->chip, dump_count, &empty);
    assert_true(empty >= 5);
    host_fifo_setup(h);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_CTX(3), 0xffffff);
    host_method(h, 0, 0, 0, 1);
    host_method(h, 0, 7, 0x1ffc, 0xffffffff);
    nv3_dump(h->chip, dump_count, &filled);
    assert_int_equal(filled, empty + 3);
}

static void dump_find_object(void *ctx, const char *text)
{
    static const char wanted[] = "object 0x80000010 channel 0: hardware class 0x11 ";

    *(unsigned *)ctx += !strncmp(text, wanted, strlen(wanted));
}

/*
 * rivafb and xf86-video-nv write RAMHT entries without the bit VALID, among words that
 * are not entries. The dump must nevertheless contain the objects of these entries.
 */
static void test_dump_objects(void **state)
{
    const uint32_t name = 0x80000010, bucket = NV3_RAMHT_HASH(name, 0) * 2;
    Host *h = *state;
    unsigned found = 0;

    host_wr32(h, NV3_PFIFO_RAMHT, 0);
    for (unsigned i = 0; i < 512; i += 7) {
        nv3_ramin_write(h->chip, i * NV3_RAMHT_ENTRY_SIZE, name, 4);
        nv3_ramin_write(h->chip, i * NV3_RAMHT_ENTRY_SIZE + 4,
                        i / 2 == bucket / 2 ? 0 : 0x00d10344, 4);
    }
    nv3_ramin_write(h->chip, bucket * NV3_RAMHT_ENTRY_SIZE, name, 4);
    nv3_ramin_write(h->chip, bucket * NV3_RAMHT_ENTRY_SIZE + 4, 0x00d10344, 4);
    nv3_dump(h->chip, dump_find_object, &found);
    assert_int_equal(found, 1);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, host_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_refused),
        cmocka_unit_test(test_no_callbacks),
        cmocka_unit_test(test_boot_0),
        T(test_software_interrupt),
        T(test_interrupt_lines),
        T(test_reset_drops_irq),
        T(test_reset_keeps_vram),
        T(test_enable),
        T(test_parts_of_words),
        T(test_part_of_intr),
        T(test_part_of_others),
        T(test_unknown_is_logged),
        T(test_pci_mirror),
        T(test_pbus_registers),
        T(test_straps),
        cmocka_unit_test(test_ramin),
        T(test_prom),
        T(test_prmfb),
        T(test_pvirt),
        T(test_pvirt_monitor),
        cmocka_unit_test(test_pvirt_off),
        cmocka_unit_test(test_pvirt_classes),
        T(test_hostile_sweep),
        T(test_dump),
        T(test_dump_objects),
    };

    return cmocka_run_group_tests_name("bus", tests, NULL, NULL);
}
