#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Piglit in the guest. nv3 must pass the tests of OpenGL 1.0 to 1.3 that
# softpipe passes (vm/checks/suites/piglit-softpipe), in windows of the same depth of
# 16 bits (see piglit-run). vm/checks/suites/piglit-exceptions lists the exceptions
# with their reasons, and tests that take too long. Results are stored in
# build/piglit, and an interrupted run is continued unless the tested code has
# changed. Not part of "make check", because it takes long. TESTS= selects
# matching names (spec/!opengl 1.1/hiz). TIMEOUT= is the time limit of a test in
# seconds (900).

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/piglit
exceptions=$TREE/vm/checks/suites/piglit-exceptions

# shellcheck disable=SC2016 # the guest's shell is to expand it
GUEST='
export PIGLIT_PLATFORM=gbm LD_PRELOAD=/nv3/lib/nv3-small-config.so JOBS=2
./piglit-run nv3.results <wanted'

# Prints a key of everything that influences the results.
tested() {
	local qemu image
	qemu=$("$RECIPES/qemu.sh")
	image=$("$RECIPES/guest-image.sh" piglit)
	"$RECIPES/stage.sh" lts >/dev/null
	"$RECIPES/mesa.sh" >/dev/null
	key_of "$qemu/qemu-system-x86_64" "${image##*/}" "$BUILD/guest/lib" \
		"$BUILD/guest/modules" "$TREE/vm/checks/suites/piglit-run"
}

# An awk function: known() returns the reason of an exception, or an empty
# string.
# shellcheck disable=SC2016 # the fields are awk's
KNOWN='
function known(name,    i) {
	for (i = 1; i <= count_of; i++)
		if (name ~ pattern[i]) return reason[i]
	return ""
}
BEGIN {
	while ((getline line < exceptions) > 0) {
		if (line ~ /^(#|$)/) continue
		split(line, field, "\t")
		pattern[++count_of] = "^(" field[1] ")$"
		reason[count_of] = field[2]
	}
}'

# Prints whole tests, because subtests can't run alone: those selected by TESTS
# that passed with softpipe, or that have a subtest that passed.
wanted() {
	awk -F ' ::: ' -v exceptions="$exceptions" -v only="${TESTS:-.}" "$KNOWN"'
	FNR == NR {
		if (sub(/^pass /, "")) {
			split($0, part, "/")
			passed[part[1] "@" part[2] "@" part[3]] = 1
		}
		next
	}
	{ name = $1; gsub("@", "/", name) }
	$1 in passed && name ~ only && known(name) !~ /^not run:/' \
		"$softpipe/softpipe.results" "$softpipe/tests"
}

# A subtest without a result on nv3, in a test that succeeded, needs a feature
# that nv3 does not offer.
to_tap() {
	awk -v exceptions="$exceptions" -v only="${TESTS:-.}" "$KNOWN"'
	{ result = $1; sub(/^[a-z]+ /, "") }
	FNR == NR { nv3[$0] = result; next }
	result != "pass" || $0 !~ only { next }
	{
		split($0, part, "/")
		whole = part[1] "/" part[2] "/" part[3]
		mine = whole in nv3 ? nv3[whole] : "not run"
		if ($0 in nv3) mine = nv3[$0]
		else if (mine == "pass") mine = "skip"
		why = known($0)
	}
	why ~ /^not run:/ { print "ok - " $0 " # SKIP " why; next }
	mine == "skip" { print "ok - " $0 " # SKIP feature not offered"; next }
	why != "" { why = " # TODO " why }
	mine == "pass" { print "ok - " $0 why; next }
	{ print "not ok - " $0 why "\n# " mine }' \
		"$share/nv3.results" "$softpipe/softpipe.results"
}

softpipe=$("$TREE/vm/checks/suites/piglit-softpipe")
key=$(tested)
mkdir -p "$share"
if [ "$(cat "$share/of" 2>/dev/null)" != "$key" ]; then
	rm -f "$share"/nv3.results*
	echo "$key" >"$share/of"
fi
cp "$TREE/vm/checks/suites/piglit-run" "$share/"
wanted >"$share/wanted"
"$TREE/vm/nv3-vm" exec --image piglit --share "$share" --timeout 14400 -- \
	"export TIMEOUT=${TIMEOUT:-900}; $GUEST"
to_tap >"$results/piglit.tap"
