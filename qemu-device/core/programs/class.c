/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connects the implementation of class 0x1f (programs.h) with PGRAPH, DMA objects,
 * interrupts and context images.
 *
 * A context image holds little-endian words: its version, the instance of the DMA
 * object, and the words of NV3ProgramsContext. An image whose first word is 0
 * represents the initial state.
 */
#include <stdlib.h>

#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/state_table.h"
#include "graph/dmaobj.h"
#include "graph/job.h"
#include "graph/pgraph.h"
#include "programs/class.h"
#include "programs/programs.h"

/*
 * Version of the image. Older device models, without multisampling, store version 1.
 */
#define IMAGE_VERSION   2u
#define IMAGE_CONTEXT   2           /* the context's first word */
#define IMAGE_WORDS     NV3_PROGRAMS_IMAGE_WORDS
#define IMAGE_PAGE      4096u

/* Without padding, the structure has the same layout on every host. */
_Static_assert(sizeof(NV3ProgramsContext) == (IMAGE_WORDS - IMAGE_CONTEXT) * 4,
               "an image consists of its header and the words of a context");

_Static_assert(NV3_PM_FEATURE_MULTISAMPLE == NV3_PVIRT_FEATURE_MULTISAMPLE,
               "userspace knows the bit from nv3_programs.h");

struct NV3ProgramsUnit {
    NV3State *chip;
    NV3Programs *programs;
    uint32_t inst;          /* DMA object that previous methods used */
    /* the last failed access; the reason is 0 if there was none */
    NV3Fault fault;
#ifdef NV3_COUNT_STEPS
    NV3ProgramsCounters counters;
#endif
};

/* ---- memory ------------------------------------------------------------------ */

static uint8_t *unit_map(void *opaque, uint32_t offset, uint32_t len, bool write)
{
    struct NV3ProgramsUnit *u = opaque;

    return nv3_dmaobj_map(u->chip, u->inst, offset, len, write);
}

static bool unit_read(void *opaque, uint32_t offset, void *to, uint32_t len)
{
    struct NV3ProgramsUnit *u = opaque;

    if (!nv3_dmaobj_read(u->chip, u->inst, offset, to, len, &u->fault)) {
        return false;
    }
    /* If an earlier read has failed, this read replaces it. */
    u->fault.reason = 0;
    return true;
}

static bool unit_write(void *opaque, uint32_t offset, const void *from, uint32_t len)
{
    struct NV3ProgramsUnit *u = opaque;

    return nv3_dmaobj_write(u->chip, u->inst, offset, from, len, &u->fault);
}

static void unit_dirty(void *opaque, const uint8_t *from, uint32_t len)
{
    struct NV3ProgramsUnit *u = opaque;

    nv3_vram_dirty(u->chip, from - u->chip->vram, len);
}

static uint64_t unit_clock(void *opaque)
{
    struct NV3ProgramsUnit *u = opaque;

    return nv3_clock(u->chip);
}

/* ---- the engines -------------------------------------------------------------- */

static NV3ProgramsContext *image_context(uint32_t *image)
{
    return (NV3ProgramsContext *)(image + IMAGE_CONTEXT);
}

/*
 * Loads the context from @image, or the initial state if the image's first word is 0.
 * @address is the address of the image, which identifies the context. Returns false if
 * the image is not valid.
 */
static bool load_words(struct NV3ProgramsUnit *u, uint32_t *image, uint32_t address)
{
    NV3ProgramsContext *context = image_context(image);

    u->inst = image[1] & 0xffff;
    if (!image[0]) {
        nv3_programs_reset(context);
    } else if (image[0] == 1) {
        context->method[NV3_PM_MULTISAMPLE_CONTROL / 4] = NV3_PROGRAMS_MULTISAMPLE;
        context->method[NV3_PM_SURFACE_FORMAT / 4] &= ~NV3_PM_FORMAT_SAMPLES;
    }
    return image[0] <= IMAGE_VERSION &&
           nv3_programs_load(u->programs, context, address, !image[0]);
}

