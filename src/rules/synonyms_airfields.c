/*
 * Rows of terms: airfields, their parts, who is there, joining the circuit, permissions.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
	/* -- airfields -- */
	PART("airfield", NULL,
	    "airfield|airport|aerodrome|airpark|field|strip|airstrip|grass strip|farm strip|"
	    "private strip|ad|landing ground|landing site|landing strip|flying club|aeroclub|"
	    "aero club|local club|aeroport|flugplatz|destination airfield|grass|grass field|"
	    "grass airfield|bush strip|altisurface|aviosuperficie|microlight strip"),
	TOPIC("vfr airfield", NULL,
	    "vfr airfield|vfr airport|vfr field|vfr aerodrome|vfr strip|vfr only airfield|"
	    "vfr only airport|vfr only field|vfr only aerodrome|vfr only|visual only|"
	    "vfr destination|vfr only destination"),
	TOPIC("openfield airfield", "unmanned uncontrolled",
	    "uncontrolled airfield|uncontrolled airport|uncontrolled field|"
	    "uncontrolled aerodrome|non controlled airfield|non controlled airport|"
	    "non controlled aerodrome|non controlled field|non towered|nontowered|untowered|"
	    "non towered airfield|non towered airport|non towered field|no tower|"
	    "without a tower|without tower|without atc|no atc|not got a tower"),
	TOPIC("unmanned", "openfield",
	    "unmanned|unattended|unstaffed|not manned|no one on the radio|"
	    "nobody on the radio|nobody on frequency|nobody on the frequency|"
	    "no one on frequency|nobody there|no one there|outside tower hours|"
	    "outside atc hours|outside hours|outside opening hours|outside operating hours|"
	    "outside afis hours|outside afis opening hours|outside tower opening hours|"
	    "after hours|out of hours|closed in the evening|closed at night|airport closed|"
	    "airport is closed|airfield closed|field closed|gone home|tower closed|"
	    "tower closes|tower has closed|atc closed|atc closes|afis closed|"
	    "tower has gone home|nobody answers|no answer on the radio|deserted|blind call|"
	    "blind calls|no radio operator|nobody in the tower|nobody around|nobody on duty|"
	    "no one on duty|tower shuts|tower is shut|afis shuts|atc shuts|field shuts|"
	    "after closing|after closing time|after they close|after it closes|"
	    "after they go home|goes home|went home|nobody home|nobody at home|"
	    "tower goes home|no staff|no one home|not staffed|nobody working|"
	    "when they are closed|tower unmanned|nobody replies|no reply on the radio|"
	    "silent radio|no reply|no one answers|nobody is there|after tower hours|"
	    "past closing|gone for coffee|gone for lunch|out for lunch|at lunch|off duty|"
	    "not on duty|not answering|isnt answering|doesnt answer|does not answer|"
	    "nobody responds|no response|no response on the radio|not there|isnt there|"
	    "had left|has left|already left|have left|left for the day|gone for the day|"
	    "packed up|gone already|left already"),
	PART("civil", NULL,
	    "civilian|civil|civvy|ga|general aviation|private pilot|private aircraft|"
	    "light aircraft|light aeroplane|non military|civilians|private people|"
	    "private pilots|private traffic|civilian traffic|civilian aircraft|"
	    "civil aircraft|civvies|weekend flyer|civil use"),
	PART("available", NULL,
	    "available|open to|usable|accessible|accept visitors|visitors|visitor|visiting|"
	    "welcome"),

	/* -- their parts, and moving there -- */
	TOPIC("taxi", NULL,
	    "taxi|taxying|taxiing|taxiway|taxy|apron|ramp|parking stand|the stand|my stand|"
	    "parking position|parking|pushback|push back|engine start|start engine|start up|"
	    "startup|start the engine|leave parking|leave the parking|taxi out|roll to|"
	    "manoeuvring area|maneuvering area|movement area|hold short|holding point|"
	    "ground movement|move on the ground|moving on the ground|on the ground|vacate|"
	    "vacating|leave the stand|backtaxi|pumps|pump|fuel pump|start rolling|"
	    "start to roll|start taxiing|start to taxi|start moving|start to move|"
	    "begin to taxi|move the aircraft|move my aircraft|move the plane"),
	PART("taxi", NULL,
	    "out of the parking|leave my parking|moving about|move around|parking place"),
	TOPIC("runway", NULL,
	    "runway|rwy|line up|lineup|lining up|backtrack|back track|active runway|"
	    "touch and go|departure roll|takeoff roll|line up and wait|enter the runway|"
	    "entering the runway|go around|low approach|set down|put it down|put down|"
	    "rolling|short final|touchdown|touch down|cleared to land|cleared for take off|"
	    "cleared to take off|landing clearance|take off clearance|clear to land|"
	    "land and take off|landing and departing|take off and land|takeoff and landing"),
	PART("runway", NULL, "take off|takeoff|roll"),
	PART("landing", "runway", "land|landing"),
	PART("takeoff", "runway", "depart|departing|departure"),

	/* -- in the air -- */
	TOPIC("inair", NULL,
	    "in the air|airborne|in flight|inflight|while flying|once airborne|in air|"
	    "once flying|wheels off|off the ground|aloft"),
	TOPIC("circuit", "join inair",
	    "circuit|pattern|traffic pattern|traffic circuit|visual circuit|visual pattern|"
	    "airfield circuit|aerodrome circuit|landing pattern|landing circuit|"
	    "aerodrome traffic circuit|straight final|long straight final|barge in|"
	    "barging in|cut in|come into the pattern|come into the circuit|pattern altitude|"
	    "pattern height|circuit height|circuit altitude|which leg|run and break|"
	    "circuit pattern|downwind|downwind leg|base leg|crosswind|crosswind leg|"
	    "right base|left base|left hand circuit|right hand circuit|left downwind|"
	    "right downwind|circuit direction|onto base|join base|on final|final approach|"
	    "long final|overhead join|join overhead|joining overhead|standard overhead join|"
	    "standard overhead|oj|soj|overhead joining|straight in|straight ins|"
	    "straight in approach|straight in join|join downwind|joining downwind|"
	    "join crosswind|enter the circuit|enter the pattern|enter downwind|"
	    "entering the circuit|entering the pattern|pattern entry|circuit entry|"
	    "circuit joining|circuit join|joining the circuit|join the circuit|"
	    "join the pattern|joining the pattern|dead side|deadside|standard join|"
	    "descend dead side|45 degree|45 degree entry|forty five degree|"
	    "slot into the circuit|slot in|get into the circuit|get into the pattern|"
	    "arrive overhead|platzrunde|tour de piste|traffic pattern altitude|"
	    "overhead the field|overhead thing|straight to final|direct to final|"
	    "straight onto final|directly to final|direct final|straight to base|direct base|"
	    "long final join|into the downwind|to the downwind|onto the downwind|"
	    "join on base|join final|join left base|join right base"),
	TOPIC("join", NULL, "join|joining|joined|integrate|integration"),
	PART("destination", NULL, "destination|dest"),
	PART("arrive", "inair join",
	    "arrive|arrival|arriving|inbound|come in|coming in|fly in|flying in|get in|"
	    "come from|coming from|came from"),

	/* -- permissions -- */
	TOPIC("ppr", NULL,
	    "ppr|prior permission|prior permission required|permission in advance|"
	    "advance permission|permission beforehand|permission before|pnr|prior notice|"
	    "prior notification|advance notice|call ahead|phone ahead|ring ahead|"
	    "ringing ahead|phoning ahead|calling ahead|ring first|phone first|call first|"
	    "phone before|ring before|call before|drop by|pop in|pitch up|rock up|roll up|"
	    "just arrive|just go in|turn up|turning up|show up|showing up|unannounced|"
	    "just turn up|just show up|drop in|prior arrangement|by arrangement|"
	    "arrange in advance|ask before coming|invite|notify|without ringing|"
	    "without phoning|without a call|land anywhere|just land|land without asking|"
	    "land without permission|before flying in|before flying to|before flying there|"
	    "before flying into|before going there|before coming|before come|before arriving|"
	    "before arrive there|before landing there|before going in|walk in|"
	    "organise before|organize before|organise beforehand|organize beforehand|"
	    "arrange before|arrange beforehand|sort out before|sort it beforehand|"
	    "announce ourselves beforehand|book ahead|book in advance|"
	    "announce myself beforehand"),
	PART("ppr", NULL,
	    "telephone|phone|phone call|phone up|ring up|ring|email|tell them we are coming|"
	    "tell them i am coming|let them know|warn them|prior|by phone prior|"
	    "prior to landing|prior to arrival|prior call"),
	PART("notice", "ppr customs",
	    "notice|how much notice|how much warning|hours before|notification"),
	PART("permission", NULL,
	    "a yes|say yes|says yes|nod|ask|asking|ask first|asking first|without asking|"
	    "unprompted|ask anyone|permission|permissions|authorisation|authorization|"
	    "authorise|authorize|approval|approve|consent|say so|blessing|green light|"
	    "go ahead|the nod|okay|their ok|an ok|his ok|ok from|ok|okays|obtain|"
	    "obtain first|apply for|application|request|word from atc|a word from atc|"
	    "word from the tower|word from anyone"),
	TOPIC("clearance", "permission",
	    "let me in|let you in|let me into|let you into|wave me through|let me through|"
	    "say cleared|hear cleared|says cleared|said cleared|magic words|exact words|"
	    "clear us|clear you|clearance|clearances|cleared|clear me|get cleared|"
	    "a clearance|atc clearance|wave me in|waves me in|wave us through|"
	    "wave you through|waves me through|waved through|let us in|let us through|"
	    "let me cross|let me across|let you across|ok to proceed|cleared through"),
	TOPIC("clearance", "atc permission",
	    "atc permission|permission from atc|permission of atc|permission by atc|"
	    "atc approval|approval from atc|atc authorisation|atc authorization"),
	TOPIC("grant clearance", NULL,
	    "pass me to|pass me on|pass you on|hand me over|hand you over|handed over|"
	    "relay a clearance|relay clearance|relay|pass on a clearance|obtain clearance|"
	    "get clearance for me|issue clearance|issue a clearance|give clearance|"
	    "give a clearance|clearance from fis|grant|grants|coordinate|on my behalf|"
	    "arrange a clearance|arrange clearance"),
	TOPIC("rely", NULL,
	    "rely|relying|reliable|count on|trust|warn|warns|warning|alert|keep me out|"
	    "keep me clear|point out|remind|heads up|keep an eye on|watch over|look after|"
	    "will they tell|can depend on|could depend on|to depend on|will depend on|"
	    "shout if|shout when|yell if|speak up|pipe up|tip me off|shout at me before|"
	    "about to hit|about to bust|about to infringe|about to enter"),
	PART("rely", NULL,
	    "tell you about|say nothing|said nothing|says nothing|stop me|stop me from|"
	    "save me|prevent me|tell me|tell me before|let me know|advise|inform me|"
	    "tell vfr traffic|tell traffic|be told|get told|told about"),
	PART("inflight", "ppr file", "in advance|beforehand"),
	PART("sufficient", NULL,
	    "sufficient|suffice|enough|good enough|count as|counts as|replace|instead|"
	    "substitute|double as|serve as|cover|covers|does the job|do the job|as good as"),
};
const struct synonyms synonyms_airfields = SYNONYMS(rows);
