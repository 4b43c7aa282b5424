/* The airport that stands for a town. */
#include "airports/place.h"

#include "airports/geo.h"
#include "airports/import.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/test.h"

static const double within_nm = 100;

/* ---- the rule, step by step ------------------------------------------------ */

static const char rows_sql[] =
	"DELETE FROM airports; DELETE FROM runways; DELETE FROM procedures; DELETE FROM aip_entries;"
	"DELETE FROM border_crossing_points;"
	"INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg, iso_country,"
	" municipality, scheduled_service, iata_code) VALUES"
	/* Munich's own lies far out; nearer are a base and a field of another name */
	" ('EDDM', 'Munich Airport', 'large_airport', 48.354, 11.786, 'DE', 'Munich', 'yes', 'MUC'),"
	" ('EDNX', 'Schleissheim Airfield', 'small_airport', 48.239, 11.559, 'DE', 'Oberschleissheim', 'no', NULL),"
	" ('ETXX', 'Munich Air Base', 'medium_airport', 48.15, 11.60, 'DE', 'Munich', 'no', NULL),"
	" ('EDXH', 'Munich Heliport', 'heliport', 48.14, 11.58, 'DE', 'Munich', 'no', NULL),"
	" ('EDXB', 'Munich Balloons', 'balloonport', 48.14, 11.57, 'DE', 'Munich', 'no', NULL),"
	/* several with the name */
	" ('LFLL', 'Lyon Saint-Exupéry Airport', 'large_airport', 45.726, 5.081, 'FR', 'Colombier-Saugnieu', 'yes', 'LYS'),"
	" ('LFLY', 'Lyon Bron Airport', 'medium_airport', 45.729, 4.939, 'FR', 'Chassieu, Lyon', 'no', 'LYN'),"
	" ('LFHJ', 'Corbas Airfield', 'small_airport', 45.70, 4.86, 'FR', 'Lyon', 'no', NULL),"
	/* a field for gliders in the town, its airport farther */
	" ('LOWL', 'Linz-Hörsching Airport', 'large_airport', 48.235, 14.188, 'AT', 'Linz', 'yes', 'LNZ'),"
	" ('LOLO', 'Linz-East Glider Field', 'small_airport', 48.3, 14.334, 'AT', 'Linz', 'no', NULL),"
	/* a base beside the town, its airport farther */
	" ('EGUD', 'RAF Abingdon', 'medium_airport', 51.69, -1.316, 'GB', 'Abingdon, Oxfordshire', 'no', NULL),"
	" ('EGTK', 'London Oxford Airport', 'medium_airport', 51.837, -1.32, 'GB', 'Kidlington, Oxfordshire', 'no', 'OXF'),"
	/* named after a person; a strip with the town's name; one of the town's name alone */
	" ('KOSH', 'Wittman Regional Airport', 'medium_airport', 43.984, -88.557, 'US', 'Oshkosh', 'no', 'OSH'),"
	" ('2WN8', 'Oshkosh Sky Ranch Airport', 'small_airport', 44.06, -88.67, 'US', 'Oshkosh', 'no', NULL),"
	" ('EGCC', 'Manchester Airport', 'large_airport', 53.354, -2.275, 'GB', 'Manchester', 'yes', 'MAN'),"
	" ('EGCB', 'Manchester Barton Aerodrome', 'small_airport', 53.472, -2.39, 'GB', 'Manchester', 'no', NULL),"
	" ('KDFW', 'Dallas Fort Worth International Airport', 'large_airport', 32.897, -97.038, 'US', 'Dallas', 'yes', 'DFW'),"
	" ('KF69', 'Dallas Airpark', 'small_airport', 33.0, -96.84, 'US', 'Dallas', 'no', NULL),"
	/* a country without an airport, and a heliport with a name */
	" ('LFMN', 'Nice-Côte d''Azur Airport', 'large_airport', 43.658, 7.216, 'FR', 'Nice, Alpes-Maritimes', 'yes', 'NCE'),"
	" ('EGLW', 'London Heliport', 'heliport', 51.47, -0.18, 'GB', 'Battersea', 'no', NULL),"
	/* joint use; nothing but water; nothing but a base */
	" ('LICT', 'Trapani Air Base', 'medium_airport', 37.911, 12.488, 'IT', 'Trapani', 'yes', 'TPS'),"
	" ('FASB', 'Lone Lake Seaplane Base', 'seaplane_base', -25.0, 20.0, 'ZA', 'Lone Lake', 'no', NULL),"
	" ('FAMI', 'Farhold Air Force Base', 'medium_airport', -30.0, 20.0, 'ZA', 'Farhold', 'no', NULL),"
	" ('FAHE', 'Farhold Heliport', 'heliport', -30.0, 20.01, 'ZA', 'Farhold', 'no', NULL),"
	/* a part of an airport's own name that elsewhere says what a place is; an area and an airport of its name */
	" ('EGAA', 'Belfast International Airport', 'large_airport', 54.657, -6.216, 'GB', 'Belfast', 'yes', 'BFS'),"
	" ('EGAC', 'George Best Belfast City Airport', 'medium_airport', 54.618, -5.873, 'GB', 'Belfast', 'yes', 'BHD'),"
	" ('EGPJ', 'Fife Airport', 'small_airport', 56.183, -3.22, 'GB', 'Glenrothes', 'no', NULL),"
	" ('EGQL', 'Leuchars Station Airfield', 'medium_airport', 56.373, -2.868, 'GB', 'Leuchars, Fife', 'no', NULL),"
	/* a hamlet overseas, and a field whose name begins with the town */
	" ('ND35', 'Lindemann Airport', 'small_airport', 46.7, -97.7, 'US', 'Lucca', 'no', NULL),"
	" ('LIQL', 'Lucca-Tassignano Airport', 'small_airport', 43.826, 10.578, 'IT', 'Capannori (LU)', 'no', NULL),"
	/* an ident that takes no part in searches */
	" ('DE-0001', 'Munich Strip', 'small_airport', 48.141, 11.581, 'DE', 'Munich', 'no', NULL);"
	"INSERT INTO runways(airport_icao, le_ident, he_ident, length_ft, width_ft, surface, lighted, closed) VALUES"
	" ('EDDM', '08', '26', 13123, 197, 'CON', 1, 0), ('ETXX', '08', '26', 9000, 150, 'CON', 1, 0);";

