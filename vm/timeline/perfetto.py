# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a timeline in the JSON trace event format, which ui.perfetto.dev and chrome://tracing open.
The format is described in "Trace Event Format" by the Chromium project. Times are in microseconds.
The chip and each channel are processes of the file, so that no two channels share a track. A
channel that reuses the number of an earlier channel is a separate process."""

import json
import math

CHIP = 1
FIRST_CHANNEL = 100     # the process of channel 0
USE_STEP = 1000         # between the processes of two channels that had the same number
TRACKS = {"PFIFO": 1, "PGRAPH": 2, "switches": 3, "interrupts": 4, "vertical blank": 5}
SUBMITTED, ON_CHIP, WORK, ANSWERS = 1, 2, 3, 4
# The length of the slice "submit", in which the flow of a batch begins. The kernel's times are
# multiples of 1 us, so the slices of two batches do not overlap.
SUBMIT_NS = 500


def channel_name(channel):
    process = f"{channel.client} {channel.pid}" if channel.pid else channel.client
    return f"{channel.title}: {process} ({channel.kind})"


def channel_process(channel):
    return FIRST_CHANNEL + channel.chid + USE_STEP * (channel.use - 1)


def owner_name(channel):
    return channel.title if channel else "no channel"


def microseconds(ns):
    """Converts to microseconds. Perfetto multiplies by 1000 and then truncates, so the result must
    not be less than the exact time."""
    time = ns / 1000
    return time if int(time * 1000.0) == ns else math.nextafter(time, math.copysign(math.inf, ns))


class Writer:
    def __init__(self):
        self.events = []

    def add(self, phase, pid, tid, name, time, **more):
        self.events.append({"ph": phase, "pid": pid, "tid": tid, "name": name,
                            "ts": microseconds(time), **more})

    def slice(self, pid, tid, name, start, stop, **args):
        self.add("X", pid, tid, name, start, dur=microseconds(stop - start), args=args)

    def instant(self, pid, tid, name, time, **args):
        self.add("i", pid, tid, name, time, s="t", args=args)

    def names(self, pid, process, order, tracks):
        self.add("M", pid, 0, "process_name", 0, args={"name": process})
        self.add("M", pid, 0, "process_sort_index", 0, args={"sort_index": order})
        for name, tid in tracks.items():
            self.add("M", pid, tid, "thread_name", 0, args={"name": name})
            self.add("M", pid, tid, "thread_sort_index", 0, args={"sort_index": tid})


def write_batch(writer, batch, flow):
    """Writes a batch. @flow is the unique number of the batch's flow."""
    pid = channel_process(batch.channel)
    name = f"batch {batch.number}"
    for part in batch.parts:
        writer.slice(pid, ON_CHIP, name, part.start, part.stop, ended_by=part.reason,
                     error=batch.error)
    if batch.submit is not None and batch.begin is not None:
        # Several batches wait at the same time, so the waits are async events, which may overlap.
        # Perfetto shows all async events with the same name in one row. It places this row in the
        # group of the process only if the identifier of the events is local.
        for phase, time, args in (("b", batch.submit, {"batch": batch.number}),
                                  ("e", batch.begin, {})):
            writer.add(phase, pid, SUBMITTED, "waiting", time, cat="waiting", id2={"local": flow},
                       args=args)
        writer.slice(pid, SUBMITTED, "submit " + name, batch.submit, batch.submit + SUBMIT_NS)
        # Perfetto reads events with equal times in the order of the file. A flow belongs to the
        # last slice that was read before the flow.
        writer.add("s", pid, SUBMITTED, "way", batch.submit, cat="way", id=flow)
        writer.add("f", pid, ON_CHIP, "way", batch.begin, cat="way", id=flow, bp="e")
    for work in batch.work:
        write_work(writer, pid, work)
    for stop in batch.stops:
        write_stop(writer, pid, stop)
    for time, text in batch.answers:
        writer.instant(pid, ANSWERS, text, time)
    if batch.notify is not None:
        writer.instant(pid, WORK, "notification of " + name, batch.notify)


def write_stop(writer, pid, stop):
    time, what, method = stop
    writer.instant(pid, WORK, f"{what}: {method}", time)


def write_work(writer, pid, work):
    args = {"first_method": work.method, "methods": work.methods, "triangles": work.triangles,
            "pixels": work.pixels}
    if work.list:
        args["list"] = "\n".join(work.list)
    writer.slice(pid, WORK, work.class_, work.start, work.stop, **args)


def write_chip(writer, timeline):
    writer.names(CHIP, "nv3", 0, TRACKS)
    for engine, owners in timeline.owners.items():
        for start, stop, channel in owners:
            writer.slice(CHIP, TRACKS[engine], channel.title, start, stop)
    for switch in timeline.switches:
        writer.slice(CHIP, TRACKS["switches"],
                     f"{switch.engine} from {owner_name(switch.from_)} to {switch.to.title}",
                     switch.start, switch.stop, ns=switch.stop - switch.start,
                     reason=switch.reason, registers_saved=switch.saved,
                     registers_loaded=switch.loaded)
    for time, engine, bits in timeline.interrupts:
        writer.instant(CHIP, TRACKS["interrupts"], f"{engine}: {bits}", time)
    for time in timeline.vblanks:
        writer.instant(CHIP, TRACKS["vertical blank"], "vertical blank", time)


def write(timeline, file):
    writer = Writer()
    write_chip(writer, timeline)
    for order, channel in enumerate(timeline.channels, 1):
        pid = channel_process(channel)
        writer.names(pid, channel_name(channel), order,
                     {"submitted": SUBMITTED, "on the chip": ON_CHIP, "methods": WORK,
                      "driver": ANSWERS})
        for time, depth in timeline.depths.get(channel, []):
            writer.add("C", pid, 0, "queued batches", time, args={"batches": depth})
    for flow, batch in enumerate(timeline.batches, 1):
        write_batch(writer, batch, flow)
    for channel, work in timeline.stray:
        write_work(writer, channel_process(channel), work)
    for channel, stop in timeline.stray_stops:
        write_stop(writer, channel_process(channel), stop)
    clock = {"clock": "PTIMER", "begin_ns": timeline.begin}
    if timeline.host:
        ptimer, monotonic, utc = timeline.host
        clock["host"] = {"ptimer_ns": ptimer, "monotonic_ns": monotonic, "utc_ns": utc}
    json.dump({"displayTimeUnit": "ns", "traceEvents": writer.events, "otherData": clock}, file)
    file.write("\n")
