// One session as one peer sees it: a viewer like a page's, whose frames leave as `session/update` notifications.
// It also knows when the prompts of this peer are over, by the numbers of the frames.
import { randomUUID } from "node:crypto";
import { type ErrorCode, errorTable, messageText, readFrame, type Transcript } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Session } from "../../session/session.ts";
import type { Attachment } from "../../session/viewers/attachment.ts";
import type { Payload, Viewer } from "../../session/viewers/viewer.ts";
import { RpcError } from "./json-rpc.ts";
import { type LocalUpdate, Updates } from "./updates.ts";

/** Where updates go. */
export interface PeerOutput {
  readonly key: string;
  update(update: LocalUpdate): void;
  /** Resolves when everything said so far has left this process. */
  drained(): Promise<void>;
  buffered(): number;
  /** The session is gone, the peer does not read, or the server ends. */
  closed(session: string, code: ErrorCode): void;
}

interface Prompt {
  /** Frames after this number are its own; undefined until the worker has taken it. */
  startedAt: number | undefined;
  done(): void;
  fail(error: RpcError): void;
}

const Header = z.object({ type: z.literal("frames"), seq: z.number(), count: z.number() });

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

  get key(): string {
    return this.#output.key;
  }

  /** What was said before is to be had with `session/messages`; the end of a turn under way needs its message whole. */
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

  /** Resolves when the turn is over; waits in the session's queue while another one is running. */
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
        removed: () => fail("It was taken out of the queue before it started."),
      });
    });
  }

  send(message: Payload): Promise<void> {
    const lines = textOf(message).split("\n");
    for (let at = 0; at < lines.length; ) {
      const header = lines[at++] ?? "";
      if (!header.startsWith('{"type":"frames"')) continue; // states and snapshots: peers ask for those
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
    if (reading.kind !== "frame") return; // newer than we are: the page shows it
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

/** Of the answer under way, or of the message it has just become. */
function newestText({ partial, messages }: Transcript): string {
  const last = messages.at(-1);
  const settled = last?.role === "assistant" ? messageText(last) : "";
  return partial !== null && partial.content.length > 0 ? messageText(partial) : settled;
}

function textOf(message: Payload): string {
  if (typeof message === "string") return message;
  return new TextDecoder().decode(message instanceof Uint8Array ? message : Buffer.concat(message));
}
