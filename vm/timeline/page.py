# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a timeline as a page that needs no network, by inserting the data into page.html."""

import json
import os

import perfetto

PAGE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "page.html")
PLACE = "/*DATA*/"
# The page lists at most this number of methods for each run of methods.
METHODS_MAX = 40


def work_data(work):
    listed = work.list[:METHODS_MAX]
    if len(work.list) > METHODS_MAX:
        listed.append(f"... {len(work.list) - METHODS_MAX} more")
    return [work.start, work.stop, work.class_, work.method, work.methods, work.triangles,
            work.pixels, listed]


def batch_data(batch, lanes):
    return {
        "lane": lanes[batch.channel], "number": batch.number, "submit": batch.submit,
        "queue": batch.queue, "end": batch.end, "error": batch.error, "notify": batch.notify,
        "parts": [[part.start, part.stop, part.reason, part.device_begin]
                  for part in batch.parts],
        "work": [work_data(work) for work in batch.work],
        "stops": batch.stops,
        "answers": batch.answers,
    }


def data(timeline):
    """Returns the data of the page. The data refer to a channel by its index in "channels", and to
    no channel by None."""
    lanes = {channel: lane for lane, channel in enumerate(timeline.channels)}
    lanes[None] = None
    return {
        "length": timeline.length,
        "begin": timeline.begin,
        "uncertainty": timeline.uncertainty,
        "host": timeline.host,
        "channels": [{"chid": channel.chid, "use": channel.use, "title": channel.title,
                      "name": perfetto.channel_name(channel),
                      "depths": timeline.depths.get(channel, [])}
                     for channel in timeline.channels],
        "batches": [batch_data(batch, lanes) for batch in timeline.batches],
        "owners": {engine: [[start, stop, lanes[channel]] for start, stop, channel in owners]
                   for engine, owners in timeline.owners.items()},
        "switches": [[s.engine, s.start, s.stop, lanes[s.from_], lanes[s.to], s.saved, s.loaded,
                      s.reason] for s in timeline.switches],
        "vblanks": timeline.vblanks,
        "interrupts": timeline.interrupts,
    }


def write(timeline, file):
    with open(PAGE, encoding="utf-8") as template:
        before, _, after = template.read().partition(PLACE)
    # The browser ends the script at "</script>", even inside a string, so escape each "</".
    text = json.dumps(data(timeline), separators=(",", ":")).replace("</", "<\\/")
    file.write(before + text + after)
