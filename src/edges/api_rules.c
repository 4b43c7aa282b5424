/*
 * All rules of a country. A map may ask for several countries at once.
 *
 * A country that is not known has no rules, and that is a normal answer (200): clients draw an
 * empty panel. While no rules are loaded the answer is the same, but must not be cached.
 */
#include "edges/api.h"

#include "edges/kept.h"
#include "edges/params.h"
#include "edges/rules_page.h"

static const struct param code_param = { "country_code", PARAM_TEXT, PARAM_VERBATIM, .min = 2, .max = 3 };

enum {
	MAX_AGE_S = 60,
	ANSWER_MAX = 64 << 20,
};

void api_rules(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)rt;
	if (!params_path(r, w, &code_param, r->arg))
		return;
	const struct rules_snapshot *set = rules_use(e->parts.rules, r->mem);
	struct buf b;

	buf_init(&b, ANSWER_MAX);
	rules_page_print(&b, r->mem, set, r->arg);
	if (set != NULL) {
		kept_for(r, w, &b, MAX_AGE_S);
	} else {
		http_field(w, "Cache-Control", "no-store");
		if (http_begin(w, 200, "application/json", (int64_t)b.n) == OK && http_put(w, b.p, b.n) == OK)
			http_end(w);
	}
	buf_release(&b);
}
