#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kernel.sh lts|new|debug|latency: fetches a Debian kernel for the guest, and the
# matching headers to build modules (debug and latency: see
# vm/recipes/kernel-debug.sh). Prints its directory, which holds
#   vmlinuz          the kernel
#   release          its name, as uname -r has it
#   modules.img      ext4 with its modules, mounted at /usr/lib/modules
#   initrd           busybox, vm/guest/initrd-init and the modules that reach a
#                    root file system; Debian's own takes longer to boot
#   usr/, lib/       headers and kbuild, which vm/root puts in their places

source "$(dirname "$0")/common.sh"

flavour=${1:-lts}
case $flavour in
lts) suite=trixie ;;
new) suite=trixie-backports ;;
debug | latency) exec "$RECIPES/kernel-debug.sh" "$flavour" ;;
*) die "no kernel called '$flavour'; there are: lts (trixie's), new (backports'), debug and latency" ;;
esac

# Modules for devices that no guest has. Without these the image has half the
# size.
UNUSED_MODULES=(
	drivers/net/ethernet drivers/net/wireless drivers/media drivers/infiniband
	drivers/scsi drivers/iio drivers/gpu/drm/{amd,i915,xe,nouveau,radeon}
	drivers/staging drivers/isdn drivers/mtd drivers/usb/serial
	sound/soc net/bluetooth fs/{btrfs,xfs,ocfs2,gfs2,ceph,nfs,nfsd,smb,jfs,f2fs}
)

# Modules that the initrd needs to mount the guest's disk and the tree's share.
# In newer kernels some of these modules are built in or do not exist
# (crc32c_generic).
INITRD_MODULES=(virtio_pci virtio_blk ext4 crc32c_generic 9pnet_virtio 9p)

# Runs in the build root, in the directory to fill.
download() {
	apt-get update
	local depends release
	# linux-image-amd64 only names the newest linux-image-VERSION-amd64.
	depends=$(apt-cache depends --no-recommends --no-suggests linux-image-amd64)
	release=$(grep -o 'linux-image-[0-9][^ ]*' <<<"$depends" | head -n 1)
	release=${release#linux-image-}
	echo "$release" >release
	apt-get download "linux-image-$release" "linux-headers-$release" \
		"linux-headers-${release%-amd64}-common" \
		"$(apt-cache depends "linux-headers-$release" |
			grep -o 'linux-kbuild-[^ ]*' | head -n 1)"
	# Newer releases have separate packages for the kernel and its modules.
	apt-cache depends "linux-image-$release" |
		sed -n "s/.*Depends: \(linux-\(base\|binary\|modules\)-$release\)$/\1/p" |
		xargs -r apt-get download
	local deb
	for deb in ./*.deb; do
		dpkg -x "$deb" .
	done
	rm ./*.deb
}

# Runs in the build root, in the directory to fill.
make_images() {
	local release unused
	release=$(cat release)
	find . -name 'vmlinuz*' -type f -exec mv '{}' vmlinuz ';'
	[ -s vmlinuz ]
	[ -d usr/lib/modules ] || { mkdir -p usr/lib && mv lib/modules usr/lib/; }
	mkdir -p image
	cp -a "usr/lib/modules/$release" image/
	for unused in "${UNUSED_MODULES[@]}"; do
		rm -rf "image/$release/kernel/$unused"
	done
	# Decompress the modules, because they then load several times faster.
	find image -name '*.ko.xz' -print0 | xargs -0r xz -d -T0
	depmod_image "$release"
	make_initrd "$release"
	mke2fs -q -t ext4 -O ^has_journal -E root_owner=0:0 -d image modules.img 512M
	rm -rf image depmod initrd.d boot usr/share etc "usr/lib/modules/$release/kernel"
}

depmod_image() {
	mkdir -p depmod/lib
	ln -s ../../image depmod/lib/modules
	depmod -b depmod "$1"
}

make_initrd() {
	local module file
	mkdir -p initrd.d/{bin,dev,root,modules}
	cp /bin/busybox initrd.d/bin/
	ln -s busybox initrd.d/bin/sh
	cp "$TREE/vm/guest/initrd-init" initrd.d/init
	for module in "${INITRD_MODULES[@]}"; do
		modprobe -S "$1" -d depmod --show-depends "$module" || true
	done | sed -n 's/^insmod \(.*[^ ]\) *$/\1/p' | awk '!seen[$0]++' |
		while read -r file; do
			cp "$file" initrd.d/modules/
			basename "$file" >>initrd.d/modules/order
		done
	(cd initrd.d && find . | cpio -o -H newc -R 0:0) >initrd
}

fill() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step "kernel-$flavour" 60 in_root_do_all
}

in_root_do_all() {
	"$RECIPES/apt.sh" "$suite" "$RECIPES/kernel.sh" "$flavour" --inside download
	"$TREE/vm/root" "$RECIPES/kernel.sh" "$flavour" --inside make_images
}

if [ "${2:-}" = --inside ]; then
	"$3"
else
	cached "kernel-$flavour" "$(key_of "$0" "$TREE/vm/guest/initrd-init" "${DEBIAN_MIRROR:-}")" fill
fi
