// The page's bench: runs the parts that were asked for and writes bench/RESULTS-WEB.md. Started by scripts/bench-web.mjs.
import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repository } from "@patchbay/testing/server-process";
import type { Findings, Part } from "../part.ts";
import { markdownBars, markdownTable, textBars, textTable } from "../report.ts";
import { measure as growth } from "./growth.ts";
import { measure as home } from "./home.ts";
import { measure as memory } from "./memory.ts";
import { measure as open } from "./open.ts";
import { measure as pace } from "./pace.ts";
import { measure as stream } from "./stream.ts";

const parts: readonly Part[] = [
  { name: "open", measure: open },
  { name: "home", measure: home },
  { name: "stream", measure: stream },
  { name: "pace", measure: pace },
  { name: "growth", measure: growth },
  { name: "memory", measure: memory },
];

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !parts.some((part) => part.name === name));
if (unknown !== undefined) {
  process.stderr.write(
    `bench: there is no part "${unknown}". Parts: ${parts.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(1);
}

const began = performance.now();
const load = loadavg()[0]?.toFixed(1) ?? "unknown";
const say = (sentence: string): void => {
  process.stderr.write(`bench: ${sentence}\n`);
};
const findings: Findings[] = [];
for (const { name, measure } of parts.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
)) {
  say(name);
  const found = await measure({ quick: values.quick, say });
  for (const table of found.tables) console.log(textTable(table));
  findings.push(found);
}
const bars = findings.flatMap((found) => found.bars);
console.log(textBars(bars));
if (positionals.length === 0) write();
process.exitCode = bars.every(({ met }) => met) ? 0 : 1;

function write(): void {
  const path = join(repository, "bench/RESULTS-WEB.md");
  const seconds = Math.round((performance.now() - began) / 1000);
  const cores = cpus();
  const text = [
    "# What the page does, measured",
    "",
    "Written by `npm run bench:web`; do not edit. A real Chromium, the built page and server, and a worker that writes",
    "Markdown of everything that answers are made of. Thread time is the page's own; times on the clock belong to this",
    "machine on this day.",
    "",
    `- ${new Date().toISOString().slice(0, 10)}, ${seconds} s${values.quick ? "; **a quick run: provisional**" : ""}`,
    `- ${cores.length} × ${cores[0]?.model.trim() ?? "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GB, load at the start ${load}; Node ${process.versions.node}`,
    ...(Number(load) > cores.length
      ? [
          `- **The machine was busy with other work (load ${load} on ${cores.length} cores): times on the clock are longer than the page's own.**`,
        ]
      : []),
    "",
    ...markdownBars(bars),
    "",
    ...findings.flatMap(({ tables }) => tables.flatMap((table) => [markdownTable(table), ""])),
  ].join("\n");
  writeFileSync(path, text);
  say(`wrote ${path} after ${seconds} s`);
}
