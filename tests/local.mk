# Unit tests: one program of all tests/unit/test_*.c. Black-box tests are run by scripts/check.
EXTRA_DIST += tests/e2e tests/unit tests/bench tests/scripts tests/data

# TEST() looks for leaks in each test; what Criterion's own runner leaks at its end is not ours.
AM_TESTS_ENVIRONMENT = \
	ASAN_OPTIONS=$${ASAN_OPTIONS-abort_on_error=1}; LSAN_OPTIONS=$${LSAN_OPTIONS-exitcode=0}; \
	export ASAN_OPTIONS LSAN_OPTIONS;

if HAVE_CRITERION
check_PROGRAMS += unit-tests
TESTS += unit-tests
unit_tests_SOURCES = \
	%D%/unit/test_airdb.c \
	%D%/unit/test_airport.c \
	%D%/unit/test_api_chat.c \
	%D%/unit/test_base.c \
	%D%/unit/test_builtin_planner.c \
	%D%/unit/test_chat_request.c \
	%D%/unit/test_conf.c \
	%D%/unit/test_convlog.c \
	%D%/unit/test_countries.c \
	%D%/unit/test_csv.c \
	%D%/unit/test_db.c \
	%D%/unit/test_fcgi.c \
	%D%/unit/test_filter.c \
	%D%/unit/test_geo.c \
	%D%/unit/test_geocoder.c \
	%D%/unit/test_http.c \
	%D%/unit/test_import.c \
	%D%/unit/test_kv.c \
	%D%/unit/test_nodes.c \
	%D%/unit/test_place.c \
	%D%/unit/test_predictor.c \
	%D%/unit/test_priority.c \
	%D%/unit/test_recorder.c \
	%D%/unit/test_runtime.c \
	%D%/unit/test_search.c \
	%D%/unit/test_sink_cli.c \
	%D%/unit/test_sink_json.c \
	%D%/unit/test_sink_sse.c \
	%D%/unit/test_sse.c \
	%D%/unit/test_store.c \
	%D%/unit/test_store_memory.c \
	%D%/unit/test_store_redis.c \
	%D%/unit/test_store_sqlite.c \
	%D%/unit/test_tool.c \
	%D%/unit/test_tools_airports.c \
	%D%/unit/test_town.c \
	%D%/unit/test_ui_payload.c \
	%D%/unit/test_writer.c
unit_tests_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir) -DTEST_SRCDIR='"$(abs_top_srcdir)"'
unit_tests_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
unit_tests_LDADD = $(AGENT_LIBS) $(CRITERION_LIBS)
endif

# Search latencies for scripts/bench; built when it asks for it.
EXTRA_PROGRAMS += tests/bench/bench_search
tests_bench_bench_search_SOURCES = %D%/bench/bench_search.c
tests_bench_bench_search_LDADD = $(AGENT_LIBS)
CLEANFILES += tests/bench/bench_search
