/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "totals.h"

/* The format in which nv3_rm_debugfs.c in the kernel driver writes the totals. */
#define FORMAT	"switches %" SCNu64 ", batches %" SCNu64

int nv3_totals_read(int fd, struct nv3_totals *totals)
{
	struct nv3_totals read;
	char path[64];
	struct stat st;
	FILE *file;
	int count;

	if (fstat(fd, &st))
		return -errno;
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/channels",
		 minor(st.st_rdev));
	file = fopen(path, "re");
	if (!file)
		return -errno;
	count = fscanf(file, FORMAT, &read.switches, &read.batches);
	fclose(file);
	if (count != 2)
		return -EPROTO;
	*totals = read;
	return 0;
}