static const struct row {
	const char *text, *main, *end;        /* NULL: none within 100 NM */
} rows[] = {
	{ "Munich", "EDDM", "EDDM" }, { "Munich airport", "EDDM", "EDDM" }, { "MÜNCHEN", "EDDM", "EDDM" },
	{ "Muenchen", "EDDM", "EDDM" }, { "Flughafen München", "EDDM", "EDDM" }, { "Munich, Germany", "EDDM", "EDDM" },
	{ "the Munich area", "EDDM", "EDDM" }, { "Munich Air Base", "ETXX", "ETXX" },
	{ "Munich Heliport", "EDXH", "EDXH" }, { "EDXH", "EDXH", "EDXH" }, { "MUC", "EDDM", "EDDM" },
	{ "Lyon", "LFLL", "LFLY" }, { "Lyon airport", "LFLL", "LFLL" }, { "lyon bron", "LFLY", "LFLY" },
	{ "Lyon, France", "LFLL", "LFLY" }, { "Oxford", "EGTK", "EGTK" }, { "Abingdon", "EGUD", "EGUD" },
	{ "Linz", "LOWL", "LOWL" }, { "LOLO", "LOLO", "LOLO" }, { "Linz-East Glider Field", "LOLO", "LOLO" },
	{ "Oshkosh", "KOSH", "KOSH" }, { "Manchester", "EGCC", "EGCC" }, { "Dallas", "KDFW", "KF69" },
	{ "Monaco", "LFMN", "LFMN" }, { "Battersea", "EGTK", "EGTK" }, { "London Heliport", "EGLW", "EGLW" },
	{ "Trapani", "LICT", "LICT" }, { "Lone Lake", "FASB", "FASB" }, { "Farhold", "FAMI", "FAMI" },
	{ "Belfast City", "EGAC", "EGAC" }, { "Belfast", "EGAA", "EGAA" }, { "Belfast town", "EGAA", "EGAA" }, { "Fife", "EGPJ", "EGPJ" },
	{ "Fife airport", "EGPJ", "EGPJ" }, { "Munich City", "EDDM", "EDDM" }, { "Lucca", "LIQL", "LIQL" }, { "Lucca, USA", "ND35", "ND35" },
	{ "48.14, 11.58", "EDNX", "EDNX" }, { "51.70, -1.30", "EGTK", "EGTK" }, { "45.70, 4.90", "LFHJ", "LFHJ" },
	{ "0, 0", NULL, NULL }, { "Nowhereville", NULL, NULL }, { "Munich, France", NULL, NULL },
	{ "", NULL, NULL }, { "airport", NULL, NULL }, { "\xff", NULL, NULL }, { "%_'\"*", NULL, NULL },
};

