// A file `commondir` in a git directory makes git take config and hooks from elsewhere, whatever those beside it say. It
// cannot be mounted read-only, since it must not exist. So it is watched for while commands run, and removed at once.
import { type FSWatcher, lstatSync, rmSync, watch } from "node:fs";
import { join } from "node:path";

export class RedirectGuard implements Disposable {
  readonly #file: string;
  readonly #planted: (path: string) => void;
  readonly #isOld: boolean;
  readonly #watcher: FSWatcher | undefined;

  /** `git` is a repository's git directory; one that has such a file already keeps it. */
  constructor(git: string, planted: (path: string) => void) {
    this.#file = join(git, "commondir");
    this.#planted = planted;
    this.#isOld = this.#isThere();
    this.#watcher = this.#isOld ? undefined : this.#watch(git);
  }

  /** Commands are over: what a watcher has not reported yet is removed too. */
  [Symbol.dispose](): void {
    this.#watcher?.close();
    this.#check();
  }

  #watch(git: string): FSWatcher | undefined {
    try {
      const watcher = watch(git, { persistent: false }, (_event, name) => {
        if (name === "commondir") this.#check();
      });
      watcher.on("error", () => {}); // it went away: the last check is made all the same
      return watcher;
    } catch {
      return undefined; // too many are watched on this machine
    }
  }

  #check(): void {
    if (this.#isOld || !this.#isThere()) return;
    rmSync(this.#file, { recursive: true, force: true });
    this.#planted(this.#file);
  }

  #isThere(): boolean {
    return lstatSync(this.#file, { throwIfNoEntry: false }) !== undefined;
  }
}
