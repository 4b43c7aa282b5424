libagent_a_SOURCES += %D%/db.c
libagent_a_SOURCES += %D%/kv.c
libagent_a_SOURCES += %D%/kv_url.c
libagent_a_SOURCES += %D%/fcgi.c
libagent_a_SOURCES += %D%/fcgi_listen.c
libagent_a_SOURCES += %D%/httpc.c
libagent_a_SOURCES += %D%/httpc_call.c
libagent_a_SOURCES += %D%/fcgi_pool.c
