/*
 * A message is cut into sentences. A sentence is a question about the company, a wish about the conversation
 * itself ("start over"), or it tells values. Values are found by the words before them ("my id is …") or by
 * being known words ("keyboard", "vegetarian"), so they may come in any order. Only a message in which nothing
 * was found is taken as a bare answer to what was asked last.
 */
#include "agents/onboarding/builtin/reading.h"

#include <ctype.h>
#include <string.h>

enum { WORDS_MAX = 400, NAME_WORDS = 6, PARTICLE_BYTES = 3, LONE_ID_WORDS = 5, LONE_ID_BYTES = 4 };

struct reader {
	const struct onboarding_words *w;
	struct arena *a;
	struct said_word *said;
	size_t n;
	int asked;
	struct reading out;
	bool *taken;                  /* for each word: it belongs to a value */
	bool found;                   /* a value, a question or a wish */
};

/* -- words -- */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Marks that may stand behind a word. */
static char mark_of(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr("?!;,:", p[i]) != NULL)
			return p[i];
	return n > 0 && p[n - 1] == '.' ? '.' : '\0';
}

static void add_word(struct reader *rd, const char *p, size_t n)
{
	static const char around[] = "?!;,:.\"()[]<>*";
	size_t first = 0, end = n;

	while (first < end && strchr(around, p[first]) != NULL)
		first++;
	while (end > first && strchr(around, p[end - 1]) != NULL)
		end--;
	/* an initial: "Grace B. Hopper" */
	if (end - first == 1 && end < n && p[end] == '.' && isupper((unsigned char)p[first]))
		end++;
	const char mark = mark_of(p + end, n - end);
	/* "Ada / 42-A / mouse" is a list */
	if (n == 1 && *p == '/') {
		if (rd->n > 0 && rd->said[rd->n - 1].after == '\0')
			rd->said[rd->n - 1].after = ',';
		return;
	}
	if (first == end) {
		if (rd->n > 0 && mark_of(p, n) != '\0')
			rd->said[rd->n - 1].after = mark_of(p, n);
		return;
	}
	rd->said[rd->n++] = (struct said_word){ { p + first, end - first },
		str_fold(rd->a, arena_strndup(rd->a, p + first, end - first)), mark };
}

/* "mouse,keyboard" are two words; "42,5" and "42-A" are one. */
static size_t word_length(const char *p)
{
	size_t n = 0;

	while (p[n] != '\0' && !is_space(p[n])) {
		n++;
		if (strchr(",;?!", p[n - 1]) != NULL && p[n] != '\0' && !is_space(p[n]) &&
		    !isdigit((unsigned char)p[n]))
			break;
	}
	return n;
}

static void cut_words(struct reader *rd, const char *message)
{
	rd->said = arena_array(rd->a, WORDS_MAX + 1, sizeof(*rd->said));
	rd->taken = arena_array(rd->a, WORDS_MAX + 1, sizeof(*rd->taken));
	for (const char *p = message; *p != '\0' && rd->n < WORDS_MAX;) {
		size_t n = word_length(p);
		if (n == 0) {
			if (*p == '\n' && rd->n > 0 && rd->said[rd->n - 1].after == '\0')
				rd->said[rd->n - 1].after = '.';
			p++;
			continue;
		}
		add_word(rd, p, n);
		p += n;
	}
}

/* The text from the first to before the last word, as it was written. */
static const char *text_of(const struct reader *rd, size_t from, size_t to)
{
	if (from >= to)
		return "";
	const char *p = rd->said[from].text.p;
	return arena_strndup(rd->a, p, (size_t)(rd->said[to - 1].text.p + rd->said[to - 1].text.n - p));
}

static size_t match(const struct reader *rd, enum word_kind kind, size_t at, size_t end)
{
	return words_match(rd->w, kind, rd->said, at, end);
}

