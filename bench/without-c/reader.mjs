#!/usr/bin/env node
// The reading end of every bridge for machines without a C compiler; takes the same options and prints
// the same JSON as native/reader.c. Slower than the fastest bridges, so their figures are too low.
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { deltasPerUsage, firstFrame, minFrame } from "./frame.mjs";
import { Link } from "./link.mjs";

const text = { type: "string" };
const flag = { type: "boolean", default: false };
const { values: task, positionals: paths } = parseArgs({
  options: {
    workload: { ...text, default: "flood" },
    count: { ...text, default: "0" },
    bytes: { ...text, default: "0" },
    how: { ...text, default: "" },
    links: { ...text, default: "1" },
    pipe: text,
    port: text,
    "line-per-message": flag,
    "await-caught-up": flag,
    "first-only": flag,
  },
  allowPositionals: true,
});
const count = Number(task.count);
const maxRunMs = 90_000;
const now = () => process.hrtime.bigint();

const ends = [];
let wake = () => {};
let failure;

async function open(index) {
  const bytes = task.workload === "echo" ? minFrame : task.workload === "pace" ? 0 : Number(task.bytes);
  const end = { usages: 0, latencies: [], stamped: 0, finishedAt: 0n };
  end.link = new Link({
    size: bytes,
    linePerMessage: task["line-per-message"],
    other: (line) => readLine(end, line),
  });
  if (task.pipe === undefined) {
    await end.link.connect(Number(task.port), paths[index % paths.length], process.env.BENCH_TOKEN);
  } else {
    end.link.spawn(task.pipe);
  }
  // Rejects at the end of the link, which may come when all is over; whoever still waits is told.
  end.link
    .listen(() => wake())
    .catch((error) => {
      failure = error;
      wake();
    });
  ends.push(end);
}

function readLine(end, line) {
  const type = /^\{"type":"(\w+)"/.exec(line)?.[1];
  if (type === "text_delta") {
    end.latencies.push(Number(now() - BigInt(line.slice(31, 50))));
    end.stamped++;
  } else if (type === "response") {
    if (!line.includes('"success":true')) throw new Error(`refused: ${line}`);
    end.answered = true;
  } else if (type === "usage") end.usages++;
  else if (type === "done") end.done = true;
  else if (type === "caught_up") end.caughtUp = true;
  else if (type === "attached") end.replayed = line.includes('"verdict":"replay"');
}

async function until(satisfied) {
  while (!ends.every(satisfied)) {
    if (failure !== undefined) throw failure;
    await new Promise((resolve) => {
      wake = resolve;
    });
  }
}

const hasAll = (end) => {
  const all = end.link.check.frames + end.stamped >= count;
  if (all && end.finishedAt === 0n) end.finishedAt = now();
  return all;
};

function percentiles(latencies) {
  if (latencies.length === 0) return {};
  const sorted = latencies.toSorted((a, b) => a - b).map((ns) => ns / 1000);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50_us: at(0.5), p99_us: at(0.99), max_us: at(1) };
}

async function flood() {
  const message = [task.workload, count, task.bytes, task.how].join(" ");
  const wire = () => ends.reduce((sum, { link }) => sum + link.wireBytes, 0);
  const wireBefore = wire();
  const began = now();
  for (const { link } of task["first-only"] ? ends.slice(0, 1) : ends) {
    link.send(JSON.stringify({ type: "prompt", id: `b${process.pid}`, message }));
  }
  await until(hasAll);
  if (task.workload !== "hold") await until((end) => end.done);
  for (const { link, stamped, usages } of ends) {
    const got = link.check.frames + stamped;
    if (got !== count) throw new Error(`${got} frames came, not ${count}`);
    if (stamped === 0 && usages !== Math.floor(count / deltasPerUsage))
      throw new Error("usage frames are missing");
  }
  const last = ends.reduce((latest, end) => (end.finishedAt > latest ? end.finishedAt : latest), 0n);
  return {
    elapsed_ns: Number(last - began),
    frames: count * ends.length,
    wire_bytes: wire() - wireBefore,
    ...percentiles(ends.flatMap((end) => end.latencies)),
  };
}

async function roundTrips() {
  const [end] = ends;
  const latencies = [];
  const command = task.workload === "echo" ? { type: "prompt", message: "echo" } : { type: "get_state" };
  for (let i = 0; i < count; i++) {
    end.answered = end.done = false;
    if (task.workload === "echo") end.link.check.expected = firstFrame(minFrame);
    const seen = end.link.check.frames;
    await new Promise((resolve) => setTimeout(resolve, 1)); // low load: the machine may rest in between
    const began = now();
    end.link.send(JSON.stringify({ ...command, id: `r${i}` }));
    await until(() => (task.workload === "echo" ? end.link.check.frames > seen : end.answered));
    latencies.push(Number(now() - began));
    if (task.workload === "echo") await until(() => end.done);
  }
  return { round_trips: count, ...percentiles(latencies) };
}

/** Whoever started us takes the bridge's CPU time while nothing moves. */
const input = createInterface({ input: process.stdin });
const orders = input[Symbol.asyncIterator]();
async function sayAndWait(word) {
  process.stdout.write(word);
  await orders.next();
}

async function measure() {
  const began = now();
  for (let index = 0; index < Number(task.links); index++) await open(index);
  if (task.workload === "attach") {
    await until((end) => end.caughtUp);
    const [{ link, replayed }] = ends;
    const elapsed_ns = Number(now() - began);
    return { elapsed_ns, frames: link.check.frames, wire_bytes: link.wireBytes, replayed };
  }
  for (const { link } of ends) link.send('{"type":"get_state","id":"ready"}');
  await until((end) => end.answered && (end.caughtUp || !task["await-caught-up"]));
  await sayAndWait("ready\n");
  return task.workload === "echo" || task.workload === "ask" ? roundTrips() : flood();
}

setTimeout(() => process.exit(1), maxRunMs).unref(); // whatever hangs, this process ends
try {
  await sayAndWait(`${JSON.stringify(await measure())}\n`);
} catch (error) {
  process.stderr.write(`reader: ${error.message}\n`);
  process.exitCode = 1;
}
for (const { link } of ends) link.close();
input.close();
