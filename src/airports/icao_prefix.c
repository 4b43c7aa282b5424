/*
 * The letters of ICAO location indicators (Doc 7910), as plain rows. Two letters name a state, one
 * where the state is large; three or four set apart territories with an ISO code of their own.
 */
#include "airports/icao_prefix.h"

#include <stddef.h>
#include <string.h>

static const struct {
	char letters[5], country[3];
} prefixes[] = {
	{ "AG", "SB" }, { "AN", "NR" }, { "AY", "PG" },
	{ "BG", "GL" }, { "BI", "IS" }, { "BK", "XK" },
	{ "C", "CA" },
	{ "DA", "DZ" }, { "DB", "BJ" }, { "DF", "BF" }, { "DG", "GH" }, { "DI", "CI" },
	{ "DN", "NG" }, { "DR", "NE" }, { "DT", "TN" }, { "DX", "TG" },
	{ "EB", "BE" }, { "ED", "DE" }, { "EE", "EE" }, { "EF", "FI" }, { "EG", "GB" },
	{ "EGJA", "GG" }, { "EGJB", "GG" }, { "EGJJ", "JE" }, { "EGNS", "IM" }, { "EH", "NL" },
	{ "EI", "IE" }, { "EK", "DK" }, { "EKVG", "FO" }, { "EL", "LU" }, { "EN", "NO" },
	{ "EP", "PL" }, { "ES", "SE" }, { "ET", "DE" }, { "EV", "LV" }, { "EY", "LT" },
	{ "FA", "ZA" }, { "FB", "BW" }, { "FC", "CG" }, { "FD", "SZ" }, { "FE", "CF" },
	{ "FG", "GQ" }, { "FH", "SH" }, { "FI", "MU" }, { "FJ", "IO" }, { "FK", "CM" },
	{ "FL", "ZM" }, { "FM", "MG" }, { "FMC", "KM" }, { "FMCZ", "YT" }, { "FME", "RE" },
	{ "FN", "AO" }, { "FO", "GA" }, { "FP", "ST" }, { "FQ", "MZ" }, { "FS", "SC" },
	{ "FT", "TD" }, { "FV", "ZW" }, { "FW", "MW" }, { "FX", "LS" }, { "FY", "NA" },
	{ "FZ", "CD" },
	{ "GA", "ML" }, { "GB", "GM" }, { "GC", "ES" }, { "GE", "ES" }, { "GF", "SL" },
	{ "GG", "GW" }, { "GL", "LR" }, { "GM", "MA" }, { "GO", "SN" }, { "GQ", "MR" },
	{ "GS", "EH" }, { "GU", "GN" }, { "GV", "CV" },
	{ "HA", "ET" }, { "HB", "BI" }, { "HC", "SO" }, { "HD", "DJ" }, { "HE", "EG" },
	{ "HH", "ER" }, { "HK", "KE" }, { "HL", "LY" }, { "HR", "RW" }, { "HS", "SD" },
	{ "HT", "TZ" }, { "HU", "UG" },
	{ "K", "US" },
	{ "LA", "AL" }, { "LB", "BG" }, { "LC", "CY" }, { "LD", "HR" }, { "LE", "ES" },
	{ "LF", "FR" }, { "LG", "GR" }, { "LH", "HU" }, { "LI", "IT" }, { "LJ", "SI" },
	{ "LK", "CZ" }, { "LL", "IL" }, { "LM", "MT" }, { "LN", "MC" }, { "LO", "AT" },
	{ "LP", "PT" }, { "LQ", "BA" }, { "LR", "RO" }, { "LS", "CH" }, { "LT", "TR" },
	{ "LU", "MD" }, { "LV", "PS" }, { "LW", "MK" }, { "LX", "GI" }, { "LY", "RS" },
	{ "LYPG", "ME" }, { "LYTV", "ME" }, { "LZ", "SK" },
	{ "MB", "TC" }, { "MD", "DO" }, { "MG", "GT" }, { "MH", "HN" }, { "MK", "JM" },
	{ "MM", "MX" }, { "MN", "NI" }, { "MP", "PA" }, { "MR", "CR" }, { "MS", "SV" },
	{ "MT", "HT" }, { "MU", "CU" }, { "MW", "KY" }, { "MY", "BS" }, { "MZ", "BZ" },
	{ "NC", "CK" }, { "NF", "FJ" }, { "NG", "KI" }, { "NI", "NU" }, { "NL", "WF" },
	{ "NS", "WS" }, { "NST", "AS" }, { "NT", "PF" }, { "NV", "VU" }, { "NW", "NC" },
	{ "NZ", "NZ" },
	{ "OA", "AF" }, { "OB", "BH" }, { "OE", "SA" }, { "OI", "IR" }, { "OJ", "JO" },
	{ "OK", "KW" }, { "OL", "LB" }, { "OM", "AE" }, { "OO", "OM" }, { "OP", "PK" },
	{ "OR", "IQ" }, { "OS", "SY" }, { "OT", "QA" }, { "OY", "YE" },
	{ "PA", "US" }, { "PG", "GU" }, { "PH", "US" }, { "PK", "MH" }, { "PT", "FM" },
	{ "RC", "TW" }, { "RJ", "JP" }, { "RK", "KR" }, { "RO", "JP" }, { "RP", "PH" },
	{ "SA", "AR" }, { "SB", "BR" }, { "SC", "CL" }, { "SE", "EC" }, { "SF", "FK" },
	{ "SG", "PY" }, { "SK", "CO" }, { "SL", "BO" }, { "SM", "SR" }, { "SO", "GF" },
	{ "SP", "PE" }, { "SU", "UY" }, { "SV", "VE" }, { "SY", "GY" },
	{ "TA", "AG" }, { "TB", "BB" }, { "TD", "DM" }, { "TF", "GP" }, { "TFFF", "MQ" },
	{ "TG", "GD" }, { "TI", "VI" }, { "TJ", "PR" }, { "TK", "KN" }, { "TL", "LC" },
	{ "TN", "BQ" }, { "TNCA", "AW" }, { "TNCC", "CW" }, { "TQ", "AI" }, { "TR", "MS" },
	{ "TT", "TT" }, { "TU", "VG" }, { "TV", "VC" }, { "TX", "BM" },
	{ "UA", "KZ" }, { "UB", "AZ" }, { "UC", "KG" }, { "UD", "AM" }, { "UE", "RU" },
	{ "UG", "GE" }, { "UH", "RU" }, { "UI", "RU" }, { "UK", "UA" }, { "UL", "RU" },
	{ "UM", "BY" }, { "UMKK", "RU" }, { "UN", "RU" }, { "UO", "RU" }, { "UR", "RU" },
	{ "US", "RU" }, { "UT", "UZ" }, { "UTA", "TM" }, { "UTD", "TJ" }, { "UU", "RU" },
	{ "UW", "RU" },
	{ "VA", "IN" }, { "VC", "LK" }, { "VD", "KH" }, { "VE", "IN" }, { "VG", "BD" },
	{ "VH", "HK" }, { "VI", "IN" }, { "VL", "LA" }, { "VM", "MO" }, { "VN", "NP" },
	{ "VO", "IN" }, { "VQ", "BT" }, { "VR", "MV" }, { "VT", "TH" }, { "VV", "VN" },
	{ "VY", "MM" },
	{ "WA", "ID" }, { "WB", "MY" }, { "WI", "ID" }, { "WM", "MY" }, { "WP", "TL" },
	{ "WQ", "ID" }, { "WR", "ID" }, { "WS", "SG" },
	{ "Y", "AU" },
	{ "Z", "CN" }, { "ZK", "KP" }, { "ZM", "MN" },
};

const char *icao_prefix_country(const char *text)
{
	const char *best = NULL;
	size_t length = 0;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i].letters);
		if (n > length && strncmp(text, prefixes[i].letters, n) == 0) {
			best = prefixes[i].country;
			length = n;
		}
	}
	return best;
}
