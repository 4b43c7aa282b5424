/*
 * Rows of terms: topics that rule bases seldom have (oxygen, night, fees). With these rows a
 * question about such a topic is not answered by the rest of its words.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
	/* -- weather and heights -- */
	TOPIC("vmc", "wx",
	    "vmc|weather minima|vmc minima|visibility minima|vfr minima|vfr weather minima|"
	    "weather minimums|vfr minimums|visibility|flight visibility|minimum visibility|"
	    "cloud clearance|distance from cloud|clear of cloud"),
	PART("minima", "vmc iap", "minima|minimums"),
	TOPIC("svfr", NULL, "special vfr|svfr"),
	TOPIC("night", NULL,
	    "night|night vfr|nvfr|vfr at night|at night|after dark|sunset|sunrise|dusk|"
	    "darkness|night rating|night flying|civil twilight"),
	TOPIC("ontop", NULL, "vfr on top|on top|above cloud|above the clouds"),
	TOPIC("minheight", NULL,
	    "minimum height|minimum altitude|minimum heights|lowest altitude|how low|"
	    "low flying|low level|minimum safe altitude|msa|minimum flight altitude|"
	    "congested area|built up area|built up areas|low pass|beach|rule 5|over a city|"
	    "over towns|over cities|minimum vfr height|minimum vfr altitude|villages"),
	TOPIC("maxheight", NULL,
	    "maximum altitude|maximum height|above fl195|fl195|service ceiling|rvsm"),
	TOPIC("speed", NULL, "speed limit|speed|250 knots|250 kt|knots|ias"),
	TOPIC("altimeter", NULL,
	    "altimeter|altimeter setting|transition altitude|transition level|qnh|qfe|"
	    "regional qnh|standard pressure|1013|pressure setting|regional pressure setting"),
	TOPIC("ice", NULL, "icing|deicing|de icing|ice|known ice|fiki|anti ice"),
	TOPIC("wind", NULL,
	    "max crosswind|maximum crosswind|crosswind demonstrated|demonstrated crosswind|"
	    "crosswind limit|crosswind component|turbulence|wake|wake turbulence|"
	    "thunderstorm|thunderstorms"),

	/* -- papers and money -- */
	TOPIC("licence", NULL,
	    "licence|license|licensing|lapl|ppl|cpl|nppl|rating|ratings|instrument rating|ir|"
	    "imc rating|irr|bir|medical|medical certificate|class 2 medical|class rating|"
	    "type rating|validation|revalidation|currency|recency|biennial|proficiency check|"
	    "pilot licence|pilot certificate|ir r|cb ir|easa licence|faa licence|"
	    "faa certificate|faa medical|part fcl|skill test|exam|validate|"
	    "convert my licence|licence conversion|faa ticket|my ticket|pilot ticket|faa|"
	    "uk licence|us licence"),
	TOPIC("elp", NULL,
	    "elp|language proficiency|english proficiency|proficiency level|level 4|level 5|"
	    "level 6|level four|level six|language test|language exam|language endorsement|"
	    "language certificate"),
	TOPIC("insurance", NULL, "insurance|insure|insured|liability"),
	TOPIC("fee", NULL,
	    "fee|fees|landing fee|landing fees|charge|charges|cost|costs|price|prices|"
	    "how much to land|pay|payment|tax|taxes|vat|excise|parking fee|handling fee|euro|"
	    "euros|money|eurocontrol charges|route charges|navigation charges|expensive|cheap"),
	TOPIC("documents", NULL,
	    "document|documents|airworthiness|arc|certificate|certificates|carry on board|"
	    "carried on board|required on board|must be on board|journey log|logbook|"
	    "tech log|radio licence|noise certificate|weight and balance"),
	PART("registration", NULL,
	    "n reg|n registered|foreign registered|registration|register|g reg|non easa|"
	    "foreign aircraft|a g reg|a n reg|an n reg|g registered|d reg|f reg"),
	TOPIC("maintenance", NULL,
	    "maintenance|inspection|annual inspection|annual check|workshop|overhaul|"
	    "calibration|calibrate|avionics shop|mechanic|repair|repairs|recertification|camo"),
	PART("hire", NULL, "rent|renting|rental|hire|hiring|charter|buy|buying|sell|selling"),
	TOPIC("slot", NULL, "airport slot|slot time|ctot|atfm|eurocontrol"),

	/* -- on board -- */
	TOPIC("oxygen", NULL, "oxygen|o2|supplemental oxygen|hypoxia|oximeter"),
	TOPIC("lifejacket", NULL,
	    "life jacket|lifejacket|life vest|life raft|liferaft|dinghy|over water|overwater|"
	    "immersion suit|ditching"),
	TOPIC("elt", NULL, "elt|plb|epirb|locator beacon|emergency beacon|406"),
	TOPIC("vest", NULL,
	    "vest|hi vis|hi viz|high vis|hi vis vest|high vis vest|safety vest|"
	    "high visibility vest|high visibility jacket|high vis jacket"),
	PART("equipment", NULL,
	    "equipment|equipped|avionics|moving map|fire extinguisher|first aid|headset|dme|"
	    "adf|vor"),
	TOPIC("spacing", NULL, "8 33|833|8 33 radio|833 radio|25 khz|8 33 khz|khz"),
	PART("lights", NULL,
	    "pilot controlled lighting|pcl|runway lights|runway lighting|landing light|"
	    "strobe|strobes|nav lights"),
	TOPIC("alcohol", NULL,
	    "alcohol|drink|drinking|beer|smoking|smoke|drugs|age|minimum age"),
	PART("passengers", NULL,
	    "passenger|passengers|cost sharing|cost share|share costs|cost shared|children|"
	    "child|baby|dog|dogs|pet|pets|animal|animals|seat belt|seatbelt"),
	TOPIC("photo", NULL,
	    "photo|photos|photograph|photography|photographs|camera|filming|film|"
	    "drop objects|banner|banner towing|towing"),

	/* -- other ways of flying -- */
	TOPIC("aerobatics", NULL,
	    "aerobatic|aerobatics|spinning|loops|formation|formation flying|stunt"),
	TOPIC("drone", NULL,
	    "drone|drones|uas|uav|rpas|unmanned aircraft|model aircraft|model flying"),
	PART("ultralight", NULL,
	    "microlight|ultralight|ulm|ul|annex ii|annex 1|annex 2|homebuilt|kitplane|"
	    "permit to fly|experimental|lsa|light sport|autogyro|gyrocopter|gyroplane|"
	    "vintage aircraft|permit aircraft|non certified|trike|paramotor"),
	PART("heli", NULL, "helicopter|helicopters|heli|heliport|rotorcraft|helipad"),
	PART("balloon", NULL, "balloon|balloons|ballooning|airship"),
	PART("seaplane", NULL,
	    "seaplane|floatplane|amphibian|water landing|land on water|lake|lakes"),
	PART("mountain", NULL,
	    "mountain|mountains|altiport|glacier|alps|alpine|mountain rating"),
	TOPIC("offfield", NULL,
	    "off airport landing|off airport|outlanding|land in a field|land outside|"
	    "land off airport|own land|outside an aerodrome|outside aerodromes|private land"),
	PART("training", NULL,
	    "training|train|student|students|solo|instructor|lesson|lessons|flight school|"
	    "flying school|flight training|ato|dto|trainee|touch and goes training"),
	PART("weight", NULL,
	    "mtow|maximum weight|heavy|two tonnes|2 tonnes|overweight|twin|twins|jet|"
	    "turboprop|single engine|single engined|multi engine"),

	/* -- when it goes wrong -- */
	TOPIC("nordo", "radio",
	    "nordo|no radio|non radio|without radio|without a radio|radio failure|"
	    "radio fails|comms failure|comm failure|lost comms|lost comm|radio dies|"
	    "communication failure"),
	TOPIC("emergency", NULL,
	    "emergency|emergencies|mayday|pan pan|distress|7700|7600|121 5|engine failure|"
	    "forced landing|precautionary landing"),
	TOPIC("intercept", "military", "intercept|intercepted|interception"),
	TOPIC("accident", NULL,
	    "accident|accidents|incident|incidents|occurrence|crash|mor|airprox"),

	/* -- airfields and procedures -- */
	PART("fuel", NULL,
	    "fuel|refuel|refuelling|refueling|avgas|mogas|jet a1|jet a|ul91|petrol|"
	    "fuel reserve|reserves|bowser|unleaded|self serve"),
	TOPIC("handling", NULL,
	    "handling agent|handling agents|handling company|handler|fbo"),
	PART("hangar", NULL,
	    "hangar|hangarage|tie down|tiedown|overnight parking|hotel|accommodation|"
	    "restaurant|cafe|taxi cab|rental car|hire car"),
	TOPIC("notam", NULL, "notam|notams|snowtam"),
	PLAIN(
	    "map|maps|on the map|on the chart|on my map|on my chart|on charts|by accident|"
	    "by mistake|on frequency|on the frequency"),
	PART("chart", NULL, "chart|charts|vac|visual approach chart|aip|plates|plate"),
	PART("hours", NULL,
	    "opening hours|operating hours|opening times|curfew|h24|public holiday|"
	    "closing time|lunch break"),
	TOPIC("noise", NULL,
	    "noise|noise abatement|quiet|noise restriction|noise restrictions|silencer"),
	TOPIC("nature", NULL,
	    "nature reserve|national park|wildlife|bird sanctuary|birds|bird"),
	TOPIC("holding", NULL, "holding pattern|hold entry|sid|sids|star|stars"),
	TOPIC("runwaylength", NULL,
	    "runway length|runway surface|length|surface|how long is the runway|runway long|"
	    "metres long|long enough"),
	TOPIC("whichfrequency", NULL,
	    "tower frequency|ground frequency|atis frequency|vhf frequency|what frequency|"
	    "which frequency|frequency of|frequency for|frequency has"),
	TOPIC("minima", NULL, "approach ban|circling minima|mda|decision height|rvr"),
	TOPIC("orbit", "inair", "orbit|orbits"),
};
const struct synonyms synonyms_others = SYNONYMS(rows);
