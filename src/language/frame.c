/*
 * The rules of merging are those of tests/language/marks.py, which the tests compare with. Slots are
 * never changed once a frame is made, so that frames may share them.
 */
#include "language/frame.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

#define BIT(i) ((uint64_t)1 << (i))

size_t frame_label_named(const struct frame_schema *s, const char *name)
{
	size_t i = 0;
	while (i < s->nlabels && !streq(s->label[i].name, name))
		i++;
	return i;
}

size_t frame_plan_named(const struct frame_schema *s, const char *name)
{
	size_t i = 0;
	while (i < s->nplans && !streq(s->plan[i].name, name))
		i++;
	return i;
}

const char *frame_get(const struct frame *f, size_t label)
{
	const struct frame_slot *slot = &f->slot[label];
	return slot->n > 0 ? slot->value[slot->n - 1].text : NULL;
}

bool frame_has(const struct frame *f, size_t label, const char *value)
{
	for (size_t i = 0; i < f->slot[label].n; i++)
		if (streq(f->slot[label].value[i].text, value))
			return true;
	return false;
}

static bool any(const struct frame *f, uint64_t labels)
{
	for (size_t i = 0; i < FRAME_LABELS; i++)
		if (f->slot[i].n > 0 && (labels & BIT(i)) != 0)
			return true;
	return false;
}

static void add_value(struct arena *a, struct frame_slot *slot, struct frame_value value)
{
	if (slot->value == NULL)
		slot->value = arena_array(a, FRAME_VALUES, sizeof(*slot->value));
	for (size_t i = 0; i < slot->n; i++)
		if (streq(slot->value[i].text, value.text))
			return;
	if (slot->n < FRAME_VALUES)
		slot->value[slot->n++] = value;
}

/* ---- the marks of one plan ----------------------------------------------------------------- */

static const char *cut(struct arena *a, const char *value)
{
	const size_t n = strlen(value);
	return n <= FRAME_VALUE_BYTES ? value
	    : arena_strndup(a, value, utf8_cut(value, n, FRAME_VALUE_BYTES));
}

/* The words of a mark, with one blank where a dictated code ("E G S H") has left several. */
static const char *words_of_mark(struct arena *a, const struct reading *r, const struct mark *m)
{
	char *text = arena_strdup(a, words_slice(a, r->words, m->first, m->last));
	size_t n = 0;

	for (size_t i = 0; text[i] != '\0'; i++)
		if (text[i] != ' ' || n == 0 || text[n - 1] != ' ')
			text[n++] = text[i];
	text[n] = '\0';
	return text;
}

/* What a mark is worth; NULL: that cannot be read. */
static const char *value_of(struct arena *a, const struct frame_label *label, const struct reading *r,
    const struct mark *m)
{
	const char *kinds;
	struct str kind;

	if (m->value != NULL)
		return m->value;
	if ((label->how & FRAME_SWITCH) != 0)
		return "true";
	if ((label->how & FRAME_WORDS) != 0)
		return words_of_mark(a, r, m);
	/* what a slip of the finger ("~") or a part of a word ("+") is worth comes last */
	for (const char *sure = "=~+"; *sure != '\0' && r->evidence != NULL; sure++)
		for (kinds = label->evidence; kinds != NULL && str_part(&kinds, '|', &kind);) {
			const struct evidence *e = evidence_in(r->evidence, m->first, m->last,
			    arena_printf(a, "%.*s%.*s", *sure == '=' ? 0 : 1, sure, (int)kind.n, kind.p));
			const char *value = e == NULL || e->value == NULL ? NULL
			    : label->exact == NULL ? e->value : label->exact(a, e->value);
			if (value != NULL)
				return value;
		}
	return NULL;
}

/* Is the item in the list "a, b"? */
static bool is_listed(const char *list, const char *item)
{
	struct str one;

	while (list != NULL && str_part(&list, ',', &one))
		if (str_eq(str_trim(one), item))
			return true;
	return false;
}

/* All that the evidence of this kind within a mark is worth; NULL: there is none. */
static const char *worth(struct arena *a, const struct reading *r, const struct mark *m, const char *kind)
{
	const char *all = NULL;
	for (size_t i = 0; kind != NULL && r->evidence != NULL && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first < m->first || e->last > m->last || e->value == NULL || !streq(e->kind, kind) ||
		    is_listed(all, e->value))
			continue;
		all = all == NULL ? e->value : arena_printf(a, "%s, %s", all, e->value);
	}
	return all != NULL ? cut(a, all) : NULL;
}