static bool holds(const struct reader *rd, enum word_kind kind, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (match(rd, kind, i, to) > 0)
			return true;
	return false;
}

static bool has_digit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (isdigit((unsigned char)s.p[i]))
			return true;
	return false;
}

static bool has_letter(const struct reader *rd, size_t from, size_t to)
{
	for (; from < to; from++)
		for (const char *p = rd->said[from].folded; *p != '\0'; p++)
			if (isalpha((unsigned char)*p) || (unsigned char)*p >= 0x80)
				return true;
	return false;
}

static bool is_capital(struct str s)
{
	return isupper((unsigned char)s.p[0]) || (unsigned char)s.p[0] >= 0x80;
}

static size_t skip(const struct reader *rd, enum word_kind kind, size_t at, size_t end)
{
	for (size_t n; at < end && (n = match(rd, kind, at, end)) > 0;)
		at += n;
	return at;
}

/* A name that was typed in lower case throughout: "ada lovelace". */
static const char *capitalised(const struct reader *rd, const char *name)
{
	char *out = arena_strndup(rd->a, name, strlen(name));

	for (const char *p = out; *p != '\0'; p++)
		if (isupper((unsigned char)*p))
			return name;
	for (char *p = out; *p != '\0'; p++)
		if ((p == out || p[-1] == ' ' || p[-1] == '-') && islower((unsigned char)*p))
			*p = (char)toupper((unsigned char)*p);
	return out;
}

/* A word of denial between `from` and `to`. Words of another value ("no nuts") deny nothing else. */
static bool denies(const struct reader *rd, size_t from, size_t to)
{
	for (size_t i = from, n; i < to; i += n) {
		const bool not = match(rd, W_NOT, i, to) > 0;
		n = match(rd, W_IDLE, i, to);
		if (n == 0 && not && !rd->taken[i])
			return true;
		n = n > 0 ? n : 1;
	}
	return false;
}

static void put(struct reader *rd, enum onboarding_field f, const char *value)
{
	if (*value == '\0')
		return;
	rd->out.value[f] = f == FIELD_EMPLOYEE_NAME ? capitalised(rd, value) : value;
	rd->found = true;
}

/* -- values -- */

static const struct { enum word_kind words; const char *kit; } kits[] = {
	{ W_MOUSE, "mouse" }, { W_KEYBOARD, "keyboard" }, { W_BACKPACK, "backpack" },
};
enum { NKITS = sizeof(kits) / sizeof(kits[0]) };

static size_t kit_at(const struct reader *rd, size_t at, size_t end, const char **kit)
{
	for (size_t i = 0; i < NKITS; i++) {
		size_t n = match(rd, kits[i].words, at, end);
		if (n > 0) {
			*kit = kits[i].kit;
			return n;
		}
	}
	return 0;
}

/* Does another value begin here? */
static bool begins_value(const struct reader *rd, size_t at, size_t end)
{
	const char *kit;

	at = skip(rd, W_ARTICLE, at, end);
	return at < end && (kit_at(rd, at, end, &kit) > 0 || match(rd, W_ID, at, end) > 0 ||
	    match(rd, W_NAME, at, end) > 1 || match(rd, W_DIET, at, end) > 0 || match(rd, W_SELF, at, end) > 0);
}

/* "id 42-A", "my id is 42-A". The lead alone is enough only before a word with a digit. */
static size_t read_id(struct reader *rd, size_t at, size_t end)
{
	const size_t lead = match(rd, W_ID, at, end);
	size_t to = at + lead;

	if (lead == 0 || (to < end && rd->said[to - 1].after == ','))
		return 0;
	const size_t is = skip(rd, W_IS, to, end);
	const bool told = is > to || rd->said[to - 1].after == ':' || streq(rd->said[to - 1].folded, "is") ||
	    starts_with(rd->said[to - 1].folded, "id'");
	to = is;
	/* "not 42-A but 43-A", "isn't 42-A, it's 43-A" */
	if (to < end && match(rd, W_NOT, to, end) > 0)
		while (to < end && !streq(rd->said[to].folded, "but") && match(rd, W_SELF, to, end) == 0)
			to++;
	if (to < end && streq(rd->said[to].folded, "but"))
		to++;
	to = skip(rd, W_SELF, to, end);
	if (to >= end || !(told || has_digit(rd->said[to].text)))
		return 0;
	/* "my id is wrong" */
	if (!has_digit(rd->said[to].text) && match(rd, W_NOT_NAME, to, end) > 0)
		return 0;
	put(rd, FIELD_EMPLOYEE_ID, text_of(rd, to, to + 1));
	return to + 1 - at;
}

