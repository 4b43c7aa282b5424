"""With a language model: what it is asked, and what becomes of its plans, answers and token counts.

The model is the scripted provider of tests/double; a case is a file of tests/double/cases. A
question names its case in brackets, so that many cases share one site.
"""

import concurrent.futures
import json
import os
import pty
import re
import select
import subprocess
import time

import harness
from harness import KEY, ROUTE, Failure, Provider, Site, check, cli, equal, program, stop
from test_stream import GOLDEN

TEXT = "Along the way from Fairoaks to Cannes lie a few good airfields."
EXOTIC = "Zürich → Ağrı, 東京 😀 \"Cannes\" \\ {x} <b>&amp;\u2028 fin"
MODEL = "gpt-4o-mini"


def ms(n):
    return int(n * harness.SLACK)


def quick(**more):
    """Settings with which faults are found soon."""
    env = {"AVIATION_AGENT_LLM_BACKOFF_MS": 20, "AVIATION_AGENT_LLM_FIRST_MS": ms(700),
           "AVIATION_AGENT_LLM_IDLE_MS": ms(700), "AVIATION_AGENT_LLM_CALL_MS": ms(2500),
           "AVIATION_AGENT_LLM_BREAKER_FAILURES": 0}
    env.update({"AVIATION_AGENT_" + k: v for k, v in more.items()})
    return env


def ask(site, case, text=ROUTE, **more):
    return site.ask("%s [%s]" % (text, case), **more)


def limit(seconds, of, what):
    """A limit in seconds was kept, and nothing else ended it."""
    check(of * 0.9 * harness.SLACK < seconds < (of + 4) * harness.SLACK, "%s: it took %.2f s" % (what, seconds))


def deltas(turn):
    return [m["content"] for m in turn.all("message")]


def asked(provider, case):
    """What the provider was asked: p for a plan, f for an answer."""
    return "".join(a.kind[0] for a in provider.requests(case))


def is_good(turn, what):
    """The model planned and wrote it."""
    check("error" not in turn.names, "%s: %s" % (what, turn.all("error")))
    equal(turn.shape, GOLDEN, what + ": order of events")
    equal(turn.answer, TEXT, what + ": answer")
    check("degraded" not in turn.one("done")["metadata"], what + ": degraded")


def is_degraded(turn, what):
    """The built-in planner or writer was used, and answer, log and metadata say so."""
    check("error" not in turn.names, "%s: %s" % (what, turn.all("error")))
    equal([n for n in turn.shape if n != "thinking"], [n for n in GOLDEN if n != "thinking"], what + ": order of events")
    equal(turn.one("done")["metadata"].get("degraded"), True, what + ": degraded")
    told = [t["content"] for t in turn.all("thinking") if "language model" in t["content"]]
    equal(len(told), 1, what + ": a sentence in thinking: %s" % turn.all("thinking"))
    check("LFMD" in turn.answer and TEXT not in turn.answer, "%s: %s" % (what, turn.answer[:200]))


def problems(log):
    return [line for line in log.splitlines() if re.match(r"\S+ (warn|error) ", line)]


def nowhere(secret, site, *turns):
    """A secret is in no log, no answer and no conversation log."""
    for w in site.workers:
        check(secret not in w.log(), "in the program's log: " + next((x for x in w.log().splitlines() if secret in x), ""))
    for t in turns:
        check(secret.encode() not in t.stream.whole, "in an answer")
    check(secret not in json.dumps(site.log_entries(), ensure_ascii=False), "in the conversation log")


def logged(site):
    """The conversation log, once there is something in it."""
    try:
        return site.log_entries()
    except (OSError, Failure):
        return None


def at_once(site, n, text=ROUTE):
    """The same question n times at the same time."""
    with concurrent.futures.ThreadPoolExecutor(n) as pool:
        return list(pool.map(lambda _: site.ask(text), range(n)))


# -- a turn as it should be --


