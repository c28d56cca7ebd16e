# SPDX-License-Identifier: GPL-2.0-or-later
"""What an igt_runner left, as nv3 judges it: for igt-to-tap, igt-compare and igt-report.

igt-tests/xfails has the lists, in the format of the kernel's drivers/gpu/drm/ci. In all of
them the comment above an entry is its reason:
  nv3-fails.txt         "test@subtest,Fail" (or Crash, Timeout): fails for now
  nv3-flakes.txt        a regular expression a line: may fail
  nv3-skips.txt         a regular expression a line of part of a name: not run at all
  nv3-skip-reasons.txt  a regular expression a line, of what a test says as it skips:
                        "test@subtest: requirement". A skip that none fits is a failure.
"""

import json
import pathlib
import re

# What a guest's kernel says of a slow host under TCG, of a mouse's port that has no
# driver, and of IGT's looking where tracing used to be, not of a test: warnings of
# these only don't make a "dmesg-warn" of a pass.
NOT_OF_A_TEST = re.compile(
    r"clocksource: |hrtimer: interrupt took|perf: interrupt took too long|"
    r"workqueue: .* hogged CPU|sched: RT throttling|"
    r"sched: DL replenish lagged too much|hpet: Lost \d+ RTC interrupts|"
    r"hpet_rtc_timer_reinit: \d+ callbacks suppressed|"
    r"serio serio\d: deferred probe pending|"
    r"NOTICE: Automounting of tracing to debugfs is deprecated")
WARNING_LINE = re.compile(r"<[0-4]>")
REQUIREMENT = re.compile(r"Test requirement: (.*)|^SKIP: (.*)", re.MULTILINE)
LAST_LINES = 20

PASSED = {"pass", "warn"}


def entries(path):
    """The lines of a list without comments, each with its reason."""
    reason, fresh = [], False
    for line in path.read_text().splitlines() if path.exists() else []:
        entry, _, comment = (part.strip() for part in line.partition("#"))
        if entry:
            fresh = True
            yield entry, " ".join(reason)
        elif fresh or not line.strip():
            reason, fresh = [], False
        if not entry and comment:
            reason.append(comment)


def listed(path):
    """The tests that a test list names, without "igt@"."""
    return [entry.removeprefix("igt@") for entry, _ in entries(path)]


class Xfails:
    """The lists of one directory."""

    def __init__(self, path):
        self.fails = {entry.split(",")[0]: reason
                      for entry, reason in entries(path / "nv3-fails.txt")}
        self.flakes = self._patterns(path / "nv3-flakes.txt")
        self.skips = self._patterns(path / "nv3-skips.txt")
        self.skip_reasons = self._patterns(path / "nv3-skip-reasons.txt")

    @staticmethod
    def _patterns(path):
        return [(re.compile(entry), reason) for entry, reason in entries(path)]

    def flaky(self, name):
        return any(pattern.fullmatch(name) for pattern, _ in self.flakes)

    def left_out(self, name):
        """Why it is not run at all, or None."""
        return next((reason or "for no reason that is given"
                     for pattern, reason in self.skips if pattern.search(name)), None)

    def why_skipped(self, test):
        """Why that is as it should be, or None."""
        said = f"{test.name}: {test.requirement}"
        for pattern, reason in self.skip_reasons:
            if pattern.search(said):
                return reason
        return None


class Test:
    """One result."""

    def __init__(self, name, fields):
        self.name = name
        self.result = fields["result"]
        self.seconds = fields.get("time", {}).get("end", 0.0)
        self.fields = fields
        self.requirement = ""
        self._forgive()

    def _forgive(self):
        if self.result != "dmesg-warn":
            return
        warnings = filter(WARNING_LINE.match, self.fields["dmesg"].splitlines())
        if all(NOT_OF_A_TEST.search(line) for line in warnings):
            self.result = "pass"

    def own_requirement(self):
        """The last requirement that the test says it found not met."""
        said = self.fields.get("out", "") + self.fields.get("err", "")
        found = ["".join(match) for match in REQUIREMENT.findall(said)]
        return found[-1] if found else ""

    def last_words(self):
        """What a failed test said at the end, and what the kernel said of it."""
        fields = self.fields
        words = (fields.get("err") or fields.get("out") or "").splitlines()[-LAST_LINES:]
        if self.result != "fail":
            said = fields.get("dmesg", "").splitlines()
            warnings = list(filter(WARNING_LINE.match, said))
            words += (warnings or said[-LAST_LINES:])[:LAST_LINES]
        return words


def load(path):
    """The results of a results.json, in the order in which they ran."""
    tests = [Test(name.removeprefix("igt@"), fields)
             for name, fields in json.loads(pathlib.Path(path).read_text())["tests"].items()]
    # What one part of a test asked for holds for the subtests after it, and is said once.
    carried = {}
    for test in tests:
        if test.result == "skip":
            binary = test.name.split("@")[0]
            before = carried.get(binary, "")
            own = test.own_requirement()
            # Its output can end in the middle of what an earlier one said, too.
            test.requirement = before if before.startswith(own) else own
            carried[binary] = test.requirement
    return tests


def not_run(wanted, tests, xfails):
    """Those of a list that left no result and are not left out on purpose."""
    ran = {test.name for test in tests}		# igt_runner writes them in small letters
    ran |= {name.split("@")[0] for name in ran}
    return [name for name in wanted
            if name.lower() not in ran and not xfails.left_out(name)]
