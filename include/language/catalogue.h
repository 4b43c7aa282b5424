/*
 * Message catalogues: what the program says, in several languages. The texts are files that a person
 * who knows a language and no C can write: conf/language/<language>/, described in doc/languages.md.
 *
 *   # a comment
 *   list_none = No airport{filters} was found {place}.
 *   list_more.one = and {n} more runway
 *   list_more.other = and {n} more runways
 *
 * A name in braces is replaced by a value. A message that depends on a number has a text for each
 * plural form, and {n} is that number. The program says which messages there are. English is the
 * reference: every other language has the same messages with the same names in braces.
 *
 * A catalogue is read once, before the first thread, and constant from then on.
 */
#ifndef LANGUAGE_CATALOGUE_H
#define LANGUAGE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/errs.h"

/* Files of one language have at most this many bytes together. */
enum { CATALOGUE_BYTES = 1024 * 1024, MESSAGE_BYTES = 64 * 1024 };

#define CATALOGUE_REFERENCE "en"

struct catalogue;
/* The messages of one language, and how it writes numbers, dates and lists. */
struct wording;

struct message_row {
	const char *name;
	bool counted;                 /* it has plural forms */
};

/* What to read: the same files in each language's folder. */
struct catalogue_source {
	const char *folder;           /* conf/language */
	const char *const *language;  /* "en" comes first; NULL ends the list */
	const char *const *file;      /* "answers.txt"; NULL ends the list */
	const struct message_row *row;
	size_t n;
};

/* Read and check. Everything lives in the arena. ERR_CONFIG: file, line and reason. */
enum errcode catalogue_read(struct catalogue **out, struct arena *a,
    const struct catalogue_source *from, struct err *e);

/* The messages in a language, "fr"; in English if the language is NULL or has none. */
const struct wording *catalogue_in(const struct catalogue *c, const char *language);
/* The languages of the catalogue, in the order of its source; NULL: there is no i-th. */
const struct wording *catalogue_at(const struct catalogue *c, size_t i);
const char *wording_language(const struct wording *w);

/* ---- messages -------------------------------------------------------------------------- */

/* Values of a message: names and texts in turn, then NULL. A text is put as it is, so it must be harmless where
 * the message goes. */
#define MESSAGE_VALUES(...) ((const char *const[]){ __VA_ARGS__ __VA_OPT__(,) NULL })

/* Append a message, by its index in the rows of the source. */
void message_put(const struct wording *w, struct buf *out, size_t row, const char *const *values);
void message_put_count(const struct wording *w, struct buf *out, size_t row, double n,
    const char *const *values);
/* The same as text in the arena, at most MESSAGE_BYTES. */
const char *message_text(const struct wording *w, struct arena *a, size_t row,
    const char *const *values);
const char *message_text_count(const struct wording *w, struct arena *a, size_t row, double n,
    const char *const *values);
/* The text as the file has it, with names in braces. Of a message without plural forms. */
const char *message_pattern(const struct wording *w, size_t row);

/* ---- numbers, dates and lists ------------------------------------------------------------ */

/* "12,345"; "?" for what is no such number. */
const char *wording_count(const struct wording *w, struct arena *a, double n);
/* "4.3", "12.25": no more digits than needed, at most six. */
const char *wording_number(const struct wording *w, struct arena *a, double n);
/* "4.0" with this many digits after the sign. */
const char *wording_decimals(const struct wording *w, struct arena *a, double n, int digits);
/* "24 December 2026"; month 1 to 12, day 1 to 31. */
const char *wording_date(const struct wording *w, struct arena *a, int year, int month, int day);
/* "a, b and c" */
const char *wording_list(const struct wording *w, struct arena *a, const char *const *text, size_t n);

#endif