def test_golden_turn():
    with Provider("turn") as provider, Site(model=provider) as site:
        turn = site.ask(ROUTE)
        is_good(turn, "turn")
        equal(deltas(turn)[:3], ["Along", " the", " way"], "pieces come as the model sends them")
        equal(turn.plan["arguments"], {"from_location": "EGTF", "to_location": "LFMD"}, "arguments")
        equal(turn.one("thinking")["content"], "Selected tool: find_airports_near_route. with arguments: "
              "from_location=EGTF, to_location=LFMD.", "thinking")
        state, ui = turn.one("final_answer")["state"], turn.one("ui_payload")
        equal((state["final_answer"], state["ui_payload"]), (TEXT, ui), "state")
        equal((ui["kind"], ui["departure"], ui["destination"]), ("route", "EGTF", "LFMD"), "ui_payload")
        equal(turn.one("done")["tokens"], {"input": 2100, "output": 52, "total": 2152}, "tokens")
        entry, = site.log_entries()
        equal(entry["metadata"]["tokens"], {"input": 2100, "output": 52}, "tokens in the conversation log")
        nowhere(KEY, site, turn)


def test_what_the_planner_is_asked():
    with Provider("turn") as provider, Site(model=provider) as site:
        site.ask(ROUTE)
        plan, _ = provider.requests()
        body = plan.body
        equal((plan.path, plan.headers["authorization"]), ("/v1/chat/completions", "Bearer " + KEY), "path and key")
        equal((body["model"], body["temperature"], body.get("stream", False)), (MODEL, 0, False), "model")
        equal((body["tool_choice"], body["parallel_tool_calls"]), ("required", True), "choice")
        catalog = dict(re.findall(r"(?m)^- (\w+): (.*)\n  Parameters: ", cli("tools")[1]))
        equal(sorted(plan.functions), sorted(list(catalog) + ["no_tool"]), "a function for each tool, and one for none")
        for name, text in catalog.items():
            function = plan.functions[name]
            equal((function["description"], "strict" in function), (text, False), name)
            equal(function["parameters"]["type"], "object", name)
        schema = plan.functions["find_airports_near_route"]["parameters"]
        equal(schema["required"], ["from_location", "to_location"], "required")
        equal(schema["properties"]["filters"]["properties"]["has_avgas"], {"type": "boolean"}, "filters by name and type")
        system = plan.messages[0][1]
        check(not any(text in system for text in catalog.values()), "the catalogue stands in the request once")
        equal(system.count("\n- point_of_entry: "), 1, "what a filter means is said once")
        check("→ find_airports_near_route {\"from_location\":" in system, "examples")
        equal([r for r, _ in plan.messages], ["system", "user", "user"], "roles")
        equal(plan.messages[1], ("user", ROUTE), "the conversation comes before the instruction")
        check("no_tool" in plan.messages[2][1], plan.messages[2][1])
        raw = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        check(len(raw.encode()) < 12500, "%d bytes" % len(raw.encode()))
        site.ask("Tell me about LFMD", "t2")
        again = provider.requests(kind="planner")[1]
        equal((again.messages[0], again.body["tools"]), (plan.messages[0], body["tools"]), "what a request begins with stays")


def test_what_the_formatter_is_asked():
    with Provider("turn") as provider, Site(model=provider) as site:
        turn = site.ask(ROUTE)
        _, write = provider.requests()
        body = write.body
        equal((body["model"], body["stream"], body["stream_options"]), (MODEL, True, {"include_usage": True}), "body")
        check("tools" not in body, "no functions")
        equal([r for r, _ in write.messages], ["system", "user", "user"], "roles")
        equal(write.messages[1][1], ROUTE, "the conversation")
        last = write.messages[2][1]
        check(last.index("narrative_markdown") < last.index("{"), "the style comes first")
        data = re.search(r"<tool_result>\n(.*?)\n</tool_result>", last, re.S)
        check(data is not None, "the result stands in a block of its own: " + last[:300])
        result = json.loads(data.group(1))
        check("\n  \"" in data.group(1) and "École" in data.group(1), "two blanks a level, letters as they are")
        equal([a["ident"] for a in result["airports"]], turn.airports, "the airports")
        check("visualization" not in result, "what only draws is left out")


def test_JSON_twin():
    with Provider("turn", "bad_key") as provider, Site(model=provider, **quick()) as site:
        body = site.chat(ROUTE).json()
        equal((body["answer"], body["tokens"]["total"]), (TEXT, 2152), "answer and tokens")
        body = site.chat(ROUTE + " [bad_key]").json()
        equal(body["metadata"]["degraded"], True, "degraded")
        check("error" not in body and body["answer"], str(body)[:300])