TEST(town, rule)
{
	struct airfix f;
	struct err e = { OK, "" };

	airfix_start(&f, NULL, rows_sql, false);
	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i / 2];
		const char *want = i % 2 == 0 ? r->main : r->end;
		struct place p;
		bool found;

		TEST_OK(place_airport(f.con, f.mem, NULL, r->text, i % 2 == 0 ? PLACE_MAIN : PLACE_END,
		    within_nm, &p, &found, &e), e);
		cr_expect_eq(found, want != NULL, "%s: %s", r->text, found ? p.airport.ident : p.why);
		cr_expect(found || (p.why != NULL && *p.why != '\0'), "%s", r->text);
		if (!found || want == NULL)
			continue;
		cr_expect(p.is_airport);
		cr_expect_str_eq(p.airport.ident, want, "%s (%s): %s", r->text, i % 2 == 0 ? "main" : "end",
		    p.airport.ident);
		cr_expect_float_eq(p.distance_nm, geo_distance_nm((struct point){ p.lat, p.lon },
		    (struct point){ p.airport.lat, p.airport.lon }), 1e-9, "%s", r->text);
	}
	airfix_close(&f);
}

TEST(town, the_place_stays_what_was_said)
{
	struct airfix f;
	struct place p;
	struct err e = { OK, "" };
	bool found;

	airfix_start(&f, NULL, rows_sql, false);
	TEST_OK(place_airport(f.con, f.mem, NULL, "München", PLACE_END, within_nm, &p, &found, &e), e);
	cr_assert(found);
	cr_expect_str_eq(p.label, "Munich, Germany");
	cr_expect_float_eq(p.lat, 48.14, 0.02);
	cr_expect_gt(p.distance_nm, 10.0);
	/* the middle of a search is the town, unless its airport is named */
	TEST_OK(place_resolve(f.con, f.mem, NULL, "Munich", NULL, &p, &found, &e), e);
	cr_expect(found && !p.is_airport);
	cr_expect_float_eq(p.lat, 48.14, 0.02);
	TEST_OK(place_resolve(f.con, f.mem, NULL, "munich airport", NULL, &p, &found, &e), e);
	cr_expect(found && p.is_airport && streq(p.airport.ident, "EDDM"));
	/* too far from everything: says of what */
	TEST_OK(place_airport(f.con, f.mem, NULL, "0, 0", PLACE_END, within_nm, &p, &found, &e), e);
	cr_expect(!found && strstr(p.why, "within 100 NM of 0.0000, 0.0000") != NULL, "%s", p.why);
	airfix_close(&f);
}

