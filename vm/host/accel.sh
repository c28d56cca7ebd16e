#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints the accelerator that QEMU should use: "kvm" or "tcg", a tab, and the
# reason.
#
# On some hosts /dev/kvm can be opened, but no guest runs. On other hosts a boot sector runs, but
# KVM fails on an instruction of the guest's kernel. The script therefore tests KVM with two guests
# that have the same vCPUs as the real guest. The first guest runs a boot sector. The second guest
# boots the real guest's kernel without a root file system, until the kernel panics. The result is
# cached until the host reboots. NV3_ACCEL=kvm|tcg overrides the result.

source "$(dirname "$0")/../recipes/common.sh"

# The boot sector writes 0x10 to the port of isa-debug-exit. QEMU then exits
# with the status 0x10 * 2 + 1.
SECTOR='\xb0\x10\xe6\xf4\xf4\xeb\xfd'	# mov al,0x10; out 0xf4,al; hlt; jmp -3
RAN=33

# kvm_guest QEMU SECONDS OPTION...: runs a guest on KVM for at most SECONDS, with no other devices
# than the OPTIONs add
kvm_guest() {
	local qemu=$1 seconds=$2
	shift 2
	NV3_ROOT_BIND=/dev/kvm timeout -k 1 "$seconds" "$TREE/vm/root" \
		"$qemu/qemu-system-x86_64" -nodefaults -display none -no-reboot -M pc \
		-accel kvm -cpu host -smp 2 "$@" </dev/null
}

# runs_boot_sector QEMU
runs_boot_sector() {
	local image=$BUILD/boot-sector.img status=0
	{
		printf '%b' "$SECTOR"
		head -c 503 /dev/zero
		printf '\x55\xaa'
	} >"$image"
	kvm_guest "$1" 15 -device isa-debug-exit,iobase=0xf4,iosize=4 \
		-drive "if=floppy,format=raw,file=$image" \
		>"$NV3_CACHE/logs/kvm-probe.log" 2>&1 || status=$?
	[ "$status" -eq "$RAN" ]
}

# runs_kernel QEMU: succeeds if the kernel boots until it fails to mount a root
# file system
runs_kernel() {
	local kernel log=$NV3_CACHE/logs/kvm-probe-kernel.log
	kernel=$("$RECIPES/kernel.sh" lts)
	kvm_guest "$1" 30 -m 512M -serial stdio -kernel "$kernel/vmlinuz" \
		-append "console=ttyS0 panic=-1" >"$log" 2>&1 || true
	grep -q 'VFS: Unable to mount root' "$log"
}

# probe QEMU
probe() {
	if [ ! -e /dev/kvm ]; then
		printf 'tcg\tthere is no /dev/kvm\n'
	elif [ ! -w /dev/kvm ]; then
		printf 'tcg\t%s may not open /dev/kvm\n' "$(id -un)"
	elif ! runs_boot_sector "$1"; then
		printf 'tcg\t/dev/kvm opens, but a boot sector does not run on it\n'
	elif ! runs_kernel "$1"; then
		printf 'tcg\t/dev/kvm runs a boot sector, but not the guest kernel\n'
	else
		printf 'kvm\tthe guest kernel ran on /dev/kvm\n'
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
