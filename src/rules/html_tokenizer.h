/*
 * Takes light HTML apart: text, and the few elements that a rule's answer may have. Pure.
 *
 * It reads what people and spreadsheets write, not what a browser accepts: a "<" that begins no
 * whole tag is text, so that "below <FL100" and "a < b" stay. Comments, declarations, and script
 * and style with their content are skipped. Time is linear in the length.
 */
#ifndef RULES_HTML_TOKENIZER_H
#define RULES_HTML_TOKENIZER_H

#include <stdbool.h>

#include "base/str.h"

enum element {
	ELEMENT_BR, ELEMENT_P, ELEMENT_UL, ELEMENT_OL, ELEMENT_LI,
	ELEMENT_B, ELEMENT_STRONG, ELEMENT_I, ELEMENT_EM, ELEMENT_U, ELEMENT_A,
	ELEMENT__KEPT,                /* elements before this one are kept */
	/* removed; the text before and after it is one word (span) */
	ELEMENT_INLINE = ELEMENT__KEPT,
	/* removed; it separates the text before and after it (td, unknown ones) */
	ELEMENT_OTHER,
};

enum html_token_kind { HTML_TEXT, HTML_OPEN, HTML_CLOSE };

struct html_token {
	enum html_token_kind kind;
	/* of text, with references unresolved; a "<" in it is a character */
	struct str text;
	enum element element;
	struct str href;              /* of an opening "a", with references unresolved; n 0: none */
};

/* The next token at *at, which moves behind it. False: the end. Slices point into the text. */
bool html_token_next(const char **at, struct html_token *t);

/* The name of a kept element. */
const char *html_element_name(enum element el);

/* The character reference at p ("&amp;", "&#233;"), of which n bytes are left, as UTF-8 in out with
 * its length in *len. Returns the length of the reference; 0: it is not a known one. Apart from tab
 * and line end a reference gives no control character, but a blank. */
size_t html_reference(const char *p, size_t n, char out[4], size_t *len);

#endif
