"""What the black-box tests share: each test gets a site of its own.

A Site is a temporary folder with an nginx made from the configuration that is shipped, worker
processes on Unix sockets, and a Redis if the test wants one. Nothing here knows the
inside of the program: it is started as its users start it, and asked over HTTP.
Only the standard library is used.
"""

import atexit
import contextlib
import glob
import http.client
import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
API = "/api/aviation-agent"
ROUTE = "Find airports between EGTF and LFMD"

# Filled in by the runner.
PREFIX = None        # where the program is installed
DB = None            # airport database made from tests/e2e/data
SLACK = 1.0          # waits are longer for a build with sanitizers


class Failure(Exception):
    """The program did not do what it should."""


def heard(error):
    """What the processes of a test said before it ended with this error."""
    return getattr(error, "said", [])


def is_fatal(error):
    """Has the program crashed, or a sanitizer found something?"""
    return getattr(error, "fatal", False) or FATAL.search(str(error)) is not None


class Skip(Exception):
    """This machine cannot run the test."""


def check(condition, message):
    if not condition:
        raise Failure(message)


def equal(got, expected, what):
    if got != expected:
        raise Failure("%s:\n       got      %s\n       expected %s" % (what, _short(got), _short(expected)))


def _short(value):
    text = repr(value)
    return text if len(text) < 1500 else text[:1500] + "…"


def eventually(probe, what, seconds=15.0, every=0.05):
    """Wait until probe() gives something true, and return it."""
    end = time.monotonic() + seconds * SLACK
    while True:
        value = probe()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure("%s: not within %.1f s" % (what, seconds * SLACK))
        time.sleep(every)


def program(name):
    return os.path.join(PREFIX, "bin", name)


def find_program(name):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if path is None:
        raise Skip("%s is not installed" % name)
    return path


_port_lock = threading.Lock()
_ports_given = set()


