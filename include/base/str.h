/*
 * Strings: slices to look, ASCII helpers, UTF-8, and folding for comparison.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct str {
	const char *p;
	size_t n;
};

#define STR(lit) ((struct str){ (lit), sizeof(lit) - 1 })

struct str str_of(const char *s);              /* NULL gives the empty slice */
struct str str_trim(struct str s);             /* ASCII blanks off both ends */
bool str_eq(struct str a, const char *b);
/* Does at most one slip of the finger lie between the two: a letter more, less or other, or two neighbours swapped? */
bool str_one_slip(struct str a, struct str b);
bool str_ieq(struct str a, const char *b);     /* ASCII case ignored */

bool streq(const char *a, const char *b);      /* NULL equals NULL only */
bool strieq(const char *a, const char *b);     /* ASCII case ignored */
bool starts_with(const char *s, const char *prefix);

/* Only ASCII letters change their case. */
char ascii_upper(char c);
char ascii_lower(char c);
void str_upper(char *s);                       /* in place */
void str_lower(char *s);
char *str_upper_copy(struct arena *a, const char *s, size_t n);

/* The next part of a list such as "a|b|c", which may be empty; *list is moved on. False at the end
 * of the list. */
bool str_part(const char **list, char separator, struct str *part);
/* Is the word one of the choices of "a|b|c"? An empty word is not. */
bool one_of(const char *word, const char *choices);
bool ione_of(const char *word, const char *choices);   /* ASCII case ignored */
/* 1 to max letters, digits, '-' and '_'; NULL is none. Such a word is safe in a path, a key, a log. */
bool id_valid(const char *s, size_t max);

int hex_value(char c);                         /* 0 to 15; -1: not a hexadecimal digit */
/* n bytes as 2 * n lower-case digits and a NUL; returns where the NUL is. */
char *hex_put(char *out, const void *p, size_t n);

/* 64-bit FNV-1a: for tables and file names, not against an adversary. */
uint64_t str_hash(const char *s);

/* Length of the UTF-8 sequence at p (1-4), 0 if it is not valid UTF-8. */
size_t utf8_len(const char *p, size_t n);
bool utf8_valid(const char *p, size_t n);
/* Largest m <= max such that p[0..m) ends on a character boundary. */
size_t utf8_cut(const char *p, size_t n, size_t max);
/* Characters (code points) in n bytes of UTF-8. */
size_t utf8_count(const char *p, size_t n);
/* Decode one character at p into *cp; returns its length, 0 if invalid. */
size_t utf8_decode(const char *p, size_t n, uint32_t *cp);

/* The length of the character at p, n > 0. *plain is false for a control character (C0, DEL, C1) and
 * for a byte that is not UTF-8: these must be escaped before they reach a terminal or a log. */
size_t str_next(const char *p, size_t n, bool *plain);
/* Does it hold such a character? */
bool str_has_control(const char *s);
/* Copy s, and write every byte of such a character as \xNN. Stops when `room` bytes, the final NUL
 * included, are full. Returns the length. The result holds no line end and no terminal command. */
size_t str_escape_into(char *dst, size_t room, const char *s);

/*
 * Fold for comparison and search: lower case, accents and ligatures of the Latin
 * script reduced to ASCII ("Zürich" and "ZURICH" both give "zurich", "Ø" gives "o", "ß"
 * gives "ss"), typographic quotes and dashes to ' and -. Other scripts stay as they are.
 * Result in the arena.
 */
char *str_fold(struct arena *a, const char *s);
/* The same for n bytes into dst (at least 3 * n + 1 bytes); returns the length. */
size_t str_fold_into(char *dst, const char *s, size_t n);

/* Read a text that is one number ("12", "-3.5", blanks around allowed). True if it is one. */
bool str_to_double(const char *s, double *out);
bool str_to_int(const char *s, long long *out);

#endif
