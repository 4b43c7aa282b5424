"""Life of a worker: how it is started, how it stops, what it does under load."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import time

import harness
from harness import API, ROUTE, Failure, Site, check, equal, eventually, program, question


def alone(fn):
    fn.alone = True
    return fn


def test_SIGTERM_finishes_what_runs():
    with Site(workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site:
        streams = [site.open(ROUTE) for _ in range(8)]
        try:
            for s in streams:
                s.until("tool_call_end")
            one = site.workers[0]
            one.term()
            time.sleep(0.1)
            check(one.process.poll() is None, "it ended with turns running")
            for _ in range(10):
                equal(site.get(API + "/quick-actions").status, 200, "requests meanwhile")
            for s in streams:
                equal(s.rest().names[-1], "done", "a turn that ran when the signal came")
            equal(one.process.wait(5 * harness.SLACK), 0, "exit status")
        finally:
            for s in streams:
                s.leave()
        equal(site.chat(ROUTE).status, 200, "the other worker goes on")


def test_SIGTERM_when_idle_is_quick():
    with Site() as site:
        site.ask(ROUTE)
        w, started = site.workers[0], time.monotonic()
        w.term()
        equal(w.process.wait(10), 0, "exit status")
        check(time.monotonic() - started < 5 * harness.SLACK, "it took %.1f s" % (time.monotonic() - started))


def test_grace_period_is_a_bound():
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=60000, AVIATION_AGENT_GRACE_S=1) as site:
        w = site.workers[0]
        w.expected = range(-2, 256)
        with site.open(ROUTE) as s:
            s.until("tool_call_end")
            started = time.monotonic()
            w.term()
            w.process.wait(15)
            check(time.monotonic() - started < 6 * harness.SLACK, "it took %.1f s" % (time.monotonic() - started))


def test_second_SIGTERM_ends_at_once():
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=60000) as site:
        w = site.workers[0]
        w.expected = range(-20, 256)
        with site.open(ROUTE) as s:
            s.until("tool_call_end")
            w.term()
            time.sleep(0.3)
            check(w.process.poll() is None, "the first one waits")
            started = time.monotonic()
            w.term()
            w.process.wait(15)
            check(time.monotonic() - started < 3 * harness.SLACK, "it took %.1f s" % (time.monotonic() - started))


def test_reload_by_overlap():
    """A new worker takes over the path, the old one drains: no request fails."""
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=300) as site:
        w, failures, done = site.workers[0], [], []

        async def client():
            end = time.monotonic() + 3
            while time.monotonic() < end:
                status = await post(site.port, API + "/chat", question(ROUTE))
                (done if status == 200 else failures).append(status)

        async def all_of_it():
            clients = [asyncio.create_task(client()) for _ in range(8)]
            for _ in range(2):
                await asyncio.sleep(0.8)
                old = w.process
                new = await asyncio.get_running_loop().run_in_executor(None, lambda: start_over(w, old))
                old.send_signal(signal.SIGTERM)
                await asyncio.get_running_loop().run_in_executor(None, lambda: old.wait(20))
                equal(old.returncode, 0, "the old worker's exit status")
                w.process = new
            await asyncio.gather(*clients)
        asyncio.run(all_of_it())
        check(not failures, "%d of %d requests failed: %s" % (len(failures), len(done) + len(failures), set(failures)))


def start_over(w, old):
    """A second process on the same path; waits until the path is another socket."""
    before = os.stat(w.sock).st_ino
    with open(w.log_path, "ab") as log:
        new = subprocess.Popen([program("aviation-agent.fcgi"), "--listen", "unix:" + w.sock], stdin=subprocess.DEVNULL,
                               stdout=log, stderr=log, env=w.site.env, cwd=w.site.dir)
    eventually(lambda: os.path.exists(w.sock) and os.stat(w.sock).st_ino != before, "the new worker listens", 10)
    return new


async def post(port, path, body, read_to="end"):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    try:
        payload = json.dumps(body).encode()
        writer.write(("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
                      "Content-Length: %d\r\n\r\n" % (path, len(payload))).encode() + payload)
        data = await reader.read(-1)
        status = int(data.split(b" ", 2)[1]) if data else 0
        if path.endswith("/stream") and status == 200 and b"event: done\n" not in data:
            return -1
        return status
    finally:
        writer.close()


def test_inherited_descriptor_0():
    """As spawn-fcgi, multiwatch, mod_fcgid and lighttpd start it."""
    with Site(start=False) as site:
        w = site.workers[0]
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(w.sock)
            listener.listen(128)
            w.start(wait=False, stdin=listener, args=[program("aviation-agent.fcgi")])
        eventually(site.usable, "served through descriptor 0", 10)
        equal(site.ask(ROUTE).names[-1], "done", "a turn")


def test_socket_activation():
    """As systemd starts it: LISTEN_FDS, and LISTEN_PID with the worker's pid."""
    with Site(start=False) as site:
        w = site.workers[0]
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(w.sock)
            listener.listen(128)
            fd = listener.fileno()
            shell = 'exec 3<&%d; export LISTEN_FDS=1 LISTEN_PID=$$; exec "$0"' % fd
            w.start(wait=False, args=["/bin/bash", "-c", shell, program("aviation-agent.fcgi")], pass_fds=(fd,))
        eventually(site.usable, "served through LISTEN_FDS", 10)
        equal(site.ask(ROUTE).names[-1], "done", "a turn")
        w.term()
        equal(w.process.wait(10), 0, "exit status")
        check(os.path.exists(w.sock), "a socket that belongs to the supervisor was removed")


