/*
 * From marked messages to plans: each row is a dialogue as tests/language/GUIDE.md writes it, and the tool with its
 * arguments that the last message asks for.
 */
#include "tests/unit/marked_check.h"

#include <math.h>

#define CHECK(rows, talk) CHECK_MARKED(rows, talk, false)

TEST(frame_plans, searches)
{
	static const char *const rows[][2] = {
		{ "airports near [Lyon|near] with [avgas|has_avgas] and [no customs|point_of_entry=false] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true,\"point_of_entry\":false}}" },
		{ "around [Cambridge|near] in the [UK|country=GB], [at least 800 m|min_runway=800m] → near",
		    "find_airports_near_location {\"location_query\":\"Cambridge, United Kingdom\",\"filters\":{\"min_runway_length_ft\":2624}}" },
		{ "[French|country=FR] fields [within 50 km|radius=50km] of [Geneva|near] → near",
		    "find_airports_near_location {\"location_query\":\"Geneva\",\"max_distance_nm\":27,\"filters\":{\"country\":\"FR\"}}" },
		{ "from [Fairoaks (EGTF)|from] to [Cannes|to], [half an hour|reach=30min] at [120 kt|speed=120kt] → route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\",\"max_distance_nm\":60,\"cruise_kt\":120}" },
		{ "[cheapest|order=fee] [three|count=3] fields in [Corsica|area], [big ones too|large], [max 15 pounds|max_fee=15gbp] for a "
		  "[Cirrus|aircraft=sr22] → search",
		    "find_airports_near_location {\"location_query\":\"Corsica\",\"max_results\":3,\"filters\":{\"max_landing_fee\":15,\"fee_currency\":\"GBP\","
		    "\"fee_aircraft\":\"sr22\"},\"priority_strategy\":\"landing_fee\",\"include_large_airports\":true}" },
		{ "[LFAT|at] or [Cannes|at], which has [avgas|has_avgas] → search",
		    "search_airports {\"query\":\"LFAT LFMD\",\"filters\":{\"has_avgas\":true}}" },
		{ "fields in [Austria|country=AT] and [Italy|country=IT] → search",
		    "search_airports {\"query\":\"Austria\",\"filters\":{\"country\":\"AT\"}} & "
		    "search_airports {\"query\":\"Italy\",\"filters\":{\"country\":\"IT\"}}" },
		{ "[closest|order=distance] [ILS|has_procedures] to [Annecy|near] → near",
		    "find_airports_near_location {\"location_query\":\"Annecy\",\"max_distance_nm\":150,\"filters\":{\"has_procedures\":true},\"priority_strategy\":\"nearest\"}" },
		{ "[longest runway|order=runway] in [Austria|country=AT] → search",
		    "search_airports {\"query\":\"Austria\",\"filters\":{\"country\":\"AT\"},\"priority_strategy\":\"longest_runway\"}" },
		{ "[EGTF|from] to [Cannes|to] over [Lydd|via] and [Lyon|via], [avgas|has_avgas] → route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lydd\",\"filters\":{\"has_avgas\":true}} & "
		    "find_airports_near_route {\"from_location\":\"Lydd\",\"to_location\":\"Lyon\",\"filters\":{\"has_avgas\":true}} & "
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\",\"filters\":{\"has_avgas\":true}}" },
		{ "from [Lyon|from] → route", "reply: Where do you want to fly to?" },
		{ "to [Lyon|to] → route", "reply: Where do you start?" },
		{ "near [95.5, 200.1|near] → near", "reply: These coordinates are not valid" },
	};
	CHECK(rows, &nothing_said);
}

TEST(frame_plans, one_airport)
{
	static const char *const rows[][2] = {
		{ "[how long is the runway|ask=runway_length] at [Cannes|at] → details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "[LFAT|at] and [EGTF|at] please → details",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "[LFAT|at] [ask|ask=hours] on [saturday|day=saturday] → details", "get_airport_details {\"icao_code\":\"LFAT\",\"date\":\"saturday\"}" },
		{ "notice for [LFAT|at] on [Sunday|day=sunday] at [2 pm|time=14:00] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"Sunday\",\"time\":\"14:00\"}" },
		{ "notice for [LFAT|at] on [30 February|day=30-02] → notice", "reply: " },
		{ "how much notice → unclear", "reply: I did not find a question" },
	};
	CHECK(rows, &nothing_said);
}

TEST(frame_plans, picks_come_from_the_last_answer)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] → near\n[the second|pick=2] → pick details", "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "near [Lyon|near] → near\n[the last one|pick=-1] → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\n[the longest|pick=runway] → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\n[the nearest|pick=distance] → pick details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "near [Lyon|near] → near\n[the ninth|pick=9] → pick details", "reply: My last list has no airport with that number." },
		{ "near [Lyon|near] → near\nhas [it|pick=it] fuel → pick details", "reply: Which of the airports do you mean?" },
		{ "[runway|ask=runway_length] at [EGTF|at] → details\nhas [it|pick=it] fuel → pick details",
		    "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "near [Lyon|near] → near\nfields around [the first|pick=1] → pick near",
		    "find_airports_near_location {\"location_query\":\"LFAT\"}" },
		{ "near [Lyon|near] → near\nmore → more near", "find_airports_near_location {\"location_query\":\"Lyon\",\"offset\":5}" },
		{ "near [Lyon|near] → near\nmore → more near\nmore → more near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"offset\":10}" },
		{ "[three|count=3] near [Lyon|near] → near\nmore → more near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_results\":3,\"offset\":3}" },
		{ "near [Lyon|near] → near\n[three|count=3] more → more near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_results\":3,\"offset\":5}" },
		{ "near [Lyon|near] → near\n[just 3|count=3] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_results\":3}" },
		{ "near [Lyon|near] → near\nmore → more near\n[avgas|has_avgas] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
	};
	const struct talk talk = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, NAN }, { "LFMD", 3000, 9, 10 } } };
	CHECK(rows, &talk);
}

