#include "agents/aviation/builtin/frame_amends_own.h"

#include <ctype.h>
#include <string.h>

#include "agents/aviation/builtin/reading_amends.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "base/arena.h"
#include "base/str.h"
#include "language/languages.h"

bool frame_says(const struct frame *f, uint64_t labels)
{
	for (size_t i = 0; i < LABEL__MAX; i++)
		if ((labels >> i & 1) != 0 && f->slot[i].n > 0)
			return true;
	return false;
}

void frame_drop_value(struct arena *a, struct frame_slot *slot, size_t i)
{
	struct frame_value *value = arena_array(a, slot->n, sizeof(*value));

	memcpy(value, slot->value, i * sizeof(*value));
	memcpy(value + i, slot->value + i + 1, (slot->n - i - 1) * sizeof(*value));
	*slot = (struct frame_slot){ slot->n - 1, value };
}

/* Does a word say "the other way round"? "Back" does not count, because it may also mean "back to the list". */
static bool says_other_way(const struct reading *r)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "reverse") && evidence_in(r->evidence, e->first, e->last, "follow.back") == NULL)
			return true;
	}
	return false;
}

/* "And back?": the route of the frame before, the other way. No mark says so, because there are no words for what
 * changes. */
static void turn_round(struct frame *f, const struct reading *r)
{
	/* "back to the first route" is no way back */
	if (frame_plan_kind(f) != PLAN_ROUTE || (streq(f->kind, "return") && !says_other_way(r)) || !reading_says(r, "reverse") || reading_says(r, "ordinal") ||
	    reading_marked(r, LABEL_FROM) != NULL || reading_marked(r, LABEL_TO) != NULL)
		return;
	const struct frame_slot from = f->slot[LABEL_FROM];
	f->slot[LABEL_FROM] = f->slot[LABEL_TO];
	f->slot[LABEL_TO] = from;
}

/* Wishes of which a pilot who replaces or corrects one means only the new one: "Jet A instead", "I meant a bed". */
static const struct family {
	const char *kind;
	uint64_t labels;
} families[] = {
	{ "replace", BIT(AVGAS) | BIT(JET_A) | BIT(FUEL) },
	{ "correct", BIT(AVGAS) | BIT(JET_A) | BIT(FUEL) },
	{ "correct", BIT(HOTEL) | BIT(RESTAURANT) },
};

static void swap_wishes(struct frame *f, const struct reading *r)
{
	for (size_t k = 0; k < sizeof(families) / sizeof(families[0]); k++) {
		uint64_t said = 0;
		for (size_t i = 0; i < LABEL__MAX; i++)
			if ((families[k].labels >> i & 1) != 0 && reading_marked(r, (enum label)i) != NULL)
				said |= (uint64_t)1 << i;
		for (size_t i = 0; said != 0 && streq(f->kind, families[k].kind) && i < LABEL__MAX; i++)
			if (((families[k].labels & ~said) >> i & 1) != 0)
				f->slot[i] = (struct frame_slot){ .n = 0 };
	}
}

/* The unit for a number without one: that of the other limit of the runway ("between 1500 and 2500 m"), that of a distance named before it
 * ("108 NM is too far, 20 at most"), else that of the same label in the frame before ("within 30 km", "20"). NULL: there is none. */
static const char *unit_nearby(const struct reading *r, enum label label, const struct dialogue *before)
{
	static const enum label runways[] = { LABEL_MIN_RUNWAY, LABEL_MAX_RUNWAY };
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const bool runway = label == LABEL_MIN_RUNWAY || label == LABEL_MAX_RUNWAY;
	const char *value = NULL;

	for (size_t i = 0; runway && value == NULL && i < sizeof(runways) / sizeof(runways[0]); i++) {
		const struct mark *m = reading_marked(r, runways[i]);
		const struct evidence *e = m != NULL ? evidence_in(r->evidence, m->first, m->last, "length") : NULL;
		value = e != NULL ? e->value : NULL;
	}
	const struct mark *own = label == LABEL_RADIUS ? reading_marked(r, label) : NULL;
	for (size_t i = 0; own != NULL && i < r->evidence->n && r->evidence->at[i].first < own->first; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "length") && one_of(e->value + strspn(e->value, "0123456789."), "nm|km|mi"))
			value = e->value;
	}
	if (value == NULL && last != NULL)
		value = frame_get(last, label);
	return value != NULL ? value + strspn(value, "0123456789.") : NULL;
}

