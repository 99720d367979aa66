// A worker as sessions see it, wherever it runs: commands go in, runs of lines in the server's own protocol come out,
// whatever dialect the worker speaks. This is the seam to a worker on this machine; a session starts no process itself.
import { randomBytes } from "node:crypto";
import type { ProcessMark } from "../store/session-record.ts";
import type { Translation, WorkerBound } from "./dialects/dialect.ts";
import { WorkerSandbox } from "./processes/sandbox.ts";
import { startCommand } from "./processes/start-command.ts";
import { type WorkerExit, type WorkerLaunch, WorkerProcess } from "./processes/worker-process.ts";
import { WorkerSocket } from "./processes/worker-socket.ts";
import type { Profile } from "./profiles/profiles.ts";

export interface WorkerStart {
  profile: Profile;
  /** What the worker sees of the environment. */
  environment: Record<string, string>;
  /** What the tags of this server's workers begin with. */
  owner: string;
  cwd: string;
  /** `provider/model`, a model of the worker's own provider, or undefined for its default. */
  model: string | undefined;
  /** What the agent calls the session that it shall go on with. */
  session?: string | undefined;
  maxLineBytes: number;
  stopWaitMs: number;
}

export interface PortEvents {
  /** Called with what reads a run of the worker's output; an error of it must be handled here. */
  read(read: () => void): void;
  /** Frames and responses. The bytes are valid until this returns, unless they are borrowed (read-buffers.ts). */
  lines(lines: Uint8Array): void;
  /** Lines come faster than they are written: a promise to wait for before reading on. */
  pressure(): Promise<void> | undefined;
  noise(line: string, problem: string): void;
}

export interface WorkerPort {
  readonly pid: number | undefined;
  /** By which this very process can be known again; null when it never ran. */
  readonly mark: ProcessMark | null;
  /** What the worker is started as. Its arguments may hold a key, and are not told. */
  readonly program: string;
  /** In the worker's environment; its hello must be sent with it. */
  readonly token: string;
  /** Never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Ends a worker's part at a daemon that would go on without us; undefined: there is none. Never rejects. */
  readonly closeRemote: (() => Promise<void>) | undefined;
  send(command: WorkerBound): void;
  /** The last lines of its stderr. */
  lastStderr(): string;
  stop(): Promise<void>;
  kill(): void;
  /** It has exited: what was held for it is given up. */
  release(): void;
}

export function launchWorker(start: WorkerStart, events: PortEvents): WorkerPort {
  return new LocalWorkerPort(start, events);
}

class LocalWorkerPort implements WorkerPort {
  readonly program: string;
  readonly token = randomBytes(32).toString("hex");
  readonly closeRemote: (() => Promise<void>) | undefined;
  readonly #process: WorkerProcess | WorkerSocket;
  readonly #translation: Translation;
  readonly #sandbox: WorkerSandbox | undefined;

  constructor(
    { profile, environment, owner, cwd, model, session, maxLineBytes, stopWaitMs }: WorkerStart,
    events: PortEvents,
  ) {
    const { dialect, socket } = profile;
    const [program, ...args] = profile.command;
    this.program = program;
    this.#sandbox =
      profile.sandbox === undefined
        ? undefined
        : new WorkerSandbox(profile.sandbox, cwd, (path) => events.noise(path, planted));
    const launch: WorkerLaunch = {
      command: [program, ...args, ...dialect.startArguments({ cwd, model, session })],
      socket,
      sandbox: this.#sandbox,
      files: profile.files,
      cwd,
      model,
      env: { ...environment, ZOTCORE_RPC_TOKEN: this.token },
      secretsByPipe: profile.secretsByPipe ?? false,
      tag: `${owner}.${randomBytes(12).toString("hex")}`,
      maxLineBytes,
      stopWaitMs,
    };
    const translation = dialect.open({
      cwd,
      model,
      environment,
      files: profile.files,
      start: (command, how) => startCommand(launch, command, how),
      send: (line) => this.#process.write(line),
      emit: (lines) => events.lines(lines),
    });
    const onRun = (run: Uint8Array) => {
      events.read(() => translation.fromWorker(run));
      return events.pressure();
    };
    this.#translation = translation;
    this.closeRemote =
      translation.closeRemote === undefined
        ? undefined
        : () => translation.closeRemote?.() ?? Promise.resolve();
    this.#process =
      socket === undefined
        ? new WorkerProcess(launch, onRun)
        : new WorkerSocket({ path: socket, maxLineBytes }, onRun);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get mark(): ProcessMark | null {
    return this.#process.mark;
  }

  get exited(): Promise<WorkerExit> {
    return this.#process.exited;
  }

  send(command: WorkerBound): void {
    this.#translation.toWorker(command);
  }

  lastStderr(): string {
    return this.#process.stderr.last();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  kill(): void {
    this.#process.kill();
  }

  release(): void {
    this.#translation.close();
    void this.#sandbox?.remove(); // never rejects: what is left is removed by the next one
  }
}

const planted = "a command made this file, by which git would run code of the agent's choice; it was removed";
