/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): the QEMU device around the chip core (core/api/nv3.h).
 *
 * nv3.c            the PCI device: properties, BARs, reset
 * nv3_host.c       the core's host: clock, timers, DMA, interrupt, log
 * nv3_engine.c     the engine's thread, and the lock
 * nv3_console.c    the graphics console
 * nv3_vga.c        VGA: legacy ports, the memory window at 0xa0000
 * nv3_ddc.c        the monitor: DDC and EDID
 * nv3_migration.c  migration and snapshots
 * nv3_vmstate.c    conversion of the chip's tables of saved state to VMState
 * nv3_monitor.c    `info nv3`
 * nv3_trace.c      trace events of the core
 *
 * Locking. Every call into the core holds @lock, except for reads of registers that
 * nv3_mmio_read_kind() classifies as NV3_READ_LOCKLESS. vCPUs and the main loop already
 * hold the BQL when they acquire @lock. The engine's thread never acquires the BQL. It
 * schedules bottom halves for work that requires the BQL.
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
#include "include/nv3_names.h"
#include "include/nv3_regs.h"

typedef struct NV3Engine {
    QemuThread thread;
    QemuCond wake;
    VMChangeStateEntry *vm_state;
    unsigned next_ticket;   /* number of nv3_lock() calls; atomic */

    /* under the lock */
    unsigned served;        /* number of nv3_lock() calls that have acquired the lock */
    unsigned target;        /* value of @served at which a yielding engine continues */
    bool yielding;          /* the engine waits until @served reaches @target */
    unsigned budget;        /* maximum number of methods per slice */
    bool direct;            /* a vCPU is executing the work that its store has started */
    bool work;              /* nv3_run() has work */
    bool paused;            /* the VM does not run */
    bool quit;
} NV3Engine;

/*
 * Text that trace events print: the name of a method, or the names of a register's set
 * bits.
 */
typedef struct NV3TraceName {
    bool valid;
    uint32_t owner;         /* class, or offset of the register */
    uint32_t value;         /* offset of the method, or bits */
    char text[NV3_NAMES_TEXT];
} NV3TraceName;

#define NV3_TRACE_NAMES     64

/* A sequence of consecutive methods of one object in PGRAPH (nv3_trace.c). */
typedef struct NV3Trace {
    bool working;
    NV3Event first;         /* the OBJECT event at the start of the sequence */
    uint64_t start;         /* PTIMER's time at the start */
    uint64_t counters[NV3_PVIRT_COUNTER_COUNT]; /* values at the start */
    uint64_t clock;         /* PTIMER's time at the last nv3_core_clock event, or 0 */
    bool ended;             /* a BATCH_END event has not been traced yet */
    uint64_t end_time;      /* PTIMER's time of that event */
    uint32_t end_chid;      /* the channel of that event */
    NV3TraceName names[NV3_TRACE_NAMES];    /* cache of texts */
} NV3Trace;

typedef struct NV3Console {
    NV3Scanout shown;
    bool valid;             /* the surface was created for @shown */
    bool direct;            /* the surface is VRAM itself */
    /* number of lines drawn to surfaces outside VRAM; for tests */
    uint64_t drawn_lines;

    /* with host-cursor=on: the cursor that was last passed to the display */
    bool image_known;       /* @image and @image_ok are valid for @image_crc */
    uint32_t image_crc;
    uint32_t image[NV3_CURSOR_SIZE * NV3_CURSOR_SIZE];  /* a8r8g8b8 */
    bool image_ok;          /* @image is exact: the cursor inverts no pixels */
    uint32_t defined_lines; /* height of the display's cursor; 0: not defined */
    bool mouse_on;
    int32_t mouse_x, mouse_y;
} NV3Console;

typedef struct NV3Ddc {
    I2CBus *bus;
    bitbang_i2c_interface lines;
    I2CDDCState *monitor;   /* NULL if edid=off */
    bool fixed;             /* xres and yres set the preferred mode */
    bool scl, sda;          /* levels that software reads */
} NV3Ddc;

/* Valid only while the device is saved or loaded. */
typedef struct NV3Saved {
    NV3Image *chip;
    uint32_t prefx, prefy;  /* the monitor's preferred mode */
} NV3Saved;

