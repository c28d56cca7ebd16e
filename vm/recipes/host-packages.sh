#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks that the host has the packages that the recipes need. Installs missing
# packages if the user is root, and otherwise prints their names.

source "$(dirname "$0")/common.sh"

# file to look for -> Debian package that contains it
declare -A NEEDS=(
	[/usr/bin/mmdebstrap]=mmdebstrap
	[/usr/bin/bwrap]=bubblewrap
	[/usr/bin/flock]=util-linux
	[/usr/share/keyrings/debian-archive-keyring.gpg]=debian-archive-keyring
)

# Without root privileges mmdebstrap needs a user namespace.
[ "$(id -u)" -eq 0 ] || NEEDS[/usr/bin/newuidmap]=uidmap

missing=()
for file in "${!NEEDS[@]}"; do
	[ -e "$file" ] || missing+=("${NEEDS[$file]}")
done

install_missing() {
	export DEBIAN_FRONTEND=noninteractive
	apt-get update
	apt-get install -y --no-install-recommends "${missing[@]}"
}

if [ ${#missing[@]} -gt 0 ]; then
	command -v apt-get >/dev/null ||
		die "this needs a Debian or Ubuntu host with: ${missing[*]}"
	[ "$(id -u)" -eq 0 ] ||
		die "please run, as root: apt-get install ${missing[*]}"
	step host-packages 30 install_missing
fi

bwrap --ro-bind / / --dev /dev true ||
	die "bubblewrap can't make its namespaces here (are user namespaces switched off?)"
