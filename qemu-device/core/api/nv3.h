/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RIVA 128 as a library: what its host (QEMU's glue, a unit test, a fuzzer,
 * a benchmark) may call. Saving and loading are in nv3_state.h.
 *
 * The core has no lock of its own, and no thread but those that help nv3_run() to
 * draw triangles, if asked for: they work only while a call of it lasts. The host
 * calls every function here with one lock held (one a chip), but to read what is
 * NV3_READ_APART, from whatever thread it likes. Work that takes time, the PFIFO
 * pusher and puller and all of PGRAPH, happens in nv3_run() only; register accesses
 * never draw. So a host may run the engine on a thread of its own, and a test may run
 * it in line.
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
    NV3_LOG_GUEST_ERROR,    /* the guest did what no driver should */
    NV3_LOG_UNIMP,          /* a register or method not modelled yet */
    NV3_LOG_TRACE,          /* everything else worth a trace event */
} NV3LogLevel;

typedef enum NV3Timer {
    NV3_TIMER_ALARM,        /* PTIMER's alarm */
    NV3_TIMER_VBLANK,       /* start of the vertical blank */
    NV3_TIMER_COUNT,
} NV3Timer;

#define NV3_RASTER_THREADS_MAX  16

/*
 * SIMD levels. A level that the host lacks stands for the next lower one that it has
 * (nv3_simd_select()).
 */
typedef enum NV3Simd {
    NV3_SIMD_AUTO,          /* the highest that the host has */
    NV3_SIMD_SCALAR,
    NV3_SIMD_NEON,          /* of Arm64 */
    NV3_SIMD_AVX2,
    NV3_SIMD_AVX512,        /* F, BW, DQ, VL */
    NV3_SIMD_AVX512_VBMI2,  /* the same and VBMI2 */
    NV3_SIMD_COUNT
} NV3Simd;

typedef struct NV3Config {
    NV3Revision revision;
    uint32_t vram_size;     /* bytes: 2, 4 or 8 MiB (8 on revision C only) */
    bool virt;              /* has the PVIRT block */
    bool acpi;              /* device ID 0x0019; revision C only */
    /*
     * Bit n: PGRAPH is made without class n. Only what the chip has can be taken
     * away (nv3_classes()).
     */
    uint32_t without_classes;
    /*
     * What the DMA pusher has fetched is part of the saved state. A chip without
     * fetches it again when it is loaded.
     */
    bool save_prefetch;
    /*
     * Threads that draw triangles, that of nv3_run() included, up to
     * NV3_RASTER_THREADS_MAX. 0 and 1: no other. What is drawn does not depend on it.
     */
    unsigned raster_threads;
    /*
     * The SIMD level that draws triangles and some of 2D. What is drawn does not depend on
     * it.
     */
    NV3Simd simd;
} NV3Config;

/*
 * What the core asks of its host. Every callback runs on the thread that called into the
 * core, with the lock held, unless it reads NV3_READ_APART: that may come to clock_ns,
 * log, ddc_get and vga_read. A null callback is legal and does
 * nothing; reads then return all ones and DMA fails.
 */
