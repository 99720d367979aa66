// How many frames per second each bridge carries from worker to reader, and for how much CPU time.
// Bridges alternate within each round, so that a machine that slows down slows them alike.

import { type Bridges, startBridges } from "../bridges/all.ts";
import type { Bridge } from "../bridges/bridge.ts";
import { numberAt } from "../fields.ts";
import { type Bar, type Findings, figure, median, type Setting, type Table } from "../part.ts";
import { read } from "../read.ts";

interface Case {
  title: string;
  bytes: number;
  sessions: number;
  how?: string;
  /** Frames in one round, in all sessions together; slow bridges get the second number. */
  frames: readonly [number, number];
}

const cases: readonly Case[] = [
  { title: "60 B", bytes: 60, sessions: 1, frames: [3_000_000, 48_000] },
  { title: "300 B", bytes: 300, sessions: 1, frames: [960_000, 48_000] },
  { title: "4,096 B", bytes: 4096, sessions: 1, frames: [96_000, 16_000] },
  { title: "60 B × 16 sessions", bytes: 60, sessions: 16, frames: [3_200_000, 96_000] },
  { title: "300 B × 16 sessions", bytes: 300, sessions: 16, frames: [960_000, 96_000] },
  { title: "4,096 B × 16 sessions", bytes: 4096, sessions: 16, frames: [96_000, 32_000] },
  { title: "300 B, written line by line", bytes: 300, sessions: 1, how: "lines", frames: [320_000, 48_000] },
];

interface Tally {
  perSecond: number[];
  frames: number;
  cpu: number;
  usages: number;
}

export async function measure(setting: Setting): Promise<Findings> {
  await using bridges = await startBridges(setting.say);
  const tables: Table[] = [];
  const medians = new Map<string, Map<string, number>>();
  let cpuPerMillion = Number.NaN;
  let usages = 0;
  for (const one of cases) {
    const tallies = await measureCase(one, bridges, setting);
    const speeds = new Map([...tallies].map(([bridge, tally]) => [bridge.name, median(tally.perSecond)]));
    medians.set(one.title, speeds);
    tables.push(tableOf(one, tallies, speeds));
    const ours = tallies.get(bridges.patchbay);
    usages += ours?.usages ?? 0;
    if (one === cases[0] && ours !== undefined) cpuPerMillion = (ours.cpu / ours.frames) * 1e6;
  }
  const ledger = await checkLedger(bridges, usages);
  return { tables, bars: [...barsOf(medians, cpuPerMillion), ledger] };
}

async function measureCase(one: Case, { all }: Bridges, setting: Setting): Promise<Map<Bridge, Tally>> {
  const tallies = new Map<Bridge, Tally>(
    all.map((bridge) => [bridge, { perSecond: [], frames: 0, cpu: 0, usages: 0 }]),
  );
  // The first round does not count: it is Node's compiler that it measures, in two of the bridges.
  for (let round = -1; round < (setting.quick ? 1 : 5); round++) {
    for (const [bridge, tally] of tallies) {
      const frames = one.frames[bridge.slow ? 1 : 0] / (setting.quick ? 4 : 1);
      const count = Math.floor(frames / one.sessions);
      const links = await bridge.links(one.sessions);
      const reading = await read(links, {
        workload: "flood",
        links: one.sessions,
        count,
        bytes: one.bytes,
        ...(one.how === undefined ? {} : { how: one.how }),
      });
      tally.usages += Math.floor(count / 1000) * one.sessions;
      if (round < 0) continue;
      tally.cpu += reading.cpu;
      tally.frames += reading.frames;
      tally.perSecond.push((reading.frames / reading.elapsed_ns) * 1e9);
    }
  }
  const words = [...tallies].map(
    ([{ name }, { perSecond }]) => `${name} ${figure(median(perSecond) / 1000)}`,
  );
  setting.say(`${one.title}, thousand frames/s: ${words.join(", ")}`);
  return tallies;
}

