/*
 * The shapes of results, as JSON schemas: what clients check a result against, and what programs that call
 * a tool may rely on. There is one for each kind of result that always has the same members. Nothing but the
 * listed members is promised, and more may be there.
 */
#include "edges/mcp_call.h"

#define TEXT_OR_NULL "{\"type\":[\"string\",\"null\"]}"
#define NUMBER_OR_NULL "{\"type\":[\"number\",\"null\"]}"

#define AIRPORT_MEMBERS \
	"\"ident\":{\"type\":\"string\"},\"name\":" TEXT_OR_NULL ",\"municipality\":" TEXT_OR_NULL \
	",\"country\":" TEXT_OR_NULL ",\"latitude_deg\":" NUMBER_OR_NULL ",\"longitude_deg\":" NUMBER_OR_NULL \
	",\"longest_runway_length_ft\":" NUMBER_OR_NULL ",\"point_of_entry\":{\"type\":\"boolean\"}"

#define AIRPORT(more) "{\"type\":\"object\",\"properties\":{" AIRPORT_MEMBERS more "},\"required\":[\"ident\"]}"

#define LIST_OF(item) "{\"type\":\"array\",\"items\":" item "}"

#define SHAPE(members) "{\"type\":\"object\",\"properties\":{" members "}}"

#define FOUND "\"found\":{\"type\":\"boolean\"},\"pretty\":{\"type\":\"string\"}"

/* `unrecorded`: airports that may fit, with the filters for which they have no data. */
#define AIRPORTS(more) \
	FOUND ",\"count\":{\"type\":\"integer\"},\"total_found\":{\"type\":\"integer\"},\"airports\":" \
	LIST_OF(AIRPORT(more)) ",\"unrecorded\":" LIST_OF(AIRPORT(more ",\"unrecorded\":" LIST_OF("{\"type\":\"string\"}")))

#define DISTANCES ",\"distance_nm\":{\"type\":\"number\"}"
#define ALONG ",\"segment_distance_nm\":{\"type\":\"number\"},\"enroute_distance_nm\":{\"type\":\"number\"}"

#define OBJECTS LIST_OF("{\"type\":\"object\"}")

static const char *const shapes[RESULT__MAX] = {
	[RESULT_AIRPORTS_FOUND] = SHAPE(AIRPORTS("")),
	[RESULT_AIRPORTS_NEAR] = SHAPE(AIRPORTS(DISTANCES)),
	[RESULT_AIRPORTS_ROUTE] = SHAPE(AIRPORTS(ALONG)),
	[RESULT_AIRPORT] = SHAPE(FOUND ",\"airport\":" AIRPORT("") ",\"runways\":" OBJECTS ",\"aip_data\":" OBJECTS
	    ",\"frequencies\":" OBJECTS),
	[RESULT_NOTICE] = SHAPE(FOUND ",\"icao\":{\"type\":\"string\"},\"hours_notice\":" NUMBER_OR_NULL
	    ",\"summary\":" TEXT_OR_NULL ",\"phone\":" TEXT_OR_NULL ",\"email\":" TEXT_OR_NULL),
	[RESULT_RULES_ANSWER] = SHAPE("\"found\":{\"type\":\"boolean\"},\"country_code\":{\"type\":\"string\"},"
	    "\"count\":{\"type\":\"integer\"},\"rules\":" OBJECTS),
	[RESULT_RULES_PAGE] = SHAPE("\"found\":{\"type\":\"boolean\"},\"country_code\":{\"type\":\"string\"},"
	    "\"total\":{\"type\":\"integer\"},\"rules\":" OBJECTS),
	[RESULT_RULES_COMPARISON] = SHAPE("\"found\":{\"type\":\"boolean\"},\"countries\":"
	    LIST_OF("{\"type\":\"string\"}") ",\"differences\":" OBJECTS),
};

static const char ask_shape[] = "{\"type\":\"object\",\"properties\":{\"answer\":{\"type\":\"string\"},"
    "\"thread\":{\"type\":\"string\"},\"airports\":" LIST_OF("{\"type\":\"string\"}")
    "},\"required\":[\"answer\",\"thread\"]}";

const char *mcp_shape_of(const struct tool *t)
{
	return t == &mcp_ask_row ? ask_shape : shapes[t->result];
}
