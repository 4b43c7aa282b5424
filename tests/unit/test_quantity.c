/* Numbers, quantities, times and dates in three languages, and what they are worth. */
#include "tests/unit/test.h"

#include "base/str.h"
#include "language/quantity.h"

static const struct {
	const char *text, *kind, *value, *part;
} rows[] = {
	/* numbers in digits and words */
	{ "800", "number", "800", "800" },
	{ "2.5k", "number", "2500", "2.5k" },
	{ "eight hundred", "number", "800", "eight hundred" },
	{ "two hundred and fifty", "number", "250", "two hundred and fifty" },
	{ "twenty-five", "number", "25", "twenty-five" },
	{ "a thousand", "number", "1000", "a thousand" },
	{ "two thousand five hundred", "number", "2500", "two thousand five hundred" },
	{ "six hundred and nine hundred metres", "length", "900m", "nine hundred metres" },
	{ "six hundred and nine hundred metres", "number", "600", "six hundred" },
	{ "huit cents", "number", "800", "huit cents" },
	{ "mille deux cents", "number", "1200", "mille deux cents" },
	{ "cent septante", "number", "170", "cent septante" },
	{ "soixante-quinze", "number", "75", "soixante-quinze" },
	{ "quatre-vingt-dix", "number", "90", "quatre-vingt-dix" },
	{ "vingt et un", "number", "21", "vingt et un" },
	{ "achthundert", "number", "800", "achthundert" },
	{ "fünfundzwanzig", "number", "25", "fünfundzwanzig" },
	{ "zweitausendfünfhundert", "number", "2500", "zweitausendfünfhundert" },
	{ "tausend", "number", "1000", "tausend" },
	{ "tausendzweihundert", "number", "1200", "tausendzweihundert" },
	{ "ein Dutzend", "number", "12", "ein Dutzend" },
	{ "two or three", "number", "3", "two or three" },
	{ "quatre ou cinq", "number", "5", "quatre ou cinq" },
	{ "zwei bis drei", "number", "3", "zwei bis drei" },
	{ "800", "number.3", NULL, "800" },
	{ "eight hundred", "number.3", NULL, "eight hundred" },
	{ "Arbeitstag 3", "number", "3", "3" },
	/* lengths */
	{ "800m", "length", "800m", "800m" },
	{ "800 m", "length.m", NULL, "800 m" },
	{ "4000'", "length", "4000ft", "4000'" },
	{ "2500 pieds", "length", "2500ft", "2500 pieds" },
	{ "sept cents mètres", "length", "700m", "sept cents mètres" },
	{ "zweitausendfünfhundert Fuß", "length", "2500ft", "zweitausendfünfhundert Fuß" },
	{ "thirty nautical miles", "length", "30nm", "thirty nautical miles" },
	{ "40 miles", "length", "40nm", "40 miles" },
	{ "20 statute miles", "length", "20mi", "20 statute miles" },
	{ "50k", "length", "50km", "50k" },
	{ "2,500 ft", "length", "2500ft", "2,500 ft" },
	{ "2 500 m", "length", "2500m", "2 500 m" },
	{ "30-mile", "length", "30nm", "30-mile" },
	{ "septante kilomètres", "length", "70km", "septante kilomètres" },
	{ "trente milles", "length", "30nm", "trente milles" },
	{ "trente mille nautiques", "length", "30nm", "trente mille nautiques" },
	{ "à trente mille de Lyon", "length", "30nm", "trente mille" },
	{ "trente mille", "number", "30000", "trente mille" },
	{ "nonante-cinq", "number", "95", "nonante-cinq" },
	{ "huitante pieds", "length", "80ft", "huitante pieds" },
	{ "25 NM", "length", "25nm", "25 NM" },
	{ "10-15 nm", "length", "15nm", "15 nm" },
	/* durations */
	{ "30min", "duration", "30min", "30min" },
	{ "half an hour", "duration", "30min", "half an hour" },
	{ "an hour and a half", "duration", "1.5h", "an hour and a half" },
	{ "1h30", "duration", "1.5h", "1h30" },
	{ "1h20", "duration", "80min", "1h20" },
	{ "two and a half hours", "duration", "2.5h", "two and a half hours" },
	{ "1 hour 15 minutes", "duration", "75min", "1 hour 15 minutes" },
	{ "une demi-heure de vol", "duration", "30min", "une demi-heure" },
	{ "deux heures et demie", "duration", "2.5h", "deux heures et demie" },
	{ "un quart d'heure", "duration", "15min", "un quart d'heure" },
	{ "anderthalb Stunden", "duration", "1.5h", "anderthalb Stunden" },
	{ "eine Dreiviertelstunde", "duration", "45min", "eine Dreiviertelstunde" },
	{ "zwei Flugstunden", "duration", "2h", "zwei Flugstunden" },
	{ "24 hours' notice", "duration", "24h", "24 hours" },
	{ "48 heures", "duration", "48h", "48 heures" },
	{ "2 days", "duration", "2d", "2 days" },
	{ "a day's warning", "duration", "1d", "a day's" },
	/* money */
	{ "£15", "money", "15gbp", "£15" },
	{ "20 €", "money", "20eur", "20 €" },
	{ "CHF 20", "money", "20chf", "CHF 20" },
	{ "30 francs", "money", "30chf", "30 francs" },
	{ "twelve quid", "money", "12gbp", "twelve quid" },
	{ "a tenner", "money", "10gbp", "a tenner" },
	{ "zwanzig Franken", "money", "20chf", "zwanzig Franken" },
	{ "150 Kronen", "money", "150dkk", "150 Kronen" },
	{ "15 balles", "money", "15eur", "15 balles" },
	{ "no fee above 30 euros", "money", "30eur", "30 euros" },
	{ "sans redevance au-dessus de 30 francs", "money", "30chf", "30 francs" },
	{ "no landing fee", "money", "0eur", "no landing fee" },
	/* speeds */
	{ "120kt", "speed", "120kt", "120kt" },
	{ "200 km/h", "speed", "200kmh", "200 km/h" },
	{ "110 mph", "speed", "110mph", "110 mph" },
	{ "cent soixante nœuds", "speed", "160kt", "cent soixante nœuds" },
	{ "110 Knoten", "speed", "110kt", "110 Knoten" },
	/* times */
	{ "14h30", "time", "14:30", "14h30" },
	{ "14 h 15", "time", "14:15", "14 h 15" },
	{ "14:00", "time", "14:00", "14:00" },
	{ "7:15 pm", "time", "19:15", "7:15 pm" },
	{ "2 pm", "time", "14:00", "2 pm" },
	{ "10am", "time", "10:00", "10am" },
	{ "12 am", "time", "00:00", "12 am" },
	{ "16 Uhr", "time", "16:00", "16 Uhr" },
	{ "vierzehn Uhr", "time", "14:00", "vierzehn Uhr" },
	{ "14.30 Uhr", "time", "14:30", "14.30 Uhr" },
	{ "halb elf", "time", "10:30", "halb elf" },
	{ "halb drei am Nachmittag", "time", "14:30", "halb drei am Nachmittag" },
	{ "viertel nach acht", "time", "08:15", "viertel nach acht" },
	{ "zehn vor acht", "time", "07:50", "zehn vor acht" },
	{ "half past six in the morning", "time", "06:30", "half past six in the morning" },
	{ "half 7 in the evening", "time", "19:30", "half 7 in the evening" },
	{ "quarter past nine", "time", "09:15", "quarter past nine" },
	{ "quarter to one", "time", "12:45", "quarter to one" },
	{ "8 o'clock", "time", "08:00", "8 o'clock" },
	{ "dix heures", "time", "10:00", "dix heures" },
	{ "huit heures et demie", "time", "08:30", "huit heures et demie" },
	{ "neuf heures moins le quart", "time", "08:45", "neuf heures moins le quart" },
	{ "at noon", "time", "12:00", "noon" },
	{ "à midi", "time", "12:00", "midi" },
	{ "1430z", "time", "14:30", "1430z" },
	{ "0800", "time.bare", "08:00", "0800" },
	{ "at 9", "hour", "09:00", "9" },
	{ "um sieben", "hour", "07:00", "sieben" },
	{ "at four", "hour", "16:00", "four" },
	{ "open until six", "hour", "18:00", "six" },
	{ "bis neun offen", "hour", "21:00", "neun" },
	{ "make that eleven thirty", "time", "11:30", "eleven thirty" },
	{ "four o'clock", "time", "16:00", "four o'clock" },
	{ "à sept heures", "time", "07:00", "sept heures" },
	{ "half past three", "time", "15:30", "half past three" },
	{ "halb vier", "time", "15:30", "halb vier" },
	{ "viertel acht", "time", "07:15", "viertel acht" },
	{ "zehn vor acht am Mittwoch", "time", "07:50", "zehn vor acht" },
	{ "um acht am Montag", "hour", "08:00", "acht" },
	{ "früh um acht", "time", "08:00", "früh um acht" },
	{ "tomorrow morning 9", "time", "09:00", "morning 9" },
	{ "midi et demi", "time", "12:30", "midi et demi" },
	/* the part of the day beside an hour: before it, behind it, and with a day between */
	{ "nachts um zwei", "time", "02:00", "nachts um zwei" },
	{ "nachts um zwei", "hour", "02:00", "zwei" },
	{ "nachts um elf", "hour", "23:00", "elf" },
	{ "zwei Uhr nachts", "time", "02:00", "zwei Uhr nachts" },
	{ "three o'clock at night", "time", "03:00", "three o'clock at night" },
	{ "cette nuit à 2 h", "time", "02:00", "2 h" },
	{ "um acht abends", "hour", "20:00", "acht" },
	{ "abends um acht", "hour", "20:00", "acht" },
	{ "abends noch um acht", "hour", "20:00", "acht" },
	{ "Montagabend um acht", "hour", "20:00", "acht" },
	{ "Sonnabend um acht", "hour", "08:00", "acht" },
	{ "tonight at ten", "hour", "22:00", "ten" },
	{ "Saturday evening, half six", "time", "18:30", "half six" },
	{ "quarter to six in the evening", "time", "17:45", "quarter to six" },
	{ "at eight on Saturday evening", "hour", "20:00", "eight" },
	{ "à 8 h samedi soir", "time", "20:00", "8 h" },
	{ "früh um vier", "hour", "04:00", "vier" },
	{ "half past three in the morning", "time", "03:30", "half past three in the morning" },
	{ "I fly at 5am", "time", "05:00", "5am" },
	{ "Mittag gegen eins", "time", "13:00", "Mittag gegen eins" },
	{ "mittags um elf", "time", "11:00", "mittags um elf" },
	{ "Sunday morning nine", "hour", "09:00", "nine" },
	{ "good morning, at five", "hour", "17:00", "five" },
	{ "evening, at nine", "hour", "09:00", "nine" },
	{ "tomorrow evening, at nine", "hour", "21:00", "nine" },
	{ "mid day at one", "time", "13:00", "mid day at one" },
	{ "um 4 am Montag", "hour", "16:00", "4" },
	{ "um elf Uhr nach Basel", "time", "11:00", "elf Uhr" },
	{ "at 20 in the morning", "hour", "20:00", "20" },
	/* minutes in words, and a zone behind the time */
	{ "sieben Uhr dreißig", "time", "07:30", "sieben Uhr dreißig" },
	{ "vingt heures trente", "time", "20:30", "vingt heures trente" },
	{ "16:30 local", "time", "16:30", "16:30" },
	{ "16:30 local", "time", "16:30", "16:30 local" },
	/* when it closes */
	{ "open until half past seven", "time", "19:30", "half past seven" },
	{ "is it open on Sundays after six", "hour", "18:00", "six" },
	{ "open past nine", "hour", "21:00", "nine" },
	{ "offen ab acht", "hour", "08:00", "acht" },
	{ "noonish", "time", "12:00", "noonish" },
	/* a time that something takes */
	{ "deux heures trente de vol", "duration", "2.5h", "deux heures trente" },
	{ "zwei Stunden", "duration", "2h", "zwei Stunden" },
	/* dates */
	{ "24.12.2026", "day", "24-12", "24.12.2026" },
	{ "2026-12-24", "day", "24-12", "2026-12-24" },
	{ "1 May 2027", "day", "01-05", "1 May 2027" },
	{ "May 1", "day", "01-05", "May 1" },
	{ "25 December", "day", "25-12", "25 December" },
	{ "December 25th", "day", "25-12", "December 25th" },
	{ "1st of May", "day", "01-05", "1st of May" },
	{ "le 14 juillet", "day", "14-07", "14 juillet" },
	{ "1er novembre", "day", "01-11", "1er novembre" },
	{ "8. Dezember", "day", "08-12", "8. Dezember" },
	{ "25.12.", "day", "25-12", "25.12." },
	{ "25/12", "day", "25-12", "25/12" },
	{ "Heiligabend", "day", "24-12", "Heiligabend" },
	{ "arriving June 6.", "day", "06-06", "June 6" },
	{ "the twentieth of September", "day", "20-09", "twentieth of September" },
	{ "vierundzwanzigste Dezember", "day", "24-12", "vierundzwanzigste Dezember" },
	{ "the Fourth of July", "day", "04-07", "Fourth of July" },
	{ "the day after Christmas", "day", "26-12", "day after Christmas" },
	{ "Ostersonntag", "day", "holiday", "Ostersonntag" },
	{ "lundi de fête", "day", "holiday", "lundi de fête" },
	{ "bank hols", "day", "holiday", "bank hols" },
	{ "sontag", "day", "sunday", "sontag" },
	{ "dimnache", "day", "sunday", "dimnache" },
	{ "sundays", "day", "sunday", "sundays" },
	{ "jeudi", "day", "thursday", "jeudi" },
	/* one of a list */
	{ "the 2nd", "ordinal", "2", "2nd" },
	{ "le 3ème", "ordinal", "3", "3ème" },
	{ "number four", "ordinal", "4", "number four" },
	{ "#2", "ordinal", "2", "#2" },
	{ "le numéro deux", "ordinal", "2", "numéro deux" },
	{ "der letzte", "ordinal", "-1", "letzte" },
	/* aircraft */
	{ "in a P2008", "aircraft.shape", "p2008", "P2008" },
	{ "PA-28", "aircraft.shape", "pa28", "PA-28" },
	{ "DR400", "aircraft", "dr400", "DR400" },
	{ "my Skyhawk", "aircraft", "c172", "Skyhawk" },
};

