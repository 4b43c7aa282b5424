"""The page of the onboarding agent, in Chromium."""

import http.client
import os
import re
import subprocess

import harness
from browser import Browser
from harness import ROOT, Provider, Site, check, equal, eventually, find_program, free_port, stop, temp_paths
from test_onboarding_api import SECRET
from test_onboarding_turns import EXPORT, REPLIES, TOLD


class Pages:
    """An nginx with the page beside the site's paths, as scripts/quickstart serves it."""

    def __init__(self, site):
        self.site, self.port, self.dir = site, free_port(), harness.tempfile.mkdtemp(prefix="aa-pages.")
        self.url = "http://127.0.0.1:%d/onboarding/" % self.port

    def __enter__(self):
        with open(os.path.join(ROOT, "nginx", "demo-site.conf.in")) as f:
            text = f.read()
        types = re.search(r"(?s)\ttypes \{.*?\t\}\n", text).group(0)
        check("onboarding-page.conf;" in text, "nginx/demo-site.conf.in does not serve the page")
        with open(os.path.join(ROOT, "nginx", "onboarding-page.conf")) as f:
            lines, n = re.subn(r"alias [^;]*;", "alias %s/;" % os.path.join(ROOT, "nginx", "onboarding"), f.read())
        equal(n, 1, "alias lines")
        conf = os.path.join(self.dir, "nginx.conf")
        with open(conf, "w") as f:
            f.write("%sdaemon off;\npid %s/pid;\nevents { }\nhttp {\n\taccess_log off;\n%s%s\tserver {\n\t\tlisten 127.0.0.1:%d;\n"
                    "\t\troot %s;\n%s\t\tlocation /api/ { proxy_pass http://127.0.0.1:%d; proxy_buffering off; }\n\t}\n}\n"
                    % ("user root;\n" if os.getuid() == 0 else "", self.dir, types, temp_paths(self.dir), self.port,
                       self.dir, lines, self.site.port))
        self.process = subprocess.Popen([find_program("nginx"), "-e", self.dir + "/error.log", "-c", conf],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: _listens(self.port), "nginx listens", 10)
        return self

    def __exit__(self, *_):
        stop(self.process)
        harness.shutil.rmtree(self.dir, ignore_errors=True)


def _listens(port):
    try:
        harness.socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


MESSAGES = "[...document.querySelectorAll('#log > .%s')].map(e => e.textContent)"
READY = "!document.querySelector('#chat').hidden && document.activeElement.id === 'field'"
IDLE = "document.querySelector('#stop').hidden && !document.querySelector('#send').disabled"


# the page may not fetch what it has made, so the test keeps the files
KEEP_FILES = "window.kept = {}; (make => { URL.createObjectURL = b => { const u = make.call(URL, b); kept[u] = b; return u; }; })(URL.createObjectURL); 1"


def ask(page, text):
    page.wait(IDLE, "the page is ready for a message")
    page.js("document.querySelector('#field').focus()")
    page.type(text)
    page.key("Enter")
    page.wait("document.querySelector('#field').value === ''", "the message is sent")
    page.wait(IDLE, "the answer is complete", 30)


def test_a_person_is_onboarded_with_the_keyboard_alone():
    with Provider(main={"lists": [{"replies": REPLIES + EXPORT}]}) as model, Site(model=model, ONBOARDING_AUTH="none") as site, \
            Pages(site) as pages, Browser() as page:
        page.open(pages.url)
        page.wait(READY, "the field has the focus")
        page.js(KEEP_FILES)
        equal(page.js("document.querySelectorAll('#progress li.done').length"), 0, "nothing is known")
        ask(page, TOLD)
        page.wait("document.querySelectorAll('#progress li.done').length === 3", "three details are known")
        check("Ada" in page.js("document.querySelector('#progress').innerText"), "the name")
        equal(page.js(MESSAGES % "me"), [TOLD], "what was said")
        check("Shall I export this?" in page.js(MESSAGES % "agent")[-1], "the answer")
        equal(page.js("document.querySelectorAll('#activity li').length"), 3, "activity")
        check("Shall I export this?" in page.js("document.querySelector('#status').textContent"), "the answer is announced once, whole")
        ask(page, "Yes, please.")
        page.wait("!document.querySelector('#record').hidden", "the record is shown")
        record = page.js("document.querySelector('#record').innerText")
        for value in ("Ada", "42-A", "keyboard"):
            check(value in record, "%s: %s" % (value, record))
        check(page.js("kept[document.querySelector('#download').href].text().then(t => JSON.parse(t).employee_id)") == "42-A", "the file")
        page.open(pages.url)
        page.wait(READY, "the page again")
        page.wait("document.querySelectorAll('#log > .me').length === 2", "the conversation is still there")
        page.wait("!document.querySelector('#record').hidden", "and the record")
        equal(page.said, [], "console")