/* Where a name that begins at `at` ends. */
static size_t name_end(const struct reader *rd, size_t at, size_t end)
{
	size_t to = at;

	while (to < end && to - at < NAME_WORDS && !has_digit(rd->said[to].text) &&
	    match(rd, W_NAME_END, to, end) == 0 && !begins_value(rd, to, end))
		if (rd->said[to++].after != '\0')
			break;
	return to;
}

/* "my name is Ada Lovelace", "I'm Ada". */
static size_t read_name(struct reader *rd, size_t at, size_t end)
{
	size_t lead = match(rd, W_NAME, at, end);
	const bool sure = lead > 1 || (lead == 1 && rd->said[at].after == ':');

	if (lead == 0)
		lead = match(rd, W_SELF, at, end);
	if (lead == 0 || at + lead >= end || rd->said[at + lead - 1].after == ',')
		return 0;
	const size_t from = at + lead;
	/* "full name is better" */
	if (sure && !is_capital(rd->said[from].text) && match(rd, W_NOT_NAME, from, end) > 0)
		return 0;
	/* in lower case only if the name was asked for */
	const bool open = rd->asked == FIELD_EMPLOYEE_NAME;
	if (!sure && (match(rd, W_NOT_NAME, from, end) > 0 || begins_value(rd, from, end) ||
	    match(rd, W_DIET_LEAD, from, end) > 0 ||
	    !(is_capital(rd->said[from].text) || open)))
		return 0;
	const size_t to = name_end(rd, from, end);
	put(rd, FIELD_EMPLOYEE_NAME, text_of(rd, from, to));
	return to > from ? to - at : 0;
}

/* "not Ada but Eda" */
static size_t read_name_not(struct reader *rd, size_t at, size_t end)
{
	const size_t not = match(rd, W_NOT, at, end);
	size_t to = at + not;

	while (not > 0 && to < end && is_capital(rd->said[to].text) && !has_digit(rd->said[to].text))
		to++;
	if (not == 0 || to == at + not || to + 1 >= end || !streq(rd->said[to].folded, "but") ||
	    !is_capital(rd->said[to + 1].text))
		return 0;
	const size_t stop = name_end(rd, to + 1, end);
	put(rd, FIELD_EMPLOYEE_NAME, text_of(rd, to + 1, stop));
	return stop - at;
}

/* "diet: n/a", "diet none" */
static size_t read_diet_none(struct reader *rd, size_t at, size_t end)
{
	const size_t lead = match(rd, W_DIET_NAME, at, end);
	const size_t to = skip(rd, W_IS, at + lead, end);
	const size_t none = lead > 0 && to < end ? match(rd, W_DECLINE, to, end) : 0;

	if (none == 0)
		return 0;
	rd->out.no_diet = rd->found = true;
	return to + none - at;
}

/* "Ada Lovelace here" */
static size_t read_name_here(struct reader *rd, size_t at, size_t end)
{
	size_t to = at;

	/* "Rhys ap Gwilym here": a name begins with a capital, and may have small words in it */
	while (to < end && to - at < NAME_WORDS && (is_capital(rd->said[to].text) || (to > at &&
	    rd->said[to].text.n <= PARTICLE_BYTES)) && match(rd, W_HERE, to, end) == 0 && rd->said[to].after == '\0')
		to++;
	if (to == at || match(rd, W_HERE, to, end) == 0)
		return 0;
	put(rd, FIELD_EMPLOYEE_NAME, text_of(rd, at, to));
	return to + match(rd, W_HERE, to, end) - at;
}