def _first_ephemeral():
    """The ports from here on are given by the kernel to those who connect, at any moment."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range") as f:
            return int(f.read().split()[0])
    except (OSError, ValueError):
        return 32768


def free_port(most=None):
    """A free port, never given twice in one run, and none that a connection may take meanwhile. `most`: the highest."""
    top = min(_first_ephemeral() - 1, most or 65535)
    with _port_lock:
        while True:
            wanted = random.randrange(10000, top + 1) if top >= 12000 else 0
            with socket.socket() as s:
                try:
                    s.bind(("127.0.0.1", wanted))
                except OSError:
                    continue
                port = s.getsockname()[1]
            if port not in _ports_given and port <= (most or 65535):
                _ports_given.add(port)
                return port


# -- answers --


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        """The value of a header; several of one name joined by ", "; None if absent."""
        values = [v for k, v in self.headers if k.lower() == name.lower()]
        return ", ".join(values) if values else None

    def json(self):
        try:
            return json.loads(self.body.decode("utf-8"), parse_constant=_no_constant)
        except ValueError as e:
            raise Failure("not JSON (%s): status %d, %r" % (e, self.status, self.body[:300]))


def _no_constant(name):
    raise ValueError("%s is not JSON" % name)


class Event:
    """One frame of a stream: a comment (name None) or an event."""

    def __init__(self, raw, at, ids=False):
        self.raw, self.at = raw, at
        self.name, self.data, self.id = None, None, None
        if raw.startswith(b":"):
            return
        # Both lines, in this order, one data line, LF only: the web client accepts nothing else.
        # It drops events with an id too, so that line stands only where it was asked for.
        m = re.fullmatch((rb"id: ([0-9]+(?:\.[0-9]+)?)\n" if ids else rb"()") + rb"event: ([a-z_]+)\ndata: ([^\r\n]*)", raw)
        if m is None:
            raise Failure("bad frame: %r" % raw[:200])
        # of a turn of the onboarding agent "<turn>.<number>"
        self.id = None if not ids else m.group(1).decode() if b"." in m.group(1) else int(m.group(1))
        self.name = m.group(2).decode()
        self.data = json.loads(m.group(3).decode("utf-8"), parse_constant=_no_constant)


class Stream:
    """A streamed turn read from a raw socket, so that a test can read slowly or hang up."""

    def __init__(self, port, body, headers=None, path=API + "/chat/stream", rcvbuf=None, timeout=60, source=None,
                 ids=False):
        self.ids = ids                      # each event has a number
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if source:
            self.sock.bind((source, 0))
        if rcvbuf:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
        self.sock.settimeout(timeout * SLACK)
        self.started = time.monotonic()
        self.sock.connect(("127.0.0.1", port))
        payload = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        head = ["%s %s HTTP/1.1" % ("GET" if body is None else "POST", path), "Host: localhost", "Content-Type: application/json",
                "Content-Length: %d" % len(payload), "Connection: close"]
        head += ["%s: %s" % kv for kv in (headers or {}).items()]
        self.sock.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + payload)
        self.raw, self.text = b"", b""      # undecoded, decoded and not yet cut into frames
        self.status, self.headers, self.chunked = None, [], False
        self.frames, self.ended = [], False
        self.whole = b""                    # everything decoded

    def _more(self):
        piece = self.sock.recv(65536)
        if not piece:
            self.ended = True
        self.raw += piece
        return piece

    def head(self):
        while self.status is None:
            end = self.raw.find(b"\r\n\r\n")
            if end < 0:
                if not self._more():
                    raise Failure("the connection ended before the headers: %r" % self.raw[:200])
                continue
            lines = self.raw[:end].decode("latin-1").split("\r\n")
            self.raw = self.raw[end + 4:]
            self.status = int(lines[0].split()[1])
            self.headers = [tuple(x.split(": ", 1)) for x in lines[1:]]
            self.chunked = any(k.lower() == "transfer-encoding" for k, _ in self.headers)
        return self

    header = Response.header

    def _decode(self):
        """Move complete chunks from raw to text."""
        if not self.chunked:
            self.text += self.raw
            self.whole += self.raw
            self.raw = b""
            return
        while True:
            end = self.raw.find(b"\r\n")
            if end < 0:
                return
            size = int(self.raw[:end].split(b";")[0], 16)
            if len(self.raw) < end + 2 + size + 2:
                return
            data = self.raw[end + 2:end + 2 + size]
            self.raw = self.raw[end + 2 + size + 2:]
            self.text += data
            self.whole += data
            if size == 0:
                self.ended = True
                return

    def __iter__(self):
        """Frames as they come, comments included, to the end of the stream."""
        self.head()
        while True:
            self._decode()
            while b"\n\n" in self.text:
                raw, self.text = self.text.split(b"\n\n", 1)
                frame = Event(raw, time.monotonic() - self.started, self.ids)
                self.frames.append(frame)
                yield frame
            if self.ended:
                return
            self._more()

    def until(self, name):
        """Read on until an event of this name (None: a comment) has come; return it."""
        for frame in self:
            if frame.name == name:
                return frame
        raise Failure("the stream ended without %s: %s" % (name, [f.name for f in self.frames]))

    def rest(self):
        for _ in self:
            pass
        check(self.text == b"", "bytes after the last frame: %r" % self.text[:200])
        return Turn(self)

    def leave(self, reset=False):
        """Hang up in the middle."""
        if reset:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()


class Turn:
    """A whole streamed turn, taken apart."""

    def __init__(self, stream):
        self.status, self.stream = stream.status, stream
        self.frames = stream.frames
        self.events = [f for f in stream.frames if f.name is not None]
        self.names = [e.name for e in self.events]

    def all(self, name):
        return [e.data for e in self.events if e.name == name]

    def one(self, name):
        found = self.all(name)
        check(len(found) == 1, "%d %s events instead of one: %s" % (len(found), name, self.names))
        return found[0]

    @property
    def shape(self):
        """Event names, a run of messages as one."""
        return [n for i, n in enumerate(self.names) if n != "message" or i == 0 or self.names[i - 1] != "message"]

    @property
    def answer(self):
        return "".join(m["content"] for m in self.all("message"))

    @property
    def thread(self):
        return self.one("done")["thread_id"]

    @property
    def plan(self):
        return self.one("plan")

    @property
    def airports(self):
        return [a["ident"] for a in self.one("tool_call_end")["result"]["airports"]]


# -- FastCGI, past nginx --


def fcgi_record(kind, content=b"", request=1):
    return bytes([1, kind]) + request.to_bytes(2, "big") + len(content).to_bytes(2, "big") + b"\0\0" + content


def fcgi_request(params, stdin, end=True):
    def length(text):
        n = len(text.encode())
        return n.to_bytes(1, "big") if n < 128 else (n | 1 << 31).to_bytes(4, "big")
    pairs = b"".join(length(k) + length(v) + k.encode() + v.encode() for k, v in params.items())
    out = fcgi_record(1, b"\0\1\0\0\0\0\0\0") + fcgi_record(4, pairs) + fcgi_record(4) + fcgi_record(5, stdin)
    return out + fcgi_record(5) if end else out


def fcgi_post(site, path, body, user=None, key=None, worker=0):
    """A request with REMOTE_USER, past nginx; returns (status, head, body)."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(20)
        s.connect(site.workers[worker].sock)
        p = {"REQUEST_METHOD": "POST", "SCRIPT_NAME": API + path, "REQUEST_URI": API + path, "QUERY_STRING": "",
             "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))}
        if user:
            p["REMOTE_USER"] = user
        if key is not None:
            p["HTTP_IDEMPOTENCY_KEY"] = key
        s.sendall(fcgi_request(p, body))
        data, out = b"", b""
        while True:
            piece = s.recv(65536)
            if not piece:
                break
            data += piece
    while len(data) >= 8:
        n, pad = int.from_bytes(data[4:6], "big"), data[6]
        if data[1] == 6:
            out += data[8:8 + n]
        data = data[8 + n + pad:]
    head, _, text = out.partition(b"\r\n\r\n")
    return int(re.match(rb"Status: (\d+)", head).group(1)), head, text


# -- processes --


def stop(process, sig=signal.SIGTERM, seconds=10):
    """End a process this harness started; returns its exit status."""
    if process.poll() is None:
        process.send_signal(sig)
        try:
            process.wait(seconds * SLACK)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "killed after %d s" % seconds
    return process.returncode


MEMORY_DISK, MEMORY_DISK_ROOM = "/dev/shm", 512 << 20


def redis_data(folder):
    """Where a Redis of the tests keeps its data, and the options that say so.

    On a busy disk one fsync can take seconds, longer than the program waits for its store. So the data
    lie in memory if there is room. If there is none, nothing is synced: what Redis wrote before it is
    killed is in the file all the same, and no test ends the machine.
    """
    sync = "no"
    try:
        room = os.statvfs(MEMORY_DISK)
        if room.f_bavail * room.f_frsize >= MEMORY_DISK_ROOM and os.access(MEMORY_DISK, os.W_OK):
            folder, sync = tempfile.mkdtemp(prefix="aa-redis.", dir=MEMORY_DISK), "always"
            atexit.register(shutil.rmtree, folder, True)       # a test that is killed leaves nothing in memory
    except OSError:
        pass
    return folder, ["--dir", folder, "--appendonly", "yes", "--appendfsync", sync, "--save", ""]


class Redis:
    def __init__(self, folder):
        self.folder, self.path = folder, os.path.join(folder, "redis.sock")
        self.data, self.options = redis_data(folder)
        self.url = "unix://" + self.path
        self.process = None
        self.server = find_program("redis-server")

    def start(self):
        self.process = subprocess.Popen(
            [self.server, "--port", "0", "--unixsocket", self.path] + self.options,
            stdout=open(os.path.join(self.folder, "redis.log"), "ab"), stderr=subprocess.STDOUT,
            cwd=self.folder)
        eventually(lambda: self._ping(), "redis answers", 10)
        return self

    def _ping(self):
        try:
            return self.command("PING") == b"+PONG\r\n"
        except OSError:
            return False

    def command(self, *words):
        """Send a command, return the first piece of the reply as it comes."""
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(5)
            s.connect(self.path)
            s.sendall(b"".join([b"*%d\r\n" % len(words)] + [b"$%d\r\n%s\r\n" % (len(w.encode()), w.encode()) for w in words]))
            return s.recv(1 << 20)

    def keys(self):
        return [k for k in self.command("KEYS", "*").split(b"\r\n")[1:] if k and not k.startswith(b"$")]

    def stop(self):
        if self.process is not None:
            stop(self.process, signal.SIGKILL)
            self.process = None
            if os.path.exists(self.path):
                os.unlink(self.path)

    def remove(self):
        """Stop, and forget everything."""
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)


