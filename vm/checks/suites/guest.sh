# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Functions for checks that observe a guest while it runs a command.

# start_guest ARG...: runs "nv3-vm exec ARG..." in the background. Sets "guest" to the ID of this
# process, and "run" to the directory of the boot. The guest sees the subfolder "guest" of this
# directory as /run/boot. Fails if the process ends before the directory exists.
start_guest() {
	local old
	old=$(readlink "$BUILD/vm/last" 2>/dev/null || true)
	"$TREE/vm/nv3-vm" exec "$@" &
	guest=$!
	until [ "$(readlink "$BUILD/vm/last" 2>/dev/null || true)" != "$old" ]; do
		kill -0 "$guest" 2>/dev/null || return 1
		sleep 0.5
	done
	run=$(realpath "$BUILD/vm/last")
}

# await_file FILE SECONDS: waits until the guest has created /run/boot/FILE, at most SECONDS
await_file() {
	local end=$((SECONDS + $2))
	until [ -e "$run/guest/$1" ]; do
		kill -0 "$guest" 2>/dev/null && [ $SECONDS -lt $end ] || return 1
		sleep 0.3
	done
}
