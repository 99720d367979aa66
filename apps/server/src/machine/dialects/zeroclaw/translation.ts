// Translates commands to calls of zeroclaw's daemon (snake_case, as its socket really accepts them) and its updates to frames.
// While a turn runs, no call is made that the daemon answers only at the turn's end: a cancel would wait behind it.
import { setTimeout as delay } from "node:timers/promises";
import { PromptCommand } from "@patchbay/protocol";
import { AgentQuestions } from "../acp/requests/questions.ts";
import { planFrames } from "../acp/turn/plan.ts";
import type { DialectHost, DialectTranslation, WorkerBound } from "../dialect.ts";
import { FrameWriter } from "../frame-writer.ts";
import { approvalQuestion, decisionFor, readApprovalRequest } from "./approvals.ts";
import { daemonCosts } from "./daemon-costs.ts";
import { DaemonSession } from "./daemon-session.ts";
import { DaemonTurn } from "./daemon-turn.ts";
import { answerElicitation, readElicitation } from "./elicitation.ts";
import { failureCause } from "./failure-cause.ts";
import { DaemonClient } from "./rpc-client.ts";
import { DaemonUpdate } from "./schemas.ts";
import { DaemonTurnCosts } from "./turn-costs.ts";
import { trimmedNotice } from "./updates.ts";

const lost = "The connection to the daemon was lost. Output in the meantime is missing.";
const gone = "The daemon does not answer at its socket. Start it, then send the prompt again.";
/** A cancelled turn mostly ends at once but may take 5 s. A stop waits no longer than this. */
const cancelWaitMs = 1_000;

export const daemonCapabilities = ["thinking", "images", "set_model", "restore", "settings"];

export class ZeroclawTranslation implements DialectTranslation {
  readonly #cwd: string;
  readonly #model: string | undefined;
  readonly #out: FrameWriter;
  readonly #client: DaemonClient;
  readonly #session: DaemonSession;
  #turn: DaemonTurn | undefined;
  readonly #openApprovals = new Set<string>();
  readonly #questions: AgentQuestions;
  /** Withdraws the questions of the running turn. */
  #asking = new AbortController();
  /** A turn was running when the connection broke. */
  #turnWasRunning = false;
  /** Prompts that came while the connection was broken. Undefined: there is a connection. */
  #held: WorkerBound[] | undefined;

