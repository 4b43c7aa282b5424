# Unit tests: one program of all tests/unit/test_*.c. Black-box tests are run by scripts/check.
EXTRA_DIST += tests/e2e tests/unit tests/bench tests/scripts tests/data tests/fuzz tests/double \
	tests/quality tests/browser tests/language

# TEST() looks for leaks in each test. At the end of a process there is nothing more to look for: what
# Criterion's own runner leaks is not ours.
AM_TESTS_ENVIRONMENT = \
	ASAN_OPTIONS=$${ASAN_OPTIONS-abort_on_error=1}; LSAN_OPTIONS=$${LSAN_OPTIONS-leak_check_at_exit=0}; \
	export ASAN_OPTIONS LSAN_OPTIONS;

if HAVE_CRITERION
check_PROGRAMS += unit-tests
TESTS += %D%/unit/run
unit_tests_SOURCES = \
	%D%/unit/test_agents.c \
	%D%/unit/test_agent_echo.c \
	%D%/unit/test_airdb.c \
	%D%/unit/test_airport.c \
	%D%/unit/test_airport_totals.c \
	%D%/unit/test_api_airport.c \
	%D%/unit/test_api_airports.c \
	%D%/unit/test_airport_list.c \
	%D%/unit/test_api_chat.c \
	%D%/unit/test_api_rules.c \
	%D%/unit/test_api_threads.c \
	%D%/unit/test_bad_input.c \
	%D%/unit/test_base.c \
	%D%/unit/test_behavior.c \
	%D%/unit/test_builtin_planner.c \
	%D%/unit/test_catalogue.c \
	%D%/unit/test_chat_request.c \
	%D%/unit/test_chooser.c \
	%D%/unit/test_chroma.c \
	%D%/unit/test_cohere.c \
	%D%/unit/test_compare.c \
	%D%/unit/test_conf.c \
	%D%/unit/test_convlog.c \
	%D%/unit/test_countries.c \
	%D%/unit/test_csv.c \
	%D%/unit/test_db.c \
	%D%/unit/test_evidence.c \
	%D%/unit/test_facts.c \
	%D%/unit/test_fcgi.c \
	%D%/unit/test_fcgi_room.c \
	%D%/unit/test_fcgi_screen.c \
	%D%/unit/test_fields.c \
	%D%/unit/test_frame.c \
	%D%/unit/test_frame_amends.c \
	%D%/unit/test_reading_amends.c \
	%D%/unit/test_frame_plans.c \
	%D%/unit/test_fact_file.c \
	%D%/unit/test_filter.c \
	%D%/unit/test_foreign.c \
	%D%/unit/test_friendliness.c \
	%D%/unit/test_gateway.c \
	%D%/unit/test_geo.c \
	%D%/unit/test_geocoder.c \
	%D%/unit/test_history.c \
	%D%/unit/test_http.c \
	%D%/unit/test_httpc.c \
	%D%/unit/test_httpc_limits.c \
	%D%/unit/test_httpc_tls.c \
	%D%/unit/test_idempotency.c \
	%D%/unit/test_import.c \
	%D%/unit/test_import_friendliness.c \
	%D%/unit/test_knowledge.c \
	%D%/unit/test_kv.c \
	%D%/unit/test_kv_cluster.c \
	%D%/unit/test_kv_listen.c \
	%D%/unit/test_kv_tls.c \
	%D%/unit/test_marked.c \
	%D%/unit/test_mcp.c \
	%D%/unit/test_mcp_message.c \
	%D%/unit/test_mcp_stdio.c \
	%D%/unit/test_lexical.c \
	%D%/unit/test_encoder.c \
	%D%/unit/test_linear.c \
	%D%/unit/test_llm.c \
	%D%/unit/test_llm_dialects.c \
	%D%/unit/test_llm_gate.c \
	%D%/unit/test_llm_openai.c \
	%D%/unit/test_llm_openai_chunk.c \
	%D%/unit/test_llm_parse.c \
	%D%/unit/test_llm_thoughts.c \
	%D%/unit/test_mcp_client.c \
	%D%/unit/test_model_files.c \
	%D%/unit/test_model_open.c \
	%D%/unit/test_model_plan.c \
	%D%/unit/test_model_result.c \
	%D%/unit/test_model_turn.c \
	%D%/unit/test_model_write.c \
	%D%/unit/test_net.c \
	%D%/unit/test_new_tool.c \
	%D%/unit/test_nodes.c \
	%D%/unit/test_notice.c \
	%D%/unit/test_notice_model.c \
	%D%/unit/test_notice_rules.c \
	%D%/unit/test_onboarding.c \
	%D%/unit/test_onboarding_builtin.c \
	%D%/unit/test_owned.c \
	%D%/unit/test_params.c \
	%D%/unit/test_persona.c \
	%D%/unit/test_areas.c \
	%D%/unit/test_place_evidence.c \
	%D%/unit/test_shown_evidence.c \
	%D%/unit/test_places_import.c \
	%D%/unit/test_place.c \
	%D%/unit/test_planner_rules.c \
	%D%/unit/test_predictor.c \
	%D%/unit/test_priority.c \
	%D%/unit/test_prompt.c \
	%D%/unit/test_quantity.c \
	%D%/unit/test_recorder.c \
	%D%/unit/test_remote.c \
	%D%/unit/test_replace_file.c \
	%D%/unit/test_replies.c \
	%D%/unit/test_general_rules.c \
	%D%/unit/test_retrieve.c \
	%D%/unit/test_router.c \
	%D%/unit/test_rulebase.c \
	%D%/unit/test_vector_file.c \
	%D%/unit/test_rule_filter.c \
	%D%/unit/test_rules.c \
	%D%/unit/test_rules_builtin.c \
	%D%/unit/test_rule_html.c \
	%D%/unit/test_run_cancel.c \
	%D%/unit/test_run_queue.c \
	%D%/unit/test_runlog.c \
	%D%/unit/test_runtime.c \
	%D%/unit/test_search.c \
	%D%/unit/test_seen.c \
	%D%/unit/test_sink_cli.c \
	%D%/unit/test_sink_json.c \
	%D%/unit/test_sink_sse.c \
	%D%/unit/test_sink_turn.c \
	%D%/unit/test_sse.c \
	%D%/unit/test_store.c \
	%D%/unit/test_store_redis.c \
	%D%/unit/test_run_desk.c \
	%D%/unit/test_run_replay.c \
	%D%/unit/test_store_runs.c \
	%D%/unit/test_store_claims.c \
	%D%/unit/test_store_queue.c \
	%D%/unit/test_store_repair.c \
	%D%/unit/test_store_sqlite.c \
	%D%/unit/test_store_flat.c \
	%D%/unit/test_sun.c \
	%D%/unit/test_tagger.c \
	%D%/unit/test_terms.c \
	%D%/unit/test_threads.c \
	%D%/unit/test_tokens.c \
	%D%/unit/test_tool.c \
	%D%/unit/test_turn_language.c \
	%D%/unit/test_tools_airports.c \
	%D%/unit/test_tools_friendliness.c \
	%D%/unit/test_tools_onboarding.c \
	%D%/unit/test_tools_rules.c \
	%D%/unit/test_tools_rules_compare.c \
	%D%/unit/test_talk.c \
	%D%/unit/test_town.c \
	%D%/unit/test_ui_payload.c \
	%D%/unit/test_users.c \
	%D%/unit/test_vary.c \
	%D%/unit/test_vector_store.c \
	%D%/unit/test_vector_store_chroma.c \
	%D%/unit/test_vocabulary.c \
	%D%/unit/test_watch.c \
	%D%/unit/test_words.c \
	%D%/unit/test_writer.c \
	%D%/unit/test_writer_rules.c \
	%D%/language/marked.c %D%/language/marked.h %D%/language/vary.c %D%/language/vary.h
