"""The event stream: order, framing, contents, heartbeats."""

import json
import re
import time

from harness import API, ROUTE, Failure, Site, Stream, check, equal, question

GOLDEN = ["plan", "thinking", "tool_call_start", "tool_call_end", "message", "thinking_done",
          "ui_payload", "final_answer", "done"]
UUID4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def test_headers_and_opening():
    with Site() as site:
        with site.open(ROUTE) as s:
            s.head()
            equal(s.status, 200, "status")
            equal(s.header("Content-Type"), "text/event-stream; charset=utf-8", "content type")
            equal(s.header("Cache-Control"), "no-cache", "cache control")
            equal(s.header("X-Accel-Buffering"), None, "nginx takes X-Accel-Buffering away")
            equal(s.header("X-Content-Type-Options"), "nosniff", "security header")
            check(re.fullmatch(r"[\x21-\x7e]{1,200}", s.header("X-Session-ID") or ""), "X-Session-ID")
            first = next(iter(s))
            check(first.name is None, "the first frame is a comment: %r" % first.raw)
            turn = s.rest()
        whole = turn.stream.whole
        check(b"\r" not in whole, "only LF in a stream")
        check(whole.endswith(b"\n\n"), "the stream ends with a whole frame")
        check(b"\nid:" not in whole and b"\nretry:" not in whole, "no id, no retry")


def test_golden_route():
    with Site() as site:
        turn = site.ask(ROUTE)
        equal(turn.shape, GOLDEN, "order of events")
        check(turn.names.count("message") > 1, "the answer comes in pieces")
        plan = turn.plan
        equal(plan["selected_tool"], "find_airports_near_route", "tool")
        equal(plan["arguments"]["from_location"], "EGTF", "from")
        equal(plan["arguments"]["to_location"], "LFMD", "to")
        equal(sorted(plan), ["answer_style", "arguments", "selected_tool"], "members of plan")

        thinking = turn.one("thinking")
        equal(sorted(thinking), ["content"], "members of thinking")
        check(thinking["content"].startswith("Selected tool: find_airports_near_route. "), thinking["content"])
        check("from_location=EGTF, to_location=LFMD" in thinking["content"] and thinking["content"].endswith("."),
              thinking["content"])

        call = {"name": plan["selected_tool"], "arguments": plan["arguments"]}
        equal(turn.one("tool_call_start"), call, "tool_call_start")
        end = turn.one("tool_call_end")
        equal({k: end[k] for k in call}, call, "tool_call_end repeats the call")
        equal(sorted(end), ["arguments", "name", "result"], "members of tool_call_end")
        result = end["result"]
        equal(result["filter_profile"]["route_distance"], 50, "route_distance")
        viz = result["visualization"]
        equal(viz["type"], "route_with_markers", "visualization")
        equal((viz["route"]["from"]["icao"], viz["route"]["to"]["icao"]), ("EGTF", "LFMD"), "route")
        check(viz["markers"] and all(m["ident"] and m["latitude_deg"] and m["longitude_deg"] for m in viz["markers"]),
              "markers can be drawn")

        for m in turn.all("message"):
            equal(sorted(m), ["content"], "members of message")
            check(m["content"], "an empty message")
        equal(turn.one("thinking_done"), {}, "thinking_done")

        ui = turn.one("ui_payload")
        equal((ui["kind"], ui["departure"], ui["destination"]), ("route", "EGTF", "LFMD"), "ui_payload")
        equal(ui["tool"], "find_airports_near_route", "ui_payload.tool")
        equal(ui["visualization"], viz, "ui_payload.visualization")
        equal(ui["filters"], result["filter_profile"], "ui_payload.filters")
        equal(ui["airports"], result["airports"], "ui_payload.airports")
        check("mcp_raw" not in ui, "mcp_raw is off by default")
        check(1 <= len(ui["suggested_queries"]) <= 4, "suggestions")
        for q in ui["suggested_queries"]:
            equal(sorted(q), ["category", "priority", "text", "tool"], "members of a suggestion")

        state = turn.one("final_answer")["state"]
        equal(state["final_answer"], turn.answer, "the pieces make the answer")
        equal(state["ui_payload"], ui, "state.ui_payload")
        equal(state["planning_reasoning"], thinking["content"], "state.planning_reasoning")
        check(state["thinking"].startswith(thinking["content"] + "\n\n"), "state.thinking")
        check("messages" not in state and "plan" not in state, "state shows no messages and no plan")
        check(not state.get("error"), "no error")

        done = turn.one("done")
        check(re.fullmatch("thread_[0-9a-f]{32}", done["thread_id"]), done["thread_id"])
        check(re.fullmatch(UUID4, done["run_id"]), done["run_id"])
        equal(done["tokens"]["total"], done["tokens"]["input"] + done["tokens"]["output"], "tokens")
        equal(done["metadata"]["persona_id"], "ifr_touring_sr22", "metadata")


