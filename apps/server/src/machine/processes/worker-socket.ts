// A worker that is a daemon: reached through its socket, with the interface of WorkerProcess. A broken connection is retried
// for a while, and lines of the server's own notify the dialect when it breaks and when it is back. If all retries fail, the worker has ended.
import { connect, type Socket } from "node:net";
import { LineSplitter, LineTooLongError } from "@patchbay/protocol";
import { errorCode } from "../../diagnostics/error-code.ts";
import type { WorkerExit } from "./worker-process.ts";

/** Never sent by a daemon; the zeroclaw dialect recognises them. `gone`: the worker is about to end. */
const ownLines = {
  disconnected: '{"jsonrpc":"2.0","method":"$/disconnected"}\n',
  reconnected: '{"jsonrpc":"2.0","method":"$/reconnected"}\n',
  gone: '{"jsonrpc":"2.0","method":"$/gone"}\n',
};

/** Between attempts to reconnect: a daemon restarts within a few seconds. */
const retryMs = [100, 250, 500, 1_000, 2_000, 4_000];

type OnRun = (run: Uint8Array) => Promise<void> | undefined;

export class WorkerSocket {
  readonly stderr = { last: () => "" };
  readonly mark = null;
  readonly pid = undefined;
  readonly exited: Promise<WorkerExit>;
  readonly #path: string;
  readonly #maxLineBytes: number;
  readonly #onRun: OnRun;
  #socket: Socket | undefined;
  #wasConnected = false;
  #ended = false;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Lines written before the first connection. */
  #unsent: string[] = [];
  #end: (exit: WorkerExit) => void = () => {};

  constructor({ path, maxLineBytes }: { path: string; maxLineBytes: number }, onRun: OnRun) {
    this.#path = path;
    this.#maxLineBytes = maxLineBytes;
    this.#onRun = onRun;
    this.exited = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#connect();
  }

  write(line: string): void {
    if (this.#socket?.writable) this.#socket.write(`${line}\n`);
    else if (!this.#wasConnected) this.#unsent.push(line); // after a broken connection, the dialect sends again
  }

  async stop(): Promise<void> {
    this.#finish({ cause: "asked", code: null, signal: null });
    await this.exited;
  }

  kill(): void {
    this.#finish({ cause: "asked", code: null, signal: null });
  }

  #connect(): void {
    const splitter = new LineSplitter({ maxLineBytes: this.#maxLineBytes });
    const socket = connect(this.#path);
    let problem = "the connection was closed";
    socket.once("connect", () => {
      if (this.#ended) return socket.destroy(); // ended meanwhile
      this.#socket = socket;
      this.#attempts = 0;
      const again = this.#wasConnected;
      this.#wasConnected = true;
      if (again) this.#notify("reconnected");
      for (const line of this.#unsent.splice(0)) this.write(line);
    });
    socket.on("data", (chunk: Buffer) => {
      try {
        let wait: Promise<void> | undefined;
        for (const run of splitter.pushRuns(chunk)) wait = this.#onRun(run);
        if (wait === undefined) return;
        socket.pause();
        void wait.then(() => socket.resume()); // never rejects: see Journal
      } catch (error) {
        if (!(error instanceof LineTooLongError)) throw error;
        this.#finish({ cause: "line_too_long", code: null, signal: null });
      }
    });
    socket.on("error", (error) => {
      problem = `${errorCode(error)} at ${this.#path}`;
    });
    socket.once("close", () => this.#lost(problem));
  }

  #lost(problem: string): void {
    const wasOpen = this.#socket !== undefined;
    this.#socket = undefined;
    const wait = retryMs[this.#attempts++];
    if (this.#ended) return;
    const unreachable = { cause: "unreachable", code: null, signal: null, problem } as const;
    if (!this.#wasConnected) return this.#finish(unreachable);
    if (wasOpen) this.#notify("disconnected");
    if (wait === undefined) {
      this.#notify("gone");
      return this.#finish(unreachable);
    }
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  /** There is no connection, or nothing of it was read yet, that could be held back. */
  #notify(what: keyof typeof ownLines): void {
    void this.#onRun(Buffer.from(ownLines[what]));
  }

  #finish(exit: WorkerExit): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
    this.#end(exit);
  }
}
