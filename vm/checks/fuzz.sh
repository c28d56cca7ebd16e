#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make fuzz [TIME=SECONDS] [FUZZERS="mmio draw programs raster state capture qemu"]: runs
# each fuzzer for the given time under AddressSanitizer and UBSan.
#
#   mmio    register accesses, RAMIN and system memory, pushbuffers
#   draw    whole primitives of every class in any state
#   programs  class 0x1F: programs, textures, page tables and context images
#   raster  the rasterizer: SIMD compared with scalar loops
#   state   migration streams
#   capture  files of nv3-capture, read by nv3-lint
#   qemu    QEMU's generic fuzzer, through the device's BARs and VGA ports.
#           This fuzzer does not change the system memory that the chip reads.
#
# Inputs that reach new code are kept in build/fuzz/corpus for later runs. The first run starts with
# the seeds in the tree. An input that causes a failure is stored in build/fuzz/findings, and the
# status is 1. For each fuzzer the last line shows the number of executions and their CPU time.

source "$(dirname "$0")/../recipes/common.sh"

time=${TIME:-60}
fuzzers=${FUZZERS:-mmio draw programs raster state capture qemu}
out=$BUILD/fuzz/core
corpus=$BUILD/fuzz/corpus
findings=$BUILD/fuzz/findings
seeds=$TREE/qemu-device/tests/fuzz/seeds
found=0

[[ $time =~ ^[0-9]+$ ]] || die "TIME is in seconds, not '$time'"

compile_core() {
	[ -f "$out/build.ninja" ] ||
		CC=clang "$TREE/vm/root" meson setup -Dfuzz=true \
			--buildtype=debugoptimized -Db_lundef=false \
			-Db_sanitize=address,undefined "$out" "$TREE/qemu-device"
	"$TREE/vm/root" ninja -C "$out" -j "$NV3_JOBS" \
		tests/fuzz/fuzz_mmio tests/fuzz/fuzz_draw tests/fuzz/fuzz_programs \
		tests/fuzz/fuzz_raster tests/fuzz/fuzz_state tests/fuzz/fuzz_capture
}

# timed COMMAND...: runs a command in the build root. The last line of its
# output is the CPU time. bash measures this time inside the build root, because
# the CPU time of bwrap does not include the processes that bwrap starts.
timed() {
	# shellcheck disable=SC2016 # The inner shell expands the variables.
	"$TREE/vm/root" bash -c 'TIMEFORMAT="CPU seconds: %0U %0S"; time "$@"' timed "$@"
}

# run NAME COMMAND...: runs a libFuzzer program with its corpus for $time
# seconds
run() {
	local name=$1 log=$BUILD/fuzz/$1.log status=0 runs cpu
	shift
	mkdir -p "$corpus/$name" "$findings" "$seeds/$name"
	say "fuzz: $name for $time s; its output is in $log"
	timed "$@" -max_total_time="$time" -print_final_stats=1 \
		-timeout=60 -rss_limit_mb=4096 \
		-artifact_prefix="$findings/$name-" \
		"$corpus/$name" "$seeds/$name" >"$log" 2>&1 </dev/null || status=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	cpu=$(awk '/^CPU seconds: / { print $3 + $4 }' "$log")
	if [ "$status" -ne 0 ]; then
		found=1
		grep -aE 'ERROR:|runtime error:|^fuzz|Assertion|Test unit written' "$log" |
			head -n 10 | sed 's/^/    /' >&2
		echo "fuzz: $name: ${runs:-?} executions in ${cpu:-?} CPU-seconds," \
			"a FINDING (status $status)"
	else
		echo "fuzz: $name: $runs executions in $cpu CPU-seconds, no finding"
	fi
}

# Fuzz only the device's own regions, and not other devices. The seeds are register accesses of
# nv3-draw-test. Without these seeds, the fuzzer finds no inputs other than accesses to single
# ports.
run_qemu() {
	local dir
	dir=$(NV3_QEMU_VARIANT=fuzz "$RECIPES/qemu.sh")
	run qemu env -C "$dir" \
		QEMU_FUZZ_ARGS="-M pc -nodefaults -display none -device nv3,romfile=" \
		QEMU_FUZZ_OBJECTS='nv3*' \
		./qemu-fuzz-x86_64 --fuzz-target=generic-fuzz -max_len=8192 -len_control=0
}

mkdir -p "$BUILD/fuzz"
"$RECIPES/build-root.sh" >/dev/null
for fuzzer in $fuzzers; do
	case $fuzzer in
	qemu) run_qemu ;;
	mmio | draw | programs | raster | state | capture)
		[ -n "${compiled:-}" ] || step fuzz-core 90 compile_core
		compiled=1
		run "$fuzzer" env ASAN_OPTIONS=detect_leaks=1 \
			UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
			"$out/tests/fuzz/fuzz_$fuzzer" -max_len=4000
		;;
	*) die "no fuzzer '$fuzzer'; there are: mmio, draw, programs, raster, state, capture, qemu" ;;
	esac
done
[ "$found" -eq 0 ]
