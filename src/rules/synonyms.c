/*
 * All rows of terms. The rows are in synonyms_*.c by subject; languages and callsigns, which are
 * not rows, are here.
 */
#include "rules/synonyms.h"

const struct synonyms *const synonyms[] = {
	&synonyms_radio, &synonyms_airspace, &synonyms_airfields, &synonyms_plans, &synonyms_ifr,
	&synonyms_habits, &synonyms_others, &synonyms_plain,
};
const size_t nsynonyms = sizeof(synonyms) / sizeof(synonyms[0]);

/* Languages, and the phrases for speaking them, in which "?" stands for each language. */
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

/* "Langen Information", "Popham Radio": the meaning of a callsign's second word. */
const struct term_callsign term_callsigns[] = {
	{ "information", "fis" }, { "info", "fis" }, { "radio", "callsign radio" },
};
const size_t nterm_callsigns = sizeof(term_callsigns) / sizeof(term_callsigns[0]);
