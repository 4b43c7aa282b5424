/*
 * Rows of terms: whom one talks to and what about, transponders, languages, being seen by others.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
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
	    "information frequency|info frequency|information controller|siv|"
	    "flight following|vfr flight following|info people|info guys|info lady|"
	    "info folks|information people|information guys|information lady|"
	    "information folks|info service|flight service|flight info people|fis frequency|"
	    "sector information|information unit|information service|the info frequency"),
	TOPIC("afis", "ats info",
	    "afis|afiso|fiso|afis officer|information officer|airfield information|"
	    "airfield information service|aerodrome information|"
	    "aerodrome information service|aerodrome flight information|"
	    "aerodrome flight information service|airport information|"
	    "airport information service|airport flight information|airfield info|"
	    "airfield flight information|flight information officer|afis unit|afis bloke|"
	    "afis guy|afis people|afis station|afis agent|afis airfield|afis field|"
	    "afis aerodrome|information airfield|information field|information aerodrome|"
	    "information callsign|info callsign|information station|tiz|tia|"
	    "traffic information zone|flight information zone|fiz|callsign information|"
	    "callsign info"),
	PART("info", "fis afis", "information|info"),
	TOPIC("agradio", "ats radio",
	    "air ground|air ground radio|air to ground|air to ground radio|"
	    "air ground station|air ground operator|air ground service|a g|a g radio|"
	    "a g operator|a g station|a g service|ag radio|agcs|airfield radio|"
	    "airfield radio service|aerodrome radio|aerodrome radio service|airport radio|"
	    "airport radio service|field radio|radio operator|radio service|radio airfield|"
	    "radio field|radio aerodrome|radio station|radio callsign|radio only|club radio|"
	    "club frequency|unicom|ctaf|advisory frequency|self announce|self information|"
	    "radio people|radio lady|voice on the radio|lady on the radio|betriebsleiter|"
	    "answers on the radio|answering on the radio|speaks on the radio|"
	    "talks on the radio|auto info|autoinfo|auto information|a a|safetycom|flugleiter|"
	    "radio man|radio guy|bloke on the radio|guy on the radio|man on the radio|"
	    "person on the radio|someone on the radio|callsign radio"),
	PART("radio", "contact", "radio|rt|r t"),
	PART("contact", "fis radio",
	    "on the radio|over the radio|by radio|via radio|over radio"),
	TOPIC("atc", "ats",
	    "control tower|tower people|tower guys|tower folks|tower lady|tower controllers|"
	    "traffic controllers|gnd|atc|air traffic control|air traffic controller|"
	    "traffic control|controller|atco|tower|twr|tower controller|aerodrome control|"
	    "ground control|ground controller|approach control|approach controller|"
	    "approach radar|approach unit|delivery"),
	PART("atc", NULL, "ground"),
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
	    "overcontrol|over control|overreach|overstep|bossy|boss|boss around|"
	    "play policeman|behave like controllers|bossing|act like atc|acting like atc|"
	    "behave like atc|behaving like atc|play atc|playing atc|play controller|"
	    "playing controller|like a controller|like controllers|like a tower|"
	    "as if they were atc|as if they were controllers|give orders|giving orders|"
	    "order around|ordering|exceed|overdo|overdoing|bark|barking|"
	    "exceed their authority|beyond their authority|more control|throw their weight|"
	    "too strict|overzealous|over zealous|power trip|micromanage|know their place|"
	    "keep to their role|stick to information|keep to information|control me|"
	    "controlling me|control us|want to control|wanting to control|try to control|"
	    "trying to control"),
	PART("overcontrol", "lesser",
	    "instruction|instructions|instruct|bark commands|give commands"),
	TOPIC("lesser", NULL, "lesser|lesser service|non atc|not atc"),
	PLAIN(
	    "no afis|not afis|no fis|no control|no controller|nobody controlling|"
	    "no information service|no information|no radar"),

	/* -- what one says to them -- */
	TOPIC("call", "contact",
	    "what do i say|what should i say|what do you say|what to say|what to tell|"
	    "want to hear|what do i tell|what should i tell|say first|"
	    "call for the first time|contact the first time|first time i call|first message|"
	    "opening message|opening transmission|message|transmission|first call|"
	    "initial call|initial contact|first contact|call up|opening call|"
	    "first radio call|initial radio call|check in|first transmission|"
	    "initial transmission|opening line|opening words|opening speech|"
	    "pass your message|pass my message|full details|full spiel|spiel|magic phrase|"
	    "what to include|how to phrase|script"),
	PART("contact", "fis",
	    "give a shout|give them a shout|give him a shout|a shout|shout up|"
	    "no radio contact|without radio contact|mike|mic|microphone|mute|working me|"
	    "work me|worked by|be worked|stay silent|keep quiet|keep silent|silent|"
	    "without talking|without speaking|not talking|not talk|chat|chatting|raise|"
	    "announce|comms|position report|position reports|radio comms|call|contact|"
	    "talk to|speak to|make contact|calling|talk|talking|get in touch|radio call|"
	    "radio contact|two way|two way radio|report position|speak with|talk with|"
	    "in contact with|in touch with|be in contact|radio check|stay in contact|"
	    "chat with|chat to|without calling|calling anyone|calling anybody|"
	    "without calling anyone|without calling anybody|talking to anyone|"
	    "talking to anybody|speaking to anyone|work a unit|work anyone|work a controller|"
	    "working anyone"),
	TOPIC("distance", "call",
	    "how long before|how long before arrival|how long before landing|at what point|"
	    "how far|how far out|how far away|how many miles|how many nm|miles out|nm out|"
	    "minutes out|how many minutes|how early|how soon|at what distance|what distance|"
	    "distance|range|miles|nautical miles|miles before|minutes before|"
	    "when should i call|when do i call|when do you call|when to call|km out"),
	PART("frequency", "radio", "frequency|frequencies|freq|freqs"),

	/* -- transponders and their like -- */
	TOPIC("xpdr", NULL,
	    "transponder|xpdr|xponder|txpdr|tpdr|squawk|squawking|squawk code|ssr|ssr code|"
	    "mode s|mode c|mode a|mode a c|mode s transponder|mode c transponder|"
	    "mode charlie|mode sierra|altitude reporting|altitude encoder|altitude encoding|"
	    "encoder|non transponder|7000|conspicuity code|vfr code|transponder code|"
	    "alt mode|vfr squawk|set 7000|ssr transponder|transponders"),
	PART("xpdr", NULL, "code|codes|box|squawk box|txp|non txp"),
	TOPIC("listening xpdr", "monitor",
	    "listening squawk|listening out squawk|listen squawk|monitoring squawk|"
	    "monitoring code|listening code|frequency monitoring|frequency monitoring code|"
	    "frequency monitor code|fmc|fmcs|squawk and listen|listen and squawk|"
	    "monitor code|monitoring conspicuity code"),
	TOPIC("listening", "monitor",
	    "listening|listening out|listen|listen out|listening watch|listening in"),
	PART("monitor", "listening", "monitor|monitoring"),
	PART("electrics", "xpdr",
	    "electrics|no electrics|electrical system|no electrical system"),
	TOPIC("ec", NULL,
	    "conspicuity|electronic conspicuity|ec|ec device|flarm|powerflarm|adsb|ads b|"
	    "ads b out|ads b in|ads l|pilotaware|pilot aware|skyecho|sky echo|safesky|"
	    "safe sky|ogn|fanet|traffic awareness|traffic awareness device|traffic receiver|"
	    "traffic display|traffic alert|traffic system|collision avoidance|"
	    "anti collision device|tcas|collision warning|stratux|themselves visible|"
	    "yourself visible|myself visible|visible to|be seen|seen by others|to be seen|"
	    "be visible|see others|seen electronically|electronically visible|"
	    "visible to others|see other traffic|see and be seen|show up on|anti collision|"
	    "anti collision gadget|traffic gadget|traffic device|traffic box|"
	    "collision avoidance system|seeing traffic|see traffic|seeing other traffic|"
	    "spot traffic|spotting traffic|gadget for traffic|traffic gizmo|gizmo|gadget|"
	    "gadgets|show me to others|show up for others|other traffic see me|others see me|"
	    "be electronically visible|on the screen|visible electronically|"
	    "traffic info on board|traffic information system|traffic kit|"
	    "avoid other traffic|traffic in|mid air|midair|mid air collision|"
	    "midair collision|electronic visibility|visibility device|visibility aid|"
	    "electronically seen|seen by other traffic|seen by other aircraft|"
	    "visible to other traffic|visible to other aircraft|see each other|"
	    "seeing each other|see one another|avoid each other|be noticed by others"),

	/* -- languages -- */
	TOPIC("language", NULL,
	    "language|languages|english|icao english|english only|only english|speak english|"
	    "speaking english|in english|english language|rt in english|local language|"
	    "native language|native tongue|mother tongue|deutsch|italiano|francais|espanol|"
	    "fr only|bilingual|foreign language|fluent|phraseology|spoken"),
};
const struct synonyms synonyms_radio = SYNONYMS(rows);
