#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs IGT in the guest. A suite is a list of tests, igt-tests/testlist-SUITE:
#   stock     stock tests at 640x480, where drawing a frame takes little time
#             (FULL=1: testlist-full instead)
#   unplug    stock tests that remove the device and add it again
#   suspend   stock tests that suspend the guest (FULL=1 only, as they are slow)
#   xga       stock tests that need the monitor's default size or two processors
#   nv3       the project's own tests, with 8 MiB of VRAM, so that buffers migrate
#   vram      some of the project's own tests, with 64 MiB of VRAM
#   emulated  some of the project's own tests, on a device that lacks class 0x07 (RECT), whose
#             methods the resource manager then executes, and with RAMHT at its smallest size
#   high      some of the project's own tests, in a guest with memory beyond the 4 GiB that the chip
#             can address (FULL=1 only, as it needs 6 GiB of the host)
# igt_runner's results are stored in build/igt/SUITE, and a report in build/igt/index.html.
# SUITES="..." selects suites. KERNEL=lts|new|debug selects the guest's kernel. Under the debug
# kernel, further tests check that the kernel logs no warning and that the driver leaks no memory.
# After each suite the driver is unloaded, and a test checks that nothing remains.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../igt/igt-guest.sh"

results=$1
share=$BUILD/igt
tests=$TREE/igt-tests
EMULATED=0x07

kernel=${KERNEL:-lts}
options=() slower=1
[ "$kernel" != debug ] || { options=(--fail-on-warn) slower=6; }
default="stock unplug xga nv3 vram emulated"
[ "${FULL:-0}" != 1 ] || default+=" high suspend"
read -ra suites <<<"${SUITES:-$default}"

skips=()
if [ -f "$tests/xfails/nv3-skips.txt" ]; then
	mapfile -t skips < <(without_comments "$tests/xfails/nv3-skips.txt")
fi

take_lists() {
	local suite list
	rm -rf "$share"
	mkdir -p "$share"
	for suite in "${suites[@]}"; do
		list=$suite
		[ "$suite" != stock ] || [ "${FULL:-0}" != 1 ] || list=full
		[ -f "$tests/testlist-$list" ] || die "no list testlist-$list"
		without_comments "$tests/testlist-$list" >"$share/$suite.list"
	done
	# With FULL=1 the suite stock consists of testlist-full, which contains the tests of the
	# suite xga as well. Remove these tests from the suite stock.
	[ "${FULL:-0}" != 1 ] || [ ! -f "$share/stock.list" ] || leave_to_others
}

leave_to_others() {
	without_comments "$tests/testlist-xga" |
		grep -vxFf - "$share/stock.list" >"$share/stock"
	mv "$share/stock" "$share/stock.list"
}

guest_script() {
	local suite=$1 per_test=$((120 * slower))
	[ "$suite" != suspend ] || per_test=$((per_test * 5))
	echo 'export IGT_FORCE_DRIVER=nv3'
	case $suite in
	nv3 | vram | high) echo 'modprobe -q vgem' ;;	# nv3_prime imports buffers of vgem.
	emulated) echo "export NV3_EMULATED=$EMULATED" ;;
	esac
	follow_script
	[ "$kernel" != debug ] || kunit_script
	suite_script "$suite" "$per_test" "${skips[@]}"
	unload_script "$suite"
	[ "$kernel" != debug ] || leak_script "$suite"
	end_script
}

# suite_options SUITE: sets "these" to the options of nv3-vm for the suite
suite_options() {
	these=(--timeout $((1800 * slower)) "${options[@]}")
	case $1 in
	emulated)
		these+=(--device "vram-size=8M,without-class=$EMULATED"
			--append nv3.options=ramht_kib=4)
		;;
	xga) ;;
	high) these+=(--mem 6G --device "vram-size=8M,xres=640,yres=480") ;;
	nv3) these+=(--device "vram-size=8M,xres=640,yres=480") ;;
	vram) these+=(--device "vram-size=64M,xres=640,yres=480") ;;
	*) these+=(--device "xres=640,yres=480") ;;
	esac
	# The kernel warns if a second processor wakes slowly, so the guest of the suite suspend has
	# one processor.
	[ "$1" != suspend ] || these+=(--smp 1 --uart)
	# Other suites cannot use the virtual clock: the project's own tests wait for the chip,
	# which runs in the host's time, and the suite xga needs two processors.
	case $1 in
	stock | unplug)
		[[ $("$TREE/vm/host/accel.sh") != tcg* ]] || these+=("${GUEST_CLOCK[@]}")
		[ "${FULL:-0}" != 1 ] || these+=(--timeout $((7200 * slower)))
		;;
	esac
}

