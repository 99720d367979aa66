// Changes of the session list, pushed by the server over a WebSocket: a hidden page's timers hardly run, and a question
// may not wait for them. While this socket is down, session-list.ts polls every few seconds.
import { SessionInfo, socketErrors } from "@patchbay/protocol";
import * as z from "zod/mini";
import { useAccess } from "../api/http/access.ts";
import { base } from "../api/http/base.ts";
import { socketProtocols } from "../api/http/page-secret.ts";
import { retryDelay } from "../api/http/retry-delay.ts";
import { checkAccess } from "../api/logins.ts";

const Line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session"), session: SessionInfo }),
  z.object({ type: z.literal("session_gone"), id: z.string() }),
  z.object({ type: z.literal("alive") }),
]);

interface Listener {
  changed(session: SessionInfo): void;
  removed(id: string): void;
  /** The socket is back after a cut: changes may have been missed. */
  reconnected(): void;
}

/** The server sends something at least every 10 s. */
const silenceMs = 25_000;

export class ListStream {
  readonly #listener: Listener;
  #socket: WebSocket | null = null;
  #isLive = false;
  #attempt = 0;
  #wasCut = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** Messages arrive, so the list need not be polled. */
  get isLive(): boolean {
    return this.#isLive;
  }

  open(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const address = `${scheme}//${location.host}${base}/api/sessions/events`;
    const socket = new WebSocket(address, socketProtocols());
    this.#socket = socket;
    this.#wait();
    socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#received(data);
    socket.onclose = ({ code }) => {
      if (code === socketErrors.login_ended.close) useAccess.getState().refused(true);
      else if (!this.#isLive) checkAccess();
      this.#cut();
    };
  }

  /** The network has changed, which a socket may not notice. */
  restart(): void {
    if (this.#socket !== null) this.#cut();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#abandon();
  }

  #received(data: unknown): void {
    this.#wait();
    this.#attempt = 0;
    this.#isLive = true;
    if (this.#wasCut) this.#listener.reconnected();
    this.#wasCut = false;
    if (typeof data !== "string") return;
    for (const line of data.split("\n")) {
      if (line === "") continue;
      const read = Line.safeParse(JSON.parse(line));
      if (!read.success) continue; // of a newer server: its effect comes with the next list
      if (read.data.type === "session") this.#listener.changed(read.data.session);
      else if (read.data.type === "session_gone") this.#listener.removed(read.data.id);
    }
  }

  #wait(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#cut(), silenceMs);
  }

  #cut(): void {
    this.#abandon();
    this.#wasCut = true;
    this.#attempt++; // never at once: the list is polled meanwhile
    this.#retry = setTimeout(() => this.open(), retryDelay(this.#attempt));
  }

  #abandon(): void {
    clearTimeout(this.#silence);
    this.#isLive = false;
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
