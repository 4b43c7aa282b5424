/*
 * The parts of an airport in the shapes of the original service.
 */
#ifndef EDGES_AIRPORT_JSON_H
#define EDGES_AIRPORT_JSON_H

#include "airports/airdb.h"
#include "airports/notice.h"
#include "base/buf.h"

/* Each puts one object; `ident` is that of the airport. */
void runway_put(struct arena *a, struct buf *b, const char *ident, const struct runway *v);
void procedure_put(struct buf *b, const struct procedure *v);
/* `notice`: what is known of the airport's notice periods, or NULL; it is shown with field 302. */
void aip_entry_put(struct arena *a, struct buf *b, const char *ident, const struct aip_entry *v,
    const struct notice *notice);

/* The address, if a page may offer it as a link: http or https. Else NULL. */
const char *web_link(const char *url);

#endif
