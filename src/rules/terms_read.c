/*
 * From the file of words to the table of phrases. Rows of one kind may rely on those of another, so
 * the file is gone through several times: first what stemming needs, then the rows with concepts,
 * then what refers to them.
 */
#include "rules/terms.h"

#include <stdio.h>
#include <string.h>

#include "base/datafile.h"
#include "base/str.h"
#include "rules/phrase_table.h"
#include "rules/terms_read.h"

enum kind { KIND_TOPIC, KIND_PART, KIND_FAINT, KIND_PLAIN, KIND_NOTHING, KIND_LANGUAGE, KIND_SPEAK,
	KIND_CALLSIGN, KIND_MUST, KIND_SUBJECT, KIND_OWN_STEM, KIND_GRAMMAR, KIND__MAX = KIND_GRAMMAR + GRAMMAR__MAX };

enum { CONCEPTS_MAX = 16 /* of a row */, SPOKEN_MAX = 200 /* bytes */ };

static const struct datafile_name kind_names[] = {
	{ "topic", KIND_TOPIC }, { "part", KIND_PART }, { "faint", KIND_FAINT },
	{ "plain", KIND_PLAIN }, { "nothing", KIND_NOTHING }, { "language", KIND_LANGUAGE },
	{ "speak", KIND_SPEAK }, { "callsign", KIND_CALLSIGN }, { "must", KIND_MUST },
	{ "subject", KIND_SUBJECT },
	{ "own_stem", KIND_OWN_STEM },
	{ "inside", KIND_GRAMMAR + GRAMMAR_INSIDE }, { "abroad", KIND_GRAMMAR + GRAMMAR_ABROAD },
	{ "within", KIND_GRAMMAR + GRAMMAR_WITHIN }, { "towards", KIND_GRAMMAR + GRAMMAR_TOWARDS },
	{ "or", KIND_GRAMMAR + GRAMMAR_OR }, { "class_word", KIND_GRAMMAR + GRAMMAR_CLASS },
	{ "class_letter", KIND_GRAMMAR + GRAMMAR_LETTER },
};

/* The concepts that a row of each kind has, and the kind of term that they are. */
static const struct {
	size_t least, most;
	enum term_kind term;
} kinds[KIND__MAX] = {
	[KIND_TOPIC] = { 1, CONCEPTS_MAX, TERM_TOPIC },
	[KIND_PART] = { 1, CONCEPTS_MAX, TERM_PART },
	[KIND_FAINT] = { 1, CONCEPTS_MAX, TERM_FAINT },
	[KIND_PLAIN] = { 0, 0, TERM_FAINT },
	[KIND_SPEAK] = { 1, 1, TERM_TOPIC },
	[KIND_CALLSIGN] = { 1, 1, TERM_TOPIC },
	[KIND_GRAMMAR + GRAMMAR_ABROAD] = { 1, 1, TERM_TOPIC },
};

/* A row of the file. */
struct entry {
	const struct datafile_row *from;
	enum kind kind;
	const char *says, *hints;
	char **phrase;
	size_t n;
	size_t row;                   /* of the table, for the kinds that have one */
};

struct words_read {
	struct datafile file;
	struct arena *scratch;        /* only while the file is read */
	struct phrase_table *table;
	struct entry *entry;
	size_t phrases[KIND__MAX];    /* of each kind */
	const char **language;
	size_t nlanguages;
};

/* ---- the rows of the file ------------------------------------------------------------- */