def test_ask_in_a_terminal():
    with Provider("turn", "no_usage") as provider:
        status, out, err = cli("ask", "--json", ROUTE, env=provider.env)
        equal(status, 0, err)
        done = [json.loads(line) for line in out.splitlines()][-1]["data"]
        equal(done["tokens"]["total"], 2152, "tokens of --json")
        status, out, err = cli("ask", ROUTE, env=provider.env)
        check(status == 0 and TEXT in out, out + err)
        check("2100 in, 52 out" in terminal(provider.env, ROUTE), "tokens below the answer")
        check("(estimated)" in terminal(provider.env, ROUTE + " [no_usage]"), "estimated tokens are marked")


def terminal(env, *args):
    """The output of `ask` on a terminal."""
    master, slave = pty.openpty()
    full = {"PATH": os.environ["PATH"], "HOME": "/tmp", "AIRPORTS_DB": harness.DB, "TERM": "xterm",
            "CHECKPOINTER_PROVIDER": "memory", "CONVERSATION_LOG_DIR": "none", "AVIATION_AGENT_STATE_DIR": os.path.dirname(harness.DB),
            "AIRPORTS_INDEX": harness.DB + ".index"}
    p = subprocess.Popen([program("aviation-agent"), "ask"] + list(args), stdin=slave, stdout=slave,
                         stderr=subprocess.DEVNULL, env=dict(full, **env))
    os.close(slave)
    out, end = b"", time.monotonic() + 30 * harness.SLACK
    try:
        while select.select([master], [], [], max(0, end - time.monotonic()))[0]:
            piece = os.read(master, 65536)
            if not piece:
                break
            out += piece
    except OSError:                                        # the other side is closed
        pass
    finally:
        os.close(master)
        stop(p)
    return out.decode("utf-8", "replace")


# -- plans that are not as they should be --


def test_plans():
    """Unusual replies are repaired or accepted."""
    rows = {"repaired": "ppf", "broken_arguments": "ppf", "two_calls": "pf", "nulls": "pf", "wrong_type": "pf",
            "chopped_plan": "pf", "older_form": "pf", "call_as_text": "pf"}
    with Provider("turn", *rows) as provider, Site(model=provider, **quick()) as site:
        for case, calls in rows.items():
            turn = ask(site, case)
            is_good(turn, case)
            equal(asked(provider, case), calls, case + ": requests")
            equal(turn.plan["arguments"], {"from_location": "EGTF", "to_location": "LFMD"}, case + ": arguments")
        first, second = provider.requests("repaired", "planner")
        equal(second.messages[:len(first.messages)], first.messages, "the repair round goes on from the first")
        rejected, answer = second.body["messages"][len(first.messages):]
        equal((rejected["role"], answer["role"]), ("assistant", "tool"), "roles")
        call, = rejected["tool_calls"]
        equal((call["function"]["name"], json.loads(call["function"]["arguments"])),
              ("find_airports_near_route", {"from_location": "EGTF"}), "the rejected call")
        equal(answer["tool_call_id"], call["id"], "which is answered")
        check("to_location" in answer["content"], "it is told what was wrong: " + answer["content"])
        equal(second.body["tools"], first.body["tools"], "functions")


def test_planner_fails():
    for case, says in (("invented_tool", "Planner chose 'book_hotel', which is not defined in the manifest."), ("no_call", "plan")):
        with Provider(case) as provider, Site(model=provider, **quick()) as site:
            turn = site.ask(ROUTE, "t")
            equal(turn.shape, ["message", "error", "final_answer", "done"], case + ": order of events")
            error, state = turn.one("error"), turn.one("final_answer")["state"]
            equal(error["code"], "planner_failed", case + ": code")
            check(says in error["message"], "%s: %s" % (case, error))
            equal(state["error"], error["message"], case + ": state.error")
            equal((state["final_answer"], state["thinking"]), (turn.answer, ""), case + ": state")
            check(turn.answer.startswith("I encountered an error: ") and turn.answer.endswith(". Please try again."), turn.answer)
            check("ui_payload" not in state and "tool_result" not in state, case + ": state")
            equal(asked(provider, case), "pp", case + ": one round more, then it is given up")
            check("degraded" not in turn.one("done")["metadata"], case + ": the model did answer")
            check(turn.one("done")["tokens"]["total"] > 0, case + ": both rounds are paid for")
            entry, = site.log_entries()
            equal(entry["metadata"]["has_error"], True, case + ": conversation log")


