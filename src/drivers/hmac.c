#include "drivers/hmac.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

bool hmac_sha256(unsigned char out[HMAC_SIZE], struct str key, struct str data)
{
	unsigned int n = 0;
	const bool made = key.n <= INT_MAX && HMAC(EVP_sha256(), key.p, (int)key.n, (const unsigned char *)data.p,
	    data.n, out, &n) != NULL && n == HMAC_SIZE;

	/* libcrypto keeps some memory for each thread. A thread that ends while the process exits would leave it. */
	OPENSSL_thread_stop();
	return made;
}

bool sha256_hex(char out[SHA256_HEX], struct str data)
{
	unsigned char sum[HMAC_SIZE];
	unsigned int n = 0;
	const bool made = EVP_Digest(data.p, data.n, sum, &n, EVP_sha256(), NULL) == 1 && n == HMAC_SIZE;

	OPENSSL_thread_stop();
	if (made)
		hex_put(out, sum, HMAC_SIZE);
	return made;
}

bool hmac_same(const unsigned char a[HMAC_SIZE], const unsigned char b[HMAC_SIZE])
{
	return CRYPTO_memcmp(a, b, HMAC_SIZE) == 0;
}
