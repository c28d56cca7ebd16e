#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest's root file system: trixie, with IGT from forky. Prints its
# directory, which holds
#   root.img     ext4
#   libigt/      IGT's library, for linking tests against it
# The kernel is apart (vm/recipes/kernel.sh), and so is what this tree builds
# (vm/recipes/stage.sh): neither makes a new image.

source "$(dirname "$0")/common.sh"

PACKAGES=$TREE/vm/packages/guest

# mmdebstrap calls this with the new root, before it reads any package list.
# forky's own packages are taken only when named.
add_forky() {
	local etc=$1/etc/apt
	awk '$1 == "deb" && $3 == "trixie" {
		print "deb [check-valid-until=no]", $2, "forky", $4
	}' "$etc/sources.list" >"$etc/sources.list.d/forky.list"
	{
		printf 'Package: *\nPin: release n=forky\nPin-Priority: 100\n\n'
		printf 'Package: %s\nPin: release n=forky\nPin-Priority: 990\n' \
			"$(wanted_packages "$PACKAGES" | tr ' ' '\n' |
				sed -n 's/^forky://p' | tr '\n' ' ')"
	} >"$etc/preferences.d/forky"
}

bootstrap() {
	# shellcheck disable=SC2016 # mmdebstrap's shell is to expand "$1"
	mmdebstrap --variant=minbase \
		--include="$(wanted_packages "$PACKAGES" | sed 's/forky://g')" \
		--aptopt='Apt::Install-Recommends "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--setup-hook="'$RECIPES/guest-image.sh' --add-forky \"\$1\"" \
		--customize-hook='mkdir -p "$1/nv3" "$1/share" "$1/usr/lib/modules"' \
		trixie root.tar ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"}
	tar -tf root.tar >contents
	mkdir libigt
	grep -E '/libigt[^/]*\.so' contents |
		tar -xf root.tar -C libigt --no-same-owner --transform='s/.*\///' -T -
	# mke2fs reads the tar itself, so owners and modes need no privilege.
	"$TREE/vm/root" mke2fs -q -t ext4 -O ^has_journal -d root.tar root.img 2G
	rm root.tar contents
}

fill() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step guest-image 60 bootstrap
}

if [ "${1:-}" = --add-forky ]; then
	add_forky "$2"
else
	cached guest-image "$(key_of "$0" "$PACKAGES" "${DEBIAN_MIRROR:-}")" fill
fi