/* "topic fis ~ats": kind, concepts, hints; and a row of the table for them. */
static enum errcode read_meaning(struct words_read *w, struct entry *en, struct err *e)
{
	const struct datafile_row *r = en->from;
	const char *says = "", *hints = "";
	size_t n = 0;
	int kind = KIND__MAX;
	for (char *p = r->field[0]; *(p += strspn(p, " \t")) != '\0';) {
		size_t len = strcspn(p, " \t");
		char *word = arena_strndup(w->scratch, p, len);
		p += len;
		if (kind == KIND__MAX) {
			enum errcode rc = datafile_name(&w->file, r, word, kind_names,
			    sizeof(kind_names) / sizeof(kind_names[0]), &kind, e);
			if (rc != OK)
				return rc;
			continue;
		}
		const bool hint = word[0] == '~';
		const char **list = hint ? &hints : &says;
		word += hint;
		if (*word == '\0' || strlen(word) > TERM_BYTES - 2 ||
		    word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789")] != '\0')
			return datafile_fault(&w->file, r, e, "\"%s\" is no name of a concept: 1 to %d small "
			    "letters or digits", word, TERM_BYTES - 2);
		*list = arena_printf(w->scratch, "%s%s%s", *list, **list != '\0' ? " " : "", word);
		n += !hint;
	}
	if (n < kinds[kind].least || n > kinds[kind].most || (n == 0 && *hints != '\0'))
		return datafile_fault(&w->file, r, e, "a row of \"%s\" has %zu to %zu concepts before the "
		    "semicolon", kind_names[kind].name, kinds[kind].least, kinds[kind].most);
	en->kind = (enum kind)kind;
	en->says = says;
	en->hints = hints;
	if (kind > KIND_PLAIN)
		return OK;
	struct phrase_table *t = w->table;
	en->row = t->nrows;
	t->row[t->nrows++] = (struct synonym_row){ .kind = kinds[kind].term, .says = arena_strdup(t->mem, says),
		.hints = arena_strdup(t->mem, hints), .line = r->line };
	return OK;
}

static enum errcode read_entries(struct words_read *w, struct err *e)
{
	enum errcode rc = OK;
	for (size_t i = 0; rc == OK && i < w->file.n; i++) {
		struct entry *en = &w->entry[i];
		en->from = &w->file.row[i];
		if (i > 0 && streq(en->from->field[0], en[-1].from->field[0]))
			*en = (struct entry){ .from = en->from, .kind = en[-1].kind, .says = en[-1].says,
				.hints = en[-1].hints, .row = en[-1].row };
		else
			rc = read_meaning(w, en, e);
		if (rc == OK)
			rc = datafile_list(&w->file, en->from, 1, w->scratch, &en->phrase, &en->n, e);
		/* a phrase has one meaning, but may also be part of the grammar */
		for (size_t k = 0; rc == OK && k < en->n; k++)
			rc = datafile_once(&w->file, en->from,
			    en->kind <= KIND_NOTHING ? KIND_TOPIC : (int)en->kind, en->phrase[k], e);
		if (rc == OK)
			w->phrases[en->kind] += en->n;
	}
	return rc;
}

/* The row that says the concept of an entry, and nothing else. */
static enum errcode row_of(const struct words_read *w, const struct entry *en, const struct synonym_row **row,
    struct err *e)
{
	const struct phrase_table *t = w->table;
	for (size_t i = 0; i < t->nrows; i++)
		if (streq(t->row[i].says, en->says)) {
			*row = &t->row[i];
			return OK;
		}
	return datafile_fault(&w->file, en->from, e, "no row has the concept \"%s\" alone", en->says);
}

/* ---- what each kind does with a phrase ------------------------------------------------ */

typedef enum errcode take_fn(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e);

static const char *stem_of(const struct words_read *w, const char *word)
{
	size_t n = strlen(word);
	char *stem = arena_strndup(w->table->mem, word, n);
	stem[phrase_table_stem(w->table, stem, n)] = '\0';
	return stem;
}

/* The fault of a phrase that could not be added. For some callers PHRASE_THERE is no fault. */
static enum errcode refused(const struct words_read *w, const struct entry *en, const char *phrase,
    enum phrase_added added, struct err *e)
{
	if (added == PHRASE_LONG)
		return datafile_fault(&w->file, en->from, e, "\"%s\" has more than %d words", phrase,
		    PHRASE_WORDS);
	if (added == PHRASE_FULL)
		return datafile_fault(&w->file, en->from, e, "there are more than %d phrases, or %d long "
		    "words", PHRASES_MAX, GUESSES_MAX);
	return OK;
}

static enum errcode take_own_stem(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	struct stems *s = &w->table->own;
	(void)en;
	(void)e;
	s->stem[s->n++] = arena_strdup(w->table->mem, phrase);
	return OK;
}

static enum errcode take_stem(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	struct stems *s = &w->table->grammar[(int)en->kind - KIND_GRAMMAR];
	(void)e;
	s->stem[s->n++] = stem_of(w, phrase);
	return OK;
}

static enum errcode take_abroad(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	struct phrase_table *t = w->table;
	enum errcode rc = row_of(w, en, &t->border, e);
	if (rc != OK)
		return rc;
	t->border_term = arena_printf(t->mem, "0%s", t->border->says);
	return take_stem(w, en, phrase, e);
}

static enum errcode take_phrase(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	const struct synonym_row *other = NULL, *row = &w->table->row[en->row];
	enum phrase_added added = phrase_table_add(w->table, phrase, en->row, &other);
	if (added == PHRASE_THERE && (other->kind != row->kind || !streq(other->says, row->says) ||
	    !streq(other->hints, row->hints)))
		return datafile_fault(&w->file, en->from, e, "\"%s\" has the same stems as a phrase of the "
		    "rows from line %zu on, which mean something else", phrase, other->line);
	return refused(w, en, phrase, added, e);
}

static enum errcode take_language(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	(void)en;
	(void)e;
	w->language[w->nlanguages++] = phrase;
	return OK;
}

/* The phrase with each language in place of "?". */
static enum errcode take_speak(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	const struct synonym_row *row = NULL;
	const char *at = strchr(phrase, '?');
	enum errcode rc = row_of(w, en, &row, e);
	if (rc != OK)
		return rc;
	if (at == NULL)
		return datafile_fault(&w->file, en->from, e, "\"%s\" has no ? for the language", phrase);
	for (size_t i = 0; rc == OK && i < w->nlanguages; i++) {
		char whole[SPOKEN_MAX];
		if ((size_t)snprintf(whole, sizeof(whole), "%.*s%s%s", (int)(at - phrase), phrase,
		    w->language[i], at + 1) >= sizeof(whole))
			return datafile_fault(&w->file, en->from, e, "\"%s\" is longer than %d bytes", phrase,
			    SPOKEN_MAX - 1);
		rc = refused(w, en, phrase, phrase_table_add_exact(w->table, whole,
		    (size_t)(row - w->table->row)), e);
	}
	return rc;
}

static enum errcode take_nothing(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	return refused(w, en, phrase, phrase_table_add_plain(w->table, phrase), e);
}

static enum errcode take_callsign(struct words_read *w, const struct entry *en, const char *phrase,
    struct err *e)
{
	const struct synonym_row *row = NULL;
	enum errcode rc = row_of(w, en, &row, e);
	if (rc == OK)
		w->table->callsign[w->table->ncallsigns++] = (struct callsign){ stem_of(w, phrase), row };
	return rc;
}

static bool says(const struct synonym_row *row, const char *concept)
{
	const char *list = row->says;
	for (struct str one; str_part(&list, ' ', &one);)
		if (str_eq(one, concept))
			return true;
	return false;
}

/* Mark the rows that say this concept. */
static enum errcode take_must(struct words_read *w, const struct entry *en, const char *concept, struct err *e)
{
	struct phrase_table *t = w->table;
	bool found = false;

