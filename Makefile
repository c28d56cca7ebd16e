# SPDX-License-Identifier: GPL-2.0-or-later
#
# The project's commands. docs/howto/building.md describes what they build. Each
# command builds everything that it needs.

.DEFAULT_GOAL := help
.PHONY: help run desktop check check-fast compile-commands check-unit check-qtest \
	check-igt check-gl check-docs check-trace check-web check-native check-glmark2 \
	check-replays check-cross check-desktop check-clients check-piglit check-snapshot \
	check-power check-panic check-resize check-latency check-trace-cost check-debug igt-compare \
	bench bench-page bench-gl fuzz soak trace web shell lab check-labs diagrams animation \
	shader-db uapi-page lint clean

help: ## lists these commands
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | \
		while IFS='	' read -r name does; do \
			printf '  make %-14s %s\n' "$$name" "$$does"; done

run: ## boots the VM on the nv3 and runs the demo (HEADLESS=1: no window)
	@vm/nv3-vm run

desktop: ## boots the VM with Weston, a terminal and games (HEADLESS=1: a picture)
	@vm/nv3-vm desktop

ifeq ($(filter lab,$(MAKECMDGOALS)),)
check: ## every test, ending in "N passed, N failed, N skipped"
	@vm/checks/all.sh
else
# In "make lab N=3 check" the word after "lab" is an action of vm/lab, and not a target.
.PHONY: answer remove
check answer remove:
	@:
endif

lab: ## a lab of docs/labs: N= its number, then nothing, check, answer or remove
	@vm/lab $(N) $(filter-out lab,$(MAKECMDGOALS))

check-fast: ## unit tests, qtests and lint of changed files (3 minutes)
	@CHANGED=1 vm/checks/lint.sh && vm/checks/all.sh unit qtest

check-unit: ## tests of the chip core, as a plain process
	@vm/checks/all.sh unit

check-qtest: ## tests that drive the QEMU device over MMIO, with no guest
	@vm/checks/all.sh qtest

check-igt: ## IGT tests in the guest, stock ones and nv3_* (FULL=1: all stock tests)
	@vm/checks/all.sh igt

check-gl: ## OpenGL tests, in the guest
	@vm/checks/all.sh gl

check-docs: ## the commands in the documents, in the guest
	@vm/checks/all.sh docs

check-trace: ## make trace of nv3-demo: both sides agree, also with nv3-top
	@vm/checks/all.sh trace

check-labs: ## the labs of docs/labs: their tests fail on the task, pass on the answer
	@vm/checks/all.sh labs

check-native: ## the OpenGL tests on the chip model in one process, with no guest
	@vm/checks/all.sh native

check-glmark2: ## glmark2's scenes on the chip model in one process (not part of check)
	@vm/checks/all.sh glmark2

check-web: ## the pages of nv3-step and make trace in Chromium without a window
	@vm/checks/all.sh web

check-cross: ## the core's tests on Arm64, s390x and i386, emulated (not part of check)
	@vm/checks/all.sh cross

check-desktop: ## X, Weston and programs, compared with llvmpipe (slow, not part of check)
	@vm/checks/all.sh desktop windows captures

check-clients: ## four GL programs at once, one killed each second (2 min, not part of check)
	@vm/checks/all.sh clients

check-piglit: ## Piglit's tests up to OpenGL 2.1, without a guest (slow, not part of check)
	@vm/checks/all.sh piglit

check-replays: ## recorded programs replayed, compared with llvmpipe (not part of check)
	@vm/checks/all.sh replays

check-snapshot: ## savevm and loadvm while the demo draws (not part of check)
	@vm/checks/all.sh snapshot

check-resize: ## Mir and an X server follow the window's size (not part of check)
	@vm/checks/all.sh resize

check-power: ## suspend, hibernation and kexec while the demo draws (not part of check)
	@vm/checks/all.sh power

check-panic: ## the kernel's panic screen while a video plays (not part of check)
	@vm/checks/all.sh panic

check-latency: ## how long the driver keeps interrupts off (slow, not part of check)
	@vm/checks/all.sh latency

check-trace-cost: ## what enabled and disabled trace events cost (not part of check)
	@vm/checks/all.sh trace-cost

check-debug: ## IGT on a kernel with KASAN, lockdep, kmemleak (slow; built once, not part of check)
	@KERNEL=debug vm/checks/all.sh igt

igt-compare: ## IGT's full list on DEVICE= (bochs-display), as a baseline for nv3
	@vm/checks/igt/igt-baseline.sh "$${DEVICE:-bochs-display}"

bench: ## benchmarks, one per line: name, value, unit, reference, ratio
	@mkdir -p build
	@bash -o pipefail -c 'vm/checks/bench/bench.sh | tee build/bench.tsv'

bench-page: ## docs/benchmarks.md and its chart, from the last make bench
	@vm/checks/bench/bench-page . <build/bench.tsv

soak: ## 100 processes paint for MINUTES= (10), half by PIO, half by DMA
	@vm/nv3-vm exec --fail-on-warn --kernel "$${KERNEL:-lts}" \
		--timeout $$(($${MINUTES:-10} * 60 + 300)) -- IGT_FORCE_DRIVER=nv3 \
		/nv3/libexec/igt-gpu-tools/nv3_soak --minutes "$${MINUTES:-10}"

bench-gl: ## benchmarks of OpenGL, compared with llvmpipe and virtio-gpu-gl (NATIVE=1: no guest)
	@vm/checks/bench/bench-gl.sh

shader-db: ## sizes of the programs of glmark2's shaders (BASE= a former table)
	@vm/checks/bench/shader-db.sh

fuzz: ## fuzzes the chip and the device, TIME= seconds each (60)
	@vm/checks/fuzz.sh

trace: ## records the chip and the driver while TRACE= (nv3-demo) runs, as a timeline
	@vm/trace $(if $(TRACE),-- "$(TRACE)")

shell: ## boots the VM to a root shell on the serial line
	@vm/nv3-vm shell

web: ## build/web/index.html: nv3-step as a web page, which needs no other file
	@vm/recipes/web.sh

compile-commands: ## compile_commands.json for editors, of the parts that are built
	@vm/compile-commands . "$$(vm/recipes/build-root.sh)" \
		"$$(vm/recipes/kernel.sh lts)"

diagrams: ## renders docs/diagrams/*.dot (needs Graphviz)
	@docs/diagrams/render.sh

animation: ## records docs/pictures/demo.webp (needs img2webp)
	@docs/pictures/animation

uapi-page: ## docs/reference/uapi.md, from the kernel-doc of the uAPI header
	@docs/reference/uapi-page

lint: ## style and warnings: kernel, core, userspace, tests, scripts
	@vm/checks/lint.sh

clean: ## removes build/, but not the cache outside the tree
	rm -rf build
