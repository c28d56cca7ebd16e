/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Includes the internal headers of the core, for tests and benchmarks of internal
 * functions.
 */
#ifndef NV3_TEST_CORE_H
#define NV3_TEST_CORE_H

#include "2d/classes.h"
#include "2d/rop.h"
#include "3d/d3d.h"
#include "bus/bus.h"
#include "chip/chip.h"
#include "chip/cost.h"
#include "chip/pfifo_queue.h"
#include "chip/state_table.h"
#include "display/display.h"
#include "display/pvideo.h"
#include "fifo/pfifo.h"
#include "graph/dmaobj.h"
#include "graph/job.h"
#include "graph/pgraph.h"
#include "graph/surface.h"
#include "graph/vertex.h"

#endif
