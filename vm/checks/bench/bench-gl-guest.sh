#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest of make bench-gl: measures the parts that $PARTS names. Each argument names a driver:
# nv3 selects the project's Mesa, llvmpipe selects llvmpipe in Debian's Mesa, and any other name
# selects the default driver of Debian's Mesa. For each scene, the drivers run one after the other,
# because the host's speed changes within minutes. Appends lines with name, value and unit,
# separated by tabs, to /share/DRIVER.tsv.

export HOME=/tmp/home LOGS=/share
mkdir -p "$HOME"
drivers=("$@")

# as DRIVER CMD...: runs CMD with the driver DRIVER
as() {
	local settings=()
	[ "$1" = nv3 ] || settings=(LD_LIBRARY_PATH=)
	[ "$1" != llvmpipe ] || settings+=(LIBGL_ALWAYS_SOFTWARE=1)
	shift
	env "${settings[@]}" "$@"
}

# figure DRIVER NAME VALUE UNIT
figure() {
	printf '%s\t%s\t%s\n' "$2" "$3" "$4" >>"/share/$1.tsv"
	echo "$1: $2 $3 $4" >&2
}

draw() {
	local driver name value unit
	for driver in "${drivers[@]}"; do
		as "$driver" nv3-gl-bench | while IFS=$'\t' read -r name value unit; do
			figure "$driver" "$name" "$value" "$unit"
		done
	done
}

scenes() {
	local driver name options fps
	while IFS=$'\t' read -r name options _; do
		for driver in "${drivers[@]}"; do
			fps=$(as "$driver" LD_PRELOAD=/nv3/lib/nv3-small-mode.so timeout 120 \
				glmark2-es2-drm --off-screen -b "$options:duration=$DURATION" \
				2>/dev/null </dev/null | sed -n 's/.*FPS: \([0-9.]*\).*/\1/p' | head -n 1)
			figure "$driver" "glmark2.$name" "${fps:-0}" FPS
		done
	done < <(grep -v '^#' /share/glmark2-scenes)
}

# kmscube exits when its standard input has data or ends, so keep an empty pipe open.
cube() {
	local fps
	fps=$(sleep 60 | kmscube -v 640x480 -c 600 | sed -n 's/.*(\([0-9.]*\) fps.*/\1/p' |
		tail -n 1)
	figure nv3 kmscube "${fps:-0}" FPS
	printf 'kmscube\t60\tFPS\n' >>/share/refresh.tsv
}

demo() {
	LD_PRELOAD=/nv3/lib/nv3-frames.so NV3_FRAMES_FROM=CL_InitCGame NV3_FRAMES_FOR=60 \
		timeout 900 /usr/games/openarena +set cl_renderer opengl1 +set r_mode 3 \
		+set r_fullscreen 0 +set s_initsound 0 +set com_introplayed 1 \
		+set timedemo 1 +demo demo088-test1
}

# arena_run DRIVER: appends the numbers of frames and seconds of one run to
# /share/arena-DRIVER.runs. The X server itself never draws with llvmpipe, because this would slow
# down the clients.
arena_run() {
	nv3-desktop xorg bash -c "$(declare -f as demo); export -f demo; as $1 bash -c demo" \
		>"/share/arena-$1.log" 2>&1
	sed -n 's/^frames: \([0-9]*\) in \([0-9.]*\) s/\1 \2/p' "/share/arena-$1.log" |
		tee -a "/share/arena-$1.runs" | sed "s/^/arena, $1: /" >&2
}

arena() {
	local driver
	for _ in 1 2; do
		for driver in "${drivers[@]}"; do
			arena_run "$driver"
		done
	done
	for driver in "${drivers[@]}"; do
		figure "$driver" arena "$(awk '{ frames += $1; seconds += $2 }
			END { printf "%.2f", seconds ? frames / seconds : 0 }' \
			"/share/arena-$driver.runs")" FPS
	done
}

for part in $PARTS; do
	"$part"
done
