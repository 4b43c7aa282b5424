/*
 * One row per code, read by every edge: HTTP status, JSON-RPC code, exit status, log level
 * and what a user is told.
 */
#include "base/errs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

static const struct err_row rows[ERR__MAX] = {
	[OK]            = { "ok",                  200,      0, 0, LOG_DEBUG, NULL },
	[ERR_INPUT]     = { "invalid_request",     422, -32602, 2, LOG_INFO,
	    "The request is not valid." },
	[ERR_NOTFOUND]  = { "not_found",           404, -32601, 2, LOG_INFO, "Not Found" },
	[ERR_METHOD]    = { "method_not_allowed",  405, -32601, 2, LOG_INFO, "Method Not Allowed" },
	[ERR_TOOBIG]    = { "too_large",           413, -32602, 2, LOG_INFO,
	    "The request is too large." },
	[ERR_MEDIA]     = { "unsupported_media_type", 415, -32602, 2, LOG_INFO,
	    "The request body must be JSON (Content-Type: application/json)." },
	[ERR_AUTH]      = { "unauthorized",        401, -32000, 2, LOG_INFO, "Please sign in." },
	[ERR_BUSY]      = { "thread_busy",         409, -32000, 5, LOG_INFO,
	    "This conversation is already being answered. Please wait for that answer." },
	[ERR_OVERLOAD]  = { "overloaded",          503, -32000, 5, LOG_WARN,
	    "The service is busy. Please try again in a moment." },
	[ERR_LIMIT]     = { "limit_reached",       429, -32000, 5, LOG_INFO,
	    "Too many requests. Please try again later." },
	[ERR_PREPARING] = { "being_prepared",      503, -32000, 5, LOG_INFO,
	    "The airport database is being prepared. Please ask again in a moment.", true },
	[ERR_PLANNER]   = { "planner_failed",      502, -32000, 3, LOG_WARN,
	    "The question could not be turned into a plan." },
	[ERR_TOOL]      = { "tool_failed",         502, -32000, 3, LOG_WARN,
	    "The look-up failed." },
	[ERR_FORMATTER] = { "formatter_failed",    502, -32000, 3, LOG_WARN,
	    "The answer could not be written." },
	[ERR_UPSTREAM]  = { "upstream_failed",     502, -32000, 3, LOG_WARN,
	    "A service this answer needs did not respond properly." },
	[ERR_TIMEOUT]   = { "timeout",             504, -32000, 4, LOG_WARN,
	    "The answer took too long." },
	[ERR_STEPS]     = { "too_many_steps",      502, -32000, 3, LOG_WARN,
	    "The answer needed more steps than are allowed." },
	[ERR_STORE]     = { "store_unavailable",   503, -32000, 6, LOG_ERROR,
	    "Conversations cannot be saved at the moment. Please try again shortly." },
	[ERR_UNSURE]    = { "save_unknown",        503, -32000, 6, LOG_ERROR,
	    "This turn may not have been saved. If the conversation has forgotten it, please send it "
	    "again." },
	[ERR_DATA]      = { "data_unavailable",    503, -32000, 7, LOG_ERROR,
	    "Airports cannot be looked up here at the moment, because the airport database is not "
	    "available.", true },
	[ERR_CONFIG]    = { "not_configured",      503, -32000, 8, LOG_ERROR,
	    "The service is not configured correctly." },
	[ERR_IO]        = { "io_error",            500, -32603, 9, LOG_ERROR,
	    "The service could not read or write what it needed." },
	[ERR_LOST]      = { "worker_lost",         503, -32000, 5, LOG_WARN,
	    "The answer broke off, because the service that worked on it stopped. Please ask again." },
	[ERR_HUP]       = { "client_gone",           0,      0, 0, LOG_DEBUG, NULL },
	[ERR_INTERNAL]  = { "internal_error",      500, -32603, 1, LOG_ERROR,
	    "Something went wrong inside the service." },
};

const struct err_row *err_row(enum errcode code)
{
	if ((int)code < 0 || code >= ERR__MAX)
		code = ERR_INTERNAL;
	return &rows[code];
}

enum errcode err_set(struct err *e, enum errcode code, const char *fmt, ...)
{
	if (e != NULL) {
		/* written to a second buffer first, because an argument may be e->msg itself */
		char msg[sizeof(e->msg)];
		va_list ap;
		va_start(ap, fmt);
		vsnprintf(msg, sizeof(msg), fmt, ap);
		va_end(ap);
		memcpy(e->msg, msg, sizeof(msg));
		e->code = code;
	}
	return code;
}

enum errcode err_prefix(struct err *e, const char *fmt, ...)
{
	char prefix[sizeof(e->msg)];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(prefix, sizeof(prefix) - 2, fmt, ap);
	va_end(ap);
	if (n < 0)
		return e->code;
	size_t len = (size_t)n < sizeof(prefix) - 3 ? (size_t)n : sizeof(prefix) - 3;
	memcpy(prefix + len, ": ", 2);
	len += 2;
	memmove(e->msg + len, e->msg, sizeof(e->msg) - len);
	memcpy(e->msg, prefix, len);
	e->msg[sizeof(e->msg) - 1] = '\0';
	return e->code;
}
