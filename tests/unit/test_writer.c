/*
 * The builtin writer: what each answer must and must not say, hostile data, pieces.
 */
#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/asked_facts.h"
#include "agents/aviation/builtin/writer.h"
#include "base/str.h"
#include "tests/unit/test.h"
#include "tests/unit/sink_mem.h"

#define AIRPORT(ident, name, town, cc, ft, facts) \
	"{\"ident\":\"" ident "\",\"name\":\"" name "\",\"municipality\":" town "," \
	"\"country\":\"" cc "\",\"iso_country\":\"" cc "\",\"longest_runway_length_ft\":" ft "," \
	facts "}"
#define KNOWN "\"point_of_entry\":true,\"has_aip_data\":true,\"has_procedures\":true,\"has_hard_runway\":true"
#define BARE "\"point_of_entry\":false,\"has_aip_data\":false,\"has_procedures\":false,\"has_hard_runway\":false"
#define LFPT AIRPORT("LFPT", "Pontoise Cormeilles", "\"Pontoise\"", "FR", "5541", KNOWN \
	",\"segment_distance_nm\":4.34,\"enroute_distance_nm\":167.95," \
	"\"along_track_distance_nm\":167.89,\"distance_nm\":17.02")
#define LFXX AIRPORT("LFXX", "Field", "null", "FR", "null", BARE ",\"distance_nm\":0.04," \
	"\"segment_distance_nm\":0.0,\"enroute_distance_nm\":1234.5")
#define LFPT_LACKS(names) AIRPORT("LFPT", "Pontoise Cormeilles", "\"Pontoise\"", "FR", "5541", KNOWN \
	",\"segment_distance_nm\":4.34,\"distance_nm\":17.02,\"unrecorded\":[" names "]")
#define LFXX_LACKS(names) AIRPORT("LFXX", "Field", "null", "FR", "null", BARE ",\"distance_nm\":0.04," \
	"\"segment_distance_nm\":0.0,\"unrecorded\":[" names "]")
#define ENDS "\"visualization\":{\"type\":\"route_with_markers\",\"route\":{" \
	"\"from\":{\"icao\":\"EGTF\",\"name\":\"Fairoaks Airport\",\"lat\":51.348099,\"lon\":-0.558889}," \
	"\"to\":{\"icao\":\"LFMD\",\"name\":\"Cannes\",\"lat\":43.547998,\"lon\":6.955176}}}"
#define ONE_END "\"visualization\":{\"type\":\"route_with_markers\",\"route\":{" \
	"\"from\":{\"icao\":\"EGTF\",\"lat\":51.348099,\"lon\":-0.558889}," \
	"\"to\":{\"icao\":\"EGTF\",\"lat\":51.348099,\"lon\":-0.558889}}}"
#define ROUTE "find_airports_near_route"
#define NEAR "find_airports_near_location"
#define SEARCH "search_airports"
#define DETAILS "get_airport_details"
#define ENTRIES "get_border_crossing_airports"
#define COUNTS "get_airport_statistics"
#define NOTICE "get_notification_for_airport"
#define EGKB_FACTS(fuel) "{\"found\":true,\"airport\":" \
	AIRPORT("EGKB", "London Biggin Hill", "\"London\"", "GB", "5912", KNOWN) "," \
	"\"runways\":[{\"le_ident\":\"03\",\"he_ident\":\"21\",\"length_ft\":5912,\"width_ft\":148," \
	"\"surface\":\"ASP\",\"lighted\":true},{\"le_ident\":\"11\",\"he_ident\":\"29\"," \
	"\"length_ft\":9999,\"width_ft\":null,\"surface\":\"GRS\",\"lighted\":false,\"closed\":true}]," \
	"\"procedures\":{\"count\":6},\"aip_data\":[{\"field\":\"Geoid undulation\",\"value\":\"9 m\"}," \
	"{\"field\":\"Customs and immigration\",\"value\":\"4 hours\\nnotice\"}]," \
	"\"fuel\":" fuel "}"

#define ELEVATION(ft, aip) "{\"found\":true,\"airport\":" AIRPORT("EGKB", "London Biggin Hill", "\"London\"", \
	"GB", "5912", KNOWN ",\"elevation_ft\":" ft) ",\"runways\":[{\"le_ident\":\"03\",\"length_ft\":5912}]," \
	"\"aip_data\":[{\"field\":\"Elevation / Reference temperature / Mean Low Temperature\"," \
	"\"value\":" aip "}]}"

#define SION(date, sun) "{\"found\":true,\"airport\":" AIRPORT("LSGS", "Sion Airport", "\"Sion\"", "CH", \
	"6562", KNOWN ",\"elevation_ft\":1582,\"latitude_deg\":46.219166,\"longitude_deg\":7.326944") "," \
	"\"runways\":[{\"le_ident\":\"07\",\"he_ident\":\"25\",\"length_ft\":6562,\"width_ft\":131," \
	"\"surface\":\"ASPH\",\"lighted\":true,\"le_heading_true_deg\":73,\"le_heading_magnetic_deg\":70," \
	"\"he_heading_true_deg\":253,\"he_heading_magnetic_deg\":250,\"le_displaced_threshold_ft\":164}," \
	"{\"le_ident\":\"07G\",\"he_ident\":\"25G\",\"length_ft\":1837,\"surface\":\"GRS\",\"lighted\":false}," \
	"{\"le_ident\":\"01\",\"he_ident\":\"19\",\"lighted\":true,\"closed\":true}]," \
	"\"procedures\":{\"count\":3,\"list\":[{\"approach_type\":\"ILS\"},{\"approach_type\":\"RNP\"}," \
	"{\"approach_type\":\"ILS\"}]},\"aip_data\":[],\"fuel\":{}," \
	"\"codes\":{\"ident\":\"LSGS\",\"icao\":\"LSGS\",\"iata\":\"SIR\",\"local\":null}," \
	"\"frequencies\":[{\"type\":\"TWR\",\"description\":\"TWR\",\"frequency_mhz\":\"118.275\"}," \
	"{\"type\":\"GND\",\"description\":\"GND\",\"frequency_mhz\":\"121.700\"}," \
	"{\"type\":\"GND\",\"description\":\"x\",\"frequency_mhz\":\"121.800\"}]," \
	"\"magnetic_variation\":{\"degrees_east\":-3.25,\"source\":\"VOR-DME SIO\"}," \
	"\"sun\":{\"date\":\"" date "\"," sun "}}"
#define SUN_NOVEMBER "\"sun\":\"rises and sets\",\"civil_twilight\":\"begins and ends\"," \
	"\"civil_twilight_begins\":\"2026-11-23T06:09Z\",\"sunrise\":\"2026-11-23T06:43Z\"," \
	"\"sunset\":\"2026-11-23T15:51Z\",\"civil_twilight_ends\":\"2026-11-23T16:25Z\""
#define SUN_NEVER "\"sun\":\"polar night\",\"civil_twilight\":\"none\",\"civil_twilight_begins\":null," \
	"\"sunrise\":null,\"sunset\":null,\"civil_twilight_ends\":null"
#define SUN_ALWAYS "\"sun\":\"polar day\",\"civil_twilight\":\"all night\",\"civil_twilight_begins\":null," \
	"\"sunrise\":null,\"sunset\":null,\"civil_twilight_ends\":null"
/* the sun sets after midnight */
#define SUN_LATE "\"sun\":\"rises and sets\",\"civil_twilight\":\"all night\",\"civil_twilight_begins\":null," \
	"\"sunrise\":\"2026-06-21T02:55Z\",\"sunset\":\"2026-06-22T00:03Z\",\"civil_twilight_ends\":null"

#define THRESHOLDS(low, high) "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "2000", BARE) "," \
	"\"runways\":[{\"le_ident\":\"07\",\"he_ident\":\"25\",\"length_ft\":2000," \
	"\"le_heading_true_deg\":73,\"he_heading_true_deg\":253," \
	"\"le_displaced_threshold_ft\":" low ",\"he_displaced_threshold_ft\":" high "}]}"

enum { LISTED = 8 };

