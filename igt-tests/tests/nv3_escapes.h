/* SPDX-License-Identifier: MIT */
/*
 * An escape is a way in which a client could access memory, objects or channels of another client.
 * The test tries each known escape once, each time with a new attacker. The memory of the victim
 * must stay unchanged.
 */
#ifndef NV3_ESCAPES_H
#define NV3_ESCAPES_H

#include "igt_nv3.h"
#include "igt_nv3_pm.h"

/*
 * 16-bit words with this value are secrets, which an attacker may neither read nor overwrite.
 * Secrets fill the victim's buffers, and the parts of the attacker's buffers that are outside its
 * surface and its DMA objects. No pixel that an attacker draws has this value.
 */
#define SECRET		0x5ec7
#define INK		0x2a55

#define SIDE		IGT_NV3_CANVAS
#define SUB		IGT_NV3_SUB_FREE
/*
 * The attacker's surface is in the middle of a buffer. The pitch of the surface exceeds the width,
 * so there are gaps between lines.
 */
#define FIELD_SIZE	65536
#define FIELD_OFFSET	16384
#define FIELD_PITCH	256
/* Each of the attacker's DMA objects covers a range in the middle of a buffer. */
#define BUFFER_SIZE	8192
#define RANGE_OFFSET	1020
#define RANGE_SIZE	2048

/*
 * Address at which the victim's buffers start in the victim's address space. No attacker maps this
 * address.
 */
#define VICTIM_ADDRESS	0x00700000u

/* Handles of the attacker's objects */
enum {
	SURFACE = 0x20,
	DMA_IN,
	DMA_OUT,
	DMA_READ_ONLY,	/* read-only */
	DMA_UNLISTED,	/* No batch lists the buffer of this DMA object. */
	OTHER_OBJECT,
	OBJECT = 0x1000,
	VICTIM_DMA = 0x7000,
};

struct victim {
	int fd;
	struct igt_nv3_client client;
	struct igt_nv3_bo before, after, system;
	/* A client with an object of class PROGRAMS, which only nv3_escapes_programs() uses */
	struct igt_nv3_pm pm;
	uint32_t vms[8];
};

struct attacker {
	int fd;
	uint32_t channel;
	struct igt_nv3_batch batch;
	struct igt_nv3_bo field, in, out, unlisted;
};

/* Tries the escapes that do not use class PROGRAMS, for nv3_isolation@escapes. */
void nv3_escapes(int fd);
/* Tries the escapes of class PROGRAMS and of address spaces, for nv3_isolation@escapes-programs. */
void nv3_escapes_programs(int fd);

void nv3_attacker_init(struct attacker *a, int fd, uint32_t domain);
void nv3_attacker_fini(struct attacker *a);
/* Creates an object of the attacker, and binds it to SUB. */
void nv3_attacker_object(struct attacker *a, uint32_t class_id, uint32_t in,
			 uint32_t out, uint32_t notify);
/*
 * Runs the attacker's batch, expects @fault, and asserts that no secret has been changed or copied.
 * Returns true if anything was drawn to the attacker's surface.
 */
bool nv3_attack(struct victim *v, struct attacker *a, uint32_t fault,
		const char *what);
/* Counts an escape, and asserts that the victim's memory is unchanged. */
void nv3_escape_done(struct victim *v, const char *what);
/* Counts an ioctl that must fail with @error. */
void nv3_refused(struct victim *v, int ret, int error, const char *what);
/*
 * Reports an unexpected result that neither exposes nor changes a secret. The test fails after all
 * escapes have been tried.
 */
void nv3_surprise(const char *what, const char *why);

/* nv3_escapes_chip.c: the escapes that the chip and the resource manager must stop */
void nv3_escape_dma(struct victim *v, int fd);
void nv3_escape_drawing(struct victim *v, int fd);
void nv3_escape_stale(struct victim *v, int fd);

/* nv3_escapes_vm.c: the victim's address space, and the ioctls that the kernel must reject */
void nv3_victim_add_programs(struct victim *v);
void nv3_victim_remove_programs(struct victim *v);
void nv3_escape_address_spaces(struct victim *v, int fd);

/* nv3_escapes_programs.c: the escapes that the chip must stop */
void nv3_escape_addresses(struct victim *v, int fd);
void nv3_escape_sizes(struct victim *v, int fd);
void nv3_escape_program_methods(struct victim *v, int fd);

/* nv3_escapes_state.c */
void nv3_escape_program_state(struct victim *v, int fd);

#endif
