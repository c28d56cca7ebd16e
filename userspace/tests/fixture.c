/* SPDX-License-Identifier: MIT */
#include "fixture.h"

struct nv3_device *dev;
struct nv3_channel *chan;
struct nv3_pushbuf *push;

int setup(void **state)
{
	fake_reset();
	if (nv3_device_new(fake.fd, &dev) ||
	    nv3_channel_new(dev, DRM_NV3_CHANNEL_DMA, &chan) ||
	    nv3_pushbuf_new(chan, &push))
		return -1;
	return 0;
}

int teardown(void **state)
{
	nv3_pushbuf_del(push);
	nv3_channel_unref(chan);
	nv3_device_unref(dev);
	fake_close();
	return 0;
}
