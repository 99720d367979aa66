// A model server on loopback with the providers' real streaming formats, scripted by tests. A reply is selected when the call has fully
// arrived, so scripts are consumed in the order of calls.
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { field, type ModelCall } from "./call.ts";
import { echoReply } from "./default-reply.ts";
import { BadCall, listModels, receiveCall, sendJson } from "./receive.ts";
import { answerOf, type Reply, type ReplyMaker, type Tokens } from "./reply.ts";
import { findRoute } from "./routes.ts";
import { deliver } from "./stream-reply.ts";

export type { ModelCall, Provider } from "./call.ts";
export type { Reply, ReplyMaker, ScriptedToolCall, Tokens } from "./reply.ts";

/** Calls kept for inspection. A long manual trial must not fill the memory. */
const keptCalls = 1000;

export interface FakeModel extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>`; a provider's base URL is this plus `/anthropic`, `/openai/v1`, … */
  readonly baseUrl: string;
  /** Queues replies; each model call takes one. */
  reply(...replies: (Reply | ReplyMaker)[]): void;
  /** The reply to calls without a queued one. */
  defaultReply: ReplyMaker;
  /** How many queued replies no call has taken yet. */
  readonly unused: number;
  readonly requests: readonly ModelCall[];
  /** The next call that this function has not returned yet. */
  nextRequest(): Promise<ModelCall>;
  /** Releases every call that waits. */
  release(): void;
  /** How many calls the caller closed before their reply was complete. */
  readonly aborted: number;
  untilAborted(count: number): Promise<void>;
  /** The reported usage of all calls. For cut calls: what was reported before. */
  billed(): Tokens;
  /** What the provider charges for each call after the one with this serial, whether it was reported or not. A call without an answer costs nothing. */
  charges(after: number): Tokens[];
  /** Resolves when this many replies have waited for `release()`. */
  untilWaited(count: number): Promise<void>;
  /** How many replies have waited so far. */
  readonly waited: number;
}

/** The conversation of the last call without the system prompt, which contains directories with random names. */
export const lastMessages = (model: FakeModel): string =>
  JSON.stringify(field(model.requests.at(-1)?.body, "messages"));

export interface FakeModelOptions {
  port?: number;
  /** The ids that the listings of models show. */
  models?: string[];
}

const noTokens: Tokens = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cache_read: a.cache_read + b.cache_read,
  cache_write: a.cache_write + b.cache_write,
});

interface Gate {
  opened: Promise<void>;
  open: () => void;
}

function newGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export async function startFakeModel(options: FakeModelOptions = {}): Promise<FakeModel> {
  const models = options.models ?? ["fake-model"];
  const script: (Reply | ReplyMaker)[] = [];
  const calls: ModelCall[] = [];
  const unclaimed: ModelCall[] = [];
  const events = new EventEmitter<{ call: []; abort: []; wait: [] }>();
  const closing = new AbortController();
  const deliveries = new Set<Promise<void>>();
  let gate = newGate();
  let billedBefore = noTokens;
  const bills = new Map<number, Tokens>();
  const charged: Tokens[] = [];
  let waited = 0;
  let serial = 0;
  let aborted = 0;

  function record(call: ModelCall): void {
    for (const list of [calls, unclaimed]) {
      list.push(call);
      if (list.length > keptCalls) list.shift();
    }
    events.emit("call");
  }

  async function answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const route = findRoute(request.method ?? "GET", path);
    if (route === null) throw new BadCall(404, `there is nothing at ${request.method} ${path}`);
    if (route.kind !== "call") return listModels(response, route, models);

    const call: ModelCall = { ...(await receiveCall(request, route, path)), serial: ++serial };
    const next = script.shift() ?? model.defaultReply;
    const reply = typeof next === "function" ? next(call) : next;
    const gone = new AbortController();
    let cut = false;
    response.once("close", () => {
      gone.abort();
      if (response.writableFinished || cut) return;
      aborted++;
      events.emit("abort");
    });
    const released = gate.opened;
    charged[call.serial] = noTokens;
    record(call);
    const outcome = await deliver({
      response,
      format: route.format,
      reply,
      answer: answerOf(reply, call),
      body: call.body,
      released,
      gone: gone.signal,
      bill: (usage) => bills.set(call.serial, usage),
      charge: (usage) => void (charged[call.serial] = usage),
      waits: () => {
        waited++;
        events.emit("wait");
      },
    });
    billedBefore = addTokens(billedBefore, bills.get(call.serial) ?? noTokens);
    bills.delete(call.serial);
    if (outcome === "cut") {
      cut = true;
      response.socket?.destroySoon(); // sends what was written before the cut
    }
  }

  const server = createServer((request, response) => {
    const delivery = answerCall(request, response)
      .catch((error: unknown) => {
        const status = error instanceof BadCall ? error.status : 500;
        sendJson(response, status, { error: { message: String(error) } });
      })
      .finally(() => deliveries.delete(delivery));
    deliveries.add(delivery);
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  const model: FakeModel = {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    reply: (...replies) => void script.push(...replies),
    defaultReply: echoReply,
    get unused() {
      return script.length;
    },
    get requests() {
      return calls;
    },
    async nextRequest() {
      for (;;) {
        const call = unclaimed.shift();
        if (call !== undefined) return call;
        await once(events, "call", { signal: closing.signal });
      }
    },
    release() {
      gate.open();
      gate = newGate();
    },
    get aborted() {
      return aborted;
    },
    async untilAborted(count) {
      while (aborted < count) await once(events, "abort", { signal: closing.signal });
    },
    billed: () => [...bills.values()].reduce(addTokens, billedBefore),
    charges: (after) => charged.slice(after + 1),
    get waited() {
      return waited;
    },
    async untilWaited(count) {
      while (waited < count) await once(events, "wait", { signal: closing.signal });
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(deliveries);
      closing.abort(new Error("the fake model server was closed"));
    },
  };
  return model;
}
