/*
 * Texts of rules: tags as one form, answers as harmless HTML and as plain text. Pure.
 */
#ifndef RULES_RULE_HTML_H
#define RULES_RULE_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Lower case, outer blanks off, each blank a "_"; nothing else ("vfr/ifr_transition"). */
const char *rule_tag(struct arena *a, const char *tag);

/*
 * Light HTML made safe to be put into a page: a few elements stay (br, p, b, strong, i, em, u, ul,
 * ol, li, and a with an http, https or mailto address), all others go, script and style with
 * what is in them; a "<" that begins no whole tag becomes &lt;. What is opened is closed, in order,
 * so that an answer cannot end an element of the page around it. Text without any "<" comes back
 * itself, the very pointer.
 */
const char *rule_html(struct arena *a, const char *html);

/* What a reader of it sees: elements taken out, br, p and li as line ends, character references
 * resolved ("&amp;", "&#233;"), blanks at the ends off, control bytes as blanks. "a < b and c > d"
 * stays. The very pointer when nothing is to be done. */
const char *rule_plain(struct arena *a, const char *html);

/* http://, https:// or mailto: and something behind it, printable, without blanks, quotes (") and
 * angle brackets, at most 2,000 bytes. */
bool rule_link_ok(const char *link);

/* At most n characters (code points) of a text; the very pointer when it has no more. */
const char *rule_clip(struct arena *a, const char *text, size_t n);

#endif
