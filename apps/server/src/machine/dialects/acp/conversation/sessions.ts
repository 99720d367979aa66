// The agent's session. It is opened when it is first needed, so that one from before a restart can be resumed instead. A model
// that was chosen earlier is set then, and capabilities are reported as soon as they are known.
import type { InitializeResponse, PromptCapabilities } from "@agentclientprotocol/sdk";
import type { ThinkingLevel } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { AgentTraits } from "../../dialect.ts";
import type { FrameWriter, OutputFrame } from "../../frame-writer.ts";
import { errorText } from "../wire/agent-errors.ts";
import { findKeyMethod, isLoginError, withLoginHint } from "../wire/login.ts";
import type { AcpClient, SessionUpdate } from "../wire/rpc-client.ts";
import { AgentSession, unknownModel } from "./agent-session.ts";
import {
  canReopen,
  canSteer,
  capabilitiesOf,
  initializeRequest,
  isPresent,
  protocolVersion,
} from "./capabilities.ts";
import { applyChosenModel, applyChosenSettings, setLevel, setModel } from "./choices.ts";
import { currentLevel, levelsOf } from "./thinking-levels.ts";

const SavedSettings = z.looseObject({
  agent_session: z.optional(z.string()),
  agent_spent_usd: z.optional(z.number()),
  thinking_level: z.optional(z.string()),
  agent_mode: z.optional(z.string()),
});

interface SessionsOptions {
  client: AcpClient;
  out: FrameWriter;
  cwd: string;
  /** The model that a person or the profile has chosen. */
  model: string | undefined;
  /** The worker's variables. */
  environment: Readonly<Record<string, string>>;
  traits: AgentTraits;
}

/** Updates that are kept of a session before the response with its id. An agent sends its commands and options then, not more. */
const maxEarlyUpdates = 32;

export class Sessions {
  readonly #client: AcpClient;
  readonly #out: FrameWriter;
  readonly #cwd: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #traits: AgentTraits;
  #chosenModel: string | undefined;
  /** How long it thinks, and its mode, as a person left them. */
  #chosenSettings: { level: string | undefined; mode: string | undefined } | undefined;
  #agent: InitializeResponse | undefined;
  #opening: Promise<AgentSession> | undefined;
  #session: AgentSession | undefined;
  /** Of a session that was closed, and must be resumed before its next use. */
  #closing: Promise<unknown> | undefined;
  #earlyUpdates: { session: string; update: SessionUpdate }[] = [];
  /** The agent replays the earlier conversation, which is in our log already. */
  #isLoading = false;
  #resumed = false;
  /** The capabilities as they were last reported, joined. */
  #reportedCapabilities = "";

  constructor({ client, out, cwd, model, environment, traits }: SessionsOptions) {
    this.#client = client;
    this.#out = out;
    this.#cwd = cwd;
    this.#chosenModel = model;
    this.#environment = environment;
    this.#traits = traits;
  }

  get provider(): string {
    return this.#agent?.agentInfo?.name ?? "acp";
  }

  get current(): AgentSession | undefined {
    return this.#session;
  }

  /** The session from before a restart was resumed. */
  get isResumed(): boolean {
    return this.#resumed;
  }

  get promptCapabilities(): PromptCapabilities {
    return this.#agent?.agentCapabilities?.promptCapabilities ?? {};
  }

