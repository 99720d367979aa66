// Executes a viewer's command. Answers from the server's own state where possible, so that looking at a
// stopped session does not start its worker.
import { RunCommandData, type ViewerCommand } from "@patchbay/protocol";
import type { Session } from "../session.ts";
import { jsonLine } from "../viewers/json-pieces.ts";
import { sendLine, type Viewer } from "../viewers/viewer.ts";
import {
  failure,
  forward,
  forwardIfCapable,
  forwardToWorker,
  hasCapability,
  type Result,
  respond,
  respondOnce,
} from "./respond.ts";
import { executeSessionCommand, isSessionCommand } from "./session-commands.ts";
import { submit, taskFor } from "./submit.ts";

type Of<T extends ViewerCommand["type"]> = Extract<ViewerCommand, { type: T }>;

/** A query that only the worker can answer is forwarded synchronously if a worker is ready; everything else returns a promise. */
export function executeCommand(
  session: Session,
  viewer: Viewer,
  command: ViewerCommand,
): Promise<void> | undefined {
  const worker = session.worker.ready;
  if (worker === undefined || !isForWorker(command)) return executeInServer(session, viewer, command);
  forwardToWorker(worker, viewer, command);
  return undefined;
}

const isForWorker = (command: ViewerCommand): command is Of<"get_state" | "get_models"> =>
  command.type === "get_state" || command.type === "get_models";

async function executeInServer(session: Session, viewer: Viewer, command: ViewerCommand): Promise<void> {
  if (isSessionCommand(command)) return executeSessionCommand(session, viewer, command);
  const answer = (result: Result) => sendLine(viewer, respond(command, result), onlyReads.has(command.type));
  switch (command.type) {
    case "prompt":
    case "steer":
    case "follow_up":
    case "abort_and_prompt":
    case "compact":
      return submit(session, viewer, command);
    case "abort":
      await session.turns.abort({ hold: command.hold_queue === true, by: viewer.author });
      return answer({ success: true });
    case "extension_ui_response": {
      const problem = session.answer(command, viewer.author);
      if (problem !== null) answer(failure(problem));
      return;
    }
    case "queue_remove":
      return answer(
        (await session.turns.edits.remove(command.item)) ? { success: true } : failure(notQueued),
      );
    case "queue_move":
      return answer(
        (await session.turns.edits.move(command.item, command.to)) ? { success: true } : failure(notQueued),
      );
    case "queue_edit":
      return answer(await editQueued(session, command));
    case "queue_retry": {
      const isHeld = await session.turns.retry(command.item);
      return answer(isHeld ? { success: true } : failure("This prompt is no longer waiting for a decision."));
    }
    case "queue_resume": {
      const why = session.turns.resume();
      return answer(why === null ? { success: true } : failure(why));
    }
    case "hello":
      return answer({ success: true, data: greeting(session) });
    case "ping":
      return answer({ success: true, data: { pong: true } });
    case "get_messages":
      return sendMessages(session, viewer, command);
    case "get_state":
      return answer(stateWithoutWorker(session));
    case "clear": {
      // zot would clear at once, and the running turn would write into the empty transcript.
      if (session.turns.running !== null) return answer(failure(clearWhileBusy));
      const result = await forward(session, command);
      if (result.success) session.cleared();
      await session.shown(); // the frame reaches the viewer before the response
      return answer(result);
    }
    case "set_model":
      return answer(await setModel(session, command));
    case "abort_retry":
      return answer(session.worker.ready === undefined ? { success: true } : await forward(session, command));
    case "steer_remove":
      return answer(await removeSteer(session, command));
    case "set_reasoning":
    case "set_thinking_level":
    case "cycle_thinking_level":
    case "cycle_model":
    case "get_available_models":
    case "set_steering_mode":
    case "set_follow_up_mode":
    case "set_interrupt_mode":
    case "set_auto_compaction":
    case "set_auto_retry":
    case "set_approval_mode":
    case "set_jail":
      return answer(await forwardIfCapable(session, command, requiredCapability[command.type]));
    case "get_models":
      return answer(await forward(session, command));
    case "get_commands":
      return answer(await slashCommands(session, command.start === true));
    case "reload_extensions":
      return answer(await forwardIfCapable(session, command, "extensions"));
    case "panel_key":
    case "panel_close":
      return answer(
        session.worker.ready === undefined
          ? failure("No panel is open: the agent has stopped.")
          : await forwardIfCapable(session, command, "panels"),
      );
    case "run_command":
      return runSlashCommand(session, viewer, command);
  }
}

/** Queries: the viewer waits for the response, and no frame must be shown before it. */
const onlyReads: ReadonlySet<string> = new Set(["hello", "ping", "get_state", "get_models", "get_commands"]);

