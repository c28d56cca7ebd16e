# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For checks that are a handful of steps: TAP, a line a step, in the order of the calls.

# begin_report FILE STEPS: how many there will be
begin_report() {
	report_file=$1 reported=0
	echo "1..$2" >"$report_file"
}

# report NAME CMD...: a line for whether CMD succeeds
report() {
	local name=$1 verdict=ok
	shift
	reported=$((reported + 1))
	"$@" || verdict='not ok'
	echo "$verdict $reported - $name" >>"$report_file"
}
