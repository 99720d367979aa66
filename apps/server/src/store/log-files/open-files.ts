// The descriptors of all log files. The system reuses the number of a closed descriptor, so a stale number would read, write or
// close another file or socket. Numbers stay inside this file: they are valid while `use` runs, and a close waits for the last use.
// Idle files are closed, so that thousands of sessions do not need thousands of descriptors.
import { closeSync, constants, openSync } from "node:fs";

/** Most systems allow a process 1,024 descriptors, and each worker and viewer needs some of them. */
const maxIdle = 200;

const { O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants;

export class OpenFiles {
  readonly #max: number;
  /** Open and not in use, the least recently used first. */
  readonly #idle = new Set<OwnedFile>();

  constructor(max = maxIdle) {
    this.#max = max;
  }

  /** Makes the file, which must not exist yet. */
  create(path: string): OwnedFile {
    const file = new OwnedFile(path, this);
    file.open(O_CREAT | O_EXCL);
    this.released(file);
    return file;
  }

  /** Opens the file when it is first used. */
  file(path: string): OwnedFile {
    return new OwnedFile(path, this);
  }

  /** Called by a file that is now in use or closed. */
  acquired(file: OwnedFile): void {
    this.#idle.delete(file);
  }

  /** Called by a file that is no longer in use. */
  released(file: OwnedFile): void {
    this.#idle.add(file);
    if (this.#idle.size <= this.#max) return;
    for (const oldest of this.#idle) {
      this.#idle.delete(oldest);
      oldest.evict();
      return;
    }
  }
}

type State =
  | { is: "unopened" }
  | { is: "open"; descriptor: number; users: number; closing: boolean }
  | { is: "closed" };

/** One file with one owner. Reads anywhere, writes at the end. */
export class OwnedFile {
  readonly path: string;
  readonly #pool: OpenFiles;
  #state: State = { is: "unopened" };

  constructor(path: string, pool: OpenFiles) {
    this.path = path;
    this.#pool = pool;
  }

  /** The descriptor is valid while `work` runs. */
  useNow<T>(work: (descriptor: number) => T): T {
    const open = this.#acquire();
    try {
      return work(open.descriptor);
    } finally {
      this.#release(open);
    }
  }

  /** The descriptor is valid until the promise is settled. */
  async use<T>(work: (descriptor: number) => Promise<T>): Promise<T> {
    const open = this.#acquire();
    try {
      return await work(open.descriptor);
    } finally {
      this.#release(open);
    }
  }

  /** Refuses further use. Current uses finish first. */
  close(): void {
    const state = this.#state;
    this.#state = { is: "closed" };
    if (state.is !== "open") return;
    state.closing = true;
    this.#pool.acquired(this);
    if (state.users === 0) closeSync(state.descriptor);
  }

  /** Called by the pool. */
  open(how: number): Extract<State, { is: "open" }> {
    const descriptor = openSync(this.path, O_RDWR | O_APPEND | how, 0o600);
    const open = { is: "open" as const, descriptor, users: 0, closing: false };
    this.#state = open;
    return open;
  }

  /** Called by the pool, for a file that is not in use. */
  evict(): void {
    if (this.#state.is !== "open") return;
    const { descriptor } = this.#state;
    this.#state = { is: "unopened" };
    closeSync(descriptor);
  }

  #acquire(): Extract<State, { is: "open" }> {
    if (this.#state.is === "closed") throw new Error(`${this.path} is closed`);
    const open = this.#state.is === "open" ? this.#state : this.open(0);
    open.users++;
    this.#pool.acquired(this);
    return open;
  }

  #release(open: Extract<State, { is: "open" }>): void {
    open.users--;
    if (open.users > 0) return;
    if (open.closing) closeSync(open.descriptor);
    else this.#pool.released(this);
  }
}
