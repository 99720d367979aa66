// The agent's session: opened when it is first needed, so that one from before a restart can be taken up again instead.
// What was chosen before it was there (the model) is set then, and what it can is told when it is known.
import type { AuthMethod, InitializeResponse, PromptCapabilities } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import type { FrameOutput, OutputFrame } from "../../frame-output.ts";
import { withLoginHint } from "../wire/agent-errors.ts";
import type { SessionUpdate, Wire } from "../wire/rpc-client.ts";
import { AgentSession, unknownModel } from "./agent-session.ts";
import { abilitiesOf, introduction, isGiven, protocolVersion } from "./capabilities.ts";
import { fulfil, setModel } from "./choices.ts";

const SavedSettings = z.looseObject({
  agent_session: z.optional(z.string()),
  agent_spent_usd: z.optional(z.number()),
});

interface Parts {
  wire: Wire;
  out: FrameOutput;
  cwd: string;
  /** What a person or the profile has chosen. */
  model: string | undefined;
}

/** Updates of a session that come before we know of it; an agent tells its commands and options, and no more. */
const maxEarly = 32;

export class Sessions {
  readonly #wire: Wire;
  readonly #out: FrameOutput;
  readonly #cwd: string;
  #wish: string | undefined;
  #agent: InitializeResponse | undefined;
  #opening: Promise<AgentSession> | undefined;
  #session: AgentSession | undefined;
  #early: { session: string; update: SessionUpdate }[] = [];
  /** The agent repeats what was said long ago. */
  #isLoading = false;
  #resumed = false;
  /** Its abilities, as they were last told. */
  #told = "";

  constructor({ wire, out, cwd, model }: Parts) {
    this.#wire = wire;
    this.#out = out;
    this.#cwd = cwd;
    this.#wish = model;
  }

  get provider(): string {
    return this.#agent?.agentInfo?.name ?? "acp";
  }

  get current(): AgentSession | undefined {
    return this.#session;
  }

  /** The one from before a restart was taken up again. */
  get isResumed(): boolean {
    return this.#resumed;
  }

  get takes(): PromptCapabilities {
    return this.#agent?.agentCapabilities?.promptCapabilities ?? {};
  }

  get authMethods(): readonly AuthMethod[] | undefined {
    return this.#agent?.authMethods;
  }

  async hello(): Promise<object> {
    this.#agent ??= await this.#wire.request("initialize", introduction);
    const { agentInfo, protocolVersion: spoken } = this.#agent;
    if (spoken !== protocolVersion)
      throw new Error(`The agent speaks version ${spoken} of ACP; Patchbay speaks ${protocolVersion}.`);
    const capabilities = abilitiesOf(this.#agent, this.#session);
    this.#told = capabilities.join();
    return {
      protocol_version: 1,
      version: agentInfo?.version ?? "unknown",
      provider: this.provider,
      model: this.#session?.model ?? this.#wished ?? unknownModel,
      capabilities,
    };
  }

  /** Concurrent callers share one opening; one that failed is tried again. */
  open(): Promise<AgentSession> {
    this.#opening ??= this.#new().catch((error: unknown) => {
      this.#opening = undefined;
      throw withLoginHint(error, this.#agent?.authMethods);
    });
    return this.#opening;
  }

  /** With an empty memory, and the same model. */
  async startAnew(): Promise<void> {
    this.#wish = this.#session?.model ?? this.#wish;
    this.#opening = undefined;
    await this.open();
  }

  /** The one that an earlier process had, if there is one. */
  async resume(settings: unknown): Promise<void> {
    const { agent_session: sessionId, agent_spent_usd: charged } = SavedSettings.parse(settings);
    if (sessionId === undefined || this.#opening !== undefined) return;
    const params = { sessionId, cwd: this.#cwd, mcpServers: [] };
    const told = new AgentSession(sessionId, this.provider, {});
    this.#session = told;
    this.#isLoading = true;
    try {
      const resumes = isGiven(this.#agent?.agentCapabilities?.sessionCapabilities?.resume);
      const opened = resumes
        ? await this.#wire.request("session/resume", params)
        : await this.#wire.request("session/load", params);
      const again = new AgentSession(sessionId, this.provider, opened);
      again.adoptFrom(told, charged);
      this.#opening = Promise.resolve(await this.#adopt(again));
      this.#resumed = true;
    } finally {
      this.#isLoading = false;
    }
  }

  async setModel(wish: string): Promise<object> {
    const session = await this.open();
    this.#tell(await setModel(this.#wire, session, this.provider, wish));
    return { model: session.model, provider: this.provider };
  }

  /** Takes in what concerns the session; undefined when it is of another, or was told before. */
  take(session: string, update: SessionUpdate): AgentSession | undefined {
    if (session !== this.#session?.id) {
      if (this.#early.length < maxEarly) this.#early.push({ session, update });
      return undefined;
    }
    const frames = this.#session.take(update);
    // While it is loaded, what it was charged with is not known to it.
    this.#tell(this.#isLoading ? frames.filter(({ type }) => type !== "settings") : frames);
    return this.#isLoading ? undefined : this.#session;
  }

  async #new(): Promise<AgentSession> {
    const opened = await this.#wire.request("session/new", { cwd: this.#cwd, mcpServers: [] });
    return this.#adopt(new AgentSession(opened.sessionId, this.provider, opened));
  }

  async #adopt(session: AgentSession): Promise<AgentSession> {
    this.#session = session;
    const early = this.#early.flatMap(({ session: id, update }) =>
      id === session.id ? session.take(update) : [],
    );
    this.#early = [];
    const notices = await fulfil(this.#wire, session, this.provider, this.#wish);
    this.#tell([...early, session.settings(), ...session.modeStatus(), ...notices]);
    return session;
  }

  /** Its commands and its options decide what it can. */
  #tell(frames: readonly OutputFrame[]): void {
    const capabilities = this.#agent === undefined ? [] : abilitiesOf(this.#agent, this.#session);
    const isOther = capabilities.join() !== this.#told;
    this.#told = capabilities.join();
    const changed = isOther ? [{ type: "commands_changed", capabilities }] : [];
    const rest = isOther ? frames.filter(({ type }) => type !== "commands_changed") : frames;
    if (rest.length + changed.length > 0) this.#out.frame(...rest, ...changed);
  }

  /** What was wished for, as this agent would call it. */
  get #wished(): string | undefined {
    const own = `${this.provider}/`;
    return this.#wish?.startsWith(own) === true ? this.#wish.slice(own.length) : this.#wish;
  }
}
