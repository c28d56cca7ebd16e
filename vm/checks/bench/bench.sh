#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make bench: runs the benchmarks of the chip core (benchmark() in qemu-device's meson.build), the
# benchmarks of the path from a program to the chip (userspace/bench, in the guest), and the
# fragment programs of glmark2's scenes (bench-gl.sh). Each line has these columns, separated by
# tabs:
#   name  value  unit  name and value of the reference  ratio
# core.fp.mean is the geometric mean of the lines core.fp.* that compare with llvmpipe.
# The lines core.tri25.LEVEL, core.tri25.class.LEVEL and core.tri25.programs.LEVEL compare a SIMD
# level with the next lower one. The status is 1 if such a line has a ratio below LEVEL_MIN. Lines
# that start with # name the CPU and the SIMD level. NV3_SIMD=scalar, avx2, avx512 or avx512vbmi2
# selects the SIMD level of the core's rasterizer.

source "$(dirname "$0")/../../recipes/common.sh"

out=$BUILD/core-release
LEVEL_MIN=0.95		# below 1 because of measurement errors

compile() {
	[ -f "$out/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=release "$out" "$TREE/qemu-device"
	"$TREE/vm/root" ninja -C "$out" -j "$NV3_JOBS"
}

# Prints the command line of each benchmark.
benchmarks() {
	"$TREE/vm/root" meson introspect --benchmarks "$out" |
		"$TREE/vm/root" python3 -c '
import json, shlex, sys
for bench in json.load(sys.stdin):
    env = [f"{name}={value}" for name, value in bench["env"].items()]
    print(shlex.join(["env", *env, *bench["cmd"]]))'
}

"$RECIPES/build-root.sh" >/dev/null
step core-release 40 compile >&2
{
	benchmarks | while read -r line; do
		"$TREE/vm/root" bash -c "$line" </dev/null
	done
	"$TREE/vm/nv3-vm" exec --timeout 300 -- /nv3/bin/nv3-bench
	NATIVE=1 PARTS=programs "$TREE/vm/checks/bench/bench-gl.sh"
} | tee "$BUILD/bench.rows"
awk -F '\t' '
	/^core\.fp\./ && $4 ~ /^llvmpipe / && $5 > 0 {
		split($4, reference, " ")
		ours += log($2)
		theirs += log(reference[2])
		programs++
	}
	END {
		if (programs)
			printf "core.fp.mean\t%.1f\tMpixel/s\tllvmpipe %.1f\t%.3f\n",
				exp(ours / programs), exp(theirs / programs),
				exp((ours - theirs) / programs)
	}' "$BUILD/bench.rows"
awk -F '\t' -v min=$LEVEL_MIN '
	/^core\.tri25\..*(neon|avx2|avx512|avx512vbmi2)\t/ && $5 < min {
		split($4, below, " ")
		printf "nv3: error: %s is slower than %s, ratio %s\n", $1, below[1], $5
		slower = 1
	}
	END { exit slower }' "$BUILD/bench.rows" >&2