const clearWhileBusy = "The agent is at work. Stop it first, then clear the session.";
const notQueued = "This prompt is no longer in the queue: it has started or was removed.";

/** The capability that a worker needs for a command beyond zot's own. */
const requiredCapability = {
  // zot's own later command; it names no capabilities.
  set_reasoning: null,
  set_thinking_level: "thinking_levels",
  cycle_thinking_level: "thinking_levels",
  cycle_model: "models",
  get_available_models: "models",
  set_steering_mode: "steer",
  set_interrupt_mode: "steer",
  set_follow_up_mode: "follow_up",
  set_auto_compaction: "auto_compaction",
  set_auto_retry: "auto_retry",
  set_approval_mode: "approvals",
  set_jail: "jail",
} as const;

async function editQueued(session: Session, { item, message }: Of<"queue_edit">): Promise<Result> {
  const found = session.turns.items.find(({ id }) => id === item);
  if (found !== undefined && found.images === 0 && message.trim() === "")
    return failure("The prompt is empty. Enter a text, or remove it from the queue.");
  return (await session.turns.edits.edit(item, message)) ? { success: true } : failure(notQueued);
}

/** The worker answers with the key of the message, so that the message does not return to the queue when the worker dies. */
async function removeSteer(session: Session, command: Of<"steer_remove">): Promise<Result> {
  if (session.worker.ready === undefined) return failure("There is nothing to steer: the agent has stopped.");
  const result = await forwardIfCapable(session, command, "steer_remove");
  const data = result.success && typeof result.data === "object" && result.data !== null ? result.data : {};
  if ("key" in data && typeof data.key === "string") await session.turns.steerRemoved(data.key);
  return result.success ? { success: true } : result;
}

/** Viewers that are being sent a whole transcript: one at a time each, or a viewer that does not read could
 * make the server hold many of them. */
const beingSent = new WeakSet<Viewer>();

async function sendMessages(session: Session, viewer: Viewer, command: Of<"get_messages">): Promise<void> {
  const answer = async (result: Result) => viewer.send(await jsonLine(respond(command, result)));
  if (beingSent.has(viewer)) {
    void answer(failure("The last get_messages is still being sent. Try again when it has arrived."));
    return;
  }
  beingSent.add(viewer);
  try {
    const { messages } = (await session.shownSnapshot()).transcript;
    await answer({ success: true, data: { messages } });
  } finally {
    beingSent.delete(viewer);
  }
}

/** Looking at a stopped session does not start its worker; a person who types a slash wants it. */
async function slashCommands(session: Session, start: boolean): Promise<Result> {
  if (start) return forwardIfCapable(session, { type: "get_commands" }, "commands");
  return session.worker.ready !== undefined && hasCapability(session, "commands")
    ? forward(session, { type: "get_commands" })
    : { success: true, data: { commands: [] } };
}

/** If the command expands to a prompt, the server submits it, because the server holds the queue. */
async function runSlashCommand(session: Session, viewer: Viewer, command: Of<"run_command">): Promise<void> {
  const answer = respondOnce(session, viewer, command);
  if (answer === null) return;
  const result = await forwardIfCapable(session, { ...command, start: false }, "commands");
  const outcome = result.success ? RunCommandData.safeParse(result.data).data : undefined;
  if (outcome?.action !== "prompt" || outcome.text === undefined) return answer(result);
  const prompt = { type: "prompt", id: command.id, message: outcome.text } as const;
  session.turns.submit(
    taskFor(viewer, prompt, (made, queued) =>
      answer(made.success ? { success: true, data: { ...outcome, ...Object(made.data) } } : made, queued),
    ),
  );
}

async function setModel(session: Session, command: Of<"set_model">): Promise<Result> {
  const named = command.model ?? command.modelId ?? "";
  const result = await forward(session, command);
  if (!result.success) return result;
  const data = typeof result.data === "object" && result.data !== null ? result.data : {};
  const model = "model" in data && typeof data.model === "string" ? data.model : named;
  const provider = "provider" in data && typeof data.provider === "string" ? { provider: data.provider } : {};
  await session.update({ model, ...provider });
  return result;
}

function greeting(session: Session): object {
  const { provider, model } = session.view();
  // The current worker's hello if there is one; it does not contain the worker's token.
  return session.hello ?? { protocol_version: 1, version: "patchbay", provider, model, capabilities: [] };
}

function stateWithoutWorker(session: Session): Result {
  const { provider, model, cwd, message_count, usage } = session.view();
  return { success: true, data: { provider, model, cwd, message_count, busy: false, usage } };
}
