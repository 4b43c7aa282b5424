/*
 * crypt(3) works in memory that the caller lends. That memory is cleared before it is freed, because it
 * holds the password.
 */
#include "drivers/password.h"

#include <crypt.h>
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/heap.h"

enum {
	COST = 6,
	AT_ONCE = 2,
	WAITING_MAX = 16,
	WAIT_MS = 5000,
};

static const char METHOD[] = "$y$";

static struct {
	pthread_once_t once;
	pthread_mutex_t lock;
	pthread_cond_t freed;
	int running, waiting;
	/* a hash that no password fits, for names without a user */
	char nobody[PASSWORD_HASH_SIZE];
} desk = { .once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER };

/* False: too many work and wait already, or no place became free in time. */
static bool take_place(void)
{
	const struct timespec until = clock_at(clock_mono_ms() + WAIT_MS);
	int rc = 0;

	pthread_mutex_lock(&desk.lock);
	bool ours = desk.running < AT_ONCE;
	if (!ours && desk.waiting < WAITING_MAX) {
		desk.waiting++;
		while (desk.running >= AT_ONCE && rc == 0)
			rc = pthread_cond_timedwait(&desk.freed, &desk.lock, &until);
		desk.waiting--;
		ours = desk.running < AT_ONCE;
	}
	desk.running += ours;
	pthread_mutex_unlock(&desk.lock);
	return ours;
}

static void free_place(void)
{
	pthread_mutex_lock(&desk.lock);
	desk.running--;
	pthread_cond_signal(&desk.freed);
	pthread_mutex_unlock(&desk.lock);
}

/* `setting` is a method with a salt, or a hash. */
static enum errcode make(char out[PASSWORD_HASH_SIZE], const char *password, const char *setting,
    struct err *e)
{
	if (strlen(password) > PASSWORD_BYTES_MAX)
		return err_set(e, ERR_INPUT, "a password has at most %d bytes", PASSWORD_BYTES_MAX);
	struct crypt_data *d = heap_new(sizeof(*d));
	const char *hash = crypt_rn(password, setting, d, sizeof(*d));
	enum errcode rc = hash != NULL && strlen(hash) < PASSWORD_HASH_SIZE ? OK :
	    err_set(e, ERR_INTERNAL, "crypt: the password could not be hashed");

	if (rc == OK)
		memcpy(out, hash, strlen(hash) + 1);
	explicit_bzero(d, sizeof(*d));
	free(d);
	return rc;
}

static enum errcode make_new(char out[PASSWORD_HASH_SIZE], const char *password, struct err *e)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];

	if (crypt_gensalt_rn(METHOD, COST, NULL, 0, setting, sizeof(setting)) == NULL)
		return err_set(e, ERR_INTERNAL, "crypt: no yescrypt in this system's libcrypt");
	return make(out, password, setting, e);
}

static void set_up(void)
{
	struct err e;

	clock_cond_init(&desk.freed);
	(void)make_new(desk.nobody, "nobody", &e);
}

enum errcode password_hash(char out[PASSWORD_HASH_SIZE], const char *password, struct err *e)
{
	pthread_once(&desk.once, set_up);
	if (!take_place())
		return err_set(e, ERR_OVERLOAD, "too many passwords are being checked");
	enum errcode rc = make_new(out, password, e);
	free_place();
	return rc;
}

/* Compares all bytes, whichever differs first. */
static bool same(const char *a, const char *b)
{
	const size_t n = strlen(a);
	volatile unsigned char diff = 0;

	if (strlen(b) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		diff |= (unsigned char)(a[i] ^ b[i]);
	return diff == 0;
}

enum errcode password_check(const char *hash, const char *password, bool *right, struct err *e)
{
	char made[PASSWORD_HASH_SIZE];

	*right = false;
	pthread_once(&desk.once, set_up);
	if (!take_place())
		return err_set(e, ERR_OVERLOAD, "too many passwords are being checked");
	enum errcode rc = make(made, password, hash != NULL ? hash : desk.nobody, e);
	free_place();
	*right = rc == OK && hash != NULL && same(made, hash);
	return rc;
}
