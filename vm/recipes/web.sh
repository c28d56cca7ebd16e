#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the web page of nv3-step (docs/howto/web.md), which contains the chip
# core and nv3-step as a WebAssembly module. Prints the path of the page.

source "$(dirname "$0")/common.sh"

export NV3_ROOT=web-root
out=$BUILD/web
sources=$TREE/userspace/tools/web

# Warnings are not errors here, because this compiler may warn where the compiler of
# the native build does not.
compile() {
	[ -f "$out/core/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=release -Dwerror=false \
			--cross-file "$sources/wasi/wasm32.ini" "$out/core" "$TREE/qemu-device"
	"$TREE/vm/root" ninja -C "$out/core" -j "$NV3_JOBS" tools/nv3-step.wasm
	"$TREE/vm/root" "$sources/assemble" "$out/core/tools/nv3-step.wasm" \
		"$TREE/userspace/tools/step/scripts" "$out/index.html"
}

build() {
	local key
	key=$(key_of "$TREE/qemu-device/core" "$TREE/qemu-device/meson.build" \
		"$TREE/qemu-device/tools" "$TREE/include" "$TREE/userspace/tools/step" \
		"$sources" "$TREE/vm/packages/web-root")
	if [ ! -f "$out/index.html" ] || [ "$(cat "$out/.nv3-web" 2>/dev/null)" != "$key" ]; then
		"$RECIPES/web-root.sh" >/dev/null
		mkdir -p "$out"
		step web 60 compile
		echo "$key" >"$out/.nv3-web"
	fi
}

locked "web-$(key_of "tree $TREE")" build >&2
echo "$out/index.html"
