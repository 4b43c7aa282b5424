#include "agents/aviation/messages.h"

#include <stdlib.h>
#include <unistd.h>

#include "airports/countries.h"
#include "airports/place.h"
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
/* An area in one language; English has its names from conf/facts/areas.txt. */
struct area_name { const char *english, *name; };

/* The names of one language; those of English are NULL. */
struct names {
	struct country_names *country;     /* by country.index */
	struct area_name *area;
	size_t nareas;
};

struct messages {
	struct arena *mem;
	struct catalogue *catalogue;
	struct names names[LANGUAGES_MAX];     /* of catalogue_at() */
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

static enum errcode read_areas(struct names *out, struct arena *a, const char *path, struct err *e)
{
	struct arena *scratch = arena_new();
	struct datafile d;
	enum errcode rc = datafile_read(&d, scratch, path, 2, 2, e);

	if (rc == OK)
		out->area = arena_array(a, d.n, sizeof(*out->area));
	for (size_t i = 0; rc == OK && i < d.n; i++) {
		const struct datafile_row *r = &d.row[i];
		if (!place_names_area(str_fold(scratch, r->field[0])))
			rc = datafile_fault(&d, r, e, "there is no area \"%s\" in conf/facts/areas.txt", r->field[0]);
		else if (!place_names_area(str_fold(scratch, r->field[1])))
			rc = datafile_fault(&d, r, e, "\"%s\" is no name of an area in conf/facts/areas.txt", r->field[1]);
		else
			out->area[out->nareas++] = (struct area_name){ arena_strdup(a, r->field[0]),
				arena_strdup(a, r->field[1]) };
	}
	arena_free(scratch);
	return rc;
}

static enum errcode read_names(struct names *out, struct arena *a, const char *folder, struct err *e)
{
	enum errcode rc = read_countries(&out->country, a, arena_printf(a, "%s/country_names.txt", folder), e);

	return rc == OK ? read_areas(out, a, arena_printf(a, "%s/area_names.txt", folder), e) : rc;
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
		rc = read_names(&m->names[i], a, arena_printf(a, "%s/%s", from.folder, languages[i]), e);
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

static const struct names *names_in(const struct wording *w)
{
	const struct messages *m = opened();

	for (size_t i = 1; catalogue_at(m->catalogue, i) != NULL; i++)
		if (catalogue_at(m->catalogue, i) == w)
			return &m->names[i];
	return &m->names[0];
}

/* NULL: in English. */
static const struct country_names *country_in(const struct wording *w, const struct country *c)
{
	const struct names *n = names_in(w);

	return n->country != NULL ? &n->country[c->index] : NULL;
}

const char *message_country(const struct wording *w, const char *code)
{
	const struct country *c = country_by_code(code);

	return c == NULL ? NULL : country_in(w, c) != NULL ? country_in(w, c)->name : c->name;
}

const char *message_in_country(const struct wording *w, struct arena *a, const char *code)
{
	const struct country *c = country_by_code(code);

	return c == NULL ? NULL : country_in(w, c) != NULL ? country_in(w, c)->in : arena_printf(a, "in %s", c->name);
}

const char *message_area(const struct wording *w, const char *name)
{
	const struct names *n = names_in(w);

	for (size_t i = 0; i < n->nareas; i++)
		if (streq(n->area[i].english, name))
			return n->area[i].name;
	return name;
}