# Runs a guest for each suite. Sets "status" to the status of the last guest
# that failed.
run_suites() {
	local suite these
	for suite in "${suites[@]}"; do
		suite_options "$suite"
		"$TREE/vm/nv3-vm" exec --kernel "$kernel" --share "$share" "${these[@]}" \
			-- "$(guest_script "$suite")" || status=$?
	done
}

# judge SUITE: converts the results of SUITE, and of unloading the driver after SUITE, to TAP
judge() {
	if [ -f "$share/$1.tar" ]; then
		tar -xmf "$share/$1.tar" -C "$share" && rm "$share/$1.tar"
	fi
	if [ -f "$share/$1/results.json" ]; then
		"$TREE/vm/root" "$TREE/vm/checks/igt/igt-to-tap" "$share/$1/results.json" \
			"$share/$1.list" "$tests/xfails" >"$results/igt-$1.tap"
	else
		printf '1..1\nnot ok 1 - igt_runner left no results; the last of its lines:\n# %s\n' \
			"$(tail -n 1 "$share/runner.log")" >"$results/igt-$1.tap"
	fi
	unload_verdict "$1" >"$results/igt-$1-unload.tap"
}

unload_verdict() {
	echo 1..1
	if [ ! -f "$share/$1.unload" ]; then
		echo "not ok 1 - the driver could not be unloaded after $1"
	elif [ -s "$share/$1.unload" ]; then
		echo "not ok 1 - traces of the driver remain when it is unloaded after $1"
		sed 's/^/# /' "$share/$1.unload"
	else
		echo "ok 1 - the driver can be unloaded after $1, and leaves no traces"
	fi
}

# kunit_verdicts: writes the test cases in KUnit's output as TAP, one file per suite. KUnit indents
# the cases, because they are subtests of a suite. KUnit prints messages of a case before its
# result, but vm/checks/tally expects them after the result.
kunit_verdicts() {
	local suite
	for suite in "$share"/kunit-*; do
		awk 'sub(/^    /, "") {
			if (/^ok/ || /^1\.\./) print
			else if (/^not ok/) printf "%s\n%s", $0, said
			said = /^(not )?ok/ ? "" : /^#/ ? said $0 "\n" : said
		}' "$suite" >"$results/${suite##*/}.tap"
	done
	compgen -G "$results/kunit-*.tap" >/dev/null ||
		printf '1..1\nnot ok 1 - KUnit did not run\n' >"$results/kunit.tap"
}

# debug_verdict STATUS: writes TAP for the warnings and memory leaks that the debug kernel reported
debug_verdict() {
	local suite number=1
	echo "1..$((${#suites[@]} + 1))"
	case $1 in
	0) echo "ok 1 - the kernel logged no warning" ;;
	*) echo "not ok 1 - the guest's status is $1 (99: the kernel logged a warning)" ;;
	esac
	for suite in "${suites[@]}"; do
		leak_verdict "$suite" $((++number))
	done
}

# leak_verdict SUITE NUMBER: prints a line of TAP: "ok" if kmemleak reported no leaks after SUITE
# and all checkers of the kernel are still enabled
leak_verdict() {
	local leaks=$share/$1.leaks
	if [ ! -f "$leaks" ]; then
		echo "not ok $2 - kmemleak did not report after $1"
	elif [ -s "$leaks" ]; then
		echo "not ok $2 - $1 leaked memory, or disabled a checker of the kernel"
		head -n 40 "$leaks" | sed 's/^/# /'
	else
		echo "ok $2 - $1 leaked no memory, with all checkers of the kernel enabled"
	fi
}

take_lists
mapfile -t lists < <(printf "$share/%s.list\n" "${suites[@]}")
status=0
progress_of "$share/runner.log" "$NV3_CACHE/times/igt-$kernel" "${lists[@]}"
run_suites >&"$progress"
progress_end

for suite in "${suites[@]}"; do
	judge "$suite"
done
if [ "$kernel" = debug ]; then
	kunit_verdicts
	debug_verdict "$status" >"$results/igt-debug.tap"
	[ "$status" -ne 99 ] || status=0
fi
mapfile -t judged < <(ls "$share"/{stock,xga,suspend}/results.json 2>/dev/null)
if [ ${#judged[@]} -gt 0 ]; then
	"$TREE/vm/root" "$TREE/vm/checks/igt/igt-compare" "$tests/xfails" "$tests/baselines" \
		"${judged[@]}" >"$results/igt-baseline.tap"
fi
"$TREE/vm/root" "$TREE/vm/checks/igt/igt-report" "$share" "$tests/xfails" "$results"
say "the report is build/igt/index.html"
exit "$status"