typedef struct NV3Ops {
    /* Time in nanoseconds since the chip was made; never runs backwards. */
    uint64_t (*clock_ns)(void *opaque);
    /*
     * The time that the calling thread has worked, in nanoseconds: less than has
     * passed if the host had other things to do. Null: clock_ns is used.
     */
    uint64_t (*work_ns)(void *opaque);
    /* Call nv3_timer_expired(timer) at or after @ns; UINT64_MAX: never. */
    void (*timer_set)(void *opaque, NV3Timer timer, uint64_t ns);
    /* Bus master accesses; false when the bus refuses any byte of it. */
    bool (*dma_read)(void *opaque, uint32_t addr, void *buf, size_t len);
    bool (*dma_write)(void *opaque, uint32_t addr, const void *buf, size_t len);
    /* INTA: called only when the level changes. */
    void (*irq_set)(void *opaque, bool level);
    /* There is work for nv3_run(): wake the engine. */
    void (*kick)(void *opaque);
    /* Bytes of VRAM that the chip, not the CPU, has written. */
    void (*vram_dirty)(void *opaque, uint32_t offset, uint32_t len);
    /* The VGA behind PRMVIO and PRMCIO, by its port (0x3c0 to 0x3df). */
    uint8_t (*vga_read)(void *opaque, uint16_t port);
    void (*vga_write)(void *opaque, uint16_t port, uint8_t val);
    /*
     * The VGA's window is the chip's from here on (nv3_vga_mem_*() take its first 64
     * KiB), or plain VGA's again.
     */
    void (*vga_mem_own)(void *opaque, bool own);
    /* VGA's own, behind PRMFB too, offset 0 to 0x1ffff. */
    uint8_t (*vga_mem_read)(void *opaque, uint32_t offset);
    void (*vga_mem_write)(void *opaque, uint32_t offset, uint8_t val);
    /* Drive the DDC lines; read them back (bit 0 SCL, bit 1 SDA). */
    void (*ddc_set)(void *opaque, bool scl, bool sda);
    uint8_t (*ddc_get)(void *opaque);
    /* PCI configuration space behind PBUS; a byte of the option ROM. */
    uint8_t (*pci_config_read)(void *opaque, uint8_t offset);
    void (*pci_config_write)(void *opaque, uint8_t offset, uint8_t val);
    uint8_t (*rom_read)(void *opaque, uint32_t offset);
    /* printf-style; no newline. */
    void (*log)(void *opaque, NV3LogLevel level, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
} NV3Ops;

/* The graphics classes that silicon has: bit n is class n. */
uint32_t nv3_classes(void);

/* The level that the host uses when @allowed is asked for; never NV3_SIMD_AUTO. */
NV3Simd nv3_simd_select(NV3Simd allowed);
/* True if the host has this level; NV3_SIMD_AUTO: always. */
bool nv3_simd_available(NV3Simd simd);
/* A level's name: auto, scalar, neon, avx2, avx512, avx512vbmi2. */
const char *nv3_simd_name(NV3Simd simd);
/* The level of that name. False if there is none. */
bool nv3_simd_by_name(const char *name, NV3Simd *simd);

/*
 * Makes a chip, reset. @vram is @config->vram_size bytes that outlive it.
 * Returns NULL, and a sentence in @error if not null, for a bad configuration.
 */
NV3State *nv3_new(const NV3Config *config, const NV3Ops *ops, void *opaque,
                  uint8_t *vram, const char **error);
void nv3_free(NV3State *s);
/* Hardware reset; VRAM keeps its contents. */
void nv3_reset(NV3State *s);

/*
 * BAR0. @addr is a byte offset below 16 MiB, @size 1, 2 or 4; an access is
 * naturally aligned. Whatever the guest does is answered: unknown registers
 * read as zero and are logged.
 */
uint32_t nv3_mmio_read(NV3State *s, uint32_t addr, unsigned size);
void nv3_mmio_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/* How reading a register goes with what the engine is doing. */
typedef enum NV3ReadKind {
    /* Between two slices of nv3_run(), as any other access. */
    NV3_READ_PLAIN,
    /*
     * Software reads it until some work is done. Silicon has a few methods done by
     * the time that anybody can ask; so a host that has yet to run the engine
     * does so first, for one slice.
     */
    NV3_READ_AWAITS,
    /*
     * The engine neither changes what it says nor sees that it was read: it may be
     * read while nv3_run() is at work, by whoever keeps other accesses away.
     */
    NV3_READ_APART,
} NV3ReadKind;

NV3ReadKind nv3_mmio_read_kind(uint32_t addr);

/* RAMIN through BAR1 + 0xc00000; @addr below 1 MiB, as nv3_mmio_*. */
uint32_t nv3_ramin_read(NV3State *s, uint32_t addr, unsigned size);
void nv3_ramin_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/*
 * Legacy VGA ports, 0x3b0 to 0x3df: the chip must see every access first. True
 * when it took the access (extended CRTC registers, real-mode access, reads of
 * what it keeps itself); false: it is for plain VGA, too.
 */
bool nv3_vga_port_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_vga_port_write(NV3State *s, uint16_t port, uint8_t val);
/* An access of 32 bits at 0x3d0: true when real-mode access took it. */
bool nv3_rma_read_32(NV3State *s, uint32_t *val);
bool nv3_rma_write_32(NV3State *s, uint32_t val);
/*
 * VGA's window at 0xa0000, @offset below 128 KiB: the chip must see every access
 * first, too. False: it is for plain VGA.
 */
bool nv3_vga_mem_read(NV3State *s, uint32_t offset, uint8_t *val);
bool nv3_vga_mem_write(NV3State *s, uint32_t offset, uint8_t val);

void nv3_timer_expired(NV3State *s, NV3Timer timer);

/*
 * Runs the engine: at most @budget methods (a unit of work of microseconds, save
 * for a method that draws). Returns true when there is more to do, false when it
 * waits for the guest; kick() is called when that changes.
 */
bool nv3_run(NV3State *s, unsigned budget);
/*
 * The same for a caller that has only a few, again and again: a method that doesn't
 * draw takes less time than asking for the time, so it isn't counted as PVIRT's busy
 * time. What draws is.
 */
bool nv3_run_few(NV3State *s, unsigned budget);

/* What is on the screen. */
typedef enum NV3ScanoutFormat {
    NV3_SCANOUT_VGA,        /* the host's VGA shows its own modes */
    NV3_SCANOUT_C8,
    NV3_SCANOUT_X1R5G5B5,
    NV3_SCANOUT_R5G6B5,
    NV3_SCANOUT_X8R8G8B8,
} NV3ScanoutFormat;

typedef struct NV3Scanout {
    NV3ScanoutFormat format;
    uint32_t width, height; /* pixels; zero when the timing makes no picture */
    uint32_t offset;        /* byte in VRAM of the first pixel */
    uint32_t pitch;         /* bytes */
    uint32_t refresh_mhz;   /* thousandths of a frame a second */
    bool blank;
    bool direct;            /* the picture is VRAM as it is, but for the cursor: no
                               overlay or palette between */
    bool dac_8bit;          /* the palette has 8 bits a component; VGA: 6 */
    /*
     * The overlay's image: bytes of VRAM that lines [top, top + lines) of the
     * picture are made of besides their own. No lines: no overlay.
     */
    struct {
        uint32_t offset, bytes; /* not past VRAM's end */
        uint32_t top, lines;
    } overlay;
    /*
     * The hardware cursor, which nv3_scanout_line() draws while @on is set. A host that
     * shows it by itself clears @on. Part of it may lie outside the picture.
     */
    struct {
        bool on;
        int32_t x, y;
        uint32_t lines;     /* of the picture; it is NV3_CURSOR_SIZE pixels wide */
        uint32_t crc;       /* of its image */
    } cursor;
} NV3Scanout;

void nv3_scanout(NV3State *s, NV3Scanout *out);
/*
 * Draws line @y of the picture, overlay and cursor included, as x8r8g8b8 into
 * @dst (out->width pixels). Not for NV3_SCANOUT_VGA.
 */
void nv3_scanout_line(NV3State *s, const NV3Scanout *out, uint32_t y,
                      uint32_t *dst);
/* True once after the picture has changed otherwise than by VRAM or the cursor. */
bool nv3_scanout_changed(NV3State *s);
/*
 * The cursor's image as a8r8g8b8, NV3_CURSOR_SIZE lines of as many pixels. False when
 * some of it inverts what lies below, which an image cannot say.
 */
bool nv3_cursor_image(NV3State *s, uint32_t *argb);

/* Another monitor answers on the DDC lines: tells a driver that PVIRT has. */
void nv3_monitor_changed(NV3State *s);

/* One line a channel, cache and object: for a monitor's `info nv3`. */
void nv3_dump(NV3State *s, void (*line)(void *ctx, const char *text), void *ctx);

#endif
