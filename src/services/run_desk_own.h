/*
 * What run_desk.c (the thread, and the runs of this process) and run_follow.c (the runs that are followed) share.
 */
#ifndef SERVICES_RUN_DESK_OWN_H
#define SERVICES_RUN_DESK_OWN_H

#include "services/run_desk.h"
#include "services/store_backend.h"

enum { RUN_DESK_BUCKETS = 64 };

struct run_chunk {
	struct run_chunk *next;
	int refs;                       /* guarded by the desk's lock */
	struct run_group group;
	char bytes[];
};

struct run_followed {
	struct run_followed *link;
	char run_id[48];
	struct run_follower *followers;         /* none: it is freed when it is not busy */
	struct run_chunk *oldest, *newest;
	size_t bytes;
	/* the newest event that the list has, or would begin behind; -1: not known yet */
	int64_t last;
	bool ended, overdue, gone, news, busy;
	int64_t looked_ms;
	int64_t rest_ms;                /* it could not be read and is left alone until then; 0: it was read */
};

struct run_desk {
	struct store *store;
	struct store_listener *listener;
	pthread_mutex_t lock;           /* guards all that follows */
	struct run_slot *slots[RUN_DESK_BUCKETS];
	int nslots, ncancelled;
	struct run_followed *followed;
	bool started, stop;
	pthread_t thread;
};

/* Call these with the desk's lock held. */

/* Start the thread if it does not run. Without it, runs notice that they are to stop when they renew their
 * leases, and followers read for themselves. */
void run_desk_start(struct run_desk *d);
/* Read the followed runs that are due, up to the first that cannot be read: a failure may take long, and
 * then the thread must look which runs are asked to stop. Gives up the lock meanwhile. True: others are due. */
bool run_desk_look(struct run_desk *d);
/* The followed runs that the news may be about are due. */
void run_desk_note(struct run_desk *d, const struct store_news *n);

#endif
