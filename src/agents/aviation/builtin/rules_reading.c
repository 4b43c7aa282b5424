/*
 * A message is read once more for rules: each token gets its marks from the longest phrase that
 * begins there. A misspelt word counts as the word that it resembles. Whether the message is about
 * rules is then decided together with the reading for airports, because most messages contain
 * something of both.
 */
#include "agents/aviation/builtin/rules_reading.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/str.h"

enum { SLIPS = 12, SLIP_MIN = 6, COUNT_MAX = 50, BARE_MAX = 600, TARGET_REACH = 3, PHRASE_REACH = 8,
	WEATHER_WORDS = 3 };

/* ---- words ------------------------------------------------------------------------ */

static bool has(const struct rules_reading *s, unsigned marks)
{
	return (s->marks & marks) != 0;
}

static void mark(struct rules_reading *s, size_t first, size_t n, unsigned marks)
{
	for (size_t k = first; k < first + n && k < s->x.n; k++)
		s->mark[k] = marks;
	s->marks |= marks;
	s->topics += (marks & MARK_TOPIC) != 0 && (marks & MARK_NOTICE) == 0;
}

/* Before anything is matched: unknown words that misspell one of ours. */
static void correct(const struct reader *rd, struct rules_reading *s)
{
	const struct lexicon *l = rd->rules;
	size_t used;
	int left = SLIPS;
	for (size_t i = 0; i < s->x.n && left > 0; i++) {
		struct token *t = &s->x.tok[i];
		if (t->kind != TOK_WORD || strlen(t->fold) < SLIP_MIN || (t->title && i > 0 && !t->upper) ||
		    word_listed(LIST_COMMON, t->fold) || country_by_name(t->fold) != NULL ||
		    lexicon_match(l, &s->x, i, LX_NONE, &used) != NULL)
			continue;
		const char *word = lexicon_word(l, t->fold);
		effort_spend(rd->effort, EFFORT_SLIP, 1);
		left--;
		if (word != NULL)
			t->fold = word;
	}
}

static void add_nation(struct rules_reading *s, struct country_mention n)
{
	for (size_t i = 0; i < s->ncountries; i++)
		if (streq(s->country[i].code, n.code)) {
			s->country[i].origin &= n.origin;
			return;
		}
	if (s->ncountries < RULES_READING_COUNTRIES)
		s->country[s->ncountries++] = n;
}

static bool leads(const struct rules_reading *s)
{
	for (size_t i = 0; i < s->x.n; i++) {
		if (s->mark[i] & (MARK_LEAD | MARK_SAME))
			return true;
		if (s->x.tok[i].kind != TOK_SYMBOL)
			return false;
	}
	return false;
}

/* "Langen Information", "London Info": a service by its name. */
static bool service(const struct rules_reading *s, size_t i)
{
	const char *fold = s->x.tok[i].fold;
	return i > 0 && s->x.tok[i].title && s->x.tok[i - 1].title && !s->x.shouted &&
	    s->mark[i - 1] == 0 && (streq(fold, "information") || streq(fold, "info"));
}

struct rules_reading *rules_reading_read(const struct reader *rd, const char *text)
{
	struct arena *a = rd->mem;
	struct rules_reading *s = arena_alloc(a, sizeof(*s));
	s->text = text;
	s->x = lex(a, text);
	if (s->x.n > RULES_READING_TOKENS) {
		s->x.tok += s->x.n - RULES_READING_TOKENS;
		s->x.n = RULES_READING_TOKENS;
	}
	effort_spend(rd->effort, EFFORT_BYTE, strlen(s->x.text));
	effort_spend(rd->effort, EFFORT_WORD, s->x.n);
	s->number = NAN;
	s->mark = arena_array(a, s->x.n + 1, sizeof(*s->mark));
	correct(rd, s);
	for (size_t i = 0; i < s->x.n;) {
		const struct token *t = &s->x.tok[i];
		size_t used;
		struct country_mention n;
		const struct lex_row *row = lexicon_match(rd->rules, &s->x, i, LX_NONE, &used);
		if (country_mention_at(rd, s, i, row != NULL, &n) && !(row != NULL && used > n.last - n.first + 1)) {
			mark(s, n.first, n.last - n.first + 1, MARK_COUNTRY);
			add_nation(s, n);
			i = n.last + 1;
		} else if (service(s, i)) {
			mark(s, i, 1, MARK_TOPIC);
			i++;
		} else if (row != NULL) {
			mark(s, i, used, (unsigned)row->value);
			i += used;
		} else {
			if (t->kind == TOK_NUMBER && t->value >= 1 && t->value <= COUNT_MAX)
				s->number = t->value;
			s->strange += t->kind == TOK_WORD;
			i++;
		}
	}
	s->leads = leads(s);
	return s;
}

