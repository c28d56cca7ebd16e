#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make bench-gl: measures OpenGL in the guest at 640x480. Compares nv3 with the two alternatives for
# a user without a GPU: llvmpipe in the same guest, and virtio-gpu-gl in a second guest. The host
# part of virtio-gpu-gl (virgl) draws with the host's llvmpipe. Each line has these columns,
# separated by tabs:
#   name  value  unit  name and value of the reference  ratio
# glmark2.mean is the geometric mean of the scenes.
#
# PARTS= selects parts of the benchmark: draw (triangles and pixels), scenes (glmark2's default
# scenes, DURATION seconds each), cube (kmscube, compared with the refresh rate) and arena. The part
# arena counts the frames of OpenArena's timedemo in the first 60 s after the demo is loaded, in two
# runs of each driver. NATIVE=1 measures the parts draw and scenes with vm/nv3-native, without a
# guest, and compares nv3 with llvmpipe of the same Mesa, on one thread and on all CPUs.
#
# NATIVE=1 PARTS=programs measures how fast each fragment program of the scenes fills the picture.
# Both drivers draw in the thread that calls OpenGL. make bench prints these rows.

source "$(dirname "$0")/../../recipes/common.sh"

list=$TREE/vm/checks/suites/glmark2-scenes
export DURATION=${DURATION:-4}

# table SUFFIX VALUES REFERENCE: prints a row for each name that the files VALUES and REFERENCE both
# contain. In the row, the reference has the name of the file REFERENCE, without .tsv. Prints
# nothing if REFERENCE does not exist.
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

# native_run DRIVER CMD...: runs CMD with a driver and $threads threads, without a guest. llvmpipe's
# threads are in addition to the program's own thread. With LP_NUM_THREADS=0 it draws in the
# program's thread, as nv3 does with one thread.
native_run() {
	local driver=$1
	shift
	NV3_NATIVE=$driver "$TREE/vm/nv3-native" env NV3_SHIM_THREADS="$threads" \
		LP_NUM_THREADS="$((threads > 1 ? threads : 0))" "$@"
}

# native_scene DRIVER OPTIONS: prints the frames per second of a scene that is drawn without a guest
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

# fragment_shader NAME OPTIONS: prints the longest fragment shader of a scene. Mesa
# writes the shaders of each linked program to a file.
fragment_shader() {
	local dir=$out/$1
	mkdir -p "$dir"
	DURATION=0.1 MESA_SHADER_CAPTURE_PATH=$dir native_scene llvmpipe "$2" >/dev/null
	awk '
	function finish() {
		if (length(text) > length(longest))
			longest = text
		text = ""
	}
	/^\[/ { finish(); inside = $0 == "[fragment shader]"; next }
	inside { text = text $0 "\n" }
	END { finish(); printf "%s", longest }' "$dir"/*.shader_test
}

# draw_shader DRIVER NAME: measures the fragment shader of a scene. The first run of a scene stores
# the picture, and later runs compare their pictures with it. Fails if a picture differs, or if the
# nv3 driver draws in software.
draw_shader() {
	local log=$out/$2.$1.log
	NV3_DEBUG=fallback native_run "$1" nv3-gl-bench "core.fp.$2" "$out/$2.frag" \
		"$out/$2.png" </dev/null >>"$out/$1.tsv" 2>"$log" || return 1
	! grep -q 'software fallback' "$log"
}

# fastest: for each name, copies the row with the largest value
fastest() {
	awk -F '\t' '
	!($1 in value) { name[++count] = $1 }
	$2 > value[$1] { value[$1] = $2; row[$1] = $0 }
	END { for (i = 1; i <= count; i++) print row[name[i]] }'
}

# programs: measures the fragment programs in two alternating runs of each driver. Scenes with the
# same shader share a row with the name of the first scene. Fails if the drivers' pictures of a
# program differ, or if the nv3 driver draws in software.
programs() {
	local threads=1 out=$BUILD/bench-programs driver name options hash status=0
	local -A seen
	rm -rf "$out"
	mkdir -p "$out"
	while IFS=$'\t' read -r name options _; do
		fragment_shader "$name" "$options" >"$out/$name.frag"
		hash=$(sha256sum <"$out/$name.frag")
		[ -z "${seen[$hash]:-}" ] || continue
		seen[$hash]=1
		for driver in nv3 llvmpipe nv3 llvmpipe; do
			draw_shader "$driver" "$name" || {
				say "error: $name on $driver:"
				cat "$out/$name.$driver.log" >&2
				status=1
			}
		done
	done < <(grep -v '^#' "$list")
	mkdir "$out/fastest"
	for driver in nv3 llvmpipe; do
		fastest <"$out/$driver.tsv" >"$out/fastest/$driver.tsv"
	done
	table "" "$out/fastest/nv3.tsv" "$out/fastest/llvmpipe.tsv"
	return "$status"
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
	if [ "$parts" = programs ]; then
		programs
		exit
	fi
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
