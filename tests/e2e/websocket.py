"""A small WebSocket client for tests: it can also do what a good client never does."""

import base64
import json
import os
import socket
import struct

from harness import SLACK, Failure

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Refused(Exception):
    """The handshake was answered with another status."""

    def __init__(self, status, head):
        super().__init__("status %d" % status)
        self.status, self.head = status, head


class Closed(Exception):
    def __init__(self, code, reason=""):
        super().__init__("closed with %s %s" % (code, reason))
        self.code, self.reason = code, reason


class WebSocket:
    def __init__(self, port, path, headers=None, origin=None, rcvbuf=None, timeout=20, version="13", host="127.0.0.1"):
        self.sock = socket.socket()
        if rcvbuf:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
        self.sock.settimeout(timeout * SLACK)
        self.sock.connect((host, port))
        lines = ["GET %s HTTP/1.1" % path, "Host: 127.0.0.1:%d" % port, "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: " + version,
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if origin:
            lines.append("Origin: " + origin)
        lines += ["%s: %s" % item for item in (headers or {}).items()]
        self.sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            more = self.sock.recv(4096)
            if not more:
                raise Refused(0, self.data)
            self.data += more
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        status = int(head.split()[1])
        if status != 101:
            self.sock.close()
            raise Refused(status, head)

    def frame(self, kind, payload, final=True):
        mask = os.urandom(4)
        n = len(payload)
        head = bytes([kind | (0x80 if final else 0)])
        head += bytes([0x80 | n]) if n < 126 else bytes([0x80 | 126]) + struct.pack(">H", n) if n < 65536 \
            else bytes([0x80 | 127]) + struct.pack(">Q", n)
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
        self.sock.sendall(head + mask + body)

    def send(self, value):
        text = value if isinstance(value, str) else json.dumps(value)
        self.frame(TEXT, text.encode("utf-8"))

    def _take(self, n):
        while len(self.data) < n:
            try:
                more = self.sock.recv(65536)
            except ConnectionError:
                raise Closed(1006)
            if not more:
                raise Closed(1006)
            self.data += more
        out, self.data = self.data[:n], self.data[n:]
        return out

    def receive(self):
        """The next text as a value. Pings are answered; Closed tells the code of a close."""
        while True:
            head = self._take(2)
            n = head[1] & 0x7f
            if n == 126:
                n = struct.unpack(">H", self._take(2))[0]
            elif n == 127:
                n = struct.unpack(">Q", self._take(8))[0]
            payload, kind = self._take(n), head[0] & 0x0f
            if kind == PING:
                self.frame(PONG, payload)
            elif kind == CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
                raise Closed(code, payload[2:].decode("utf-8", "replace"))
            elif kind == TEXT:
                return json.loads(payload.decode("utf-8"))
            elif kind != PONG:
                raise Failure("unexpected frame of kind %d" % kind)

    def until(self, *types):
        """All frames up to the first of these types."""
        got = []
        while True:
            got.append(self.receive())
            if got[-1]["type"] in types:
                return got

    def code(self):
        """The code with which the server closes; what comes before it is dropped."""
        try:
            while True:
                self.receive()
        except Closed as c:
            return c.code

    def close(self):
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