TEST(town, all_idents)
{
	struct airfix f;
	struct place p;
	struct err e = { OK, "" };
	bool found;

	airfix_start(&f, NULL, rows_sql, true);
	TEST_OK(place_airport(f.con, f.mem, NULL, "48.141, 11.581", PLACE_END, within_nm, &p, &found, &e), e);
	cr_expect(found && streq(p.airport.ident, "DE-0001"));
	airfix_close(&f);
}

/* ---- a geocoder's point ------------------------------------------------------- */

static enum errcode look(struct geocoder *g, struct arena *a, const struct place_said *said,
    const struct watch *w, struct place *out, bool *found, struct err *e)
{
	(void)g, (void)a, (void)said, (void)w, (void)e;
	*out = (struct place){ .source = PLACE_GEOCODER, .lat = 48.137, .lon = 11.576,
		.label = "Marienplatz, Munich", .country = "DE" };
	*found = true;
	return OK;
}

TEST(town, geocoded)
{
	static const struct { const char *text, *ident; } said[] = {
		{ "Munich", "EDDM" }, { "München, Germany", "EDDM" }, { "munich airport", "EDDM" },
		{ "Munich Germany", "EDDM" }, { "Zwickelfilz", "EDNX" }, { "Marienplatz 1", "EDNX" }, { "MUC", "EDDM" },
		{ "EDNX", "EDNX" }, { "Schleissheim", "EDNX" },
	};
	struct geocoder munich = { look };
	const struct place_context g = { &munich, NULL, NULL, NULL };
	struct airfix f;
	struct err e = { OK, "" };

	airfix_start(&f, NULL, rows_sql, false);
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		struct place p;
		bool found;

		TEST_OK(place_airport(f.con, f.mem, &g, said[i].text, PLACE_END, within_nm, &p, &found, &e), e);
		cr_assert(found, "%s", said[i].text);
		cr_expect_str_eq(p.airport.ident, said[i].ident, "%s: %s", said[i].text, p.airport.ident);
	}
	airfix_close(&f);
}

/* ---- hostile text --------------------------------------------------------------- */

TEST(town, hostile_text)
{
	static const char *const pieces[] = {
		"Munich ", "munich,", "a", "ae", "(", "ü", "in ", "airport ", "' OR 1", "\xf0\x9f\x98\x80", "st ", "-",
	};
	struct airfix f;
	struct err e = { OK, "" };

	airfix_start(&f, NULL, rows_sql, false);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		for (size_t max = 1; max <= 1000; max += 37) {
			struct arena *a = arena_new();
			struct buf text;
			struct place p;
			bool found;

			buf_init(&text, max + 1);
			while (!text.full)
				buf_puts(&text, pieces[i]);
			TEST_OK(place_airport(f.con, a, NULL, text.p, PLACE_END, within_nm, &p, &found, &e), e);
			cr_expect(found ? p.airport.ident != NULL : p.why != NULL);
			cr_expect_lt(arena_used(a), (size_t)1 << 18, "%s", pieces[i]);
			buf_release(&text);
			arena_free(a);
		}
	airfix_close(&f);
}

/* ---- the real set ---------------------------------------------------------------- */

struct expected {
	const char *text, *ident;
};

