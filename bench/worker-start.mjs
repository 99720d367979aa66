// How long a worker takes from spawn to its `hello` response, against an empty Node script from spawn
// to exit. Both alternate within one run, so that a busy machine slows them alike; the ratio is the result.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { workerEntry } from "../apps/worker/build.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const entry = process.argv[2] ?? join(root, "dist/worker", workerEntry);
const rounds = Number(process.argv[3] ?? 40);
const bar = 1.5;

const environment = { PATH: process.env.PATH, HOME: process.env.HOME };

function timeEmpty(script) {
  const began = performance.now();
  const child = spawn(process.execPath, [script], { stdio: "ignore", env: environment });
  return new Promise((resolve) => child.once("exit", () => resolve(performance.now() - began)));
}

function timeHello() {
  const began = performance.now();
  const child = spawn(process.execPath, [entry, "--on-eof", "abort"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: environment,
  });
  child.stdin.write('{"id":"0","type":"hello"}\n');
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("the worker exited before its hello response")));
    child.stdout.once("data", () => {
      const took = performance.now() - began;
      // Idle memory counts only once everything that answers commands has loaded.
      child.stdin.write('{"type":"ping"}\n');
      child.stdout.once("data", () => {
        const memory = residentMegabytes(child.pid);
        child.removeAllListeners("exit");
        child.once("exit", () => resolve({ took, memory }));
        child.stdin.end();
      });
    });
  });
}

/** Linux only; elsewhere the memory is not reported. */
function residentMegabytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const directory = await mkdtemp(join(tmpdir(), "patchbay-bench-"));
const script = join(directory, "empty.cjs");
await writeFile(script, "");
const empty = [];
const hello = [];
const memory = [];
for (let round = 0; round < rounds; round++) {
  empty.push(await timeEmpty(script));
  const { took, memory: used } = await timeHello();
  hello.push(took);
  memory.push(used);
}
await rm(directory, { recursive: true });

const ratio = median(hello) / median(empty);
console.log(
  JSON.stringify({
    bench: "worker-start",
    empty_ms: Number(median(empty).toFixed(1)),
    hello_ms: Number(median(hello).toFixed(1)),
    ratio: Number(ratio.toFixed(2)),
    bar,
    memory_mb: Number(median(memory).toFixed(1)),
    within: ratio <= bar,
  }),
);
process.exitCode = ratio <= bar ? 0 : 1;
