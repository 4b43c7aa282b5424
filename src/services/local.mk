libagent_a_SOURCES += %D%/store.c
libagent_a_SOURCES += %D%/store_memory.c
libagent_a_SOURCES += %D%/store_sqlite.c
libagent_a_SOURCES += %D%/store_sqlite_conn.c
libagent_a_SOURCES += %D%/store_redis.c
libagent_a_SOURCES += %D%/sse.c
libagent_a_SOURCES += %D%/geoapify.c
