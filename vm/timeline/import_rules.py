# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the rules of Perfetto's importer of JSON. If a slice partly overlaps another slice of its
track, the importer moves it to a second track. (Versions before 57 drop it.) The importer drops a
flow that does not begin and end in a slice or whose identifier is no number. It shows the
asynchronous slices of a process in one row for each name. This row is outside of the process if
the identifiers are not local. The importer reads events with equal times in the order of the file.
Versions before 52 truncate times to ns instead of rounding them."""


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
    """Yields the errors in an event that begins or ends a flow."""
    time = nanoseconds(event["ts"])
    if not isinstance(event["id"], int):
        yield f"the flow {event['id']} has no number"
    if not slices or slices[-1][0] <= time:
        yield f"the flow {event['id']} is in no slice at {time} ns"


def read_async(event, begun):
    """Yields the errors in an event that begins or ends an asynchronous slice. @begun has the keys
    of the slices that have begun."""
    name, local = event["name"], event.get("id2", {}).get("local")
    key = (event["pid"], event["cat"], local)
    if local is None:
        yield f"the asynchronous slice {name} has no local identifier"
    elif event["ph"] == "b":
        if key in begun:
            yield f"the asynchronous slice {name} begins twice with the identifier {local}"
        begun[key] = name
    elif begun.pop(key, None) != name:
        yield f"the asynchronous slice {name} ends before it begins"


def errors(events):
    """Yields a message for each event that the importer would drop or show elsewhere."""
    open_slices = {}    # (process, thread): [(stop, name)]
    begun = {}          # (process, category, identifier): name
    for event in sorted(events, key=lambda event: nanoseconds(event["ts"])):
        slices = open_slices.setdefault((event["pid"], event["tid"]), [])
        if event["ph"] == "X":
            yield from read_slice(event, slices)
        elif event["ph"] in "sf":
            yield from read_flow(event, slices)
        elif event["ph"] in "be":
            yield from read_async(event, begun)
    yield from (f"the asynchronous slice {name} has no end" for name in begun.values())
