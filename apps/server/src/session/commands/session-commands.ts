// Commands about a session as a whole: its branches, a person's own commands, its name and its files. Queries are
// answered from the log, so that they do not start a worker; commands that change something run once.
import {
  branchMessages,
  describeBranches,
  lastAssistantText,
  longestName,
  sessionCommands,
  sessionStats,
  type Transcript,
  type ViewerCommand,
} from "@patchbay/protocol";
import type { Session } from "../session.ts";
import { sendLine, type Viewer } from "../viewers/viewer.ts";
import { failure, forward, forwardIfCapable, type Result, respond, respondOnce } from "./respond.ts";

type SessionCommand = Extract<
  ViewerCommand,
  { type: (typeof sessionCommands)[number]["shape"]["type"]["def"]["values"][number] }
>;

const types: ReadonlySet<string> = new Set(sessionCommands.flatMap(({ shape }) => shape.type.def.values));

export const isSessionCommand = (command: ViewerCommand): command is SessionCommand =>
  types.has(command.type);

export async function executeSessionCommand(
  session: Session,
  viewer: Viewer,
  command: SessionCommand,
): Promise<void> {
  const answer = (result: Result): void => sendLine(viewer, respond(command, result));
  switch (command.type) {
    case "get_branch_messages":
      return answer(await readTranscript(session, (it) => ({ messages: branchMessages(it) })));
    case "get_branches":
      return answer(await readTranscript(session, describeBranches));
    case "get_last_assistant_text":
      return answer(await readTranscript(session, (it) => ({ text: lastAssistantText(it) })));
    case "get_session_stats":
      return answer(await stats(session));
    case "set_session_name":
      return answer(await rename(session, command.name));
    case "abort_bash":
      return answer(session.worker.ready === undefined ? { success: true } : await forward(session, command));
    case "export_html":
      return answer(await forwardIfCapable(session, command, requiredCapability[command.type]));
    case "switch_branch":
      return answer(await forwardAndFlush(session, command));
    case "bash":
    case "branch":
    case "new_session":
    case "switch_session":
      return forwardOnce(session, viewer, command);
  }
}

/** The capability that a worker needs for a command. */
const requiredCapability = {
  bash: "bash",
  branch: "branch",
  switch_branch: "branch",
  new_session: "sessions",
  switch_session: "sessions",
  export_html: "export_html",
} as const;

type Moving = Extract<SessionCommand, { type: keyof typeof requiredCapability }>;

async function readTranscript(session: Session, read: (transcript: Transcript) => unknown): Promise<Result> {
  const data = session.transcriptReads.run(async () => read((await session.shownSnapshot()).transcript));
  return data === undefined
    ? failure("Too many requests about this transcript are waiting. Try again in a moment.")
    : { success: true, data: await data };
}

/** Sent again after a reconnect, the command does not run again, even if the server was killed while it ran. */
async function forwardOnce(session: Session, viewer: Viewer, command: Moving): Promise<void> {
  const answer = respondOnce(session, viewer, command);
  if (answer === null) return;
  const { id } = command;
  if (id !== undefined) {
    const unknown = failure("The server stopped before this was done. The transcript shows how far it got.");
    try {
      await session.receipts.saveProvisional(viewer.key, id, respond(command, unknown));
    } catch (error) {
      return answer(
        failure(`It could not be saved: ${error instanceof Error ? error.message : String(error)}`),
      );
    }
  }
  answer(await forwardAndFlush(session, command));
}

/** The frames that the command led to reach the viewer before the response. */
async function forwardAndFlush(session: Session, command: Moving): Promise<Result> {
  const result = await forwardIfCapable(session, command, requiredCapability[command.type]);
  await session.shown();
  return result;
}

async function stats(session: Session): Promise<Result> {
  const state =
    session.worker.ready === undefined ? undefined : await forward(session, { type: "get_state" });
  const data = state?.success && typeof state.data === "object" && state.data !== null ? state.data : {};
  const window = "context_window" in data ? data.context_window : undefined;
  const contextWindow = typeof window === "number" ? window : undefined;
  return readTranscript(session, (transcript) =>
    sessionStats(transcript, { sessionId: session.id, contextWindow }),
  );
}

async function rename(session: Session, requested: string): Promise<Result> {
  const name = requested.trim();
  if (name === "") return failure("Session name cannot be empty");
  if (name.length > longestName) {
    return failure(`Session name cannot be longer than ${longestName} characters`);
  }
  await renameSession(session, name);
  return { success: true };
}

/** The worker gets the name, too, because it appears in its exports. */
export async function renameSession(session: Session, name: string): Promise<void> {
  await session.update({ name });
  const worker = session.hello?.capabilities?.includes("session_name") ? session.worker.ready : undefined;
  await worker?.ask({ type: "set_session_name", name });
}
