/*
 * Training a chooser (chooser.h) on marked messages. The same lessons give the same models.
 */
#ifndef LANGUAGE_TRAIN_CHOOSER_TRAIN_H
#define LANGUAGE_TRAIN_CHOOSER_TRAIN_H

#include "language/chooser.h"
#include "language/train/linear_write.h"

struct chooser_lesson {
	struct chooser_view view;
	const struct reading *gold;
};

struct chooser_trained;

/* On the heap. The lessons' plans must live as long. */
struct chooser_trained *chooser_train(const struct chooser_lesson *lesson, size_t n);
void chooser_trained_free(struct chooser_trained *t);     /* NULL is allowed */

enum { CHOOSER_MODELS = 3 };

/* The models to be written for a stage; in the arena. sharp: calibration, see struct chooser. */
void chooser_draft(const struct chooser_trained *t, struct arena *a, const char *stage, double sharp,
    struct linear_draft draft[CHOOSER_MODELS]);

#endif
