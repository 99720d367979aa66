// Short names for the frames of a turn, and the fold over them. Every value here has passed the
// schemas, so that tests of the fold start from what really can arrive.
import {
  type ContentBlock,
  emptyTranscript,
  type Frame,
  foldTranscript,
  readFrameValue,
  type StopReason,
  type Transcript,
} from "@patchbay/protocol";

export const time = "2026-04-19T11:30:00Z";

export function frame(value: object): Frame {
  const reading = readFrameValue(value);
  if (reading.kind !== "frame") throw new Error(`not a frame: ${JSON.stringify(reading)}`);
  return reading.frame;
}

export const foldAll = (frames: readonly Frame[], from: Transcript = emptyTranscript): Transcript =>
  frames.reduce(foldTranscript, from);

export const text = (words: string): ContentBlock => ({ type: "text", text: words });
export const callBlock = (id: string, name = "bash", args: unknown = { command: "ls" }): ContentBlock => ({
  type: "tool_call",
  id,
  name,
  args,
});
export const resultBlock = (id: string, words: string, is_error = false): ContentBlock => ({
  type: "tool_result",
  call_id: id,
  is_error,
  content: [{ type: "text", text: words }],
});

export const user = (words: string): Frame => frame({ type: "user_message", content: [text(words)], time });
export const turnStart = (step = 1): Frame => frame({ type: "turn_start", step });
export const started: Frame = frame({ type: "assistant_start" });
export const delta = (words: string): Frame => frame({ type: "text_delta", delta: words });
export const toolStart = (id: string, name = "bash"): Frame => frame({ type: "tool_use_start", id, name });
export const toolArgs = (id: string, part: string): Frame =>
  frame({ type: "tool_use_args", id, delta: part });
export const toolEnd = (id: string): Frame => frame({ type: "tool_use_end", id });
export const toolCall = (id: string, name = "bash", args: unknown = { command: "ls" }): Frame =>
  frame({ type: "tool_call", id, name, args });
export const progress = (id: string, words: string): Frame =>
  frame({ type: "tool_progress", id, text: words });
export const toolResult = (id: string, words: string, is_error = false): Frame =>
  frame({ type: "tool_result", id, is_error, content: [text(words)] });
export const answer = (...content: ContentBlock[]): Frame =>
  frame({ type: "assistant_message", content, time });
export const turnEnd = (stop: StopReason, error?: string): Frame =>
  frame({ type: "turn_end", stop, ...(error === undefined ? {} : { error }) });
export const errorFrame = (message: string): Frame => frame({ type: "error", message });
export const done: Frame = frame({ type: "done" });
export const exited = (reason?: string): Frame =>
  frame({
    type: "worker",
    event: "exited",
    time,
    code: null,
    signal: "SIGKILL",
    stderr: "last words",
    ...(reason === undefined ? {} : { reason }),
  });
export const usage = (cost_usd = 0.0042): Frame =>
  frame({ type: "usage", input: 310, output: 77, cache_read: 512, cache_write: 5, cost_usd });

/** What a person sees of a transcript, without the times. */
export const shown = (transcript: Transcript) => ({
  messages: transcript.messages.map(({ role, content }) => ({ role, content })),
  marks: transcript.marks,
});
