/*
 * Folding takes the marks off Latin letters, as Unicode decomposes them, and knows the few letters
 * that are no letter with a mark. Marks that stand by themselves vanish, so that decomposed text
 * folds like composed text.
 */
#include "base/str.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "base/arena.h"

struct str str_of(const char *s)
{
	return s == NULL ? (struct str){ "", 0 } : (struct str){ s, strlen(s) };
}

static bool blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trim(struct str s)
{
	while (s.n > 0 && blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool str_one_slip(struct str a, struct str b)
{
	size_t head = 0, tail = 0;

	while (head < a.n && head < b.n && a.p[head] == b.p[head])
		head++;
	while (tail < a.n - head && tail < b.n - head && a.p[a.n - 1 - tail] == b.p[b.n - 1 - tail])
		tail++;
	const size_t ra = a.n - head - tail, rb = b.n - head - tail;
	return (ra <= 1 && rb <= 1) || (ra == 2 && rb == 2 && a.p[head] == b.p[head + 1] && a.p[head + 1] == b.p[head]);
}

bool str_eq(struct str a, const char *b)
{
	return a.n == strlen(b) && memcmp(a.p, b, a.n) == 0;
}

bool str_ieq(struct str a, const char *b)
{
	return a.n == strlen(b) && strncasecmp(a.p, b, a.n) == 0;
}

bool streq(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool strieq(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcasecmp(a, b) == 0);
}

bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

char ascii_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

void str_upper(char *s)
{
	for (; *s != '\0'; s++)
		*s = ascii_upper(*s);
}

void str_lower(char *s)
{
	for (; *s != '\0'; s++)
		*s = ascii_lower(*s);
}

char *str_upper_copy(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_strndup(a, s, n);
	str_upper(copy);
	return copy;
}

bool str_part(const char **list, char separator, struct str *part)
{
	if (**list == '\0')
		return false;
	const char *end = strchrnul(*list, separator);
	*part = (struct str){ *list, (size_t)(end - *list) };
	*list = *end != '\0' ? end + 1 : end;
	return true;
}

bool one_of(const char *word, const char *choices)
{
	struct str choice;
	while (str_part(&choices, '|', &choice))
		if (choice.n > 0 && str_eq(choice, word))
			return true;
	return false;
}

bool ione_of(const char *word, const char *choices)
{
	struct str choice;
	while (str_part(&choices, '|', &choice))
		if (choice.n > 0 && str_ieq(choice, word))
			return true;
	return false;
}

bool id_valid(const char *s, size_t max)
{
	size_t n = s == NULL ? 0 : strspn(s,
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
	return n > 0 && n <= max && s[n] == '\0';
}

int hex_value(char c)
{
	char l = (char)(c | 0x20);
	return c >= '0' && c <= '9' ? c - '0' : l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

char *hex_put(char *out, const void *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *at = p;
	for (; n > 0; n--, at++) {
		*out++ = digits[*at >> 4];
		*out++ = digits[*at & 15];
	}
	*out = '\0';
	return out;
}

uint64_t str_hash(const char *s)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(1099511628211);
	return h;
}

size_t utf8_decode(const char *p, size_t n, uint32_t *cp)
{
	const unsigned char *u = (const unsigned char *)p;
	if (n == 0)
		return 0;
	if (u[0] < 0x80) {
		*cp = u[0];
		return 1;
	}
	size_t len = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
	if (u[0] < 0xc2 || u[0] > 0xf4 || n < len)
		return 0;
	uint32_t c = u[0] & (0x7fU >> len);
	for (size_t i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3f);
	}
	/* overlong forms, surrogates, beyond Unicode */
	if ((len == 3 && c < 0x800) || (len == 4 && (c < 0x10000 || c > 0x10ffff)) ||
	    (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*cp = c;
	return len;
}

size_t utf8_len(const char *p, size_t n)
{
	uint32_t cp;
	return utf8_decode(p, n, &cp);
}

/* There is no branch inside, so that compilers make a few vector instructions of it. */
enum { BLOCK = 16 };

static bool ascii_block(const char *p)
{
	unsigned char all = 0;
	for (size_t i = 0; i < BLOCK; i++)
		all |= (unsigned char)p[i];
	return all < 0x80;
}

bool utf8_valid(const char *p, size_t n)
{
	for (size_t i = 0, len; i < n; i += len) {
		/* most text is ASCII, so a whole block is tested at once */
		if (i % BLOCK == 0 && n - i >= BLOCK && ascii_block(p + i))
			len = BLOCK;
		else if ((len = utf8_len(p + i, n - i)) == 0)
			return false;
	}
	return true;
}

size_t utf8_cut(const char *p, size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (max > 0 && ((unsigned char)p[max] & 0xc0) == 0x80)
		max--;
	return max;
}

size_t utf8_count(const char *p, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)p[i] & 0xc0) != 0x80;
	return count;
}

size_t str_next(const char *p, size_t n, bool *plain)
{
	uint32_t c;
	size_t len = utf8_decode(p, n, &c);
	*plain = len > 0 && c >= 0x20 && (c < 0x7f || c >= 0xa0);
	return len > 0 ? len : 1;
}

bool str_has_control(const char *s)
{
	for (size_t left = strlen(s), n; left > 0; s += n, left -= n) {
		bool plain;
		n = str_next(s, left, &plain);
		if (!plain)
			return true;
	}
	return false;
}

size_t str_escape_into(char *dst, size_t room, const char *s)
{
	size_t n = 0, left = strlen(s), len;
	bool plain;
	for (; left > 0; s += len, left -= len) {
		len = str_next(s, left, &plain);
		if (n + (plain ? len : 4 * len) >= room)
			break;
		if (plain)
			dst = mempcpy(dst, s, len);
		for (size_t i = 0; !plain && i < len; i++)
			dst = hex_put(mempcpy(dst, "\\x", 2), s + i, 1);
		n += plain ? len : 4 * len;
	}
	if (room > 0)
		*dst = '\0';
	return n;
}

/* What takes no mark off to become ASCII: letters of their own, and signs typed in several ways. */
static const struct {
	uint32_t cp;             /* in lower case */
	const char *to;
} singles[] = {
	{ 0xa0, " " }, { 0xb4, "'" }, { 0xe6, "ae" }, { 0xf0, "d" }, { 0xf8, "o" }, { 0xfe, "th" },
	{ 0x111, "d" }, { 0x127, "h" }, { 0x131, "i" }, { 0x133, "ij" }, { 0x138, "k" },
	{ 0x140, "l" }, { 0x142, "l" }, { 0x14b, "n" }, { 0x153, "oe" }, { 0x167, "t" },
	{ 0x259, "e" }, { 0x2bc, "'" }, { 0x2009, " " }, { 0x200b, "" }, { 0x2010, "-" },
	{ 0x2011, "-" }, { 0x2012, "-" }, { 0x2013, "-" }, { 0x2014, "-" }, { 0x2018, "'" },
	{ 0x2019, "'" }, { 0x201a, "'" }, { 0x201c, "\"" }, { 0x201d, "\"" }, { 0x201e, "\"" },
	{ 0x2026, "..." }, { 0x202f, " " }, { 0x2032, "'" }, { 0x2033, "\"" }, { 0x2212, "-" },
	{ 0xfeff, "" },
};

static const char *single_of(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++)
		if (singles[i].cp == cp)
			return singles[i].to;
	return NULL;
}

/* The Latin letters beyond ASCII, and the marks that combine with a letter. */
static bool latin(uint32_t cp)
{
	return (cp >= 0xc0 && cp <= 0x24f) || (cp >= 0x300 && cp <= 0x36f) ||
	    (cp >= 0x1e00 && cp <= 0x1eff);
}

/* One character beyond ASCII; returns the end of what it became. */
static char *fold_char(char *out, uint32_t cp)
{
	enum { PARTS = 8 };
	const utf8proc_option_t how = UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK;
	utf8proc_int32_t part[PARTS] = { (utf8proc_int32_t)cp };
	utf8proc_ssize_t n = 1;
	int boundary = 0;

	if (latin(cp))
		n = utf8proc_decompose_char((utf8proc_int32_t)cp, part, PARTS, how, &boundary);
	for (utf8proc_ssize_t i = 0; i < n && i < PARTS; i++) {
		const char *to = single_of((uint32_t)part[i]);
		if (to != NULL)
			out = stpcpy(out, to);
		else
			out += utf8proc_encode_char(part[i], (utf8proc_uint8_t *)out);
	}
	return out;
}

size_t str_fold_into(char *dst, const char *s, size_t n)
{
	char *out = dst;
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)s[i];
		if (c < 0x80) {
			*out++ = ascii_lower((char)c);
			i++;
			continue;
		}
		uint32_t cp;
		size_t len = utf8_decode(s + i, n - i, &cp);
		if (len > 0)
			out = fold_char(out, cp);
		else
			*out++ = (char)c;   /* an invalid byte stays as it is */
		i += len > 0 ? len : 1;
	}
	*out = '\0';
	return (size_t)(out - dst);
}