static const struct {
	const char *tool, *question, *args, *result;
	const char *has[LISTED], *hasnt[LISTED];
} answers[] = {
	/* route: headline with filters and ends, positions, lengths, facts */
	{ ROUTE, "AVGAS between EGTF and LFMD?", "{\"filters\":{\"has_avgas\":true,"
	  "\"point_of_entry\":true,\"min_runway_length_ft\":3000,\"has_procedures\":false}}",
	  "{\"count\":10,\"total_found\":12,\"airports\":[" LFPT "],"
	  "\"filter_profile\":{\"route_distance\":50},\"substitutions\":{\"from\":null,\"to\":null},"
	  "\"filter_report\":{\"candidates\":93,\"dropped\":{\"exclude_large_airports\":2,"
	  "\"has_avgas\":79},\"unknown\":{\"has_avgas\":78}}," ENDS "}",
	  { "**12 airports** with AVGAS, customs and a runway of at least 3,000 ft (914 m) and without "
	    "instrument procedures lie within 50 NM of the 558 NM route from Fairoaks Airport (EGTF) "
	    "to Cannes (LFMD).",
	    "1. **Pontoise Cormeilles** (LFPT), Pontoise, France  \n   4.3 NM from the route, 168 NM "
	    "along it · longest runway 5,541 ft (1,689 m), hard surface · customs (point of entry) · "
	    "instrument procedures\n",
	    "Fuel is not recorded for 78 of the 93 airports", "2 large airports are left out",
	    "Shown: 1 of 12.", "AIP and NOTAM" },
	  { "not recorded for these airports", "taken as" } },
	/* large airports are named instead of counted; the nearest has a note of its own */
	{ NEAR, "customs near Lyon?", "{\"location_query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}",
	  "{\"count\":0,\"total_found\":0,\"airports\":[],\"filter_report\":{\"candidates\":9,\"dropped\":{\"exclude_large_airports\":4},"
	  "\"unknown\":{},\"nearest_large\":{\"ident\":\"LFLL\",\"name\":\"Saint-Exupéry\",\"distance_nm\":10},"
	  "\"large\":[{\"ident\":\"LFLL\",\"name\":\"Saint-Exupéry\"},{\"ident\":\"LSGG\",\"name\":\"Genève\"}]}}",
	  { "The nearest large airport, Saint-Exupéry (LFLL), is 10.0 NM away.", "Not listed because they are large: Genève (LSGG), and others." },
	  { "are left out;" } },
	/* a place that became an airport; the straight distance when there is no other; nothing known */
	{ ROUTE, "Hove to Cannes", "{\"from_location\":\"Hove\",\"to_location\":\"LFMD\"}",
	  "{\"count\":1,\"airports\":[" LFXX "],\"filter_profile\":{\"route_distance\":10},"
	  "\"substitutions\":{\"from\":{\"original\":\"Hove\",\"resolved\":\"EGTF\","
	  "\"geocoded_location\":\"Hove, UK\",\"distance_nm\":12.3},\"to\":null}," ENDS "}",
	  { "**One airport** lies within 10 NM", "1. **Field** (LFXX), France  \n",
	    "0.0 NM from the route, 1,234 NM from the departure", "runway length not recorded",
	    "“Hove” was taken as Fairoaks Airport (EGTF), the nearest airport to Hove, UK (12.3 NM).",
	    "they may have them all the same" },
	  { "customs (point", "hard surface", "null", "Shown:" } },
	/* which surface the longest runway has is not known where both kinds are */
	{ ROUTE, "", "{}", "{\"count\":1,\"airports\":[" AIRPORT("LFGI", "Darois", "\"Dijon\"", "FR",
	  "2560", KNOWN ",\"has_soft_runway\":true") "]," ENDS "}",
	  { "longest runway 2,560 ft (780 m); hard and soft runways" }, { "hard surface" } },
	/* your own ends are marked */
	{ ROUTE, "", "{}", "{\"count\":1,\"airports\":[" AIRPORT("LFMD", "Cannes", "\"Cannes\"", "FR",
	  "5282", KNOWN ",\"segment_distance_nm\":0,\"enroute_distance_nm\":558.28") "]," ENDS "}",
	  { "your destination · 0.0 NM from the route" }, { "your departure" } },
	/* not for every pilot */
	{ ROUTE, "", "{}", "{\"count\":2,\"airports\":[" AIRPORT("ETAR", "Ramstein Air Base", "\"Ramstein\"", "DE",
	  "10498", KNOWN ",\"use\":\"military\",\"segment_distance_nm\":3") "," AIRPORT("LILY", "Como", "\"Como\"", "IT",
	  "5000", KNOWN ",\"use\":\"water\",\"segment_distance_nm\":4") "," AIRPORT("LFXX", "Field", "\"Town\"", "FR",
	  "5000", KNOWN ",\"use\":\"*dark*\",\"segment_distance_nm\":5") "]," ENDS "}",
	  { "**military field: ask whether you may land** · 3.0 NM from the route", "**seaplane base** · 4.0 NM from the route" }, { "dark" } },
	/* a tool that stops counting at a hundred */
	{ ROUTE, "", "{}", "{\"count\":100,\"airports\":[" LFPT "," LFXX "]," ENDS "}",
	  { "At least **100 airports** lie", "Here are 2", "2. **Field**" }, { NULL } },
	/* nothing found: why, and what next */
	{ ROUTE, "", "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\","
	  "\"filters\":{\"has_avgas\":true,\"country\":\"DE\"}}",
	  "{\"count\":0,\"total_found\":0,\"airports\":[],\"filter_profile\":{\"route_distance\":50,"
	  "\"country\":\"DE\"},\"filter_report\":{\"candidates\":1093,\"dropped\":{\"country\":1000,"
	  "\"has_avgas\":93},\"unknown\":{\"has_avgas\":92}}," ENDS "}",
	  { "No airport in Germany with AVGAS was found within 50 NM",
	    "1,093 airports are within 50 NM of the route:", "- 1,000 are in another country\n",
	    "- 1 has no AVGAS\n", "- Fuel is not recorded for 92\n", "try fewer conditions, a wider corridor" },
	  { "NOTAM", "**0" } },
	{ ROUTE, "", "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"filters\":{\"has_fuel\":true}}",
	  "{\"count\":0,\"total_found\":0,\"airports\":[],\"filter_profile\":{\"route_distance\":50},"
	  "\"filter_report\":{\"candidates\":30,\"dropped\":{\"has_fuel\":30},\"unknown\":{\"has_fuel\":28}}," ENDS "}",
	  { "No airport with fuel was found within 50 NM", "- 2 have neither AVGAS nor Jet A\n",
	    "- Fuel is not recorded for 28\n" },
	  { "**0" } },
	/* halfway */
	{ ROUTE, "", "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"halfway\":true,\"filters\":{\"country\":\"DE\"}}",
	  "{\"count\":0,\"total_found\":0,\"airports\":[],\"filter_profile\":{\"route_distance\":50,"
	  "\"country\":\"DE\"},\"filter_report\":{\"candidates\":90,\"dropped\":{\"country\":90},\"unknown\":{}}," ENDS "}",
	  { "was found within 50 NM of the middle third of the 558 NM route from Fairoaks", "90 airports are within 50 NM of the middle third of the route:",
	    "You could try the whole route (“not halfway”)." },
	  { "NOTAM" } },
	/* a distance that is wider than the one that was used, and none beyond the widest */
	{ NEAR, "", "{\"location_query\":\"egtf\",\"max_distance_nm\":150,\"filters\":{\"country\":\"NO\"}}",
	  "{\"found\":true,\"count\":0,\"airports\":[],\"filter_profile\":{\"radius_nm\":150},\"center\":{\"label\":\"Fairoaks Airport (EGTF)\"}}",
	  { "a larger distance (“within 300 NM”)" }, { "within 100 NM" } },
	{ NEAR, "", "{\"location_query\":\"egtf\",\"max_distance_nm\":1000,\"filters\":{\"country\":\"NO\"}}",
	  "{\"found\":true,\"count\":0,\"airports\":[],\"filter_profile\":{\"radius_nm\":1000},\"center\":{\"label\":\"Fairoaks Airport (EGTF)\"}}",
	  { "within 1000 NM of Fairoaks" }, { "You could try" } },
	{ NEAR, "", "{\"location_query\":\"egtf\",\"max_distance_nm\":1000,\"filters\":{\"country\":\"NO\"}}",
	  "{\"found\":true,\"count\":0,\"airports\":[],\"filter_profile\":{\"radius_nm\":1000},\"center\":{\"label\":\"Fairoaks Airport (EGTF)\"},"
	  "\"filter_report\":{\"candidates\":9,\"dropped\":{\"country\":9},\"unknown\":{}}}",
	  { "You could try fewer conditions, or large airports too." }, { "larger distance" } },
	/* nothing is known to fit: what may fit is named, with what is not recorded */
	{ ROUTE, "", "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"filters\":{\"has_avgas\":true}}",
	  "{\"count\":0,\"total_found\":0,\"airports\":[],\"unrecorded\":[" LFPT_LACKS("\"has_avgas\"") ","
	  LFXX_LACKS("\"has_avgas\"") "],\"filter_profile\":{\"route_distance\":50},"
	  "\"filter_report\":{\"candidates\":30,\"dropped\":{\"exclude_large_airports\":2,"
	  "\"has_avgas\":28},\"unknown\":{\"has_avgas\":28}}," ENDS "}",
	  { "No airport with AVGAS is known within 50 NM of the 558 NM route from Fairoaks",
	    "- Fuel is not recorded for 28\n",
	    "\n\n### May fit: call or check before you fly\n\nNot recorded for any of these: fuel. All that is "
	    "recorded fits.\n\n1. **Pontoise Cormeilles** (LFPT), Pontoise, France  \n   4.3 NM",
	    "2. **Field** (LFXX)", "AIP and NOTAM" },
	  { "cannot tell", "You could try", "was found", "· not recorded" } },
	/* some fit, others may: one numbering, as "the third" must mean one of them */
	{ NEAR, "", "{\"location_query\":\"EGTF\",\"filters\":{\"has_jet_a\":true,\"has_avgas\":true,"
	  "\"min_runway_length_ft\":3000,\"restaurant\":\"any\"}}",
	  "{\"found\":true,\"count\":1,\"total_found\":1,\"center\":{\"label\":\"EGTF\"},\"airports\":[" LFPT
	  "],\"unrecorded\":[" LFPT_LACKS("\"has_avgas\",\"has_jet_a\",\"restaurant\",\"made_up\",7") ","
	  LFXX_LACKS("\"min_runway_length_ft\"") "],\"filter_profile\":{\"radius_nm\":50},"
	  "\"filter_report\":{\"candidates\":9,\"dropped\":{\"has_avgas\":8},\"unknown\":{\"has_avgas\":7}}}",
	  { "**One airport** with Jet A fuel, AVGAS, a runway", "1. **Pontoise",
	    "Not recorded for some of these: fuel, restaurants and runway length.", "2. **Pontoise",
	    "instrument procedures · not recorded: fuel and restaurants\n3. **Field**",
	    "runway length not recorded · not recorded: runway length\n",
	    "Fuel is not recorded for 7 of the 9 airports considered; the best of them are listed "
	    "above, and the others may fit too." },
	  { "3,000 ft (914 m) · not", "left out but", "made_up" } },
	/* grass asked for: those left out have what was not wanted */
	{ ROUTE, "", "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\","
	  "\"filters\":{\"has_hard_runway\":false,\"point_of_entry\":false}}",
	  "{\"count\":0,\"total_found\":0,\"airports\":[],\"filter_profile\":{\"route_distance\":50},"
	  "\"filter_report\":{\"candidates\":6,\"dropped\":{\"has_hard_runway\":5,"
	  "\"point_of_entry\":1},\"unknown\":{}}," ENDS "}",
	  { "- 5 have a hard runway\n", "- 1 has customs\n" }, { "no hard runway", "not a point" } },
	/* a lost end, in the pilot's words and without internals */
	{ ROUTE, "", "{\"from_location\":\"EGTF\",\"to_location\":\"Xyzzy\"}",
	  "{\"found\":false,\"error\":\"Could not find or geocode destination location 'Xyzzy'.\","
	  "\"pretty\":\"Could not find airport or location 'Xyzzy'. Ensure GEOAPIFY_API_KEY is set.\","
	  "\"reason\":\"no place of that name is known.\"}",
	  { "I could not find the destination “Xyzzy”: no place of that name is known.\n", "Cambridge, UK" },
	  { "API_KEY", "NOTAM" } },
	/* what is known of food, beds, fees and reviews stands with each airport; a fee in another currency
	 * is named although it could not be compared */
	{ NEAR, "", "{\"location_query\":\"EGTF\",\"filters\":{\"max_landing_fee\":20,\"fee_currency\":\"gbp\","
	  "\"fee_aircraft\":\"sr22\"}}",
	  "{\"found\":true,\"count\":1,\"total_found\":1,\"center\":{\"label\":\"EGTF\"},\"airports\":["
	  AIRPORT("EGTF", "Fairoaks", "\"Woking\"", "GB", "2667", KNOWN ",\"friendliness\":{\"score\":0.5,"
	  "\"rating\":4.25,\"review_count\":16,\"hotel\":\"vicinity\",\"restaurant\":\"at_airport\","
	  "\"landing_fee\":{\"fee\":18.5,\"currency\":\"GBP\",\"mtow_kg\":1633}}")
	  "],\"unrecorded\":["
	  AIRPORT("LFAT", "Le Touquet", "null", "FR", "6070", KNOWN ",\"unrecorded\":[\"max_landing_fee\"],"
	  "\"friendliness\":{\"review_count\":1,\"rating\":3,\"hotel\":\"none\",\"restaurant\":\"unknown\","
	  "\"landing_fee\":{\"fee\":12,\"currency\":null}}") "],\"filter_profile\":{\"radius_nm\":50}}",
	  { "**One airport** with a landing fee of at most 20 GBP for a Cirrus SR22 lies",
	    "· restaurant on the airfield · hotel close by · landing fee 18.5 GBP (Cirrus SR22, 1,633 kg) · rated 4.2 of 5 "
	    "in 16 reviews\n", "Not recorded for any of these: landing fee in that currency.",
	    "· no hotel · landing fee 12 (currency not recorded) · rated 3.0 of 5 in 1 review\n",
	    "May fit: call or check before you fly" },
	  { "unknown" } },
	/* one airport: food, beds, fees and reviews in the first sentence, and as lines */
#define LFAT_FRIENDLY "{\"found\":true,\"airport\":" AIRPORT("LFAT", "Le Touquet", "null", "FR", "6070", KNOWN) "," \
	"\"runways\":[],\"aip_data\":[],\"friendliness\":{\"has_data\":true,\"review_count\":16,\"rating\":4.43," \
	"\"summary_text\":\"Good food in town.\",\"hotel_info\":\"vicinity\",\"restaurant_info\":\"at_airport\"," \
	"\"landing_fees\":{\"currency\":\"EUR\",\"fee_last_updated_utc\":\"2025-06-01T00:00:00Z\"," \
	"\"bands\":[{\"below_kg\":1200,\"fee\":12},{\"below_kg\":null,\"fee\":70.5}]}}}"
	{ DETAILS, "Is there a restaurant at LFAT?", "{\"icao_code\":\"LFAT\"}", LFAT_FRIENDLY,
	  { "Yes: **Le Touquet** (LFAT) has a restaurant on the airfield.\n" }, { "Restaurants: not recorded" } },
	{ DETAILS, "Tell me about LFAT", "{\"icao_code\":\"LFAT\"}", LFAT_FRIENDLY,
	  { "\n- Restaurant: on the airfield\n"
	    "- Hotel: close by\n- Landing fees: 12 EUR below 1,200 kg and 70.5 EUR for heavier aircraft (as of "
	    "2025-06-01)\n- Reviews: 4.4 of 5 in 16 reviews. Good food in town.\n" },
	  { "Restaurants: not recorded" } },
	{ DETAILS, "What is the landing fee at LFAT, and is there a hotel?", "{\"icao_code\":\"LFAT\"}", LFAT_FRIENDLY,
	  { "Landing fees at **Le Touquet** (LFAT): 12 EUR below 1,200 kg and 70.5 EUR for heavier aircraft",
	    "Yes: there is a hotel close to **Le Touquet** (LFAT).\nThe name of the hotel is not recorded.\n" }, { "not recorded here" } },
	/* the fee of the aircraft that is named comes first; a price of fuel is no landing fee */
	{ DETAILS, "What does a Cessna 172 pay as landing fee at LFAT?", "{}", LFAT_FRIENDLY,
	  { "^The landing fee at **Le Touquet** (LFAT) for a Cessna 172 (1,157 kg) is 12 EUR.\nLanding fees at" }, { NULL } },
	{ DETAILS, "landing fee at LFAT for an SR22", "{}", LFAT_FRIENDLY,
	  { "^The landing fee at **Le Touquet** (LFAT) for a Cirrus SR22 (1,633 kg) is 70.5 EUR.\n" }, { NULL } },
	{ DETAILS, "What is the fuel price at LFAT?", "{}", LFAT_FRIENDLY,
	  { "Fuel prices: not recorded here for **Le Touquet** (LFAT)" }, { "Landing fee" } },
	/* the field of that name in another section is an address */
	{ DETAILS, "opening hours of LFAT?", "{}", "{\"found\":true,\"airport\":" LFPT ",\"aip_data\":[{\"field\":"
	  "\"AD Administration\",\"value\":\"REGIE PUBLIQUE\"},{\"field\":\"AD Administration\",\"value\":\"0800-1800\"}]}",
	  { "^Opening hours at **Pontoise Cormeilles** (LFPT), according to the AIP: 0800-1800.\n" }, { "REGIE" } },
	/* hours are no telephone number */
	{ DETAILS, "telephone of LFAT?", "{}", "{\"found\":true,\"airport\":" LFPT ",\"aip_data\":[{\"field\":"
	  "\"AD Administration\",\"value\":\"Mon – Sat 0500 (0400) – 2100 (2000), 01/04-31/10: 08:00 - 16:00 summer\"}]}",
	  { "^Telephone, e-mail and website: not recorded here for **Pontoise Cormeilles** (LFPT).\n" }, { "summer" } },
	{ DETAILS, "telephone of LFAT?", "{}", "{\"found\":true,\"airport\":" LFPT ",\"aip_data\":[{\"field\":"
	  "\"AD Administration\",\"value\":\"0700-1700, 01 30 31 21 21\"}]}",
	  { "01 30 31 21 21" }, { NULL } },
	{ DETAILS, "What do pilots say about LFAT?", "{\"icao_code\":\"LFAT\"}", LFAT_FRIENDLY,
	  { "What pilots say of **Le Touquet** (LFAT): 4.4 of 5 in 16 reviews. Good food in town.\n" }, { NULL } },
	{ DETAILS, "What is the landing fee at EGKB?", "{\"icao_code\":\"EGKB\"}",
	  EGKB_FACTS("{\"avgas\":true,\"jet_a\":true}"),
	  { "Landing fees: not recorded here for **London Biggin Hill** (EGKB); call before you fly.\n" },
	  { "- Landing fees" } },
	/* around a point */
	{ NEAR, "near Paris", "{\"location_query\":\"Paris\",\"filters\":{\"hotel\":\"at_airport\","
	  "\"max_landing_fee\":20,\"max_hours_notice\":24}}",
	  "{\"found\":true,\"count\":2,\"total_found\":2,\"center\":{\"label\":\"Paris, France\"},"
	  "\"airports\":[" LFPT "," LFXX "],\"filter_profile\":{\"radius_nm\":120},"
	  "\"filter_report\":{\"candidates\":4,\"dropped\":{\"hotel\":2,\"max_landing_fee\":2},"
	  "\"unknown\":{\"max_landing_fee\":2}}}",
	  { "**2 airports** with a hotel on the airfield, a landing fee of at most 20 EUR for a Cessna 172 and at most 24 hours "
	    "of notice lie within 120 NM of Paris, France:", "17.0 NM away", "0.0 NM away",
	    "“Paris” was taken as Paris, France.", "The landing fee in that currency is not recorded for 2 of the 4 airports",
	    "I could not check that limit" },
	  { "Shown:" } },
	{ NEAR, "", "{\"location_query\":\"egtf\",\"filters\":{\"has_hard_runway\":false}}",
	  "{\"found\":true,\"count\":0,\"airports\":[],\"filter_profile\":{\"radius_nm\":7.5},"
	  "\"center\":{\"label\":\"Fairoaks Airport (EGTF)\"}}",
	  { "No airport without a hard runway was found within 7.5 NM of Fairoaks Airport (EGTF).",
	    "try a larger distance" }, { "taken as", "Please note" } },
	/* what else it could have been: only where that is likely */
	{ NEAR, "", "{\"location_query\":\"Vik\"}",
	  "{\"found\":true,\"count\":1,\"center\":{\"label\":\"Vik, Norway\"},\"airports\":[" LFPT "],"
	  "\"filter_profile\":{\"radius_nm\":50},\"resolved\":[{\"role\":\"location\",\"unsure\":true,"
	  "\"alternatives\":[{\"place\":\"Vik, Iceland\"},{\"place\":\"Vik, *Sweden*\"}]}]}",
	  { "“Vik” was taken as Vik, Norway. There is also: Vik, Iceland; Vik, " }, { "*Sweden*" } },
	{ NEAR, "", "{\"location_query\":\"Paris\"}",
	  "{\"found\":true,\"count\":1,\"center\":{\"label\":\"Paris, France\"},\"airports\":[" LFPT "],"
	  "\"filter_profile\":{\"radius_nm\":50},\"resolved\":[{\"role\":\"location\",\"unsure\":false,"
	  "\"alternatives\":[{\"place\":\"Paris, Texas\"}]}]}",
	  { "“Paris” was taken as Paris, France.\n" }, { "Texas" } },
	{ ROUTE, "", "{\"from_location\":\"FARO\"}",
	  "{\"count\":1,\"airports\":[" LFPT "],\"filter_profile\":{\"route_distance\":10},"
	  "\"substitutions\":{\"from\":null,\"to\":null},\"resolved\":[{\"role\":\"departure\",\"query\":\"FARO\","
	  "\"unsure\":true,\"alternatives\":[{\"place\":\"Faro, Portugal\"}]}]," ENDS "}",
	  { "“FARO” was taken as Fairoaks Airport (EGTF). There is also: Faro, Portugal. Name the country or region "
	    "if you mean that." }, { "nearest airport" } },
	/* inside an area; around one that has no airfield; an area as an end of a route */
	{ NEAR, "", "{\"location_query\":\"black forest\"}",
	  "{\"found\":true,\"count\":1,\"total_found\":1,\"center\":{\"label\":\"Black Forest, Germany\"},"
	  "\"airports\":[" LFPT "],\"filter_profile\":{\"radius_nm\":45},\"resolved\":[{\"role\":\"location\","
	  "\"area\":{\"name\":\"Black Forest\",\"article\":true},\"alternatives\":[]}],"
	  "\"area\":{\"name\":\"Black Forest\",\"article\":true}}",
	  { "**One airport** lies in the Black Forest:", "Only airports inside the Black Forest are listed." },
	  { "away", "taken as", "45 NM" } },
	{ NEAR, "", "{\"location_query\":\"the Lakes\"}",
	  "{\"found\":true,\"count\":1,\"total_found\":1,\"center\":{\"label\":\"Lake District\"},"
	  "\"airports\":[" LFPT "],\"filter_profile\":{\"radius_nm\":50},\"resolved\":[{\"role\":\"location\","
	  "\"area\":{\"name\":\"Lake District\",\"article\":true},\"alternatives\":[]}]}",
	  { "lies within 50 NM of Lake District:", "These airports lie within 50 NM of the middle of the Lake "
	    "District, not only inside it." }, { "taken as" } },
	{ SEARCH, "", "{\"query\":\"Scotland\"}",
	  "{\"count\":1,\"total_found\":1,\"airports\":[" LFPT "],\"filter_profile\":{\"search_query\":\"Scotland\"},"
	  "\"area\":{\"name\":\"Scotland\",\"article\":false}}",
	  { "**One airport** was found in Scotland:" }, { "Kingdom" } },
	{ ROUTE, "", "{\"to_location\":\"Corsica\"}",
	  "{\"count\":1,\"airports\":[" LFPT "],\"filter_profile\":{\"route_distance\":10},"
	  "\"substitutions\":{\"from\":null,\"to\":{\"original\":\"Corsica\",\"resolved\":\"LFMD\","
	  "\"geocoded_location\":\"Corsica, France\",\"distance_nm\":22}},\"resolved\":[{\"role\":\"destination\","
	  "\"query\":\"Corsica\",\"area\":{\"name\":\"Corsica\",\"article\":false},\"alternatives\":[]}]," ENDS "}",
	  { "“Corsica” was taken as Cannes (LFMD), the main airport for Corsica." }, { "nearest airport" } },
	/* sorted by landing fee, and what could not be sorted */
#define WITH_FEE(ident, fee, currency) AIRPORT(ident, ident, "null", "FR", "1000", KNOWN ",\"friendliness\":{" \
	"\"landing_fee\":{\"fee\":" fee ",\"currency\":\"" currency "\",\"mtow_kg\":1157}}")
	{ NEAR, "cheapest first", "{\"location_query\":\"EGTF\",\"priority_strategy\":\"landing_fee\"}",
	  "{\"count\":3,\"total_found\":3,\"airports\":[" WITH_FEE("LFAA", "8", "EUR") "," WITH_FEE("EGAA", "5", "GBP")
	  "," LFXX "]}",
	  { ", the lowest recorded landing fee first:\n", "for 1 of these 3 airports: they come last",
	    "sorted separately", "landing fee 8 EUR (Cessna 172, 1,157 kg)" }, { "not sorted" } },
	{ NEAR, "cheapest first", "{\"location_query\":\"EGTF\",\"priority_strategy\":\"landing_fee\"}",
	  "{\"count\":1,\"airports\":[" LFXX "]}",
	  { "No landing fee is recorded for any of these airports, so they are not sorted by it." }, { "come last" } },
	/* a region that is not known is said first, not passed over */
	{ NEAR, "airports near Paris, Texas", "{\"location_query\":\"Paris, Texas\"}", "{\"found\":true,\"count\":1,"
	  "\"center\":{\"label\":\"Paris, France\"},\"airports\":[" LFPT "],\"filter_profile\":{\"radius_nm\":50},"
	  "\"resolved\":[{\"role\":\"location\",\"query\":\"Paris, Texas\",\"place\":\"Paris, France\","
	  "\"ignored\":\"Texas\",\"alternatives\":[]}]}",
	  { "^I do not know “Texas”, so “Paris, Texas” was taken as Paris, France.\n\n**One airport**" },
	  { "- “Paris" } },
	{ NEAR, "", "{\"location_query\":\"Nowhere\"}", "{\"found\":false,\"pretty\":\"x\"}",
	  { "I could not find “Nowhere”." }, { "departure" } },
	{ NEAR, "", "{\"location_query\":\"EGTF\"}", "{\"found\":true,\"count\":1,"
	  "\"center\":{\"label\":\"EGTF\"},\"airports\":[" AIRPORT("LFRG", "Deauville", "\"Deauville\"",
	  "FR", "8366", KNOWN ",\"distance_nm\":5,\"notification\":{\"summary\":\"PPR 24 h\"}")
	  "],\"filter_profile\":{\"radius_nm\":50,\"max_hours_notice\":24}}",
	  { "**One airport** with at most 24 hours of notice lies", " · 24 h notice\n" },
	  { "could not be checked", "taken as" } },
	/* text search: a country, a text, several codes of which one is unknown, nothing */
	{ SEARCH, "", "{\"query\":\"Germany\",\"filters\":{\"has_avgas\":true}}",
	  "{\"count\":1,\"total_found\":2,\"airports\":[" LFPT "],"
	  "\"filter_profile\":{\"search_query\":\"Germany\",\"country\":\"DE\"}}",
	  { "**2 airports** in Germany with AVGAS were found. The best placed:" }, { "“Germany”" } },
	{ SEARCH, "", "{\"query\":\"Lyon\"}", "{\"count\":1,\"airports\":[" LFPT "],"
	  "\"filter_profile\":{\"search_query\":\"Lyon\"}}",
	  { "**One airport** was found for “Lyon”:" }, { "Not found" } },
	{ SEARCH, "", "{\"query\":\"LFPT, LFZZ and lfxx\"}",
	  "{\"count\":2,\"airports\":[" LFPT "," LFXX "],"
	  "\"filter_profile\":{\"search_query\":\"LFPT, LFZZ and lfxx\"}}",
	  { "- Not found: LFZZ.", "2. **Field**" }, { "LFXX." } },
	/* what may fit is listed too */
	{ SEARCH, "", "{\"query\":\"EGLL LFPT\",\"filters\":{\"has_avgas\":true}}",
	  "{\"count\":1,\"airports\":[" AIRPORT("EGLL", "London Heathrow", "\"London\"", "GB", "12802", KNOWN) "],\"unrecorded\":["
	  LFPT_LACKS("\"has_avgas\"") "]}", { "(LFPT)" }, { "Not listed" } },
	{ SEARCH, "", "{\"query\":\"Qq\"}", "{\"count\":0,\"airports\":[],"
	  "\"filter_profile\":{\"search_query\":\"Qq\"}}",
	  { "No airport was found for “Qq”.", "another spelling" }, { "NOTAM" } },
	/* The answer once said that customs were not recorded, but the next line gave their notice. */
	{ DETAILS, "customs at LSZG?", "{}", "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "3281", BARE) ","
	  "\"notification\":{\"notification_type\":\"hours\",\"summary\":\"All days: 3h notice\"}}",
	  { "^**Grenchen** (LSZG) is in no list of points of entry. But a rule for customs or immigration is recorded there (see below), so customs may come. ",
	    "- Notice for customs or immigration: All days: 3h notice\n" }, { "not recorded as a point", "Yes:" } },
	{ DETAILS, "fuel at LSZG?", "{}", "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "3281", BARE) ","
	  "\"notification\":{\"notification_type\":\"hours\",\"summary\":\"All days: 3h notice\"}}",
	  { "- Customs: in no list of points of entry, but a rule for customs or immigration is recorded\n" }, { "not recorded as a point" } },
	{ DETAILS, "customs at LSZG?", "{}", "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "3281", BARE) ","
	  "\"notification\":{\"notification_type\":\"not_available\",\"summary\":\"Not available\"}}",
	  { "^**Grenchen** (LSZG) is not recorded as a point of entry" }, { "may come" } },
	{ DETAILS, "customs at LSZG?", "{}", "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "3281", BARE) ","
	  "\"notification\":{\"notification_type\":\"unknown\",\"summary\":\"No notice rule could be read\"}}",
	  { "^**Grenchen** (LSZG) is not recorded as a point of entry" }, { "may come" } },
	/* Without AIP data, "not recorded as a point of entry" once sounded like "no customs". */
	{ DETAILS, "customs at LSZG?", "{}", "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "3281", BARE) "}",
	  { "^It is not recorded here whether **Grenchen** (LSZG) has customs and immigration. Call the airport before you fly.\n" },
	  { "is not recorded as a point of entry" } },
	{ DETAILS, "customs at EGKB?", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "London Biggin Hill", "\"London\"", "GB", "5912",
	  "\"point_of_entry\":false,\"has_aip_data\":true") "}",
	  { "^**London Biggin Hill** (EGKB) is not recorded as a point of entry" }, { "It is not recorded here whether" } },
	{ DETAILS, "fuel at LSZG?", "{}", "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "3281", BARE) "}",
	  { "- Customs: not recorded\n" }, { "points of entry" } },
	/* The answer once gave such thresholds without the warning that they leave no runway. */
	{ DETAILS, "which threshold is displaced?", "{}", THRESHOLDS("1000", "1000"),
	  { "threshold 07 displaced 1,000 ft (305 m), threshold 25 displaced 1,000 ft (305 m), these two values leave no runway" }, { NULL } },
	{ DETAILS, "which threshold is displaced?", "{}", THRESHOLDS("1000", "999"), { "threshold 25 displaced 999 ft" }, { "leave no runway" } },
	{ DETAILS, "which threshold is displaced?", "{}", THRESHOLDS("2000", "0"), { "these two values leave no runway" }, { "threshold 25" } },
	/* a question about a distance with one end only was once ignored */
	{ DETAILS, "how far is it to the town?", "{}", "{\"found\":true,\"airport\":" AIRPORT("LSZG", "Grenchen", "null", "CH", "3281", BARE) "}",
	  { "^To learn how far **Grenchen** (LSZG) is from another place, name that place too: for example “How far is it from LSZG to Lyon?”.\n" }, { "nan" } },
	{ SEARCH, "how far are they apart?", "{\"query\":\"EDMS EDMV\"}", "{\"count\":2,\"airports\":["
	  AIRPORT("EDMS", "Straubing", "null", "DE", "4429", BARE ",\"latitude_deg\":48.900833,\"longitude_deg\":12.516667") ","
	  AIRPORT("EDMV", "Vilshofen", "null", "DE", "3734", BARE ",\"latitude_deg\":48.635556,\"longitude_deg\":13.195556") "]}",
	  { "^Straubing (EDMS) and Vilshofen (EDMV) are 31.2 NM apart.\n" }, { NULL } },
	{ SEARCH, "how far are they apart?", "{\"query\":\"EDMS EDMV\"}", "{\"count\":2,\"airports\":[" LFXX "," LFXX "]}",
	  { "**2 airports**" }, { "apart", "nan" } },
	/* single facts: the first sentence gives what was asked for */
	{ DETAILS, "what is the tower frequency of LSGS?", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^The tower frequency of **Sion Airport** (LSGS) is 118.275 MHz.\n",
	    "- Frequencies (MHz): TWR 118.275, GND 121.700, GND 121.800\n",
	    "ask “Tell me about LSGS”" }, { "- Position", "- Codes", "sunrise", "null" } },
	/* several facts: in the order of the question */
	{ DETAILS, "frequency, elevation, a hotel and customs of LSGS?", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^The radio frequencies of **Sion Airport** (LSGS), in MHz: TWR 118.275, GND 121.700 and GND 121.800.\nThe elevation of "
	    "**Sion Airport** (LSGS) is 1,582 ft (482 m).\nHotels: not recorded", "\nYes: **Sion Airport** (LSGS) is a point of entry" }, { NULL } },
	{ DETAILS, "customs, hotel, elevation and frequency of LSGS?", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^Yes: **Sion Airport** (LSGS) is a point of entry", "\nHotels: not recorded", "(482 m).\nThe radio frequencies of" }, { NULL } },
	{ DETAILS, "tell me about LSGS", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "- Frequencies (MHz): TWR 118.275, GND 121.700, GND 121.800\n",
	    "- Position: 46°13′09″N 07°19′37″E (46.2192, 7.3269)\n", "- Codes: ICAO LSGS, IATA SIR\n",
	    "- Runway 07/25: 6,562 ft (2,000 m), 131 ft (40 m) wide, asphalt, lighted, 073°/253° true, "
	    "threshold 07 displaced 164 ft (50 m)\n", "- Instrument procedures: 3 (ILS, RNP)\n",
	    "- On 23 November 2026 the sun rises at 06:43 and sets at 15:51 UTC; civil twilight begins at "
	    "06:09 and ends at 16:25 UTC\n", "- Magnetic variation: 3.25° west (VOR-DME SIO)\n" },
	  { "null", "nan" } },
	{ DETAILS, "tell me about EGKB", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "London Biggin Hill",
	  "\"London\"", "GB", "5912", KNOWN) ",\"notification\":{\"summary\":\"Sat,\\nSun: 24h <notice>\"}}",
	  { "- Notice for customs or immigration: Sat, Sun: 24h" }, { "<notice>" } },
	{ DETAILS, "ground frequency at Sion", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^The ground frequencies of **Sion Airport** (LSGS) are 121.700 and 121.800 MHz." }, { NULL } },
	{ DETAILS, "ATIS frequency at Sion", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^No ATIS frequency is recorded here for **Sion Airport** (LSGS); recorded, in MHz: TWR "
	    "118.275, GND 121.700 and GND 121.800." }, { NULL } },
	{ DETAILS, "what is the approach frequency of EGKB", "{}", EGKB_FACTS("null"),
	  { "^No radio frequency is recorded here for **London Biggin Hill** (EGKB): look in the AIP" },
	  { "Yes: **London Biggin Hill** (EGKB) has 6 instrument" } },
	{ DETAILS, "can I land at Sion after dark tomorrow?", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^At **Sion Airport** (LSGS) runway 07/25 is recorded with lights; on 23 November 2026 the sun "
	    "sets at 15:51 UTC and civil twilight ends at 16:25 UTC. It is not recorded here whether it is open "
	    "and approved for flights at night. Ask the airport or look in the AIP" },
	  { "01/19 is recorded", "The runway" } },
	{ DETAILS, "is it lit at night", "{}", SION("2026-12-21", SUN_NEVER),
	  { "on 21 December 2026 the sun does not rise (polar night); there is no civil twilight either." },
	  { "null" } },
	{ DETAILS, "can I land there at night", "{}", SION("2026-06-21", SUN_ALWAYS),
	  { "on 21 June 2026 the sun does not set, so it does not get dark." }, { "null" } },
	{ DETAILS, "when is sunset?", "{}", SION("2026-06-21", SUN_LATE),
	  { "^At **Sion Airport** (LSGS) on 21 June 2026 the sun rises at 02:55 and sets at 00:03 (22 June "
	    "2026) UTC; civil twilight lasts all night.\n" }, { NULL } },
	{ DETAILS, "when is sunset?", "{}", EGKB_FACTS("null"),
	  { "^The position of **London Biggin Hill** (EGKB) is not recorded, so sunrise" }, { NULL } },
	{ DETAILS, "which runways have lights?", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^At **Sion Airport** (LSGS) runway 07/25 is recorded with lights.\n" }, { NULL } },
	{ DETAILS, "runway heading?", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^Runway headings at **Sion Airport** (LSGS): 07/25 073°/253° true, 070°/250° magnetic, "
	    "threshold 07 displaced 164 ft (50 m).\n" }, { NULL } },
	{ DETAILS, "runway heading?", "{}", EGKB_FACTS("null"),
	  { "^No runway headings are recorded here for **London Biggin Hill** (EGKB)" }, { NULL } },
	{ DETAILS, "magnetic variation", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^The magnetic variation at **Sion Airport** (LSGS) is 3.25° west (VOR-DME SIO).\n" }, { NULL } },
	{ DETAILS, "magnetic variation", "{}", EGKB_FACTS("null"),
	  { "^The magnetic variation at **London Biggin Hill** (EGKB) is not recorded here: look in the AIP" },
	  { NULL } },
	{ DETAILS, "what are the coordinates?", "{}", SION("2026-11-23", SUN_NOVEMBER),
	  { "^**Sion Airport** (LSGS) lies at 46°13′09″N 07°19′37″E (46.2192, 7.3269).\n" }, { NULL } },
	/* hostile values */
	{ DETAILS, "tower frequency, sunset, heading, variation, coordinates, lights", "{}",
	  "{\"found\":true,\"airport\":{\"latitude_deg\":\"x\"},\"runways\":[{\"le_heading_true_deg\":1e300}],"
	  "\"frequencies\":[7,{\"type\":3,\"frequency_mhz\":[]}],\"sun\":{\"date\":\"2026-99-99\","
	  "\"sunrise\":7,\"sunset\":\"xxxxxxxxxxxxxxxxx\"},\"magnetic_variation\":7,\"codes\":[]}",
	  { "No tower frequency is recorded here" }, { "nan", "inf", "(null)" } },
	/* older tools */
	{ ENTRIES, "border crossing airports in France", "{\"country\":\"FR\"}",
	  "{\"found\":true,\"count\":93,\"airports\":[" LFPT "],\"filter_profile\":{\"country\":\"FR\"}}",
	  { "^**93 airports** in France are recorded as points of entry, with customs and immigration. Here "
	    "are 1:\n\n1. **Pontoise Cormeilles** (LFPT), Pontoise, France · longest runway 5,541 ft (1,689 m)"
	    " · instrument procedures\n", "AIP and NOTAM" }, { "null" } },
	{ ENTRIES, "", "{}", "{\"found\":false,\"count\":0,\"pretty\":\"No point of <entry>.\"}",
	  { "No point of" }, { "<entry>", "**0" } },
	{ COUNTS, "", "{}", "{\"found\":true,\"country\":\"FR\",\"stats\":{\"total_airports\":1430,"
	  "\"with_customs\":78,\"with_customs_pct\":5.5,\"with_fuel_data\":12}}",
	  { "^The database has **1,430 airports** in France:\n\n- 78 points of entry (customs and immigration) "
	    "(5.5 %)\n", "Fuel is recorded for 12 of them" }, { "null", "nan" } },
	/* the flight itself */
	{ ROUTE, "How far is it from EGTF to LFMD?", "{}", "{\"count\":1,\"airports\":[" LFPT "],"
	  "\"flight\":{\"distance_nm\":558.3,\"initial_true_track_deg\":144.1,\"cruise_kt\":170,"
	  "\"time_min\":197}," ENDS "}",
	  { "^It is **558 NM** (1,034 km) from Fairoaks Airport (EGTF) to Cannes (LFMD) along the great "
	    "circle, on an initial true track of 144°.\n\n**One" },
	  { "170 kt" } },
	/* two places with one airport: how far they are from each other */
	{ ROUTE, "flight time, how far from Egham to Woking?", "{\"cruise_kt\":90}", "{\"count\":0,\"airports\":[],\"substitutions\":{"
	  "\"from\":{\"geocoded_location\":\"Egham, United Kingdom\"},\"to\":{\"geocoded_location\":\"Woking, United Kingdom\"}},"
	  "\"flight\":{\"distance_nm\":0,\"cruise_kt\":90,\"time_min\":0,\"places_distance_nm\":6}," ONE_END "}",
	  { "^It is **6.0 NM** (11 km) from Egham, United Kingdom to Woking, United Kingdom along the great circle; about 4 min at 90 kt "
	    "without wind.\n" }, { "(EGTF)" } },
	/* the speed is that of an aircraft which the pilot has chosen, or the time was asked for */
	{ ROUTE, "How far is it from EGTF to LFMD?", "{\"_persona_id\":\"touring\"}", "{\"count\":1,\"airports\":[" LFPT "],"
	  "\"flight\":{\"distance_nm\":558.3,\"cruise_kt\":170,\"time_min\":197}," ENDS "}",
	  { "; about 3 h 17 min at 170 kt without wind.\n\n**One" }, { NULL } },
	{ ROUTE, "What is the flight time from EGTF to LFMD?", "{}", "{\"count\":1,\"airports\":[" LFPT "],"
	  "\"flight\":{\"distance_nm\":558.3,\"cruise_kt\":170,\"time_min\":197}," ENDS "}",
	  { "; about 3 h 17 min at 170 kt without wind.\n\n**One" }, { NULL } },
	/* the pilot's own speed: the time is told although it was not asked for */
	{ ROUTE, "EGTF LFMD TAS 100", "{\"cruise_kt\":100}", "{\"count\":0,\"airports\":[],\"flight\":{"
	  "\"distance_nm\":150,\"cruise_kt\":100,\"time_min\":90}," ENDS "}",
	  { "; about 1 h 30 min at 100 kt without wind.\n" }, { NULL } },
	{ ROUTE, "distance?", "{}", "{\"count\":0,\"airports\":[],\"flight\":{\"distance_nm\":58.04}," ENDS "}",
	  { "^It is **58.0 NM** (107 km) from Fairoaks Airport (EGTF) to Cannes (LFMD) along the great "
	    "circle.\n" }, { "track", "about" } },
	/* details */
	{ DETAILS, "Tell me about EGKB", "{\"icao_code\":\"EGKB\"}",
	  EGKB_FACTS("{\"avgas\":true,\"jet_a\":false}"),
	  { "**London Biggin Hill** (EGKB) is in London, United Kingdom. It has 1 runway; its length is "
	    "5,912 ft (1,802 m).",
	    "- Runway 03/21: 5,912 ft (1,802 m), 148 ft (45 m) wide, asphalt, lighted\n",
	    "- Runway 11/29: 9,999 ft (3,048 m), grass, **closed**\n",
	    "- Fuel: AVGAS yes, Jet A no\n", "- Customs: point of entry", "- Instrument procedures: 6\n",
	    "- Customs and immigration: 4 hours notice\n" },
	  { "Geoid", "Yes:" } },
	{ DETAILS, "Tell me everything about EGKB, fuel and runways too", "{}", EGKB_FACTS("null"),
	  { "- Instrument procedures: 6\n" }, { "For all that" } },
	{ DETAILS, "Does EGKB have avgas?", "{}", EGKB_FACTS("{\"avgas\":true,\"jet_a\":null}"),
	  { "Yes: AVGAS is recorded as available at **London Biggin Hill** (EGKB)." }, { "Jet A yes" } },
	{ DETAILS, "is there Jet-A1 at EGKB", "{}", EGKB_FACTS("{\"avgas\":true,\"jet_a\":false}"),
	  { "No: Jet A is recorded as not available at" }, { NULL } },
	{ DETAILS, "100LL at EGKB?", "{}", EGKB_FACTS("{\"avgas\":null,\"jet_a\":null}"),
	  { "Fuel is not recorded for **London Biggin Hill** (EGKB), so I cannot say whether it has AVGAS" },
	  { "Yes", "No:", "- Fuel" } },
	{ DETAILS, "EGKB", "{}", EGKB_FACTS("{\"avgas\":null,\"jet_a\":null}"), { "- Fuel: not recorded\n" },
	  { "For all that" } },
	{ DETAILS, "What fuel do they have?", "{}", EGKB_FACTS("{\"avgas\":true,\"jet_a\":null}"),
	  { "AVGAS yes, Jet A not recorded" }, { NULL } },
	/* one fact: a few lines after it instead of the whole sheet, with the AIP's text on that fact */
	{ DETAILS, "Does EGKB have customs?", "{}", EGKB_FACTS("{\"avgas\":true,\"jet_a\":false}"),
	  { "^Yes: **London Biggin Hill** (EGKB) is a point of entry, with customs and immigration.\nIt is in London, "
	    "United Kingdom.\n\n- Customs and immigration: 4 hours notice\n- Runway 03/21: 5,912 ft (1,802 m), 148 ft "
	    "(45 m) wide, asphalt, lighted\n- Fuel: AVGAS yes, Jet A no\n\nFor all that is recorded of this airport, "
	    "ask “Tell me about EGKB”.\n" }, { "Instrument", "- Customs: ", "Runway 11/29", "From the AIP" } },
	/* a text of the sample is not passed off as one of the AIP */
	{ DETAILS, "tell me about EGKB", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "Biggin Hill",
	  "null", "GB", "5912", KNOWN) ",\"aip_data\":[{\"field\":\"Customs and immigration\",\"value\":\"PPR 4 HR "
	  "(sample of 2026-11-22)\"},{\"field\":\"Hotels\",\"value\":\"Yes\"}],\"notification\":{\"summary\":"
	  "\"weekdays: PPR 4h; SAT-SUN/HOL: PPR 24h\"}}",
	  { "**From the AIP**\n- Hotels: Yes\n\n**From a hand-made sample, not from the AIP**\n- Customs and immigration: "
	    "PPR 4 HR (sample of 2026-11-22)\n", "Some facts on fuel, customs, restaurants and fees are a hand-made sample",
	    "- Notice for customs or immigration: weekdays: 4 h notice; SAT-SUN/HOL: 24 h notice\n" }, { NULL } },
	{ NOTICE, "EGKB PPR?", "{}", "{\"found\":true,\"icao\":\"EGKB\",\"rule_type\":\"customs\",\"notification_type\":"
	  "\"hours\",\"hours_notice\":24,\"summary\":\"PPR 24h; no notice (08:00-18:00)\",\"source\":\"aip_text\","
	  "\"aip_text\":\"0800-1800. PN 24 HR (sample of 2026-11-22)\",\"other_rules\":[{\"rule_type\":\"immigration\","
	  "\"summary\":\"PPR 2h, EPPR 3h, PPR 4hot\"}]}",
	  { "- Recorded: 24 h notice; no notice (08:00-18:00)\n", "- Text of the sample: 0800-1800. PN 24 HR",
	    "- Also for immigration: 2 h notice, EPPR 3h, PPR 4hot\n", "are a hand-made sample" },
	  { "Text of the AIP", "This program read the notice" } },
	/* a dummy is no telephone number */
	{ NOTICE, "notice at LFRG?", "{}", "{\"found\":true,\"icao\":\"LFRG\",\"rule_type\":\"customs\",\"notification_type\":\"hours\","
	  "\"hours_notice\":24,\"summary\":\"All days: 24h notice\",\"phone\":\"00 00 00 00 02\",\"email\":\"x@example.org\"}",
	  { "x@example.org" }, { "00 00" } },
	{ NOTICE, "notice at LFRG?", "{}", "{\"found\":true,\"icao\":\"LFRG\",\"rule_type\":\"customs\",\"notification_type\":\"hours\","
	  "\"hours_notice\":24,\"summary\":\"All days: 24h notice\",\"phone\":\"02 31 65 65 65\"}", { "02 31 65 65 65" }, { NULL } },
	{ NOTICE, "notice at LFRG?", "{}", "{\"found\":true,\"icao\":\"LFRG\",\"rule_type\":\"customs\",\"notification_type\":\"hours\","
	  "\"hours_notice\":24,\"summary\":\"All days: 24h notice\",\"phone\":\"0800 888 888\"}", { "0800 888 888" }, { NULL } },
	{ NOTICE, "notice at LFRG?", "{}", "{\"found\":true,\"icao\":\"LFRG\",\"rule_type\":\"customs\",\"notification_type\":\"hours\","
	  "\"hours_notice\":24,\"summary\":\"All days: 24h notice\",\"phone\":\"(AIP)\"}", { "(AIP)" }, { NULL } },
	{ DETAILS, "customs at EGKB?", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "Biggin Hill", "null", "GB", "5912", KNOWN) ","
	  "\"notification\":{\"summary\":\"All days: 24h notice\\n\xF0\x9F\x93\x9E 00 00 00 00 02\\n\xF0\x9F\x93\xA7 x@example.org\"}}",
	  { "- Notice for customs or immigration: All days: 24h notice", "x@example.org" }, { "00 00" } },
	{ DETAILS, "customs at EGKB?", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "Biggin Hill", "null", "GB", "5912", KNOWN) ","
	  "\"notification\":{\"summary\":\"All days: 24h notice\\n\xF0\x9F\x93\x9E 02 31 65 65 65\"}}", { "02 31 65 65 65" }, { NULL } },