/* kind: "length", "money" or "speed". A mark with such evidence has its own unit. */
static void lend_unit(struct arena *a, struct frame *f, const struct reading *r, enum label label, const char *kind,
    const struct dialogue *before)
{
	const struct mark *m = reading_marked(r, label);
	struct frame_slot *slot = &f->slot[label];

	if (m == NULL || m->value != NULL || slot->n == 0 || evidence_in(r->evidence, m->first, m->last, kind) != NULL)
		return;
	const char *unit = unit_nearby(r, label, before);
	if (unit == NULL || *unit == '\0')
		return;
	struct frame_value *value = arena_alloc(a, sizeof(*value));
	*value = slot->value[slot->n - 1];
	value->text = arena_printf(a, "%.*s%s", (int)strspn(value->text, "0123456789."), value->text, unit);
	*slot = (struct frame_slot){ 1, value };
}

/* The prior permission that an airport wants is part of its notice. */
static void ask_notice(struct frame *f)
{
	const struct frame_slot *asked = &f->slot[LABEL_ASK];
	if (frame_plan_kind(f) == PLAN_DETAILS && asked->n == 1 && streq(asked->value[0].text, "ppr") &&
	    f->slot[LABEL_WISH].n == 0)
		f->plan = &aviation_schema.plan[PLAN_NOTICE];
}

/* "And the customs notice at Annecy?" after a question about permission at Texel, "tell me about Annecy" after one about fuel: the message
 * says what it asks, so the fact that was asked before is dropped. */
static void leave_facts(struct frame *f, const struct reading *r)
{
	if (frame_plan_kind(f) == PLAN_DETAILS && reading_marked(r, LABEL_ASK) == NULL && reading_says(r, "tell") && !reading_says(r, "also"))
		f->slot[LABEL_ASK] = (struct frame_slot){ .n = 0 };
	if (frame_plan_kind(f) == PLAN_NOTICE && reading_marked(r, LABEL_ASK) == NULL && (reading_says(r, "notice") || reading_says(r, "ask=customs")))
		f->slot[LABEL_ASK] = (struct frame_slot){ .n = 0 };
}

/* "Show all rules of Greece", "list the rules" after a question about one topic there: the topic is dropped. "And for Italy?" keeps it. */
static void leave_topic(struct frame *f, const struct reading *r)
{
	if (frame_plan_kind(f) == PLAN_BROWSE && reading_marked(r, LABEL_TOPIC) == NULL && (streq(f->kind, "switch") || reading_says(r, "all")))
		f->slot[LABEL_TOPIC] = (struct frame_slot){ .n = 0 };
}

/* "[without][avgas]": two marks for one wish, of which the first says whether it is wanted. */
static void join_wishes(struct frame *f, const struct reading *r)
{
	static struct frame_value yes = { .text = "true" }, no = { .text = "false" };

	for (size_t i = 0; i + 1 < r->nmarks; i++) {
		const struct mark *x = &r->mark[i], *y = &r->mark[i + 1];
		const size_t label = frame_label_named(&aviation_schema, x->label);
		if (!x->lifted && !y->lifted && streq(x->label, y->label) && x->last + 1 == y->first &&
		    (aviation_schema.label[label].how & FRAME_SWITCH) != 0 && f->slot[label].n > 0)
			f->slot[label] = (struct frame_slot){ 1, streq(x->value, "false") ? &no : &yes };
	}
}

