"""How nginx and Apache serve the pages: types, policies, and 404 for what is not there."""

import glob
import gzip
import os
import re
import shutil
import subprocess
import tempfile

import harness
from apache import Apache
from harness import ROOT, Site, check, equal

HTML = os.path.join(ROOT, "nginx", "html")
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'self'")
TYPES = {"": "text/html", "app.js": "text/javascript", "css/base.css": "text/css", "texts/fr.js": "text/javascript",
         "site.json": "application/json", "icon.svg": "image/svg+xml"}


def served(get, base):
    """get(path, headers): what the page of this project needs from whoever serves it."""
    for name, kind in TYPES.items():
        r = get(base + name, {})
        equal(r.status, 200, base + name)
        equal(r.header("Content-Type").split(";")[0], kind, base + name)
        equal(r.header("Content-Security-Policy"), POLICY, base + name)
        equal(r.header("X-Content-Type-Options"), "nosniff", base + name)
        equal(r.header("Cache-Control"), "no-cache", base + name)
        with open(os.path.join(HTML, name or "index.html"), "rb") as f:
            equal(r.body, f.read(), base + name)
        tag = r.header("ETag")
        equal(get(base + name, {"If-None-Match": tag}).status, 304, base + name + " once more")
    for name in ("dist/main.iife.js", "lib/nothing.js", "api.json", "texts/xx.js"):
        r = get(base + name, {})
        equal(r.status, 404, name)
        check(b"<title>Aviation agent" not in r.body, "a page in place of " + name)
        equal(r.header("Content-Security-Policy"), POLICY, name)
    r = get(base + "app.js", {"Accept-Encoding": "gzip"})
    equal(r.header("Content-Encoding"), "gzip", "compressed")
    with open(os.path.join(HTML, "app.js"), "rb") as f:
        equal(gzip.decompress(r.body), f.read(), "the same file")


def included(name, old, new):
    with open(os.path.join(ROOT, "nginx", name)) as f:
        text, n = re.subn(old, new, f.read())
    check(n >= 1, "nginx/%s has no line like %s" % (name, old))
    return text


def test_nginx_serves_the_page_beside_the_api():
    with Site(server_lines=included("page.conf", r"(?m)^\talias [^;]*;", "\talias %s/;" % HTML)) as site:
        served(lambda path, headers: site.get(path, headers=headers), "/aviation-agent/")
        equal(site.get("/other").body, b"the site itself", "the site")
        equal(site.get("/api/aviation-agent/quick-actions").status, 200, "the API")
        check(site.get("/api/aviation-agent/quick-actions").header("Content-Security-Policy") != POLICY, "the API's own policy")


def test_nginx_serves_the_original_page():
    """A folder that looks like the one of the original page."""
    folder = tempfile.mkdtemp(prefix="aa-original.")
    try:
        os.chmod(folder, 0o755)
        for name, text in {"index.html": "<script>1</script>", "dist/main.iife.js": "(function () {})()", "css/a.css": "a{}"}.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        with Site(server_lines=included("original-page.conf", r"(?m)^\troot [^;]*;", "\troot %s;" % folder)) as site:
            for name, kind in (("/", "text/html"), ("/dist/main.iife.js", "text/javascript"), ("/css/a.css", "text/css")):
                r = site.get(name)
                equal((r.status, r.header("Content-Type")), (200, kind), name)
                policy = r.header("Content-Security-Policy")
                for word in ("script-src 'self' 'unsafe-inline' https://cdn.jsdelivr.net https://unpkg.com https://cdnjs.cloudflare.com",
                             "https://*.tile.openstreetmap.org", "connect-src 'self'"):
                    check(word in policy, "%s: %s lacks %s" % (name, policy, word))
            for name in ("/dist/other.js", "/ts/main.ts", "/nothing"):
                equal(site.get(name).status, 404, name)
            r = site.get("/api/aviation-agent/nothing")
            equal(r.status, 404, "a call that is not there")
            check(b"<script>" not in r.body, "the page in place of an answer")
            equal(site.get("/api/aviation-agent/quick-actions").status, 200, "the API")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_apache_serves_the_page():
    folder = tempfile.mkdtemp(prefix="aa-apache-page.")
    try:
        os.chmod(folder, 0o755)
        html = os.path.join(folder, "html")       # where Apache's user can read it
        shutil.copytree(HTML, html)
        subprocess.run(["chmod", "-R", "a+rX", html], check=True)
        lines = included("apache-page.conf", r"/usr/local/share/aviation-agent/nginx/html", html)
        with Apache(lines, ("mpm_event", "authz_core", "alias", "dir", "mime", "headers", "filter", "deflate")) as apache:
            served(apache.get, "/aviation-agent/")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_the_policy_is_the_same_for_both_servers():
    for name in ("page.conf", "html/.htaccess"):
        with open(os.path.join(ROOT, "nginx", name)) as f:
            check('"%s"' % POLICY in f.read(), "nginx/%s has another policy" % name)


def test_the_page_is_installed_as_a_whole():
    """Every file of the page is in the list of what is installed."""
    there = os.path.join(harness.PREFIX, "share", "aviation-agent", "nginx", "html")
    mine = {os.path.relpath(p, HTML) for p in glob.glob(HTML + "/**/*", recursive=True) if os.path.isfile(p)}
    mine = {p for p in mine if not p.startswith("lib/")}
    equal(sorted(p for p in mine if not os.path.exists(os.path.join(there, p))), [], "not installed (conf/local.mk)")
    check(os.access(os.path.join(harness.PREFIX, "share/aviation-agent/scripts/page-libraries"), os.X_OK), "page-libraries is no program")
