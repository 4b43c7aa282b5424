#include "language/spelled.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LEAST = 3, CODE = 4 };

/* The spelling alphabet of ICAO, with the ways in which people write its words. */
static const char *const alphabet[] = {
	"alfa", "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "fox", "golf", "hotel", "india", "juliett", "juliet", "juliette",
	"kilo", "lima", "mike", "november", "oscar", "oskar", "papa", "quebec", "québec", "romeo", "sierra", "tango", "uniform",
	"victor", "viktor", "whiskey", "whisky", "x-ray", "xray", "yankee", "zulu", "zoulou",
};

/* Small letters that codes begin with. Most of the others begin words of one letter ("y a t il"). */
static const char small_firsts[] = "bdeghklopsuv";

/* Is there a letter or a digit at p, of any language? Signs such as "–" begin with bytes from 0xe2 on. */
static bool is_letter(const char *p)
{
	const unsigned char c = (unsigned char)*p;
	return isalnum(c) != 0 || (c >= 0xc3 && c < 0xe2);
}

/* Does a word go on before text[i]? */
static bool goes_on(const char *text, size_t i)
{
	if (i == 0)
		return false;
	size_t at = i - 1;
	while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return is_letter(text + at) || text[at] == '\'' || text[at] == '-';
}

static size_t blanks(const char *p, const char *end)
{
	size_t n = 0;
	while (p + n < end && p[n] == ' ')
		n++;
	return n;
}

/* The bytes of a word of the alphabet at p; 0: there is none. */
static size_t alphabet_word(const char *p, const char *end)
{
	for (size_t i = 0; i < sizeof(alphabet) / sizeof(alphabet[0]); i++) {
		const size_t n = strlen(alphabet[i]);
		if ((size_t)(end - p) >= n && strncasecmp(p, alphabet[i], n) == 0 && (p + n == end || !is_letter(p + n)))
			return n;
	}
	return 0;
}

/* A run of words of the alphabet at p: its bytes, how many they are, and the first letters of the first ones as capitals. */
static size_t by_alphabet(const char *p, const char *end, char code[CODE], size_t *letters)
{
	size_t n = 0;

	*letters = 0;
	for (;;) {
		const size_t gap = *letters > 0 ? blanks(p + n, end) : 0, word = alphabet_word(p + n + gap, end);
		if (word == 0 || (*letters > 0 && gap == 0))
			return n;
		if (*letters < CODE)
			code[*letters] = (char)toupper((unsigned char)p[n + gap]);
		n += gap + word;
		(*letters)++;
	}
}

/* A run of single letters at p, all large or all small, with a blank or all with a hyphen between. */
static size_t by_letters(const char *p, const char *end, char code[CODE], size_t *letters)
{
	const bool capitals = isupper((unsigned char)*p) != 0;
	const char sign = p + 1 < end && p[1] == '-' ? '-' : ' ';
	size_t n = 0;

	*letters = 0;
	while (p + n < end && (capitals ? isupper((unsigned char)p[n]) : islower((unsigned char)p[n])) != 0 &&
	    (p + n + 1 == end || !is_letter(p + n + 1))) {
		if (*letters < CODE)
			code[*letters] = p[n];
		(*letters)++;
		n++;
		if (p + n == end || p[n] != sign)
			return n;
		n++;
	}
	return n > 0 ? n - 1 : 0;
}

static bool is_code(const char *p, size_t letters, bool single)
{
	const bool capitals = isupper((unsigned char)*p) != 0;
	if (letters == CODE)
		return !single || capitals || strchr(small_firsts, *p) != NULL;
	return letters == LEAST && single && capitals && p[1] == ' ';
}

void spelled_join(char *text, size_t n)
{
	const char *end = text + n;
	char code[CODE];

	for (size_t i = 0; i < n; i++) {
		size_t letters = 0, bytes = 0;
		if (!is_letter(text + i) || goes_on(text, i))
			continue;
		bytes = by_alphabet(text + i, end, code, &letters);
		const bool single = letters == 0;
		if (single)
			bytes = by_letters(text + i, end, code, &letters);
		if (bytes == 0)
			continue;
		if (is_code(text + i, letters, single)) {
			memcpy(text + i, code, letters);
			memset(text + i + letters, ' ', bytes - letters);
		}
		/* a part of a longer run is no code */
		i += bytes - 1;
	}
}
