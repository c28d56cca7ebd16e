/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of the resource manager, in the system "nv3". Together with the tracepoints of
 * gpu_scheduler and dma_fence, these tracepoints show the life of each batch. Some of them are hit
 * with nv3_rm.lock held.
 */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM nv3

#if !defined(NV3_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define NV3_TRACE_H

#include <linux/ktime.h>
#include <linux/tracepoint.h>

#include "nv3_device.h"
#include "nv3_switch_reason.h"

void nv3_trace_clock(struct nv3_device *nv3);

/*
 * PTIMER had the value @ptimer (in ns) when CLOCK_MONOTONIC was between @ns and @ns + @span. With
 * these values, a tool can convert the times of the device model's trace events, which are times of
 * PTIMER, to CLOCK_MONOTONIC.
 */
TRACE_EVENT(nv3_clock,
	    TP_PROTO(const struct nv3_device *nv3, u64 ptimer, u64 ns, u64 span),
	    TP_ARGS(nv3, ptimer, ns, span),
	    TP_STRUCT__entry(__field(int, minor)
			     __field(u64, ptimer)
			     __field(u64, ns)
			     __field(u64, span)),
	    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
			   __entry->ptimer = ptimer;
			   __entry->ns = ns;
			   __entry->span = span;),
	    TP_printk("minor=%d ptimer=%llu ns=%llu span=%llu", __entry->minor, __entry->ptimer,
		      __entry->ns, __entry->span));

/*
 * @pid and @comm describe the process that opened the DRM file. For a channel of the kernel, @pid
 * is 0 and @comm is "kernel".
 */
DECLARE_EVENT_CLASS(nv3_trace_channel,
		    TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 type, int pid,
			     const char *comm),
		    TP_ARGS(nv3, chid, type, pid, comm),
		    TP_STRUCT__entry(__field(int, minor)
				     __field(u32, chid)
				     __field(u32, type)
				     __field(int, pid)
				     __string(comm, comm)),
		    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
				   __entry->chid = chid;
				   __entry->type = type;
				   __entry->pid = pid;
				   __assign_str(comm);),
		    TP_printk("minor=%d channel=%u type=%s pid=%d client=%s", __entry->minor,
			      __entry->chid,
			      __print_symbolic(__entry->type,
					       { DRM_NV3_CHANNEL_DMA, "DMA" },
					       { DRM_NV3_CHANNEL_PIO, "PIO" }),
			      __entry->pid, __get_str(comm)));

DEFINE_EVENT(nv3_trace_channel, nv3_channel_create,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 type, int pid, const char *comm),
	     TP_ARGS(nv3, chid, type, pid, comm));

DEFINE_EVENT(nv3_trace_channel, nv3_channel_destroy,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 type, int pid, const char *comm),
	     TP_ARGS(nv3, chid, type, pid, comm));

DECLARE_EVENT_CLASS(nv3_trace_object,
		    TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 handle, u32 class),
		    TP_ARGS(nv3, chid, handle, class),
		    TP_STRUCT__entry(__field(int, minor)
				     __field(u32, chid)
				     __field(u32, handle)
				     __field(u32, class)),
		    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
				   __entry->chid = chid;
				   __entry->handle = handle;
				   __entry->class = class;),
		    TP_printk("minor=%d channel=%u handle=%08x class=%02x", __entry->minor,
			      __entry->chid, __entry->handle, __entry->class));

DEFINE_EVENT(nv3_trace_object, nv3_object_create,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 handle, u32 class),
	     TP_ARGS(nv3, chid, handle, class));

DEFINE_EVENT(nv3_trace_object, nv3_object_destroy,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 handle, u32 class),
	     TP_ARGS(nv3, chid, handle, class));

/* The driver has inserted the object into RAMHT, because a method needed it. */
DEFINE_EVENT(nv3_trace_object, nv3_ramht_insert,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 handle, u32 class),
	     TP_ARGS(nv3, chid, handle, class));

TRACE_DEFINE_ENUM(NV3_SWITCH_RESET);
TRACE_DEFINE_ENUM(NV3_SWITCH_FAULT);
TRACE_DEFINE_ENUM(NV3_SWITCH_CLOSED);
TRACE_DEFINE_ENUM(NV3_SWITCH_IDLE);
TRACE_DEFINE_ENUM(NV3_SWITCH_TIMESLICE);
TRACE_DEFINE_ENUM(NV3_SWITCH_PRIORITY);
TRACE_DEFINE_ENUM(NV3_SWITCH_MEMORY);
TRACE_DEFINE_ENUM(NV3_SWITCH_BLOCKED);
TRACE_DEFINE_ENUM(NV3_SWITCH_METHOD);
TRACE_DEFINE_ENUM(NV3_SWITCH_SOFTWARE);

