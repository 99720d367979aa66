// A scripted zeroclaw daemon that follows protocols/zeroclaw.md exactly: strict snake_case, one call at a time except prompts, lines
// of at most 8 MiB. Its sessions are in zeroclaw-sessions.ts, their turns in zeroclaw-turns.ts.
import { createHmac, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { LineSplitter, LineTooLongError, linesOf } from "@patchbay/protocol";
import { fail, type Params, type Reply, readLine, write } from "./zeroclaw-rpc.ts";
import { DaemonSessions } from "./zeroclaw-sessions.ts";

type Sign = (id: string) => string;

const aliases = ["coder", "writer"];
/** The length of a line with its newline. A peer that sends a longer one is disconnected without an error. */
const maxFrameBytes = 8 * 1024 * 1024;

interface Peer {
  socket: Socket;
  identity: string;
  /** It answers forms: `clientCapabilities.elicitation`. */
  canElicit: boolean;
}

export class ZeroclawDaemon implements AsyncDisposable {
  readonly path: string;
  /** Every call, in order. */
  readonly calls: { method: string; params: Params }[] = [];
  /** `<config_dir>/.secret_key`. Undefined: there is none, and every claimed identity is accepted. */
  key: Buffer | undefined = randomBytes(32);
  /** As in the tagged v0.8.4 and before: a response to a call of its own is no message to it. */
  understandsResponses = true;
  /** What its log has, newest first. */
  readonly log: object[] = [];
  tracksCosts = true;
  /** As before v0.8.4: reports the costs since its start for any request. */
  knowsWindows = true;
  /** Records a call only when the next one, or its turn, has ended. */
  booksLate = false;
  /** When calls ended. All cost the same. */
  readonly #spent: number[] = [];
  #unbooked = 0;
  readonly all = new DaemonSessions({
    called: () => this.#called(),
    ended: () => this.#book(0),
    asked: () => new Promise<void>((resolve) => this.#costWaiters.push(resolve)),
    logged: (event) => this.log.unshift({ "@timestamp": new Date().toISOString(), ...event }),
  });
  /** Waiters for a call. */
  readonly #watching: (() => void)[] = [];
  /** Waiters for a request of the costs. */
  readonly #costWaiters: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();
  #listed = 0;
  #server: Server | undefined;

  private constructor(path: string) {
    this.path = path;
  }

  static async at(path: string): Promise<ZeroclawDaemon> {
    const daemon = new ZeroclawDaemon(path);
    await daemon.listen();
    return daemon;
  }

  /** The sessions in memory. */
  get sessions(): DaemonSessions["live"] {
    return this.all.live;
  }

  async listen(): Promise<void> {
    this.#server = createServer((socket) => this.#serve(socket));
    await new Promise<void>((resolve) => this.#server?.listen(this.path, resolve));
  }

  /** Resolves when a peer has made that call, after skipping the first ones. */
  async called(wanted: string, after: number): Promise<void> {
    while (!this.calls.slice(after).some(({ method }) => method === wanted))
      await new Promise<void>((resolve) => this.#watching.push(resolve));
  }

  /** Closes every connection. Peers may reconnect at once. */
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
    socket.on("error", () => {}); // `close` follows
    socket.once("close", () => this.#sockets.delete(socket));
    const peer: Peer = { socket, identity: "", canElicit: false };
    const splitter = new LineSplitter({ maxLineBytes: maxFrameBytes - 1 });
    const decoder = new TextDecoder();
    let turn = Promise.resolve();
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const run of splitter.pushRuns(chunk))
          for (const line of [...linesOf(run)].map((bytes) => decoder.decode(bytes)))
            turn = turn.then(() => this.#line(peer, line));
      } catch (error) {
        if (!(error instanceof LineTooLongError)) throw error;
        socket.destroy();
      }
    });
  }

  /** Reads the next line when this one has its response. Prompts do not block. */
  async #line(peer: Peer, line: string): Promise<void> {
    const read = readLine(line);
    if (read.kind === "nothing") return;
    if (read.kind === "response") {
      if (this.understandsResponses) this.all.answered(read.id, read.result);
      else
        write(peer.socket, {
          jsonrpc: "2.0",
          ...fail(-32700, "Parse error: missing field method"),
          id: null,
        });
      return;
    }
    const reply = (answer: Reply) => {
      if (read.id !== undefined) write(peer.socket, { jsonrpc: "2.0", ...answer, id: read.id });
    };
    if (read.kind === "mistake") return reply(read.reply);
    const { method, params } = read;
    this.calls.push({ method, params: params ?? {} });
    for (const wake of this.#watching.splice(0)) wake();
    if (!methods.has(method)) return reply(fail(-32601, `Unknown method: ${method}`));
    if (method !== "initialize" && peer.identity === "")
      return reply(fail(-32010, "First call must be 'initialize'"));
    if (params === undefined && method !== "status")
      return reply(fail(-32602, "invalid type: null, expected a struct"));
    if (method === "session/prompt") void this.all.prompt(params ?? {}, peer).then(reply);
    else reply(await this.#answer(method, params ?? {}, peer));
  }

  async #answer(method: string, params: Params, peer: Peer): Promise<Reply> {
    switch (method) {
      case "initialize":
        return initialize(params, peer, this.#sign());
      case "status":
        return {
          result: { server_version: "0.8.4", protocol_version: 1, session_ids: [...this.sessions.keys()] },
        };
      case "logs/query": {
        const since = typeof params["since_ts"] === "string" ? params["since_ts"] : "";
        return {
          result: { events: this.log.filter((event) => String(Object(event)["@timestamp"]) >= since) },
        };
      }
      case "agents/list": {
        const listed = aliases.map((alias) => ({ alias, enabled: true, channels: [] }));
        if (this.#listed++ % 2 === 1) listed.reverse(); // the real daemon's order is random
        return { result: { agents: [{ alias: "off", enabled: false, channels: [] }, ...listed] } };
      }
      case "cost/query":
        for (const wake of this.#costWaiters.splice(0)) wake();
        return this.tracksCosts ? { result: this.#costs(params) } : fail(-32603, "Cost tracking is disabled");
      case "session/new":
        return this.all.open(params, aliases, peer);
      case "session/close":
        return this.all.close(params);
      case "session/cancel":
        return this.all.cancel(params, peer);
      default:
        return this.all.approve(params);
    }
  }

  #sign(): Sign | undefined {
    const { key } = this;
    return key && ((id) => createHmac("sha256", key).update(id).digest("hex"));
  }

  #called(): void {
    this.#unbooked++;
    this.#book(this.booksLate ? 1 : 0);
  }

  /** All but the last ones. */
  #book(but: number): void {
    for (; this.#unbooked > but; this.#unbooked--) this.#spent.push(Date.now());
  }

  /** The costs of all sessions in the window. */
  #costs({ from, to }: Params): object {
    const [begin, end] = [Date.parse(String(from)), Date.parse(String(to))];
    const calls = this.#spent.filter((at) => !this.knowsWindows || (at >= begin && at <= end)).length;
    const tokens = {
      input_tokens: calls * 1200,
      cached_input_tokens: calls * 1000,
      output_tokens: calls * 10,
    };
    const reported = { model: "fake-chat", cost_usd: calls * 0.002, ...tokens, request_count: calls };
    const totals = { total_tokens: calls * 1210, request_count: this.#spent.length };
    const by_model = calls === 0 ? {} : { "fake-chat": reported };
    return { session_cost_usd: calls === 0 ? -0 : reported.cost_usd, ...totals, by_model };
  }
}

const methods = new Set([
  ...["initialize", "status", "agents/list", "cost/query", "logs/query"],
  ...["session/new", "session/prompt", "session/cancel", "session/approve", "session/close"],
]);

function initialize(params: Params, peer: Peer, sign: Sign | undefined): Reply {
  const { protocol_version = 1, tui_id: claimed, tui_sig, clientCapabilities } = params;
  if (protocol_version !== 1)
    return fail(-32011, `Protocol version mismatch: server=1, client=${String(protocol_version)}`);
  if (typeof claimed === "string" && sign !== undefined) {
    if (tui_sig === undefined) return fail(-32010, "TUI signature required");
    if (tui_sig !== sign(claimed)) return fail(-32010, "Invalid TUI signature");
  }
  peer.canElicit = Object(clientCapabilities)["elicitation"] !== undefined;
  peer.identity = typeof claimed === "string" ? claimed : `tui_${randomBytes(4).toString("hex")}`;
  const identity = {
    tui_id: peer.identity,
    ...(sign === undefined ? {} : { tui_sig: sign(peer.identity) }),
  };
  const facts = {
    server_version: "0.8.4",
    server_pid: process.pid,
    capabilities: [...methods],
    commands: [],
  };
  return { result: { protocol_version: 1, ...facts, ...identity } };
}
