#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make bench-gl: benchmarks of OpenGL in the guest at 640x480, with nv3 and with the two
# alternatives of a user without a GPU: llvmpipe in the same guest, and virtio-gpu-gl in a
# second guest, whose host part (virgl) draws with the host's llvmpipe. Each line has these
# columns, separated by tabs:
#   name  value  unit  name and value of the reference  ratio
# glmark2.mean is the geometric mean of the scenes.
#
# PARTS= selects among the parts draw (triangles and pixels), scenes (glmark2's default scenes,
# DURATION seconds each), cube (kmscube, compared with the refresh rate) and arena. The part arena
# counts the frames of OpenArena's timedemo in the first 60 s after the demo is loaded, in two runs
# of each driver. NATIVE=1 measures the parts draw and scenes by vm/nv3-native, without a guest.
# This measurement compares nv3 with llvmpipe of the same Mesa, on one thread and on all CPUs.

source "$(dirname "$0")/../../recipes/common.sh"

list=$TREE/vm/checks/suites/glmark2-scenes
export DURATION=${DURATION:-4}

# table SUFFIX VALUES REFERENCE: prints a row for each name that both files contain. The reference
# in the row is named after the file REFERENCE. Prints nothing if the file REFERENCE does not exist.
table() {
	local reference=${3##*/}
	[ -f "$3" ] || return 0
	awk -F '\t' -v OFS='\t' -v suffix="$1" -v reference="${reference%.tsv}" '
	NR == FNR { theirs[$1] = $2; next }
	$1 in theirs {
		ratio = theirs[$1] > 0 ? sprintf("%.2f", $2 / theirs[$1]) : "-"
		print $1 suffix, $2, $3, reference " " theirs[$1], ratio
		if ($1 ~ /^glmark2/ && $2 > 0 && theirs[$1] > 0) {
			ours_log += log($2)
			theirs_log += log(theirs[$1])
			scenes++
		}
	}
	END {
		if (!scenes)
			exit
		ours = exp(ours_log / scenes)
		their = exp(theirs_log / scenes)
		printf "glmark2.mean%s\t%.1f\tFPS\t%s %.1f\t%.2f\n", suffix, ours,
			reference, their, ours / their
	}' "$3" "$2"
}

# native_run DRIVER CMD...: runs CMD with a driver and $threads threads, without a guest
native_run() {
	local driver=$1
	shift
	NV3_NATIVE=$driver "$TREE/vm/nv3-native" env NV3_SHIM_THREADS="$threads" \
		LP_NUM_THREADS="$threads" "$@"
}

# native_scene DRIVER OPTIONS: prints the frames per second of a scene without a guest
native_scene() {
	local preload=/nv3/lib/nv3-windowless.so
	[ "$1" != nv3 ] || preload+=:/nv3/lib/libnv3_drm_shim.so
	NV3_ROOT=program-root native_run "$1" LD_PRELOAD="$preload" timeout 120 \
		glmark2-es2-drm -b "$2:duration=$DURATION" 2>/dev/null </dev/null |
		sed -n 's/.*FPS: \([0-9.]*\).*/\1/p' | head -n 1
}

# native THREADS SUFFIX: measures without a guest, with THREADS threads for each driver. For
# each scene, the drivers run one after the other, because the host's speed changes within
# minutes.
native() {
	local threads=$1 out=$BUILD/bench-gl-native driver name options fps
	rm -rf "$out"
	mkdir -p "$out"
	if [[ " $parts " == *" draw "* ]]; then
		for driver in nv3 llvmpipe; do
			native_run "$driver" nv3-gl-bench >>"$out/$driver.tsv"
		done
	fi
	[[ " $parts " != *" scenes "* ]] || while IFS=$'\t' read -r name options _; do
		for driver in nv3 llvmpipe; do
			fps=$(native_scene "$driver" "$options")
			printf 'glmark2.%s\t%s\tFPS\n' "$name" "${fps:-0}" >>"$out/$driver.tsv"
			say "$driver, threads: $threads, $name: ${fps:-0} FPS"
		done
	done < <(grep -v '^#' "$list")
	table "$2" "$out/nv3.tsv" "$out/llvmpipe.tsv"
}

# guest PARTS DRIVER... -- OPTION...: measures in a guest
guest() {
	local parts=$1 drivers=()
	shift
	while [ "$1" != -- ]; do
		drivers+=("$1")
		shift
	done
	shift
	"$TREE/vm/nv3-vm" exec --image desktop --share "$share" --timeout 5400 "$@" -- \
		"PARTS='$parts' DURATION=$DURATION bash /share/bench-gl-guest.sh ${drivers[*]}" >&2
}

if [ "${NATIVE:-0}" = 1 ]; then
	parts=${PARTS:-draw scenes}
	native 1 .native
	native "$(nproc)" .native.threads
	exit 0
fi

parts=${PARTS:-draw scenes cube arena}
share=$BUILD/bench-gl
rm -rf "$share"
mkdir -p "$share"
cp "$list" "$TREE/vm/checks/bench/bench-gl-guest.sh" "$share/"
"$RECIPES/stage.sh" lts >/dev/null
"$RECIPES/mesa.sh" >/dev/null
guest "$parts" nv3 llvmpipe --
guest "${parts/cube/}" virgl -- --vga virtio-vga-gl
for reference in llvmpipe virgl refresh; do
	table "" "$share/nv3.tsv" "$share/$reference.tsv"
done
