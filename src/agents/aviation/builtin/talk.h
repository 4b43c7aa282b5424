/*
 * What a thread keeps beside its messages, so that a follow-up means something: the frames so far and the
 * airports of the last answer. It is part of the channel state of the aviation agent.
 */
#ifndef AGENTS_AVIATION_BUILTIN_TALK_H
#define AGENTS_AVIATION_BUILTIN_TALK_H

#include <stdint.h>

#include "agents/aviation/plan.h"
#include "language/frame.h"

enum { TALK_AIRPORTS = 20, TALK_IDENT = 12, TALK_QUESTION = 300 /* bytes */ };

/* An airport of the last answer, with what it may be picked by; NaN: not known. */
struct talk_airport {
	char ident[TALK_IDENT];
	double runway_ft, distance_nm, fee;
};

struct talk {
	struct dialogue dialogue;
	/* in the order of the answer's list; n 0: there was no list yet */
	struct talk_airport list[TALK_AIRPORTS];
	size_t n;
	char current[TALK_IDENT];      /* the airport that was spoken of last; "": none */
	/* how many airports' details this answer has told so far, and the last of these airports. They are not saved with the rest */
	size_t ndetails;
	struct talk_airport last_details;
	double track_nm;               /* the length of the last route; 0: there was none */
	const char *language;          /* of the last message, "fr"; NULL: not known. It is not saved with the rest */
	/* the last question about rules, as it was typed. "And in Italy?" asks it again. NULL: there is none */
	const char *question;
	/* str_hash() of the last user message that all this includes; 0: it includes none */
	uint64_t last;
};

/* The airport that a pick means: "2", "-1", "it", "runway", "fee", "distance", or the length of its runway, "1820m", "5971ft". NULL: there is no such
 * airport, or several could be meant; *several tells which. */
const char *talk_pick(const struct talk *t, const char *pick, bool *several);

/* To be called before the look-ups of a message, unless the talk was just loaded or copied: then nothing is counted yet. */
void talk_next_message(struct talk *t);
/* Take what a look-up found: the list of a search, or the one airport of another tool. Several airports whose details one answer tells are
 * a list too: "La Chaux-de-Fonds or Neuchâtel, which has jet fuel?", "the first one". */
void talk_heard(struct talk *t, const struct plan *plan, struct json_object *result);

/* The same in another arena. */
void talk_copy(struct arena *a, const struct talk *t, struct talk *out);

/* Channel state, a fresh reference, and back; loading takes what it knows. */
struct json_object *talk_save(const struct talk *t);
void talk_load(struct arena *a, struct json_object *o, struct talk *out);

#endif