#define AT_TIME(more) "{\"found\":true,\"icao\":\"LFAT\",\"rule_type\":\"customs\",\"notification_type\":\"hours\"," \
	"\"hours_notice\":24,\"day_of_week\":\"Sunday\",\"days\":[\"Sunday\"],\"time\":\"14:00\"" more "}"
	{ NOTICE, "customs at LFAT at 1400 on Sunday?", "{}", AT_TIME(",\"time_hours_notice\":0"),
	  { "^On Sunday at 14:00, **LFAT** needs no notice for customs.\n", "whether it means UTC or local" }, { "24", "What is recorded does not" } },
	{ NOTICE, "do I need to call LFAT for 1400?", "{}", AT_TIME(",\"time_hours_notice\":24"),
	  { "^Yes: on Sunday at 14:00, **LFAT** wants 24 hours of notice for customs.\n" }, { NULL } },
	{ NOTICE, "do I need PPR at LFAT for 1400?", "{}", AT_TIME(",\"time_hours_notice\":24"),
	  { "^It is not recorded here whether **LFAT** itself wants prior permission (PPR)", "\n\nOn Sunday at 14:00, **LFAT** wants 24 hours of notice for customs.\n" },
	  { "Yes" } },
	{ NOTICE, "customs at LFAT at 1400 on Sunday?", "{}", AT_TIME(",\"time_rule\":\"PPR 2h <x>\""),
	  { "^On Sunday at 14:00, the record on customs at **LFAT** says: 2 h notice" }, { "<x>" } },
	/* a notice that is the same at all times holds at that time too */
	{ NOTICE, "customs at LFAT at 1400 on Sunday?", "{}", AT_TIME(""),
	  { "^On Sunday, **LFAT** wants 24 hours of notice for customs.\n" }, { "14:00" } },
	{ NOTICE, "customs at LFAT at 1400 on Sunday?", "{}", AT_TIME(",\"operating_hours\":\"0700-1300\""),
	  { "^On Sunday, **LFAT** wants 24 hours of notice for customs.\n14:00 is outside the recorded hours of customs (0700-1300): call before you fly.\n" },
	  { NULL } },
	{ NOTICE, "customs at LFAT at 1400 on Sunday?", "{}", AT_TIME(",\"operating_hours\":\"0700-1800\""),
	  { "^On Sunday, **LFAT** wants 24 hours of notice for customs.\n" }, { "outside" } },
	/* no notice by day and 24 hours by night: neither of them alone is the answer */
	{ NOTICE, "Do I need notice at LFAT?", "{}", "{\"found\":true,\"icao\":\"LFAT\",\"rule_type\":\"customs\","
	  "\"notification_type\":\"hours\",\"hours_notice\":24,\"times\":[{\"from\":\"08:00\",\"to\":\"18:00\","
	  "\"hours_notice\":0,\"rule\":\"no notice\"},{\"from\":null,\"to\":null,\"hours_notice\":24,\"rule\":"
	  "\"24h notice\"}]}",
	  { "^For customs at **LFAT**, it depends on the time of day: no notice from 08:00 to 18:00 and 24 hours of notice "
	    "at other times.\n" }, { "wants", "Yes" } },
	/* a holiday of which the record says nothing gets no yes or no, nor does a notice that is not recorded */
	{ NOTICE, "do I need to call LFAT on Christmas Day?", "{}", "{\"found\":true,\"icao\":\"LFAT\",\"rule_type\":"
	  "\"customs\",\"notification_type\":\"hours\",\"hours_notice\":2,\"day_of_week\":\"holiday\",\"days\":"
	  "[\"public holidays\"],\"time\":\"14:00\",\"time_hours_notice\":0}",
	  { "^The record for **LFAT** does not say what holds on public holidays: call before you fly. Without naming "
	    "holidays, it says: **LFAT** wants 2 hours of notice for customs.\n" }, { "Yes:", "needs no notice" } },
	{ NOTICE, "Do I need to tell customs?", "{}", "{\"found\":true,\"icao\":\"LFAT\",\"rule_type\":\"customs\","
	  "\"notification_type\":\"as_ad_hours\",\"hours_notice\":null}",
	  { "^Customs at **LFAT** is available while the aerodrome is open; no notice is recorded.\n" }, { "No:" } },
	{ DETAILS, "Is there Mogas and a restaurant at EGKB?", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB",
	  "Biggin Hill", "null", "GB", "5912", KNOWN) ",\"aip_data\":[{\"field\":\"Fuel types\",\"value\":\"AVGAS, "
	  "MOGAS\"},{\"field\":\"Restaurants\",\"value\":\"At AD (sample of 2026-11-22)\"}]}",
	  { "(EGKB), according to the AIP: AVGAS, MOGAS.\n", "(EGKB), according to a hand-made sample, not the AIP: At AD" },
	  { "Restaurants at **Biggin Hill** (EGKB), according to the AIP" } },
	{ DETAILS, "How long is the runway at EGKB?", "{}", EGKB_FACTS("null"),
	  { "The longest runway at **London Biggin Hill** (EGKB) is 03/21: 5,912 ft (1,802 m), asphalt." },
	  { "9,999 ft (3,048 m), grass.\n" } },
	{ DETAILS, "Customs and IFR approaches at EGKB?", "{}", EGKB_FACTS("{}"),
	  { "Yes: **London Biggin Hill** (EGKB) is a point of entry",
	    "Yes: **London Biggin Hill** (EGKB) has 6 instrument procedures." }, { NULL } },
	/* an ILS was asked for, and there are others: no "Yes" */
	{ DETAILS, "ILS approaches at EGKB?", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "Biggin Hill", "null",
	  "GB", "5912", KNOWN) ",\"procedures\":{\"count\":2,\"list\":[{\"name\":\"RNP 21\",\"approach_type\":\"RNP\"},"
	  "{\"name\":\"LOC 21\",\"approach_type\":\"LOC\"}]}}",
	  { "^No ILS approach is recorded for **Biggin Hill** (EGKB). Recorded are 2 instrument procedures (RNP, LOC).\n" },
	  { "Yes" } },
	{ DETAILS, "ILS approaches at EGKB?", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "Biggin Hill", "null",
	  "GB", "5912", KNOWN) ",\"procedures\":{\"count\":2,\"list\":[{\"name\":\"RNP 21\",\"approach_type\":\"RNP\"},"
	  "{\"name\":\"21\"}]}}",
	  { "^No ILS approach is recorded for **Biggin Hill** (EGKB), but some procedures have no type here, so look at the "
	    "charts. Recorded are 2 instrument procedures (RNP).\n" }, { "Yes" } },
	{ DETAILS, "has EGKB a GPS approach?", "{}", "{\"found\":true,\"airport\":" AIRPORT("EGKB", "Biggin Hill", "null",
	  "GB", "5912", KNOWN) ",\"procedures\":{\"count\":1,\"list\":[{\"name\":\"RNAV 21\",\"approach_type\":\"RNAV\"}]}}",
	  { "^Yes: **Biggin Hill** (EGKB) has 1 instrument procedure (RNAV).\n" }, { NULL } },
	/* "details" holds "ils", "drifting" holds "rift": words, not letters */
	{ DETAILS, "details of EGKB, drifting", "{}", EGKB_FACTS("{}"), { "It has 1 runway" },
	  { "Yes:" } },
	{ DETAILS, "ifr to LFXX with customs?", "{}", "{\"found\":true,\"airport\":" LFXX
	  ",\"runways\":[],\"procedures\":{\"count\":0},\"aip_data\":[],\"fuel\":{}}",
	  { "No instrument procedures are recorded for **Field** (LFXX).",
	    "It is not recorded here whether **Field** (LFXX) has customs and immigration.", "There is no AIP data" }, { "Yes", "point of entry" } },
	/* elevation: asked for, among the facts, below the sea, from the AIP alone, and not known */
	{ DETAILS, "What is the elevation of EGKB?", "{}", ELEVATION("598", "\"x\""),
	  { "The elevation of **London Biggin Hill** (EGKB) is 598 ft (182 m).\n" },
	  { "- Elevation", "AIP has it", "not recorded here" } },
	{ DETAILS, "EGKB", "{}", ELEVATION("598", "\"x\""), { "- Elevation: 598 ft (182 m)\n- Runway" },
	  { "The elevation of" } },
	{ DETAILS, "how high is EGKB", "{}", ELEVATION("598.4", "\"x\""),
	  { "The elevation of **London Biggin Hill** (EGKB) is 598 ft (182 m).\n" }, { NULL } },
	{ DETAILS, "tell me about EGKB", "{}", ELEVATION("-11", "\"x\""), { "- Elevation: -11 ft (-3 m)\n" },
	  { "The elevation" } },
	{ DETAILS, "elevation", "{}", ELEVATION("null", "\"600 ft / 21 C\""),
	  { "The elevation of **London Biggin Hill** (EGKB), according to the AIP: 600 ft / 21 C.\n" }, { NULL } },
	{ DETAILS, "EGKB", "{}", ELEVATION("null", "\"600 ft / 21 C\""), { "- Elevation: not recorded\n" }, { NULL } },
	{ DETAILS, "elevation", "{}", ELEVATION("null", "null"),
	  { "The elevation is not recorded for **London Biggin Hill** (EGKB).\n" }, { "AIP has it" } },
	{ DETAILS, "", "{\"icao_code\":\"ZZZZ\"}",
	  "{\"found\":false,\"pretty\":\"Airport ZZZZ not found.\"}",
	  { "Airport ZZZZ not found.", "Check the code" }, { "NOTAM", "similar" } },
	{ DETAILS, "", "{\"icao_code\":\"LFLX\"}", "{\"found\":false,\"pretty\":\"Airport LFLX not found.\","
	  "\"similar\":[{\"ident\":\"LFLL\",\"name\":\"Lyon *\"},{\"ident\":\"LFLP\",\"name\":\"Annecy\"},7]}",
	  { "Airport LFLX not found.", "These codes are similar: LFLL (Lyon ∗) and LFLP (Annecy).\n" }, { "*" } },
	/* hostile data and results that are not what they should be */
	{ SEARCH, "", "{\"query\":\"x\"}", "{\"count\":1,\"airports\":[" AIRPORT("EG*F",
	  "# Evil\\n# <script>*b* `c` [d](e)", "\"<img>\"", "Q_", "1000", BARE) "],"
	  "\"filter_profile\":{\"search_query\":\"**x**\\n# y\"}}",
	  { "1. **# Evil # ‹script>∗b∗ 'c' (d)(e)** (EG∗F), ‹img>",
	    "“∗∗x∗∗ # y”" }, { "\n#", " <", "`", "\\", "](" } },
	{ DETAILS, "fuel?", "{}", "{\"found\":true,\"airport\":{\"ident\":\"# a\",\"name\":\"# b\","
	  "\"municipality\":\"# c\"}}", { "**# b** (# a).\nIt is in # c" }, { "\n#" } },
	{ SEARCH, "", "[]", "{\"count\":\"many\",\"airports\":{\"a\":1},\"filter_report\":7}",
	  { "No airport was found" }, { NULL } },
	{ ROUTE, "", "null", "{\"airports\":[null,7,{}],\"visualization\":[],\"substitutions\":\"x\"}",
	  { "3 airports", "runway length not recorded" }, { "nan", "inf" } },
	{ DETAILS, "how long is the runway, fuel?", "{}", "{\"found\":true,\"airport\":{},\"runways\":7}",
	  { "No runway length is recorded for **This airport**" }, { "nan" } },
};

