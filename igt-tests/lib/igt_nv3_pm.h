/* SPDX-License-Identifier: MIT */
/* Class PROGRAMS: address spaces, and a client that draws with vertex and fragment programs. */
#ifndef IGT_NV3_PM_H
#define IGT_NV3_PM_H

#include <nv3_programs.h>

#include "igt_nv3.h"

#define IGT_NV3_PAGE	4096u

/* Skips the test if the chip lacks the class. */
void igt_nv3_require_programs(int fd);

/* ---- address spaces ---- */

uint32_t igt_nv3_vm_create(int fd);
int __igt_nv3_vm_destroy(int fd, uint32_t vm);
void igt_nv3_vm_destroy(int fd, uint32_t vm);
int __igt_nv3_vm_map(int fd, uint32_t vm, uint32_t handle, uint64_t offset, uint64_t address,
		     uint64_t size, uint32_t flags);
int __igt_nv3_vm_unmap(int fd, uint32_t vm, uint64_t address, uint64_t size);
/* Maps the whole buffer. */
void igt_nv3_vm_map(int fd, uint32_t vm, const struct igt_nv3_bo *bo, uint64_t address);
void igt_nv3_vm_unmap(int fd, uint32_t vm, uint64_t address, uint64_t size);
/* Creates a buffer that can be mapped only in the address space @vm. */
struct igt_nv3_bo igt_nv3_bo_create_private(int fd, uint64_t size, uint32_t domains, uint32_t vm);

/* ---- a client ---- */

/*
 * Width and height of the target in pixels. The pixels have the format A8R8G8B8. The target fills
 * one page.
 */
#define IGT_NV3_PM_SIDE	32u

/* Handle and subchannel of the client's object of class PROGRAMS */
#define IGT_NV3_PM	0x200
#define IGT_NV3_PM_SUB	3

/* Addresses of the client's buffers, relative to igt_nv3_pm::base. The base is below 16 MiB. */
#define IGT_NV3_PM_TARGET	0x0000
#define IGT_NV3_PM_DATA		0x1000
#define IGT_NV3_PM_MAPPED	0x2000
/*
 * Offsets in the buffer @data: the positions of three vertices, the colours of three vertices, and
 * unused space for tests.
 */
#define IGT_NV3_PM_POSITIONS	0x100
#define IGT_NV3_PM_COLORS	0x200
#define IGT_NV3_PM_FREE		0x400

struct igt_nv3_pm {
	int fd;
	uint32_t vm;
	uint32_t base;
	uint32_t channel;
	struct igt_nv3_bo target;	/* in VRAM */
	struct igt_nv3_bo data;		/* in system memory */
	struct igt_nv3_batch batch;
};

/*
 * Creates a client with an object of class PROGRAMS. Sets the object's drawing state: the target,
 * the programs, and the arrays of positions and colours. @flags is DRM_NV3_CHANNEL_LONG_RUNNING or
 * 0.
 */
void igt_nv3_pm_init(struct igt_nv3_pm *pm, int fd, uint32_t vm, uint32_t base, uint32_t flags);
/* Like igt_nv3_pm_init(), but creates no object and sets no state. */
void igt_nv3_pm_init_bare(struct igt_nv3_pm *pm, int fd, uint32_t vm, uint32_t base,
			  uint32_t flags);
int __igt_nv3_pm_object(const struct igt_nv3_pm *pm, uint32_t name, uint32_t vm);
void igt_nv3_pm_fini(struct igt_nv3_pm *pm);
/* Adds to the batch a method of the client's object. */
void igt_nv3_pm_method(struct igt_nv3_pm *pm, uint32_t mthd, uint32_t arg);
/*
 * Adds to the batch the methods that set the client's drawing state, and adds the target to the
 * batch's list of buffers.
 */
void igt_nv3_pm_state(struct igt_nv3_pm *pm);
void igt_nv3_pm_use_target(struct igt_nv3_pm *pm);
/* Adds a triangle that covers all pixels in the scissor rectangle. */
void igt_nv3_pm_triangle(struct igt_nv3_pm *pm);
void igt_nv3_pm_scissor(struct igt_nv3_pm *pm, uint32_t x, uint32_t y, uint32_t w, uint32_t h);
void igt_nv3_pm_clear(struct igt_nv3_pm *pm, uint32_t color);
uint32_t igt_nv3_pm_pixel(const struct igt_nv3_pm *pm, uint32_t x, uint32_t y);

/*
 * Adds @count draws. Draw i copies the word at @addresses[i] to pixel i of the target. @count must
 * not exceed the number of pixels in the target.
 */
void igt_nv3_pm_push_peeks(struct igt_nv3_pm *pm, const uint32_t *addresses, uint32_t count);
/* Asserts that the draws of igt_nv3_pm_push_peeks() have read the words @values. */
void igt_nv3_pm_assert_peeks(const struct igt_nv3_pm *pm, const uint32_t *values, uint32_t count);
/* Makes the chip read a word at @address of the address space, and returns this word. */
uint32_t igt_nv3_pm_peek(struct igt_nv3_pm *pm, uint32_t address);
/*
 * Adds a method that makes the chip write a report of 16 bytes to @address: the time, the number of
 * samples that have passed all tests, and 0. @address must be below 16 MiB.
 */
void igt_nv3_pm_push_report(struct igt_nv3_pm *pm, uint32_t address);
/* Runs the batch, and asserts that it fails with DRM_NV3_FAULT_PAGE. */
void igt_nv3_pm_run_page_fault(struct igt_nv3_pm *pm);

#endif
