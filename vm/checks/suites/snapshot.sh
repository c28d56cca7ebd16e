#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Saves the state of a VM while nv3-demo draws, and loads the state later in the same QEMU and, by
# live migration, in another QEMU. The frames after a load, and after a reset within a frame, must
# be the same as in an uninterrupted run. Run by "make check-snapshot", not by "make check", because
# it takes minutes. The test runs once with class 0x17 and once with class 0x1F. CLASSES="0x17" or
# "0x1f" selects one class.
#
# The demo draws a fixed number of frames with a fixed time step, and prints the
# CRC of each frame. QEMU cannot migrate a guest with a mounted 9p share. The guest
# therefore copies the programs and libraries to memory, and unmounts the shares
# (vm/guest/shares) while the demo runs.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../report.sh"
source "$(dirname "$0")/guest.sh"

results=$1
FRAMES=${FRAMES:-300}
SAVE_AT=40	# minimum number of frames before the state is saved
LATER=80	# number of frames after which the state is loaded
PATIENCE=400	# seconds for a step of a guest

demo=()	# options of nv3-demo

# Prints the guest's script. The guest's shell reads this script from a share, so the
# part that runs without shares is a separate script in memory, /run/draw.
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
nv3-demo --crc --frames "$@"
status=$?
join_shares
exit $status
DRAW
GUEST
	echo "exec bash /run/draw $FRAMES ${demo[*]}"
}

# start OUTPUT SCRIPT [OPTION...]: starts a guest in the background
start() {
	local output=$1 script=$2
	shift 2
	start_guest --mem 512M --timeout $((PATIENCE * 3)) "$@" -- "$script" \
		>"$output" 2>"$output.log" ||
		die "no guest: $(tail -n 3 "$output.log")"
}

# frames OUTPUT: prints the number of frames that the file OUTPUT lists
frames() { grep -c '^frame [0-9]* crc [0-9a-f]\{8\}$' "$1" || true; }

# await OUTPUT COUNT: waits until OUTPUT has at least COUNT frames
await() {
	local end=$((SECONDS + PATIENCE))
	until [ "$(frames "$1")" -ge "$2" ]; do
		kill -0 "$guest" 2>/dev/null || { say "the guest has ended"; return 1; }
		[ "$SECONDS" -lt "$end" ] || { say "only $(frames "$1") frames"; return 1; }
		sleep 0.2
	done
}

qmp() { "$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" "$@"; }

# monitor COMMAND: runs COMMAND in QEMU's monitor. Fails if COMMAND prints anything,
# because savevm and loadvm print only errors.
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

# Runs a guest, saves its state, and later loads the state in the same QEMU. The guest's output
# contains the frames between the save and the load twice.
#
# loadvm does not restore TCG's TSC (cpu_get_ticks()). With the TSC as its clock, the guest's time
# would jump at loadvm, and the running batch would exceed its time limit. The guest therefore uses
# the HPET, which loadvm restores.
interrupted() {
	start "$1" "$(guest_script)" --append 'notsc clocksource=hpet'
	await "$1" "$SAVE_AT" && monitor 'savevm drawing' &&
		await "$1" $(($(frames "$1") + LATER)) &&
		monitor 'loadvm drawing' && finish
}

# migrate_to FILE: migrates the guest to a file while it runs, and waits until the migration is
# complete. Fails if the migration fails or takes longer than PATIENCE seconds.
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

# Runs a guest, and migrates it to another QEMU. The second QEMU's disk lacks the changes since the
# boot. The demo still runs, because all files that it reads are in memory.
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

# Resets the machine while it draws. The machine boots again and draws all frames from the first.
restarted() {
	start "$1" "exec nv3-demo --crc --frames $FRAMES ${demo[*]}" --qemu -action \
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

# check CLASS [OPTION...]: runs all steps for CLASS. OPTIONs are the options with which nv3-demo
# uses CLASS.
check() {
	local class=$1 out=$results/class-$1
	shift
	demo=("$@")
	report "class $class: nv3-demo draws $FRAMES frames" uninterrupted "$out-alone"
	report "class $class: savevm and loadvm while it draws" interrupted "$out-moved"
	report "class $class: the same frames as in a run never interrupted" \
		"$TREE/vm/checks/suites/same-frames" "$out-alone" "$out-moved" 1
	report "class $class: live migration while it draws" migrated "$out-migrated"
	report "class $class: the same frames after migration" \
		"$TREE/vm/checks/suites/same-frames" "$out-alone" "$out-migrated" 0
	report "class $class: system_reset while it draws" restarted "$out-restarted"
	report "class $class: the same frames after a reset" \
		"$TREE/vm/checks/suites/same-frames" "$out-alone" "$out-restarted" 1
}

read -ra classes <<<"${CLASSES:-0x17 0x1f}"
begin_report "$results/snapshot.tap" $((7 * ${#classes[@]}))
for class in "${classes[@]}"; do
	case $class in
	0x17) check 0x17 ;;
	0x1f) check 0x1f --programs ;;
	*) die "no demo with class $class; there are: 0x17, 0x1f" ;;
	esac
done