static size_t read_kit(struct reader *rd, size_t at, size_t end, bool *negated)
{
	const char *kit = NULL;
	size_t n = kit_at(rd, at, end, &kit);
	const char *other;

	/* "mouse or keyboard" is no choice */
	if (n > 0 && at + n < end && (streq(rd->said[at + n].folded, "or") || streq(rd->said[at + n].folded, "and"))) {
		const size_t next = skip(rd, W_ARTICLE, at + n + 1, end);
		const size_t more = next < end ? kit_at(rd, next, end, &other) : 0;
		if (more > 0 && !streq(other, kit))
			return next + more - at;
	}
	if (n > 0 && !*negated)
		put(rd, FIELD_STARTER_KIT, kit);
	if (n > 0)
		*negated = false;
	return n;
}

/* "vegetarian and gluten free" */
static size_t read_diet(struct reader *rd, size_t at, size_t end, bool *negated)
{
	size_t n = match(rd, W_DIET, at, end), to = at + n;

	if (n == 0)
		return 0;
	while (to < end) {
		const size_t next = to + (streq(rd->said[to].folded, "and") || streq(rd->said[to].folded, "or"));
		const size_t more = next < end ? match(rd, W_DIET, next, end) : 0;
		if (more == 0)
			break;
		to = next + more;
	}
	const char *before = rd->out.value[FIELD_DIETARY];
	const char *text = text_of(rd, at, to);
	if (*negated) {                 /* "vegan, not vegetarian" */
		*negated = false;
		return to - at;
	}
	put(rd, FIELD_DIETARY, before == NULL ? text : arena_printf(rd->a, "%s, %s", before, text));
	return to - at;
}

/* "I can't eat gluten" is noted as "no gluten". */
static const char *diet_text(const struct reader *rd, size_t at, size_t lead, size_t to)
{
	const char *first = rd->said[at].folded;

	if (starts_with(first, "i"))
		return streq(rd->said[at + lead - 1].folded, "eat") || streq(rd->said[at + lead - 1].folded, "no") ?
		    arena_printf(rd->a, "no %s", text_of(rd, at + lead, to)) : text_of(rd, at, to);
	return streq(first, "no") ? arena_printf(rd->a, "no %s", text_of(rd, at + 1, to)) : text_of(rd, at, to);
}

/* "allergic to nuts and shellfish": to the end of the clause, or where another value begins. */
static size_t read_diet_lead(struct reader *rd, size_t at, size_t end)
{
	const size_t n = match(rd, W_DIET_LEAD, at, end);
	size_t to = at + n;

	if (n == 0)
		return 0;
	while (to < end && rd->said[to - 1].after == '\0') {
		const size_t next = to + streq(rd->said[to].folded, "and");
		if (next < end && begins_value(rd, next, end))
			break;
		if (streq(rd->said[to].folded, "for") || streq(rd->said[to].folded, "please") ||
		    streq(rd->said[to].folded, "pls") || streq(rd->said[to].folded, "either"))
			break;
		to++;
	}
	const char *before = rd->out.value[FIELD_DIETARY], *text = diet_text(rd, at, n, to);
	put(rd, FIELD_DIETARY, before == NULL ? text : arena_printf(rd->a, "%s, %s", before, text));
	return to - at;
}

/* A clause ends with a mark, or before a word that begins the next one. */
static size_t clause_end(const struct reader *rd, size_t from, size_t to)
{
	size_t i = from;

	while (i < to && rd->said[i++].after == '\0')
		if (i < to && match(rd, W_JOIN, i, to) > 0)
			break;
	return i;
}

