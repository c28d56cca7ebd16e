#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make shader-db: compiles the shaders of glmark2's default scenes to programs of class 0x1F,
# without a guest, and stores their sizes in build/shader-db.tsv. Each line has these columns,
# separated by tabs:
#   scene  stage  number  instructions  registers  constants  immediates  textures
# Prints the sums. BASE=FILE compares the new table with FILE, the table of another version of the
# driver. SCENES= selects scenes by name.

source "$(dirname "$0")/../../recipes/common.sh"

list=$TREE/vm/checks/suites/glmark2-scenes
table=$BUILD/shader-db.tsv
preload=/nv3/lib/nv3-frames.so:/nv3/lib/nv3-windowless.so:/nv3/lib/libnv3_drm_shim.so

# programs NAME OPTIONS: prints a line for each program of a scene
programs() {
	NV3_ROOT=program-root timeout 600 "$TREE/vm/nv3-native" env LD_PRELOAD="$preload" \
		NV3_DEBUG=shader NV3_FRAMES=2 NV3_FRAMES_TO="$BUILD/shader-db" \
		NV3_FRAMES_STEP=100 glmark2-es2-drm -b "$2" 2>&1 </dev/null |
		sed -n -E 's/.*nv3: ([VF]S) .*: ([0-9]+) instructions, ([0-9]+) registers, ([0-9]+) constants, ([0-9]+) immediates, ([0-9]+) textures.*/\1\t\2\t\3\t\4\t\5\t\6/p' |
		awk -v OFS='\t' -v scene="$1" '{ stage = $1; $1 = ++number[stage]; print scene, stage, $0 }'
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

while IFS=$'\t' read -r name options _; do
	[[ -n ${SCENES:-} && " $SCENES " != *" $name "* ]] || programs "$name" "$options"
done < <(grep -v '^#' "$list") >"$table"
[ -s "$table" ] || die "no program was compiled"
compare ${BASE:+"$BASE"} "$table"
