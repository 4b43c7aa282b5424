/*
 * Texts of rules: tags in one form, answers as harmless HTML and as plain text. Pure.
 */
#ifndef RULES_RULE_HTML_H
#define RULES_RULE_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Lower case, without outer blanks, each inner blank as "_"; nothing else changes
 * ("vfr/ifr_transition"). */
const char *rule_tag(struct arena *a, const char *tag);

/*
 * Make light HTML safe for a page. A few elements stay (br, p, b, strong, i, em, u, ul, ol, li, and
 * a with an http, https or mailto address); all others are removed, script and style with their
 * content. A "<" that begins no whole tag becomes &lt;. Everything that is opened is closed, in
 * order, so that an answer cannot end an element of the page around it. Text without any "<" is
 * returned as the same pointer.
 */
const char *rule_html(struct arena *a, const char *html);

/* The text that a reader sees: elements are removed; br, p and li become line ends; character
 * references are resolved ("&amp;", "&#233;"); blanks at the ends are removed; control bytes become
 * blanks. "a < b and c > d" stays. The same pointer if nothing changes. */
const char *rule_plain(struct arena *a, const char *html);

/* http://, https:// or mailto: and an address after it: printable, without blanks, quotes (") and
 * angle brackets, at most 2,000 bytes. */
bool rule_link_ok(const char *link);

/* The first n characters (code points) of a text; the same pointer if it has no more. */
const char *rule_clip(struct arena *a, const char *text, size_t n);

#endif