/* What a clause says of the meeting: 1 it is scheduled, 0 it is not, -1 nothing. */
static int meeting_told(const struct reader *rd, size_t from, size_t to)
{
	if (denies(rd, from, to))
		return 0;
	return holds(rd, W_BOOKED, from, to) ? 1 : -1;
}

/* The verdict stands in the clause that names the meeting, or in the one behind it: "the meeting, not yet". */
static void read_meeting(struct reader *rd, size_t from, size_t to)
{
	bool named = false;

	for (size_t i = from, end; i < to; i = end) {
		end = clause_end(rd, i, to);
		const bool names = holds(rd, W_MEETING, i, end);
		const int told = names || named ? meeting_told(rd, i, end) : -1;
		named = names && told < 0;
		if (told >= 0)
			put(rd, FIELD_MEETING, told > 0 ? "true" : "false");
	}
}

/* "Ada Lovelace, 42-A, mouse": a message that begins with a name, and perhaps an id, as parts of a list. */
static void read_list(struct reader *rd)
{
	const size_t at = skip(rd, W_FILLER, 0, rd->n);
	size_t to = at;
	bool capital = true;

	if (rd->out.value[FIELD_EMPLOYEE_NAME] != NULL || rd->out.question != NULL ||
	    rd->asked != FIELD_EMPLOYEE_NAME)
		return;
	for (; to < rd->n && to - at < NAME_WORDS; to++) {
		if (has_digit(rd->said[to].text) || match(rd, W_NOT_NAME, to, rd->n) > 0 || match(rd, W_YES, to, rd->n) > 0 ||
		    match(rd, W_NAME_END, to, rd->n) > 0 || match(rd, W_QUESTION, to, rd->n) > 0 || begins_value(rd, to, rd->n))
			return;
		capital = capital && (is_capital(rd->said[to].text) || to > at);
		if (rd->said[to].after != '\0')
			break;
	}
	if (to >= rd->n || rd->said[to].after == ':' || rd->said[to].after == '?')
		return;
	to++;
	const bool id = to < rd->n && has_digit(rd->said[to].text) && (rd->said[to].after != '\0' || to + 1 == rd->n);
	if (!capital && !id && rd->asked != FIELD_EMPLOYEE_NAME)
		return;
	if (to < rd->n)
		put(rd, FIELD_EMPLOYEE_NAME, text_of(rd, at, to));
	if (to < rd->n && id && rd->out.value[FIELD_EMPLOYEE_ID] == NULL)
		put(rd, FIELD_EMPLOYEE_ID, text_of(rd, to, to + 1));
}

static void read_values(struct reader *rd, size_t from, size_t to)
{
	bool negated = false;

	for (size_t i = from; i < to;) {
		size_t n = match(rd, W_NO_DIET, i, to);
		rd->out.no_diet |= n > 0;
		rd->found |= n > 0;
		if (n == 0)
			n = read_diet_lead(rd, i, to);
		if (n == 0)
			n = read_diet_none(rd, i, to);
		if (n == 0)
			n = read_name_not(rd, i, to);
		if (n == 0)
			n = read_id(rd, i, to);
		if (n == 0)
			n = read_name(rd, i, to);
		if (n == 0)
			n = read_name_here(rd, i, to);
		if (n == 0)
			n = read_diet(rd, i, to, &negated);
		if (n == 0)
			n = read_kit(rd, i, to, &negated);
		for (size_t k = i; k < i + n; k++)
			rd->taken[k] = true;
		if (n == 0) {
			const size_t not = match(rd, W_NOT, i, to);
			/* "no, a mouse" denies what was said before, and not the mouse */
			negated |= not > 0 && rd->said[i + not - 1].after == '\0' &&
			    (i + not >= to || match(rd, W_FILLER, i + not, to) == 0);
			n = not > 0 ? not : 1;
		}
		i += n;
	}
	read_meeting(rd, from, to);
}

