/* SPDX-License-Identifier: MIT */
/*
 * The demo's scenes on class 0x1F: a vertex program transforms and lights the mesh, and a fragment
 * program shades each pixel with a bump map. For each picture, the CPU only sets the view and
 * selects the rows of the mesh.
 */
#ifndef DEMO_PROGRAMS_H
#define DEMO_PROGRAMS_H

#include "nv3.h"
#include "scene.h"

/* Maximum number of words in a picture's batch, without the words that draw rows of quads */
#define PROGRAMS_WORDS	256

struct programs_target {
	struct nv3_bo *color;	/* X1R5G5B5 */
	uint32_t address;	/* address of @color, from programs_map() */
};

struct programs;

/*
 * Creates an address space with the scene's mesh, textures and programs, and an object of class
 * 0x1F. Binds the object to @subch. @pitch is the pitch of the pictures in bytes. Returns 0 or a
 * negative errno.
 */
int programs_new(struct nv3_device *dev, struct nv3_channel *chan, struct nv3_pushbuf *push,
		 uint32_t subch, const struct scene *scene, const struct mesh *mesh, uint32_t pitch,
		 struct programs **out);
void programs_free(struct programs *programs);
/*
 * Maps @color in the address space, and stores the buffer and its address in @target. Returns 0 or
 * a negative errno.
 */
int programs_map(struct programs *programs, struct nv3_bo *color, struct programs_target *target);
/*
 * Draws @rows rows of the mesh's quads, starting with row @first_row, onto a background in the
 * fog's colour. Returns the number of triangles, or a negative errno.
 */
int programs_draw(struct programs *programs, const struct programs_target *target,
		  const struct view *view, uint32_t first_row, uint32_t rows);

#endif