def test_a_failure_is_forgotten_in_the_next_turn():
    with Provider("turn", "invented_tool") as provider, Site(model=provider) as site:
        ask(site, "invented_tool", thread="t")
        is_good(site.ask(ROUTE + " [turn]", "t"), "the next turn")


def test_nothing_found_is_a_success():
    with Provider("not_found") as provider, Site(model=provider) as site:
        turn = site.ask("Tell me about ZZZZ")
        is_good(turn, "not found")
        equal(turn.one("tool_call_end")["result"]["found"], False, "found")


def test_tool_fails():
    """The database breaks under a running worker."""
    with Provider("details") as provider, Site(model=provider, start=False) as site:
        db = os.path.join(site.dir, "own.db")
        with open(harness.DB, "rb") as f:
            data = f.read()
        with open(db, "wb") as f:
            f.write(data)
        site.env["AIRPORTS_DB"] = db
        site.workers[0].start()
        is_good(site.ask("Tell me about LFMD"), "before")
        for path in (db, db + ".index"):
            with open(path, "r+b") as f:                   # all but the schema
                size = os.path.getsize(path)
                f.seek(4096)
                f.write(b"\xa5" * (size - 4096))
        turn = site.ask("Tell me about LFMD", "t2")
        equal(turn.shape, ["plan", "thinking", "tool_call_start", "message", "thinking_done", "error", "final_answer", "done"],
              "order of events")
        error, state = turn.one("error"), turn.one("final_answer")["state"]
        check(error["message"].startswith("Airports cannot be looked up here at the moment"), error["message"])
        equal(error["code"], "data_unavailable", "code")
        equal(state["error"], error["message"], "state.error")
        equal(turn.answer, error["message"], "answer")
        equal(state["thinking"], turn.one("thinking")["content"], "thinking is the planner's")
        equal(asked(provider, "details"), "pfp", "no answer is asked for")


def test_no_function_calling(case):
    """Ollama, llama.cpp, vLLM and gateways refuse in their own words: the plan is asked for as text."""
    with Provider(case) as provider, Site(model=provider) as site:
        is_good(site.ask(ROUTE), case)
        equal(asked(provider, case), "ppf", "requests")
        first, second, _ = provider.requests()
        check("tools" in first.body and not {"tools", "tool_choice", "parallel_tool_calls"} & set(second.body), "no tools")
        last = second.messages[-1][1]
        check("selected_tool" in last and "\"additionalProperties\"" in last, "the schema stands in the text: " + last[:300])
        is_good(site.ask(ROUTE), case)
        equal(asked(provider, case), "ppfpf", "it is remembered")


test_no_function_calling.rows = [("no_tools_ollama",), ("no_tools_llama",), ("no_tools_vllm",), ("no_tools_gateway",)]


def test_refused_parameters():
    """Each refused parameter is left out from then on."""
    with Provider("refuses_parallel") as provider, Site(model=provider) as site:
        is_good(site.ask(ROUTE), "first turn")
        is_good(site.ask(ROUTE), "second turn")
        sent = [[k for k in ("parallel_tool_calls", "temperature") if k in a.body] for a in provider.requests()]
        equal(sum("parallel_tool_calls" in s for s in sent), 1, "parallel_tool_calls was sent once: %s" % sent)
        equal([a.status for a in provider.requests() if a.status != 200], [422, 400], "refusals")


# -- answers that are not as they should be --


