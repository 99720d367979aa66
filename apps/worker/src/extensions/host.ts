// The extension host: finds extensions, starts those that may run, and speaks for all of them to the agent.
// Each runs in a process of its own; whatever one of them does, the session goes on.
import { join } from "node:path";
import type { Agent } from "../agent/agent.ts";
import { version } from "../config/version.ts";
import type { CommandOutcome, SlashCommand } from "../features/contributions.ts";
import { LogFile } from "../processes/log-file.ts";
import type { Tool } from "../tools/tool.ts";
import { discover, effective, type Found } from "./discovery/discover.ts";
import type { Surroundings } from "./discovery/places.ts";
import { Interceptions } from "./interceptions.ts";
import { Panels } from "./panels.ts";
import { Extension } from "./process/extension.ts";
import { Desk } from "./registrations.ts";
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

export class ExtensionHost {
  readonly panels: Panels;
  readonly interceptions: Interceptions;
  readonly #agent: Agent;
  readonly #where: Surroundings;
  /** In the order in which they count. */
  #desks: Desk[] = [];
  #sessionStarted = false;
  #announcing = false;
  #closed = false;
  /** Goes up with every reload: what an earlier one still waits for is no longer wanted. */
  #generation = 0;

  constructor(agent: Agent, where: Surroundings) {
    this.#agent = agent;
    this.#where = where;
    this.panels = new Panels(agent.output);
    this.interceptions = new Interceptions({
      desks: () => this.#present,
      trouble: ({ extension }, event, error) => this.#trouble(extension, event, error),
    });
  }

  get #present(): Desk[] {
    return this.#desks.filter(({ extension }) => extension.present);
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
    return this.#desks.map(({ extension, commands, tools }) => ({
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
    return this.#present.flatMap((desk) => [...desk.tools.values()]);
  }

  commands(): SlashCommand[] {
    return this.#present.flatMap((desk) => [...desk.commands.values()]);
  }

  async run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome> {
    const desk = this.#present.find(({ commands }) => commands.has(name));
    if (desk === undefined) throw new Error(`no extension has a command /${name} any more`);
    return runExtensionCommand(desk, this.panels, name, args, signal);
  }

  sessionStarted(): void {
    this.#sessionStarted = true;
    for (const desk of this.#present) this.#tellStart(desk);
  }

  /** Once for each process, also for one that comes later. */
  #tellStart(desk: Desk): void {
    if (!this.#sessionStarted || desk.sessionKnown || !desk.events.has("session_start")) return;
    desk.sessionKnown = true;
    desk.extension.send({ type: "event", event: "session_start" });
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
    void this.#agent.trust
      .allows(this.#where.cwd, waiting.map(describe), { again: askAgain })
      .then(async (allowed) => {
        if (allowed && generation === this.#generation) await this.#runThese(effective(found));
      })
      .catch((error: unknown) => this.#say(this.#where.cwd, "load", messageOf(error)));
  }

  async #isTrusted(): Promise<boolean> {
    try {
      return await this.#agent.trust.isTrusted(this.#where.cwd);
    } catch {
      return false; // asking for it says what is wrong
    }
  }

  async #runThese(wanted: readonly Found[]): Promise<void> {
    if (this.#closed) return;
    const running = new Map(this.#desks.map((desk) => [desk.extension.directory, desk]));
    const desks = wanted.map((found) => running.get(found.directory) ?? this.#prepare(found));
    const shadowed = this.#desks.filter((desk) => !desks.includes(desk));
    this.#desks = desks;
    await Promise.all(shadowed.map((desk) => this.#sendAway(desk)));
    const fresh = desks.filter(({ extension }) => !running.has(extension.directory));
    for (const { extension } of fresh) extension.start();
    await Promise.race([
      Promise.all(fresh.map(({ extension }) => extension.settled)),
      new Promise((resolve) => setTimeout(resolve, openMs).unref()),
    ]);
  }

  #prepare(found: Found): Desk {
    const { name } = found.manifest;
    const { agent, panels } = { agent: this.#agent, panels: this.panels };
    const log = new LogFile(join(agent.home, "logs", `ext-${name}.log`), (error) =>
      this.#say(found.directory, "log", `its log cannot be written: ${messageOf(error)}`),
    );
    const extension = new Extension(found, {
      env: agent.config.shellEnv,
      log,
      greeting: () => ({
        protocol_version: 1,
        zot_version: zotVersion,
        patchbay_version: version,
        provider: agent.conversation.model.provider,
        model: agent.conversation.model.id,
        cwd: this.#where.cwd,
      }),
      frame: (_extension, frame) => {
        desk.take(frame);
        return agent.output.ready();
      },
      trouble: (from, event, error) => this.#trouble(from, event, error),
      changed: () => {
        if (extension.life === "gone") desk.clear();
      },
    });
    const desk = new Desk(extension, {
      agent,
      panels,
      commandsChanged: () => this.#announce(),
      subscribed: (one) => this.#tellStart(one),
      trouble: (from, event, error) => this.#trouble(from, event, error),
    });
    return desk;
  }

  async #stopAll(): Promise<void> {
    const desks = this.#desks;
    this.#desks = [];
    await Promise.all(desks.map((desk) => this.#sendAway(desk)));
  }

  async #sendAway(desk: Desk): Promise<void> {
    desk.clear();
    await desk.extension.stop();
  }

  // --- what is said about them ----------------------------------------------------------------------

  #trouble(extension: Extension, event: string, error: string): void {
    extension.log.note(`${event}: ${error}`);
    const desk = this.#desks.find((one) => one.extension === extension);
    if (desk === undefined || desk.errors.take()) this.#say(extension.directory, event, error);
  }

  #say(extensionPath: string, event: string, error: string): void {
    if (!this.#closed) this.#agent.output.write({ type: "extension_error", extensionPath, event, error });
  }

  /** Many registrations in one breath are one change. */
  #announce(): void {
    if (this.#announcing || this.#closed) return;
    this.#announcing = true;
    setImmediate(() => {
      this.#announcing = false;
      if (!this.#closed) this.#agent.output.write({ type: "commands_changed" });
    });
  }
}

const describe = ({ manifest: { name, exec, args = [] }, directory }: Found): string =>
  `extension ${name}: ${[exec, ...args].join(" ")} in ${directory}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
