"""The providers: the same turns with each of them, through nginx, in each provider's own format.

The cases are those of tests/double/cases; the double answers a request in the format in which it came, and refuses
what a strict server of that format refuses.
"""

import json
import os
import tempfile

import harness
from harness import KEY, ROUTE, Provider, Site, check, cli, equal
from test_model import TEXT, ask, asked, deltas, is_degraded, is_good, nowhere, problems, quick
from test_onboarding_turns import EXPORT, REPLIES, TOLD, begin, frames, onboarding, say
from test_rules_index import rules

ALL = [("anthropic",), ("gemini",), ("ollama",)]
MODELS = {"anthropic": "claude-sonnet-5", "gemini": "gemini-3.8-flash", "ollama": "llama3.1"}
SETTINGS = {"anthropic": "ANTHROPIC", "gemini": "GOOGLE", "ollama": "OLLAMA"}


def test_golden_turn(form):
    """The plan comes as a call, the answer as a stream; each request has the form that its provider wants."""
    with Provider("turn", form=form) as provider, Site(model=provider) as site:
        turn = site.ask(ROUTE)
        is_good(turn, form)
        equal(deltas(turn)[:3], ["Along", " the", " way"], "pieces come as the model sends them")
        equal(turn.plan["arguments"], {"from_location": "EGTF", "to_location": "LFMD"}, "arguments")
        tokens = turn.one("done")["tokens"]
        equal((tokens["input"], tokens["output"], "estimated" in tokens), (2100, 52, False), "tokens: " + str(tokens))
        plan, write = provider.requests()
        equal([plan.chat["model"], write.chat["model"]], [MODELS[form]] * 2, "the provider's own model")
        check("find_airports_near_route" in plan.functions and "no_tool" in plan.functions, "tools: " + str(list(plan.functions)))
        if form != "ollama":
            equal(plan.chat["tool_choice"], "required", "a call is wanted")
        equal([m[0] for m in plan.messages[:1]], ["system"], "the system prompt")
        check(write.chat["stream"] and not plan.chat.get("stream", False), "the answer is streamed, the plan is not")
        key = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}.get(form)
        check(key is None or plan.headers[key] == KEY, "the key")
        check("authorization" not in plan.headers, "no other key")
        health = json.loads(site.get(harness.API + "/health").body)
        equal(health["provider"], {"name": form, "status": "up"}, "health")
        log = site.workers[0].log()
        check("provider=" + form in log, "the log names the provider")
        check(form == "ollama" or "cached=120 " in log, "tokens of the prompt cache are in the log")
        nowhere(KEY, site, turn)


test_golden_turn.rows = ALL


def test_settings(form):
    """check asks the model; a missing key and an unknown name say what to set."""
    prefix = SETTINGS[form]
    with Provider("turn", form=form) as provider:
        status, out, err = cli("check", env=dict(provider.env))
        check(status == 0 and "%s: %s answered" % (form, MODELS[form]) in out, out + err)
        status, out, err = cli("check", env=dict(provider.env, AVIATION_AGENT_PLANNER_MODEL="one", **{prefix + "_MODEL": "two"}))
        check(status == 0 and "one answered" in out and "two answered" in out, out + err)
    status, out, err = cli("check", env={"LLM_PROVIDER": form, prefix + "_BASE_URL": "gpt"})
    check(status != 0 and prefix + "_BASE_URL" in out + err, out + err)
    if form != "ollama":
        status, out, err = cli("check", env={"LLM_PROVIDER": form})
        check(status != 0 and "set " + prefix + "_API_KEY" in out + err, out + err)
        status, out, err = cli("check", env={prefix + "_API_KEY": KEY})
        check(status == 0 and "LLM_PROVIDER=" + form in out and KEY not in out + err, out + err)


test_settings.rows = ALL


def test_unknown_provider():
    status, out, err = cli("check", env={"LLM_PROVIDER": "palm"})
    check(status != 0 and "openai|anthropic|gemini|ollama" in out + err, out + err)
    status, out, err = cli("check", env={"LLM_PROVIDER": "openai"})
    check(status != 0 and "set OPENAI_API_KEY" in out + err, out + err)


