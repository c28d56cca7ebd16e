#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds Mesa with the nv3 driver and installs it in build/guest. This directory
# is /nv3 in the guest and in the build root, so compiled-in paths are valid in
# both. The guest has /nv3/lib in LD_LIBRARY_PATH, so programs find these
# libraries before Debian's.
#
# The recipe compiles a copy of Mesa's source in build/mesa, to which it adds the
# files of userspace/mesa. When the driver changes, ninja compiles only the
# changed files again.

source "$(dirname "$0")/common.sh"

guest=$BUILD/guest
source_copy=$BUILD/mesa/source
out=$BUILD/mesa/release
stamp=$out/.nv3-key

# shellcheck disable=SC2054 # meson takes lists with commas
# The nv3 driver uses llvmpipe for draws that the chip can't execute:
# docs/decisions/0007-llvmpipe-as-inner-rasterizer.md.
OPTIONS=(
	--prefix=/nv3 --libdir=lib --buildtype=release -Doptimization=2
	-Dgallium-drivers=nv3,llvmpipe -Dvulkan-drivers= -Dvideo-codecs=
	-Dplatforms=x11,wayland -Degl=enabled -Dgbm=enabled -Dglx=dri
	-Dtools=drm-shim
	-Dgles1=enabled -Dgles2=enabled -Dopengl=true -Dglvnd=enabled
	-Dllvm=enabled -Dshared-llvm=enabled -Dzstd=enabled
	-Dgallium-va=disabled -Dgallium-vdpau=disabled
	-Dlibunwind=disabled -Dvalgrind=disabled -Dlmsensors=disabled
)

# Builds the chip core, which the drm-shim contains.
compile_core() {
	local core=$BUILD/mesa/core
	[ -f "$core/build.ninja" ] ||
		meson setup --prefix=/nv3 --libdir=lib "$core" "$TREE/qemu-device"
	ninja -C "$core" -j "$NV3_JOBS" libnv3-core.a
	meson install --no-rebuild --only-changed --quiet --tags devel -C "$core"
}

# Runs in the build root.
compile() {
	export PKG_CONFIG_PATH=/nv3/lib/pkgconfig
	compile_core
	"$RECIPES/mesa-overlay.sh" "$1" "$source_copy"
	if [ ! -f "$out/build.ninja" ]; then
		meson setup "${OPTIONS[@]}" "$out" "$source_copy"
		echo "${OPTIONS[*]}" >"$out/.nv3-options"
	elif [ "$(cat "$out/.nv3-options")" != "${OPTIONS[*]}" ]; then
		meson setup --reconfigure "${OPTIONS[@]}" "$out" "$source_copy"
		echo "${OPTIONS[*]}" >"$out/.nv3-options"
	fi
	ninja -C "$out" -j "$NV3_JOBS"
	meson install --no-rebuild --only-changed --quiet -C "$out"
	compile_tests
}

# Builds the OpenGL test programs, which do not depend on the driver.
compile_tests() {
	local tests=$BUILD/mesa/tests
	[ -f "$tests/build.ninja" ] ||
		meson setup --prefix=/nv3 "$tests" "$TREE/userspace/mesa/tests"
	ninja -C "$tests" -j "$NV3_JOBS"
	meson install --no-rebuild --only-changed --quiet -C "$tests"
}

build() {
	local pristine key
	# The key includes the sources of libdrm_nv3 and the chip core, with
	# which Mesa is linked.
	key=$(key_of "$0" "$RECIPES"/mesa-{source,overlay}.sh \
		"$TREE/vm/packages/build-root" "$TREE/userspace/mesa" \
		"$TREE/userspace/libdrm_nv3" "$TREE/include" "$TREE/qemu-device/core")
	if [ "$(cat "$stamp" 2>/dev/null)" != "$key" ]; then
		pristine=$("$RECIPES/mesa-source.sh")
		copy_source "$pristine" "$source_copy"
		rm -f "$stamp"
		step mesa 420 "$TREE/vm/root" "$RECIPES/mesa.sh" --inside "$pristine"
		echo "$key" >"$stamp"
	fi
}

if [ "${1:-}" = --inside ]; then
	compile "$2"
else
	kept mesa || locked "mesa-$(key_of "tree $TREE")" build >&2
	echo "$guest"
fi
