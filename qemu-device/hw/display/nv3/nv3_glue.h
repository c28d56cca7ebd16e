/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): what QEMU adds to the chip (core/nv3.h).
 *
 * nv3.c          the PCI device: properties, BARs, reset
 * nv3_host.c     what the chip asks for: clock, timers, DMA, interrupt, log
 * nv3_engine.c   the thread that the chip draws on, and the lock
 * nv3_console.c  the picture
 * nv3_vga.c      VGA: legacy ports, the window at 0xa0000
 * nv3_ddc.c      the monitor: DDC and EDID
 * nv3_migration.c  saving and loading
 * nv3_vmstate.c  QEMU's descriptions of the chip's tables of state
 * nv3_monitor.c  `info nv3`
 *
 * Locking. Every call into the chip is made with @lock held, but for reading what
 * nv3_mmio_read_kind() has as NV3_READ_APART; vCPUs and the main
 * loop hold the BQL when they take it, the engine's thread never takes the BQL
 * at all. What needs the BQL is done by a bottom half when it comes from there.
 */
#ifndef HW_DISPLAY_NV3_GLUE_H
#define HW_DISPLAY_NV3_GLUE_H

#include "exec/ioport.h"
#include "hw/display/edid.h"
#include "hw/display/i2c-ddc.h"
#include "hw/i2c/bitbang_i2c.h"
#include "hw/pci/pci_device.h"
#include "qemu/thread.h"
#include "qemu/timer.h"
#include "qom/object.h"
#include "system/runstate.h"
#include "ui/console.h"

#include "../vga_int.h"
#include "core/api/nv3.h"
#include "core/api/nv3_state.h"
#include "include/nv3_regs.h"

typedef struct NV3Engine {
    QemuThread thread;
    QemuCond wake;
    VMChangeStateEntry *vm_state;
    unsigned asked;         /* how often others wanted the lock; atomic */
    unsigned had;           /* and got it */
    unsigned until;         /* @had that a polite engine waits for */
    unsigned budget;        /* methods a slice */
    bool polite;            /* the engine waits for others */
    bool direct;            /* a vCPU has the work, if there is any */
    bool work;
    bool paused;            /* the VM does not run */
    bool quit;
} NV3Engine;

typedef struct NV3Console {
    NV3Scanout shown;
    bool valid;             /* @shown is what the surface was made for */
    bool direct;            /* the surface is VRAM itself */
    uint64_t drawn_lines;   /* by the chip, into a surface of ours; for tests */

    /* host-cursor=on: what the console was told last */
    bool image_known;       /* @image and the next two are of @image_crc */
    uint32_t image_crc;
    uint32_t image[NV3_CURSOR_SIZE * NV3_CURSOR_SIZE];  /* a8r8g8b8 */
    bool image_ok;          /* it needs no more than alpha */
    uint32_t defined_lines; /* as the console has it; 0: not defined */
    bool mouse_on;
    int32_t mouse_x, mouse_y;
} NV3Console;

typedef struct NV3Ddc {
    I2CBus *bus;
    bitbang_i2c_interface lines;
    I2CDDCState *monitor;   /* NULL: edid=off */
    bool fixed;             /* its preferred mode was asked for */
    bool scl, sda;          /* as read back */
} NV3Ddc;

/* Only while the device is saved or loaded. */
typedef struct NV3Saved {
    NV3Image *chip;
    uint32_t prefx, prefy;  /* what the monitor preferred */
} NV3Saved;

