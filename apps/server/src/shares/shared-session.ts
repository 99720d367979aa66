// What a visitor of a share link is sent: the redacted transcript and a few words about the session.
import {
  type Hideable,
  redact,
  redactText,
  type SessionInfo,
  type SharedSession,
  type ShareMode,
  type Transcript,
} from "@patchbay/protocol";

/** The newest messages; redacting them takes some 100 ms at worst, in which the server does nothing else. */
const maxMessages = 2_000;

interface Terms {
  mode: ShareMode;
  hidden: readonly Hideable[];
  /** Names and handles of the people of the server. */
  names: readonly string[];
}

export function sharedSession(
  view: SessionInfo,
  transcript: Transcript,
  { mode, hidden, names }: Terms,
): SharedSession {
  const terms = { hidden, names, cwd: view.cwd };
  const { name, worker, provider, model, created_at, cwd } = view;
  const session = {
    ...{ name: redactText(name, terms), worker, provider, model, created_at },
    ...(hidden.includes("paths") ? {} : { cwd: redactText(cwd, terms) }),
  };
  const left = Math.max(0, transcript.messages.length - maxMessages);
  const shown = redact(
    {
      ...transcript,
      messages: transcript.messages.slice(left),
      marks: transcript.marks.flatMap((mark) => (mark.at < left ? [] : [{ ...mark, at: mark.at - left }])),
    },
    terms,
  );
  return { session, mode, hidden: [...hidden], earlier: left, ...shown };
}

/** The transcript when it had so many messages; what was being written is not in it. */
export function frozenAt(transcript: Transcript, messages: number): Transcript {
  const kept = transcript.messages.slice(0, messages);
  const isWhole = kept.length === transcript.messages.length;
  return {
    ...transcript,
    messages: kept,
    // What stands right after the last message belongs to it.
    marks: transcript.marks.filter(({ at }) => at <= kept.length),
    partial: null,
    ...(isWhole ? {} : { usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 } }),
  };
}
