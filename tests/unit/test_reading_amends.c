/*
 * What exact knowledge says beside the marks: wishes that are told because nothing can be looked up for them, what a "not" holds for,
 * and what a message goes on from.
 */
#include <math.h>

#include "tests/unit/marked_check.h"

#include "agents/aviation/builtin/reading_amends.h"

#define CHECK(rows) CHECK_MARKED(rows, &nothing_said, true)

/* For "And is there anything with a restaurant on the way?", the program once asked where to look, because the talk was of rules before. */
TEST(reading_amends, a_search_without_a_place_goes_on_with_the_list)
{
#define LIST "near [Lyon|near] with [avgas|has_avgas] → near\n"
#define HARD "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true,\"has_hard_runway\":true}}"
	static const char *const rows[][2] = {
		{ LIST "[customs|topic] in [France|country=FR]? → switch answer\nwith a [hard runway|has_hard_runway] → switch search", HARD },
		{ LIST "[customs|topic] in [France|country=FR]? → switch answer\nwith a [hard runway|has_hard_runway] → refine near", HARD },
		{ LIST "[LFAT|at], [food|ask=restaurant]? → pick details\nthe others, [which|ask=which] has [asphalt|has_hard_runway]? → switch search", HARD },
		{ LIST "[LFAT|at], [food|ask=restaurant]? → pick details\n[forget the fuel|-has_avgas], [cheap|order=fee] → switch near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"priority_strategy\":\"landing_fee\"}" },
		{ LIST "[LFAT|at], [elevation|ask=elevation]? → pick details\nand [within 70 NM|radius=70nm], but with [hard runway|has_hard_runway]? → pick details",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":70,\"filters\":{\"has_avgas\":true,\"has_hard_runway\":true}}" },
		{ LIST "with a [hard runway|has_hard_runway] → search", HARD },
		{ LIST "[LFAT|at], [food|ask=restaurant]? → pick details\nwith a [hard runway|has_hard_runway] → search", HARD },
		{ LIST "[LFAT|at], [food|ask=restaurant]? → pick details\nanything with [asphalt|has_hard_runway] around? → switch near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"has_hard_runway\":true}}" },
		{ LIST "in [Germany|country=DE] with a [hard runway|has_hard_runway] → search",
		    "search_airports {\"query\":\"Germany\",\"filters\":{\"country\":\"DE\",\"has_hard_runway\":true}}" },
	};
#undef LIST
#undef HARD
	CHECK(rows);
}

/* A rule about arriving in England was the answer to where one clears customs in Normandy. */
TEST(reading_amends, where_customs_are_cleared_is_a_search)
{
	static const char *const rows[][2] = {
		{ "je rentre d'[Angleterre|country=GB] vers la [Provence|area], où est-ce que je peux [dédouaner|topic] ? → answer",
		    "find_airports_near_location {\"location_query\":\"Provence\",\"filters\":{\"point_of_entry\":true},\"include_large_airports\":true}" },
		{ "where do I find the rules on [customs|topic] and [flight plans|topic] in [Provence|area]? → answer", "reply" },
	};
	CHECK(rows);
}

/* "Do I need customs or a flight plan for Venice Lido?" was answered with the customs, and "please ask about the flight plan separately". */
TEST(reading_amends, rules_beside_an_airport_are_a_question_of_their_own)
{
#define RULES "reply: I have no rule base here, so I cannot answer questions about regulations. Please check the AIP of the country."
	static const char *const rows[][2] = {
		{ "do I need [customs|ask=customs] or a [flight plan|topic] for [LFAT|at]? → details", "get_airport_details {\"icao_code\":\"LFAT\"} & " RULES },
		{ "how much notice at [LFAT|at], and a [flight plan|topic]? → notice", "get_notification_for_airport {\"icao\":\"LFAT\"} & " RULES },
		{ "[customs|ask=customs] at [LFAT|at]? → details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
#undef RULES
	CHECK(rows);
}

/* "Just compare LFAT and LFRG, customs notice, fuel, fee" searched along the route that the talk was about. */
TEST(reading_amends, airports_are_compared_by_the_same_facts)
{
#define BOTH "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}"
	static const char *const rows[][2] = {
		{ "compare [LFAT|at] and [LFMD|at]: [fuel|fuel], [fee|ask=fee] → search", BOTH },
		{ "[Lyon|from] to [LFAT|to] → route\njust compare [LFAT|at] and [LFMD|at], [fuel|fuel] → correct route", BOTH },
		{ "vergleich mal [LFAT|at] und [LFMD|at] → search", BOTH },
		{ "[fee|ask=fee] at [LFAT|at] vs [LFMD|at] → search", BOTH },
		{ "[which|ask=which] is better, [LFAT|at] or [LFMD|at]? → details", BOTH },
		{ "in [France|country=FR], something better than [LFAT|at] or [LFMD|at] → search",
		    "search_airports {\"query\":\"LFAT LFMD\",\"filters\":{\"country\":\"FR\"}}" },
		{ "was is besser, [LFAT|at] oder [LFMD|at]? [gras|has_hard_runway=false] → search", BOTH },
		{ "compare [LFAT|at] and [LFMD|at], [which|ask=which] has the [longer runway|order=runway] → search", "search_airports {\"query\":\"LFAT LFMD\",\"priority_strategy\":\"longest_runway\",\"include_large_airports\":true}" },
		{ "compare [LFAT|at] → details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
#undef BOTH
	CHECK(rows);
}

/* "Forget the limit of 40" was read as the limit of the fee, and took nothing away. */
TEST(reading_amends, a_limit_is_taken_away_by_its_number)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] [within 40 NM|radius=40nm] with [customs|point_of_entry] → near\n[forget the limit of 40|-max_fee] → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "near [Lyon|near] [within 40 NM|radius=40nm] with [customs|point_of_entry] → near\n[forget the limit of 50|-max_fee] → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":40,\"filters\":{\"point_of_entry\":true}}" },
	};
	CHECK(rows);
}

/* "Has it got a campsite or a hotel?" was answered with the hotel alone, and the campsite dropped without a word. */
TEST(reading_amends, a_thing_of_which_nothing_can_be_looked_up_is_named)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] with [customs|point_of_entry] and a campsite → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}} | campsite" },
		{ "près de [Lyon|near], avec une plage et [douane|point_of_entry] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}} | plage" },
		{ "may I build a campsite in [France|country=FR] → cannot:other", "reply" },
		/* nobody wishes for these */
		{ "my wife is at the beach. Near [Lyon|near] with [customs|point_of_entry] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "and the Imperial Museum near [Lyon|near] with [customs|point_of_entry] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
	};
	CHECK(rows);
}

/* "Max ne Stunde mit der C42" searched within 50 NM. */
TEST(reading_amends, a_colloquial_one_is_a_number_before_a_unit)
{
	static const char *const rows[][2] = {
		{ "Platz [max ne Std|radius] mit der [C42|aircraft=c42] von [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":90,\"filters\":{\"exclude\":\"LFLL\"}}" },
		{ "Plätze [50 ne Meilen|radius] von [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":50}" },
		{ "Platz [max ne Meile|radius] von [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":1}" },
	};
	CHECK(rows);
}

/* "Preferably in Austria" left out each airport of another country, and so did "as we are coming from the UK". */
TEST(reading_amends, a_country_that_is_preferred_or_left_is_no_limit)
{
#define ROUTE "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"has_avgas\":true}}"
	static const char *const rows[][2] = {
		{ "[LFAT|from] - [LFMD|to] mit [AVGAS|has_avgas], am liebsten [Österreich|country=AT] → route", ROUTE " | am liebsten Österreich" },
		{ "de [LFAT|from] à [LFMD|to] avec [avgas|has_avgas], de préférence en [Italie|country=IT] → route", ROUTE " | de préférence en Italie" },
		{ "[LFAT|from] to [LFMD|to] with [avgas|has_avgas] as we're coming from the [UK|country=GB] → route", ROUTE },
		{ "[LFAT|from] - [LFMD|to] avec [avgas|has_avgas] en venant de [Suisse|country=CH] ou de la [Belgique|country=BE] → route", ROUTE },
	};
#undef ROUTE
	CHECK(rows);
}

/* After an empty list, the pilot asked for "150 NM off the route". The program kept 50 NM, and gave the same empty list. */
TEST(reading_amends, a_distance_without_a_mark_is_the_corridor_or_is_told_as_unused)
{
#define ROUTE "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\""
	static const char *const rows[][2] = {
		{ "de [LFAT|from] à [LFMD|to] → route\nà 150 NM de la route alors, avec [avgas|has_avgas] → refine route",
		    ROUTE ",\"max_distance_nm\":150,\"filters\":{\"has_avgas\":true}}" },
		{ "[LFAT|from] to [LFMD|to], my Cub flies 180 nm, with [avgas|has_avgas] → route", ROUTE ",\"filters\":{\"has_avgas\":true}} | 180 nm" },
		{ "[LFAT|from] to [LFMD|to] [within 20 nm|radius=20nm] (37 km) → route", ROUTE ",\"max_distance_nm\":20}" },
		{ "[LFAT|from] to [LFMD|to] is 400 nm, [how long|ask=time]? → route", ROUTE "}" },
		{ "[LFAT|from] to [LFMD|to], my Cub flies 180 nm, stop with [avgas|has_avgas] → route", ROUTE ",\"filters\":{\"has_avgas\":true}} | 180 nm" },
		{ "[LFAT|from] to [LFMD|to] after 150 nm en route → route", ROUTE "} | 150 nm" },
		{ "[LFAT|from] to [LFMD|to], 30 nm off the route or 60 km off the route → route", ROUTE ",\"max_distance_nm\":30} | 60 km" },
		/* the length of a leg is no corridor */
		{ "[LFAT|from] to [LFMD|to], legs of [200 NM at most|radius=200nm] → route", ROUTE "} | 200 NM at most" },
		{ "de [LFAT|from] à [LFMD|to], étapes de [350 NM max|radius=350nm] → route", ROUTE "} | 350 NM max" },
		{ "[LFAT|from] - [LFMD|to], [200 nm|radius=200nm] pro Etappe → route", ROUTE "} | 200 nm" },
		{ "[LFAT|from] - [LFMD|to], die Cub schafft nur [180 nm|radius=180nm] am Stück → route", ROUTE "} | 180 nm" },
		{ "[LFAT|from] - [LFMD|to], ein Stück abseits bis [20 nm|radius=20nm] → route", ROUTE ",\"max_distance_nm\":20}" },
		{ "[LFAT|from] to [LFMD|to], fields [10 nm|radius=10nm] from any leg → route", ROUTE ",\"max_distance_nm\":10}" },
		{ "[LFAT|from] to [LFMD|to], a short hop with [20 nm|radius=20nm] of detour → route", ROUTE ",\"max_distance_nm\":20}" },
	};
#undef ROUTE
	CHECK(rows);
}

