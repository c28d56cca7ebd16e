#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# render.sh: renders each diagram to an SVG next to its source. render.sh --check
# reports each SVG that was not rendered from its present source.

set -euo pipefail
cd "$(dirname "$0")"

# Prints the last line of a rendered SVG, which contains a hash of the diagram's source.
mark() {
	printf '<!-- %s %s -->\n' "$1" "$(sha256sum <"$1" | cut -c 1-16)"
}

render() {
	local source
	if ! command -v dot >/dev/null; then
		echo "render.sh: Graphviz is missing: apt-get install graphviz" >&2
		exit 1
	fi
	for source in *.dot; do
		{
			dot -Tsvg "$source"
			mark "$source"
		} >"${source%.dot}.svg.part"
		mv "${source%.dot}.svg.part" "${source%.dot}.svg"
	done
}

check() {
	local source bad=0
	for source in *.dot; do
		if ! tail -n 1 "${source%.dot}.svg" 2>/dev/null | grep -qxF "$(mark "$source")"; then
			echo "docs/diagrams/${source%.dot}.svg does not match $source: run make diagrams"
			bad=1
		fi
	done
	return "$bad"
}

if [ "${1:-}" = --check ]; then
	check
else
	render
fi
