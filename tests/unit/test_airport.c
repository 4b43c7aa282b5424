/* Types, surfaces and fuel: texts to facts. */
#include "airports/airport.h"

#include "airports/airport_use.h"
#include "base/str.h"
#include "tests/unit/test.h"

static const struct surface {
	const char *text;
	unsigned class;
} surface_rows[] = {
	{ "ASP", AF_HARD }, { "asphalt", AF_HARD }, { " Hard ", AF_HARD }, { "PEM", AF_HARD }, { "tarmac", AF_HARD },
	{ "Surface Paved", AF_HARD }, { "CON", AF_HARD }, { "Bituminous", AF_HARD }, { "grass/asphalt", AF_HARD },
	{ "ASPH-G", AF_HARD }, { "tar", AF_HARD }, { "Ashphalt", AF_HARD }, { "old cement", AF_HARD },
	{ "GRASS", AF_SOFT }, { "graas", AF_SOFT }, { "TURF-G", AF_SOFT }, { "grvl", AF_SOFT }, { "Sandy soil", AF_SOFT },
	{ "CLAY", AF_SOFT }, { "Grs", AF_SOFT }, { "green", AF_SOFT }, { "natural soil", AF_SOFT }, { "soft", AF_SOFT },
	{ "WATER", AF_WATER }, { "wat", AF_WATER }, { "Snow", AF_SNOW },
	{ "", 0 }, { NULL, 0 }, { "G", 0 }, { "A", 0 }, { "UNK", 0 }, { "GVL", 0 }, { "Unpaved", 0 }, { "ice", 0 },
	{ "softer", 0 },
};

