/*
 * Time and random ids.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

int64_t clock_mono_ms(void);      /* monotonic milliseconds */
int64_t clock_mono_us(void);      /* monotonic microseconds */
int64_t clock_wall_us(void);      /* Unix time in microseconds */
void clock_sleep_ms(int ms);

/* A condition variable whose timed waits end by clock_mono_ms(), and such an end for one. */
void clock_cond_init(pthread_cond_t *c);
struct timespec clock_at(int64_t mono_ms);

enum { CLOCK_ISO_SIZE = 32 };
/* "2026-01-03T10:15:00.123456", local time without zone (the conversation log's form). */
void clock_iso_local(char out[CLOCK_ISO_SIZE], int64_t wall_us);
/* The same in UTC, without zone suffix. */
void clock_iso_utc(char out[CLOCK_ISO_SIZE], int64_t wall_us);

enum { ID_SIZE = 72 };
/* Random bytes from getrandom(2); aborts if the kernel has none. */
void id_random(void *p, size_t n);
void id_thread(char out[ID_SIZE]);    /* "thread_" + 32 lower-case hex digits */
void id_run(char out[ID_SIZE]);       /* UUIDv4 */
void id_message(char out[ID_SIZE]);   /* 16 lower-case hex digits */
/* "session_" + Unix time in microseconds + 39 random digits: whoever knows it has the session */
void id_session(char out[ID_SIZE]);

#endif