unit_tests_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir) -DTEST_SRCDIR='"$(abs_top_srcdir)"'
unit_tests_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
unit_tests_LDADD = $(AGENT_LIBS) $(CRITERION_LIBS)
endif

# For scripts/bench, built when it asks for them: search latencies, what planning costs, many readers
# at once, and the scripted provider, which shares no code with what it tests.
EXTRA_PROGRAMS += tests/bench/bench_search tests/bench/bench_calls tests/bench/bench_store tests/bench/bench_places tests/bench/bench_rules tests/bench/bench_planner tests/bench/bench_evidence \
	tests/bench/stream_load tests/quality/quality tests/quality/notice_texts tests/double/provider
# Make and measure the model of the reader of language (scripts/train).
EXTRA_PROGRAMS += tests/language/language-train tests/language/language-measure tests/language/language-coverage
tests_language_language_train_SOURCES = %D%/language/train.c %D%/language/school.c %D%/language/school.h \
	%D%/language/lessons.c %D%/language/lessons.h %D%/language/senses.c %D%/language/senses.h \
	%D%/language/vary.c %D%/language/vary.h \
	%D%/language/marked.c %D%/language/marked.h
tests_language_language_train_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir)
tests_language_language_train_LDADD = $(AGENT_LIBS)
tests_language_language_measure_SOURCES = %D%/language/measure.c %D%/language/measured.c \
	%D%/language/measured.h %D%/language/school.c %D%/language/school.h \
	%D%/language/lessons.c %D%/language/lessons.h %D%/language/senses.c %D%/language/senses.h \
	%D%/language/vary.c %D%/language/vary.h \
	%D%/language/marked.c %D%/language/marked.h %D%/language/same_frames.c %D%/language/same_frames.h
