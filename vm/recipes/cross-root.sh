#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cross root: a Debian trixie with cross compilers, QEMU's user-mode emulation and
# the libraries of foreign architectures (Debian's multiarch), for vm/checks/cross.sh.
# It is apart from the build root, so that only those who run that check fetch it.
# Prints its directory. NV3_ROOT=cross-root vm/root CMD... runs CMD in it.

source "$(dirname "$0")/common.sh"

PACKAGES=$TREE/vm/packages/cross-root
ARCHITECTURES=amd64,arm64,s390x,i386

# Unpacked by tar, as the build root is. Only from the release itself: libraries of
# several architectures install together in one version only, and updates need not
# reach a mirror for all of them at once.
bootstrap() {
	local root=$1
	# shellcheck disable=SC2016 # mmdebstrap's shell is to expand "$1"
	mmdebstrap --variant=minbase --architectures="$ARCHITECTURES" \
		--include="$(wanted_packages "$PACKAGES")" \
		--setup-hook='sed -i "/trixie-/d" "$1/etc/apt/sources.list"' \
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
