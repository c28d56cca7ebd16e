#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make bench-gl: OpenGL in the guest, the nv3 beside Debian's llvmpipe in one
# boot, at 640x480. One line a figure, separated by tabs:
#   name  value  unit  what it is measured against with its value  ratio

source "$(dirname "$0")/../recipes/common.sh"

# shellcheck disable=SC2016 # the guest's shell is to expand it
GUEST='
scenes() {
	for scene in texture:duration=10 shading:shading=gouraud:duration=10 \
		build:use-vbo=true:duration=10; do
		fps=$(LD_PRELOAD=/nv3/lib/nv3-small-mode.so glmark2-es2-drm --off-screen \
			-b "$scene" 2>/dev/null | sed -n "s/.*FPS: \([0-9.]*\).*/\1/p" | head -n 1)
		name=${scene%%:*}
		[ "$name" != shading ] || name=gouraud
		printf "glmark2.%s\t%s\tFPS\n" "$name" "${fps:-0}"
	done
}
both() { nv3-gl-bench; scenes; }
both >/share/nv3.tsv
export LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1
both >/share/llvmpipe.tsv'

share=$BUILD/bench-gl
mkdir -p "$share"
"$RECIPES/stage.sh" lts >/dev/null
"$RECIPES/mesa.sh" >/dev/null
"$TREE/vm/nv3-vm" exec --share "$share" --timeout 900 -- "$GUEST" >&2
paste "$share/nv3.tsv" <(cut -f 2 "$share/llvmpipe.tsv") |
	awk -F '\t' -v OFS='\t' '{
		print $1, $2, $3, "llvmpipe " $4, ($4 > 0 ? sprintf("%.2f", $2 / $4) : "-")
	}'
