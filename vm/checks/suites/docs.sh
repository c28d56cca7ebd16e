#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the commands that the documents show for the guest. Each block runs in a guest, and its
# output must match the document (vm/checks/docs-commands). Blocks that need the same properties of
# the device share a guest. Scripts and outputs are in build/docs.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/docs

# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
for number in $(ls *.sh | sort -n | sed "s/\.sh$//"); do
	[ "$(cat "$number.device" 2>/dev/null)" = "$device" ] || continue
	timeout 120 bash "$number.sh" >"$number.out" 2>&1 </dev/null
	echo $? >"$number.status"
done
exit 0'

rm -rf "$share"
mkdir -p "$share"
"$TREE/vm/checks/docs-commands" "$TREE" "$share"
mapfile -t devices < <(cat "$share"/*.device 2>/dev/null | sort -u)
for device in '' "${devices[@]}"; do
	"$TREE/vm/nv3-vm" exec ${device:+--device "$device"} --share "$share" --timeout 900 \
		-- "device='$device'; $GUEST"
done
"$TREE/vm/checks/docs-commands" --check "$TREE" "$share" >"$results/docs.tap"
