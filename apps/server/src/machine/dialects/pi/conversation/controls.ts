// The program's state and settings: responds to `hello` from its state, emits the settings when they change, and runs the
// commands that are one request each.
import type { Usage } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameWriter } from "../../frame-writer.ts";
import type { Program } from "../wire/programs.ts";
import { errorOf, type PiClient } from "../wire/rpc-client.ts";
import { Models, PiModel, PiReady, type PiResponse, PiState } from "../wire/schemas.ts";
import { isUnsupported, toSimpleCommand } from "../wire/simple-commands.ts";
import { replayConversation } from "./replay.ts";
import { isIdle, toHello, toSettings, toState } from "./states.ts";

const ChosenModel = z.union([
  z.object({ provider: z.string(), modelId: z.string() }),
  z.object({ model: z.string() }),
]);

interface ControlsHost {
  usage(): Usage;
  busy(): boolean;
  /** Called when the conversation was replaced. */
  resetBranches(): void;
}

export class Controls {
  readonly #program: Program;
  readonly #cwd: string;
  readonly #client: PiClient;
  readonly #out: TypedFrameWriter;
  readonly #host: ControlsHost;
  /** The value that was last set: neither program reports it. */
  #autoRetry: boolean | undefined;
  #provider = "";
  /** `hello` was answered. Settings are emitted only after that. */
  #greeted = false;

  constructor(program: Program, cwd: string, client: PiClient, out: TypedFrameWriter, host: ControlsHost) {
    this.#program = program;
    this.#cwd = cwd;
    this.#client = client;
    this.#out = out;
    this.#host = host;
  }

  run(command: WorkerBound): void {
    if (isUnsupported(this.#program, command.type))
      return this.#out.respond(command, { error: `${this.#program.name} does not support this.` });
    switch (command.type) {
      case "ping":
        return this.#out.respond(command, { data: { pong: true } });
      case "hello":
        return this.#hello(command);
      case "get_state":
        return this.#respondFromState(command, (state) =>
          toState(state, { cwd: this.#cwd, busy: this.#host.busy(), usage: this.#host.usage() }),
        );
      case "set_model":
        return this.#setModel(command);
      case "run_command":
        return this.#runCommand(command);
      default:
        return this.#runSimple(command);
    }
  }

  askIdle(onAnswer: (idle: boolean) => void): void {
    this.#client.request({ type: "get_state" }, (response) => {
      const state = readState(response);
      onAnswer(state !== undefined && isIdle(state));
    });
  }

  /** Handles frames about the program's settings. Returns false for any other frame. */
  handleFrame(type: string, value: object): boolean {
    switch (type) {
      case "ready":
        if (PiReady.safeParse(value).data?.supportedProtocolVersions.includes(2) === true)
          this.#client.request({ type: "negotiate_protocol", protocolVersion: 2 }, () => {}); // v1 works as well
        return true;
      case "thinking_level_changed":
      case "model_changed":
        this.emitSettings();
        return true;
      case "available_commands_update":
        if (this.#greeted) this.#out.frame({ type: "commands_changed" });
        return true;
      default:
        return false;
    }
  }

  #hello(command: WorkerBound): void {
    this.#respondFromState(
      command,
      (state) => toHello(state, this.#program),
      () => {
        this.#greeted = true;
        this.emitSettings();
      },
    );
  }

  #respondFromState(command: WorkerBound, read: (state: PiState) => unknown, then?: () => void): void {
    this.#client.request({ type: "get_state" }, (response) => {
      const state = readState(response);
      if (state === undefined) return this.#out.respond(command, { error: errorOf(response) });
      this.#provider = state.model?.provider ?? "";
      this.#out.respond(command, { data: read(state) });
      then?.();
    });
  }

  /** Emits the settings, and the file that the conversation is in. */
  emitSettings(): void {
    if (!this.#greeted) return;
    this.#client.request({ type: "get_state" }, (response) => {
      const state = readState(response);
      if (state === undefined) return;
      this.#provider = state.model?.provider ?? "";
      this.#out.frame({ type: "settings", ...toSettings(state, this.#autoRetry) });
    });
  }

  /** `provider/model`, or a model of the provider in use. Ids of gateways contain slashes, so the list decides. */
  #setModel(command: WorkerBound): void {
    const wanted = ChosenModel.safeParse(command).data;
    if (wanted === undefined) return this.#out.respond(command, { error: '"model" is missing.' });
    this.#client.request({ type: "get_available_models" }, (listed) => {
      const models = Models.safeParse(listed.data).data?.models ?? [];
      const named = "model" in wanted ? wanted.model : `${wanted.provider}/${wanted.modelId}`;
      const found =
        models.find(({ provider, id }) => `${provider}/${id}` === named) ??
        models.find(({ provider, id }) => id === named && provider === this.#provider) ??
        models.find(({ id }) => id === named);
      if (found === undefined)
        return this.#out.respond(command, {
          error: `${this.#program.name} has no usable model ${named}. get_models lists the available ones.`,
        });
      const { provider, id } = found;
      this.#client.request({ type: "set_model", provider, modelId: id }, (response) => {
        if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
        const model = PiModel.safeParse(response.data).data ?? found;
        this.#out.respond(command, { data: { model: model.id, provider: model.provider } });
        this.emitSettings();
      });
    });
  }

  /** Both programs take slash commands as prompts. The server sends the prompt, because it holds the queue. */
  #runCommand(command: WorkerBound): void {
    const { name, args } = command;
    if (typeof name !== "string" || name === "")
      return this.#out.respond(command, { error: '"name" is missing.' });
    const rest = typeof args === "string" && args !== "" ? ` ${args}` : "";
    this.#out.respond(command, { data: { action: "prompt", text: `/${name}${rest}` } });
  }

  #runSimple(command: WorkerBound): void {
    const simple = toSimpleCommand(command, this.#program);
    if (typeof simple === "string") return this.#out.respond(command, { error: simple });
    if (simple.changes === "conversation" && this.#host.busy())
      return this.#out.respond(command, {
        error: "The agent is working. Stop it, or wait until it is done.",
      });
    this.#client.request(simple.request, (response) => {
      if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
      if (command.type === "set_auto_retry") this.#autoRetry = command["enabled"] === true;
      if (simple.readState !== undefined)
        return this.#respondFromState(command, simple.readState, () => this.emitSettings());
      const data = simple.read === undefined ? (response.data ?? {}) : simple.read(response.data);
      this.#out.respond(command, { data });
      if (simple.changes === "emptied" || simple.changes === "conversation") this.#host.resetBranches();
      if (simple.changes !== undefined) this.emitSettings();
      if (simple.changes !== "conversation") return;
      this.#client.request({ type: "get_messages" }, ({ data }) => replayConversation(data, this.#out));
    });
  }
}

const readState = (response: PiResponse): PiState | undefined =>
  response.success ? PiState.safeParse(response.data).data : undefined;
