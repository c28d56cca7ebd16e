#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The window on the host gets another size while an X server runs: the kernel tells
# udev, the monitor prefers that size, and the X server changes its mode and lives on.
# Not part of "make check", as its guest is the desktop's: "make check-resize".
#
# A VNC viewer is the window. xrandr is what follows it, from a rule of udev, as in
# guests that SPICE's users set up so: X servers leave such decisions to others.
# What was on the screen at each size is in the results, as WIDTHxHEIGHT.png.

source "$(dirname "$0")/../recipes/common.sh"

results=$1
KERNEL=${KERNEL:-lts}
SIZES=(1280x720 800x600)
PATIENCE=240	# seconds for one size, on a host however busy

# What runs beside the X server, with the sizes that are to come.
guest_script() {
	echo "export patience=$PATIENCE"
	cat <<'GUEST'
cat >/run/follow <<'FOLLOW'
#!/bin/sh
# udev has no display. Only to be asked makes X, and so the kernel, read the new EDID;
# xrandr does not ask when it has a mode to set, and .../modes in sysfs is the last read.
exec >>/run/follow.log 2>&1
export DISPLAY=:0
xrandr >/dev/null
xrandr --output VGA-1 --auto
FOLLOW
chmod +x /run/follow
mkdir -p /run/udev/rules.d
echo 'ACTION=="change", SUBSYSTEM=="drm", ENV{HOTPLUG}=="1", RUN+="/run/follow"' \
	>/run/udev/rules.d/90-follow.rules
cat >/run/watch <<'WATCH'
#!/bin/bash
server=$(pidof Xorg)
udevadm monitor --kernel --property --subsystem-match=drm >/run/events &
# Whoever is left would hold the output of the command that the guest runs.
trap "kill $!" EXIT
# The kernel's: refresh, clock, then four numbers each way. X gives it no name.
mode() { awk '/^\tmode:/ { print $5 "x" $9; exit }' /sys/kernel/debug/dri/0/state; }
report() {
	echo "$1: mode $(mode), preferred $(head -n 1 /sys/class/drm/card0-VGA-1/modes)," \
		"events $(grep -c HOTPLUG=1 /run/events), X server $(pidof Xorg)"
}
# until_so CMD...: false if CMD does not come true
until_so() {
	local end=$((SECONDS + patience))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.5
	done
}
is_mode() { [ "$(mode)" = "$1" ]; }
# Something to see, from edge to edge.
xsetroot -mod 16 16 -fg yellow -bg blue
xlogo -geometry 200x200+20+20 &
report start
touch /run/boot/started
for size in $*; do
	until_so is_mode "$size"
	report "$size"
	xrandr | sed -n 's/^Screen 0:.*current/X:/p'
	cat /run/follow.log
	is_mode "$size" && [ "$server" = "$(pidof Xorg)" ] || exit 1
	touch "/run/boot/seen-$size"
	until_so test -e "/run/boot/leave-$size" || exit 1
done
WATCH
GUEST
	echo "MODE=preferred exec nv3-desktop xorg bash /run/watch ${SIZES[*]}"
}

# await FILE: until the guest has made it
await() {
	until [ -e "$run/guest/$1" ]; do
		kill -0 "$guest" 2>/dev/null || return 1
		sleep 0.5
	done
}

# The guest is at SIZE: what its screen shows, and on to the next.
leave() {
	"$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" screendump \
		"{\"filename\": \"$results/$1.png\", \"format\": \"png\"}" >/dev/null
	touch "$run/guest/leave-$1"
}

resized() {
	local old size
	old=$(readlink "$BUILD/vm/last" 2>/dev/null || true)
	"$TREE/vm/nv3-vm" exec --image desktop --kernel "$KERNEL" --timeout 1200 \
		--qemu -vnc --qemu unix:vnc -- "$(guest_script)" >"$results/resize" \
		2>"$results/resize.log" &
	guest=$!
	until [ "$(readlink "$BUILD/vm/last" 2>/dev/null || true)" != "$old" ]; do
		kill -0 "$guest" 2>/dev/null || return 1
		sleep 0.5
	done
	run=$(realpath "$BUILD/vm/last")
	await started || return 1
	for size in "${SIZES[@]}"; do
		"$TREE/vm/root" "$TREE/vm/vnc-resize" "$run/vnc" "${size%x*}" "${size#*x}" ||
			say "the window is not $size"
		await "seen-$size" || break
		leave "$size" || return 1
	done
	wait "$guest"
}
trap 'kill "${guest:-}" 2>/dev/null || true' EXIT

verdict=ok
resized || verdict='not ok'
printf '1..1\n%s 1 - the X server follows the window\n' "$verdict" >"$results/resize.tap"
sed 's/^/# /' "$results/resize" >>"$results/resize.tap"