  constructor({ cwd, model, send, emit }: DialectHost) {
    this.#cwd = cwd;
    this.#model = model;
    this.#out = new FrameWriter(emit);
    this.#questions = new AgentQuestions((frame) => this.#out.frame(frame));
    this.#client = new DaemonClient({
      send,
      onNotification: (method, params) => this.#receive(method, params),
      onCall: (method, params) => this.#called(method, params),
      onNoise: (line) => this.#out.noise(line),
    });
    this.#session = new DaemonSession({
      client: this.#client,
      cwd,
      emit: (frame) => this.#out.frame(frame),
    });
  }

  fromWorker(run: Uint8Array): void {
    this.#client.receive(run);
  }

  toWorker(command: WorkerBound): void {
    if (command.type === "extension_ui_response") return this.#answered(command);
    if (command.type === "prompt" && this.#held !== undefined) {
      this.#held.push(command);
      return;
    }
    this.#run(command).catch((error: unknown) => this.#out.respond(command, { error: messageOf(error) }));
  }

  /** Without it the turn would go on, and the session would count towards the daemon's 64 for ever. */
  async closeRemote(): Promise<void> {
    const turn = this.#turn;
    turn?.abandon();
    this.#refuseHeld(gone);
    try {
      if (turn !== undefined) {
        await this.#cancel(turn);
        await Promise.race([turn.over, delay(cancelWaitMs, undefined, { ref: false })]);
      }
      await this.#session.close(); // the daemon closes it when the turn is over, also after the connection has ended
      await turn?.over;
    } catch (error) {
      this.#out.noise(messageOf(error));
    }
  }

  close(): void {
    this.#client.breakOff("The daemon has stopped.");
    this.#asking.abort();
    this.#turn?.close();
  }

  async #run(command: WorkerBound): Promise<void> {
    const succeed = (data?: object) => this.#out.respond(command, { data });
    switch (command.type) {
      case "hello":
        return succeed(await this.#hello());
      case "ping":
        return succeed({ pong: true });
      case "prompt":
        return this.#prompt(command);
      case "abort":
        this.#refuseHeld("It was stopped before the daemon could be reached.");
        if (this.#turn !== undefined) await this.#cancel(this.#turn);
        return succeed();
      case "restore_settings":
        this.#session.restore(command["settings"]);
        return succeed();
      case "restore":
        if (this.#session.id !== undefined) await this.#session.open();
        if (this.#session.hasMemory) return succeed();
        return this.#out.respond(command, { error: "The daemon no longer knows this session." });
      case "get_state":
        return succeed(this.#state());
      case "get_models":
        return succeed({ models: this.#session.agents.models() });
      case "set_model":
        this.#refuseWhileBusy();
        await this.#session.choose(String(command["model"]));
        return succeed({ model: this.#session.agents.chosen, provider: "zeroclaw" });
      case "clear":
        this.#refuseWhileBusy();
        await this.#session.reset();
        return succeed();
      default:
        return this.#out.respond(command, { error: `zeroclaw has no command "${command.type}".` });
    }
  }

  async #hello(): Promise<object> {
    const { server_version } = await this.#session.greet(this.#model);
    return {
      protocol_version: 1,
      version: server_version,
      provider: "zeroclaw",
      model: this.#session.agents.chosen,
      capabilities: daemonCapabilities,
    };
  }

  async #prompt(command: WorkerBound): Promise<void> {
    const { message = "", images = [] } = PromptCommand.parse(command);
    const session_id = await this.#openAlive();
    if (session_id === undefined) return void this.#held?.push(command);
    const attachments = images.map(({ mime_type, data }) => ({
      mime_type,
      data_b64: data,
      source: "clipboard",
    }));
    const call = this.#client.prepare("session/prompt", {
      session_id,
      prompt: message,
      ...(attachments.length === 0 ? {} : { attachments }),
    });
    this.#session.markUsed();
    this.#out.respond(command, { data: { started: true } });
    const turn = this.#beginTurn([
      { type: "text", text: message },
      ...images.map(({ mime_type, data }) => ({
        type: "image" as const,
        mime_type,
        bytes: Buffer.byteLength(data, "base64"),
        data,
      })),
    ]);
    await call().then(
      () => turn.finish("end"), // normally `turn_complete` has come before; this covers a daemon that leaves it out
      (error: unknown) => turn.finish("error", messageOf(error)),
    );
  }

  /** Opens the session and makes sure that the daemon still reads: one that has just ended is known by that. Undefined: it has. */
  async #openAlive(): Promise<string | undefined> {
    try {
      const session_id = await this.#session.open();
      await this.#client.probe();
      return session_id;
    } catch (error) {
      if (this.#held === undefined) throw error;
      return undefined;
    }
  }

  #beginTurn(content: ConstructorParameters<typeof DaemonTurn>[1]): DaemonTurn {
    const emit = this.#out.frame.bind(this.#out);
    const costs = new DaemonTurnCosts(this.#client, daemonCosts(this.#session.pid), emit);
    this.#asking = new AbortController();
    this.#turn = new DaemonTurn(
      {
        emit,
        costs,
        explain: (sentence, since) =>
          failureCause(this.#client, { sentence, session: this.#session.id, since }),
        onEnd: () => this.#endTurn(),
      },
      content,
    );
    return this.#turn;
  }

  #endTurn(): void {
    this.#turn = undefined;
    this.#asking.abort();
    for (const id of this.#openApprovals)
      this.#out.frame({
        type: "extension_ui_request",
        id: `${id}-cancel`,
        method: "cancel",
        targetId: id,
      });
    this.#openApprovals.clear();
  }

  /** The daemon waits for an open approval for 5 s before it ends the turn, so it is rejected at once. */
  async #cancel(turn: DaemonTurn): Promise<void> {
    turn.isCancelled = true;
    await this.#session.cancel(() => !turn.isRunning, turn.over);
    this.#asking.abort();
    for (const id of this.#openApprovals) this.#decide(id, { value: "reject" });
  }

  #answered(response: WorkerBound): void {
    const id = String(response["id"]);
    if (!this.#openApprovals.delete(id)) return this.#questions.answer(response);
    this.#decide(id, response);
  }

  #decide(request_id: string, response: Record<string, unknown>): void {
    const session_id = this.#session.id;
    if (session_id === undefined) return;
    // The daemon acknowledges every decision; a broken connection is handled in `#disconnected`.
    this.#client
      .call("session/approve", { session_id, request_id, ...decisionFor(response) })
      .catch((error: unknown) => this.#out.noise(messageOf(error)));
  }

  #called(method: string, params: unknown): Promise<object> | undefined {
    if (method !== "elicitation/create") return undefined;
    const request = readElicitation(params, this.#session.id);
    const isAsked = request !== undefined && this.#turn?.isRunning === true && !this.#turn.isCancelled;
    if (!isAsked) return Promise.resolve({ action: "cancel" });
    return answerElicitation(this.#questions.withSignal(this.#asking.signal), request);
  }

  #receive(method: string, params: unknown): void {
    if (method === connectionMethods.disconnected) return this.#disconnected();
    if (method === connectionMethods.reconnected) return this.#reconnected();
    if (method === connectionMethods.gone) return this.#gone();
    const { data } = DaemonUpdate.safeParse(params);
    if (method !== "session/update" || data === undefined || data.session_id !== this.#session.id) return;
    switch (data.type) {
      case "plan":
        return this.#out.frame(...planFrames(data));
      case "history_trimmed":
        return this.#out.frame(...trimmedNotice(data));
      case "approval_request":
        return this.#askPerson(data);
      case "context_usage":
        this.#session.agents.contextWindow = Number(data["max_context_tokens"] ?? 0);
        this.#turn?.update(data);
        return;
      case "tool_result":
        // It has its answer, or its time is up, which the daemon does not tell.
        if (asksPerson.has(String(data["name"]))) this.#questions.withdrawAll();
        this.#turn?.update(data);
        return;
      default:
        this.#turn?.update(data);
    }
  }

  #askPerson(update: DaemonUpdate): void {
    const turn = this.#turn;
    const request = turn?.isRunning ? readApprovalRequest(update) : undefined;
    if (turn === undefined || request === undefined) return;
    if (turn.isCancelled) return this.#decide(request.request_id, { value: "reject" });
    this.#openApprovals.add(request.request_id);
    turn.asks(request);
    this.#out.frame(approvalQuestion(request));
  }

  /** The updates until the connection is back are lost, so a running turn is ended with an error. Prompts are held. */
  #disconnected(): void {
    this.#held ??= [];
    this.#turnWasRunning ||= this.#turn?.isRunning ?? false;
    this.#client.breakOff(lost);
    this.#turn?.cut(lost);
  }

  /** The turn that was cut may still run at the daemon, and is cancelled there. */
  #reconnected(): void {
    const held = this.#held ?? [];
    const turnWasRunning = this.#turnWasRunning;
    this.#held = undefined;
    this.#turnWasRunning = false;
    this.#client.reconnected();
    this.#session.reconnect(turnWasRunning).catch((error: unknown) => this.#out.noise(messageOf(error)));
    for (const command of held) this.toWorker(command);
  }

  /** All attempts to connect failed: the worker is over. A held prompt was never sent, which its response says. */
  #gone(): void {
    this.#refuseHeld(gone);
  }

  #refuseHeld(error: string): void {
    for (const command of this.#held?.splice(0) ?? []) this.#out.respond(command, { error });
  }

  #state(): object {
    return {
      provider: "zeroclaw",
      model: this.#session.agents.chosen,
      cwd: this.#cwd,
      message_count: 0,
      busy: this.#turn !== undefined,
      ...(this.#session.agents.contextWindow > 0
        ? { context_window: this.#session.agents.contextWindow }
        : {}),
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
    };
  }

  #refuseWhileBusy(): void {
    if (this.#turn !== undefined) throw new Error("A turn is running. Stop it first.");
  }
}

/** The notifications that worker-socket.ts inserts. */
const connectionMethods = {
  disconnected: "$/disconnected",
  reconnected: "$/reconnected",
  gone: "$/gone",
} as const;
/** The daemon's tools that ask a person by `elicitation/create`. */
const asksPerson: ReadonlySet<string> = new Set(["ask_user", "poll"]);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
