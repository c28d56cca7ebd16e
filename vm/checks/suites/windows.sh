#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests Weston and an X server in the guest of "make desktop". Each server must start on nv3, show a
# window, and move it with the pointer, while an OpenGL program draws in another window. Part of
# "make check-desktop". QEMU simulates the pointer and takes pictures of the screen, which are
# stored in build/windows. SERVERS= selects one server.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/guest.sh"

results=$1
pictures=$BUILD/windows
servers=${SERVERS:-weston xorg}
PATIENCE=240		# seconds for each step, enough for a busy host
WIDTH=800 HEIGHT=600
PANEL=40		# height in lines of Weston's panel with the clock
BACKGROUND=204060	# the colour that vm/guest/desktop sets for Weston
FRAMES=200		# number of frames that gears draws: enough to be seen
DX=72 DY=56

# Starts the server with the script /run/steps as a client. Before each step, the script waits until
# the host creates a file in /run/boot.
# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
cat >/run/card <<"CARD"
#!/bin/sh
nv3-info
touch /run/boot/shown
exec sleep 10000
CARD
chmod +x /run/card
# On an X server only a window manager, here twm, moves windows.
printf "%sFont \"fixed\"\n" Title Resize Menu Icon IconManager >/tmp/twmrc
printf "NoTitle\nRandomPlacement\nButton1 = m4 : window : f.move\n" >>/tmp/twmrc
cat >/run/steps <<"STEPS"
#!/bin/bash
# next STEP: waits until the host allows STEP to begin. Fails after 1,000 seconds.
next() {
	local end=$((SECONDS + 1000))
	touch "/run/boot/before-$1"
	until [ -e "/run/boot/do-$1" ]; do
		[ $SECONDS -lt $end ] || exit 1
		sleep 0.3
	done
}
if [ -n "$DISPLAY" ] && [ -z "$WAYLAND_DISPLAY" ]; then
	xsetroot -solid "#'$BACKGROUND'"
	LC_ALL=C twm -f /tmp/twmrc &	# Other locales need fonts of every language.
	window="xterm -geometry 60x18+100+80 -fn fixed -e /run/card"
	gears="glxgears -geometry 240x200+540+360"
else
	window="weston-terminal --shell=/run/card"
	gears=es2gears_wayland
fi
next window
$window &
next gears
# The clock of gears advances by a fixed time per frame.
NV3_FRAMES='$FRAMES' NV3_FRAMES_STEP=20 NV3_FRAMES_TO=/tmp/gears \
	NV3_DEBUG=fallback LD_PRELOAD=/nv3/lib/nv3-frames.so $gears >/run/boot/gears.log 2>&1
echo $? >/run/gears.status
mv /run/gears.status /run/boot/
next end
kill $(jobs -p)
STEPS
export MODE='$WIDTH'x'$HEIGHT'
exec nv3-desktop "$SERVER" bash /run/steps'

qmp() {
	"$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" "$@" >/dev/null
}

await() { await_file "$1" "$PATIENCE"; }

shoot() {
	qmp screendump "{\"filename\": \"$pictures/$1.png\", \"format\": \"png\"}"
}

# changed A B: prints "X Y WIDTH HEIGHT" of the area in which the pictures A and B differ
changed() {
	"$TREE/vm/root" /nv3/bin/nv3-screens changed "$pictures/$1.png" \
		"$pictures/$2.png" "$PANEL"
}

