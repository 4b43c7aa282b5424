/*
 * What a server's error replies mean to an operator, and what the driver does about them.
 */
#ifndef DRIVERS_KV_REFUSAL_H
#define DRIVERS_KV_REFUSAL_H

#include "base/errs.h"

enum { KV_WORD_SIZE = 16 };

enum kv_remedy {
	REMEDY_NONE,            /* an operator has to act */
	REMEDY_WAIT,            /* it passes by itself: ask the same server again after a moment */
	REMEDY_REST,            /* as WAIT, and until then all other calls leave the server alone */
	REMEDY_CONNECT,         /* the master is another server by now: connect anew */
	REMEDY_MOVED,           /* cluster: another node has the slot */
	REMEDY_ASK,             /* cluster: another node has this key already */
	REMEDY_MAP,             /* cluster: read the slot map again, after a moment */
};

/* The first word of an error reply: "NOSCRIPT". */
void kv_first_word(const char *text, char word[KV_WORD_SIZE]);
/* Put what the reply `text` means into e (ERR_STORE). Arguments of commands are left out. */
enum kv_remedy kv_refused(const char *where, const char *text, struct err *e);

#endif
