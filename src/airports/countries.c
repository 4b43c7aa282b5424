/*
 * The countries of the world: one row each, ISO 3166-1 and XK (Kosovo).
 *
 * Adjectives and aliases are folded, as str_fold() gives them. A word that pilots use for
 * something else is left out on purpose: "us" (a pronoun), "man". Parts of a state that everyone
 * takes for a country (England, Holland) are aliases. A name with letters beyond ASCII
 * has its folded form among the aliases.
 */
#include "airports/countries.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

const struct country countries[] = {
	{ "AD", "Andorra", "andorran", "" },
	{ "AE", "United Arab Emirates", "emirati", "uae|u.a.e.|emirates" },
	{ "AF", "Afghanistan", "afghan", "" },
	{ "AG", "Antigua and Barbuda", "antiguan|barbudan", "antigua|barbuda|antigua & barbuda" },
	{ "AI", "Anguilla", "anguillan", "" },
	{ "AL", "Albania", "albanian", "" },
	{ "AM", "Armenia", "armenian", "" },
	{ "AO", "Angola", "angolan", "" },
	{ "AQ", "Antarctica", "antarctic", "" },
	{ "AR", "Argentina", "argentine|argentinian|argentinean", "argentine republic" },
	{ "AS", "American Samoa", "american samoan", "" },
	{ "AT", "Austria", "austrian", "osterreich|oesterreich|autriche" },
	{ "AU", "Australia", "australian|aussie", "" },
	{ "AW", "Aruba", "aruban", "" },
	{ "AX", "Åland Islands", "alandic", "aland|aland islands" },
	{ "AZ", "Azerbaijan", "azerbaijani|azeri", "" },
	{ "BA", "Bosnia and Herzegovina", "bosnian|herzegovinian",
	    "bosnia|herzegovina|bosnia-herzegovina|bosnia & herzegovina" },
	{ "BB", "Barbados", "barbadian|bajan", "" },
	{ "BD", "Bangladesh", "bangladeshi", "" },
	{ "BE", "Belgium", "belgian", "belgique|belgie|flanders|wallonia|belgien" },
	{ "BF", "Burkina Faso", "burkinabe", "burkina" },
	{ "BG", "Bulgaria", "bulgarian", "" },
	{ "BH", "Bahrain", "bahraini", "" },
	{ "BI", "Burundi", "burundian", "" },
	{ "BJ", "Benin", "beninese", "" },
	{ "BL", "Saint Barthélemy", "barthelemois", "saint barthelemy|st barthelemy|st. barthelemy|st barts|st. barts|st barths" },
	{ "BM", "Bermuda", "bermudian|bermudan", "" },
	{ "BN", "Brunei", "bruneian", "brunei darussalam" },
	{ "BO", "Bolivia", "bolivian", "" },
	{ "BQ", "Caribbean Netherlands", "bonairean", "bonaire|saba|sint eustatius|st eustatius" },
	{ "BR", "Brazil", "brazilian", "brasil" },
	{ "BS", "Bahamas", "bahamian", "" },
	{ "BT", "Bhutan", "bhutanese", "" },
	{ "BV", "Bouvet Island", "", "" },
	{ "BW", "Botswana", "botswanan|motswana", "" },
	{ "BY", "Belarus", "belarusian|belarussian", "" },
	{ "BZ", "Belize", "belizean", "" },
	{ "CA", "Canada", "canadian", "" },
	{ "CC", "Cocos (Keeling) Islands", "", "cocos islands|keeling islands" },
	{ "CD", "Democratic Republic of the Congo", "", "dr congo|drc|congo-kinshasa|congo kinshasa|zaire" },
	{ "CF", "Central African Republic", "central african", "" },
	{ "CG", "Congo", "congolese", "republic of the congo|congo-brazzaville|congo brazzaville" },
	{ "CH", "Switzerland", "swiss|helvetic", "schweiz|suisse|svizzera|swiss confederation" },
	{ "CI", "Côte d'Ivoire", "ivorian", "cote d'ivoire|ivory coast|cote divoire" },
	{ "CK", "Cook Islands", "cook islander", "" },
	{ "CL", "Chile", "chilean", "" },
	{ "CM", "Cameroon", "cameroonian", "" },
	{ "CN", "China", "chinese", "people's republic of china|prc|mainland china" },
	{ "CO", "Colombia", "colombian", "" },
	{ "CR", "Costa Rica", "costa rican", "" },
	{ "CU", "Cuba", "cuban", "" },
	{ "CV", "Cape Verde", "cape verdean", "cabo verde" },
	{ "CW", "Curaçao", "curacaoan", "curacao" },
	{ "CX", "Christmas Island", "", "" },
	{ "CY", "Cyprus", "cypriot", "" },
	{ "CZ", "Czechia", "czech|bohemian|moravian",
	    "czech republic|cesko|bohemia|moravia|tschechien" },
	{ "DE", "Germany", "german|bavarian",
	    "deutschland|federal republic of germany|allemagne|duitsland|germania" },
	{ "DJ", "Djibouti", "djiboutian", "" },
	{ "DK", "Denmark", "danish", "danmark|danemark" },
	{ "DM", "Dominica", "", "commonwealth of dominica" },
	{ "DO", "Dominican Republic", "dominican", "" },
	{ "DZ", "Algeria", "algerian", "" },
	{ "EC", "Ecuador", "ecuadorian|ecuadorean", "" },
	{ "EE", "Estonia", "estonian", "eesti" },
	{ "EG", "Egypt", "egyptian", "" },
	{ "EH", "Western Sahara", "sahrawi", "" },
	{ "ER", "Eritrea", "eritrean", "" },
	{ "ES", "Spain", "spanish|catalan|andalusian|basque", "espana|spanien|espagne" },
	{ "ET", "Ethiopia", "ethiopian", "" },
	{ "FI", "Finland", "finnish", "suomi|finnland|finlande" },
	{ "FJ", "Fiji", "fijian", "" },
	{ "FK", "Falkland Islands", "falkland", "falklands|malvinas" },
	{ "FM", "Micronesia", "micronesian", "federated states of micronesia" },
	{ "FO", "Faroe Islands", "faroese|faroe", "faroes|faeroe islands|faeroes" },
	{ "FR", "France", "french|breton|corsican",
	    "metropolitan france|mainland france|frankreich|frankrijk|francia" },
	{ "GA", "Gabon", "gabonese", "" },
	{ "GB", "United Kingdom", "british|english|scottish|welsh|northern irish|scots",
	    "uk|u.k.|great britain|britain|england|scotland|wales|northern ireland|gb|grossbritannien|angleterre|royaume-uni|vereinigtes konigreich|grande-bretagne" },
	{ "GD", "Grenada", "grenadian", "" },
	{ "GE", "Georgia", "georgian", "republic of georgia" },
	{ "GF", "French Guiana", "french guianese", "guyane" },
	{ "GG", "Guernsey", "guernsey|guernseyman", "bailiwick of guernsey|alderney|sark" },
	{ "GH", "Ghana", "ghanaian", "" },
	{ "GI", "Gibraltar", "gibraltarian", "" },
	{ "GL", "Greenland", "greenlandic", "kalaallit nunaat" },
	{ "GM", "Gambia", "gambian", "" },
	{ "GN", "Guinea", "guinean", "guinea-conakry" },
	{ "GP", "Guadeloupe", "guadeloupean", "" },
	{ "GQ", "Equatorial Guinea", "equatorial guinean|equatoguinean", "" },
	{ "GR", "Greece", "greek|hellenic", "hellas|griechenland|grece" },
	{ "GS", "South Georgia and the South Sandwich Islands", "", "south georgia" },
	{ "GT", "Guatemala", "guatemalan", "" },
	{ "GU", "Guam", "guamanian", "" },
	{ "GW", "Guinea-Bissau", "bissau-guinean", "guinea bissau" },
	{ "GY", "Guyana", "guyanese", "" },
	{ "HK", "Hong Kong", "hongkonger", "hongkong" },
	{ "HM", "Heard Island and McDonald Islands", "", "heard island" },
	{ "HN", "Honduras", "honduran", "" },
	{ "HR", "Croatia", "croatian|croat", "hrvatska|dalmatia|kroatien|croatie" },
	{ "HT", "Haiti", "haitian", "" },
	{ "HU", "Hungary", "hungarian", "magyarorszag|ungarn|hongrie" },
	{ "ID", "Indonesia", "indonesian", "" },
	{ "IE", "Ireland", "irish", "republic of ireland|eire|irland|irlande" },
	{ "IL", "Israel", "israeli", "" },
	{ "IM", "Isle of Man", "manx", "" },
	{ "IN", "India", "indian", "bharat" },
	{ "IO", "British Indian Ocean Territory", "", "diego garcia|chagos islands" },
	{ "IQ", "Iraq", "iraqi", "" },
	{ "IR", "Iran", "iranian|persian", "islamic republic of iran|persia" },
	{ "IS", "Iceland", "icelandic", "" },
	{ "IT", "Italy", "italian|sicilian|sardinian|tuscan", "italia|italien|italie" },
	{ "JE", "Jersey", "jersey", "bailiwick of jersey" },
	{ "JM", "Jamaica", "jamaican", "" },
	{ "JO", "Jordan", "jordanian", "" },
	{ "JP", "Japan", "japanese", "nippon" },
	{ "KE", "Kenya", "kenyan", "" },
	{ "KG", "Kyrgyzstan", "kyrgyz|kyrgyzstani", "kyrgyz republic" },
	{ "KH", "Cambodia", "cambodian|khmer", "kampuchea" },
	{ "KI", "Kiribati", "i-kiribati", "" },
	{ "KM", "Comoros", "comorian|comoran", "" },
	{ "KN", "Saint Kitts and Nevis", "kittitian|nevisian", "st kitts and nevis|st. kitts and nevis|st kitts|saint kitts|nevis" },
	{ "KP", "North Korea", "north korean", "dprk|democratic people's republic of korea" },
	{ "KR", "South Korea", "south korean|korean", "korea|republic of korea" },
	{ "KW", "Kuwait", "kuwaiti", "" },
	{ "KY", "Cayman Islands", "caymanian|cayman", "caymans|grand cayman" },
	{ "KZ", "Kazakhstan", "kazakh|kazakhstani", "" },
	{ "LA", "Laos", "laotian|lao", "lao pdr" },
	{ "LB", "Lebanon", "lebanese", "" },
	{ "LC", "Saint Lucia", "saint lucian|st lucian", "st lucia|st. lucia" },
	{ "LI", "Liechtenstein", "liechtensteiner", "" },
	{ "LK", "Sri Lanka", "sri lankan", "ceylon" },
	{ "LR", "Liberia", "liberian", "" },
	{ "LS", "Lesotho", "basotho", "" },
	{ "LT", "Lithuania", "lithuanian", "lietuva" },
	{ "LU", "Luxembourg", "luxembourgish|luxembourger", "luxemburg" },
	{ "LV", "Latvia", "latvian", "latvija" },
	{ "LY", "Libya", "libyan", "" },
	{ "MA", "Morocco", "moroccan", "maroc" },
	{ "MC", "Monaco", "monegasque|monacan", "" },
	{ "MD", "Moldova", "moldovan", "republic of moldova" },
	{ "ME", "Montenegro", "montenegrin", "crna gora" },
	{ "MF", "Saint Martin", "saint-martinois", "st martin|st. martin" },
	{ "MG", "Madagascar", "malagasy|madagascan", "" },
	{ "MH", "Marshall Islands", "marshallese", "" },
	{ "MK", "North Macedonia", "macedonian|north macedonian", "macedonia|fyrom" },
	{ "ML", "Mali", "malian", "" },
	{ "MM", "Myanmar", "burmese|myanma", "burma" },
	{ "MN", "Mongolia", "mongolian", "" },
	{ "MO", "Macao", "macanese", "macau" },
	{ "MP", "Northern Mariana Islands", "", "northern marianas|saipan" },
	{ "MQ", "Martinique", "martinican|martiniquais", "" },
	{ "MR", "Mauritania", "mauritanian", "" },
	{ "MS", "Montserrat", "montserratian", "" },
	{ "MT", "Malta", "maltese", "" },
	{ "MU", "Mauritius", "mauritian", "" },
	{ "MV", "Maldives", "maldivian", "" },
	{ "MW", "Malawi", "malawian", "" },
	{ "MX", "Mexico", "mexican", "" },
	{ "MY", "Malaysia", "malaysian", "" },
	{ "MZ", "Mozambique", "mozambican", "" },
	{ "NA", "Namibia", "namibian", "" },
	{ "NC", "New Caledonia", "new caledonian", "" },
	{ "NE", "Niger", "nigerien", "" },
	{ "NF", "Norfolk Island", "norfolk islander", "" },
	{ "NG", "Nigeria", "nigerian", "" },
	{ "NI", "Nicaragua", "nicaraguan", "" },
	{ "NL", "Netherlands", "dutch|netherlandic", "holland|nederland|niederlande|pays-bas" },
	{ "NO", "Norway", "norwegian", "norge|norwegen|norvege" },
	{ "NP", "Nepal", "nepalese|nepali", "" },
	{ "NR", "Nauru", "nauruan", "" },
	{ "NU", "Niue", "niuean", "" },
	{ "NZ", "New Zealand", "new zealand|kiwi", "aotearoa" },
	{ "OM", "Oman", "omani", "" },
	{ "PA", "Panama", "panamanian", "" },
	{ "PE", "Peru", "peruvian", "" },
	{ "PF", "French Polynesia", "french polynesian|polynesian|tahitian", "" },
	{ "PG", "Papua New Guinea", "papua new guinean|papuan", "png" },
	{ "PH", "Philippines", "philippine|filipino", "" },
	{ "PK", "Pakistan", "pakistani", "" },
	{ "PL", "Poland", "polish", "polska|polen|pologne" },
	{ "PM", "Saint Pierre and Miquelon", "", "st pierre and miquelon|st. pierre and miquelon" },
	{ "PN", "Pitcairn", "", "pitcairn islands" },
	{ "PR", "Puerto Rico", "puerto rican", "" },
	{ "PS", "Palestine", "palestinian", "palestinian territory|palestinian territories|gaza" },
	{ "PT", "Portugal", "portuguese", "" },
	{ "PW", "Palau", "palauan", "" },
	{ "PY", "Paraguay", "paraguayan", "" },
	{ "QA", "Qatar", "qatari", "" },
	{ "RE", "Réunion", "reunionese", "reunion|reunion island|la reunion" },
	{ "RO", "Romania", "romanian", "" },
	{ "RS", "Serbia", "serbian|serb", "srbija" },
	{ "RU", "Russia", "russian", "russian federation" },
	{ "RW", "Rwanda", "rwandan", "" },
	{ "SA", "Saudi Arabia", "saudi|saudi arabian", "ksa|kingdom of saudi arabia" },
	{ "SB", "Solomon Islands", "solomon islander", "solomons" },
	{ "SC", "Seychelles", "seychellois", "" },
	{ "SD", "Sudan", "sudanese", "" },
	{ "SE", "Sweden", "swedish", "sverige|schweden|suede" },
	{ "SG", "Singapore", "singaporean", "" },
	{ "SH", "Saint Helena, Ascension and Tristan da Cunha", "saint helenian", "saint helena|st helena|st. helena|ascension island" },
	{ "SI", "Slovenia", "slovenian|slovene", "slovenija" },
	{ "SJ", "Svalbard and Jan Mayen", "", "svalbard|jan mayen" },
	{ "SK", "Slovakia", "slovak|slovakian", "slovak republic|slovensko" },
	{ "SL", "Sierra Leone", "sierra leonean", "" },
	{ "SM", "San Marino", "sammarinese", "" },
	{ "SN", "Senegal", "senegalese", "" },
	{ "SO", "Somalia", "somali|somalian", "" },
	{ "SR", "Suriname", "surinamese", "surinam" },
	{ "SS", "South Sudan", "south sudanese", "" },
	{ "ST", "São Tomé and Príncipe", "santomean", "sao tome and principe|sao tome" },
	{ "SV", "El Salvador", "salvadoran|salvadorian", "" },
	{ "SX", "Sint Maarten", "", "st maarten|st. maarten" },
	{ "SY", "Syria", "syrian", "syrian arab republic" },
	{ "SZ", "Eswatini", "swazi", "swaziland" },
	{ "TC", "Turks and Caicos Islands", "turks and caicos", "turks & caicos|turks and caicos" },
	{ "TD", "Chad", "chadian", "" },
	{ "TF", "French Southern Territories", "", "kerguelen" },
	{ "TG", "Togo", "togolese", "" },
	{ "TH", "Thailand", "thai", "" },
	{ "TJ", "Tajikistan", "tajik|tajikistani", "" },
	{ "TK", "Tokelau", "tokelauan", "" },
	{ "TL", "Timor-Leste", "timorese|east timorese", "east timor|timor leste" },
	{ "TM", "Turkmenistan", "turkmen", "" },
	{ "TN", "Tunisia", "tunisian", "" },
	{ "TO", "Tonga", "tongan", "" },
	{ "TR", "Turkey", "turkish", "turkiye" },
	{ "TT", "Trinidad and Tobago", "trinidadian|tobagonian", "trinidad|tobago|trinidad & tobago" },
	{ "TV", "Tuvalu", "tuvaluan", "" },
	{ "TW", "Taiwan", "taiwanese", "republic of china" },
	{ "TZ", "Tanzania", "tanzanian", "zanzibar" },
	{ "UA", "Ukraine", "ukrainian", "" },
	{ "UG", "Uganda", "ugandan", "" },
	{ "UM", "United States Minor Outlying Islands", "", "us minor outlying islands|midway|wake island" },
	{ "US", "United States", "american|u.s.",
	    "usa|u.s.a.|u.s.|america|united states of america" },
	{ "UY", "Uruguay", "uruguayan", "" },
	{ "UZ", "Uzbekistan", "uzbek|uzbekistani", "" },
	{ "VA", "Vatican City", "vatican", "holy see|vatican" },
	{ "VC", "Saint Vincent and the Grenadines", "vincentian", "st vincent|st. vincent|saint vincent|grenadines" },
	{ "VE", "Venezuela", "venezuelan", "" },
	{ "VG", "British Virgin Islands", "british virgin islander", "bvi" },
	{ "VI", "U.S. Virgin Islands", "virgin islander", "us virgin islands|usvi|united states virgin islands" },
	{ "VN", "Vietnam", "vietnamese", "viet nam" },
	{ "VU", "Vanuatu", "ni-vanuatu|vanuatuan", "" },
	{ "WF", "Wallis and Futuna", "", "wallis & futuna" },
	{ "WS", "Samoa", "samoan", "western samoa" },
	{ "XK", "Kosovo", "kosovar|kosovan", "" },
	{ "YE", "Yemen", "yemeni", "" },
	{ "YT", "Mayotte", "mahoran", "" },
	{ "ZA", "South Africa", "south african", "rsa" },
	{ "ZM", "Zambia", "zambian", "" },
	{ "ZW", "Zimbabwe", "zimbabwean", "" },
};
const size_t ncountries = sizeof(countries) / sizeof(countries[0]);