static void save_words(struct NV3ProgramsUnit *u, uint32_t *image)
{
    nv3_programs_save(u->programs, image_context(image));
    image[0] = IMAGE_VERSION;
    image[1] = u->inst;
}

/* Returns the unit, or null if memory is exhausted. The first call creates the unit. */
static struct NV3ProgramsUnit *get_unit(NV3State *s)
{
    const unsigned threads = s->config.raster_threads;
    NV3ProgramsMemory memory = {
        .map = unit_map, .read = unit_read, .write = unit_write, .dirty = unit_dirty,
        .clock = unit_clock,
    };
    struct NV3ProgramsUnit *u = s->pgraph.programs;

    if (u) {
        return u;
    }
    u = calloc(1, sizeof(*u));
    if (!u) {
        return NULL;
    }
    memory.opaque = u;
    u->chip = s;
    u->programs = nv3_programs_new(&memory, threads < 1 ? 1 :
                                   threads < NV3_GEOM_THREADS_MAX ? threads :
                                   NV3_GEOM_THREADS_MAX);
    if (!u->programs) {
        free(u);
        return NULL;
    }
    nv3_programs_set_simd(u->programs, s->config.simd);
    s->pgraph.programs = u;
    load_words(u, s->pgraph.programs_image, s->pvirt.grctx & NV3_PVIRT_GRCTX_ADDRESS);
    return u;
}

/*
 * Raises the interrupt for the last failed access. If nv3_dmaobj_map() cannot map a
 * render target, u->fault is not set, and the function reports a protection fault.
 */
static void report_fault(NV3State *s, struct NV3ProgramsUnit *u)
{
    if (!u->fault.reason) {
        u->fault = (NV3Fault) {
            .reason = NV3_PDMA_INTR_PROTECTION, .inst = u->inst,
            .offset = nv3_programs_fault(u->programs),
        };
    }
    nv3_pdma_fault(s, &u->fault, false);
    u->fault.reason = 0;
}

/*
 * Returns true if the current job of PGRAPH is a job of this class. The job retries an
 * interrupted method, or executes deferred drawing.
 */
static bool has_job(const NV3State *s)
{
    return s->pgraph.job.kind == NV3_JOB_PROGRAMS;
}

static void programs_flush(NV3State *s)
{
    s->pgraph.deferred = NULL;
    if (nv3_programs_has_work(s->pgraph.programs->programs)) {
        nv3_job_start(s, &(NV3Job) {
            .kind = NV3_JOB_PROGRAMS, .line = NV3_PM_WAIT_FOR_IDLE, .byte = 1,
        });
    }
}

/*
 * Executes deferred drawing only if PFIFO has no more methods. Otherwise the next call of
 * nv3_run() can process vertices while the workers draw.
 */
static void programs_end_run(NV3State *s, bool more)
{
    if (!more && s->pgraph.deferred == &nv3_class_programs && nv3_pgraph_idle(s)) {
        programs_flush(s);
    }
}

static void programs_drop(NV3State *s)
{
    struct NV3ProgramsUnit *u = s->pgraph.programs;

    if (!u) {
        return;
    }
    if (s->pgraph.deferred == &nv3_class_programs) {
        s->pgraph.deferred = NULL;
    }
    if (has_job(s)) {
        s->pgraph.job = (NV3Job) { .kind = NV3_JOB_NONE };
    }
    nv3_programs_drop(u->programs);
}

/*
 * Executes deferred drawing. If the cost exceeds NV3ProgramsLimits.flush, drops the
 * remaining drawing, and stops PGRAPH as after a method with invalid data.
 *
 * If a job is retrying an interrupted method, the job may remain incomplete. After the
 * context has been loaded again, PGRAPH can execute the method from its beginning.
 */
