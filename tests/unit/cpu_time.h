/* What a test that limits a cost may look at: processor time, not the clock on the wall. */
#ifndef TESTS_UNIT_CPU_TIME_H
#define TESTS_UNIT_CPU_TIME_H

#include <stdint.h>
#include <time.h>

/* This thread's processor time, which other programs hardly change. */
static inline int64_t test_cpu_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

#endif
