#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# stage.sh [lts|new|debug|latency]: builds the guest's parts and installs them in
# build/guest. The guest and vm/root both mount this directory at /nv3, so that one
# prefix is valid in both:
#   modules/RELEASE/nv3.ko, lib/, bin/, libexec/, share/
# A part whose sources have not changed is skipped.

source "$(dirname "$0")/common.sh"

flavour=${1:-lts}
guest=$BUILD/guest

# Runs in the build root. Compiles nv3.ko in a copy of the tree for each kernel,
# so that objects of two kernels are separate and the tree contains no objects.
make_module() {
	local release=$1 copy=$BUILD/kernel/$1
	mkdir -p "$copy" "$guest/modules/$release"
	rsync --recursive --links --checksum --delete --include='/Kbuild' \
		--include='/kernel/***' --include='/include/***' --exclude='/*' \
		--filter='P *.o' --filter='P *.cmd' --filter='P *.ko' \
		--filter='P *.mod' --filter='P *.mod.c' \
		--filter='P modules.order' --filter='P Module.symvers' \
		"$TREE/" "$copy/"
	# shellcheck disable=SC2086 # words such as CONFIG_DRM_NV3_PIO=n
	make -C "/usr/lib/modules/$release/build" M="$copy" -j "$NV3_JOBS" \
		${NV3_KCONFIG:-}
	cp "$(find "$copy" -name nv3.ko)" "$guest/modules/$release/"
}

# make_meson DIR [OPTION...]: builds the project DIR of the tree, and installs it in build/guest.
# Runs in the build root.
make_meson() {
	local source=$TREE/$1 out=$BUILD/$1
	shift
	export PKG_CONFIG_PATH=/nv3/lib/pkgconfig
	[ -f "$out/build.ninja" ] ||
		meson setup --prefix=/nv3 --libdir=lib --libexecdir=libexec \
			--buildtype=debugoptimized "$@" "$out" "$source"
	[ $# -eq 0 ] || meson configure "$out" "$@"
	ninja -C "$out" -j "$NV3_JOBS"
	meson install --no-rebuild --only-changed --quiet -C "$out"
}

# stage PART INPUT... -- ARG...: runs "stage.sh --inside ARG..." in the build
# root if an INPUT has changed since PART was last staged
stage() {
	local part=$1 inputs=() key
	shift
	! kept "${part%"-$flavour"}" || return 0
	while [ "$1" != -- ]; do
		inputs+=("$1")
		shift
	done
	shift
	key=$(key_of "$0" "$TREE/vm/packages/build-root" "${inputs[@]}")
	if [ "$(cat "$guest/.$part" 2>/dev/null)" != "$key" ]; then
		"$RECIPES/build-root.sh" >/dev/null
		step "stage-$part" 20 "$TREE/vm/root" "$RECIPES/stage.sh" \
			--inside "$@"
		echo "$key" >"$guest/.$part"
	fi
}

stage_script() {
	cmp -s "$TREE/vm/guest/$1" "$guest/libexec/$2" ||
		install -m 755 "$TREE/vm/guest/$1" "$guest/libexec/$2"
}

stage_all() {
	local release kernel image
	mkdir -p "$guest"/{modules,lib,bin,libexec}
	stage_script init guest-init
	stage_script desktop nv3-desktop
	stage_script leaks leaks
	stage_script irqs-off irqs-off
	stage_script unload unload
	stage_script shares shares
	stage_script without-shares without-shares
	if [ -f "$TREE/kernel/Kbuild" ]; then
		kernel=$("$RECIPES/kernel.sh" "$flavour")
		release=$(cat "$kernel/release")
		stage "module-$flavour" "$release" "$TREE/Kbuild" \
			"$TREE/kernel" "$TREE/include" ${NV3_KCONFIG:+"$NV3_KCONFIG"} \
			-- make_module "$release"
	fi
	if [ -f "$TREE/userspace/meson.build" ]; then
		stage userspace "$TREE/userspace" "$TREE/include" -- \
			make_meson userspace
	fi
	if [ -f "$TREE/igt-tests/meson.build" ]; then
		image=$("$RECIPES/guest-image.sh")
		# The name of the image's directory contains a hash, so a new image causes a build.
		stage igt-tests "${image##*/}" "$TREE/igt-tests" "$TREE/include" \
			"$TREE/userspace/libdrm_nv3" -- \
			make_meson igt-tests "-Dlibigt_dir=$image/libigt"
	fi
}

if [ "${1:-}" = --inside ]; then
	shift
	"$@"
else
	locked "stage-$(key_of "tree $TREE")" stage_all >&2
	echo "$guest"
fi
