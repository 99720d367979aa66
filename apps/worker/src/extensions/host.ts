// The extension host: finds extensions, starts those that may run, and combines their tools and commands.
// Each runs in a process of its own; whatever one of them does, the session goes on.
import { join } from "node:path";
import type { Trust } from "../approvals/trust.ts";
import { version } from "../config/version.ts";
import type { CommandOutcome, CommandSource, SlashCommand } from "../features/slash-command.ts";
import type { UiChannel } from "../output/ui-channel.ts";
import type { WorkerOutput } from "../output/worker-output.ts";
import { LogFile } from "../processes/log-file.ts";
import type { Tool } from "../tools/tool.ts";
import { discover, effective, type FoundExtension } from "./discovery/discover.ts";
import type { ExtensionSearch } from "./discovery/places.ts";
import { Interceptions } from "./interceptions.ts";
import { PanelRegistry } from "./panel-registry.ts";
import { Extension } from "./process/extension.ts";
import { Registrations } from "./registrations.ts";
import { runExtensionCommand } from "./run-command.ts";

/** The version of zot whose extensions run here unchanged. */
const zotVersion = "0.1.62";
/** The first turn waits this long for extensions; what registers later takes part from then on. */
const openMs = 5_000;

export interface ExtensionInfo {
  readonly name: string;
  readonly version?: string;
  readonly scope: string;
  readonly path: string;
  readonly state: string;
  readonly commands: readonly string[];
  readonly tools: readonly string[];
}

export interface ExtensionHostOptions {
  /** Patchbay's home directory: the logs are there. */
  readonly home: string;
  /** The environment of the extensions' processes. */
  readonly shellEnv: Readonly<Record<string, string>>;
  readonly conversation: { readonly model: { readonly provider: string; readonly id: string } };
  readonly output: WorkerOutput;
  readonly ui: UiChannel;
  readonly trust: Trust;
  /** All sources of slash commands, to note a name that is taken. */
  readonly allCommands: readonly Pick<CommandSource, "commands">[];
}

export class ExtensionHost {
  readonly panels: PanelRegistry;
  readonly interceptions: Interceptions;
  readonly #options: ExtensionHostOptions;
  readonly #where: ExtensionSearch;
  /** In order of precedence. */
  #entries: Registrations[] = [];
  #sessionStarted = false;
  #announceScheduled = false;
  #closed = false;
  /** Incremented by every reload: a trust answer for an earlier one starts nothing. */
  #generation = 0;

  constructor(options: ExtensionHostOptions, where: ExtensionSearch) {
    this.#options = options;
    this.#where = where;
    this.panels = new PanelRegistry(options.output);
    this.interceptions = new Interceptions({
      entries: () => this.#active,
      onProblem: ({ extension }, event, error) => this.#onProblem(extension, event, error),
    });
  }

