// The models the built-in worker can use with the keys it would be given. Asked of the worker itself
// (`--list-models`), because only it knows; once, because the answer holds as long as the environment.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ModelInfo, ModelsData } from "@patchbay/protocol";
import type { Profiles } from "./profiles.ts";

const run = promisify(execFile);
/** Listing may ask a local model server; that one may be slow, but not this slow. */
const listingMs = 10_000;
const listingBytes = 8 * 1024 * 1024;

export class BuiltinModels {
  readonly #profiles: Profiles;
  readonly #onError: (error: unknown) => void;
  readonly #ending = new AbortController();
  #listing: Promise<ModelInfo[]> | undefined;

  constructor(profiles: Profiles, onError: (error: unknown) => void) {
    this.#profiles = profiles;
    this.#onError = onError;
  }

  /** Empty when the worker could not tell: a session can be started without choosing. */
  list(): Promise<ModelInfo[]> {
    this.#listing ??= this.#ask().catch((error: unknown) => {
      this.#listing = undefined; // the next caller tries again
      if (!this.#ending.signal.aborted) this.#onError(error);
      return [];
    });
    return this.#listing;
  }

  /** Ends the worker that is being asked, if there is one. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#listing;
  }

  async #ask(): Promise<ModelInfo[]> {
    const profile = this.#profiles.get("builtin");
    const [program, ...args] = profile.command;
    const { stdout } = await run(program, [...args, "--list-models"], {
      env: this.#profiles.environmentOf(profile),
      timeout: listingMs,
      killSignal: "SIGKILL",
      signal: this.#ending.signal,
      maxBuffer: listingBytes,
    });
    return ModelsData.parse(JSON.parse(stdout)).models;
  }
}