/* "Customs within 6 hours": a limit for the notice of customs means that the pilot wants customs. */
static void want_customs(struct frame *f, const struct reading *r)
{
	static struct frame_value yes = { .text = "true" };
	const struct mark *m = reading_marked(r, LABEL_MAX_NOTICE);

	if (m != NULL && f->slot[LABEL_MAX_NOTICE].n > 0 && f->slot[LABEL_ENTRY].n == 0 &&
	    (reading_has_evidence(r, m->first, m->last, "point_of_entry") || reading_has_evidence(r, m->first, m->last, "ask=customs")))
		f->slot[LABEL_ENTRY] = (struct frame_slot){ 1, &yes };
}

/* "All airports": the large ones too, and as many as an answer may list. */
static void show_all(struct frame *f, const struct reading *r)
{
	enum { BETWEEN = 3 };
	static struct frame_value yes = { .text = "true" }, many = { .text = "20" };
	const enum plan_kind kind = frame_plan_kind(f);
	bool all = false;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		all |= streq(e->kind, "all") && reading_has_evidence(r, e->last + 1, e->last + BETWEEN, "airport");
	}
	if (!all || (kind != PLAN_NEAR && kind != PLAN_ROUTE && kind != PLAN_SEARCH))
		return;
	if (f->slot[LABEL_LARGE].n == 0)
		f->slot[LABEL_LARGE] = (struct frame_slot){ 1, &yes };
	if (f->slot[LABEL_COUNT].n == 0)
		f->slot[LABEL_COUNT] = (struct frame_slot){ 1, &many };
}

/* May this word stand between "need not" and the wish, as "be" in "need not be halfway"? */
static bool is_between(const struct reading *r, size_t word, size_t end)
{
	static const char *const others[] = { "and", "too", "order=fee", "role.near", "role.route" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (reading_has_evidence(r, word, end - 1, others[i]))
			return false;
	return r->words->word[word].kind != WORD_SIGN && language_has(r->words->word[word].fold) && !reading_is_marked(r, word, word);
}

/* Does the pilot take this wish away: "it need not be halfway", "forget halfway"? "Not too dear, halfway" keeps it. */
static bool is_lifted(const struct reading *r, const struct evidence *e)
{
	enum { BEFORE = 4 };

	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].lifted && r->mark[i].first <= e->first && e->last <= r->mark[i].last)
			return true;
	for (size_t word = e->first; word-- > 0 && word + BEFORE >= e->first;) {
		if (reading_has_evidence(r, word, word, "lift") || reading_not_at(r, word) != NULL)
			return true;
		if (!is_between(r, word, e->first))
			return false;
	}
	return false;
}

/* Add the wish `text`, in the words of the pilot. `words` NULL: remove it. The other wishes stay. */
static void change_wish(struct arena *a, struct frame *f, const char *text, const char *words)
{
	struct frame_slot *wish = &f->slot[LABEL_WISH];
	struct frame_value *all = arena_array(a, wish->n + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < wish->n; i++)
		if (!streq(wish->value[i].text, text))
			all[n++] = wish->value[i];
	if (words != NULL)
		all[n++] = (struct frame_value){ .text = text, .words = words };
	*wish = (struct frame_slot){ n, all };
}

/* "A stop halfway from Sligo to Oban", and later "it need not be halfway". */
static void stop_halfway(struct arena *a, struct frame *f, const struct reading *r)
{
	for (size_t i = 0; i < r->evidence->n && frame_plan_kind(f) == PLAN_ROUTE; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "superlative") && streq(e->value, WISH_HALFWAY))
			change_wish(a, f, WISH_HALFWAY, is_lifted(r, e) ? NULL : words_slice(a, r->words, e->first, e->last));
	}
}

/* The longest runway may be that of a large airport. */
static void show_longest(struct frame *f)
{
	static struct frame_value yes = { .text = "true" };
	const enum plan_kind kind = frame_plan_kind(f);

	if (frame_has(f, LABEL_ORDER, "runway") && f->slot[LABEL_LARGE].n == 0 &&
	    (kind == PLAN_NEAR || kind == PLAN_ROUTE || kind == PLAN_SEARCH))
		f->slot[LABEL_LARGE] = (struct frame_slot){ 1, &yes };
}

