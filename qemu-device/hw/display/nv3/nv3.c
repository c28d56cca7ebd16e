/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): the PCI device.
 *
 * BAR0 contains the registers. BAR1 contains VRAM at offset 0 and RAMIN at 0xc00000.
 * RAMIN is the last megabyte of VRAM, with its 16-byte blocks in reverse order. Other
 * addresses in BAR1 are not decoded.
 *
 * With more than 8 MiB of VRAM, BAR1 is larger than 16 MiB. In this case, its first 16
 * MiB contain only the first 8 MiB of VRAM, and RAMIN at 0xc00000. The upper half of BAR1
 * starts with all of VRAM.
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/module.h"
#include "qemu/range.h"
#include "qemu/units.h"
#include "hw/pci/pci.h"
#include "hw/qdev-properties.h"

#include "include/nv3_class.h"
#include "include/nv3_regs.h"
#include "nv3_glue.h"
#include "trace.h"

/* ---- memory -------------------------------------------------------------- */

static uint64_t nv3_bar0_read(void *opaque, hwaddr addr, unsigned size)
{
    NV3DeviceState *s = opaque;
    NV3ReadKind kind = nv3_mmio_read_kind(addr);
    uint32_t val;

    if (kind == NV3_READ_LOCKLESS) {
        /*
         * The calling thread holds the BQL, so only the engine's thread can access the
         * chip concurrently.
         */
        val = nv3_mmio_read(s->core, addr, size);
    } else {
        nv3_lock(s);
        if (kind == NV3_READ_SYNCHRONOUS) {
            nv3_engine_catch_up(s);
        }
        val = nv3_mmio_read(s->core, addr, size);
        nv3_unlock(s);
    }
    trace_nv3_mmio_read(addr, size, val);
    return val;
}

static void nv3_bar0_write(void *opaque, hwaddr addr, uint64_t val,
                           unsigned size)
{
    NV3DeviceState *s = opaque;
    bool direct;

    trace_nv3_mmio_write(addr, size, val);
    nv3_lock(s);
    direct = nv3_engine_claim(s);
    nv3_mmio_write(s->core, addr, val, size);
    if (direct) {
        nv3_engine_direct(s, addr >= NV3_USER);
    }
    nv3_unlock(s);
}

static const MemoryRegionOps nv3_bar0_ops = {
    .read = nv3_bar0_read,
    .write = nv3_bar0_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid.min_access_size = 1,
    .valid.max_access_size = 8,
    .impl.min_access_size = 1,
    .impl.max_access_size = 4,
};

static uint64_t nv3_ramin_io_read(void *opaque, hwaddr addr, unsigned size)
{
    NV3DeviceState *s = opaque;
    uint32_t val;

    nv3_lock(s);
    val = nv3_ramin_read(s->core, addr, size);
    nv3_unlock(s);
    trace_nv3_ramin_read(addr, size, val);
    return val;
}

static void nv3_ramin_io_write(void *opaque, hwaddr addr, uint64_t val,
                               unsigned size)
{
    NV3DeviceState *s = opaque;

    trace_nv3_ramin_write(addr, size, val);
    nv3_lock(s);
    nv3_ramin_write(s->core, addr, val, size);
    nv3_unlock(s);
}

static const MemoryRegionOps nv3_ramin_io_ops = {
    .read = nv3_ramin_io_read,
    .write = nv3_ramin_io_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid.min_access_size = 1,
    .valid.max_access_size = 8,
    .impl.min_access_size = 1,
    .impl.max_access_size = 4,
};

static void nv3_init_bar1(NV3DeviceState *s)
{
    uint64_t half = MAX(s->vram_size, NV3_BAR1_SIZE);
    Object *obj = OBJECT(s);

    if (s->vram_size <= NV3_BAR1_VRAM_MAX) {
        memory_region_init(&s->bar1, obj, "nv3.memory", NV3_BAR1_SIZE);
        memory_region_add_subregion(&s->bar1, 0, &s->vga.vram);
    } else {
        memory_region_init(&s->bar1, obj, "nv3.memory", half * 2);
        memory_region_init_alias(&s->low_vram, obj, "nv3.low-vram",
                                 &s->vga.vram, 0, NV3_BAR1_VRAM_MAX);
        memory_region_add_subregion(&s->bar1, 0, &s->low_vram);
        memory_region_add_subregion(&s->bar1, half, &s->vga.vram);
    }
    memory_region_add_subregion(&s->bar1, NV3_BAR1_RAMIN, &s->ramin);
}

