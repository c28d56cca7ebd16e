/* SPDX-License-Identifier: MIT */
/* Finds the page of the documentation that describes the methods or arguments of a class. */
#include <stddef.h>

#include <nv3_class.h>
#include <nv3_drm.h>

#include "lint.h"

#define CHIP	"docs/reference/chip/"

static const struct {
	uint32_t first, last;
	const char *page;
} pages[] = {
	{ NV3_CLASS_BETA, NV3_CLASS_SIFC, CHIP "pgraph.md" },
	{ NV3_CLASS_D3D, NV3_CLASS_D3D, CHIP "3d.md" },
	{ NV3_CLASS_ZPOINT, NV3_CLASS_ZPOINT, CHIP "pgraph.md" },
	{ NV3_CLASS_PROGRAMS, NV3_CLASS_PROGRAMS, CHIP "programs.md" },
	/* Classes of the driver */
	{ NV3_CLASS_SURFACE, NV3_CLASS_SURFACE, "docs/reference/uapi.md" },
	{ DRM_NV3_CLASS_DMA, DRM_NV3_CLASS_FLIP, "docs/reference/uapi.md" },
};

const char *lint_page(uint32_t class_id)
{
	size_t i;

	for (i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		if (class_id >= pages[i].first && class_id <= pages[i].last)
			return pages[i].page;
	}
	return NULL;
}
