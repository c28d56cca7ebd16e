#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# IGT in the guest: the stock tests of igt-tests/testlist-stock and the
# project's own of igt-tests/testlist-nv3. igt_runner's results are kept in
# build/igt/{stock,nv3}. KERNEL=lts|new|debug is the guest's kernel. FULL=1 runs
# testlist-full in place of testlist-stock. Both are run at 640x480, where frames
# are cheap; those of testlist-xga at the monitor's usual size. Those of
# testlist-emulated run once more on a device without the class that the
# resource manager can stand in for, and with RAMHT at its smallest.
# Under the debug kernel no complaint and no leak is a test too.

source "$(dirname "$0")/../recipes/common.sh"

results=$1
share=$BUILD/igt
tests=$TREE/igt-tests
declare -A ROOTS=(
	[stock]=/usr/libexec/igt-gpu-tools
	[xga]=/usr/libexec/igt-gpu-tools
	[nv3]=/nv3/libexec/igt-gpu-tools
	[emulated]=/nv3/libexec/igt-gpu-tools
)
EMULATED=0x07

# without_comments FILE: a list without comments and empty lines
without_comments() { sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$1"; }

# guest_script SUITE...: what the guest is to do. igt_runner writes thousands of
# small files, so it does that in the guest's memory and one file comes out.
guest_script() {
	local suite skips=()
	if [ -f "$tests/xfails/nv3-skips.txt" ]; then
		mapfile -t skips < <(without_comments "$tests/xfails/nv3-skips.txt")
	fi
	echo 'export IGT_FORCE_DRIVER=nv3'
	echo 'modprobe -q vgem'	# whose buffers nv3_prime imports
	[[ " $* " != *" emulated "* ]] || echo "export NV3_EMULATED=$EMULATED"
	for suite in "$@"; do
		echo "mkdir -p /tmp/tests/$suite /tmp/results"
		# igt_runner wants a list of all tests beside them.
		echo "ln -s ${ROOTS[$suite]}/* /tmp/tests/$suite"
		echo "{ echo TESTLIST; ls ${ROOTS[$suite]}; echo END TESTLIST; } \
			>/run/test-list && mv -f /run/test-list /tmp/tests/$suite/test-list.txt"
		printf 'igt_runner --per-test-timeout 120 --dmesg-warn-level 4'
		# A process for each of our own subtests, as they may well crash;
		# one for all subtests of a stock test takes half the time.
		[ "$suite" != stock ] || printf ' --multiple-mode'
		[ ${#skips[@]} -eq 0 ] || printf ' -x %q' "${skips[@]}"
		printf ' --test-list %s.list /tmp/tests/%s /tmp/results/%s' \
			"$suite" "$suite" "$suite"
		# It names each test again when it writes the results.
		echo ' 2> >(grep -v "^results: parsing output" >&2)'
		echo "tar -C /tmp/results -cf $suite.tar $suite"
	done
	[ "$kernel" != debug ] || leak_script
	echo 'exit 0'	# the verdicts are in the results
}

# What nv3.ko leaves behind: kmemleak calls memory a leak at its second scan.
leak_script() {
	cat <<'SCRIPT'
rmmod nv3
leaks=/sys/kernel/debug/kmemleak
for _ in 1 2 3; do echo scan >$leaks; sleep 6; done
cat $leaks >>kmemleak
SCRIPT
}

# debug_verdict STATUS: TAP of what the debug kernel said
debug_verdict() {
	echo 1..2
	case $1 in
	0) echo "ok 1 - no complaint of the kernel's" ;;
	*) echo "not ok 1 - the guest's status is $1 (99: the kernel complained)" ;;
	esac
	if [ ! -f "$share/kmemleak" ]; then
		echo "not ok 2 - kmemleak did not report"
	elif [ -s "$share/kmemleak" ]; then
		echo "not ok 2 - memory leaked"
		head -n 40 "$share/kmemleak" | sed 's/^/# /'
	else
		echo "ok 2 - no leak"
	fi
}

kernel=${KERNEL:-lts} options=() slower=1
[ "$kernel" != debug ] || { options=(--fail-on-warn) slower=6; }

suites=()
rm -rf "$share"
mkdir -p "$share"
# take_list SUITE [LIST]: "suites" has it from now on
take_list() {
	[ -f "$tests/testlist-${2:-$1}" ] || return 0
	without_comments "$tests/testlist-${2:-$1}" >"$share/$1.list"
	suites+=("$1")
}
if [ "${FULL:-0}" = 1 ]; then
	take_list stock full
	limit=14400
else
	take_list stock
	limit=1800
fi
take_list nv3
[ ${#suites[@]} -gt 0 ] || die "there are no test lists in igt-tests"

# boot SECONDS SUITE... -- OPTION...: runs the suites in one guest
status=0
boot() {
	local these=() limit=$(($1 * slower))
	shift
	while [ "$1" != -- ]; do
		these+=("$1")
		shift
	done
	"$TREE/vm/nv3-vm" exec --kernel "$kernel" --timeout "$limit" "${options[@]}" \
		--share "$share" "${@:2}" -- \
		"$(guest_script "${these[@]}")" || status=$?
}
boot "$limit" "${suites[@]}" -- --device xres=640,yres=480
take_list xga
boot 300 xga --
if [ -f "$tests/testlist-emulated" ]; then
	take_list emulated
	boot 900 emulated -- --device "without-class=$EMULATED" \
		--append nv3.options=ramht_kib=4
fi

for suite in "${suites[@]}"; do
	if [ -f "$share/$suite.tar" ]; then
		tar -xf "$share/$suite.tar" -C "$share" && rm "$share/$suite.tar"
	fi
	if [ -f "$share/$suite/results.json" ]; then
		"$TREE/vm/root" "$TREE/vm/checks/igt-to-tap" \
			"$share/$suite/results.json" "$tests/xfails" \
			>"$results/igt-$suite.tap"
	else
		printf '1..1\nnot ok 1 - igt_runner left no results\n' \
			>"$results/igt-$suite.tap"
	fi
done
if [ "$kernel" = debug ]; then
	debug_verdict "$status" >"$results/igt-debug.tap"
	[ "$status" -ne 99 ] || status=0
fi
exit "$status"
