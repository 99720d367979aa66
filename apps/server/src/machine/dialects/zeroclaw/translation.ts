// Translates commands to calls of zeroclaw's daemon (snake_case, as its socket really accepts them) and its updates to frames.
// While a turn runs, no call is made that the daemon answers only at the turn's end: a cancel would wait behind it.
import { setTimeout as delay } from "node:timers/promises";
import { PromptCommand } from "@patchbay/protocol";
import { planFrames } from "../acp/turn/plan.ts";
import type { DialectHost, DialectTranslation, WorkerBound } from "../dialect.ts";
import { FrameWriter } from "../frame-writer.ts";
import { approvalQuestion, decisionOf } from "./approvals.ts";
import { daemonCosts } from "./daemon-costs.ts";
import { DaemonSession } from "./daemon-session.ts";
import { DaemonTurn } from "./daemon-turn.ts";
import { DaemonClient } from "./rpc-client.ts";
import { DaemonUpdate } from "./schemas.ts";
import { DaemonTurnCosts } from "./turn-costs.ts";
import { trimmedNotice } from "./updates.ts";

const lost = "The connection to the daemon was lost. Output in the meantime is missing.";
/** A cancelled turn mostly ends at once but may take 5 s. A stop waits no longer than this. */
const cancelWaitMs = 1_000;

export class ZeroclawTranslation implements DialectTranslation {
  readonly #cwd: string;
  readonly #model: string | undefined;
  readonly #out: FrameWriter;
  readonly #client: DaemonClient;
  readonly #session: DaemonSession;
  #turn: DaemonTurn | undefined;
  readonly #openApprovals = new Set<string>();

  constructor({ cwd, model, send, emit }: DialectHost) {
    this.#cwd = cwd;
    this.#model = model;
    this.#out = new FrameWriter(emit);
    this.#client = new DaemonClient(
      send,
      (method, params) => this.#receive(method, params),
      (line) => this.#out.noise(line),
    );
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
    if (command.type === "extension_ui_response") {
      this.#decide(String(command["id"]), command["value"]);
      return;
    }
    this.#run(command).catch((error: unknown) => this.#out.respond(command, { error: messageOf(error) }));
  }

  /** Without it the turn would go on, and the session would count towards the daemon's 64 for ever. */
  async closeRemote(): Promise<void> {
    const turn = this.#turn;
    turn?.abandon();
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
    this.#client.failAll("The daemon has stopped.");
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
      capabilities: ["thinking", "images", "set_model", "restore", "settings"],
    };
  }

  async #prompt(command: WorkerBound): Promise<void> {
    const { message = "", images = [] } = PromptCommand.parse(command);
    const session_id = await this.#session.open();
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

  #beginTurn(content: ConstructorParameters<typeof DaemonTurn>[1]): DaemonTurn {
    const emit = this.#out.frame.bind(this.#out);
    const costs = new DaemonTurnCosts(this.#client, daemonCosts(this.#session.pid), emit);
    this.#turn = new DaemonTurn({ emit, costs, onEnd: () => this.#endTurn() }, content);
    return this.#turn;
  }

  #endTurn(): void {
    this.#turn = undefined;
    for (const id of this.#openApprovals)
      this.#out.frame({
        type: "extension_ui_request",
        id: `${id}-cancel`,
        method: "cancel",
        targetId: id,
      });
    this.#openApprovals.clear();
  }

  #cancel(turn: DaemonTurn): Promise<void> {
    return this.#session.cancel(() => !turn.isRunning, turn.over);
  }

  #decide(request_id: string, value: unknown): void {
    const session_id = this.#session.id;
    if (!this.#openApprovals.delete(request_id) || session_id === undefined) return;
    const decision = { session_id, request_id, decision: decisionOf(value) };
    // The daemon acknowledges every decision; a broken connection is handled in `#reconnected`.
    this.#client
      .call("session/approve", decision)
      .catch((error: unknown) => this.#out.noise(messageOf(error)));
  }

  #receive(method: string, params: unknown): void {
    if (method === reconnectedMethod) return this.#reconnected();
    const { data } = DaemonUpdate.safeParse(params);
    if (method !== "session/update" || data === undefined || data.session_id !== this.#session.id) return;
    switch (data.type) {
      case "plan":
        return this.#out.frame(...planFrames(data));
      case "history_trimmed":
        return this.#out.frame(...trimmedNotice(data));
      case "approval_request":
        return this.#askPerson(data);
      default:
        this.#turn?.update(data);
    }
  }

  #askPerson(update: DaemonUpdate): void {
    const question = this.#turn?.isRunning ? approvalQuestion(update) : undefined;
    if (question === undefined) return;
    this.#openApprovals.add(String(question["id"]));
    this.#out.frame(question);
  }

  /** The updates of the meantime are lost, so a running turn is ended with an error and cancelled at the daemon. */
  #reconnected(): void {
    const turnWasRunning = this.#turn?.isRunning ?? false;
    this.#client.failAll(lost);
    this.#session.reconnect(turnWasRunning).catch((error: unknown) => this.#out.noise(messageOf(error)));
    this.#turn?.cut(lost);
  }

  #state(): object {
    return {
      provider: "zeroclaw",
      model: this.#session.agents.chosen,
      cwd: this.#cwd,
      message_count: 0,
      busy: this.#turn !== undefined,
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
    };
  }

  #refuseWhileBusy(): void {
    if (this.#turn !== undefined) throw new Error("A turn is running. Stop it first.");
  }
}

/** The notification that worker-socket.ts inserts after it has reconnected. */
const reconnectedMethod = "$/reconnected";
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
