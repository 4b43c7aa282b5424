#include "agents/aviation/messages.h"

#include <stdlib.h>
#include <unistd.h>

#include "airports/countries.h"
#include "base/datafile.h"
#include "base/log.h"
#include "base/str.h"
#include "language/languages.h"

#define SAYING(name) { #name, false },
#define SAYING_COUNTED(name) { #name, true },
static const struct message_row rows[] = {
#include "agents/aviation/sayings.def"
};
#undef SAYING
#undef SAYING_COUNTED

static const char *const files[] = { "answers.txt", "answers_airport.txt", "answers_notice.txt",
	"answers_rules.txt", "answers_turn.txt", "quick_actions.txt", NULL };

/* A country in one language. English has its names from conf/facts/countries.txt. */
struct country_names { const char *name, *in; };

struct messages {
	struct arena *mem;
	struct catalogue *catalogue;
	/* of catalogue_at(), by country.index; that of English is NULL */
	struct country_names *country[LANGUAGES_MAX];
};

static const struct messages *in_use;

static enum errcode read_countries(struct country_names **out, struct arena *a, const char *path, struct err *e)
{
	struct arena *scratch = arena_new();
	struct country_names *names = arena_array(a, country_count(), sizeof(*names));
	struct datafile d;
	enum errcode rc = datafile_read(&d, scratch, path, 3, 3, e);

	for (size_t i = 0; rc == OK && i < d.n; i++) {
		const struct datafile_row *r = &d.row[i];
		const struct country *c = country_by_code(r->field[0]);
		if (c == NULL)
			rc = datafile_fault(&d, r, e, "there is no country \"%s\" in conf/facts/countries.txt", r->field[0]);
		else if (names[c->index].name != NULL)
			rc = datafile_fault(&d, r, e, "\"%s\" has a row already", r->field[0]);
		else
			names[c->index] = (struct country_names){ arena_strdup(a, r->field[1]),
				arena_strdup(a, r->field[2]) };
	}
	for (size_t i = 0; rc == OK && i < country_count(); i++)
		if (names[i].name == NULL)
			rc = err_set(e, ERR_CONFIG, "%s: the country \"%s\" (%s) is missing", path, country_at(i)->code,
			    country_at(i)->name);
	arena_free(scratch);
	*out = names;
	return rc;
}

/* Is it a language besides English that the agent speaks? Others are only understood. */
static bool speaks(struct arena *a, const char *folder, const char *language)
{
	return !streq(language, CATALOGUE_REFERENCE) &&
	    access(arena_printf(a, "%s/%s/%s", folder, language, files[0]), F_OK) == 0;
}

enum errcode messages_open(const char *data_dir, struct err *e)
{
	if (in_use != NULL)
		return OK;
	struct arena *a = arena_new();
	struct messages *m = arena_alloc(a, sizeof(*m));
	m->mem = a;
	const char *languages[LANGUAGES_MAX + 1] = { CATALOGUE_REFERENCE };
	const struct catalogue_source from = {
		.folder = arena_printf(a, "%s/conf/language", data_dir),
		.language = languages, .file = files,
		.row = rows, .n = sizeof(rows) / sizeof(rows[0]),
	};
	for (size_t i = 0, n = 1; i < languages_count(); i++)
		if (speaks(a, from.folder, language_at(i)))
			languages[n++] = language_at(i);
	enum errcode rc = catalogue_read(&m->catalogue, a, &from, e);
	for (size_t i = 1; rc == OK && languages[i] != NULL; i++)
		rc = read_countries(&m->country[i], a, arena_printf(a, "%s/%s/country_names.txt", from.folder,
		    languages[i]), e);
	if (rc == OK)
		in_use = m;
	else
		arena_free(a);
	return rc;
}

static const struct messages *opened(void)
{
	if (in_use == NULL) {
		log_msg(LOG_ERROR, "messages", "a message was asked for before messages_open()");
		abort();
	}
	return in_use;
}

const struct wording *messages_in(const char *language)
{
	return catalogue_in(opened()->catalogue, language);
}

const char *message_term(const struct wording *w, size_t first, size_t last, const char *text)
{
	const struct wording *english = messages_in(CATALOGUE_REFERENCE);

	for (size_t i = first; i <= last; i++)
		if (streq(message_pattern(english, i), text))
			return message_pattern(w, i);
	return text;
}

/* NULL: in English. */
static const struct country_names *names_in(const struct wording *w, const struct country *c)
{
	const struct messages *m = opened();

	for (size_t i = 1; catalogue_at(m->catalogue, i) != NULL; i++)
		if (catalogue_at(m->catalogue, i) == w)
			return &m->country[i][c->index];
	return NULL;
}

const char *message_country(const struct wording *w, const char *code)
{
	const struct country *c = country_by_code(code);

	return c == NULL ? NULL : names_in(w, c) != NULL ? names_in(w, c)->name : c->name;
}

const char *message_in_country(const struct wording *w, struct arena *a, const char *code)
{
	const struct country *c = country_by_code(code);

	return c == NULL ? NULL : names_in(w, c) != NULL ? names_in(w, c)->in : arena_printf(a, "in %s", c->name);
}
