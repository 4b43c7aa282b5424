/*
 * Reading conf/language/LANGUAGE/replies.txt. A translation is checked against the English file.
 */
#include "agents/aviation/builtin/replies_own.h"

#include <stdlib.h>
#include <string.h>

#include "agents/aviation/messages.h"
#include "base/datafile.h"
#include "base/log.h"
#include "base/str.h"
#include "language/languages.h"

enum { VALUE_BYTES = 32 };

#define NAMES(rows) rows, sizeof(rows) / sizeof((rows)[0])

#define REPLY_NAME(constant, name) { name, REPLY_##constant },
static const struct datafile_name names[] = { REPLIES(REPLY_NAME) };

/* What is read, and the file that it comes from. */
struct reading_replies {
	struct reply_texts *to;
	const struct reply_texts *english;    /* NULL: this is the English file */
	struct arena *mem;
	const struct datafile *d;
};

/* ---- values ---------------------------------------------------------------------------- */

static const char *meant_by(const struct reply_value *v)
{
	return v->as != NULL ? v->as : v->name;
}

/* Does a text have this value, in any form? Its values are known. */
static bool has_value(const char *text, const struct reply_value *v)
{
	for (const char *p = strchr(text, '{'); p != NULL; p = strchr(p + 1, '{'))
		if (streq(meant_by(reply_value_named(p + 1)), meant_by(v)))
			return true;
	return false;
}

/* Every value of a text must exist. */
static enum errcode check_values(const struct reading_replies *g, const struct datafile_row *r,
    const char *text, struct err *e)
{
	for (const char *p = strchr(text, '{'); p != NULL; p = strchr(p + 1, '{')) {
		const int n = (int)strcspn(p, "}");
		if (reply_value_named(p + 1) == NULL)
			return datafile_fault(g->d, r, e, "\"%.*s}\" is not one of the values that are named at the top of the file",
			    n < VALUE_BYTES ? n : VALUE_BYTES, p);
	}
	return OK;
}

/* A translation has the values of the English text. */
static enum errcode compare_values(const struct reading_replies *g, const struct datafile_row *r,
    const char *text, const char *english, struct err *e)
{
	for (const char *p = strchr(text, '{'); p != NULL; p = strchr(p + 1, '{'))
		if (!has_value(english, reply_value_named(p + 1)))
			return datafile_fault(g->d, r, e, "\"{%s}\" is not in the English text",
			    reply_value_named(p + 1)->name);
	for (const char *p = strchr(english, '{'); p != NULL; p = strchr(p + 1, '{')) {
		const struct reply_value *v = reply_value_named(p + 1);
		if (!v->optional && !has_value(text, v))
			return datafile_fault(g->d, r, e, "\"{%s}\" of the English text is missing", v->name);
	}
	return OK;
}

/* ---- rows ------------------------------------------------------------------------------ */

enum { OF_RULES = 1, OFFERS = 2, EXAMPLE = 4 };

/* "weather offer", "offer rules example" */
static enum errcode read_key(const struct reading_replies *g, const struct datafile_row *r, int *name, int *how,
    struct err *e)
{
	static const struct datafile_name words[] = {
		{ "rules", OF_RULES }, { "offer", OFFERS }, { "example", EXAMPLE },
	};
	const char *list = r->field[0];
	enum errcode rc = OK;
	struct str word;
	int bit;

	*name = -1;
	*how = 0;
	while (rc == OK && str_part(&list, ' ', &word)) {
		const char *s = arena_strndup(g->d->mem, word.p, word.n);
		if (*name < 0)
			rc = datafile_name(g->d, r, s, names, REPLY__MAX, name, e);
		else if ((rc = datafile_name(g->d, r, s, NAMES(words), &bit, e)) == OK)
			*how |= bit;
	}
	return rc;
}

static enum errcode add_example(const struct reading_replies *g, const struct datafile_row *r,
    struct reply_row *row, const struct reply_row *english, const char *text, struct err *e)
{
	if (row->n == REPLY_EXAMPLES)
		return datafile_fault(g->d, r, e, "there are more than %d examples of it", REPLY_EXAMPLES);
	if (english != NULL && row->n == english->n)
		return datafile_fault(g->d, r, e, "there are more examples of it than in English");
	if (english != NULL && compare_values(g, r, text, english->example[row->n], e) != OK)
		return ERR_CONFIG;
	row->example[row->n++] = text;
	return OK;
}

