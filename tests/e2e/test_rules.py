"""Rules of countries: asked, browsed and compared through nginx, and their file changed under way.

The rules are made up (data/rules.json); the last test takes the real ones where they are.
"""

import json
import os
import shutil
import tempfile

from harness import API, HERE, ROOT, Site, check, equal, eventually, real_data
from test_stream import GOLDEN

RULES = os.path.join(HERE, "data", "rules.json")


def rules_site(path=RULES, **env):
    return Site(RULES_JSON=path, **env)


def result(turn):
    return turn.one("tool_call_end")["result"]


def plan_of(turn, tool):
    equal(turn.plan["selected_tool"], tool, "tool")
    return turn.plan["arguments"]


def test_the_sample_of_rules():
    """Questions in a pilot's own words, on the rules that a fresh machine has."""
    with rules_site(os.path.join(ROOT, "conf", "starter", "rules.json")) as site:
        for text in ("minimum height over built-up areas in France", "how low can I fly over a town in France",
                     "how low may I fly in France"):
            answer = site.ask(text).answer
            check(answer.startswith("**France: What is the minimum height VFR over towns"), text + ": " + answer)
        answer = site.ask("do I need a flight plan to cross the border from the UK to France?").answer
        check(answer.startswith("**Do I need a flight plan for a VFR flight that crosses the border?**"), answer)
        check("- **United Kingdom**: Yes." in answer and "- **France**: Yes." in answer, answer)


def test_answer_with_its_source():
    with rules_site() as site:
        turn = site.ask("Do I need a flight plan VFR in France?")
        equal(turn.shape, GOLDEN, "order of events")
        equal(plan_of(turn, "answer_rules_question")["country_code"], "FR", "country")
        r = result(turn)
        equal((r["found"], r["country_code"], r["retrieval_mode"]), (True, "FR", "rag"), "result")
        best = r["rules"][0]
        equal(list(best), ["id", "question_id", "question_text", "similarity", "country_code", "category", "tags",
                           "answer_html", "links", "last_reviewed"], "members of a rule")
        equal(best["id"], "Must_a_VFR_flight_file_a_flight_plan?_FR", "id")
        equal(best["tags"], ["flight_plan"], "tags are normalised")
        check(r["formatted_text"].startswith("**Q: %s**\nA: %s\n(relevance: %.2f)" % (
            best["question_text"], best["answer_html"], best["similarity"])), r["formatted_text"])
        for part in ("France", "except at night", "2025-06-07", "https://fr.example.org/fpl"):
            check(part in turn.answer, "the answer names %s: %s" % (part, turn.answer))
        payload = turn.one("ui_payload")
        equal((payload["kind"], payload["region"], payload["topic"]), ("rules", "FR", None), "payload")
        equal(payload["show_rules"]["countries"], ["FR"], "countries of the panel")
        check(payload["suggested_queries"], "suggestions")


def test_what_the_rules_do_not_know():
    with rules_site() as site:
        turn = site.ask("What is the drone height limit in France?")
        if "tool_call_end" in turn.names:
            equal(result(turn)["found"], False, "found")
        check("I have no national rule of France about this." in turn.answer, turn.answer)
        turn = site.ask("Is a transponder required in class D in Spain?")
        r = result(turn)
        equal((r["found"], r["country_code"], r["count"], r["retrieval_mode"]), (False, "ES", 0, "tags"), "Spain")
        for code in ("DE", "FR", "GB", "IT"):
            check(code in r["message"], "the message lists %s: %s" % (code, r["message"]))
        equal(turn.one("ui_payload")["show_rules"]["countries"], ["ES"], "the panel is told, also of nothing")
        turn = site.ask("Do I have to file a flight plan for a VFR flight?")
        check("error" not in turn.names and "Which country" in turn.answer, "it asks which country: " + turn.answer)
        turn = site.ask("Is there a rule about how many biscuits passengers get?")
        check(turn.answer.startswith("I have no rule that answers this question, for any country."), "no need to ask: " + turn.answer)


def test_a_general_rule_where_the_country_has_none():
    """The original answers with the country's nearest rules, whatever they are about."""
    with rules_site() as site:
        turn = site.ask("Do I need oxygen above 10000 feet?")
        check(turn.answer.startswith("**Oxygen** (European rule NCO.OP.190)\n\n"), "no country: " + turn.answer)
        check("I have no national rule that answers this question, for any country." in turn.answer, turn.answer)
        turn = site.ask("are life jackets required over water in France?")
        r = result(turn)
        equal((r["found"], r["country_code"], r["count"]), (False, "FR", 0), "no rule of France")
        general = r["general_rule"]
        equal(list(general), ["id", "title", "text", "law", "paragraph", "aip_section"], "members")
        equal((general["id"], general["law"], general["paragraph"]), ("life_jackets", "easa", "NCO.IDE.A.175"), "general rule")
        check("which applies in France)" in turn.answer and "gliding distance" in turn.answer, turn.answer)
        check("I have no national rule of France about this." in turn.answer, turn.answer)
        turn = site.ask("Sind Schwimmwesten über Wasser in Österreich Pflicht?")
        check("die in Österreich gilt)" in turn.answer and "Eine nationale Regel dazu habe ich nicht (Österreich)." in turn.answer,
              "a country without rules: " + turn.answer)
        turn = site.ask("Do I need a flight plan VFR in France?")
        check("general_rule" not in result(turn) or turn.answer.startswith("**France"), "a rule of the country comes first: " + turn.answer)


