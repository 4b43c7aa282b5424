/*
 * Of the phrases that begin at one place the longest is taken.
 *
 * A text of a publication is full of numbers that have nothing to do with notice. Those of mail
 * and web addresses and of telephone numbers are taken out here, where their form is still seen.
 */
#include "airports/notice_tokens.h"

#include <ctype.h>

#include "base/str.h"

enum {
	PHRASE_WORDS = 6, WORD_BYTES = 24, ABBREVIATION_BYTES = 6,
	ADDRESS_BYTES = 200, TELEPHONE_BYTES = 48,    /* looked at from one place of the text */
};

struct lexing {
	const struct notice_words *words;
	const char *text;
	size_t n, at;
	struct notice_token *token;
	size_t ntokens;
};

static bool word_byte(const char *p, size_t left)
{
	unsigned char c = (unsigned char)*p;

	/* the dashes U+2010 to U+2015 are marks */
	if (left >= 3 && c == 0xE2 && (unsigned char)p[1] == 0x80 && (unsigned char)p[2] >= 0x90 &&
	    (unsigned char)p[2] <= 0x95)
		return false;
	/* so is the no-break space */
	if (left >= 2 && c == 0xC2 && (unsigned char)p[1] == 0xA0)
		return false;
	return isalnum(c) || c >= 0x80;
}

/* The end of the run of letters and digits at `at`. */
static size_t word_end(const struct lexing *x, size_t at)
{
	while (at < x->n && word_byte(x->text + at, x->n - at))
		at++;
	return at;
}

/* The end of the run of letters, or of digits, whichever begins there. */
static size_t run_end(const struct lexing *x, size_t at)
{
	bool digit = isdigit((unsigned char)x->text[at]);
	size_t end = word_end(x, at);

	while (at < end && (isdigit((unsigned char)x->text[at]) != 0) == digit)
		at++;
	return at;
}

static size_t dash_length(const char *p, size_t left)
{
	if (*p == '-')
		return 1;
	return left >= 3 && (unsigned char)*p == 0xE2 && (unsigned char)p[1] == 0x80 &&
	    (unsigned char)p[2] >= 0x90 && (unsigned char)p[2] <= 0x95 ? 3 : 0;
}

/* Does a word end at `end` that is short enough to be an abbreviation ("DERN. J OUVR.")? */
static bool is_short(const struct lexing *x, size_t end)
{
	size_t n = 0;

	while (n < end && n <= ABBREVIATION_BYTES && word_byte(x->text + end - n - 1, n + 1))
		n++;
	return n <= ABBREVIATION_BYTES;
}

/* Where the next word of a phrase begins; x->n: the phrase ends here. */
static size_t next_word(const struct lexing *x, size_t from)
{
	size_t at = from, joins = 0, blanks = 0;
	bool slash = false;

	while (at < x->n && !word_byte(x->text + at, x->n - at)) {
		const char *p = x->text + at;
		size_t dash = dash_length(p, x->n - at);

		if (dash > 0 || *p == '/' || *p == '\'') {
			if (joins++ > 0 || (blanks > 0 && *p != '/'))
				return x->n;
			slash = *p == '/';
			at += dash > 0 ? dash : 1;
		} else if (*p == ' ' || *p == '\t') {
			if (blanks++ > 3)
				return x->n;
			at++;
		} else if ((unsigned char)*p == 0xC2) {
			at += 2;
		} else if (*p == '.' && at == from && is_short(x, from)) {
			at++;
		} else {
			return x->n;
		}
	}
	/* "MON - FRI" is no phrase, "week-end" and "O / R" are */
	return joins > 0 && blanks > 0 && !slash ? x->n : at;
}

static void push(struct lexing *x, struct notice_token t)
{
	if (x->ntokens < NOTICE_TOKENS)
		x->token[x->ntokens++] = t;
	x->at = t.end;
}

/* The longest phrase of the vocabulary that begins here. */
static bool read_phrase(struct lexing *x)
{
	char text[NOTICE_PHRASE_BYTES];
	size_t n = 0, at = x->at, end;
	const struct notice_phrase *best = NULL;
	size_t best_end = 0;
	bool abbreviated = false;

	for (int words = 0; words < PHRASE_WORDS && at < x->n; words++) {
		char folded[3 * WORD_BYTES + 1];

		end = word_end(x, at);
		/* "24HR" begins with a number: the number is read alone, "h24" is a word */
		if (end - at > WORD_BYTES)
			break;
		size_t m = str_fold_into(folded, x->text + at, end - at);
		if (n + m + 2 > sizeof(text))
			break;
		if (n > 0)
			text[n++] = ' ';
		memcpy(text + n, folded, m);
		n += m;
		text[n] = '\0';
		const struct notice_phrase *p = notice_phrase_find(x->words, text);
		if (p->text != NULL) {
			best = p;
			best_end = end;
		}
		at = next_word(x, end);
		/* "PN. Nil other days" are two sentences: the stop of an abbreviation follows no known word */
		if (end < x->n && x->text[end] == '.') {
			if (best_end == end && !abbreviated && !(best->means & NW(ABBREVIATION)))
				break;
			abbreviated = true;
		}
	}
	/* "H-24" is a notice of 24 hours, "H 24" is day and night */
	if (best != NULL && best->means & NW(H24) && x->at + 1 < x->n &&
	    dash_length(x->text + x->at + 1, x->n - x->at - 1) > 0) {
		best = notice_phrase_find(x->words, "h");
		best_end = x->at + 1;
	}
	if (best == NULL)
		return false;
	if (best->means & NW(CLOCK)) {
		push(x, (struct notice_token){ .kind = NT_CLOCK, .value = 100 * best->value, .digits = 4, .start = x->at,
		    .end = best_end });
		return true;
	}
	push(x, (struct notice_token){ .kind = NT_WORD, .means = best->means,
	    .value = best->value, .start = x->at, .end = best_end });
	return true;
}