def test_calls_and_thoughts(form):
    """Text and several calls of one reply, thoughts left out, and the results of two calls in one turn."""
    plans = [{"selected_tool": "find_airports_near_route", "arguments": {"from_location": "EGTF", "to_location": "LFMD"}}]
    bad = [{"selected_tool": "find_airports_near_route", "arguments": {"from_location": "EGTF"}},
           {"selected_tool": "find_airports_near_route", "arguments": {"to_location": "LFMD"}}]
    lists = {"lists": [
        {"when": {"kind": "planner"}, "replies": [{"plans": bad, "thinking": "GEHEIM"}, {"plans": plans, "thinking": "GEHEIM"}]},
        {"when": {"kind": "formatter"}, "replies": [{"text": TEXT, "thinking": "GEHEIM \"so\""}]}]}
    with Provider(case=lists, form=form) as provider, Site(model=provider) as site:
        turn = site.ask(ROUTE)
        is_good(turn, form)
        check(b"GEHEIM" not in turn.stream.whole, "thoughts are no answer")
        again = provider.requests(kind="planner")[1]
        equal([m[0] for m in again.messages[-3:]], ["assistant", "tool", "tool"], "both calls are answered: %s" % again.messages)
        calls = again.chat["messages"][-3]["tool_calls"]
        equal([c["function"]["name"] for c in calls], ["find_airports_near_route"] * 2, "the calls go back as they came")


test_calls_and_thoughts.rows = ALL


def test_faults(form):
    """Refusals and outages: the built-in planner and writer answer, and the log says what to change."""
    key = SETTINGS[form] + ("_BASE_URL" if form == "ollama" else "_API_KEY")
    rows = {"bad_key": ("p", key), "bad_model": ("p", SETTINGS[form] + "_MODEL"), "html": ("p", SETTINGS[form] + "_BASE_URL"),
            "html_answer": ("pf", SETTINGS[form] + "_BASE_URL")}
    with Provider("turn", *rows, form=form) as provider, Site(model=provider, **quick()) as site:
        turns, seen = [], 0
        for case, (calls, names) in rows.items():
            turns.append(ask(site, case, ROUTE + " geheimes-Wort"))
            is_degraded(turns[-1], case)
            equal(asked(provider, case), calls, case + ": not asked again")
            log = site.workers[0].log()
            lines, seen = problems(log[seen:]), len(log)
            equal(len(lines), 1, case + ": lines in the log: %s" % lines)
            check(names in lines[0], "%s: %s does not name %s" % (case, lines[0], names))
        nowhere(KEY, site, *turns)
        check("geheimes-Wort" not in site.workers[0].log(), "the question is in the program's log")


test_faults.rows = ALL


def test_retries(form):
    """429 with Retry-After, 500, 529 overloaded, a dropped connection, garbage: asked again, then a good answer."""
    first = {"busy": {"status": 429, "headers": {"Retry-After": "0"}}, "failed": {"status": 500}, "overloaded": {"status": 529},
             "dropped": {"fault": "close"}, "garbage": {"fault": "garbage"}, "rubbish": {"body": "{\"rub", "type": "application/json"}}
    plan = {"plan": {"selected_tool": "find_airports_near_route", "arguments": {"from_location": "EGTF", "to_location": "LFMD"}}}
    cases = {name: {"lists": [{"when": {"kind": "planner"}, "replies": [reply, plan]},
                              {"when": {"kind": "formatter"}, "replies": [{"text": TEXT}]}]} for name, reply in first.items()}
    with Provider("turn", "broken_arguments", form=form, **cases) as provider, Site(model=provider, **quick()) as site:
        for name in list(first) + ["broken_arguments"]:
            is_good(ask(site, name), form + " " + name)
            equal(asked(provider, name), "ppf", name)


test_retries.rows = ALL


def test_ends(form):
    """A stream that is cut, silent or broken by an error in the middle; the length limit; a filter."""
    good = {"plan": {"selected_tool": "find_airports_near_route", "arguments": {"from_location": "EGTF", "to_location": "LFMD"}}}
    ends = {"cut": {"text": TEXT, "fault": "end", "after": 4}, "broken": {"text": TEXT, "fault": "error", "after": 4},
            "silent": {"text": TEXT, "fault": "stall", "after": "head"}, "mute": {"text": TEXT, "fault": "stall", "after": 4},
            "length": {"text": TEXT, "finish": "length"}, "chopped": {"text": TEXT, "chop": 7}, "framed": {"text": TEXT, "bom": True, "crlf": True},
            "filter": {"text": TEXT, "finish": "content_filter"}, "blocked": {"text": "", "finish": "content_filter"}}
    cases = {name: {"lists": [{"when": {"kind": "planner"}, "replies": [good]},
                              {"when": {"kind": "formatter"}, "repeat": "last", "replies": [reply]}]} for name, reply in ends.items()}
    with Provider("turn", form=form, **cases) as provider, Site(model=provider, **quick()) as site:
        turns = {name: ask(site, name) for name in ends}
        is_good(turns["chopped"], "chopped")
        is_good(turns["framed"], "framed")
        for name in ("cut", "broken", "mute"):
            check(turns[name].answer.startswith("Along the way"), "%s: what came stays: %s" % (name, turns[name].answer))
            check(turns[name].names.count("done") == 1, name + ": done")
        is_degraded(turns["silent"], "silent")
        check("length limit" in turns["length"].answer, turns["length"].answer)
        if form != "ollama":               # Ollama has no filter
            check("cut it off" in turns["filter"].answer, turns["filter"].answer)
            is_degraded(turns["blocked"], "blocked")
            check("content filter" in site.workers[0].log(), "the log says so")