bool rules_reading_subject(const struct rules_reading *s)
{
	return has(s, MARK_TOPIC | MARK_HINT | MARK_BORDER) || s->strange > 0;
}

/* ---- the question without the countries ------------------------------------------------ */

/* Words that only connect a country with the rest. */
static bool ties(const struct rules_reading *s, size_t i)
{
	return streq(s->x.tok[i].fold, ",") || word_listed(LIST_TIES, s->x.tok[i].fold);
}

static void drop_ties(const struct rules_reading *s, bool *gone)
{
	static const unsigned lost = MARK_COUNTRY | MARK_KNOW | MARK_SAME | MARK_COMPARE;
	for (size_t i = 0; i < s->x.n; i++)
		gone[i] = (s->mark[i] & lost) != 0;
	for (size_t i = 0; i < s->x.n; i++) {
		if ((s->mark[i] & (MARK_COUNTRY | MARK_COMPARE)) == 0)
			continue;
		for (size_t k = i; k > 0 && !gone[k - 1] && ties(s, k - 1); k--)
			gone[k - 1] = true;
	}
	/* words with which "and", "what about" or a comma begins or ends */
	for (size_t i = 0; i < s->x.n && (gone[i] || (s->mark[i] & MARK_LEAD) ||
	    s->x.tok[i].kind == TOK_SYMBOL); i++)
		gone[i] = true;
}

const char *rules_reading_bare(struct arena *a, const struct rules_reading *s)
{
	bool *gone = arena_array(a, s->x.n + 1, sizeof(*gone));
	const char *out = "";
	drop_ties(s, gone);
	for (size_t i = 0; i < s->x.n;) {
		size_t k = i;
		if (gone[i]) {
			i++;
			continue;
		}
		while (k + 1 < s->x.n && !gone[k + 1])
			k++;
		if (strlen(out) < BARE_MAX)
			out = arena_printf(a, "%s%s%s", out,
			    *out != '\0' && s->x.tok[i].kind != TOK_SYMBOL ? " " : "",
			    lex_slice(a, &s->x, i, k));
		i = k + 1;
	}
	for (const char *p = out; *p != '\0'; p++)
		if (isalnum((unsigned char)*p) || (unsigned char)*p >= 0x80)
			return out;
	return NULL;
}

/* "joining" and "join", "transponders" and "transponder" */
static bool same_stem(const char *fold, const char *word, size_t n)
{
	return n >= 3 && strncmp(fold, word, n) == 0 && strlen(fold) <= n + 3;
}

bool rules_reading_covered(const struct rules_reading *s, const char *const *tags, size_t ntags)
{
	for (size_t i = 0; i < s->x.n; i++) {
		bool found = (s->mark[i] & (MARK_TOPIC | MARK_HINT | MARK_BORDER)) == 0 &&
		    (s->mark[i] != 0 || s->x.tok[i].kind == TOK_SYMBOL);
		for (size_t t = 0; t < ntags && !found; t++)
			for (const char *p = tags[t]; *p != '\0' && !found;) {
				size_t n = strcspn(p, "_/");
				found = same_stem(s->x.tok[i].fold, p, n);
				p += n + (p[n] != '\0');
			}
		if (!found)
			return false;
	}
	return true;
}

/* ---- is it about rules? ------------------------------------------------------------------ */

static bool cue(const struct query *q, unsigned cues)
{
	return (q->cues & cues) != 0;
}

/* A route between places; "from Germany to Poland" may also be a question about rules. */
static bool routed(const struct query *q)
{
	return q->from.text != NULL && q->to.text != NULL &&
	    (q->from.country == NULL || q->to.country == NULL);
}

/* Is it a question, by its words or by its end? */
static bool asks(const struct rules_reading *s)
{
	return has(s, MARK_ASK) || strchr(s->text, '?') != NULL;
}

static bool coded(const struct query *q)
{
	return q->from.code || q->to.code || q->near.code || q->subject.code || q->ncodes > 0;
}

static bool placed(const struct query *q)
{
	return (q->from.text != NULL && q->from.known) || (q->to.text != NULL && q->to.known) ||
	    (q->near.text != NULL && q->near.known) || (q->subject.text != NULL && q->subject.known);
}

static bool wants(const struct query *q, enum wish first, enum wish last)
{
	for (int w = (int)first; w <= (int)last; w++)
		if (q->want[w].state != WANT_NOTHING)
			return true;
	return false;
}

static bool wants_any(const struct query *q)
{
	return wants(q, WISH_AVGAS, WISH_RESTAURANT);
}

/* Questions that no rule can answer. */
static bool wants_service(const struct query *q)
{
	return wants(q, WISH_AVGAS, WISH_FUEL) || wants(q, WISH_MIN, WISH_RESTAURANT);
}