enum { FOLD_SHORT = 64 };

char *str_fold(struct arena *a, const char *s)
{
	char word[3 * FOLD_SHORT + 1];        /* folding can need three times the room, so a short text is folded here, and only the result goes into the arena */
	const size_t n = strlen(s);
	if (n <= FOLD_SHORT)
		return arena_strndup(a, word, str_fold_into(word, s, n));
	char *dst = arena_alloc(a, 3 * n + 1);
	str_fold_into(dst, s, n);
	return dst;
}

bool str_to_double(const char *s, double *out)
{
	char *end;
	if (s == NULL)
		return false;
	while (blank(*s))
		s++;
	/* strtod also accepts hex, "inf" and "nan", which nobody types as a number */
	if (*s == '\0' || strspn(s, "+-.0123456789eE \t\r\n") != strlen(s))
		return false;
	double v = strtod(s, &end);
	if (end == s || !isfinite(v))
		return false;
	while (blank(*end))
		end++;
	if (*end != '\0')
		return false;
	*out = v;
	return true;
}

bool str_to_int(const char *s, long long *out)
{
	char *end;
	if (s == NULL || *s == '\0')
		return false;
	errno = 0;
	long long v = strtoll(s, &end, 10);
	if (end == s || errno != 0)
		return false;
	while (blank(*end))
		end++;
	if (*end != '\0')
		return false;
	*out = v;
	return true;
}