test_ends.rows = ALL


def test_parameters_that_a_model_refuses():
    """What a model of Anthropic does not take is left out at once, and remembered."""
    lists = {"lists": [
        {"when": {"kind": "planner"}, "refuse": ["temperature", "thinking"], "repeat": "last", "replies": [{"plan": {
            "selected_tool": "find_airports_near_route", "arguments": {"from_location": "EGTF", "to_location": "LFMD"}}}]},
        {"when": {"kind": "formatter"}, "repeat": "last", "replies": [{"text": TEXT}]}]}
    with Provider(main=lists, form="anthropic") as provider, Site(model=provider) as site:
        is_good(site.ask(ROUTE), "first turn")
        equal("".join(a.kind[0] for a in provider.requests()), "pppf", "asked")
        is_good(site.ask(ROUTE), "second turn")
        equal("".join(a.kind[0] for a in provider.requests()), "pppfpf", "remembered")
        last = provider.requests()[-1].body
        check("temperature" not in last and "thinking" not in last, str(last)[:200])


def test_a_model_without_tools():
    """A model of Ollama that takes no tools is asked for its plan as text."""
    with Provider("no_tools_ollama", form="ollama") as provider, Site(model=provider) as site:
        is_good(site.ask(ROUTE), "turn")
        check("tools" not in provider.requests()[-2].body, "the plan is asked for as text")


def test_a_loop_of_tools(form):
    """W10, the onboarding agent with each provider: a call, its result, the next call; two turns, the second with what was kept of the first."""
    with Provider(main={"lists": [{"replies": REPLIES + EXPORT}]}, form=form) as provider, onboarding(provider) as site:
        id = begin(site)
        kinds = [t for _, t, _ in frames(say(site, id, TOLD))]
        equal((kinds.count("tool_start"), kinds.count("tool_complete"), kinds[-1]), (3, 3, "complete"), "the first turn: %s" % kinds)
        kinds = [t for _, t, _ in frames(say(site, id, "Yes, please."))]
        check("tool_complete" in kinds and kinds[-1] == "complete", "the second turn: %s" % kinds)
        check(all(a.status == 200 for a in provider.requests()), "the server refused nothing: %s" % [a.status for a in provider.requests()])
        equal(provider.requests()[0].chat["model"], MODELS[form], "the provider's own model")


test_a_loop_of_tools.rows = ALL


def test_very_long_lines(form):
    """A reply that is one endless line ends at its limit."""
    good = {"plan": {"selected_tool": "find_airports_near_route", "arguments": {"from_location": "EGTF", "to_location": "LFMD"}}}
    cases = {"long": {"lists": [{"when": {"kind": "planner"}, "replies": [good]}, {"when": {"kind": "formatter"}, "repeat": "last",
             "replies": [{"tokens": ["x" * 200000], "text": ""}]}]}}
    with Provider("turn", form=form, **cases) as provider, Site(model=provider, **quick(LLM_MAX_REPLY=65536)) as site:
        is_degraded(ask(site, "long"), "long")
        check("AVIATION_AGENT_LLM_MAX_REPLY" in site.workers[0].log(), "the log names the limit")


test_very_long_lines.rows = ALL


def test_index_of_rules(form):
    """Embeddings of gemini and ollama; anthropic says that it has none."""
    with Provider("turn", form=form) as provider, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rules.json")
        texts = rules(path, 5)
        env = dict(provider.env, RULES_JSON=path, VECTOR_DB_PATH=os.path.join(folder, "vectors.db"),
                   AVIATION_AGENT_STATE_DIR=folder)
        status, out, err = cli("index", "rules", env=env)
        if form == "anthropic":
            check(status != 0 and "anthropic makes no embeddings" in out + err, out + err)
            equal(provider.requests(), [], "nothing was asked")
            return
        check(status == 0, out + err)
        sent = [t for a in provider.requests(kind="embeddings") for t in a.chat["input"]]
        check(len(texts) <= len(sent), "%d texts, %d sent" % (len(texts), len(sent)))


test_index_of_rules.rows = ALL
