# Installed as they stand here, under $(pkgdatadir).
nobase_dist_pkgdata_DATA = \
	conf/aviation_agent/default.json \
	conf/next_query_predictor/default.json \
	conf/facts/countries.txt \
	conf/facts/exonyms.txt \
	conf/facts/icao_prefixes.txt \
	conf/facts/neighbours.txt \
	conf/facts/place_words.txt \
	conf/facts/preferred_countries.txt \
	conf/facts/surfaces.txt \
	conf/facts/towns.txt \
	conf/language/en/airport_words.txt \
	conf/language/en/rule_words.txt \
	conf/starter/README \
	conf/starter/airports.csv \
	conf/starter/runways.csv \
	conf/starter/countries.csv \
	conf/systemd/aviation-agent.service \
	conf/systemd/aviation-agent.socket \
	conf/systemd/aviation-agent@.service \
	nginx/aviation-agent.conf \
	nginx/aviation-agent-limits.conf \
	nginx/aviation-agent-upstream.conf \
	nginx/demo-site.conf.in \
	nginx/demo/index.html \
	prompts/README \
	prompts/planner.md \
	prompts/formatter.md \
	prompts/comparison.md \
	prompts/planner_examples.json \
	prompts/tools/search_airports.md \
	prompts/tools/find_airports_near_location.md \
	prompts/tools/find_airports_near_route.md \
	prompts/tools/get_airport_details.md \
	prompts/tools/answer_rules_question.md \
	prompts/tools/browse_rules.md \
	prompts/tools/compare_rules_between_countries.md
