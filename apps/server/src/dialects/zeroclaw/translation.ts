// Our commands as calls of zeroclaw's daemon (protocols as its socket really speaks: snake_case), and its updates as
// frames of ours. Nothing but `session/cancel` and `session/approve` is called while a turn runs: others would block it.
import { PromptCommand } from "@patchbay/protocol";
import { Outlet, type OwnFrame } from "../acp/outlet.ts";
import { planFrames } from "../acp/plan.ts";
import { Turn } from "../acp/turn.ts";
import type { Sides, Translation, WorkerBound } from "../dialect.ts";
import { DaemonAgents } from "./agents.ts";
import { Finished, Hello, Opened, SavedSettings, Update } from "./answers.ts";
import { approvalQuestion, decisionOf } from "./approvals.ts";
import { chargedTime } from "./charged-time.ts";
import { DaemonError, RpcClient } from "./rpc-client.ts";
import { tellTurn } from "./tell-turn.ts";
import { TurnCosts } from "./turn-costs.ts";

type Stop = "end" | "aborted" | "error";

const lost = "The connection to the daemon broke; what it said meanwhile is not known.";

export class ZeroclawTranslation implements Translation {
  readonly #cwd: string;
  readonly #outlet: Outlet;
  readonly #rpc: RpcClient;
  #identity: Hello | undefined;
  readonly #agents = new DaemonAgents();
  #opening: Promise<string> | undefined;
  /** The daemon's session; one from before a restart is taken up again. */
  #session: string | undefined;
  #remembers = false;
  #turn: Turn | undefined;
  #costs: TurnCosts | undefined;
  /** `turn_complete` has come; what the turn cost is being asked for. */
  #settling = false;
  #hasSpoken = false;
  readonly #asked = new Set<string>();

  constructor({ cwd, send, emit }: Sides) {
    this.#cwd = cwd;
    this.#outlet = new Outlet(emit);
    this.#rpc = new RpcClient(
      send,
      (method, params) => this.#notified(method, params),
      (line) => this.#outlet.noise(line),
    );
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