/* "[Cambridge|near] in the [UK|country=GB]": what stands right behind the place of mark k; NULL: nothing. */
static const char *bound_to(struct arena *a, const struct frame_schema *s, const struct reading *r, size_t k)
{
	enum { APART = 3 };      /* words from the end of one to the beginning of the other, one more than between */
	const size_t label = frame_label_named(s, r->mark[k].label);
	const struct mark *next = k + 1 < r->nmarks ? &r->mark[k + 1] : NULL;
	if ((s->label[label].how & FRAME_PLACE) == 0)
		return (s->label[label].how & FRAME_WORDS) != 0
		    ? worth(a, r, &r->mark[k], s->label[label].evidence) : NULL;
	if (next == NULL || next->lifted ||
	    next->first - r->mark[k].last > APART || frame_label_named(s, next->label) != s->binds)
		return NULL;
	const char *value = value_of(a, &s->label[s->binds], r, next);
	return value != NULL ? cut(a, value) : NULL;
}

static void add_unread(struct arena *a, const struct reading *r, const struct mark *m, struct frames *out)
{
	if (out->nunread < FRAMES_UNREAD)
		out->unread[out->nunread++] = cut(a, words_of_mark(a, r, m));
}

/* The plans of the reading that a mark belongs to, as bits: those it names, else the first that can
 * have it. */
static unsigned plans_of(const struct frames *f, const struct mark *m, size_t label)
{
	unsigned can = 0, first = 0;
	for (size_t i = f->n; i-- > 0;)
		if ((f->frame[i]->plan->labels & BIT(label)) != 0) {
			can |= 1u << i;
			first = 1u << i;
		}
	return (m->plans & can) != 0 ? m->plans & can : first;
}

static bool is_talk(const struct frames *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->frame[i]->plan->labels != 0)
			return false;
	return true;
}

/* Slots from the marks of the message. lifted[i]: labels that it takes away from plan i. */
static void read_marks(struct arena *a, const struct frame_schema *s, const struct reading *r,
    struct frames *out, uint64_t lifted[READING_PLANS])
{
	for (size_t k = 0; k < r->nmarks; k++) {
		const struct mark *m = &r->mark[k];
		const size_t label = frame_label_named(s, m->label);
		if (label == s->nlabels)
			continue;
		const unsigned plans = plans_of(out, m, label);
		const char *value = m->lifted ? "" : value_of(a, &s->label[label], r, m);
		if ((plans == 0 && !is_talk(out)) || value == NULL)
			add_unread(a, r, m, out);
		for (size_t i = 0; i < out->n && value != NULL; i++) {
			struct frame_slot *slot = &out->frame[i]->slot[label];
			if ((plans & 1u << i) == 0)
				continue;
			if (m->lifted)
				lifted[i] |= BIT(label);
			if (m->lifted || (s->label[label].how & FRAME_SEVERAL) == 0)
				slot->n = 0;
			if (!m->lifted)
				add_value(a, slot, (struct frame_value){ cut(a, value),
				    cut(a, words_of_mark(a, r, m)), bound_to(a, s, r, k) });
		}
	}
}

/* ---- merging ------------------------------------------------------------------------------ */

static uint64_t labels_that(const struct frame_schema *s, unsigned how)
{
	uint64_t bits = 0;
	for (size_t i = 0; i < s->nlabels; i++)
		if ((s->label[i].how & how) != 0)
			bits |= BIT(i);
	return bits;
}

/* Slots of the frame before that stay; those that the message itself has come first, or are added to
 * them. */
static void keep(struct arena *a, struct frame *f, const struct frame *old, uint64_t labels, uint64_t added)
{
	for (size_t i = 0; i < FRAME_LABELS; i++) {
		const struct frame_slot *was = &old->slot[i];
		if (was->n == 0 || (labels & BIT(i)) == 0)
			continue;
		if (f->slot[i].n == 0) {
			f->slot[i] = *was;
		} else if ((added & BIT(i)) != 0) {
			struct frame_slot both = { .n = 0 };
			for (size_t k = 0; k < was->n; k++)
				add_value(a, &both, was->value[k]);
			for (size_t k = 0; k < f->slot[i].n; k++)
				add_value(a, &both, f->slot[i].value[k]);
			f->slot[i] = both;
		}
	}
}

