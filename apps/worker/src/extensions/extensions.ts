// The feature "extensions": their tools, commands and turn listeners. A proxy of the host, which is loaded only
// where there is an extension, so that a worker without one starts as quickly as before.
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import type { Admission, Service, ToolGate, ToolSource, TurnListener } from "../features/contributions.ts";
import type { CommandOutcome, CommandSource, SlashCommand } from "../features/slash-command.ts";
import type { ModelAnswer } from "../models/adapters/adapter.ts";
import type { Tool } from "../tools/tool.ts";
import { anyExtensions, type ExtensionSearch } from "./discovery/places.ts";
import type { ExtensionHost, ExtensionHostOptions, ExtensionInfo } from "./host.ts";
import type { PanelAddress } from "./panel-registry.ts";

const reloadCommand: SlashCommand = {
  name: "reload-ext",
  description: "Restart all extensions",
  source: "patchbay",
};

interface ExtensionsOptions extends Omit<ExtensionHostOptions, "allCommands"> {
  /** The other features' slash commands. */
  readonly otherCommands: readonly CommandSource[];
  /** zot's own home, whose extensions run here too. */
  readonly zotHome: string | undefined;
  /** Directories of extensions that were named by a flag. */
  readonly ext: readonly string[];
  /** Only those. */
  readonly noExt: boolean;
}

export class Extensions implements ToolSource, ToolGate, TurnListener, CommandSource, Service {
  readonly #options: ExtensionsOptions;
  #cwd = "";
  #host: ExtensionHost | undefined;
  #loading: Promise<ExtensionHost> | undefined;
  #reloading: Promise<ExtensionInfo[]> | undefined;
  #started = false;

  constructor(options: ExtensionsOptions) {
    this.#options = options;
  }

  async open(cwd: string): Promise<void> {
    this.#cwd = cwd;
    if (anyExtensions(this.#where)) await (await this.#load()).open();
  }

  async close(): Promise<void> {
    await (await this.#loading)?.close();
  }

  get #where(): ExtensionSearch {
    const { home, zotHome, ext, noExt } = this.#options;
    return { home, cwd: this.#cwd, zotHome, ext, noExt };
  }

  /** Concurrent callers share one reload. */
  reload(): Promise<ExtensionInfo[]> {
    this.#reloading ??= this.#load()
      .then((host) => host.reload())
      .finally(() => {
        this.#reloading = undefined;
      });
    return this.#reloading;
  }

  /** False: that panel is not open. */
  pressKey(address: PanelAddress, key: string, text: string | undefined): boolean {
    return this.#host?.panels.key(address, key, text) ?? false;
  }

  closePanel(address: PanelAddress): boolean {
    return this.#host?.panels.dismiss(address) ?? false;
  }

  tools(): readonly Tool[] {
    return this.#host?.tools() ?? [];
  }

  commands(): readonly SlashCommand[] {
    return [reloadCommand, ...(this.#host?.commands() ?? [])];
  }

  async run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome> {
    if (name !== reloadCommand.name && this.#host !== undefined) return this.#host.run(name, args, signal);
    const extensions = await this.reload();
    this.#options.output.write({ type: "ext_display", extension: "patchbay", text: describe(extensions) });
    return { action: "done", data: { action: "display", extensions } };
  }

  async admit(call: ToolCallBlock, _tool: Tool, signal: AbortSignal): Promise<Admission> {
    return this.#host?.interceptions.admitTool(call, signal) ?? { ok: true, args: call.args };
  }

  sessionStarted(): void {
    this.#started = true;
    this.#host?.sessionStarted();
  }

  async beforeStep(step: number, signal: AbortSignal): Promise<string | undefined> {
    return this.#host?.interceptions.refuseStep(step, signal);
  }

  stepEnded(_step: number, { stop, error }: ModelAnswer): void {
    this.#host?.interceptions.publish({ event: "turn_end", stop, ...(error === undefined ? {} : { error }) });
  }

  toolCalled({ id, name, args }: ToolCallBlock): void {
    const payload = { event: "tool_call", tool_id: id, tool_name: name, tool_args: args };
    this.#host?.interceptions.publish(payload);
  }

  async beforeShowing(content: ContentBlock[], signal: AbortSignal): Promise<ContentBlock[] | null> {
    return this.#host === undefined ? content : this.#host.interceptions.show(content, signal);
  }

  #load(): Promise<ExtensionHost> {
    this.#loading ??= import("./host.ts").then(({ ExtensionHost }) => {
      this.#host = new ExtensionHost(
        { ...this.#options, allCommands: [this, ...this.#options.otherCommands] },
        this.#where,
      );
      if (this.#started) this.#host.sessionStarted();
      return this.#host;
    });
    return this.#loading;
  }
}

function describe(extensions: readonly ExtensionInfo[]): string {
  if (extensions.length === 0) return "No extensions are installed.";
  const lines = extensions.map(
    ({ name, version, state }) => `${name}${version ? ` ${version}` : ""}: ${state}`,
  );
  return `Extensions were restarted:\n${lines.join("\n")}`;
}
