#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kernel-debug.sh [debug|latency]: kernels that are built from trixie's linux-source.
#   debug      with KASAN, lockdep, kmemleak and the like
#   latency    without these, but with an event for each section with interrupts off
# Prints the kernel's directory, which has the same files as the directory of
# vm/recipes/kernel.sh. All drivers but nv3.ko are built in. nv3.ko is built against
# the tree in usr/src, as for any other kernel.

source "$(dirname "$0")/common.sh"

flavour=${1:-debug}
case $flavour in
debug) CONFIGS=("$TREE/vm/kernels/debug.config") ;;
latency) CONFIGS=("$TREE/vm/kernels/debug.config" "$TREE/vm/kernels/latency.config") ;;
*) die "no kernel called '$flavour'; there are: debug and latency" ;;
esac
SOURCE=usr/src/linux-$flavour

# Runs in the build root, in the directory to fill.
unpack() {
	apt-get update
	apt-get download linux-source-6.12
	dpkg -x linux-source-6.12_*.deb deb
	mkdir -p "$SOURCE"
	tar -xf deb/usr/src/linux-source-6.12.tar.xz -C "$SOURCE" --strip-components=1
	rm -rf deb ./*.deb
}

# Adds kernel/Kconfig to the kernel's tree, because only a driver's Kconfig can
# select the helpers that nv3.ko needs.
add_kconfig() {
	mkdir "$SOURCE"/drivers/gpu/drm/nv3
	cp "$TREE/kernel/Kconfig" "$SOURCE"/drivers/gpu/drm/nv3/
	echo 'source "drivers/gpu/drm/nv3/Kconfig"' >>"$SOURCE"/drivers/gpu/drm/Kconfig
}

# Prints the settings of all files. If several files have a setting, the last
# file counts.
merge_configs() {
	awk -F= '/^CONFIG_/ { setting[$1] = $0 } END { for (name in setting) print setting[name] }' \
		"${CONFIGS[@]}" | sort
}

# Prints the requested settings that the configuration lacks because a dependency
# is missing.
check_config() {
	sed 's/^\(.*\)=n$/# \1 is not set/' wanted.config |
		while read -r line; do
			case $line in
			'#'*) ! grep -q "^${line:2:-11}=" "$SOURCE/.config" ||
				echo "kernel-$flavour: not so: $line" ;;
			*) grep -qxF "$line" "$SOURCE/.config" ||
				echo "kernel-$flavour: not so: $line" ;;
			esac
		done
}

# Runs in the build root, in the directory to fill.
build() {
	local build=(make -C "$SOURCE" -j "$NV3_JOBS" "CC=ccache gcc" "LOCALVERSION=-nv3-$flavour")
	add_kconfig
	merge_configs >wanted.config
	"${build[@]}" "KCONFIG_ALLCONFIG=$PWD/wanted.config" allnoconfig
	check_config
	"${build[@]}" bzImage modules
	"${build[@]}" -s kernelrelease | tail -n 1 >release
	cp "$SOURCE"/arch/x86/boot/bzImage vmlinuz
	make_modules "$(cat release)"
	make_initrd
	# Keep the files that are needed to build a module.
	find "$SOURCE" \( -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name '*.c' -o -name '*.S' \) \
		! -path '*/scripts/*' ! -path '*/tools/*' -delete
	rm -rf "$SOURCE"/{Documentation,vmlinux*,arch/[!x]*,arch/xtensa,debian,.tmp*}
}

make_modules() {
	mkdir -p "image/$1" "usr/lib/modules/$1"
	make -C "$SOURCE" INSTALL_MOD_PATH="$PWD/installed" modules_install
	cp -a installed/lib/modules/"$1" image/
	rm -f "image/$1/build"
	ln -s "/$SOURCE" "usr/lib/modules/$1/build"
	mke2fs -q -t ext4 -O ^has_journal -E root_owner=0:0 -d image modules.img 16M
	rm -rf image installed
}

make_initrd() {
	mkdir -p initrd.d/{bin,dev,root,modules}
	cp /bin/busybox initrd.d/bin/
	ln -s busybox initrd.d/bin/sh
	cp "$TREE/vm/guest/initrd-init" initrd.d/init
	: >initrd.d/modules/order
	(cd initrd.d && find . | cpio -o -H newc -R 0:0) >initrd
	rm -r initrd.d
}

fill() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step "kernel-$flavour-source" 60 "$RECIPES/apt.sh" trixie "$RECIPES/kernel-debug.sh" \
		"$flavour" --inside unpack
	step "kernel-$flavour" 900 "$TREE/vm/root" "$RECIPES/kernel-debug.sh" \
		"$flavour" --inside build
}

if [ "${2:-}" = --inside ]; then
	"$3"
else
	cached "kernel-$flavour" "$(key_of "$0" "${CONFIGS[@]}" "$TREE/kernel/Kconfig" \
		"$TREE/vm/guest/initrd-init" "${DEBIAN_MIRROR:-}")" fill
fi
