// The extension host: finds extensions, starts those that may run, and speaks for all of them to the agent.
// Each runs in a process of its own; whatever one of them does, the session goes on.
import { join } from "node:path";
import type { Trust } from "../approvals/trust.ts";
import { version } from "../config/version.ts";
import type { CommandOutcome, CommandSource, SlashCommand } from "../features/slash-command.ts";
import type { Output } from "../output/output.ts";
import type { Ui } from "../output/ui.ts";
import { LogFile } from "../processes/log-file.ts";
import type { Tool } from "../tools/tool.ts";
import { discover, effective, type FoundExtension } from "./discovery/discover.ts";
import type { ExtensionSearch } from "./discovery/places.ts";
import { Interceptions } from "./interceptions.ts";
import { Panels } from "./panels.ts";
import { Extension } from "./process/extension.ts";
import { Registrations } from "./registrations.ts";
import { runExtensionCommand } from "./run-command.ts";

/** The zot whose extensions run here unchanged. */
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
  readonly output: Output;
  readonly ui: Ui;
  readonly trust: Trust;
  /** All sources of slash commands, to note a name that is taken. */
  readonly allCommands: readonly Pick<CommandSource, "commands">[];
}

export class ExtensionHost {
  readonly panels: Panels;
  readonly interceptions: Interceptions;
  readonly #options: ExtensionHostOptions;
  readonly #where: ExtensionSearch;
  /** In the order in which they count. */
  #entries: Registrations[] = [];
  #sessionStarted = false;
  #announcing = false;
  #closed = false;
  /** Goes up with every reload: what an earlier one still waits for is no longer wanted. */
  #generation = 0;

  constructor(options: ExtensionHostOptions, where: ExtensionSearch) {
    this.#options = options;
    this.#where = where;
    this.panels = new Panels(options.output);
    this.interceptions = new Interceptions({
      entries: () => this.#present,
      trouble: ({ extension }, event, error) => this.#trouble(extension, event, error),
    });
  }

  get #present(): Registrations[] {
    return this.#entries.filter(({ extension }) => extension.present);
  }

  async open(): Promise<void> {
    await this.#refresh(false);
  }

  /** Everybody is sent away and what is there now is started. */
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
      state: extension.life,
      commands: [...commands.keys()],
      tools: [...tools.keys()],
    }));
  }

  tools(): Tool[] {
    return this.#present.flatMap((entry) => [...entry.tools.values()]);
  }

  commands(): SlashCommand[] {
    return this.#present.flatMap((entry) => [...entry.commands.values()]);
  }

  async run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome> {
    const entry = this.#present.find(({ commands }) => commands.has(name));
    if (entry === undefined) throw new Error(`no extension has a command /${name} any more`);
    return runExtensionCommand(entry, this.panels, name, args, signal);
  }

  sessionStarted(): void {
    this.#sessionStarted = true;
    for (const entry of this.#present) this.#tellStart(entry);
  }

  /** Once for each process, also for one that comes later. */
  #tellStart(entry: Registrations): void {
    if (!this.#sessionStarted || entry.sessionKnown || !entry.events.has("session_start")) return;
    entry.sessionKnown = true;
    entry.extension.send({ type: "event", event: "session_start" });
  }

  // --- who runs -------------------------------------------------------------------------------------

  async #refresh(askAgain: boolean): Promise<void> {
    const generation = this.#generation;
    const { found, problems } = await discover(this.#where);
    for (const { directory, problem } of problems) this.#say(directory, "load", problem);
    const own = found.filter(({ scope }) => scope === "project");
    const trusted = own.length === 0 || (await this.#isTrusted());
    // An untrusted directory runs nothing, and turns nothing off that the person has installed.
    await this.#runThese(effective(trusted ? found : found.filter(({ scope }) => scope !== "project")));
    const waiting = own.filter(({ manifest }) => manifest.enabled !== false);
    if (trusted || waiting.length === 0) return;
    void this.#options.trust
      .allows(this.#where.cwd, waiting.map(describe), { again: askAgain })
      .then(async (allowed) => {
        if (allowed && generation === this.#generation) await this.#runThese(effective(found));
      })
      .catch((error: unknown) => this.#say(this.#where.cwd, "load", messageOf(error)));
  }

  async #isTrusted(): Promise<boolean> {
    try {
      return await this.#options.trust.isTrusted(this.#where.cwd);
    } catch {
      return false; // asking for it says what is wrong
    }
  }

  async #runThese(wanted: readonly FoundExtension[]): Promise<void> {
    if (this.#closed) return;
    const running = new Map(this.#entries.map((entry) => [entry.extension.directory, entry]));
    const entries = wanted.map((found) => running.get(found.directory) ?? this.#prepare(found));
    const shadowed = this.#entries.filter((entry) => !entries.includes(entry));
    this.#entries = entries;
    await Promise.all(shadowed.map((entry) => this.#sendAway(entry)));
    const fresh = entries.filter(({ extension }) => !running.has(extension.directory));
    for (const { extension } of fresh) extension.start();
    await Promise.race([
      Promise.all(fresh.map(({ extension }) => extension.settled)),
      new Promise((resolve) => setTimeout(resolve, openMs).unref()),
    ]);
  }

  #prepare(found: FoundExtension): Registrations {
    const { name } = found.manifest;
    const { home, shellEnv, conversation, output, ui, allCommands } = this.#options;
    const log = new LogFile(join(home, "logs", `ext-${name}.log`), (error) =>
      this.#say(found.directory, "log", `its log cannot be written: ${messageOf(error)}`),
    );
    const extension = new Extension(found, {
      env: shellEnv,
      log,
      greeting: () => ({
        protocol_version: 1,
        zot_version: zotVersion,
        patchbay_version: version,
        provider: conversation.model.provider,
        model: conversation.model.id,
        cwd: this.#where.cwd,
      }),
      frame: (_extension, frame) => {
        entry.take(frame);
        return output.ready();
      },
      trouble: (from, event, error) => this.#trouble(from, event, error),
      changed: () => {
        if (extension.life === "gone") entry.clear();
      },
    });
    const entry = new Registrations(extension, {
      output,
      ui,
      panels: this.panels,
      knownCommands: () => allCommands.flatMap((source) => source.commands()),
      commandsChanged: () => this.#announce(),
      subscribed: (one) => this.#tellStart(one),
      trouble: (from, event, error) => this.#trouble(from, event, error),
    });
    return entry;
  }

  async #stopAll(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    await Promise.all(entries.map((entry) => this.#sendAway(entry)));
  }

  async #sendAway(entry: Registrations): Promise<void> {
    entry.clear();
    await entry.extension.stop();
  }

  // --- what is said about them ----------------------------------------------------------------------

  #trouble(extension: Extension, event: string, error: string): void {
    extension.log.note(`${event}: ${error}`);
    const entry = this.#entries.find((one) => one.extension === extension);
    if (entry === undefined || entry.errors.take()) this.#say(extension.directory, event, error);
  }

  #say(extensionPath: string, event: string, error: string): void {
    if (!this.#closed) this.#options.output.write({ type: "extension_error", extensionPath, event, error });
  }

  /** Many registrations in one breath are one change. */
  #announce(): void {
    if (this.#announcing || this.#closed) return;
    this.#announcing = true;
    setImmediate(() => {
      this.#announcing = false;
      if (!this.#closed) this.#options.output.write({ type: "commands_changed" });
    });
  }
}

const describe = ({ manifest: { name, exec, args = [] }, directory }: FoundExtension): string =>
  `extension ${name}: ${[exec, ...args].join(" ")} in ${directory}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
