/*
 * Each term has a weight: the rarer, the heavier. The relevance of a piece is the weight of the
 * terms that it has, divided by the weight of all. So a question of which the documents know little
 * finds nothing, even if one of its words is in many of them.
 *
 * A term counts fully where the text says it, nearly so where a heading does, and in part where
 * another piece under the same heading does, because an answer is often longer than a piece. The
 * question's own word counts more than another one of the same meaning. Of pieces that are equally
 * relevant the one whose heading says more of the question comes first.
 */
#include "knowledge/by_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "drivers/db.h"

static const double IN_HEADING = 0.9, IN_SECTION = 0.6, SAME_MEANING = 0.85, TITLE_BONUS = 0.2;
/* how common a word counts that no document has: the question may word something differently */
static const double UNKNOWN_IN = 2;

static const char SQL_TEXT[] = "SELECT rowid FROM words WHERE words MATCH '{text} : (' || ?1 || ')'";
static const char SQL_HEADING[] =
    "SELECT rowid FROM words WHERE words MATCH '{heading} : (' || ?1 || ')'";
static const char SQL_OWN[] = "SELECT rowid FROM words WHERE words MATCH '\"' || ?1 || '\"'";
static const char SQL_PLACE[] = "SELECT document, heading FROM chunks WHERE id = ?1";

/* What is known of a piece during a search, by its id - 1. */
struct said {
	uint32_t text, heading;       /* bit i: it says term i there */
	uint32_t own;                 /* … in the question's own word */
};

struct candidate {
	int64_t id, document;
	const char *heading;
	uint32_t text, title, own;
	uint32_t section;             /* the texts under the same heading together */
	double relevance, order;
};

struct scorer {
	size_t chunks, nterms;
	struct said *said;
	double weight[QUERY_TERMS], all;
};

/* "a" OR "b c" */
static void any_of(struct buf *out, const struct query_term *t)
{
	for (size_t i = 0; i < t->n; i++)
		buf_printf(out, "%s\"%s\"", i > 0 ? " OR " : "", t->phrases[i]);
}

static enum errcode mark(struct scorer *s, struct db *db, const char *sql, const char *match,
    size_t term, struct err *e)
{
	struct db_stmt *q = db_query(db, sql, e, DB_TEXT(match));
	const uint32_t bit = UINT32_C(1) << term;
	enum db_step step;
	while ((step = db_step(q, e)) == DB_ROW) {
		int64_t id = db_int_at(q, 0);
		if (id < 1 || (size_t)id > s->chunks)
			continue;
		struct said *c = &s->said[id - 1];
		*(sql == SQL_TEXT ? &c->text : sql == SQL_HEADING ? &c->heading : &c->own) |= bit;
	}
	return db_end(q, step, e);
}

static void weigh(struct scorer *s, size_t term)
{
	const uint32_t bit = UINT32_C(1) << term;
	double have = 0, all = (double)s->chunks;
	for (size_t i = 0; i < s->chunks; i++)
		have += ((s->said[i].text | s->said[i].heading) & bit) != 0;
	if (have < UNKNOWN_IN)
		have = UNKNOWN_IN;
	s->weight[term] = log(1 + (all + 1) / (have + 0.5));
	s->all += s->weight[term];
}

static void judge(const struct scorer *s, struct candidate *c)
{
	double sum = 0, titles = 0;
	for (size_t i = 0; i < s->nterms; i++) {
		const uint32_t bit = UINT32_C(1) << i;
		double part = c->text & bit ? 1 : c->title & bit ? IN_HEADING : c->section & bit ? IN_SECTION : 0;
		if (!(c->own & bit))
			part *= SAME_MEANING;
		sum += part * s->weight[i];
		titles += c->title & bit ? s->weight[i] : 0;
	}
	c->relevance = s->all > 0 ? sum / s->all : 0;
	c->order = s->all > 0 ? (sum + TITLE_BONUS * titles) / s->all : 0;
}

static int by_order(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;
	if (a->order != b->order)
		return a->order > b->order ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static enum errcode place(struct db *db, struct arena *a, struct candidate *c, struct err *e)
{
	struct db_stmt *q = db_query(db, SQL_PLACE, e, DB_INT(c->id));
	enum db_step step = db_step(q, e);
	c->heading = "";
	if (step == DB_ROW) {
		c->document = db_int_at(q, 0);
		c->heading = arena_strdup(a, db_text(q, 1) != NULL ? db_text(q, 1) : "");
	}
	return db_end(q, step, e);
}

/* The best pieces by themselves, then again with what stands beside them. */
static enum errcode rank(struct scorer *s, struct db *db, struct arena *a, struct candidate *all,
    size_t *n, struct err *e)
{
	enum errcode rc = OK;
	qsort(all, *n, sizeof(*all), by_order);
	if (*n > POOL)
		*n = POOL;
	for (size_t i = 0; i < *n && rc == OK; i++)
		rc = place(db, a, &all[i], e);
	for (size_t i = 0; i < *n && rc == OK; i++)
		for (size_t k = 0; k < *n; k++)
			if (all[k].document == all[i].document && streq(all[k].heading, all[i].heading))
				all[i].section |= all[k].text;
	for (size_t i = 0; i < *n && rc == OK; i++)
		judge(s, &all[i]);
	qsort(all, *n, sizeof(*all), by_order);
	return rc;
}

enum errcode by_words(struct db *db, struct arena *a, size_t chunks, const struct query_term *terms,
    size_t nterms, double least, struct chunk_hit hits[POOL], size_t *n, struct err *e)
{
	struct scorer s = { .chunks = chunks, .nterms = nterms };
	struct buf match;
	enum errcode rc = OK;
	size_t found = 0;

	*n = 0;
	s.said = arena_array(a, chunks, sizeof(*s.said));
	buf_init(&match, 64 << 10);
	for (size_t i = 0; i < nterms && rc == OK; i++) {
		buf_clear(&match);
		any_of(&match, &terms[i]);
		rc = mark(&s, db, SQL_TEXT, match.p, i, e);
		if (rc == OK)
			rc = mark(&s, db, SQL_HEADING, match.p, i, e);
		if (rc == OK)
			rc = mark(&s, db, SQL_OWN, terms[i].own, i, e);
		weigh(&s, i);
	}
	buf_release(&match);
	if (rc != OK)
		return rc;
	struct candidate *all = arena_array(a, chunks, sizeof(*all));
	for (size_t i = 0; i < chunks; i++) {
		struct candidate c = { .id = (int64_t)i + 1, .text = s.said[i].text,
			.title = s.said[i].heading, .own = s.said[i].own };
		judge(&s, &c);
		if (c.text != 0 || c.title != 0)
			all[found++] = c;
	}
	rc = rank(&s, db, a, all, &found, e);
	for (size_t i = 0; i < found && rc == OK; i++)
		if (all[i].relevance >= least)
			hits[(*n)++] = (struct chunk_hit){ all[i].id, all[i].relevance, all[i].order };
	return rc;
}
