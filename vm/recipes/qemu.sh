#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds QEMU with the nv3 device. Prints the build directory, which holds
# qemu-system-x86_64 and the qtest programs.
#
# The recipe compiles a copy of QEMU's source in build/qemu, to which it adds the
# files of qemu-device. With ccache the first build of a new clone is short.
# NV3_QEMU_VARIANT selects another build: "asan" has AddressSanitizer and UBSan,
# "fuzz" has QEMU's own fuzz targets instead of the emulator, and "no-events" has
# no trace events (vm/checks/suites/trace-cost.sh).

source "$(dirname "$0")/common.sh"

variant=${NV3_QEMU_VARIANT:-release}
trace_backends=log,simple	# "simple" records events at a fraction of the cost of "log".
case $variant in
release) flags=(--disable-debug-info) ;;
no-events)
	trace_backends=nop
	flags=(--disable-debug-info --extra-cflags=-DNV3_NO_EVENTS)
	;;
asan) flags=(--enable-asan --enable-ubsan) ;;
fuzz)
	# Build only the device and a PC, because all compiled code is
	# instrumented.
	flags=(
		--cc=clang --cxx=clang++ --enable-fuzzing --enable-asan --enable-ubsan
		--without-default-devices --with-devices-x86_64=nv3 --disable-tcg
		--disable-vnc --disable-sdl --disable-slirp --disable-virtfs --disable-attr
	)
	;;
*) die "no QEMU variant called '$variant'; there are: release, asan, fuzz, no-events" ;;
esac

# Directories of the build root that contain firmware
FIRMWARE=(/usr/share/qemu /usr/share/seabios /usr/lib/ipxe/qemu)

CONFIGURE=(
	--cc=gcc --target-list=x86_64-softmmu --without-default-features
	--enable-tcg --enable-kvm --enable-pixman --enable-vnc --enable-sdl
	--enable-slirp --enable-virtfs --enable-attr --enable-png --disable-install-blobs
	--disable-download --enable-trace-backends="$trace_backends"
	--firmwarepath="$(IFS=:; echo "${FIRMWARE[*]}")"
)

source_copy=$BUILD/qemu/source
out=$BUILD/qemu/$variant
stamp=$out/.nv3-key

# Runs in the build root.
compile() {
	local qtests dir
	mkdir -p "$out"
	cd "$out"
	if [ ! -f build.ninja ] || [ "$(cat .nv3-flags)" != "${flags[*]} ${CONFIGURE[*]}" ]; then
		"$source_copy/configure" "${CONFIGURE[@]}" "${flags[@]}"
		echo "${flags[*]} ${CONFIGURE[*]}" >.nv3-flags
	fi
	# QEMU looks for firmware in its build directory if it runs from there.
	for dir in "${FIRMWARE[@]}"; do
		mkdir -p "qemu-bundle$(dirname "$dir")"
		ln -sfn "$dir" "qemu-bundle$dir"
	done
	if [ "$variant" = fuzz ]; then
		ninja -j "$NV3_JOBS" qemu-fuzz-x86_64
		return
	fi
	# Run ninja twice, because the first run may regenerate build.ninja with
	# other qtests.
	ninja -j "$NV3_JOBS" qemu-system-x86_64
	qtests=$(ninja -t targets all |
		sed -n 's/^\(tests\/\(qtest\/\|unit\/test-\)nv3[^:./]*\):.*/\1/p')
	# shellcheck disable=SC2086 # one word a program
	[ -z "$qtests" ] || ninja -j "$NV3_JOBS" $qtests
	./qemu-system-x86_64 -device help >.nv3-devices
}

overlay() {
	copy_source "$pristine" "$source_copy"
	"$TREE/vm/root" "$RECIPES/qemu-overlay.sh" "$pristine" "$source_copy"
}

# All variants use the same copy of the source, so lock the copy while it changes.
overlay_and_compile() {
	locked "qemu-source-$tree_key" overlay
	"$TREE/vm/root" "$RECIPES/qemu.sh" --inside
}

build() {
	local pristine key
	key=$(key_of "$0" "$RECIPES/qemu-source.sh" "$RECIPES/qemu-overlay.sh" \
		"$TREE/vm/packages/build-root" "$TREE"/include/nv3_*.h "$TREE/include/names" \
		"$TREE"/qemu-device/{configs,core,hw,patches,tests/qtest,tests/vmstate})
	if [ "$(cat "$stamp" 2>/dev/null)" != "$key" ]; then
		pristine=$("$RECIPES/qemu-source.sh")
		rm -f "$stamp"
		step "qemu-$variant" 270 overlay_and_compile
		echo "$key" >"$stamp"
	fi
}

if [ "${1:-}" = --inside ]; then
	compile
else
	tree_key=$(key_of "tree $TREE")
	kept qemu || locked "qemu-$variant-$tree_key" build >&2
	echo "$out"
fi
