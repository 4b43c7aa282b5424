/*
 * The languages that are understood: the folders of conf/language that have a file common.txt. Of some others
 * a few words are known, so that a message in one of them is not misread.
 *
 * They are read once, before the first thread, and then serve the whole process.
 */
#ifndef LANGUAGE_LANGUAGES_H
#define LANGUAGE_LANGUAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"

struct words;

enum { LANGUAGES_MAX = 8 };

/* Read them from data_dir/conf/language. A second call does nothing. ERR_CONFIG with file, line and reason. */
enum errcode languages_open(const char *data_dir, struct err *e);

size_t languages_count(void);
const char *language_at(size_t i);         /* "de", "en", "fr": in alphabetical order; long-lived */
const char *language_find(const char *code); /* the same text, long-lived; NULL: not understood */

/* The language of a message: the one that has most of its words. When languages are equal, or almost nothing tells,
 * it is `before`, the language of the talk before; without one it is English. w->language is not read. */
const char *language_guess(const struct words *w, const char *before);

/* The one of these languages that a browser likes best, by its Accept-Language ("fr-CH, fr;q=0.9, en;q=0.8"); NULL: it names none
 * of them, or there is no such field. */
const char *language_accepted(const char *field);

/* Is a message in a language that is not understood? It has words of such a language (conf/language/common/foreign.txt), or
 * of another script, and fewer of ours. language_guess() takes it as English, the language of the answer. */
bool language_is_foreign(const struct words *w);

/* How many words of a message are common ones of any of these languages. */
size_t language_known(const struct words *w);
/* Is this folded word one of them? */
bool language_has(const char *word);

#endif