tests_language_language_measure_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir)
tests_language_language_measure_LDADD = $(AGENT_LIBS)
tests_language_language_coverage_SOURCES = %D%/language/coverage.c %D%/language/school.c %D%/language/school.h \
	%D%/language/lessons.c %D%/language/lessons.h %D%/language/senses.c %D%/language/senses.h \
	%D%/language/vary.c %D%/language/vary.h \
	%D%/language/marked.c %D%/language/marked.h %D%/language/same_frames.c %D%/language/same_frames.h
tests_language_language_coverage_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir)
tests_language_language_coverage_LDADD = $(AGENT_LIBS)
CLEANFILES += tests/language/language-train tests/language/language-measure tests/language/language-coverage
# Make and measure the encoder of rules.
EXTRA_PROGRAMS += tests/language/encoder-train tests/language/encoder-measure
tests_language_encoder_train_SOURCES = %D%/language/encoder_train.c %D%/language/lessons.c %D%/language/lessons.h \
	%D%/language/senses.c %D%/language/senses.h
tests_language_encoder_train_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir)
tests_language_encoder_train_LDADD = $(AGENT_LIBS)
tests_language_encoder_measure_SOURCES = %D%/language/encoder_measure.c %D%/language/lessons.c %D%/language/lessons.h \
	%D%/language/senses.c %D%/language/senses.h
tests_language_encoder_measure_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir)
tests_language_encoder_measure_LDADD = $(AGENT_LIBS)
CLEANFILES += tests/language/encoder-train tests/language/encoder-measure

tests_bench_bench_places_SOURCES = %D%/bench/bench_places.c
tests_bench_bench_places_LDADD = $(AGENT_LIBS)
tests_bench_bench_store_SOURCES = %D%/bench/bench_store.c
tests_bench_bench_store_LDADD = $(AGENT_LIBS)
tests_bench_bench_search_SOURCES = %D%/bench/bench_search.c
tests_bench_bench_search_LDADD = $(AGENT_LIBS)
tests_bench_bench_calls_SOURCES = %D%/bench/bench_calls.c
tests_bench_bench_calls_LDADD = $(AGENT_LIBS)
tests_bench_bench_rules_SOURCES = %D%/bench/bench_rules.c
tests_bench_bench_rules_LDADD = $(AGENT_LIBS)
tests_bench_bench_evidence_SOURCES = %D%/bench/bench_evidence.c
tests_bench_bench_evidence_LDADD = $(AGENT_LIBS)
tests_bench_bench_planner_SOURCES = %D%/bench/bench_planner.c %D%/language/marked.c %D%/language/marked.h
tests_bench_bench_planner_CPPFLAGS = $(AM_CPPFLAGS) -iquote $(top_srcdir)
tests_bench_bench_planner_LDADD = $(AGENT_LIBS)
tests_quality_quality_SOURCES = %D%/quality/quality.c
tests_quality_quality_LDADD = $(AGENT_LIBS)
tests_quality_notice_texts_SOURCES = %D%/quality/notice_texts.c
tests_quality_notice_texts_LDADD = $(AGENT_LIBS)
tests_bench_stream_load_SOURCES = %D%/bench/stream_load.c
tests_double_provider_SOURCES = %D%/double/provider.c %D%/double/http.c %D%/double/script.c \
	%D%/double/reply.c %D%/double/speech.c \
	%D%/double/other_requests.c %D%/double/other_replies.c %D%/double/double.h
tests_double_provider_LDADD = $(JSON_LIBS)
CLEANFILES += tests/bench/bench_search tests/bench/bench_calls tests/bench/bench_places tests/bench/bench_rules tests/bench/bench_planner tests/bench/bench_evidence \
	tests/bench/stream_load tests/quality/quality tests/quality/notice_texts tests/double/provider
