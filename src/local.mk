# Everything but the mains goes into one library, so that the tests run the shipped objects.
noinst_LIBRARIES += libagent.a
libagent_a_SOURCES =
libagent_a_CFLAGS = $(AM_CFLAGS) $(CONVERSION_CFLAGS)

include src/base/local.mk
include src/drivers/local.mk
include src/language/local.mk
include src/services/local.mk
include src/runtime/local.mk
include src/airports/local.mk
include src/rules/local.mk
include src/knowledge/local.mk
include src/tools/local.mk
include src/agents/local.mk
include src/edges/local.mk
include src/gateway/local.mk

# The composition is in the library too: tests open the whole service.
libagent_a_SOURCES += %D%/mains/service.c %D%/mains/service.h

AGENT_LIBS = libagent.a $(FCGI_LIBS) $(CURL_LIBS) $(CRYPTO_LIBS) $(CRYPT_LIBS) $(REDIS_TLS_LIBS) $(REDIS_LIBS) $(SQLITE_LIBS) $(JSON_LIBS) \
	$(ZLIB_LIBS) $(UTF8PROC_LIBS) $(STEMMER_LIBS) $(PTHREAD_LIBS) -lm

bin_PROGRAMS += aviation-agent aviation-agent.fcgi
aviation_agent_SOURCES = %D%/mains/cli.c %D%/mains/cli.h %D%/mains/cli_bar.c \
	%D%/mains/cli_check.c %D%/mains/cli_import.c %D%/mains/cli_index.c %D%/mains/cli_ingest.c %D%/mains/cli_model.c \
	%D%/mains/cli_feedback.c \
	%D%/mains/cli_threads.c \
	%D%/mains/cli_users.c \
	%D%/mains/cli_onboard.c \
	%D%/mains/cli_plan.c \
	%D%/mains/cli_mcp.c %D%/mains/cli_mcp_client.c %D%/mains/cli_mcp_conformance.c \
	%D%/mains/cli_notice.c
aviation_agent_CFLAGS = $(libagent_a_CFLAGS)
aviation_agent_LDADD = $(AGENT_LIBS)
aviation_agent_fcgi_SOURCES = %D%/mains/worker.c
aviation_agent_fcgi_CFLAGS = $(libagent_a_CFLAGS)
aviation_agent_fcgi_LDADD = $(AGENT_LIBS)

# Makes a data file of the installation. A program that was built for another machine cannot run here; workers then read the
# texts themselves.
if NATIVE
noinst_PROGRAMS += make-vocabulary
make_vocabulary_SOURCES = %D%/mains/make_vocabulary.c
make_vocabulary_CFLAGS = $(libagent_a_CFLAGS)
make_vocabulary_LDADD = $(AGENT_LIBS)
vocabularydir = $(pkgdatadir)/conf/language
nodist_vocabulary_DATA = conf/language/vocabulary.image
CLEANFILES += conf/language/vocabulary.image
conf/language/vocabulary.image: make-vocabulary$(EXEEXT) $(vocabulary_texts)
	$(AM_V_GEN)$(MKDIR_P) conf/language && ./make-vocabulary $(top_srcdir) $@
endif

# The WebSocket gateway is optional: it needs libwebsockets.
if HAVE_WEBSOCKETS
bin_PROGRAMS += aviation-agent-ws
aviation_agent_ws_SOURCES = %D%/mains/ws.c %D%/gateway/server.c %D%/gateway/server_conn.c \
	%D%/gateway/server_handshake.c %D%/gateway/server_private.h %D%/gateway/server_turn.c
aviation_agent_ws_CFLAGS = $(libagent_a_CFLAGS) $(WEBSOCKETS_CFLAGS)
aviation_agent_ws_LDADD = $(AGENT_LIBS) $(WEBSOCKETS_LIBS)
endif
