// Installs an extension: into a hidden directory first, which becomes its own only when it is whole and its
// manifest is valid. An error before that leaves nothing behind.
import { spawn } from "node:child_process";
import { access, cp, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import type { ExtensionManifest } from "@patchbay/protocol/extension";
import { programOf, readManifest } from "../extensions/discovery/manifest.ts";
import { CliError } from "./cli-error.ts";

/** Discovery passes over names that begin with a dot. */
const draftPrefix = ".installing-";
/** A draft this old belongs to an install that was killed. */
const abandonedMs = 3_600_000;

export async function installExtension(from: string, home: string): Promise<void> {
  const place = join(home, "extensions");
  const isGit = /^(https?|ssh|git|file):\/\/|^git@|\.git$/.test(from);
  const name = basename(isGit ? from.replace(/\/+$/, "").replace(/\.git$/, "") : resolve(from));
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new CliError(`"${name}" cannot be used as a directory name. Rename the extension.`);
  }
  if (!isGit) await checkSource(resolve(from), place);
  await mkdir(place, { recursive: true, mode: 0o700 });
  await removeAbandoned(place);
  const destination = join(place, name);
  if (await exists(destination)) {
    throw new CliError(`${destination} already exists. Remove it first: patchbay ext remove ${destination}`);
  }
  const draft = await mkdtemp(join(place, draftPrefix));
  try {
    const whole = join(draft, name);
    await (isGit ? clone(from, whole) : copy(resolve(from), whole));
    const manifest = await check(whole, place);
    await rename(whole, destination);
    const version = manifest.version === undefined ? "" : ` ${manifest.version}`;
    process.stdout.write(
      `Installed ${manifest.name}${version} in ${destination}.\nIt runs in new sessions. In open sessions, run /reload-ext.\n`,
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Before anything is copied: most mistakes are here. */
async function checkSource(source: string, place: string): Promise<void> {
  const entry = await stat(source).catch(() => null);
  if (entry === null) throw new CliError(`${source} does not exist. Use a directory or a git URL.`);
  if (!entry.isDirectory()) {
    throw new CliError(`${source} is not a directory. An extension is a directory with an extension.json.`);
  }
  const inside = (path: string, directory: string): boolean => {
    const way = relative(directory, path);
    return way === "" || (!way.startsWith("..") && !isAbsolute(way));
  };
  if (inside(source, place)) throw new CliError(`${source} is already installed.`);
  if (inside(place, source))
    throw new CliError(`${source} contains ${place}. Use the extension's own directory.`);
  const reading = await readManifest(source);
  if (!reading.ok) throw new CliError(reading.problem);
}

async function check(directory: string, place: string): Promise<ExtensionManifest> {
  const reading = await readManifest(directory);
  if (!reading.ok) {
    const problem = reading.absent ? "it has no extension.json" : reading.problem;
    throw new CliError(`not installed: ${problem}.`);
  }
  const { manifest } = reading;
  const program = programOf(manifest, directory);
  if (isAbsolute(program) && !(await exists(program))) {
    throw new CliError(
      `not installed: its program ${manifest.exec} does not exist. Does it need to be built first?`,
    );
  }
  for (const other of await readdir(place)) {
    if (other.startsWith(".")) continue;
    const known = await readManifest(join(place, other));
    if (known.ok && known.manifest.name === manifest.name) {
      throw new CliError(
        `not installed: ${join(place, other)} is already an extension named ${manifest.name}. Remove one of them.`,
      );
    }
  }
  return manifest;
}

async function copy(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, errorOnExist: true, verbatimSymlinks: true });
  } catch (error) {
    throw new CliError(`not installed: ${messageOf(error)}`);
  }
}

async function clone(from: string, to: string): Promise<void> {
  const child = spawn("git", ["clone", "--quiet", "--depth", "1", "--", from, to], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
  });
  const code = await new Promise<number | null>((done, failed) => {
    child.once("error", (error) => failed(new CliError(`git cannot be started: ${error.message}`)));
    child.once("exit", done);
  });
  if (code !== 0) throw new CliError(`not installed: git could not clone ${from}. Its output is above.`);
}

async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(draftPrefix)) continue;
    const path = join(place, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
