/* SPDX-License-Identifier: MIT */
#ifndef NV3_LOG_H
#define NV3_LOG_H

struct nv3_context;

/*
 * If NV3_DEBUG=fallback is set, prints why a draw or a conversion uses
 * software. Each context prints each reason only once. @reason may be NULL.
 */
void
nv3_log_fallback(struct nv3_context *ctx, const char *reason);

/* Prints the context's counters. */
void
nv3_log_counters(const struct nv3_context *ctx);

#endif