static void nv3_init_bars(NV3DeviceState *s)
{
    Object *obj = OBJECT(s);

    memory_region_init_io(&s->bar0, obj, &nv3_bar0_ops, s, "nv3.registers",
                          NV3_BAR0_SIZE);
    memory_region_init_io(&s->ramin, obj, &nv3_ramin_io_ops, s, "nv3.ramin",
                          NV3_RAMIN_SIZE);
    nv3_init_bar1(s);

    pci_register_bar(&s->pci, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->bar0);
    pci_register_bar(&s->pci, 1, PCI_BASE_ADDRESS_SPACE_MEMORY |
                     PCI_BASE_ADDRESS_MEM_PREFETCH, &s->bar1);
}

/* ---- the ROM and its shadow ---------------------------------------------- */

static uint64_t nv3_rom_shadow_read(void *opaque, hwaddr addr, unsigned size)
{
    NV3DeviceState *s = opaque;
    uint32_t val;

    nv3_lock(s);
    val = nv3_ramin_read(s->core, addr, size);
    nv3_unlock(s);
    return val;
}

static void nv3_rom_shadow_write(void *opaque, hwaddr addr, uint64_t val,
                                 unsigned size)
{
}

static const MemoryRegionOps nv3_rom_shadow_ops = {
    .read = nv3_rom_shadow_read,
    .write = nv3_rom_shadow_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .impl.min_access_size = 1,
    .impl.max_access_size = 4,
};

/*
 * Maps RAMIN over the expansion ROM while the shadow is enabled. The shadow's memory
 * region is created when the shadow is first enabled, because QEMU creates the ROM's
 * region only after the device has been realized.
 */
void nv3_rom_shadow_update(NV3DeviceState *s)
{
    bool on = s->pci.config[NV3_PCI_ROM_SHADOW] & NV3_PCI_ROM_SHADOW_ON;

    if (!s->pci.has_rom) {
        return;
    }
    if (on && !memory_region_is_mapped(&s->rom_shadow)) {
        memory_region_init_io(&s->rom_shadow, OBJECT(s), &nv3_rom_shadow_ops, s,
                              "nv3.rom-shadow",
                              memory_region_size(&s->pci.rom));
        memory_region_add_subregion_overlap(&s->pci.rom, 0, &s->rom_shadow, 1);
    }
    if (memory_region_is_mapped(&s->rom_shadow)) {
        memory_region_set_enabled(&s->rom_shadow, on);
    }
}

static void nv3_config_write(PCIDevice *pci, uint32_t addr, uint32_t val,
                             int len)
{
    pci_default_write_config(pci, addr, val, len);
    if (range_covers_byte(addr, len, NV3_PCI_ROM_SHADOW)) {
        nv3_rom_shadow_update(NV3(pci));
    }
}

/* ---- configuration ------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t pci_revision;
    uint32_t vram_max;
} nv3_revisions[] = {
    [NV3_REVISION_A] = { "a", NV3_PCI_REVISION_A, 4 * MiB },
    [NV3_REVISION_B] = { "b", NV3_PCI_REVISION_B, 4 * MiB },
    [NV3_REVISION_C] = { "c", NV3_PCI_REVISION_C, 8 * MiB },
};

/*
 * Parses the property without-class, a list of class numbers. The numbers are separated
 * by colons, because a comma would end the property's value. Numbers may be decimal or
 * hexadecimal (0x0e). Sets @errp and returns false if the value is not valid.
 */
