/*
 * One role of a language model (planner, formatter, …), with a site's settings.
 */
#ifndef SERVICES_LLM_ROLE_H
#define SERVICES_LLM_ROLE_H

#include <stdbool.h>
#include <stdint.h>

struct llm_role {
	bool set;                             /* the site has settings for it */
	const char *model;                    /* the environment's override applied; NULL: none */
	double temperature;
	bool streaming;
	int64_t max_retries, request_timeout; /* s */
};

#endif