def test_suggestions_of_a_bare_route():
    with Site() as site:
        texts = [q["text"] for q in site.ask(ROUTE).one("ui_payload")["suggested_queries"]]
        equal(texts[0], "Which airports have customs facilities on this route?", "the first suggestion")
        equal(len(texts), len(set(texts)), "no text twice")


def test_golden_location_and_details():
    with Site() as site:
        turn = site.ask("Find airports near Paris")
        equal(turn.shape, GOLDEN, "order of events")
        equal(turn.plan["selected_tool"], "find_airports_near_location", "tool")
        viz = turn.one("ui_payload")["visualization"]
        equal(viz["type"], "point_with_markers", "visualization")
        check(48 < viz["point"]["lat"] < 50 and 1.5 < viz["point"].get("lon", viz["point"].get("lng")) < 3.2,
              "near Paris: %s" % viz["point"])
        equal(turn.one("ui_payload")["kind"], "route", "kind")

        turn = site.ask("Tell me about LFMD")
        equal(turn.shape, GOLDEN, "order of events")
        equal(turn.plan["selected_tool"], "get_airport_details", "tool")
        ui = turn.one("ui_payload")
        equal((ui["kind"], ui["icao"]), ("airport", "LFMD"), "ui_payload")
        equal(ui["visualization"]["type"], "marker_with_details", "visualization")
        check("Cannes" in turn.answer and "5282" in turn.answer.replace(",", "").replace(" ", ""),
              "the answer names the airport and its runway: " + turn.answer[:300])


def test_nothing_found_is_a_success():
    with Site() as site:
        turn = site.ask("Tell me about ZZZZ")
        check("tool_call_end" in turn.names and "error" not in turn.names, str(turn.names))
        check("ZZZZ" in turn.answer, "the answer says what was not found: " + turn.answer[:300])
        equal(turn.names[-1], "done", "last event")


def test_cannot_do_that():
    """If no tool can serve a question, the answer says so and offers what is possible."""
    with Site() as site:
        turn = site.ask("What is the capital of Mongolia?")
        equal(turn.names[-1], "done", "last event")
        check(turn.answer, "an answer")
        check("Ulaanbaatar" not in turn.answer, turn.answer[:200])


def test_exactly_one_terminal_event():
    with Site() as site:
        for text in (ROUTE, "Find airports near Atlantis", "hello", "airports between EGTF and ZZZZ", "Tell me about"):
            turn = site.ask(text)
            equal(turn.names.count("done"), 1, text)
            equal(turn.names[-1], "done", text)
            equal(turn.names.count("final_answer"), 1, text)
            check(turn.answer == turn.one("final_answer")["state"]["final_answer"] and turn.answer, text)
            if "error" in turn.names:
                e = turn.one("error")
                check(e["message"] and re.fullmatch("[a-z_]+", e["code"]), "error: %s" % e)


def test_only_integral_numbers_lose_their_fraction():
    with Site() as site:
        turn = site.ask("Tell me about LFMD")
        raw = next(e.raw for e in turn.events if e.name == "tool_call_end").decode()
        check(re.search(r'"longest_runway_length_ft": ?5282[,}]', raw), "5282 prints as 5282: " + raw[:900])