/* After a list, "no Fair Isle or Unst, which of them has fuel?" was a search for Unst. */
TEST(reading_amends, a_message_that_only_refuses_places_goes_on_with_the_list)
{
#define LIST "near [Lyon|near] → near\n"
	static const char *const rows[][2] = {
		{ LIST "[no Fairoaks|wish] or [Cannes|at]. [Which|ask=which] of them has [fuel|fuel]? → search",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_fuel\":true,\"exclude\":\"EGTF,LFMD\"}}" },
		{ LIST "without [Cannes|at] please → search", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"exclude\":\"LFMD\"}}" },
		/* another place is a question of its own, and so is a place that was not in the list */
		{ LIST "near [Nice|near], no [Cannes|at] → near", "find_airports_near_location {\"location_query\":\"Nice\",\"filters\":{\"exclude\":\"LFMD\"}}" },
		{ LIST "[fuel|fuel] in [Austria|country=AT], no [Cannes|at] → search",
		    "search_airports {\"query\":\"Austria\",\"filters\":{\"country\":\"AT\",\"has_fuel\":true,\"exclude\":\"LFMD\"}}" },
	};
#undef LIST
	const struct talk talk = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, 8 }, { "LFMD", 3000, 9, 10 } }, .current = "" };
	CHECK_MARKED(rows, &talk, true);
}

/* "Fields in Denmark, from Bremen" looked for Danish airports within 50 NM of Bremen, and found none. */
TEST(reading_amends, from_a_start_into_a_country_the_nearest_come_first)
{
#define NEAREST "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":150,\"filters\":{\"country\":\"CH\"},\"priority_strategy\":\"nearest\"}"
	static const char *const rows[][2] = {
		{ "fields in [Switzerland|country=CH] from [Lyon|near] → near", NEAREST },
		{ "Plätze in der [Schweiz|country=CH], ab [Lyon|area] → search", NEAREST },
		{ "terrains en [Suisse|country=CH] depuis [Lyon|near] → near", NEAREST },
		{ "terrains de [Lyon|near] en [Suisse|country=CH] → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"country\":\"CH\"}}" },
		{ "not far from [Lyon|near] in [Switzerland|country=CH] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"country\":\"CH\"}}" },
		{ "in [Switzerland|country=CH], [50 nm|radius=50nm] from [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":50,\"filters\":{\"country\":\"CH\"}}" },
	};
#undef NEAREST
	CHECK(rows);
}

/* "Fields in dk" was answered with the question where to look. */
TEST(reading_amends, a_country_is_known_by_its_code_in_small_letters)
{
	static const char *const rows[][2] = {
		{ "Plätze in [dk|country] mit [Gras|has_hard_runway=false] → search",
		    "search_airports {\"query\":\"Denmark\",\"filters\":{\"country\":\"DK\",\"has_hard_runway\":false}}" },
		{ "fields in [qq|country] with [avgas|has_avgas] → search", "reply: Where should I look?" },
	};
	CHECK(rows);
}

