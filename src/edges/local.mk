# Where requests enter and answers leave.
libagent_a_SOURCES += %D%/service.c
libagent_a_SOURCES += %D%/http.c
libagent_a_SOURCES += %D%/routes.c
libagent_a_SOURCES += %D%/cors.c
libagent_a_SOURCES += %D%/api_misc.c
libagent_a_SOURCES += %D%/api_chat.c
libagent_a_SOURCES += %D%/chat_request.c
libagent_a_SOURCES += %D%/sink_sse.c
libagent_a_SOURCES += %D%/sink_json.c
libagent_a_SOURCES += %D%/sink_cli.c
libagent_a_SOURCES += %D%/wire.c
libagent_a_SOURCES += %D%/recorder.c
libagent_a_SOURCES += %D%/convlog.c
libagent_a_SOURCES += %D%/convlog_cut.c
libagent_a_SOURCES += %D%/convlog_sweep.c
libagent_a_SOURCES += %D%/api_rules.c
