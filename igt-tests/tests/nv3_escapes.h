/* SPDX-License-Identifier: MIT */
/*
 * Escapes: every way out of what is a client's own that is known, each tried once,
 * alone, by a client of its own, beside a victim whose memory must stay as it is.
 */
#ifndef NV3_ESCAPES_H
#define NV3_ESCAPES_H

#include "igt_nv3.h"

/*
 * What must never be read or written: the victim's buffers are full of it, and so is
 * what lies round the attacker's own surface and DMA objects in its buffers. No pixel
 * that an attacker draws has this value.
 */
#define SECRET		0x5ec7
#define INK		0x2a55

#define SIDE		IGT_NV3_CANVAS
#define SUB		IGT_NV3_SUB_FREE
/* The attacker's surface: in the middle of a buffer, its lines apart. */
#define FIELD_SIZE	65536
#define FIELD_OFFSET	16384
#define FIELD_PITCH	256
/* Its DMA objects, in the middle of theirs. */
#define BUFFER_SIZE	8192
#define WINDOW_OFFSET	1020
#define WINDOW_SIZE	2048

/* Names of the attacker's objects. */
enum {
	SURFACE = 0x20,
	DMA_IN,
	DMA_OUT,
	DMA_LOCKED,	/* can't be written */
	DMA_SHUT,	/* its buffer is in no batch */
	OTHER_OBJECT,
	OBJECT = 0x1000,
	VICTIM_DMA = 0x7000,
};

struct victim {
	int fd;
	struct igt_nv3_client client;
	struct igt_nv3_bo before, after, system;
};

struct attacker {
	int fd;
	uint32_t channel;
	struct igt_nv3_batch batch;
	struct igt_nv3_bo field, in, out, shut;
};

/* All of them: what nv3_isolation@escapes does. */
void nv3_escapes(int fd);

void nv3_attacker_init(struct attacker *a, int fd, uint32_t domain);
void nv3_attacker_fini(struct attacker *a);
/* Makes the object that it attacks with, and selects it into SUB. */
void nv3_attacker_object(struct attacker *a, uint32_t class_id, uint32_t in,
			 uint32_t out, uint32_t notify);
/*
 * Runs its batch, which should come to @fault, and checks that nothing leaked either
 * way. Whether anything was drawn to its surface.
 */
bool nv3_attack(struct victim *v, struct attacker *a, uint32_t fault,
		const char *what);
/* A surprise is no leak; all are told before the test fails for them. */
void nv3_surprise(const char *what, const char *why);

/* nv3_escapes_chip.c: those that the chip sees. */
void nv3_escape_dma(struct victim *v, int fd);
void nv3_escape_drawing(struct victim *v, int fd);
void nv3_escape_stale(struct victim *v, int fd);

#endif
