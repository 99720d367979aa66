// One open session: its socket, what it has said so far, and what was asked of it. Everything that
// arrives within one animation frame is applied together, so a fast model costs one render per frame (frame-pace.ts).
import {
  errorTable,
  type PromptImage,
  type Response,
  type StateData,
  StateData as StateSchema,
} from "@patchbay/protocol";
import { createStore, type StoreApi } from "zustand/vanilla";
import { useAccess } from "../api/http/access.ts";
import { base } from "../api/http/base.ts";
import { checkAccess } from "../api/logins.ts";
import { Shelf } from "./messages/shelf.ts";
import { Asked, CommandError } from "./outgoing/asked.ts";
import { type Answer, GivenAnswers, type SettledAnswer } from "./outgoing/given-answers.ts";
import { Outbox, type OutboxItem, outgoing, type SendAs } from "./outgoing/outbox.ts";
import { randomId, viewerKey } from "./outgoing/viewer-key.ts";
import { applyDecoded, type EditorText, emptyView, type SessionView } from "./session-view.ts";
import { decodeMessage } from "./socket/decode.ts";
import { FramePace } from "./socket/frame-pace.ts";
import { type Link, SessionSocket } from "./socket/session-socket.ts";

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
  /** Answers of this page that counted or came too late, and nobody has been told. */
  settled: readonly SettledAnswer[];
  worker: StateData | null;
}

/** One for the page: two sessions side by side share its time. */
let framePace: FramePace | undefined;
const outbox = new Outbox(() => localStorage);
/** Hidden tabs get no animation frames; what they receive must not pile up. */
const hiddenFlush = 400;

export class SessionFeed {
  readonly id: string;
  readonly store: StoreApi<Feed>;
  readonly #viewer = viewerKey();
  readonly #asked = new Asked();
  readonly #answers = new GivenAnswers();
  readonly #shelf: Shelf;
  #socket: SessionSocket | null = null;
  #texts: string[] = [];
  #notYet: () => void = () => {};
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
      answering: [],
      settled: [],
      worker: null,
    }));
  }

  open(): void {
    if (this.#socket !== null) return;
    this.#socket = new SessionSocket((since) => this.#address(since), {
      since: () => this.store.getState().seq,
      isCaughtUp: () => this.store.getState().caughtUp,
      onText: (text) => this.#receive(text),
      onLink: (link) => this.#linked(link),
      onRefused: checkAccess,
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
    if (this.#socket?.send({ id, ...command }) !== true) this.#asked.notSent(id);
    return answer;
  }

  /** Answers a question, once; the answer is kept, and sent again after a cut, until the transcript tells its end. */
  answer(question: string, answer: Answer): void {
    const { answering, session, transcript } = this.store.getState();
    if (answering.includes(question)) return;
    this.#answers.give(question, answer, session, transcript);
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

  /** The list has heard of the session by another way: if it knows more, this line may be dead. */
  heardOf(seq: number): void {
    if (seq > (this.store.getState().seq ?? 0)) this.#socket?.check();
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

  /** Gives words back that found no other place, before what is written in the composer. */
  giveBack(text: string): void {
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
    if (link.state === "ended" && link.code === errorTable.login_ended.close)
      useAccess.getState().refused(true);
    if (link.state === "cut") this.#flush(); // what came before the cut counts for `since`
    this.store.setState(link.state === "live" ? { link } : { link, caughtUp: false });
    if (link.state === "live") for (const item of outbox.pending(this.id, this.#viewer)) this.#post(item);
  }

  #post(item: OutboxItem): void {
    this.#socket?.send(outgoing(item));
  }

  #receive(text: string): void {
    this.#texts.push(text);
    if (this.#texts.length > 1) return;
    framePace ??= new FramePace(window);
    this.#notYet = framePace.next(() => this.#flush(), !this.store.getState().caughtUp);
    this.#timer = setTimeout(() => this.#flush(), hiddenFlush);
  }

  #flush(): void {
    this.#notYet();
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
    const ended = this.#answers.takeSettled(view.transcript);
    const open = before.answering.length === 0 ? [] : this.#answers.unheard(view.session);
    this.store.setState({
      ...view,
      ...(view.gap ? { seq: null } : {}),
      ...(before.answering.length === open.length ? {} : { answering: open.map(({ id }) => id) }),
      ...(ended.length === 0 ? {} : { settled: [...before.settled, ...ended] }),
    });
    if (view.caughtUp && !before.caughtUp) this.#answerAgain();
    for (const response of responses) this.#respond(response);
    if (view.gap) this.#socket?.restart();
    else this.#refreshWorker(before, view);
  }

  /** Before the cut they may have been lost, or have counted: then their questions are not open any more. */
  #answerAgain(): void {
    for (const { id, answer } of this.#answers.unheard(this.store.getState().session))
      this.#socket?.send({ type: "extension_ui_response", id, ...answer });
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
