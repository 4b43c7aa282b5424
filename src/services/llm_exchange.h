/*
 * One request to a server of language models, and its result: what chats (llm_server.c) and
 * embeddings (llm_embed.c) share. No other file uses it.
 */
#ifndef SERVICES_LLM_EXCHANGE_H
#define SERVICES_LLM_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/watch.h"
#include "drivers/httpc.h"
#include "services/llm.h"
#include "services/llm_fault.h"
#include "services/llm_parse.h"
#include "services/llm_server.h"

enum { LLM_REFUSAL_MAX = 64 * 1024 };      /* bytes of an error's body, more than any needs */

/* The caller sets the first seven members and calls buf_init() on the body, with the largest size of
 * a reply. */
struct llm_exchange {
	struct llm_server *o;
	const char *model;
	struct llm_parse *reply;    /* takes the body; NULL: it is collected */
	struct buf *question;          /* the request; freed when nobody needs it any more */
	struct llm_error *error;    /* of a refusal: the reply's, if there is one */
	int64_t total_ms;              /* until the reply has ended; 0: the provider's own limit */
	struct buf body;               /* collected, or of a refusal */
	bool ours;                     /* we ended it, and not the watch */
	const struct watch *watch;     /* the caller's; may be NULL */
	int64_t finished_ms;           /* when the reply was over; 0: it is not */
	struct httpc_head head;
};

/*
 * Send a body and receive the reply. OK: the reply is there. ERR_UPSTREAM with the fault; *refused:
 * the server did not accept the request, and x->error says why. Codes of the watch and of the
 * reply's reader.
 */
enum errcode llm_exchange(struct llm_exchange *x, const char *url, const struct buf *body,
    bool stream, int64_t first_ms, const struct watch *w, struct llm_fault *fault,
    bool *refused, struct err *e);

/* Does a refusal name something that was sent and can be left out? Then leave it out: add it to
 * `without`. */
bool llm_leave_out(const struct llm_exchange *x, unsigned sent, unsigned *without);

/* There was no reply: say why. */
enum errcode llm_no_reply(const struct llm_exchange *x, enum llm_verdict verdict,
    struct llm_fault *fault, struct err *e);

/* The server's own words, for the debug log, to help find a fault; without the key, and without a
 * part of the key if they were cut inside it. */
void llm_log_words(const struct llm_exchange *x);

#endif
