/*
 * The progress bar.
 */
#include "mains/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cli_bar_init(struct cli_bar *b)
{
	*b = (struct cli_bar){ .tty = isatty(STDERR_FILENO) };
}

/* On a terminal one line that is rewritten, elsewhere one line for each step. */
void cli_bar_show(void *arg, const char *what, int64_t done, int64_t total)
{
	struct cli_bar *b = arg;
	int percent = total > 0 ? (int)(done * 100 / total) : 100;
	bool new_step = b->what == NULL || strcmp(b->what, what) != 0;
	if (!new_step && percent == b->percent)
		return;
	if (b->tty) {
		if (new_step && b->what != NULL)
			fputc('\n', stderr);
		int full = percent * 30 / 100;
		fprintf(stderr, "\r%-12.12s [%.*s%*s] %3d%%", what, full,
		    "##############################", 30 - full, "", percent);
	} else if (new_step) {
		fprintf(stderr, "%s\n", what);
	}
	b->what = what;
	b->percent = percent;
}

void cli_bar_end(struct cli_bar *b)
{
	if (b->tty && b->what != NULL)
		fputc('\n', stderr);
}
