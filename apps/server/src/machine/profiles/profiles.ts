// Which workers can be started here, and how. A worker whose program is missing is still listed, with
// the reason, so that a person learns what to install.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { PatchbayError, type WorkerInfo } from "@patchbay/protocol";
import type { SandboxPlaces, WorkerProfile } from "../../config/config-file.ts";
import type { Dialect, FileRules } from "../dialects/dialect.ts";
import { builtinVariables, workerEnvironment } from "../processes/environment.ts";
import { type SandboxSettings, sandboxProblem } from "../processes/sandbox.ts";
import { dialects } from "./dialects.ts";
import { knownPrograms } from "./known-programs.ts";
import type { Safety } from "./safety.ts";

export interface Profile {
  name: string;
  dialect: Dialect;
  command: readonly [string, ...string[]];
  /** How it is started when that does not work. */
  fallback?: readonly [string, ...string[]];
  /** Where it listens, if it is a daemon that runs anyway. */
  socket?: string;
  env: readonly string[];
  /** Which files it may reach through us. */
  files: FileRules;
  /** If it is started in a sandbox. */
  sandbox?: SandboxSettings;
  /** It reads its keys from a pipe, so that its environment holds none. */
  secretsByPipe?: boolean;
  /** The command that installs it, where that is known. */
  install?: string;
  /** What a person may choose from, as the config file says. */
  models?: WorkerInfo["models"];
}

type SafetyOfWorkers = Pick<Safety, "sandbox" | "workerArguments" | "fullAccess">;
type Environment = Readonly<Record<string, string | undefined>>;

/** zot's ten commands are understood by all; these are known before the worker has said hello. */
const builtinCapabilities = ["restore", "thinking", "images", "commands", "extensions", "panels"];

export class Profiles {
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #environment: Environment;
  readonly #safety: SafetyOfWorkers;

  constructor(options: {
    builtinEntry: string;
    /** The server's own; the built-in agent keeps what is not one session's there too. */
    home: string;
    /** How the built-in agent of a new session is set, and whether there is a sandbox. */
    safety: SafetyOfWorkers;
    /** What every sandbox has beside the session's directory. */
    places: SandboxPlaces;
    configured: Readonly<Record<string, WorkerProfile>>;
    environment: Environment;
  }) {
    this.#environment = options.environment;
    this.#safety = options.safety;
    const { ZEROCLAW_SOCKET, HOME = "" } = options.environment;
    const files = { home: HOME, serverHome: options.home, fullAccess: options.safety.fullAccess };
    const builtin: Profile = {
      name: "builtin",
      dialect: dialects.zot,
      // Its stdin closing means that the server is gone: it must not go on working alone.
      command: [
        process.execPath,
        options.builtinEntry,
        ...["--on-eof", "abort", "--home", options.home, "--tell-usage"],
      ],
      env: options.configured["builtin"]?.env ?? builtinVariables,
      files,
      secretsByPipe: true,
    };
    const profiles = new Map([["builtin", builtin]]);
    for (const [name, { dialect, ...known }] of Object.entries(knownPrograms))
      profiles.set(name, { name, dialect: dialects[dialect], files, ...known });
    const zeroclawSocket = ZEROCLAW_SOCKET ?? join(HOME, ".zeroclaw", "data", "daemon.sock");
    profiles.set("zeroclaw", socketProfile("zeroclaw", zeroclawSocket, dialects.zeroclaw, files));
    for (const [name, configured] of Object.entries(options.configured)) {
      if (name === "builtin") continue;
      const profile = configuredProfile(name, configured, profiles.get(name), files);
      if (configured.sandbox !== "on") profiles.set(name, profile);
      else {
        const own = configured.writable ?? knownPrograms[name]?.writable ?? [];
        const sandbox: SandboxSettings = {
          sandbox: options.safety.sandbox,
          writable: [...own.map((path) => path.replace(/^~(?=\/)/, HOME)), ...options.places.writable],
          readable: options.places.readable,
          serverHome: options.home,
          home: HOME,
        };
        profiles.set(name, { ...profile, sandbox });
      }
    }
    this.#profiles = profiles;
  }

