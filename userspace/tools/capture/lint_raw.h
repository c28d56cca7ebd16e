/* SPDX-License-Identifier: MIT */
#ifndef NV3_CAPTURE_LINT_RAW_H
#define NV3_CAPTURE_LINT_RAW_H

#include "lint.h"

#define LINT_RAW_OBJECTS	64u

/* An object that the command line names */
struct lint_raw_object {
	/* the handle, or the subchannel if @bound is set */
	uint32_t handle;
	uint32_t class_id;
	bool bound;
};

struct lint_raw {
	struct lint_raw_object objects[LINT_RAW_OBJECTS];
	uint32_t count;
};

/* Parses "HANDLE=CLASS", or "SUBCHANNEL=CLASS" if @bound is set. Returns false after a message. */
bool lint_raw_argument(struct lint_raw *raw, const char *text, bool bound);
/* Checks a file of 32-bit words as one batch. Returns 0, or 2 after a message. */
int lint_raw(struct lint *l, const struct lint_raw *raw, const char *name);

#endif