static const char preferred[][3] = {
	"DE", "FR", "GB", "ES", "IT", "NL", "BE", "CH", "AT", "PL", "PT", "GR", "IE", "SE",
	"NO", "DK", "FI", "CZ", "HU", "HR", "SI", "SK", "RO", "BG", "TR", "MT", "LU", "IS",
	"EE", "LV", "LT", "CY", "RS", "AL", "ME", "MK", "BA", "GG", "JE", "IM", "FO", "MC",
	"AD", "LI",
};

/* The rows are in order of their codes. */
const struct country *country_by_code(const char *code)
{
	char up[3];
	size_t lo = 0, hi = ncountries;

	if (code == NULL || strlen(code) != 2)
		return NULL;
	for (int i = 0; i < 3; i++)
		up[i] = ascii_upper(code[i]);
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int cmp = strcmp(up, countries[mid].code);

		if (cmp == 0)
			return &countries[mid];
		if (cmp < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* ---- by name ------------------------------------------------------------------ */

/*
 * A hash table of all names, aliases and adjectives, because a planner looks up nearly every word of
 * a conversation. The first look-up makes it.
 */
enum { NAMES = 2048 };                /* a power of two, several times the names there are */

static struct country_name {
	const char *text;             /* in a row of countries[]; NULL: free */
	size_t n;
	const struct country *country;
} names[NAMES];
static pthread_once_t names_once = PTHREAD_ONCE_INIT;

/* The slot of a text, or the free slot for it. ASCII case does not count: names have capitals. */
static struct country_name *slot_of(const char *text, size_t n)
{
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)ascii_lower(text[i])) * 16777619U;
	for (;; h++) {
		struct country_name *slot = &names[h % NAMES];

		if (slot->text == NULL || (slot->n == n && strncasecmp(slot->text, text, n) == 0))
			return slot;
	}
}

