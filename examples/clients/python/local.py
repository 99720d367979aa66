"""Asks an agent through the local socket and prints its answer: local.py SOCKET PROMPT"""
import json
import socket
import sys

path, prompt = sys.argv[1:3]
daemon = socket.socket(socket.AF_UNIX)
daemon.connect(path)
lines = daemon.makefile("rw", encoding="utf-8", newline="\n")


def call(number, method, params):
    lines.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    lines.flush()


def answer(number):
    """Prints what the agent says until the call is answered."""
    while line := lines.readline():
        message = json.loads(line)
        if message.get("method") == "session/update":
            if message["params"]["type"] == "agent_message_chunk":
                print(message["params"]["text"], end="", flush=True)
        elif message.get("id") == number:
            if "error" in message:
                sys.exit(message["error"]["message"])
            return message["result"]
    sys.exit("The server is gone.")


call(1, "initialize", {"protocol_version": 1})
answer(1)
call(2, "session/new", {})
session = answer(2)["session_id"]
call(3, "session/prompt", {"session_id": session, "prompt": prompt})
answer(3)
print()
