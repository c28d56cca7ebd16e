/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RIVA 128 as a library: the functions that its host may call. A host is the QEMU
 * device, a unit test, a fuzzer or a benchmark. nv3_state.h saves and loads a chip.
 *
 * Locking. The core has no lock. The host calls every function from any thread, but holds
 * one lock per chip, except for reads of NV3_READ_LOCKLESS registers.
 *
 * Threads. PFIFO's pusher and puller and all of PGRAPH run inside nv3_run(). Register
 * accesses never draw. So a host may run the engine on a thread of its own, and a test
 * may run it in line. If the host asks for raster threads, they draw triangles during a
 * call of nv3_run() and sleep otherwise.
 */
#ifndef NV3_CORE_H
#define NV3_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct NV3State NV3State;

typedef enum NV3Revision {
    NV3_REVISION_A,
    NV3_REVISION_B,
    NV3_REVISION_C,
} NV3Revision;

typedef enum NV3LogLevel {
    NV3_LOG_GUEST_ERROR,    /* an access that is an error of the guest */
    NV3_LOG_UNIMP,          /* a register or method that is not modelled */
    NV3_LOG_TRACE,          /* other events */
} NV3LogLevel;

typedef enum NV3Timer {
    NV3_TIMER_ALARM,        /* PTIMER's alarm */
    NV3_TIMER_VBLANK,       /* start of the vertical blank */
    NV3_TIMER_COUNT,
} NV3Timer;

/* Kinds of events that the chip reports if nv3_set_events() has enabled them. */
typedef enum NV3EventKind {
    /* PGRAPH executes a method. */
    NV3_EVENT_METHOD,
    /*
     * The puller has stopped at a method, for the driver. @data is the method's, and
     * @detail is PULL_CTRL, which has the reason.
     */
    NV3_EVENT_STOP,
    /* PFIFO switches to @chid. @data is the channel before. */
    NV3_EVENT_CHANNEL,
    /* PGRAPH refuses a method, because it belongs to channel @detail. */
    NV3_EVENT_CONTEXT,
    /* A store has overflowed to RAMRO. @detail is the reason, NV3_RAMRO_*. */
    NV3_EVENT_RUNOUT,
    /* The DMA pusher begins or resumes at byte @detail, with @data bytes to read. */
    NV3_EVENT_BATCH,
    /* The DMA pusher has read all bytes. Methods may still be in CACHE1. */
    NV3_EVENT_BATCH_END,
    /* A notification has been written to slot @data. */
    NV3_EVENT_NOTIFY,
    /* Bits @data of an engine's INTR are set. @detail is the engine's bit of PMC_INTR. */
    NV3_EVENT_INTERRUPT,
    /*
     * PGRAPH executes the first method for this object: the previous method was for
     * another one, or STOP, CHANNEL, CONTEXT, BATCH or NOTIFY was reported since.
     */
    NV3_EVENT_OBJECT,
    NV3_EVENT_COUNT,
} NV3EventKind;

/* Members that an event does not have are 0. */
typedef struct NV3Event {
    NV3EventKind kind;
    uint32_t chid;
    uint32_t subch, mthd;   /* for METHOD, OBJECT, STOP, CONTEXT, RUNOUT */
    uint32_t class_id;      /* of METHOD, OBJECT */
    uint32_t data;
    uint32_t detail;
} NV3Event;

#define NV3_RASTER_THREADS_MAX  16

/*
 * SIMD levels. If the host lacks a level, the next lower one is used
 * (nv3_simd_select()).
 */
typedef enum NV3Simd {
    NV3_SIMD_AUTO,          /* the highest that the host has */
    NV3_SIMD_SCALAR,
    NV3_SIMD_NEON,          /* of Arm64 */
    NV3_SIMD_AVX2,
    NV3_SIMD_AVX512,        /* F, BW, DQ, VL */
    NV3_SIMD_AVX512_VBMI2,  /* AVX512's features and VBMI2 */
    NV3_SIMD_COUNT
} NV3Simd;

