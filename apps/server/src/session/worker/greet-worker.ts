// Makes a launched worker ready: hello, its place if it comes from the pool, and its memory back if it
// can take it.
import { HelloData, type Transcript } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { Logger } from "../../diagnostics/logger.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Snapshot } from "../log/live-transcript.ts";
import { chosenModel } from "./launch-worker.ts";
import { restoreWorker } from "./restore-worker.ts";
import type { WorkerLink } from "./worker-link.ts";

/**
 * Tells whether it remembers what was said. `onHello` is awaited before anything else is asked: what a worker tells of
 * itself later (its model, its abilities) is newer.
 */
export async function greetWorker(
  link: WorkerLink,
  record: SessionRecord,
  { limits, log }: { limits: Limits; log: Logger },
  onHello: (hello: HelloData) => Promise<void>,
  snapshot: () => Promise<Snapshot>,
): Promise<boolean> {
  const greeted = withAbilities(await link.hello(limits.worker_start_ms));
  const hello = link.fromPool ? await begin(link, record, greeted) : greeted;
  await onHello(hello);
  const { transcript } = await snapshot();
  await restoreSettings(link, transcript, hello, log);
  if (transcript.messages.length === 0 && transcript.branches.length === 1) return true;
  const knowsBranches = hello.capabilities?.includes("branch") === true;
  if (!hello.capabilities?.includes("restore")) {
    // It has its own memory; what we call its prompts it must be told.
    if (link.resumes && knowsBranches) await restoreWorker(link, transcript, record.name, true);
    return link.resumes;
  }
  const problem = await restoreWorker(link, transcript, record.name, knowsBranches);
  if (problem !== null) log.warn({ error: problem }, "a worker refused to restore a transcript");
  return problem === null;
}

/** What any zot can, which names no capabilities. */
const zotAbilities = ["compact", "set_model", "images"];

const withAbilities = (hello: HelloData): HelloData =>
  hello.capabilities === undefined ? { ...hello, capabilities: zotAbilities } : hello;

/** Tells a worker from the pool where it is and which model it has. */
async function begin(link: WorkerLink, record: SessionRecord, greeted: HelloData): Promise<HelloData> {
  const model = chosenModel(record);
  const response = await link.ask({
    type: "begin",
    cwd: record.cwd,
    ...(model === undefined ? {} : { model }),
  });
  if (response.success) return HelloData.parse({ ...greeted, ...Object(response.data) });
  return link.failStart(`The worker refused to start: ${response.error ?? "it did not say why"}.`);
}

/** What a person chose outlives the worker they chose it for, which then tells how its settings stand. */
async function restoreSettings(
  link: WorkerLink,
  { surface: { settings } }: Transcript,
  hello: HelloData,
  log: Logger,
): Promise<void> {
  if (!hello.capabilities?.includes("settings")) return;
  const response = await link.ask({ type: "restore_settings", settings: settings ?? {} });
  if (!response.success) log.warn({ error: response.error }, "a worker refused to restore its settings");
}