	if (t->nmust == TERMS_MUST)
		return datafile_fault(&w->file, en->from, e, "there are more than %d concepts in rows of \"must\" and \"subject\"", TERMS_MUST);
	for (size_t i = 0; i < t->nrows; i++)
		if (says(&t->row[i], concept))
			t->row[i].must = found = true;
	if (!found)
		return datafile_fault(&w->file, en->from, e, "no row has the concept \"%s\"", concept);
	t->subject[t->nmust] = en->kind == KIND_SUBJECT;
	t->must[t->nmust++] = arena_strdup(t->mem, concept);
	return OK;
}

/* ---- the table -------------------------------------------------------------------------- */

/* In this order; rows of one pass in the order of the file. */
static const struct pass {
	enum kind first, last;
	take_fn *take;
} passes[] = {
	{ KIND_OWN_STEM, KIND_OWN_STEM, take_own_stem },
	{ KIND_GRAMMAR, KIND_GRAMMAR + GRAMMAR_ABROAD - 1, take_stem },
	{ KIND_GRAMMAR + GRAMMAR_ABROAD, KIND_GRAMMAR + GRAMMAR_ABROAD, take_abroad },
	{ KIND_GRAMMAR + GRAMMAR_ABROAD + 1, KIND__MAX - 1, take_stem },
	{ KIND_TOPIC, KIND_PLAIN, take_phrase },
	{ KIND_LANGUAGE, KIND_LANGUAGE, take_language },
	{ KIND_SPEAK, KIND_SPEAK, take_speak },
	{ KIND_NOTHING, KIND_NOTHING, take_nothing },
	{ KIND_CALLSIGN, KIND_CALLSIGN, take_callsign },
	{ KIND_MUST, KIND_SUBJECT, take_must },
};

static enum errcode run_pass(struct words_read *w, const struct pass *pass, struct err *e)
{
	enum errcode rc = OK;
	for (size_t i = 0; rc == OK && i < w->file.n; i++) {
		const struct entry *en = &w->entry[i];
		if (en->kind >= pass->first && en->kind <= pass->last)
			for (size_t k = 0; rc == OK && k < en->n; k++)
				rc = pass->take(w, en, en->phrase[k], e);
	}
	return rc;
}

static enum errcode fill(struct words_read *w, struct err *e)
{
	struct phrase_table *t = w->table;
	const size_t *n = w->phrases;
	w->entry = arena_array(w->scratch, w->file.n, sizeof(*w->entry));
	t->row = arena_array(t->mem, w->file.n, sizeof(*t->row));
	enum errcode rc = read_entries(w, e);
	w->language = arena_array(w->scratch, n[KIND_LANGUAGE], sizeof(*w->language));
	t->own.stem = arena_array(t->mem, n[KIND_OWN_STEM], sizeof(*t->own.stem));
	for (size_t i = 0; i < GRAMMAR__MAX; i++)
		t->grammar[i].stem = arena_array(t->mem, n[KIND_GRAMMAR + i], sizeof(*t->grammar[i].stem));
	t->callsign = arena_array(t->mem, n[KIND_CALLSIGN], sizeof(*t->callsign));
	for (size_t i = 0; rc == OK && i < sizeof(passes) / sizeof(passes[0]); i++)
		rc = run_pass(w, &passes[i], e);
	if (rc == OK && !phrase_table_countries(t))
		rc = err_set(e, ERR_CONFIG, "%s: there are more than %d phrases with the names of countries",
		    w->file.path, PHRASES_MAX);
	return rc;
}

enum errcode terms_read(struct phrase_table **out, const char *path, struct err *e)
{
	struct arena *a = arena_new();
	struct words_read w = { .scratch = arena_new(), .table = arena_alloc(a, sizeof(*w.table)) };
	w.table->mem = a;
	enum errcode rc = datafile_read(&w.file, w.scratch, path, 2, 2, e);
	if (rc == OK)
		rc = fill(&w, e);
	arena_free(w.scratch);
	*out = rc == OK ? w.table : NULL;
	if (rc != OK)
		arena_free(a);
	return rc;
}

/* The table is never freed. */
enum errcode terms_open(const char *data_dir, struct err *e)
{
	static struct phrase_table *table;
	if (table != NULL)
		return OK;
	struct arena *a = arena_new();
	enum errcode rc = terms_read(&table,
	    arena_printf(a, "%s/conf/language/en/rule_topics.txt", data_dir), e);
	arena_free(a);
	if (rc == OK)
		phrase_table_use(table);
	return rc;
}
