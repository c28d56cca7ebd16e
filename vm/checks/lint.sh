#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks the style of the tree, and builds the tree with warnings as errors. All checks run, even if
# some of them fail. Findings have the form FILE:LINE: MESSAGE, so that editors can jump to them.
#
# CHANGED=1: checks only files that differ from the upstream branch (or from HEAD
# if there is none), and omits the checks that compile.

source "$(dirname "$0")/../recipes/common.sh"

in_git() { git -C "$TREE" -c safe.directory='*' "$@"; }

# changed PATTERN...: prints matching files that differ from the upstream branch
changed() {
	local base
	base=$(in_git merge-base HEAD '@{upstream}' 2>/dev/null) || base=HEAD
	in_git diff --name-only "$base" -- "$@"
	in_git ls-files -o --exclude-standard -- "$@"
}

# sources PATTERN...: prints matching files of the tree that git does not ignore
sources() {
	local list=(in_git ls-files -co --exclude-standard --)
	[ -z "${CHANGED:-}" ] || list=(changed)
	"${list[@]}" "$@" | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

check_scripts() {
	local scripts
	mapfile -t scripts < <(sources vm .ci docs/diagrams |
		xargs -r grep -lE '^#!/bin/(ba)?sh|shellcheck shell')
	[ ${#scripts[@]} -eq 0 ] || shellcheck -x "${scripts[@]}"
}

check_kernel_style() {
	local files
	mapfile -t files < <(sources 'kernel/*.[ch]' 'include/uapi/*.h')
	[ ${#files[@]} -eq 0 ] || "$checkpatch/checkpatch.pl" --no-tree --strict \
		--quiet --terse --show-types --no-summary --file "${files[@]}"
}

# WARN() and its variants are forbidden, because a warning must name its device, as drm_WARN() does.
# checkpatch does not check this.
check_device_warnings() {
	! sources 'kernel/*.[ch]' | xargs grep -HnE '\bWARN(_ON|_ONCE|_ON_ONCE)?\(' /dev/null
}

# checkpatch parses the "-" in the exponent of a float, such as 0x1p-3f or 1e-3f, as a subtraction.
# Drops the errors for lines with such floats.
without_exponents() {
	local file line rest
	while IFS=: read -r file line rest; do
		sed -n "${line}p" "$file" | grep -Eq '0x[0-9a-f.]*p-|[0-9]e-[0-9]' ||
			echo "$file:$line:$rest"
	done
}

# QEMU's own checkpatch. Only errors count: checkpatch warns about lines of more than 80 columns,
# which QEMU allows where they improve readability. Lines of more than 90 columns are errors.
# Suggestions to use QEMU's helper functions are ignored, because the core and its tests are built
# without QEMU.
check_qemu_style() {
	local files errors
	mapfile -t files < <(sources 'qemu-device/*.[ch]')
	[ ${#files[@]} -gt 0 ] || return 0
	# Run checkpatch in qemu-device, so that it recognizes tests/ as a directory of tests.
	errors=$(cd qemu-device || exit
		"$qemu_source/scripts/checkpatch.pl" --no-tree --quiet --terse \
			--no-summary --file "${files[@]#qemu-device/}" |
			grep 'ERROR:' | grep -v 'consider using qemu_' |
			without_exponents || true)
	[ -z "$errors" ] || { echo "$errors"; return 1; }
}

# Warnings of the compiler (W=1) and of sparse are errors.
check_kernel_build() {
	[ -f kernel/Kbuild ] || return 0
	local copy=$BUILD/lint/kernel log=$BUILD/lint/kernel.log
	mkdir -p "$copy"
	rsync --recursive --links --times --include='/Kbuild' \
		--include='/kernel/***' --include='/include/***' --exclude='/*' \
		"$TREE/" "$copy/"
	make -C "/usr/lib/modules/$release/build" M="$copy" -j "$NV3_JOBS" \
		W=1 C=2 KCFLAGS=-Werror >"$log" 2>&1 || { tail -n 50 "$log"; return 1; }
	! grep "^$copy.*\(warning\|error\):" "$log" | sed "s|$copy/||"
}

# check_meson DIR [OPTION...]: builds the project in DIR with warnings as errors
check_meson() {
	local dir=$1 out=$BUILD/lint/$1 log=$BUILD/lint/$1.log
	shift
	[ -f "$dir/meson.build" ] || return 0
	mkdir -p "$BUILD/lint"
	{
		[ -f "$out/build.ninja" ] || PKG_CONFIG_PATH=/nv3/lib/pkgconfig \
			meson setup -Dwarning_level=2 --werror "$@" "$out" "$dir"
		ninja -C "$out" -j "$NV3_JOBS"
	} >"$log" 2>&1 || { tail -n 50 "$log"; return 1; }
}

# Files end in a newline, lines do not end in white space, files have at most
# 1,000 lines, and sources name their licence.
check_text() {
	local file bad=0
	while read -r file; do
		case $file in
		*.png | *.webp | *.svg | *.patch | */seeds/* | LICENSE* | *.csv | *.json | *.nv3cap) continue ;;
		esac
		if grep -nE '[[:space:]]+$' "$file" | sed "s|^|$file:|; s|\$|: space at the end of the line|" | grep .; then
			bad=1
		fi
		if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then
			echo "$file: no newline at its end"
			bad=1
		fi
		if [ "$(wc -l <"$file")" -gt 1000 ]; then
			echo "$file: more than 1000 lines"
			bad=1
		fi
		case $file in *.md | *.txt | igt-tests/testlist-*) continue ;; esac
		# REUSE-IgnoreStart
		if ! head -n 3 "$file" | grep -q 'SPDX-License-Identifier: '; then
			# REUSE-IgnoreEnd
			echo "$file:1: no SPDX-License-Identifier"
			bad=1
		fi
	done < <(sources)
	return "$bad"
}

# Each file has a licence and a copyright holder, in the file or in REUSE.toml, and
# LICENSES contains exactly the texts of these licences.
check_licences() {
	PYTHONPATH=$reuse python3 -m reuse --root "$TREE" lint --lines
}

# Each diagram matches its source.
check_diagrams() {
	"$TREE/docs/diagrams/render.sh" --check
}

# The reference page of the uAPI matches the header.
check_uapi_page() {
	"$TREE/docs/reference/uapi-page" --check
}

# Lines of documents have at most 100 columns.
check_documents() {
	local file bad=0
	while read -r file; do
		awk -v file="$file" 'length > 100 {
			print file ":" FNR ": " length " columns"; bad = 1
		} END { exit bad }' "$file" || bad=1
	done < <(sources '*.md')
	return "$bad"
}

# Lines of C have at most 100 columns, except for lines with a string, because upstreams do not
# break strings. The checkpatch scripts of the kernel and of QEMU check kernel/ and qemu-device/.
check_width() {
	local files
	mapfile -t files < <(sources '*.c' '*.h' ':!qemu-device' ':!kernel')
	[ ${#files[@]} -eq 0 ] || awk '{
		line = $0; columns = 0
		while ((at = index(line, "\t")) > 0) {
			columns += at - 1; columns += 8 - columns % 8
			line = substr(line, at + 1)
		}
		columns += length(line)
		if (columns > 100 && !/"/) {
			print FILENAME ":" FNR ": " columns " columns"; bad = 1
		}
	} END { exit bad }' "${files[@]}"
}

# Subjects of commits have at most 72 columns and no semicolon.
check_subjects() {
	local first=b55cd3a7de15 subjects
	if ! in_git merge-base --is-ancestor "$first" HEAD 2>/dev/null; then
		echo "no history since $first, so no subjects to check"
		return 0
	fi
	subjects=$(in_git log --format='%h %s' "$first..HEAD" |
		awk 'length($0) - length($1) - 1 > 72 { print $0 ": more than 72 columns" }
			/;/ { print $0 ": a semicolon" }')
	[ -z "$subjects" ] || { echo "$subjects"; return 1; }
}

# Sources and documents contain no retired words and no unclear phrases. Folders that words.txt
# lists as pending are exempt.
check_prose() {
	local files=()
	if [ -n "${CHANGED:-}" ]; then
		mapfile -t files < <(sources)
		[ ${#files[@]} -gt 0 ] || return 0
	fi
	vm/checks/prose --skip-pending "${files[@]}"
}

# Dependencies between folders point in one direction, and folders are small.
check_include_order() {
	vm/checks/include-order vm/checks/folders/*.txt
}

# Each test of igt-tests is in a list of tests or in a suite.
check_igt_lists() {
	local file name bad=0
	for file in igt-tests/tests/nv3_*.c; do
		name=$(basename "$file" .c)
		grep -q '^int igt_main()' "$file" || continue
		grep -qw "$name" igt-tests/testlist-* vm/checks/suites/* && continue
		echo "$file: in no igt-tests/testlist-* and no suite, so that nothing runs it"
		bad=1
	done
	return "$bad"
}

# The core path of the resource manager has at most 2,500 lines (docs/contributing.md).
check_core_path() {
	local lines
	lines=$(cat kernel/rm/nv3_{channel,object,submit,job,sched,switch,rm_irq,fence}.c | wc -l)
	[ "$lines" -le 2500 ] ||
		{ echo "kernel/rm: the core path has $lines lines, more than 2500"; return 1; }
}

# The Mesa driver has at most 9,000 lines without comments and blank lines
# (docs/decisions/0038-size-of-the-mesa-driver.md).
check_mesa_size() {
	local driver=userspace/mesa/src/gallium/drivers/nv3 lines
	lines=$(find "$driver" -name '*.[ch]' -exec cat {} + |
		gcc -fpreprocessed -dD -E -P -w -x c - | wc -l)
	[ "$lines" -le 9000 ] ||
		{ echo "$driver: $lines lines without comments, more than 9000"; return 1; }
}

# A folder has at most 25 files, so that a reader can see its structure. Folders of tests and
# documents are exempt, because their files are independent.
check_folder_sizes() {
	git ls-files -- ':!docs' ':!igt-tests' ':!*/tests/*' ':!vm/checks/suites' | sed 's,[^/]*$,,' |
		sort | uniq -c | awk '
		$1 > 25 { printf "%s has %d files, more than 25\n", $2, $1; bad = 1 }
		END { exit bad }'
}

compiled_checks() {
	cat <<-EOF
		check_kernel_build
		check_meson qemu-device
		check_meson userspace
		check_meson igt-tests -Dlibigt_dir=$libigt
	EOF
}

# Runs all checks. Called in the build root.
run_checks() {
	local failed=() check
	checkpatch=$1 qemu_source=$2 release=$3 libigt=$4 reuse=$5
	cd "$TREE"
	while read -r check; do
		[ -n "$check" ] || continue
		say "lint: $check"
		# shellcheck disable=SC2086 # a function and its arguments
		$check || failed+=("$check")
	done <<-EOF
		check_text
		check_licences
		check_documents
		check_width
		check_subjects
		check_prose
		check_include_order
		check_igt_lists
		check_core_path
		check_mesa_size
		check_folder_sizes
		check_diagrams
		check_uapi_page
		check_scripts
		check_kernel_style
		check_device_warnings
		check_qemu_style
		$([ -n "${CHANGED:-}" ] || compiled_checks)
	EOF
	if [ ${#failed[@]} -gt 0 ]; then
		printf 'lint: failed: %s\n' "${failed[@]}"
		exit 1
	fi
	echo "lint: no findings"
}

if [ "${1:-}" = --inside ]; then
	shift
	run_checks "$@"
else
	checkpatch=$("$RECIPES/checkpatch.sh")
	qemu_source=$("$RECIPES/qemu-source.sh")
	kernel=$("$RECIPES/kernel.sh" lts)
	image=$("$RECIPES/guest-image.sh")
	reuse=$("$RECIPES/reuse.sh")
	exec "$TREE/vm/root" "$TREE/vm/checks/lint.sh" --inside "$checkpatch" \
		"$qemu_source" "$(cat "$kernel/release")" "$image/libigt" "$reuse"
fi
