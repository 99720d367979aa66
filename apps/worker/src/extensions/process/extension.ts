// One extension: its process and its life, from the handshake to the end. What its frames mean is decided
// elsewhere.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import {
  type ExtensionFrame,
  type ExtensionManifest,
  extensionTimeouts,
  type HelloAck,
  type HostFrame,
} from "@patchbay/protocol/extension";
import type { LogFile } from "../../processes/log-file.ts";
import { disownGroup, endGroup, groupIsAlive, ownGroup } from "../../processes/process-groups.ts";
import type { FoundExtension } from "../discovery/discover.ts";
import { programOf } from "../discovery/manifest.ts";
import type { Scope } from "../discovery/places.ts";
import { type AnswerType, type CallOptions, type CallOutcome, Calls } from "./calls.ts";
import { describeEnd, describeFailure } from "./describe-exit.ts";
import { readFrames } from "./frame-reader.ts";

/** What it has been told and has not read. A tool call may carry a whole file; several do not fit. */
const maxUnreadBytes = 8 * 1024 * 1024;
/** zot's: without a `ready`, this long without a word means that it has registered everything. */
const quietMs = 250;
const readyMs = 3_000;
/** After its end, a child of it may hold the pipe open. */
const drainMs = 250;
/** From the end of its input to SIGTERM, and from there to SIGKILL. Together less than the worker's own patience. */
const goodbyeMs = 2_000;
const termMs = 700;

type Life = "starting" | "greeted" | "ready" | "stopping" | "gone";

export interface ExtensionOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly log: LogFile;
  greeting(): Omit<HelloAck, "type" | "extension_dir" | "data_dir">;
  /** In order; what it returns is awaited before the next one. */
  frame(extension: Extension, frame: ExtensionFrame): Promise<void> | void;
  trouble(extension: Extension, event: string, error: string): void;
  /** Its life has moved on. */
  changed(extension: Extension): void;
}

export class Extension {
  readonly manifest: ExtensionManifest;
  readonly directory: string;
  readonly scope: Scope;
  readonly log: LogFile;
  /** Ready, or gone without ever having been. */
  readonly settled: Promise<void>;
  readonly #calls = new Calls();
  readonly #options: ExtensionOptions;
  #life: Life = "starting";
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #settle: () => void = () => {};
  #handshake: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #latest: NodeJS.Timeout | undefined;
  #exited = false;
  #deaf = false;
  #lastWords = "";

  constructor({ manifest, directory, scope }: FoundExtension, options: ExtensionOptions) {
    this.manifest = manifest;
    this.directory = directory;
    this.scope = scope;
    this.log = options.log;
    this.#options = options;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get name(): string {
    return this.manifest.name;
  }

  get life(): Life {
    return this.#life;
  }

  /** It has said hello and has not been told to go. */
  get present(): boolean {
    return this.#life === "greeted" || this.#life === "ready";
  }

  timeout(kind: keyof typeof extensionTimeouts): number {
    return this.manifest.timeouts?.[kind] ?? extensionTimeouts[kind];
  }

