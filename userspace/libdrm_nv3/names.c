/* SPDX-License-Identifier: MIT */
#include "nv3_priv.h"

static const char *const class_names[] = {
	[NV3_CLASS_BETA] = "BETA",
	[NV3_CLASS_ROP] = "ROP",
	[NV3_CLASS_CHROMA] = "CHROMA",
	[NV3_CLASS_PLANE] = "PLANE",
	[NV3_CLASS_CLIP] = "CLIP",
	[NV3_CLASS_PATTERN] = "PATTERN",
	[NV3_CLASS_RECT] = "RECT",
	[NV3_CLASS_POINT] = "POINT",
	[NV3_CLASS_LINE] = "LINE",
	[NV3_CLASS_LIN] = "LIN",
	[NV3_CLASS_TRI] = "TRI",
	[NV3_CLASS_GDI] = "GDI",
	[NV3_CLASS_M2MF] = "M2MF",
	[NV3_CLASS_SIFM] = "SIFM",
	[NV3_CLASS_BLIT] = "BLIT",
	[NV3_CLASS_IFC] = "IFC",
	[NV3_CLASS_BITMAP] = "BITMAP",
	[NV3_CLASS_ITM] = "ITM",
	[NV3_CLASS_SIFC] = "SIFC",
	[NV3_CLASS_D3D] = "D3D",
	[NV3_CLASS_ZPOINT] = "ZPOINT",
	[NV3_CLASS_SURFACE] = "SURFACE",
	[NV3_CLASS_PROGRAMS] = "PROGRAMS",
	[DRM_NV3_CLASS_DMA] = "DMA",
	[DRM_NV3_CLASS_SEMAPHORE] = "SEMAPHORE",
	[DRM_NV3_CLASS_FLIP] = "FLIP",
};

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
	return class_id < ARRAY_SIZE(class_names) ? class_names[class_id] : NULL;
}

NV3_EXPORT const char *nv3_fault_name(uint32_t fault)
{
	return fault < ARRAY_SIZE(fault_names) ? fault_names[fault] :
						 "unknown fault";
}
