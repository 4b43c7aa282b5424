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
	unsigned author;         /* whose message it is; lessons of one author follow each other */
};

struct chooser_trained;

/* On the heap; the lessons' plans must live as long. The order of the lessons counts: the halves of them should not be by the
 * same authors. path: of a file that is written and removed meanwhile. ERR_IO. */
enum errcode chooser_train(struct chooser_trained **out, const struct chooser_lesson *lesson, size_t n, const char *path,
    struct err *e);
void chooser_trained_free(struct chooser_trained *t);     /* NULL is allowed */

enum { CHOOSER_MODELS = 4 };

/* The models to be written for a stage, not calibrated; in the arena. */
void chooser_draft(const struct chooser_trained *t, struct arena *a, const char *stage,
    struct linear_draft draft[CHOOSER_MODELS]);
/* Give the models their calibration, see struct chooser. */
void chooser_draft_sharpen(struct linear_draft draft[CHOOSER_MODELS], struct arena *a, double sharp);

#endif
