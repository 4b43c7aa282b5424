/*
 * The evidence about the airports of the last answer.
 */
#include <math.h>

#include "agents/aviation/builtin/shown_evidence.h"
#include "tests/unit/marked_plans.h"

/* The evidence of one text, "place.shown[Touquet]=LFAT number.shown[30 NM]". */
static const char *shown_in(struct arena *a, const struct vocabulary *v, struct aircon *con, const struct talk *talk, const char *text)
{
	struct shown shown = { con, talk };
	const struct evidence_source source[] = { vocabulary_source(v), quantity_source(v), shown_evidence(&shown) };
	const struct words *w = words_of(a, text, NULL);
	const struct evidences *e = evidence_of(a, w, source, sizeof(source) / sizeof(source[0]));
	const char *all = "";

	for (size_t i = 0; i < e->n; i++) {
		const struct evidence *x = &e->at[i];
		if (one_of(x->kind, "place.shown|place.current|number.shown|refused"))
			all = arena_printf(a, "%s%s%s[%s]%s%s", all, *all != '\0' ? " " : "", x->kind,
			    words_slice(a, w, x->first, x->last), x->value != NULL ? "=" : "", x->value != NULL ? x->value : "");
	}
	return all;
}

TEST(shown_evidence, airports_and_numbers_of_the_answer)
{
	static const struct { const char *text, *expected; } rows[] = {
		{ "le touquet, and Fairoaks?", "place.current[touquet]=LFAT place.shown[Fairoaks]=EGTF" },
		{ "LFMD please", "place.shown[LFMD]=LFMD" },
		{ "Paris", "place.current[Paris]=LFAT" },              /* of Le Touquet-Paris-Plage */
		{ "Cannes Mandelieu", "place.shown[Cannes Mandelieu]=LFMD" },
		/* refused; the last two rows are no refusals */
		{ "without Fairoaks", "refused[without Fairoaks]=EGTF place.shown[Fairoaks]=EGTF" },
		{ "vergiss den Fairoaks", "refused[vergiss den Fairoaks]=EGTF place.shown[Fairoaks]=EGTF" },
		{ "Fairoaks, pas celui-là", "refused[Fairoaks, pas celui-là]=EGTF place.shown[Fairoaks]=EGTF" },
		{ "Fairoaks nicht geteert", "place.shown[Fairoaks]=EGTF" },
		{ "not far from Fairoaks", "place.shown[Fairoaks]=EGTF" },
		{ "not bad Fairoaks", "place.shown[Fairoaks]=EGTF" },
		{ "make it Fairoaks", "place.shown[Fairoaks]=EGTF" },
		{ "geht Fairoaks nicht?", "place.shown[Fairoaks]=EGTF" },
		{ "leave Fairoaks out", "refused[leave Fairoaks]=EGTF place.shown[Fairoaks]=EGTF" },
		{ "Mandelieu is too far east", "refused[Mandelieu is too far]=LFMD place.shown[Mandelieu]=LFMD" },
		{ "Is Mandelieu too far?", "place.shown[Mandelieu]=LFMD" },
		{ "Fairoaks et Mandelieu, du balai",
		  "place.shown[Fairoaks]=EGTF refused[Fairoaks]=EGTF refused[Mandelieu, du balai]=LFMD place.shown[Mandelieu]=LFMD" },
		{ "Touquet am Samstag", "place.current[Touquet]=LFAT" },
		/* words that do not identify an airport */
		{ "the airport", "" },
		{ "le paris", "place.current[paris]=LFAT" },
		{ "near Lyon", "" },
		/* 2,000 ft of EGTF; 30 EUR and 5 NM of LFAT; the track of 212 NM */
		{ "610 m is enough", "number.shown[610 m]" },
		{ "2000 ft", "number.shown[2000 ft]" },
		{ "30 euros, no thanks", "number.shown[30 euros]" },
		{ "5 nm is nothing", "number.shown[5 nm]" },
		{ "393 km", "number.shown[393 km]" },
		{ "800 m", "" },
		{ "50 nm", "" },
		{ "", "" },
	};
	const struct talk talk = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, NAN }, { "LFMD", 3000, NAN, 10 } },
		.current = "LFAT", .track_nm = 212.3 };
	const struct talk nothing = { .n = 0 };
	struct fixture f;
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	fixture_open(&f);
	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *found = shown_in(a, v, f.con, &talk, rows[i].text);
		cr_expect(streq(found, rows[i].expected), "%s: %s", rows[i].text, found);
		cr_expect(*shown_in(a, v, f.con, &nothing, rows[i].text) == '\0', "%s", rows[i].text);
	}
	/* without the database only codes are known */
	cr_expect(streq(shown_in(a, v, NULL, &talk, "LFMD or Mandelieu"), "place.shown[LFMD]=LFMD"));
	fixture_close(&f);
	arena_free(a);
}