/* Is there a word for airports? "I fly in France" contains a word for flying only. */
static bool nouns(const struct rules_reading *s, const struct query *q)
{
	return q->noun && !has(s, MARK_KNOW);
}

/* Words that never come directly before a noun. After one of them another phrase begins. */
static bool ends_phrase(const struct rules_reading *s, size_t i)
{
	return s->x.tok[i].kind == TOK_SYMBOL || word_listed(LIST_ENDS_PHRASE, s->x.tok[i].fold);
}

/* Does the message ask for airports ("which airfields in …", "any strips", "what are the border
 * crossing airports")? Not when it asks for rules about them ("what are the rules for airfields"). */
static bool targets(const struct rules_reading *s)
{
	for (size_t i = 0; i < s->x.n; i++) {
		bool noun = word_listed(LIST_TARGET, s->x.tok[i].fold), phrase = true;
		for (size_t b = 1; noun && b <= PHRASE_REACH && b <= i; b++) {
			const char *fold = s->x.tok[i - b].fold;
			if ((b <= TARGET_REACH || phrase) && word_listed(LIST_ASKS_TARGET, fold))
				return true;
			if (phrase && word_listed(LIST_WHERE_TARGET, fold))
				return true;
			phrase &= !ends_phrase(s, i - b);
		}
	}
	return false;
}

/* Does it look for airports, whatever else it says? */
static bool hunts(const struct rules_reading *s, const struct query *q)
{
	bool form = has(s, MARK_FORM), noun = nouns(s, q);
	if (has(s, MARK_RULES))
		return false;
	if (cue(q, CUE_WHERE) && (noun || s->topics == 0))
		return true;
	if (noun && (has(s, MARK_SEEK) || cue(q, CUE_LOOKUP) || (cue(q, CUE_SHOW) && s->topics == 0)) &&
	    !(form && s->topics > 0))
		return true;
	if (noun && !form && (routed(q) || q->near.text != NULL) &&
	    !(s->topics > 0 && asks(s) && !targets(s)))
		return true;
	return noun && !form && !has(s, MARK_TOPIC) && (wants_any(q) || has(s, MARK_ASK));
}

bool rules_reading_notice(const struct rules_reading *s, const struct query *q)
{
	bool asked = ((has(s, MARK_NOTICE) || q->notice) && !has(s, MARK_RULES)) || cue(q, CUE_NOTIFY);
	return asked && s->topics == 0 && s->ncountries == 0 && q->subject.text != NULL &&
	    (q->subject.code || q->subject.known) && !q->noun && !cue(q, CUE_TELL);
}

static bool about_others(const struct rules_reading *s, const struct query *q)
{
	bool form = has(s, MARK_FORM | MARK_ASK);
	/* "AFIS people act as if …" is no instruction. */
	if (cue(q, CUE_INJECT) && !(s->topics > 0 && s->ncountries > 0 && asks(s)))
		return true;
	if (cue(q, CUE_OTHER) || q->lack == LACK_COORDS)
		return true;
	if (cue(q, CUE_NOTAM) && !form)
		return true;
	if (cue(q, CUE_FILE) && !form && !has(s, MARK_RULES | MARK_NEED) && !s->leads)
		return true;
	if (cue(q, CUE_WEATHER) && s->topics == 0 && !has(s, MARK_RULES))
		return true;
	return rules_reading_notice(s, q) || hunts(s, q);
}

static bool about_topic(const struct rules_reading *s, const struct query *q)
{
	if (!has(s, MARK_TOPIC | MARK_RULES))
		return false;
	/* "without the customs requirement" */
	if (!has(s, MARK_TOPIC | MARK_FORM | MARK_ASK | MARK_BROWSE | MARK_COMPARE) &&
	    s->ncountries == 0 && wants_any(q))
		return false;
	/* "PPR max 2 h, near LSZH" */
	if (s->topics == 0 && !has(s, MARK_RULES | MARK_FORM) && !isnan(q->notice_h))
		return false;
	return !routed(q) || asks(s) || has(s, MARK_FORM | MARK_NEED | MARK_RULES | MARK_COMPARE);
}

static bool about_countries(const struct rules_reading *s, const struct query *q)
{
	if (nouns(s, q) || (coded(q) && !has(s, MARK_KNOW)))
		return false;
	if (has(s, MARK_GENERAL) && s->ncountries > 0)
		return true;
	if (has(s, MARK_COMPARE))
		return s->ncountries > 0;
	if (has(s, MARK_EVERY | MARK_SUBJECTS) && has(s, MARK_FORM | MARK_HAVE))
		return true;
	/* "can I fly over the Alps in Switzerland?" */
	return has(s, MARK_FORM) && s->ncountries > 0 && !wants_any(q) &&
	    !cue(q, CUE_SHOW | CUE_WHERE | CUE_LOOKUP | CUE_TELL | CUE_NOTIFY);
}

