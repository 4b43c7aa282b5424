/*
 * What pilots call things. A row gives the concepts of all its phrases; the longest phrase that
 * fits wins, of equal ones the first. Words are compared by their stems, and blanks and
 * hyphens do not matter ("take off", "take-off", "takeoff").
 *
 * Topics that rule bases seldom have (oxygen, night, fees) have rows too: a question about one of
 * them is then not taken for a question about the rest of its words.
 */
#include "rules/terms.h"

#define TOPIC(says, hints, phrases) { TERM_TOPIC, says, hints, phrases }
#define PART(says, hints, phrases)  { TERM_PART, says, hints, phrases }
#define FAINT(says, phrases)        { TERM_FAINT, says, NULL, phrases }
#define PLAIN(phrases)              { TERM_FAINT, "", NULL, phrases }

const struct term_row term_rows[] = {
	/* -- who one talks to -- */
	TOPIC("fis", "ats",
	    "fis|flight information|flight information service|flight info|"
	    "flight information centre|flight information center|flight information unit|fic|"
	    "area information|area frequency|enroute information|en route information|"
	    "enroute frequency|en route frequency|enroute information service|"
	    "london information|scottish information|london info|langen information|"
	    "langen info|bremen information|munich information|dutch mil info|"
	    "brest information|paris information|marseille information|regional information|"
	    "information service enroute|basic service|traffic service|deconfliction service|"
	    "procedural service|lars|lower airspace radar service|radar information service|"
	    "information frequency|info frequency|information controller|siv|flight following|"
	    "vfr flight following|info people|info guys|info lady|info folks|"
	    "information people|information guys|information lady|information folks|"
	    "info service|flight service|flight info people"),
	TOPIC("afis", "ats info",
	    "afis|afiso|fiso|afis officer|information officer|airfield information|"
	    "airfield information service|aerodrome information|aerodrome information service|"
	    "aerodrome flight information|aerodrome flight information service|"
	    "airport information|airport information service|airport flight information|"
	    "airfield info|airfield flight information|flight information officer|afis unit|"
	    "afis bloke|afis guy|afis people|afis station|afis agent|afis airfield|afis field|"
	    "afis aerodrome|information airfield|information field|information aerodrome|"
	    "information callsign|info callsign|information station|tiz|tia|"
	    "traffic information zone|flight information zone|fiz"),
	PART("info", "fis afis", "information|info"),
	TOPIC("agradio", "ats radio",
	    "air ground|air ground radio|air to ground|air to ground radio|air ground station|"
	    "air ground operator|air ground service|a g|a g radio|a g operator|a g station|"
	    "a g service|ag radio|agcs|airfield radio|airfield radio service|aerodrome radio|"
	    "aerodrome radio service|airport radio|airport radio service|field radio|"
	    "radio operator|radio service|radio airfield|radio field|radio aerodrome|"
	    "radio station|radio callsign|radio only|club radio|club frequency|unicom|ctaf|"
	    "advisory frequency|self announce|self information|radio people|radio lady|"
	    "voice on the radio|lady on the radio|betriebsleiter|answers on the radio|"
	    "answering on the radio|speaks on the radio|talks on the radio|auto info|autoinfo|"
	    "auto information|a a|safetycom|flugleiter|radio man|radio guy|bloke on the radio|"
	    "guy on the radio|man on the radio|person on the radio|someone on the radio"),
	PART("radio", "contact", "radio|rt|r t"),
	PART("contact", "fis radio", "on the radio|over the radio|by radio|via radio|over radio"),
	TOPIC("atc", "ats",
	    "control tower|tower people|tower guys|tower folks|tower lady|tower controllers|"
	    "traffic controllers|gnd|atc|air traffic control|air traffic controller|"
	    "traffic control|controller|atco|tower|twr|tower controller|aerodrome control|"
	    "ground control|ground controller|approach control|approach controller|"
	    "approach radar|approach unit|delivery"),
	TOPIC("atc airfield", "ats",
	    "controlled airport|controlled airfield|controlled aerodrome|controlled field|"
	    "towered place|tower airfield|tower airport|tower field|towered airport|"
	    "towered airfield|towered field|towered aerodrome|atc airport|atc airfield|"
	    "atc field|atc aerodrome|full atc|airport with a tower|field with a tower"),
	TOPIC("ats", NULL, "ats|air traffic service|air traffic services|air traffic"),
	PART("radar", "ats xpdr", "radar|radar service|radar control|vectors"),
	TOPIC("ats", "atc",
	    "atc service|service from atc|air traffic control service|control service"),
	TOPIC("overcontrol", "lesser",
	    "overcontrol|over control|overreach|overstep|bossy|boss|boss around|play policeman|"
	    "behave like controllers|bossing|act like atc|acting like atc|behave like atc|"
	    "behaving like atc|play atc|playing atc|play controller|playing controller|"
	    "like a controller|like controllers|like a tower|as if they were atc|"
	    "as if they were controllers|give orders|giving orders|order around|ordering|"
	    "exceed|overdo|overdoing|bark|barking|exceed their authority|"
	    "beyond their authority|more control|throw their weight|too strict|overzealous|"
	    "over zealous|power trip|micromanage|know their place|keep to their role|"
	    "stick to information|keep to information"),
	PART("overcontrol", "lesser",
	    "instruction|instructions|instruct|bark commands|give commands"),
	TOPIC("lesser", NULL, "lesser|lesser service|non atc|not atc"),

	PLAIN(
	    "no afis|not afis|no fis|no control|no controller|nobody controlling|"
	    "no information service|no information|no radar"),

	/* -- airspace; "class D or E" is read by terms.c -- */
	PART("airspace", NULL, "airspace|zone|area|sector"),
	TOPIC("classa", "controlled", "class a|class alpha|class alfa|a airspace"),
	TOPIC("classb", "controlled", "class b|class bravo|bravo airspace|b airspace"),
	TOPIC("classc", "controlled",
	    "class c|class charlie|charlie|charlie airspace|c airspace|in c|through c|into c|"
	    "enter c"),
	TOPIC("classd", "controlled ctr",
	    "class d|class delta|delta|delta airspace|d airspace|in d|through d|a d|to d|"
	    "into d|enter d"),
	TOPIC("classe", "controlled",
	    "class e|class echo|echo|echo airspace|e airspace|in e|through e"),
	TOPIC("classf", "uncontrolled", "class f|class foxtrot|f airspace"),
	TOPIC("classg", "uncontrolled",
	    "class g|class golf|golf|golf airspace|g airspace|in g|open fir"),
	TOPIC("controlled", "classc classd",
	    "controlled airspace|cas|controlled|inside controlled|airway|airways|tma|"
	    "terminal area|terminal manoeuvring area|terminal control area|cta|control area"),
	TOPIC("uncontrolled", "classg",
	    "uncontrolled|uncontrolled airspace|non controlled|noncontrolled|not controlled|"
	    "ocas|outside controlled|outside controlled airspace|outside cas|outside tma|"
	    "outside tmas|outside the tma|outside cta|outside airways|outside ctr|"
	    "outside a ctr|outside control zone|outside a control zone|outside class d|"
	    "free airspace|unregulated airspace"),
	TOPIC("openfield airfield", "unmanned uncontrolled",
	    "uncontrolled airfield|uncontrolled airport|uncontrolled field|"
	    "uncontrolled aerodrome|non controlled airfield|non controlled airport|"
	    "non controlled aerodrome|non controlled field|non towered|nontowered|untowered|"
	    "non towered airfield|non towered airport|non towered field|no tower|"
	    "without a tower|without tower|without atc|no atc|not got a tower"),
	TOPIC("unmanned", "openfield",
	    "unmanned|unattended|unstaffed|not manned|no one on the radio|nobody on the radio|"
	    "nobody on frequency|nobody on the frequency|no one on frequency|nobody there|"
	    "no one there|outside tower hours|outside atc hours|outside hours|"
	    "outside opening hours|outside operating hours|outside afis hours|"
	    "outside afis opening hours|outside tower opening hours|after hours|out of hours|"
	    "closed in the evening|closed at night|airport closed|airport is closed|"
	    "airfield closed|field closed|gone home|tower closed|tower closes|tower has closed|"
	    "atc closed|atc closes|afis closed|tower has gone home|nobody answers|"
	    "no answer on the radio|deserted|blind call|blind calls|no radio operator|"
	    "nobody in the tower|nobody around|nobody on duty|no one on duty"),
	TOPIC("ctr", "controlled classd", "ctr|control zone"),
	TOPIC("atz", "airfield", "atz|aerodrome traffic zone|airport traffic zone"),
	TOPIC("rmz", "radio", "rmz|radio mandatory zone"),
	TOPIC("tmz", "xpdr", "tmz|transponder mandatory zone"),
	TOPIC("adiz", "border",
	    "adiz|air defence identification zone|air defense identification zone"),

	/* -- areas one may have to keep out of -- */
	TOPIC("danger", "airspace",
	    "danger area|danger zone|d area|dangerous area|firing range|gunnery range|"
	    "shooting range|live firing|range danger area|rocket range|artillery|"
	    "artillery range|gunnery|dacs|daais|danger"),
	TOPIC("restricted", "airspace",
	    "restricted area|restricted airspace|restricted zone|restricted|r area|ra t|"
	    "temporary restricted area|temporary restriction|tra|tsa|temporary reserved area|"
	    "temporary reserved airspace|temporary segregated area|temporary reserved|"
	    "temporary segregated|rzone|r zone"),
	TOPIC("prohibited", "airspace",
	    "prohibited area|prohibited zone|prohibited airspace|prohibited|p area|p zone|"
	    "no fly zone|no fly area|no fly|no fly circle|palace|refinery|nuclear|"
	    "forbidden area|forbidden zone|forbidden airspace|nuclear power station|"
	    "nuclear power plant|nuclear plant|nuclear site|power station|prison"),
	/* as charts write them: the country's ICAO letters and the kind */
	TOPIC("danger", "airspace",
	    "ed d|et d|lf d|ls d|lo d|li d|le d|lp d|lg d|lt d|lk d|lz d|lh d|lr d|lb d|ld d|"
	    "lj d|lq d|ly d|lw d|la d|lm d|eb d|eh d|ei d|eg d|ek d|es d|en d|ef d|ee d|ey d|"
	    "ev d|ep d|el d|bi d|egd|lfd|edd|ehd|ebd|eid|esd|ekd"),
	TOPIC("restricted", "airspace",
	    "ed r|et r|lf r|ls r|lo r|li r|le r|lp r|lg r|lt r|lk r|lz r|lh r|lr r|lb r|ld r|"
	    "lj r|lq r|ly r|lw r|la r|lm r|eb r|eh r|ei r|eg r|ek r|es r|en r|ef r|ee r|ey r|"
	    "ev r|ep r|el r|bi r|edr|lfr|lsr|egr|ehr|ebr|lkr|lir|epr|ekr"),
	TOPIC("prohibited", "airspace",
	    "ed p|et p|lf p|ls p|lo p|li p|le p|lp p|lg p|lt p|lk p|lz p|lh p|lr p|lb p|ld p|"
	    "lj p|lq p|ly p|lw p|la p|lm p|eb p|eh p|ei p|eg p|ek p|es p|en p|ef p|ee p|ey p|"
	    "ev p|ep p|el p|bi p|edp|lfp|egp|ehp|lsp"),
	TOPIC("military", NULL,
	    "military|mil|air force|airforce|raf|luftwaffe|army|navy|mod|ministry of defence|"
	    "fighter|fighter jet|fighters|fast jet|fast jets|soldiers|defence"),
	TOPIC("military airspace", NULL,
	    "matz|matz penetration|moa|moas|military operations area|military area|"
	    "military zone|military airspace|military training area|military exercise|"
	    "military exercise area|military training|low flying area"),
	TOPIC("military airfield", NULL,
	    "military airfield|military airport|military aerodrome|military field|"
	    "military base|military strip|military runway|air base|airbase|air force base|"
	    "raf base|raf station|naval air station"),
	PART("base", "military airfield", "base|bases"),
	TOPIC("parachute", "airspace",
	    "parachute|parachute area|parachute zone|parachute site|parachute drop zone|"
	    "parachute dropping|para|para drop|paradrop|para dropping|para area|parachuting|"
	    "parachutist|skydive|skydiver|skydiving|skydive site|drop zone|dropzone|"
	    "dropping zone|drop site|jump zone|jumper|jumpers|jumping|canopies|chute|chutes|"
	    "parachutes|meat bombers|jump plane|jump ship|meat bombs|dz|free fall|freefall"),
	TOPIC("gliding", "airspace",
	    "glider|gliding|gliding site|glider site|glider launch|glider launch site|"
	    "gliding launch site|glider field|gliding field|gliding club|glider club|sailplane|"
	    "winch|launching|gliders launching|thermalling|winch launch|winch launching|"
	    "winching|winch cable|cable launch|cable|aerotow|soaring|hang glider|hang gliding|"
	    "paraglider|paragliding|launch site"),
	PART("penetrate", NULL,
	    "penetrate|penetration|penetrating|enter|entry|entering|transit|cross|crossing|"
	    "fly through|flying through|go through|going through|pass through|passing through|"
	    "cut through|cutting through|go in|going in|get through|route through|"
	    "routing through|straight through|through|fly into|flying into|go into|get into|"
	    "infringe|infringement|bust|busting|overfly|overflying|overflight|fly over|"
	    "flying over|overhead|stray into|blunder into|plough through|nip through|"
	    "sneak through|squeeze|skirt|skirting|shortcut|short cut|cut across|cut the corner|"
	    "pass over|pass overhead|passing overhead|route over|over the top|above it|"
	    "above them|cross above|go across|transiting|transition through|nibble|clip|"
	    "clipping|corner|avoid|keep clear|keep out|stay clear|steer clear|stay away"),

	PART("active", "danger restricted military",
	    "active|inactive|activated|not active|deactivated|when cold|when hot|is cold|is hot"),

	/* -- parts of an airfield and of a flight -- */
	PART("airfield", NULL,
	    "airfield|airport|aerodrome|airpark|field|strip|airstrip|grass strip|farm strip|"
	    "private strip|ad|landing ground|landing site|landing strip|flying club|aeroclub|"
	    "aero club|local club|aeroport|flugplatz|destination airfield"),
	TOPIC("vfr airfield", NULL,
	    "vfr airfield|vfr airport|vfr field|vfr aerodrome|vfr strip|vfr only airfield|"
	    "vfr only airport|vfr only field|vfr only aerodrome|vfr only|visual only|"
	    "vfr destination|vfr only destination"),
	TOPIC("taxi", NULL,
	    "taxi|taxying|taxiing|taxiway|taxy|apron|ramp|parking stand|the stand|my stand|"
	    "parking position|parking|pushback|push back|engine start|start engine|start up|"
	    "startup|start the engine|leave parking|leave the parking|taxi out|roll to|"
	    "manoeuvring area|maneuvering area|movement area|hold short|holding point|"
	    "ground movement|move on the ground|moving on the ground|on the ground|the hold|"
	    "to the hold|at the hold|vacate|vacating|leave the stand|backtaxi|pumps|pump|"
	    "fuel pump"),
	TOPIC("runway", NULL,
	    "runway|rwy|line up|lineup|lining up|backtrack|back track|active runway|"
	    "touch and go|departure roll|takeoff roll|line up and wait|enter the runway|"
	    "entering the runway|go around|low approach|set down|put it down|put down|rolling|"
	    "short final|touchdown|touch down|cleared to land|cleared for take off|"
	    "cleared to take off|landing clearance|take off clearance|clear to land|"
	    "land and take off|landing and departing|take off and land|takeoff and landing"),
	PART("runway", NULL, "take off|takeoff|roll"),
	PART("landing", "runway", "land|landing"),
	PART("takeoff", "runway", "depart|departing|departure"),
	TOPIC("inair", NULL,
	    "in the air|airborne|in flight|inflight|while flying|once airborne|in air|"
	    "once flying|wheels off|off the ground|aloft"),
	TOPIC("circuit", "join inair",
	    "circuit|pattern|traffic pattern|traffic circuit|visual circuit|visual pattern|"
	    "airfield circuit|aerodrome circuit|landing pattern|landing circuit|"
	    "aerodrome traffic circuit|straight final|long straight final|barge in|barging in|"
	    "cut in|come into the pattern|come into the circuit|pattern altitude|"
	    "pattern height|circuit height|circuit altitude|which leg|run and break|"
	    "circuit pattern|downwind|downwind leg|base leg|crosswind|crosswind leg|right base|"
	    "left base|left hand circuit|right hand circuit|left downwind|right downwind|"
	    "circuit direction|onto base|join base|on final|final approach|long final"),
	TOPIC("join", NULL, "join|joining|joined|integrate|integration"),
	TOPIC("circuit", "join inair",
	    "overhead join|join overhead|joining overhead|standard overhead join|"
	    "standard overhead|oj|soj|overhead joining|straight in|straight ins|"
	    "straight in approach|straight in join|join downwind|joining downwind|"
	    "join crosswind|enter the circuit|enter the pattern|enter downwind|"
	    "entering the circuit|entering the pattern|pattern entry|circuit entry|"
	    "circuit joining|circuit join|joining the circuit|join the circuit|"
	    "join the pattern|joining the pattern|dead side|deadside|standard join|"
	    "descend dead side|45 degree|45 degree entry|forty five degree|"
	    "slot into the circuit|slot in|get into the circuit|get into the pattern|"
	    "arrive overhead"),
	TOPIC("call", "contact",
	    "what do i say|what should i say|what do you say|what to say|what to tell|"
	    "want to hear|what do i tell|what should i tell|say first|call for the first time|"
	    "contact the first time|first time i call|first message|opening message|"
	    "opening transmission|message|transmission"),
	TOPIC("call", "contact",
	    "first call|initial call|initial contact|first contact|call up|opening call|"
	    "first radio call|initial radio call|check in|first transmission|"
	    "initial transmission"),
	PART("contact", "fis",
	    "give a shout|give them a shout|give him a shout|a shout|shout up|no radio contact|"
	    "without radio contact|mike|mic|microphone|mute|working me|work me|worked by|"
	    "be worked|stay silent|keep quiet|keep silent|silent|without talking|"
	    "without speaking|not talking|not talk|chat|chatting|raise|announce|comms|"
	    "position report|position reports|radio comms|call|contact|talk to|speak to|"
	    "make contact|calling|talk|talking|get in touch|radio call|radio contact|two way|"
	    "two way radio|report position"),
	TOPIC("distance", "call",
	    "how long before|how long before arrival|how long before landing|at what point|"
	    "how far|how far out|how far away|how many miles|how many nm|miles out|nm out|"
	    "minutes out|how many minutes|how early|how soon|at what distance|what distance|"
	    "distance|range|miles|nautical miles|miles before|minutes before|"
	    "when should i call|when do i call|when do you call|when to call|km out"),
	PART("destination", NULL, "destination|dest"),
	PART("arrive", "inair join",
	    "arrive|arrival|arriving|inbound|come in|coming in|fly in|flying in|get in"),

	/* -- transponders -- */
	TOPIC("xpdr", NULL,
	    "transponder|xpdr|xponder|txpdr|tpdr|squawk|squawking|squawk code|ssr|ssr code|"
	    "mode s|mode c|mode a|mode a c|mode s transponder|mode c transponder|mode charlie|"
	    "mode sierra|altitude reporting|altitude encoder|altitude encoding|encoder|"
	    "non transponder|7000|conspicuity code|vfr code|transponder code|alt mode"),
	PART("xpdr", NULL, "code|codes|box|squawk box|txp|non txp"),
	TOPIC("listening xpdr", "monitor",
	    "listening squawk|listening out squawk|listen squawk|monitoring squawk|"
	    "monitoring code|listening code|frequency monitoring|frequency monitoring code|"
	    "frequency monitor code|fmc|fmcs|squawk and listen|listen and squawk|monitor code|"
	    "monitoring conspicuity code"),
	TOPIC("listening", "monitor",
	    "listening|listening out|listen|listen out|listening watch|listening in"),
	PART("monitor", "listening", "monitor|monitoring"),

	/* -- flight plans -- */
	TOPIC("fpl", NULL,
	    "flight plan|flightplan|fpl|fpln|icao plan|icao flight plan|atc plan|"
	    "atc flight plan|abbreviated flight plan|full flight plan|f plan|flt plan|fplan|"
	    "plan"),
	TOPIC("vfr fpl", NULL, "vfr plan|vfr flight plan|vfr fpl"),
	TOPIC("ifr fpl", NULL, "ifr plan|ifr flight plan|ifr fpl"),
	TOPIC("fpl", "file",
	    "file|filing|file a plan|file in advance|submit|submit a plan|submit a flight plan|"
	    "submit a vfr flight plan"),
	TOPIC("fpl file", NULL,
	    "how do i file|how to file|how file|where do i file|where to file|how submit|"
	    "how to submit|where submit|where to submit|how lodge|how to lodge|where lodge|"
	    "way to file|way of filing|way to submit|way to lodge|file online|file by phone|"
	    "place to file|how do people file|how do pilots file|how do locals file"),
	PART("file", NULL,
	    "submission|lodge|hand in|into the system|in the system|send in|put in|send|sent|"
	    "aro|briefing office"),
	TOPIC("inflight", "file ppr",
	    "afil|air file|air filed|file in the air|filed in the air|file airborne|"
	    "file in flight|filed in flight|file by radio|file over the radio|file over radio|"
	    "before flight|before the flight|prior to flight|before departure|"
	    "prior to departure|before getting airborne|filed before|before flying"),
	TOPIC("autorouter", "file tool",
	    "autorouter|auto router|euro fpl|eurofpl|rocketroute|rocket route|skydemon|"
	    "sky demon|foreflight|fore flight|garmin pilot|easyvfr|easy vfr|fplanner|"
	    "third party|third party app|third party service|planning app|planning software|"
	    "online filing|autorouting"),
	TOPIC("fpl tool", "autorouter",
	    "flight planning app|flight planning software|flight plan app|flight plan website|"
	    "flight plan software|flight plan portal"),
	PART("tool", "prefer",
	    "app|apps|website|web site|site|portal|online|software|tool|tools|internet|web|"
	    "tablet|ipad|alternative|alternatives|service provider"),
	PART("prefer", NULL,
	    "prefer|preferred|best|best way|best place|recommend|recommended|recommendation|"
	    "easiest|favourite|favorite|simplest|most convenient|better"),
	TOPIC("end", NULL,
	    "terminate|termination|cancel|cancelling|cancellation|close|closing|closed|closure|"
	    "finished"),
	PLAIN(
	    "plan on|how close|as close|too close|get close|plan to|planning to|planned to|"
	    "plan a trip|planning a trip|plan my trip|planning my trip|plan my flight|"
	    "planning my flight|planning a flight|close to|end up|in the end|at the end of|"
	    "close by|close enough"),
	TOPIC("end", "fpl",
	    "i m down|we re down|im down|were down|am down|are down|down safe|down safely|"
	    "safely down|safe on the ground|landed safely|landed safe|arrival message|"
	    "arrival report|report my arrival|report my landing|report arrival|report landing|"
	    "overdue|confirm landing|i have landed|we have landed|have landed|search party|"
	    "alerting service|start looking for me|look for me|search for me|searches for me|"
	    "searching for me|nobody searches"),
	PART("landed", "end",
	    "after landing|after touchdown|after touching down|once landed|once down|"
	    "once on the ground|after arrival|after arriving"),
	PART("alerting", "end fpl", "search and rescue|sar|sar watch"),
	PART("end", NULL, "end|ends|ended|finish|shut"),
	TOPIC("ifr end", NULL,
	    "cancel ifr|cancelling ifr|cancelled ifr|terminate ifr|ifr cancellation|close ifr|"
	    "end ifr|drop ifr|ifr ends|ifr to vfr|change to vfr|switch to vfr|switching to vfr|"
	    "continue vfr|become vfr|yankee|yankee plan|y plan|yankee flight plan|"
	    "y flight plan|y fpl|yankee fpl|finish ifr"),
	TOPIC("fir", "border",
	    "fir|firs|fir boundary|fir border|flight information region|"
	    "information region boundary|flight information regions"),
	TOPIC("border", "schengen",
	    "border|borders|frontier|international boundary|international border|cross border|"
	    "border crossing|crossing the border|cross the border|state border|national border|"
	    "abroad|foreign country|neighbouring country|neighboring country|neighbour|"
	    "neighbor|neighbouring|neighboring|next door|another country|other country|"
	    "different country|neighbouring state|international|international flight|overseas|"
	    "outside the country|leave the country|leaving the country|next country|"
	    "cross the channel|crossing the channel|channel crossing|the channel|"
	    "between countries|across the border|over the border|hop across|hopping across|"
	    "pop across|popping across|pop over to|hop over to|nip across|territory|"
	    "leaving territory|own country|home country"),
	PART("border", NULL, "foreign"),
	PART("boundary", NULL, "boundary|boundaries|line"),
	TOPIC("schengen", "border",
	    "schengen|non schengen|outside schengen|schengen area|schengen zone|immigration|"
	    "passport|passport control|border control|border police|police and customs|"
	    "customs and police|land first|first landing|stamp|stamped|passports|id check|"
	    "identity check|police check|brexit|post brexit|border force|border guard|"
	    "immigration control|immigration officer|third country|non eu|outside the eu|"
	    "outside eu|visa|entry formalities|border formalities|arrival formalities"),
	TOPIC("customs", "schengen border",
	    "customs|customs clearance|customs officer|custom|general declaration|gendec|"
	    "gen dec|gar|general aviation report|port of entry|point of entry|entry point|poe|"
	    "customs airport|customs airfield|airport of entry|clear customs|duty"),

	/* -- permissions -- */
	TOPIC("ppr", NULL,
	    "ppr|prior permission|prior permission required|permission in advance|"
	    "advance permission|permission beforehand|permission before|pnr|prior notice|"
	    "prior notification|advance notice|call ahead|phone ahead|ring ahead|ringing ahead|"
	    "phoning ahead|calling ahead|ring first|phone first|call first|phone before|"
	    "ring before|call before|drop by|pop in|pitch up|rock up|roll up|just arrive|"
	    "just go in|turn up|turning up|show up|showing up|unannounced|just turn up|"
	    "just show up|drop in|prior arrangement|by arrangement|arrange in advance|"
	    "ask before coming|invite|notify"),
	PART("ppr", NULL, "telephone|phone|phone call|phone up|ring up|ring|email"),
	PART("notice", "ppr customs",
	    "notice|how much notice|how much warning|hours before|notification"),
	TOPIC("ppr", NULL,
	    "without ringing|without calling|without phoning|without a call|land anywhere|"
	    "just land|land without asking|land without permission"),
	PART("permission", NULL,
	    "a yes|say yes|says yes|nod|ask|asking|ask first|asking first|without asking|"
	    "unprompted|ask anyone|permission|permissions|authorisation|authorization|"
	    "authorise|authorize|approval|approve|consent|say so|blessing|green light|go ahead|"
	    "the nod|okay|their ok|an ok|his ok|ok from|ok|okays"),
	TOPIC("clearance", "permission",
	    "let me in|let you in|let me into|let you into|wave me through|let me through|"
	    "say cleared|hear cleared|says cleared|said cleared|magic words|exact words|"
	    "clear us|clear you|clearance|clearances|cleared|clear me|get cleared|a clearance|"
	    "atc clearance"),
	TOPIC("grant clearance", NULL,
	    "pass me to|pass me on|pass you on|hand me over|hand you over|handed over|"
	    "relay a clearance|relay clearance|relay|pass on a clearance|obtain clearance|"
	    "get clearance for me|issue clearance|issue a clearance|give clearance|"
	    "give a clearance|clearance from fis|grant|grants|coordinate|on my behalf|"
	    "arrange a clearance|arrange clearance"),
	TOPIC("rely", NULL,
	    "rely|relying|reliable|count on|depend on|trust|warn|warns|warning|alert|"
	    "keep me out|keep me clear|point out|remind|heads up|keep an eye on|watch over|"
	    "look after|will they tell"),
	PART("rely", NULL, "tell you about|say nothing|said nothing|says nothing"),
	PART("rely", NULL,
	    "stop me|stop me from|save me|prevent me|tell me|tell me before|let me know|advise|"
	    "inform me|tell vfr traffic|tell traffic"),
	PART("inflight", "ppr file", "in advance|beforehand"),
	PART("sufficient", NULL,
	    "sufficient|suffice|enough|good enough|count as|counts as|replace|instead|"
	    "substitute|double as|serve as|cover|covers|does the job|do the job|as good as"),
	PART("civil", NULL,
	    "civilian|civil|civvy|ga|general aviation|private pilot|private aircraft|"
	    "light aircraft|light aeroplane|non military|civilians"),
	PART("available", NULL,
	    "available|open to|usable|accessible|accept visitors|visitors|visitor|visiting|"
	    "welcome"),

	/* -- flying on instruments, and not quite -- */
	TOPIC("vfr", NULL, "vfr|visual flight|visual flight rules|visually"),
	TOPIC("ifr", NULL,
	    "ifr|instrument flight rules|instrument flight|on instruments|fly on instruments|"
	    "flying on instruments"),
	TOPIC("ifr ifrstart", "join clearance",
	    "join ifr|joining ifr|going into ifr|go into ifr|change into ifr|into ifr|"
	    "start ifr|starting ifr|pick up ifr|picking up ifr|ifr pick up|"
	    "pick up an ifr clearance|pick up my ifr|pick up my ifr clearance|"
	    "pick up the ifr clearance|pick up ifr clearance|ifr join|join the ifr system|"
	    "join airways|joining airways|change to ifr|switch to ifr|switching to ifr|"
	    "vfr to ifr|transition to ifr|convert to ifr|activate ifr|pop up ifr|airborne ifr|"
	    "become ifr|zulu|zulu plan|z plan|zulu flight plan|z flight plan|z fpl|zulu fpl|"
	    "open ifr|begin ifr|get ifr clearance|get my ifr clearance|get an ifr clearance"),
	TOPIC("ifr clearance", "ifrstart", "ifr clearance"),
	TOPIC("ifr", "ifrstart", "go ifr|going ifr"),
	PART("vfr ifrstart", NULL,
	    "depart vfr|departing vfr|leave vfr|leaving vfr|vfr departure|depart visually|"
	    "leaving visually|take off vfr|taking off vfr|in the climb"),
	PART("ifrstart", NULL, "start|starting|begin|commence|pick up|pick it up"),
	TOPIC("iap", NULL,
	    "iap|iaps|instrument approach|instrument approaches|instrument approach procedure|"
	    "ils|rnp|lpv|rnav|rnav approach|gps approach|gnss approach|published approach|"
	    "approach procedure|published procedure|ndb approach|vor approach|"
	    "instrument procedure|instrument arrival|rnp approach|instrument runway|"
	    "ils approach|published instrument approach|shoot an approach|"
	    "on an instrument approach|shoot the approach|shooting an approach|"
	    "shooting the approach|fly the approach"),
	PART("approach", NULL, "approach|approaching|approaches"),
	TOPIC("noiap", "iap diyiap",
	    "no procedure|no procedures|no procedure at all|without procedure|"
	    "without a procedure|nothing published|no published procedure|"
	    "no instrument approach|without instrument approach|without an instrument approach|"
	    "without iap|without iaps|no iap|no iaps|no published approach|no approach|"
	    "no approach procedure|without published approach|without a published approach|"
	    "without approach|without any approach|no instrument procedure|no ils|"
	    "without an ils|without an approach|lacks an approach"),
	TOPIC("diyiap", "noiap iap",
	    "home brew|homebrew|home made approach|homemade approach|home made|homemade|diy|"
	    "diy approach|own approach|own let down|own letdown|own procedure|make up my own|"
	    "make up your own|unofficial approach|do it yourself|self made|"
	    "self designed approach|gps let down|gps letdown|discrete letdown"),
	TOPIC("cloudbreak", "iap",
	    "cloudbreak|cloud break|cloud break procedure|break cloud|breaking cloud|"
	    "break through|break out|breaking out|let down|letdown|descend through cloud|"
	    "descent through cloud|descend below cloud|get below cloud|get below|get visual|"
	    "become visual|going visual|go visual|once visual|when visual|visual transit|"
	    "vfr transit|continue visually|continue visual|underneath|carry on visually|"
	    "go on visually|carry on vfr|break off|break off visually|break off the approach|"
	    "finish visually|cloud breaking|visually to|scud run|scud running|proceed visually|"
	    "below the clouds|below the cloud|below cloud|pop out|through the clouds|"
	    "through cloud|through the layer"),
	PART("descend", "cloudbreak noiap diyiap",
	    "descend|descent|descending|come down|coming down"),
	TOPIC("poorwx", "wx",
	    "poor weather|bad weather|low cloud|low clouds|low cloudbase|low ceiling|"
	    "low ceilings|marginal|marginal weather|marginal conditions|imc|"
	    "instrument conditions|instrument meteorological conditions|poor visibility|"
	    "poor vis|low visibility|bad vis|low vis|below minima|overcast|fog|foggy|mist|"
	    "stratus|low stratus|clag|soup|murk|murky|socked in|weather is poor|weather is bad|"
	    "weather is down|weather is marginal|weather is low|solid cloud|ceiling|ceilings|"
	    "cloudbase|cloud base|lousy weather|crap weather|rotten weather|awful weather|"
	    "terrible weather|horrible weather|foul weather|dirty weather|filthy weather|"
	    "rubbish weather|grotty weather|ropey weather|weather goes down|weather turns"),
	PART("cloud", "poorwx cloudbreak", "cloud|clouds|layer|in cloud"),

	/* -- how strictly, how usual -- */
	TOPIC("semicircle", NULL,
	    "semicircle|semi circle|semicircular|semi circular|semicircular rule|hemispheric|"
	    "hemispherical|hemispheric rule|quadrantal|quadrantal rule|quadrantals|"
	    "cruising level|cruising levels|cruise level|cruising altitude|cruising altitudes|"
	    "cruise altitude|vfr levels|vfr cruising level|odd even|odd and even|odd or even|"
	    "odds and evens|odd thousands|even thousands|odd plus 500|even plus 500|plus 500|"
	    "plus five hundred|plus 500 feet|odd levels|even levels|thousands plus|"
	    "levels for direction|east odd|west even|odd east|even west|magnetic track|"
	    "plus half|odd 500|five hundred feet|altitude by track|altitude for direction|"
	    "wrong level|right level|correct level|which level|what level|level for my track|"
	    "wrong altitude|correct altitude|level for the track"),
	PART("cruise", "semicircle",
	    "cruise|cruising|altitude|altitudes|flight level|flight levels|eastbound|westbound|"
	    "heading east|heading west|going east|going west|easterly|westerly|track"),
	TOPIC("abide", NULL,
	    "abide|abided|abide by|obey|obeyed|obeys|follow|followed|stick to|sticks to|"
	    "sticking to|adhere|adherence|comply|compliance|respect|respected|observe|observed|"
	    "bother|bothers|take seriously|taken seriously|ignore|ignored|disregard|"
	    "people actually|pilots actually|everyone actually|everybody actually|"
	    "in practice people"),
	TOPIC("enforce", NULL,
	    "enforce|enforced|enforcement|get fined|been fined|be fined|was fined|got fined|"
	    "penalty|penalties|penalise|penalised|prosecute|prosecuted|prosecution|punish|"
	    "punished|punishment|sanction|sanctions|consequence|consequences|telling off|"
	    "told off|report me|get done|crack down|chase|chased|come after|tell me off|"
	    "tell you off|tell us off|tells you off|pull me up|pulled up|pull you up|moan|moans"),
	PART("enforce", NULL, "trouble|caught|ticket|in trouble"),
	PART("police", "enforce schengen", "police|policeman"),
	PART("strict", "abide enforce",
	    "strict|strictly|strictness|seriously|lax|relaxed|rigid|rigidly"),
	TOPIC("norm", NULL,
	    "local customs|norm|norms|accepted norm|custom and practice|customary|etiquette|"
	    "convention|conventions|accepted practice|accepted way|good form|good manners|"
	    "manners|normally done|usually done|local practice|local pilots|local habits|habit|"
	    "habits|courtesy|courteous|polite|expected way|airmanship"),
	TOPIC("attitude", NULL,
	    "bad form|bad manners|rude|impolite|seen as|looked down on|attitude|attitudes|"
	    "stance|view|views|frowned upon|frowned on|tolerated|frown|tolerate|opinion|"
	    "legal but"),
	TOPIC("odd", NULL,
	    "odd|oddity|oddities|unusual|quirk|quirks|quirky|peculiar|peculiarity|"
	    "peculiarities|surprise|surprises|surprising|gotcha|gotchas|strange|weird|unique|"
	    "special features|pitfall|pitfalls|trap|traps|idiosyncrasy|idiosyncrasies|"
	    "catch out|catches out|catch me out|gets wrong|get wrong|common mistake|"
	    "should know before|not used to|done differently|anything else|anything special|"
	    "something special|watch out for|bear in mind|different from elsewhere|"
	    "differently from elsewhere|national quirks|curious|curiosities|"
	    "out of the ordinary|stand out"),

	PART("odd", NULL, "catch|catches|special|different|differently|unlike|elsewhere|beware"),
	FAINT("visitor",
	    "foreigner|foreigners|foreign visitor|foreign visitors|foreign pilot|"
	    "foreign pilots|visiting pilot|visiting pilots|newcomer|first timer"),

	/* -- language, weather, being seen -- */
	TOPIC("language", NULL,
	    "language|languages|english|icao english|english only|only english|speak english|"
	    "speaking english|in english|english language|rt in english|local language|"
	    "native language|native tongue|mother tongue|language proficiency|elp|"
	    "english proficiency|level 4|deutsch|italiano|francais|espanol|fr only|bilingual|"
	    "foreign language|fluent|phraseology|spoken"),
	TOPIC("ec", NULL,
	    "conspicuity|electronic conspicuity|ec|ec device|flarm|powerflarm|adsb|ads b|"
	    "ads b out|ads b in|ads l|pilotaware|pilot aware|skyecho|sky echo|safesky|safe sky|"
	    "ogn|fanet|traffic awareness|traffic awareness device|traffic receiver|"
	    "traffic display|traffic alert|traffic system|collision avoidance|"
	    "anti collision device|tcas|collision warning|stratux|themselves visible|"
	    "yourself visible|myself visible|visible to|be seen|seen by others|to be seen|"
	    "be visible|see others|seen electronically|electronically visible|"
	    "visible to others|see other traffic|see and be seen|show up on"),
	TOPIC("wx service", "report",
	    "weather service|weather services|weather forecast|weather forecasts|forecast|"
	    "forecasts|weather app|weather apps|weather website|weather websites|weather site|"
	    "weather source|weather sources|weather briefing|met briefing|met service|"
	    "met services|met office|met information|weather information|weather info|"
	    "aviation weather|gafor|metar|metars|taf|tafs|weather provider|weather report|"
	    "weather reports|local weather|weather observation|met picture|weather picture|"
	    "met data|weather page|weather pages|check weather|check the weather|check the met|"
	    "look for weather|weather look up|meteo|meteorological|weather data|webcam|webcams|"
	    "cams|windy|meteoblue|flugwetter|aeroweb|skybriefing|topmet|actual weather|"
	    "low level forecast|weather bureau"),
	TOPIC("wx now", NULL,
	    "weather today|weather tomorrow|weather now|weather right now|weather at|"
	    "current weather|weather like|weather look|weather looking|weather on saturday|"
	    "weather on sunday"),
	TOPIC("wx", "service", "weather|wx|met|meteorology|weather conditions|met conditions"),
	PART("service", NULL, "service|services|source|sources"),
	PART("report", NULL, "report|reports|local conditions"),

	/* -- more ways of saying it -- */
	TOPIC("xpdr", NULL, "vfr squawk|set 7000|ssr transponder|transponders"),
	TOPIC("fis", "ats", "fis frequency|sector information|information unit"),
	PART("airfield", NULL,
	    "grass|grass field|grass airfield|bush strip|altisurface|aviosuperficie|"
	    "microlight strip"),
	TOPIC("vfr", NULL, "visual|visual rules|under visual rules"),
	TOPIC("ifr", NULL, "instrument rules|under instrument rules"),
	PART("end", NULL, "get rid of the plan|get rid of my plan|sign off|wind up"),
	TOPIC("border", "schengen",
	    "the continent|other side of the border|crossing over to|mainland europe|"
	    "neighbouring fir"),
	PART("schengen", "customs", "formality|formalities|designated airport|entry airport"),
	PART("ppr", NULL,
	    "tell them we are coming|tell them i am coming|let them know|warn them"),
	TOPIC("danger", "airspace", "bombing range|bombing|missile range|firing area"),
	TOPIC("gliding", "airspace",
	    "gliders|sailplanes|soaring site|soaring club|segelflug|glider activity"),
	TOPIC("circuit", "join inair",
	    "platzrunde|tour de piste|traffic pattern altitude|overhead the field"),
	TOPIC("norm", NULL,
	    "others expect|other pilots expect|expected of me|best practice|good practice"),
	TOPIC("semicircle", NULL,
	    "vfr altitudes|altitude rule|vfr level|correct vfr level|level by heading|"
	    "thousands and five hundred|magnetic heading"),
	PART("abide", "enforce",
	    "anyone care|anybody care|people care|care whether|atc care|care about"),
	PART("enforce", NULL, "violation|violations|written up|come down on"),
	TOPIC("odd", NULL, "unwritten rules|unwritten rule|local knowledge|insider tips"),
	TOPIC("ec", NULL,
	    "anti collision|anti collision gadget|traffic gadget|traffic device|traffic box|"
	    "collision avoidance system"),
	PART("taxi", NULL,
	    "out of the parking|leave my parking|moving about|move around|parking place"),
	TOPIC("agradio", "ats radio", "callsign radio"),
	TOPIC("afis", "ats info", "callsign information|callsign info"),
	PART("ppr", NULL, "prior|by phone prior|prior to landing|prior to arrival|prior call"),
	PART("military", NULL, "camp|barracks|garrison"),
	PART("rely", NULL, "be told|get told|told about"),
	PART("penetrate", NULL, "drift|drift into|drift towards"),
	PART("electrics", "xpdr",
	    "electrics|no electrics|electrical system|no electrical system"),

	/* -- other topics -- */
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
	TOPIC("oxygen", NULL, "oxygen|o2|supplemental oxygen|hypoxia|oximeter"),
	TOPIC("lifejacket", NULL,
	    "life jacket|lifejacket|life vest|life raft|liferaft|dinghy|over water|overwater|"
	    "immersion suit|ditching"),
	TOPIC("elt", NULL, "elt|plb|epirb|locator beacon|emergency beacon|406"),
	TOPIC("licence", NULL,
	    "licence|license|licensing|lapl|ppl|cpl|nppl|rating|ratings|instrument rating|ir|"
	    "imc rating|irr|bir|medical|medical certificate|class 2 medical|class rating|"
	    "type rating|validation|revalidation|currency|recency|biennial|proficiency check|"
	    "pilot licence|pilot certificate|ir r|cb ir|easa licence|faa licence|"
	    "faa certificate|faa medical|part fcl|skill test|exam|validate|convert my licence|"
	    "licence conversion"),
	TOPIC("insurance", NULL, "insurance|insure|insured|liability"),
	TOPIC("fee", NULL,
	    "fee|fees|landing fee|landing fees|charge|charges|cost|costs|price|prices|"
	    "how much to land|pay|payment|tax|taxes|vat|excise|parking fee|handling fee|euro|"
	    "euros|money|eurocontrol charges|route charges|navigation charges|expensive|cheap"),
	PART("fuel", NULL,
	    "fuel|refuel|refuelling|refueling|avgas|mogas|jet a1|jet a|ul91|petrol|"
	    "fuel reserve|reserves|bowser|unleaded|self serve"),
	TOPIC("handling", NULL, "handling agent|handling agents|handling company|handler|fbo"),
	PART("hangar", NULL,
	    "hangar|hangarage|tie down|tiedown|overnight parking|hotel|accommodation|"
	    "restaurant|cafe|taxi cab|rental car|hire car"),
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
	PART("mountain", NULL, "mountain|mountains|altiport|glacier|alps|alpine|mountain rating"),
	TOPIC("offfield", NULL,
	    "off airport landing|off airport|outlanding|land in a field|land outside|"
	    "land off airport|own land|outside an aerodrome|outside aerodromes|private land"),
	TOPIC("documents", NULL,
	    "document|documents|airworthiness|arc|certificate|certificates|carry on board|"
	    "carried on board|required on board|must be on board|journey log|logbook|tech log|"
	    "radio licence|noise certificate|weight and balance"),
	TOPIC("vest", NULL,
	    "vest|hi vis|hi viz|high vis|hi vis vest|high vis vest|safety vest|"
	    "high visibility vest|high visibility jacket|high vis jacket"),
	PART("equipment", NULL,
	    "equipment|equipped|avionics|moving map|fire extinguisher|first aid|headset|dme|"
	    "adf|vor"),
	TOPIC("spacing", NULL, "8 33|833|8 33 radio|833 radio|25 khz|8 33 khz|khz"),
	TOPIC("nordo", "radio",
	    "nordo|no radio|non radio|without radio|without a radio|radio failure|radio fails|"
	    "comms failure|comm failure|lost comms|lost comm|radio dies|communication failure"),
	TOPIC("emergency", NULL,
	    "emergency|emergencies|mayday|pan pan|distress|7700|7600|121 5|engine failure|"
	    "forced landing|precautionary landing"),
	TOPIC("intercept", "military", "intercept|intercepted|interception"),
	TOPIC("accident", NULL,
	    "accident|accidents|incident|incidents|occurrence|crash|mor|airprox"),
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
	TOPIC("nature", NULL, "nature reserve|national park|wildlife|bird sanctuary|birds|bird"),
	PART("passengers", NULL,
	    "passenger|passengers|cost sharing|cost share|share costs|cost shared|children|"
	    "child|baby|dog|dogs|pet|pets|animal|animals|seat belt|seatbelt"),
	PART("training", NULL,
	    "training|train|student|students|solo|instructor|lesson|lessons|flight school|"
	    "flying school|flight training|ato|dto|trainee|touch and goes training"),
	PART("registration", NULL,
	    "n reg|n registered|foreign registered|registration|register|g reg|non easa|"
	    "foreign aircraft"),
	TOPIC("maintenance", NULL,
	    "maintenance|inspection|annual inspection|annual check|workshop|overhaul|"
	    "calibration|calibrate|avionics shop|mechanic|repair|repairs|recertification|camo"),
	PART("hire", NULL, "rent|renting|rental|hire|hiring|charter|buy|buying|sell|selling"),
	TOPIC("alcohol", NULL, "alcohol|drink|drinking|beer|smoking|smoke|drugs|age|minimum age"),
	TOPIC("photo", NULL,
	    "photo|photos|photograph|photography|photographs|camera|filming|film|drop objects|"
	    "banner|banner towing|towing"),
	PART("lights", NULL,
	    "pilot controlled lighting|pcl|runway lights|runway lighting|landing light|strobe|"
	    "strobes|nav lights"),
	TOPIC("ice", NULL, "icing|deicing|de icing|ice|known ice|fiki|anti ice"),
	TOPIC("wind", NULL,
	    "max crosswind|maximum crosswind|crosswind demonstrated|demonstrated crosswind|"
	    "crosswind limit|crosswind component|turbulence|wake|wake turbulence|thunderstorm|"
	    "thunderstorms"),
	TOPIC("holding", NULL, "holding pattern|hold entry|sid|sids|star|stars"),
	TOPIC("slot", NULL, "airport slot|slot time|ctot|atfm|eurocontrol"),
	TOPIC("runwaylength", NULL,
	    "runway length|runway surface|length|surface|how long is the runway|runway long|"
	    "metres long|long enough"),
	TOPIC("whichfrequency", NULL,
	    "tower frequency|ground frequency|atis frequency|vhf frequency|what frequency|"
	    "which frequency|frequency of|frequency for|frequency has"),
	PART("frequency", "radio", "frequency|frequencies|freq|freqs"),
	PART("weight", NULL,
	    "mtow|maximum weight|heavy|two tonnes|2 tonnes|overweight|twin|twins|jet|turboprop|"
	    "single engine|single engined|multi engine"),
	TOPIC("minima", NULL, "approach ban|circling minima|mda|decision height|rvr"),
	TOPIC("orbit", "inair", "orbit|orbits"),

	/* -- what most questions have -- */
	FAINT("need",
	    "need|required|require|requirement|requirements|requires|must|mandatory|compulsory|"
	    "obligatory|obliged|obligation|necessary|have to|has to|got to|supposed to|oblige|"
	    "shall|needed|insist|expected to|demand"),
	FAINT("allowed",
	    "allowed|allow|permitted|permit|am i allowed|legal|legally|illegal|possible|"
	    "forbidden|banned|ban|get away with"),
	FAINT("rule",
	    "rule|rules|regulation|regulations|law|laws|regs|reg|procedure|procedures|protocol"),
	FAINT("usual",
	    "usually|normally|generally|typically|general|typical|usual|normal|in general|"
	    "common|commonly|practice|practices|practical|practicality|practically|in practice|"
	    "realistic|realistically|in reality|real world|widely|widespread|feasible|workable"),
	FAINT("who", "who"),
	FAINT("domestic",
	    "domestic|internal|internal flight|no border|no borders|local flight|"
	    "within the country|inside the country|not crossing a border|"
	    "without crossing a border|without leaving the country"),

	/* -- figures of speech -- */
	PLAIN(
	    "please advise|kindly advise|pls advise|english airspace|english field|"
	    "english airfield|english pilot|english strip|english channel|poke my nose|"
	    "in front of my nose|paperwork|papers|right away|straight away|on board|"
	    "in front of|on the other side|as usual|of course|by the way|at all|at the moment|"
	    "as well|such as|for example|for instance|on my own|by myself|flying club mates|"
	    "trip|flight|fly|flying|flies|flew|flown|flyer|aviate|pilot|pilots|aircraft|plane|"
	    "planes|airplane|airplanes|aeroplane|aeroplanes|aviation|cessna|piper|cirrus|robin|"
	    "c172|c152|c182|pa28|sr22|da40|da42|tb20|c150|ship|machine|single|sep|mep|"
	    "my aircraft|route|en route|enroute|way|day|today|tomorrow|question|questions|"
	    "answer|country|countries|nation|state|place|places|europe|european|eu|easa|caa|"
	    "dgac|lba|enac|authority rules|sera|icao"),
};
const size_t nterm_rows = sizeof(term_rows) / sizeof(term_rows[0]);

