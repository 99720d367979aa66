// The viewer of one session for one peer. It sends frames as `session/update` notifications, and finds the end of the peer's prompts
// by the numbers of frames.
import { randomUUID } from "node:crypto";
import {
  type Author,
  type ErrorCode,
  errorTable,
  messageText,
  readFrame,
  type Transcript,
} from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Session } from "../../session/session.ts";
import type { Attachment } from "../../session/viewers/attachment.ts";
import type { Payload, Viewer } from "../../session/viewers/viewer.ts";
import { RpcError } from "./json-rpc.ts";
import { type LocalUpdate, Updates } from "./updates.ts";

export interface PeerOutput {
  readonly key: string;
  update(update: LocalUpdate): void;
  /** Resolves when everything so far was written to the system. */
  drained(): Promise<void>;
  buffered(): number;
  /** The session was deleted, the peer does not read, or the server ends. */
  closed(session: string, code: ErrorCode): void;
}

interface Prompt {
  /** Frames after this number belong to the prompt; undefined: the worker has not received it. */
  startedAt: number | undefined;
  done(): void;
  fail(error: RpcError): void;
}

const Header = z.object({ type: z.literal("frames"), seq: z.number(), count: z.number() });

/** Programs on this machine have no name that could be checked. */
export const localProgram: Author = { label: "a program on this machine" };

export class LocalViewer implements Viewer {
  readonly session: Session;
  readonly #output: PeerOutput;
  readonly #updates = new Updates();
  readonly #attachment: Attachment;
  readonly #prompts = new Set<Prompt>();

  constructor(session: Session, output: PeerOutput) {
    this.session = session;
    this.#output = output;
    this.#attachment = session.audience.newAttachment(this);
  }

  readonly author = localProgram;

  get key(): string {
    return this.#output.key;
  }

  /** Starts at the newest frame: a peer reads earlier messages with `session/messages`. During a turn, its message so far is loaded,
   * because the notification of its end has the whole text. */
  async attach(): Promise<void> {
    const { turns } = this.session;
    if (turns.running !== "prompt") return this.session.attach(this.#attachment, this.session.view().seq);
    const { seq, transcript } = await this.session.snapshot();
    this.#updates.midTurn(newestText(transcript));
    return this.session.attach(this.#attachment, seq);
  }

  detach(): void {
    this.session.audience.detach(this.#attachment);
    this.#failAll(new RpcError("noSession", "The session was closed."));
  }

  /** Resolves when the turn has ended. The prompt waits in the session's queue while another turn runs. */
  prompt(message: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const prompt: Prompt = { startedAt: undefined, done: resolve, fail: reject };
      const fail = (error: string) => this.#settle(prompt, new RpcError("internal", error));
      this.#prompts.add(prompt);
      this.session.turns.submit({
        id: randomUUID(),
        command: "prompt",
        payload: { message },
        message,
        images: 0,
        queued_at: new Date().toISOString(),
        viewer: this.key,
        command_id: null,
        sent_seq: null,
        started: () => {
          prompt.startedAt = this.session.view().seq;
        },
        waits: () => {},
        fail,
        removed: () => fail("It was removed from the queue before it started."),
      });
    });
  }

  send(message: Payload): Promise<void> {
    const lines = textOf(message).split("\n");
    for (let at = 0; at < lines.length; ) {
      const header = lines[at++] ?? "";
      if (!header.startsWith('{"type":"frames"')) continue; // a peer requests states and snapshots itself
      const { seq, count } = Header.parse(JSON.parse(header));
      for (let index = 0; index < count; index++) this.#frame(lines[at++] ?? "", seq + index);
    }
    return this.#output.drained();
  }

  buffered(): number {
    return this.#output.buffered();
  }

  close(code: ErrorCode): void {
    this.#failAll(new RpcError("noSession", errorTable[code].sentence));
    this.#output.closed(this.session.id, code);
  }

  #frame(line: string, seq: number): void {
    const reading = readFrame(line);
    if (reading.kind !== "frame") return; // of a newer worker than this server
    const update = this.#updates.of(reading.frame);
    if (update === null) return;
    this.#output.update({ ...update, session_id: this.session.id });
    if (update.type !== "turn_complete") return;
    for (const prompt of this.#prompts) {
      if (prompt.startedAt === undefined || seq <= prompt.startedAt) continue;
      const failed = update["outcome"] === "failed";
      this.#settle(prompt, failed ? new RpcError("internal", String(update["content"])) : undefined);
    }
  }

  #settle(prompt: Prompt, error: RpcError | undefined): void {
    if (!this.#prompts.delete(prompt)) return;
    if (error === undefined) prompt.done();
    else prompt.fail(error);
  }

  #failAll(error: RpcError): void {
    for (const prompt of this.#prompts) this.#settle(prompt, error);
  }
}

/** The text of the partial answer, or of the last message. */
function newestText({ partial, messages }: Transcript): string {
  const last = messages.at(-1);
  const settled = last?.role === "assistant" ? messageText(last) : "";
  return partial !== null && partial.content.length > 0 ? messageText(partial) : settled;
}

function textOf(message: Payload): string {
  if (typeof message === "string") return message;
  return new TextDecoder().decode(message instanceof Uint8Array ? message : Buffer.concat(message));
}
