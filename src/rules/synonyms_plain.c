/*
 * Rows of terms: concepts that most questions contain, figures of speech, and words that tell
 * nothing.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
	/* -- in most questions -- */
	FAINT("need",
	    "need|required|require|requirement|requirements|requires|must|mandatory|"
	    "compulsory|obligatory|obliged|obligation|necessary|have to|has to|got to|"
	    "supposed to|oblige|shall|needed|insist|expected to|demand"),
	FAINT("allowed",
	    "allowed|allow|permitted|permit|am i allowed|legal|legally|illegal|possible|"
	    "forbidden|banned|ban|get away with"),
	FAINT("rule",
	    "rule|rules|regulation|regulations|law|laws|regs|reg|procedure|procedures|"
	    "protocol"),
	FAINT("usual",
	    "usually|normally|generally|typically|general|typical|usual|normal|in general|"
	    "common|commonly|practice|practices|practical|practicality|practically|"
	    "in practice|realistic|realistically|in reality|real world|widely|widespread|"
	    "feasible|workable|done thing|the done thing|a done thing|a thing|really done|"
	    "really happen|happens in practice"),
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
	    "in front of|on the other side|as usual|of course|by the way|at all|"
	    "at the moment|as well|such as|for example|for instance|on my own|by myself|"
	    "flying club mates|trip|flight|fly|flying|flies|flew|flown|flyer|aviate|pilot|"
	    "pilots|aircraft|plane|planes|airplane|airplanes|aeroplane|aeroplanes|aviation|"
	    "cessna|piper|cirrus|robin|c172|c152|c182|pa28|sr22|da40|da42|tb20|c150|ship|"
	    "machine|single|sep|mep|my aircraft|route|en route|enroute|way|day|today|"
	    "tomorrow|question|questions|answer|country|countries|nation|state|place|places|"
	    "europe|european|eu|easa|caa|dgac|lba|enac|authority rules|sera|icao|"
	    "ground level|above ground|ground below|ground school|off the beaten track|"
	    "on the ground floor"),
	PLAIN(
	    "by notam|per notam|notam d|in the notam|notam says|active by notam|in notams|"
	    "jump start|jump starts|jump in|jump into the plane|jump leads"),
	PLAIN(
	    "strange place|strange airfield|strange airport|strange field|student here|"
	    "student pilot|student pilots|as a student|newbie|newbie here|new pilot|new ppl|"
	    "fresh ppl|freshly minted|low hours|low hour|low time|low time pilot|low timer|"
	    "beginner|beginner here|how ppl|do ppl|ppl actually|ppl really|ppl use|ppl get|"
	    "ppl go|most ppl|ppl say|other ppl|ppl follow|some ppl|ppl think|ppl like|"
	    "duty officer|with a ppl|ppl holder|ppl holders|captain|retired captain|"
	    "ex airline|airline pilot|airline captain|airline days|airline pilots|"
	    "my instructor|my old instructor|flying instructor|my copilot|my examiner|"
	    "back home|back in the day|back in the states|in the states|the states|"
	    "in america|from the us|in the us|at home in|here in|scared|terrified|nervous|"
	    "anxious|panic|embarrassed|confused|newly qualified|just passed|just qualified|"
	    "first time there|first time"),
};
const struct synonyms synonyms_plain = SYNONYMS(rows);

/* Articles, pronouns, auxiliaries, and words that only fill a spoken sentence. */
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
