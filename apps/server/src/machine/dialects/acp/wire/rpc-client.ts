// Connects the ACP SDK to a worker's lines: our requests to the agent, and the requests and updates that it sends.
import type * as acp from "@agentclientprotocol/sdk";
import { foreignBounds, linesOf, readJson } from "@patchbay/protocol";
import * as z from "zod/mini";

/** Only the update's name is checked here. Its other fields are read where they are used, so that a newer agent breaks nothing. */
const Notification = z.looseObject({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});
export type SessionUpdate = z.infer<typeof Notification>["update"];

export interface AgentHandlers {
  update(session: string, update: SessionUpdate): void;
  /** What is left of the account's plan. */
  rateLimits(params: unknown): void;
  /** `cancelled` aborts when the agent withdraws its request. */
  permission(
    request: acp.RequestPermissionRequest,
    cancelled: AbortSignal,
  ): Promise<acp.RequestPermissionResponse>;
  elicit(
    request: acp.CreateElicitationRequest,
    cancelled: AbortSignal,
  ): Promise<acp.CreateElicitationResponse>;
  readFile(request: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse>;
  /** May wait for a person's approval. */
  writeFile(request: acp.WriteTextFileRequest, cancelled: AbortSignal): Promise<acp.WriteTextFileResponse>;
  createTerminal(request: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse>;
  terminalOutput(request: acp.TerminalOutputRequest): acp.TerminalOutputResponse;
  terminalExit(request: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse>;
  killTerminal(request: acp.KillTerminalRequest): void;
  releaseTerminal(request: acp.ReleaseTerminalRequest): void;
}

export class AcpClient {
  readonly #agent: Promise<acp.ClientConnection>;
  readonly #onNoise: (line: string) => void;
  #incoming: ReadableStreamDefaultController<acp.AnyMessage> | undefined;
  #closed = false;

  constructor(send: (line: string) => void, handlers: AgentHandlers, onNoise: (line: string) => void) {
    this.#onNoise = onNoise;
    const readable = new ReadableStream<acp.AnyMessage>({
      start: (controller) => {
        this.#incoming = controller;
      },
    });
    const writable = new WritableStream<acp.AnyMessage>({
      write: (message) => send(JSON.stringify(message)),
    });
    this.#agent = connect({ readable, writable }, handlers);
    this.#agent.catch(() => {}); // every request rejects with the same error
  }

  async request<M extends acp.AgentRequestMethod>(
    method: M,
    params: acp.AgentRequestParamsByMethod[M],
  ): Promise<acp.AgentRequestResponsesByMethod[M]> {
    return (await this.#agent).agent.request(method, params);
  }

  /** Sends a request that the SDK no longer knows. */
  async requestOther(method: string, params: object): Promise<unknown> {
    return (await this.#agent).agent.request(method, params);
  }

  async cancel(sessionId: string): Promise<void> {
    await (await this.#agent).agent.notify("session/cancel", { sessionId });
  }

  receive(run: Uint8Array): void {
    const decoder = new TextDecoder();
    for (const bytes of linesOf(run)) {
      const line = decoder.decode(bytes);
      const message = readMessage(line);
      if (message === undefined) this.#onNoise(line);
      else if (!this.#closed) this.#incoming?.enqueue(message);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#incoming?.close();
    this.#agent.then((connection) => connection.close()).catch(() => {}); // it never connected: there is nothing to close
  }
}

async function connect(stream: acp.Stream, handlers: AgentHandlers): Promise<acp.ClientConnection> {
  const { client } = await import("@agentclientprotocol/sdk");
  return client({ name: "patchbay" })
    .onNotification(
      "session/update",
      (value: unknown) => Notification.parse(value),
      ({ params }) => handlers.update(params.sessionId, params.update),
    )
    .onNotification(
      "_account/rate_limits_update",
      (value: unknown) => value,
      ({ params }) => handlers.rateLimits(params),
    )
    .onRequest("session/request_permission", ({ params, signal }) => handlers.permission(params, signal))
    .onRequest("elicitation/create", ({ params, signal }) => handlers.elicit(params, signal))
    .onRequest("fs/read_text_file", ({ params }) => handlers.readFile(params))
    .onRequest("fs/write_text_file", ({ params, signal }) => handlers.writeFile(params, signal))
    .onRequest("terminal/create", ({ params }) => handlers.createTerminal(params))
    .onRequest("terminal/output", ({ params }) => handlers.terminalOutput(params))
    .onRequest("terminal/wait_for_exit", ({ params }) => handlers.terminalExit(params))
    .onRequest("terminal/kill", ({ params }) => handlers.killTerminal(params))
    .onRequest("terminal/release", ({ params }) => handlers.releaseTerminal(params))
    .connect(stream);
}

const isMessage = (value: unknown): value is acp.AnyMessage =>
  typeof value === "object" && value !== null && "jsonrpc" in value;

/** Undefined: noise. */
function readMessage(line: string): acp.AnyMessage | undefined {
  const json = readJson(line, foreignBounds);
  return json.ok && isMessage(json.value) ? json.value : undefined;
}
