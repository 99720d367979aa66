// Makes a launched worker ready: hello, the session's directory if it comes from the pool, and the restored
// context if it can take it.
import { HelloData, type Transcript } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { Logger } from "../../diagnostics/logger.ts";
import type { WorkerKind } from "../../machine/machine.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Snapshot } from "../log/live-transcript.ts";
import { chosenModel } from "./launch-worker.ts";
import { restoreWorker } from "./restore-worker.ts";
import type { WorkerLink } from "./worker-link.ts";

/**
 * Returns whether the worker has the context of the conversation. `onHello` is awaited before the next command is sent: what
 * the worker reports later (its model, its capabilities) is newer and must not be overwritten.
 */
export async function greetWorker(
  link: WorkerLink,
  record: SessionRecord,
  { limits, log, kind }: { limits: Limits; log: Logger; kind: Pick<WorkerKind, "capabilities"> },
  onHello: (hello: HelloData) => Promise<void>,
  snapshot: () => Promise<Snapshot>,
): Promise<boolean> {
  const { capabilities = [...kind.capabilities], ...rest } = await link.hello(limits.worker_start_ms);
  const greeted: HelloData = { ...rest, capabilities };
  const hello = link.fromPool ? await begin(link, record, greeted) : greeted;
  await onHello(hello);
  const { transcript } = await snapshot();
  await restoreSettings(link, transcript, hello, log);
  if (transcript.messages.length === 0 && transcript.branches.length === 1) return true;
  const knowsBranches = hello.capabilities?.includes("branch") === true;
  if (!hello.capabilities?.includes("restore")) {
    // It has its own context, but needs the ids that the server uses for its prompts.
    if (link.resumes && knowsBranches) await restoreWorker(link, transcript, record.name, true);
    return link.resumes;
  }
  const problem = await restoreWorker(link, transcript, record.name, knowsBranches);
  if (problem !== null) log.warn({ error: problem }, "a worker refused to restore a transcript");
  return problem === null;
}

/** Gives a worker from the pool its directory and model. */
async function begin(link: WorkerLink, record: SessionRecord, greeted: HelloData): Promise<HelloData> {
  const model = chosenModel(record);
  const response = await link.ask({
    type: "begin",
    cwd: record.cwd,
    ...(model === undefined ? {} : { model }),
  });
  if (response.success) return HelloData.parse({ ...greeted, ...Object(response.data) });
  return link.failStart(`The agent refused to start: ${response.error ?? "no reason given"}.`);
}

/** Settings that a person chose outlive the worker. The worker answers with a `settings` frame of its own. */
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
