/*
 * Tells how much of what pilots say the exact knowledge knows, before anything is learned:
 *
 *   language-coverage TREE AIRPORTS [--author NAME] [--misses LABEL] [--elsewhere LABEL] [--amended all]
 *
 * A line a label: how many marks it has, in how many of them the evidence gives the value that was marked, in how many
 * there is evidence of the label's kinds at all, and how many pieces of such evidence stand outside of its marks.
 * Labels without a value are known by their kinds alone. --misses prints the marks of a label that are not known,
 * --elsewhere the evidence outside of its marks. --amended prints, instead of all this, the messages whose frames are not
 * as they are marked once they are amended (frame_amends.h): few should be, because these marks are right.
 */
#include <stdio.h>
#include <string.h>

#include "agents/aviation/builtin/frame_amends.h"
#include "agents/aviation/builtin/labels.h"
#include "base/arena.h"
#include "base/str.h"
#include "tests/language/same_frames.h"
#include "tests/language/school.h"

enum { ROWS = 100 };

static const char PLACES[] = "place.town|place.name|place.area|place.code|place.code_small|place.iata|place.common|"
	"place.part|place.slip|place.code_shape|place.code_unknown|coords|country|country.code";

/* Kinds of evidence of the labels whose names are no kinds, or not the only ones. */
static const struct {
	const char *label, *kinds;
} by_label[] = {
	{ "from", PLACES }, { "to", PLACES }, { "via", PLACES }, { "near", PLACES }, { "at", PLACES }, { "area", PLACES },
	{ "name", PLACES }, { "has_hard_runway", "surface.hard|surface.grass" }, { "has_hard_runway=false", "surface.grass|surface.hard" },
	{ "large=false", "large=false|large" }, { "ask=runway_length", "ask=runway_length|runway|order=runway" },
	{ "ask=surface", "ask=surface|surface.hard|surface.grass" }, { "ask=fuel", "ask=fuel|fuel.other|has_jet_a|has_avgas" },
	{ "ask=restaurant", "ask=restaurant|restaurant" }, { "ask=hotel", "ask=hotel|hotel" },
	{ "wish", "wish|fuel.other" }, { "pick=it", "it" }, { "pick=runway", "order=runway" }, { "pick=fee", "order=fee" },
	{ "pick=distance", "order=distance" },
};

struct tally {
	const char *name;
	const char *kinds;
	bool valued;                       /* the evidence should give the value */
	size_t marks, right, some, elsewhere;
};

struct coverage {
	const struct school *school;
	const char *misses, *elsewhere;    /* labels to print; NULL: none */
	struct tally row[ROWS];
	size_t nrows;
};

/* ---- marks and their kinds ----------------------------------------------------------------- */

/* "pick" for numbers; "hotel" whatever its value; else with the value that belongs to the label. */
static const char *name_of(struct arena *a, const struct mark *m)
{
	if (m->lifted)
		return arena_printf(a, "-%s", m->label);
	if (m->value == NULL || streq(m->label, "hotel") || streq(m->label, "restaurant"))
		return m->label;
	return arena_printf(a, "%s=%s", m->label, m->value);
}

static const char *kinds_of(struct arena *a, const char *name, const struct frame_label *label)
{
	for (size_t i = 0; i < sizeof(by_label) / sizeof(by_label[0]); i++)
		if (streq(by_label[i].label, name))
			return by_label[i].kinds;
	if (name[0] == '-')
		return "lift|not";
	if (label->evidence != NULL && !streq(label->name, "topic"))
		return label->evidence;
	/* "large=false" and "ask=fee" are kinds, "has_avgas=false" is none */
	const char *off = strstr(name, "=false");
	return off != NULL && !streq(name, "large=false") ? arena_strndup(a, name, (size_t)(off - name)) : name;
}

static struct tally *tally_of(struct coverage *c, const struct mark *m)
{
	struct arena *a = c->school->mem;
	const char *name = name_of(a, m);
	const struct frame_label *label = &aviation_schema.label[frame_label_named(&aviation_schema, m->label)];
	for (size_t i = 0; i < c->nrows; i++)
		if (streq(c->row[i].name, name))
			return &c->row[i];
	if (c->nrows == ROWS)
		return &c->row[ROWS - 1];
	c->row[c->nrows] = (struct tally){ .name = name, .kinds = kinds_of(a, name, label) };
	c->row[c->nrows].valued = c->row[c->nrows].kinds == label->evidence && label->evidence != NULL;
	return &c->row[c->nrows++];
}

