#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tsc.sh [QEMU ARGUMENT...]: prints in kHz what a TCG guest's time stamp counter runs
# at, for Linux's tsc_early_khz=; nothing where that isn't known.
#
# QEMU reads the host's (cpu_get_ticks()), or counts nanoseconds of the guest's own
# clock with -icount (icount_get()). Linux would measure it against a timer that is
# late when the host is busy: at a load of 30 it took 67 MHz for 2,596, and its clock
# ran 38 times too fast. The host's frequency holds until the host reboots.

source "$(dirname "$0")/common.sh"

measure() {
	cd "$1"
	"$TREE/vm/root" gcc -O2 -o tsc-khz "$RECIPES/tsc-khz.c"
	"$TREE/vm/root" ./tsc-khz >khz
}

case " $* " in
*' -icount '*) echo 1000000; exit ;;
esac
[ "$(uname -m)" = x86_64 ] || exit 0
found=$(cached tsc "$(key_of "$0" "$RECIPES/tsc-khz.c" \
	"$(cat /proc/sys/kernel/random/boot_id)")" measure)
cat "$found/khz"
