"""When the language model fails: retries, limits, breaker, cap, stand-ins; and readers who leave."""

import concurrent.futures
import email.utils
import time

import harness
from harness import API, ROUTE, Provider, Site, Stream, check, equal, eventually, question
from test_model import (EXOTIC, MODEL, TEXT, ask, asked, at_once, is_degraded, is_good, logged, ms, problems,
                        quick)

# -- patience --


def test_retries():
    """A failure that passes is retried, and the pilot does not notice it."""
    rows = {"retry_408": "ppff", "retry_409": "ppff", "retry_429": "pppfff", "retry_500": "ppff", "retry_503": "ppff",
            "retry_dropped": "ppppfff", "retry_garbage": "ppf", "empty_once": "pff", "error_first": "pff", "error_in_200": "ppf"}
    with Provider("turn", *rows) as provider, Site(model=provider, **quick()) as site:
        for case, calls in rows.items():
            is_good(ask(site, case), case)
            equal(asked(provider, case), calls, case + ": requests")


def test_given_up_after_the_last_retry():
    """Four attempts in all (max_retries 3), one if the first took long; the built-in writer writes an answer that never began."""
    rows = {"html_502": "pppp", "silent": "p", "answer_silent": "pf", "late_first": "pf", "empty": "pffff"}
    with Provider("turn", "call_for_answer", *rows) as provider, Site(model=provider, **quick()) as site:
        for case, calls in rows.items():
            is_degraded(ask(site, case), case)
            equal(asked(provider, case), calls, case + ": requests")
        is_degraded(ask(site, "call_for_answer"), "a function call instead of an answer")


def plans(*replies, **more):
    """A case whose planner gives these, the last one again and again, and whose formatter is good."""
    return {"lists": [dict(more, when={"kind": "planner"}, repeat="last", replies=list(replies))], "then": "turn"}


def test_two_questions_for_one_plan():
    """If a reply holds no plan, the model is asked once more; then the built-in planner plans, or the pilot is told."""
    nothing, words, none = {"text": ""}, {"text": "It is sunny."}, {"call": {"name": "AviationPlan", "arguments": {}}}
    rows = {"nothing": (plans(nothing), "pp", is_degraded), "blank": (plans({"text": " \n "}), "pp", is_degraded),
            "words": (plans(words), "pp", None), "broken": (plans(none), "pp", None),
            "nothing_words": (plans(nothing, words), "pp", None),
            "refused_words": (plans(words, refuse_tools="vllm"), "pp", None),
            "nothing_good": (plans(nothing, {"plan": {"selected_tool": "find_airports_near_route", "arguments":
                             {"from_location": "EGTF", "to_location": "LFMD"}}}), "ppf", is_good)}
    with Provider("turn", **{k: v[0] for k, v in rows.items()}) as provider:
        for case, (_, calls, outcome) in rows.items():
            with Site(model=provider, **quick()) as site:       # each without what the one before remembers
                turn = ask(site, case)
                if outcome:
                    outcome(turn, case)
                else:
                    equal(turn.one("error")["code"], "planner_failed", case)
                equal(asked(provider, case), calls, case + ": requests")


def test_backoff_grows_with_jitter():
    limits = (0.1, 0.2, 0.4)
    with Provider("html_502") as provider, Site(model=provider, **quick(LLM_BACKOFF_MS=100)) as site:
        gaps = []
        for _ in range(5):
            n = len(provider.requests())
            site.ask(ROUTE)
            times = [a.at for a in provider.requests()[n:]]
            gaps.append([b - a for a, b in zip(times, times[1:])])
        check(all(gap < most + 2 * harness.SLACK for row in gaps for gap, most in zip(row, limits)), "pauses %s" % gaps)
        check(max(map(max, gaps)) > limits[0], "no pause is longer than the first may be: %s" % gaps)
        parts = [gap / most for row in gaps for gap, most in zip(row, limits)]
        check(max(parts) - min(parts) > 0.1, "no jitter: %s" % gaps)


