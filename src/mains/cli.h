/*
 * What the commands of the command line share, and the commands that have files of their own. A
 * command gets its own name as argv[0] and returns the exit status.
 */
#ifndef MAINS_CLI_H
#define MAINS_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "tools/tool.h"

struct conf;
struct llm_role;
struct mcp_client;
struct model;
struct notice_model;
struct service;

enum { EXIT_USAGE = 2 };

/* Print what went wrong, or which arguments were wrong. Returns the exit status for it. */
int cli_fail(const struct err *e);
int cli_usage(const char *why);

/* A message may quote a file, a provider or a user, so it is escaped for the terminal. The result
 * is valid until the second next call. */
const char *cli_plain(const char *text);

/* Progress on standard error: a bar on a terminal, elsewhere one line for each step. */
struct cli_bar {
	bool tty;
	const char *what;     /* last step shown; NULL: none yet */
	int percent;
};
void cli_bar_init(struct cli_bar *b);
/* `done` of `total` steps are done; arg is the bar. The text `what` must stay valid. */
void cli_bar_show(void *arg, const char *what, int64_t done, int64_t total);
void cli_bar_end(struct cli_bar *b);

/* Ask a role's model a very short question. Waits for minutes, and says so on standard error.
 * *said: how long the model took, and whether a turn would wait that long. ERR_UPSTREAM, with what
 * to change. */
enum errcode cli_ask_model(struct service *s, const struct model *m, struct arena *a,
    const struct llm_role *role, const char **said, struct err *e);

/* The service's language model for difficult customs texts. ERR_CONFIG, ERR_IO: its prompt. */
enum errcode cli_notice_model(struct notice_model *m, struct service *s, struct err *e);

/* Add the accepted tools of the external MCP servers to a table, to be listed. The clients end with the arena.
 * ERR_CONFIG, ERR_IO: MCP_SERVERS or the file of accepted tools. */
enum errcode cli_mcp_tools(struct toolset *table, struct arena *a, const struct conf *conf, struct err *e);

/* Ask an external MCP server for its tools. `table`: the tools of the process. *said: what there is and what is in use. ERR_UPSTREAM, ERR_AUTH:
 * it cannot be reached; ERR_CONFIG: a tool that is allowed is not used, and what to do. */
enum errcode cli_mcp_survey(struct mcp_client *c, struct toolset table, struct arena *a, const char **said,
    struct err *e);

/* The question of a command: its words, or standard input where they are a single "-". In the arena. The error tells
 * what is wrong with it: empty, too long, not UTF-8. */
const char *cli_question(struct arena *a, const struct service *s, int nwords, char **words, struct err *e);

/* Wait for the index of the airports and for the vectors of the rules: the agent understands and finds more with them,
 * and on the command line nothing else waits for this thread. */
void cli_wait_until_ready(struct service *s);

int cli_check(int argc, char **argv);
int cli_feedback(int argc, char **argv);
int cli_index(int argc, char **argv);
int cli_ingest(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_mcp(int argc, char **argv);
int cli_mcp_token(int argc, char **argv);
int cli_notifications(int argc, char **argv);
int cli_onboard(int argc, char **argv);
int cli_plan(int argc, char **argv);
int cli_mcp_client(int argc, char **argv);
/* Be the client under test of the protocol's conformance suite, with its server at `url`. */
int cli_mcp_conformance(const char *url);
int cli_threads(int argc, char **argv);
int cli_users(int argc, char **argv);

#endif
