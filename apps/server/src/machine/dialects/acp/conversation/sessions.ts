// The agent's session. It is opened when it is first needed, so that one from before a restart can be resumed instead. A model
// that was chosen earlier is set then, and capabilities are reported as soon as they are known.
import type { AuthMethod, InitializeResponse, PromptCapabilities } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import type { FrameWriter, OutputFrame } from "../../frame-writer.ts";
import { withLoginHint } from "../wire/agent-errors.ts";
import type { AcpClient, SessionUpdate } from "../wire/rpc-client.ts";
import { AgentSession, unknownModel } from "./agent-session.ts";
import { capabilitiesOf, initializeRequest, isPresent, protocolVersion } from "./capabilities.ts";
import { applyChosenModel, setModel } from "./choices.ts";

const SavedSettings = z.looseObject({
  agent_session: z.optional(z.string()),
  agent_spent_usd: z.optional(z.number()),
});

interface SessionsOptions {
  client: AcpClient;
  out: FrameWriter;
  cwd: string;
  /** The model that a person or the profile has chosen. */
  model: string | undefined;
}

/** Updates that are kept of a session before the response with its id. An agent sends its commands and options then, not more. */
const maxEarlyUpdates = 32;

export class Sessions {
  readonly #client: AcpClient;
  readonly #out: FrameWriter;
  readonly #cwd: string;
  #chosenModel: string | undefined;
  #agent: InitializeResponse | undefined;
  #opening: Promise<AgentSession> | undefined;
  #session: AgentSession | undefined;
  #earlyUpdates: { session: string; update: SessionUpdate }[] = [];
  /** The agent replays the earlier conversation, which is in our log already. */
  #isLoading = false;
  #resumed = false;
  /** The capabilities as they were last reported, joined. */
  #reportedCapabilities = "";

  constructor({ client, out, cwd, model }: SessionsOptions) {
    this.#client = client;
    this.#out = out;
    this.#cwd = cwd;
    this.#chosenModel = model;
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

  get authMethods(): readonly AuthMethod[] | undefined {
    return this.#agent?.authMethods;
  }

  async hello(): Promise<object> {
    this.#agent ??= await this.#client.request("initialize", initializeRequest);
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
    this.#opening ??= this.#new().catch((error: unknown) => {
      this.#opening = undefined;
      throw withLoginHint(error, this.#agent?.authMethods);
    });
    return this.#opening;
  }

  /** Opens a session without memory and with the same model. */
  async reset(): Promise<void> {
    this.#chosenModel = this.#session?.model ?? this.#chosenModel;
    this.#opening = undefined;
    await this.open();
  }

  /** Resumes the session of an earlier process, if there was one. */
  async resume(settings: unknown): Promise<void> {
    const { agent_session: sessionId, agent_spent_usd: charged } = SavedSettings.parse(settings);
    if (sessionId === undefined || this.#opening !== undefined) return;
    const params = { sessionId, cwd: this.#cwd, mcpServers: [] };
    const loading = new AgentSession(sessionId, this.provider, {});
    this.#session = loading;
    this.#isLoading = true;
    try {
      const resumes = isPresent(this.#agent?.agentCapabilities?.sessionCapabilities?.resume);
      const opened = resumes
        ? await this.#client.request("session/resume", params)
        : await this.#client.request("session/load", params);
      const resumed = new AgentSession(sessionId, this.provider, opened);
      resumed.adoptFrom(loading, charged);
      this.#opening = Promise.resolve(await this.#adopt(resumed));
      this.#resumed = true;
    } finally {
      this.#isLoading = false;
    }
  }

  async setModel(wanted: string): Promise<object> {
    const session = await this.open();
    this.#emit(await setModel(this.#client, session, this.provider, wanted));
    return { model: session.model, provider: this.provider };
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
    const opened = await this.#client.request("session/new", { cwd: this.#cwd, mcpServers: [] });
    return this.#adopt(new AgentSession(opened.sessionId, this.provider, opened));
  }

  async #adopt(session: AgentSession): Promise<AgentSession> {
    this.#session = session;
    const early = this.#earlyUpdates.flatMap(({ session: id, update }) =>
      id === session.id ? session.apply(update) : [],
    );
    this.#earlyUpdates = [];
    const notices = await applyChosenModel(this.#client, session, this.provider, this.#chosenModel);
    this.#emit([...early, session.settings(), ...session.modeStatus(), ...notices]);
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
