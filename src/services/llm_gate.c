/*
 * The file holds a few numbers, mapped into each process and changed by atomic operations alone,
 * so nobody can die with a lock on them. Whatever else they say, for instance after damage or
 * a reboot, a rest that would last longer than rest_ms is cut to that.
 *
 * The breaker is one number, when the rest ends: 0 while the provider works. The call that
 * finds it in the past moves it on by another rest_ms and goes to try; for the others the rest
 * just lasts longer, until that call has answered or, should it die, until the time it set.
 *
 * A place is a locked byte behind the numbers. Locks belong to an open file, so they tell
 * processes apart but not threads: within the process a table says who has what. Who must wait
 * joins a queue of the process. A place given back here wakes the queue's head. Nobody tells of
 * one given back elsewhere, so the head also looks for itself; the others sleep. Who leaves the
 * queue wakes the next: places that come free together are taken at once.
 *
 * To look is to try locks until one holds, a millisecond when all of 512 are taken. So the head
 * first reads, every 10 to 50 ms, a number that changes when a place is given back and names the
 * place, and looks without that only once a second, for places of processes that died.
 */
#include "services/llm_gate.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"

enum { READ_MIN_MS = 10, READ_MAX_MS = 50, LOOK_MS = 1000, OWN_TURNS = 8, PLACES_MAX = 100000,
	LOCKS_AT = 4096 };

#define MAGIC UINT64_C(0x316574616741414c)      /* "LAAgate1" in the file; 1 is the version */

struct shared {
	_Atomic uint64_t magic;
	_Atomic int64_t failures;      /* in a row */
	_Atomic int64_t until;         /* end of the rest (CLOCK_BOOTTIME, ms); 0: none */
	_Atomic uint64_t freed;        /* the place given back last, below a count of them */
};
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "atomics between processes need no lock");

struct place {
	bool used;                     /* by this process */
	int64_t probe;                 /* it tries for all, and set `until` to this; 0: it does not */
};

struct waiter {
	int wake;                      /* eventfd; -1: none to be had, reads the number instead */
	uint64_t seen;                 /* `freed` when it last looked */
	int64_t look_ms;               /* when it looks next though nothing was given back */
	struct waiter *next;
};

struct llm_gate {
	int64_t queue_ms, rest_ms;
	int max_calls, max_failures;
	uint64_t id;                   /* of the provider, for file name and log */
	int fd;                        /* -1: for this process alone */
	struct shared *shared;
	pthread_mutex_t lock;          /* for all that follows */
	struct place *places;
	struct waiter *first;
	unsigned given_back;
};

static int64_t boot_ms(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int below(int n)
{
	uint32_t r;
	id_random(&r, sizeof(r));
	return (int)(r % (uint32_t)n);
}

/* -- the file -- */

static int lock_byte(int fd, short type, int place)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = LOCKS_AT + place, .l_len = 1 };
	return fcntl(fd, F_OFD_SETLK, &l);
}

/* What root makes, a check on the command line say, belongs to whom the folder belongs to:
 * the workers have to open it. */
static void hand_over(int dir, int fd, const struct stat *file)
{
	struct stat st;
	if (geteuid() == 0 && file->st_uid == 0 && fstat(dir, &st) == 0 && st.st_uid != 0 &&
	    fchown(fd, st.st_uid, st.st_gid) != 0)
		log_msg(LOG_WARN, "provider_gate", "why=\"can't give the file to its folder's owner: %s\"",
		    strerrordesc_np(errno));
}

/* The file as a descriptor, or -1 with *why. */
static int open_file(int dir, const char *name, const char **why)
{
	struct stat st;
	int fd = openat(dir, name,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0640);
	if (fd == -1) {
		*why = errno == ELOOP ? "a symbolic link: remove it" : strerrordesc_np(errno);
		return -1;
	}
	int failed = 0;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)
		*why = "not a regular file of one name: remove it";
	/* with its block on the disk: a full one must not show as a fault of the mapping later */
	else if ((failed = posix_fallocate(fd, 0, sizeof(struct shared))) != 0)
		*why = strerrordesc_np(failed);
	else if (lock_byte(fd, F_RDLCK, -1) != 0)
		*why = "its file system has no locks";
	else {
		lock_byte(fd, F_UNLCK, -1);
		hand_over(dir, fd, &st);
		return fd;
	}
	close(fd);
	return -1;
}

static struct shared *map_file(int fd, const char **why)
{
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s == MAP_FAILED) {
		*why = strerrordesc_np(errno);
		return NULL;
	}
	if (atomic_load(&s->magic) != MAGIC) {
		/* new, of another version or damaged. Two who do this at once lose nothing but
		 * a failure counted in between. */
		atomic_store(&s->failures, 0);
		atomic_store(&s->until, 0);
		atomic_store(&s->magic, MAGIC);
	}
	return s;
}

