#!/usr/bin/env python3
"""The sites of the browser tests: workers behind an nginx with the shipped lines for the agent and for the page. One
site has no language model, the other a scripted one (tests/double).

It prints one line of JSON with their ports, and runs until its standard input ends."""

import argparse
import contextlib
import json
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
sys.dont_write_bytecode = True
import harness  # noqa: E402


def page_lines(folder):
    """nginx/page.conf at the root of the site, as scripts/quickstart serves it, and once as it is shipped."""
    with open(os.path.join(ROOT, "nginx", "page.conf")) as f:
        shipped, n = re.subn(r"(?m)^\talias [^;]*;", "\talias %s/;" % folder, f.read())
    harness.equal(n, 1, "alias lines of nginx/page.conf")
    at_root, n = re.subn(r"(?m)^location \^~ /aviation-agent/ \{", "location / {", shipped)
    harness.equal(n, 1, "location lines of nginx/page.conf")
    return shipped + at_root


def real_settings():
    return {"db": harness.real_data("euro_aip", "airports.db"), "RULES_JSON": harness.real_data("rules", "rules.json"),
            "GA_PERSONA_DB": harness.real_data("euro_aip", "ga_persona.db"),
            "GA_NOTIFICATIONS_DB": harness.real_data("euro_aip", "ga_notifications.db")}


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--prefix", required=True, help="where the program is installed")
    ap.add_argument("--real", action="store_true", help="with the real data set instead of the small one")
    ap.add_argument("--tls", action="store_true", help="a second port, with HTTP/2")
    args = ap.parse_args()
    harness.PREFIX = os.path.abspath(args.prefix)
    data = os.path.join(harness.HERE, "data")
    with tempfile.TemporaryDirectory(prefix="aa-browser.") as base:
        if args.real:
            settings = real_settings()
        else:
            settings = {"db": os.path.join(base, "airports.db"), "RULES_JSON": os.path.join(data, "rules.json")}
            status, _, err = harness.cli("import", "ourairports", data, "--out", settings["db"])
            harness.check(status == 0, "the import of tests/e2e/data ended with %d: %s" % (status, err.strip()))
        html = os.path.join(harness.PREFIX, "share", "aviation-agent", "nginx", "html")
        with contextlib.ExitStack() as stack:
            enter, lines = stack.enter_context, page_lines(html)
            tls = harness.free_port() if args.tls else None
            over_tls = "listen 127.0.0.1:%d ssl http2;\nssl_certificate %s/tls.crt;\nssl_certificate_key %s/tls.key;\n" % (
                tls, data, data) if tls else ""
            site = enter(harness.Site(server_lines=lines + over_tls, workers=2, **settings))
            model = enter(harness.Provider("turn", "page_slow", "slow_plan"))
            slow = enter(harness.Site(server_lines=lines, workers=2, model=model, **settings))
            print(json.dumps({"port": site.port, "tls": tls, "model": slow.port}), flush=True)
            sys.stdin.read()


if __name__ == "__main__":
    try:
        main()
    except (harness.Failure, harness.Skip) as e:
        print(json.dumps({"skip" if isinstance(e, harness.Skip) else "error": str(e)}), flush=True)
        sys.exit(1)
