#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tsc.sh [QEMU ARGUMENT...]: prints the frequency in kHz of a TCG guest's time stamp counter, for
# Linux's tsc_early_khz=, or nothing if the frequency is not known.
#
# QEMU derives the guest's counter from the host's counter (cpu_get_ticks()). With -icount, the
# guest's counter counts nanoseconds of the guest's clock (icount_get()). Without tsc_early_khz=,
# Linux measures the counter against a timer that is late when the host is busy: at a load of 30,
# Linux measured 67 MHz instead of 2,596 MHz. The frequency of the host's counter can change only at
# a reboot, so the result is cached until then.

source "$(dirname "$0")/../recipes/common.sh"

measure() {
	cd "$1"
	"$TREE/vm/root" gcc -O2 -o tsc-khz "$TREE/vm/host/tsc-khz.c"
	"$TREE/vm/root" ./tsc-khz >khz
}

case " $* " in
*' -icount '*) echo 1000000; exit ;;
esac
[ "$(uname -m)" = x86_64 ] || exit 0
found=$(cached tsc "$(key_of "$0" "$TREE/vm/host/tsc-khz.c" \
	"$(cat /proc/sys/kernel/random/boot_id)")" measure)
cat "$found/khz"
