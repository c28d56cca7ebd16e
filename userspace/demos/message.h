/* SPDX-License-Identifier: MIT */
/* What the compositor and a client say to each other, over a socket. */
#ifndef DEMO_MESSAGE_H
#define DEMO_MESSAGE_H

#include <stdint.h>

#define PICTURES	2	/* buffers that a client draws to by turns */

/* Client to compositor, once, with a dma-buf for each picture. */
struct hello {
	uint32_t pitch;
};

/* Compositor to client. The kernel sees to it that the picture is free. */
struct draw {
	uint32_t picture;
	float time;		/* seconds since the first frame */
};

/* Client to compositor, when the drawing has been submitted. */
struct drawn {
	uint32_t picture;
	uint32_t triangles;
};

/*
 * Send and receive one whole message. 0, or a negative errno; -EPIPE when the
 * other side is gone, -EPROTO when it sent something else.
 */
int message_send(int sock, const void *data, uint32_t size, const int *fds,
		 uint32_t fd_count);
int message_receive(int sock, void *data, uint32_t size, int *fds,
		    uint32_t fd_count);

#endif
