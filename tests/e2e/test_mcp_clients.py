"""Clients that others wrote: the conformance suite of the protocol, the official TypeScript SDK, the Inspector."""

import json
import os
import re
import shutil
import tempfile

import harness
import npm
from harness import HERE, check, equal, program
from test_mcp import RULES, mcp_site

DRIVERS = os.path.join(HERE, "mcp")
# how many of the required scenarios must pass, of 37 and 30
AT_LEAST = {"2026-07-28": 27, "2025-11-25": 22}
CALLS = {
    "search_airports": {"query": "France", "max_results": 3},
    "find_airports_near_location": {"location_query": "Lyon", "max_results": 3, "filters": {"has_avgas": True}},
    "find_airports_near_route": {"from_location": "EGTF", "to_location": "LFMD"},
    "get_airport_details": {"icao_code": "EGTF"},
    "get_notification_for_airport": {"icao": "EGTF"},
    "answer_rules_question": {"country_code": "FR", "question": "Do I need a flight plan?"},
    "browse_rules": {"country_code": "FR"},
    "compare_rules_between_countries": {"countries": ["FR", "GB"]},
}


def test_conformance(revision):
    """The required scenarios of a revision. A file of ours lists by name those that a server which only reads does
    not pass; any other failure, and one that is listed and passes, makes the suite fail."""
    suite = npm.program("@modelcontextprotocol/conformance")
    out = tempfile.mkdtemp(prefix="aa-conformance.")
    try:
        status, listed, err = npm.run(suite, "list", "--requirements", revision)
        equal(status, 0, err[-500:])
        required = set(re.findall(r"(?m)^  - (\S+)$", listed.split("Client scenarios")[0]))
        with mcp_site(fixtures=True) as site:
            status, text, err = npm.run(suite, "server", "--url", "http://127.0.0.1:%d/mcp" % site.port, "--requirements",
                                        revision, "-o", out, "--expected-failures",
                                        os.path.join(DRIVERS, "server-%s.yml" % revision))
        summary = text.split("=== SUMMARY ===")[-1]
        equal(status, 0, summary[-3000:] + err[-500:])
        passed = required & set(re.findall("\u2713 ([^:]+):", summary))
        check(len(passed) >= AT_LEAST[revision], "only %d of %d pass: %s" % (len(passed), len(required), sorted(passed)))
    finally:
        shutil.rmtree(out, ignore_errors=True)


test_conformance.rows = [(r,) for r in AT_LEAST]


def driver(name, *args, env=None):
    """Run a driver beside the packages it imports."""
    folder = tempfile.mkdtemp(prefix="aa-driver.")
    try:
        shutil.copy(os.path.join(DRIVERS, name), folder)
        os.symlink(os.path.join(npm.folder(), "node_modules"), os.path.join(folder, "node_modules"))
        full = {"CALLS": json.dumps(CALLS)}
        full.update(env or {})
        status, out, err = npm.run(os.path.join(folder, name), *args, env=full, cwd=folder)
        equal(status, 0, out[-500:] + err[-1500:])
        return [json.loads(line) for line in out.splitlines()]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def looks_right(row):
    equal(row["airport"], "EGTF", row["mode"])
    equal(row["wrong"], True, row["mode"])
    check("Lyon" in row["answer"] and "Lyon" in row["again"], row)
    equal(row["shapes"], [[name, False] for name in CALLS], "results fit the schemas that the client checks them against")
    equal((row["prompts"], row["read"]), (6, "EGTF"), row["mode"])
    check("EGTF" in row["completed"], row["completed"])
    check("ask_aviation_agent" in row["tools"] and row["resources"] > 0, row)


def test_sdk_over_http(name, eras):
    npm.folder()
    with mcp_site(store="redis", workers=2) as site:
        rows = driver(name, "http", "http://127.0.0.1:%d/mcp" % site.port)
    for row in rows:
        looks_right(row)
        # over a pipe the client drops progress that it reads together with the answer
        check(any("Looking up" in p for p in row["progress"]), row["progress"])
    equal([row.get("era", "-") for row in rows], eras.split(), "eras")


def test_sdk_over_stdio(name, eras):
    npm.folder()
    home = tempfile.mkdtemp(prefix="aa-mcp.")
    try:
        rows = driver(name, "stdio", program("aviation-agent"), "mcp", env={
            "AIRPORTS_DB": harness.DB, "RULES_JSON": RULES, "CONVERSATION_LOG_DIR": "none",
            "AVIATION_AGENT_STATE_DIR": os.path.join(home, "state")})
    finally:
        shutil.rmtree(home, ignore_errors=True)
    for row in rows:
        looks_right(row)
    equal([row.get("era", "-") for row in rows], eras.split(), "eras")


SDKS = [("sdk_v1.mjs", "-"), ("sdk_v2.mjs", "legacy modern modern")]
test_sdk_over_http.rows = SDKS
test_sdk_over_stdio.rows = SDKS


def inspect(*args):
    # its own home, because it keeps what it knows of servers there
    home = tempfile.mkdtemp(prefix="aa-inspector.")
    try:
        status, out, err = npm.run(npm.program("@modelcontextprotocol/inspector", "mcp-inspector"), "--cli", *args, cwd=home)
        return status, out, err
    finally:
        shutil.rmtree(home, ignore_errors=True)


def test_inspector():
    """Its command line: what each era negotiates, schemas that all model providers accept, and a call."""
    npm.folder()
    with mcp_site() as site:
        url = ["--server-url", "http://127.0.0.1:%d/mcp" % site.port, "--transport", "http"]
        for era in ("modern", "legacy", "auto"):
            status, out, err = inspect(*(url + ["--protocol-era", era, "--method", "initialize", "--format", "json"]))
            equal(status, 0, era + out[-500:] + err[-500:])
        status, out, err = inspect(*(url + ["--method", "tools/list", "--strict", "--format", "json"]))
        equal(status, 0, out[-800:] + err[-800:])
        chat = site.ask("Find airports between EGTF and LFMD")
        status, out, err = inspect(*(url + ["--method", "tools/call", "--tool-name", "find_airports_near_route", "--tool-args-json",
                                            json.dumps(chat.plan["arguments"]), "--format", "json"]))
        equal(status, 0, out[-500:] + err[-500:])
        for ident in chat.airports:
            check(ident in out, "%s is in the chat but not in the Inspector: %s" % (ident, out[-500:]))
        status, out, err = inspect(*(url + ["--method", "tools/call", "--tool-name", "search_airports", "--tool-args-json", "{}",
                                            "--format", "json"]))
        equal(status, 5, "wrong arguments: " + out[-300:])
