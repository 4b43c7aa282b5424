/*
 * Rows of terms: classes of airspace, and areas that one may have to keep out of.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
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
	    "free airspace|unregulated airspace|below controlled airspace|"
	    "under controlled airspace|beneath controlled airspace|below the tma|"
	    "under the tma|beneath the tma|underneath the tma|below cas|under cas|"
	    "below airways|below the airways|under the airways|beneath the airways|"
	    "off airways|off the airways|outside the airways|outside of controlled airspace|"
	    "outside of cas|not in controlled airspace|in the open fir|"
	    "clear of controlled airspace"),
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
	    "artillery range|gunnery|dacs|daais|danger|bombing range|bombing|missile range|"
	    "firing area|d zone|d zones|d areas|danger areas|gunfire|missiles|"
	    "military firing|weapons range"),
	TOPIC("restricted", "airspace",
	    "restricted area|restricted airspace|restricted zone|restricted|r area|ra t|"
	    "temporary restricted area|temporary restriction|tra|tsa|temporary reserved area|"
	    "temporary reserved airspace|temporary segregated area|temporary reserved|"
	    "temporary segregated|rzone|r zone|lhr area|lhr areas|r areas|tras|tsas"),
	TOPIC("prohibited", "airspace",
	    "prohibited area|prohibited zone|prohibited airspace|prohibited|p area|p zone|"
	    "no fly zone|no fly area|no fly|no fly circle|palace|refinery|nuclear|"
	    "forbidden area|forbidden zone|forbidden airspace|nuclear power station|"
	    "nuclear power plant|nuclear plant|nuclear site|power station|prison|"
	    "royal residence|royal palace|presidential palace|residence|government district|"
	    "parliament|castle"),
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
	    "fighter|fighter jet|fighters|fast jet|fast jets|soldiers|defence|bundeswehr|"
	    "armee|militar|militaire|aeronautica militare|nato|defence force|defense|"
	    "armed forces|air corps"),
	PART("military", NULL, "camp|barracks|garrison"),
	TOPIC("military airspace", NULL,
	    "matz|matz penetration|moa|moas|military operations area|military area|"
	    "military zone|military airspace|military training area|military exercise|"
	    "military exercise area|military training|low flying area"),
	TOPIC("military airfield", NULL,
	    "military airfield|military airport|military aerodrome|military field|"
	    "military base|military strip|military runway|air base|airbase|air force base|"
	    "raf base|raf station|naval air station|base aerienne|fliegerhorst|"
	    "militarflugplatz|base aerea|flygflottilj|air station|naval air base|"
	    "army airfield|military strips|joint use|joint use airfield|bundeswehr base|"
	    "army base|navy base|air force field|air force station|air force strip|"
	    "fighter base"),
	PART("base", "military airfield", "base|bases"),
	TOPIC("parachute", "airspace",
	    "parachute|parachute area|parachute zone|parachute site|parachute drop zone|"
	    "parachute dropping|para|para drop|paradrop|para dropping|para area|parachuting|"
	    "parachutist|skydive|skydiver|skydiving|skydive site|drop zone|dropzone|"
	    "dropping zone|drop site|jump zone|jumper|jumpers|jumping|canopies|chute|chutes|"
	    "parachutes|meat bombers|jump plane|jump ship|meat bombs|dz|free fall|freefall"),
	TOPIC("gliding", "airspace",
	    "glider|gliding|gliding site|glider site|glider launch|glider launch site|"
	    "gliding launch site|glider field|gliding field|gliding club|glider club|"
	    "sailplane|winch|launching|gliders launching|thermalling|winch launch|"
	    "winch launching|winching|winch cable|cable launch|cable|aerotow|soaring|"
	    "hang glider|hang gliding|paraglider|paragliding|launch site|gliders|sailplanes|"
	    "soaring site|soaring club|segelflug|glider activity"),

	/* -- what one does with them -- */
	PART("penetrate", NULL,
	    "penetrate|penetration|penetrating|enter|entry|entering|transit|cross|crossing|"
	    "fly through|flying through|go through|going through|pass through|"
	    "passing through|cut through|cutting through|go in|going in|get through|"
	    "route through|routing through|straight through|through|fly into|flying into|"
	    "go into|get into|infringe|infringement|bust|busting|overfly|overflying|"
	    "overflight|fly over|flying over|overhead|stray into|blunder into|plough through|"
	    "nip through|sneak through|squeeze|skirt|skirting|shortcut|short cut|cut across|"
	    "cut the corner|pass over|pass overhead|passing overhead|route over|over the top|"
	    "above it|above them|cross above|go across|transiting|transition through|nibble|"
	    "clip|clipping|corner|avoid|keep clear|keep out|stay clear|steer clear|stay away|"
	    "drift|drift into|drift towards|get past|go past|pass by|fly past|get around|"
	    "fly around|go round|going around it|route around|detour|fly above|below it|"
	    "underneath it|pass under|go under|slip through|slip past|scoot through|"
	    "scoot across|push through|punch through"),
	PART("active", "danger restricted military",
	    "active|inactive|activated|not active|deactivated|when cold|when hot|is cold|"
	    "is hot"),
	PART("boundary", NULL, "boundary|boundaries|line"),
};
const struct synonyms synonyms_airspace = SYNONYMS(rows);