def test_text_is_never_html():
    attack = "<img src=x onerror='window.hacked=1'><b>x</b>"
    with Provider(main=[{"text": attack + " **bold** [link](javascript:alert(1))"}]) as model, \
            Site(model=model, ONBOARDING_AUTH="none") as site, Pages(site) as pages, Browser() as page:
        page.open(pages.url)
        page.wait(READY, "the page")
        ask(page, attack)
        check(attack in page.js(MESSAGES % "agent")[-1], page.js(MESSAGES % "agent"))
        equal(page.js("document.querySelectorAll('#log img, #log b, #log a').length"), 0, "elements of the text")
        equal(page.js("document.querySelectorAll('#log strong').length"), 1, "Markdown")
        check(not page.js("window.hacked"), "the text was executed")


def test_without_a_model_too():
    with Site(ONBOARDING_AUTH="none") as site, Pages(site) as pages, Browser() as page:
        page.open(pages.url)
        page.wait(READY, "the page")
        ask(page, "My name is Ada Lovelace")
        page.wait("document.querySelectorAll('#progress li.done').length === 1", "the name is known")
        check(len(page.js(MESSAGES % "agent")) == 2, page.js(MESSAGES % "agent"))


def test_accounts():
    with Site(SECRET_KEY=SECRET) as site, Pages(site) as pages, Browser() as page:
        page.open(pages.url)
        page.wait("!document.querySelector('#sign').hidden", "the page asks who you are")
        check(page.js("document.querySelector('#chat').hidden"), "no chat before that")
        fill = "(f => { for (const [k, v] of Object.entries(%s)) f.elements[k].value = v; f.requestSubmit(); })(document.querySelector('#%s'))"
        page.js(fill % ("{username: 'nobody', password: 'wrong password'}", "sign-in"))
        page.wait("document.querySelector('#problem').textContent !== ''", "a wrong password is told")
        page.js(fill % ("{email: 'ada@example.org', username: 'ada', password: 'correct horse'}", "register"))
        page.wait("!document.querySelector('#chat').hidden", "the account works")
        equal(page.js("document.querySelector('#who').textContent"), "ada", "who")
        check("token" not in page.js("location.href"), "no token in the address")
        ask(page, "My name is Ada Lovelace")
        page.wait("document.querySelectorAll('#progress li.done').length === 1", "the name is known")
        page.open(pages.url)
        page.wait("document.querySelectorAll('#log > .me').length === 1", "the conversation is found again")
        page.js("document.querySelector('#leave').click()")
        page.wait("!document.querySelector('#sign').hidden", "signed out")
        equal(page.js("document.querySelector('#log').textContent"), "", "nothing is left on the page")


FILL = "(f => { for (const [k, v] of Object.entries(%s)) f.elements[k].value = v; f.requestSubmit(); })(document.querySelector('#%s'))"
# each turn waits until the test lets its answer go on, and hears when it is given up
HOLD_TURNS = """window.gone = 0; (real => { window.fetch = (url, o) => o.method !== 'POST' || !/messages$/.test(url) ? real(url, o) :
    Promise.resolve(new Response(new ReadableStream({ start(c) {
        const say = e => c.enqueue(new TextEncoder().encode('event: ' + e.type + '\\ndata: ' + JSON.stringify(e) + '\\n\\n'));
        say({ type: 'token', content: 'secret of ada' });
        o.signal.addEventListener('abort', () => { window.gone++; c.error(new DOMException('', 'AbortError')); });
    } }))); })(window.fetch); 1"""


