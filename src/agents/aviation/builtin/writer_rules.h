/*
 * What the formatters of the rules tools share.
 */
#ifndef AGENTS_AVIATION_BUILTIN_WRITER_RULES_H
#define AGENTS_AVIATION_BUILTIN_WRITER_RULES_H

#include "agents/aviation/builtin/writer.h"

/* Formatters: result → w->out. */
void write_rules_answer(const struct answer *w);
void write_rules_page(const struct answer *w);         /* a page, or a list of rules */
void write_rules_comparison(const struct answer *w);
void write_rules_answers(const struct answer *w);
void write_rules_subjects(const struct answer *w);
void write_rules_countries(const struct answer *w);

/* ---- shared parts -------------------------------------------------------------- */

/* An answer (light HTML) as paragraphs, word for word, at most about `max` bytes. */
void rules_quote(const struct answer *w, const char *html, size_t max);
/* The same on one line, cut between words, harmless in Markdown. */
const char *rules_short(const struct answer *w, const char *html, size_t max);
/* "last reviewed 2024-03-01 · https://caa.example/x" from an object with
 * `last_reviewed` and `links`; "" when it has neither. */
const char *rules_source(const struct answer *w, struct json_object *rule);
/* Countries by name, at most RULES_NAMES: "France, Germany and Italy". */
enum { RULES_NAMES = 64 };
struct rules_names {
	const char *name[RULES_NAMES];
	size_t n;
};
void rules_name(const struct answer *w, struct rules_names *names, const char *code);
const char *rules_join(const struct answer *w, const struct rules_names *names);
/* The same from a list of codes. */
const char *rules_names(const struct answer *w, struct json_object *codes);
/* A topic or category of rules, "flight plan", in the language of the answer if it is a usual one. */
const char *rules_term(const struct answer *w, const char *name);
/* " about flight plan and airspace", from the tags of the plan; "" without any. */
const char *rules_topics(const struct answer *w);
/* That there is nothing, and what the pilot can do; country NULL: none is meant. */
void rules_nothing(const struct answer *w, const char *country);
/* Has the result a general rule with a text, which is the law of the country, or of one of the countries? Any other tells less than a rule
 * of the country. */
bool rules_general_tells(const struct answer *w);
/* Write the general rule of the result. False: the result has none. */
bool rules_general_said(const struct answer *w);
/* The closing line. */
void rules_note(const struct answer *w);

#endif
