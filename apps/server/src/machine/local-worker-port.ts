// A worker on this machine: its process or socket, and the translation between its dialect and the server's protocol.
import { randomBytes } from "node:crypto";
import type { Resources } from "@patchbay/protocol";
import { readBuffers } from "../fast-io/read-buffers.ts";
import type { ProcessMark } from "../store/session-record.ts";
import type { DialectTranslation, WorkerBound } from "./dialects/dialect.ts";
import type { PortEvents, WorkerPort, WorkerStart } from "./machine.ts";
import { ResourceMeter } from "./processes/resources.ts";
import { WorkerSandbox } from "./processes/sandbox.ts";
import { startCommand } from "./processes/start-command.ts";
import { type WorkerExit, type WorkerLaunch, WorkerProcess } from "./processes/worker-process.ts";
import { WorkerSocket } from "./processes/worker-socket.ts";
import type { Profile } from "./profiles/profiles.ts";

/** How this machine starts a worker. */
interface LocalStart extends Omit<WorkerStart, "worker"> {
  profile: Profile;
  /** The environment of the worker. */
  environment: Record<string, string>;
  /** The common prefix of the tags of this server's workers. */
  owner: string;
  maxLineBytes: number;
  stopWaitMs: number;
}

export class LocalWorkerPort implements WorkerPort {
  readonly program: string;
  readonly token = randomBytes(32).toString("hex");
  readonly closeRemote: (() => Promise<void>) | undefined;
  readonly #process: WorkerProcess | WorkerSocket;
  readonly #translation: DialectTranslation;
  readonly #sandbox: WorkerSandbox | undefined;
  readonly #meter = new ResourceMeter();

  constructor(
    {
      profile,
      environment,
      owner,
      fallback,
      added,
      cwd,
      model = profile.model,
      session,
      maxLineBytes,
      stopWaitMs,
    }: LocalStart,
    events: PortEvents,
  ) {
    const { dialect, socket } = profile;
    const [program, ...args] = (fallback ? profile.fallback : undefined) ?? profile.command;
    this.program = program;
    this.#sandbox =
      profile.sandbox === undefined
        ? undefined
        : new WorkerSandbox(profile.sandbox, cwd, (path) => events.noise(path, planted));
    const launch: WorkerLaunch = {
      command: [program, ...args, ...added, ...dialect.startArguments({ cwd, model, session })],
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
      traits: profile.traits ?? {},
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

  keep(bytes: Uint8Array): (() => void) | undefined {
    return readBuffers.borrow(bytes);
  }

  resources(): Resources | undefined {
    return this.pid === undefined ? undefined : this.#meter.sample(this.pid);
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
    void this.#sandbox?.remove(); // never rejects: the next start removes what is left
  }
}

const planted = "a command made this file, which would make git run the agent's code; it was removed";
