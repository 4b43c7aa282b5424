/*
 * A thread of the program's own, beside those that serve requests.
 */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/* Sanitizers need more of it. */
enum {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	THREAD_STACK = 2048 << 10,
#else
	THREAD_STACK = 256 << 10,
#endif
};

/* Start a thread with a stack of THREAD_STACK. All signals are blocked in it except
 * those of a crash, which end the process as usual. Join it. 0, or the number of the error. */
int thread_start(pthread_t *t, void *(*run)(void *), void *arg);

#endif
