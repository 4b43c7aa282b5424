/*
 * Notices in memory by ident, as both of their files are held (fact_file.h).
 */
#ifndef AIRPORTS_NOTICE_TABLE_H
#define AIRPORTS_NOTICE_TABLE_H

#include "airports/fact_file.h"
#include "airports/notice.h"

struct notice_table {
	struct fact_content content;
	struct notice **slot;         /* the first row of an airport; the others follow it */
	size_t nslots;                /* a power of two */
	size_t rows, airports, failed, broken;
};

/* An empty table with room for so many airports. */
struct notice_table *notice_table_new(struct arena *mem, size_t airports);
/* Add a row in its place among the airport's rows. */
void notice_table_add(struct notice_table *t, struct notice *n);
struct notice *notice_table_find(const struct notice_table *t, const char *icao);

/* The readers of the two files: the table ga_notification_requirements of GA_NOTIFICATIONS_DB, and
 * the customs texts in aip_entries of AIRPORTS_DB. */
fact_read_fn notice_db_read, notice_aip_read;

/* A notice from the text of an AIP entry; NULL: nothing can be read from it. */
struct notice *notice_of_text(struct arena *a, const char *icao, const char *text);
/* The same from a reading of the text, which may end before the notice. */
struct notice *notice_of_reading(struct arena *a, const char *icao, const char *text,
    const struct notice_reading *r);
/* The hours in a value such as "24h notice"; NaN: none. */
double notice_hours_in(const char *text);

#endif
