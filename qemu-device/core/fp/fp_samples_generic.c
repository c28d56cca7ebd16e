/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles the shading of multisampled targets for vectors that all hosts support. */
#include "fp/fp_code.h"

#define LANES           4
#define LANES_TARGET            /* no attribute */
#define FP_NAME(name)   name##_generic

#include "pixel/lanes.h"
#include "pixel/pixops_loops.h"
#include "pixel/pixops_samples.h"
#include "fp/fp_interpolate_loops.h"
#include "fp/fp_sample_loops.h"