# stable NAME [OTHER]: stores a picture of the screen as NAME, once the screen has stopped changing
# and differs from the picture OTHER
stable() {
	local end=$((SECONDS + PATIENCE))
	while [ $SECONDS -lt $end ]; do
		shoot "$1" || return 1
		sleep 2
		shoot "$1-again" || return 1
		if ! changed "$1" "$1-again" >/dev/null &&
			{ [ $# -eq 1 ] || changed "$2" "$1" >/dev/null; }; then
			rm "$pictures/$1-again.png"
			return 0
		fi
	done
	return 1
}

# background NAME: stores a picture of the screen as NAME, once the screen shows the background
background() {
	local end=$((SECONDS + PATIENCE))
	while [ $SECONDS -lt $end ]; do
		stable "$1" || return 1
		! "$TREE/vm/root" /nv3/bin/nv3-screens shows "$pictures/$1.png" \
			$((WIDTH / 2)) $((HEIGHT / 2)) $BACKGROUND || return 0
	done
	return 1
}

# pointer X Y: moves the pointer to a position in pixels. Coordinates of QEMU's
# tablet are from 0 to 32767 in each direction.
pointer() {
	qmp input-send-event "{\"events\": [
		{\"type\": \"abs\", \"data\": {\"axis\": \"x\", \"value\": $(($1 * 32767 / (WIDTH - 1)))}},
		{\"type\": \"abs\", \"data\": {\"axis\": \"y\", \"value\": $(($2 * 32767 / (HEIGHT - 1)))}}]}"
	sleep 0.3
}

# held true|false TYPE NAME: presses (true) or releases (false) a button or a key
held() {
	qmp input-send-event "{\"events\": [{\"type\": \"$2\", \"data\": {\"down\": $1, $3}}]}"
	sleep 0.3
}

# drag X Y DX DY: drags the window at X, Y by DX, DY with the Meta key and the left button
drag() {
	local step
	pointer "$1" "$2"
	held true key '"key": {"type": "qcode", "data": "meta_l"}'
	held true btn '"button": "left"'
	for step in 1 2 3 4; do
		pointer $(($1 + $3 * step / 4)) $(($2 + $4 * step / 4))
	done
	held false btn '"button": "left"'
	held false key '"key": {"type": "qcode", "data": "meta_l"}'
	pointer $((WIDTH - 1)) $((HEIGHT - 1))
}

verdict() {
	number=$((number + 1))
	echo "$1 $number - $2"
}

# Starts the guest with the server, and waits until the server shows its empty
# screen.
begin() {
	start_guest --image desktop --fail-on-warn --timeout 1500 -- \
		"export SERVER=$1 $GUEST" >"$pictures/$1.log" 2>&1 || return 1
	await before-window && pointer $((WIDTH - 1)) $((HEIGHT - 1)) && background "$1-empty"
}

# Moves the window with the pointer, and checks its new position and its contents.
move_window() {
	local x y w h x2 y2 alike dx=$DX dy=$DY
	read -r x y w h < <(changed "$1-empty" "$1-window")
	[ $((x + w / 2)) -lt $((WIDTH / 2)) ] || dx=-$DX
	[ $((y + h / 2)) -lt $((HEIGHT / 2)) ] || dy=-$DY
	drag $((x + w / 2)) $((y + h / 2)) "$dx" "$dy"
	stable "$1-moved" "$1-window" || return 1
	read -r x2 y2 _ _ < <(changed "$1-empty" "$1-moved")
	alike=$("$TREE/vm/root" /nv3/bin/nv3-screens moved "$pictures/$1-window.png" \
		"$pictures/$1-moved.png" $((x + w / 8)) $((y + h / 4)) \
		$((w / 4)) $((h / 2)) "$dx" "$dy") || x2=-1
	echo "from $x, $y to $x2, $y2 by $dx, $dy, similarity $alike"
	# If the window extends beyond the screen or behind the panel, its visible part begins at
	# the edge of the screen or of the panel.
	x=$((x + dx)) y=$((y + dy))
	[ "$x2" -eq $((x > 0 ? x : 0)) ] && [ "$y2" -eq $((y > PANEL ? y : PANEL)) ]
}

# Lets gears draw in a second window, and waits until gears ends by itself.
gears() {
	local end=$((SECONDS + PATIENCE))
	touch "$run/guest/do-gears"
	until shoot "$1-gears" && changed "$1-moved" "$1-gears" >/dev/null; do
		[ $SECONDS -lt $end ] && [ ! -e "$run/guest/gears.status" ] || return 1
	done
	await gears.status || return 1
	grep -a '^frames:' "$run/guest/gears.log"
	# No draw may fall back to software.
	[ "$(cat "$run/guest/gears.status")" = 0 ] &&
		! grep "software fallback: " "$run/guest/gears.log"
}

judge() {
	local server ok said number=0
	for server in $servers; do
		ok=ok
		{ begin "$server" && touch "$run/guest/do-window" && await shown &&
			await before-gears && stable "$server-window" "$server-empty"; } || ok='not ok'
		verdict "$ok" "$server starts and shows a window"
		ok=ok said=$(move_window "$server") || ok='not ok'
		verdict "$ok" "$server: the pointer moves it ($said)"
		ok=ok said=$(gears "$server") || ok='not ok'
		verdict "$ok" "$server: the chip draws gears in a window ($said)"
		touch "$run/guest/do-end"
		ok=ok
		wait "$guest" || ok='not ok'
		verdict "$ok" "$server ends, and the kernel has logged no warning"
		guest=
	done
	echo "1..$number"
}
guest=
trap '[ -z "$guest" ] || kill "$guest"' EXIT

rm -rf "$pictures"
mkdir -p "$pictures"
judge >"$results/windows.tap"
