// Finds a Node that is new enough for an agent that is a Node script: the server itself may run on an older one. Looked for
// in PATH, and where nvm, fnm and Volta keep theirs.
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { locateProgram } from "./locate-program.ts";
import { oldestNode } from "./package-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A `node` that does not answer by then is none. */
const versionMs = 5_000;

export class NodeRuntimes {
  readonly #environment: Environment;
  /** By real path: asking one takes tens of milliseconds. */
  readonly #versions = new Map<string, string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Why the program cannot run; undefined: it can, or it is no Node script. */
  problemWith(agent: string, program: string, atLeast: string): string | undefined {
    if (!this.#isNodeScript(program)) return undefined;
    const needed = this.#neededBy(program) ?? atLeast;
    if (this.#find(needed) !== undefined) return undefined;
    return `${agent} needs Node ${needed} or newer, and there is none in PATH or in the directories of nvm, fnm and Volta (the server runs on Node ${process.versions.node}). Install a newer Node, then refresh.`;
  }

  /** The environment in which `#!/usr/bin/env node` starts a Node that is new enough; unchanged if it does already. */
  environmentFor(
    program: string,
    atLeast: string,
    given: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const directory = this.#isNodeScript(program)
      ? this.#find(this.#neededBy(program) ?? atLeast)
      : undefined;
    const { PATH = "", ...others } = given;
    if (directory === undefined || directory === this.#inPath()[0]) return { ...given };
    return { ...others, PATH: `${directory}${delimiter}${PATH}` };
  }

  /** The directory of the first `node` that is new enough. */
  #find(atLeast: string): string | undefined {
    return [...this.#inPath(), ...this.#ofManagers()].find((directory) =>
      isAtLeast(this.#versionOf(join(directory, "node")), atLeast),
    );
  }

  #inPath(): string[] {
    const directories = (this.#environment["PATH"] ?? "").split(delimiter).filter(isAbsolute);
    return directories.filter((directory) => locateProgram("node", directory) !== undefined);
  }

  /** The newest of each manager first. */
  #ofManagers(): string[] {
    const { HOME = "", NVM_DIR, FNM_DIR, VOLTA_HOME, XDG_DATA_HOME } = this.#environment;
    const data = XDG_DATA_HOME ?? join(HOME, ".local/share");
    const nvm = versionsIn(join(NVM_DIR ?? join(HOME, ".nvm"), "versions/node"), "bin");
    const fnm = [FNM_DIR ?? join(data, "fnm"), join(HOME, ".fnm")].flatMap((root) =>
      versionsIn(join(root, "node-versions"), "installation/bin"),
    );
    const volta = versionsIn(join(VOLTA_HOME ?? join(HOME, ".volta"), "tools/image/node"), "bin");
    return [...nvm, ...fnm, ...volta].filter((directory) => locateProgram("node", directory) !== undefined);
  }

  #isNodeScript(program: string): boolean {
    const path = locateProgram(program, this.#environment["PATH"] ?? "");
    return path !== undefined && /^#!.*\bnode\b/.test(firstBytes(path));
  }

  #neededBy(program: string): string | undefined {
    const path = locateProgram(program, this.#environment["PATH"] ?? "");
    return path === undefined ? undefined : oldestNode(path);
  }

  #versionOf(node: string): string {
    const path = realpathSync(node);
    if (path === process.execPath) return process.versions.node;
    const known = this.#versions.get(path);
    if (known !== undefined) return known;
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: versionMs, env: {} });
    const version = /^v(\d+\.\d+\.\d+)/.exec(stdout ?? "")?.[1] ?? "0";
    this.#versions.set(path, version);
    return version;
  }
}

const parts = (version: string): number[] => version.replace(/^v/, "").split(".").map(Number);

/** Compares as many parts as `atLeast` has. */
export function isAtLeast(version: string, atLeast: string): boolean {
  const found = parts(version);
  for (const [index, wanted] of parts(atLeast).entries()) {
    const part = found[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

function versionsIn(root: string, below: string): string[] {
  try {
    return readdirSync(root)
      .filter((name) => /^v?\d+\.\d+\.\d+$/.test(name))
      .toSorted((one, other) => (isAtLeast(one, other) ? -1 : 1))
      .map((name) => join(root, name, below));
  } catch {
    return []; // this manager is not installed
  }
}

/** Enough for `#!/usr/bin/env node`. */
function firstBytes(path: string): string {
  const bytes = Buffer.alloc(64);
  const file = openSync(path, "r");
  try {
    return bytes.toString("latin1", 0, readSync(file, bytes)).split("\n")[0] ?? "";
  } finally {
    closeSync(file);
  }
}
