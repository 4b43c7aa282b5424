/*
 * What exact knowledge corrects in marks: each row is a marked dialogue, and the plans of its last message with what they do
 * not use. The marks are right or wrong as a trained model may have them.
 */
#include "tests/unit/marked_check.h"

#include "tests/unit/planner_rules.h"

#define CHECK(rows) CHECK_MARKED(rows, &nothing_said, true)

TEST(frame_amends, codes_and_the_letters_with_which_they_begin)
{
	static const char *const rows[][2] = {
		{ "LFAT → unclear", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[lfat|name]? → search", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "near [Lyon|near] → near\n[LFAT|at] → replace near", "find_airports_near_location {\"location_query\":\"LFAT\"}" },
		{ "airports in EHxx with [avgas|has_avgas] → search",
		    "search_airports {\"query\":\"Netherlands\",\"filters\":{\"country\":\"NL\",\"has_avgas\":true}}" },
		{ "[EHxx|at] → details", "search_airports {\"query\":\"Netherlands\",\"filters\":{\"country\":\"NL\"}}" },
		{ "Plätze in [LOxx|area] mit [Zoll|point_of_entry] → search",
		    "search_airports {\"query\":\"Austria\",\"filters\":{\"country\":\"AT\",\"point_of_entry\":true},\"include_large_airports\":true}" },
	};
	CHECK(rows);
}

TEST(frame_amends, lengths_are_those_of_a_runway_or_distances)
{
	static const char *const rows[][2] = {
		{ "Flugplätze bei [Kassel|near] mit [1,2 km Piste|min_runway=1200m] → near",
		    "find_airports_near_location {\"location_query\":\"Kassel\",\"filters\":{\"min_runway_length_ft\":3937}}" },
		{ "[2 km runway|radius=2km] near [Bern|near] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"min_runway_length_ft\":6561}}" },
		{ "strips near [Bern|near] [shorter than 2000 ft|radius=2000ft] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"max_runway_length_ft\":2000}}" },
		{ "runway [within 30 nm|min_runway=30nm] of [Bern|near] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"max_distance_nm\":30}" },
		{ "[within 2 km|radius=2km] of the runway of [LFAT|near] → near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"max_distance_nm\":1.1}" },
		{ "[at least 800 m|min_runway=800m] near [Bern|near] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"min_runway_length_ft\":2624}}" },
		{ "[shorter than 800 m|min_runway=800m] near [Bern|near] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"max_runway_length_ft\":2625}}" },
		{ "near [Bern|near], nothing with a [runway under 800 m|min_runway=800m] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"min_runway_length_ft\":2624}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_flying_time_is_no_notice)
{
	static const char *const rows[][2] = {
		{ "[customs|point_of_entry], [2 h flight|max_notice=2h] from [LFAT|near] at [100 kt|speed=100kt] → near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"max_distance_nm\":200,\"filters\":{\"point_of_entry\":true,\"exclude\":\"LFAT\"}}" },
		{ "[douane|point_of_entry] à [2 h|max_notice=2h] de vol de [Lyon|near] à [100 kt|speed=100kt] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":200,\"filters\":{\"point_of_entry\":true,\"exclude\":\"LFLL\"}}" },
		{ "near [Lyon|near], [customs|point_of_entry] with [2 h notice|max_notice=2h] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true},\"max_hours_notice\":2}" },
	};
	CHECK(rows);
}

/* For "another field around Dinard", the program once showed Dinard first; for "two hours from Augsburg", Augsburg. */
TEST(frame_amends, another_airport_is_not_the_one_that_is_named)
{
#define WITHOUT(code) "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"exclude\":\"" code "\"}}"
	static const char *const rows[][2] = {
		{ "another field around [Lyon|near] → near", WITHOUT("LFLL") },
		{ "Plätze um [Lyon|near], aber ein anderer → near", WITHOUT("LFLL") },
		{ "un autre terrain près de [Lyon|near] → near", WITHOUT("LFLL") },
		{ "fields around [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "[one hour|reach=1h] at [100 kt|speed=100kt] from [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":100,\"filters\":{\"exclude\":\"LFLL\"}}" },
		/* the offset of the next page counts that airport too */
		{ "fields around [Lyon|near] → near\nother options? → more near", "find_airports_near_location {\"location_query\":\"Lyon\",\"offset\":5}" },
	};
#undef WITHOUT
	CHECK(rows);
}

TEST(frame_amends, a_place_that_is_not_wanted_is_left_out)
{
	static const char *const rows[][2] = {
		{ "near [Basel|near], but not in [Germany|country=DE] → near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"exclude\":\"DE\"}}" },
		{ "[customs|point_of_entry] in the [Alps|area] [not|large=false] in [Slovakia|country=SK] or [Hungary|country=HU] → search",
		    "find_airports_near_location {\"location_query\":\"Alps\",\"filters\":{\"point_of_entry\":true,\"exclude\":\"SK,HU\"},\"include_large_airports\":true}" },
		{ "[fuel|fuel] near [Lyon|near] excluding [Luxembourg|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_fuel\":true,\"exclude\":\"LU\"}}" },
		{ "[EGTF|from] to [Cannes|to], no [Jersey|to] → route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\",\"filters\":{\"exclude\":\"JE\"}}" },
		{ "de [LFAT|from] à [LFMD|to] sans passer par la [Suisse|via] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"exclude\":\"CH\"}}" },
		{ "um [Salzburg|near] außer [Österreich|country=AT] → near",
		    "find_airports_near_location {\"location_query\":\"Salzburg\",\"filters\":{\"exclude\":\"AT\"}}" },
		{ "près de [Nice|near], sauf l'[Italie|country=IT] → near",
		    "find_airports_near_location {\"location_query\":\"Nice\",\"filters\":{\"exclude\":\"IT\"}}" },
		{ "in [Austria|country=AT] but not in [Italy|country=IT] → search",
		    "search_airports {\"query\":\"Austria\",\"filters\":{\"country\":\"AT\",\"exclude\":\"IT\"}}" },
		{ "near [Lyon|near], not [LFMD|at] and not LFAT → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"exclude\":\"LFMD,LFAT\"}}" },
		{ "near [Lyon|near], [not LFMD or LFAT|wish] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"exclude\":\"LFMD,LFAT\"}}" },
		{ "near [Lyon|near], [no towers in LFMD|wish] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | no towers in LFMD" },
		{ "near [Lyon|near], [no military airfields|wish] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"exclude\":\"military\"}}" },
		{ "not far from [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "wo in [Island|country=IS] gibt es [100LL|has_avgas] → search",
		    "search_airports {\"query\":\"Iceland\",\"filters\":{\"country\":\"IS\",\"has_avgas\":true}}" },
		{ "und dann noch die [tschechischen|country=CZ] [Grasplätze|has_hard_runway=false] → search",
		    "search_airports {\"query\":\"Czechia\",\"filters\":{\"country\":\"CZ\",\"has_hard_runway\":false}}" },
		{ "airports [not big|large=false] in [Austria|country=AT] → search",
		    "search_airports {\"query\":\"Austria\",\"filters\":{\"country\":\"AT\"}}" },
		{ "near [Basel|near] with [no customs|point_of_entry=false] in [France|country=FR] → near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"FR\",\"point_of_entry\":false}}" },
	};
	CHECK(rows);
}

/* With a rule base. */
static void check_rules(const char *const (*rows)[2], size_t n)
{
	struct fixture f;
	struct rules *rules;
	char path[600];

	fixture_open(&f);
	planner_rules_open(&rules, path, f.dir);
	f.ctx.rules = rules;
	for (size_t i = 0; i < n; i++) {
		struct arena *a = arena_new();
		struct talk t = nothing_said;
		struct plans plans;
		plan_marked(&f, a, rows[i][0], true, &t, &plans);
		cr_expect_str_eq(plans_text(a, &plans), rows[i][1], "%s\n   got  %s", rows[i][0], plans_text(a, &plans));
		arena_free(a);
	}
	rules_close(rules);
	fixture_close(&f);
}

TEST(frame_amends, a_matter_without_a_tag_is_searched)
{
	static const char *const rows[][2] = {
		{ "list the rules on [transponders|topic] in [Germany|country=DE] → browse",
		    "browse_rules {\"country_code\":\"DE\",\"tags\":[\"transponder\"]}" },
		{ "list the rules on [seat belts|topic] in [Germany|country=DE] → browse",
		    "answer_rules_question {\"country_code\":\"DE\",\"question\":\"list the rules on seat belts in Germany\"}" },
		{ "list the rules of [Germany|country=DE] → browse", "browse_rules {\"country_code\":\"DE\"}" },
		{ "do I need [VAT papers|topic] in [Germany|country=DE] → answer\nshow all rules of [Germany|country=DE] → switch browse",
		    "browse_rules {\"country_code\":\"DE\"}" },
		{ "list the rules on [seat belts|topic] in [Germany|country=DE] → browse\nmore → more browse",
		    "browse_rules {\"country_code\":\"DE\",\"offset\":10,\"limit\":10}" },
	};
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

TEST(frame_amends, of_two_countries_the_one_with_rules_is_answered)
{
	static const char *const rows[][2] = {
		{ "[flight plan|topic] in [Albania|country=AL] and [France|country=FR] → answer",
		    "answer_rules_question {\"country_code\":\"FR\",\"question\":\"flight plan in Albania and France\",\"tags\":[\"flight_plan\"]} & "
		    "answer_rules_question {\"country_code\":\"AL\",\"question\":\"flight plan in Albania and France\",\"tags\":[\"flight_plan\"]}" },
		{ "compare [Albania|country=AL] and [France|country=FR] on [flight plans|topic] → compare",
		    "answer_rules_question {\"country_code\":\"FR\",\"question\":\"compare Albania and France on flight plans\",\"tags\":[\"flight_plan\"]} & "
		    "answer_rules_question {\"country_code\":\"AL\",\"question\":\"compare Albania and France on flight plans\",\"tags\":[\"flight_plan\"]}" },
		{ "[flight plan|topic] in [Albania|country=AL] and [Serbia|country=RS] → answer",
		    "answer_rules_question {\"country_code\":\"AL\",\"question\":\"flight plan in Albania and Serbia\",\"tags\":[\"flight_plan\"]} & "
		    "answer_rules_question {\"country_code\":\"RS\",\"question\":\"flight plan in Albania and Serbia\",\"tags\":[\"flight_plan\"]}" },
		{ "compare [Germany|country=DE] and [France|country=FR] on [flight plans|topic] → compare",
		    "compare_rules_between_countries {\"countries\":[\"DE\",\"FR\"],\"tags\":[\"flight_plan\"],\"question\":\"flight plans\"}" },
		{ "over [Serbia|country=RS] with a [flight plan|topic] from [France|country=FR]? → answer",
		    "answer_rules_question {\"country_code\":\"RS\",\"question\":\"flight plan for a flight that crosses the border\",\"tags\":[\"flight_plan\"]} & "
		    "answer_rules_question {\"country_code\":\"FR\",\"question\":\"flight plan for a flight that crosses the border\",\"tags\":[\"flight_plan\"]}" },
	};
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

TEST(frame_amends, a_question_of_another_language_is_kept_with_its_matter_in_english)
{
	static const char *const rows[][2] = {
		{ "Brauche ich in [Frankreich|country=FR] einen [Flugplan|topic] für VFR? → answer",
		    "answer_rules_question {\"country_code\":\"FR\",\"question\":\"Brauche ich in Frankreich einen Flugplan für VFR? "
		    "(flight plan)\",\"tags\":[\"flight_plan\"]}" },
		{ "Do I need a [flight plan|topic] in [France|country=FR]? → answer",
		    "answer_rules_question {\"country_code\":\"FR\",\"question\":\"Do I need a flight plan in France?\",\"tags\":[\"flight_plan\"]}" },
	};
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

TEST(frame_amends, places_of_a_question_about_rules_name_its_countries)
{
	static const char *const rows[][2] = {
		{ "Do I need a [flight plan|topic] from LFAT? → answer",
		    "answer_rules_question {\"country_code\":\"FR\",\"question\":\"Do I need a flight plan from LFAT?\",\"tags\":[\"flight_plan\"]}" },
		{ "Do I need a [flight plan|topic] from LFAT to [Germany|country=DE]? → answer",
		    "answer_rules_question {\"country_code\":\"DE\",\"question\":\"flight plan for a flight that crosses the border\","
		    "\"tags\":[\"flight_plan\"]}" },
	};
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

/* The answer to "Do I need a flight plan from Kassel to Austria?" once said only that there are no rules of Austria. */
TEST(frame_amends, the_other_end_of_a_flight_has_rules_too)
{
#define RULE(code, question) "answer_rules_question {\"country_code\":\"" code "\",\"question\":\"" question "\",\"tags\":[\"flight_plan\"]}"
#define BORDER(code) RULE(code, "flight plan for a flight that crosses the border")
	static const char *const rows[][2] = {
		{ "a [flight plan|topic] from [LFAT|at] to [Serbia|country=RS]? → answer", BORDER("FR") " & " BORDER("RS") },
		{ "a [flight plan|topic] from [LFAT|at] to [Germany|country=DE]? → answer", BORDER("DE") },
		{ "is a [flight plan|topic] needed in [Serbia|country=RS] → answer", RULE("RS", "is a flight plan needed in Serbia") },
		{ "[insurance|topic] for [Serbia|country=RS]? I come from [LFAT|at] → answer",
		    "answer_rules_question {\"country_code\":\"RS\",\"question\":\"insurance for Serbia? I come from LFAT\"}" },
	};
#undef BORDER
#undef RULE
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

/* Without it, "and to Italy?" was answered by a rule for flights inside Italy. */
TEST(frame_amends, a_flight_over_a_border_stays_one_when_the_country_changes)
{
#define BETWEEN "[flight plan|topic] from [Germany|country=DE] to [Switzerland|country=CH] → answer\n"
#define BOTH "compare_rules_between_countries {\"countries\":[\"DE\",\"IT\"],\"tags\":[\"flight_plan\"],\"question\":\"flight plan for a flight that crosses the border\"}"
#define ITALY(question) "answer_rules_question {\"country_code\":\"IT\",\"question\":\"" question "\",\"tags\":[\"flight_plan\"]}"
	static const char *const rows[][2] = {
		{ BETWEEN "and to [Italy|country=IT]? → replace answer", BOTH },
		{ BETWEEN "and to [Austria|country=AT]? → replace answer\nund nach [Italien|country=IT]? → replace answer", BOTH },
		{ BETWEEN "and in [Italy|country=IT]? → replace answer", ITALY("flight plan") },
		{ "[flight plan|topic] to [Switzerland|country=CH] from [Germany|country=DE] → answer\nand to [Italy|country=IT]? → replace answer", BOTH },
		{ BETWEEN "and to [Serbia|country=RS]? → replace answer",
		    "answer_rules_question {\"country_code\":\"DE\",\"question\":\"flight plan for a flight that crosses the border\",\"tags\":[\"flight_plan\"]} & "
		    "answer_rules_question {\"country_code\":\"RS\",\"question\":\"flight plan for a flight that crosses the border\",\"tags\":[\"flight_plan\"]}" },
		{ "[flight plan|topic] in [France|country=FR] and [Germany|country=DE]? → answer\nand in [Italy|country=IT]? → replace answer",
		    ITALY("flight plan") },
		{ "[flight plan|topic] in [France|country=FR]? → answer\nand for [Italy|country=IT]? → replace answer", ITALY("flight plan") },
		{ "[flight plan|topic] in [France|country=FR]? → answer\nund aus [Italien|country=IT]? → replace answer",
		    ITALY("flight plan for a flight that crosses the border") },
		{ "[transponder|topic] from [Germany|country=DE] to [France|country=FR] → answer\nand to [Italy|country=IT]? → replace answer",
		    "answer_rules_question {\"country_code\":\"IT\",\"question\":\"transponder\",\"tags\":[\"transponder\"]}" },
	};
#undef BETWEEN
#undef BOTH
#undef ITALY
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

/* "Dois-je déposer un plan de vol pour aller en Suisse ?" was answered with "no", by the rule for flights inside the country. */
TEST(frame_amends, a_flight_plan_into_or_out_of_a_country_is_one_over_its_border)
{
#define FRANCE(question) "answer_rules_question {\"country_code\":\"FR\",\"question\":\"" question "\",\"tags\":[\"flight_plan\"]}"
#define OVER FRANCE("flight plan for a flight that crosses the border")
	static const char *const rows[][2] = {
		{ "faut-il un [plan de vol|topic] pour aller en [France|country=FR] ? → answer", OVER },
		{ "faut-il un [plan de vol|topic] vers la [France|country=FR] ? → answer", OVER },
		{ "faut-il un [plan de vol|topic] quand on vient de [France|country=FR] ? → answer", OVER },
		{ "un [plan de vol|topic] pour la [France|country=FR] ? → answer", FRANCE("un plan de vol pour la France ? (flight plan)") },
		{ "faut-il un [plan de vol|topic] en [France|country=FR] ? → answer", FRANCE("faut-il un plan de vol en France ? (flight plan)") },
		{ "brauche ich einen [Flugplan|topic] nach [Frankreich|country=FR]? → answer", OVER },
		{ "brauche ich in [Frankreich|country=FR] einen [Flugplan|topic]? → answer",
		    FRANCE("brauche ich in Frankreich einen Flugplan? (flight plan)") },
		{ "do I need a [flight plan|topic] to [France|country=FR]? → answer", FRANCE("do I need a flight plan to France?") },
	};
#undef OVER
#undef FRANCE
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

/* "Nimm noch Italien dazu" left the comparison as it was, because "nimm" may also take away. */
TEST(frame_amends, a_country_is_added_to_a_comparison)
{
	static const char *const rows[][2] = {
		{ "[Frankreich|country=FR] und [Deutschland|country=DE] beim [Funk|topic] → compare\nnimm noch [Italien|country=IT] dazu → refine compare",
		    "compare_rules_between_countries {\"countries\":[\"FR\",\"DE\",\"IT\"],\"question\":\"radio\"}" },
		{ "[Frankreich|country=FR], [Italien|country=IT], [Deutschland|country=DE] beim [Funk|topic] → compare\nohne [Italien|country=IT] → refine compare",
		    "compare_rules_between_countries {\"countries\":[\"FR\",\"DE\"],\"question\":\"radio\"}" },
		{ "[Frankreich|country=FR] und [Deutschland|country=DE] beim [Funk|topic] → compare\n"
		    "nimm noch [Italien|country=IT] dazu und lass die Quellen weg → refine compare",
		    "compare_rules_between_countries {\"countries\":[\"FR\",\"DE\",\"IT\"],\"question\":\"radio\"}" },
		{ "[Frankreich|country=FR], [Italien|country=IT], [Deutschland|country=DE] beim [Funk|topic] → compare\nnimm auch [Italien|country=IT] raus → refine compare",
		    "compare_rules_between_countries {\"countries\":[\"FR\",\"DE\"],\"question\":\"radio\"}" },
		{ "compare [France|country=FR], [Italy|country=IT] and [Germany|country=DE] on the [radio|topic] → compare\ndrop [Italy|country=IT] too → refine compare",
		    "compare_rules_between_countries {\"countries\":[\"FR\",\"DE\"],\"question\":\"radio\"}" },
	};
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

TEST(frame_amends, each_question_is_about_its_own_country)
{
	static const char *const rows[][2] = {
		{ "Do I need a [flight plan|topic] in [France|country=FR], and do I need a [transponder|topic] in [Germany|country=DE]? → answer",
		    "answer_rules_question {\"country_code\":\"FR\",\"question\":\"Do I need a flight plan in France\",\"tags\":[\"flight_plan\"]} & "
		    "answer_rules_question {\"country_code\":\"DE\",\"question\":\"do I need a transponder in Germany?\",\"tags\":[\"transponder\"]}" },
	};
	check_rules(rows, sizeof(rows) / sizeof(rows[0]));
}

TEST(frame_amends, a_word_that_nothing_explains_is_told)
{
	static const char *const rows[][2] = {
		{ "airports near [Lyon|near] with a zipline → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | zipline" },
		{ "Flugplätze bei [Lyon|near] mit Kletterwand → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | Kletterwand" },
		{ "aérodromes près de [Lyon|near] avec tyrolienne → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | tyrolienne" },
		{ "airports near [Lyon|near] with [avgas|has_avgas] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "airports near [Lyon|near] with runways → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, the_airports_of_the_last_list)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] → near\ncompare the two → compare",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "near [Lyon|near] → near\nvergleiche die beiden → unclear",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "about [LFMD|at] and [EGTF|at] → details\ncompare [the two|count=2] → switch compare",
		    "get_airport_details {\"icao_code\":\"LFMD\"} & get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "near [Lyon|near] → near\n[how long|ask=runway_length] is [the first|pick=1] → pick details\nand the others? → pick details",
		    "get_airport_details {\"icao_code\":\"EGTF\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\n[how long|ask=runway_length] is [the first|pick=1] → pick details\nothers? → more near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"offset\":5}" },
		{ "[EGTF|from] to [Cannes|to] → route\nmake it [Cannes|from] to [EGTF|to] → correct route",
		    "find_airports_near_route {\"from_location\":\"Cannes\",\"to_location\":\"EGTF\"}" },
		{ "near [Lyon|near] → near\ncompare the [two|count=2] → refine near",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"EGTF\"}" },
		{ "[EGTF|from] to [Cannes|to] → route\n[EGTF|from] to [Lyon|to] instead → replace route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\"}" },
		{ "near [Lyon|near] → near\n[how far|ask=distance] is [the first|pick=1] from [Cannes|at] → pick details",
		    "find_airports_near_route {\"from_location\":\"Cannes\",\"to_location\":\"LFAT\"}" },
		{ "near [Lyon|near] → near\nothers? → more near", "find_airports_near_location {\"location_query\":\"Lyon\",\"offset\":5}" },
		{ "near [Lyon|near] → near\ncompare [France|country=FR] and [Germany|country=DE] → compare", "reply" },
	};
	const struct talk talk = { .n = 3, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, 8 }, { "LFMD", 3000, 9, 10 } },
		.current = "LFAT" };
	CHECK_MARKED(rows, &talk, true);
}

/* "How far is Reims?" made the route to Reims that of the list. */
TEST(frame_amends, a_distance_in_between_does_not_replace_the_list)
{
#define LIST "[EGTF|from] to [Cannes|to] with [avgas|has_avgas] → route\n"
	static const char *const rows[][2] = {
		{ LIST "[how far|ask=distance] is [Lyon|to] from [EGTF|from]? → refine route\nthe others with [hard runways|has_hard_runway] → refine route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\",\"filters\":{\"has_avgas\":true,\"has_hard_runway\":true}}" },
		{ "near [Lyon|near] → near\n[how far|ask=distance] from [EGTF|from] to [Lyon|to]? → switch route\nonly with [avgas|has_avgas] → refine route",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "near [Lyon|near] → near\n[how far|ask=distance] from [EGTF|from] to [Lyon|to]? → switch route\nany with [avgas|has_avgas] on the way? → refine route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "near [Lyon|near] with [avgas|has_avgas] → near\n[how far|ask=distance] from [EGTF|from] to [Lyon|to] at [90 kt|speed=90kt]? → switch route\n"
		    "forget the [fuel|-fuel] → lift route", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near] with a [hotel|hotel=vicinity] → near\n[how far|ask=distance] from [EGTF|from] to [Lyon|to]? → switch route\n"
		    "a [hangar|wish], not a [hotel|hotel=vicinity] → refine near", "find_airports_near_location {\"location_query\":\"Lyon\"} | hangar" },
		{ "near [Lyon|near] → near\n[how far|ask=distance] from [EGTF|from] to [Lyon|to], with [avgas|has_avgas]? → switch route\n"
		    "only with [hard runways|has_hard_runway] → refine route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\",\"filters\":{\"has_avgas\":true,\"has_hard_runway\":true}}" },
		{ LIST "[how far|ask=distance] is [Lyon|to] from [EGTF|from]? → refine route\nat [90 kt|speed=90kt]? → refine route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\",\"filters\":{\"has_avgas\":true},\"cruise_kt\":90}" },
		{ "[how far|ask=distance] from [EGTF|from] to [Lyon|to]? → route\nwith [avgas|has_avgas] → refine route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
	};
#undef LIST
	CHECK(rows);
}

/* The answer repeated the facts of the airport that the pilot did not want. */
TEST(frame_amends, another_one_of_the_list_is_searched_for)
{
#define LIST "near [Lyon|near] → near\n[LFAT|at], [food|ask=restaurant]? → pick details\n"
#define FOOD "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"restaurant\":\"vicinity\",\"exclude\":\"LFAT\"}}"
	static const char *const rows[][2] = {
		{ LIST "is there another one on the list with a [restaurant|ask=restaurant]? → pick details", FOOD },
		{ LIST "gibts einen anderen auf der Liste mit [Restaurant|restaurant=vicinity]? → correct details", FOOD },
		{ LIST "y en a un autre de la liste avec un [restaurant|restaurant=vicinity] ? → correct details", FOOD },
		{ LIST "has it a [hotel|ask=hotel]? → pick details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
#undef LIST
#undef FOOD
	const struct talk talk = { .n = 2, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, 8 } }, .current = "LFAT" };
	CHECK_MARKED(rows, &talk, true);
}

TEST(frame_amends, a_fuel_that_is_taken_back_is_no_wish)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] with [jet fuel|has_jet_a], no sorry, [avgas|has_avgas] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "près de [Lyon|near], du [carburant jet|has_jet_a], euh non de l'[avgas|has_avgas] pardon → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "near [Lyon|near] with [jet fuel|has_jet_a] and [avgas|has_avgas] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true,\"has_jet_a\":true}}" },
	};
	CHECK(rows);
}

/* A second leg of 13 NM, from Nice to Cannes, was made of "to the Côte d'Azur, Cannes". */
TEST(frame_amends, the_area_in_which_the_end_lies_is_no_stop)
{
	static const char *const rows[][2] = {
		{ "von [EGTF|from] an die [Côte d'Azur|to], [Cannes|to] → route", "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"}" },
		{ "from [EGTF|from] to [Provence|to], [Cannes|via] → route", "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"}" },
		{ "from [EGTF|from] via [Provence|via], [Cannes|to] → route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Provence\"} & "
		    "find_airports_near_route {\"from_location\":\"Provence\",\"to_location\":\"Cannes\"}" },
		{ "from [EGTF|from] via [Lyon|via] to [Cannes|to] → route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\"} & "
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\"}" },
	};
	CHECK(rows);
}

/* The nearest Croatian airport to Ancona was not found: it is farther than 50 NM. */
TEST(frame_amends, the_nearest_in_a_country_may_be_far)
{
	static const char *const rows[][2] = {
		{ "[nearest|order=distance] airport to [Lyon|near] in [Germany|country=DE] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":150,\"filters\":{\"country\":\"DE\"},\"priority_strategy\":\"nearest\"}" },
		{ "[nearest|order=distance] airport to [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"priority_strategy\":\"nearest\"}" },
	};
	CHECK(rows);
}

/* Luxembourg was said to have two airports: large ones were not counted. */
TEST(frame_amends, large_airports_are_counted)
{
	static const char *const rows[][2] = {
		{ "[how many|ask=how_many] airports near [Lyon|near]? → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"include_large_airports\":true}" },
		{ "[how many|ask=how_many] [small|large=false] airports near [Lyon|near]? → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
	};
	CHECK(rows);
}

/* "Where could I stop halfway?" got stops at both ends too. */
TEST(frame_amends, a_stop_halfway_lies_in_the_middle_of_the_route)
{
#define ROUTE(more) "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"" more "}"
	static const char *const rows[][2] = {
		{ "[EGTF|from] to [Cannes|to], a stop halfway → route", ROUTE(",\"halfway\":true") },
		{ "de [EGTF|from] à [Cannes|to], une pause à mi-chemin → route", ROUTE(",\"halfway\":true") },
		{ "[EGTF|from] - [Cannes|to], Pause auf halber Strecke → route\nmit [Avgas|has_avgas] → refine route",
		    ROUTE(",\"filters\":{\"has_avgas\":true},\"halfway\":true") },
		{ "[EGTF|from] to [Cannes|to], halfway → route\n[forget halfway|-wish] → lift route", ROUTE("") },
		{ "[EGTF|from] to [Cannes|to], halfway, [cheap|order=fee] → route", ROUTE(",\"priority_strategy\":\"landing_fee\",\"halfway\":true") },
		{ "[EGTF|from] to [Cannes|to], halfway → route\nit need not be halfway → refine route", ROUTE("") },
		{ "de [EGTF|from] à [Cannes|to], pas trop cher à mi-chemin → route", ROUTE(",\"halfway\":true") },
		{ "[EGTF|from] - [Cannes|to], nicht zu teuer auf halber Strecke → route", ROUTE(",\"halfway\":true") },
		{ "[EGTF|from] to [Cannes|to], why not stop halfway → route", ROUTE(",\"halfway\":true") },
		{ "[EGTF|from] to [Cannes|to] with [customs|point_of_entry] → route\n[forget customs|-point_of_entry] and stop halfway → lift route",
		    ROUTE(",\"halfway\":true") },
		{ "[EGTF|from] to [Cannes|to], halfway → route\nnot halfway, anywhere → refine route", ROUTE("") },
		{ "de [EGTF|from] à [Cannes|to], à mi-chemin → route\npas à mi-chemin → lift route", ROUTE("") },
		{ "[EGTF|from] - [Cannes|to], auf halber Strecke → route\nnicht auf halber Strecke → lift route", ROUTE("") },
		{ "[EGTF|from] to [Cannes|to] via [Lyon|via], halfway → route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\"} & "
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\"} | halfway | halfway" },
		{ "halfway from [EGTF|from] to [Cannes|to], and [fee|ask=fee#2] at [LFAT|at#2]? → route + details",
		    ROUTE(",\"halfway\":true") " & get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[EGTF|from] to [Cannes|to], halfway → route\nforget halfway, anywhere → refine route", ROUTE("") },
		{ "near [Lyon|near], halfway → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | halfway" },
	};
#undef ROUTE
	CHECK(rows);
}

/* "You gave me EGTF, too short!" made a route to EGTF. */
TEST(frame_amends, an_airport_that_is_complained_of_is_no_end)
{
#define ROUTE(to) "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"" to "\",\"filters\":{\"min_runway_length_ft\":3937}}"
	static const char *const rows[][2] = {
		{ "[Lyon|from] to [Cannes|to] → route\nyou gave me [Fairoaks|to]! I said [at least 1200 m|min_runway=1200m] → correct route", ROUTE("Cannes") },
		{ "[Lyon|from] to [Cannes|to] → route\nI said [at least 1200 m|min_runway=1200m] and you show me [Fairoaks|to] → correct route", ROUTE("Cannes") },
		{ "[Lyon|from] to [Cannes|to] → route\nsorry, I meant [Fairoaks|to], [at least 1200 m|min_runway=1200m] → correct route", ROUTE("Fairoaks") },
		{ "[Lyon|from] to [Cannes|to] → route\nthe destination is [Fairoaks|to], [at least 1200 m|min_runway=1200m] → correct route", ROUTE("Fairoaks") },
		{ "[Lyon|from] to [Cannes|to] → route\nto [Fairoaks|to]! I said [at least 1200 m|min_runway=1200m] → correct route", ROUTE("Fairoaks") },
	};
#undef ROUTE
	const struct talk talk = { .n = 2, .list = { { "LFAT", 1000, 5, 30 }, { "EGTF", 2000, 7, 8 } }, .current = "" };
	CHECK_MARKED(rows, &talk, true);
}

/* The search for both found neither, because one is not in the database. */
TEST(frame_amends, airports_are_compared_one_by_one_if_one_is_not_known)
{
	static const char *const rows[][2] = {
		{ "which is [longer|order=runway], the runway at [Qwertzport|at] or the one at [LFAT|at]? → search",
		    "get_airport_details {\"icao_code\":\"Qwertzport\"} & get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "which is [longer|order=runway], the runway at [LFMD|at] or the one at [LFAT|at]? → search",
		    "search_airports {\"query\":\"LFMD LFAT\",\"priority_strategy\":\"longest_runway\",\"include_large_airports\":true}" },
	};
	CHECK(rows);
}

TEST(frame_amends, one_place_instead_of_another)
{
	static const char *const rows[][2] = {
		{ "near [Oxford|near], [avgas|has_avgas] → near\n[Lyon|near] [instead|wish] of [Oxford|near] → replace near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "[EGTF|from] to [Cannes|to] → route\n[Lyon|near] instead of [Cannes|near] → near",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\"}" },
		{ "[EGTF|from] to [Cannes|to] → route\n[LFAT|from] statt [EGTF|to] → replace route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Cannes\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, the_country_of_the_start_is_no_filter)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] with [customs|point_of_entry], we come from [Germany|country=DE] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "[Zoll|point_of_entry] bei [Lyon|near], wir wollen direkt aus [Deutschland|country=DE] hin → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "les aérodromes de [France|country=FR] près de [Basel|near] → near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"FR\"}}" },
		{ "airports from [Germany|country=DE] → search", "search_airports {\"query\":\"Germany\",\"filters\":{\"country\":\"DE\"}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, who_asks_for_a_distance_gets_no_list)
{
	static const struct { const char *line; bool only; } rows[] = {
		{ "[how far|ask=distance] is [EGTF|from] from [Cannes|to] → route", true },
		{ "[how long|ask=time] from [EGTF|from] to [Cannes|to] at [100 knots|speed=100kt] → route", true },
		{ "donne-moi juste la [distance|ask=distance] [EGTF|from] - [Cannes|to] → route", true },
		{ "[how far|ask=distance] from [EGTF|from] to [Cannes|to] over [Lyon|via] → route", true },
		{ "[how far|ask=distance] from [EGTF|from] to [Cannes|to], with [avgas|has_avgas] → route", false },
		{ "[how far|ask=distance] from [EGTF|from] to [Cannes|to], and which airfields are there → route", false },
		{ "[how far|ask=distance] from [EGTF|from] to [Cannes|to], where may I stop on the way → route", false },
		{ "[EGTF|from] [Cannes|to], [wie lange|ask=time] brauche ich → route", true },
		{ "from [EGTF|from] to [Cannes|to] → route", false },
		{ "[how far|ask=distance] from [EGTF|from] to [Cannes|to] → route\nairports on this route → refine route", false },
		{ "[EGTF|from] to [Cannes|to], [avgas|has_avgas] → route\n[how long|ask=time] at [90 kt|speed=90kt]? → refine route", true },
		{ "[EGTF|from] to [Cannes|to] → route\n[how long|ask=time], with [avgas|has_avgas]? → refine route", false },
	};
	struct fixture f;

	fixture_open(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		const struct plan p = first_plan(&f, a, rows[i].line, true);
		cr_expect_eq(p.only_flight, rows[i].only, "%s", rows[i].line);
		arena_free(a);
	}
	fixture_close(&f);
}

TEST(frame_amends, an_airport_that_stands_for_a_town_is_told)
{
	static const struct { const char *line, *stands_for; } rows[] = {
		{ "tell me about [Guildford|at] → details", "Guildford, United Kingdom" },
		{ "customs notice at [Guildford|at] → notice", "Guildford, United Kingdom" },
		{ "tell me about [Fairoaks|at] → details", NULL },
		{ "tell me about [Lyon|at] → details", NULL },
		{ "tell me about [EGTF|at] → details", NULL },
	};
	struct fixture f;

	fixture_open(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		const struct plan p = first_plan(&f, a, rows[i].line, true);
		cr_expect(streq(p.stands_for, rows[i].stands_for) || (p.stands_for == NULL && rows[i].stands_for == NULL), "%s: %s", rows[i].line,
		    p.stands_for != NULL ? p.stands_for : "none");
		cr_expect_eq(p.stands_nm > 0, rows[i].stands_for != NULL, "%s", rows[i].line);
		arena_free(a);
	}
	fixture_close(&f);
}

TEST(frame_amends, there_is_the_end_of_the_route)
{
	static const char *const rows[][2] = {
		{ "[how far|ask=distance] is it from [EGTF|from] to [Cannes|to], and [how long|ask=runway_length#2] is the runway → route + details",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "from [EGTF|from] to [Cannes|to], and has [it|pick=it#2] a [hotel|ask=hotel#2] → route + details",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
		{ "from [EGTF|from] to [Cannes|to] on [Sunday|day=sunday]. When must customs know? → notice",
		    "get_notification_for_airport {\"icao\":\"LFMD\",\"day_of_week\":\"Sunday\"}" },
		/* an airport of its own, or a pick of the list */
		{ "from [EGTF|from] to [Cannes|to], and the [runway|ask=runway_length#2] at [Lyon|at#2] → route + details",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"} & get_airport_details {\"icao_code\":\"LFLL\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_country_is_taken_out_of_a_comparison)
{
#define THREE "compare [France|country=FR], [Italy|country=IT] and [Germany|country=DE] on [transponders|topic] → compare\n"
	static const char *const rows[][2] = {
		{ THREE "drop [Italy|country=IT] again → replace compare", "FR,DE" },
		{ THREE "no [Italy|country=IT] please → correct compare", "FR,DE" },
		{ THREE "ohne [Italien|country=IT] → refine compare", "FR,DE" },
		{ THREE "ohne Italien und Deutschland, dafür [Spanien|country=ES] → refine compare", "FR,ES" },
		{ THREE "forget Italy, add [Spain|country=ES] → refine compare", "FR,DE,ES" },
		{ THREE "leave out Italy: [France|country=FR] against [Spain|country=ES] → replace compare", "FR,ES" },
		{ THREE "sorry, [Spain|country=ES] and [France|country=FR], not the Italians → correct compare", "FR,ES" },
		/* what is acceptable stays */
		{ THREE "[Spain|country=ES] is fine too → refine compare", "FR,IT,DE,ES" },
		{ THREE "not only [Italy|country=IT] → refine compare", "FR,IT,DE" },
		{ THREE "[Spain|country=ES] and [Poland|country=PL] instead → replace compare", "ES,PL" },
	};
#undef THREE
	struct fixture f;

	fixture_open(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct talk talk = nothing_said;
		struct plans plans;
		const char *got = "";
		plan_marked(&f, a, rows[i][0], true, &talk, &plans);
		const struct frame_slot *country = &talk.dialogue.frame[talk.dialogue.n - 1]->slot[LABEL_COUNTRY];
		for (size_t k = 0; k < country->n; k++)
			got = arena_printf(a, "%s%s%s", got, k > 0 ? "," : "", country->value[k].text);
		cr_expect(streq(got, rows[i][1]), "%s: %s", rows[i][0], got);
		arena_free(a);
	}
	fixture_close(&f);
}

TEST(frame_amends, the_notice_of_the_nearest_customs_airport)
{
	static const char *const rows[][2] = {
		{ "[nearest|order=distance] [grass runway|has_hard_runway=false] to [Lyon|near] and its notice → near + notice",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":150,\"filters\":{\"has_hard_runway\":false},"
		    "\"priority_strategy\":\"nearest\"} & get_notification_for_airport {\"icao\":\"LFLY\"}" },
		{ "[nearest|order=distance] [customs|point_of_entry] airport to [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":150,\"filters\":{\"point_of_entry\":true},"
		    "\"priority_strategy\":\"nearest\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, all_airports_are_the_large_ones_too)
{
	static const char *const rows[][2] = {
		{ "all airports near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_results\":20,\"include_large_airports\":true}" },
		{ "alle Flugplätze bei [Lyon|near], [keine großen|large=false] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_results\":20}" },
		{ "tous les aérodromes près de [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_results\":20,\"include_large_airports\":true}" },
		{ "airports near [Lyon|near] with [all fuels|fuel] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_fuel\":true}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_place_needs_evidence)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] with [avgas|country=AG] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | avgas" },
		{ "near [Lyon|near] with a [hangar|area] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | hangar" },
	};
	CHECK(rows);
}

TEST(frame_amends, places_of_one_message_share_its_wishes)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near] with [customs|point_of_entry] and near [Annecy|near#2] → near + near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}} & "
		    "find_airports_near_location {\"location_query\":\"Annecy\",\"filters\":{\"point_of_entry\":true}}" },
		{ "near [Lyon|near] and in [Corsica|area#2] with [avgas|has_avgas#2] → near + search",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}} & "
		    "find_airports_near_location {\"location_query\":\"Corsica\",\"filters\":{\"has_avgas\":true}}" },
		{ "near [Lyon|near] with [avgas|has_avgas] and near [Annecy|near#2] with [customs|point_of_entry#2] → near + near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}} & "
		    "find_airports_near_location {\"location_query\":\"Annecy\",\"filters\":{\"point_of_entry\":true}}" },
		{ "[avgas|has_avgas] around [LFAT|at] and [EGTF|at] → near",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"has_avgas\":true}} & "
		    "find_airports_near_location {\"location_query\":\"EGTF\",\"filters\":{\"has_avgas\":true}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_route_has_one_start_and_one_end)
{
	static const char *const rows[][2] = {
		{ "[LFAT|from] > [EGTF|to] > [LFMD|from] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"EGTF\"} & "
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}" },
		{ "[LFAT|from] to [LFMD|to] but over [Lyon|from] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"} & "
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"LFMD\"}" },
		{ "[LFAT|from] > [EGTF|to] > [LFAC|from] > [LFMD|to] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"EGTF\"} & "
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"LFAC\"} & "
		    "find_airports_near_route {\"from_location\":\"LFAC\",\"to_location\":\"LFMD\"}" },
		{ "from [LFAT|from] to [LFMD|to] over [Lyon|via] and [Bern|to] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"Lyon\"} & "
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Bern\"} & "
		    "find_airports_near_route {\"from_location\":\"Bern\",\"to_location\":\"LFMD\"}" },
		{ "[Bern|from] from [Lyon|to] → route", "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Bern\"}" },
		{ "nach [Bern|from], Start in [Lyon|to] → route",
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Bern\"}" },
		{ "from [Lyon|from] to [Bern|to] → route", "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Bern\"}" },
		{ "[Lyon|from] [Bern|to] → route", "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Bern\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_number_means_what_its_unit_can_mean)
{
	static const char *const rows[][2] = {
		{ "near [Bern|near], [no longer than 1400 ft|max_notice=1400h] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"max_runway_length_ft\":1400}}" },
		{ "near [Lyon|near] → near\nfee under 8 euros → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_landing_fee\":8}}" },
		{ "near [Bern|near], [under 20 euros|radius=20nm] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"max_landing_fee\":20}}" },
		{ "fields [under 600 m|radius=600m] near [Bern|near] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"max_runway_length_ft\":1969}}" },
		{ "[strips under 800 m|min_runway=800m] near [Bern|near], no hangar → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"max_runway_length_ft\":2625}} | no hangar" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_later_message_lifts_the_limit_to_a_country)
{
#define IN_GERMANY "near [Basel|near] in [Germany|country=DE] → near\n"
	static const char *const rows[][2] = {
		{ IN_GERMANY "[not Germany|wish] → refine near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"exclude\":\"DE\"}}" },
		{ IN_GERMANY "[not only Germany|wish] → refine near", "find_airports_near_location {\"location_query\":\"Basel\"}" },
		{ IN_GERMANY "nicht nur [Deutschland|country=DE] → refine near", "find_airports_near_location {\"location_query\":\"Basel\"}" },
		{ IN_GERMANY "not only [Germany|country=DE], also France → refine near", "find_airports_near_location {\"location_query\":\"Basel\"}" },
		{ IN_GERMANY "also in [France|country=FR] → refine near", "find_airports_near_location {\"location_query\":\"Basel\"}" },
		{ IN_GERMANY "[without France|wish], and with [fuel|fuel] → refine near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"DE\",\"has_fuel\":true,\"exclude\":\"FR\"}}" },
		{ IN_GERMANY "not only with [avgas|has_avgas] → refine near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"DE\",\"has_avgas\":true}}" },
		{ IN_GERMANY "[not Germany|wish] → refine near\n[in Germany|country=DE] after all → refine near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"DE\"}}" },
		{ IN_GERMANY "[avgas|has_avgas] → refine near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"DE\",\"has_avgas\":true}}" },
	};
#undef IN_GERMANY
	CHECK(rows);
}

TEST(frame_amends, a_number_without_a_unit_takes_the_unit_before_it)
{
	static const char *const rows[][2] = {
		{ "[EGTF|from] to [Cannes|to], [how long|ask=time] at [160 km/h|speed=160kmh] → route\nand at [140|speed]? → replace route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\",\"cruise_kt\":76}" },
		{ "[EGTF|from] to [Cannes|to], [at most 200 km off|radius=200km] → route\n108 nm, are you mad. [20 at most|radius] → replace route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Cannes\",\"max_distance_nm\":20}" },
	};
	CHECK(rows);
}

TEST(frame_amends, what_is_taken_away_was_wished_for_before)
{
#define WISHED "near [Lyon|near], [fuel|fuel], [within 50 nm|radius=50nm] → near\n"
	static const char *const rows[][2] = {
		{ WISHED "[forget the fuel|-radius] → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":50}" },
		{ WISHED "forget the [fuel|fuel] → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":50}" },
		{ WISHED "[forget the|-radius] [50 nm|radius=50nm] → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_fuel\":true}}" },
		{ WISHED "[skip the fuel|-fuel], we fill up in [Bern|near] → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":50}" },
		{ "near [Lyon|near], [shorter than 500 m|max_runway=500m] → near\n[length doesn't matter|-min_runway] → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near], [zipline|wish] → near\nno zip thing then → lift near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near], [avgas|has_avgas] → near\n[customs too|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true,\"point_of_entry\":true}}" },
	};
#undef WISHED
	CHECK(rows);
}

TEST(frame_amends, what_is_not_needed_is_no_wish)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], no [fuel|fuel] needed → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near], [customs|point_of_entry] not needed → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "don't care about [customs|point_of_entry], near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "près de [Lyon|near], peu importe la [douane|point_of_entry] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "je m'en fiche de la [douane|point_of_entry], près de [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "it doesn't matter, but [customs|point_of_entry] near [Lyon|near] → near",
			"find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "bei [Bern|near], [Zoll|point_of_entry] nicht nötig → near", "find_airports_near_location {\"location_query\":\"Bern\"}" },
		{ "près de [Lyon|near], pas besoin de [douane|point_of_entry] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "near [Lyon|near], [fuel|fuel] needed → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_fuel\":true}}" },
		{ "I don't need [customs|point_of_entry] or an [ILS|has_procedures], near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "pas besoin de [douane|point_of_entry] ni d'[ILS|has_procedures], près de [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "I don't need [customs|point_of_entry], and [avgas|has_avgas] near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, of_two_values_the_refused_one_was_misunderstood)
{
	static const char *const rows[][2] = {
		{ "notice for [LFAT|at] on [Friday|day=friday] → notice\n[Saturday|day=saturday], not [Friday|day=friday] → correct notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"Saturday\"}" },
		{ "notice for [LFAT|at] on [Friday|day=friday] → notice\nSaturday, not [Friday|day=friday] → correct notice",
		    "get_notification_for_airport {\"icao\":\"LFAT\",\"day_of_week\":\"Saturday\"}" },
		{ "near [Lyon|near] → near\nnot [Lyon|near], [Bern|near] → correct near",
		    "find_airports_near_location {\"location_query\":\"Bern\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_wish_is_said_in_words_that_are_known)
{
	static const char *const rows[][2] = {
		{ "airports near [Paris|near], [Atlantis|large] → near", "find_airports_near_location {\"location_query\":\"Paris\"} | Atlantis" },
	};
	CHECK(rows);
}

TEST(frame_amends, customs_and_notice_are_asked_of_the_same_airport)
{
	static const char *const rows[][2] = {
		{ "has [LFAT|at] [customs|ask=customs], and how long before must I call? → details + notice",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_notification_for_airport {\"icao\":\"LFAT\"}" },
		{ "airports in [France|country=FR] → search\n[LFAT|at], [how high|ask=elevation]? and how long before must customs know? → pick details + switch notice",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_notification_for_airport {\"icao\":\"LFAT\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_bound_that_is_refused_is_turned_round)
{
	static const char *const rows[][2] = {
		{ "bei [Bern|near], Piste [nich über 1000 m|min_runway=1000m] → near",
		    "find_airports_near_location {\"location_query\":\"Bern\",\"filters\":{\"max_runway_length_ft\":3281}}" },
		{ "près de [Lyon|near], [pas plus long que 600 m|min_runway=600m] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_runway_length_ft\":1969}}" },
		{ "near [Lyon|near], excluding anything [longer than 800 m|min_runway=800m] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_runway_length_ft\":2625}}" },
		{ "near [Lyon|near], [at least 500 m|min_runway=500m] and [not more than 900 m|max_runway=900m] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"min_runway_length_ft\":1640,\"max_runway_length_ft\":2953}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_surface_that_is_refused_is_the_other_one)
{
#define HARD "\"filters\":{\"has_hard_runway\":true}}"
#define GRASS "\"filters\":{\"has_hard_runway\":false}}"
	static const char *const rows[][2] = {
		{ "near [Lyon|near], anything but [grass|has_hard_runway=false] → near", "find_airports_near_location {\"location_query\":\"Lyon\"," HARD },
		{ "near [Lyon|near], [not grass|has_hard_runway=false] → near", "find_airports_near_location {\"location_query\":\"Lyon\"," HARD },
		{ "near [Lyon|near], [grass|has_hard_runway] → near", "find_airports_near_location {\"location_query\":\"Lyon\"," GRASS },
		{ "near [Lyon|near], nothing but [grass|has_hard_runway=false] → near", "find_airports_near_location {\"location_query\":\"Lyon\"," GRASS },
		{ "bei [Bern|near], [Gras ausgenommen|has_hard_runway=false] → near", "find_airports_near_location {\"location_query\":\"Bern\"," HARD },
		{ "bei [Bern|near], [kein Asphalt|has_hard_runway] → near", "find_airports_near_location {\"location_query\":\"Bern\"," GRASS },
		{ "près de [Lyon|near], [piste en herbe|has_hard_runway=false] → near", "find_airports_near_location {\"location_query\":\"Lyon\"," GRASS },
		{ "près de [Lyon|near], [en dur|has_hard_runway=false] → near", "find_airports_near_location {\"location_query\":\"Lyon\"," HARD },
	};
#undef HARD
#undef GRASS
	CHECK(rows);
}

TEST(frame_amends, the_longest_grass_runway_is_of_grass)
{
	static const char *const rows[][2] = {
		{ "the [longest grass runway|order=runway] near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":false},\"priority_strategy\":\"longest_runway\",\"include_large_airports\":true}" },
	};
	CHECK(rows);
}

TEST(frame_amends, where_a_meal_is_stands_behind_it)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], [hotel|hotel=vicinity] [ten minutes|reach=10min] on foot → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"hotel\":\"vicinity\"}}" },
		{ "near [Lyon|near] with a [restaurant|restaurant=vicinity] on the field → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"restaurant\":\"at_airport\"}}" },
		{ "near [Lyon|near] with a [restaurant|restaurant=vicinity] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"restaurant\":\"vicinity\"}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_correction_puts_a_place_where_the_misunderstood_one_stood)
{
#define ROUTE "from [LFAT|from] to [LFMD|to] → route\n"
	static const char *const rows[][2] = {
		{ ROUTE "[EGTF|to], not [LFAT|from] → correct route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}" },
		{ ROUTE "LFAT is wrong, it's [EGTF|to] → correct route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}" },
		{ ROUTE "it should read [LFAC|to] → correct route",
		    "find_airports_near_route {\"from_location\":\"LFAC\",\"to_location\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\nI meant EGTF → correct near", "find_airports_near_location {\"location_query\":\"EGTF\"}" },
		/* the message repeats the end that was right, and corrects the other one */
		{ ROUTE "[LFAT|from] to [EGTF|to] → correct route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"EGTF\"}" },
		{ ROUTE "[LFAT|from] - [EGTF|via], not [LFMD|to] → correct route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"EGTF\"}" },
		{ ROUTE "it was LFAT to [EGTF|to], not LFMD → correct route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"EGTF\"}" },
		{ ROUTE "no, [EGTF|from] to [LFMD|to] → correct route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}" },
		{ "near [Lyon|near] → near\nI meant [avgas|has_avgas] → correct near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
	};
#undef ROUTE
	CHECK(rows);
}

TEST(frame_amends, a_fact_is_a_wish_where_many_airports_are_looked_for)
{
	static const char *const rows[][2] = {
		{ "is there a [hotel|ask=hotel] near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"hotel\":\"vicinity\"}}" },
		{ "[fuel|ask=fuel], [avgas|has_avgas] near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_avgas\":true}}" },
		{ "[customs|ask=customs] at [LFAT|at] → details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[fuel|ask=fuel] at [LFAT|at]? → details\n[EGTF|at], [LFMD|at]: [which|ask=which] has it? → switch search",
		    "get_airport_details {\"icao_code\":\"EGTF\"} & get_airport_details {\"icao_code\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_part_of_a_name_is_the_whole_name)
{
	static const char *const rows[][2] = {
		{ "aérodromes dans le [sud|area] de l'[Espagne|country=ES] → search",
		    "find_airports_near_location {\"location_query\":\"sud de l'Espagne\"}" },
		{ "airfields in the [south|area] [west of England|area] → search",
		    "find_airports_near_location {\"location_query\":\"the south west of England\"}" },
		{ "fields in [Spain|country=ES] → search", "search_airports {\"query\":\"Spain\",\"filters\":{\"country\":\"ES\"}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, an_elevation_is_no_length_of_a_runway)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], [not more than 2000 ft|radius=2000ft] elevation → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | not more than 2000 ft" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_wish_without_a_mark_is_found)
{
	static const char *const rows[][2] = {
		{ "fields in [Ireland|country=IE] for a turbine, kerosene that is → search",
		    "search_airports {\"query\":\"Ireland\",\"filters\":{\"country\":\"IE\",\"has_jet_a\":true}}" },
		{ "fields in [Ireland|country=IE] without kerosene → search", "search_airports {\"query\":\"Ireland\",\"filters\":{\"country\":\"IE\"}}" },
		{ "fields in [Ireland|country=IE], kerosene not needed → search", "search_airports {\"query\":\"Ireland\",\"filters\":{\"country\":\"IE\"}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, after_one_airport_of_a_list_the_list_goes_on)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], [restaurant|restaurant=vicinity] → near\ntell me about [LFAT|at] → details\n"
		  "only with [customs|point_of_entry] → refine near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true,\"restaurant\":\"vicinity\"}}" },
		{ "from [EGTF|from] to [Cannes|to], [customs|point_of_entry] → route\ntell me about [LFAT|at] → details\n"
		  "how about going via [Lyon|via]? → replace route",
		    "find_airports_near_route {\"from_location\":\"EGTF\",\"to_location\":\"Lyon\",\"filters\":{\"point_of_entry\":true}} & "
		    "find_airports_near_route {\"from_location\":\"Lyon\",\"to_location\":\"Cannes\",\"filters\":{\"point_of_entry\":true}}" },
		{ "near [Basel|near], [fuel|fuel] → near\ntell me about [LFAT|at] → details\nback to the list, which are in [France|country=FR] → return near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"FR\",\"has_fuel\":true}}" },
		{ "airports in [France|country=FR] → search\ntell me about [LFAT|at] → details\n"
		  "the list of [France|country=FR] again, the next ones → return search",
		    "search_airports {\"query\":\"France\",\"offset\":5,\"filters\":{\"country\":\"FR\"}}" },
		{ "near [Lyon|near] → near\ncustoms at [LFAT|at] and how much notice → pick details + pick notice",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_notification_for_airport {\"icao\":\"LFAT\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, the_nearest_after_one_airport_is_searched_around_it)
{
	static const char *const rows[][2] = {
		{ "tell me about [LFAT|at] → details\n[the nearest|pick=distance] with [customs|ask=customs] → pick details",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"max_distance_nm\":150,\"filters\":{\"point_of_entry\":true},"
		    "\"priority_strategy\":\"nearest\"}" },
		{ "tell me about [LFAT|at] → details\n[the nearest|pick=distance], and [what does it cost|ask=fee] → pick details", "reply" },
		{ "[LFAT|at], what is the [fee|ask=fee]? → details\n[expensive|ask=fee], what is [cheaper|pick=fee] nearby? → pick details",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"priority_strategy\":\"landing_fee\"}" },
		{ "tell me about [LFAT|at] → details\nand the [longest runway|pick=runway] around? → pick details",
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"priority_strategy\":\"longest_runway\"}" },
		{ "tell me about [LFAT|at] → details\nand [the other|pick]? → pick details", "get_airport_details {\"icao_code\":\"LFAT\"} | the other" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_kind_of_place_is_a_wish_and_a_code_alone_is_asked_about)
{
	static const char *const rows[][2] = {
		{ "[islands|area] in [Croatia|country=HR] → search",
		    "search_airports {\"query\":\"Croatia\",\"filters\":{\"country\":\"HR\"}} | islands" },
		{ "notams for LFAT, and [how long|ask=runway_length] are the runways → cannot:notam + details",
		    "reply: I have no NOTAMs" },
		{ "ok merci. Tu peux me parler de LFAT ? → thanks", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "ok merci → thanks", "reply: You are welcome" },
		{ "what about the [fuel|ask=fuel] at LFAT → details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, england_is_a_part_of_its_country_except_for_rules)
{
	static const char *const rows[][2] = {
		{ "[avgas|has_avgas] in [England|country=GB] → search",
		    "find_airports_near_location {\"location_query\":\"England\",\"filters\":{\"has_avgas\":true}}" },
		{ "airports of the [UK|country=GB] → search",
		    "search_airports {\"query\":\"United Kingdom\",\"filters\":{\"country\":\"GB\"}}" },
		{ "airports in [Jersey|country=JE] → search", "search_airports {\"query\":\"Jersey\",\"filters\":{\"country\":\"JE\"}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_place_without_a_way_is_no_route)
{
	static const char *const rows[][2] = {
		{ "[restaurant|restaurant=vicinity] [Lyon|to] → route",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"restaurant\":\"vicinity\"}}" },
		{ "a [restaurant|restaurant=vicinity] on the way to [Lyon|to] → route", "reply: Where do you start?" },
		{ "thanks, and what about [Lyon|at]? → thanks", "get_airport_details {\"icao_code\":\"LFLL\"}" },
		{ "thanks for [Lyon|at] → thanks", "reply: You are welcome" },
	};
	CHECK(rows);
}

TEST(frame_amends, what_airports_cannot_be_ordered_by_is_told)
{
	static const char *const rows[][2] = {
		{ "the busiest airport in [Switzerland|country=CH] → search",
		    "search_airports {\"query\":\"Switzerland\",\"filters\":{\"country\":\"CH\"}} | busiest" },
		{ "the prettiest field near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | prettiest" },
		{ "le plus beau terrain près de [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} | le plus beau" },
		{ "der schönste Flugplatz bei [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | schönste" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_place_that_is_named_twice_is_looked_at_once)
{
	static const char *const rows[][2] = {
		{ "[Atlantis|at], [LFAT|at], [how long|ask=runway_length] is it → details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[LFAT|from] to [Cannes|via], so from [LFAT|via] to [LFMD|to] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_permission_beside_other_facts_is_looked_up_too)
{
	static const char *const rows[][2] = {
		{ "[LFAT|at] [runway length|ask=runway_length] and [PPR|ask=ppr] → details",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_notification_for_airport {\"icao\":\"LFAT\"}" },
		{ "[PPR|ask=ppr] at [LFAT|at] → details", "get_notification_for_airport {\"icao\":\"LFAT\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, further_airports_belong_to_the_question_before_them)
{
	static const char *const rows[][2] = {
		{ "the customs of [LFMD|at], [LFAT|at#2] and [EGTF|at#2]? → notice + details",
		    "get_notification_for_airport {\"icao\":\"LFMD\"} & get_notification_for_airport {\"icao\":\"LFAT\"} & "
		    "get_notification_for_airport {\"icao\":\"EGTF\"}" },
		{ "the customs of [LFMD|at], and all about [LFAT|at#2] → notice + details",
		    "get_notification_for_airport {\"icao\":\"LFMD\"} & get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[flight plan|topic] in [France|country=FR] → answer\nLFAT → replace answer", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "What do [unicorns|at] [eat|ask=restaurant]? → details", "reply: I did not find a question" },
		{ "What can I [eat|ask=restaurant] at [Nowhereville|at]? → details", "get_airport_details {\"icao_code\":\"Nowhereville\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_second_thought_takes_the_first_one_back)
{
	static const char *const rows[][2] = {
		{ "near [Basel|near], no sorry, near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "um [Basel|near], nein, um [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\"}" },
		{ "[LFAT|from] to [Basel|to], no wait, to [LFMD|to] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
		{ "near [Lyon|near], non loin de [Basel|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\"} & find_airports_near_location {\"location_query\":\"Basel\"}" },
		{ "near [Basel|near] and near [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Basel\"} & find_airports_near_location {\"location_query\":\"Lyon\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_stray_word_and_where_a_pilot_comes_from_are_no_places_asked_about)
{
	static const char *const rows[][2] = {
		{ "[Waht|at] [surface|ask=surface] has [LFAT|at]? → details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[surface|ask=surface] at [LFAT|at] and [Nowhereville|at] → details",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"Nowhereville\"}" },
		{ "coming from [LFMD|at], how early must [LFAT|at] know? → notice", "get_notification_for_airport {\"icao\":\"LFAT\"}" },
		{ "[douane|point_of_entry] près de [Lyon|near] en revenant de [Nice|near] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}" },
		{ "near [Basel|near], 30 nm from [Lyon|near] → near",
		    "find_airports_near_location {\"location_query\":\"Basel\"} & find_airports_near_location {\"location_query\":\"Lyon\"} | 30 nm | 30 nm" },
		{ "[LFAT|at] and [Bembrigde|at], [fuel|ask=fuel]? → details",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & get_airport_details {\"icao_code\":\"EGHJ\"}" },
		{ "notice at [LFMD|at] from [LFAT|at] → notice", "get_notification_for_airport {\"icao\":\"LFMD\"}" },
	};
	CHECK(rows);
}

TEST(frame_amends, a_country_to_stay_out_of_is_left_out)
{
	static const char *const rows[][2] = {
		{ "[LFAT|from] to [LFMD|to] without going through [Switzerland|country=CH] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"exclude\":\"CH\"}}" },
		{ "de [LFAT|from] à [LFMD|to], pas d'escale en [Suisse|country=CH] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"exclude\":\"CH\"}}" },
		{ "[LFAT|from] nach [LFMD|to], nicht über die [Schweiz|country=CH] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\",\"filters\":{\"exclude\":\"CH\"}}" },
		{ "near [Basel|near], not far from [Germany|country=DE] → near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"DE\"}}" },
		{ "near [Basel|near] with [no grass|has_hard_runway] in [France|country=FR] → near",
		    "find_airports_near_location {\"location_query\":\"Basel\",\"filters\":{\"country\":\"FR\",\"has_hard_runway\":true}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, wishes_are_what_their_words_say)
{
	static const char *const rows[][2] = {
		{ "near [Lyon|near], landing [free|max_fee=0eur] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"max_landing_fee\":0}}" },
		{ "near [Lyon|near], [not expensive|max_fee=0eur] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"priority_strategy\":\"landing_fee\"}" },
		{ "[petrol|has_avgas] near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_fuel\":true}}" },
		{ "[kerosene|fuel] near [Lyon|near] → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_jet_a\":true}}" },
		{ "près de [Lyon|near], [un lit|wish] → near", "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"hotel\":\"vicinity\"}}" },
		{ "bei [Lyon|near] alles außer [Gras|has_hard_runway=false] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":true}}" },
		{ "près de [Lyon|near], l'[herbe|has_hard_runway=false] est exclue → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":true}}" },
		{ "near [Lyon|near], [no restaurant|wish] → near", "find_airports_near_location {\"location_query\":\"Lyon\"} | no restaurant" },
		{ "near [Lyon|near], [at least 500 m|min_runway=500m] ([max 800 m|max_runway=800m]) → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"min_runway_length_ft\":1640,\"max_runway_length_ft\":2625}}" },
		{ "near [Lyon|near], [1 h max|max_notice=1h] at [100 kt|speed=100kt] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":100,\"filters\":{\"exclude\":\"LFLL\"}}" },
		{ "near [Lyon|near], [customs within 6 hours|max_notice=6h] → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true},\"max_hours_notice\":6}" },
		{ "near [Lyon|near], [at least 750 m|min_runway=750m] ([2,460 ft|max_runway=2460ft]) → near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"filters\":{\"min_runway_length_ft\":2460}}" },
		{ "near [Lyon|near] [within 30 km|radius=30km] → near\n[20|radius=20km] → replace near",
		    "find_airports_near_location {\"location_query\":\"Lyon\",\"max_distance_nm\":10.8}" },
	};
	CHECK(rows);
}

TEST(frame_amends, plans_of_one_message_share_what_one_of_them_says)
{
	static const char *const rows[][2] = {
		{ "[LFAT|from] to [LFMD|to] on [Saturday|day=saturday], and how early must customs know at [LFMD|at#2]? → route + notice",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"} & "
		    "get_notification_for_airport {\"icao\":\"LFMD\",\"day_of_week\":\"Saturday\"}" },
		{ "[how far|ask=distance] is [LFAT|from] from [LFMD|to] → route",
		    "find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
		{ "has [LFAT|at] [avgas|ask=fuel], and [how far|ask=distance#2] is it from [LFMD|from#2]? → details + route",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\"}" },
		{ "[lights|ask=lights] at [LFAT|at]? then to [LFMD|to#2] → details + route",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & find_airports_near_route {\"from_location\":\"LFAT\",\"to_location\":\"LFMD\"}" },
		{ "[LFAT|from] from [LFMD|to] → route", "find_airports_near_route {\"from_location\":\"LFMD\",\"to_location\":\"LFAT\"}" },
		{ "all about [LFAT|at], then airfields near there with [a hotel|hotel=vicinity#2] → details + near",
		    "get_airport_details {\"icao_code\":\"LFAT\"} & "
		    "find_airports_near_location {\"location_query\":\"LFAT\",\"filters\":{\"hotel\":\"vicinity\"}}" },
	};
	CHECK(rows);
}

TEST(frame_amends, the_same_look_up_is_made_once_for_all_that_is_asked)
{
	static const char *const rows[][2] = {
		{ "has [LFAT|at#1#2] [a café|ask=restaurant#1], and do they sell [Avgas|ask=fuel#2]? → details + details",
		    "get_airport_details {\"icao_code\":\"LFAT\"}" },
		{ "[hours|ask=hours] of [LFAT|at], [LFAT|at]? → details", "get_airport_details {\"icao_code\":\"LFAT\"}" },
		/* only the first question names the aircraft */
		{ "[landing fee|ask=landing_fee#1] at [LFAT|at#1#2] for a [Cirrus|aircraft=sr22#1], and [fuel|ask=fuel#2]? → details + details",
		    "get_airport_details {\"icao_code\":\"LFAT\"}" },
	};
	CHECK(rows);
}
