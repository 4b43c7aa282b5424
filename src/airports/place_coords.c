/*
 * Coordinates as people write them:
 *
 *   48.85, 2.29      48.85N 2.29E      N48.85 E2.29      48,85 2,29
 *   48°51'N 2°17'E   48°51'24"N 2°17'40"E   48 51 24 N, 2 17 40 E   48-51-24N 002-17-40E
 *   N4851 E00217     485124N 0021740E       4851N00217E
 *
 * The text is cut into numbers and signs. A letter N, S, E or W belongs to the numbers before
 * it, unless the text begins with one: then to those after it. Without letters two plain
 * numbers are taken, latitude first, if a comma or decimal points show that they are coordinates.
 *
 * A text that has the form of coordinates but no place on Earth is told apart from one that is
 * something else, because a pilot must learn which number is wrong.
 */
#include "airports/place.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

enum { TEXT_MAX = 80, NUMBERS_MAX = 3 };

struct coords_number {
	double v;
	int digits;                   /* before the point */
	bool point, negative;
};

/* One of the two angles. */
struct coords_angle {
	struct coords_number n[NUMBERS_MAX];
	int count;
	char letter;                  /* N S E W, or 0: none */
};

struct coords_scan {
	const char *p;
	bool comma;                   /* there are other characters than blanks between the two */
};

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool read_number(struct coords_scan *s, struct coords_number *n)
{
	double scale = 1;

	*n = (struct coords_number){ 0 };
	if ((*s->p == '-' || *s->p == '+') && digit(s->p[1]))
		n->negative = *s->p++ == '-';
	for (; digit(*s->p); s->p++, n->digits++)
		n->v = n->v * 10 + (*s->p - '0');
	if (n->digits > 0 && *s->p == '.' && digit(s->p[1])) {
		n->point = true;
		for (s->p++; digit(*s->p); s->p++)
			n->v += (*s->p - '0') * (scale /= 10);
	}
	return n->digits > 0 && n->digits <= 8;
}

/* Degree, minute and second signs; ASCII or typographic. */
static bool skip_mark(struct coords_scan *s)
{
	static const char *const marks[] = {
		"°", "º", "˚", "'", "′", "’", "‘", "\"", "″", "”", "“", "deg", ":", NULL
	};

	for (const char *const *m = marks; *m != NULL; m++)
		if (starts_with(s->p, *m)) {
			s->p += strlen(*m);
			return true;
		}
	return false;
}

static void skip_blanks(struct coords_scan *s)
{
	while (*s->p == ' ' || *s->p == '\t')
		s->p++;
}

/* "lat 48.85, lon 2.29" */
static void skip_word(struct coords_scan *s)
{
	static const char *const words[] = { "latitude", "longitude", "lat", "long", "lon" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if (strncasecmp(s->p, words[i], n) == 0 && strchr(" :=.", s->p[n]) != NULL &&
		    s->p[n] != '\0') {
			s->p += n + 1;
			skip_blanks(s);
			return;
		}
	}
}

static char letter(struct coords_scan *s)
{
	char c = ascii_upper(*s->p);

	return c != '\0' && strchr("NSEW", c) != NULL ? c : 0;
}

/* Up to three numbers with their letter before or after them. */
static bool read_angle(struct coords_scan *s, struct coords_angle *a, bool letters_first)
{
	bool marked = false;

	*a = (struct coords_angle){ 0 };
	skip_blanks(s);
	skip_word(s);
	if (letters_first) {
		a->letter = letter(s);
		if (a->letter == 0)
			return false;
		s->p++;
		skip_blanks(s);
	}
	while (a->count < NUMBERS_MAX && (digit(*s->p) || *s->p == '-' || *s->p == '+')) {
		struct coords_number *n = &a->n[a->count++];

		if (a->count > 1 && *s->p == '-' && digit(s->p[-1]))
			s->p++;                   /* "48-51-24N" */
		if (!read_number(s, n))
			return false;
		skip_blanks(s);
		marked |= skip_mark(s);
		if (starts_with(s->p, "'"))       /* '' for seconds */
			s->p++;
		skip_blanks(s);
		if (n->point)                     /* a fraction ends an angle */
			break;
	}
	if (!letters_first && letter(s) != 0)
		a->letter = ascii_upper(*s->p++);
	skip_blanks(s);
	if (*s->p == ',' || *s->p == ';' || *s->p == '/') {
		s->comma = true;
		s->p++;
	}
	skip_blanks(s);
	return a->count > 0 && (a->letter != 0 || marked || a->count == 1);
}

static bool wrong(const char **why, const char *reason)
{
	*why = reason;
	return false;
}

