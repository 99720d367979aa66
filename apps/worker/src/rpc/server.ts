// Answers commands. Everything that only reads or replaces the worker's memory is answered at once;
// prompts and compactions become turns, whose code is loaded when the first one starts.
import { statSync } from "node:fs";
import type { Response, WorkerCommand, WorkerEvent } from "@patchbay/protocol";
import { Conversation, withoutImageData } from "../agent/conversation.ts";
import { readPrompt } from "../agent/prompt-content.ts";
import { findModel, toModelInfo } from "../models/catalog.ts";
import { splitModel, unknownModel } from "../models/choose.ts";
import { modelsOf } from "../models/self-hosted.ts";
import type { Gate } from "./hello.ts";
import { readCommand } from "./read-command.ts";
import { failure, success } from "./responses.ts";
import { TurnQueue } from "./turn-queue.ts";

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const busyError = "agent is busy; wait for completion or abort before retrying";

export interface Output {
  write(frame: WorkerEvent | Response): void;
  ready(): Promise<void> | undefined;
}

export class RpcServer {
  readonly turns = new TurnQueue();
  readonly #conversation: Conversation;
  readonly #output: Output;
  readonly #end: (code: number) => void;
  readonly #gate: Gate;

  constructor(conversation: Conversation, gate: Gate, output: Output, end: (code: number) => void) {
    this.#conversation = conversation;
    this.#gate = gate;
    this.#output = output;
    this.#end = end;
  }

  accept(line: Uint8Array): void {
    const reading = readCommand(line);
    if (!reading.ok) this.#refuse(reading.response);
    else if (reading.command.type === "hello" || this.#gate.open) this.#answer(reading.command, line.length);
    else this.#output.write(failure(reading.command.type, reading.command.id, authError));
  }

  /** Before the token was given, a stranger learns nothing but that it is needed. */
  #refuse(response: Response): void {
    const early = !this.#gate.open && response.command !== "";
    this.#output.write(early ? failure(response.command, response.id, authError) : response);
  }

  #answer(command: WorkerCommand, bytes: number): void {
    const { type, id } = command;
    const conversation = this.#conversation;
    const reply = (data?: unknown): void => this.#output.write(success(type, id, data));
    const fail = (error: string): void => this.#output.write(failure(type, id, error));
    switch (command.type) {
      case "hello":
        this.#output.write(this.#gate.answer(command, conversation.model));
        if (this.#gate.refused) this.#end(1);
        return;
      case "ping":
        return reply({ pong: true });
      case "get_state":
        return reply(this.#state());
      case "get_messages":
        return reply({ messages: conversation.messages.map(withoutImageData) });
      case "get_models":
        void modelsOf(conversation.model.provider, conversation.model.access).then((models) =>
          reply({ models: models.map(toModelInfo) }),
        );
        return;
      case "abort":
        this.turns.abort();
        return reply();
      case "prompt": {
        const prompt = readPrompt(command);
        if (!prompt.ok) return fail(prompt.error);
        return this.#take(type, id, bytes, async (signal) => {
          const { runPrompt } = await import("../agent/turns.ts");
          await runPrompt(conversation, prompt.content, this.#output, signal);
        });
      }
      case "compact": {
        const { customInstructions } = command;
        return this.#take(type, id, bytes, async (signal) => {
          const { runCompaction } = await import("../agent/turns.ts");
          await runCompaction(conversation, customInstructions, this.#output, signal);
        });
      }
      case "clear":
        if (this.turns.busy) return fail(busyError);
        conversation.messages = [];
        return reply();
      case "restore":
        if (this.turns.busy) return fail(busyError);
        conversation.messages = command.messages;
        return reply({ message_count: conversation.messages.length });
      case "begin":
        if (this.turns.busy || conversation.messages.length > 0) return fail("it has begun already");
        if (!isDirectory(command.cwd)) return fail(`${command.cwd} is not a directory`);
        if (command.model !== undefined && !this.#setModel(command.model))
          return fail(this.#unknown(command.model));
        conversation.cwd = command.cwd;
        return reply({ provider: conversation.model.provider, model: conversation.model.id });
      case "set_model":
        if (this.turns.busy) return fail(busyError);
        return this.#setModel(command.model)
          ? reply({ model: conversation.model.id })
          : fail(this.#unknown(command.model));
    }
  }

  #take(
    type: string,
    id: string | undefined,
    bytes: number,
    run: (signal: AbortSignal) => Promise<void>,
  ): void {
    const taken = this.turns.add({
      bytes,
      run: async (signal) => {
        this.#output.write(success(type, id, { started: true }));
        try {
          await run(signal);
        } catch (error) {
          // A turn ends itself in every case it foresees. This is the one it did not.
          this.#output.write({ type: "error", message: `internal error: ${String(error)}` });
          this.#output.write({ type: "done" });
        }
      },
    });
    if (!taken)
      this.#output.write(failure(type, id, "too many prompts are waiting; try again when one is done"));
  }

  #state() {
    const { model, cwd, messages, usage } = this.#conversation;
    return {
      provider: model.provider,
      model: model.id,
      cwd,
      message_count: messages.length,
      busy: this.turns.busy,
      usage,
      ...(model.contextWindow > 0 ? { context_window: model.contextWindow } : {}),
    };
  }

  /** A model of the same provider, as in zot; or `provider/model` where this worker has the access. */
  #setModel(name: string): boolean {
    const conversation = this.#conversation;
    const { provider, access } = conversation.model;
    const other = splitModel(name);
    const otherAccess = other && conversation.config.access.get(other.provider);
    const found =
      findModel(provider, name, access) ??
      (other && otherAccess && findModel(other.provider, other.id, otherAccess));
    if (found) conversation.model = found;
    return found !== undefined;
  }

  #unknown = (name: string): string => unknownModel(name, this.#conversation.model.provider);
}

const authError = "auth required: send hello with token first";
