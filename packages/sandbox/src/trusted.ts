// Which directories may start programs of their own, as people have decided: `trusted.json` in the server's home. Several
// workers and the server write it, and none loses what another has added.
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

interface TrustedFile {
  readonly directories: readonly string[];
  readonly [other: string]: unknown;
}

export class TrustedDirectories {
  readonly #home: string;
  readonly #file: string;

  constructor(serverHome: string) {
    this.#home = serverHome;
    this.#file = join(serverHome, "trusted.json");
  }

  /** `directory` must be a real path. Rejects, with a sentence, when the file cannot be read. */
  async has(directory: string): Promise<boolean> {
    return (await this.#read()).directories.includes(directory);
  }

  /** The draft is also the lock: only one process can create it, and renaming it into place lets it go. */
  async add(directory: string): Promise<void> {
    await mkdir(this.#home, { recursive: true, mode: 0o700 });
    const draft = `${this.#file}.new`;
    const file = await createAlone(draft);
    try {
      const known = await this.#read();
      const directories = [...new Set([...known.directories, directory])];
      await file.writeFile(`${JSON.stringify({ ...known, directories }, null, 2)}\n`);
      await file.close();
      await rename(draft, this.#file);
    } catch (error) {
      await file.close();
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #read(): Promise<TrustedFile> {
    let text: string;
    try {
      text = await readFile(this.#file, "utf8");
    } catch (error) {
      if (hasCode(error, "ENOENT")) return { directories: [] };
      throw error;
    }
    const value = parse(text);
    if (isTrustedFile(value)) return value;
    throw new Error(`${this.#file}: expected {"directories": [a list of paths]}; fix or remove the file`);
  }
}

const isTrustedFile = (value: unknown): value is TrustedFile =>
  typeof value === "object" &&
  value !== null &&
  "directories" in value &&
  Array.isArray(value.directories) &&
  value.directories.every((directory) => typeof directory === "string");

/** Writing takes milliseconds: what is older than this was left by a process that was killed. */
const abandonedMs = 5_000;
const lookAgainMs = 20;

async function createAlone(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, "wx", 0o600);
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0, // it was let go in between
    );
    if (age > abandonedMs) await rm(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
