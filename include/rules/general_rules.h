/*
 * General rules: rules of a law that many states share, such as the rules of the air of the EASA states, or only the place where a matter
 * is regulated. They help when no rule of a country answers a question. The rules of countries are what a site maintains; these ship with the program.
 *
 * conf/facts/general_rules.txt says which law has a rule, in which paragraph, in which section of a state's AIP, and in which words
 * people ask about it. conf/language/LANGUAGE/general_rules.txt says what the rule is.
 *
 * A process opens them once, before its first thread; they stay until it ends. A look-up before that is a bug and aborts.
 */
#ifndef RULES_GENERAL_RULES_H
#define RULES_GENERAL_RULES_H

#include <stddef.h>

#include "base/errs.h"

struct general_rule {
	const char *id;               /* "fuel_reserve" */
	const char *law;              /* whose rule it is: "easa"; "": the program knows only where the matter is regulated */
	const char *paragraph;        /* "NCO.OP.125"; "": not known */
	const char *aip;              /* "ENR 1.2", the section of a state's AIP; "": no section of the AIP */
	char **phrase;                /* English: how people ask about it */
	size_t nphrases;
};

struct general_text {
	const char *title;            /* "Fuel reserve" */
	const char *text;             /* without the full stop at its end; "" if the rule has no law */
};

struct general_rules;

/* Read and check both files under data_dir; languages_open() comes first. A language without a file is answered in English. ERR_CONFIG:
 * file, line and reason. */
enum errcode general_rules_load(struct general_rules **out, const char *data_dir, struct err *e);
void general_rules_free(struct general_rules *g);      /* NULL is allowed; not for rules that are in use */

/* Read them and use them in this process. Does nothing if they are in use already. */
enum errcode general_rules_open(const char *data_dir, struct err *e);

size_t general_rules_count(void);
const struct general_rule *general_rule_at(size_t i);
/* NULL: there is none. */
const struct general_rule *general_rule_named(const char *id);
/* In a language, "fr"; in English if it is NULL or not one of ours. */
struct general_text general_rule_text(const struct general_rule *g, const char *language);

/* What a law is to a country, by its code. A rule without a law is GENERAL_FOREIGN in every country. */
enum general_force {
	GENERAL_HOLDS,                /* it is the law there */
	GENERAL_KEPT,                 /* the country has made it its own, with changes */
	GENERAL_FOREIGN,              /* it is not the law there */
};
enum general_force general_rule_force(const struct general_rule *g, const char *country);
/* The country whose law it is, "GB"; NULL: several share it, or there is no law. */
const char *general_rule_state(const struct general_rule *g);

#endif
