// Every recording of the real daemon, through the dialect and the fold: the transcript is what its updates tell.
import {
  type ContentBlock,
  emptyTranscript,
  foldTranscript,
  messageText,
  type Transcript,
} from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { recordingsOf } from "../recordings.ts";
import { ReplayedDaemon, readSession, replay, sessionsIn } from "./replay.ts";

interface ToldTurn {
  prompt: string;
  thinks: string;
  says: string;
  calls: unknown[];
  /** Commands that wait for a person. */
  asked: string[];
  results: { text: string; isError: boolean }[];
  /** Undefined: the recording ends before the turn does. */
  end: { stop: string; error: string | null } | undefined;
}

const newTurn = (prompt: string): ToldTurn => ({
  prompt,
  thinks: "",
  says: "",
  calls: [],
  asked: [],
  results: [],
  end: undefined,
});

/** What the recorded updates tell, without dialect or fold. */
function told(name: string, session: string): ToldTurn[] {
  const turns: ToldTurn[] = [];
  for (const { dir, message } of readSession(name)) {
    const { method, params = {} } = message;
    if (params["session_id"] !== session) continue;
    if (dir === "in" && method === "session/prompt") {
      const before = turns.at(-1);
      if (before !== undefined) before.end ??= { stop: "interrupted", error: null };
      turns.push(newTurn(String(params["prompt"])));
    }
    const turn = turns.at(-1);
    if (dir === "out" && method === "session/update" && turn !== undefined && turn.end === undefined)
      tell(turn, params);
  }
  return turns;
}

function tell(turn: ToldTurn, update: Record<string, unknown>): void {
  const { type, text, name, raw_input, raw_output, outcome, content } = update;
  switch (type) {
    case "agent_thought_chunk":
      turn.thinks += String(text);
      break;
    case "agent_message_chunk":
      turn.says += String(text);
      break;
    case "approval_request": // in these recordings only of the shell
      turn.asked.push(String(update["arguments_summary"]).replace("approved: false, command: ", ""));
      break;
    case "tool_call": {
      turn.asked.shift();
      const { approved: _own, ...args } = Object(raw_input) as Record<string, unknown>;
      turn.calls.push([name === "shell" ? "bash" : name, args]);
      break;
    }
    case "tool_result": {
      const output = String(raw_output);
      turn.results.push({ text: output, isError: /^(Error:|Denied by user\.)/.test(output) });
      break;
    }
    case "turn_complete":
      // The daemon reports no result of what it has cancelled.
      turn.calls.push(...turn.asked.splice(0).map((command) => ["bash", { command }]));
      while (turn.results.length < turn.calls.length) turn.results.push({ text: "", isError: true });
      if (outcome === "completed" && turn.says === "") turn.says = String(content);
      turn.end =
        outcome === "failed"
          ? { stop: "error", error: String(content) }
          : { stop: outcome === "cancelled" ? "aborted" : "end", error: null };
      break;
    default:
  }
}

/** The same of a transcript. */
function shown({ messages, marks, partial }: Transcript): ToldTurn[] {
  const turns: ToldTurn[] = [];
  const add = (blocks: readonly ContentBlock[]) => {
    const turn = turns.at(-1);
    if (turn === undefined) throw new Error("an answer without a prompt");
    for (const block of blocks) {
      if (block.type === "thinking") turn.thinks += block.text;
      else if (block.type === "text") turn.says += block.text;
      else if (block.type === "tool_call") turn.calls.push([block.name, block.args]);
      else if (block.type === "tool_result")
        turn.results.push({
          text: block.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
          isError: block.is_error,
        });
    }
  };
  const addUnkept = (at: number) => {
    for (const mark of marks) if (mark.kind === "unkept" && mark.at === at) add(mark.content);
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") turns.push(newTurn(messageText(message)));
    else add(message.content);
    addUnkept(index + 1);
  }
  if (partial !== null) add(partial.content);
  const ends = marks.flatMap((mark) => (mark.kind === "turn" ? [mark] : []));
  return turns.map((turn, index) => {
    const end = ends[index];
    return { ...turn, end: end && { stop: end.stop, error: end.error } };
  });
}

/** `envelope` has no session: testing/test/zeroclaw-daemon.test.ts compares its codes. */
const recordings = recordingsOf("zeroclaw-0.8.4").filter((name) => name !== "envelope");
const sessions = recordings.flatMap((name) =>
  sessionsIn(readSession(name)).map((session, index) => ({
    name,
    session,
    title: index === 0 ? name : `${name}, session ${index + 1}`,
  })),
);

describe("recordings of the real zeroclaw", () => {
  it.each(sessions)("[Z407] $title folds to what its updates tell", async ({ name, session }) => {
    const frames = await replay(readSession(name), session);
    expect(shown(frames.reduce(foldTranscript, emptyTranscript))).toEqual(told(name, session));
  });
});

describe("a daemon that has just ended", () => {
  const notify = (method: string) => ({ jsonrpc: "2.0", method });

  it("[Z406] a prompt is held, and refused in a sentence that fits a socket when the daemon does not come back", async () => {
    const [recorded] = sessions;
    if (recorded === undefined) throw new Error("there are no recordings");
    const daemon = new ReplayedDaemon(readSession(recorded.name), recorded.session);
    await daemon.command({ type: "hello" });
    await daemon.write(notify("$/disconnected"));
    await daemon.command({ type: "prompt", id: "held", message: "Are you there?" });
    expect(daemon.response("held")).toBeUndefined();
    await daemon.write(notify("$/gone"));
    expect(daemon.response("held")).toMatchObject({
      success: false,
      error: "The daemon does not answer at its socket. Start it, then send the prompt again.",
    });
    expect(daemon.frames).toEqual([]);
    daemon.close();
  });

  it("[Z406] a held prompt that is stopped is not sent later", async () => {
    const [recorded] = sessions;
    if (recorded === undefined) throw new Error("there are no recordings");
    const daemon = new ReplayedDaemon(readSession(recorded.name), recorded.session);
    await daemon.command({ type: "hello" });
    await daemon.write(notify("$/disconnected"));
    await daemon.command({ type: "prompt", id: "held", message: "Are you there?" });
    await daemon.command({ type: "abort", id: "stop" });
    expect(daemon.response("held")).toMatchObject({ success: false });
    expect(daemon.response("stop")).toMatchObject({ success: true });
    await daemon.write(notify("$/reconnected"));
    expect(daemon.prompt).toBeUndefined();
    daemon.close();
  });
});
