/*
 * aviation-agent users: what an operator does with the accounts of the onboarding agent.
 *
 * A password is read from the terminal without showing it, or as one line of standard input; never from the
 * command line, which other users of the machine can see.
 */
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/password.h"
#include "edges/conversation_drop.h"
#include "mains/cli.h"
#include "mains/service.h"
#include "services/users.h"

enum { PASSWORD_MIN = 8, PASSWORD_MAX = 100 };

struct call {
	struct store *store;
	const struct conf *conf;
	struct arena *a;
	struct err e;
	const char *name, *email;
};

static void read_hidden(char *line, size_t size)
{
	struct termios was, hidden;
	const bool tty = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &was) == 0;

	if (tty) {
		hidden = was;
		hidden.c_lflag &= ~(tcflag_t)ECHO;
		fprintf(stderr, "Password: ");
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
	}
	if (fgets(line, (int)size, stdin) == NULL)
		*line = '\0';
	if (tty) {
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
		fprintf(stderr, "\n");
	}
	line[strcspn(line, "\r\n")] = '\0';
}

static enum errcode read_password(char hash[PASSWORD_HASH_SIZE], struct err *e)
{
	char line[PASSWORD_BYTES_MAX + 8];

	read_hidden(line, sizeof(line));
	const size_t n = utf8_count(line, strlen(line));
	enum errcode rc = n < PASSWORD_MIN || n > PASSWORD_MAX || strlen(line) > PASSWORD_BYTES_MAX ?
	    err_set(e, ERR_INPUT, "a password has %d to %d characters", PASSWORD_MIN, PASSWORD_MAX) :
	    password_hash(hash, line, e);
	explicit_bzero(line, sizeof(line));
	return rc;
}

static enum errcode show(struct call *c)
{
	char at[CLOCK_ISO_SIZE];
	struct user u;
	enum errcode rc = users_find_login(c->store, c->a, c->name, &u, &c->e);

	if (rc != OK)
		return rc;
	clock_iso_utc(at, u.created_us);
	printf("%s  %.19sZ  %s", u.id, at, u.active ? "open  " : "closed");
	printf("  %s", cli_plain(u.username));
	printf("  %s\n", cli_plain(u.email));
	return OK;
}

static enum errcode add(struct call *c)
{
	char id[ID_SIZE], hash[PASSWORD_HASH_SIZE];
	enum user_taken taken;

	id_run(id);
	const struct user u = { .id = id, .username = c->name, .email = c->email, .hash = hash, .active = true,
		.created_us = clock_wall_us() };
	enum errcode rc = read_password(hash, &c->e);
	if (rc == OK)
		rc = users_add(c->store, &u, &taken, &c->e);
	if (rc == OK && taken != USER_FREE)
		rc = err_set(&c->e, ERR_INPUT, "the %s belongs to another user", taken == USER_NAME_TAKEN ? "name" : "address");
	return rc == OK ? show(c) : rc;
}

static enum errcode set_password(struct call *c)
{
	char hash[PASSWORD_HASH_SIZE];
	struct user u;
	enum errcode rc = users_find_login(c->store, c->a, c->name, &u, &c->e);

	if (rc == OK)
		rc = read_password(hash, &c->e);
	return rc == OK ? users_set_password(c->store, u.id, hash, &c->e) : rc;
}

static enum errcode set_active(struct call *c, bool active)
{
	struct user u;
	enum errcode rc = users_find_login(c->store, c->a, c->name, &u, &c->e);

	if (rc == OK)
		rc = users_set_active(c->store, u.id, active, &c->e);
	return rc == OK ? show(c) : rc;
}

static enum errcode close_user(struct call *c)
{
	return set_active(c, false);
}

static enum errcode open_user(struct call *c)
{
	return set_active(c, true);
}

/* A closed account makes no new conversations. The user goes last, so that the command can be run again if it was interrupted. */
static enum errcode delete(struct call *c)
{
	struct user u;
	enum errcode rc = users_find_login(c->store, c->a, c->name, &u, &c->e);

	if (rc == OK)
		rc = users_set_active(c->store, u.id, false, &c->e);
	if (rc == OK)
		rc = conversations_drop_all(c->store, c->conf, u.id, &c->e);
	return rc == OK ? users_drop(c->store, u.id, &c->e) : rc;
}

static const struct {
	const char *name;
	enum errcode (*run)(struct call *c);
	int nargs;
} actions[] = {
	{ "add", add, 2 },
	{ "show", show, 1 },
	{ "password", set_password, 1 },
	{ "close", close_user, 1 },
	{ "open", open_user, 1 },
	{ "delete", delete, 1 },
};
enum { NACTIONS = sizeof(actions) / sizeof(actions[0]) };

int cli_users(int argc, char **argv)
{
	struct conf conf;
	struct call c = { .conf = &conf };
	size_t i = 0;

	while (i < NACTIONS && (argc < 2 || !streq(argv[1], actions[i].name)))
		i++;
	if (i == NACTIONS)
		return cli_usage("users: expected add, show, password, close, open or delete");
	if (argc - 2 != actions[i].nargs)
		return cli_usage(actions[i].nargs == 2 ? "users: give a name and an e-mail address" :
		    "users: give a name or an e-mail address");
	c.name = argv[2];
	c.email = argc > 3 ? argv[3] : NULL;
	c.a = arena_new();
	log_level_set("OFF");
	int status = 0;
	if (conf_load(&conf, c.a, &c.e) != OK || service_open_store(&c.store, &conf, &c.e) != OK ||
	    actions[i].run(&c) != OK)
		status = cli_fail(&c.e);
	if (c.store != NULL && store_in_memory(c.store))
		fprintf(stderr, "aviation-agent: CHECKPOINTER_PROVIDER is %s, so no other process sees these users: use "
		    "sqlite or redis\n", store_name(c.store));
	store_close(c.store);
	arena_free(c.a);
	return status;
}