typedef struct NV3Config {
    NV3Revision revision;
    /*
     * Bytes: 2, 4 or 8 MiB (8 on revision C only), and with @programs also 16, 32 or 64
     * MiB. Only class 0x1F and DMA objects reach more than the first 8 MiB.
     */
    uint32_t vram_size;
    bool virt;              /* has the PVIRT block */
    bool acpi;              /* device ID 0x0019; revision C only */
    /*
     * PGRAPH has class 0x1F, vertex and fragment programs. Needs @virt.
     */
    bool programs;
    /*
     * Bit n: PGRAPH lacks class n. Only classes of the chip can be removed
     * (nv3_classes()).
     */
    uint32_t without_classes;
    /*
     * The saved state includes the words that the DMA pusher has fetched. Without
     * them, a loaded chip fetches the words again.
     */
    bool save_prefetch;
    /*
     * Number of threads that draw triangles, including the thread of nv3_run(), up to
     * NV3_RASTER_THREADS_MAX. With 0 or 1 there are no other threads. The picture does
     * not depend on the number.
     */
    unsigned raster_threads;
    /*
     * The SIMD level that draws triangles and some 2D operations. The picture does not
     * depend on it.
     */
    NV3Simd simd;
} NV3Config;

/*
 * The host's side. The core calls each function on the thread that called into the core,
 * with the lock held. Only clock_ns, log, ddc_get and vga_read may also be called without
 * the lock, during a read of an NV3_READ_LOCKLESS register. A null function is valid and
 * does nothing: reads then return all ones, and DMA fails.
 */
