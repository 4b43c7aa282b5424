/* Areas: the shipped list against the airports that lie in them, shapes at the edges of the map, and
 * what a name of an area resolves to. */
#include "airports/areas.h"

#include <math.h>

#include "airports/import.h"
#include "airports/place.h"
#include "airports/place_key.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/test.h"

/* ---- shapes -------------------------------------------------------------- */

/* A polygon across the 180th meridian, a circle around a pole, one at the meridian. */
TEST(areas, shapes_hold_points_at_the_edges_of_the_map)
{
	static const struct point fiji[] = { { -16, 179 }, { -16, -179 }, { -18, -179 }, { -18, 179 } };
	static const struct point pole[] = { { 90, 0 } }, matei[] = { { -16.7, 179.95 } };
	const struct area box = { .corner = fiji, .ncorners = 4 };
	const struct area cap = { .corner = pole, .ncorners = 1, .radius_nm = 60 };
	const struct area circle = { .corner = matei, .ncorners = 1, .radius_nm = 20 };

	cr_expect(area_holds(&box, (struct point){ -17, 179.5 }));
	cr_expect(area_holds(&box, (struct point){ -17, -179.5 }));
	cr_expect(area_holds(&box, (struct point){ -17, 180 }));
	cr_expect(area_holds(&box, (struct point){ -17, -180 }));
	cr_expect_not(area_holds(&box, (struct point){ -17, 178.9 }));
	cr_expect_not(area_holds(&box, (struct point){ -17, -178.9 }));
	cr_expect_not(area_holds(&box, (struct point){ -17, 0 }));
	cr_expect_not(area_holds(&box, (struct point){ -15.9, 180 }));
	cr_expect_not(area_holds(&box, (struct point){ NAN, NAN }));
	cr_expect(area_holds(&cap, (struct point){ 89.5, 123 }));
	cr_expect(area_holds(&cap, (struct point){ 89.5, -123 }));
	cr_expect_not(area_holds(&cap, (struct point){ 88.9, 0 }));
	cr_expect(area_holds(&circle, (struct point){ -16.7, -179.9 }));
	cr_expect_not(area_holds(&circle, (struct point){ -16.7, -179.5 }));
}

struct seen {
	char idents[200];
	size_t n;
};

static bool see(void *arg, const struct airport *a)
{
	struct seen *s = arg;

	s->n += (size_t)snprintf(s->idents + s->n, sizeof(s->idents) - s->n, "%s ", a->ident);
	return s->n + 20 < sizeof(s->idents);
}

/* The shape is used where the database has no regions; countries limit it. */
TEST(areas, visits_airports_inside)
{
	static const struct point fiji[] = { { -16, 179 }, { -16, -179 }, { -18, -179 }, { -18, 179 } };
	static const struct point pole[] = { { -90, 0 } };
	static const char *const fj[] = { "FJ" }, *const aq[] = { "AQ" }, *const fr[] = { "FR" },
		*const nowhere[] = { "FJ-X" };
	const struct {
		struct area area;
		const char *idents;
	} rows[] = {
		{ { .country = fj, .ncountries = 1, .corner = fiji, .ncorners = 4 }, "NFNM NFVB " },
		{ { .country = fj, .ncountries = 1, .corner = fiji, .ncorners = 4, .region = nowhere,
		    .nregions = 1 }, "NFNM NFVB " },
		{ { .country = fr, .ncountries = 1, .corner = fiji, .ncorners = 4 }, "" },
		{ { .country = aq, .ncountries = 1, .corner = pole, .ncorners = 1, .radius_nm = 30 },
		    "NZSP AQ01 " },
		{ { .country = fj, .ncountries = 1 }, "NFNM NFVB " },
		{ { .country = fj, .ncountries = 1, .region = nowhere, .nregions = 1 }, "" },
	};
	struct airfix f;
	struct err e = { OK, "" };

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct seen s = { .n = 0 };

		TEST_OK(area_visit(f.con, &rows[i].area, see, &s, &e), e);
		cr_expect_eq(strlen(s.idents), strlen(rows[i].idents), "row %zu: %s", i, s.idents);
		for (const char *p = rows[i].idents; *p != '\0'; p += 5)
			cr_expect_not_null(strstr(s.idents, arena_strndup(f.mem, p, 5)), "row %zu: %s", i,
			    s.idents);
	}
	airfix_close(&f);
}

/* ---- the shipped list and the real airports -------------------------------- */

