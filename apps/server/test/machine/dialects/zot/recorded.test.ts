// Every recording of the real zot, through the dialect and the fold: the transcript is what zot's own lines tell.
import { emptyTranscript, type Frame, foldTranscript, readFrame } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { readRecording, recordingsOf } from "../recordings.ts";
import { openZot } from "./harness.ts";

const program = "zot-2026-05";
const time = "2026-11-17T10:00:00Z";

type Line = Record<string, unknown> & { type?: string };
const parsed = (line: string): Line => Object(safeParse(line)) as Line;
function safeParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // some recordings send garbage
  }
}

/** What the session's log would have: the worker's frames, and the server's own for what a person did. */
function frames(name: string): Frame[] {
  const zot = openZot();
  const log: Frame[] = [];
  const take = () => {
    for (const value of zot.emitted.splice(0)) {
      const reading = readFrame(JSON.stringify(value));
      if (reading.kind === "frame") log.push(reading.frame);
    }
  };
  let isBusy = false;
  for (const { dir, line } of readRecording(program, name)) {
    const value = parsed(line);
    if (dir === "in" && value.type !== undefined) {
      zot.translation.toWorker({ ...value, type: value.type });
      if (value.type === "abort" && isBusy) log.push({ type: "stop_requested", time });
      if (value.type === "clear" && !isBusy) log.push({ type: "cleared", time });
    } else if (dir === "out") {
      if (value.type === "user_message") isBusy = true;
      if (value.type === "done") isBusy = false;
      zot.write(line);
    }
    take();
  }
  return log;
}

/** The same told by the recorded lines alone, without dialect or fold. */
function told(name: string) {
  const messages: unknown[] = [];
  const endings: { stop: unknown; error: unknown }[] = [];
  let results: object[] = [];
  let stop: unknown = null;
  let failure: unknown = null;
  let isBusy = false;
  let isAborted = false;
  const endStep = () => {
    if (results.length > 0) messages.push({ role: "tool", content: results });
    results = [];
  };
  for (const { dir, line } of readRecording(program, name)) {
    const value = parsed(line);
    if (dir === "in") {
      if (value.type === "abort" && isBusy) isAborted = true;
      if (value.type === "clear" && !isBusy) messages.length = endings.length = 0;
      continue;
    }
    switch (dir === "out" ? value.type : undefined) {
      case "user_message":
        isBusy = true;
        isAborted = false;
        stop = failure = null;
        messages.push({ role: "user", content: value["content"] });
        break;
      case "turn_start":
        endStep();
        break;
      case "assistant_message":
        messages.push({ role: "assistant", content: value["content"] });
        break;
      case "tool_result":
        results.push({
          type: "tool_result",
          call_id: value["id"],
          is_error: value["is_error"],
          content: value["content"],
        });
        break;
      case "turn_end":
        stop = value["stop"];
        failure = value["error"] ?? null;
        break;
      case "done":
        endStep();
        isBusy = false;
        endings.push(isAborted ? { stop: "aborted", error: null } : { stop, error: failure });
        break;
      default:
    }
  }
  return { messages, endings };
}

/** zot's own count of its messages, the last time it was asked; undefined: never, or after a compaction. */
function countedByZot(name: string): number | undefined {
  const lines = readRecording(program, name).map(({ line }) => parsed(line));
  if (lines.some(({ type }) => type === "compact_done")) return undefined;
  const last = lines.findLast(({ type }) => type === "user_message" || type === "response");
  const states = lines.filter(({ type, command }) => type === "response" && command === "get_state");
  const state = states.at(-1);
  return state === undefined || last !== state ? undefined : Number(Object(state["data"])["message_count"]);
}

describe("recordings of the real zot", () => {
  it.each(recordingsOf(program))("[O400] %s folds to what its lines tell", (name) => {
    const transcript = frames(name).reduce(foldTranscript, emptyTranscript);
    const { messages, endings } = told(name);
    expect(transcript.messages.map(({ role, content }) => ({ role, content }))).toMatchObject(messages);
    const turns = transcript.marks.flatMap((mark) => (mark.kind === "turn" ? [mark] : []));
    expect(turns.map(({ stop, error }) => ({ stop, error }))).toEqual(endings);
    expect(transcript.partial).toBeNull();
    const counted = countedByZot(name);
    if (counted !== undefined && name !== "clear_mid_turn") expect(transcript.messages).toHaveLength(counted);
  });
});
