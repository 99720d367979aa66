// The seam to the machine that workers and directories are on. Sessions, HTTP and the local socket know only this
// interface; `LocalMachine` is the machine of the server itself. What is asynchronous here may run on another machine later.
import type {
  DirectoryList,
  ImportProgram,
  KeysInfo,
  KeyTest,
  ModelsData,
  Resources,
  SafetyInfo,
  TestKey,
  UpdateKey,
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
import type { ReportedAbilities } from "./profiles/agent-abilities.ts";

export type { WorkerBound } from "./dialects/dialect.ts";
export type { Removal } from "./git/worktrees.ts";
export type { SessionFile } from "./imports/find-sessions.ts";
export type { RecordedCall } from "./imports/formats/recorded-call.ts";
export type { ProgramName } from "./imports/program-directories.ts";
export type { Unreadable } from "./imports/unreadable.ts";
export type { WorkerExit } from "./processes/worker-process.ts";

export interface Machine {
  readonly workers: MachineWorkers;
  readonly safety: MachineSafety;
  readonly keys: MachineKeys;
  readonly directories: MachineDirectories;
  readonly files: MachineFiles;
  readonly changes: MachineChanges;
  readonly worktrees: MachineWorktrees;
  readonly imports: MachineImports;
  /** Starts a worker. Throws when the system refuses to run it; the port reports everything later. */
  launch(start: WorkerStart, events: PortEvents): WorkerPort;
  /** Ends a worker that an earlier server left behind, with every process that it started. */
  endLeftBehind(mark: ProcessMark): Promise<void>;
  close(): Promise<void>;
}

/** Which workers can be started here, and whether they may be. */
export interface MachineWorkers {
  list(): WorkerInfo[];
  /** What an agent has said that it can do, for the list. Never throws. */
  noteAbilities(name: string, said: ReportedAbilities): void;
  /** Throws `unknown_worker`. */
  get(name: string): WorkerKind;
  /** Why it cannot be started, for a person; undefined: it can. Throws `unknown_worker`. */
  problemWith(name: string): string | undefined;
  /** The models of the built-in agent. Never rejects: empty when they are not known. */
  models(): Promise<ModelsData>;
  /** Whether a person must be asked before the worker is started in a directory. */
  check(name: string, cwd: string): Promise<StartCheck>;
  /** Trusts a directory: code that it brings may run without a question. */
  trust(directory: string): Promise<void>;
}

/** A worker that a session can have. */
export interface WorkerKind {
  readonly name: string;
  readonly dialect: string;
  /** Those of a hello that names none. */
  readonly capabilities: readonly string[];
  /** A process in a sandbox, a process without one, or a daemon that is already running. */
  readonly runs: "sandboxed" | "unconfined" | "daemon";
  /** The profile has a fallback command. */
  readonly hasFallback: boolean;
  /** Its program can resume sessions of its own. */
  readonly resumes: boolean;
  /** Whether it can resume this session, by the id that the program gave it. */
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
  /** With the fallback command of the profile. */
  fallback: boolean;
  /** Arguments appended to its command. */
  added: readonly string[];
  cwd: string;
  /** `provider/model`, a model of the worker's own provider, or undefined for its default. */
  model: string | undefined;
  /** The agent's own id of the session to resume. */
  session?: string | undefined;
}

export interface PortEvents {
  /** Must call `read`, which reads a run of the worker's output, and handle its errors. */
  read(read: () => void): void;
  /** Frames and responses. The bytes are valid until this returns, and longer where `WorkerPort.keep` was called. */
  lines(lines: Uint8Array): void;
  /** Backpressure: lines come faster than they are written. The promise resolves when reading may continue. */
  pressure(): Promise<void> | undefined;
  noise(line: string, problem: string): void;
}

/** A worker as sessions see it, wherever it runs: commands go in, lines of the server's own protocol come out. */
export interface WorkerPort {
  readonly pid: number | undefined;
  /** Identifies this process after a restart of the server; null when it never ran. */
  readonly mark: ProcessMark | null;
  /** The program of the worker's command, without arguments, which may contain a key. */
  readonly program: string;
  /** In the worker's environment; its hello must be sent with it. */
  readonly token: string;
  /** Never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Closes the session at a daemon, which outlives the port; undefined: the worker is no daemon. Never rejects. */
  readonly closeRemote: (() => Promise<void>) | undefined;
  send(command: WorkerBound): void;
  /** Keeps bytes of `PortEvents.lines` unchanged until the returned function is called; undefined: they never change. */
  keep(bytes: Uint8Array): (() => void) | undefined;
  /** The last lines of its stderr. */
  lastStderr(): string;
  /** Current memory and processor use; undefined where it is not known. */
  resources(): Resources | undefined;
  stop(): Promise<void>;
  kill(): void;
  /** Releases the resources of a worker that has exited. */
  release(): void;
}

/** What protects the person who runs agents here. */
export interface MachineSafety {
  view(): SafetyInfo;
  update(change: UpdateSafety): Promise<void>;
}

/** The keys of model providers that a person entered in the page. All reject with `bad_request` where the input is wrong. */
export interface MachineKeys {
  view(): KeysInfo;
  /** Workers that are started from then on get what has changed. */
  update(provider: string, change: UpdateKey): Promise<void>;
  remove(provider: string): Promise<void>;
  /** Whether the provider accepts what is entered, or what is in use. */
  test(provider: string, entered: TestKey): Promise<KeyTest>;
}

export interface MachineDirectories {
  /** The real path of a directory that sessions may use; undefined: of the default one. Rejects with `bad_directory`. */
  find(requested: string | undefined): Promise<string>;
  /** Resolves links as far as the path exists. */
  realPath(path: string): string;
  /** The branch that is checked out, as far as it is known now; empty when HEAD names none, null without a repository. */
  branch(cwd: string): string | null;
  /** Those that a typed path may mean, among the directories that sessions may use. Never rejects. */
  list(typed: string): Promise<DirectoryList>;
}

/** Read-only access to the directory of a session. All reject with a `PatchbayError` that has the reason. */
export interface MachineFiles {
  list(cwd: string, path: string): Promise<{ entries: Entry[]; more: boolean }>;
  readText(cwd: string, path: string): Promise<FileText>;
  /** Paths that a few typed letters may mean, the best first. */
  findPaths(cwd: string, query: string, limit: number): Promise<FoundPath[]>;
}

/** What changed in a session's directory since the session began. */
interface MachineChanges {
  /** Saves the current state of the directory. */
  begin(session: string, cwd: string): Promise<void>;
  list(session: string, cwd: string): Promise<Changes>;
  /** Null: too long for the page. */
  diff(session: string, cwd: string, paths: readonly string[]): Promise<string | null>;
  forget(session: string): Promise<void>;
}

/** Worktrees that belong to one session each. */
interface MachineWorktrees {
  /** The parent directory of all worktrees, links resolved. */
  readonly root: string;
  /** Rejects with `bad_directory`. */
  make(session: string, cwd: string): Promise<Worktree>;
  /** Keeps the worktree if work would be lost. */
  remove(worktree: Worktree): Promise<Removal>;
  /** A worktree that an earlier version made without a record; `project` is the directory that it was made for. */
  findLegacy(session: string, project: string): Promise<Worktree>;
  /** For a directory in any worktree, whoever made it: the directory of the repository that it corresponds to. Never rejects. */
  mainDirectory(cwd: string): Promise<string | undefined>;
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