/* ---- a run to write into ------------------------------------------------------- */

struct desk {
	struct arena *mem;
	struct sink_mem sink;
	struct message message;
	struct run run;
	struct plan plan;
	struct writing writing;
	const char *answer;
	struct err e;
};

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e = { .code = OK };

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

static void desk_init(struct desk *d, const char *tool, const char *question, const char *args,
    const char *result)
{
	*d = (struct desk){ .mem = arena_new() };
	sink_mem_init(&d->sink, d->mem);
	d->message = (struct message)MESSAGE("user", question);
	d->run = (struct run){ .mem = d->mem, .log.first.sink = &d->sink.sink, .messages = &d->message,
		.nmessages = 1 };
	if (tool) {
		d->plan.tool = toolset_find(tools_builtin, tool);
		cr_assert_not_null(d->plan.tool, "no tool %s", tool);
		d->plan.arguments = parse(d->mem, args);
		d->writing.found[0].result = parse(d->mem, result);
	}
	d->writing.found[0].plan = &d->plan;
	d->writing.n = 1;
}

static enum errcode desk_write(struct desk *d)
{
	enum errcode rc = writer_builtin.write(&d->run, &d->writing, &d->e);
	d->answer = run_said(&d->run);
	return rc;
}

static const char *lines_of_route(struct arena *a, size_t n)
{
	const char *list = LFPT;

	for (size_t i = 1; i < n; i++)
		list = arena_printf(a, "%s,%s", list, LFPT);
	return arena_printf(a, "{\"count\":%zu,\"airports\":[%s]," ENDS "}", n, list);
}