/* For "how much notice at Dinard, and do they have AVGAS?" in a talk, the fuel was dropped without a word. */
TEST(reading_amends, facts_beside_a_notice_are_a_question_of_their_own)
{
#define NOTICE "get_notification_for_airport {\"icao\":\"LFAT\"}"
	static const char *const rows[][2] = {
		{ "how much notice at [LFAT|at], and have they [AVGAS|ask=fuel]? → notice", NOTICE " & get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[LFMD|at] → details\nback to [LFAT|at]: customs notice and the [landing fee|ask=fee]? → switch notice",
		    NOTICE " & get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "how much notice at [LFAT|at], and is [customs|ask=customs] there at all? → notice", NOTICE },
		{ "how much notice at [LFAT|at], is [customs|ask=customs] there, and an [ILS|ask=procedures]? → notice",
		    NOTICE " & get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "how much notice at [LFAT|at]? → notice", NOTICE },
	};
#undef NOTICE
	CHECK(rows);
}

/* For "Asphalt is not needed", the program once showed only asphalt; for "Hauptsache Gras", it left grass out. */
TEST(reading_amends, not_needed_removes_a_wish_and_hauptsache_keeps_it)
{
#define NEAR(filters) "find_airports_near_location {\"location_query\":\"Lyon\"" filters "}"
	static const char *const rows[][2] = {
		{ "bei [Lyon|near], [Asphalt ist nicht|has_hard_runway] nötig → near", NEAR("") },
		{ "bei [Lyon|near], [Asphalt ist nötig|has_hard_runway] → near", NEAR(",\"filters\":{\"has_hard_runway\":true}") },
		{ "bei [Lyon|near] mit [Gras|has_hard_runway=false] und [Hotel|hotel=vicinity] → near\n[das Hotel nicht|-hotel], Hauptsache [Gras|has_hard_runway=false] → lift near",
		    NEAR(",\"filters\":{\"has_hard_runway\":false}") },
	};
#undef NEAR
	CHECK(rows);
}

TEST(reading_amends, a_question_takes_the_day_of_the_notice_beside_it)
{
	static const char *const rows[][2] = {
		{ "[customs|ask=customs#1] at [LFAT|at#1] on [24.12.2030|day=2030-12-24#1], and may I land [after sunset|ask=night#2]? → notice + details",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"2030-12-24\"} & "
		    "get_airport_details {\"icao_code\":\"LFAT\",\"date\":\"2030-12-24\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, on_the_way_belongs_to_the_route_before_it)
{
	static const char *const rows[][2] = {
		{ "[how far|ask=distance] from [LFAT|from] to [LFMD|to], and which fields with [Jet A|has_jet_a#2] are on the way? → route + search",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"has_jet_a\":true}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, the_other_way_round_turns_the_route)
{
	static const char *const rows[][2] = {
		{ "[LFAT|from] to [LFMD|to] → route\n[LFAT|at], [how long|ask=runway_length]? → pick details\nthe route the other way round, [cheap|order=fee] → return route",
		    "find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\",\"priority_strategy\":\"landing_fee\"}" },
	};
	CHECK(rows);
}

/* In an emergency, "10 miles north of Lyon" became the largest distance. A question about an area searched the route to it. */
TEST(reading_amends, where_the_pilot_is_and_wants_to_be)
{
	static const char *const rows[][2] = {
		{ "bin [10 Meilen|radius=10nm] nördlich von [Lyon|near], [nächster|order=distance] [Asphalt|has_hard_runway] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":150,\"filters\":{\"has_hard_runway\":true},"
		    "\"priority_strategy\":\"nearest\"} | 10 Meilen, nördlich" },
		{ "[im Umkreis von 10 Meilen|radius=10nm] um [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":10}" },
		{ "ab [LFAT|from] in die [Provence|to]. Was gibts dort für Flugplätze? → route", "find_airports_near_location {\"location_query\":\"Provence\"}" },
		{ "ab [LFAT|from] in die [Provence|to] mit [Avgas|has_avgas] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Provence\",\"filters\":{\"has_avgas\":true}}" },
	};
	CHECK(rows);
}

/* Testers asked these questions about routes and distances. The program asked back. */
TEST(reading_amends, the_ends_of_a_distance_are_found)
{
#define ROUTE(from, to) "find_airports_near_route {\"from_location\":\"" from "\",\"to_location\":\"" to "\"}"
	static const char *const rows[][2] = {
		{ "[distance|ask=distance] Lyon Cannes? → route", ROUTE("Lyon", "Cannes") },
		{ "I am in Lyon, I told you! [distance|ask=distance] Lyon Cannes? → route", ROUTE("Lyon", "Cannes") },
		{ "[distance|ask=distance] [LFAT|from] [LFMD|to], and does [LFMD|at] want [notice|ask=ppr]? → route",
		    "get_notification_for_airport {\"icao\":\"LFMD\"} & " ROUTE("LFAT", "LFMD") },
	};
#undef ROUTE
	CHECK(rows);
}

/* For "the list from before", the program once made a list around the airport that was spoken of last. */
TEST(reading_amends, a_list_around_an_airport_stays_there)
{
	static const char *const rows[][2] = {
		{ "[LFAT|at] → details\naround [there|pick=it] with [avgas|has_avgas] → switch near\n[LFMD|at], [how long|ask=runway_length]? → pick details\n"
		  "that list again, [hard|has_hard_runway] → return near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"has_avgas\":true,\"has_hard_runway\":true}}" },
	};
	const struct talk talk = { .n = 1, .list = { { "LFAT", 1000, 5, 30 } }, .current = "LFAT" };
	CHECK_MARKED(rows, &talk, true);
}

/* After "not a hotel", the program once kept the hotel for three turns; for "show those without customs", it showed only airports that have
 * none. */
TEST(reading_amends, what_is_corrected_is_taken_away)
{
#define NEAR(filters) "find_airports_near_location {\"location_query\":\"Lyon\"" filters "}"
	static const char *const rows[][2] = {
		{ "near [Lyon|near] with a [hotel|hotel=vicinity] → near\na [hangar|wish], not a [hotel|hotel=vicinity] → refine near", NEAR("") " | hangar" },
		{ "near [Lyon|near] with a [hotel|hotel=vicinity] → near\nis there not a [hotel|hotel=vicinity]? → refine near",
		    NEAR(",\"filters\":{\"hotel\":\"vicinity\"}") },
		{ "near [Lyon|near] with [customs|point_of_entry] → near\nshow those [without customs|point_of_entry=false] → refine near", NEAR("") },
		{ "near [Lyon|near] [without customs|point_of_entry=false] → near\n[without customs|point_of_entry=false], with [avgas|has_avgas] → refine near",
		    NEAR(",\"filters\":{\"has_avgas\":true,\"point_of_entry\":false}") },
		{ "near [Lyon|near] with a [hotel|hotel=vicinity] → near\nwhy not a [hotel|hotel=vicinity] nearer the field → refine near",
		    NEAR(",\"filters\":{\"hotel\":\"vicinity\"}") },
		{ "near [Lyon|near] [without customs|point_of_entry=false] → near", NEAR(",\"filters\":{\"point_of_entry\":false}") },
	};
#undef NEAR
	CHECK(rows);
}

TEST(reading_amends, the_other_end_of_a_route_is_replaced)
{
	static const char *const rows[][2] = {
		{ "[how far|ask=distance] from [LFAT|from] to [LFMD|to]? → route\nand [EGTF|at]? → replace route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"EGTF\"}" },
		{ "[how far|ask=distance] from [LFAT|from] to [LFMD|to]? → route\nand [EGTF|at], [how far|ask=distance]? → replace route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"EGTF\"}" },
	};
	CHECK(rows);
}

/* "1938 Bücker" was once read as money, because bucks are dollars. */
TEST(reading_amends, the_year_of_an_aircraft_is_no_fee)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] in a 1938 Bücker → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
	};
	CHECK(rows);
}

/* For "7 euro, nice", the program once set a limit of 7 euros. */
TEST(reading_amends, a_fee_that_is_repeated_is_no_limit)
{
	static const char *const rows[][2] = {
		{ "[fee|ask=fee] at [LFAT|at]? → details\nnice, 7 euro. and [grass|has_hard_runway=false] near [Lyon|near] → switch near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":false}}" },
		{ "[fee|ask=fee] at [LFAT|at]? → details\nnear [Lyon|near], max 7 euro → switch near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_landing_fee\":7}}" },
		{ "near [Lyon|near], [max 10 euro|max_fee=10eur] → near\n20 euro then → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_landing_fee\":20}}" },
		{ "near [Lyon|near], 7 euro → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_landing_fee\":7}}" },
	};
	CHECK(rows);
}

/* The customs of one airport became a wish for all airports along the route. */
TEST(reading_amends, a_fact_of_one_end_is_no_wish_for_the_route)
{
#define BOTH "get_airport_details {\"icao_code\":\"LFAT\"} & find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\"}"
	static const char *const rows[][2] = {
		{ "has [LFAT|to] got [customs|ask=customs] and [how far|ask=distance] is it from [LFMD|from]? → route", BOTH },
		{ "near [Lyon|near] → near\nhas [LFAT|to] got [customs|ask=customs] and [how far|ask=distance] is it from [LFMD|from]? → correct route", BOTH },
		{ "has [LFAT|at] got [customs|ask=customs] and [how far|ask=distance#2] is it from [LFMD|from#2]? → search + route", BOTH },
		{ "has [LFAT|at] got [customs|ask=customs]? → search", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[how far|ask=distance] is [LFAT|to] from [LFMD|from]? → route",
		    "find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\"}" },
		{ "[how far|ask=distance] is [LFAT|to] from [LFMD|from], with [fuel|ask=fuel] on the way? → route",
		    "find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\",\"filters\":{\"has_fuel\":true}}" },
		{ "has [LFAT|at] got [customs|ask=customs] and is [LFMD|at#2] [hard|ask=surface#2]? → search + search",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "[how far|ask=distance] is [LFAT|to] from [LFMD|from], and where is [customs|point_of_entry]? → route",
		    "find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\",\"filters\":{\"point_of_entry\":true}}" },
	};
#undef BOTH
	CHECK(rows);
}

/* The number in a mark of a time is an hour, or an hour with its minutes; how long a flight takes is none. */
TEST(reading_amends, a_number_marked_as_a_time_is_an_hour)
{
	static const char *const rows[][2] = {
		{ "notice for [LFAT|at] on [Sunday|day], make that [ten|time] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"Sunday\",\"time\":\"10:00\"}" },
		{ "notice for [LFAT|at], better [three|time] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"time\":\"15:00\"}" },
		{ "notice for [LFAT|at], tomorrow [fourteen hundred|time] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"time\":\"14:00\"}" },
		{ "notice for [LFAT|at], [1030|time] lt → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"time\":\"10:30\"}" },
		{ "notice for [LFAT|at], make that [thirty|time] → notice", "get_notification_for_airport {\"icao\":\"LFAT\"} | thirty" },
		{ "notice for [LFAT|at], [2430|time] lt → notice", "get_notification_for_airport {\"icao\":\"LFAT\"} | 2430" },
		{ "Zoll in [LFAT|at], [nachts um zwei|time] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"time\":\"02:00\"}" },
		/* the day at the edge of a time */
		{ "Zoll in [LFAT|at] am [Montagabend um acht|time] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"Monday\",\"time\":\"20:00\"}" },
		{ "notice for [LFAT|at] [at eight on Saturday evening|time] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"Saturday\",\"time\":\"20:00\"}" },
		{ "Zoll in [LFAT|at], Flugzeit zwei Stunden, [abends um acht|time] → notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"time\":\"20:00\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_not_ends_at_an_and_and_at_the_next_wish)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], [no grass|has_hard_runway] and [at least 900 m|min_runway] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":true,\"min_runway_length_ft\":2952}}" },
		{ "bei [Lyon|near], [kein Gras|has_hard_runway] und [mindestens 900 m|max_runway] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":true,\"min_runway_length_ft\":2952}}" },
		{ "near [Lyon|near], [no runway under 900 m|min_runway] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"min_runway_length_ft\":2952}}" },
		{ "near [Lyon|near] without [instrument procedures|has_procedures] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_procedures\":false}}" },
		{ "near [Lyon|near], [not longer than 900 m|min_runway] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_runway_length_ft\":2953}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, what_nothing_can_be_looked_up_for_is_told)
{
	static const char *const rows[][2] = {
		{ "is there any UL91 near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | UL91" },
		{ "near [Lyon|near], nothing private → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | nothing private" },
		{ "my private plane and fields near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "the field [closest|order=distance] to the sea near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | closest to the sea" },
		{ "near [Lyon|near], Atlantis → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | Atlantis" },
		{ "near [Lyon|near], Thanks → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near], Monday → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "the [nearest|wish] to [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"priority_strategy\":\"nearest\"}" },
		{ "terrain ouvert le [dimanche|day=sunday] près de [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | ouvert le dimanche" },
		{ "half way between [LFAT|from] and [LFMD|to] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"halfway\":true}" },
		{ "[LFAT|from] to [LFMD|to], the [prettiest|wish] stop [halfway|wish] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"halfway\":true} | prettiest" },
		{ "de [LFAT|from] à [LFMD|to], escale [à mi-chemin|wish] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"halfway\":true}" },
		{ "near [Lyon|near], they want [200 bucks|has_hard_runway] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | 200 bucks" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_surface_beside_a_length_is_a_wish_of_its_own)
{
	static const char *const rows[][2] = {
		{ "terrains [en herbe de plus de 900 m|min_runway] près de [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":false,\"min_runway_length_ft\":2952}}" },
		{ "[hard runway|has_hard_runway] of [900 m|min_runway] near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":true,\"min_runway_length_ft\":2952}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, airports_that_are_removed_leave_the_others)
{
#define LIST "near [Lyon|near] → near\n"
	static const char *const rows[][2] = {
		{ LIST "remove those with [customs|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":false}}" },
		{ LIST "enlève ceux qui ont une [douane|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":false}}" },
		{ LIST "drop the ones without [avgas|has_avgas] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ LIST "remove the ones with [customs|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":false}}" },
		{ LIST "remove those with no [customs|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ LIST "only those with [customs|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
	};
#undef LIST
	CHECK(rows);
}

TEST(reading_amends, a_wish_without_a_mark_is_taken_away)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], [hotel|hotel=vicinity] → near\nforget hotels, all with [avgas|has_avgas] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "near [Lyon|near], [hotel|hotel=vicinity] → near\nand with [avgas|has_avgas] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true,\"hotel\":\"vicinity\"}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, an_unmarked_name_of_a_shown_airport_is_what_the_question_is_about)
{
#define LIST "[LFAT|from] to [LFMD|to] → route\n"
	static const char *const rows[][2] = {
		{ LIST "Mandelieu is good! [It|pick=it] has [avgas|ask=fuel]? → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ LIST "Mandelieu is good! It has [avgas|ask=fuel]? → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		/* another airport is marked, or the pilot only travels to the named one */
		{ LIST "Mandelieu is full. [Fairoaks|at], has [it|pick=it] [avgas|ask=fuel]? → pick details",
		    "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ LIST "how do I get from [there|pick=it] to Mandelieu by [bus|ask=transport] → pick details",
		    "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ LIST "Mandelieu or Touquet, [avgas|ask=fuel]? → pick details",
		    "get_airport_details {\"icao_code\":\"LFMD\"} & get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
#undef LIST
	static const struct talk shown = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, NAN }, { "LFMD", 3000, NAN, 10 } },
		.current = "EGTF" };
	CHECK_MARKED(rows, &shown, true);
}

/* The original service lists the refused airports again. */
TEST(reading_amends, a_refused_airport_leaves_the_list)
{
#define LIST "near [LFAT|near] → near\n"
#define WITHOUT(codes) "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"exclude\":\"" codes "\"}}"
	static const char *const rows[][2] = {
		{ LIST "without [Fairoaks|near] → refine near", WITHOUT("EGTF") },
		{ LIST "forget [Mandelieu|at] → pick details", WITHOUT("LFMD") },
		{ LIST "[Mandelieu|at], pas celui-là → pick details", WITHOUT("LFMD") },
		{ LIST "[Fairoaks|at] raus → pick details", WITHOUT("EGTF") },
		{ LIST "leave out Fairoaks and [Mandelieu|near] please → refine near", WITHOUT("EGTF,LFMD") },
		{ LIST "[hard runway|has_hard_runway], not Fairoaks → refine near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"has_hard_runway\":true,\"exclude\":\"EGTF\"}}" },
		{ LIST "without [Fairoaks|near] → refine near\nhow long is the [runway|ask=runway_length] at [Mandelieu|at]? → pick details\n"
		  "forget [Mandelieu|at] → pick details", WITHOUT("EGTF,LFMD") },
		{ LIST "do I need a [flight plan|topic] into [France|country=FR]? → answer\nforget [Mandelieu|at] → pick details", WITHOUT("LFMD") },
		/* nothing is left out: the pilot asks about another airport, corrects the place, or likes the airport */
		{ LIST "not Mandelieu, [Fairoaks|near] → correct near", "find_airports_near_location {\"location_query\":\"Fairoaks\"}" },
		{ LIST "make it [Fairoaks|near] → replace near", "find_airports_near_location {\"location_query\":\"Fairoaks\"}" },
		{ LIST "nimm [Mandelieu|at] → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ LIST "why not [Fairoaks|at]? → pick details", "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ LIST "[how far|ask=distance] is it to [Fairoaks|to] from [Mandelieu|from] → route",
		    "find_airports_near_route {\"from_location\":\"Mandelieu\",\"to_location\":\"Fairoaks\"}" },
		{ LIST "Not [Mandelieu|at]. Which of the others has the [longest runway|pick=runway]? → pick details",
		    "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ LIST "Forget Fairoaks. Has Mandelieu [avgas|ask=fuel]? → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ LIST "not Mandelieu. [Fairoaks|at], has it [avgas|ask=fuel]? → pick details", "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ LIST "not Mandelieu, [Lyon|near] → correct near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ LIST "[Fairoaks|at] is fine, how [long|ask=runway_length] is it → pick details", "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ LIST "[Mandelieu|at] nicht befestigt, oder [Gras|ask=surface]? → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
	};
#undef LIST
#undef WITHOUT
	static const struct talk shown = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, NAN }, { "LFMD", 3000, NAN, 10 } } };
	CHECK_MARKED(rows, &shown, true);
}

TEST(reading_amends, the_distance_to_a_listed_airport_counts_from_where_the_list_began)
{
#define WAY "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFMD\""
	static const char *const rows[][2] = {
		{ "near [Lyon|near] → near\n[how far|ask=distance] is [the third|pick=3] → pick details", WAY "}" },
		{ "near [Lyon|near] → near\n[how long|ask=time] to [the third|pick=3] in a [C172|aircraft=c172] → pick details", WAY ",\"cruise_kt\":115}" },
		{ "near [Lyon|near] → near\n[how long|ask=runway_length] is the runway of [the third|pick=3] and [how far|ask=distance] is it → pick details",
		    "get_airport_details {\"icao_code\":\"LFMD\"} & " WAY "}" },
		/* the list has no start, so the program asks for one */
		{ "in [France|country=FR] → search\n[how far|ask=distance] is [the third|pick=3] → pick details", "reply: Where do you start?" },
	};
#undef WAY
	static const struct talk shown = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, NAN }, { "LFMD", 3000, NAN, 10 } } };
	CHECK_MARKED(rows, &shown, true);
}

TEST(reading_amends, a_message_that_returns_to_a_list_can_take_away_its_wishes)
{
	static const char *const rows[][2] = {
		{ "[LFAT|from] to [LFMD|to], [avgas|has_avgas] → route\nabout [Lyon|at] → details\n"
		  "back to the route, [runway 900 m|min_runway]. forget [avgas|has_avgas] → return route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"min_runway_length_ft\":2952}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_country_that_the_flight_comes_from_is_not_searched)
{
	static const char *const rows[][2] = {
		{ "airports in the [Netherlands|country=NL] with [customs|point_of_entry], coming from the [UK|country=GB] → search",
		    "search_airports {\"query\":\"Netherlands\",\"filters\":{\"country\":\"NL\",\"point_of_entry\":true},\"include_large_airports\":true}" },
		{ "aérodromes de [France|country=FR] ou d'[Espagne|country=ES] → search",
		    "search_airports {\"query\":\"France\",\"filters\":{\"country\":\"FR\"}} & "
		    "search_airports {\"query\":\"Spain\",\"filters\":{\"country\":\"ES\"}}" },
		{ "airports in [France|country=FR] and [Spain|country=ES] → search",
		    "search_airports {\"query\":\"France\",\"filters\":{\"country\":\"FR\"}} & "
		    "search_airports {\"query\":\"Spain\",\"filters\":{\"country\":\"ES\"}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_route_goes_on_from_where_the_talk_is)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] → near\non the way back to [LFAT|to], one stop → switch route",
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFAT\"}" },
		{ "near [Lyon|near] → near\non the way back to [LFAT|to], one stop → return near",
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFAT\"}" },
		{ "on the way back to [LFAT|to] → route", "reply: Where do you start?" },
		{ "about [LFAT|at] → details\nis it [far|ask=distance] from [Lyon|from]? → route",
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFAT\"}" },
		{ "is it [far|ask=distance] from [Lyon|from]? → route", "reply: Where do you want to fly to?" },
		{ "[LFAT|from] to [LFMD|to], [avgas|has_avgas] → route\nabout [Lyon|at] → details\n"
		  "and if I fly to [Nice|to] instead? → replace route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Nice\",\"filters\":{\"has_avgas\":true}}" },
		{ "[LFAT|from] to [LFMD|to] → route\nback to the first route, with [avgas|has_avgas] → refine route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"has_avgas\":true}}" },
		{ "[LFAT|from] to [LFMD|to] → route\nand back, with [avgas|has_avgas] → refine route",
		    "find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\",\"filters\":{\"has_avgas\":true}}" },
		{ "near [LFMD|near] → near\n[the second one|pick=2], [how far|ask=distance] is it from [Lyon|from]? → switch route",
		    "reply: My last list has no airport with that number" },
		{ "about [LFAT|at] → details\nis it [far|ask=distance] from [LFAT|from]? → route", "reply: Where do you want to fly to?" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_distance_between_two_airports_is_a_route)
{
	static const char *const rows[][2] = {
		{ "about [EGTF|at] → details\nback to [LFAT|at], [how far|ask=distance] is that from [LFMD|at]? → return details",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
		{ "[how far|ask=distance] are [LFAT|at] and [LFMD|at] → details",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "[elevation|ask=elevation] of [LFAT|at] and [LFMD|at] → details",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, grass_in_a_follow_up_is_a_wish_without_a_mark)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], [hard|has_hard_runway] → near\nrather grass then, around [Cannes|near] → replace near",
		    "find_airports_near_location {\"location_query\":\"Cannes\",\"filters\":{\"has_hard_runway\":false}}" },
		{ "near [Lyon|near], [hard|has_hard_runway] → near\ngrass is fine too, around [Cannes|near] → replace near",
		    "find_airports_near_location {\"location_query\":\"Cannes\",\"filters\":{\"has_hard_runway\":true}}" },
		{ "near [Lyon|near] → near\nrather grass then, around [Cannes|near] → replace near",
		    "find_airports_near_location {\"location_query\":\"Cannes\",\"filters\":{\"has_hard_runway\":false}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_time_in_question_is_no_width_of_the_corridor)
{
	static const char *const rows[][2] = {
		{ "[how far|ask=distance] is [LFMD|to] from [LFAT|from], less than [2.5 h|reach=2.5h] at [110 kt|speed=110kt]? → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"cruise_kt\":110}" },
		{ "[how far|ask=distance] is [LFMD|to] from [LFAT|from], and [fuel|fuel] within [20 nm|radius=20nm] of it? → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"max_distance_nm\":20,"
		    "\"filters\":{\"has_fuel\":true}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, there_is_where_the_route_ended)
{
	static const char *const rows[][2] = {
		{ "from [EGTF|from] to [LFAT|to] → route\ncustoms notice [there|pick=it] on [Monday|day=monday] → switch notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"Monday\"}" },
		{ "from [EGTF|from] to [Lyon|to] → route\ncustoms notice [there|pick=it] on [Monday|day=monday] → switch notice",
		    "reply: Which of the airports do you mean?" },
		{ "from [EGTF|from] to [LFAT|to] → route\ndoes [it|pick=it] have a [restaurant|ask=restaurant]? → pick details",
		    "reply: Which of the airports do you mean?" },
	};
	CHECK(rows);
}

/* Without it, the answer asked where to fly to, as often as the pilot said it. */
TEST(reading_amends, a_start_and_a_region_are_no_route)
{
	static const char *const rows[][2] = {
		{ "lunch stop in [Bavaria|area], coming from [LFAT|from] → route", "find_airports_near_location {\"location_query\":\"Bavaria\"}" },
		{ "stops from [LFAT|from] to [LFMD|to] in [Bavaria|area] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"} | Bavaria" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_list_goes_on_although_rules_were_read)
{
	static const char *const rows[][2] = {
		{ "from [LFAT|from] to [LFMD|to] → route\nonly those in [Italy|country=IT] → browse",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"country\":\"IT\"}}" },
		{ "from [LFAT|from] to [LFMD|to] → route\nonly those in [Italy|country=IT] and [France|country=FR] → refine route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"country\":\"IT\"}} & "
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"country\":\"FR\"}}" },
		{ "near [Lyon|near] → near\nmake it [60 nm|radius=60nm], and only France → replace near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":60,\"filters\":{\"country\":\"FR\"}}" },
		{ "near [Lyon|near] → near\n[Alternatives|near] with [customs|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_country_belongs_to_a_place_only_if_it_lies_there)
{
	static const char *const rows[][2] = {
		{ "stops from [LFAT|from] to [Lyon|to] in [Italy|country=IT] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\",\"filters\":{\"country\":\"IT\"}}" },
		{ "airports in [Italy|country=IT] near [Lyon|near], [France|country=FR] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon, France\",\"filters\":{\"country\":\"IT\"}}" },
		{ "near [Lyon|near], [France|country=FR] → near", "find_airports_near_location {\"location_query\":\"Lyon, France\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, which_of_two_airports_has_something_is_answered_for_each)
{
	static const char *const rows[][2] = {
		{ "[which|ask=which] of [LFAT|at] and [LFMD|at] has [customs|point_of_entry] → search",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "how much notice at [LFAT|at], [LFMD|at#2] → notice + search",
		    "get_notification_for_airport {\"icao\":\"LFAT\"} & get_notification_for_airport {\"icao\":\"LFMD\"}" },
		{ "thanks, and [LFAT|at] → thanks + details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_list_begins_with_the_highest_or_the_lowest)
{
	static const char *const rows[][2] = {
		{ "the highest airport in [Switzerland|country=CH] → search",
		    "search_airports {\"query\":\"Switzerland\",\"filters\":{\"country\":\"CH\"},\"priority_strategy\":\"highest\"}" },
		{ "der [tiefste|wish] Flugplatz bei [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"priority_strategy\":\"lowest\"}" },
		{ "near [Lyon|near], [lowest fee|order=fee] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"priority_strategy\":\"landing_fee\"}" },
		{ "the [highest terrace with a view|wish] near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | highest terrace with a view" },
		{ "the highest fee near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, what_belongs_to_the_pilot_is_no_place_and_neither_is_a_unit)
{
	static const char *const rows[][2] = {
		{ "fields near [Lyon|near] with my [grandson|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "fields near my [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [LFAT|near], in [NM|near] → near", "find_airports_near_location {\"location_query\":\"LFAT\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_notice_beside_rules_is_a_part_of_the_question)
{
	static const char *const rows[][2] = {
		{ "does it need a [GAR form|topic] in the [UK|country=GB], and how long before → answer + notice", "reply: I have no rule base" },
		{ "how long before? → notice", "reply: At which airport?" },
		{ "[GAR|topic] in the [UK|country=GB] → answer\nhow long before? → switch notice", "reply: I have no rule base" },
		{ "a [GAR|topic] in the [UK|country=GB] and a [transponder|topic#2] in [France|country=FR#2] → answer + answer",
		    "reply: I have no rule base" },
		{ "[GAR|topic] in the [UK|country=GB], and notice at [LFAT|at#2] → answer + notice",
		    "reply: I have no rule base" },
	};
	CHECK(rows);
}

TEST(reading_amends, what_cannot_be_told_does_not_hide_a_fact)
{
	static const char *const rows[][2] = {
		{ "the NOTAMs of LFAT and LFMD please → cannot:notam", "reply: I have no NOTAMs" },
		{ "book me a slot at LFAT and tell me the [landing fee|ask=fee] → cannot:act + details", "reply: I cannot file" },
	};
	CHECK(rows);
}

/* Something else that is nearly as likely as a question for the program wins. */
static const struct {
	const char *first;
	double sure, other;
	const char *plan, *kind;              /* of the next likely one */
	size_t nplans;
	const char *then;                     /* what becomes of the first */
} doubts[] = {
	{ "near", 0.55, 0.40, "cannot:other", NULL, 1, "cannot:other" },
	{ "near", 0.70, 0.25, "cannot:other", NULL, 1, "near" },
	{ "near", 0.50, 0.45, "search", NULL, 1, "near" },
	{ "near", 0.50, 0.45, "near", "refine", 1, "near" },
	{ "near", 0.50, 0.45, "cannot:other", NULL, 2, "near" },
	{ "urgent", 0.50, 0.45, "cannot:other", NULL, 1, "urgent" },
};

TEST(reading_amends, something_else_is_likelier_than_the_reader_thinks)
{
	struct fixture f;
	fixture_open(&f);
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
		struct arena *a = arena_new();
		struct reading r = { .words = words_of(a, "something around Lyon", "en"), .nplans = 1, .plan = { { NULL, doubts[i].first } },
			.sure = doubts[i].sure, .nothers = 1 };
		r.other[0].plan = (struct reading_plan){ doubts[i].kind, doubts[i].plan };
		r.other[0].sure = doubts[i].other;
		r.other[0].nplans = doubts[i].nplans;
		r.evidence = evidence_of(a, r.words, NULL, 0);
		reading_amend(&r, &nothing_said.dialogue, false);
		cr_expect_str_eq(r.plan[0].plan, doubts[i].then, "%zu: %s", i, r.plan[0].plan);
		arena_free(a);
	}
	fixture_close(&f);
}

TEST(reading_amends, a_code_is_an_airport_and_no_country)
{
	static const char *const rows[][2] = {
		{ "tell me about [ZQXX|country=CN] → search", "get_airport_details {\"icao_code\":\"ZQXX\"}" },
		{ "tell me about [ZQXX|country=CN#1] and [airports of entry|point_of_entry#2] in [Croatia|country#2] → search + search",
		  "get_airport_details {\"icao_code\":\"ZQXX\"} & search_airports {\"query\":\"Croatia\",\"filters\":{\"country\":\"HR\",\"point_of_entry\":true},\"include_large_airports\":true}" },
		{ "airports in [China|country=CN] → search", "search_airports {\"query\":\"China\",\"filters\":{\"country\":\"CN\"}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, words_that_list_or_lead_take_nothing_away)
{
	static const char *const rows[][2] = {
		{ "is there any airport with [customs|point_of_entry] near [Lyon|near] → near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "any airports with a [hard runway|has_hard_runway] near [Lyon|near] → near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":true}}" },
		{ "any more [tarmac|has_hard_runway] ones near [Lyon|near] → near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":true}}" },
		{ "von [Graz|from] nach [Zadar|to], was liegt am Weg mit [Zoll|point_of_entry] → route",
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Zadar\",\"filters\":{\"point_of_entry\":true}}" },
		{ "near [Prague|near], [grass is no good|has_hard_runway=false] for me → near",
		  "find_airports_near_location {\"location_query\":\"Prague\",\"filters\":{\"has_hard_runway\":true}}" },
		{ "bei [Kassel|near], ne [piste länger als 1 km|max_runway=1km] → near",
		  "find_airports_near_location {\"location_query\":\"Kassel\",\"filters\":{\"min_runway_length_ft\":3280}}" },
		{ "jetzt noch [Graz|from] - [Cannes|to] → route",
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Cannes\"}" },
		{ "[grass|has_hard_runway=false] near [Lyon|near] and [no faff|wish] → near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":false}} | no faff" },
	};
	CHECK(rows);
}

TEST(reading_amends, who_names_only_what_was_known_repeats_it)
{
	static const char *const rows[][2] = {
		{ "[Cannes|at], [fuel|ask=fuel] → details\nI said [Cannes|at] the airfield, [frequency|ask=frequency] → correct details",
		  "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\nno no, near [Lyon|near], [customs|point_of_entry]. Forget America → correct near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "near [Lyon|near] → near\nthis is around Cannes. I wanted [Lyon|near] → correct near",
		  "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		/* beside a new place the known one is what was misunderstood */
		{ "near [Lyon|near] → near\n[Cannes|near], not [Lyon|near] → correct near",
		  "find_airports_near_location {\"location_query\":\"Cannes\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, each_of_two_distances_is_a_route)
{
	static const char *const rows[][2] = {
		{ "which is [nearer|order=distance] to [Lyon|near], [Cannes|at] or [Graz|at]? → search",
		  "find_airports_near_route {\"from_location\":\"Cannes\",\"to_location\":\"Lyon\"} & "
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Lyon\"}" },
		{ "[Cannes|at] oder [Graz|at], [welcher|ask=which] liegt [näher|order=distance] an Lyon? → search",
		  "find_airports_near_route {\"from_location\":\"Cannes\",\"to_location\":\"Lyon\"} & "
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Lyon\"}" },
		{ "which is [nearer|ask=distance] to [Lyon|to], [Cannes|from] or [Graz|from]? → route + search",
		  "find_airports_near_route {\"from_location\":\"Cannes\",\"to_location\":\"Lyon\"} & "
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Lyon\"}" },
		{ "[how far|ask=distance] is it from [Lyon|from] to [Cannes|via] and to [Graz|to] → route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\"} & "
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Graz\"}" },
		{ "near [Lyon|near] → near\nCannes tempts me. Is it [far|ask=distance] from [Graz|from]? → switch route",
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Cannes\"}" },
		{ "near [Lyon|near] → near\nNice! How [far|ask=distance] is it from [Graz|from]? → switch route",
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Lyon\"}" },
		{ "[Entfernung|ask=distance]. [Lyon|from]-[Cannes|via]. [Lyon|via]-[Graz|to]. → route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\"} & "
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Graz\"}" },
		{ "[distance|ask=distance] de [Lyon|from] à [Cannes|via] et de [Graz|via] à [Zadar|to] → route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\"} & "
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Zadar\"}" },
		/* one way with a stop */
		{ "[how far|ask=distance] is it from [Lyon|from] to [Graz|to] via [Cannes|via] → route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\"} & "
		  "find_airports_near_route {\"from_location\":\"Cannes\",\"to_location\":\"Graz\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_wish_after_one_airport_goes_on_from_the_list)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] → near\n[Cannes|at], [surface|ask=surface] → pick details\n[40 miles|radius] → replace near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":40}" },
		{ "near [Lyon|near] → near\n[Cannes|at], [surface|ask=surface] → pick details\n[only grass|has_hard_runway=false] → pick details",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":false}}" },
		{ "near [Lyon|near] → near\n[Cannes|at], [surface|ask=surface] → pick details\nare there more? → more search",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"offset\":5}" },
		{ "[Lyon|from] to [Graz|to] with [avgas|has_avgas] → route\n[fee|ask=fee] at [Cannes|at] → pick details\n"
		  "at [95 kt|speed], [how long|ask=time]? → switch route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Graz\",\"filters\":{\"has_avgas\":true},\"cruise_kt\":95}" },
		{ "near [Lyon|near] with a [hotel|hotel=vicinity] → near\n[fee|ask=fee] at [Cannes|at] → pick details\n"
		  "near [Graz|near] instead → switch near",
		  "find_airports_near_location {\"location_query\":\"Graz\",\"filters\":{\"hotel\":\"vicinity\"}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, who_changes_the_way_still_asks_how_long_it_takes)
{
	static const char *const rows[][2] = {
		{ "[how long|ask=time] from [Lyon|from] to [Graz|to] in a [C152|aircraft] → route\nand via [Cannes|via]? → refine route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\",\"cruise_kt\":95} & "
		  "find_airports_near_route {\"from_location\":\"Cannes\",\"to_location\":\"Graz\",\"cruise_kt\":95}" },
		{ "from [Bremen|from] to [Sylt|to], [how long|ask=time#2] does it take in a [C152|aircraft], and the [fee|ask=fee#2] at [Sylt|at#2]? "
		  "→ route + details",
		  "find_airports_near_route {\"from_location\":\"Bremen\",\"to_location\":\"Sylt\",\"cruise_kt\":95} & "
		  "get_airport_details {\"icao_code\":\"EDXW\"}" },
		{ "back to [Lyon|from] - [Graz|to] → return route", "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Graz\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_stop_is_taken_out_and_the_others_stay)
{
#define ROUTE "[LFAT|from] to [LFMD|to] via [Basel|via] and [Lyon|via] → route\n"
#define DIRECT "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}"
	static const char *const rows[][2] = {
		{ ROUTE "[take Basel out|-via] again → lift route",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"} & "
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFMD\"}" },
		{ ROUTE "[LFAT|from] [LFMD|to] direct → correct route", DIRECT },
		{ ROUTE "[LFAT|from] [LFMD|to] direct, please → refine route", DIRECT },
		{ ROUTE "[LFAT|from] [LFMD|to], direct please → refine route", DIRECT },
		{ ROUTE "[LFAT|from] [LFMD|to] direct sans escale → refine route", DIRECT },
		{ ROUTE "[LFAT|from] [LFMD|to] direkt ohne Halt → refine route", DIRECT },
		{ ROUTE "[LFAT|from] [LFMD|to] directly without stops → refine route", DIRECT },
		{ ROUTE "[LFAT|from] [LFMD|to], fuel directly on the route → refine route",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Basel\"} & "
		  "find_airports_near_route {\"from_location\":\"Basel\",\"to_location\":\"Lyon\"} & "
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFMD\"}" },
		{ ROUTE "no, [LFAT|from] [LFMD|to] → correct route", DIRECT },
	};
#undef DIRECT
#undef ROUTE
	CHECK(rows);
}

/* For "Valence, pas celle d'Espagne", the program once searched in Spain. */
TEST(reading_amends, the_country_behind_of_is_where_the_airports_are_unless_it_is_denied)
{
#define NEAR(where, filters) "find_airports_near_location {\"location_query\":\"" where "\"" filters "}"
	static const char *const rows[][2] = {
		{ "[valence|near] pas celle d'[espagne|country], terrains autour → near", NEAR("valence", "") },
		{ "[Bade-Wurtemberg|near], je veux voir les terrains d'[Allemagne|country] → near",
		    NEAR("Bade-Wurtemberg", ",\"filters\":{\"country\":\"DE\"}") },
		{ "pas trop loin de [Lyon|near], les terrains d'[Allemagne|country] → near", NEAR("Lyon", ",\"filters\":{\"country\":\"DE\"}") },
	};
#undef NEAR
	CHECK(rows);
}

TEST(reading_amends, other_airports_than_this_one_and_all_about_another)
{
	static const char *const rows[][2] = {
		{ "[LFAT|at] → details\nare there others near [there|pick=it]? → switch near",
		  "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"exclude\":\"LFAT\"}}" },
		{ "[LFAT|at] → details\nwhat is near [there|pick=it] with [fuel|fuel]? → switch near",
		  "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"has_fuel\":true}}" },
	};
	CHECK(rows);
}

/* The stop of "Rennes - Rouen - Antwerp" was passed over in a follow-up. */
TEST(reading_amends, a_name_between_dashes_is_a_stop)
{
#define LEG(from, to) "find_airports_near_route {\"from_location\":\"" from "\",\"to_location\":\"" to "\"}"
	static const char *const rows[][2] = {
		{ "[LFAT|from] - EGTF - [LFMD|to] → route", LEG("LFAT", "EGTF") " & " LEG("EGTF", "LFMD") },
		{ "[LFAT|from] to [Lyon|to] → route\n[LFAT|from] – EGTF – [LFMD|to] → correct route", LEG("LFAT", "EGTF") " & " LEG("EGTF", "LFMD") },
		{ "[LFAT|from] EGTF [LFMD|to] → route", LEG("LFAT", "LFMD") },
	};
#undef LEG
	CHECK(rows);
}

/* For "PA28 range about 400 NM", the program once looked 400 NM to either side of the route. */
TEST(reading_amends, a_range_is_not_the_width_of_the_corridor)
{
#define WAY "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\""
	static const char *const rows[][2] = {
		{ "[EGTF|from] to [Cannes|to], range [400 NM|radius] → route", WAY "} | 400 NM" },
		{ "von [EGTF|from] nach [Cannes|to], Reichweite etwa [400 NM|radius] → route", WAY "} | 400 NM" },
		{ "[EGTF|from] [Cannes|to], [400 NM|radius] d'autonomie → route", WAY "} | 400 NM" },
		{ "[EGTF|from] to [Cannes|to], [3 hours|reach] a leg → route", WAY "} | 3 hours" },
		{ "[EGTF|from] to [Cannes|to] at [120 kt|speed], a detour of [15 minutes|reach] → route", WAY ",\"max_distance_nm\":30,\"cruise_kt\":120}" },
		{ "[EGTF|from] to [Cannes|to], [20 NM|radius] either side → route", WAY ",\"max_distance_nm\":20}" },
		{ "[EGTF|from] to [Cannes|to], [20 NM|radius] corridor, range [400 NM|radius] → route", WAY ",\"max_distance_nm\":20} | 400 NM" },
		{ "[EGTF|from] to [Cannes|to], within a range of [20 NM|radius] → route", WAY ",\"max_distance_nm\":20}" },
	};
#undef WAY
	CHECK(rows);
}

/* For "Nevers sounds good, how long are the legs?", the program once told the length of the runway. */
TEST(reading_amends, the_legs_lead_over_the_named_stop)
{
#define LEG(from, to) "find_airports_near_route {\"from_location\":\"" from "\",\"to_location\":\"" to "\"}"
#define WAY "[EGTF|from] to [Cannes|to] → route\n"
	static const char *const rows[][2] = {
		{ WAY "[Lyon|at] is fine, [how long|ask=runway_length] are the two legs? → pick details", LEG("EGTF", "Lyon") " & " LEG("Lyon", "Cannes") },
		{ WAY "[LFAT|at]? → pick details\n[wie lang|ask=runway_length] sind die Etappen? → pick details", LEG("EGTF", "LFAT") " & " LEG("LFAT", "Cannes") },
		{ WAY "[LFAT|at]? → pick details\n[how long are the legs|ask=distance]? → pick details", LEG("EGTF", "LFAT") " & " LEG("LFAT", "Cannes") },
		{ WAY "[LFAT|at]? → pick details\nhow do I get [into town|ask=transport], legs or a cab? → pick details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ WAY "[LFAT|at]? → pick details\nquelle [longueur|ask=runway_length], la piste ? → pick details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
#undef LEG
#undef WAY
	CHECK(rows);
}

TEST(reading_amends, a_distance_from_home_asks_for_the_start)
{
	static const char *const rows[][2] = {
		{ "[Cannes|at] → details\n[how far|ask=distance] is that from home? → switch route", "reply: Where do you start?" },
		{ "[Cannes|at] → details\n[how far|ask=distance] is that from home? → switch route\nfrom [EGTF|at] → correct route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"}" },
		{ "[customs|ask=customs] at [LFAT|at], and [how far|ask=distance#2] from the metro? → details + route", "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
	CHECK(rows);
}

/* For "un terrain en herbe ou en dur", the program once found no field with a hard runway. */
TEST(reading_amends, either_surface_is_no_wish)
{
#define NEAR(filters) "find_airports_near_location {\"location_query\":\"Lyon\"" filters "}"
	static const char *const rows[][2] = {
		{ "terrain [en herbe ou en dur|has_hard_runway=false] près de [Lyon|near] → near", NEAR("") },
		{ "[grass or tarmac|has_hard_runway] near [Lyon|near] → near", NEAR("") },
		{ "[grass|has_hard_runway=false] or tarmac, near [Lyon|near] → near", NEAR("") },
		{ "terrain [en herbe|has_hard_runway=false] ou [en dur|has_hard_runway] près de [Lyon|near] → near", NEAR("") },
		{ "hard runway or [grass|has_hard_runway=false] near [Lyon|near] → near", NEAR("") },
		{ "[grass|has_hard_runway=false] or gravel near [Lyon|near] → near", NEAR(",\"filters\":{\"has_hard_runway\":false}") },
		{ "near [Lyon|near], [grass, not tarmac|has_hard_runway=false] → near", NEAR(",\"filters\":{\"has_hard_runway\":false}") },
		{ "near [Lyon|near] with a [hard runway|has_hard_runway] → near\n[grass or tarmac|has_hard_runway=false] → refine near", NEAR("") },
	};
#undef NEAR
	CHECK(rows);
}

/* For "A weekend in the Netherlands from Headcorn, which airfields there have customs?", the program once searched for a Headcorn in the
 * Netherlands. */
TEST(reading_amends, an_airport_that_the_flight_comes_from_is_not_searched)
{
#define ITALY "search_airports {\"query\":\"Italy\",\"filters\":{\"country\":\"IT\",\"point_of_entry\":true},\"include_large_airports\":true}"
	static const char *const rows[][2] = {
		{ "a weekend in [Italy|country=IT] from [LFAT|at], which fields have [customs|point_of_entry]? → search", ITALY },
		{ "ab [LFAT|at] nach [Italien|country=IT], wo gibt es [Zoll|point_of_entry]? → search", ITALY },
		{ "which of [LFAT|at] and [LFMD|at] has [customs|point_of_entry] → search", "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
	};
#undef ITALY
	CHECK(rows);
}

/* For "Aéroports italiens du nord", the program once listed all of Italy, and said that it had not used "nord". */
TEST(reading_amends, a_direction_beside_a_country_is_a_part_of_it)
{
#define PART(where) "find_airports_near_location {\"location_query\":\"" where "\",\"filters\":{\"point_of_entry\":true},\"include_large_airports\":true}"
#define ALL(name, code) "search_airports {\"query\":\"" name "\",\"filters\":{\"country\":\"" code "\",\"point_of_entry\":true},\"include_large_airports\":true}"
	static const char *const rows[][2] = {
		{ "aéroports [italiens|country] du [nord|area] avec [douane|point_of_entry] → search", PART("north of Italy") },
		{ "aéroports [italiens|country] du [nord|wish] avec [douane|point_of_entry] → search", PART("north of Italy") },
		{ "aéroports [italiens|country] du nord avec [douane|point_of_entry] → search", PART("north of Italy") },
		{ "dans le [nord-|area]est [italien|country] avec [douane|point_of_entry] → search", PART("north-east of Italy") },
		{ "[italienische|country] Plätze im [Norden|wish] mit [Zoll|point_of_entry] → search", PART("north of Italy") },
		{ "with [customs|point_of_entry], [France|country], [south-west|wish] if possible → search", PART("south-west of France") },
		{ "[italienische|country] Plätze im [Nordosten|wish] mit [Zoll|point_of_entry] → search", PART("north-east of Italy") },
		/* "est" is a verb */
		{ "quel terrain d'[Italie|country] est ouvert, avec [douane|point_of_entry] → search", ALL("Italy", "IT") },
		/* not in this part */
		{ "[Spain|country], [not the north|wish], with [customs|point_of_entry] → search", ALL("Spain", "ES") " | not the north" },
		/* one part or another */
		{ "[Spain|country], [north|wish] or [south|wish], with [customs|point_of_entry] → search", ALL("Spain", "ES") " | north, south" },
		/* both at once */
		{ "[north and south|wish] of [Spain|country] with [customs|point_of_entry] → search", ALL("Spain", "ES") " | north and south" },
		/* the country has no such part */
		{ "[Liechtenstein|country], [north|wish], with [customs|point_of_entry] → search", ALL("Liechtenstein", "LI") " | north" },
		/* of which of two countries? */
		{ "[north|wish], [Spain|country] or [Portugal|country], with [customs|point_of_entry] → search",
		    ALL("Spain", "ES") " & " ALL("Portugal", "PT") " | north | north" },
	};
#undef ALL
#undef PART
	CHECK(rows);
}

TEST(reading_amends, a_search_of_two_countries_looks_in_each)
{
	static const char *const rows[][2] = {
		{ "in [Switzerland|country=CH] or [Italy|country=IT] within [80 nm|radius=80nm] of [Lyon|near] → near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":80,\"filters\":{\"country\":\"CH\"}} & "
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":80,\"filters\":{\"country\":\"IT\"}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_remark_on_one_airport_is_no_question_about_it)
{
	static const char *const rows[][2] = {
		{ "[LFAT|at] is far too dear. How long is the [runway|ask=runway_length] at [LFMD|at]? → details",
		  "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "[LFAT|at]. [LFMD|at]. [runway|ask=runway_length]? → details",
		  "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "[runway|ask=runway_length] at [LFAT|at]? And at [LFMD|at]? → details",
		  "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_distance_beside_another_question_is_a_route)
{
	static const char *const rows[][2] = {
		{ "[LFMD|at], what notice, and [how far|ask=distance] is it from [LFAT|from]? → notice",
		  "get_notification_for_airport {\"icao\":\"LFMD\"} & "
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
		{ "[LFMD|at], [how far|ask=distance] from [LFAT|from]? → details",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
		/* the place that the distance is about, and not the one that it is measured from */
		{ "[how far|ask=distance] is [LFMD|from] from [LFAT|to], and the [fee|ask=fee#2]? → route + details",
		  "find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, the_distance_between_the_two_last_airports)
{
	static const char *const rows[][2] = {
		{ "[which|ask=which] is [longer|order=runway], [LFAT|at] or [LFMD|at]? → search\n[how far|ask=distance] is it between them? → switch route",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
		{ "[LFAT|at], [fee|ask=fee]? → details\nand [LFMD|at]? → replace details\n[wie weit|ask=distance] sind die auseinander → switch route",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, the_best_of_a_list_is_picked)
{
	static const struct talk shown = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, 20 }, { "LFMD", 3000, 9, 10 } } };
	static const char *const rows[][2] = {
		{ "near [Lyon|near] → near\nwhich is [the cheapest|order=fee]? → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\nwelcher hat die [längste Bahn|order=runway]? → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "[fee|ask=fee] at [LFAT|at] and [EGTF|at] → details\nwhich is [the cheapest|pick=fee] of them? → pick details",
		  "search_airports {\"query\":\"LFAT EGTF\",\"priority_strategy\":\"landing_fee\"}" },
	};
	CHECK_MARKED(rows, &shown, true);
}

TEST(reading_amends, a_country_that_is_welcome_too_is_no_limit)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] with a [hotel|hotel=vicinity] → near\ngern auch in [Italien|country=IT] → refine near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"hotel\":\"vicinity\"}}" },
		{ "near [Lyon|near] → near\nonly in [Italy|country=IT] → refine near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"country\":\"IT\"}}" },
		/* in a first message the airport is refused too */
		{ "near [Lyon|near], [leave out LFMD|wish] → near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"exclude\":\"LFMD\"}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_not_at_the_end_of_the_clause_turns_a_limit_round)
{
	static const char *const rows[][2] = {
		{ "bei [Ulm|near], [unter 1000 m|max_runway] will ich nicht → near",
		  "find_airports_near_location {\"location_query\":\"Ulm\",\"filters\":{\"min_runway_length_ft\":3280}}" },
		{ "bei [Ulm|near], [kürzer als 800 m|max_runway] darf sie nicht sein → near",
		  "find_airports_near_location {\"location_query\":\"Ulm\",\"filters\":{\"min_runway_length_ft\":2624}}" },
		{ "near [Ulm|near], [over 800 m|min_runway] but [not grass|has_hard_runway] → near",
		  "find_airports_near_location {\"location_query\":\"Ulm\",\"filters\":{\"has_hard_runway\":true,\"min_runway_length_ft\":2624}}" },
		{ "near [Ulm|near] → near\n[OHNE Asphalt|has_hard_runway] → refine near",
		  "find_airports_near_location {\"location_query\":\"Ulm\",\"filters\":{\"has_hard_runway\":false}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, the_same_notice_on_another_day)
{
	static const char *const rows[][2] = {
		{ "[LFMD|at] on [Monday|day=monday], what notice, and [how far|ask=distance#2] from [LFAT|from#2]? → notice + route\n"
		  "and on [Saturday|day=saturday]? → switch notice",
		  "get_notification_for_airport {\"icao\":\"LFMD\",\"day_of_week\":\"Saturday\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_refusal_stays_while_the_list_goes_on)
{
#define LIST "near [LFAT|near] → near\nwithout [Fairoaks|near] → refine near\n"
#define WITHOUT "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"exclude\":\"EGTF\"}}"
	static const struct talk shown = { .n = 2, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, NAN } } };
	static const char *const rows[][2] = {
		{ LIST "[forget the shops|-wish] → lift near", WITHOUT },
		{ LIST "[Fairoaks is fine again|-wish] → lift near", "find_airports_near_location {\"location_query\":\"LFAT\"}" },
		{ LIST "[hard|has_hard_runway] I said → correct near",
		  "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"has_hard_runway\":true,\"exclude\":\"EGTF\"}}" },
		{ LIST "near [Lyon|near] instead → replace near", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"exclude\":\"EGTF\"}}" },
	};
#undef LIST
#undef WITHOUT
	CHECK_MARKED(rows, &shown, true);
}

TEST(reading_amends, a_country_limits_an_area_of_several_and_no_other)
{
	static const char *const rows[][2] = {
		{ "[customs|point_of_entry] on the [Adriatic coast|area] of [Croatia|country=HR] → search",
		  "find_airports_near_location {\"location_query\":\"Adriatic coast, Croatia\",\"filters\":{\"country\":\"HR\",\"point_of_entry\":true},\"include_large_airports\":true}" },
		{ "three [Norwegians|country=NO] look for a field on [Sardinia|area] → search",
		  "find_airports_near_location {\"location_query\":\"Sardinia\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_second_route_without_words_is_the_first)
{
	static const char *const rows[][2] = {
		{ "[how far|ask=distance#1] is [LFAT|from#1] from [LFMD|to#1], and what airports are on the way? → route + route",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
	};
	CHECK(rows);
}

/* Everyday messages that look like those above. */
TEST(reading_amends, what_only_looks_like_two_distances_or_a_remark)
{
	static const char *const rows[][2] = {
		{ "airports from [Lyon|from] to [Graz|to] or [Zadar|to], [nearest|order=distance] first → route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Graz\"} & "
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Zadar\"}" },
		{ "[how far|ask=distance] from [Lyon|from] to [Graz|via] and [Zadar|to] with [avgas|has_avgas] → route",
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Graz\",\"filters\":{\"has_avgas\":true}} & "
		  "find_airports_near_route {\"from_location\":\"Graz\",\"to_location\":\"Zadar\",\"filters\":{\"has_avgas\":true}}" },
		{ "[distance|ask=distance] from [Lyon|from] and [Graz|to] → route", "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Graz\"}" },
		{ "Kann man in [LFAT|at] bzw. [LFMD|at] [nachts|ask=night] landen? → details",
		  "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "Bitte alles zu [LFAT|at]. Und [LFMD|at]? → details",
		  "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\n[fee|ask=fee] at [LFAT|at] → details\nmore than [20 euros|max_fee]? → pick details",
		  "get_airport_details {\"icao_code\":\"LFAT\"} | 20 euros" },
		{ "from [LFAT|from] to [LFMD|to] via [Spa|via] → route\n[not in Spain|wish] → refine route",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Spa\",\"filters\":{\"exclude\":\"ES\"}} & "
		  "find_airports_near_route {\"from_location\":\"Spa\",\"to_location\":\"LFMD\",\"filters\":{\"exclude\":\"ES\"}}" },
		{ "from [LFAT|from] to [LFMD|to] via [Lyon|via] → route\nwhich are directly on the route? → refine route",
		  "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"} & "
		  "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, days_and_islands)
{
	static const char *const rows[][2] = {
		{ "[hours|ask=hours] of [LFAT|at] and of [LFMD|at#2] on [Saturday|day=saturday#2] → details + details",
		  "get_airport_details {\"icao_code\":\"LFAT\",\"date\":\"saturday\"} & get_airport_details {\"icao_code\":\"LFMD\",\"date\":\"saturday\"}" },
		{ "[LFMD|at] on [Monday|day=monday] → notice\nfinalement [mercredi|day=wednesday] → replace notice",
		  "get_notification_for_airport {\"icao\":\"LFMD\",\"day_of_week\":\"Wednesday\"}" },
		{ "near [Lyon|near], [not islands|wish] → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | not islands" },
	};
	CHECK(rows);
}

TEST(reading_amends, the_rest_of_a_list_and_long_runways)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] → near\n[LFMD|at], [hours|ask=hours]? → details\nshow me the rest of the list → return near",
		  "find_airports_near_location {\"location_query\":\"Lyon\",\"offset\":5}" },
		{ "in [Denmark|country=DK], [longer than 2500 m|min_runway] → search",
		  "search_airports {\"query\":\"Denmark\",\"filters\":{\"country\":\"DK\",\"min_runway_length_ft\":8202},\"include_large_airports\":true}" },
		{ "in [Denmark|country=DK], [longer than 1000 m|min_runway] → search",
		  "search_airports {\"query\":\"Denmark\",\"filters\":{\"country\":\"DK\",\"min_runway_length_ft\":3280}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, an_airport_of_the_list_is_known_by_the_length_of_its_runway)
{
	static const char *const rows[][2] = {
		{ "near [LFAT|near] → near\nwhich is the one with [1000 ft|min_runway]? → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [LFAT|near] → near\nwhich is the one with [610 m|min_runway]? → refine near", "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "near [LFAT|near] → near\n[the one with|pick=runway] 1000 ft → pick details", "get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [LFAT|near] → near\nder mit den 610 Metern? → pick details", "get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "near [LFAT|near] → near\ncelui de 610 m ? → pick details", "get_airport_details {\"icao_code\":\"EGTF\"}" },
		/* a round length, or one with a bound, is a limit */
		{ "near [LFAT|near] → near\nthe one with [600 m|min_runway] → refine near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"min_runway_length_ft\":1968}}" },
		{ "near [LFAT|near] → near\nthe one with [at least 610 m|min_runway] → refine near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"min_runway_length_ft\":2001}}" },
		{ "near [LFAT|near] → near\n[the second|pick=2], the one with 610 m, [fuel|ask=fuel]? → pick details",
		    "get_airport_details {\"icao_code\":\"EGTF\"}" },
	};
	const struct talk list = { .n = 3, .list = { { "LFAT", NAN, 5, NAN }, { "EGTF", 2001, 7, 30 }, { "LFMD", 1000, NAN, 10 } } };
	CHECK_MARKED(rows, &list, true);
}

TEST(reading_amends, what_follows_a_name_is_no_part_of_it)
{
	static const char *const rows[][2] = {
		{ "[LFAT|from] to [Lyon km|to] → route", "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"}" },
		{ "von [LFAT|from] nach [Lyon in km|to] → route", "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"}" },
		{ "de [LFAT|from] à [Lyon en km|to] ? → route", "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"}" },
		{ "[LFAT|from] to [Lyon nautical miles|to] → route", "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"}" },
		{ "[Lyon oder in der Nähe|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "[Lyon or nearby|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "[Lyon ou à côté|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "airport on [Jersey|country=JE] or nearby → search", "find_airports_near_location {\"location_query\":\"Jersey\"}" },
		{ "[Bretagne|area] ou à côté → search", "find_airports_near_location {\"location_query\":\"Bretagne\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, two_capitals_may_name_a_part_of_a_country)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] [NI|country] → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"country\":\"GB\"}}" },
		{ "airports in [NI|country] → search", "find_airports_near_location {\"location_query\":\"Northern Ireland\"}" },
		{ "airports in [NI|area] → search", "find_airports_near_location {\"location_query\":\"Northern Ireland\"}" },
		{ "airports in [Nicaragua|country] → search", "search_airports {\"query\":\"Nicaragua\",\"filters\":{\"country\":\"NI\"}}" },
	};
	CHECK(rows);
}

TEST(reading_amends, who_accepts_grass_does_not_wish_for_it)
{
	static const char *const rows[][2] = {
		{ "bei [Lyon|near], darf gern [Gras|has_hard_runway] sein → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "bei [Lyon|near], [Gras|has_hard_runway] darf sein → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "près de [Lyon|near], [herbe|has_hard_runway] acceptée → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "près de [Lyon|near], [piste en herbe|has_hard_runway] acceptée → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near], can be [grass|has_hard_runway] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near], only [grass|has_hard_runway] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":false}}" },
		{ "near [Lyon|near], [hard|has_hard_runway] → near\ncan be [grass|has_hard_runway] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"}" },
	};
	CHECK(rows);
}

TEST(reading_amends, a_type_says_more_than_its_maker)
{
	static const char *const rows[][2] = {
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [Piper J3|aircraft] → route", "65" },
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [Piper J-3|aircraft] → route", "65" },
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [J3 Piper|aircraft] → route", "65" },
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [J3 Cub|aircraft] → route", "65" },
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [Piper Super Cub|aircraft] → route", "90" },
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [Cirrus SF50|aircraft] → route", "300" },
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [PA28 Archer|aircraft] → route", "115" },
		{ "[how long|ask=time] is [LFAT|from] to [LFMD|to] in a [Piper|aircraft] → route", "115" },
	};
	struct fixture f;

	fixture_open(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		const struct plan plan = first_plan(&f, a, rows[i][0], true);
		cr_expect_float_eq(jsn_get_num(plan.arguments, "cruise_kt", NAN), strtod(rows[i][1], NULL), 0.1, "%s: %s", rows[i][0], plan_text(a, &plan));
		arena_free(a);
	}
	fixture_close(&f);
}
