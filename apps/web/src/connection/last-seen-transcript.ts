// Keeps the end of a session's transcript in the browser, so that a page that is loaded while the server is away shows what was
// there. Written when the agent rests or the page is hidden, never while an answer streams.

import { keepLastSeen, readLastSeen } from "../api/http/last-seen.ts";
import { evictedSize } from "./messages/evict-messages.ts";
import { applyDecoded, emptyView, type SessionView } from "./session-view.ts";
import { decodeMessage } from "./socket/decode.ts";

/** More than a person reads while a server restarts. */
const keptMessages = 120;
const keepEveryMs = 3_000;

export class LastSeenTranscript {
  readonly #session: string;
  readonly #view: () => SessionView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The number that was kept last. */
  #kept: number | null = null;

  constructor(session: string, view: () => SessionView) {
    this.#session = session;
    this.#view = view;
    document.addEventListener("visibilitychange", this.#hidden);
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const { session } = this.#view();
      if (session?.state !== "busy" && session?.state !== "starting") this.#keep();
    }, keepEveryMs);
  }

  async read(): Promise<Pick<SessionView, "session" | "transcript" | "seq"> | null> {
    const text = await readLastSeen(this.#session);
    if (text === null) return null;
    let view = emptyView;
    for (const decoded of decodeMessage(text))
      if (decoded.kind !== "response") view = applyDecoded(view, decoded);
    const { session, transcript, seq } = view;
    return session === null || seq === null ? null : { session, transcript, seq };
  }

  close(): void {
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#hidden);
  }

  readonly #hidden = (): void => {
    if (document.visibilityState === "hidden") this.#keep();
  };

  /** As the server would send it: one way to read, which is checked. */
  #keep(): void {
    const view = this.#view();
    const { session, seq } = view;
    if (session === null || seq === null || seq === this.#kept) return;
    this.#kept = seq;
    const lines = [
      { type: "attached", session, seq, verdict: "snapshot" },
      { type: "snapshot", seq, ...endOf(view) },
    ];
    void keepLastSeen(this.#session, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  }
}

/** The newest messages that this page has, with their marks; of the branches only the one that is shown. */
function endOf({ transcript }: SessionView): SessionView["transcript"] {
  const { messages, marks, branch, branches } = transcript;
  const evicted = messages.findLastIndex((message) => evictedSize(message) !== undefined);
  const from = Math.max(0, evicted + 1, messages.length - keptMessages);
  return {
    ...transcript,
    messages: messages.slice(from),
    marks: marks.filter(({ at }) => at >= from).map((mark) => ({ ...mark, at: mark.at - from })),
    branches: branches.filter(({ id }) => id === branch),
  };
}
