// The bench: runs the parts that were asked for, one after the other, prints as it goes and writes
// bench/RESULTS.md. Started by scripts/bench.mjs, which builds first.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { compile, compiler } from "./native.ts";
import type { Findings, Part } from "./part.ts";
import { measure as attach } from "./parts/attach.ts";
import { measure as costs } from "./parts/costs.ts";
import { measure as fanOut } from "./parts/fan-out.ts";
import { measure as fastIo } from "./parts/fast-io.ts";
import { measure as manySessions } from "./parts/many-sessions.ts";
import { measure as roundTrip } from "./parts/round-trip.ts";
import { measure as search } from "./parts/search.ts";
import { measure as sessions } from "./parts/sessions.ts";
import { measure as throughput } from "./parts/throughput.ts";
import { measure as workerStart } from "./parts/worker-start.ts";
import { textBars, textTable, writeResults } from "./report.ts";

const parts: readonly Part[] = [
  { name: "throughput", measure: throughput },
  { name: "round-trip", measure: roundTrip },
  { name: "many-sessions", measure: manySessions },
  { name: "fan-out", measure: fanOut },
  { name: "fast-io", measure: fastIo },
  { name: "attach", measure: attach },
  { name: "sessions", measure: sessions },
  { name: "worker-start", measure: workerStart },
  { name: "search", measure: search },
  { name: "costs", measure: costs },
];

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const names = parts.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`bench: there is no part "${unknown}". Parts: ${names.join(", ")}.\n`);
  process.exit(1);
}

const began = performance.now();
const load = loadavg()[0]?.toFixed(1) ?? "unknown";
const say = (sentence: string): void => {
  process.stderr.write(`bench: ${sentence}\n`);
};
compile();
if (compiler === undefined)
  say("no C compiler here: worker and reader run in Node, which limits the fast bridges");
const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const findings: Findings[] = [];
for (const part of chosen) {
  say(part.name);
  const found = await part.measure({ quick: values.quick, say });
  for (const table of found.tables) console.log(textTable(table));
  findings.push(found);
}
const bars = findings.flatMap((found) => found.bars);
if (bars.length > 0) console.log(textBars(bars));
const seconds = (performance.now() - began) / 1000;
if (positionals.length === 0) {
  const path = writeResults(findings, { quick: values.quick, parts: names, seconds, load });
  say(`wrote ${path} after ${Math.round(seconds)} s`);
}
