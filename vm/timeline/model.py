# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the timeline of a recording: channels with their batches and work, the owners of PFIFO and
PGRAPH, switches and depths of queues. Times are in ns of PTIMER, relative to the first event."""

import bisect
import dataclasses

from clock import Clock
from recording import Channel


@dataclasses.dataclass
class Part:
    """An uninterrupted period in which a batch is on the chip. reason is why the period ended:
    "end" (the batch ended), "open" (the recording ended), or the reason in nv3_batch_preempt."""
    start: int
    stop: int
    reason: str
    device_begin: int = None


@dataclasses.dataclass
class Work:
    """Consecutive methods for one object."""
    start: int
    stop: int
    class_: str
    method: str
    methods: int
    triangles: int
    pixels: int
    list: list = dataclasses.field(default_factory=list)    # single methods, if recorded


@dataclasses.dataclass
class Batch:
    channel: Channel
    number: int
    submit: int = None
    queue: int = None
    end: int = None
    error: int = 0
    parts: list = dataclasses.field(default_factory=list)
    work: list = dataclasses.field(default_factory=list)
    read: int = None        # when the pusher had read the whole batch
    notify: int = None      # when the chip wrote the notification of the tail
    stops: list = dataclasses.field(default_factory=list)       # (time, what, method): of PFIFO
    answers: list = dataclasses.field(default_factory=list)     # (time, text): of the driver

    @property
    def begin(self):
        return self.parts[0].start if self.parts else None


@dataclasses.dataclass
class Switch:
    engine: str
    start: int
    stop: int
    from_: Channel      # None if no channel owned the engine
    to: Channel
    saved: int
    loaded: int
    reason: str


@dataclasses.dataclass
class Timeline:
    begin: int = 0          # PTIMER of time 0
    length: int = 0
    uncertainty: int = 0
    host: tuple = None      # (PTIMER, the host's CLOCK_MONOTONIC, UTC) of one moment
    channels: list = dataclasses.field(default_factory=list)    # by number and use
    batches: list = dataclasses.field(default_factory=list)     # by their first event
    switches: list = dataclasses.field(default_factory=list)
    owners: dict = dataclasses.field(default_factory=dict)      # engine: [(start, stop, Channel)]
    depths: dict = dataclasses.field(default_factory=dict)      # Channel: [(time, batches)]
    interrupts: list = dataclasses.field(default_factory=list)  # (time, engine, bits)
    device_switches: list = dataclasses.field(default_factory=list)     # (time, engine, chid)
    vblanks: list = dataclasses.field(default_factory=list)
    stray: list = dataclasses.field(default_factory=list)       # (Channel, Work) outside of batches
    stray_stops: list = dataclasses.field(default_factory=list)     # (Channel, stop)


# A notification with this index in the channel's notifier ends a batch (NV3_FENCE_SLOT).
FENCE_SLOT = 1
ENGINES = {"nv3_switch_pfifo": "PFIFO", "nv3_switch_pgraph": "PGRAPH"}


class Builder:
    """Adds the kernel's events to the timeline, in the order of their times."""

    def __init__(self, timeline, channels):
        self.timeline = timeline
        self.channels = {}  # chid: [(since, Channel)], by use
        self.batches = {}
        self.depth = {}
        self.owner = {}     # engine: (since, Channel)
        for channel in channels:
            self.add_channel(0, channel)

    def add_channel(self, time, channel):
        uses = self.channels.setdefault(channel.chid, [])
        uses.append((time, channel))
        channel.use = len(uses)
        return channel

    def channel(self, chid):
        """Returns the channel that has the number @chid now, or None for the number -1."""
        if chid < 0:
            return None
        if chid not in self.channels:
            return self.add_channel(0, Channel(chid))
        return self.channels[chid][-1][1]

    def channel_at(self, chid, time):
        """Returns the channel that has the number @chid at @time."""
        uses = self.channels.get(chid) or [(0, self.channel(chid))]
        return next((channel for since, channel in reversed(uses) if since <= time), uses[0][1])

    def batch(self, fields):
        channel = self.channel(fields["channel"])
        key = channel, fields["batch"]
        if key not in self.batches:
            self.batches[key] = Batch(*key)
            self.timeline.batches.append(self.batches[key])
        return self.batches[key]

    def count(self, time, channel, change):
        self.depth[channel] = max(0, self.depth.get(channel, 0) + change)
        self.timeline.depths.setdefault(channel, []).append((time, self.depth[channel]))

    def nv3_channel_create(self, time, fields):
        self.add_channel(time, Channel(fields["channel"], fields["type"], fields["pid"],
                                       fields["client"]))

    def nv3_batch_submit(self, time, fields):
        batch = self.batch(fields)
        # The recording may contain the event and the field submitted of nv3_batch_end.
        if batch.submit is None:
            batch.submit = time
            self.count(time, batch.channel, 1)

    def nv3_batch_queue(self, time, fields):
        self.batch(fields).queue = time

    def nv3_batch_begin(self, time, fields):
        batch = self.batch(fields)
        # Several events of a batch may report the same beginning, so ignore the later ones.
        if batch.parts and batch.parts[-1].reason == "open":
            return
        # If a batch begins at once because the chip is idle, the recording has no event
        # nv3_batch_queue for this batch.
        if batch.queue is None and batch.submit is not None:
            batch.queue = time
        batch.parts.append(Part(time, None, "open"))

    nv3_batch_resume = nv3_batch_begin

    def leave(self, time, batch, reason):
        if batch.parts and batch.parts[-1].reason == "open":
            batch.parts[-1].stop, batch.parts[-1].reason = time, reason

    def nv3_batch_preempt(self, time, fields):
        self.leave(time, self.batch(fields), fields["reason"])

    def nv3_batch_end(self, time, fields):
        batch = self.batch(fields)
        batch.end, batch.error = time, fields["error"]
        self.leave(time, batch, "end")
        if batch.submit is not None:
            self.count(time, batch.channel, -1)

    def own(self, time, engine, channel):
        since, owner = self.owner.get(engine, (0, None))
        if owner and time > since:
            self.timeline.owners.setdefault(engine, []).append((since, time, owner))
        self.owner[engine] = time, channel

    def switch(self, time, name, fields):
        engine = ENGINES[name]
        from_, to = self.channel(fields["from"]), self.channel(fields["to"])
        start = max(0, time - fields["ns"])
        # The driver measures the duration after it takes the time of the event, so the difference
        # may be too early. Switches do not overlap, because the driver holds a lock.
        if self.timeline.switches:
            start = max(start, self.timeline.switches[-1].stop)
        self.timeline.switches.append(Switch(engine, start, time, from_, to,
                                             fields["saved"], fields["loaded"], fields["reason"]))
        if engine not in self.owner:
            self.owner[engine] = 0, from_
        self.own(time, engine, to)

    def answer(self, time, chid, text):
        channel = self.channel(chid)
        for batch in reversed(self.timeline.batches):
            if batch.channel is channel and batch.parts:
                batch.answers.append((time, text))
                return

    def nv3_ramht_insert(self, time, fields):
        self.answer(time, fields["channel"], f"RAMHT lacks handle {fields['handle']} "
                    f"(class {fields['class']}): inserted")

    def nv3_software_method(self, time, fields):
        self.answer(time, fields["channel"], f"software executes class {fields['class']} method "
                    f"{fields['method']} data {fields['data']}: {fields['result']}")

    def nv3_fault(self, time, fields):
        self.answer(time, fields["channel"], f"fault {fields['result']}: class {fields['class']} "
                    f"method {fields['method']} data {fields['data']}")

    def nv3_runout(self, time, fields):
        self.answer(time, fields["channel"], f"overflow to RAMRO: address {fields['address']} "
                    f"data {fields['data']}")

    def nv3_notifier(self, time, fields):
        self.batch(fields).answers.append((time, "notification of the client, error "
                                           f"{fields['error']}"))

    def drm_vblank_event(self, time, fields):
        self.timeline.vblanks.append(time)

    def add(self, time, event):
        if event.name in ENGINES:
            self.switch(time, event.name, event.fields)
        elif hasattr(self, event.name):
            getattr(self, event.name)(time, event.fields)

    def finish(self):
        """Ends the periods of owners and batches that last until the end of the recording."""
        end = self.timeline.length
        for engine in list(self.owner):
            self.own(end, engine, None)
        for batch in self.timeline.batches:
            self.leave(end, batch, "open")

    def sort_channels(self):
        self.timeline.channels = [channel for _, uses in sorted(self.channels.items())
                                  for _, channel in uses]


