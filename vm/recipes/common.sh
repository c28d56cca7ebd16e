# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Functions that all recipes share: the directories, cache keys of products,
# atomic creation of products, and progress messages of long steps.

set -euo pipefail
export LC_ALL=C.UTF-8

TREE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034 # Scripts that source this file use the variable.
RECIPES=$TREE/vm/recipes
BUILD=$TREE/build
NV3_CACHE=${NV3_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nv3}
NV3_JOBS=${NV3_JOBS:-$(nproc)}
mkdir -p "$NV3_CACHE/logs" "$NV3_CACHE/times" "$NV3_CACHE/locks" "$BUILD"

say() { printf 'nv3: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# wanted_packages FILE...: prints the names in FILEs, which are lists of vm/packages, in one line
wanted_packages() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@" | tr '\n' ' '; }

# key_of INPUT...: prints a short hash of the INPUTs: of the content of a file, of
# all files in a directory, or else of the word itself
key_of() {
	local input
	for input in "$@"; do
		if [ -d "$input" ]; then
			(cd "$input" && find . -type f -print0 | sort -z |
				xargs -0r sha256sum)
		elif [ -f "$input" ]; then
			sha256sum <"$input"
		else
			printf '%s\n' "$input"
		fi
	done | sha256sum | cut -c1-12
}

# kept PART: succeeds if NV3_KEEP, a list of words, names PART (qemu, module,
# userspace, igt-tests). The caller then uses the last build of the part, even
# if its sources have changed.
kept() { [[ " ${NV3_KEEP:-} " == *" $1 "* ]]; }

# locked NAME CMD...: runs CMD under the lock NAME. (The function does not use
# "CMD || ...", which would disable errexit in all functions that CMD calls.)
locked() {
	local name=$1 fd
	shift
	exec {fd}>"$NV3_CACHE/locks/$name"
	if ! flock -n "$fd"; then
		say "waiting for another build of $name"
		flock "$fd"
	fi
	"$@"
	exec {fd}>&-
}

# ninja_progress LOG: prints "N M" for the last line of LOG that begins with "[N/M]"
ninja_progress() {
	tail -c 4096 "$1" | tr '\r' '\n' |
		sed -n 's/^\[\([0-9]\+\)\/\([0-9]\+\)\].*/\1 \2/p' | tail -n 1
}

# time_left NAME START LOG: prints the elapsed time of a step, and an estimate of the
# remaining time from ninja's progress in LOG or else from the step's last duration
time_left() {
	local spent=$((SECONDS - $2)) count total expected left
	read -r count total < <(ninja_progress "$3") || true
	expected=$(cat "$NV3_CACHE/times/$1" 2>/dev/null || echo 0)
	if [ "${total:-0}" -gt 50 ] && [ "$count" -gt 20 ]; then
		left=$((spent * (total - count) / count))
	else
		left=$((expected - spent))
	fi
	if [ "$expected" -eq 0 ] && [ "${total:-0}" -le 50 ]; then
		echo "$spent s"
	elif [ "$left" -le 0 ]; then
		echo "$spent s, nearly done"
	else
		echo "$spent s, about $left s left"
	fi
}

# step NAME SECONDS CMD...: runs CMD with its output in a log, and prints the
# progress. SECONDS is the estimated duration of the first run. Prints the log's
# name when CMD fails.
step() {
	local name=$1 guess=$2 log pid start=$SECONDS status=0 every=15
	shift 2
	log=$NV3_CACHE/logs/$name.log
	[ -f "$NV3_CACHE/times/$name" ] || echo "$guess" >"$NV3_CACHE/times/$name"
	[ -t 2 ] && every=1
	say "$name: started (about $(cat "$NV3_CACHE/times/$name") s)"
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		if [ $((SECONDS - start)) -ge "$every" ]; then
			report_step "$name" "$start" "$log"
			every=$((SECONDS - start + $([ -t 2 ] && echo 1 || echo 15)))
		fi
	done
	wait "$pid" || status=$?
	[ -t 2 ] && printf '\r\033[K' >&2
	if [ "$status" -ne 0 ]; then
		tail -n 25 "$log" | sed 's/^/    /' >&2
		die "$name failed with status $status; the full log is $log"
	fi
	echo $((SECONDS - start)) >"$NV3_CACHE/times/$name"
	say "$name: done in $((SECONDS - start)) s"
}

report_step() {
	if [ -t 2 ]; then
		printf '\r\033[Knv3: %s: %s' "$1" "$(time_left "$@")" >&2
	else
		say "$1: $(time_left "$@")"
	fi
}

# cached NAME KEY FUNCTION: prints the directory $NV3_CACHE/NAME-KEY. If this
# directory does not exist, runs FUNCTION to fill a temporary directory, and then
# renames the directory. An interrupted build therefore leaves no incomplete product.
cached() {
	local dir=$NV3_CACHE/$1-$2
	if [ ! -d "$dir" ]; then
		locked "$1" fill_cache "$dir" "$3" >&2
	fi
	touch -c "$dir"
	echo "$dir"
}

fill_cache() {
	local dir=$1 fill=$2
	[ ! -d "$dir" ] || return 0	# another process built it meanwhile
	# Remove partial directories of interrupted builds, and products that no
	# tree has used for two weeks.
	rm -rf "${dir%-*}"-*.part
	find "$NV3_CACHE" -maxdepth 1 -name "$(basename "${dir%-*}")-*" -mtime +14 \
		-exec rm -rf '{}' +
	mkdir "$dir.part"
	"$fill" "$dir.part"
	mv "$dir.part" "$dir"
}

# debian_root NAME SECONDS [PATTERN...]: implements a recipe NAME.sh. Installs the packages of
# vm/packages/NAME into a Debian trixie, without documentation, translations and the paths that
# match a PATTERN. SECONDS is the estimated duration. Prints the directory of this root file system.
#
# mmdebstrap writes a tar archive, and tar unpacks it, so that every file belongs to the user that
# runs the recipe. The directory therefore works in the same way for the superuser and for an
# ordinary user.
debian_root() {
	root_name=$1 root_seconds=$2
	shift 2
	root_excluded=('/usr/share/doc/*' '/usr/share/man/*' '/usr/share/locale/*' "$@")
	cached "$root_name" "$(key_of "$0" "$TREE/vm/packages/$root_name" \
		"${DEBIAN_MIRROR:-}")" fill_root
}

fill_root() {
	"$RECIPES/host-packages.sh"
	step "$root_name" "$root_seconds" unpack_root "$1"
}

unpack_root() {
	local root=$1
	mmdebstrap --variant=minbase \
		--include="$(wanted_packages "$TREE/vm/packages/$root_name")" \
		--aptopt='Apt::Install-Recommends "false"' \
		"${root_excluded[@]/#/--dpkgopt=path-exclude=}" \
		trixie - ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} |
		tar -x --no-same-owner --exclude='./dev/*' -C "$root"
	# Create the file at which vm/root mounts the host's resolv.conf.
	rm -f "$root/etc/resolv.conf"
	touch "$root/etc/resolv.conf"
}