/* Does the answer hold a text? "^…": does it begin with it? */
static bool holds(const char *answer, const char *text)
{
	return text[0] == '^' ? starts_with(answer, text + 1) : strstr(answer, text) != NULL;
}

TEST(writer, says_what_the_result_says)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct desk d;

		desk_init(&d, answers[i].tool, answers[i].question, answers[i].args, answers[i].result);
		TEST_OK(desk_write(&d), d.e);
		for (size_t j = 0; j < LISTED && answers[i].has[j]; j++)
			cr_expect(holds(d.answer, answers[i].has[j]), "row %zu lacks: %s\n%s", i,
			    answers[i].has[j], d.answer);
		for (size_t j = 0; j < LISTED && answers[i].hasnt[j]; j++)
			cr_expect(!strstr(d.answer, answers[i].hasnt[j]), "row %zu has: %s\n%s", i,
			    answers[i].hasnt[j], d.answer);
		cr_expect_str_eq(d.answer, sink_mem_text(&d.sink), "row %zu: pieces differ", i);
		arena_free(d.mem);
	}
}

/* ---- other languages ------------------------------------------------------------------------ */

static void desk_speaks(struct desk *d, const char *language)
{
	struct aviation_state *st = arena_alloc(d->mem, sizeof(*st));

	st->language = language;
	d->run.state = st;
}

