"""What the fault tests share: a tap between worker and Redis, and small Redis installations.

A Tap stands on the store's socket. It counts the worker's calls (a call is one write of commands and
all its replies) and can do something before a call reaches Redis, or after Redis has carried it out
and before the worker learns of it. So a test breaks things at every step of a turn, without any code
for tests in the program.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import harness
from harness import ROUTE, Site, check, equal, eventually, find_program, free_port, stop


# -- the protocol of Redis --


def pack(*words):
    out = [b"*%d\r\n" % len(words)]
    for w in words:
        w = w if isinstance(w, bytes) else str(w).encode()
        out.append(b"$%d\r\n%s\r\n" % (len(w), w))
    return b"".join(out)


def unpack(data, at=0):
    """The value at an offset, and the offset behind it; None as the offset: it is not complete."""
    end = data.find(b"\r\n", at)
    if end < 0:
        return None, None
    kind, rest, at = data[at:at + 1], data[at + 1:end], end + 2
    if kind in (b"+", b":", b"-"):
        return (int(rest) if kind == b":" else RedisError(rest.decode()) if kind == b"-" else rest), at
    n = int(rest)
    if kind == b"$":
        if n < 0:
            return None, at
        return (data[at:at + n], at + n + 2) if len(data) >= at + n + 2 else (None, None)
    items = []
    for _ in range(max(n, 0)):
        value, at = unpack(data, at)
        if at is None:
            return None, None
        items.append(value)
    return items, at


class RedisError(Exception):
    pass


def call(where, *words):
    """One command to a Unix socket (a path) or to a port of this machine, or to (host, port)."""
    with socket.socket(socket.AF_UNIX if isinstance(where, str) else socket.AF_INET) as s:
        s.settimeout(10)
        s.connect(where if isinstance(where, (str, tuple)) else ("127.0.0.1", where))
        s.sendall(pack(*words))
        data = b""
        while True:
            piece = s.recv(65536)
            if not piece:
                raise OSError("the connection ended")
            data += piece
            value, at = unpack(data)
            if at is not None:
                if isinstance(value, RedisError):
                    raise value
                return value


# -- a tap --


class Tap:
    """Listens on a socket of its own and passes everything on to Redis at `path`."""

    def __init__(self, folder, path):
        self.path, self.upstream = os.path.join(folder, "tap.sock"), path
        self.url = "unix://" + self.path
        self.lock = threading.Lock()
        self.calls, self.names = 0, []
        self.point, self.when, self.action = None, None, None
        self.fired, self.acted = False, threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, point=None, when=None, action=None):
        """Count from now on; do `action` at call number `point`, "before" or "after" Redis has it."""
        with self.lock:
            self.calls, self.names, self.fired, self.acted = 0, [], False, threading.Event()
            self.point, self.when, self.action = point, when, action

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self.upstream)
            self._relay(client, server)
        except OSError:
            pass
        finally:
            client.close()
            server.close()

    def _relay(self, client, server):
        data = b""
        while True:
            piece = client.recv(1 << 16)
            if not piece:
                return
            data += piece
            commands, at = [], 0
            while at is not None and at < len(data):
                words, at = unpack(data, at)
                commands.append(words)
            if at is None or (commands[0] == [b"MULTI"] and commands[-1] != [b"EXEC"]):
                continue                    # the rest is on its way
            if commands[0][0] in (b"SUBSCRIBE", b"UNSUBSCRIBE"):
                return self._pass_on(client, server, data)
            self._exchange(client, server, data, commands)
            data = b""

    def _exchange(self, client, server, data, commands):
        with self.lock:
            self.calls += 1
            number = self.calls
            self.names.append(commands[-1][0].decode())
            act = number == self.point and not self.fired
            self.fired |= act
        if act and self.when == "before":
            self._act()
        server.sendall(data)
        reply, at = b"", 0
        for _ in commands:
            start = at
            while True:
                _, at = unpack(reply, start)
                if at is not None:
                    break
                piece = server.recv(1 << 16)
                if not piece:
                    raise OSError("Redis is gone")
                reply += piece
        if act and self.when == "after":
            self._act()
            raise OSError("the reply is lost")
        client.sendall(reply)

    def _act(self):
        acted = self.acted
        self.action()
        acted.set()

    def happened(self, what):
        """The call has come, and the action is over: the last calls of a turn may follow its last event."""
        check(self.acted.wait(10), "%s: the call did not come: %s" % (what, self.names))

    @staticmethod
    def _pass_on(client, server, data):
        """A listening connection: both directions, at any time."""
        def copy(source, target):
            try:
                while True:
                    piece = source.recv(1 << 16)
                    if not piece:
                        break
                    target.sendall(piece)
            except OSError:
                pass
            for s in (source, target):
                try:
                    s.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        server.sendall(data)
        other = threading.Thread(target=copy, args=(server, client), daemon=True)
        other.start()
        copy(client, server)
        other.join()


# -- what is stored --


def stored(where, thread):
    """What was said in a thread: [(role, text), …]."""
    said = []
    for value in call(where, "LRANGE", "aa:{%s}:msgs" % thread, "0", "-1"):
        role, rest = value.split(b"\n", 1)
        fields = rest.split(b"\0")
        if role in (b"user", b"assistant") and not (len(fields) > 4 and fields[4]):
            said.append((role.decode(), fields[0].decode("utf-8")))
    return said


def whole(said, questions):
    """A serial history: whole turns, each question at most once, in the order of the questions."""
    equal([r for r, _ in said], ["user", "assistant"] * (len(said) // 2), "roles of the history")
    asked = [text for role, text in said if role == "user"]
    order = [questions.index(q) for q in asked]
    check(order == sorted(set(order)), "questions twice or in another order: %s" % asked)
    check(all(text for _, text in said), "an empty message in the history: %s" % said)


def keys_without_ttl(where):
    """Keys of the store that never expire."""
    found, cursor = [], b"0"
    while True:
        cursor, keys = call(where, "SCAN", cursor, "COUNT", "1000")
        found += [k for k in keys if call(where, "PTTL", k) == -1]
        if cursor == b"0":
            return sorted(found)


# -- a worker and its tap --


LEASE_S = 2
QUESTIONS = [ROUTE, "and only with a hard runway?", "and within 40 nm?"]


class Bench:
    """One worker behind nginx, whose Redis is reached through a tap."""

    def __init__(self, **env):
        self.site = Site("redis", start=False, AVIATION_AGENT_LEASE_S=LEASE_S, **env)
        self.tap = Tap(self.site.dir, self.site.redis.path)
        self.site.env["REDIS_URL"] = self.tap.url
        self.worker = self.site.workers[0]

    def __enter__(self):
        self.site.__enter__()
        self.site.redis.start()
        self.worker.start()
        return self

    def __exit__(self, *args):
        self.site.__exit__(*args)
        self.tap.close()

    def steps(self):
        """How many calls of the store a second turn makes."""
        first = self.site.ask(QUESTIONS[0])
        self.tap.arm()
        self.site.ask(QUESTIONS[1], first.thread)
        check(2 <= self.tap.calls <= 12, "calls of the store in a turn: %s" % self.tap.names)
        return self.tap.calls

    def read(self, thread):
        """Ask the second question and read what comes until the stream breaks off or ends."""
        saved = False
        with self.site.open(QUESTIONS[1], thread) as s:
            try:
                for frame in s:
                    saved |= frame.name == "done" and frame.data["metadata"].get("saved", True)
            except (OSError, ValueError):
                pass
        return saved

    def goes_on(self, thread, saved, what):
        """The third question is answered within the lease, and the history is whole."""
        began = time.monotonic()

        def again():
            r = self.site.chat(QUESTIONS[2], thread)
            check(r.status in (200, 409, 503), "%s: status %d: %r" % (what, r.status, r.body[:300]))
            return r if r.status == 200 else None
        eventually(again, "%s: the thread is free" % what, LEASE_S + 10, 0.1)
        check(time.monotonic() - began < (LEASE_S + 12) * harness.SLACK, what)
        said = stored(self.site.redis.path, thread)
        whole(said, QUESTIONS)
        asked = [text for role, text in said if role == "user"]
        equal((asked[0], asked[-1]), (QUESTIONS[0], QUESTIONS[2]), what + ": first and last question")
        if saved:
            equal(asked, QUESTIONS, what + ": the turn that was reported as stored")


# -- more than one Redis --


class Node:
    """A redis-server on a TCP port."""

    def __init__(self, folder, name, *options, host="127.0.0.1", port=None, args=()):
        self.host, self.port = host, port or free_port()
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.data, where = harness.redis_data(self.folder)
        self.command = [find_program("redis-server"), *args, "--port", str(self.port), "--bind", host,
                        "--protected-mode", "no", *where, *options]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, cwd=self.folder, stdin=subprocess.DEVNULL,
                                        stdout=open(os.path.join(self.folder, "log"), "ab"), stderr=subprocess.STDOUT)

        def answers():
            check(self.process.poll() is None, "redis-server ended: %s" % open(os.path.join(self.folder, "log")).read()[-600:])
            try:
                return self.call("PING") == b"PONG"
            except (OSError, RedisError):
                return False
        eventually(answers, "redis-server answers", 10)
        return self

    def call(self, *words):
        return call((self.host, self.port), *words)

    def kill9(self):
        stop(self.process, signal.SIGKILL)

    def pause(self, paused):
        self.process.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)


class Sentinels:
    """A master, a replica and three sentinels that notice after a second that the master is gone."""

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="aa-sentinels.")
        self.master = Node(self.dir, "one")
        self.replica = Node(self.dir, "two", "--replicaof", "127.0.0.1 %d" % self.master.port)
        self.sentinels = []

    def __enter__(self):
        self.master.start()
        self.replica.start()
        eventually(lambda: b"master_link_status:up" in self.replica.call("INFO", "replication"), "the replica follows", 15)
        for i in range(3):
            folder = os.path.join(self.dir, "s%d" % i)
            os.makedirs(folder)
            conf = os.path.join(folder, "sentinel.conf")
            with open(conf, "w") as f:
                f.write("sentinel monitor main 127.0.0.1 %d 2\nsentinel down-after-milliseconds main 1000\n"
                        "sentinel failover-timeout main 10000\n" % self.master.port)
            s = Node(self.dir, "s%d" % i)
            s.command = [find_program("redis-server"), conf, "--port", str(s.port), "--bind", "127.0.0.1",
                         "--protected-mode", "no", "--sentinel"]
            self.sentinels.append(s.start())
        eventually(lambda: all(self._knows(s) for s in self.sentinels), "the sentinels know each other", 20)
        self.url = "sentinel://%s/main" % ",".join("127.0.0.1:%d" % s.port for s in self.sentinels)
        return self

    @staticmethod
    def _knows(sentinel):
        row = sentinel.call("SENTINEL", "MASTER", "main")
        facts = dict(zip(row[::2], row[1::2]))
        return facts[b"num-other-sentinels"] == b"2" and facts[b"num-slaves"] == b"1"

    def promoted(self):
        return self.replica.call("ROLE")[0] == b"master"

    def __exit__(self, *_):
        for n in [*self.sentinels, self.replica, self.master]:
            if n.process is not None:
                n.kill9()
        shutil.rmtree(self.dir, ignore_errors=True)


class Cluster:
    """Three nodes without replicas; the slots are shared equally."""

    SLOTS = 16384

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="aa-cluster.")
        self.nodes = []

    def __enter__(self):
        for i in range(3):
            port = free_port(most=22000)        # the cluster's bus is 10,000 higher
            node = Node(self.dir, "n%d" % i, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", port=port).start()
            node.id = node.call("CLUSTER", "MYID").decode()
            node.call("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            node.call("CLUSTER", "ADDSLOTSRANGE", i * 5462, min((i + 1) * 5462, self.SLOTS) - 1)
            self.nodes.append(node)
        for n in self.nodes[1:]:
            self.nodes[0].call("CLUSTER", "MEET", "127.0.0.1", n.port)
        for n in self.nodes:
            eventually(lambda: b"cluster_state:ok" in n.call("CLUSTER", "INFO"), "the cluster is up", 20)
        self.url = "cluster://" + ",".join("127.0.0.1:%d" % n.port for n in self.nodes)
        return self

    def holder(self, thread):
        """(slot, the node that has it now) of a thread's keys."""
        slot = self.nodes[0].call("CLUSTER", "KEYSLOT", "aa:{%s}:meta" % thread)
        for first, last, master, *_ in self.nodes[0].call("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                return slot, next(n for n in self.nodes if n.port == master[1])
        raise AssertionError("no node has slot %d" % slot)

    def stored(self, thread):
        """As stored(); asks the node that is named, since the nodes learn of a move one after another."""
        _, node = self.holder(thread)
        where = (node.host, node.port)
        for _ in range(100):
            try:
                return stored(where, thread)
            except RedisError as e:
                check(str(e).startswith("MOVED "), "reading %s: %s" % (thread, e))
                host, port = str(e).split()[2].rsplit(":", 1)
                where = (host, int(port))
                time.sleep(0.1)
        raise AssertionError("the nodes do not agree who has " + thread)

    def move(self, slot, source, target, pause=0.0):
        """As redis-cli --cluster reshard does it, with a pause between the steps."""
        target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)
        while True:
            keys = source.call("CLUSTER", "GETKEYSINSLOT", slot, 1)
            if not keys:
                break
            source.call("MIGRATE", "127.0.0.1", target.port, keys[0], 0, 5000)
            time.sleep(pause)
        for n in (target, source, *[n for n in self.nodes if n not in (source, target)]):
            n.call("CLUSTER", "SETSLOT", slot, "NODE", target.id)
        # news of an earlier move that is still on its way may undo this one at a node
        eventually(lambda: all([self._knows(n, slot, target) for n in self.nodes]), "the nodes agree who has slot %d" % slot, 20)
        time.sleep(0.2)

    @staticmethod
    def _knows(node, slot, target):
        for first, last, master, *_ in node.call("CLUSTER", "SLOTS"):
            if first <= slot <= last and master[1] == target.port:
                return True
        try:
            node.call("CLUSTER", "SETSLOT", slot, "NODE", target.id)
        except RedisError:                      # it still has keys that it must give up itself
            pass
        return False

    def __exit__(self, *_):
        for n in self.nodes:
            n.kill9()
        shutil.rmtree(self.dir, ignore_errors=True)
