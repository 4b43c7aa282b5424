/*
 * Words are compared as English stems, so "forecasts" finds `get_forecast`. Words that nearly every
 * tool or question has ("get", "list", "please") tell nothing; they are a list in
 * conf/language/en/tool_words.txt, and so are the words by which an argument is recognised.
 */
#include "agents/aviation/builtin/external_plans.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agents/aviation/builtin/tool_words.h"
#include "agents/aviation/messages.h"
#include "agents/aviation/sayings.h"
#include "airports/place.h"
#include "base/jsn.h"
#include "base/str.h"
#include "language/stem.h"

enum { STEMS_MAX = 400, WORD_BYTES = 40, WORD_MIN = 3, TEXT_BYTES = 4000, QUESTION_BYTES = 1000, CODES = 8, CODE_LETTERS = 4 };

/* Stems of a text; sorted lists are not needed, because they are short. */
struct stems {
	char word[STEMS_MAX][WORD_BYTES];
	size_t n;
};

static bool has(const struct stems *s, const char *word)
{
	for (size_t i = 0; i < s->n; i++)
		if (streq(s->word[i], word))
			return true;
	return false;
}

static void add_word(struct stems *s, const char *p, size_t n)
{
	char word[WORD_BYTES];

	if (n < WORD_MIN || n >= WORD_BYTES || s->n == STEMS_MAX)
		return;
	memcpy(word, p, n);
	word[n] = '\0';
	if (tool_word(WORDS_IDLE, word))
		return;
	word[stem(word, n)] = '\0';
	if (!has(s, word))
		memcpy(s->word[s->n++], word, WORD_BYTES);
}

/* "getAirport" has two words. */
static const char *split_camels(struct arena *a, const char *text)
{
	char *out = arena_alloc(a, 2 * strlen(text) + 1), *o = out;

	for (const char *p = text; *p != '\0'; p++) {
		if (p > text && isupper((unsigned char)*p) && islower((unsigned char)p[-1]))
			*o++ = ' ';
		*o++ = *p;
	}
	return out;
}

static void add_words(struct stems *s, struct arena *a, const char *text)
{
	const size_t cut = utf8_cut(text, strlen(text), TEXT_BYTES);
	const char *p = str_fold(a, split_camels(a, arena_strndup(a, text, cut)));

	while (*p != '\0') {
		size_t n = 0;
		while (isalnum((unsigned char)p[n]) || (unsigned char)p[n] >= 0x80)
			n++;
		add_word(s, p, n);
		p += n > 0 ? n : 1;
	}
}

static size_t shared(const struct stems *x, const struct stems *y, const struct stems *but)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++)
		n += has(y, x->word[i]) && (but == NULL || !has(but, x->word[i]));
	return n;
}

/* The words that our own tools are described with. */
static void own_words(struct stems *s, struct arena *a, struct toolset table)
{
	for (size_t i = 0; i < table.n; i++) {
		const struct tool *t = table.tools[i];
		if (t->domain == TOOL_EXTERNAL)
			continue;
		add_words(s, a, t->name);
		for (size_t k = 0; k < t->nargs; k++)
			add_words(s, a, t->args[k].name);
	}
}

/* ---- choosing ------------------------------------------------------------------------------------ */

/* How well a tool fits: words of its name and title that the question says, then those of its text. */
struct fit {
	const struct tool *tool;
	size_t named, told;
	double share;                 /* of the words of its name and title */
};

static bool better(const struct fit *x, const struct fit *y)
{
	if (x->named != y->named)
		return x->named > y->named;
	if (fabs(x->share - y->share) > 0.001)
		return x->share > y->share;
	return x->told > y->told;
}

static struct fit fit_of(struct arena *a, const struct tool *t, const struct stems *question,
    const struct stems *own, const struct stems *all_own)
{
	struct stems *name = arena_alloc(a, sizeof(*name)), *doc = arena_alloc(a, sizeof(*doc));
	struct fit f = { .tool = t };

	add_words(name, a, t->words != NULL ? t->words : t->name);
	add_words(doc, a, t->doc);
	f.named = shared(name, question, own);
	f.told = shared(doc, question, all_own);
	f.share = name->n > 0 ? (double)shared(name, question, NULL) / (double)name->n : 0;
	return f;
}

static int by_fit(const void *x, const void *y)
{
	return better(x, y) ? -1 : better(y, x) ? 1 : 0;
}

/* Tools that fit, the best first. open: nothing of ours serves, so a word of a tool's text is enough too. */
static size_t choose(struct arena *a, struct toolset offered, const struct stems *question,
    const struct stems *own, bool open, struct fit *out)
{
	size_t n = 0;

	for (size_t i = 0; i < offered.n; i++) {
		if (offered.tools[i]->domain != TOOL_EXTERNAL || offered.tools[i]->result != RESULT_EXTERNAL)
			continue;
		out[n] = fit_of(a, offered.tools[i], question, open ? NULL : own, own);
		n += out[n].named > 0 || (open && out[n].told > 0);
	}
	qsort(out, n, sizeof(*out), by_fit);
	return n;
}

