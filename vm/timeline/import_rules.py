# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the rules of Perfetto's importer of JSON. The importer drops a slice that partly overlaps
another slice of its track. It drops a flow that does not begin and end in a slice, or whose
identifier is not a number. The importer truncates times to ns, and reads events with equal times in
the order of the file."""


def nanoseconds(microseconds):
    return int(microseconds * 1000.0)


def read_slice(event, slices):
    """Adds a slice to the open slices of its track, and yields an error if the slices overlap."""
    start = nanoseconds(event["ts"])
    stop = start + nanoseconds(event["dur"])
    if start < 0 or stop < start:
        yield f"{event['name']} from {start} to {stop} ns has a negative time or duration"
    while slices and slices[-1][0] <= start:
        slices.pop()
    if slices and stop > slices[-1][0]:
        yield (f"{event['name']} from {start} to {stop} ns overlaps {slices[-1][1]}, which ends at "
               f"{slices[-1][0]} ns")
        return
    slices.append((stop, event["name"]))


def read_flow(event, slices):
    """Yields the errors of the begin or the end of a flow."""
    time = nanoseconds(event["ts"])
    if not isinstance(event["id"], int):
        yield f"the flow {event['id']} has no number"
    if not slices or slices[-1][0] <= time:
        yield f"the flow {event['id']} is in no slice at {time} ns"


def errors(events):
    """Yields a text for each event that the importer would drop."""
    open_slices = {}    # (process, thread): [(stop, name)]
    for event in sorted(events, key=lambda event: nanoseconds(event["ts"])):
        slices = open_slices.setdefault((event["pid"], event["tid"]), [])
        if event["ph"] == "X":
            yield from read_slice(event, slices)
        elif event["ph"] in "sf":
            yield from read_flow(event, slices)
