// A viewer of the chaos run. As a page does, it reconnects from its last frame when its socket ends, and sends again the commands
// without a response. It records every frame that it gets.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import WebSocket from "ws";
import type { RunningServer } from "../server-process.ts";
import type { ChaosRecord, PromptRecord } from "./record.ts";

type Line = Record<string, unknown> & { type: string };

interface QueueItem {
  id: string;
  message: string;
  fate?: string;
}

export class ChaosViewer {
  readonly key = randomUUID();
  readonly session: string;
  /** The last state that the server sent. */
  state = "";
  pid: number | undefined;
  queue: QueueItem[] = [];
  readonly #server: RunningServer;
  readonly #record: ChaosRecord;
  readonly #unanswered = new Map<string, PromptRecord>();
  #socket: WebSocket | undefined;
  #isLive = false;
  #seq: number | undefined;
  #isOver = false;

  constructor(server: RunningServer, session: string, record: ChaosRecord) {
    this.#server = server;
    this.session = session;
    this.#record = record;
    void this.#run(); // ends with `end`
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get unanswered(): number {
    return this.#unanswered.size;
  }

  prompt(frames: number): void {
    const id = randomUUID();
    const prompt: PromptRecord = {
      id,
      session: this.session,
      viewer: this.key,
      message: `do ${id} ${frames}`,
    };
    this.#record.prompts.set(id, prompt);
    this.#unanswered.set(id, prompt);
    this.#send({ type: "prompt", id, message: prompt.message });
  }

  command(command: object): void {
    this.#send(command);
  }

  /** Ends the socket without a closing handshake. */
  cut(): void {
    this.#socket?.terminate();
  }

  /** Reads nothing for a while. */
  async stall(ms: number): Promise<void> {
    const socket = this.#socket;
    socket?.pause();
    await delay(ms);
    socket?.resume();
  }

  end(): void {
    this.#isOver = true;
    this.#socket?.terminate();
  }

  #send(command: object): void {
    if (this.#isLive) this.#socket?.send(`${JSON.stringify(command)}\n`);
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#attach();
      await delay(20);
    }
  }

  #attach(): Promise<void> {
    const address = new URL(`/api/sessions/${this.session}/socket`, this.#server.url.replace("http", "ws"));
    address.searchParams.set("viewer", this.key);
    if (this.#seq !== undefined) address.searchParams.set("since", String(this.#seq));
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${this.#server.token}` } });
    this.#socket = socket;
    return new Promise((resolve) => {
      socket.on("message", (data) => this.#read(Buffer.isBuffer(data) ? data.toString() : ""));
      socket.on("error", () => {}); // `close` follows
      socket.on("close", () => {
        this.#isLive = false;
        resolve();
      });
    });
  }

  #read(message: string): void {
    const lines = message.slice(0, -1).split("\n");
    for (let at = 0; at < lines.length; ) {
      const line = JSON.parse(lines[at++] ?? "{}") as Line;
      if (line.type !== "frames") {
        this.#take(line);
        continue;
      }
      const { seq, count } = line as unknown as { seq: number; count: number };
      if (this.#seq !== undefined && seq !== this.#seq + 1)
        this.#record.violate(`${this.session}: a viewer at ${this.#seq} was shown ${seq} next`);
      for (let index = 0; index < count; index++)
        this.#record.show(this.session, seq + index, lines[at + index] ?? "");
      this.#seq = seq + count - 1;
      at += count;
    }
  }

  #take(line: Line): void {
    const session = line["session"] as { state: string; pid?: number } | undefined;
    if (session !== undefined) {
      this.state = session.state;
      this.pid = session.pid;
    }
    if (line.type === "snapshot") this.#seq = Number(line["seq"]);
    if (line.type === "queue") this.#takeQueue(line["items"] as QueueItem[]);
    if (line.type === "caught_up") {
      this.#isLive = true;
      for (const { id, message } of this.#unanswered.values()) this.#send({ type: "prompt", id, message });
    }
    if (line.type === "response") this.#takeAnswer(line);
  }

  #takeQueue(items: QueueItem[]): void {
    this.queue = items;
    for (const { message, fate } of items) {
      const prompt = this.#record.prompts.get(message.split(" ")[1] ?? "");
      if (prompt !== undefined && fate === "unknown") prompt.setAside = true;
    }
  }

  #takeAnswer(line: Line): void {
    const prompt = this.#record.prompts.get(String(line["id"]));
    if (prompt === undefined) return;
    const answer = line as unknown as NonNullable<PromptRecord["answer"]>;
    const { success, data } = answer;
    const known = prompt.answer;
    if (known !== undefined && (known.success !== success || known.data?.started !== data?.started))
      this.#record.violate(
        `${prompt.id}: answered ${JSON.stringify(known)} and then ${JSON.stringify(answer)}`,
      );
    prompt.answer = { success, ...(data === undefined ? {} : { data }) };
    if (typeof line["error"] === "string") prompt.answer.error = line["error"];
    this.#unanswered.delete(prompt.id);
  }
}