/* The text without a piece of data that stays in English. */
static const char *without(struct arena *a, const char *text, const char *piece)
{
	const char *out = "";

	for (const char *at; (at = strstr(text, piece)) != NULL; text = at + strlen(piece))
		out = arena_printf(a, "%s%.*s", out, (int)(at - text), text);
	return arena_printf(a, "%s%s", out, text);
}

/* Words that an English sentence can hardly do without, and that are no words of the other languages. */
static const char english[] = "the|and|is|are|of|with|for|not|from|this|these|that|there|recorded|airport|airports|"
    "runway|which|you|your|it|its|has|have|no|within|near|away|about|close|ask|check|only|fuel|customs|found";

/* The first of them in a text; NULL: none is there. */
static const char *english_word(struct arena *a, const char *text)
{
	const char *folded = str_fold(a, text);

	while (*(folded += strspn(folded, " \n\t.,:;!?()*-#“”„«»·/")) != '\0') {
		const size_t n = strcspn(folded, " \n\t.,:;!?()*-#“”„«»·/");
		const char *word = arena_strndup(a, folded, n);
		if (one_of(word, english))
			return word;
		folded += n;
	}
	return NULL;
}

/* Every answer of the table above, of which only names, texts of the AIP and the pilot's words stay. */
TEST(writer, leaves_no_english_word_in_another_language)
{
	static const char *const languages[] = { "fr", "de" };
	static const char *const data[] = { "Airport", "from=", "hours\nnotice", "Sample", "Good food in town", "Fuel types", "sample of", "and lfxx",
		"(AIP)" };

	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		for (size_t k = 0; k < sizeof(languages) / sizeof(languages[0]); k++) {
			struct desk d;

			desk_init(&d, answers[i].tool, answers[i].question, answers[i].args, answers[i].result);
			desk_speaks(&d, languages[k]);
			TEST_OK(desk_write(&d), d.e);
			const char *text = d.answer;
			for (size_t j = 0; j < sizeof(data) / sizeof(data[0]); j++)
				text = without(d.mem, text, data[j]);
			cr_expect_null(english_word(d.mem, text), "row %zu in %s has \"%s\":\n%s", i, languages[k],
			    english_word(d.mem, text), d.answer);
			cr_expect_null(strpbrk(d.answer, "{}"), "row %zu in %s: %s", i, languages[k], d.answer);
			arena_free(d.mem);
		}
}