/* Airports inside an area, and airports close to it but outside. */
static const struct {
	const char *name, *in, *out;
} known[] = {
	{ "Corsica", "LFKJ LFKB LFKF LFKC LFKT LFKO", "LFMN LIEE LIRJ" },
	{ "the Black Forest", "EDTD EDTF EDTW EDTS", "EDTL LFST LSZH" },
	{ "Scottish Highlands", "EGPE EGEI", "EGPD EGPN EGPF" },
	{ "Brittany", "LFRB LFRN LFRQ LFRH LFEA LFEC", "LFRS LFRK" },
	{ "Bretagne", "LFRB LFRN", "LFRS" },
	{ "the Dolomites", "LIPB LIVD LIDB", "LIPX LOWI LIPE" },
	{ "Isle of Wight", "EGHN EGHJ", "EGHI EGHF EGHR" },
	{ "Bavaria", "EDDM EDDN EDMA EDJA", "LOWS EDDS LKPR" },
	{ "Valais", "LSGS LSTA LSPU", "LSGG LSZB LIMW" },
	{ "Canton of Bern", "LSZB LSGK LSMM LSZW", "LSGG LSZH" },
	{ "Ticino", "LSZL LSZA LSML", "LIMC LSZS" },
	{ "Wales", "EGFF EGFE EGCK EGOV", "EGGD EGBJ" },
	{ "Northern Ireland", "EGAA EGAC EGAE", "EIDW EGPH" },
	{ "Cornwall", "EGHQ EGHC EGTP EGLA", "EGTE EGHE" },
	{ "the south coast of England", "EGKA EGHR EGMD EGHH EGHJ EGHN", "EGTB EGKB LFAT" },
	{ "Südküste Englands", "EGKA", "EGTB" },
	{ "East Anglia", "EGSH EGSU EGSC", "EGSS EGMC" },
	{ "Channel Islands", "EGJJ EGJB EGJA", "LFRC EGHI" },
	{ "Orkney", "EGPA EGES", "EGPC EGPB" },
	{ "Shetland", "EGPB EGET EGPW", "EGPA" },
	{ "Outer Hebrides", "EGPO EGPL EGPR", "EGPU EGEI" },
	{ "Alps", "LOWI LSGS LSZS LFLB LFHU LIPB", "LSZH LFLL LIMC EDDM" },
	{ "Pyrenees", "LFBT LESU LFCB", "LFBO LEZG" },
	{ "Normandy", "LFRK LFRG LFOH LFOE", "LFRN LFOB" },
	{ "Alsace", "LFST LFGA LFSB", "EDTF LFSN" },
	{ "Provence", "LFML LFMV LFMY", "LFMN LFLU" },
	{ "French Riviera", "LFMN LFMD LFTZ", "LFML" },
	{ "Tuscany", "LIRQ LIRP LIRJ LIQS", "LIRF LIPE" },
	{ "Sicily", "LICJ LICC LICG LICD", "LICR LMML" },
	{ "Sardinia", "LIEE LIEO LIEA", "LFKF" },
	{ "Elba", "LIRJ", "LIRP" },
	{ "South Tyrol", "LIPB LIVD", "LIDT LOWI" },
	{ "Majorca", "LEPA LESB", "LEMH LEIB" },
	{ "Menorca", "LEMH", "LEPA" },
	{ "Algarve", "LPFR LPPM", "LPBJ LEZL" },
	{ "Azores", "LPPD LPAZ LPLA", "LPMA" },
	{ "Crete", "LGIR LGSA LGST", "LGSR LGKP" },
	{ "Cyclades", "LGMK LGSR LGNX LGPA", "LGKO LGIR" },
	{ "Dodecanese", "LGRP LGKO LGLE", "LGSM LGMK" },
	{ "Istria", "LDPL LDPV LJPZ", "LDRI LIPQ" },
	{ "Dalmatia", "LDSP LDZD LDDU", "LDRI" },
	{ "Jutland", "EKBI EKYT EKAH EKEB", "EKCH EKOD" },
	{ "Zealand", "EKRK EKCH", "EKOD ESMS" },
	{ "Bornholm", "EKRN", "ESMS" },
	{ "Gotland", "ESSV", "ESMQ" },
	{ "Skåne", "ESMS ESMK", "EKCH ESMT" },
	{ "Åland", "EFMA", "EFTU" },
	{ "Lofoten", "ENLK ENSH", "ENBO" },
	{ "Svalbard", "ENSB", "ENTC" },
	{ "Flanders", "EBAW EBOS EBKT", "EBCI EHBK" },
	{ "Wallonia", "EBCI EBLG EBSP", "EBAW" },
	{ "Zeeland", "EHMZ", "EHRD EBKT" },
	{ "Texel", "EHTX", "EHKD" },
	{ "Sylt", "EDXW", "EDXY EKEB" },
	{ "East Frisian Islands", "EDWJ EDWY EDWG EDWL EDWR", "EDWE EDWI" },
	{ "Saxony", "EDDC EDDP", "EDAC LKKV" },
	{ "Thuringia", "EDDE", "EDDP" },
	{ "Tyrol", "LOWI", "LOWS EDDM" },
	{ "Carinthia", "LOWK", "LOWG LJLJ" },
	{ "Bohemia", "LKPR LKKV", "LKTB" },
	{ "Moravia", "LKTB LKMT", "LKPR" },
	{ "Silesia", "EPKT", "EPKK" },
	{ "Lake Constance", "EDNY LSZR", "LSZH" },
	{ "Saaremaa", "EEKE", "EEKA" },
	{ "Westfjords", "BIIS BIBD", "BIRK" },
	{ "Munster province", "EICK EINN EIKY EIWF", "EIDW EIKN" },
	{ "Leinster", "EIDW EIME", "EICK" },
	{ "Lombardy", "LIML LIME", "LIMF LIPX LSZL" },
	{ "Catalonia", "LEBL LEGE LERS", "LEVC LEZG" },
	{ "Canary Islands", "GCLP GCTS GCRR", "LPMA" },
};