/* "The longest grass runway" has two wishes in one mark. */
static void read_surface_of_order(struct frame *f, const struct reading *r)
{
	static struct frame_value no = { .text = "false" }, yes = { .text = "true" };
	const struct mark *m = reading_marked(r, LABEL_ORDER);
	const bool grass = m != NULL && reading_has_evidence(r, m->first, m->last, "surface.grass");
	const bool hard = m != NULL && reading_has_evidence(r, m->first, m->last, "surface.hard");

	if (grass != hard && frame_has(f, LABEL_ORDER, "runway") && f->slot[LABEL_HARD].n == 0)
		f->slot[LABEL_HARD] = (struct frame_slot){ 1, grass ? &no : &yes };
}

/* "How many airports are there?": the large ones are counted too. */
static void count_all(struct frame *f)
{
	static struct frame_value yes = { .text = "true" };

	if (f->kind == NULL && frame_is_list(f) && frame_has(f, LABEL_ASK, "how_many") && f->slot[LABEL_LARGE].n == 0)
		f->slot[LABEL_LARGE] = (struct frame_slot){ 1, &yes };
}

/* `asked` asks for a fact, such as a hotel. If f looks for several airports, that fact becomes a wish of f. */
static void make_facts_wishes(struct frame *f, const struct frame *asked)
{
	static struct frame_value yes = { .text = "true" }, vicinity = { .text = "vicinity" };
	static const struct { const char *fact; enum label label; struct frame_value *value; } rows[] = {
		{ "hotel", LABEL_HOTEL, &vicinity }, { "restaurant", LABEL_RESTAURANT, &vicinity }, { "fuel", LABEL_FUEL, &yes },
		{ "customs", LABEL_ENTRY, &yes }, { "procedures", LABEL_PROCEDURES, &yes },
	};
	static const uint64_t fuels = BIT(AVGAS) | BIT(JET_A);
	const enum plan_kind kind = frame_plan_kind(f);

	for (size_t i = 0; (kind == PLAN_NEAR || kind == PLAN_ROUTE || kind == PLAN_SEARCH) && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (frame_has(asked, LABEL_ASK, rows[i].fact) && f->slot[rows[i].label].n == 0 &&
		    !(rows[i].label == LABEL_FUEL && frame_says(f, fuels)))
			f->slot[rows[i].label] = (struct frame_slot){ 1, rows[i].value };
}

/* "Which of Bergerac and Périgueux has customs?" asks for that fact of each, so that the answer tells what each has. */
static void ask_of_each(struct arena *a, struct frame *f)
{
	static const struct { enum label label; const char *fact; } rows[] = {
		{ LABEL_ENTRY, "customs" }, { LABEL_AVGAS, "fuel" }, { LABEL_JET_A, "fuel" }, { LABEL_FUEL, "fuel" },
		{ LABEL_PROCEDURES, "procedures" }, { LABEL_HARD, "surface" }, { LABEL_MIN_RUNWAY, "runway_length" },
		{ LABEL_HOTEL, "hotel" }, { LABEL_RESTAURANT, "restaurant" }, { LABEL_MAX_FEE, "fee" },
	};
	enum { ROWS = sizeof(rows) / sizeof(rows[0]), FEW = 3 };
	const size_t named = f->slot[LABEL_AT].n;
	uint64_t wished = 0;

	for (size_t i = 0; i < LABEL__MAX; i++)
		wished |= f->slot[i].n > 0 ? (uint64_t)1 << i : 0;
	wished &= ~(BIT(AT) | BIT(ASK) | BIT(DAY) | BIT(TIME));
	if (frame_plan_kind(f) != PLAN_SEARCH || named < 2 || named > FEW || wished == 0)
		return;
	const struct frame_slot asked = f->slot[LABEL_ASK], day = f->slot[LABEL_DAY], time = f->slot[LABEL_TIME];
	struct frame_value *fact = arena_array(a, ROWS + asked.n, sizeof(*fact));
	size_t n = 0;
	for (size_t i = 0; i < ROWS; i++) {
		const struct frame_slot *slot = &f->slot[rows[i].label];
		if (slot->n == 0)
			continue;
		wished &= ~((uint64_t)1 << rows[i].label);
		fact[n++] = (struct frame_value){ .text = rows[i].fact, .words = slot->value[0].words };
	}
	if (wished != 0)
		return;
	for (size_t i = 0; i < asked.n; i++)
		if (!streq(asked.value[i].text, "which"))
			fact[n++] = asked.value[i];
	const struct frame_slot at = f->slot[LABEL_AT];
	memset(f->slot, 0, sizeof(f->slot));
	f->plan = &aviation_schema.plan[PLAN_DETAILS];
	f->slot[LABEL_AT] = at;
	f->slot[LABEL_DAY] = day;
	f->slot[LABEL_TIME] = time;
	f->slot[LABEL_ASK] = (struct frame_slot){ n, fact };
}

/* ---- the best of a list ---- */

/* The fact by which the best of a list is chosen; NULL: the frame picks nothing in this way. */
static const char *fact_of_pick(const struct frame *f)
{
	static const struct { const char *pick, *ask; } facts[] = { { "fee", "fee" }, { "runway", "runway_length" }, { "distance", "distance" } };

	for (size_t i = 0; frame_plan_kind(f) == PLAN_DETAILS && i < sizeof(facts) / sizeof(facts[0]); i++)
		if (frame_has(f, LABEL_PICK, facts[i].pick))
			return facts[i].ask;
	return NULL;
}

/* "Which is the cheapest?" also asks for the fee, and "which has the longest runway?" for its length. */
static void ask_of_pick(struct arena *a, struct frame *f)
{
	const char *fact = fact_of_pick(f);

	if (fact == NULL || streq(fact, "distance") || f->slot[LABEL_ASK].n > 0)
		return;
	struct frame_value *value = arena_alloc(a, sizeof(*value));
	*value = (struct frame_value){ .text = fact, .words = fact };
	f->slot[LABEL_ASK] = (struct frame_slot){ 1, value };
}

/* "The nearest one with customs", "what is cheaper nearby?" after a question about one airport: search around that airport, unless the talk
 * already has a list to pick from, or the message asks for a fact that a list of airports does not show. */
static void look_around(struct arena *a, struct frame *f, const struct dialogue *before)
{
	const struct frame *old = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const char *fact = fact_of_pick(f);

	if (old == NULL || !plan_is_about_one(frame_plan_kind(old)) || old->slot[LABEL_AT].n != 1 ||
	    fact == NULL || f->slot[LABEL_AT].n > 0)
		return;
	for (size_t i = 0; i < before->n; i++)
		if (frame_is_list(before->frame[i]))
			return;
	for (size_t i = 0; i < f->slot[LABEL_ASK].n; i++) {
		const char *ask = f->slot[LABEL_ASK].value[i].text;
		if (!streq(ask, "where") && !streq(ask, fact) && !fact_can_be_searched(ask))
			return;
	}
	struct frame_value *order = arena_alloc(a, sizeof(*order));
	*order = (struct frame_value){ .text = frame_get(f, LABEL_PICK) };
	f->plan = &aviation_schema.plan[PLAN_NEAR];
	f->slot[LABEL_ORDER] = (struct frame_slot){ 1, order };
	f->slot[LABEL_AT] = old->slot[LABEL_AT];
	make_facts_wishes(f, f);
	f->slot[LABEL_PICK].n = f->slot[LABEL_ASK].n = 0;
}

/* "Which is the cheapest of the three?" after a question that named three airports: these are compared. */
static void choose_of_named(struct arena *a, struct frame *f, const struct dialogue *before)
{
	const struct frame *old = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const char *pick = frame_get(f, LABEL_PICK);

	if (old == NULL || frame_plan_kind(f) != PLAN_DETAILS || pick == NULL || !one_of(pick, "fee|runway") || frame_is_list(old) ||
	    old->slot[LABEL_AT].n < 2)
		return;
	struct frame_value *order = arena_alloc(a, sizeof(*order));
	*order = (struct frame_value){ .text = pick };
	f->plan = &aviation_schema.plan[PLAN_SEARCH];
	f->slot[LABEL_AT] = old->slot[LABEL_AT];
	f->slot[LABEL_ORDER] = (struct frame_slot){ 1, order };
	f->slot[LABEL_PICK].n = f->slot[LABEL_ASK].n = 0;
}

/* After a question about fuel at one airport, "Coll, Oban, Islay: which has it?" asks it of these. */
static void ask_these_too(struct arena *a, struct frame *f, const struct dialogue *before)
{
	const struct frame *old = before->n > 0 ? before->frame[before->n - 1] : NULL;

	if (old == NULL || frame_plan_kind(f) != PLAN_SEARCH || frame_plan_kind(old) != PLAN_DETAILS || !frame_has(f, LABEL_ASK, "which") ||
	    f->slot[LABEL_AT].n == 0 || old->slot[LABEL_ASK].n != 1)
		return;
	make_facts_wishes(f, old);
	ask_of_each(a, f);
}

/* ---- stops of a route ---- */

/* Do these words name the stop, or a part of its name: "Bron" of "Lyon Bron"? */
static bool words_name(struct arena *a, const struct words *w, size_t first, size_t last, const char *stop)
{
	enum { LETTERS = 3 };
	const char *folded = str_fold(a, stop);

	for (size_t i = first; i <= last; i++) {
		const char *word = w->word[i].fold, *at = folded;
		const size_t n = strlen(word);
		while (n >= LETTERS && !language_has(word) && (at = strstr(at, word)) != NULL) {
			if ((at == folded || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
				return true;
			at += n;
		}
	}
	return false;
}

/* Does a mark that takes a stop away, or a refusal, name this stop? */
static bool is_left_out(struct arena *a, const struct reading *r, const char *stop)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		if (m->lifted && streq(m->label, aviation_schema.label[LABEL_VIA].name) && words_name(a, r->words, m->first, m->last, stop))
			return true;
	}
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "refused") && words_name(a, r->words, e->first, e->last, stop))
			return true;
	}
	return false;
}

