/* SPDX-License-Identifier: MIT */
#include "shaders.h"

const struct shader scene_shaders[] = {
   { NULL },
};