static const struct frame *last_of(const struct dialogue *d, const struct frame_plan *plan)
{
	for (size_t i = d->n; i-- > 0;)
		if (d->frame[i]->plan == plan)
			return d->frame[i];
	return NULL;
}

static void merge(struct arena *a, const struct frame_schema *s, struct frame *f, uint64_t lifted,
    const struct dialogue *before)
{
	const char *kind = f->kind;
	const bool returns = streq(kind, "return"), picks = streq(kind, "pick"), more = streq(kind, "more");
	const bool replaces = streq(kind, "replace") || streq(kind, "correct");
	const struct frame *old = returns ? last_of(before, f->plan)
	    : before->n > 0 ? before->frame[before->n - 1] : NULL;
	const uint64_t facts = labels_that(s, FRAME_FACT), own = f->plan->labels;

	/* more of what was not spoken of last */
	if (more && old != NULL && old->plan != f->plan)
		old = last_of(before, f->plan);
	if (old == NULL) {
		f->kind = NULL;
		return;
	}
	const bool switches = streq(kind, "switch") && old->plan != f->plan;
	if (more) {
		keep(a, f, old, ~(uint64_t)0, 0);
		f->more = true;
		return;
	}
	/* "and Elba?": the same fact of another airport */
	if ((replaces || picks) && old->plan == f->plan && !any(f, facts))
		keep(a, f, old, facts, 0);
	if (picks) {
		if (f->plan->one != 0 && !any(f, f->plan->one))
			add_value(a, &f->slot[s->it], (struct frame_value){ .text = "it" });
		return;
	}
	uint64_t kept = own & ~lifted & ~facts;
	if (switches)
		kept &= labels_that(s, FRAME_CARRIED);
	if ((replaces || returns || streq(kind, "switch")) && any(f, f->plan->ground))
		kept &= ~labels_that(s, FRAME_GROUND);
	keep(a, f, old, kept, streq(kind, "refine") ? labels_that(s, FRAME_SEVERAL) & ~facts : 0);
}

void frames_of(struct arena *a, const struct frame_schema *s, const struct reading *r,
    const struct dialogue *before, struct frames *out)
{
	uint64_t lifted[READING_PLANS] = { 0 };

	*out = (struct frames){ .n = 0 };
	for (size_t i = 0; i < r->nplans; i++) {
		const size_t plan = frame_plan_named(s, r->plan[i].plan);
		struct frame *f = arena_alloc(a, sizeof(*f));
		f->plan = &s->plan[plan < s->nplans ? plan : s->nplans - 1];
		f->kind = f->plan->labels != 0 ? r->plan[i].kind : NULL;
		out->frame[out->n++] = f;
	}
	read_marks(a, s, r, out, lifted);
	for (size_t i = 0; i < out->n; i++)
		if (out->frame[i]->kind != NULL)
			merge(a, s, out->frame[i], lifted[i], before);
}

void dialogue_add(struct dialogue *d, const struct frames *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->frame[i]->plan->labels == 0)
			continue;
		if (d->n == FRAMES_KEPT)
			memmove(d->frame, d->frame + 1, --d->n * sizeof(d->frame[0]));
		d->frame[d->n++] = f->frame[i];
	}
}