/* Does the pilot want a route without stops: "Toulouse Ajaccio, direct"? "Directly on the route" does not say so. */
static bool says_direct(const struct reading *r)
{
	const struct words *w = r->words;

	for (size_t i = 0; i < w->n; i++) {
		if (!reading_has_evidence(r, i, i, "direct"))
			continue;
		if (i + 1 == w->n || w->word[i + 1].kind == WORD_SIGN || reading_is_marked(r, i + 1, i + 1) ||
		    reading_has_evidence(r, i + 1, i + 1, "polite") || reading_has_evidence(r, i + 1, i + 1, "without"))
			return true;
	}
	return false;
}

/* Does the message name both ends of the last route again, and nothing else? */
static bool restates_ends(const struct frame *f, const struct reading *r, const struct frame *old)
{
	return streq(f->kind, "correct") && r->nmarks == 2 && reading_marked(r, LABEL_FROM) != NULL && reading_marked(r, LABEL_TO) != NULL &&
	    old->slot[LABEL_FROM].n == 1 && old->slot[LABEL_TO].n == 1 &&
	    strieq(f->slot[LABEL_FROM].value[0].text, old->slot[LABEL_FROM].value[0].text) &&
	    strieq(f->slot[LABEL_TO].value[0].text, old->slot[LABEL_TO].value[0].text);
}

