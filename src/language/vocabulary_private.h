/*
 * The tables of a vocabulary, which vocabulary_read.c makes and vocabulary.c looks things up in.
 *
 * Phrases are paths in a tree of words: an edge leads from a node by a word to a node, and the senses of a
 * node are what the phrase that ends there may mean.
 */
#ifndef LANGUAGE_VOCABULARY_PRIVATE_H
#define LANGUAGE_VOCABULARY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language/languages.h"
#include "language/vocabulary.h"

enum {
	VOCABULARY_FILES = LANGUAGES_MAX + 1,
	VOCABULARY_WORD = 40,         /* longest word of a message that is looked up, in bytes */
	VOCABULARY_PHRASE = 8,        /* most words of a phrase */
	VOCABULARY_ENDINGS = 40,      /* most endings of a file */
	VOCABULARY_STEM = 4,          /* what an ending leaves has at least so many bytes */
	VOCABULARY_SLIP = 5,          /* shorter words have no slips of the finger */
	VOCABULARY_WORDS = UINT16_MAX - 1,    /* most different words */
};

/* Ways in which a word can be found. */
enum vocabulary_key { KEY_WORD, KEY_HEAD, KEY_TAIL, KEY_STEM /* + file */ };

struct vocabulary_kind {
	const char *name, *slip, *part;       /* "avgas", "~avgas", "+avgas" */
};

struct vocabulary_sense {
	const char *value;
	uint32_t next;                /* another sense of the same phrase; 0: none */
	uint16_t kind;                /* of vocabulary.kind, from 1; 0: an ordinary word, which is no evidence */
	uint16_t files;               /* bit i: file i has it */
};

struct vocabulary {
	struct vocabulary_word {
		const char *text;     /* folded; n bytes, without a NUL */
		uint16_t n;
		uint16_t files;       /* bit i: file i has it */
	} *word;
	size_t nwords;
	struct vocabulary_entry {     /* hash table: words by their keys; several may have one */
		uint16_t tag;         /* upper half of the hash */
		uint16_t word;        /* word + 1; 0: free */
	} *entry;
	size_t nentries;              /* a power of two, as nedges */
	/* from one word of a phrase to the next; the edge from the root by word i leads to node i + 1 */
	struct vocabulary_edge {
		uint32_t node, word, to;      /* to 0: free */
	} *edge;
	size_t nedges;
	uint32_t *node;               /* first sense of each node; 0: none */
	size_t nnodes;
	struct vocabulary_sense *sense;       /* from 1 */
	size_t nsenses, nphrases, nkinds;
	struct vocabulary_kind *kind;         /* from 1 */
	struct vocabulary_file {
		struct { const char *text; size_t n; } ending[VOCABULARY_ENDINGS];
		size_t nendings;
		bool compounds;       /* its words may be parts of longer ones */
	} file[VOCABULARY_FILES];
	unsigned nfiles;
};

/* The key of one half of words of n bytes. The length belongs to it, because many words begin alike. */
unsigned vocabulary_half(enum vocabulary_key half, size_t n);
uint32_t vocabulary_hash(unsigned key, const char *text, size_t n);
/* How many bytes of a word remain without the longest ending of this file. */
size_t vocabulary_stem(const struct vocabulary_file *f, const char *word, size_t n);
/* The node to which a word leads; 0: none. Node 0 is the root, from which each word leads to a node. */
uint32_t vocabulary_step(const struct vocabulary *v, uint32_t node, uint32_t word);

/* Is it a sign that phrases do without? */
bool vocabulary_joint(const char *sign);
/* A folded word without its apostrophes; the length, 0: there is nothing to look up, or it is too long. */
size_t vocabulary_plain(char out[VOCABULARY_WORD], const char *fold);

#endif
