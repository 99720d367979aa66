// Submits prompts (into the running turn, after it, or in its place) and compactions. Each becomes a task, which the
// session's turns start or queue.
import { randomUUID } from "node:crypto";
import type { ViewerCommand } from "@patchbay/protocol";
import type { Session } from "../session.ts";
import { authorship, type Task } from "../turns/queue.ts";
import type { Viewer } from "../viewers/viewer.ts";
import { failure, hasCapability, type Result, respondOnce } from "./respond.ts";

type Of<T extends ViewerCommand["type"]> = Extract<ViewerCommand, { type: T }>;

type Answer = (result: Result, queued?: boolean) => void;

type Submitted = Of<"prompt" | "steer" | "follow_up" | "abort_and_prompt" | "compact">;

export function submit(session: Session, viewer: Viewer, command: Submitted): void {
  const { type } = command;
  const answer = respondOnce(session, viewer, command);
  if (answer === null) return;
  if (command.type !== "compact" && !command.message?.trim() && !command.images?.length) {
    return answer(failure("The prompt is empty. Enter a text, or attach an image."));
  }
  const task = taskFor(viewer, command, answer);
  const steers = type === "steer" || (command.type === "prompt" && command.streamingBehavior === "steer");
  if (type === "abort_and_prompt") {
    session.turns.submitNext(task);
    void session.turns.abort({ but: task, by: viewer.author }); // never rejects
  } else if (!steers) session.turns.submit(task);
  else if (session.turns.running === "prompt" && !hasCapability(session, "steer")) {
    answer(failure("This agent cannot be steered while it works. Queue the message, or stop the turn."));
  } else session.turns.steer(task);
}

export function taskFor(viewer: Viewer, command: Submitted, answer: Answer): Task {
  const { message = "", images = [] } = command.type === "compact" ? {} : command;
  return {
    id: randomUUID(),
    command: command.type === "compact" ? "compact" : "prompt",
    payload: payloadOf(command),
    message,
    images: images.length,
    queued_at: new Date().toISOString(),
    viewer: viewer.key,
    command_id: command.id ?? null,
    ...authorship(viewer.author),
    sent_seq: null,
    started: (data) => answer({ success: true, data }, true),
    waits: () => answer({ success: true, data: { started: false, queued: true } }),
    fail: (error) => answer(failure(error)),
  };
}

/** The fields of the command that the worker gets. */
function payloadOf(command: Submitted): Record<string, unknown> {
  if (command.type === "compact") {
    const { customInstructions } = command;
    return customInstructions === undefined ? {} : { customInstructions };
  }
  const { message, images } = command;
  return { ...(message === undefined ? {} : { message }), ...(images === undefined ? {} : { images }) };
}
