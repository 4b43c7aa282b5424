/*
 * The chooser: which plans a message wants, in their order, each with the kind of its going on. It cuts the message into
 * clauses where it must, and scores the plans of each clause. All of it is learned; the names come from the model.
 *
 * The net's scores are added to those of plans. A chooser has four linear models, named by its stage ("1"): "plans1" scores the plans of a clause. "follow1", for a message
 * that goes on from something, scores "kind|plan" and "kind|relation", where the relation of the plan to the frames before
 * is "=" (the newest one's), "<" (an earlier one's) or "*" (neither). "cut1" scores the places where a clause may begin, and "sides1" the
 * best of them, when the plans of both sides are known.
 */
#ifndef LANGUAGE_CHOOSER_H
#define LANGUAGE_CHOOSER_H

#include "language/chooser_features.h"
#include "language/linear.h"
#include "language/net.h"

enum {
	CHOOSER_PLANS = 48, CHOOSER_CLASSES = 200, CHOOSER_COLUMNS = 300,
	CHOOSER_OUTCOMES = 8,
	CHOOSER_CUTS = 5,          /* places tried for the end of a clause */
	CHOOSER_SCALE = 1024,      /* whole weights for one */
};

enum chooser_relation { CHOOSER_NEWEST, CHOOSER_EARLIER, CHOOSER_OTHER, CHOOSER_RELATION__MAX };
extern const char *const chooser_relation_names[CHOOSER_RELATION__MAX];

/* A plan with a kind, and the classes of the model "follow" that score it. */
struct chooser_class {
	struct reading_plan is;
	size_t plan, with_plan, with_relation[CHOOSER_RELATION__MAX];
	int of_net;                       /* the number of this plan in the net; -1: the net does not have it */
};

struct chooser {
	const struct linear *plans, *follow, *cut, *sides;
	size_t nclasses;
	struct chooser_class class[CHOOSER_CLASSES];
	int of_net[CHOOSER_PLANS];      /* the same for a plan of something new */
	double sharp;                   /* calibration: what scores are multiplied by */
};

struct chooser_outcome {
	size_t nplans;
	struct reading_plan plan[READING_PLANS];
	size_t start[READING_PLANS];      /* the words at which their clauses begin; the first is 0 */
	double sure;                      /* probability */
};

struct chooser_choice {
	size_t n;                         /* at least one */
	struct chooser_outcome outcome[CHOOSER_OUTCOMES];     /* the likeliest first */
};

/* The chooser of this stage, as long as the file is open. net: must be the net that makes the readings; NULL: none. ERR_CONFIG: the
 * file has none, or it is of another shape. */
enum errcode chooser_open(struct chooser *c, const struct linear_file *f, const char *stage, const struct net *net, struct err *e);

void chooser_choose(const struct chooser *c, struct arena *a, const struct chooser_view *v, struct chooser_choice *out);

/* A place where one clause may end and the next begin. */
struct chooser_cut {
	size_t at;                         /* the first word of the next */
	struct chooser_features features;  /* for the model "sides" */
};

/* The best places behind the word `first`, as far as one is likely at all; how many. Features are in the arena. */
size_t chooser_cuts(const struct chooser *c, struct arena *a, const struct chooser_view *v, const struct chooser_text *text,
    size_t first, struct chooser_cut cut[CHOOSER_CUTS]);

enum chooser_relation chooser_relation_of(const struct reading_before *b, const char *plan);

/* What a message goes on from; NULL: nothing. */
const struct reading_before *chooser_before(const struct chooser_view *v);

/* Scores to probabilities, in place; sharp: what scores are multiplied by. */
void chooser_probabilities(double *score, size_t n, double sharp);

#endif