  /** Replaces an error that only says that a login is needed. */
  explain(error: unknown): Error {
    return withLoginHint(error, { methods: this.#agent?.authMethods ?? [], traits: this.#traits });
  }

  async hello(): Promise<object> {
    this.#agent ??= await this.#client.request("initialize", initializeRequest(this.#traits));
    const { agentInfo, protocolVersion: agentVersion } = this.#agent;
    if (agentVersion !== protocolVersion)
      throw new Error(`The agent speaks version ${agentVersion} of ACP; Patchbay speaks ${protocolVersion}.`);
    const capabilities = capabilitiesOf(this.#agent, this.#session);
    this.#reportedCapabilities = capabilities.join();
    return {
      protocol_version: 1,
      version: agentInfo?.version ?? "unknown",
      provider: this.provider,
      model: this.#session?.model ?? this.#initialModel ?? unknownModel,
      capabilities,
    };
  }

  /** Concurrent callers share one opening. After a failure the next caller tries again. */
  open(): Promise<AgentSession> {
    const closed = this.#closing === undefined ? undefined : this.#session;
    this.#opening ??= (closed === undefined ? this.#new() : this.#reopen(closed)).catch((error: unknown) => {
      this.#opening = undefined;
      throw this.explain(error);
    });
    return this.#opening;
  }

  /** Opens a session without memory and with the same model. */
  async reset(): Promise<void> {
    this.#chosenModel = this.#session?.model ?? this.#chosenModel;
    if (this.#session !== undefined)
      this.#chosenSettings = {
        level: currentLevel(this.#session.effort),
        mode: this.#session.modes?.current,
      };
    this.#opening = undefined;
    this.#closing = undefined;
    await this.open();
  }

  /**
   * Ends the commands that a stopped turn has left running, where only closing the session does that. The next `open()` resumes
   * the session, with its memory.
   */
  async endCommands(): Promise<void> {
    const session = this.#session;
    if (this.#traits.keepsCommands !== true || session === undefined || !canReopen(this.#agent)) return;
    this.#opening = undefined;
    this.#closing = this.#client
      .request("session/close", { sessionId: session.id })
      .catch((error: unknown) => {
        const message = `Commands of the stopped turn may still run: ${errorText(error)}`;
        this.#emit([{ type: "ext_notify", extension: this.provider, level: "warn", message }]);
      });
    await this.#closing;
  }

  /** Resumes the session that was closed, as a person had set it. */
  async #reopen(session: AgentSession): Promise<AgentSession> {
    const kept = { level: currentLevel(session.effort), mode: session.modes?.current };
    const { model } = session;
    await this.#closing;
    this.#isLoading = true;
    try {
      this.#emit(session.setOptions(await this.#withKey(() => this.#resume(session.id))));
    } finally {
      this.#isLoading = false;
    }
    const notices = await applyChosenModel(this.#client, session, this.provider, model);
    await applyChosenSettings(this.#client, session, kept);
    this.#closing = undefined;
    this.#emit([session.settings(), ...notices]);
    return session;
  }

  #resume(sessionId: string): Promise<unknown> {
    const params = { sessionId, ...this.#openParams };
    return isPresent(this.#agent?.agentCapabilities?.sessionCapabilities?.resume)
      ? this.#client.request("session/resume", params)
      : this.#client.request("session/load", params);
  }

  get #openParams() {
    const { openMeta } = this.#traits;
    return { cwd: this.#cwd, mcpServers: [], ...(openMeta === undefined ? {} : { _meta: openMeta }) };
  }

  /** Resumes the session of an earlier process, if there was one. */
  async resume(settings: unknown): Promise<void> {
    const saved = SavedSettings.parse(settings);
    const { agent_session: sessionId, agent_spent_usd: charged } = saved;
    this.#chosenSettings = { level: saved.thinking_level, mode: saved.agent_mode };
    if (sessionId === undefined || this.#opening !== undefined) return;
    const loading = new AgentSession(sessionId, this.provider, {}, this.#traits);
    this.#session = loading;
    this.#isLoading = true;
    try {
      const opened = await this.#withKey(() => this.#resume(sessionId));
      const resumed = new AgentSession(sessionId, this.provider, opened, this.#traits);
      resumed.adoptFrom(loading, charged);
      this.#opening = Promise.resolve(await this.#adopt(resumed));
      this.#resumed = true;
    } finally {
      this.#isLoading = false;
    }
  }

  async #authenticate(methodId: string, variable: string): Promise<void> {
    try {
      await this.#client.request("authenticate", { methodId });
    } catch (cause) {
      throw new Error(`The agent could not log in with ${variable}: ${errorText(cause)}`, { cause });
    }
  }

  async setModel(wanted: string): Promise<object> {
    const session = await this.open();
    this.#emit(await setModel(this.#client, session, this.provider, wanted));
    return { model: session.model, provider: this.provider };
  }

  async setLevel(wanted: ThinkingLevel): Promise<object> {
    const session = await this.open();
    this.#emit(await setLevel(this.#client, session, wanted));
    return { level: currentLevel(session.effort) };
  }

  /** The next level that the agent has; after the longest comes the shortest. */
  async cycleLevel(): Promise<object> {
    const { effort } = await this.open();
    const levels = levelsOf(effort);
    const now = levels.findIndex((level) => level === currentLevel(effort));
    const next = levels[(now + 1) % Math.max(1, levels.length)];
    if (next === undefined) throw new Error("You cannot choose how long this agent thinks.");
    return this.setLevel(next);
  }

  get canSteer(): boolean {
    return canSteer(this.#agent);
  }

  /** Applies an update to the session. Undefined: it belongs to another session, or replays the earlier conversation. */
  apply(session: string, update: SessionUpdate): AgentSession | undefined {
    if (session !== this.#session?.id) {
      if (this.#earlyUpdates.length < maxEarlyUpdates) this.#earlyUpdates.push({ session, update });
      return undefined;
    }
    const frames = this.#session.apply(update);
    // The session does not know its charged costs while it loads, so its settings would be wrong.
    this.#emit(this.#isLoading ? frames.filter(({ type }) => type !== "settings") : frames);
    return this.#isLoading ? undefined : this.#session;
  }

  async #new(): Promise<AgentSession> {
    const opened = await this.#withKey(() => this.#client.request("session/new", this.#openParams));
    return this.#adopt(new AgentSession(opened.sessionId, this.provider, opened, this.#traits));
  }

  /**
   * Logs in with a key that the worker has, if the agent demands a login: not before, since some agents keep the key and forget
   * the login that a person made.
   */
  async #withKey<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      const login = {
        methods: this.#agent?.authMethods ?? [],
        traits: this.#traits,
        environment: this.#environment,
      };
      const found = isLoginError(error) ? findKeyMethod(login) : undefined;
      if (found === undefined) throw error;
      const { methodId, variable } = found;
      await this.#authenticate(methodId, variable);
      return open();
    }
  }

  async #adopt(session: AgentSession): Promise<AgentSession> {
    this.#session = session;
    const early = this.#earlyUpdates.flatMap(({ session: id, update }) =>
      id === session.id ? session.apply(update) : [],
    );
    this.#earlyUpdates = [];
    const notices = await applyChosenModel(this.#client, session, this.provider, this.#chosenModel);
    if (this.#chosenSettings !== undefined)
      await applyChosenSettings(this.#client, session, this.#chosenSettings);
    this.#emit([...early, session.settings(), ...notices]);
    return session;
  }

  /** Emits the frames, and the capabilities if they changed: they depend on the session's commands and options. */
  #emit(frames: readonly OutputFrame[]): void {
    const capabilities = this.#agent === undefined ? [] : capabilitiesOf(this.#agent, this.#session);
    const hasChanged = capabilities.join() !== this.#reportedCapabilities;
    this.#reportedCapabilities = capabilities.join();
    const changed = hasChanged ? [{ type: "commands_changed", capabilities }] : [];
    const rest = hasChanged ? frames.filter(({ type }) => type !== "commands_changed") : frames;
    if (rest.length + changed.length > 0) this.#out.frame(...rest, ...changed);
  }

  /** The chosen model without the agent's name before it. */
  get #initialModel(): string | undefined {
    const own = `${this.provider}/`;
    return this.#chosenModel?.startsWith(own) === true
      ? this.#chosenModel.slice(own.length)
      : this.#chosenModel;
  }
}
