// One MCP server: started when the session opens, started again by the next call after it died. What it
// offers stays declared while it is down, so that the model's tools do not come and go.
import {
  Client,
  type Prompt,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Tool as ToolDefinition,
  type Transport,
} from "@modelcontextprotocol/client";
import { version } from "../config/version.ts";
import type { UiChannel } from "../output/ui-channel.ts";
import type { LogFile } from "../processes/log-file.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ServerSpec } from "./config.ts";
import { askElicitation } from "./elicitation.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** A server that is fetched and built by its own start command takes this long; then it is given up. */
const startMs = 60_000;
/** More would crowd out the model's context; such a server can be configured to offer fewer. */
const maxTools = 200;
const maxInstructionsChars = 4_096;

type State =
  | { readonly at: "new" }
  | { readonly at: "starting"; readonly client: Promise<Client> }
  | { readonly at: "ready"; readonly client: Client; readonly transport: Transport }
  | { readonly at: "down"; readonly why: string }
  | { readonly at: "closed" };

interface ServerParts {
  /** Where the server's questions to the person go. */
  readonly ui: UiChannel;
  readonly shellEnv: Readonly<Record<string, string>>;
}

export class McpServer {
  readonly spec: ServerSpec;
  readonly log: LogFile;
  tools: readonly ToolDefinition[] = [];
  prompts: readonly Prompt[] = [];
  instructions: string | undefined;
  readonly #parts: ServerParts;
  /** Called when its tools or prompts have changed. */
  readonly #changed: () => void;
  readonly #ending = new AbortController();
  #state: State = { at: "new" };

  constructor(spec: ServerSpec, parts: ServerParts, log: LogFile, changed: () => void) {
    this.#parts = parts;
    this.spec = spec;
    this.log = log;
    this.#changed = changed;
  }

  /** Its state and, if it is down, the reason. */
  get status(): string {
    return this.#state.at === "down" ? `down: ${this.#state.why}` : this.#state.at;
  }

  /** Connected, after starting it if need be. Concurrent callers share one start. */
  client(): Promise<Client> {
    const state = this.#state;
    if (state.at === "ready") return Promise.resolve(state.client);
    if (state.at === "starting") return state.client;
    if (state.at === "closed") return Promise.reject(new Error("the session is ending"));
    const client = this.#start();
    this.#state = { at: "starting", client };
    return client;
  }

  async #start(): Promise<Client> {
    try {
      const { client, transport } = await this.#connect();
      if (this.#ending.signal.aborted) throw new Error("the session is ending");
      this.#state = { at: "ready", client, transport };
      return client;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#setDown(why);
      throw new Error(`the MCP server "${this.spec.name}" cannot be started: ${why}`, { cause: error });
    }
  }

  /** Nearly all servers speak the protocol of 2025; over HTTP the SDK negotiates, over stdio a refusal shows that it does not. */
  async #connect(): Promise<{ client: Client; transport: Transport }> {
    if (this.spec.transport.kind === "http") return this.#connectAs("auto");
    try {
      return await this.#connectAs("legacy");
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return await this.#connectAs({ pin: "2026-07-28" });
    }
  }

  async #connectAs(
    mode: "auto" | "legacy" | { pin: string },
  ): Promise<{ client: Client; transport: Transport }> {
    const transport = this.#transport();
    const client = new Client(
      { name: "patchbay", version },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode },
        listChanged: {
          tools: { onChanged: (_error, tools) => tools && this.#update({ tools }) },
          prompts: { onChanged: (_error, prompts) => prompts && this.#update({ prompts }) },
        },
      },
    );
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      askElicitation(
        this.#parts.ui,
        this.spec.name,
        params,
        AbortSignal.any([mcpReq.signal, this.#ending.signal]),
      ),
    );
    client.onclose = () => {
      if (this.#state.at === "ready" && this.#state.client === client) this.#setDown(endingOf(transport));
    };
    client.onerror = (error) => this.log.note(error.message);
    try {
      await client.connect(transport, { timeout: startMs, signal: this.#ending.signal });
      const capabilities = client.getServerCapabilities();
      const [{ tools }, { prompts }] = await Promise.all([
        capabilities?.tools ? client.listTools() : { tools: [] },
        capabilities?.prompts ? client.listPrompts() : { prompts: [] },
      ]);
      this.instructions = client.getInstructions()?.slice(0, maxInstructionsChars);
      this.#update({ tools, prompts });
      return { client, transport };
    } catch (error) {
      await client.close();
      await transport.close();
      const ending = transport instanceof StdioTransport ? transport.ending : null;
      throw ending === null || error instanceof ProtocolError ? error : new Error(ending, { cause: error });
    }
  }

  #transport(): Transport {
    const { transport: spec } = this.spec;
    if (spec.kind === "stdio") return new StdioTransport(spec, this.#parts.shellEnv, this.log);
    return new StreamableHTTPClientTransport(spec.url, {
      requestInit: { headers: { ...spec.headers } },
      fetch: boundedFetch,
    });
  }

  #update(change: { tools?: readonly ToolDefinition[]; prompts?: readonly Prompt[] }): void {
    this.tools = (change.tools ?? this.tools).slice(0, maxTools);
    this.prompts = (change.prompts ?? this.prompts).slice(0, maxTools);
    this.#changed();
  }

  #setDown(why: string): void {
    if (this.#state.at !== "closed") this.#state = { at: "down", why };
  }

  /** A sentence for a person about a failed call; a transport error is explained by the server's state. */
  async explain(error: unknown): Promise<string> {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof ProtocolError) return message;
    if (this.#state.at === "down") {
      return `the MCP server "${this.spec.name}" ended during the call: ${this.#state.why}. The next call starts it again; its log is ${this.log.path}`;
    }
    // Over HTTP only a failed call shows that a server is gone.
    if (this.#state.at === "ready" && this.spec.transport.kind === "http" && !isTimeout(error)) {
      const { client } = this.#state;
      this.#setDown(message);
      await client.close();
      return `the MCP server "${this.spec.name}" cannot be reached: ${message}. The next call tries again`;
    }
    return message;
  }

  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { at: "closed" };
    this.#ending.abort("shutdown");
    if (state.at === "starting") await state.client.catch(() => {}); // its caller gets the rejection
    if (state.at === "ready") {
      await state.client.close();
      await state.transport.close();
    }
    await this.log.close();
  }
}

const endingOf = (transport: Transport): string =>
  (transport instanceof StdioTransport ? transport.ending : null) ?? "the connection was closed";

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "REQUEST_TIMEOUT";
