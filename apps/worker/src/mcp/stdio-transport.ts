// A stdio MCP server: a program in a process group of its own, which ends with the worker whatever
// happens. The SDK's transport has no groups and takes our environment, so this is one of our own.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { deserializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { LineSplitter, LineTooLongError, linesOf } from "@patchbay/protocol";
import type { LogFile } from "../processes/log-file.ts";
import { disownGroup, endGroup, ownGroup } from "../processes/process-groups.ts";
import type { TransportSpec } from "./config.ts";

/** A picture in base64 fits; a server that writes longer lines does not speak the protocol. */
const maxLineBytes = 16 * 1024 * 1024;
/** A busy server sends dozens of messages per second. One that sends more is read no faster than this. */
const maxMessagesPerSecond = 1_000;
/** Between the steps that end it: stdin closed, SIGTERM, SIGKILL. Servers are ended in parallel. */
const stepMs = 1_000;
/** After it has exited, its pipe may still hold the last answer. */
const drainMs = 250;
/** Lines that are no messages: so many are quoted in the log, and so much of each. */
const quotedLines = 50;
const quotedChars = 200;

type StdioSpec = Extract<TransportSpec, { kind: "stdio" }>;
type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended, for a person; null while it has not. */
  ending: string | null = null;
  readonly #spec: StdioSpec;
  readonly #env: Readonly<Record<string, string>>;
  readonly #log: LogFile;
  readonly #lines = new LineSplitter({ maxLineBytes });
  #child: Child | undefined;
  #ended: Promise<void> = Promise.resolve();
  #quoted = 0;
  #window = { since: 0, messages: 0 };

  constructor(spec: StdioSpec, shellEnv: Readonly<Record<string, string>>, log: LogFile) {
    this.#spec = spec;
    this.#env = { ...shellEnv, ...spec.env };
    this.#log = log;
  }

  async start(): Promise<void> {
    const { command, args, cwd } = this.#spec;
    const child = spawn(command, [...args], {
      cwd,
      env: { ...this.#env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    child.stdin.on("error", (error) => this.onerror?.(error));
    try {
      await once(child, "spawn");
    } catch (error) {
      throw new Error(cannotStart(command, cwd, error), { cause: error });
    }
    ownGroup(child.pid ?? -1);
    child.on("error", (error) => this.onerror?.(error));
    const exited = new Promise<string>((resolve) => {
      child.once("exit", (code, signal) =>
        resolve(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`),
      );
    });
    this.#ended = this.#watch(child, exited, this.#readMessages(child.stdout));
    void this.#readLog(child.stderr);
  }

  async #watch(child: Child, exited: Promise<string>, read: Promise<void>): Promise<void> {
    const ending = await exited;
    this.ending ??= ending;
    this.#log.note(ending);
    const group = child.pid ?? -1;
    await endGroup(group, stepMs); // with everything that it started
    disownGroup(group);
    await Promise.race([read, pause(drainMs)]);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.onclose?.();
  }

  async #readMessages(stdout: Readable): Promise<void> {
    try {
      for await (const chunk of stdout) {
        for (const run of this.#lines.pushRuns(chunk)) {
          for (const line of linesOf(run)) {
            this.#take(line);
            // The SDK deals with notifications later and with answers at once: progress that came in the same
            // chunk as its answer would be for a call that is over.
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        await this.#pace();
      }
    } catch (error) {
      if (!(error instanceof LineTooLongError)) return; // destroyed, because it ended
      this.ending ??= `it wrote a line longer than ${maxLineBytes} bytes`;
      await this.close();
    }
  }

  #take(line: Uint8Array): void {
    const text = new TextDecoder().decode(line);
    this.#window.messages++;
    try {
      this.onmessage?.(deserializeMessage(text));
    } catch {
      // Many programs print a banner on stdout. It is logged, because it may explain why a server does not respond.
      if (this.#quoted++ >= quotedLines) return;
      this.#log.note(`wrote a line that is not a message: ${text.slice(0, quotedChars)}`);
    }
  }

  /** While this waits nothing is read, so that a flooding server waits for its pipe. */
  async #pace(): Promise<void> {
    const now = performance.now();
    const left = this.#window.since + 1_000 - now;
    if (left > 0 && this.#window.messages < maxMessagesPerSecond) return;
    if (left > 0) await pause(left);
    this.#window = { since: performance.now(), messages: 0 };
  }

  async #readLog(stderr: Readable): Promise<void> {
    try {
      for await (const chunk of stderr) await this.#log.append(chunk);
    } catch {
      // destroyed, because it ended
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || stdin.destroyed) throw new Error("the server is not running");
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    await Promise.race([once(stdin, "drain"), once(stdin, "close")]);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    const left = await Promise.race([this.#ended.then(() => false), pause(stepMs).then(() => true)]);
    if (left) await endGroup(child.pid, stepMs);
    await this.#ended;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function cannotStart(command: string, cwd: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") {
    return `the program "${command}" was not found (or ${cwd} is not a directory); install it, or use its path`;
  }
  if (code === "EACCES") return `the program "${command}" cannot be run (permission denied)`;
  return error instanceof Error ? error.message : String(error);
}
