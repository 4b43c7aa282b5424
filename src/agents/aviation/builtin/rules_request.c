/*
 * From words to a request for rules.
 *
 * A message brings countries, a subject, or both; the rest comes from the question before it. "And
 * in Germany?" keeps the question, "what about transponders?" keeps the country, "and compared to
 * Italy?" keeps both and makes a comparison. Two countries are always a comparison, because it
 * shows the answer of each.
 */
#include "agents/aviation/builtin/rules_request.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "rules/terms.h"

enum { PAGE = 10, QUESTION_MAX = 300 };

void country_list_add(struct country_list *list, const char *code)
{
	for (size_t i = 0; i < list->n; i++)
		if (streq(list->code[i], code))
			return;
	if (code != NULL && list->n < RULES_REQUEST_COUNTRIES_MAX)
		list->code[list->n++] = code;
}

void country_list_add_all(struct country_list *list, const struct country_list *more)
{
	for (size_t i = 0; more != NULL && i < more->n; i++)
		country_list_add(list, more->code[i]);
}

bool rules_request_complete(const struct rules_request *r)
{
	switch (r->kind) {
	case RULES_REQUEST_ANSWER:
	case RULES_REQUEST_BROWSE:
		return r->countries.n >= 1;
	case RULES_REQUEST_COMPARE:
		return r->countries.n >= 2;
	case RULES_REQUEST_COUNTRIES:
	case RULES_REQUEST_SUBJECTS:
		break;
	}
	return true;
}

static bool has(const struct rules_reading *s, unsigned marks)
{
	return (s->marks & marks) != 0;
}

/* ---- countries ---------------------------------------------------------------------- */

/* The neighbours, with rules, of a country or of the countries named last. */
static void add_neighbours(struct country_list *list, struct arena *a,
    const struct rules_snapshot *set, const struct country_list *around)
{
	if (list->n == 0 && around != NULL && around->n > 0)
		country_list_add(list, around->code[0]);
	if (list->n != 1 || set == NULL)
		return;
	const struct country *c = country_by_code(list->code[0]);
	const char *codes = c != NULL ? c->neighbours : "";
	for (struct str part; str_part(&codes, '|', &part);) {
		const char *code = arena_strndup(a, part.p, part.n);
		if (rulebase_country(set->base, code) != NULL)
			country_list_add(list, code);
	}
}

/* The countries a message itself brings. */
static struct country_list own_nations(struct arena *a, const struct rules_reading *s,
    const struct rules_request_ground *g)
{
	struct country_list list = { .n = 0 };
	bool compare = has(s, MARK_COMPARE);
	/* "I'm based at EGTF, what is different in France?": the home country comes first */
	if (compare && has(s, MARK_KNOW))
		country_list_add_all(&list, g->own);
	for (size_t i = 0; i < s->ncountries; i++)
		if (compare || !s->country[i].origin)
			country_list_add(&list, s->country[i].code);
	if (list.n == 0 && !has(s, MARK_EVERY))
		country_list_add_all(&list, g->own);
	if (has(s, MARK_NEIGHBOUR))
		add_neighbours(&list, a, g->set, g->around);
	else if (has(s, MARK_EVERY) && list.n == 0 && g->set != NULL)
		for (size_t i = 0; i < g->set->base->ncountries; i++)
			country_list_add(&list, g->set->base->countries[i].code);
	return list;
}

/* ---- the question ---------------------------------------------------------------------- */

static const char *clipped(struct arena *a, const char *text)
{
	struct str s = str_trim(str_of(text));
	return arena_strndup(a, s.p, utf8_cut(s.p, s.n, s.n < QUESTION_MAX ? s.n : QUESTION_MAX));
}

static void set_tags(struct arena *a, struct rules_request *r, const char *text)
{
	r->tags = NULL;
	r->ntags = 0;
	if (r->set != NULL && text != NULL)
		r->tags = lexical_tags(r->set->lexical, a, text, &r->ntags);
}

/* Without a subject a message about rules asks for an overview. With a subject and a word for a
 * list it asks for the list of that topic, if there is such a topic. */
static bool browses(const struct rules_reading *s, const struct rules_request *r,
    const struct rules_request_ground *g)
{
	/* "rules at EDDF": the one unknown word is the airport, which gives the country */
	bool place = !has(s, MARK_TOPIC | MARK_HINT | MARK_BORDER) && s->strange <= 1 &&
	    s->ncountries == 0 && g->own != NULL && g->own->n > 0;
	bool have = has(s, MARK_BROWSE) && has(s, MARK_HAVE | MARK_SEEK);
	if ((!has(s, MARK_RULES | MARK_GENERAL) && !have) || has(s, MARK_FORM))
		return false;
	return !rules_reading_subject(s) || place || (has(s, MARK_BROWSE) && r->ntags > 0);
}