/* Languages, and how one says that they are spoken: "?" stands for each of them. */
const char term_languages[] =
	"french german italian spanish portuguese polish dutch swedish norwegian danish finnish greek "
	"turkish hungarian czech slovak slovene slovenian croatian serbian romanian bulgarian icelandic "
	"estonian latvian lithuanian";
const char term_language_phrases[] =
	"speak ?|speaking ?|speaks ?|? only|only ?|? on the radio|? on the frequency|? radio calls|"
	"? speaking|? speaker|? speakers|? language|? phraseology|? rt|understand ?|be in ?|talk in ?|"
	"talk ?|calls in ?|call in ?|radio in ?|rt in ?|made in ?|answer in ?|reply in ?|"
	"communicate in ?|speak in ?|spoken in ?|in ? or english|in ? on the radio|learn ?|no ?|"
	"word of ?|any ?|lack of ?|my ? is|knowledge of ?|know ?|without ?";
const char term_language[] = "language", term_border[] = "border";

/* "Langen Information", "Popham Radio": what a callsign's second word says. */
const struct term_callsign term_callsigns[] = {
	{ "information", "fis" }, { "info", "fis" }, { "radio", "callsign radio" },
};
const size_t nterm_callsigns = sizeof(term_callsigns) / sizeof(term_callsigns[0]);

