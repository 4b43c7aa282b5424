/*
 * Rows of terms: what others do and expect, how strictly rules are kept, and unusual things.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
	/* -- cruising levels -- */
	TOPIC("semicircle", NULL,
	    "semicircle|semi circle|semicircular|semi circular|semicircular rule|hemispheric|"
	    "hemispherical|hemispheric rule|quadrantal|quadrantal rule|quadrantals|"
	    "cruising level|cruising levels|cruise level|cruising altitude|"
	    "cruising altitudes|cruise altitude|vfr levels|vfr cruising level|odd even|"
	    "odd and even|odd or even|odds and evens|odd thousands|even thousands|"
	    "odd plus 500|even plus 500|plus 500|plus five hundred|plus 500 feet|odd levels|"
	    "even levels|thousands plus|levels for direction|east odd|west even|odd east|"
	    "even west|magnetic track|plus half|odd 500|five hundred feet|altitude by track|"
	    "altitude for direction|wrong level|right level|correct level|which level|"
	    "what level|level for my track|wrong altitude|correct altitude|"
	    "level for the track|vfr altitudes|altitude rule|vfr level|correct vfr level|"
	    "level by heading|thousands and five hundred|magnetic heading|"
	    "depending on heading|depends on heading|depending on track|"
	    "depending on direction|depending on course|depends on track|altitude by heading|"
	    "level by track"),
	PART("cruise", "semicircle",
	    "cruise|cruising|altitude|altitudes|flight level|flight levels|eastbound|"
	    "westbound|heading east|heading west|going east|going west|easterly|westerly|"
	    "track|1500|2500|3500|4500|5500|6500|7500|8500|9500|fl45|fl55|fl65|fl75|fl85|fl95"),

	/* -- how strictly -- */
	TOPIC("abide", NULL,
	    "abide|abided|abide by|obey|obeyed|obeys|follow|followed|stick to|sticks to|"
	    "sticking to|adhere|adherence|comply|compliance|respect|respected|observe|"
	    "observed|bother|bothers|take seriously|taken seriously|ignore|ignored|disregard|"
	    "people actually|pilots actually|everyone actually|everybody actually|"
	    "in practice people"),
	PART("abide", "enforce",
	    "anyone care|anybody care|people care|care whether|atc care|care about"),
	TOPIC("enforce", NULL,
	    "enforce|enforced|enforcement|get fined|been fined|be fined|was fined|got fined|"
	    "penalty|penalties|penalise|penalised|prosecute|prosecuted|prosecution|punish|"
	    "punished|punishment|sanction|sanctions|consequence|consequences|telling off|"
	    "told off|report me|get done|crack down|chase|chased|come after|tell me off|"
	    "tell you off|tell us off|tells you off|pull me up|pulled up|pull you up|moan|"
	    "moans"),
	PART("enforce", NULL,
	    "trouble|caught|ticket|in trouble|violation|violations|written up|come down on"),
	PART("police", "enforce schengen", "police|policeman"),
	PART("strict", "abide enforce",
	    "strict|strictly|strictness|seriously|lax|relaxed|rigid|rigidly"),

	/* -- how usual -- */
	TOPIC("norm", NULL,
	    "local customs|norm|norms|accepted norm|custom and practice|customary|etiquette|"
	    "convention|conventions|accepted practice|accepted way|good form|good manners|"
	    "manners|normally done|usually done|local practice|local pilots|local habits|"
	    "habit|habits|courtesy|courteous|polite|expected way|airmanship|others expect|"
	    "other pilots expect|expected of me|best practice|good practice"),
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
	    "out of the ordinary|stand out|unwritten rules|unwritten rule|local knowledge|"
	    "insider tips"),
	PART("odd", NULL,
	    "catch|catches|special|different|differently|unlike|elsewhere|beware"),
	FAINT("visitor",
	    "foreigner|foreigners|foreign visitor|foreign visitors|foreign pilot|"
	    "foreign pilots|visiting pilot|visiting pilots|newcomer|first timer"),
};
const struct synonyms synonyms_habits = SYNONYMS(rows);
