/* SPDX-License-Identifier: MIT */
/* nv3-info: prints properties of an nv3 device. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <xf86drm.h>

#include "decode.h"
#include "nv3.h"
#include "totals.h"

/* Names of the bits in PVIRT_FEATURES, starting with bit 0 (docs/reference/chip/bus.md) */
static const char *const virt_features[] = {
	"scanout CRC", "counters", "list of classes", "change of monitor",
	"vertex and fragment programs", "multisampling",
};

static int param(struct nv3_device *dev, uint32_t number, uint64_t *value)
{
	int ret = nv3_device_param(dev, number, value);

	if (ret)
		fprintf(stderr, "nv3-info: parameter %u: %s\n", number,
			strerror(-ret));
	return ret;
}

/* Returns the chip's revision, which bits 7 to 4 of PMC_BOOT_0 encode (include/nv3_regs.h). */
static const char *revision(uint32_t chip_id)
{
	switch (chip_id >> 4 & 0xf) {
	case 0:
		return "A";
	case 1:
		return "B";
	case 2:
		return "C (RIVA 128 ZX)";
	default:
		return "unknown";
	}
}

static int print_chip(struct nv3_device *dev)
{
	uint64_t id, vram, available, low, virt;
	unsigned int i;

	if (param(dev, DRM_NV3_PARAM_CHIP_ID, &id) ||
	    param(dev, DRM_NV3_PARAM_VRAM_SIZE, &vram) ||
	    param(dev, DRM_NV3_PARAM_VRAM_AVAILABLE, &available) ||
	    param(dev, DRM_NV3_PARAM_VRAM_LOW, &low) ||
	    param(dev, DRM_NV3_PARAM_VIRT_FEATURES, &virt))
		return 1;

	printf("chip:      NV3 %08" PRIx64 ", revision %s\n", id,
	       revision(id));
	printf("memory:    %" PRIu64 " KiB of VRAM, %" PRIu64 " KiB for buffers, %" PRIu64
	       " KiB of these for surfaces and the screen\n", vram / 1024, available / 1024,
	       low / 1024);
	printf("virtual:   ");
	if (!virt)
		printf("no features beyond the real chip's");
	for (i = 0; i < 64; i++) {
		if (!(virt >> i & 1))
			continue;
		if (i < sizeof(virt_features) / sizeof(virt_features[0]))
			printf("%s", virt_features[i]);
		else
			printf("feature %u", i);
		virt &= ~(UINT64_C(1) << i);
		if (virt)
			printf(", ");
	}
	printf("\n");
	return 0;
}

static int print_classes(struct nv3_device *dev)
{
	const uint32_t *classes;
	uint32_t count, i;
	int ret;

	ret = nv3_device_classes(dev, &classes, &count);
	if (ret) {
		fprintf(stderr, "nv3-info: classes: %s\n", strerror(-ret));
		return 1;
	}
	printf("classes:   %u\n", count);
	for (i = 0; i < count; i++) {
		const char *name = nv3_class_name(classes[i]);

		printf("  0x%02x     %s\n", classes[i], name ? name : "?");
	}
	return 0;
}

static int print_channels(struct nv3_device *dev)
{
	struct nv3_totals totals;
	uint64_t channels, longest;

	if (param(dev, DRM_NV3_PARAM_CHANNELS, &channels) ||
	    param(dev, DRM_NV3_PARAM_SUBMIT_MAX, &longest))
		return 1;
	printf("channels:  %" PRIu64 ", batches of up to %" PRIu64 " KiB\n",
	       channels, longest / 1024);
	if (!nv3_totals_read(nv3_device_fd(dev), &totals))
		printf("since load: %" PRIu64 " batches, %" PRIu64
		       " context switches\n", totals.batches,
		       totals.switches);
	return 0;
}

static void usage(FILE *out)
{
	fputs("usage: nv3-info [--device NODE | --decode FILE]\n"
	      "Prints properties of nv3: chip, memory, classes, channels, counters.\n"
	      "  -d, --device NODE  a DRM node, instead of the first nv3\n"
	      "  -c, --decode FILE  print a device core dump of a fault as text,\n"
	      "                     such as /sys/class/devcoredump/devcd1/data\n"
	      "  -h, --help         this\n", out);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "decode", required_argument, NULL, 'c' },
		{ "device", required_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	const char *dump = NULL, *node = NULL;
	struct nv3_device *dev;
	int c, ret;

	while ((c = getopt_long(argc, argv, "c:d:h", options, NULL)) != -1) {
		switch (c) {
		case 'c':
			dump = optarg;
			break;
		case 'd':
			node = optarg;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind < argc || (dump && node)) {
		usage(stderr);
		return 2;
	}
	if (dump)
		return nv3_decode(dump);

	ret = nv3_device_open(node, DRM_NODE_RENDER, &dev);
	if (ret == -ENODEV && !node)
		ret = nv3_device_open(NULL, DRM_NODE_PRIMARY, &dev);
	if (ret) {
		fprintf(stderr, "nv3-info: %s: %s\n",
			node ? node : "no nv3 found", strerror(-ret));
		return 1;
	}
	ret = print_chip(dev) || print_classes(dev) || print_channels(dev);
	nv3_device_unref(dev);
	return ret;
}
