/*
 * Tokens of callers of the MCP server: a file of names, hashes and allowed tools. A token is 256 random bits,
 * so its hash tells nothing of it, and the file may be read by whoever operates the site.
 */
#ifndef EDGES_MCP_TOKENS_H
#define EDGES_MCP_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"

enum { MCP_TOKEN_SIZE = 80, MCP_TOKENS_MAX = 1000, MCP_TOKEN_NAME_MAX = 64 };

struct mcp_token {
	const char *name;              /* letters, digits, - or _ */
	const char *const *tools;      /* the only tools it may use, up to NULL; NULL: all */
	const char *made;              /* when, as "2026-01-03T10:15:00"; NULL: not known */
	unsigned char hash[32];
};

/* ---- for the server: the list follows its file ---------------------------------------------- */

struct mcp_tokens;
/* path NULL: there are no tokens. Never NULL. */
struct mcp_tokens *mcp_tokens_open(const char *path);
void mcp_tokens_close(struct mcp_tokens *t);             /* NULL is allowed */
/* Whose token is it? False: nobody's. *out is in the arena. A file that cannot be used is logged, and no token
 * is accepted until it can. */
bool mcp_tokens_find(struct mcp_tokens *t, struct arena *a, const char *token, struct mcp_token *out);

/* ---- for the operator ------------------------------------------------------------------------- */

/* A file that does not exist has none. ERR_CONFIG: it is damaged, or others may write it; with the path. */
enum errcode mcp_tokens_list(struct arena *a, const char *path, struct mcp_token **out, size_t *n, struct err *e);
/* Make a token; out holds it, and nothing else ever will. ERR_INPUT: the name is taken or malformed. ERR_IO. */
enum errcode mcp_tokens_add(const char *path, const char *name, const char *const *tools,
    char out[MCP_TOKEN_SIZE], struct err *e);
/* ERR_NOTFOUND: there is none of this name. */
enum errcode mcp_tokens_remove(const char *path, const char *name, struct err *e);

#endif