def test_two_workers_on_one_inherited_socket():
    with Site(workers=1, start=False, AVIATION_AGENT_BUILTIN_FIRST_MS=200) as site:
        w = site.workers[0]
        second = harness.Worker(site, 2)
        site.workers.append(second)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(w.sock)
            listener.listen(128)
            for each in (w, second):
                each.start(wait=False, stdin=listener, args=[program("aviation-agent.fcgi")])
        eventually(site.usable, "served", 10)
        time.sleep(0.3)
        statuses = asyncio.run(gather(site.port, 40))
        equal(set(statuses), {200}, "both at work")
        w.term()
        equal(w.process.wait(10), 0, "one of them stops")
        for _ in range(10):
            equal(site.chat(ROUTE).status, 200, "the other one still serves the same socket")


async def gather(port, n, path=API + "/chat"):
    return await asyncio.gather(*(post(port, path, question(ROUTE)) for _ in range(n)))


def test_TCP():
    port = harness.free_port()
    with Site(start=False, nginx=False) as site:
        w = site.workers[0]
        w.start(wait=False, args=[program("aviation-agent.fcgi"), "--listen", "127.0.0.1:%d" % port])

        def connects():
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return True
            except OSError:
                return False
        eventually(connects, "it listens on TCP", 10)


def test_TCP_that_others_reach_needs_a_switch():
    """A program that can connect can claim to be any user, so an address that other hosts can reach is refused."""
    port = harness.free_port()
    with Site(start=False, nginx=False) as site, socket.socket() as inherited:
        inherited.bind(("0.0.0.0", 0))
        inherited.listen(8)

        def refusal(address, stdin=subprocess.DEVNULL):
            try:
                p = subprocess.run([program("aviation-agent.fcgi")] + (["--listen", address] if address else []),
                                   env=site.env, stdin=stdin, cwd=site.dir, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, timeout=10 * harness.SLACK)
            except subprocess.TimeoutExpired:
                raise Failure("it serves %s" % (address or "an inherited socket"))
            check(p.returncode > 1, "exit status %d" % p.returncode)
            return p.stderr.decode()
        for said in (refusal("0.0.0.0:%d" % port), refusal("[::]:%d" % port), refusal(None, inherited)):
            check("other hosts can reach" in said and "AVIATION_AGENT_ALLOW_REMOTE=yes" in said
                  and "127.0.0.1:PORT" in said, said)
        site.env["AVIATION_AGENT_ALLOW_REMOTE"] = "yes"
        w = site.workers[0]
        w.start(wait=False, stdin=inherited, args=[program("aviation-agent.fcgi")])
        eventually(lambda: "ready" in w.log(), "with the switch it serves", 10)


def test_socket_mode_and_name():
    with Site() as site:
        mode = os.stat(site.workers[0].sock).st_mode & 0o777
        equal(oct(mode), oct(0o660), "mode of the socket")
    with Site(start=False, nginx=False) as site:
        def run(*args):
            try:
                p = subprocess.run([program("aviation-agent.fcgi")] + list(args), env=site.env, stdin=subprocess.DEVNULL,
                                   cwd=site.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=10 * harness.SLACK)
            except subprocess.TimeoutExpired:
                raise Failure("it serves with %s" % " ".join(args))
            return p.returncode, (p.stdout + p.stderr).decode()
        for args in (("--listen", "unix:" + site.dir + "/no/such/folder/x.sock"), ("--listen", "unix:/" + "x" * 200),
                     ("--listen", "nonsense"), ("--listen", "127.0.0.1:99999"), ("--listen", "unix:"), ("--nonsense",),
                     ("argument",), ()):
            status, said = run(*args)
            check(status not in (0, 1) and status > 0, "%s: exit status %d" % (args, status))
            check(said.strip(), "%s: says nothing" % (args,))
        status, said = run("--version")
        check(status == 0 and said.startswith("aviation-agent "), said)
        equal(run("--help")[0], 0, "--help")
        for name, value in (("AVIATION_AGENT_MAX_CHATS", "many"), ("CHECKPOINTER_PROVIDER", "oracle"),
                            ("AVIATION_AGENT_ENABLED", "perhaps"), ("AVIATION_AGENT_CONFIG", "../x"),
                            ("REDIS_URL", "http://x"), ("AVIATION_AGENT_HEARTBEAT_S", "0")):
            keep = dict(site.env)
            site.env[name] = value
            if name == "REDIS_URL":
                site.env["CHECKPOINTER_PROVIDER"] = "redis"
            status, said = run("--listen", "unix:" + site.dir + "/x.sock")
            site.env = keep
            check(status > 1, "%s=%s: exit status %d" % (name, value, status))
            check(name in said, "%s=%s: the message does not name it: %s" % (name, value, said))


