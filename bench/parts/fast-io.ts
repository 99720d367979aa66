// What each part of the server's fast I/O gives: a server with all of it, and one without each part, in turn within each
// round. A part that gives nothing anywhere is to be deleted.
import { fastIoParts } from "../../apps/server/src/fast-io/fast-io.ts";
import { type Patchbay, patchbay } from "../bridges/patchbay.ts";
import { type Bar, type Findings, figure, median, type Setting } from "../part.ts";
import { type Links, type Reading, read, type Workload } from "../read.ts";

interface Case {
  title: string;
  sessions: number;
  work: Omit<Workload, "links">;
  /** Each round has new sessions: the log of a flood must not grow from round to round. */
  isFresh: boolean;
  /** More is worse. */
  cost(reading: Reading): number;
}

const cpuPerFrame = ({ cpu, frames }: Reading): number => cpu / frames;
const timePerFrame = ({ elapsed_ns, frames }: Reading): number => elapsed_ns / frames;

const cases = (quick: boolean): readonly Case[] => [
  {
    title: "a flood of 300 B, time",
    sessions: 1,
    work: { workload: "flood", count: quick ? 100_000 : 960_000, bytes: 300 },
    isFresh: true,
    cost: timePerFrame,
  },
  {
    title: "a flood of 4,096 B, time",
    sessions: 1,
    work: { workload: "flood", count: quick ? 20_000 : 96_000, bytes: 4096 },
    isFresh: true,
    cost: timePerFrame,
  },
  {
    title: "a command and its answer, p50",
    sessions: 1,
    work: { workload: "ask", count: quick ? 300 : 1500 },
    isFresh: false,
    cost: ({ p50_us }) => p50_us,
  },
  {
    title: "200 sessions at 100 frames/s, CPU",
    sessions: quick ? 50 : 200,
    work: { workload: "pace", count: quick ? 100 : 400, bytes: 300, how: "100" },
    isFresh: false,
    cost: cpuPerFrame,
  },
];

/** Less is what two runs of the same server differ by. */
const noticeable = 1.05;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const servers: Patchbay[] = [];
  try {
    servers.push(await patchbay("all of it"));
    for (const left of fastIoParts)
      servers.push(await patchbay(left, { fast_io: fastIoParts.filter((part) => part !== left) }));
    return await compare(servers, quick, say);
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
}

async function compare(servers: readonly Patchbay[], quick: boolean, say: Setting["say"]): Promise<Findings> {
  const ratios = new Map<string, number[]>(fastIoParts.map((part) => [part, []]));
  for (const one of cases(quick)) {
    const costs = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
    const kept = new Map<Patchbay, Links>();
    // The first round does not count: it measures Node's compiler.
    for (let round = -1; round < (quick ? 1 : 5); round++) {
      for (const server of servers) {
        const links = kept.get(server) ?? (await server.links(one.sessions));
        if (!one.isFresh) kept.set(server, links);
        const reading = await read(links, { ...one.work, links: one.sessions });
        if (round >= 0) costs.get(server.name)?.push(one.cost(reading));
      }
    }
    for (const server of servers) await server.links(0);
    const whole = median(costs.get("all of it") ?? []);
    for (const part of fastIoParts) ratios.get(part)?.push(median(costs.get(part) ?? []) / whole);
    say(
      `${one.title}: ${fastIoParts.map((part) => `without ${part} × ${figure(ratios.get(part)?.at(-1) ?? 0)}`).join(", ")}`,
    );
  }
  const bars: Bar[] = [...ratios].map(([part, values]) => ({
    what: `fast I/O: the most that ${part} gives, × what it costs without`,
    measured: figure(Math.max(...values)),
    bar: `≥ ${noticeable}`,
    met: Math.max(...values) >= noticeable,
  }));
  return {
    tables: [
      {
        title: "Fast I/O: without a part, × with all",
        header: ["without", ...cases(quick).map(({ title }) => title)],
        rows: [...ratios].map(([part, values]) => [part, ...values.map(figure)]),
        note: "More than 1 is what the part saves.",
      },
    ],
    bars,
  };
}
