// Many slow sessions, the real life of this product: each worker writes 100 frames a second, one line
// at a time, so the cost is system calls and not bytes. Latency is from the worker's write to the reader.
import { startBridges } from "../bridges/all.ts";
import { type Findings, figure, type Setting } from "../part.ts";
import { read } from "../read.ts";

const hz = 100;

export async function measure(setting: Setting): Promise<Findings> {
  await using bridges = await startBridges(setting.say);
  const seconds = setting.quick ? 2 : 8;
  const tables = [];
  const last = new Map<string, { cpu: number; p99: number }>();
  for (const sessions of setting.quick ? [50] : [50, 200]) {
    const rows = [];
    for (const bridge of bridges.all) {
      const links = await bridge.links(sessions);
      const reading = await read(links, {
        workload: "pace",
        links: sessions,
        count: seconds * hz,
        bytes: 300,
        how: String(hz),
      });
      const cpu = (reading.cpu / reading.elapsed_ns) * 1e11;
      last.set(bridge.name, { cpu, p99: reading.p99_us });
      rows.push([
        bridge.name,
        bridge.pid === undefined ? "–" : figure(cpu),
        figure(reading.p50_us),
        figure(reading.p99_us),
        figure(reading.max_us),
      ]);
      setting.say(
        `${sessions} sessions at ${hz}/s, ${bridge.name}: ${figure(cpu)} % CPU, p99 ${figure(reading.p99_us)} µs`,
      );
    }
    tables.push({
      title: `${sessions} sessions, ${hz} frames/s each`,
      header: ["bridge", "CPU %", "p50 µs", "p99 µs", "worst µs"],
      rows,
    });
  }
  const ours = last.get("Patchbay") ?? { cpu: Number.NaN, p99: Number.NaN };
  const theirs = last.get("websocketd (text)")?.cpu ?? Number.NaN;
  const sessions = setting.quick ? 50 : 200;
  return {
    tables,
    bars: [
      {
        what: `${sessions} sessions, CPU, × websocketd's (goal)`,
        measured: figure(ours.cpu / theirs),
        bar: "≤ 1",
        met: ours.cpu <= theirs,
      },
      {
        what: `${sessions} sessions, p99 latency in ms (goal)`,
        measured: figure(ours.p99 / 1000),
        bar: "≤ 50",
        met: ours.p99 <= 50_000,
      },
    ],
  };
}
