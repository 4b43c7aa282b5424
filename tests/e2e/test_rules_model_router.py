"""Questions about airports, about rules, and about both: with routing, by the model and by the built-in router."""

import json
import time

import harness
from harness import ROUTE, Provider, Site, check, equal, eventually
from test_model import logged, quick
from test_rules import RULES
from test_rules_model import (ECHO, FPL, FPL_ID, IN_FRANCE, answering, block, config, is_golden, kinds, offered, plan, route,
                              script, when)
from test_stream import GOLDEN

BOTH = "Which airports lie between EGTF and LFMD, and do I need a flight plan VFR in France?"
RULES_TOOLS = ["answer_rules_question", "browse_rules", "compare_rules_between_countries"]
AIRPORT_TOOLS = ["search_airports", "find_airports_near_location", "find_airports_near_route", "get_airport_details",
                 "get_notification_for_airport"]

def routing(**changes):
    return config(routing__enabled=True, **changes)


BOTH_EVENTS = ["plan", "thinking", "tool_call_start", "tool_call_end", "plan", "thinking", "tool_call_start", "tool_call_end",
               "message", "thinking_done", "ui_payload", "final_answer", "done"]


def test_routing_off_costs_nothing():
    with Provider("rules_both") as provider, Site(model=provider, RULES_JSON=RULES) as site:
        turn = site.ask(BOTH)
        is_golden(turn, "no router")
        equal(kinds(provider), ["planner", "formatter"], "requests")
        equal(len(offered(provider.requests()[0])), 8, "all tools are offered")


def test_routed_to_rules(case, first):
    """By the model, by one without function calls, and by the built-in router where the model's answer makes no sense."""
    with routing() as env, Provider(case) as provider, Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask("Do I need a flight plan VFR in France?")
        is_golden(turn, case)
        equal(turn.plan["selected_tool"], "answer_rules_question", case + ": tool")
        equal([a.kind[0] for a in provider.requests()], list(first), case + ": requests")
        plan_ = provider.requests(kind="planner")[-1]
        equal(offered(plan_), RULES_TOOLS, case + ": what the planner is offered")
        check("Countries it is about: FR." in plan_.text, case + ": the countries are handed on")


test_routed_to_rules.rows = [("rules_routed", "rpf"), ("rules_unrouted", "rpf"), ("rules_no_tools", "rrpf")]


def test_what_the_router_is_asked():
    with routing(llms__router={"model": "sorts", "temperature": 0.5}) as env, Provider("rules_routed") as provider, \
            Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask("Do I need a flight plan VFR in France?")
        a = provider.requests()[0]
        equal((a.kind, a.body["model"], a.body["temperature"], a.body.get("stream", False)), ("router", "sorts", 0.5, False), "request")
        schema = a.body["tools"][0]["function"]["parameters"]
        equal(schema["properties"]["kind"]["enum"], ["database", "rules", "both"], "kinds")
        check(("user", "Do I need a flight plan VFR in France?") in a.messages, "the pilot's question")
        check(turn.one("done")["tokens"]["input"] >= 900 + 1200, "tokens")


def test_routed_to_airports():
    case = script(route("database"), plans=[plan("find_airports_near_route", from_location="EGTF", to_location="LFMD")])
    with routing() as env, Provider(case=case) as provider, Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask(ROUTE)
        is_golden(turn, "airports")
        equal([a.kind[0] for a in provider.requests()], list("rpf"), "requests")
        equal(offered(provider.requests(kind="planner")[0]), AIRPORT_TOOLS, "what the planner is offered")


def test_a_plan_of_the_other_source_is_repaired():
    case = script(route("rules", "FR"), plans=[plan("search_airports", query="France"), answering(FPL)])
    with routing() as env, Provider(case=case) as provider, Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask(IN_FRANCE)
        is_golden(turn, "repaired")
        equal([a.kind[0] for a in provider.requests()], list("rppf"), "requests")
        check("answer_rules_question" in provider.requests()[2].messages[-1][1] and
              "find_airports_near_route" not in provider.requests()[2].messages[-1][1], "it is told which tools there are")


