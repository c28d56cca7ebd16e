#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# igt-baseline.sh DEVICE: runs igt-tests/testlist-full in the same VM as nv3's tests, but with
# another display device of QEMU (bochs-display, ...) and its Linux driver. The results are stored
# in igt-tests/baselines/DEVICE.csv, which vm/checks/igt/igt-compare reads.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/igt-guest.sh"

# Prints commands that set IGT_FORCE_DRIVER to the name of the kernel driver, which differs from the
# name of QEMU's device.
driver_script() {
	cat <<'SCRIPT'
driver=$(readlink /sys/class/drm/card0/device/driver)
export IGT_FORCE_DRIVER=${driver##*/}
SCRIPT
}

device=${1:?which device?}
kernel=${KERNEL:-lts}
share=$BUILD/igt-$device
out=$TREE/igt-tests/baselines/$device.csv

rm -rf "$share"
mkdir -p "$share"
without_comments "$TREE/igt-tests/testlist-full" >"$share/stock.list"
options=()
[[ $("$TREE/vm/host/accel.sh") != tcg* ]] || options=("${GUEST_CLOCK[@]}")
progress_of "$share/runner.log" "$NV3_CACHE/times/igt-$device" "$share/stock.list"
"$TREE/vm/nv3-vm" exec --kernel "$kernel" --vga "$device" --share "$share" \
	--timeout 14400 "${options[@]}" -- "$(
	driver_script
	follow_script
	suite_script stock 120
	end_script
)" >&"$progress"
progress_end
tar -xmf "$share/stock.tar" -C "$share"
"$TREE/vm/root" "$TREE/vm/checks/igt/igt-to-csv" "$share/stock/results.json" >"$share/csv"
mv "$share/csv" "$out"
say "in ${out#"$TREE/"}: $(cut -d, -f2 "$out" | sort | uniq -c | tr -s '\n ' ' ')"