function tableOf(one: Case, tallies: Map<Bridge, Tally>, speeds: Map<string, number>): Table {
  const pipe = speeds.get("bare pipe") ?? Number.NaN;
  const text = speeds.get("websocketd (text)") ?? Number.NaN;
  const rows = [...tallies].map(([bridge, tally]) => {
    const speed = median(tally.perSecond);
    const cpu = bridge.pid === undefined ? "–" : figure((tally.cpu / tally.frames) * 1e6);
    const megabytes = (speed * one.bytes) / 1e6;
    return [
      bridge.name,
      figure(speed / pipe),
      figure(speed / text),
      figure(speed / 1000),
      figure(megabytes),
      cpu,
    ];
  });
  return {
    title: `Relay, ${one.title}`,
    header: [
      "bridge",
      "of the pipe",
      "× websocketd (text)",
      "thousand frames/s",
      "MB/s",
      "CPU s per million",
    ],
    rows,
    ...(one.bytes === 4096 && one.sessions === 1 ? { note: rawModeNote(speeds) } : {}),
  };
}

/** Large frames are copied, not handled: how far a text mode can be outrun is a matter of the machine. */
function rawModeNote(speeds: Map<string, number>): string {
  const raw = speeds.get("websocketd --binary") ?? Number.NaN;
  const text = speeds.get("websocketd (text)") ?? Number.NaN;
  const ours = speeds.get("Patchbay") ?? Number.NaN;
  const logged = speeds.get("C with a log") ?? Number.NaN;
  return [
    `websocketd's raw mode, which keeps neither lines nor a log, reaches ${figure(raw / text)} × its text mode on this`,
    `machine and Patchbay ${figure(ours / raw)} of that mode. The bar of 4 × was set on a machine where the raw mode`,
    "reaches 6.3 × (../shared/performance.md), so there it asks for 0.64 of it.",
    ...(Number.isNaN(logged)
      ? []
      : [`The C program that only keeps a log reaches ${figure(logged / text)} ×.`]),
  ].join("\n");
}

function barsOf(medians: Map<string, Map<string, number>>, cpuPerMillion: number): Bar[] {
  const ratio = (title: string, over: string) => {
    const speeds = medians.get(title);
    return (speeds?.get("Patchbay") ?? Number.NaN) / (speeds?.get(over) ?? Number.NaN);
  };
  const atLeast = (what: string, value: number, bar: number): Bar => ({
    what,
    measured: figure(value),
    bar: `≥ ${bar}`,
    met: value >= bar,
  });
  return [
    atLeast("60 B, of the bare pipe", ratio("60 B", "bare pipe"), 0.15),
    atLeast("60 B, of the bare pipe (goal)", ratio("60 B", "bare pipe"), 0.4),
    atLeast("60 B, × websocketd (text)", ratio("60 B", "websocketd (text)"), 10),
    atLeast("60 B, × websocketd (text) (goal)", ratio("60 B", "websocketd (text)"), 50),
    atLeast("60 B, × websocketd --binary (goal)", ratio("60 B", "websocketd --binary"), 1),
    atLeast("300 B, × websocketd (text)", ratio("300 B", "websocketd (text)"), 10),
    atLeast("4,096 B, × websocketd (text)", ratio("4,096 B", "websocketd (text)"), 4),
    ...[0.5, 0.25].map((bar) => ({
      what: `60 B, CPU seconds per million frames${bar === 0.25 ? " (goal)" : ""}`,
      measured: figure(cpuPerMillion),
      bar: `≤ ${bar}`,
      met: cpuPerMillion <= bar,
    })),
  ];
}

/** What the floods cost, to the micro-dollar: the ledger must have kept up with the log. */
async function checkLedger({ patchbay }: Bridges, usages: number): Promise<Bar> {
  await patchbay.links(0); // a deleted session has written down everything; its entries stay
  const { body } = await patchbay.server.call("GET", "/api/usage");
  const micros = Math.round(numberAt(body, ["total", "cost_usd"]) * 1e6);
  return {
    what: "the ledger's sum, in micro-dollars, is that of the usage frames",
    measured: micros.toLocaleString("en-US"),
    bar: (usages * 3).toLocaleString("en-US"),
    met: micros === usages * 3 && numberAt(body, ["total", "output"]) === usages * 1000,
  };
}
