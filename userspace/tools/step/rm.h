/* SPDX-License-Identifier: MIT */
/*
 * A small resource manager: sets up the chip, allocates instance memory, enters handles into RAMHT,
 * and answers interrupts. The code follows the kernel driver (kernel/rm, kernel/hw), but does not
 * protect clients from each other.
 *
 * Functions of type "const char *" return null on success, or an error message.
 */
#ifndef NV3_STEP_RM_H
#define NV3_STEP_RM_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

#define RM_CHANNELS	16
#define RM_OBJECTS	256
#define RM_SURFACES	4
#define RM_SUBCHANNELS	8
/* Number of PGRAPH's registers in a channel's context */
#define RM_PGRAPH_WORDS	144
/* Maximum size of a DMA channel's batch, in bytes */
#define RM_BATCH_MAX	16384u

/* Layout of RAMIN: docs/decisions/0004-layout-of-ramin.md */
#define RM_RAMHT	0x0000u
#define RM_RAMHT_DEPTH	16u
#define RM_RAMRO	0x8000u
#define RM_RAMRO_SIZE	0x2000u
#define RM_RAMFC	0xa000u
#define RM_INSTANCES	0xc000u
/* Size of a context image of class PROGRAMS, in bytes */
#define RM_IMAGE_MAX	65536u
/*
 * Layout of the machine's system memory. Scripts can use the memory below RM_MEMORY_END. Above
 * RM_MEMORY_END, each channel has a range for its context image and a range for its batch.
 */
#define RM_BATCHES	(MACHINE_MEMORY_SIZE - RM_CHANNELS * RM_BATCH_MAX)
#define RM_IMAGES	(RM_BATCHES - RM_CHANNELS * RM_IMAGE_MAX)
#define RM_MEMORY_END	RM_IMAGES

struct rm_surface {
	bool exists;
	uint32_t format;		/* NV3_SURF_* */
	uint32_t width, height;		/* pixels */
	uint32_t offset, pitch;		/* bytes in VRAM */
};

struct rm_object {
	uint32_t handle;		/* 0: no object */
	uint32_t chid;
	uint32_t inst;			/* byte in RAMIN */
	uint32_t ctx;			/* context word for RAMHT; 0 for a DMA object */
	uint32_t class_id;
	uint32_t options;
	uint32_t dma, dma_out, notify;	/* instance numbers, or 0 */
};

struct rm_channel {
	bool exists;
	bool dma;
	uint32_t chid;
	struct rm_surface surface[RM_SURFACES];
	uint32_t pgraph[RM_PGRAPH_WORDS];	/* valid if another channel owns PGRAPH */

	/* The batch of a DMA channel */
	uint32_t table;			/* page table in RAMIN */
	uint32_t words;
	uint32_t header;		/* index of the last header, plus 1; 0: none */
};

/*
 * The resource manager's state that is not in the machine's registers or memory. A copy of this
 * structure saves the state.
 */
struct rm_state {
	struct rm_channel channel[RM_CHANNELS];
	struct rm_object object[RM_OBJECTS];
	uint32_t current;		/* index of the channel that receives methods */
	uint32_t instances;		/* RAMIN in use */
	uint32_t initial[RM_PGRAPH_WORDS];
};

struct rm {
	struct machine *machine;
	struct rm_state state;
};

struct rm_object_info {
	uint32_t handle;
	uint32_t class_id;
	uint32_t options;
	uint32_t dma, dma_out, notify;	/* handles, or 0 */
	bool missing;			/* do not enter the handle into RAMHT */
	bool software;			/* the object's class is a software class */
};

struct rm_dma_info {
	uint32_t handle;
	bool vram;
	bool write;
	uint32_t offset, size;		/* bytes */
};

void rm_init(struct rm *rm, struct machine *m);
struct rm_channel *rm_current(struct rm *rm);
struct rm_object *rm_find_object(struct rm *rm, uint32_t chid, uint32_t handle);

/*
 * Selects the channel for later methods, and creates it if necessary. The first channel becomes the
 * owner of PFIFO and PGRAPH.
 */
const char *rm_channel(struct rm *rm, uint32_t chid, bool dma);
/* Sets the surface in @slot of the current channel. */
void rm_set_surface(struct rm *rm, uint32_t slot, const struct rm_surface *surface);
const char *rm_add_object(struct rm *rm, const struct rm_object_info *info);
const char *rm_add_dma(struct rm *rm, const struct rm_dma_info *info);

/*
 * Stores a method to the USER aperture of the current channel, or appends it to the batch of a DMA
 * channel.
 */
const char *rm_method(struct rm *rm, uint32_t subch, uint32_t mthd, uint32_t data);
/* Starts the DMA pusher on the batch of the current channel. */
const char *rm_submit(struct rm *rm);

/*
 * Handles one pending interrupt, and describes the action in @text. Returns false if no interrupt
 * is pending.
 */
bool rm_answer(struct rm *rm, char *text, size_t size);

/* rm_pgraph.c: the context of PGRAPH */
void rm_pgraph_init(struct rm *rm);
void rm_pgraph_switch(struct rm *rm, struct rm_channel *from, struct rm_channel *to);
void rm_pgraph_own(struct rm *rm, struct rm_channel *chan);
void rm_apply_surfaces(struct rm *rm, const struct rm_channel *chan);

/* For rm_answer.c */
struct rm_channel *rm_find_channel(struct rm *rm, uint32_t chid);
void rm_write_object(struct rm *rm, const struct rm_object *obj);
const char *rm_ramht_insert(struct rm *rm, const struct rm_object *obj);

#endif
