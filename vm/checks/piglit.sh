#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Piglit in the guest: the tests of OpenGL 1.0 to 1.3, by nv3, in windows of 16 bits
# (vm/checks/piglit-run says why). Softpipe, at the same formats, is the judge of what
# did not pass: what it passes nv3 is to pass. vm/checks/piglit-exceptions lists what
# is not so, with the reason. Results are left in build/piglit. Not part of
# "make check", as it takes long. TESTS= is another regular expression of Piglit's
# names, TIMEOUT= the seconds that one may take (600).

source "$(dirname "$0")/../recipes/common.sh"

results=$1
share=$BUILD/piglit

# shellcheck disable=SC2016 # the guest's shell is to expand it
GUEST='
export PIGLIT_PLATFORM=gbm LD_PRELOAD=/nv3/lib/nv3-small-config.so JOBS=2
./piglit-run nv3.results
# Whole tests: subtests do not run by themselves.
sed -nE "/^(pass|skip) /!s/^[a-z]+ ([^/]*\/[^/]*\/[^/]*).*/\1/p" nv3.results |
	sort -u >again
[ -s again ] || exit 0
mapfile -t again <again
export LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=softpipe
# Pictures that the processor draws are the display'\''s "dumb" ones.
export GBM_ALWAYS_SOFTWARE=1 WAFFLE_GBM_DEVICE=/dev/dri/card0
./piglit-run softpipe.results "${again[@]}"'

# A test that passed or was skipped, as nv3 has not got what it asks for; of the others,
# what softpipe passes.
to_tap() {
	awk -v exceptions="$TREE/vm/checks/piglit-exceptions" '
	function known(name,    i) {
		for (i = 1; i <= count_of; i++)
			if (name ~ pattern[i]) return reason[i]
		return ""
	}
	function test(ok, name, more) {
		printf "%sok %d - %s%s\n", ok ? "" : "not ", ++count, name, more
	}
	BEGIN {
		while ((getline line < exceptions) > 0) {
			if (line ~ /^(#|$)/) continue
			split(line, field, "\t")
			pattern[++count_of] = "^(" field[1] ")$"
			reason[count_of] = field[2]
		}
	}
	{ result = $1; sub(/^[a-z]+ /, "") }
	FILENAME ~ /nv3.results$/ {
		nv3[$0] = result
		if (result == "pass") test(1, $0, known($0) ? " # TODO " known($0) : "")
		if (result == "skip") test(1, $0, " # SKIP not offered")
		next
	}
	{ mine = $0 in nv3 ? nv3[$0] : "not run" }
	result != "pass" || mine ~ /^(pass|skip)$/ { next }
	{
		test(0, $0, known($0) ? " # TODO " known($0) : "")
		print "# " mine
	}
	END { print "1.." count + 0 }' "$share/nv3.results" "$share/softpipe.results"
}

rm -rf "$share"
mkdir -p "$share"
cp "$TREE/vm/checks/piglit-run" "$share/"
touch "$share/softpipe.results"
"$TREE/vm/nv3-vm" exec --image piglit --share "$share" --timeout 14400 -- \
	"export TESTS='${TESTS:-^spec@!opengl 1\.[0-3]@}' TIMEOUT=${TIMEOUT:-600}; $GUEST"
to_tap >"$results/piglit.tap"
