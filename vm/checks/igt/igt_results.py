# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads igt_runner's results and the lists of exceptions for igt-to-tap, igt-compare and
igt-report.

The lists are in igt-tests/xfails, in the format of the kernel's drivers/gpu/drm/ci. The comment
above an entry is its reason:
  nv3-fails.txt         "test@subtest,Fail" (or Crash, Timeout): expected failures
  nv3-flakes.txt        regular expressions that match names of tests that may fail
  nv3-skips.txt         regular expressions that match names of tests that are not run
  nv3-skip-reasons.txt  regular expressions of accepted skips, "test@subtest: requirement".
                        A skip without a match is a failure.
  nv3-kconfig-skip-reasons.txt  additional accepted skips if NV3_KCONFIG is set
"""

import json
import os
import pathlib
import re

# Warnings of the guest's kernel that no test causes: about a slow host under TCG, about a mouse
# port without a driver, and about the deprecated path by which IGT opens tracefs. A test that
# passes with only these warnings counts as passed, and not as "dmesg-warn".
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
    """Yields the entries of a list with their reasons."""
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
    """Returns the names in a test list, without "igt@"."""
    return [entry.removeprefix("igt@") for entry, _ in entries(path)]


class Xfails:
    """The lists of exceptions in a directory."""

    def __init__(self, path):
        self.fails = {entry.split(",")[0]: reason
                      for entry, reason in entries(path / "nv3-fails.txt")}
        self.flakes = self._patterns(path / "nv3-flakes.txt")
        self.skips = self._patterns(path / "nv3-skips.txt")
        self.skip_reasons = self._patterns(path / "nv3-skip-reasons.txt")
        if os.environ.get("NV3_KCONFIG"):
            self.skip_reasons += self._patterns(path / "nv3-kconfig-skip-reasons.txt")

    @staticmethod
    def _patterns(path):
        return [(re.compile(entry), reason) for entry, reason in entries(path)]

    def flaky(self, name):
        return any(pattern.fullmatch(name) for pattern, _ in self.flakes)

    def left_out(self, name):
        """Returns the reason why nv3-skips.txt excludes the test @name, or None if it is not
        excluded."""
        return next((reason or "for no reason that is given"
                     for pattern, reason in self.skips if pattern.search(name)), None)

    def why_skipped(self, test):
        """Returns the reason why the skip of @test is accepted, or None if it is not accepted."""
        said = f"{test.name}: {test.requirement}"
        for pattern, reason in self.skip_reasons:
            if pattern.search(said):
                return reason
        return None


class Test:
    """The result of a test."""

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
        """Returns the last requirement that was not met."""
        said = self.fields.get("out", "") + self.fields.get("err", "")
        found = ["".join(match) for match in REQUIREMENT.findall(said)]
        return found[-1] if found else ""

    def last_words(self):
        """Returns the last output of a failed test, and the kernel's messages about it."""
        fields = self.fields
        words = (fields.get("err") or fields.get("out") or "").splitlines()[-LAST_LINES:]
        if self.result != "fail":
            said = fields.get("dmesg", "").splitlines()
            warnings = list(filter(WARNING_LINE.match, said))
            words += (warnings or said[-LAST_LINES:])[:LAST_LINES]
        return words


def load(path):
    """Returns the tests of a results.json with their results, in the order in which they ran."""
    tests = [Test(name.removeprefix("igt@"), fields)
             for name, fields in json.loads(pathlib.Path(path).read_text())["tests"].items()]
    # IGT prints the requirement of a fixture once. The requirement applies to all subtests after
    # the fixture.
    carried = {}
    for test in tests:
        if test.result == "skip":
            binary = test.name.split("@")[0]
            before = carried.get(binary, "")
            own = test.own_requirement()
            # The output of a subtest may include a part of an earlier subtest's
            # output.
            test.requirement = before if before.startswith(own) else own
            carried[binary] = test.requirement
    return tests


def not_run(wanted, tests, xfails):
    """Returns the tests of a list that have no result and are not excluded."""
    ran = {test.name for test in tests}		# in lower case, as igt_runner writes them
    ran |= {name.split("@")[0] for name in ran}
    return [name for name in wanted
            if name.lower() not in ran and not xfails.left_out(name)]
