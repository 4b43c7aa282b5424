/*
 * One table, grouped by meaning. Phrases of several words beat shorter ones that begin alike, so
 * "how much notice" wins over "how much", whatever their order here.
 */
#include "agents/builtin/lexicon.h"

#include <string.h>

#include "base/str.h"

#define FILLER(p)      { p, LX_FILLER, 0, false, NULL }
#define BREAK(p)       { p, LX_BREAK, 0, false, NULL }
#define ROLE(p, r)     { p, LX_ROLE, ROLE_##r, false, NULL }
#define WISH(p, w, s)  { p, LX_WISH, WISH_##w, s, NULL }
#define NEED(p, w, t)  { p, LX_WISH, WISH_##w, true, t }
#define CMP(p, c)      { p, LX_COMPARE, CMP_##c, false, NULL }
#define DIM(p, d)      { p, LX_DIM, DIM_##d, false, NULL }
#define UNIT(p, u)     { p, LX_UNIT, UNIT_##u, false, NULL }
#define NUM(p, n)      { p, LX_NUMBER, n, false, NULL }
#define ORD(p, n)      { p, LX_ORDINAL, n, false, NULL }
#define NOUN(p)        { p, LX_NOUN, 0, false, NULL }
#define CUE(p, c)      { p, LX_CUE, CUE_##c, false, NULL }
#define OTHER(p, k, v) { p, LX_##k, v, false, NULL }