/* False: not to be had, a line in the log says why. */
static bool share(struct llm_gate *g, const char *path)
{
	char name[64];
	const char *why = NULL;
	snprintf(name, sizeof(name), "provider-%016llx.gate", (unsigned long long)g->id);
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir == -1)
		why = strerrordesc_np(errno);
	else if ((g->fd = open_file(dir, name, &why)) != -1)
		g->shared = map_file(g->fd, &why);
	if (dir != -1)
		close(dir);
	if (g->shared != NULL)
		return true;
	if (g->fd != -1)
		close(g->fd);
	g->fd = -1;
	log_msg(LOG_WARN, "provider_gate", "file=%s/%s why=\"%s\" what=\"the cap of model calls and the "
	    "rest of a failing provider hold for each worker alone\"", path, name, why);
	return false;
}

struct llm_gate *llm_gate_open(const struct llm_gate_config *c)
{
	struct llm_gate *g = calloc(1, sizeof(*g));
	if (g == NULL)
		abort();
	g->queue_ms = c->queue_ms;
	g->rest_ms = c->rest_ms;
	g->max_failures = c->max_failures;
	g->max_calls = c->max_calls < 1 ? 1 : c->max_calls > PLACES_MAX ? PLACES_MAX : c->max_calls;
	g->fd = -1;
	g->id = str_hash(c->provider);
	if ((c->dir == NULL || !share(g, c->dir)) &&
	    (g->shared = calloc(1, sizeof(*g->shared))) == NULL)
		abort();
	g->places = calloc((size_t)g->max_calls, sizeof(g->places[0]));
	if (g->places == NULL)
		abort();
	pthread_mutex_init(&g->lock, NULL);
	return g;
}

void llm_gate_close(struct llm_gate *g)
{
	if (g == NULL)
		return;
	if (g->fd == -1) {
		free(g->shared);
	} else {
		munmap(g->shared, sizeof(*g->shared));
		close(g->fd);
	}
	pthread_mutex_destroy(&g->lock);
	free(g->places);
	free(g);
}

/* -- the breaker -- */

int64_t llm_gate_rests(struct llm_gate *g)
{
	if (g->max_failures <= 0)
		return 0;
	/* in this order: read after the clock it could lie further ahead than a rest lasts */
	int64_t until = atomic_load(&g->shared->until), now = boot_ms();
	if (until <= now)
		return 0;
	if (until - now <= g->rest_ms)
		return until - now;
	atomic_compare_exchange_strong(&g->shared->until, &until, now + g->rest_ms);
	return g->rest_ms;
}

/* With a place in hand: may it go? After a rest only the first may, of all processes. */
static bool may_go(struct llm_gate *g, struct place *p)
{
	p->probe = 0;
	while (g->max_failures > 0) {
		int64_t until = atomic_load(&g->shared->until), mine = boot_ms() + g->rest_ms;
		if (until == 0)
			return true;
		if (llm_gate_rests(g) > 0)
			return false;
		if (atomic_compare_exchange_strong(&g->shared->until, &until, mine)) {
			p->probe = mine;
			return true;
		}
	}
	return true;
}

static int64_t count_failure(struct shared *s)
{
	int64_t before = atomic_load(&s->failures), n;
	do
		n = before < 0 || before >= INT32_MAX ? 1 : before + 1;
	while (!atomic_compare_exchange_weak(&s->failures, &before, n));
	return n;
}

static void judge(struct llm_gate *g, int64_t probe, enum llm_outcome outcome)
{
	struct shared *s = g->shared;
	int64_t none = 0, now = boot_ms();
	switch (outcome) {
	case LLM_ANSWERED:
		if (atomic_load(&s->failures) != 0)
			atomic_store(&s->failures, 0);
		if (atomic_load(&s->until) != 0 && atomic_exchange(&s->until, 0) != 0)
			log_msg(LOG_INFO, "provider_back", "provider=%016llx", (unsigned long long)g->id);
		break;
	case LLM_OUTAGE: {
		int64_t n = count_failure(s);
		if (probe != 0 && atomic_compare_exchange_strong(&s->until, &probe, now + g->rest_ms))
			break;
		/* calls that were under way when the rest began do not make it longer */
		if (n >= g->max_failures && atomic_compare_exchange_strong(&s->until, &none, now + g->rest_ms))
			log_msg(LOG_WARN, "provider_resting", "provider=%016llx failures=%lld rest_ms=%lld "
			    "what=\"nothing is asked of it meanwhile\"", (unsigned long long)g->id,
			    (long long)n, (long long)g->rest_ms);
		break;
	}
	case LLM_NO_VERDICT:
		/* the next one may try instead */
		if (probe != 0)
			atomic_compare_exchange_strong(&s->until, &probe, now);
		break;
	}
}

/* -- the places; with the lock held -- */

static int take(struct llm_gate *g, int start)
{
	for (int i = 0; i < g->max_calls; i++) {
		int at = (start + i) % g->max_calls;
		if (g->places[at].used)
			continue;
		/* a kernel that has no lock left leaves the cap to each process */
		if (g->fd != -1 && lock_byte(g->fd, F_WRLCK, at) != 0 &&
		    (errno == EAGAIN || errno == EACCES))
			continue;
		g->places[at].used = true;
		return at;
	}
	return -1;
}

