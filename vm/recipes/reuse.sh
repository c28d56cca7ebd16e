#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Fetches the reuse tool (https://reuse.software) from Debian's packages, and the
# dependencies that the build root lacks. Prints the directory of its Python
# modules. The tool is not in the build root, because only "make lint" needs it.

source "$(dirname "$0")/common.sh"

# Runs in the build root, in the directory to fill.
unpack() {
	local packages package
	apt-get update
	mapfile -t packages < <(apt-get install --simulate --no-install-recommends reuse |
		sed -n 's/^Inst \([^ ]*\) .*/\1/p')
	[ ${#packages[@]} -gt 0 ] || die "no package reuse"
	apt-get download "${packages[@]}"
	for package in *.deb; do
		dpkg -x "$package" .
	done
	rm -rf ./*.deb usr/share etc
}

fill() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step reuse 20 "$RECIPES/apt.sh" trixie "$RECIPES/reuse.sh" --inside
}

if [ "${1:-}" = --inside ]; then
	unpack
else
	key=$(key_of "$0" "$TREE/vm/packages/build-root" "${DEBIAN_MIRROR:-}")
	echo "$(cached reuse "$key" fill)/usr/lib/python3/dist-packages"
fi
