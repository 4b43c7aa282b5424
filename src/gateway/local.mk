# The WebSocket gateway. What needs libwebsockets is in its program alone (see src/local.mk).
libagent_a_SOURCES += %D%/frames.c
libagent_a_SOURCES += %D%/relay.c
