/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): VGA. QEMU's VGACommonState implements VGA's registers, memory
 * window and modes, with the chip's VRAM as its memory. Each port access goes to the core
 * first. If the core does not claim the access, VGACommonState handles it.
 */

#include "qemu/osdep.h"
#include "exec/memory.h"
#include "hw/display/bochs-vbe.h"
#include "hw/pci/pci.h"

#include "nv3_glue.h"
#include "trace.h"

#define VGA_PORTS       0x3b0
#define VGA_WINDOW      0xa0000
#define VGA_WINDOW_SIZE 0x20000
#define DISPI_PORTS     0x1ce

/* ---- ports --------------------------------------------------------------- */

static uint32_t nv3_port_read(void *opaque, uint32_t port)
{
    NV3DeviceState *s = opaque;
    uint8_t val;

    nv3_lock(s);
    if (!nv3_vga_port_read(s->core, port, &val)) {
        val = vga_ioport_read(&s->vga, port);
    }
    nv3_unlock(s);
    trace_nv3_vga_read(port, val);
    return val;
}

static void nv3_port_write(void *opaque, uint32_t port, uint32_t val)
{
    NV3DeviceState *s = opaque;

    trace_nv3_vga_write(port, val);
    nv3_lock(s);
    if (!nv3_vga_port_write(s->core, port, val)) {
        vga_ioport_write(&s->vga, port, val);
    }
    nv3_unlock(s);
}

static uint32_t nv3_port_read_32(void *opaque, uint32_t port)
{
    NV3DeviceState *s = opaque;
    uint32_t val = 0;
    bool taken;
    int i;

    nv3_lock(s);
    taken = nv3_rma_read_32(s->core, &val);
    nv3_unlock(s);
    for (i = 0; i < 4 && !taken; i++) {
        val |= nv3_port_read(opaque, port + i) << i * 8;
    }
    return val;
}

static void nv3_port_write_32(void *opaque, uint32_t port, uint32_t val)
{
    NV3DeviceState *s = opaque;
    bool taken;
    int i;

    nv3_lock(s);
    taken = nv3_rma_write_32(s->core, val);
    nv3_unlock(s);
    for (i = 0; i < 4 && !taken; i++) {
        nv3_port_write(opaque, port + i, val >> i * 8 & 0xff);
    }
}

/*
 * Ports relative to 0x3b0: QEMU's VGA ports, and the real-mode port at 0x3d0, which
 * accepts 8-bit and 32-bit accesses.
 */
static const MemoryRegionPortio nv3_vga_portio[] = {
    { 0x04, 2, 1, .read = nv3_port_read, .write = nv3_port_write },
    { 0x0a, 1, 1, .read = nv3_port_read, .write = nv3_port_write },
    { 0x10, 16, 1, .read = nv3_port_read, .write = nv3_port_write },
    { 0x20, 6, 1, .read = nv3_port_read, .write = nv3_port_write },
    { 0x20, 1, 4, .read = nv3_port_read_32, .write = nv3_port_write_32 },
    { 0x2a, 1, 1, .read = nv3_port_read, .write = nv3_port_write },
    PORTIO_END_OF_LIST(),
};

/* ---- the memory window ---------------------------------------------------- */

/*
 * Read and write the chip's memory window, which is used only in the chip's own modes. In
 * VGA modes, the memory region of QEMU's VGA is visible instead, because QEMU's VGA can
 * map VRAM directly into its region.
 */
static uint64_t nv3_window_read(void *opaque, hwaddr addr, unsigned size)
{
    NV3DeviceState *s = opaque;
    uint8_t val;

    nv3_lock(s);
    if (!nv3_vga_mem_read(s->core, addr, &val)) {
        val = vga_mem_readb(&s->vga, addr);
    }
    nv3_unlock(s);
    return val;
}

static void nv3_window_write(void *opaque, hwaddr addr, uint64_t val,
                             unsigned size)
{
    NV3DeviceState *s = opaque;

    nv3_lock(s);
    if (!nv3_vga_mem_write(s->core, addr, val)) {
        vga_mem_writeb(&s->vga, addr, val);
    }
    nv3_unlock(s);
}

