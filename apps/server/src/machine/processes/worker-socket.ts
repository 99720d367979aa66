// A worker that is a daemon: reached through its socket, with the small interface of WorkerProcess. A connection that
// breaks is made again for a while, and the dialect is told so by a line of ours; only then is the worker gone.
import { connect, type Socket } from "node:net";
import { LineSplitter, LineTooLongError } from "@patchbay/protocol";
import { errorCode } from "../../diagnostics/error-code.ts";
import type { WorkerExit } from "./worker-process.ts";

/** No daemon says this; `dialects/` knows it by name. */
const reconnectedLine = '{"jsonrpc":"2.0","method":"$/reconnected"}';

/** Between attempts to come back: a daemon that restarts is there again within a few seconds. */
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
  #wasThere = false;
  #over = false;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Said before the connection stood. */
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
    else if (!this.#wasThere) this.#unsent.push(line); // what is said to a broken one is said anew by the dialect
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
      if (this.#over) return socket.destroy(); // ended meanwhile
      this.#socket = socket;
      this.#attempts = 0;
      const again = this.#wasThere;
      this.#wasThere = true;
      if (again) void this.#onRun(Buffer.from(`${reconnectedLine}\n`)); // nothing was read that could wait
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
    this.#socket = undefined;
    const wait = retryMs[this.#attempts++];
    if (this.#over) return;
    if (!this.#wasThere)
      return this.#finish({
        cause: "not_started",
        code: null,
        signal: null,
        problem: `nobody listens: ${problem}`,
      });
    if (wait === undefined) return this.#finish({ cause: "exited", code: null, signal: null, problem });
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #finish(exit: WorkerExit): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
    this.#end(exit);
  }
}
