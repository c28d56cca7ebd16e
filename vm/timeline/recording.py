# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the two files of a recording: the kernel's tracepoints, as nv3-trace writes them, and the
trace events of QEMU's device. Raises an error with the file and the line number for a line with an
unknown format, because a timeline with silent gaps would mislead."""

import bisect
import dataclasses
import re


class Bad(Exception):
    """An error in a file, with a message for the user."""

    def __init__(self, path, line, text):
        super().__init__(f"{path}:{line}: {text}" if line else f"{path}: {text}")


@dataclasses.dataclass
class Event:
    """An event. The time is in ns: CLOCK_MONOTONIC in the kernel's file, PTIMER in the device's
    file."""
    time: int
    name: str
    line: int
    fields: dict


@dataclasses.dataclass(eq=False)
class Channel:
    """A channel of one client. When a channel is destroyed, another client can get its number
    (chid). The member use is 1 for the first channel with a number, 2 for the second, and so on."""
    chid: int
    kind: str = "DMA"
    pid: int = 0
    client: str = "?"
    use: int = 1

    @property
    def title(self):
        return f"channel {self.chid}" + (f" (use {self.use})" if self.use > 1 else "")


@dataclasses.dataclass
class Kernel:
    path: str
    events: list
    channels: dict      # number: Channel, those that existed before
    lost: int = None    # events that the kernel dropped; None until the line "# lost" is read


@dataclasses.dataclass
class Device:
    path: str
    events: list


MAGIC = "# nv3-trace 1"
END = "# end"
FTRACE = re.compile(r"\s*(?P<task>.+)-(?P<pid>\d+)\s+(?:\([\s\d-]+\)\s+)?\[\d+\]\s+\S+\s+"
                    r"(?P<seconds>\d+)\.(?P<micros>\d{6}): (?P<name>\w+): (?P<text>.*)$")
FIELD = re.compile(r"([\w-]+)\s*[=:]\s*([^\s,]+)")
CHANNEL = re.compile(r"# channel (\d+), (PIO|DMA):")
OPENED = re.compile(r"#\s+opened by (.*), process (\d+), user")
LOST = re.compile(r"# lost (\d+)$")

# The fields that these events of the kernel must have. The fields of other events are not checked.
KERNEL_FIELDS = {
    "nv3_clock": "ptimer ns span",
    "nv3_channel_create": "channel type pid client",
    "nv3_channel_destroy": "channel type pid client",
    "nv3_object_create": "channel handle class",
    "nv3_object_destroy": "channel handle class",
    "nv3_ramht_insert": "channel handle class",
    "nv3_switch_pfifo": "from to reason ns saved loaded",
    "nv3_switch_pgraph": "from to reason ns saved loaded",
    "nv3_batch_submit": "channel batch",
    "nv3_batch_queue": "channel batch",
    "nv3_batch_running": "channel batch since",
    "nv3_batch_preempt": "channel batch since reason",
    "nv3_batch_resume": "channel batch",
    "nv3_batch_end": "channel batch submitted since error",
    "nv3_notifier": "channel batch error",
    "nv3_software_method": "channel subch class method data result",
    "nv3_fault": "channel subch class method data result",
    "nv3_runout": "channel address data",
}
TEXT_FIELDS = {"type", "client", "reason", "handle", "class", "method", "data", "address"}
# Events that the running batch may cause in the microsecond in which it starts
CAUSED = {"nv3_ramht_insert", "nv3_switch_pgraph", "nv3_software_method", "nv3_fault", "nv3_runout",
          "nv3_notifier"}


def read_lines(path):
    """Yields the number and text of each line."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    raise Bad(path, number, "the line is incomplete; the recording was "
                              "interrupted, so record again")
                yield number, line.rstrip("\n")
    except OSError as error:
        raise Bad(path, 0, error.strerror) from None


# ---- the kernel's side -------------------------------------------------------

def kernel_fields(path, number, name, text):
    # The name of a client is the last field and may contain spaces.
    text, _, client = text.partition(" client=")
    fields = dict(FIELD.findall(text))
    if client:
        fields["client"] = client
    for key in KERNEL_FIELDS.get(name, "").split():
        if key not in fields:
            raise Bad(path, number, f"{name} has no field {key}; was it recorded with another "
                      "version of the driver?")
        if key in TEXT_FIELDS:
            continue
        try:
            fields[key] = int(fields[key])
        except ValueError:
            raise Bad(path, number, f"{name}: {key} is no number") from None
    return fields


def kernel_event(path, number, line):
    match = FTRACE.match(line)
    if not match:
        raise Bad(path, number, "this is no line of ftrace: " + line[:60])
    time = int(match["seconds"]) * 10**9 + int(match["micros"]) * 1000
    fields = kernel_fields(path, number, match["name"], match["text"])
    return Event(time, match["name"], number, fields)


def read_comment(number, line, kernel):
    channel, opened, lost = CHANNEL.match(line), OPENED.match(line), LOST.match(line)
    if channel:
        chid = int(channel[1])
        kernel.channels[chid] = Channel(chid, channel[2], 0, "kernel")
    elif opened and kernel.channels:
        last = list(kernel.channels.values())[-1]
        last.client, last.pid = opened[1], int(opened[2])
    elif lost:
        kernel.lost = int(lost[1])
    elif line.startswith("# lost"):
        raise Bad(kernel.path, number, "the number of lost events is damaged, so record again: " +
                  line[:60])


