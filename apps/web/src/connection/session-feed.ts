// One open session: its socket, what it has said so far, and what was asked of it. Everything that
// arrives within one animation frame is applied together, so a fast model costs one render per frame.
import type { PromptImage, Response, StateData } from "@patchbay/protocol";
import { StateData as StateSchema } from "@patchbay/protocol";
import { createStore, type StoreApi } from "zustand/vanilla";
import { base } from "../api/base.ts";
import { Asked, CommandError } from "./asked.ts";
import { decodeMessage } from "./decode.ts";
import { Outbox, type OutboxItem, outgoing, type SendAs } from "./outbox.ts";
import { type Link, SessionSocket } from "./session-socket.ts";
import { applyDecoded, type EditorText, emptyView, type SessionView } from "./session-view.ts";
import { Shelf } from "./shelf.ts";
import { randomId, viewerKey } from "./viewer-key.ts";

interface Answer {
  value?: string;
  confirmed?: boolean;
  cancelled?: boolean;
  /** Why something was denied, for the agent. */
  reason?: string;
}

interface Command {
  type: string;
  [field: string]: unknown;
}

export interface Feed extends SessionView {
  link: Link;
  /** Prompts on their way to the server. */
  sending: readonly OutboxItem[];
  /** The last prompt the server refused, to be put back where it was written. */
  refused: { item: OutboxItem; reason: string } | null;
  worker: StateData | null;
}

const outbox = new Outbox(() => localStorage);
/** Hidden tabs get no animation frames; what they receive must not pile up. */
const hiddenFlush = 250;

