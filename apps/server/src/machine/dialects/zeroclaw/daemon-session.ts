// The session at the daemon: our identity there, the chosen agent, and the session itself, which is opened when it is needed
// and closed when it is not. Only open sessions count towards the daemon's limit of 64. A closed one stays in the daemon's
// store and can be opened again by its id.
import { setTimeout as delay } from "node:timers/promises";
import type { OutputFrame } from "../frame-writer.ts";
import { DaemonAgents } from "./agents.ts";
import { type DaemonClient, isRefusal } from "./rpc-client.ts";
import { DaemonHello, OpenedSession, SavedSettings } from "./schemas.ts";

const code = {
  notFound: -32000,
  limitReached: -32001,
  notOwned: -32003,
  notAllowed: -32010,
  badParams: -32602,
};
/** The pauses between attempts to cancel a turn that the daemon has not begun yet. */
const retryMs = { first: 25, longest: 1_000 };

const memoryLost =
  "The daemon restarted without its memory: the agent does not remember the conversation above.";

interface DaemonSessionOptions {
  client: DaemonClient;
  cwd: string;
  /** Takes settings to save, and notices for viewers. */
  emit(frame: OutputFrame): void;
}

export class DaemonSession {
  readonly agents = new DaemonAgents();
  readonly #options: DaemonSessionOptions;
  #identity: DaemonHello | undefined;
  /** Set while the session is open or being opened. */
  #opening: Promise<string> | undefined;
  #id: string | undefined;
  #hasMemory = false;
  #isUsed = false;

  constructor(options: DaemonSessionOptions) {
    this.#options = options;
  }

  get id(): string | undefined {
    return this.#id;
  }

  get pid(): number {
    return this.#identity?.server_pid ?? 0;
  }

  /** The session was opened again with its earlier messages. */
  get hasMemory(): boolean {
    return this.#hasMemory;
  }

  /** `model`: the agent that was chosen, if one was. */
  async greet(model: string | undefined): Promise<DaemonHello> {
    const hello = await this.#initialize();
    this.agents.load(await this.#options.client.call("agents/list", {}));
    if (model !== undefined) this.#chooseOrWarn(model);
    return hello;
  }

  /** An agent that the daemon no longer has must not make the session unusable. */
  #chooseOrWarn(model: string): void {
    try {
      this.agents.choose(model);
    } catch (error) {
      if (!model.startsWith("zeroclaw/")) throw error;
      const next =
        this.agents.chosen === ""
          ? "Choose another one."
          : `This session continues with "${this.agents.chosen}".`;
      const message = `${error instanceof Error ? error.message : String(error)} ${next}`;
      this.#options.emit({ type: "ext_notify", extension: "zeroclaw", level: "warn", message });
    }
  }

  /** Takes the settings that an earlier worker saved. A session belongs to one agent; another agent cannot resume it. */
  restore(settings: unknown): void {
    const { agent_session, model } = SavedSettings.parse(settings);
    if (this.agents.chosen === "" && model !== undefined) this.#chooseOrWarn(`zeroclaw/${model}`);
    this.#id = model === undefined || model === this.agents.chosen ? agent_session : undefined;
  }

  markUsed(): void {
    this.#isUsed = true;
  }

  /** Throws when no agent is chosen. */
  async open(): Promise<string> {
    this.agents.require();
    return this.#opening ?? this.#share(this.#newSession());
  }

