// A zeroclaw daemon that follows protocols/zeroclaw.md to the letter, scripted: strict snake_case, calls one at a time but
// for prompts, `turn_complete` before the answer, cancel for owners only. One behaviour per prompt.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { type Outcome, play } from "./zeroclaw-player.ts";

type Params = Record<string, unknown>;
type Reply = { result: object } | { error: { code: number; message: string } };

interface DaemonSession {
  owner: string;
  alias: string;
  /** Who gets its approvals: the connection that opened it last. */
  opener: Socket;
  messages: string[];
  cancel: (() => void) | undefined;
  approvals: Map<string, (decision: string) => void>;
}

const key = randomBytes(32);
const sign = (id: string): string => createHmac("sha256", key).update(id).digest("hex");
const fail = (code: number, message: string): Reply => ({ error: { code, message } });

export class ZeroclawDaemon implements AsyncDisposable {
  readonly path: string;
  readonly sessions = new Map<string, DaemonSession>();
  /** Every call, in order. */
  readonly calls: { method: string; params: Params }[] = [];
  tracksCosts = true;
  /** When turns were over. */
  readonly spent: number[] = [];
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(path: string) {
    this.path = path;
  }

  static async at(path: string): Promise<ZeroclawDaemon> {
    const daemon = new ZeroclawDaemon(path);
    await daemon.listen();
    return daemon;
  }

  async listen(): Promise<void> {
    this.#server = createServer((socket) => this.#serve(socket));
    await new Promise<void>((resolve) => this.#server?.listen(this.path, resolve));
  }

  /** Cuts every connection; whoever wants to may come back at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.cut();
    await closed;
    rmSync(this.path, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {}); // `close` tells
    socket.once("close", () => this.#sockets.delete(socket));
    const peer = { identity: "" };
    let rest = "";
    let turn = Promise.resolve();
    socket.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + String(text)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) turn = turn.then(() => this.#line(socket, peer, line));
    });
  }

  async #line(socket: Socket, peer: { identity: string }, line: string): Promise<void> {
    const { id, method, params } = JSON.parse(line) as { id: unknown; method: string; params: Params };
    this.calls.push({ method, params });
    const reply = (answer: Reply) => {
      if (id !== undefined) write(socket, { jsonrpc: "2.0", ...answer, id });
    };
    if (method !== "initialize" && peer.identity === "")
      return reply(fail(-32010, "First call must be 'initialize'"));
    if (method === "session/prompt")
      void this.#prompt(socket, params).then(reply); // spawned, as it is there
    else reply(this.#answer(method, params, socket, peer));
  }

  #answer(method: string, params: Params, socket: Socket, peer: { identity: string }): Reply {
    const session = this.sessions.get(String(params["session_id"]));
    switch (method) {
      case "initialize": {
        if ((params["protocol_version"] ?? 1) !== 1) return fail(-32011, "Protocol version mismatch");
        const claimed = textOf(params["tui_id"]);
        if (claimed !== undefined && params["tui_sig"] !== sign(claimed))
          return fail(-32010, "Invalid TUI signature");
        peer.identity = claimed === undefined ? `tui_${randomBytes(4).toString("hex")}` : claimed;
        const identity = { tui_id: peer.identity, tui_sig: sign(peer.identity) };
        return { result: { protocol_version: 1, server_version: "0.8.4", server_pid: 1, ...identity } };
      }
      case "agents/list":
        return {
          result: {
            agents: [
              { alias: "off", enabled: false, channels: [] },
              { alias: "coder", enabled: true, channels: [] },
              { alias: "writer", enabled: true, channels: [] },
            ],
          },
        };
      case "cost/query":
        return this.tracksCosts ? { result: this.#costs(params) } : fail(-32603, "Cost tracking is disabled");
      case "session/new":
        return this.#newSession(params, socket, peer.identity);
      case "session/cancel":
        if (session?.owner !== peer.identity) return fail(-32003, "Session not owned");
        if (session.cancel === undefined) return fail(-32000, "No active turn for this session");
        session.cancel();
        return { result: { session_id: params["session_id"], cancelled: true } };
      case "session/approve":
        session?.approvals.get(String(params["request_id"]))?.(String(params["decision"]));
        return {
          result: { session_id: params["session_id"], request_id: params["request_id"], acknowledged: true },
        };
      default:
        return fail(-32601, `Unknown method: ${method}`);
    }
  }

  /** What was spent in the window, by whichever session: each turn costs the same. */
  #costs({ from, to }: Params): object {
    const from_ms = Date.parse(String(from));
    const turns = this.spent.filter((at) => at >= from_ms && at <= Date.parse(String(to))).length;
    const told = { cost_usd: turns * 0.002, output_tokens: turns * 10 };
    return { session_cost_usd: told.cost_usd, total_tokens: turns * 110, by_model: { fake: told } };
  }

