/*
 * Coordinates as people write them:
 *
 *   48.85, 2.29      48.85N 2.29E      N48.85 E2.29
 *   48°51'N 2°17'E   48°51'24"N 2°17'40"E   48 51 24 N, 2 17 40 E
 *   N4851 E00217     485124N0021740E
 *
 * The text is cut into numbers and signs. A letter N, S, E or W belongs to the numbers before
 * it, unless the text begins with one: then to those after it. Without letters two plain
 * numbers are taken, latitude first, if a comma or decimal points show that they are coordinates.
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
		"°", "º", "˚", "'", "′", "’", "‘", "\"", "″", "”", "“", "deg", NULL
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
	if (letters_first) {
		a->letter = letter(s);
		if (a->letter == 0)
			return false;
		s->p++;
		skip_blanks(s);
	}
	while (a->count < NUMBERS_MAX && (digit(*s->p) || *s->p == '-' || *s->p == '+')) {
		struct coords_number *n = &a->n[a->count++];

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

/* Degrees, minutes, seconds to degrees; a single long number is DDMM or DDDMMSS. */
static bool degrees(const struct coords_angle *a, bool is_lat, double *out)
{
	double d = a->n[0].v, m = a->count > 1 ? a->n[1].v : 0, s = a->count > 2 ? a->n[2].v : 0;
	int width = is_lat ? 2 : 3, extra = a->n[0].digits - width;

	if (a->count == 1 && a->letter != 0 && extra >= 2) {
		if (extra != 2 && extra != 4)
			return false;
		s = extra == 4 ? fmod(d, 100) : 0;
		d = extra == 4 ? floor(d / 100) : d;
		m = fmod(d, 100);
		d = floor(d / 100);
	}
	if (m >= 60 || s >= 60 || (a->count > 1 && (a->n[0].point || a->n[1].negative)) ||
	    (a->count > 2 && (a->n[1].point || a->n[2].negative)))
		return false;
	*out = d + m / 60 + s / 3600;
	if (*out > (is_lat ? 90 : 180))
		return false;
	if (a->letter == 'S' || a->letter == 'W' || a->n[0].negative)
		*out = -*out;
	/* "S -33" gives the sign twice, so its meaning is unclear */
	return !(a->letter != 0 && a->n[0].negative);
}

bool place_coords(const char *text, double *lat, double *lon)
{
	struct str t = str_trim(str_of(text));
	char copy[TEXT_MAX + 1];
	struct coords_scan s = { copy, false };
	struct coords_angle a, b;
	bool letters_first;

	if (t.n == 0 || t.n > TEXT_MAX)
		return false;
	memcpy(copy, t.p, t.n);
	copy[t.n] = '\0';
	letters_first = letter(&s) != 0;
	if (!read_angle(&s, &a, letters_first) || !read_angle(&s, &b, letters_first) || *s.p != '\0')
		return false;
	if (a.letter == 0 && b.letter == 0) {
		if (a.count != b.count || (!s.comma && !(a.n[0].point && b.n[0].point) && a.count == 1))
			return false;
		return degrees(&a, true, lat) && degrees(&b, false, lon);
	}
	if (a.letter == 0 || b.letter == 0)
		return false;
	if (strchr("EW", a.letter) != NULL) {
		struct coords_angle c = a;

		a = b;
		b = c;
	}
	return strchr("NS", a.letter) != NULL && strchr("EW", b.letter) != NULL &&
	    degrees(&a, true, lat) && degrees(&b, false, lon);
}
