// Reads server-sent events as a program does: follows the format of the specification and keeps every event.
import { type ClientRequest, get, type IncomingMessage } from "node:http";

interface ReadEvent {
  /** Undefined: the event has no id of its own. */
  id: string | undefined;
  /** `message`: the event has no name. */
  name: string;
  data: string;
}

interface ReaderOptions {
  headers?: Record<string, string>;
  query?: string;
}

export class EventStreamReader implements AsyncDisposable {
  readonly events: ReadEvent[] = [];
  /** The stream has ended. */
  ended = false;
  status = 0;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #rest = "";
  #changed: (() => void)[] = [];

  constructor(
    server: { url: string; token: string },
    session: string,
    { headers, query = "" }: ReaderOptions = {},
  ) {
    const url = new URL(`/api/sessions/${session}/events${query}`, server.url);
    this.#request = get(url, { headers: headers ?? { authorization: `Bearer ${server.token}` } });
    this.#request.on("response", (response) => {
      this.#response = response;
      this.status = response.statusCode ?? 0;
      response.setEncoding("utf8").on("data", (text: string) => this.#read(text));
      response.on("error", () => {}).on("close", () => this.#end());
      this.#wake();
    });
    this.#request.on("error", () => this.#end());
  }

  /** The frames, which are the events with a number and no name. */
  get frames(): ReadEvent[] {
    return this.events.filter(({ name }) => name === "message");
  }

  /** The number a program would come back with. */
  get lastId(): string {
    return this.events.findLast(({ id }) => id !== undefined)?.id ?? "";
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.ended)
        throw new Error(`the stream has ended; its last event: ${JSON.stringify(this.events.at(-1))}`);
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  async named(name: string): Promise<ReadEvent> {
    await this.until(() => this.events.some((event) => event.name === name));
    return this.events.find((event) => event.name === name) as ReadEvent;
  }

  async untilEnded(): Promise<void> {
    while (!this.ended) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  cut(): void {
    this.#request.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await this.untilEnded();
  }

  /** CR, LF and CRLF end a line; an empty line ends an event; a line that begins with a colon is a comment. */
  #read(text: string): void {
    const blocks = (this.#rest + text).split(/(?:\r\n|\r|\n){2}/);
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event: ReadEvent = { id: undefined, name: "message", data: "" };
      const data: string[] = [];
      for (const line of block.split(/\r\n|\r|\n/)) {
        const value = line.slice(line.indexOf(":") + 1).replace(/^ /, "");
        if (line.startsWith("data:")) data.push(value);
        else if (line.startsWith("id:")) event.id = value;
        else if (line.startsWith("event:")) event.name = value;
      }
      if (data.length > 0) this.events.push({ ...event, data: data.join("\n") });
    }
    this.#wake();
  }

  #end(): void {
    this.ended = true;
    this.#wake();
  }

  #wake(): void {
    const changed = this.#changed;
    this.#changed = [];
    for (const each of changed) each();
  }
}
