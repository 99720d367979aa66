// An extension: what it registers, and how it answers the host. A handler that throws is an answer too: the
// error goes to the person or the model, and the extension lives on.
import { type Panel, type PanelHandlers, Panels } from "./panels.ts";
import type { CommandResult, ToolOutput, Verdict } from "./results.ts";
import type { ArgsOf, ObjectSchema } from "./schema.ts";
import { Ui } from "./ui.ts";
import {
  type FromHost,
  type HostFrame,
  keepStdoutClean,
  log,
  type PanelSpec,
  receive,
  send,
} from "./wire.ts";

export interface ExtensionOptions {
  /** As in extension.json. */
  readonly name: string;
  readonly version: string;
}

export interface ToolCall {
  /** Fires when the result is not needed any more. */
  readonly signal: AbortSignal;
  /** Shown while the tool runs. */
  progress(text: string): void;
}

type EventName = "session_start" | "turn_start" | "turn_end" | "tool_call" | "assistant_message";
type Interceptable = "tool_call" | "turn_start" | "assistant_message";
type ObservedEvent = Omit<FromHost<"event">, "type">;
type InterceptedEvent = Omit<FromHost<"event_intercept">, "type" | "id">;
type Awaitable<T> = T | Promise<T>;

interface Command {
  readonly description: string;
  readonly hint?: string;
  run(args: string): Awaitable<CommandResult | void>;
}
interface Tool {
  readonly description: string;
  readonly schema: ObjectSchema;
  run(args: unknown, call: ToolCall): Awaitable<ToolOutput>;
}

export class PatchbayExtension {
  readonly ui = new Ui();
  /** To the extension's log: stdout belongs to the protocol. */
  readonly log = log;
  /** What the host reported of itself: model, provider, working directory. Known when `run` has begun. */
  host: FromHost<"hello_ack"> | undefined;
  readonly #options: ExtensionOptions;
  readonly #panels = new Panels();
  readonly #commands = new Map<string, Command>();
  readonly #tools = new Map<string, Tool>();
  readonly #listeners = new Map<EventName, (event: ObservedEvent) => Awaitable<void>>();
  readonly #guards = new Map<Interceptable, (event: InterceptedEvent) => Awaitable<Verdict | void>>();
  readonly #calls = new Map<string, AbortController>();
  #running = false;

  constructor(options: ExtensionOptions) {
    this.#options = options;
    keepStdoutClean();
  }

