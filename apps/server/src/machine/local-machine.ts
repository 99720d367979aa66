// The machine that the server itself runs on.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, TrustedDirectories } from "@patchbay/sandbox";
import type { Config } from "../config/config.ts";
import type { Logger } from "../diagnostics/logger.ts";
import type { ProcessMark } from "../store/session-record.ts";
import type { SettingsStore } from "../store/settings-store.ts";
import { allowedDirectory } from "./files/allowed-directory.ts";
import { listDirectories } from "./files/list-directories.ts";
import { listDirectory, readText } from "./files/read-files.ts";
import { realPath } from "./files/real-path.ts";
import { PathFinder } from "./git/find-paths.ts";
import { gitBranch } from "./git/repository.ts";
import { Git } from "./git/run-git.ts";
import { StartingPoints } from "./git/starting-points.ts";
import { Worktrees } from "./git/worktrees.ts";
import { findSessions } from "./imports/find-sessions.ts";
import { filesIn, programDirectories } from "./imports/program-directories.ts";
import { readCalls } from "./imports/read-calls.ts";
import { sessionFrames } from "./imports/session-frames.ts";
import { ProviderKeys } from "./keys/provider-keys.ts";
import { testKey } from "./keys/test-key.ts";
import { LocalWorkerPort } from "./local-worker-port.ts";
import type {
  Machine,
  MachineDirectories,
  MachineFiles,
  MachineImports,
  MachineKeys,
  MachineWorkers,
  PortEvents,
  StartCheck,
  WorkerKind,
  WorkerPort,
  WorkerStart,
} from "./machine.ts";
import { endTagged, tagOfHome, tagVariable } from "./processes/orphans.ts";
import { endMarked } from "./processes/process-mark.ts";
import { directoryProblem } from "./processes/sandbox.ts";
import { AgentAbilities } from "./profiles/agent-abilities.ts";
import { BuiltinModels } from "./profiles/builtin-models.ts";
import { type Profile, Profiles } from "./profiles/profiles.ts";
import { findProjectCode } from "./profiles/project-code.ts";
import { Safety } from "./profiles/safety.ts";

interface LocalMachineOptions {
  config: Config;
  builtinEntry: string;
  /** Whether agents can be confined here; looked for while the store is opened. */
  sandbox: Promise<Sandbox>;
  settings: SettingsStore;
  log: Logger;
  /** Called with a sentence about what protects a person here, before anything is logged. */
  onSafety(sentence: string): void;
}

export class LocalMachine implements Machine {
  readonly workers: MachineWorkers;
  readonly safety: Safety;
  readonly keys: MachineKeys;
  readonly directories: MachineDirectories;
  readonly files: MachineFiles;
  readonly changes: StartingPoints;
  readonly worktrees: Worktrees;
  readonly imports: MachineImports;
  readonly #config: Config;
  readonly #profiles: Profiles;
  readonly #models: BuiltinModels;
  readonly #git: Git;
  /** The common prefix of the tags of this server's workers. */
  readonly #owner: string;
  readonly #removalsFinished: Promise<void>;
  readonly #abilities: AgentAbilities;

  static async open(options: LocalMachineOptions): Promise<LocalMachine> {
    const { config, settings, log } = options;
    const safety = await Safety.load({
      sandbox: await options.sandbox,
      configured: config.agent,
      places: config.sandbox,
      settings,
    });
    options.onSafety(safety.sentence());
    const orphans = await endTagged(tagOfHome(config.home)); // left by a killed server: this server holds the lock of the store
    if (orphans > 0) log.warn({ orphans }, "ended processes that the last server left behind");
    const keys = await ProviderKeys.open({
      home: config.home,
      environment: config.environment,
      onUnreadable: (err) => log.error({ err }, "the saved keys of model providers cannot be read"),
    });
    const abilities = await AgentAbilities.open({
      settings,
      path: config.environment["PATH"] ?? "",
      failed: (err) => log.warn({ err }, "what an agent can do could not be kept"),
    });
    return new LocalMachine(options, safety, keys, abilities);
  }

