// One open session: its socket, what it has received so far, and the commands it sent. Everything that
// arrives before the next picture is applied together, so a fast model costs one render per picture (frame-pace.ts).
import {
  type PromptImage,
  type Response,
  type StateData,
  StateData as StateSchema,
  socketErrors,
} from "@patchbay/protocol";
import { createStore, type StoreApi } from "zustand/vanilla";
import { useAccess } from "../api/http/access.ts";
import { base } from "../api/http/base.ts";
import { serverSentence } from "../api/http/server-sentence.ts";
import { checkAccess } from "../api/logins.ts";
import { showWaiting } from "../device/next-picture.ts";
import { LastSeenTranscript } from "./last-seen-transcript.ts";
import { MessageCache } from "./messages/message-cache.ts";
import { Outbox, type OutboxItem, outgoing, type SendAs } from "./outgoing/outbox.ts";
import { PendingAnswers, type QuestionAnswer, type SettledAnswer } from "./outgoing/pending-answers.ts";
import { CommandError, PendingCommands } from "./outgoing/pending-commands.ts";
import { randomId, viewerKey } from "./outgoing/viewer-key.ts";
import { applyDecoded, type EditorText, emptyView, type SessionView } from "./session-view.ts";
import { decodeMessage, isStreamedText } from "./socket/decode.ts";
import { FramePace, type Haste } from "./socket/frame-pace.ts";
import { type Link, SessionSocket } from "./socket/session-socket.ts";
import { connectionTexts } from "./texts.ts";

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
  /** Questions that were answered here and are still open. */
  answering: readonly string[];
  /** Answers of this page that counted or came too late, and that no component has taken yet. */
  settled: readonly SettledAnswer[];
  worker: StateData | null;
}

/** One for the page: two sessions side by side share its time. */
let framePace: FramePace | undefined;
const outbox = new Outbox(() => localStorage);
/** Hidden tabs get no animation frames; what they receive must not pile up. */
const hiddenFlush = 400;

/** A prompt for a session that is not open yet: it is sent when the page opens the session, and kept until the server has it. */
export function enqueuePrompt(session: string, message: string, images: readonly PromptImage[]): void {
  outbox.add(newItem(session, message, images, "prompt"));
}

const newItem = (
  session: string,
  message: string,
  images: readonly PromptImage[],
  as: SendAs,
): OutboxItem => ({
  id: randomId(),
  session,
  viewer: viewerKey(),
  message,
  at: Date.now(),
  ...(images.length > 0 ? { images: [...images] } : {}),
  ...(as === "prompt" ? {} : { as }),
});

