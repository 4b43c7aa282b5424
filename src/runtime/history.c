/*
 * Each message is read once: it is trimmed, carriage returns are left out, and it is hashed. Then
 * messages are compared by their hashes, so a hostile conversation of many long equal messages costs
 * no more than reading it. The hash is a polynomial with a random base for each call, so nobody can
 * prepare two different texts with the same hash. Only answers are also compared as text, and only
 * when their hashes differ.
 */
#include "runtime/history.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"

struct history_text {
	const char *role;
	struct str text;
	uint64_t hash;
	size_t at;                /* its index before repeats were joined */
	bool answer;
};

/* -- reading a message -- */

static bool blank(uint32_t c)
{
	/* the blanks that JavaScript's trim() removes */
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	    (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
	    c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static struct str trim(struct str s)
{
	uint32_t c;

	for (size_t len; s.n > 0 && (len = utf8_decode(s.p, s.n, &c)) > 0 && blank(c);) {
		s.p += len;
		s.n -= len;
	}
	while (s.n > 0) {
		size_t at = s.n - 1;
		while (at > 0 && ((unsigned char)s.p[at] & 0xc0) == 0x80)
			at--;
		if (utf8_decode(s.p + at, s.n - at, &c) != s.n - at || !blank(c))
			break;
		s.n = at;
	}
	return s;
}

static struct str without_cut(struct str s)
{
	const size_t n = sizeof(HISTORY_CUT) - 1;

	if (s.n >= n && memcmp(s.p + s.n - n, HISTORY_CUT, n) == 0)
		s = trim((struct str){ s.p, s.n - n });
	return s;
}

static struct str without_returns(struct arena *a, const char *text)
{
	const char *p = text;
	size_t n = 0;

	if (strchr(text, '\r') == NULL)
		return str_of(text);
	char *copy = arena_alloc(a, strlen(text) + 1);
	for (; *p != '\0'; p++)
		if (*p != '\r')
			copy[n++] = *p;
	return (struct str){ copy, n };
}

/* The text as a number in base `base`, modulo 2^61 - 1. */
static uint64_t hash_of(struct str s, uint64_t base)
{
	const uint64_t prime = (UINT64_C(1) << 61) - 1;
	uint64_t h = s.n;

	for (size_t i = 0; i < s.n; i++) {
		unsigned __int128 v = (unsigned __int128)h * base + (unsigned char)s.p[i] + 1;
		h = (uint64_t)(v & prime) + (uint64_t)(v >> 61);
		h -= h >= prime ? prime : 0;
	}
	return h;
}

/* The messages among the n that user and assistant said; *n becomes their number. Clients do not
 * see the tool turns. */
static struct history_text *read_all(struct arena *a, const struct message *m, size_t *n,
    uint64_t base)
{
	struct history_text *out = arena_array(a, *n + 1, sizeof(*out));
	size_t said = 0;

	for (size_t i = 0; i < *n; i++) {
		if (!message_is_said(&m[i]))
			continue;
		struct history_text *t = &out[said++];
		t->at = i;
		t->role = m[i].role;
		t->answer = streq(m[i].role, "assistant");
		t->text = trim(without_returns(a, m[i].content));
		if (t->answer)
			t->text = without_cut(t->text);
		t->hash = hash_of(t->text, base);
	}
	*n = said;
	return out;
}

/* -- comparing -- */

static bool begins(struct str a, struct str b)
{
	return memcmp(a.p, b.p, a.n < b.n ? a.n : b.n) == 0;
}

static bool same(const struct history_text *a, const struct history_text *b)
{
	return streq(a->role, b->role) &&
	    (a->hash == b->hash || (a->answer && begins(a->text, b->text)));
}

/* Keep only the first of a question that is repeated in a row: a client may store it once for each
 * time it was sent, and the thread has it once. Returns how many messages are left. */
static size_t join_repeats(struct history_text *t, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (kept == 0 || t[i].answer || !same(&t[i], &t[kept - 1]))
			t[kept++] = t[i];
	return kept;
}

/* Does stored[i - 1] answer an earlier try of the question sent[j]? The client has no answer to that
 * try, so a message before sent[j] that looks like it belongs to another question. */
static bool is_try(const struct history_text *stored, size_t i, const struct history_text *sent,
    size_t j)
{
	return i >= 2 && stored[i - 1].answer && !stored[i - 2].answer && same(&stored[i - 2], &sent[j]) &&
	    (j < 2 || !same(&stored[i - 2], &sent[j - 2]));
}

/* Do the first `old` messages of `sent` match the end of the thread? */
static bool is_end(const struct history_text *stored, size_t nstored, size_t skipped,
    const struct history_text *sent, size_t nsent, size_t old)
{
	size_t i = nstored, j = old;

	while (j > 0) {
		if (i == 0)
			/* older messages were not loaded, so nothing can be compared with them */
			return j <= skipped;
		if (same(&stored[i - 1], &sent[j - 1]) && (j == old || !is_try(stored, i, sent, j)))
			j--;
		else if (j == nsent || sent[j].answer)
			return false;
		else if (!stored[i - 1].answer && (j == old || !same(&stored[i - 1], &sent[j])))
			/* a skipped message is an answer, or an earlier try of sent[j] */
			return false;
		i--;
	}
	return true;
}

/* Does the client ask its last question again, which the thread has with an answer? A client whose
 * stream broke off has no answer to send. */
static bool asks_again(const struct history_text *stored, size_t nstored, size_t skipped,
    const struct history_text *sent, size_t nsent)
{
	size_t end = nstored;

	while (end > 0 && stored[end - 1].answer)
		end--;
	return nsent > 0 && end > 0 && end < nstored && same(&stored[end - 1], &sent[nsent - 1]) &&
	    is_end(stored, end, skipped, sent, nsent, nsent);
}

size_t history_new(const struct message *stored, size_t nstored, size_t skipped,
    const struct message *sent, size_t *nsent)
{
	struct arena *a = arena_new();
	uint64_t base;

	id_random(&base, sizeof(base));
	base >>= 4;        /* below the modulus */
	const struct history_text *known = read_all(a, stored, &nstored, base);
	size_t n = *nsent;
	struct history_text *got = read_all(a, sent, &n, base);
	n = join_repeats(got, n);
	*nsent = n > 0 ? got[n - 1].at + 1 : 0;
	size_t old = n < nstored + skipped ? n : nstored + skipped;
	if (nstored == 0)
		old = 0;
	if (asks_again(known, nstored, skipped, got, n))
		old = n - 1;
	else
		while (old > 0 && !is_end(known, nstored, skipped, got, n, old))
			old--;
	old = old < n ? got[old].at : *nsent;
	arena_free(a);
	return old;
}