/* ---- arguments -------------------------------------------------------------------------------------- */

/* What the question offers as arguments. */
struct offers {
	struct arena *a;
	const char *question;         /* as it was asked */
	const char *folded;           /* " words between blanks " */
	const char *place;            /* the place that it names; NULL: none */
	const char *code[CODES];        /* idents */
	size_t ncodes;
	double number;                /* NaN: none */
};

static void add_code(struct offers *o, const char *code)
{
	for (size_t i = 0; i < o->ncodes; i++)
		if (streq(o->code[i], code))
			return;
	if (o->ncodes < CODES)
		o->code[o->ncodes++] = code;
}

/* "EGKB", in any case. */
static bool is_code(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]))
		n++;
	return n == CODE_LETTERS && text[n] == '\0';
}

/* A place of a frame, by its code or its name. */
static void add_place(struct offers *o, const struct planning *p, const char *text)
{
	const char *ident = place_ident(p, text);

	if (o->place == NULL)
		o->place = text;
	if (is_code(ident))
		add_code(o, str_upper_copy(o->a, ident, strlen(ident)));
}

static const char *folded_words(struct arena *a, const char *text)
{
	char *folded = str_fold(a, text), *out = arena_alloc(a, strlen(folded) + 3), *p = out;

	*p++ = ' ';
	for (; *folded != '\0'; folded++) {
		if (isalnum((unsigned char)*folded) || (unsigned char)*folded >= 0x80)
			*p++ = *folded;
		else if (p[-1] != ' ')
			*p++ = ' ';
	}
	if (p[-1] != ' ')
		*p = ' ';
	return out;
}

static void add_places(struct offers *o, const struct planning *p, const struct frame *f)
{
	static const enum label labels[] = { LABEL_AT, LABEL_NEAR, LABEL_FROM, LABEL_TO };
	const char *pick = frame_get(f, LABEL_PICK);
	bool several;

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		for (size_t k = 0; k < f->slot[labels[i]].n; k++)
			add_place(o, p, place_text(p, &f->slot[labels[i]].value[k]));
	if (pick != NULL && frame_picked(p, f, &several) != NULL)
		add_place(o, p, frame_picked(p, f, &several));
}

/* Places of a message whose plan can have none: "tides at Brighton". */
static void add_marks(struct offers *o, const struct planning *p)
{
	static const char *const labels[] = { "at", "near", "from", "to" };
	const struct reading *r = p->reading;

	for (size_t i = 0; i < r->nmarks; i++)
		for (size_t k = 0; k < sizeof(labels) / sizeof(labels[0]); k++)
			if (streq(r->mark[i].label, labels[k]))
				add_place(o, p, words_slice(o->a, r->words, r->mark[i].first, r->mark[i].last));
}

/* Codes and a number that nothing has marked: "metar EGKB". */
static void add_evidence(struct offers *o, const struct planning *p)
{
	const struct evidences *said = p->reading->evidence;

	for (size_t i = 0; i < said->n; i++) {
		const struct evidence *e = &said->at[i];
		if (streq(e->kind, "number") && isnan(o->number))
			o->number = strtod(e->value, NULL);
		else if (streq(e->kind, "place.code") || streq(e->kind, "place.code_shape") ||
		    (streq(e->kind, "place.code_small") && o->ncodes == 0))
			add_place(o, p, e->value);
	}
}

static struct offers offers_of(const struct planning *p)
{
	const char *text = arena_strndup(p->mem, p->message, utf8_cut(p->message, strlen(p->message), QUESTION_BYTES));
	struct offers o = { .a = p->mem, .question = text, .folded = folded_words(p->mem, text), .number = NAN };

	for (size_t i = 0; i < p->frames->n; i++)
		add_places(&o, p, p->frames->frame[i]);
	add_marks(&o, p);
	add_evidence(&o, p);
	return o;
}

/* Is a word of the argument's name, or else of its text, in the list? */
static bool is_called(const struct offers *o, const struct tool_arg *arg, enum tool_words list, bool text)
{
	const char *p = folded_words(o->a, split_camels(o->a, text ? arg->doc : arg->name));

	for (struct str word; str_part(&p, ' ', &word);)
		if (word.n > 0 && tool_word(list, arena_strndup(o->a, word.p, word.n)))
			return true;
	return false;
}

static const char *said_choice(const struct offers *o, const struct tool_arg *arg)
{
	for (size_t i = 0; arg->choices != NULL && arg->choices[i] != NULL; i++)
		if (strstr(o->folded, folded_words(o->a, arg->choices[i])) != NULL && *arg->choices[i] != '\0')
			return arg->choices[i];
	return NULL;
}

/* What the question has for a text; NULL: nothing. */
static const char *text_for(const struct offers *o, const struct tool_arg *arg)
{
	if (arg->choices != NULL)
		return said_choice(o, arg);
	for (int text = 0; text < 2; text++) {
		if (is_called(o, arg, WORDS_CODE, text))
			return o->ncodes > 0 ? o->code[0] : NULL;
		if (is_called(o, arg, WORDS_PLACE, text))
			return o->place;
		if (is_called(o, arg, WORDS_QUESTION, text))
			return o->question;
	}
	return arg->required ? o->place : NULL;
}

