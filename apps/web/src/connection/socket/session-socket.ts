// The session socket and its return after a cut. It knows lines and close codes, nothing of what the
// lines mean; its owner decides with which number to come back.
import { socketErrors } from "@patchbay/protocol";
import { takeEarlySocket } from "../../api/http/early-requests.ts";
import { socketProtocols } from "../../api/http/page-secret.ts";
import { politeDelay, retryDelay } from "../../api/http/retry-delay.ts";
import { Heartbeat, heartbeatEveryMs } from "./heartbeat.ts";

export type Link =
  | { state: "opening" }
  | { state: "live" }
  /** Cut off at `since`, so that a short cut shows no banner. */
  | { state: "cut"; since: number; attempt: number }
  /** The server closed it with a code that rules out coming back. */
  | { state: "ended"; code: number; reason: string };

interface Owner {
  /** Where to continue; null asks for a snapshot. */
  since(): number | null;
  /** Nothing large is arriving: a ping is answered at once. */
  isCaughtUp(): boolean;
  onText(text: string): void;
  onLink(link: Link): void;
  /** It could not even be opened: the server is away, or does not let us in. */
  onRefused(): void;
}

/** Closed with one of these, a socket stays closed. */
const finalCodes: ReadonlyMap<number, string> = new Map(
  [
    socketErrors.login_ended,
    socketErrors.forbidden,
    socketErrors.no_such_session,
    socketErrors.session_deleted,
  ].map((kind) => [kind.close, kind.sentence]),
);

/** The code that a browser gives when the server sent none. */
const closedAbnormally = 1006;

/** A socket of a tab that was hidden this long may be dead without an event. */
const distrustAfter = 45_000;

export class SessionSocket {
  readonly #address: (since: number | null) => string;
  readonly #owner: Owner;
  #socket: WebSocket | null = null;
  #link: Link = { state: "opening" };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #hiddenAt: number | null = null;
  readonly #interval = setInterval(
    () => document.visibilityState === "visible" && this.check(),
    heartbeatEveryMs,
  );
  readonly #heartbeat = new Heartbeat({
    late: () => this.check(),
    // Without an id: any message will do.
    ping: () => this.#socket?.readyState === WebSocket.OPEN && this.#socket.send('{"type":"ping"}\n'),
    dead: () => this.restart(),
  });

  constructor(address: (since: number | null) => string, owner: Owner) {
    this.#address = address;
    this.#owner = owner;
    window.addEventListener("online", this.#retryNow);
    window.addEventListener("offline", this.#lost);
    document.addEventListener("visibilitychange", this.#visibility);
  }

  /** Not in the constructor: early messages are handed on at once, and then the owner has to know its socket. */
  start(): void {
    this.#open();
  }

  send(command: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    const line = `${JSON.stringify(command)}\n`;
    this.#socket.send(line);
    this.#heartbeat.sent(line.length);
    return true;
  }

  /** Checks whether the line still works; a dead one is replaced. Not while a transcript is still arriving. */
  check(): void {
    if (this.#link.state === "live" && this.#owner.isCaughtUp()) this.#heartbeat.check();
  }

  /** Drops the socket and comes back at once, as after a gap in the numbers. */
  restart(): void {
    this.#abandon();
    this.#cut();
  }

  close(): void {
    window.removeEventListener("online", this.#retryNow);
    window.removeEventListener("offline", this.#lost);
    document.removeEventListener("visibilitychange", this.#visibility);
    clearTimeout(this.#timer);
    clearInterval(this.#interval);
    this.#abandon();
  }

  #open(): void {
    const address = this.#address(this.#owner.since());
    const early = takeEarlySocket(address);
    const socket = early?.socket ?? new WebSocket(address, socketProtocols());
    this.#socket = socket;
    this.#heartbeat.opening();
    socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#received(data);
    socket.onclose = (event) => this.#closed(event);
    for (const text of early?.texts ?? []) this.#received(text);
    if (early !== null && early.closed !== null) this.#closed(early.closed);
  }

  #received(data: unknown): void {
    this.#heartbeat.received();
    // Only a server that sends something has accepted us: one that is too busy opens and closes at once.
    this.#attempt = 0;
    if (this.#link.state !== "live") this.#set({ state: "live" });
    if (typeof data === "string") this.#owner.onText(data);
  }

  #closed(event: CloseEvent): void {
    const wasOpen = this.#link.state === "live";
    this.#abandon();
    if (!wasOpen && event.code === closedAbnormally) this.#owner.onRefused();
    const final = finalCodes.get(event.code);
    if (final === undefined) this.#cut(event.code === socketErrors.too_many.close ? politeDelay : 0);
    else {
      const reason = event.reason === "" ? final : event.reason;
      this.#set({ state: "ended", code: event.code, reason });
    }
  }

  #cut(atLeast = 0): void {
    const since = this.#link.state === "cut" ? this.#link.since : Date.now();
    this.#set({ state: "cut", since, attempt: this.#attempt });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), Math.max(atLeast, retryDelay(this.#attempt)));
    this.#attempt++;
  }

  #abandon(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#heartbeat.stop();
    if (socket === null) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #set(link: Link): void {
    this.#link = link;
    this.#owner.onLink(link);
  }

  readonly #retryNow = (): void => {
    if (this.#link.state !== "cut" || this.#socket !== null) return;
    clearTimeout(this.#timer);
    this.#attempt = 0;
    this.#open();
  };

  /** The network is gone, and with it every line that went over it; one on this machine is back at once. */
  readonly #lost = (): void => {
    if (this.#link.state === "live") this.restart();
  };

  readonly #visibility = (): void => {
    if (document.visibilityState === "hidden") {
      this.#hiddenAt = Date.now();
      return;
    }
    const slept = this.#hiddenAt === null ? 0 : Date.now() - this.#hiddenAt;
    this.#hiddenAt = null;
    if (this.#link.state !== "live") this.#retryNow();
    else if (slept > distrustAfter) this.restart();
    else this.check();
  };
}