static bool nv3_get_without_class(NV3DeviceState *s, uint32_t *classes,
                                  Error **errp)
{
    g_auto(GStrv) names = NULL;
    unsigned i;

    *classes = 0;
    if (!s->without_class || !*s->without_class) {
        return true;
    }
    names = g_strsplit(s->without_class, ":", -1);
    for (i = 0; names[i]; i++) {
        unsigned id;

        if (qemu_strtoui(names[i], NULL, 0, &id) || id >= 32 ||
            (!(nv3_classes() >> id & 1) && id != NV3_CLASS_PROGRAMS)) {
            error_setg(errp, "nv3: without-class: the chip has no class '%s'",
                       names[i]);
            error_append_hint(errp, "Classes are numbers with colons between: "
                              "without-class=0x0e:0x17\n");
            return false;
        }
        *classes |= 1u << id;
    }
    return true;
}

/*
 * Returns true if the chip has class 0x1f. Class 0x1f requires PVIRT. By default, every
 * chip with PVIRT has the class.
 */
static bool nv3_has_programs(NV3DeviceState *s, uint32_t without_classes)
{
    if (without_classes >> NV3_CLASS_PROGRAMS & 1) {
        return false;
    }
    return s->programs == ON_OFF_AUTO_AUTO ? s->virt :
                                             s->programs == ON_OFF_AUTO_ON;
}

/*
 * Returns the default size of VRAM. For revision C with class 0x1f, the default is 64
 * MiB, because a desktop with 32 bits per pixel needs more VRAM than real cards have.
 */
static uint64_t nv3_default_vram_size(NV3DeviceState *s, NV3Revision revision,
                                      uint32_t without_classes)
{
    if (revision == NV3_REVISION_C && nv3_has_programs(s, without_classes)) {
        return 64 * MiB;
    }
    return nv3_revisions[revision].vram_max;
}

/*
 * Sets @threads to the number of threads that draw triangles, including the engine's
 * thread. Sets @errp and returns false if the property raster-threads is too large. The
 * default is one thread per CPU of the host, because the guest usually waits while a
 * large picture is drawn. Each thread draws whole tiles. A surface of 640 x 480 has only
 * 75 tiles, so the default is at most 8 threads.
 */
static bool nv3_get_raster_threads(NV3DeviceState *s, unsigned *threads,
                                   Error **errp)
{
    if (s->raster_threads > NV3_RASTER_THREADS_MAX) {
        error_setg(errp, "nv3: raster-threads=%" PRIu32 " are too many",
                   s->raster_threads);
        error_append_hint(errp, "There can be %u; 0 chooses.\n",
                          NV3_RASTER_THREADS_MAX);
        return false;
    }
    *threads = s->raster_threads;
    if (!*threads) {
        *threads = MIN(g_get_num_processors(), 8);
    }
    return true;
}

/*
 * Parses the property simd. If the level is unknown, or not available on the host, sets
 * @errp and returns false. There is no fallback, so that a test never runs at another
 * level than the requested one.
 */
static bool nv3_get_simd(NV3DeviceState *s, NV3Simd *simd, Error **errp)
{
    if (!nv3_simd_by_name(s->simd, simd)) {
        error_setg(errp, "nv3: no SIMD level '%s'", s->simd);
    } else if (!nv3_simd_available(*simd)) {
        error_setg(errp, "nv3: this host has no simd=%s", s->simd);
    } else {
        return true;
    }
    error_append_hint(errp, "This host has:");
    for (NV3Simd i = NV3_SIMD_AUTO; i < NV3_SIMD_COUNT; i++) {
        if (nv3_simd_available(i)) {
            error_append_hint(errp, " %s", nv3_simd_name(i));
        }
    }
    error_append_hint(errp, ".\n");
    return false;
}