def test_Retry_After():
    with Provider("turn", "retry_after", "retry_after_long") as provider, Site(model=provider, **quick()) as site:
        is_good(ask(site, "retry_after"), "a second")
        first, second = provider.requests("retry_after", "planner")
        check(1.0 <= second.at - first.at < 1.0 + 4.0 * harness.SLACK, "asked again after %.2f s" % (second.at - first.at))
        started = time.monotonic()
        is_degraded(ask(site, "retry_after_long"), "an hour")
        check(time.monotonic() - started < 10 * harness.SLACK, "waited for it")
        equal(asked(provider, "retry_after_long"), "p", "asked once")


def test_Retry_After_as_a_date():
    port = harness.free_port()
    with Site(OPENAI_BASE_URL="http://127.0.0.1:%d/v1" % port, **quick()) as site:
        date = email.utils.formatdate(time.time() + 3, usegmt=True)
        dated = {"lists": [{"replies": [{"status": 503, "headers": {"Retry-After": date}}]}], "then": "turn"}
        with Provider(dated=dated, port=port) as provider:
            is_good(site.ask(ROUTE), "turn")
            first, second = provider.requests("dated", "planner")
            check(1.0 < second.at - first.at < 3.0 + 4.0 * harness.SLACK, "asked again after %.2f s" % (second.at - first.at))


def test_refused_connections_are_tried_again():
    with Provider("turn") as provider, concurrent.futures.ThreadPoolExecutor(1) as pool:
        provider.stop()
        with Site(model=provider, **quick(LLM_BACKOFF_MS=1000)) as site:
            turn = pool.submit(site.ask, ROUTE)
            time.sleep(0.1)
            provider.start()
            is_good(turn.result(), "a provider that comes up late")


def test_fallback_model():
    with Provider("fallback") as provider, Site(model=provider, **quick(FALLBACK_MODEL="spare")) as site:
        turn = site.ask(ROUTE)
        is_good(turn, "fallback model")
        equal([(a.kind[0], a.body["model"]) for a in provider.requests()],
              [("p", MODEL)] * 4 + [("p", "spare")] + [("f", MODEL)] * 4 + [("f", "spare")], "who was asked")
        equal(turn.one("done")["metadata"].get("fallback_model"), "spare", "metadata")
        equal(site.log_entries()[0]["metadata"].get("fallback_model"), "spare", "conversation log")
        turn = site.ask("Tell me about LFMD", "t2")
        equal(turn.names[-1], "done", "another turn")


def test_models_by_environment():
    with Provider("turn") as provider, Site(model=provider, **quick(PLANNER_MODEL="thinks", FORMATTER_MODEL="writes")) as site:
        is_good(site.ask(ROUTE), "turn")
        equal([a.body["model"] for a in provider.requests()], ["thinks", "writes"], "models")


def test_breaker():
    """After some failures in a row a worker makes no call for a while; then one call is let through."""
    mends = {"lists": [{"replies": [{"status": 500}] * 12}], "then": "turn"}
    rest = 4.0 * harness.SLACK
    with Provider(mends=mends) as provider, \
            Site(model=provider, **quick(LLM_BREAKER_FAILURES=3, LLM_BREAKER_REST_MS=int(rest * 1000))) as site:
        for _ in range(3):                                 # a call counts once, with all its retries
            is_degraded(site.ask(ROUTE), "the provider fails")
        opened = time.monotonic()
        equal(len(provider.requests()), 12, "requests until it is left alone")
        while time.monotonic() < opened + rest * 0.2:
            is_degraded(site.ask(ROUTE), "while it rests")
        equal(len(provider.requests()), 12, "requests while it rests")
        check(any("provider" in r.json().get("degraded", []) for r in [site.get("/health")]), "health tells of it")
        time.sleep(max(0, opened + rest + 0.1 - time.monotonic()))
        is_good(site.ask(ROUTE), "the first turn after the rest")
        for _ in range(4):
            is_good(site.ask(ROUTE), "later turns")
        equal(len(provider.requests()), 22, "requests in all")
        check("provider" not in site.get("/health").json().get("degraded", []), "health")
        check(any("rest" in line for w in site.workers for line in problems(w.log())), "the log tells of it")