static bool about_hint(const struct rules_reading *s, const struct query *q)
{
	if (s->ncountries == 0 && !placed(q))
		return false;
	bool form = has(s, MARK_FORM) || (has(s, MARK_NEED) && asks(s));
	if (has(s, MARK_HINT) && form && !wants_service(q) && !cue(q, CUE_WHERE))
		return s->ncountries > 0 || !cue(q, CUE_ASPECT | CUE_ASK);
	/* "what is the circuit height in Norway?" */
	if (has(s, MARK_HINT) && asks(s) && s->ncountries > 0 && !q->noun && !wants_any(q) &&
	    !coded(q) && !placed(q) && !cue(q, CUE_WHERE | CUE_NOTIFY))
		return true;
	return has(s, MARK_BORDER) && has(s, MARK_MUST) && has(s, MARK_ASK) && s->ncountries > 0 &&
	    !q->noun;
}

/* Does it continue a search for airports: a filter, a distance, "the second one", a place? */
static bool about_search(const struct rules_reading *s, const struct query *q)
{
	bool form = has(s, MARK_FORM);
	if (q->noun || q->ordinal != 0 || q->large >= 0 || q->along ||
	    cue(q, CUE_BACK | CUE_WEATHER | CUE_NOTAM | CUE_LOOKUP | CUE_CODE | CUE_HERE | CUE_WHERE))
		return true;
	if (!isnan(q->distance_nm) || !isnan(q->notice_h) || q->lack == LACK_FUEL)
		return true;
	if (wants_any(q) && !form)
		return true;
	if (cue(q, CUE_ASPECT) && !form)
		return true;
	return (cue(q, CUE_THANKS | CUE_HELLO | CUE_WHO)) && s->ncountries == 0;
}

enum about rules_reading_about(const struct rules_reading *s, const struct query *q)
{
	static const unsigned going_on = MARK_LEAD | MARK_SAME | MARK_MORE | MARK_COMPARE | MARK_FORM |
	    MARK_ASK | MARK_THERE | MARK_TOPIC | MARK_HINT;
	if (about_others(s, q))
		return ABOUT_OTHER;
	if (about_topic(s, q) || about_countries(s, q) || about_hint(s, q))
		return ABOUT_RULES;
	if (about_search(s, q))
		return ABOUT_OTHER;
	return has(s, going_on) || s->ncountries > 0 || coded(q) || placed(q) ? ABOUT_OPEN
	    : ABOUT_OTHER;
}

bool rules_reading_airport(const struct rules_reading *s, const struct query *q)
{
	return s->topics == 0 && !has(s, MARK_FORM | MARK_NEED | MARK_RULES | MARK_GENERAL | MARK_COMPARE |
	    MARK_HINT | MARK_BORDER | MARK_NOTICE | MARK_SAME | MARK_KNOW) &&
	    (coded(q) || (placed(q) && cue(q, CUE_TELL)));
}

double rules_reading_doubt(const struct rules_reading *s, const struct query *q)
{
	static const double near = 0.36, nearer = 0.45, nearest = 0.6;
	bool limited = wants(q, WISH_MIN, WISH_FEE) || !isnan(q->distance_nm);
	if (!asks(s) && !has(s, MARK_FORM))
		return INFINITY;
	if (cue(q, CUE_INJECT | CUE_OTHER | CUE_NOTAM | CUE_WHO | CUE_HELLO | CUE_THANKS | CUE_BACK |
	    CUE_CODE | CUE_LOOKUP) || q->lack == LACK_COORDS || q->lack == LACK_RANK ||
	    q->ordinal != 0 || s->leads)
		return INFINITY;
	/* "what is the weather in Germany" is no question about weather services */
	if (cue(q, CUE_WEATHER) && s->strange < WEATHER_WORDS)
		return INFINITY;
	if (limited || targets(s) || coded(q) || rules_reading_notice(s, q))
		return INFINITY;
	if (q->noun && (has(s, MARK_SEEK) || (cue(q, CUE_WHERE) && !has(s, MARK_FORM))))
		return INFINITY;
	if (s->ncountries == 0)
		return q->noun || placed(q) || wants_any(q) || cue(q, CUE_ASPECT | CUE_TELL | CUE_SHOW |
		    CUE_THERE | CUE_WHERE | CUE_FOLLOW | CUE_MORE) ? INFINITY : nearest;
	if (wants_service(q) || (placed(q) && cue(q, CUE_ASPECT)))
		return nearest;
	return q->noun || wants_any(q) ? nearer : near;
}
