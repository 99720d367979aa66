// The SDK's connection on a worker's lines: messages in and out, and the methods an agent may call of us.
import type * as acp from "@agentclientprotocol/sdk";
import { foreignBounds, linesOf, readJson } from "@patchbay/protocol";
import * as z from "zod/mini";

/** Every update has a name; what else is in it is read where it is used, so that a newer agent breaks nothing. */
const Notification = z.looseObject({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});
export type SessionUpdate = z.infer<typeof Notification>["update"];

export interface AgentCalls {
  update(session: string, update: SessionUpdate): void;
  /** `takenBack`: the agent does not want to know any more. */
  permission(
    request: acp.RequestPermissionRequest,
    takenBack: AbortSignal,
  ): Promise<acp.RequestPermissionResponse>;
  elicit(
    request: acp.CreateElicitationRequest,
    takenBack: AbortSignal,
  ): Promise<acp.CreateElicitationResponse>;
  readFile(request: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse>;
  /** A person may have to allow it. */
  writeFile(request: acp.WriteTextFileRequest, takenBack: AbortSignal): Promise<acp.WriteTextFileResponse>;
  createTerminal(request: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse>;
  terminalOutput(request: acp.TerminalOutputRequest): acp.TerminalOutputResponse;
  terminalExit(request: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse>;
  killTerminal(request: acp.KillTerminalRequest): void;
  releaseTerminal(request: acp.ReleaseTerminalRequest): void;
}

export class Wire {
  readonly #agent: Promise<acp.ClientConnection>;
  readonly #noise: (line: string) => void;
  #incoming: ReadableStreamDefaultController<acp.AnyMessage> | undefined;
  #closed = false;

  constructor(send: (line: string) => void, calls: AgentCalls, noise: (line: string) => void) {
    this.#noise = noise;
    const readable = new ReadableStream<acp.AnyMessage>({
      start: (controller) => {
        this.#incoming = controller;
      },
    });
    const writable = new WritableStream<acp.AnyMessage>({
      write: (message) => send(JSON.stringify(message)),
    });
    this.#agent = connect({ readable, writable }, calls);
    this.#agent.catch(() => {}); // whoever asks is told
  }

  async request<M extends acp.AgentRequestMethod>(
    method: M,
    params: acp.AgentRequestParamsByMethod[M],
  ): Promise<acp.AgentRequestResponsesByMethod[M]> {
    return (await this.#agent).agent.request(method, params);
  }

  /** One that the SDK knows no more. */
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
      if (message === undefined) this.#noise(line);
      else if (!this.#closed) this.#incoming?.enqueue(message);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#incoming?.close();
    this.#agent.then((connection) => connection.close()).catch(() => {}); // never connected: nothing to close
  }
}

async function connect(stream: acp.Stream, calls: AgentCalls): Promise<acp.ClientConnection> {
  const { client } = await import("@agentclientprotocol/sdk");
  return client({ name: "patchbay" })
    .onNotification(
      "session/update",
      (value: unknown) => Notification.parse(value),
      ({ params }) => calls.update(params.sessionId, params.update),
    )
    .onRequest("session/request_permission", ({ params, signal }) => calls.permission(params, signal))
    .onRequest("elicitation/create", ({ params, signal }) => calls.elicit(params, signal))
    .onRequest("fs/read_text_file", ({ params }) => calls.readFile(params))
    .onRequest("fs/write_text_file", ({ params, signal }) => calls.writeFile(params, signal))
    .onRequest("terminal/create", ({ params }) => calls.createTerminal(params))
    .onRequest("terminal/output", ({ params }) => calls.terminalOutput(params))
    .onRequest("terminal/wait_for_exit", ({ params }) => calls.terminalExit(params))
    .onRequest("terminal/kill", ({ params }) => calls.killTerminal(params))
    .onRequest("terminal/release", ({ params }) => calls.releaseTerminal(params))
    .connect(stream);
}

const isMessage = (value: unknown): value is acp.AnyMessage =>
  typeof value === "object" && value !== null && "jsonrpc" in value;

/** Undefined: noise. */
function readMessage(line: string): acp.AnyMessage | undefined {
  const json = readJson(line, foreignBounds);
  return json.ok && isMessage(json.value) ? json.value : undefined;
}