def test_signing_out_ends_the_turn_and_leaves_nothing():
    with Site(SECRET_KEY=SECRET) as site, Pages(site) as pages, Browser() as page:
        page.open(pages.url)
        page.wait("!document.querySelector('#sign').hidden", "the page asks who you are")
        page.js(FILL % ("{email: 'ada@example.org', username: 'ada', password: 'correct horse'}", "register"))
        page.wait(READY, "the account works")
        page.js(HOLD_TURNS)
        page.type("My name is Ada Lovelace")
        page.key("Enter")
        page.wait("/secret of ada/.test(document.querySelector('#log').textContent)", "the answer begins")
        page.type("half a message")
        page.js("document.querySelector('#record dl').innerHTML = '<dt>Name</dt>'; document.querySelector('#download').href = 'blob:x'; 1")
        page.js("document.querySelector('#leave').click()")
        equal(page.js("window.gone"), 1, "turns that were ended")
        equal(page.js("[document.querySelector('#field').value, document.querySelector('#record dl').textContent, "
                      "document.querySelector('#download').hasAttribute('href'), document.querySelector('#log').textContent]"),
              ["", "", False, ""], "what is left on the page")
        page.js(FILL % ("{email: 'bob@example.org', username: 'bob', password: 'correct horse'}", "register"))
        page.wait("document.querySelector('#who').textContent === 'bob'", "the next person signs in")
        page.wait(READY, "and may write")
        check(page.js(IDLE), "no turn runs")
        check("ada" not in page.js("document.body.textContent").lower().replace("i'm ada", ""), page.js("document.body.innerText"))


def test_a_long_conversation_shows_its_newest_messages():
    with Site(ONBOARDING_AUTH="none") as site, Pages(site) as pages, Browser() as page:
        page.open(pages.url)
        page.wait(READY, "the page")
        page.js("window.fetch = async url => { const q = new URL(url, location).searchParams, from = +q.get('skip'); "
                "return new Response(JSON.stringify(Array.from({ length: Math.min(+q.get('limit'), 1203 - from) }, (_, i) => from + i))); }; 1")
        got = page.js("import('./api.js').then(api => api.messages('x'))")
        equal(got, list(range(1203)), "messages")


def test_the_page_is_protected_from_other_sites():
    with Site(ONBOARDING_AUTH="none") as site, Pages(site) as pages:
        for name in ("", "app.js", "nothing"):
            head = http.client.HTTPConnection("127.0.0.1", pages.port, timeout=20)
            head.request("GET", "/onboarding/" + name)
            r = head.getresponse()
            policy = r.getheader("Content-Security-Policy") or ""
            for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"):
                check(part in policy, "%s: %s" % (name, policy))
            equal(r.getheader("X-Content-Type-Options"), "nosniff", name)
            equal(r.getheader("X-Frame-Options"), "DENY", name)
            head.close()


def test_switched_off_is_told():
    with Site() as site, Pages(site) as pages, Browser() as page:
        page.open(pages.url)
        page.wait("/switched off/.test(document.querySelector('#problem').textContent)", "the page says so")


def test_small_screens_dark_colours_and_labels():
    with Site(ONBOARDING_AUTH="none") as site, Pages(site) as pages:
        for width, dark in ((320, False), (320, True), (1100, True)):
            with Browser(width=width, dark=dark) as page:
                page.open(pages.url)
                page.wait(READY, "the page")
                check(page.js("document.documentElement.scrollWidth <= innerWidth"), "%d: nothing stands beside the screen" % width)
                back, text = (page.js("getComputedStyle(document.body).%s" % p) for p in ("backgroundColor", "color"))
                light = lambda c: sum(int(n) for n in re.findall(r"\d+", c)[:3])
                check((light(back) < light(text)) == dark, "%s on %s" % (text, back))
                equal(page.js("[...document.querySelectorAll('input, textarea')].filter(e => !e.labels.length).length"), 0, "fields without a label")
                equal(page.js("[...document.querySelectorAll('button')].filter(e => !e.textContent.trim()).length"), 0, "buttons without a name")
                check(page.js("document.documentElement.lang") == "en" and page.js("!!document.title"), "language and title")