static enum errcode add_text(const struct reading_replies *g, const struct datafile_row *r,
    struct reply_row *row, const struct reply_row *english, const char *text, bool offer, struct err *e)
{
	if (row->text != NULL)
		return datafile_fault(g->d, r, e, "\"%s\" has a row already", r->field[0]);
	if (english != NULL && (english->text == NULL || english->offer != offer))
		return datafile_fault(g->d, r, e, "English has no row \"%s\"", r->field[0]);
	if (english != NULL && compare_values(g, r, text, english->text, e) != OK)
		return ERR_CONFIG;
	row->text = text;
	row->offer = offer;
	return OK;
}

static enum errcode read_row(const struct reading_replies *g, const struct datafile_row *r, struct err *e)
{
	const char *text = arena_strdup(g->mem, r->field[1]);
	int name, how;
	enum errcode rc = check_values(g, r, text, e);

	if (rc == OK)
		rc = read_key(g, r, &name, &how, e);
	if (rc != OK)
		return rc;
	const bool rules = (how & OF_RULES) != 0;
	struct reply_row *row = &g->to->row[name][rules];
	const struct reply_row *english = g->english != NULL ? &g->english->row[name][rules] : NULL;
	return (how & EXAMPLE) != 0 ? add_example(g, r, row, english, text, e)
	    : add_text(g, r, row, english, text, (how & OFFERS) != 0, e);
}

/* ---- the file -------------------------------------------------------------------------- */

/* Every text without rules must be there; with rules, and examples, as many as in English. */
static enum errcode check_complete(const struct reading_replies *g, size_t name, bool rules, struct err *e)
{
	const struct reply_row *row = &g->to->row[name][rules];
	const struct reply_row *english = g->english != NULL ? &g->english->row[name][rules] : NULL;

	if (row->text == NULL && (!rules || (english != NULL && english->text != NULL)))
		return err_set(e, ERR_CONFIG, "%s: the text \"%s%s\" is missing", g->d->path, names[name].name,
		    rules ? " rules" : "");
	if (english != NULL && row->n < english->n)
		return err_set(e, ERR_CONFIG, "%s: there are fewer examples of \"%s%s\" than in English", g->d->path,
		    names[name].name, rules ? " rules" : "");
	return OK;
}

enum errcode replies_read(struct reply_texts **out, struct arena *a, const char *path,
    const struct reply_texts *english, struct err *e)
{
	struct arena *scratch = arena_new();  /* holds the content of the file */
	struct datafile d;
	const struct reading_replies g = { .to = arena_alloc(a, sizeof(*g.to)), .english = english, .mem = a, .d = &d };
	enum errcode rc = datafile_read(&d, scratch, path, 2, 2, e);

	for (size_t i = 0; rc == OK && i < d.n; i++)
		rc = read_row(&g, &d.row[i], e);
	for (size_t i = 0; rc == OK && i < REPLY__MAX; i++)
		for (int rules = 0; rc == OK && rules < 2; rules++)
			rc = check_complete(&g, i, rules, e);
	arena_free(scratch);
	*out = g.to;
	return rc;
}

/* ---- all languages --------------------------------------------------------------------- */

/* The languages in use, English first. */
struct spoken {
	struct arena *mem;                    /* never freed */
	const struct reply_texts *language[LANGUAGES_MAX + 1];
	size_t n;
};

static struct spoken in_use;

static enum errcode read_language(struct spoken *s, const char *data_dir, const char *language, struct err *e)
{
	struct reply_texts *t;
	enum errcode rc = replies_read(&t, s->mem, arena_printf(s->mem, "%s/conf/language/%s/replies.txt", data_dir,
	    language), s->language[0], e);

	t->language = language;
	s->language[s->n++] = t;
	return rc;
}

enum errcode replies_open(const char *data_dir, struct err *e)
{
	if (in_use.mem != NULL)
		return OK;
	struct spoken s = { .mem = arena_new() };
	enum errcode rc = read_language(&s, data_dir, CATALOGUE_REFERENCE, e);
	for (size_t i = 0; rc == OK && i < languages_count(); i++) {
		const char *language = language_at(i);
		/* others are only understood */
		const bool spoken = streq(wording_language(messages_in(language)), language);
		if (spoken && !streq(language, CATALOGUE_REFERENCE))
			rc = read_language(&s, data_dir, language, e);
	}
	if (rc == OK)
		in_use = s;
	else
		arena_free(s.mem);
	return rc;
}

const struct reply_texts *replies_at(size_t i)
{
	if (in_use.mem == NULL) {
		log_msg(LOG_ERROR, "replies", "a reply was asked for before replies_open()");
		abort();
	}
	return in_use.language[i];
}
