"""Asks an agent through the session socket and prints its answer: session.py URL PROMPT

Only the standard library: the WebSocket is spoken by hand, which is little more than a length before each message."""
import base64
import json
import os
import pathlib
import socket
import struct
import sys
import urllib.request

url, prompt = sys.argv[1:3]
# Not an argument: everybody on the machine can read those.
token = os.environ.get("PATCHBAY_TOKEN") or (pathlib.Path.home() / ".patchbay/token").read_text().strip()
authorization = {"authorization": f"Bearer {token}"}
create = urllib.request.Request(
    f"{url}/api/sessions", b"{}", {**authorization, "content-type": "application/json"}, method="POST"
)
session = json.load(urllib.request.urlopen(create))["session"]["id"]

host, port = url.removeprefix("http://").split(":")
connection = socket.create_connection((host, int(port)))
key = base64.b64encode(os.urandom(16)).decode()
connection.sendall(
    f"GET /api/sessions/{session}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
    f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
)
stream = connection.makefile("rb")
while stream.readline().strip():
    pass


def send(command, opcode=1):
    data = command if isinstance(command, bytes) else (json.dumps(command) + "\n").encode()
    mask = os.urandom(4)
    size = bytes([128 | len(data)]) if len(data) < 126 else b"\xff" + struct.pack(">Q", len(data))
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
    connection.sendall(bytes([128 | opcode]) + size + mask + masked)


def messages():
    while head := stream.read(2):
        length = head[1]
        if length == 126:
            (length,) = struct.unpack(">H", stream.read(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", stream.read(8))
        data = stream.read(length)
        if head[0] & 15 == 9:
            send(data, opcode=10)  # a ping: say that we are still here
        elif head[0] & 15 == 1:
            yield data.decode()


send({"id": "1", "type": "prompt", "message": prompt})
started, code = False, 0
for message in messages():
    for line in filter(None, message.split("\n")):
        frame = json.loads(line)
        if frame["type"] == "text_delta":
            print(frame["delta"], end="", flush=True)
        elif frame["type"] == "response" and frame.get("id") == "1":
            if not frame["success"]:
                sys.exit(frame["error"])
            started = True
        elif frame["type"] == "worker" and frame["event"] == "exited":
            # One that ends without a reason before the prompt was taken is started again.
            if started or "reason" in frame:
                sys.exit(frame.get("reason", "The agent was stopped."))
        elif frame["type"] == "error":
            print(frame["message"], file=sys.stderr)
            code = 1
        elif frame["type"] == "done":
            print()
            sys.exit(code)
sys.exit("The server is gone.")