static void programs_finish(NV3State *s)
{
    struct NV3ProgramsUnit *u = s->pgraph.programs;
    NV3ProgramsResult result;

    if (!u || (s->pgraph.deferred != &nv3_class_programs && !has_job(s))) {
        return;
    }
    s->pgraph.deferred = NULL;
    result = nv3_programs_flush(u->programs);
    if (result == NV3_PROGRAMS_FAULT) {
        report_fault(s, u);
    } else if (result == NV3_PROGRAMS_TOO_LONG) {
        nv3_log(s, GUEST_ERROR, "programs: drawing takes too long to finish it");
        programs_drop(s);
        nv3_pgraph_fail(s, NV3_MTHD_BAD_DATA);
    }
}

NV3Programs *nv3_programs_engines(NV3State *s)
{
    return s->pgraph.programs ? s->pgraph.programs->programs : NULL;
}

static void programs_free(NV3State *s)
{
    struct NV3ProgramsUnit *u = s->pgraph.programs;

    if (u) {
        s->pgraph.deferred = NULL;
        nv3_programs_free(u->programs);
        free(u);
        s->pgraph.programs = NULL;
    }
}

/* Counts the steps since the last call. */
static void count_steps(struct NV3ProgramsUnit *u)
{
#ifdef NV3_COUNT_STEPS
    const NV3ProgramsCounters before = u->counters;

    nv3_programs_counters(u->programs, &u->counters);
    nv3_step(VERTEX, u->counters.geom.vertices - before.geom.vertices);
    nv3_step(TRIANGLE, u->counters.geom.triangles - before.geom.triangles);
    nv3_step(BLOCK, u->counters.geom.blocks - before.geom.blocks);
    nv3_step(TEXEL, u->counters.texels - before.texels);
    nv3_step(BYTE, (u->counters.geom.cleared - before.geom.cleared) * 4);
#endif
}

/*
 * Selects the DMA object of the current method. If previous methods used another DMA
 * object, first executes deferred drawing, and drops the caches, which refer to that
 * object.
 */
static NV3ProgramsResult select_memory(NV3State *s, struct NV3ProgramsUnit *u)
{
    NV3ProgramsResult result = NV3_PROGRAMS_OK;

    if (u->inst != s->pgraph.dma_inst) {
        result = nv3_programs_drop_caches(u->programs);
        if (!result) {
            u->inst = s->pgraph.dma_inst;
        }
    }
    return result;
}

/*
 * Executes a method with a cost limit of NV3_GEOM_BATCH_COST, and charges the actual cost
 * to PGRAPH's slice.
 */
static NV3ProgramsResult run_method(NV3State *s, struct NV3ProgramsUnit *u, uint32_t mthd,
                                    uint32_t data)
{
    NV3Programs *p = u->programs;
    NV3ProgramsResult result;

    u->fault.reason = 0;
    nv3_programs_set_slice(p, NV3_GEOM_BATCH_COST);
    result = select_memory(s, u);
    if (!result) {
        result = nv3_programs_method(p, mthd, data);
    }
    nv3_account(s, NV3_GEOM_BATCH_COST - nv3_programs_slice_left(p));
    count_steps(u);
    if (result == NV3_PROGRAMS_FAULT) {
        report_fault(s, u);
    }
    return result;
}

/* Must be called after a method has been executed. */
static void note_deferred(NV3State *s, const struct NV3ProgramsUnit *u)
{
    s->pgraph.deferred = nv3_programs_has_work(u->programs) ? &nv3_class_programs : NULL;
}

static NV3MthdResult method_result(NV3ProgramsResult result)
{
    switch (result) {
    case NV3_PROGRAMS_BAD_METHOD:
        return NV3_MTHD_BAD_METHOD;
    case NV3_PROGRAMS_BAD_DATA:
        return NV3_MTHD_BAD_DATA;
    default:
        return NV3_MTHD_OK;
    }
}

/*
 * Returns the unit if the channel that owns PGRAPH has a valid context. Otherwise, or if
 * memory is exhausted, raises a missing-method interrupt and returns null.
 */
