/*
 * The grammar of numbers: quantities, times, dates, places in a list. It knows no language; the words for
 * numbers, units and days come from the vocabulary, as the file of "common" describes.
 *
 * Kinds and what their values look like:
 *   number     "8", "2500", "2.5"      bare, with or without a unit behind it
 *   length     "800m", "2500ft", "30nm", "50km", "20mi"
 *   duration   "30min", "1.5h", "2d"
 *   money      "20eur", "15gbp"        the ISO code of the currency, or what stands for it
 *   speed      "120kt", "200kmh", "110mph"
 *   mass, volume   "70kg", "100l"
 *   time       "14:00"                 a clock time for sure
 *   time.bare  "14:00"                 four digits, which may be one
 *   hour       "09:00"                 a small number after "at"
 *   day        "25-12"                 day and month, as the vocabulary's "monday" and "holiday"
 *   ordinal    "2", "-1"               which one of a list
 *   aircraft.shape  "p2008"            letters and digits, as types of aircraft are written
 * A quantity also has its unit as a kind of its own without a value ("length.ft"), and a number how large it
 * is ("number.3": three digits).
 */
#ifndef LANGUAGE_QUANTITY_H
#define LANGUAGE_QUANTITY_H

#include "language/evidence.h"
#include "language/vocabulary.h"

/* To be asked after the source of the vocabulary, because it reads what that one found. The vocabulary must
 * outlive it. */
struct evidence_source quantity_source(const struct vocabulary *v);

#endif