export class SessionFeed {
  readonly id: string;
  readonly store: StoreApi<Feed>;
  readonly #viewer = viewerKey();
  readonly #asked = new Asked();
  /** Questions answered here: as many as a person clicks while the page is open. */
  readonly #answered = new Set<string>();
  readonly #shelf: Shelf;
  #socket: SessionSocket | null = null;
  #texts: string[] = [];
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.#shelf = new Shelf({
      session: id,
      transcript: () => this.store.getState().transcript,
      change: (messages) =>
        this.store.setState(({ transcript }) => ({ transcript: { ...transcript, messages } })),
    });
    this.store = createStore<Feed>(() => ({
      ...emptyView,
      link: { state: "opening" },
      sending: outbox.pending(id, this.#viewer),
      refused: null,
      worker: null,
    }));
  }

  open(): void {
    if (this.#socket !== null) return;
    this.#socket = new SessionSocket((since) => this.#address(since), {
      since: () => this.store.getState().seq,
      onText: (text) => this.#receive(text),
      onLink: (link) => this.#linked(link),
    });
    this.#socket.start();
    this.#flush(); // what came early is there for the first render
  }

  /** Sends a prompt, or keeps it until it can be sent. */
  prompt(message: string, images: PromptImage[], as: SendAs = "prompt"): void {
    const item: OutboxItem = {
      id: randomId(),
      session: this.id,
      viewer: this.#viewer,
      message,
      at: Date.now(),
      ...(images.length > 0 ? { images } : {}),
      ...(as === "prompt" ? {} : { as }),
    };
    outbox.add(item);
    this.store.setState((feed) => ({ sending: [...feed.sending, item], refused: null }));
    this.#post(item);
  }

  /**
   * Asks for anything else. Rejects with a sentence for a person; a command that may take as long as it likes is
   * waited for without an end.
   */
  ask(command: Command, patient = false): Promise<unknown> {
    const id = randomId();
    const answer = this.#asked.wait(id, patient);
    if (this.#socket?.send({ id, ...command }) !== true)
      this.#asked.fail("Not connected. Try again in a moment.");
    return answer;
  }

  /** Answers a question. Its id is the question's, so no response can be matched: the session line tells. */
  answer(question: string, value: Answer): boolean {
    const sent = this.#socket?.send({ type: "extension_ui_response", id: question, ...value }) ?? false;
    if (sent) this.#answered.add(question);
    return sent;
  }

  /** Whether this page answered it; a second answer loses, so this is who gave it but for a race. */
  hasAnswered(question: string): boolean {
    return this.#answered.has(question);
  }

  takeAbandonedText(): string {
    const old = outbox.takeAbandoned(this.id, this.#viewer, Date.now() - 60_000);
    return old.map((item) => item.message).join("\n\n");
  }

  /** Puts a text into the composer; what stands there can be brought back. */
  putText(text: string, source: string, images: readonly PromptImage[] = []): void {
    this.store.setState(({ editorTexts }) => ({
      editorTexts: [...editorTexts, { kind: "replace", text, source, images }],
    }));
  }

  /** What extensions want in the composer, once. */
  takeEditorTexts(): readonly EditorText[] {
    const { editorTexts } = this.store.getState();
    if (editorTexts.length > 0) this.store.setState({ editorTexts: [] });
    return editorTexts;
  }

  clearRefused(): void {
    this.store.setState({ refused: null });
  }

  /** Somebody looks at a message that this page does not keep. Rejects when it cannot be had. */
  wantMessage(index: number): Promise<void> {
    return this.#shelf.want(index);
  }

  close(): void {
    this.#shelf.close();
    this.#flush();
    this.#socket?.close();
    this.#socket = null;
    this.#asked.fail("The session was closed.");
  }

  #address(since: number | null): string {
    const query = new URLSearchParams({ viewer: this.#viewer });
    if (since !== null) query.set("since", String(since));
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}${base}/api/sessions/${encodeURIComponent(this.id)}/socket?${query}`;
  }

  #linked(link: Link): void {
    if (link.state !== "live") this.#asked.fail("The line to the server was cut.");
    if (link.state === "cut") this.#flush(); // what came before the cut counts for `since`
    this.store.setState({ link });
    if (link.state === "live") for (const item of outbox.pending(this.id, this.#viewer)) this.#post(item);
  }

  #post(item: OutboxItem): void {
    this.#socket?.send(outgoing(item));
  }

  #receive(text: string): void {
    this.#texts.push(text);
    if (this.#texts.length > 1) return;
    this.#frame = requestAnimationFrame(() => this.#flush());
    this.#timer = setTimeout(() => this.#flush(), hiddenFlush);
  }

  #flush(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    const texts = this.#texts;
    if (texts.length === 0) return;
    this.#texts = [];
    const before = this.store.getState();
    let view: SessionView = before;
    const responses: Response[] = [];
    for (const text of texts) {
      for (const decoded of decodeMessage(text)) {
        if (decoded.kind === "response") responses.push(decoded.response);
        else view = applyDecoded(view, decoded);
      }
    }
    if (view.transcript.messages !== before.transcript.messages)
      view = { ...view, transcript: this.#shelf.tidy(view.transcript) };
    this.store.setState(view.gap ? { ...view, seq: null } : view);
    for (const response of responses) this.#respond(response);
    if (view.gap) this.#socket?.restart();
    else this.#refreshWorker(before, view);
  }

  #respond(response: Response): void {
    if (this.#asked.answer(response) || response.id === undefined) return;
    const item = outbox.remove(response.id);
    if (item === undefined) return;
    this.store.setState((feed) => ({
      sending: feed.sending.filter((sent) => sent.id !== item.id),
      refused: response.success
        ? feed.refused
        : { item, reason: response.error ?? "The prompt was refused." },
    }));
  }

  /** `get_state` knows the context window; it is asked whenever a worker became free to answer. */
  #refreshWorker(before: SessionView, after: SessionView): void {
    const awake = (view: SessionView) =>
      view.caughtUp && (view.session?.state === "idle" || view.session?.state === "busy");
    const sameModel = before.session?.model === after.session?.model;
    if (!awake(after) || (awake(before) && sameModel)) return;
    this.ask({ type: "get_state" }).then(
      (data) => {
        const read = StateSchema.safeParse(data);
        if (read.success) this.store.setState({ worker: read.data });
      },
      (error: unknown) => {
        // Without it the meter has no scale, which is shown as such; the next state change asks again.
        if (!(error instanceof CommandError)) throw error;
      },
    );
  }
}
