/* SPDX-License-Identifier: MIT */
/*
 * Selects one of the driver's two backends: the backend for class 0x1f if the
 * chip has this class and NV3_DEBUG does not contain "class17", otherwise the
 * backend for class 0x17.
 */
#include <unistd.h>

#include "util/u_debug.h"

#include <nv3.h>

#include "base/nv3_screen.h"

#include "nv3_public.h"

static const struct debug_named_value nv3_debug_options[] = {
   { "fallback", NV3_DEBUG_FALLBACK,
     "print why draws use software, once per reason" },
   { "shader", NV3_DEBUG_SHADER, "print the sizes of programs of class 0x1f" },
   { "stats", NV3_DEBUG_STATS, "print counters when a context is destroyed" },
   { "class17", NV3_DEBUG_CLASS17, "do not use class 0x1f" },
   { "vs", NV3_DEBUG_VS, "print vertex programs of class 0x1f" },
   { "fs", NV3_DEBUG_FS, "print fragment programs of class 0x1f" },
   DEBUG_NAMED_VALUE_END
};

DEBUG_GET_ONCE_FLAGS_OPTION(nv3_debug, "NV3_DEBUG", nv3_debug_options, 0)

struct pipe_screen *
nv3_screen_create(int fd, const struct pipe_screen_config *config,
                  struct renderonly *ro)
{
   uint32_t debug = debug_get_option_nv3_debug();
   struct nv3_device *dev;

   if (nv3_device_new(fd, &dev)) {
      close(fd);
      return NULL;
   }
   if (nv3_device_has_class(dev, DRM_NV3_CLASS_PROGRAMS) &&
       !(debug & NV3_DEBUG_CLASS17))
      return nv3p_screen_create(fd, dev, debug);
   return nv3_class17_screen_create(fd, dev, debug);
}
