// Runs the reader on the links of a bridge and validates the one line of JSON it prints. A reader that
// saw a frame missing, twice, out of order or changed ends with an error, and so does the bench.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { numberAt, valueAt } from "./fields.ts";
import { reader } from "./native.ts";
import { cpuSeconds } from "./process-cost.ts";

/** Where the reader finds a bridge. */
export interface Links {
  /** The bridge's process, whose CPU time is taken; nobody's for a bare pipe. */
  pid?: number | undefined;
  args: readonly string[];
  /** After the options: one path per session. */
  paths: readonly string[];
  token?: string;
}

export interface Workload {
  workload: "flood" | "hold" | "pace" | "ask" | "echo" | "attach";
  links?: number;
  count?: number;
  bytes?: number;
  how?: string;
  /** All links view one session. */
  firstOnly?: boolean;
}

export interface Reading {
  elapsed_ns: number;
  frames: number;
  wire_bytes: number;
  p50_us: number;
  p99_us: number;
  max_us: number;
  replayed: boolean;
  /** Seconds that the bridge used, without attaching and closing. */
  cpu: number;
}

function toReading(line: string, cpu: number): Reading {
  const said: unknown = JSON.parse(line);
  const number = (name: string) => numberAt(said, [name], 0);
  return {
    elapsed_ns: number("elapsed_ns"),
    frames: number("frames"),
    wire_bytes: number("wire_bytes"),
    p50_us: number("p50_us"),
    p99_us: number("p99_us"),
    max_us: number("max_us"),
    replayed: valueAt(said, ["replayed"]) === true,
    cpu,
  };
}

export async function read(links: Links, work: Workload): Promise<Reading> {
  const options: [string, string | number | undefined][] = [
    ["workload", work.workload],
    ["links", work.links],
    ["count", work.count],
    ["bytes", work.bytes],
    ["how", work.how],
  ];
  const args = options.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  if (work.firstOnly === true) args.push("--first-only");
  const child = spawn(reader, [...args, ...links.args, ...links.paths], {
    env: links.token === undefined ? {} : { BENCH_TOKEN: links.token },
    stdio: "pipe",
  });
  child.stdin.on("error", () => {}); // it ended early; its exit code says so, and stderr why
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  let reading: Reading | undefined;
  let before = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const now = cpuSeconds(links.pid);
    if (line === "ready") before = now;
    else reading = toReading(line, now - before);
    child.stdin.write("go\n");
  }
  const code = await ended;
  if (code === 0 && reading !== undefined) return reading;
  const reason = stderr.trim() || `the reader ended with ${code}`;
  throw new Error(`${work.workload} of ${work.bytes ?? 0} bytes on ${work.links ?? 1} links: ${reason}`);
}