  private constructor(
    { config, builtinEntry, log }: LocalMachineOptions,
    safety: Safety,
    keys: ProviderKeys,
    abilities: AgentAbilities,
  ) {
    const { home, environment } = config;
    const root = join(home, "worktrees");
    /** Temporary repositories of the server's own. */
    const work = join(home, "git");
    this.#config = config;
    this.#abilities = abilities;
    this.safety = safety;
    this.#owner = tagOfHome(home);
    this.#profiles = new Profiles({
      builtinEntry,
      home,
      safety,
      places: config.sandbox,
      configured: config.workers,
      environment,
      keys,
    });
    this.#models = new BuiltinModels(this.#profiles, (err) =>
      log.warn({ err }, "models could not be listed"),
    );
    this.#git = new Git({
      path: environment["PATH"],
      limitMs: config.limits.git_ms,
      mark: { [tagVariable]: `${this.#owner}.git` },
    });
    this.changes = new StartingPoints(join(home, "starts"), this.#git);
    this.worktrees = new Worktrees({ git: this.#git, root, work: join(work, "worktrees") });
    this.#removalsFinished = this.worktrees
      .finishRemovals()
      .catch((err: unknown) => log.warn({ err }, "worktrees could not be removed"));
    const paths = new PathFinder(this.#git, join(work, "paths"));
    this.files = {
      list: listDirectory,
      readText,
      findPaths: (cwd, query, limit) => paths.find(cwd, query, limit),
    };
    // Sessions may also work in the worktrees that were made for them.
    const allowed = { cwd: config.cwd, directories: [...config.directories, root] };
    this.directories = {
      find: async (requested) => allowedDirectory(requested, allowed),
      realPath,
      branch: gitBranch,
      list: (typed) => listDirectories(typed, { directories: config.directories, branch: gitBranch }),
    };
    this.imports = localImports(environment);
    const profiles = this.#profiles;
    const models = this.#models;
    this.keys = {
      view: () => keys.view(profiles.others),
      async update(provider, change) {
        await keys.update(provider, change);
        models.forget();
      },
      async remove(provider) {
        await keys.remove(provider);
        models.forget();
      },
      test: async (provider, entered) => testKey(keys.forTest(provider, entered)),
    };
    this.workers = {
      list: () =>
        profiles.list().map((worker) => ({ ...worker, ...abilities.of(profiles.get(worker.name)) })),
      noteAbilities: (name, said) => abilities.note(profiles.get(name), said),
      get: (name) => kindOf(profiles.get(name)),
      problemWith: (name) => profiles.problemWith(profiles.get(name)),
      models: () => this.#models.list(),
      check: (name, cwd) => checkStart(profiles.get(name), cwd),
      trust: (directory) => new TrustedDirectories(home).add(directory),
    };
  }

  launch({ worker, ...start }: WorkerStart, events: PortEvents): WorkerPort {
    const { limits } = this.#config;
    const profile = this.#profiles.get(worker);
    return new LocalWorkerPort(
      {
        ...start,
        profile,
        environment: this.#profiles.environmentOf(profile),
        owner: this.#owner,
        maxLineBytes: limits.worker_line_bytes,
        stopWaitMs: limits.worker_stop_ms,
      },
      events,
    );
  }

  endLeftBehind(mark: ProcessMark): Promise<void> {
    return endMarked(mark);
  }

  async close(): Promise<void> {
    this.#git.close();
    await Promise.all([
      this.#models.close(),
      this.changes.settled(),
      this.#removalsFinished,
      this.#abilities.settled(),
    ]);
  }
}

/** Also for `patchbay import costs`, which runs without a server. */
export const localImports = (environment: Config["environment"]): MachineImports => ({
  sessions: (cwd) => findSessions(programDirectories(environment), cwd),
  conversation: sessionFrames,
  async files(from) {
    const found = [];
    for (const directory of programDirectories(environment, from))
      for (const { path } of await filesIn(directory)) found.push({ program: directory.program, path });
    return found;
  },
  calls: readCalls,
});

const kindOf = ({ name, dialect, socket, sandbox, fallback }: Profile): WorkerKind => ({
  name,
  dialect: dialect.name,
  capabilities: dialect.capabilities ?? [],
  runs: socket !== undefined ? "daemon" : sandbox !== undefined ? "sandboxed" : "unconfined",
  hasFallback: fallback !== undefined,
  resumes: dialect.canResume !== undefined,
  canResume: (agentSession) => dialect.canResume?.(agentSession) === true,
});

async function checkStart(profile: Profile, cwd: string): Promise<StartCheck> {
  if (profile.sandbox !== undefined) {
    const problem = directoryProblem(profile.sandbox, cwd);
    if (problem !== undefined) return { is: "impossible", problem };
  }
  // The built-in agent asks the person itself.
  const found = profile.name === "builtin" ? null : findProjectCode(profile, cwd);
  if (found === null) return { is: "clear" };
  const directory = realpathSync(cwd);
  if (await new TrustedDirectories(profile.files.serverHome).has(directory)) return { is: "clear" };
  return { is: "untrusted", directory, ...found };
}