/* "Take Basel out again": that stop is left out, and the others stay. */
static void leave_out_stops(struct arena *a, struct frame *f, const struct reading *r, const struct dialogue *before)
{
	const struct frame *old = before->n > 0 ? before->frame[before->n - 1] : NULL;
	struct frame_slot *via = &f->slot[LABEL_VIA], *wish = &f->slot[LABEL_WISH];
	bool left_out = false;

	if (old == NULL || frame_plan_kind(f) != PLAN_ROUTE || old->plan != f->plan || old->slot[LABEL_VIA].n == 0)
		return;
	struct frame_slot kept = { 0, arena_array(a, old->slot[LABEL_VIA].n, sizeof(*kept.value)) };
	for (size_t i = 0; i < old->slot[LABEL_VIA].n; i++) {
		const struct frame_value *stop = &old->slot[LABEL_VIA].value[i];
		if (!is_left_out(a, r, stop->text)) {
			kept.value[kept.n++] = *stop;
			continue;
		}
		left_out = true;
		for (size_t k = wish->n; k-- > 0;)
			if (wish->value[k].bound != NULL && strcasestr(wish->value[k].text, stop->text) != NULL)
				frame_drop_value(a, wish, k);
	}
	if (left_out)
		*via = reading_marked(r, LABEL_VIA) == NULL ? kept : *via;
	else if (reading_marked(r, LABEL_VIA) == NULL && (says_direct(r) || restates_ends(f, r, old)))
		via->n = 0;
}