/* Between two pieces there is always a blank behind and a character that is none before. */
TEST(writer, cuts_between_words_only)
{
	struct desk d;
	size_t pieces;

	desk_init(&d, ROUTE, "?", "{\"from_location\":\"Zürich\"}", "{\"airports\":[]}");
	d.writing.found[0].result = parse(d.mem, lines_of_route(d.mem, 20));
	TEST_OK(desk_write(&d), d.e);
	pieces = d.sink.n;
	cr_expect_gt(pieces, 40);
	for (size_t i = 0; i < pieces; i++) {
		const char *p = d.sink.events[i].text;
		size_t n = strlen(p);

		cr_expect(utf8_valid(p, n), "piece %zu", i);
		cr_expect(p[0] != ' ' && p[0] != '\n', "piece %zu: \"%s\"", i, p);
		cr_expect(i + 1 == pieces || p[n - 1] == ' ' || p[n - 1] == '\n', "piece %zu: \"%s\"", i, p);
	}
	cr_expect_str_eq(d.answer, sink_mem_text(&d.sink));
	arena_free(d.mem);
}

TEST(writer, writes_the_reply_of_a_plan_without_a_tool)
{
	struct desk d;

	desk_init(&d, NULL, "What is love?", NULL, NULL);
	d.plan.reply = "I can help with **airports** only.";
	TEST_OK(desk_write(&d), d.e);
	cr_expect_str_eq(d.answer, "I can help with **airports** only.");
	arena_free(d.mem);
}

TEST(writer, refuses_a_tool_without_a_result)
{
	struct desk d;

	desk_init(&d, ROUTE, "?", "{}", "{}");
	d.writing.found[0].result = NULL;
	cr_expect_eq(desk_write(&d), ERR_FORMATTER);
	cr_expect_eq(d.sink.n, 0);
	arena_free(d.mem);
}

TEST(writer, stops_when_the_reader_leaves)
{
	struct desk d;

	desk_init(&d, ROUTE, "?", "{}", "{}");
	d.writing.found[0].result = parse(d.mem, lines_of_route(d.mem, 5));
	d.sink.hup_after = 4;
	cr_expect_eq(desk_write(&d), ERR_HUP);
	cr_expect_eq(d.sink.n, 3);
	arena_free(d.mem);
}

/* The pace waits between pieces, so a deadline that has passed ends it after the first one, and the
 * answer is what was sent. */
TEST(writer, paces_and_ends_at_the_deadline)
{
	struct desk d;

	desk_init(&d, ROUTE, "?", "{}", "{}");
	d.writing.found[0].result = parse(d.mem, lines_of_route(d.mem, 2));
	writer_builtin_pace = (struct writer_pace){ .piece_ms = 1 };
	TEST_OK(desk_write(&d), d.e);
	cr_expect_str_eq(d.answer, sink_mem_text(&d.sink));
	arena_free(d.mem);

	desk_init(&d, ROUTE, "?", "{}", "{}");
	d.writing.found[0].result = parse(d.mem, lines_of_route(d.mem, 2));
	d.run.limits.deadline_ms = 1;
	d.run.started_ms = clock_mono_ms() - 1000;
	cr_expect_eq(desk_write(&d), ERR_TIMEOUT);
	cr_expect_eq(d.sink.n, 1);
	arena_free(d.mem);

	writer_builtin_pace = (struct writer_pace){ .first_ms = 1 };
	desk_init(&d, NULL, "?", NULL, NULL);
	d.run.limits.deadline_ms = 1;
	d.run.started_ms = clock_mono_ms() - 1000;
	cr_expect_eq(desk_write(&d), ERR_TIMEOUT);
	cr_expect_eq(d.sink.n, 0);
	writer_builtin_pace = (struct writer_pace){ 0 };
	arena_free(d.mem);
}

/* ---- words and numbers ---------------------------------------------------------- */

static const struct {
	const char *in;
	size_t max;
	const char *out;
} texts[] = {
	{ "Zürich-Kloten", 100, "Zürich-Kloten" },
	{ "a*b_c_d [e] <f> ~g \\ h|i", 100, "a∗b_c_d (e) ‹f> ∼g ∖ h¦i" },
	{ "_a_ __b__", 100, "ˍaˍ ˍˍbˍˍ" },
	{ "B&B &lt; &#42; & R&D", 100, "B&B ＆lt; ＆#42; & R&D" },
	{ "`x`", 100, "'x'" },
	{ "a < b, <5 t, <=5 <", 100, "a < b, <5 t, <=5 ‹" },
	{ "![i](http://e.example)", 100, "!(i)(http://e.example)" },
	{ "****", 2, "∗∗…" },
	{ "  a\r\n\t\x01 b\x7f\xc2\x85 ", 100, "a b" },
	{ "a\xe2\x80\xae" "b\xe2\x80\x8b" "c\xef\xbb\xbf", 100, "abc" },     /* override, zero-width, mark */
	{ "bad\xff\xc3", 100, "bad??" },
	{ "Zürich", 2, "Z…" },
	{ "Zürich", 3, "Zü…" },
	{ "ab", 2, "ab" },
	{ "", 10, "" },
	{ NULL, 10, "" },
};

TEST(writer, makes_text_harmless)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		cr_expect_str_eq(md_text(a, texts[i].in, texts[i].max), texts[i].out, "row %zu: %s", i,
		    md_text(a, texts[i].in, texts[i].max));
	arena_free(a);
}

static const struct {
	double in;
	const char *nm, *count, *feet;
} numbers[] = {
	{ 0, "0.0 NM", "0", "0 ft (0 m)" },
	{ 4.34, "4.3 NM", "4", "4 ft (1 m)" },
	{ 99.94, "99.9 NM", "100", "100 ft (30 m)" },
	{ 99.96, "100 NM", "100", "100 ft (30 m)" },
	{ 5541, "5,541 NM", "5,541", "5,541 ft (1,689 m)" },
	{ 1234567, "1,234,567 NM", "1,234,567", "1,234,567 ft (376,296 m)" },
	{ -1234, "-1234.0 NM", "-1,234", "-1,234 ft (-376 m)" },
};