typedef struct NV3DeviceState {
    /* parent */
    PCIDevice pci;

    /* device elements */
    VGACommonState vga;
    NV3State *core;
    NV3Engine engine;
    NV3Console console;
    NV3Ddc ddc;
    MemoryRegion bar0;
    MemoryRegion bar1;
    MemoryRegion ramin;
    MemoryRegion *vga_window;
    MemoryRegion chip_window;   /* over it in the chip's own modes */
    MemoryRegion rom_shadow;    /* over the ROM's BAR while RAMIN shadows it */
    PortioList vga_ports;
    PortioList dispi_ports;
    uint16_t dispi_index;
    QEMUTimer timers[NV3_TIMER_COUNT];
    QEMUBH *irq_bh;
    NV3Saved saved;

    /* the chip, and whether the line is raised */
    QemuMutex lock;
    bool irq_level;

    /* device config */
    char *revision;
    uint64_t vram_size;     /* 0: the most that the revision takes */
    bool virt;
    bool acpi;
    uint32_t raster_threads;    /* 0: what the host can spare */
    char *simd;             /* NV3Simd by name */
    char *without_class;    /* NULL: PGRAPH has all of its classes */
    bool enable_edid;
    bool migrate_prefetch;  /* off on machine types older than it */
    bool host_cursor;       /* the display shows the cursor by itself */
    qemu_edid_info edid_info;
} NV3DeviceState;

#define TYPE_NV3 "nv3"
OBJECT_DECLARE_SIMPLE_TYPE(NV3DeviceState, NV3)

/* nv3.c: PCI configuration space has changed or was loaded. */
void nv3_rom_shadow_update(NV3DeviceState *s);

/* nv3_host.c */
extern const NV3Ops nv3_host_ops;
void nv3_host_init(NV3DeviceState *s);
void nv3_host_exit(NV3DeviceState *s);

/* nv3_engine.c */
void nv3_lock(NV3DeviceState *s);
void nv3_unlock(NV3DeviceState *s);
void nv3_engine_init(NV3DeviceState *s);
void nv3_engine_exit(NV3DeviceState *s);
/* There is work; with the lock held. */
void nv3_engine_kick(NV3DeviceState *s);
/*
 * Around a store to a register, with the lock held: may the caller do what comes
 * of it, as the engine has nothing to do? Then it must call the other after it. @user:
 * the store was to the USER aperture.
 */
bool nv3_engine_claim(NV3DeviceState *s);
void nv3_engine_direct(NV3DeviceState *s, bool user);
/* A slice of the work there is, by the caller, who has the lock. */
void nv3_engine_catch_up(NV3DeviceState *s);

/* nv3_console.c */
void nv3_console_init(NV3DeviceState *s);
void nv3_console_reset(NV3DeviceState *s);
void nv3_console_exit(NV3DeviceState *s);

/* nv3_vga.c */
void nv3_vga_init(NV3DeviceState *s);
void nv3_vga_setup(NV3DeviceState *s);
void nv3_vga_teardown(NV3DeviceState *s);
void nv3_vga_finalize(NV3DeviceState *s);
/* The memory window is the chip's or VGA's; with the BQL held. */
void nv3_vga_own_window(NV3DeviceState *s, bool own);

/* nv3_ddc.c; the lines with the lock and the BQL held */
void nv3_ddc_init(NV3DeviceState *s);
void nv3_ddc_reset(NV3DeviceState *s);
void nv3_ddc_set(NV3DeviceState *s, bool scl, bool sda);
/* Bit 0 SCL, bit 1 SDA. */
uint8_t nv3_ddc_get(NV3DeviceState *s);
/* May a stream have made the lines what they are? */
bool nv3_ddc_valid(NV3DeviceState *s);
/* The lines have been loaded: the bus finds its device again. */
void nv3_ddc_loaded(NV3DeviceState *s);
/*
 * The window on the host has this size now: the monitor prefers it, unless xres
 * and yres say what it prefers. True when it says something else than before.
 */
bool nv3_ddc_prefer(NV3DeviceState *s, uint32_t width, uint32_t height);

/* nv3_migration.c */
extern const VMStateDescription vmstate_nv3;
/* Completes vmstate_nv3: before it is used, and once. */
void nv3_migration_register(void);
/* Frees what a load that failed has left. */
void nv3_migration_exit(NV3DeviceState *s);

/* nv3_monitor.c */
void nv3_monitor_register(void);
/* The `state` property: what channels, caches and PGRAPH hold, in words. */
char *nv3_monitor_state(Object *obj, Error **errp);

#endif