  close(): void {
    this.#rpc.failAll("The daemon is gone.");
    this.#costs?.close();
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
        await this.#abort();
        return answer();
      case "restore_settings":
        this.#session = SavedSettings.parse(command["settings"]).agent_session;
        return answer();
      case "restore":
        if (this.#session !== undefined) await this.#open();
        if (this.#remembers) return answer();
        return this.#outlet.refuse(command, "The daemon no longer knows that session.");
      case "get_state":
        return answer(this.#state());
      case "get_models":
        return answer({ models: this.#agents.models() });
      case "set_model":
        return answer(this.#choose(String(command["model"])));
      case "clear":
        this.#refuseWhileBusy();
        this.#forget();
        return answer();
      default:
        return this.#outlet.refuse(command, `zeroclaw has no command "${command.type}".`);
    }
  }

  async #hello(): Promise<object> {
    await this.#initialize();
    this.#agents.take(await this.#rpc.call("agents/list", {}));
    return {
      protocol_version: 1,
      version: this.#identity?.server_version ?? "",
      provider: "zeroclaw",
      model: this.#agents.chosen,
      capabilities: ["thinking", "images", "set_model", "restore", "settings"],
    };
  }

  /** With the identity of the last time, or a turn of ours could not be cancelled. */
  async #initialize(): Promise<void> {
    const { tui_id, tui_sig } = this.#identity ?? {};
    const known = {
      ...(tui_id === undefined ? {} : { tui_id }),
      ...(tui_sig === undefined ? {} : { tui_sig }),
    };
    this.#identity = Hello.parse(
      await this.#rpc.call("initialize", { protocol_version: 1, env: {}, ...known }),
    );
  }

  #open(): Promise<string> {
    this.#opening ??= this.#openSession().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openSession(): Promise<string> {
    const wanted = this.#session;
    const opened = Opened.parse(
      await this.#rpc.call("session/new", {
        agent_alias: this.#agents.chosen,
        cwd: this.#cwd,
        chat_mode: "acp",
        keep_siblings: true,
        tui_id: this.#identity?.tui_id,
        ...(wanted === undefined ? {} : { session_id: wanted }),
      }),
    );
    this.#remembers = wanted === opened.session_id && opened.message_count > 0;
    this.#session = opened.session_id;
    if (wanted !== opened.session_id)
      this.#outlet.frame({ type: "settings", agent_session: opened.session_id });
    return opened.session_id;
  }

  async #prompt(command: WorkerBound): Promise<void> {
    const { message = "", images = [] } = PromptCommand.parse(command);
    const session_id = await this.#open();
    this.#outlet.succeed(command, { started: true });
    this.#hasSpoken = false;
    const turn = new Turn({ emit: (...frames) => this.#outlet.frame(...frames), terminal: () => "" }, [
      { type: "text", text: message },
      ...images.map(({ mime_type, data }) => ({
        type: "image" as const,
        mime_type,
        bytes: Buffer.byteLength(data, "base64"),
        data,
      })),
    ]);
    this.#turn = turn;
    this.#costs = new TurnCosts(this.#rpc, chargedTime(this.#identity?.server_pid ?? 0));
    this.#settling = false;
    const attachments = images.map(({ mime_type, data }) => ({
      mime_type,
      data_b64: data,
      source: "clipboard",
    }));
    try {
      await this.#rpc.call("session/prompt", {
        session_id,
        prompt: message,
        ...(attachments.length === 0 ? {} : { attachments }),
      });
      if (this.#turn === turn && !this.#settling) this.#end("end"); // `turn_complete` comes before; this is for a daemon that forgot it
    } catch (error) {
      if (this.#turn === turn && !this.#settling) this.#end("error", words(error));
    }
  }

  /** The daemon is free again, so that it can be asked for the costs. */
  async #settle(turn: Turn, stop: Stop, error?: string): Promise<void> {
    this.#settling = true;
    const usage = (await this.#costs?.settle()) ?? [];
    if (this.#turn === turn) this.#end(stop, error, usage);
  }

  #end(stop: Stop, error?: string, usage: readonly OwnFrame[] = []): void {
    const turn = this.#turn;
    this.#turn = undefined;
    this.#costs?.close();
    for (const id of this.#asked)
      this.#outlet.frame({
        type: "extension_ui_request",
        id: `${id}-cancel`,
        method: "cancel",
        targetId: id,
      });
    this.#asked.clear();
    turn?.end(stop, usage, error);
  }

  async #abort(): Promise<void> {
    if (this.#turn === undefined || this.#session === undefined) return;
    try {
      await this.#rpc.call("session/cancel", { session_id: this.#session });
    } catch (error) {
      if (!(error instanceof DaemonError && error.code === noActiveTurn)) throw error; // it ended by itself
    }
  }

  #decide(request_id: string, value: unknown): void {
    if (!this.#asked.delete(request_id) || this.#session === undefined) return;
    const decision = { session_id: this.#session, request_id, decision: decisionOf(value) };
    // The daemon acknowledges everything; a broken connection shows elsewhere.
    this.#rpc.call("session/approve", decision).catch((error: unknown) => this.#outlet.noise(words(error)));
  }

  #notified(method: string, params: unknown): void {
    if (method === reconnectedMethod) return this.#reconnected();
    const { data } = Update.safeParse(params);
    if (method !== "session/update" || data === undefined || data.session_id !== this.#session) return;
    if (data.type === "plan") return this.#outlet.frame(...planFrames(data));
    if (this.#turn !== undefined) this.#update(this.#turn, data);
  }

  #update(turn: Turn, update: Update): void {
    if (update.type === "agent_message_chunk") this.#hasSpoken = true;
    switch (update.type) {
      case "approval_request": {
        const question = approvalQuestion(update);
        if (question === undefined) return;
        this.#asked.add(String(question["id"]));
        return this.#outlet.frame(question);
      }
      case "turn_complete": {
        const { outcome, content } = Finished.safeParse(update).data ?? { outcome: "failed", content: "" };
        if (outcome === "completed" && !this.#hasSpoken) turn.text("text", content);
        if (outcome === "cancelled")
          void this.#settle(turn, "aborted"); // never rejects
        else if (outcome === "completed") void this.#settle(turn, "end");
        else void this.#settle(turn, "error", content);
        return;
      }
      case "context_usage":
        return this.#costs?.note(update);
      default:
        return tellTurn(turn, update);
    }
  }

  /** Approvals go to whoever opened the session last, so it is opened again; a turn's output until then is lost. */
  #reconnected(): void {
    if (this.#turn !== undefined) this.#end("error", lost);
    this.#rpc.failAll(lost);
    this.#opening = undefined;
    this.#initialize()
      .then(() => (this.#session === undefined ? undefined : this.#open()))
      .catch((error: unknown) => this.#outlet.noise(words(error)));
  }

  #state(): object {
    return {
      provider: "zeroclaw",
      model: this.#agents.chosen,
      cwd: this.#cwd,
      message_count: 0,
      busy: this.#turn !== undefined,
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
    };
  }

  /** Its agents are what can be chosen; another one begins a session of its own. */
  #choose(wish: string): object {
    this.#refuseWhileBusy();
    if (this.#agents.choose(wish)) this.#forget();
    return { model: this.#agents.chosen, provider: "zeroclaw" };
  }

  #refuseWhileBusy(): void {
    if (this.#turn !== undefined) throw new Error("A turn is running. Stop it first.");
  }

  #forget(): void {
    this.#opening = undefined;
    this.#session = undefined;
  }
}

const noActiveTurn = -32000;
/** What worker-socket.ts says when the connection stands again. */
const reconnectedMethod = "$/reconnected";
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