static const struct lex_row rows[] = {
	/* words without weight */
	FILLER("a"), FILLER("an"), FILLER("the"), FILLER("some"), FILLER("any"), FILLER("please"), FILLER("incl"),
	FILLER("pls"), FILLER("plz"), FILLER("kindly"), FILLER("just"), FILLER("also"),
	FILLER("really"), FILLER("very"), FILLER("ideally"), FILLER("preferably"),
	FILLER("maybe"), FILLER("perhaps"), FILLER("possibly"), FILLER("quite"),
	FILLER("good"), FILLER("best"), FILLER("suitable"), FILLER("decent"), FILLER("cheap"),
	FILLER("small"), FILLER("little"), FILLER("nearby"), FILLER("available"),
	FILLER("proper"), FILLER("actual"), FILLER("own"), FILLER("usable"), FILLER("open"),
	FILLER("public"), FILLER("friendly"), FILLER("ga"), FILLER("general aviation"),
	FILLER("all"), FILLER("both"), FILLER("my"), FILLER("our"), FILLER("your"),
	FILLER("possible"), FILLER("potential"), FILLER("roughly"), FILLER("then"),
	FILLER("vfr"), FILLER("local"), FILLER("regional"), FILLER("different"),
	BREAK("i"), BREAK("i'm"), BREAK("im"), BREAK("i am"), BREAK("i'd"), BREAK("i'd like"),
	BREAK("i'll"), BREAK("i've"), BREAK("we"), BREAK("we're"), BREAK("we are"), BREAK("we'd"),
	BREAK("me"), BREAK("us"), BREAK("you"), BREAK("would"), BREAK("like"), BREAK("love"),
	BREAK("can"), BREAK("could"), BREAK("should"), BREAK("will"), BREAK("may"), BREAK("might"),
	BREAK("must"), BREAK("shall"), BREAK("want"), BREAK("wanna"), BREAK("need"),
	BREAK("needs"), BREAK("needed"), BREAK("needing"), BREAK("require"), BREAK("required"),
	BREAK("requiring"), BREAK("requirement"), BREAK("prefer"), BREAK("preferred"),
	BREAK("which"), BREAK("where"), BREAK("when"), BREAK("who"), BREAK("how"),
	BREAK("why"), BREAK("that"), BREAK("this"), BREAK("be"),
	BREAK("was"), BREAK("were"), BREAK("it"), BREAK("its"), BREAK("it's"), BREAK("that's"), BREAK("here's"),
	BREAK("how's"), BREAK("if"), BREAK("so"),
	BREAK("as"), BREAK("because"), BREAK("since"), BREAK("while"), BREAK("with"),
	BREAK("w /"), BREAK("having"), BREAK("offering"), BREAK("offer"), BREAK("providing"),
	BREAK("provide"), BREAK("sell"), BREAK("selling"), BREAK("serve"),
	BREAK("equipped"), BREAK("featuring"), BREAK("get"), BREAK("getting"), BREAK("use"),
	BREAK("used"), BREAK("take"), BREAK("taking"), BREAK("make"), BREAK("making"),
	BREAK("today"), BREAK("tomorrow"), BREAK("tonight"), BREAK("now"), BREAK("next week"),
	BREAK("this weekend"), BREAK("on saturday"), BREAK("on sunday"), BREAK("on monday"),
	BREAK("on friday"), BREAK("weekend"), BREAK("saturday"), BREAK("sunday"),
	BREAK("monday"), BREAK("tuesday"), BREAK("wednesday"), BREAK("thursday"),
	BREAK("friday"), BREAK("morning"), BREAK("afternoon"), BREAK("evening"),
	BREAK("january"), BREAK("february"), BREAK("march"), BREAK("april"), BREAK("june"),
	BREAK("july"), BREAK("august"), BREAK("september"), BREAK("october"), BREAK("november"),
	BREAK("december"), BREAK("spring"), BREAK("summer"), BREAK("autumn"), BREAK("winter"),
	BREAK("next month"), BREAK("quickly"), BREAK("recommend"), BREAK("suggest"),
	BREAK("allow"), BREAK("allows"), BREAK("accept"), BREAK("accepts"), BREAK("am"),
	BREAK("do"), BREAK("did"), BREAK("got"), BREAK("give"), BREAK("got to"), BREAK("who's"),
	BREAK("preferring"), BREAK("considering"), BREAK("somewhere"), BREAK("anywhere"),
	BREAK("anything"), BREAK("something"), BREAK("someplace"), BREAK("else"),
	BREAK("has to be"), BREAK("must be"), BREAK("should be"), BREAK("plane"),
	BREAK("c150"), BREAK("c152"), BREAK("c172"), BREAK("c182"), BREAK("c210"), BREAK("pa28"),
	BREAK("pa32"), BREAK("pa34"), BREAK("sr20"), BREAK("sr22"), BREAK("da20"), BREAK("da40"),
	BREAK("da42"), BREAK("da62"), BREAK("tb10"), BREAK("tb20"), BREAK("pc12"), BREAK("tbm"),
	BREAK("dr400"), BREAK("be36"), BREAK("p28a"), BREAK("aircraft"), BREAK("airplane"), BREAK("aeroplane"), BREAK("cessna"),
	BREAK("piper"), BREAK("pilot"), BREAK("passenger"), BREAK("facility"),
	BREAK("facilities"), BREAK("service"), BREAK("services"), BREAK("availability"),
	BREAK("area"), BREAK("region"), BREAK("side"), BREAK("there is"), BREAK("they"),
	BREAK("their"), BREAK("directly"), BREAK("direct"), BREAK("not far"),
	BREAK("here is"), BREAK("let's say"), BREAK("let's"), BREAK("say"), BREAK("ok"),
	BREAK("okay"), BREAK("well"), BREAK("right"), BREAK("yes"), BREAK("yeah"), BREAK("sure"),
	BREAK("great"), BREAK("more"), BREAK("less"), BREAK("much"), BREAK("many"),
	BREAK("off"), BREAK("on"), BREAK("up"), BREAK("out"), BREAK("down"), BREAK("after"),
	BREAK("before"), BREAK("during"), BREAK("each"), BREAK("every"),
	BREAK("than"), BREAK("too"), BREAK("still"), BREAK("already"), BREAK("again"),

	OTHER("and", AND, 0), OTHER("&", AND, 0), OTHER("plus", AND, 0), OTHER("as well as", AND, 0),
	OTHER("or", OR, 0),
	OTHER("not", NOT, NOT_NEGATE), OTHER("no", NOT, NOT_NEGATE), OTHER("non", NOT, NOT_NEGATE),
	OTHER("without", NOT, NOT_NEGATE), OTHER("w / o", NOT, NOT_NEGATE),
	OTHER("nor", NOT, NOT_NEGATE), OTHER("neither", NOT, NOT_NEGATE),
	OTHER("lacking", NOT, NOT_NEGATE), OTHER("avoid", NOT, NOT_NEGATE),
	OTHER("avoiding", NOT, NOT_NEGATE), OTHER("except", NOT, NOT_NEGATE),
	OTHER("excluding", NOT, NOT_NEGATE), OTHER("exclude", NOT, NOT_NEGATE),
	OTHER("rather than", NOT, NOT_WAIVE), OTHER("instead of", NOT, NOT_WAIVE),
	OTHER("other than", NOT, NOT_NEGATE), OTHER("isn't", NOT, NOT_NEGATE),
	OTHER("aren't", NOT, NOT_NEGATE), OTHER("hasn't", NOT, NOT_NEGATE),
	OTHER("doesn't have", NOT, NOT_NEGATE), OTHER("don't have", NOT, NOT_NEGATE),
	OTHER("don't want", NOT, NOT_NEGATE), OTHER("do not want", NOT, NOT_NEGATE),
	OTHER("don't need", NOT, NOT_WAIVE), OTHER("do not need", NOT, NOT_WAIVE),
	OTHER("dont need", NOT, NOT_WAIVE), OTHER("needn't", NOT, NOT_WAIVE),
	OTHER("don't care about", NOT, NOT_WAIVE), OTHER("no need for", NOT, NOT_WAIVE),
	OTHER("forget about", NOT, NOT_WAIVE), OTHER("forget the", NOT, NOT_WAIVE),
	OTHER("drop the", NOT, NOT_WAIVE), OTHER("remove the", NOT, NOT_WAIVE),
	OTHER("ignore the", NOT, NOT_WAIVE), OTHER("skip the", NOT, NOT_WAIVE),
	OTHER("not needed", NOT, NOT_WAIVE_BEFORE), OTHER("not required", NOT, NOT_WAIVE_BEFORE),
	OTHER("not necessary", NOT, NOT_WAIVE_BEFORE), OTHER("optional", NOT, NOT_WAIVE_BEFORE),
	OTHER("doesn't matter", NOT, NOT_WAIVE_BEFORE), OTHER("is fine", NOT, NOT_WAIVE_BEFORE),
	OTHER("is ok", NOT, NOT_WAIVE_BEFORE), OTHER("regardless of", NOT, NOT_WAIVE), OTHER("never mind", NOT, NOT_WAIVE),

	/* what the next place is */
	ROLE("from", FROM), ROLE("departing", FROM), ROLE("departing from", FROM),
	ROLE("depart", FROM), ROLE("depart from", FROM), ROLE("leaving", FROM),
	ROLE("leave", FROM), ROLE("leaving from", FROM), ROLE("out of", FROM),
	ROLE("starting at", FROM), ROLE("starting from", FROM), ROLE("starting in", FROM),
	ROLE("start at", FROM), ROLE("start in", FROM), ROLE("start from", FROM),
	ROLE("taking off from", FROM), ROLE("take off from", FROM), ROLE("taking off at", FROM),
	ROLE("i'm at", FROM), ROLE("i am at", FROM), ROLE("i'm in", FROM), ROLE("i am in", FROM),
	ROLE("we are at", FROM), ROLE("we are in", FROM), ROLE("we're in", FROM),
	ROLE("we're at", FROM), ROLE("based at", FROM), ROLE("based in", FROM),
	ROLE("home base is", FROM), ROLE("home base", FROM), ROLE("currently at", FROM),
	ROLE("currently in", FROM), ROLE("departure", FROM), ROLE("dep", FROM),
	ROLE("origin", FROM),
	ROLE("to", TO), ROLE("towards", TO), ROLE("toward", TO), ROLE("into", TO),
	ROLE("destination", TO), ROLE("destination is", TO), ROLE("reach", TO), ROLE("reaching", TO), ROLE("make it to", TO), ROLE("end up in", TO),
	ROLE("end up at", TO), ROLE("arrive at", TO), ROLE("arrive in", TO), ROLE("finish in", TO),
	ROLE("finish at", TO), ROLE("continue to", TO), ROLE("arriving at", TO),
	ROLE("arriving in", TO), ROLE("heading to", TO), ROLE("heading for", TO),
	ROLE("headed to", TO), ROLE("headed for", TO), ROLE("bound for", TO),
	ROLE("going to", TO), ROLE("go to", TO), ROLE("get to", TO), ROLE("getting to", TO),
	ROLE("fly to", TO), ROLE("flying to", TO), ROLE("flight to", TO), ROLE("trip to", TO),
	ROLE("travelling to", TO), ROLE("travel to", TO), ROLE("landing in", TO),
	ROLE("landing at", TO), ROLE("ending at", TO), ROLE("ending in", TO), ROLE("dest", TO),
	ROLE("arrival", TO), ROLE("on the way to", TO), ROLE("en route to", TO),
	ROLE("enroute to", TO), ROLE("way to", TO), ROLE("until", TO),
	ROLE("closest", NEAR), ROLE("near", NEAR), ROLE("near to", NEAR), ROLE("nearest", NEAR), ROLE("nearest to", NEAR),
	ROLE("close", NEAR), ROLE("close to", NEAR), ROLE("close by", NEAR), ROLE("closest to", NEAR),
	ROLE("closer to", NEAR), ROLE("around", NEAR), ROLE("round", NEAR),
	ROLE("not far from", NEAR), ROLE("not too far from", NEAR), ROLE("next to", NEAR),
	ROLE("beside", NEAR), ROLE("surrounding", NEAR), ROLE("vicinity of", NEAR),
	ROLE("in the vicinity of", NEAR), ROLE("area of", NEAR), ROLE("in the area of", NEAR),
	ROLE("region of", NEAR), ROLE("in the region of", NEAR), ROLE("neighbourhood of", NEAR),
	ROLE("in the neighbourhood of", NEAR), ROLE("surroundings of", NEAR),
	ROLE("in the surroundings of", NEAR), ROLE("within reach of", NEAR),
	ROLE("within easy reach of", NEAR), ROLE("away from", NEAR), ROLE("radius of", NEAR),
	ROLE("radius around", NEAR), ROLE("radius from", NEAR), ROLE("centred on", NEAR),
	ROLE("outside", NEAR), ROLE("just outside", NEAR), ROLE("by", NEAR), ROLE("nr", NEAR), ROLE("zoom to", NEAR), ROLE("zoom in on", NEAR),
	ROLE("north of", NEAR), ROLE("south of", NEAR), ROLE("east of", NEAR),
	ROLE("west of", NEAR), ROLE("serving", NEAR), ROLE("for visiting", NEAR),
	ROLE("to visit", NEAR), ROLE("visiting", NEAR), ROLE("visit", NEAR),
	ROLE("at", AT), ROLE("@", AT), ROLE("in", IN), ROLE("inside", IN), ROLE("within", IN),
	ROLE("across", IN), ROLE("throughout", IN), ROLE("over", IN), ROLE("of", OF),
	ROLE("about", OF), ROLE("for", FOR),
	ROLE("between", BETWEEN), ROLE("halfway between", BETWEEN), ROLE("half way between", BETWEEN),
	ROLE("midway between", BETWEEN), ROLE("half-way between", BETWEEN),
	ROLE("along", ALONG), ROLE("along the route", ALONG), ROLE("along the way", ALONG),
	ROLE("along the line", ALONG), ROLE("on the way", ALONG), ROLE("en route", ALONG),
	ROLE("enroute", ALONG), ROLE("on route", ALONG), ROLE("on the route", ALONG),
	ROLE("route", ALONG), ROLE("the route", ALONG), ROLE("of the route", ALONG),
	ROLE("my route", ALONG), ROLE("of my route", ALONG), ROLE("on my way", ALONG),
	ROLE("halfway", ALONG), ROLE("midway", ALONG), ROLE("on my route", ALONG),
	ROLE("of track", ALONG), ROLE("from track", ALONG), ROLE("from the route", ALONG),
	ROLE("from the track", ALONG), ROLE("from my route", ALONG), ROLE("off my route", ALONG),
	ROLE("off route", ALONG), ROLE("off track", ALONG), ROLE("off the route", ALONG),
	ROLE("from the direct line", ALONG), ROLE("of the direct line", ALONG),
	ROLE("of the line", ALONG), ROLE("from the line", ALONG), ROLE("of the track", ALONG),
	ROLE("leg", ALONG), ROLE("direct line", ALONG), ROLE("corridor", ALONG),
	ROLE("detour", ALONG), ROLE("deviation", ALONG),
	ROLE("via", VIA),

	/* filters */
	WISH("avgas", AVGAS, true), WISH("avgas 100 ll", AVGAS, true), WISH("100 ll", AVGAS, true),
	WISH("100 low lead", AVGAS, true), WISH("100 octane", AVGAS, true),
	WISH("avgas 100", AVGAS, true), WISH("av gas", AVGAS, true), WISH("low lead", AVGAS, true),
	WISH("aviation gasoline", AVGAS, true), WISH("piston fuel", AVGAS, true),
	WISH("jet a", JET, true), WISH("jet a 1", JET, true), WISH("jet a1", JET, true),
	WISH("jeta", JET, true), WISH("jeta1", JET, true), WISH("jet fuel", JET, true),
	WISH("jet", JET, true), WISH("jetfuel", JET, true), WISH("kerosene", JET, true),
	WISH("kerosine", JET, true), WISH("avtur", JET, true), WISH("turbine fuel", JET, true),
	WISH("customs", CUSTOMS, true), WISH("custom", CUSTOMS, true),
	WISH("customs and immigration", CUSTOMS, true), WISH("immigration", CUSTOMS, true),
	WISH("border crossing", CUSTOMS, true), WISH("border", CUSTOMS, true),
	WISH("border control", CUSTOMS, true), WISH("cross the border", CUSTOMS, true),
	WISH("point of entry", CUSTOMS, true), WISH("points of entry", CUSTOMS, true),
	WISH("port of entry", CUSTOMS, true), WISH("ports of entry", CUSTOMS, true),
	WISH("airport of entry", CUSTOMS, true), WISH("airports of entry", CUSTOMS, true),
	WISH("entry point", CUSTOMS, true), WISH("entry", CUSTOMS, true), WISH("poe", CUSTOMS, true), WISH("aoe", CUSTOMS, true),
	WISH("passport control", CUSTOMS, true), WISH("passport", CUSTOMS, true),
	WISH("international clearance", CUSTOMS, true), WISH("clear in", CUSTOMS, true),
	WISH("clearance", CUSTOMS, true), WISH("schengen entry", CUSTOMS, true),
	WISH("international arrival", CUSTOMS, true), WISH("international flight", CUSTOMS, true),
	WISH("instrument approach", IFR, true), WISH("instrument approaches", IFR, true),
	WISH("instrument procedure", IFR, true), WISH("approach procedure", IFR, true),
	WISH("instrument", IFR, true), WISH("ifr", IFR, true), WISH("ils", IFR, true),
	WISH("rnav", IFR, true), WISH("rnp", IFR, true), WISH("lpv", IFR, true),
	WISH("gps approach", IFR, true), WISH("gps approaches", IFR, true),
	WISH("vor approach", IFR, true), WISH("ndb approach", IFR, true),
	WISH("published approach", IFR, true), WISH("approach", IFR, true),
	WISH("approaches", IFR, true), WISH("procedure", IFR, true),
	WISH("precision approach", IFR, true), WISH("vfr only", IFR, false),
	WISH("hard", HARD, true), WISH("hard runway", HARD, true), WISH("hard surface", HARD, true),
	WISH("hard surfaced", HARD, true), WISH("paved", HARD, true), WISH("pavement", HARD, true), WISH("asphalt", HARD, true),
	WISH("concrete", HARD, true), WISH("tarmac", HARD, true), WISH("sealed", HARD, true),
	WISH("bitumen", HARD, true), WISH("hardened", HARD, true), WISH("solid", HARD, true),
	WISH("grass", HARD, false), WISH("unpaved", HARD, false), WISH("turf", HARD, false),
	WISH("soft field", HARD, false), WISH("soft", HARD, false), WISH("gravel", HARD, false),
	WISH("dirt", HARD, false), WISH("grass strip", HARD, false),
	WISH("grass runway", HARD, false), WISH("unsurfaced", HARD, false),
	NEED("restaurant", RESTAURANT, "vicinity"), NEED("cafe", RESTAURANT, "vicinity"),
	NEED("lunch", RESTAURANT, "vicinity"), NEED("dinner", RESTAURANT, "vicinity"),
	NEED("breakfast", RESTAURANT, "vicinity"), NEED("food", RESTAURANT, "vicinity"),
	NEED("eat", RESTAURANT, "vicinity"), NEED("eating", RESTAURANT, "vicinity"),
	NEED("meal", RESTAURANT, "vicinity"), NEED("coffee", RESTAURANT, "vicinity"),
	NEED("bite to eat", RESTAURANT, "vicinity"), NEED("bistro", RESTAURANT, "vicinity"),
	NEED("snack", RESTAURANT, "vicinity"), NEED("hungry", RESTAURANT, "vicinity"),
	NEED("burger", RESTAURANT, "vicinity"),
	NEED("hamburger", RESTAURANT, "vicinity"), NEED("canteen", RESTAURANT, "at_airport"),
	NEED("clubhouse", RESTAURANT, "at_airport"),
	NEED("hotel", HOTEL, "vicinity"), NEED("overnight", HOTEL, "vicinity"),
	NEED("accommodation", HOTEL, "vicinity"), NEED("for the night", HOTEL, "vicinity"), NEED("stay overnight", HOTEL, "vicinity"),
	NEED("overnight stay", HOTEL, "vicinity"), NEED("stay the night", HOTEL, "vicinity"),
	NEED("spend the night", HOTEL, "vicinity"), NEED("night stop", HOTEL, "vicinity"),
	NEED("nightstop", HOTEL, "vicinity"), NEED("place to stay", HOTEL, "vicinity"),
	NEED("somewhere to stay", HOTEL, "vicinity"), NEED("sleep", HOTEL, "vicinity"),
	NEED("lodging", HOTEL, "vicinity"), NEED("b & b", HOTEL, "vicinity"),
	NEED("guesthouse", HOTEL, "vicinity"), NEED("place to sleep", HOTEL, "vicinity"),
	OTHER("at the airport", SITE, 1), OTHER("on the airport", SITE, 1),
	OTHER("at the field", SITE, 1), OTHER("on the field", SITE, 1), OTHER("on field", SITE, 1),
	OTHER("at the airfield", SITE, 1), OTHER("on the airfield", SITE, 1),
	OTHER("on site", SITE, 1), OTHER("onsite", SITE, 1), OTHER("on airport", SITE, 1),
	OTHER("at the aerodrome", SITE, 1), OTHER("on the aerodrome", SITE, 1),
	 OTHER("in the terminal", SITE, 1),
	NEED("airport hotel", HOTEL, "at_airport"), NEED("airport restaurant", RESTAURANT, "at_airport"),
	NEED("airfield restaurant", RESTAURANT, "at_airport"), OTHER("right on the field", SITE, 1),
	OTHER("walking distance", SITE, 0), OTHER("within walking distance", SITE, 0),
	OTHER("in walking distance", SITE, 0), OTHER("in the vicinity", SITE, 0),
	OTHER("close to the airport", SITE, 0), OTHER("near the airport", SITE, 0),
	OTHER("near the field", SITE, 0), OTHER("near the airfield", SITE, 0),

	/* numbers, what they measure, how they compare */
	CMP("at least", MIN), CMP("more than", MIN), CMP("longer than", MIN), CMP("over", MIN),
	CMP("above", MIN), CMP("minimum", MIN), CMP("min", MIN), CMP("greater than", MIN),
	CMP("bigger than", MIN), CMP("not less than", MIN), CMP("no less than", MIN),
	CMP("no shorter than", MIN), CMP("not shorter than", MIN), CMP("longer", MIN),
	CMP("exceeding", MIN), CMP("exceeds", MIN), CMP(">", MIN), CMP(">=", MIN), CMP("≥", MIN),
	CMP("minimum of", MIN), CMP("a minimum of", MIN), CMP("upwards of", MIN),
	CMP("starting with", MIN), CMP("larger than", MIN),
	CMP("at most", MAX), CMP("less than", MAX), CMP("shorter than", MAX), CMP("under", MAX),
	CMP("below", MAX), CMP("maximum", MAX), CMP("max", MAX), CMP("up to", MAX),
	CMP("not more than", MAX), CMP("no more than", MAX), CMP("no longer than", MAX),
	CMP("not longer than", MAX), CMP("fewer than", MAX), CMP("cheaper than", MAX),
	CMP("no further than", MAX), CMP("not further than", MAX), CMP("no farther than", MAX),
	CMP("lower than", MAX), CMP("smaller than", MAX), CMP("<", MAX), CMP("<=", MAX),
	CMP("≤", MAX), CMP("shorter", MAX), CMP("maximum of", MAX), CMP("closer than", MAX),
	CMP("within", WITHIN), CMP("inside of", WITHIN),
	CMP("about", ABOUT), CMP("around", ABOUT), CMP("approximately", ABOUT),
	CMP("approx", ABOUT), CMP("roughly", ABOUT), CMP("some", ABOUT), CMP("circa", ABOUT),
	CMP("ca", ABOUT), CMP("exactly", ABOUT), CMP("~", ABOUT),
	CMP("top", TOP), CMP("show me", TOP), CMP("list me", TOP), CMP("give me", TOP),
	CMP("or more", MIN_AFTER), CMP("or longer", MIN_AFTER), CMP("and more", MIN_AFTER),
	CMP("or above", MIN_AFTER), CMP("or over", MIN_AFTER), CMP("+", MIN_AFTER),
	CMP("and up", MIN_AFTER), CMP("plus", MIN_AFTER), CMP("upwards", MIN_AFTER),
	CMP("or better", MIN_AFTER), CMP("or less", MAX_AFTER), CMP("or shorter", MAX_AFTER),
	CMP("or below", MAX_AFTER), CMP("or under", MAX_AFTER), CMP("or fewer", MAX_AFTER),
	CMP("or closer", MAX_AFTER), CMP("tops", MAX_AFTER),
	DIM("runway", RUNWAY), DIM("rwy", RUNWAY), DIM("strip length", RUNWAY),
	DIM("length", RUNWAY), DIM("long", RUNWAY), DIM("landing distance", RUNWAY),
	DIM("runway length", RUNWAY), DIM("tora", RUNWAY), DIM("lda", RUNWAY),
	DIM("distance", DISTANCE), DIM("radius", DISTANCE), DIM("away", DISTANCE),
	DIM("detour", DISTANCE), DIM("range", DISTANCE),
	DIM("landing fee", FEE), DIM("fee", FEE), DIM("landing charge", FEE), DIM("charge", FEE),
	DIM("landing cost", FEE), DIM("cost", FEE), DIM("costs", FEE), DIM("price", FEE),
	DIM("landing price", FEE), DIM("budget", FEE),
	DIM("notice", NOTICE), DIM("prior notice", NOTICE), DIM("ppr", NOTICE), DIM("pnr", NOTICE),
	DIM("prior notification", NOTICE), DIM("in advance", NOTICE),
	DIM("advance notice", NOTICE), DIM("result", COUNT), DIM("option", COUNT),
	DIM("suggestion", COUNT), DIM("choice", COUNT), DIM("match", COUNT), DIM("idea", COUNT), DIM("possibility", COUNT), DIM("possibilities", COUNT),
	DIM("recommendation", COUNT), DIM("proposal", COUNT), DIM("tip", COUNT),
	UNIT("ft", FT), UNIT("foot", FT), UNIT("feet", FT), UNIT("'", FT), UNIT("m", M),
	UNIT("metre", M), UNIT("meter", M), UNIT("mtr", M), UNIT("km", KM), UNIT("kilometre", KM),
	UNIT("kilometer", KM), UNIT("kms", KM), UNIT("nm", NM), UNIT("nmi", NM),
	UNIT("nautical mile", NM), UNIT("nautical", NM), UNIT("naut mile", NM),
	UNIT("mile", MI), UNIT("mi", MI), UNIT("sm", MI), UNIT("statute mile", MI), UNIT("h", HOURS),
	UNIT("hr", HOURS), UNIT("hour", HOURS), UNIT("day", DAYS), UNIT("euro", MONEY),
	UNIT("eur", MONEY), UNIT("€", MONEY), UNIT("£", MONEY), UNIT("$", MONEY),
	UNIT("pound", MONEY), UNIT("gbp", MONEY), UNIT("chf", MONEY), UNIT("franc", MONEY),
	UNIT("dollar", MONEY), UNIT("usd", MONEY), UNIT("quid", MONEY), UNIT("bucks", MONEY),
	UNIT("k", THOUSAND), UNIT("thousand", THOUSAND),
	NUM("zero", 0), NUM("one", 1), NUM("two", 2), NUM("three", 3), NUM("four", 4),
	NUM("five", 5), NUM("six", 6), NUM("seven", 7), NUM("eight", 8), NUM("nine", 9),
	NUM("ten", 10), NUM("twelve", 12), NUM("fifteen", 15), NUM("twenty", 20),
	NUM("thirty", 30), NUM("forty", 40), NUM("fifty", 50), NUM("hundred", 100),
	NUM("a hundred", 100), NUM("a dozen", 12), NUM("dozen", 12), NUM("half a dozen", 6),
	NUM("a couple of", 2), NUM("a couple", 2), NUM("couple of", 2), NUM("a pair of", 2),
	NUM("a few", 3), NUM("few", 3), NUM("several", 5), NUM("a handful of", 5),
	ORD("first", 1), ORD("second", 2), ORD("third", 3), ORD("fourth", 4), ORD("fifth", 5),
	ORD("1 st", 1), ORD("2 nd", 2), ORD("3 rd", 3), ORD("4 th", 4), ORD("5 th", 5),
	ORD("last one", -1), ORD("the last", -1), ORD("first one", 1), ORD("second one", 2),
	ORD("third one", 3), ORD("fourth one", 4), ORD("fifth one", 5), ORD("number one", 1),
	ORD("number two", 2), ORD("top one", 1), ORD("number 1", 1), ORD("number 2", 2),
	ORD("number 3", 3),

	/* what is looked for */
	NOUN("airport"), NOUN("apt"), NOUN("afld"), NOUN("altn"), NOUN("airfield"), NOUN("aerodrome"), NOUN("airstrip"), NOUN("strip"),
	NOUN("landing strip"), NOUN("field"), NOUN("aeroport"), NOUN("airdrome"), NOUN("airpark"),
	NOUN("stop"), NOUN("fuel stop"), NOUN("stopover"), NOUN("refuel"), NOUN("refuelling"),
	NOUN("refueling"), NOUN("refuelling stop"), NOUN("place"), NOUN("spot"),
	NOUN("alternate"), NOUN("alternative"), NOUN("diversion"), NOUN("landing site"),
	NOUN("destinations"), NOUN("ad"), NOUN("tech stop"), NOUN("pit stop"), NOUN("ones"),
	NOUN("fly in"), NOUN("candidate"), NOUN("airbase"),
	NOUN("divert"), NOUN("stopping point"), NOUN("stopping place"),
	OTHER("large", LARGE, 0), OTHER("large one", LARGE, 0), OTHER("big", LARGE, 0),
	OTHER("big one", LARGE, 0), OTHER("large airport", LARGE, 0), OTHER("big airport", LARGE, 0),
	OTHER("major airport", LARGE, 0), OTHER("major", LARGE, 0), OTHER("hub", LARGE, 0),
	OTHER("international hub", LARGE, 0), OTHER("main airport", LARGE, 0),
	OTHER("larger one", LARGE, 0), OTHER("bigger one", LARGE, 0), OTHER("bigger airport", LARGE, 0),
	OTHER("larger airport", LARGE, 0), OTHER("airline airport", LARGE, 0),
	OTHER("commercial airport", LARGE, 0),

	/* what the pilot wants */
	CUE("find", SHOW), CUE("find me", SHOW), CUE("show", SHOW), CUE("list", SHOW),
	CUE("looking for", SHOW), CUE("look for", SHOW), CUE("display", SHOW),
	CUE("where can i", SHOW | CUE_WHERE), CUE("where could i", SHOW | CUE_WHERE),
	CUE("where can we", SHOW | CUE_WHERE), CUE("where could we", SHOW | CUE_WHERE),
	CUE("where to", SHOW | CUE_WHERE), CUE("where should i", SHOW | CUE_WHERE),
	CUE("where should we", SHOW | CUE_WHERE), CUE("land", SHOW), CUE("stay", SHOW),
	CUE("where do", SHOW | CUE_WHERE), CUE("locate", SHOW), CUE("seeking", SHOW), CUE("what's", ASK),
	CUE("search", LOOKUP), CUE("search for", LOOKUP), CUE("look up", LOOKUP),
	CUE("lookup", LOOKUP), CUE("called", LOOKUP), CUE("named", LOOKUP),
	CUE("icao code", CODE), CUE("icao", CODE), CUE("iata code", CODE), CUE("iata", CODE),
	CUE("identifier", CODE), CUE("icao identifier", CODE), CUE("airport code", CODE),
	CUE("tell me about", TELL), CUE("tell me more about", TELL), CUE("tell me", TELL),
	CUE("details", TELL), CUE("detail", TELL), CUE("details for", TELL),
	CUE("details of", TELL), CUE("details on", TELL), CUE("info", TELL), CUE("infos", TELL),
	CUE("information", TELL), CUE("info on", TELL), CUE("info about", TELL),
	CUE("information on", TELL), CUE("information about", TELL), CUE("describe", TELL),
	CUE("everything about", TELL), CUE("what do you know about", TELL),
	CUE("more about", TELL), CUE("facts about", TELL), CUE("brief me on", TELL),
	CUE("briefing", TELL), CUE("data for", TELL), CUE("overview of", TELL),
	CUE("know about", TELL), CUE("what is at", TELL), CUE("what's at", TELL),
	CUE("whats at", TELL), CUE("infos on", TELL), CUE("profile of", TELL),
	CUE("elevation", ASPECT), CUE("frequency", ASPECT), CUE("frequencies", ASPECT),
	CUE("opening hours", ASPECT), CUE("opening times", ASPECT), CUE("surface", ASPECT),
	CUE("fuel", ASPECT), CUE("fuels", ASPECT), CUE("fuel types", ASPECT), CUE("phone", ASPECT),
	CUE("phone number", ASPECT), CUE("handling", ASPECT), CUE("parking", ASPECT),
	CUE("hangar", ASPECT), CUE("lighting", ASPECT), CUE("lights", ASPECT),
	CUE("coordinates", ASPECT), CUE("how long", ASPECT), CUE("how wide", ASPECT),
	CUE("how high", ASPECT), CUE("how big", ASPECT), CUE("width", ASPECT),
	CUE("lit", ASPECT), CUE("night landing", ASPECT), CUE("hours of operation", ASPECT),
	CUE("operating hours", ASPECT), CUE("tower", ASPECT), CUE("where is", ASPECT), CUE("there's", ASK),
	CUE("where's", ASPECT), CUE("circuit", ASPECT), CUE("taxi", ASPECT),
	CUE("does", ASK), CUE("do they", ASK), CUE("has", ASK), CUE("have", ASK),
	CUE("is there", ASK), CUE("are there", ASK), CUE("is it", ASK), CUE("can i get", ASK),
	CUE("can i buy", ASK), CUE("can i refuel", ASK), CUE("can i land", ASK),
	CUE("what kind of", ASK), CUE("whats", ASK), CUE("what is", ASK), CUE("what are", ASK),
	 CUE("is", ASK), CUE("are", ASK), CUE("can i", ASK), CUE("what", ASK),
	CUE("what about", FOLLOW | CUE_ABOUT), CUE("how about", FOLLOW | CUE_ABOUT), CUE("only", FOLLOW),
	CUE("instead", FOLLOW), CUE("same", FOLLOW), CUE("but", FOLLOW), CUE("those", FOLLOW),
	CUE("them", FOLLOW), CUE("these", FOLLOW), CUE("make it", FOLLOW), CUE("change", FOLLOW),
	CUE("narrow", FOLLOW), CUE("filter", FOLLOW), CUE("restrict", FOLLOW),
	CUE("limit", FOLLOW), CUE("of those", FOLLOW), CUE("of these", FOLLOW),
	CUE("of them", FOLLOW), CUE("add", FOLLOW), CUE("including", FOLLOW),
	CUE("include", FOLLOW), CUE("extend", FOLLOW), CUE("widen", FOLLOW),
	CUE("increase", FOLLOW), CUE("reduce", FOLLOW), CUE("switch", FOLLOW),
	CUE("that also", FOLLOW), CUE("any with", FOLLOW), CUE("any of", FOLLOW),
	CUE("there", THERE), CUE("that airport", THERE), CUE("that one", THERE),
	CUE("this airport", THERE), CUE("this one", THERE), CUE("that field", THERE),
	CUE("this airfield", THERE), CUE("that place", THERE), CUE("from there", THERE),
	CUE("near it", THERE), CUE("around it", THERE), CUE("it", THERE), CUE("at it", THERE),
	CUE("more results", MORE), CUE("show more", MORE), CUE("more airports", MORE),
	CUE("more options", MORE), CUE("any more", MORE), CUE("more please", MORE),
	CUE("some more", MORE), CUE("show me more", MORE), CUE("any others", MORE),
	CUE("others", MORE), CUE("more of them", MORE),
	CUE("list more", MORE), CUE("give me more", MORE),
	CUE("back", BACK), CUE("and back", BACK), CUE("way back", BACK), CUE("return", BACK),
	CUE("the other way", BACK), CUE("other way round", BACK), CUE("reverse", BACK),
	CUE("return trip", BACK), CUE("return leg", BACK), CUE("return flight", BACK),
	CUE("opposite direction", BACK), CUE("other direction", BACK), CUE("on the way back", BACK),
	CUE("for the return", BACK), CUE("the way back", BACK), CUE("swap", BACK),
	CUE("start over", FRESH), CUE("new search", FRESH), CUE("new question", FRESH),
	CUE("reset", FRESH), CUE("forget that", FRESH), CUE("different question", FRESH),
	CUE("flying", TRAVEL), CUE("fly", TRAVEL), CUE("flight", TRAVEL), CUE("trip", TRAVEL),
	CUE("journey", TRAVEL), CUE("travelling", TRAVEL), CUE("going", TRAVEL),
	CUE("heading", TRAVEL), CUE("planning", TRAVEL), CUE("plan", TRAVEL), CUE("go", TRAVEL),
	CUE("xc", TRAVEL), CUE("cross country", TRAVEL), CUE("ferry", TRAVEL),
	CUE("near me", HERE), CUE("around me", HERE), CUE("around here", HERE),
	CUE("near here", HERE), CUE("my location", HERE), CUE("my position", HERE),
	CUE("close to me", HERE), CUE("nearest to me", HERE), CUE("where i am", HERE),

	/* what other tools are for, and what none is */
	CUE("how much notice", NOTIFY), CUE("how many hours notice", NOTIFY),
	CUE("notification requirement", NOTIFY), CUE("notification", NOTIFY),
	CUE("notify", NOTIFY), CUE("how early", NOTIFY), CUE("how far in advance", NOTIFY),
	CUE("prior notice required", NOTIFY), CUE("when should i notify", NOTIFY),
	CUE("when do i have to notify", NOTIFY), CUE("customs notice", NOTIFY),
	CUE("notice for customs", NOTIFY), CUE("notice period", NOTIFY),
	CUE("ppr required", NOTIFY), CUE("prior permission", NOTIFY),
	CUE("rules", RULES), CUE("rule", RULES), CUE("regulation", RULES), CUE("law", RULES),
	CUE("legal", RULES), CUE("legally", RULES), CUE("allowed", RULES),
	CUE("permitted", RULES), CUE("mandatory", RULES), CUE("compulsory", RULES),
	CUE("obligatory", RULES), CUE("am i allowed", RULES), CUE("do i need", RULES),
	CUE("do i have to", RULES), CUE("must i", RULES), CUE("is it allowed", RULES),
	CUE("semicircular", RULES), CUE("transponder", RULES), CUE("airspace", RULES),
	CUE("visibility minima", RULES), CUE("weather minima", RULES),
	CUE("weather minimums", RULES), CUE("flight plan", PLAN), CUE("flightplan", PLAN),
	CUE("do we need", RULES), CUE("vmc minima", RULES), CUE("landing requirement", RULES), CUE("entry requirement", RULES),
	CUE("legal requirement", RULES), CUE("can i bring", RULES), CUE("can i take", RULES),
	CUE("visa", RULES), CUE("gendec", RULES),
	CUE("general declaration", RULES), CUE("licence", RULES), CUE("license", RULES),
	CUE("transition altitude", RULES), CUE("squawk", RULES), CUE("uncontrolled airport", RULES),
	CUE("customs rules", RULES), CUE("procedure for joining", RULES),
	CUE("compare", COMPARE), CUE("comparison", COMPARE), CUE("difference", COMPARE),
	CUE("versus", COMPARE), CUE("vs", COMPARE), CUE("differ", COMPARE),
	CUE("browse", BROWSE), CUE("all rules", BROWSE), CUE("list the rules", BROWSE),
	CUE("list all rules", BROWSE), CUE("list rules", BROWSE), CUE("show all rules", BROWSE),
	CUE("weather", WEATHER), CUE("wx", WEATHER), CUE("metar", WEATHER), CUE("taf", WEATHER),
	CUE("forecast", WEATHER), CUE("wind", WEATHER), CUE("visibility", WEATHER),
	CUE("ceiling", WEATHER), CUE("cloud", WEATHER), CUE("icing", WEATHER), CUE("rain", WEATHER),
	CUE("thunderstorm", WEATHER), CUE("qnh", WEATHER), CUE("atis", WEATHER),
	CUE("notam", NOTAM), CUE("tfr", NOTAM), CUE("aip supplement", NOTAM),
	CUE("file", FILE), CUE("file a", FILE), CUE("file my", FILE), CUE("submit", FILE),
	CUE("book", FILE), CUE("book me", FILE), CUE("reserve", FILE), CUE("call the", FILE), CUE("phone the", FILE),
	CUE("send", FILE), CUE("email", FILE),
	CUE("hello", HELLO), CUE("hi", HELLO), CUE("hey", HELLO), CUE("good morning", HELLO),
	CUE("good afternoon", HELLO), CUE("good evening", HELLO), CUE("hiya", HELLO),
	CUE("howdy", HELLO), CUE("greetings", HELLO), CUE("good day", HELLO),
	CUE("how are you", HELLO), CUE("bonjour", HELLO), CUE("hallo", HELLO),
	CUE("thanks", THANKS), CUE("thank you", THANKS), CUE("thx", THANKS), CUE("cheers", THANKS),
	CUE("ta", THANKS), CUE("many thanks", THANKS), CUE("bye", THANKS), CUE("goodbye", THANKS),
	CUE("thank you very much", THANKS), CUE("perfect", THANKS), CUE("that's great", THANKS),
	CUE("who are you", WHO), CUE("what are you", WHO), CUE("what can you do", WHO),
	CUE("help", WHO), CUE("how do you work", WHO), CUE("your name", WHO),
	CUE("what can i ask", WHO), CUE("can you help", WHO), CUE("are you a bot", WHO),
	CUE("ignore all previous", INJECT), CUE("ignore previous", INJECT),
	CUE("ignore all instructions", INJECT), CUE("ignore your instructions", INJECT),
	CUE("ignore the previous", INJECT), CUE("disregard previous", INJECT),
	CUE("disregard all previous", INJECT), CUE("disregard your", INJECT),
	CUE("system prompt", INJECT), CUE("your instructions", INJECT),
	CUE("previous instructions", INJECT), CUE("you are now", INJECT),
	CUE("pretend to be", INJECT), CUE("act as", INJECT), CUE("jailbreak", INJECT),
	CUE("developer mode", INJECT), CUE("api key", INJECT),
};

enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

void lexicon_init(struct lexicon *l, struct arena *a)
{
	memset(l->head, -1, sizeof(l->head));
	l->next = arena_array(a, NROWS, sizeof(*l->next));
	for (short i = NROWS - 1; i >= 0; i--) {
		unsigned char c = (unsigned char)rows[i].phrase[0] & 0x7f;
		l->next[i] = l->head[c];
		l->head[c] = i;
	}
}

/* Does a token match n bytes of a phrase? An apostrophe left out ("whats") and a plural s
 * do not count. */
static bool word_fits(const char *fold, const char *word, size_t n)
{
	size_t f = 0;
	for (size_t w = 0; w < n; w++) {
		if (fold[f] == word[w])
			f++;
		else if (word[w] != '\'' || w == 0)
			return false;
	}
	return fold[f] == '\0' || (n > 2 && fold[f] == 's' && fold[f + 1] == '\0');
}

/* How many tokens from i the phrase takes; 0: it does not match. */
static size_t phrase_fits(const char *phrase, const struct lexed *x, size_t i)
{
	size_t at = i;
	for (;;) {
		size_t n = strcspn(phrase, " ");
		if (at >= x->n || !word_fits(x->tok[at].fold, phrase, n))
			return 0;
		at++;
		phrase += n;
		if (*phrase == '\0')
			return at - i;
		phrase++;
		if (x->tok[at - 1].owner)
			return 0;
		if (at + 1 < x->n && x->tok[at].kind == TOK_SYMBOL && x->tok[at].fold[0] == '-')
			at++;
	}
}

