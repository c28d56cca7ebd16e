#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# traces.sh NAME...: records the OpenGL calls of programs of suites/replays-programs with apitrace,
# and prints a line for each program: its NAME and the path of the trace. A program is recorded
# once. The traces are in the cache and not in the tree, because they are large and contain data of
# the programs. While a program is recorded, Debian's llvmpipe draws, without the extensions that
# the nv3 driver does not offer.

source "$(dirname "$0")/../recipes/common.sh"

list=$TREE/vm/checks/suites/replays-programs
recorder=$TREE/vm/checks/trace-program
tests=$TREE/userspace/mesa/tests
export NV3_ROOT=replay-root

# extensions: prints the extensions of OpenGL and OpenGL ES that the driver NV3_NATIVE offers
extensions() {
	"$TREE/vm/nv3-native" eglinfo -p surfaceless 2>/dev/null |
		grep -o -E '\bGL_[A-Za-z0-9_]+' | sort -u
}

# restriction: prints a value of MESA_EXTENSION_OVERRIDE that disables the extensions that llvmpipe
# offers and the nv3 driver does not. Mesa reports extensions that it can't disable. They must not
# be in the value, because Mesa would then disable all extensions of this kind.
restriction() {
	local excess fixed
	excess=$(comm -13 <(extensions) <(NV3_NATIVE=llvmpipe extensions) | sed 's/^/-/')
	fixed=$(NV3_NATIVE=llvmpipe MESA_EXTENSION_OVERRIDE=$(tr '\n' ' ' <<<"$excess") \
		"$TREE/vm/nv3-native" eglinfo -p surfaceless 2>&1 |
		sed -n "s/.*extension '\(.*\)' cannot be disabled.*/-\1/p" | sort -u)
	comm -23 <(echo "$excess") <(echo "$fixed") | tr '\n' ' '
}

record() {
	step "trace-$program" 30 "$TREE/vm/root" env "MESA_EXTENSION_OVERRIDE=$disabled" \
		"$recorder" "$1/trace" "$how" "$frames" "$command"
}

NV3_ROOT='' "$RECIPES/stage.sh" lts >/dev/null
NV3_ROOT='' "$RECIPES/mesa.sh" >/dev/null
root=$("$RECIPES/replay-root.sh")
disabled=$(restriction)
for program; do
	line=$(awk -F '\t' -v name="$program" '$1 == name' "$list")
	[ -n "$line" ] || die "$list has no program $program"
	IFS=$'\t' read -r _ how frames _ _ command <<<"$line"
	key=$(key_of "$0" "$recorder" "$tests/frames.c" "$tests/recordable.c" "${root##*/}" \
		"$disabled" "$how $frames $command")
	dir=$(cached "trace-$program" "$key" record)
	echo "$program $dir/trace"
done
