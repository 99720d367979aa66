// Our commands as calls of ACP, and an agent's calls as frames of ours. The agent's session is opened when it is first
// needed, so that one from before a restart can be taken up again instead.
import type { InitializeResponse } from "@agentclientprotocol/sdk";
import { type ContentBlock, PromptCommand } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Sides, Translation, WorkerBound } from "../dialect.ts";
import { abilitiesOf, introduction, isGiven, protocolVersion } from "./abilities.ts";
import { AgentSession } from "./agent-session.ts";
import { problemOf, stopOf, withLoginHint, words } from "./agent-words.ts";
import { runCommand, setModel } from "./choices.ts";
import { Compaction } from "./compaction.ts";
import { elicit } from "./elicitation.ts";
import { filesAndTerminals } from "./files-and-terminals.ts";
import { Outlet, type OwnFrame } from "./outlet.ts";
import { askPermission } from "./permissions.ts";
import { planFrames } from "./plan.ts";
import { promptBlocks } from "./prompt-blocks.ts";
import { Questions } from "./questions.ts";
import { Terminals } from "./terminals.ts";
import { ToolTelling } from "./tool-call.ts";
import { Turn } from "./turn.ts";
import { type SessionUpdate, Wire } from "./wire.ts";

const TextChunk = z.looseObject({ content: z.looseObject({ type: z.literal("text"), text: z.string() }) });
const SavedSettings = z.looseObject({
  agent_session: z.optional(z.string()),
  agent_spent_usd: z.optional(z.number()),
});

export class AcpTranslation implements Translation {
  readonly #cwd: string;
  readonly #outlet: Outlet;
  readonly #wire: Wire;
  readonly #questions: Questions;
  readonly #terminals: Terminals;
  #agent: InitializeResponse | undefined;
  #opening: Promise<AgentSession> | undefined;
  #session: AgentSession | undefined;
  /** The agent repeats what was said long ago. */
  #isLoading = false;
  #resumed = false;
  #turn: Turn | undefined;
  #compaction: Compaction | undefined;
  #aborting = false;

