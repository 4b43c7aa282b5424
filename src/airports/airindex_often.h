/*
 * Writing table `often` of the index (airindex.h): which airports contain a text, for the texts that
 * many of them contain.
 */
#ifndef AIRPORTS_AIRINDEX_OFTEN_H
#define AIRPORTS_AIRINDEX_OFTEN_H

#include "airports/airindex_write.h"

enum { OFTEN = 500 };         /* a word that so many airports have is in the table */

/* `lines`: the folded texts of each airport, one behind each other with a new line between them. */
enum errcode airindex_often_write(struct db *db, const char *const *lines, size_t n, struct err *e);

#endif
