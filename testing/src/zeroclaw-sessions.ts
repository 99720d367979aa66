// The sessions of the scripted zeroclaw daemon: at most 64 live ones, each with an agent that a running turn locks, and the closed
// sessions of `acp-sessions.db`.
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { fail, type Params, type Reply, write } from "./zeroclaw-rpc.ts";
import type { Approval } from "./zeroclaw-turn.ts";
import { runTurn } from "./zeroclaw-turns.ts";

interface Caller {
  socket: Socket;
  identity: string;
  canElicit: boolean;
}

interface LiveSession {
  owner: string;
  alias: string;
  /** The socket that opened it last. It gets the approval requests. */
  opener: Socket;
  /** What that socket announced then. */
  canElicit: boolean;
  messages: string[];
  /** The running turn, which locks the agent. */
  turn: Promise<unknown> | undefined;
  /** Prompts that run or wait. */
  registered: number;
  cancel: (() => void) | undefined;
  /** Called when a cancel finds no turn. */
  refused: () => void;
  /** Called when a peer closes the session and waits for its turn. */
  closing: () => void;
}

interface CostRecorder {
  /** Resolves when a peer requests the costs. */
  asked(): Promise<unknown>;
  /** A model call ended. */
  called(): void;
  /** A turn ended. */
  ended(): void;
  /** The daemon writes to its log. */
  logged(event: object): void;
}

/** After a cancel, a turn that waits for an approval has so long before it is aborted. */
const unwindMs = 5_000;

const maxSessions = 64;
const maxRegistered = 32;
const decisions = ["allow_once", "allow_always", "reject", "reject_once", "reject_with_edit"];

export class DaemonSessions {
  readonly live = new Map<string, LiveSession>();
  /** The prompts of sessions of the mode `acp`, and their agent: a session belongs to one agent. */
  readonly #stored = new Map<string, { alias: string; messages: string[] }>();
  readonly #approvals = new Map<string, (approval: Approval) => void>();
  /** Calls of the daemon's own that wait for their response. */
  readonly #elicitations = new Map<string, (result: unknown) => void>();
  #nextCall = 0;
  readonly #costs: CostRecorder;
  /** How long a prompt waits for the one before it. */
  busyMs = 30_000;
  /** Running turns, including those whose peer is gone. */
  running = 0;

  constructor(costs: CostRecorder) {
    this.#costs = costs;
  }

  /** Resets to the state after a start with an empty store. */
  loseAll(): void {
    this.live.clear();
    this.#stored.clear();
  }

  open(params: Params, aliases: readonly string[], { socket, identity, canElicit }: Caller): Reply {
    const { agent_alias: alias, chat_mode: mode, cwd } = params;
    if (typeof alias !== "string") return fail(-32602, "missing field agent_alias");
    if (!aliases.includes(alias)) return fail(-32603, `Failed to create agent: unknown agent ${alias}`);
    const id = typeof params["session_id"] === "string" ? params["session_id"] : randomUUID();
    const stored = this.#stored.get(id) ?? { alias, messages: [] };
    if (stored.alias !== alias) return fail(-32602, `agent alias mismatch: the session is ${stored.alias}'s`);
    if (params["keep_siblings"] !== true)
      for (const [other, { owner, turn }] of this.live)
        if (owner === identity && turn === undefined) this.live.delete(other);
    if (!this.live.has(id) && this.live.size >= maxSessions)
      return fail(-32001, `Session limit reached (${maxSessions})`);
    if (mode === "acp") this.#stored.set(id, stored);
    this.live.set(id, liveSession({ socket, identity, canElicit }, alias, stored.messages)); // a turn of the earlier one continues without a session
    const facts = { agent_alias: alias, message_count: stored.messages.length, workspace_dir: cwd };
    return { result: { session_id: id, ...facts } };
  }

  async close({ session_id }: Params): Promise<Reply> {
    const session = this.live.get(String(session_id));
    if (session === undefined) return fail(-32000, "Session not found");
    session.closing();
    await session.turn;
    this.live.delete(String(session_id));
    return { result: { session_id, closed: true } };
  }

  async cancel({ session_id }: Params, { identity }: Caller): Promise<Reply> {
    const session = this.live.get(String(session_id));
    if (session?.owner !== identity) {
      await session?.turn;
      return fail(-32003, "Session not owned");
    }
    if (session.cancel === undefined) {
      session.refused();
      return fail(-32000, "No active turn for this session");
    }
    session.cancel();
    return { result: { session_id, cancelled: true } };
  }

  approve({ session_id, request_id, decision, replacement = "" }: Params): Reply {
    if (!decisions.includes(String(decision))) return fail(-32602, `unknown decision: ${String(decision)}`);
    const approval = { decision: String(decision), replacement: String(replacement) };
    this.#approvals.get(String(request_id))?.(approval);
    return { result: { session_id, request_id, acknowledged: true } };
  }

  /** A peer has answered a call of the daemon's. An unknown id is ignored. */
  answered(id: unknown, result: unknown): void {
    this.#elicitations.get(String(id))?.(result);
    this.#elicitations.delete(String(id));
  }

