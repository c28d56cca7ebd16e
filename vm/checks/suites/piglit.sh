#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs Piglit's profile quick_gl (piglit-groups) without a virtual machine: tests of OpenGL up to
# 2.1 on class 0x1F through Mesa's drm-shim. ci/nv3-fails.txt, nv3-flakes.txt and nv3-skips.txt of
# the driver list the exceptions in Mesa's format. Tests draw to framebuffer objects (Piglit's
# option -fbo), and tests that need a window do not run. Results are stored in build/piglit, and an
# interrupted run is continued unless the tested code has changed. Not part of "make check", because
# it takes a long time and needs a separate root file system. TESTS= selects the tests whose names
# match a regular expression ("!opengl 1.1@hiz"). TIMEOUT= is the time limit of a test in seconds
# (300). NV3_NATIVE=llvmpipe runs the tests on llvmpipe of the same build, without the lists of
# exceptions.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
driver=${NV3_NATIVE:-nv3}
out=$BUILD/piglit
lists=$TREE/userspace/mesa/src/gallium/drivers/nv3/ci/nv3
[ "$driver" = nv3 ] || lists=/dev/null/none
export NV3_ROOT=program-root

# Prints the lines "TEST ::: COMMAND" of the tests to run.
wanted() {
	"$TREE/vm/root" piglit print-cmd quick_gl |
		awk -F ' ::: ' -v only="${TESTS:-.}" '
		FILENAME != "-" {
			if ($0 !~ /^(#|$)/) expression[++count, FILENAME ~ /skips/] = $0
			next
		}
		function listed(skips,    i) {
			for (i = 1; i <= count; i++)
				if ((i, skips) in expression && $1 ~ "^" expression[i, skips])
					return 1
			return 0
		}
		/ -fbo/ && !seen[$1]++ && $1 ~ only && listed(0) && !listed(1)' \
			"$TREE/vm/checks/suites/piglit-groups" \
			"$([ -f "$lists-skips.txt" ] && echo "$lists-skips.txt" || echo /dev/null)" -
}

# An expected failure that passes counts as a failure, so that the lists stay up
# to date.
to_tap() {
	awk -v only="${TESTS:-.}" '
	FILENAME ~ /-fails.txt$/ { if (/,/ && !/^#/) { sub(/,[A-Za-z]*$/, ""); fails[$0] = 1 }; next }
	FILENAME ~ /-flakes.txt$/ { if (!/^(#|$)/) flakes[$0] = 1; next }
	{ result = $1; sub(/^[a-z]+ /, "") }
	$0 !~ only { next }
	result == "skip" { print "ok - " $0 " # SKIP feature not offered"; next }
	$0 in flakes { print "ok - " $0 " # SKIP listed as a flake: " result; next }
	result == "pass" || result == "warn" {
		print ($0 in fails ? "not ok - " $0 "\n# passes, but is listed as failing" : "ok - " $0)
		next
	}
	$0 in fails { print "ok - " $0 " # SKIP listed: " result; next }
	{ print "not ok - " $0 "\n# " result }' \
		"$@" "$out/$driver.results"
}

NV3_ROOT='' "$RECIPES/stage.sh" lts >/dev/null
NV3_ROOT='' "$RECIPES/mesa.sh" >/dev/null
key=$(key_of "$BUILD/guest/lib" "$TREE/vm/checks/suites/piglit-run")
mkdir -p "$out"
if [ "$(cat "$out/$driver.of" 2>/dev/null)" != "$key" ]; then
	rm -f "$out/$driver".results*
	echo "$key" >"$out/$driver.of"
fi
wanted >"$out/wanted"
"$TREE/vm/nv3-native" env PIGLIT_PLATFORM=surfaceless_egl TIMEOUT="${TIMEOUT:-300}" \
	PIGLIT_SOURCE_DIR=/usr/lib/x86_64-linux-gnu/piglit \
	JOBS="${NV3_JOBS:-$(nproc)}" "$TREE/vm/checks/suites/piglit-run" "$out/$driver.results" \
	<"$out/wanted"
exceptions=()
[ ! -f "$lists-fails.txt" ] || exceptions=("$lists-fails.txt" "$lists-flakes.txt")
to_tap "${exceptions[@]}" >"$results/piglit.tap"