export class SessionFeed {
  readonly id: string;
  readonly store: StoreApi<Feed>;
  readonly #viewer = viewerKey();
  readonly #commands = new PendingCommands();
  readonly #answers = new PendingAnswers();
  readonly #cache: MessageCache;
  readonly #lastSeen: LastSeenTranscript;
  /** What is shown is the end of what was seen last: the server has to send everything. */
  #isLastSeen = false;
  #socket: SessionSocket | null = null;
  #texts: string[] = [];
  /** How soon the texts are wanted on the screen. */
  #haste: Haste = "steady";
  #cancelFrame: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.#cache = new MessageCache({
      session: id,
      transcript: () => this.store.getState().transcript,
      change: (messages) =>
        this.store.setState(({ transcript }) => ({ transcript: { ...transcript, messages } })),
    });
    this.#lastSeen = new LastSeenTranscript(id, () => this.store.getState());
    this.store = createStore<Feed>(() => ({
      ...emptyView,
      link: { state: "opening" },
      sending: outbox.pending(id, this.#viewer),
      refused: null,
      answering: [],
      settled: [],
      worker: null,
    }));
  }

  open(): void {
    if (this.#socket !== null) return;
    this.#socket = new SessionSocket((since) => this.#address(since), {
      since: () => (this.#isLastSeen ? null : this.store.getState().seq),
      isCaughtUp: () => this.store.getState().caughtUp,
      onText: (text) => this.#receive(text),
      onLink: (link) => this.#linked(link),
      onRefused: checkAccess,
    });
    this.#socket.start();
    this.#flush(); // early messages are part of the first render
  }

  /** Sends a prompt, or keeps it until it can be sent. */
  prompt(message: string, images: PromptImage[], as: SendAs = "prompt"): void {
    const item = newItem(this.id, message, images, as);
    outbox.add(item);
    this.store.setState((feed) => ({ sending: [...feed.sending, item], refused: null }));
    this.#post(item);
  }

  /**
   * Sends any other command. Rejects with a sentence for a person. `patient`: without a timeout.
   */
  ask(command: Command, patient = false): Promise<unknown> {
    const id = randomId();
    const answer = this.#commands.wait(id, patient);
    if (this.#socket?.send({ id, ...command }) !== true) this.#commands.notSent(id);
    return answer;
  }

  /** Answers a question, once. The answer is kept, and sent again after a cut, until the transcript shows the question's end. */
  answer(question: string, answer: QuestionAnswer): void {
    const { answering, session, transcript } = this.store.getState();
    if (answering.includes(question)) return;
    this.#answers.add(question, answer, session, transcript);
    this.store.setState({ answering: [...answering, question] });
    this.#socket?.send({ type: "extension_ui_response", id: question, ...answer });
  }

  hasAnswered(question: string): boolean {
    return this.#answers.hasCounted(question);
  }

  /** What became of answers that were given here, once. */
  takeSettled(): readonly SettledAnswer[] {
    const { settled } = this.store.getState();
    if (settled.length > 0) this.store.setState({ settled: [] });
    return settled;
  }

  /** The session list has its own socket. If it has seen a later frame than this feed, the socket of this feed may be dead. */
  checkStale(seq: number): void {
    if (seq > (this.store.getState().seq ?? 0)) this.#socket?.check();
  }

  takeAbandonedText(): string {
    const old = outbox.takeAbandoned(this.id, this.#viewer, Date.now() - 60_000);
    return old.map((item) => item.message).join("\n\n");
  }

  /** Replaces the text in the composer; the person can undo it. */
  replaceText(text: string, source: string, images: readonly PromptImage[] = []): void {
    this.store.setState(({ editorTexts }) => ({
      editorTexts: [...editorTexts, { kind: "replace", text, source, images }],
    }));
  }

  /** Puts a text before what is written in the composer. */
  prependText(text: string): void {
    this.store.setState(({ editorTexts }) => ({
      editorTexts: [...editorTexts, { kind: "join", text, source: "" }],
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

  /** Fetches a message that this page has evicted. Rejects when that fails. */
  loadMessage(index: number): Promise<void> {
    return this.#cache.load(index);
  }

  close(): void {
    this.#cache.close();
    this.#lastSeen.close();
    this.#flush();
    this.#socket?.close();
    this.#socket = null;
    this.#commands.fail(connectionTexts.closed);
  }

  #address(since: number | null): string {
    const query = new URLSearchParams({ viewer: this.#viewer, deltas: "merged" });
    if (since !== null) query.set("since", String(since));
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}${base}/api/sessions/${encodeURIComponent(this.id)}/socket?${query}`;
  }

  #linked(link: Link): void {
    if (link.state !== "live") this.#commands.fail(connectionTexts.connectionLost);
    if (link.state === "ended" && link.code === socketErrors.login_ended.close)
      useAccess.getState().refused(true);
    if (link.state === "cut") {
      this.#flush(); // what arrived before the cut counts for `since`
      if (this.store.getState().session === null) void this.#showLastSeen();
    }
    this.store.setState(link.state === "live" ? { link } : { link, caughtUp: false });
    if (link.state === "live") for (const item of outbox.pending(this.id, this.#viewer)) this.#post(item);
  }

  /** A page that was loaded while the server is away shows what it had. */
  async #showLastSeen(): Promise<void> {
    const seen = await this.#lastSeen.read();
    if (seen === null || this.store.getState().session !== null) return;
    this.#isLastSeen = true;
    this.store.setState(seen);
  }

  #post(item: OutboxItem): void {
    this.#socket?.send(outgoing(item));
  }

  #receive(text: string): void {
    this.#texts.push(text);
    const haste = !this.store.getState().caughtUp ? "at once" : isStreamedText(text) ? "steady" : "soon";
    const isFirst = this.#texts.length === 1;
    // What begins or ends something does not wait for the pace of the text before it.
    if (!isFirst && (this.#haste !== "steady" || haste === "steady")) return;
    this.#haste = haste;
    framePace ??= new FramePace(window);
    this.#cancelFrame();
    this.#cancelFrame = framePace.next(() => this.#flush(), haste);
    if (isFirst) this.#timer = setTimeout(() => this.#flush(), hiddenFlush);
  }

  #flush(): void {
    this.#cancelFrame();
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
      view = { ...view, transcript: this.#cache.evict(view.transcript) };
    const ended = this.#answers.takeSettled(view.transcript);
    const open = before.answering.length === 0 ? [] : this.#answers.unconfirmed(view.session);
    this.store.setState({
      ...view,
      ...(view.gap ? { seq: null } : {}),
      ...(before.answering.length === open.length ? {} : { answering: open.map(({ id }) => id) }),
      ...(ended.length === 0 ? {} : { settled: [...before.settled, ...ended] }),
    });
    if (view.caughtUp) {
      this.#isLastSeen = false;
      this.#lastSeen.changed();
    }
    showWaiting();
    if (view.caughtUp && !before.caughtUp) this.#answerAgain();
    for (const response of responses) this.#respond(response);
    if (view.gap) this.#socket?.restart();
    else this.#refreshWorker(before, view);
  }

  /** Answers that were sent before a cut may be lost. Those that arrived have ended their questions. */
  #answerAgain(): void {
    for (const { id, answer } of this.#answers.unconfirmed(this.store.getState().session))
      this.#socket?.send({ type: "extension_ui_response", id, ...answer });
  }

  #respond(response: Response): void {
    if (this.#commands.settle(response) || response.id === undefined) return;
    const item = outbox.remove(response.id);
    if (item === undefined) return;
    this.store.setState((feed) => ({
      sending: feed.sending.filter((sent) => sent.id !== item.id),
      refused: response.success
        ? feed.refused
        : { item, reason: serverSentence(response.error ?? connectionTexts.promptRefused) },
    }));
  }

  /** `get_state` has the context window; it is sent whenever a worker becomes able to answer. */
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