TEST(airport, surfaces)
{
	char long_text[2000];

	for (size_t i = 0; i < sizeof(surface_rows) / sizeof(surface_rows[0]); i++)
		cr_expect_eq(surface_class(surface_rows[i].text), surface_rows[i].class, "%s: %#x",
		    surface_rows[i].text != NULL ? surface_rows[i].text : "NULL",
		    surface_class(surface_rows[i].text));
	memset(long_text, 'x', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	cr_expect_eq(surface_class(long_text), 0);
}

static const struct fuel {
	const char *text;
	enum tri avgas, jeta;
} fuel_rows[] = {
	{ NULL, TRI_UNKNOWN, TRI_UNKNOWN }, { "", TRI_UNKNOWN, TRI_UNKNOWN }, { " \t", TRI_UNKNOWN, TRI_UNKNOWN },
	{ "AVGAS 100LL, JET A-1", TRI_YES, TRI_YES }, { "100LL", TRI_YES, TRI_NO }, { "100 LL", TRI_YES, TRI_NO },
	{ "avgas", TRI_YES, TRI_NO }, { "Jet A1", TRI_NO, TRI_YES }, { "JETA1", TRI_NO, TRI_YES },
	{ "JET-A", TRI_NO, TRI_YES }, { "AVTUR", TRI_NO, TRI_YES }, { "F-34, AVTUR JET A-1", TRI_NO, TRI_YES },
	{ "91/96 UL, 100LL, JET A1", TRI_YES, TRI_YES }, { "MOGAS", TRI_NO, TRI_NO },
	/* denied */
	{ "AVGAS: NIL", TRI_NO, TRI_NO }, { "AVGAS NIL", TRI_NO, TRI_NO }, { "NIL", TRI_NO, TRI_NO },
	{ "AVGAS 100LL: NIL. JET A-1: H24", TRI_NO, TRI_YES }, { "JET A1: NIL, AVGAS 100LL", TRI_YES, TRI_NO },
	{ "No AVGAS", TRI_NO, TRI_NO }, { "no fuel", TRI_NO, TRI_NO }, { "No AVGAS or Jet A1", TRI_NO, TRI_NO },
	{ "Neither AVGAS nor JET A-1", TRI_NO, TRI_NO }, { "AVGAS 100LL and JET A1: NIL", TRI_NO, TRI_NO },
	{ "AVGAS not available", TRI_NO, TRI_NO }, { "AVGAS 100LL (not available), JET A1", TRI_NO, TRI_YES },
	{ "AVGAS U/S", TRI_NO, TRI_NO }, { "JET A1 only, no 100LL", TRI_NO, TRI_YES },
	{ "AVGAS is currently unavailable", TRI_NO, TRI_NO }, { "AVGAS - N/A", TRI_NO, TRI_NO },
	{ "JET A-1 without AVGAS 100LL", TRI_NO, TRI_YES },
	/* not denied, though a no stands near */
	{ "JET A1, AVGAS 100LL / NIL", TRI_YES, TRI_YES }, { "Fuel: 100LL, JET A1. Oil: NIL", TRI_YES, TRI_YES },
	{ "JET A1 (CIV-MIL), 100LL, LUB : NIL.", TRI_YES, TRI_YES }, { "JET A1, AVGAS 100LL / Oil - Nil", TRI_YES, TRI_YES },
	{ "AVGAS not available on Sundays", TRI_YES, TRI_NO }, { "AVGAS 100LL - NO JET A1", TRI_YES, TRI_NO },
	{ "AVGAS NIL WEEKENDS", TRI_YES, TRI_NO }, { "Oil: no. AVGAS: yes", TRI_YES, TRI_NO },
	{ "AVGAS: NIL (UL91). AVGAS 100LL O/R", TRI_YES, TRI_NO }, { "JET A1: NO AVGAS: YES", TRI_YES, TRI_NO },
};

TEST(airport, fuel)
{
	for (size_t i = 0; i < sizeof(fuel_rows) / sizeof(fuel_rows[0]); i++) {
		const struct fuel *f = &fuel_rows[i];

		cr_expect_eq(fuel_avgas(f->text), f->avgas, "AVGAS in \"%s\": %d", f->text ? f->text : "NULL",
		    fuel_avgas(f->text));
		cr_expect_eq(fuel_jeta(f->text), f->jeta, "Jet A in \"%s\": %d", f->text ? f->text : "NULL",
		    fuel_jeta(f->text));
	}
}

TEST(airport, fuel_text_without_end)
{
	char *text = malloc(100001);

	memset(text, ' ', 100000);
	for (size_t i = 0; i < 100000 - 4; i += 4)
		memcpy(text + i, "OR ", 3);
	memcpy(text, "NO AVGAS", 8);
	text[100000] = '\0';
	cr_expect_eq(fuel_avgas(text), TRI_NO);
	cr_expect_eq(fuel_jeta(text), TRI_NO);
	free(text);
}

TEST(airport, types)
{
	for (int t = 0; t < TYPE__MAX; t++)
		cr_expect_eq(airport_type_of(airport_type_name((enum airport_type)t)), t);
	cr_expect_eq(airport_type_of("Large_Airport"), TYPE_LARGE);
	cr_expect_eq(airport_type_of("spaceport"), TYPE_OTHER);
	cr_expect_eq(airport_type_of(NULL), TYPE_OTHER);
	cr_expect_str_eq(airport_type_name((enum airport_type)99), "other");
}

TEST(airport, unknown_fuel_is_not_no)
{
	struct airport a = { 0 };

	cr_expect_eq(airport_avgas(&a), TRI_UNKNOWN);
	a.flags = AF_AVGAS_KNOWN;
	cr_expect_eq(airport_avgas(&a), TRI_NO);
	cr_expect_eq(airport_jeta(&a), TRI_UNKNOWN);
	a.flags = AF_AVGAS_KNOWN | AF_AVGAS | AF_JETA_KNOWN | AF_JETA;
	cr_expect_eq(airport_avgas(&a), TRI_YES);
	cr_expect_eq(airport_jeta(&a), TRI_YES);
}

/* ---- who can use it --------------------------------------------------------------- */

static const struct use {
	const char *name;
	enum airport_type type;
	unsigned flags;
	enum airport_use use;
} use_rows[] = {
	{ "Studen Kladenets Seaplane Base", TYPE_SEAPLANE, 0, USE_WATER },
	{ "København Vandflyveplads", TYPE_SEAPLANE, AF_WATER, USE_WATER },
	{ "Pitsford Water Aerodrome", TYPE_SMALL, 0, USE_WATER },
	{ "Lac à la Perchaude", TYPE_SMALL, AF_WATER, USE_WATER },
	{ "Miami Seaplane Base", TYPE_SEAPLANE, AF_WATER | AF_SCHEDULED, USE_WATER },
	/* there is a runway on land too */
	{ "Round Lake Airport and Seaplane Base", TYPE_SMALL, AF_WATER | AF_SOFT, USE_ORDINARY },
	{ "Southern Seaplane", TYPE_SEAPLANE, AF_HARD, USE_ORDINARY },
	{ "Deep Water Cay Airport", TYPE_SMALL, AF_HARD, USE_ORDINARY },
	{ "Cold Water Airport", TYPE_SMALL, 0, USE_ORDINARY },
	{ "Red Lake Airport", TYPE_SMALL, 0, USE_ORDINARY },

	{ "Megève Altiport", TYPE_SMALL, AF_HARD, USE_MOUNTAIN },
	{ "Glacier du Trient Mountain Landing Site", TYPE_SMALL, 0, USE_MOUNTAIN },
	{ "Glacier d'Argentière", TYPE_SMALL, 0, USE_MOUNTAIN },
	{ "Theodulgletscher Gletscher", TYPE_SMALL, 0, USE_MOUNTAIN },
	{ "South Pole Skiway", TYPE_SMALL, 0, USE_MOUNTAIN },
	{ "Glacier Park International Airport", TYPE_MEDIUM, AF_HARD, USE_ORDINARY },
	{ "Chinitna West Glacier Airport", TYPE_SMALL, 0, USE_ORDINARY },
	{ "Mountain View Airport", TYPE_SMALL, AF_HARD, USE_ORDINARY },

	{ "Ramstein Air Base", TYPE_MEDIUM, AF_HARD, USE_MILITARY },
	{ "Cazaux (BA 120)", TYPE_MEDIUM, AF_HARD, USE_MILITARY },
	{ "Fritzlar Army Airfield", TYPE_MEDIUM, AF_HARD, USE_MILITARY },
	{ "RAAF Base Amberley", TYPE_MEDIUM, AF_HARD, USE_MILITARY },
	{ "Fliegerhorst Nörvenich", TYPE_MEDIUM, AF_HARD, USE_MILITARY },
	{ "Aeródromo Militar", TYPE_SMALL, AF_HARD, USE_MILITARY },
	{ "Darwin International Airport / RAAF Darwin", TYPE_LARGE, AF_HARD | AF_SCHEDULED, USE_ORDINARY },
	{ "Graft Armyworm Field", TYPE_SMALL, AF_HARD, USE_ORDINARY },
	{ "Left Wing Low Airport", TYPE_SMALL, AF_SOFT, USE_ORDINARY },
	/* water is the stricter one */
	{ "Naval Air Station Seaplane Base", TYPE_SEAPLANE, AF_WATER, USE_WATER },
	{ NULL, TYPE_SMALL, 0, USE_ORDINARY },
};

TEST(airport, use)
{
	struct arena *mem = arena_new();

	for (size_t i = 0; i < sizeof(use_rows) / sizeof(use_rows[0]); i++) {
		const struct use *r = &use_rows[i];
		struct airport a = { .name = r->name, .type = r->type, .flags = r->flags };

		a.flags |= airport_use_flags(mem, &a);
		cr_expect_eq(airport_use(&a), r->use, "%s: %d", r->name != NULL ? r->name : "NULL", airport_use(&a));
	}
	cr_expect_str_eq(airport_use_name(USE_WATER), "water");
	cr_expect_null(airport_use_name(USE_ORDINARY));
	arena_free(mem);
}
