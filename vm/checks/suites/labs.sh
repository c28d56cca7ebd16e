#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The labs (docs/labs): the tests of each must fail on its task, and pass on its answer.

source "$(dirname "$0")/../../recipes/common.sh"

exec "$TREE/vm/lab" --test "$1"
