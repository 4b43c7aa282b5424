# Where requests enter and answers leave.
libagent_a_SOURCES += %D%/edge.c
libagent_a_SOURCES += %D%/http.c
libagent_a_SOURCES += %D%/idempotency.c %D%/idempotency.h
libagent_a_SOURCES += %D%/routes.c
libagent_a_SOURCES += %D%/cors.c
libagent_a_SOURCES += %D%/api.h %D%/api_chat.c %D%/api_misc.c %D%/api_rules.c
libagent_a_SOURCES += %D%/chat_request.c
libagent_a_SOURCES += %D%/sink_sse.c %D%/sink_sse.h
libagent_a_SOURCES += %D%/sink_json.c %D%/sink_json.h
libagent_a_SOURCES += %D%/sink_cli.c
libagent_a_SOURCES += %D%/wire.c %D%/wire.h
libagent_a_SOURCES += %D%/recorder.c %D%/recorder.h
libagent_a_SOURCES += %D%/convlog.c
libagent_a_SOURCES += %D%/convlog_cut.c %D%/convlog_cut.h
libagent_a_SOURCES += %D%/convlog_sweep.c %D%/convlog_sweep.h
