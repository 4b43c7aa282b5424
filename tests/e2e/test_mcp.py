"""The MCP server over HTTP, as a client of either era sees it through nginx."""

import base64
import contextlib
import json
import os
import socket
import threading

from apache import Apache
from harness import API, HERE, ROOT, Site, Stream, check, cli, equal, eventually, fcgi_post, program

RULES = os.path.join(HERE, "data", "rules.json")
REVISION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
MODERN, LEGACY = "2026-07-28", "2025-11-25"
BOTH = "application/json, text/event-stream"


@contextlib.contextmanager
def mcp_site(fixtures=False, **more):
    more.setdefault("RULES_JSON", RULES)
    with Site(start=False, **more) as site:
        if site.redis:
            site.redis.start()
        for w in site.workers:
            w.start(args=[program("aviation-agent.fcgi"), "--listen", "unix:" + w.sock] +
                    (["--mcp-test-fixtures"] if fixtures else []))
        yield site


def legacy(method, params=None, id=1):
    m = {"jsonrpc": "2.0", "id": id, "method": method}
    if params is not None:
        m["params"] = params
    return m


def modern(method, params=None, id=1, token=None, capabilities=None):
    meta = {REVISION: MODERN, CAPABILITIES: capabilities or {}}
    if token is not None:
        meta["progressToken"] = token
    return legacy(method, dict(params or {}, _meta=meta), id)


