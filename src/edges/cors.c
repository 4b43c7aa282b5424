/*
 * CORS as the browser client of the service needs it: listed origins only, credentials
 * allowed, GET and POST, any request header. An origin is compared whole and exactly as the
 * browser sends it, and echoed from our own list, never from the request.
 */
#include "edges/cors.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"

static bool looks_like_origin(const char *s)
{
	const char *rest = strstr(s, "://");
	return rest != NULL && rest != s && rest[3] != '\0' && strpbrk(rest + 3, "/?#*") == NULL;
}

void cors_init(struct cors *c, struct arena *a, const char *list)
{
	static const char blanks[] = ", \t\r\n";
	*c = (struct cors){ 0 };
	if (list == NULL)
		return;
	c->origins = arena_array(a, strlen(list) / 2 + 1, sizeof(*c->origins));
	for (const char *p = list + strspn(list, blanks); *p != '\0'; p += strspn(p, blanks)) {
		size_t n = strcspn(p, blanks);
		char *origin = arena_strndup(a, p, n);
		p += n;
		if (n > 0 && origin[n - 1] == '/')
			origin[n - 1] = '\0';
		if (looks_like_origin(origin))
			c->origins[c->n++] = origin;
		else
			log_msg(LOG_WARN, "cors",
			    "origin=%s is not of the form https://host[:port]: ignored", origin);
	}
}

static const char *listed(const struct cors *c, const struct http_req *r)
{
	for (size_t i = 0; i < c->n; i++)
		if (streq(r->field[FIELD_ORIGIN], c->origins[i]))
			return c->origins[i];
	return NULL;
}

/* Is this a page of the host to which the request was sent? */
static bool own(const struct http_req *r)
{
	const char *rest = strstr(r->field[FIELD_ORIGIN], "://");
	return rest != NULL && strieq(rest + 3, r->field[FIELD_HOST]);
}

bool cors_listed(const struct cors *c, const struct http_req *r)
{
	return r->field[FIELD_ORIGIN] != NULL && listed(c, r) != NULL;
}

bool cors_foreign(const struct cors *c, const struct http_req *r)
{
	return r->field[FIELD_ORIGIN] != NULL && listed(c, r) == NULL && !own(r);
}

void cors_fields(const struct cors *c, const struct http_req *r, struct http_res *w)
{
	const char *origin = listed(c, r);
	if (c->n > 0)
		http_field(w, "Vary", "Origin");
	if (origin == NULL)
		return;
	http_field(w, "Access-Control-Allow-Origin", origin);
	http_field(w, "Access-Control-Allow-Credentials", "true");
	http_field(w, "Access-Control-Expose-Headers", "X-Session-ID, X-Run-ID, Retry-After");
}

bool cors_is_preflight(const struct http_req *r)
{
	return r->method == HTTP_OPTIONS && r->field[FIELD_ORIGIN] != NULL
	    && r->field[FIELD_ACR_METHOD] != NULL;
}

void cors_preflight(const struct cors *c, const struct http_req *r, struct http_res *w)
{
	const char *method = r->field[FIELD_ACR_METHOD], *headers = r->field[FIELD_ACR_HEADERS];

	if (listed(c, r) == NULL) {
		http_detail(w, r->mem, 400, "Origin not allowed");
		return;
	}
	if (!one_of(method, "GET|POST|PATCH|DELETE")) {
		http_detail(w, r->mem, 400, "Method not allowed");
		return;
	}
	http_field(w, "Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE");
	http_field(w, "Access-Control-Max-Age", "600");
	if (headers != NULL)
		http_field(w, "Access-Control-Allow-Headers", headers);
	http_begin(w, 204, NULL, HTTP_LENGTH_UNKNOWN);
	http_end(w);
}