def test_follow_up_keeps_the_question():
    with rules_site() as site:
        first = site.ask("Is a transponder required in class D in France?")
        turn = site.ask("and in Germany?", first.thread)
        equal(plan_of(turn, "answer_rules_question")["country_code"], "DE", "country")
        check("class D" in result(turn)["rules"][0]["question_text"], result(turn)["rules"][0])


def test_browse_and_more():
    with rules_site() as site:
        turn = site.ask("List all the rules for Germany")
        args = plan_of(turn, "browse_rules")
        equal(args["country_code"], "DE", "country")
        r = result(turn)
        equal(list(r), ["found", "country_code", "total", "offset", "limit", "count", "has_more", "rules", "formatted_text",
                        "categories", "next_offset"], "members")
        equal(r["total"], 8, "total, without blank answers and the category ignore")
        texts = [x["question_text"].lower() for x in r["rules"]]
        equal(texts, sorted(texts), "order")
        equal(r["categories"], sorted(set(r["categories"])), "categories")
        check("ignore" not in r["categories"], "the category ignore")


def test_compare():
    with rules_site() as site:
        turn = site.ask("What is different between the rules in France and Germany?")
        equal(plan_of(turn, "compare_rules_between_countries")["countries"], ["FR", "DE"], "countries")
        r = result(turn)
        equal((r["found"], r["_tool_type"], r["filtered_by_embedding"]), (True, "comparison", False), "result")
        check(r["total_differences"] == len(r["differences"]) > 0, "differences")
        check("FR" in r["comparison"]["country1"] and "DE" in r["comparison"]["country2"], "the text comparison's keys")
        check("Unknown" not in r["rules_context"] and "**FR**: " in r["rules_context"], r["rules_context"])
        check("Formatted answer" not in turn.one("final_answer")["state"]["thinking"], "thinking of a comparison")
        for part in ("France", "Germany"):
            check(part in turn.answer, turn.answer)
        payload = turn.one("ui_payload")
        equal((payload["region"], payload["show_rules"]["countries"]), (None, ["FR", "DE"]), "payload")
        # three countries and a topic; the original dropped the third and the tags
        turn = site.ask("Compare the transponder rules of France, Germany and the UK")
        args = plan_of(turn, "compare_rules_between_countries")
        equal((sorted(args["countries"]), args.get("tags")), (["DE", "FR", "GB"], ["transponder"]), "arguments")
        for d in result(turn)["differences"]:
            check("transponder" in d["tags"], d)
        check("**GB**: " in result(turn)["rules_context"], "the third country")


def test_missing_answers_are_told():
    with rules_site() as site:
        turn = site.ask("Compare the rules of Italy and Germany")
        check("italy" in turn.answer.lower() and ("not recorded" in turn.answer.lower() or "no answer" in turn.answer.lower()),
              "what Italy does not tell: " + turn.answer)


def test_rest_view():
    with rules_site() as site:
        for path in ("/api/rules/FR", "/api/rules/fr", API + "/rules/FR"):
            r = site.get(path)
            equal((r.status, r.header("Content-Type")), (200, "application/json"), path)
            o = r.json()
            equal(list(o), ["country", "total_rules", "categories"], "members")
            equal((o["country"], o["total_rules"]), ("FR", 7), "rules of France, without the blank one")
            names = [c["name"] for c in o["categories"]]
            equal(names, sorted(names, key=str.lower), "categories")
            check("ignore" not in names, names)
            for c in o["categories"]:
                equal(c["count"], len(c["rules"]), "count")
                for rule in c["rules"]:
                    equal(list(rule), ["question_id", "question_text", "category", "tags", "answer_html", "links",
                                       "last_reviewed", "confidence"], "members of a rule")
        o = site.get("/api/rules/ZZ")
        equal((o.status, o.json()), (200, {"country": "ZZ", "total_rules": 0, "categories": []}), "a country without rules")
        for path, kind in (("/api/rules/F", "string_too_short"), ("/api/rules/FRAN", "string_too_long")):
            r = site.get(path)
            equal((r.status, r.json()["detail"][0]["type"]), (422, kind), path)
        equal(site.get("/api/rules/").status, 404, "no country at all")
        r = site.post("/api/rules/FR", {})
        equal((r.status, r.header("Allow")), (405, "GET, HEAD"), "POST")


