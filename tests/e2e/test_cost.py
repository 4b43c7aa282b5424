"""What one request may cost: CPU and memory of a worker, read from /proc. The ceilings are several
times what is spent, and the cost that they guard against was a hundred times what is spent now."""

import os
import time

import harness
from harness import API, HERE, ROUTE, Provider, Site, Skip, check, equal, eventually, question, real_data
from test_rules import RULES
from test_rules_model import config

KB = 1024
# A message that names nothing anybody knows, and asks nothing.
STRANGE = ("and Zzz Yyy " * (16 * KB))[:16 * KB]
REQUESTS = 5


def cpu(worker):
    """Seconds that a worker has spent, user and system, all its threads."""
    with open("/proc/%d/stat" % worker.process.pid, encoding="utf-8") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def anonymous(worker):
    """MB of a worker's own memory."""
    with open("/proc/%d/status" % worker.process.pid, encoding="utf-8") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("RssAnon:")) / KB


def attack(turns=12):
    return [{"role": "user", "content": "%d %s" % (i, STRANGE)} for i in range(turns)]


def settled(worker):
    """The processor time of a worker, read when it has become idle."""
    last = [-1.0]

    def same():
        before, last[0] = last[0], cpu(worker)
        return before == last[0]
    eventually(same, "the worker is idle", 30, 0.2)
    return last[0]


def cheap(spent, requests, what):
    check(spent <= requests * 0.1 * harness.SLACK, "%s cost %.2f s of CPU, %d requests" % (what, spent, requests))


def test_a_hostile_conversation_costs_little():
    """Twelve messages of 16 KB, and then small follow-ups of the stored conversation."""
    with Site() as site:
        worker = site.workers[0]
        site.ask(ROUTE)
        before, memory = settled(worker), anonymous(worker)
        threads = []
        for _ in range(REQUESTS):
            r = site.post(API + "/chat", {"messages": attack()})
            equal(r.status, 200, "status")
            threads.append(r.json()["thread_id"])
        first = settled(worker)
        cheap(first - before, REQUESTS, "the attack")
        for thread in threads:
            equal(site.chat("and with avgas?", thread).status, 200, "status of a follow-up")
        cheap(settled(worker) - first, REQUESTS, "its follow-ups")
        grown = anonymous(worker) - memory
        # AddressSanitizer keeps freed memory aside
        check(grown < 32 or harness.SLACK > 1, "the worker has grown by %.0f MB" % grown)
        # and it understands what is asked next
        turn = site.ask(ROUTE, threads[0])
        equal(turn.plan["selected_tool"], "find_airports_near_route", "tool")


def test_a_reader_who_leaves_ends_the_thinking():
    with Site() as site:
        worker = site.workers[0]
        site.ask(ROUTE)
        before = settled(worker)
        for _ in range(REQUESTS):
            with site.open("", messages=attack()) as s:
                s.leave(reset=True)
        time.sleep(0.3)
        cheap(settled(worker) - before, REQUESTS, "readers who left")


def test_an_attack_in_a_router_and_two_plans_costs_little():
    """The last message of the attack asks for airports and for rules, so that a turn is routed and plans twice."""
    both = "Find airports near Lyon with avgas, and do I need a flight plan VFR in France?"
    with config(routing__enabled=True) as env, Site(RULES_JSON=RULES, **env) as site:
        worker = site.workers[0]
        site.ask(ROUTE)
        before = settled(worker)
        for _ in range(REQUESTS):
            turn = site.ask("", messages=attack() + [{"role": "user", "content": both}])
            equal([p["selected_tool"] for p in turn.all("plan")],
                  ["find_airports_near_location", "answer_rules_question"], "tools")
        cheap(settled(worker) - before, REQUESTS, "the attack")


def test_an_attack_costs_little_with_a_model_too():
    """A request to a model is cut to its budget, and escaped as JSON, once a call."""
    shapes = [attack(), attack() + [{"role": "user", "content": '\u0001"\\' * (20 * KB)}]]
    shapes.append([{"role": ("user", "assistant")[i % 2], "content": "%d near Lyon" % i} for i in range(999)])
    with Provider("turn") as provider, Site(model=provider) as site:
        worker = site.workers[0]
        site.ask(ROUTE)
        for i, messages in enumerate(shapes):
            before, asked = settled(worker), len(provider.requests())
            for _ in range(REQUESTS):
                site.ask("", messages=messages + [{"role": "user", "content": ROUTE}])
            equal(len(provider.requests()) - asked, 2 * REQUESTS, "questions to the model")
            cheap(settled(worker) - before, REQUESTS, "shape %d" % i)


def test_thirty_follow_ups_keep_the_route():
    """Through the store, for a client that sends only new messages and for one that sends everything."""
    said = ["and only with a hard runway?", "and within 40 nm?", "at least 800 m", "thanks"]
    with Site() as site:
        first = site.ask(ROUTE)
        for i in range(30):
            turn = site.ask(said[i % 3], first.thread)
            args = turn.plan["arguments"]
            equal((args["from_location"], args["to_location"]), ("EGTF", "LFMD"), "route of follow-up %d" % (i + 1))
        equal(args["filters"].get("has_hard_runway"), True, "the filter that was set first")

        messages = []
        for i in range(31):
            messages += [{"role": "user", "content": ROUTE if i == 0 else said[i % 4]}]
            if i < 30:
                messages += [{"role": "assistant", "content": "Here you are."}]
        messages[-1]["content"] = "and within 25 nm?"
        args = site.ask("", messages=messages).plan["arguments"]
        equal((args["from_location"], args["to_location"]), ("EGTF", "LFMD"), "route, everything sent")
        equal(args["max_distance_nm"], 25, "distance")


def test_the_costliest_ordinary_questions():
    """Long answers, many airports, all the world's countries: none takes a tenth of a second."""
    asked = ["compare the rules of all countries", "compare the rules of France, Germany and all other countries",
             "airports in France", "airports between EGTF and LFMD within 500 nm", "airports near Lyon within 900 nm",
             "tell me about LFMD", "compare flight plan rules of the neighbouring countries of France"]
    try:
        data = {"RULES_JSON": real_data("rules", "rules.json"), "db": real_data("euro_aip", "airports.db")}
    except Skip:
        data = {"RULES_JSON": os.path.join(HERE, "data", "rules.json")}
    with Site(**data) as site:
        worker = site.workers[0]
        eventually(lambda: site.post(API + "/chat", question(ROUTE)).status == 200, "the data are ready", 60)
        for text in asked:
            before = settled(worker)
            for _ in range(REQUESTS):
                equal(site.post(API + "/chat", question(text)).status, 200, "status of %r" % text)
            cheap(settled(worker) - before, REQUESTS, repr(text))
