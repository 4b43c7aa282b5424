/*
 * People name an airport of the answer by a part of its name: "Gamston" of "Retford Gamston Airfield". Such a name may be
 * unknown to the gazetteer, or mean another place there.
 */
#include "agents/aviation/builtin/frame_plans.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

bool airport_is_shown(const struct talk *t, const char *ident)
{
	bool shown = streq(t->current, ident);
	for (size_t i = 0; i < t->n; i++)
		shown |= streq(t->list[i].ident, ident);
	return shown;
}

/* The next word of letters and digits at *at; false: there is none. */
static bool next_word(const char **at, struct str *word)
{
	const char *p = *at;
	while (*p != '\0' && !isalnum((unsigned char)*p) && (unsigned char)*p < 0x80)
		p++;
	const char *end = p;
	while (isalnum((unsigned char)*end) || (unsigned char)*end >= 0x80)
		end++;
	*word = (struct str){ p, (size_t)(end - p) };
	*at = end;
	return word->n > 0;
}

static bool has_word(const char *text, struct str word)
{
	struct str one;
	while (next_word(&text, &one))
		if (one.n == word.n && memcmp(one.p, word.p, one.n) == 0)
			return true;
	return false;
}

/* Are all words of a folded name in the name or the town of the airport? */
static bool is_named(const struct planning *p, const char *ident, const char *name)
{
	struct airport airport;
	struct str word;
	bool found = false;

	if (*ident == '\0' || airdb_by_code(p->con, p->mem, ident, &airport, &found, NULL) != OK || !found)
		return false;
	const char *town = airport.municipality != NULL ? airport.municipality : "";
	const char *all = str_fold(p->mem, arena_printf(p->mem, "%s %s", airport.name, town));
	while (next_word(&name, &word))
		if (!has_word(all, word))
			return false;
	return true;
}

const char *airport_shown(const struct planning *p, const char *name)
{
	const struct talk *t = p->talk;
	const char *ident = NULL, *folded = str_fold(p->mem, name);
	struct str word;

	if (p->con == NULL || !next_word(&(const char *){ folded }, &word))
		return NULL;
	if (is_named(p, t->current, folded))
		return t->current;
	for (size_t i = 0; i < t->n; i++) {
		if (!is_named(p, t->list[i].ident, folded))
			continue;
		if (ident != NULL)
			return NULL;
		ident = t->list[i].ident;
	}
	return ident;
}
