// Which directories may start programs of their own (extensions, MCP servers): those that a person has
// trusted. It is the directory that is trusted, not one list of programs, because a list would be asked
// for again after every change and soon be answered without reading.
import { realpath } from "node:fs/promises";
import { TrustedDirectories } from "@patchbay/sandbox";
import type { UiChannel } from "../output/ui-channel.ts";

const yes = "Trust this directory";
const no = "Not now";

interface TrustOptions {
  readonly home: string;
  /** --trust-project: the program that started the worker has decided. */
  readonly always: boolean;
  readonly ui: UiChannel;
  /** True: what a directory starts would run outside an enforced jail, so nothing is started. */
  readonly forbidden: boolean;
}

export class Trust {
  readonly #trusted: TrustedDirectories;
  readonly #options: TrustOptions;
  /** One question per directory, however many callers wait for it. */
  readonly #asked = new Map<string, Promise<boolean>>();
  /** The programs that an open question names, of all callers. */
  readonly #wants = new Map<string, Set<string>>();
  readonly #registering = new Set<Promise<unknown>>();
  /** For this session, whether it could be kept or not. */
  readonly #granted = new Set<string>();
  /** A "not now" stays until the caller passes `again`. */
  readonly #refused = new Set<string>();
  #enableQuestions: () => void = () => {};
  readonly #questionsEnabled = new Promise<void>((resolve) => {
    this.#enableQuestions = resolve;
  });

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#trusted = new TrustedDirectories(options.home);
  }

  /** Call it when all services are open: a question waits for it, so that it names everything they want to start. */
  enableQuestions(): void {
    this.#enableQuestions();
  }

  /** Whether it is known to be trusted, without asking the person. */
  async isTrusted(directory: string): Promise<boolean> {
    if (this.#options.forbidden) return false;
    if (this.#options.always) return true;
    const real = await realpath(directory);
    return this.#granted.has(real) || this.#trusted.has(real);
  }

  /**
   * Asks the person if need be, and resolves when they have answered: do not make a turn wait for it.
   * `wants` lists what would be started, a line each.
   */
  async allows(
    directory: string,
    wants: readonly string[],
    { again = false }: { again?: boolean } = {},
  ): Promise<boolean> {
    if (this.#options.forbidden) return this.#forbid(directory, wants);
    const registering = this.#register(directory, wants);
    this.#registering.add(registering);
    const real = await registering.finally(() => this.#registering.delete(registering));
    if (real === null) return true;
    if (this.#refused.has(real) && !again) return false;
    const asked = this.#asked.get(real) ?? this.#ask(real);
    this.#asked.set(real, asked);
    const allowed = await asked;
    this.#asked.delete(real);
    this.#wants.delete(real);
    (allowed ? this.#granted : this.#refused).add(real);
    return allowed;
  }

  #forbid(directory: string, wants: readonly string[]): false {
    this.#options.ui.send("notify", {
      notifyType: "warning",
      message: `${directory} wants to start its own programs (${wants.join(", ")}). They were not started: they would run outside the sandbox that the server enforces.`,
    });
    return false;
  }

  /** The directory with its links resolved; null when it is trusted. */
  async #register(directory: string, wants: readonly string[]): Promise<string | null> {
    if (await this.isTrusted(directory)) return null;
    const real = await realpath(directory);
    this.#wants.set(real, new Set([...(this.#wants.get(real) ?? []), ...wants]));
    return real;
  }

  async #ask(directory: string): Promise<boolean> {
    await this.#questionsEnabled;
    await Promise.allSettled(this.#registering);
    const wants = [...(this.#wants.get(directory) ?? [])];
    const answer = await this.#options.ui.ask("select", {
      title: "Trust this directory?",
      message: `${directory} wants to start its own programs:\n${wants.map((want) => `- ${want}`).join("\n")}\nThey run with your permissions. If you trust the directory, it can also start other programs later.`,
      options: [yes, no],
      directory,
      wants,
    });
    if (!("value" in answer) || answer.value !== yes) return false;
    await this.#trusted.add(directory).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.ui.send("notify", {
        notifyType: "warning",
        message: `${directory} is trusted for this session only: ${why}`,
      });
    });
    return true;
  }
}

/** Whether a person has trusted it, for callers without a session to ask in. */
export async function readTrusted(home: string, directory: string): Promise<boolean> {
  return new TrustedDirectories(home).has(await realpath(directory));
}
