/*
 * The reading of one message: the plans that it wants and the marks on its words, as a trained model
 * finds them. tests/language/GUIDE.md defines both. A reading knows nothing of what the marks are worth; a frame
 * (frame.h) does.
 */
#ifndef LANGUAGE_READING_H
#define LANGUAGE_READING_H

#include <stdbool.h>

#include "base/errs.h"
#include "language/evidence.h"

enum { READING_PLANS = 3, READING_MARKS = 64, READING_OTHERS = 3, READING_BEFORE = 4 };

struct reading_model;

/* A piece of the message and what it means: [at least 800 m|min_runway=800m]. */
struct mark {
	size_t first, last;      /* words */
	const char *label;       /* "min_runway", without value; long-lived */
	/* the value that the label itself has ("false", "vicinity", "it", "runway_length"); NULL: it has none, or it
	 * is in the words */
	const char *value;
	bool lifted;             /* "-has_avgas" */
	unsigned plans;          /* bit i: it belongs to plan i; 0: to the first that can have it */
	double sure;             /* probability */
};

struct reading_plan {
	const char *kind;        /* "refine"; NULL: something new */
	const char *plan;        /* "near", "cannot:weather"; long-lived */
};

struct net_reading;

struct reading {
	const struct words *words;
	const struct evidences *evidence;
	const struct net_reading *net;        /* what the net sees in it; NULL: no net reads it */
	size_t nplans;           /* at least one */
	struct reading_plan plan[READING_PLANS];
	size_t start[READING_PLANS];      /* the first words of their clauses */
	double sure;             /* probability of these plans, calibrated */
	size_t nmarks;           /* in the order of their words, which never overlap */
	struct mark mark[READING_MARKS];
	/* the next likely first plans, for a short question back */
	size_t nothers;
	struct { struct reading_plan plan; size_t nplans; double sure; } other[READING_OTHERS];     /* nplans: with those behind it */
};

/* What the talk was about before a message. */
struct reading_before {
	const char *language;    /* of the message before; NULL: unknown */
	size_t nplans;           /* 0: nothing was spoken of that a message could go on from */
	const char *plan[READING_BEFORE];     /* of the last frames, the newest first */
	size_t nslots;
	const char *const *slot; /* labels that the newest frame has, in any order */
};

/* A trained model (conf/language/reader.model), shared by threads. ERR_CONFIG with path and reason. */
enum errcode reading_model_open(struct reading_model **out, const char *path, struct err *e);
void reading_model_close(struct reading_model *m);       /* NULL is allowed */

/* What reads: a model, and the exact knowledge that it was trained with. */
struct reader {
	const struct reading_model *model;
	const struct evidence_source *source;
	size_t nsources;
};

/* The reading of a NUL-terminated message, bytes of any kind; everything in the arena. before: NULL for the
 * first message of a talk. */
struct reading *reading_make(struct arena *a, const struct reader *r, const char *text,
    const struct reading_before *before);

/* Does exact knowledge say of any words that they are of this kind ("reverse")? */
bool reading_says(const struct reading *r, const char *kind);

#endif