/* "And via Courtrai?" after "how long does it take from Spa to Le Touquet?": a message that changes only the route asks the same as before. */
static void keep_asking(struct frame *f, const struct reading *r, const struct dialogue *before)
{
	static const uint64_t WAY = BIT(FROM) | BIT(TO) | BIT(VIA) | BIT(SPEED) | BIT(AIRCRAFT) | BIT(PICK);
	const struct frame *old = before->n > 0 ? before->frame[before->n - 1] : NULL;

	if (old == NULL || frame_plan_kind(f) != PLAN_ROUTE || old->plan != f->plan || f->slot[LABEL_ASK].n > 0 ||
	    !one_of(f->kind, "refine|replace|correct") || (r->nmarks == 0 && !streq(f->kind, "correct")))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[i].label);
		if (label >= LABEL__MAX || (WAY & (uint64_t)1 << label) == 0)
			return;
	}
	f->slot[LABEL_ASK] = old->slot[LABEL_ASK];
}

/* Does the pilot take this refusal back? "Goodwood is fine again" after "not Goodwood": the words that take a wish away name Goodwood. */
static bool takes_back(struct arena *a, const struct reading *r, const char *refusal)
{
	enum { LETTERS = 4 };

	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		for (size_t word = m->first; m->lifted && word <= m->last; word++)
			if (strlen(r->words->word[word].fold) >= LETTERS && strstr(str_fold(a, refusal), r->words->word[word].fold) != NULL)
				return true;
	}
	return false;
}

/* An airport that was refused stays refused while the list goes on: "forget Barton" after "without Lasham" refuses both. The same holds when
 * the pilot corrects ("Laage raus, I said") or takes away another wish ("forget the shops"). */
static void keep_exclusions(struct arena *a, struct frame *f, const struct reading *r, const struct dialogue *before)
{
	const struct frame *list = NULL;
	const struct frame_slot *new = &f->slot[LABEL_WISH];

	for (size_t i = 0; i < before->n; i++)
		if (before->frame[i]->plan == f->plan)
			list = before->frame[i];
	if (!one_of(f->kind, "return|correct|replace|lift") || !frame_is_list(f) || list == NULL || reading_says(r, "all") ||
	    (streq(f->kind, "replace") && (reading_marked(r, LABEL_NEAR) != NULL || reading_marked(r, LABEL_AREA) != NULL || reading_marked(r, LABEL_COUNTRY) != NULL)))
		return;
	const struct frame_slot *old = &list->slot[LABEL_WISH];
	struct frame_slot both = { .n = 0, .value = arena_array(a, old->n + new->n, sizeof(*both.value)) };
	for (size_t i = 0; i < old->n; i++) {
		bool again = old->value[i].bound == NULL || takes_back(a, r, old->value[i].text);
		for (size_t k = 0; k < new->n; k++)
			again |= streq(old->value[i].text, new->value[k].text);
		if (!again)
			both.value[both.n++] = old->value[i];
	}
	for (size_t k = 0; k < new->n; k++)
		both.value[both.n++] = new->value[k];
	f->slot[LABEL_WISH] = both;
}

