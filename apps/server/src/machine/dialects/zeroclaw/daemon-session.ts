// Our session at the daemon: who we are there, which agent it has, opened when it is needed and closed when it is not. Only
// open ones count towards the daemon's 64; one that is closed stays in its store, and its id takes it up again.
import { setTimeout as delay } from "node:timers/promises";
import type { OwnFrame } from "../frame-output.ts";
import { DaemonAgents } from "./agents.ts";
import { isRefusal, type RpcClient } from "./rpc-client.ts";
import { Hello, Opened, SavedSettings } from "./schemas.ts";

const code = {
  notFound: -32000,
  limitReached: -32001,
  notOwned: -32003,
  notAllowed: -32010,
  badParams: -32602,
};
/** Between two attempts to cancel a turn that the daemon has not begun yet. */
const retryMs = { first: 25, longest: 1_000 };

const forgotten = "The daemon came back without its memory: the agent does not remember what stands above.";

interface DaemonSessionOptions {
  rpc: RpcClient;
  cwd: string;
  /** What is to be remembered of it, and what people have to know. */
  told(frame: OwnFrame): void;
}

export class DaemonSession {
  readonly agents = new DaemonAgents();
  readonly #options: DaemonSessionOptions;
  #identity: Hello | undefined;
  /** It is open, or will be. */
  #opening: Promise<string> | undefined;
  #id: string | undefined;
  #remembers = false;
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

  /** It was taken up again with what had been said. */
  get remembers(): boolean {
    return this.#remembers;
  }

  /** `model`: the agent that was chosen, if one was. */
  async greet(model: string | undefined): Promise<Hello> {
    const hello = await this.#initialize();
    this.agents.take(await this.#options.rpc.call("agents/list", {}));
    if (model !== undefined) this.#fulfil(model);
    return hello;
  }

  /** An agent that was there once and is gone must not take the session along. */
  #fulfil(model: string): void {
    try {
      this.agents.choose(model);
    } catch (error) {
      if (!model.startsWith("zeroclaw/")) throw error;
      const message = `${error instanceof Error ? error.message : String(error)} This session goes on with "${this.agents.chosen}".`;
      this.#options.told({ type: "ext_notify", extension: "zeroclaw", level: "warn", message });
    }
  }

  /** What an earlier worker told. A session is one agent's: another one cannot go on with it. */
  recall(settings: unknown): void {
    const { agent_session, model } = SavedSettings.parse(settings);
    this.#id = model === undefined || model === this.agents.chosen ? agent_session : undefined;
  }

  /** Something is said in it now. */
  use(): void {
    this.#isUsed = true;
  }

  open(): Promise<string> {
    return this.#opening ?? this.#opens(this.#newSession());
  }

  /** Stops what runs, until `isOver`: a cancel that overtakes its prompt is told that there is nothing to cancel. */
  async cancel(isOver: () => boolean, over: Promise<void>): Promise<void> {
    for (let wait = retryMs.first; !isOver(); wait = Math.min(wait * 2, retryMs.longest)) {
      if (await this.#cancelled()) return;
      await Promise.race([over, delay(wait, undefined, { ref: false })]);
    }
  }

  /** Never rejects: it is closed, or nobody is there to close it. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    try {
      if (opening !== undefined) await this.#options.rpc.call("session/close", { session_id: await opening });
    } catch {
      // The daemon has lost it, or we have lost the daemon.
    }
  }

  /** The next one begins with nothing, also after a restart. */
  async forget(): Promise<void> {
    const closed = this.close();
    this.#id = undefined;
    this.#remembers = false;
    this.#isUsed = false;
    this.#tellSettings();
    await closed;
  }

  /** Another agent begins a session of its own. */
  async choose(wish: string): Promise<void> {
    if (this.agents.choose(wish)) await this.forget();
  }

  /**
   * The connection is a new one. Approvals go to whoever opened the session last, so it is opened again; a turn that went on
   * without us is ended first: whatever it does, nobody would see it or could answer it.
   */
  async comeBack(leftTurn: boolean): Promise<void> {
    this.#opening = undefined;
    const initialized = this.#initialize();
    if (this.#id === undefined) return void (await initialized);
    const knew = this.#isUsed || this.#remembers;
    await this.#opens(
      initialized.then(async () => {
        // The answer to the close comes when the turn is over, which we do not hear of otherwise.
        if (leftTurn && (await this.#cancelled(code.notOwned)))
          await this.#options.rpc.call("session/close", { session_id: this.#id });
        return this.#newSession();
      }),
    );
    if (knew && !this.#remembers)
      this.#options.told({ type: "ext_notify", extension: "zeroclaw", level: "warn", message: forgotten });
  }

  /** With the identity of the last time, or a turn of ours could not be cancelled; a daemon with another key knows none. */
  async #initialize(): Promise<Hello> {
    const { tui_id, tui_sig } = this.#identity ?? {};
    const known = {
      ...(tui_id === undefined ? {} : { tui_id }),
      ...(tui_sig === undefined ? {} : { tui_sig }),
    };
    const greet = (as: object) =>
      this.#options.rpc.call("initialize", { protocol_version: 1, env: {}, ...as });
    const answer = await greet(known).catch((error: unknown) => {
      if (tui_id !== undefined && isRefusal(error, code.notAllowed)) return greet({});
      throw error;
    });
    this.#identity = Hello.parse(answer);
    return this.#identity;
  }

  /** Whoever wants it meanwhile waits for the same; when it fails, the next one tries again. */
  #opens(opening: Promise<string>): Promise<string> {
    const attempt = opening.catch((error: unknown) => {
      if (this.#opening === attempt) this.#opening = undefined;
      throw error;
    });
    this.#opening = attempt;
    return attempt;
  }

  async #newSession(): Promise<string> {
    const wanted = this.#id;
    const opened = Opened.parse(
      await this.#ask(wanted).catch((error: unknown) => {
        // It is another agent's, or was killed: nobody can take it up again.
        if (wanted !== undefined && isRefusal(error, code.badParams, code.notFound)) return this.#ask();
        throw error;
      }),
    );
    this.#remembers = wanted === opened.session_id && opened.message_count > 0;
    this.#id = opened.session_id;
    if (wanted !== opened.session_id) this.#tellSettings();
    return opened.session_id;
  }

  async #ask(session_id?: string): Promise<unknown> {
    try {
      return await this.#options.rpc.call("session/new", {
        agent_alias: this.agents.chosen,
        cwd: this.#options.cwd,
        chat_mode: "acp",
        keep_siblings: true,
        tui_id: this.#identity?.tui_id,
        ...(session_id === undefined ? {} : { session_id }),
      });
    } catch (error) {
      if (!isRefusal(error, code.limitReached)) throw error;
      const words = "The daemon has as many sessions as it takes (64). Stop one here, or close one there.";
      throw new Error(words, { cause: error });
    }
  }

  /** False when nothing runs. A session that the daemon does not know is nobody's. */
  async #cancelled(...alsoNothing: number[]): Promise<boolean> {
    try {
      await this.#options.rpc.call("session/cancel", { session_id: this.#id });
      return true;
    } catch (error) {
      if (isRefusal(error, code.notFound, ...alsoNothing)) return false;
      throw error;
    }
  }

  #tellSettings(): void {
    const session = this.#id === undefined ? {} : { agent_session: this.#id };
    this.#options.told({ type: "settings", provider: "zeroclaw", model: this.agents.chosen, ...session });
  }
}
