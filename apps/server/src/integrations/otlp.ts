// Sends spans in batches by OTLP/HTTP in JSON. When the collector is down, the queue is bounded and the server logs warnings; sessions
// are not affected.
import type { OtlpTarget } from "../config/integrations-config.ts";
import { postJson } from "./post.ts";
import type { Span } from "./spans.ts";

interface OtlpOptions extends OtlpTarget {
  version: string;
  log: { warn(details: object, message: string): void };
  batchMs?: number;
  retryMs?: readonly number[];
}

/** Similar to OpenTelemetry's batch processor: one second, or what fits in one request. */
const defaultBatchMs = 1_000;
const maxPerRequest = 512;
const maxWaiting = 2_048;
const defaultRetries = [1_000, 5_000, 25_000];
/** The statuses that the protocol allows to retry. */
const retryable = new Set([429, 502, 503, 504]);

export class Otlp {
  readonly #options: OtlpOptions;
  #waiting: Span[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();

  constructor(options: OtlpOptions) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(span);
    const batchMs = this.#options.batchMs ?? defaultBatchMs;
    this.#timer ??= setTimeout(() => this.#flush(), batchMs).unref();
  }

  /** Sends the waiting spans once. A collector that does not respond delays the end by at most a second. */
  async close(): Promise<void> {
    this.#flush();
    const deadline = setTimeout(() => this.#ending.abort(), 1_000);
    await this.#sending;
    clearTimeout(deadline);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sending.then(() => this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, maxPerRequest);
      const problem = await this.#send(spans);
      if (problem === null && this.#dropped === 0) continue;
      const lost = this.#dropped + (problem === null ? 0 : spans.length);
      this.#dropped = 0;
      this.#options.log.warn({ spans: lost, problem }, "spans could not be sent to the OTLP endpoint");
    }
  }

  /** Null: the collector accepted them. */
  async #send(spans: readonly Span[]): Promise<string | null> {
    const { url, headers } = this.#options;
    const body = JSON.stringify(this.#request(spans));
    for (const wait of [...(this.#options.retryMs ?? defaultRetries), null]) {
      const { problem, status } = await postJson(url, body, headers, this.#ending.signal);
      const again = status === null || retryable.has(status);
      if (problem === null || !again || wait === null || this.#ending.signal.aborted) return problem;
      await pause(wait, this.#ending.signal);
    }
    return null;
  }

  #request(spans: readonly Span[]) {
    const { resource, version } = this.#options;
    return {
      resourceSpans: [
        {
          resource: { attributes: attributes({ ...resource, "service.version": version }) },
          scopeSpans: [{ scope: { name: "patchbay", version }, spans: spans.map(encode) }],
        },
      ],
    };
  }
}

const kinds = { internal: 1, client: 3 } as const;

const encode = ({ kind, started, ended, error, attributes: named, ...ids }: Span) => ({
  ...ids,
  kind: kinds[kind],
  startTimeUnixNano: `${started}000000`,
  endTimeUnixNano: `${Math.max(started, ended)}000000`,
  attributes: attributes(named),
  status: error === undefined ? {} : { code: 2, message: error.slice(0, 1_000) },
});

type Values = Span["attributes"];

const attributes = (named: Values) =>
  Object.entries(named).map(([key, value]) => ({ key, value: encodeValue(value) }));

/** 64-bit numbers are strings in the protocol's JSON. */
function encodeValue(value: Values[string]): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
