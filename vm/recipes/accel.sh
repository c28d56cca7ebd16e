#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which accelerator QEMU is to use: prints "kvm" or "tcg", a tab, and why.
# /dev/kvm may be there and open and yet run no guest, so a boot sector of 512
# bytes has to run on it first, on the vCPUs that the guest would get; the verdict holds until the host reboots.
# NV3_ACCEL=kvm|tcg decides instead.

source "$(dirname "$0")/common.sh"

# The boot sector writes 0x10 to isa-debug-exit's port, and QEMU then exits
# with 0x10 * 2 + 1.
SECTOR='\xb0\x10\xe6\xf4\xf4\xeb\xfd'	# mov al,0x10; out 0xf4,al; hlt; jmp -3
RAN=33

probe() {
	local image=$BUILD/boot-sector.img status=0
	[ -e /dev/kvm ] || { printf 'tcg\tthere is no /dev/kvm\n'; return; }
	[ -w /dev/kvm ] || { printf 'tcg\t/dev/kvm may not be opened by %s\n' "$(id -un)"; return; }
	{
		printf '%b' "$SECTOR"
		head -c 503 /dev/zero
		printf '\x55\xaa'
	} >"$image"
	NV3_ROOT_BIND=/dev/kvm timeout -k 1 15 "$TREE/vm/root" \
		"$1/qemu-system-x86_64" -nodefaults -display none -M pc \
		-accel kvm -cpu host -smp 2 -device isa-debug-exit,iobase=0xf4,iosize=4 \
		-drive "if=floppy,format=raw,file=$image" \
		>"$NV3_CACHE/logs/kvm-probe.log" 2>&1 </dev/null || status=$?
	if [ "$status" -eq "$RAN" ]; then
		printf 'kvm\ta boot sector ran on /dev/kvm\n'
	else
		printf 'tcg\t/dev/kvm opens but a boot sector did not run on it (status %s)\n' "$status"
	fi
}

if [ -n "${NV3_ACCEL:-}" ]; then
	printf '%s\tNV3_ACCEL says so\n' "$NV3_ACCEL"
	exit
fi
verdict=$NV3_CACHE/accel-$(key_of "$(cat /proc/sys/kernel/random/boot_id)" "$(id -u)" "$(ls -l /dev/kvm 2>&1)")
if [ ! -s "$verdict" ]; then
	probe "$("$RECIPES/qemu.sh")" >"$verdict.part"
	mv "$verdict.part" "$verdict"
fi
cat "$verdict"
