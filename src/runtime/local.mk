libagent_a_SOURCES += %D%/agent.c
libagent_a_SOURCES += %D%/event.c
libagent_a_SOURCES += %D%/graph.c
libagent_a_SOURCES += %D%/history.c
libagent_a_SOURCES += %D%/run.c
libagent_a_SOURCES += %D%/run_queue.c %D%/run_queue.h
libagent_a_SOURCES += %D%/runlog.c
libagent_a_SOURCES += %D%/sink.c
