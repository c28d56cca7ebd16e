#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trixie's Mesa 25.0, unpacked by dpkg-source so that Debian's patches are in.
# Prints its directory, which is never written to again.

source "$(dirname "$0")/common.sh"

# Runs in the build root, in the directory to fill.
unpack() {
	apt-get update
	apt-get source --download-only mesa
	dpkg-source --extract ./*.dsc source
	rm -rf ./*.dsc ./*.tar.* source/.pc source/debian
	mv source/* source/.[a-z]* .
	rmdir source
}

fill() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step mesa-source 30 "$RECIPES/apt.sh" trixie \
		"$RECIPES/mesa-source.sh" --inside
}

if [ "${1:-}" = --inside ]; then
	unpack
else
	cached mesa-source "$(key_of "$0" "${DEBIAN_MIRROR:-}")" fill
fi