#define nv3_trace_show_reason(reason)					\
	__print_symbolic(reason,					\
			 { NV3_SWITCH_RESET, "reset" },			\
			 { NV3_SWITCH_FAULT, "fault" },			\
			 { NV3_SWITCH_CLOSED, "closed" },		\
			 { NV3_SWITCH_IDLE, "idle" },			\
			 { NV3_SWITCH_TIMESLICE, "timeslice" },		\
			 { NV3_SWITCH_PRIORITY, "priority" },		\
			 { NV3_SWITCH_MEMORY, "memory" },		\
			 { NV3_SWITCH_BLOCKED, "blocked" },		\
			 { NV3_SWITCH_METHOD, "method" },		\
			 { NV3_SWITCH_SOFTWARE, "software" })

/*
 * The switch began at @start. @from is -1 if the switched block, PFIFO or PGRAPH, had no owner
 * before the switch. The driver has read @saved registers to save the state, and written @loaded
 * registers.
 */
DECLARE_EVENT_CLASS(nv3_trace_switch,
		    TP_PROTO(const struct nv3_device *nv3, int from, int to,
			     enum nv3_switch_reason reason, ktime_t start, unsigned int saved,
			     unsigned int loaded),
		    TP_ARGS(nv3, from, to, reason, start, saved, loaded),
		    TP_STRUCT__entry(__field(int, minor)
				     __field(int, from)
				     __field(int, to)
				     __field(enum nv3_switch_reason, reason)
				     __field(s64, ns)
				     __field(unsigned int, saved)
				     __field(unsigned int, loaded)),
		    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
				   __entry->from = from;
				   __entry->to = to;
				   __entry->reason = reason;
				   __entry->ns = ktime_to_ns(ktime_sub(ktime_get(), start));
				   __entry->saved = saved;
				   __entry->loaded = loaded;),
		    TP_printk("minor=%d from=%d to=%d reason=%s ns=%lld saved=%u loaded=%u",
			      __entry->minor, __entry->from, __entry->to,
			      nv3_trace_show_reason(__entry->reason), __entry->ns,
			      __entry->saved, __entry->loaded));

DEFINE_EVENT(nv3_trace_switch, nv3_switch_pfifo,
	     TP_PROTO(const struct nv3_device *nv3, int from, int to,
		      enum nv3_switch_reason reason, ktime_t start, unsigned int saved,
		      unsigned int loaded),
	     TP_ARGS(nv3, from, to, reason, start, saved, loaded));

DEFINE_EVENT(nv3_trace_switch, nv3_switch_pgraph,
	     TP_PROTO(const struct nv3_device *nv3, int from, int to,
		      enum nv3_switch_reason reason, ktime_t start, unsigned int saved,
		      unsigned int loaded),
	     TP_ARGS(nv3, from, to, reason, start, saved, loaded));

/*
 * The events of a batch or of a PIO timeslice. @batch is the number of the batch in its channel,
 * from 1. @since is the CLOCK_MONOTONIC time at which the batch last began or was resumed, or 0 if
 * it has not begun. No event marks the beginning: most batches are short, and @since in the next
 * event of the batch costs much less than an event (submit.rate of vm/checks/suites/trace-cost.sh).
 */
DECLARE_EVENT_CLASS(nv3_trace_batch,
		    TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch),
		    TP_ARGS(nv3, chid, batch),
		    TP_STRUCT__entry(__field(int, minor)
				     __field(u32, chid)
				     __field(u64, batch)),
		    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
				   __entry->chid = chid;
				   __entry->batch = batch;),
		    TP_printk("minor=%d channel=%u batch=%llu", __entry->minor, __entry->chid,
			      __entry->batch));

/*
 * The batch has received its number, and waits until its dependencies have signalled. nv3-trace
 * does not record this event, because @submitted of nv3_batch_end costs less.
 */
DEFINE_EVENT(nv3_trace_batch, nv3_batch_submit,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch),
	     TP_ARGS(nv3, chid, batch));

/*
 * The GPU scheduler has released the batch, and the batch waits for the chip. A batch that begins
 * immediately has no such event.
 */
DEFINE_EVENT(nv3_trace_batch, nv3_batch_queue,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch),
	     TP_ARGS(nv3, chid, batch));

/* The batch is still running when a check for a hang is due. */
TRACE_EVENT(nv3_batch_running,
	    TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch, ktime_t since),
	    TP_ARGS(nv3, chid, batch, since),
	    TP_STRUCT__entry(__field(int, minor)
			     __field(u32, chid)
			     __field(u64, batch)
			     __field(s64, since)),
	    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
			   __entry->chid = chid;
			   __entry->batch = batch;
			   __entry->since = ktime_to_ns(since);),
	    TP_printk("minor=%d channel=%u batch=%llu since=%lld", __entry->minor, __entry->chid,
		      __entry->batch, __entry->since));

