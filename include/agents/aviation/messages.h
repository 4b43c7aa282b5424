/*
 * What the aviation agent says, in the language of the pilot: sayings.h names the messages, the
 * files conf/language/LANGUAGE/answers*.txt have their texts, country_names.txt and area_names.txt the
 * names of countries and areas.
 *
 * A process opens them once, before its first thread; a message before that is a bug and aborts.
 */
#ifndef AGENTS_AVIATION_MESSAGES_H
#define AGENTS_AVIATION_MESSAGES_H

#include "language/catalogue.h"

/* Read and check the files of each language under data_dir/conf/language that has them, and use them in this
 * process; languages_open() and facts_open() come first. Does nothing if they are in use already. ERR_CONFIG: file,
 * line and reason. */
enum errcode messages_open(const char *data_dir, struct err *e);

/* The messages in a language, "fr"; in English if it is NULL or has none. */
const struct wording *messages_in(const char *language);

/* A text of the data that is one of the messages from `first` to `last` in English: the same in another language.
 * Every other text stays. */
const char *message_term(const struct wording *w, size_t first, size_t last, const char *text);

/* "Germany" for "DE" in any case; NULL: no such code. */
const char *message_country(const struct wording *w, const char *code);
/* "in Germany", "en Allemagne"; NULL: no such code. */
const char *message_in_country(const struct wording *w, struct arena *a, const char *code);

/* "Schwarzwald" for "Black Forest", the name in English; the name itself where the language has no other. */
const char *message_area(const struct wording *w, const char *name);

#endif
