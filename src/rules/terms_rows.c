/*
 * All rows of terms, which are in terms_rows_*.c by subject, and what is not a row: languages,
 * callsigns.
 */
#include "rules/terms_rows.h"

const struct term_rows *const term_rows[] = {
	&term_rows_radio, &term_rows_airspace, &term_rows_airfields, &term_rows_plans, &term_rows_ifr,
	&term_rows_habits, &term_rows_others, &term_rows_plain,
};
const size_t nterm_rows = sizeof(term_rows) / sizeof(term_rows[0]);

/* Languages, and how one says that they are spoken: "?" stands for each of them. */
const char term_languages[] =
	"french german italian spanish portuguese polish dutch swedish norwegian danish finnish greek "
	"turkish hungarian czech slovak slovene slovenian croatian serbian romanian bulgarian icelandic "
	"estonian latvian lithuanian";
const char term_language_phrases[] =
	"speak ?|speaking ?|speaks ?|? only|only ?|? on the radio|? on the frequency|? radio calls|"
	"? speaking|? speaker|? speakers|? language|? phraseology|? rt|understand ?|be in ?|talk in ?|"
	"talk ?|calls in ?|call in ?|radio in ?|rt in ?|made in ?|answer in ?|reply in ?|"
	"communicate in ?|speak in ?|spoken in ?|in ? or english|in ? on the radio|learn ?|no ?|"
	"word of ?|any ?|lack of ?|my ? is|knowledge of ?|know ?|without ?|? or english|"
	"english or ?|? obligatory|? mandatory|? compulsory|? required|? necessary|? needed|? ever|"
	"use ?|using ?";
const char term_language[] = "language", term_border[] = "border";

/* "Langen Information", "Popham Radio": what a callsign's second word says. */
const struct term_callsign term_callsigns[] = {
	{ "information", "fis" }, { "info", "fis" }, { "radio", "callsign radio" },
};
const size_t nterm_callsigns = sizeof(term_callsigns) / sizeof(term_callsigns[0]);
