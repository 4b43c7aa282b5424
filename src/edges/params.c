/*
 * Each row reads its value by itself, and a value that is not acceptable becomes a fault in a list.
 * So a client learns all faults from one answer.
 */
#include "edges/params.h"

#include <math.h>
#include <string.h>

#include "base/conf.h"
#include "base/str.h"
#include "edges/reply.h"

/* The largest whole number that a double holds exactly. */
static const double WHOLE_MAX = 9007199254740992.0;

const struct param param_code = { "icao", PARAM_TEXT, .min = 1, .max = PARAM_CODE_MAX };

/* ---- faults, in the words of FastAPI ------------------------------------------------- */

struct fault {
	const char *type, *msg;     /* type NULL: there is none */
	const char *bound;          /* its limit in `ctx`: the name; NULL: none */
	double limit;
};

static struct fault out_of_range(struct arena *a, const struct param *row, bool low)
{
	char limit[32];

	num_print(limit, low ? row->min : row->max);
	return (struct fault){ low ? "greater_than_equal" : "less_than_equal",
		arena_printf(a, "Input should be %s than or equal to %s", low ? "greater" : "less",
		limit),
		low ? "ge" : "le", low ? row->min : row->max };
}

static struct fault wrong_length(struct arena *a, double limit, bool low)
{
	char text[32];

	num_print(text, limit);
	return (struct fault){ low ? "string_too_short" : "string_too_long",
		arena_printf(a, "String should have at %s %s character%s", low ? "least" : "most", text,
		limit > 1 ? "s" : ""), low ? "min_length" : "max_length", limit };
}

/* "Input should be 'a', 'b' or 'c'" */
static struct fault no_choice(struct arena *a, const char *choices)
{
	const char *msg = "Input should be", *list = choices, *before = " ";
	struct str part;

	while (str_part(&list, '|', &part)) {
		const char *rest = list;
		struct str next;
		msg = arena_printf(a, "%s%s'%.*s'", msg, before, (int)part.n, part.p);
		before = str_part(&rest, '|', &next) && str_part(&rest, '|', &next) ? ", " : " or ";
	}
	return (struct fault){ "enum", msg, NULL, 0 };
}

/* ---- values --------------------------------------------------------------------------- */

static struct fault read_bool(const char *text, struct param_value *v)
{
	if (conf_bool(text, &v->flag))
		return (struct fault){ 0 };
	return (struct fault){ "bool_parsing", "Input should be a valid boolean, unable to interpret input",
		NULL, 0 };
}

static struct fault read_number(struct arena *a, const struct param *row, const char *text,
    struct param_value *v)
{
	const bool whole = row->type == PARAM_INT;
	const double max = row->max != 0 ? row->max : whole ? WHOLE_MAX : HUGE_VAL;
	const double min = row->max != 0 || row->min != 0 ? row->min : -max;
	long long n = 0;

	if (whole && !str_to_int(text, &n))
		return (struct fault){ "int_parsing",
			"Input should be a valid integer, unable to parse string as an integer", NULL, 0 };
	if (!whole && !str_to_double(text, &v->number))
		return (struct fault){ "float_parsing",
			"Input should be a valid number, unable to parse string as a number", NULL, 0 };
	if (whole)
		v->number = (double)n;
	if (v->number < min || v->number > max)
		return out_of_range(a, row, v->number < min);
	return (struct fault){ 0 };
}

static struct fault read_text(struct arena *a, const struct param *row, const char *text,
    struct param_value *v)
{
	const size_t n = strlen(text), chars = utf8_count(text, n);
	const double max = row->max != 0 ? row->max : PARAM_TEXT_MAX;

	if (!utf8_valid(text, n))
		return (struct fault){ "string_unicode",
			"Input should be a valid string, unable to parse raw data as a unicode string",
			NULL, 0 };
	if (str_has_control(text))
		return (struct fault){ "value_error",
			"Value error, control characters are not allowed", NULL, 0 };
	if ((double)chars < row->min || (double)chars > max)
		return wrong_length(a, (double)chars < row->min ? row->min : max,
		    (double)chars < row->min);
	if (row->choices != NULL && !one_of(text, row->choices))
		return no_choice(a, row->choices);
	v->text = text;
	return (struct fault){ 0 };
}

static struct fault read_value(struct arena *a, const struct param *row, const char *text,
    struct param_value *v)
{
	switch (row->type) {
	case PARAM_BOOL:
		return read_bool(text, v);
	case PARAM_INT:
	case PARAM_NUMBER:
		return read_number(a, row, text, v);
	case PARAM_TEXT:
		return read_text(a, row, text, v);
	}
	return (struct fault){ 0 };
}

/* Does a page write this when it has no value? */
static bool means_absent(const struct param *row, const char *text)
{
	if ((row->flags & PARAM_VERBATIM) != 0)
		return false;
	return *text == '\0' || streq(text, "undefined") || streq(text, "null") ||
	    (streq(text, "NaN") && row->type != PARAM_TEXT);
}

/* ---- the rows ------------------------------------------------------------------------- */

static void tell(struct arena *a, struct json_object *faults, const char *where,
    const struct param *row, const struct fault *f, const char *input)
{
	struct json_object *fault = reply_fault_add(a, faults, where, row->name, f->type, f->msg,
	    input != NULL ? jsn_own(a, jsn_str(input)) : NULL);

	if (f->bound != NULL) {
		struct json_object *ctx = jsn_object(a);
		jsn_add_num(ctx, f->bound, f->limit);
		jsn_add(fault, "ctx", jsn_ref(ctx));
	}
}

static void read_row(struct http_req *r, const struct param *row, struct json_object *faults,
    struct param_value *v)
{
	static const struct fault missing = { "missing", "Field required", NULL, 0 };
	const char *text = http_query(r, row->name);

	*v = (struct param_value){ 0 };
	if (text != NULL && !means_absent(row, text)) {
		struct fault f = read_value(r->mem, row, text, v);
		v->sent = v->set = f.type == NULL;
		if (v->sent)
			return;
		*v = (struct param_value){ 0 };
		if ((row->flags & PARAM_LENIENT) == 0) {
			tell(r->mem, faults, "query", row, &f, text);
			return;
		}
	}
	if (row->absent != NULL)
		v->set = read_value(r->mem, row, row->absent, v).type == NULL;
	else if ((row->flags & PARAM_REQUIRED) != 0)
		tell(r->mem, faults, "query", row, &missing, NULL);
}

bool params_read(struct http_req *r, struct http_res *w, const struct param *rows, size_t n,
    struct param_value *out)
{
	struct json_object *faults = jsn_array(r->mem);

	if (r->query_cut) {
		http_detail(w, r->mem, 414, arena_printf(r->mem,
		    "The query is longer than %d bytes.", HTTP_FIELD_MAX));
		return false;
	}
	for (size_t i = 0; i < n; i++)
		read_row(r, &rows[i], faults, &out[i]);
	if (jsn_len(faults) == 0)
		return true;
	reply_faults(r, w, faults);
	return false;
}

bool params_path(struct http_req *r, struct http_res *w, const struct param *row, const char *text)
{
	struct json_object *faults = jsn_array(r->mem);
	struct param_value v = { 0 };
	struct fault f = read_value(r->mem, row, text, &v);

	if (f.type == NULL)
		return true;
	tell(r->mem, faults, "path", row, &f, text);
	reply_faults(r, w, faults);
	return false;
}
