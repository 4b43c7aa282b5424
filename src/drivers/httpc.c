/*
 * Easy handles are kept in a short list: a handle keeps its connections, so the next call to
 * the same host needs no handshake. One handle serves one thread at a time.
 */
#include "drivers/httpc.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { KEPT = 8 };

struct httpc {
	pthread_mutex_t lock;
	CURL *kept[KEPT];
	int n;
};

enum errcode httpc_open(struct httpc **out, struct err *e)
{
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_INTERNAL, "libcurl cannot be initialised");
	struct httpc *h = calloc(1, sizeof(*h));
	if (h == NULL)
		abort();
	pthread_mutex_init(&h->lock, NULL);
	*out = h;
	return OK;
}

void httpc_close(struct httpc *h)
{
	if (h == NULL)
		return;
	while (h->n > 0)
		curl_easy_cleanup(h->kept[--h->n]);
	pthread_mutex_destroy(&h->lock);
	free(h);
	curl_global_cleanup();
}

static CURL *take(struct httpc *h)
{
	CURL *c = NULL;
	pthread_mutex_lock(&h->lock);
	if (h->n > 0)
		c = h->kept[--h->n];
	pthread_mutex_unlock(&h->lock);
	if (c == NULL)
		c = curl_easy_init();
	else
		curl_easy_reset(c);     /* options go, connections stay */
	return c;
}

static void give(struct httpc *h, CURL *c)
{
	pthread_mutex_lock(&h->lock);
	if (h->n < KEPT) {
		h->kept[h->n++] = c;
		c = NULL;
	}
	pthread_mutex_unlock(&h->lock);
	curl_easy_cleanup(c);
}

const char *httpc_encode(struct arena *a, const char *text)
{
	static const char hex[] = "0123456789ABCDEF";
	char *out = arena_alloc(a, 3 * strlen(text) + 1), *p = out;
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;
		if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		    strchr("-._~", c) != NULL) {
			*p++ = (char)c;
		} else if (c == ' ') {
			*p++ = '+';
		} else {
			*p++ = '%';
			*p++ = hex[c >> 4];
			*p++ = hex[c & 15];
		}
	}
	return out;
}

static size_t receive(char *p, size_t size, size_t n, void *arg)
{
	struct buf *b = arg;
	buf_put(b, p, size * n);
	return b->full ? 0 : size * n;
}

/* "https://host" of a URL: all that may be shown. */
static int host_length(const char *url)
{
	const char *p = strstr(url, "://");
	p = p == NULL ? url : p + 3;
	return (int)(p - url + (long)strcspn(p, "/?#"));
}

enum errcode httpc_get(struct httpc *h, struct arena *a, const char *url, int timeout_ms,
    size_t max_bytes, struct httpc_reply *out, struct err *e)
{
	CURL *c = take(h);
	if (c == NULL)
		return err_set(e, ERR_INTERNAL, "libcurl gives no handle");
	struct buf body;
	buf_init(&body, max_bytes);
	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
	curl_easy_setopt(c, CURLOPT_USERAGENT, "aviation-agent/" AGENT_VERSION);
	curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, &body);
	CURLcode code = curl_easy_perform(c);
	enum errcode rc = OK;
	if (code == CURLE_OPERATION_TIMEDOUT) {
		rc = err_set(e, ERR_TIMEOUT, "%.*s: no answer within %d ms", host_length(url), url,
		    timeout_ms);
	} else if (body.full) {
		rc = err_set(e, ERR_UPSTREAM, "%.*s: answer larger than %zu bytes", host_length(url),
		    url, max_bytes);
	} else if (code != CURLE_OK) {
		rc = err_set(e, ERR_UPSTREAM, "%.*s: %s", host_length(url), url,
		    curl_easy_strerror(code));
	} else {
		long status = 0;
		curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
		*out = (struct httpc_reply){ (int)status, arena_strndup(a, body.p, body.n), body.n };
	}
	buf_release(&body);
	give(h, c);
	return rc;
}