/* "PPR24HR": the letters before a number, as a word of their own. */
static bool read_letters(struct lexing *x)
{
	char folded[3 * WORD_BYTES + 1];
	size_t end = run_end(x, x->at), whole = word_end(x, x->at), m;
	const struct notice_phrase *p;

	if (end == whole || end - x->at > WORD_BYTES || isdigit((unsigned char)x->text[x->at]))
		return false;
	m = str_fold_into(folded, x->text + x->at, end - x->at);
	folded[m] = '\0';
	p = notice_phrase_find(x->words, folded);
	push(x, (struct notice_token){ .kind = NT_WORD, .means = p->means,
	    .value = p->value, .start = x->at, .end = end });
	return true;
}

static bool clock_value(double v)
{
	return v >= 0 && v <= 2400 && (int)v % 100 < 60;
}

/* "08:00", "15.30", "8h30": the end of the minutes, else 0. */
static size_t minutes_end(const struct lexing *x, size_t end)
{
	char c = end < x->n ? x->text[end] : '\0';

	/* "01.05.2024" is a date, "5.30" may be a number */
	if (c == '.' && (end - x->at != 2 || (end + 3 < x->n && x->text[end + 3] == '.' &&
	    end + 4 < x->n && isdigit((unsigned char)x->text[end + 4])) ||
	    (x->at > 0 && x->text[x->at - 1] == '.')))
		return 0;
	if ((c != ':' && c != '.' && c != 'h' && c != 'H') || end + 3 > x->n ||
	    !isdigit((unsigned char)x->text[end + 1]) || !isdigit((unsigned char)x->text[end + 2]))
		return 0;
	return end + 3 < x->n && isalnum((unsigned char)x->text[end + 3]) ? 0 : end + 3;
}

/* "UTC", "Z", "LT" and the like after a time of day. */
static size_t zone_end(const struct lexing *x, size_t end)
{
	static const char *const zones[] = { "utc", "z", "lt", "lmt", "loc", "local", "h", "hr", "hrs", "gmt" };
	size_t at = end;

	while (at < x->n && x->text[at] == ' ')
		at++;
	size_t stop = word_end(x, at);
	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++)
		if (stop - at == strlen(zones[i]) &&
		    str_ieq((struct str){ x->text + at, stop - at }, zones[i]))
			return stop;
	return end;
}

static double number_at(const struct lexing *x, size_t at, size_t end)
{
	double v = 0;

	for (; at < end && v < 1e9; at++)
		v = v * 10 + (x->text[at] - '0');
	return v;
}

/* "15 MAR 2024" is no time of day. */
static bool behind_month(const struct lexing *x)
{
	return x->ntokens > 0 && notice_means(&x->token[x->ntokens - 1], NW(MONTH)) &&
	    x->token[x->ntokens - 1].end + 1 == x->at;
}

static void read_number(struct lexing *x)
{
	size_t end = run_end(x, x->at), minutes = minutes_end(x, end);
	struct notice_token t = { .kind = NT_NUMBER, .start = x->at, .end = end,
		.digits = (int)(end - x->at) };

	t.value = t.digits <= 9 ? number_at(x, x->at, end) : -1;
	if (t.digits <= 2 && minutes > 0) {
		t.value = t.value * 100 + number_at(x, end + 1, end + 3);
		t.end = minutes;
		t.digits = 4;
	}
	if (t.digits == 4 && clock_value(t.value) && !behind_month(x)) {
		t.kind = NT_CLOCK;
		t.end = zone_end(x, t.end);
	} else if (t.digits > 3) {
		t.kind = NT_WORD;
	}
	push(x, t);
}

