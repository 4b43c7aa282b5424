/*
 * The nearest airport to a point, and the nearest one within a country.
 */
#include "airports/place.h"

#include <math.h>

#include "airports/airindex.h"
#include "airports/geo.h"
#include "base/str.h"

struct nearest {
	struct point at;
	const char *country;
	bool all_idents;
	double best[2];               /* anywhere; in the country */
	int64_t row[2];
};

static bool consider(void *arg, const struct airport *a)
{
	struct nearest *n = arg;
	double d;

	if (!n->all_idents && !(a->flags & AF_ICAO4))
		return true;
	d = geo_distance_nm(n->at, (struct point){ a->lat, a->lon });
	for (int i = 0; i < 2; i++) {
		if (i == 1 && (n->country == NULL || !strieq(a->country, n->country)))
			continue;
		/* a tie goes to the first in table order, whatever the order of visits */
		if (d < n->best[i] || (d == n->best[i] && (n->row[i] == 0 || a->row < n->row[i]))) {
			n->best[i] = d;
			n->row[i] = a->row;
		}
	}
	return true;
}

enum errcode place_nearest(struct aircon *con, struct arena *a, double lat, double lon,
    const char *country, double max_nm, struct airport *out, double *distance_nm, bool *found,
    struct err *e)
{
	struct nearest n = { { lat, lon }, country, aircon_all_idents(con), { max_nm, max_nm }, { 0, 0 } };
	double dlat = max_nm / 60 * 1.01, reach = fabs(lat) + dlat, dlon = 180;
	struct airbox box = { lat - dlat, lat + dlat, -180, 180 };
	enum errcode rc;
	int i;

	*found = false;
	if (reach < 89) {
		dlon = dlat / cos(reach * 3.14159265358979323846 / 180);
		if (dlon < 180) {
			box.west = lon - dlon;
			box.east = lon + dlon;
		}
	}
	rc = airindex_boxes(con, &box, 1, consider, &n, e);
	i = n.row[1] > 0 ? 1 : 0;
	if (rc != OK || n.row[i] == 0)
		return rc;
	*found = true;
	*distance_nm = n.best[i];
	return airdb_by_rows(con, a, &n.row[i], 1, out, e);
}
