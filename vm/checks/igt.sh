#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# IGT in the guest. A suite is a list of tests, igt-tests/testlist-SUITE:
#   stock     at 640x480, where frames are cheap (FULL=1: testlist-full instead)
#   unplug    stock tests that take the device away and bring it back
#   suspend   stock tests that suspend the guest (FULL=1 only: they wait long)
#   xga       stock tests that want the monitor's usual size, or two processors
#   nv3       the project's own
#   emulated  some of them on a device without the class that the resource
#             manager can stand in for, and with RAMHT at its smallest
#   high      some of them in a guest of more than 4 GiB, the chip's reach
#             (FULL=1 only: it wants 6 GiB of the host)
# igt_runner's results are kept in build/igt/SUITE, a page about them is
# build/igt/index.html. SUITES="..." picks some. KERNEL=lts|new|debug is the
# guest's kernel; under the debug kernel no complaint and no leak is a test too.
# After each suite the driver is unloaded, and must leave nothing behind.

source "$(dirname "$0")/../recipes/common.sh"
source "$(dirname "$0")/igt-guest.sh"

results=$1
share=$BUILD/igt
tests=$TREE/igt-tests
EMULATED=0x07

kernel=${KERNEL:-lts}
options=() slower=1
[ "$kernel" != debug ] || { options=(--fail-on-warn) slower=6; }
default="stock unplug xga nv3 emulated"
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
		[ -f "$tests/testlist-$list" ] || die "there is no testlist-$list"
		without_comments "$tests/testlist-$list" >"$share/$suite.list"
	done
	# The whole list has what other suites have, too.
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
	nv3 | high) echo 'modprobe -q vgem' ;;	# whose buffers nv3_prime imports
	emulated) echo "export NV3_EMULATED=$EMULATED" ;;
	esac
	follow_script
	[ "$kernel" != debug ] || kunit_script
	suite_script "$suite" "$per_test" "${skips[@]}"
	unload_script "$suite"
	[ "$kernel" != debug ] || leak_script "$suite"
	end_script
}

# suite_options SUITE: sets "these" to what nv3-vm is told for it
suite_options() {
	these=(--timeout $((1800 * slower)) "${options[@]}")
	case $1 in
	emulated)
		these+=(--device "without-class=$EMULATED"
			--append nv3.options=ramht_kib=4)
		;;
	xga) ;;
	high) these+=(--mem 6G --device "xres=640,yres=480") ;;
	*) these+=(--device "xres=640,yres=480") ;;
	esac
	# A second processor that is slow to wake is a warning of the kernel's.
	[ "$1" != suspend ] || these+=(--smp 1 --uart)
	# Our own tests have the chip draw, which takes the host's time.
	case $1 in
	stock | unplug)
		[[ $("$RECIPES/accel.sh") != tcg* ]] || these+=("${GUEST_CLOCK[@]}")
		[ "${FULL:-0}" != 1 ] || these+=(--timeout $((7200 * slower)))
		;;
	esac
}

# Runs a guest for each suite; "status" is that of the last that went wrong.
run_suites() {
	local suite these
	for suite in "${suites[@]}"; do
		suite_options "$suite"
		"$TREE/vm/nv3-vm" exec --kernel "$kernel" --share "$share" "${these[@]}" \
			-- "$(guest_script "$suite")" || status=$?
	done
}

# judge SUITE: TAP of what it left
judge() {
	if [ -f "$share/$1.tar" ]; then
		tar -xmf "$share/$1.tar" -C "$share" && rm "$share/$1.tar"
	fi
	if [ -f "$share/$1/results.json" ]; then
		"$TREE/vm/root" "$TREE/vm/checks/igt-to-tap" "$share/$1/results.json" \
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
		echo "not ok 1 - after $1 the driver was not unloaded"
	elif [ -s "$share/$1.unload" ]; then
		echo "not ok 1 - after $1 the driver, unloaded, left something behind"
		sed 's/^/# /' "$share/$1.unload"
	else
		echo "ok 1 - after $1 the driver can be unloaded and leaves nothing behind"
	fi
}

# kunit_verdicts: TAP of what KUnit left, a file a suite. Its cases are indented,
# as they are subtests of the suite; what a case says comes before its verdict.
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

# debug_verdict STATUS: TAP of what the debug kernel said
debug_verdict() {
	local suite number=1
	echo "1..$((${#suites[@]} + 1))"
	case $1 in
	0) echo "ok 1 - no complaint of the kernel's" ;;
	*) echo "not ok 1 - the guest's status is $1 (99: the kernel complained)" ;;
	esac
	for suite in "${suites[@]}"; do
		leak_verdict "$suite" $((++number))
	done
}

# leak_verdict SUITE NUMBER
leak_verdict() {
	local leaks=$share/$1.leaks
	if [ ! -f "$leaks" ]; then
		echo "not ok $2 - after $1 kmemleak did not report"
	elif [ -s "$leaks" ]; then
		echo "not ok $2 - $1 leaked memory, or a checker of the kernel's gave up"
		head -n 40 "$leaks" | sed 's/^/# /'
	else
		echo "ok $2 - $1 leaked no memory, with all checkers of the kernel's on"
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
	"$TREE/vm/root" "$TREE/vm/checks/igt-compare" "$tests/xfails" "$tests/beside" \
		"${judged[@]}" >"$results/igt-baseline.tap"
fi
"$TREE/vm/root" "$TREE/vm/checks/igt-report" "$share" "$tests/xfails" "$results"
say "a page about it is build/igt/index.html"
exit "$status"
