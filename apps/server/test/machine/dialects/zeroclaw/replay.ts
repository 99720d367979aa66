// Plays one session of a recording of the real daemon: the translation is given the recorded updates when it has made the recorded calls.
// Everything else it asks is answered as the daemon did at that time.
import { type Frame, linesOf, readFrame } from "@patchbay/protocol";
import type { WorkerBound } from "../../../../src/machine/dialects/dialect.ts";
import { zeroclawDialect } from "../../../../src/machine/dialects/zeroclaw/dialect.ts";
import { noMachine } from "../no-machine.ts";
import { readRecording } from "../recordings.ts";

interface RpcMessage {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: unknown;
}

interface RecordedEvent {
  dir: string;
  connection: number;
  message: RpcMessage;
}

export function readSession(name: string): RecordedEvent[] {
  return readRecording("zeroclaw-0.8.4", name).map(({ dir, line, connection = 0 }) => ({
    dir,
    connection,
    message: line.startsWith("{") ? (JSON.parse(line) as RpcMessage) : {},
  }));
}

/** The sessions of a recording that have a prompt. */
export const sessionsIn = (events: readonly RecordedEvent[]): string[] => [
  ...new Set(
    events.flatMap(({ dir, message }) =>
      dir === "in" && message.method === "session/prompt" ? [String(message.params?.["session_id"])] : [],
    ),
  ),
];

/** What is spent is kept for each daemon, so each replay is a daemon of its own. */
let nextPid = 1_000_000;

export class ReplayedDaemon {
  readonly frames: Frame[] = [];
  readonly #responses: Record<string, unknown>[] = [];
  readonly #translation: ReturnType<typeof zeroclawDialect.open>;
  readonly #greeting: Record<string, unknown>;
  readonly #opened: Record<string, unknown>;
  /** The newest recorded response to `cost/query`. */
  costs: unknown = { session_cost_usd: 0, by_model: {} };
  /** The id of the running prompt's call. */
  prompt: unknown;

  constructor(events: readonly RecordedEvent[], session: string) {
    const resultOf = (isIt: (result: Record<string, unknown>) => boolean) =>
      events.map(({ message }) => message.result ?? {}).find(isIt) ?? {};
    this.#greeting = {
      ...resultOf(({ server_version }) => server_version !== undefined),
      server_pid: nextPid++,
    };
    this.#opened = resultOf((result) => result["session_id"] === session && "agent_alias" in result);
    this.#translation = zeroclawDialect.open({
      cwd: "/home/dev/work",
      environment: {},
      model: String(this.#opened["agent_alias"]),
      ...noMachine,
      send: (line) => void setImmediate(() => this.#called(JSON.parse(line) as RpcMessage)),
      emit: (lines) => this.#emitted(lines),
    });
  }

  async command(command: WorkerBound): Promise<void> {
    this.#translation.toWorker({ id: "unnamed", ...command });
    await settled();
  }

  async write(message: object): Promise<void> {
    this.#translation.fromWorker(Buffer.from(`${JSON.stringify(message)}\n`));
    await settled();
  }

  response(id: string): Record<string, unknown> | undefined {
    return this.#responses.find((response) => response["id"] === id);
  }

  close(): void {
    this.#translation.close();
  }

  #called({ id, method, result }: RpcMessage): void {
    const answer = (outcome: object) =>
      this.#translation.fromWorker(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`));
    switch (method) {
      case undefined: // a response of ours, which this daemon does not understand
        if (result !== undefined) answer({ id: null, error: { code: -32700, message: "Parse error" } });
        return;
      case "initialize":
        return answer({ result: this.#greeting });
      case "agents/list":
        return answer({ result: { agents: ["free", "coder"].map((alias) => ({ alias, enabled: true })) } });
      case "session/new":
        return answer({ result: this.#opened });
      case "session/prompt":
        this.prompt = id;
        return;
      case "cost/query":
        return answer({ result: this.costs });
      case "session/cancel":
      case "session/approve":
      case "session/close":
        return answer({ result: {} });
      default:
        return answer({ error: { code: -32601, message: `Unknown method: ${method}` } });
    }
  }

  #emitted(lines: Uint8Array): void {
    const decoder = new TextDecoder();
    for (const line of linesOf(lines)) {
      const reading = readFrame(decoder.decode(line));
      if (reading.kind === "frame") this.frames.push(reading.frame);
      else this.#responses.push(JSON.parse(decoder.decode(line)) as Record<string, unknown>);
    }
  }
}

/** Calls, their answers and what follows them have been dealt with. */
async function settled(): Promise<void> {
  for (let round = 0; round < 6; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** The worker of a connection is gone with it. */
const gone: Frame = {
  ...{ type: "worker", event: "exited", time: "2026-11-17T10:00:00Z", code: null, signal: null },
  reason: "gone",
};

/** The frames of the session's log. Each connection with a prompt of the session is a worker of its own. */
export async function replay(events: readonly RecordedEvent[], session: string): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (const connection of new Set(events.map((event) => event.connection))) {
    const own = events.filter((event) => event.connection === connection);
    if (!sessionsIn(own).includes(session)) continue;
    if (frames.length > 0) frames.push(gone);
    frames.push(...(await replayConnection(own, session)));
  }
  return frames;
}

async function replayConnection(events: readonly RecordedEvent[], session: string): Promise<Frame[]> {
  const daemon = new ReplayedDaemon(events, session);
  await daemon.command({ type: "hello" });
  let recordedPrompt: unknown;
  for (const { dir, message } of events) {
    const { id, method, params = {}, result } = message;
    const isOurs = params["session_id"] === session;
    if (dir === "in" && isOurs) {
      if (method === "session/prompt") recordedPrompt = id;
      const command = commandFor(method, params);
      if (command !== undefined) await daemon.command(command);
    } else if (dir === "out" && method === "session/update" && isOurs) await daemon.write(message);
    else if (dir === "out" && method === undefined && id === recordedPrompt && daemon.prompt !== undefined)
      await daemon.write({ ...message, id: daemon.prompt });
    else if (dir === "out" && result !== undefined && "session_cost_usd" in result) daemon.costs = result;
  }
  daemon.close();
  return daemon.frames;
}

/** What a person did when the recorded call was made. */
function commandFor(method: string | undefined, params: Record<string, unknown>): WorkerBound | undefined {
  switch (method) {
    case "session/prompt":
      return { type: "prompt", message: String(params["prompt"]) };
    case "session/cancel":
      return { type: "abort" };
    case "session/approve":
      return { type: "extension_ui_response", id: params["request_id"], value: params["decision"] };
    default:
      return undefined;
  }
}