static bool nv3_get_config(NV3DeviceState *s, NV3Config *config, Error **errp)
{
    uint32_t without_classes;
    unsigned raster_threads, i;
    NV3Simd simd;

    for (i = 0; i < ARRAY_SIZE(nv3_revisions); i++) {
        if (!g_ascii_strcasecmp(s->revision, nv3_revisions[i].name)) {
            break;
        }
    }
    if (i == ARRAY_SIZE(nv3_revisions)) {
        error_setg(errp, "nv3: no revision '%s'", s->revision);
        error_append_hint(errp, "There are a, b and c.\n");
        return false;
    }
    if (!nv3_get_without_class(s, &without_classes, errp)) {
        return false;
    }
    if (!s->vram_size) {
        s->vram_size = nv3_default_vram_size(s, i, without_classes);
    }
    /*
     * Check the size here, because QEMU's VGA allocates VRAM of this size before
     * nv3_new() checks the configuration.
     */
    if (s->vram_size < 2 * MiB || s->vram_size > 64 * MiB ||
        !is_power_of_2(s->vram_size)) {
        error_setg(errp, "nv3: no board has vram-size=%" PRIu64, s->vram_size);
        error_append_hint(errp, "There are 2M, 4M and 8M, and with class 0x1f "
                          "also 16M, 32M and 64M.\n");
        return false;
    }
    if (!nv3_get_raster_threads(s, &raster_threads, errp) ||
        !nv3_get_simd(s, &simd, errp)) {
        return false;
    }
    *config = (NV3Config) {
        .revision = i,
        .vram_size = s->vram_size,
        .virt = s->virt,
        .acpi = s->acpi,
        .without_classes = without_classes & nv3_classes(),
        .programs = nv3_has_programs(s, without_classes),
        .save_prefetch = s->migrate_prefetch,
        .raster_threads = raster_threads,
        .simd = simd,
    };
    return true;
}

static void nv3_set_identity(NV3DeviceState *s, const NV3Config *config)
{
    uint8_t *pci_conf = s->pci.config;

    pci_set_word(pci_conf + PCI_DEVICE_ID, config->acpi ?
                 NV3_PCI_DEVICE_ID_ACPI : NV3_PCI_DEVICE_ID);
    pci_set_byte(pci_conf + PCI_REVISION_ID,
                 nv3_revisions[config->revision].pci_revision);
    pci_config_set_interrupt_pin(pci_conf, 1);
    s->pci.wmask[NV3_PCI_ROM_SHADOW] = NV3_PCI_ROM_SHADOW_ON;
}

/* ---- device -------------------------------------------------------------- */

static void nv3_realize(PCIDevice *pci, Error **errp)
{
    NV3DeviceState *s = NV3(pci);
    const char *reason;
    NV3Config config;

    if (!nv3_get_config(s, &config, errp)) {
        return;
    }
    s->vga.vram_size_mb = config.vram_size / MiB;
    if (!vga_common_init(&s->vga, OBJECT(s), errp)) {
        return;
    }
    nv3_host_init(s);
    nv3_vga_init(s);
    s->core = nv3_new(&config, &nv3_host_ops, s, s->vga.vram_ptr, &reason);
    if (!s->core) {
        error_setg(errp, "nv3: %s", reason);
        nv3_host_exit(s);
        return;
    }

    nv3_set_identity(s, &config);
    nv3_init_bars(s);
    nv3_vga_setup(s);
    nv3_ddc_init(s);
    nv3_console_init(s);
    nv3_engine_init(s);
}

static void nv3_exit(PCIDevice *pci)
{
    NV3DeviceState *s = NV3(pci);

    if (memory_region_is_mapped(&s->rom_shadow)) {
        memory_region_del_subregion(&pci->rom, &s->rom_shadow);
    }
    nv3_engine_exit(s);
    nv3_migration_exit(s);
    nv3_console_exit(s);
    nv3_vga_teardown(s);
    nv3_free(s->core);
    nv3_host_exit(s);
}

/* Resets the device. While the lock is held, the engine executes no slice. */
static void nv3_device_reset(DeviceState *dev)
{
    NV3DeviceState *s = NV3(dev);

    trace_nv3_reset();
    nv3_lock(s);
    nv3_reset(s->core);
    nv3_ddc_reset(s);
    s->irq_level = false;
    nv3_unlock(s);
    pci_set_irq(&s->pci, 0);
    vga_common_reset(&s->vga);
    nv3_console_reset(s);
    s->pci.config[NV3_PCI_ROM_SHADOW] = 0;
    nv3_rom_shadow_update(s);
}

