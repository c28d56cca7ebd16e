#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The program root: a Debian trixie with OpenGL programs and tests, which run on the
# chip model without a virtual machine. It is apart from the build root, so that only
# those who run the programs fetch it. Prints its directory.
#
#   NV3_ROOT=program-root vm/nv3-native CMD...   runs CMD on nv3
#   NV3_ROOT=program-root vm/root CMD...         runs CMD on Debian's Mesa

source "$(dirname "$0")/common.sh"

PACKAGES=$TREE/vm/packages/program-root

# Piglit's generated tests take gigabytes. Those of GLSL 1.10 and 1.20 and of extensions
# of OpenGL 2.1 stay.
EXCLUDED=(
	/usr/share/{doc,man,locale}/\*
	/usr/lib/\*/piglit/generated_tests/spec/glsl-{1.3,1.4,1.5,3,4}\*
	/usr/lib/\*/piglit/generated_tests/spec/\*_{fp64,int64,tessellation,geometry}\*
)

bootstrap() {
	local root=$1
	mmdebstrap --variant=minbase --include="$(wanted_packages "$PACKAGES")" \
		--aptopt='Apt::Install-Recommends "false"' \
		"${EXCLUDED[@]/#/--dpkgopt=path-exclude=}" \
		trixie - ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} |
		tar -x --no-same-owner --exclude='./dev/*' -C "$root"
	# Names that vm/root binds the host's own files over.
	rm -f "$root/etc/resolv.conf"
	touch "$root/etc/resolv.conf"
}

fill() {
	"$RECIPES/host-packages.sh"
	step program-root 180 bootstrap "$1"
}

cached program-root "$(key_of "$0" "$PACKAGES" "${DEBIAN_MIRROR:-}")" fill
