#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest's commands in the documents: each block is run in one guest, and its output must
# contain the text that the document announces. Scripts and outputs are in build/docs.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/docs

# shellcheck disable=SC2016 # the guest's shell expands it
GUEST='
for script in *.sh; do
	number=${script%.sh}
	timeout 120 bash "$script" >"$number.out" 2>&1 </dev/null
	echo $? >"$number.status"
done
exit 0'

rm -rf "$share"
mkdir -p "$share"
"$TREE/vm/checks/docs-commands" "$TREE" "$share"
"$TREE/vm/nv3-vm" exec --share "$share" --timeout 900 -- "$GUEST"
"$TREE/vm/checks/docs-commands" --check "$TREE" "$share" >"$results/docs.tap"
