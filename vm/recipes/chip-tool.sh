#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# chip-tool.sh NAME [ARG...]: runs a program of qemu-device/tools, which contains the chip model, in
# the build root. Builds the program if necessary. Paths in arguments are relative to the caller's
# directory.

source "$(dirname "$0")/common.sh"

tool=$1
shift
out=$BUILD/core-release

compile() {
	[ -f "$out/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=release "$out" "$TREE/qemu-device"
	"$TREE/vm/root" ninja -C "$out" -j "$NV3_JOBS" "tools/$tool"
}

build() {
	local key
	key=$(key_of "$TREE/qemu-device/core" "$TREE/qemu-device/meson.build" \
		"$TREE/qemu-device/tools" "$TREE/include" "$TREE/userspace/tools" \
		"$TREE/userspace/mesa/src/nv3/drm-shim" "$TREE/vm/packages/build-root")
	if [ ! -x "$out/tools/$tool" ] || [ "$(cat "$out/.$tool" 2>/dev/null)" != "$key" ]; then
		"$RECIPES/build-root.sh" >/dev/null
		step "$tool" 60 compile
		echo "$key" >"$out/.$tool"
	fi
}

locked "core-$(key_of "tree $TREE")" build >&2
# shellcheck disable=SC2016 # The shell in the build root expands the variables.
NV3_ROOT_BIND=$PWD exec "$TREE/vm/root" sh -c 'cd "$0" && exec "$@"' "$PWD" \
	"$out/tools/$tool" "$@"