typedef struct NV3Ops {
    /* Time */

    /* Nanoseconds since the chip was created. Never runs backwards. */
    uint64_t (*clock_ns)(void *opaque);
    /*
     * Nanoseconds for which the calling thread has run, without the time in which the
     * host ran other threads. Null: clock_ns is used.
     */
    uint64_t (*work_ns)(void *opaque);
    /* Calls nv3_timer_expired(timer) at or after @ns. UINT64_MAX: never. */
    void (*timer_set)(void *opaque, NV3Timer timer, uint64_t ns);

    /* The bus */

    /* Bus master accesses. Return false if the bus refuses any byte. */
    bool (*dma_read)(void *opaque, uint32_t addr, void *buf, size_t len);
    bool (*dma_write)(void *opaque, uint32_t addr, const void *buf, size_t len);
    /* INTA. Called only when the level changes. */
    void (*irq_set)(void *opaque, bool level);
    /* PCI configuration space behind PBUS, and a byte of the option ROM. */
    uint8_t (*pci_config_read)(void *opaque, uint8_t offset);
    void (*pci_config_write)(void *opaque, uint8_t offset, uint8_t val);
    uint8_t (*rom_read)(void *opaque, uint32_t offset);

    /* The engine */

    /* Wakes the engine, because nv3_run() has work to do. */
    void (*kick)(void *opaque);
    /* Reports that the chip, and not the CPU, has written these bytes of VRAM. */
    void (*vram_dirty)(void *opaque, uint32_t offset, uint32_t len);

    /* The display */

    /*
     * Accesses VGA's registers behind PRMVIO and PRMCIO by their port (0x3c0 to 0x3df).
     */
    uint8_t (*vga_read)(void *opaque, uint16_t port);
    void (*vga_write)(void *opaque, uint16_t port, uint8_t val);
    /*
     * Assigns VGA's memory aperture to the chip (@own), so that nv3_vga_mem_*() handle
     * its first 64 KiB, or returns it to plain VGA.
     */
    void (*vga_mem_own)(void *opaque, bool own);
    /* Accesses VGA's own memory, also for PRMFB. Offsets are 0 to 0x1ffff. */
    uint8_t (*vga_mem_read)(void *opaque, uint32_t offset);
    void (*vga_mem_write)(void *opaque, uint32_t offset, uint8_t val);
    /* Drive the DDC lines, and read them back (bit 0 SCL, bit 1 SDA). */
    void (*ddc_set)(void *opaque, bool scl, bool sda);
    uint8_t (*ddc_get)(void *opaque);

    /* Reports an event that nv3_set_events() has enabled. */
    void (*event)(void *opaque, const NV3Event *event);
    /* Logs a message in the style of printf(), without a newline. */
    void (*log)(void *opaque, NV3LogLevel level, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
} NV3Ops;

/**
 * nv3_classes: the graphics classes of real chips
 *
 * Returns: a mask whose bit n is class n. Class 0x1F, which NV3Config.programs adds, is
 * not in it.
 */
uint32_t nv3_classes(void);

/**
 * nv3_simd_select: the SIMD level that a configuration results in
 * @allowed: a level, or NV3_SIMD_AUTO for the highest
 *
 * Returns: @allowed if the host has it, otherwise the next lower level that the host has.
 * Never NV3_SIMD_AUTO.
 */
NV3Simd nv3_simd_select(NV3Simd allowed);

/**
 * nv3_simd_available: whether the host has a SIMD level
 * @simd: the level
 *
 * Returns: true if the host has it. NV3_SIMD_AUTO is always available.
 */
bool nv3_simd_available(NV3Simd simd);

/**
 * nv3_simd_name: a level's name
 * @simd: the level
 *
 * Returns: auto, scalar, neon, avx2, avx512 or avx512vbmi2.
 */
const char *nv3_simd_name(NV3Simd simd);

/**
 * nv3_simd_by_name: the level of a name
 * @name: a name as nv3_simd_name() returns it
 * @simd: set to the level
 *
 * Returns: false if no level has this name.
 */
bool nv3_simd_by_name(const char *name, NV3Simd *simd);

/**
 * nv3_new: makes a chip and resets it
 * @config: how the chip is made
 * @ops: the host's functions
 * @opaque: the first argument of these functions
 * @vram: @config->vram_size bytes that outlive the chip
 * @error: set to a sentence on failure; may be null
 *
 * Returns: the chip, or NULL if @config is not valid or memory is exhausted.
 */
NV3State *nv3_new(const NV3Config *config, const NV3Ops *ops, void *opaque,
                  uint8_t *vram, const char **error);

/**
 * nv3_free: frees a chip
 * @s: the chip, or NULL
 */
void nv3_free(NV3State *s);

/**
 * nv3_reset: does a hardware reset; VRAM keeps its contents
 * @s: the chip
 */
void nv3_reset(NV3State *s);

/**
 * nv3_mmio_read: reads a register of BAR0
 * @s: the chip
 * @addr: byte offset, below 16 MiB; rounded down to a multiple of @size
 * @size: 1, 2 or 4 bytes
 *
 * Every access succeeds. An unknown register reads as zero and is logged.
 *
 * Returns: the value.
 */
uint32_t nv3_mmio_read(NV3State *s, uint32_t addr, unsigned size);

/**
 * nv3_mmio_write: writes a register of BAR0
 * @s: the chip
 * @addr: byte offset, below 16 MiB; rounded down to a multiple of @size
 * @val: the value
 * @size: 1, 2 or 4 bytes
 *
 * Every access succeeds. A write to an unknown register is ignored and logged.
 */
void nv3_mmio_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/* How a read of a register is ordered with the engine's work. */
typedef enum NV3ReadKind {
    /* Between two slices of nv3_run(), as any other access. */
    NV3_READ_PLAIN,
    /*
     * Software polls the register until work has completed. On silicon a few methods
     * complete before any software can read the register, so a host first runs
     * the engine for one slice if it has work.
     */
    NV3_READ_SYNCHRONOUS,
    /*
     * The engine neither changes the value nor depends on the read. The register may be
     * read during nv3_run(), without the lock, by a caller that excludes other accesses
     * to registers.
     */
    NV3_READ_LOCKLESS,
} NV3ReadKind;

/**
 * nv3_mmio_read_kind: how a read of a register is ordered with the engine's work
 * @addr: byte offset in BAR0
 *
 * Returns: the kind. Needs no lock.
 */
NV3ReadKind nv3_mmio_read_kind(uint32_t addr);

/*
 * Access RAMIN, which BAR1 contains from 0xc00000 on. @addr is below 1 MiB.
 * Otherwise like nv3_mmio_*().
 */
uint32_t nv3_ramin_read(NV3State *s, uint32_t addr, unsigned size);
void nv3_ramin_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/*
 * Accesses legacy VGA ports, 0x3b0 to 0x3df. The host passes every access to the chip
 * first. Returns true if the chip has handled it (extended CRTC registers, real-mode
 * access, reads of registers that the chip keeps). Returns false if plain VGA must
 * handle it as well.
 */
bool nv3_vga_port_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_vga_port_write(NV3State *s, uint16_t port, uint8_t val);
/* Accesses 32 bits at port 0x3d0. Returns true if real-mode access has handled it. */
bool nv3_rma_read_32(NV3State *s, uint32_t *val);
bool nv3_rma_write_32(NV3State *s, uint32_t val);
/*
 * Accesses VGA's memory aperture at 0xa0000. @offset is below 128 KiB. The host passes
 * every access to the chip first. Returns false if plain VGA must handle it.
 */
bool nv3_vga_mem_read(NV3State *s, uint32_t offset, uint8_t *val);
bool nv3_vga_mem_write(NV3State *s, uint32_t offset, uint8_t val);

/**
 * nv3_timer_expired: a timer that timer_set() of NV3Ops has set is due
 * @s: the chip
 * @timer: which timer
 */
void nv3_timer_expired(NV3State *s, NV3Timer timer);

/**
 * nv3_run: runs the engine for one slice of work
 * @s: the chip
 * @budget: methods at most; a method that does not draw takes less than a microsecond
 *
 * Returns: true if there is more to do. False if the engine waits for the guest; kick()
 * of NV3Ops is called when it can continue.
 */
bool nv3_run(NV3State *s, unsigned budget);

/**
 * nv3_run_untimed: nv3_run() for a caller with few methods per call
 * @s: the chip
 * @budget: methods at most
 *
 * Methods that do not draw are not counted as PVIRT's busy time, as a read of the clock
 * would take longer than they do.
 *
 * Returns: as nv3_run().
 */
bool nv3_run_untimed(NV3State *s, unsigned budget);

/**
 * nv3_finish_drawing: writes to VRAM what methods so far have drawn
 * @s: the chip, outside of nv3_run()
 *
 * To be called before VRAM is saved, because the saved state does not include triangles
 * that wait to be drawn. Draws all of them, without a time limit.
 */
void nv3_finish_drawing(NV3State *s);

/**
 * nv3_set_events: selects the events that the chip reports
 * @s: the chip
 * @kinds: bit n: NV3EventKind n; initially 0
 *
 * Events do not change what the chip does. With METHOD, vertices of class 0x17 are
 * executed word by word, which is slower.
 */
void nv3_set_events(NV3State *s, uint32_t kinds);

/**
 * nv3_time: the time that notifications contain
 * @s: the chip
 *
 * Returns: PTIMER's time in nanoseconds.
 */
uint64_t nv3_time(NV3State *s);

/**
 * nv3_counter: a performance counter, whether or not the chip has PVIRT
 * @s: the chip
 * @counter: NV3_PVIRT_COUNTER_*
 */
uint64_t nv3_counter(const NV3State *s, unsigned counter);

/* The picture on the screen. */
typedef enum NV3ScanoutFormat {
    NV3_SCANOUT_VGA,        /* the host's VGA shows its own modes */
    NV3_SCANOUT_C8,
    NV3_SCANOUT_X1R5G5B5,
    NV3_SCANOUT_R5G6B5,
    NV3_SCANOUT_X8R8G8B8,
} NV3ScanoutFormat;

typedef struct NV3Scanout {
    NV3ScanoutFormat format;
    uint32_t width, height; /* pixels; zero if the timing generates no picture */
    uint32_t offset;        /* byte in VRAM of the first pixel */
    uint32_t pitch;         /* bytes */
    uint32_t refresh_mhz;   /* in thousandths of a frame per second */
    bool blank;
    /* The picture is VRAM without overlay or palette. Only the cursor is added. */
    bool direct;
    bool dac_8bit;          /* the palette has 8 bits per component, not VGA's 6 */
    /*
     * The overlay's memory: lines [top, top + lines) of the picture also depend on
     * these bytes. Without an overlay @lines is 0.
     */
    struct {
        uint32_t offset, bytes; /* within VRAM */
        uint32_t top, lines;
    } overlay;
    /*
     * The hardware cursor. nv3_scanout_line() draws it while @on is set. A host that
     * shows the cursor by itself clears @on. Part of the cursor may lie outside the
     * picture.
     */
    struct {
        bool on;
        int32_t x, y;
        /* rows of the picture; the cursor is NV3_CURSOR_SIZE pixels wide */
        uint32_t lines;
        uint32_t crc;       /* CRC of the cursor's image */
    } cursor;
} NV3Scanout;

void nv3_scanout(NV3State *s, NV3Scanout *out);
/*
 * Draws line @y of the picture with overlay and cursor as x8r8g8b8 into @dst
 * (out->width pixels). Must not be called for NV3_SCANOUT_VGA.
 */
void nv3_scanout_line(NV3State *s, const NV3Scanout *out, uint32_t y,
                      uint32_t *dst);
/*
 * Returns true if the picture has changed since the last call, other than by writes to
 * VRAM or changes of the cursor.
 */
bool nv3_scanout_changed(NV3State *s);
/*
 * Stores the cursor's image as a8r8g8b8, with NV3_CURSOR_SIZE lines of as many pixels.
 * Returns false if part of it inverts the pixels below, which an image cannot express.
 */
bool nv3_cursor_image(NV3State *s, uint32_t *argb);

/* Tells the driver, by PVIRT, that another monitor responds on the DDC lines. */
void nv3_monitor_changed(NV3State *s);

/*
 * Prints one line for each channel, cache and object, for the monitor command `info
 * nv3`.
 */
void nv3_dump(NV3State *s, void (*line)(void *ctx, const char *text), void *ctx);

#endif
