"""Redis that accepts only TLS, reached through a local stunnel as the program's own message says."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile

from faults import QUESTIONS, Node, call, keys_without_ttl, stored, whole
from harness import API, HERE, ROOT, Failure, Site, Skip, check, cli, equal, eventually, free_port, question, stop

CERT, KEY = os.path.join(HERE, "data", "tls.crt"), os.path.join(HERE, "data", "tls.key")


@contextlib.contextmanager
def tls_redis(folder):
    """A server with a plain port for the test and a TLS port for the program: yields (node, TLS port)."""
    port = free_port()
    node = Node(folder, "tls", "--tls-port", str(port), "--tls-cert-file", CERT, "--tls-key-file", KEY,
                "--tls-ca-cert-file", CERT, "--tls-auth-clients", "no")
    try:
        node.start()
    except Failure as e:
        if "Bad directive" in str(e):
            raise Skip("this redis-server has no TLS")
        raise
    try:
        yield node, port
    finally:
        node.kill9()


class Tunnel:
    """stunnel with the settings of doc/redis.md, for this server and another accept port."""

    def __init__(self, folder, accept, connect, name):
        with open(os.path.join(ROOT, "doc", "redis.md"), encoding="utf-8") as f:
            shipped = re.search(r"(?m)^    # /etc/stunnel/redis.conf\n((?:    .*\n)+)", f.read())
        check(shipped is not None, "doc/redis.md has no settings for stunnel")
        text = re.sub(r"(?m)^    ", "", shipped.group(1))
        for line, value in (("accept", "127.0.0.1:%d" % accept), ("connect", connect), ("CApath", None), ("checkHost", name)):
            text, n = re.subn(r"(?m)^%s = .*$" % line, "CAfile = " + CERT if value is None else "%s = %s" % (line, value), text)
            equal(n, 1, "lines with %s in doc/redis.md" % line)
        self.accept, self.folder, self.process = accept, folder, None
        self.conf = os.path.join(folder, "stunnel-%d.conf" % accept)
        with open(self.conf, "w") as f:
            f.write("foreground = yes\npid =\n" + text)

    def start(self):
        with open(self.conf + ".log", "ab") as log:
            self.process = subprocess.Popen([stunnel(), self.conf], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def listens():
            check(self.process.poll() is None, "stunnel ended: %s" % open(self.conf + ".log").read()[-500:])
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.accept), 1).close()
                return True
        eventually(listens, "stunnel listens", 10)

    def stop(self):
        if self.process is not None:
            stop(self.process)
            self.process = None


def stunnel():
    found = shutil.which("stunnel", path="/usr/bin:/usr/local/bin")
    if found is None:
        raise Skip("no stunnel")
    return found


def test_a_tunnel_as_the_message_names_it():
    """A build without TLS refuses rediss:// and names a tunnel. With that tunnel it works, also after the
    tunnel was away for a moment; a certificate for another name is not accepted."""
    stunnel()
    folder = tempfile.mkdtemp(prefix="aa-tls.")
    tunnels = []
    try:
        with tls_redis(folder) as (redis, port):
            status, out, err = cli("check", env={"CHECKPOINTER_PROVIDER": "redis",
                                                 "REDIS_URL": "rediss://localhost:%d" % port})
            connect = "localhost:%d" % port
            if "built without TLS" in out + err:
                named = re.search(r"client = yes, accept = 127\.0\.0\.1:6390, connect = ([^)]*)\)", out + err)
                check(status != 0 and named, "the message: %s" % (out + err)[-500:])
                connect = named.group(1)
            tunnels = [Tunnel(folder, free_port(), connect, "localhost"), Tunnel(folder, free_port(), connect, "other.example")]
            for t in tunnels:
                t.start()
            with Site("redis", start=False, REDIS_URL="redis://127.0.0.1:%d" % tunnels[0].accept,
                      AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site:
                site.workers[0].start()
                first = site.ask(QUESTIONS[0])
                thread = first.thread
                with site.open(QUESTIONS[1], thread, headers=None) as s:
                    s.until("tool_call_end")
                    tunnels[0].stop()
                    tunnels[0].start()
                    turn = s.rest()
                equal(turn.one("done")["metadata"].get("saved", True), True, "stored after the tunnel came back")
                # a run whose events come by a connection that listens
                with site.open(QUESTIONS[2], thread, headers={"X-Stream-Ids": "1"}) as s:
                    run = s.head().header("X-Run-ID")
                    with site.follow(run) as other:
                        equal(other.rest().one("done")["run_id"], run, "the run that was followed")
                where = (redis.host, redis.port)
                whole(stored(where, thread), QUESTIONS)
                equal(len(stored(where, thread)), 6, "messages")
                equal(keys_without_ttl(where), [], "keys that never expire")
            with Site("redis", start=False, REDIS_URL="redis://127.0.0.1:%d" % tunnels[1].accept,
                      AVIATION_AGENT_STORE_TIMEOUT_MS=1000) as site:
                site.workers[0].start()
                equal(site.post(API + "/chat", question(QUESTIONS[0])).status, 503, "a certificate of another name")
                equal(call(where, "GET", "aa:ping"), None, "what came through to Redis")
    finally:
        for t in tunnels:
            t.stop()
        shutil.rmtree(folder, ignore_errors=True)