/* Is there a question that only some of the rules answer, beyond the tags? */
static bool particular(const struct rules_reading *s, const struct rules_request *r)
{
	if (!has(s, MARK_TOPIC | MARK_HINT | MARK_BORDER))
		return has(s, MARK_FORM) && s->strange > 0;
	return has(s, MARK_FORM) || !rules_reading_covered(s, r->tags, r->ntags);
}

/* A new question; `joined`: it continues the words of the one before. */
static void ask(struct arena *a, struct rules_request *r, const struct rules_reading *s,
    const struct rules_request *before, bool joined)
{
	r->bare = rules_reading_bare(a, s);
	r->question = clipped(a, s->leads && r->bare != NULL ? r->bare : s->text);
	if (joined && before != NULL && before->bare != NULL) {
		r->bare = r->bare == NULL ? before->bare
		    : arena_printf(a, "%s %s", before->bare, r->bare);
		r->question = r->bare;
	}
	if (r->bare != NULL)
		r->bare = clipped(a, r->bare);
	/* "compare with the neighbouring countries" names countries and no topic */
	set_tags(a, r, has(s, MARK_NEIGHBOUR) && !rules_reading_subject(s) ? NULL : r->bare);
}

/* "Which rules do you have?", without a country whose rules could be listed. */
static bool of_base(const struct rules_reading *s)
{
	return has(s, MARK_RULES) && has(s, MARK_HAVE) && !rules_reading_subject(s) &&
	    !has(s, MARK_COMPARE | MARK_FORM | MARK_COUNTRY | MARK_EVERY);
}

/* From one country to another: both ends are part of the question. */
static bool crosses(struct arena *a, const struct rules_request *r)
{
	return r->question != NULL && terms_of(a, r->question).abroad[0] != '\0';
}

/* The ends of the flight were airports, which say nothing to the rules. */
static const char *across(struct arena *a, const struct rules_request *r)
{
	return arena_printf(a, "%s, for a flight that crosses the border", r->bare != NULL ? r->bare : r->question);
}

/* The kind of request, once countries and subject are known, and what the tool is asked. */
static void decide(struct arena *a, struct rules_request *r, const struct rules_reading *s,
    const struct rules_request_ground *g, const struct rules_request *before, bool compare)
{
	/* "only those about airspace", of a list */
	bool narrows = before != NULL && before->kind == RULES_REQUEST_BROWSE && r->ntags > 0 &&
	    !has(s, MARK_FORM | MARK_ASK) && strchr(s->text, '?') == NULL;

	if (has(s, MARK_EVERY) && has(s, MARK_HAVE) && !rules_reading_subject(s) && s->ncountries == 0) {
		r->kind = RULES_REQUEST_COUNTRIES;
		/* all rules: a question that follows is not about one of them */
		r->countries.n = 0;
	} else if ((r->countries.n == 0 && of_base(s)) || (has(s, MARK_SUBJECTS) && s->topics == 0 &&
	    s->ncountries == 0)) {
		r->kind = RULES_REQUEST_SUBJECTS;
	} else if (compare || r->countries.n > 1) {
		r->kind = RULES_REQUEST_COMPARE;
		if (!particular(s, r))
			r->question = NULL;
		else if (g->route && !has(s, MARK_COMPARE) && !crosses(a, r))
			r->question = across(a, r);
		else if (r->bare != NULL && !crosses(a, r))
			r->question = r->bare;
	} else if (browses(s, r, g) || narrows) {
		r->kind = RULES_REQUEST_BROWSE;
		r->question = NULL;
		if (!isnan(s->number))
			r->limit = (size_t)s->number;
	} else {
		r->kind = RULES_REQUEST_ANSWER;
	}
}

/* ---- continuing ---------------------------------------------------------------------------- */

/* "more", "next page" */
static struct rules_request *next_page(struct arena *a, const struct rules_request *before)
{
	struct rules_request *r = arena_alloc(a, sizeof(*r));
	*r = *before;
	if (before->kind == RULES_REQUEST_BROWSE) {
		r->limit = before->limit > 0 ? before->limit : PAGE;
		r->offset = before->offset + r->limit;
		return r;
	}
	if (before->kind == RULES_REQUEST_COMPARE)
		r->rest = true;
	if (before->kind != RULES_REQUEST_ANSWER)
		return r;
	if (before->countries.n == 0)
		return NULL;
	r->kind = RULES_REQUEST_BROWSE;
	r->question = NULL;
	return r;
}