def is_both(turn, what):
    """Two look-ups and one answer."""
    check("error" not in turn.names, "%s: %s" % (what, turn.all("error")))
    equal(turn.shape, BOTH_EVENTS, what + ": order of events")
    plans, starts, ends = (turn.all(n) for n in ("plan", "tool_call_start", "tool_call_end"))
    equal([p["selected_tool"] for p in plans], ["find_airports_near_route", "answer_rules_question"], what + ": plans")
    equal([s["name"] for s in starts], [p["selected_tool"] for p in plans], what + ": tool_call_start")
    equal([{k: e[k] for k in ("name", "arguments")} for e in ends], starts, what + ": tool_call_end")
    payload = turn.one("ui_payload")
    equal((payload["kind"], payload["visualization"]["type"]), ("route", "route_with_markers"), what + ": map")
    equal(payload["show_rules"]["countries"], ["FR"], what + ": panel")
    state = turn.one("final_answer")["state"]
    equal((state["tool_result"], state["rules_result"]), tuple(e["result"] for e in ends), what + ": state")
    check("find_airports_near_route" in state["thinking"] and "answer_rules_question" in state["thinking"], state["thinking"])
    check(turn.one("done")["metadata"].get("degraded") is None, what + ": degraded")


def test_both():
    with routing() as env, Provider("rules_both") as provider, Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask(BOTH)
        is_both(turn, "both")
        equal(turn.answer, "Two airports lie on the way, and yes, file a plan.", "answer")
        equal([a.kind[0] for a in provider.requests()], list("rppf"), "requests")
        equal([offered(a) for a in provider.requests(kind="planner")], [AIRPORT_TOOLS + RULES_TOOLS, RULES_TOOLS], "what the planner is offered")
        last = provider.requests(kind="formatter")[0].messages[-1][1]
        airports, rules = (json.loads(block(last, n)) for n in ("tool_result", "rules_result"))
        equal([a["ident"] for a in airports["airports"]], [a["ident"] for a in turn.all("tool_call_end")[0]["result"]["airports"]],
              "airports for the formatter")
        equal((rules["rules"][0]["id"], rules["rules"][0]["links"]), (FPL_ID, ["https://fr.example.org/fpl"]), "rules for it")
        tokens = turn.one("done")["tokens"]
        check(tokens["input"] >= 300 + 1500 and "estimated" not in tokens, "tokens: %s" % tokens)
        entry, = site.log_entries()
        equal(entry["tool_calls"], turn.all("tool_call_end"), "conversation log")
        equal(entry["metadata"]["num_tool_calls"], 2, "their number")
        body = site.chat(BOTH).json()
        equal(body["planner_meta"], turn.all("plan")[0], "planner_meta of /chat")
        equal(body["answer"], turn.answer, "answer of /chat")
        equal(body["ui_payload"]["show_rules"]["countries"], ["FR"], "ui_payload of /chat")


def test_both_in_one_reply():
    """A model that makes both calls is asked once; without routing too."""
    with routing() as env, Provider("several_calls") as provider, Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask(BOTH)
        is_both(turn, "routed")
        equal([a.kind[0] for a in provider.requests()], list("rpf"), "requests")
    with Provider("several_calls") as provider, Site(model=provider, RULES_JSON=RULES) as site:
        turn = site.ask(BOTH)
        is_both(turn, "not routed")
        equal([a.kind[0] for a in provider.requests()], list("pf"), "requests")
        equal(site.chat(BOTH).json()["planner_meta"], turn.all("plan")[0], "planner_meta is the first plan")


def test_both_with_a_comparison():
    """The combined answer is written from both results, not by the prompt of comparisons."""
    case = script(route("both", "FR", "DE"), plans=[plan("find_airports_near_route", from_location="EGTF", to_location="LFMD"),
                                                    plan("compare_rules_between_countries", countries=["FR", "DE"])])
    with routing() as env, Provider(case=case) as provider, Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask(BOTH)
        equal(turn.shape, BOTH_EVENTS, "order of events")
        write, = provider.requests(kind="formatter")
        last = write.messages[-1][1]
        check(json.loads(block(last, "tool_result"))["airports"], "airports")
        equal(block(last, "rules_context"), turn.all("tool_call_end")[1]["result"]["rules_context"], "the comparison")
        check("reviewed 2025-06-07 https://de.example.org/fpl" in block(last, "sources"), "where it is from: " + last)
        check("No answer is recorded for France" in turn.answer, "missing answers are told: " + turn.answer)
        payload = turn.one("ui_payload")
        equal((payload["kind"], payload["show_rules"]["countries"]), ("route", ["FR", "DE"]), "ui_payload")
        check(turn.one("final_answer")["state"]["thinking"].endswith("Formatted answer using narrative_markdown style."), "thinking")


