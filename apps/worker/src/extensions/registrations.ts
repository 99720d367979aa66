// What one extension has registered and shows, and how each of its frames is handled. What a person sees of it
// is bounded: a flood of notes is cut with one notice, and nothing remains when the extension ends.
import type { ExtensionFrame } from "@patchbay/protocol/extension";
import { extensionEventNames, interceptableEvents } from "@patchbay/protocol/extension";
import type { SlashCommand } from "../features/slash-command.ts";
import type { UiChannel } from "../output/ui-channel.ts";
import type { WorkerOutput } from "../output/worker-output.ts";
import type { Tool } from "../tools/tool.ts";
import { extensionTool } from "./extension-tool.ts";
import type { PanelRegistry } from "./panel-registry.ts";
import type { Extension, ExtensionListener } from "./process/extension.ts";
import { Throttle } from "./process/throttle.ts";
import { UiRequests } from "./ui-requests.ts";

/** Each tool costs tokens in every model call, each command a line in a list. */
const maxRegistered = 128;
/** As many notes as a person can read. */
const notePace = { burst: 100, perSecond: 5 };
const maxNoteChars = 16 * 1024;

export interface RegistrationParts {
  readonly output: WorkerOutput;
  readonly ui: UiChannel;
  readonly panels: PanelRegistry;
  /** The commands of every source, to note a name that is taken. */
  knownCommands(): readonly SlashCommand[];
  /** Its commands have changed. */
  commandsChanged(): void;
  /** It has subscribed to something. */
  subscribed(entry: Registrations): void;
  onProblem(extension: Extension, event: string, error: string): void;
}

export class Registrations implements ExtensionListener {
  readonly extension: Extension;
  readonly commands = new Map<string, SlashCommand>();
  readonly tools = new Map<string, Tool>();
  readonly events = new Set<string>();
  readonly intercepts = new Set<string>();
  /** `session_start` was sent to it. */
  sessionStartSent = false;
  /** Limits error notices, so that an extension that fails all the time does not fill the page. */
  readonly errors = new Throttle({ burst: 10, perSecond: 0.2 });
  readonly #parts: RegistrationParts;
  readonly #ui: UiRequests;
  readonly #notes = new Throttle(notePace);
  #cutNotes = false;

  constructor(extension: Extension, parts: RegistrationParts) {
    this.extension = extension;
    this.#parts = parts;
    this.#ui = new UiRequests(extension, parts.ui, () => this.#mayShow());
  }

  onFrame(frame: ExtensionFrame): Promise<void> | undefined {
    this.#handle(frame);
    return this.#parts.output.ready();
  }

  onGone(): void {
    this.clear();
  }

  #handle(frame: ExtensionFrame): void {
    const { output, panels } = this.#parts;
    const { name } = this.extension;
    switch (frame.type) {
      case "register_command":
        return this.#addCommand(frame.name, frame.description ?? "", frame.hint);
      case "register_tool":
        return this.#add(this.tools, extensionTool(this.extension, frame));
      case "subscribe":
        return this.#subscribe(frame.events ?? [], frame.intercept ?? []);
      case "notify":
        if (this.#mayShow())
          output.write({
            type: "ext_notify",
            extension: name,
            level: levels.has(frame.level ?? "") ? String(frame.level) : "info",
            message: cut(frame.message),
          });
        return;
      case "display":
        if (this.#mayShow()) this.display(frame.text);
        return;
      case "insert":
        if (this.#mayShow()) this.insert(frame.text);
        return;
      case "clear_notes":
        if (this.#mayShow()) output.write({ type: "ext_clear_notes", extension: name });
        return;
      case "open_panel":
        return panels.open(this.extension, frame.panel);
      case "panel_render":
        return panels.render(this.extension, frame);
      case "panel_close":
        return panels.close(this.extension, frame.panel_id);
      case "ui_request":
        return this.#ui.take(frame);
      default:
        this.extension.log.note(`ignored: ${frame.type} has no meaning here`);
    }
  }

  display(text: string): void {
    this.#parts.output.write({ type: "ext_display", extension: this.extension.name, text: cut(text) });
  }

  insert(text: string): void {
    this.#parts.output.write({ type: "ext_insert", extension: this.extension.name, text: cut(text) });
  }

  /** Removes everything that it had registered and shown. */
  clear(): void {
    this.commands.clear();
    this.tools.clear();
    this.events.clear();
    this.intercepts.clear();
    this.#ui.clear();
    this.#parts.panels.closeAll(this.extension);
    this.#parts.commandsChanged();
  }

  #addCommand(name: string, description: string, hint: string | undefined): void {
    const source = this.extension.name;
    const command = { name, description, source, ...(hint === undefined ? {} : { hint }) };
    const other = this.#parts.knownCommands().find((known) => known.name === name && known.source !== source);
    if (other !== undefined) this.extension.log.note(`/${name} is also a command of ${other.source}`);
    this.#add(this.commands, command);
    this.#parts.commandsChanged();
  }

  #add<T extends { name: string }>(all: Map<string, T>, one: T): void {
    if (all.has(one.name) || all.size < maxRegistered) all.set(one.name, one);
    else
      this.#parts.onProblem(this.extension, "flood", `${one.name} was not registered: ${maxRegistered} are`);
  }

  #subscribe(events: readonly string[], intercept: readonly string[]): void {
    for (const event of events) {
      if (names.has(event)) this.events.add(event);
      else this.extension.log.note(`there is no event ${event}; there are ${[...names].join(", ")}`);
    }
    for (const event of intercept) {
      if (interceptable.has(event)) this.intercepts.add(event);
      else
        this.#parts.onProblem(
          this.extension,
          "subscribe",
          `${event} cannot be intercepted; these can: ${[...interceptable].join(", ")}`,
        );
    }
    this.#parts.subscribed(this);
  }

  #mayShow(): boolean {
    if (this.#notes.take()) return true;
    if (!this.#cutNotes)
      this.#parts.onProblem(
        this.extension,
        "flood",
        "it writes more than can be shown; some of it is left out",
      );
    this.#cutNotes = true;
    return false;
  }
}

const levels: ReadonlySet<string> = new Set(["info", "success", "warn", "error"]);
const names: ReadonlySet<string> = new Set(extensionEventNames);
const interceptable: ReadonlySet<string> = new Set(interceptableEvents);

const cut = (text: string): string =>
  text.length <= maxNoteChars ? text : `${text.slice(0, maxNoteChars)}… [the rest is left out]`;
