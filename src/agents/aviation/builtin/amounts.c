#include "agents/aviation/builtin/amounts.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct unit {
	const char *name;
	double factor;
};

#define UNITS(rows) rows, sizeof(rows) / sizeof((rows)[0])

static double measured(const char *text, const struct unit *units, size_t n)
{
	char *end;
	const double v = text != NULL ? strtod(text, &end) : NAN;
	if (text == NULL || end == text)
		return NAN;
	for (size_t i = 0; i < n; i++)
		if (streq(end, units[i].name))
			return v * units[i].factor;
	return NAN;
}

double amount_feet(const char *text)
{
	static const struct unit units[] = { { "ft", 1 }, { "m", 1 / 0.3048 }, { "km", 1000 / 0.3048 } };
	return measured(text, UNITS(units));
}

double amount_nm(const char *text)
{
	static const struct unit units[] = {
		{ "nm", 1 }, { "km", 1 / 1.852 }, { "mi", 1.609344 / 1.852 }, { "m", 1 / 1852.0 },
		{ "ft", 0.3048 / 1852 },
	};
	return measured(text, UNITS(units));
}

double amount_hours(const char *text)
{
	static const struct unit units[] = { { "min", 1 / 60.0 }, { "h", 1 }, { "d", 24 } };
	return measured(text, UNITS(units));
}

double amount_knots(const char *text)
{
	static const struct unit units[] = { { "kt", 1 }, { "kmh", 1 / 1.852 }, { "mph", 1.609344 / 1.852 } };
	return measured(text, UNITS(units));
}

double amount_number(const char *text)
{
	char *end;
	const double v = text != NULL ? strtod(text, &end) : NAN;
	return text == NULL || end == text ? NAN : v;
}

const char *amount_currency(struct arena *a, const char *text)
{
	char *end = NULL;
	if (text != NULL)
		(void)strtod(text, &end);
	return end == NULL || end == text || *end == '\0' ? NULL : str_upper_copy(a, end, strlen(end));
}
