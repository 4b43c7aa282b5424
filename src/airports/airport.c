/*
 * Names of airport types, and classes of runway surfaces.
 *
 * Surfaces are free text in 663 spellings. The classes are tried in the order of the
 * table, and within a class equality, then contents, then beginnings; so "grass/asphalt" is hard.
 */
#include "airports/airport.h"

#include <stddef.h>
#include <string.h>

#include "base/str.h"

enum { SURFACE_MAX = 256 };    /* no spelling is longer; the rest of the text is not looked at */

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

static const struct surface_row {
	unsigned class;
	const char *equal[12], *inside[8], *start[10];
} surfaces[] = {
	{ AF_HARD,
	    { "hard", "paved", "pem", "asfalt", "tarmac", "asfalto", "ashpalt", "ashphalt",
	      "surface paved", "tar", NULL },
	    { "asphalt", "concrete", "cement", NULL },
	    { "asp", "con", "apsh", "bit", "pav", "tar", NULL } },
	{ AF_SOFT,
	    { "graas", "soft", NULL },
	    { "turf", "grass", "dirt", "gravel", "soil", "sand", "earth", NULL },
	    { "turf", "grv", "grav", "grass", "san", "cla", "grs", "gra", "gre", NULL } },
	{ AF_WATER, { NULL }, { NULL }, { "wat", NULL } },
	{ AF_SNOW, { NULL }, { NULL }, { "sno", NULL } },
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

static bool matches(const struct surface_row *row, const char *text)
{
	for (const char *const *w = row->equal; *w != NULL; w++)
		if (streq(text, *w))
			return true;
	for (const char *const *w = row->inside; *w != NULL; w++)
		if (strstr(text, *w) != NULL)
			return true;
	for (const char *const *w = row->start; *w != NULL; w++)
		if (starts_with(text, *w))
			return true;
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
	for (size_t i = 0; i < sizeof(surfaces) / sizeof(surfaces[0]); i++)
		if (matches(&surfaces[i], text))
			return surfaces[i].class;
	return 0;
}

/* ---- military ------------------------------------------------------------ */

static bool letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80);
}

bool airport_military(struct arena *a, const struct airport *ap)
{
	static const char *const words[] = {
		"air base", "airbase", "raf", "(ba ", "army", "naval", "military", "air force",
		"space force", "afb", "nas", "rnas", "marine corps",
	};
	const char *name = str_fold(a, ap->name != NULL ? ap->name : "");

	if (ap->flags & AF_SCHEDULED)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		for (const char *p = name; (p = strstr(p, words[i])) != NULL; p++)
			if (!letter(words[i][0]) ||
			    ((p == name || !letter(p[-1])) && !letter(p[n])))
				return true;
	}
	return false;
}
