// Translates commands to ACP requests, and the agent's requests and updates to frames. Updates of a turn go to its
// TurnFrames, updates of the agent's session to Sessions.
import {
  type ContentBlock,
  PromptCommand,
  type PromptImage,
  ThinkingLevel,
  WorkerSteerCommand,
} from "@patchbay/protocol";
import * as z from "zod/mini";
import { accountLimits, planLimitsOf, type ToldLimits } from "../../plans/told-limits.ts";
import type { AgentTraits, DialectHost, DialectTranslation, WorkerBound } from "../dialect.ts";
import { FrameWriter } from "../frame-writer.ts";
import { type AgentSession, unknownModel } from "./conversation/agent-session.ts";
import { runCommand } from "./conversation/choices.ts";
import { Compaction } from "./conversation/compaction.ts";
import { Sessions } from "./conversation/sessions.ts";
import { promptBlocks } from "./prompt-blocks.ts";
import { elicit } from "./requests/elicitation.ts";
import { filesAndTerminals } from "./requests/files-and-terminals.ts";
import { askPermission } from "./requests/permissions.ts";
import { AgentQuestions } from "./requests/questions.ts";
import { Terminals } from "./requests/terminals.ts";
import { planFrames } from "./turn/plan.ts";
import { ToolCallUpdate } from "./turn/tool-call.ts";
import { TurnFrames } from "./turn/turn-frames.ts";
import { errorText, problemOf, stopOf } from "./wire/agent-errors.ts";
import { modelInfos } from "./wire/models.ts";
import { AcpClient, type SessionUpdate } from "./wire/rpc-client.ts";
import { readFigures } from "./wire/turn-figures.ts";

const TextChunk = z.looseObject({ content: z.looseObject({ type: z.literal("text"), text: z.string() }) });

/** Updates that show that the agent goes on. */
const isWork: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
]);

const Steered = z.looseObject({ outcome: z.string() });

const contentOf = (message: string, images: readonly PromptImage[]): ContentBlock[] => [
  ...(message === "" ? [] : [{ type: "text" as const, text: message }]),
  ...images.map(({ mime_type, data }) => ({
    type: "image" as const,
    mime_type,
    bytes: Buffer.byteLength(data, "base64"),
    data,
  })),
];

export class AcpTranslation implements DialectTranslation {
  readonly #cwd: string;
  readonly #out: FrameWriter;
  readonly #client: AcpClient;
  readonly #sessions: Sessions;
  readonly #questions: AgentQuestions;
  readonly #terminals: Terminals;
  readonly #traits: AgentTraits;
  #turn: TurnFrames | undefined;
  #compaction: Compaction | undefined;
  #compacted: Promise<void> = Promise.resolve();
  #aborting = false;
  /** The model calls of the turn when it was stopped: an agent ends its tools then, which shows no further call. */
  #callsAtAbort = 0;
  /** What the agent last told about its plan. */
  #toldLimits: string | undefined;
  /** The error that the agent has written as the end of its answer. */
  #writtenError: string | undefined;

