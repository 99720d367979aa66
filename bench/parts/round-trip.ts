// Round trips at low load, one at a time: a command that the worker answers (`ask`), and a prompt up to
// its first delta (`echo`), which in Patchbay passes the queue, the turn, the log and the ledger.
import { startBridges } from "../bridges/all.ts";
import { type Bar, type Findings, figure, median, type Setting } from "../part.ts";
import { type Links, read } from "../read.ts";

const workloads = { ask: "a command and the worker's answer", echo: "a prompt and its first frame" } as const;

const savedFirst =
  "Patchbay commits a prompt before the worker gets it, so that it runs once whatever happens, and a frame before it is shown; the others save nothing. The bar is for a command and its answer.";

interface Trips {
  p50: number[];
  p99: number[];
}

export async function measure(setting: Setting): Promise<Findings> {
  await using bridges = await startBridges(setting.say);
  const count = setting.quick ? 300 : 1500;
  const tables = [];
  const bars: Bar[] = [];
  for (const workload of ["ask", "echo"] as const) {
    const trips = new Map<string, Trips>(bridges.all.map(({ name }) => [name, { p50: [], p99: [] }]));
    // The first rounds do not count: it is Node's compiler that they measure, in two of the bridges.
    const [uncounted, counted] = setting.quick ? [1, 1] : [3, 9];
    // A question is asked of a session that people work in; prompts are not, because they make it longer.
    const kept = new Map<string, Links>();
    for (let round = 0; round < uncounted + counted; round++) {
      for (const bridge of bridges.all) {
        const links = kept.get(bridge.name) ?? (await bridge.links(1));
        if (workload === "ask") kept.set(bridge.name, links);
        const reading = await read(links, { workload, count });
        if (round < uncounted) continue;
        trips.get(bridge.name)?.p50.push(reading.p50_us);
        trips.get(bridge.name)?.p99.push(reading.p99_us);
      }
    }
    const minimal = trips.get("minimal ws");
    const of = (name: "p50" | "p99", values: Trips | undefined) =>
      median(values?.[name] ?? []) / median(minimal?.[name] ?? []);
    tables.push({
      title: `Round trip: ${workloads[workload]}`,
      header: ["bridge", "p50, × minimal ws", "p99, × minimal ws", "p50 µs", "p99 µs"],
      rows: [...trips].map(([name, values]) => [
        name,
        figure(of("p50", values)),
        figure(of("p99", values)),
        figure(median(values.p50)),
        figure(median(values.p99)),
      ]),
      ...(workload === "echo" ? { note: savedFirst } : {}),
    });
    const ours = trips.get("Patchbay");
    for (const [percentile, bar, goal] of [
      ["p99", 1.5, workload === "echo" ? " (goal)" : ""],
      ["p50", 1.2, " (goal)"],
    ] as const) {
      bars.push({
        what: `${workloads[workload]}, ${percentile}, × minimal ws${goal}`,
        measured: figure(of(percentile, ours)),
        bar: `≤ ${bar}`,
        met: of(percentile, ours) <= bar,
      });
    }
    setting.say(
      `${workload}: Patchbay's p50 is ${figure(of("p50", ours))}, its p99 ${figure(of("p99", ours))} × minimal ws`,
    );
  }
  return { tables, bars };
}
