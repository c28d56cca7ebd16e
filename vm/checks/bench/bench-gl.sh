#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make bench-gl: benchmarks of OpenGL in the guest, with nv3 and with Debian's
# llvmpipe in the same boot, at 640x480. Each line has these columns, separated
# by tabs:
#   name  value  unit  name and value of the reference  ratio
# PARTS= selects some of: draw (triangles and pixels), scenes (glmark2), cube
# (kmscube, compared with the refresh rate), arena (OpenArena's timedemo: frames
# in the first 60 s after the demo is loaded, in two runs of each driver).
# NATIVE=1: the draws without a guest, by vm/nv3-native, with nv3 and with
# llvmpipe of the same Mesa, on one thread and on all CPUs.

source "$(dirname "$0")/../../recipes/common.sh"

parts=${PARTS:-draw scenes cube arena}

# shellcheck disable=SC2016 # the guest's shell is to expand it
GUEST='
export HOME=/tmp/home LOGS=/share
mkdir -p "$HOME"

draw() { nv3-gl-bench; }

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

# kmscube ends at the first input on its standard input, including its end.
cube() {
	fps=$(sleep 60 | kmscube -v 640x480 -c 600 | sed -n "s/.*(\([0-9.]*\) fps.*/\1/p" | tail -n 1)
	printf "kmscube\t%s\tFPS\n" "${fps:-0}"
}

demo() {
	LD_PRELOAD=/nv3/lib/nv3-frames.so NV3_FRAMES_FROM=CL_InitCGame NV3_FRAMES_FOR=60 \
		timeout 900 /usr/games/openarena +set cl_renderer opengl1 +set r_mode 3 \
		+set r_fullscreen 0 +set s_initsound 0 +set com_introplayed 1 \
		+set timedemo 1 +demo demo088-test1
}
export -f demo

# The X server uses nv3 in both cases, because an X server on llvmpipe would slow
# down the clients.
arena_run() {
	nv3-desktop xorg bash -c "${2:-} demo" >"/share/arena-$1.log" 2>&1
	sed -n "s/^frames: \([0-9]*\) in \([0-9.]*\) s/\1 \2/p" "/share/arena-$1.log" |
		tee -a "/share/arena-$1.runs" | sed "s/^/arena, $1: /" >&2
}

arena_rate() {
	awk "{ frames += \$1; seconds += \$2 }
	     END { printf \"arena\t%.2f\tFPS\n\", seconds ? frames / seconds : 0 }" \
		"/share/arena-$1.runs" >>"/share/$1.tsv"
}

# Alternate between the drivers, because the speed of the host changes within
# minutes.
arena() {
	for turn in 1 2; do
		arena_run nv3
		arena_run llvmpipe "LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1"
	done
	arena_rate nv3
	arena_rate llvmpipe
}

for part in $PARTS; do
	case $part in
	arena) arena ;;
	cube) cube >>/share/nv3.tsv; printf "kmscube\t60\tFPS\n" >>/share/llvmpipe.tsv ;;
	*)
		"$part" >>/share/nv3.tsv
		LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1 "$part" >>/share/llvmpipe.tsv
		;;
	esac
done'

# table SUFFIX NV3 LLVMPIPE: prints the rows of two files of figures
table() {
	paste "$2" <(cut -f 2 "$3") | awk -F '\t' -v OFS='\t' -v name="$1" '{
		against = $1 == "kmscube" ? "refresh" : "llvmpipe"
		print $1 name, $2, $3, against " " $4, ($4 > 0 ? sprintf("%.2f", $2 / $4) : "-")
	}'
}

# native THREADS SUFFIX: the draws without a guest, by as many threads on each side
native() {
	local out=$BUILD/bench-gl-native
	mkdir -p "$out"
	"$TREE/vm/nv3-native" env NV3_SHIM_THREADS="$1" nv3-gl-bench >"$out/nv3.tsv"
	NV3_NATIVE=llvmpipe "$TREE/vm/nv3-native" env LP_NUM_THREADS="$1" nv3-gl-bench \
		>"$out/llvmpipe.tsv"
	table "$2" "$out/nv3.tsv" "$out/llvmpipe.tsv"
}

if [ "${NATIVE:-0}" = 1 ]; then
	native 1 .native
	native "$(nproc)" .native.threads
	exit 0
fi

share=$BUILD/bench-gl
rm -rf "$share"
mkdir -p "$share"
"$RECIPES/stage.sh" lts >/dev/null
"$RECIPES/mesa.sh" >/dev/null
"$TREE/vm/nv3-vm" exec --image desktop --share "$share" --timeout 3600 -- \
	"PARTS='$parts'; $GUEST" >&2
table "" "$share/nv3.tsv" "$share/llvmpipe.tsv"
