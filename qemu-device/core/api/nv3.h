/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RIVA 128 as a library: the functions that a host calls. A host is the QEMU device,
 * a unit test, a fuzzer or a benchmark. nv3_state.h declares the functions that save and
 * load a chip.
 *
 * Locking. The core has no lock. The host can call the functions from any thread, but
 * must serialize all calls for a chip with its own lock. Only reads of NV3_READ_LOCKLESS
 * registers do not need this lock.
 *
 * Threads. PFIFO's pusher and puller and all of PGRAPH run inside nv3_run(). Register
 * accesses never draw. A host can therefore run the engine in a separate thread, or in
 * the thread that accesses registers. Raster threads (NV3Config.raster_threads) draw
 * triangles during a call of nv3_run(). Those of class 0x1F may also write VRAM between
 * two calls, until nv3_finish_drawing() or another function has waited for them.
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
    NV3_LOG_GUEST_ERROR,    /* an access by the guest is invalid */
    NV3_LOG_UNIMP,          /* the model lacks the register or method */
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
     * The puller has stopped at a method that the driver must handle. @data is the
     * method's argument, and @detail is PULL_CTRL, which contains the reason.
     */
    NV3_EVENT_STOP,
    /* PFIFO switches to channel @chid. @data is the previous channel. */
    NV3_EVENT_CHANNEL,
    /* PGRAPH does not accept a method of @chid, because channel @detail owns PGRAPH. */
    NV3_EVENT_CONTEXT,
    /* A store has overflowed to RAMRO. @detail is the reason, NV3_RAMRO_*. */
    NV3_EVENT_RUNOUT,
    /*
     * The DMA pusher begins or resumes a batch. @detail is the value of GET, and @data is
     * the number of bytes left to read.
     */
    NV3_EVENT_BATCH,
    /*
     * The DMA pusher has read all bytes of the batch. The last methods may still be in
     * CACHE1.
     */
    NV3_EVENT_BATCH_END,
    /*
     * A notification has been written. @data is its index. @detail is 1 if PGRAPH also
     * raises the interrupt NOTIFY.
     */
    NV3_EVENT_NOTIFY,
    /*
     * An engine sets the bits @data in its register INTR. @detail is its bit in PMC_INTR.
     */
    NV3_EVENT_INTERRUPT,
    /*
     * PGRAPH executes a method of an object that differs from the previous method's
     * object. This event also reports the first method after a STOP, CHANNEL, CONTEXT,
     * BATCH or NOTIFY event.
     */
    NV3_EVENT_OBJECT,
    NV3_EVENT_COUNT,
} NV3EventKind;

/* Members that an event does not use are 0. */
typedef struct NV3Event {
    NV3EventKind kind;
    uint32_t chid;
    uint32_t subch, mthd;   /* METHOD, OBJECT, STOP, CONTEXT, RUNOUT */
    uint32_t class_id;      /* METHOD, OBJECT */
    uint32_t data;
    uint32_t detail;
} NV3Event;

#define NV3_RASTER_THREADS_MAX  16

/* SIMD levels. nv3_simd_select() selects a level that the host supports. */
typedef enum NV3Simd {
    NV3_SIMD_AUTO,          /* the host's highest level */
    NV3_SIMD_SCALAR,
    NV3_SIMD_NEON,          /* only on Arm64 */
    NV3_SIMD_AVX2,
    NV3_SIMD_AVX512,        /* AVX512 F, BW, DQ and VL */
    NV3_SIMD_AVX512_VBMI2,  /* AVX512 F, BW, DQ, VL and VBMI2 */
    NV3_SIMD_COUNT
} NV3Simd;

typedef struct NV3Config {
    NV3Revision revision;
    /*
     * Size of VRAM in bytes: 2, 4 or 8 MiB, and with @programs also 16, 32 or 64 MiB.
     * Sizes of 8 MiB and more require revision C. Surfaces and the display can address
     * only the first 8 MiB. Class 0x1F and DMA objects can address all of VRAM.
     */
    uint32_t vram_size;
    bool virt;              /* has the PVIRT block */
    bool acpi;              /* device ID 0x0019; revision C only */
    /* PGRAPH has class 0x1F, vertex and fragment programs. Requires @virt. */
    bool programs;
    /*
     * Mask of removed classes. Bit n removes class n, which must be in the mask that
     * nv3_classes() returns.
     */
    uint32_t without_classes;
    /*
     * If true, the saved state includes the words that the DMA pusher has fetched. If
     * false, the chip fetches these words again after a load.
     */
    bool save_prefetch;
    /*
     * Number of threads that draw triangles, including the thread that calls nv3_run().
     * The maximum is NV3_RASTER_THREADS_MAX. With 0 or 1, only the calling thread draws.
     * The drawn pixels do not depend on this number.
     */
    unsigned raster_threads;
    /* Maximum SIMD level for drawing. The drawn pixels do not depend on this level. */
    NV3Simd simd;
} NV3Config;