/* Asked about: the airport the town is known for. */
static const struct expected mains[] = {
	{ "Munich airport", "EDDM" }, { "Munich", "EDDM" }, { "München", "EDDM" },
	{ "Flughafen München", "EDDM" }, { "Zurich airport", "LSZH" }, { "Zürich", "LSZH" },
	{ "Geneva", "LSGG" }, { "Genève", "LSGG" }, { "Cologne airport", "EDDK" },
	{ "Köln", "EDDK" }, { "Oxford", "EGTK" }, { "Cambridge", "EGSC" },
	{ "Cambridge, UK", "EGSC" }, { "Biggin Hill", "EGKB" }, { "Cannes", "LFMD" },
	{ "Nice", "LFMN" }, { "Nice airport", "LFMN" }, { "Le Touquet", "LFAT" },
	{ "Deauville", "LFRG" }, { "Lyon airport", "LFLL" }, { "Lyon", "LFLL" },
	{ "Lyon Bron", "LFLY" }, { "Toussus-le-Noble", "LFPN" }, { "Egelsbach", "EDFE" },
	{ "Friedrichshafen", "EDNY" }, { "Salzburg", "LOWS" }, { "Innsbruck", "LOWI" },
	{ "Annecy", "LFLP" }, { "Sion", "LSGS" }, { "Samedan", "LSZS" }, { "Antwerp", "EBAW" },
	{ "Ostend", "EBOS" }, { "Rotterdam", "EHRD" }, { "Texel", "EHTX" },
	{ "Jersey", "EGJJ" }, { "Jersey airport", "EGJJ" }, { "Guernsey", "EGJB" },
	{ "Alderney", "EGJA" }, { "Elba", "LIRJ" }, { "Venice airport", "LIPZ" },
	{ "Ljubljana", "LJLJ" }, { "Prague airport", "LKPR" }, { "Shoreham", "EGKA" },
	{ "Goodwood", "EGHR" }, { "London airport", "EGLL" }, { "London Heathrow", "EGLL" },
	{ "Gatwick airport", "EGKK" }, { "Frankfurt airport", "EDDF" },
	{ "Frankfurt", "EDDF" }, { "Berlin airport", "EDDB" }, { "Hamburg airport", "EDDH" },
	{ "Stuttgart", "EDDS" }, { "Düsseldorf airport", "EDDL" }, { "Duesseldorf", "EDDL" },
	{ "Nuremberg airport", "EDDN" }, { "Vienna airport", "LOWW" }, { "Wien", "LOWW" },
	{ "Graz", "LOWG" }, { "Bern", "LSZB" }, { "Lugano", "LSZA" },
	{ "Basel airport", "LFSB" }, { "Brussels airport", "EBBR" },
	{ "Amsterdam airport", "EHAM" }, { "Luxembourg airport", "ELLX" },
	{ "Copenhagen airport", "EKCH" }, { "Stockholm airport", "ESSA" },
	{ "Oslo airport", "ENGM" }, { "Bergen airport", "ENBR" },
	{ "Helsinki airport", "EFHK" }, { "Dublin airport", "EIDW" },
	{ "Glasgow airport", "EGPF" }, { "Edinburgh airport", "EGPH" },
	{ "Belfast airport", "EGAA" }, { "Belfast City", "EGAC" }, { "Fife", "EGPJ" }, { "Fife airport", "EGPJ" }, { "Manchester airport", "EGCC" },
	{ "Birmingham airport", "EGBB" }, { "Southampton airport", "EGHI" },
	{ "Bristol airport", "EGGD" }, { "Exeter", "EGTE" }, { "Madrid airport", "LEMD" },
	{ "Barcelona airport", "LEBL" }, { "Seville", "LEZL" }, { "Malaga airport", "LEMG" },
	{ "Lisbon airport", "LPPT" }, { "Cascais", "LPCS" }, { "Porto", "LPPR" },
	{ "Rome airport", "LIRF" }, { "Milan airport", "LIMC" },
	{ "Florence airport", "LIRQ" }, { "Naples airport", "LIRN" },
	{ "Verona airport", "LIPX" }, { "Bologna", "LIPE" }, { "Athens airport", "LGAV" },
	{ "Corfu", "LGKR" }, { "Dubrovnik", "LDDU" }, { "Split airport", "LDSP" },
	{ "Budapest airport", "LHBP" }, { "Warsaw airport", "EPWA" }, { "Kraków", "EPKK" },
	{ "Istanbul airport", "LTFM" }, { "Bordeaux", "LFBD" }, { "Toulouse airport", "LFBO" },
	{ "Marseille airport", "LFML" }, { "Strasbourg airport", "LFST" }, { "Lille", "LFQQ" },
	{ "La Rochelle", "LFBH" }, { "Calvi", "LFKC" }, { "St Tropez airport", "LFTZ" },
	{ "Courchevel", "LFLJ" }, { "Ibiza", "LEIB" }, { "Malta airport", "LMML" },
	{ "Miami airport", "KMIA" }, { "Denver airport", "KDEN" },
	{ "Boston airport", "KBOS" }, { "Chicago airport", "KORD" },
	{ "Dallas airport", "KDFW" }, { "Seattle airport", "KSEA" },
	{ "San Francisco airport", "KSFO" }, { "New York airport", "KJFK" },
	{ "Sydney airport", "YSSY" }, { "Tokyo airport", "RJTT" },
	{ "Toronto airport", "CYYZ" }, { "Singapore airport", "WSSS" },
	{ "Dubai airport", "OMDB" }, { "Cape Town airport", "FACT" },
	{ "Marrakech airport", "GMMX" }, { "Bournemouth", "EGHH" }, { "Gloucester", "EGBJ" },
	{ "Leeds", "EGNM" }, { "Newcastle", "EGNT" }, { "Cork airport", "EICK" },
	{ "Shannon", "EINN" }, { "Kiel", "EDHK" }, { "Lübeck", "EDHL" }, { "Sylt", "EDXW" },
	{ "Helgoland", "EDXH" }, { "Hannover airport", "EDDV" }, { "Münster", "EDDG" },
	{ "Dortmund", "EDLW" }, { "Bonn", "EDDK" }, { "Baden-Baden", "EDSB" },
	{ "Erfurt", "EDDE" }, { "Linz", "LOWL" }, { "St. Gallen", "LSZR" },
	{ "St Moritz", "LSZS" }, { "Liège", "EBLG" }, { "Charleroi", "EBCI" },
	{ "Eindhoven airport", "EHEH" }, { "Aarhus", "EKAH" },
	{ "Gothenburg airport", "ESGG" }, { "Malmö", "ESMS" }, { "Trondheim", "ENVA" },
	{ "Rovaniemi", "EFRO" }, { "Tallinn", "EETN" }, { "Gdansk", "EPGD" },
	{ "Wrocław", "EPWR" }, { "Bratislava", "LZIB" }, { "Bled", "LJBL" },
	{ "Zadar", "LDZD" }, { "Belgrade airport", "LYBE" }, { "Tirana", "LATI" },
	{ "Sofia airport", "LBSF" }, { "Bucharest airport", "LROP" },
	{ "Thessaloniki", "LGTS" }, { "Antalya", "LTAI" }, { "Bodrum", "LTFE" },
	{ "Palermo airport", "LICJ" }, { "Pisa", "LIRP" }, { "Turin airport", "LIMF" },
	{ "Montpellier", "LFMT" }, { "Pau", "LFBP" }, { "Tours", "LFOT" },
	{ "Nantes", "LFRS" }, { "Rennes", "LFRN" }, { "Brest", "LFRB" }, { "Dijon", "LFSD" },
	{ "Grenoble airport", "LFLS" }, { "Megève", "LFHM" }, { "Bilbao", "LEBB" },
	{ "Girona", "LEGE" }, { "Valencia airport", "LEVC" }, { "Alicante", "LEAL" },
	{ "Palma de Mallorca", "LEPA" }, { "Menorca", "LEMH" }, { "Jerez", "LEJR" },
	{ "Gibraltar", "LXGB" }, { "Funchal", "LPMA" }, { "Tangier", "GMTT" },
	{ "Tunis", "DTTA" }, { "Cairo airport", "HECA" }, { "Tel Aviv airport", "LLBG" },
	{ "Hong Kong airport", "VHHH" }, { "Bangkok airport", "VTBS" },
	{ "Melbourne airport", "YMML" }, { "Auckland airport", "NZAA" },
	{ "Johannesburg airport", "FAOR" }, { "Nairobi airport", "HKJK" },
	{ "Vancouver airport", "CYVR" }, { "Montreal airport", "CYUL" },
	{ "Atlanta airport", "KATL" }, { "Houston airport", "KIAH" },
	{ "Los Angeles airport", "KLAX" }, { "Washington airport", "KIAD" },
	{ "Philadelphia", "KPHL" }, { "Honolulu", "PHNL" }, { "Anchorage airport", "PANC" },
};

