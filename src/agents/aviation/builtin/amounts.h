/*
 * Amounts as frames hold them ("800m", "30nm", "1.5h", "20eur"), in the units that the tools take. Pure.
 * NaN: the text is NULL, no amount, or of another kind.
 */
#ifndef AGENTS_AVIATION_BUILTIN_AMOUNTS_H
#define AGENTS_AVIATION_BUILTIN_AMOUNTS_H

struct arena;

double amount_feet(const char *text);          /* m, ft */
double amount_nm(const char *text);            /* nm, km, mi, m, ft */
double amount_hours(const char *text);         /* min, h, d */
double amount_knots(const char *text);         /* kt, kmh, mph */
double amount_number(const char *text);        /* without a unit, or whatever unit stands behind it */

/* The currency of "20eur": "EUR". NULL: there is none. */
const char *amount_currency(struct arena *a, const char *text);

#endif