def test_broken_answers():
    """A stream that breaks off is not an answer, and is not begun again."""
    for_three = "Along the way"
    rows = {"error_midway": for_three, "cut_midway": for_three, "reset_midway": for_three, "truncated": for_three,
            "truncated_last": TEXT, "idle_midway": for_three, "too_slow": None, "huge": None}
    with Provider("turn", *rows) as provider, Site(model=provider, **quick()) as site:
        for case, begun in rows.items():
            turn = ask(site, case)
            if case in ("idle_midway", "too_slow"):
                limit(turn.frames[-1].at, 0.7 if case == "idle_midway" else 2.5, case)
            equal(turn.shape, ["plan", "thinking", "tool_call_start", "tool_call_end", "message", "thinking_done", "error",
                               "final_answer", "done"], case + ": order of events")
            error, state = turn.one("error"), turn.one("final_answer")["state"]
            equal(error["code"], "formatter_failed", case + ": code")
            equal(state["error"], error["message"], case + ": state.error")
            check("Error formatting response: " in state["final_answer"][-200:], case + ": " + state["final_answer"][-200:])
            check(begun is None or turn.answer.startswith(begun + "\n\nError"), case + ": " + turn.answer[:200])
            equal(state["final_answer"], turn.answer.strip(), case + ": what was read is kept")
            check("ui_payload" not in state, case + ": ui_payload")
            equal(asked(provider, case), "pf", case + ": never again after the first piece")
            equal(turn.one("done")["tokens"].get("estimated"), True, case + ": what it cost is a guess")
            check("degraded" not in turn.one("done")["metadata"], case + ": degraded")
        equal(site.log_entries()[0]["metadata"]["has_error"], True, "conversation log")
        check(os.path.getsize(site.workers[0].log_path) < 100000, "the log stays small")


def test_a_reply_of_5_MB():
    with Provider("turn", "huge", "huge_plan") as provider, Site(model=provider, **quick(LLM_MAX_REPLY=16 << 20)) as site:
        turn = ask(site, "huge")                           # longer than an answer may be
        equal(turn.names[-3:], ["error", "final_answer", "done"], "end of the stream")
        check(1000000 < len(turn.answer) < 1100000, "%d characters of it came" % len(turn.answer))
        turn = ask(site, "huge_plan")
        equal(turn.one("error")["code"], "planner_failed", "a plan of 5 MB")
        check(len(turn.stream.whole) < 10000, "it is not quoted")
        check(all(len(a.text) < 200000 for a in provider.requests("huge_plan")), "it goes back to the model shortened")
        with open("/proc/%d/status" % site.workers[0].process.pid) as f:
            rss = int(re.search(r"RssAnon:\s+(\d+)", f.read()).group(1))
        check(harness.SLACK > 1 or rss < 40000, "the worker holds %d kB afterwards" % rss)
        is_good(ask(site, "turn"), "the next turn")


def test_bytes_cut_anywhere():
    rows = {"chopped": EXOTIC, "chopped_ascii": EXOTIC, "cut_inside": "é\n!", "split": "Zürich → Ağrı, 😀 fin",
            "framed": TEXT, "blank_deltas": TEXT[:13], "no_done": TEXT, "early_usage": TEXT, "plain_answer": TEXT}
    with Provider("turn", *rows) as provider, Site(model=provider, **quick()) as site:
        for case, expected in rows.items():
            turn = ask(site, case)
            check("error" not in turn.names, "%s: %s" % (case, turn.all("error")))
            equal(turn.answer, expected, case + ": answer")
            equal(turn.one("final_answer")["state"]["final_answer"], expected.strip(), case + ": final_answer")
            for piece in deltas(turn):
                check("\ufffd" not in piece and not re.search("[\ud800-\udfff]", piece), "%s: %r" % (case, piece))
            check("estimated" not in turn.one("done")["tokens"], case + ": tokens are the provider's")
        equal([e["answer"] for e in site.log_entries()], [v.strip() for v in rows.values()], "conversation log")


def test_length_limit_is_told():
    with Provider("length") as provider, Site(model=provider) as site:
        turn = site.ask(ROUTE)
        check(turn.answer.startswith(TEXT) and "length limit" in turn.answer and "error" not in turn.names, turn.answer)


def test_tokens():
    rows = {"no_usage": True, "refuses_usage": True, "early_usage": False}
    with Provider("turn", *rows) as provider, Site(model=provider) as site:
        for case, estimated in rows.items():
            turn = ask(site, case)
            is_good(turn, case)
            tokens = turn.one("done")["tokens"]
            equal(tokens.get("estimated", False), estimated, case + ": estimated")
            check(tokens["input"] > 500 and 10 < tokens["output"] < 200, "%s: %s" % (case, tokens))
            equal(site.log_entries()[-1]["metadata"]["tokens"].get("estimated", False), estimated, case + ": log")
        refused, taken = provider.requests("refuses_usage", "formatter")
        check("stream_options" in refused.body and "stream_options" not in taken.body, "asked again without")