def test_plain_requests_never_queue_behind_chats():
    with Site(AVIATION_AGENT_MAX_CHATS=3, AVIATION_AGENT_BUILTIN_FIRST_MS=int(4000 * harness.SLACK)) as site:
        streams = [site.open(ROUTE) for _ in range(3)]
        try:
            for s in streams:
                s.until("tool_call_end")
            for path in ("/chat", "/chat/stream"):
                r = site.post(API + path, question(ROUTE))
                equal(r.status, 503, "the fourth " + path)
                check(isinstance(r.json()["detail"], str) and r.header("Retry-After"), "precise: %r" % r.body)
            for _ in range(20):
                started = time.monotonic()
                equal(site.get("/health").status, 200, "health")
                check(time.monotonic() - started < 2 * harness.SLACK, "health waited")
            equal(site.get(API + "/nothing").status, 404, "an unknown path")
            for s in streams:
                equal(s.rest().names[-1], "done", "the three that ran")
        finally:
            for s in streams:
                s.leave()
        equal(site.chat(ROUTE).status, 200, "room again")


@alone
def test_many_streams_at_once():
    with Site("sqlite", workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=1500, AVIATION_AGENT_STORE_TIMEOUT_MS=10000) as site:
        statuses = asyncio.run(gather(site.port, 300, API + "/chat/stream"))
        equal({s: statuses.count(s) for s in set(statuses)}, {200: 300}, "outcomes (-1: without done)")
        equal(site.get("/health").json()["chats"]["active"], 0, "none is left over")


@alone
def test_no_descriptor_or_thread_is_left_behind():
    with Site(AVIATION_AGENT_THREAD_IDLE_S=1) as site:
        pid = site.workers[0].process.pid

        def fds():                  # connections to the two databases are kept, in small pools
            folder, names = "/proc/%d/fd/" % pid, []
            for f in os.listdir(folder):
                try:
                    names.append(os.readlink(folder + f))
                except OSError:
                    pass            # closed meanwhile
            pooled = [n for n in names if ".db" in n]
            check(len(pooled) < 80, "%d descriptors of databases" % len(pooled))
            return len(names) - len(pooled)

        def threads():
            return len(os.listdir("/proc/%d/task" % pid))
        asyncio.run(gather(site.port, 20))
        time.sleep(2)
        before = fds()
        for _ in range(4):
            asyncio.run(gather(site.port, 25, API + "/chat/stream"))
            for _ in range(10):
                with site.open(ROUTE) as s:
                    s.head()
        eventually(lambda: fds() <= before + 2, "descriptors: %d before, %d after" % (before, fds()), 6)
        eventually(lambda: threads() <= 6, "idle threads end: %d" % threads(), 8)


def test_descriptors_run_out():
    """At the limit of descriptors a worker backs off: it serves what it can hold, it neither ends
    nor spins, and it recovers."""
    with Site(start=False, AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site:
        w = site.workers[0]
        w.start(args=["/bin/bash", "-c", 'ulimit -n 100; exec "$0" --listen "unix:$1"',
                      program("aviation-agent.fcgi"), w.sock])
        statuses = asyncio.run(gather(site.port, 150, API + "/chat/stream"))
        counts = {s: statuses.count(s) for s in set(statuses)}
        check(set(statuses) <= {200, 503}, "outcomes: %s" % counts)
        check(counts.get(200, 0) >= 8, "hardly any were served: %s" % counts)
        check(w.process.poll() is None, "the worker ended")
        eventually(site.usable, "usable afterwards", 5)
        eventually(lambda: site.chat(ROUTE).status == 200, "a turn afterwards", 8, 0.2)


def test_garbage_on_the_socket():
    """Nobody but the web server should connect there; still, garbage must not end the worker."""
    with Site() as site:
        for junk in (b"", b"GET / HTTP/1.0\r\n\r\n", b"\0" * 64, os.urandom(512),
                     b"\1\1\0\1\0\10\0\0\0\1\0\0\0\0\0\0"):
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(site.workers[0].sock)
                try:
                    s.sendall(junk)
                except OSError:
                    pass
        check(site.workers[0].process.poll() is None, "the worker ended")
        eventually(site.usable, "usable afterwards", 5)


def test_starts_quickly_whatever_the_database():
    with Site() as site:
        for line in site.workers[0].log().splitlines():
            if "ready" in line and "ms=" in line:
                ms = int(line.split("ms=")[1].split()[0])
                check(ms < 500 * harness.SLACK, "ready after %d ms" % ms)
                return
    raise Failure("the log has no line that says ready")