TEST(writer, prints_numbers_for_people)
{
	struct answer w = { .mem = arena_new(), .wording = messages_in("en") };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		cr_expect_str_eq(md_nm(&w, numbers[i].in), numbers[i].nm, "row %zu", i);
		cr_expect_str_eq(md_count(&w, numbers[i].in), numbers[i].count, "row %zu", i);
		cr_expect_str_eq(md_feet(&w, numbers[i].in), numbers[i].feet, "row %zu: %s", i,
		    md_feet(&w, numbers[i].in));
	}
	arena_free(w.mem);
}

TEST(writer, a_fee_that_is_not_recorded_for_the_mass_is_said)
{
	struct desk d;

	desk_init(&d, DETAILS, "landing fee LFMD for a 2 t plane", "{}", "{\"found\":true,\"airport\":" LFPT
	    ",\"friendliness\":{\"landing_fees\":{\"currency\":\"EUR\",\"bands\":[{\"below_kg\":1200,\"fee\":30}]}}}");
	d.plan.mass = "2000 kg";
	TEST_OK(desk_write(&d), d.e);
	cr_expect_not_null(strstr(d.answer, "for an aircraft of 2,000 kg is not recorded.\n"), "%s", d.answer);
	arena_free(d.mem);
}

TEST(writer, names_a_distance_that_was_not_used_above_the_list)
{
	struct desk d;

	desk_init(&d, NEAR, "airports", "{\"location_query\":\"EGTF\",\"max_distance_nm\":1000}",
	    "{\"count\":1,\"airports\":[" LFXX "]}");
	d.plan.distance = "5000";
	TEST_OK(desk_write(&d), d.e);
	cr_expect(starts_with(d.answer, "I did not use the distance of 5000 NM. I searched within 1,000 NM.\n\n**"), "%s", d.answer);
	arena_free(d.mem);
}

TEST(writer, says_which_airport_stands_for_a_town)
{
	struct desk d;

	desk_init(&d, DETAILS, "runway at <Guildford>", "{\"icao_code\":\"EGTF\"}",
	    "{\"airport\":{\"ident\":\"EGTF\",\"name\":\"Fairoaks Airport\",\"longest_runway_length_ft\":2700}}");
	d.plan.stands_for = "<Guildford>, United Kingdom";
	d.plan.stands_nm = 6.5;
	TEST_OK(desk_write(&d), d.e);
	cr_expect(starts_with(d.answer, "I know no airport of ‹Guildford>, United Kingdom. This is about the nearest one, **Fairoaks Airport** (EGTF), "
	    "6.5 NM away.\n"), "%s", d.answer);
	arena_free(d.mem);
}

TEST(writer, names_the_words_that_were_not_used_above_the_list)
{
	struct desk d;

	desk_init(&d, NEAR, "airports with <oysters>", "{\"location_query\":\"EGTF\"}", "{\"count\":1,\"airports\":["
	    LFXX "]}");
	d.plan.unused = "<oysters>";
	TEST_OK(desk_write(&d), d.e);
	cr_expect(starts_with(d.answer, "I did not use “‹oysters>” to choose the airports.\n\n**"), "%s", d.answer);
	arena_free(d.mem);
}

TEST(writer, says_that_mogas_and_ul91_cannot_be_searched_for)
{
	static const struct { const char *unused; bool says; } rows[] = { { "UL91", true }, { "Mogas, <oysters>", true }, { "oysters", false } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		desk_init(&d, NEAR, "airports", "{\"location_query\":\"EGTF\"}", "{\"count\":1,\"airports\":[" LFXX "]}");
		d.plan.unused = rows[i].unused;
		TEST_OK(desk_write(&d), d.e);
		cr_expect_eq(strstr(d.answer, "\nI cannot search for Mogas or UL91. Ask me about one airport, or ask the airport.\n") != NULL, rows[i].says,
		    "%s", d.answer);
		arena_free(d.mem);
	}
}

/* The answer to "Does Elba have a wind tee?" once described the runway and did not mention the wind tee. */
TEST(writer, names_a_fact_that_it_does_not_know)
{
	static const struct { struct plan_fact asked[2]; const char *says, *not; } rows[] = {
		{ { { "wish", "<wind tee>" } }, "^I know no fact called “‹wind tee>”. If it is recorded, “Tell me about LFXX” shows it.\n", NULL },
		{ { { "fuel", "fuel" }, { "wish", "wind tee" } }, "^Fuel is not recorded for **Field** (LFXX).\nI know no fact called “wind tee”", NULL },
		{ { { "wish", "hangar" } }, "^Hangar space: not recorded here for **Field** (LFXX).\n", "I know no fact" },
		{ { { "wish", "wind tee" }, { "wish", "flags" } }, "^I know no fact called “wind tee and flags”.", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		desk_init(&d, DETAILS, "Does it have a wind tee?", "{\"icao_code\":\"LFXX\"}", "{\"found\":true,\"airport\":" LFXX "}");
		d.plan.asks = true;
		for (; d.plan.nasked < 2 && rows[i].asked[d.plan.nasked].name != NULL; d.plan.nasked++)
			d.plan.asked[d.plan.nasked] = rows[i].asked[d.plan.nasked];
		TEST_OK(desk_write(&d), d.e);
		cr_expect(holds(d.answer, rows[i].says), "%s\n%s", rows[i].says, d.answer);
		cr_expect(rows[i].not == NULL || strstr(d.answer, rows[i].not) == NULL, "%s", d.answer);
		arena_free(d.mem);
	}
}

/* "Compare LSGS and EGKB": the answer goes fact by fact, and gives each airport its sentence. Two whole answers in a row are hard to compare. */
TEST(writer, airports_with_the_same_questions_are_told_fact_by_fact)
{
	static const struct plan_fact elevation = { "elevation", "elevation" }, frequency = { "frequency", "frequency" };
	static const struct { struct plan_fact first[2], second[2]; bool known, beside; } rows[] = {
		{ { elevation, frequency }, { elevation, frequency }, true, true },
		{ { elevation }, { elevation }, true, true },
		{ { elevation, frequency }, { elevation }, true, false },
		{ { elevation }, { frequency }, true, false },
		{ { elevation }, { elevation }, false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		desk_init(&d, DETAILS, "Compare LSGS and EGKB", "{\"icao_code\":\"LSGS\"}", SION("2026-11-23", SUN_NOVEMBER));
		d.plan.asks = true;
		struct plan other = d.plan;
		other.arguments = parse(d.mem, "{\"icao_code\":\"EGKB\"}");
		for (; d.plan.nasked < 2 && rows[i].first[d.plan.nasked].name != NULL; d.plan.nasked++)
			d.plan.asked[d.plan.nasked] = rows[i].first[d.plan.nasked];
		for (; other.nasked < 2 && rows[i].second[other.nasked].name != NULL; other.nasked++)
			other.asked[other.nasked] = rows[i].second[other.nasked];
		d.writing.found[1] = (struct finding){ .plan = &other, .about = "LSGS and EGKB",
			.result = parse(d.mem, rows[i].known ? EGKB_FACTS("null") : "{\"found\":false}") };
		d.writing.n = 2;
		TEST_OK(desk_write(&d), d.e);
		cr_expect_eq(starts_with(d.answer, "- The elevation of **Sion Airport** (LSGS) is 1,582 ft (482 m).\n- The elevation is not recorded for "
		    "**London Biggin Hill** (EGKB)."), rows[i].beside, "row %zu: %s", i, d.answer);
		cr_expect_eq(strstr(d.answer, "\n\n- The radio frequencies of **Sion Airport** (LSGS)") != NULL,
		    rows[i].beside && rows[i].first[1].name != NULL, "row %zu: %s", i, d.answer);
		cr_expect_str_eq(d.answer, sink_mem_text(&d.sink), "row %zu: pieces differ", i);
		arena_free(d.mem);
	}
}

/* One sentence tells both the length and the surface of the longest runway. The answer once gave it twice for each airport. */
TEST(writer, a_sentence_that_tells_two_facts_stands_once)
{
	static const char runway[] = "The longest runway at **Sion Airport** (LSGS) is 07/25: 6,562 ft (2,000 m), asphalt.";
	struct desk d;

	desk_init(&d, DETAILS, "Compare LSGS and EGKB", "{\"icao_code\":\"LSGS\"}", SION("2026-11-23", SUN_NOVEMBER));
	d.plan.asks = true;
	d.plan.asked[0] = (struct plan_fact){ "runway_length", "runway" };
	d.plan.asked[1] = (struct plan_fact){ "surface", "surface" };
	d.plan.nasked = 2;
	struct plan other = d.plan;
	d.writing.found[1] = (struct finding){ .plan = &other, .about = "EGKB", .result = parse(d.mem, EGKB_FACTS("null")) };
	d.writing.n = 2;
	TEST_OK(desk_write(&d), d.e);
	const char *first = strstr(d.answer, runway);
	cr_expect(first != NULL && strstr(first + 1, runway) == NULL, "%s", d.answer);
	arena_free(d.mem);
}

TEST(writer, names_airports_as_the_pilot_did)
{
	struct desk d;

	desk_init(&d, SEARCH, "airports", "{\"query\":\"EGJA EGJJ\",\"filters\":{\"has_avgas\":true}}", "{\"count\":0,\"airports\":[]}");
	d.plan.named = "<Alderney>, Jersey";
	TEST_OK(desk_write(&d), d.e);
	cr_expect_not_null(strstr(d.answer, " for “‹Alderney>, Jersey”"), "%s", d.answer);
	cr_expect_null(strstr(d.answer, "“EGJA"), "%s", d.answer);
	arena_free(d.mem);
}

/* An answer to "more" counts on, and says so when that was all. */
TEST(writer, says_which_further_airports_these_are)
{
	static const struct { const char *args, *result, *says; } rows[] = {
		{ "{\"location_query\":\"EGTF\",\"offset\":5}", "{\"count\":7,\"total_found\":7,\"airports\":[" LFXX "]}",
		    "Here are numbers 6 to 6:" },
		{ "{\"location_query\":\"EGTF\",\"offset\":10}", "{\"count\":7,\"total_found\":7,\"airports\":[]}",
		    "I have shown them all: there are no further ones." },
		{ "{\"location_query\":\"EGTF\",\"offset\":5}", "{\"count\":0,\"total_found\":0,\"airports\":[]}",
		    "There are no further airports" },
		{ "{\"location_query\":\"EGTF\",\"priority_strategy\":\"longest_runway\"}",
		    "{\"count\":7,\"total_found\":7,\"airports\":[" LFXX "," LFXX "]}", "Here are 2, the longest runway first:" },
		{ "{\"location_query\":\"EGTF\",\"priority_strategy\":\"nearest\"}",
		    "{\"count\":7,\"total_found\":7,\"airports\":[" LFXX "]}", "The nearest:" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		desk_init(&d, NEAR, "more", rows[i].args, rows[i].result);
		TEST_OK(desk_write(&d), d.e);
		cr_expect_not_null(strstr(d.answer, rows[i].says), "%s: %s", rows[i].says, d.answer);
		arena_free(d.mem);
	}
}

TEST(writer, a_french_they_asks_for_no_landing_system)
{
	static const char *const rows[][2] = {
		{ "LFAT, ils sont comment ?", " lfat sont comment " }, { "Ils ont du carburant ?", " ont du carburant " },
		{ "qu'ont-ils ?", " qu ont " }, { "qu\u2019ils vendent quoi ?", " qu vendent quoi " }, { "une approche ILS", " une approche ils " },
		{ "ont-ils l'ILS ?", " ont l ils " }, { "ILS VENDENT QUOI ?", " vendent quoi " }, { "utiles détails", " utiles details " }, { "", " " },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_str_eq(asked_in_french(a, rows[i][0]), rows[i][1], "%s", rows[i][0]);
	arena_free(a);
}
