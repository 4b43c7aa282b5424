# Tools: one file each, and what they share.
libagent_a_SOURCES += %D%/tool.c
libagent_a_SOURCES += %D%/airport_result.c
libagent_a_SOURCES += %D%/search_airports.c
libagent_a_SOURCES += %D%/find_airports_near_location.c
libagent_a_SOURCES += %D%/find_airports_near_route.c
libagent_a_SOURCES += %D%/get_airport_details.c
