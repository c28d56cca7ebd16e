/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Class 0x1F of PGRAPH: drawing with vertex and fragment programs (programs.h). */
#ifndef NV3_PROGRAMS_CLASS_H
#define NV3_PROGRAMS_CLASS_H

#include "api/nv3_state.h"
#include "graph/class.h"
#include "programs/programs.h"

extern const NV3Class nv3_class_programs;
/* Continues the class's job, which retries a method or executes deferred drawing. */
NV3JobRun nv3_programs_run;
extern const NV3StateBlock nv3_programs_state;

/*
 * Returns the object that executes the methods (programs.h), or null before the first
 * method of the class. For tests.
 */
NV3Programs *nv3_programs_engines(NV3State *s);

#endif
