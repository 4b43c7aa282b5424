/*
 * What there is to filter by, and statistics: documents that were made with the index. A row's path ends with the
 * name of its document.
 */
#include "edges/api.h"

#include <string.h>

#include "airports/airport_totals.h"
#include "edges/call.h"

/* The last two segments of a path: "filters/all". */
static const char *document_of(const char *path)
{
	const char *at = path + strlen(path);

	for (int slashes = 0; at > path; at--)
		if (at[-1] == '/' && ++slashes == 2)
			break;
	return at;
}

void api_totals(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const char *json = NULL;
	struct call c;

	if (!call_begin(&c, e, r, w, CALL_AIRPORTS))
		return;
	const enum errcode rc = airport_totals(c.con, c.mem, document_of(rt->path), &json, &c.err);
	if (rc == OK)
		buf_puts(&c.text, json);
	call_end(&c, rc);
}
