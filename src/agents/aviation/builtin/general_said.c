#include "agents/aviation/builtin/general_said.h"

#include "agents/aviation/sayings.h"

#define SAID(key, ...) message_text(w, a, SAY_##key, MESSAGE_VALUES(__VA_ARGS__))

/* "Fuel reserve (the European rule NCO.OP.125, which holds in France)" */
static const char *head_of(const struct wording *w, struct arena *a, const struct general_rule *g, const char *title, const char *country)
{
	const char *state = general_rule_state(g), *where = country != NULL ? message_in_country(w, a, country) : NULL;

	if (state != NULL)
		return SAID(general_state, "title", title, "paragraph", g->paragraph, "country", message_country(w, state));
	if (where == NULL)
		return SAID(general_shared, "title", title, "paragraph", g->paragraph);
	switch (general_rule_force(g, country)) {
	case GENERAL_HOLDS:
		return SAID(general_holds, "title", title, "paragraph", g->paragraph, "where", where);
	case GENERAL_KEPT:
		return SAID(general_kept, "title", title, "paragraph", g->paragraph, "where", where);
	case GENERAL_FOREIGN:
		break;
	}
	return SAID(general_foreign, "title", title, "paragraph", g->paragraph, "where", where);
}

/* Where a matter is regulated, if its rule is not known. */
static const char *place_of(const struct wording *w, struct arena *a, const struct general_rule *g, const char *title, const char *book)
{
	if (*g->aip == '\0')
		return SAID(general_look_law, "title", title, "paragraph", g->paragraph);
	if (*g->paragraph == '\0')
		return SAID(general_look_aip, "title", title, "aip", g->aip, "book", book);
	return SAID(general_look_both, "title", title, "paragraph", g->paragraph, "aip", g->aip, "book", book);
}

/* Where the AIP has what the state wants besides; "" if the rule is not its law, or if the section is not known. */
static const char *more_of(const struct wording *w, struct arena *a, const struct general_rule *g, const char *country, const char *book)
{
	const bool law = country == NULL || general_rule_state(g) != NULL || general_rule_force(g, country) != GENERAL_FOREIGN;

	return law && *g->aip != '\0' ? arena_printf(a, "\n%s\n", SAID(general_more, "aip", g->aip, "book", book)) : "";
}

const char *general_said(const struct wording *w, struct arena *a, const struct general_rule *g, const char *country)
{
	const struct general_text said = general_rule_text(g, wording_language(w));
	const char *state = general_rule_state(g), *whose = state != NULL ? state : country;
	const char *name = whose != NULL ? message_country(w, whose) : NULL, *book = name != NULL ? arena_printf(a, "AIP (%s)", name) : "AIP";

	if (*said.text == '\0')
		return arena_printf(a, "%s\n", place_of(w, a, g, said.title, book));
	return arena_printf(a, "%s\n\n%s.\n%s", head_of(w, a, g, said.title, country), said.text, more_of(w, a, g, country, book));
}

const char *general_said_again(const struct wording *w, struct arena *a, const struct general_rule *g, const char *country)
{
	const struct general_text said = general_rule_text(g, wording_language(w));

	return *said.text == '\0' ? general_said(w, a, g, country)
	    : arena_printf(a, "%s\n", SAID(general_again, "rule", head_of(w, a, g, said.title, country)));
}
