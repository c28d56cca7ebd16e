#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A VM's state saved while nv3-demo draws and loaded again later, in the same QEMU
# and, by live migration, in another: the frames that follow are those of a run
# that was never interrupted. So are those after a reset in the middle of a frame.
# Not part of "make check", as it takes minutes: "make check-snapshot".
#
# The demo draws a fixed number of frames, each a fixed step of motion further,
# and prints each frame's CRC. 9p can't be migrated while it is mounted, so the guest
# copies what it needs into memory and lets go of the shares (vm/guest/shares) while
# the demo runs.

source "$(dirname "$0")/../recipes/common.sh"
source "$(dirname "$0")/report.sh"
source "$(dirname "$0")/guest.sh"

results=$1
FRAMES=${FRAMES:-300}
SAVE_AT=40	# frames when the state is saved at the earliest
LATER=80	# so many frames after that the guest is sent back to it
PATIENCE=400	# seconds for a guest to get anywhere

# What the guest does. The second part is a program of its own, as the shell that
# runs the first reads its script from a share.
guest_script() {
	cat <<'GUEST'
cp -r /nv3/bin /nv3/lib /run/
cp /nv3/libexec/shares /run/shares.sh
cat >/run/draw <<'DRAW'
#!/bin/bash
export LD_LIBRARY_PATH=/run/lib PATH=/run/bin:$PATH
cd /run
source /run/shares.sh
leave_shares || exit 90
nv3-demo --crc --frames "$1"
status=$?
join_shares
exit $status
DRAW
GUEST
	echo "exec bash /run/draw $FRAMES"
}

# start OUTPUT SCRIPT [OPTION...]: a guest in the background
start() {
	local output=$1 script=$2
	shift 2
	start_guest --mem 512M --timeout $((PATIENCE * 3)) "$@" -- "$script" \
		>"$output" 2>"$output.log" ||
		die "no guest: $(tail -n 3 "$output.log")"
}

# frames OUTPUT: how many lines of frames there are in it
frames() { grep -c '^frame [0-9]* crc [0-9a-f]\{8\}$' "$1" || true; }

# await OUTPUT COUNT: until so many frames have been drawn
await() {
	local end=$((SECONDS + PATIENCE))
	until [ "$(frames "$1")" -ge "$2" ]; do
		kill -0 "$guest" 2>/dev/null || { say "the guest has gone"; return 1; }
		[ "$SECONDS" -lt "$end" ] || { say "only $(frames "$1") frames"; return 1; }
		sleep 0.2
	done
}

qmp() { "$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" "$@"; }

# monitor COMMAND: a command that says nothing when it succeeds
monitor() {
	local answer
	answer=$(qmp human-monitor-command "{\"command-line\": \"$1\"}") || return 1
	[ -z "$answer" ] || [ "$answer" = '""' ] || { say "$1: $answer"; return 1; }
}

finish() {
	local status=0
	wait "$guest" || status=$?
	[ "$status" -eq 0 ] || say "the guest ended with status $status"
	return "$status"
}

# The run that is sent back: one output with the frames in between twice.
#
# In one process QEMU never lets TCG's TSC go back (cpu_get_ticks()), so for a guest
# that counts by it loadvm is a leap ahead, and a batch at work has taken far
# too long. The HPET goes back with everything else.
interrupted() {
	start "$1" "$(guest_script)" --append 'notsc clocksource=hpet'
	await "$1" "$SAVE_AT" && monitor 'savevm drawing' &&
		await "$1" $(($(frames "$1") + LATER)) &&
		monitor 'loadvm drawing' && finish
}

# migrate_to FILE: while the guest goes on, until that has all of it
migrate_to() {
	local end=$((SECONDS + PATIENCE)) status
	qmp migrate-set-parameters '{"max-bandwidth": 0, "downtime-limit": 2000}'
	qmp migrate "{\"uri\": \"file:$1\"}"
	while [ "$SECONDS" -lt "$end" ]; do
		status=$(qmp query-migrate | sed -n 's/^  "status": "\(.*\)".*/\1/p')
		case $status in
		completed) return 0 ;;
		failed | cancelled) break ;;
		esac
		sleep 0.5
	done
	say "migration: $status"
	return 1
}

# The run that goes on in another QEMU. Its disk there is the image that it has
# booted from: the demo is in memory.
migrated() {
	local state
	start "$1-from" "$(guest_script)"
	state=$run/state
	await "$1-from" "$SAVE_AT" && migrate_to "$state" || return 1
	give_up
	start "$1-to" "$(guest_script)" --qemu -incoming --qemu "file:$state"
	finish || return 1
	cat "$1-from" "$1-to" >"$1"
	[ "$(frames "$1-to")" -ge "$LATER" ]
}

# The machine is reset while it draws, and starts from the firmware on.
restarted() {
	start "$1" "exec nv3-demo --crc --frames $FRAMES" --qemu -action \
		--qemu reboot=reset
	await "$1" "$LATER" && qmp system_reset && finish
}

uninterrupted() {
	start "$1" "$(guest_script)"
	finish
}

give_up() {
	kill "$guest" 2>/dev/null || true
	wait "$guest" 2>/dev/null || true
}
trap give_up EXIT

begin_report "$results/snapshot.tap" 7
report "nv3-demo draws $FRAMES frames" uninterrupted "$results/alone"
report 'savevm and loadvm while it draws' interrupted "$results/moved"
report 'the same frames as in a run never interrupted' \
	"$TREE/vm/checks/same-frames" "$results/alone" "$results/moved" 1
report 'live migration while it draws' migrated "$results/migrated"
report 'the same frames after migration' \
	"$TREE/vm/checks/same-frames" "$results/alone" "$results/migrated" 0
report 'system_reset while it draws' restarted "$results/restarted"
report 'the same frames after a reset' \
	"$TREE/vm/checks/same-frames" "$results/alone" "$results/restarted" 1
