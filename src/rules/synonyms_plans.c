/*
 * Rows of terms: flight plans and what they are filed with, and borders.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
	/* -- flight plans -- */
	TOPIC("fpl", NULL,
	    "flight plan|flightplan|fpl|fpln|icao plan|icao flight plan|atc plan|"
	    "atc flight plan|abbreviated flight plan|full flight plan|f plan|flt plan|fplan|"
	    "plan"),
	TOPIC("vfr fpl", NULL, "vfr plan|vfr flight plan|vfr fpl"),
	TOPIC("ifr fpl", NULL, "ifr plan|ifr flight plan|ifr fpl"),
	TOPIC("fpl", "file",
	    "file|filing|file a plan|file in advance|submit|submit a plan|"
	    "submit a flight plan|submit a vfr flight plan"),
	TOPIC("fpl file", NULL,
	    "how do i file|how to file|how file|where do i file|where to file|how submit|"
	    "how to submit|where submit|where to submit|how lodge|how to lodge|where lodge|"
	    "way to file|way of filing|way to submit|way to lodge|file online|file by phone|"
	    "place to file|how do people file|how do pilots file|how do locals file|how send|"
	    "where send|who send|how to send|where to send|who to send|how put in|"
	    "where put in|how to put in|where to put in|where hand in|who do i file with|"
	    "who takes|submit online|where i can submit|send it to|preferred way to file|"
	    "where have to file|how have to file|where must file|where should file|"
	    "how should file|normally file|usually file|locals file|people file|folks file|"
	    "pilots file|everyone file|locals usually file|locals normally file|phone or app|"
	    "phone or online|online or phone|phone or internet|internet or phone|"
	    "app or phone|phone or website"),
	TOPIC("fpl", "need",
	    "need to file|have to file|must file|has to file|required to file|"
	    "obliged to file|gotta file|got to file|ought to file|necessary to file|"
	    "should i file|do i file|anything to file|file anything|have to be filed|"
	    "must be filed|need to be filed|need filing|mandatory to file|bother filing|"
	    "bother to file|skip the plan|skip the flight plan|without a plan|"
	    "without a flight plan|without flight plan|without plan|no flight plan|"
	    "without filing|go without a plan"),
	PART("file", NULL,
	    "submission|lodge|hand in|into the system|in the system|send in|put in|send|sent|"
	    "aro|briefing office"),
	PART("need", NULL,
	    "need to send|have to send|must send|need to put in|have to put in|must put in|"
	    "need to submit|have to submit|must submit|need to lodge|have to lodge|"
	    "must lodge|gotta send|gotta put in|required to submit|obliged to submit|"
	    "must give|need to give"),
	TOPIC("inflight", "file ppr",
	    "afil|air file|air filed|file in the air|filed in the air|file airborne|"
	    "file in flight|filed in flight|file by radio|file over the radio|"
	    "file over radio|before flight|before the flight|prior to flight|"
	    "before departure|prior to departure|before getting airborne|filed before|"
	    "before flying"),

	/* -- what one files with -- */
	TOPIC("autorouter", "file tool",
	    "autorouter|auto router|euro fpl|eurofpl|rocketroute|rocket route|skydemon|"
	    "sky demon|foreflight|fore flight|garmin pilot|easyvfr|easy vfr|fplanner|"
	    "third party|third party app|third party service|planning app|planning software|"
	    "online filing|autorouting"),
	TOPIC("fpl tool", "autorouter",
	    "flight planning app|flight planning software|flight plan app|"
	    "flight plan website|flight plan software|flight plan portal"),
	PART("tool", "prefer file",
	    "app|apps|website|web site|site|portal|online|software|tool|tools|internet|web|"
	    "tablet|ipad|service provider"),
	PART("alternative", "tool prefer",
	    "alternative|alternatives|other tool|other tools|alternative service|"
	    "local equivalent"),
	PART("prefer", NULL,
	    "prefer|preferred|best|best way|best place|recommend|recommended|recommendation|"
	    "easiest|favourite|favorite|simplest|most convenient|better|normal way|usual way|"
	    "usual route|normal route|proper way|right way|official way|correct way|"
	    "standard way|proper channel|sensible way|favoured|favored|favour|favor"),

	/* -- how they end -- */
	TOPIC("end", NULL,
	    "terminate|termination|cancel|cancelling|cancellation|close|closing|closed|"
	    "closure|finished"),
	PLAIN(
	    "plan on|how close|as close|too close|get close|plan to|planning to|planned to|"
	    "plan a trip|planning a trip|plan my trip|planning my trip|plan my flight|"
	    "planning my flight|planning a flight|close to|end up|in the end|at the end of|"
	    "close by|close enough"),
	TOPIC("end", "fpl",
	    "i m down|we re down|im down|were down|am down|are down|down safe|down safely|"
	    "safely down|safe on the ground|landed safely|landed safe|arrival message|"
	    "arrival report|report my arrival|report my landing|report arrival|"
	    "report landing|overdue|confirm landing|i have landed|we have landed|have landed|"
	    "search party|alerting service|start looking for me|look for me|search for me|"
	    "searches for me|searching for me|nobody searches|plan still open|plan is open|"
	    "plan open|open plan|flight plan still open|flight plan open|forgot to close|"
	    "forget to close|forget closing"),
	PART("landed", "end",
	    "after landing|after touchdown|after touching down|once landed|once down|"
	    "once on the ground|after arrival|after arriving"),
	PART("alerting", "end fpl", "search and rescue|sar|sar watch"),
	PART("end", NULL,
	    "end|ends|ended|finish|shut|get rid of the plan|get rid of my plan|sign off|"
	    "wind up"),
	TOPIC("ifr end", NULL,
	    "cancel ifr|cancelling ifr|cancelled ifr|terminate ifr|ifr cancellation|"
	    "close ifr|end ifr|drop ifr|ifr ends|ifr to vfr|change to vfr|switch to vfr|"
	    "switching to vfr|continue vfr|become vfr|yankee|yankee plan|y plan|"
	    "yankee flight plan|y flight plan|y fpl|yankee fpl|finish ifr"),

	/* -- borders -- */
	TOPIC("fir", "border",
	    "fir|firs|fir boundary|fir border|flight information region|"
	    "information region boundary|flight information regions"),
	TOPIC("border", "schengen",
	    "border|borders|frontier|international boundary|international border|"
	    "cross border|border crossing|crossing the border|cross the border|state border|"
	    "national border|abroad|foreign country|neighbouring country|neighboring country|"
	    "neighbour|neighbor|neighbouring|neighboring|next door|another country|"
	    "other country|different country|neighbouring state|international|"
	    "international flight|overseas|outside the country|leave the country|"
	    "leaving the country|next country|cross the channel|crossing the channel|"
	    "channel crossing|the channel|between countries|across the border|"
	    "over the border|hop across|hopping across|pop across|popping across|pop over to|"
	    "hop over to|nip across|territory|leaving territory|own country|home country|"
	    "the continent|other side of the border|crossing over to|mainland europe|"
	    "neighbouring fir"),
	PART("border", NULL, "foreign"),
	TOPIC("schengen", "border",
	    "schengen|non schengen|outside schengen|schengen area|schengen zone|immigration|"
	    "passport|passport control|border control|border police|police and customs|"
	    "customs and police|land first|first landing|stamp|stamped|passports|id check|"
	    "identity check|police check|brexit|post brexit|border force|border guard|"
	    "immigration control|immigration officer|third country|non eu|outside the eu|"
	    "outside eu|visa|entry formalities|border formalities|arrival formalities"),
	PART("schengen", "customs", "formality|formalities|designated airport|entry airport"),
	TOPIC("customs", "schengen",
	    "customs|customs clearance|customs officer|custom|general declaration|gendec|"
	    "gen dec|gar|general aviation report|port of entry|point of entry|entry point|"
	    "poe|customs airport|customs airfield|airport of entry|clear customs|"
	    "customs duty|import duty|duty free|pay duty"),
};
const struct synonyms synonyms_plans = SYNONYMS(rows);
