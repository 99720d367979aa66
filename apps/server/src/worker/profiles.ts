// Which workers can be started here, and how. A worker whose program is missing is still listed, with
// the reason, so that a person learns what to install.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { PatchbayError, type WorkerInfo } from "@patchbay/protocol";
import type { AgentDefaults, WorkerProfile } from "../config-file.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { zotDialect } from "../dialects/zot.ts";
import { builtinVariables, workerEnvironment } from "./environment.ts";

export interface Profile {
  name: string;
  dialect: Dialect;
  command: readonly [string, ...string[]];
  env: readonly string[];
  /** It reads its keys from a pipe, so that its environment holds none. */
  secretsByPipe?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** zot's ten commands are understood by all; these are known before the worker has said hello. */
const builtinCapabilities = ["restore", "thinking", "images", "commands", "extensions", "panels"];

export class Profiles {
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #environment: Environment;

  constructor(options: {
    builtinEntry: string;
    /** The server's own; the built-in agent keeps what is not one session's there too. */
    home: string;
    /** How the built-in agent of a new session is set. */
    agent: AgentDefaults;
    configured: Readonly<Record<string, WorkerProfile>>;
    environment: Environment;
  }) {
    this.#environment = options.environment;
    const builtin: Profile = {
      name: "builtin",
      dialect: zotDialect,
      // Its stdin closing means that the server is gone: it must not go on working alone.
      command: [
        process.execPath,
        options.builtinEntry,
        ...["--on-eof", "abort", "--home", options.home],
        ...agentArguments(options.agent),
      ],
      env: options.configured["builtin"]?.env ?? builtinVariables,
      secretsByPipe: true,
    };
    const zot: Profile = {
      name: "zot",
      dialect: zotDialect,
      command: ["zot", "rpc"],
      env: [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "KIMI_API_KEY",
        "MOONSHOT_API_KEY",
        "ZOT_HOME",
        "XDG_STATE_HOME",
      ],
    };
    const profiles = new Map([builtin, zot].map((profile) => [profile.name, profile]));
    for (const [name, configured] of Object.entries(options.configured)) {
      if (name === "builtin") continue;
      const [program, ...args] = configured.command ?? profiles.get(name)?.command ?? [name];
      if (program === undefined) continue;
      profiles.set(name, {
        name,
        dialect: zotDialect,
        command: [program, ...args],
        env: configured.env ?? profiles.get(name)?.env ?? [],
      });
    }
    this.#profiles = profiles;
  }

  get(name: string): Profile {
    const profile = this.#profiles.get(name);
    if (profile === undefined) {
      const known = [...this.#profiles.keys()].join(", ");
      throw new PatchbayError("unknown_worker", `There is no worker named "${name}" here. Known: ${known}.`);
    }
    return profile;
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
        capabilities: profile.name === "builtin" ? builtinCapabilities : [],
      };
    });
  }

  /** Why it cannot be started, or undefined. */
  problemWith(profile: Profile): string | undefined {
    const [program] = profile.command;
    if (findProgram(program, this.#environment["PATH"] ?? "") !== undefined) return undefined;
    return program.includes(sep)
      ? `There is no program at ${program}.`
      : `The program "${program}" was not found in PATH. Install it, or name its path in patchbay.config.json.`;
  }
}

const agentArguments = ({ approvals }: AgentDefaults): string[] =>
  approvals === undefined ? [] : ["--approvals", approvals];

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