  start(): void {
    const program = programOf(this.manifest, this.directory);
    this.log.note(`starting ${program} ${(this.manifest.args ?? []).join(" ")}`);
    const child = spawn(program, this.manifest.args ?? [], {
      cwd: this.directory,
      env: { ...this.#options.env, PWD: this.directory },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    child.stdin.on("error", () => {}); // it reads no more; its end says the rest
    const exit = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(describeFailure(error, program)));
      child.once("exit", (code, signal) => resolve(describeEnd(code, signal)));
    });
    if (child.pid !== undefined) ownGroup(child.pid);
    const words = this.#keepWords(child.stderr);
    const frames = this.#read(child.stdout);
    this.#ended = this.#awaitEnd(child, exit, Promise.all([words, frames]));
    const patience = this.timeout("hello_ms");
    this.#handshake = setTimeout(() => {
      this.#giveUp("load", `it did not say hello within ${patience / 1_000} s and was ended`);
    }, patience);
  }

  /** What is wrong when it cannot be told, else null. */
  send(frame: HostFrame): string | null {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#life === "gone" || !stdin.writable) return `${this.name} has ended`;
    if (stdin.writableLength > maxUnreadBytes) {
      const problem = `${this.name} does not read what it is told`;
      if (!this.#deaf) this.#options.trouble(this, "flood", `${problem}: it misses events`);
      this.#deaf = true;
      return problem;
    }
    this.#deaf = false;
    stdin.write(`${JSON.stringify(frame)}\n`);
    return null;
  }

  ask<T extends AnswerType>(
    type: T,
    options: CallOptions,
    frame: (id: string) => HostFrame,
  ): Promise<CallOutcome<T>> {
    return this.#calls.ask(type, options, (id) => this.send(frame(id)));
  }

  /** The ladder: shutdown, end of input, SIGTERM, SIGKILL to the whole group. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#life === "gone") return this.#ended;
    if (this.#life !== "stopping") {
      this.send({ type: "shutdown" });
      this.#enter("stopping");
      child.stdin.end();
    }
    const left = await Promise.race([this.#ended.then(() => true), pause(goodbyeMs).then(() => false)]);
    if (!left && child.pid !== undefined) await endGroup(child.pid, termMs);
    await this.#ended;
  }

  // --- its words ------------------------------------------------------------------------------------

  async #keepWords(stderr: Readable): Promise<void> {
    try {
      for await (const chunk of stderr) {
        this.#lastWords = `${this.#lastWords}${String(chunk)}`.slice(-400);
        await this.log.append(chunk);
      }
    } catch {
      // destroyed at its end: what was read is kept
    }
  }

  async #read(stdout: Readable): Promise<void> {
    try {
      await readFrames(stdout, {
        heard: () => {
          if (this.#life === "greeted") this.#waitForQuiet();
        },
        frame: (frame) => this.#take(frame),
        trouble: (event, error) => this.#options.trouble(this, event, error),
        note: (words) => this.log.note(words),
      });
    } catch (error) {
      if (!this.#exited)
        this.#giveUp("exit", `it could not be heard any more and was ended: ${String(error)}`);
    }
  }

  #take(frame: ExtensionFrame): Promise<void> | void {
    if (this.#life === "gone" || this.#life === "stopping") return;
    if (this.#life === "starting") return this.#greet(frame);
    if (frame.type === "ready") return this.#enter("ready");
    if (frame.type === "tool_progress") return this.#calls.progress(frame.id, frame.text);
    if (!isAnswer(frame)) return this.#options.frame(this, frame);
    if (!this.#calls.answer(frame)) this.log.note(`nobody waits for the ${frame.type} with id ${frame.id}`);
  }

  #greet(frame: ExtensionFrame): void {
    if (frame.type !== "hello") {
      return this.#giveUp("load", `its first frame must be hello, not ${frame.type}`);
    }
    clearTimeout(this.#handshake);
    if (frame.name !== this.name) this.log.note(`it calls itself ${frame.name}; here it is ${this.name}`);
    const place = { extension_dir: this.directory, data_dir: this.directory };
    this.send({ type: "hello_ack", ...this.#options.greeting(), ...place });
    this.#enter("greeted");
    this.#waitForQuiet();
    this.#latest = setTimeout(() => this.#enter("ready"), readyMs);
  }

  #waitForQuiet(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#enter("ready"), quietMs);
  }

  // --- its life -------------------------------------------------------------------------------------

  #enter(next: Life): void {
    const order: readonly Life[] = ["starting", "greeted", "ready", "stopping", "gone"];
    if (order.indexOf(next) <= order.indexOf(this.#life)) return;
    this.#life = next;
    if (next !== "greeted") {
      for (const timer of [this.#handshake, this.#quiet, this.#latest]) clearTimeout(timer);
      this.#settle();
    }
    this.#options.changed(this);
  }

  /** It cannot be worked with: said once, and then it goes without a goodbye. */
  #giveUp(event: string, error: string): void {
    if (this.#life === "stopping" || this.#life === "gone") return;
    this.#options.trouble(this, event, error);
    this.#enter("stopping");
    if (this.#child?.pid !== undefined) void endGroup(this.#child.pid, termMs); // never rejects
  }

  async #awaitEnd(
    child: ChildProcessByStdio<Writable, Readable, Readable>,
    exit: Promise<string>,
    drained: Promise<unknown>,
  ): Promise<void> {
    const how = await exit;
    this.#exited = true;
    const expected = this.#life === "stopping";
    const early = this.#life === "starting";
    await Promise.race([drained, pause(drainMs)]);
    child.stdout.destroy(); // a process that left the group may hold the pipes open for ever
    child.stderr.destroy();
    if (child.pid !== undefined && groupIsAlive(child.pid)) await endGroup(child.pid, termMs);
    if (child.pid !== undefined) disownGroup(child.pid);
    await drained;
    this.#enter("gone");
    this.#calls.failAll(`${this.name} ended before it answered`);
    this.log.note(how);
    if (!expected) {
      const words = this.#lastWords.trim();
      const said = words === "" ? "" : `; its last words: ${words}`;
      this.#options.trouble(this, early ? "load" : "exit", `${how}${said}. /reload-ext starts it again`);
    }
    await this.log.close();
  }
}

const isAnswer = (frame: ExtensionFrame): frame is Extract<ExtensionFrame, { type: AnswerType }> =>
  frame.type === "tool_result" ||
  frame.type === "command_response" ||
  frame.type === "event_intercept_response";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