static const struct evidences *all(struct arena *a, const struct vocabulary *v, const struct words *w)
{
	const struct evidence_source source[] = { vocabulary_source(v), quantity_source(v) };

	return evidence_of(a, w, source, sizeof(source) / sizeof(source[0]));
}

TEST(quantity, is_worth_what_was_meant)
{
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct words *w = words_of(a, rows[i].text, NULL);
		const struct evidences *x = all(a, v, w);
		const char *seen = "";
		bool found = false;
		for (size_t k = 0; k < x->n; k++) {
			const char *part = words_slice(a, w, x->at[k].first, x->at[k].last);
			found |= streq(x->at[k].kind, rows[i].kind) && streq(x->at[k].value, rows[i].value) &&
			    streq(part, rows[i].part);
			if (streq(x->at[k].kind, rows[i].kind))
				seen = arena_printf(a, "%s [%s]=%s", seen, part, x->at[k].value);
		}
		cr_expect(found, "%s: no %s [%s]=%s, but%s", rows[i].text, rows[i].kind, rows[i].part, rows[i].value,
		    seen);
	}
	arena_free(a);
}

static const struct {
	const char *text, *kind;
} absent[] = {
	{ "one", "number" },                   /* an article in most languages */
	{ "99:30", "time" }, { "14:75", "time" }, { "2575", "time.bare" },
	{ "32.12.", "day" }, { "31.13.", "day" },
	{ "hundertmal", "number" },
	{ "0815er", "duration" },
	{ "", "number" }, { "-", "number" }, { "k", "number" },
	{ "99999999999999999999999999", "time.bare" },
	/* nights that are counted */
	{ "a hangar one night", "time" }, { "hotel, two nights", "time" }, { "drei Nacht", "time" }, { "first night 2 persons", "time" },
};

TEST(quantity, nothing_is_made_up)
{
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		const struct evidences *x = all(a, v, words_of(a, absent[i].text, NULL));
		for (size_t k = 0; k < x->n; k++)
			cr_expect_str_neq(x->at[k].kind, absent[i].kind, "%s", absent[i].text);
	}
	arena_free(a);
}

/* Long rows of numbers and of words for numbers end, and stay within bounds. */
TEST(quantity, survives_long_texts)
{
	static const char *const words[] = { "1 ", "hundred ", "half ", "h", "at ", "hundertundtausend", "1h30 ",
		"999999999999999999999 k ", "1.5.", "£", "viertel vor ", "-" };
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *text = arena_alloc(a, 65536);
		for (size_t n = 0; n + strlen(words[i]) < 65536; n += strlen(words[i]))
			memcpy(text + n, words[i], strlen(words[i]));
		cr_expect_leq(all(a, v, words_of(a, text, NULL))->n, (size_t)EVIDENCE_MAX);
	}
	arena_free(a);
}