  get(name: string): Profile {
    const profile = this.#profiles.get(name);
    if (profile === undefined) {
      const known = [...this.#profiles.keys()].join(", ");
      throw new PatchbayError("unknown_worker", `There is no worker named "${name}" here. Known: ${known}.`);
    }
    if (name !== "builtin") return profile;
    const [program, ...args] = profile.command;
    return { ...profile, command: [program, ...args, ...this.#safety.workerArguments] };
  }

  environmentOf(profile: Profile): Record<string, string> {
    return workerEnvironment(this.#environment, profile.env);
  }

  list(): WorkerInfo[] {
    return [...this.#profiles.values()].map((profile) => {
      const problem = this.problemWith(profile);
      return {
        name: profile.name,
        dialect: profile.dialect.name,
        available: problem === undefined,
        ...(problem === undefined ? {} : { reason: problem }),
        ...(problem === undefined || profile.install === undefined ? {} : { install: profile.install }),
        ...(profile.models === undefined ? {} : { models: profile.models }),
        capabilities: profile.name === "builtin" ? builtinCapabilities : [],
      };
    });
  }

  /** Why it cannot be started, or undefined. */
  problemWith(profile: Profile): string | undefined {
    if (profile.socket !== undefined)
      return statSync(profile.socket, { throwIfNoEntry: false })?.isSocket() === true
        ? undefined
        : `Nobody listens on ${profile.socket}. Start the daemon, or name its socket in patchbay.config.json.`;
    const [program] = profile.command;
    const unconfined = profile.sandbox === undefined ? undefined : sandboxProblem(profile.sandbox);
    if (unconfined !== undefined) return unconfined;
    if (findProgram(program, this.#environment["PATH"] ?? "") !== undefined) return undefined;
    return program.includes(sep)
      ? `There is no program at ${program}.`
      : `The program "${program}" was not found in PATH. Install it, or name its path in patchbay.config.json.`;
  }
}

const socketProfile = (name: string, socket: string, dialect: Dialect, files: FileRules): Profile => ({
  name,
  dialect,
  files,
  command: [socket], // for words: nothing is started
  socket,
  env: [],
});

/** What the config file says, and for the rest what is known of a program of that name. */
function configuredProfile(
  name: string,
  given: WorkerProfile,
  known: Profile | undefined,
  files: FileRules,
): Profile {
  const models = given.models === undefined ? {} : { models: given.models.map(modelChoice) };
  const socket = given.socket ?? (given.command === undefined ? known?.socket : undefined);
  if (socket !== undefined)
    return { ...socketProfile(name, socket, dialects[given.dialect ?? "zeroclaw"], files), ...models };
  const command = given.command ?? known?.command ?? [name];
  const [program = name, ...args] = command;
  const { install, fallback } = known ?? {};
  return {
    name,
    files,
    dialect: given.dialect === undefined ? (known?.dialect ?? dialects.zot) : dialects[given.dialect],
    command: [program, ...args, ...(given.arguments ?? [])],
    // Only if it is that program.
    ...(fallback === undefined || given.command !== undefined
      ? {}
      : { fallback: [...fallback, ...(given.arguments ?? [])] as const }),
    env: given.env ?? known?.env ?? [],
    ...models,
    // Only if it is that program: another command is installed fallback.
    ...(install === undefined || given.command !== undefined ? {} : { install }),
  };
}

/** Only the first slash separates: model ids of gateways contain slashes themselves. */
function modelChoice(model: string): { id: string; provider: string } {
  const slash = model.indexOf("/");
  return { id: model.slice(slash + 1), provider: model.slice(0, Math.max(0, slash)) };
}

function findProgram(program: string, path: string): string | undefined {
  if (isAbsolute(program)) return isRunnable(program) ? program : undefined;
  if (program.includes(sep)) return program; // relative to the session's directory: known only then
  return path
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, program))
    .find(isRunnable);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent or not ours to run: both mean "not available"
  }
}
