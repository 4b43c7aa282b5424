#include "tests/language/same_frames.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/words.h"

/* Words that a name or a matter has or has not, without being another. */
static const char SMALL[] = "the|a|an|of|in|on|at|to|for|and|or|my|le|la|les|l'|l|un|une|de|du|des|d'|d|en|et|au|aux|"
	"der|die|das|den|dem|ein|eine|einen|einem|einer|und|von|im|in|am|zum|zur|fur|airport|airfield|aeroport|"
	"aerodrome|flugplatz|flughafen";

static bool content(const struct word *w)
{
	return w->kind != WORD_SIGN && !one_of(w->fold, SMALL);
}

/* The stems or folded words of a text that count. */
static size_t contents(const struct words *w, bool stems, const char *out[WORDS_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++)
		if (content(&w->word[i]))
			out[n++] = stems ? w->word[i].stem : w->word[i].fold;
	return n;
}

bool same_name(struct arena *a, const char *x, const char *y)
{
	const char *in_x[WORDS_MAX], *in_y[WORDS_MAX];
	size_t nx = contents(words_of(a, x, NULL), false, in_x), ny = contents(words_of(a, y, NULL), false, in_y);
	bool same = nx == ny;
	for (size_t i = 0; same && i < nx; i++)
		same = streq(in_x[i], in_y[i]);
	return same;
}

/* The stems of all values of a slot. */
static size_t stems(struct arena *a, const struct frame_slot *slot, const char *language, const char *out[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < slot->n; i++) {
		const char *in[WORDS_MAX];
		size_t many = contents(words_of(a, slot->value[i].text, language), true, in);
		for (size_t k = 0; k < many && n < most; k++)
			out[n++] = in[k];
	}
	return n;
}

bool same_matter(struct arena *a, const struct frame_slot *gold, const struct frame_slot *read)
{
	enum { MOST = 200 };
	const char *g[MOST], *r[MOST];
	size_t ng = stems(a, gold, "en", g, MOST), nr = stems(a, read, "en", r, MOST), common = 0;
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < ng; k++)
			if (streq(r[i], g[k])) {
				common++;
				break;
			}
	return (ng == 0 && nr == 0) || common > 0;
}

static bool same_slot(struct arena *a, const struct frame_label *label, const struct frame_slot *gold,
    const struct frame_slot *read)
{
	bool place = (label->how & FRAME_PLACE) != 0;
	if ((label->how & FRAME_WORDS) != 0 && !place)
		return same_matter(a, gold, read);
	if (gold->n != read->n)
		return false;
	for (size_t i = 0; i < gold->n; i++) {
		bool found = false;
		for (size_t k = 0; k < read->n && !found; k++)
			found = place ? same_name(a, gold->value[i].text, read->value[k].text) :
			                strieq(gold->value[i].text, read->value[k].text);
		if (!found)
			return false;
	}
	return true;
}

bool same_frame(struct arena *a, const struct frame_schema *s, const struct frame *gold, const struct frame *read)
{
	if (gold->plan != read->plan || gold->more != read->more)
		return false;
	for (size_t i = 0; i < s->nlabels; i++)
		if (!same_slot(a, &s->label[i], &gold->slot[i], &read->slot[i]))
			return false;
	return true;
}

bool same_frames(struct arena *a, const struct frame_schema *s, const struct frames *gold, const struct frames *read)
{
	bool same = gold->n == read->n;
	for (size_t i = 0; same && i < gold->n; i++)
		same = same_frame(a, s, gold->frame[i], read->frame[i]);
	return same;
}

const char *frame_line(struct arena *a, const struct frame_schema *s, const struct frame *f)
{
	const char *text = arena_printf(a, "%s%s", f->plan->name, f->more ? " (more)" : "");
	for (size_t i = 0; i < s->nlabels; i++)
		for (size_t k = 0; k < f->slot[i].n; k++)
			text = arena_printf(a, "%s; %s=%s", text, s->label[i].name, f->slot[i].value[k].text);
	return text;
}
