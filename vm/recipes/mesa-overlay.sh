#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mesa-overlay.sh PRISTINE COPY: updates COPY, a copy of Mesa's source, to
# consist of PRISTINE, userspace/mesa/src and userspace/mesa/patches. Runs in the
# build root.

source "$(dirname "$0")/common.sh"

overlay=$(mktemp -d)
trap 'rm -rf "$overlay"' EXIT

cp -r "$TREE/userspace/mesa/src" "$overlay/"
lay_over "$1" "$2" "$overlay" "$TREE"/userspace/mesa/patches/*.patch
