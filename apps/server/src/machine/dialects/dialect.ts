// A dialect: how a worker is started, and how its protocol is translated to zot rpc and back. Only the dialects know
// other protocols; the rest of the server reads and writes zot rpc.
import type { ChildProcess } from "node:child_process";

/** All dialects, by the name that profiles use. */
export const dialectNames = ["zot", "pi", "omp", "acp", "zeroclaw"] as const;
export type DialectName = (typeof dialectNames)[number];

interface StartOptions {
  cwd: string;
  /** `provider/model`, or a model of the worker's default provider. */
  model: string | undefined;
  /** The agent's own id of the session that it resumes. */
  session?: string | undefined;
}

/** A command to the worker. */
export type WorkerBound = { type: string } & Record<string, unknown>;

export interface FileRules {
  /** The person's home directory; some places in it are private. */
  readonly home: string;
  /** The server's home directory, which is private too. */
  readonly serverHome: string;
  /** A person has turned approvals off. */
  readonly fullAccess: boolean;
}

/** In what an agent differs from its protocol, or what its protocol leaves open. Known agents have it in their profile. */
export interface AgentTraits {
  /** Whose models it calls where nothing else is configured, as the price catalog names it. */
  readonly provider?: string;
  /** Of a prompt with several model calls it reports the tokens of the last one only. */
  readonly reportsLastCall?: true;
  /** It takes our answer that a file is not there for a failure, so it reads files itself. */
  readonly readsFilesItself?: true;
  /** The methods of `authenticate` that take a key from the environment, and the variables with that key. */
  readonly keyMethods?: Readonly<Record<string, readonly string[]>>;
  /** It puts the output of its tools in Markdown: in a fence, after the description of the command. */
  readonly wrapsOutput?: true;
  /** An error that it writes as an answer, in one piece. */
  readonly errorText?: RegExp;
  /** A warning that it writes into its answers, in one piece. */
  readonly warningText?: RegExp;
  /** What it is told beyond the protocol when its session is opened (`_meta`). */
  readonly openMeta?: Readonly<Record<string, unknown>>;
  /** A command that its model has begun goes on after a stop; closing its session ends it, and it can open that again. */
  readonly keepsCommands?: true;
  /** The command by which a person logs in. */
  readonly logIn?: string;
}

/** What a translation gets from its host: the session's settings, and the ways to the worker and to the server. */
export interface DialectHost {
  /** The session's directory. */
  readonly cwd: string;
  /** The chosen model, for agents that receive it in their protocol and not as an argument: see `StartOptions`. */
  readonly model: string | undefined;
  /** The worker's environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly traits: AgentTraits;
  /** Which files the worker may read and write through the server. */
  readonly files: FileRules;
  /** Starts a command of the worker where the worker runs (in its sandbox, if it has one), with only the given variables. */
  start(
    command: readonly [string, ...string[]],
    where: { directory: string; environment: Readonly<Record<string, string>> },
  ): ChildProcess;
  /** Sends one line to the worker, without LF. */
  send(line: string): void;
  /** Hands whole zot rpc lines to the server, each ended by LF: frames for the log, and responses. */
  emit(lines: Uint8Array): void;
}

/** The translation for one worker. It may keep state. */
export interface DialectTranslation {
  /** Takes whole lines of the worker. Their memory is reused when this returns. */
  fromWorker(run: Uint8Array): void;
  /** Takes a zot rpc command. Its response is emitted with the same id. */
  toWorker(command: WorkerBound): void;
  /** Ends the session at a daemon, which would otherwise keep it running. Never rejects. */
  closeRemote?(): Promise<void>;
  /** Called when the worker has exited. */
  close(): void;
}

export interface Dialect {
  readonly name: string;
  /** What every agent that speaks it can do; absent: each agent says that for itself. */
  readonly capabilities?: readonly string[];
  /** Whether the agent can be started with this id of an earlier session and has its memory. */
  canResume?(session: string): boolean;
  /** The arguments that are added to the profile's command. */
  startArguments(options: StartOptions): string[];
  open(host: DialectHost): DialectTranslation;
}
