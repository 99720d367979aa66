// Runs the reader on the links of a bridge and validates the one line of JSON it prints. A reader that
// saw a frame missing, twice, out of order or changed ends with an error, and so does the bench.
import { spawn } from "node:child_process";
import * as z from "zod/mini";
import { reader } from "./native.ts";

/** Where the reader finds a bridge. */
export interface Links {
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
export type Reading = z.infer<typeof Reading>;

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
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve([code, signal]));
  });
  if (code !== 0) {
    const reason = output.stderr.trim() || `ended with ${code ?? signal}`;
    throw new Error(`${work.workload} of ${work.bytes ?? 0} bytes on ${work.links ?? 1} links: ${reason}`);
  }
  return Reading.parse(JSON.parse(output.stdout));
}
