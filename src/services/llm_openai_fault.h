/*
 * Errors of an OpenAI-compatible server: what they mean, and what an operator should change. Pure.
 *
 * A server's own words may hold the key or the prompt. They are only compared and written to the
 * debug log; a message contains at most its code or type, if that is a plain name.
 */
#ifndef SERVICES_LLM_OPENAI_FAULT_H
#define SERVICES_LLM_OPENAI_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"
#include "services/llm.h"

struct json_object;

/* How the body of a reply ended. */
enum openai_verdict {
	OPENAI_FINE,
	OPENAI_STOPPED,           /* the reader of the text ended it */
	OPENAI_REFUSED,           /* the server reports an error: see .error */
	OPENAI_HTML,
	OPENAI_NOT_JSON,
	OPENAI_NOTHING,           /* the body is empty */
	OPENAI_NO_CHOICES,        /* JSON, without a message */
	OPENAI_CUT,               /* ended before it was finished */
	OPENAI_FILTERED,          /* withheld by the provider's content filter */
	OPENAI_TOO_BIG,
	OPENAI__MAX
};

/* What a server says is wrong. Texts are cut to fit. */
struct openai_error {
	int status;               /* an HTTP status it names itself; 0: none */
	char code[65], type[65], param[65];
	char message[1024];       /* to compare, and for the debug log; never for an operator */
};

/* Read the error in a chunk or body; `root` itself is one when it has no member "error". */
void openai_error_read(struct openai_error *x, struct json_object *root);
/* The error of a body, in whatever shape: {"error": {…}}, {"error": "…"}, {"message": …},
 * {"detail": […]}, [{"error": …}]. Anything else leaves `x` empty. */
void openai_error_parse(struct openai_error *x, const char *body, size_t n);

/* Which of the parameters sent (OPENAI_… of llm_openai_request.h) it complains about; 0: none. */
unsigned openai_error_names(const struct openai_error *x, unsigned sent);
/* Does the error say that the model, or the server as it was started, accepts no function calls? */
bool openai_error_no_functions(const struct openai_error *x, int status);

/* A call that gave no reply. */
struct openai_failure {
	const char *host;
	const char *key;                     /* that was sent; NULL: none. Never shown */
	int status;                          /* HTTP; 2xx: see verdict */
	bool html;                           /* of that content type */
	int64_t retry_after_ms;              /* -1: not said */
	size_t max_reply;
	enum openai_verdict verdict;
	const struct openai_error *error;
};

/* Classify it: fill the fault and the message, and return ERR_UPSTREAM. */
enum errcode openai_failure(const struct openai_failure *x, struct llm_fault *fault,
    struct err *e);

#endif
