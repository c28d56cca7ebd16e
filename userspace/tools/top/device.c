/* SPDX-License-Identifier: MIT */
/* Finds an nv3 in sysfs. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

#define DRIVER	"nv3"

/* Sets @name to the last component of the target of the symbolic link @dir/@card/@link. */
static bool link_name(const char *dir, const char *card, const char *link, char name[TOP_NAME])
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *last;

	snprintf(path, sizeof(path), "%s/%s/%s", dir, card, link);
	if (!realpath(path, target))
		return false;
	last = strrchr(target, '/');
	if (!last || strlen(last + 1) >= TOP_NAME)
		return false;
	strcpy(name, last + 1);
	return true;
}

/* Returns true for cardN, but not for connectors such as cardN-VGA-1. */
static bool is_card(const char *name, unsigned int *minor)
{
	char end;

	return sscanf(name, "card%u%c", minor, &end) == 1;
}

static bool fill(struct top_device *dev, const char *sysfs, const char *card, unsigned int minor)
{
	char driver[TOP_NAME];

	if (!link_name(sysfs, card, "device/driver", driver) || strcmp(driver, DRIVER) ||
	    !link_name(sysfs, card, "device", dev->pdev))
		return false;
	snprintf(dev->card, sizeof(dev->card), "card%u", minor);
	snprintf(dev->debugfs, sizeof(dev->debugfs), "/sys/kernel/debug/dri/%u", minor);
	return true;
}

int top_device_find(struct top_device *dev, const char *sysfs, const char *card)
{
	unsigned int minor, best = UINT_MAX;
	struct top_device found;
	struct dirent *entry;
	DIR *dir;

	dir = opendir(sysfs);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		if (!is_card(entry->d_name, &minor) || minor >= best ||
		    (card && strcmp(card, entry->d_name)))
			continue;
		if (fill(&found, sysfs, entry->d_name, minor)) {
			best = minor;
			*dev = found;
		}
	}
	closedir(dir);
	return best == UINT_MAX ? -ENODEV : 0;
}