def with_times(events):
    """Returns the events, sorted by time, with an event nv3_batch_submit at the time in each field
    submitted, and an event nv3_batch_begin at the time in each field since. nv3-trace records no
    events at these times. Like all times of the kernel's file, these times are rounded down to
    microseconds. If a batch started before the recording, it begins with the recording. If a batch
    was submitted before the recording, the result has no event of its submission."""
    events = sorted(events, key=lambda event: event.time)
    times = [event.time for event in events]
    added = []      # (index of the first event after the added event, added event)

    def add(name, time, at, event):
        fields = {key: event.fields[key] for key in ("channel", "batch")}
        added.append((at, Event(time, name, event.line, fields)))

    for i, event in enumerate(events):
        since, submitted = (event.fields.get(key, 0) // 1000 * 1000
                            for key in ("since", "submitted"))
        at = i
        if since:
            since = max(since, times[0])
            at = bisect.bisect_right(times, since, 0, i)
            while at and times[at - 1] == since and events[at - 1].name in CAUSED:
                at -= 1
        if submitted >= times[0]:
            add("nv3_batch_submit", submitted, bisect.bisect_right(times, submitted, 0, at), event)
        if since:
            add("nv3_batch_begin", since, at, event)
    added.sort(key=lambda entry: entry[0])
    result, last = [], 0
    for at, event in added:
        result += [*events[last:at], event]
        last = at
    return result + events[last:]


def read_kernel(path):
    kernel = Kernel(path, [], {})
    number, line = 0, ""
    for number, line in read_lines(path):
        if number == 1 and line != MAGIC:
            raise Bad(path, 1, f'the first line is not "{MAGIC}"; record with nv3-trace')
        if line.startswith("#"):
            read_comment(number, line, kernel)
        elif line.strip():
            kernel.events.append(kernel_event(path, number, line))
    if not number:
        raise Bad(path, 0, "the file is empty; record with nv3-trace")
    if line != END:
        raise Bad(path, number, f'the last line is not "{END}"; the recording was interrupted, '
                  "so record again")
    if kernel.lost is None:
        raise Bad(path, number, 'there is no line "# lost" with the number of lost events, so '
                  "record again")
    if kernel.lost:
        raise Bad(path, number, f"the kernel has lost {kernel.lost} events; record with a larger "
                  "buffer (nv3-trace --buffer) or for a shorter time")
    if not any(event.name.startswith("nv3_batch") for event in kernel.events):
        raise Bad(path, number, "no batch was recorded; did the command use the nv3?")
    kernel.events = with_times(kernel.events)
    return kernel


# ---- the device's side -------------------------------------------------------

LINE = re.compile(r"(?:\d+@\d+\.\d+:)?(nv3_core_\w+) (\d+): (.*)$")
AT = r"channel (?P<chid>\d+) subchannel (?P<subch>\d+): "
DEVICE = {
    "nv3_core_clock": r"host (?P<host>\d+) ns, UTC (?P<utc>\d+) ns",
    "nv3_core_work": AT + r"since (?P<since>\d+), (?P<class_>\S+) from (?P<method>.+): "
                     r"(?P<methods>\d+) methods, (?P<triangles>\d+) triangles, "
                     r"(?P<pixels>\d+) pixels",
    "nv3_core_method": AT + r"(?P<class_>[^.]+)\.(?P<method>\S+) ?(?P<value>.*)",
    "nv3_core_stop": AT + r"the puller stops at method (?P<method>\S+) data (?P<data>\S+): "
                     r"(?P<reason>.*)",
    "nv3_core_channel": r"PFIFO switches to channel (?P<chid>\d+) from (?P<before>\d+)",
    "nv3_core_context": AT + r"PGRAPH refuses method (?P<method>\S+), as channel "
                        r"(?P<owner>\d+) owns it",
    "nv3_core_runout": AT + r"method (?P<method>\S+) data (?P<data>\S+) goes to RAMRO, "
                       r"(?P<reason>reason \d+)",
    "nv3_core_batch": r"channel (?P<chid>\d+): the pusher begins at (?P<offset>\S+), "
                      r"(?P<bytes>\d+) bytes",
    "nv3_core_batch_end": r"channel (?P<chid>\d+): the pusher has read the batch",
    "nv3_core_notify": r"channel (?P<chid>\d+): notification in slot (?P<slot>\d+), "
                       r"interrupt (?P<interrupt>[01]), batch read at (?P<read>\d+)",
    "nv3_core_interrupt": r"(?P<engine>\w+): (?P<bits>.*)",
}
DEVICE = {name: re.compile(pattern + "$") for name, pattern in DEVICE.items()}
NUMBERS = {"chid", "subch", "since", "methods", "triangles", "pixels", "before", "owner", "bytes",
           "slot", "interrupt", "read", "host", "utc"}


def device_event(path, number, line):
    match = LINE.match(line)
    pattern = DEVICE.get(match[1]) if match else None
    fields = pattern.match(match[3]) if pattern else None
    if not fields:
        raise Bad(path, number, "this is no complete event of the device: " + line[:60])
    values = {key: int(value) if key in NUMBERS else value
              for key, value in fields.groupdict().items()}
    return Event(int(match[2]), match[1], number, values)


def read_device(path):
    """Reads the log of QEMU, which may also contain lines of other events."""
    device = Device(path, [])
    for number, line in read_lines(path):
        if "nv3_core_" in line:
            device.events.append(device_event(path, number, line))
    if not device.events:
        raise Bad(path, 1, "no event nv3_core_*; run QEMU with -trace 'nv3_core_*' -D FILE")
    device.events.sort(key=lambda event: event.time)
    return device
