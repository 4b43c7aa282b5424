/*
 * The byte before says whether a comma is needed: none behind an open bracket, behind the colon of a key,
 * or at the start of the text. A string ends with its quote, so its content is never mistaken for one.
 */
#include "base/jsn_put.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whole numbers below this are exact as a double, and num_print() prints them as they are. */
static const int64_t EXACT = 1000000000000000;

static void begin(struct buf *b, const char *name)
{
	const char last = b->n > 0 ? b->p[b->n - 1] : '[';

	if (last != '{' && last != '[' && last != ':')
		buf_putc(b, ',');
	if (name == NULL)
		return;
	buf_putc(b, '"');
	buf_puts(b, name);
	buf_put(b, "\":", 2);
}

void jsn_put_open(struct buf *b, const char *name, char bracket)
{
	begin(b, name);
	buf_putc(b, bracket);
}

void jsn_put_close(struct buf *b, char bracket)
{
	buf_putc(b, bracket);
}

void jsn_put_str(struct buf *b, const char *name, const char *s)
{
	begin(b, name);
	if (s != NULL)
		jsn_print_str(b, s);
	else
		buf_put(b, "null", 4);
}

void jsn_put_num(struct buf *b, const char *name, double v)
{
	char text[32] = "null";

	begin(b, name);
	if (isfinite(v))
		num_print(text, v);
	buf_puts(b, text);
}

void jsn_put_int(struct buf *b, const char *name, int64_t v)
{
	char text[32];

	begin(b, name);
	if (v > -EXACT && v < EXACT)
		num_print(text, (double)v);       /* many times faster than printf */
	else
		snprintf(text, sizeof(text), "%lld", (long long)v);
	buf_puts(b, text);
}

void jsn_put_bool(struct buf *b, const char *name, bool v)
{
	begin(b, name);
	buf_puts(b, v ? "true" : "false");
}

void jsn_put_null(struct buf *b, const char *name)
{
	jsn_put_text(b, name, "null");
}

void jsn_put_tree(struct buf *b, const char *name, struct json_object *o)
{
	begin(b, name);
	jsn_print(b, o, JSN_PLAIN);
}

void jsn_put_text(struct buf *b, const char *name, const char *json)
{
	begin(b, name);
	buf_puts(b, json);
}

void jsn_put_key(struct buf *b, const char *name)
{
	begin(b, NULL);
	jsn_print_str(b, name);
	buf_putc(b, ':');
}