/* -- sentences -- */

static bool read_wish(struct reader *rd, size_t from, size_t to)
{
	const struct { enum word_kind words; bool *flag; } wishes[] = {
		{ W_STATUS, &rd->out.status }, { W_RESTART, &rd->out.restart },
	};

	for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++)
		if (holds(rd, wishes[i].words, from, to)) {
			*wishes[i].flag = rd->found = true;
			return true;
		}
	return false;
}

/* "Can I have a keyboard?" tells a value. */
static bool is_question(const struct reader *rd, size_t from, size_t to)
{
	const char *kit;

	if (holds(rd, W_WISH, from, to))
		for (size_t i = from; i < to; i++)
			if (kit_at(rd, i, to, &kit) > 0)
				return false;
	/* "could you export it?", "do not export it" */
	if (match(rd, W_EXPORT, from, to) > 0 ||
	    (rd->said[to - 1].after != '?' && holds(rd, W_EXPORT, from, to) && denies(rd, from, to)))
		return false;
	return (rd->said[to - 1].after == '?' && has_letter(rd, from, to)) || match(rd, W_QUESTION, from, to) > 0;
}

/* "remove the diet", "take the mouse out again": the fields that it names are to be empty. */
static bool read_removal(struct reader *rd, size_t from, size_t to)
{
	static const struct { enum word_kind words; enum onboarding_field f; } names[] = {
		{ W_ID, FIELD_EMPLOYEE_ID }, { W_MOUSE, FIELD_STARTER_KIT }, { W_KEYBOARD, FIELD_STARTER_KIT },
		{ W_BACKPACK, FIELD_STARTER_KIT }, { W_DIET_NAME, FIELD_DIETARY }, { W_MEETING, FIELD_MEETING },
	};
	unsigned fields = 0;

	/* "don't remove the diet" removes nothing */
	if (!holds(rd, W_REMOVE, from, to) || match(rd, W_NOT, from, to) > 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (holds(rd, names[i].words, from, to)) {
			const unsigned bit = 1u << names[i].f;
			/* two kits: one of them is wished */
			if ((fields & bit) != 0)
				return false;
			fields |= bit;
		}
	rd->out.removed |= fields;
	rd->found |= fields != 0;
	return fields != 0;
}

static void read_sentence(struct reader *rd, size_t from, size_t to)
{
	const size_t first = skip(rd, W_FILLER, from, to);

	if (read_wish(rd, from, to))
		return;
	if (first < to && is_question(rd, first, to)) {
		rd->out.question = rd->out.question == NULL ? text_of(rd, first, to) :
		    arena_printf(rd->a, "%s %s", rd->out.question, text_of(rd, first, to));
		rd->found = true;
		return;
	}
	if (!read_removal(rd, from, to))
		read_values(rd, from, to);
}

static bool ends_sentence(char mark)
{
	return mark != '\0' && strchr(".?!;", mark) != NULL;
}

/* -- a bare answer -- */

/* Does the message consist of this answer, besides small words? */
static bool answers(const struct reader *rd, enum word_kind kind)
{
	const size_t at = skip(rd, W_FILLER, 0, rd->n);

	return match(rd, kind, 0, rd->n) > 0 || (at < rd->n && match(rd, kind, at, rd->n) > 0);
}

/* Is it made of small words alone, such as a greeting? */
static bool is_small_talk(const struct reader *rd)
{
	size_t i = 0, n;

	while (i < rd->n && ((n = match(rd, W_GREETING, i, rd->n)) > 0 || (n = match(rd, W_THANKS, i, rd->n)) > 0 ||
	    (n = match(rd, W_FILLER, i, rd->n)) > 0))
		i += n;
	return i == rd->n;
}

/* Words that no name has, so that "you choose something for me" is none. */
static bool is_no_name(const struct reader *rd, size_t from, size_t to)
{
	static const enum word_kind kinds[] = { W_NOT_NAME, W_QUESTION, W_WISH, W_MEETING, W_EXPORT, W_NOT };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (holds(rd, kinds[k], from, to))
			return true;
	return false;
}

static void read_bare_name(struct reader *rd)
{
	size_t at = skip(rd, W_FILLER, 0, rd->n);

	/* "Fine. Helena Novák" */
	const size_t yes = match(rd, W_YES, at, rd->n);
	const bool leads = yes > 0 && at + yes < rd->n && rd->said[at + yes - 1].after != '\0';
	at += leads ? yes : 0;
	const size_t to = name_end(rd, at, rd->n);
	if (to == rd->n && !is_no_name(rd, at, to) && (leads || !rd->out.yes) && !rd->out.no)
		put(rd, FIELD_EMPLOYEE_NAME, text_of(rd, at, to));
}

static void read_bare_id(struct reader *rd)
{
	size_t at = skip(rd, W_FILLER, 0, rd->n), found = rd->n;

	at = skip(rd, W_SELF, at, rd->n);
	for (size_t i = at; i < rd->n && found == rd->n; i++)
		if (has_digit(rd->said[i].text))
			found = i;
	if (found == rd->n && rd->n - at == 1 && !rd->out.yes && !rd->out.no)
		found = at;
	if (found < rd->n)
		put(rd, FIELD_EMPLOYEE_ID, text_of(rd, found, found + 1));
}

/* A kit that does not exist is still an answer: the tool says what there is. */
static void read_bare_kit(struct reader *rd)
{
	size_t at = skip(rd, W_FILLER, 0, rd->n), to = rd->n;

	at = skip(rd, W_ARTICLE, at, to);
	while (to > at && match(rd, W_ARTICLE, to - 1, to) > 0)
		to--;
	if (at < to && to - at <= 4 && !rd->out.yes && !rd->out.no)
		put(rd, FIELD_STARTER_KIT, text_of(rd, at, to));
}

static void read_bare_diet(struct reader *rd)
{
	if (!rd->out.yes && !rd->out.no)
		put(rd, FIELD_DIETARY, text_of(rd, skip(rd, W_FILLER, 0, rd->n), rd->n));
}

/* "sorry, typo: LM-4281": a short message with one word that can only be an id. */
static bool read_lone_id(struct reader *rd)
{
	size_t found = rd->n;

	if (rd->n > LONE_ID_WORDS || rd->asked == FIELD_DIETARY || holds(rd, W_BOOKED, 0, rd->n) ||
	    holds(rd, W_MEETING, 0, rd->n))
		return false;
	for (size_t i = 0; i < rd->n; i++)
		if (has_digit(rd->said[i].text)) {
			if (found < rd->n || rd->said[i].text.n < LONE_ID_BYTES)
				return false;
			found = i;
		}
	if (found == rd->n)
		return false;
	put(rd, FIELD_EMPLOYEE_ID, text_of(rd, found, found + 1));
	rd->out.no = false;
	rd->out.mentioned = 0;
	return true;
}

static void read_bare(struct reader *rd)
{
	static void (*const by_field[ONBOARDING_WRITABLE])(struct reader *) = {
		[FIELD_EMPLOYEE_NAME] = read_bare_name,
		[FIELD_EMPLOYEE_ID] = read_bare_id,
		[FIELD_STARTER_KIT] = read_bare_kit,
		[FIELD_DIETARY] = read_bare_diet,
	};

	if (rd->out.decline || is_small_talk(rd))
		return;
	if (read_lone_id(rd))
		return;
	/* "all correct" is about the record, and not about the meeting */
	if (rd->asked == FIELD_MEETING && holds(rd, W_ABOUT_RECORD, 0, rd->n))
		return;
	if (rd->asked == FIELD_MEETING && holds(rd, W_BOOKED, 0, rd->n))
		put(rd, FIELD_MEETING, holds(rd, W_NOT, 0, rd->n) ? "false" : "true");
	else if (rd->asked == FIELD_MEETING && (rd->out.yes || rd->out.no))
		put(rd, FIELD_MEETING, rd->out.yes ? "true" : "false");
	else if (rd->asked >= 0 && rd->asked < ONBOARDING_WRITABLE && by_field[rd->asked] != NULL)
		by_field[rd->asked](rd);
}

/* An export needs a clause that wishes it and nothing that denies it or puts it off, here or in another clause. */
static void read_export(struct reader *rd)
{
	const bool wished = holds(rd, W_EXPORT, 0, rd->n);

	rd->out.hold = holds(rd, W_LATER, 0, rd->n);
	for (size_t i = 0, end; i < rd->n; i = end) {
		end = clause_end(rd, i, rd->n);
		rd->out.hold |= holds(rd, W_EXPORT, i, end) && denies(rd, i, end);
	}
	rd->out.export = wished && !rd->out.hold;
}

/* "Yes" and nothing else: any other word may take it back ("yes but the spelling needs a fix"). */
static bool is_plain_yes(const struct reader *rd)
{
	static const enum word_kind kinds[] = { W_YES, W_YES_TOO, W_FILLER, W_THANKS, W_ARTICLE, W_IDLE };

	if (holds(rd, W_BUT, 0, rd->n))
		return false;
	for (size_t i = 0, n; i < rd->n; i += n) {
		n = 0;
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			const size_t more = match(rd, kinds[k], i, rd->n);
			n = more > n ? more : n;
		}
		if (n == 0)
			return false;
	}
	return true;
}

