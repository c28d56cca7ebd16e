#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# qemu-overlay.sh PRISTINE COPY: updates COPY, a copy of QEMU's source, to
# consist of PRISTINE, the project's device and qemu-device/patches. Runs in the
# build root.

source "$(dirname "$0")/common.sh"

pristine=$1
copy=$2
device=$TREE/qemu-device
overlay=$(mktemp -d)
trap 'rm -rf "$overlay"' EXIT

# put DIR FILE...: copies FILEs to DIR of the overlay. Omits a FILE that is a
# pattern without a match.
put() {
	local dir=$overlay/$1 file
	shift
	for file in "$@"; do
		[ -f "$file" ] || continue
		mkdir -p "$dir"
		cp "$file" "$dir/"
	done
}

put_tree() {
	[ ! -d "$2" ] || { mkdir -p "$overlay/$1" && cp -r "$2/." "$overlay/$1/"; }
}

put_tree hw/display/nv3 "$device/hw/display/nv3"
put_tree hw/display/nv3/core "$device/core"
put hw/display/nv3/include "$TREE"/include/nv3_*.h
put hw/display/nv3/include/names "$TREE"/include/names/*.[ch]
put_tree configs "$device/configs"
put tests/qtest "$device"/tests/qtest/nv3*.[ch]
put tests/unit "$device"/tests/vmstate/test-nv3*.c

patches=()
for patch in "$device"/patches/*.patch "$device"/patches/fixes/*.patch; do
	[ -f "$patch" ] || continue
	# A fix of QEMU itself is omitted if it does not apply, because a later
	# QEMU may contain the fix.
	if [[ $patch = */fixes/* ]] && ! patch --dry-run --force --quiet --strip=1 \
		--directory="$pristine" <"$patch" >/dev/null; then
		say "not for this QEMU: $(basename "$patch")"
		continue
	fi
	patches+=("$patch")
done
lay_over "$pristine" "$copy" "$overlay" "${patches[@]}"
