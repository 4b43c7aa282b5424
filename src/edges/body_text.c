#include "edges/body_text.h"

#include <string.h>

#include "base/str.h"
#include "edges/reply.h"

enum { ADDRESS_MAX = 254, LOCAL_MAX = 64 };

bool body_object(struct http_req *r, struct http_res *w, bool empty, struct json_object **out)
{
	struct err err;

	if (r->body.n == 0 && empty) {
		*out = jsn_object(r->mem);
		return true;
	}
	if (jsn_parse(r->mem, r->body.p, r->body.n, JSN_DEPTH, out, NULL, &err) != OK) {
		reply_fault(r, w, "body", NULL, "json_invalid", "JSON decode error", NULL);
		return false;
	}
	if (jsn_is(*out, json_type_object))
		return true;
	reply_fault(r, w, "body", NULL, "model_attributes_type",
	    "Input should be a valid dictionary or object to extract fields from", NULL);
	return false;
}

/* Enough to notice a slip; whether mail arrives there is another question. */
static bool is_address(const char *text)
{
	const char *at = strchr(text, '@');
	const size_t n = strlen(text);

	if (at == NULL || at == text || (size_t)(at - text) > LOCAL_MAX || n > ADDRESS_MAX ||
	    strpbrk(text, " \t\"<>(),;:\\") != NULL || str_has_control(text))
		return false;
	const char *domain = at + 1, *dot = strchr(domain, '.');
	return strchr(domain, '@') == NULL && dot != NULL && dot != domain && text[n - 1] != '.' &&
	    strstr(text, "..") == NULL;
}

static bool fault(struct http_req *r, struct http_res *w, const struct body_text *row, const char *type,
    const char *msg)
{
	/* the value is not shown again, because it may be a password */
	reply_fault(r, w, "body", row->name, type, msg, NULL);
	return false;
}

bool body_check(struct http_req *r, struct http_res *w, const struct body_text *row, const char **text)
{
	struct str s = str_of(*text);

	if ((row->flags & BODY_TRIMMED) != 0)
		s = str_trim(s);
	*text = arena_strndup(r->mem, s.p, s.n);
	const size_t n = utf8_count(s.p, s.n);
	if (n < row->min)
		return fault(r, w, row, "string_too_short", arena_printf(r->mem,
		    "String should have at least %zu character%s", row->min, row->min == 1 ? "" : "s"));
	if (n > row->max)
		return fault(r, w, row, "string_too_long", arena_printf(r->mem,
		    "String should have at most %zu characters", row->max));
	if ((row->flags & BODY_EMAIL) != 0 && !is_address(*text))
		return fault(r, w, row, "value_error", "value is not a valid email address");
	if ((row->flags & BODY_ONE_LINE) != 0 && str_has_control(*text))
		return fault(r, w, row, "value_error", "Value error, control characters are not allowed");
	if ((row->flags & BODY_NO_AT) != 0 && strchr(*text, '@') != NULL)
		return fault(r, w, row, "value_error", "Value error, @ is not allowed in a user name");
	return true;
}

static bool read_text(struct http_req *r, struct http_res *w, struct json_object *o, const struct body_text *row,
    struct body_value *out)
{
	struct json_object *v = jsn_get(o, row->name);

	*out = (struct body_value){ .given = jsn_has(o, row->name) };
	if (!out->given && (row->flags & BODY_REQUIRED) != 0)
		return fault(r, w, row, "missing", "Field required");
	if (!out->given || (v == NULL && (row->flags & BODY_NULLABLE) != 0))
		return true;
	if (!jsn_is(v, json_type_string))
		return fault(r, w, row, "string_type", "Input should be a valid string");
	out->text = json_object_get_string(v);
	if (strlen(out->text) != (size_t)json_object_get_string_len(v))
		return fault(r, w, row, "value_error", "Value error, control characters are not allowed");
	return body_check(r, w, row, &out->text);
}

bool body_texts(struct http_req *r, struct http_res *w, struct json_object *o, const struct body_text *rows,
    size_t n, struct body_value *out)
{
	for (size_t i = 0; i < n; i++)
		if (!read_text(r, w, o, &rows[i], &out[i]))
			return false;
	return true;
}