/* The first country that adds a text keeps it. */
static void put_name(const struct country *c, const char *text, size_t n)
{
	struct country_name *slot = slot_of(text, n);

	if (n > 0 && slot->text == NULL)
		*slot = (struct country_name){ text, n, c };
}

/* The words of a "|"-separated list. */
static void put_list(const struct country *c, const char *list)
{
	struct str name;

	while (str_part(&list, '|', &name))
		put_name(c, name.p, name.n);
}

/* A name or alias goes before an adjective of another country. */
static void names_make(void)
{
	for (size_t i = 0; i < ncountries; i++) {
		put_name(&countries[i], countries[i].name, strlen(countries[i].name));
		put_list(&countries[i], countries[i].aliases);
	}
	for (size_t i = 0; i < ncountries; i++)
		put_list(&countries[i], countries[i].adjectives);
}

const struct country *country_by_name(const char *folded)
{
	size_t n;

	if (folded == NULL)
		return NULL;
	if (starts_with(folded, "the ") && folded[4] != '\0')
		folded += 4;
	n = strlen(folded);
	if (n < 2)
		return NULL;
	pthread_once(&names_once, names_make);
	return slot_of(folded, n)->country;
}

bool country_preferred(const char *code)
{
	const struct country *c = country_by_code(code);

	if (c == NULL)
		return false;
	for (size_t i = 0; i < sizeof(preferred) / sizeof(preferred[0]); i++)
		if (streq(preferred[i], c->code))
			return true;
	return false;
}
