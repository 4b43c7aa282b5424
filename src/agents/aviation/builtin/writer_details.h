/*
 * Parts of the answer on one airport, for answers on several.
 */
#ifndef AGENTS_AVIATION_BUILTIN_WRITER_DETAILS_H
#define AGENTS_AVIATION_BUILTIN_WRITER_DETAILS_H

#include "agents/aviation/builtin/writer.h"

/* Is there a sentence for this fact? */
bool details_tells(const struct answer *w, const struct plan_fact *fact);
/* The sentence on this fact of the airport of the result, a line. On customs a second line may tell the notice. */
void details_tell(const struct answer *w, const struct plan_fact *fact);
/* Does the result have data of our sample? */
bool details_has_sample(const struct answer *w);
/* Two or three airports side by side, if that is what was asked for. False: nothing was written. */
bool writer_airports_beside(struct answer *w, const struct run *run, const struct writing *writing);

#endif
