// A dialect: how a worker is started, and how its lines become ours and ours become its.
// Everything downstream speaks zot rpc; a dialect is the only place that may know better.

interface StartOptions {
  cwd: string;
  /** `provider/model`, or a model of the worker's default provider. */
  model: string | undefined;
}

export interface Dialect {
  readonly name: string;
  /** What is added to the profile's command. */
  startArguments(options: StartOptions): string[];
  /** Complete lines of the worker in, complete lines of ours out. Identity means: the same bytes. */
  fromWorker(run: Uint8Array): Uint8Array;
  /** One command of ours in, the worker's line (without LF) out. */
  toWorker(command: object): string;
}
