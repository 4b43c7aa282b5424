/*
 * The builtin writer: template formatters for the airport tools, and those for rules
 * (writer_rules.h). Its interface, `writer_builtin`, is in agents/aviation/planner.h.
 *
 * Some pages know only headings, bold, code and line breaks, so the Markdown uses only these. Every
 * airport and every note is a line that begins with a number or a dash. There are no quotations,
 * italics, tables or escapes, and links are bare addresses. Every fact comes from the tool's
 * result.
 */
#ifndef AGENTS_AVIATION_BUILTIN_WRITER_H
#define AGENTS_AVIATION_BUILTIN_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "agents/aviation/messages.h"
#include "agents/aviation/planner.h"
#include "agents/aviation/sayings.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "language/catalogue.h"

/*
 * How long to wait before the first piece of an answer and between pieces, in milliseconds: for
 * demos that should look like a model, and for load tests. main sets it once before the first
 * thread starts; zero by default.
 */
struct writer_pace {
	int first_ms, piece_ms;
};
extern struct writer_pace writer_builtin_pace;

struct general_rule;

/* ---- shared by the writer's files -------------------------------------------- */

/* One answer in the making. */
struct answer {
	struct arena *mem;
	struct buf *out;
	const struct plan *plan;
	struct json_object *args, *result;
	const char *question;         /* last user message, folded to " words between blanks " */
	const struct wording *wording;        /* in the language of the question */
	/* the general rule that an earlier look-up of this answer has told, so that it is not told twice; NULL: none */
	const struct general_rule **general;
};

/* Write a message (agents/aviation/sayings.def): say(w, list_try, "what", text). said() gives its text
 * in the arena. The _n ones are for messages with plural forms; n is also the value of {n}. Values are harmless
 * in Markdown. */
