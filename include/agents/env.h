/*
 * What an agent's open() may use. The composition (mains/service.c) fills it in; everything outlives
 * the agent.
 */
#ifndef AGENTS_ENV_H
#define AGENTS_ENV_H

#include "tools/tool.h"

struct airdb;
struct arena;
struct conf;
struct fact_sources;
struct geocoder;
struct knowledge;
struct llm;
struct personas;
struct rules;

struct agent_env {
	struct arena *mem;            /* of the process */
	const struct conf *conf;
	/* the agent's own config, read by its slice; NULL: it has none */
	const void *config;
	struct llm *llm;              /* NULL: the provider is builtin */
	struct airdb *airports;       /* may not be ready yet */
	const struct fact_sources *sources;   /* facts beside the airports' own rows */
	const struct personas *personas;
	struct geocoder *geocoder;    /* NULL: only the local gazetteer is used */
	struct rules *rules;
	struct knowledge *knowledge;  /* may hold nothing yet */
	struct toolset tools;         /* the tool table */
};

#endif
