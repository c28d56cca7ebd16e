/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates an object of class 0x1F with page tables and a drawing state, for unit tests
 * that send its methods to PGRAPH.
 */
#ifndef PROGRAMS_RIG_H
#define PROGRAMS_RIG_H

#include "graph.h"
#include "nv3_programs.h"
#include "programs/programs.h"

#define SIZE        64              /* pixels per side of the target */

/*
 * Addresses in the address space of the class. Each of them is in the range of its own
 * page table.
 */
#define COLOR       0x00400000u     /* in VRAM */
#define PROGRAM     0x00880000u     /* in system memory */
#define ARRAYS      0x00c03000u     /* in system memory, not contiguous */
#define READ_ONLY   0x01000000u     /* read-only mapping of COLOR */

/* System memory. */
#define DIRECTORY   HOST_MEM_BASE
#define TABLE(i)    (HOST_MEM_BASE + 0x1000u + (i) * 0x1000u)
#define PAGE(i)     (HOST_MEM_BASE + 0x20000u + (i) * 0x1000u)
#define IMAGE(i)    (HOST_MEM_BASE + 0x40000u + (i) * 0x10000u)

#define VRAM_TARGET 0x2800000u      /* not accessible to other classes */
#define DMA_INST    0x0e000u        /* in RAMIN */
#define SUBCH       2

#define PTE_RW      (NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE)

typedef struct Vertex {
    float position[4];
    float color[4];
} Vertex;

uint32_t rig_bits(float x);
/* Writes a word of system memory. */
void rig_put_word(Graph *g, uint32_t address, uint32_t word);
/* Sets the page table entry of @address to @entry. */
void rig_map_page(Graph *g, uint32_t address, uint32_t entry);
void rig_set_image(Graph *g, uint32_t val);

/*
 * Creates a chip with an object of the class. @notify: offset in RAMIN of the DMA
 * object for notifications, or 0 for none.
 */
Graph *rig_new(uint32_t notify);
/* Migrates @from: copies its state and memory to a new chip, and frees @from. */
Graph *rig_move(Graph *from);

/* Executes a method of the object. Fails if the method causes an error. */
void rig_method(Graph *g, uint32_t mthd, uint32_t data);
/*
 * Sets a target of SIZE x SIZE pixels at COLOR, arrays of struct Vertex, and programs
 * that copy inputs to outputs.
 */
void rig_set_state(Graph *g);

#endif