def test_breaker_stays_open_when_the_trial_fails():
    down = {"repeat": "last", "replies": [{"status": 503}]}
    with Provider(down=down) as provider, \
            Site(model=provider, **quick(LLM_BREAKER_FAILURES=2, LLM_BREAKER_REST_MS=ms(3000))) as site:
        for _ in range(2):
            site.ask(ROUTE)
        equal(len(provider.requests()), 8, "requests until it is left alone")
        time.sleep(3.1 * harness.SLACK)
        is_degraded(site.ask(ROUTE), "the trial")
        equal(len(provider.requests()), 12, "one trial")
        is_degraded(site.ask(ROUTE), "after it")
        equal(len(provider.requests()), 12, "nobody else")


def test_cap():
    """A worker never makes more calls at once than allowed; two workers make twice as many."""
    with Provider("held") as provider, Site(model=provider, AVIATION_AGENT_LLM_MAX_CALLS=3) as site:
        for turn in at_once(site, 10):
            is_good(turn, "a turn that waited")
        active = [a.active for a in provider.requests()]
        equal((len(active), max(active)), (20, 3), "requests, and most at once")
    with Provider("held") as provider, Site(model=provider, workers=2, AVIATION_AGENT_LLM_MAX_CALLS=2) as site:
        for turn in at_once(site, 10):
            is_good(turn, "a turn that waited, of two workers")
        active = [a.active for a in provider.requests()]
        equal(len(active), 20, "requests of two workers")
        check(2 < max(active) <= 4, "most at once of two workers: %d" % max(active))
        check(all("llm_call" in w.log() for w in site.workers), "both workers took part")


def test_cap_is_not_waited_for_too_long():
    with Provider("held") as provider, \
            Site(model=provider, **quick(LLM_MAX_CALLS=1, LLM_QUEUE_MS=100)) as site:
        turns = at_once(site, 3)
        degraded = [t.one("done")["metadata"].get("degraded", False) for t in turns]
        check(True in degraded and all(t.names[-1] == "done" and "error" not in t.names for t in turns), str(degraded))
        equal(max(a.active for a in provider.requests()), 1, "most at once")


def test_many_at_once():
    with Provider("turn", "chopped") as provider, Site(model=provider, workers=2) as site:
        for turn in at_once(site, 40):
            is_good(turn, "one of many")
        for turn in at_once(site, 20, ROUTE + " [chopped]")[1:]:
            check(turn.answer in (EXOTIC, TEXT), turn.answer)      # the case has one such answer
        check(len({a.conn for a in provider.requests()}) <= 82, "connections")


def test_the_thread_is_kept_while_the_model_thinks():
    with Provider("turn", "slow_plan") as provider, Site(model=provider, AVIATION_AGENT_LEASE_S=2) as site:
        with site.open(ROUTE + " [slow_plan]", "t") as s:
            eventually(provider.requests, "the provider is asked")
            time.sleep(2.8)
            equal(site.chat(ROUTE, "t").status, 409, "another turn in the same thread")
            is_good(s.rest(), "the slow turn")
        equal(site.chat(ROUTE + " [turn]", "t").status, 200, "the next turn")


# -- readers who leave --


def test_slow_reader():
    """Time that a slow reader takes does not count as the provider's silence."""
    with Provider("long_answer") as provider, Site(model=provider, **quick()) as site:
        with site.open(ROUTE, rcvbuf=4096) as s:
            s.until("message")
            time.sleep(1.5 * harness.SLACK)                # longer than the provider may be silent
            turn = s.rest()
        check("error" not in turn.names and len(turn.answer) > 700000, "%s, %d characters" % (turn.names[-3:], len(turn.answer)))


