/*
 * Single facts of an airport in sentences: what a pilot asked for, or that it is not recorded and
 * where to find it; and the lines of the list of facts.
 */
#ifndef AGENTS_AVIATION_BUILTIN_WRITER_FACTS_H
#define AGENTS_AVIATION_BUILTIN_WRITER_FACTS_H

#include "agents/aviation/builtin/writer.h"

/* "**London Biggin Hill Airport** (EGKB)" */
const char *details_name(const struct answer *w);
/* "03/21", "03", or "" */
const char *details_runway(const struct answer *w, struct json_object *runway);
bool details_runway_closed(struct json_object *runway);

/* That the place which was named has no airport, so that the answer is about the nearest one; nothing where it has one. */
void answer_stands_in(const struct answer *w, const char *airport);

/* Sentences that answer a question. */
void answer_frequency(const struct answer *w);
void answer_sun(const struct answer *w);
void answer_night(const struct answer *w);
void answer_lights(const struct answer *w);
void answer_headings(const struct answer *w);
void answer_variation(const struct answer *w);
void answer_position(const struct answer *w);
void answer_codes(const struct answer *w);
/* False: its hours are not recorded, and nothing was written. */
bool answer_hours(const struct answer *w, const char *airport);

/* Lines of the list; nothing where nothing is recorded. */
void write_position(const struct answer *w);
void write_frequencies(const struct answer *w);
void write_sun(const struct answer *w);
/* ", 133°/313° true, threshold 31 displaced 492 ft (150 m)" */
const char *runway_ends_said(const struct answer *w, struct json_object *runway);

#endif
