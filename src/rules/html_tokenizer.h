/*
 * Light HTML, taken apart: text, and the few elements that a rule's answer may have. Pure.
 *
 * It reads what people and spreadsheets write, not what a browser accepts: a "<" that begins
 * no whole tag is text, so that "below <FL100" and "a < b" stay. Comments, declarations, and script
 * and style with what is in them are passed over. Time is linear in the length.
 */
#ifndef RULES_HTML_TOKENIZER_H
#define RULES_HTML_TOKENIZER_H

#include <stdbool.h>

#include "base/str.h"

enum element {
	ELEMENT_BR, ELEMENT_P, ELEMENT_UL, ELEMENT_OL, ELEMENT_LI,
	ELEMENT_B, ELEMENT_STRONG, ELEMENT_I, ELEMENT_EM, ELEMENT_U, ELEMENT_A,
	ELEMENT__KEPT,                /* those before are kept */
	ELEMENT_INLINE = ELEMENT__KEPT,   /* goes; text before and after it belongs together (span) */
	ELEMENT_OTHER,                /* goes, and parted what stood around it (td, unknown ones) */
};

enum html_token_kind { HTML_TEXT, HTML_OPEN, HTML_CLOSE };

struct html_token {
	enum html_token_kind kind;
	struct str text;              /* of text, references unresolved; a "<" in it is a character */
	enum element element;
	struct str href;              /* of an "a" that opens, references unresolved; n 0: none */
};

/* The next token at *at, which moves behind it; false at the end. Slices are of the text. */
bool html_token_next(const char **at, struct html_token *t);

/* The name of a kept element. */
const char *html_element_name(enum element el);

/* The character reference at p ("&amp;", "&#233;"), n bytes being left, as UTF-8 in out and its
 * length in *len. Returns how long it is; 0: it is none that is known. No reference gives a
 * control character but tab and line end: the others are a blank. */
size_t html_reference(const char *p, size_t n, char out[4], size_t *len);

#endif