/* The words of a mark are used, so the answer does not name them as unused. m: NULL: there is none. */
static void be_read(struct arena *a, struct frames *f, const struct reading *r, const struct mark *m)
{
	size_t n = 0;
	for (size_t i = 0; m != NULL && i < f->nunread; i++)
		if (!streq(f->unread[i], words_slice(a, r->words, m->first, m->last)))
			f->unread[n++] = f->unread[i];
	f->nunread = m != NULL ? n : f->nunread;
}

/* "From Egelsbach to Colmar: how long before must customs know?": the message marks a route, and asks about its end. */
static void ask_at_end(struct arena *a, struct frames *all, const struct reading *r)
{
	const struct mark *to = reading_marked(r, LABEL_TO), *from = reading_marked(r, LABEL_FROM);
	struct frame *f = all->frame[0];

	if (all->n > 1 || f->kind != NULL || !plan_is_about_one(frame_plan_kind(f)) || frame_says(f, WHERE) || to == NULL)
		return;
	be_read(a, all, r, to);
	be_read(a, all, r, from);
	struct frame_value *value = arena_alloc(a, sizeof(*value));
	value->text = value->words = words_slice(a, r->words, to->first, to->last);
	f->slot[LABEL_AT] = (struct frame_slot){ 1, value };
}

static void amend(struct arena *a, struct frames *f, const struct reading *r, const struct dialogue *before)
{
	for (size_t i = 0; i < f->n; i++) {
		struct frame *one = f->frame[i];
		join_wishes(one, r);
		want_customs(one, r);
		show_all(one, r);
		/* "is there a hotel near Calvi?" wants airports with a hotel */
		make_facts_wishes(one, one);
		read_surface_of_order(one, r);
		stop_halfway(a, one, r);
		show_longest(one);
		count_all(one);
		lend_unit(a, one, r, LABEL_MIN_RUNWAY, "length", before);
		lend_unit(a, one, r, LABEL_MAX_RUNWAY, "length", before);
		lend_unit(a, one, r, LABEL_RADIUS, "length", before);
		lend_unit(a, one, r, LABEL_MAX_FEE, "money", before);
		lend_unit(a, one, r, LABEL_SPEED, "speed", before);
		frame_order_countries(a, one, r);
		ask_of_each(a, one);
		ask_notice(one);
		if (one->kind == NULL)
			continue;
		turn_round(one, r);
		leave_facts(one, r);
		leave_topic(one, r);
		keep_exclusions(a, one, r, before);
		frame_amend_countries(a, one, r, before);
		leave_out_stops(a, one, r, before);
		look_around(a, one, before);
		choose_of_named(a, one, before);
		ask_these_too(a, one, before);
		ask_of_pick(a, one);
		keep_asking(one, r, before);
		swap_wishes(one, r);
	}
	frames_share(f, r);
	ask_at_end(a, f, r);
}

void frames_of_marks(struct arena *a, const struct reading *r, const struct dialogue *before, struct frames *out)
{
	frames_of(a, &aviation_schema, r, before, out);
	amend(a, out, r, before);
}

void frames_mean(struct arena *a, struct reading *r, const struct dialogue *before, bool places, struct frames *out)
{
	struct dialogue kept = *before;

	reading_skip_distances(r, &kept);
	reading_amend(r, &kept, places);
	frames_of_marks(a, r, &kept, out);
}
