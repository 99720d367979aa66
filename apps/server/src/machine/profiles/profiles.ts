// The workers of this machine, and how each is started. A worker whose program is missing is still listed, with
// the reason, so that a person sees what to install.
import { statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { PatchbayError, type WorkerInfo } from "@patchbay/protocol";
import type { SandboxPlaces, WorkerProfile } from "../../config/config-file.ts";
import type { AgentTraits, Dialect, FileRules } from "../dialects/dialect.ts";
import type { ProviderKeys } from "../keys/provider-keys.ts";
import { builtinVariables, workerEnvironment } from "../processes/environment.ts";
import { type SandboxSettings, sandboxProblem } from "../processes/sandbox.ts";
import { dialects } from "./dialects.ts";
import { knownPrograms } from "./known-programs.ts";
import { locateProgram } from "./locate-program.ts";
import { NodeRuntimes } from "./node-runtimes.ts";
import type { Safety } from "./safety.ts";

export interface Profile {
  name: string;
  dialect: Dialect;
  command: readonly [string, ...string[]];
  /** The command to try when the first does not start. */
  fallback?: readonly [string, ...string[]];
  /** The socket of a worker that is a daemon. */
  socket?: string;
  env: readonly string[];
  /** Which files it may reach through the server. */
  files: FileRules;
  /** Present if it is started in a sandbox. */
  sandbox?: SandboxSettings;
  /** It reads its keys from a pipe, so that its environment contains none. */
  secretsByPipe?: boolean;
  /** The oldest Node that it runs on, where it is a Node script that needs a newer one than the server. */
  node?: string;
  traits?: AgentTraits;
  /** The command that installs it, where that is known. */
  install?: string;
  /** The model of a session for which no other is chosen. */
  model?: string;
  /** The models of the config file that a person may choose from. */
  models?: WorkerInfo["models"];
}

type SafetyOfWorkers = Pick<Safety, "sandbox" | "workerArguments" | "fullAccess">;
type KeysOfWorkers = Pick<ProviderKeys, "environmentFor">;
type Environment = Readonly<Record<string, string | undefined>>;

/** What the built-in agent says when it starts: the list is shown before that. */
const builtinCapabilities = [
  ...["restore", "thinking", "images", "context_window", "settings", "commands", "extensions", "panels"],
  ...["steer", "steer_remove", "follow_up", "thinking_levels", "compact", "set_model", "models"],
  ...["auto_retry", "auto_compaction", "approvals", "jail", "branch", "bash", "stats", "session_name"],
  ...["sessions", "export_html", "mentions", "skills", "mcp", "call_permits"],
];

export class Profiles {
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #environment: Environment;
  readonly #safety: SafetyOfWorkers;
  readonly #keys: KeysOfWorkers;
  readonly #nodes: NodeRuntimes;

  constructor(options: {
    builtinEntry: string;
    /** The server's own home; the built-in agent also keeps its shared files there. */
    home: string;
    /** The defaults of the built-in agent, and whether there is a sandbox. */
    safety: SafetyOfWorkers;
    /** Directories that every sandbox has beside the session's. */
    places: SandboxPlaces;
    configured: Readonly<Record<string, WorkerProfile>>;
    environment: Environment;
    /** Keys that a person entered in the page. */
    keys: KeysOfWorkers;
  }) {
    this.#keys = options.keys;
    this.#environment = options.environment;
    this.#nodes = new NodeRuntimes(options.environment);
    this.#safety = options.safety;
    const { ZEROCLAW_SOCKET, HOME = "" } = options.environment;
    const files = { home: HOME, serverHome: options.home, fullAccess: options.safety.fullAccess };
    const builtin: Profile = {
      name: "builtin",
      dialect: dialects.zot,
      // A closed stdin means that the server has ended: the worker must not continue alone.
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
      throw new PatchbayError("unknown_worker", `There is no agent "${name}". Available: ${known}.`);
    }
    if (name !== "builtin") return profile;
    const [program, ...args] = profile.command;
    return { ...profile, command: [program, ...args, ...this.#safety.workerArguments] };
  }

  environmentOf(profile: Profile): Record<string, string> {
    const own = this.#keys.environmentFor(profile, workerEnvironment(this.#environment, profile.env));
    const [program] = profile.command;
    return profile.node === undefined ? own : this.#nodes.environmentFor(program, profile.node, own);
  }

  /** The agents of other programs, with the variables that they ask for. */
  get others(): Pick<Profile, "name" | "env">[] {
    return [...this.#profiles.values()].filter(
      (profile) => profile.name !== "builtin" && this.problemWith(profile) === undefined,
    );
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
        : `No daemon at ${profile.socket}. Start the daemon, or set its socket in patchbay.config.json.`;
    const [program] = profile.command;
    const unconfined = profile.sandbox === undefined ? undefined : sandboxProblem(profile.sandbox);
    if (unconfined !== undefined) return unconfined;
    if (locateProgram(program, this.#environment["PATH"] ?? "") !== undefined)
      return profile.node === undefined
        ? undefined
        : this.#nodes.problemWith(profile.name, program, profile.node);
    return program.includes(sep)
      ? `No program at ${program}.`
      : `The program "${program}" was not found in PATH. Install it, or set its path in patchbay.config.json.`;
  }
}

const socketProfile = (name: string, socket: string, dialect: Dialect, files: FileRules): Profile => ({
  name,
  dialect,
  files,
  command: [socket], // only for messages: nothing is started
  socket,
  env: [],
});

/** The profile of the config file, completed by the known program of that name. */
function configuredProfile(
  name: string,
  given: WorkerProfile,
  known: Profile | undefined,
  files: FileRules,
): Profile {
  const models = {
    ...(given.model === undefined ? {} : { model: given.model }),
    ...(given.models === undefined ? {} : { models: given.models.map(modelChoice) }),
  };
  const socket = given.socket ?? (given.command === undefined ? known?.socket : undefined);
  if (socket !== undefined)
    return { ...socketProfile(name, socket, dialects[given.dialect ?? "zeroclaw"], files), ...models };
  const command = given.command ?? known?.command ?? [name];
  const [program = name, ...args] = command;
  const { install, fallback, node } = known ?? {};
  const dialect = given.dialect === undefined ? (known?.dialect ?? dialects.zot) : dialects[given.dialect];
  const traits = traitsOf(dialect, [known?.command, given.command]);
  return {
    name,
    files,
    dialect,
    ...(traits === undefined ? {} : { traits }),
    command: [program, ...args, ...(given.arguments ?? [])],
    // Only for the known program.
    ...(fallback === undefined || given.command !== undefined
      ? {}
      : { fallback: [...fallback, ...(given.arguments ?? [])] as const }),
    env: given.env ?? known?.env ?? [],
    ...models,
    ...(node === undefined || given.command !== undefined ? {} : { node }),
    // Only for the known program: another command is installed in another way.
    ...(install === undefined || given.command !== undefined ? {} : { install }),
  };
}

/** Those of the known agent that one of the commands starts, wherever it is installed. */
function traitsOf(
  dialect: Dialect,
  commands: readonly (readonly string[] | undefined)[],
): AgentTraits | undefined {
  const programs = commands.flatMap(([program] = []) => (program === undefined ? [] : [basename(program)]));
  return Object.values(knownPrograms).find(
    (known) => known.dialect === dialect.name && programs.includes(known.command[0]),
  )?.traits;
}

/** Only the first slash separates: model ids of gateways contain slashes themselves. */
function modelChoice(model: string): { id: string; provider: string } {
  const slash = model.indexOf("/");
  return { id: model.slice(slash + 1), provider: model.slice(0, Math.max(0, slash)) };
}