static const Property nv3_properties[] = {
    DEFINE_PROP_STRING("revision", NV3DeviceState, revision),
    DEFINE_PROP_SIZE("vram-size", NV3DeviceState, vram_size, 0),
    DEFINE_PROP_BOOL("virt", NV3DeviceState, virt, true),
    DEFINE_PROP_ON_OFF_AUTO("programs", NV3DeviceState, programs,
                            ON_OFF_AUTO_AUTO),
    DEFINE_PROP_BOOL("acpi", NV3DeviceState, acpi, false),
    DEFINE_PROP_UINT32("raster-threads", NV3DeviceState, raster_threads, 0),
    DEFINE_PROP_STRING("simd", NV3DeviceState, simd),
    DEFINE_PROP_STRING("without-class", NV3DeviceState, without_class),
    DEFINE_PROP_BOOL("edid", NV3DeviceState, enable_edid, true),
    DEFINE_PROP_BOOL("x-migrate-prefetch", NV3DeviceState, migrate_prefetch,
                     true),
    DEFINE_PROP_BOOL("host-cursor", NV3DeviceState, host_cursor, false),
    DEFINE_EDID_PROPERTIES(NV3DeviceState, edid_info),
};

static void nv3_instance_init(Object *obj)
{
    NV3DeviceState *s = NV3(obj);

    s->revision = g_strdup("c");
    s->simd = g_strdup(nv3_simd_name(NV3_SIMD_AUTO));
    object_property_set_description(obj, "revision", "a, b or c");
    object_property_set_description(obj, "vram-size",
                                    "2M, 4M or, on revision c, 8M; 16M, 32M "
                                    "or 64M, which no real chip has");
    object_property_set_description(obj, "virt",
                                    "PVIRT, a block of registers that no real "
                                    "chip has");
    object_property_set_description(obj, "programs",
                                    "class 0x1f, vertex and fragment programs, "
                                    "which no real chip has: on, off or auto "
                                    "(same as virt)");
    object_property_set_description(obj, "raster-threads",
                                    "threads that draw triangles; 0: one for "
                                    "each CPU of the host, at most 8");
    object_property_set_description(obj, "simd",
                                    "vector instructions for drawing: auto, "
                                    "scalar, avx2, avx512, avx512vbmi2 or neon");
    object_property_set_description(obj, "acpi",
                                    "variant of revision c with ACPI");
    object_property_set_description(obj, "without-class",
                                    "classes to remove from PGRAPH, such as "
                                    "0x0e:0x17");
    object_property_set_description(obj, "host-cursor",
                                    "let the display draw the hardware cursor "
                                    "instead of the chip");
    object_property_add_uint64_ptr(obj, "drawn-lines", &s->console.drawn_lines,
                                   OBJ_PROP_FLAG_READ);
    object_property_set_description(obj, "drawn-lines",
                                    "number of lines that the chip has drawn "
                                    "for the console");
    object_property_add_str(obj, "state", nv3_monitor_state, NULL);
    object_property_set_description(obj, "state",
                                    "state of channels, caches and PGRAPH as "
                                    "text");
}

static void nv3_instance_finalize(Object *obj)
{
    nv3_vga_finalize(NV3(obj));
}

static void nv3_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

    k->class_id = PCI_CLASS_DISPLAY_VGA;
    k->vendor_id = NV3_PCI_VENDOR_ID;
    k->device_id = NV3_PCI_DEVICE_ID;
    k->romfile = "vgabios-stdvga.bin";
    k->realize = nv3_realize;
    k->config_write = nv3_config_write;
    k->exit = nv3_exit;

    dc->desc = "NVIDIA RIVA 128";
    dc->hotpluggable = false;
    dc->vmsd = &vmstate_nv3;
    device_class_set_legacy_reset(dc, nv3_device_reset);
    device_class_set_props(dc, nv3_properties);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo nv3_type_info = {
    .name = TYPE_NV3,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(NV3DeviceState),
    .instance_init = nv3_instance_init,
    .instance_finalize = nv3_instance_finalize,
    .class_init = nv3_class_init,
    .interfaces = (InterfaceInfo[]) {
        { INTERFACE_CONVENTIONAL_PCI_DEVICE },
        { },
    },
};

static void nv3_register_types(void)
{
    nv3_migration_register();
    type_register_static(&nv3_type_info);
    nv3_monitor_register();
}

type_init(nv3_register_types)
