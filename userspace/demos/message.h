/* SPDX-License-Identifier: MIT */
/* The messages between the compositor and a client, over a socket */
#ifndef DEMO_MESSAGE_H
#define DEMO_MESSAGE_H

#include <stdint.h>

#define PICTURES	2	/* number of a client's picture buffers, which are used in turn */

/* From client to compositor, once, with a dma-buf for each picture */
struct hello {
	uint32_t pitch;
};

/*
 * From compositor to client: requests a picture. If the compositor's batches still read the
 * picture, the kernel delays the client's batch.
 */
struct draw {
	uint32_t picture;
	float time;		/* in seconds since the first frame */
};

/* From client to compositor, after the client has submitted the drawing */
struct drawn {
	uint32_t picture;
	uint32_t triangles;
};

/*
 * Send and receive a complete message. Return 0, -EPIPE if the other process has closed the socket,
 * -EPROTO for an unexpected message, or another negative errno.
 */
int message_send(int sock, const void *data, uint32_t size, const int *fds,
		 uint32_t fd_count);
int message_receive(int sock, void *data, uint32_t size, int *fds,
		    uint32_t fd_count);

#endif