#define say(w, key, ...) message_put((w)->wording, (w)->out, SAY_##key, MESSAGE_VALUES(__VA_ARGS__))
#define say_n(w, key, n, ...) \
	message_put_count((w)->wording, (w)->out, SAY_##key, n, MESSAGE_VALUES(__VA_ARGS__))
#define said(w, key, ...) message_text((w)->wording, (w)->mem, SAY_##key, MESSAGE_VALUES(__VA_ARGS__))
#define said_n(w, key, n, ...) \
	message_text_count((w)->wording, (w)->mem, SAY_##key, n, MESSAGE_VALUES(__VA_ARGS__))
/* A message as a line of its own. */
#define put_line(w, ...) (say(w, __VA_ARGS__), buf_putc((w)->out, '\n'))
#define put_line_n(w, ...) (say_n(w, __VA_ARGS__), buf_putc((w)->out, '\n'))
/* A message that a table names. */
#define say_as(w, message, ...) message_put((w)->wording, (w)->out, message, MESSAGE_VALUES(__VA_ARGS__))
#define said_as(w, message, ...) \
	message_text((w)->wording, (w)->mem, message, MESSAGE_VALUES(__VA_ARGS__))
#define said_as_n(w, message, n, ...) \
	message_text_count((w)->wording, (w)->mem, message, n, MESSAGE_VALUES(__VA_ARGS__))

/* A number of things, joined as "a, b and c". */
enum { PHRASES_MAX = 20 };
struct phrases {
	const char *text[PHRASES_MAX];
	size_t n;
};
void phrases_add(struct phrases *p, const char *text);
const char *phrases_join(const struct answer *w, const struct phrases *p);

/* Text of the data made harmless in Markdown and HTML, on one line, at most `max` bytes. */
const char *md_text(struct arena *a, const char *s, size_t max);
/* The same for text at the beginning of a line. */
const char *md_line(struct arena *a, const char *s, size_t max);
/* "4.3 NM", "168 NM" */
const char *md_nm(const struct answer *w, double nm);
/* "5,541 ft (1,689 m)" in English */
const char *md_feet(const struct answer *w, double ft);
/* "12,345" */
const char *md_count(const struct answer *w, double n);
/* "Fairoaks Airport (EGTF)" from an object with `name` and `ident` or `icao`. */
const char *md_airport(const struct answer *w, struct json_object *airport);
/* "Farnborough, United Kingdom"; "" when neither is known. */
const char *md_where(const struct answer *w, struct json_object *airport);
/* "seaplane base", "mountain landing site", or that it is military and what to ask. NULL: an ordinary one. */
const char *md_use(const struct answer *w, struct json_object *airport);
/* "Germany" for "DE", the code itself when unknown, NULL for NULL. */
const char *md_country(const struct answer *w, const char *code);
/* "in Germany" for "DE" or for a name of the country in any language; "in X" for what is no country. */
const char *md_in_country(const struct answer *w, const char *country);
/* The summary of a notice, with "24 h notice" for its "PPR 24h": it says PPR also where the publication
 * asks for notice and not for permission. A line with a dummy in the place of a telephone number is left out. */
const char *md_notice(const struct answer *w, const char *summary, size_t max);
/* Does it have fewer than two different digits besides zeros? "00 00 00 00 02" is no telephone number. */
bool md_dummy_phone(const char *number);
/* A short text of a record of notice, "Mon-Fri: 12h notice", with its usual words in the language of the answer. */
const char *record_said(const struct answer *w, const char *text);
/* A place as a geocoder names it, "Lyon, France", with its country in the language of the answer. */
const char *md_place(const struct answer *w, const char *label, size_t max);
/* Is this text from our hand-made sample? The sample's texts are in the same table as the texts of the AIP. */
bool md_sample(const char *text);
/* A sentence of the tool itself, a member of its result. Tools speak English only: "" in other languages. */
const char *tool_said(const struct answer *w, const char *member);
/* Does the question contain one of these? "|"-separated, including the blanks around each. */
bool md_asks(const struct answer *w, const char *words);
/* Where the first of these words stands in the question; SIZE_MAX: it contains none of them. */
size_t md_asked_at(const struct answer *w, const char *words);
/* Does this text, which comes from asked_folded(), contain one of these words? */
bool md_has(const char *folded, const char *words);
/* Words for fuels that only the text of the AIP can name. */
#define MD_UNLEADED " mogas| mo gas | unleaded| lead free| ul 91| ul91| 91 ul| ul 94| ul94| 94 ul| car fuel| car petrol"

/* The pilot's conditions in words: " in Germany with AVGAS and customs", or "". */
const char *filters_said(const struct answer *w);
/* Notes on what the filters had no data on, or left out. */
void filters_notes(const struct answer *w, struct phrases *notes);
/* The large airport that is nearest and would fit, where large ones are left out. */
void filters_large_note(const struct answer *w, struct phrases *notes);
/* The note that a limit on notice was not checked for these airports, if that is so. */
void filters_notice(const struct answer *w, struct phrases *notes, struct json_object *airports);
/* Add the facts that are not recorded for an airport ("fuel"), each once. `filters` holds the names
 * of the filters without data on it. */
void filters_lack(const struct answer *w, struct json_object *filters, struct phrases *facts);
/* For an empty result: one line for each filter with what it dropped, and the candidates. */
void filters_why_empty(const struct answer *w, const char *among);

/* What is known of an airport's restaurant, hotel, landing fee and reviews, from its `friendliness`:
 * "restaurant on the airfield · landing fee 12 EUR (Cessna 172, 1,157 kg)". NULL: nothing. */
const char *friendliness_said(const struct answer *w, struct json_object *airport);
/* The first sentence on one airport's restaurant, hotel, landing fees or reviews. False: nothing is
 * recorded, and nothing was written. */
bool answer_restaurant(const struct answer *w, const char *airport);
bool answer_hotel(const struct answer *w, const char *airport);
bool answer_fees(const struct answer *w, const char *airport);
bool answer_reviews(const struct answer *w, const char *airport);
/* The lines on them in the details of an airport, those that are recorded. */
void write_friendliness(const struct answer *w);
/* Begin the answer with a sentence on each place whose name was understood only in part. */
void places_first(const struct answer *w);
/* How the places of the question were understood, where a pilot should know. */
void places_notes(const struct answer *w, struct phrases *notes);
/* "in the Black Forest" for a search in an area, else NULL. */
const char *places_area(const struct answer *w);
/* The answer to a question about a place that was not found. */
void places_not_found(const struct answer *w);

/* Make the answer about this look-up: its plan, its result, and what was asked with it. */
void writer_take(struct answer *w, const struct run *run, const struct finding *f);

/* Formatters: result → w->out. */
void write_airport_list(const struct answer *w);       /* search, near, route */
void write_airport_details(const struct answer *w);
void write_points_of_entry(const struct answer *w);
void write_airport_statistics(const struct answer *w);
void write_airport_notice(const struct answer *w);
void write_external(const struct answer *w);
/* The closing notes; if airports were named, with the reminder to check AIP and NOTAM. */
void write_notes(const struct answer *w, const struct phrases *notes, bool airports_named);

#endif
