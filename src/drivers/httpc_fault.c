/*
 * What went wrong, in words that may be logged. Of an address they show scheme, host and port. Of
 * curl's own texts they show only those that cannot contain more of the address.
 */
#include "drivers/httpc_io.h"

#include <errno.h>
#include <stdio.h>

#include "base/clock.h"

void httpc_address(const char *url, char *out, size_t size)
{
	char *scheme = NULL, *host = NULL, *port = NULL;
	CURLU *u = curl_url();
	if (u != NULL && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK) {
		bool has_port = curl_url_get(u, CURLUPART_PORT, &port, 0) == CURLUE_OK;
		snprintf(out, size, "%s://%s%s%s", scheme, host, has_port ? ":" : "",
		    has_port ? port : "");
	} else {
		snprintf(out, size, "the address given");
	}
	curl_free(scheme);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(u);
}

const char *httpc_duration(char out[32], int64_t ms)
{
	if (ms % 1000 == 0)
		snprintf(out, 32, "%lld s", (long long)ms / 1000);
	else
		snprintf(out, 32, "%lld ms", (long long)ms);
	return out;
}

/* Why curl gave up. Its own text (`detail`) is shown only where it can contain nothing of the
 * address but the host. */
static const struct fault {
	CURLcode code;
	bool dropped, detail;
	const char *said;
	bool setting;                  /* asking again does not help, but changing a setting does */
} faults[] = {
	{ CURLE_URL_MALFORMAT, false, false, "is not valid; it should look like "
	    "https://host:port/path", true },
	{ CURLE_COULDNT_RESOLVE_HOST, false, false, "name not found", false },
	{ CURLE_COULDNT_RESOLVE_PROXY, false, false,
	    "name of the proxy not found (see https_proxy, http_proxy and all_proxy)", false },
	{ CURLE_UNSUPPORTED_PROTOCOL, false, false, "the server does not speak HTTP", false },
	{ CURLE_WEIRD_SERVER_REPLY, false, false, "the server does not speak HTTP", false },
	{ CURLE_PEER_FAILED_VERIFICATION, false, true, "certificate not trusted; for a private "
	    "authority set AVIATION_AGENT_CA_FILE to the file of its certificates", true },
	{ CURLE_SSL_CACERT_BADFILE, false, true,
	    "the certificates to trust cannot be read (see AVIATION_AGENT_CA_FILE)", true },
	{ CURLE_SSL_CONNECT_ERROR, false, true, "no TLS connection; is this an https:// address?",
	    false },
	{ CURLE_BAD_CONTENT_ENCODING, false, false, "the answer's compression is damaged", false },
	{ CURLE_GOT_NOTHING, true, false, NULL, false },
	{ CURLE_PARTIAL_FILE, true, false, NULL, false },
	{ CURLE_SEND_ERROR, true, true, NULL, false },
	{ CURLE_RECV_ERROR, true, true, NULL, false },
	{ CURLE_OUT_OF_MEMORY, false, false, "no memory", false },
};

static const struct fault *fault_of(CURLcode code)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].code == code)
			return &faults[i];
	return NULL;
}

enum errcode transfer_verdict(struct transfer *t, const struct httpc_request *req,
    const struct known *k, struct err *e)
{
	char where[300], time[32];
	long proxy = 0, number = 0;
	/* curl accepts a head that ends before its blank line */
	if (t->code == CURLE_OK && t->head.status != 0)
		return OK;
	const struct fault *f = fault_of(t->code == CURLE_OK ? CURLE_GOT_NOTHING : t->code);
	httpc_address(req->url, where, sizeof(where));
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &proxy);
	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &number);
	if (t->too_long && t->head.status == 0)
		return err_set(e, ERR_UPSTREAM, "%s: the head of the answer is larger than %d bytes",
		    where, HTTPC_HEAD_MAX);
	if (t->too_long)
		return err_set(e, ERR_UPSTREAM, "%s: the answer is larger than %zu bytes", where,
		    req->max_bytes);
	if (proxy >= 300)
		return err_set(e, ERR_UPSTREAM, "%s: the proxy refuses (HTTP status %ld)", where,
		    proxy);
	if (t->code == CURLE_OPERATION_TIMEDOUT)        /* curl knows no other limit of ours */
		return err_set(e, ERR_TIMEOUT, "%s: no connection within %s", where,
		    httpc_duration(time, req->connect_ms > 0 ? req->connect_ms :
		    clock_mono_ms() - k->start_ms));
	if (t->code == CURLE_COULDNT_CONNECT && number != 0) {
		errno = (int)number;
		return err_set(e, ERR_UPSTREAM, "%s: no connection: %m", where);
	}
	if (f == NULL)
		return err_set(e, ERR_UPSTREAM, "%s: %s", where, curl_easy_strerror(t->code));
	bool detail = f->detail && *t->why != '\0';
	return err_set(e, f->setting ? ERR_CONFIG : ERR_UPSTREAM, "%s: %s%s%s%s", where,
	    !f->dropped ? f->said : k->began ? "connection dropped in the middle of the answer" :
	    "connection dropped before the answer", detail ? " (" : "", detail ? t->why : "",
	    detail ? ")" : "");
}
