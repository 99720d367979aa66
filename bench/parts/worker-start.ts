// The built-in worker from spawn to its first answer; bench/worker-start.mjs measures, this reports.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import * as z from "zod/mini";
import { figure, type Findings, type Setting } from "../part.ts";

const Start = z.object({
  empty_ms: z.number(),
  hello_ms: z.number(),
  ratio: z.number(),
  bar: z.number(),
  memory_mb: z.number(),
  within: z.boolean(),
});

export async function measure(setting: Setting): Promise<Findings> {
  const script = join(repository, "bench/worker-start.mjs");
  const entry = join(repository, "dist/worker/worker.cjs");
  const { stdout, stderr } = spawnSync(process.execPath, [script, entry, setting.quick ? "10" : "40"], {
    encoding: "utf8",
    timeout: 60_000,
  });
  const line = stdout.split("\n").find((text) => text.startsWith("{"));
  if (line === undefined) throw new Error(`worker-start.mjs said nothing: ${stderr}`);
  const start = Start.parse(JSON.parse(line));
  setting.say(`the worker answers after ${start.ratio} × an empty Node script`);
  return {
    tables: [
      {
        title: "Start of the built-in worker",
        header: ["× an empty Node script", "ms to the first answer", "empty script, ms", "memory, MB"],
        rows: [
          [figure(start.ratio), figure(start.hello_ms), figure(start.empty_ms), figure(start.memory_mb)],
        ],
      },
    ],
    bars: [
      {
        what: "worker start, × an empty Node script",
        measured: figure(start.ratio),
        bar: `≤ ${start.bar}`,
        met: start.within,
      },
      {
        what: "worker memory at idle, MB (goal)",
        measured: figure(start.memory_mb),
        bar: "≤ 80",
        met: start.memory_mb <= 80,
      },
    ],
  };
}
