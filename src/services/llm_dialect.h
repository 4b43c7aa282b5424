/*
 * Dialects: how to speak to each kind of provider. A dialect is a table; what all of them share (the
 * exchange, the verdicts, the retries) knows only this table. No file outside services/llm_* uses it.
 */
#ifndef SERVICES_LLM_DIALECT_H
#define SERVICES_LLM_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"
#include "base/str.h"
#include "services/llm.h"
#include "services/llm_provider.h"

struct buf;
struct json_object;
struct llm_parse;
struct llm_server;

/* Parameters that a request can do without. Bits. */
enum {
	PARAM_TEMPERATURE = 1 << 0,
	PARAM_STREAM_OPTIONS = 1 << 1,
	PARAM_PARALLEL_TOOL_CALLS = 1 << 2,
	PARAM_TOOL_CHOICE_NAMED = 1 << 3,    /* left out: "required" takes its place */
	PARAM_TOOL_CHOICE = 1 << 4,
	PARAM_ENCODING_FORMAT = 1 << 5,
	PARAM_NO_THINKING = 1 << 7,
	/* is not left out by itself: without it the whole call is a different one */
	PARAM_FUNCTIONS = 1 << 6,
};

/* One row each, in the order they are tried: the name on the wire. Ends with bit 0. */
struct llm_param {
	unsigned bit;
	const char *name;
};

/* Where a reply has its vectors: root[list][i][vector], or root[list][i] itself. */
struct llm_vectors {
	const char *list, *vector;
	const char *usage, *tokens;            /* root[usage][tokens], or root[tokens]; NULL: not told */
};

struct llm_dialect {
	const char *name;                      /* the value of LLM_PROVIDER */
	/* settings that messages name; models: those that name its models */
	const char *key_setting, *url_setting, *models;
	const char *default_url;
	const char *example_url;               /* for a message about a bad address */
	/* for a message: what may be wrong when the address answers with something else */
	const char *url_hint;
	const char *tools_hint;                /* … and when a model takes no functions */
	bool needs_key;                        /* at its default address */

	/* Paths that an address may end in already, longest first; NULL at the end. */
	const char *const *ends;
	/* Append the path of a chat or of embeddings to an address. */
	void (*chat_path)(struct buf *b, const struct llm_request *req);
	void (*embed_path)(struct buf *b, const char *model);
	/* Add the header fields of every request: the key, a version. */
	void (*fields)(struct llm_server *s, const struct llm_provider_config *c);

	/* Write a request without the parameters `without`; returns those it has. */
	const struct llm_param *params;
	unsigned (*chat_body)(struct buf *b, const struct llm_server *s, const struct llm_request *req,
	    unsigned without);
	unsigned (*embed_body)(struct buf *b, const char *model, const char *const *texts, size_t n,
	    unsigned without);             /* NULL: this provider has no embeddings */
	struct llm_vectors vectors;

	/* A stream is lines of one object each, not server-sent events. */
	bool lines;
	/* Take a chunk of a stream, or a whole reply (parse->shape tells). `event` is the name of the
	 * server-sent event. ERR_UPSTREAM by parse_fail(), or the code of the reader of the text. */
	enum errcode (*take)(struct llm_parse *r, struct json_object *root, const char *event);
	/* The text of a chunk that holds nothing else, found without a tree; NULL: there is no such short
	 * cut. False: parse it. */
	bool (*shortcut)(struct str chunk, struct str *text);
};

extern const struct llm_dialect llm_openai, llm_anthropic, llm_gemini, llm_ollama;

/* All of them; NULL at the end. */
extern const struct llm_dialect *const llm_dialects[];

/* -- for requests -- */

/* A message's content as JSON. */
void llm_put_content(struct buf *b, const struct llm_message *m);
/* A call's arguments as an object; {} where the model wrote something else. */
void llm_put_object(struct buf *b, const char *text);
/* The function that message `result` is the result of: the newest call of its id before it. */
const char *llm_function_of(const struct llm_request *req, size_t result);

#endif