def test_html_of_strangers():
    with rules_site() as site:
        text = site.get("/api/rules/GB").body.decode()
        for bad in ("<script", "onclick", "javascript:"):
            check(bad not in text, "%s reaches the page" % bad)
        turn = site.ask("Is English the only language on the radio in the UK?")
        check("<" not in turn.answer.replace("&lt;", ""), turn.answer)
        turn = site.ask("How do I join the visual circuit in the UK?")
        check("c &gt; d" in turn.answer or "c > d" in turn.answer or "c \\> d" in turn.answer,
              "text between < and > is not taken for an element: " + turn.answer)


def test_changed_file_is_read_anew():
    folder = tempfile.mkdtemp(prefix="aa-rules.")
    path = os.path.join(folder, "rules.json")
    with rules_site(path) as site:
        total = lambda: site.get("/api/rules/FR").json()["total_rules"]

        def put(text):
            with open(path + ".new", "w") as f:
                f.write(text)
            os.rename(path + ".new", path)

        try:
            equal(total(), 0, "without the file")
            turn = site.ask("Do I need a flight plan VFR in France?")
            check("error" not in turn.names, "without rules the agent says so: %s" % turn.all("error"))
            put(open(RULES).read())
            eventually(lambda: total() == 7, "the file that came later is read", 10)
            for broken in ("{", '{"questions": 7}', "[]", ""):
                put(broken)
                eventually(lambda: site.get("/health").json()["rules"]["status"] == "stale", "health tells of %r" % broken, 10)
                equal(total(), 7, "a broken file keeps the old rules: %r" % broken)
            check(site.get("/health").json()["status"] == "degraded", "health")
            more = json.load(open(RULES))
            more["questions"].append({"question_id": "new", "question_text": "Is this new?",
                                      "answers_by_country": {"fr": {"answer_html": "Yes."}}})
            put(json.dumps(more["questions"]))         # the other shape
            eventually(lambda: total() == 8, "the changed file is read", 10)
            equal(site.get("/health").json()["rules"]["status"], "loaded", "health")
            os.unlink(path)
            eventually(lambda: site.get("/health").json()["rules"]["status"] == "stale", "health tells of the missing file", 10)
            equal(total(), 8, "a file that is gone keeps the old rules")
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def test_wrong_types_in_any_field():
    good = {"question_id": "good", "question_text": "Is it good?", "answers_by_country": {"FR": {"answer_html": "Yes."}}}
    bad = [7, None, "x", [], {}, True, -1.5]
    rows = [good]
    for key in ("question_id", "question_text", "question_raw", "question_prefix", "category", "tags", "answers_by_country"):
        rows += [dict(good, question_id="%s %d" % (key, i), **({} if key == "question_id" else {key: v}))
                 if key != "question_id" else dict(good, question_id=v) for i, v in enumerate(bad)]
    for key in ("answer_html", "links", "links_json", "last_reviewed", "confidence"):
        rows += [dict(good, question_id="a %s %d" % (key, i), answers_by_country={"FR": {"answer_html": "Yes.", key: v}})
                 for i, v in enumerate(bad)]
    rows += [dict(good, question_id="c %d" % i, answers_by_country={"FR": v, "": v, "TOOLONG": v, "DE": {"answer_html": "Ja."}})
             for i, v in enumerate(bad)]
    with Site() as site:
        path = os.path.join(site.dir, "odd.json")
        with open(path, "w") as f:
            json.dump({"questions": rows + bad}, f)
        w = site.workers[0]
        w.term()
        w.process.wait()
        site.env["RULES_JSON"] = path
        w.start()
        o = site.get("/api/rules/FR").json()
        check(o["total_rules"] > 30, "the rest is there: %d" % o["total_rules"])
        turn = site.ask("List the rules for France")
        check("error" not in turn.names, turn.all("error"))
        check("rules_fault" in w.log(), "the log names what was wrong")


def test_real_rules():
    with rules_site(real_data("rules", "rules.json")) as site:
        total = 0
        for cc in "BE CH DE FR GB GG GR HU IE IT JE LU MT NL NO PL PT SE TR".split():
            total += site.get("/api/rules/" + cc).json()["total_rules"]
        health = site.get("/health").json()["rules"]
        equal((health["status"], health["countries"]), ("loaded", 19), "health")
        equal(total, 1101 - 206 - 18, "answers that are shown: all but the blank ones and the category ignore")
        turn = site.ask("Compare flight plan rules between France and the UK")
        equal(result(turn)["tags"], ["flight_plan"], "tags")
        equal(result(turn)["total_questions"], 9, "questions with the tag")