/* Flown from or to: the nearest that bears the name. */
static const struct expected ends[] = {
	{ "Oxford", "EGTK" }, { "Le Touquet", "LFAT" }, { "Munich", "EDDM" },
	{ "Zurich", "LSZH" }, { "Geneva", "LSGG" }, { "Cambridge", "EGSC" },
	{ "Cannes", "LFMD" }, { "Nice", "LFMN" }, { "Lyon", "LFLY" },
	{ "Lyon airport", "LFLL" }, { "Paris", "LFPB" }, { "London", "EGLC" },
	{ "Toulouse", "LFCL" }, { "Rome", "LIRU" }, { "Milan", "LIML" }, { "Venice", "LIPV" },
	{ "Venice airport", "LIPZ" }, { "Berlin", "EDDB" }, { "Cologne", "EDDK" },
	{ "Salzburg", "LOWS" }, { "Linz", "LOWL" }, { "Vienna", "LOWW" }, { "Prague", "LKPR" },
	{ "Brussels", "EBBR" }, { "Antwerp", "EBAW" }, { "Rotterdam", "EHRD" },
	{ "Jersey", "EGJJ" }, { "Elba", "LIRJ" }, { "Biarritz", "LFBZ" }, { "Monaco", "LFMN" },
	{ "Brighton", "EGKA" }, { "Manchester", "EGCC" }, { "Bristol", "EGGD" },
	{ "Edinburgh", "EGPH" }, { "Augsburg", "EDMA" }, { "Bremen", "EDDW" },
	{ "Dresden", "EDDC" }, { "Leipzig", "EDDP" }, { "Mannheim", "EDFM" },
	{ "Trieste", "LIPQ" }, { "Bolzano", "LIPB" }, { "Portoroz", "LJPZ" },
	{ "Zagreb", "LDZA" }, { "Faro", "LPFR" }, { "Reims", "LFQA" }, { "Chambery", "LFLB" },
	{ "Ajaccio", "LFKJ" }, { "Ouessant", "LFEC" }, { "Quimper", "LFRQ" },
	{ "Le Havre", "LFOH" }, { "Calais", "LFAC" }, { "Caen", "LFRK" }, { "Dinard", "LFRD" },
	{ "Farnborough", "EGLF" }, { "Southend", "EGMC" }, { "Lydd", "EGMD" },
	{ "Isle of Man", "EGNS" }, { "Las Vegas", "KVGT" }, { "Santa Monica", "KSMO" },
	{ "Palo Alto", "KPAO" }, { "Santa Barbara", "KSBA" }, { "Queenstown", "NZQN" },
	{ "Reykjavik", "BIRK" }, { "Perth, Scotland", "EGPT" }, { "Inverness", "EGPE" },
	{ "Norwich", "EGSH" }, { "Cardiff", "EGFF" }, { "Swansea", "EGFH" },
	{ "Galway", "EICA" }, { "Luebeck", "EDHL" }, { "Heligoland", "EDXH" },
	{ "Norderney", "EDWY" }, { "Freiburg", "EDTF" }, { "Konstanz", "EDTZ" },
	{ "Donaueschingen", "EDTD" }, { "Straubing", "EDMS" }, { "Saarbrücken", "EDDR" },
	{ "Klagenfurt", "LOWK" }, { "Zell am See", "LOWZ" }, { "Wels", "LOLW" },
	{ "Lausanne", "LSGL" }, { "Grenchen", "LSZG" }, { "Locarno", "LSZL" },
	{ "Kortrijk", "EBKT" }, { "Maastricht", "EHBK" }, { "Groningen", "EHGG" },
	{ "Lelystad", "EHLE" }, { "Roskilde", "EKRK" }, { "Billund", "EKBI" },
	{ "Visby", "ESSV" }, { "Stavanger", "ENZV" }, { "Tromsø", "ENTC" },
	{ "Turku", "EFTU" }, { "Riga", "EVRA" }, { "Vilnius", "EYVI" }, { "Poznan", "EPPO" },
	{ "Brno", "LKTB" }, { "Karlovy Vary", "LKKV" }, { "Maribor", "LJMB" },
	{ "Rijeka", "LDRI" }, { "Pula", "LDPL" }, { "Losinj", "LDLO" }, { "Sarajevo", "LQSA" },
	{ "Tivat", "LYTV" }, { "Skopje", "LWSK" }, { "Heraklion", "LGIR" },
	{ "Santorini", "LGSR" }, { "Rhodes", "LGRP" }, { "Larnaca", "LCLK" },
	{ "Catania", "LICC" }, { "Cagliari", "LIEE" }, { "Olbia", "LIEO" },
	{ "Lucca", "LIQL" }, { "Siena", "LIQS" }, { "Genoa", "LIMJ" }, { "Aosta", "LIMW" },
	{ "Bergamo", "LIME" }, { "Rimini", "LIPR" }, { "Ancona", "LIPY" },
	{ "Bastia", "LFKB" }, { "Figari", "LFKF" }, { "Avignon", "LFNT" },
	{ "Perpignan", "LFMP" }, { "Carcassonne", "LFMK" }, { "Limoges", "LFBL" },
	{ "Poitiers", "LFBI" }, { "Saint-Malo", "LFRD" }, { "Cherbourg", "LFRC" },
	{ "Rouen", "LFOP" }, { "Troyes", "LFQB" }, { "Beaune", "LFGF" },
	{ "Albertville", "LFKA" }, { "Gap", "LFNA" }, { "Colmar", "LFGA" },
	{ "San Sebastian", "LESO" }, { "Santander", "LEXJ" }, { "Portimao", "LPPM" },
	{ "Oshkosh", "KOSH" }, { "Aspen", "KASE" }, { "Key West", "KEYW" },
};

