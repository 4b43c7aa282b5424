/*
 * Builds the indexes. Questions and answers are written into them as terms (rules/terms.h), so that
 * the full-text tokenizer has nothing to decide.
 */
#include "rules/lexical_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

enum {
	/* bytes of a document's column; text after them is not found */
	COLUMN_MAX = 1 << 20,
	KEYS_MAX = 1 << 16,
};

/* How much each kind of term tells. */
static const double kind_weight[TERM__MAX] = {
	[TERM_TOPIC] = 1.0, [TERM_PART] = 0.45, [TERM_WORD] = 0.25, [TERM_FAINT] = 0.1,
	[TERM_NAME] = 0.03,
};
/* A topic that is in no rule: a request for it must not be answered by the rest of its words. */
static const double UNHEARD = 2.0;

/* The weights with which bm25 picks candidates. */
static const double question_columns[FTS_COLUMNS] = {
	[COL_SAID] = 4.0, [COL_NEAR] = 2.0, [COL_TAGS] = 1.5, [COL_CATEGORY] = 1.0,
};
static const double answer_columns[FTS_COLUMNS] = { 1.0, 0.0, 0.0, 0.0 };

void lexical_key(char out[KEY_SIZE], const char *code)
{
	size_t n = 0;

	for (; *code != '\0' && n + 2 < KEY_SIZE; code++) {
		unsigned char c = (unsigned char)ascii_upper(*code);

		out[n++] = (char)('a' + (c >> 4));
		out[n++] = (char)('a' + (c & 15));
	}
	out[n] = '\0';
}

/* -- terms of a document -- */

struct lexical_said {
	const char *term;
	struct term_how how;
};

struct lexical_document {
	struct arena *mem;           /* of the index: vocabulary stays */
	struct lexical_said *said;           /* each once */
	size_t n, room;
	uint64_t *must;
};

static void document_term(void *arg, const char *term, struct term_how how)
{
	struct lexical_document *d = arg;

	*d->must |= lexical_must_bit(how);
	for (size_t i = 0; i < d->n; i++)
		if (streq(d->said[i].term, term)) {
			if (!how.hint)
				d->said[i].how = how;
			return;
		}
	if (d->n < d->room)
		d->said[d->n++] = (struct lexical_said){ arena_strdup(d->mem, term), how };
}

uint64_t lexical_must_bit(struct term_how how)
{
	return how.must > 0 ? (uint64_t)1 << (how.must - 1) : 0;
}

static void put_token(struct buf *b, const char *term)
{
	if (b->n > 0)
		buf_putc(b, ' ');
	buf_puts(b, term);
}

/* Where the terms of a text go. */
struct lexical_column {
	struct buf *to;
	uint64_t *must;
	bool answer;                 /* the text is an answer: a subject that it mentions is not that of the rule */
};

static void column_term(void *arg, const char *term, struct term_how how)
{
	const struct lexical_column *c = arg;

	*c->must |= c->answer && how.subject ? 0 : lexical_must_bit(how);
	if (!how.hint || how.kind == TERM_TOPIC)
		put_token(c->to, term);
}

/* -- questions -- */

enum { QUESTION_TERMS = 64 };    /* of one question; the first ones */

struct lexical_building {
	struct lexical *l;
	struct buf column[FTS_COLUMNS], keys;
	struct lexical_said *said;           /* of all questions, QUESTION_TERMS each */
	size_t *nsaid;
};