# ---- the device's side -------------------------------------------------------

class Finder:
    """Finds the batch that is on the chip at a given time."""

    def __init__(self, timeline, builder):
        self.builder = builder
        self.parts = sorted(((part.start, part.stop, batch, part) for batch in timeline.batches
                             for part in batch.parts), key=lambda entry: entry[0])
        self.starts = [entry[0] for entry in self.parts]
        self.slack = timeline.uncertainty

    def find(self, chid, start, stop=None):
        """Returns a part that overlaps the period from @start to @stop, as (batch, part), for a
        batch of the channel @chid. Returns (None, None) if there is no such part."""
        stop = start if stop is None else stop
        i = bisect.bisect_right(self.starts, stop + self.slack)
        while i > 0:
            i -= 1
            begin, end, batch, part = self.parts[i]
            overlaps = begin - self.slack <= stop and start <= end + self.slack
            if batch.channel.chid == chid and overlaps:
                return batch, part
            if end + self.slack < start:
                break
        return None, None

    def find_begin(self, chid, time):
        """Returns the first part of a batch of the channel @chid that the device may begin at
        @time, and whose beginning has not been found yet. Returns None if there is no such part.
        If parts are closer together than the uncertainty of the clocks, the order of the events
        decides."""
        found = None
        i = bisect.bisect_right(self.starts, time + self.slack)
        while i > 0:
            i -= 1
            _, end, batch, part = self.parts[i]
            if end + self.slack < time:
                break
            if batch.channel.chid == chid and part.device_begin is None:
                found = part
        return found

    def last_begun(self, chid, time):
        """Returns the batch of the channel @chid that was the last to begin or to be resumed before
        @time, or None."""
        channel = self.builder.channel_at(chid, time)
        i = bisect.bisect_right(self.starts, time + self.slack)
        return next((self.parts[j][2] for j in range(i - 1, -1, -1)
                     if self.parts[j][2].channel is channel), None)


