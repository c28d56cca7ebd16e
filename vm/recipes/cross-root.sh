#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cross root: a Debian trixie with cross compilers, their C libraries and QEMU's
# user-mode emulation, for vm/checks/suites/cross.sh. All packages are the build host's
# architecture, because a mirror may lack others or lag behind for them.
# It is apart from the build root, so that only those who run that check fetch it.
# Prints its directory. NV3_ROOT=cross-root vm/root CMD... runs CMD in it.

source "$(dirname "$0")/common.sh"

PACKAGES=$TREE/vm/packages/cross-root

# Unpacked by tar, as the build root is.
bootstrap() {
	local root=$1
	mmdebstrap --variant=minbase \
		--include="$(wanted_packages "$PACKAGES")" \
		--aptopt='Apt::Install-Recommends "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		trixie - ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} |
		tar -x --no-same-owner --exclude='./dev/*' -C "$root"
	# Names that vm/root binds the host's own files over.
	rm -f "$root/etc/resolv.conf"
	touch "$root/etc/resolv.conf"
}

fill() {
	"$RECIPES/host-packages.sh"
	step cross-root 90 bootstrap "$1"
}

cached cross-root "$(key_of "$0" "$PACKAGES" "${DEBIAN_MIRROR:-}")" fill
