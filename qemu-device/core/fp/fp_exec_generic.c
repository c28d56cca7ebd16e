/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instantiates the fragment engine's loops with portable vectors of 4 lanes, for hosts
 * without a specific implementation.
 */
#include "fp/fp_code.h"

#define LANES           4
#define LANES_TARGET            /* no attribute */
#define FP_NAME(name)   name##_generic

#include "pixel/lanes.h"
#include "pixel/lanes_math.h"
#include "texture/texunit_loops.h"
#include "pixel/pixops_loops.h"
#include "pixel/pixops_blocks.h"
#include "fp/fp_exec_loops.h"
#include "fp/fp_shade_loops.h"
