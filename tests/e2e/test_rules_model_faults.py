"""Rules when a part is away: no vectors, an index of another model, a reader who leaves, time that is up, no model."""

import concurrent.futures
import json
import os
import shutil
import tempfile
import time

import harness
from harness import Provider, Site, check, cli, equal, eventually
from test_model import logged, nowhere, quick
from test_rules import RULES, result
from test_rules_model import (COMING, DIMS, FPL, IN_FRANCE, MODEL, Index, answering, config, is_golden, kinds, script, texts,
                              waiting, warns)

FAULTS = {"down": {"status": 500}, "no quota": {"status": 429, "code": "insufficient_quota"}, "ends": {"fault": "close"},
          "reset": {"fault": "reset"}, "stalled": {"fault": "stall"}, "garbage": {"body": "no JSON"},
          "other length": {"dims": DIMS // 2}, "not a number": {"body": {"data": [{"index": 0, "embedding": ["x"] * DIMS}]}},
          "zeros": {"body": {"data": [{"index": 0, "embedding": [0] * DIMS}]}}}


def test_no_vector_of_the_question(what):
    """Rules are then found by words, and the turn is answered as usual."""
    with Index() as x, Provider(case=script(plans=[answering(FPL)], embed=FAULTS[what])) as provider, \
            Site(model=provider, **dict(x.env, **quick())) as site:
        turn = site.ask(IN_FRANCE)
        is_golden(turn, what)
        equal((result(turn)["retrieval_mode"], texts(turn)[0]), ("rag", FPL), what + ": found by words")
        if what != "zeros":
            check(warns(site, "step=vectors"), what + ": the log tells of it")
            check("vectors=0" in site.workers[0].log(), what + ": searched by words")
        nowhere(COMING, site)


test_no_vector_of_the_question.rows = [(w,) for w in FAULTS]


def test_index_of_another_model():
    with Index() as x, config(rag__embedding_model="other-embedder") as env, \
            Provider(case=script(plans=[answering(FPL)])) as provider, Site(model=provider, **dict(x.env, **env)) as site:
        turn = site.ask(IN_FRANCE)
        is_golden(turn, "another model")
        equal(texts(turn)[0], FPL, "found by words")
        equal(kinds(provider), ["planner", "formatter"], "nobody asks for a vector that fits nothing")
        line, = warns(site, "rule_vectors")
        for word in (MODEL, "other-embedder", "aviation-agent index rules"):
            check(word in line, "the log tells of %s: %s" % (word, line))
        equal(site.get("/health").json()["rules"]["search"], "words", "health")
        status, out, err = cli("check", env=dict(provider.env, **x.env, **env))
        for word in (MODEL, "other-embedder", "aviation-agent index rules"):
            check(word in out, "check tells of %s: %s" % (word, out))
        # and when that was done, the workers notice
        x.build(**env)
        eventually(lambda: site.get("/health").json()["rules"]["search"] == "vectors", "the new index is in use", 15, 0.3)
        is_golden(site.ask(IN_FRANCE), "after the index run")
        equal(kinds(provider, None)[-2:], ["embeddings", "formatter"], "requests")


def test_reader_leaves(kind):
    """When the reader leaves while the tool waits, the call ends too."""
    stalls = {"reformulation": {"reword": {"fault": "stall"}}, "embeddings": {"embed": {"fault": "stall"}}}[kind]
    with Index() as x, Provider(case=script(**stalls)) as provider, Site(model=provider, **x.env) as site:
        with site.open(IN_FRANCE) as s:
            s.until("tool_call_start")
            request = waiting(provider, kind)
            gone = time.monotonic()
            s.leave()
        closed = eventually(lambda: provider.closed(request), "the connection to the provider is closed", 5)
        print("     %s: the provider's connection was closed %.1f ms after the reader left" % (kind, (closed - gone) * 1000))
        check(closed - gone < 2 * harness.SLACK, "closed %.0f ms after the reader left" % ((closed - gone) * 1000))
        entry, = eventually(lambda: logged(site), "the conversation log has it")
        equal(entry["metadata"].get("cancelled"), True, "cancelled")
        time.sleep(0.3)
        equal(provider.requests()[-1].number, request.number, "nothing more is asked")
        equal(site.get("/health").json()["chats"]["active"], 0, "chats that run")


test_reader_leaves.rows = [("reformulation",), ("embeddings",)]


def test_steps_leave_time_for_the_answer(kind):
    """A service that does not answer takes only its share of a short turn: the answer comes, if needed by words."""
    stalls = {"reformulation": {"reword": {"fault": "stall"}}, "embeddings": {"embed": {"fault": "stall"}},
              "both": {"reword": {"fault": "stall"}, "embed": {"fault": "stall"}}}[kind]
    limit = int(5 * harness.SLACK)
    with Index() as x, Provider(case=script(plans=[answering(FPL)], **stalls)) as provider, \
            Site(model=provider, AVIATION_AGENT_TURN_TIMEOUT_S=limit, **x.env) as site:
        started = time.monotonic()
        turn = site.ask(IN_FRANCE)
        took = time.monotonic() - started
        check(took < limit, "%s: it took %.1f s" % (kind, took))
        is_golden(turn, kind)
        equal(texts(turn)[0], FPL, kind + ": found")
        eventually(lambda: provider.closed(provider.requests(kind="embeddings" if kind == "embeddings" else "reformulation")[-1]),
                   kind + ": the provider's connection is closed")


test_steps_leave_time_for_the_answer.rows = [("reformulation",), ("embeddings",), ("both",)]


def test_what_hangs_is_waited_for_once(kind):
    """Only one turn waits for it, not every turn."""
    stalls = {"reformulation": {"reword": {"fault": "stall"}}, "embeddings": {"embed": {"fault": "stall"}}}[kind]
    with Index() as x, Provider(case=script(plans=[answering(FPL)], **stalls)) as provider, \
            Site(model=provider, **x.env, AVIATION_AGENT_LLM_FIRST_MS=int(4000 * harness.SLACK)) as site:
        for i in range(3):
            started = time.monotonic()
            turn = site.ask(IN_FRANCE)
            took = time.monotonic() - started
            is_golden(turn, kind)
            equal(texts(turn)[0], FPL, kind + ": found")
            check(took < (12 if i == 0 else 3) * harness.SLACK, "%s: turn %d took %.1f s" % (kind, i + 1, took))
        equal(len(provider.requests(kind=kind)), 1, kind + ": requests")
        line, = warns(site, "retrieval_step_failed")
        check("rest_ms=30000" in line, line)


test_what_hangs_is_waited_for_once.rows = [("reformulation",), ("embeddings",)]


def test_rules_and_index_change_under_turns():
    """Many turns in two workers while the rules change and the index is made anew: each one is answered from a whole
    state, the old or the new."""
    folder = tempfile.mkdtemp(prefix="aa-changing.")
    path, whole = os.path.join(folder, "rules.json"), open(RULES, encoding="utf-8").read()
    changed = whole.replace("except at night and across the border", "except at night, at last")
    shutil.copy(RULES, path)
    try:
        with Index(rules=path) as x, Provider(case=script()) as provider, \
                Site(model=provider, workers=2, AVIATION_AGENT_STORE_TIMEOUT_MS=10000, **x.env) as site:
            stop = time.monotonic() + 7 * harness.SLACK

            def pilot(_):
                got = []
                while time.monotonic() < stop:
                    turn = site.ask(IN_FRANCE)
                    is_golden(turn, "a turn")
                    equal((texts(turn)[0], result(turn)["rules"][0]["similarity"]), (FPL, 1), "found by meaning")
                    got.append(result(turn)["rules"][0]["answer_html"])
                return got
            with concurrent.futures.ThreadPoolExecutor(6) as pool:
                turns = [pool.submit(pilot, i) for i in range(6)]
                for text in (changed, whole, changed):
                    with open(path + ".new", "w", encoding="utf-8") as f:
                        f.write(text)
                    os.rename(path + ".new", path)
                    x.build()
                    time.sleep(2.2)                        # files are looked at every two seconds
                answers = {a for t in turns for a in t.result()}
            html = [json.loads(t)["questions"][0]["answers_by_country"]["FR"]["answer_html"] for t in (whole, changed)]
            equal(sorted(answers), sorted(html), "answers that were given")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


test_rules_and_index_change_under_turns.alone = True


def test_model_is_away():
    """Planner and writer are the built-in ones, the search is by words, and the answer and its metadata say so."""
    with Index() as x, Provider(case=script()) as provider:
        provider.stop()
        with Site(model=provider, **dict(x.env, **quick())) as site:
            for asks, tool, parts in (
                    ("Do I need a flight plan VFR in France?", "answer_rules_question", ("except at night", "https://fr.example.org/fpl")),
                    ("List all the rules for Germany", "browse_rules", ("Germany",)),
                    ("What is different between the rules in France and Germany?", "compare_rules_between_countries",
                     ("France", "Germany"))):
                turn = site.ask(asks)
                check("error" not in turn.names, "%s: %s" % (asks, turn.all("error")))
                equal(turn.plan["selected_tool"], tool, asks)
                equal(turn.one("done")["metadata"].get("degraded"), True, asks + ": degraded")
                for part in parts:
                    check(part in turn.answer, "%s: %s" % (asks, turn.answer))
                check(any("language model" in t["content"] for t in turn.all("thinking")), "thinking tells of it")
        provider.start()


def test_silent_model_is_waited_for_once():
    """A turn that waited for a plan in vain does not wait again for a rewording, a vector and an answer."""
    stall = {"fault": "stall"}
    with Index() as x, Provider(case=script(plans=[stall], reword=stall, embed=stall, write=stall)) as provider, \
            Site(model=provider, **x.env, AVIATION_AGENT_TURN_TIMEOUT_S=60,
                 AVIATION_AGENT_LLM_FIRST_MS=int(1000 * harness.SLACK)) as site:
        started = time.monotonic()
        turn = site.ask("Do I need a flight plan VFR in France?")
        took = time.monotonic() - started
        check("error" not in turn.names and turn.one("done")["metadata"].get("degraded"), turn.names)
        check(took < 8 * harness.SLACK, "it took %.1f s: %s" % (took, kinds(provider)))
