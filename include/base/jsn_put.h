/*
 * JSON written straight into a buffer, for large answers that need no tree. Commas are put where they are
 * needed, so a caller only opens, puts and closes:
 *
 *	jsn_put_open(b, NULL, '[');
 *	for (…) {
 *		jsn_put_open(b, NULL, '{');
 *		jsn_put_str(b, "ident", a->ident);
 *		jsn_put_close(b, '}');
 *	}
 *	jsn_put_close(b, ']');
 *
 * `name` is that of a member, a literal that needs no escapes; NULL: an element, or the whole text.
 */
#ifndef BASE_JSN_PUT_H
#define BASE_JSN_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/jsn.h"

void jsn_put_open(struct buf *b, const char *name, char bracket);      /* '{' or '[' */
void jsn_put_close(struct buf *b, char bracket);                       /* '}' or ']' */
void jsn_put_str(struct buf *b, const char *name, const char *s);      /* NULL: null */
void jsn_put_num(struct buf *b, const char *name, double v);           /* NaN, infinite: null */
void jsn_put_int(struct buf *b, const char *name, int64_t v);
void jsn_put_bool(struct buf *b, const char *name, bool v);
void jsn_put_null(struct buf *b, const char *name);
/* A tree, borrowed; NULL: null. */
void jsn_put_tree(struct buf *b, const char *name, struct json_object *o);
/* Finished JSON. */
void jsn_put_text(struct buf *b, const char *name, const char *json);
/* Open a member whose name comes from outside and is escaped: its value follows with name NULL. */
void jsn_put_key(struct buf *b, const char *name);

#endif