/* Are the countries added to those before? One country is, in a comparison; several are after the
 * word "compared": "compared to Italy and Norway", but not "Italy versus Norway". */
static bool joins(const struct rules_reading *s, const struct rules_request *before,
    const struct country_list *own)
{
	size_t at = 0;
	if (own->n == 1)
		return has(s, MARK_COMPARE) || before->kind == RULES_REQUEST_COMPARE;
	while (at < s->x.n && (s->mark[at] & (MARK_COMPARE | MARK_COUNTRY)) == 0)
		at++;
	return s->leads || (at < s->x.n && (s->mark[at] & MARK_COMPARE) != 0);
}

/* "and in Germany?", "compared to Italy": the same question for another country. */
static struct rules_request *elsewhere(struct arena *a, const struct rules_reading *s,
    const struct rules_request *before, const struct country_list *own)
{
	struct rules_request *r = arena_alloc(a, sizeof(*r));
	bool join = joins(s, before, own);
	*r = *before;
	r->countries.n = 0;
	r->offset = 0;
	r->rest = false;
	if (join)
		country_list_add_all(&r->countries, &before->countries);
	country_list_add_all(&r->countries, own);
	/* "Which countries do you have?" "Norway": an overview of Norway */
	if (before->kind == RULES_REQUEST_COUNTRIES || before->kind == RULES_REQUEST_SUBJECTS)
		r->kind = RULES_REQUEST_BROWSE;
	if (has(s, MARK_COMPARE) || before->kind == RULES_REQUEST_COMPARE || r->countries.n > 1) {
		r->kind = RULES_REQUEST_COMPARE;
		if (before->kind == RULES_REQUEST_ANSWER)
			r->question = before->bare;
	} else if (before->kind == RULES_REQUEST_ANSWER && before->countries.n > 0) {
		r->question = before->bare != NULL ? before->bare : before->question;
	}
	return r;
}

/* Only countries, and words that continue. After a question for the country the answer may be a
 * place. */
static bool only_countries(const struct rules_reading *s, const struct rules_request *before)
{
	static const unsigned others = MARK_RULES | MARK_GENERAL | MARK_BROWSE | MARK_HAVE |
	    MARK_SUBJECTS;
	if (has(s, others))
		return false;
	return !rules_reading_subject(s) || (!rules_request_complete(before) &&
	    !has(s, MARK_TOPIC | MARK_HINT | MARK_BORDER | MARK_FORM));
}

bool rules_request_alone(const struct rules_reading *s)
{
	bool named = false;
	for (size_t i = 0; i < s->ncountries; i++)
		named |= !s->country[i].origin;
	return named && s->topics > 0 && !has(s, MARK_COMPARE | MARK_EVERY | MARK_NEIGHBOUR) &&
	    (has(s, MARK_FORM | MARK_ASK) || strchr(s->text, '?') != NULL);
}

struct rules_request *rules_request_of(struct arena *a, const struct rules_reading *s,
    enum about about, const struct rules_request_ground *g)
{
	const struct rules_request *before = g->before;
	struct country_list own = own_nations(a, s, g);
	bool follows = before != NULL && g->follows;
	if (about == ABOUT_OPEN && !follows)
		return NULL;
	if (follows && has(s, MARK_MORE) && own.n == 0 && !has(s, MARK_TOPIC | MARK_FORM))
		return next_page(a, before);
	if (follows && own.n > 0 && only_countries(s, before))
		return elsewhere(a, s, before, &own);
	/* a place alone means its country only after a question for the country */
	if (about == ABOUT_OPEN && s->marks == 0 && s->ncountries == 0)
		return NULL;

	struct rules_request *r = arena_alloc(a, sizeof(*r));
	bool compare = has(s, MARK_COMPARE) || (has(s, MARK_EVERY) && own.n != 1);
	r->set = g->set;
	ask(a, r, s, before, follows && s->topics == 0 && !has(s, MARK_RULES | MARK_GENERAL |
	    MARK_NOTICE) && (about == ABOUT_OPEN || own.n == 0));
	if (compare && own.n < 2) {
		country_list_add_all(&r->countries, g->around);
		country_list_add_all(&r->countries, &own);
	} else if (own.n > 0) {
		r->countries = own;
	} else if (follows) {
		r->countries = before->countries;
		compare |= before->kind == RULES_REQUEST_COMPARE;
	} else {
		country_list_add_all(&r->countries, g->around);
	}
	decide(a, r, s, g, follows ? before : NULL, compare);
	return r;
}