def test_pieces_come_one_by_one():
    with Site(AVIATION_AGENT_BUILTIN_PIECE_MS=60) as site:
        turn = site.ask(ROUTE)
        times = [e.at for e in turn.events if e.name == "message"]
        check(len(times) > 4, "%d pieces" % len(times))
        check(times[-1] - times[0] > 0.05 * (len(times) - 1) * 0.7,
              "%d pieces within %.2f s: they were held back" % (len(times), times[-1] - times[0]))
        early = [e.at for e in turn.events if e.name == "tool_call_end"][0]
        check(early < times[-1] - 0.1, "tool_call_end came with the answer's end")


def test_the_first_byte_does_not_wait():
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=6000) as site:
        with site.open(ROUTE) as s:
            s.head()
            next(iter(s))
            check(time.monotonic() - s.started < 4, "the opening comment waited for the answer")
            s.until("tool_call_end")
            check(time.monotonic() - s.started < 5, "tool_call_end waited for the answer")
            s.rest()


def test_heartbeats():
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=4500, AVIATION_AGENT_HEARTBEAT_S=1) as site:
        with site.open(ROUTE) as s:
            turn = s.rest()
        equal(turn.shape, GOLDEN, "order of events")
        at = [f.at for f in turn.frames]
        longest = max(b - a for a, b in zip(at, at[1:]))
        check(longest < 3.5, "silent for %.1f s" % longest)
        beats = [f for f in turn.frames[1:] if f.name is None]
        check(2 <= len(beats) <= 8, "%d heartbeats in 4.5 s" % len(beats))


def test_turn_deadline():
    with Site(AVIATION_AGENT_TURN_TIMEOUT_S=2, AVIATION_AGENT_BUILTIN_FIRST_MS=30000) as site:
        turn = site.ask(ROUTE)
        check(turn.frames[-1].at < 20, "the deadline came after %.1f s" % turn.frames[-1].at)
        equal(turn.one("error")["code"], "timeout", "code")
        check(turn.answer, "the apology is a message too")
        equal(turn.names[-2:], ["final_answer", "done"], "end of the stream")
        r = site.chat(ROUTE)
        check(r.status in (200, 504) and (r.status != 200 or r.json()["answer"]), "JSON: %d" % r.status)


def test_two_readers_of_one_shape():
    """The web client cuts at blank lines, the iOS client reads lines: both find the same events."""
    with Site() as site:
        turn = site.ask(ROUTE)
        text = turn.stream.whole.decode()
        web = []
        for block in text.split("\n\n"):
            m = re.fullmatch(r"event: (.*)\ndata: (.*)", block)
            if m:
                web.append((m.group(1), json.loads(m.group(2))))
        ios, name = [], None
        for line in text.split("\n"):
            if line.startswith("event:"):
                name = line[6:].strip()
            elif line.startswith("data:"):
                ios.append((name, json.loads(line[5:].strip())))
        equal(web, ios, "events read in two ways")
        equal([n for n, _ in web], turn.names, "names")


def test_late_reader_misses_nothing():
    with Site(AVIATION_AGENT_IO_TIMEOUT_S=2, AVIATION_AGENT_MAX_CHATS=4) as site:
        with Stream(site.port, question(ROUTE), rcvbuf=2048) as s:
            time.sleep(3)
            check(site.usable(), "others are served meanwhile")
            equal(s.rest().shape, GOLDEN, "all of it")


def test_JSON_twin():
    """/chat is the same turn, collected."""
    with Site() as site:
        streamed, r = site.ask(ROUTE), site.chat(ROUTE)
        equal(r.status, 200, "status")
        equal(r.header("Content-Type"), "application/json", "content type")
        body = r.json()
        check({"answer", "planner_meta", "ui_payload", "thread_id"} <= set(body), "members: %s" % sorted(body))
        equal(body["answer"], streamed.answer, "answer")
        equal(body["planner_meta"], streamed.plan, "planner_meta")
        equal(body["ui_payload"], streamed.one("ui_payload"), "ui_payload")
        check(re.fullmatch("thread_[0-9a-f]{32}", body["thread_id"]), body["thread_id"])
        check(re.search(r"[^\x00-\x7f]", r.body.decode()) is None or b"\\u00" not in r.body, "non-ASCII is unescaped")
        try:
            Stream(site.port, question(ROUTE), path=API + "/chat").head().header("X-Session-ID").encode("ascii")
        except AttributeError:
            raise Failure("/chat sends no X-Session-ID")
