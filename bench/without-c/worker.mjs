#!/usr/bin/env node
// The bench's worker for machines without a C compiler; says what native/worker.c says. It is slower
// than a pipe, so figures taken with it show how the bridges compare, not how far the limit is.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { deltasPerUsage, firstFrame, minFrame, nextFrame } from "./frame.mjs";

const batchBytes = 65_536;
const usage =
  '{"type":"usage","input":10,"output":1000,"cache_read":5,"cache_write":1,"cost_usd":0.000003}\n';
const time = "2026-01-01T00:00:00Z";
const nothing = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 };
const state = { provider: "bench", model: "none", cwd: "/", message_count: 0, busy: false, usage: nothing };
const hello = { protocol_version: 1, version: "bench", provider: "bench", model: "none" };
const waiting = new Int32Array(new SharedArrayBuffer(4));
let holding = false;

/** Blocks until all is written, as a C program would; a full pipe answers EAGAIN when a peer made it so. */
function write(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") process.exit(0); // nobody listens any more
      Atomics.wait(waiting, 0, 0, 1);
    }
  }
}

const say = (line) => write(Buffer.from(`${JSON.stringify(line)}\n`));

function flood(count, size, lineByLine) {
  const frame = firstFrame(size);
  const batch = Buffer.alloc(batchBytes);
  let filled = 0;
  for (let sent = 1; sent <= count; sent++) {
    if (filled + size + usage.length > batchBytes || (lineByLine && filled > 0)) {
      write(batch.subarray(0, filled));
      filled = 0;
    }
    batch.set(frame, filled);
    filled += size;
    nextFrame(frame);
    if (sent % deltasPerUsage === 0) filled += batch.write(usage, filled, "latin1");
  }
  write(batch.subarray(0, filled));
}

/** One line at a time; each carries the moment it was written, for whoever reads the same clock. */
async function pace(count, size, hz) {
  const frame = firstFrame(size);
  const step = 1000 / hz;
  let due = performance.now() + ((process.pid * 7.919) % step);
  for (let sent = 0; sent < count; sent++, due += step) {
    const wait = Math.max(0, due - performance.now());
    await new Promise((resolve) => setTimeout(resolve, wait));
    frame.write(`T${String(process.hrtime.bigint()).padStart(19, "0")} `, 30, "latin1");
    write(frame);
  }
}

function endTurn() {
  say({ type: "assistant_message", content: [{ type: "text", text: "that was it" }], time });
  say({ type: "turn_end", stop: "end" });
  say({ type: "done" });
}

async function prompt({ id, message }) {
  const [word, count, bytes, how] = message.split(" ");
  const size = Math.max(Number(bytes) || 0, minFrame);
  say({ type: "response", command: "prompt", success: true, id, data: { started: true } });
  say({ type: "user_message", content: [{ type: "text", text: message }], time });
  say({ type: "turn_start", step: 1 });
  say({ type: "assistant_start" });
  if (word === "flood" || word === "hold") flood(Number(count), size, how === "lines");
  if (word === "pace") await pace(Number(count), size, Number(how));
  if (word === "echo") flood(1, minFrame, false);
  if (word === "hold") holding = true;
  else endTurn();
}

const answers = { hello, get_state: state, ping: { pong: true }, abort: {} };

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "") continue;
  const command = JSON.parse(line);
  if (command.type === "prompt") await prompt(command);
  const data = answers[command.type];
  if (data !== undefined)
    say({ type: "response", command: command.type, success: true, id: command.id, data });
  if (command.type === "abort" && holding) {
    endTurn();
    holding = false;
  }
}
