/*
 * The tables of a euro_aip database, version 1, as its library creates them.
 */
#ifndef AIRPORTS_EURO_AIP_SCHEMA_H
#define AIRPORTS_EURO_AIP_SCHEMA_H

extern const char euro_aip_tables[];    /* CREATE TABLE statements */
extern const char euro_aip_indexes[];   /* CREATE INDEX statements: after the rows, that is faster */

#endif