typedef struct NV3DeviceState {
    /* parent */
    PCIDevice pci;

    /* device elements */
    VGACommonState vga;
    NV3State *core;
    NV3Engine engine;
    NV3Console console;
    NV3Trace trace;
    NV3Ddc ddc;
    MemoryRegion bar0;
    MemoryRegion bar1;
    MemoryRegion low_vram;      /* first 8 MiB of a larger VRAM */
    MemoryRegion ramin;
    MemoryRegion *vga_window;
    MemoryRegion chip_window;   /* enabled over @vga_window in the chip's own modes */
    /* maps RAMIN over the expansion ROM while the shadow is enabled */
    MemoryRegion rom_shadow;
    PortioList vga_ports;
    PortioList dispi_ports;
    uint16_t dispi_index;
    QEMUTimer timers[NV3_TIMER_COUNT];
    QEMUBH *irq_bh;
    NV3Saved saved;

    /* protects @core, the engine and @irq_level */
    QemuMutex lock;
    bool irq_level;             /* the level of the interrupt line */

    /* device config */
    char *revision;
    uint64_t vram_size;     /* bytes; 0: the default, set by realize */
    bool virt;
    OnOffAuto programs;
    bool acpi;
    uint32_t raster_threads;    /* 0: one per CPU of the host, at most 8 */
    char *simd;             /* name of an NV3Simd */
    char *without_class;    /* NULL: no class is removed */
    bool enable_edid;
    bool migrate_prefetch;  /* false on older machine types */
    bool host_cursor;       /* the display draws the cursor */
    qemu_edid_info edid_info;
} NV3DeviceState;

#define TYPE_NV3 "nv3"
OBJECT_DECLARE_SIMPLE_TYPE(NV3DeviceState, NV3)

/* nv3.c: called after a change of the ROM shadow bit in PCI configuration space. */
void nv3_rom_shadow_update(NV3DeviceState *s);

/* nv3_host.c */
extern const NV3Ops nv3_host_ops;
void nv3_host_init(NV3DeviceState *s);
void nv3_host_exit(NV3DeviceState *s);

/* nv3_trace.c */
void nv3_host_event(void *opaque, const NV3Event *e);
/*
 * Makes the core report only those events that the enabled trace events need. Called with
 * the lock held.
 */
void nv3_trace_update(NV3DeviceState *s);

/* nv3_engine.c */
void nv3_lock(NV3DeviceState *s);
void nv3_unlock(NV3DeviceState *s);
void nv3_engine_init(NV3DeviceState *s);
void nv3_engine_exit(NV3DeviceState *s);
/* Wakes the engine, because nv3_run() has work. Called with the lock held. */
void nv3_engine_kick(NV3DeviceState *s);
/*
 * Called with the lock held. nv3_engine_claim() must be called before a store to a
 * register. It returns true if the engine is idle. In this case, the caller must call
 * nv3_engine_direct() after the store, which executes work that the store has started.
 * @user: true after a store to a USER aperture.
 */
bool nv3_engine_claim(NV3DeviceState *s);
void nv3_engine_direct(NV3DeviceState *s, bool user);
/* Runs one slice of engine work, if there is any. Called with the lock held. */
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
/*
 * Maps the chip's memory window if @own is true, otherwise VGA's window. Called with
 * the BQL held.
 */
void nv3_vga_own_window(NV3DeviceState *s, bool own);

/*
 * nv3_ddc.c: the caller of nv3_ddc_set() holds the lock and the BQL. The caller of
 * nv3_ddc_get() holds at least the BQL.
 */
void nv3_ddc_init(NV3DeviceState *s);
void nv3_ddc_reset(NV3DeviceState *s);
void nv3_ddc_set(NV3DeviceState *s, bool scl, bool sda);
/* Returns the levels of the lines: SCL in bit 0, SDA in bit 1. */
uint8_t nv3_ddc_get(NV3DeviceState *s);
/* Returns true if the loaded state of the DDC lines is valid. */
bool nv3_ddc_valid(NV3DeviceState *s);
/* Restores the state of the I2C bus from the loaded state of the DDC lines. */
void nv3_ddc_loaded(NV3DeviceState *s);
/*
 * Sets the monitor's preferred mode to @width and @height, the size of the display's
 * window on the host. Does nothing if the properties xres and yres set the preferred
 * mode. Returns true if the preferred mode has changed.
 */
bool nv3_ddc_prefer(NV3DeviceState *s, uint32_t width, uint32_t height);

/* nv3_migration.c */
extern const VMStateDescription vmstate_nv3;
/* Completes vmstate_nv3. Must be called once, before the first use of vmstate_nv3. */
void nv3_migration_register(void);
/* Frees the image that remains after an unsuccessful load. */
void nv3_migration_exit(NV3DeviceState *s);

/* nv3_monitor.c */
void nv3_monitor_register(void);
/* Returns the value of the property `state`, the text that `info nv3` prints. */
char *nv3_monitor_state(Object *obj, Error **errp);

#endif
