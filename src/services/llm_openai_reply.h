/*
 * Reply of a chat completion: bytes in, text and function calls out. Pure: knows no socket.
 *
 * A reply is a stream of chunks or one object; its first bytes tell which, because some servers
 * answer a streamed request with one object and the other way round. Everything in it is
 * hostile: bounded, and any text handed on is complete, valid UTF-8 without NUL, wherever the
 * network or the server cut it.
 */
#ifndef SERVICES_LLM_OPENAI_REPLY_H
#define SERVICES_LLM_OPENAI_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/errs.h"
#include "services/llm.h"
#include "services/llm_openai_fault.h"
#include "services/sse.h"

enum { OPENAI_CALLS = 16 };       /* function calls kept of a reply */

struct openai_call {
	char id[64];
	int64_t index;            /* as the server counts; -1: the server does not count */
	struct buf name, arguments;
};

struct openai_reply {
	/* what was found so far; complete after openai_reply_end() */
	struct buf text;
	struct openai_call *calls;       /* room for OPENAI_CALLS; NULL before the first */
	size_t ncalls;
	char finish[32];                 /* "" unknown */
	int64_t input, output;           /* tokens it says it used; -1: not said */
	bool finished;                   /* the end was seen; bytes after it are ignored */
	enum openai_verdict verdict;
	struct openai_error error;

	/* the rest belongs to the parser */
	enum { OPENAI_UNDECIDED, OPENAI_STREAM, OPENAI_WHOLE } shape;
	size_t seen, max;
	bool choices, done, ending;
	struct sse_parser sse;
	struct buf body;                 /* the first bytes, then the one object */
	struct buf raw, piece;           /* text not yet handed on; what is handed on */
	llm_text_fn *on_text;
	void *arg;
};

/* `max` bytes of a body. on_text may be NULL. */
void openai_reply_init(struct openai_reply *r, size_t max, llm_text_fn *on_text, void *arg);
void openai_reply_release(struct openai_reply *r);

/* The next bytes of the body, whose content type is `type`. ERR_UPSTREAM: there will be no reply,
 * and the verdict says why; or the code of on_text (OPENAI_STOPPED). Once it has failed, it always
 * fails. */
enum errcode openai_reply_feed(struct openai_reply *r, const char *type, const char *p, size_t n);
/* The body has ended. Codes as above. */
enum errcode openai_reply_end(struct openai_reply *r);

#endif
