/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "message.h"

#define FDS_MAX	4

union control {
	struct cmsghdr align;
	char space[CMSG_SPACE(FDS_MAX * sizeof(int))];
};

int message_send(int sock, const void *data, uint32_t size, const int *fds,
		 uint32_t fd_count)
{
	struct iovec iov = { (void *)data, size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union control control;
	struct cmsghdr *cmsg;
	ssize_t sent;

	if (fd_count > FDS_MAX)
		return -EINVAL;
	if (fd_count) {
		memset(&control, 0, sizeof(control));
		msg.msg_control = control.space;
		msg.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, fd_count * sizeof(int));
	}
	do
		sent = sendmsg(sock, &msg, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return -errno;
	return sent == (ssize_t)size ? 0 : -EPROTO;
}

/*
 * Stores up to @wanted received file descriptors in @fds, and closes the others. Returns the number
 * of received file descriptors.
 */
static uint32_t take_fds(struct msghdr *msg, int *fds, uint32_t wanted)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);
	int got[FDS_MAX];
	uint32_t i, count;

	if (!cmsg || cmsg->cmsg_level != SOL_SOCKET ||
	    cmsg->cmsg_type != SCM_RIGHTS)
		return 0;
	count = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(got, CMSG_DATA(cmsg), count * sizeof(int));
	for (i = 0; i < count; i++) {
		if (i < wanted)
			fds[i] = got[i];
		else
			close(got[i]);
	}
	return count;
}

int message_receive(int sock, void *data, uint32_t size, int *fds,
		    uint32_t fd_count)
{
	struct iovec iov = { data, size };
	union control control;
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.space,
		.msg_controllen = sizeof(control.space),
	};
	uint32_t i, count;
	ssize_t got;

	do
		got = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	count = take_fds(&msg, fds, fd_count);
	if (!got)
		return -EPIPE;
	if (got == (ssize_t)size && count == fd_count &&
	    !(msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return 0;
	for (i = 0; i < count && i < fd_count; i++)
		close(fds[i]);
	return -EPROTO;
}