static void fill_one(const struct offers *o, const struct tool_arg *arg, struct json_object *args)
{
	const char *text = NULL;

	switch (arg->type) {
	case ARG_STRING:
		if ((text = text_for(o, arg)) != NULL)
			jsn_add_str(args, arg->name, text);
		break;
	case ARG_STRINGS:
		if (o->ncodes > 0 && text_for(o, arg) == o->code[0]) {
			struct json_object *list = json_object_new_array();
			for (size_t i = 0; i < o->ncodes; i++)
				jsn_push(list, jsn_str(o->code[i]));
			jsn_add(args, arg->name, list);
		}
		break;
	case ARG_INTEGER:
	case ARG_NUMBER:
		if (arg->required && !isnan(o->number))
			jsn_add_num(args, arg->name, o->number);
		break;
	case ARG_BOOLEAN:
	case ARG_OBJECT:
	case ARG_ANY:
		break;
	}
}

/* "station", of the first argument that the question has nothing for; NULL: it has all. */
static const char *fill(const struct offers *o, const struct tool *t, struct json_object *args)
{
	for (size_t i = 0; i < t->nargs; i++) {
		fill_one(o, &t->args[i], args);
		if (t->args[i].required && !jsn_has(args, t->args[i].name))
			return t->args[i].name;
	}
	return NULL;
}

/* ---- plans -------------------------------------------------------------------------------------------- */

static bool make_plan(const struct offers *o, const struct tool *t, struct plan *out)
{
	struct plan p = { .tool = t, .answer_style = "narrative_markdown", .arguments = jsn_object(o->a) };

	if (fill(o, t, p.arguments) != NULL || tool_check(t, p.arguments, NULL) != OK)
		return false;
	*out = p;
	return true;
}

/* Tools whose words the question says, each with words that the others before it did not have. */
static size_t make_plans(const struct offers *o, const struct fit *fits, size_t n, struct stems *question,
    struct plan *out, const struct fit **wanted)
{
	size_t made = 0;

	for (size_t i = 0; i < n && made < LOOKUPS_MAX; i++) {
		struct stems *words = arena_alloc(o->a, sizeof(*words));
		size_t fresh = 0;
		add_words(words, o->a, fits[i].tool->words != NULL ? fits[i].tool->words : fits[i].tool->name);
		if (fits[i].named == 0)
			add_words(words, o->a, fits[i].tool->doc);
		for (size_t k = 0; k < words->n; k++)
			for (size_t q = 0; q < question->n; q++)
				if (streq(question->word[q], words->word[k])) {
					question->word[q][0] = '\0';
					fresh++;
				}
		if (fresh == 0)
			continue;
		if (make_plan(o, fits[i].tool, &out[made]))
			made++;
		else if (*wanted == NULL)
			*wanted = &fits[i];
	}
	return made;
}

/* Only an argument is missing: the sentence that asks for it. */
static const char *ask_for(const struct offers *o, const struct planning *p, const struct tool *t)
{
	const char *missing = fill(o, t, jsn_object(o->a));
	char *words = arena_strdup(o->a, missing != NULL ? missing : "more");

	for (char *c = words; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = ' ';
	return message_text(p->wording, o->a, SAY_external_missing, MESSAGE_VALUES("about", tool_about(t), "missing", words));
}

static bool is_open(const struct plans *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->plan[i].tool != NULL || !p->plan[i].open)
			return false;
	return true;
}

/* Our own plans stay behind them, except plans without a tool. */
static void join(struct plans *plans, const struct plan *more, size_t n)
{
	struct plans out = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		out.plan[out.n++] = more[i];
	for (size_t i = 0; i < plans->n && out.n < LOOKUPS_MAX; i++)
		if (plans->plan[i].tool != NULL)
			out.plan[out.n++] = plans->plan[i];
	*plans = out;
}

void external_plans(const struct planning *p, struct plans *plans)
{
	struct arena *a = p->mem;
	const struct toolset offered = p->ctx->offered;
	const bool open = is_open(plans);
	struct plan made[LOOKUPS_MAX];
	const struct fit *wanted = NULL;
	size_t served = 0;

	for (size_t i = 0; i < plans->n; i++)
		served += plans->plan[i].tool != NULL;
	if (toolset_count(offered, TOOL_EXTERNAL) == 0 || (!open && served == 0))
		return;
	struct stems *words = arena_alloc(a, sizeof(*words)), *own = arena_alloc(a, sizeof(*own));
	struct fit *fits = arena_array(a, offered.n + 1, sizeof(*fits));
	add_words(words, a, p->message);
	own_words(own, a, p->ctx->table);
	const size_t n = choose(a, offered, words, own, open, fits);
	if (n == 0)
		return;
	const struct offers o = offers_of(p);
	const size_t nmade = make_plans(&o, fits, n, words, made, &wanted);
	if (nmade > 0)
		join(plans, made, nmade);
	else if (open && wanted != NULL && plans->n > 0)
		plans->plan[0].reply = ask_for(&o, p, wanted->tool);
}
