/*
 * What has to be known about words: cities and regions that are called differently in English and at
 * home, and words that are places only by accident. Keys as place_key() makes
 * them; every name of a row stands for every other within that country.
 */
#include "airports/gazetteer.h"

#include <string.h>

#include "base/str.h"

static const struct exonym_row {
	char country[3];
	const char *names;
} rows[] = {
	{ "AT", "vienna|wien" }, { "AT", "carinthia|karnten|kaernten" }, { "AT", "styria|steiermark" },
	{ "AT", "tyrol|tirol" }, { "AT", "lower austria|niederosterreich|niederoesterreich" },
	{ "BE", "brussels|bruxelles|brussel" }, { "BE", "antwerp|antwerpen|anvers" },
	{ "BE", "bruges|brugge" }, { "BE", "ghent|gent|gand" }, { "BE", "ostend|oostende|ostende" },
	{ "BE", "liege|luik|luttich" }, { "BE", "courtrai|kortrijk" }, { "BE", "louvain|leuven" },
	{ "BE", "mechelen|malines" }, { "BE", "namur|namen" }, { "BE", "mons|bergen" },
	{ "BG", "sofia|sofiya" }, { "BG", "plovdiv|philippopolis" },
	{ "CH", "zurich|zuerich" }, { "CH", "geneva|geneve|genf|ginevra" },
	{ "CH", "basel|basle|bale" }, { "FR", "basel|basle|bale" }, { "CH", "lucerne|luzern" },
	{ "CH", "bern|berne" }, { "CH", "saint gallen|saint gall" },
	{ "CH", "samedan|saint moritz" }, { "CH", "sion|sitten" }, { "CH", "neuchatel|neuenburg" }, { "CH", "grisons|graubunden" },
	{ "CY", "nicosia|lefkosia" }, { "CY", "larnaca|larnaka" }, { "CY", "paphos|pafos" },
	{ "CZ", "prague|praha|prag" }, { "CZ", "pilsen|plzen" }, { "CZ", "carlsbad|karlovy vary|karlsbad" },
	{ "CZ", "brno|brunn|bruenn" }, { "CZ", "ceske budejovice|budweis" },
	{ "DE", "munich|munchen|muenchen|monaco di baviera" }, { "DE", "cologne|koln|koeln" },
	{ "DE", "nuremberg|nurnberg|nuernberg" }, { "DE", "hanover|hannover" },
	{ "DE", "brunswick|braunschweig" }, { "DE", "frankfurt|frankfurt am main|frankfort" },
	{ "DE", "dusseldorf|duesseldorf" }, { "DE", "aix la chapelle|aachen" },
	{ "DE", "heligoland|helgoland" }, { "DE", "bavaria|bayern" }, { "DE", "saxony|sachsen" },
	{ "DE", "lower saxony|niedersachsen" }, { "DE", "rhineland palatinate|rheinland pfalz" },
	{ "DE", "thuringia|thuringen|thueringen" }, { "DE", "hesse|hessen" },
	{ "DE", "north rhine westphalia|nordrhein westfalen" }, { "DE", "mainz|mayence" },
	{ "DE", "constance|konstanz" }, { "DE", "ratisbon|regensburg" }, { "DE", "sylt|westerland" },
	{ "DK", "copenhagen|kobenhavn|koebenhavn|kopenhagen" }, { "DK", "aarhus|arhus" },
	{ "DK", "aalborg|alborg" }, { "DK", "elsinore|helsingor" },
	{ "EE", "tallinn|reval" },
	{ "ES", "seville|sevilla" }, { "ES", "saragossa|zaragoza" }, { "ES", "corunna|a coruna|la coruna" },
	{ "ES", "majorca|mallorca" }, { "ES", "palma|palma de mallorca" }, { "ES", "minorca|menorca" },
	{ "ES", "ibiza|eivissa" }, { "ES", "cordova|cordoba" }, { "ES", "san sebastian|donostia" },
	{ "ES", "andalusia|andalucia" }, { "ES", "catalonia|cataluna|catalunya" },
	{ "ES", "canary islands|canarias|canaries" }, { "ES", "balearic islands|baleares|illes balears" },
	{ "ES", "castile|castilla" }, { "ES", "tenerife|teneriffe|teneriffa" },
	{ "ES", "gerona|girona" }, { "ES", "lerida|lleida" }, { "ES", "santiago|santiago de compostela" },
	{ "FI", "helsinki|helsingfors" }, { "FI", "turku|abo" }, { "FI", "tampere|tammerfors" },
	{ "FR", "lyon|lyons" }, { "FR", "marseille|marseilles" }, { "FR", "rheims|reims" },
	{ "FR", "dunkirk|dunkerque" }, { "FR", "strasbourg|strassburg" }, { "FR", "nice|nizza" },
	{ "FR", "corsica|corse" }, { "FR", "brittany|bretagne" }, { "FR", "normandy|normandie" },
	{ "FR", "burgundy|bourgogne" }, { "FR", "picardy|picardie" }, { "FR", "alsace|elsass" },
	{ "FR", "le touquet|le touquet paris plage" }, { "FR", "mulhouse|mulhausen" },
	{ "GB", "newcastle|newcastle upon tyne" }, { "GB", "edinburgh|edinburg" },
	{ "GB", "southend|southend on sea" }, { "GB", "stoke|stoke on trent" },
	{ "GE", "tbilisi|tiflis" },
	{ "GR", "athens|athina|athinai" }, { "GR", "thessaloniki|salonica|saloniki" },
	{ "GR", "corfu|kerkyra" }, { "GR", "crete|kriti|kreta" }, { "GR", "heraklion|iraklion|irakleio|iraklio" },
	{ "GR", "rhodes|rodos" }, { "GR", "santorini|thira|thera" }, { "GR", "zante|zakynthos|zakinthos" },
	{ "GR", "patras|patra" }, { "GR", "chania|hania|khania" }, { "GR", "mykonos|mikonos" },
	{ "HR", "dubrovnik|ragusa" }, { "HR", "rijeka|fiume" }, { "HR", "istria|istra|istarska" },
	{ "HR", "split|spalato" }, { "HR", "zadar|zara" }, { "HR", "pula|pola" },
	{ "HU", "budapest|budapesth" },
	{ "IE", "dublin|baile atha cliath" }, { "IE", "cork|corcaigh" },
	{ "IL", "jerusalem|yerushalayim" }, { "IL", "tel aviv|tel aviv yafo" },
	{ "IS", "reykjavik|reykiavik" },
	{ "IT", "rome|roma|rom" }, { "IT", "milan|milano|mailand" }, { "IT", "florence|firenze|florenz" },
	{ "IT", "venice|venezia|venedig" }, { "IT", "naples|napoli|neapel" }, { "IT", "turin|torino" },
	{ "IT", "genoa|genova|genua|genes" }, { "IT", "padua|padova" }, { "IT", "mantua|mantova" },
	{ "IT", "leghorn|livorno" }, { "IT", "syracuse|siracusa" }, { "IT", "bolzano|bozen" },
	{ "IT", "trent|trento" }, { "IT", "sicily|sicilia" }, { "IT", "sardinia|sardegna" },
	{ "IT", "tuscany|toscana" }, { "IT", "lombardy|lombardia" }, { "IT", "piedmont|piemonte" },
	{ "IT", "apulia|puglia" }, { "IT", "elba|marina di campo" }, { "IT", "south tyrol|sudtirol|alto adige" },
	{ "LT", "vilnius|vilna" }, { "LU", "luxembourg|luxemburg|luxembourg city" },
	{ "LV", "riga|ryga" }, { "MA", "marrakech|marrakesh" }, { "MA", "tangier|tanger" },
	{ "MA", "casablanca|dar el beida" }, { "MT", "valletta|valetta|luqa" },
	{ "NL", "the hague|den haag|s gravenhage|la haye" }, { "NL", "flushing|vlissingen" },
	{ "NL", "texel|de cocksdorp" }, { "NO", "bergen|bjorgvin" }, { "NO", "trondheim|trondhjem" },
	{ "PL", "warsaw|warszawa|warschau" }, { "PL", "cracow|krakow|krakau" }, { "PL", "breslau|wroclaw" },
	{ "PL", "danzig|gdansk" }, { "PL", "poznan|posen" }, { "PL", "stettin|szczecin" },
	{ "PL", "lodz|lodsch" }, { "PL", "silesia|slask|slaskie" },
	{ "PT", "lisbon|lisboa|lissabon" }, { "PT", "oporto|porto" }, { "PT", "azores|acores" },
	{ "PT", "cascais|tires" }, { "RO", "bucharest|bucuresti|bukarest" }, { "RO", "iasi|jassy" },
	{ "RO", "cluj|cluj napoca|klausenburg" }, { "RS", "belgrade|beograd|belgrad" },
	{ "RU", "moscow|moskva|moskau" }, { "RU", "saint petersburg|saint peterburg|leningrad" },
	{ "SE", "gothenburg|goteborg|goeteborg" }, { "SE", "malmo|malmoe" }, { "SE", "scania|skane" },
	{ "SI", "ljubljana|laibach" }, { "SI", "maribor|marburg an der drau" }, { "SI", "portoroz|portorose" },
	{ "SK", "bratislava|pressburg|pozsony" }, { "SK", "kosice|kaschau" },
	{ "TR", "istanbul|constantinople|stambul" }, { "TR", "izmir|smyrna" },
	{ "UA", "kyiv|kiev|kiew" }, { "UA", "lviv|lvov|lemberg" }, { "UA", "odessa|odesa" },
};

static const char *const common[] = {
	"along", "bar", "base", "bay", "beach", "best", "center", "central", "centre", "city", "concrete",
	"country", "cross", "crossing", "customs", "east", "farm", "field", "flight", "free", "friendly", "fuel",
	"general", "good", "grass", "hard", "hotel", "island", "jet", "lake", "land", "landing", "long",
	"lunch", "miles", "most", "mountain", "my", "national", "near", "new", "normal", "north", "northern",
	"old", "one", "park", "pilot", "point", "port", "price", "ranch", "restaurant", "river", "short",
	"south", "southern", "springs", "station", "stop", "sunday", "the", "three", "two", "us", "valley",
	"water", "west", "western",
};

bool place_common(const char *key)
{
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (streq(key, common[i]))
			return true;
	return false;
}

bool exonym(const char *key, const char *country, size_t i, char out[PLACE_KEY_MAX])
{
	struct str name;

	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		const char *names = rows[r].names;

		if (country == NULL || !streq(rows[r].country, country) || !one_of(key, names))
			continue;
		while (str_part(&names, '|', &name))
			if (!str_eq(name, key) && i-- == 0) {
				memcpy(out, name.p, name.n);
				out[name.n] = '\0';
				return true;
			}
	}
	return false;
}