/* Is this one of the kinds, or a slip or a part of a word of one? */
static bool of_kinds(const char *kind, const char *kinds)
{
	return one_of(kind + (kind[0] == '~' || kind[0] == '+'), kinds);
}

/* What the evidence of a mark is worth, as frames take it. */
static const char *value_of(struct arena *a, const struct reading *r, const struct mark *m)
{
	const size_t label = frame_label_named(&aviation_schema, m->label);
	const struct frame_plan *plan = aviation_schema.plan;
	const struct dialogue none = { .n = 0 };
	struct frames f;
	while ((plan->labels & (uint64_t)1 << label) == 0)
		plan++;
	struct reading one = { .words = r->words, .evidence = r->evidence, .nplans = 1, .nmarks = 1, .mark = { *m } };
	one.plan[0].plan = plan->name;
	one.mark[0].plans = 0;
	frames_of(a, &aviation_schema, &one, &none, &f);
	return frame_get(f.frame[0], label);
}

/* ---- counting ------------------------------------------------------------------------------ */

static void show(const struct school_message *x, size_t first, size_t last, const char *gold, const char *read)
{
	struct arena *a = arena_new();
	const char *said = "";
	for (size_t i = 0; i < x->gold.evidence->n; i++) {
		const struct evidence *e = &x->gold.evidence->at[i];
		if (e->first >= first && e->last <= last)
			said = arena_printf(a, "%s %s%s%s", said, e->kind, e->value != NULL ? "=" : "",
			    e->value != NULL ? e->value : "");
	}
	printf("%s:%zu: [%s] %s / %s  {%s }  %s\n", x->marked->author, x->marked->line,
	    words_slice(a, x->marked->words, first, last), gold != NULL ? gold : "", read != NULL ? read : "", said,
	    x->marked->text);
	arena_free(a);
}

static void count_mark(struct coverage *c, const struct school_message *x, size_t k, struct arena *a)
{
	const struct mark *m = &x->gold.mark[k];
	struct tally *t = tally_of(c, m);
	const char *gold = x->marked->value[k], *read = t->valued ? value_of(a, &x->gold, m) : NULL;
	bool some = false;
	for (size_t i = 0; i < x->gold.evidence->n && !some; i++) {
		const struct evidence *e = &x->gold.evidence->at[i];
		some = e->first >= m->first && e->last <= m->last && of_kinds(e->kind, t->kinds);
	}
	const bool right = t->valued ? streq(read, gold) : some;
	t->marks++;
	t->right += right;
	t->some += some;
	if (!right && c->misses != NULL && (streq(c->misses, t->name) || streq(c->misses, "all")))
		show(x, m->first, m->last, t->valued ? gold : t->name, read);
}

/* Evidence of a label's kinds that touches no mark of the label. */
static void count_elsewhere(struct coverage *c, const struct school_message *x, struct tally *t, struct arena *a)
{
	size_t end = 0;                    /* what lies within a longer piece is counted with it */
	for (size_t i = 0; i < x->gold.evidence->n; i++) {
		const struct evidence *e = &x->gold.evidence->at[i];
		bool marked = !of_kinds(e->kind, t->kinds) || e->last < end;
		for (size_t k = 0; k < x->gold.nmarks && !marked; k++)
			marked = x->gold.mark[k].last >= e->first && x->gold.mark[k].first <= e->last &&
			    streq(name_of(a, &x->gold.mark[k]), t->name);
		if (marked)
			continue;
		t->elsewhere++;
		end = e->last + 1;
		if (streq(c->elsewhere, t->name))
			show(x, e->first, e->last, NULL, e->value);
	}
}

