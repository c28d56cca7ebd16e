#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Fetches trixie's cmocka, which vm/checks/suites/cross.sh builds for other
# architectures. Prints its directory.

source "$(dirname "$0")/common.sh"

# Unpacks only upstream's archive, because Debian does not patch the files that
# are used here.
unpack_source() {
	apt-get update
	apt-get source --tar-only "$package"
	python3 -m tarfile -e ./*.orig.tar.xz source
	mv source/*/* .
	rm -rf source ./*.orig.tar.xz
}

debian_source cmocka '' "$@"