/* Degrees, minutes, seconds to degrees; a single long number is DDMM or DDDMMSS. False: there is no
 * such angle, and why. */
static bool degrees(const struct coords_angle *a, bool is_lat, double *out, const char **why)
{
	double d = a->n[0].v, m = a->count > 1 ? a->n[1].v : 0, s = a->count > 2 ? a->n[2].v : 0;
	int width = is_lat ? 2 : 3, extra = a->n[0].digits - width;

	if (a->count == 1 && a->letter != 0 && extra >= 2) {
		if (extra != 2 && extra != 4)
			return wrong(why, is_lat ? "a latitude has 4 or 6 digits: DDMM or DDMMSS"
			    : "a longitude has 5 or 7 digits: DDDMM or DDDMMSS");
		s = extra == 4 ? fmod(d, 100) : 0;
		d = extra == 4 ? floor(d / 100) : d;
		m = fmod(d, 100);
		d = floor(d / 100);
	}
	if (m >= 60 || s >= 60)
		return wrong(why, "minutes and seconds go from 0 to 59");
	if ((a->count > 1 && (a->n[0].point || a->n[1].negative)) ||
	    (a->count > 2 && (a->n[1].point || a->n[2].negative)))
		return wrong(why, "only the last part of an angle has a fraction, and only the first a sign");
	*out = d + m / 60 + s / 3600;
	if (*out > (is_lat ? 90 : 180))
		return wrong(why, is_lat ? "a latitude, which comes first, goes from -90 to 90 degrees"
		    : "a longitude goes from -180 to 180 degrees");
	if (a->letter != 0 && a->n[0].negative)
		return wrong(why, "the direction is given twice, by a letter and by a minus sign");
	if (a->letter == 'S' || a->letter == 'W' || a->n[0].negative)
		*out = -*out;
	return true;
}

static bool of_latitude(const struct coords_angle *a)
{
	return a->letter == 'N' || a->letter == 'S';
}

/* "48,85 2,29": two decimal commas and no point. */
static void decimal_commas(char *text)
{
	char *comma[2];
	size_t n = 0;

	if (strchr(text, '.') != NULL)
		return;
	for (char *p = text; *p != '\0'; p++)
		if (*p == ',' && p > text && digit(p[-1]) && digit(p[1])) {
			if (n == 2)
				return;
			comma[n++] = p;
		}
	for (size_t i = 0; n == 2 && i < n; i++)
		*comma[i] = '.';
}

/* Both angles, or false: the text is something else. */
static bool read_both(char *text, struct coords_angle *a, struct coords_angle *b, bool *comma)
{
	struct coords_scan s = { text, false };
	size_t n = strlen(text);
	bool letters_first;

	if (n > 2 && text[0] == '(' && text[n - 1] == ')') {
		text[n - 1] = '\0';
		s.p++;
	}
	decimal_commas(text);
	letters_first = letter(&s) != 0;
	if (!read_angle(&s, a, letters_first) || !read_angle(&s, b, letters_first) || *s.p != '\0')
		return false;
	*comma = s.comma;
	return true;
}

enum coords place_coords_read(const char *text, double *lat, double *lon, const char **why)
{
	struct str t = str_trim(str_of(text));
	char copy[TEXT_MAX + 1];
	struct coords_angle a, b;
	bool comma, ok;

	*why = NULL;
	if (t.n == 0 || t.n > TEXT_MAX)
		return COORDS_NONE;
	memcpy(copy, t.p, t.n);
	copy[t.n] = '\0';
	if (!read_both(copy, &a, &b, &comma))
		return COORDS_NONE;
	if (a.letter == 0 && b.letter == 0 &&
	    (a.count != b.count || (!comma && !(a.n[0].point && b.n[0].point) && a.count == 1)))
		return COORDS_NONE;
	if ((a.letter == 0) != (b.letter == 0))
		ok = wrong(why, "only one of the two angles has a letter N, S, E or W");
	else if (a.letter != 0 && of_latitude(&a) == of_latitude(&b))
		ok = wrong(why, of_latitude(&a) ? "both angles are latitudes" : "both angles are longitudes");
	else if (a.letter != 0 && of_latitude(&b))
		ok = degrees(&b, true, lat, why) && degrees(&a, false, lon, why);
	else
		ok = degrees(&a, true, lat, why) && degrees(&b, false, lon, why);
	return ok ? COORDS_VALID : COORDS_WRONG;
}

bool place_coords(const char *text, double *lat, double *lon)
{
	const char *why;

	return place_coords_read(text, lat, lon, &why) == COORDS_VALID;
}
