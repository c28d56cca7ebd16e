# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What a guest is told to do with IGT's test lists, for those that read this.

# Without KVM the stock tests run by the guest's own clock, which stands still
# while the host does something else: many of them measure, and a busy host must
# not fail them. Four nanoseconds an instruction (one for the debug kernel, which
# needs more of them), and no waiting while it idles. One processor, as QEMU runs
# several in turns of 100 ms then, and that is six frames.
# shellcheck disable=SC2034 # used by those that read this
GUEST_CLOCK=(--smp 1 --qemu -icount --qemu "shift=2,sleep=off")
[ "${KERNEL:-}" != debug ] || GUEST_CLOCK[5]=shift=0,sleep=off

# progress_of LOG TIMES LIST...: sets "progress" to a file descriptor; what is
# printed there is what a person is told by vm/checks/igt-progress
progress_of() {
	exec {progress}> >(exec "$TREE/vm/root" "$TREE/vm/checks/igt-progress" "$@")
	progress_reader=$!
}

progress_end() {
	exec {progress}>&-
	wait "$progress_reader" || true
}

# Where a suite's tests are.
igt_root() {
	case $1 in
	nv3 | emulated | high) echo /nv3/libexec/igt-gpu-tools ;;
	*) echo /usr/libexec/igt-gpu-tools ;;
	esac
}

# without_comments FILE: a list without comments and empty lines
without_comments() { sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$1"; }

# runner_command SUITE SECONDS SKIP...: igt_runner for a suite, each test being
# killed after so long. It writes thousands of small files, so it does that in
# the guest's memory and one file comes out.
runner_command() {
	local suite=$1
	printf 'igt_runner --per-test-timeout %s --dmesg-warn-level 4' "$2"
	shift 2
	# One process for all subtests of a stock test takes half the time. Our
	# own may well crash, so each has one, but where starting it is slow.
	[ "$suite" != stock ] && [ "${KERNEL:-}" != debug ] || printf ' --multiple-mode'
	[ $# -eq 0 ] || printf ' -x %q' "$@"
	printf ' --test-list /tmp/%s.list /tmp/tests/%s /tmp/results/%s' \
		"$suite" "$suite" "$suite"
}

# suite_script SUITE SECONDS SKIP...
suite_script() {
	local suite=$1 root command
	root=$(igt_root "$suite")
	# It names each test again when it writes the results.
	command="$(runner_command "$@") 2> >(grep -v '^results: parsing output' >&2)"
	[ "$suite" != suspend ] || command="cd /; without-shares $command; cd /share"
	cat <<SCRIPT
mkdir -p /tmp/tests/$suite /tmp/results
cp $suite.list /tmp
# igt_runner wants a list of all tests beside them.
ln -s $root/* /tmp/tests/$suite
{ echo TESTLIST; ls $root; echo END TESTLIST; } >/run/test-list
mv -f /run/test-list /tmp/tests/$suite/test-list.txt
$command
tar -C /tmp/results -cf $suite.tar $suite
SCRIPT
}

# What the kernel is told of each test goes to where igt_runner's lines go. Not
# from a share, which could not be unmounted then.
follow_script() {
	cat <<'SCRIPT'
(cd / && dmesg --follow-new | grep --line-buffered -o '\[IGT\] .*: starting .*') &
SCRIPT
}

end_script() {
	cat <<'SCRIPT'
pkill dmesg
exit 0	# the verdicts are in the results
SCRIPT
}

# unload_script SUITE: the driver goes, and what it left is in SUITE.unload
unload_script() { echo "unload >$1.unload 2>&1"; }

# What KUnit said as nv3.ko was loaded.
kunit_script() {
	cat <<'SCRIPT'
for suite in /sys/kernel/debug/kunit/*/; do
	cat "$suite/results" >"kunit-$(basename "$suite")"
done
SCRIPT
}

# leak_script SUITE: what memory nv3.ko left, under the debug kernel, is in
# SUITE.leaks
leak_script() { echo "leaks >$1.leaks 2>&1"; }
