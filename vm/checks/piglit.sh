#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Piglit in the guest: the tests of OpenGL 1.0 to 1.3, by nv3 and by softpipe,
# which is the judge: what it passes nv3 is to pass. vm/checks/piglit-exceptions
# lists what is not, with the reason. Results are left in build/piglit. Not part of
# "make check", as it takes long. TESTS= is another regular expression, of
# Piglit's names.

source "$(dirname "$0")/../recipes/common.sh"

results=$1
share=$BUILD/piglit
tests=${TESTS:-'^spec@!opengl 1\.[0-3]@'}

# shellcheck disable=SC2016 # the guest's shell is to expand it
GUEST='
# one NAME: NAME.results has a line "result test" a test
one() {
	piglit run --platform surfaceless_egl --overwrite --timeout 120 \
		--include-tests "$(cat tests)" --jobs 2 quick_gl "/tmp/$1" >"$1.log" 2>&1
	piglit summary console "/tmp/$1" | sed -n "s/^\(spec.*\): \([a-z]*\)$/\2 \1/p" |
		sort -k 2 >"$1.results"
}
one nv3
export LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=softpipe
one softpipe'

# Tests that softpipe passes, as TAP.
to_tap() {
	awk -v exceptions="$TREE/vm/checks/piglit-exceptions" '
	BEGIN {
		while ((getline line < exceptions) > 0) {
			if (line ~ /^(#|$)/) continue
			split(line, field, "\t")
			reason[field[1]] = field[2]
		}
	}
	{ result = $1; sub(/^[a-z]+ /, "") }
	FNR == NR { nv3[$0] = result; next }
	result != "pass" { next }
	{
		todo = $0 in reason ? " # TODO " reason[$0] : ""
		printf "%sok %d - %s%s\n", nv3[$0] == "pass" ? "" : "not ",
			++count, $0, todo
		if (nv3[$0] != "pass") print "# " ($0 in nv3 ? nv3[$0] : "not run")
	}
	END { print "1.." count + 0 }' "$share"/{nv3,softpipe}.results
}

rm -rf "$share"
mkdir -p "$share"
printf '%s\n' "$tests" >"$share/tests"
"$TREE/vm/nv3-vm" exec --image piglit --share "$share" --timeout 7200 -- "$GUEST"
to_tap >"$results/piglit.tap"