def headers_of(message, **more):
    h = {"Accept": BOTH, "MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
    name = message["params"].get("name") or message["params"].get("uri")
    if name and message["method"] in ("tools/call", "prompts/get", "resources/read"):
        h["Mcp-Name"] = name
    h.update(more)
    return h


def send(site, message, headers=None, path="/mcp", **kw):
    return site.post(path, message, headers=dict({"Accept": BOTH}, **(headers or {})), **kw)


def call_modern(site, method, params=None, status=200, **kw):
    message = modern(method, params, **kw)
    r = send(site, message, headers_of(message))
    equal(r.status, status, "%s: %s" % (method, r.body[:300]))
    return r.json()


def call_legacy(site, method, params=None):
    r = send(site, legacy(method, params), {"MCP-Protocol-Version": LEGACY})
    equal(r.status, 200, "%s: %s" % (method, r.body[:300]))
    return r.json()["result"]


def tool(site, name, arguments):
    return call_legacy(site, "tools/call", {"name": name, "arguments": arguments})


def test_both_eras_on_one_endpoint():
    with mcp_site() as site:
        for path in ("/mcp", "/mcp/", API + "/mcp", API + "/mcp/"):
            r = send(site, legacy("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
                                  id=0), path=path)
            equal((r.status, r.header("Content-Type")), (200, "application/json"), path)
            equal(r.json()["id"], 0, "id")
            equal(r.json()["result"]["protocolVersion"], LEGACY, "revision")
            check(r.header("Mcp-Session-Id") is None, "no session is made")
        for asked, got in (("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), (MODERN, LEGACY), ("1999-01-01", LEGACY)):
            equal(call_legacy(site, "initialize", {"protocolVersion": asked})["protocolVersion"], got, asked)
        r = send(site, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        equal((r.status, r.body, r.header("Content-Type")), (202, b"", None), "a notification")
        equal(call_legacy(site, "ping"), {}, "ping")

        found = call_modern(site, "server/discover")["result"]
        equal(found["supportedVersions"], [MODERN, LEGACY, "2025-06-18", "2025-03-26", "2024-11-05"], "revisions")
        equal(sorted(found["capabilities"]), ["completions", "prompts", "resources", "tools"], "capabilities")
        equal((found["resultType"], found["cacheScope"]), ("complete", "public"), "discover")
        tools = call_modern(site, "tools/list")["result"]
        equal(tools["tools"], call_legacy(site, "tools/list")["tools"], "the same tools in both eras")
        check(tools["ttlMs"] > 0, "may be kept")
        check("resultType" not in call_legacy(site, "tools/list"), "legacy results are plain")


def code_of(r):
    return r.json()["error"]["code"] if r.body else None


def test_refusals_and_their_codes():
    hello = legacy("initialize", {"protocolVersion": LEGACY})
    ok = modern("tools/list")
    rows = [
        # what, body, headers, status, code
        ("not JSON", b"{", {}, 400, -32700),
        ("not UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', {}, 400, -32700),
        ("a batch", [hello], {}, 400, -32600),
        ("deep JSON", b"[" * 2000, {}, 400, -32700),
        ("id null", dict(hello, id=None), {}, 400, -32600),
        ("id with a fraction", dict(hello, id=1.5), {}, 400, -32600),
        ("a member twice", b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', {}, 400, -32600),
        ("no jsonrpc", {"id": 1, "method": "ping"}, {}, 400, -32600),
        ("an unknown method", legacy("resources/delete"), {}, 200, -32601),
        ("an unknown revision in the header", legacy("ping"), {"MCP-Protocol-Version": "2031-01-01"}, 400, -32022),
        ("a modern header without _meta", legacy("tools/list"), {"MCP-Protocol-Version": MODERN}, 400, -32602),
        ("an unknown revision", modern("tools/list", {"x": 1}), {}, 400, -32020),
        ("another method in the header", ok, headers_of(ok, **{"Mcp-Method": "tools/call"}), 400, -32020),
        ("another revision in the header", ok, headers_of(ok, **{"MCP-Protocol-Version": LEGACY}), 400, -32020),
        ("a broken header", ok, headers_of(ok, **{"Mcp-Method": "=?base64?dG9v?"}), 400, -32020),
        ("no cursor was given", legacy("tools/list", {"cursor": "x"}), {}, 200, -32602),
        ("an unknown tool", legacy("tools/call", {"name": "serch"}), {}, 200, -32602),
        ("arguments that are no object", legacy("tools/call", {"name": "search_airports", "arguments": []}), {}, 200, -32602),
        ("initialize without a revision", legacy("initialize", {}), {}, 200, -32602),
    ]
    for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "nothing"):
        m = modern(method)
        rows.append(("modern " + method, m, headers_of(m), 404, -32601))
    m = modern("tools/list")
    m["params"]["_meta"][REVISION] = "2027-01-01"
    rows.append(("a later revision", m, headers_of(m, **{"MCP-Protocol-Version": "2027-01-01"}), 400, -32022))
    m = modern("tools/list")
    del m["params"]["_meta"][CAPABILITIES]
    rows.append(("no capabilities", m, headers_of(m), 400, -32602))
    m = modern("tools/call", {"name": "search_airports", "arguments": {"query": "EDNY"}})
    rows.append(("no Mcp-Name", m, {k: v for k, v in headers_of(m).items() if k != "Mcp-Name"}, 400, -32020))
    with mcp_site() as site:
        for what, body, headers, status, code in rows:
            r = send(site, body, headers)
            equal((r.status, code_of(r)), (status, code), what)
            if r.status == 400 and code == -32022:
                check(MODERN in r.json()["error"]["data"]["supported"], what)
        # a notification never gets an answer, whatever it is
        equal(send(site, {"jsonrpc": "2.0", "method": "no/such"}).status, 202, "an unknown notification")
        equal(send(site, {"jsonrpc": "2.0", "id": 4, "result": {}}).status, 202, "an answer that nobody asked for")
        # the name may be encoded
        encoded = "=?base64?%s?=" % base64.b64encode(b"search_airports").decode()
        equal(send(site, m, headers_of(m, **{"Mcp-Name": encoded})).status, 200, "an encoded name")
        for value in ('"x"', '""', "0", "-1", "123456789012345678901234567890"):
            r = send(site, ('{"jsonrpc":"2.0","id":%s,"method":"ping"}' % value).encode())
            check(('"id":%s,' % value).encode() in r.body, "id %s: %r" % (value, r.body))


def test_methods_origins_and_types():
    with mcp_site(AVIATION_AGENT_CORS_ORIGINS="https://inspector.example.org") as site:
        for method in ("GET", "DELETE", "PATCH"):
            r = site.request(method, "/mcp")
            equal((r.status, r.header("Allow")), (405, "POST"), method)
        ping = legacy("ping")
        for origin, status in (("http://evil.example", 403), ("null", 403), ("https://inspector.example.org", 200),
                               ("http://127.0.0.1:%d" % site.port, 200)):
            equal(send(site, ping, {"Origin": origin}).status, status, origin)
        # a name that was pointed at this machine: Origin and Host agree
        equal(send(site, ping, {"Origin": "http://evil.example:%d" % site.port, "Host": "evil.example:%d" % site.port}).status,
              403, "rebound name")
        equal(send(site, ping, {"Content-Type": "text/plain"}).status, 415, "a wrong type")
        for accept, status, kind in ((None, 200, "application/json"), ("*/*", 200, "application/json"), ("application/json", 200, "application/json"),
                                     ("text/html", 406, "application/json"), ("text/event-stream", 200, "text/event-stream"),
                                     ("text/event-stream;q=0.5, application/json", 200, "application/json")):
            r = site.post("/mcp", ping, headers={"Accept": accept})
            equal((r.status, r.header("Content-Type").split(";")[0]), (status, kind), "Accept: %s" % accept)
        equal(site.post("/mcp", b"x" * 3000000).status, 413, "a large body")
        r = site.request("OPTIONS", "/mcp", headers={"Origin": "https://inspector.example.org", "Access-Control-Request-Method": "POST",
                                                     "Access-Control-Request-Headers": "content-type, mcp-method"})
        equal((r.status, r.header("Access-Control-Allow-Origin")), (204, "https://inspector.example.org"), "preflight")
        equal(site.get("/.well-known/oauth-protected-resource").status, 404, "no sign-in service")


def test_tools_have_schemas_and_say_what_is_wrong():
    with mcp_site() as site:
        tools = {t["name"]: t for t in call_legacy(site, "tools/list")["tools"]}
        for name in ("search_airports", "find_airports_near_location", "find_airports_near_route", "get_airport_details",
                     "get_notification_for_airport", "answer_rules_question", "browse_rules", "compare_rules_between_countries",
                     "ask_aviation_agent"):
            t = tools[name]
            equal((t["inputSchema"]["type"], t["inputSchema"]["additionalProperties"]), ("object", False), name)
            equal(t["annotations"]["readOnlyHint"], True, name)
            equal(t["outputSchema"]["type"], "object", name)
            check(t["description"] and t["title"], name)
        for arguments, said in (({}, "query is required"), ({"query": 7}, "query must be text"), ({"query": "x", "max_results": 500}, "1 to 100"),
                                ({"query": "x", "limit": 3}, "no argument is called limit")):
            r = tool(site, "search_airports", arguments)
            equal(r["isError"], True, arguments)
            check("structuredContent" not in r, "an error has no structure")
            check(said in r["content"][0]["text"], "%s: %s" % (arguments, r["content"][0]["text"]))
        r = tool(site, "search_airports", {"query": "Lyon"})
        equal(json.loads(r["content"][0]["text"]), r["structuredContent"], "text and structure")
        check("visualization" not in r["structuredContent"], "nothing that only a page draws")
        r = tool(site, "search_airports", {"query": "no such place anywhere"})
        check("isError" not in r, "nothing found is no error")
        big = tool(site, "search_airports", {"query": "France", "max_results": 100, "include_large_airports": True})
        check(len(big["content"][0]["text"]) < 70000, "%d bytes" % len(big["content"][0]["text"]))


def test_the_same_airports_as_the_chat():
    with mcp_site() as site:
        chat = site.ask("Find airports between EGTF and LFMD")
        r = tool(site, "find_airports_near_route", chat.plan["arguments"])
        equal([a["ident"] for a in r["structuredContent"]["airports"]], chat.airports, "airports")
        asked = tool(site, "ask_aviation_agent", {"question": "Find airports between EGTF and LFMD"})
        check(asked["content"][0]["text"] == asked["structuredContent"]["answer"] == chat.answer, "the agent's answer is that of the chat")
        shown = [a["ident"] for a in chat.one("ui_payload")["airports"]]
        equal(asked["structuredContent"]["airports"], shown, "airports of the answer")


def test_a_conversation_goes_on_in_any_worker():
    with mcp_site(store="redis", workers=2) as site:
        thread = None
        for i in range(6):
            arguments = {"question": "airports near Lyon" if i == 0 else "and with AVGAS?"}
            if thread:
                arguments["thread"] = thread
            message = modern("tools/call", {"name": "ask_aviation_agent", "arguments": arguments}, id="q%d" % i)
            r = send(site, message, headers_of(message))
            equal(r.status, 200, r.body[:200])
            result = r.json()["result"]
            check("isError" not in result, result)
            thread = result["structuredContent"]["thread"]
            if i > 0:
                check("Lyon" in result["structuredContent"]["answer"], result["structuredContent"]["answer"])
        equal(len(site.get(API + "/threads/%s/messages" % thread).json()["messages"]), 12, "messages of the thread")
        for wrong in ("last", "a/b", "x" * 200):
            r = tool(site, "ask_aviation_agent", {"question": "hello", "thread": wrong})
            equal(r["isError"], True, wrong)


def test_progress_of_a_question():
    with mcp_site() as site:
        for token in ("p1", 7):
            message = modern("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}}, id=5, token=token)
            with Stream(site.port, message, headers=headers_of(message), path="/mcp") as s:
                frames = [f for f in s if f.name is not None]
            equal(s.header("Content-Type").split(";")[0], "text/event-stream", "type")
            check({f.name for f in frames} == {"message"}, [f.name for f in frames])
            told = [f.data["params"] for f in frames[:-1]]
            check(len(told) >= 2, told)
            equal({t["progressToken"] for t in told}, {token}, "token")
            steps = [t["progress"] for t in told]
            check(steps == sorted(set(steps)), "progress grows: %s" % steps)
            check(any("search" in t["message"] or "near" in t["message"] for t in told), [t["message"] for t in told])
            equal(frames[-1].data["id"], 5, "the answer comes last")
            check(frames[-1].data["result"]["structuredContent"]["answer"], "answer")
        # without a token, or without an ear for events, one JSON answer
        message = modern("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}}, token="p")
        r = send(site, message, headers_of(message, Accept="application/json"))
        equal(r.header("Content-Type"), "application/json", "type")
        check("error" not in r.json(), "answer")


def test_a_caller_that_leaves_ends_its_call():
    with mcp_site(fixtures=True, AVIATION_AGENT_BUILTIN_FIRST_MS=600000, AVIATION_AGENT_TURN_TIMEOUT_S=1800,
                  AVIATION_AGENT_HEARTBEAT_S=1) as site:
        def chats():
            return site.get("/health").json()["chats"]["active"]
        message = modern("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}}, token=1)
        with Stream(site.port, message, headers=headers_of(message), path="/mcp") as s:
            next(f for f in s if f.name)
            eventually(lambda: chats() == 1, "the question runs", 20)
            s.leave()
        eventually(lambda: chats() == 0, "the run has ended", 20)
        message = modern("tools/call", {"name": "test_endless"}, token=1)
        with Stream(site.port, message, headers=headers_of(message), path="/mcp") as s:
            next(f for f in s if f.name)
            s.leave()
        eventually(lambda: site.workers[0].log().count("route=%s/mcp status=200" % API) == 2, "the call has ended", 20)


def test_questions_leave_room_for_others():
    """A question counts as a chat turn: when there is no room for one more, it says so, and the rest goes on."""
    with mcp_site(AVIATION_AGENT_MAX_CHATS="1", AVIATION_AGENT_BUILTIN_FIRST_MS=600000, AVIATION_AGENT_TURN_TIMEOUT_S=1800) as site:
        message = modern("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}}, token=1)
        with Stream(site.port, message, headers=headers_of(message), path="/mcp") as s:
            next(f for f in s if f.name)
            r = tool(site, "ask_aviation_agent", {"question": "airports near Lyon"})
            equal(r["isError"], True, r)
            r = tool(site, "search_airports", {"query": "EGTF"})
            equal(r["structuredContent"]["airports"][0]["ident"], "EGTF", "a search")


def test_a_question_that_somebody_cancels():
    with mcp_site(AVIATION_AGENT_BUILTIN_FIRST_MS=600000, AVIATION_AGENT_TURN_TIMEOUT_S=1800) as site:
        thread = "thread_cancelled"
        message = modern("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon", "thread": thread}},
                         token=1)
        with Stream(site.port, message, headers=headers_of(message), path="/mcp") as s:
            next(f for f in s if f.name)
            # the refusal of a busy thread names the run that has it
            busy = site.chat("and now?", thread=thread)
            equal(busy.status, 409, "the thread is busy")
            equal(site.post(API + "/runs/%s/cancel" % busy.header("X-Run-ID"), {}).status, 200, "cancel")
            last = [f for f in s if f.name][-1].data
        equal(last["result"]["isError"], True, last)
        check("cancelled" in last["result"]["content"][0]["text"], last)


def test_prompts_resources_and_completion():
    with mcp_site() as site:
        prompts = call_legacy(site, "prompts/list")["prompts"]
        actions = site.get(API + "/quick-actions").json()["actions"]
        equal([p["title"] for p in prompts], [a["title"] for a in actions], "prompts are the quick actions")
        for p, a in zip(prompts, actions):
            got = call_legacy(site, "prompts/get", {"name": p["name"]})
            equal(got["messages"], [{"role": "user", "content": {"type": "text", "text": a["prompt"]}}], p["name"])
        got = call_legacy(site, "prompts/get", {"name": "airports-near-route", "arguments": {"from": "EDNY", "to": "LSZH"}})
        equal(got["messages"][0]["content"]["text"], "Find airports between EDNY and LSZH", "words")
        equal(code_of(send(site, legacy("prompts/get", {"name": "none"}))), -32602, "an unknown prompt")

        templates = call_legacy(site, "resources/templates/list")["resourceTemplates"]
        equal([t["uriTemplate"] for t in templates], ["airport://{icao}", "rules://{cc}"], "templates")
        listed = [r["uri"] for r in call_legacy(site, "resources/list")["resources"]]
        check("rules://FR" in listed, listed)
        airport = call_modern(site, "resources/read", {"uri": "airport://EGTF"})["result"]
        equal(airport["contents"][0]["mimeType"], "application/json", "type")
        equal(json.loads(airport["contents"][0]["text"])["airport"]["ident"], "EGTF", "airport")
        rules = json.loads(call_legacy(site, "resources/read", {"uri": "rules://fr"})["contents"][0]["text"])
        equal(rules, site.get(API + "/rules/FR").json(), "rules")
        for uri in ("airport://ZZZ9", "rules://ZZ", "airport://../x", "file:///etc/passwd", "x"):
            equal(code_of(send(site, legacy("resources/read", {"uri": uri}))), -32002, uri)
            got = call_modern(site, "resources/read", {"uri": uri})
            equal((got["error"]["code"], got["error"]["data"]["uri"]), (-32602, uri), uri)

        def complete(ref, name, value):
            return call_legacy(site, "completion/complete", {"ref": ref, "argument": {"name": name, "value": value}})["completion"]["values"]
        template = {"type": "ref/resource", "uri": "airport://{icao}"}
        values = complete(template, "icao", "egt")
        check("EGTF" in values and all(v.startswith("EGT") for v in values), values)
        check(complete(template, "icao", "EGTF") == ["EGTF"], "one code")
        equal(complete({"type": "ref/resource", "uri": "rules://{cc}"}, "cc", "F"), ["FR"], "countries with rules")
        check("France" in complete({"type": "ref/prompt", "name": "country-rules"}, "country", "fra"), "countries")
        equal(complete({"type": "ref/prompt", "name": "airports-near-location"}, "place", "x"), [], "any text")


def test_tokens():
    with mcp_site(MCP_AUTH="token") as site:
        def token(*args):
            status, out, err = cli("mcp-token", *args, env={"AVIATION_AGENT_STATE_DIR": site.env["AVIATION_AGENT_STATE_DIR"]})
            return status, out.strip(), err
        r = send(site, legacy("tools/list"))
        equal((r.status, r.header("WWW-Authenticate")), (401, "Bearer"), "no token")
        status, club, _ = token("add", "club")
        equal(status, 0, "club")
        status, narrow, _ = token("add", "--tools", "search_airports,get_airport_details", "narrow")
        equal(status, 0, "narrow")
        equal(token("add", "club")[0], 2, "a name that is taken")
        equal(token("add", "--tools", "fly", "x")[0], 2, "a tool that does not exist")
        with open(os.path.join(site.env["AVIATION_AGENT_STATE_DIR"], "mcp-tokens.json")) as f:
            kept = f.read()
        check(club not in kept and narrow not in kept, "only hashes are kept")

        def listed(t):
            r = send(site, legacy("tools/list"), {"Authorization": "Bearer " + t})
            return [x["name"] for x in r.json()["result"]["tools"]] if r.status == 200 else r.status
        check("ask_aviation_agent" in listed(club), "all tools")
        equal(listed(narrow), ["search_airports", "get_airport_details"], "two tools")
        r = send(site, legacy("tools/call", {"name": "browse_rules", "arguments": {"country_code": "FR"}}), {"Authorization": "Bearer " + narrow})
        equal(code_of(r), -32602, "a tool that the token may not use")
        def of(t, method, params=None):
            return send(site, legacy(method, params or {}), {"Authorization": "Bearer " + t})
        for uri, may in (("rules://FR", False), ("airport://EGTF", True)):
            check("result" in of(club, "resources/read", {"uri": uri}).json(), uri)
            equal("result" in of(narrow, "resources/read", {"uri": uri}).json(), may, uri)
        check(of(club, "resources/list").json()["result"]["resources"], "countries")
        equal(of(narrow, "resources/list").json()["result"]["resources"], [], "no rules")
        equal([x["name"] for x in of(narrow, "resources/templates/list").json()["result"]["resourceTemplates"]], ["airport"], "templates")
        typed = {"ref": {"type": "ref/resource", "uri": "rules://{cc}"}, "argument": {"name": "cc", "value": "F"}}
        check("FR" in of(club, "completion/complete", typed).json()["result"]["completion"]["values"], "codes")
        equal(of(narrow, "completion/complete", typed).json()["result"]["completion"]["values"], [], "no codes")
        message = modern("tools/list")
        r = send(site, message, headers_of(message, Authorization="Bearer " + narrow))
        equal(r.json()["result"]["cacheScope"], "private", "not for other callers")
        for wrong in (club[:-1] + ("0" if club[-1] != "0" else "1"), "avmcp_", "x" * 4000, ""):
            equal(listed(wrong), 401, "a wrong token")
        # threads belong to the token
        r = send(site, legacy("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}}),
                 {"Authorization": "Bearer " + club})
        thread = r.json()["result"]["structuredContent"]["thread"]
        equal(site.get(API + "/threads/%s/messages" % thread).status, 404, "a thread of the token")
        out = token("list")[1]
        check("club" in out and "search_airports,get_airport_details" in out and club not in out, out)
        equal(token("remove", "club")[0], 0, "remove")
        equal(listed(club), 401, "a removed token")
        equal(listed(narrow)[0], "search_airports", "the other one stays")
        check(token("remove", "club")[0] != 0, "there is nothing to remove twice")


def test_apache_passes_tokens_and_streams_on():
    with mcp_site(nginx=False, MCP_AUTH="token") as site:
        status, token, err = cli("mcp-token", "add", "club", env={"AVIATION_AGENT_STATE_DIR": site.env["AVIATION_AGENT_STATE_DIR"]})
        equal(status, 0, err)
        sock = site.workers[0].sock
        os.chmod(site.dir, 0o755)                  # Apache's user must reach the socket
        os.chmod(sock, 0o666)
        with open(os.path.join(ROOT, "nginx", "apache.conf")) as f:
            lines = f.read().replace("/run/aviation-agent/agent.sock", sock)
        with Apache(lines, ("mpm_event", "authz_core", "proxy", "proxy_fcgi", "mime", "filter", "deflate")) as apache:
            def ask(path, message, **more):
                headers = dict(headers_of(message, **{"Content-Type": "application/json"}), **more)
                return apache.request("POST", path, json.dumps(message).encode(), headers)
            mine = {"Authorization": "Bearer " + token.strip()}
            equal(ask("/mcp", modern("tools/list")).status, 401, "no token")
            for path in ("/mcp", "/mcp/", API + "/mcp"):
                equal(ask(path, modern("tools/list"), **mine).status, 200, path)
            r = ask("/mcp", modern("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}},
                                   token="p"), **mine)
            equal((r.status, r.header("Content-Type").split(";")[0]), (200, "text/event-stream"), "a stream")
            check(b"notifications/progress" in r.body and b"structuredContent" in r.body, r.body[:500])


def test_other_kinds_of_access():
    with mcp_site(MCP_AUTH="off") as site:
        equal(send(site, legacy("ping")).status, 404, "switched off")
    with mcp_site(MCP_AUTH="remote_user") as site:
        equal(send(site, legacy("ping")).status, 401, "nobody is signed in")
        equal(send(site, legacy("ping"), {"Remote-User": "eve"}).status, 401, "a client cannot name its user")
    with mcp_site(AVIATION_AGENT_ENABLED="false") as site:
        equal(send(site, legacy("ping")).status, 404, "the agent is switched off")


def test_users_of_the_web_server():
    with mcp_site(MCP_AUTH="remote_user", nginx=False) as site:
        def ask(user, **arguments):
            message = legacy("tools/call", {"name": "ask_aviation_agent", "arguments": arguments})
            status, _, text = fcgi_post(site, "/mcp", json.dumps(message).encode(), user=user)
            equal(status, 200, text[:300])
            return json.loads(text)["result"]
        equal(fcgi_post(site, "/mcp", json.dumps(legacy("ping")).encode())[0], 401, "nobody is signed in")
        thread = ask("ann", question="airports near Lyon")["structuredContent"]["thread"]
        check("Lyon" in ask("ann", question="and with AVGAS?", thread=thread)["structuredContent"]["answer"], "her conversation")
        r = ask("bob", question="and with AVGAS?", thread=thread)
        check(r["isError"] and "no such thread" in r["content"][0]["text"], r)


def test_tools_do_not_need_the_store():
    with mcp_site(store="redis", MCP_CALLS_PER_MINUTE="100", AVIATION_AGENT_STORE_TIMEOUT_MS="500") as site:
        search = {"query": "EGTF"}
        equal(tool(site, "search_airports", search)["structuredContent"]["airports"][0]["ident"], "EGTF", "with Redis")
        site.redis.stop()
        equal(tool(site, "search_airports", search)["structuredContent"]["airports"][0]["ident"], "EGTF", "without Redis")
        r = tool(site, "ask_aviation_agent", {"question": "airports near Lyon"})
        equal(r["isError"], True, r)
        site.redis.start()
        eventually(lambda: "isError" not in tool(site, "ask_aviation_agent", {"question": "airports near Lyon"}), "questions again", 30)


def test_limits_of_a_caller():
    with mcp_site(MCP_CALLS_PER_MINUTE="5", MCP_QUESTIONS_PER_MINUTE="1") as site:
        ask = legacy("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}})
        equal(send(site, ask).status, 200, "the first question")
        r = send(site, ask)
        equal(r.status, 429, "the second question")
        check(int(r.header("Retry-After")) >= 1, "Retry-After")
        equal(r.json()["id"], 1, "id")
        search = legacy("tools/call", {"name": "search_airports", "arguments": {"query": "EGTF"}})
        equal([send(site, search).status for _ in range(4)], [200, 200, 200, 429], "calls")
        equal(send(site, legacy("resources/read", {"uri": "airport://EGTF"})).status, 429, "a resource is a call")
        wrong = legacy("tools/call", {"name": "search_airports", "arguments": {}})
        equal(send(site, wrong).status, 429, "a call with wrong arguments is a call")
        equal(send(site, legacy("tools/list")).status, 200, "lists are not counted")


def test_nginx_limits_the_calls_of_an_address():
    def statuses(site, source, n):
        body = json.dumps(legacy("ping")).encode()
        request = (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
                   b"Content-Length: %d\r\n\r\n" % len(body)) + body
        # all at once, so that a slow machine asks faster than the limit too
        sockets = [socket.create_connection(("127.0.0.1", site.port), 60, (source, 0)) for _ in range(n)]
        try:
            for s in sockets:
                s.sendall(request)
            return [int(s.makefile("rb").readline().split()[1]) for s in sockets]
        finally:
            for s in sockets:
                s.close()
    with mcp_site() as site:
        equal(set(statuses(site, "127.0.0.1", 150)), {200}, "this machine")
        got = statuses(site, "127.0.0.2", 150)
        check(429 in got and got.count(200) >= 51, "an address: %d x 200, %d x 429" % (got.count(200), got.count(429)))
        equal(set(statuses(site, "127.0.0.3", 10)), {200}, "another address")


def test_a_slow_body_holds_up_nobody():
    with mcp_site(AVIATION_AGENT_IO_TIMEOUT_S="2") as site:
        slow = []
        try:
            for _ in range(8):
                s = socket.create_connection(("127.0.0.1", site.port), 30)
                s.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
                slow.append(s)
            equal(send(site, legacy("ping")).status, 200, "others are served meanwhile")
        finally:
            for s in slow:
                s.close()
        equal(send(site, legacy("ping")).status, 200, "and afterwards")


def test_legacy_clients_share_two_workers():
    with mcp_site(workers=2, store="redis") as site:
        faults = []

        def client(number):
            try:
                for i in range(10):
                    r = send(site, legacy("initialize", {"protocolVersion": LEGACY}, id=i))
                    check(r.status == 200 and r.json()["id"] == i, r.body[:200])
                    equal(send(site, {"jsonrpc": "2.0", "method": "notifications/initialized"},
                               {"MCP-Protocol-Version": LEGACY}).status, 202, "initialized")
                    code = ("EGTF", "LFMD", "EGKB", "LFPT")[number]
                    r = send(site, legacy("tools/call", {"name": "search_airports", "arguments": {"query": code}}, id=i),
                             {"MCP-Protocol-Version": LEGACY})
                    equal(r.json()["result"]["structuredContent"]["airports"][0]["ident"], code, "its own answer")
            except Exception as e:
                faults.append(repr(e))
        threads = [threading.Thread(target=client, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        equal(faults, [], "clients")
