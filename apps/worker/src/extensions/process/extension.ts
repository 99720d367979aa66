// One extension: its process and its states, from the handshake to the exit. What its frames mean is decided
// in registrations.ts.
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
import { readFrames } from "./frame-reader.ts";

/** What may wait unread in its stdin. A tool call may carry a whole file; several do not fit. */
const maxUnreadBytes = 8 * 1024 * 1024;
/** As in zot: without a `ready` frame, this long without output means that it has registered everything. */
const quietMs = 250;
const readyMs = 3_000;
/** After its exit, a child of it may hold the pipe open. */
const drainMs = 250;
/** From the end of its input to SIGTERM, and from there to SIGKILL. Together less than main.ts waits for services to close. */
const exitMs = 2_000;
const termMs = 700;

type ExtensionState = "starting" | "greeted" | "ready" | "stopping" | "gone";

export interface ExtensionProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly log: LogFile;
  helloData(): Omit<HelloAck, "type" | "extension_dir" | "data_dir">;
  onProblem(extension: Extension, event: string, error: string): void;
}

export interface ExtensionListener {
  /** In order; what it returns is awaited before the next one. */
  onFrame(frame: ExtensionFrame): Promise<void> | void;
  /** Its process has ended. */
  onGone(): void;
}

export class Extension {
  readonly manifest: ExtensionManifest;
  readonly directory: string;
  readonly scope: Scope;
  readonly log: LogFile;
  /** Resolves when it is ready, or has ended before it was. */
  readonly settled: Promise<void>;
  readonly #calls = new Calls();
  readonly #options: ExtensionProcessOptions;
  #listener: ExtensionListener | undefined;
  #state: ExtensionState = "starting";
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #settle: () => void = () => {};
  #handshake: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #latest: NodeJS.Timeout | undefined;
  #exited = false;
  #missesEvents = false;
  #stderrTail = "";