/* Articles, pronouns, auxiliaries, and what fills a spoken sentence. */
const char terms_plain[] =
	"a able about above absolutely accept accepted accepting accepts according account "
	"across actual actually additional afraid after afternoon again against agree agreed "
	"all almost alone along already also although altogether always am american among "
	"amount an and angry annoyed another answered answers any anybody anyhow anyone "
	"anything anyway anywhere apart apparently appear appeared applied applies apply "
	"applying approximately are arent around arrange arranged as aside assume assumed at "
	"attention automatically autumn aware away back backward bad basically be beautiful "
	"became because become becomes been before behind being believe believed below beneath "
	"berth beside besides between beyond big bimble bimbling bit bits bloke both bottom "
	"bound bring brings british brother brought buddy busy but by came can cannot cant care "
	"careful carefully carried carries carry case cases caused causes center centre certain "
	"chance chances change changed changes changing chap check checked checking checks "
	"cheers chief choice choices choose chose chosen circle clearly clever closer club "
	"clubs colleague colleagues come comes coming complete completely concern concerning "
	"concerns confused confusing consider considered considers contain continue continues "
	"correct could couldnt count counts couple crew current currently daft daughter days "
	"deal dealing deals dear decide decided decides decision definitely depending depends "
	"describe describes detail details did didn didnt difficult direct directly disagree do "
	"does doesn doesnt doing don done dont double down drive drove dry due during each "
	"early easily easy edge effort eg eight either else empty entire entirely especially "
	"essential etc even evening ever every everybody everyone everything everywhere exact "
	"exactly example examples except exempt exist existing exists expect expecting expects "
	"explain explained extra fact facts false family far father feet few find finding finds "
	"fine first fit fits five fix fixed fixing fl folks foot for forget forgot form former "
	"forms forward found four frankly free frequent frequently friend friends from front ft "
	"full funny further get gets getting giant give given gives giving go goes going gone "
	"good got gotten great group guess guessed guest guests guy guys had half hand handed "
	"handle handled handles hands happen happened happening happens happy hard has hasn "
	"hasnt hassle have haven havent having he head headed heading hear heard hearing hears "
	"hello help helps hence her here hers hey hi high him his hold holds holiday holidays "
	"home homegrown honest honestly hop hope hoping hour hours how however huge hundred "
	"husband i idea ie if imagine immediately important in include includes including "
	"intend interested interesting into involve involved involves is isnt issue it its "
	"itself joke journey journeys just keep keeping keeps kept key kids kind kinds km knew "
	"know knowing known knows kt lads lady large last late lately later latest lead leads "
	"learn learned least leave leaves leaving left leg legs less let lets level like liked "
	"likes list listed listing literally little live lives local locally long look looked "
	"looking looks lot lots loud lovely low made main major make makes making man many "
	"massive mate matter mattered matters may maybe me mean meaning means meant men mention "
	"mentioned mentions meters metres middle might mind mine minor minute minutes modern "
	"month more morning most mother move moves moving much my myself names near nearest "
	"nearly necessarily neither never new newest next nice nine nip nm no nobody none noone "
	"nope nor not nothing now nowadays number numbers obviously occasional occasionally of "
	"off offer offered offers officially often old on once one ones only onto option "
	"optional options or other others otherwise ought our ours out outside over own owner "
	"owners pair part particular particularly parts pass passed passes passing past people "
	"per perhaps person picture piece pieces please point pointing points pop popping "
	"possibly potter pottering precisely prepare prepared presumably pretty previous "
	"previously private privately probably problem problems proceed proceeded proper "
	"properly provide provided provides put puts putting quarter quick quickly quite rare "
	"rarely rather reach reached reaches read reading reads ready real realise realised "
	"really reason reasons receive received recent recently refuse refused refusing "
	"regarding regards regular regularly reject rejected relevant remain remained remaining "
	"remains remember replied reply responded return returning right roughly round rubbish "
	"run running runs sad said same sat save saved saw say saying says second see seeing "
	"seem seems seen sees seldom sense sensible set sets setting seven several shape she "
	"short should shouldnt show showing shows sightseeing silly similar simple simply since "
	"sister six skies sky slow small so some somebody somehow someone something sometimes "
	"somewhere son soon sort sorts sound sounds specific specifically spend spent spoke "
	"spot spots spring stay stays still stood stop stops story straight strong stuff stupid "
	"subject such suddenly summer sun suppose sure symbol symbols system systems take taken "
	"takes taking team tell telling tells ten than thank thanks that the their theirs them "
	"themselves then theoretically theory there therefore these they thing things think "
	"thinking thinks third this those though thought thousand three thus till time times "
	"tiny to together told tonight too took top topic total totally tour touring tourist "
	"toward towards treat treated treats tried tries triple trips true try trying turn "
	"turns twice two type types unable unaware under understand understood unless unsure "
	"until up upon us use used uses using versus very via vital vs wait waiting waits walk "
	"walked want wanted wanting wants warm was wasnt watch watched ways we weak week "
	"weekend well went were wet what whatever when whenever where whereas wherever whether "
	"which whichever while whole whom whose why wife will winter wish with within without "
	"won wonder wondering wont word words work worked working works worried worry worse "
	"worst worth would wouldnt write written wrong yeah year years yes yesterday yet you "
	"your yours yourself zero";
