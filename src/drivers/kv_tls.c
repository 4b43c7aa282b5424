/*
 * hiredis does not compare the certificate's name with the host's, so the TLS session is made here
 * and only then handed to hiredis.
 */
#include "drivers/kv_tls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_REDIS_TLS

#include <arpa/inet.h>
#include <hiredis/hiredis_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/str.h"

struct kv_tls {
	SSL_CTX *ctx;
	char name[256];                 /* expected in the certificate; "": the host's name */
};

static enum errcode unusable(const char *what, const char *file, struct err *e)
{
	char why[160];

	ERR_error_string_n(ERR_get_error(), why, sizeof(why));
	return err_set(e, ERR_CONFIG, "REDIS_URL: %s %s cannot be used: %s", what, file, why);
}

enum errcode kv_tls_open(struct kv_tls **out, const struct kv_url *u, struct err *e)
{
	struct kv_tls *t;
	enum errcode rc = OK;

	*out = NULL;
	if (!u->tls)
		return OK;
	t = heap_new(sizeof(*t));
	snprintf(t->name, sizeof(t->name), "%s", u->tls_name);
	ERR_clear_error();
	t->ctx = SSL_CTX_new(TLS_client_method());
	if (t->ctx == NULL)
		abort();                        /* fails only when memory runs out */
	SSL_CTX_set_min_proto_version(t->ctx, TLS1_2_VERSION);
	SSL_CTX_set_verify(t->ctx, SSL_VERIFY_PEER, NULL);
	if (u->ca[0] == '\0')
		SSL_CTX_set_default_verify_paths(t->ctx);
	else if (SSL_CTX_load_verify_locations(t->ctx, u->ca, NULL) != 1)
		rc = unusable("ca", u->ca, e);
	if (rc == OK && u->cert[0] != '\0' && SSL_CTX_use_certificate_chain_file(t->ctx, u->cert) != 1)
		rc = unusable("cert", u->cert, e);
	if (rc == OK && u->key[0] != '\0' &&
	    SSL_CTX_use_PrivateKey_file(t->ctx, u->key, SSL_FILETYPE_PEM) != 1)
		rc = unusable("key", u->key, e);
	if (rc != OK) {
		kv_tls_close(t);
		return rc;
	}
	*out = t;
	return OK;
}

void kv_tls_close(struct kv_tls *t)
{
	if (t == NULL)
		return;
	SSL_CTX_free(t->ctx);
	free(t);
}

static bool expect_name(SSL *ssl, const char *name)
{
	struct in6_addr address;

	if (inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1)
		return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1;
	return SSL_set1_host(ssl, name) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1;
}

bool kv_tls_start(struct kv_tls *t, redisContext *c, const char *host, int ms)
{
	const struct timeval step = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 + 1 };
	SSL *ssl = SSL_new(t->ctx);

	if (ssl == NULL)
		abort();                        /* fails only when memory runs out */
	ERR_clear_error();
	if (!expect_name(ssl, t->name[0] != '\0' ? t->name : host)) {
		snprintf(c->errstr, sizeof(c->errstr), "the name of the server cannot be used for TLS");
		SSL_free(ssl);
		return false;
	}
	redisSetTimeout(c, step);
	if (redisInitiateSSL(c, ssl) == REDIS_OK)
		return true;                    /* the session belongs to the connection now */
	long verdict = SSL_get_verify_result(ssl);
	if (verdict != X509_V_OK)
		snprintf(c->errstr, sizeof(c->errstr), "TLS: the certificate is not accepted: %s",
		    X509_verify_cert_error_string(verdict));
	SSL_free(ssl);
	return false;
}

ssize_t kv_tls_read(redisContext *c, char *p, size_t n)
{
	if (c->privctx == NULL)
		return read(c->fd, p, n);
	ssize_t got = c->funcs->read(c, p, n);
	if (got > 0)
		return got;
	/* hiredis says 0 for "later" and -1 for the end and for errors, which are in c->errstr */
	errno = got == 0 ? EAGAIN : c->err == REDIS_ERR_EOF ? 0 : EIO;
	return c->err == REDIS_ERR_EOF ? 0 : -1;
}

#else

enum errcode kv_tls_open(struct kv_tls **out, const struct kv_url *u, struct err *e)
{
	*out = NULL;
	if (!u->tls)
		return OK;
	return err_set(e, ERR_CONFIG, "REDIS_URL: this program was built without TLS for Redis, which needs "
	    "hiredis 1.0 or later with its SSL library. Run stunnel on this host (client = yes, accept = "
	    "127.0.0.1:6390, connect = %s:%d) and set REDIS_URL to redis://127.0.0.1:6390; doc/redis.md has "
	    "the whole file", u->host[0].name, u->host[0].port);
}

void kv_tls_close(struct kv_tls *t)
{
	(void)t;
}

bool kv_tls_start(struct kv_tls *t, redisContext *c, const char *host, int ms)
{
	(void)t, (void)c, (void)host, (void)ms;
	return false;
}

ssize_t kv_tls_read(redisContext *c, char *p, size_t n)
{
	return read(c->fd, p, n);
}

#endif
