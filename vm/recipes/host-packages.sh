#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The few things that the host itself must have. Installs them when it may,
# else says exactly what to install.

source "$(dirname "$0")/common.sh"

# what is looked for -> the Debian package that brings it
declare -A NEEDS=(
	[/usr/bin/mmdebstrap]=mmdebstrap
	[/usr/bin/bwrap]=bubblewrap
	[/usr/bin/flock]=util-linux
	[/usr/share/keyrings/debian-archive-keyring.gpg]=debian-archive-keyring
)

missing=()
for file in "${!NEEDS[@]}"; do
	[ -e "$file" ] || missing+=("${NEEDS[$file]}")
done
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get >/dev/null ||
	die "this needs a Debian or Ubuntu host with: ${missing[*]}"
[ "$(id -u)" -eq 0 ] ||
	die "please run, as root: apt-get install ${missing[*]}"

install_missing() {
	export DEBIAN_FRONTEND=noninteractive
	apt-get update
	apt-get install -y --no-install-recommends "${missing[@]}"
}
step host-packages 30 install_missing
