/*
 * Reading words. A word is letters and digits of any script. Accents and case are removed
 * (str_fold_into()); bytes that are not UTF-8 separate words.
 */
#include "language/word_reader.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"

enum { WORD_RAW = 48 };          /* bytes of a word that are read */

static bool ascii_letter(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool apostrophe(uint32_t c)
{
	return c == '\'' || c == 0x2019 || c == 0x2bc;
}

static bool word_char(uint32_t c)
{
	if (c < 0x80)
		return ascii_letter(c) || (c >= '0' && c <= '9');
	return c >= 0xc0 && c != 0xd7 && c != 0xf7 && !(c >= 0x2000 && c <= 0x2bff) &&
	    !(c >= 0x3000 && c <= 0x303f);
}

/* A word of small letters and digits between blanks, which most are. False: the next one is not. */
static bool plain_word_read(struct term_reader *r, struct term_word *w)
{
	const char *p = r->p + strspn(r->p, " ");
	size_t n = 0;
	bool letter = false;

	for (; (p[n] >= 'a' && p[n] <= 'z') || (p[n] >= '0' && p[n] <= '9'); n++)
		letter |= p[n] >= 'a';
	if (n == 0 || n >= sizeof(w->stem) || (p[n] != ' ' && p[n] != '\0'))
		return false;
	*w = (struct term_word){ .n = n, .upper = !letter, .opens = r->opens };
	memcpy(w->stem, p, n);
	*r = (struct term_reader){ .p = p + n };
	return true;
}

/* The next word; it may be empty after folding. False: the end. */
static bool word_read(struct term_reader *r, struct term_word *w)
{
	char raw[WORD_RAW], folded[3 * WORD_RAW + 1];
	size_t n = 0, len, from = 0;
	bool lower = false;
	uint32_t c;

	*w = (struct term_word){ .upper = true };
	for (; *r->p != '\0'; r->p += len) {
		len = utf8_decode(r->p, strnlen(r->p, 4), &c);
		if (len == 0)
			len = 1, c = ' ';
		if (word_char(c)) {
			if (n == 0) {
				w->opens = r->opens;
				w->title = c < 0x80 ? c >= 'A' && c <= 'Z' : c < 0xdf;
			}
			lower |= c >= 'a';
			if (n + len <= sizeof(raw)) {
				memcpy(raw + n, r->p, len);
				n += len;
			}
		} else if (n > 0 && apostrophe(c)) {
			if (n + 1 <= sizeof(raw))
				raw[n++] = '\'';
		} else {
			if (n > 0)
				break;
			if (c == '.' || c == '?' || c == '!' || c == ':' || c == '\n' || c == '"')
				r->opens = true;
		}
	}
	if (n == 0)
		return false;
	r->opens = false;
	w->upper = !lower;
	len = str_fold_into(folded, raw, n);
	for (; from < len && w->n < sizeof(w->stem) - 1; from++) {
		if (folded[from] == '\'') {
			if (from + 1 < len && folded[from + 1] == 't' && w->n > 1)
				continue;
			break;
		}
		if (word_char((unsigned char)folded[from]) || (folded[from] & 0x80))
			w->stem[w->n++] = folded[from];
	}
	return true;
}

/* "w/o" means "without". */
static void without(struct term_reader *r, struct term_word *w)
{
	uint32_t c = ' ';

	if (w->n != 1 || w->stem[0] != 'w' || r->p[0] != '/' || (r->p[1] | 0x20) != 'o')
		return;
	utf8_decode(r->p + 2, strnlen(r->p + 2, 4), &c);
	if (word_char(c))
		return;
	r->p += 2;
	w->n = strlen("without");
	memcpy(w->stem, "without", w->n);
}

bool term_word_next(struct term_reader *r, struct term_word *w)
{
	if (plain_word_read(r, w))
		return true;
	while (word_read(r, w))
		if (w->n > 0) {
			without(r, w);
			return true;
		}
	return false;
}