/* These have no airfield with a code of four characters; a search there goes around the middle. */
static const char empty[] = "Camargue|Fehmarn|Lake District|Peak District|Yorkshire Dales|North York Moors|"
	"Isle of Mull|Isle of Arran|Isle of Bute|Terschelling|Gozo|Molise|Basilicata|Province of Utrecht|"
	"Île de Ré|"
	"Hauts-de-Seine|Seine-Saint-Denis|Markgräflerland|Werdenfelser Land|Berchtesgadener Land|Siebengebirge|"
	"Kellerwald|Zittau Mountains|Prättigau|Zürcher Weinland|Entlebuch|Attergau|Tennengau|Gasteinertal|Semmering|"
	"Silvretta|Garfagnana|Cilento|Roero|Val d'Orcia|Val Camonica|Val di Non|Val Gardena|Carnia|Irpinia|Mugello|"
	"Casentino|Lomellina|Franciacorta|Costa Smeralda|Egadi Islands|Pontine Islands|Gipuzkoa|Costa Tropical|"
	"Alpujarras|Penedès|Priorat|Ebro Delta|Val d'Aran|Doñana|Serra da Estrela|South Yorkshire|County Durham|"
	"Tyne and Wear|Rutland|Worcestershire|Monmouthshire|Denbighshire|Lanarkshire|Dumfries and Galloway|"
	"Scottish Borders|East Lothian|Sutherland|County Armagh|County Tyrone|County Wexford|County Carlow|County Louth|"
	"County Cavan|County Monaghan|County Leitrim|County Roscommon|Falster|Dalsland|Österlen|Hardangervidda|"
	"Jotunheimen|Senja";

static bool icao4(void *arg, const struct airport *a)
{
	*(size_t *)arg += (a->flags & AF_ICAO4) != 0 && a->type != TYPE_HELIPORT && a->type != TYPE_CLOSED;
	return true;
}

struct look {
	const char *ident;
	bool seen;
};

static bool is_it(void *arg, const struct airport *a)
{
	struct look *l = arg;

	l->seen |= streq(a->ident, l->ident);
	return !l->seen;
}

static void check_known(struct airfix *f, size_t i)
{
	const char *const lists[] = { known[i].in, known[i].out };
	struct err e = { OK, "" };
	struct place p;
	bool found;

	TEST_OK(place_resolve(f->con, f->mem, NULL, known[i].name, NULL, &p, &found, &e), e);
	cr_assert(found && p.source == PLACE_AREA && p.area != NULL, "%s", known[i].name);
	for (int out = 0; out <= 1; out++)
		for (const char *q = lists[out]; *q != '\0'; q += 4 + (q[4] != '\0')) {
			struct look l = { .ident = arena_strndup(f->mem, q, 4) };
			struct airport a;

			TEST_OK(airdb_by_code(f->con, f->mem, l.ident, &a, &found, &e), e);
			cr_expect(found && streq(a.ident, l.ident), "%s is no airport", l.ident);
			TEST_OK(area_visit(f->con, p.area, is_it, &l, &e), e);
			cr_expect_eq(l.seen, out == 0, "%s %s %s", l.ident, out ? "is in" : "is not in",
			    known[i].name);
		}
}

static char *open_real(struct airfix *f)
{
	const char *file = test_data("ourairports/airports.csv.gz");
	struct import_options o = { 0 };
	struct import_stats stats;
	struct arena *a = arena_new();
	struct err e = { OK, "" };
	char *dir = test_mkdtemp();

	o.dir = arena_printf(a, "%.*s", (int)(strrchr(file, '/') - file), file);
	o.out = arena_printf(a, "%s/a.db", dir);
	TEST_OK(import_ourairports(&o, NULL, NULL, &stats, &e), e);
	airfix_open(f, o.out, false);
	arena_free(a);
	return dir;
}

TEST(areas, the_list_fits_the_real_airports, .timeout = 240)
{
	struct airfix f;
	struct err e = { OK, "" };
	size_t n = 0;
	char *dir;

	if (test_data("ourairports/airports.csv.gz") == NULL) {
		test_skip("no data");
		return;
	}
	dir = open_real(&f);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		check_known(&f, i);
	for (const struct area *a; (a = area_at(n)) != NULL; n++) {
		size_t inside = 0;

		TEST_OK(area_visit(f.con, a, icao4, &inside, &e), e);
		cr_expect_eq(inside == 0, one_of(a->name, empty), "%s: %zu airports", a->name, inside);
	}
	cr_expect_geq(n, 300);
	airfix_close(&f);
	test_rmdir(dir);
}