def test_no_tool_for_one_half(which):
    """The planner has nothing to look up for one of them: its reply follows the other's answer."""
    plans = [plan("find_airports_near_route", from_location="EGTF", to_location="LFMD"), plan("none")]
    if which == "airports":
        plans = [plan("none"), answering(FPL)]
    with routing() as env, Provider(case=script(route("both"), plans=plans)) as provider, \
            Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask("How long is the runway?")
        check("error" not in turn.names and len(turn.all("tool_call_end")) == 1, turn.names)
        check(turn.answer.startswith(ECHO + "\n\nAs for the %s: " % which), turn.answer)
        equal(turn.one("final_answer")["state"]["final_answer"], turn.answer, "final answer")


test_no_tool_for_one_half.rows = [("airports",), ("rules",)]


def test_both_builtin():
    with routing() as env, Site(RULES_JSON=RULES, **env) as site:
        turn = site.ask(BOTH)
        is_both(turn, "both")
        for part in ("LFMD", "except at night", "2025-06-07", "https://fr.example.org/fpl"):
            check(part in turn.answer, "%s is not in the answer: %s" % (part, turn.answer))
        check(turn.answer.index("LFMD") < turn.answer.index("except at night"), "airports first")
        equal(site.ask(ROUTE).shape, GOLDEN, "airports alone")
        turn = site.ask("Do I need a flight plan VFR in France?")
        equal((turn.shape, turn.plan["selected_tool"]), (GOLDEN, "answer_rules_question"), "rules alone")


def test_several_builtin():
    """Without a router too the built-in planner finds by itself what a message asks for. The log has all of it."""
    question = "What is the runway length of EGTF and LFMD, and do I need a flight plan VFR in France?"
    with Site(RULES_JSON=RULES) as site:
        is_both(site.ask(BOTH), "both")
        turn = site.ask(question)
        equal(turn.shape, 3 * BOTH_EVENTS[:4] + BOTH_EVENTS[8:], "order of events")
        equal([p["selected_tool"] for p in turn.all("plan")], 2 * ["get_airport_details"] + ["answer_rules_question"], "plans")
        for part in ("\n\n### Airports (LFMD)\n\n", "\n\n### Rules\n\n", "except at night"):
            check(part in turn.answer, "%s is not in the answer: %s" % (part, turn.answer))
        payload = turn.one("ui_payload")
        equal((payload["kind"], payload["icao"]), ("airport", "EGTF"), "the first look-up among airports")
        equal(payload["visualization"]["type"], "markers", "map")
        equal([m["ident"] for m in payload["visualization"]["data"]], ["EGTF", "LFMD"], "airports on it")
        equal(payload["show_rules"]["countries"], ["FR"], "panel")
        results = [e["result"] for e in turn.all("tool_call_end")]
        state = turn.one("final_answer")["state"]
        equal((state["tool_result"], state["rules_result"]), (results[0], results[2]), "state")
        entry = eventually(lambda: [e for e in site.log_entries() if e["question"] == question], "the conversation log has it")[0]
        equal(entry["tool_calls"], turn.all("tool_call_end"), "conversation log")
        equal(entry["metadata"]["num_tool_calls"], 3, "their number")
        equal(site.chat(question).json()["planner_meta"], turn.all("plan")[0], "planner_meta of /chat")


def test_both_and_the_model_goes_away():
    """The model fails after the first plan: the built-in ones finish, and the pilot is told only once."""
    down = {"status": 500}
    case = script(route("both", "FR"), plans=[plan("find_airports_near_route", from_location="EGTF", to_location="LFMD"), down],
                  write=down)
    with routing() as env, Provider(case=case) as provider, Site(model=provider, RULES_JSON=RULES, **dict(env, **quick())) as site:
        turn = site.ask(BOTH)
        check("error" not in turn.names, turn.all("error"))
        equal([e["name"] for e in turn.all("tool_call_end")], ["find_airports_near_route", "answer_rules_question"], "look-ups")
        equal(turn.one("done")["metadata"].get("degraded"), True, "degraded")
        told = [t["content"] for t in turn.all("thinking") if "language model" in t["content"]]
        equal(len(told), 1, "it is told once: %s" % turn.all("thinking"))
        for part in ("LFMD", "except at night"):
            check(part in turn.answer, turn.answer)