  /** Cancels until the turn is over. A cancel that overtakes its prompt is refused: the daemon has nothing to cancel yet. */
  async cancel(isOver: () => boolean, over: Promise<void>): Promise<void> {
    for (let wait = retryMs.first; !isOver(); wait = Math.min(wait * 2, retryMs.longest)) {
      if (await this.#cancelTurn()) return;
      await Promise.race([over, delay(wait, undefined, { ref: false })]);
    }
  }

  /** Never rejects: the session is closed, or the daemon cannot be reached. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    try {
      if (opening !== undefined)
        await this.#options.client.call("session/close", { session_id: await opening });
    } catch {
      // The daemon has lost the session, or the connection broke.
    }
  }

  /** The next session begins without memory, also after a restart. */
  async reset(): Promise<void> {
    const closed = this.close();
    this.#id = undefined;
    this.#hasMemory = false;
    this.#isUsed = false;
    this.#emitSettings();
    await closed;
  }

  /** Another agent begins a session of its own. */
  async choose(agent: string): Promise<void> {
    if (this.agents.choose(agent)) await this.reset();
  }

  /**
   * Continues on a new connection. The daemon sends approvals to the connection that opened the session last, so it is opened
   * again. A turn that ran on meanwhile is ended first: no viewer would see its output or could answer its approvals.
   */
  async reconnect(turnWasRunning: boolean): Promise<void> {
    this.#opening = undefined;
    const initialized = this.#initialize();
    if (this.#id === undefined) return void (await initialized);
    const hadMemory = this.#isUsed || this.#hasMemory;
    await this.#share(
      initialized.then(async () => {
        // The daemon answers the close when the turn is over. Nothing else on the new connection reports its end.
        if (turnWasRunning && (await this.#cancelTurn(code.notOwned)))
          await this.#options.client.call("session/close", { session_id: this.#id });
        return this.#newSession();
      }),
    );
    if (hadMemory && !this.#hasMemory)
      this.#options.emit({ type: "ext_notify", extension: "zeroclaw", level: "warn", message: memoryLost });
  }

  /** Repeats the last identity, without which the daemon would refuse to cancel our turn. A daemon with another key rejects it. */
  async #initialize(): Promise<DaemonHello> {
    const { tui_id, tui_sig } = this.#identity ?? {};
    const identity = {
      ...(tui_id === undefined ? {} : { tui_id }),
      ...(tui_sig === undefined ? {} : { tui_sig }),
    };
    const { client } = this.#options;
    const canAnswer = await client.understandsResponses();
    const capabilities = canAnswer ? { clientCapabilities: { elicitation: { form: {} } } } : {};
    const initialize = (as: object) =>
      client.call("initialize", { protocol_version: 1, env: {}, ...capabilities, ...as });
    const response = await initialize(identity).catch((error: unknown) => {
      if (tui_id !== undefined && isRefusal(error, code.notAllowed)) return initialize({});
      throw error;
    });
    this.#identity = DaemonHello.parse(response);
    return this.#identity;
  }

  /** Concurrent callers share one opening. After a failure the next caller tries again. */
  #share(opening: Promise<string>): Promise<string> {
    const attempt = opening.catch((error: unknown) => {
      if (this.#opening === attempt) this.#opening = undefined;
      throw error;
    });
    this.#opening = attempt;
    return attempt;
  }

  async #newSession(): Promise<string> {
    const wanted = this.#id;
    const opened = OpenedSession.parse(
      await this.#requestSession(wanted).catch((error: unknown) => {
        // The session belongs to another agent or was killed: it cannot be opened again.
        if (wanted !== undefined && isRefusal(error, code.badParams, code.notFound))
          return this.#requestSession();
        throw error;
      }),
    );
    this.#hasMemory = wanted === opened.session_id && opened.message_count > 0;
    this.#id = opened.session_id;
    if (wanted !== opened.session_id) this.#emitSettings();
    return opened.session_id;
  }

  async #requestSession(session_id?: string): Promise<unknown> {
    try {
      return await this.#options.client.call("session/new", {
        agent_alias: this.agents.require(),
        cwd: this.#options.cwd,
        chat_mode: "acp",
        keep_siblings: true,
        tui_id: this.#identity?.tui_id,
        ...(session_id === undefined ? {} : { session_id }),
      });
    } catch (error) {
      if (!isRefusal(error, code.limitReached)) throw error;
      const message = "The daemon has reached its limit of 64 sessions. Stop one of them.";
      throw new Error(message, { cause: error });
    }
  }

  /** Returns false when no turn runs. `alsoIdle`: further error codes that mean this. */
  async #cancelTurn(...alsoIdle: number[]): Promise<boolean> {
    try {
      await this.#options.client.call("session/cancel", { session_id: this.#id });
      return true;
    } catch (error) {
      if (isRefusal(error, code.notFound, ...alsoIdle)) return false;
      throw error;
    }
  }

  #emitSettings(): void {
    const session = this.#id === undefined ? {} : { agent_session: this.#id };
    this.#options.emit({ type: "settings", provider: "zeroclaw", model: this.agents.chosen, ...session });
  }
}