# -- the language model --

KEY = "sk-e2e-Kennzeichen-4711"          # no log, answer or error may contain this key
CASES = os.path.join(ROOT, "tests", "double", "cases")
_double_lock = threading.Lock()
_double = None


def double_program():
    """The scripted provider of tests/double: AGENT_DOUBLE, else compiled once a run."""
    global _double
    with _double_lock:
        _double = _double or os.environ.get("AGENT_DOUBLE")
        if _double:
            return _double
        folder = tempfile.mkdtemp(prefix="aa-double.")
        atexit.register(shutil.rmtree, folder, True)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "json-c"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL).stdout.decode().split() or ["-ljson-c"]
        path = os.path.join(folder, "provider")
        made = subprocess.run(shlex.split(os.environ.get("CC") or "cc") + ["-O2", "-D_GNU_SOURCE", "-o", path] +
                              sorted(glob.glob(os.path.join(ROOT, "tests", "double", "*.c"))) + flags,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(made.returncode == 0, "tests/double does not compile: " + made.stdout.decode()[-1500:])
        _double = path
        return path


class Asked:
    """A request the provider got, from its log."""

    def __init__(self, row):
        self.row = row
        self.number, self.conn, self.nth, self.active = (row[k] for k in ("request", "conn", "nth", "active"))
        self.kind, self.case, self.reply, self.status = (row[k] for k in ("kind", "case", "reply", "status"))
        self.path, self.headers, self.body = (row[k] for k in ("path", "headers", "body"))
        self.chat = row.get("chat", self.body)      # the body as chat completions has it
        self.at = row["at"] / 1e6            # when it was complete, as time.monotonic()

    @property
    def messages(self):
        return [(m["role"], m["content"]) for m in self.chat["messages"]]

    @property
    def text(self):
        return "\n".join(content or "" for _, content in self.messages)

    @property
    def functions(self):
        """What the model may call: {name: its function}."""
        return {t["function"]["name"]: t["function"] for t in self.chat.get("tools", [])}


class Provider:
    """A scripted server of language models. Use it with `with`.

    Cases are names of files in tests/double/cases, or given here (name=replies or name={"lists": …}). A
    question picks its case by naming it in brackets: "airports near Lyon [retry_429]"; other questions
    get the first case. tests/double/README explains case files.
    """

    def __init__(self, *names, port=0, form="openai", **cases):
        self.form = form                            # of the requests that its env makes
        self.dir = tempfile.mkdtemp(prefix="aa-provider.")
        self.log_path, self.port = os.path.join(self.dir, "log"), port
        self.files = [os.path.join(CASES, n + ".json") for n in names]
        for name, case in cases.items():
            self.files.append(os.path.join(self.dir, name + ".json"))
            with open(self.files[-1], "w", encoding="utf-8") as f:
                json.dump(case, f)
        # a case given here may name a shipped one to continue with ("then")
        for path in glob.glob(os.path.join(CASES, "*.json")):
            if not os.path.exists(os.path.join(self.dir, os.path.basename(path))):
                os.symlink(path, os.path.join(self.dir, os.path.basename(path)))
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [double_program(), "--port", str(self.port), "--log", self.log_path] + self.files,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(os.path.join(self.dir, "stderr"), "wb"))
        line = self.process.stdout.readline()
        if not line:
            raise Failure("the provider does not start: " + self._stderr())
        self.port = int(line)
        return self

    __enter__ = start

    def _stderr(self):
        with open(os.path.join(self.dir, "stderr"), errors="replace") as f:
            return f.read()[-1500:]

    @property
    def url(self):
        return "http://127.0.0.1:%d/v1" % self.port

    @property
    def env(self):
        if self.form == "openai":
            return {"OPENAI_BASE_URL": self.url, "OPENAI_API_KEY": KEY}
        root = self.url[:-len("/v1")]
        return dict({"LLM_PROVIDER": self.form}, **{
            "anthropic": {"ANTHROPIC_BASE_URL": root, "ANTHROPIC_API_KEY": KEY},
            "gemini": {"GOOGLE_BASE_URL": root + "/v1beta", "GOOGLE_API_KEY": KEY},
            "ollama": {"OLLAMA_BASE_URL": root}}[self.form])

    def log(self, event=None):
        with open(self.log_path, encoding="utf-8", errors="replace") as f:
            whole = f.read().split("\n")[:-1]     # the last piece is still being written
        rows = [json.loads(line) for line in whole]
        return [r for r in rows if event is None or r["event"] == event]

    def requests(self, case=None, kind=None):
        asked = [Asked(r) for r in self.log("request") if "nth" in r]
        return [a for a in asked if case in (None, a.case) and kind in (None, a.kind)]

    def closed(self, asked):
        """When the peer closed the connection in the middle of this request's reply; None: it did not close it."""
        for r in self.log("closed"):
            if r.get("request") == asked.number and r["by"] == "peer":
                return r["at"] / 1e6
        return None

    def stop(self):
        """Stop listening and end all connections; start() continues with the same port and log."""
        if self.process is not None:
            status = stop(self.process)
            self.process.stdout.close()
            self.process = None
            check(status == 0 and not SANITIZER.search(self._stderr()),
                  "the provider ended with status %s: %s" % (status, self._stderr()))

    def __exit__(self, kind, *_):
        try:
            self.stop()
        except Failure:
            if kind is None:
                raise
        finally:
            shutil.rmtree(self.dir, ignore_errors=True)