static void count(struct coverage *c, const char *author)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < c->school->n; i++) {
			const struct school_message *x = &c->school->message[i];
			if (author != NULL && !streq(author, x->marked->author))
				continue;
			struct arena *a = arena_new();
			for (size_t k = 0; pass == 0 && k < x->gold.nmarks; k++)
				count_mark(c, x, k, a);
			for (size_t k = 0; pass == 1 && k < c->nrows; k++)
				count_elsewhere(c, x, &c->row[k], a);
			arena_free(a);
		}
}

static void report(const struct coverage *c)
{
	struct tally sum = { .name = "all" };
	printf("%-26s %6s %6s %6s %6s %9s\n", "label", "marks", "right", "", "some", "elsewhere");
	for (size_t i = 0; i <= c->nrows; i++) {
		const struct tally *t = i < c->nrows ? &c->row[i] : &sum;
		printf("%-26s %6zu %6zu %6.3f %6zu %9zu\n", t->name, t->marks, t->right,
		    t->marks > 0 ? (double)t->right / (double)t->marks : 1, t->some, t->elsewhere);
		sum.marks += t->marks;
		sum.right += t->right;
		sum.some += t->some;
		sum.elsewhere += t->elsewhere;
	}
}

/* ---- amendments ---------------------------------------------------------------------------- */

static void show_frames(struct arena *a, const char *what, const struct frames *f)
{
	for (size_t i = 0; i < f->n; i++)
		printf("  %s %s\n", what, frame_line(a, &aviation_schema, f->frame[i]));
}

/* A wish that is not marked is told as not used, which is wrong of a message whose marks are right. */
static bool wishes_more(const struct frames *gold, const struct frames *amended)
{
	for (size_t i = 0; i < gold->n && i < amended->n; i++)
		if (amended->frame[i]->slot[LABEL_WISH].n > gold->frame[i]->slot[LABEL_WISH].n)
			return true;
	return false;
}

static void report_amended(const struct school *s, const char *author)
{
	struct dialogue talk = { .n = 0 };
	size_t n = 0, changed = 0, wishes = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct school_message *x = &s->message[i];
		struct arena *a = arena_new();
		struct reading *r = arena_alloc(a, sizeof(*r));
		struct frames amended;
		if (x->marked->turn == 0)
			talk.n = 0;
		*r = x->gold;
		for (size_t k = 0; k < r->nmarks; k++)
			if (x->marked->value[k] != NULL)
				r->mark[k].value = x->marked->value[k];
		frames_mean(a, r, &talk, true, &amended);
		n++;
		wishes += wishes_more(&x->frames, &amended);
		if (!same_frames(a, &aviation_schema, &x->frames, &amended)) {
			changed++;
			if (author == NULL || streq(author, x->marked->author)) {
				printf("%s:%zu: %s\n", x->marked->author, x->marked->line, x->marked->text);
				show_frames(a, "marked ", &x->frames);
				show_frames(a, "amended", &amended);
			}
		}
		dialogue_add(&talk, &x->frames);
		arena_free(a);
	}
	printf("%zu of %zu messages are amended; %zu have a wish more\n", changed, n, wishes);
}

int main(int argc, char **argv)
{
	struct school s;
	struct coverage c = { .school = &s };
	struct err e = { 0 };
	const char *author = NULL;
	bool amended = false;

	for (int i = 3; i < argc; i += 2) {
		if (i + 1 < argc && streq(argv[i], "--author"))
			author = argv[i + 1];
		else if (i + 1 < argc && streq(argv[i], "--misses"))
			c.misses = argv[i + 1];
		else if (i + 1 < argc && streq(argv[i], "--elsewhere"))
			c.elsewhere = argv[i + 1];
		else if (i + 1 < argc && streq(argv[i], "--amended"))
			amended = true;
		else
			argc = 0;
	}
	if (argc < 3) {
		fputs("usage: language-coverage TREE AIRPORTS [--author NAME] [--misses LABEL] [--elsewhere LABEL] [--amended all]\n", stderr);
		return 2;
	}
	enum errcode rc = school_open(&s, argv[1], argv[2], NULL, &e);
	if (rc == OK && amended) {
		report_amended(&s, author);
	} else if (rc == OK) {
		count(&c, author);
		report(&c);
	} else {
		fprintf(stderr, "language-coverage: %s\n", e.msg);
	}
	school_close(&s);
	return rc == OK ? 0 : 1;
}
