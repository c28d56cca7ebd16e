# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Functions for checks that observe a guest while it runs a command.

# start_guest ARG...: runs "nv3-vm exec ARG..." in the background. Sets "guest" to the process ID of
# nv3-vm, and "run" to the directory that nv3-vm creates for the boot. The guest mounts $run/guest
# at /run/boot. Fails if nv3-vm ends before it has created the directory.
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

# await_file FILE SECONDS: waits up to SECONDS until the guest has created /run/boot/FILE. Fails at
# once if the guest ends.
await_file() {
	local end=$((SECONDS + $2))
	until [ -e "$run/guest/$1" ]; do
		kill -0 "$guest" 2>/dev/null && [ $SECONDS -lt $end ] || return 1
		sleep 0.3
	done
}