struct reading_before *dialogue_before(struct arena *a, const struct frame_schema *s, const struct dialogue *d,
    const char *language)
{
	struct reading_before *b = arena_alloc(a, sizeof(*b));
	const char **slot = arena_array(a, s->nlabels, sizeof(*slot));
	b->language = language;
	for (size_t i = d->n; i-- > 0 && b->nplans < READING_BEFORE;)
		b->plan[b->nplans++] = d->frame[i]->plan->name;
	for (size_t i = 0; d->n > 0 && i < s->nlabels; i++)
		if (d->frame[d->n - 1]->slot[i].n > 0)
			slot[b->nslots++] = s->label[i].name;
	b->slot = slot;
	return b;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* What is kept beside the text of a value: the words of a fact, because the next message may ask for the same
 * fact of another airport, and what a place is bound to. */
static const char *beside(const struct frame_label *label, const struct frame_value *value)
{
	return (label->how & FRAME_FACT) != 0 ? value->words : value->bound;
}

/* "Lyon" or ["Cambridge","GB"]. */
static struct json_object *value_json(const struct frame_label *label, const struct frame_value *value)
{
	const char *more = beside(label, value);
	if (more == NULL)
		return jsn_str(value->text);
	struct json_object *both = json_object_new_array();
	jsn_push(both, jsn_str(value->text));
	jsn_push(both, jsn_str(more));
	return both;
}

/* Bytes of a text in JSON, at most: a quote or a backslash is two, a control character six. NULL: 0 */
static size_t json_bytes(const char *text)
{
	size_t n = 0;
	for (const char *p = text; p != NULL && *p != '\0'; p++)
		n += (unsigned char)*p < ' ' ? 6 : *p == '"' || *p == '\\' ? 2 : 1;
	return n;
}

struct json_object *frame_json(const struct frame_schema *s, const struct frame *f)
{
	/* what is printed around the slots: braces, quotes, the plan's name */
	enum { AROUND = 100, PER_LABEL = 6, PER_VALUE = 8 };
	struct json_object *o = jsn_new(), *slots = jsn_new();
	size_t bytes = AROUND;

	jsn_add_str(o, "plan", f->plan->name);
	if (f->more)
		jsn_add_bool(o, "more", true);
	for (size_t i = 0; i < s->nlabels; i++) {
		struct json_object *list = NULL;
		for (size_t k = 0; k < f->slot[i].n; k++) {
			const struct frame_value *value = &f->slot[i].value[k];
			bytes += PER_VALUE + json_bytes(value->text) + json_bytes(beside(&s->label[i], value)) +
			    (list == NULL ? PER_LABEL + strlen(s->label[i].name) : 0);
			if (bytes > FRAME_BYTES)
				continue;
			if (list == NULL)
				list = json_object_new_array();
			jsn_push(list, value_json(&s->label[i], value));
		}
		if (list != NULL)
			jsn_add(slots, s->label[i].name, list);
	}
	jsn_add(o, "slots", slots);
	return o;
}

struct json_object *dialogue_save(const struct frame_schema *s, const struct dialogue *d)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < d->n; i++)
		jsn_push(list, frame_json(s, d->frame[i]));
	return list;
}

static bool read_value(struct arena *a, const struct frame_label *label, struct json_object *o,
    struct frame_value *out)
{
	struct json_object *text = jsn_is(o, json_type_array) ? jsn_at(o, 0) : o;
	struct json_object *more = jsn_is(o, json_type_array) ? jsn_at(o, 1) : NULL;

	if (!jsn_is(text, json_type_string))
		return false;
	*out = (struct frame_value){ .text = cut(a, arena_strdup(a, json_object_get_string(text))) };
	if (!jsn_is(more, json_type_string))
		return true;
	const char *said = cut(a, arena_strdup(a, json_object_get_string(more)));
	if ((label->how & FRAME_FACT) != 0)
		out->words = said;
	else if ((label->how & FRAME_WORDS) != 0)
		out->bound = said;
	return true;
}

static void load_slot(struct arena *a, const struct frame_label *label, struct json_object *list,
    struct frame_slot *slot)
{
	struct frame_value value;
	for (size_t i = 0; i < jsn_len(list) && i < FRAME_VALUES; i++)
		if (read_value(a, label, jsn_at(list, i), &value))
			add_value(a, slot, value);
}

void dialogue_load(struct arena *a, const struct frame_schema *s, struct json_object *o, struct dialogue *out)
{
	const size_t n = jsn_is(o, json_type_array) ? jsn_len(o) : 0;

	out->n = 0;
	for (size_t i = n > FRAMES_KEPT ? n - FRAMES_KEPT : 0; i < n; i++) {
		struct json_object *from = jsn_at(o, i);
		const size_t plan = frame_plan_named(s, jsn_get_str(from, "plan", ""));
		if (plan == s->nplans || s->plan[plan].labels == 0)
			continue;
		struct frame *f = arena_alloc(a, sizeof(*f));
		f->plan = &s->plan[plan];
		f->more = jsn_get_bool(from, "more", false);
		JSN_EACH(jsn_get(from, "slots"), it) {
			const size_t label = frame_label_named(s, it.key);
			if (label < s->nlabels && (f->plan->labels & BIT(label)) != 0 && jsn_is(it.val, json_type_array))
				load_slot(a, &s->label[label], it.val, &f->slot[label]);
		}
		out->frame[out->n++] = f;
	}
}
