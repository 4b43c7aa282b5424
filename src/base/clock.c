/*
 * Time and random ids. Ids come only from the kernel's generator: whoever knows a thread id may
 * read the thread, so it is 128 bits that nobody can guess.
 */
#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/str.h"

static int64_t now_us(clockid_t id)
{
	struct timespec ts;
	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t clock_mono_us(void) { return now_us(CLOCK_MONOTONIC); }
int64_t clock_mono_ms(void) { return now_us(CLOCK_MONOTONIC) / 1000; }
int64_t clock_wall_us(void) { return now_us(CLOCK_REALTIME); }

void clock_sleep_ms(int ms)
{
	struct timespec ts = { ms / 1000, (long)(ms % 1000) * 1000000 };
	while (nanosleep(&ts, &ts) == -1 && errno == EINTR)
		;
}

struct timespec clock_at(int64_t mono_ms)
{
	return (struct timespec){ (time_t)(mono_ms / 1000), (long)(mono_ms % 1000) * 1000000 };
}

void clock_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(c, &attr);
	pthread_condattr_destroy(&attr);
}

static void iso(char out[CLOCK_ISO_SIZE], const struct tm *tm, int64_t wall_us)
{
	size_t n = strftime(out, CLOCK_ISO_SIZE, "%Y-%m-%dT%H:%M:%S", tm);
	snprintf(out + n, CLOCK_ISO_SIZE - n, ".%06d", (int)(wall_us % 1000000));
}

void clock_iso_local(char out[CLOCK_ISO_SIZE], int64_t wall_us)
{
	time_t t = (time_t)(wall_us / 1000000);
	struct tm tm;
	localtime_r(&t, &tm);
	iso(out, &tm, wall_us);
}

void clock_iso_utc(char out[CLOCK_ISO_SIZE], int64_t wall_us)
{
	time_t t = (time_t)(wall_us / 1000000);
	struct tm tm;
	gmtime_r(&t, &tm);
	iso(out, &tm, wall_us);
}

void id_random(void *p, size_t n)
{
	unsigned char *at = p;
	while (n > 0) {
		ssize_t got = getrandom(at, n, 0);
		if (got == -1 && errno == EINTR)
			continue;
		if (got <= 0) {
			fputs("getrandom failed: no source of random ids\n", stderr);
			abort();
		}
		at += got;
		n -= (size_t)got;
	}
}

void id_thread(char out[ID_SIZE])
{
	unsigned char r[16];
	id_random(r, sizeof(r));
	memcpy(out, "thread_", 7);
	hex_put(out + 7, r, sizeof(r));
}

void id_run(char out[ID_SIZE])
{
	unsigned char r[16];
	id_random(r, sizeof(r));
	r[6] = (unsigned char)((r[6] & 0x0f) | 0x40);   /* version 4 */
	r[8] = (unsigned char)((r[8] & 0x3f) | 0x80);   /* variant 10 */
	static const unsigned char groups[] = { 4, 2, 2, 2, 6 };
	size_t at = 0;
	for (size_t g = 0; g < sizeof(groups); g++) {
		if (g > 0)
			*out++ = '-';
		out = hex_put(out, r + at, groups[g]);
		at += groups[g];
	}
}

void id_message(char out[ID_SIZE])
{
	unsigned char r[8];
	id_random(r, sizeof(r));
	hex_put(out, r, sizeof(r));
}

/* 13 digits are a little more than 43 bits, so three times a 64-bit number modulo 10^13 make 128: what
 * the modulo prefers is less than one part in 10^6. */
void id_session(char out[ID_SIZE])
{
	const uint64_t parts = 10000000000000;
	uint64_t r[3];
	id_random(r, sizeof(r));
	snprintf(out, ID_SIZE, "session_%lld%013llu%013llu%013llu", (long long)clock_wall_us(),
	    (unsigned long long)(r[0] % parts), (unsigned long long)(r[1] % parts),
	    (unsigned long long)(r[2] % parts));
}