def test_cancel(case, wait_for):
    """When the reader leaves, the call to the model ends: behind nginx within 100 ms."""
    with Provider("turn", case) as provider, Site(model=provider, AVIATION_AGENT_LLM_FIRST_MS=60000) as site:
        def going():
            requests = provider.requests(case)
            return requests and requests[-1].kind == ("planner" if case == "silent" else "formatter")
        with site.open("%s [%s]" % (ROUTE, case)) as s:
            if wait_for:
                s.until(wait_for)
            eventually(going, "the provider is asked")
            time.sleep(0.2)
            gone = time.monotonic()
            s.leave()
        request = provider.requests(case)[-1]
        closed = eventually(lambda: provider.closed(request), "the connection to the provider is closed", 5)
        late = (closed - gone) * 1000
        print("     %s: the provider's connection was closed %.1f ms after the reader left" % (case, late))
        check(late < 2000 * harness.SLACK, "closed %.0f ms after the reader left" % late)
        entry, = eventually(lambda: logged(site), "the conversation log has it")
        equal(entry["metadata"].get("cancelled"), True, "cancelled")
        time.sleep(0.3)
        equal(provider.requests(case)[-1].number, request.number, "nothing more is asked")
        equal(site.get("/health").json()["chats"]["active"], 0, "chats that run")
        is_good(ask(site, "turn"), "the next turn")


test_cancel.rows = [("silent", None), ("answer_silent", "tool_call_end"), ("slow_answer", "message")]


def test_cancel_of_a_plain_request():
    with Provider("silent") as provider, Site(model=provider) as site:
        with Stream(site.port, question(ROUTE), path=API + "/chat") as s:
            eventually(provider.requests, "the provider is asked")
            s.leave(reset=True)
            gone = time.monotonic()
        closed = eventually(lambda: provider.closed(provider.requests()[0]), "the connection to the provider is closed", 5)
        check(closed - gone < 2 * harness.SLACK, "closed after %.2f s" % (closed - gone))


def test_nothing_is_asked_for_a_reader_who_left():
    with Provider("turn", "retry_after", "silent") as provider, Site(model=provider, AVIATION_AGENT_LLM_MAX_CALLS=1) as site:
        def active():
            return site.get("/health").json()["chats"]["active"]
        with site.open(ROUTE + " [retry_after]") as s:     # leaves while it waits to ask again
            eventually(provider.requests, "the provider is asked")
            time.sleep(0.1)
            s.leave()
        eventually(lambda: active() == 0, "the turn ends")
        with site.open(ROUTE + " [silent]"):
            eventually(lambda: provider.requests("silent"), "the only place is taken")
            with site.open(ROUTE) as s:                    # leaves while it waits for a place
                eventually(lambda: active() == 2, "two turns")
                s.leave()
            eventually(lambda: active() == 1, "the turn that waited ends")
        time.sleep(1)
        equal((asked(provider, "retry_after"), asked(provider, "turn")), ("p", ""), "requests")


def test_SIGTERM_while_the_model_is_silent():
    with Provider("silent") as provider, Site(model=provider, AVIATION_AGENT_GRACE_S=1) as site:
        with site.open(ROUTE) as s:
            eventually(provider.requests, "the provider is asked")
            started = time.monotonic()
            site.workers[0].term()
            equal(site.workers[0].process.wait(10 * harness.SLACK), 0, "exit status")
            check(time.monotonic() - started < 1 + 6 * harness.SLACK, "it took %.1f s" % (time.monotonic() - started))
            equal(s.rest().names[-2:], ["final_answer", "done"], "the reader is told")
        check(eventually(lambda: provider.closed(provider.requests()[0]), "the provider's connection is closed"), "closed")


def test_heartbeats_while_the_model_thinks():
    with Provider("silent") as provider, Site(model=provider, AVIATION_AGENT_HEARTBEAT_S=1, AVIATION_AGENT_TURN_TIMEOUT_S=18) as site:
        turn = site.ask(ROUTE)
        at = [f.at for f in turn.frames]
        check(max(b - a for a, b in zip(at, at[1:])) < 4.5 * harness.SLACK, "silent: %s" % at)
        is_degraded(turn, "a third of the turn is the model's, then the builtin answers")
        check(5.7 < turn.frames[-1].at < 6 + 6 * harness.SLACK, "it came after %.1f s" % turn.frames[-1].at)
        eventually(lambda: provider.closed(provider.requests()[0]) is not None, "the provider's connection is closed")
