// The program's state and controls: answers `hello` from its state, keeps every viewer's controls in step, and runs the
// errands that are one question each.
import type { Usage } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameOutput } from "../../frame-output.ts";
import type { Program } from "../wire/programs.ts";
import { type Asks, errorOf } from "../wire/rpc-client.ts";
import { Models, PiModel, type PiResponse, PiState, Ready } from "../wire/schemas.ts";
import { errandFor, lacks } from "../wire/simple-commands.ts";
import { retell } from "./replay.ts";
import { isIdle, toHello, toSettings, toState } from "./states.ts";

const ChosenModel = z.union([
  z.object({ provider: z.string(), modelId: z.string() }),
  z.object({ model: z.string() }),
]);

interface Around {
  usage(): Usage;
  busy(): boolean;
  /** The conversation is another one. */
  forget(): void;
}

export class Controls {
  readonly #program: Program;
  readonly #cwd: string;
  readonly #asks: Asks;
  readonly #out: TypedFrameOutput;
  readonly #around: Around;
  /** Neither program tells; this is what was last asked for. */
  #autoRetry: boolean | undefined;
  #provider = "";
  /** Someone has been told how the controls stand. */
  #greeted = false;

  constructor(program: Program, cwd: string, asks: Asks, out: TypedFrameOutput, around: Around) {
    this.#program = program;
    this.#cwd = cwd;
    this.#asks = asks;
    this.#out = out;
    this.#around = around;
  }

  carryOut(command: WorkerBound): void {
    if (lacks(this.#program, command.type))
      return this.#out.respond(command, { error: `${this.#program.name} cannot do that.` });
    switch (command.type) {
      case "ping":
        return this.#out.respond(command, { data: { pong: true } });
      case "hello":
        return this.#hello(command);
      case "get_state":
        return this.#ask(command, (state) =>
          toState(state, { cwd: this.#cwd, busy: this.#around.busy(), usage: this.#around.usage() }),
        );
      case "set_model":
        return this.#setModel(command);
      case "run_command":
        return this.#runCommand(command);
      default:
        return this.#runErrand(command);
    }
  }

  isIdle(hear: (idle: boolean) => void): void {
    this.#asks.ask({ type: "get_state" }, (response) => {
      const state = readState(response);
      hear(state !== undefined && isIdle(state));
    });
  }

  /** Frames of the program about its controls; false: this is none. */
  noted(type: string, value: object): boolean {
    switch (type) {
      case "ready":
        if (Ready.safeParse(value).data?.supportedProtocolVersions.includes(2) === true)
          this.#asks.ask({ type: "negotiate_protocol", protocolVersion: 2 }, () => {}); // v1 works as well
        return true;
      case "thinking_level_changed":
      case "model_changed":
        this.tellSettings();
        return true;
      case "available_commands_update":
        if (this.#greeted) this.#out.frame({ type: "commands_changed" });
        return true;
      default:
        return false;
    }
  }

  #hello(command: WorkerBound): void {
    this.#ask(
      command,
      (state) => toHello(state, this.#program),
      () => {
        this.#greeted = true;
        this.tellSettings();
      },
    );
  }

  /** From the program's state. */
  #ask(command: WorkerBound, read: (state: PiState) => unknown, then?: () => void): void {
    this.#asks.ask({ type: "get_state" }, (response) => {
      const state = readState(response);
      if (state === undefined) return this.#out.respond(command, { error: errorOf(response) });
      this.#provider = state.model?.provider ?? "";
      this.#out.respond(command, { data: read(state) });
      then?.();
    });
  }

  /** How the controls stand, and which file the conversation is in. */
  tellSettings(): void {
    if (!this.#greeted) return;
    this.#asks.ask({ type: "get_state" }, (response) => {
      const state = readState(response);
      if (state === undefined) return;
      this.#provider = state.model?.provider ?? "";
      this.#out.frame({ type: "settings", ...toSettings(state, this.#autoRetry) });
    });
  }

  /** `provider/model`, or a model of the provider in use. Ids of gateways contain slashes, so the list decides. */
  #setModel(command: WorkerBound): void {
    const wanted = ChosenModel.safeParse(command).data;
    if (wanted === undefined)
      return this.#out.respond(command, { error: "Say which model: model is missing." });
    this.#asks.ask({ type: "get_available_models" }, (listed) => {
      const models = Models.safeParse(listed.data).data?.models ?? [];
      const named = "model" in wanted ? wanted.model : `${wanted.provider}/${wanted.modelId}`;
      const found =
        models.find(({ provider, id }) => `${provider}/${id}` === named) ??
        models.find(({ provider, id }) => id === named && provider === this.#provider) ??
        models.find(({ id }) => id === named);
      if (found === undefined)
        return this.#out.respond(command, {
          error: `${this.#program.name} has no model ${named} that it could use. get_models lists those it has.`,
        });
      const { provider, id } = found;
      this.#asks.ask({ type: "set_model", provider, modelId: id }, (response) => {
        if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
        const model = PiModel.safeParse(response.data).data ?? found;
        this.#out.respond(command, { data: { model: model.id, provider: model.provider } });
        this.tellSettings();
      });
    });
  }

  /** Both take slash commands as prompts; the server sends it, because it holds the queue. */
  #runCommand(command: WorkerBound): void {
    const { name, args } = command;
    if (typeof name !== "string" || name === "")
      return this.#out.respond(command, { error: "Say which command: name is missing." });
    const words = typeof args === "string" && args !== "" ? ` ${args}` : "";
    this.#out.respond(command, { data: { action: "prompt", text: `/${name}${words}` } });
  }

  #runErrand(command: WorkerBound): void {
    const errand = errandFor(command, this.#program);
    if (typeof errand === "string") return this.#out.respond(command, { error: errand });
    if (errand.changes === "conversation" && this.#around.busy())
      return this.#out.respond(command, { error: "The agent is at work. Stop it first, or wait." });
    this.#asks.ask(errand.ask, (response) => {
      if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
      if (command.type === "set_auto_retry") this.#autoRetry = command["enabled"] === true;
      this.#out.respond(command, { data: errand.read?.(response.data) ?? response.data ?? {} });
      if (errand.changes === "emptied" || errand.changes === "conversation") this.#around.forget();
      if (errand.changes !== undefined) this.tellSettings();
      if (errand.changes !== "conversation") return;
      this.#asks.ask({ type: "get_messages" }, ({ data }) => retell(data, this.#out));
    });
  }
}

const readState = (response: PiResponse): PiState | undefined =>
  response.success ? PiState.safeParse(response.data).data : undefined;
