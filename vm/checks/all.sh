#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# all.sh [PART...]: runs the parts of "make check" (all of them if none is
# named), one after the other even if one fails, and sums up. The last line is
# "N passed, N failed, N skipped"; the status is 0 if nothing failed.
#
# A part is a script beside this one. It gets an empty directory for its
# results and leaves TAP files in it (*.tap), which vm/checks/tally counts; a
# part that ends with a failure, or leaves no result, counts as a failure.

source "$(dirname "$0")/../recipes/common.sh"

results=$BUILD/results
parts=("$@")
if [ ${#parts[@]} -eq 0 ]; then
	parts=(unit qtest igt)
	[ ! -d "$TREE/userspace/mesa" ] || parts+=(gl native)
fi

for part in "${parts[@]}"; do
	[ -x "$TREE/vm/checks/$part.sh" ] || die "there is no check-$part yet"
done

rm -rf "$results"
mkdir -p "$results"
for part in "${parts[@]}"; do
	start=$SECONDS status=0
	say "check-$part"
	mkdir "$results/$part"
	"$TREE/vm/checks/$part.sh" "$results/$part" || status=$?
	if [ "$status" -ne 0 ] || ! compgen -G "$results/$part/*.tap" >/dev/null; then
		printf '1..1\nnot ok 1 - %s.sh ended with status %s\n' \
			"$part" "$status" >"$results/$part/check-$part.tap"
	fi
	"$TREE/vm/checks/tally" "check-$part" "$results/$part" || true
	say "check-$part took $((SECONDS - start)) s"
done
"$TREE/vm/checks/tally" '' "$results" | tee "$results/summary"