TEST(frame_plans, an_airport_of_the_answer_may_be_named_by_a_part)
{
	static const char *const rows[][2] = {
		/* without the answer this is Lyon Saint-Exupéry, the main airport */
		{ "near [Lyon|near] → near\n[runway|ask=runway_length] at [Lyon|at] → pick details", "get_airport_details {\"icao_code\":\"LFLY\"}" },
		{ "near [Lyon|near] → near\n[Lyon airport|at] → details", "get_airport_details {\"icao_code\":\"LFLY\"}" },
		/* two airports of the list have the name */
		{ "near [Lyon|near] → near\n[London|at] → details", "get_airport_details {\"icao_code\":\"EGLL\"}" },
		{ "near [Lyon|near] → near\n[Blackbushe|at] → details", "get_airport_details {\"icao_code\":\"EGLK\"}" },
		{ "near [Lyon|near] → near\n[Atlantis|at] → details", "get_airport_details {\"icao_code\":\"Atlantis\"}" },
		/* the first message of a talk leans on no answer */
		{ "[Lyon|at] → details", "get_airport_details {\"icao_code\":\"LFLL\"}" },
	};
	const struct talk talk = { .n = 3, .list = { { "LFLY", 1000, 5, 30 }, { "EGKB", 2000, 7, NAN }, { "EGLC", 3000, 9, 10 } } };
	CHECK(rows, &talk);
}

TEST(frame_plans, what_no_tool_takes_is_named)
{
	static const struct { const char *line, *unused; } rows[] = {
		{ "near [Lyon|near] with [mogas|wish] and a [hangar|wish] → near", "mogas, hangar" },
		{ "near [Lyon|near], [longest runway|order=runway] → near", NULL },
		{ "near [Lyon|near], [customs|point_of_entry] on [Sunday|day=sunday] at [noon|time=12:00] → near", "Sunday, noon" },
		{ "near [Lyon|near] on [Sunday|day=sunday] → near", NULL },
		{ "near [Lyon|near], [no hotel|hotel=false] → near", "no hotel" },
		{ "near [Lyon|near] with [avgas|has_avgas] → near", NULL },
		{ "can I land at [EGTF|at] at [22:00|time=22:00] → details", "22:00" },
	};
	struct fixture f;

	fixture_open(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		const struct plan p = first_plan(&f, a, rows[i].line, false);
		cr_expect(streq(p.unused, rows[i].unused), "%s: %s", rows[i].line, p.unused);
		arena_free(a);
	}
	fixture_close(&f);
}

TEST(frame_plans, a_french_they_is_no_landing_system)
{
	static const struct { const char *message, *words; } rows[] = {
		{ "parlez-moi de cet aérodrome de [LFAT|at] → details\nvendent-ils du [carburant|ask=fuel] ? → pick details", "du carburant" },
		{ "parlez-moi de cet aérodrome de [LFAT|at] → details\n[ils ont quoi à la pompe|ask=fuel] ? → pick details", "ont quoi à la pompe" },
		{ "parlez-moi de cet aérodrome de [LFAT|at] → details\nest-ce qu'ils ont des [approches|ask=procedures] ? → pick details", "ont des approches" },
		{ "parlez-moi de cet aérodrome de [LFAT|at] → details\n[ont-ils un ils|ask=procedures] ? → pick details", "ont- un ils" },
		{ "parlez-moi de cet aérodrome de [LFAT|at] → details\n[quelle approche ils|ask=procedures] dans cet aérodrome ? → pick details", "quelle approche ils dans cet" },
		{ "parlez-moi de cet aérodrome de [LFAT|at] → details\nquelle [fréquence|ask=frequency] ILS dans cet aérodrome ? → pick details", "quelle fréquence ILS dans" },
		{ "tell me about [LFAT|at] → details\nis there an [ils|ask=procedures] at this airport? → pick details", "there an ils at this" },
	};
	struct fixture f;

	fixture_open(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		const struct plan plan = first_plan(&f, a, rows[i].message, true);
		cr_expect_eq(plan.nasked, (size_t)1, "%s", rows[i].message);
		cr_expect(plan.nasked == 1 && streq(plan.asked[0].words, rows[i].words), "%s: %s", rows[i].message, plan.asked[0].words);
		arena_free(a);
	}
	fixture_close(&f);
}
