// What a sandbox shows of the person's home: tool chains and git's identity, read-only. Caches and downloads are not
// among them: in a home of its own, an agent can install what it needs.
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { isWithin } from "./fence.ts";

const inHome =
  `.cargo/bin .cargo/env .rustup .nvm .fnm .nodenv .n .volta .asdf .pyenv .rbenv .rvm .goenv .jenv .sdkman .jabba
  .bun/bin .deno/bin .dotnet .ghcup .juliaup .elan .opam .nimble/bin .pub-cache/bin .local/bin .local/lib .local/pipx
  .local/share/mise .local/share/pnpm .local/share/uv .local/share/fnm .local/share/pipx .local/share/virtualenvs
  .local/share/rtx .local/share/nvm .local/share/junest .local/share/coursier .nix-profile .local/state/nix .guix-profile
  .linuxbrew go/bin bin .npm-global .npm-packages miniconda3 anaconda3 miniforge3 .conda/envs .pixi .proto
  .gitconfig .config/git/config .config/git/ignore .config/git/attributes`.split(/\s+/);

/** Where version managers and languages are told to be found. */
const variables = "NVM_DIR JAVA_HOME GOROOT RUSTUP_HOME VIRTUAL_ENV PYENV_ROOT ASDF_DIR SDKMAN_DIR".split(
  " ",
);

export interface Tools {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What is run: its program and the files among its arguments must be there. */
  readonly command: readonly string[];
}

/** Paths as programs know them; each is shown with what is really there. None holds the home itself. */
export function toolPaths({ home, environment, command }: Tools): string[] {
  const directories = (environment["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const named = variables.flatMap((name) => environment[name] ?? []).filter(isAbsolute);
  const wanted = [
    ...inHome.map((name) => join(home, name)),
    ...directories.flatMap((directory) => [directory, ...besideBin(directory)]),
    ...named,
    ...installationOf(process.execPath, home),
    ...command.filter(isAbsolute).flatMap((word) => installationOf(word, home)),
    ...foundIn(directories, command[0]).flatMap((program) => installationOf(program, home)),
  ];
  return [...new Set(wanted)].filter((path) => existsSync(path) && !isWithin(home, realPath(path)));
}

/** Programs in a `bin` of npm's are links into the `lib` beside it; shims call the version manager around them. */
function besideBin(directory: string): string[] {
  if (basename(directory) === "shims") return [dirname(directory)];
  return basename(directory) === "bin" ? [join(dirname(directory), "lib", "node_modules")] : [];
}

const foundIn = (directories: readonly string[], program = ""): string[] =>
  program === "" || program.includes(sep)
    ? []
    : directories
        .map((directory) => join(directory, program))
        .filter((path) => isFile(path))
        .slice(0, 1);

/** A program, and what belongs to it: its package with all it depends on, or the directory it was put into. */
function installationOf(program: string, home: string): string[] {
  if (!isFile(program)) return [];
  const real = realPath(program);
  return [program, real].flatMap((path) => [path, ...packageOf(path, home)]);
}

function packageOf(path: string, home: string): string[] {
  const parts = path.split(sep);
  const modules = parts.indexOf("node_modules");
  if (modules > 0) return [parts.slice(0, modules + 1).join(sep)];
  for (let directory = dirname(path); dirname(directory) !== directory; directory = dirname(directory)) {
    if (isWithin(home, directory)) break;
    if (existsSync(join(directory, "package.json"))) return [directory, ...modulesAbove(directory, home)];
  }
  const directory = dirname(path);
  const prefix = basename(directory) === "bin" ? dirname(directory) : directory;
  return isWithin(home, prefix) || dirname(prefix) === prefix ? [] : [prefix];
}

/** Where Node looks for what a package needs and does not have itself. */
function modulesAbove(path: string, home: string): string[] {
  const found: string[] = [];
  for (let directory = path; dirname(directory) !== directory; directory = dirname(directory)) {
    found.push(join(directory, "node_modules"));
    if (isWithin(home, directory)) break;
  }
  return found;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // gone meanwhile: the mount is left out
  }
}
