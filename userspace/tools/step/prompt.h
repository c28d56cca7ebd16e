/* SPDX-License-Identifier: MIT */
#ifndef NV3_STEP_PROMPT_H
#define NV3_STEP_PROMPT_H

#include <stdio.h>

#include "session.h"

/*
 * Executes commands, one per line, until the end of @in or "quit". Returns false if the last
 * command failed.
 */
bool prompt_run(struct session *session, FILE *in);

#endif