TRACE_EVENT(nv3_batch_preempt,
	    TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch, ktime_t since,
		     enum nv3_switch_reason reason),
	    TP_ARGS(nv3, chid, batch, since, reason),
	    TP_STRUCT__entry(__field(int, minor)
			     __field(u32, chid)
			     __field(u64, batch)
			     __field(s64, since)
			     __field(enum nv3_switch_reason, reason)),
	    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
			   __entry->chid = chid;
			   __entry->batch = batch;
			   __entry->since = ktime_to_ns(since);
			   __entry->reason = reason;),
	    TP_printk("minor=%d channel=%u batch=%llu since=%lld reason=%s", __entry->minor,
		      __entry->chid, __entry->batch, __entry->since,
		      nv3_trace_show_reason(__entry->reason)));

DEFINE_EVENT(nv3_trace_batch, nv3_batch_resume,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch),
	     TP_ARGS(nv3, chid, batch));

/* @submitted is the CLOCK_MONOTONIC time at which the batch was passed to the GPU scheduler. */
TRACE_EVENT(nv3_batch_end,
	    TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch, ktime_t submitted,
		     ktime_t since, int error),
	    TP_ARGS(nv3, chid, batch, submitted, since, error),
	    TP_STRUCT__entry(__field(int, minor)
			     __field(u32, chid)
			     __field(u64, batch)
			     __field(s64, submitted)
			     __field(s64, since)
			     __field(int, error)),
	    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
			   __entry->chid = chid;
			   __entry->batch = batch;
			   __entry->submitted = ktime_to_ns(submitted);
			   __entry->since = ktime_to_ns(since);
			   __entry->error = error;),
	    TP_printk("minor=%d channel=%u batch=%llu submitted=%lld since=%lld error=%d",
		      __entry->minor, __entry->chid, __entry->batch, __entry->submitted,
		      __entry->since, __entry->error));

/*
 * The wait for a client's notification has ended. @batch is the last batch that could write the
 * notification.
 */
TRACE_EVENT(nv3_notifier,
	    TP_PROTO(const struct nv3_device *nv3, u32 chid, u64 batch, int error),
	    TP_ARGS(nv3, chid, batch, error),
	    TP_STRUCT__entry(__field(int, minor)
			     __field(u32, chid)
			     __field(u64, batch)
			     __field(int, error)),
	    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
			   __entry->chid = chid;
			   __entry->batch = batch;
			   __entry->error = error;),
	    TP_printk("minor=%d channel=%u batch=%llu error=%d", __entry->minor, __entry->chid,
		      __entry->batch, __entry->error));

DECLARE_EVENT_CLASS(nv3_trace_method,
		    TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 subch, u32 class, u32 mthd,
			     u32 data, u32 result),
		    TP_ARGS(nv3, chid, subch, class, mthd, data, result),
		    TP_STRUCT__entry(__field(int, minor)
				     __field(u32, chid)
				     __field(u32, subch)
				     __field(u32, class)
				     __field(u32, mthd)
				     __field(u32, data)
				     __field(u32, result)),
		    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
				   __entry->chid = chid;
				   __entry->subch = subch;
				   __entry->class = class;
				   __entry->mthd = mthd;
				   __entry->data = data;
				   __entry->result = result;),
		    TP_printk("minor=%d channel=%u subch=%u class=%02x method=%04x data=%08x result=%u",
			      __entry->minor, __entry->chid, __entry->subch, __entry->class,
			      __entry->mthd, __entry->data, __entry->result));

/* The driver has executed a method. @result is 0, NV3_TRAP_* or DRM_NV3_FAULT_*. */
DEFINE_EVENT(nv3_trace_method, nv3_software_method,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 subch, u32 class, u32 mthd,
		      u32 data, u32 result),
	     TP_ARGS(nv3, chid, subch, class, mthd, data, result));

/* A method has caused a fault. @result is DRM_NV3_FAULT_*. */
DEFINE_EVENT(nv3_trace_method, nv3_fault,
	     TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 subch, u32 class, u32 mthd,
		      u32 data, u32 result),
	     TP_ARGS(nv3, chid, subch, class, mthd, data, result));

TRACE_EVENT(nv3_runout,
	    TP_PROTO(const struct nv3_device *nv3, u32 chid, u32 addr, u32 data),
	    TP_ARGS(nv3, chid, addr, data),
	    TP_STRUCT__entry(__field(int, minor)
			     __field(u32, chid)
			     __field(u32, addr)
			     __field(u32, data)),
	    TP_fast_assign(__entry->minor = nv3->drm.primary->index;
			   __entry->chid = chid;
			   __entry->addr = addr;
			   __entry->data = data;),
	    TP_printk("minor=%d channel=%u address=%04x data=%08x", __entry->minor, __entry->chid,
		      __entry->addr, __entry->data));

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH device
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE nv3_trace
#include <trace/define_trace.h>
