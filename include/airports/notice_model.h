/*
 * Customs texts that are difficult for the program's own reader may be read by a language model.
 *
 * The model may say less than the text, and never more: its reply is refused as a whole if it is not of
 * the agreed form, or if a number, a day or a word about Schengen in it does not stand in the text.
 * Whatever goes wrong, the own reading is the result, and its warning says why.
 */
#ifndef AIRPORTS_NOTICE_MODEL_H
#define AIRPORTS_NOTICE_MODEL_H

#include "airports/notice_rules.h"
#include "base/errs.h"

struct llm;
struct prompt;
struct watch;

struct notice_model {
	struct llm *llm;
	const struct prompt *prompt;          /* notice_model_prompt() */
	const char *model, *fallback_model;   /* fallback_model NULL: none */
	int64_t first_ms;                     /* until a reply begins */
	const struct watch *watch;            /* NULL: none */

	/* texts that it was asked about, and those of them whose rules are its own */
	size_t asked, used;
	size_t failed;                        /* calls without a reply, one after another */
};
/* After so many calls without a reply the model is not asked any more. */
enum { NOTICE_MODEL_FAILURES = 3 };

/* Load the prompt from a file, as prompt_load(). */
enum errcode notice_model_prompt(struct prompt **out, struct arena *a, const char *path, struct err *e);

/* As notice_read(). A text from which no rule was read, or a difficult one, is given to the model;
 * NULL: there is none. */
void notice_read_with(struct notice_reading *out, struct arena *a, const char *text,
    struct notice_model *m);

/* Check a model's reply and make rules of it. ERR_UPSTREAM: it is refused, and why. */
enum errcode notice_model_rules(struct notice_reading *out, struct arena *a, const char *text,
    const char *reply, struct err *e);

#endif
