# Tools: one file each, and what they share.
libagent_a_SOURCES += %D%/tool.c %D%/toolset.c
libagent_a_SOURCES += %D%/tool_args.c %D%/tool_args.h %D%/tool_schema.c
libagent_a_SOURCES += %D%/airport_facts.c %D%/airport_facts.h
libagent_a_SOURCES += %D%/airport_result.c %D%/airport_result.h
libagent_a_SOURCES += %D%/search_airports.c
libagent_a_SOURCES += %D%/find_airports_near_location.c
libagent_a_SOURCES += %D%/find_airports_near_route.c
libagent_a_SOURCES += %D%/get_airport_details.c
libagent_a_SOURCES += %D%/answer_rules_question.c
libagent_a_SOURCES += %D%/browse_rules.c
libagent_a_SOURCES += %D%/compare_rules_between_countries.c
libagent_a_SOURCES += %D%/get_answers_for_questions.c
libagent_a_SOURCES += %D%/list_rule_categories_and_tags.c
libagent_a_SOURCES += %D%/list_rule_countries.c
libagent_a_SOURCES += %D%/list_rules_for_country.c
libagent_a_SOURCES += %D%/rules_comparison.c %D%/rules_comparison.h
libagent_a_SOURCES += %D%/rules_result.c
