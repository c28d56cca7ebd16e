#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The build root: a Debian trixie with every compiler and library that the
# project builds with, so that the host needs next to nothing. Prints its
# directory.
#
# mmdebstrap writes a tar rather than a directory: unpacked by tar, every file
# belongs to whoever runs this, so that the same root works for root and for
# an ordinary user inside bubblewrap.

source "$(dirname "$0")/common.sh"

PACKAGES=$TREE/vm/packages/build-root

bootstrap() {
	local root=$1
	mmdebstrap --variant=minbase --include="$(wanted_packages "$PACKAGES")" \
		--aptopt='Apt::Install-Recommends "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/lib/llvm-*/lib/libLLVM*.a' \
		trixie - ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} |
		tar -x --no-same-owner --exclude='./dev/*' -C "$root"
	# Names that vm/root binds the host's own files over.
	rm -f "$root/etc/resolv.conf"
	touch "$root/etc/resolv.conf"
}

fill() {
	"$RECIPES/host-packages.sh"
	step build-root 90 bootstrap "$1"
}

cached build-root "$(key_of "$0" "$PACKAGES" "${DEBIAN_MIRROR:-}")" fill
