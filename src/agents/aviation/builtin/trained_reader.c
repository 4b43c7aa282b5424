#include "agents/aviation/builtin/trained_reader.h"

#include <stdlib.h>

#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/shown_evidence.h"
#include "agents/aviation/builtin/talk.h"
#include "airports/place_evidence.h"
#include "base/arena.h"
#include "base/log.h"
#include "language/encoder.h"
#include "language/quantity.h"
#include "language/reading.h"
#include "language/vocabulary.h"

enum { SOURCES = 5 };

/* Never freed. */
static struct {
	struct arena *mem;            /* NULL: not open yet */
	struct vocabulary *vocabulary;
	struct reading_model *model;
	struct encoder *encoder;
} in_use;

enum errcode trained_reader_open(const char *data_dir, struct err *e)
{
	if (in_use.mem != NULL)
		return OK;
	struct arena *a = arena_new();
	enum errcode rc = vocabulary_load(&in_use.vocabulary, a, data_dir, e);
	if (rc == OK)
		rc = reading_model_open(&in_use.model, arena_printf(a, "%s/conf/language/reader.model", data_dir), e);
	if (rc == OK)
		rc = encoder_open(&in_use.encoder, arena_printf(a, "%s/conf/language/encoder.model", data_dir), e);
	if (rc == OK)
		in_use.mem = a;
	else
		arena_free(a);
	return rc;
}

struct reading *trained_reader_read(struct arena *a, struct aircon *con, const char *text,
    const struct talk *talk)
{
	if (in_use.mem == NULL) {
		log_msg(LOG_ERROR, "reader", "a message was read before trained_reader_open()");
		abort();
	}
	struct shown shown = { con, talk };
	const struct evidence_source source[SOURCES] = {
		vocabulary_source(in_use.vocabulary), quantity_source(in_use.vocabulary), place_evidence(con),
		encoder_evidence(in_use.encoder), shown_evidence(&shown),
	};
	const struct reader reader = { in_use.model, source, SOURCES };
	return reading_make(a, &reader, text, dialogue_before(a, &aviation_schema, &talk->dialogue, talk->language));
}
