// Carries out what a viewer asks of a session. Answers from the server's own knowledge where it can,
// so that looking at a stopped session does not start its worker.
import { randomUUID } from "node:crypto";
import { type Response, RunCommandData, type ViewerCommand } from "@patchbay/protocol";
import type { WorkerBound } from "../dialects/dialect.ts";
import type { Task } from "./queue.ts";
import type { Session } from "./session.ts";
import { sendLine, type Viewer } from "./viewer.ts";

type Of<T extends ViewerCommand["type"]> = Extract<ViewerCommand, { type: T }>;

export async function carryOut(session: Session, viewer: Viewer, command: ViewerCommand): Promise<void> {
  const answer = (result: Result) => sendLine(viewer, respond(command, result));
  switch (command.type) {
    case "prompt":
    case "compact":
      return submit(session, viewer, command);
    case "abort":
      await session.turns.abort();
      return answer({ success: true });
    case "extension_ui_response":
      if (!session.answer(command))
        answer(failure("That question is no longer open: it was answered or withdrawn."));
      return;
    case "queue_remove":
      return answer((await session.turns.remove(command.item)) ? { success: true } : failure(notQueued));
    case "queue_move":
      return answer(
        (await session.turns.move(command.item, command.to)) ? { success: true } : failure(notQueued),
      );
    case "queue_resume":
      return answer(
        session.turns.resume() ? { success: true } : failure("Nothing waits, or a turn is running."),
      );
    case "hello":
      return answer({ success: true, data: greeting(session) });
    case "ping":
      return answer({ success: true, data: { pong: true } });
    case "get_messages":
      return sendMessages(session, viewer, command);
    case "get_state":
      return answer(
        session.worker.ready === undefined ? stateWithoutWorker(session) : await pass(session, command),
      );
    case "clear": {
      const result = await pass(session, command);
      if (result.success) session.cleared();
      return answer(result);
    }
    case "set_model":
      return answer(await setModel(session, command));
    case "get_models":
      return answer(await pass(session, command));
    case "get_commands":
      return answer(
        session.worker.ready === undefined
          ? { success: true, data: { commands: [] } }
          : await pass(session, command),
      );
    case "reload_extensions":
      return answer(await pass(session, command));
    case "panel_key":
    case "panel_close":
      return answer(
        session.worker.ready === undefined
          ? failure("No panel is open: the worker has ended.")
          : await pass(session, command),
      );
    case "run_command":
      return runSlashCommand(session, viewer, command);
  }
}

const notQueued = "That is no longer in the queue: it has started or was removed.";

type Result = { success: true; data?: unknown } | { success: false; error: string };

const failure = (error: string): Result => ({ success: false, error });

const respond = (command: { type: string; id?: string | undefined }, result: Result): Response => ({
  type: "response",
  command: command.type,
  ...(command.id === undefined ? {} : { id: command.id }),
  ...result,
});

/** Viewers that are being sent a whole transcript: one at a time each, or a viewer that does not read would
 * have the server hold as many as it likes. */
const beingSent = new WeakSet<Viewer>();

async function sendMessages(session: Session, viewer: Viewer, command: Of<"get_messages">): Promise<void> {
  const answer = (result: Result) => viewer.send(`${JSON.stringify(respond(command, result))}\n`);
  if (beingSent.has(viewer)) {
    void answer(failure("The last get_messages is still being sent; ask again when it has arrived."));
    return;
  }
  beingSent.add(viewer);
  try {
    const { messages } = (await session.snapshot()).transcript;
    await answer({ success: true, data: { messages } });
  } finally {
    beingSent.delete(viewer);
  }
}

function submit(session: Session, viewer: Viewer, command: Of<"prompt"> | Of<"compact">): void {
  const { id, type, ...payload } = command;
  const answer = answerOnce(session, viewer, command);
  if (answer === null) return;
  const message = command.type === "prompt" ? (command.message ?? "") : "";
  const images = command.type === "prompt" ? (command.images?.length ?? 0) : 0;
  if (command.type === "prompt" && message.trim() === "" && images === 0) {
    return answer(failure("The prompt is empty. Write something, or attach an image."));
  }
  const task: Task = {
    id: randomUUID(),
    command: type,
    payload,
    message,
    images,
    queued_at: new Date().toISOString(),
    viewer: viewer.key,
    command_id: id ?? null,
    sent_seq: null,
    started: (data) => answer({ success: true, data }, true),
    waits: () => answer({ success: true, data: { started: false, queued: true } }),
    fail: (error) => answer(failure(error)),
  };
  session.turns.submit(task);
}

/** How the command is answered, the first time; null when it was sent before and must not run again. */
function answerOnce(
  session: Session,
  viewer: Viewer,
  command: { type: string; id?: string | undefined },
): ((result: Result, queued?: boolean) => void) | null {
  const { id } = command;
  if (id !== undefined && !session.answers.claim(viewer, id)) return null;
  let answered = false;
  return (result, queued = false) => {
    if (answered) return;
    answered = true;
    const response = respond(command, result);
    if (id === undefined) sendLine(viewer, response);
    else session.answers.settle(viewer.key, id, response, queued);
  };
}

/** A prompt that comes of it is the server's to send: it holds the queue. */
async function runSlashCommand(session: Session, viewer: Viewer, command: Of<"run_command">): Promise<void> {
  const answer = answerOnce(session, viewer, command);
  if (answer === null) return;
  const result = await pass(session, { ...command, start: false });
  const led = result.success ? RunCommandData.safeParse(result.data).data : undefined;
  if (led?.action !== "prompt" || led.text === undefined) return answer(result);
  const message = led.text;
  session.turns.submit({
    id: randomUUID(),
    command: "prompt",
    payload: { message },
    message,
    images: 0,
    queued_at: new Date().toISOString(),
    viewer: viewer.key,
    command_id: command.id ?? null,
    sent_seq: null,
    started: (data) => answer({ success: true, data: { ...led, ...Object(data) } }, true),
    waits: () => answer({ success: true, data: { ...led, started: false, queued: true } }),
    fail: (error) => answer(failure(error)),
  });
}

/** Gives the command to the worker, started if need be, and hands back what it answers. */
async function pass(
  session: Session,
  { id: _id, ...command }: { id?: string | undefined } & WorkerBound,
): Promise<Result> {
  try {
    const worker = await session.worker.ensure();
    const response = await worker.ask(command);
    if (!response.success) return failure(response.error ?? "The worker refused it and did not say why.");
    return response.data === undefined ? { success: true } : { success: true, data: response.data };
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

async function setModel(session: Session, command: Of<"set_model">): Promise<Result> {
  const result = await pass(session, command);
  if (!result.success) return result;
  const data = typeof result.data === "object" && result.data !== null ? result.data : {};
  const model = "model" in data && typeof data.model === "string" ? data.model : command.model;
  const provider = "provider" in data && typeof data.provider === "string" ? { provider: data.provider } : {};
  await session.update({ model, ...provider });
  return result;
}

function greeting(session: Session): object {
  const { provider, model } = session.view();
  // The worker's own greeting where there is one; its token is between it and the server.
  return session.hello ?? { protocol_version: 1, version: "patchbay", provider, model, capabilities: [] };
}

function stateWithoutWorker(session: Session): Result {
  const { provider, model, cwd, message_count, usage } = session.view();
  return { success: true, data: { provider, model, cwd, message_count, busy: false, usage } };
}
