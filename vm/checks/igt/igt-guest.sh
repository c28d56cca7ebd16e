# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Shell functions that write scripts to run IGT's test lists in a guest.

# Without KVM the suites stock and unplug run with a virtual clock, which stops while the host runs
# other programs. Many of these tests measure times, and must not fail on a busy host. The clock
# advances by four nanoseconds per instruction (by one for the debug kernel, which executes more
# instructions), and skips idle times. With this clock, QEMU would run several processors in turn,
# each for 100 ms (six frames), so the guest has only one.
# shellcheck disable=SC2034 # Scripts that source this file use the variable.
GUEST_CLOCK=(--smp 1 --qemu -icount --qemu "shift=2,sleep=off")
[ "${KERNEL:-}" != debug ] || GUEST_CLOCK[5]=shift=0,sleep=off

# progress_of LOG TIMES LIST...: starts vm/checks/igt/igt-progress, and opens a pipe to its standard
# input. Sets the variable "progress" to the descriptor of the pipe.
progress_of() {
	exec {progress}> >(exec "$TREE/vm/root" "$TREE/vm/checks/igt/igt-progress" "$@")
	progress_reader=$!
}

progress_end() {
	exec {progress}>&-
	wait "$progress_reader" || true
}

# igt_root SUITE: prints the directory of a suite's tests
igt_root() {
	case $1 in
	nv3 | vram | emulated | high) echo /nv3/libexec/igt-gpu-tools ;;
	*) echo /usr/libexec/igt-gpu-tools ;;
	esac
}

# without_comments FILE: prints a list without comments and empty lines
without_comments() { sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$1"; }

# runner_command SUITE SECONDS SKIP...: prints the igt_runner command of a
# suite. A test is killed after SECONDS. The results are thousands of small
# files, so igt_runner writes them to the guest's memory. The script of
# suite_script() then stores them on the share as one tar archive.
runner_command() {
	local suite=$1
	printf 'igt_runner --per-test-timeout %s --dmesg-warn-level 4' "$2"
	shift 2
	# In the suite stock, all subtests of a test run in a single process, which halves the time.
	# In the other suites, each subtest has its own process, so that a crash does not end the
	# other subtests. Under the debug kernel, a process per subtest would be too slow.
	[ "$suite" != stock ] && [ "${KERNEL:-}" != debug ] || printf ' --multiple-mode'
	[ $# -eq 0 ] || printf ' -x %q' "$@"
	printf ' --test-list /tmp/%s.list /tmp/tests/%s /tmp/results/%s' \
		"$suite" "$suite" "$suite"
}

# suite_script SUITE SECONDS SKIP...: prints a script that runs a suite
suite_script() {
	local suite=$1 root command
	root=$(igt_root "$suite")
	# When igt_runner writes the results, it prints each test's name again. Drop these lines.
	command="$(runner_command "$@") 2> >(grep -v '^results: parsing output' >&2)"
	[ "$suite" != suspend ] || command="cd /; without-shares $command; cd /share"
	cat <<SCRIPT
mkdir -p /tmp/tests/$suite /tmp/results
cp $suite.list /tmp
# igt_runner needs a list of all tests in the directory of the tests.
ln -s $root/* /tmp/tests/$suite
{ echo TESTLIST; ls $root; echo END TESTLIST; } >/run/test-list
mv -f /run/test-list /tmp/tests/$suite/test-list.txt
$command
tar -C /tmp/results -cf $suite.tar $suite
SCRIPT
}

# Prints a command that copies the kernel's message about the start of each subtest to igt_runner's
# output. The subshell runs in /, because a share can't be unmounted while it is the working
# directory of a process.
follow_script() {
	cat <<'SCRIPT'
(cd / && dmesg --follow-new | grep --line-buffered -o '\[IGT\] .*: starting .*') &
SCRIPT
}

end_script() {
	cat <<'SCRIPT'
pkill dmesg
exit 0	# The results contain the verdicts.
SCRIPT
}

# unload_script SUITE: prints a command that unloads the driver, and writes a list of the driver's
# remaining objects to SUITE.unload
unload_script() { echo "unload >$1.unload 2>&1"; }

# Prints commands that store the output of the KUnit suites, which run when nv3.ko is loaded.
kunit_script() {
	cat <<'SCRIPT'
for suite in /sys/kernel/debug/kunit/*/; do
	cat "$suite/results" >"kunit-$(basename "$suite")"
done
SCRIPT
}

# leak_script SUITE: prints a command that writes a list of the memory that nv3.ko has leaked to
# SUITE.leaks. The command needs the debug kernel.
leak_script() { echo "leaks >$1.leaks 2>&1"; }
