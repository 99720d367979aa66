// The models that the built-in worker can use with its keys. The worker lists them itself (`--list-models`),
// because only it knows its providers; once, until its environment changes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ModelsData } from "@patchbay/protocol";
import { splitEnvironment } from "../processes/environment.ts";
import { secretsArguments, sendSecrets } from "../processes/secrets-pipe.ts";
import type { Profiles } from "./profiles.ts";

/** Listing may query a local model server, which may be slow, but not this slow. */
const listingMs = 10_000;
const listingBytes = 8 * 1024 * 1024;

export class BuiltinModels {
  readonly #profiles: Profiles;
  readonly #onError: (error: unknown) => void;
  readonly #ending = new AbortController();
  #listing: Promise<ModelsData> | undefined;

  constructor(profiles: Profiles, onError: (error: unknown) => void) {
    this.#profiles = profiles;
    this.#onError = onError;
  }

  /** Empty when the worker failed: a session can be started without choosing a model. */
  list(): Promise<ModelsData> {
    if (this.#listing !== undefined) return this.#listing;
    const listing = this.#ask().catch((error: unknown) => {
      if (this.#listing === listing) this.#listing = undefined; // the next caller tries again
      if (!this.#ending.signal.aborted) this.#onError(error);
      return { models: [] };
    });
    this.#listing = listing;
    return listing;
  }

  /** The keys have changed: the next caller gets another list. */
  forget(): void {
    this.#listing = undefined;
  }

  /** Ends a worker that is listing models. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#listing;
  }

  async #ask(): Promise<ModelsData> {
    const profile = this.#profiles.get("builtin");
    const [program, ...args] = profile.command;
    const { plain, secret } = splitEnvironment(this.#profiles.environmentOf(profile));
    const child = spawn(program, [...args, "--list-models", ...secretsArguments], {
      env: plain,
      timeout: listingMs,
      killSignal: "SIGKILL",
      signal: this.#ending.signal,
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    sendSecrets(child, secret);
    const stdout = await outputOf(child);
    return ModelsData.parse(JSON.parse(stdout));
  }
}

/** The whole output; rejects unless the exit code is 0. */
async function outputOf(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > listingBytes) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  const [code] = await once(child, "close"); // rejects when it could not be started
  if (code !== 0) throw new Error(`the worker ended with ${String(code ?? child.signalCode)}`);
  return Buffer.concat(chunks).toString("utf8");
}
