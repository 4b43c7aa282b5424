# The page: what frames it, its chat, and its map with the panels.
page_files = \
	nginx/html/.htaccess \
	nginx/html/app.js \
	nginx/html/bus.js \
	nginx/html/dom.js \
	nginx/html/icon.svg \
	nginx/html/index.html \
	nginx/html/libraries.js \
	nginx/html/settings-menu.js \
	nginx/html/settings.js \
	nginx/html/site.json \
	nginx/html/storage.js \
	nginx/html/texts.js \
	nginx/html/theme.js \
	nginx/html/views.js \
	nginx/html/widget.js \
	nginx/html/css/base.css \
	nginx/html/css/layout.css \
	nginx/html/css/print.css \
	nginx/html/css/widget.css \
	nginx/html/texts/de.js \
	nginx/html/texts/en.js \
	nginx/html/texts/fr.js

page_chat_files = \
	nginx/html/agent.js \
	nginx/html/archive.js \
	nginx/html/chat.js \
	nginx/html/clipboard.js \
	nginx/html/composer.js \
	nginx/html/feedback.js \
	nginx/html/markdown.js \
	nginx/html/payload.js \
	nginx/html/share.js \
	nginx/html/sse.js \
	nginx/html/steps.js \
	nginx/html/stream.js \
	nginx/html/suggestions.js \
	nginx/html/thread-store.js \
	nginx/html/threads.js \
	nginx/html/turn.js \
	nginx/html/css/chat.css

page_map_files = \
	nginx/html/css/map.css \
	nginx/html/airports.js \
	nginx/html/also.js \
	nginx/html/api.js \
	nginx/html/basemap.js \
	nginx/html/details.js \
	nginx/html/details-parts.js \
	nginx/html/export.js \
	nginx/html/export-formats.js \
	nginx/html/geo.js \
	nginx/html/filters.js \
	nginx/html/light-html.js \
	nginx/html/list.js \
	nginx/html/map.js \
	nginx/html/markers.js \
	nginx/html/outlines.js \
	nginx/html/route.js \
	nginx/html/rules.js \
	nginx/html/shown.js \
	nginx/html/symbols.js \
	nginx/html/units.js

# The image of the vocabulary is made of them (src/local.mk).
vocabulary_texts = \
	conf/language/common/vocabulary.txt \
	conf/language/de/vocabulary.txt \
	conf/language/en/vocabulary.txt \
	conf/language/fr/vocabulary.txt

# Installed as they stand here, under $(pkgdatadir).
nobase_dist_pkgdata_DATA = \
	$(vocabulary_texts) \
	conf/aviation_agent/default.json \
	conf/next_query_predictor/default.json \
	conf/personas.json \
	conf/facts/aircraft.txt \
	conf/facts/areas.txt \
	conf/facts/countries.txt \
	conf/facts/currencies.txt \
	conf/facts/exonyms.txt \
	conf/facts/general_rules.txt \
	conf/facts/icao_prefixes.txt \
	conf/facts/neighbours.txt \
	conf/facts/notice_words.txt \
	conf/facts/place_words.txt \
	conf/facts/preferred_countries.txt \
	conf/facts/surfaces.txt \
	conf/facts/towns.txt \
	conf/language/de/answer_words.txt \
	conf/language/de/answers.txt \
	conf/language/de/answers_airport.txt \
	conf/language/de/answers_notice.txt \
	conf/language/de/answers_rules.txt \
	conf/language/de/answers_turn.txt \
	conf/language/de/common.txt \
	conf/language/common/foreign.txt \
	conf/language/de/area_names.txt \
	conf/language/de/country_names.txt \
	conf/language/de/forms.txt \
	conf/language/de/general_rules.txt \
	conf/language/de/quick_actions.txt \
	conf/language/de/replies.txt \
	conf/language/encoder.model \
	conf/language/en/answer_words.txt \
	conf/language/en/answers.txt \
	conf/language/en/answers_airport.txt \
	conf/language/en/answers_notice.txt \
	conf/language/en/answers_rules.txt \
	conf/language/en/answers_turn.txt \
	conf/language/en/common.txt \
	conf/language/en/forms.txt \
	conf/language/en/general_rules.txt \
	conf/handbook/first-day.md \
	conf/handbook/holidays.md \
	conf/handbook/it.md \
	conf/handbook/meals.md \
	conf/handbook/office.md \
	conf/handbook/working-time.md \
	conf/language/en/knowledge_words.txt \
	conf/language/en/onboarding_replies.txt \
	conf/language/en/onboarding_words.txt \
	conf/language/en/quick_actions.txt \
	conf/language/en/replies.txt \
	conf/language/en/rule_topics.txt \
	conf/language/en/tool_words.txt \
	conf/language/fr/answer_words.txt \
	conf/language/fr/answers.txt \
	conf/language/fr/answers_airport.txt \
	conf/language/fr/answers_notice.txt \
	conf/language/fr/answers_rules.txt \
	conf/language/fr/answers_turn.txt \
	conf/language/fr/common.txt \
	conf/language/reader.model \
	conf/language/fr/area_names.txt \
	conf/language/fr/country_names.txt \
	conf/language/fr/forms.txt \
	conf/language/fr/general_rules.txt \
	conf/language/fr/quick_actions.txt \
	conf/language/fr/replies.txt \
	conf/starter/README \
	conf/starter/airports.csv \
	conf/starter/runways.csv \
	conf/starter/countries.csv \
	conf/starter/facts.csv \
	conf/starter/rules.json \
	conf/systemd/aviation-agent.service \
	conf/systemd/aviation-agent.socket \
	conf/systemd/aviation-agent@.service \
	conf/systemd/aviation-agent-ws.service \
	nginx/apache.conf \
	nginx/apache-page.conf \
	nginx/aviation-agent.conf \
	nginx/aviation-agent-ws.conf \
	nginx/aviation-agent-limits.conf \
	nginx/onboarding.conf \
	nginx/onboarding-page.conf \
	nginx/original-page.conf \
	nginx/page.conf \
	nginx/aviation-agent-upstream.conf \
	nginx/demo-site.conf.in \
	$(page_files) $(page_chat_files) $(page_map_files) \
	nginx/onboarding/index.html \
	nginx/onboarding/api.js \
	nginx/onboarding/app.js \
	nginx/onboarding/parts.js \
	nginx/onboarding/style.css \
	prompts/README \
	prompts/planner.md \
	prompts/formatter.md \
	prompts/comparison.md \
	prompts/notice.md \
	prompts/planner_examples.json \
	prompts/onboarding/summary.md \
	prompts/onboarding/system.md

# Gets the libraries of the page, on the machine that serves it.
nobase_dist_pkgdata_SCRIPTS = scripts/page-libraries scripts/page-outlines.mjs
