// Responses to commands: forwards commands that the worker supports, and makes sure that none runs twice.
import type { Response } from "@patchbay/protocol";
import type { WorkerBound } from "../../machine/machine.ts";
import type { Session } from "../session.ts";
import { sendLine, type Viewer } from "../viewers/viewer.ts";
import type { WorkerLink } from "../worker/worker-link.ts";

export type Result = { success: true; data?: unknown } | { success: false; error: string };

export const failure = (error: string): Result => ({ success: false, error });

export function respond(
  { type, id }: { type: string; id?: string | undefined },
  { success, data, error }: Pick<Response, "success" | "data" | "error">,
): Response {
  const response: Response =
    id === undefined
      ? { type: "response", command: type, success }
      : { type: "response", command: type, id, success };
  if (data !== undefined) response.data = data;
  if (error !== undefined) response.error = error;
  return response;
}

/** A function that answers the command once (`queued`: the saved queue implies the same answer); null when the command was sent before and must not run again. */
export function respondOnce(
  session: Session,
  viewer: Viewer,
  command: { type: string; id?: string | undefined },
): ((result: Result, queued?: boolean) => void) | null {
  const { id } = command;
  if (id !== undefined && !session.receipts.claim(viewer.key, id, (response) => sendLine(viewer, response)))
    return null;
  let answered = false;
  return (result, queued = false) => {
    if (answered) return;
    answered = true;
    const response = respond(command, result);
    if (id === undefined) sendLine(viewer, response);
    else session.receipts.settle(viewer.key, id, response, queued);
  };
}

/** Whether the current worker's hello names the capability. */
export const hasCapability = (session: Session, capability: string): boolean =>
  session.hello?.capabilities?.includes(capability) ?? false;

/** Forwards the command to the worker, which is started if needed, and returns its result. */
export async function forward(session: Session, command: WorkerBound): Promise<Result> {
  try {
    const worker = session.worker.ready ?? (await session.worker.ensure());
    return resultOf(await worker.ask(command));
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

function resultOf({ success, data, error }: Response): Result {
  if (!success) return failure(error ?? "The agent refused this without a reason.");
  return data === undefined ? { success } : { success, data };
}

/** Forwards a query to a ready worker, and its response to the viewer as soon as it is read. */
export function forwardToWorker(worker: WorkerLink, viewer: Viewer, command: WorkerBound): void {
  try {
    worker.request(command, (response) => sendLine(viewer, respond(command, resultOf(response)), true));
  } catch (error) {
    sendLine(viewer, respond(command, failure(error instanceof Error ? error.message : String(error))));
  }
}

/** Starts the worker if needed, because only its hello names its capabilities. */
export async function forwardIfCapable(
  session: Session,
  command: WorkerBound,
  capability: string | null,
): Promise<Result> {
  try {
    await session.worker.ensure();
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
  if (capability !== null && !hasCapability(session, capability)) {
    return failure(`This agent does not support ${command.type}: it has no capability "${capability}".`);
  }
  return forward(session, command);
}