def test_one_half_fails(which):
    """The other one answers, and the answer says what is missing."""
    good = [plan("find_airports_near_route", from_location="EGTF", to_location="LFMD"), answering(FPL)]
    bad = plan("book_hotel", city="Nice")
    plans = [bad, bad, good[1]] if which == "airports" else [good[0], bad, bad]
    with routing() as env, Provider(case=script(route("both", "FR"), plans=plans)) as provider, \
            Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask(BOTH, "t")
        check("error" not in turn.names, turn.all("error"))
        there = {"airports": "answer_rules_question", "rules": "find_airports_near_route"}[which]
        equal([e["name"] for e in turn.all("tool_call_end")], [there], "the other half")
        check(turn.answer.startswith(ECHO) and "As for the %s: " % which in turn.answer and "book_hotel" in turn.answer, turn.answer)
        payload = turn.one("ui_payload")
        equal((payload["tool"], "show_rules" in payload), (there, which == "airports"), "ui_payload")
        equal(turn.one("final_answer")["state"]["final_answer"], turn.answer, "final answer")
        equal(site.chat("Hello", "t").status, 200, "the thread goes on")


test_one_half_fails.rows = [("airports",), ("rules",)]


def test_both_halves_fail():
    bad = plan("book_hotel", city="Nice")
    with routing() as env, Provider(case=script(route("both", "FR"), plans=[bad])) as provider, \
            Site(model=provider, RULES_JSON=RULES, **env) as site:
        turn = site.ask(BOTH)
        equal(turn.shape, ["message", "error", "final_answer", "done"], "order of events")
        equal(turn.one("error")["code"], "planner_failed", "code")
        equal([a.kind[0] for a in provider.requests()], list("rpppp"), "requests")


def test_reader_leaves_while_the_second_look_up_is_planned():
    case = script(route("both", "FR"),
                  plans=[plan("find_airports_near_route", from_location="EGTF", to_location="LFMD"), {"fault": "stall"}])
    with routing() as env, Provider(case=case) as provider, Site(model=provider, RULES_JSON=RULES, **env) as site:
        with site.open(BOTH) as s:
            eventually(lambda: len(provider.requests(kind="planner")) == 2, "the second plan is asked for")
            time.sleep(0.2)
            gone = time.monotonic()
            s.leave()
        request = provider.requests()[-1]
        closed = eventually(lambda: provider.closed(request), "the connection to the provider is closed", 5)
        check(closed - gone < 2 * harness.SLACK, "closed %.0f ms after the reader left" % ((closed - gone) * 1000))
        entry, = eventually(lambda: logged(site), "the conversation log has it")
        equal((entry["metadata"].get("cancelled"), entry["metadata"]["num_tool_calls"]), (True, 0), "conversation log")


def test_router_is_away():
    """A failing router must not fail the turn: the built-in one decides, also when the model stays silent."""
    for what, reply in (("down", {"status": 503}), ("silent", {"fault": "stall"}), ("refused", {"status": 400})):
        case = script(when("router", reply), plans=[answering(FPL)])
        with routing() as env, Provider(case=case) as provider, Site(model=provider, RULES_JSON=RULES, **dict(env, **quick())) as site:
            turn = site.ask("Do I need a flight plan VFR in France?")
            is_golden(turn, what)
            equal(offered(provider.requests(kind="planner")[0]), RULES_TOOLS, what + ": the built-in router decided")


def test_no_router_without_rules():
    """There is nothing to decide."""
    case = script(plans=[plan("find_airports_near_route", from_location="EGTF", to_location="LFMD")])
    with routing() as env, Provider(case=case) as provider, Site(model=provider, **env) as site:
        is_golden(site.ask(ROUTE), "no rules")
        equal([a.kind[0] for a in provider.requests()], list("pf"), "requests")
