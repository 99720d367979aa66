// Writes weeks of demo data to an empty home, through the store: sessions with transcripts, turns and model calls of several models,
// projects and branches. Used by screenshots and tests; the same seed gives the same data.
import { randomBytes } from "node:crypto";
import { toNanoDollars } from "@patchbay/protocol";
import type { LedgerEntry } from "../../apps/server/src/store/ledger-types.ts";
import type { SessionRecord } from "../../apps/server/src/store/session-record.ts";
import { SqliteStore } from "../../apps/server/src/store/sqlite/sqlite-store.ts";

interface DemoModel {
  provider: string;
  model: string;
  worker: string;
  /** Dollars per million tokens: input, output, cache read, cache write; null: unpriced. */
  prices: readonly [number, number, number, number] | null;
  /** The relative frequency. */
  weight: number;
}

const models: readonly DemoModel[] = [
  {
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    worker: "builtin",
    prices: [3, 15, 0.3, 3.75],
    weight: 9,
  },
  { provider: "anthropic", model: "claude-opus-4-8", worker: "zot", prices: [5, 25, 0.5, 6.25], weight: 4 },
  {
    provider: "anthropic",
    model: "claude-haiku-4-5",
    worker: "builtin",
    prices: [1, 5, 0.1, 1.25],
    weight: 5,
  },
  { provider: "openai", model: "gpt-5.2-codex", worker: "codex", prices: [1.75, 14, 0.175, 1.75], weight: 5 },
  { provider: "google", model: "gemini-3-pro", worker: "gemini", prices: [2, 12, 0.2, 2], weight: 3 },
  { provider: "ollama", model: "qwen3-coder", worker: "builtin", prices: null, weight: 1 },
];

const tasks: readonly (readonly [project: string, branch: string, name: string])[] = [
  ["weather", "feat/radar", "Rain radar on the map"],
  ["weather", "main", "Cache the station list"],
  ["billing", "main", "Dunning letters in French"],
  ["shop", "feat/search", "Rank results by margin"],
  ["shop", "main", "Fix the flaky basket test"],
  ["infra", "feat/blue-green", "Blue-green deploys"],
  ["infra", "main", "Why is the build slow?"],
  ["weather", "main", "Upgrade to Node 22"],
  ["weather", "fix/retry", "Why does the forecast job time out?"],
  ["weather", "main", "Add hourly wind to the API"],
  ["billing", "main", "Rename the invoice fields"],
  ["billing", "feat/tax", "Reverse charge for EU customers"],
  ["billing", "main", "Find the memory leak in the exporter"],
  ["billing", "feat/tax", "Migrate invoices to the new schema"],
  ["shop", "main", "Checkout on slow networks"],
  ["shop", "feat/search", "Search with typos"],
  ["shop", "main", "Accessibility pass of the cart"],
  ["infra", "main", "Terraform drift report"],
  ["infra", "main", "Rotate the staging certificates"],
];

const people = ["ana", "ben", "chidi", "dana"];

export interface DemoOptions {
  /** The home. No server may be running on it. */
  home: string;
  /** The parent directory of the projects. */
  projects: string;
  days: number;
  now?: number;
  /** Sessions per working day. */
  perDay?: number;
  withPeople?: boolean;
}

export interface DemoSession {
  id: string;
  name: string;
}

/** Resolves with the new sessions, newest last. */
export async function writeDemoLedger(options: DemoOptions): Promise<DemoSession[]> {
  const store = await SqliteStore.open({ home: options.home, segmentBytes: 8 << 20, onWriteError: () => {} });
  try {
    const random = seeded(20_261_116);
    const made: DemoSession[] = [];
    const now = options.now ?? Date.now();
    for (let day = options.days; day >= 0; day--) {
      const date = new Date(now - day * 86_400_000);
      const weekend = date.getDay() === 0 || date.getDay() === 6;
      const growth = 0.6 + (0.6 * (options.days - day)) / options.days;
      const sessions = Math.round((options.perDay ?? 8) * growth * (weekend ? 0.25 : 0.7 + random() * 0.6));
      for (let index = 0; index < sessions; index++) {
        const morning = new Date(date).setHours(8, 0, 0, 0);
        const start = morning + Math.floor(random() * 9 * 3_600_000);
        if (start > now - 3_600_000) continue;
        // Every model gets at least one session.
        const model = models[made.length] ?? pick(models, random);
        made.push(await writeSession(store, options, random, model, start, now));
      }
    }
    return made;
  } finally {
    await store.close();
  }
}