  constructor({ cwd, environment, confine, send, emit }: Sides) {
    this.#cwd = cwd;
    this.#outlet = new Outlet(emit);
    this.#questions = new Questions((frame) => this.#outlet.frame(frame));
    this.#terminals = new Terminals({ cwd, environment, confine });
    this.#wire = new Wire(
      send,
      {
        update: (session, update) => this.#update(session, update),
        permission: (request) => askPermission(this.#questions, request, this.#turn),
        elicit: (request) => elicit(this.#questions, request),
        ...filesAndTerminals(cwd, this.#terminals),
      },
      (line) => this.#outlet.noise(line),
    );
  }

  fromWorker(run: Uint8Array): void {
    this.#wire.receive(run);
  }

  toWorker(command: WorkerBound): void {
    if (command.type === "extension_ui_response") {
      this.#questions.answer(command);
      return;
    }
    this.#obey(command).catch((error: unknown) => this.#outlet.refuse(command, words(error)));
  }

  close(): void {
    this.#terminals.close();
    this.#wire.close();
  }

  async #obey(command: WorkerBound): Promise<void> {
    const answer = (data?: object) => this.#outlet.succeed(command, data);
    switch (command.type) {
      case "hello":
        return answer(await this.#hello());
      case "ping":
        return answer({ pong: true });
      case "prompt":
        return this.#prompt(command);
      case "compact":
        return this.#compact(command);
      case "abort":
        await this.#abort();
        return answer();
      case "restore_settings":
        await this.#resume(SavedSettings.parse(command["settings"]));
        return answer();
      case "restore":
        if (this.#resumed) return answer();
        return this.#outlet.refuse(command, "The agent could not take up its earlier session.");
      case "get_state":
        return answer(await this.#state());
      case "get_models":
        return answer({ models: (await this.#open()).models(this.#provider) });
      case "set_model":
        return answer(
          await setModel(this.#wire, await this.#open(), this.#provider, String(command["model"])),
        );
      case "get_commands":
        return answer({ commands: (await this.#open()).commands });
      case "run_command":
        return answer(
          await runCommand(this.#wire, await this.#open(), this.#outlet, {
            name: String(command["name"]),
            args: command["args"],
          }),
        );
      case "clear":
        if (this.#turn !== undefined) throw new Error("A turn is running. Stop it first.");
        this.#opening = undefined;
        await this.#open();
        return answer();
      default:
        return this.#outlet.refuse(command, `This agent (ACP) has no command "${command.type}".`);
    }
  }

  get #provider(): string {
    return this.#agent?.agentInfo?.name ?? "acp";
  }

  async #hello(): Promise<object> {
    this.#agent ??= await this.#wire.request("initialize", introduction);
    const { agentInfo, protocolVersion: spoken } = this.#agent;
    if (spoken !== protocolVersion)
      throw new Error(`The agent speaks version ${spoken} of ACP; Patchbay speaks ${protocolVersion}.`);
    return {
      protocol_version: 1,
      version: agentInfo?.version ?? "unknown",
      provider: this.#provider,
      model: this.#session?.model ?? "default",
      capabilities: abilitiesOf(this.#agent),
    };
  }

  /** Concurrent callers share one opening; one that failed is tried again. */
  #open(): Promise<AgentSession> {
    this.#opening ??= this.#newSession().catch((error: unknown) => {
      this.#opening = undefined;
      throw withLoginHint(error, this.#agent?.authMethods);
    });
    return this.#opening;
  }

  async #newSession(): Promise<AgentSession> {
    const opened = await this.#wire.request("session/new", { cwd: this.#cwd, mcpServers: [] });
    return this.#adopt(new AgentSession(opened.sessionId, opened), 0);
  }

  #adopt(session: AgentSession, charged: number | undefined): AgentSession {
    this.#session = session;
    const spent = charged === undefined ? {} : { agent_spent_usd: charged };
    this.#outlet.frame({ type: "settings", agent_session: session.id, ...spent }, ...session.modeStatus());
    return session;
  }

  async #resume({
    agent_session: sessionId,
    agent_spent_usd: charged,
  }: z.infer<typeof SavedSettings>): Promise<void> {
    if (sessionId === undefined || this.#opening !== undefined) return;
    const params = { sessionId, cwd: this.#cwd, mcpServers: [] };
    const session = new AgentSession(sessionId, {});
    this.#session = session;
    this.#isLoading = true;
    try {
      const resumes = isGiven(this.#agent?.agentCapabilities?.sessionCapabilities?.resume);
      const opened = resumes
        ? await this.#wire.request("session/resume", params)
        : await this.#wire.request("session/load", params);
      const again = new AgentSession(sessionId, opened);
      again.adoptFrom(session, charged);
      this.#opening = Promise.resolve(this.#adopt(again, charged));
      this.#resumed = true;
    } finally {
      this.#isLoading = false;
    }
  }

  async #prompt(command: WorkerBound): Promise<void> {
    const { message = "", images = [] } = PromptCommand.parse(command);
    const session = await this.#open();
    const prompt = await promptBlocks(
      { message, images },
      this.#cwd,
      this.#agent?.agentCapabilities?.promptCapabilities ?? {},
    );
    this.#outlet.succeed(command, { started: true });
    this.#aborting = false;
    const content: ContentBlock[] = [
      ...(message === "" ? [] : [{ type: "text" as const, text: message }]),
      ...images.map(({ mime_type, data }) => ({
        type: "image" as const,
        mime_type,
        bytes: Buffer.byteLength(data, "base64"),
        data,
      })),
    ];
    const turn = new Turn(
      { emit: (...frames) => this.#outlet.frame(...frames), terminal: (id) => this.#terminals.text(id) },
      content,
    );
    this.#turn = turn;
    try {
      const { stopReason } = await this.#wire.request("session/prompt", { sessionId: session.id, prompt });
      const problem = problemOf(stopReason);
      this.#endTurn();
      if (problem !== undefined) turn.end("error", session.usage(), problem);
      else turn.end(this.#aborting ? "aborted" : stopOf(stopReason), session.usage());
    } catch (error) {
      this.#endTurn();
      if (this.#aborting) turn.end("aborted", session.usage());
      else turn.end("error", session.usage(), words(withLoginHint(error, this.#agent?.authMethods)));
    }
  }

  async #compact(command: WorkerBound): Promise<void> {
    this.#compaction = new Compaction();
    await this.#compaction.run(this.#wire, await this.#open(), this.#outlet, command);
    this.#compaction = undefined;
  }

  #endTurn(): void {
    this.#turn = undefined;
    this.#questions.withdrawAll();
  }

  async #abort(): Promise<void> {
    if (this.#session === undefined || (this.#turn ?? this.#compaction) === undefined) return;
    this.#aborting = true;
    this.#questions.withdrawAll();
    await this.#wire.cancel(this.#session.id);
  }

  #update(sessionId: string, update: SessionUpdate): void {
    if (sessionId !== this.#session?.id && this.#session !== undefined) return;
    const frames = this.#session?.take(update) ?? [];
    if (frames.length > 0) this.#outlet.frame(...frames.map((frame) => this.#withAbilities(frame)));
    if (this.#isLoading) return;
    if (update.sessionUpdate === "plan") return this.#outlet.frame(...planFrames(update));
    const text = TextChunk.safeParse(update).data?.content.text ?? "";
    if (update.sessionUpdate === "agent_message_chunk") this.#compaction?.hear(text);
    if (this.#turn === undefined) return; // between turns an agent has nothing to say that belongs to one
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#turn.text("text", text);
      case "agent_thought_chunk":
        return this.#turn.text("thinking", text);
      case "tool_call":
      case "tool_call_update": {
        const told = ToolTelling.safeParse(update);
        if (told.success) this.#turn.tool(told.data);
        return;
      }
      case "usage_update": {
        const costs = this.#session?.newCost() ?? [];
        if (costs.length > 0) this.#outlet.frame(...costs);
        return;
      }
      default: // an update of a newer agent
    }
  }

  /** Its commands decide whether it can compact. */
  #withAbilities(frame: OwnFrame): OwnFrame {
    if (frame.type !== "commands_changed" || this.#agent === undefined) return frame;
    return { ...frame, capabilities: abilitiesOf(this.#agent, this.#session?.compactCommand !== undefined) };
  }

  async #state(): Promise<object> {
    const session = await this.#open();
    return {
      provider: this.#provider,
      model: session.model ?? "default",
      cwd: this.#cwd,
      message_count: 0,
      busy: this.#turn !== undefined,
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
    };
  }
}