static struct NV3ProgramsUnit *get_context(NV3State *s)
{
    struct NV3ProgramsUnit *u = NULL;

    if (s->pvirt.grctx && !(s->pvirt.grctx & NV3_PVIRT_GRCTX_ERROR)) {
        u = get_unit(s);
    }
    if (!u) {
        nv3_pgraph_raise(s, NV3_PGRAPH_INTR_MISSING_METHOD);
    }
    return u;
}

static NV3MthdResult programs_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    struct NV3ProgramsUnit *u = get_context(s);
    NV3ProgramsResult result;

    if (!u) {
        return NV3_MTHD_OK;
    }
    nv3_work_begin(s);
    result = run_method(s, u, mthd, data);
    if (result == NV3_PROGRAMS_AGAIN) {
        /*
         * The job retries the method, which also executes the deferred drawing. Clear
         * pgraph.deferred, because a flush would replace the job.
         */
        s->pgraph.deferred = NULL;
        nv3_job_leave(s, &(NV3Job) {
            .kind = NV3_JOB_PROGRAMS, .line = mthd, .color = data,
        });
    } else {
        note_deferred(s, u);
    }
    return method_result(result);
}

NV3JobResult nv3_programs_run(NV3State *s, NV3Job *job)
{
    struct NV3ProgramsUnit *u = get_context(s);
    const bool completes = !job->byte;
    NV3ProgramsResult result;

    if (!u) {
        return NV3_JOB_FAILED;
    }
    result = run_method(s, u, job->line, job->color);
    if (result == NV3_PROGRAMS_AGAIN) {
        return NV3_JOB_MORE;
    }
    note_deferred(s, u);
    nv3_pgraph_fail(s, method_result(result));
    return completes && s->pgraph.fifo_enable ? NV3_JOB_DONE : NV3_JOB_FAILED;
}

/* ---- context images ------------------------------------------------------------ */

static uint32_t image_size(void)
{
    return (IMAGE_WORDS * 4 + IMAGE_PAGE - 1) & ~(IMAGE_PAGE - 1);
}

static bool store_image(NV3State *s, struct NV3ProgramsUnit *u, uint32_t address)
{
    uint32_t *image = malloc(IMAGE_WORDS * 4);
    bool stored = false;

    if (image) {
        save_words(u, image);
        for (unsigned i = 0; i < IMAGE_WORDS; i++) {
            nv3_stl(&image[i], image[i]);
        }
        stored = nv3_dma_write(s, address, image, IMAGE_WORDS * 4);
        free(image);
    }
    return stored;
}

/*
 * Loads the context image at @address. Returns 0, or the reason for the failure as a
 * value of the field NV3_PVIRT_GRCTX_ERROR.
 */
static uint32_t load_image(NV3State *s, struct NV3ProgramsUnit *u, uint32_t address)
{
    uint32_t *image = malloc(IMAGE_WORDS * 4);
    uint32_t error = NV3_PVIRT_GRCTX_REFUSED;

    if (image && nv3_dma_read(s, address, image, IMAGE_WORDS * 4)) {
        for (unsigned i = 0; i < IMAGE_WORDS; i++) {
            image[i] = nv3_ldl(&image[i]);
        }
        error = load_words(u, image, address) ? 0 : NV3_PVIRT_GRCTX_INVALID;
    }
    free(image);
    return error;
}

/*
 * If NV3_PVIRT_GRCTX contains the address of a valid context image, stores the state in
 * this image.
 */
static void store_context(NV3State *s, struct NV3ProgramsUnit *u)
{
    const uint32_t address = s->pvirt.grctx;

    if (!address || address & NV3_PVIRT_GRCTX_ERROR || store_image(s, u, address)) {
        return;
    }
    nv3_log(s, GUEST_ERROR, "programs: context image 0x%08x can't be stored", address);
    s->pvirt.intr |= NV3_PVIRT_INTR_GRCTX;
    nv3_update_irq(s);
}