async function writeSession(
  store: SqliteStore,
  options: DemoOptions,
  random: () => number,
  model: DemoModel,
  start: number,
  now: number,
): Promise<DemoSession> {
  const [project, branch, name] = tasks[Math.floor(random() * tasks.length)] ?? ["weather", "main", "Work"];
  const record: SessionRecord = {
    id: randomBytes(8).toString("hex"),
    name,
    worker: model.worker,
    dialect: model.worker === "builtin" ? "zot" : "acp",
    cwd: `${options.projects}/${project}`,
    provider: model.provider,
    model: model.model,
    created_at: new Date(start).toISOString(),
    updated_at: new Date(start).toISOString(),
    seq: 0,
    message_count: 0,
    process: null,
    pinned: false,
    archived: false,
    deletes_at: null,
  };
  const entries: LedgerEntry[] = [];
  const frames: string[] = [];
  let time = start;
  let cached = 0;
  const turns = 1 + Math.floor(random() ** 2 * 9);
  const person = options.withPeople === true ? (people[Math.floor(random() * people.length)] ?? "") : "";
  for (let turn = 0; turn < turns && time < now; turn++) {
    const prompt = frames.length + 1;
    frames.push(
      frame("user_message", {
        content: text(`${turnWords[turn % turnWords.length]} (${name})`),
        time: iso(time),
      }),
    );
    const calls = 1 + Math.floor(random() ** 2 * 14);
    for (let call = 0; call < calls; call++) {
      time += 6_000 + Math.floor(random() * 30_000);
      const fresh = 400 + Math.floor(random() ** 3 * 30_000);
      const usage = {
        input: fresh,
        output: 120 + Math.floor(random() ** 2 * 2_600),
        cache_read: cached,
        cache_write: Math.floor(fresh * 0.8),
      };
      cached = Math.min(170_000, cached + usage.cache_write + usage.output);
      const cost = costOf(model, usage);
      frames.push(frame("turn_start", { step: call + 1 }));
      frames.push(
        frame("usage", { ...usage, cost_usd: cost ?? 0, ...(cost === null ? { unpriced: 1 } : {}) }),
      );
      entries.push({
        session: record.id,
        seq: frames.length,
        time: iso(time),
        turn: prompt,
        person,
        cwd: record.cwd,
        branch,
        worker: record.worker,
        provider: record.provider,
        model: record.model,
        ...usage,
        thinking: Math.floor(usage.output * 0.3),
        cost_nanos: toNanoDollars(cost ?? 0),
        price: cost === null ? "none" : "worker",
      });
      if (call < calls - 1) continue;
      frames.push(
        frame("assistant_message", { content: text("Done, and the tests pass."), time: iso(time) }),
      );
      frames.push(frame("turn_end", { stop: "end" }));
    }
    frames.push(frame("done", { duration_ms: calls * 12_000 }));
    time += 60_000 + Math.floor(random() * 900_000);
  }
  await store.createSession({
    ...record,
    updated_at: iso(Math.min(time, now)),
    seq: frames.length,
    message_count: turns * 2,
  });
  const log = await (await store.claim(record.id)).openLog();
  await log.append(Buffer.from(frames.map((line) => `${line}\n`).join("")), frames.length);
  await log.close();
  await store.record(entries);
  return { id: record.id, name };
}

const turnWords = [
  "Have a look and make a plan.",
  "Go on with the first part.",
  "The tests fail now. Why?",
  "Split that in two commits.",
  "Write the migration, too.",
];
const text = (content: string) => [{ type: "text", text: content }];
const frame = (type: string, fields: object): string => JSON.stringify({ type, ...fields });
const iso = (time: number): string => new Date(time).toISOString();

function costOf(
  { prices }: DemoModel,
  usage: { input: number; output: number; cache_read: number; cache_write: number },
): number | null {
  if (prices === null) return null;
  const [input, output, read, write] = prices;
  return (
    Math.round(
      usage.input * input + usage.output * output + usage.cache_read * read + usage.cache_write * write,
    ) / 1e6
  );
}

function pick(from: readonly DemoModel[], random: () => number): DemoModel {
  let at = random() * from.reduce((sum, { weight }) => sum + weight, 0);
  return from.find(({ weight }) => (at -= weight) < 0) ?? (from[0] as DemoModel);
}

/** mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
