/* SPDX-License-Identifier: MIT */
#include <nv3_names.h>

#include "nv3_priv.h"

static const char *const fault_names[] = {
	[DRM_NV3_FAULT_NONE] = "no fault",
	[DRM_NV3_FAULT_NAME] = "no object with that handle",
	[DRM_NV3_FAULT_METHOD] = "no such method",
	[DRM_NV3_FAULT_DATA] = "invalid argument of a method",
	[DRM_NV3_FAULT_PAGE] = "access outside a DMA object",
	[DRM_NV3_FAULT_STREAM] = "malformed pushbuffer",
	[DRM_NV3_FAULT_TIMEOUT] = "endless work",
	[DRM_NV3_FAULT_STATE] = "a method without the state that it needs",
	[DRM_NV3_FAULT_RUNOUT] = "too many methods stored without reading the free count",
	[DRM_NV3_FAULT_ACCESS] = "an access that is neither a method nor the free count",
	[DRM_NV3_FAULT_DENIED] = "missing permission",
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

NV3_EXPORT const char *nv3_class_name(uint32_t class_id)
{
	const struct nv3_class_names *class = nv3_names_class(class_id);

	return class ? class->name : NULL;
}

NV3_EXPORT const char *nv3_fault_name(uint32_t fault)
{
	return fault < ARRAY_SIZE(fault_names) ? fault_names[fault] :
						 "unknown fault";
}