static void expect(struct airfix *f, const struct expected *v, size_t n, enum place_wish wish)
{
	struct err e = { OK, "" };

	for (size_t i = 0; i < n; i++) {
		struct place p;
		bool found;

		TEST_OK(place_airport(f->con, f->mem, NULL, v[i].text, wish, within_nm, &p, &found, &e), e);
		cr_expect(found, "%s: %s", v[i].text, p.why);
		if (found)
			cr_expect_str_eq(p.airport.ident, v[i].ident, "%s: %s instead of %s", v[i].text,
			    p.airport.ident, v[i].ident);
	}
}

TEST(town, real_set, .timeout = 240)
{
	const char *file = test_data("ourairports/airports.csv.gz");
	struct import_options o = { 0 };
	struct import_stats stats;
	struct err e = { OK, "" };
	struct arena *a;
	struct airfix f;
	char *dir;

	if (file == NULL) {
		test_skip("no data");
		return;
	}
	a = arena_new();
	dir = test_mkdtemp();
	o.dir = arena_printf(a, "%.*s", (int)(strrchr(file, '/') - file), file);
	o.out = arena_printf(a, "%s/a.db", dir);
	TEST_OK(import_ourairports(&o, NULL, NULL, &stats, &e), e);
	airfix_open(&f, o.out, false);
	expect(&f, mains, sizeof(mains) / sizeof(mains[0]), PLACE_MAIN);
	expect(&f, ends, sizeof(ends) / sizeof(ends[0]), PLACE_END);
	airfix_close(&f);
	test_rmdir(dir);
	arena_free(a);
}
