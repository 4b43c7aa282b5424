/*
 * Names of airport types, and classes of runway surfaces.
 *
 * Surfaces are free text in 663 spellings. The rows of surfaces.txt are tried in their order, so
 * "grass/asphalt" is hard.
 */
#include "airports/airport.h"

#include <stddef.h>
#include <string.h>

#include "airports/facts_tables.h"
#include "base/str.h"

enum { SURFACE_MAX = 256 };    /* no spelling is longer; the rest of a text is ignored */

static const char *const type_names[TYPE__MAX] = {
	[TYPE_SMALL] = "small_airport",
	[TYPE_MEDIUM] = "medium_airport",
	[TYPE_LARGE] = "large_airport",
	[TYPE_SEAPLANE] = "seaplane_base",
	[TYPE_HELIPORT] = "heliport",
	[TYPE_BALLOON] = "balloonport",
	[TYPE_CLOSED] = "closed",
	[TYPE_OTHER] = "other",
};

enum tri airport_avgas(const struct airport *a)
{
	if (!(a->flags & AF_AVGAS_KNOWN))
		return TRI_UNKNOWN;
	return a->flags & AF_AVGAS ? TRI_YES : TRI_NO;
}

enum tri airport_jeta(const struct airport *a)
{
	if (!(a->flags & AF_JETA_KNOWN))
		return TRI_UNKNOWN;
	return a->flags & AF_JETA ? TRI_YES : TRI_NO;
}

const char *airport_type_name(enum airport_type t)
{
	return (unsigned)t < TYPE__MAX ? type_names[t] : type_names[TYPE_OTHER];
}

enum airport_type airport_type_of(const char *name)
{
	for (int t = 0; t < TYPE__MAX; t++)
		if (name != NULL && strieq(name, type_names[t]))
			return (enum airport_type)t;
	return TYPE_OTHER;
}

/* ---- surfaces ------------------------------------------------------------ */

static enum errcode choose(const struct datafile *d, const struct datafile_row *r, size_t field,
    const char *const *names, size_t n, size_t *at, struct err *e)
{
	for (*at = 0; *at < n; ++*at)
		if (streq(r->field[field], names[*at]))
			return OK;
	return datafile_fault(d, r, e, "\"%s\" is not known here", r->field[field]);
}

enum errcode surfaces_read(struct facts *f, struct datafile *d, struct err *e)
{
	static const char *const classes[] = { "hard", "soft", "water", "snow" };
	static const unsigned flags[] = { AF_HARD, AF_SOFT, AF_WATER, AF_SNOW };
	static const char *const ways[] = { [SURFACE_IS] = "is", [SURFACE_HOLDS] = "holds",
		[SURFACE_BEGINS] = "begins" };
	f->surface = arena_array(f->mem, d->n, sizeof(*f->surface));
	for (; f->nsurfaces < d->n; f->nsurfaces++) {
		const struct datafile_row *r = &d->row[f->nsurfaces];
		struct surface *s = &f->surface[f->nsurfaces];
		size_t class, how;
		if (choose(d, r, 0, classes, sizeof(classes) / sizeof(classes[0]), &class, e) != OK ||
		    choose(d, r, 1, ways, sizeof(ways) / sizeof(ways[0]), &how, e) != OK ||
		    facts_words(f, d, r, 2, &s->words, e) != OK)
			return ERR_CONFIG;
		s->class = flags[class];
		s->how = how;
	}
	return OK;
}

static bool matches(const struct surface *s, const char *text)
{
	for (size_t i = 0; i < s->words.n; i++) {
		const char *w = s->words.word[i];
		if (s->how == SURFACE_IS ? streq(text, w) :
		    s->how == SURFACE_HOLDS ? strstr(text, w) != NULL : starts_with(text, w))
			return true;
	}
	return false;
}

unsigned surface_class(const char *surface)
{
	struct str s = str_trim(str_of(surface));
	char text[SURFACE_MAX];
	size_t n = s.n < sizeof(text) - 1 ? s.n : sizeof(text) - 1;

	for (size_t i = 0; i < n; i++)
		text[i] = ascii_lower(s.p[i]);
	text[n] = '\0';
	const struct facts *f = facts_in_use();
	for (size_t i = 0; i < f->nsurfaces; i++)
		if (matches(&f->surface[i], text))
			return f->surface[i].class;
	return 0;
}
