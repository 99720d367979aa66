// The checker of the chaos run: compares the server's logs with the frames and responses that viewers got.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toNanoDollars } from "@patchbay/protocol";
import { DatabaseSync } from "@photostructure/sqlite";
import type { RunningServer } from "../server-process.ts";
import { TestViewer } from "../socket-client.ts";
import { type ChaosRecord, digestOf, type PromptRecord } from "./record.ts";

/** Runs with the server running and idle. */
export async function checkSessions(
  server: RunningServer,
  sessions: readonly string[],
  record: ChaosRecord,
): Promise<void> {
  const began = new Map<string, number>();
  let spent = 0;
  for (const session of sessions) {
    const log = await readLog(server, session);
    checkShown(session, log, record);
    for (const line of log) {
      if (line.includes('"type":"user_message"')) count(began, promptIn(line));
    }
    spent += loggedNanos(log);
    await checkViews(server, session, log.length, record);
  }
  const effects = readEffects(server);
  for (const prompt of record.prompts.values())
    checkPrompt(prompt, began.get(prompt.id) ?? 0, effects.get(prompt.id) ?? 0, record);
  const { body } = await server.call("GET", "/api/usage?group_by=session");
  const ledger = toNanoDollars((body as { total: { cost_usd: number } }).total.cost_usd);
  if (ledger !== spent) record.violate(`the ledger has ${ledger} nano-dollars, the logs have ${spent}`);
}

/** What a whole log says that its calls cost. `priced` frames replace the costs of earlier `usage` frames. */
export function loggedNanos(log: readonly string[]): number {
  const costs = new Map<number, number>();
  for (const [index, line] of log.entries()) {
    if (!line.includes('"type":"usage"') && !line.includes('"type":"priced"')) continue;
    const { type, cost_usd, frame } = JSON.parse(line) as { type: string; cost_usd: number; frame: number };
    if (type === "usage") costs.set(index + 1, toNanoDollars(cost_usd));
    else if (type === "priced") costs.set(frame, toNanoDollars(cost_usd));
  }
  return [...costs.values()].reduce((sum, nanos) => sum + nanos, 0);
}

/** Runs after the server has ended. */
export function checkDatabase(server: RunningServer, record: ChaosRecord): void {
  const database = new DatabaseSync(join(server.home, ".patchbay", "patchbay.db"));
  const result = database.prepare("pragma integrity_check").all();
  database.close();
  if (JSON.stringify(result) !== '[{"integrity_check":"ok"}]')
    record.violate(`the database is damaged: ${JSON.stringify(result).slice(0, 500)}`);
}

async function readLog(server: RunningServer, session: string): Promise<string[]> {
  const reader = new TestViewer(server.url, server.token, session, { since: 0 });
  await reader.caughtUp();
  const frames = [...reader.frames];
  await reader.close();
  return frames;
}

function checkShown(session: string, log: readonly string[], record: ChaosRecord): void {
  for (const [seq, digest] of record.shown.get(session) ?? []) {
    const line = log[seq - 1];
    if (line === undefined) record.violate(`${session}: frame ${seq} was shown and is not in the log`);
    else if (digestOf(line) !== digest)
      record.violate(`${session}: frame ${seq} was shown with another content`);
  }
}

/** A viewer with a snapshot and a viewer with every frame must have the same messages, and the list must agree. */
async function checkViews(
  server: RunningServer,
  session: string,
  seq: number,
  record: ChaosRecord,
): Promise<void> {
  const whole = new TestViewer(server.url, server.token, session, { since: 0 });
  const late = new TestViewer(server.url, server.token, session);
  await Promise.all([whole.caughtUp(), late.caughtUp()]);
  if (JSON.stringify(whole.transcript.messages) !== JSON.stringify(late.transcript.messages))
    record.violate(`${session}: a snapshot has other messages than the frames`);
  const { body } = await server.call("GET", `/api/sessions/${session}`);
  const listed = (body as { session: { seq: number } }).session.seq;
  if (listed !== seq) record.violate(`${session}: the list says ${listed} frames, the log has ${seq}`);
  await Promise.all([whole.close(), late.close()]);
}

function checkPrompt(prompt: PromptRecord, began: number, effects: number, record: ChaosRecord): void {
  const { id, answer, removed = false, setAside = false } = prompt;
  const response = JSON.stringify(answer);
  if (began > 1) record.violate(`${id}: began ${began} times (${response})`);
  if (effects > 1) record.violate(`${id}: was carried out ${effects} times (${response})`);
  if (answer?.success !== true || setAside || removed) return;
  if (began !== 1) record.violate(`${id}: answered ${response}, and began ${began} times`);
}

const promptIn = (line: string): string => /do ([0-9a-f-]{36}) /.exec(line)?.[1] ?? "";

function readEffects(server: RunningServer): Map<string, number> {
  const path = join(server.cwd, "effects");
  const found = new Map<string, number>();
  if (existsSync(path)) for (const id of readFileSync(path, "utf8").trim().split("\n")) count(found, id);
  return found;
}

const count = (into: Map<string, number>, key: string): void => void into.set(key, (into.get(key) ?? 0) + 1);
