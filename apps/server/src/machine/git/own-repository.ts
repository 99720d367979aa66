// A git directory that the server made and that only the server writes. Git is run with no other: it has only the server's own
// config, no hooks, filters or remotes, and borrows the objects of the person's repository.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quotedRaw, rawPath } from "./raw-path.ts";

export type ObjectFormat = "sha1" | "sha256";

interface Borrowed {
  /** The object directory of the person's repository. */
  objects?: string;
  format?: ObjectFormat;
}

export class OwnRepository {
  readonly directory: string;
  readonly format: ObjectFormat;
  /** Makes the type nominal: only `prepare` makes one, so that no other directory can be given to git. */
  readonly #prepared = true;

  private constructor(directory: string, format: ObjectFormat) {
    this.directory = directory;
    this.format = format;
  }

  static isPrepared(value: OwnRepository): boolean {
    return #prepared in value && value.#prepared;
  }

  /** Creates the git directory, or completes an existing one. Starts no program. */
  static async prepare(
    directory: string,
    { objects, format = "sha1" }: Borrowed = {},
  ): Promise<OwnRepository> {
    for (const part of ["objects/info", "refs", "info", "empty"])
      await mkdir(join(directory, part), { recursive: true, mode: 0o700 });
    await writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n");
    await writeFile(join(directory, "config"), configOf(format));
    if (objects !== undefined)
      await writeFile(join(directory, "objects/info/alternates"), `${quotedRaw(rawPath(objects))}\n`);
    return new OwnRepository(directory, format);
  }

  get index(): string {
    return join(this.directory, "index");
  }

  /** A work tree without files, for commands that need one to exist. */
  get emptyWorkTree(): string {
    return join(this.directory, "empty");
  }

  /** Sets the patterns to ignore beyond the `.gitignore` files. */
  async exclude(patterns: string | Buffer): Promise<void> {
    await writeFile(join(this.directory, "info/exclude"), patterns);
  }
}

const configOf = (format: ObjectFormat): string =>
  format === "sha1"
    ? "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
    : "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = sha256\n";
