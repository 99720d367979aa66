// Commands that move between branches. They need an agent at rest: a turn or a command that is running
// belongs to the branch it was started on.
import { randomBytes } from "node:crypto";
import { branchMessages, describeBranches, type Message, messageText, promptIndex } from "@patchbay/protocol";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { PersonBash } from "../../agent/person-bash.ts";
import type { TurnQueue } from "../../agent/prompts/turn-queue.ts";
import type { Jail } from "../../jail/jail.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";
import { busyError, type Handlers } from "../exchange.ts";

/** What must be at rest before the conversation can move. */
interface Activity {
  readonly turns: TurnQueue;
  readonly bash: PersonBash;
}

interface BranchParts extends Activity {
  readonly conversation: Conversation;
  readonly output: WorkerOutput;
  readonly jail: Jail;
}

export function branchHandlers({
  conversation,
  output,
  jail,
  ...activity
}: BranchParts): Handlers<
  "get_branch_messages" | "get_branches" | "branch" | "switch_branch" | "new_session" | "switch_session"
> {
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
      const problem = notAtRest(activity);
      if (problem !== null) return fail(problem);
      const prompt = conversation.transcript.messages[promptIndex(conversation.transcript.messages, entryId)];
      if (prompt === undefined) {
        return fail(`no prompt "${entryId}" on this branch; get_branch_messages lists them`);
      }
      start(entryId);
      succeed({ text: messageText(prompt), cancelled: false });
    },
    switch_branch({ branch }, { succeed, fail }) {
      const problem = notAtRest(activity);
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
      const problem = notAtRest(activity);
      if (problem !== null) return fail(problem);
      start(null, parentSession);
      succeed({ cancelled: false });
    },
    async switch_session({ sessionPath }, { succeed, fail }) {
      const { readSessionFile } = await import("../../agent/conversation/session-file.ts");
      const place = { cwd: conversation.cwd, jail: jail.confinement() };
      const { path, messages } = await readSessionFile(sessionPath, place);
      const problem = notAtRest(activity);
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
export function notAtRest({ turns, bash }: Activity): string | null {
  if (turns.busy) return busyError;
  return bash.running ? "another command is running; wait for it, or stop it with abort_bash" : null;
}

const newBranchId = (): string => randomBytes(4).toString("hex");

/** Every reader holds a frame's line as a whole, so a long file is sent in several. */
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
