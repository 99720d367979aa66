// The seam to the machine that workers and directories are on. Sessions, HTTP and the local socket know only this
// interface; `LocalMachine` is the machine of the server itself. Whatever a caller awaits may be far away later.
import type {
  ImportProgram,
  ModelsData,
  Resources,
  SafetyInfo,
  UpdateSafety,
  WorkerInfo,
} from "@patchbay/protocol";
import type { ReadFile } from "../store/imported.ts";
import type { ProcessMark } from "../store/session-record.ts";
import type { Worktree } from "../store/worktree.ts";
import type { WorkerBound } from "./dialects/dialect.ts";
import type { Entry, FileText } from "./files/read-files.ts";
import type { FoundPath } from "./git/find-paths.ts";
import type { Changes } from "./git/starting-point.ts";
import type { Removal } from "./git/worktrees.ts";
import type { SessionFile } from "./imports/find-sessions.ts";
import type { ProgramName } from "./imports/program-directories.ts";
import type { CallBatch } from "./imports/read-calls.ts";
import type { FrameBatch } from "./imports/session-frames.ts";
import type { WorkerExit } from "./processes/worker-process.ts";

export type { WorkerBound } from "./dialects/dialect.ts";
export type { Removal } from "./git/worktrees.ts";
export type { SessionFile } from "./imports/find-sessions.ts";
export type { ProgramName } from "./imports/program-directories.ts";
export type { RecordedCall } from "./imports/recorded-call.ts";
export type { WorkerExit } from "./processes/worker-process.ts";

export interface Machine {
  readonly workers: MachineWorkers;
  readonly safety: MachineSafety;
  readonly directories: MachineDirectories;
  readonly files: MachineFiles;
  readonly changes: MachineChanges;
  readonly worktrees: MachineWorktrees;
  readonly imports: MachineImports;
  /** Starts a worker. Throws when the system refuses to run it; whatever happens later, the port reports. */
  launch(start: WorkerStart, events: PortEvents): WorkerPort;
  /** Ends a worker that an earlier server left behind, with every process that it started. */
  endLeftBehind(mark: ProcessMark): Promise<void>;
  close(): Promise<void>;
}

/** Which workers can be started here, and whether they may be. */
export interface MachineWorkers {
  list(): WorkerInfo[];
  /** Throws `unknown_worker`. */
  get(name: string): WorkerKind;
  /** Why it cannot be started, for a person; undefined: it can. Throws `unknown_worker`. */
  problemWith(name: string): string | undefined;
  /** The models of the built-in agent. Never rejects: empty when it could not say. */
  models(): Promise<ModelsData>;
  /** What a person has to know before the worker is started in a directory. */
  check(name: string, cwd: string): Promise<StartCheck>;
  /** From now on, code that the directory brings may run without a question. */
  trust(directory: string): Promise<void>;
}

/** A worker that a session can have. */
export interface WorkerKind {
  readonly name: string;
  readonly dialect: string;
  /** It is a process in a sandbox, a process without one, or a daemon that runs anyway. */
  readonly runs: "sandboxed" | "unconfined" | "daemon";
  /** There is a second way to start it. */
  readonly hasFallback: boolean;
  /** Its program goes on with sessions of its own. */
  readonly resumes: boolean;
  /** It would go on with this very session, by the name that the program gave it. */
  canResume(agentSession: string): boolean;
}

export type StartCheck =
  | { is: "clear" }
  /** `problem` is for a person. */
  | { is: "impossible"; problem: string }
  /** The directory brings code that the worker would run, and no person has trusted the directory. */
  | {
      is: "untrusted";
      directory: string;
      paths: readonly string[];
      /** What is added to the command so that none of the code runs; undefined: there is no such switch. */
      without: readonly string[] | undefined;
    };

export interface WorkerStart {
  /** Of a `WorkerKind`. */
  worker: string;
  /** In the second way that the worker has. */
  fallback: boolean;
  /** Arguments to the end of its command. */
  added: readonly string[];
  cwd: string;
  /** `provider/model`, a model of the worker's own provider, or undefined for its default. */
  model: string | undefined;
  /** What the agent calls the session that it shall go on with. */
  session?: string | undefined;
}

