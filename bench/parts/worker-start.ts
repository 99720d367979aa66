// The built-in worker from spawn to its first answer; bench/worker-start.mjs measures, this reports.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repository } from "@patchbay/testing/server-process";
import { numberAt } from "../fields.ts";
import { type Findings, figure, type Setting } from "../part.ts";

const script = fileURLToPath(new URL("../worker-start.mjs", import.meta.url));

export async function measure(setting: Setting): Promise<Findings> {
  const entry = join(repository, "dist/worker/worker.cjs");
  const { stdout, stderr } = spawnSync(process.execPath, [script, entry, setting.quick ? "10" : "40"], {
    encoding: "utf8",
    timeout: 60_000,
  });
  const line = stdout.split("\n").find((text) => text.startsWith("{"));
  if (line === undefined) throw new Error(`worker-start.mjs said nothing: ${stderr}`);
  const said: unknown = JSON.parse(line);
  const start = {
    empty_ms: numberAt(said, ["empty_ms"]),
    hello_ms: numberAt(said, ["hello_ms"]),
    ratio: numberAt(said, ["ratio"]),
    bar: numberAt(said, ["bar"]),
    memory_mb: numberAt(said, ["memory_mb"]),
  };
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
        met: start.ratio <= start.bar,
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
