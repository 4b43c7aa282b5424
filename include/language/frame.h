/*
 * Frames: what a message means after all that was said before it. A frame is a plan with its slots
 * (label to values). The frame of a follow-up is merged from its own marks and the frame before.
 *
 * This layer knows no label and no plan by name. The agent hands in its schema; tests/language/GUIDE.md
 * defines what the kinds of a follow-up do.
 */
#ifndef LANGUAGE_FRAME_H
#define LANGUAGE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/jsn.h"
#include "language/reading.h"

enum {
	FRAME_LABELS = 48,       /* most rows of a schema's labels */
	FRAME_VALUES = 8,        /* of one label in one frame; further ones are left out */
	FRAME_VALUE_BYTES = 96,  /* longest value; a longer one is cut */
	FRAME_BYTES = 2048,      /* a frame as JSON */
	FRAMES_KEPT = 8,         /* of a dialogue, the newest */
	FRAMES_UNREAD = 8,
};

enum frame_how {
	/* several values; without this, the last one counts */
	FRAME_SEVERAL = 1 << 0,
	/* on or off: a mark without a value is "true" */
	FRAME_SWITCH = 1 << 1,
	/* the value is the words of the mark */
	FRAME_WORDS = 1 << 2,
	/* where to look: when a message names another ground of the plan, this one goes */
	FRAME_GROUND = 1 << 3,
	/* stays when the plan changes (kind "switch") */
	FRAME_CARRIED = 1 << 4,
	/* a fact that is asked for: holds for its message, and for another airport after it */
	FRAME_FACT = 1 << 5,
	/* the name of a place, which the label `binds` of the schema may stand behind */
	FRAME_PLACE = 1 << 6,
};

struct frame_label {
	const char *name;                  /* "min_runway" */
	unsigned how;                      /* enum frame_how */
	/* Kinds of evidence that give the value, the best first, "a|b"; NULL: only the mark does. Where the value is the
	 * words of the mark, the kind of evidence for `bound`. */
	const char *evidence;
	/* makes one exact spelling of what the evidence says ("2500" of a runway: "2500ft"); NULL: it stays.
	 * In the arena; NULL for a value that makes no sense. */
	const char *(*exact)(struct arena *a, const char *value);
};

struct frame_plan {
	const char *name;                  /* "near", "cannot:weather" */
	uint64_t labels;                   /* bits of labels that it may have; 0: it is never a frame to go on from */
	uint64_t ground;                   /* a mark of these replaces the ground of the frame before */
	/* a pick without one of these labels means the airport just spoken of: the label `it` gets the value
	 * "it"; 0: it does not */
	uint64_t one;
};

struct frame_schema {
	const struct frame_label *label;
	size_t nlabels;
	const struct frame_plan *plan;
	size_t nplans;
	size_t it;                         /* the label of struct frame_plan.one */
	size_t binds;                      /* the label that belongs to a place right before it */
};

struct frame_value {
	const char *text;                  /* in its exact spelling: "800m", "true", "Lyon" */
	/* The words of the message ("at least 800 m"). NULL: it comes from a stored frame, which keeps the words of
	 * facts alone. */
	const char *words;
	/* What says more exactly what is meant. Of a place: the value of the label `binds` right behind it ("GB" of
	 * "Cambridge, UK"). Of other words: what the evidence within them is worth ("flight plan" of "Flugplan"),
	 * several with ", " between. NULL: there is none. */
	const char *bound;
};

struct frame_slot {
	size_t n;
	struct frame_value *value;
};

struct frame {
	const struct frame_plan *plan;
	bool more;                         /* further results of the same are wanted */
	const char *kind;                  /* of the message that it came from; NULL: something new */
	struct frame_slot slot[FRAME_LABELS];  /* by label */
};

/* The frames of a dialogue so far, the newest last. */
struct dialogue {
	size_t n;
	struct frame *frame[FRAMES_KEPT];
};

struct frames {
	size_t n;                          /* one for each plan of the reading */
	struct frame *frame[READING_PLANS];
	/* marks that no plan of the message can have, or whose value cannot be read, as typed */
	size_t nunread;
	const char *unread[FRAMES_UNREAD];
};

/* The number of a label or plan by its name; nlabels or nplans: there is none. */
size_t frame_label_named(const struct frame_schema *s, const char *name);
size_t frame_plan_named(const struct frame_schema *s, const char *name);

/* The last value of a label; NULL: it has none. */
const char *frame_get(const struct frame *f, size_t label);

/* Does the frame have this value of the label? */
bool frame_has(const struct frame *f, size_t label, const char *value);

/* The frames of a reading whose plans are all in the schema; in the arena. A kind that goes on from
 * nothing, or that its plan cannot have, counts as something new. */
void frames_of(struct arena *a, const struct frame_schema *s, const struct reading *r,
    const struct dialogue *before, struct frames *out);

/* The dialogue goes on with these frames. Frames of talk are left out. */
void dialogue_add(struct dialogue *d, const struct frames *f);

/* What a message goes on from after this dialogue; in the arena. */
struct reading_before *dialogue_before(struct arena *a, const struct frame_schema *s, const struct dialogue *d,
    const char *language);

/* A dialogue as JSON, a fresh reference, and back. Loading takes what it knows and leaves out the rest:
 * what is stored may come from another version. */
struct json_object *dialogue_save(const struct frame_schema *s, const struct dialogue *d);
void dialogue_load(struct arena *a, const struct frame_schema *s, struct json_object *o, struct dialogue *out);

/* One frame as JSON, a fresh reference: {"plan","more","slots":{label:[value]}}, at most FRAME_BYTES. */
struct json_object *frame_json(const struct frame_schema *s, const struct frame *f);

#endif
