# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Functions for checks that consist of several steps. The functions write TAP with one line per
# step, in the order of the calls.

# begin_report FILE STEPS: creates the TAP file FILE for the results of STEPS steps
begin_report() {
	report_file=$1 reported=0
	echo "1..$2" >"$report_file"
}

# report NAME CMD...: runs CMD as a step, and adds a line to the file: "ok" if CMD succeeds
report() {
	local name=$1 verdict=ok
	shift
	reported=$((reported + 1))
	"$@" || verdict='not ok'
	echo "$verdict $reported - $name" >>"$report_file"
}
