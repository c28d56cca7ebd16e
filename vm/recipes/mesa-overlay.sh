#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mesa-overlay.sh PRISTINE COPY: brings COPY, a copy of Mesa's source, to
# PRISTINE + userspace/mesa/src + userspace/mesa/patches. Runs in the build
# root. As with QEMU (qemu-overlay.sh), only files whose content changes are
# written, and what an earlier overlay brought is taken back.

source "$(dirname "$0")/common.sh"

pristine=$1
copy=$2
manifest=$copy/.nv3-overlay
overlay=$(mktemp -d)
trap 'rm -rf "$overlay"' EXIT

cp -r "$TREE/userspace/mesa/src" "$overlay/"
for patch in "$TREE"/userspace/mesa/patches/*.patch; do
	sed -n 's/^--- a\///p' "$patch" | while read -r file; do
		[ -f "$overlay/$file" ] ||
			install -D -m 644 "$pristine/$file" "$overlay/$file"
	done
	patch --quiet --strip=1 --directory="$overlay" <"$patch"
done

(cd "$overlay" && find . -type f | sort) >"$manifest.new"
if [ -f "$manifest" ]; then
	comm -23 "$manifest" "$manifest.new" | while read -r file; do
		rm -f "$copy/$file"
		[ ! -f "$pristine/$file" ] || cp "$pristine/$file" "$copy/$file"
	done
fi
rsync --recursive --checksum --exclude='*.orig' "$overlay/" "$copy/"
mv "$manifest.new" "$manifest"
