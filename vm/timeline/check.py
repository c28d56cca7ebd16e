# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks a timeline with events of the kernel and of the device. For each batch that began and
ended in the recording, the channel must own PFIFO and PGRAPH while the batch uses them. The batch
must execute methods, and a notification must follow."""

import bisect

TAIL_METHODS = 3    # methods that the resource manager appends to a batch


ENGINES = ("PFIFO", "PGRAPH")


class Owners:
    """The channels that owned an engine. At least one switch of the engine must be recorded."""

    def __init__(self, timeline, engine):
        self.switches = [s for s in timeline.switches if s.engine == engine]
        self.stops = [s.stop for s in self.switches]

    def at(self, time):
        """Returns the channel that owns the engine at @time, or None if no channel owns it."""
        i = bisect.bisect_right(self.stops, time)
        return self.switches[i - 1].to if i else self.switches[0].from_


def owner_name(channel):
    return channel.title if channel else "no channel"


def is_complete(batch):
    """Returns whether the batch succeeded and the recording contains it from its submission to its
    end on the chip."""
    return (batch.submit is not None and batch.end is not None and batch.error == 0 and
            batch.parts and batch.parts[-1].reason == "end")


def order_errors(batch, slack):
    """Yields an error for each step of a batch that is earlier than the previous step. Times of the
    kernel and of the device may differ by @slack, the uncertainty of the clocks."""
    if batch.notify is None:
        yield "the device wrote no notification"
        return
    steps = [("is submitted", batch.submit, 0), ("is queued", batch.queue, 0),
             ("begins", batch.begin, 0),
             ("is pushed by the device", batch.parts[0].device_begin, slack),
             ("reaches PGRAPH", batch.work[0].start, 0),
             ("ends in PGRAPH", batch.work[-1].stop, 0),
             ("is notified", batch.notify, 0), ("ends", batch.end, slack)]
    for (before, early, _), (after, late, allowed) in zip(steps, steps[1:]):
        if late < early - allowed:
            yield f"it {after} {early - late} ns before it {before}"


def owner_errors(batch, owners, slack):
    """Yields an error if another channel owned an engine that the batch used. Ignores an engine
    without a recorded switch, because switch_errors() reports this."""
    if "PFIFO" in owners:
        for owner in (owners["PFIFO"].at(part.start) for part in batch.parts):
            if owner is not batch.channel:
                yield f"it began while {owner_name(owner)} owned PFIFO"
    if "PGRAPH" in owners:
        for owner in (owners["PGRAPH"].at(work.start + slack) for work in batch.work):
            if owner is not batch.channel:
                yield f"it executed methods while {owner_name(owner)} owned PGRAPH"


def batch_errors(batch, owners, slack):
    yield from owner_errors(batch, owners, slack)
    for part in batch.parts:
        # When a batch is resumed, the device reports its beginning only if the pusher has words
        # left to read. Otherwise, only methods in CACHE1 are left to execute.
        was_read = (part is not batch.parts[0] and batch.read is not None and
                    batch.read < part.start)
        if part.device_begin is None and not was_read:
            yield f"the device did not begin it at {part.start} ns"
            return
    if not batch.work:
        yield "the device executed no method"
    elif sum(work.methods for work in batch.work) < TAIL_METHODS:
        yield "the device executed fewer methods than the batch's tail has"
    else:
        yield from order_errors(batch, slack)


def switch_errors(timeline):
    """Checks that no two batches are on the chip at once, and that each engine has switches. Each
    switch of an engine must start from the channel to which the engine's previous switch led."""
    parts = sorted(((part.start, part.stop, batch.channel.title) for batch in timeline.batches
                    for part in batch.parts))
    for (_, stop, first), (start, _, second) in zip(parts, parts[1:]):
        if start < stop:
            yield f"{first} and {second} are both on the chip at {start} ns"
    for engine in ENGINES:
        owner = None
        if not any(switch.engine == engine for switch in timeline.switches):
            yield f"the driver has recorded no switch of {engine}"
        for switch in timeline.switches:
            if switch.engine != engine:
                continue
            if switch.from_ not in (None, owner) and owner is not None:
                yield (f"{engine} switches from {switch.from_.title} at {switch.start} ns, but "
                       f"{owner.title} owned it")
            owner = switch.to


def unseen_switches(timeline):
    """Checks that the device has an event for each switch of the driver. For PFIFO, the device
    reports the new channel during the switch. For PGRAPH, it reports the refused method before the
    switch. If the reason is "software", the driver switches PGRAPH without a refused method."""
    slack = timeline.uncertainty
    before = {"PFIFO": 0, "PGRAPH": 0}
    for switch in timeline.switches:
        earliest = switch.start if switch.engine == "PFIFO" else before[switch.engine]
        seen = any(engine == switch.engine and chid == switch.to.chid and
                   earliest - slack <= time <= switch.stop + slack
                   for time, engine, chid in timeline.device_switches)
        if not seen and switch.reason != "software":
            yield (f"the device did not see the switch of {switch.engine} to {switch.to.title} "
                   f"at {switch.start} ns")
        before[switch.engine] = switch.stop


def is_aborted(timeline, time, chid):
    """Returns whether a failed batch of the channel @chid was on the chip at @time. The driver may
    have aborted such a batch before it handled a method that PGRAPH refused."""
    slack = timeline.uncertainty
    return any(batch.error and batch.channel.chid == chid and
               any(part.start - slack <= time <= part.stop + slack for part in batch.parts)
               for batch in timeline.batches)


def unexplained_switches(timeline):
    """Checks that the driver has an event for each switch that the device saw before the last
    recorded batch ended."""
    slack = timeline.uncertainty
    last = max((batch.end for batch in timeline.batches if batch.end is not None), default=0)
    periods = {}    # (engine, chid): [(earliest, latest)] time of the device's event
    before = {"PFIFO": 0, "PGRAPH": 0}
    for switch in timeline.switches:
        earliest = switch.start if switch.engine == "PFIFO" else before[switch.engine]
        periods.setdefault((switch.engine, switch.to.chid), []).append(
            (earliest - slack, switch.stop + slack))
        before[switch.engine] = switch.stop
    for time, engine, chid in timeline.device_switches:
        known = any(earliest <= time <= latest
                    for earliest, latest in periods.get((engine, chid), []))
        if not known and time <= last and not is_aborted(timeline, time, chid):
            yield (f"the device saw a switch of {engine} to channel {chid} at {time} ns, but the "
                   "driver has recorded none")


def check(timeline):
    """Returns the number of batches that were checked, and the errors."""
    owners = {engine: Owners(timeline, engine) for engine in ENGINES
              if any(switch.engine == engine for switch in timeline.switches)}
    slack = timeline.uncertainty
    errors = [*switch_errors(timeline), *unseen_switches(timeline),
              *unexplained_switches(timeline)]
    checked = 0
    for batch in timeline.batches:
        if batch.channel.kind == "PIO" or not is_complete(batch):
            continue
        checked += 1
        errors += [f"{batch.channel.title} batch {batch.number}: {error}"
                   for error in batch_errors(batch, owners, slack)]
    return checked, errors
