#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apt.sh SUITE CMD...: runs CMD in the build root, with network access. apt-get
# and apt-cache use the package lists and sources of SUITE, which are in the
# cache. CMD can only download packages, and not install them.
#
# The script derives sources.list from the file that mmdebstrap wrote for trixie,
# so $DEBIAN_MIRROR sets the mirror of all suites.

source "$(dirname "$0")/common.sh"

suite=$1
shift
root=$("$RECIPES/build-root.sh")
state=$NV3_CACHE/apt-$suite
mkdir -p "$state"/{lists/partial,archives/partial}

awk -v suite="$suite" '
	$1 == "deb" && $3 ~ /^trixie/ {
		print
		print "deb-src", $2, $3, $4
	}
	$1 == "deb" && $3 == "trixie" && suite != "trixie" {
		print "deb [check-valid-until=no]", $2, suite, $4
	}' "$root/etc/apt/sources.list" >"$state/sources.list"
# By default apt selects packages from backports only on request, so raise the priority of SUITE.
printf 'Package: *\nPin: release n=%s\nPin-Priority: 900\n' "$suite" \
	>"$state/preferences"
cat >"$state/apt.conf" <<EOF
Dir::Etc::sourcelist "$state/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "$state/preferences";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "$state/lists";
Dir::Cache "$state";
APT::Sandbox::User "root";
Acquire::Languages "none";
EOF
NV3_ROOT_NET=1 APT_CONFIG=$state/apt.conf exec "$TREE/vm/root" "$@"