const struct lex_row *lexicon_match(const struct lexicon *l, const struct lexed *x, size_t i,
    enum lex_class want, size_t *used)
{
	const struct lex_row *best = NULL;
	*used = 0;
	unsigned char c = (unsigned char)x->tok[i].fold[0] & 0x7f;
	for (short r = l->head[c]; r >= 0; r = l->next[r]) {
		if (want != LX_NONE && rows[r].class != want)
			continue;
		size_t n = phrase_fits(rows[r].phrase, x, i);
		if (n > *used) {
			best = &rows[r];
			*used = n;
		}
	}
	return best;
}

bool lexicon_slip(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), i = 0, j = 0;
	while (i < na && i < nb && a[i] == b[i])
		i++;
	while (j < na - i && j < nb - i && a[na - 1 - j] == b[nb - 1 - j])
		j++;
	size_t ra = na - i - j, rb = nb - i - j;     /* what differs in the middle */
	return (ra <= 1 && rb <= 1) ||
	    (ra == 2 && rb == 2 && a[i] == b[i + 1] && a[i + 1] == b[i]);
}

const struct lex_row *lexicon_guess(const struct lexicon *l, const char *fold)
{
	size_t n = strlen(fold);
	char single[64];
	if (n < 4 || n >= sizeof(single))
		return NULL;
	memcpy(single, fold, n + 1);
	if (single[n - 1] == 's')
		single[n - 1] = '\0';
	for (short r = l->head[(unsigned char)fold[0] & 0x7f]; r >= 0; r = l->next[r]) {
		const char *p = rows[r].phrase;
		size_t len = strlen(p);
		if (len < 4 || strchr(p, ' ') != NULL || (n == 4 && len != n))
			continue;
		/* Short words have too many neighbours: for them only swapped letters count. */
		if (n == 4 ? lexicon_slip(fold, p) && fold[0] == p[0] && fold[3] != p[3]
		    : lexicon_slip(fold, p) || lexicon_slip(single, p))
			return &rows[r];
	}
	return NULL;
}
