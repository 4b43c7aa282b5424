/*
 * Reply of a language model: bytes in, text and function calls out. Pure: knows no socket.
 *
 * A reply is a stream of chunks or one object; its first bytes tell which, because some servers
 * answer a streamed request with one object and the other way round. The dialect reads the objects.
 * Everything in them is hostile: bounded, and any text handed on is complete, valid UTF-8 without NUL,
 * wherever the network or the server cut it.
 */
#ifndef SERVICES_LLM_PARSE_H
#define SERVICES_LLM_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/errs.h"
#include "services/llm.h"
#include "services/llm_dialect.h"
#include "services/llm_fault.h"
#include "services/sse.h"

enum { PARSE_CALLS = 16 };       /* function calls kept of a reply */

struct parse_call {
	char id[64];
	int64_t index;            /* as the server counts; -1: the server does not count */
	struct buf name, arguments;
	struct buf signature;     /* llm_tool_call.signature; usually empty */
};

struct llm_parse {
	/* what was found so far; complete after llm_parse_end() */
	struct buf text;
	struct parse_call *calls;        /* room for PARSE_CALLS; NULL before the first */
	size_t ncalls;
	char finish[32];                 /* "" unknown */
	int64_t input, output, cached;   /* tokens it says it used (llm_usage); -1: not said */
	bool finished;                   /* the end was seen; bytes after it are ignored */
	enum llm_verdict verdict;
	struct llm_error error;

	/* the rest belongs to the parser */
	const struct llm_dialect *dialect;
	enum { PARSE_UNDECIDED, PARSE_STREAM, PARSE_LINES, PARSE_WHOLE } shape;
	size_t seen, max;
	bool began;                      /* a part of a message was seen */
	bool done, ending;
	struct sse_parser sse;
	struct buf body;                 /* the first bytes, then the one object, or a line of many */
	size_t searched;                 /* bytes of that line in which its end is not */
	struct buf raw, piece;           /* text not yet handed on; what is handed on */
	llm_text_fn *on_text;
	void *arg;
};

/* `max` bytes of a body. on_text may be NULL. */
void llm_parse_init(struct llm_parse *r, const struct llm_dialect *d, size_t max,
    llm_text_fn *on_text, void *arg);
void llm_parse_release(struct llm_parse *r);

/* The next bytes of the body, whose content type is `type`. ERR_UPSTREAM: there will be no reply,
 * and the verdict says why; or the code of on_text (VERDICT_STOPPED). Once it has failed, it always
 * fails. */
enum errcode llm_parse_feed(struct llm_parse *r, const char *type, const char *p, size_t n);
/* The body has ended. Codes as above. */
enum errcode llm_parse_end(struct llm_parse *r);

/* -- for a dialect's take() -- */

/* Append the next piece of the answer's text; anything but a string adds nothing. */
void parse_text(struct llm_parse *r, struct json_object *s);
/* Hand on what is whole of it. Codes of the reader of the text. */
enum errcode parse_pass_on(struct llm_parse *r);

/* Begin another call. NULL: there are too many calls already. */
struct parse_call *parse_call_new(struct llm_parse *r, int64_t index, const char *id, const char *name);
/* The newest call of that index; NULL: there is none. */
struct parse_call *parse_call_at(struct llm_parse *r, int64_t index);
/* Append arguments: a whole object, or the next part of one as text. */
void parse_arguments(struct parse_call *c, struct json_object *args);

/* Why the model stopped, in the words of chat completions; the rest is passed on as it is. Ends with
 * theirs NULL. */
struct parse_reason {
	const char *theirs, *ours;
};
/* The end of the reply; "" is none. rows NULL: the words are ours. */
void parse_finish(struct llm_parse *r, const char *reason, const struct parse_reason *rows);
/* A count of tokens; -1: there is none, or none that can be true. */
int64_t parse_count(struct json_object *o, const char *key);

/* There will be no reply. Returns ERR_UPSTREAM. */
enum errcode parse_fail(struct llm_parse *r, enum llm_verdict v);

#endif