  async prompt(params: Params, caller: Caller): Promise<Reply> {
    const { session_id, prompt, attachments } = params;
    if (typeof prompt !== "string") return fail(-32602, "missing field prompt");
    if (prompt === "" && attachments === undefined) return fail(-32602, "prompt must not be empty");
    const send = (type: string, fields: object, to = caller.socket) =>
      write(to, { jsonrpc: "2.0", method: "session/update", params: { type, session_id, ...fields } });
    const session = this.live.get(String(session_id)) ?? this.#revived(String(session_id), caller);
    if (session === undefined) {
      const content = "turn cancelled by daemon: session_not_found";
      send("turn_complete", { outcome: "failed", content });
      return fail(-32000, "Session not found");
    }
    if (session.registered >= maxRegistered)
      return fail(-32002, `Session busy: queue full (${session.registered} pending requests)`);
    session.registered++;
    try {
      if (!(await this.#isFree(session)))
        return fail(-32002, `Session busy: Timed out waiting for session ${String(session_id)}`);
      const turn = this.#run(String(session_id), session, prompt, send);
      session.turn = turn;
      return await turn;
    } finally {
      session.registered--;
    }
  }

  /** Loads a session of the mode `acp` that is not in memory. */
  #revived(id: string, caller: Caller): LiveSession | undefined {
    const stored = this.#stored.get(id);
    if (stored === undefined) return undefined;
    const session = liveSession(caller, stored.alias, stored.messages);
    this.live.set(id, session);
    return session;
  }

  async #isFree(session: LiveSession): Promise<boolean> {
    const late = new Promise((resolve) => setTimeout(resolve, this.busyMs, "late").unref());
    while (session.turn !== undefined)
      if ((await Promise.race([session.turn, late])) === "late") return false;
    return true;
  }

  async #run(
    id: string,
    session: LiveSession,
    prompt: string,
    send: (type: string, fields: object, to?: Socket) => void,
  ): Promise<Reply> {
    this.running++;
    if (prompt.startsWith("late"))
      await new Promise<void>((resolve) => {
        session.refused = resolve;
      });
    let isCancelled = false;
    const cancelled = new Promise<"cancelled">((resolve) => {
      session.cancel = () => {
        isCancelled = true; // from now on nothing is forwarded
        resolve("cancelled");
      };
    });
    const closing = new Promise<void>((resolve) => {
      session.closing = resolve;
    });
    const update = (type: string, fields: object, to?: Socket) => {
      if (!isCancelled) send(type, fields, to);
    };
    const outcome = await runTurn(prompt, {
      update,
      ask: (seconds) =>
        this.#ask(seconds, cancelled, (asked) => update("approval_request", asked, session.opener)),
      elicit: (form) => this.#elicit(id, session, form),
      logged: (event) => this.#costs.logged({ zeroclaw: { session_key: id }, ...event }),
      called: (input_tokens) => {
        this.#costs.called();
        update("context_usage", { input_tokens, max_context_tokens: 128_000 });
      },
      costsAsked: () => this.#costs.asked(),
      cancelled,
      closing,
      history: session.messages,
    });
    session.cancel = undefined;
    session.turn = undefined;
    session.messages.push(prompt);
    this.running--;
    this.#costs.ended();
    send("turn_complete", outcome);
    return outcome.outcome === "failed" ? fail(-32603, outcome.content) : { result: {} };
  }

  /** A cancel does not end the wait: the turn is aborted some seconds later, or continues with the decision. */
  #ask(seconds: number, cancelled: Promise<string>, send: (asked: object) => void): Promise<Approval> {
    const request_id = randomUUID();
    const arguments_summary = "approved: false, command: make deploy";
    const asked = { tool_name: "shell", arguments_summary, timeout_secs: seconds };
    const decided = new Promise<Approval>((resolve) => this.#approvals.set(request_id, resolve));
    const after = (ms: number, decision: string) =>
      new Promise<Approval>((resolve) => {
        setTimeout(resolve, ms, { decision, replacement: "" }).unref();
      });
    send({ request_id, ...asked });
    // The daemon does not report the timeout, and does not run the tool.
    const late = after(seconds * 1000, "expired");
    return Promise.race([decided, late, cancelled.then(() => after(unwindMs, "cancelled"))]);
  }

  /** Undefined: the peer answers no forms. */
  #elicit(id: string, { canElicit, opener }: LiveSession, form: object): Promise<unknown> | undefined {
    if (!canElicit) return undefined;
    const call = `zc-out-${this.#nextCall++}`;
    const params = { sessionId: id, mode: "form", ...form };
    const answer = new Promise((resolve) => this.#elicitations.set(call, resolve));
    write(opener, { jsonrpc: "2.0", method: "elicitation/create", params, id: call });
    return answer;
  }
}

const liveSession = (
  { identity, socket, canElicit }: Caller,
  alias: string,
  messages: string[],
): LiveSession => ({
  owner: identity,
  alias,
  opener: socket,
  canElicit,
  messages,
  turn: undefined,
  registered: 0,
  cancel: undefined,
  refused: () => {},
  closing: () => {},
});
