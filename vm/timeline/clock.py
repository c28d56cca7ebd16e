# SPDX-License-Identifier: GPL-2.0-or-later
"""Relates the kernel's clock to PTIMER. At intervals the driver reads PTIMER between two reads of
CLOCK_MONOTONIC, and traces the values (event nv3_clock). The values of one such event are a point.
The class Clock interpolates linearly between two points."""

import bisect

from recording import Bad

# The class Clock ignores a point if the time between the point's two reads of CLOCK_MONOTONIC
# exceeds SPAN_RATIO times the median of these times. In this case, the host has probably run
# another thread between the two reads.
SPAN_RATIO = 4


class Clock:
    """Converts CLOCK_MONOTONIC to PTIMER. The member uncertainty is the largest possible error of a
    point in ns."""

    def __init__(self, kernel):
        points = [event.fields for event in kernel.events if event.name == "nv3_clock"]
        if not points:
            raise Bad(kernel.path, 0, "no event nv3_clock, which relates the kernel's clock to "
                      "PTIMER; record with nv3-trace")
        spans = sorted(point["span"] for point in points)
        limit = SPAN_RATIO * spans[len(spans) // 2]
        good = [point for point in points if point["span"] <= limit]
        self.uncertainty = max(point["span"] for point in good) // 2
        self.mono = [point["ns"] + point["span"] // 2 for point in good]
        self.ptimer = [point["ptimer"] for point in good]
        for i in range(1, len(good)):
            if self.ptimer[i] <= self.ptimer[i - 1] or self.mono[i] <= self.mono[i - 1]:
                raise Bad(kernel.path, 0, "PTIMER or the kernel's clock runs backwards; was the "
                          "guest restored while it was recorded?")

    def to_ptimer(self, mono):
        if len(self.mono) == 1:
            return self.ptimer[0] + mono - self.mono[0]
        i = min(max(bisect.bisect_right(self.mono, mono), 1), len(self.mono) - 1)
        ratio = (self.ptimer[i] - self.ptimer[i - 1]) / (self.mono[i] - self.mono[i - 1])
        return self.ptimer[i - 1] + round((mono - self.mono[i - 1]) * ratio)
