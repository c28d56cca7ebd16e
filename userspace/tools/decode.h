/* SPDX-License-Identifier: MIT */
#ifndef NV3_DECODE_H
#define NV3_DECODE_H

/*
 * Prints a device core dump (include/nv3_dump.h) as text. Returns an exit status: 0, or 1 after
 * printing a message about an invalid file.
 */
int nv3_decode(const char *path);

#endif
