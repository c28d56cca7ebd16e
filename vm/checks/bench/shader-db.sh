#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make shader-db: compiles the shaders of glmark2's default scenes and of recorded programs
# (vm/checks/suites/replays-programs) to programs of class 0x1F, without a guest, and stores their
# sizes in build/shader-db.tsv. Each line has these columns, separated by tabs:
#   name  stage  number  instructions  registers  constants  immediates  textures
# Prints the sums of glmark2's scenes, of each recorded program and of all. BASE=FILE compares the
# new table with FILE, the table of another version of the driver. SCENES= selects scenes and
# programs by name.

source "$(dirname "$0")/../../recipes/common.sh"

list=$TREE/vm/checks/suites/glmark2-scenes
table=$BUILD/shader-db.tsv
preload=/nv3/lib/nv3-frames.so:/nv3/lib/nv3-windowless.so:/nv3/lib/libnv3_drm_shim.so

# programs NAME: reads the output of the driver with NV3_DEBUG=shader, and prints a line for each
# program
programs() {
	sed -n -E 's/.*nv3: ([VF]S) .*: ([0-9]+) instructions, ([0-9]+) registers, ([0-9]+) constants, ([0-9]+) immediates, ([0-9]+) textures.*/\1\t\2\t\3\t\4\t\5\t\6/p' |
		awk -v OFS='\t' -v name="$1" '{ stage = $1; $1 = ++number[stage]; print name, stage, $0 }'
}

# scene OPTIONS: runs a scene of glmark2
scene() {
	NV3_ROOT=program-root timeout 600 "$TREE/vm/nv3-native" env LD_PRELOAD="$preload" \
		NV3_FRAMES=2 NV3_FRAMES_TO="$BUILD/shader-db" NV3_FRAMES_STEP=100 \
		glmark2-es2-drm -b "$1" 2>&1 </dev/null
}

# selected NAME: succeeds if SCENES= selects the scene or program NAME
selected() { [[ -z ${SCENES:-} || " $SCENES " = *" $1 "* ]]; }

# Prints the sums of glmark2's scenes and of each program.
sums() {
	awk -F '\t' -v OFS='\t' '
	NR == FNR { if (!/^#/) scenes[$1]; next }
	{
		name = $1 in scenes ? "glmark2" : $1
		if (!seen[name]++)
			order[++names] = name
		programs[name, $2]++
		instructions[name, $2] += $4
		registers[name, $2] += $5
	}
	END {
		for (i = 1; i <= names; i++)
			for (s = 1; s <= 2; s++) {
				stage = s == 1 ? "VS" : "FS"
				print order[i], stage, +programs[order[i], stage] " programs",
					+instructions[order[i], stage] " instructions",
					+registers[order[i], stage] " registers"
			}
	}' "$list" "$1"
}

# Prints the sums of a table. With two tables, prints the sums of both and the programs that differ.
compare() {
	awk -F '\t' -v OFS='\t' '
	FNR == 1 { file++ }
	{
		key = $1 OFS $2 OFS $3
		programs[file, $2]++
		instructions[file, $2] += $4
		registers[file, $2] += $5
		if (file == 1) {
			old[key] = $4 " instructions, " $5 " registers"
		} else {
			new = $4 " instructions, " $5 " registers"
			if (key in old && old[key] != new)
				print key, old[key] " -> " new
		}
	}
	END {
		for (f = 1; f <= file; f++)
			for (s = 1; s <= 2; s++) {
				stage = s == 1 ? "VS" : "FS"
				print (f < file ? "base" : "total"), stage, programs[f, stage] " programs",
					instructions[f, stage] " instructions", registers[f, stage] " registers"
			}
	}' "$@"
}

export NV3_DEBUG=shader
while IFS=$'\t' read -r name options _; do
	! selected "$name" || scene "$options" | programs "$name"
done < <(grep -v '^#' "$list") >"$table"
recorded=()
while read -r name _; do
	# glmark2's scenes are above.
	[ "$name" = glmark2 ] || ! selected "$name" || recorded+=("$name")
done < <(grep -v '^#' "$TREE/vm/checks/suites/replays-programs")
traces=$("$TREE/vm/checks/traces.sh" "${recorded[@]}")
while read -r name trace; do
	"$TREE/vm/checks/replay-trace" "$trace" --benchmark 2>&1 </dev/null | programs "$name"
done <<<"$traces" >>"$table"
[ -s "$table" ] || die "no program was compiled"
sums "$table"
compare ${BASE:+"$BASE"} "$table"
