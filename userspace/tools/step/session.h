/* SPDX-License-Identifier: MIT */
/* A script that runs step by step, forwards and backwards. A step is one statement. */
#ifndef NV3_STEP_SESSION_H
#define NV3_STEP_SESSION_H

#include "history.h"
#include "observe.h"
#include "script.h"

/* Maximum number of saved states, and therefore of steps backwards */
#define SESSION_STATES_MAX	4096

struct session {
	const struct script *script;
	struct world world;
	unsigned int next;		/* index of the statement that is executed next */
	struct observation now;

	/* States before each of the last statements, the oldest state first */
	struct saved *saved[SESSION_STATES_MAX];
	unsigned int saved_count;
	/* save up to SESSION_STATES_MAX states, not only the last one */
	bool keep;

	const char *pictures;		/* directory for a picture after each change, or null */
	unsigned int scale;		/* of pictures */
	bool quiet;			/* changes are not printed */
};

bool session_init(struct session *session, const struct script *script, NV3Simd simd);
void session_fini(struct session *session);

/* Executes the next statement and prints the changes. Returns false after an error. */
bool session_forward(struct session *session);
/* Returns to the state before the last statement. Returns false after a message. */
bool session_back(struct session *session);
bool session_picture(struct session *session, const char *file, unsigned int slot);

#endif
