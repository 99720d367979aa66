// A dialect: how a worker is started, and how its lines become ours and ours become its.
// Everything downstream speaks zot rpc; a dialect is the only place that may know better.
import type { ChildProcess } from "node:child_process";

/** Every dialect there is, by the name that profiles use. */
export const dialectNames = ["zot", "pi", "omp", "acp", "zeroclaw"] as const;
export type DialectName = (typeof dialectNames)[number];

interface StartOptions {
  cwd: string;
  /** `provider/model`, or a model of the worker's default provider. */
  model: string | undefined;
  /** What the agent calls the session that it shall go on with. */
  session?: string | undefined;
}

/** A command on its way to the worker. */
export type WorkerBound = { type: string } & Record<string, unknown>;

export interface FileRules {
  /** The person's home: some places in it are private. */
  readonly home: string;
  /** The server's own, which is private too. */
  readonly serverHome: string;
  /** A person chose never to be asked. */
  readonly fullAccess: boolean;
}

/** The two sides of a translation. */
export interface DialectHost {
  /** The session's directory. */
  readonly cwd: string;
  /** What a person or the profile has chosen, for agents that are told of it in their protocol: see `StartOptions`. */
  readonly model: string | undefined;
  /** What the worker sees of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Which files it may reach through us. */
  readonly files: FileRules;
  /** Starts a command of the worker's where the worker is; the variables are all that it has. */
  start(
    command: readonly [string, ...string[]],
    where: { directory: string; environment: Readonly<Record<string, string>> },
  ): ChildProcess;
  /** One line to the worker, without LF. */
  send(line: string): void;
  /** Whole lines of ours, each ended by LF: frames for the log, and responses. */
  emit(lines: Uint8Array): void;
}

/** The conversation with one worker; it may remember what was said. */
export interface Translation {
  /** Whole lines of the worker; their memory is used again when this returns. */
  fromWorker(run: Uint8Array): void;
  /** A command of ours; the response to it is emitted with the same id. */
  toWorker(command: WorkerBound): void;
  /** Ends our part at a worker that is about to be left and would go on without us. Never rejects. */
  closeRemote?(): Promise<void>;
  /** The worker is gone. */
  close(): void;
}

export interface Dialect {
  readonly name: string;
  /** The agent can be started with what it had called a session, and remembers it. */
  canResume?(session: string): boolean;
  /** What is added to the profile's command. */
  startArguments(options: StartOptions): string[];
  open(sides: DialectHost): Translation;
}