/*
 * The functions that the host provides. The core calls these functions in the thread that
 * has called the core, with the host's lock held. As an exception, a read of an
 * NV3_READ_LOCKLESS register may call clock_ns, log, ddc_get and vga_read without the
 * lock. Each function may be null. If a function that reads is null, the core uses a
 * value of all ones instead. If dma_read or dma_write is null, accesses as bus master
 * fail.
 */
typedef struct NV3Ops {
    /* Time */

    /* Returns a monotonic time in nanoseconds. */
    uint64_t (*clock_ns)(void *opaque);
    /*
     * Returns the CPU time of the calling thread in nanoseconds. If null, the core calls
     * clock_ns instead.
     */
    uint64_t (*work_ns)(void *opaque);
    /*
     * Asks the host to call nv3_timer_expired() for @timer at time @ns. Replaces an
     * earlier request for this timer. If @ns is UINT64_MAX, only cancels the earlier
     * request.
     */
    void (*timer_set)(void *opaque, NV3Timer timer, uint64_t ns);

    /* The bus */

    /* Access memory as bus master. Return false if the access to any byte fails. */
    bool (*dma_read)(void *opaque, uint32_t addr, void *buf, size_t len);
    bool (*dma_write)(void *opaque, uint32_t addr, const void *buf, size_t len);
    /* Sets the level of INTA. Called only if the level changes. */
    void (*irq_set)(void *opaque, bool level);
    /* Access the PCI configuration space, and read a byte of the option ROM. */
    uint8_t (*pci_config_read)(void *opaque, uint8_t offset);
    void (*pci_config_write)(void *opaque, uint8_t offset, uint8_t val);
    uint8_t (*rom_read)(void *opaque, uint32_t offset);

    /* The engine */

    /* Asks the host to call nv3_run(), because the engine may have work. */
    void (*kick)(void *opaque);
    /* Reports that the chip has written @len bytes at @offset of VRAM. */
    void (*vram_dirty)(void *opaque, uint32_t offset, uint32_t len);

    /* The display */

    /*
     * Access a port of the host's VGA, 0x3b0 to 0x3df. Called when software accesses this
     * port through PRMCIO, PRMVIO or USER_DAC.
     */
    uint8_t (*vga_read)(void *opaque, uint16_t port);
    void (*vga_write)(void *opaque, uint16_t port, uint8_t val);
    /*
     * Assigns VGA's memory aperture to the chip if @own is true, otherwise to the host's
     * VGA. If the chip owns the aperture, nv3_vga_mem_*() handle accesses to its first 64
     * KiB.
     */
    void (*vga_mem_own)(void *opaque, bool own);
    /*
     * Access the memory of the host's VGA. Called when software accesses this memory
     * through PRMFB. @offset: 0 to 0x1ffff.
     */
    uint8_t (*vga_mem_read)(void *opaque, uint32_t offset);
    void (*vga_mem_write)(void *opaque, uint32_t offset, uint8_t val);
    /* Drive and read the DDC lines. Reads return SCL in bit 0 and SDA in bit 1. */
    void (*ddc_set)(void *opaque, bool scl, bool sda);
    uint8_t (*ddc_get)(void *opaque);

    /* Reports an event that nv3_set_events() has enabled. */
    void (*event)(void *opaque, const NV3Event *event);
    /* Logs a message in the style of printf(), without a newline. */
    void (*log)(void *opaque, NV3LogLevel level, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
} NV3Ops;

/**
 * nv3_classes: returns the graphics classes of real chips
 *
 * Returns: a mask in which bit n stands for class n. The mask does not include class
 * 0x1F, which NV3Config.programs adds.
 */
uint32_t nv3_classes(void);

/**
 * nv3_simd_select: returns the SIMD level that a chip uses
 * @allowed: NV3Config.simd
 *
 * Returns: the highest level up to @allowed that the host supports. Does not return
 * NV3_SIMD_AUTO.
 */
NV3Simd nv3_simd_select(NV3Simd allowed);

/**
 * nv3_simd_available: checks whether the host supports a SIMD level
 * @simd: the level
 *
 * Returns: true if the host supports the level. NV3_SIMD_AUTO is always available.
 */
bool nv3_simd_available(NV3Simd simd);

/**
 * nv3_simd_name: returns the name of a SIMD level
 * @simd: the level
 *
 * Returns: auto, scalar, neon, avx2, avx512 or avx512vbmi2.
 */
const char *nv3_simd_name(NV3Simd simd);

/**
 * nv3_simd_by_name: finds a SIMD level by its name
 * @name: a name, as returned by nv3_simd_name()
 * @simd: set to the level
 *
 * Returns: false if no level has this name.
 */
bool nv3_simd_by_name(const char *name, NV3Simd *simd);

/**
 * nv3_new: creates a chip and resets it
 * @config: the configuration
 * @ops: the host's functions
 * @opaque: the first argument of the host's functions
 * @vram: @config->vram_size bytes, which must stay valid until nv3_free()
 * @error: set to an error message on failure; may be null
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
 * nv3_reset: executes a hardware reset, which does not change VRAM
 * @s: the chip
 */
void nv3_reset(NV3State *s);

/**
 * nv3_mmio_read: reads a register of BAR0
 * @s: the chip
 * @addr: byte offset, below 16 MiB; rounded down to a multiple of @size
 * @size: 1, 2 or 4 bytes
 *
 * Every access succeeds. A read of an unknown register returns 0 and is logged.
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

/* How the host must order a register read and the engine's work. */
typedef enum NV3ReadKind {
    /* Like all other accesses, the read must occur between two slices of nv3_run(). */
    NV3_READ_PLAIN,
    /*
     * Software polls the register to wait until work has completed. On silicon, a few
     * methods complete before software can read the register. If the engine has work, the
     * host must therefore call nv3_run() for one slice before the read.
     */
    NV3_READ_SYNCHRONOUS,
    /*
     * The engine does not change the register's value, so the host may read the register
     * without the lock, even during nv3_run(). No other register access may occur at the
     * same time.
     */
    NV3_READ_LOCKLESS,
} NV3ReadKind;

/**
 * nv3_mmio_read_kind: returns the ordering that a register read requires
 * @addr: byte offset in BAR0
 *
 * The caller needs no lock.
 *
 * Returns: the kind.
 */
NV3ReadKind nv3_mmio_read_kind(uint32_t addr);

/*
 * Access RAMIN, which is at 0xc00000 of BAR1. @addr: offset in RAMIN, below 1 MiB. @size
 * and the alignment of @addr are as in nv3_mmio_*().
 */
uint32_t nv3_ramin_read(NV3State *s, uint32_t addr, unsigned size);
void nv3_ramin_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/*
 * Access a legacy VGA port, 0x3b0 to 0x3df. The host must call these functions for every
 * access, before its own VGA handles the access. They return true if the chip has
 * completed the access. The chip completes accesses to extended CRTC registers, real-mode
 * accesses, and reads of registers that the chip stores. The functions return false if
 * the host's VGA must handle the access, too.
 */
bool nv3_vga_port_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_vga_port_write(NV3State *s, uint16_t port, uint8_t val);
/*
 * Access the 32-bit port 0x3d0 of real-mode access. Return false if real-mode access is
 * disabled. The host must then access the four 8-bit ports 0x3d0 to 0x3d3 instead.
 */
bool nv3_rma_read_32(NV3State *s, uint32_t *val);
bool nv3_rma_write_32(NV3State *s, uint32_t val);
/*
 * Access VGA's memory aperture at 0xa0000. @offset: below 128 KiB. The host must call
 * these functions for every access. If the host's VGA must handle the access, the
 * functions return false without an effect.
 */
bool nv3_vga_mem_read(NV3State *s, uint32_t offset, uint8_t *val);
bool nv3_vga_mem_write(NV3State *s, uint32_t offset, uint8_t val);

/**
 * nv3_timer_expired: handles the expiry of a timer of NV3Ops.timer_set()
 * @s: the chip
 * @timer: the expired timer
 */
void nv3_timer_expired(NV3State *s, NV3Timer timer);

/**
 * nv3_run: runs the engine for one slice of work
 * @s: the chip
 * @budget: maximum number of methods; a method that does not draw takes less than a
 * microsecond
 *
 * Returns: true if work is left. If false, the engine waits for the guest, and the core
 * calls NV3Ops.kick() when the engine can continue.
 */
bool nv3_run(NV3State *s, unsigned budget);

/**
 * nv3_run_untimed: like nv3_run(), but measures only the time of methods that draw
 * @s: the chip
 * @budget: maximum number of methods
 *
 * Reading the clock would take longer than executing a method that does not draw. PVIRT's
 * busy time therefore does not include the time of such methods.
 *
 * Returns: see nv3_run().
 */
bool nv3_run_untimed(NV3State *s, unsigned budget);

/**
 * nv3_finish_drawing: completes all deferred drawing, however long it takes
 * @s: the chip, outside of nv3_run()
 *
 * The saved state does not include deferred triangles. The host must therefore call this
 * function before it saves VRAM. Afterwards, no raster thread draws until nv3_run() is
 * called.
 */
void nv3_finish_drawing(NV3State *s);

/**
 * nv3_set_events: selects the events that the chip reports
 * @s: the chip
 * @kinds: mask in which bit n enables NV3EventKind n; initially 0
 *
 * Events do not affect the results of methods. NV3_EVENT_METHOD slows down class 0x17,
 * because the chip then executes vertices word by word.
 */
void nv3_set_events(NV3State *s, uint32_t kinds);

/**
 * nv3_time: returns the time that notifications contain
 * @s: the chip
 *
 * Returns: PTIMER's time in nanoseconds.
 */
uint64_t nv3_time(NV3State *s);

/**
 * nv3_counter: returns a performance counter, even if the chip has no PVIRT
 * @s: the chip
 * @counter: NV3_PVIRT_COUNTER_*
 */
uint64_t nv3_counter(const NV3State *s, unsigned counter);

/* Formats of the pixels on the screen. */
typedef enum NV3ScanoutFormat {
    NV3_SCANOUT_VGA,        /* the host's VGA shows a VGA mode */
    NV3_SCANOUT_C8,
    NV3_SCANOUT_X1R5G5B5,
    NV3_SCANOUT_R5G6B5,
    NV3_SCANOUT_X8R8G8B8,
} NV3ScanoutFormat;

typedef struct NV3Scanout {
    NV3ScanoutFormat format;
    uint32_t width, height; /* pixels; zero if the timing generates no picture */
    uint32_t offset;        /* address of the first pixel in VRAM, in bytes */
    uint32_t pitch;         /* bytes */
    uint32_t refresh_mhz;   /* frames per second, times 1000 */
    bool blank;
    /*
     * Apart from the cursor, the picture is a copy of pixels in VRAM, without gamma or
     * overlay.
     */
    bool direct;
    bool dac_8bit;          /* the palette has 8 bits per component; false: 6 bits */
    /*
     * The range of VRAM that the overlay may read, and the lines of the picture that the
     * overlay covers, [top, top + lines). Without an overlay @lines is 0.
     */
    struct {
        uint32_t offset, bytes; /* within VRAM */
        uint32_t top, lines;
    } overlay;
    /*
     * The hardware cursor. nv3_scanout_line() draws the cursor if @on is set. A host that
     * shows the cursor itself must clear @on. A part of the cursor may be outside the
     * picture.
     */
    struct {
        bool on;
        int32_t x, y;
        uint32_t lines;     /* height; the width is NV3_CURSOR_SIZE pixels */
        uint32_t crc;       /* CRC of the cursor's image */
    } cursor;
} NV3Scanout;

void nv3_scanout(NV3State *s, NV3Scanout *out);
/*
 * Draws line @y of the picture, including overlay and cursor, to @dst, as out->width
 * pixels of format x8r8g8b8. For NV3_SCANOUT_VGA the line is black.
 */
void nv3_scanout_line(NV3State *s, const NV3Scanout *out, uint32_t y,
                      uint32_t *dst);
/*
 * Returns true if the picture has changed since the last call. Changes of VRAM and of the
 * cursor are not considered.
 */
bool nv3_scanout_changed(NV3State *s);
/*
 * Stores the cursor's image, NV3_CURSOR_SIZE x NV3_CURSOR_SIZE pixels, as a8r8g8b8.
 * Returns false if a pixel of the cursor inverts the picture, because this format cannot
 * express an inversion.
 */
bool nv3_cursor_image(NV3State *s, uint32_t *argb);

/*
 * Raises the interrupt by which PVIRT reports that the monitor on the DDC lines has
 * changed.
 */
void nv3_monitor_changed(NV3State *s);

/*
 * Calls @line with @ctx and one line of text for each channel, cache and object. Used by
 * the monitor command `info nv3`.
 */
void nv3_dump(NV3State *s, void (*line)(void *ctx, const char *text), void *ctx);

#endif
