#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Resizes the window on the host while a display server runs in the guest. The kernel must notify
# udev, the monitor must prefer the new size, and the server must change its mode and continue to
# run. Run by "make check-resize", not by "make check", because it needs the guest image of the
# desktop.
#
# vm/vnc-resize acts as a VNC viewer whose window is resized. Mir changes the mode by itself. An X
# server does not, so a udev rule starts xrandr, as in guests with SPICE. Pictures of the screen are
# stored with the results, as SERVER-WIDTHxHEIGHT.png.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../report.sh"
source "$(dirname "$0")/guest.sh"

results=$1
KERNEL=${KERNEL:-lts}
SIZES=(1280x720 800x600)
PATIENCE=240	# seconds for one size, enough for a busy host
DRAWING=5	# seconds until the contents have been drawn at the new size

# Prints commands that install a script for the X server. udev runs the script when the kernel
# reports a hotplug event.
follow_script() {
	cat <<'GUEST'
cat >/run/follow <<'FOLLOW'
#!/bin/sh
# udev starts programs without DISPLAY. The kernel reads the new EDID and updates the file "modes"
# in sysfs only when a client of the X server queries the outputs. xrandr does not query the outputs
# when it sets a mode, so run xrandr twice.
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

# Prints commands that write the script /run/watch. For each size, this script waits until the
# server has set a mode of this size, and then until the host has stored a picture.
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
# Kill the background processes, which would keep the output of the guest's command open.
trap 'kill $watcher $(jobs -p)' EXIT
# Prints the size of the current mode. The line of the mode has the name, the refresh rate, the
# clock, and four numbers for each direction. Modes that the X server sets have no name, so use the
# numbers.
mode() { awk '/^\tmode:/ { print $5 "x" $9; exit }' /sys/kernel/debug/dri/0/state; }
report() {
	echo "$1: mode $(mode), preferred $(head -n 1 /sys/class/drm/card0-VGA-1/modes)," \
		"events $(grep -c HOTPLUG=1 /run/events), $name $(pidof "$name")"
}
# until_so CMD...: repeats CMD until CMD succeeds. Fails after $patience seconds.
until_so() {
	local end=$((SECONDS + patience))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.5
	done
}
is_mode() { [ "$(mode)" = "$1" ]; }
# Draw something that is visible in the pictures. On the X server a pattern fills the screen.
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

# guest_script SERVER: prints the guest's script
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

# leave SERVER SIZE: stores a picture of the screen, and lets the guest continue
# with the next size
leave() {
	# Let the server draw at the new size, which can take several seconds on a busy host.
	sleep "$DRAWING"
	"$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" screendump \
		"{\"filename\": \"$results/$1-$2.png\", \"format\": \"png\"}" >/dev/null
	touch "$run/guest/leave-$2"
}

# resized SERVER: starts a guest with SERVER, and resizes the window to each of SIZES
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

# follows SERVER: calls resized, and ends the guest if resized fails
follows() {
	resized "$1" && return
	give_up
	return 1
}

begin_report "$results/resize.tap" 2
report 'Mir follows the window by itself' follows mir
report 'an X server follows the window, by xrandr' follows xorg
sed 's/^/# /' "$results/mir" "$results/xorg" >>"$results/resize.tap"
