/*
 * What the tagger and its training share: features, tags, and the search.
 *
 * The class of a word is "nothing" (TAG_NONE), "the mark before goes on" (TAG_GOES_ON), or the tag of the mark
 * that begins with it. A tag has traits, which are classes too and add to its score, so that what is learned
 * of "no avgas" serves "no customs": its label, its polarity, and the form of its value.
 */
#ifndef LANGUAGE_TAGGER_OWN_H
#define LANGUAGE_TAGGER_OWN_H

#include "language/tagger.h"

enum {
	TAG_NONE, TAG_GOES_ON, TAG_FIRST,
	TAGS_MAX = 256, TRAITS_MAX = 256, TRAITS = 3,
	STATICS_MAX = 640,                    /* features of a word, of which further ones are left out */
	DYNAMICS_MAX = 48,
	BEAM = 4,
	TAG_WEIGHT_MOST = 32000,              /* the greatest weight of a model */
};

/* ---- tags ------------------------------------------------------------------------------------ */

struct tag_set {
	size_t ntags, nclasses;               /* classes: the tags, then the traits */
	const char *class_name[TAGS_MAX + TRAITS_MAX];
	struct tag {
		const char *label, *value;    /* as in struct mark */
		bool lifted;
		uint16_t trait[TRAITS];       /* classes */
	} tag[TAGS_MAX];
};

/* Do the words of a mark contain its value? value: what the author wrote; NULL: nothing. */
bool tag_within(const struct mark *m, const char *value);
/* The tag of a mark in its exact spelling. `within`: its value is in its words ("radius=#"). */
const char *tag_name(struct arena *a, const struct mark *m, bool within);
/* Fill a set from the names of its tags, which begin with those of TAG_NONE and TAG_GOES_ON. False: too many,
 * or malformed. */
bool tag_set_fill(struct tag_set *s, struct arena *a, const char *const *name, size_t n);

/* Labels that the likely plans of a message can have, by the classes of the labels. */
struct tag_labels {
	bool all;                             /* no plan is known to be likely */
	bool may[TAGS_MAX + TRAITS_MAX];
};

/* A hint of a plan that is less likely says nothing of the labels that a message can have. */
static const float TAG_PLAN_LEAST = 0.03F;

/* Tags of other labels get a score that never wins; `but`: except this class. */
void tag_labels_only(const struct tag_labels *l, const struct tag_set *s, unsigned but, float *score);

/* ---- features -------------------------------------------------------------------------------- */

/* A message that is being tagged. */
struct tag_text {
	const struct words *w;
	const struct evidences *e;
	const struct tagger_hint *hint;
	size_t nhints;
	struct tag_word {
		uint64_t fold, stem;          /* of a word that is not known: its shape */
		uint64_t shape, sort;         /* sort: what evidence says, else the shape */
		uint64_t middle, small;       /* its clusters (struct evidence_clusters) */
		bool known;
	} *word;                              /* with two words of padding before the first and behind the last */
	uint64_t *covers;                     /* indices of evidence by word, see tag_text_of() */
	struct tag_evidence {
		uint64_t kind;
		uint64_t nth;                 /* how many pieces of its kind stand before it, and behind */
	} *evidence;                          /* of each piece */
};

/* The features of a word, and how much each counts. */
struct tag_statics {
	size_t n;
	uint64_t feature[STATICS_MAX];
	float weight[STATICS_MAX];
};

/* Words that a model knows by themselves. Others are names, or too rare. */
typedef bool tag_known(const void *self, uint64_t fold);

struct tag_text *tag_text_of(struct arena *a, const struct reading *r, const struct tagger_hint *hint, size_t nhints,
    tag_known *known, const void *self);

/* The features of a word that do not depend on other tags: those of the message itself, those with its hints, or both. */
enum tag_part { TAG_OWN = 1, TAG_HINTED = 2, TAG_ALL = TAG_OWN | TAG_HINTED };
void tag_statics(const struct tag_text *t, size_t i, enum tag_part part, struct tag_statics *out);

/* The tags before a word. */
struct tag_past {
	uint16_t before;                      /* the class of the word before: TAG_NONE, or the tag of the mark that
	                                       * it belongs to */
	uint16_t last, last2;                 /* the tags of the last two marks that ended, or are open; TAG_NONE */
	uint16_t length, since;               /* words of the open mark; words since the last mark */
	uint16_t used[6];                     /* the last tags of this message */
};
/* The past after a class is chosen. */
struct tag_past tag_past_then(const struct tag_past *p, unsigned class);
size_t tag_dynamics(const struct tag_text *t, size_t i, const struct tag_past *p, uint64_t out[DYNAMICS_MAX]);

/* ---- search ---------------------------------------------------------------------------------- */

/* Adds up weights: those of a word's static features, or of these features. score has one element a class. */
struct tag_scorer {
	void (*statics)(void *self, size_t i, float *score);
	void (*dynamics)(void *self, const uint64_t *feature, size_t n, float *score);
	void *self;
	/* in training: the right classes. A wrong class gets `cost`. NULL: none */
	const uint16_t *gold;
	float cost;
};

struct tag_path {
	float score;
	uint16_t *class;                      /* of each word */
	size_t n;                             /* words; fewer than all if the search stopped */
};

/*
 * The best classes of a text. With scorer->gold, `right` is the path of gold and the search stops where gold
 * has fallen behind the best path by the greatest distance.
 */
void tag_search(struct arena *a, const struct tag_set *s, const struct tag_text *t, const struct tag_scorer *scorer,
    struct tag_path *best, struct tag_path *right);

#endif
