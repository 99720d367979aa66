// Takes commands, one line each: holds them to the gate, and gives each to its handler.
import type { Response, WorkerCommand } from "@patchbay/protocol";
import type { Agent } from "../agent/agent.ts";
import type { Extensions } from "../extensions/extensions.ts";
import { bashCommands } from "./commands/bash.ts";
import { branchCommands } from "./commands/branches.ts";
import { extensionCommands } from "./commands/extensions.ts";
import { modelCommands } from "./commands/models.ts";
import { safetyCommands } from "./commands/safety.ts";
import { sessionCommands } from "./commands/session.ts";
import { sessionInfoCommands } from "./commands/session-info.ts";
import { settingCommands } from "./commands/settings.ts";
import { slashCommands } from "./commands/slash.ts";
import { stateCommands } from "./commands/state.ts";
import { turnCommands } from "./commands/turns.ts";
import { uiCommands } from "./commands/ui.ts";
import type { CommandOf, Exchange, Handlers } from "./exchange.ts";
import type { Gate } from "./hello.ts";
import { readCommand } from "./read-command.ts";
import { failure, success } from "./responses.ts";

export class RpcServer {
  readonly agent: Agent;
  readonly #end: (code: number) => void;
  readonly #gate: Gate;
  readonly #handlers: Handlers<Exclude<WorkerCommand["type"], "hello">>;

  constructor(agent: Agent, extensions: Extensions, gate: Gate, end: (code: number) => void) {
    this.agent = agent;
    this.#gate = gate;
    this.#end = end;
    this.#handlers = {
      ...turnCommands(agent),
      ...stateCommands(agent),
      ...modelCommands(agent),
      ...settingCommands(agent),
      ...sessionCommands(agent),
      ...branchCommands(agent),
      ...bashCommands(agent),
      ...sessionInfoCommands(agent),
      ...slashCommands(agent),
      ...extensionCommands(agent, extensions),
      ...safetyCommands(agent),
      ...uiCommands(agent),
    };
  }

  accept(line: Uint8Array): void {
    const reading = readCommand(line);
    if (!reading.ok) this.#refuse(reading.response);
    else if (reading.command.type === "hello") this.#greet(reading.command);
    else if (this.#gate.open) this.#obey(reading.command, line.length);
    else this.agent.output.write(failure(reading.command.type, reading.command.id, authError));
  }

  /** Before the token was given, a stranger learns nothing but that it is needed. */
  #refuse(response: Response): void {
    const early = !this.#gate.open && response.command !== "";
    this.agent.output.write(early ? failure(response.command, response.id, authError) : response);
  }

  #greet(command: CommandOf<"hello">): void {
    this.agent.output.write(this.#gate.answer(command, this.agent.conversation.model));
    if (this.#gate.refused) this.#end(1);
    else if (!this.agent.flags.awaitBegin) void this.agent.open();
  }

  #obey(command: Exclude<WorkerCommand, { type: "hello" }>, bytes: number): void {
    const { type, id } = command;
    const { output } = this.agent;
    const fail = (error: string): void => output.write(failure(type, id, error));
    const broken = (error: unknown): void => fail(error instanceof Error ? error.message : String(error));
    const exchange = {
      succeed: (data?: unknown): void => output.write(success(type, id, data)),
      fail,
      bytes,
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each handler stands under the type it takes
    const handle = this.#handlers[command.type] as (
      command: WorkerCommand,
      exchange: Exchange,
    ) => void | Promise<void>;
    try {
      handle(command, exchange)?.catch(broken);
    } catch (error) {
      broken(error);
    }
  }
}

const authError = "auth required: send hello with token first";