  constructor({ cwd, model, environment, traits, files, start, send, emit }: DialectHost) {
    this.#cwd = cwd;
    this.#traits = traits;
    this.#out = new FrameWriter(emit);
    this.#questions = new AgentQuestions((frame) => this.#out.frame(frame));
    this.#terminals = new Terminals({ cwd, environment, start }, (id) => this.#turn?.terminalOutput(id));
    this.#client = new AcpClient(
      send,
      {
        update: (session, update) => this.#update(session, update),
        rateLimits: (params) => this.#planLimits(accountLimits(params)),
        permission: (request, cancelled) =>
          askPermission(this.#questions.withSignal(cancelled), request, this.#turn),
        elicit: (request, cancelled) => elicit(this.#questions.withSignal(cancelled), request),
        ...filesAndTerminals({ cwd, rules: files }, this.#terminals, this.#questions),
      },
      (line) => this.#out.noise(line),
    );
    this.#sessions = new Sessions({ client: this.#client, out: this.#out, cwd, model, environment, traits });
  }

  fromWorker(run: Uint8Array): void {
    this.#client.receive(run);
  }

  toWorker(command: WorkerBound): void {
    if (command.type === "extension_ui_response") {
      this.#questions.answer(command);
      return;
    }
    this.#run(command).catch((error: unknown) => this.#out.respond(command, { error: errorText(error) }));
  }

  close(): void {
    this.#terminals.close();
    this.#client.close();
  }

  async #run(command: WorkerBound): Promise<void> {
    const succeed = (data?: object) => this.#out.respond(command, { data });
    switch (command.type) {
      case "hello":
        return succeed(await this.#sessions.hello());
      case "ping":
        return succeed({ pong: true });
      case "prompt":
        return this.#prompt(command);
      case "steer":
        return this.#steer(command);
      case "compact":
        return this.#compact(command);
      case "abort":
        await this.#abort();
        return succeed();
      case "restore_settings":
        await this.#sessions.resume(command["settings"]);
        return succeed();
      case "restore":
        if (this.#sessions.isResumed) return succeed();
        return this.#out.respond(command, { error: "The agent could not resume its earlier session." });
      case "get_state":
        return succeed(await this.#state());
      case "get_models": {
        const { models } = await this.#sessions.open();
        return succeed({ models: modelInfos(models, this.#sessions.provider) });
      }
      case "set_model":
        return succeed(await this.#sessions.setModel(String(command["model"])));
      case "set_thinking_level":
        return succeed(await this.#sessions.setLevel(ThinkingLevel.parse(command["level"])));
      case "cycle_thinking_level":
        return succeed(await this.#sessions.cycleLevel());
      case "get_commands":
        return succeed({ commands: (await this.#sessions.open()).commands });
      case "run_command":
        return succeed(
          await runCommand(this.#client, await this.#sessions.open(), this.#out, {
            name: String(command["name"]),
            args: command["args"],
          }),
        );
      case "clear":
        if (this.#turn !== undefined) throw new Error("A turn is running. Stop it first.");
        await this.#sessions.reset();
        return succeed();
      default:
        return this.#out.respond(command, { error: `This agent (ACP) has no command "${command.type}".` });
    }
  }

  async #prompt(command: WorkerBound): Promise<void> {
    const { message = "", images = [] } = PromptCommand.parse(command);
    const session = await this.#sessions.open();
    const prompt = await promptBlocks({ message, images }, this.#cwd, this.#sessions.promptCapabilities);
    this.#out.respond(command, { data: { started: true } });
    this.#aborting = false;
    this.#writtenError = undefined;
    session.promptStarts();
    const turn = new TurnFrames(
      {
        emit: (...frames) => this.#out.frame(...frames),
        terminal: (id) => this.#terminals.text(id),
        wrapsOutput: this.#traits.wrapsOutput === true,
      },
      contentOf(message, images),
    );
    this.#turn = turn;
    const usage = (figures: ReturnType<typeof readFigures>) =>
      session.charge({
        figures,
        isCommand: /^[/$]/.test(message),
        isAnswered: !turn.isEmpty,
        isStopped: this.#aborting,
        calls: this.#aborting ? this.#callsAtAbort : turn.steps,
      });
    const endCommands = async () => {
      if (this.#aborting && turn.hasTools) await this.#sessions.endCommands();
    };
    try {
      const response = await this.#client.request("session/prompt", { sessionId: session.id, prompt });
      await endCommands();
      const problem = problemOf(response.stopReason);
      this.#endTurn();
      const used = usage(readFigures(response));
      const failure = problem ?? (this.#aborting ? undefined : this.#endingError());
      if (failure !== undefined) turn.end("error", used, failure);
      else turn.end(this.#aborting ? "aborted" : stopOf(response.stopReason), used);
    } catch (error) {
      await endCommands();
      this.#endTurn();
      const used = usage(undefined);
      if (this.#aborting) turn.end("aborted", used);
      else turn.end("error", used, errorText(this.#sessions.explain(error)));
    } finally {
      if (this.#aborting) this.#terminals.killAll(); // those that were begun after the stop
      this.#terminals.dropReleased();
    }
  }

  /** Gives a message to the running turn. Whether that is still running when it arrives, the agent decides. */
  async #steer(command: WorkerBound): Promise<void> {
    const { message = "", images = [], key } = WorkerSteerCommand.parse(command);
    const session = this.#sessions.current;
    const turn = this.#turn;
    if (!this.#sessions.canSteer || session === undefined || turn === undefined)
      throw new Error("There is nothing to steer: no turn is running.");
    const prompt = await promptBlocks({ message, images }, this.#cwd, this.#sessions.promptCapabilities);
    const idleBehavior = "promptRequired"; // it must not begin a turn of its own, of which nobody would know the end
    const params = { sessionId: session.id, prompt, _meta: { steering: { idleBehavior } } };
    const { outcome } = Steered.parse(await this.#client.requestOther("_session/steering", params));
    if (outcome !== "injected") throw new Error("The turn ended before the message arrived.");
    this.#out.batch(() => {
      turn.steered(contentOf(message, images), key);
      this.#out.respond(command, { data: { started: false, steered: true } });
    });
  }

  async #compact(command: WorkerBound): Promise<void> {
    const compaction = new Compaction();
    this.#compaction = compaction;
    this.#compacted = this.#sessions
      .open()
      .then((session) => compaction.run(this.#client, session, this.#out, command))
      .finally(() => {
        this.#compaction = undefined;
      });
    await this.#compacted;
  }

  #endTurn(): void {
    this.#turn = undefined;
    this.#questions.withdrawAll();
  }

  async #abort(): Promise<void> {
    const session = this.#sessions.current;
    if (session === undefined || (this.#turn ?? this.#compaction) === undefined) return;
    if (!this.#aborting) this.#callsAtAbort = this.#turn?.steps ?? 0;
    this.#aborting = true;
    this.#compaction?.stop();
    this.#terminals.killAll();
    this.#questions.withdrawAll();
    await this.#client.cancel(session.id);
    // Frames after the response belong to the next turn, so the compaction must be over by then.
    if (this.#compaction !== undefined) await this.#compacted.catch(() => {}); // the response to `compact` has the error
  }

  #update(sessionId: string, update: SessionUpdate): void {
    const session = this.#sessions.apply(sessionId, update);
    if (session === undefined) return;
    if (update.sessionUpdate === "plan") return this.#out.frame(...planFrames(update));
    const text = TextChunk.safeParse(update).data?.content.text ?? "";
    if (update.sessionUpdate === "agent_message_chunk") this.#compaction?.addText(text);
    if (update.sessionUpdate === "usage_update") this.#planLimits(planLimitsOf(update));
    // Between turns, costs that the agent reports late must still count towards a budget. Within one they wait for its tokens,
    // which come with its end, or for the next thing that the agent does.
    const isBusy = this.#turn !== undefined || this.#compaction !== undefined;
    if (isBusy ? isWork.has(update.sessionUpdate) : update.sessionUpdate === "usage_update")
      this.#charge(session);
    if (this.#turn === undefined) return; // the remaining updates belong to a turn
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#answerText(this.#turn, text);
      case "agent_thought_chunk":
        return this.#turn.text("thinking", text);
      case "tool_call":
      case "tool_call_update": {
        const read = ToolCallUpdate.safeParse(update);
        if (read.success) this.#turn.tool(read.data);
        return;
      }
      default: // an update of a newer agent
    }
  }

  /** Agents repeat them with every call: what is as it was needs no frame. */
  #planLimits(told: ToldLimits | null): void {
    const text = JSON.stringify(told);
    if (told === null || text === this.#toldLimits) return;
    this.#toldLimits = text;
    this.#out.frame({ type: "plan_limits", time: new Date().toISOString(), ...told });
  }

  /** Some agents write errors and warnings into their answers, without saying what they are. */
  #answerText(turn: TurnFrames, text: string): void {
    const { errorText: error, warningText: warning } = this.#traits;
    if (warning?.test(text) === true) {
      const notice = { extension: this.#sessions.provider, level: "warn", message: text.trim() };
      return this.#out.frame({ type: "ext_notify", ...notice });
    }
    if (this.#writtenError !== undefined) turn.text("text", this.#writtenError); // it went on: it was no end
    this.#writtenError = error?.test(text) === true ? text : undefined;
    if (this.#writtenError === undefined) turn.text("text", text);
  }

  #endingError(): string | undefined {
    return this.#writtenError?.trim();
  }

  #charge(session: AgentSession): void {
    const purpose = this.#compaction === undefined ? undefined : "compaction";
    const costs = session.chargeShown(this.#turn?.shownSteps ?? 0, purpose);
    if (costs.length > 0) this.#out.frame(...costs);
  }

  async #state(): Promise<object> {
    const session = await this.#sessions.open();
    return {
      provider: this.#sessions.provider,
      model: session.model ?? unknownModel,
      cwd: this.#cwd,
      message_count: 0,
      busy: this.#turn !== undefined,
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
    };
  }
}