export interface PortEvents {
  /** Called with what reads a run of the worker's output; an error of it must be handled here. */
  read(read: () => void): void;
  /** Frames and responses. The bytes are valid until this returns, and longer where `WorkerPort.keep` was called. */
  lines(lines: Uint8Array): void;
  /** Lines come faster than they are written: a promise to wait for before reading on. */
  pressure(): Promise<void> | undefined;
  noise(line: string, problem: string): void;
}

/** A worker as sessions see it, wherever it runs: commands go in, lines of the server's own protocol come out. */
export interface WorkerPort {
  readonly pid: number | undefined;
  /** By which this very process can be known again; null when it never ran. */
  readonly mark: ProcessMark | null;
  /** What the worker is started as. Its arguments may hold a key, and are not shown. */
  readonly program: string;
  /** In the worker's environment; its hello must be sent with it. */
  readonly token: string;
  /** Never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Ends a worker's part at a daemon that would go on without us; undefined: there is none. Never rejects. */
  readonly closeRemote: (() => Promise<void>) | undefined;
  send(command: WorkerBound): void;
  /** Keeps bytes of `PortEvents.lines` as they are until the returned function is called; undefined: they stay anyway. */
  keep(bytes: Uint8Array): (() => void) | undefined;
  /** The last lines of its stderr. */
  lastStderr(): string;
  /** What it uses now; undefined where that is not known. */
  resources(): Resources | undefined;
  stop(): Promise<void>;
  kill(): void;
  /** It has exited: releases what was held for it. */
  release(): void;
}

/** What protects the person who runs agents here. */
export interface MachineSafety {
  view(): SafetyInfo;
  update(change: UpdateSafety): Promise<void>;
}

export interface MachineDirectories {
  /** The real path of a directory that sessions may use, the default one without a wish. Rejects with `bad_directory`. */
  find(wish: string | undefined): Promise<string>;
  /** With links resolved, as far as the path exists. */
  realPath(path: string): string;
  /** The branch that is checked out, as far as it is known now; empty when HEAD names none, null without a repository. */
  branch(cwd: string): string | null;
}

/** The directory of a session, to be read. All reject with a `PatchbayError` that says why. */
export interface MachineFiles {
  list(cwd: string, path: string): Promise<{ entries: Entry[]; more: boolean }>;
  readText(cwd: string, path: string): Promise<FileText>;
  /** Paths that a few typed letters may mean, the best first. */
  findPaths(cwd: string, query: string, limit: number): Promise<FoundPath[]>;
}

/** What changed in a session's directory since the session began. */
interface MachineChanges {
  /** Remembers how the directory is now. */
  begin(session: string, cwd: string): Promise<void>;
  list(session: string, cwd: string): Promise<Changes>;
  /** Null: too long to be read. */
  diff(session: string, cwd: string, paths: readonly string[]): Promise<string | null>;
  forget(session: string): Promise<void>;
}

/** Worktrees that belong to one session each. */
interface MachineWorktrees {
  /** Where they are, links resolved. */
  readonly root: string;
  /** Rejects with `bad_directory`. */
  make(session: string, cwd: string): Promise<Worktree>;
  /** Unless something in it would be lost. */
  remove(worktree: Worktree): Promise<Removal>;
  /** A worktree that an earlier version made without a record; `project` is the directory that it was made for. */
  findLegacy(session: string, project: string): Promise<Worktree>;
}

/** What other programs left on this machine. */
export interface MachineImports {
  /** Their sessions in a directory, newest first. */
  sessions(cwd: string): Promise<SessionFile[]>;
  /** The conversation of a session file. `entryIds`: prompts get an id by which the built-in agent can go back to them. */
  conversation(
    program: ImportProgram,
    path: string,
    options: { entryIds: boolean },
  ): AsyncIterable<FrameBatch>;
  /** All session files. `from`: below another home directory. */
  files(from: string | undefined): Promise<{ program: ProgramName; path: string }[]>;
  /** The model calls of a session file, from where it was last read on. */
  calls(
    program: ProgramName,
    path: string,
    known: ReadFile | undefined,
    signal?: AbortSignal,
  ): AsyncIterable<CallBatch>;
}
