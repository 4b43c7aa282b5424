/*
 * The SQL side of a handle on the airport database.
 */
#ifndef AIRPORTS_AIRCON_H
#define AIRPORTS_AIRCON_H

#include "airports/airdb.h"
#include "drivers/db.h"

/* The handle's connection, for db_query(); NULL with the reason: it got none. Schema main: the
 * index; schema "src": the source. */
struct db *aircon_db(struct aircon *con, struct err *e);
/* Report that a read of the index failed as if the file were damaged. The index is built anew once
 * the connection is given back. */
void aircon_damaged(struct aircon *con);
/* db_end() of a statement on the index. ERR_DATA is reported as damage. */
enum errcode aircon_end(struct aircon *con, struct db_stmt *s, enum db_step last, struct err *e);
/* Does the source have this column? Not every program that writes such a database has all of them. */
bool source_has(struct aircon *con, const char *table, const char *column, struct err *e);
/* Has the connection imported places? Then schema "places" is as in places_import.h. */
bool aircon_has_places(const struct aircon *con);
/* A read of them failed; they are not used any more on this connection. */
void aircon_lose_places(struct aircon *con, const char *why);
bool aircon_all_idents(const struct aircon *con);

#endif
