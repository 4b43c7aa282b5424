/*
 * The texts of the AIP in an answer on one airport.
 */
#ifndef AGENTS_AVIATION_BUILTIN_WRITER_AIP_H
#define AGENTS_AVIATION_BUILTIN_WRITER_AIP_H

#include "agents/aviation/builtin/writer.h"

/* A longer text is cut. */
enum { AIP_VALUE_MAX = 240 };

/* The text of the first field whose name begins so (field NULL: none); NULL: there is none. Borrowed. */
const char *aip_value(const struct answer *w, const char *field);
/* The lines of all fields whose names begin so. */
void write_aip_field(const struct answer *w, const char *field);
/* The fields that a visiting pilot needs first, under their headings. */
void write_aip(const struct answer *w);
/* Is a text of our sample among them? */
bool aip_has_sample(const struct answer *w);

#endif