/* The same for one who waits, if it is the first and there is reason to look. */
static int take_waiting(struct llm_gate *g, struct waiter *w)
{
	uint64_t freed = atomic_load(&g->shared->freed);
	int64_t now = clock_mono_ms();
	if (g->first != w || (freed == w->seen && now < w->look_ms))
		return -1;
	w->seen = freed;
	w->look_ms = now + LOOK_MS;
	return take(g, (int)((uint32_t)freed % (uint32_t)g->max_calls));
}

static void wake_first(struct llm_gate *g)
{
	if (g->first != NULL && g->first->wake != -1)
		eventfd_write(g->first->wake, 1);
}

static void give_back(struct llm_gate *g, int place)
{
	pthread_mutex_lock(&g->lock);
	if (g->fd != -1)
		lock_byte(g->fd, F_UNLCK, place);
	g->places[place].used = false;
	/* two who do this at once may count one: what is seen still differs */
	atomic_store(&g->shared->freed,
	    ((atomic_load(&g->shared->freed) >> 32) + 1) << 32 | (uint32_t)place);
	/* now and then nobody is told: then who looks first has it, in this process or another,
	 * which else would get none while this one has a queue */
	if (++g->given_back % OWN_TURNS != 0)
		wake_first(g);
	pthread_mutex_unlock(&g->lock);
}

static void join(struct llm_gate *g, struct waiter *w)
{
	struct waiter **at = &g->first;
	*w = (struct waiter){ .wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) };
	while (*at != NULL)
		at = &(*at)->next;
	*at = w;
}

static void quit(struct llm_gate *g, struct waiter *w)
{
	struct waiter **at = &g->first;
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	if (at == &g->first)
		wake_first(g);
	if (w->wake != -1)
		close(w->wake);
}

/* -- in and out -- */

static enum errcode refuse(struct llm_gate *g, struct err *e)
{
	return err_set(e, ERR_UPSTREAM, "the provider failed %lld times in a row and is left alone for "
	    "another %.1f s: llm_attempt lines in the log say why",
	    (long long)atomic_load(&g->shared->failures), (double)llm_gate_rests(g) / 1000);
}

/* Sleep until it may be this one's turn. */
static enum errcode wait_turn(struct llm_gate *g, const struct watch *w, struct waiter *me,
    int64_t left)
{
	bool ready;
	eventfd_t ignored;
	pthread_mutex_lock(&g->lock);
	bool reads = g->first == me || me->wake == -1;
	pthread_mutex_unlock(&g->lock);
	int64_t ms = READ_MIN_MS + below(READ_MAX_MS - READ_MIN_MS + 1);
	if (!reads || ms > left)
		ms = left;
	enum errcode rc = watch_poll(w, me->wake, ms, &ready);
	if (rc == OK && ready)
		eventfd_read(me->wake, &ignored);
	return rc;
}

static enum errcode queue(struct llm_gate *g, const struct watch *w, struct waiter *me, int *place,
    bool *full, struct err *e)
{
	int64_t until = clock_mono_ms() + g->queue_ms;
	while (*place == -1) {
		int64_t left = until - clock_mono_ms();
		if (llm_gate_rests(g) > 0)
			return refuse(g, e);
		if (left <= 0) {
			*full = true;
			return err_set(e, ERR_OVERLOAD, "no place came free in %lld ms among the %d model "
			    "calls allowed at once: raise AVIATION_AGENT_LLM_MAX_CALLS if the provider "
			    "can take more", (long long)g->queue_ms, g->max_calls);
		}
		enum errcode rc = wait_turn(g, w, me, left);
		if (rc != OK)
			return err_set(e, rc, "given up while waiting for a place among %d model calls",
			    g->max_calls);
		pthread_mutex_lock(&g->lock);
		*place = take_waiting(g, me);
		pthread_mutex_unlock(&g->lock);
	}
	return OK;
}

enum errcode llm_gate_enter(struct llm_gate *g, const struct watch *w, int *place, bool *full,
    struct err *e)
{
	struct waiter me;
	*place = -1;
	*full = false;
	if (llm_gate_rests(g) > 0)
		return refuse(g, e);
	pthread_mutex_lock(&g->lock);
	if (g->first == NULL)
		*place = take(g, below(g->max_calls));
	bool queued = *place == -1;
	if (queued)
		join(g, &me);
	pthread_mutex_unlock(&g->lock);

	if (queued) {
		enum errcode rc = queue(g, w, &me, place, full, e);
		pthread_mutex_lock(&g->lock);
		quit(g, &me);
		pthread_mutex_unlock(&g->lock);
		if (rc != OK)
			return rc;
	}
	if (may_go(g, &g->places[*place]))
		return OK;
	give_back(g, *place);
	*place = -1;
	return refuse(g, e);
}

void llm_gate_leave(struct llm_gate *g, int place, enum llm_outcome outcome)
{
	if (g->max_failures > 0)
		judge(g, g->places[place].probe, outcome);
	give_back(g, place);
}
