#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Extracts the kernel's checkpatch.pl from Debian's package of the kernel's
# source, because no package of headers contains it. Prints its directory.

source "$(dirname "$0")/common.sh"

FILES=(checkpatch.pl spelling.txt const_structs.checkpatch)

# Runs in the build root, in the directory to fill.
unpack() {
	local source
	apt-get update
	source=$(apt-cache depends linux-source | grep -o 'linux-source-[0-9.]*')
	apt-get download "$source"
	dpkg -x ./*.deb .
	tar -xf usr/src/linux-source-*.tar.xz --strip-components=2 \
		--wildcards "${FILES[@]/#/*/scripts/}"
	rm -rf ./*.deb usr etc
}

fill() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step checkpatch 60 "$RECIPES/apt.sh" trixie \
		"$RECIPES/checkpatch.sh" --inside
}

if [ "${1:-}" = --inside ]; then
	unpack
else
	cached checkpatch "$(key_of "$0" "${DEBIAN_MIRROR:-}")" fill
fi
