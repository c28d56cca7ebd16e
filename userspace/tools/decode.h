/* SPDX-License-Identifier: MIT */
#ifndef NV3_DECODE_H
#define NV3_DECODE_H

/*
 * Explains a device core dump (include/nv3_dump.h) on standard output. An exit
 * status: 0, or 1 after a message about what is wrong with the file.
 */
int nv3_decode(const char *path);

#endif