  #newSession(params: Params, socket: Socket, owner: string): Reply {
    const alias = params["agent_alias"];
    if (typeof alias !== "string") return fail(-32602, "missing field agent_alias");
    if (params["keep_siblings"] !== true)
      for (const [id, sibling] of this.sessions)
        if (sibling.owner === owner && sibling.cancel === undefined) this.sessions.delete(id);
    const id = textOf(params["session_id"]) ?? randomUUID();
    const messages = this.sessions.get(id)?.messages ?? [];
    this.sessions.set(id, {
      owner,
      alias,
      opener: socket,
      messages,
      cancel: undefined,
      approvals: new Map(),
    });
    const facts = { agent_alias: alias, message_count: messages.length, workspace_dir: params["cwd"] };
    return { result: { session_id: id, ...facts } };
  }

  async #prompt(socket: Socket, { session_id, prompt }: Params): Promise<Reply> {
    const session = this.sessions.get(String(session_id));
    if (session === undefined) return fail(-32000, "Session not found");
    const update = (type: string, fields: object, to = socket) =>
      write(to, { jsonrpc: "2.0", method: "session/update", params: { type, session_id, ...fields } });
    const cancelled = new Promise<"cancelled">((resolve) => {
      session.cancel = () => resolve("cancelled");
    });
    const [word = "", ...rest] = String(prompt).split(" ");
    const outcome = await act(word, rest.join(" "), session, update, cancelled);
    session.cancel = undefined;
    session.messages.push(String(prompt));
    this.spent.push(Date.now());
    update("turn_complete", outcome);
    return outcome.outcome === "failed" ? fail(-32603, outcome.content) : { result: {} };
  }
}

async function act(
  word: string,
  rest: string,
  session: DaemonSession,
  update: (type: string, fields: object, to?: Socket) => void,
  cancelled: Promise<"cancelled">,
): Promise<Outcome> {
  const say = (text: string) => update("agent_message_chunk", { text });
  if (word === "hang") {
    say("waiting");
    await cancelled;
    return { outcome: "cancelled", content: "turn cancelled via client_rpc in RPC_SESSION" };
  }
  const ask = async (timeout_secs: number): Promise<string> => {
    const request_id = randomUUID();
    const asked = { request_id, tool_name: "shell", arguments_summary: "command: make deploy", timeout_secs };
    update("approval_request", asked, session.opener);
    // Nobody is told that the time is up; the tool is then not run.
    const late = new Promise<string>((resolve) =>
      setTimeout(() => resolve("expired"), timeout_secs * 1000).unref(),
    );
    const decided = new Promise<string>((resolve) => session.approvals.set(request_id, resolve));
    return Promise.race([cancelled, late, decided]);
  };
  if (word === "play") return play(`play ${rest}`, { update, ask, cancelled });
  if (word === "fail") return { outcome: "failed", content: "turn failed: 401 wrong key" };
  if (word === "silent") return { outcome: "completed", content: rest };
  if (word === "ask") {
    const decision = await ask(120);
    if (decision === "cancelled") return { outcome: "cancelled", content: "turn cancelled" };
    update("tool_call", {
      tool_call_id: "t",
      name: "shell",
      raw_input: { command: "make deploy", approved: true },
    });
    update("tool_result", { tool_call_id: "t", name: "shell", raw_output: decision });
  }
  if (word === "recall") say(session.messages.join(", "));
  if (word === "say") {
    update("agent_thought_chunk", { text: "Hm." });
    say(rest);
  }
  update("context_usage", { input_tokens: 1200, max_context_tokens: 128_000 });
  update("plan", {
    entries: [{ content: "Look", status: "completed", priority: "high", activeForm: "Looking" }],
  });
  update("something_newer", { field: 1 });
  say(".");
  return { outcome: "completed", content: "." };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const write = (socket: Socket, message: object): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
};
