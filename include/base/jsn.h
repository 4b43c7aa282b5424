/*
 * json-c, made safe to use: checked reading, arena ownership, our own printer.
 *
 * Ownership: jsn_object() and jsn_array() give a value owned by the arena; everyone else
 * borrows. jsn_add() and jsn_push() take one reference of `v`: pass a fresh value, or
 * jsn_ref(v) for one that already has an owner. Trees are never shared between threads.
 * A NULL json_object is JSON null.
 */
#ifndef BASE_JSN_H
#define BASE_JSN_H

#include <json-c/json_object.h>
#include <json-c/json_object_iterator.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"

struct arena;
struct buf;

enum {
	JSN_DEPTH = 32,        /* deepest nesting accepted from outside */
	/* Most values in one text, where a list or object counts as eight. A tree takes up to 250
	 * times the memory of its text ("{},{},{}"); this limits it to some 100 MB. */
	JSN_VALUES = 1000000,
};

struct jsn_fault {         /* where and why a text is not JSON */
	size_t offset;     /* in characters (code points), as Python's json reports it */
	const char *why;   /* string literal */
};

/* Parse exactly one JSON value of n bytes: strict, UTF-8 checked, depth-limited, at most JSN_VALUES,
 * NaN and Infinity refused. The tree is owned by `a`. ERR_INPUT with `fault` (may be NULL) filled. */
enum errcode jsn_parse(struct arena *a, const char *p, size_t n, int depth,
    struct json_object **out, struct jsn_fault *fault, struct err *e);
/* The same for text that comes in pieces, where a string may end inside a character and go on in
 * the next piece. Strings are not checked for UTF-8, and half a surrogate pair ("\ud83d" by itself)
 * stays as its three bytes (ED A0 BD). The caller who joins the pieces must repair them. */
enum errcode jsn_parse_pieces(struct arena *a, const char *p, size_t n, int depth,
    struct json_object **out, struct jsn_fault *fault, struct err *e);
/* Estimate the work of parsing a text without parsing it: the number of its values, where a
 * container or a member of an object counts as eight. For callers whose limit is below
 * JSN_VALUES. */
size_t jsn_values(const char *p, size_t n);
/* Read and parse a whole file, at most max bytes: ERR_IO or ERR_CONFIG with path and place. */
enum errcode jsn_load(struct arena *a, const char *path, size_t max,
    struct json_object **out, struct err *e);

/* Hand a fresh reference to the arena; returns o. */
struct json_object *jsn_own(struct arena *a, struct json_object *o);
struct json_object *jsn_new(void);                    /* {}: a fresh reference; see below */
struct json_object *jsn_object(struct arena *a);      /* {} owned by a */
struct json_object *jsn_array(struct arena *a);       /* [] owned by a */
struct json_object *jsn_ref(struct json_object *o);   /* one more reference; NULL stays NULL */
/* Deep copy owned by `a`; a value from jsn_printed() becomes a tree again. */
struct json_object *jsn_copy(struct arena *a, struct json_object *o);
/* The tree as finished text, which is much smaller, and which is printed by copying. For readers it
 * is a value without members; jsn_copy() brings them back. A fresh reference; NULL stays NULL. */
struct json_object *jsn_printed(struct json_object *o);

/* Reading. These functions never convert a value and never write into the tree. */
bool jsn_is(struct json_object *o, enum json_type t);
const char *jsn_kind(struct json_object *o);          /* for messages: "text", "a number", "null", … */
/* true when the member exists, even as null */
bool jsn_has(struct json_object *o, const char *key);
/* NULL: absent, null, or `o` is not an object */
struct json_object *jsn_get(struct json_object *o, const char *key);
const char *jsn_get_str(struct json_object *o, const char *key, const char *def); /* borrowed */
bool jsn_get_bool(struct json_object *o, const char *key, bool def);
double jsn_get_num(struct json_object *o, const char *key, double def);   /* int or double */
int64_t jsn_get_int(struct json_object *o, const char *key, int64_t def);
size_t jsn_len(struct json_object *o);                            /* elements of an array or object; else 0 */
struct json_object *jsn_at(struct json_object *o, size_t i);      /* borrowed */
bool jsn_truthy(struct json_object *o);                           /* Python's bool(): null, false, 0, "", [], {} are false */

/* Members of an object in order (nothing for NULL or another type):
 *   JSN_EACH(o, it) use(it.key, it.val);                    it.val NULL: JSON null */
struct jsn_iter {
	const char *key;
	struct json_object *val;
	struct json_object_iterator at, end;
	bool any;
};
struct jsn_iter jsn_iter(struct json_object *o);
bool jsn_next(struct jsn_iter *it);
#define JSN_EACH(o, it) for (struct jsn_iter it = jsn_iter(o); jsn_next(&it);)

/* Building. The adders replace an existing key. Text that is not UTF-8 is repaired (U+FFFD). */
void jsn_add(struct json_object *o, const char *key, struct json_object *v);
void jsn_add_str(struct json_object *o, const char *key, const char *s);   /* NULL: null */
void jsn_add_int(struct json_object *o, const char *key, int64_t v);
void jsn_add_num(struct json_object *o, const char *key, double v);        /* NaN: null */
void jsn_add_bool(struct json_object *o, const char *key, bool v);
void jsn_push(struct json_object *arr, struct json_object *v);
struct json_object *jsn_str(const char *s);                /* fresh reference; NULL gives NULL */
struct json_object *jsn_strn(const char *s, size_t n);
struct json_object *jsn_num(double v);                     /* fresh; integral values become integers */
/* v rounded to `places` decimals the way printf rounds (half to even on the binary value). */
double num_round(double v, int places);
/* Shortest decimal text that reads back as v; integral values without fraction. */
void num_print(char out[32], double v);

enum jsn_style {
	JSN_PLAIN,     /* {"a":1,"b":[1,2]}          JSON responses, the store */
	JSN_SPACED,    /* {"a": 1, "b": [1, 2]}      event data, as the original prints it */
	JSN_INDENT,    /* two-space indent           logs and prompts for people */
};
/* Print without escaping non-ASCII or slashes. NaN and infinities print as null. */
void jsn_print(struct buf *b, struct json_object *o, enum jsn_style style);
/* JSN_INDENT with every line after the first moved right by `indent` blanks. */
void jsn_print_at(struct buf *b, struct json_object *o, int indent);
/* One string, quoted and escaped; text that is not UTF-8 is repaired. */
void jsn_print_str(struct buf *b, const char *s);
/* One string of n bytes of UTF-8 for a text with tags, where it must not look like one: "<" is escaped
 * too. */
void jsn_print_tagless(struct buf *b, const char *s, size_t n);
/* Print into the arena. */
char *jsn_text(struct arena *a, struct json_object *o, enum jsn_style style);

#endif
