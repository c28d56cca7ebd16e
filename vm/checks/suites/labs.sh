#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks the labs (docs/labs): the tests of each lab must fail on its task and pass on its answer.
# Tests the commands of docs/labs/README.md with lab 5, which needs no guest. The commands use a
# directory other than build/labs, so that the user's copies do not change.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
LAB=5
SOURCE=qemu-device/core/graph/dmaobj.c
export NV3_LAB_COPIES=$BUILD/check-labs
copy=$NV3_LAB_COPIES/$LAB
log=$results/commands.log
number=0

# lab [ACTION]: runs "make lab" as a user does, and appends its output to the log
lab() {
	make --no-print-directory -C "$TREE" lab N=$LAB "$@" >"$results/last.log" 2>&1 || {
		cat "$results/last.log" >>"$log"
		return 1
	}
	cat "$results/last.log" >>"$log"
}

# report NAME COMMAND...: runs COMMAND, and prints a line of TAP: "ok" if COMMAND succeeds
report() {
	local name=$1 verdict=ok
	shift
	"$@" || verdict='not ok'
	number=$((number + 1))
	echo "$verdict $number - make lab: $name"
	[ "$verdict" = ok ] || sed 's/^/# /' "$results/last.log"
}

fails() { ! "$@"; }
said() { grep -q -- "$1" "$results/last.log"; }
is_original() { cmp -s "$TREE/$SOURCE" "$copy/$SOURCE"; }

# Each function below runs a user's command and checks its effect.
without_copy() { fails lab check && said "\"make lab N=$LAB\" begins the lab"; }
# Limits the size of files that the command may write, so that it cannot copy the tree.
fails_without_copy() {
	! (ulimit -f 1 && exec "$TREE/vm/lab" $LAB) >"$results/last.log" 2>&1 &&
		said "can't be copied" && [ -z "$(ls -A "$NV3_LAB_COPIES")" ]
}
# A killed command leaves an incomplete copy, which the next command deletes.
begins_after_part() {
	mkdir "$NV3_LAB_COPIES/.$LAB" && touch "$NV3_LAB_COPIES/.$LAB/half" && begins &&
		[ ! -e "$copy/half" ] && [ ! -e "$NV3_LAB_COPIES/.$LAB" ]
}
begins() { lab && said "^    $SOURCE\$" && fails is_original; }
begins_again() { fails lab && said 'exists' && fails is_original; }
unknown() { fails lab chekc && said 'there is no action'; }
check_fails() {
	fails lab check && said '^not ok - dmaobj: ' && said '^[1-9][0-9]* passed, [1-9][0-9]* failed$'
}
answers() { lab answer && is_original; }
check_passes() { lab check && said '^[1-9][0-9]* passed, 0 failed$'; }
removes() { lab remove && [ ! -e "$copy" ]; }

commands() {
	rm -rf "$NV3_LAB_COPIES"
	report "check without a copy names the command that begins the lab" without_copy
	report "an incomplete copy is deleted" fails_without_copy
	report "the lab begins with a function removed, after an interruption" begins_after_part
	report "a second beginning keeps the copy" begins_again
	report "an unknown action is an error" unknown
	report "check fails on the task" check_fails
	report "answer restores the function" answers
	report "check passes on the answer" check_passes
	report "remove deletes the copy" removes
	echo "1..$number"
}

commands >"$results/commands.tap"
"$TREE/vm/lab" --test "$results"