  constructor({ manifest, directory, scope }: FoundExtension, options: ExtensionProcessOptions) {
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

  get state(): ExtensionState {
    return this.#state;
  }

  /** It has sent hello, and has not been asked to shut down. */
  get active(): boolean {
    return this.#state === "greeted" || this.#state === "ready";
  }

  timeout(kind: keyof typeof extensionTimeouts): number {
    return this.manifest.timeouts?.[kind] ?? extensionTimeouts[kind];
  }

  start(listener: ExtensionListener): void {
    this.#listener = listener;
    const program = programOf(this.manifest, this.directory);
    this.log.note(`starting ${program} ${(this.manifest.args ?? []).join(" ")}`);
    const child = spawn(program, this.manifest.args ?? [], {
      cwd: this.directory,
      env: { ...this.#options.env, PWD: this.directory },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    child.stdin.on("error", () => {}); // it reads no more; its exit is reported
    const exit = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(describeSpawnError(error, program)));
      child.once("exit", (code, signal) => resolve(describeExit(code, signal)));
    });
    if (child.pid !== undefined) ownGroup(child.pid);
    const stderr = this.#keepStderr(child.stderr);
    const frames = this.#read(child.stdout);
    this.#ended = this.#awaitEnd(child, exit, Promise.all([stderr, frames]));
    const timeoutMs = this.timeout("hello_ms");
    this.#handshake = setTimeout(() => {
      this.#giveUp("load", `it did not say hello within ${timeoutMs / 1_000} s and was ended`);
    }, timeoutMs);
  }

  /** Why the frame could not be sent, or null. */
  send(frame: HostFrame): string | null {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#state === "gone" || !stdin.writable) return `${this.name} has ended`;
    if (stdin.writableLength > maxUnreadBytes) {
      const problem = `${this.name} does not read its input`;
      if (!this.#missesEvents) this.#options.onProblem(this, "flood", `${problem}: it misses events`);
      this.#missesEvents = true;
      return problem;
    }
    this.#missesEvents = false;
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

  /** In steps: `shutdown`, end of input, SIGTERM, SIGKILL to the whole group. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#state === "gone") return this.#ended;
    if (this.#state !== "stopping") {
      this.send({ type: "shutdown" });
      this.#enter("stopping");
      child.stdin.end();
    }
    const left = await Promise.race([this.#ended.then(() => true), pause(exitMs).then(() => false)]);
    if (!left && child.pid !== undefined) await endGroup(child.pid, termMs);
    await this.#ended;
  }

  // --- its output -----------------------------------------------------------------------------------

  async #keepStderr(stderr: Readable): Promise<void> {
    try {
      for await (const chunk of stderr) {
        this.#stderrTail = `${this.#stderrTail}${String(chunk)}`.slice(-400);
        await this.log.append(chunk);
      }
    } catch {
      // destroyed at its end: what was read is kept
    }
  }

  async #read(stdout: Readable): Promise<void> {
    try {
      await readFrames(stdout, {
        onData: () => {
          if (this.#state === "greeted") this.#waitForQuiet();
        },
        frame: (frame) => this.#take(frame),
        onProblem: (event, error) => this.#options.onProblem(this, event, error),
        note: (message) => this.log.note(message),
      });
    } catch (error) {
      if (!this.#exited)
        this.#giveUp("exit", `its output could not be read, so it was ended: ${String(error)}`);
    }
  }

  #take(frame: ExtensionFrame): Promise<void> | void {
    if (this.#state === "gone" || this.#state === "stopping") return;
    if (this.#state === "starting") return this.#greet(frame);
    if (frame.type === "ready") return this.#enter("ready");
    if (frame.type === "tool_progress") return this.#calls.progress(frame.id, frame.text);
    if (!isAnswer(frame)) return this.#listener?.onFrame(frame);
    if (!this.#calls.answer(frame)) this.log.note(`unexpected ${frame.type} with id ${frame.id}`);
  }

  #greet(frame: ExtensionFrame): void {
    if (frame.type !== "hello") {
      return this.#giveUp("load", `its first frame must be hello, not ${frame.type}`);
    }
    clearTimeout(this.#handshake);
    if (frame.name !== this.name)
      this.log.note(`its name is ${frame.name} in hello, but ${this.name} in extension.json`);
    const place = { extension_dir: this.directory, data_dir: this.directory };
    this.send({ type: "hello_ack", ...this.#options.helloData(), ...place });
    this.#enter("greeted");
    this.#waitForQuiet();
    this.#latest = setTimeout(() => this.#enter("ready"), readyMs);
  }

  #waitForQuiet(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#enter("ready"), quietMs);
  }

  // --- its state ------------------------------------------------------------------------------------

  #enter(next: ExtensionState): void {
    const order: readonly ExtensionState[] = ["starting", "greeted", "ready", "stopping", "gone"];
    if (order.indexOf(next) <= order.indexOf(this.#state)) return;
    this.#state = next;
    if (next !== "greeted") {
      for (const timer of [this.#handshake, this.#quiet, this.#latest]) clearTimeout(timer);
      this.#settle();
    }
    if (next === "gone") this.#listener?.onGone();
  }

  /** It is unusable: reported once, then ended without `shutdown`. */
  #giveUp(event: string, error: string): void {
    if (this.#state === "stopping" || this.#state === "gone") return;
    this.#options.onProblem(this, event, error);
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
    const expected = this.#state === "stopping";
    const early = this.#state === "starting";
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
      const tail = this.#stderrTail.trim();
      const quoted = tail === "" ? "" : `; last output: ${tail}`;
      this.#options.onProblem(this, early ? "load" : "exit", `${how}${quoted}. /reload-ext starts it again`);
    }
    await this.log.close();
  }
}

const isAnswer = (frame: ExtensionFrame): frame is Extract<ExtensionFrame, { type: AnswerType }> =>
  frame.type === "tool_result" ||
  frame.type === "command_response" ||
  frame.type === "event_intercept_response";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// --- how its process ended, for a person ---------------------------------------------------------------

function describeSpawnError(error: Error, program: string): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT")
    return `it cannot be started: ${program} does not exist; check "exec" in extension.json`;
  if (code === "EACCES") return `it cannot be started: ${program} is not executable; run chmod +x ${program}`;
  if (code === "ENOEXEC")
    return `it cannot be started: ${program} is not a program; a script begins with a line such as #!/bin/sh`;
  return `it cannot be started: ${error.message}`;
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with exit code ${code ?? "unknown"}` : `it was ended by ${signal}`;
}