/*
 * Executes a write to NV3_PVIRT_GRCTX. Stores the state in the context image of the
 * previous channel, unless NO_STORE is set, and loads the context image of the next
 * channel.
 */
static void switch_context(NV3State *s, uint32_t val)
{
    const uint32_t new = val & NV3_PVIRT_GRCTX_ADDRESS;
    struct NV3ProgramsUnit *u = get_unit(s);

    if (has_job(s)) {
        nv3_log(s, GUEST_ERROR, "programs: the context changes while PGRAPH draws");
        programs_drop(s);
    }
    programs_finish(s);
    if (u && !(val & NV3_PVIRT_GRCTX_NO_STORE)) {
        store_context(s, u);
    }
    s->pvirt.grctx = new;
    if (new) {
        s->pvirt.grctx |= u ? load_image(s, u, new) : NV3_PVIRT_GRCTX_REFUSED;
    }
    if (s->pvirt.grctx & NV3_PVIRT_GRCTX_ERROR) {
        nv3_log(s, GUEST_ERROR, "programs: context image 0x%08x can't be loaded", new);
    }
}

/* Called after the guest has changed page tables. */
static void remap(NV3State *s)
{
    struct NV3ProgramsUnit *u = s->pgraph.programs;

    if (has_job(s)) {
        nv3_log(s, GUEST_ERROR, "programs: page tables change while PGRAPH draws");
        programs_drop(s);
    }
    programs_finish(s);
    if (u) {
        nv3_programs_remap(u->programs);
    }
}

static bool programs_pvirt_read(NV3State *s, uint32_t addr, uint32_t *val)
{
    switch (addr) {
    case NV3_PVIRT_GRCTX:
        *val = s->pvirt.grctx;
        return true;
    case NV3_PVIRT_GRCTX_SIZE:
        *val = image_size();
        return true;
    default:
        return false;
    }
}

static bool programs_pvirt_write(NV3State *s, uint32_t addr, uint32_t val)
{
    switch (addr) {
    case NV3_PVIRT_VM_INVALIDATE:
        nv3_dmaobj_invalidate(s);
        remap(s);
        return true;
    case NV3_PVIRT_GRCTX:
        switch_context(s, val);
        return true;
    default:
        return false;
    }
}

/* ---- saved state --------------------------------------------------------------- */

static void programs_save(NV3State *s)
{
    if (s->pgraph.programs) {
        save_words(s->pgraph.programs, s->pgraph.programs_image);
    }
}

static const NV3StateField programs_fields[] = {
    NV3_SAVE_CONFIG(config.programs),
    NV3_SAVE_BITS(pvirt.grctx, NV3_PVIRT_GRCTX_ADDRESS | NV3_PVIRT_GRCTX_ERROR),
    NV3_SAVE(pgraph.programs_image),
};

static bool programs_needed(void *opaque)
{
    const NV3Image *image = opaque;

    return image->chip.config.programs;
}

static const char *programs_check(NV3State *s)
{
    uint32_t *image = s->pgraph.programs_image;

    if (image[0] > IMAGE_VERSION ||
        (image[0] && !nv3_programs_context_is_valid(image_context(image)))) {
        return "the context is not valid";
    }
    return NULL;
}

const NV3StateBlock nv3_programs_state =
    NV3_STATE_BLOCK("programs", programs_fields, .needed = programs_needed,
                    .check = programs_check);

const NV3Class nv3_class_programs = {
    .id = NV3_CLASS_PROGRAMS,
    .uses_dma = true,
    .name = "PROGRAMS",
    .method = programs_method,
    .flush = programs_flush,
    .drop = programs_drop,
    .finish = programs_finish,
    .end_run = programs_end_run,
    .pvirt_read = programs_pvirt_read,
    .pvirt_write = programs_pvirt_write,
    .save = programs_save,
    .free = programs_free,
};
