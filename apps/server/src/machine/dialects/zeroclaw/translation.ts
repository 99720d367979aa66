// Our commands as calls of zeroclaw's daemon (protocols as its socket really speaks: snake_case), and its updates as
// frames of ours. While a turn runs nothing is called that waits for its end: that would keep us from stopping it.
import { setTimeout as delay } from "node:timers/promises";
import { PromptCommand } from "@patchbay/protocol";
import { planFrames } from "../acp/turn/plan.ts";
import type { DialectHost, Translation, WorkerBound } from "../dialect.ts";
import { Outlet } from "../frame-output.ts";
import { approvalQuestion, decisionOf } from "./approvals.ts";
import { accountOf } from "./daemon-costs.ts";
import { DaemonSession } from "./daemon-session.ts";
import { DaemonTurn } from "./daemon-turn.ts";
import { RpcClient } from "./rpc-client.ts";
import { Update } from "./schemas.ts";
import { TurnCosts } from "./turn-costs.ts";
import { trimmedNotice } from "./updates.ts";

const lost = "The connection to the daemon broke; what it said meanwhile is not known.";
/** A turn that is cancelled is mostly over at once, and may take 5 s; a stop does not wait for that. */
const unwindMs = 1_000;

export class ZeroclawTranslation implements Translation {
  readonly #cwd: string;
  readonly #model: string | undefined;
  readonly #outlet: Outlet;
  readonly #rpc: RpcClient;
  readonly #session: DaemonSession;
  #turn: DaemonTurn | undefined;
  readonly #asked = new Set<string>();

  constructor({ cwd, model, send, emit }: DialectHost) {
    this.#cwd = cwd;
    this.#model = model;
    this.#outlet = new Outlet(emit);
    this.#rpc = new RpcClient(
      send,
      (method, params) => this.#notified(method, params),
      (line) => this.#outlet.noise(line),
    );
    this.#session = new DaemonSession({ rpc: this.#rpc, cwd, told: (frame) => this.#outlet.frame(frame) });
  }

  fromWorker(run: Uint8Array): void {
    this.#rpc.receive(run);
  }

  toWorker(command: WorkerBound): void {
    if (command.type === "extension_ui_response") {
      this.#decide(String(command["id"]), command["value"]);
      return;
    }
    this.#obey(command).catch((error: unknown) => this.#outlet.refuse(command, words(error)));
  }

  /** Otherwise the turn would go on, and the session be one of the daemon's 64, for ever. */
  async closeRemote(): Promise<void> {
    const turn = this.#turn;
    turn?.leave();
    try {
      if (turn !== undefined) {
        await this.#cancel(turn);
        await Promise.race([turn.over, delay(unwindMs, undefined, { ref: false })]);
      }
      await this.#session.close(); // the daemon waits with it until the turn is over, whether we are still there or not
      await turn?.over;
    } catch (error) {
      this.#outlet.noise(words(error));
    }
  }

  close(): void {
    this.#rpc.failAll("The daemon is gone.");
    this.#turn?.close();
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
      case "abort":
        if (this.#turn !== undefined) await this.#cancel(this.#turn);
        return answer();
      case "restore_settings":
        this.#session.recall(command["settings"]);
        return answer();
      case "restore":
        if (this.#session.id !== undefined) await this.#session.open();
        if (this.#session.remembers) return answer();
        return this.#outlet.refuse(command, "The daemon no longer knows that session.");
      case "get_state":
        return answer(this.#state());
      case "get_models":
        return answer({ models: this.#session.agents.models() });
      case "set_model":
        this.#refuseWhileBusy();
        await this.#session.choose(String(command["model"]));
        return answer({ model: this.#session.agents.chosen, provider: "zeroclaw" });
      case "clear":
        this.#refuseWhileBusy();
        await this.#session.forget();
        return answer();
      default:
        return this.#outlet.refuse(command, `zeroclaw has no command "${command.type}".`);
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
    const call = this.#rpc.prepare("session/prompt", {
      session_id,
      prompt: message,
      ...(attachments.length === 0 ? {} : { attachments }),
    });
    this.#session.use();
    this.#outlet.succeed(command, { started: true });
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
      () => turn.finish("end"), // `turn_complete` comes before; this is for a daemon that forgot it
      (error: unknown) => turn.finish("error", words(error)),
    );
  }

  #beginTurn(content: ConstructorParameters<typeof DaemonTurn>[1]): DaemonTurn {
    const emit = this.#outlet.frame.bind(this.#outlet);
    const costs = new TurnCosts(this.#rpc, accountOf(this.#session.pid), emit);
    this.#turn = new DaemonTurn({ emit, costs, ended: () => this.#ended() }, content);
    return this.#turn;
  }

  #ended(): void {
    this.#turn = undefined;
    for (const id of this.#asked)
      this.#outlet.frame({
        type: "extension_ui_request",
        id: `${id}-cancel`,
        method: "cancel",
        targetId: id,
      });
    this.#asked.clear();
  }

  #cancel(turn: DaemonTurn): Promise<void> {
    return this.#session.cancel(() => !turn.isRunning, turn.over);
  }

  #decide(request_id: string, value: unknown): void {
    const session_id = this.#session.id;
    if (!this.#asked.delete(request_id) || session_id === undefined) return;
    const decision = { session_id, request_id, decision: decisionOf(value) };
    // The daemon acknowledges everything; a broken connection shows elsewhere.
    this.#rpc.call("session/approve", decision).catch((error: unknown) => this.#outlet.noise(words(error)));
  }

  #notified(method: string, params: unknown): void {
    if (method === reconnectedMethod) return this.#reconnected();
    const { data } = Update.safeParse(params);
    if (method !== "session/update" || data === undefined || data.session_id !== this.#session.id) return;
    switch (data.type) {
      case "plan":
        return this.#outlet.frame(...planFrames(data));
      case "history_trimmed":
        return this.#outlet.frame(...trimmedNotice(data));
      case "approval_request":
        return this.#askPerson(data);
      default:
        this.#turn?.update(data);
    }
  }

  #askPerson(update: Update): void {
    const question = this.#turn?.isRunning ? approvalQuestion(update) : undefined;
    if (question === undefined) return;
    this.#asked.add(String(question["id"]));
    this.#outlet.frame(question);
  }

  /** What a turn did until now is not known, and what it would do is stopped. */
  #reconnected(): void {
    const leftTurn = this.#turn?.isRunning ?? false;
    this.#rpc.failAll(lost);
    this.#session.comeBack(leftTurn).catch((error: unknown) => this.#outlet.noise(words(error)));
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

/** What worker-socket.ts says when the connection stands again. */
const reconnectedMethod = "$/reconnected";
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
