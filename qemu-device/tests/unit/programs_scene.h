/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares functions for tests of class 0x1F: a memory, a recorder for methods, and
 * scenes of random triangles.
 */
#ifndef PROGRAMS_SCENE_H
#define PROGRAMS_SCENE_H

#include "programs_flat.h"

#define MEMORY      (1u << 20)
#define COLOR       0x00000
#define ZETA        0x40000
#define ARRAYS      0x80000
#define INDICES     0x90000
#define FRAGMENT    0xa0000
#define TEXTURE     0xb0000
#define REPORT      0xc0000
#define SIZE        128             /* pixels per side of the target */

extern uint8_t memory[MEMORY];
extern FlatMemory ram;              /* accesses @memory */
extern const NV3ProgramsMemory accessors;

/* Returns the time that reports contain. */
uint64_t clock_ns(void *opaque);

/* ---- recorded methods --------------------------------------------------------- */

typedef struct Call {
    uint32_t method, data;
} Call;

extern Call calls[];
extern unsigned call_count;

/* Records a method. */
void m(uint32_t method, uint32_t data);
/*
 * Runs the recorded methods, and verifies that the class reports all bytes of the targets
 * that it changes. Before method @at, saves the context and loads it in a new
 * instance of the class, which runs the remaining methods.
 */
void run(unsigned threads, unsigned at);
#define NEVER   UINT32_MAX

/* ---- scenes ------------------------------------------------------------------- */

/* The members are the vertex attributes 0, 3 and 9. */
typedef struct Vertex {
    float position[4];
    uint8_t color[4];
    float tex[2];
} Vertex;

#define VERTICES    120

/* Writes @count words to the memory, in little-endian order. */
void put_words(uint32_t offset, const uint32_t *words, unsigned count);
void set_target(void);
/* Records the upload of the vertex program @a, which becomes the current program. */
void load_vertex_program(const VpAsm *a);
void set_vertex_program(void);
/*
 * Sets a fragment program whose result is the interpolated colour. If @textured is true,
 * the program multiplies the colour by a texel.
 */
void set_fragment_program(bool textured);
void set_arrays(void);
/* Clears the memory, and starts to record a scene with the programs above. */
void begin_scene(void);
void put_vertex(unsigned i, float x, float y, float z, uint32_t rgba);
void put_random_vertices(void);
uint32_t pixel(unsigned x, unsigned y);

/* The state of random_bits(). */
extern uint32_t random_seed;
uint32_t random_bits(void);
/* Returns a number from -1 to 1. */
float random_float(void);

/* assert_kept() verifies that the targets have the contents that keep() has copied. */
void keep(void);
void assert_kept(void);

#endif
