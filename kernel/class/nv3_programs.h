/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PROGRAMS_CLASS_H
#define NV3_PROGRAMS_CLASS_H

struct nv3_channel;

void nv3_programs_fini_channel(struct nv3_channel *chan);

#endif
