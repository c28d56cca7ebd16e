# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Functions for suites that record captures in a guest. The functions check that a replay on the
# host draws the guest's pictures bit for bit, and that nv3-lint finds no errors in the capture.

number=0	# of lines of TAP

# result NAME STATUS OUTPUT: prints a line of TAP, and the last lines of OUTPUT if STATUS is not 0
result() {
	number=$((number + 1))
	if [ "$2" = 0 ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		tail -n 20 <<<"$3" | sed 's/^/# /'
	fi
}

# largest DIR NAME: prints the path of the largest capture of the program NAME, whose processes each
# write a capture
largest() { find "$1" -name "$2.*.nv3cap" -printf '%s %p\n' | sort -n | sed -n '$s/^[0-9]* //p'; }

# replayed FILE MIN: succeeds if the capture FILE has at least MIN methods, and if a replay compares
# at least one picture and finds no difference
replayed() {
	local output methods
	output=$("$TREE/vm/nv3-replay" "$1" 2>&1) || { echo "$output"; return 1; }
	echo "$output"
	methods=$(sed -n 's/.* \([0-9]*\) methods: all [1-9].* bit for bit$/\1/p' <<<"$output")
	[ -n "$methods" ] || { echo "$1: no picture was compared"; return 1; }
	[ "$methods" -ge "$2" ] || { echo "$1: fewer than $2 methods"; return 1; }
}

# judge_capture DIR NAME MIN: prints TAP for the largest capture of the program NAME in DIR, which
# must have at least MIN methods. The output of the program is in DIR/NAME.log.
judge_capture() {
	local file output status
	file=$(largest "$1" "$2")
	status=0 output=$(tail -n 20 "$1/$2.log" 2>&1) || status=1
	[ -n "$file" ] || status=1
	result "$2 is captured" $status "$output"
	[ -n "$file" ] || return 0
	status=0 output=$(replayed "$file" "$3") || status=1
	result "$2 is replayed: ${output##*: }" $status "$output"
	status=0 output=$("$TREE/vm/nv3-lint" --errors "$file" 2>&1) || status=1
	result "$2 has no errors: ${output##*$'\n'}" $status "$output"
}