# debian_source PACKAGE UNWANTED [--inside]: implements a recipe PACKAGE-source.sh. Unpacks trixie's
# source of PACKAGE by dpkg-source, which applies Debian's patches, and removes files that match
# UNWANTED. Prints the directory of the source, which must not be changed afterwards. In the build
# root the recipe is called again with --inside, so it must pass its own arguments to this function.
debian_source() {
	package=$1 unwanted=$2
	if [ "${3:-}" = --inside ]; then
		unpack_source
	else
		cached "$package-source" "$(key_of "$0" "${DEBIAN_MIRROR:-}")" fill_source
	fi
}

# Runs in the build root, in the directory to fill.
unpack_source() {
	apt-get update
	apt-get source --download-only "$package"
	dpkg-source --extract ./*.dsc source
	# shellcheck disable=SC2086 # a pattern
	(cd source && rm -rf .pc debian $unwanted)
	rm -rf ./*.dsc ./*.tar.*
	mv source/* source/.[a-z]* .
	rmdir source
}

fill_source() {
	"$RECIPES/build-root.sh" >/dev/null
	cd "$1"
	step "$package-source" 30 "$RECIPES/apt.sh" trixie \
		"$RECIPES/$package-source.sh" --inside
}

# copy_source PRISTINE COPY: makes COPY a copy of PRISTINE, unless COPY already
# is a copy
copy_source() {
	[ "$(cat "$2/.nv3-source" 2>/dev/null)" != "$(basename "$1")" ] || return 0
	rm -rf "$2.part" "$2"
	mkdir -p "$(dirname "$2")"
	cp -a --reflink=auto "$1" "$2.part"
	basename "$1" >"$2.part/.nv3-source"
	mv "$2.part" "$2"
}

# lay_over PRISTINE COPY OVERLAY PATCH...: adds the files of OVERLAY to COPY, which is a copy of
# PRISTINE, and applies the PATCHes, which may change files of PRISTINE and of OVERLAY. Runs in the
# build root. The function writes only files whose content changes, so that ninja rebuilds no more
# than necessary. It also removes files of an earlier overlay.
lay_over() {
	local pristine=$1 copy=$2 overlay=$3 patch file manifest=$2/.nv3-overlay
	shift 3
	for patch in "$@"; do
		sed -n 's/^--- a\///p' "$patch" | while read -r file; do
			[ -f "$overlay/$file" ] ||
				install -D -m 644 "$pristine/$file" "$overlay/$file"
		done
		patch --quiet --strip=1 --directory="$overlay" <"$patch"
	done
	(cd "$overlay" && find . -type f | sort) >"$manifest.new"
	if [ -f "$manifest" ]; then
		comm -23 "$manifest" "$manifest.new" | while read -r file; do
			rm -f "$copy/$file"
			[ ! -f "$pristine/$file" ] || cp "$pristine/$file" "$copy/$file"
		done
	fi
	rsync --recursive --checksum --exclude='*.orig' "$overlay/" "$copy/"
	mv "$manifest.new" "$manifest"
}
