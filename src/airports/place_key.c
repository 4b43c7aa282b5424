/*
 * Keys of place names, and the words in such names that have a meaning of their own.
 */
#include "airports/place_key.h"

#include <string.h>

#include "airports/facts_tables.h"
#include "base/str.h"

enum { TEXT_MAX = 200 };       /* bytes of a name that are looked at */

/* ---- reading the words --------------------------------------------------------------- */

/* "short; st, sankt; saint": only this kind has a third field. */
static enum errcode read_short_form(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct err *e)
{
	if (r->field[2][0] == '\0')
		return datafile_fault(d, r, e, "field 3, the long form, is missing");
	f->short_form[f->nshort_forms].to = str_fold(f->mem, r->field[2]);
	return facts_words(f, d, r, 1, &f->short_form[f->nshort_forms++].from, e);
}

enum errcode place_words_read(struct facts *f, struct datafile *d, struct err *e)
{
	static const char *const kinds[WORDS__MAX] = {
		[WORDS_GENERIC] = "generic", [WORDS_COMMON] = "common", [WORDS_WATER] = "water",
		[WORDS_MOUNTAIN] = "mountain", [WORDS_MILITARY] = "military", [WORDS_GLIDING] = "gliding", [WORDS_ARTICLE] = "article",
		[WORDS_OWN_ARTICLE] = "own_article", [WORDS_INSIDE] = "inside", [WORDS_BEFORE] = "before", [WORDS_BEHIND] = "behind",
	};
	enum errcode rc = OK;
	f->short_form = arena_array(f->mem, d->n, sizeof(*f->short_form));
	for (size_t i = 0; rc == OK && i < d->n; i++) {
		const struct datafile_row *r = &d->row[i];
		size_t kind = 0;
		if (streq(r->field[0], "short")) {
			rc = read_short_form(f, d, r, e);
			continue;
		}
		while (kind < WORDS__MAX && !streq(r->field[0], kinds[kind]))
			kind++;
		if (kind == WORDS__MAX)
			return datafile_fault(d, r, e, "\"%s\" is not generic, common, water, mountain, military, gliding, "
			    "article, own_article, inside, before, behind or short", r->field[0]);
		if (f->place_words[kind].n > 0)
			return datafile_fault(d, r, e, "%s has a row already", kinds[kind]);
		rc = facts_words(f, d, r, 1, &f->place_words[kind], e);
	}
	return rc;
}

bool place_key_has(const char *key, struct str word)
{
	struct str one;
	while (str_part(&key, ' ', &one))
		if (one.n == word.n && memcmp(one.p, word.p, one.n) == 0)
			return true;
	return false;
}

bool place_common(const char *key)
{
	return fact_words_have(&facts_in_use()->place_words[WORDS_COMMON], key);
}

/* ---- keys ---------------------------------------------------------------------------- */

static const struct {
	const char *letter, *two;
} umlauts[] = {
	{ "ä", "ae" }, { "Ä", "ae" }, { "ö", "oe" }, { "Ö", "oe" }, { "ü", "ue" }, { "Ü", "ue" },
	{ "ø", "oe" }, { "Ø", "oe" }, { "å", "aa" }, { "Å", "aa" },
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80);
}

static size_t spell(char *dst, const char *text, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n;) {
		size_t u = 0, count = sizeof(umlauts) / sizeof(umlauts[0]);

		while (u < count && (n - i < 2 || memcmp(text + i, umlauts[u].letter, 2) != 0))
			u++;
		if (u < count) {
			memcpy(dst + out, umlauts[u].two, 2);
			out += 2;
			i += 2;
		} else {
			dst[out++] = text[i++];
		}
	}
	return out;
}

/* The long form of a word: "st" is "saint". */
static const char *long_form(const struct facts *f, const char *word)
{
	for (size_t i = 0; i < f->nshort_forms; i++)
		if (fact_words_have(&f->short_form[i].from, word))
			return f->short_form[i].to;
	return word;
}

/* The words of a folded text, joined by blanks; `all`: with generic words too. */
static void join(const struct facts *f, char out[PLACE_KEY_MAX], char *folded, bool all, bool *said)
{
	size_t n = 0;
	char *p = folded;

	out[0] = '\0';
	while (*p != '\0') {
		const char *w = p;
		size_t len;
		char end;

		if (!is_letter(*p)) {
			p++;
			continue;
		}
		while (is_letter(*p))
			p++;
		end = *p;
		*p = '\0';
		w = long_form(f, w);
		if (fact_words_have(&f->place_words[WORDS_GENERIC], w)) {
			*said = true;
			len = all ? strlen(w) : 0;
		} else {
			len = strlen(w);
		}
		if (len > 0) {
			if (n + len + 2 > PLACE_KEY_MAX) {
				out[0] = '\0';
				return;
			}
			if (n > 0)
				out[n++] = ' ';
			memcpy(out + n, w, len + 1);
			n += len;
		}
		*p = end;
	}
}

void place_key_of(const struct facts *f, char out[PLACE_KEY_MAX], const char *text, bool spelt,
    bool *said)
{
	char plain[TEXT_MAX + 1], folded[3 * TEXT_MAX + 1];
	size_t n = text != NULL ? strlen(text) : 0;
	bool heard = false;

	out[0] = '\0';
	if (n > 0 && n <= TEXT_MAX) {
		if (spelt) {
			n = spell(plain, text, n);
			text = plain;
		}
		folded[str_fold_into(folded, text, n)] = '\0';
		join(f, out, folded, false, &heard);
		if (out[0] == '\0')
			join(f, out, folded, true, &heard);
	}
	if (said != NULL)
		*said = heard;
}

void place_key(char out[PLACE_KEY_MAX], const char *text, bool spelt, bool *said)
{
	place_key_of(facts_in_use(), out, text, spelt, said);
}

void place_unspelt(char out[PLACE_KEY_MAX], const char *key)
{
	size_t n = 0;

	for (const char *p = key; *p != '\0'; p++) {
		out[n++] = *p;
		if (strchr("aou", *p) != NULL && p[1] == 'e')
			p++;
	}
	out[n] = '\0';
}
