/*
 * The tables of a vocabulary, which vocabulary_read.c makes and vocabulary.c looks things up in.
 *
 * Phrases are paths in a tree of words: an edge leads from a node by a word to a node, and the senses of a
 * node are what the phrase that ends there may mean.
 *
 * All tables lie in one block behind their head, without pointers, so that the block can be a file (an image), which
 * workers map and share.
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

/* Texts are named by the places in vocabulary.text where they begin. Place 0 is the empty text, which stands for none. */
struct vocabulary_kind {
	uint32_t name, slip, part;    /* "avgas", "~avgas", "+avgas" */
};

struct vocabulary_sense {
	uint32_t value;
	uint32_t next;                /* another sense of the same phrase; 0: none */
	uint16_t kind;                /* of vocabulary.kind, from 1; 0: an ordinary word, which is no evidence */
	uint16_t files;               /* bit i: file i has it */
};

struct vocabulary_word {
	uint32_t text;                /* folded; n bytes */
	uint16_t n;
	uint16_t files;               /* bit i: file i has it */
};

/* A word that only fixed rules ask for (evidence.h). It is kept apart from phrases, so it does not change what else is found. */
struct vocabulary_exact {
	/* text: the folded word; kind: the name of the kind. Both are places in vocabulary.text. The table is sorted by the words, as
	 * strcmp() does. */
	uint32_t text, kind;
};

/* In a hash table: words by their keys; several may have one. */
struct vocabulary_entry {
	uint16_t tag;                 /* upper half of the hash */
	uint16_t word;                /* word + 1; 0: free */
};

/* From one word of a phrase to the next. The edge from the root by word i leads to node i + 1. */
struct vocabulary_edge {
	uint32_t node, word, to;      /* to 0: free */
};

struct vocabulary_file {
	struct { uint32_t text, n; } ending[VOCABULARY_ENDINGS];
	uint32_t nendings;
	uint32_t compounds;           /* 1: its words may be parts of longer ones */
};

/* The tables follow in the order of these counts. */
struct vocabulary_head {
	char magic[8];
	uint32_t version, nfiles;
	uint64_t bytes, sum;          /* of the whole block (linear_format.h), for an image */
	uint64_t of_texts;            /* the sum of the texts that it was made of */
	uint32_t nwords;
	uint32_t nentries, nedges;    /* powers of two */
	uint32_t nnodes, nsenses, nkinds, ntext;
	uint32_t nphrases;
	uint32_t nexact, spare;       /* the spare one fills the head up to a multiple of eight */
	struct vocabulary_file file[VOCABULARY_FILES];
};

struct vocabulary {
	struct vocabulary_head *head;
	struct vocabulary_word *word;
	struct vocabulary_entry *entry;
	struct vocabulary_edge *edge;
	uint32_t *node;               /* first sense of each node; 0: none */
	struct vocabulary_sense *sense;       /* from 1 */
	struct vocabulary_kind *kind;         /* from 1 */
	struct vocabulary_exact *exact;
	char *text;
};

/* The bytes of a block with these counts, a multiple of eight. */
uint64_t vocabulary_bytes(const struct vocabulary_head *head);
/* Set the pointers to the tables behind the head. */
void vocabulary_lay(struct vocabulary *v, struct vocabulary_head *head);
/* Where the texts of a file are: 0 is "common", then the languages. In the arena. */
const char *vocabulary_path(struct arena *a, const char *data_dir, unsigned file);
/* Read the texts, into the arena. ERR_CONFIG: file, line and reason. */
enum errcode vocabulary_read(struct vocabulary *v, struct arena *a, const char *data_dir, struct err *e);
/* Map the image of the texts, as long as the arena lives. False: there is none, it is damaged, or it was made of other texts or by
 * another version. */
bool vocabulary_map(struct vocabulary *v, struct arena *a, const char *data_dir);

/* The key of one half of words of n bytes. The length belongs to it, because many words begin alike. */
unsigned vocabulary_half(enum vocabulary_key half, size_t n);
uint32_t vocabulary_hash(unsigned key, const char *text, size_t n);
/* How many bytes of a word remain without the longest ending of this file. text: that of the vocabulary, which has the
 * endings. */
size_t vocabulary_stem(const struct vocabulary_file *f, const char *text, const char *word, size_t n);
/* The node to which a word leads; 0: none. Node 0 is the root, from which each word leads to a node. */
uint32_t vocabulary_step(const struct vocabulary *v, uint32_t node, uint32_t word);

/* Is it a sign that phrases do without? */
bool vocabulary_joint(const char *sign);
/* A folded word without its apostrophes; the length, 0: there is nothing to look up, or it is too long. */
size_t vocabulary_plain(char out[VOCABULARY_WORD], const char *fold);

#endif