/* A word of letters, digits and the marks of addresses: "mail@example.org", "www.x.fr/24". */
static size_t address_end(const struct lexing *x)
{
	size_t at = x->at, most = x->n - at < ADDRESS_BYTES ? x->n : at + ADDRESS_BYTES;
	bool address = false;

	while (at < most && (word_byte(x->text + at, x->n - at) || strchr("@._-/:%?=&+~", x->text[at])) &&
	    x->text[at] != '\0') {
		address |= x->text[at] == '@' || (x->text[at] == ':' && x->text[at + 1] == '/');
		at++;
	}
	size_t start = x->at;
	address |= at - start > 4 && str_ieq((struct str){ x->text + start, 4 }, "www.");
	/* a stop after an address ends the sentence */
	while (at > start && strchr("._-/:,", x->text[at - 1]))
		at--;
	return address ? at : 0;
}

/* Do two times of day begin here, as in "0700-1900 4 HR" and "1900 (0600-1800) 4 HR"? */
static bool times_begin(const struct lexing *x)
{
	size_t at = x->at, first = run_end(x, at), dash;

	if (first - at != 4 || !clock_value(number_at(x, at, first)))
		return false;
	for (at = first; at < x->n && at < first + 6; at += dash > 0 ? dash : 1) {
		dash = dash_length(x->text + at, x->n - at);
		if (dash == 0 && strchr(" ()/", x->text[at]) == NULL)
			break;
	}
	if (at == first || at >= x->n || !isdigit((unsigned char)x->text[at]))
		return false;
	first = at;
	at = run_end(x, first);
	return at - first == 4 && clock_value(number_at(x, first, at));
}

/* "03 21 06 46 13", "+46 (0)40 661 32 20", "(0)1 23-45-67": eight digits or more in groups. */
static size_t telephone_end(const struct lexing *x)
{
	size_t at = x->at, digits = 0, groups = 0, last = at;
	size_t most = x->n - at < TELEPHONE_BYTES ? x->n : at + TELEPHONE_BYTES;
	bool plus = x->text[at] == '+';

	if (times_begin(x))
		return 0;

	while (at < most) {
		char c = x->text[at];

		if (isdigit((unsigned char)c)) {
			size_t end = at;
			while (end < x->n && isdigit((unsigned char)x->text[end]))
				end++;
			if (end < x->n && isalpha((unsigned char)x->text[end]))
				break;
			digits += end - at;
			groups++;
			at = last = end;
		} else if ((groups == 1 && digits == 1 && c == ')' && !plus) ||
		    (c == '.' && at + 1 < x->n && x->text[at + 1] == ' ')) {
			break;                /* "1) 0700-1900", "TEL 1234 56. 2200-0700" */
		} else if (strchr(" ()/.-+", c) != NULL && c != '\0' && at - last < 3) {
			at++;
		} else {
			break;
		}
	}
	/* "0700-1900 0800-1700" is not one: its groups have four digits */
	bool clocks = groups > 0 && digits == 4 * groups;
	return plus ? (digits >= 6 ? last : 0) : groups >= 3 && digits >= 8 && !clocks ? last : 0;
}

static void read_mark(struct lexing *x)
{
	const char *p = x->text + x->at;
	size_t dash = dash_length(p, x->n - x->at);
	struct notice_token t = { .kind = NT_MARK, .mark = dash > 0 ? '-' : *p, .start = x->at,
		.end = x->at + (dash > 0 ? dash : 1) };

	/* all brackets are parentheses */
	if (*p == '[' || *p == '{')
		t.mark = '(';
	if (*p == ']' || *p == '}')
		t.mark = ')';

	if (dash > 0 || (*p != '\0' && strchr(".,;:()[]{}/+&\n", *p) != NULL))
		push(x, t);
	else
		x->at = t.end;
}

static void read_token(struct lexing *x)
{
	const char c = x->text[x->at];
	size_t end;

	if ((isdigit((unsigned char)c) || c == '+') && (end = telephone_end(x)) > 0) {
		push(x, (struct notice_token){ .kind = NT_WORD, .means = NW(CONTACT), .start = x->at,
		    .end = end });
		return;
	}
	if (!word_byte(x->text + x->at, x->n - x->at)) {
		read_mark(x);
		return;
	}
	if ((end = address_end(x)) > 0) {
		push(x, (struct notice_token){ .kind = NT_WORD, .means = NW(CONTACT), .start = x->at,
		    .end = end });
		return;
	}
	if (read_phrase(x))
		return;
	if (isdigit((unsigned char)c)) {
		read_number(x);
		return;
	}
	if (read_letters(x))
		return;
	push(x, (struct notice_token){ .kind = NT_WORD, .start = x->at, .end = word_end(x, x->at) });
}

struct notice_token *notice_tokens(struct arena *a, const char *text, size_t *n, bool *cut)
{
	size_t length = strlen(text), room = length < NOTICE_TEXT ? length : NOTICE_TEXT;
	struct lexing x = { .words = facts_in_use()->notice_words, .text = text,
		.n = utf8_cut(text, length, room) };

	room = x.n < NOTICE_TOKENS ? x.n + 1 : NOTICE_TOKENS;
	x.token = arena_array(a, room, sizeof(*x.token));
	while (x.at < x.n && x.ntokens < NOTICE_TOKENS)
		read_token(&x);
	*n = x.ntokens;
	*cut = x.at < length;
	return x.token;
}