  get #active(): Registrations[] {
    return this.#entries.filter(({ extension }) => extension.active);
  }

  async open(): Promise<void> {
    await this.#refresh(false);
  }

  /** Ends all extensions, and starts those that are there now. */
  async reload(): Promise<ExtensionInfo[]> {
    this.#generation++;
    await this.#stopAll();
    await this.#refresh(true);
    return this.list();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#generation++;
    await this.#stopAll();
  }

  list(): ExtensionInfo[] {
    return this.#entries.map(({ extension, commands, tools }) => ({
      name: extension.name,
      ...(extension.manifest.version === undefined ? {} : { version: extension.manifest.version }),
      scope: extension.scope,
      path: extension.directory,
      state: extension.state,
      commands: [...commands.keys()],
      tools: [...tools.keys()],
    }));
  }

  tools(): Tool[] {
    return this.#active.flatMap((entry) => [...entry.tools.values()]);
  }

  commands(): SlashCommand[] {
    return this.#active.flatMap((entry) => [...entry.commands.values()]);
  }

  async run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome> {
    const entry = this.#active.find(({ commands }) => commands.has(name));
    if (entry === undefined) throw new Error(`the command /${name} no longer exists`);
    return runExtensionCommand(entry, this.panels, name, args, signal);
  }

  sessionStarted(): void {
    this.#sessionStarted = true;
    for (const entry of this.#active) this.#sendSessionStart(entry);
  }

  /** Once for each process, also for one that subscribes later. */
  #sendSessionStart(entry: Registrations): void {
    if (!this.#sessionStarted || entry.sessionStartSent || !entry.events.has("session_start")) return;
    entry.sessionStartSent = true;
    entry.extension.send({ type: "event", event: "session_start" });
  }

  // --- processes ------------------------------------------------------------------------------------

  async #refresh(askAgain: boolean): Promise<void> {
    const generation = this.#generation;
    const { found, problems } = await discover(this.#where);
    for (const { directory, problem } of problems) this.#report(directory, "load", problem);
    const own = found.filter(({ scope }) => scope === "project");
    const trusted = own.length === 0 || (await this.#isTrusted());
    // An untrusted directory runs nothing, and turns nothing off that the person has installed.
    await this.#runOnly(effective(trusted ? found : found.filter(({ scope }) => scope !== "project")));
    const waiting = own.filter(({ manifest }) => manifest.enabled !== false);
    if (trusted || waiting.length === 0) return;
    void this.#options.trust
      .allows(this.#where.cwd, waiting.map(describe), { again: askAgain })
      .then(async (allowed) => {
        if (allowed && generation === this.#generation) await this.#runOnly(effective(found));
      })
      .catch((error: unknown) => this.#report(this.#where.cwd, "load", messageOf(error)));
  }

  async #isTrusted(): Promise<boolean> {
    try {
      return await this.#options.trust.isTrusted(this.#where.cwd);
    } catch {
      return false; // the question about trust reports the reason
    }
  }

  async #runOnly(wanted: readonly FoundExtension[]): Promise<void> {
    if (this.#closed) return;
    const running = new Map(this.#entries.map((entry) => [entry.extension.directory, entry]));
    const entries = wanted.map((found) => running.get(found.directory) ?? this.#prepare(found));
    const shadowed = this.#entries.filter((entry) => !entries.includes(entry));
    this.#entries = entries;
    await Promise.all(shadowed.map((entry) => this.#stop(entry)));
    const fresh = entries.filter(({ extension }) => !running.has(extension.directory));
    for (const entry of fresh) entry.extension.start(entry);
    await Promise.race([
      Promise.all(fresh.map(({ extension }) => extension.settled)),
      new Promise((resolve) => setTimeout(resolve, openMs).unref()),
    ]);
  }

  #prepare(found: FoundExtension): Registrations {
    const { name } = found.manifest;
    const { home, shellEnv, conversation, output, ui, allCommands } = this.#options;
    const log = new LogFile(join(home, "logs", `ext-${name}.log`), (error) =>
      this.#report(found.directory, "log", `its log cannot be written: ${messageOf(error)}`),
    );
    const extension = new Extension(found, {
      env: shellEnv,
      log,
      helloData: () => ({
        protocol_version: 1,
        zot_version: zotVersion,
        patchbay_version: version,
        provider: conversation.model.provider,
        model: conversation.model.id,
        cwd: this.#where.cwd,
      }),
      onProblem: (from, event, error) => this.#onProblem(from, event, error),
    });
    return new Registrations(extension, {
      output,
      ui,
      panels: this.panels,
      knownCommands: () => allCommands.flatMap((source) => source.commands()),
      commandsChanged: () => this.#announceCommands(),
      subscribed: (one) => this.#sendSessionStart(one),
      onProblem: (from, event, error) => this.#onProblem(from, event, error),
    });
  }

  async #stopAll(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    await Promise.all(entries.map((entry) => this.#stop(entry)));
  }

  async #stop(entry: Registrations): Promise<void> {
    entry.clear();
    await entry.extension.stop();
  }

  // --- reports --------------------------------------------------------------------------------------

  #onProblem(extension: Extension, event: string, error: string): void {
    extension.log.note(`${event}: ${error}`);
    const entry = this.#entries.find((one) => one.extension === extension);
    if (entry === undefined || entry.errors.take()) this.#report(extension.directory, event, error);
  }

  #report(extensionPath: string, event: string, error: string): void {
    if (!this.#closed) this.#options.output.write({ type: "extension_error", extensionPath, event, error });
  }

  /** Registrations of one tick are announced once. */
  #announceCommands(): void {
    if (this.#announceScheduled || this.#closed) return;
    this.#announceScheduled = true;
    setImmediate(() => {
      this.#announceScheduled = false;
      if (!this.#closed) this.#options.output.write({ type: "commands_changed" });
    });
  }
}

const describe = ({ manifest: { name, exec, args = [] }, directory }: FoundExtension): string =>
  `extension ${name}: ${[exec, ...args].join(" ")} in ${directory}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