class TLS:
    """An nginx that speaks TLS before a provider, with the certificate of tests/e2e/data."""

    cert = os.path.join(HERE, "data", "tls.crt")

    def __init__(self, provider):
        self.provider, self.port = provider, free_port()
        self.dir = tempfile.mkdtemp(prefix="aa-tls.")
        self.url = "https://127.0.0.1:%d/v1" % self.port
        self.env = dict(provider.env, OPENAI_BASE_URL=self.url)

    def __enter__(self):
        conf = os.path.join(self.dir, "nginx.conf")
        with open(conf, "w") as f:
            f.write("%sdaemon off;\nworker_processes 1;\npid %s/nginx.pid;\nevents { }\nhttp {\n\taccess_log off;\n%s"
                    "\tserver {\n\t\tlisten 127.0.0.1:%d ssl;\n\t\tssl_certificate %s;\n\t\tssl_certificate_key %s;\n"
                    "\t\tlocation / {\n\t\t\tproxy_pass http://127.0.0.1:%d;\n\t\t\tproxy_buffering off;\n\t\t}\n\t}\n}\n"
                    % ("user root;\n" if os.getuid() == 0 else "", self.dir, temp_paths(self.dir), self.port, self.cert,
                       os.path.join(HERE, "data", "tls.key"), self.provider.port))
        self.process = subprocess.Popen([find_program("nginx"), "-e", os.path.join(self.dir, "log"), "-c", conf],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def listens():
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
            except OSError:
                return self.process.poll() is not None
        eventually(listens, "the TLS server listens", 10)
        return self

    def __exit__(self, *_):
        stop(self.process)
        shutil.rmtree(self.dir, ignore_errors=True)


class Worker:
    def __init__(self, site, number):
        self.site, self.number = site, number
        self.sock = os.path.join(site.dir, "w%d.sock" % number)
        self.log_path = os.path.join(site.dir, "w%d.log" % number)
        self.process, self.expected = None, (0,)

    def start(self, wait=True, **popen):
        popen.setdefault("stdin", subprocess.DEVNULL)
        args = popen.pop("args", None) or [program("aviation-agent.fcgi"), "--listen", "unix:" + self.sock]
        self.expected = (0,)
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(args, stdout=log, stderr=log, env=self.site.env, cwd=self.site.dir, **popen)
        if wait:
            eventually(self._accepts, "worker %d listens" % self.number, 10)
        return self

    def _accepts(self):
        if self.process.poll() is not None:
            raise Failure("worker %d ended with status %s: %s" % (self.number, self.process.returncode, self.log()[-800:]))
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(self.sock)
            return True
        except OSError:
            return False

    def kill9(self):
        self.expected = (-signal.SIGKILL,)
        self.process.kill()
        self.process.wait()

    def term(self):
        self.process.send_signal(signal.SIGTERM)

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as f:
            return f.read()


# what a failed test shows of the logs of its processes
WARNINGS_MOST = 5
WORKER_WARNING = re.compile(r"^\S+Z (warn|error) ")
NGINX_WARNING = re.compile(r"\[(warn|error|crit|alert|emerg)\]")
REDIS_WARNING = re.compile(r" # ")


SANITIZER = re.compile(r"ERROR: (Address|Leak|Thread)Sanitizer|runtime error:|WARNING: ThreadSanitizer")
# no busy machine is an excuse for these: findings, and the signals of a crash
FATAL = re.compile(SANITIZER.pattern + r"|ended with status (86|-%d|-%d|-%d|-%d|-%d)\b" %
                   (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE))


def note(error, said, fatal):
    """Hang on an exception what the logs of the test's processes say, and that a second try is no excuse."""
    error.said = getattr(error, "said", []) + said
    error.fatal = getattr(error, "fatal", False) or fatal


def temp_paths(folder):
    """Settings with which nginx writes nowhere else."""
    return "".join("\t%s_temp_path %s/tmp-%s;\n" % (kind, folder, kind)
                   for kind in ("client_body", "fastcgi", "proxy", "scgi", "uwsgi"))


class Site:
    """nginx, workers and state of one test. Use it with `with`."""

    def __init__(self, store="sqlite", workers=1, db=None, log_dir=None, nginx=True, start=True,
                 model=None, original_paths=False, server_lines="", **env):
        self.dir = tempfile.mkdtemp(prefix="aa-e2e.")
        self.port = free_port()
        self.original_paths = original_paths
        self.server_lines = server_lines        # for nginx, inside the server
        self.redis = None
        self.nginx_process, self.with_nginx, self.start_now = None, nginx, start
        self.log_dir = log_dir or os.path.join(self.dir, "conversations")
        self.env = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": self.dir,
            "LANG": "C.UTF-8",
            "AIRPORTS_DB": db or DB,
            "AVIATION_AGENT_STATE_DIR": os.path.join(self.dir, "state"),
            "CONVERSATION_LOG_DIR": self.log_dir,
            "CHECKPOINTER_PROVIDER": store,
            "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=86",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=86",
        }
        if store == "redis":
            self.redis = Redis(self.dir)
            self.env["REDIS_URL"] = self.redis.url
        self.env.update(model.env if model else {})
        self.env.update({k: str(v) for k, v in env.items() if v is not None})
        for k in [k for k, v in env.items() if v is None]:
            self.env.pop(k, None)
        self.workers = [Worker(self, i + 1) for i in range(workers)]

    def __enter__(self):
        try:
            if self.start_now:
                if self.redis:
                    self.redis.start()
                for w in self.workers:
                    w.start()
            if self.with_nginx:
                self._start_nginx()
        except BaseException as e:
            self._end(e)
            raise
        return self

    def _start_nginx(self):
        with open(os.path.join(ROOT, "nginx", "aviation-agent.conf")) as f:
            shipped = f.read()
        pool = len(self.workers) > 1
        target = "aviation_agent" if pool else "unix:" + self.workers[0].sock
        mine, n = re.subn(r"(?m)^\tfastcgi_pass unix:[^;]*;", "\tfastcgi_pass %s;" % target, shipped)
        check(n == 1, "nginx/aviation-agent.conf has %d fastcgi_pass lines" % n)
        # the tests come from 127.0.0.1, which is not limited
        upstream = "\tinclude %s;\n" % os.path.join(ROOT, "nginx", "aviation-agent-limits.conf")
        with open(os.path.join(ROOT, "nginx", "onboarding.conf")) as f:
            onboarding, n = re.subn(r"(?m)^\tfastcgi_pass unix:[^;]*;", "\tfastcgi_pass %s;" % target, f.read())
        check(n == 1, "nginx/onboarding.conf has %d fastcgi_pass lines" % n)
        if self.original_paths:        # as the file's own comment says
            onboarding = onboarding.replace("location ^~ /api/onboarding/ {",
                                            "location ~ ^/api/(onboarding|auth|user|conversations)(/|$) {")
        with open(os.path.join(self.dir, "agent.conf"), "w") as f:
            f.write(mine + onboarding + self.server_lines)
        if pool:
            servers = "".join("\t\tserver unix:%s max_fails=0;\n" % w.sock for w in self.workers)
            upstream += "\tupstream aviation_agent {\n\t\tleast_conn;\n%s\t}\n" % servers
        conf = os.path.join(self.dir, "nginx.conf")
        with open(conf, "w") as f:
            f.write("%sdaemon off;\nworker_processes 1;\nworker_rlimit_nofile 8192;\npid %s/nginx.pid;\n"
                    "events { worker_connections 4096; }\nhttp {\n\taccess_log off;\n%s%s"
                    "\tserver {\n\t\tlisten 127.0.0.1:%d backlog=2048;\n\t\tinclude %s/agent.conf;\n"
                    "\t\tlocation = /other { return 200 'the site itself'; }\n\t}\n}\n"
                    % ("user root;\n" if os.getuid() == 0 else "", self.dir, temp_paths(self.dir), upstream, self.port, self.dir))
        log = os.path.join(self.dir, "nginx.log")
        self.nginx_process = subprocess.Popen([find_program("nginx"), "-e", log, "-c", conf],
                                              stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def listens():
            if self.nginx_process.poll() is not None:
                raise Failure("nginx ended: " + open(log).read()[-500:])
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
            except OSError:
                return False
        eventually(listens, "nginx listens", 10)

    def __exit__(self, kind, error, _):
        self._end(error)

    def _end(self, error):
        """End everything. The logs are removed with it, so what ends the test takes their last warnings along."""
        said = self._warnings()
        problems = self._clean_up()
        failure = error or (Failure("; ".join(problems)) if problems else None)
        if failure is None:
            return
        note(failure, said + (problems if error else []), any(FATAL.search(p) for p in problems))
        if error is None:
            raise failure

    def _warnings(self):
        said = []
        logs = [("worker %d" % (i + 1), w.log_path, WORKER_WARNING) for i, w in enumerate(self.workers)]
        logs.append(("nginx", os.path.join(self.dir, "nginx.log"), NGINX_WARNING))
        if self.redis:
            logs.append(("redis", os.path.join(self.redis.folder, "redis.log"), REDIS_WARNING))
        for who, path, pattern in logs:
            try:
                with open(path, encoding="utf-8", errors="replace") as f:
                    lines = [x.strip() for x in f if pattern.search(x)]
            except OSError:
                continue
            said += ["%s: %s" % (who, x[:400]) for x in lines[-WARNINGS_MOST:]]
        return said

    def _clean_up(self):
        """End everything; returns the faults of the workers while they ended."""
        problems = []
        for w in self.workers:
            if w.process is not None:
                status = stop(w.process, seconds=15)
                if status not in w.expected:
                    problems.append("worker %d ended with status %s: %s" % (w.number, status, w.log()[-600:]))
                bad = SANITIZER.search(w.log())
                if bad:
                    problems.append("worker %d: %s" % (w.number, w.log()[bad.start():bad.start() + 1500]))
        if self.nginx_process is not None:
            stop(self.nginx_process, signal.SIGTERM, 5)
        if self.redis:
            problems += self._forever()
            self.redis.remove()
        shutil.rmtree(self.dir, ignore_errors=True)
        return problems

    def _forever(self):
        """After every test with Redis: has each key of the program an end?"""
        from faults import RedisError, keys_without_ttl
        if self.env.get("AVIATION_AGENT_THREAD_TTL_DAYS") == "0" or self.redis.process is None:
            return []
        try:
            keys = [k for k in keys_without_ttl(self.redis.path) if k.startswith(b"aa:") and not k.startswith(b"aa:{users}:")]
        except (OSError, RedisError):       # the test took Redis away
            return []
        return ["keys that never expire: %s" % keys[:5]] if keys else []

    # -- requests --

    def request(self, method, path, body=None, headers=None, timeout=60, source=None):
        conn = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout * SLACK,
                                          source_address=(source, 0) if source else None)
        try:
            conn.request(method, path, body=body, headers=headers or {})
            r = conn.getresponse()
            return Response(r.status, r.getheaders(), r.read())
        except http.client.HTTPException as e:
            raise Failure("%s %s: broken answer: %r" % (method, path, e))
        finally:
            conn.close()

    def get(self, path, **kw):
        return self.request("GET", path, **kw)

    def post(self, path, value, headers=None, **kw):
        body = value if isinstance(value, (bytes, str)) else json.dumps(value)
        if isinstance(body, str):
            body = body.encode("utf-8")
        h = {"Content-Type": "application/json"}
        h.update(headers or {})
        return self.request("POST", path, body=body, headers={k: v for k, v in h.items() if v is not None}, **kw)

    def chat(self, text, thread=None, headers=None, **more):
        return self.post(API + "/chat", question(text, thread, **more), headers=headers)

    def follow(self, run, after=None, headers=None, query=""):
        """The events of a run, behind the one with this number."""
        headers = dict(headers or {}, **({} if after is None else {"Last-Event-ID": after}))
        return Stream(self.port, None, headers=headers, path=API + "/runs/%s/stream%s" % (run, query), ids=True)

    def open(self, text, thread=None, headers=None, rcvbuf=None, source=None, **more):
        return Stream(self.port, question(text, thread, **more), headers=headers, rcvbuf=rcvbuf, source=source)

    def ask(self, text, thread=None, **more):
        """A whole streamed turn that must be accepted."""
        with self.open(text, thread, **more) as s:
            s.head()
            if s.status != 200:
                for _ in iter(s._more, b""):
                    pass
                raise Failure("asked %r: status %d %r" % (text, s.status, s.raw[:300]))
            return s.rest()

    def usable(self):
        r = self.get("/health")
        return r.status == 200

    def log_entries(self):
        """All entries of the conversation log, read as JSON; none before the first is written."""
        entries = []
        for name in sorted(os.listdir(self.log_dir)) if os.path.isdir(self.log_dir) else []:
            if re.fullmatch(r"\d{4}-\d\d-\d\d\.json", name):
                with open(os.path.join(self.log_dir, name), encoding="utf-8") as f:
                    text = f.read()
                try:
                    entries += json.loads(text, parse_constant=_no_constant)
                except ValueError as e:
                    raise Failure("%s is not JSON: %s; it ends with %r" % (name, e, text[-200:]))
        return entries


