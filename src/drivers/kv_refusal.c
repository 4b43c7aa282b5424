/*
 * The table of Redis's error replies, by their first word.
 */
#include "drivers/kv_refusal.h"

#include <string.h>

#include "base/str.h"

#define IN_A_MOMENT ": try again in a moment"

static const struct {
	const char *word;
	enum kv_remedy remedy;
	const char *said;
} refusals[] = {
	{ "LOADING", REMEDY_REST, "is still loading its data" IN_A_MOMENT },
	{ "READONLY", REMEDY_CONNECT,
	    "is a replica that only reads: name the master in REDIS_URL, or use sentinel://" },
	{ "OOM", REMEDY_NONE, "has reached its maxmemory: raise it, or lower AVIATION_AGENT_THREAD_TTL_DAYS" },
	{ "MISCONF", REMEDY_NONE, "can't save to its own disk and refuses writes: look at its log" },
	{ "NOAUTH", REMEDY_NONE, "wants a password: put it into REDIS_URL (redis://user:password@host)" },
	{ "WRONGPASS", REMEDY_NONE, "does not accept the user or password in REDIS_URL" },
	{ "NOPERM", REMEDY_NONE, "does not let the user in REDIS_URL do this: give it the rights that "
	    "doc/redis.md lists (ACL SETUSER … ~aa:* &aa:* …)" },
	{ "MASTERDOWN", REMEDY_CONNECT, "is a replica that has lost its master" IN_A_MOMENT },
	{ "NOREPLICAS", REMEDY_NONE, "refuses writes because too few replicas are connected: start "
	    "them, or lower min-replicas-to-write" },
	{ "CLUSTERDOWN", REMEDY_MAP, "is part of a cluster that is down: look at CLUSTER INFO on its "
	    "nodes" },
	{ "TRYAGAIN", REMEDY_WAIT, "is moving the slot of this key" IN_A_MOMENT },
	{ "MOVED", REMEDY_MOVED, "is a cluster node that does not hold this key: use cluster:// in "
	    "REDIS_URL" },
	{ "ASK", REMEDY_ASK, "is a cluster node that is giving this key away: use cluster:// in "
	    "REDIS_URL" },
	{ "CROSSSLOT", REMEDY_NONE, "is a cluster node and got keys of several slots in one command: "
	    "this is a mistake in the program, please report it" },
	{ "BUSY", REMEDY_NONE, "is blocked by a script that does not end: run redis-cli script kill" },
	{ "WRONGTYPE", REMEDY_NONE,
	    "has a key aa:… of another program: name another database in REDIS_URL" },
};

void kv_first_word(const char *text, char word[KV_WORD_SIZE])
{
	size_t n = strcspn(text, " \r\n");

	n = n < KV_WORD_SIZE - 1 ? n : KV_WORD_SIZE - 1;
	memcpy(word, text, n);
	word[n] = '\0';
}

/* Some servers wrap what failed inside a script: "ERR Error running script …: -OOM …". */
enum kv_remedy kv_refused(const char *where, const char *text, struct err *e)
{
	char word[KV_WORD_SIZE];
	bool script = starts_with(text, "ERR Error running script");

	kv_first_word(text, word);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (streq(word, refusals[i].word) ||
		    (script && strstr(text, refusals[i].word) != NULL)) {
			err_set(e, ERR_STORE, "%s %s", where, refusals[i].said);
			/* commands before the one that failed may have been carried out, but not by a
			 * server that only reads */
			return script && refusals[i].remedy != REMEDY_CONNECT ? REMEDY_NONE :
			    refusals[i].remedy;
		}
	/* the words after "with args" would be the arguments */
	const char *args = strstr(text, "with args");
	int n = (int)(args != NULL ? (size_t)(args - text) : strnlen(text, 160));
	err_set(e, ERR_STORE, "%s refused a command: %.*s", where, n, text);
	return REMEDY_NONE;
}