struct reading onboarding_read(const struct onboarding_words *w, struct arena *a, const char *message, int asked)
{
	struct reader rd = { .w = w, .a = a, .asked = asked };
	size_t from = 0;

	cut_words(&rd, message);
	for (size_t i = 0; i < rd.n; i++)
		if (ends_sentence(rd.said[i].after) || i + 1 == rd.n) {
			read_sentence(&rd, from, i + 1);
			from = i + 1;
		}
	read_list(&rd);
	rd.out.greeting = rd.n > 0 && match(&rd, W_GREETING, 0, rd.n) > 0;
	rd.out.thanks = holds(&rd, W_THANKS, 0, rd.n);
	read_export(&rd);
	rd.out.decline_all = holds(&rd, W_DECLINE_ALL, 0, rd.n) && !(rd.found && rd.out.value[FIELD_MEETING] != NULL);
	if (rd.found || rd.n == 0)
		return rd.out;
	/* "no thanks" begins with "no", and "nothing" is none: the longer meaning first */
	rd.out.decline = answers(&rd, W_DECLINE);
	rd.out.yes = !rd.out.decline && answers(&rd, W_YES);
	rd.out.no = !rd.out.decline && !rd.out.yes && answers(&rd, W_NO);
	rd.out.hold |= rd.out.yes && !is_plain_yes(&rd);
	rd.out.mentioned = (holds(&rd, W_NAME, 0, rd.n) ? 1u << FIELD_EMPLOYEE_NAME : 0u) |
	    (holds(&rd, W_ID, 0, rd.n) ? 1u << FIELD_EMPLOYEE_ID : 0u) |
	    (holds(&rd, W_MEETING, 0, rd.n) ? 1u << FIELD_MEETING : 0u);
	if (!holds(&rd, W_EXPORT, 0, rd.n) && !rd.out.decline_all)
		read_bare(&rd);
	return rd.out;
}

bool reading_is_empty(const struct reading *r)
{
	for (int f = 0; f < ONBOARDING_WRITABLE; f++)
		if (r->value[f] != NULL)
			return false;
	return r->question == NULL && r->removed == 0 && !r->no_diet && !r->decline_all && !r->yes && !r->no && !r->decline && !r->export && !r->status &&
	    !r->restart && !r->greeting && !r->thanks;
}