def add_work(timeline, finder, time, fields):
    start = max(0, fields["since"] - timeline.begin)
    work = Work(start, time, fields["class_"], fields["method"], fields["methods"],
                fields["triangles"], fields["pixels"])
    batch, _ = finder.find(fields["chid"], start, time)
    if batch:
        batch.work.append(work)
    else:
        timeline.stray.append((finder.builder.channel_at(fields["chid"], start), work))
    return work


def add_stop(timeline, finder, time, what, fields):
    """Adds a stop of the puller, or an overflow to RAMRO, to the channel's last batch that has
    begun. If there is none, a store to the channel's USER aperture has overflowed."""
    stop = time, what, f"method {fields['method']} data {fields['data']}: {fields['reason']}"
    batch = finder.last_begun(fields["chid"], time)
    if batch:
        batch.stops.append(stop)
    else:
        timeline.stray_stops.append((finder.builder.channel_at(fields["chid"], time), stop))


def add_read(finder, time, fields):
    """Adds the time at which the pusher had read the whole batch."""
    batch, _ = finder.find(fields["chid"], time)
    if batch and batch.read is None:
        batch.read = time


def add_notification(timeline, finder, time, fields):
    # The event of a notification replaces the event nv3_core_batch_end of the batch.
    if fields["read"]:
        add_read(finder, fields["read"] - timeline.begin, fields)
    if fields["interrupt"]:
        timeline.interrupts.append((time, "PGRAPH", "NOTIFY"))
    if fields["slot"] == FENCE_SLOT:
        batch, _ = finder.find(fields["chid"], time)
        if batch and batch.notify is None:
            batch.notify = time


def add_device(timeline, device, builder):
    finder = Finder(timeline, builder)
    pending = []        # methods of the run that has not ended
    for event in device.events:
        time, fields = event.time - timeline.begin, event.fields
        if event.name == "nv3_core_method":
            pending.append(f"{fields['class_']}.{fields['method']} {fields['value']}".strip())
        elif event.name == "nv3_core_work":
            work = add_work(timeline, finder, time, fields)
            work.list, pending = pending, []
        elif event.name == "nv3_core_stop":
            add_stop(timeline, finder, time, "the puller stops", fields)
        elif event.name == "nv3_core_runout":
            add_stop(timeline, finder, time, "a store overflows to RAMRO", fields)
        elif event.name == "nv3_core_batch":
            part = finder.find_begin(fields["chid"], time)
            if part:
                part.device_begin = time
        elif event.name == "nv3_core_batch_end":
            add_read(finder, time, fields)
        elif event.name == "nv3_core_notify":
            add_notification(timeline, finder, time, fields)
        elif event.name == "nv3_core_interrupt":
            timeline.interrupts.append((time, fields["engine"], fields["bits"]))
        elif event.name == "nv3_core_channel":
            timeline.device_switches.append((time, "PFIFO", fields["chid"]))
        elif event.name == "nv3_core_context":
            timeline.device_switches.append((time, "PGRAPH", fields["chid"]))
        elif event.name == "nv3_core_clock" and not timeline.host:
            timeline.host = event.time, fields["host"], fields["utc"]


def build(kernel, device=None):
    """Builds the timeline from the kernel's events. The device's events add the work of batches."""
    clock = Clock(kernel)
    times = [clock.to_ptimer(event.time) for event in kernel.events]
    timeline = Timeline(begin=min(times), uncertainty=clock.uncertainty + 1000)
    timeline.length = max(times) - timeline.begin
    builder = Builder(timeline, kernel.channels.values())
    for time, event in sorted(zip(times, kernel.events), key=lambda pair: pair[0]):
        builder.add(time - timeline.begin, event)
    builder.finish()
    if device:
        end = timeline.begin + timeline.length
        device = dataclasses.replace(device, events=[
            event for event in device.events if timeline.begin <= event.time <= end])
        add_device(timeline, device, builder)
    builder.sort_channels()
    return timeline
