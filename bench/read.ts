// Runs the reader on the links of a bridge and validates the one line of JSON it prints. A reader that
// saw a frame missing, twice, out of order or changed ends with an error, and so does the bench.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
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

const Reading = z.object({
  elapsed_ns: z._default(z.number(), 0),
  frames: z._default(z.number(), 0),
  wire_bytes: z._default(z.number(), 0),
  p50_us: z._default(z.number(), 0),
  p99_us: z._default(z.number(), 0),
  max_us: z._default(z.number(), 0),
  replayed: z._default(z.boolean(), false),
});
/** `cpu` is what the bridge used in seconds, without attaching and closing. */
export type Reading = z.infer<typeof Reading> & { cpu: number };

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
    else reading = { ...Reading.parse(JSON.parse(line)), cpu: now - before };
    child.stdin.write("go\n");
  }
  const code = await ended;
  if (code === 0 && reading !== undefined) return reading;
  const reason = stderr.trim() || `the reader ended with ${code}`;
  throw new Error(`${work.workload} of ${work.bytes ?? 0} bytes on ${work.links ?? 1} links: ${reason}`);
}
