// Commands that move between the ways a conversation went. They want an agent at rest: a turn or a command
// that is running belongs to the branch it was started on.
import { randomBytes } from "node:crypto";
import { branchMessages, describeBranches, type Message, messageText, promptIndex } from "@patchbay/protocol";
import type { Agent } from "../../agent/agent.ts";
import { busyError, type Handlers } from "../exchange.ts";

export function branchCommands(
  agent: Agent,
): Handlers<
  "get_branch_messages" | "get_branches" | "branch" | "switch_branch" | "new_session" | "switch_session"
> {
  const { conversation, output } = agent;
  const start = (entry_id: string | null, session_path?: string): void =>
    output.write({
      type: "branched",
      branch: newBranchId(),
      from: conversation.transcript.branch,
      entry_id,
      ...(session_path === undefined ? {} : { session_path }),
      time: new Date().toISOString(),
    });
  return {
    get_branch_messages: (_command, { succeed }) =>
      succeed({ messages: branchMessages(conversation.transcript) }),
    get_branches: (_command, { succeed }) => succeed(describeBranches(conversation.transcript)),
    branch({ entryId }, { succeed, fail }) {
      const problem = notAtRest(agent);
      if (problem !== null) return fail(problem);
      const prompt = conversation.transcript.messages[promptIndex(conversation.transcript.messages, entryId)];
      if (prompt === undefined) {
        return fail(`no prompt "${entryId}" on this branch; get_branch_messages lists them`);
      }
      start(entryId);
      succeed({ text: messageText(prompt), cancelled: false });
    },
    switch_branch({ branch }, { succeed, fail }) {
      const problem = notAtRest(agent);
      if (problem !== null) return fail(problem);
      const { transcript } = conversation;
      if (!transcript.branches.some(({ id }) => id === branch)) {
        return fail(`no branch "${branch}"; get_branches lists them`);
      }
      if (branch !== transcript.branch) {
        const time = new Date().toISOString();
        output.write({ type: "branch_switched", branch, from: transcript.branch, time });
      }
      succeed({ branch, message_count: conversation.messages.length });
    },
    new_session({ parentSession }, { succeed, fail }) {
      const problem = notAtRest(agent);
      if (problem !== null) return fail(problem);
      start(null, parentSession);
      succeed({ cancelled: false });
    },
    async switch_session({ sessionPath }, { succeed, fail }) {
      const { readSessionFile } = await import("../../agent/conversation/session-file.ts");
      const place = { cwd: conversation.cwd, jail: agent.jail.confinement() };
      const { path, messages } = await readSessionFile(sessionPath, place);
      const problem = notAtRest(agent);
      if (problem !== null) return fail(problem);
      start(null, path);
      for (const part of inParts(messages)) {
        output.write({ type: "messages_loaded", messages: part });
        await output.ready();
      }
      succeed({ cancelled: false });
    },
  };
}

/** Why it cannot move now, or null when it can. */
export function notAtRest(agent: Agent): string | null {
  if (agent.turns.busy) return busyError;
  return agent.bash.running ? "a command of yours is running; wait for it, or end it with abort_bash" : null;
}

const newBranchId = (): string => randomBytes(4).toString("hex");

/** A frame's line is read as a whole by everyone, so a long file comes in several. */
const partChars = 1024 * 1024;

function inParts(messages: readonly Message[]): Message[][] {
  const parts: Message[][] = [];
  let size = partChars;
  for (const message of messages) {
    const chars = JSON.stringify(message).length;
    if (size + chars > partChars) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(message);
    size += chars;
  }
  return parts;
}
