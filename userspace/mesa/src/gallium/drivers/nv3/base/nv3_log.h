/* SPDX-License-Identifier: MIT */
#ifndef NV3_LOG_H
#define NV3_LOG_H

struct nv3_context;

/*
 * With NV3_DEBUG=fallback, prints why a draw or a conversion uses software.
 * Each context prints a reason once. @reason may be NULL.
 */
void
nv3_log_fallback(struct nv3_context *ctx, const char *reason);

/* Prints the context's counters. */
void
nv3_log_counters(const struct nv3_context *ctx);

#endif
