/* SPDX-License-Identifier: MIT */
#include "util/os_file.h"
#include "util/u_screen.h"

#include "nv3_drm_public.h"

#include "nv3/nv3_public.h"

struct pipe_screen *
nv3_drm_screen_create(int fd, const struct pipe_screen_config *config)
{
   return u_pipe_screen_lookup_or_create(os_dupfd_cloexec(fd), config, NULL,
                                         nv3_screen_create);
}