static const MemoryRegionOps nv3_window_ops = {
    .read = nv3_window_read,
    .write = nv3_window_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .impl.min_access_size = 1,
    .impl.max_access_size = 1,
};

void nv3_vga_own_window(NV3DeviceState *s, bool own)
{
    memory_region_set_enabled(&s->chip_window, own);
}

/* ---- VBE interface for the boot BIOS -------------------------------------- */

/*
 * QEMU's VGA BIOS refuses to start if it does not find QEMU's VBE interface. The device
 * therefore provides this interface, but without modes: the interface reports a version,
 * and 0x0 as the size of the largest mode. Because of this size, the BIOS removes all VBE
 * modes, which a RIVA 128 could not show, and offers only VGA modes.
 */
static uint32_t nv3_dispi_read_index(void *opaque, uint32_t port)
{
    NV3DeviceState *s = opaque;

    return s->dispi_index;
}

static void nv3_dispi_write_index(void *opaque, uint32_t port, uint32_t val)
{
    NV3DeviceState *s = opaque;

    s->dispi_index = val;
}

static uint32_t nv3_dispi_read_data(void *opaque, uint32_t port)
{
    NV3DeviceState *s = opaque;

    return s->dispi_index == VBE_DISPI_INDEX_ID ? VBE_DISPI_ID0 : 0;
}

static void nv3_dispi_write_data(void *opaque, uint32_t port, uint32_t val)
{
}

static const MemoryRegionPortio nv3_dispi_portio[] = {
    { 0, 1, 2, .read = nv3_dispi_read_index, .write = nv3_dispi_write_index },
    { 1, 1, 2, .read = nv3_dispi_read_data, .write = nv3_dispi_write_data },
    PORTIO_END_OF_LIST(),
};

/* -------------------------------------------------------------------------- */

/* Must be called before nv3_new(), because nv3_new() calls nv3_vga_own_window(). */
void nv3_vga_init(NV3DeviceState *s)
{
    memory_region_init_io(&s->chip_window, OBJECT(s), &nv3_window_ops, s,
                          "nv3.window", VGA_WINDOW_SIZE);
}

void nv3_vga_setup(NV3DeviceState *s)
{
    MemoryRegion *memory = pci_address_space(&s->pci);
    MemoryRegion *io = pci_address_space_io(&s->pci);
    const MemoryRegionPortio *vga_ports, *vbe_ports;

    s->vga.legacy_address_space = memory;
    s->vga_window = vga_init_io(&s->vga, OBJECT(s), &vga_ports, &vbe_ports);
    memory_region_add_subregion_overlap(memory, VGA_WINDOW, s->vga_window, 1);
    /*
     * The priority of the chip's window must be above 2, the priority of the VRAM that
     * QEMU's VGA maps.
     */
    memory_region_add_subregion_overlap(memory, VGA_WINDOW, &s->chip_window, 3);

    portio_list_init(&s->vga_ports, OBJECT(s), nv3_vga_portio, s, "nv3.vga");
    portio_list_add(&s->vga_ports, io, VGA_PORTS);
    portio_list_init(&s->dispi_ports, OBJECT(s), nv3_dispi_portio, s,
                     "nv3.dispi");
    portio_list_add(&s->dispi_ports, io, DISPI_PORTS);
}

void nv3_vga_teardown(NV3DeviceState *s)
{
    portio_list_del(&s->dispi_ports);
    portio_list_destroy(&s->dispi_ports);
    portio_list_del(&s->vga_ports);
    portio_list_destroy(&s->vga_ports);
    memory_region_del_subregion(pci_address_space(&s->pci), &s->chip_window);
    memory_region_del_subregion(pci_address_space(&s->pci), s->vga_window);
    object_unparent(OBJECT(s->vga_window));
}

/*
 * Called when the device is finalized. Unrealize must not free the window, because a
 * FlatView may refer to the window's memory region until the RCU grace period has ended.
 */
void nv3_vga_finalize(NV3DeviceState *s)
{
    g_free(s->vga_window);
}
