/*
 * Errors of a server of language models: what they mean, and what an operator should change. Pure.
 *
 * A server's own words may hold the key or the prompt. They are only compared and written to the
 * debug log; a message contains at most its code or type, if that is a plain name.
 */
#ifndef SERVICES_LLM_FAULT_H
#define SERVICES_LLM_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"
#include "services/llm.h"

struct json_object;
struct llm_dialect;
struct llm_param;

/* How the body of a reply ended. */
enum llm_verdict {
	VERDICT_FINE,
	VERDICT_STOPPED,           /* the reader of the text ended it */
	VERDICT_REFUSED,           /* the server reports an error: see .error */
	VERDICT_HTML,
	VERDICT_NOT_JSON,
	VERDICT_NOTHING,           /* the body is empty */
	VERDICT_NO_MESSAGE,        /* JSON, without a message */
	VERDICT_CUT,               /* ended before it was finished */
	VERDICT_FILTERED,          /* withheld by the provider's content filter */
	VERDICT_TOO_BIG,
	VERDICT__MAX
};

/* What a server says is wrong. Texts are cut to fit. */
struct llm_error {
	int status;               /* an HTTP status it names itself; 0: none */
	int64_t retry_after_ms;   /* how long it asks to wait, in its body; -1: not said */
	char code[65], type[65], param[65];
	char message[1024];       /* to compare, and for the debug log; never for an operator */
};

/* Read the error in a chunk or body; `root` itself is one when it has no member "error". */
void llm_error_read(struct llm_error *x, struct json_object *root);
/* The error of a body, in whatever shape: {"error": {…}}, {"error": "…"}, {"message": …},
 * {"detail": […]}, [{"error": …}]. Anything else leaves `x` empty. */
void llm_error_parse(struct llm_error *x, const char *body, size_t n);

/* Which of the parameters sent (PARAM_…) it complains about; 0: none. */
unsigned llm_error_names(const struct llm_error *x, const struct llm_param *params, unsigned sent);
/* Does the error say that the model, or the server as it was started, accepts no function calls? */
bool llm_error_no_functions(const struct llm_error *x, int status);

/* A call that gave no reply. */
struct llm_failure {
	const struct llm_dialect *dialect;   /* names the settings */
	const char *host;
	const char *key;                     /* that was sent; NULL: none. Never shown */
	int status;                          /* HTTP; 2xx: see verdict */
	bool html;                           /* of that content type */
	int64_t retry_after_ms;              /* -1: not said */
	size_t max_reply;
	enum llm_verdict verdict;
	const struct llm_error *error;
};

/* Classify it: fill the fault and the message, and return ERR_UPSTREAM. */
enum errcode llm_failure(const struct llm_failure *x, struct llm_fault *fault,
    struct err *e);

#endif