def question(text, thread=None, **more):
    body = {"messages": [{"role": "user", "content": text}]}
    if thread is not None:
        body["thread_id"] = thread
    body.update(more)
    return body


def cli(*args, env=None, timeout=60, cwd=None, stdin=None):
    """Run the command line; returns (status, stdout, stderr)."""
    home = tempfile.mkdtemp(prefix="aa-cli.")
    try:
        full = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": home, "LANG": "C.UTF-8",
                "AIRPORTS_DB": DB or os.path.join(home, "none.db"),
                "AVIATION_AGENT_STATE_DIR": os.path.join(home, "state"), "CONVERSATION_LOG_DIR": "none"}
        full.update({k: str(v) for k, v in (env or {}).items() if v is not None})
        for k in [k for k, v in (env or {}).items() if v is None]:
            full.pop(k, None)
        p = subprocess.run([program("aviation-agent")] + list(args), env=full, cwd=cwd or home,
                           stdin=subprocess.DEVNULL if stdin is None else None, input=stdin,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout * SLACK)
    except subprocess.TimeoutExpired:
        raise Failure("aviation-agent %s did not end in %d s" % (" ".join(args), timeout))
    finally:
        shutil.rmtree(home, ignore_errors=True)
    out, err = p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")
    bad = SANITIZER.search(err)
    check(bad is None, "aviation-agent %s: %s" % (" ".join(args), err[-1500:]))
    return p.returncode, out, err


@contextlib.contextmanager
def small_disk(path, kilobytes):
    """A small file system at `path`, which is soon full; Skip if this machine does not allow one."""
    os.mkdir(path)
    if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dk" % kilobytes, "none", path],
                                          stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("needs root to mount a small disk")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", path])


def real_data(*parts):
    """A file of the real data set, or Skip."""
    base = os.environ.get("TEST_DATA") or os.path.join(ROOT, "..", "shared", "data")
    path = os.path.join(base, *parts)
    if not os.path.exists(path):
        raise Skip("no real data set (%s)" % "/".join(parts))
    return path
