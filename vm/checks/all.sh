#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# all.sh [PART...]: runs parts of "make check" (by default all) one after the other, even if some of
# them fail. The last line is "N passed, N failed, N skipped". The status is 0 if nothing has
# failed.
#
# A part is a script in vm/checks/suites. Its argument is an empty directory, in which the script
# stores its results as TAP files (*.tap). vm/checks/tally counts these results. A part whose script
# fails, or that has no results, counts as a failure.

source "$(dirname "$0")/../recipes/common.sh"

results=$BUILD/results
parts=("$@")
if [ ${#parts[@]} -eq 0 ]; then
	parts=(unit qtest igt docs trace labs web)
	[ ! -d "$TREE/userspace/mesa" ] || parts+=(gl native)
fi

for part in "${parts[@]}"; do
	[ -x "$TREE/vm/checks/suites/$part.sh" ] || die "unknown part $part"
done

rm -rf "$results"
mkdir -p "$results"
for part in "${parts[@]}"; do
	start=$SECONDS status=0
	say "check-$part"
	mkdir "$results/$part"
	"$TREE/vm/checks/suites/$part.sh" "$results/$part" || status=$?
	if [ "$status" -ne 0 ] || ! compgen -G "$results/$part/*.tap" >/dev/null; then
		printf '1..1\nnot ok 1 - %s.sh ended with status %s\n' \
			"$part" "$status" >"$results/$part/check-$part.tap"
	fi
	"$TREE/vm/checks/tally" "check-$part" "$results/$part" || true
	say "check-$part took $((SECONDS - start)) s"
done
"$TREE/vm/checks/tally" '' "$results" | tee "$results/summary"
