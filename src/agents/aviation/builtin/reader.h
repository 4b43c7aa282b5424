/*
 * What is needed to read a message: memory for the result, the vocabularies, the data that tells
 * names from ordinary words, and the effort that may be used.
 */
#ifndef AGENTS_AVIATION_BUILTIN_READER_H
#define AGENTS_AVIATION_BUILTIN_READER_H

#include "agents/aviation/builtin/effort.h"
#include "agents/aviation/builtin/lexicon.h"
#include "airports/airdb.h"
#include "base/arena.h"

struct rulebase;

struct reader {
	struct arena *mem;
	const struct lexicon *airports, *rules;
	const struct rulebase *base;  /* NULL: no rules are loaded */
	struct aircon *con;           /* NULL: there is no airport database */
	struct effort *effort;        /* NULL: effort is not counted */
};

#endif