  /** `/name` in the composer. Without a result nothing happens after it. */
  command(
    name: string,
    about: { readonly description: string; readonly hint?: string },
    run: (args: string) => Awaitable<CommandResult | void>,
  ): this {
    const command = { ...about, run };
    this.#commands.set(name, command);
    if (this.#running) this.#registerCommand(name, command);
    return this;
  }

  /** For the model. The type of `args` is read from the schema. */
  tool<const S extends ObjectSchema>(
    name: string,
    about: { readonly description: string; readonly schema: S },
    run: (args: ArgsOf<S>, call: ToolCall) => Awaitable<ToolOutput>,
  ): this {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the model was given the schema; a tool checks what must not be wrong
    const tool = { ...about, run: (args: unknown, call: ToolCall) => run(args as ArgsOf<S>, call) };
    this.#tools.set(name, tool);
    if (this.#running) this.#registerTool(name, tool);
    return this;
  }

  on(event: EventName, listener: (event: ObservedEvent) => Awaitable<void>): this {
    this.#listeners.set(event, listener);
    return this;
  }

  /** Runs before it happens: block it, or change it. Nothing means that it may go on. */
  intercept(event: Interceptable, guard: (event: InterceptedEvent) => Awaitable<Verdict | void>): this {
    this.#guards.set(event, guard);
    return this;
  }

  notify(message: string, level: "info" | "success" | "warn" | "error" = "info"): void {
    send({ type: "notify", level, message });
  }

  display(text: string): void {
    send({ type: "display", text });
  }

  insert(text: string): void {
    send({ type: "insert", text });
  }

  clearNotes(): void {
    send({ type: "clear_notes" });
  }

  openPanel(spec: PanelSpec, handlers: PanelHandlers = {}): Panel {
    return this.#panels.open(spec, handlers);
  }

  /** For a panel that a command's answer opens. */
  watchPanel(id: string, handlers: PanelHandlers): Panel {
    return this.#panels.watch(id, handlers);
  }

  /** Says hello, registers everything, and resolves when the host says goodbye. */
  async run(): Promise<void> {
    const { name, version } = this.#options;
    this.#running = true;
    send({ type: "hello", name, version, capabilities: ["commands", "tools", "events", "ui"] });
    for (const [command, about] of this.#commands) this.#registerCommand(command, about);
    for (const [tool, about] of this.#tools) this.#registerTool(tool, about);
    const events = [...this.#listeners.keys()];
    const intercept = [...this.#guards.keys()];
    if (events.length + intercept.length > 0) send({ type: "subscribe", events, intercept });
    send({ type: "ready" });
    await receive((frame) => this.#take(frame));
  }

  #registerCommand(name: string, { description, hint }: Command): void {
    send({ type: "register_command", name, description, ...(hint === undefined ? {} : { hint }) });
  }

  #registerTool(name: string, { description, schema }: Tool): void {
    send({ type: "register_tool", name, description, schema });
  }

  #take(frame: HostFrame): void {
    switch (frame.type) {
      case "hello_ack":
        this.host = frame;
        return;
      case "command_invoked":
        return this.#own(this.#runCommand(frame));
      case "tool_call":
        return this.#own(this.#runTool(frame));
      case "tool_cancel":
        return this.#calls.get(frame.id)?.abort();
      case "event":
        return this.#own(this.#observe(frame));
      case "event_intercept":
        return this.#own(this.#judge(frame));
      case "ui_response":
        return this.ui.answer(frame);
      case "panel_key":
        return this.#panels.key(frame);
      case "panel_close":
        return this.#panels.closed(frame);
      case "shutdown":
        return send({ type: "shutdown_ack" }); // the host closes our input next, which ends `run`
      default:
        return; // a newer host may say more than we know
    }
  }

  /** Handlers answer for themselves; what still fails is a mistake of ours, and goes to the log. */
  #own(work: Promise<void>): void {
    work.catch((error: unknown) => log(error));
  }

  async #runCommand({ id, name, args = "" }: FromHost<"command_invoked">): Promise<void> {
    try {
      const result = (await this.#commands.get(name)?.run(args)) ?? { action: "noop" };
      send({ type: "command_response", id, ...result });
    } catch (error) {
      log(error);
      send({ type: "command_response", id, action: "noop", error: messageOf(error) });
    }
  }

  async #runTool({ id, name, args }: FromHost<"tool_call">): Promise<void> {
    const over = new AbortController();
    this.#calls.set(id, over);
    try {
      const tool = this.#tools.get(name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const progress = (text: string): void => send({ type: "tool_progress", id, text });
      const output = await tool.run(args, { signal: over.signal, progress });
      const { content, isError } = typeof output === "string" ? textOutput(output) : output;
      send({ type: "tool_result", id, content, is_error: isError ?? false });
    } catch (error) {
      log(error);
      send({ type: "tool_result", id, ...textOutput(messageOf(error)), is_error: true });
    } finally {
      this.#calls.delete(id);
    }
  }

  async #observe({ type: _type, ...event }: FromHost<"event">): Promise<void> {
    const name = [...this.#listeners.keys()].find((known) => known === event.event);
    if (name !== undefined) await this.#listeners.get(name)?.(event);
  }

  /** One that fails lets it go on, as one that does not answer would. */
  async #judge({ type: _type, id, ...event }: FromHost<"event_intercept">): Promise<void> {
    const name = [...this.#guards.keys()].find((known) => known === event.event);
    let verdict: Verdict = {};
    try {
      if (name !== undefined) verdict = (await this.#guards.get(name)?.(event)) ?? {};
    } catch (error) {
      log(error);
    }
    send({ type: "event_intercept_response", id, ...verdict });
  }
}

const textOutput = (text: string): Exclude<ToolOutput, string> => ({ content: [{ type: "text", text }] });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
