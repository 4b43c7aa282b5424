/*
 * Phrases are found by their folded text in a hash table, whose slots hold only their numbers: it is read at
 * each word of a text, and more than half of it is empty.
 */
#include "airports/notice_words.h"

#include <string.h>

#include "base/str.h"

struct notice_words {
	struct notice_phrase *phrase; /* [0] is the one that is not known */
	size_t n;
	uint16_t *slot;               /* 0: empty */
	size_t nslots;                /* a power of two */
};

static const char *const names[] = {
#define NOTICE_WORD_NAME(id, name) name,
	NOTICE_WORDS(NOTICE_WORD_NAME)
#undef NOTICE_WORD_NAME
};
_Static_assert(NOTICE_WORD__MAX <= 64, "the meanings are bits of a 64-bit number");

static uint16_t *slot_of(const struct notice_words *w, const char *text)
{
	size_t i = (size_t)str_hash(text) & (w->nslots - 1);

	while (w->slot[i] != 0 && !streq(w->phrase[w->slot[i]].text, text))
		i = (i + 1) & (w->nslots - 1);
	return &w->slot[i];
}

const struct notice_phrase *notice_phrase_find(const struct notice_words *w, const char *text)
{
	return &w->phrase[*slot_of(w, text)];
}

/* The phrase with this text, which is added if it is new. */
static struct notice_phrase *phrase_of(struct notice_words *w, const char *text)
{
	uint16_t *slot = slot_of(w, text);

	if (*slot == 0) {
		*slot = (uint16_t)++w->n;
		w->phrase[w->n].text = text;
	}
	return &w->phrase[*slot];
}

static enum errcode read_row(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct err *e)
{
	size_t kind = 0;
	char **word;
	size_t n;
	double value = -1;

	while (kind < NOTICE_WORD__MAX && !streq(names[kind], r->field[0]))
		kind++;
	if (kind == NOTICE_WORD__MAX)
		return datafile_fault(d, r, e, "\"%s\" is not a kind of word", r->field[0]);
	if (*r->field[2] != '\0' && !(str_to_double(r->field[2], &value) && value >= 0 && value <= 999))
		return datafile_fault(d, r, e, "\"%s\" is not a number from 0 to 999", r->field[2]);
	if ((kind == NOTICE_WORD_DAY || kind == NOTICE_WORD_MONTH_OR_DAY) && !(value >= 0 && value <= 6))
		return datafile_fault(d, r, e, "a day is a number from 0 (Monday) to 6 (Sunday)");
	if (datafile_list(d, r, 1, f->scratch, &word, &n, e) != OK)
		return ERR_CONFIG;
	for (size_t i = 0; i < n; i++) {
		char *text = str_fold(f->mem, word[i]);
		struct notice_phrase *p;

		if (strlen(text) >= NOTICE_PHRASE_BYTES)
			return datafile_fault(d, r, e, "\"%s\" is too long", text);
		p = phrase_of(f->notice_words, text);
		p->means |= UINT64_C(1) << kind;
		if (value >= 0)
			p->value = value;
	}
	return OK;
}

enum errcode notice_words_read(struct facts *f, struct datafile *d, struct err *e)
{
	size_t words = 0;
	enum errcode rc = OK;

	f->notice_words = arena_alloc(f->mem, sizeof(*f->notice_words));
	for (size_t i = 0; i < d->n; i++) {
		words++;
		for (const char *p = d->row[i].field[1]; *p != '\0'; p++)
			words += *p == ',';
	}
	if (words >= UINT16_MAX)
		return datafile_fault(d, &d->row[0], e, "%zu words are too many", words);
	f->notice_words->nslots = 64;
	while (f->notice_words->nslots < 2 * words)
		f->notice_words->nslots *= 2;
	f->notice_words->slot = arena_array(f->mem, f->notice_words->nslots, sizeof(*f->notice_words->slot));
	f->notice_words->phrase = arena_array(f->mem, words + 1, sizeof(*f->notice_words->phrase));
	for (size_t i = 0; i < d->n && rc == OK; i++)
		rc = read_row(f, d, &d->row[i], e);
	return rc;
}
