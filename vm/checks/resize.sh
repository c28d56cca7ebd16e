#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The window on the host gets another size while a display server runs: the kernel
# tells udev, the monitor prefers that size, and the server changes its mode and lives
# on. Not part of "make check", as its guest is the desktop's: "make check-resize".
#
# A VNC viewer is the window. Mir follows it by itself. X servers leave such decisions
# to others: there it is xrandr, from a rule of udev, as in guests that SPICE's users
# set up so. What was on the screen is in the results, as SERVER-WIDTHxHEIGHT.png.

source "$(dirname "$0")/../recipes/common.sh"
source "$(dirname "$0")/report.sh"
source "$(dirname "$0")/guest.sh"

results=$1
KERNEL=${KERNEL:-lts}
SIZES=(1280x720 800x600)
PATIENCE=240	# seconds for one size, on a host however busy
DRAWING=5	# seconds until what is shown has been drawn at its new size

# What udev runs beside an X server, when the kernel tells of another monitor.
follow_script() {
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
GUEST
}

# Waits for each of SIZES in turn, and until the host has looked at it.
watch_script() {
	echo "export patience=$PATIENCE"
	cat <<'GUEST'
cat >/run/watch <<'WATCH'
#!/bin/bash
name=$1
shift
server=$(pidof "$name")
udevadm monitor --kernel --property --subsystem-match=drm >/run/events &
watcher=$!
# Whoever is left would hold the output of the command that the guest runs.
trap 'kill $watcher $(jobs -p)' EXIT
# The kernel's: refresh, clock, then four numbers each way. X gives it no name.
mode() { awk '/^\tmode:/ { print $5 "x" $9; exit }' /sys/kernel/debug/dri/0/state; }
report() {
	echo "$1: mode $(mode), preferred $(head -n 1 /sys/class/drm/card0-VGA-1/modes)," \
		"events $(grep -c HOTPLUG=1 /run/events), $name $(pidof "$name")"
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
# Something to see; with X from edge to edge.
if [ "$name" = Xorg ]; then
	xsetroot -mod 16 16 -fg yellow -bg blue
	xlogo -geometry 200x200+20+20 &
else
	weston-terminal >/run/terminal.log 2>&1 &
fi
report start
touch /run/boot/started
for size in $*; do
	until_so is_mode "$size"
	report "$size"
	is_mode "$size" && [ "$server" = "$(pidof "$name")" ] || exit 1
	touch "/run/boot/seen-$size"
	until_so test -e "/run/boot/leave-$size" || exit 1
done
WATCH
GUEST
}

# guest_script SERVER
guest_script() {
	watch_script
	case $1 in
	xorg)
		follow_script
		echo "MODE=preferred exec nv3-desktop xorg bash /run/watch Xorg ${SIZES[*]}"
		;;
	mir) echo "exec nv3-desktop mir bash /run/watch miral-shell ${SIZES[*]}" ;;
	esac
}

# leave SERVER SIZE: the guest is there: what its screen shows, and on to the next
leave() {
	# A picture has to be drawn, on a host however busy.
	sleep "$DRAWING"
	"$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" screendump \
		"{\"filename\": \"$results/$1-$2.png\", \"format\": \"png\"}" >/dev/null
	touch "$run/guest/leave-$2"
}

# resized SERVER
resized() {
	local size
	start_guest --image desktop --kernel "$KERNEL" --timeout 1200 \
		--qemu -vnc --qemu unix:vnc -- "$(guest_script "$1")" >"$results/$1" \
		2>"$results/$1.log" || return 1
	await_file started "$PATIENCE" || return 1
	for size in "${SIZES[@]}"; do
		"$TREE/vm/root" "$TREE/vm/vnc-resize" "$run/vnc" "${size%x*}" "${size#*x}" ||
			say "the window is not $size"
		await_file "seen-$size" $((PATIENCE * 2)) || break
		leave "$1" "$size" || return 1
	done
	wait "$guest"
}

give_up() {
	kill "${guest:-}" 2>/dev/null || true
	wait "${guest:-}" 2>/dev/null || true
}
trap give_up EXIT

# follows SERVER: no guest is left, however it ends
follows() {
	resized "$1" && return
	give_up
	return 1
}

begin_report "$results/resize.tap" 2
report 'Mir follows the window by itself' follows mir
report 'an X server follows the window, by xrandr' follows xorg
sed 's/^/# /' "$results/mir" "$results/xorg" >>"$results/resize.tap"
