"""A page in Chromium, driven through its debugging protocol."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from harness import SLACK, Failure, Skip, eventually, stop
from websocket import WebSocket


class Browser:
    """Use it with `with`. `dark`, `width`: what the person has set."""

    def __init__(self, width=1100, height=800, dark=False):
        self.program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if self.program is None:
            raise Skip("chromium is not installed")
        self.width, self.height, self.dark, self.number = width, height, dark, 0
        self.dir = tempfile.mkdtemp(prefix="aa-browser.")
        self.said = []              # what the page has written to its console, and its faults

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--no-proxy-server", "--remote-allow-origins=*",
             "--user-data-dir=" + self.dir, "--remote-debugging-port=0", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        path = os.path.join(self.dir, "DevToolsActivePort")
        eventually(lambda: os.path.exists(path) and open(path).read().count("\n") >= 1, "the browser starts", 40)
        port = int(open(path).read().split("\n")[0])
        target = self._page(port)
        self.ws = WebSocket(port, re.sub(r"^ws://[^/]*", "", target), timeout=60)
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=self.width, height=self.height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        return self

    def _page(self, port):
        import urllib.request
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        pages = []

        def look():
            with opener.open("http://127.0.0.1:%d/json/list" % port, timeout=10) as r:
                pages[:] = [t for t in json.load(r) if t["type"] == "page"]
            return pages
        eventually(look, "the browser has a page", 20)
        return pages[0]["webSocketDebuggerUrl"]

    def __exit__(self, *_):
        self.ws.close()
        stop(self.process, seconds=10)
        shutil.rmtree(self.dir, ignore_errors=True)

    def call(self, method, **params):
        self.number += 1
        self.ws.send({"id": self.number, "method": method, "params": params})
        while True:
            got = self.ws.receive()
            if got.get("method") == "Runtime.exceptionThrown":
                self.said.append(json.dumps(got["params"]["exceptionDetails"])[:600])
            elif got.get("method") == "Log.entryAdded" and got["params"]["entry"]["level"] == "error":
                self.said.append(got["params"]["entry"]["text"] + " " + got["params"]["entry"].get("url", ""))
            if got.get("id") == self.number:
                if "error" in got:
                    raise Failure("%s: %s" % (method, got["error"]))
                return got["result"]

    def open(self, url):
        self.call("Page.navigate", url=url)
        eventually(lambda: self.js("document.readyState === 'complete' && location.href !== 'about:blank'"), "the page loads", 20)

    def js(self, code):
        r = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r:
            raise Failure("%s: %s" % (code, json.dumps(r["exceptionDetails"])[:500]))
        return r["result"].get("value")

    def wait(self, code, what, seconds=20):
        try:
            return eventually(lambda: self.js(code), what, seconds, every=0.1)
        except Failure as f:
            raise Failure("%s; console: %s; page: %s" % (f, self.said, (self.js("document.body.innerText") or "")[-700:]))

    def type(self, text):
        self.call("Input.insertText", text=text)

    def key(self, name, shift=False):
        codes = {"Enter": 13, "Tab": 9}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name],
                      modifiers=8 if shift else 0, **({"text": "\r"} if name == "Enter" and kind == "keyDown" else {}))
