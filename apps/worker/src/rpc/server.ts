// Takes commands, one line each: checks that the caller has given the token, and calls the command's handler.
import type { Response, WorkerCommand } from "@patchbay/protocol";
import type { Model } from "../models/catalog.ts";
import type { WorkerOutput } from "../output/worker-output.ts";
import type { CommandOf, Exchange, Handlers } from "./exchange.ts";
import type { Gate } from "./hello.ts";
import { readWorkerCommand } from "./read-command.ts";
import { failureResponse, successResponse } from "./responses.ts";

interface ServerParts {
  readonly gate: Gate;
  readonly output: WorkerOutput;
  readonly conversation: { readonly model: Model };
  readonly handlers: Handlers<Exclude<WorkerCommand["type"], "hello">>;
  /** A good hello was answered. */
  greeted(): void;
  /** Ends the worker. */
  end(code: number): void;
}

export class RpcServer {
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  accept(line: Uint8Array): void {
    const { gate, output } = this.#parts;
    const reading = readWorkerCommand(line);
    if (!reading.ok) this.#refuse(reading.response);
    else if (reading.command.type === "hello") this.#greet(reading.command);
    else if (gate.open) this.#handle(reading.command, line.length);
    else output.write(failureResponse(reading.command.type, reading.command.id, authError));
  }

  /** Before the token was given, a caller learns only that it is needed. */
  #refuse(response: Response): void {
    const { gate, output } = this.#parts;
    const early = !gate.open && response.command !== "";
    output.write(early ? failureResponse(response.command, response.id, authError) : response);
  }

  #greet(command: CommandOf<"hello">): void {
    const { gate, output, conversation, greeted, end } = this.#parts;
    output.write(gate.answer(command, conversation.model));
    if (gate.refused) end(1);
    else greeted();
  }

  #handle(command: Exclude<WorkerCommand, { type: "hello" }>, bytes: number): void {
    const { output, handlers } = this.#parts;
    const { type, id } = command;
    const fail = (error: string): void => output.write(failureResponse(type, id, error));
    const failWith = (error: unknown): void => fail(error instanceof Error ? error.message : String(error));
    const exchange = {
      succeed: (data?: unknown): void => output.write(successResponse(type, id, data)),
      fail,
      bytes,
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each handler stands under the type it takes
    const handle = handlers[command.type] as (
      command: WorkerCommand,
      exchange: Exchange,
    ) => void | Promise<void>;
    try {
      handle(command, exchange)?.catch(failWith);
    } catch (error) {
      failWith(error);
    }
  }
}

const authError = "auth required: send hello with token first";
