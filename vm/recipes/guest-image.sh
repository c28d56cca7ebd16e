#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# guest-image.sh [desktop|piglit]: the guest's root file system, trixie with IGT
# from forky, and with the packages of vm/packages/guest-desktop or guest-piglit.
# Prints its directory, which holds
#   root.img     ext4
#   libigt/      IGT's library, for linking tests against it
# The image contains neither the kernel (vm/recipes/kernel.sh) nor the parts that
# this tree builds (vm/recipes/stage.sh), so changes of these do not require a new
# image.

source "$(dirname "$0")/common.sh"

PACKAGES=$TREE/vm/packages/guest

# Large files that no test in the guest reads: documentation, and Piglit's tests
# of later versions of OpenGL.
EXCLUDED=(
	/usr/share/{doc,man,locale}/\*
	/usr/lib/\*/piglit/generated_tests/\*
)

# mmdebstrap calls this with the new root, before it reads any package list. apt
# installs packages from forky only if they are named.
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
		--include="$(wanted_packages "${lists[@]}" | sed 's/forky://g')" \
		--aptopt='Apt::Install-Recommends "false"' \
		"${EXCLUDED[@]/#/--dpkgopt=path-exclude=}" \
		--setup-hook="'$RECIPES/guest-image.sh' --add-forky \"\$1\"" \
		--customize-hook='mkdir -p "$1/nv3" "$1/share" "$1/usr/lib/modules"' \
		trixie root.tar ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"}
	tar -tf root.tar >contents
	mkdir libigt
	grep -E '/libigt[^/]*\.so' contents |
		tar -xf root.tar -C libigt --no-same-owner --transform='s/.*\///' -T -
	# mke2fs reads the tar itself, so owners and modes need no privilege.
	"$TREE/vm/root" mke2fs -q -t ext4 -O ^has_journal -d root.tar root.img "$size"
	rm root.tar contents
}

fill() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step "$name" 60 bootstrap
}

# choose [KIND]: sets the name, the package lists and the size of the image
choose() {
	name=guest-image lists=("$PACKAGES") size=2G
	case ${1:-} in
	'') return ;;
	desktop | piglit) size=4G ;;
	*) die "no guest image called '$1'; there are: desktop, piglit" ;;
	esac
	name=$1-image	# no name may begin with another: "cached" clears NAME-*
	lists+=("$PACKAGES-$1")
}

if [ "${1:-}" = --add-forky ]; then
	add_forky "$2"
else
	choose "$@"
	cached "$name" "$(key_of "$0" "${lists[@]}" "${DEBIAN_MIRROR:-}")" fill
fi
