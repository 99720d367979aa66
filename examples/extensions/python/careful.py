#!/usr/bin/env python3
"""Asks the person before the agent runs a command that destroys something.

No SDK: one JSON object per line on stdin and stdout (docs/extensions.md). It intercepts tool calls, looks at
the shell's, and answers when the person has. Without an answer in 50 seconds the command is refused.
"""
import json
import re
import sys

DANGEROUS = re.compile(
    r"\brm\s+(-\w+\s+)*-\w*[rf]|\bgit\s+(push\b.*(--force|-f\b)|reset\s+--hard|clean\s+-\w*f)"
    r"|\bdd\s+.*\bof=|\bmkfs|\bdrop\s+(table|database)\b",
    re.IGNORECASE,
)

waiting = {}  # the id of a question: the id of the interception that waits for it
refused = 0


def emit(frame):
    sys.stdout.write(json.dumps(frame) + "\n")
    sys.stdout.flush()


def answer(interception, allowed, reason=""):
    global refused
    if not allowed:
        refused += 1
        emit({"type": "ui_request", "method": "setStatus", "statusKey": "careful",
              "statusText": f"{refused} refused"})
    emit({"type": "event_intercept_response", "id": interception, "block": not allowed, "reason": reason})


def on_intercept(frame):
    command = str((frame.get("tool_args") or {}).get("command", ""))
    if frame.get("tool_name") != "bash" or not DANGEROUS.search(command):
        return answer(frame["id"], True)
    question = "q" + frame["id"]
    waiting[question] = frame["id"]
    emit({"type": "ui_request", "id": question, "method": "confirm", "title": "Run this command?",
          "message": command, "timeout": 50000, "default": False})


def on_answer(frame):
    interception = waiting.pop(frame["id"], None)
    if interception is None:
        return
    why = "nobody was there to allow it" if frame.get("timed_out") else "the person refused this command"
    answer(interception, frame.get("confirmed") is True, why)


emit({"type": "hello", "name": "careful", "version": "1.0.0", "capabilities": ["events", "ui"]})
emit({"type": "subscribe", "intercept": ["tool_call"]})
emit({"type": "ready"})

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "event_intercept":
        on_intercept(message)
    elif message["type"] == "ui_response":
        on_answer(message)
    elif message["type"] == "shutdown":
        emit({"type": "shutdown_ack"})
        break