static void collect_question(struct lexical_building *b, const struct rule_question *q)
{
	struct lexical_document d = { b->l->mem, b->said + q->index * QUESTION_TERMS, 0, QUESTION_TERMS,
		&b->l->musts[q->index].question };

	terms_each(q->text, document_term, &d);
	terms_each(q->prefix, document_term, &d);
	terms_each(q->raw, document_term, &d);
	b->nsaid[q->index] = d.n;
	for (size_t i = 0; i < d.n; i++)
		b->l->topic[q->index] |= d.said[i].how.kind == TERM_TOPIC && !d.said[i].how.hint;
	b->l->ntopics += b->l->topic[q->index];
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void make_vocabulary(struct lexical_building *b)
{
	struct lexical *l = b->l;
	size_t n = 0;

	for (size_t i = 0; i < l->base->nquestions; i++)
		n += b->nsaid[i];
	l->said = arena_array(l->mem, n + 1, sizeof(*l->said));
	l->near = arena_array(l->mem, n + 1, sizeof(*l->near));
	for (size_t i = 0; i < l->base->nquestions; i++)
		for (size_t k = 0; k < b->nsaid[i]; k++) {
			const struct lexical_said *t = &b->said[i * QUESTION_TERMS + k];

			if (t->how.hint)
				l->near[l->nnear++] = t->term;
			else
				l->said[l->nsaid++] = t->term;
		}
	qsort(l->said, l->nsaid, sizeof(*l->said), by_text);
	qsort(l->near, l->nnear, sizeof(*l->near), by_text);
}

/* How many questions of a sorted list have this term. */
static size_t times(const char *const *list, size_t n, const char *term)
{
	size_t low = 0, high = n, count = 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(list[mid], term) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	while (low + count < n && streq(list[low + count], term))
		count++;
	return count;
}

double lexical_weight(const struct lexical *l, const char *term, enum term_kind kind)
{
	double all = (double)l->base->nquestions + 1;
	size_t have = times(l->said, l->nsaid, term) + times(l->near, l->nnear, term);

	if (have == 0 && kind == TERM_TOPIC)
		return UNHEARD;
	return kind_weight[kind] * log(all / ((double)have + 0.5)) / log(all / 0.5);
}

static enum errcode add_question(struct lexical_building *b, const struct rule_question *q,
    struct err *e)
{
	struct lexical *l = b->l;
	const struct lexical_said *said = b->said + q->index * QUESTION_TERMS;
	const char *columns[FTS_COLUMNS];
	char key[KEY_SIZE];

	for (size_t i = 0; i < FTS_COLUMNS; i++)
		buf_clear(&b->column[i]);
	buf_clear(&b->keys);
	for (size_t i = 0; i < b->nsaid[q->index]; i++) {
		put_token(&b->column[said[i].how.hint ? COL_NEAR : COL_SAID], said[i].term);
		if (!said[i].how.hint)
			l->weight[q->index] += lexical_weight(l, said[i].term, said[i].how.kind);
	}
	for (size_t i = 0; i < q->ntags; i++) {
		struct terms t = terms_of(l->mem, q->tags[i]);

		for (size_t k = 0; k < t.n; k++) {
			l->musts[q->index].question |= lexical_must_bit(t.how[k]);
			if (!t.how[k].hint)
				put_token(&b->column[COL_TAGS], t.term[k]);
		}
	}
	terms_each(q->category, column_term, &(struct lexical_column){ &b->column[COL_CATEGORY], &l->musts[q->index].question, false });
	for (size_t i = 0; i < q->nentries; i++) {
		lexical_key(key, q->entries[i].country);
		put_token(&b->keys, key);
	}
	for (size_t i = 0; i < FTS_COLUMNS; i++)
		columns[i] = b->column[i].p;
	return fts_add(l->questions, (int64_t)q->index, b->keys.p, columns, e);
}

static enum errcode add_answers(struct lexical_building *b, const struct rule_question *q,
    struct err *e)
{
	struct lexical_musts *musts = &b->l->musts[q->index];
	enum errcode rc = OK;

	musts->answer = arena_array(b->l->mem, q->nentries + 1, sizeof(*musts->answer));
	for (size_t i = 0; rc == OK && i < q->nentries && i < 1U << ANSWER_BITS; i++) {
		const char *columns[FTS_COLUMNS] = { NULL };
		char key[KEY_SIZE];

		buf_clear(&b->column[0]);
		terms_each(q->entries[i].text, column_term, &(struct lexical_column){ &b->column[0], &musts->answer[i], true });
		columns[0] = b->column[0].p;
		lexical_key(key, q->entries[i].country);
		rc = fts_add(b->l->answers, (int64_t)(q->index << ANSWER_BITS | i), key, columns, e);
	}
	return rc;
}

static void make_tags(struct lexical *l)
{
	l->tags = arena_array(l->mem, l->base->ntags + 1, sizeof(*l->tags));
	for (; l->ntags < l->base->ntags; l->ntags++) {
		const char *tag = l->base->tags[l->ntags];

		l->tags[l->ntags] = (struct lexical_tag){ tag, terms_of(l->mem, tag) };
	}
}

static enum errcode fill(struct lexical_building *b, struct err *e)
{
	struct lexical *l = b->l;
	const struct rule_question *q = l->base->questions;
	size_t n = l->base->nquestions;
	enum errcode rc = OK;

	for (size_t i = 0; i < n; i++)
		collect_question(b, &q[i]);
	make_vocabulary(b);
	for (size_t i = 0; rc == OK && i < n; i++) {
		if (q[i].nentries == 0)
			continue;
		rc = add_question(b, &q[i], e);
		if (rc == OK)
			rc = add_answers(b, &q[i], e);
	}
	if (rc == OK)
		rc = fts_ready(l->questions, e);
	if (rc == OK)
		rc = fts_ready(l->answers, e);
	make_tags(l);
	return rc;
}

enum errcode lexical_index_build(struct lexical **out, const struct rulebase *base, struct err *e)
{
	struct arena *mem = arena_new(), *scratch = arena_new();
	struct lexical *l = arena_alloc(mem, sizeof(*l));
	struct lexical_building b = { .l = l };
	enum errcode rc;

	*out = NULL;
	l->mem = mem;
	l->base = base;
	l->weight = arena_array(mem, base->nquestions + 1, sizeof(*l->weight));
	l->topic = arena_array(mem, base->nquestions + 1, sizeof(*l->topic));
	l->musts = arena_array(mem, base->nquestions + 1, sizeof(*l->musts));
	b.said = arena_array(scratch, base->nquestions + 1, QUESTION_TERMS * sizeof(*b.said));
	b.nsaid = arena_array(scratch, base->nquestions + 1, sizeof(*b.nsaid));
	for (size_t i = 0; i < FTS_COLUMNS; i++)
		buf_init(&b.column[i], COLUMN_MAX);
	buf_init(&b.keys, KEYS_MAX);
	rc = fts_open(&l->questions, question_columns, e);
	if (rc == OK)
		rc = fts_open(&l->answers, answer_columns, e);
	if (rc == OK)
		rc = fill(&b, e);
	for (size_t i = 0; i < FTS_COLUMNS; i++)
		buf_release(&b.column[i]);
	buf_release(&b.keys);
	arena_free(scratch);
	if (rc != OK) {
		lexical_index_free(l);
		return rc;
	}
	*out = l;
	return OK;
}

void lexical_index_free(struct lexical *l)
{
	if (l == NULL)
		return;
	fts_close(l->questions);
	fts_close(l->answers);
	arena_free(l->mem);
}
